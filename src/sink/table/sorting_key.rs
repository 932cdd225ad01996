//! Sorting keys and partition keys of the user's choice, and the proof that they are right.
//!
//! ReplacingMergeTree keeps one row of all that are equal in the sorting key. So a sorting key
//! - must contain every column of the identity (the record's key), each by itself: otherwise different rows become one;
//! - may contain more, but then a row moves when such a value changes, and the old place needs a deletion of its own,
//!   with the place computed from the row before. The same holds for a partition key, because rows in different
//!   partitions are never merged. Such columns are the *position* of a row, and the row before must be complete;
//! - must not contain NULL, nor anything but a function of the row: only functions that are known to be are let in.
//!
//! Keys are read as tokens and printed anew, with every name quoted, so that nothing else gets into a statement.

use crate::sink::table::identifier::quoted;
use crate::sink::table::mapping::MappedColumn;

/// Functions whose value depends on their arguments alone. Those of dates depend on the zone of the column, which ours name.
const FUNCTIONS: &[&str] = &[
    "abs",
    "bitAnd",
    "bitShiftRight",
    "cityHash64",
    "halfMD5",
    "intDiv",
    "left",
    "length",
    "lower",
    "lowerUTF8",
    "modulo",
    "murmurHash3_64",
    "reverse",
    "sipHash64",
    "substring",
    "toDate",
    "toDate32",
    "toDayOfMonth",
    "toHour",
    "toMonday",
    "toMonth",
    "toQuarter",
    "toStartOfDay",
    "toStartOfHour",
    "toStartOfMonth",
    "toStartOfQuarter",
    "toStartOfWeek",
    "toStartOfYear",
    "toUInt16",
    "toUInt32",
    "toUInt64",
    "toUInt8",
    "toYYYYMM",
    "toYYYYMMDD",
    "toYear",
    "tuple",
    "upper",
    "upperUTF8",
    "xxHash64",
];

/// A key that was proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProvenKey {
    /// Its expressions as they stand in a statement, names quoted.
    pub expressions: Vec<String>,
    /// The columns that are not in the identity: when one of them changes, the old position needs a deletion.
    pub position_columns: Vec<String>,
}

impl ProvenKey {
    /// `(a, b)`, or `tuple()` for none.
    pub fn text(&self) -> String {
        match self.expressions.as_slice() {
            [] => "tuple()".to_owned(),
            expressions => format!("({})", expressions.join(", ")),
        }
    }

    /// Whether deletions and updates need a complete row before (`binlog_row_image=FULL`).
    pub fn needs_row_before(&self) -> bool {
        !self.position_columns.is_empty()
    }
}

/// Why a key cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It cannot be read.
    #[error("{property} {key}: not a list of columns and functions of columns")]
    Syntax {
        /// `ORDER BY` or `PARTITION BY`.
        property: &'static str,
        /// As it was written.
        key: String,
    },
    /// It names something that the table does not have.
    #[error("{property}: no column {column}")]
    UnknownColumn {
        /// See above.
        property: &'static str,
        /// The name.
        column: String,
    },
    /// It calls a function that is not known to depend on its arguments alone.
    #[error("{property}: the function {function} is not known to depend on its arguments alone")]
    Function {
        /// See above.
        property: &'static str,
        /// The name.
        function: String,
    },
    /// A column of it allows NULL.
    #[error("{property}: column {column} allows null")]
    Nullable {
        /// See above.
        property: &'static str,
        /// The name.
        column: String,
    },
    /// It lacks a column of the identity, so that different rows would become one.
    #[error("ORDER BY lacks the key column {column}: different rows would become one")]
    LacksIdentity {
        /// The name.
        column: String,
    },
}

/// Which of the two keys.
const ORDER_BY: &str = "ORDER BY";
const PARTITION_BY: &str = "PARTITION BY";

/// Proves a sorting key for rows that are told apart by the identity.
pub fn prove_order_by(
    key: &str,
    identity: &[String],
    columns: &[MappedColumn],
) -> Result<ProvenKey, KeyError> {
    let (proven, bare) = prove(ORDER_BY, key, identity, columns)?;
    match identity.iter().find(|column| !bare.contains(column)) {
        Some(column) => Err(KeyError::LacksIdentity { column: column.clone() }),
        None => Ok(proven),
    }
}

/// Proves a partition key.
pub fn prove_partition_by(
    key: &str,
    identity: &[String],
    columns: &[MappedColumn],
) -> Result<ProvenKey, KeyError> {
    prove(PARTITION_BY, key, identity, columns).map(|(proven, _)| proven)
}

/// The sorting key that is the identity itself.
pub fn identity_key(identity: &[String]) -> ProvenKey {
    let expressions = identity.iter().map(|column| quoted(column)).collect();
    ProvenKey { expressions, position_columns: Vec::new() }
}

/// The proof, and the columns that stand in the key by themselves.
fn prove(
    property: &'static str,
    key: &str,
    identity: &[String],
    columns: &[MappedColumn],
) -> Result<(ProvenKey, Vec<String>), KeyError> {
    let syntax = || KeyError::Syntax { property, key: key.to_owned() };
    let tokens = tokens(key).ok_or_else(syntax)?;
    let expressions = split_expressions(&tokens).ok_or_else(syntax)?;
    let (mut proven, mut bare) = (ProvenKey::default(), Vec::new());
    for expression in expressions {
        let mut text = String::new();
        for (at, token) in expression.iter().enumerate() {
            let is_call = expression.get(at + 1) == Some(&Token::Symbol('('));
            match token {
                Token::Name(function) if is_call => {
                    if !FUNCTIONS.contains(&function.as_str()) {
                        return Err(KeyError::Function { property, function: function.clone() });
                    }
                    text.push_str(function);
                }
                Token::Name(name) => {
                    let column = columns
                        .iter()
                        .find(|column| column.name == *name)
                        .ok_or_else(|| KeyError::UnknownColumn { property, column: name.clone() })?;
                    if column.column_type.is_nullable() {
                        return Err(KeyError::Nullable { property, column: name.clone() });
                    }
                    if !identity.contains(name) && !proven.position_columns.contains(name) {
                        proven.position_columns.push(name.clone());
                    }
                    text.push_str(&quoted(name));
                }
                Token::Number(digits) => text.push_str(digits),
                Token::Symbol(',') => text.push_str(", "),
                Token::Symbol(symbol @ ('(' | ')')) => text.push(*symbol),
                Token::Symbol(symbol) => {
                    text.push(' ');
                    text.push(*symbol);
                    text.push(' ');
                }
            }
        }
        if let [Token::Name(name)] = expression {
            bare.push(name.clone());
        }
        proven.expressions.push(text);
    }
    Ok((proven, bare))
}

/// Whether two keys are the same but for quotes, blanks and the parentheses around the whole: the server prints names
/// without quotes where it can.
pub fn same_key(one: &str, other: &str) -> bool {
    let canonical = |key: &str| -> Option<Vec<Vec<Token>>> {
        let tokens = tokens(key)?;
        Some(split_expressions(&tokens)?.into_iter().map(<[Token]>::to_vec).collect())
    };
    match (canonical(one), canonical(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Number(String),
    /// A parenthesis, a comma, or an operator.
    Symbol(char),
}

/// The words of a key; none where anything else stands in it, such as a text or a comment.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(&first) = rest.peek() {
        let is_word = |character: &char| character.is_alphanumeric() || *character == '_';
        if first.is_whitespace() {
            rest.next();
        } else if first.is_ascii_digit() {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            if rest.peek().is_some_and(is_word) {
                return None;
            }
            tokens.push(Token::Number(digits));
        } else if is_word(&first) {
            let mut word = String::new();
            while let Some(character) = rest.next_if(is_word) {
                word.push(character);
            }
            tokens.push(Token::Name(word));
        } else if matches!(first, '`' | '"') {
            rest.next();
            let mut name = String::new();
            loop {
                match rest.next()? {
                    '\\' => name.push(rest.next()?),
                    quote if quote == first => {
                        // Doubled, it stands for itself.
                        if rest.next_if_eq(&first).is_none() {
                            break;
                        }
                        name.push(first);
                    }
                    other => name.push(other),
                }
            }
            tokens.push(Token::Name(name));
        } else if matches!(first, '(' | ')' | ',' | '+' | '-' | '*' | '/' | '%') {
            rest.next();
            // A comment is no operator.
            if matches!((first, rest.peek()), ('-', Some('-')) | ('/', Some('*'))) {
                return None;
            }
            tokens.push(Token::Symbol(first));
        } else {
            return None;
        }
    }
    Some(tokens)
}

/// The expressions between the outer commas, with `tuple(…)` and `(…)` around the whole taken off.
fn split_expressions(tokens: &[Token]) -> Option<Vec<&[Token]>> {
    let inside = match tokens {
        [Token::Name(name), Token::Symbol('('), inside @ .., Token::Symbol(')')]
            if name == "tuple" && is_balanced(inside) =>
        {
            inside
        }
        [Token::Symbol('('), inside @ .., Token::Symbol(')')] if is_balanced(inside) => inside,
        all => all,
    };
    if !is_balanced(inside) {
        return None;
    }
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let mut depth = 0usize;
    let parts: Vec<&[Token]> = inside
        .split(|token| {
            match token {
                Token::Symbol('(') => depth += 1,
                Token::Symbol(')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == Token::Symbol(',')
        })
        .collect();
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

/// Whether every parenthesis that opens closes, and none closes that did not open.
fn is_balanced(tokens: &[Token]) -> bool {
    let mut depth = 0i64;
    for token in tokens {
        match token {
            Token::Symbol('(') => depth += 1,
            Token::Symbol(')') => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests;

//! How a table is cut for several readers: half-open ranges of its key, all in one consistent view.
//!
//! The key is the primary key, or else a unique one without nullable columns. From the lower boundary of a chunk the server
//! walks so many rows along the index; the key that it meets there is the next boundary. Boundaries go back to the server
//! as literals that are exactly the stored values (text as its bytes, with the column's character set), so that the server
//! itself compares them, by the column's own collation. A chunk therefore has exactly as many rows as the walk counted, and
//! whoever reads it can tell that nothing is missing and nothing is there twice.
//!
//! A table that cannot be cut safely is read by one reader, and the reason is logged.

use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table::{Table, UniqueKey};
use crate::source::mysql::connection::Connection;
use crate::source::mysql::error::MySqlError;
use crate::source::snapshot::locking::{quote, quoted};
use crate::source::snapshot::schema_reader::cell;

/// Most rows of a chunk: readers that are done early find another one.
const MOST_ROWS: u64 = 250_000;
/// Fewest rows of a chunk, as long as nobody asks for smaller ones.
const FEWEST_ROWS: u64 = 1_000;

/// Where a chunk begins or ends: a literal for each column of the key.
pub type Boundary = Vec<String>;

/// A key along which a table is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCut {
    table: String,
    /// The key's name.
    pub index: String,
    columns: Vec<KeyColumn>,
    /// Rows of each chunk but the last one.
    pub rows: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct KeyColumn {
    /// As the schema has it.
    plain: String,
    /// In backticks.
    name: String,
    kind: Literal,
}

/// How a value of the key is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Literal {
    /// As it is.
    Number,
    /// In quotes.
    Quoted,
    /// In hex.
    Bytes,
    /// In hex, with the character set.
    Text(String),
}

impl TableCut {
    /// The cut of a table of about `estimate` rows into `chunks` chunks.
    ///
    /// # Errors
    /// Why it is not cut, as a part of a sentence; none for a table that is too small to be worth a word.
    pub fn of(table: &Table, estimate: u64, chunks: u64) -> Result<Self, Option<String>> {
        // Whoever asks for more chunks than there are readers has reason to want small ones.
        let fewest = (FEWEST_ROWS * 4 / chunks.max(4)).max(1);
        if estimate < 2 * fewest {
            return Err(None);
        }
        let rows = (estimate / chunks.max(1)).clamp(fewest, MOST_ROWS);
        let is_whole = |key: &&UniqueKey| !key.prefix && key.columns.iter().all(|name| is_set(table, name));
        let primary = table.unique_keys.iter().find(|key| key.name == "PRIMARY");
        let key = primary
            .or_else(|| table.unique_keys.iter().find(is_whole))
            .ok_or_else(|| Some(String::from("it has no primary or unique key")))?;
        let columns = key.columns.iter().map(|name| {
            let column = table.column(name).ok_or_else(|| Some(format!("key column {name} is not known")))?;
            let kind = Literal::of(column)
                .ok_or_else(|| Some(format!("{} is no type to cut by ({name})", column.type_name)))?;
            Ok(KeyColumn { plain: name.clone(), name: quote(name), kind })
        });
        let columns: Vec<KeyColumn> = columns.collect::<Result<_, Option<String>>>()?;
        Ok(TableCut { table: quoted(&table.id), index: key.name.clone(), columns, rows })
    }

    /// The names of the key's columns.
    pub fn key(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.plain.as_str())
    }

    /// The boundary behind the chunk that begins at `from`; none when that is the last one.
    pub fn next_boundary(
        &self,
        session: &mut Connection,
        from: Option<&Boundary>,
    ) -> Result<Option<Boundary>, MySqlError> {
        let selected: Vec<String> = self.columns.iter().map(KeyColumn::selected).collect();
        let sql = format!(
            "SELECT {} FROM {} LIMIT 1 OFFSET {}",
            selected.join(", "),
            self.range(from, None),
            self.rows
        );
        let found = session.query(&sql)?;
        if found.rows.is_empty() {
            return Ok(None);
        }
        let values = self.columns.iter().enumerate();
        Ok(Some(values.map(|(place, column)| column.literal(&cell(&found.rows, 0, place))).collect()))
    }

    /// `table FORCE INDEX (…) WHERE … ORDER BY …`: the rows from one boundary up to another one, in the order of the key.
    pub fn range(&self, from: Option<&Boundary>, to: Option<&Boundary>) -> String {
        let mut conditions = Vec::new();
        if let (Some(from), Some(first)) = (from, self.columns.first()) {
            // Where the key has more columns this is all that the server's optimizer needs to see.
            if let (Some(value), true) = (from.first(), self.columns.len() > 1) {
                conditions.push(format!("{} >= {value}", first.name));
            }
            conditions.push(beyond(&self.columns, from, (">", ">=")));
        }
        if let (Some(to), Some(first)) = (to, self.columns.first()) {
            if let (Some(value), true) = (to.first(), self.columns.len() > 1) {
                conditions.push(format!("{} <= {value}", first.name));
            }
            conditions.push(beyond(&self.columns, to, ("<", "<")));
        }
        let keyword = if conditions.is_empty() { "" } else { " WHERE " };
        let order: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        format!(
            "{} FORCE INDEX ({}){keyword}{} ORDER BY {}",
            self.table,
            quote(&self.index),
            conditions.join(" AND "),
            order.join(", ")
        )
    }
}

/// Keys compared as the index does: the first column that differs decides; `last` compares the last one.
fn beyond(columns: &[KeyColumn], boundary: &[String], (differs, last): (&str, &str)) -> String {
    match (columns, boundary) {
        ([column], [value, ..]) => format!("{} {last} {value}", column.name),
        ([column, rest @ ..], [value, values @ ..]) => {
            let name = &column.name;
            let rest = beyond(rest, values, (differs, last));
            format!("({name} {differs} {value} OR ({name} = {value} AND {rest}))")
        }
        _ => String::from("TRUE"),
    }
}

fn is_set(table: &Table, name: &str) -> bool {
    table.column(name).is_some_and(|column| !column.optional)
}

impl KeyColumn {
    /// What is selected of a boundary.
    fn selected(&self) -> String {
        match self.kind {
            Literal::Number | Literal::Quoted => self.name.clone(),
            Literal::Bytes | Literal::Text(_) => format!("HEX({})", self.name),
        }
    }

    /// What was selected, as a literal.
    fn literal(&self, text: &str) -> String {
        match &self.kind {
            Literal::Number => text.to_owned(),
            Literal::Quoted => format!("'{text}'"),
            Literal::Bytes => format!("x'{text}'"),
            Literal::Text(charset) => format!("_{charset} x'{text}'"),
        }
    }
}

impl Literal {
    /// None for types whose text is not exactly the value, or whose order is not that of their literals.
    fn of(column: &Column) -> Option<Self> {
        use DataType::{
            BigInt, Binary, Boolean, Char, Date, DateTime, Decimal, Int, MediumInt, SmallInt, Time,
            Timestamp, TinyInt, VarBinary, VarChar, Year,
        };
        match column.data_type()? {
            Boolean | TinyInt | SmallInt | MediumInt | Int | BigInt | Year | Decimal => Some(Literal::Number),
            Date | DateTime | Time | Timestamp => Some(Literal::Quoted),
            Binary | VarBinary => Some(Literal::Bytes),
            Char | VarChar => match column.charset_name.as_deref() {
                Some("binary") => Some(Literal::Bytes),
                charset => charset.map(|charset| Literal::Text(charset.to_owned())),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: Literal) -> KeyColumn {
        KeyColumn { plain: name.to_owned(), name: quote(name), kind }
    }

    fn cut(columns: &[(&str, Literal)]) -> TableCut {
        let columns = columns.iter().map(|(name, kind)| column(name, kind.clone())).collect();
        TableCut { table: "`d`.`t`".into(), index: "PRIMARY".into(), columns, rows: 10 }
    }

    #[test]
    fn ranges() {
        let one = cut(&[("id", Literal::Number)]);
        let at = |values: &[&str]| -> Boundary { values.iter().map(|value| (*value).to_owned()).collect() };
        assert_eq!(one.range(None, None), "`d`.`t` FORCE INDEX (`PRIMARY`) ORDER BY `id`");
        assert_eq!(
            one.range(Some(&at(&["3"])), Some(&at(&["9"]))),
            "`d`.`t` FORCE INDEX (`PRIMARY`) WHERE `id` >= 3 AND `id` < 9 ORDER BY `id`"
        );
        let three =
            cut(&[("a", Literal::Number), ("b", Literal::Quoted), ("c", Literal::Text("latin1".into()))]);
        assert_eq!(
            three.range(Some(&at(&["1", "'x'", "_latin1 x'E9'"])), Some(&at(&["2", "'y'", "_latin1 x''"]))),
            "`d`.`t` FORCE INDEX (`PRIMARY`) WHERE `a` >= 1 AND \
             (`a` > 1 OR (`a` = 1 AND (`b` > 'x' OR (`b` = 'x' AND `c` >= _latin1 x'E9')))) AND `a` <= 2 AND \
             (`a` < 2 OR (`a` = 2 AND (`b` < 'y' OR (`b` = 'y' AND `c` < _latin1 x'')))) ORDER BY `a`, `b`, `c`"
        );
    }

    #[test]
    fn literals_are_the_stored_values() {
        for (kind, selected, text, literal) in [
            (Literal::Number, "`k`", "18446744073709551615", "18446744073709551615"),
            (Literal::Quoted, "`k`", "2026-01-02 03:04:05.000006", "'2026-01-02 03:04:05.000006'"),
            (Literal::Bytes, "HEX(`k`)", "00FF", "x'00FF'"),
            (Literal::Text("utf8mb4".into()), "HEX(`k`)", "C3A9", "_utf8mb4 x'C3A9'"),
        ] {
            let column = column("k", kind);
            assert_eq!(column.selected(), selected);
            assert_eq!(column.literal(text), literal);
        }
    }
}

//! `converters`: the custom converters that the MySQL connector brings along, with their properties `NAME.type`, `NAME.…`.
//!
//! A name stands for a class of Java and its properties. Debezium runs any class on its path; here there are the three of
//! its own, under every package that it had them in. What a converter does to a column comes instead of the column's
//! ordinary mapping, in keys and in values; the first converter that takes a column has it.

use crate::config::check::{self, Refusal};
use crate::config::fallback::Fallback;
use crate::config::load::Reader;
use crate::config::nearest::nearest;
use crate::config::pattern::split_list;
use crate::config::problem::Warning;

const TINYINT: &str = "TinyIntOneToBooleanConverter";
const JDBC_SINK: &str = "JdbcSinkDataTypesConverter";
const ZERO_DATE: &str = "ZeroDateFallbackConverter";

/// The packages of the classes; the last class is only in the first one.
const PACKAGES: [&str; 3] = ["binlog", "mysql", "mariadb"];

/// A custom converter. Selectors hold expressions for `db.table.column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomConverterConfig {
    /// TINYINT(1) as BOOLEAN.
    TinyIntOneToBoolean {
        /// `selector`; none takes all columns.
        selector: Option<Vec<String>>,
        /// `length.checker`: only TINYINT(1), not any TINYINT.
        length_checker: bool,
    },
    /// Types that a JDBC sink knows.
    JdbcSinkDataTypes {
        /// `selector.boolean`: INT16, 0 or 1.
        boolean: Vec<String>,
        /// `selector.real`: FLOAT64 or FLOAT32.
        real: Vec<String>,
        /// `selector.string`: STRING, with the character set in the schema.
        string: Vec<String>,
        /// `treat.real.as.double`.
        real_as_double: bool,
    },
    /// Zero dates replaced.
    ZeroDateFallback {
        /// `selector`; none takes all columns.
        selector: Option<Vec<String>>,
        /// `fallback.date`; none when `target.types` leaves DATE out. The same for the next two.
        date: Option<Fallback>,
        /// `fallback.datetime`.
        datetime: Option<Fallback>,
        /// `fallback.timestamp`.
        timestamp: Option<Fallback>,
        /// `column.DATABASE.TABLE.COLUMN.fallback`.
        columns: Vec<(String, Fallback)>,
    },
}

/// Reads `converters` and what belongs to it.
pub(super) fn read(reader: &mut Reader) -> Vec<CustomConverterConfig> {
    let names: Vec<&str> = reader.text("converters").unwrap_or_default().split(',').map(str::trim).collect();
    let mut converters = Vec::new();
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        let mut properties =
            Alias { reader: &mut *reader, name, known: vec!["type"], column_fallbacks: false };
        let converter = properties.read();
        properties.warn_of_unknown();
        converters.extend(converter);
    }
    converters
}

/// The properties of one name.
struct Alias<'a, 'b> {
    reader: &'a mut Reader<'b>,
    name: &'b str,
    /// The properties that its class has.
    known: Vec<&'static str>,
    /// Whether it also has those of single columns.
    column_fallbacks: bool,
}

impl<'b> Alias<'_, 'b> {
    fn read(&mut self) -> Option<CustomConverterConfig> {
        let expected = || {
            let class = |name: &str| format!("io.debezium.connector.binlog.converters.{name}");
            format!("{}, {} or {}", class(TINYINT), class(JDBC_SINK), class(ZERO_DATE))
        };
        let full_name = self.full_name("type");
        let Some(class) = self.reader.written(&full_name) else {
            let remedy = format!("set {full_name}, or remove {} from converters", self.name);
            let actual = format!("converters names {}, and {full_name} is not set", self.name);
            self.reader.problem(&full_name, expected(), actual, remedy);
            return None;
        };
        let known = |name: &&str| {
            let packages = if *name == ZERO_DATE { PACKAGES.get(..1) } else { PACKAGES.get(..) };
            packages.unwrap_or_default().iter().any(|package| {
                class == *name || class == format!("io.debezium.connector.{package}.converters.{name}")
            })
        };
        match [TINYINT, JDBC_SINK, ZERO_DATE].into_iter().find(known) {
            Some(TINYINT) => Some(CustomConverterConfig::TinyIntOneToBoolean {
                selector: self.columns("selector"),
                length_checker: self.boolean("length.checker"),
            }),
            Some(JDBC_SINK) => Some(CustomConverterConfig::JdbcSinkDataTypes {
                boolean: self.columns("selector.boolean").unwrap_or_default(),
                real: self.columns("selector.real").unwrap_or_default(),
                string: self.columns("selector.string").unwrap_or_default(),
                real_as_double: self.boolean("treat.real.as.double"),
            }),
            Some(_) => Some(self.zero_date_fallback()),
            None => {
                let actual = format!("there is no converter {class}");
                let remedy = format!("name one of these classes, or remove {} from converters", self.name);
                self.reader.problem(&full_name, expected(), actual, remedy);
                // Nothing is known of its properties, so nothing is odd about them.
                self.known.clear();
                None
            }
        }
    }

    fn zero_date_fallback(&mut self) -> CustomConverterConfig {
        const TYPES: [&str; 3] = ["DATE", "DATETIME", "TIMESTAMP"];
        let types = self.text("target.types").unwrap_or("DATE,DATETIME,TIMESTAMP").to_ascii_uppercase();
        let types: Vec<&str> = types.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        if let Some(word) = types.iter().find(|word| !TYPES.contains(word)) {
            let expected = "a list of DATE, DATETIME, TIMESTAMP";
            self.refuse("target.types", expected, format!("{word} is no temporal type"));
        }
        let [date, datetime, timestamp] = [
            ("DATE", "fallback.date", Fallback::date as fn(&str) -> Option<Fallback>, "a date as yyyy-MM-dd"),
            ("DATETIME", "fallback.datetime", Fallback::datetime, "a date and time as yyyy-MM-dd HH:mm:ss"),
            (
                "TIMESTAMP",
                "fallback.timestamp",
                Fallback::timestamp,
                "an ISO 8601 instant as 1970-01-01T00:00:00Z",
            ),
        ]
        .map(|(data_type, key, parse, form)| {
            let written = self.text(key);
            let fallback = written.map_or(Some(Fallback::Null), parse);
            if fallback.is_none() {
                self.refuse(key, format!("{form}, or NULL"), "the text is of another form".to_owned());
            }
            fallback.filter(|_| types.contains(&data_type))
        });
        CustomConverterConfig::ZeroDateFallback {
            selector: self.columns("selector"),
            date,
            datetime,
            timestamp,
            columns: self.column_fallbacks(),
        }
    }

    /// `column.DATABASE.TABLE.COLUMN.fallback`, in whichever of the three forms.
    fn column_fallbacks(&mut self) -> Vec<(String, Fallback)> {
        self.column_fallbacks = true;
        let mut columns = Vec::new();
        for name in self.reader.properties.names().collect::<Vec<_>>() {
            let Some(column) = name.strip_prefix(&self.full_name("")).and_then(column_of) else { continue };
            let text = self.reader.properties.get(name).unwrap_or_default();
            match Fallback::date(text)
                .or_else(|| Fallback::datetime(text))
                .or_else(|| Fallback::timestamp(text))
            {
                Some(fallback) => columns.push((column.to_owned(), fallback)),
                None => {
                    let key = format!("column.{column}.fallback");
                    let expected =
                        "a date, a date and time or an instant, as the column's type has it, or NULL";
                    self.refuse(&key, expected, "the text is of another form".to_owned());
                }
            }
        }
        columns
    }

    fn full_name(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    fn text(&mut self, key: &'static str) -> Option<&'b str> {
        self.known.push(key);
        self.reader.written(&self.full_name(key))
    }

    /// A selector; none when there is none or it is not valid.
    fn columns(&mut self, key: &'static str) -> Option<Vec<String>> {
        let text = self.text(key)?;
        if let Err(Refusal::Invalid(reason) | Refusal::NotYet(reason)) = check::regex_list(text) {
            self.refuse(key, "regular expressions of Java, separated by commas", reason);
            return None;
        }
        Some(split_list(text)).filter(|items| !items.is_empty())
    }

    /// A flag that is true unless it is written otherwise.
    fn boolean(&mut self, key: &'static str) -> bool {
        let text = self.text(key).unwrap_or("true");
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        if !is("true") && !is("false") {
            self.refuse(key, "true or false", "Either 'true' or 'false' is expected".to_owned());
        }
        is("true")
    }

    fn refuse(&mut self, key: &str, expected: impl Into<String>, reason: String) {
        let name = self.full_name(key);
        // A reason may quote the text, which a placeholder hides.
        let reason = if self.reader.properties.is_hidden(&name) {
            "what the placeholder stands for is not valid"
        } else {
            &reason
        };
        let expected = expected.into();
        let remedy = format!("set {name} to {expected}, or leave it out");
        self.reader.invalid(&name, expected, reason, remedy);
    }

    fn warn_of_unknown(self) {
        let prefix = self.full_name("");
        if self.known.is_empty() {
            return;
        }
        let keys =
            self.reader.properties.names().filter_map(|name| Some((name, name.strip_prefix(&prefix)?)));
        let unknown = keys.filter(|(_, key)| {
            !(self.known.contains(key) || self.column_fallbacks && column_of(key).is_some())
        });
        let warnings: Vec<Warning> = unknown
            .map(|(name, key)| {
                let text = match nearest(key, self.known.iter().copied()) {
                    Some(known) => format!("unknown property, did you mean {prefix}{known}?"),
                    None => {
                        format!("unknown property; converter {} has {}", self.name, self.known.join(", "))
                    }
                };
                Warning { unknown_property: true, ..Warning::new(name, text) }
            })
            .collect();
        self.reader.warnings.extend(warnings);
    }
}

/// `DATABASE.TABLE.COLUMN` of `column.DATABASE.TABLE.COLUMN.fallback`.
fn column_of(key: &str) -> Option<&str> {
    key.strip_prefix("column.")?.strip_suffix(".fallback").filter(|column| !column.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::problem::Examined;
    use crate::config::properties::java;
    use crate::config::source::SourceConfig;

    fn examine(text: &str) -> Examined<SourceConfig> {
        let properties = java::parse(&format!("topic.prefix=p\n{text}"), Path::new("c.properties"));
        SourceConfig::examine_for_decode(&properties.expect(text))
    }

    fn read(text: &str) -> SourceConfig {
        examine(text).into_result().expect(text).0
    }

    /// The sentences of all problems.
    fn problems(text: &str) -> Vec<String> {
        examine(text).problems.into_iter().map(|problem| problem.actual).collect()
    }

    fn warnings(text: &str) -> Vec<String> {
        examine(text).warnings.iter().map(Warning::to_string).collect()
    }

    #[test]
    fn converters_are_read() {
        let config = read(
            "converters= tiny ,js,zero\ntiny.type=io.debezium.connector.mysql.converters.TinyIntOneToBooleanConverter\n\
             tiny.length.checker=False\njs.type=io.debezium.connector.binlog.converters.JdbcSinkDataTypesConverter\n\
             js.selector.string=d.t.s,d.t.u\nzero.type=io.debezium.connector.binlog.converters.ZeroDateFallbackConverter\n\
             zero.target.types=date, Timestamp\nzero.fallback.date=1970-01-02\nzero.column.d.t.c.fallback=NULL",
        );
        let day = Fallback::date("1970-01-02").expect("a date");
        assert_eq!(
            config.filters.converters,
            [
                CustomConverterConfig::TinyIntOneToBoolean { selector: None, length_checker: false },
                CustomConverterConfig::JdbcSinkDataTypes {
                    boolean: Vec::new(),
                    real: Vec::new(),
                    string: vec!["d.t.s".to_owned(), "d.t.u".to_owned()],
                    real_as_double: true,
                },
                CustomConverterConfig::ZeroDateFallback {
                    selector: None,
                    date: Some(day),
                    datetime: None,
                    timestamp: Some(Fallback::Null),
                    columns: vec![("d.t.c".to_owned(), Fallback::Null)],
                },
            ]
        );
    }

    #[test]
    fn converters_that_are_none_are_problems() {
        const TINY: &str =
            "converters=c\nc.type=io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter\n";
        const ZERO: &str =
            "converters=c\nc.type=io.debezium.connector.binlog.converters.ZeroDateFallbackConverter\n";
        for (text, problem) in [
            ("converters=c".to_owned(), "converters names c, and c.type is not set"),
            ("converters=c\nc.type=org.example.Mine".to_owned(), "there is no converter org.example.Mine"),
            (
                "converters=c\nc.type=io.debezium.connector.mysql.converters.ZeroDateFallbackConverter"
                    .to_owned(),
                "there is no converter io.debezium.connector.mysql.converters.ZeroDateFallbackConverter",
            ),
            (
                format!("{TINY}c.length.checker=1"),
                "The 'c.length.checker' value is invalid: Either 'true' or 'false' is expected",
            ),
            (
                format!("{ZERO}c.fallback.datetime=1970-01-01"),
                "The 'c.fallback.datetime' value is invalid: the text is of another form",
            ),
            (
                format!("{ZERO}c.target.types=TIME"),
                "The 'c.target.types' value is invalid: TIME is no temporal type",
            ),
            (
                format!("{ZERO}c.column.d.t.c.fallback=never"),
                "The 'c.column.d.t.c.fallback' value is invalid: the text is of another form",
            ),
        ] {
            assert_eq!(problems(&text), [problem], "{text}");
        }
        let refused = problems(&format!("{TINY}c.selector=("));
        assert!(
            refused[0].starts_with("The 'c.selector' value is invalid: A comma-separated list"),
            "{refused:?}"
        );
        let expected = &examine("converters=c\nc.type=X").problems[0].expected;
        for class in
            ["TinyIntOneToBooleanConverter", "JdbcSinkDataTypesConverter", "ZeroDateFallbackConverter"]
        {
            assert!(expected.contains(class), "{expected}");
        }
        assert_eq!(
            warnings(&format!("{TINY}c.selektor=.*")),
            ["c.selektor: unknown property, did you mean c.selector?"]
        );
        assert_eq!(
            warnings(&format!("{TINY}c.fallback.date=NULL")),
            ["c.fallback.date: unknown property; converter c has type, selector, length.checker"]
        );
    }
}

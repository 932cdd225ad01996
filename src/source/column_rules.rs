//! Which operation the configuration has for which column.
//!
//! The lists are compiled once, when a connector starts; a column of a table version is asked for once, when its plan is
//! made. The first rule that matches counts: masks before truncation, converters in the order of `converters`. A source
//! type is propagated where no mask of stars and no truncation counts, as in Debezium; there it is propagated in the place of
//! a hash, too, and the plain value published, while here the column has both.

use crate::config::column_mapper::{ColumnMapper, ColumnMapperConfig};
use crate::config::custom_converter::CustomConverterConfig;
use crate::config::error::ConfigError;
use crate::config::fallback::Fallback;
use crate::config::pattern::JavaPattern;
use crate::config::source::FilterConfig;
use crate::event::column_operations::ColumnOperations;
use crate::event::value::custom_converter::CustomConverter;
use crate::schema::column::Column;
use crate::schema::data_type::DataType;
use crate::schema::table_id::TableId;
use crate::source::filters::{any, compile};

/// The rules of one connector.
#[derive(Clone, Debug)]
pub struct ColumnRules {
    mappers: Vec<(Vec<JavaPattern>, ColumnMapper)>,
    propagated_columns: Vec<JavaPattern>,
    propagated_types: Vec<JavaPattern>,
    converters: Vec<Converter>,
}

/// A custom converter with its selectors compiled.
#[derive(Clone, Debug)]
enum Converter {
    TinyInt {
        selector: Option<Vec<JavaPattern>>,
        length_checker: bool,
    },
    JdbcSink {
        boolean: Vec<JavaPattern>,
        real: Vec<JavaPattern>,
        string: Vec<JavaPattern>,
        real_as_double: bool,
    },
    ZeroDate(ZeroDate),
}

#[derive(Clone, Debug)]
struct ZeroDate {
    selector: Option<Vec<JavaPattern>>,
    date: Option<Fallback>,
    datetime: Option<Fallback>,
    timestamp: Option<Fallback>,
    /// Those of single columns, by `db.table.column`.
    columns: Vec<(String, Fallback)>,
}

impl ColumnRules {
    /// Compiles the lists.
    pub fn new(config: &FilterConfig) -> Result<ColumnRules, ConfigError> {
        let mapper = |config: &ColumnMapperConfig| {
            Ok((compile("column.mask or column.truncate", &config.columns)?, config.mapper.clone()))
        };
        Ok(ColumnRules {
            mappers: config.mappers.iter().map(mapper).collect::<Result<_, ConfigError>>()?,
            propagated_columns: compile("column.propagate.source.type", &config.propagated_columns)?,
            propagated_types: compile("datatype.propagate.source.type", &config.propagated_types)?,
            converters: config.converters.iter().map(Converter::new).collect::<Result<_, _>>()?,
        })
    }

    /// What is done to a column.
    pub fn operations(&self, table: &TableId, column: &Column) -> ColumnOperations {
        let name = format!("{table}.{}", column.name);
        let rule = self.mappers.iter().find(|(columns, _)| any(columns, &name));
        let mapper = rule.map(|(_, mapper)| mapper.clone());
        let alone = matches!(mapper, Some(ColumnMapper::Mask { .. } | ColumnMapper::Truncate { .. }));
        ColumnOperations {
            converter: self.converters.iter().find_map(|converter| converter.of(&name, column)),
            mapper,
            propagate: !alone
                && (any(&self.propagated_columns, &name)
                    || any(&self.propagated_types, &format!("{table}.{}", column.type_name))),
        }
    }
}

impl Converter {
    fn new(config: &CustomConverterConfig) -> Result<Converter, ConfigError> {
        let selector = |columns: &Option<Vec<String>>| {
            columns.as_deref().map(|columns| compile("selector", columns)).transpose()
        };
        Ok(match config {
            CustomConverterConfig::TinyIntOneToBoolean { selector: columns, length_checker } => {
                Converter::TinyInt { selector: selector(columns)?, length_checker: *length_checker }
            }
            CustomConverterConfig::JdbcSinkDataTypes { boolean, real, string, real_as_double } => {
                Converter::JdbcSink {
                    boolean: compile("selector.boolean", boolean)?,
                    real: compile("selector.real", real)?,
                    string: compile("selector.string", string)?,
                    real_as_double: *real_as_double,
                }
            }
            CustomConverterConfig::ZeroDateFallback {
                selector: list,
                date,
                datetime,
                timestamp,
                columns,
            } => Converter::ZeroDate(ZeroDate {
                selector: selector(list)?,
                date: *date,
                datetime: *datetime,
                timestamp: *timestamp,
                columns: columns.clone(),
            }),
        })
    }

    /// The mapping of a column, if the converter takes it.
    fn of(&self, name: &str, column: &Column) -> Option<CustomConverter> {
        let selected = |selector: &Option<Vec<JavaPattern>>| {
            selector.as_ref().is_none_or(|patterns| any(patterns, name))
        };
        match self {
            Converter::TinyInt { selector, length_checker } => {
                // Not ZEROFILL, and not BOOL, which is BOOLEAN anyway.
                let is_tinyint =
                    matches!(column.type_name.to_ascii_uppercase().as_str(), "TINYINT" | "TINYINT UNSIGNED");
                let fits = is_tinyint && (!length_checker || column.length == Some(1));
                (fits && selected(selector)).then_some(CustomConverter::TinyIntOneToBoolean)
            }
            Converter::JdbcSink { boolean, .. } if any(boolean, name) => Some(CustomConverter::Int16),
            Converter::JdbcSink { real, real_as_double, .. } if any(real, name) => {
                Some(CustomConverter::Real { double: *real_as_double })
            }
            Converter::JdbcSink { string, .. } => any(string, name).then_some(CustomConverter::String),
            Converter::ZeroDate(zero_date) => {
                let fallback = match column.data_type()? {
                    DataType::Date => zero_date.date,
                    DataType::DateTime => zero_date.datetime,
                    DataType::Timestamp => zero_date.timestamp,
                    _ => None,
                };
                let fallback = fallback.filter(|_| selected(&zero_date.selector))?;
                let own = zero_date.columns.iter().find(|(known, _)| known == name);
                Some(CustomConverter::ZeroDateFallback(own.map_or(fallback, |(_, own)| *own)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::pattern::split_list;

    fn column(name: &str, type_name: &str, length: Option<i32>) -> Column {
        Column {
            name: name.to_owned(),
            jdbc_type: 0,
            native_type: None,
            type_name: type_name.to_owned(),
            type_expression: type_name.to_owned(),
            charset_name: None,
            length,
            scale: None,
            position: 1,
            optional: true,
            auto_incremented: false,
            generated: false,
            comment: None,
            has_default_value: false,
            default_value_expression: None,
            default_is_expression: false,
            enum_values: Vec::new(),
        }
    }

    fn rules(config: FilterConfig) -> ColumnRules {
        ColumnRules::new(&config).expect("valid lists")
    }

    fn mapper(columns: &str, mapper: ColumnMapper) -> ColumnMapperConfig {
        ColumnMapperConfig { columns: split_list(columns), mapper }
    }

    /// The lists and columns of the golden case types_propagate_rules.
    #[test]
    fn a_mask_comes_first_and_the_source_type_beside_a_hash() {
        use crate::config::column_mapper::{Hash, HashForm};
        use crate::config::modes::DigestAlgorithm;
        use crate::config::source::Secret;
        let hash = ColumnMapper::Hash(Hash {
            algorithm: DigestAlgorithm::Md5,
            salt: Secret::new("s"),
            form: HashForm::Utf8,
        });
        let (mask, cut) = (ColumnMapper::Mask { length: 2 }, ColumnMapper::Truncate { length: 3 });
        let rules = rules(FilterConfig {
            mappers: vec![
                mapper(r"pr\.r\.(a_mask|c_both)", mask.clone()),
                mapper(r"pr\.r\.(a_hash|d_hash)", hash.clone()),
                mapper(r"pr\.r\.(a_tr|c_both)", cut.clone()),
            ],
            propagated_columns: split_list(r"pr\.r\.(a.*|k1)"),
            propagated_types: split_list(r"pr\.r\.(VARCHAR|BIGINT UNSIGNED),.*\.S.*T"),
            ..FilterConfig::default()
        });
        for (name, type_name, mapper, propagate) in [
            ("k1", "INT", None, true),
            ("K1", "INT", None, true),
            ("k2", "VARCHAR", None, true),
            ("bu", "BIGINT UNSIGNED", None, true),
            ("bs", "BIGINT", None, false),
            ("st", "SMALLINT", None, true),
            ("a_tr", "VARCHAR", Some(&cut), false),
            ("a_mask", "VARCHAR", Some(&mask), false),
            ("c_both", "VARCHAR", Some(&mask), false),
            ("a_hash", "VARCHAR", Some(&hash), true),
            ("d_hash", "TEXT", Some(&hash), false),
        ] {
            let operations = rules.operations(&TableId::new("pr", "r"), &column(name, type_name, None));
            assert_eq!(operations.mapper.as_ref(), mapper, "{name}");
            assert_eq!(operations.propagate, propagate, "{name}");
        }
    }

    /// types_bool_converter_all, types_bool_converter_kinds, types_jdbc_sink_defaults, types_zero_date_fallback.
    #[test]
    fn the_first_converter_that_takes_a_column_has_it() {
        let rules = rules(FilterConfig {
            converters: vec![
                CustomConverterConfig::JdbcSinkDataTypes {
                    boolean: split_list(r".*\.b.*"),
                    real: split_list(r".*\.(b|r).*"),
                    string: split_list(r".*\.s.*"),
                    real_as_double: false,
                },
                CustomConverterConfig::TinyIntOneToBoolean { selector: None, length_checker: true },
                CustomConverterConfig::ZeroDateFallback {
                    selector: Some(split_list(r"d\.t\..*")),
                    date: Some(Fallback::Null),
                    datetime: None,
                    timestamp: Some(Fallback::Null),
                    columns: vec![("d.t.own".to_owned(), Fallback::date("2000-02-29").expect("a date"))],
                },
            ],
            ..FilterConfig::default()
        });
        let real = CustomConverter::Real { double: false };
        let zero = CustomConverter::ZeroDateFallback;
        let own = Fallback::date("2000-02-29").expect("a date");
        for (name, type_name, length, converter) in [
            ("b1", "TINYINT", Some(1), Some(CustomConverter::Int16)),
            ("r1", "REAL", None, Some(real)),
            ("s1", "DATE", None, Some(CustomConverter::String)),
            ("t1", "TINYINT", Some(1), Some(CustomConverter::TinyIntOneToBoolean)),
            ("u1", "TINYINT UNSIGNED", Some(1), Some(CustomConverter::TinyIntOneToBoolean)),
            ("z1", "TINYINT UNSIGNED ZEROFILL", Some(1), None),
            ("t2", "TINYINT", Some(2), None),
            ("t", "TINYINT", None, None),
            ("o", "BOOL", None, None),
            ("d", "DATE", None, Some(zero(Fallback::Null))),
            ("own", "DATE", None, Some(zero(own))),
            ("m", "DATETIME", None, None),
            ("i", "TIMESTAMP", Some(3), Some(zero(Fallback::Null))),
            ("e", "TIME", None, None),
        ] {
            let column = column(name, type_name, length);
            assert_eq!(rules.operations(&TableId::new("d", "t"), &column).converter, converter, "{name}");
        }
    }
}

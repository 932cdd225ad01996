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

//! What the families' tests share: a column built in one line, and its schema and cells as JSON.

use super::*;
use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, NameAdjustmentMode,
    TemporalPrecisionMode,
};
use crate::converter::json::JsonOptions;
use crate::converter::json::schema::schema_json;
use crate::converter::json::sink::{JsonField, JsonSink};
use crate::schema::data_type::DataType;

/// The default handling modes.
pub fn config() -> ValueConfig {
    ValueConfig {
        decimal: DecimalHandlingMode::Precise,
        bigint_unsigned: BigIntUnsignedHandlingMode::Long,
        temporal: TemporalPrecisionMode::AdaptiveTimeMicroseconds,
        binary: BinaryHandlingMode::Bytes,
        time_adjuster: true,
        schema_name_adjustment: NameAdjustmentMode::None,
        field_name_adjustment: NameAdjustmentMode::None,
        converting_failure: FailureHandlingMode::Warn,
        unknown_datatypes: false,
        unavailable_placeholder: b"__debezium_unavailable_value".to_vec(),
    }
}

/// A column `d.t.c`, NOT NULL unless said otherwise.
#[derive(Clone, Copy)]
pub struct TestColumn {
    pub type_name: &'static str,
    pub length: Option<i32>,
    pub scale: Option<i32>,
    pub optional: bool,
    pub default: Option<&'static str>,
    pub charset: &'static str,
    pub enum_values: &'static [&'static str],
    pub spelling: Spelling,
}

impl TestColumn {
    pub fn new(type_name: &'static str) -> Self {
        TestColumn {
            type_name,
            length: None,
            scale: None,
            optional: false,
            default: None,
            charset: "utf8mb4",
            enum_values: &[],
            spelling: Spelling::Stream,
        }
    }

    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    pub fn length(mut self, length: i32) -> Self {
        self.length = Some(length);
        self
    }

    pub fn scale(mut self, scale: i32) -> Self {
        self.scale = Some(scale);
        self
    }

    pub fn default(mut self, text: &'static str) -> Self {
        self.default = Some(text);
        self
    }

    pub fn column(self) -> Column {
        Column {
            name: "c".to_owned(),
            jdbc_type: DataType::named(self.type_name).map_or(0, |named| named.spelling().jdbc_type),
            native_type: None,
            type_name: self.type_name.to_owned(),
            type_expression: self.type_name.to_owned(),
            charset_name: Some(self.charset.to_owned()),
            length: self.length,
            scale: self.scale,
            position: 1,
            optional: self.optional,
            auto_incremented: false,
            generated: false,
            comment: None,
            has_default_value: self.default.is_some(),
            default_value_expression: self.default.map(str::to_owned),
            default_is_expression: false,
            enum_values: self.enum_values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    pub fn compile(self, values: &ValueConfig) -> Result<ColumnConverter, ValueError> {
        self.compile_with(values, &ColumnOperations::default())
    }

    pub fn compile_with(
        self,
        values: &ValueConfig,
        operations: &ColumnOperations,
    ) -> Result<ColumnConverter, ValueError> {
        let settings = ColumnSettings { values, comments: false, spelling: self.spelling, operations };
        Ok(ColumnConverter::compile(&TableId::new("d", "t"), &self.column(), settings)?.expect("a mapping"))
    }

    pub fn schema_json(self, values: &ValueConfig) -> String {
        schema_json(self.compile(values).unwrap().schema(), None)
    }

    pub fn try_json(self, values: &ValueConfig, value: ColumnValue<'_>) -> Result<String, ValueError> {
        json_by(&self.compile(values)?, value)
    }

    pub fn json(self, values: &ValueConfig, value: ColumnValue<'_>) -> String {
        self.try_json(values, value).unwrap()
    }
}

/// A cell as JSON.
pub fn json_by(converter: &ColumnConverter, value: ColumnValue<'_>) -> Result<String, ValueError> {
    let field = JsonField::new(converter.schema(), &JsonOptions::default());
    let mut out = Vec::new();
    converter.write(value, &mut Vec::new(), &mut JsonSink::for_field(&field, &mut out))?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn a_cell_of_another_kind_is_a_failure() {
    let column = TestColumn::new("INT").optional();
    assert_eq!(column.json(&config(), ColumnValue::Double(1.0)), "null");
    let error = TestColumn::new("INT").try_json(&config(), ColumnValue::Double(1.0)).unwrap_err();
    assert!(matches!(error, ValueError::Required { .. }));
}

#[test]
fn a_type_without_a_mapping_is_left_out_or_bytes() {
    let column = TestColumn { type_name: "HSTORE", ..TestColumn::new("").optional().default("x") };
    let mut config = config();
    let settings = ColumnSettings {
        values: &config,
        comments: false,
        spelling: Spelling::Stream,
        operations: &ColumnOperations::default(),
    };
    let compiled = ColumnConverter::compile(&TableId::new("d", "t"), &column.column(), settings);
    assert!(compiled.unwrap().is_none());
    config.unknown_datatypes = true;
    assert_eq!(column.schema_json(&config), r#"{"type":"bytes","optional":true}"#);
    assert_eq!(column.json(&config, ColumnValue::Bytes(&[0xff])), r#""/w==""#);
}

#[test]
fn comments_become_documentation_when_asked_for() {
    let column = Column { comment: Some("the key".to_owned()), ..TestColumn::new("INT").column() };
    for (comments, json) in [
        (true, r#"{"type":"int32","optional":false,"doc":"the key"}"#),
        (false, r#"{"type":"int32","optional":false}"#),
    ] {
        let settings = ColumnSettings {
            values: &config(),
            comments,
            spelling: Spelling::Stream,
            operations: &ColumnOperations::default(),
        };
        let converter =
            ColumnConverter::compile(&TableId::new("d", "t"), &column, settings).unwrap().unwrap();
        assert_eq!(schema_json(converter.schema(), None), json);
    }
}

mod robustness {
    use proptest::prelude::*;

    use super::*;
    use crate::config::column_mapper::{ColumnMapper, Hash, HashForm};
    use crate::config::fallback::Fallback;
    use crate::config::modes::DigestAlgorithm;
    use crate::config::source::Secret;
    use crate::connect::cell::{Date, DateTime, Time};
    use crate::event::value::custom_converter::CustomConverter;

    const TYPES: &[&str] = &[
        "BOOL",
        "TINYINT",
        "INT UNSIGNED",
        "BIGINT UNSIGNED",
        "DECIMAL",
        "FLOAT",
        "DOUBLE",
        "BIT",
        "CHAR",
        "BINARY",
        "BLOB",
        "ENUM",
        "SET",
        "JSON",
        "YEAR",
        "DATE",
        "TIME",
        "DATETIME",
        "TIMESTAMP",
        "GEOMETRY",
        "POINT",
        "VECTOR",
    ];
    const MODES: [TemporalPrecisionMode; 5] = [
        TemporalPrecisionMode::AdaptiveTimeMicroseconds,
        TemporalPrecisionMode::Connect,
        TemporalPrecisionMode::IsoString,
        TemporalPrecisionMode::Microseconds,
        TemporalPrecisionMode::Nanoseconds,
    ];

    /// What may be done to a column, for some number.
    fn operations(pick: u8) -> ColumnOperations {
        let hash = |form| {
            let salt = Secret::new("s");
            ColumnMapper::Hash(Hash { algorithm: DigestAlgorithm::Sha512, salt, form })
        };
        let mapper = match pick % 5 {
            0 => None,
            1 => Some(ColumnMapper::Mask { length: pick.into() }),
            2 => Some(ColumnMapper::Truncate { length: u32::from(pick) / 16 }),
            3 => Some(hash(HashForm::Serialized)),
            _ => Some(hash(HashForm::Utf8)),
        };
        let converter = match pick % 7 {
            0 => Some(CustomConverter::TinyIntOneToBoolean),
            1 => Some(CustomConverter::Int16),
            2 => Some(CustomConverter::Real { double: pick > 99 }),
            3 => Some(CustomConverter::String),
            4 => Some(CustomConverter::ZeroDateFallback(Fallback::Null)),
            _ => None,
        };
        ColumnOperations { converter, mapper, propagate: pick.is_multiple_of(2) }
    }

    fn cells(number: u64, bytes: &[u8]) -> Vec<ColumnValue<'_>> {
        let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
        let (wide, micros) = (u16::from_le_bytes([a, b]), u32::from_le_bytes([e, f, g, h]));
        let date = Date { year: wide, month: c, day: d };
        vec![
            ColumnValue::Null,
            ColumnValue::Int(number.cast_signed()),
            ColumnValue::UInt(number),
            ColumnValue::Float(f32::from_bits(micros)),
            ColumnValue::Double(f64::from_bits(number)),
            ColumnValue::PackedDecimal { packed: bytes, precision: a, scale: b },
            ColumnValue::Date(date),
            ColumnValue::Time(Time { negative: a > 9, hours: wide, minutes: c, seconds: d, micros }),
            ColumnValue::DateTime(DateTime { date, hour: e, minute: f, second: g, micros }),
            ColumnValue::Timestamp { seconds: number.cast_signed(), micros },
            ColumnValue::Year(wide),
            ColumnValue::Enum(wide),
            ColumnValue::Set(number),
            ColumnValue::Bit(bytes),
            ColumnValue::Bytes(bytes),
            ColumnValue::Jsonb(bytes),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever the history says and the server sends: an error or valid JSON.
        #[test]
        fn no_input_panics(
            number in any::<u64>(),
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
            default in "[-0-9.:eExb' ]{0,12}|\\PC{0,8}",
            length in proptest::option::of(any::<i32>()),
            optional in any::<bool>(),
            pick in any::<u8>(),
        ) {
            let operations = operations(pick);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            for (type_name, temporal) in TYPES.iter().flat_map(|name| MODES.map(|mode| (name, mode))) {
                let mut config = config();
                config.temporal = temporal;
                let column = Column {
                    default_value_expression: Some(default.clone()),
                    length,
                    scale: length,
                    optional,
                    enum_values: vec![default.clone(), text.clone()],
                    ..TestColumn::new(type_name).column()
                };
                let settings = ColumnSettings { values: &config, comments: true, spelling: Spelling::Snapshot, operations: &operations };
                let converter = ColumnConverter::compile(&TableId::new("d", "t"), &column, settings).unwrap().unwrap();
                let schema = schema_json(converter.schema(), None);
                prop_assert!(serde_json::from_str::<serde_json::Value>(&schema).is_ok(), "{schema}");
                let texts = [ColumnValue::Text(&text), ColumnValue::DecimalText(text.as_bytes())];
                for cell in cells(number, &bytes).into_iter().chain(texts) {
                    let mut out = Vec::new();
                    if converter.write(cell, &mut Vec::new(), &mut JsonSink::new(&mut out)).is_ok() {
                        let text = String::from_utf8(out).unwrap();
                        prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
                    }
                }
            }
        }
    }
}

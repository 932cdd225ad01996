//! What the families' tests share: a column built in one line, and its schema and cells as JSON.

use super::*;
use crate::config::modes::{
    BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode, NameAdjustmentMode,
    TemporalPrecisionMode,
};
use crate::converter::json::JsonOptions;
use crate::converter::json::schema::schema_json;
use crate::converter::json::sink::{JsonField, JsonSink};

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
            jdbc_type: 0,
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
            enum_values: self.enum_values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    pub fn compile(self, values: &ValueConfig) -> Result<ColumnConverter, ValueError> {
        let settings = ColumnSettings { values, comments: false, spelling: self.spelling };
        ColumnConverter::compile(&TableId::new("d", "t"), &self.column(), settings)
    }

    pub fn schema_json(self, values: &ValueConfig) -> String {
        schema_json(self.compile(values).unwrap().schema(), None)
    }

    pub fn try_json(self, values: &ValueConfig, value: ColumnValue<'_>) -> Result<String, ValueError> {
        let converter = self.compile(values)?;
        let field = JsonField::new(converter.schema(), &JsonOptions::default());
        let mut out = Vec::new();
        converter.write(value, &mut Vec::new(), &mut JsonSink::for_field(&field, &mut out))?;
        Ok(String::from_utf8(out).unwrap())
    }

    pub fn json(self, values: &ValueConfig, value: ColumnValue<'_>) -> String {
        self.try_json(values, value).unwrap()
    }
}

#[test]
fn a_cell_of_another_kind_is_a_failure() {
    let column = TestColumn::new("INT").optional();
    assert_eq!(column.json(&config(), ColumnValue::Double(1.0)), "null");
    let error = TestColumn::new("INT").try_json(&config(), ColumnValue::Double(1.0)).unwrap_err();
    assert!(matches!(error, ValueError::Required { .. }));
}

#[test]
fn comments_become_documentation_when_asked_for() {
    let column = Column { comment: Some("the key".to_owned()), ..TestColumn::new("INT").column() };
    for (comments, json) in [
        (true, r#"{"type":"int32","optional":false,"doc":"the key"}"#),
        (false, r#"{"type":"int32","optional":false}"#),
    ] {
        let settings = ColumnSettings { values: &config(), comments, spelling: Spelling::Stream };
        let converter = ColumnConverter::compile(&TableId::new("d", "t"), &column, settings).unwrap();
        assert_eq!(schema_json(converter.schema(), None), json);
    }
}

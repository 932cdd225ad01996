//! How the source publishes types that have several forms, as far as its records show it.
//!
//! A record schema says it. Without one the form of a value does, where no value of another form looks like it: a number is no
//! base64, but a short text may be both. What cannot be told apart is not told. Only forms are looked at, and nothing of a value is
//! kept.

use crate::config::modes::TemporalPrecisionMode::{self, Connect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::config::modes::{BigIntUnsignedHandlingMode, BinaryHandlingMode, DecimalHandlingMode};
use crate::connect::schema::{Schema, Type};
use crate::sink::preflight::finding::Severity;
use crate::sink::record::scanner::Json;
use crate::sink::row::wire_form::SourceHandling;
use crate::sink::table::mapping::SourceType;

/// Debezium's `unavailable.value.placeholder`.
pub const PLACEHOLDER: &[u8] = b"__debezium_unavailable_value";

/// A property of the source that has another value than it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Differs {
    /// What it means.
    pub severity: Severity,
    /// The property.
    pub property: &'static str,
    /// Its value, as the records show it.
    pub value: &'static str,
    /// What follows.
    pub effect: &'static str,
    /// Whether the sink reads it rightly when it has the same property.
    pub settable: bool,
}

const DECIMAL: &str = "decimal.handling.mode";
const TIME: &str = "time.precision.mode";
const BINARY: &str = "binary.handling.mode";
const UNSIGNED: &str = "bigint.unsigned.handling.mode";

/// By the schema of a field; `source` is what the column is in MySQL, where that is known.
pub fn by_schema(schema: &Schema, source: Option<&SourceType>) -> Option<Differs> {
    let name = schema.name.as_deref().unwrap_or_default();
    match (schema.kind, source) {
        (Type::Float64, Some(SourceType::Decimal { .. })) => Some(Differs {
            severity: Severity::Error,
            property: DECIMAL,
            value: "double",
            effect: "digits are lost before the sink sees them",
            settable: false,
        }),
        (Type::String, Some(SourceType::Decimal { .. })) => Some(Differs {
            severity: Severity::Warning,
            property: DECIMAL,
            value: "string",
            effect: "numbers come as texts, which without MySQL's types become String",
            settable: false,
        }),
        _ if matches!(
            name,
            "org.apache.kafka.connect.data.Time" | "org.apache.kafka.connect.data.Timestamp"
        ) =>
        {
            Some(Differs {
                severity: Severity::Error,
                property: TIME,
                value: "connect",
                effect: "microseconds are lost, and of TIME what is outside of one day",
                settable: false,
            })
        }
        _ => None,
    }
}

/// By a value without a schema, that the sink would read by `handling`.
pub fn by_value(value: Json<'_>, source: &SourceType, handling: SourceHandling) -> Option<Differs> {
    let differs = |property, value| Differs {
        severity: Severity::Error,
        property,
        value,
        effect: "the sink would read other values than MySQL has, or refuse them",
        settable: true,
    };
    match source {
        SourceType::Decimal { scale, .. } => {
            let shown = decimal_mode(value, *scale)?;
            let is_plain = |mode| mode != DecimalHandlingMode::Precise;
            // Numbers and texts of digits are read alike; a double has lost digits already.
            match shown {
                DecimalHandlingMode::Double if handling.decimal == shown => None,
                DecimalHandlingMode::Double => Some(differs(DECIMAL, "double")),
                _ if is_plain(shown) == is_plain(handling.decimal) => None,
                DecimalHandlingMode::Precise => Some(differs(DECIMAL, "precise")),
                DecimalHandlingMode::String => Some(differs(DECIMAL, "string")),
            }
        }
        SourceType::Integer { bytes: 8, unsigned: true } => {
            let shown = match value {
                Json::Number(_) => BigIntUnsignedHandlingMode::Long,
                Json::String(_) => BigIntUnsignedHandlingMode::Precise,
                _ => return None,
            };
            let name = if shown == BigIntUnsignedHandlingMode::Long { "long" } else { "precise" };
            (shown != handling.bigint_unsigned).then(|| differs(UNSIGNED, name))
        }
        SourceType::DateTime(digits) => {
            let expected = ticks(handling.temporal, *digits)?;
            let Json::Number(number) = value else { return None };
            let shown = ticks_of(number.parse().ok()?, expected)?;
            let name = match (shown, digits) {
                (3, 4..) => "connect",
                (6, 0..=3) => "microseconds",
                (9, _) => "nanoseconds",
                _ => "adaptive_time_microseconds",
            };
            (shown != expected).then(|| differs(TIME, name))
        }
        SourceType::Binary(_) | SourceType::Bytes => {
            let Json::String(text) = value else { return None };
            let length = match source {
                SourceType::Binary(length) => usize::try_from(*length).ok(),
                _ => None,
            };
            let shown = binary_mode(text.plain()?, length)?;
            let expected = match handling.binary {
                BinaryHandlingMode::Bytes => BinaryHandlingMode::Base64,
                other => other,
            };
            let name = match shown {
                BinaryHandlingMode::Hex => "hex",
                BinaryHandlingMode::Base64UrlSafe => "base64-url-safe",
                _ => "bytes",
            };
            (shown != expected).then(|| differs(BINARY, name))
        }
        _ => None,
    }
}

fn decimal_mode(value: Json<'_>, scale: u8) -> Option<DecimalHandlingMode> {
    let text = match value {
        Json::Number(_) => return Some(DecimalHandlingMode::Double),
        Json::String(text) => text.plain()?,
        _ => return None,
    };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match is_number {
        // Neither stands in base64.
        true if text.starts_with('-') || text.contains('.') => Some(DecimalHandlingMode::String),
        // Four digits are base64 of three bytes, too; a text of this scale has a point.
        true if scale > 0 || !text.len().is_multiple_of(4) => {
            Some(if scale > 0 { DecimalHandlingMode::Precise } else { DecimalHandlingMode::String })
        }
        true => None,
        false => Some(DecimalHandlingMode::Precise),
    }
}

/// Digits of the second's fraction in a number.
fn ticks(mode: TemporalPrecisionMode, digits: u8) -> Option<u8> {
    match mode {
        TemporalPrecisionMode::AdaptiveTimeMicroseconds => Some(if digits <= 3 { 3 } else { 6 }),
        Connect => Some(3),
        TemporalPrecisionMode::Microseconds => Some(6),
        TemporalPrecisionMode::Nanoseconds => Some(9),
        TemporalPrecisionMode::IsoString => None,
    }
}

/// What a number of ticks since 1970 surely counts, if it is not what is expected: the end of 9999 has 2.6e14 milliseconds and
/// 2.6e17 microseconds, and milliseconds of 1980 to 2095 would be microseconds of one month.
fn ticks_of(number: i64, expected: u8) -> Option<u8> {
    match (number, expected) {
        (300_000_000_000_000_000.., 3 | 6) => Some(9),
        (300_000_000_000_000..300_000_000_000_000_000, 3) => Some(6),
        (300_000_000_000..4_000_000_000_000, 6 | 9) => Some(3),
        (300_000_000_000_000..4_000_000_000_000_000, 9) => Some(6),
        _ => None,
    }
}

fn binary_mode(text: &str, length: Option<usize>) -> Option<BinaryHandlingMode> {
    let is_hex =
        text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) && text.len().is_multiple_of(2);
    if text.is_empty() {
        return None;
    }
    if is_hex && (!text.len().is_multiple_of(4) || length.is_some_and(|length| text.len() == 2 * length)) {
        return Some(BinaryHandlingMode::Hex);
    }
    if text.contains(['-', '_']) {
        return Some(BinaryHandlingMode::Base64UrlSafe);
    }
    // What neither hex nor the URL alphabet has.
    text.contains(['+', '/']).then_some(BinaryHandlingMode::Base64)
}

/// Whether a value is this placeholder: as it is, or as a binary column has it.
pub fn is_placeholder(value: Json<'_>, placeholder: &[u8]) -> bool {
    let Json::String(text) = value else { return false };
    let mut scratch = String::new();
    let text = text.unescaped(&mut scratch);
    text.as_bytes() == placeholder || text == STANDARD.encode(placeholder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::record::scanner::Scanner;

    fn shown(
        json: &str,
        source: &SourceType,
        handling: SourceHandling,
    ) -> Option<(&'static str, &'static str)> {
        let value = Scanner::only_value(json.as_bytes()).unwrap();
        by_value(value, source, handling).map(|differs| (differs.property, differs.value))
    }

    /// Values as the reference publishes them for 1.55 (AJs=), 12345678 and dates of 2024, in each mode.
    #[test]
    fn values_show_the_mode_where_they_can() {
        let default = SourceHandling::default();
        let decimal = SourceType::Decimal { precision: 10, scale: 2 };
        let whole = SourceType::Decimal { precision: 10, scale: 0 };
        for (json, source, wanted) in [
            (r#""AJs=""#, &decimal, None),
            (r#""1234""#, &decimal, None),
            ("1.55", &decimal, Some((DECIMAL, "double"))),
            (r#""1.55""#, &decimal, Some((DECIMAL, "string"))),
            (r#""-1.55""#, &decimal, Some((DECIMAL, "string"))),
            (r#""12345678""#, &whole, None),
            (r#""123456789""#, &whole, Some((DECIMAL, "string"))),
            ("null", &decimal, None),
        ] {
            assert_eq!(shown(json, source, default), wanted, "{json} {source:?}");
        }
        let unsigned = SourceType::Integer { bytes: 8, unsigned: true };
        assert_eq!(shown("5", &unsigned, default), None);
        assert_eq!(shown(r#""BQ==""#, &unsigned, default), Some((UNSIGNED, "precise")));
        let (seconds, micros) = (SourceType::DateTime(0), SourceType::DateTime(6));
        for (json, source, wanted) in [
            ("1709168523000", &seconds, None),
            // 9999-12-31 23:59:59 in milliseconds, 1970-01-02 in microseconds.
            ("253402300799000", &seconds, None),
            ("86400000000", &micros, None),
            ("1709168523000000", &seconds, Some((TIME, "microseconds"))),
            ("1709168523000000", &micros, None),
            ("1709168523456", &micros, Some((TIME, "connect"))),
            ("1709168523000000000", &micros, Some((TIME, "nanoseconds"))),
            (r#""2024-02-29T01:02:03Z""#, &micros, None),
        ] {
            assert_eq!(shown(json, source, default), wanted, "{json} {source:?}");
        }
        let (fixed, blob) = (SourceType::Binary(4), SourceType::Bytes);
        for (json, source, wanted) in [
            (r#""AAECAw==""#, &fixed, None),
            (r#""00010203""#, &fixed, Some((BINARY, "hex"))),
            (r#""000102""#, &blob, Some((BINARY, "hex"))),
            (r#""00010203""#, &blob, None),
            (r#""-_-_""#, &blob, Some((BINARY, "base64-url-safe"))),
            (r#""""#, &blob, None),
        ] {
            assert_eq!(shown(json, source, default), wanted, "{json} {source:?}");
        }
        let told = SourceHandling {
            decimal: DecimalHandlingMode::String,
            binary: BinaryHandlingMode::Hex,
            bigint_unsigned: BigIntUnsignedHandlingMode::Precise,
            temporal: Connect,
        };
        assert_eq!(shown(r#""1.55""#, &decimal, told), None);
        assert_eq!(shown(r#""AJs=""#, &decimal, told), Some((DECIMAL, "precise")));
        assert_eq!(shown("5", &unsigned, told), Some((UNSIGNED, "long")));
        assert_eq!(shown("1709168523456", &micros, told), None);
        assert_eq!(shown(r#""+/+/""#, &blob, told), Some((BINARY, "bytes")));
    }

    #[test]
    fn schemas_show_it_surely() {
        let decimal = SourceType::Decimal { precision: 10, scale: 2 };
        let differs = |schema: Schema, source| by_schema(&schema, source).map(|d| (d.severity, d.value));
        let double = || Schema::new(Type::Float64).optional();
        assert_eq!(differs(double(), Some(&decimal)), Some((Severity::Error, "double")));
        assert_eq!(differs(double(), Some(&SourceType::Double)), None);
        assert_eq!(differs(double(), None), None);
        let text = Schema::new(Type::String);
        assert_eq!(differs(text, Some(&decimal)), Some((Severity::Warning, "string")));
        let time = Schema::new(Type::Int32).named("org.apache.kafka.connect.data.Time", Some(1));
        assert_eq!(differs(time, None), Some((Severity::Error, "connect")));
        let time = Schema::new(Type::Int64).named("io.debezium.time.MicroTime", Some(1));
        assert_eq!(differs(time, None), None);
    }

    #[test]
    fn placeholders_are_known_as_text_and_as_bytes() {
        let is = |json: &str, placeholder: &[u8]| {
            is_placeholder(Scanner::only_value(json.as_bytes()).unwrap(), placeholder)
        };
        assert!(is(r#""__debezium_unavailable_value""#, PLACEHOLDER));
        assert!(is(r#""X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==""#, PLACEHOLDER));
        assert!(!is(r#""__debezium""#, PLACEHOLDER) && !is("1", PLACEHOLDER));
        assert!(is(r#""a\"b""#, b"a\"b") && !is(r#""__debezium_unavailable_value""#, b"a\"b"));
    }
}

//! JSON in the stream, against the server's text.
//!
//! The server prints an opaque value with its type and six fractional digits; the stream leaves both out:
//! `"base64:type15:AP8Q"` is `"AP8Q"` there, `"12:34:56.120000"` is `"12:34:56.12"`. The strings of the random documents
//! never look like that by themselves. Numbers are equal when their decimals are; a double, which the server prints with the
//! fewest digits that tell it, may also have all the digits of its binary fraction, as Debezium writes it.

use crate::json::Json;
use crate::server::Version;

/// The server's document as the stream has it.
pub fn streamed(document: &Json) -> Json {
    match document {
        Json::Text(text) => Json::Text(streamed_text(text)),
        Json::List(items) => Json::List(items.iter().map(streamed).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), streamed(value))).collect())
        }
        other => other.clone(),
    }
}

fn streamed_text(text: &str) -> String {
    if let Some(rest) = text.strip_prefix("base64:type")
        && let Some((kind, encoded)) = rest.split_once(':')
        && kind.parse::<u8>().is_ok()
    {
        // The server breaks long lines.
        return encoded.replace('\n', "");
    }
    if is_temporal(text) {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text.to_owned()
}

/// `-838:59:59.000000` or `2024-02-29 12:34:56.000000`.
fn is_temporal(text: &str) -> bool {
    let Some((whole, fraction)) = text.rsplit_once('.') else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (date, clock) = whole.split_once(' ').unwrap_or(("0-0-0", whole));
    let clock: Vec<&str> = clock.strip_prefix('-').unwrap_or(clock).split(':').collect();
    let date: Vec<&str> = date.split('-').collect();
    fraction.len() == 6
        && digits(fraction)
        && clock.len() == 3
        && date.len() == 3
        && clock.iter().chain(&date).all(|part| digits(part))
}

/// Whether the text leaves open what a value is. 5.7 prints doubles without a point.
pub fn is_ambiguous(document: &Json, version: Version) -> bool {
    match document {
        Json::Text(text) => streamed_text(text) != *text,
        Json::Number(text) => {
            (text.contains('.') && !text.contains(['e', 'E'])) || version == Version::MySql57
        }
        Json::List(items) => items.iter().any(|item| is_ambiguous(item, version)),
        Json::Object(members) => members.iter().any(|(_, value)| is_ambiguous(value, version)),
        Json::Null | Json::Bool(_) => false,
    }
}

/// Whether two documents mean the same.
pub fn same_document(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => same_number(one, other),
        (Json::List(one), Json::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_document(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.0 == other.0 && same_document(&one.1, &other.1))
        }
        _ => one == other,
    }
}

fn same_number(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (Decimal::of(one), Decimal::of(other)) else { return false };
    if first == second {
        return true;
    }
    // Seventeen digits tell any two doubles apart.
    let of_double = |decimal: &Decimal| decimal.digits.len() <= 17;
    let (Ok(double), Ok(shown)) = (one.parse::<f64>(), other.parse::<f64>()) else { return false };
    let exact = Decimal::of(&format!("{double:.1080}"));
    double.to_bits() == shown.to_bits()
        && of_double(&first)
        && (of_double(&second) || exact.is_some_and(|exact| exact == second))
}

/// `0.digits` times ten to the power of `exponent`; without zeros at either end.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let led = all.trim_start_matches('0');
        let zeros = (all.len() - led.len()) as i64;
        let digits = led.trim_end_matches('0').to_owned();
        let exponent = if digits.is_empty() { 0 } else { exponent + whole.len() as i64 - zeros };
        Some(Decimal { negative, digits, exponent })
    }
}

use std::collections::BTreeMap;

use super::*;
use crate::sink::record::envelope::{RecordValue, read_value, row_schema};
use crate::sink::table::mapping::mysql_type::source_type;

/// Fields of the schemas that the reference wrote, one of each kind, with the form of their values by the names of Debezium's
/// documentation.
#[test]
fn the_name_of_a_schema_is_the_form_of_its_values() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/corpus");
    let mut found: BTreeMap<String, WireForm> = BTreeMap::new();
    for scenario in std::fs::read_dir(corpus).expect("the corpus") {
        let scenario = scenario.expect("a scenario").path();
        if !scenario.file_name().is_some_and(|name| name.to_string_lossy().starts_with("types_")) {
            continue;
        }
        let text = std::fs::read_to_string(scenario.join("records.jsonl")).expect("records");
        for line in text.lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("json");
            let value = record["value"].to_string();
            let Ok(RecordValue::Row(change)) = read_value(Some(value.as_bytes())) else { continue };
            let Some(schema) = change.schema else { continue };
            for field in &row_schema(schema).expect("a schema").fields {
                let name = field.schema.name.clone().unwrap_or_default();
                let form = WireForm::of_schema(&field.schema, &SourceType::Text, SourceHandling::default());
                let form =
                    if let WireForm::Decimal { .. } = form { WireForm::Decimal { scale: 0 } } else { form };
                found.insert(
                    format!("{:?} {}", field.schema.kind, name.trim_start_matches("io.debezium.")),
                    form,
                );
            }
        }
    }
    let wanted = [
        ("Array data.FloatVector", WireForm::Vector),
        ("Boolean ", WireForm::Plain),
        ("Bytes ", WireForm::Bytes(BytesText::Base64)),
        ("Bytes data.Bits", WireForm::Bytes(BytesText::Base64)),
        ("Bytes org.apache.kafka.connect.data.Decimal", WireForm::Decimal { scale: 0 }),
        ("Float32 ", WireForm::Plain),
        ("Float64 ", WireForm::Plain),
        ("Int16 ", WireForm::Plain),
        ("Int32 ", WireForm::Plain),
        ("Int32 org.apache.kafka.connect.data.Date", WireForm::Days),
        ("Int32 org.apache.kafka.connect.data.Time", WireForm::Ticks { digits: 3 }),
        ("Int32 time.Date", WireForm::Days),
        ("Int32 time.Year", WireForm::Plain),
        ("Int64 ", WireForm::Plain),
        ("Int64 org.apache.kafka.connect.data.Timestamp", WireForm::Ticks { digits: 3 }),
        ("Int64 time.MicroTime", WireForm::Ticks { digits: 6 }),
        ("Int64 time.MicroTimestamp", WireForm::Ticks { digits: 6 }),
        ("Int64 time.NanoTime", WireForm::Ticks { digits: 9 }),
        ("Int64 time.NanoTimestamp", WireForm::Ticks { digits: 9 }),
        ("Int64 time.Timestamp", WireForm::Ticks { digits: 3 }),
        ("String ", WireForm::Plain),
        ("String data.Enum", WireForm::Plain),
        ("String data.EnumSet", WireForm::Plain),
        ("String data.Json", WireForm::Plain),
        ("String time.IsoDate", WireForm::Days),
        ("String time.IsoTime", WireForm::Ticks { digits: 6 }),
        ("String time.IsoTimestamp", WireForm::Ticks { digits: 6 }),
        ("String time.ZonedTimestamp", WireForm::Ticks { digits: 6 }),
        ("Struct data.geometry.Geometry", WireForm::Geometry),
        ("Struct data.geometry.Point", WireForm::Geometry),
    ];
    let wanted: BTreeMap<String, WireForm> =
        wanted.into_iter().map(|(name, form)| (name.to_owned(), form)).collect();
    assert_eq!(found, wanted);
}

/// Debezium's documentation of the MySQL connector, "Data type mappings".
#[test]
fn without_a_schema_mysqls_type_and_the_modes_of_the_source_say_the_form() {
    let of = |type_name: &str, length, handling| {
        WireForm::of_type(&source_type("c", type_name, length, None, vec![]).expect(type_name), handling)
    };
    let debezium = SourceHandling::default();
    let strings = SourceHandling {
        decimal: DecimalHandlingMode::String,
        temporal: TemporalPrecisionMode::Connect,
        binary: BinaryHandlingMode::Hex,
        bigint_unsigned: BigIntUnsignedHandlingMode::Precise,
    };
    for (type_name, length, default_form, other_form) in [
        ("INT", None, WireForm::Plain, WireForm::Plain),
        ("BIGINT UNSIGNED", None, WireForm::Plain, WireForm::Decimal { scale: 0 }),
        ("DECIMAL", Some(5), WireForm::Decimal { scale: 0 }, WireForm::Plain),
        ("BIT", Some(1), WireForm::Plain, WireForm::Plain),
        ("BIT", Some(8), WireForm::Bytes(BytesText::Base64), WireForm::Bytes(BytesText::Base64)),
        ("BLOB", None, WireForm::Bytes(BytesText::Base64), WireForm::Bytes(BytesText::Hex)),
        ("DATE", None, WireForm::Days, WireForm::Days),
        ("DATETIME", Some(3), WireForm::Ticks { digits: 3 }, WireForm::Ticks { digits: 3 }),
        ("DATETIME", Some(4), WireForm::Ticks { digits: 6 }, WireForm::Ticks { digits: 3 }),
        ("TIME", None, WireForm::Ticks { digits: 6 }, WireForm::Ticks { digits: 3 }),
        ("JSON", None, WireForm::Plain, WireForm::Plain),
        ("POINT", None, WireForm::Geometry, WireForm::Geometry),
        ("VECTOR", Some(3), WireForm::Vector, WireForm::Vector),
    ] {
        assert_eq!(of(type_name, length, debezium), default_form, "{type_name} {length:?}");
        assert_eq!(of(type_name, length, strings), other_form, "{type_name} {length:?}");
    }
    let nanos = SourceHandling { temporal: TemporalPrecisionMode::Nanoseconds, ..debezium };
    assert_eq!(of("DATETIME", Some(6), nanos), WireForm::Ticks { digits: 9 });
    let micros = SourceHandling { temporal: TemporalPrecisionMode::Microseconds, ..debezium };
    assert_eq!(of("DATETIME", None, micros), WireForm::Ticks { digits: 6 });
}

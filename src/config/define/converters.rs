//! Kafka Connect's own properties: converters, transforms, errors.

use crate::config::check;
use crate::config::define::{ConfigDef, Kind};

const FORMAT: Kind = Kind::Word { allowed: &["BASE64", "NUMERIC"], later: &[] };

/// The rows.
pub(super) const ROWS: &[ConfigDef] = &[
    ConfigDef::optional(
        "key.converter",
        Kind::Class,
        "the converter of keys: org.apache.kafka.connect.json.JsonConverter",
    )
    .high()
    .checked(check::CONVERTER_CLASS),
    ConfigDef::with("key.converter.schemas.enable", Kind::Boolean, "true", "keys with their schema").high(),
    ConfigDef::with(
        "key.converter.replace.null.with.default",
        Kind::Boolean,
        "true",
        "null becomes the field's default",
    ),
    ConfigDef::with("key.converter.decimal.format", FORMAT, "BASE64", "Decimal as base64 or as a number"),
    ConfigDef::optional("key.converter.schema.content", Kind::Text, "a schema from outside").not_yet(),
    ConfigDef::optional("key.converter.*", Kind::Text, "further properties of the converter of keys")
        .no_effect(),
    ConfigDef::optional(
        "value.converter",
        Kind::Class,
        "the converter of values: org.apache.kafka.connect.json.JsonConverter",
    )
    .high()
    .checked(check::CONVERTER_CLASS),
    ConfigDef::with("value.converter.schemas.enable", Kind::Boolean, "true", "values with their schema")
        .high(),
    ConfigDef::with(
        "value.converter.replace.null.with.default",
        Kind::Boolean,
        "true",
        "null becomes the field's default",
    ),
    ConfigDef::with("value.converter.decimal.format", FORMAT, "BASE64", "Decimal as base64 or as a number"),
    ConfigDef::optional("value.converter.schema.content", Kind::Text, "a schema from outside").not_yet(),
    ConfigDef::optional("value.converter.*", Kind::Text, "further properties of the converter of values")
        .no_effect(),
    ConfigDef::with(
        "header.converter",
        Kind::Class,
        "org.apache.kafka.connect.storage.SimpleHeaderConverter",
        "the converter of headers",
    )
    .not_yet(),
    ConfigDef::optional("header.converter.*", Kind::Text, "further properties of the converter of headers")
        .harmless(),
    ConfigDef::optional("transforms", Kind::Text, "names of single message transforms").not_yet(),
    ConfigDef::optional("transforms.*", Kind::Text, "properties of a transform").harmless(),
    ConfigDef::optional("predicates", Kind::Text, "names of predicates of transforms").harmless(),
    ConfigDef::optional("predicates.*", Kind::Text, "properties of a predicate").harmless(),
    ConfigDef::with(
        "errors.tolerance",
        Kind::Word { allowed: &["none", "all"], later: &["all"] },
        "none",
        "whether records that cannot be converted are passed over",
    ),
    ConfigDef::optional("errors.*", Kind::Text, "how Kafka Connect retries and logs conversions").harmless(),
    ConfigDef::with(
        "exactly.once.support",
        Kind::Word { allowed: &["requested", "required"], later: &[] },
        "requested",
        "required: not without the worker's exactly.once.source.support=enabled",
    ),
    ConfigDef::with(
        "transaction.boundary",
        Kind::Word { allowed: &["poll", "connector", "interval"], later: &[] },
        "poll",
        "where Kafka transactions end: behind a batch, a transaction of the source, or after a time",
    ),
    ConfigDef::optional(
        "transaction.boundary.interval.ms",
        Kind::Long,
        "the time of transaction.boundary=interval; offset.flush.interval.ms where it is missing",
    ),
    ConfigDef::with(
        "tidewire.transaction.interval.ms",
        Kind::Long,
        "100",
        "the least time between two commits of Kafka transactions",
    ),
    ConfigDef::optional("offsets.storage.topic", Kind::Text, "an offset topic of the connector's own")
        .not_yet(),
    ConfigDef::with("config.action.reload", Kind::Text, "restart", "when a placeholder's value changes")
        .harmless(),
    ConfigDef::optional("tasks.max.enforce", Kind::Boolean, "about Kafka Connect's tasks").harmless(),
    ConfigDef::optional("connector.plugin.version", Kind::Text, "about Kafka Connect's plugins").harmless(),
];

//! Kafka Connect schemas (org.apache.kafka.connect.data.Schema): type, optionality, name, version, doc, parameters, default.

use std::sync::Arc;

use crate::connect::value::Value;

/// The Connect types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Type {
    Int8,
    Int16,
    Int32,
    Int64,
    Float32,
    Float64,
    Boolean,
    String,
    Bytes,
    Array,
    Map,
    Struct,
}

/// A schema. Shared by reference; never changed once built.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The type.
    pub kind: Type,
    /// Whether null is a value.
    pub optional: bool,
    /// The semantic name, such as `io.debezium.time.Date`.
    pub name: Option<String>,
    /// The version of the named schema.
    pub version: Option<i32>,
    /// Documentation.
    pub doc: Option<String>,
    /// Parameters in the order in which they are printed.
    pub parameters: Vec<(String, String)>,
    /// The value that stands for a missing one.
    pub default: Option<Value>,
    /// The fields of a struct, in order.
    pub fields: Vec<Field>,
    /// The element of an array, or the value of a map.
    pub items: Option<Arc<Schema>>,
    /// The key of a map.
    pub keys: Option<Arc<Schema>>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its schema.
    pub schema: Arc<Schema>,
}

impl Schema {
    /// A required schema of a type, with nothing else set.
    pub fn new(kind: Type) -> Self {
        Schema {
            kind,
            optional: false,
            name: None,
            version: None,
            doc: None,
            parameters: Vec::new(),
            default: None,
            fields: Vec::new(),
            items: None,
            keys: None,
        }
    }

    /// The same, optional.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The same, with a semantic name and its version.
    pub fn named(mut self, name: impl Into<String>, version: Option<i32>) -> Self {
        self.name = Some(name.into());
        self.version = version;
        self
    }

    /// The same, with one more parameter.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// The same, with a default.
    pub fn with_default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    /// The same, with one more field.
    pub fn field(mut self, name: impl Into<String>, schema: impl Into<Arc<Schema>>) -> Self {
        self.fields.push(Field { name: name.into(), schema: schema.into() });
        self
    }

    /// An array of an element schema.
    pub fn array(items: impl Into<Arc<Schema>>) -> Self {
        Schema { items: Some(items.into()), ..Schema::new(Type::Array) }
    }
}

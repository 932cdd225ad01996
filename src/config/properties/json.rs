//! The JSON form: `{"name": …, "config": {…}}` as sent to Kafka Connect's REST interface, or the flat map alone.
//!
//! Numbers and booleans become their text, null is as if it were not there, as in Kafka Connect. An object or a list
//! is an error: no property has one as value. The outer name counts when the inner map has none.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::config::error::ConfigError;
use crate::config::properties::{Origin, Properties};

/// The members of an object in order, repeated names included.
struct Members(Vec<(String, Member)>);

/// A member's value.
enum Member {
    Text(String),
    Null,
    Object(Members),
    List,
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Members;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object of properties")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Member>()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MemberVisitor;
        impl<'de> Visitor<'de> for MemberVisitor {
            type Value = Member;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a text, a number, a boolean or null")
            }
            fn visit_str<E>(self, value: &str) -> Result<Member, E> {
                Ok(Member::Text(value.to_owned()))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Member, E> {
                Ok(Member::Text(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Member, E> {
                Ok(Member::Text(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Member, E> {
                Ok(Member::Text(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Member, E> {
                Ok(Member::Text(value.to_string()))
            }
            fn visit_unit<E>(self) -> Result<Member, E> {
                Ok(Member::Null)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Member, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Member>()? {
                    members.push((name, value));
                }
                Ok(Member::Object(Members(members)))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Member, A::Error> {
                while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
                Ok(Member::List)
            }
        }
        deserializer.deserialize_any(MemberVisitor)
    }
}

/// Reads the text of a JSON file.
pub fn parse(text: &str, path: &Path) -> Result<Properties, ConfigError> {
    let Members(mut members) = serde_json::from_str(text).map_err(|source| ConfigError::Json {
        path: path.to_owned(),
        line: source.line(),
        column: source.column(),
        source,
    })?;
    let mut properties = Properties::new();
    let wrapped =
        members.iter().position(|(name, value)| name == "config" && matches!(value, Member::Object(_)));
    if let Some(at) = wrapped {
        let (_, config) = members.swap_remove(at);
        if let Member::Object(Members(inner)) = config {
            add(&mut properties, inner, path)?;
        }
        // What else stands beside `config` (`tasks`, `type`, in what the REST interface answers) is not configuration.
        members.retain(|(name, _)| name == "name" && properties.get("name").is_none());
    }
    add(&mut properties, members, path)?;
    Ok(properties)
}

fn add(properties: &mut Properties, members: Vec<(String, Member)>, path: &Path) -> Result<(), ConfigError> {
    for (name, value) in members {
        match value {
            Member::Text(value) => {
                properties.insert(name, value, Origin::File { path: path.to_owned(), line: None })
            }
            Member::Null => {}
            Member::Object(_) => {
                return Err(ConfigError::Nested { path: path.to_owned(), name, found: "an object" });
            }
            Member::List => return Err(ConfigError::Nested { path: path.to_owned(), name, found: "a list" }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let properties = parse(text, Path::new("c.json")).expect(text);
        properties
            .names()
            .map(|name| (name.to_owned(), properties.get(name).unwrap_or_default().to_owned()))
            .collect()
    }

    #[test]
    fn both_forms_and_all_scalars() {
        let cases = [
            (r#"{"a":"x","b":3306,"c":true,"d":null,"e":1.5,"f":-1}"#, "a=x b=3306 c=true e=1.5 f=-1"),
            (r#"{"name":"n","config":{"a":"x"}}"#, "a=x name=n"),
            (r#"{"name":"n","config":{"name":"inner"},"tasks":[],"type":"source"}"#, "name=inner"),
            (r#"{"config":"text"}"#, "config=text"),
            (r#"{"a":"1","a":"2"}"#, "a=2"),
        ];
        for (text, expected) in cases {
            let found: Vec<String> =
                pairs(text).iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
        assert_eq!(parse(r#"{"a":"1","a":"2"}"#, Path::new("c")).expect("valid").duplicates().len(), 1);
    }

    #[test]
    fn what_is_not_flat_is_refused() {
        let cases = [
            (r#"{"a":{"b":1}}"#, "property a in c.json is an object, not a text"),
            (r#"{"config":{"a":[1]}}"#, "property a in c.json is a list, not a text"),
            (r#"{"a":"#, "c.json is no valid json: line 1 column 5"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text, Path::new("c.json")).expect_err(text).to_string(), expected);
        }
    }
}

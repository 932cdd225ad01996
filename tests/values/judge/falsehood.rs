//! Wrong cells, which the comparison has to notice.

use crate::json::Json;

/// A cell that is not what it was.
pub fn falsified(payload: &Json) -> Json {
    match payload {
        Json::Null => Json::Bool(true),
        Json::Bool(value) => Json::Bool(!value),
        // Another sign.
        Json::Number(text) => Json::Number(match text.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{}1", text.split(['.', 'e', 'E']).next().unwrap_or_default()),
        }),
        Json::Text(text) => {
            let mut characters = text.chars();
            let first = if characters.next() == Some('A') { 'B' } else { 'A' };
            Json::Text(std::iter::once(first).chain(characters).collect())
        }
        Json::List(items) if items.is_empty() => Json::List(vec![Json::Number("1".to_owned())]),
        Json::List(items) => Json::List(items.iter().map(falsified).collect()),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), falsified(value))).collect())
        }
    }
}

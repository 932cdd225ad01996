//! The comment of a table of ours: how the sink knows it again.
//!
//! A JSON object: `{"tidewire":1,"seq":"hlc11","source":"…","schema":…,"columns":{…}}`, or `"seq":"off47","e":26135` for versions
//! from offsets. `columns` has the names of our own columns, `schema` the version of the schema change that was applied last:
//! schemas are never compared backwards.

use serde::{Deserialize, Serialize};

use crate::sink::table::meta_columns::{DeletionMarker, MetaColumns};
use crate::sink::version::{Incarnation, Version, VersionScheme};

/// What the comment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableComment {
    /// Where versions come from.
    pub scheme: VersionScheme,
    /// The source: `topic.prefix`, as it is in the records.
    pub source: String,
    /// The version of the schema change that the table has.
    pub schema: Option<Version>,
    /// The names of our columns.
    pub meta: MetaColumns,
}

/// The one that this version writes and reads.
const FORMAT: u8 = 1;

#[derive(Serialize, Deserialize)]
struct Stored {
    tidewire: u8,
    seq: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    e: Option<u16>,
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<u64>,
    columns: StoredColumns,
}

#[derive(Serialize, Deserialize)]
struct StoredColumns {
    version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deleted: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sign: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    synced_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row_hash: Option<String>,
}

impl TableComment {
    /// The text.
    pub fn to_json(&self) -> String {
        let (seq, e) = match self.scheme {
            VersionScheme::Sequence => ("hlc11", None),
            VersionScheme::Offset(incarnation) => ("off47", Some(incarnation.get())),
        };
        let (deleted, sign) = match &self.meta.deletion {
            DeletionMarker::IsDeleted(name) => (Some(name.clone()), None),
            DeletionMarker::Sign(name) => (None, Some(name.clone())),
        };
        let stored = Stored {
            tidewire: FORMAT,
            seq: seq.to_owned(),
            e,
            source: self.source.clone(),
            schema: self.schema.map(Version::get),
            columns: StoredColumns {
                version: self.meta.version.clone(),
                deleted,
                sign,
                synced_at: self.meta.synced_at.clone(),
                row_hash: self.meta.row_hash.clone(),
            },
        };
        // Texts and numbers have a form in JSON.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Whether the table has the schema change of this version: it never goes back to an older one (R-3).
    pub fn has_applied(&self, version: Version) -> bool {
        self.schema >= Some(version)
    }

    /// Reads a comment; none for one that is somebody else's or of another format.
    pub fn parse(text: &str) -> Option<TableComment> {
        let stored: Stored = serde_json::from_str(text).ok()?;
        if stored.tidewire != FORMAT {
            return None;
        }
        let scheme = match (stored.seq.as_str(), stored.e) {
            ("hlc11", None) => VersionScheme::Sequence,
            ("off47", Some(e)) => VersionScheme::Offset(Incarnation::new(e.into())?),
            _ => return None,
        };
        let deletion = match (stored.columns.deleted, stored.columns.sign) {
            (Some(name), None) => DeletionMarker::IsDeleted(name),
            (None, Some(name)) => DeletionMarker::Sign(name),
            _ => return None,
        };
        let schema = match stored.schema {
            Some(number) => Some(Version::new(number)?),
            None => None,
        };
        let meta = MetaColumns {
            version: stored.columns.version,
            deletion,
            synced_at: stored.columns.synced_at,
            row_hash: stored.columns.row_hash,
        };
        Some(TableComment { scheme, source: stored.source, schema, meta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_read_back() {
        let meta = MetaColumns::beside(["id"].into_iter(), true, false);
        for (comment, text) in [
            (
                TableComment {
                    scheme: VersionScheme::Sequence,
                    source: "shop".to_owned(),
                    schema: Version::new(12),
                    meta: meta.clone(),
                },
                r#"{"tidewire":1,"seq":"hlc11","source":"shop","schema":12,"columns":{"version":"_version","deleted":"_deleted","synced_at":"_synced_at"}}"#,
            ),
            (
                TableComment {
                    scheme: VersionScheme::Offset(Incarnation::new(26_135).unwrap()),
                    source: "it's".to_owned(),
                    schema: None,
                    meta: MetaColumns {
                        deletion: DeletionMarker::Sign("_sign".to_owned()),
                        synced_at: None,
                        ..meta
                    },
                },
                r#"{"tidewire":1,"seq":"off47","e":26135,"source":"it's","columns":{"version":"_version","sign":"_sign"}}"#,
            ),
        ] {
            assert_eq!(comment.to_json(), text);
            assert_eq!(TableComment::parse(text), Some(comment.clone()));
            let applied = [11, 12, 13].map(|number| comment.has_applied(Version::new(number).unwrap()));
            assert_eq!(applied, [comment.schema.is_some(), comment.schema.is_some(), false]);
        }
        for text in [
            "",
            "orders of the shop",
            "{}",
            r#"{"tidewire":2,"seq":"hlc11","source":"s","columns":{"version":"v","deleted":"d"}}"#,
            r#"{"tidewire":1,"seq":"off47","source":"s","columns":{"version":"v","deleted":"d"}}"#,
            r#"{"tidewire":1,"seq":"hlc11","source":"s","columns":{"version":"v"}}"#,
            r#"{"tidewire":1,"seq":"hlc11","source":"s","schema":9223372036854775808,"columns":{"version":"v","deleted":"d"}}"#,
        ] {
            assert_eq!(TableComment::parse(text), None, "{text}");
        }
    }
}

//! The schema of a table's rows beside the columns as they were declared.

use std::collections::HashSet;
use std::rc::Rc;

use crate::Outcome;
use crate::column::{Column, Default, Kind};
use crate::expectation::{self, Meaning, Spelling, shape};
use crate::judge::rows::Row;
use crate::judge::{Judge, Source};
use crate::published::Field;
use crate::server::Version;
use crate::value::Value;

impl Judge<'_> {
    /// Every field's type, name, parameters, optionality and default.
    pub(super) fn schema(&mut self, row: &Row, source: Source) -> Outcome<()> {
        if !self.schemas.insert((Rc::as_ptr(&row.schema), source)) {
            return Ok(());
        }
        let names: Vec<&str> = row.fields().iter().map(|field| field.name.as_str()).collect();
        let wanted: Vec<&str> = self.table.columns.iter().map(|column| column.name.as_str()).collect();
        if names != wanted {
            self.note("rn", None, format!("{source:?}: fields {names:?}"));
            return Ok(());
        }
        for (place, (column, field)) in self.table.columns.iter().zip(row.fields()).enumerate() {
            let wanted = shape(&column.kind, self.modes, !self.is_printed(source));
            let parameters: Vec<(&str, String)> = match column.kind {
                Kind::Enum { .. } | Kind::Set { .. } => Vec::new(),
                _ => field.parameters.iter().map(|(name, value)| (name.as_str(), value.clone())).collect(),
            };
            if let Kind::Enum { labels } | Kind::Set { labels } = &column.kind {
                self.labels(column, place, labels, field, source);
            }
            let matches = field.kind == wanted.kind
                && field.semantic.as_deref() == wanted.name
                && parameters == wanted.parameters
                && field.optional == (column.nullable || wanted.always_optional);
            if !matches {
                self.note(
                    &column.name,
                    None,
                    format!("{source:?}: {field:?} where {wanted:?}, optional {} is wanted", column.nullable),
                );
                continue;
            }
            let shown = field.default.as_ref().map(|default| field.decode(default)).transpose();
            match (shown, self.default(column, place, source, field)?) {
                (Err(why), _) => self.note(&column.name, None, format!("{source:?}: the default: {why}")),
                (Ok(shown), wanted) if shown != wanted => {
                    let [shown, wanted] =
                        [shown, wanted].map(|value| value.map_or("none".to_owned(), |v| v.to_string()));
                    self.note(
                        &column.name,
                        None,
                        format!(
                            "{source:?}: default {shown} where {wanted} is wanted ({:?})",
                            self.truth.defaults[place]
                        ),
                    );
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The labels in the schema of an ENUM or SET. Servers before 9.7 do not tell one that no row holds and no default names if
    /// it has a character of four bytes.
    fn labels(&mut self, column: &Column, place: usize, labels: &[String], field: &Field, source: Source) {
        let is_set = matches!(column.kind, Kind::Set { .. });
        let cells = self.truth.rows.values().map(|row| row[place].as_deref());
        let used: HashSet<String> = cells
            .chain([self.truth.defaults[place].as_deref()])
            .flatten()
            .filter_map(|digits| String::from_utf8(expectation::unhex(digits)?).ok())
            .flat_map(|text| match is_set {
                true => text.split(',').map(str::to_owned).collect(),
                false => vec![text],
            })
            .collect();
        let escaped = |label: &str| label.replace('\\', "\\\\").replace(',', "\\,");
        let wanted: Vec<String> = labels
            .iter()
            .map(|label| {
                match self.is_printed(source) && self.version < Version::MySql97 && !used.contains(label) {
                    true => escaped(&label.replace(|character| character > '\u{ffff}', "?")),
                    false => escaped(label),
                }
            })
            .collect();
        let allowed =
            field.parameters.iter().find(|(name, _)| *name == "allowed").map(|(_, value)| value.as_str());
        if allowed != Some(wanted.join(",").as_str()) {
            self.note(
                &column.name,
                None,
                format!("{source:?}: allowed {allowed:?} where {wanted:?} is wanted"),
            );
        }
    }

    /// The default of a column's schema.
    pub(super) fn default(
        &self,
        column: &Column,
        place: usize,
        source: Source,
        field: &Field,
    ) -> Outcome<Option<Value>> {
        let missing = || (!column.nullable).then(|| expectation::zero(column, self.modes));
        Ok(match (column.default, &column.kind) {
            (Default::Expression, _) => None,
            (Default::Now, Kind::Timestamp { .. }) => missing(),
            (Default::Now, _) => Some(expectation::zero(column, self.modes)),
            // The server may have given the column one by itself (5.7: TIMESTAMP NOT NULL).
            (Default::None, _) => field.default.as_ref().map(|default| field.decode(default)).transpose()?,
            (Default::Literal, _) => {
                let Some(text) = self.truth.defaults[place].as_deref() else { return Ok(None) };
                let declared = !self.is_printed(source);
                // Defaults have the stream's digits on both paths.
                let spelling = match column.kind {
                    Kind::Timestamp { .. } => Spelling::Stream,
                    _ => self.spelling(source),
                };
                match (
                    expectation::meaning(&column.kind, text, self.modes, spelling, declared)?,
                    &column.kind,
                ) {
                    // Values beyond INT64 wrap, defaults stop at its end.
                    (
                        Meaning::Value(Value::Integer(number)),
                        Kind::Integer { bytes: 8, unsigned: true, .. },
                    ) if number < 0 => Some(Value::Integer(i64::MAX.into())),
                    // A value of FLOAT(M,D) is a widened single, its default the decimal that was declared.
                    (Meaning::Value(value), Kind::Float { single: true, narrow: false, .. }) => {
                        let shown =
                            field.default.as_ref().map(|default| field.decode(default)).transpose()?;
                        match shown {
                            Some(Value::Float64(bits))
                                if Value::double(f64::from(f64::from_bits(bits) as f32)) == value =>
                            {
                                shown
                            }
                            _ => Some(value),
                        }
                    }
                    (Meaning::Value(value), _) => Some(value),
                    (Meaning::Missing, _) => missing(),
                    (Meaning::NoForm, _) => None,
                }
            }
        })
    }
}

//! Documents in JSONB, and diffs to them.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tidewire::connect::cell::ColumnValue;
use tidewire::wire::event::Event;
use tidewire::wire::jsonb::{DocumentEditor, render};
use tidewire::wire::rows::RowsKind;

use crate::events::each_event;
use crate::mutation::{Mutation, mutate, mutations};
use crate::{Outcome, measured, told};

/// Documents that servers stored.
pub struct Documents {
    documents: Vec<Vec<u8>>,
}

/// A diff: operation, path, and the number of the document that is its value.
type Diff = (u8, String, usize);

impl Documents {
    pub fn read() -> Outcome<Self> {
        let (mut documents, mut decoders) = (Vec::new(), Vec::new());
        each_event(|event| {
            match event {
                Event::TableMap(map) => decoders = map.cell_decoders(|_| false)?,
                Event::Rows(event)
                    if event.kind != RowsKind::Write && event.is_full() || event.json_diffs =>
                {
                    event.cursor(&decoders)?.before(|_, value| {
                        if let ColumnValue::Jsonb(document) = value
                            && !documents.iter().any(|known| known == document)
                        {
                            documents.push(document.to_vec());
                        }
                        Ok::<_, tidewire::wire::WireError>(())
                    })?;
                }
                _ => {}
            }
            Ok(())
        })?;
        if documents.len() < 10 {
            return Err("the recordings have fewer than ten documents".into());
        }
        Ok(Documents { documents })
    }

    pub fn documents(&self, runner: &mut TestRunner) -> Result<(), String> {
        let count = self.documents.len();
        let name = "[a-c]|x|y|new|arr|whole|\"a b\"|\"\\\\\\\\u00e9\"|\\PC{1,3}";
        let leg = prop_oneof![
            name.prop_map(|name| format!(".{name}")),
            (0u32..8).prop_map(|cell| format!("[{cell}]")),
            (0u32..4).prop_map(|back| format!("[last-{back}]")),
            Just("[last]".to_owned()),
        ];
        let path = proptest::collection::vec(leg, 0..5).prop_map(|legs| format!("${}", legs.concat()));
        let diffs = proptest::collection::vec((0u8..4, path, 0..count), 0..6);
        let input = (0..count, mutations(), diffs, mutations(), any::<[bool; 2]>());
        told(runner.run(&input, |(document, document_mutations, diffs, diff_mutations, [whole, exact])| {
            self.check(document, (&document_mutations, whole), &diffs, (&diff_mutations, exact))
        }))
    }

    fn check(
        &self,
        document: usize,
        (document_mutations, whole): (&[Mutation], bool),
        diffs: &[Diff],
        (diff_mutations, exact): (&[Mutation], bool),
    ) -> Result<(), TestCaseError> {
        let mut document = self.documents[document].clone();
        if !whole {
            mutate(&mut document, document_mutations);
        }
        let mut written = Vec::new();
        for (operation, path, value) in diffs {
            written.extend([*operation, u8::try_from(path.len()).unwrap_or(0)]);
            written.extend(path.as_bytes());
            if *operation != 2 {
                let value = &self.documents[*value];
                written.push(0xfd);
                written.extend(&u32::try_from(value.len()).unwrap_or(0).to_le_bytes()[..3]);
                written.extend(value);
            }
        }
        if !exact {
            mutate(&mut written, diff_mutations);
        }
        let mut printed = Ok(());
        measured(document.len() + written.len(), || {
            let (mut text, mut edited) = (Vec::new(), Vec::new());
            printed = is_json(&document, &mut text);
            if printed.is_ok() && DocumentEditor::default().apply(&document, &written, &mut edited).is_ok() {
                printed = is_json(&edited, &mut text);
            }
        })?;
        printed
    }
}

/// What is printed of a document, if anything is, must be JSON.
fn is_json(document: &[u8], text: &mut Vec<u8>) -> Result<(), TestCaseError> {
    text.clear();
    if render(document, text).is_ok() {
        let parsed: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(text);
        prop_assert!(parsed.is_ok(), "not JSON: {}", String::from_utf8_lossy(text));
    }
    Ok(())
}

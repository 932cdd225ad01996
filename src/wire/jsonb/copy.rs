//! An edited document, copied out: containers that were opened get numbers of 4 bytes, everything else is copied as it is.
//!
//! The result says the same as what the server stored, though not with the same bytes: neither are those the same on a
//! source and its replica. No byte of a valid document belongs to two values, and none is copied twice; so a budget of
//! the inputs' size keeps containers whose parts overlap from growing the result.

use std::ops::Range;

use crate::wire::error::WireError;
use crate::wire::jsonb::container::{LARGE_ARRAY, LARGE_OBJECT, extent, is_inlined_in_large};
use crate::wire::jsonb::edit::{Item, Node, Opened};
use crate::wire::jsonb::{READING, invalid_diff};

/// The bytes of a container's own two numbers, of a key's entry, and of a value's.
const HEADER: usize = 8;
const KEY_ENTRY: usize = 6;
const VALUE_ENTRY: usize = 5;

pub(super) struct Copier<'e> {
    pub(super) text: &'e [u8],
    pub(super) containers: &'e [Opened],
    /// The bytes of the inputs that may still be copied.
    pub(super) budget: usize,
    pub(super) out: &'e mut Vec<u8>,
}

impl Copier<'_> {
    /// Appends a whole document.
    pub(super) fn document(&mut self, root: Node) -> Result<(), WireError> {
        let kind = self.kind(root)?;
        self.out.push(kind);
        self.value(root)
    }

    fn kind(&self, node: Node) -> Result<u8, WireError> {
        match node {
            Node::Stored { kind, .. } => Ok(kind),
            Node::Opened(number) => {
                let is_object = self.container(number)?.stored(self.text)?.is_object();
                Ok(if is_object { LARGE_OBJECT } else { LARGE_ARRAY })
            }
        }
    }

    /// Appends a value. Opened containers nest no deeper than a path is long.
    fn value(&mut self, node: Node) -> Result<(), WireError> {
        match node {
            Node::Stored { kind, start, end } => {
                let value = extent(kind, self.text.get(start..end).unwrap_or_default())?;
                // What fits into an entry was counted with the entries.
                if !is_inlined_in_large(kind) {
                    spend(&mut self.budget, value.len())?;
                }
                self.out.extend_from_slice(value);
                Ok(())
            }
            Node::Opened(number) => self.opened(number),
        }
    }

    fn opened(&mut self, number: usize) -> Result<(), WireError> {
        let opened = self.container(number)?;
        let stored = opened.stored(self.text)?;
        spend(&mut self.budget, stored.entry_size().saturating_mul(stored.count()))?;
        let count = opened.count();
        let key_entry = if stored.is_object() { KEY_ENTRY } else { 0 };
        let start = self.out.len();
        self.out.resize(start + HEADER + count * (key_entry + VALUE_ENTRY), 0);
        self.patch(start, &number_of(count)?);
        if stored.is_object() {
            let mut entry = start + HEADER;
            self.elements(number, |copier, key, _| {
                let key = copier.text.get(key).unwrap_or_default();
                let length =
                    u16::try_from(key.len()).map_err(|_| invalid_diff("a key of more than 65,535 bytes"))?;
                spend(&mut copier.budget, key.len())?;
                copier.patch(entry, &number_of(copier.out.len() - start)?);
                copier.patch(entry + 4, &length.to_le_bytes());
                copier.out.extend_from_slice(key);
                entry += KEY_ENTRY;
                Ok(())
            })?;
        }
        let mut entry = start + HEADER + count * key_entry;
        self.elements(number, |copier, _, node| {
            let kind = copier.kind(node)?;
            let offset = copier.out.len();
            copier.value(node)?;
            copier.patch(entry, &[kind]);
            if is_inlined_in_large(kind) {
                let mut inlined = [0; 4];
                let value = copier.out.get(offset..).unwrap_or_default();
                inlined.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
                copier.out.truncate(offset);
                copier.patch(entry + 1, &inlined);
            } else {
                copier.patch(entry + 1, &number_of(offset - start)?);
            }
            entry += VALUE_ENTRY;
            Ok(())
        })?;
        let size = number_of(self.out.len() - start)?;
        self.patch(start + 4, &size);
        Ok(())
    }

    /// Calls for each element of an opened container with its key and its value.
    fn elements(
        &mut self,
        number: usize,
        mut each: impl FnMut(&mut Self, Range<usize>, Node) -> Result<(), WireError>,
    ) -> Result<(), WireError> {
        let opened = self.container(number)?;
        let stored = opened.stored(self.text)?;
        for item in &opened.items {
            match item {
                Item::One(key, node) => each(self, key.clone(), *node)?,
                Item::Run(elements) => {
                    for index in elements.clone() {
                        let (key, node) = opened.element(&stored, index)?;
                        each(self, key, node)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn patch(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.out.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

impl<'e> Copier<'e> {
    fn container(&self, number: usize) -> Result<&'e Opened, WireError> {
        self.containers.get(number).ok_or(WireError::invalid(READING, "not a container"))
    }
}

fn spend(budget: &mut usize, bytes: usize) -> Result<(), WireError> {
    *budget = budget.checked_sub(bytes).ok_or(WireError::invalid(READING, "its parts overlap"))?;
    Ok(())
}

fn number_of(number: usize) -> Result<[u8; 4], WireError> {
    let number = u32::try_from(number).map_err(|_| WireError::invalid(READING, "more than 4 GiB"))?;
    Ok(number.to_le_bytes())
}

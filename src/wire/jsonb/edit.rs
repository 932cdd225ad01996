//! The document after a change, out of the document before and the diffs between the two.
//!
//! Only the containers on the paths of the diffs are opened. An opened container is a list of items: runs of elements
//! that stand in it as they were, and single elements that were inserted, replaced or opened themselves; so memory
//! and work go with the diffs and not with the document. In the end everything is copied once, in order, into a new
//! document (`copy`). Inputs and names lie behind each other in one text, so that a part of them is a range.
//!
//! What a diff says must be possible: a path that leads nowhere or a key that is there already is an error, as it is for a
//! replica (`apply_json_diffs` of the server).

use std::cmp::Ordering;
use std::ops::Range;

use crate::wire::error::WireError;
use crate::wire::jsonb::container::Container;
use crate::wire::jsonb::copy::Copier;
use crate::wire::jsonb::diff::{JsonDiff, JsonDiffOperation};
use crate::wire::jsonb::path::{Leg, read_path};
use crate::wire::jsonb::{READING, invalid_diff};
use crate::wire::reader::Reader;

const NOWHERE: WireError = invalid_diff("its path leads nowhere");
const NO_CONTAINER: WireError = invalid_diff("nothing can be inserted at its path");

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// As it stands in the text: its type, and where it begins and at the latest ends.
    Stored { kind: u8, start: usize, end: usize },
    /// A container that was opened: its number.
    Opened(usize),
}

/// What an opened container holds, in order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// The elements of these numbers, as they were.
    Run(Range<usize>),
    /// One element with its key, which has no bytes in an array.
    One(Range<usize>, Node),
}

impl Item {
    fn len(&self) -> usize {
        match self {
            Item::Run(elements) => elements.len(),
            Item::One(..) => 1,
        }
    }
}

/// A container that was opened.
#[derive(Debug)]
pub(super) struct Opened {
    kind: u8,
    start: usize,
    end: usize,
    pub(super) items: Vec<Item>,
}

impl Opened {
    /// As it was.
    pub(super) fn stored<'t>(&self, text: &'t [u8]) -> Result<Container<'t>, WireError> {
        let bytes = text.get(self.start..self.end).unwrap_or_default();
        Container::open(self.kind, bytes)?.ok_or(WireError::invalid(READING, "not a container"))
    }

    /// An element as it was.
    pub(super) fn element(
        &self,
        stored: &Container<'_>,
        index: usize,
    ) -> Result<(Range<usize>, Node), WireError> {
        let key = stored.key(index)?;
        let (kind, start) = stored.value(index)?;
        let end = self.start + stored.bytes().len();
        let node = Node::Stored { kind, start: self.start + start, end };
        Ok((self.start + key.start..self.start + key.end, node))
    }

    pub(super) fn count(&self) -> usize {
        self.items.iter().map(Item::len).sum()
    }

    /// Sees to it that an item begins with the element of this number, and gives the item's number.
    fn cut(&mut self, number: usize) -> usize {
        let mut before = 0;
        for (at, item) in self.items.iter().enumerate() {
            if number <= before {
                return at;
            }
            if let Item::Run(elements) = item
                && number - before < elements.len()
            {
                let middle = elements.start + number - before;
                let halves = [Item::Run(elements.start..middle), Item::Run(middle..elements.end)];
                self.items.splice(at..=at, halves);
                return at + 1;
            }
            before += item.len();
        }
        self.items.len()
    }

    /// Makes the element of this number an item of its own, and gives the item's number.
    fn single(&mut self, number: usize, text: &[u8]) -> Result<usize, WireError> {
        let at = self.cut(number);
        self.cut(number + 1);
        let stored = self.stored(text)?;
        if let Some(Item::Run(elements)) = self.items.get(at) {
            let (key, node) = self.element(&stored, elements.start)?;
            if let Some(item) = self.items.get_mut(at) {
                *item = Item::One(key, node);
            }
        }
        Ok(at)
    }

    /// The number of the element with a key, or else of the element before which it would stand. Keys are ordered by
    /// their lengths, then by their bytes.
    fn find(&self, key: &[u8], text: &[u8]) -> Result<Result<usize, usize>, WireError> {
        let order = |other: &[u8]| other.len().cmp(&key.len()).then_with(|| other.cmp(key));
        let stored = self.stored(text)?;
        let mut before = 0;
        for item in &self.items {
            match item {
                Item::One(other, _) => match order(text.get(other.clone()).unwrap_or_default()) {
                    Ordering::Less => {}
                    Ordering::Equal => return Ok(Ok(before)),
                    Ordering::Greater => return Ok(Err(before)),
                },
                Item::Run(elements) => {
                    let (mut low, mut high) = (elements.start, elements.end);
                    while low < high {
                        let middle = low + (high - low) / 2;
                        match order(stored.bytes().get(stored.key(middle)?).unwrap_or_default()) {
                            Ordering::Less => low = middle + 1,
                            Ordering::Equal => return Ok(Ok(before + middle - elements.start)),
                            Ordering::Greater => high = middle,
                        }
                    }
                    if low < elements.end {
                        return Ok(Err(before + low - elements.start));
                    }
                }
            }
            before += item.len();
        }
        Ok(Err(before))
    }
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Root,
    /// Container and item, which is a single one.
    Item(usize, usize),
}

/// Makes documents after changes. Holds only memory that is used again.
#[derive(Debug)]
pub struct DocumentEditor {
    /// The document, the diffs, and the names of the diffs' paths.
    text: Vec<u8>,
    legs: Vec<Leg>,
    root: Node,
    containers: Vec<Opened>,
    /// Containers in use; the memory of the others waits.
    opened: usize,
}

impl Default for DocumentEditor {
    fn default() -> Self {
        let root = Node::Stored { kind: 0, start: 0, end: 0 };
        DocumentEditor { text: Vec::new(), legs: Vec::new(), root, containers: Vec::new(), opened: 0 }
    }
}

impl DocumentEditor {
    /// Appends the document that diffs make of a document. `diffs` are those of a cell, without the length in front.
    pub fn apply(&mut self, document: &[u8], diffs: &[u8], out: &mut Vec<u8>) -> Result<(), WireError> {
        self.opened = 0;
        self.text.clear();
        self.text.extend_from_slice(document);
        self.text.extend_from_slice(diffs);
        let inputs = self.text.len();
        self.root = self.document(0, document.len())?;
        let mut reader = Reader::new(diffs);
        while !reader.is_empty() {
            let diff = JsonDiff::read(&mut reader)?;
            let end = inputs - reader.remaining();
            read_path(diff.path, &mut self.legs, &mut self.text)?;
            self.change(&diff, end)?;
        }
        let containers = self.containers.get(..self.opened).unwrap_or_default();
        Copier { text: &self.text, containers, budget: inputs, out }.document(self.root)
    }

    /// The document in a part of the text.
    fn document(&self, start: usize, end: usize) -> Result<Node, WireError> {
        let kind = self.text.get(start..end).and_then(|bytes| bytes.first());
        let kind = *kind.ok_or(WireError::invalid(READING, "it has no bytes"))?;
        Ok(Node::Stored { kind, start: start + 1, end })
    }

    /// Does what one diff says; its value ends at `end` of the text.
    fn change(&mut self, diff: &JsonDiff<'_>, end: usize) -> Result<(), WireError> {
        let legs = self.legs.len();
        let value = end - diff.value.len();
        match diff.operation {
            JsonDiffOperation::Replace => {
                let place = self.seek(legs)?;
                let node = self.document(value, end)?;
                self.put(place, node);
            }
            JsonDiffOperation::Remove => match self.seek(legs)? {
                Place::Root => return Err(invalid_diff("the root cannot be removed")),
                Place::Item(container, at) => drop(self.container(container)?.items.remove(at)),
            },
            JsonDiffOperation::Insert => {
                let last = self.legs.last().copied().ok_or(NO_CONTAINER)?;
                let place = self.seek(legs - 1)?;
                let node = self.document(value, end)?;
                let number = self.open(place)?.ok_or(NO_CONTAINER)?;
                let (opened, text) = self.parts(number)?;
                let (at, key) = match (last, opened.stored(text)?.is_object()) {
                    (Leg::Member { start, end }, true) => {
                        match opened.find(text.get(start..end).unwrap_or_default(), text)? {
                            Ok(_) => return Err(invalid_diff("a key that is inserted is there already")),
                            Err(before) => (before, start..end),
                        }
                    }
                    // Beyond the end means at the end, and before the beginning at the beginning.
                    (Leg::Cell(number), false) => (number.min(opened.count()), 0..0),
                    (Leg::FromLast(back), false) => {
                        (opened.count().saturating_sub(back.saturating_add(1)), 0..0)
                    }
                    _ => return Err(NO_CONTAINER),
                };
                let at = opened.cut(at);
                opened.items.insert(at, Item::One(key, node));
            }
        }
        Ok(())
    }

    /// The place to which the first `legs` steps of the path lead.
    fn seek(&mut self, legs: usize) -> Result<Place, WireError> {
        let mut place = Place::Root;
        for index in 0..legs {
            let leg = self.legs.get(index).copied().ok_or(NOWHERE)?;
            // What is no array is taken for an array of itself.
            let is_itself = matches!(leg, Leg::Cell(0) | Leg::FromLast(0));
            let Some(number) = self.open(place)? else {
                if is_itself {
                    continue;
                }
                return Err(NOWHERE);
            };
            let (opened, text) = self.parts(number)?;
            let element = match (leg, opened.stored(text)?.is_object()) {
                (_, true) if is_itself => continue,
                (Leg::Member { start, end }, true) => {
                    opened.find(text.get(start..end).unwrap_or_default(), text)?.ok()
                }
                (Leg::Cell(number), false) => Some(number).filter(|number| *number < opened.count()),
                (Leg::FromLast(back), false) => opened.count().checked_sub(back.saturating_add(1)),
                _ => None,
            };
            place = Place::Item(number, opened.single(element.ok_or(NOWHERE)?, text)?);
        }
        Ok(place)
    }

    /// Opens the container at a place and gives its number, if there is one.
    fn open(&mut self, place: Place) -> Result<Option<usize>, WireError> {
        let node = match place {
            Place::Root => Some(self.root),
            Place::Item(number, at) => match self.container(number)?.items.get(at) {
                Some(Item::One(_, node)) => Some(*node),
                _ => None,
            },
        };
        let (kind, start, end) = match node.ok_or(NOWHERE)? {
            Node::Opened(number) => return Ok(Some(number)),
            Node::Stored { kind, start, end } => (kind, start, end),
        };
        let bytes = self.text.get(start..end).unwrap_or_default();
        let Some(container) = Container::open(kind, bytes)? else { return Ok(None) };
        let elements = 0..container.count();
        let number = self.opened;
        self.opened += 1;
        if self.containers.len() == number {
            self.containers.push(Opened { kind, start, end, items: Vec::new() });
        }
        let opened = self.container(number)?;
        (opened.kind, opened.start, opened.end) = (kind, start, end);
        opened.items.clear();
        if !elements.is_empty() {
            opened.items.push(Item::Run(elements));
        }
        self.put(place, Node::Opened(number));
        Ok(Some(number))
    }

    fn put(&mut self, place: Place, node: Node) {
        match place {
            Place::Root => self.root = node,
            Place::Item(number, at) => {
                let item = self.containers.get_mut(number).and_then(|opened| opened.items.get_mut(at));
                if let Some(Item::One(_, old)) = item {
                    *old = node;
                }
            }
        }
    }

    fn container(&mut self, number: usize) -> Result<&mut Opened, WireError> {
        self.containers.get_mut(number).ok_or(NOWHERE)
    }

    fn parts(&mut self, number: usize) -> Result<(&mut Opened, &[u8]), WireError> {
        Ok((self.containers.get_mut(number).ok_or(NOWHERE)?, &self.text))
    }
}

#[cfg(test)]
mod tests;

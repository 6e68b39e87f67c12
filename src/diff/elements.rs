//! The elements of a list, set, map, object or group of blocks.
//!
//! A tree takes many times the memory of a dense text (`[1,1,1,…]`). The elements of a small document are
//! built once. Those of a heavy value in a large document are [deferred](super::deferred): only their actions
//! are stored, and an element exists only while it is read. Readers see no difference.

use std::fmt;

use bumpalo::Bump;

use super::deferred::Deferred;
use super::tree::{Diff, DiffAction};

/// The elements of a collection, in display order, with their keys if they have any.
#[derive(Clone, Copy, Default)]
pub struct Elements<'a> {
    /// An element without a key in front of all others.
    first: Option<&'a Diff<'a>>,
    /// Empty if the elements have no keys.
    keys: &'a [&'a str],
    items: Items<'a>,
}

#[derive(Clone, Copy)]
enum Items<'a> {
    Built(&'a [Diff<'a>]),
    Deferred(&'a Deferred<'a>),
}

impl Default for Items<'_> {
    fn default() -> Self {
        Self::Built(&[])
    }
}

/// One element of a collection.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    /// The attribute's name, or the map's key.
    pub key: Option<&'a str>,
    /// The action on the element.
    pub action: DiffAction,
    source: Source<'a>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Built(&'a Diff<'a>),
    Deferred(&'a Deferred<'a>, usize),
}

impl<'a> Elements<'a> {
    /// Elements that are already built, without keys.
    pub(super) fn built(items: &'a [Diff<'a>]) -> Self {
        Self { items: Items::Built(items), ..Self::default() }
    }

    /// Elements that are already built, with their keys.
    pub(super) fn keyed(keys: &'a [&'a str], items: &'a [Diff<'a>]) -> Self {
        debug_assert_eq!(keys.len(), items.len());
        Self { first: None, keys, items: Items::Built(items) }
    }

    /// Elements that are built when they are read.
    pub(super) fn deferred(keys: &'a [&'a str], deferred: &'a Deferred<'a>) -> Self {
        Self { first: None, keys, items: Items::Deferred(deferred) }
    }

    /// The elements after `first`, which has no key.
    pub(super) fn after(self, first: &'a Diff<'a>) -> Self {
        debug_assert!(self.first.is_none());
        Self { first: Some(first), ..self }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        let items = match self.items {
            Items::Built(items) => items.len(),
            Items::Deferred(deferred) => deferred.len(),
        };
        items + usize::from(self.first.is_some())
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys of all elements; empty if they have none.
    pub fn keys(&self) -> &'a [&'a str] {
        self.keys
    }

    /// The elements.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Element<'a>> + use<'a> {
        let elements = *self;
        (0..self.len()).map(move |at| elements.element(at))
    }

    fn element(&self, at: usize) -> Element<'a> {
        let at = match self.first {
            Some(first) if at == 0 => {
                return Element { key: None, action: first.action, source: Source::Built(first) };
            }
            Some(_) => at - 1,
            None => at,
        };
        let key = self.keys.get(at).copied();
        match self.items {
            Items::Built(items) => {
                Element { key, action: items[at].action, source: Source::Built(&items[at]) }
            }
            Items::Deferred(deferred) => {
                Element { key, action: deferred.action(at), source: Source::Deferred(deferred, at) }
            }
        }
    }
}

impl Element<'_> {
    /// Reads the diff of the element.
    pub fn read<R>(&self, read: impl FnOnce(&Diff<'_>) -> R) -> R {
        match self.source {
            Source::Built(diff) => read(diff),
            Source::Deferred(deferred, at) => deferred.read(at, &Bump::new(), read),
        }
    }
}

impl PartialEq for Elements<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(one, other)| one == other)
    }
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.action == other.action
            && self.read(|diff| other.read(|other| diff == other))
    }
}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = self.key {
            write!(f, "{key:?}: ")?;
        }
        self.read(|diff| diff.fmt(f))
    }
}

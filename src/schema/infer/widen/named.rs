//! Named shapes: the attributes and blocks of a block, or the members of an object.

use bumpalo::Bump;

use super::Widened;
use super::members::Members;
use crate::json::Value;

/// A list of named shapes, which is copied once a shape is replaced, added or removed.
pub(super) struct NamedShapes<'s, T> {
    original: &'s [(&'s str, T)],
    /// The replaced and added shapes, and `None` for removed ones, in the order of the names.
    changed: Vec<(&'s str, Option<T>)>,
}

impl<'s, T: Copy> NamedShapes<'s, T> {
    pub(super) fn new(original: &'s [(&'s str, T)]) -> Self {
        Self { original, changed: Vec::new() }
    }

    /// The original shape with this name. It does not reflect changes.
    pub(super) fn get(&self, name: &str) -> Option<T> {
        let at = self.original.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        self.original.get(at).map(|(_, found)| *found)
    }

    pub(super) fn set(&mut self, name: &'s str, shape: T) {
        self.changed.push((name, Some(shape)));
    }

    pub(super) fn remove(&mut self, name: &'s str) {
        self.changed.push((name, None));
    }

    /// Widens each shape to the values with its name. For a new name, `find` makes a shape from the first value.
    pub(super) fn widen(
        &mut self,
        members: &Members<'s>,
        find: impl Fn(&'s str, Value<'s>) -> T,
        widen: impl Fn(T, &[Value<'s>]) -> Widened<T>,
    ) {
        for (name, values) in members.by_name() {
            let widened = match (self.get(name), values.split_first()) {
                (Some(known), _) => widen(known, values),
                (None, Some((first, rest))) => {
                    let found = find(name, *first);
                    Some(widen(found, rest).unwrap_or(found))
                }
                (None, None) => None,
            };
            if let Some(shape) = widened {
                self.set(name, shape);
            }
        }
    }

    pub(super) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    pub(super) fn finish(self, arena: &'s Bump) -> &'s [(&'s str, T)] {
        if self.changed.is_empty() {
            return self.original;
        }
        // Both lists are sorted by name. A changed shape takes the place of the original one.
        let mut kept =
            bumpalo::collections::Vec::with_capacity_in(self.original.len() + self.changed.len(), arena);
        let mut original = self.original.iter().copied().peekable();
        for (name, shape) in self.changed {
            while let Some(before) = original.next_if(|(known, _)| *known < name) {
                kept.push(before);
            }
            original.next_if(|(known, _)| *known == name);
            kept.extend(shape.map(|shape| (name, shape)));
        }
        kept.extend(original);
        kept.into_bump_slice()
    }
}

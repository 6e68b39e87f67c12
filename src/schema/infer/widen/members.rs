//! The members of several objects by name.

use super::named::NamedShapes;
use super::{Side, holds_scalar, is_nothing};
use crate::json::{Object, Value};
use crate::schema::Attribute;

/// The members of several objects.
pub(super) struct Members<'s> {
    /// Their names, sorted. A name that several objects have is there several times.
    names: Vec<&'s str>,
    /// Their values, in the order of the names.
    values: Vec<Value<'s>>,
    /// Whether there were members that need no place in the shape.
    pub(super) are_unlisted: bool,
}

impl<'s> Members<'s> {
    /// The members without those that `attributes` have a place for already, and without those that need no place:
    /// a body may have very many of them.
    pub(super) fn new(
        bodies: &[Object<'s>],
        attributes: &[(&str, Attribute<'_>)],
        is_unlisted: impl Fn(&str, Value<'s>) -> bool,
        side: Side,
    ) -> Self {
        let known = NamedShapes::new(attributes);
        let holds =
            |name: &str, value: Value<'s>| known.get(name).is_some_and(|known| holds_scalar(known, value));
        let all = || bodies.iter().flat_map(|body| body.members()).copied();
        let is_listed = |(name, value): &(&str, Value<'s>)| !is_nothing(*value, side) && !holds(name, *value);
        // If another object has a value of another kind, all values of the name decide what it is.
        let mut listed: Vec<&str> = Vec::new();
        if bodies.len() > 1 {
            let needed = all().filter(is_listed).filter(|(name, value)| !is_unlisted(name, *value));
            listed.extend(needed.map(|(name, _)| name));
            listed.sort_unstable();
            listed.dedup();
        }
        let mut are_unlisted = false;
        let mut members: Vec<(&str, Value<'_>)> = all()
            .filter(|(name, value)| {
                if !is_listed(&(name, *value)) {
                    return false;
                }
                let is_unlisted = listed.binary_search(name).is_err() && is_unlisted(name, *value);
                are_unlisted |= is_unlisted;
                !is_unlisted
            })
            .collect();
        // A stable sort, because the first value determines the shape of a new name.
        crate::sort::by_key(&mut members, |(name, _)| *name);
        let (names, values) = members.into_iter().unzip();
        Self { names, values, are_unlisted }
    }

    /// Each name with all of its values in order.
    pub(super) fn by_name(&self) -> impl Iterator<Item = (&'s str, &[Value<'s>])> {
        let mut from = 0;
        self.names.chunk_by(|a, b| a == b).filter_map(move |chunk| {
            let values = self.values.get(from..from + chunk.len())?;
            from += chunk.len();
            Some((*chunk.first()?, values))
        })
    }
}

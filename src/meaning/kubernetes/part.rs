//! A part of an object on both sides of its change, with the place at which it stands.

use std::collections::HashMap;

use super::growth::Growth;
use super::remark::{Gravity, Remark};
use super::view::View;
use crate::direction::{Direction, Directions};
use crate::meaning::Judgement;

/// A part of an object, before and after.
#[derive(Clone, Debug)]
pub(super) struct Part<'w> {
    /// The names that lead to it, as they are written in the plan.
    pub(super) place: Vec<&'w str>,
    pub(super) before: View<'w>,
    pub(super) after: View<'w>,
}

impl<'w> Part<'w> {
    /// Whether both sides are the same.
    pub(super) fn is_same(&self) -> bool {
        self.before.is_same(self.after)
    }

    /// Whether something on a side is known only after apply, or was left out.
    pub(super) fn is_open(&self) -> bool {
        self.before.is_open() || self.after.is_open()
    }

    /// Returns the member at a path of names of the API with `.` between them; `None` if neither side has it.
    pub(super) fn at(&self, path: &str) -> Option<Self> {
        let mut part = self.clone();
        for name in path.split('.') {
            part = part.member(name)?;
        }
        Some(part)
    }

    /// Returns the member with a name of the API; `None` if neither side has it.
    fn member(&self, name: &str) -> Option<Self> {
        let (own, _) = self.after.named(name).or_else(|| self.before.named(name))?;
        let mut place = self.place.clone();
        place.push(own);
        Some(Self {
            place,
            before: self.before.get(name),
            after: self.after.get(name),
        })
    }

    /// Returns the list with a name of the API as a whole; `None` if neither side has it.
    pub(super) fn list(&self, name: &str) -> Option<Self> {
        let (own, _) = self.after.named(name).or_else(|| self.before.named(name))?;
        let side = |view: View<'w>| view.named(name).map_or(view.nothing(), |(_, list)| list);
        let mut place = self.place.clone();
        place.push(own);
        Some(Self {
            place,
            before: side(self.before),
            after: side(self.after),
        })
    }

    /// Returns the object of a block, which is the only element of its list; other values as they are.
    pub(super) fn unblocked(self) -> Self {
        Self {
            before: self.before.unblocked(),
            after: self.after.unblocked(),
            ..self
        }
    }

    /// Returns the values of a map with the keys of both sides.
    pub(super) fn entries(&self) -> Vec<Self> {
        let mut keys: Vec<&'w str> = self
            .before
            .entries()
            .iter()
            .chain(self.after.entries())
            .map(|(key, _)| *key)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter()
            .map(|key| {
                let mut place = self.place.clone();
                place.push(key);
                Self {
                    place,
                    before: self.before.key(key),
                    after: self.after.key(key),
                }
            })
            .collect()
    }

    /// Returns the elements of a list, which are paired by their members with these names, as far as they have them,
    /// and else by their position. An element without a partner is absent on the other side.
    pub(super) fn elements(&self, identity: &[&str]) -> Vec<Self> {
        let key = |index: usize, element: View<'w>| {
            let names: Vec<_> = identity
                .iter()
                .map(|name| element.at(name).text())
                .collect();
            let position = names.iter().all(Option::is_none).then_some(index);
            (names, position)
        };
        let absent = self.before.nothing();
        let mut after: HashMap<_, Vec<View<'w>>> = HashMap::new();
        for (index, element) in self.after.items().enumerate() {
            after.entry(key(index, element)).or_default().push(element);
        }
        let mut parts = Vec::new();
        for (index, before) in self.before.items().enumerate() {
            let partner = after.get_mut(&key(index, before)).and_then(Vec::pop);
            parts.push(self.sides(before, partner.unwrap_or(absent)));
        }
        for (index, element) in self.after.items().enumerate() {
            if let Some(element) = after.get_mut(&key(index, element)).and_then(Vec::pop) {
                parts.push(self.sides(absent, element));
            }
        }
        parts
    }

    /// Returns two values of this place.
    fn sides(&self, before: View<'w>, after: View<'w>) -> Self {
        Self {
            place: self.place.clone(),
            before,
            after,
        }
    }

    /// Returns what is said of this place from what its set gains and loses, where a larger set means `larger`. A part
    /// that is known only after apply may add to either side. `None` means that the sets cannot be compared.
    pub(super) fn grows(&self, growth: Option<Growth>, larger: Direction) -> Remark<'w> {
        let mut directions = growth.map_or(Direction::Another.into(), |growth| {
            growth.directions(larger)
        });
        if self.is_open() {
            directions.remove(Direction::Same);
            directions.insert(Direction::Unknown);
        }
        self.means(directions)
    }

    /// Returns what is said of this place.
    pub(super) fn means(&self, directions: impl Into<Directions>) -> Remark<'w> {
        Remark {
            judgement: Judgement {
                place: self.place.clone(),
                directions: directions.into(),
            },
            before: self.before.value(),
            after: self.after.value(),
            words: None,
            gravity: Gravity::Usual,
        }
    }

    /// Returns what is said of the resource as a whole.
    pub(super) fn means_as_whole(&self, directions: impl Into<Directions>) -> Remark<'w> {
        let mut remark = self.means(directions);
        remark.judgement.place.clear();
        remark
    }
}

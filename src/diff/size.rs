//! The cap on the size of values.
//!
//! A tree, or a list of edits, takes many times the memory of a dense text (`[1,1,1,…]`). Real values have some
//! thousand parts. A value of more than [`MAX_PARTS`] is compared as a whole in reviews, and `show` ends with an
//! error. Both are decided once, before anything is compared, from the size of the value alone.

use bumpalo::Bump;

use super::string::{MAX_STRINGS, may_be_json};
use super::value::MarkedValue;
use super::{Cursor, Error};
use crate::json::{Value, parse_prefix};

/// The maximum number of parts of a value, counting the value itself, its elements and members, and theirs.
pub(super) const MAX_PARTS: usize = 2_000_000;

/// The bytes of text for each part from which on a tree fits into the memory that a document may take.
const SPARSE: usize = 8;

impl Cursor<'_> {
    /// The change, unless a tree of it would take too much memory. `size` is the length of its values in bytes
    /// of text.
    ///
    /// # Errors
    /// If one of the values, or the JSON in one of its strings, has too many parts.
    pub fn checked(self, size: usize) -> Result<Self, Error> {
        // Each part takes a byte, and a comma or bracket.
        if size < 2 * MAX_PARTS {
            return Ok(self);
        }
        let most = MAX_PARTS.max(size / SPARSE);
        let is_too_large = |value| !fits(value, 0, most, &mut { most });
        let sides = [self.before.value(), self.after.value()];
        if sides.into_iter().any(is_too_large) { Err(Error::TooLarge) } else { Ok(self) }
    }
}

/// Takes the parts of `value` from `left`, and returns whether there are enough. JSON in a string has its own.
fn fits(value: Value<'_>, strings: usize, most: usize, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) if text.len() >= 2 * MAX_PARTS && strings < MAX_STRINGS && may_be_json(text) => {
            parse_prefix(text, &Bump::new())
                .map_or(true, |inside| fits(inside, strings + 1, most, &mut { most }))
        }
        Value::String(_) => true,
        Value::Array(_) | Value::Object(_) => value.children().all(|part| fits(part, strings, most, left)),
    }
}

/// The values of a change that are compared as a whole.
#[derive(Debug, Default)]
pub(super) enum TooLarge<'w> {
    /// None.
    #[default]
    Nothing,
    /// These members of the root.
    Members(Vec<&'w str>),
    /// The root.
    Root,
}

impl<'w> TooLarge<'w> {
    /// Those of a change with these root values: the members that are too large themselves, or everything if
    /// the other members are too large together.
    pub(super) fn of(sides: [MarkedValue<'w>; 2]) -> Self {
        if sides.into_iter().all(|side| is_small(side)) {
            return Self::Nothing;
        }
        let [Some(before), Some(after)] = sides.map(MarkedValue::as_object) else { return Self::Root };
        let members = [before, after].into_iter().flatten();
        let large: Vec<_> = members.filter(|(_, member)| !is_small(*member)).map(|(name, _)| *name).collect();
        let are_others_small = |members: &[(&str, MarkedValue<'_>)]| {
            let mut left = MAX_PARTS;
            members.iter().all(|(name, member)| large.contains(name) || take(*member, &mut left))
        };
        if are_others_small(before) && are_others_small(after) { Self::Members(large) } else { Self::Root }
    }
}

/// Whether a value has at most [`MAX_PARTS`] parts.
pub(super) fn is_small(value: MarkedValue<'_>) -> bool {
    take(value, &mut { MAX_PARTS })
}

fn take(value: MarkedValue<'_>, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    value.children().all(|part| take(part, left))
}

#[cfg(test)]
mod tests {
    use foldhash::fast::RandomState;

    use super::super::value::Builder;
    use super::*;

    #[test]
    fn large_members_are_left_out_before_the_whole_value() {
        let (arena, hasher) = (Bump::new(), RandomState::default());
        let build = Builder::new(&arena, &hasher);
        let list = |count: usize| format!("[{}1]", "1,".repeat(count - 1));
        let of = |text: String| {
            let value = build.parse(arena.alloc_str(&text)).unwrap();
            TooLarge::of([build.parse("{}").unwrap(), value])
        };
        assert!(matches!(of(format!("{{\"a\":{},\"b\":1}}", list(MAX_PARTS - 3))), TooLarge::Nothing));
        let found = of(format!("{{\"a\":{},\"b\":[1]}}", list(MAX_PARTS)));
        assert!(matches!(found, TooLarge::Members(names) if names == ["a"]));
        let half = list(MAX_PARTS / 2);
        assert!(matches!(of(format!("{{\"a\":{half},\"b\":{half}}}")), TooLarge::Root));
        assert!(matches!(of(list(MAX_PARTS)), TooLarge::Root));
        assert!(matches!(of(list(MAX_PARTS - 1)), TooLarge::Nothing));
    }
}

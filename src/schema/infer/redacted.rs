//! Removes sensitive keys from values, because evidence from one instance names parts of others.
//!
//! Invariant: values keep their kind, so that the same shapes are inferred, but objects under a mark lose
//! their members.

use bumpalo::Bump;

use crate::json::{Object, Value};

/// `value` with the objects under `mark` emptied.
pub(super) fn redacted<'s>(value: Value<'s>, mark: Value<'s>, arena: &'s Bump) -> Value<'s> {
    match (mark, value) {
        (Value::Null | Value::Bool(false), _) => value,
        (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => value,
        (Value::Object(marks), Value::Object(object)) => {
            let members = object
                .members()
                .iter()
                .map(|(name, member)| (*name, redacted(*member, marks.get(name).unwrap_or_default(), arena)));
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        (Value::Array(marks), Value::Array(items)) => {
            let mark = |at: usize| marks.get(at).copied().unwrap_or_default();
            let items = items.iter().enumerate().map(|(at, item)| redacted(*item, mark(at), arena));
            Value::Array(arena.alloc_slice_fill_iter(items))
        }
        // A mark on the whole value, or one that does not match it.
        (_, Value::Object(_)) => Value::Object(Object::default()),
        (_, Value::Array(items)) => {
            let items = items.iter().map(|item| redacted(*item, Value::Bool(true), arena));
            Value::Array(arena.alloc_slice_fill_iter(items))
        }
    }
}

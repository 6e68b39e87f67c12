//! Compares planned values with their results.

use bumpalo::Bump;

use super::super::accepts::accepts;
use super::super::change::{are_in_one_place, class_of, follow, names};
use super::super::{Class, DifferenceKind};
use crate::diff::edits::{Comparer, Label, Place};
use crate::diff::value::{Builder, MarkedValue, union};
use crate::diff::{Error, Mark, Paths};
use crate::json::{Object, Raw, Value};
use crate::model::plan::Change;
use crate::schema::Position;

/// Compares a planned value with its result. Unknown parts that have become known are listed.
pub(super) fn compare<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    planned: MarkedValue<'w>,
    result: MarkedValue<'w>,
    position: Position<'w>,
) -> Vec<(Class, DifferenceKind<'a>)> {
    if planned == result {
        return Vec::new();
    }
    let sorted = |value| comparer.build.with_sorted_sets(value, position);
    let (planned, result) = (sorted(planned), sorted(result));
    if planned == result {
        return Vec::new();
    }
    let null = comparer.build.null();
    let edits = comparer.compare(planned, result, Place::root(position, Paths::Never)).edits;
    let mut found = Vec::new();
    for same in edits.chunk_by(are_in_one_place) {
        let (names, _) = names(same[0].path);
        let (planned, result) = (follow(planned, &names, null), follow(result, &names, null));
        let position = names.iter().fold(position, |at, name| at.member(name));
        let is_filled = accepts(planned, result, position, true);
        for edit in same.iter().filter(|edit| !edit.labels.contains(Label::Sensitivity)) {
            let class = match edit.labels.contains(Label::Empty) {
                _ if is_filled => Class::Known,
                // Providers with the legacy SDK may write "" and [] where the plan has null, which the tools allow.
                true => Class::Text,
                false => class_of(edit),
            };
            found.push((class, DifferenceKind::Value { edit: *edit, from: None }));
        }
    }
    found
}

/// The values of a change before and after, and its result, all with the marks of any of them.
pub(super) fn with_result<'w, 'a: 'w>(
    build: Builder<'w, 'w>,
    change: &Change<'a>,
    (result, marks): (Option<Raw<'a>>, Value<'w>),
    position: Position<'w>,
) -> Result<[MarkedValue<'w>; 3], Error> {
    let arena = build.arena();
    let read = |raw| Raw::marks_or_null(raw, arena);
    let marks = merged_marks(read(change.after_sensitive)?, marks, arena);
    let marks = merged_marks(marks, read(change.before_sensitive)?, arena);
    let value = |raw: Option<Raw<'a>>, unknown| build.build(raw.map(Raw::text), unknown, marks, position);
    let after = value(change.after, read(change.after_unknown)?)?;
    Ok([value(change.before, Value::Null)?, after, value(result, Value::Null)?])
}

/// Whether all differences are in parts that the plan left open.
pub(super) fn are_expected(differences: &[(Class, DifferenceKind<'_>)]) -> bool {
    differences.iter().all(|(class, _)| class.is_expected_of_result())
}

/// Merges the marks of both sides: a part is sensitive if either side says so. Lists with different marks are
/// sensitive as a whole, because their elements may have other indices.
pub(super) fn merged_marks<'w>(one: Value<'w>, other: Value<'w>, arena: &'w Bump) -> Value<'w> {
    match (one, other) {
        (one, other) if one == other => one,
        (Value::Object(one), Value::Object(other)) => {
            let members = union(one.members(), other.members()).map(|(name, one, other)| {
                (name, merged_marks(one.unwrap_or_default(), other.unwrap_or_default(), arena))
            });
            Value::Object(Object::from_sorted(arena.alloc_slice_copy(&members.collect::<Vec<_>>())))
        }
        (Value::Object(object), Value::Null | Value::Bool(false))
        | (Value::Null | Value::Bool(false), Value::Object(object)) => {
            let members = object.members().iter();
            let members = members.map(|(name, mark)| (*name, merged_marks(*mark, Value::Null, arena)));
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        (one, other) => Value::Bool(Mark::new(one).is_any() || Mark::new(other).is_any()),
    }
}

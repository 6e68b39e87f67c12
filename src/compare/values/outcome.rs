//! Compares planned values with the results of a run or in a state.

use bumpalo::Bump;

use super::filling::is_filled;
use super::{class_of, follow, have_same_path, names};
use crate::compare::{Class, ClassifiedDifferences, DifferenceKind};
use crate::diff::edits::{Comparer, Label, Location, Path, Step};
use crate::diff::value::{Builder, Content, MarkedValue, union};
use crate::diff::{Error, Mark, Paths};
use crate::json::{Object, Raw, Value};
use crate::model::plan::Change;
use crate::schema::Position;

/// The differences from a planned value that are not another change.
#[derive(Clone, Copy, Debug)]
pub(in crate::compare) enum Tolerance<'c> {
    /// None, except that unknown values become known. This is for two states, for IDs and for outputs.
    Nothing,
    /// Values that a provider sets where the plan has null and nobody configured a value. Holds the arguments of the
    /// object in the configuration, if the plan has them.
    Computed(Option<Value<'c>>),
}

impl Tolerance<'_> {
    /// Whether a path is that of an attribute that is null in the plan and that the configuration does not set.
    fn is_computed(self, planned: MarkedValue<'_>, path: Path<'_>) -> bool {
        let steps = path.steps();
        let (Self::Computed(arguments), [Step::Name(name)]) = (self, &*steps) else {
            return false;
        };
        // Another ID means another object.
        *name != "id"
            && planned.get(name).is_none_or(MarkedValue::is_null)
            && arguments.is_none_or(|arguments| arguments.get(name).is_none())
    }
}

/// Returns the planned value at the path of an edit, which may be null; `None` if the plan has nothing there.
fn planned_at<'w>(mut value: MarkedValue<'w>, path: Path<'_>) -> Option<MarkedValue<'w>> {
    for step in path.steps() {
        value = match step {
            Step::Name(name) => value.get(name)?,
            Step::Element(element) => {
                let index = usize::try_from(element.before?).ok()?;
                *value.as_array()?.get(index)?
            }
            Step::Document(_) => return None,
        };
    }
    Some(value)
}

/// Whether a provider on the older SDK, which has no null, may write this value instead of null.
fn is_zero(value: MarkedValue<'_>) -> bool {
    match value.content {
        Content::Null | Content::Bool(false) => true,
        Content::Number(text) => text.parse() == Ok(0.0),
        Content::String(text) => text.is_empty(),
        Content::Array(items) => items.is_empty(),
        Content::Object(members) => members.iter().all(|(_, member)| is_zero(*member)),
        Content::Bool(true) | Content::Unknown | Content::Redacted => false,
    }
}

/// Returns the differences between a planned value and its result. Unknown parts that have become known are included.
/// Sensitive marks are not compared, because the documents write them differently.
pub(in crate::compare) fn compare_result_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    planned: MarkedValue<'w>,
    result: MarkedValue<'w>,
    position: Position<'w>,
    tolerance: Tolerance<'_>,
) -> ClassifiedDifferences<'a> {
    if planned == result {
        return Vec::new();
    }
    let sorted = |value| comparer.build.with_sorted_sets(value, position);
    let (planned, result) = (sorted(planned), sorted(result));
    if planned == result {
        return Vec::new();
    }
    let null = comparer.build.null();
    let edits = comparer
        .compare(planned, result, Location::root(position, Paths::Never))
        .edits;
    let is_modern = position.is_modern();
    let mut differences = Vec::new();
    for same in edits.chunk_by(have_same_path) {
        let (names, _) = names(same[0].path);
        let (old, new) = (follow(planned, &names, null), follow(result, &names, null));
        let is_filled = is_filled(old, new, position, &names, true);
        for edit in same
            .iter()
            .filter(|edit| !edit.labels.contains(Label::Sensitivity))
        {
            let is_null_in_plan = planned_at(planned, edit.path).is_some_and(MarkedValue::is_null);
            let is_zero_of_null = matches!(tolerance, Tolerance::Computed(_))
                && is_null_in_plan
                && !is_modern
                && edit.after.is_some_and(is_zero);
            let class = if is_filled {
                Class::Known
            } else if edit.labels.contains(Label::Empty) || is_zero_of_null {
                // Providers on the older SDK may write these values where the plan has null, which the tools allow.
                Class::NotationOnly
            } else {
                let class = class_of(edit);
                if class == Class::Value && tolerance.is_computed(planned, edit.path) {
                    Class::Computed
                } else {
                    class
                }
            };
            let what = DifferenceKind::Value {
                edit: *edit,
                from: None,
                named: None,
            };
            differences.push((class, what));
        }
    }
    differences
}

/// Reads the value before the change, the planned value and the result, each with the merged marks of all three.
///
/// # Errors
/// If a value or a mark is malformed.
pub(in crate::compare) fn with_result<'w, 'a: 'w>(
    build: Builder<'w, 'w>,
    change: &Change<'a>,
    (result, marks): (Option<Raw<'a>>, Value<'w>),
    position: Position<'w>,
) -> Result<[MarkedValue<'w>; 3], Error> {
    let arena = build.arena();
    let read = |raw| Raw::marks_or_null(raw, arena);
    let marks = merged_marks(read(change.after_sensitive)?, marks, arena);
    let marks = merged_marks(marks, read(change.before_sensitive)?, arena);
    let value =
        |raw: Option<Raw<'a>>, unknown| build.build(raw.map(Raw::text), unknown, marks, position);
    let after = value(change.after, read(change.after_unknown)?)?;
    Ok([
        value(change.before, Value::Null)?,
        after,
        value(result, Value::Null)?,
    ])
}

/// Merges the sensitive marks of two documents. Lists with different marks are sensitive as a whole, because their
/// elements may have other indices.
pub(in crate::compare) fn merged_marks<'w>(
    one: Value<'w>,
    other: Value<'w>,
    arena: &'w Bump,
) -> Value<'w> {
    match (one, other) {
        (one, other) if one == other => one,
        (Value::Object(one), Value::Object(other)) => {
            let members = union(one.members(), other.members()).map(|(name, one, other)| {
                (
                    name,
                    merged_marks(one.unwrap_or_default(), other.unwrap_or_default(), arena),
                )
            });
            Value::Object(Object::from_sorted(
                arena.alloc_slice_copy(&members.collect::<Vec<_>>()),
            ))
        }
        (object @ Value::Object(_), Value::Null | Value::Bool(false))
        | (Value::Null | Value::Bool(false), object @ Value::Object(_)) => {
            merged_marks(object, Value::Object(Object::default()), arena)
        }
        (one, other) => Value::Bool(Mark::new(one).is_any() || Mark::new(other).is_any()),
    }
}

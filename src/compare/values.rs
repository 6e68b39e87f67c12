//! The differences of values, and their classes.
//!
//! Of two plans, the values after the changes are compared first: a difference there is a difference in what
//! is done, unless the object stays and neither plan changes that value. Then the values before: a difference in
//! what identifies the object means that another object is acted on; any other one that the objects have changed
//! since the approval, which may make the change larger or smaller.

use bumpalo::Bump;
use foldhash::{HashSet, HashSetExt as _};

use super::canon::changed_digest;
use super::{Class, ClassifiedDifferences, DifferenceKind};
use crate::diff::edits::{Comparer, Edit, Format, Label, Location, Path, Sides, Step};
use crate::diff::value::{Builder, Content, MarkedValue, union};
use crate::diff::{Error, Mark, Paths};
use crate::json::{Object, Raw, Value};
use crate::model::Action;
use crate::model::plan::Change;
use crate::review::is_cosmetic;
use crate::schema::Position;

/// What the approved and the new action mean for the values of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActionPair<'n> {
    /// The actions of the two plans differ.
    pub(super) has_other_actions: bool,
    /// Both changes are updates or no-ops.
    pub(super) stays: bool,
    /// The new plan creates or reads the object, so that every value after it is part of what is done.
    pub(super) makes_whole_object: bool,
    /// The class of a difference of what identifies the object.
    pub(super) class_of_identity: Class,
    /// The attributes that identify the object.
    pub(super) identity: &'n [&'n str],
}

impl<'n> ActionPair<'n> {
    pub(super) fn new(approved: &Action, now: &Action, identity: &'n [&'n str]) -> Self {
        Self {
            has_other_actions: approved != now,
            stays: approved.keeps_object() && now.keeps_object(),
            makes_whole_object: now.makes_whole_object(),
            class_of_identity: if now.may_destroy() {
                Class::Destroy
            } else {
                Class::Action
            },
            identity,
        }
    }

    /// Whether a path leads to what identifies the object. A whole object does if its identity differs.
    fn is_identity(&self, names: &[&str], [old, new]: [MarkedValue<'_>; 2]) -> bool {
        match names.first() {
            Some(name) => self.identity.contains(name),
            None if old.is_hidden || new.is_hidden => !self.identity.is_empty(),
            None => self
                .identity
                .iter()
                .any(|name| old.get(name) != new.get(name)),
        }
    }
}

/// The differences of the values of a change in the approved plan and in the new one.
pub(super) fn compare_plan_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    [approved, now]: [Sides<'w>; 2],
    actions: ActionPair<'_>,
) -> ClassifiedDifferences<'a> {
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let build = comparer.build;
    // The values after are compared with each other, so what the values before hide must be hidden first.
    let sorted = |sides: Sides<'w>| {
        let Sides {
            before,
            after,
            position,
            marks,
        } = sides.hiding_each_other(build);
        let [before, after] = [before, after].map(|value| build.with_sorted_sets(value, position));
        Sides {
            before,
            after,
            position,
            marks,
        }
    };
    let (approved, now) = (sorted(approved), sorted(now));
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let null = build.null();
    let location = Location::root(now.position, Paths::Never);
    let values_of = |sides: Sides<'w>, names: &[&str]| {
        [sides.before, sides.after].map(|value| follow(value, names, null))
    };
    // Other actions on the whole object are reported separately.
    let is_reported = |edit: &Edit<'_>, old: MarkedValue<'_>, new: MarkedValue<'_>| {
        edit.path.is_empty() && actions.has_other_actions && (old.is_null() || new.is_null())
    };
    let (mut differences, mut reported) = (Vec::new(), HashSet::new());
    let edits = comparer.compare(approved.after, now.after, location).edits;
    for same in edits.chunk_by(have_same_path) {
        if is_reported(&same[0], approved.after, now.after) {
            continue;
        }
        let (names, is_whole_path) = names(same[0].path);
        let ([was_before, was_after], [is_before, is_after]) =
            (values_of(approved, &names), values_of(now, &names));
        let is_left_alone = was_before == was_after && is_before == is_after;
        if is_left_alone && !actions.makes_whole_object && !same[0].path.is_empty() {
            // Neither plan changes it, so it changed outside of the plans.
            continue;
        }
        let is_filled = is_filled(was_after, is_after, now.position, &names, false);
        for edit in same {
            let class = if is_filled {
                Class::Known
            } else if is_before == is_after && actions.stays {
                Class::Reduced
            } else {
                class_of(edit)
            };
            let redactor = comparer.redactor;
            let from =
                is_whole_path.then(|| (redactor.value(was_before), redactor.value(is_before)));
            differences.push((class, DifferenceKind::Value { edit: *edit, from }));
        }
        reported.insert(names);
    }
    for edit in comparer
        .compare(approved.before, now.before, location)
        .edits
    {
        let (names, _) = names(edit.path);
        if is_reported(edit, approved.before, now.before) {
            continue;
        }
        if actions.is_identity(&names, [approved.before, now.before]) {
            let class = actions.class_of_identity;
            differences.push((class, DifferenceKind::Drifted { edit: *edit }));
            continue;
        }
        if reported.contains(&names) {
            continue;
        }
        let names = within_objects(&names, [approved.after, now.after]);
        let ([was_before, was_after], [is_before, is_after]) =
            (values_of(approved, names), values_of(now, names));
        let class = match (was_before == was_after, is_before == is_after) {
            // A value that was to remain is now changed back.
            (true, false) if actions.stays => Class::Value,
            (false, true) if actions.stays => Class::Reduced,
            // What is set of an object depends on what it was before.
            _ if actions.stays
                && was_before.as_object().is_some() != is_before.as_object().is_some() =>
            {
                let position = names
                    .iter()
                    .fold(now.position, |position, name| position.member(name));
                let set = |before, after| changed_digest(Some(before), after, position, true);
                if set(was_before, was_after) == set(is_before, is_after) {
                    Class::Drifted
                } else {
                    Class::Value
                }
            }
            _ => Class::Drifted,
        };
        differences.push((class, DifferenceKind::Drifted { edit: *edit }));
    }
    differences
}

/// The differences of what the documents call the identity of an object, before and after the change.
///
/// Only one of both documents may have it, if a newer tool or provider wrote the other one: then an equal `id`
/// is enough.
pub(super) fn compare_identities<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    [was, is]: [&Change<'a>; 2],
    [approved, now]: [Sides<'w>; 2],
    class: Class,
) -> Result<ClassifiedDifferences<'a>, Error> {
    let build = comparer.build;
    // Its attributes may be copies of sensitive ones.
    let mark = Value::Bool(approved.has_hidden() || now.has_hidden());
    let value = |raw: Option<Raw<'a>>| {
        let text = raw.map_or("null", Raw::text);
        let text = build.arena().alloc_str(&format!("{{\"identity\":{text}}}"));
        let mark = Object::from_sorted(build.arena().alloc_slice_copy(&[("identity", mark)]));
        build.build(
            Some(text),
            Value::Null,
            Value::Object(mark),
            Position::Unspecified,
        )
    };
    let mut differences = ClassifiedDifferences::new();
    let mut edits_of = |old, new| -> Result<_, Error> {
        let location = Location::root(Position::Unspecified, Paths::Never);
        Ok(comparer.compare(value(old)?, value(new)?, location).edits)
    };
    let has_same_id = match (approved.before.get("id"), now.before.get("id")) {
        (Some(old), Some(new)) => !old.is_null() && old == new,
        (_, _) => false,
    };
    let is_comparable = match (was.before_identity, is.before_identity) {
        (Some(_), Some(_)) => true,
        (None, None) => false,
        (Some(_), None) | (None, Some(_)) => {
            !has_same_id && !approved.before.is_null() && !now.before.is_null()
        }
    };
    if is_comparable {
        for edit in edits_of(was.before_identity, is.before_identity)? {
            differences.push((class, DifferenceKind::Drifted { edit: *edit }));
        }
    }
    if was.after_identity.is_some() && is.after_identity.is_some() {
        for edit in edits_of(was.after_identity, is.after_identity)? {
            // The same difference as before the change.
            if !differences.is_empty() {
                break;
            }
            let what = DifferenceKind::Value {
                edit: *edit,
                from: None,
            };
            differences.push((class_of(edit), what));
        }
    }
    Ok(differences)
}

/// Compares values that nothing precedes: of variables, and of the configurations of actions.
pub(super) fn compare_new_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    [old, new]: [MarkedValue<'w>; 2],
    position: Position<'w>,
) -> ClassifiedDifferences<'a> {
    let edits = comparer
        .compare(old, new, Location::root(position, Paths::Never))
        .edits;
    edits
        .iter()
        .map(|edit| {
            (
                class_of(edit),
                DifferenceKind::Value {
                    edit: *edit,
                    from: None,
                },
            )
        })
        .collect()
}

/// What may come out otherwise than planned without being another change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tolerance<'c> {
    /// No difference but what was unknown is expected: two states, IDs and outputs.
    Nothing,
    /// What a provider makes of null where nobody configured a value. The arguments of the object in the
    /// configuration, if the plan has them.
    Computed(Option<Value<'c>>),
}

impl Tolerance<'_> {
    /// Whether the plan has null, and the configuration gives the attribute no expression.
    fn is_computed(self, planned: MarkedValue<'_>, path: Path<'_>) -> bool {
        let steps = path.steps();
        let (Self::Computed(arguments), [Step::Name(name)]) = (self, &*steps) else {
            return false;
        };
        // Another ID is another object.
        *name != "id"
            && planned.get(name).is_none_or(MarkedValue::is_null)
            && arguments.is_none_or(|arguments| arguments.get(name).is_none())
    }
}

/// The value of a plan at the path of an edit, if the plan has one there, also null.
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

/// Whether a provider on the older SDK, which has no null, may write this value instead of it.
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

/// The differences of a planned value and the one that came out. Unknown parts that have become known are
/// listed. Sensitive marks are not compared, because the documents write them differently.
pub(super) fn compare_result_values<'w, 'a>(
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
                // Providers on the older SDK may write these where the plan has null, which the tools allow.
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
            };
            differences.push((class, what));
        }
    }
    differences
}

/// Reads the value before, the planned value, and the result, each with the marks of all three.
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
    let value =
        |raw: Option<Raw<'a>>, unknown| build.build(raw.map(Raw::text), unknown, marks, position);
    let after = value(change.after, read(change.after_unknown)?)?;
    Ok([
        value(change.before, Value::Null)?,
        after,
        value(result, Value::Null)?,
    ])
}

/// Lists with different marks are sensitive as a whole, because their elements may have other indices.
pub(super) fn merged_marks<'w>(one: Value<'w>, other: Value<'w>, arena: &'w Bump) -> Value<'w> {
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

/// The same names up to the first index. A whole path is not in one place with what is below an index.
fn have_same_path(one: &Edit<'_>, other: &Edit<'_>) -> bool {
    names(one.path) == names(other.path)
}

/// The beginning of a path whose last name is a member of an object in both values: of a value that becomes a text,
/// no member is set.
fn within_objects<'n, 'a>(names: &'n [&'a str], values: [MarkedValue<'_>; 2]) -> &'n [&'a str] {
    let mut parents = values;
    for (index, name) in names.iter().enumerate() {
        if parents.iter().any(|parent| parent.as_object().is_none()) {
            return names.get(..index).unwrap_or_default();
        }
        parents = parents.map(|parent| {
            parent
                .get(name)
                .unwrap_or(parent.with_content(Content::Null))
        });
    }
    names
}

/// Returns the value at the end of a path of names, or the first hidden value on it.
fn follow<'w>(
    mut value: MarkedValue<'w>,
    names: &[&str],
    null: MarkedValue<'w>,
) -> MarkedValue<'w> {
    for name in names {
        if value.is_hidden {
            break;
        }
        value = value.get(name).unwrap_or(null);
    }
    value
}

fn names<'a>(path: Path<'a>) -> (Vec<&'a str>, bool) {
    let mut names = Vec::with_capacity(path.len());
    for step in path.steps() {
        match step {
            Step::Name(name) => names.push(name),
            Step::Element(_) | Step::Document(_) => return (names, false),
        }
    }
    (names, true)
}

/// Classifies an edit between two plans by what is known and sensitive on each side.
fn class_of(edit: &Edit<'_>) -> Class {
    let (old, new) = (edit.before, edit.after);
    if edit.labels.contains(Label::Sensitivity) {
        let is_shown =
            |side: Option<MarkedValue<'_>>| side.is_some_and(|value| !value.is_sensitive);
        // The value has lost its sensitive mark.
        return if is_shown(new) {
            Class::Value
        } else {
            Class::NotationOnly
        };
    }
    let is_known = |value: Option<MarkedValue<'_>>| !value.is_some_and(MarkedValue::has_unknown);
    if old.is_some_and(MarkedValue::is_unknown) {
        let is_exposed =
            old.is_some_and(|old| old.is_sensitive) && new.is_some_and(|new| !new.is_sensitive);
        return if is_exposed {
            Class::Value
        } else {
            Class::Known
        };
    }
    if new.is_some_and(MarkedValue::is_unknown) && is_known(old) && edit.before.is_some() {
        return Class::Unknown;
    }
    if is_same_otherwise(edit) {
        Class::NotationOnly
    } else {
        Class::Value
    }
}

fn is_same_otherwise(edit: &Edit<'_>) -> bool {
    let is_reordered = || {
        edit.inside.is_some_and(|inside| match inside.format {
            Format::Json | Format::Base64 | Format::Gzip => {
                !inside.edits.is_empty() && inside.edits.iter().all(is_same_otherwise)
            }
            Format::Yaml | Format::Lines => false,
        })
    };
    is_cosmetic(edit) || is_reordered()
}

/// Whether `now` is `approved` with its unknown parts filled in or, with `is_result`, a possible result of
/// it: then a list that may be a set counts as a set if it has unknown parts, because elements of sets,
/// unlike those of lists, are reordered when they become known.
fn is_filled(
    approved: MarkedValue<'_>,
    now: MarkedValue<'_>,
    root: Position<'_>,
    names: &[&str],
    is_result: bool,
) -> bool {
    let position = names.iter().fold(root, |index, name| index.member(name));
    Filling {
        left: MAX_COUNT,
        is_result,
    }
    .accepts(approved, now, position)
}

/// Values that need more comparisons of set elements are not accepted.
const MAX_COUNT: usize = 1 << 16;

/// A comparison that accepts unknown values becoming known, with a limit of work.
struct Filling {
    left: usize,
    is_result: bool,
}

impl Filling {
    /// Whether `now` is what was approved, with unknown values filled in. An element of a set may
    /// match any other one.
    fn accepts(
        &mut self,
        approved: MarkedValue<'_>,
        now: MarkedValue<'_>,
        position: Position<'_>,
    ) -> bool {
        if approved == now {
            return true;
        }
        // A sensitive value must not lose its mark by becoming known.
        if approved.is_sensitive && !now.is_sensitive && !now.is_null() {
            return false;
        }
        match (approved.content, now.content) {
            (Content::Unknown, _) => true,
            (Content::Array(old), Content::Array(now))
                if position.is_set() || self.may_be_set(approved, position) =>
            {
                self.accepts_set(old, now, position.element(0))
            }
            (Content::Array(old), Content::Array(now)) => {
                let mut pairs = old.iter().zip(now).enumerate();
                old.len() == now.len()
                    && pairs.all(|(index, (old, now))| {
                        self.accepts(*old, *now, position.element(index))
                    })
            }
            (Content::Object(old), Content::Object(now)) => {
                union(old, now).all(|(name, old, now)| match (old, now) {
                    (Some(old), Some(now)) => self.accepts(old, now, position.member(name)),
                    (Some(old), None) => old.is_null() || old.is_unknown(),
                    (None, now) => now.is_none_or(MarkedValue::is_null),
                })
            }
            _ => false,
        }
    }

    fn may_be_set(&self, planned: MarkedValue<'_>, position: Position<'_>) -> bool {
        let is_unproven = matches!(
            position,
            Position::Unspecified | Position::Inferred | Position::Missing
        );
        self.is_result && is_unproven && planned.has_unknown()
    }

    /// Elements of a set may become equal when they become known.
    fn accepts_set(
        &mut self,
        old: &[MarkedValue<'_>],
        now: &[MarkedValue<'_>],
        of: Position<'_>,
    ) -> bool {
        let left = self.left.checked_sub(old.len().saturating_mul(now.len()));
        let Some(left) = left.filter(|_| now.len() <= old.len()) else {
            return false;
        };
        self.left = left;
        now.iter()
            .all(|now| old.iter().any(|old| self.accepts(*old, *now, of)))
            && old
                .iter()
                .all(|old| now.iter().any(|now| self.accepts(*old, *now, of)))
    }
}

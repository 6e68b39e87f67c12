//! Compares the values of two plans, and classifies the differences.
//!
//! The values after the changes are compared first. A difference there is one of what is done, unless the object stays
//! and neither plan changes the value. Then the values before the changes are compared. A difference in what identifies
//! the object means that another object is acted on. Any other difference means that the object has changed since the
//! approval, which may make the change to it larger or smaller.

mod filling;
mod outcome;

use foldhash::{HashSet, HashSetExt as _};

use super::canon::changed_digest;
use super::{Class, ClassifiedDifferences, DifferenceKind};
use crate::diff::edits::{Comparer, Edit, Format, Label, Location, Path, Sides, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::diff::{Error, Paths};
use crate::json::{Object, Raw, Value};
use crate::model::Action;
use crate::model::plan::Change;
use crate::review::is_cosmetic;
use crate::schema::Position;

use filling::is_filled;
pub(super) use outcome::{Tolerance, compare_result_values, merged_marks, with_result};

/// The approved action and the new one, with what they mean for the values of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActionPair<'n> {
    /// Whether the actions of the two plans differ.
    pub(super) has_other_actions: bool,
    /// Whether the object stays with both actions: they are updates or no-ops.
    pub(super) stays: bool,
    /// Whether the new plan creates or reads the object, so that every value after it is part of what is done.
    pub(super) makes_whole_object: bool,
    /// The class of a difference in what identifies the object.
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

    /// Whether a path leads to what identifies the object. The empty path, of the whole object, does if an identifying
    /// attribute differs, or may differ because the object is hidden.
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

/// Returns the differences between the values of a change in the approved plan and in the new one.
pub(super) fn compare_plan_values<'w, 'a>(
    comparer: &mut Comparer<'w, 'a>,
    [approved, now]: [Sides<'w>; 2],
    actions: ActionPair<'_>,
) -> ClassifiedDifferences<'a> {
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let build = comparer.build;
    // The values after the changes are compared with each other, so what the values before them hide must be hidden
    // first.
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
    // That other actions are taken on the whole object is reported on its own.
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
            // Neither plan changes the value, so it has changed outside of the plans.
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
            // What a change sets of an object depends on the value before it.
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

/// Returns the differences between the identities of an object that the documents have, before and after the change.
///
/// If only one of the documents has an identity, because a newer tool or provider wrote it, an equal `id` is enough.
pub(super) fn compare_identities<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    [was, is]: [&Change<'a>; 2],
    [approved, now]: [Sides<'w>; 2],
    class: Class,
) -> Result<ClassifiedDifferences<'a>, Error> {
    let build = comparer.build;
    // The attributes of an identity may be copies of sensitive ones.
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
            // This is the same difference as before the change.
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

/// Compares values that have no value before them: those of variables, and of the configurations of actions.
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

/// Whether two edits have the same names up to the first index. A path that ends there is not the same as one that
/// continues with an index.
fn have_same_path(one: &Edit<'_>, other: &Edit<'_>) -> bool {
    names(one.path) == names(other.path)
}

/// Returns the beginning of a path up to the last name that is a member of an object in both values. If a value becomes
/// a text, for example, none of its members is set.
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

/// Returns the value at the end of a path of names; or the first hidden value on the path, or null if the path does not
/// exist.
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

/// Returns the names in a path up to the first index or document, and whether that is the whole path.
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

/// Returns the class of an edit between two plans, from what is known and sensitive on each side.
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

/// Whether an edit changes nothing but the notation, also inside of embedded documents.
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

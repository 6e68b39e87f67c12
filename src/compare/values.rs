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
use crate::diff::value::{Builder, Content, MarkedValue};
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
    let (approved, now) = (comparable(approved, build), comparable(now, build));
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let pair = ChangePair {
        approved,
        now,
        actions,
        null: build.null(),
    };
    let mut differences = Vec::new();
    let reported = pair.compare_after(comparer, &mut differences);
    pair.compare_before(comparer, &reported, &mut differences);
    differences
}

/// Returns the values of a change in the form in which those of two plans are compared: with their sets sorted. The
/// values after the changes are compared with each other, so what the values before them hide is hidden first.
fn comparable<'w>(sides: Sides<'w>, build: Builder<'_, 'w>) -> Sides<'w> {
    let sides = sides.hiding_each_other(build);
    Sides {
        before: build.with_sorted_sets(sides.before, sides.position),
        after: build.with_sorted_sets(sides.after, sides.position),
        ..sides
    }
}

/// A value in one plan, before and after the change.
#[derive(Clone, Copy)]
struct ValueChange<'w> {
    before: MarkedValue<'w>,
    after: MarkedValue<'w>,
}

impl ValueChange<'_> {
    /// Whether the plan does not change the value.
    fn keeps_value(self) -> bool {
        self.before == self.after
    }
}

/// The change of an object in two plans.
struct ChangePair<'w, 'n> {
    /// The values in the approved plan.
    approved: Sides<'w>,
    /// The values in the new plan.
    now: Sides<'w>,
    /// The actions of both plans.
    actions: ActionPair<'n>,
    /// The value of a member that does not exist.
    null: MarkedValue<'w>,
}

impl<'w> ChangePair<'w, '_> {
    /// Adds the differences between the values after the changes. Returns the paths of names at which there are any.
    fn compare_after<'a>(
        &self,
        comparer: &mut Comparer<'w, 'a>,
        differences: &mut ClassifiedDifferences<'a>,
    ) -> HashSet<Vec<&'a str>> {
        let mut reported = HashSet::new();
        let sides = [self.approved.after, self.now.after];
        for same in self.edits(comparer, sides).chunk_by(have_same_path) {
            let path = same[0].path;
            if self.is_other_action(path, sides) {
                continue;
            }
            let (names, is_whole_path) = names(path);
            let approved = self.value_change(self.approved, &names);
            let now = self.value_change(self.now, &names);
            let is_left_alone = approved.keeps_value() && now.keeps_value();
            if is_left_alone && !self.actions.makes_whole_object && !path.is_empty() {
                // Neither plan changes the value, so it has changed outside of the plans.
                continue;
            }
            let position = self.now.position;
            let is_filled = is_filled(approved.after, now.after, position, &names, false);
            for edit in same {
                let class = if is_filled {
                    Class::Known
                } else if now.keeps_value() && self.actions.stays {
                    Class::Reduced
                } else {
                    class_of(edit)
                };
                let redactor = comparer.redactor;
                let from = is_whole_path
                    .then(|| (redactor.value(approved.before), redactor.value(now.before)));
                differences.push((
                    class,
                    DifferenceKind::Value {
                        edit: *edit,
                        from,
                        named: None,
                    },
                ));
            }
            reported.insert(names);
        }
        reported
    }

    /// Adds the differences between the values before the changes, except at the paths that are reported already.
    fn compare_before<'a>(
        &self,
        comparer: &mut Comparer<'w, 'a>,
        reported: &HashSet<Vec<&'a str>>,
        differences: &mut ClassifiedDifferences<'a>,
    ) {
        let sides = [self.approved.before, self.now.before];
        for edit in self.edits(comparer, sides) {
            if self.is_other_action(edit.path, sides) {
                continue;
            }
            let (names, _) = names(edit.path);
            let class = if self.actions.is_identity(&names, sides) {
                self.actions.class_of_identity
            } else if reported.contains(&names) {
                continue;
            } else if self.actions.stays {
                self.class_of_drift(&names)
            } else {
                Class::Drifted
            };
            differences.push((
                class,
                DifferenceKind::Drifted {
                    edit: *edit,
                    named: None,
                },
            ));
        }
    }

    /// Compares two values of the whole object.
    fn edits<'a>(
        &self,
        comparer: &mut Comparer<'w, 'a>,
        [approved, now]: [MarkedValue<'w>; 2],
    ) -> &'a [Edit<'a>] {
        let location = Location::root(self.now.position, Paths::Never);
        comparer.compare(approved, now, location).edits
    }

    /// Whether a difference at a path is only that another action is taken on the whole object, which is reported on
    /// its own. `sides` are the values of the whole object.
    fn is_other_action(&self, path: Path<'_>, sides: [MarkedValue<'_>; 2]) -> bool {
        path.is_empty()
            && self.actions.has_other_actions
            && sides.into_iter().any(MarkedValue::is_null)
    }

    /// Returns the value at the end of a path of names in one plan.
    fn value_change(&self, sides: Sides<'w>, names: &[&str]) -> ValueChange<'w> {
        ValueChange {
            before: follow(sides.before, names, self.null),
            after: follow(sides.after, names, self.null),
        }
    }

    /// Classifies a value that is another one before the two plans, of an object that stays in both.
    fn class_of_drift(&self, names: &[&str]) -> Class {
        let names = within_objects(names, [self.approved.after, self.now.after]);
        let approved = self.value_change(self.approved, names);
        let now = self.value_change(self.now, names);
        match (approved.keeps_value(), now.keeps_value()) {
            // The approved plan kept the value, and the new one changes it back.
            (true, false) => Class::Value,
            (false, true) => Class::Reduced,
            (true, true) | (false, false) => {
                // If only one side was an object before, the members that are set tell whether the changes differ.
                let was_object = approved.before.as_object().is_some();
                let position = names
                    .iter()
                    .fold(self.now.position, |position, name| position.member(name));
                let sets = |change: ValueChange<'_>| {
                    changed_digest(Some(change.before), change.after, position, true)
                };
                if was_object != now.before.as_object().is_some() && sets(approved) != sets(now) {
                    Class::Value
                } else {
                    Class::Drifted
                }
            }
        }
    }
}

/// The differences of what the documents call the identity of an object, before and after the change.
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
            differences.push((
                class,
                DifferenceKind::Drifted {
                    edit: *edit,
                    named: None,
                },
            ));
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
                named: None,
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
                    named: None,
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

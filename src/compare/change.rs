//! Compares a change with its counterpart in the other plan: four values.
//!
//! The values after are compared first: a difference there is a difference in what is done, unless neither
//! plan changes that value. Then the values before: a difference there means that the objects have changed
//! since the approval, which may make the change larger or smaller.

use foldhash::{HashSet, HashSetExt as _};

use super::accepts::accepts;
use super::{Class, DifferenceKind};
use crate::diff::edits::{Comparer, Edit, Format, Label, Path, Place, Sides, Step};
use crate::diff::value::MarkedValue;
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::Change;
use crate::review::is_cosmetic;

/// Whether the texts of two changes are identical, so that nothing can differ.
pub(super) fn same_text(approved: &Change<'_>, now: &Change<'_>) -> bool {
    fn raws<'a>(change: &Change<'a>) -> [Option<&'a str>; 7] {
        [
            change.before,
            change.after,
            change.after_unknown,
            change.before_sensitive,
            change.after_sensitive,
            change.replace_paths,
            change.importing.as_ref().and_then(|importing| importing.identity),
        ]
        .map(|raw| raw.map(Raw::text))
    }
    let importing = |change: &Change<'_>| {
        change.importing.as_ref().map(|importing| (importing.id.to_string(), importing.unknown))
    };
    approved.actions == now.actions
        && importing(approved) == importing(now)
        && *approved.generated_config == *now.generated_config
        && raws(approved) == raws(now)
}

/// Findings about a pair of changes besides their values.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActionPair {
    /// Whether the actions differ, which is reported separately.
    pub(super) other_actions: bool,
    /// Whether the object stays: both changes are updates or no-ops.
    pub(super) stays: bool,
}

impl ActionPair {
    pub(super) fn new(approved: &Action, now: &Action) -> Self {
        let stays = |action: &Action| matches!(action, Action::Update | Action::NoOp | Action::Read);
        Self { other_actions: approved != now, stays: stays(approved) && stays(now) }
    }
}

/// Compares the values of two changes.
pub(super) fn values<'w, 'a: 'w>(
    comparer: &mut Comparer<'w, 'a>,
    approved: Sides<'w>,
    now: Sides<'w>,
    actions: ActionPair,
) -> Vec<(Class, DifferenceKind<'a>)> {
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let build = comparer.build;
    // The values after are compared with each other, so what the values before hide must be hidden first.
    let sorted = |sides: Sides<'w>| {
        let Sides { before, after, position, marks } = sides.hiding_each_other(build);
        let [before, after] = [before, after].map(|value| build.with_sorted_sets(value, position));
        Sides { before, after, position, marks }
    };
    let (approved, now) = (sorted(approved), sorted(now));
    if approved.before == now.before && approved.after == now.after {
        return Vec::new();
    }
    let null = build.null();
    let place = Place::root(now.position, crate::diff::Paths::Never);
    let at = |sides: Sides<'w>, names: &[&str]| {
        [sides.before, sides.after].map(|value| follow(value, names, null))
    };
    // Other actions on the whole object are reported separately.
    let is_told = |edit: &Edit<'_>, old: MarkedValue<'_>, new: MarkedValue<'_>| {
        edit.path.is_empty() && actions.other_actions && (old.is_null() || new.is_null())
    };
    let (mut found, mut reported) = (Vec::new(), HashSet::new());
    let edits = comparer.compare(approved.after, now.after, place).edits;
    for same in edits.chunk_by(are_in_one_place) {
        if is_told(&same[0], approved.after, now.after) {
            continue;
        }
        let (names, is_whole_path) = names(same[0].path);
        let ([was_before, was_after], [is_before, is_after]) = (at(approved, &names), at(now, &names));
        if was_before == was_after && is_before == is_after && !same[0].path.is_empty() {
            // Neither plan changes it, so it changed outside of the plans.
            continue;
        }
        let position = names.iter().fold(now.position, |at, name| at.member(name));
        let is_filled = accepts(was_after, is_after, position, false);
        for edit in same {
            let class = if is_filled {
                Class::Known
            } else if is_before == is_after && actions.stays {
                Class::Less
            } else {
                class_of(edit)
            };
            let redactor = comparer.redactor;
            let from = is_whole_path.then(|| (redactor.value(was_before), redactor.value(is_before)));
            found.push((class, DifferenceKind::Value { edit: *edit, from }));
        }
        reported.insert(names);
    }
    for edit in comparer.compare(approved.before, now.before, place).edits {
        let (names, _) = names(edit.path);
        if is_told(edit, approved.before, now.before) || reported.contains(&names) {
            continue;
        }
        let ([was_before, was_after], [is_before, is_after]) = (at(approved, &names), at(now, &names));
        let class = match (was_before == was_after, is_before == is_after) {
            // A value that was to remain is now changed back.
            (true, false) if actions.stays => Class::Value,
            (false, true) if actions.stays => Class::Less,
            _ => Class::World,
        };
        found.push((class, DifferenceKind::World { edit: *edit }));
    }
    found
}

/// Whether the paths of two edits have the same names up to the first index. A whole path is not in one place with
/// what is below an index.
pub(super) fn are_in_one_place(one: &Edit<'_>, other: &Edit<'_>) -> bool {
    names(one.path) == names(other.path)
}

/// The value at a path of names. Does not descend into hidden values.
pub(super) fn follow<'w>(
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

/// The names on a path up to the first index, and whether that is the whole path.
pub(super) fn names<'a>(path: Path<'a>) -> (Vec<&'a str>, bool) {
    let mut names = Vec::with_capacity(path.len());
    for step in path.steps() {
        match step {
            Step::Name(name) => names.push(name),
            Step::Element(_) | Step::Document(_) => return (names, false),
        }
    }
    (names, true)
}

/// The class of a difference between an approved value and the current one.
pub(super) fn class_of(edit: &Edit<'_>) -> Class {
    let (old, new) = (edit.before, edit.after);
    if edit.labels.contains(Label::Sensitivity) {
        let is_shown = |side: Option<MarkedValue<'_>>| side.is_some_and(|value| !value.is_sensitive);
        // The value has lost its sensitive mark.
        return if is_shown(new) { Class::Value } else { Class::Text };
    }
    let is_known = |value: Option<MarkedValue<'_>>| !value.is_some_and(MarkedValue::has_unknown);
    if old.is_some_and(MarkedValue::is_unknown) {
        let is_exposed = old.is_some_and(|old| old.is_sensitive) && new.is_some_and(|new| !new.is_sensitive);
        return if is_exposed { Class::Value } else { Class::Known };
    }
    if new.is_some_and(MarkedValue::is_unknown) && is_known(old) && edit.before.is_some() {
        return Class::Unknown;
    }
    if is_same_otherwise(edit) { Class::Text } else { Class::Value }
}

/// Whether both values are proven to be equivalent.
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

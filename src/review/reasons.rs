//! The reasons for changes, in words.

use std::collections::{HashMap, HashSet};

use super::entry::{Entry, PlanReview, Reason, Trigger};
use super::{ChangeKind, one_line, text};
use crate::json::Value;
use crate::model::Action;
use crate::text::first_of;

/// The maximum number of paths named that force a replacement.
const MAX_NAMES: usize = 6;

/// The code of reasons that name other changes.
pub(super) const CAUSED: &str = "caused";

/// The event of an action that the command line invokes.
pub(super) const INVOKED: &str = "invoke";

/// Adds the reasons to all entries of a review.
pub(super) fn add(review: &mut PlanReview<'_>) {
    // Drift is a reason only if the plan depends on it.
    let drifted: HashMap<&str, ChangeKind> = review
        .drift
        .iter()
        .filter(|entry| entry.relevant == Some(true) || *entry.action.worst_case() == Action::Delete)
        .map(|entry| (entry.address, entry.kind()))
        .collect();
    for entry in &mut review.resources {
        entry.reasons = entry_reasons(entry, drifted.get(entry.address).copied());
    }
    for entry in &mut review.drift {
        entry.reasons = moved(entry).into_iter().collect();
    }
    for entry in &mut review.deferred {
        let why = entry.deferred_reason.map(|word| reason("deferred", &deferred(word)));
        entry.reasons = why.into_iter().chain(entry_reasons(entry, None)).collect();
    }
}

fn reason(code: &str, text: &str) -> Reason {
    Reason { code: one_line(code), text: one_line(text) }
}

/// The changes that make this one necessary: `vpc_id comes from aws_vpc.main.id`.
fn caused(entry: &Entry<'_>) -> Option<Reason> {
    const MAX_NAMES: usize = 3;
    let causes = &entry.causes;
    let mut words: Vec<String> = causes
        .iter()
        .take(MAX_NAMES)
        .map(|cause| format!("{} comes from {}", cause.attribute, cause.text()))
        .collect();
    let more = causes.len().saturating_sub(MAX_NAMES);
    if more > 0 {
        words.push(format!("and {} more", crate::review::count(more, "cause")));
    }
    (!words.is_empty()).then(|| reason(CAUSED, &words.join(", ")))
}

fn entry_reasons(entry: &Entry<'_>, drifted: Option<ChangeKind>) -> Vec<Reason> {
    let kind = entry.kind();
    let mut reasons = Vec::new();
    reasons.extend(by_word(entry));
    if kind.is_replacement() {
        let forced = forced(entry);
        if forced.is_none() && reasons.is_empty() {
            reasons.push(reason("unexplained", "the plan does not say why"));
        }
        reasons.extend(forced);
        if entry.action == Action::CreateThenDelete {
            let text = "the new object is created before the old one is destroyed";
            reasons.push(reason("create_before_destroy", text));
        }
    }
    if !entry.deposed.is_empty() {
        let text = format!("deposed object {}, left over from an earlier replacement", entry.deposed);
        reasons.push(reason("deposed", &text));
    }
    reasons.extend(caused(entry));
    reasons.extend(moved(entry));
    if let Some(importing) = &entry.importing {
        let text = match (importing.id, importing.unknown) {
            (None, true) => "imported; its ID is known after apply".to_owned(),
            (None, false) => "imported by its identity".to_owned(),
            (Some(id), _) => format!("imported from {}", crate::text::quote(id)),
        };
        reasons.push(reason("imported", &text));
        if entry.action.is_replace() {
            reasons.push(reason("import_replaces", "the imported object is destroyed"));
        }
        if entry.is_generated {
            reasons.push(reason("generated_config", "its configuration is generated"));
        }
    }
    if let Some(kind) = drifted {
        let (code, text) = if kind == ChangeKind::Destroy {
            ("deleted_outside", "it was deleted outside of the tool since the last apply")
        } else {
            ("changed_outside", "it changed outside of the tool since the last apply (see below)")
        };
        reasons.push(reason(code, text));
    }
    if let Action::Unknown(words) = &entry.action {
        let text = match &**words {
            "" => "the plan names no action, so it counts as a destroy".to_owned(),
            words => format!("the plan says: {words}"),
        };
        reasons.push(reason("unknown_actions", &text));
    }
    reasons
}

fn moved(entry: &Entry<'_>) -> Option<Reason> {
    entry.is_moved().then(|| reason("moved", &format!("moved from {}", entry.previous_address)))
}

/// The attributes that force the replacement.
fn forced(entry: &Entry<'_>) -> Option<Reason> {
    let mut seen = HashSet::new();
    let edits = entry.edits.iter().filter(|edit| edit.replaces);
    let names: Vec<String> =
        edits.map(|edit| text::path_text("", edit.path)).filter(|path| seen.insert(path.clone())).collect();
    let paths = entry.replace_paths.as_array().map_or(0, |paths| paths.len());
    if names.is_empty() {
        return (paths > 0).then(|| reason("forced", "forced by what does not differ in the plan"));
    }
    Some(reason("forced", &format!("forced by {}", first_of(&names, MAX_NAMES))))
}

/// The reason for a deferral.
pub(super) fn deferred(word: &str) -> String {
    match word {
        "instance_count_unknown" => "how many instances there will be is not known yet".to_owned(),
        "resource_config_unknown" => "its configuration is not known yet".to_owned(),
        "provider_config_unknown" => "the configuration of its provider is not known yet".to_owned(),
        "deferred_prereq" => "something that it needs is put off".to_owned(),
        "absent_prereq" => "something that it needs is not there yet".to_owned(),
        other => format!("reason: {other}"),
    }
}

fn by_word(entry: &Entry<'_>) -> Option<Reason> {
    let key = entry.index.as_str().map(crate::text::quote);
    let key = key.unwrap_or_else(|| if let Value::Number(text) = entry.index { text } else { "" }.to_owned());
    let text = match entry.action_reason {
        "" => return None,
        "replace_because_tainted" => "it is tainted: the last apply did not finish it".to_owned(),
        "replace_by_request" => "its replacement was requested (-replace)".to_owned(),
        "replace_by_triggers" => "replace_triggered_by: something it names changes".to_owned(),
        "replace_because_cannot_update" => return None, // The paths say it.
        "delete_because_no_resource_config" => "not in configuration".to_owned(),
        "delete_because_no_module" => "its module is not in configuration".to_owned(),
        "delete_because_no_move_target" => {
            "it was moved to an address that is not in configuration".to_owned()
        }
        "delete_because_wrong_repetition" => "count or for_each was added or removed".to_owned(),
        "delete_because_count_index" => format!("index [{key}] is out of range for count"),
        "delete_because_each_key" => format!("key [{key}] is not in for_each map"),
        "delete_because_enabled_false" => "enabled is false".to_owned(),
        "forgot_because_lifecycle_destroy_in_config" => {
            "its configuration says lifecycle { destroy = false }".to_owned()
        }
        "forgot_because_lifecycle_destroy_in_state" => {
            "its last configuration said lifecycle { destroy = false }".to_owned()
        }
        "read_because_config_unknown" => "its configuration refers to values not known yet".to_owned(),
        "read_because_dependency_pending" => "it depends on something with changes pending".to_owned(),
        "read_because_check_nested" => "a check needs it".to_owned(),
        other => format!("reason: {other}"),
    };
    Some(reason(entry.action_reason, &text))
}

/// What invokes an action.
pub(super) fn invoked(Trigger { event, address }: Trigger<'_>) -> String {
    match event {
        "BeforeCreate" => format!("before {address} is created"),
        "AfterCreate" => format!("after {address} is created"),
        "BeforeUpdate" => format!("before {address} changes"),
        "AfterUpdate" => format!("after {address} changes"),
        "BeforeDestroy" => format!("before {address} is destroyed"),
        "AfterDestroy" => format!("after {address} is destroyed"),
        INVOKED if address.is_empty() => "called by the command line (-invoke)".to_owned(),
        INVOKED => format!("called from {address}"),
        other => format!("at {other} of {address}"),
    }
}

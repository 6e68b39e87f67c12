//! Puts the reasons for changes into words.
//!
//! ```text
//! "action_reason": "replace_because_cannot_update", "replace_paths": [["engine"]]
//!
//! Reason { code: "forced", text: "forced by engine" }
//! ```

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::diff::edits::Edit;
use crate::json::Value;
use crate::model::Action;
use crate::review::changes::Changes;
use crate::review::entry::{Entry, Reason, Trigger, reason_codes};
use crate::review::paths::path_text;
use crate::review::{ChangeKind, one_line};
use crate::text::{first_of, quote, stream};

/// The maximum number of paths that are named as forcing a replacement.
const MAX_NAMES: usize = 6;
/// The maximum number of causes that are named.
const MAX_CAUSES: usize = 3;

/// Sets the reasons of all entries. If an object changed outside of the tool, that is also a reason for its planned
/// change.
pub(super) fn add(changes: &mut Changes<'_>) {
    // Drift is a reason only if the plan depends on it.
    let is_reason = |entry: &&Entry<'_>| {
        let is_relevant = entry.relevant == Some(true) && entry.is_drift();
        is_relevant || *entry.action.worst_case() == Action::Delete
    };
    let drifted = changes
        .drift
        .iter()
        .filter(is_reason)
        .map(|entry| (entry.address, entry.kind()));
    let drifted: HashMap<&str, ChangeKind> = drifted.collect();
    for entry in &mut changes.resources {
        entry.reasons = entry_reasons(entry, drifted.get(entry.address).copied());
    }
    for entry in &mut changes.drift {
        let moved = moved(entry).map(|text| reason("moved", &text));
        entry.reasons.extend(moved);
    }
    for entry in &mut changes.deferred {
        let why = entry
            .deferred_reason
            .map(|word| reason("deferred", &deferred(word)));
        entry.reasons = why.into_iter().chain(entry_reasons(entry, None)).collect();
    }
}

impl Reason {
    /// Returns the reason for drift that the tool made through other resources.
    pub(super) fn of_own_parts() -> Self {
        reason(
            reason_codes::OWN_PARTS,
            "only shows what other resources of this state make",
        )
    }
}

/// Creates a reason, with both texts on one line.
fn reason(code: &str, text: &str) -> Reason {
    Reason {
        code: one_line(code),
        text: one_line(text),
    }
}

/// Returns the reasons for one change: the plan's own word, what forces a replacement, and what tfview concludes.
/// `drifted` is the kind of the object's drift, if it counts as a reason.
fn entry_reasons(entry: &Entry<'_>, drifted: Option<ChangeKind>) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = by_word(entry).into_iter().collect();
    let is_explained = !reasons.is_empty();
    let mut add = |code: &str, text: &str| reasons.push(reason(code, text));
    if entry.kind().is_replacement() {
        match forced(entry, entry.exact_edits.exact()) {
            Some(text) => add(FORCED, &text),
            None if is_explained => {}
            None => add("unexplained", "the plan does not say why"),
        }
        if entry.action == Action::CreateThenDelete {
            add(
                "create_before_destroy",
                "the new object is created before the old one is destroyed",
            );
        }
    }
    if !entry.deposed.is_empty() {
        add("deposed", "left over from an earlier replacement");
    }
    if !entry.causes.is_empty() {
        let words = entry
            .causes
            .iter()
            .map(|cause| format!("{} comes from {}", cause.attribute, cause.text()));
        add(reason_codes::CAUSED, &first_of(words, MAX_CAUSES));
    }
    if let Some(text) = moved(entry) {
        add("moved", &text);
    }
    if let Some(importing) = &entry.importing {
        match (importing.id, importing.unknown) {
            (None, true) => add("imported", "imported; its ID is known after apply"),
            (None, false) => add("imported", "imported by its identity"),
            (Some(id), _) => add("imported", &format!("imported from {}", quote(id))),
        }
        if entry.action.is_replace() {
            add("import_replaces", "the imported object is destroyed");
        }
        if entry.is_generated {
            add("generated_config", "its configuration is generated");
        }
    }
    match drifted {
        Some(ChangeKind::Destroy) => {
            add(
                "deleted_outside",
                "it was deleted outside of the tool since the last apply",
            );
        }
        Some(_) => add(
            "changed_outside",
            "it changed outside of the tool since the last apply (see below)",
        ),
        None => {}
    }
    if let Action::Unknown(words) = &entry.action {
        match &**words {
            "" => add(
                "unknown_actions",
                "may be destroyed: the plan names no action",
            ),
            words => add("unknown_actions", &format!("the plan says: {words}")),
        }
    }
    reasons
}

/// Returns the phrase for a move; `None` if the object does not move.
fn moved(entry: &Entry<'_>) -> Option<String> {
    entry
        .is_moved()
        .then(|| format!("moved from {}", entry.previous_address))
}

/// The code of the reason that names what forces a replacement.
const FORCED: &str = "forced";

/// Names again what forces the replacement of each object with something to hide, because masks may have changed the
/// paths of its edits.
pub(super) fn say_again(changes: &mut Changes<'_>) {
    let hiding = |entry: &&mut Entry<'_>| entry.secrets.is_some();
    for entry in changes.resources.iter_mut().filter(hiding) {
        let Some(text) = forced(entry, entry.shown_edits.list()) else {
            continue;
        };
        for reason in &mut entry.reasons {
            if reason.code == FORCED {
                reason.text = one_line(&text);
            }
        }
    }
}

/// Returns the phrase for what forces a replacement: the edits that do, or else the paths that the plan states. `None`
/// if there are neither.
fn forced(entry: &Entry<'_>, edits: &[Edit<'_>]) -> Option<String> {
    let mut known_paths = HashSet::new();
    let paths = edits
        .iter()
        .filter(|edit| edit.replaces)
        .map(|edit| path_text("", edit.path));
    let paths: Vec<String> = paths
        .filter(|path| known_paths.insert(path.clone()))
        .collect();
    if !paths.is_empty() {
        return Some(format!("forced by {}", first_of(&paths, MAX_NAMES)));
    }
    let paths = entry.replace_paths.as_array().unwrap_or_default().iter();
    let paths: Vec<String> = paths.map(|path| path_words(*path)).collect();
    let does = if paths.len() == 1 { "does" } else { "do" };
    (!paths.is_empty()).then(|| {
        let names = first_of(&paths, MAX_NAMES);
        format!("forced by {names}, which {does} not differ in the plan")
    })
}

/// Returns a path as plans write it in `replace_paths`: names and indices. An element of a set is written by its value,
/// which is left out here.
fn path_words(path: Value<'_>) -> String {
    let mut words = String::new();
    for step in path.as_array().unwrap_or_default() {
        match step {
            Value::String(name) if words.is_empty() => words.push_str(name),
            Value::String(name) => words.push_str(&format!(".{name}")),
            Value::Number(index) => words.push_str(&format!("[{index}]")),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                words.push_str("[…]");
            }
        }
    }
    if words.is_empty() {
        "the whole object".to_owned()
    } else {
        one_line(&words)
    }
}

/// Returns the phrase for why something is deferred. `word` is the tool's word for the reason.
pub(crate) fn deferred(word: &str) -> String {
    let text = match word {
        "instance_count_unknown" => "how many instances there will be is not known yet",
        "resource_config_unknown" => "its configuration is not known yet",
        "provider_config_unknown" => "the configuration of its provider is not known yet",
        "deferred_prereq" => "something that it needs is deferred",
        "absent_prereq" => "something that it needs is not there yet",
        other => return format!("reason: {other}"),
    };
    text.to_owned()
}

/// Returns the reason by the plan's word; `None` without a word, or if the paths that force the replacement say more
/// than the word does.
fn by_word(entry: &Entry<'_>) -> Option<Reason> {
    let word = entry.action_reason;
    let is_said = !matches!(word, "" | "replace_because_cannot_update");
    is_said.then(|| reason(word, &action(word)))
}

/// Returns the phrase for why the tool does something with an object. `word` is the tool's action reason.
pub(crate) fn action(word: &str) -> Cow<'_, str> {
    Cow::Borrowed(match word {
        "replace_because_cannot_update" => "it cannot be changed in place",
        "replace_because_tainted" => "it is tainted: the last apply did not finish it",
        "replace_by_request" => "its replacement was requested (-replace)",
        "replace_by_triggers" => "replace_triggered_by: something it names changes",
        word => return stream::reason(word),
    })
}

/// Returns the phrase for what invokes an action.
pub(in crate::review) fn invoked(Trigger { event, address }: Trigger<'_>) -> String {
    match event {
        "BeforeCreate" => format!("before {address} is created"),
        "AfterCreate" => format!("after {address} is created"),
        "BeforeUpdate" => format!("before {address} changes"),
        "AfterUpdate" => format!("after {address} changes"),
        "BeforeDestroy" => format!("before {address} is destroyed"),
        "AfterDestroy" => format!("after {address} is destroyed"),
        reason_codes::INVOKED if address.is_empty() => {
            "called by the command line (-invoke)".to_owned()
        }
        reason_codes::INVOKED => format!("called from {address}"),
        other => format!("at {other} of {address}"),
    }
}

#[cfg(test)]
mod tests;

//! Why something happens, in words.

use super::lines::inline;
use super::{Body, Kind, Part, one_line};
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, ResourceChange};

/// The reasons of a change. `parts` tell what forces a replacement; `drifted` is what changed outside.
pub(super) fn of(
    change: &ResourceChange<'_>,
    kind: Kind,
    parts: &[Part],
    drifted: Option<Kind>,
) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(by_word(change));
    if matches!(kind, Kind::Replace | Kind::Succeed) {
        forced(parts, &mut reasons);
        if change.change.actions == Action::CreateThenDelete {
            reasons.push("the new object is created before the old one is destroyed".to_owned());
        }
    }
    if !change.deposed.is_empty() {
        reasons.push(format!("deposed object {}, left over from an earlier replacement", change.deposed));
    }
    if change.is_moved() {
        reasons.push(format!("moved from {}", change.previous_address));
    }
    if let Some(importing) = &change.change.importing {
        reasons.push(match (&*importing.id, importing.unknown) {
            ("", true) => "imported; its ID is known after apply".to_owned(),
            ("", false) => "imported by its identity".to_owned(),
            (id, _) => format!("imported from {}", crate::text::quote(id)),
        });
        if change.change.actions.is_replace() {
            reasons.push("the imported object is destroyed".to_owned());
        }
        if !change.change.generated_config.is_empty() {
            reasons.push("its configuration is generated".to_owned());
        }
    }
    match drifted {
        None => {}
        Some(Kind::Destroy) => {
            reasons.push("it was deleted outside of the tool since the last apply".to_owned());
        }
        Some(_) => reasons.push("it changed outside of the tool since the last apply (see below)".to_owned()),
    }
    if let Action::Unknown(words) = &change.change.actions {
        reasons.push(format!("the plan says: {words}"));
    }
    reasons.iter().map(|reason| one_line(reason)).collect()
}

/// Why a change is put off.
pub(super) fn deferred(reason: &str) -> String {
    match reason {
        "instance_count_unknown" => "how many instances there will be is not known yet".to_owned(),
        "resource_config_unknown" => "its configuration is not known yet".to_owned(),
        "provider_config_unknown" => "the configuration of its provider is not known yet".to_owned(),
        "deferred_prereq" => "something that it needs is put off".to_owned(),
        "absent_prereq" => "something that it needs is not there yet".to_owned(),
        other => format!("reason: {other}"),
    }
}

/// Who invokes an action.
pub(super) fn invoked(action: &ActionInvocation<'_>) -> String {
    if let Some(trigger) = &action.lifecycle_action_trigger {
        let (address, event) = (&trigger.triggering_resource_address, &trigger.action_trigger_event);
        return match &**event {
            "BeforeCreate" => format!("before {address} is created"),
            "AfterCreate" => format!("after {address} is created"),
            "BeforeUpdate" => format!("before {address} changes"),
            "AfterUpdate" => format!("after {address} changes"),
            "BeforeDestroy" => format!("before {address} is destroyed"),
            "AfterDestroy" => format!("after {address} is destroyed"),
            other => format!("at {other} of {address}"),
        };
    }
    match action.invoke_action_trigger.as_ref().map_or("", |trigger| &*trigger.calling_resource_address) {
        "" => "called by the command line (-invoke)".to_owned(),
        caller => format!("called from {caller}"),
    }
}

/// The paths that force a replacement, each with what it becomes.
fn forced(parts: &[Part], reasons: &mut Vec<String>) {
    for part in parts {
        if !part.replace {
            if let Body::Group(inside) = &part.body {
                forced(inside, reasons);
            }
            continue;
        }
        let becomes = match &part.body {
            Body::Change(before, after) if before == after => format!(" {}", inline(before)),
            Body::Change(before, after) => format!(" {} -> {}", inline(before), inline(after)),
            Body::One(shown) => format!(" {}", inline(shown)),
            Body::Noted if !part.notes.is_empty() => format!(" ({})", part.notes.join("; ")),
            Body::Text(_) | Body::Group(_) | Body::Noted => String::new(),
        };
        reasons.push(format!("forced by {}{becomes}", part.path));
    }
}

fn by_word(change: &ResourceChange<'_>) -> Option<String> {
    let index = change.index.map_or("", Raw::text);
    Some(match &*change.action_reason {
        "" => return None,
        "replace_because_tainted" => "it is tainted: the last apply did not finish it".to_owned(),
        "replace_by_request" => "its replacement was requested (-replace)".to_owned(),
        "replace_by_triggers" => "replace_triggered_by: something it names changes".to_owned(),
        "replace_because_cannot_update" => return None, // the paths say it
        "delete_because_no_resource_config" => {
            format!("{}.{} is not in configuration", change.kind, change.name)
        }
        "delete_because_no_module" => format!("{} is not in configuration", change.module_address),
        "delete_because_no_move_target" => {
            "it was moved to an address that is not in configuration".to_owned()
        }
        "delete_because_wrong_repetition" => "count or for_each was added or removed".to_owned(),
        "delete_because_count_index" => format!("index [{index}] is out of range for count"),
        "delete_because_each_key" => format!("key [{index}] is not in for_each map"),
        "delete_because_enabled_false" => "enabled is false".to_owned(),
        "read_because_config_unknown" => "its configuration refers to values not known yet".to_owned(),
        "read_because_dependency_pending" => "it depends on something with changes pending".to_owned(),
        "read_because_check_nested" => "a check needs it".to_owned(),
        other => format!("reason: {other}"),
    })
}

//! The numbers of closed sets in a saved plan, and their names in the JSON.
//!
//! Source: `planfile.proto` of the tools. Invariant: a number that is not known is an error.

use super::message;
use super::{Error, unknown};
use crate::model::Action;
use crate::model::plan::PlanMode;

/// The mode that the plan was made in.
pub(super) fn mode(number: i32) -> Result<PlanMode, Error> {
    match number {
        0 => Ok(PlanMode::Normal),
        1 => Ok(PlanMode::Destroy),
        2 => Ok(PlanMode::RefreshOnly),
        _ => Err(unknown("the plan", "mode", number)),
    }
}

/// The number of [`Action::NoOp`].
pub(super) const NO_OP_NUMBER: i32 = 0;

/// The action and whether the values are those before, after, or both.
pub(super) fn action(number: i32, place: &str) -> Result<(Action, Sides), Error> {
    Ok(match number {
        NO_OP_NUMBER => (Action::NoOp, Sides::Same),
        1 => (Action::Create, Sides::After),
        2 => (Action::Read, Sides::Both),
        3 => (Action::Update, Sides::Both),
        5 => (Action::Delete, Sides::Before),
        6 => (Action::DeleteThenCreate, Sides::Both),
        7 => (Action::CreateThenDelete, Sides::Both),
        8 => (Action::Forget, Sides::Before),
        9 => (Action::CreateThenForget, Sides::Both),
        10 => (Action::ForgetThenCreate, Sides::Both),
        _ => return Err(unknown(place, "action", number)),
    })
}

/// Which values a change has.
#[derive(Clone, Copy)]
pub(super) enum Sides {
    Same,
    Before,
    After,
    Both,
}

/// The reason of a change; empty for none.
pub(super) fn reason(number: i32, place: &str) -> Result<&'static str, Error> {
    const REASONS: [&str; 17] = [
        "",
        "replace_because_tainted",
        "replace_by_request",
        "replace_because_cannot_update",
        "delete_because_no_resource_config",
        "delete_because_wrong_repetition",
        "delete_because_count_index",
        "delete_because_each_key",
        "delete_because_no_module",
        "replace_by_triggers",
        "read_because_config_unknown",
        "read_because_dependency_pending",
        "delete_because_no_move_target",
        "read_because_check_nested",
        "delete_because_enabled_false",
        "forgot_because_lifecycle_destroy_in_state",
        "forgot_because_lifecycle_destroy_in_config",
    ];
    name_of(&REASONS, number, "action reason").map_err(|error| error.at(place))
}

/// The name of a number of a closed set, the first of which is 0.
fn name_of(names: &[&'static str], number: i32, what: &str) -> Result<&'static str, Error> {
    let found = usize::try_from(number).ok().and_then(|at| names.get(at));
    found.copied().ok_or_else(|| unknown("", what, number))
}

pub(super) fn deferral(deferred: Option<&message::Deferred>) -> Result<&'static str, Error> {
    const REASONS: [&str; 6] = [
        "unknown",
        "instance_count_unknown",
        "resource_config_unknown",
        "provider_config_unknown",
        "absent_prereq",
        "deferred_prereq",
    ];
    name_of(&REASONS, deferred.map_or(0, |deferred| deferred.reason), "the reason of a deferral")
}

/// The status of a check.
pub(super) fn status(number: i32) -> Result<&'static str, Error> {
    const STATUSES: [&str; 4] = ["unknown", "pass", "fail", "error"];
    name_of(&STATUSES, number, "the status of a check")
}

/// The kind of a check.
pub(super) fn check_kind(number: i32) -> Result<&'static str, Error> {
    const KINDS: [&str; 5] = ["", "resource", "output_value", "check", "var"];
    name_of(&KINDS, number, "the kind of a check")
}

/// When an action is triggered.
pub(super) fn trigger_event(number: i32) -> Result<&'static str, Error> {
    const EVENTS: [&str; 7] = [
        "EventUnknown",
        "BeforeCreate",
        "AfterCreate",
        "BeforeUpdate",
        "AfterUpdate",
        "BeforeDestroy",
        "AfterDestroy",
    ];
    name_of(&EVENTS, number, "the event of a trigger")
}

/// What happens if a triggered action fails.
pub(super) fn on_failure(number: i32) -> Result<&'static str, Error> {
    const ON_FAILURE: [&str; 3] = ["ActionOnFailureHalt", "ActionOnFailureTaint", "ActionOnFailureContinue"];
    name_of(&ON_FAILURE, number, "on_failure of a trigger")
}

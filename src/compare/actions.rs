//! Whether an action is more or less than the one that was approved.

use super::Class;
use crate::model::Action;
use crate::review::Kind;

/// The class of an action that was not approved at all.
pub(super) fn new(mode: &str, action: &Action, kind: Kind) -> Class {
    if crate::review::unlisted(mode, action).is_some() {
        // An ephemeral object is opened and never stored; a data source that leaves the state is not destroyed.
        return Class::Text;
    }
    match kind {
        Kind::Destroy | Kind::Replace => Class::Destroy,
        Kind::ReplaceForget
        | Kind::Forget
        | Kind::Other
        | Kind::Update
        | Kind::Create
        | Kind::Read
        | Kind::Import
        | Kind::Move => Class::Action,
    }
}

/// The class of an action in place of an approved one; none if they are the same.
pub(super) fn changed(approved: &Action, now: &Action) -> Option<Class> {
    if approved == now {
        return None;
    }
    let kind = |action| Kind::of_action(action, false, false);
    Some(match (kind(approved), kind(now)) {
        // A replacement was approved: the object does not come back.
        (_, Kind::Destroy) => Class::Destroy,
        (Kind::Replace, Kind::Replace) => Class::Action,
        (_, Kind::Replace) => Class::Destroy,
        // Nothing is destroyed any more; what is changed in place is compared value by value.
        (Kind::Replace, Kind::Update) => Class::Less,
        // Nothing is done any more, but for a move or an import, which are compared by themselves.
        (_, _) if *now == Action::NoOp => Class::Less,
        _ => Class::Action,
    })
}

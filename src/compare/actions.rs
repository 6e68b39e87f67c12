//! Classifies an action against the approved one.

use super::Class;
use crate::model::Action;
use crate::review::Kind;

/// The class of an action on an object without an approved one.
pub(super) fn new(mode: &str, action: &Action, kind: Kind) -> Class {
    if crate::review::unlisted(mode, action).is_some() {
        // Ephemeral objects are never stored, and removing a data source from the state destroys nothing.
        return Class::Text;
    }
    Class::of_unapproved(kind)
}

/// The class of an action instead of an approved one; `None` if they are the same.
pub(super) fn changed(approved: &Action, now: &Action) -> Option<Class> {
    if approved == now {
        return None;
    }
    let kind = |action| Kind::of_action(action, false, false);
    Some(match (kind(approved), kind(now)) {
        // Even if a replacement was approved, the object is not created again.
        (_, Kind::Destroy) => Class::Destroy,
        (Kind::Replace, Kind::Replace) => Class::Action,
        (_, Kind::Replace) => Class::Destroy,
        // Nothing is destroyed any more. Changes in place are compared value by value.
        (Kind::Replace, Kind::Update) => Class::Less,
        // Nothing is done any more, except for moves and imports, which are compared separately.
        (_, _) if *now == Action::NoOp => Class::Less,
        _ => Class::Action,
    })
}

//! Classifies an action against the approved one.

use super::Class;
use crate::model::Action;
use crate::review::ChangeKind;

/// The class of an action on an object without an approved one.
pub(super) fn new(mode: &str, action: &Action, kind: ChangeKind) -> Class {
    if crate::review::unlisted(mode, action).is_some() {
        // Ephemeral objects are never stored, and removing a data source from the state destroys nothing.
        return Class::Text;
    }
    Class::unapproved(kind)
}

/// The class of an action instead of an approved one; `None` if they are the same.
pub(super) fn changed(approved: &Action, now: &Action) -> Option<Class> {
    if approved == now {
        return None;
    }
    let kind = |action| ChangeKind::from_action(action, false, false);
    Some(match (kind(approved), kind(now)) {
        // Even if a replacement was approved, the object is not created again.
        (_, ChangeKind::Destroy) => Class::Destroy,
        (ChangeKind::Replace, ChangeKind::Replace) => Class::Action,
        (_, ChangeKind::Replace) => Class::Destroy,
        // Nothing is destroyed any more. Changes in place are compared value by value.
        (ChangeKind::Replace, ChangeKind::Update) => Class::Less,
        // Nothing is done any more, except for moves and imports, which are compared separately.
        (_, _) if *now == Action::NoOp => Class::Less,
        _ => Class::Action,
    })
}

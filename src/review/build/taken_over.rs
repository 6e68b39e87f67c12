//! Finds grants that one object of a plan gives up and another takes over: nobody gains or loses anything by them.
//!
//! ```text
//! - google_project_iam_member.a   roles/editor, user:ci@example.com
//! + google_project_iam_binding.b  roles/editor, [user:ci@example.com]       same, both
//! ```

use bumpalo::Bump;
use foldhash::fast::RandomState;

use crate::diff::Error;
use crate::diff::edits::Edit;
use crate::diff::value::{Builder, MarkedValue};
use crate::direction::{Direction, Meaning};
use crate::json::{Raw, Value};
use crate::meaning::{Documents, GrantIndex, grants_of, is_grant};
use crate::model::Action;
use crate::model::plan::{Plan, ResourceChange};
use crate::review::entry::{Entry, ExactEdits};
use crate::schema::Position;

/// Gives objects that are created or destroyed the direction `same` if all that they grant is granted before and after
/// the plan by other objects of it.
///
/// # Errors
/// If a value of a change is malformed.
pub(super) fn judge<'a>(
    entries: &mut [Entry<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    let is_meant = |change: &&ResourceChange<'a>| {
        change.is_managed() && change.deposed.is_empty() && is_grant(&change.resource_type)
    };
    let changes: Vec<_> = plan.resource_changes.iter().filter(is_meant).collect();
    let comes_or_goes = |change: &&ResourceChange<'a>| {
        matches!(change.change.actions, Action::Create | Action::Delete)
    };
    if changes.len() < 2 || !changes.iter().any(comes_or_goes) {
        return Ok(());
    }
    let hasher = arena.alloc(RandomState::default());
    let build = Builder::new(arena, hasher);
    let documents = Documents::new(build);
    let (mut before, mut after) = (GrantIndex::default(), GrantIndex::default());
    let mut alone = Vec::new();
    for change in changes {
        let [was, is] = sides(change, build, arena)?;
        let resource_type = &*arena.alloc_str(&change.resource_type);
        let [was, is] = [was, is].map(|side| grants_of(resource_type, side, &documents));
        if let (Some(was), Some(is)) = (was, is) {
            match change.change.actions {
                Action::Create => alone.push((&*change.address, is.clone(), true)),
                Action::Delete => alone.push((&*change.address, was.clone(), false)),
                Action::NoOp
                | Action::Read
                | Action::Update
                | Action::DeleteThenCreate
                | Action::CreateThenDelete
                | Action::Forget
                | Action::ForgetThenCreate
                | Action::CreateThenForget
                | Action::Open
                | Action::Unknown(_) => {}
            }
            before.insert(&was);
            after.insert(&is);
        }
    }
    for (address, grants, is_created) in alone {
        let others = if is_created { &before } else { &after };
        if !others.cover(&grants) {
            continue;
        }
        let found = entries
            .iter_mut()
            .find(|entry| entry.address == address && entry.deposed.is_empty());
        if let Some(entry) = found {
            set_same(entry, arena);
        }
    }
    Ok(())
}

/// Returns both sides of a change, with what is known only after apply.
fn sides<'a>(
    change: &ResourceChange<'a>,
    build: Builder<'a, 'a>,
    arena: &'a Bump,
) -> Result<[MarkedValue<'a>; 2], Error> {
    let [before, after] = change.change.values();
    let unknown = Raw::value_or_null(change.change.after_unknown, arena)?;
    let marks = [
        change.change.before_sensitive,
        change.change.after_sensitive,
    ];
    let [was_marked, is_marked] = marks.map(|marks| Raw::marks_or_null(marks, arena));
    Ok([
        build.build(before, Value::Null, was_marked?, Position::Unspecified)?,
        build.build(after, unknown, is_marked?, Position::Unspecified)?,
    ])
}

/// Sets the meaning of an object that comes or goes.
fn set_same<'a>(entry: &mut Entry<'a>, arena: &'a Bump) {
    let meaning = Meaning::from(Direction::Same);
    let edits: Vec<Edit<'a>> = entry
        .exact_edits
        .exact()
        .iter()
        .map(|edit| Edit { meaning, ..*edit })
        .collect();
    entry.exact_edits = ExactEdits::new(arena.alloc_slice_copy(&edits));
    entry.own_meaning = meaning;
    entry.meaning = meaning;
}

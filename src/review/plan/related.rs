//! Relations between the entries of a plan: causes, and drift that the plan depends on.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use bumpalo::Bump;

use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::{MarkedValue, Redactor};
use crate::diff::{Error, Paths, RelevantPaths};
use crate::model::Action;
use crate::model::plan::Plan;
use crate::review::ChangeKind;
use crate::review::access;
use crate::review::causes::Causes;
use crate::review::entry::Entry;
use crate::review::findings::policy_documents;
use crate::review::text::root_name;

/// The maximum number of attributes per entry that are traced to their causes.
const MAX_TRACED: usize = 32;

/// Adds the causes of attributes that force a replacement or become unknown, and what the configuration gives to
/// entries that create an object, and to those with attributes that become unknown.
pub(super) fn find_causes<'a>(entries: &mut [Entry<'a>], plan: &Plan<'a>, redactor: Redactor<'a>) {
    let listed = plan.resource_changes.iter().enumerate().filter(|(_, change)| !change.is_silent());
    let causes = LazyCell::new(|| Causes::new(plan, redactor.arena));
    let expected = expected(entries, redactor);
    for (entry, (at, _)) in entries.iter_mut().zip(listed) {
        let attributes = effects(entry);
        if !attributes.is_empty() {
            entry.causes = causes.find(at, &attributes);
            for cause in &mut entry.causes {
                cause.expected = expected.get(cause.address).copied().unwrap_or_default();
            }
        }
        let created = match entry.edits {
            [edit] if edit.path.is_empty() && edit.before.is_none() => edit.after,
            _ => None,
        };
        let becomes_unknown = |edit: &Edit<'a>| edit.after.is_some_and(MarkedValue::has_unknown);
        let unknown: HashSet<&str> = match created {
            Some(object) => {
                let members = object.as_object().unwrap_or_default().iter();
                members.filter(|(_, value)| value.has_unknown()).map(|(name, _)| *name).collect()
            }
            None => entry.edits.iter().filter(|edit| becomes_unknown(edit)).map(root_name).collect(),
        };
        if created.is_some() || !unknown.is_empty() {
            entry.given = causes.given(at, |name| unknown.contains(name));
        }
    }
}

/// The known statements of the policy documents that are read during apply, by address.
pub(super) fn expected<'a>(entries: &[Entry<'a>], redactor: Redactor<'a>) -> HashMap<&'a str, &'a [&'a str]> {
    let texts = |(address, document)| {
        let texts = access::expected(document);
        let texts: Vec<&'a str> = texts.iter().map(|text| redactor.text(text)).collect();
        (address, &*redactor.arena.alloc_slice_copy(&texts))
    };
    policy_documents(entries).map(texts).collect()
}

/// The attributes that force the replacement of an entry's object, and those that become unknown.
fn effects<'a>(entry: &Entry<'a>) -> Vec<&'a str> {
    let kind = ChangeKind::from_action(&entry.action, false, false);
    let is_known = !matches!(entry.action, Action::Unknown(_) | Action::Open);
    if !is_known || !matches!(kind, ChangeKind::Update | ChangeKind::Replace | ChangeKind::ReplaceForget) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for path in entry.replace_paths.as_array().unwrap_or_default() {
        names.extend(path.as_array().and_then(|steps| steps.first()?.as_str()));
    }
    let was_known = |edit: &&Edit<'a>| {
        edit.before.is_some_and(|value| !value.is_null()) && edit.after.is_some_and(MarkedValue::has_unknown)
    };
    if entry.action == Action::Update {
        names.extend(entry.edits.iter().filter(was_known).map(root_name).filter(|name| !name.is_empty()));
    }
    let mut known = HashSet::new();
    names.retain(|name| known.insert(*name));
    names.truncate(MAX_TRACED);
    names
}

/// Marks each drift as relevant if the plan depends on one of its changed attributes.
pub(super) fn mark_relevant<'a>(
    drift: &mut [Entry<'a>],
    plan: &Plan<'a>,
    arena: &'a Bump,
) -> Result<(), Error> {
    if drift.is_empty() {
        return Ok(());
    }
    let paths = RelevantPaths::new(plan, arena)?;
    for entry in drift {
        let relevant = paths.at(entry.address);
        let is_relevant = |edit: &Edit<'a>| leads_to(relevant, edit.path);
        entry.relevant = Some(relevant.may_match() && entry.edits.iter().any(is_relevant));
    }
    Ok(())
}

/// Whether one of `paths` equals `path`, or is a parent or child of it.
fn leads_to<'a>(mut paths: Paths<'a>, path: Path<'a>) -> bool {
    for step in path.steps() {
        paths = match step {
            Step::Name(name) => paths.key(name),
            Step::Element(element) => {
                let place = element.before.or(element.after).unwrap_or_default();
                paths.index(place as usize)
            }
            // What leads to a string leads to the document in it.
            Step::Document(_) => break,
        };
    }
    paths.may_match()
}

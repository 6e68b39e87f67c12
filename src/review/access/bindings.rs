//! Writes policies of Google Cloud as lines: one for what each role gains and one for what it loses.
//!
//! ```text
//! before  {"bindings":[{"role":"roles/viewer","members":["user:a@example.com"]}]}
//! after   {"bindings":[{"role":"roles/viewer","members":["user:b@example.com"]}]}
//!
//! - roles/viewer for user:a@example.com
//! + roles/viewer for user:b@example.com
//! ```
//!
//! Other members of a policy, such as what is audited, are shown below by their edits.

use super::policy::replaced;
use super::{AccessChange, AccessLine, ElementPlace, Part, bare, fits, policy_texts};
use crate::access::{Bindings, Grant};
use crate::diff::edits::{Edit, Format};
use crate::diff::value::{MarkedValue, Redactor};
use crate::meaning::Documents;
use crate::report::{Sign, Tone};
use crate::review::inline::short;
use crate::review::paths::root_name;

/// The maximum length of another member of a policy that comes or goes, in characters.
const MAX_OTHER_LEN: usize = 200;

/// Returns the change of a policy of Google Cloud as lines. `None` if the edit is not one of such a policy, or if the
/// lines would not show a part of it.
pub(super) fn change<'w, 'a: 'w>(
    edit_index: usize,
    edit: &Edit<'a>,
    documents: &Documents<'w>,
) -> Option<AccessChange<'a>> {
    if !fits(edit, &[]) {
        return None;
    }
    let read = |text: Option<&'a str>| match text {
        None => Some(Bindings::default()),
        Some(text) => Bindings::new(documents.json(text)?),
    };
    let [before, after] = policy_texts(edit, Bindings::MEMBER)?;
    let (mut lines, others) = compared(&read(before)?, &read(after)?);
    // Other members are shown by their edits, which exist if both sides hold a policy.
    let inside = edit.inside.filter(|inside| inside.format == Format::Json);
    let edits = inside.map_or(&[][..], |inside| inside.edits);
    let edited = |name: &str| edits.iter().map(root_name).find(|root| *root == name);
    let others = others.into_iter().map(edited).collect::<Option<Vec<_>>>()?;
    if lines.is_empty() && edited(Bindings::MEMBER).is_some() {
        let same = "the bindings are written differently and give the same";
        lines.push(AccessLine::note(same, Tone::Muted));
    }
    let change = AccessChange::of_text(edit_index, edit, Bindings::MEMBER, lines)?;
    Some(AccessChange { others, ..change })
}

/// Returns the lines of the policies of Google Cloud in an object that is created or destroyed.
pub(super) fn of_object<'w, 'a: 'w>(
    object: MarkedValue<'a>,
    sign: Sign,
    redactor: Redactor<'a>,
    documents: &Documents<'w>,
) -> Vec<AccessChange<'a>> {
    AccessChange::of_texts(object, redactor, Bindings::MEMBER, |text| {
        let policy = Bindings::new(documents.json(text)?)?;
        let grants = policy.grants.iter();
        let lines = grants.map(|grant| line(grant, sign, &members(grant)));
        // A policy that is created or destroyed has no edits of its members, so the lines say everything.
        let others = policy.head.iter();
        let others = others.filter(|(name, _)| !matches!(*name, "version" | "etag"));
        let others = others.map(|(name, value)| {
            let text = format!("{} = {}", bare(name), short(*value, MAX_OTHER_LEN));
            AccessLine::new(0, sign, vec![Part::text(text)])
        });
        Some(lines.chain(others).collect())
    })
}

/// Returns the line of a grant for these members: `roles/viewer for user:a@example.com`.
fn line(grant: &Grant<'_>, sign: Sign, members: &[&str]) -> AccessLine {
    let role = grant.action_names().next().unwrap_or_default();
    let mut parts = vec![Part::text(format!("{} for ", bare(role)))];
    parts.push(Part::of(
        Tone::Plain,
        members.iter().map(|member| bare(member)).collect(),
    ));
    if !grant.conditions.list.is_empty() {
        parts.push(Part::text(" if "));
        let texts = grant.conditions.list.iter().map(|term| bare(term.name));
        parts.push(Part::of(Tone::Plain, texts.collect()));
    }
    AccessLine::new(0, sign, parts).about(ElementPlace::on_side(sign, grant.index))
}

/// Returns the members of a grant.
fn members<'a>(grant: &Grant<'a>) -> Vec<&'a str> {
    grant.principals.list.iter().map(|term| term.name).collect()
}

/// Returns who gains or loses which role, and the names of the other members of the policy that differ.
fn compared<'a>(before: &Bindings<'a>, after: &Bindings<'a>) -> (Vec<AccessLine>, Vec<&'a str>) {
    let (mut lines, mut others) = (Vec::new(), Vec::new());
    let find = |head: &[(&str, MarkedValue<'_>)], name: &str| {
        let member = head.iter().find(|(key, _)| *key == name);
        member.and_then(|(_, value)| value.content.scalar_text().map(bare))
    };
    for (name, value) in before.head.iter().chain(&after.head) {
        let sides = [&before.head, &after.head].map(|head| find(head, name));
        let is_version = *name == "version";
        let is_same = [&before.head, &after.head].iter().all(|head| {
            head.iter()
                .any(|(member_name, other)| member_name == name && other == value)
        });
        // The service writes the `etag`, which says nothing if there is no policy on the other side.
        let is_only_etag = *name == "etag" && (before.is_nothing() || after.is_nothing());
        if !(is_version || is_same || is_only_etag || others.contains(name)) {
            others.push(*name);
        }
        if let ([Some(old), Some(new)], true) = (&sides, is_version && lines.is_empty())
            && old != new
        {
            lines.push(AccessLine::new(0, Sign::Change, replaced(name, old, new)));
        }
    }
    for (side, other, sign) in [(before, after, Sign::Remove), (after, before, Sign::Add)] {
        for grant in &side.grants {
            let known = other.like(grant).map(|index| members(&other.grants[index]));
            let known = known.unwrap_or_default();
            let mut missing = members(grant);
            missing.retain(|member| known.binary_search(member).is_err());
            if !missing.is_empty() {
                lines.push(line(grant, sign, &missing));
            }
        }
    }
    (lines, others)
}

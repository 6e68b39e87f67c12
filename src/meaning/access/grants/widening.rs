//! What a change of grants widens, in words, for findings.
//!
//! ```text
//! role: roles/viewer -> roles/owner for user:ana@acme.com
//! principal_org_id: no longer only o-a1b2c3d4e5; lambda:InvokeFunction for *
//! ```

use super::form::{self, Form, Holder, Part, Reading, words_of};
use super::grant::{About, Grant, Purpose, uncovered};
use super::order::Order;
use super::principals::azure_role_name;
use super::set::Words;
use super::{Differences, ObjectChange, form_of};
use crate::direction::Direction;
use crate::text::first_of;

/// The maximum number of words or grants that a text names.
const MAX_NAMED: usize = 3;

/// Roles and privileges that give all others, or the right to give them: the last part of their names, in lower case.
const PRIVILEGED: [&str; 31] = [
    "*",
    "accountadmin",
    "admin",
    "administrator",
    "administratoraccess",
    "all",
    "all privileges",
    "atlasadmin",
    "full_control",
    "group_owner",
    "iam.securityadmin",
    "iam.serviceaccounttokencreator",
    "maintain",
    "org_owner",
    "orgadmin",
    "organizationadmin",
    "owner",
    "ownership",
    "resourcemanager.folderiamadmin",
    "resourcemanager.organizationadmin",
    "resourcemanager.projectiamadmin",
    "role based access control administrator",
    "root",
    "securityadmin",
    "super",
    "super_admin",
    "superuser",
    "sysadmin",
    "user access administrator",
    "editor",
    "privileged role administrator",
];

/// Principals that are everybody, or everybody who has an account, in lower case.
const EVERYBODY: [&str; 16] = [
    "*",
    "all",
    "allusers",
    "allauthenticatedusers",
    "public",
    "everyone",
    "0.0.0.0/0",
    "::/0",
    "%",
    "user:*",
    "any_identity",
    "system:allusers",
    "system:allauthenticatedusers",
    "http://acs.amazonaws.com/groups/global/allusers",
    "http://acs.amazonaws.com/groups/global/authenticatedusers",
    "iam_allowed_principals",
];

/// Something that a change widens, or makes weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Widening {
    /// The names that lead to the attribute; none for an object that is created.
    pub(crate) place: Vec<&'static str>,
    /// `wider` or `weaker`.
    pub(crate) direction: Direction,
    /// What becomes possible, on one line, without the address.
    pub(crate) text: String,
    /// What the values of the attribute do not show, in words.
    pub(crate) means: Option<&'static str>,
    /// Whether it is for everybody, or gives all rights.
    pub(crate) is_grave: bool,
}

/// Returns what the change of an object widens, as far as the model of grants is sure of it. Of objects that are created
/// only what is for everybody, gives all rights, or is a key.
pub(crate) fn widenings(change: &ObjectChange<'_, '_>) -> Vec<Widening> {
    let Some(form) = form_of(change.resource_type) else {
        return Vec::new();
    };
    match (change.before.is_null(), change.after.is_null()) {
        (true, false) => of_created(form, change).into_iter().collect(),
        (false, false) => of_changed(form, change),
        (_, true) => Vec::new(),
    }
}

/// Returns what an object that is created gives, if it is grave.
fn of_created(form: &'static Form, change: &ObjectChange<'_, '_>) -> Option<Widening> {
    let is_grant = form.holder == Holder::Grant;
    let grants = form::grants_of(form, change.after, change.documents)?;
    let grants: Vec<_> = grants
        .into_iter()
        .filter(|grant| matches!(grant.purpose, Purpose::Grants | Purpose::Trusts))
        .filter(|grant| !grant.is_empty())
        .collect();
    let grave = grants.iter().find(|grant| is_grave(grant));
    if let (true, Some(grant)) = (is_grant, grave) {
        return Some(Widening {
            place: Vec::new(),
            direction: Direction::Wider,
            text: words_of_grant(grant),
            means: None,
            is_grave: true,
        });
    }
    let key = form.is_key.then(|| grants.first()).flatten()?;
    let whose = words_about(key, About::Who).or_else(|| words_about(key, About::Where));
    Some(Widening {
        place: Vec::new(),
        direction: Direction::Wider,
        text: match whose {
            Some(whose) => format!("a new credential for {whose}"),
            None => "a new credential".to_owned(),
        },
        means: None,
        is_grave: false,
    })
}

/// Returns what the attributes that differ widen.
fn of_changed(form: &'static Form, change: &ObjectChange<'_, '_>) -> Vec<Widening> {
    let differences = Differences { form, change };
    let sides = [change.before, change.after];
    let [purpose, is] = sides.map(|side| form.purpose_of(side, change.documents));
    if purpose != is {
        return Vec::new();
    }
    let mut widenings = Vec::new();
    for part in form.parts.iter().filter(|part| differences.differs(part)) {
        let Some(directions) = differences.part(part, part.purpose.unwrap_or(purpose)) else {
            continue;
        };
        let found = [Direction::Wider, Direction::Weaker];
        let Some(direction) = found.into_iter().find(|found| directions.contains(*found)) else {
            continue;
        };
        let Some((text, is_grave)) = described(form, change, part) else {
            continue;
        };
        // One more who may do what others may is told by the edit itself, as one that is created is.
        let is_one_more = direction == Direction::Wider && !is_grave && is_about_principals(part);
        // Something else instead of what was there before is another thing rather than more, unless it is grave.
        let is_else = directions.contains(direction.reverse()) && !is_grave;
        if !is_one_more && !is_else {
            widenings.push(Widening {
                place: part.place.split('.').collect(),
                direction,
                text,
                means: meaning_of_scope(change, part),
                is_grave: is_grave && direction == Direction::Wider,
            });
        }
    }
    widenings
}

/// Whether a part names who has something: the principals of one grant, or grants with principals.
fn is_about_principals(part: &Part) -> bool {
    let is_who = |part: &Part| matches!(part.reading, Reading::Any(About::Who, ..));
    match part.reading {
        Reading::Grants(parts) => parts.iter().any(is_who),
        Reading::Any(..) | Reading::All(_) | Reading::Means(_) => is_who(part),
    }
}

/// Returns what the scope of Azure after the change is, if it is larger than a group of resources.
fn meaning_of_scope(change: &ObjectChange<'_, '_>, part: &Part) -> Option<&'static str> {
    if !matches!(part.reading, Reading::Any(_, Order::AzureScope, _)) {
        return None;
    }
    let (_, _, words) = words_of(change.after, part, change.documents)?;
    let depth = |scope: &str| scope.trim_matches('/').split('/').count();
    let scope = words.texts().min_by_key(|scope| depth(scope))?;
    let scope = scope.trim_matches('/').to_ascii_lowercase();
    match depth(&scope) {
        2 if scope.starts_with("subscriptions/") => Some("the whole subscription"),
        _ if scope.starts_with("providers/microsoft.management/") => {
            Some("the whole management group")
        }
        _ => None,
    }
}

/// Returns what the change of a part widens in words, and whether it is grave. `None` if it is told with its twin.
fn described(
    form: &'static Form,
    change: &ObjectChange<'_, '_>,
    part: &Part,
) -> Option<(String, bool)> {
    let documents = change.documents;
    let sides = [change.before, change.after];
    let name = part.place.rsplit('.').next().unwrap_or(part.place);
    if let Reading::Grants(parts) = part.reading {
        let [was, is] = sides.map(|side| form::listed(side, part, parts, documents));
        let (was, is) = (was?, is?);
        let new = uncovered(&is, &was);
        if new.is_empty() {
            // A list that refuses or guards has lost something.
            let gone = uncovered(&was, &is);
            let words = first_of(gone.iter().map(words_of_grant), MAX_NAMED);
            return Some((format!("{name}: no longer {words}"), false));
        }
        let is_grave = new.iter().any(is_grave);
        let words = first_of(new.iter().map(words_of_grant), MAX_NAMED);
        return Some((format!("{name}: adds {words}"), is_grave));
    }
    let [was, is] = sides.map(|side| words_of(side, part, documents));
    let ((about, _, was), (_, _, is)) = (was?, is?);
    if part.twin.is_some() && (was == Words::Unknown || is == Words::Unknown) {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (was.texts().collect(), is.texts().collect());
    let gone: Vec<&str> = old
        .iter()
        .copied()
        .filter(|text| !new.contains(text))
        .collect();
    let added: Vec<&str> = new
        .iter()
        .copied()
        .filter(|text| !old.contains(text))
        .collect();
    let [gone_words, added_words] = [&gone, &added].map(|list| named(list));
    let changed = match (added.is_empty(), gone.is_empty()) {
        (true, _) if is == Words::Everything => format!("{name}: no longer only {gone_words}"),
        (true, _) => format!("{name}: no longer {gone_words}"),
        (false, true) if old.is_empty() => format!("{name}: {added_words}"),
        (false, true) => format!("{name}: adds {added_words}"),
        (false, false) => format!("{name}: {gone_words} -> {added_words}"),
    };
    let grants = form::grants_of(form, change.after, documents).unwrap_or_default();
    let Some(grant) = grants.first().filter(|_| form.holder == Holder::Grant) else {
        let is_grave = about == About::Who && added.iter().any(|text| is_everybody(text));
        return Some((changed, is_grave));
    };
    let what = (about != About::What)
        .then(|| words_about(grant, About::What))
        .flatten();
    let who = (about != About::Who)
        .then(|| words_about(grant, About::Who))
        .flatten();
    let text = match (about, what, who) {
        (About::What, _, Some(who)) => format!("{changed} for {who}"),
        (_, Some(what), Some(who)) => format!("{changed}; {what} for {who}"),
        (_, Some(what), None) => format!("{changed}; {what}"),
        (_, None, Some(who)) => format!("{changed}; for {who}"),
        (_, None, None) => changed,
    };
    let is_grave = match about {
        About::Who => added.iter().any(|text| is_everybody(text)),
        About::What => added.iter().any(|text| is_privileged(text)),
        // The same grant holds for more objects, or with fewer limits.
        About::Where | About::Limits => is_grave(grant),
    };
    Some((text, is_grave))
}

/// Whether a grant is for everybody, or gives all rights.
fn is_grave(grant: &Grant<'_>) -> bool {
    grant.texts(About::Who).any(is_everybody) || grant.texts(About::What).any(is_privileged)
}

/// Whether a principal is everybody.
fn is_everybody(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let is_pool = text.starts_with("principalset:") && text.ends_with("/*");
    EVERYBODY.contains(&&*text) || text.starts_with("everyone") || is_pool
}

/// Whether a role or privilege gives all others.
fn is_privileged(text: &str) -> bool {
    let name = azure_role_name(text).trim_matches('"').to_ascii_lowercase();
    PRIVILEGED.contains(&&*name)
}

/// Returns a grant in words: `roles/owner for user:ana@acme.com`.
fn words_of_grant(grant: &Grant<'_>) -> String {
    let what = words_about(grant, About::What);
    let who = words_about(grant, About::Who);
    match (what, who) {
        (Some(what), Some(who)) => format!("{what} for {who}"),
        (Some(words), None) | (None, Some(words)) => words,
        (None, None) => words_about(grant, About::Where).unwrap_or_else(|| "a rule".to_owned()),
    }
}

/// Returns what a grant says about something in words; `None` if it says nothing that is known.
fn words_about(grant: &Grant<'_>, about: About) -> Option<String> {
    // Switches are no names.
    let words: Vec<&str> = grant
        .texts(about)
        .filter(|text| !matches!(*text, "true" | "false"))
        .collect();
    (!words.is_empty()).then(|| named(&words))
}

/// Returns the first of some words.
fn named(words: &[&str]) -> String {
    first_of(words.iter().map(|word| azure_role_words(word)), MAX_NAMED)
}

/// Returns a word for a text: the identifier of a built-in role of Azure by its name.
fn azure_role_words(word: &str) -> &str {
    match azure_role_name(word) {
        name if word.ends_with(name) => word,
        name => name,
    }
}

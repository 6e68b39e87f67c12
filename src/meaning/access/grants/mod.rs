//! Grants that are written as resources: who × what × where × limits, with a purpose.
//!
//! Each system has a module with its forms: which attribute of a type says who, what, where and under which limits. An
//! object is read by its form, and its sets before and after are compared. An attribute is judged by its own
//! dimension; an object that is created or destroyed by what it is for.
//!
//! ```text
//! google_project_iam_member: role roles/viewer -> roles/editor       Judgement { place: ["role"], wider }
//! aws_lambda_permission: principal_org_id "o-a" -> null              Judgement { place: ["principal_org_id"], wider }
//! ```

mod answer;
mod aws;
mod azure;
mod condition;
mod databases;
mod form;
mod google;
mod grant;
mod identity;
mod order;
mod principals;
mod repositories;
mod scopes;
mod services;
mod set;
mod table;
#[cfg(test)]
mod tests;
mod widening;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::{Documents, Judgement, ObjectChange};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions};
use crate::glob;
use answer::Answer;
use form::{Absent, Form, Found, Holder, Part, Reading, is_rest, words_of};
use grant::About;
pub(crate) use grant::GrantIndex;
use grant::{Grant, Purpose, compare};
use order::Order;
use set::{Word, Words};
pub(crate) use widening::{Widening, widenings};

/// The forms of all systems. Of two that fit a type, the first is used.
static FORMS: [&[Form]; 6] = [
    google::FORMS,
    azure::FORMS,
    aws::FORMS,
    databases::FORMS,
    repositories::FORMS,
    identity::FORMS,
];

/// The forms whose types are exact names, by type.
static BY_TYPE: LazyLock<HashMap<&'static str, &'static Form>> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for form in all_forms() {
        for name in form.types.iter().filter(|name| !name.contains('*')) {
            forms.entry(*name).or_insert(form);
        }
    }
    forms
});

/// Returns the forms of all systems.
fn all_forms() -> impl Iterator<Item = &'static Form> {
    FORMS.into_iter().flatten().chain(services::FORMS)
}

/// Returns the form of a type.
fn form_of(resource_type: &str) -> Option<&'static Form> {
    if let Some(form) = BY_TYPE.get(resource_type) {
        return Some(form);
    }
    all_forms().find(|form| {
        let mut patterns = form.types.iter().filter(|name| name.contains('*'));
        patterns.any(|pattern| glob::matches(pattern, resource_type))
    })
}

/// Returns what the change of an object does to who may do or reach what; `None` if its type is not known here.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let form = form_of(change.resource_type)?;
    let (before, after) = (change.before, change.after);
    Some(match (before.is_null(), after.is_null()) {
        (true, true) => Vec::new(),
        (true, false) => whole(form, after, change.documents),
        (false, true) => whole(form, before, change.documents)
            .into_iter()
            .filter(|_| form.holder == Holder::Grant)
            .map(|judgement| Judgement {
                directions: judgement.directions.reverse(),
                ..judgement
            })
            .collect(),
        (false, false) => Differences { form, change }.judgements(),
    })
}

/// Whether objects of a type are grants, and nothing else.
pub(crate) fn is_grant(resource_type: &str) -> bool {
    form_of(resource_type).is_some_and(|form| form.holder == Holder::Grant)
}

/// Returns the grants of an object that is nothing else, none for null; `None` if its type is not known here, or if they
/// cannot be read.
pub(crate) fn grants_of<'w>(
    resource_type: &'w str,
    object: MarkedValue<'w>,
    documents: &Documents<'w>,
) -> Option<Vec<Grant<'w>>> {
    let form = form_of(resource_type).filter(|form| form.holder == Holder::Grant)?;
    let mut grants = form::grants_of(form, object, documents)?;
    // Members, bindings and policies of one service say the same of it, those of another something else.
    let stem = resource_type.split("_iam_").next().unwrap_or_default();
    let family = match form.family {
        "" => resource_type,
        _ if form.rest_is_where => stem,
        family => family,
    };
    for grant in &mut grants {
        grant.family = family;
    }
    Some(grants)
}

/// A role of Google Cloud that a member has, on a scope that both sides of a comparison share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoleOfMember<'g> {
    /// The role: `roles/viewer`.
    pub(crate) role: &'g str,
    /// The member: `user:ana@acme.com`.
    pub(crate) member: &'g str,
    /// The expression of the condition; empty if it has none.
    pub(crate) condition: &'g str,
}

impl RoleOfMember<'_> {
    /// Whether this one gives all that another gives, for certain.
    pub(crate) fn covers(self, other: Self) -> bool {
        Order::GoogleRole.covers(self.role, other.role) == Answer::Yes
            && Order::GoogleMember.covers(self.member, other.member) == Answer::Yes
            && Order::Cel.covers(self.condition, other.condition) == Answer::Yes
    }
}

/// Returns what it means that an object exists at all, as the direction of its creation.
fn whole<'w>(
    form: &Form,
    object: MarkedValue<'w>,
    documents: &Documents<'w>,
) -> Vec<Judgement<'w>> {
    let purpose = form.purpose_of(object, documents);
    if form.holder == Holder::Grant {
        let grants = form::grants_of(form, object, documents);
        // A form that does not find the attributes of who and what says nothing about them.
        let is_read = form.parts.iter().any(|part| {
            let name = part.place.split('.').next().unwrap_or_default();
            matches!(
                part.reading,
                Reading::Any(About::Who, ..) | Reading::Grants(_)
            ) && object.get(name).is_some()
        });
        let is_empty = is_read && grants.is_some_and(|grants| grants.iter().all(Grant::is_empty));
        if is_empty {
            return vec![Judgement::new(&[], Direction::New)];
        }
        let mut directions: Directions = purpose.created().into();
        if purpose == Purpose::Filters
            && form
                .parts
                .iter()
                .any(|part| is_open(part, object, documents))
        {
            // It lets pass what a filter above it, or the default, may not.
            directions.insert(Direction::Wider);
        }
        return vec![Judgement {
            place: Vec::new(),
            directions,
        }];
    }
    // An object that is something else besides is judged by it only where it lets in more than it does by itself.
    let opens = |part: &Part| {
        let purpose = part.purpose.unwrap_or(form.purpose);
        if !matches!(purpose, Purpose::Grants | Purpose::Trusts) {
            return false;
        }
        if let Reading::Grants(parts) = part.reading {
            let grants = form::listed(object, part, parts, documents);
            return grants.is_some_and(|grants| !grants.iter().all(Grant::is_empty));
        }
        let (Reading::Any(_, _, absent), Some((_, order, words))) =
            (part.reading, words_of(object, part, documents))
        else {
            return false;
        };
        let base = match absent {
            Absent::Everything => return false,
            Absent::Nothing => Words::Any(Vec::new()),
            Absent::Is(word) => Words::Any(vec![Word::Text(word)]),
        };
        base.cover(&words, order) == Answer::No
    };
    if form.parts.iter().any(opens) {
        vec![Judgement::new(&[], Direction::Wider)]
    } else {
        Vec::new()
    }
}

/// Whether an attribute that a filter gives has the step that lets everything pass.
fn is_open<'w>(part: &Part, object: MarkedValue<'w>, documents: &Documents<'w>) -> bool {
    let Reading::Any(_, Order::Steps(steps), _) = part.reading else {
        return false;
    };
    let found = Found::at(object, part.place, documents);
    let mut texts = found
        .values
        .iter()
        .filter_map(|value| value.content.scalar_text());
    part.purpose.is_none()
        && texts.any(|text| {
            let text = text.to_ascii_lowercase();
            steps.last().is_some_and(|last| **last == *text)
        })
}

/// The two sides of an object that stays or is replaced, with its form.
struct Differences<'f, 'o, 'w> {
    /// How the object is read.
    form: &'f Form,
    /// The two sides.
    change: &'f ObjectChange<'o, 'w>,
}

impl<'w> Differences<'_, '_, 'w> {
    /// Returns what each attribute that differs means.
    fn judgements(&self) -> Vec<Judgement<'w>> {
        let ObjectChange {
            before,
            after,
            documents,
            ..
        } = *self.change;
        let purposes = [before, after].map(|side| self.form.purpose_of(side, documents));
        let mut judgements = Vec::new();
        if let ([was, is], Some((place, _))) = (purposes, self.form.denies)
            && was != is
        {
            // What refused lets in now, or the other way round, whatever else differs.
            let direction = is.created();
            judgements.push(Judgement::new(&[place], direction));
            let parts = self.form.parts.iter().filter(|part| part.place != place);
            judgements.extend(
                parts
                    .filter(|part| self.differs(part))
                    .map(|part| judgement(part.place, direction.into())),
            );
            return judgements;
        }
        let purpose = purposes[0];
        for part in self.form.parts.iter().filter(|part| self.differs(part)) {
            if let Some(directions) = self.part(part, part.purpose.unwrap_or(purpose)) {
                judgements.push(judgement(part.place, directions));
            }
        }
        if self.form.rest_is_where {
            judgements.extend(self.rest());
        }
        judgements
    }

    /// Whether the values at the place of a part differ.
    fn differs(&self, part: &Part) -> bool {
        let [was, is] = self.found(part.place);
        was.values != is.values
    }

    /// Returns the values at a place on both sides.
    fn found(&self, place: &str) -> [Found<'w>; 2] {
        [self.change.before, self.change.after]
            .map(|side| Found::at(side, place, self.change.documents))
    }

    /// Returns what the change of a part is at once.
    fn part(&self, part: &Part, purpose: Purpose) -> Option<Directions> {
        let documents = self.change.documents;
        let sides = [self.change.before, self.change.after];
        if let Some(directions) = part.twin.and_then(|twin| self.as_twin(part, twin, purpose)) {
            return Some(directions);
        }
        // A block that comes or goes decides; what it does not limit any more was an exception from it.
        let is_in_block = |block: &&Part| {
            matches!(block.reading, Reading::Any(_, Order::Presence, _))
                && part
                    .place
                    .strip_prefix(block.place)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        let block = self.form.parts.iter().find(is_in_block);
        if block.is_some_and(|block| self.is_absent(block.place)) {
            return None;
        }
        match part.reading {
            Reading::Means(direction) => Some(direction.into()),
            Reading::Any(..) | Reading::All(_) => {
                let [was, is] = sides.map(|side| words_of(side, part, documents));
                let ((_, order, was), (_, _, is)) = (was?, is?);
                Some(purpose.directions(was.cover(&is, order), is.cover(&was, order)))
            }
            Reading::Grants(parts) => {
                let [was, is] = sides.map(|side| form::listed(side, part, parts, documents));
                if let (Some(was), Some(is)) = (was, is) {
                    return Some(compare(purpose, &was, &is));
                }
                let direction = if self.is_unknown(part.place) {
                    Direction::Unknown
                } else {
                    Direction::Another
                };
                Some(direction.into())
            }
        }
    }

    /// Returns what the change of a part is at once that is known only after apply on one side, while the attribute
    /// that spells the same is known on both; otherwise `None`.
    fn as_twin(&self, part: &Part, twin: &str, purpose: Purpose) -> Option<Directions> {
        let other = self.form.parts.iter().find(|other| other.place == twin)?;
        let is_known = self
            .found(twin)
            .iter()
            .all(|found| !found.values.is_empty());
        if !self.is_unknown(part.place) && !self.is_absent(part.place)
            || !is_known
            || self.is_unknown(twin)
        {
            return None;
        }
        if self.differs(other) {
            let alone = Part {
                twin: None,
                ..*other
            };
            return self.part(&alone, purpose);
        }
        // What is spelled twice has not changed.
        Some(Direction::Same.into())
    }

    /// Whether a part of the values at a place is known only after apply.
    fn is_unknown(&self, place: &str) -> bool {
        let found = self.found(place);
        let mut values = found.iter().flat_map(|found| &found.values);
        values.any(|value| value.has_unknown())
    }

    /// Whether there is no value at a place on one side.
    fn is_absent(&self, place: &str) -> bool {
        self.found(place)
            .iter()
            .any(|found| found.values.is_empty())
    }

    /// Returns what the change of each attribute means that names what the grant is on.
    fn rest(&self) -> Vec<Judgement<'w>> {
        let members = |side: MarkedValue<'w>| side.as_object().unwrap_or_default();
        let (was, is) = (members(self.change.before), members(self.change.after));
        let mut judgements = Vec::new();
        for (name, old, new) in crate::diff::value::union(was, is) {
            let [old, new] = [old, new].map(|side| side.filter(|value| !value.is_null()));
            if old == new || !is_rest(self.form, name) {
                continue;
            }
            let text = |value: Option<MarkedValue<'w>>| value.and_then(MarkedValue::as_str);
            let is_unknown = [old, new]
                .into_iter()
                .flatten()
                .any(MarkedValue::is_unknown);
            let directions = if is_unknown {
                Direction::Unknown.into()
            } else if text(old).is_some() && text(new).is_some() {
                // Something else: who had it there loses it, and gains it here.
                [Direction::Wider, Direction::Narrower]
                    .into_iter()
                    .collect()
            } else {
                Direction::Another.into()
            };
            judgements.push(Judgement {
                place: vec![name],
                directions,
            });
        }
        judgements
    }
}

/// Makes a judgement of a place that is written with dots.
fn judgement<'w>(place: &'static str, directions: Directions) -> Judgement<'w> {
    Judgement {
        place: place.split('.').collect(),
        directions,
    }
}

//! Defines the one model of who may do what, on what, and when.
//!
//! ```text
//! IAM       {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::logs/*", …}
//! Google    {"role": "roles/viewer", "members": ["group:dev@example.com"]}
//! Vault     path "secret/*" { capabilities = ["read"] }
//!
//!           actions        resources              principals               conditions
//! IAM       s3:GetObject   arn:aws:s3:::logs/*
//! Google    roles/viewer                          group:dev@example.com
//! Vault     read           secret/*
//! ```
//!
//! Everything that asks about permissions uses grants, whatever they were read from: findings, the lines of a review,
//! and [`new_and_lost`](super::new_and_lost).

use crate::diff::value::MarkedValue;

/// One action, resource or principal, or one value of a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Term<'a> {
    /// The kind of a principal, such as `AWS`, or the test of a condition, such as `StringEquals`; otherwise empty.
    pub(crate) kind: &'a str,
    /// The key that a condition tests; otherwise empty.
    pub(crate) key: &'a str,
    /// The action, resource, principal or value.
    pub(crate) name: &'a str,
}

impl<'a> Term<'a> {
    /// Makes a term that has only a name.
    pub(crate) fn new(name: &'a str) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
}

/// The terms of one part of a grant; or, with `NotAction`, `NotResource` or `NotPrincipal`, everything but these terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms<'a> {
    /// Whether the part is everything but the terms.
    pub(crate) are_excluded: bool,
    /// The terms, in the order of the document.
    pub(crate) list: Vec<Term<'a>>,
}

impl<'a> Terms<'a> {
    /// Makes a part that consists of these terms.
    pub(crate) fn of(list: Vec<Term<'a>>) -> Self {
        Self {
            are_excluded: false,
            list,
        }
    }
}

/// The parts of a grant that have terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The actions: what may be done.
    Action,
    /// The resources: on what it may be done.
    Resource,
    /// The principals: who may do it.
    Principal,
    /// The conditions: when it may be done.
    Condition,
}

impl Part {
    /// All parts.
    pub(crate) const ALL: [Self; 4] = [
        Self::Action,
        Self::Resource,
        Self::Principal,
        Self::Condition,
    ];
}

/// A permission or a denial: who may do what, on what, and when. It is a statement of a policy, a binding of a role, or
/// a path of Vault.
///
/// A part without terms says nothing: the policy of a user, for example, has no principals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grant<'a> {
    /// The index in the list of a policy; `None` for a block, and for a statement that is not in a list.
    pub(crate) index: Option<usize>,
    /// The name of the statement (`Sid`); may be empty.
    pub(crate) sid: &'a str,
    /// `Allow` or `Deny`; any other text is an error of the document.
    pub(crate) effect: &'a str,
    /// The actions that are allowed or denied.
    pub(crate) actions: Terms<'a>,
    /// The resources that the actions are for.
    pub(crate) resources: Terms<'a>,
    /// The principals that the grant is about.
    pub(crate) principals: Terms<'a>,
    /// The conditions, all of which must hold.
    pub(crate) conditions: Terms<'a>,
    /// The object that the grant was read from if it is in a document; `None` for a block.
    pub(crate) json: Option<MarkedValue<'a>>,
    /// Whether the parts express everything that the document says.
    pub(crate) is_whole: bool,
}

impl<'a> Grant<'a> {
    /// The effect of a grant that allows.
    pub(crate) const ALLOW: &'static str = "Allow";
    /// The effect of a grant that denies.
    pub(crate) const DENY: &'static str = "Deny";

    /// Returns the terms of a part, whether they are excluded or not.
    pub(crate) fn part(&self, part: Part) -> &Terms<'a> {
        match part {
            Part::Action => &self.actions,
            Part::Resource => &self.resources,
            Part::Principal => &self.principals,
            Part::Condition => &self.conditions,
        }
    }

    pub(crate) fn part_mut(&mut self, part: Part) -> &mut Terms<'a> {
        match part {
            Part::Action => &mut self.actions,
            Part::Resource => &mut self.resources,
            Part::Principal => &mut self.principals,
            Part::Condition => &mut self.conditions,
        }
    }

    /// Returns the terms that a part consists of; none if the part is everything but its terms.
    pub(crate) fn named(&self, part: Part) -> &[Term<'a>] {
        let terms = self.part(part);
        if terms.are_excluded { &[] } else { &terms.list }
    }

    /// Returns the excluded terms of a part; `None` if the part consists of its terms.
    pub(crate) fn excluded(&self, part: Part) -> Option<&[Term<'a>]> {
        let terms = self.part(part);
        terms.are_excluded.then_some(&terms.list)
    }

    /// Returns the condition in the form of the document, if there is one.
    pub(crate) fn json_condition(&self) -> Option<MarkedValue<'a>> {
        let condition = self.json?.get("Condition")?;
        condition
            .as_object()
            .filter(|tests| !tests.is_empty())
            .map(|_| condition)
    }

    pub(crate) fn has_condition(&self) -> bool {
        !self.named(Part::Condition).is_empty() || self.json_condition().is_some()
    }

    pub(crate) fn is_allow(&self) -> bool {
        self.effect == Self::ALLOW
    }

    /// Returns the names of the actions. `NotAction` counts as `*` because it includes actions that are not listed.
    pub(crate) fn action_names(&self) -> impl Iterator<Item = &'a str> {
        let all = self.excluded(Part::Action).map(|_| "*");
        self.named(Part::Action)
            .iter()
            .map(|term| term.name)
            .chain(all)
    }
}

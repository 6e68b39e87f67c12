//! Judges what the edits of a plan mean: each edit gets exactly one meaning, with a direction from a closed set.
//!
//! `docs/meaning.md` has the design. A model judges an object by what it is: who may do what ([`access`]), what a row
//! says that an attribute is, versions, words, and the names that mean the same for every type. Models do not know
//! each other; [`Judgements`](judge::Judgements) asks them in order and gives each edit the meaning of the first that knows it.
//!
//! ```text
//! aws_iam_role_policy.app: policy gains s3:PutObject     Judgement { place: ["policy"], directions: wider }
//! ```

pub(crate) mod access;
mod documents;
pub(crate) mod judge;
pub(crate) mod kubernetes;
pub(crate) mod names;
mod size;
pub(crate) mod version;

pub(crate) use access::{
    GrantIndex, RoleOfMember, Widening, grants_of, is_grant, judge as judge_access, widenings,
};
pub(crate) use documents::Documents;
pub(crate) use size::compare as compare_sizes;

use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions, Meaning};

/// The change of one object that models judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectChange<'o, 'w> {
    /// The type of the object, for example `aws_db_instance`.
    pub(crate) resource_type: &'o str,
    /// The object before the change; null if it is created.
    pub(crate) before: MarkedValue<'w>,
    /// The object after the change; null if it is destroyed. It may be unknown in parts.
    pub(crate) after: MarkedValue<'w>,
    /// Reads the documents in strings, each of which is decoded once.
    pub(crate) documents: &'o Documents<'w>,
}

/// What a model says of one place of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement<'w> {
    /// The names that lead to the place, without elements: `["policy"]`, `["spec", "ingress"]`. Names may continue
    /// into the document in a string. A name that begins with `[` is the key of an element, which alone is meant:
    /// `["set", "[service.type", "value"]`. Edits at the place, below it, and above it get the directions. No names mean the
    /// object as a whole: all of its edits that no other judgement is about.
    pub(crate) place: Vec<&'w str>,
    /// What the change of the place is at once: `same` if both sides allow the same, also if their texts differ;
    /// `another` if the model cannot tell; `unknown` if what is known only after apply decides.
    pub(crate) directions: Directions,
}

impl<'w> Judgement<'w> {
    /// Makes a judgement of one direction.
    pub(crate) fn new(place: &[&'w str], direction: Direction) -> Self {
        Self {
            place: place.to_vec(),
            directions: direction.into(),
        }
    }
}

/// A step to the place that a row of knowledge is about. Documents in strings are not steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PlaceStep<'w> {
    /// The member with this name.
    Name(&'w str),
    /// An element of the list before the change.
    Before(usize),
    /// An element of the list after the change.
    After(usize),
}

/// What a row of knowledge says of one value of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowJudgement<'w> {
    /// The steps that lead to the value.
    pub(crate) place: Vec<PlaceStep<'w>>,
    /// What the change of the value means.
    pub(crate) meaning: Meaning,
}

//! The shape of a plan: what most of its changes have in common, as the sentence at the head of a review.
//!
//! ```text
//! aws_vpc.data gets another cidr_block: it and 9 objects behind it are replaced
//! 39 objects move from module.network.module.vpc to module.vpc
//! Everything in this state is destroyed: 56 objects of 21 types
//! ```
//!
//! Shapes are tried in the order of `PlanShape`, and the first one that fits begins the sentence. After it, the
//! sentence names the gravest findings, by what happens to which object; the entries say by which edit.
//!
//! Invariants: a shape follows from the plan alone; it is never a reason to leave an entry out; finding one takes time
//! linear in the number of edits.

mod facts;
mod instances;
mod kinds;
mod search;
mod versions;

use std::collections::BTreeSet;

use super::entry::Entry;
use super::moves::MoveMapping;
use super::plan::PlanReview;
use super::{count, one_line};
use crate::model::plan::PlanMode;
use crate::text::key;

use facts::noun;
use instances::Instances;
use search::{cascade, destroy_all, import_of_most, move_of_most, shared_change};
use versions::VersionStep;

/// The shape of a plan: what its changes have in common. The order is that in which shapes are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlanShape<'a> {
    /// Every object that the plan lists is destroyed.
    DestroyAll {
        objects: usize,
        types: usize,
        /// Whether the plan says that it is complete, so that it lists every object of the state.
        is_whole_state: bool,
    },
    /// One replacement makes others necessary.
    Cascade {
        /// The object that is replaced first.
        root: &'a str,
        /// The attributes that force its replacement.
        attributes: Vec<&'a str>,
        /// The number of objects that are replaced because of it.
        behind: usize,
    },
    /// Most objects move by the same mapping.
    Move {
        mapping: MoveMapping<'a>,
        objects: usize,
        /// The number of moved objects that change as well.
        changed: usize,
    },
    /// Most objects are imported.
    Import {
        objects: usize,
        types: usize,
        changed: usize,
    },
    /// Most objects change in the same attributes, which are tags or labels, and in nothing else.
    SameAttributes {
        objects: usize,
        types: BTreeSet<&'a str>,
        attributes: Vec<&'a str>,
    },
    /// Most objects have one edit in common.
    SameEdit {
        objects: usize,
        types: BTreeSet<&'a str>,
        edit: String,
    },
    /// Instances of one module go or come as a whole.
    Instances(Instances<'a>),
    /// Objects go from one version to another.
    Versions(VersionStep<'a>),
}

/// Returns the sentence for a plan that can be applied and changes something. `None` if neither a shape nor a finding
/// says more than the counts do.
pub(super) fn sentence(review: &PlanReview<'_>) -> Option<String> {
    if review.errored || review.mode == PlanMode::RefreshOnly {
        return None;
    }
    let shape = PlanShape::find(review);
    let lists_all = matches!(shape, Some(PlanShape::DestroyAll { .. }));
    let mut parts: Vec<String> = shape.iter().map(PlanShape::words).collect();
    if !lists_all {
        let facts = facts::facts(review);
        let listed: Vec<&Entry<'_>> = review.changes.listed().collect();
        if facts.is_empty() {
            parts.extend(kinds::sentence(&listed));
        }
        parts.extend(facts);
    }
    (!parts.is_empty()).then(|| one_line(&format!("{}.", parts.join("; "))))
}

impl<'a> PlanShape<'a> {
    /// Returns the first shape that fits.
    fn find(review: &PlanReview<'a>) -> Option<Self> {
        let entries = &review.changes.resources;
        let listed: Vec<&Entry<'a>> = review.changes.listed().collect();
        destroy_all(review, &listed)
            .or_else(|| cascade(&listed))
            .or_else(|| move_of_most(entries, listed.len()))
            .or_else(|| import_of_most(&listed))
            .or_else(|| instances::find(&listed).map(Self::Instances))
            .or_else(|| versions::find(&listed).map(Self::Versions))
            .or_else(|| shared_change(&listed))
    }

    /// Returns the first part of the sentence, without findings and without a full stop.
    fn words(&self) -> String {
        match self {
            Self::DestroyAll {
                objects,
                types,
                is_whole_state,
            } => {
                let everything = if *is_whole_state {
                    "Everything in this state"
                } else {
                    "Everything in this plan"
                };
                format!(
                    "{everything} is destroyed: {} of {}",
                    count(*objects, "object"),
                    count(*types, "type")
                )
            }
            Self::Cascade {
                root,
                attributes,
                behind,
            } => {
                let why = match attributes.as_slice() {
                    [] => "is replaced".to_owned(),
                    [one] => format!("gets another {}", key(one)),
                    [one, two] => format!("gets another {} and {}", key(one), key(two)),
                    [one, rest @ ..] => format!(
                        "gets another {} and {}",
                        key(one),
                        count(rest.len(), "more attribute")
                    ),
                };
                let others = count(*behind, "object");
                format!("{root} {why}: it and {others} behind it are replaced")
            }
            Self::Move {
                mapping,
                objects,
                changed,
            } => {
                let how = match mapping {
                    MoveMapping::Modules { from, to } => {
                        format!("from {} to {}", module(from), module(to))
                    }
                    MoveMapping::Resource { from, to } => format!("from {from} to {to}"),
                    MoveMapping::Keys { resource } => format!("to other keys of {resource}"),
                };
                format!("{} {how}{}", verb(*objects, "move"), as_well(*changed))
            }
            Self::Import {
                objects,
                types,
                changed,
            } => {
                let are = if *objects == 1 { "is" } else { "are" };
                format!(
                    "{} of {} {are} imported{}",
                    count(*objects, "object"),
                    count(*types, "type"),
                    as_well(*changed)
                )
            }
            Self::SameAttributes {
                objects,
                types,
                attributes,
            } => {
                let names: Vec<_> = attributes.iter().map(|name| key(name)).collect();
                format!("{}: only {}", objects_of(*objects, types), names.join(", "))
            }
            Self::SameEdit {
                objects,
                types,
                edit,
            } => format!("{}: {edit}", objects_of(*objects, types)),
            Self::Instances(instances) => instances.words(),
            Self::Versions(step) => step.words(),
        }
    }
}

/// Returns the name of a module in the sentence.
fn module(address: &str) -> &str {
    if address.is_empty() {
        "the root module"
    } else {
        address
    }
}

/// Returns a number of objects with a verb: `1 object moves`, `3 objects move`.
fn verb(objects: usize, verb: &str) -> String {
    let ending = if objects == 1 { "s" } else { "" };
    format!("{} {verb}{ending}", count(objects, "object"))
}

/// Returns the phrase for the objects that also change; empty if there are none.
fn as_well(changed: usize) -> String {
    match changed {
        0 => String::new(),
        1 => ", 1 of them changes as well".to_owned(),
        more => format!(", {more} of them change as well"),
    }
}

/// Returns a number of objects with their types: `12 × aws_lambda_function`, or `300 objects of 12 types`.
fn objects_of(objects: usize, types: &BTreeSet<&str>) -> String {
    match types.iter().next() {
        Some(only) if types.len() == 1 => count(objects, &noun(only)),
        _ => format!(
            "{} of {}",
            count(objects, "object"),
            count(types.len(), "type")
        ),
    }
}

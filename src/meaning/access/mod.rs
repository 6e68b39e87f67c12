//! Who may do or reach what: one model for every form in which access is written.
//!
//! Each form has a module with a reader, which makes grants of a document or object, and a comparison of the sets
//! before and after. Sets are compared by patterns: any name of an action or object may exist, any key of a condition
//! may be missing in a request. A deny that goes is wider, whatever the policy itself allows.

mod aws;
mod class_set;
mod grants;
mod names;
pub(crate) mod network;
mod patterns;
mod vault;

pub(crate) use aws::new_and_lost;
pub(crate) use grants::{GrantIndex, RoleOfMember, Widening, grants_of, is_grant, widenings};
pub(crate) use network::{Whole, handed_over, judge_firewall};

use super::{Judgement, ObjectChange, kubernetes};

/// Returns what the models of access say of an object; nothing if none knows its type.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let models = [
        network::judge(change),
        aws::judge(change),
        vault::judge(change),
        grants::judge(change),
        kubernetes::judge(change),
    ];
    let mut judgements: Vec<Judgement<'w>> = models.into_iter().flatten().flatten().collect();
    // What a model knows of a place counts, not what its name says.
    let named = network::by_name(change);
    let is_new = |named: &Judgement<'_>| {
        let starts = |judgement: &Judgement<'_>| named.place.starts_with(&judgement.place);
        !judgements.iter().any(starts)
    };
    let named: Vec<Judgement<'w>> = named.into_iter().filter(is_new).collect();
    judgements.extend(named);
    judgements
}

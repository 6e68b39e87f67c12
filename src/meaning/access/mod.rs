//! Who may do or reach what: one model for every form in which access is written.
//!
//! Each form has a module with a reader, which makes grants of a document or object, and a comparison of the sets
//! before and after. Sets are compared by patterns: any name of an action or object may exist, any key of a condition
//! may be missing in a request. A deny that goes is wider, whatever the policy itself allows.

mod aws;
mod class_set;
mod names;
pub(crate) mod network;
mod patterns;
mod vault;

use super::{Judgement, ObjectChange, kubernetes};

/// Returns what the models of access say of an object; nothing if none knows its type.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    if let Some(judgements) = network::judge(change) {
        return judgements;
    }
    if let Some(judgements) = aws::judge(change) {
        return judgements;
    }
    if let Some(judgements) = vault::judge(change) {
        return judgements;
    }
    kubernetes::judge(change).unwrap_or_default()
}

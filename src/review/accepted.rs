//! Findings that a project has looked at and accepts, each with a reason and until a date.
//!
//! Invariants: what is accepted stays a finding, in every format and in the level of the plan; it only violates no gate
//! on findings. Gates on actions do not know of it.

use std::sync::Arc;

use super::finding::{Finding, FindingKind};
use super::text::path_names;
use crate::access::glob_matches;

/// What a project accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    pub kind: FindingKind,
    /// A glob for addresses, or for names of outputs.
    pub address: String,
    /// A glob for paths of names joined by dots, without indices; `None` for findings about the object as a whole.
    pub path: Option<String>,
    /// Why, for whoever reads the review.
    pub reason: String,
    /// The last day on which it holds, as `YYYY-MM-DD`.
    pub until: String,
}

impl Acceptance {
    fn covers(&self, address: &str, finding: &Finding<'_>) -> bool {
        if self.kind != finding.kind || !glob_matches(&self.address, address) {
            return false;
        }
        match &self.path {
            Some(glob) => !finding.path.is_empty() && glob_matches(glob, &path_names(finding.path)),
            None => finding.path.is_empty(),
        }
    }
}

/// The first of the acceptances that covers a finding of an object.
pub(super) fn find(
    accepted: &[Arc<Acceptance>],
    address: &str,
    finding: &Finding<'_>,
) -> Option<usize> {
    accepted
        .iter()
        .position(|acceptance| acceptance.covers(address, finding))
}

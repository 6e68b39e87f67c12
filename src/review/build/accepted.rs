//! Findings that a project has looked at and accepts, each with a reason and until a date.
//!
//! Invariants: what is accepted stays a finding, in every format and in the level of the plan; it only violates no gate
//! on findings. Gates on actions do not know of it.
//!
//! ```text
//! Acceptance { kind: Exposure, address: "module.bastion.*", path: Some("ingress.cidr_blocks"), until: "2027-01-31", … }
//!
//! PlanFinding { finding: Finding { kind: Exposure, … }, accepted: Some(…), … }
//! ```

use std::sync::Arc;

use crate::glob;
use crate::review::finding::{Acceptance, Finding};
use crate::review::paths::path_names;

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

impl Acceptance {
    fn covers(&self, address: &str, finding: &Finding<'_>) -> bool {
        if self.kind != finding.kind || !glob::matches(&self.address, address) {
            return false;
        }
        match &self.path {
            Some(glob) => {
                !finding.path.is_empty() && glob::matches(glob, &path_names(finding.path))
            }
            None => finding.path.is_empty(),
        }
    }
}

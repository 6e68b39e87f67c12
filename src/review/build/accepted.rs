//! Findings that a project accepts, each with a reason and until a date.
//!
//! Invariants: an accepted finding stays a finding, in every format and in the level of the plan. The only difference
//! is that it violates no gate on findings. Gates on actions are not affected.
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

/// Returns the index of the first acceptance that covers a finding of an object.
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
    /// Whether the acceptance covers a finding of the object at this address. Its date is not checked here.
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

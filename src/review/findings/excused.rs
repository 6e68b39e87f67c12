//! The rules that do not apply to an object because of other objects of the plan.
//!
//! ```text
//! - aws_s3_bucket.logs                          - aws_s3_bucket_versioning.logs    bucket = "logs"
//!
//! ("aws_s3_bucket_versioning.logs", "") -> the rule about versioning that is destroyed while its bucket stays
//! ```

use std::collections::HashSet;

use crate::model::plan::ResourceChange;

/// The rules that do not apply to an object, by index among those of its type.
pub(in crate::review) type Excused = HashSet<usize>;

/// The address and the deposed key of an object.
pub(super) type ObjectKey = (String, String);

/// Returns the key of the object that a change is about.
pub(super) fn key(change: &ResourceChange<'_>) -> ObjectKey {
    (change.address.to_string(), change.deposed.to_string())
}

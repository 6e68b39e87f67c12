//! The entries of objects that look as if they were renamed, in pairs of a destroyed and a created object.
//!
//! ```text
//! Rename { from: "aws_ebs_volume.kafka[\"0\"]", to: "aws_ebs_volume.kafka[\"eu-west-1a\"]", places: [3, 7], … }
//!
//! [&resources[3], &resources[7]]
//! ```

use std::collections::HashSet;

use crate::review::Options;
use crate::review::entry::{Entry, Rename};
use crate::review::plan::PlanReview;

/// The entry of the destroyed object, and that of the created object.
pub(super) type Pair<'e, 'a> = [&'e Entry<'a>; 2];

/// Returns the indices of the entries that the entry about renames replaces. There are none if all values are shown, or
/// if each object has a line or an entry of its own (`singly`).
pub(super) fn shown(review: &PlanReview<'_>, options: &Options, singly: bool) -> HashSet<usize> {
    if singly || options.unchanged || options.list || !options.shows_whole_plan() {
        return HashSet::new();
    }
    renames(review)
        .flat_map(|(rename, _)| rename.places)
        .collect()
}

/// Returns all renames with their entries.
pub(super) fn pairs<'r, 'a>(
    review: &'r PlanReview<'a>,
) -> impl Iterator<Item = (&'r Rename<'a>, Pair<'r, 'a>)> {
    let entries = |rename: &Rename<'a>| rename.places.map(|index| &review.changes.resources[index]);
    review
        .renames
        .iter()
        .map(move |rename| (rename, entries(rename)))
}

/// Returns the renames without a hidden entry.
pub(super) fn renames<'r, 'a>(
    review: &'r PlanReview<'a>,
) -> impl Iterator<Item = (&'r Rename<'a>, Pair<'r, 'a>)> {
    pairs(review).filter(|(_, [old, new])| !old.hidden && !new.hidden)
}

//! Says what a plan does if everything in it goes one way: words alone, more alone, narrower.
//!
//! ```text
//! Words only: description, tags
//! Access is narrowed, guards are stronger
//! Only more: 3 ecs services
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::facts::noun;
use crate::direction::{Direction, Directions};
use crate::review::entry::Entry;
use crate::review::paths::root_name;
use crate::text::{count, key};

/// The maximum number of attributes or types that are named.
const MAX_NAMED: usize = 3;

/// Returns the sentence about a plan whose changes all go the same way; `None` if they do not, or if what happens to the
/// objects says it already.
pub(super) fn sentence(listed: &[&Entry<'_>]) -> Option<String> {
    let mut all = Directions::default();
    for entry in listed {
        all = all.union(entry.meaning.directions);
    }
    let within = |allowed: &[Direction]| all.iter().all(|direction| allowed.contains(&direction));
    if all.is_empty() || within(&[Direction::Same, Direction::Moved]) {
        return None;
    }
    if within(&[Direction::Words, Direction::Same]) {
        let names: BTreeSet<String> = listed
            .iter()
            .flat_map(|entry| entry.edits)
            .filter(|edit| edit.meaning.direction() == Direction::Words)
            .map(|edit| root_name(edit).to_owned())
            .collect();
        let more = names.len().saturating_sub(MAX_NAMED);
        let mut words: Vec<String> = names
            .iter()
            .take(MAX_NAMED)
            .map(|name| key(name).into_owned())
            .collect();
        if more > 0 {
            words.push(format!("{more} more"));
        }
        return Some(format!("Words only: {}", words.join(", ")));
    }
    if within(&[
        Direction::More,
        Direction::Starts,
        Direction::Keeps,
        Direction::Words,
        Direction::Same,
    ]) && all.contains(Direction::More)
    {
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in listed {
            if entry.meaning.directions.contains(Direction::More) {
                *types.entry(entry.resource_type).or_default() += 1;
            }
        }
        let words: Vec<String> = types
            .into_iter()
            .take(MAX_NAMED)
            .map(|(resource_type, number)| count(number, &noun(resource_type)))
            .collect();
        return Some(format!("Only more: {}", words.join(", ")));
    }
    let statements = [
        (Direction::Narrower, "access is narrowed"),
        (Direction::Stronger, "guards are stronger"),
    ];
    let mut words: Vec<&str> = statements
        .into_iter()
        .filter(|(direction, _)| all.contains(*direction))
        .map(|(_, words)| words)
        .collect();
    let is_grave = all
        .iter()
        .any(|direction| direction < Direction::Unjudged || direction == Direction::Wider);
    if is_grave || words.is_empty() {
        return None;
    }
    let first = words.remove(0);
    let mut sentence = first[..1].to_uppercase();
    sentence.push_str(&first[1..]);
    for word in words {
        sentence.push_str(", ");
        sentence.push_str(word);
    }
    Some(sentence)
}

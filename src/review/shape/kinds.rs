//! Says what a plan does if everything in it goes one way: words alone, more alone, narrower.
//!
//! ```text
//! Words only: description, tags
//! Access is narrowed, guards are stronger
//! Only more: 3 ecs services
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::versions::objects_of;
use crate::direction::{Direction, Directions};
use crate::review::entry::Entry;
use crate::review::paths::root_name;
use crate::text::key;

/// The maximum number of attributes that are named.
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
            .flat_map(|entry| entry.shown_edits.list())
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
        return Some(format!("Only more: {}", objects_of(&types)));
    }
    let graver = [
        (Direction::Loses, "Data is lost"),
        (Direction::Stops, "Stopped"),
        (Direction::Wider, "Access is wider"),
        (Direction::Weaker, "Guards are weaker"),
        (Direction::Less, "Less"),
    ];
    for (direction, words) in graver {
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in listed {
            if entry.meaning.direction() == direction {
                *types.entry(entry.resource_type).or_default() += 1;
            }
        }
        if !types.is_empty() {
            return Some(format!("{words}: {}", objects_of(&types)));
        }
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
    if words.is_empty() {
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

//! Names the gravest facts of a plan, as the end of the sentence about its shape: what, of which object.
//!
//! ```text
//! database orders-db is destroyed; assets: acl: private -> public-read; 4 more are weaker
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::direction::{Direction, When};
use crate::report::SectionKind;
use crate::review::entry::{Effect, Entry, Finding, FindingKind, Level, PlanFinding};
use crate::review::findings::direction_of;
use crate::review::one_line;
use crate::review::plan::PlanReview;
use crate::text::count;

/// The maximum number of facts that the sentence names: what is read at a glance.
const MAX_FACTS: usize = 3;
/// The length from which the outer blocks of a path are left out of the sentence, in bytes.
const MAX_PATH_LEN: usize = 48;
/// The maximum length of all facts together, in characters: a head of two lines is read at a glance.
const MAX_LEN: usize = 300;
/// The maximum length of what is said of an object, in characters: a fact is at most one line of a terminal.
const MAX_FACT_LEN: usize = 72;

/// Returns the facts about the gravest findings of the plan, and what else there is by its direction. A plan without
/// findings above notice has none. What changed outside of the tool is said last, and as such.
pub(super) fn facts(review: &PlanReview<'_>) -> Vec<String> {
    let graver = |listed: &&PlanFinding<'_>| listed.finding.level >= Level::Warning;
    let (world, planned): (Vec<_>, Vec<_>) = review
        .proven()
        .iter()
        .filter(graver)
        .partition(|listed| listed.part == SectionKind::Drift);
    let by_address = entries(review);
    let mut facts: Vec<Fact> = Vec::new();
    let mut named: Vec<usize> = Vec::new();
    for index in choose(&planned) {
        let Some(listed) = planned.get(index) else {
            continue;
        };
        let fact = Fact::new(listed, &by_address);
        // Of what is replaced with its data, it is no news that it is destroyed first.
        let is_first_destroyed = matches!(listed.finding.effect, Effect::DestroyedFirst);
        if is_first_destroyed && facts.iter().any(|known| known.tells_the_loss_of(&fact)) {
            named.push(index);
            continue;
        }
        if let Some(known) = facts.iter_mut().find(|known| known.says_the_same(&fact)) {
            known.names.extend(fact.names);
            named.push(index);
            continue;
        }
        let length: usize = facts.iter().chain([&fact]).map(Fact::length).sum();
        // The gravest fact is said however long it is.
        if length <= MAX_LEN || facts.is_empty() {
            facts.push(fact);
            named.push(index);
        }
    }
    let mut words: Vec<String> = facts.iter().map(Fact::words).collect();
    words.extend(rest(&planned, &named));
    words.extend(world.first().map(|listed| {
        let fact = Fact::new(listed, &by_address).words();
        let end = match (listed.finding.is_undone, world.len()) {
            (true, 1) => "; the plan undoes it".to_owned(),
            (_, 1) => String::new(),
            (_, more) => format!("; {} more", more - 1),
        };
        format!("(outside of the tool, {fact}{end})")
    }));
    words
}

/// Returns the entries of a plan by their addresses, and the outputs by their names.
fn entries<'r, 'a>(review: &'r PlanReview<'a>) -> HashMap<(SectionKind, &'a str), &'r Entry<'a>> {
    SectionKind::ALL
        .into_iter()
        .flat_map(|list| {
            review
                .changes
                .list(list)
                .iter()
                .map(move |entry| ((list, entry.address), entry))
        })
        .collect()
}

/// Returns the indices of the findings that the sentence names: the gravest of each kind, then the gravest of the rest.
/// Critical ones come first, then what is lost, what stops, what opens, and what guards less.
fn choose(findings: &[&PlanFinding<'_>]) -> Vec<usize> {
    let rank = |index: &usize| {
        findings.get(*index).map(|listed| {
            let Finding { level, kind, .. } = listed.finding;
            (Reverse(level), direction_of(kind))
        })
    };
    let mut kinds = HashSet::new();
    let (mut first, rest): (Vec<usize>, Vec<usize>) = (0..findings.len()).partition(|index| {
        findings.get(*index).is_some_and(|listed| {
            kinds.insert((listed.finding.kind, listed.finding.is_of_no_schema()))
        })
    });
    first.sort_by_key(rank);
    first.extend(rest);
    first.truncate(MAX_FACTS);
    first
}

/// Returns how many objects have other findings, by the direction of these; `None` if there are none.
fn rest(findings: &[&PlanFinding<'_>], named: &[usize]) -> Option<String> {
    let mut objects: BTreeMap<Direction, usize> = BTreeMap::new();
    for (index, listed) in findings.iter().enumerate() {
        if !named.contains(&index) {
            *objects
                .entry(direction_of(listed.finding.kind))
                .or_default() += listed.addresses.len();
        }
    }
    let words: Vec<String> = objects
        .into_iter()
        .map(|(direction, number)| format!("{number} more {}", predicate(direction, number == 1)))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Returns what several things of one direction do.
fn predicate(direction: Direction, is_one: bool) -> &'static str {
    match (direction, is_one) {
        (Direction::Loses, true) => "loses data",
        (Direction::Loses, false) => "lose data",
        (Direction::Stops, true) => "stops",
        (Direction::Stops, false) => "stop",
        (Direction::Wider, true) => "is wider",
        (Direction::Wider, false) => "are wider",
        (Direction::Weaker, true) => "is weaker",
        (Direction::Weaker, false) => "are weaker",
        (Direction::Unknown, true) => "is known after apply",
        (Direction::Unknown, false) => "are known after apply",
        (
            Direction::Less
            | Direction::Older
            | Direction::Unjudged
            | Direction::Another
            | Direction::Gone
            | Direction::New
            | Direction::Newer
            | Direction::Narrower
            | Direction::Stronger
            | Direction::More
            | Direction::Keeps
            | Direction::Starts
            | Direction::Moved
            | Direction::Words
            | Direction::Same,
            _,
        ) => "to check",
    }
}

/// A fact about one or several objects.
struct Fact {
    /// What the objects are called.
    names: Vec<String>,
    /// What is said before the names, such as what the objects are.
    before: String,
    /// Whether the objects are lost with their data.
    is_loss: bool,
    /// Whether what is said behind the names is the predicate of a sentence, and not something about them.
    is_sentence: bool,
    /// What is said behind the names.
    behind: String,
}

impl Fact {
    /// Makes the fact that a finding says.
    fn new(
        listed: &PlanFinding<'_>,
        by_address: &HashMap<(SectionKind, &str), &Entry<'_>>,
    ) -> Self {
        let entry_of = |address: &str| by_address.get(&(listed.part, address)).copied();
        let names = listed
            .addresses
            .iter()
            .map(|address| match entry_of(address) {
                Some(entry) if listed.part != SectionKind::Outputs => called(entry),
                Some(_) | None => (*address).to_owned(),
            })
            .collect();
        let first = listed
            .addresses
            .first()
            .and_then(|address| entry_of(address));
        let noun = first
            .map(|entry| noun(entry.resource_type))
            .unwrap_or_default();
        let Finding {
            kind, text, effect, ..
        } = &listed.finding;
        let (before, behind) = match effect {
            _ if listed.finding.is_of_no_schema() => (
                String::new(),
                "is not judged: its values are hidden".to_owned(),
            ),
            Effect::Lost {
                what, is_replaced, ..
            } => {
                let what = if what.is_empty() { noun } else { what.clone() };
                let ends = if *is_replaced {
                    "is replaced, and the data of the old one is lost"
                } else {
                    "is destroyed"
                };
                (what, ends.to_owned())
            }
            Effect::Destroyed => (noun, "is destroyed".to_owned()),
            Effect::DestroyedFirst => (
                noun,
                "is destroyed before its replacement is created".to_owned(),
            ),
            Effect::Means { .. } | Effect::Opened | Effect::Other => {
                let mut words = in_head(text, *kind);
                if is_now(listed, first) && matches!(effect, Effect::Other) {
                    words.push_str(", now");
                }
                (noun, words)
            }
        };
        Self {
            names,
            before,
            is_loss: matches!(effect, Effect::Lost { .. }),
            is_sentence: matches!(
                effect,
                Effect::Lost { .. } | Effect::Destroyed | Effect::DestroyedFirst
            ) || listed.finding.is_of_no_schema(),
            behind: shortened(&behind),
        }
    }

    /// Whether the fact says that the objects of another one are lost.
    fn tells_the_loss_of(&self, other: &Self) -> bool {
        self.is_loss && other.names.iter().all(|name| self.names.contains(name))
    }

    /// Returns the number of characters of the fact.
    fn length(&self) -> usize {
        self.words().chars().count()
    }

    /// Whether another fact says the same of other objects.
    fn says_the_same(&self, other: &Self) -> bool {
        self.before == other.before && self.behind == other.behind
    }

    /// Returns the fact in words.
    fn words(&self) -> String {
        let mut known = HashSet::new();
        let names: Vec<&str> = self
            .names
            .iter()
            .map(String::as_str)
            .filter(|name| known.insert(*name))
            .collect();
        let named = match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [one, two] => format!("{one} and {two}"),
            [one, rest @ ..] => format!("{one} and {}", count(rest.len(), "other")),
        };
        let words = if self.is_sentence {
            let behind = match names.len() {
                0 | 1 => self.behind.clone(),
                _ => self.behind.replacen("is ", "are ", 1),
            };
            format!("{} {named} {behind}", self.before)
        } else {
            format!("{} {named}: {}", self.before, self.behind)
        };
        one_line(words.trim())
    }
}

/// Whether something stops during the apply, as the plan proves, and not in a maintenance window.
fn is_now(listed: &PlanFinding<'_>, entry: Option<&Entry<'_>>) -> bool {
    listed.finding.kind == FindingKind::Downtime
        && entry.is_some_and(|entry| entry.meaning.when == Some(When::Now))
}

/// Returns what an object is called: by its own name, or by its name in the configuration with its instance key.
pub(super) fn called(entry: &Entry<'_>) -> String {
    if !entry.called.is_empty() {
        return entry.called.to_owned();
    }
    let in_module = entry
        .address
        .strip_prefix(entry.module_address)
        .map_or(entry.address, |rest| rest.trim_start_matches('.'));
    in_module
        .strip_prefix(entry.resource_type)
        .map_or(in_module, |rest| rest.trim_start_matches('.'))
        .to_owned()
}

/// Returns the words of a type, without its provider and the version of its interface: `wafv2 web acl association`,
/// `deployment`.
pub(super) fn noun(resource_type: &str) -> String {
    let (_, name) = resource_type.split_once('_').unwrap_or(("", resource_type));
    let name = ["_v1", "_v2", "_v1beta1"]
        .iter()
        .find_map(|version| name.strip_suffix(version))
        .unwrap_or(name);
    name.replace('_', " ")
}

/// Returns the text of a finding as the head has it: `path: a -> b` as `path a -> b`, without the outer blocks of a long
/// path.
fn in_head(text: &str, kind: FindingKind) -> String {
    let text = &*text.replace("for \"*\"", "for everybody");
    let Some((path, rest)) = text.split_once(": ") else {
        return match text.strip_suffix(" is removed") {
            Some(limit) if kind == FindingKind::Exposure => {
                format!("{} no longer limits anybody", inner_path(limit))
            }
            Some(_) | None => text.to_owned(),
        };
    };
    if path.contains(char::is_whitespace) {
        return text.to_owned();
    }
    let path = inner_path(path);
    match rest {
        "true -> false" => format!("{path} is switched off"),
        "false -> true" => format!("{path} is switched on"),
        _ => format!("{path} {rest}"),
    }
}

/// Returns a path without the outer blocks of a long one.
fn inner_path(path: &str) -> &str {
    let mut start = 0;
    while path.len() - start > MAX_PATH_LEN
        && let Some(dot) = path.get(start..).and_then(|rest| rest.find('.'))
    {
        start += dot + 1;
    }
    path.get(start..).unwrap_or(path)
}

/// Returns a text that fits into the sentence, cut between words.
fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_FACT_LEN {
        return text.to_owned();
    }
    let end = text
        .char_indices()
        .take(MAX_FACT_LEN)
        .filter(|(_, c)| c.is_whitespace())
        .last()
        .map_or(0, |(offset, _)| offset);
    if end == 0 {
        return text.chars().take(MAX_FACT_LEN).chain(['…']).collect();
    }
    format!(
        "{} …",
        text.get(..end)
            .unwrap_or_default()
            .trim_end_matches([',', ';', ':'])
    )
}

//! Tests rules about network access: rules of networks that let in everybody or a public network, and rules that no
//! longer deny.
//!
//! ```text
//! ingress.cidr_blocks: ["10.0.0.0/8"] -> ["0.0.0.0/0"], from_port = 22
//!
//! exposure, critical: ssh open to the world (10.0.0.0/8 -> 0.0.0.0/0)
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::grade::grade;
use super::places::{MAX_OLD, RuleTest};
use super::{Add, FindingText};
use crate::access::{
    Class, Network, Open, Peer, Traffic, TrafficReader, cover_everyone, known, readable, string,
};
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::{Effect, Level};
use crate::review::findings::pattern::MatchedValue;
use crate::review::value_path::{PathStep, Side, member_text};

/// Members of a firewall rule that do not change what it lets through.
const INSIGNIFICANT: [&str; 16] = [
    "enabled",
    "disabled",
    "priority",
    "rule_no",
    "rule_number",
    "name",
    "description",
    "id",
    "action",
    "access",
    "rule_action",
    "ref",
    "rule_id",
    "version",
    "last_updated",
    "etag",
];

/// A value that lets somebody in, with the traffic of its rule.
struct Door<'w> {
    /// The path of the value.
    path: Vec<PathStep<'w>>,
    /// The value as it is written, for example `0.0.0.0/0`.
    text: String,
    /// The network or group that is let in.
    peer: Peer,
    /// The number of the traffic, which is equal for equal traffic.
    number: usize,
    /// The protocol and ports of the rule, shared by all its doors.
    traffic: Rc<Traffic>,
    /// Whether the peer is all users rather than a network.
    is_users: bool,
}

impl Door<'_> {
    /// Whether it lets in everybody.
    fn is_any_source(&self) -> bool {
        matches!(self.peer, Peer::Everyone { .. })
    }
}

/// The doors of one side, and the peers of each kind of traffic by its number.
type Doors<'w> = (Vec<Door<'w>>, HashMap<usize, BTreeSet<&'w str>>);

/// Attributes with the last address of a range, whose first address is tested.
const ENDS: [&str; 2] = ["end_ip_address", "end_ip"];

impl<'w> RuleTest<'_, 'w> {
    /// Finds access for everybody, or for a large part of the internet, that is new or wider than before.
    pub(super) fn any_source(&self, add: Add<'_, 'w>) {
        let mut reader = TrafficReader::default();
        let (before, old_peers) = self.doors(Side::Before, &mut reader);
        let (mut opened, new_peers) = self.doors(Side::After, &mut reader);
        let mut open = Open::default();
        before
            .iter()
            .for_each(|door| open.add(door.peer, &door.traffic));
        opened.retain(|door| !open.covers(door.peer, &door.traffic));
        // Access from the whole internet includes each of its networks.
        let from_anywhere: HashSet<usize> = opened
            .iter()
            .filter(|door| door.is_any_source())
            .map(|door| door.number)
            .collect();
        opened.retain(|door| door.is_any_source() || !from_anywhere.contains(&door.number));
        for door in &opened {
            let (words, class) = door.traffic.words();
            let what = match (self.values.what, &*words) {
                (Some(what), _) => what.to_owned(),
                (None, "") => self.values.pattern.label(),
                (None, words) => words.to_owned(),
            };
            let [old, new] = [&old_peers, &new_peers].map(|peers| peers.get(&door.number));
            let stays = old.zip(new).is_some_and(|(old, new)| !old.is_disjoint(new));
            let from = match old {
                None => door.text.clone(),
                Some(_) if stays => format!("adds {}", door.text),
                Some(old) => {
                    let old: Vec<&str> = old.iter().copied().take(MAX_OLD).collect();
                    format!("{} -> {}", old.join(", "), door.text)
                }
            };
            let is_any_source = door.is_any_source();
            let to = match door.peer {
                Peer::Everyone { .. } if door.is_users && words.is_empty() => "everybody",
                Peer::Everyone { .. } => "the world",
                Peer::Azure => "everything in Azure",
                peer if peer.is_wide() => "a large network",
                Peer::Wide(_) | Peer::Public(_) | Peer::Range(..) => "a public network",
            };
            let grade =
                (!self.values.has_grade && !words.is_empty()).then(|| grade(class, is_any_source));
            let level = if is_any_source {
                self.rule.level
            } else {
                self.rule.level.min(Level::Warning)
            };
            let grade = grade.unwrap_or((level, self.rule.weight));
            let text = format!("{what} open to {to} ({from})");
            add(
                &door.path,
                Side::After,
                FindingText {
                    grade: Some(grade),
                    effect: if words.is_empty() {
                        Effect::Other
                    } else {
                        Effect::Opened
                    },
                    ..FindingText::new(text)
                },
            );
        }
    }

    /// Returns the doors of one side. Networks that together are the whole internet count as it.
    fn doors(&self, side: Side, reader: &mut TrafficReader<'w>) -> Doors<'w> {
        let (mut doors, mut seen) = (Vec::new(), HashSet::new());
        let mut peers: HashMap<usize, BTreeSet<&'w str>> = HashMap::new();
        let mut classes: HashMap<usize, Class> = HashMap::new();
        self.visit(side, &mut |matched| {
            let Some(text) = string(matched.value).filter(|text| !text.is_empty()) else {
                return;
            };
            let (number, traffic) = reader.read(matched.holder);
            peers.entry(number).or_default().insert(text);
            let end = ENDS
                .iter()
                .find_map(|name| member_text(matched.holder, name));
            let large = end.map_or_else(|| Peer::parse(text), |end| Peer::from_range(text, end));
            let peer = large.or_else(|| {
                let class = classes.entry(number).or_insert_with(|| traffic.words().1);
                let is_database = self.values.serves.unwrap_or(*class) == Class::Database;
                is_database.then(|| Peer::parse_public(text, end)).flatten()
            });
            let Some(peer) = peer else { return };
            if !traffic.is_nothing() && seen.insert((peer, number)) {
                let is_users = text.contains("all") || text.starts_with("system:") || text == "*";
                let path = matched.path.to_vec();
                let text = end
                    .filter(|end| *end != text)
                    .map_or(text.to_owned(), |end| format!("{text}-{end}"));
                doors.push(Door {
                    path,
                    text,
                    peer,
                    number,
                    traffic,
                    is_users,
                });
            }
        });
        let mut parts: HashMap<usize, Vec<(usize, Network)>> = HashMap::new();
        for (index, door) in doors.iter().enumerate() {
            if let Peer::Wide(network) = door.peer {
                parts.entry(door.number).or_default().push((index, network));
            }
        }
        for parts in parts.into_values() {
            for is_v6 in [false, true] {
                if cover_everyone(parts.iter().map(|(_, network)| *network).collect(), is_v6) {
                    let texts = parts
                        .iter()
                        .filter_map(|(index, _)| doors.get(*index))
                        .take(MAX_OLD);
                    let text = texts
                        .map(|door| door.text.clone())
                        .collect::<Vec<_>>()
                        .join(" and ");
                    if let Some(door) = parts.first().and_then(|(index, _)| doors.get_mut(*index)) {
                        (door.peer, door.text) = (Peer::Everyone { is_v6 }, text);
                    }
                }
            }
        }
        (doors, peers)
    }

    /// Finds rules that deny and are removed or switched off, or that come later than before.
    pub(super) fn denied(&self, add: Add<'_, 'w>) {
        let is_single = self.values.pattern.is_one_name();
        let key = |matched: &MatchedValue<'_, 'w>| {
            if is_single {
                Vec::new()
            } else {
                key_of(matched.holder)
            }
        };
        // Rules that are switched off deny nothing.
        let (mut after, mut has_unknown, mut off) = (HashMap::new(), false, HashSet::new());
        self.visit(Side::After, &mut |matched| {
            has_unknown |=
                matched.holder.has_unknown() && !is_single || matched.value.has_unknown();
            if denies(matched) && !is_on(matched.holder) {
                off.insert(key(matched));
            } else if denies(matched) {
                let number = number_of(matched.holder);
                let first = after.entry(key(matched)).or_insert(number);
                *first = if number.is_none() {
                    None
                } else {
                    (*first).min(number)
                };
            }
        });
        if has_unknown {
            return;
        }
        let mut reader = TrafficReader::default();
        self.visit(Side::Before, &mut |matched| {
            if !denies(matched) || !is_on(matched.holder) {
                return;
            }
            let (words, _) = reader.read(matched.holder).1.words();
            let label = format!("deny {words}");
            let label = label.trim_end();
            let (text, names): (String, &[&str]) =
                match (after.get(&key(matched)), number_of(matched.holder)) {
                    (None, _) if off.contains(&key(matched)) => {
                        (format!("{label} is switched off"), &SWITCHES)
                    }
                    (None, _) => (format!("{label} is removed"), &[]),
                    (Some(Some(new)), Some(old)) if *new > old => {
                        let text = format!("{label} comes behind other rules: {old} -> {new}");
                        (text, &NUMBERS)
                    }
                    (Some(_), _) => return,
                };
            add(
                &path_of_member(matched, names),
                Side::Before,
                FindingText::new(text),
            );
        });
    }
}

/// The members by which rules are switched off.
const SWITCHES: [&str; 2] = ["enabled", "disabled"];
/// The members by which rules are ordered.
const NUMBERS: [&str; 3] = ["priority", "rule_no", "rule_number"];

/// Whether a rule is in force. Some providers keep rules that are switched off.
fn is_on(rule: MarkedValue<'_>) -> bool {
    let says = |name: &str, word: &str| rule.get(name).and_then(readable) == Some(word);
    let [enabled, disabled] = SWITCHES;
    !says(enabled, "false") && !says(disabled, "true")
}

/// Returns the path of the first of these members that the rule has, because the edit is there; otherwise that of the
/// matched value.
fn path_of_member<'w>(matched: &MatchedValue<'_, 'w>, names: &[&'static str]) -> Vec<PathStep<'w>> {
    let mut path = matched.path.to_vec();
    let name = names.iter().find(|name| matched.holder.get(name).is_some());
    if let (Some(name), Some(last @ PathStep::Name(_))) = (name, path.last_mut()) {
        *last = PathStep::Name(name);
    }
    path
}

/// Whether a matched value says that its rule denies: by a word, or because it is a block of denied traffic, as in
/// Google Cloud.
fn denies(matched: &MatchedValue<'_, '_>) -> bool {
    let words = ["deny", "block", "drop", "reject"];
    let verdict = string(matched.value)
        .is_some_and(|verdict| words.iter().any(|word| verdict.eq_ignore_ascii_case(word)));
    verdict || matches!(known(Some(matched.value)), Some(Content::Array([_, ..])))
}

/// Returns the number by which a rule is ordered. The rule with the smallest number comes first.
fn number_of(rule: MarkedValue<'_>) -> Option<u64> {
    NUMBERS
        .iter()
        .find_map(|name| readable(rule.get(name)?)?.parse().ok())
}

/// Returns the members that say what a rule is about, without its number and name, as names and hashes of values.
fn key_of<'w>(rule: MarkedValue<'w>) -> Vec<(&'w str, u64)> {
    let members = rule.as_object().unwrap_or_default().iter();
    let significant = members.filter(|(name, value)| {
        !INSIGNIFICANT.contains(name) && !value.is_null() && !value.is_empty()
    });
    significant
        .map(|(name, value)| (*name, value.hash_value()))
        .collect()
}

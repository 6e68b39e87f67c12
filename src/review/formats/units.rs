//! The units that text formats write: an entry, or a group of entries with the same edits, in order of risk.
//! Entries that are not written are counted in notes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::invocation::InvocationUnit;
use crate::review::entry::{Entry, FactKind, PlanReview, RuleOrigin, Sameness, SourcePlace};
use crate::review::reasons::CAUSED;
use crate::review::text::{compact, explains_causes, is_same_name, name, root_name};
use crate::review::verdict::{is_cosmetic, unlisted_because};
use crate::review::weight;
use crate::review::{ChangeKind, Ledger, List, Mention, Options, count, one_line};

/// The maximum number of members named for a group; more are counted.
const MAX_MEMBERS: usize = 40;
/// The maximum length of a group's addresses as a title, in characters.
const MAX_TITLE_LEN: usize = 100;
/// The maximum number of addresses named for drift without effect on the plan.
const MAX_DRIFT: usize = 8;
/// The maximum number of types in a line about many resources.
const MAX_TYPES: usize = 4;
/// The minimum number of resources whose types are counted.
const MIN_FOR_TYPES: usize = 12;

/// An entry, or several entries with the same edits.
#[derive(Clone, Debug)]
pub(super) struct Unit<'r, 'a> {
    pub(super) list: List,
    /// The first entry, which represents the others.
    pub(super) entry: &'r Entry<'a>,
    /// The indices of all entries of the unit in their list.
    pub(super) places: Vec<usize>,
    /// Their addresses.
    members: Vec<&'a str>,
    same: Option<Sameness>,
    /// The places of the other entries in the configuration.
    other_sources: Vec<&'r SourcePlace>,
}

impl<'r, 'a> Unit<'r, 'a> {
    /// Each entry of the unit as a unit of its own.
    pub(super) fn singles(&self, entries: &'r [Entry<'a>]) -> Vec<Self> {
        let single = |(at, entry): (usize, &'r Entry<'a>)| Self {
            list: self.list,
            entry,
            places: vec![at],
            members: vec![entry.address],
            same: None,
            other_sources: Vec::new(),
        };
        self.places.iter().filter_map(|at| Some(single((*at, entries.get(*at)?)))).collect()
    }

    pub(super) fn kind(&self) -> ChangeKind {
        ChangeKind::from_entry(self.entry)
    }

    /// Whether an existing object is destroyed.
    pub(super) fn is_grave(&self) -> bool {
        self.list == List::Resources && self.kind().is_irreversible()
    }

    /// The kinds of the entry's facts: `data, opens`. Empty if there are none.
    pub(super) fn flags(&self) -> String {
        self.entry.fact_kinds().into_iter().map(FactKind::name).collect::<Vec<_>>().join(", ")
    }

    /// The symbol, the address or addresses, and the words about them.
    pub(super) fn header(&self) -> Header {
        let kind = self.kind();
        let (symbol, mut phrase) = match (self.list, kind) {
            (List::Drift, ChangeKind::Destroy) => ("-", "was deleted outside of the tool".to_owned()),
            (List::Drift, kind) => (kind.symbol(), "has changed outside of the tool".to_owned()),
            (List::Deferred, ChangeKind::Other) => ("…", "is put off to a later plan".to_owned()),
            (List::Deferred, kind) => ("…", format!("{} in a later plan", kind.phrase())),
            (List::Resources | List::Invocations | List::DeferredInvocations | List::Outputs, kind) => {
                (kind.symbol(), kind.phrase().to_owned())
            }
        };
        if self.list == List::Resources && is_cosmetic(self.entry) {
            phrase.push_str(" (in form only)");
        }
        let mut header = Header { symbol, address: self.entry_address(), phrase, others: Vec::new() };
        if self.members.len() > 1 {
            let key =
                if self.same == Some(Sameness::ButForTheKey) { ", but for the key of each" } else { "" };
            header.phrase = format!("{} — same change × {}{key}", header.phrase, self.members.len());
            let mut all = compact(&self.members);
            match &mut *all {
                [one] if one.chars().count() <= MAX_TITLE_LEN => header.address = one_line(one),
                _ => {
                    let more = all.len().saturating_sub(MAX_MEMBERS);
                    all.truncate(MAX_MEMBERS);
                    header.others = all.iter().map(|address| one_line(address)).collect();
                    if more > 0 {
                        header.others.push(format!("… {more} more; `--format json` lists all"));
                    }
                }
            }
        }
        header
    }

    /// The place of the entry in the configuration, and a note about the places of the other entries.
    pub(super) fn source(&self) -> Option<(&'r SourcePlace, String)> {
        let rest = if !self.other_sources.is_empty() {
            format!(" and {}", count(self.other_sources.len(), "other place"))
        } else {
            String::new()
        };
        Some((self.entry.source.as_ref()?, rest))
    }

    /// The reasons for the change, except for causes that the lines of the edits already name.
    pub(super) fn reasons(&self, options: &Options) -> Vec<&'r str> {
        let is_said = |code: &str| code == CAUSED && !options.list && explains_causes(self.entry);
        let reasons = self.entry.reasons.iter().filter(|reason| !is_said(&reason.code));
        reasons.map(|reason| reason.text.as_str()).collect()
    }

    fn entry_address(&self) -> String {
        match self.entry.deposed {
            "" => one_line(self.entry.address),
            deposed => one_line(&format!("{} (deposed object {deposed})", self.entry.address)),
        }
    }

    /// The changed attributes, the most important first: `publicly_accessible, engine, +5`. Empty if the
    /// object changes as a whole.
    pub(super) fn preview(&self) -> String {
        const NAMED: usize = 3;
        let mut names: Vec<&str> = Vec::new();
        for at in weight::order(self.entry.edits) {
            let root = self.entry.edits.get(at).map_or("", |edit| root_name(edit));
            if !root.is_empty() && !names.last().is_some_and(|last| is_same_name(last, root)) {
                names.push(root);
            }
        }
        let more = names.len().saturating_sub(NAMED);
        let mut text = names.iter().take(NAMED).map(|found| name(found)).collect::<Vec<_>>().join(", ");
        if more > 0 {
            text.push_str(&format!(", +{more}"));
        }
        text
    }
}

/// The parts of a unit's title.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) symbol: &'static str,
    pub(super) address: String,
    pub(super) phrase: String,
    /// All addresses of a group, if they are not the title.
    pub(super) others: Vec<String>,
}

/// The parts of a plan to be written.
#[derive(Debug)]
pub(super) struct Units<'r, 'a> {
    pub(super) resources: Vec<Unit<'r, 'a>>,
    pub(super) drift: Vec<Unit<'r, 'a>>,
    pub(super) deferred: Vec<Unit<'r, 'a>>,
    /// Action invocations, below their headings.
    pub(super) invocations: Vec<(&'static str, Vec<InvocationUnit<'r, 'a>>)>,
    /// Whether outputs are shown.
    pub(super) shows_outputs: bool,
    /// Counts of entries that are not shown, and how to show them.
    pub(super) notes: Vec<String>,
}

impl<'r, 'a> Units<'r, 'a> {
    /// The units of a plan. Entries without a unit are recorded as counted.
    pub(super) fn new(review: &'r PlanReview<'a>, options: &Options, ledger: &mut Ledger) -> Self {
        let mut notes = review.notes.clone();
        let mut hidden = 0;
        let mut unlisted: BTreeMap<&str, usize> = BTreeMap::new();
        let mut drifted: Vec<&'a str> = Vec::new();
        let mut of = |list: List, entries: &'r [Entry<'a>]| {
            let mut shown = Vec::new();
            for (at, entry) in entries.iter().enumerate() {
                let why = if list == List::Resources { unlisted_because(entry) } else { None };
                if let Some(why) = why {
                    *unlisted.entry(why).or_default() += 1;
                } else if entry.hidden {
                    hidden += 1;
                } else if list == List::Drift && entry.relevant == Some(false) && !options.all_drift {
                    drifted.push(entry.address);
                } else {
                    shown.push((at, entry));
                    continue;
                }
                ledger.record_all(list, at, Mention::Counted, Mention::Counted);
            }
            units(list, shown, review, options)
        };
        let resources = of(List::Resources, &review.resources);
        let drift = of(List::Drift, &review.drift);
        let deferred = of(List::Deferred, &review.deferred);
        let mut invocations = Vec::new();
        for (heading, all) in [
            ("Actions to invoke", &review.invocations),
            ("Actions put off to a later plan", &review.deferred_invocations),
        ] {
            let mut units = Vec::new();
            for (at, invocation) in all.iter().enumerate() {
                let unit = InvocationUnit { at, invocation };
                if options.filter.shows_invocation(invocation) {
                    units.push(unit);
                } else {
                    hidden += 1;
                    ledger.record_all(unit.list(), at, Mention::Counted, Mention::Counted);
                }
            }
            if !units.is_empty() {
                invocations.push((heading, units));
            }
        }
        let shows_outputs = options.filter.addresses.is_empty();
        if !shows_outputs {
            hidden += review.outputs.len();
            let outputs = 0..review.outputs.len();
            outputs.for_each(|at| ledger.record_all(List::Outputs, at, Mention::Counted, Mention::Counted));
        }
        notes.extend(drift_note(&drifted));
        notes.extend(unlisted.into_iter().map(|(why, number)| format!("{} {why}", count(number, "object"))));
        if hidden > 0 {
            let what = count(hidden, "entry");
            notes.push(format!(
                "{what} hidden by filters; leave out {} to see all",
                if shows_outputs { "--only, --include, --exclude, --type and --module" } else { "--address" }
            ));
        }
        Self { resources, drift, deferred, invocations, shows_outputs, notes }
    }
}

fn drift_note(addresses: &[&str]) -> Option<String> {
    if addresses.is_empty() {
        return None;
    }
    let names = compact(addresses);
    let more = names.len().saturating_sub(MAX_DRIFT);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(one_line(&format!(
        "{} changed outside of the tool without an effect on this plan: {}{rest}; --drift all shows them",
        count(addresses.len(), "object"),
        names[..names.len().min(MAX_DRIFT)].join(", ")
    )))
}

/// The units of these entries, the most severe first. With `--tree`, no group spans several modules.
fn units<'r, 'a>(
    list: List,
    entries: Vec<(usize, &'r Entry<'a>)>,
    review: &PlanReview<'a>,
    options: &Options,
) -> Vec<Unit<'r, 'a>> {
    let mut places: HashMap<(usize, &str), usize> = HashMap::new();
    let mut units: Vec<Unit<'r, 'a>> = Vec::new();
    for (at, entry) in entries {
        // Unchanged parts may differ between members of a group; with these options, they are shown.
        let shows_unchanged = options.unchanged && !matches!(entry.edits, [edit] if edit.path.is_empty());
        let group = entry.group.filter(|_| options.filter.addresses.is_empty() && !shows_unchanged);
        let same = group.and_then(|id| Some(review.groups.get(id)?.same));
        let group = group.map(|id| (id, if options.tree { entry.module_address } else { "" }));
        let place = group.map(|group| *places.entry(group).or_insert(units.len()));
        if let Some(unit) = place.and_then(|place| units.get_mut(place)) {
            unit.places.push(at);
            unit.members.push(entry.address);
            if let Some(source) = &entry.source
                && unit.entry.source.as_ref() != Some(source)
                && !unit.other_sources.contains(&source)
            {
                unit.other_sources.push(source);
            }
            continue;
        }
        let (places, members) = (vec![at], vec![entry.address]);
        units.push(Unit { list, entry, places, members, same, other_sources: Vec::new() });
    }
    units.sort_by_cached_key(|unit| (unit.kind(), unit.entry.risk_within_action()));
    units
}

/// A fact, with the addresses of its entries.
#[derive(Debug)]
pub(super) struct FactLine<'r> {
    pub(super) kind: FactKind,
    pub(super) address: String,
    pub(super) text: &'r str,
}

/// The first facts of a plan, by kind, and the number of the others.
pub(super) fn facts<'r>(units: &[Unit<'r, '_>]) -> (Vec<FactLine<'r>>, usize) {
    const MAX_COUNT: usize = 20;
    let mut facts: Vec<FactLine<'r>> = Vec::new();
    let mut found: Vec<FactLine<'r>> = Vec::new();
    for unit in units {
        for fact in &unit.entry.facts {
            let list = if fact.origin == RuleOrigin::Found { &mut found } else { &mut facts };
            list.push(FactLine { kind: fact.kind, address: unit.header().address, text: &fact.text });
        }
    }
    facts.sort_by_key(|fact| fact.kind);
    found.sort_by_key(|fact| fact.kind);
    // Facts of a found configuration file come last, so that they do not displace others.
    facts.append(&mut found);
    let more = facts.len().saturating_sub(MAX_COUNT);
    facts.truncate(MAX_COUNT);
    facts.sort_by_key(|fact| fact.kind);
    (facts, more)
}

/// The numbers by type for kinds of change with many resources: `create: 40 aws_instance, 3 of 2 other
/// types`.
pub(super) fn by_type(units: &[Unit<'_, '_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in ChangeKind::ALL {
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for unit in units.iter().filter(|unit| unit.kind() == kind) {
            *types.entry(unit.entry.resource_type).or_default() += unit.places.len();
        }
        if types.len() < 2 || types.values().sum::<usize>() <= MIN_FOR_TYPES {
            continue;
        }
        let mut types: Vec<(&str, usize)> = types.into_iter().collect();
        types.sort_by_key(|(name, number)| (Reverse(*number), *name));
        let rest = types.split_off(types.len().min(MAX_TYPES));
        let mut words: Vec<String> = types.iter().map(|(name, number)| format!("{number} {name}")).collect();
        if !rest.is_empty() {
            let number: usize = rest.iter().map(|(_, number)| number).sum();
            words.push(format!("{number} of {}", count(rest.len(), "other type")));
        }
        lines.push(one_line(&format!("{}: {}", kind.word(), words.join(", "))));
    }
    lines
}

//! Who is at an end of traffic: addresses, names of groups, tags and lists, or everybody.
//!
//! Nobody knows from a plan which addresses a name stands for. So a name is a label that an address may have or not,
//! and rules are compared for each address with and without each label. Two labels at once matter only where one of
//! them is refused; more than two never do, because a rule fits by one of them.
//!
//! ```text
//! source_ranges = ["10.0.0.0/8"], source_tags = ["web"]     10/8 without a label, and every address with `web`
//! Internet (Azure)                                          public addresses, without VirtualNetwork
//! ```

use std::collections::{BTreeSet, HashMap};

use super::ranges::{Point, Ranges, network};

/// Addresses and names, any of which fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parties {
    /// Whether every address fits.
    pub(crate) is_everybody: bool,
    /// Whether every address and every name fits, because the value is not known yet.
    pub(crate) is_anything: bool,
    /// The addresses that fit.
    pub(crate) addresses: Ranges,
    /// The names that fit.
    pub(crate) names: BTreeSet<String>,
}

impl Parties {
    /// Returns what every address fits.
    pub(crate) fn everybody() -> Self {
        Self {
            is_everybody: true,
            ..Self::default()
        }
    }

    /// Whether nobody fits.
    pub(crate) fn is_nobody(&self) -> bool {
        !self.is_everybody
            && !self.is_anything
            && self.addresses.is_empty()
            && self.names.is_empty()
    }

    /// Adds the parties of another set.
    pub(crate) fn add(&mut self, other: Self) {
        self.is_everybody |= other.is_everybody;
        self.is_anything |= other.is_anything;
        self.addresses.extend([other.addresses]);
        self.names.extend(other.names);
    }

    /// Adds texts, each of which is an address, a network, a range of addresses, a word for everybody, or a name, in
    /// time n log n.
    pub(crate) fn add_texts<'t>(
        &mut self,
        texts: impl IntoIterator<Item = &'t str>,
        naming: Naming,
    ) {
        let mut sets = Vec::new();
        for text in texts {
            let text = text.trim();
            if let Some(set) = addresses(text) {
                sets.push(set);
            } else if is_everybody(text, naming) {
                self.is_everybody = true;
            } else if !text.is_empty() {
                self.names.insert(naming.name(text));
            }
        }
        self.addresses.extend(sets);
    }
}

/// Returns the addresses of a text: a network, an address, or the first and last address of a range.
fn addresses(text: &str) -> Option<Ranges> {
    if let Some(network) = network(text) {
        return Some(Ranges::addresses(0, network));
    }
    let (first, last) = text.split_once('-')?;
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    Some(Ranges::between(0, first, last))
}

/// Whether a text is a word for every address.
fn is_everybody(text: &str, naming: Naming) -> bool {
    const WORDS: [&str; 5] = ["*", "any", "all", "everyone", "internet"];
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    // In Azure it is a service tag, which leaves out the virtual network.
    is_word && !(naming == Naming::Azure && text.eq_ignore_ascii_case("internet"))
}

/// What names stand for, beside addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Others than any address: groups and prefix lists of AWS.
    Apart,
    /// Any of the addresses.
    Labels,
    /// Labels, of which some contain others: the service tags of Azure.
    Azure,
}

/// The service tag for the virtual network and what is connected with it.
const VIRTUAL_NETWORK: &str = "virtualnetwork";
/// The service tag for public addresses outside of the virtual network.
const INTERNET: &str = "internet";
/// The service tag for the public addresses of Azure, whoever uses them.
const AZURE_CLOUD: &str = "azurecloud";
/// The service tag for the address from which Azure probes machines.
const LOAD_BALANCER: &str = "azureloadbalancer";

/// The networks that are not reached over the internet (RFC 1918, 6598, 4193), which virtual networks use.
const PRIVATE: [&str; 5] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "fc00::/7",
];

impl Naming {
    /// Returns a name in the form in which names are compared. Azure ignores the case of tags and identifiers.
    fn name(self, text: &str) -> String {
        match self {
            Self::Azure => text.to_ascii_lowercase(),
            Self::Apart | Self::Labels => text.to_owned(),
        }
    }

    /// Returns the labels that an address has if it has one of these.
    fn closure(self, labels: &BTreeSet<String>) -> BTreeSet<String> {
        let mut all = labels.clone();
        if self != Self::Azure {
            return all;
        }
        for label in labels {
            if is_group(label) {
                all.insert(VIRTUAL_NETWORK.to_owned());
                continue;
            }
            if matches!(&**label, VIRTUAL_NETWORK | LOAD_BALANCER) {
                continue;
            }
            // A tag with a region is a part of the tag without one: `Storage.WestEurope`.
            if let Some((tag, _)) = label.rsplit_once('.') {
                all.insert(tag.to_owned());
            }
            all.insert(INTERNET.to_owned());
            // The network at the edge is the only one that is no datacenter.
            if label != INTERNET && !label.starts_with("azurefrontdoor") {
                all.insert(AZURE_CLOUD.to_owned());
            }
        }
        all
    }

    /// Returns the addresses that may have exactly these labels; nothing if no address can have all of them.
    fn universe(self, labels: &BTreeSet<String>, has_v6: bool) -> Ranges {
        let set = |texts: &[&str]| -> Ranges {
            let sets = texts.iter().filter_map(|text| addresses(text));
            let mut all = Ranges::default();
            all.extend(sets.filter(|set| has_v6 || set.iter().all(|(start, _)| start.space == 0)));
            all
        };
        let everybody = set(&["0.0.0.0/0", "::/0"]);
        let has = |label: &str| labels.contains(label);
        match self {
            Self::Apart | Self::Labels => everybody,
            Self::Azure if has(LOAD_BALANCER) && labels.len() > 1 => Ranges::default(),
            Self::Azure if has(LOAD_BALANCER) => set(&["168.63.129.16/32"]),
            Self::Azure if has(VIRTUAL_NETWORK) && has(INTERNET) => Ranges::default(),
            Self::Azure if has(INTERNET) => everybody.without(&set(&PRIVATE)),
            Self::Azure => set(&PRIVATE),
        }
    }
}

/// Whether an Azure name is an application security group, whose members are in the virtual network.
fn is_group(name: &str) -> bool {
    name.contains("/applicationsecuritygroups/")
}

/// The axis of the addresses with their labels.
#[derive(Debug)]
pub(crate) struct PartyAxis {
    naming: Naming,
    /// The combinations of labels that are told apart, each with the addresses that may have them.
    families: Vec<(BTreeSet<String>, Ranges)>,
    /// The numbers of names that are apart from addresses.
    numbers: HashMap<String, u128>,
}

/// The space of names that are apart from addresses.
const NAMES: u32 = 2;

/// The maximum number of combinations of labels. With more, pairs of labels are not told apart, and the comparison is
/// not exact (`is_exact`).
const MAX_FAMILIES: usize = 500;

impl PartyAxis {
    /// Makes the axis for all parties of a comparison. `has_refusals` says that a rule with a name may refuse, so that
    /// pairs of names matter. `None` if there are too many names to tell them apart.
    pub(crate) fn new<'p>(
        naming: Naming,
        parties: impl Iterator<Item = &'p Parties> + Clone,
        has_refusals: bool,
    ) -> Option<Self> {
        let names: BTreeSet<&String> = parties.clone().flat_map(|party| &party.names).collect();
        if naming == Naming::Apart {
            let numbers = names
                .iter()
                .zip(0..)
                .map(|(name, number)| ((*name).clone(), number));
            return Some(Self {
                naming,
                families: Vec::new(),
                numbers: numbers.collect(),
            });
        }
        let count = names.len();
        let combinations = if has_refusals { count * count } else { count };
        if combinations > MAX_FAMILIES {
            return None;
        }
        // What names no address of IPv6 is written for a network that has none.
        let has_v6 = parties
            .flat_map(|party| party.addresses.iter())
            .any(|(start, _)| start.space == super::ranges::V6);
        let mut labels: BTreeSet<BTreeSet<String>> = BTreeSet::from([BTreeSet::new()]);
        if naming == Naming::Azure {
            labels.extend([VIRTUAL_NETWORK, INTERNET].map(|tag| BTreeSet::from([tag.to_owned()])));
        }
        for first in &names {
            labels.insert(naming.closure(&BTreeSet::from([(*first).clone()])));
            let seconds = names.iter().filter(|_| has_refusals);
            labels.extend(seconds.map(|second| {
                naming.closure(&BTreeSet::from([(*first).clone(), (*second).clone()]))
            }));
        }
        let universe = |labels: BTreeSet<String>| {
            let addresses = naming.universe(&labels, has_v6);
            (labels, addresses)
        };
        Some(Self {
            naming,
            families: labels.into_iter().map(universe).collect(),
            numbers: HashMap::new(),
        })
    }

    /// Leaves only the addresses with a label: of a virtual network, those that a rule for traffic into it can protect.
    pub(crate) fn within_network(mut self) -> Self {
        if self.naming == Naming::Azure {
            self.families
                .retain(|(labels, _)| labels.contains(VIRTUAL_NETWORK));
        }
        self
    }

    /// Returns the set of parties on this axis.
    pub(crate) fn ranges(&self, parties: &Parties) -> Ranges {
        if parties.is_anything {
            return Ranges::all();
        }
        if self.naming == Naming::Apart {
            let numbers = parties
                .names
                .iter()
                .filter_map(|name| self.numbers.get(name));
            let mut all = parties.addresses.clone();
            all.extend(numbers.map(|number| Ranges::span(NAMES, *number, *number)));
            if parties.is_everybody {
                all.extend(
                    ["0.0.0.0/0", "::/0"]
                        .iter()
                        .filter_map(|text| addresses(text)),
                );
            }
            return all;
        }
        let mut ranges = Vec::new();
        for ((labels, universe), base) in self.families.iter().zip((0..).step_by(2)) {
            let shift = |(start, end): (Point, Point)| {
                let moved = |point: Point| Point {
                    space: point.space + base,
                    ..point
                };
                (moved(start), moved(end))
            };
            if parties.is_everybody || !labels.is_disjoint(&parties.names) {
                ranges.extend(universe.iter().map(shift));
            } else {
                ranges.extend(universe.intersection(&parties.addresses).iter().map(shift));
            }
        }
        ranges.into_iter().collect()
    }
}

/// The axis of limits that the model does not understand: a rule applies only where all of its limits hold.
#[derive(Debug)]
pub(crate) struct LimitAxis(Vec<BTreeSet<String>>);

impl LimitAxis {
    /// Makes the axis for the limits of all rules of a comparison; see [`PartyAxis::new`].
    pub(crate) fn new<'l>(
        limits: impl Iterator<Item = &'l BTreeSet<String>>,
        has_refusals: bool,
    ) -> Option<Self> {
        let alone: BTreeSet<&BTreeSet<String>> = limits.collect();
        if alone.len() > MAX_FAMILIES || has_refusals && alone.len() * alone.len() > MAX_FAMILIES {
            return None;
        }
        let mut all = BTreeSet::from([BTreeSet::new()]);
        for first in &alone {
            all.insert((*first).clone());
            let seconds = alone.iter().filter(|_| has_refusals);
            all.extend(seconds.map(|second| first.union(second).cloned().collect()));
        }
        Some(Self(all.into_iter().collect()))
    }

    /// Returns where a rule with these limits applies.
    pub(crate) fn ranges(&self, limits: &BTreeSet<String>) -> Ranges {
        let holds = self
            .0
            .iter()
            .zip(0..)
            .filter(|(all, _)| limits.is_subset(all));
        let mut ranges = Ranges::default();
        ranges.extend(holds.map(|(_, number)| Ranges::span(0, number, number)));
        ranges
    }
}

//! Network policies: who may reach the pods that a policy selects, and whom they may reach.
//!
//! "Network Policies" (kubernetes.io), and the reference of its API: a pod that no policy selects is open in that
//! direction. No peers are everybody, no ports all ports; both selectors in one peer must hold; an empty selector is
//! everything; a selector of pods alone means the policy's own namespace. A policy is judged as if it were the only one
//! that selects its pods, and a network as one outside of the cluster.
//!
//! ```text
//! from: [{podSelector: {app: api}}] -> from: []        wider: everybody may come in
//! ingress: [{…}] -> ingress: []                        narrower: nobody may
//! policyTypes: [Ingress, Egress] -> [Ingress]          wider: they may reach everything
//! ```

use std::collections::{BTreeSet, HashSet};

use super::bits::Bits;
use super::growth::Growth;
use super::part::Part;
use super::remark::Remark;
use super::selector::{self, Label, Selector};
use super::spans::{Address, Network, addresses};
use super::view::View;
use crate::direction::Direction;

/// The label that the API server gives each namespace: its name.
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// The most pairs of a rule and a peer that are looked at.
const MOST: usize = 1 << 21;

/// One of the two directions of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Ingress,
    Egress,
}

impl Way {
    /// Returns the name of its type of policy.
    fn policy_type(self) -> &'static str {
        match self {
            Self::Ingress => "Ingress",
            Self::Egress => "Egress",
        }
    }

    /// Returns the member with its rules.
    fn rules(self) -> &'static str {
        match self {
            Self::Ingress => "ingress",
            Self::Egress => "egress",
        }
    }

    /// Returns the member of a rule with its peers.
    fn peers(self) -> &'static str {
        match self {
            Self::Ingress => "from",
            Self::Egress => "to",
        }
    }
}

/// Judges a NetworkPolicy.
pub(super) fn judge<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let Some(spec) = object.at("spec").filter(|spec| !spec.is_same()) else {
        return Vec::new();
    };
    let namespace = |view: View<'w>| {
        let name = view.at("metadata.namespace");
        if name.is_open() {
            None
        } else {
            Some(name.text().unwrap_or("default"))
        }
    };
    let namespace = namespace(object.after).or_else(|| namespace(object.before));
    let mut remarks = Vec::new();
    let mut both = Some(Growth::default());
    for way in [Way::Ingress, Way::Egress] {
        let growth = growth(spec.before, spec.after, way, namespace);
        both = both.zip(growth).map(|(both, growth)| both.or(growth));
        if let Some(rules) = spec.list(way.rules()).filter(|rules| !rules.is_same()) {
            let mut remark = rules.grows(growth, Direction::Wider);
            let [before, after] = [spec.before, spec.after].map(|spec| peers_in_words(spec, way));
            remark.words = Some(format!("{} {before} -> {after}", way.peers()));
            remarks.push(remark);
        }
    }
    for part in [spec.list("podSelector"), spec.list("policyTypes")] {
        let part = part.filter(|part| !part.is_same());
        remarks.extend(part.map(|part| part.grows(both, Direction::Wider)));
    }
    remarks
}

/// Returns whom the rules of one direction let through, in words: `pods app=api, 10.0.0.0/8`.
fn peers_in_words(spec: View<'_>, way: Way) -> String {
    let mut words = BTreeSet::new();
    if !restricts(spec, way) {
        return "anybody".to_owned();
    }
    for rule in spec.list(way.rules()) {
        if !rule.has_elements(way.peers()) {
            words.insert("anybody".to_owned());
        }
        for peer in rule.list(way.peers()) {
            let block = peer.get("ipBlock");
            let selectors = [("namespaces", "namespaceSelector"), ("pods", "podSelector")];
            let selected = selectors.iter().filter_map(|(what, name)| {
                let selector = peer.get(name);
                selector
                    .is_present()
                    .then(|| format!("{what} {}", labels_in_words(selector)))
            });
            words.insert(match block.get("cidr").text() {
                Some(network) => network.to_owned(),
                None => selected.collect::<Vec<_>>().join(" in "),
            });
        }
    }
    if words.is_empty() {
        return "nobody".to_owned();
    }
    words.into_iter().collect::<Vec<_>>().join(", ")
}

/// Returns the labels of a selector in words: `app=api`, or `any`.
fn labels_in_words(selector: View<'_>) -> String {
    let labels = selector.get("matchLabels");
    let mut words: Vec<String> = labels
        .entries()
        .iter()
        .filter_map(|(key, value)| Some(format!("{key}={}", value.content.scalar_text()?)))
        .collect();
    for expression in selector.list("matchExpressions") {
        let text = |name: &str| expression.get(name).text().unwrap_or_default();
        let values = expression.texts("values").join("|");
        words.push(
            format!("{} {} {values}", text("key"), text("operator"))
                .trim_end()
                .to_owned(),
        );
    }
    if words.is_empty() {
        return "any".to_owned();
    }
    words.join(" ")
}

/// A rule of a policy: whom it lets through, and at which ports. `None` is everybody and all ports.
struct Rule<'w> {
    peers: Option<Vec<Peer<'w>>>,
    ports: Option<Vec<Port<'w>>>,
}

/// Somebody whom a rule lets through.
enum Peer<'w> {
    /// Pods with these labels in namespaces with these labels; `None` is the policy's own namespace.
    Pods {
        namespaces: Option<Selector<'w>>,
        pods: Selector<'w>,
    },
    /// The addresses of a network, except those of others.
    Network {
        network: Network,
        except: Vec<Network>,
    },
}

/// Ports of a protocol.
struct Port<'w> {
    protocol: &'w str,
    numbers: Numbers<'w>,
}

/// The ports of a protocol that a rule is about.
enum Numbers<'w> {
    All,
    Range(u32, u32),
    /// The port to which each pod gives this name.
    Named(&'w str),
}

/// Returns the rules of one direction; `None` if a part of them is not known here.
fn rules<'w>(spec: View<'w>, way: Way) -> Option<Vec<Rule<'w>>> {
    let mut rules = Vec::new();
    for rule in spec.list(way.rules()) {
        let peers: Option<Vec<_>> = rule.list(way.peers()).map(peer).collect();
        let ports: Option<Vec<_>> = rule.list("ports").map(port).collect();
        let (peers, ports) = (peers?, ports?);
        // A list of elements that are not known yet is not the same as no list, which is everybody.
        rules.push(Rule {
            peers: rule.has_elements(way.peers()).then_some(peers),
            ports: rule.has_elements("ports").then_some(ports),
        });
    }
    Some(rules)
}

/// Reads a peer; `None` if it has a network or an operator that cannot be read.
fn peer(peer: View<'_>) -> Option<Peer<'_>> {
    let block = peer.get("ipBlock");
    if block.is_present() {
        let except: Option<Vec<_>> = block
            .texts("except")
            .into_iter()
            .map(Network::parse)
            .collect();
        return Some(Peer::Network {
            network: Network::parse(block.get("cidr").text()?)?,
            except: except?,
        });
    }
    let namespaces = peer.get("namespaceSelector");
    Some(Peer::Pods {
        namespaces: if namespaces.is_present() {
            Some(Selector::new(namespaces)?)
        } else {
            None
        },
        pods: Selector::new(peer.get("podSelector"))?,
    })
}

/// Reads a port; `None` if it has no number that can be read.
fn port(port: View<'_>) -> Option<Port<'_>> {
    let numbers = match port.get("port").text() {
        None => Numbers::All,
        Some(text) if text.bytes().any(|byte| byte.is_ascii_alphabetic()) => Numbers::Named(text),
        Some(text) => {
            let first: u32 = text.parse().ok()?;
            let last = match port.get("endPort").text() {
                Some(text) => text.parse().ok().filter(|last| *last > 0),
                None => None,
            };
            Numbers::Range(first, last.unwrap_or(first))
        }
    };
    Some(Port {
        protocol: port.get("protocol").text().unwrap_or("TCP"),
        numbers,
    })
}

/// Whether a policy restricts traffic in a direction. Without types, it does for what comes in, and for what goes out
/// if it has such rules.
fn restricts(spec: View<'_>, way: Way) -> bool {
    if !spec.is_present() {
        return false;
    }
    let types = spec.texts("policyTypes");
    if types.is_empty() {
        return match way {
            Way::Ingress => true,
            Way::Egress => spec.list("egress").next().is_some(),
        };
    }
    types.contains(&way.policy_type())
}

/// Returns what traffic in a direction gains and loses; `None` if it cannot be told.
fn growth<'w>(
    before: View<'w>,
    after: View<'w>,
    way: Way,
    namespace: Option<&'w str>,
) -> Option<Growth> {
    let selectors = [
        Selector::new(before.get("podSelector"))?,
        Selector::new(after.get("podSelector"))?,
    ];
    let restricted = [restricts(before, way), restricts(after, way)];
    let rules = [rules(before, way)?, rules(after, way)?];
    let passes = passes(&rules, namespace)?;
    let mut growth = Growth::default();
    for pod in selector::kinds(&selectors.each_ref(), |_, _| true)? {
        let [was, is] = [0, 1].map(|side| pod.contains(side) && restricted[side]);
        for pair in &passes {
            match (was, is) {
                (false, false) => {}
                (true, false) => growth.grew |= pair.before.growth(&pair.all).grew,
                (false, true) => growth.shrank |= pair.after.growth(&pair.all).grew,
                (true, true) => growth = growth.or(pair.before.growth(&pair.after)),
            }
        }
    }
    Some(growth)
}

/// The ports at which somebody is let through, of the list of all that rules tell apart.
struct Passes {
    before: Bits,
    after: Bits,
    all: Bits,
}

/// Returns the ports at which each kind of peer is let through before and after; `None` if they are too many.
fn passes<'w>(rules: &[Vec<Rule<'w>>; 2], namespace: Option<&'w str>) -> Option<Vec<Passes>> {
    let all_rules: Vec<_> = rules.iter().flatten().collect();
    let points = points(&all_rules);
    let all = Bits::new(points.len(), |_| true);
    let ports: [Vec<Bits>; 2] = rules.each_ref().map(|rules| {
        rules
            .iter()
            .map(|rule| Bits::new(points.len(), |index| rule.lets_through(points.get(index))))
            .collect()
    });
    let somebody = somebody(&all_rules, namespace)?;
    if somebody.len() * all_rules.len() > MOST {
        return None;
    }
    let let_through = |who: &Somebody, side: usize| {
        let mut bits = Bits::default();
        let (rules, ports) = (&rules[side], &ports[side]);
        // The selectors of all rules are numbered, those of the rules before first.
        let mut peer_index = if side == 0 {
            0
        } else {
            peer_count(&all_rules, rules.len())
        };
        for (rule, ports) in rules.iter().zip(ports) {
            let peers = rule.peers.as_deref().unwrap_or_default();
            let is_let = rule.peers.is_none()
                || peers
                    .iter()
                    .zip(peer_index..)
                    .any(|(peer, index)| who.is(peer, index));
            peer_index += peers.len();
            if is_let {
                bits.add(ports);
            }
        }
        bits
    };
    let passes = somebody.iter().map(|who| Passes {
        before: let_through(who, 0),
        after: let_through(who, 1),
        all: all.clone(),
    });
    Some(passes.collect())
}

/// Returns the number of peers of all rules but the last `count` ones.
fn peer_count(rules: &[&Rule<'_>], count: usize) -> usize {
    let first = rules
        .get(..rules.len().saturating_sub(count))
        .unwrap_or_default();
    first
        .iter()
        .map(|rule| rule.peers.as_deref().map_or(0, <[_]>::len))
        .sum()
}

/// A port that stands for all that rules do not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point<'w> {
    /// A protocol without ports, which only a rule without ports lets through.
    NoPorts,
    Number(&'w str, u32),
    Named(&'w str, &'w str),
}

/// Returns the ports that rules tell apart.
fn points<'w>(rules: &[&Rule<'w>]) -> Vec<Point<'w>> {
    let mut points = BTreeSet::from([Point::NoPorts]);
    let ports = || {
        rules
            .iter()
            .filter_map(|rule| rule.ports.as_ref())
            .flatten()
    };
    let protocols: BTreeSet<_> = ports()
        .map(|port| port.protocol)
        .chain(["TCP", "UDP", "SCTP"])
        .collect();
    points.extend(
        protocols
            .into_iter()
            .map(|protocol| Point::Number(protocol, 1)),
    );
    for port in ports() {
        match port.numbers {
            Numbers::All => {}
            Numbers::Range(first, last) => {
                for number in [first, last.saturating_add(1)] {
                    if (1..=65535).contains(&number) {
                        points.insert(Point::Number(port.protocol, number));
                    }
                }
            }
            Numbers::Named(name) => {
                points.insert(Point::Named(port.protocol, name));
            }
        }
    }
    points.into_iter().collect()
}

impl Rule<'_> {
    /// Whether the rule lets traffic to a port through.
    fn lets_through(&self, point: Option<&Point<'_>>) -> bool {
        let (Some(point), Some(ports)) = (point, &self.ports) else {
            return self.ports.is_none();
        };
        ports.iter().any(|port| match (*point, &port.numbers) {
            (Point::Number(protocol, _) | Point::Named(protocol, _), Numbers::All) => {
                protocol == port.protocol
            }
            (Point::Number(protocol, number), Numbers::Range(first, last)) => {
                protocol == port.protocol && (*first..=*last).contains(&number)
            }
            (Point::Named(protocol, name), Numbers::Named(own)) => {
                protocol == port.protocol && name == *own
            }
            (Point::NoPorts, _)
            | (Point::Number(..), Numbers::Named(_))
            | (Point::Named(..), Numbers::Range(..)) => false,
        })
    }
}

/// Somebody at the other end who stands for all that rules do not tell apart.
enum Somebody {
    /// A pod: whether it is in the policy's namespace, and which selectors of namespaces and pods select it, by the
    /// numbers of the peers.
    Pod {
        is_own: bool,
        namespaces: Bits,
        pods: Bits,
    },
    Address(Address),
}

impl Somebody {
    /// Whether a peer with a number is this one.
    fn is(&self, peer: &Peer<'_>, index: usize) -> bool {
        match (self, peer) {
            (
                Self::Pod {
                    is_own,
                    namespaces,
                    pods,
                },
                Peer::Pods {
                    namespaces: selector,
                    ..
                },
            ) => {
                pods.contains(index)
                    && if selector.is_some() {
                        namespaces.contains(index)
                    } else {
                        *is_own
                    }
            }
            (Self::Address(address), Peer::Network { network, except }) => {
                network.includes(*address) && !except.iter().any(|other| other.includes(*address))
            }
            (Self::Pod { .. }, Peer::Network { .. }) | (Self::Address(_), Peer::Pods { .. }) => {
                false
            }
        }
    }
}

/// Returns everybody whom the peers of rules tell apart; `None` if they are too many.
fn somebody<'w>(rules: &[&Rule<'w>], namespace: Option<&'w str>) -> Option<Vec<Somebody>> {
    let everything = Selector::default();
    let (mut namespaces, mut pods, mut networks) = (Vec::new(), Vec::new(), Vec::new());
    for peer in rules
        .iter()
        .filter_map(|rule| rule.peers.as_ref())
        .flatten()
    {
        match peer {
            Peer::Pods {
                namespaces: selector,
                pods: own,
            } => {
                namespaces.push(selector.as_ref().unwrap_or(&everything));
                pods.push(own);
            }
            Peer::Network { network, except } => {
                networks.push(*network);
                networks.extend(except);
                // A number for each peer, so that numbers are those of peers.
                namespaces.push(&everything);
                pods.push(&everything);
            }
        }
    }
    let is_named = namespace.is_some_and(|own| {
        namespaces
            .iter()
            .any(|selector| selector.mentions(NAMESPACE_NAME, own))
    });
    let own = selector::kinds(&namespaces, |key, label| match (key, namespace) {
        (NAMESPACE_NAME, Some(own)) if is_named => label == Label::Value(own),
        (NAMESPACE_NAME, Some(_)) => label == Label::Other,
        (NAMESPACE_NAME, None) => label != Label::Absent,
        _ => true,
    })?;
    let others = selector::kinds(&namespaces, |key, label| {
        key != NAMESPACE_NAME
            || (label != Label::Absent && namespace.is_none_or(|own| label != Label::Value(own)))
    })?;
    let pods: HashSet<Bits> = selector::kinds(&pods, |_, _| true)?;
    if (own.len() + others.len()) * pods.len() > MOST {
        return None;
    }
    let mut everybody: Vec<_> = addresses(&networks)
        .into_iter()
        .map(Somebody::Address)
        .collect();
    for (is_own, kinds) in [(true, &own), (false, &others)] {
        for namespaces in kinds {
            everybody.extend(pods.iter().map(|pods| Somebody::Pod {
                is_own,
                namespaces: namespaces.clone(),
                pods: pods.clone(),
            }));
        }
    }
    Some(everybody)
}

//! Roles and bindings: who may do what to which objects of the API.
//!
//! "Using RBAC Authorization" (kubernetes.io): rules only add; a rule is the product of its groups, resources, names
//! and verbs; no names are all names; `*` is everything, and `*/scale` is that part of everything.
//!
//! ```text
//! {pods, get} {secrets, list} -> {pods secrets, get list}     wider: secrets may be read one by one
//! ServiceAccount ci/ci -> Group system:serviceaccounts        wider: every service account
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};

use super::bits::Bits;
use super::growth::Growth;
use super::part::Part;
use super::remark::{Gravity, Remark};
use super::selector;
use super::view::View;
use crate::diff::value::Unmarked;
use crate::direction::Direction;

/// The most combinations of groups, resources and names that are counted for one side. A role with more is not judged;
/// the largest role of the charts that everybody uses has about 2,000.
const MOST: usize = 500_000;

/// A value that no role mentions, so only `*` includes it.
const OTHER: &str = "\0";

/// The roles that every cluster has, each of which includes those behind it.
const LADDER: [&str; 4] = ["cluster-admin", "admin", "edit", "view"];

/// Judges a Role or ClusterRole.
pub(super) fn role<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    if let Some(rules) = object.list("rules").filter(|rules| !rules.is_same()) {
        let growth = growth_of_rules(rules.before, rules.after);
        let mut remark = rules.grows(growth, Direction::Wider);
        let added = added_rules(rules.before, rules.after);
        if added.iter().any(|rule| is_everything(*rule)) {
            remark.gravity = Gravity::Total;
        }
        remark.words = words(&added);
        remarks.push(remark);
    }
    if let Some(selectors) = object
        .at("aggregationRule")
        .and_then(|rule| rule.list("clusterRoleSelectors"))
        .filter(|selectors| !selectors.is_same())
    {
        let side = |view: View<'w>| view.items().collect::<Vec<_>>();
        let growth = selector::growth(&side(selectors.before), &side(selectors.after));
        remarks.push(selectors.grows(growth, Direction::Wider));
    }
    remarks
}

/// Judges a RoleBinding or ClusterRoleBinding.
pub(super) fn binding<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    if let Some(subjects) = object.list("subjects").filter(|part| !part.is_same()) {
        let growth = Some(growth_of_subjects(subjects.before, subjects.after));
        let mut remark = subjects.grows(growth, Direction::Wider);
        let added = added_subjects(subjects.before, subjects.after);
        let role = object.after.at("roleRef.name").text().unwrap_or_default();
        let is_everybody = added.iter().any(|(_, _, name)| EVERYBODY.contains(name));
        if role == "cluster-admin" || is_everybody {
            remark.gravity = Gravity::Total;
        }
        let names: Vec<_> = added
            .iter()
            .map(|(kind, _, name)| format!("{kind} {name}"))
            .collect();
        if !names.is_empty() {
            remark.words = Some(format!("+ {} as {role}", names.join(", ")));
        }
        remarks.push(remark);
    }
    if let Some(reference) = object.at("roleRef").filter(|part| !part.is_same()) {
        let directions = if reference.is_open() {
            Direction::Unknown
        } else {
            other_role(reference.before, reference.after)
        };
        let mut remark = reference.means(directions);
        remark.gravity = if remarks.iter().any(is_wider) {
            // Who comes is told with the role.
            Gravity::Untold
        } else if reference.after.get("name").text() == Some("cluster-admin") {
            Gravity::Total
        } else {
            Gravity::Usual
        };
        remarks.push(remark);
    }
    remarks
}

/// Whether more may happen.
fn is_wider(remark: &Remark<'_>) -> bool {
    remark.directions().contains(Direction::Wider)
}

/// The groups of everybody, or of every service account.
const EVERYBODY: [&str; 4] = [
    "system:authenticated",
    "system:unauthenticated",
    "system:serviceaccounts",
    "system:anonymous",
];

/// Returns the rules that are only on the second side.
fn added_rules<'w>(before: View<'w>, after: View<'w>) -> Vec<View<'w>> {
    let known: HashSet<_> = before
        .items()
        .filter_map(View::value)
        .map(Unmarked)
        .collect();
    let is_new = |rule: &View<'w>| {
        rule.value()
            .is_some_and(|value| !known.contains(&Unmarked(value)))
    };
    after.items().filter(is_new).collect()
}

/// Whether a rule allows everything to everything.
fn is_everything(rule: View<'_>) -> bool {
    ["apiGroups", "resources", "verbs"]
        .iter()
        .all(|name| rule.texts(name).contains(&"*"))
}

/// Returns rules in words: `+ secrets: get list; + pods/exec: create`. `None` if there are none.
fn words(rules: &[View<'_>]) -> Option<String> {
    let mut words = Vec::new();
    for rule in rules {
        let mut what = rule.texts("resources");
        what.extend(rule.texts("nonResourceURLs"));
        let names = rule.texts("resourceNames");
        let only = if names.is_empty() {
            String::new()
        } else {
            format!(" {}", names.join(" "))
        };
        words.push(format!(
            "{}{only}: {}",
            what.join(" "),
            rule.texts("verbs").join(" ")
        ));
    }
    (!words.is_empty()).then(|| format!("now {}", words.join("; ")))
}

/// Returns kind, namespace and name of the subjects that are only on the second side.
fn added_subjects<'w>(before: View<'w>, after: View<'w>) -> Vec<(&'w str, &'w str, &'w str)> {
    let side = |view: View<'w>| -> BTreeSet<_> {
        let text = |subject: View<'w>, name: &str| subject.get(name).text().unwrap_or_default();
        let subject = |s: View<'w>| (text(s, "kind"), text(s, "namespace"), text(s, "name"));
        view.items().map(subject).collect()
    };
    let known = side(before);
    side(after)
        .into_iter()
        .filter(|subject| !known.contains(subject))
        .collect()
}

/// Returns the direction of another role for the same subjects.
fn other_role(before: View<'_>, after: View<'_>) -> Direction {
    let kind = |view: View<'_>| view.get("kind").text() == Some("ClusterRole");
    let rank = |view: View<'_>| {
        let name = view.get("name").text()?;
        LADDER
            .iter()
            .position(|role| *role == name)
            .filter(|_| kind(view))
    };
    match (rank(before), rank(after)) {
        (Some(a), Some(b)) if a == b => Direction::Same,
        (Some(a), Some(b)) if b < a => Direction::Wider,
        (Some(_), Some(_)) | (Some(0), None) => Direction::Narrower,
        (None, Some(0)) => Direction::Wider,
        (Some(_) | None, Some(_) | None) => Direction::Another,
    }
}

/// The dimensions of a rule, each with the values that decide: those that a rule mentions, and one that none does.
struct World<'w> {
    verbs: Vec<&'w str>,
    groups: Vec<&'w str>,
    resources: Vec<String>,
    names: Vec<&'w str>,
    addresses: Vec<String>,
}

/// Returns what rules gain and lose; `None` if there are too many combinations.
pub(super) fn growth_of_rules(before: View<'_>, after: View<'_>) -> Option<Growth> {
    let mut verbs = BTreeSet::from([OTHER]);
    let mut groups = BTreeSet::from([OTHER]);
    let mut resources = BTreeSet::from([OTHER.to_owned()]);
    let mut names = BTreeSet::from([OTHER]);
    let mut addresses = BTreeSet::new();
    for rule in before.items().chain(after.items()) {
        verbs.extend(rule.texts("verbs"));
        groups.extend(group_names(rule));
        names.extend(rule.texts("resourceNames"));
        for resource in rule.texts("resources") {
            match resource.strip_prefix("*/") {
                Some(part) => resources.insert(format!("{OTHER}/{part}")),
                None => resources.insert(resource.to_owned()),
            };
        }
        for address in rule.texts("nonResourceURLs") {
            match address.strip_suffix('*') {
                Some(start) => addresses.extend([start.to_owned(), format!("{start}{OTHER}")]),
                None => addresses.extend([address.to_owned()]),
            }
        }
    }
    let world = World {
        verbs: verbs.into_iter().filter(|verb| *verb != "*").collect(),
        groups: groups.into_iter().filter(|group| *group != "*").collect(),
        resources: resources.into_iter().filter(|name| name != "*").collect(),
        names: names.into_iter().collect(),
        addresses: addresses.into_iter().collect(),
    };
    let (before, after) = (allowed(before, &world)?, allowed(after, &world)?);
    let none = Bits::default();
    let mut growth = Growth::default();
    for (key, verbs) in &before {
        growth = growth.or(verbs.growth(after.get(key).unwrap_or(&none)));
    }
    for (_, verbs) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        growth = growth.or(none.growth(verbs));
    }
    Some(growth)
}

/// What a rule is about: an object of the API by the numbers of its group, resource and name, or an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Object(usize, usize, usize),
    Address(usize),
}

/// Returns the verbs that rules allow for each target; `None` if there are too many.
fn allowed(rules: View<'_>, world: &World<'_>) -> Option<HashMap<Target, Bits>> {
    let mut allowed: HashMap<Target, Bits> = HashMap::new();
    let mut steps = 0;
    for rule in rules.items() {
        let verbs: BTreeSet<_> = rule.texts("verbs").into_iter().collect();
        let verbs = Bits::new(world.verbs.len(), |index| {
            verbs.contains("*")
                || world
                    .verbs
                    .get(index)
                    .is_some_and(|verb| verbs.contains(verb))
        });
        let mut targets = Vec::new();
        let addresses = rule.texts("nonResourceURLs");
        for (index, address) in world.addresses.iter().enumerate() {
            if addresses
                .iter()
                .any(|pattern| includes_address(pattern, address))
            {
                targets.push(Target::Address(index));
            }
        }
        let groups: BTreeSet<_> = group_names(rule).into_iter().collect();
        let groups = indexes(&world.groups, |group| {
            groups.contains("*") || groups.contains(group)
        });
        let resources: BTreeSet<_> = rule.texts("resources").into_iter().collect();
        let resources = indexes(&world.resources, |name| includes_resource(&resources, name));
        let only: BTreeSet<_> = rule.texts("resourceNames").into_iter().collect();
        let names = indexes(&world.names, |name| only.is_empty() || only.contains(name));
        steps += groups.len() * resources.len() * names.len() + world.addresses.len();
        if steps > MOST {
            return None;
        }
        for group in &groups {
            for resource in &resources {
                targets.extend(
                    names
                        .iter()
                        .map(|name| Target::Object(*group, *resource, *name)),
                );
            }
        }
        for target in targets {
            allowed.entry(target).or_default().add(&verbs);
        }
    }
    Some(allowed)
}

/// Returns the groups of a rule. The core group has the name `""`.
fn group_names<'w>(rule: View<'w>) -> Vec<&'w str> {
    rule.list("apiGroups")
        .filter_map(|group| group.value()?.content.scalar_text())
        .collect()
}

/// Returns the positions of the values that a rule includes.
fn indexes<T: AsRef<str>>(values: &[T], includes: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..values.len())
        .filter(|index| {
            values
                .get(*index)
                .is_some_and(|value| includes(value.as_ref()))
        })
        .collect()
}

/// Whether patterns of resources include a resource: `*`, its own name, or `*/` with its part.
fn includes_resource(patterns: &BTreeSet<&str>, name: &str) -> bool {
    patterns.contains("*")
        || patterns.contains(name)
        || name
            .split_once('/')
            .is_some_and(|(_, part)| patterns.iter().any(|p| p.strip_prefix("*/") == Some(part)))
}

/// Whether a pattern of addresses includes an address: `*` at its end is anything.
fn includes_address(pattern: &str, address: &str) -> bool {
    pattern
        .strip_suffix('*')
        .map_or(pattern == address, |start| address.starts_with(start))
}

/// Somebody who may be a subject: one that is mentioned, or one that stands for all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Principal<'w> {
    Anonymous,
    User(&'w str),
    /// A user who is a member of this group.
    Member(&'w str),
    /// A service account by its namespace and name.
    Robot(&'w str, &'w str),
}

impl<'w> Principal<'w> {
    /// Returns those of whom a subject is one, or who stand for its members.
    fn of(subject: View<'w>, add: &mut BTreeSet<Self>) {
        let Some(name) = subject.get("name").text() else {
            return;
        };
        match subject.get("kind").text() {
            Some("ServiceAccount") => {
                add.insert(Self::Robot(
                    subject.get("namespace").text().unwrap_or(""),
                    name,
                ));
            }
            Some("Group") => {
                match name.strip_prefix("system:serviceaccounts:") {
                    Some(namespace) => add.insert(Self::Robot(namespace, OTHER)),
                    None => match name {
                        "system:authenticated" | "system:serviceaccounts" => false,
                        "system:unauthenticated" => add.insert(Self::Anonymous),
                        _ => add.insert(Self::Member(name)),
                    },
                };
            }
            _ => {
                add.insert(Self::user(name));
            }
        }
    }

    /// Returns the principal with a user name, which may be that of a service account.
    fn user(name: &'w str) -> Self {
        if name == "system:anonymous" {
            return Self::Anonymous;
        }
        match name
            .strip_prefix("system:serviceaccount:")
            .and_then(|rest| rest.split_once(':'))
        {
            Some((namespace, name)) => Self::Robot(namespace, name),
            None => Self::User(name),
        }
    }

    /// Whether a group includes the principal.
    fn is_in(&self, group: &str) -> bool {
        match self {
            Self::Anonymous => group == "system:unauthenticated",
            Self::User(_) => group == "system:authenticated",
            Self::Member(own) => group == *own || group == "system:authenticated",
            Self::Robot(namespace, _) => {
                matches!(group, "system:authenticated" | "system:serviceaccounts")
                    || group.strip_prefix("system:serviceaccounts:") == Some(namespace)
            }
        }
    }
}

/// The subjects of a binding.
struct Subjects<'w> {
    single: BTreeSet<Principal<'w>>,
    groups: BTreeSet<&'w str>,
}

impl<'w> Subjects<'w> {
    fn new(subjects: View<'w>) -> Self {
        let (mut single, mut groups) = (BTreeSet::new(), BTreeSet::new());
        for subject in subjects.items() {
            if subject.get("kind").text() == Some("Group") {
                groups.extend(subject.get("name").text());
            } else {
                Principal::of(subject, &mut single);
            }
        }
        Self { single, groups }
    }

    fn includes(&self, principal: &Principal<'_>) -> bool {
        self.single.contains(principal) || self.groups.iter().any(|group| principal.is_in(group))
    }
}

/// Returns what the subjects of a binding gain and lose.
pub(super) fn growth_of_subjects(before: View<'_>, after: View<'_>) -> Growth {
    let mut world = BTreeSet::from([
        Principal::User(OTHER),
        Principal::Robot(OTHER, OTHER),
        Principal::Anonymous,
    ]);
    for subject in before.items().chain(after.items()) {
        Principal::of(subject, &mut world);
    }
    let (before, after) = (Subjects::new(before), Subjects::new(after));
    let mut growth = Growth::default();
    for principal in &world {
        let (was, is) = (before.includes(principal), after.includes(principal));
        growth.grew |= is && !was;
        growth.shrank |= was && !is;
    }
    growth
}

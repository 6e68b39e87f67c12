//! The shape of a plan: what all of its changes have in common, as the sentence at the head of a review.
//!
//! ```text
//! aws_vpc.data gets another cidr_block: it and 9 objects behind it are replaced
//! 39 objects move from module.network.module.vpc to module.vpc
//! Everything in this state is destroyed: 56 objects of 21 types
//! ```
//!
//! Shapes are tried in the order of [`PlanShape`], and the first one that fits begins the sentence. After it, the
//! sentence names the gravest findings, by what happens to which object; the entries say by which edit.
//!
//! Invariants: a shape follows from the plan alone; it is never a reason to leave an entry out; looking for one takes
//! time in proportion to the edits.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::entry::{Entry, Finding, FindingKind, Level, PlanFinding};
use super::moves::{self, MoveMapping};
use super::paths::{compact, path_text, root_name};
use super::plan::PlanReview;
use super::text::{differing_part, word};
use super::{ChangeKind, count, names, one_line};
use crate::diff::edits::{Edit, Label, Path, Step};
use crate::diff::value::MarkedValue;
use crate::model::plan::PlanMode;
use crate::text::key;

/// A shape holds if it is that of this share of all changes, in percent.
const MIN_SHARE: usize = 60;
/// Fewer objects have no edit in common that is worth a sentence.
const MIN_SHARING: usize = 3;
/// The number of edits of an entry that are compared with those of others.
const MAX_EDITS: usize = 32;
/// A value with more characters is not in the sentence.
const MAX_VALUE_LEN: usize = 32;
/// The number of objects that have the same kind of finding and are named, and the length of two names together.
const MAX_NAMED: usize = 2;
const MAX_NAMES_LEN: usize = 90;
/// The number of kinds of findings that the sentence tells.
const MAX_KINDS: usize = 2;

/// What the changes of a plan have in common. The order is that in which shapes are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlanShape<'a> {
    /// Every object that the plan lists is destroyed.
    DestroyAll {
        objects: usize,
        types: usize,
        /// The plan says that it is complete, so that it lists every object of the state.
        is_whole_state: bool,
    },
    /// One replacement makes others necessary.
    Cascade {
        /// The object that is replaced first.
        root: &'a str,
        /// The attributes that force its replacement.
        attributes: Vec<&'a str>,
        /// The number of objects that are replaced because of it.
        behind: usize,
    },
    /// Most objects move in one way.
    Move {
        mapping: MoveMapping<'a>,
        objects: usize,
        /// How many of them change as well.
        changed: usize,
    },
    /// Most objects are imported.
    Import {
        objects: usize,
        types: usize,
        changed: usize,
    },
    /// Most objects change in the same attributes and in nothing else.
    SameAttributes {
        objects: usize,
        types: BTreeSet<&'a str>,
        attributes: Vec<&'a str>,
    },
    /// Most objects have one edit in common.
    SameEdit {
        objects: usize,
        types: BTreeSet<&'a str>,
        edit: String,
    },
    /// Versions of objects of one type rise or fall.
    Versions {
        objects: usize,
        resource_type: &'a str,
        attribute: &'a str,
        major: usize,
        lower: usize,
    },
}

/// The sentence of a plan that can be applied and changes something. `None` if neither a shape nor a finding says
/// more than the counts do.
pub(super) fn sentence(review: &PlanReview<'_>) -> Option<String> {
    if review.errored || review.mode == PlanMode::RefreshOnly {
        return None;
    }
    let shape = PlanShape::find(review);
    let lists_all = matches!(shape, Some(PlanShape::DestroyAll { .. }));
    let mut parts: Vec<String> = shape.iter().map(PlanShape::words).collect();
    if !lists_all {
        parts.extend(gravest(review));
    }
    (!parts.is_empty()).then(|| one_line(&format!("{}.", parts.join("; "))))
}

impl<'a> PlanShape<'a> {
    fn find(review: &PlanReview<'a>) -> Option<Self> {
        let entries = &review.changes.resources;
        let listed: Vec<&Entry<'a>> = review.changes.listed().collect();
        destroy_all(review, &listed)
            .or_else(|| cascade(&listed))
            .or_else(|| move_of_most(entries, listed.len()))
            .or_else(|| import_of_most(&listed))
            .or_else(|| shared_change(&listed))
            .or_else(|| versions(&listed))
    }

    /// Returns the first part of the sentence, without findings and without a full stop.
    fn words(&self) -> String {
        match self {
            Self::DestroyAll {
                objects,
                types,
                is_whole_state,
            } => {
                let everything = if *is_whole_state {
                    "Everything in this state"
                } else {
                    "Everything in this plan"
                };
                format!(
                    "{everything} is destroyed: {} of {}",
                    count(*objects, "object"),
                    count(*types, "type")
                )
            }
            Self::Cascade {
                root,
                attributes,
                behind,
            } => {
                let why = match attributes.as_slice() {
                    [] => "is replaced".to_owned(),
                    [one] => format!("gets another {}", key(one)),
                    [one, two] => format!("gets another {} and {}", key(one), key(two)),
                    [one, rest @ ..] => format!(
                        "gets another {} and {}",
                        key(one),
                        count(rest.len(), "more attribute")
                    ),
                };
                let others = count(*behind, "object");
                format!("{root} {why}: it and {others} behind it are replaced")
            }
            Self::Move {
                mapping,
                objects,
                changed,
            } => {
                let how = match mapping {
                    MoveMapping::Modules { from, to } => {
                        format!("from {} to {}", module(from), module(to))
                    }
                    MoveMapping::Resource { from, to } => format!("from {from} to {to}"),
                    MoveMapping::Keys { resource } => format!("to other keys of {resource}"),
                };
                format!("{} {how}{}", verb(*objects, "move"), as_well(*changed))
            }
            Self::Import {
                objects,
                types,
                changed,
            } => {
                let are = if *objects == 1 { "is" } else { "are" };
                format!(
                    "{} of {} {are} imported{}",
                    count(*objects, "object"),
                    count(*types, "type"),
                    as_well(*changed)
                )
            }
            Self::SameAttributes {
                objects,
                types,
                attributes,
            } => {
                let names: Vec<_> = attributes.iter().map(|name| key(name)).collect();
                format!("{}: only {}", objects_of(*objects, types), names.join(", "))
            }
            Self::SameEdit {
                objects,
                types,
                edit,
            } => format!("{}: {edit}", objects_of(*objects, types)),
            Self::Versions {
                objects,
                resource_type,
                attribute,
                major,
                lower,
            } => {
                let mut words = format!("{objects} × {resource_type}: another {attribute}");
                if *major > 0 {
                    words.push_str(&format!(", {major} of them a new major version"));
                }
                if *lower > 0 {
                    words.push_str(&format!(", {lower} of them a lower one"));
                }
                words
            }
        }
    }
}

fn module(address: &str) -> &str {
    if address.is_empty() {
        "the root module"
    } else {
        address
    }
}

/// `1 object moves`, `3 objects move`.
fn verb(objects: usize, verb: &str) -> String {
    let ending = if objects == 1 { "s" } else { "" };
    format!("{} {verb}{ending}", count(objects, "object"))
}

fn as_well(changed: usize) -> String {
    match changed {
        0 => String::new(),
        1 => ", 1 of them changes as well".to_owned(),
        more => format!(", {more} of them change as well"),
    }
}

/// `12 × aws_lambda_function`, or `300 objects of 12 types`.
fn objects_of(objects: usize, types: &BTreeSet<&str>) -> String {
    match types.iter().next() {
        Some(only) if types.len() == 1 => format!("{objects} × {only}"),
        _ => format!(
            "{} of {}",
            count(objects, "object"),
            count(types.len(), "type")
        ),
    }
}

/// Whether `part` of `whole` is most of it.
fn is_most(part: usize, whole: usize) -> bool {
    part > 0 && part * 100 >= whole * MIN_SHARE
}

fn number_of_types(entries: &[&Entry<'_>]) -> usize {
    let types: HashSet<&str> = entries.iter().map(|entry| entry.resource_type).collect();
    types.len()
}

/// A plan lists unchanged objects too, so what it does not list is not in the state.
fn destroy_all<'a>(review: &PlanReview<'a>, listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let is_destroyed = |entry: &&Entry<'_>| entry.kind() == ChangeKind::Destroy;
    let holds = listed.len() >= 2
        && review.unchanged_objects == 0
        && listed.iter().all(is_destroyed)
        && review.changes.deferred.is_empty();
    holds.then(|| PlanShape::DestroyAll {
        objects: listed.len(),
        types: number_of_types(listed),
        is_whole_state: review.complete == Some(true),
    })
}

/// The replacement that most other replacements follow from, if at least two do.
fn cascade<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let replaced: HashMap<&str, &Entry<'a>> = listed
        .iter()
        .filter(|entry| entry.kind().is_replacement() && entry.deposed.is_empty())
        .map(|entry| (entry.address, *entry))
        .collect();
    if replaced.len() < 3 {
        return None;
    }
    let mut followers: HashMap<&str, Vec<&'a str>> = HashMap::new();
    let mut roots: Vec<&Entry<'a>> = Vec::new();
    for entry in listed
        .iter()
        .filter(|entry| replaced.contains_key(entry.address))
    {
        let mut is_root = true;
        for cause in &entry.causes {
            if cause.address != entry.address && replaced.contains_key(cause.address) {
                followers
                    .entry(cause.address)
                    .or_default()
                    .push(entry.address);
                is_root = false;
            }
        }
        if is_root && !roots.iter().any(|root| root.address == entry.address) {
            roots.push(entry);
        }
    }
    let mut widest: Option<(&Entry<'a>, usize)> = None;
    // An object is counted for the first root that it is behind, so that each is visited once.
    let mut visited: HashSet<&str> = HashSet::new();
    for root in roots {
        let mut behind = 0;
        let mut open = vec![root.address];
        visited.insert(root.address);
        while let Some(address) = open.pop() {
            for follower in followers.get(address).into_iter().flatten() {
                if visited.insert(follower) {
                    behind += 1;
                    open.push(follower);
                }
            }
        }
        if widest.is_none_or(|(_, most)| behind > most) {
            widest = Some((root, behind));
        }
    }
    let (root, behind) = widest.filter(|(_, behind)| *behind >= 2)?;
    let mut attributes: Vec<&str> = Vec::new();
    for edit in root.edits.iter().filter(|edit| edit.replaces) {
        let name = root_name(edit);
        if !name.is_empty() && !attributes.contains(&name) {
            attributes.push(name);
        }
    }
    Some(PlanShape::Cascade {
        root: root.address,
        attributes,
        behind,
    })
}

fn changes_too(entry: &Entry<'_>) -> bool {
    !matches!(entry.kind(), ChangeKind::Move | ChangeKind::Import)
}

fn move_of_most<'a>(entries: &[Entry<'a>], listed: usize) -> Option<PlanShape<'a>> {
    let most = moves::moves(entries).into_iter().next()?;
    let objects = most.entries.len();
    let changed = most
        .entries
        .iter()
        .filter(|index| changes_too(&entries[**index]));
    (objects >= MIN_SHARING && is_most(objects, listed)).then(|| PlanShape::Move {
        mapping: most.mapping,
        objects,
        changed: changed.count(),
    })
}

fn import_of_most<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let is_imported = |entry: &&&Entry<'a>| entry.importing.is_some();
    let imported: Vec<&Entry<'a>> = listed.iter().filter(is_imported).copied().collect();
    is_most(imported.len(), listed.len()).then(|| PlanShape::Import {
        objects: imported.len(),
        types: number_of_types(&imported),
        changed: imported.iter().filter(|entry| changes_too(entry)).count(),
    })
}

/// Whether a provider computes the new value, so that no author wrote the edit.
fn is_computed(edit: &Edit<'_>) -> bool {
    edit.after.is_some_and(|after| after.is_unknown())
}

fn is_form_only(edit: &Edit<'_>) -> bool {
    names::is_cosmetic(edit) || edit.labels.contains(Label::Empty)
}

/// The attributes that most objects change alone, or the edit that most objects share.
fn shared_change<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    if listed.len() < MIN_SHARING {
        return None;
    }
    let updates: Vec<&Entry<'a>> = listed
        .iter()
        .filter(|entry| entry.kind() == ChangeKind::Update)
        .copied()
        .collect();
    let mut by_attributes: HashMap<Vec<&'a str>, Vec<&Entry<'a>>> = HashMap::new();
    for entry in &updates {
        let written = entry.edits.iter().filter(|edit| !is_computed(edit));
        let names: BTreeSet<&str> = written.map(root_name).collect();
        // Of other attributes, the name alone says too little.
        if !names.is_empty() && entry.changes_only_tags() {
            by_attributes
                .entry(names.into_iter().collect())
                .or_default()
                .push(entry);
        }
    }
    let same_attributes = by_attributes
        .into_iter()
        .max_by(|(names, found), (others, more)| (found.len(), others).cmp(&(more.len(), names)))
        .filter(|(_, found)| found.len() >= MIN_SHARING && is_most(found.len(), listed.len()));
    let same_edit = shared_edit(&updates, listed.len());
    // An edit says more than the name of its attribute, unless it is one of many tags.
    match (same_edit, same_attributes) {
        (Some(shared), Some((attributes, found))) if attributes.len() == 1 => {
            Some(shared).filter(|_| found.len() >= MIN_SHARING)
        }
        (_, Some((attributes, found))) => Some(PlanShape::SameAttributes {
            objects: found.len(),
            types: found.iter().map(|entry| entry.resource_type).collect(),
            attributes,
        }),
        (same_edit, None) => same_edit,
    }
}

/// The edit that most entries share: the same path, and equal values before and after.
fn shared_edit<'a>(updates: &[&Entry<'a>], listed: usize) -> Option<PlanShape<'a>> {
    let hashes = RandomState::new();
    let mut shared: HashMap<u64, Vec<(&Entry<'a>, &'a Edit<'a>)>> = HashMap::new();
    for entry in updates {
        let mut hashes_of_entry: HashSet<u64> = HashSet::new();
        for edit in entry.edits.iter().take(MAX_EDITS) {
            if is_computed(edit) || is_form_only(edit) || edit.path.is_empty() {
                continue;
            }
            let values = [edit.before, edit.after].map(|side| side.map(|value| value.hash_value()));
            let hash = hashes.hash_one((hash_path(edit.path, &hashes), values));
            if hashes_of_entry.insert(hash) {
                shared.entry(hash).or_default().push((entry, edit));
            }
        }
    }
    let most = shared
        .into_values()
        .filter(|found| found.len() >= MIN_SHARING && is_most(found.len(), listed))
        .max_by_key(|found| {
            let (entry, edit) = found[0];
            let order = entry
                .edits
                .iter()
                .position(|other| std::ptr::eq(other, edit));
            (found.len(), std::cmp::Reverse(order))
        })?;
    let (_, edit) = most[0];
    Some(PlanShape::SameEdit {
        objects: most.len(),
        types: most.iter().map(|(entry, _)| entry.resource_type).collect(),
        edit: edit_words(edit),
    })
}

fn hash_path(path: Path<'_>, hashes: &RandomState) -> u64 {
    path.steps().into_iter().fold(0, |hash, step| match step {
        Step::Name(name) => hashes.hash_one((hash, 0_u8, name)),
        Step::Element(element) => {
            let identity = element.key.map(|key| (key.name, key.value.hash_value()));
            let place = identity
                .is_none()
                .then_some((element.before, element.after));
            hashes.hash_one((hash, 1_u8, identity, place))
        }
        Step::Document(format) => hashes.hash_one((hash, 2_u8, format)),
    })
}

/// `timeout 30 -> 900`, `layers[0] …layer:powertools:{12 -> 13}`; the name alone if the values are long.
fn edit_words(edit: &Edit<'_>) -> String {
    let name = path_text("", edit.path);
    let texts = [edit.before, edit.after].map(|side| side.and_then(MarkedValue::as_str));
    let is_beside_text = texts.iter().all(Option::is_some);
    let side = |value: Option<_>| word(value, MAX_VALUE_LEN, is_beside_text);
    let (before, after) = (side(edit.before), side(edit.after));
    let is_short = |text: &str| !text.ends_with('…') && text.chars().count() <= MAX_VALUE_LEN;
    match (edit.before, edit.after) {
        (Some(_), Some(_)) if is_short(&before) && is_short(&after) => {
            format!("{name} {before} -> {after}")
        }
        (None, Some(_)) if is_short(&after) => format!("{name} is set to {after}"),
        (Some(_), None) if is_short(&before) => format!("{name} {before} is removed"),
        (None, Some(_)) => format!("{name} is set"),
        (Some(_), None) => format!("{name} is removed"),
        (_, _) => match texts {
            [Some(before), Some(after)] if let Some(part) = differing_part(before, after) => {
                format!("{name} {part}")
            }
            _ => format!("{name} changes"),
        },
    }
}

/// Objects of one type, most of all that change, whose version changes.
fn versions<'a>(listed: &[&Entry<'a>]) -> Option<PlanShape<'a>> {
    let mut by_attribute: HashMap<(&'a str, &'a str), Vec<(Version, Version)>> = HashMap::new();
    for entry in listed
        .iter()
        .filter(|entry| entry.kind() == ChangeKind::Update)
    {
        for edit in entry.edits.iter().take(MAX_EDITS) {
            let name = root_name(edit);
            let is_version = edit.path.len() == 1
                && (name == "version" || name.ends_with("_version"))
                && !name.contains("api_version");
            let side = |value: Option<MarkedValue<'a>>| {
                value
                    .and_then(|value| value.as_str())
                    .and_then(Version::parse)
            };
            if is_version && let (Some(before), Some(after)) = (side(edit.before), side(edit.after))
            {
                by_attribute
                    .entry((entry.resource_type, name))
                    .or_default()
                    .push((before, after));
            }
        }
    }
    let ((resource_type, attribute), pairs) = by_attribute
        .into_iter()
        .max_by(|(name, pairs), (other, more)| (pairs.len(), other).cmp(&(more.len(), name)))?;
    let holds = pairs.len() >= 2 && is_most(pairs.len(), listed.len());
    holds.then(|| PlanShape::Versions {
        objects: pairs.len(),
        resource_type,
        attribute,
        major: pairs
            .iter()
            .filter(|(before, after)| after.major() > before.major())
            .count(),
        lower: pairs
            .iter()
            .filter(|(before, after)| after < before)
            .count(),
    })
}

/// The numbers of a version such as `v1.16.3`; a suffix such as `-eks.2` is not compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    numbers: Vec<u64>,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let numbers: Result<Vec<u64>, _> = text.get(..end)?.split('.').map(str::parse).collect();
        Some(Self {
            numbers: numbers.ok()?,
        })
    }

    fn major(&self) -> Option<u64> {
        self.numbers.first().copied()
    }
}

/// Returns the gravest findings of the plan: what happens, and to which objects. Only those of its
/// worst level are named.
fn gravest(review: &PlanReview<'_>) -> Vec<String> {
    let proven = review.proven();
    let Some(worst) = proven.iter().map(|listed| listed.finding.level).max() else {
        return Vec::new();
    };
    if worst < Level::Warning {
        return Vec::new();
    }
    let mut kinds: Vec<(Statement, Vec<&str>)> = Vec::new();
    for PlanFinding {
        finding, addresses, ..
    } in proven.iter().filter(|listed| listed.finding.level == worst)
    {
        let statement = Statement::of(finding);
        let index = kinds.iter().position(|(kind, _)| *kind == statement);
        let index = index.unwrap_or_else(|| {
            kinds.push((statement, Vec::new()));
            kinds.len() - 1
        });
        kinds[index].1.extend(addresses);
    }
    let mut words = sentences(&kinds[..kinds.len().min(MAX_KINDS)]);
    if let Some((_, addresses)) = kinds.get(MAX_KINDS)
        && kinds.len() > MAX_KINDS
    {
        let more: usize = kinds
            .iter()
            .skip(MAX_KINDS + 1)
            .map(|(_, all)| all.len())
            .sum();
        words.push(count(addresses.len() + more, "more finding"));
    }
    words
}

/// What the sentence about the gravest findings says of objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    Kind(FindingKind),
    /// No available schema has the type, so its values are hidden.
    NotJudged,
}

impl Statement {
    fn of(finding: &Finding<'_>) -> Self {
        if finding.is_of_no_schema() {
            Self::NotJudged
        } else {
            Self::Kind(finding.kind)
        }
    }

    /// Returns the predicate of a statement, in the singular or plural.
    fn words(self, is_one: bool) -> &'static str {
        let kind = match self {
            Self::NotJudged if is_one => return "is not judged",
            Self::NotJudged => return "are not judged",
            Self::Kind(kind) => kind,
        };
        match (kind, is_one) {
            (FindingKind::DataLoss, _) => "may lose data",
            (FindingKind::Exposure, true) => "opens access",
            (FindingKind::Exposure, false) => "open access",
            (FindingKind::Protection, true) => "is less protected",
            (FindingKind::Protection, false) => "are less protected",
            (FindingKind::Downtime, true) => "is interrupted",
            (FindingKind::Downtime, false) => "are interrupted",
            (FindingKind::Unknown, true) => "is decided only during the apply",
            (FindingKind::Unknown, false) => "are decided only during the apply",
            (FindingKind::Secret, true) => "has a credential in plain text",
            (FindingKind::Secret, false) => "have credentials in plain text",
        }
    }
}

/// `aws_eip.nat[1, 2]`, `aws_db_instance.shop and aws_s3_bucket.logs`, `aws_sqs_queue.jobs and 3 others`.
fn names_of(objects: &[&str]) -> String {
    let few = match objects.len() {
        0..=MAX_NAMED => compact(objects),
        _ => Vec::new(),
    };
    match few.as_slice() {
        [one] => one.clone(),
        [one, two] if one.len() + two.len() <= MAX_NAMES_LEN => format!("{one} and {two}"),
        _ => match objects {
            [] => String::new(),
            [one, rest @ ..] => format!("{one} and {}", count(rest.len(), "other")),
        },
    }
}

/// `aws_db_instance.shop and aws_s3_bucket.logs may lose data`, `aws_wafv2_web_acl.api opens access and is less
/// protected`: what is said of the same objects is one sentence.
fn sentences(statements: &[(Statement, Vec<&str>)]) -> Vec<String> {
    let mut sentences: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (statement, addresses) in statements {
        let mut seen = HashSet::new();
        let objects: Vec<&str> = addresses
            .iter()
            .copied()
            .filter(|address| seen.insert(*address))
            .collect();
        let words = statement.words(objects.len() == 1);
        match sentences.iter_mut().find(|(of, _)| *of == objects) {
            Some((_, all)) => all.push(words),
            None => sentences.push((objects, vec![words])),
        }
    }
    sentences
        .iter()
        .map(|(objects, words)| format!("{} {}", names_of(objects), words.join(" and ")))
        .collect()
}

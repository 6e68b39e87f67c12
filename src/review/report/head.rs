//! The parts that precede the entries: facts about the plan, the first findings, the numbers of changes, and the tree
//! of modules.
//!
//! ```text
//! made with -destroy: it destroys all objects
//! the plan is partial: another plan has to follow (some changes are deferred)
//! replaced by request (-replace): aws_instance.web
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bumpalo::Bump;

use super::groups::{EntryGroup, joined};
use crate::dialect::Tool;
use crate::model::address::module_calls;
use crate::model::plan::PlanMode;
use crate::report::{
    Count, EntryPlaces, FindingCount, FindingLine, Findings, ModuleRow, Origin, ReportEntry,
    Section, SectionKind, Title,
};
use crate::review::entry::{FindingKind, Level, PlanFinding};
use crate::review::inline::short;
use crate::review::paths::compact;
use crate::review::plan::PlanReview;
use crate::review::{ChangeKind, InputVariable, one_line};
use crate::text::{first_of, nonzero};

/// The maximum number of addresses in a line; further ones are counted.
const MAX_NAMES: usize = 20;
/// The maximum length of the value of a variable, in characters.
const MAX_VALUE_LEN: usize = 200;
/// The maximum length of the addresses of a finding, in characters.
const MAX_ADDRESSES_LEN: usize = 100;
/// The maximum depth of modules in the tree. Deeper modules count as part of the last one.
const MAX_DEPTH: usize = 8;

/// Returns the facts that a reviewer must know about the plan as a whole: how it was made, whether it is partial, and
/// the values of its variables.
pub(super) fn lines(review: &PlanReview<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if review.mode == PlanMode::Destroy {
        lines.push("made with -destroy: it destroys all objects".to_owned());
    }
    // The plan does not contain the options that made it partial.
    if review.complete == Some(false) && !review.errored {
        let why = match review.changes.deferred.is_empty()
            && review.changes.deferred_invocations.is_empty()
        {
            true => "made for some targets, or it could not settle everything",
            false => "some changes are deferred",
        };
        lines.push(format!(
            "the plan is partial: another plan has to follow ({why})"
        ));
    }
    let requested = review
        .changes
        .resources
        .iter()
        .filter(|entry| entry.action_reason == "replace_by_request");
    let requested: Vec<&str> = requested.map(|entry| entry.address).collect();
    if !requested.is_empty() {
        lines.push(format!(
            "replaced by request (-replace): {}",
            first_of(compact(&requested), MAX_NAMES)
        ));
    }
    lines.extend(variables(review));
    lines.iter().map(|line| one_line(line)).collect()
}

/// Returns the origin of a plan. `now` is the current time in seconds since 1970; without it, the time of the plan is
/// written instead of its age.
pub(super) fn origin(review: &PlanReview<'_>, now: Option<u64>) -> Origin {
    let tool = Tool::product_of(review.tool);
    let time = || match now.and_then(|now| age(review.timestamp, now)) {
        Some(age) => format!("planned {age}"),
        None => one_line(&format!("planned at {}", review.timestamp)),
    };
    Origin {
        tool: (!review.tool_version.is_empty())
            .then(|| one_line(&format!("{tool} {}", review.tool_version))),
        time: (!review.timestamp.is_empty()).then(time),
        fingerprint: review.fingerprint.clone(),
    }
}

/// Returns how long ago a plan was made; `None` for a time that is malformed or in the future.
fn age(timestamp: &str, now: u64) -> Option<String> {
    let planned: jiff::Timestamp = timestamp.parse().ok()?;
    let seconds = now.checked_sub(u64::try_from(planned.as_second()).ok()?)?;
    Some(crate::text::age(seconds))
}

/// Returns a line for each variable that was set. Variables that have their default values are only counted.
fn variables(review: &PlanReview<'_>) -> Vec<String> {
    let set: Vec<_> = review
        .variables
        .iter()
        .filter(|variable| !variable.is_default)
        .collect();
    let defaults = review.variables.len() - set.len();
    if set.iter().all(|variable| variable.value.is_none()) {
        return Vec::new();
    }
    let line = |variable: &&InputVariable<'_>| {
        let value = match variable.value {
            Some(value) => {
                let arena = Bump::new();
                // The masks know each credential of a variable. They are empty if sensitive values are to be shown.
                let shown = if review.masks.is_empty() {
                    value
                } else {
                    review.masks.value(value, Some(variable.name), &arena)
                };
                short(shown, MAX_VALUE_LEN)
            }
            None => "(sensitive value)".to_owned(),
        };
        format!("variable {} = {value}", variable.name)
    };
    let rest = (defaults > 0).then(|| format!("variables: {defaults} at the default"));
    set.iter().map(line).chain(rest).collect()
}

/// An object with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FoundObject {
    /// The index of the object in the list of its section.
    index: usize,
    /// The numbers of the entries that show the object; an output has none.
    numbers: Option<EntryNumbers>,
}

/// The numbers of the entries that show an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct EntryNumbers {
    /// The number of the object's own entry, or of its group's entry if the object has none.
    object: usize,
    /// The number of the entry of the object's group.
    group: usize,
}

/// Returns the first `max` findings in rank order, and at least one of each kind and level; others are counted.
/// `sections` are those of all entries.
pub(super) fn findings(
    review: &PlanReview<'_>,
    sections: &[Section<'_>],
    shows_outputs: bool,
    max: usize,
) -> Findings {
    let mut by_finding: BTreeMap<usize, Vec<FoundObject>> = BTreeMap::new();
    let mut add = |kind: SectionKind, index: usize, numbers: Option<EntryNumbers>| {
        let proven = review
            .changes
            .list(kind)
            .get(index)
            .into_iter()
            .flat_map(|entry| &*entry.findings);
        proven.for_each(|finding| {
            by_finding
                .entry(*finding)
                .or_default()
                .push(FoundObject { index, numbers });
        });
    };
    for entry in sections.iter().flat_map(|section| &section.entries) {
        let EntryPlaces { list, indices } = &entry.places;
        for (position, index) in indices.iter().enumerate() {
            let object = entry
                .members
                .get(position)
                .map_or(entry.number, |member| member.number);
            add(
                *list,
                *index,
                Some(EntryNumbers {
                    object,
                    group: entry.number,
                }),
            );
        }
    }
    let outputs = if shows_outputs {
        review.changes.outputs.len()
    } else {
        0
    };
    (0..outputs).for_each(|index| add(SectionKind::Outputs, index, None));
    let by_finding = by_finding
        .into_iter()
        .filter_map(|(index, objects)| Some((review.findings.get(index)?, objects)));
    let by_finding: Vec<(&PlanFinding<'_>, Vec<FoundObject>)> = by_finding.collect();
    let (mut kinds, mut levels) = (HashSet::new(), HashSet::new());
    let is_first = by_finding.iter().map(|(PlanFinding { finding, .. }, _)| {
        // `|` evaluates both sides, so that both the kind and the level are noted.
        kinds.insert(finding.kind) | levels.insert(finding.level)
    });
    let is_first: Vec<bool> = is_first.collect();
    let mut spare = max.saturating_sub(is_first.iter().filter(|is_first| **is_first).count());
    let (mut shown, mut more) = (Vec::new(), Vec::new());
    for (is_first, (listed, objects)) in is_first.into_iter().zip(by_finding) {
        if is_first || spare > 0 {
            spare -= usize::from(!is_first);
            shown.push(finding_line(review, listed, objects));
        } else {
            more.push((Reverse(listed.finding.level), listed.finding.kind));
        }
    }
    let more = crate::grouping::counts(more).into_iter();
    let more = more
        .map(|((level, kind), number)| FindingCount {
            level: level.0,
            kind: kind.name(),
            number,
        })
        .collect();
    Findings { shown, more }
}

/// Returns the line for a finding in the head, with the objects that have it and the numbers of their entries.
fn finding_line(
    review: &PlanReview<'_>,
    listed: &PlanFinding<'_>,
    mut objects: Vec<FoundObject>,
) -> FindingLine {
    objects.sort_unstable();
    let list = review.changes.list(listed.part);
    let addresses: Vec<&str> = objects
        .iter()
        .filter_map(|object| list.get(object.index))
        .map(|entry| entry.address)
        .collect();
    let prefix = if listed.part == SectionKind::Outputs {
        "output "
    } else {
        ""
    };
    let address = match &*addresses {
        [] => String::new(),
        [only] if listed.deposed.is_empty() => one_line(&format!("{prefix}{only}")),
        [only] => one_line(&format!(
            "{prefix}{only} (deposed object {})",
            listed.deposed
        )),
        _ => format!(
            "{prefix}{} × {}",
            joined(&compact(&addresses), MAX_ADDRESSES_LEN),
            addresses.len()
        ),
    };
    let first = objects.first().and_then(|object| object.numbers);
    FindingLine {
        level: listed.finding.level,
        kind: listed.finding.kind.name(),
        unit: String::new(),
        address,
        entry: first.map(|numbers| {
            if objects.len() == 1 {
                numbers.object
            } else {
                numbers.group
            }
        }),
        entries: objects
            .iter()
            .filter_map(|object| object.numbers.map(|numbers| numbers.object))
            .collect(),
        number: objects.len(),
        text: finding_text(listed, true),
    }
}

/// Returns an entry with the levels and kinds of some findings, and nothing else.
pub(super) fn with_findings<'r>(review: &PlanReview<'_>, findings: &[usize]) -> ReportEntry<'r> {
    let listed = || {
        findings
            .iter()
            .filter_map(|index| review.findings.get(*index))
    };
    let levels = crate::grouping::counts(listed().map(|listed| Reverse(listed.finding.level)));
    let kinds: BTreeSet<_> = listed().map(|listed| listed.finding.kind).collect();
    ReportEntry {
        level: listed()
            .map(|listed| listed.finding.level)
            .max()
            .unwrap_or_default(),
        levels: levels
            .into_iter()
            .map(|(level, number)| (level.0, number))
            .collect(),
        finding_kinds: kinds.into_iter().map(FindingKind::name).collect(),
        ..ReportEntry::default()
    }
}

/// Returns the text of a finding. In the head, which has no titles of sections, it includes whether the finding is
/// about drift or a later plan.
pub(super) fn finding_text(listed: &PlanFinding<'_>, is_head: bool) -> String {
    let finding = &listed.finding;
    let section = match listed.part {
        _ if !is_head => "",
        SectionKind::Drift => ", outside of the tool",
        SectionKind::Deferred | SectionKind::DeferredInvocations => ", in a later plan",
        SectionKind::Resources | SectionKind::Invocations | SectionKind::Outputs => "",
    };
    let undone = if finding.is_undone {
        "; this plan undoes it"
    } else {
        ""
    };
    let expected = if finding.is_expected {
        " (expected)"
    } else {
        ""
    };
    format!("{}{expected}{section}{undone}", finding.text)
}

/// Counts the shown entries by kind and the findings by level, for the filters of a page.
pub(super) fn counts(sections: &[Section<'_>]) -> Vec<Count> {
    let (mut kinds, mut levels): (BTreeMap<&str, usize>, BTreeMap<Reverse<Level>, usize>) =
        Default::default();
    for section in sections {
        for entry in &section.entries {
            if section.kind == SectionKind::Resources {
                *kinds.entry(entry.kind).or_default() += entry.places.indices.len();
            }
            let objects = if entry.members.is_empty() {
                std::slice::from_ref(entry)
            } else {
                &entry.members
            };
            for (level, number) in objects.iter().flat_map(|object| &object.levels) {
                *levels.entry(Reverse(*level)).or_default() += number;
            }
        }
    }
    let kinds = ChangeKind::ALL.into_iter().filter_map(|kind| {
        let number = *kinds.get(kind.word())?;
        Some(Count {
            number,
            text: kind.verdict(),
            word: kind.word(),
            is_level: false,
        })
    });
    let levels = levels.into_iter().map(|(Reverse(level), number)| {
        let word = level.name();
        Count {
            number,
            text: word,
            word,
            is_level: true,
        }
    });
    kinds.chain(levels).collect()
}

/// Returns a row for each module with changes. The numbers of a module include those of the modules in it.
pub(super) fn modules(groups: &[EntryGroup<'_, '_>], sections: &[Section<'_>]) -> Vec<ModuleRow> {
    let path = |module| module_calls(module, MAX_DEPTH);
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    for (index, section) in sections.iter().enumerate() {
        if let Title::Module(address) = &section.title {
            places.insert(path(address), index);
        }
    }
    let changes = groups.iter().flat_map(|group| {
        group
            .entries
            .iter()
            .map(|entry| entry.module_address)
            .zip(std::iter::repeat(group.kind()))
    });
    let mut numbers: BTreeMap<Vec<&str>, BTreeMap<ChangeKind, usize>> = BTreeMap::new();
    for ((module, kind), number) in crate::grouping::counts(changes) {
        let path = path(module);
        let first = usize::from(!path.is_empty());
        for end in first..=path.len() {
            *numbers
                .entry(path[..end].to_vec())
                .or_default()
                .entry(kind)
                .or_default() += number;
        }
    }
    let row = |(path, numbers): (Vec<&str>, BTreeMap<ChangeKind, usize>)| {
        let counts = nonzero(
            numbers
                .into_iter()
                .map(|(kind, number)| (number, kind.verdict())),
        );
        ModuleRow {
            depth: path.len().saturating_sub(1),
            name: path
                .last()
                .map_or_else(|| "root module".to_owned(), |name| one_line(name)),
            section: places.get(&path).copied(),
            counts: counts.join(", "),
        }
    };
    numbers.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests;

//! Filters, which decide which entries texts show, and gates, the conditions under which a plan must not be applied
//! without approval.
//!
//! Invariant: gates are checked against the whole plan, regardless of filters.
//!
//! ```text
//! --fail-on level:critical,delete
//!
//! {"name": "level:critical", "violated": true, "by": ["aws_db_instance.main"]}
//! ```

use std::collections::HashSet;

use super::entry::{Entry, Finding, FindingKind, Level};
use super::paths::compact;
use super::plan::PlanReview;
use super::{ChangeKind, count, one_line, unlisted};
use crate::diff::edits::Note;
use crate::glob;
use crate::model::Action;
use crate::model::address::AddressSelector;
use crate::report::SectionKind;
use crate::text::first_of;
use crate::with::{ResultLevel, ToolResult};

/// The filters of a review's texts. An empty list accepts every entry.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Kinds of changes that are shown.
    pub only: Vec<ChangeKind>,
    /// Globs for addresses that are shown.
    pub include: Vec<String>,
    /// Globs for addresses that are not shown.
    pub exclude: Vec<String>,
    /// Globs for resource types that are shown.
    pub types: Vec<String>,
    /// Addresses of modules that are shown, each with its child modules.
    pub modules: Vec<String>,
    /// The selected resources, modules or instances, as `--address` takes them.
    pub addresses: Vec<AddressSelector>,
    /// Whether only entries with findings are shown.
    pub only_findings: bool,
    /// Globs for paths whose changes are only counted.
    pub ignored: Vec<String>,
}

impl Filter {
    /// Returns the given options of the command line that hide entries.
    pub(super) fn options(&self) -> Vec<&'static str> {
        let options = [
            ("--only", !self.only.is_empty()),
            ("--include", !self.include.is_empty()),
            ("--exclude", !self.exclude.is_empty()),
            ("--type", !self.types.is_empty()),
            ("--module", !self.modules.is_empty()),
            ("--address", !self.addresses.is_empty()),
            ("--only-findings", self.only_findings),
        ];
        let given = options.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(option, _)| option).collect()
    }

    /// Whether texts show an entry. Gates and counts include hidden entries.
    pub(super) fn shows(&self, list: SectionKind, entry: &Entry<'_>) -> bool {
        use SectionKind::{Deferred, DeferredInvocations, Drift, Invocations, Outputs, Resources};
        match list {
            Outputs => self.addresses.is_empty(),
            // Only filters by address apply to actions.
            Invocations | DeferredInvocations => {
                self.selects(&[entry.address, entry.trigger.address])
                    && self.shows_address(entry.address)
            }
            Resources | Drift | Deferred => {
                (self.only.is_empty() || self.only.contains(&entry.kind()))
                    && (!self.only_findings || !entry.findings.is_empty())
                    && self.selects(&[entry.address, entry.previous_address])
                    && self.shows_address(entry.address)
                    && (self.types.is_empty() || any_matches(&self.types, entry.resource_type))
                    && (self.modules.is_empty()
                        || self
                            .modules
                            .iter()
                            .any(|module| is_in_module(module, entry.module_address)))
            }
        }
    }

    /// Whether `--address` selects one of the addresses, or is not given.
    fn selects(&self, addresses: &[&str]) -> bool {
        let is_selected = |address: &&str| {
            self.addresses
                .iter()
                .any(|selector| selector.matches(address))
        };
        self.addresses.is_empty() || addresses.iter().any(is_selected)
    }

    /// Whether the globs for addresses (`include` and `exclude`) show an address.
    fn shows_address(&self, address: &str) -> bool {
        (self.include.is_empty() || any_matches(&self.include, address))
            && !any_matches(&self.exclude, address)
    }

    /// Whether a glob of `ignored` matches a path or one of its parents. The path has names joined by dots, without
    /// indices.
    pub fn ignores(&self, path: &str) -> bool {
        self.ignored.iter().any(|glob| {
            let mut ends = path
                .match_indices('.')
                .map(|(offset, _)| offset)
                .chain([path.len()]);
            ends.any(|end| {
                path.get(..end)
                    .is_some_and(|part| glob::matches(glob, part))
            })
        })
    }
}

fn any_matches(globs: &[String], text: &str) -> bool {
    globs.iter().any(|glob| glob::matches(glob, text))
}

/// Whether an address is that of the module or of a child module. `module` may lack its first `module.`.
fn is_in_module(module: &str, address: &str) -> bool {
    let is = |module: &str| {
        address
            .strip_prefix(module)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    is(module) || is(&format!("module.{module}"))
}

/// A condition of `--fail-on`, by which a plan needs approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// An object is destroyed, including to be replaced.
    Destroy,
    /// An object has a change of this kind.
    Kind(ChangeKind),
    /// An object changed outside of the tool.
    Drift,
    /// A check failed, for which the tools print a warning, or an object could not be judged.
    Warning,
    /// Planning failed.
    Error,
    /// A change or an action is deferred to a later plan.
    Deferred,
    /// An output changes.
    Output,
    /// The plan invokes an action.
    Action,
    /// A changed object has a type that no rule looks at.
    Unjudged,
    /// Anything is to be applied, now or in a later plan, or planning failed.
    Any,
    /// A finding has this kind. Drift that the plan undoes does not count, nor does what a named configuration accepts.
    Finding(FindingKind),
    /// A finding, a change or a failed check has this level or a graver one. Drift that the plan undoes and accepted
    /// findings do not count.
    Level(Level),
    /// Another tool reports a result of this level, or a graver one.
    With(ResultLevel),
}

/// The maximum number of names in the message of a gate; the others are counted.
const MAX_NAMES: usize = 10;

impl Gate {
    /// Returns each condition with its word. `destroy` includes replacements; `delete` does not.
    fn all() -> impl Iterator<Item = (String, Self)> {
        let destroy = [
            ("destroy", Self::Destroy),
            ("delete", Self::Kind(ChangeKind::Destroy)),
        ];
        let kinds = ChangeKind::ALL
            .into_iter()
            .filter(|kind| *kind != ChangeKind::Destroy);
        let others = [
            ("drift", Self::Drift),
            ("warning", Self::Warning),
            ("error", Self::Error),
            ("deferred", Self::Deferred),
            ("output", Self::Output),
            ("action", Self::Action),
            ("unjudged", Self::Unjudged),
            ("any", Self::Any),
        ];
        let plain = destroy
            .into_iter()
            .chain(kinds.map(|kind| (kind.word(), Self::Kind(kind))))
            .chain(others);
        let findings =
            FindingKind::ALL.map(|kind| (format!("finding:{}", kind.name()), Self::Finding(kind)));
        let levels = Level::of_findings()
            .map(|level| (format!("level:{}", level.name()), Self::Level(level)));
        let with =
            ResultLevel::ALL.map(|level| (format!("with:{}", level.name()), Self::With(level)));
        plain
            .map(|(word, gate)| (word.to_owned(), gate))
            .chain(findings)
            .chain(levels)
            .chain(with)
    }

    /// Returns the words of all conditions: `destroy`, `finding:exposure`, `level:critical`, and so on.
    pub fn words() -> impl Iterator<Item = String> {
        Self::all().map(|(word, _)| word)
    }

    /// Returns the condition with this word; `None` if there is none. `check` and `errored` mean `warning` and `error`,
    /// and `ChangeKind::from_word` knows more words of kinds.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "check" => Some(Self::Warning),
            "errored" => Some(Self::Error),
            _ => {
                let gate_of_word = Self::all()
                    .find(|(gate_word, _)| gate_word == word)
                    .map(|(_, gate)| gate);
                gate_of_word.or_else(|| ChangeKind::from_word(word).map(Self::Kind))
            }
        }
    }

    /// Returns the names of what violates the gate: addresses, outputs as `output.NAME`, or the name of the plan. Empty
    /// if the gate is not violated.
    pub fn hits(self, review: &PlanReview<'_>) -> Vec<String> {
        use SectionKind::{Deferred, DeferredInvocations, Invocations, Outputs};
        let of_kinds = |kinds: &[ChangeKind]| -> Vec<String> {
            // An unknown action may be each of them.
            let is_hit = |kind: &ChangeKind, entry: &Entry<'_>| {
                let is_action = !matches!(kind, ChangeKind::Import | ChangeKind::Move);
                entry.counts_as(*kind) || is_action && matches!(entry.action, Action::Unknown(_))
            };
            let hit = review
                .changes
                .listed()
                .filter(|entry| kinds.iter().any(|kind| is_hit(kind, entry)));
            hit.map(|entry| entry.address.to_owned()).collect()
        };
        let all_of = |lists: &[SectionKind]| -> Vec<String> {
            let entries = lists.iter().flat_map(|list| {
                review
                    .changes
                    .list(*list)
                    .iter()
                    .map(move |one| (list, one))
            });
            entries
                .map(|(list, entry)| object_name(*list, entry.address))
                .collect()
        };
        match self {
            Self::Destroy => of_kinds(&[ChangeKind::Destroy, ChangeKind::Replace]),
            Self::Kind(kind) => of_kinds(&[kind]),
            Self::Drift => {
                let drifted = review.changes.drift.iter().filter(|entry| entry.is_drift());
                drifted.map(|entry| entry.address.to_owned()).collect()
            }
            Self::Warning => {
                let failed = review.checks.iter().filter(|check| check.is_failure());
                failed
                    .map(|check| check.address.clone())
                    .chain(with_findings(review, |_| false))
                    .collect()
            }
            Self::Error => Vec::from_iter(review.errored.then(|| review.title().to_owned())),
            Self::Deferred => all_of(&[Deferred, DeferredInvocations]),
            Self::Output => all_of(&[Outputs]),
            Self::Action => all_of(&[Invocations]),
            Self::Unjudged => review
                .unjudged
                .iter()
                .map(|&name| name.to_owned())
                .collect(),
            Self::Finding(kind) => with_findings(review, |finding| finding.kind == kind),
            Self::Level(level) => reaching(review, level),
            Self::With(level) => {
                let (results, left_out) = review.results.at_least(level);
                let counted = (0..left_out).map(|_| "(counted only)".to_owned());
                results.map(ToolResult::subject).chain(counted).collect()
            }
            Self::Any => {
                let mut hits: Vec<String> = review
                    .changes
                    .listed()
                    .map(|entry| entry.address.to_owned())
                    .collect();
                hits.extend(all_of(&[
                    Outputs,
                    Invocations,
                    Deferred,
                    DeferredInvocations,
                ]));
                // A plan without its changes does not prove that there are none.
                let why = match review.complete {
                    _ if review.errored => "planning failed",
                    Some(false) if hits.is_empty() => "another plan must follow",
                    _ if hits.is_empty() && review.has_unlisted_changes() => "it can be applied",
                    _ => return hits,
                };
                hits.push(format!("{} ({why})", review.title()));
                hits
            }
        }
    }

    /// Returns the message about a violated gate, with the names of `hits`. `origin` is the option that requested the
    /// gate.
    pub fn message(self, origin: &str, hits: &[String]) -> String {
        let number = |noun| count(hits.len(), noun);
        let what = match self {
            Self::Destroy => {
                let verb = if hits.len() == 1 { "is" } else { "are" };
                format!(
                    "{} {verb} destroyed, replacements included",
                    number("object")
                )
            }
            Self::Kind(kind) => format!("{} {}", hits.len(), kind.verdict()),
            Self::Drift => format!("{} changed outside of the tool", number("object")),
            Self::Warning => {
                let what = if hits.len() == 1 {
                    "1 check or object".to_owned()
                } else {
                    format!("{} checks or objects", hits.len())
                };
                format!("{what} failed or not judged")
            }
            Self::Error => "planning failed".to_owned(),
            Self::Deferred => format!("{} deferred", number("change")),
            Self::Output => format!("{} to change", number("output")),
            Self::Action => format!("{} to invoke", number("action")),
            Self::Unjudged => format!("{} that no rule judges", number("resource type")),
            Self::Any => number("change"),
            Self::Finding(kind) => format!("{} with a finding `{}`", number("object"), kind.name()),
            Self::Level(level) => {
                let worse = if level == Level::Critical {
                    ""
                } else {
                    " or worse"
                };
                format!("{} of level `{}`{worse}", number("entry"), level.name())
            }
            Self::With(level) => {
                format!(
                    "{} of other tools at level `{}` or above",
                    number("result"),
                    level.name()
                )
            }
        };
        // An object with several results is named once.
        let mut named = HashSet::new();
        let all = hits.iter().map(String::as_str);
        let all: Vec<&str> = all.filter(|name| named.insert(*name)).collect();
        let names: Vec<String> = compact(&all).iter().map(|name| one_line(name)).collect();
        format!("{origin}: {what}: {}", first_of(&names, MAX_NAMES))
    }
}

/// Returns the names of objects with a finding for which `is_hit` is true, without accepted findings and drift that the
/// plan undoes. Objects that nobody could judge count too: those without a schema, and those with a part too large to
/// compare.
fn with_findings(review: &PlanReview<'_>, is_hit: impl Fn(&Finding<'_>) -> bool) -> Vec<String> {
    let hits = review
        .findings
        .iter()
        .filter(|listed| !listed.finding.is_undone && listed.accepted.is_none())
        .filter(|listed| is_hit(&listed.finding) || listed.finding.is_of_no_schema());
    let hits = hits.flat_map(|listed| {
        listed
            .addresses
            .iter()
            .map(|address| (listed.part, *address))
    });
    // A part that was not compared may contain such a finding.
    let is_too_large = |entry: &Entry<'_>| {
        unlisted(entry.mode, &entry.action).is_none()
            && entry
                .shown_edits
                .iter()
                .any(|edit| edit.notes.contains(&Note::TooLarge))
    };
    let unknown = review
        .changes
        .objects()
        .filter(|(_, entry)| is_too_large(entry));
    let unknown = unknown.map(|(part, entry)| (part, entry.address));
    let mut known_hits = HashSet::new();
    let hits = hits.chain(unknown).filter(|hit| known_hits.insert(*hit));
    hits.map(|(part, address)| object_name(part, address))
        .collect()
}

/// Returns the names of everything that has at least this level: findings, changes and failed checks. If there are none
/// and the changes as a whole have the level, returns the name of the plan.
fn reaching(review: &PlanReview<'_>, level: Level) -> Vec<String> {
    let mut hits = with_findings(review, |finding| finding.level >= level);
    let mut known_hits: HashSet<String> = hits.iter().cloned().collect();
    let changes = review
        .changes
        .listed()
        .chain(&review.changes.deferred)
        .filter(|entry| entry.level_of_change() >= level);
    let checks = review
        .checks
        .iter()
        .filter(|check| check.is_failure() && level <= Level::Warning);
    let more = changes
        .map(|entry| entry.address)
        .chain(checks.map(|check| &*check.address));
    hits.extend(
        more.filter(|hit| known_hits.insert((*hit).to_owned()))
            .map(str::to_owned),
    );
    if hits.is_empty() && review.level_of_changes() >= level {
        hits.push(review.title().to_owned());
    }
    hits
}

/// Returns the name of an object in messages: the address, or `output.NAME` for an output.
pub(super) fn object_name(part: SectionKind, address: &str) -> String {
    if part == SectionKind::Outputs {
        format!("output.{address}")
    } else {
        address.to_owned()
    }
}

#[cfg(test)]
mod tests;

//! Gates: conditions under which a plan must not be applied without approval.
//!
//! A gate is checked against the whole plan, regardless of filters.

use super::entry::{Entry, FindingKind, Level, PlanReview};
use super::text::compact;
use super::verdict::is_listed;
use super::{ChangeKind, count, one_line};
use crate::model::Action;
use crate::text::first_of;
use crate::with::{ResultLevel, ToolResult};

/// A condition for `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// An object is destroyed or replaced.
    Destroy,
    /// There is a change of this kind.
    Kind(ChangeKind),
    /// There is drift.
    Drift,
    /// A check failed, for which the tools print a warning.
    Warning,
    /// Planning failed.
    Error,
    /// There are deferred changes or invocations of actions.
    Deferred,
    /// An output changes.
    Output,
    /// An action is invoked.
    Action,
    /// There is anything to apply, now or in a later plan, or planning failed.
    Any,
    /// There is a finding of this kind, except in drift that the plan undoes.
    Finding(FindingKind),
    /// There is something of this level or a graver one, except for drift that the plan undoes.
    Level(Level),
    /// Another tool has a result that is at least as grave.
    With(ResultLevel),
}

/// The maximum number of addresses in a message; more are counted.
const MAX_NAMES: usize = 10;

impl Gate {
    /// All words on the command line, including `finding:KIND` and `level:LEVEL` for each kind and level.
    pub fn words() -> impl Iterator<Item = String> {
        let findings = FindingKind::ALL.into_iter().map(|kind| format!("finding:{}", kind.name()));
        let levels = Level::of_findings().map(|level| format!("level:{}", level.name()));
        let with = ResultLevel::ALL.into_iter().map(|level| format!("with:{}", level.name()));
        let kinds = ChangeKind::ALL.map(ChangeKind::word).into_iter().filter(|word| *word != "destroy");
        let others = ["drift", "warning", "error", "deferred", "output", "action", "any"];
        let words = ["destroy", "delete"].into_iter().chain(kinds).chain(others);
        words.map(str::to_owned).chain(findings).chain(levels).chain(with)
    }

    /// The gate with this word. `destroy` includes replacements; `delete` does not.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "destroy" => Self::Destroy,
            "drift" => Self::Drift,
            "warning" | "check" => Self::Warning,
            "error" | "errored" => Self::Error,
            "deferred" => Self::Deferred,
            "output" => Self::Output,
            "action" => Self::Action,
            "any" => Self::Any,
            _ => match word.split_once(':') {
                Some(("finding", name)) => {
                    Self::Finding(FindingKind::ALL.into_iter().find(|kind| kind.name() == name)?)
                }
                Some(("level", name)) => {
                    Self::Level(Level::of_findings().find(|level| level.name() == name)?)
                }
                Some(("with", name)) => {
                    Self::With(ResultLevel::ALL.into_iter().find(|level| level.name() == name)?)
                }
                Some(_) | None => Self::Kind(ChangeKind::from_word(word)?),
            },
        })
    }

    /// The matches in a plan: addresses, outputs as `output.NAME`, or the name of the plan.
    pub fn hits(self, review: &PlanReview<'_>) -> Vec<String> {
        let listed = || review.resources.iter().filter(|entry| is_listed(entry));
        let of_kinds = |kinds: &[ChangeKind]| -> Vec<String> {
            // An unknown action may be each of them.
            let is_hit = |kind: &ChangeKind, entry: &Entry<'_>| {
                let is_action = !matches!(kind, ChangeKind::Import | ChangeKind::Move);
                kind.includes(entry) || is_action && matches!(entry.action, Action::Unknown(_))
            };
            let hit = listed().filter(|entry| kinds.iter().any(|kind| is_hit(kind, entry)));
            hit.map(|entry| entry.address.to_owned()).collect()
        };
        let outputs = || review.outputs.iter().map(|output| format!("output.{}", output.address));
        let address = |entry: &Entry<'_>| entry.address.to_owned();
        let actions = || review.invocations.iter().map(address);
        let deferred = || review.deferred.iter().chain(&review.deferred_invocations).map(address);
        match self {
            Self::Destroy => of_kinds(&[ChangeKind::Destroy, ChangeKind::Replace]),
            Self::Kind(kind) => of_kinds(&[kind]),
            Self::Drift => review.drift.iter().map(address).collect(),
            Self::Warning => {
                let failed = review.checks.iter().filter(|check| check.is_failure());
                failed.map(|check| check.address.clone()).collect()
            }
            Self::Error if review.errored => vec![review.title().to_owned()],
            Self::Error => Vec::new(),
            Self::Deferred => deferred().collect(),
            Self::Output => outputs().collect(),
            Self::Action => actions().collect(),
            Self::Finding(kind) => review.gated(|finding| finding.kind == kind),
            Self::Level(level) => review.reaching(level),
            Self::With(level) => {
                let (results, left_out) = review.with.at_least(level);
                let counted = (0..left_out).map(|_| "(counted only)".to_owned());
                results.map(ToolResult::subject).chain(counted).collect()
            }
            Self::Any => {
                let changes = listed().map(address);
                let mut hits: Vec<String> =
                    changes.chain(outputs()).chain(actions()).chain(deferred()).collect();
                // A plan without its changes does not prove that there are none.
                let name = review.title();
                if review.errored {
                    hits.push(format!("{name} (planning failed)"));
                } else if hits.is_empty() && review.complete == Some(false) {
                    hits.push(format!("{name} (another plan must follow)"));
                } else if hits.is_empty() && review.says_more() {
                    hits.push(format!("{name} (it can be applied)"));
                }
                hits
            }
        }
    }

    /// The message for a violated gate, with the option that requested it and the matching addresses.
    pub fn message(self, origin: &str, hits: &[String]) -> String {
        let what = match self {
            Self::Destroy => {
                let verb = if hits.len() == 1 { "is" } else { "are" };
                format!("{} {verb} destroyed, replacements included", count(hits.len(), "object"))
            }
            Self::Kind(kind) => format!("{} {}", hits.len(), kind.verdict()),
            Self::Drift => format!("{} changed outside of the tool", count(hits.len(), "object")),
            Self::Warning => format!("{} failed", count(hits.len(), "check")),
            Self::Error => "planning failed".to_owned(),
            Self::Deferred => format!("{} put off", count(hits.len(), "change")),
            Self::Output => format!("{} to change", count(hits.len(), "output")),
            Self::Action => format!("{} to invoke", count(hits.len(), "action")),
            Self::Any => count(hits.len(), "change"),
            Self::Finding(kind) => {
                format!("{} with a finding `{}`", count(hits.len(), "object"), kind.name())
            }
            Self::Level(level) => {
                let worse = if level == Level::Critical { "" } else { " or worse" };
                format!("{} of level `{}`{worse}", count(hits.len(), "entry"), level.name())
            }
            Self::With(level) => {
                let what = count(hits.len(), "result");
                format!("{what} of other tools at level `{}` or above", level.name())
            }
        };
        let all: Vec<&str> = hits.iter().map(String::as_str).collect();
        let names: Vec<String> = compact(&all).iter().map(|name| one_line(name)).collect();
        format!("{origin}: {what}: {}", first_of(&names, MAX_NAMES))
    }
}

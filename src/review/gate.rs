//! Gates: conditions under which a plan must not be applied without approval.
//!
//! A gate is checked against the whole plan, regardless of filters.

use super::entry::{Entry, FactKind, PlanReview};
use super::text::compact;
use super::verdict::is_listed;
use super::{ChangeKind, count, one_line};
use crate::diff::edits::{Edit, Note};
use crate::model::Action;

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
    /// There is a fact of this kind.
    Fact(FactKind),
}

/// The maximum number of addresses in a message; more are counted.
const MAX_NAMES: usize = 10;

impl Gate {
    /// The words on the command line, except for facts.
    const WORDS: [&'static str; 18] = [
        "destroy",
        "delete",
        "replace",
        "replace-forget",
        "forget",
        "other",
        "update",
        "create",
        "read",
        "import",
        "move",
        "drift",
        "warning",
        "error",
        "deferred",
        "output",
        "action",
        "any",
    ];

    /// All words on the command line, including `fact:KIND` for each kind of fact.
    pub fn words() -> impl Iterator<Item = String> {
        let facts = FactKind::ALL.into_iter().map(|kind| format!("fact:{}", kind.name()));
        Self::WORDS.into_iter().map(str::to_owned).chain(facts)
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
            _ => match word.strip_prefix("fact:") {
                Some(name) => Self::Fact(FactKind::ALL.into_iter().find(|kind| kind.name() == name)?),
                None => Self::Kind(ChangeKind::from_word(word)?),
            },
        })
    }

    /// The matches in a plan: addresses, outputs as `output.NAME`, or the name of the plan.
    pub fn hits(self, review: &PlanReview<'_>) -> Vec<String> {
        let listed = || review.resources.iter().filter(|entry| is_listed(entry));
        let of_kinds = |kinds: &[ChangeKind]| -> Vec<String> {
            // An unknown action may be each of them.
            let is_hit = |kind: &ChangeKind, entry: &Entry<'_>| match kind {
                ChangeKind::Import | ChangeKind::Move => kind.includes(entry),
                ChangeKind::Destroy
                | ChangeKind::Replace
                | ChangeKind::ReplaceForget
                | ChangeKind::Forget
                | ChangeKind::Other
                | ChangeKind::Update
                | ChangeKind::Create
                | ChangeKind::Read => kind.includes(entry) || matches!(entry.action, Action::Unknown(_)),
            };
            let hit = listed().filter(|entry| kinds.iter().any(|kind| is_hit(kind, entry)));
            hit.map(|entry| entry.address.to_owned()).collect()
        };
        let outputs = || review.outputs.iter().map(|output| format!("output.{}", output.name));
        let actions = || review.invocations.iter().map(|invocation| invocation.address.to_owned());
        let deferred = || {
            let changes = review.deferred.iter().map(|entry| entry.address);
            let actions = review.deferred_invocations.iter().map(|invocation| invocation.address);
            changes.chain(actions).map(str::to_owned)
        };
        match self {
            Self::Destroy => of_kinds(&[ChangeKind::Destroy, ChangeKind::Replace]),
            Self::Kind(kind) => of_kinds(&[kind]),
            Self::Drift => review.drift.iter().map(|entry| entry.address.to_owned()).collect(),
            Self::Warning => {
                let failed = review.checks.iter().filter(|check| check.is_failure());
                failed.map(|check| check.address.clone()).collect()
            }
            Self::Error if review.errored => vec![review.name.clone()],
            Self::Error => Vec::new(),
            Self::Deferred => deferred().collect(),
            Self::Output => outputs().collect(),
            Self::Action => actions().collect(),
            Self::Fact(kind) => {
                // A part that was not compared may contain such a fact.
                let is_too_large = |edit: &Edit<'_>| edit.notes.contains(&Note::TooLarge);
                let hit = listed().filter(|entry| {
                    entry.facts.iter().any(|fact| fact.kind == kind) || entry.edits.iter().any(is_too_large)
                });
                hit.map(|entry| entry.address.to_owned()).collect()
            }
            Self::Any => {
                let changes = listed().map(|entry| entry.address.to_owned());
                let mut hits: Vec<String> =
                    changes.chain(outputs()).chain(actions()).chain(deferred()).collect();
                // A plan without its changes does not prove that there are none.
                let name = &review.name;
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
            Self::Destroy => format!("{} destroyed, replacements included", is_are(hits.len())),
            Self::Kind(kind) => format!("{} {}", hits.len(), kind.verdict()),
            Self::Drift => format!("{} changed outside of the tool", count(hits.len(), "object")),
            Self::Warning => format!("{} failed", count(hits.len(), "check")),
            Self::Error => "planning failed".to_owned(),
            Self::Deferred => format!("{} put off", count(hits.len(), "change")),
            Self::Output => format!("{} to change", count(hits.len(), "output")),
            Self::Action => format!("{} to invoke", count(hits.len(), "action")),
            Self::Any => count(hits.len(), "change"),
            Self::Fact(kind) => format!("{} with a fact `{}`", count(hits.len(), "change"), kind.name()),
        };
        let all: Vec<&str> = hits.iter().map(String::as_str).collect();
        let names: Vec<String> = compact(&all).iter().map(|name| one_line(name)).collect();
        let more = names.len().saturating_sub(MAX_NAMES);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{origin}: {what}: {}{rest}", names[..names.len().min(MAX_NAMES)].join(", "))
    }
}

fn is_are(number: usize) -> String {
    let what = count(number, "object");
    if number == 1 { format!("{what} is") } else { format!("{what} are") }
}

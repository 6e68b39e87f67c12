//! Gates: what must not be in a plan that goes ahead by itself.
//!
//! A gate looks at the whole plan, whatever filters hide: a filter must not open it.

use super::{Kind, Verdict};

/// What `--fail-on` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// An object is destroyed, be it to be replaced.
    Destroy,
    /// A kind of change.
    Kind(Kind),
    /// Something changed outside of the tool.
    Drift,
    /// A check failed: the tools warn of it.
    Warning,
    /// Planning failed.
    Error,
    /// Changes are put off.
    Deferred,
    /// An output changes.
    Output,
    /// An action is invoked.
    Action,
    /// Anything is to be applied.
    Any,
}

impl Gate {
    /// The words that can be typed.
    pub const WORDS: &'static str = "destroy, delete, replace, succeed, forget, other, update, create, read, import, move, drift, warning, error, deferred, output, action, any";

    /// The gate that a typed word means. `destroy` holds for replacements too; `delete` does not.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "destroy" => Self::Destroy,
            "drift" => Self::Drift,
            "warning" | "check" => Self::Warning,
            "error" | "errored" => Self::Error,
            "deferred" => Self::Deferred,
            "output" => Self::Output,
            "action" => Self::Action,
            "any" => Self::Any,
            _ => Self::Kind(Kind::of_word(word)?),
        })
    }

    /// Why the gate is shut, if it is.
    pub fn shut_by(self, verdict: &Verdict) -> Option<String> {
        let (number, what) = match self {
            Self::Destroy => {
                (verdict.of(Kind::Destroy) + verdict.of(Kind::Replace), "to destroy, replacements included")
            }
            Self::Kind(kind) => (verdict.of(kind), kind.verdict()),
            Self::Drift => (verdict.drift, "changed outside"),
            Self::Warning => (verdict.failed_checks, "failed check(s)"),
            Self::Error => (usize::from(verdict.errored), "planning error"),
            Self::Deferred => (verdict.deferred, "deferred"),
            Self::Output => (verdict.outputs, "output(s) to change"),
            Self::Action => (verdict.invocations, "action(s) to invoke"),
            Self::Any => (usize::from(verdict.has_changes()), "plan with changes"),
        };
        (number > 0).then(|| format!("{number} {what}"))
    }
}

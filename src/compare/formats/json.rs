//! JSON, described by `docs/diff.schema.json`.
//!
//! `format_version` 1.0: minor versions may add members, and only major versions remove or redefine any.
//! Edits have the same shape as in a review: `before` is the side of the approved plan, `after` that of the
//! new one.

use std::io::{self, Write};

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::compare::fingerprint::Fingerprint;
use crate::compare::result::{Outcome, PlannedOutcome};
use crate::compare::{
    Against, Class, Comparison, Difference, DifferenceKind, Gate, Origin, Property, Subject, words,
};
use crate::diff::edits::Slot;
use crate::review::formats::json::{self, Each, EditJson, Escaping, Marks, SlotJson, slot, some};

/// The version of the format.
pub const FORMAT_VERSION: &str = "1.0";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GateResult {
    /// The condition.
    #[cfg_attr(test, schemars(extend("enum" = Gate::ALL.map(Gate::word))))]
    pub name: &'static str,
    /// Whether there is one that matches.
    pub violated: bool,
    /// The number of differences that match.
    pub hits: usize,
}

impl GateResult {
    /// The result for a number of differences that match.
    pub fn new(gate: Gate, hits: usize) -> Self {
        Self { name: gate.word(), violated: hits > 0, hits }
    }
}

/// Writes a comparison as one document.
///
/// # Errors
/// If writing to `out` fails.
pub fn json(comparison: &Comparison<'_>, gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
    document(comparison, gates).serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// A fingerprint, and whether it equals the approved one, as one document.
///
/// # Errors
/// Never fails in practice; the type is that of `serde_json`.
pub fn fingerprint_json(fingerprint: &Fingerprint, is_same: Option<bool>) -> serde_json::Result<String> {
    serde_json::to_string(&serde_json::json!({
        "format_version": FORMAT_VERSION,
        "tfview_version": env!("CARGO_PKG_VERSION"),
        "fingerprint": fingerprint.to_string(),
        "verdict": is_same.map(|is_same| if is_same { "same" } else { "differs" }),
        "sensitive_values_compared": fingerprint.basis.sensitive,
    }))
}

/// A plan compared with the one that was approved, or with what became of it. Members are added in minor versions of
/// the format, and removed or redefined in major ones only.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(title = "tfview diff --format json"))]
struct Document<'r> {
    #[cfg_attr(test, schemars(extend("const" = FORMAT_VERSION)))]
    format_version: &'static str,
    tfview_version: &'static str,
    /// What the plan is compared with: another plan, the messages of the run that applied it, or the state after it; or
    /// two `states`, the first of which is `approved`.
    against: Against,
    /// Another plan is the `same`, `within` (something differs, and nothing goes beyond what was approved) or `wider`.
    /// What was approved is `done`, `incomplete` (failed, or not done), or something `wider` was done.
    #[cfg_attr(test, schemars(extend("enum" = ["same", "within", "wider", "done", "incomplete"])))]
    verdict: &'static str,
    /// The verdict in words.
    sentence: String,
    counts: CountsJson,
    gates: &'r [GateResult],
    approved: &'r Origin,
    now: &'r Origin,
    /// The worst first.
    differences: Each<'r, Difference<'r>, DifferenceJson<'r>>,
    /// What became of each planned change; not there when plans are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<&'r [PlannedOutcome<'r>]>,
    notes: &'r [String],
}

fn document<'r>(comparison: &'r Comparison<'r>, gates: &'r [GateResult]) -> Document<'r> {
    Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        against: comparison.against,
        verdict: comparison.verdict_name(),
        sentence: comparison.sentence(),
        counts: counts(comparison),
        gates,
        approved: &comparison.approved,
        now: &comparison.now,
        differences: Each(&comparison.differences, difference),
        outcomes: comparison.against.is_result().then_some(&*comparison.outcomes),
        notes: &comparison.notes,
    }
}

/// Differences by class, and changes that are the same.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
struct CountsJson {
    destroy: usize,
    action: usize,
    value: usize,
    became_unknown: usize,
    unproven: usize,
    failed: usize,
    less: usize,
    became_known: usize,
    text: usize,
    world: usize,
    /// Changes that are the same, or done as approved.
    same: usize,
    /// Differences that --ignore leaves out.
    ignored: usize,
}

fn counts(comparison: &Comparison<'_>) -> CountsJson {
    CountsJson {
        destroy: comparison.count(Class::Destroy),
        action: comparison.count(Class::Action),
        value: comparison.count(Class::Value),
        became_unknown: comparison.count(Class::Unknown),
        unproven: comparison.count(Class::Unproven),
        failed: comparison.count(Class::Failed),
        less: comparison.count(Class::Less),
        became_known: comparison.count(Class::Known),
        text: comparison.count(Class::Text),
        world: comparison.count(Class::World),
        same: comparison.same,
        ignored: comparison.ignored,
    }
}

/// Something that differs. `kind` says which of the other members there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct DifferenceJson<'r> {
    #[cfg_attr(test, schemars(extend("enum" = Class::ALL.map(Class::name))))]
    class: &'static str,
    /// It goes beyond what was approved, or is not proven not to.
    wider: bool,
    subject: Subject,
    address: Option<&'r str>,
    deposed: Option<&'r str>,
    #[serde(flatten)]
    what: KindJson<'r>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum KindJson<'r> {
    OnlyNow {
        actions: Vec<&'r str>,
        /// The address of an object that is like it and goes. A hint; both still count as different.
        perhaps_renamed_from: Option<&'r str>,
    },
    OnlyApproved {
        actions: Vec<&'r str>,
    },
    Outcome {
        actions: Vec<&'r str>,
        outcome: Outcome,
        /// Why, or which part of it.
        why: Option<&'r str>,
    },
    Run {
        why: &'r str,
    },
    Property {
        property: Property,
        approved: Option<&'r str>,
        now: Option<&'r str>,
    },
    Value {
        /// As in a review: `before` is the value that the approved plan sets, `after` the one that the new plan sets.
        /// In sets, places mean nothing.
        edit: EditJson<'r>,
        #[serde(skip_serializing_if = "Option::is_none")]
        approved_before: Option<SlotJson<'r>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        now_before: Option<SlotJson<'r>>,
    },
    World {
        /// As in a review: `before` is the value at the approval, `after` the one now.
        edit: EditJson<'r>,
    },
}

fn difference<'r>(difference: &'r Difference<'_>) -> DifferenceJson<'r> {
    DifferenceJson {
        class: difference.class.name(),
        wider: difference.class.is_wider(),
        subject: difference.subject,
        address: some(difference.address),
        deposed: some(difference.deposed),
        what: match &difference.what {
            DifferenceKind::OnlyNow { phrase: _, action, renamed_from } => {
                KindJson::OnlyNow { actions: words(action).collect(), perhaps_renamed_from: *renamed_from }
            }
            DifferenceKind::OnlyApproved { phrase: _, action } => {
                KindJson::OnlyApproved { actions: words(action).collect() }
            }
            DifferenceKind::Outcome { phrase: _, action, outcome, why } => {
                KindJson::Outcome { actions: words(action).collect(), outcome: *outcome, why: some(why) }
            }
            DifferenceKind::Run { why } => KindJson::Run { why },
            DifferenceKind::Property { property, approved, now } => {
                KindJson::Property { property: *property, approved: approved.as_deref(), now: now.as_deref() }
            }
            DifferenceKind::Value { edit, from } => {
                let side = |value| slot(Slot::Value(value), Marks::All);
                KindJson::Value {
                    edit: json::edit(edit),
                    approved_before: from.map(|(approved, _)| side(approved)),
                    now_before: from.map(|(_, now)| side(now)),
                }
            }
            DifferenceKind::World(edit) => KindJson::World { edit: json::edit(edit) },
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::review::formats::json::published;

    #[test]
    fn published_schema_of_a_comparison_is_that_of_its_types() {
        published::hold::<super::Document<'_>>("diff");
    }
}

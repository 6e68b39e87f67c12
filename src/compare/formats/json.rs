//! JSON, described by `docs/diff.schema.json`.
//!
//! `format_version` 1.0: minor versions may add members, and only major versions remove or redefine any.
//! Edits have the same shape as in a review: `before` is the side of the approved plan, `after` that of the
//! new one.

use std::io::{self, Write};

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::compare::fingerprint::Fingerprint;

use crate::compare::{Against, Class, Comparison, Difference, Gate, Origin, PlannedOutcome};
use crate::review::formats::json::Escaping;

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
    let document = Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        against: comparison.against,
        verdict: comparison.verdict_name(),
        sentence: comparison.sentence(),
        counts: Counts(comparison),
        gates,
        approved: &comparison.approved,
        now: &comparison.now,
        differences: &comparison.differences,
        outcomes: comparison.against.is_result().then_some(&*comparison.outcomes),
        notes: &comparison.notes,
    };
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
    document.serialize(&mut serializer)?;
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
    counts: Counts<'r>,
    gates: &'r [GateResult],
    approved: &'r Origin,
    now: &'r Origin,
    /// The worst first.
    differences: &'r [Difference<'r>],
    /// What became of each planned change; not there when plans are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<&'r [PlannedOutcome<'r>]>,
    notes: &'r [String],
}

/// Differences by class, and changes that are the same.
struct Counts<'r>(&'r Comparison<'r>);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(comparison) = self;
        let classes = Class::ALL.map(|class| (class.name(), comparison.count(class)));
        // Changes that are the same or done as approved, and differences that --ignore leaves out.
        let others = [("same", comparison.same), ("ignored", comparison.ignored)];
        serializer.collect_map(classes.into_iter().chain(others))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use schemars::{Schema, SchemaGenerator, json_schema};

    use super::{Class, Counts, JsonSchema};
    use crate::review::formats::json::tests as published;

    impl JsonSchema for Counts<'_> {
        fn schema_name() -> Cow<'static, str> {
            "Counts".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let mut names = Class::ALL.map(Class::name).to_vec();
            names.extend(["same", "ignored"]);
            let number = |name: &&str| {
                let mut number = serde_json::json!({ "type": "integer", "format": "uint", "minimum": 0 });
                match *name {
                    "same" => {
                        number["description"] = "Changes that are the same, or done as approved.".into();
                    }
                    "ignored" => number["description"] = "Differences that --ignore leaves out.".into(),
                    _ => {}
                }
                ((*name).to_owned(), number)
            };
            let properties: serde_json::Map<_, _> = names.iter().map(number).collect();
            json_schema!({
                "description": "Differences by class, and changes that are the same.",
                "type": "object",
                "properties": properties,
                "required": names,
            })
        }
    }

    #[test]
    fn published_schema_of_a_comparison_is_that_of_its_types() {
        published::hold::<super::Document<'_>>("diff");
    }
}

//! JSON, described by `docs/diff.schema.json`.
//!
//! `format_version` 1.0: minor versions may add members, and only major versions remove or redefine any.
//! Edits have the same shape as in a review: `before` is the side of the approved plan, `after` that of the
//! new one.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::compare::fingerprint::Fingerprint;
use crate::compare::result::PlannedOutcome;
use crate::compare::{Class, Comparison, Difference, DifferenceKind, Origin};
use crate::dialect::Tool;
use crate::diff::edits::Slot;
use crate::review::formats::json::{Escaping, JsonEdit, JsonSlot, Marks};

/// The version of the format.
pub const FORMAT_VERSION: &str = "1.0";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug)]
pub struct GateResult {
    /// The condition.
    pub name: String,
    /// The number of differences that match.
    pub hits: usize,
}

/// Writes a comparison as one document.
///
/// # Errors
/// If writing to `out` fails.
pub fn json(comparison: &Comparison<'_>, gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
    Document { comparison, gates }.serialize(&mut serializer)?;
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

struct Document<'r, 'a> {
    comparison: &'r Comparison<'a>,
    gates: &'r [GateResult],
}

impl Serialize for Document<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let comparison = self.comparison;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format_version", FORMAT_VERSION)?;
        map.serialize_entry("tfview_version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("against", comparison.against.name())?;
        map.serialize_entry("verdict", comparison.verdict_name())?;
        map.serialize_entry("sentence", &comparison.sentence())?;
        map.serialize_entry("counts", &Counts(comparison))?;
        map.serialize_entry("gates", &self.gates.iter().map(JsonGate).collect::<Vec<_>>())?;
        map.serialize_entry("approved", &JsonOrigin(&comparison.approved))?;
        map.serialize_entry("now", &JsonOrigin(&comparison.now))?;
        let differences: Vec<_> = comparison.differences.iter().map(JsonDifference).collect();
        map.serialize_entry("differences", &differences)?;
        if comparison.against.is_result() {
            let outcomes: Vec<_> = comparison.outcomes.iter().map(JsonOutcome).collect();
            map.serialize_entry("outcomes", &outcomes)?;
        }
        map.serialize_entry("notes", &comparison.notes)?;
        map.end()
    }
}

struct Counts<'r, 'a>(&'r Comparison<'a>);

impl Serialize for Counts<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for class in Class::ALL {
            map.serialize_entry(class.name(), &self.0.count(class))?;
        }
        map.serialize_entry("same", &self.0.same)?;
        map.serialize_entry("ignored", &self.0.ignored)?;
        map.end()
    }
}

struct JsonGate<'r>(&'r GateResult);

impl Serialize for JsonGate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("violated", &(self.0.hits > 0))?;
        map.serialize_entry("hits", &self.0.hits)?;
        map.end()
    }
}

struct JsonOrigin<'r>(&'r Origin);

impl Serialize for JsonOrigin<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let origin = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &origin.name)?;
        let tool = origin.tool.map(|tool| match tool {
            Tool::Terraform => "terraform",
            Tool::OpenTofu => "opentofu",
        });
        map.serialize_entry("tool", &tool)?;
        map.serialize_entry("tool_version", &some(&origin.tool_version))?;
        map.serialize_entry("timestamp", &some(&origin.timestamp))?;
        map.end()
    }
}

struct JsonDifference<'r, 'a>(&'r Difference<'a>);

impl Serialize for JsonDifference<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let difference = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("class", difference.class.name())?;
        map.serialize_entry("wider", &difference.class.is_wider())?;
        map.serialize_entry("subject", difference.subject.name())?;
        map.serialize_entry("address", &some(difference.address))?;
        map.serialize_entry("deposed", &some(difference.deposed))?;
        match &difference.what {
            DifferenceKind::OnlyNow { phrase: _, action, renamed_from } => {
                map.serialize_entry("kind", "only-now")?;
                map.serialize_entry("actions", &words(action))?;
                map.serialize_entry("perhaps_renamed_from", renamed_from)?;
            }
            DifferenceKind::OnlyApproved { phrase: _, action } => {
                map.serialize_entry("kind", "only-approved")?;
                map.serialize_entry("actions", &words(action))?;
            }
            DifferenceKind::Outcome { phrase: _, action, outcome, why } => {
                map.serialize_entry("kind", "outcome")?;
                map.serialize_entry("actions", &words(action))?;
                map.serialize_entry("outcome", outcome.name())?;
                map.serialize_entry("why", &some(why))?;
            }
            DifferenceKind::Run { why } => {
                map.serialize_entry("kind", "run")?;
                map.serialize_entry("why", why)?;
            }
            DifferenceKind::Property { property, approved, now } => {
                map.serialize_entry("kind", "property")?;
                map.serialize_entry("property", property.name())?;
                map.serialize_entry("approved", approved)?;
                map.serialize_entry("now", now)?;
            }
            DifferenceKind::Value { edit, from } => {
                map.serialize_entry("kind", "value")?;
                map.serialize_entry("edit", &JsonEdit(edit))?;
                if let Some((approved, now)) = from {
                    map.serialize_entry("approved_before", &JsonSlot(Slot::Value(*approved), Marks::All))?;
                    map.serialize_entry("now_before", &JsonSlot(Slot::Value(*now), Marks::All))?;
                }
            }
            DifferenceKind::World(edit) => {
                map.serialize_entry("kind", "world")?;
                map.serialize_entry("edit", &JsonEdit(edit))?;
            }
        }
        map.end()
    }
}

struct JsonOutcome<'r, 'a>(&'r PlannedOutcome<'a>);

impl Serialize for JsonOutcome<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PlannedOutcome { subject, address, deposed, action, outcome, why } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("subject", subject.name())?;
        map.serialize_entry("address", address)?;
        map.serialize_entry("deposed", &some(deposed))?;
        map.serialize_entry("actions", &words(action))?;
        map.serialize_entry("outcome", outcome.name())?;
        map.serialize_entry("why", &some(why))?;
        map.end()
    }
}

fn words(action: &str) -> Vec<&str> {
    action.split(',').filter(|word| !word.is_empty()).collect()
}

fn some(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

//! Writes the findings of reviews as SARIF 2.1.0, for code scanning, at their lines in the configuration.
//!
//! Source: OASIS SARIF 2.1.0, and the requirements of code scanning services. Invariants: the findings are those of the
//! JSON; the fingerprint of a finding does not depend on lines, values, or the order of other findings; within the
//! limits of services, the gravest findings are kept, and a notification counts the others.
//!
//! ```json
//! {"ruleId": "data-loss", "level": "error", "message": {"text": "aws_db_instance.main: database destroyed"},
//!  "locations": [{"physicalLocation": {"artifactLocation": {"uri": "main.tf"}, "region": {"startLine": 12}}}]}
//! ```

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::model::address::block_address;
use crate::report::SectionKind;
use crate::review::entry::{FindingKind, Level, PlanFinding};
use crate::review::gate::object_name;
use crate::review::paths::path_names;
use crate::review::plan::PlanReview;
use crate::review::{AbsentUnit, count, failed_units};
use crate::term::percent_encoded;
use crate::text::{cut, write_json};

/// The maximum number of results. GitHub keeps no more of a run.
const MAX_RESULTS: usize = 5_000;
/// The maximum number of places of a result, and of names at a place. Services keep no more.
const MAX_PLACES: usize = 100;
/// The maximum length of a text, in characters.
const MAX_TEXT: usize = 1_000;

/// Writes the findings of reviews as SARIF. `absent` are the units without a plan.
///
/// # Errors
/// If writing to `out` fails.
pub fn sarif(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    out: &mut dyn Write,
) -> io::Result<()> {
    write_json(&document(reviews, absent), out)
}

/// The file and line of each object, by the kind of its list and its address.
type OwnPlaces<'r> = HashMap<(SectionKind, &'r str), (&'r str, u64)>;

/// Returns the places of objects in the project's own files: for a resource in a downloaded module, that of the module
/// call.
fn own_places<'r>(review: &'r PlanReview<'_>) -> OwnPlaces<'r> {
    let placed = review.changes.objects().filter_map(|(part, entry)| {
        let (file, line) = entry.source.as_ref()?.own.as_ref()?;
        Some(((part, entry.address), (&**file, *line)))
    });
    placed.collect()
}

/// Returns the SARIF document of all plans, as one run.
fn document(reviews: &[PlanReview<'_>], absent: &[AbsentUnit]) -> Value {
    let places: Vec<OwnPlaces<'_>> = reviews.iter().map(own_places).collect();
    let all = reviews.iter().zip(&places).flat_map(|(review, places)| {
        review
            .proven()
            .iter()
            .map(move |listed| (review, places, listed))
    });
    let mut listed_findings: Vec<_> = all.collect();
    listed_findings.sort_by_key(|(.., listed)| std::cmp::Reverse(listed.finding.level));
    let left_out = listed_findings.len().saturating_sub(MAX_RESULTS);
    listed_findings.truncate(MAX_RESULTS);
    let several = reviews.len() > 1;
    let mut seen = HashMap::new();
    let results: Vec<Value> = listed_findings
        .into_iter()
        .map(|(review, places, listed)| result(review, listed, places, several, &mut seen))
        .collect();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tfview",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": FindingKind::ALL.map(rule),
            } },
            "invocations": [{
                "executionSuccessful": failed_units(absent).next().is_none(),
                "toolExecutionNotifications": notifications(reviews, absent, left_out),
            }],
            "automationDetails": { "id": "tfview-review/" },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// Returns the notifications about what the run could not report: plans that failed, units without a plan, and findings
/// beyond the limit.
fn notifications(reviews: &[PlanReview<'_>], absent: &[AbsentUnit], left_out: usize) -> Vec<Value> {
    let failed = reviews.iter().filter(|review| review.errored);
    let failed = failed.map(|review| ("error", format!("planning failed: {}", review.title())));
    let rest = (left_out > 0).then(|| {
        (
            "warning",
            format!("{} not in this file", count(left_out, "more finding")),
        )
    });
    let absent =
        failed_units(absent).map(|unit| ("error", format!("{} {}", unit.name, unit.sentence())));
    let all = rest
        .into_iter()
        .chain(failed)
        .chain(absent)
        .take(MAX_PLACES);
    all.map(|(level, text)| json!({ "level": level, "message": { "text": plain(&text) } }))
        .collect()
}

/// Returns the SARIF rule of a kind of findings, with advice for whoever reads it in a code scanning service.
fn rule(kind: FindingKind) -> Value {
    let (name, short, help) = match kind {
        FindingKind::DataLoss => (
            "DataLoss",
            "An object that holds data is destroyed or replaced",
            "Check that there is a backup, that the data is moved first, or that the object may go. `prevent_destroy`, and \
             the protection against deletion that many services have, keep an object.",
        ),
        FindingKind::Exposure => (
            "Exposure",
            "Everybody, or many more, get access",
            "Name the networks, accounts or principals that need access.",
        ),
        FindingKind::Protection => (
            "Protection",
            "A protection is removed or lowered",
            "Check that encryption, logging, backup or protection against deletion may be weaker than before.",
        ),
        FindingKind::Downtime => (
            "Downtime",
            "A service is interrupted",
            "Plan the interruption, or let the replacement exist first with `create_before_destroy`.",
        ),
        FindingKind::Unknown => (
            "Unknown",
            "An important value becomes known only after apply",
            "The plan does not prove what this value will be. Look at the expressions that it comes from.",
        ),
        FindingKind::Secret => (
            "Secret",
            "A value in plain text looks like a credential",
            "Mark the variable as sensitive, or read the value from a store of secrets. Revoke a credential that was published.",
        ),
    };
    let is_security = matches!(
        kind,
        FindingKind::Exposure | FindingKind::Protection | FindingKind::Secret
    );
    let tags: &[&str] = if is_security {
        &["terraform", "security"]
    } else {
        &["terraform"]
    };
    json!({
        "id": kind.name(),
        "name": name,
        "shortDescription": { "text": short },
        "fullDescription": { "text": format!("{short}, as a plan proves it.") },
        "help": { "text": help },
        "defaultConfiguration": { "level": "warning" },
        "properties": { "tags": tags, "precision": "high" },
    })
}

/// Converts a finding to a result of SARIF. Equal fingerprints are numbered, because services keep only one result for
/// each.
fn result(
    review: &PlanReview<'_>,
    listed: &PlanFinding<'_>,
    places: &OwnPlaces<'_>,
    several: bool,
    seen: &mut HashMap<String, usize>,
) -> Value {
    let finding = &listed.finding;
    let first = listed.addresses.first().copied().unwrap_or_default();
    let times = match listed.addresses.len() {
        0 | 1 => String::new(),
        number => format!(" × {number}"),
    };
    let plan = if several {
        format!("{}: ", review.title())
    } else {
        String::new()
    };
    let text = plain(&format!(
        "{plan}{}{times}: {}",
        object_name(listed.part, first),
        finding.text
    ));
    let level = match finding.level {
        Level::Critical => "error",
        Level::Warning => "warning",
        Level::Notice | Level::None => "note",
    };
    let names = if several { review.title() } else { "" };
    let words = [
        names,
        finding.kind.name(),
        &finding.rule,
        &block_address(first),
        &path_names(finding.path),
    ];
    let mut hash = Sha256::new();
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    hash.update([listed.part as u8]);
    let fingerprint: String = hash
        .finalize()
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let number = seen.entry(fingerprint.clone()).or_insert(0);
    *number += 1;
    let fingerprint = format!("{fingerprint}:{number}");
    let suppressions: Vec<Value> = listed
        .accepted
        .iter()
        .map(|accepted| {
            json!({
                "kind": "external",
                "status": "accepted",
                "justification": plain(&format!("{} (until {})", accepted.reason, accepted.until)),
            })
        })
        .collect();
    let mut result = json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": finding.kind as usize,
        "level": level,
        "message": { "text": text },
        "locations": locations(review, listed, places),
        "partialFingerprints": { "primaryLocationLineHash": fingerprint, "tfview/v1": fingerprint },
        "properties": { "rule": &*finding.rule, "level": finding.level.name(), "plan": review.title() },
    });
    if !suppressions.is_empty() {
        result["suppressions"] = suppressions.into();
    }
    result
}

/// Returns the locations of a finding: one for each line of the configuration, or the plan if no line is known.
fn locations(
    review: &PlanReview<'_>,
    listed: &PlanFinding<'_>,
    places: &OwnPlaces<'_>,
) -> Vec<Value> {
    let placed = listed
        .addresses
        .iter()
        .take(MAX_PLACES * 10)
        .map(|address| {
            let plan = || (review.name.trim_start_matches("./"), 1);
            let (file, line) = places
                .get(&(listed.part, *address))
                .copied()
                .unwrap_or_else(plan);
            (
                (file, line),
                (file, line, object_name(listed.part, address)),
            )
        });
    let places = crate::grouping::groups(placed).into_iter().take(MAX_PLACES);
    let location = |same: Vec<(&str, u64, String)>| {
        let names = same.iter().take(MAX_PLACES);
        let names =
            names.map(|(.., name)| json!({ "fullyQualifiedName": name, "kind": "resource" }));
        let names: Vec<Value> = names.collect();
        let (file, line, _) = same.first()?;
        Some(json!({
            "physicalLocation": {
                "artifactLocation": { "uri": percent_encoded(file) },
                "region": { "startLine": line, "startColumn": 1, "endLine": line, "endColumn": 1 },
            },
            "logicalLocations": names,
        }))
    };
    places.filter_map(location).collect()
}

/// Returns a text without links, shortened if it is long. SARIF reads `[text](target)` as a link.
fn plain(text: &str) -> String {
    cut(text, MAX_TEXT).replace("](", "] (")
}

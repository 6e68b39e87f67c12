//! SARIF 2.1.0, for code scanning: the findings, at their lines in the configuration.
//!
//! Source: OASIS SARIF 2.1.0, and what code scanning services need of it. Invariants: the findings are those of the JSON;
//! the fingerprint of a finding does not depend on lines, values and the order of others; within the limits of the
//! services, the gravest findings are kept, and a notification counts the others.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::model::address::block_address;
use crate::report::SectionKind;
use crate::review::count;
use crate::review::entry::{FindingKind, Level, PlanFinding, PlanReview};
use crate::review::level::object_name;
use crate::review::text::path_names;
use crate::review::units::AbsentUnit;
use crate::term::percent_encoded;
use crate::text::{cut, write_json};

/// The maximum number of results that GitHub keeps of a run.
const MAX_RESULTS: usize = 5_000;
/// The maximum number of places of a result, and of names at a place, that services keep.
const MAX_PLACES: usize = 100;
/// The maximum length of a message, in characters.
const MAX_TEXT: usize = 1_000;

/// Writes the findings of reviews as SARIF.
///
/// # Errors
/// If writing to `out` fails.
pub fn sarif(reviews: &[PlanReview<'_>], absent: &[AbsentUnit], out: &mut dyn Write) -> io::Result<()> {
    write_json(&document(reviews, absent), out)
}

/// The places of objects in the project's own configuration.
type OwnPlaces<'r> = HashMap<(SectionKind, &'r str), (&'r str, u64)>;

fn own_places<'r>(review: &'r PlanReview<'_>) -> OwnPlaces<'r> {
    let placed = review.objects().filter_map(|(part, entry)| {
        let (file, line) = entry.source.as_ref()?.own.as_ref()?;
        Some(((part, entry.address), (&**file, *line)))
    });
    placed.collect()
}

fn document(reviews: &[PlanReview<'_>], absent: &[AbsentUnit]) -> Value {
    let places: Vec<OwnPlaces<'_>> = reviews.iter().map(own_places).collect();
    let all = reviews.iter().zip(&places).flat_map(|(review, own)| {
        review.findings.iter().filter(|listed| !listed.is_found()).map(move |listed| (review, own, listed))
    });
    let mut found: Vec<_> = all.collect();
    crate::sort::by_key(&mut found, |(.., listed)| std::cmp::Reverse(listed.finding.level));
    let left_out = found.len().saturating_sub(MAX_RESULTS);
    found.truncate(MAX_RESULTS);
    let several = reviews.len() > 1;
    let mut seen = HashMap::new();
    let results: Vec<Value> = found
        .into_iter()
        .map(|(review, own, listed)| result(review, listed, own, several, &mut seen))
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
                "executionSuccessful": !absent.iter().any(|unit| unit.absence.is_failure()),
                "toolExecutionNotifications": notifications(reviews, absent, left_out),
            }],
            "automationDetails": { "id": "tfview-review/" },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// What is no finding: planning that failed, and findings that are not in the file.
fn notifications(reviews: &[PlanReview<'_>], absent: &[AbsentUnit], left_out: usize) -> Vec<Value> {
    let failed = reviews.iter().filter(|review| review.errored);
    let failed = failed.map(|review| ("error", format!("planning failed: {}", review.title())));
    let rest =
        (left_out > 0).then(|| ("warning", format!("{} not in this file", count(left_out, "more finding"))));
    let absent = absent.iter().filter(|unit| unit.absence.is_failure());
    let absent = absent.map(|unit| ("error", format!("{} {}", unit.name, unit.sentence())));
    let all = rest.into_iter().chain(failed).chain(absent).take(MAX_PLACES);
    all.map(|(level, text)| json!({ "level": level, "message": { "text": plain(&text) } })).collect()
}

fn rule(kind: FindingKind) -> Value {
    let (name, short, help) = match kind {
        FindingKind::DataLoss => (
            "DataLoss",
            "An object that holds data is destroyed, replaced or forgotten",
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
    let is_security = matches!(kind, FindingKind::Exposure | FindingKind::Protection | FindingKind::Secret);
    let tags: &[&str] = if is_security { &["terraform", "security"] } else { &["terraform"] };
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

fn result(
    review: &PlanReview<'_>,
    listed: &PlanFinding<'_>,
    own: &OwnPlaces<'_>,
    several: bool,
    seen: &mut HashMap<String, usize>,
) -> Value {
    let finding = &listed.finding;
    let first = listed.addresses.first().copied().unwrap_or_default();
    let times = match listed.addresses.len() {
        0 | 1 => String::new(),
        number => format!(" × {number}"),
    };
    let plan = if several { format!("{}: ", review.title()) } else { String::new() };
    let text = plain(&format!("{plan}{}{times}: {}", object_name(listed.part, first), finding.text));
    let level = match finding.level {
        Level::Critical => "error",
        Level::Warning => "warning",
        Level::Notice | Level::None => "note",
    };
    let names = if several { review.title() } else { "" };
    let words = [names, finding.kind.name(), &finding.rule, &block_address(first), &path_names(finding.path)];
    let mut hash = Sha256::new();
    for word in words {
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    hash.update([listed.part as u8]);
    let fingerprint: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let number = seen.entry(fingerprint.clone()).or_insert(0);
    *number += 1;
    let fingerprint = format!("{fingerprint}:{number}");
    json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": finding.kind as usize,
        "level": level,
        "message": { "text": text },
        "locations": locations(review, listed, own),
        "partialFingerprints": { "primaryLocationLineHash": fingerprint, "tfview/v1": fingerprint },
        "properties": { "rule": &*finding.rule, "level": finding.level.name(), "plan": review.title() },
    })
}

/// The places of the objects with a finding: one for each line of the configuration, or the plan.
fn locations(review: &PlanReview<'_>, listed: &PlanFinding<'_>, own: &OwnPlaces<'_>) -> Vec<Value> {
    let mut places: Vec<((String, u64), Vec<Value>)> = Vec::new();
    let mut known: HashMap<(String, u64), usize> = HashMap::new();
    for address in listed.addresses.iter().take(MAX_PLACES * 10) {
        let place = match own.get(&(listed.part, *address)) {
            Some((file, line)) => (percent_encoded(file), *line),
            None => (percent_encoded(review.name.trim_start_matches("./")), 1),
        };
        let at = *known.entry(place.clone()).or_insert(places.len());
        if at == places.len() && at < MAX_PLACES {
            places.push((place, Vec::new()));
        }
        if let Some((_, names)) = places.get_mut(at).filter(|(_, names)| names.len() < MAX_PLACES) {
            let name = object_name(listed.part, address);
            names.push(json!({ "fullyQualifiedName": name, "kind": "resource" }));
        }
    }
    let location = |((uri, line), names): ((String, u64), Vec<Value>)| {
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri },
                "region": { "startLine": line, "startColumn": 1, "endLine": line, "endColumn": 1 },
            },
            "logicalLocations": names,
        })
    };
    places.into_iter().map(location).collect()
}

/// A text in which nothing is a link: SARIF reads `[text](target)` as one.
fn plain(text: &str) -> String {
    cut(text, MAX_TEXT).replace("](", "] (")
}

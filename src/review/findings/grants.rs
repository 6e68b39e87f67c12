//! Findings of the model of grants: what a change of an object lets more people do, or lets people do more.
//!
//! Rules know single attributes; the model knows who × what × where × limits. What a rule tells already is not told
//! again.
//!
//! ```text
//! azurerm_role_assignment: scope …/resourceGroups/shop -> /subscriptions/1
//! Finding { kind: Exposure, level: Critical, text: "scope: … -> /subscriptions/1; Owner for 1111…", … }
//! ```

use std::sync::Arc;

use super::Subject;
use crate::diff::edits::{Format, Path};
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::direction::Direction;
use crate::meaning::{Documents, ObjectChange, Widening, judge_access, widenings};
use crate::review::entry::{Effect, Finding, FindingKind, Level, RuleOrigin};
use crate::review::paths::root_of;
use crate::review::value_path::{ElementStep, PathStep, Side, path_of_edit};

/// The weight of what is for everybody, or gives all rights: that of administration.
const GRAVE: u8 = 60;

/// Adds what the model of grants finds in a change, and no finding of a rule tells.
pub(super) fn add<'a>(
    subject: &Subject<'_, '_>,
    redactor: Redactor<'a>,
    findings: &mut Vec<Finding<'a>>,
) {
    let change = ObjectChange {
        resource_type: subject.resource_type,
        before: subject.before,
        after: subject.after,
        documents: subject.documents,
    };
    let judgements = judge_access(&change);
    // What is known only after apply is no finding where what is known beside it decides.
    findings.retain(|finding| {
        let root = root_of(finding.path);
        let is_decided = judgements.iter().any(|judgement| {
            judgement.place.first() == Some(&root)
                && !judgement.directions.contains(Direction::Unknown)
        });
        finding.kind != FindingKind::Unknown || !is_decided
    });
    let told: Vec<(FindingKind, &'a str)> = findings
        .iter()
        .map(|finding| (finding.kind, root_of(finding.path)))
        .collect();
    for widening in widenings(&change) {
        let is_told = told.iter().any(|(kind, root)| {
            let is_alike = matches!(kind, FindingKind::Exposure | FindingKind::Protection);
            let first = widening.place.first().copied().unwrap_or_default();
            is_alike && (root.is_empty() || first.is_empty() || *root == first)
        });
        if !is_told {
            findings.push(finding(subject, &widening, redactor));
        }
    }
}

/// Returns the finding about something that a change widens.
fn finding<'a>(
    subject: &Subject<'_, '_>,
    widening: &Widening,
    redactor: Redactor<'a>,
) -> Finding<'a> {
    let documents = subject.documents;
    let sides = [(Side::After, subject.after), (Side::Before, subject.before)];
    let path = sides.into_iter().find_map(|(side, object)| {
        let steps = steps_to(object, &widening.place, documents)?;
        Some(path_of_edit(&steps, side, redactor))
    });
    let kind = if widening.direction == Direction::Weaker {
        FindingKind::Protection
    } else {
        FindingKind::Exposure
    };
    let (level, weight) = match widening.is_grave {
        true => (Level::Critical, GRAVE),
        false => (Level::Warning, 0),
    };
    let place = widening.place.join(".");
    let separator = if place.is_empty() { "" } else { "." };
    Finding {
        kind,
        path: path.unwrap_or(Path::ROOT),
        text: super::short(&widening.text),
        level,
        weight,
        rule: Arc::from(format!("{}{separator}{place}", subject.resource_type)),
        effect: match widening.means {
            Some(words) => Effect::Means {
                words: words.to_owned(),
            },
            None => Effect::Other,
        },
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    }
}

/// Returns the steps to a place of an object, through the first element of each list; `None` if there is no value. A
/// place that is missing on this side may still be there on the other.
fn steps_to<'w>(
    object: MarkedValue<'w>,
    place: &[&'w str],
    documents: &Documents<'w>,
) -> Option<Vec<PathStep<'w>>> {
    let (mut value, mut steps) = (object, Vec::new());
    for name in place {
        if let Content::Array(items) = value.content {
            steps.push(PathStep::Element(ElementStep {
                index: 0,
                len: items.len(),
                name: None,
            }));
            value = *items.first()?;
        }
        if let Some(text) = value.as_str() {
            steps.push(PathStep::Document(Format::Json));
            value = documents.json(text)?;
        }
        value = value.get(name)?;
        steps.push(PathStep::Name(name));
    }
    Some(steps)
}

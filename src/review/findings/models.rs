//! Findings from what models say of an object: what is wider, weaker, lost or stopped is told also where no rule knows
//! the attribute.
//!
//! ```text
//! Remark { place: ["values", "persistence", "enabled"], directions: loses, before: true, after: false, … }
//!
//! Finding { kind: DataLoss, level: Critical, text: "persistence.enabled: true -> false", … }
//! ```

use std::sync::Arc;

use super::{Subject, short};
use crate::diff::edits::{Edit, Path, Step};
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::direction::Direction;
use crate::meaning::kubernetes::{self, Gravity, Remark};
use crate::meaning::{ObjectChange, judge};
use crate::review::entry::{Effect, Finding, FindingKind, Level};
use crate::review::finding::RuleOrigin;

/// The name of the rule of these findings.
const RULE: &str = "kubernetes";

/// Attributes that repeat the object of another one, as the provider computes it.
const COPIES: [&str; 2] = ["object", "yaml_body_parsed"];

/// Adds what the models say of an object where `findings` has nothing of it, and raises the level of a finding that is
/// graver than its rule knows. `edits` are those of the object.
pub(in crate::review) fn add<'w, 'a: 'w>(
    subject: &Subject<'_, 'w>,
    edits: &[Edit<'a>],
    findings: &mut Vec<Finding<'a>>,
    redactor: Redactor<'a>,
) {
    let change = ObjectChange {
        resource_type: subject.resource_type,
        before: subject.before,
        after: subject.after,
        documents: subject.documents,
    };
    for remark in kubernetes::remarks(&change) {
        let place = names(&remark);
        if place.first().is_some_and(|first| COPIES.contains(first)) {
            continue;
        }
        let Some((kind, level)) = grade(&remark) else {
            continue;
        };
        // What comes as a whole is judged by the rules for what is created.
        if subject.before.is_null() {
            continue;
        }
        let mut is_known = false;
        for finding in &mut *findings {
            let path = judge::names_of(finding.path);
            if touches(&path, &place) && path.is_empty() == place.is_empty() {
                is_known = true;
                if finding.kind == kind {
                    finding.level = finding.level.max(level);
                }
            }
        }
        if is_known {
            continue;
        }
        let path = path_of(&remark, &place, edits, redactor);
        findings.push(Finding {
            kind,
            path,
            text: text(&remark, &place, subject.after.is_null()),
            level,
            weight: 0,
            rule: Arc::from(RULE),
            effect: Effect::Other,
            is_expected: false,
            is_undone: false,
            origin: RuleOrigin::BuiltIn,
        });
    }
}

/// Returns the names of a place, without the keys of elements.
fn names<'w>(remark: &Remark<'w>) -> Vec<&'w str> {
    let place = &remark.judgement.place;
    place
        .iter()
        .copied()
        .filter(|name| !name.starts_with('['))
        .collect()
}

/// Returns kind and level of a finding; `None` if the change is not grave.
fn grade(remark: &Remark<'_>) -> Option<(FindingKind, Level)> {
    let kind = match remark.directions().gravest()? {
        Direction::Loses => FindingKind::DataLoss,
        Direction::Stops => FindingKind::Downtime,
        Direction::Wider => FindingKind::Exposure,
        Direction::Weaker => FindingKind::Protection,
        Direction::Less
        | Direction::Older
        | Direction::Unjudged
        | Direction::Unknown
        | Direction::Another
        | Direction::Gone
        | Direction::New
        | Direction::Newer
        | Direction::Narrower
        | Direction::Stronger
        | Direction::More
        | Direction::Keeps
        | Direction::Starts
        | Direction::Moved
        | Direction::Words
        | Direction::Same => return None,
    };
    let level = match remark.gravity {
        Gravity::Untold => return None,
        Gravity::Small => Level::Notice,
        Gravity::Usual => Level::Warning,
        Gravity::Total => Level::Critical,
    };
    Some((kind, level))
}

/// Whether one place is at or above the other.
fn touches(path: &[&str], place: &[&str]) -> bool {
    path.iter().zip(place).all(|(name, other)| name == other)
}

/// Returns the path of the edit that a remark is about: the first one at its place with its values, else the first one
/// there, else the place itself.
fn path_of<'a>(
    remark: &Remark<'_>,
    place: &[&str],
    edits: &[Edit<'a>],
    redactor: Redactor<'a>,
) -> Path<'a> {
    let mut found = None;
    let mut open: Vec<(Path<'a>, &Edit<'a>)> = edits.iter().map(|edit| (edit.path, edit)).collect();
    while let Some((path, edit)) = open.pop() {
        let names = judge::names_of(path);
        if !touches(&names, place) {
            continue;
        }
        let is_value =
            |side: Option<MarkedValue<'_>>, value: Option<MarkedValue<'_>>| match (side, value) {
                (Some(side), Some(value)) => side.same_without_marks(value),
                (side, value) => side.is_none() && value.is_none(),
            };
        let fit =
            usize::from(is_value(edit.before, remark.before) && is_value(edit.after, remark.after));
        let rank = (names.len() >= place.len(), fit);
        if found.is_none_or(|(known, _)| rank >= known) {
            found = Some((rank, path));
        }
        if let Some(inside) = edit.inside {
            let document = path.child(Step::Document(inside.format), redactor.arena);
            open.extend(inside.edits.iter().map(|inner| {
                let steps = inner.path.steps().into_iter();
                (
                    steps.fold(document, |path, step| path.child(step, redactor.arena)),
                    inner,
                )
            }));
        }
    }
    found.map_or(Path::ROOT, |(_, path)| path)
}

/// Returns the words of a finding.
fn text(remark: &Remark<'_>, place: &[&str], is_destroyed: bool) -> String {
    let label = place.join(".");
    if place.is_empty() && is_destroyed {
        let words = match remark.directions().gravest() {
            Some(Direction::Wider) => "destroyed: what it kept out may come in",
            Some(Direction::Weaker) => "destroyed, while what it protects stays",
            _ => "destroyed",
        };
        return words.to_owned();
    }
    if let Some(words) = &remark.words {
        return format!("{label}: {}", short(words));
    }
    let side = |value: Option<MarkedValue<'_>>| -> Option<String> {
        let value = value?;
        if value.has_marks {
            return None;
        }
        let texts: Option<Vec<_>> = match value.content {
            Content::Array(items) => items
                .iter()
                .map(|item| item.content.scalar_text())
                .collect(),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::String(_)
            | Content::Object(_) => value.content.scalar_text().map(|text| vec![text]),
        };
        texts.map(|texts| short(&texts.join(", ")))
    };
    let is_set = |value: Option<MarkedValue<'_>>| {
        value.is_some_and(|value| !value.is_null() && !value.is_empty())
    };
    match (is_set(remark.before), is_set(remark.after)) {
        (true, false) => format!("{label} is removed"),
        (false, true) => match side(remark.after) {
            Some(after) => format!("{label}: {after}"),
            None => format!("{label} is added"),
        },
        (true, true) | (false, false) => match side(remark.before).zip(side(remark.after)) {
            Some((before, after)) => format!("{label}: {before} -> {after}"),
            None => format!("{label} is {}", words_of(remark)),
        },
    }
}

/// Returns the direction of a remark as a word.
fn words_of(remark: &Remark<'_>) -> &'static str {
    remark
        .directions()
        .gravest()
        .map_or("other", Direction::word)
}

//! Names the gravest findings of a plan, as the end of the sentence about its shape.
//!
//! ```text
//! aws_db_instance.shop and aws_s3_bucket.logs may lose data; aws_wafv2_web_acl.api opens access
//! ```

use std::collections::HashSet;

use crate::review::count;
use crate::review::entry::{Finding, FindingKind, Level, PlanFinding};
use crate::review::paths::compact;
use crate::review::plan::PlanReview;

/// The maximum number of objects with the same kind of finding that are named.
const MAX_NAMED: usize = 2;
/// The maximum length of two names together, in bytes.
const MAX_NAMES_LEN: usize = 90;
/// The maximum number of kinds of findings that the sentence names.
const MAX_KINDS: usize = 2;

/// Returns the statements about the gravest findings of the plan: what happens, and to which objects. Only findings of
/// its worst level are named; if that is a notice, none are.
pub(super) fn gravest(review: &PlanReview<'_>) -> Vec<String> {
    let proven = review.proven();
    let Some(worst) = proven.iter().map(|listed| listed.finding.level).max() else {
        return Vec::new();
    };
    if worst < Level::Warning {
        return Vec::new();
    }
    let mut kinds: Vec<(Statement, Vec<&str>)> = Vec::new();
    for PlanFinding {
        finding, addresses, ..
    } in proven.iter().filter(|listed| listed.finding.level == worst)
    {
        let statement = Statement::of(finding);
        let index = kinds.iter().position(|(kind, _)| *kind == statement);
        let index = index.unwrap_or_else(|| {
            kinds.push((statement, Vec::new()));
            kinds.len() - 1
        });
        kinds[index].1.extend(addresses);
    }
    let mut words = sentences(&kinds[..kinds.len().min(MAX_KINDS)]);
    if let Some((_, addresses)) = kinds.get(MAX_KINDS)
        && kinds.len() > MAX_KINDS
    {
        let more: usize = kinds
            .iter()
            .skip(MAX_KINDS + 1)
            .map(|(_, all)| all.len())
            .sum();
        words.push(count(addresses.len() + more, "more finding"));
    }
    words
}

/// The statement that the sentence makes about objects with findings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Statement {
    /// They have a finding of this kind.
    Kind(FindingKind),
    /// No available schema has their type, so their values are hidden.
    NotJudged,
}

impl Statement {
    fn of(finding: &Finding<'_>) -> Self {
        if finding.is_of_no_schema() {
            Self::NotJudged
        } else {
            Self::Kind(finding.kind)
        }
    }

    /// Returns the predicate of a statement, in the singular or plural.
    fn words(self, is_one: bool) -> &'static str {
        let kind = match self {
            Self::NotJudged if is_one => return "is not judged",
            Self::NotJudged => return "are not judged",
            Self::Kind(kind) => kind,
        };
        match (kind, is_one) {
            (FindingKind::DataLoss, _) => "may lose data",
            (FindingKind::Exposure, true) => "opens access",
            (FindingKind::Exposure, false) => "open access",
            (FindingKind::Protection, true) => "is less protected",
            (FindingKind::Protection, false) => "are less protected",
            (FindingKind::Downtime, true) => "is interrupted",
            (FindingKind::Downtime, false) => "are interrupted",
            (FindingKind::Unknown, true) => "is decided only during the apply",
            (FindingKind::Unknown, false) => "are decided only during the apply",
            (FindingKind::Secret, true) => "has a credential in plain text",
            (FindingKind::Secret, false) => "have credentials in plain text",
        }
    }
}

/// Returns the names of objects: `aws_eip.nat[1, 2]`, `aws_db_instance.shop and aws_s3_bucket.logs`,
/// `aws_sqs_queue.jobs and 3 others`.
fn names_of(objects: &[&str]) -> String {
    let few = match objects.len() {
        0..=MAX_NAMED => compact(objects),
        _ => Vec::new(),
    };
    match few.as_slice() {
        [one] => one.clone(),
        [one, two] if one.len() + two.len() <= MAX_NAMES_LEN => format!("{one} and {two}"),
        _ => match objects {
            [] => String::new(),
            [one, rest @ ..] => format!("{one} and {}", count(rest.len(), "other")),
        },
    }
}

/// Returns a sentence for each set of objects, which joins the statements about exactly these objects:
/// `aws_db_instance.shop and aws_s3_bucket.logs may lose data`,
/// `aws_wafv2_web_acl.api opens access and is less protected`.
fn sentences(statements: &[(Statement, Vec<&str>)]) -> Vec<String> {
    let mut sentences: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for (statement, addresses) in statements {
        let mut seen = HashSet::new();
        let objects: Vec<&str> = addresses
            .iter()
            .copied()
            .filter(|address| seen.insert(*address))
            .collect();
        let words = statement.words(objects.len() == 1);
        match sentences.iter_mut().find(|(of, _)| *of == objects) {
            Some((_, all)) => all.push(words),
            None => sentences.push((objects, vec![words])),
        }
    }
    sentences
        .iter()
        .map(|(objects, words)| format!("{} {}", names_of(objects), words.join(" and ")))
        .collect()
}

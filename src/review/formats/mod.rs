//! The formats of a review.

mod head;
mod html;
mod invocation;
pub(crate) mod json;
mod markdown;
mod terminal;
mod units;

pub use html::{PageOptions, html, html_part};
pub use json::{FORMAT_VERSION, GateResult, json, json_since};
pub use markdown::{Budget, markdown};
pub use terminal::terminal;

use super::entry::PlanReview;
use super::{ChangeKind, Problem, Verdict};

/// GitLab's Terraform report: the numbers of created, updated and deleted objects.
pub fn gitlab_report(reviews: &[PlanReview<'_>]) -> String {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let verdict = Verdict::total(verdicts.iter());
    let replaced = verdict.count(ChangeKind::Replace);
    let created = verdict.count(ChangeKind::Create) + replaced + verdict.count(ChangeKind::ReplaceForget);
    let deleted = verdict.count(ChangeKind::Destroy) + replaced;
    format!(
        "{{\"create\":{created},\"update\":{},\"delete\":{deleted}}}\n",
        verdict.count(ChangeKind::Update)
    )
}

/// The text for the result of a check.
fn problem(problem: &Problem) -> String {
    let status = match problem.status.as_str() {
        "fail" => "failed",
        "error" => "could not be evaluated",
        "unknown" => "is known after apply",
        other => other,
    };
    let message = if problem.message.is_empty() { String::new() } else { format!(": {}", problem.message) };
    format!("{} {status}{message}", problem.address)
}

//! The formats of a review.

mod json;
mod markdown;
mod terminal;

pub use json::json;
pub use markdown::{Budget, markdown};
pub use terminal::terminal;

use super::{Item, Kind, Review, Verdict};

/// GitLab's terraform report: how many objects are created, updated, deleted.
pub fn gitlab_report(reviews: &[Review]) -> String {
    let verdict = Verdict::total(reviews.iter().map(|review| &review.verdict));
    let replaced = verdict.of(Kind::Replace);
    let created = verdict.of(Kind::Create) + replaced + verdict.of(Kind::Succeed);
    let deleted = verdict.of(Kind::Destroy) + replaced;
    format!("{{\"create\":{created},\"update\":{},\"delete\":{deleted}}}\n", verdict.of(Kind::Update))
}

/// The header of an item, in pieces: its symbol, its address, what is said of it.
fn header(item: &Item) -> (&'static str, String, String) {
    let address = item.addresses.first().cloned().unwrap_or_default();
    let mut says = item.kind.says().to_owned();
    if item.kind == Kind::Other {
        says = format!("{says}: {}", item.action);
    }
    if item.cosmetic {
        says.push_str(" (cosmetic only)");
    }
    if item.addresses.len() > 1 {
        let key = if item.by_key { ", but for the key of each" } else { "" };
        says = format!("{says} — same change × {}{key}", item.addresses.len());
    }
    (item.kind.symbol(), address, says)
}

/// What a review leaves out, and how to see it.
fn omissions(review: &Review) -> Vec<String> {
    let mut lines = Vec::new();
    if review.filtered > 0 {
        let what = super::count(review.filtered, "resource");
        lines.push(format!(
            "{what} hidden by filters; leave out --only, --include, --exclude, --type and --module to see all"
        ));
    }
    lines
}

/// What is said of a problem of a check.
fn problem(problem: &super::Problem) -> String {
    let status = match problem.status.as_str() {
        "fail" => "failed",
        "error" => "could not be evaluated",
        "unknown" => "is known after apply",
        other => other,
    };
    let message = if problem.message.is_empty() { String::new() } else { format!(": {}", problem.message) };
    format!("{} {status}{message}", problem.address)
}

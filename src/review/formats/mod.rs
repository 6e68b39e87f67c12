//! The formats of a review.

mod json;
mod markdown;
mod terminal;

pub use json::{FORMAT_VERSION, GateResult, json};
pub use markdown::{Budget, markdown};
pub use terminal::terminal;

use super::{Item, Kind, Place, Review, Verdict};

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
    let (symbol, mut says) = match (item.place, item.kind) {
        (Place::Planned, Kind::Other) => {
            (item.kind.symbol(), format!("{}: {}", item.kind.says(), item.action))
        }
        (Place::Planned, kind) => (kind.symbol(), kind.says().to_owned()),
        (Place::Drift, Kind::Destroy) => ("-", "was deleted outside of the tool".to_owned()),
        (Place::Drift, kind) => (kind.symbol(), "has changed outside of the tool".to_owned()),
        (Place::Deferred, Kind::Other) => ("…", "is put off to a later plan".to_owned()),
        (Place::Deferred, kind) => ("…", format!("{} in a later plan", kind.says())),
        (Place::Invoked, _) => ("!", "is invoked".to_owned()),
    };
    if item.cosmetic {
        says.push_str(" (cosmetic only)");
    }
    if item.addresses.len() > 1 {
        let key = if item.by_key { ", but for the key of each" } else { "" };
        says = format!("{says} — same change × {}{key}", item.addresses.len());
    }
    (symbol, address, says)
}

/// Of what there is much, how much of each type: `create: 40 aws_instance, 3 of 2 other types`.
fn by_type(review: &Review) -> Vec<String> {
    const MANY: usize = 12;
    const TYPES: usize = 4;
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        let mut types: Vec<(usize, &str)> = Vec::new();
        for item in review.items.iter().filter(|item| item.kind == kind) {
            let number = item.addresses.len();
            match types.iter_mut().find(|(_, name)| *name == item.type_name) {
                Some((sum, _)) => *sum += number,
                None => types.push((number, &item.type_name)),
            }
        }
        if types.len() < 2 || types.iter().map(|(number, _)| number).sum::<usize>() <= MANY {
            continue;
        }
        types.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let rest = types.split_off(types.len().min(TYPES));
        let mut words: Vec<String> = types.iter().map(|(number, name)| format!("{number} {name}")).collect();
        if !rest.is_empty() {
            let number: usize = rest.iter().map(|(number, _)| number).sum();
            words.push(format!("{number} of {}", super::count(rest.len(), "other type")));
        }
        lines.push(format!("{}: {}", kind.word(), words.join(", ")));
    }
    lines
}

/// What a review leaves out, and how to see it.
fn omissions(review: &Review) -> Vec<String> {
    let mut lines = Vec::new();
    if review.filtered > 0 {
        let what = super::entries(review.filtered);
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

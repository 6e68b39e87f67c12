//! A gate of our own: says why a plan must not be applied without a person, and fails then.
//!
//! `cargo run --example gate -- plan.json`

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use tfview::{ChangeKind, Edit, Level, Plan, Review, ReviewOptions, Schemas};

/// More objects than this are not destroyed at once.
const MAX_DESTROYED: usize = 5;

/// The types whose objects hold data.
const DATABASES: [&str; 2] = ["aws_db_instance", "google_sql_database_instance"];

/// Returns the reasons against applying the plan.
pub(crate) fn objections(review: &Review) -> Vec<String> {
    let mut objections = Vec::new();
    let ends = |kind| matches!(kind, ChangeKind::Destroy | ChangeKind::Replace);
    let destroyed = review
        .changes()
        .iter()
        .filter(|change| ends(change.kind))
        .count();
    if destroyed > MAX_DESTROYED {
        objections.push(format!("{destroyed} objects are destroyed or replaced"));
    }
    for change in review.changes() {
        if ends(change.kind) && DATABASES.contains(&&*change.resource_type) {
            objections.push(format!("{}: a database ends", change.address));
        }
        for edit in change.edits.iter().filter(|edit| opens_to_all(edit)) {
            objections.push(format!(
                "{}: {} opens to everybody",
                change.address, edit.path
            ));
        }
    }
    let critical = review
        .findings()
        .iter()
        .filter(|finding| finding.level == Level::Critical);
    objections.extend(
        critical.map(|finding| format!("{}: {}", finding.addresses.join(", "), finding.text)),
    );
    objections
}

fn opens_to_all(edit: &Edit) -> bool {
    let everybody = "0.0.0.0/0";
    edit.path.contains("cidr")
        && edit.after.as_ref().is_some_and(|after| {
            after.as_str() == Some(everybody)
                || after
                    .as_list()
                    .is_some_and(|items| items.iter().any(|item| item.as_str() == Some(everybody)))
        })
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: gate PLAN")?;
    let plan = Plan::from_reader(File::open(file)?, &Schemas::new())?;
    let review = Review::new(&plan, ReviewOptions::default())?;
    let objections = objections(&review);
    for objection in &objections {
        // Addresses are text from the plan.
        writeln!(io::stdout(), "{}", objection.escape_debug())?;
    }
    Ok(if objections.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

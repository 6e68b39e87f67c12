//! A bot that comments on a pull request: makes the body of the comment, for GitHub's API.
//!
//! `cargo run --example comment -- plan.json | gh api repos/OWNER/REPO/issues/NUMBER/comments --input -`
//!
//! The body begins with a marker, by which the next run finds the comment that it replaces.

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tfview::{Format, Plan, Review, ReviewOptions, Schemas};

/// Writes the request that posts the review of a plan.
pub(crate) fn write_comment(plan: &Path, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let plan = Plan::from_reader(File::open(plan)?, &Schemas::new())?;
    let mut options = ReviewOptions::default();
    options.name = "production".to_owned();
    let review = Review::new(&plan, options)?;
    let mut comment = b"<!-- plan of production -->\n".to_vec();
    review.write(Format::Markdown, &mut comment)?;
    let body = serde_json::json!({ "body": String::from_utf8(comment)? });
    Ok(writeln!(out, "{body}")?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: comment PLAN")?;
    write_comment(&PathBuf::from(file), io::stdout().lock())
}

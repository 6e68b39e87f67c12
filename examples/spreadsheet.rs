//! The changes of a plan as a table for a spreadsheet: a row for each edit.
//!
//! `cargo run --example spreadsheet -- plan.json > plan.csv`

use std::error::Error;
use std::fs::File;
use std::io::{self, Write};

use tfview::{Plan, Review, ReviewOptions, Schemas, Value};

/// Writes the changes as comma-separated values.
pub(crate) fn write_table(review: &Review, mut out: impl Write) -> io::Result<()> {
    let columns = [
        "address",
        "type",
        "action",
        "attribute",
        "before",
        "after",
        "findings",
    ];
    row(&mut out, columns.map(str::to_owned))?;
    for change in review.changes() {
        let findings: Vec<&str> = change
            .findings
            .iter()
            .map(|finding| &*finding.text)
            .collect();
        let findings = findings.join("; ");
        let about = |path: &str, before: Option<&Value>, after: Option<&Value>| {
            let text = |value: Option<&Value>| value.map_or_else(String::new, Value::to_string);
            [
                change.address.clone(),
                change.resource_type.clone(),
                change.kind.word().to_owned(),
                path.to_owned(),
                text(before),
                text(after),
                findings.clone(),
            ]
        };
        if change.edits.is_empty() {
            row(&mut out, about("", None, None))?;
        }
        for edit in &change.edits {
            row(
                &mut out,
                about(&edit.path, edit.before.as_ref(), edit.after.as_ref()),
            )?;
        }
    }
    Ok(())
}

/// Every cell is quoted. One that a spreadsheet would take for a formula begins with an apostrophe.
fn row(out: &mut impl Write, cells: [String; 7]) -> io::Result<()> {
    let cell = |text: String| {
        let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let apostrophe = if is_formula { "'" } else { "" };
        format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
    };
    write!(out, "{}\r\n", cells.map(cell).join(","))
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .ok_or("usage: spreadsheet PLAN")?;
    let plan = Plan::from_reader(File::open(file)?, &Schemas::new())?;
    let review = Review::new(&plan, ReviewOptions::default())?;
    Ok(write_table(&review, io::stdout().lock())?)
}

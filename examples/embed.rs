//! Reviews a plan with the library: `cargo run --example embed -- plan.json [schemas.json]`
//!
//! Prints the verdict, each address with its actions, and the tools' own text. Needs no feature:
//! `cargo run --no-default-features --example embed -- plan.json`

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use tfview::{Plan, PlanDiff, Review, ReviewOptions, Schemas, TextOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = env::args().skip(1);
    let plan = files.next().ok_or("usage: embed PLAN [SCHEMAS]...")?;
    let text = fs::read_to_string(plan)?;
    let plan = Plan::parse(&text)?;
    let mut schemas = Schemas::new();
    for file in files {
        schemas.add(fs::read_to_string(file)?)?;
    }
    let mut out = io::stdout();

    let review = Review::new(&plan, &schemas, ReviewOptions::default())?;
    writeln!(out, "{}", review.sentence())?;
    for entry in review.resources() {
        for finding in &entry.findings {
            writeln!(out, "{}: {}", entry.address, finding.text)?;
        }
    }

    let diff = PlanDiff::new(&plan, &schemas);
    for resource in diff.resources()? {
        writeln!(out, "{}: {}", resource.address, resource.actions)?;
    }
    diff.write_text(&TextOptions::default(), &mut out)?;
    Ok(())
}

//! `tfview schema diff`

use std::path::PathBuf;

use anyhow::anyhow;
use bumpalo::Bump;

use super::args::{DiffArgs, SeverityChoice};
use super::source::{add, note_unknown, read_files};
use super::write;
use crate::cli::input::Document;
use crate::cli::settings::Settings;
use crate::cli::{Host, Outcome};
use crate::schema::catalog::{Catalog, Entry};
use crate::schema::compare::{self, Severity};

/// Compares two files; the gate is decided before anything is written.
pub(super) fn diff(args: &DiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.view.display(&[], None), &host.environment, host.terminal);
    let read = |file: &PathBuf| read_files(std::slice::from_ref(file), host);
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let arena = Bump::new();
    let changes = compare::compare(&entries(&old, host)?, &entries(&new, host)?, &arena)
        .map_err(|error| anyhow!("comparing the schemas: {error}"))?;
    let worst = match args.fail_on {
        None => None,
        Some(SeverityChoice::Breaking) => Some(Severity::Breaking),
        Some(SeverityChoice::Perhaps) => Some(Severity::Perhaps),
        Some(SeverityChoice::Any) => Some(Severity::Fine),
    };
    let shut = worst.map_or(0, |worst| changes.iter().filter(|change| change.severity <= worst).count());
    let outcome = if shut > 0 { Outcome::Gate } else { Outcome::Fine };
    let outcome = write(&*changes, &args.view, &settings, host, outcome)?;
    if shut > 0 {
        let worst = worst.map_or("any", Severity::word);
        host.error(&format!("--fail-on {worst}: {shut} {}", if shut == 1 { "change" } else { "changes" }));
    }
    Ok(outcome)
}

fn entries<'d>(documents: &'d [Document], host: &Host) -> anyhow::Result<Vec<Entry<'d>>> {
    let mut catalog = Catalog::new();
    for document in documents {
        add(&mut catalog, document)?;
    }
    note_unknown(&catalog, host);
    Ok(catalog.into_entries())
}

//! `tfview schema diff`

use std::path::PathBuf;

use anyhow::anyhow;
use bumpalo::Bump;

use super::source::{add, note_unknown, read_files};
use super::write;
use crate::cli::args::SchemaDiffArgs;
use crate::cli::input::Document;
use crate::cli::settings::Settings;
use crate::cli::{Host, Outcome};
use crate::schema::catalog::{Catalog, Entry};
use crate::schema::compare::{self, Severity};
use crate::text::count;

/// Compares two files; the gate is decided before anything is written.
pub(super) fn diff(args: &SchemaDiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.view.display(&[], None), &host.environment, host.terminal);
    let read = |file: &PathBuf| read_files(std::slice::from_ref(file), host);
    let (old, new) = (read(&args.old)?, read(&args.new)?);
    let arena = Bump::new();
    let changes = compare::compare(&entries(&old, host)?, &entries(&new, host)?, &arena)
        .map_err(|error| anyhow!("comparing the schemas: {error}"))?;
    let shut =
        args.fail_on.map_or(0, |worst| changes.iter().filter(|change| change.severity <= worst).count());
    let outcome = if shut > 0 { Outcome::Gate } else { Outcome::Fine };
    let outcome = write(&*changes, &args.view, &settings, host, outcome)?;
    if shut > 0 {
        let worst = args.fail_on.filter(|worst| *worst != Severity::Fine).map_or("any", Severity::word);
        host.error(&format!("--fail-on {worst}: {}", count(shut, "change")));
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

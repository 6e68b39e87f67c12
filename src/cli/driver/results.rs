//! The results of a run, written after it: the page, annotations, the summary for the CI system, the report
//! of tests.
//!
//! Invariant: the page and the report are written even if the other one cannot be.

use std::fs;
use std::io::Write;

use anyhow::Context;

use crate::cli::args::RunDisplayArgs;
use crate::cli::message::chain;
use crate::cli::page::{self, RunDocuments};
use crate::cli::settings::Settings;
use crate::cli::{Host, ci};
use crate::stream::{Ending, RunPage, junit, junit_of_units};
use crate::term::ci::Annotations;

/// Writes the results of a run.
pub(super) struct Results<'r> {
    pub(super) args: &'r RunDisplayArgs,
    pub(super) settings: &'r Settings,
    pub(super) host: &'r Host,
    /// Whether the display lasted until the end of the run.
    pub(super) is_whole: bool,
}

impl Results<'_> {
    /// Writes all results. The inner error is that of a file, which does not fail the display.
    pub(super) fn write(
        &self,
        ending: &Ending,
        documents: &mut dyn RunDocuments,
        stderr: &mut dyn Write,
    ) -> anyhow::Result<Option<anyhow::Error>> {
        let page = self.page(ending, documents);
        self.annotate(ending, stderr)?;
        Ok(self.report(ending).and(page).err())
    }

    fn page(&self, ending: &Ending, documents: &mut dyn RunDocuments) -> anyhow::Result<()> {
        if self.args.out.is_empty() {
            return Ok(());
        }
        let timeline = ending.timeline.as_ref();
        let mut notes = Vec::new();
        if timeline.is_some() && !self.is_whole {
            notes
                .push("tfview failed while it showed this run: this page may not have all of it.".to_owned());
        }
        let review = documents.plan_review().unwrap_or_else(|error| {
            notes.push(format!("The plan cannot be reviewed here: {}", chain(&error)));
            None
        });
        let (runs, shows_sensitive) = (&*ending.runs, self.settings.show_sensitive);
        let page = RunPage { timeline, runs, review: review.as_ref(), notes: &notes, shows_sensitive };
        // If a file cannot be written, the others still are.
        let written: Vec<anyhow::Result<()>> =
            self.args.out.iter().map(|out| page::write(out, &page)).collect();
        written.into_iter().collect()
    }

    fn annotate(&self, ending: &Ending, stderr: &mut dyn Write) -> anyhow::Result<()> {
        let Some(system) = self.settings.requested_ci else { return Ok(()) };
        match &ending.annotations {
            Some(annotations) => ci::annotate(annotations, stderr)?,
            // The display failed before its end.
            None => ci::annotate(&Annotations::new(system), stderr)?,
        }
        if let Err(error) = ci::add_summary(Some(system), self.host, || ci::run_summary(ending)) {
            self.host.report(&error);
        }
        Ok(())
    }

    fn report(&self, ending: &Ending) -> anyhow::Result<()> {
        let Some(path) = &self.args.junit else { return Ok(()) };
        let text = match &ending.report {
            _ if !ending.runs.is_empty() => junit_of_units(&ending.runs),
            Some(report) => junit(report, ending.failed),
            None => return Ok(()),
        };
        fs::write(path, text).with_context(|| format!("writing the report of --junit to {}", path.display()))
    }
}

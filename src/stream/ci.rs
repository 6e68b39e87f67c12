//! A run in the log of a CI system: a fold for each phase, and annotations.
//!
//! Invariant: important text is never folded: diagnostics, failures, summaries, outputs.

use std::io;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::term::ci::{Annotation, Annotations, Fold, Level, Place};
use crate::term::{CiSystem, Out};

use super::{Observer, Phase};

/// Folds the phases of a run and collects its annotations.
#[derive(Debug)]
pub struct Folds {
    open: Option<Fold>,
    /// Whether the full text of a plan is shown, in which each resource has its own fold.
    plan_given: bool,
    annotations: Annotations,
}

impl Folds {
    /// The folds of a new run.
    pub fn new(system: CiSystem, plan_given: bool) -> Self {
        Self { open: None, plan_given, annotations: Annotations::new(system) }
    }

    /// The annotations for the errors and warnings of the run.
    pub fn annotations(&self) -> &Annotations {
        &self.annotations
    }
}

impl Observer for Folds {
    fn phase(&mut self, phase: Phase, out: &mut Out<'_>) -> io::Result<()> {
        self.reveal(out)?;
        self.open = match phase {
            Phase::Refresh => out.fold("Refresh")?,
            Phase::Plan if self.plan_given => None,
            Phase::Plan => out.fold("Plan")?,
            Phase::Apply => out.fold("Apply")?,
            Phase::Result => None,
        };
        Ok(())
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, out: &mut Out<'_>) -> io::Result<()> {
        self.annotations.add(annotation(diagnostic));
        self.reveal(out)
    }

    fn reveal(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        self.open.take().map_or(Ok(()), |fold| out.unfold(&fold))
    }
}

/// The annotation for a diagnostic, at its position in the code.
fn annotation(diagnostic: &Diagnostic<'_>) -> Annotation {
    let level = match diagnostic.severity() {
        Severity::Warning => Level::Warning,
        Severity::Error | Severity::Other => Level::Error,
    };
    let detail = if diagnostic.detail.is_empty() { &diagnostic.summary } else { &diagnostic.detail };
    let message = match &*diagnostic.address {
        "" => detail.to_string(),
        address => format!("{address}: {detail}"),
    };
    let place = diagnostic.range.as_ref().map(|range| Place {
        file: range.filename.to_string(),
        line: range.start.line,
        column: range.start.column,
    });
    Annotation { level, title: diagnostic.summary.to_string(), message, place }
}

//! A run in the log of a CI system: a fold for each phase, and annotations.
//!
//! Invariant: important text is never folded: diagnostics, failures, summaries, outputs.

use std::io;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::stream::Ending;
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::event::{Phase, PlanEvent, Summary};
use crate::stream::output::Output;
use crate::term::CiSystem;
use crate::term::ci::{Annotation, Annotations, Fold, Level, Place};

use super::{Context, RunEnd, Sink};

/// Folds the phases of a run and collects its annotations. Precedes the sink whose text it folds.
#[derive(Debug)]
pub(in crate::stream) struct FoldSink {
    open: Option<Fold>,
    annotations: Annotations,
    /// Whether there are folds: the lines of several runs alternate.
    folds: bool,
}

impl FoldSink {
    pub(in crate::stream) fn new(system: CiSystem, folds: bool) -> Self {
        Self { open: None, annotations: Annotations::new(system), folds }
    }

    /// Ends the open fold, because the following text must be visible.
    fn unfold(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        match self.open.take() {
            Some(fold) => output.text()?.unfold(&fold),
            None => Ok(()),
        }
    }
}

impl Sink for FoldSink {
    fn any(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        if context.state.is_failure { self.unfold(context.output) } else { Ok(()) }
    }

    fn plan(&mut self, plan: &PlanEvent<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        match plan {
            PlanEvent::NoChanges { .. } => self.unfold(context.output),
            PlanEvent::Change(_) | PlanEvent::Drift(_) | PlanEvent::Invocation(_) | PlanEvent::Text => Ok(()),
        }
    }

    fn summary(&mut self, _: &Summary<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        self.unfold(context.output)
    }

    fn diagnostics(&mut self, group: &DiagnosticGroup<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        group.all.iter().for_each(|diagnostic| self.annotations.add(annotation(diagnostic)));
        if group.all.is_empty() { Ok(()) } else { self.unfold(context.output) }
    }

    fn phase(&mut self, phase: Phase, context: &mut Context<'_, '_>) -> io::Result<()> {
        self.unfold(context.output)?;
        if !self.folds {
            return Ok(());
        }
        let title = match phase {
            Phase::Refresh => "Refresh",
            // In the full text of a plan, each resource has its own fold.
            Phase::Plan if context.state.plan.is_known() => return Ok(()),
            Phase::Plan => "Plan",
            Phase::Apply => "Apply",
            Phase::Result => return Ok(()),
        };
        self.open = context.output.text()?.fold(title)?;
        Ok(())
    }

    fn finish(&mut self, _: RunEnd<'_>, output: &mut Output<'_>, ending: &mut Ending) -> io::Result<()> {
        ending.annotations = Some(self.annotations.clone());
        self.unfold(output)
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

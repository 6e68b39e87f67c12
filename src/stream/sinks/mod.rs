//! What is made of the events of a run.
//!
//! Invariants: sinks do not know each other, and change nothing but their own state and the output. An event
//! reaches them after the state was updated. Only the tool's text handles all events.
//!
//! ```text
//! apply_complete of a.b    text        a.b: Creation complete after 1s [id=i-1]
//!                          recap       one second, for the list of the slowest operations
//!                          timeline    a bar of one second
//! ```

mod junit;
mod live;
mod page;
mod recap;
mod text;
mod timeline;

use std::io;

use super::documents::DocumentError;
use super::event::{Event, EventKind, Phase, PlanEvent};
use super::options::Options;
use super::output::Output;
use super::state::{End, State, Verdict};
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::render::diagnostic::{DiagnosticContext, diagnostic};
use crate::term::ci::{Annotation, Annotations, FilePosition, Fold, Level};
use crate::term::{CiSystem, capture};
use recap::Slowest;
use text::TextSink;

pub use junit::{Report, junit, junit_of_units};
pub(super) use live::region;
pub use page::{RunPage, page};
pub use timeline::Timeline;

/// What a sink receives with an event.
pub(super) struct Context<'c, 'w> {
    /// The event.
    pub(super) event: &'c Event<'c>,
    /// The state after the event.
    pub(super) state: &'c State,
    /// How the run is shown.
    pub(super) options: &'c Options,
    /// Where the run is shown.
    pub(super) output: &'c mut Output<'w>,
}

/// How a run ended.
#[derive(Clone, Copy)]
pub(super) struct RunEnd<'c> {
    pub(super) input: End,
    pub(super) verdict: Verdict,
    pub(super) state: &'c State,
}

/// All sinks of a run.
pub(super) struct Sinks {
    /// The folds and annotations of a CI system.
    folds: Option<Folds>,
    /// The tool's text.
    text: TextSink,
    /// The report of tests, on request.
    report: Option<Report>,
    /// The timeline, on request.
    timeline: Option<Timeline>,
    /// The slowest operations.
    slowest: Slowest,
}

impl Sinks {
    /// The lines of several runs may alternate unless `is_alone`.
    /// `timeline` is that of an earlier part of the run, which goes on.
    pub(super) fn new(options: &Options, timeline: Option<Timeline>, is_alone: bool) -> Self {
        Self {
            folds: options.ci.map(|system| Folds::new(system, is_alone)),
            text: TextSink::default(),
            report: options.report.then(Report::default),
            timeline: timeline.or_else(|| options.timeline.then(Timeline::default)),
            slowest: Slowest::default(),
        }
    }

    pub(super) fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        // Folds begin and end before the text that they are about.
        if let Some(folds) = &mut self.folds {
            folds.event(context)?;
        }
        self.text.event(context)?;
        if let Some(report) = &mut self.report {
            report.event(context)?;
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.event(context)?;
        }
        self.slowest.event(context);
        Ok(())
    }

    /// Ends all sinks, writes the recap, and collects their results.
    pub(super) fn finish(
        mut self,
        end: RunEnd<'_>,
        options: &Options,
        output: &mut Output<'_>,
    ) -> io::Result<Ending> {
        if let Some(folds) = &mut self.folds {
            folds.unfold(output)?;
        }
        self.text.finish(options, output)?;
        recap::write(end, &self.slowest, output.notes()?)?;
        Ok(Ending {
            name: String::new(),
            failed: end.verdict != Verdict::Fine,
            tool_summary: end.state.tool_summary.clone(),
            recap: capture(false, |out| recap::write(end, &self.slowest, out))?,
            annotations: self.folds.map(|folds| folds.annotations),
            report: self.report,
            timeline: self.timeline.map(|timeline| timeline.ended(end)),
            runs: Vec::new(),
            held_warnings: Vec::new(),
        })
    }
}

/// How a run ended, and what was kept of it.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// The label of the run, or the name of the input.
    pub name: String,
    /// Whether the run failed or is incomplete.
    pub failed: bool,
    /// The last summary that the tool wrote.
    pub tool_summary: Option<String>,
    /// The recap as plain text.
    pub recap: String,
    /// The annotations for a CI system.
    pub annotations: Option<Annotations>,
    /// The report of tests.
    pub report: Option<Report>,
    /// The timeline.
    pub timeline: Option<Timeline>,
    /// The warnings that were not shown at the end.
    pub held_warnings: Vec<String>,
    /// The endings of the runs, if there were several; the other members are then about all of
    /// them.
    pub runs: Vec<Self>,
}

/// Invariant: important text is never folded: diagnostics, failures, summaries, outputs.
struct Folds {
    /// The fold that is open.
    open: Option<Fold>,
    /// The annotations so far.
    annotations: Annotations,
    /// The last phase that has begun.
    phase: Option<Phase>,
    /// Whether the CI system has folds.
    has_folds: bool,
}

impl Folds {
    fn new(system: CiSystem, has_folds: bool) -> Self {
        Self {
            open: None,
            annotations: Annotations::new(system),
            phase: None,
            has_folds,
        }
    }

    /// Begins and ends folds, and keeps annotations of diagnostics. Important text unfolds what is
    /// open.
    fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let Context {
            event,
            state,
            output,
            ..
        } = context;
        for phase in event.phases() {
            if self.phase < Some(*phase) {
                self.phase = Some(*phase);
                self.begin(*phase, state, output)?;
            }
        }
        let mut is_important = state.is_failure
            || matches!(
                event.kind,
                EventKind::Summary(_) | EventKind::Plan(PlanEvent::NoChanges { .. })
            );
        if let EventKind::Diagnostics(group) = &event.kind {
            group
                .all
                .iter()
                .for_each(|diagnostic| self.annotations.add(annotation(diagnostic)));
            is_important |= !group.all.is_empty();
        }
        if is_important {
            self.unfold(output)
        } else {
            Ok(())
        }
    }

    fn begin(&mut self, phase: Phase, state: &State, output: &mut Output<'_>) -> io::Result<()> {
        self.unfold(output)?;
        let title = match phase {
            Phase::Refresh => "Refresh",
            // In the full text of a plan, each resource has its own fold.
            Phase::Plan if state.plan.is_known() => return Ok(()),
            Phase::Plan => "Plan",
            Phase::Apply => "Apply",
            Phase::Result => return Ok(()),
        };
        if self.has_folds {
            self.open = output.text()?.fold(title)?;
        }
        Ok(())
    }

    fn unfold(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        self.open
            .take()
            .map_or(Ok(()), |fold| output.text()?.unfold(&fold))
    }
}

/// Makes the annotation of a diagnostic, at its source range.
fn annotation(diagnostic: &Diagnostic<'_>) -> Annotation {
    let level = match diagnostic.severity() {
        Severity::Warning => Level::Warning,
        Severity::Error | Severity::Other => Level::Error,
    };
    let detail = if diagnostic.detail.is_empty() {
        &diagnostic.summary
    } else {
        &diagnostic.detail
    };
    let message = match &*diagnostic.address {
        "" => detail.to_string(),
        address => format!("{address}: {detail}"),
    };
    let position = diagnostic.range.as_ref().map(|range| FilePosition {
        file: range.filename.to_string(),
        line: range.start.line,
        column: range.start.column,
    });
    Annotation {
        level,
        title: diagnostic.summary.to_string(),
        message,
        position,
    }
}

fn difference(
    shown: &Diagnostic<'_>,
    context: &mut Context<'_, '_>,
    colour: bool,
) -> Result<Option<String>, DocumentError> {
    let Some(change) = shown.difference() else {
        return Ok(None);
    };
    let (documents, _) = context.output.documents()?;
    documents
        .difference(&change, context.state.dialect, colour)
        .map(Some)
}

/// The text has no styles. `similar` diagnostics were merged into this one.
fn plain_text(
    shown: &Diagnostic<'_>,
    similar: usize,
    context: &mut Context<'_, '_>,
) -> io::Result<String> {
    // The text sink reports an error in the difference.
    let difference = difference(shown, context, false).unwrap_or_default();
    let (dialect, width) = (context.state.dialect, context.options.width);
    let context = DiagnosticContext {
        dialect,
        width,
        similar,
        difference: difference.as_deref(),
    };
    capture(false, |out| diagnostic(shown, &context, out))
}

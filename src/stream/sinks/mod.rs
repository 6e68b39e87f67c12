//! The sinks: the consumers of the events of a run, each of which creates one kind of output.
//!
//! Invariants: sinks do not know each other, and change nothing but their own state and the output. An event reaches
//! them after the state was updated. Only the sink of the tool's text handles all events.
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
use crate::term::ci::{Annotation, Annotations, Fold, Level, Place};
use crate::term::{CiSystem, capture};
use recap::Slowest;
use text::TextSink;

pub use junit::{Report, junit, junit_of_units};
pub(super) use live::region;
pub use page::{RunPage, page};
pub use timeline::Timeline;

/// An event, with everything that a sink needs to handle it.
pub(super) struct Context<'c, 'w> {
    /// The event.
    pub(super) event: &'c Event<'c>,
    /// The state, which already includes the event.
    pub(super) state: &'c State,
    /// The options of the run.
    pub(super) options: &'c Options,
    /// The output that the sink writes to.
    pub(super) output: &'c mut Output<'w>,
}

/// The end of a run.
#[derive(Clone, Copy)]
pub(super) struct RunEnd<'c> {
    /// The end of its input.
    pub(super) input: End,
    /// The verdict on the run.
    pub(super) verdict: Verdict,
    /// Its last state.
    pub(super) state: &'c State,
}

/// All sinks of a run.
pub(super) struct Sinks {
    /// Folds and annotations, on a CI system.
    folds: Option<Folds>,
    /// The tool's text.
    text: TextSink,
    /// The report of tests, on request.
    report: Option<Report>,
    /// The timeline, on request.
    timeline: Option<Timeline>,
    /// The durations of the slowest operations, for the recap.
    slowest: Slowest,
}

impl Sinks {
    /// Creates the sinks. `timeline` is that of an earlier part of the run, which is continued. Unless `is_alone`, the
    /// lines of several runs may alternate, so there are no folds.
    pub(super) fn new(options: &Options, timeline: Option<Timeline>, is_alone: bool) -> Self {
        Self {
            folds: options.ci.map(|system| Folds::new(system, is_alone)),
            text: TextSink::default(),
            report: options.report.then(Report::default),
            timeline: timeline.or_else(|| options.timeline.then(Timeline::default)),
            slowest: Slowest::default(),
        }
    }

    /// Passes an event to all sinks.
    pub(super) fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        // Folds begin and end before the text of the event.
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

/// The outcome of a run, and what its sinks have kept.
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
    /// The endings of the single runs, if there were several. The other members are then about all of them.
    pub runs: Vec<Self>,
}

/// The sink that folds the phases of a run in the log of a CI system, and keeps annotations.
///
/// Invariant: important text is never inside a fold: diagnostics, failures, summaries, outputs.
struct Folds {
    /// The fold that is open.
    open: Option<Fold>,
    /// The annotations so far.
    annotations: Annotations,
    /// The last phase that has begun.
    phase: Option<Phase>,
    /// Whether phases are folded.
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

    /// Begins and ends folds, and keeps annotations of diagnostics. Important text ends the open fold.
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

    /// Ends the open fold, and begins that of a phase.
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

    /// Ends the open fold, if there is one.
    fn unfold(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        self.open
            .take()
            .map_or(Ok(()), |fold| output.text()?.unfold(&fold))
    }
}

/// Returns the annotation of a diagnostic, at its source range.
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
    let place = diagnostic.range.as_ref().map(|range| Place {
        file: range.filename.to_string(),
        line: range.start.line,
        column: range.start.column,
    });
    Annotation {
        level,
        title: diagnostic.summary.to_string(),
        message,
        place,
    }
}

/// Returns the text of the difference that the diagnostic of a failed assertion shows, if it has one.
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

/// Returns the text of a diagnostic without styles. `similar` is the number of diagnostics that were merged into it.
fn plain_text(
    shown: &Diagnostic<'_>,
    similar: usize,
    context: &mut Context<'_, '_>,
) -> io::Result<String> {
    // An error of the difference is reported by the sink of the tool's text.
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

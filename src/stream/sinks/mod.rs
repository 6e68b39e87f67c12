//! The sinks of a run: what is made of its events.
//!
//! Invariants: sinks do not know each other, and change nothing but their own state and the output. An event
//! reaches them in the order of [`super::Stream`]'s list, after the state was updated.

mod ci;
mod diagnostic;
mod junit;
mod leftovers;
mod live;
mod outcome;
mod page;
mod recap;
mod text;

use std::io;

use super::diagnostics::DiagnosticGroup;
use super::event::{
    Event, EventKind, Invocation, Phase, PlanEvent, Provisioner, Stage, Step, Summary, Target, TestEvent,
    Version,
};
use super::output::Output;
use super::state::{State, Verdict};
use super::{End, Ending};

pub(super) use ci::FoldSink;
pub(super) use junit::JunitSink;
pub(super) use live::redraw;
pub(super) use page::PageSink;
pub(super) use recap::RecapSink;
pub(super) use text::TextSink;

pub use junit::{Report, junit, junit_of_units};
pub use page::{RunPage, Timeline, page};

/// An event, the state that already includes it, and the output.
pub(super) struct Context<'c, 'w> {
    pub(super) event: &'c Event<'c>,
    pub(super) state: &'c State,
    pub(super) output: &'c mut Output<'w>,
}

/// A consumer of the events of a run. It has methods for the groups of events that concern it; it ignores
/// the others.
pub(super) trait Sink {
    /// Handles an event: first by [`Sink::any`], then by the method of its group.
    fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        self.any(context)?;
        match &context.event.kind {
            EventKind::Version(version) => self.version(version, context),
            EventKind::Operation(stage, Some(target)) => self.operation(*stage, target, context),
            EventKind::Provisioner(step, Some(provisioner)) => self.provisioner(*step, provisioner, context),
            EventKind::Action(step, Some(invocation)) => self.action(*step, invocation, context),
            EventKind::Plan(plan) => self.plan(plan, context),
            EventKind::Summary(summary) => self.summary(summary, context),
            EventKind::Test(test) => self.test(test, context),
            EventKind::Diagnostics(group) => self.diagnostics(group, context),
            EventKind::Phase(phase) => self.phase(*phase, context),
            // Only the text and the live region show these.
            EventKind::Operation(_, None)
            | EventKind::Provisioner(_, None)
            | EventKind::Action(_, None)
            | EventKind::Log
            | EventKind::UnsavedState(_)
            | EventKind::Outputs(_)
            | EventKind::InitOutput(_)
            | EventKind::Untyped
            | EventKind::Query(_)
            | EventKind::Policy(_)
            | EventKind::MigrationErrored
            | EventKind::Malformed
            | EventKind::Unknown
            | EventKind::Diagnostic(_)
            | EventKind::Validation(_)
            | EventKind::Text(_)
            | EventKind::Tick { .. } => Ok(()),
        }
    }

    /// Handles an event of any group, before the method of its group.
    fn any(&mut self, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn version(&mut self, _version: &Version<'_>, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn operation(&mut self, _: Stage, _: &Target<'_>, _: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn provisioner(&mut self, _: Step, _: &Provisioner<'_>, _: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn action(&mut self, _: Step, _: &Invocation<'_>, _: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn plan(&mut self, _plan: &PlanEvent<'_>, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn summary(&mut self, _summary: &Summary<'_>, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn test(&mut self, _test: &TestEvent<'_>, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn diagnostics(&mut self, _: &DiagnosticGroup<'_>, _: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    fn phase(&mut self, _phase: Phase, _context: &mut Context<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    /// Handles the end of the run, and adds its results to `ending`.
    fn finish(&mut self, _: RunEnd<'_>, _: &mut Output<'_>, _: &mut Ending) -> io::Result<()> {
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Copy)]
pub(super) struct RunEnd<'c> {
    /// The end of its input.
    pub(super) input: End,
    /// Its outcome.
    pub(super) verdict: Verdict,
    pub(super) state: &'c State,
}

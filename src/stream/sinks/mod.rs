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

use super::event::Event;
use super::output::Output;
use super::state::{State, Verdict};
use super::{End, Ending};

pub(super) use ci::FoldSink;
pub(super) use junit::JunitSink;
pub(super) use live::LiveSink;
pub(super) use page::PageSink;
pub(super) use recap::RecapSink;
pub(super) use text::TextSink;

pub use junit::{Report, ReportEntry, Status, TestedFile, TestedRun, junit};
pub use page::{RunPage, Timeline, page};

/// A consumer of the events of a run.
pub(super) trait Sink {
    /// Handles an event, which `state` already includes.
    fn event(&mut self, event: &Event<'_>, state: &State, output: &mut Output<'_>) -> io::Result<()>;

    /// Handles the end of the run, and adds its results to `ending`.
    fn finish(
        &mut self,
        _end: RunEnd,
        _state: &State,
        _output: &mut Output<'_>,
        _ending: &mut Ending,
    ) -> io::Result<()> {
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunEnd {
    /// The end of its input.
    pub(super) input: End,
    /// Its outcome.
    pub(super) verdict: Verdict,
}

//! Hooks around the text of a stream, for the folds and annotations of CI systems.

use std::io;

use crate::model::diagnostic::Diagnostic;
use crate::term::Out;

/// A phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Refreshing the state.
    Refresh,
    /// The text of the plan.
    Plan,
    /// Applying changes.
    Apply,
    /// The summary and the outputs.
    Result,
}

/// Hooks around the text of a stream, for the folds and annotations of a CI system.
///
/// Each hook is called before the text that it concerns.
pub trait Observer {
    /// A phase of the run begins.
    fn phase(&mut self, phase: Phase, out: &mut Out<'_>) -> io::Result<()>;
    /// A diagnostic is about to be shown. Also called for diagnostics that are merged into another one.
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, out: &mut Out<'_>) -> io::Result<()>;
    /// The following text must be visible (a failure, a summary, the end), so any open fold ends.
    fn reveal(&mut self, out: &mut Out<'_>) -> io::Result<()>;
}

/// Does nothing.
impl Observer for () {
    fn phase(&mut self, _: Phase, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &Diagnostic<'_>, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }

    fn reveal(&mut self, _: &mut Out<'_>) -> io::Result<()> {
        Ok(())
    }
}

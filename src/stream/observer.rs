//! Who writes around what the stream writes: the seam for folds and annotations of CI systems.

use std::io;

use crate::model::diagnostic::Diagnostic;
use crate::term::Out;

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Reading what there is.
    Refresh,
    /// The plan's text.
    Plan,
    /// Changing things.
    Apply,
    /// The summary and the outputs.
    Result,
}

/// Hooks around the text of a stream, for the folds and annotations of a CI system.
///
/// Each is called before the text that it is about.
pub trait Observer {
    /// A part of the run begins.
    fn phase(&mut self, phase: Phase, out: &mut Out<'_>) -> io::Result<()>;
    /// A diagnostic is about to be shown; also those that are merged into another one.
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, out: &mut Out<'_>) -> io::Result<()>;
    /// What comes now has to be seen: a failure, a summary, the end. Whatever is folded ends.
    fn reveal(&mut self, out: &mut Out<'_>) -> io::Result<()>;
}

/// Nobody.
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

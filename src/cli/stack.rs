//! Runs work on a thread with a large stack.

use std::thread;

use anyhow::{Context, anyhow};

use crate::json::STACK;

/// Runs `work` with a stack that suffices for the deepest document that is accepted.
pub(super) fn with_stack<T: Send>(work: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.context("starting to work")?;
        worker.join().map_err(|_| anyhow!("stopped by an internal error (see above)"))?
    })
}

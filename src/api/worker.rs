//! Runs work on a thread with a large stack.

use std::panic::resume_unwind;
use std::thread;

use super::Error;
use crate::json::STACK;

/// Runs `work` on a thread whose stack suffices for the deepest document that is accepted.
pub(super) fn with_stack<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

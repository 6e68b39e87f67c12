//! The stack for recursion over values.
//!
//! Values may be nested [`MAX_DEPTH`](crate::json::MAX_DEPTH) deep, for which the usual stack of a thread does not
//! suffice. The program works on a thread with a large stack. The library does so only for a document that is nested
//! deeper than [`SHALLOW`], which [`depth`](crate::json::depth) determines.

use std::cell::Cell;
use std::{io, thread};

use crate::json::STACK;

/// The maximum nesting of values that are handled on the stack of the caller. They need less than a third of the
/// default stack of a thread, which is 2 MiB.
pub const SHALLOW: usize = 64;

/// The size of the stack of threads that help with shallow documents, in bytes.
const SMALL_STACK: usize = 2 << 20;

thread_local! {
    /// The mark of a thread that works on shallow documents, so that its helpers need no large stack.
    static IS_SHALLOW: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` for a document that is not nested deeper than [`SHALLOW`], on this thread.
pub fn shallow<T>(work: impl FnOnce() -> T) -> T {
    let _restored = Restored(IS_SHALLOW.replace(true));
    work()
}

/// A guard that restores the mark of this thread, even if the work panics.
struct Restored(bool);

impl Drop for Restored {
    fn drop(&mut self) {
        IS_SHALLOW.set(self.0);
    }
}

/// Runs `work` on a thread with a stack for the deepest document that is accepted, and returns its result or panic.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub fn large<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<thread::Result<T>> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        Ok(worker.join())
    })
}

/// Returns the size of the stack for a thread that helps this one, in bytes.
pub(crate) fn of_helper() -> usize {
    if IS_SHALLOW.get() { SMALL_STACK } else { STACK }
}

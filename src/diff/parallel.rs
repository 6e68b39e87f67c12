//! Parallel work on a list of items, with the results in order.
//!
//! Invariants: results do not depend on the number of threads. Threads work at most a few items ahead of the next
//! result, so the memory for results is bounded. The calling thread works alone if no thread can be started.
//!
//! ```text
//! items     [a, b, c]
//! threads   b is ready, then a, then c
//! results   a, b, c
//! ```

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};

use bumpalo::Bump;

use crate::stack;

/// The minimum size of a piece of work, in bytes of values. Smaller items are combined.
const PIECE: usize = 128 << 10;

/// The number of items for each thread that may be ahead of the next result.
const AHEAD: usize = 4;

/// The maximum number of threads. More would only wait for the one that writes.
const MAX_THREADS: usize = 16;

/// Computes a result for each item on several threads, and returns the results in the order of the items. `size`
/// returns the size of an item in bytes; `work` also receives an arena that is reset after the item.
///
/// # Errors
/// Returns the first error of `work`, in the order of the items.
pub fn map_in_order<T: Sync, R: Send, E: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T, &Bump) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    map_into(&mut Storage::default(), items, size, |item, scratch, _| {
        work(item, scratch)
    })
}

/// Does the same as `map_in_order`, for results that borrow from arenas in `storage`. `work` receives an item, an
/// arena that is reset after the item, and an arena that is kept.
///
/// # Errors
/// Returns the first error of `work`, in the order of the items.
pub fn map_into<'a, T: Sync, R: Send, E: Send>(
    storage: &'a mut Storage,
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T, &Bump, &'a Bump) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let pieces = pieces(items, size);
    storage.0.resize_with(pieces.len(), Bump::new);
    let pieces = pieces.into_iter().zip(&mut storage.0).collect();
    let mut results = Vec::with_capacity(items.len());
    in_order(
        pieces,
        Bump::new,
        |scratch, (piece, kept)| {
            let kept: &'a Bump = kept;
            let mut done = Vec::with_capacity(piece.len());
            for item in piece {
                scratch.reset();
                done.push(work(item, scratch, kept)?);
            }
            Ok(done)
        },
        |done: Result<Vec<R>, E>| {
            results.extend(done?);
            Ok::<(), E>(())
        },
    )?;
    Ok(results)
}

/// The arenas of the pieces of work, which contain everything that their results borrow.
#[derive(Debug, Default)]
pub struct Storage(Vec<Bump>);

/// Divides items into pieces of at least `PIECE` bytes, except for the last one.
pub(crate) fn pieces<T>(items: &[T], size_of: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    let (mut from, mut size) = (0, 0);
    for (index, item) in items.iter().enumerate() {
        size += size_of(item);
        if size >= PIECE {
            pieces.push(&items[from..=index]);
            (from, size) = (index + 1, 0);
        }
    }
    if from < items.len() {
        pieces.push(&items[from..]);
    }
    pieces
}

/// The state of an item.
enum Slot<T, R> {
    /// Nobody has begun to work on the item.
    Todo(T),
    /// The result waits to be taken.
    Done(R),
    /// The item is being worked on, or its result was taken.
    Taken,
}

/// Works on items on several threads, and passes the results to `take` in the order of the items. `state` creates the
/// reusable state of a thread.
///
/// # Errors
/// Stops at the first error of `take`, and returns it.
pub(crate) fn in_order<T: Send, R: Send, D, E>(
    items: Vec<T>,
    state: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = match items.len() {
        // Counting the processors takes longer than much of the work.
        0 | 1 => 1,
        count => thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MAX_THREADS)
            .min(count),
    };
    let progress = Progress {
        next: AtomicUsize::new(0),
        end: AtomicUsize::new(threads * AHEAD),
    };
    let slots: Vec<_> = items
        .into_iter()
        .map(|item| Mutex::new(Slot::Todo(item)))
        .collect();
    let work_on = |slot: &mut Slot<T, R>, state: &mut D| {
        if let Slot::Todo(item) = std::mem::replace(slot, Slot::Taken) {
            *slot = Slot::Done(work(state, item));
        }
    };
    let is_done = |slot: &Mutex<Slot<T, R>>| {
        slot.try_lock()
            .is_ok_and(|slot| matches!(*slot, Slot::Done(_)))
    };
    let stack_size = stack::of_helper();
    thread::scope(|scope| {
        let help = || {
            let mut state = state();
            while let Some(Ok(mut slot)) = slots.get(progress.claim()).map(Mutex::lock) {
                work_on(&mut slot, &mut state);
            }
        };
        let mut helpers = Helpers {
            progress: &progress,
            threads: Vec::new(),
        };
        while helpers.threads.len() + 1 < threads
            && let Ok(helper) = thread::Builder::new()
                .stack_size(stack_size)
                .spawn_scoped(scope, help)
        {
            helpers.threads.push(helper.thread().clone());
        }
        let mut own_state = None;
        for (index, slot) in slots.iter().enumerate() {
            // Until a helper has finished the item, this thread works on others.
            while !is_done(slot)
                && let Some(other) = progress.try_claim().and_then(|other| slots.get(other))
                && let Ok(mut other) = other.lock()
            {
                work_on(&mut other, own_state.get_or_insert_with(&state));
            }
            let Ok(mut slot) = slot.lock() else { break };
            if let Slot::Todo(_) = *slot {
                work_on(&mut slot, own_state.get_or_insert_with(&state));
            }
            let Slot::Done(result) = std::mem::replace(&mut *slot, Slot::Taken) else {
                break;
            };
            drop(slot);
            helpers.go_on(index + 1 + threads * AHEAD);
            take(result)?;
        }
        Ok(())
    })
}

/// The range of items that the threads may work on.
struct Progress {
    /// The index of the next item that nobody works on.
    next: AtomicUsize,
    /// The end of the items that may be worked on so far.
    end: AtomicUsize,
}

impl Progress {
    /// Returns the next item to work on; `None` if no further one may be worked on yet.
    fn try_claim(&self) -> Option<usize> {
        let next = |index| (index < self.end.load(Ordering::Acquire)).then_some(index + 1);
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            .ok()
    }

    /// Returns the next item to work on, and waits for it if necessary. At the end, the index is larger than all items.
    fn claim(&self) -> usize {
        loop {
            match self.try_claim() {
                Some(index) => return index,
                None => thread::park(),
            }
        }
    }
}

/// The helping threads. They stop when this is dropped, also if the calling thread panics.
struct Helpers<'p> {
    progress: &'p Progress,
    threads: Vec<Thread>,
}

impl Helpers<'_> {
    /// Lets the threads work on items up to `end`.
    fn go_on(&self, end: usize) {
        self.progress.end.store(end, Ordering::Release);
        self.threads.iter().for_each(Thread::unpark);
    }
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        self.progress.next.store(usize::MAX / 2, Ordering::Relaxed);
        self.go_on(usize::MAX);
    }
}

#[cfg(test)]
mod tests;

//! Processes items on all processors and delivers the results in order.
//!
//! Invariants: results are consumed in the order of the items, so they do not depend on the number of
//! threads. Threads work at most a few items ahead of the next result, so memory is bounded. The calling thread hands
//! out items and takes results; if no thread can be started, it works alone.

use std::collections::VecDeque;
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bumpalo::Bump;

use crate::json::STACK;

/// The size of a piece of work, in bytes of values.
const PIECE: usize = 128 << 10;

/// The number of items per thread that may be ahead of the next result.
const AHEAD: usize = 4;

/// The maximum number of threads. More would only wait for the one that writes.
const MAX_THREADS: usize = 16;

/// Applies `work` to all `items` and returns the results in order. `size` is the weight of an item.
///
/// # Errors
/// The first error of `work`.
pub fn map_in_order<T: Sync, R: Send, E: Send>(
    items: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T, &Bump) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    map_into(&mut Storage::default(), items, size, |item, scratch, _| work(item, scratch))
}

/// Like [`map_in_order`], for results that borrow from arenas in `storage`. `work` receives an item, an
/// arena that is reset afterwards, and one that is kept.
///
/// # Errors
/// The first error of `work`.
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

/// The arenas of results produced by several threads.
#[derive(Debug, Default)]
pub struct Storage(Vec<Bump>);

/// Splits items into pieces of about equal size.
pub(crate) fn pieces<T>(items: &[T], size_of: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    let (mut from, mut size) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        size += size_of(item);
        if size >= PIECE {
            pieces.push(&items[from..=at]);
            (from, size) = (at + 1, 0);
        }
    }
    if from < items.len() {
        pieces.push(&items[from..]);
    }
    pieces
}

/// Applies `work` to all `items` and passes the results to `take` in order. `state` creates the reusable
/// state of a thread. Stops early if `take` fails.
pub(crate) fn in_order<T: Send, R: Send, D, E>(
    items: Vec<T>,
    state: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(items.len());
    let (sender, tasks) = channel::<(T, SyncSender<R>)>();
    let tasks = Mutex::new(tasks);
    let next_task = || tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        let help = || {
            let mut state = state();
            while let Ok((item, done)) = next_task() {
                // If nobody waits for the result, the work has been stopped.
                let _ = done.send(work(&mut state, item));
            }
        };
        let start = |_: &usize| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).is_ok();
        let helpers = if threads > 1 { (0..threads).take_while(start).count() } else { 0 };
        // Dropped at the end, also if the work is stopped, so that the helpers end.
        let sender = sender;
        let mut items = items.into_iter();
        if helpers == 0 {
            let mut state = state();
            return items.try_for_each(|item| take(work(&mut state, item)));
        }
        let mut results = VecDeque::new();
        loop {
            for item in items.by_ref().take(helpers * AHEAD - results.len()) {
                let (done, result) = sync_channel(1);
                // This cannot fail, as the receiver is not dropped before.
                let _ = sender.send((item, done));
                results.push_back(result);
            }
            // A helper that panics gives no result. The panic continues where the threads are joined.
            let Some(Ok(result)) = results.pop_front().map(|result| result.recv()) else { return Ok(()) };
            take(result)?;
        }
    })
}

#[cfg(test)]
mod tests;

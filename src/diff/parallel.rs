//! Processes items on all processors and delivers the results in order.
//!
//! Invariants: results are consumed in the order of the items, so they do not depend on the number of
//! threads. Threads work at most a few items ahead of the next result, so memory is bounded. The calling
//! thread does the work of threads that cannot be started.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bumpalo::Bump;

use crate::json::STACK;

/// The size of a piece of work, in bytes of values.
const PIECE: usize = 128 << 10;

/// The number of results of a thread that may wait for the next one.
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
    // Each piece is processed once, by one thread, which takes the arena of the piece.
    let pieces: Vec<_> =
        pieces.into_iter().zip(storage.0.iter_mut().map(|arena| Mutex::new(Some(arena)))).collect();
    let mut results = Vec::with_capacity(items.len());
    in_order(
        &pieces,
        Bump::new,
        |scratch, (piece, arena)| {
            let taken = arena.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(kept) = taken else { return Ok(Vec::new()) };
            let kept: &'a Bump = kept;
            let mut done = Vec::with_capacity(piece.len());
            for item in *piece {
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
///
/// Of `n` threads, each works on every `n`th item. It stops when its receiver is gone, and when it panics its receiver
/// is told, so that no thread waits forever; the panic continues where the threads are joined.
pub(crate) fn in_order<T: Sync, R: Send, D, E>(
    items: &[T],
    state: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, &T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = if cores.min(items.len()) < 2 { 0 } else { cores.min(MAX_THREADS).min(items.len()) };
    // The channels only count results, and the work is called through a pointer: both are compiled once.
    let done: Vec<Mutex<VecDeque<R>>> = (0..threads).map(|_| Mutex::default()).collect();
    let work: &(dyn Fn(&mut D, &T) -> R + Sync) = &work;
    thread::scope(|scope| {
        let start = |first: usize| -> Option<Receiver<()>> {
            let (sender, receiver) = sync_channel(AHEAD);
            let (state, done) = (&state, done.get(first)?);
            let help = move || {
                let mut state = state();
                for item in items.iter().skip(first).step_by(threads) {
                    let result = work(&mut state, item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push_back(result);
                    if sender.send(()).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok().map(|_| receiver)
        };
        let receivers: Vec<Option<Receiver<()>>> = (0..threads).map(start).collect();
        let mut own_state = None;
        for (at, item) in items.iter().enumerate() {
            let thread = at % threads.max(1);
            let result = match (receivers.get(thread), done.get(thread)) {
                (Some(Some(receiver)), Some(done)) => {
                    let counted = receiver.recv().ok();
                    counted.and_then(|()| done.lock().unwrap_or_else(PoisonError::into_inner).pop_front())
                }
                (Some(None) | None, _) | (_, None) => Some(work(own_state.get_or_insert_with(&state), item)),
            };
            match result {
                Some(result) => take(result)?,
                None => break, // the thread has panicked
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_no_further_ahead_than_the_window() {
        let items: Vec<u64> = (0..500).collect();
        let mut seen = Vec::new();
        let uneven = |_: &mut (), item: &u64| {
            (0..(item * 7919) % 2000).fold(*item, |sum, _| std::hint::black_box(sum))
        };
        let result: Result<(), ()> = in_order(
            &items,
            || (),
            uneven,
            |item| {
                seen.push(item);
                Ok(())
            },
        );
        assert_eq!((result, seen), (Ok(()), items));
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let worked = std::sync::atomic::AtomicUsize::new(0);
        let count = |_: &mut (), item: &usize| {
            worked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            *item
        };
        let result = in_order(&items, || (), count, |item| if item == 10 { Err(item) } else { Ok(()) });
        assert_eq!(result, Err(10));
        assert!(worked.into_inner() < 200);
    }

    #[test]
    fn a_panic_is_handed_on() {
        let items: Vec<usize> = (0..100).collect();
        let work = |_: &mut (), item: &usize| assert!(*item != 50, "the fault");
        let caught = std::panic::catch_unwind(|| in_order(&items, || (), work, |()| Ok::<(), ()>(())));
        assert!(caught.is_err());
    }

    #[test]
    fn nothing_to_do_is_no_work() {
        assert_eq!(in_order(&[0u8; 0], || (), |(), _| (), |()| Err(())), Ok(()));
    }
}

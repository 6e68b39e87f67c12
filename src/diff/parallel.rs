//! Processes items on all processors and delivers the results in order.
//!
//! Invariants: results are consumed in the order of the items, so they do not depend on the number of
//! threads. Threads work at most a few items ahead of the next result, so memory is bounded. The calling
//! thread works too, and works alone if no thread can be started.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use bumpalo::Bump;
use foldhash::{HashMap, HashMapExt as _};

use crate::json::STACK;

/// The size of a piece of work, in bytes of values.
const PIECE: usize = 128 << 10;

/// The number of items per thread that may be ahead of the next result.
const AHEAD: usize = 4;

/// The maximum number of threads. More would only wait for the one that writes.
const MAX_THREADS: usize = 16;

struct Queue<R> {
    next: usize,
    taken: usize,
    done: HashMap<usize, R>,
    stopped: bool,
}

struct Shared<'s, T, R> {
    items: &'s [T],
    window: usize,
    queue: Mutex<Queue<R>>,
    changed: Condvar,
}

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
pub(crate) fn in_order<T: Sync, R: Send, D, E>(
    items: &[T],
    state: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, &T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = match items.len() {
        0 | 1 => 1,
        count => thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(count),
    };
    let queue = Queue { next: 0, taken: 0, done: HashMap::new(), stopped: false };
    let shared = Shared { items, window: threads * AHEAD, queue: Mutex::new(queue), changed: Condvar::new() };
    thread::scope(|scope| {
        for _ in 1..threads {
            let help = || {
                let _stop = StopOnPanic(&shared);
                let mut state = state();
                while let Some(at) = shared.wait_for_work() {
                    shared.finish(at, work(&mut state, &items[at]));
                }
            };
            // If a thread cannot be started, the others do its work.
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let _stop = StopOnPanic(&shared);
        let mut state = state();
        let mut result = Ok(());
        while result.is_ok() {
            match shared.turn() {
                Turn::Take(done) => result = take(done),
                Turn::Work(at) => shared.finish(at, work(&mut state, &items[at])),
                Turn::End => break,
            }
        }
        shared.stop();
        result
    })
}

enum Turn<R> {
    Take(R),
    Work(usize),
    End,
}

impl<T, R> Shared<'_, T, R> {
    fn lock(&self) -> MutexGuard<'_, Queue<R>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, queue: MutexGuard<'g, Queue<R>>) -> MutexGuard<'g, Queue<R>> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }

    fn claim(&self, queue: &mut Queue<R>) -> Option<usize> {
        let at = queue.next;
        let free = at < self.items.len() && at < queue.taken + self.window;
        free.then(|| {
            queue.next += 1;
            at
        })
    }

    /// The next item for a helper thread; `None` when there are no more.
    fn wait_for_work(&self) -> Option<usize> {
        let mut queue = self.lock();
        while !queue.stopped && queue.next < self.items.len() {
            if let Some(at) = self.claim(&mut queue) {
                return Some(at);
            }
            queue = self.wait(queue);
        }
        None
    }

    /// The next task of the calling thread: consuming the next result takes precedence over new work.
    fn turn(&self) -> Turn<R> {
        let mut queue = self.lock();
        while !queue.stopped && queue.taken < self.items.len() {
            let at = queue.taken;
            if let Some(done) = queue.done.remove(&at) {
                queue.taken += 1;
                self.changed.notify_all();
                return Turn::Take(done);
            }
            if let Some(at) = self.claim(&mut queue) {
                return Turn::Work(at);
            }
            queue = self.wait(queue);
        }
        Turn::End
    }

    fn finish(&self, at: usize, done: R) {
        self.lock().done.insert(at, done);
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the other threads if this one panics, so that they do not wait for it forever. The panic
/// continues where the threads are joined.
struct StopOnPanic<'s, T, R>(&'s Shared<'s, T, R>);

impl<T, R> Drop for StopOnPanic<'_, T, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
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

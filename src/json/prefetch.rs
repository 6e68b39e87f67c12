//! Large documents, read by two threads: one reads on behind a value that only has to be checked,
//! the other one checks it.
//!
//! Where such a value ends is guessed by the name of the member that follows it. Invariant: a guess
//! that the reader used is believed only when the check ended exactly there. Otherwise, and for every
//! fault, the document is read once more from start to end, so that what comes out, errors included,
//! is what one thread alone would have read.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use memchr::memmem;
use serde::Deserialize;

use super::de::{from_reader, read};
use super::reader::Reader;
use super::{Error, STACK, from_str, scan, skip};

/// Below this many bytes a second thread costs more than it saves.
const WORTHWHILE: usize = 1 << 20;

/// How near the document's end the small members are looked for.
const TAIL: usize = 256 << 10;

/// A member of a document that is large, and of which no model reads more than the text.
#[derive(Clone, Copy, Debug)]
pub struct Bulky {
    /// Its name.
    pub name: &'static str,
    /// The names of the members that may follow it, the one to look for first in front.
    pub followers: &'static [&'static str],
    /// All that follows it is small: its end is looked for near the document's end.
    pub is_last: bool,
}

/// The text of a large member's value, or of what is only taken for it.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked<'a> {
    /// The member's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Unchecked<'a> {
    /// Reads the value into a model, which checks it.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, Error> {
        from_reader(&Reader::inside(self.text, 1))
    }
}

/// What both threads know of the values that are jumped over.
#[derive(Debug)]
pub(super) struct Ahead {
    bulky: &'static [Bulky],
    board: Mutex<Board>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Board {
    values: Vec<Guess>,
    /// The reader has come to its end.
    read: bool,
}

#[derive(Debug)]
struct Guess {
    name: &'static str,
    value: Range<usize>,
    /// The reader relies on it.
    used: bool,
    taken: bool,
    right: bool,
}

impl Board {
    /// Where the value seems to end that begins at `start`, if that is known; `used` if the reader
    /// relies on it.
    fn end_of(&mut self, start: usize, used: bool) -> Option<usize> {
        let guess = self.values.iter_mut().find(|guess| guess.value.start == start)?;
        guess.used |= used;
        Some(guess.value.end)
    }
}

impl Ahead {
    fn new(bulky: &'static [Bulky]) -> Self {
        Self { bulky, board: Mutex::default(), changed: Condvar::new() }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The large member of this name.
    pub(super) fn bulky(&self, name: &str) -> Option<&'static Bulky> {
        self.bulky.iter().find(|bulky| bulky.name == name)
    }

    /// Where the value of `bulky` seems to end that begins at `start`. From now on the reader relies on it.
    pub(super) fn jump(&self, text: &str, start: usize, bulky: &Bulky) -> Option<usize> {
        if let Some(end) = self.board().end_of(start, true) {
            return Some(end);
        }
        let end = self.note(bulky, start..bulky.end(text, start)?, true);
        self.changed.notify_all();
        Some(end)
    }

    /// Notes where a value seems to stand, if that is not known yet; gives where it seems to end.
    fn note(&self, bulky: &Bulky, value: Range<usize>, used: bool) -> usize {
        let mut board = self.board();
        board.end_of(value.start, used).unwrap_or_else(|| {
            let end = value.end;
            board.values.push(Guess { name: bulky.name, value, used, taken: false, right: false });
            end
        })
    }

    /// Checks what the reader relies on, unless `read` does; in between, goes ahead of it. Ends when the
    /// reader has, and all that it relies on is checked.
    fn check<'a>(&self, text: &'a str, read: impl Fn(Unchecked<'a>) -> bool) {
        let mut scouted = 0;
        let mut bulky = self.bulky.iter();
        loop {
            let mut board = self.board();
            let all_is_read = board.read;
            let waiting = board.values.iter().position(|guess| !guess.taken && (guess.used || !all_is_read));
            if let Some(at) = waiting {
                board.values[at].taken = true;
                let Guess { name, value: Range { start, end }, .. } = board.values[at];
                drop(board);
                scouted = scouted.max(end);
                let is_read = text.get(start..end).is_some_and(|text| read(Unchecked { name, text }));
                let right = is_read || skip::value(text.as_bytes(), start, 1) == Ok(end);
                self.board().values[at].right = right; // guesses keep their places
            } else if all_is_read {
                return;
            } else if !board.values.is_empty()
                && let Some(next) =
                    bulky.find(|bulky| board.values.iter().all(|guess| guess.name != bulky.name))
            {
                drop(board);
                self.scout(text, next, scouted);
            } else {
                drop(self.changed.wait(board).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Looks for the next large member behind `from`, before the reader comes to it.
    fn scout(&self, text: &str, bulky: &Bulky, from: usize) {
        let name = format!("\"{}\":", bulky.name);
        let Some(at) = text.get(from..).and_then(|rest| memmem::find(rest.as_bytes(), name.as_bytes()))
        else {
            return;
        };
        let start = scan::past_space(text.as_bytes(), from + at + name.len());
        if let Some(end) = bulky.end(text, start) {
            self.note(bulky, start..end, false);
        }
    }

    /// Whether all that the reader relied on is as it took it to be.
    fn is_right(&self) -> bool {
        self.board().values.iter().all(|guess| guess.right || !guess.used)
    }
}

/// However the reader ends, the other thread must not wait for it.
struct Reading<'s>(&'s Ahead);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.board().read = true;
        self.0.changed.notify_all();
    }
}

impl Bulky {
    /// Where the value seems to end that begins at `start`: before the comma in front of a follower,
    /// with the bracket that closes the value's first one.
    fn end(&self, text: &str, start: usize) -> Option<usize> {
        let rest = text.get(start..)?;
        let close = match rest.as_bytes().first()? {
            b'{' => '}',
            b'[' => ']',
            _ => return None,
        };
        self.followers.iter().find_map(|follower| {
            // In quotes, a name cannot stand inside of a string: its quotes would be escaped.
            let (text, name) = (rest.as_bytes(), format!("\"{follower}\""));
            let from = if self.is_last { text.len().saturating_sub(TAIL) } else { 0 };
            let at = from + memmem::find(&text[from..], name.as_bytes())?;
            let value = rest.get(..at)?.trim_end().strip_suffix(',')?.trim_end();
            value.ends_with(close).then_some(start + value.len())
        })
    }
}

/// Reads a JSON text into a model; if it is large, another thread checks the values of the members
/// in `bulky`, which stand in the order in which documents have them. Of these, `also` may read some at once,
/// on either thread, and says whether it did; what it read of a small document, or of one that is not right,
/// nobody has asked for.
pub fn from_large_str<'a, T: Deserialize<'a>>(
    text: &'a str,
    bulky: &'static [Bulky],
    also: impl Fn(Unchecked<'a>) -> bool + Sync,
) -> Result<T, Error> {
    if text.len() >= WORTHWHILE
        && let Some(model) = with_help(text, bulky, also)
    {
        return Ok(model);
    }
    from_str(text)
}

fn with_help<'a, T: Deserialize<'a>>(
    text: &'a str,
    bulky: &'static [Bulky],
    also: impl Fn(Unchecked<'a>) -> bool + Sync,
) -> Option<T> {
    let ahead = Arc::new(Ahead::new(bulky));
    let model = thread::scope(|scope| {
        let help = || ahead.check(text, &also);
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()?;
        let model = {
            let _reading = Reading(&ahead);
            read(Reader::with_help(text, Arc::clone(&ahead))).ok()?
        };
        ahead.check(text, &also); // what the other thread has not begun
        Some(model)
    })?;
    ahead.is_right().then_some(model)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::json::{MAX_DEPTH, Raw, Str};

    const BULKY: &[Bulky] = &[
        Bulky { name: "values", followers: &["after", "drift"], is_last: false },
        Bulky { name: "state", followers: &["end"], is_last: true },
    ];

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Model<'a> {
        #[serde(borrow)]
        after: Str<'a>,
        #[serde(borrow)]
        state: Option<Raw<'a>>,
        end: bool,
    }

    /// What both ways give, as text.
    fn both(text: &str) -> [String; 2] {
        let tell = |model: Result<Model<'_>, Error>| match model {
            Ok(model) => format!("{} {:?} {}", model.after, model.state.map(Raw::text), model.end),
            Err(error) => format!("{error:?}"),
        };
        let helped = with_help(text, BULKY, |_| false).map_or_else(|| from_str(text), Ok);
        [tell(from_str(text)), tell(helped)]
    }

    #[test]
    fn help_changes_nothing() {
        for text in [
            r#"{"values": {"a": [1, {"b": 2}]} , "after": "x", "state": [1] , "end": true}"#,
            r#"{"values": {"a": 1}, "drift": [], "after": "x", "state": {"b": null}, "end": true}"#,
            // The name stands inside of the value, or is missing, or stands before it.
            r#"{"values": {"a": 1, "after": 2}, "after": "x", "state": {"c": 1, "end": 2}, "end": true}"#,
            r#"{"values": {"a": 1}, "state": "a string, \"end\": no"}"#,
            r#"{"after": "x", "end": true, "state": [[]], "values": 1}"#,
            r#"{"values": null, "after": "x", "state": null, "end": true}"#,
            // Faults inside of a value that is jumped over, before it, behind it.
            r#"{"values": {"a": 01}, "after": "x", "state": 1, "end": true}"#,
            r#"{"values": {"a": [}, "after": "x", "end": true}"#,
            r#"{"values": 1 2, "after": "x"}"#,
            r#"{"values": , "after": "x"}"#,
            r#"{"values": {"a": 1}, "after": "x", "state": 1, "end": tru}"#,
            r#"{"values": {"a": 1}, "after": 7, "state": 1, "end": true}"#,
            // What only seems to be a member: inside of another one, in a string, after the end.
            r#"{"values": {"a": 1}, "after": "x", "other": {"state": {"b": 1}, "end": 2}, "state": [2], "end": true}"#,
            r#"{"values": {"a": 1}, "after": "\"state\": {}, \"end\": 1", "state": [2], "end": true}"#,
            r#"{"values": {"a": 1}, "after": "x", "end": true} "state": {}, "end""#,
            // Twice: the last one counts.
            r#"{"values": 1, "after": "x", "state": [1], "end": false, "state": [2], "end": true}"#,
        ] {
            let [alone, helped] = both(text);
            assert_eq!(alone, helped, "{text}");
        }
    }

    #[test]
    fn what_is_read_at_once_is_checked_as_deep_as_in_the_document() {
        for (depth, is_right) in [(MAX_DEPTH - 1, true), (MAX_DEPTH, false)] {
            let state = "[".repeat(depth) + "1" + &"]".repeat(depth);
            let text = format!(r#"{{"values": {{}}, "after": "x", "state": {state}, "end": true}}"#);
            let read = AtomicBool::new(false);
            let also = |value: Unchecked<'_>| {
                let is_read = value.name == "state" && value.read::<Raw<'_>>().is_ok();
                read.fetch_or(is_read, Ordering::Relaxed);
                is_read
            };
            let helped: Option<Model<'_>> = with_help(&text, BULKY, also);
            assert_eq!((helped.is_some(), read.into_inner()), (is_right, is_right), "{depth}");
            assert_eq!(from_str::<Model<'_>>(&text).is_ok(), is_right, "{depth}");
        }
    }

    #[test]
    fn what_follows_is_found_and_checked() {
        let text = r#"{"values": {"a": [1]}, "after": "x", "state": [1, 2] , "end": true}"#;
        let model: Model<'_> = with_help(text, BULKY, |_| false).unwrap();
        assert_eq!((&*model.after, model.state.map(Raw::text), model.end), ("x", Some("[1, 2]"), true));
        assert!(with_help::<Model<'_>>(r#"{"values": {"a": 01}, "after": "x"}"#, BULKY, |_| false).is_none());
    }
}

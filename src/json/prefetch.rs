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
pub struct LargeMember {
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

/// State shared by both threads: the values that the reader jumped over.
#[derive(Debug)]
pub(super) struct Prefetch {
    members: &'static [LargeMember],
    speculations: Mutex<Speculations>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Speculations {
    values: Vec<Speculation>,
    /// The reader has come to its end.
    read: bool,
}

#[derive(Debug)]
struct Speculation {
    name: &'static str,
    value: Range<usize>,
    /// The reader relies on it.
    used: bool,
    taken: bool,
    right: bool,
}

impl Speculations {
    /// Where the value seems to end that begins at `start`, if that is known; `used` if the reader
    /// relies on it.
    fn end_of(&mut self, start: usize, used: bool) -> Option<usize> {
        let speculation = self.values.iter_mut().find(|speculation| speculation.value.start == start)?;
        speculation.used |= used;
        Some(speculation.value.end)
    }
}

impl Prefetch {
    fn new(members: &'static [LargeMember]) -> Self {
        Self { members, speculations: Mutex::default(), changed: Condvar::new() }
    }

    fn speculations(&self) -> MutexGuard<'_, Speculations> {
        self.speculations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The large member of this name.
    pub(super) fn large_member(&self, name: &str) -> Option<&'static LargeMember> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Where the value of `member` seems to end that begins at `start`. From now on the reader relies on it.
    pub(super) fn jump(&self, text: &str, start: usize, member: &LargeMember) -> Option<usize> {
        if let Some(end) = self.speculations().end_of(start, true) {
            return Some(end);
        }
        let end = self.note(member, start..member.end(text, start)?, true);
        self.changed.notify_all();
        Some(end)
    }

    /// Records where a value seems to be, unless that is known already; returns where it seems to end.
    fn note(&self, member: &LargeMember, value: Range<usize>, used: bool) -> usize {
        let mut speculations = self.speculations();
        speculations.end_of(value.start, used).unwrap_or_else(|| {
            let end = value.end;
            speculations.values.push(Speculation {
                name: member.name,
                value,
                used,
                taken: false,
                right: false,
            });
            end
        })
    }

    /// Checks what the reader relies on, unless `read` does; in between, prefetches. Returns when the
    /// reader has, and all that it relies on is checked.
    fn check<'a>(&self, text: &'a str, read: impl Fn(Unchecked<'a>) -> bool) {
        let mut prefetched = 0;
        let mut members = self.members.iter();
        loop {
            let mut speculations = self.speculations();
            let all_is_read = speculations.read;
            let waiting = speculations
                .values
                .iter()
                .position(|speculation| !speculation.taken && (speculation.used || !all_is_read));
            if let Some(at) = waiting {
                speculations.values[at].taken = true;
                let Speculation { name, value: Range { start, end }, .. } = speculations.values[at];
                drop(speculations);
                prefetched = prefetched.max(end);
                let is_read = text.get(start..end).is_some_and(|text| read(Unchecked { name, text }));
                let right = is_read || skip::value(text.as_bytes(), start, 1) == Ok(end);
                self.speculations().values[at].right = right; // guesses keep their places
            } else if all_is_read {
                return;
            } else if !speculations.values.is_empty()
                && let Some(next) = members.find(|member| {
                    speculations.values.iter().all(|speculation| speculation.name != member.name)
                })
            {
                drop(speculations);
                self.prefetch(text, next, prefetched);
            } else {
                drop(self.changed.wait(speculations).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Looks for the next large member behind `from`, before the reader comes to it.
    fn prefetch(&self, text: &str, member: &LargeMember, from: usize) {
        let name = format!("\"{}\":", member.name);
        let Some(at) = text.get(from..).and_then(|rest| memmem::find(rest.as_bytes(), name.as_bytes()))
        else {
            return;
        };
        let start = scan::past_space(text.as_bytes(), from + at + name.len());
        if let Some(end) = member.end(text, start) {
            self.note(member, start..end, false);
        }
    }

    /// Whether all that the reader relied on is as it took it to be.
    fn is_right(&self) -> bool {
        self.speculations().values.iter().all(|speculation| speculation.right || !speculation.used)
    }
}

/// However the reader ends, the other thread must not wait for it.
struct Reading<'s>(&'s Prefetch);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.speculations().read = true;
        self.0.changed.notify_all();
    }
}

impl LargeMember {
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
            // In quotes, a name cannot be inside of a string: its quotes would be escaped.
            let (text, name) = (rest.as_bytes(), format!("\"{follower}\""));
            let from = if self.is_last { text.len().saturating_sub(TAIL) } else { 0 };
            let at = from + memmem::find(&text[from..], name.as_bytes())?;
            let value = rest.get(..at)?.trim_end().strip_suffix(',')?.trim_end();
            value.ends_with(close).then_some(start + value.len())
        })
    }
}

/// Reads a JSON text into a model; if it is large, another thread checks the values of the members
/// in `members`, which are in the order in which documents have them. Of these, `also` may read some at once,
/// on either thread, and says whether it did; what it read of a small or invalid document is not used.
pub fn from_large_str<'a, T: Deserialize<'a>>(
    text: &'a str,
    members: &'static [LargeMember],
    also: impl Fn(Unchecked<'a>) -> bool + Sync,
) -> Result<T, Error> {
    if text.len() >= WORTHWHILE
        && let Some(model) = with_help(text, members, also)
    {
        return Ok(model);
    }
    from_str(text)
}

fn with_help<'a, T: Deserialize<'a>>(
    text: &'a str,
    members: &'static [LargeMember],
    also: impl Fn(Unchecked<'a>) -> bool + Sync,
) -> Option<T> {
    let prefetch = Arc::new(Prefetch::new(members));
    let model = thread::scope(|scope| {
        let help = || prefetch.check(text, &also);
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok()?;
        let model = {
            let _reading = Reading(&prefetch);
            read(Reader::with_help(text, Arc::clone(&prefetch))).ok()?
        };
        prefetch.check(text, &also); // what the other thread has not begun
        Some(model)
    })?;
    prefetch.is_right().then_some(model)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::json::{MAX_DEPTH, Raw, Str};

    const LARGE_MEMBERS: &[LargeMember] = &[
        LargeMember { name: "values", followers: &["after", "drift"], is_last: false },
        LargeMember { name: "state", followers: &["end"], is_last: true },
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
        let helped = with_help(text, LARGE_MEMBERS, |_| false).map_or_else(|| from_str(text), Ok);
        [tell(from_str(text)), tell(helped)]
    }

    #[test]
    fn help_changes_nothing() {
        for text in [
            r#"{"values": {"a": [1, {"b": 2}]} , "after": "x", "state": [1] , "end": true}"#,
            r#"{"values": {"a": 1}, "drift": [], "after": "x", "state": {"b": null}, "end": true}"#,
            // The name is inside of the value, or is missing, or is before it.
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
            let helped: Option<Model<'_>> = with_help(&text, LARGE_MEMBERS, also);
            assert_eq!((helped.is_some(), read.into_inner()), (is_right, is_right), "{depth}");
            assert_eq!(from_str::<Model<'_>>(&text).is_ok(), is_right, "{depth}");
        }
    }

    #[test]
    fn what_follows_is_found_and_checked() {
        let text = r#"{"values": {"a": [1]}, "after": "x", "state": [1, 2] , "end": true}"#;
        let model: Model<'_> = with_help(text, LARGE_MEMBERS, |_| false).unwrap();
        assert_eq!((&*model.after, model.state.map(Raw::text), model.end), ("x", Some("[1, 2]"), true));
        assert!(
            with_help::<Model<'_>>(r#"{"values": {"a": 01}, "after": "x"}"#, LARGE_MEMBERS, |_| false)
                .is_none()
        );
    }
}

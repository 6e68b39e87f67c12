//! Reads large documents on two threads: the reader skips values that only have to be checked, and the
//! other thread checks them.
//!
//! The end of such a value is found speculatively, by searching for the name of the member that follows
//! it. Invariant: a speculation that the reader used is accepted only if the check of the value ended
//! exactly there. Otherwise, and after any error, the document is read again from the start by one
//! thread. The result, errors included, is therefore always that of a single-threaded read.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use memchr::memmem;
use serde::Deserialize;

use super::de::read;
use super::reader::Reader;
use super::{Error, STACK, from_str, scan, skip};

/// Below this many bytes a second thread costs more than it saves.
const WORTHWHILE: usize = 1 << 20;

/// The number of bytes at the end of a document in which the small trailing members are searched.
const TAIL: usize = 256 << 10;

/// A member of a document that is usually large, and that the model reads as [`Raw`](super::Raw) text.
#[derive(Clone, Copy, Debug)]
pub struct LargeMember {
    /// Its name.
    pub name: &'static str,
    /// The names of the members that may follow it, in the order in which they are searched.
    pub followers: &'static [&'static str],
    /// Whether only small members follow, so that its end is searched near the end of the document.
    pub is_last: bool,
}

/// The text of a large member's value. Speculative: it may turn out not to be that value.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked<'a> {
    /// The member's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Unchecked<'a> {
    /// Deserializes the value, which also checks it.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, Error> {
        read(Reader::inside(self.text, 1))
    }
}

/// The state shared by both threads: the values that the reader skipped or will skip.
#[derive(Debug)]
pub(super) struct Prefetch {
    members: &'static [LargeMember],
    speculations: Mutex<Speculations>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Speculations {
    values: Vec<Speculation>,
    /// The reader has finished.
    read: bool,
}

#[derive(Debug)]
struct Speculation {
    name: &'static str,
    value: Range<usize>,
    /// The reader has skipped to its end.
    used: bool,
    taken: bool,
    right: bool,
}

impl Speculations {
    /// The recorded end of the value that begins at `start`. `used` marks it as used by the reader.
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

    /// The large member with this name.
    pub(super) fn large_member(&self, name: &str) -> Option<&'static LargeMember> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The speculative end of the value of `member` that begins at `start`, marked as used by the reader.
    pub(super) fn jump(&self, text: &str, start: usize, member: &LargeMember) -> Option<usize> {
        if let Some(end) = self.speculations().end_of(start, true) {
            return Some(end);
        }
        let end = self.note(member, start..member.end(text, start)?, true);
        self.changed.notify_all();
        Some(end)
    }

    /// Records the range of a value unless one with the same start is recorded. Returns the recorded end.
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

    /// Checks the values that the reader skipped, or lets `read` deserialize them; prefetches in between.
    /// Returns once the reader has finished and no value that it used is unchecked.
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
                self.speculations().values[at].right = right; // indices are stable: values are only added
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

    /// Searches for the next large member after `from`, before the reader reaches it.
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

    /// Whether every speculation that the reader used was correct.
    fn is_right(&self) -> bool {
        self.speculations().values.iter().all(|speculation| speculation.right || !speculation.used)
    }
}

/// Marks the reader as finished on drop, so that the other thread stops waiting even after an error.
struct Reading<'s>(&'s Prefetch);

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.0.speculations().read = true;
        self.0.changed.notify_all();
    }
}

impl LargeMember {
    /// The speculative end of the value that begins at `start`: before the comma in front of one of
    /// [`LargeMember::followers`], at a bracket that matches the value's first byte.
    fn end(&self, text: &str, start: usize) -> Option<usize> {
        let rest = text.get(start..)?;
        let close = match rest.as_bytes().first()? {
            b'{' => '}',
            b'[' => ']',
            _ => return None,
        };
        self.followers.iter().find_map(|follower| {
            // A name in quotes cannot be part of a string, where its quotes would be escaped.
            let (text, name) = (rest.as_bytes(), format!("\"{follower}\""));
            let from = if self.is_last { text.len().saturating_sub(TAIL) } else { 0 };
            let at = from + memmem::find(&text[from..], name.as_bytes())?;
            let value = rest.get(..at)?.trim_end().strip_suffix(',')?.trim_end();
            value.ends_with(close).then_some(start + value.len())
        })
    }
}

/// Deserializes a JSON text. If it is large, a second thread checks the values of `members`, which are
/// listed in document order.
///
/// `also` may deserialize such a value instead of having it checked, and returns whether it succeeded.
/// It is called on either thread, and only for large documents. The value is speculative: before using
/// what it read, the caller must compare its text with that of the member in the returned model.
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
        prefetch.check(text, &also); // values that the other thread has not started
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

    /// The results of both ways of reading, as text.
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
            // The follower's name is inside the value, missing, or before it.
            r#"{"values": {"a": 1, "after": 2}, "after": "x", "state": {"c": 1, "end": 2}, "end": true}"#,
            r#"{"values": {"a": 1}, "state": "a string, \"end\": no"}"#,
            r#"{"after": "x", "end": true, "state": [[]], "values": 1}"#,
            r#"{"values": null, "after": "x", "state": null, "end": true}"#,
            // Errors inside a skipped value, before it, after it.
            r#"{"values": {"a": 01}, "after": "x", "state": 1, "end": true}"#,
            r#"{"values": {"a": [}, "after": "x", "end": true}"#,
            r#"{"values": 1 2, "after": "x"}"#,
            r#"{"values": , "after": "x"}"#,
            r#"{"values": {"a": 1}, "after": "x", "state": 1, "end": tru}"#,
            r#"{"values": {"a": 1}, "after": 7, "state": 1, "end": true}"#,
            // Text that looks like a member: inside another one, in a string, after the end.
            r#"{"values": {"a": 1}, "after": "x", "other": {"state": {"b": 1}, "end": 2}, "state": [2], "end": true}"#,
            r#"{"values": {"a": 1}, "after": "\"state\": {}, \"end\": 1", "state": [2], "end": true}"#,
            r#"{"values": {"a": 1}, "after": "x", "end": true} "state": {}, "end""#,
            // Duplicate members.
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

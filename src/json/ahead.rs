//! Large documents, read by two threads: one reads on behind a value that only has to be checked,
//! the other one checks it.
//!
//! Where such a value ends is guessed by the name of the member that follows it. Invariant: the
//! guess is believed only when the check ended exactly there. Otherwise, and for every fault, the
//! document is read once more from start to end, so that what comes out, errors included, is what
//! one thread alone would have read.

use std::ops::Range;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use memchr::memmem;
use serde::Deserialize;

use super::de::read;
use super::reader::Reader;
use super::{Error, from_str, skip};

/// Below this many bytes a second thread costs more than it saves.
const WORTHWHILE: usize = 1 << 20;

/// A member of a document that is large, and of which no model reads more than the text.
#[derive(Clone, Copy, Debug)]
pub struct Bulky {
    /// Its name.
    pub name: &'static str,
    /// The names of the members that may follow it.
    pub followers: &'static [&'static str],
}

/// Somebody who checks what is jumped over.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    bulky: &'static [Bulky],
    to_check: Sender<Range<usize>>,
}

impl Ahead {
    /// The large member of this name.
    pub(super) fn bulky(&self, name: &str) -> Option<&'static Bulky> {
        self.bulky.iter().find(|bulky| bulky.name == name)
    }

    /// Where the value of `bulky` seems to end that begins at `start`.
    pub(super) fn jump(&self, text: &str, start: usize, bulky: &Bulky) -> Option<usize> {
        let rest = text.get(start..)?;
        let mut next = None;
        for follower in bulky.followers {
            // In quotes, a name cannot stand inside of a string: its quotes would be escaped.
            let name = format!("\"{follower}\"");
            let found = memmem::find(rest.get(..next.unwrap_or(rest.len()))?.as_bytes(), name.as_bytes());
            next = found.or(next);
        }
        let value = rest.get(..next?)?.trim_end().strip_suffix(',')?.trim_end();
        let end = start + value.len();
        self.to_check.send(start..end).ok()?;
        Some(end)
    }
}

/// Reads a JSON text into a model; if it is large, another thread checks the values of the members
/// in `bulky`.
pub fn from_large_str<'a, T: Deserialize<'a>>(text: &'a str, bulky: &'static [Bulky]) -> Result<T, Error> {
    if text.len() >= WORTHWHILE
        && let Some(model) = with_help(text, bulky)
    {
        return Ok(model);
    }
    from_str(text)
}

fn with_help<'a, T: Deserialize<'a>>(text: &'a str, bulky: &'static [Bulky]) -> Option<T> {
    let (to_check, jumps) = channel::<Range<usize>>();
    let check = move || {
        let ends_there = |jump: Range<usize>| skip::value(text.as_bytes(), jump.start, 1) == Ok(jump.end);
        jumps.into_iter().all(ends_there)
    };
    thread::scope(|scope| {
        let helper = thread::Builder::new().spawn_scoped(scope, check).ok()?;
        let model = read(Reader::with_help(text, Ahead { bulky, to_check }));
        let checked = helper.join().ok()?;
        model.ok().filter(|_| checked)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Raw, Str};

    const BULKY: &[Bulky] = &[
        Bulky { name: "values", followers: &["after", "drift"] },
        Bulky { name: "state", followers: &["end"] },
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
        let helped = with_help(text, BULKY).map_or_else(|| from_str(text), Ok);
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
            // Twice: the last one counts.
            r#"{"values": 1, "after": "x", "state": [1], "end": false, "state": [2], "end": true}"#,
        ] {
            let [alone, helped] = both(text);
            assert_eq!(alone, helped, "{text}");
        }
    }

    #[test]
    fn what_follows_is_found_and_checked() {
        let text = r#"{"values": {"a": [1]}, "after": "x", "state": [1, 2] , "end": true}"#;
        let model: Model<'_> = with_help(text, BULKY).unwrap();
        assert_eq!((&*model.after, model.state.map(Raw::text), model.end), ("x", Some("[1, 2]"), true));
        assert!(with_help::<Model<'_>>(r#"{"values": {"a": 01}, "after": "x"}"#, BULKY).is_none());
    }
}

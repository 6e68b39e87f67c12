//! From text to [`Value`]s in an arena, or to other values by a [`Construct`].

use std::cell::Cell;

use bumpalo::Bump;

use super::reader::RawString;
use super::{Error, ErrorKind, Object, Reader, Value};

/// Parses a whole JSON text. Strings with escapes, arrays and objects are allocated in `arena`.
pub fn parse<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    parse_as(text, arena, WHOLE)
}

/// Parses a whole JSON text in which no object may have two members with the same name.
pub(super) fn parse_unique<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    let mut parser = Parser::new(text, arena);
    parser.is_unique = true;
    let value = parser.value(WHOLE)?;
    parser.reader.end()?;
    Ok(value)
}

/// Parses the first value of a text and ignores the rest.
pub fn parse_prefix<'a>(text: &'a str, arena: &'a Bump) -> Result<Value<'a>, Error> {
    Parser::new(text, arena).value(WHOLE)
}

/// The value of a whole JSON text, as `construct` makes it. There is never a tree of [`Value`]s beside it.
pub fn parse_as<'a, C: Construct<'a>>(
    text: &'a str,
    arena: &'a Bump,
    construct: C,
) -> Result<C::Node, Error> {
    let mut parser = Parser::new(text, arena);
    let value = parser.value(construct)?;
    parser.reader.end()?;
    Ok(value)
}

/// Makes the values of one place of a document, and knows the places below.
pub trait Construct<'a>: Copy {
    /// The type that values are parsed into.
    type Node: Copy + 'a;
    /// The place of a member.
    fn member(self, key: &'a str) -> Self;
    /// The place of an element.
    fn element(self, index: usize) -> Self;
    /// The maximum number of elements or members that are read of an array or object. More are checked and
    /// left out.
    fn most(self) -> usize {
        usize::MAX
    }
    /// The value of this place. Members are sorted by key and unique.
    fn make(self, parsed: Parsed<'a, Self::Node>) -> Self::Node;
}

/// A value of which the parts are made already.
#[derive(Clone, Copy, Debug)]
pub enum Parsed<'a, N> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// A string, with its escapes resolved.
    String(&'a str),
    /// An array.
    Array(&'a [N]),
    /// An object.
    Object(&'a [(&'a str, N)]),
}

/// Parses a whole JSON text like [`parse()`], but only the first 16,384 elements and members of each array
/// and object, as many as show what a document is like, and of all samples together only `left` values.
pub fn sample<'a>(text: &'a str, left: &Cell<usize>, arena: &'a Bump) -> Result<Value<'a>, Error> {
    parse_as(text, arena, Plain { left: Some(left) })
}

/// Makes [`Value`]s.
#[derive(Clone, Copy)]
struct Plain<'l> {
    /// How many more values are made of a sample.
    left: Option<&'l Cell<usize>>,
}

/// Makes values of all of a text.
const WHOLE: Plain<'static> = Plain { left: None };

impl<'a> Construct<'a> for Plain<'_> {
    type Node = Value<'a>;
    fn most(self) -> usize {
        match self.left {
            Some(left) if left.get() == 0 => 0,
            Some(_) => 1 << 14,
            None => usize::MAX,
        }
    }
    fn member(self, _: &'a str) -> Self {
        self
    }
    fn element(self, _: usize) -> Self {
        self
    }
    fn make(self, parsed: Parsed<'a, Value<'a>>) -> Value<'a> {
        if let Some(left) = self.left {
            left.set(left.get().saturating_sub(1));
        }
        match parsed {
            Parsed::Null => Value::Null,
            Parsed::Bool(value) => Value::Bool(value),
            Parsed::Number(text) => Value::Number(text),
            Parsed::String(text) => Value::String(text),
            Parsed::Array(items) => Value::Array(items),
            Parsed::Object(members) => Value::Object(Object(members)),
        }
    }
}

struct Parser<'a, N> {
    reader: Reader<'a>,
    arena: &'a Bump,
    // The children of all open containers: two stacks, instead of a vector for each container.
    items: Vec<N>,
    members: Vec<(&'a str, N)>,
    /// Whether two members with the same name are an error.
    is_unique: bool,
}

impl<'a, N: Copy + 'a> Parser<'a, N> {
    fn new(text: &'a str, arena: &'a Bump) -> Self {
        // Enough for the members of most resources; nothing for the many small values.
        let room = (text.len() / 32).min(64);
        let (items, members) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Self { reader: Reader::new(text), arena, items, members, is_unique: false }
    }

    fn value(&mut self, place: impl Construct<'a, Node = N>) -> Result<N, Error> {
        let parsed = match self.reader.peek() {
            Some(b'"') => Parsed::String(unescape(self.reader.string()?, self.arena)),
            Some(b'{') => self.object(place)?,
            Some(b'[') => self.array(place)?,
            Some(b't') => self.reader.literal("true").map(|()| Parsed::Bool(true))?,
            Some(b'f') => self.reader.literal("false").map(|()| Parsed::Bool(false))?,
            Some(b'n') => self.reader.literal("null").map(|()| Parsed::Null)?,
            Some(b'-' | b'0'..=b'9') => self.reader.number().map(Parsed::Number)?,
            _ => return self.reader.fail(ErrorKind::Expected("a value")),
        };
        Ok(place.make(parsed))
    }

    fn array(&mut self, place: impl Construct<'a, Node = N>) -> Result<Parsed<'a, N>, Error> {
        if self.reader.open(b']')? {
            return Ok(Parsed::Array(&[]));
        }
        self.reader.enter()?;
        let base = self.items.len();
        let (mut full, mut taken) = (Vec::new(), 0);
        loop {
            let count = taken + self.items.len() - base;
            if count >= place.most() {
                self.reader.skip()?;
            } else {
                let item = self.value(place.element(count))?;
                self.items.push(item);
                if self.items.len() - base == part::<N>() {
                    full.push(self.items.split_off(base));
                    taken += part::<N>();
                }
            }
            if !self.reader.more(b']', "`,` or `]` after an element")? {
                break;
            }
        }
        self.reader.leave();
        let items = whole(full, &self.items[base..], self.arena);
        self.items.truncate(base);
        Ok(Parsed::Array(items))
    }

    fn object(&mut self, place: impl Construct<'a, Node = N>) -> Result<Parsed<'a, N>, Error> {
        if self.reader.open(b'}')? {
            return Ok(Parsed::Object(&[]));
        }
        self.reader.enter()?;
        let base = self.members.len();
        let (mut full, mut taken) = (Vec::new(), 0);
        loop {
            let key = self.reader.key()?;
            if taken + self.members.len() - base >= place.most() {
                self.reader.skip()?;
            } else {
                let key = unescape(key, self.arena);
                let value = self.value(place.member(key))?;
                self.members.push((key, value));
                if self.members.len() - base == part::<(&str, N)>() {
                    full.push(self.members.split_off(base));
                    taken += part::<(&str, N)>();
                }
            }
            if !self.reader.more(b'}', "`,` or `}` after a member")? {
                break;
            }
        }
        self.reader.leave();
        let members = whole(full, &self.members[base..], self.arena);
        self.members.truncate(base);
        let kept = sort_last_wins(members);
        if self.is_unique && kept < members.len() {
            // The names of members may be hidden, so the message has none.
            let message = "a tree of marks (`before_sensitive`, `after_unknown`, …) names a member twice";
            return self.reader.fail(ErrorKind::Type(message.to_owned()));
        }
        Ok(Parsed::Object(&members[..kept]))
    }
}

/// How many children of a container are collected before they are put aside. A vector of all children would exist
/// beside the copy in the arena; parts are freed one by one while they are copied. They are so large that
/// allocators return their memory to the system at once.
const fn part<T>() -> usize {
    (33 << 20) / size_of::<T>()
}

/// The children that were put aside and the last ones, in one slice.
fn whole<'a, T: Copy>(full: Vec<Vec<T>>, last: &[T], arena: &'a Bump) -> &'a mut [T] {
    if full.is_empty() {
        return arena.alloc_slice_copy(last);
    }
    let count = full.iter().map(Vec::len).sum::<usize>() + last.len();
    let mut children = bumpalo::collections::Vec::with_capacity_in(count, arena);
    full.into_iter().for_each(|part| children.extend_from_slice_copy(&part));
    children.extend_from_slice_copy(last);
    children.into_bump_slice_mut()
}

/// Sorts members by key and keeps the last of equal keys, at the start. Returns their number.
fn sort_last_wins<N: Copy>(members: &mut [(&str, N)]) -> usize {
    if members.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return members.len();
    }
    members.sort_by(|a, b| a.0.cmp(b.0)); // stable: equal keys keep the order of the text
    let mut kept = 0;
    for at in 0..members.len() {
        if kept > 0 && members[kept - 1].0 == members[at].0 {
            members[kept - 1] = members[at];
        } else {
            members[kept] = members[at];
            kept += 1;
        }
    }
    kept
}

/// The string with its escapes resolved.
pub(super) fn unescape<'a>(raw: RawString<'a>, arena: &'a Bump) -> &'a str {
    if raw.is_escaped() { arena.alloc_str(&resolve_escapes(raw.text)) } else { raw.text }
}

/// Resolves the escapes of a string that the reader has checked. Lone surrogates become U+FFFD.
pub(super) fn resolve_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        let mut used = 2;
        out.push(match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let (c, length) = unicode_escape(&rest[at..]);
                used = length;
                c
            }
            other => char::from(other), // `"`, `\` and `/` stand for themselves
        });
        rest = &rest[at + used..];
    }
    out.push_str(rest);
    out
}

/// The character of a `\uXXXX` (or a pair of them), and how many bytes it takes.
fn unicode_escape(text: &str) -> (char, usize) {
    let unit = |at: usize| -> Option<u32> {
        let escape = text.get(at..at + 6)?;
        if !escape.starts_with("\\u") {
            return None;
        }
        u32::from_str_radix(&escape[2..], 16).ok()
    };
    let first = unit(0).unwrap_or(0xFFFD);
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = unit(6).filter(|second| (0xDC00..0xE000).contains(second))
    {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_text_and_the_last_key_wins() {
        let arena = Bump::new();
        let value = parse(r#"{"b":1.10,"a":1e21,"b":-0}"#, &arena).unwrap();
        assert_eq!(value.get("a"), Some(Value::Number("1e21")));
        assert_eq!(value.get("b"), Some(Value::Number("-0")));
        assert_eq!(value.as_object().unwrap().members().len(), 2);
    }

    #[test]
    fn escapes_are_resolved_as_go_resolves_them() {
        let arena = Bump::new();
        let value = parse(r#""a\n\u00e9\ud83d\ude00\ud800x\/\"""#, &arena).unwrap();
        assert_eq!(value, Value::String("a\né😀\u{FFFD}x/\""));
    }
}

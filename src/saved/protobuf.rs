//! Reads messages of protocol buffers.
//!
//! The structure of a message is checked when it is parsed, that of the messages within when they are. Fields are
//! named by their numbers in `planfile.proto` and `tfschemas.proto` of the tools, which are never reused. As in
//! other readers, the last field of a number counts unless it is repeated, and one of another type is none.

use super::Error;

/// The maximum depth of messages.
const MAX_DEPTH: u8 = 100;

/// A message.
pub(super) struct Message<'a> {
    fields: Vec<(u64, Field<'a>)>,
    depth: u8,
}

#[derive(Clone, Copy)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Message<'a> {
    /// Parses a message.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::at_depth(bytes, 0)
    }

    fn at_depth(bytes: &'a [u8], depth: u8) -> Result<Self, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::malformed("", "messages are nested too deep"));
        }
        let (mut rest, mut fields) = (bytes, Vec::new());
        while !rest.is_empty() {
            let field = field(&mut rest);
            fields.push(field.ok_or_else(|| Error::malformed("", "a message is damaged or truncated"))?);
        }
        Ok(Self { fields, depth })
    }

    fn all(&self, number: u64) -> impl DoubleEndedIterator<Item = Field<'a>> {
        self.fields.iter().filter(move |(found, _)| *found == number).map(|(_, field)| *field)
    }

    fn all_bytes(&self, number: u64) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        self.all(number).filter_map(|field| if let Field::Bytes(bytes) = field { Some(bytes) } else { None })
    }

    /// A number, 0 if there is none.
    pub(super) fn number(&self, number: u64) -> u64 {
        let mut all = self.all(number).rev();
        all.find_map(|field| if let Field::Number(found) = field { Some(found) } else { None }).unwrap_or(0)
    }

    pub(super) fn flag(&self, number: u64) -> bool {
        self.number(number) != 0
    }

    /// The name of a number of a closed set, the first of which is 0. One that is not known is an error.
    pub(super) fn name<T: Copy>(&self, number: u64, names: &[T], what: &str) -> Result<T, Error> {
        let found = self.number(number);
        let name = usize::try_from(found).ok().and_then(|at| names.get(at)).copied();
        name.ok_or_else(|| Error::malformed("", format!("{what} {found} is not known; update tfview")))
    }

    /// Bytes, empty if there are none.
    pub(super) fn bytes(&self, number: u64) -> &'a [u8] {
        self.all_bytes(number).next_back().unwrap_or_default()
    }

    /// A text, empty if there is none.
    pub(super) fn text(&self, number: u64) -> Result<&'a str, Error> {
        text(self.bytes(number))
    }

    pub(super) fn texts(&self, number: u64) -> Result<Vec<&'a str>, Error> {
        self.all_bytes(number).map(text).collect()
    }

    pub(super) fn message(&self, number: u64) -> Result<Option<Self>, Error> {
        let last = self.all_bytes(number).next_back();
        last.map(|bytes| Self::at_depth(bytes, self.depth + 1)).transpose()
    }

    /// A message that must be there.
    pub(super) fn required(&self, number: u64, what: &str) -> Result<Self, Error> {
        self.message(number)?.ok_or_else(|| Error::malformed("", format!("{what} is incomplete")))
    }

    pub(super) fn messages(&self, number: u64) -> Result<Vec<Self>, Error> {
        self.all_bytes(number).map(|bytes| Self::at_depth(bytes, self.depth + 1)).collect()
    }
}

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::malformed("", "a text is not UTF-8"))
}

/// The field at the start of `rest`, which is then read.
fn field<'a>(rest: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let tag = varint(rest)?;
    let length = match tag & 7 {
        0 => return Some((tag >> 3, Field::Number(varint(rest)?))),
        1 => 8,
        2 => varint(rest)?,
        5 => 4,
        _ => return None,
    };
    let (bytes, left) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = left;
    // Plans have no numbers of fixed length.
    Some((tag >> 3, Field::Bytes(if tag & 7 == 2 { bytes } else { &[] })))
}

/// A number in groups of 7 bits, the lowest first.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for at in 0..10 {
        let (byte, left) = rest.split_first()?;
        *rest = left;
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

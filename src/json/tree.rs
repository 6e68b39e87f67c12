//! A JSON document with the offset of every value and name, for diagnostics about documents written by
//! hand. Members keep their order, and duplicate names are kept.

use super::{Error, ErrorKind, Reader};

/// A value and its offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The start of the value, in bytes from the start of the text.
    pub offset: usize,
    /// The value.
    pub content: Content,
}

/// The content of a value. Only strings, arrays and objects keep their data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number
    Number,
    /// A string, with its escapes resolved
    String(String),
    /// An array
    Array(Vec<Tree>),
    /// An object
    Object(Vec<Entry>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The offset of the name's opening quote, in bytes from the start of the text.
    pub offset: usize,
    /// The name.
    pub name: String,
    /// The value.
    pub value: Tree,
}

impl Tree {
    /// Parses a whole text.
    ///
    /// # Errors
    /// If the text is not valid JSON; the error has the offset.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let tree = value(&mut reader)?;
        reader.end()?;
        Ok(tree)
    }

    /// The members of an object; empty for anything else.
    pub fn members(&self) -> &[Entry] {
        if let Content::Object(members) = &self.content { members } else { &[] }
    }

    /// The member called `name`; the last one if there are several, as in Go's decoder.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().rfind(|member| member.name == name).map(|member| &member.value)
    }

    /// The text of a string; `None` for anything else.
    pub fn as_str(&self) -> Option<&str> {
        if let Content::String(text) = &self.content { Some(text) } else { None }
    }
}

fn value(reader: &mut Reader<'_>) -> Result<Tree, Error> {
    let byte = reader.peek();
    let offset = reader.pos();
    let content = match byte {
        Some(b'"') => Content::String(reader.string()?.resolved().into_owned()),
        Some(b'{') => Content::Object(object(reader)?),
        Some(b'[') => Content::Array(parts(reader, b']', "`,` or `]` after an element", value)?),
        Some(b't') => reader.literal("true").map(|()| Content::Bool)?,
        Some(b'f') => reader.literal("false").map(|()| Content::Bool)?,
        Some(b'n') => reader.literal("null").map(|()| Content::Null)?,
        Some(b'-' | b'0'..=b'9') => reader.number().map(|_| Content::Number)?,
        _ => return reader.fail(ErrorKind::Expected("a value")),
    };
    Ok(Tree { offset, content })
}

fn object(reader: &mut Reader<'_>) -> Result<Vec<Entry>, Error> {
    parts(reader, b'}', "`,` or `}` after a member", |reader| {
        reader.peek();
        let offset = reader.pos();
        let name = reader.key()?.resolved().into_owned();
        Ok(Entry { offset, name, value: value(reader)? })
    })
}

/// The elements or members of a container, each of which `read` reads.
fn parts<T>(
    reader: &mut Reader<'_>,
    close: u8,
    expected: &'static str,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut parts = Vec::new();
    if reader.open(close)? {
        return Ok(parts);
    }
    reader.enter()?;
    loop {
        parts.push(read(reader)?);
        if !reader.more(close, expected)? {
            break;
        }
    }
    reader.leave();
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_value_has_its_place() {
        let text = "{ \"a\": [1, true],\n \"a\" : \"\\u0062\" }";
        let tree = Tree::parse(text).unwrap();
        let [first, second] = tree.members() else { panic!("{tree:?}") };
        assert_eq!((first.offset, first.value.offset), (2, 7));
        assert_eq!(&text[second.offset..=second.offset], "\"");
        assert_eq!(tree.get("a").and_then(Tree::as_str), Some("b"));
        assert!(Tree::parse("{\"a\":}").is_err());
        assert!(Tree::parse("{} x").is_err());
    }
}

//! A JSON document with the offset of every value and name, for diagnostics about documents written by
//! hand. Members keep their order, and duplicate names are kept.

use super::parse::resolve_escapes;
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
        Some(b'"') => Content::String(string(reader)?),
        Some(b'{') => Content::Object(object(reader)?),
        Some(b'[') => Content::Array(array(reader)?),
        Some(b't') => reader.literal("true").map(|()| Content::Bool)?,
        Some(b'f') => reader.literal("false").map(|()| Content::Bool)?,
        Some(b'n') => reader.literal("null").map(|()| Content::Null)?,
        Some(b'-' | b'0'..=b'9') => reader.number().map(|_| Content::Number)?,
        _ => return reader.fail(ErrorKind::Expected("a value")),
    };
    Ok(Tree { offset, content })
}

fn string(reader: &mut Reader<'_>) -> Result<String, Error> {
    let raw = reader.string()?;
    Ok(if raw.is_escaped() { resolve_escapes(raw.text) } else { raw.text.to_owned() })
}

fn object(reader: &mut Reader<'_>) -> Result<Vec<Entry>, Error> {
    let mut members = Vec::new();
    if reader.open(b'}')? {
        return Ok(members);
    }
    reader.enter()?;
    loop {
        reader.peek();
        let offset = reader.pos();
        let raw = reader.key()?;
        let name = if raw.is_escaped() { resolve_escapes(raw.text) } else { raw.text.to_owned() };
        members.push(Entry { offset, name, value: value(reader)? });
        if !reader.more(b'}', "`,` or `}` after a member")? {
            break;
        }
    }
    reader.leave();
    Ok(members)
}

fn array(reader: &mut Reader<'_>) -> Result<Vec<Tree>, Error> {
    let mut items = Vec::new();
    if reader.open(b']')? {
        return Ok(items);
    }
    reader.enter()?;
    loop {
        items.push(value(reader)?);
        if !reader.more(b']', "`,` or `]` after an element")? {
            break;
        }
    }
    reader.leave();
    Ok(items)
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

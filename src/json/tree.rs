//! JSON documents with the offset of every value and name.
//!
//! They are for checks that report where in the file a problem is, such as `tfview schema check`.

use super::{Error, Reader};

/// A value with the offset of each of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The offset where the value begins, in bytes from the beginning of the text.
    pub offset: usize,
    /// The value itself.
    pub content: Content,
}

/// The content of a value. Only strings, arrays and objects keep their data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// `null`
    Null,
    /// `true` or `false`.
    Bool,
    /// A number of any form.
    Number,
    /// A string, with its escapes resolved.
    String(String),
    /// The elements of an array.
    Array(Vec<Tree>),
    /// The members of an object in the order of the text, including those that occur twice.
    Object(Vec<Entry>),
}

/// A member of an object, with the offset of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The offset where the name begins, in bytes from the beginning of the text.
    pub offset: usize,
    /// The name of the member, with its escapes resolved.
    pub name: String,
    /// The value of the member.
    pub value: Tree,
}

impl Tree {
    /// Parses a whole document.
    ///
    /// # Errors
    /// Returns an error if the text is not valid JSON, or more text follows the value.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let tree = Self::read(&mut reader)?;
        reader.end()?;
        Ok(tree)
    }

    /// Returns the members of an object in the order of the text; none if it is another value.
    pub fn members(&self) -> &[Entry] {
        if let Content::Object(members) = &self.content {
            members
        } else {
            &[]
        }
    }

    /// Returns the member of an object with a name. If there are several, it is the last one, as in Go's decoder.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members()
            .iter()
            .rfind(|member| member.name == name)
            .map(|member| &member.value)
    }

    /// Returns the text of a string; `None` if it is another value.
    pub fn as_str(&self) -> Option<&str> {
        if let Content::String(text) = &self.content {
            Some(text)
        } else {
            None
        }
    }

    /// Reads a value with the offsets of all of its parts. The recursion is limited by `MAX_DEPTH`.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (first, mut is_first) = (reader.peek(), true);
        let offset = reader.pos();
        let content = match first {
            Some(b'"') => Content::String(reader.string()?.resolved().into_owned()),
            Some(b'{') => {
                let mut members = Vec::new();
                while reader.next_part(&mut is_first, b'}')? {
                    reader.peek();
                    let offset = reader.pos();
                    let name = reader.key()?.resolved().into_owned();
                    members.push(Entry {
                        offset,
                        name,
                        value: Self::read(reader)?,
                    });
                }
                Content::Object(members)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                while reader.next_part(&mut is_first, b']')? {
                    items.push(Self::read(reader)?);
                }
                Content::Array(items)
            }
            _ => match reader.skip()? {
                "null" => Content::Null,
                "true" | "false" => Content::Bool,
                _ => Content::Number,
            },
        };
        Ok(Self { offset, content })
    }
}

#[cfg(test)]
mod tests;

//! Reads the members of one object one by one, on demand.
//!
//! For inspecting the top level of a document: text after the last requested member is neither read nor
//! checked.

use std::borrow::Cow;

use super::{Error, ErrorKind, Raw, Reader};

/// A cursor over the members of an object.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    reader: Reader<'a>,
    at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    Value,
    AfterValue,
    End,
}

impl<'a> Members<'a> {
    /// A cursor over the object that `text` begins with.
    pub fn new(text: &'a str) -> Self {
        Self { reader: Reader::new(text), at: At::Start }
    }

    /// The name of the next member, or `None` at the end. Its value is skipped unless [`Members::value`]
    /// is called.
    pub fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, Error> {
        if self.at == At::Value {
            self.value()?;
        }
        let more = match self.at {
            At::Start => {
                if self.reader.peek() != Some(b'{') {
                    return self.reader.fail(ErrorKind::Expected("an object"));
                }
                !self.reader.open(b'}')?
            }
            At::AfterValue => self.reader.more(b'}', "`,` or `}` after a member")?,
            At::Value | At::End => false,
        };
        if !more {
            self.at = At::End;
            return Ok(None);
        }
        let key = self.reader.key()?;
        self.at = At::Value;
        Ok(Some(key.resolved()))
    }

    /// The text of the value of the member that [`Members::next_key`] returned last.
    pub fn value(&mut self) -> Result<&'a str, Error> {
        self.at = At::AfterValue;
        self.reader.skip()
    }

    /// The value of the member that [`Members::next_key`] returned last.
    pub fn raw(&mut self) -> Result<Raw<'a>, Error> {
        self.value().map(Raw::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_names_and_values_and_reads_no_further() {
        let mut members = Members::new(r#" {"a":{"x":[1]},"\u0062":2 , "c": nope"#);
        assert_eq!(members.next_key().unwrap().as_deref(), Some("a"));
        assert_eq!(members.next_key().unwrap().as_deref(), Some("b"));
        assert_eq!(members.value().unwrap(), "2");
        assert_eq!(members.next_key().unwrap().as_deref(), Some("c"));
        assert_eq!(members.next_key().unwrap_err().offset, 34);
        let mut empty = Members::new("{} x");
        assert_eq!((empty.next_key().unwrap(), empty.next_key().unwrap()), (None, None));
        assert!(Members::new("[1]").next_key().is_err());
    }
}

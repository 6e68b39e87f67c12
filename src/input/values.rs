//! Finds JSON in other text.

use crate::json::{Error, Reader};

/// The JSON objects, arrays and strings in a text, with their positions; also those that are malformed or
/// incomplete. The search continues after a value, but within a malformed one.
#[derive(Debug)]
pub struct Values<'t, F> {
    text: &'t str,
    from: usize,
    may_begin: F,
}

impl<'t, F: Fn(&str) -> bool> Values<'t, F> {
    /// The values of `text` whose rest of the text, from their first byte on, `may_begin` accepts.
    pub fn new(text: &'t str, may_begin: F) -> Self {
        Self { text, from: 0, may_begin }
    }

    /// Continues the search at this position.
    pub fn skip_to(&mut self, position: usize) {
        self.from = position;
    }
}

impl<'t, F: Fn(&str) -> bool> Iterator for Values<'t, F> {
    type Item = (usize, Result<&'t str, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.as_bytes().get(self.from..)?;
            let at = self.from + memchr::memchr3(b'{', b'[', b'"', rest)?;
            self.from = at + 1;
            let text = &self.text[at..];
            if (self.may_begin)(text) {
                let json = Reader::new(text).skip();
                self.from = at + json.as_ref().map_or(1, |json| json.len());
                return Some((at, json));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_other_text() {
        let text = r#"a [1] {"b":[2]} {"c {"d":1} é"e" {"f":"#;
        let find = |text: &'static str| {
            Values::new(text, |text| !text.starts_with('"'))
                .map(|(at, json)| (at, json.map_err(|error| error.offset)))
                .collect::<Vec<_>>()
        };
        let expected =
            [(2, Ok("[1]")), (6, Ok(r#"{"b":[2]}"#)), (16, Err(6)), (20, Ok(r#"{"d":1}"#)), (34, Err(5))];
        assert_eq!(find(text), expected);
        assert_eq!(find("no value"), []);
    }
}

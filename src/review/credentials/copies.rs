//! Copies of what is sensitive in an object, which a provider computed into other values of it.
//!
//! ```text
//! set_sensitive { value = "kX9…" }      marked as sensitive
//! metadata.values = "{\"key\":\"kX9…\"}"  computed from it without a mark, so hidden too
//! ```
//!
//! A text of less than [`SHORTEST_WHOLE`] bytes is never a copy, and one of less than
//! [`SHORTEST_IN_WORD`] is found in others only as a word of its own: otherwise, marking `10` as
//! sensitive would hide every `10` of the object.

use std::collections::HashSet;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::diff::value::{Content, MarkedValue};
use crate::review::credentials::scan::{Cover, Hit, scan};
use crate::review::documents::Documents;
use crate::review::names;

/// What a copy is called where credentials have their names.
pub(in crate::review) const SENSITIVE: &str = "sensitive";

/// The maximum number of sensitive texts of one object that are searched for.
const MAX_TEXTS: usize = 20_000;

/// The length from which a text is found as a part of another one.
const SHORTEST_PART: usize = 6;

/// The length from which a value that is equal to a text as a whole is a copy of it. Shorter ones say nothing.
const SHORTEST_WHOLE: usize = 4;

/// The length from which a text is found within words, too.
const SHORTEST_IN_WORD: usize = 16;

/// The sensitive texts of an object.
#[derive(Debug)]
pub(in crate::review) struct Copies {
    whole: HashSet<String>,
    parts: Option<AhoCorasick>,
}

impl Copies {
    /// Collects the sensitive texts of an object. Returns `None` if there are none. What is hidden
    /// only because no available schema knows it does not count.
    pub(in crate::review) fn of<'w>(
        values: &[MarkedValue<'w>],
        documents: &Documents<'w>,
        is_copied: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        if !values.iter().any(|value| value.has_marks) {
            return None;
        }
        let mut texts = HashSet::new();
        for value in values {
            collect(*value, false, documents, &mut texts);
        }
        texts.retain(|text| is_copied(text));
        let whole: HashSet<String> = texts
            .iter()
            .filter(|text| text.len() >= SHORTEST_WHOLE)
            .cloned()
            .collect();
        let mut parts: Vec<&str> = whole
            .iter()
            .flat_map(|text| std::iter::once(text.trim()).chain(text.lines().map(str::trim)))
            .filter(|text| text.len() >= SHORTEST_PART)
            .collect();
        parts.sort_unstable();
        parts.dedup();
        if whole.is_empty() {
            return None;
        }
        let parts = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(parts)
            .ok();
        Some(Self { whole, parts })
    }

    /// Returns whether a text has a copy in it, written out or encoded.
    pub(in crate::review) fn are_in(&self, text: &str) -> bool {
        let mut is_found = false;
        for hit in scan(text, None, Some(self)) {
            hit.each(&mut |name, credential| {
                // A credential may begin before a copy, or end behind it.
                let mut inside = Vec::new();
                self.find(credential, &mut inside);
                is_found |= name == SENSITIVE || !inside.is_empty();
            });
        }
        is_found
    }

    /// Appends the places in `text` where a sensitive text is repeated. A short one has to be a
    /// word of its own.
    pub(super) fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        if self.whole.contains(text) {
            hits.push(hit(0..text.len()));
            return;
        }
        let bytes = text.as_bytes();
        let is_word = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at))
                .is_some_and(u8::is_ascii_alphanumeric)
        };
        for found in self.parts.iter().flat_map(|parts| parts.find_iter(text)) {
            let is_in_word = is_word(found.start().checked_sub(1)) || is_word(Some(found.end()));
            if !is_in_word || found.len() >= SHORTEST_IN_WORD {
                hits.push(hit(found.range()));
            }
        }
    }
}

fn hit(range: std::ops::Range<usize>) -> Hit {
    let cover = Cover::Credential {
        name: SENSITIVE,
        secret: String::new(),
    };
    Hit { range, cover }
}

/// Returns whether a text is likely to be a secret. True for a text that is hardly a name, an
/// address, a hash or a word of a language: it has characters of three kinds, or is long. Where
/// nobody knows what the author wrote, only such texts are taken for copies.
pub(in crate::review) fn is_like_a_secret(text: &str) -> bool {
    const SHORTEST: usize = 8;
    const LONG: usize = 16;
    let has = |of: fn(char) -> bool| usize::from(text.chars().any(of));
    let is_other = |c: char| !c.is_alphanumeric() && !c.is_whitespace() && !"._-/:".contains(c);
    let kinds =
        has(char::is_uppercase) + has(char::is_lowercase) + has(char::is_numeric) + has(is_other);
    let is_hash = text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_varied = kinds >= 3 || kinds == 2 && text.len() >= LONG && !is_hash;
    text.len() >= SHORTEST
        && is_varied
        && !text.contains(char::is_whitespace)
        && !text.starts_with("arn:")
}

/// Collects the hidden texts of a value, also those in documents in its strings, up to `MAX_TEXTS`.
fn collect<'w>(
    value: MarkedValue<'w>,
    is_hidden: bool,
    documents: &Documents<'w>,
    texts: &mut HashSet<String>,
) {
    if !is_hidden && !value.has_marks || value.lacks_schema || texts.len() >= MAX_TEXTS {
        return;
    }
    let is_hidden = is_hidden || value.is_hidden;
    match value.content {
        Content::String(text) if is_hidden => {
            if !names::WORDS_THAT_ARE_NO_PASSWORDS.contains(&text) {
                texts.insert(text.to_owned());
            }
            if let Some((_, document)) = documents.read(text) {
                collect(document, true, documents, texts);
            }
        }
        Content::Array(_) | Content::Object(_) => {
            for part in value.children() {
                collect(part, is_hidden, documents, texts);
            }
        }
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_) => {}
    }
}

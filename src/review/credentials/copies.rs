//! Finds copies of sensitive texts that a provider computed into other values of the same object.
//!
//! ```text
//! set_sensitive { value = "kX9…" }      marked as sensitive
//! metadata.values = "{\"key\":\"kX9…\"}"  computed from it without a mark, so hidden too
//! ```
//!
//! A text of less than [`SHORTEST_WHOLE`] bytes is never a copy, and one that may be a word or a number is found in
//! others only as a whole word: otherwise, marking `10` as sensitive would hide every `10` of the object. A text of
//! several lines is also found line by line, as it is where each line has an indentation or a sign of its own.

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use crate::diff::embedded::short_base64;
use crate::diff::value::{Content, MarkedValue};
use crate::meaning::Documents;
use crate::review::credentials::random::is_random;
use crate::review::credentials::scan::{Cover, Hit, Known, scan};
use crate::review::names;

/// The name of copies, where credentials have the names of their forms.
pub(in crate::review) const SENSITIVE: &str = "sensitive";

/// The maximum number of sensitive texts of one object that are collected.
const MAX_TEXTS: usize = 20_000;

/// The maximum number of lines of sensitive texts that are searched within others.
const MAX_LINES: usize = 10_000;

/// The length in bytes of the beginning of a line that is searched. Lines are cut, because a search takes many times as
/// much memory as its texts.
const SEARCHED: usize = 48;

/// The minimum length in bytes of a text that is found as a part of another one.
const SHORTEST_PART: usize = 6;

/// The minimum length in bytes of a text that is a copy if a value is equal to it as a whole. Shorter texts say
/// nothing.
const SHORTEST_WHOLE: usize = 4;

/// The minimum length in bytes of a text that is also found within words, whatever it is.
const SHORTEST_IN_WORD: usize = 16;

/// The minimum length in bytes of a line that is a copy if it is a line of another text, beside another line of the same
/// sensitive text.
const SHORTEST_LINE: usize = 2;

/// The sensitive texts of an object, prepared for a search for their copies.
///
/// Cost: n log n in the length of the texts and of what is searched; the memory is a small multiple of the texts.
#[derive(Debug)]
pub(in crate::review) struct Copies {
    /// The texts, for values that are equal to one as a whole.
    whole: HashSet<String>,
    /// The search for the beginnings of the lines in these texts.
    beginnings: Option<AhoCorasick>,
    /// Whether each of these beginnings is also found within words, by its number.
    in_words: Vec<bool>,
    /// The lines that are longer than `SEARCHED`, and the texts of several lines, sorted.
    long_lines: Vec<String>,
    /// The lines of texts of several lines, for texts in which several of them are lines too.
    all_lines: HashSet<String>,
}

impl Copies {
    /// Collects the sensitive texts of an object for which `is_copied` is true. Returns `None` if there are none. Texts
    /// that are hidden only because no available schema knows them do not count.
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
        texts.retain(|text| text.len() >= SHORTEST_WHOLE);
        if texts.is_empty() {
            return None;
        }
        let several = || {
            texts
                .iter()
                .map(|text| text.trim())
                .filter(|text| text.contains('\n'))
        };
        let mut lines: Vec<&str> = texts
            .iter()
            .flat_map(|text| text.lines().map(str::trim))
            .chain(several())
            .filter(|line| line.len() >= SHORTEST_PART)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines.truncate(MAX_LINES);
        let beginnings = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(lines.iter().copied().map(beginning))
            .ok();
        let in_words = lines
            .iter()
            .map(|line| is_found_in_words(beginning(line)))
            .collect();
        let all_lines = several()
            .flat_map(|text| text.lines().map(str::trim))
            .filter(|line| line.len() >= SHORTEST_LINE && line.contains(char::is_alphanumeric))
            .take(MAX_LINES)
            .map(str::to_owned)
            .collect();
        lines.retain(|line| line.len() > beginning(line).len());
        Some(Self {
            long_lines: lines.into_iter().map(str::to_owned).collect(),
            beginnings,
            in_words,
            all_lines,
            whole: texts,
        })
    }

    /// Whether a text has a copy in it, written out or encoded.
    pub(in crate::review) fn are_in(&self, text: &str) -> bool {
        let mut is_found = false;
        for hit in scan(text, None, Known::of_copies(Some(self))) {
            hit.each(&mut |name, credential| {
                // A credential may begin before a copy or end after it.
                let mut inside = Vec::new();
                self.find(credential, &mut inside);
                is_found |= name == SENSITIVE || !inside.is_empty();
            });
        }
        is_found
    }

    /// Whether a text or a number is a sensitive text as a whole.
    pub(in crate::review) fn has(&self, text: &str) -> bool {
        self.whole.contains(text)
    }

    /// Appends the places in `text` where a sensitive text is repeated. A short sensitive text must be a whole word
    /// there.
    pub(super) fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        if self.whole.contains(text) {
            hits.push(hit(0..text.len()));
            return;
        }
        self.find_lines(text, hits);
        let Some(beginnings) = &self.beginnings else {
            return;
        };
        let bytes = text.as_bytes();
        let is_word = |offset: Option<usize>| {
            offset
                .and_then(|offset| bytes.get(offset))
                .is_some_and(u8::is_ascii_alphanumeric)
        };
        let mut from = 0;
        while let Some(matched) = beginnings.find(Input::new(text).range(from..)) {
            let is_in_word =
                is_word(matched.start().checked_sub(1)) || is_word(Some(matched.end()));
            let is_found = self.in_words.get(matched.pattern().as_usize());
            if is_in_word && is_found != Some(&true) {
                // Another text may begin within this one.
                from = matched.start() + 1;
                continue;
            }
            from = matched.end().max(self.end_of_line(text, matched.start()));
            hits.push(hit(matched.start()..from));
        }
    }

    /// Appends the lines of `text` that are lines of a sensitive text of several lines, if there are several. They may
    /// have an indentation, and the sign of a difference.
    fn find_lines(&self, text: &str, hits: &mut Vec<Hit>) {
        if self.all_lines.is_empty() || !text.contains('\n') {
            return;
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut different: Option<&str> = None;
        let mut has_several = false;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let shown = line.trim();
            let content = shown
                .strip_prefix(['+', '-', '~'])
                .map_or(shown, str::trim_start);
            let known = [content, shown]
                .into_iter()
                .find(|line| self.all_lines.contains(*line));
            if let Some(known) = known {
                let offset = start + (known.as_ptr() as usize - line.as_ptr() as usize);
                found.push(offset..offset + known.len());
                has_several |= different.is_some_and(|first| first != known);
                different.get_or_insert(known);
            }
            start += line.len();
        }
        if has_several {
            hits.extend(found.into_iter().map(hit));
        }
    }

    /// Returns the end of the text at `start` that is equal to the beginning of a long line, for as many characters as
    /// possible.
    fn end_of_line(&self, text: &str, start: usize) -> usize {
        let rest = text.get(start..).unwrap_or_default();
        let next = self.long_lines.partition_point(|line| &**line <= rest);
        // In sorted order, the lines next to the position of the text have the longest beginning in common with it.
        let neighbours = self.long_lines.iter().skip(next.saturating_sub(1)).take(2);
        let in_common = |line: &String| {
            let pairs = line.chars().zip(rest.chars());
            let equal = pairs.take_while(|(one, other)| one == other);
            equal.map(|(one, _)| one.len_utf8()).sum::<usize>()
        };
        start + neighbours.map(in_common).max().unwrap_or_default()
    }
}

/// Returns the part of a line that is searched.
fn beginning(line: &str) -> &str {
    let cut = (SEARCHED..line.len()).find(|offset| line.is_char_boundary(*offset));
    cut.and_then(|offset| line.get(..offset)).unwrap_or(line)
}

/// Creates the hit of a copy.
fn hit(range: Range<usize>) -> Hit {
    let cover = Cover::Credential {
        name: SENSITIVE,
        secret: String::new(),
        named_by: None,
        inside: Vec::new(),
    };
    Hit { range, cover }
}

/// Whether a text is a copy wherever it stands, also beside letters and digits: it is long, has characters of three
/// kinds, or looks random. Others may be a part of a word by chance.
fn is_found_in_words(text: &str) -> bool {
    text.len() >= SHORTEST_IN_WORD
        || text.contains('\n')
        || is_random(text)
        || kinds(text) >= 3
        || text.len() >= 8 && kinds(text) >= 2 && has_no_word(text)
}

/// Whether no part of a text between its separators is a word: letters, with a number behind them at most.
fn has_no_word(text: &str) -> bool {
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() >= 3 && letters.chars().all(char::is_alphabetic)
    };
    !text.split(SEPARATORS).any(is_word)
}

/// Returns the number of kinds of characters in a text: capitals, small letters, digits, others.
fn kinds(text: &str) -> usize {
    let has = |of: fn(char) -> bool| usize::from(text.chars().any(of));
    has(char::is_uppercase)
        + has(char::is_lowercase)
        + has(char::is_numeric)
        + has(|c| !c.is_alphanumeric() && !c.is_whitespace())
}

/// Whether the address of an object shows a text, so that hiding it elsewhere in the object would hide nothing, and only
/// cut names to pieces. A text that is like a secret counts nevertheless.
pub(in crate::review) fn is_shown_by(address: &str, text: &str) -> bool {
    !is_like_a_secret(text) && address.to_lowercase().contains(&text.to_lowercase())
}

/// Words in names of roles, policies, sizes and regions. Like secrets, such names have characters of several kinds.
const WORDS_OF_NAMES: [&str; 20] = [
    "access",
    "administrator",
    "admins",
    "amazon",
    "aws",
    "azure",
    "basic",
    "contributor",
    "editor",
    "google",
    "microsoft",
    "owner",
    "policy",
    "premium",
    "reader",
    "role",
    "roles",
    "service",
    "standard",
    "viewer",
];

/// Whether a text is a name such as `AmazonS3FullAccess` or `roles/compute.instanceAdmin.v1`, by the words in it.
fn has_word_of_names(text: &str) -> bool {
    let mut words = vec![String::new()];
    let mut was_lowercase = false;
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if c.is_alphabetic() && !(was_lowercase && c.is_uppercase()) => {
                word.extend(c.to_lowercase());
            }
            _ => words.push(c.to_lowercase().filter(|c| c.is_alphabetic()).collect()),
        }
        was_lowercase = c.is_lowercase();
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || SEPARATORS.contains(&c);
    text.chars().all(is_name)
        && words
            .iter()
            .any(|word| WORDS_OF_NAMES.contains(&word.as_str()))
}

/// Whether a text is likely to be a secret, and not a name, an address, a hash or a word of a language. Such a text has
/// characters of three kinds, or is long. If nobody knows what the author wrote, only such texts count as copies.
pub(in crate::review) fn is_like_a_secret(text: &str) -> bool {
    let is_varied = text.split(SEPARATORS).any(is_varied);
    is_varied
        && !text.contains(char::is_whitespace)
        && !text.starts_with("arn:")
        && !has_word_of_names(text)
}

/// The characters between the words of names, addresses and identifiers.
const SEPARATORS: [char; 5] = ['.', '_', '-', '/', ':'];

/// Whether a text without separators has characters of three kinds, or is long and neither a word nor a number nor a
/// hash.
fn is_varied(part: &str) -> bool {
    /// The minimum length of a part that may be a secret, in bytes.
    const SHORTEST: usize = 8;
    /// The minimum length of a part with characters of only two kinds, in bytes.
    const LONG: usize = 16;
    let kinds = kinds(part);
    let is_hash = part.chars().all(|c| c.is_ascii_hexdigit());
    let is_word = part.chars().all(|c| c.is_alphabetic() || c.is_whitespace());
    part.len() >= SHORTEST
        && (kinds >= 3 || kinds == 2 && part.len() >= LONG && !is_hash && !is_word)
}

/// Collects the sensitive texts of a value, including those of documents in its strings, up to `MAX_TEXTS`. `is_hidden`
/// is whether a value around it is sensitive as a whole.
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
            } else if let Some(decoded) = short_base64(text) {
                texts.insert(decoded);
            }
        }
        // Shorter numbers are usually ports and sizes.
        Content::Number(digits) if is_hidden && digits.len() >= SHORTEST_PART => {
            texts.insert(digits.to_owned());
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

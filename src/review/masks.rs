//! Masks: texts that are shown instead of credentials, and instead of copies of sensitive values. This is the layer
//! between exact values and the code that lays them out.
//!
//! Only exact values are compared, grouped, matched as renames and judged. A review masks its entries once, at its end
//! ([`hide`]). Code that lays out a text asks only for the masks of the tool's own text ([`Masks::styled`]).
//!
//! Invariants: the JSON of a review has all values; no other format shows a credential unless the user asks for
//! sensitive values. A mask replaces its credential within the same text, and changes no other text. Equal credentials
//! have equal masks, and different ones have different numbers. A text keeps its number of lines. Cost: linear in the
//! texts of objects that have credentials; other texts are not copied.
//!
//! ```text
//! token: "ghp_A1b2…" -> "ghp_Z1b2…"      token "(GitHub token 1)" -> "(GitHub token 2)"
//! ```

mod masking;
mod values;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::credentials::scan::{Cover, Hit, scan};
use super::credentials::{
    Copies, CredentialTexts, Known, NamedValue, NamesOfValues, SENSITIVE, key_lines,
};
use crate::diff::value::MarkedValue;
use crate::term::StyledText;
use crate::text::escape;
pub(crate) use masking::known_as;
pub(crate) use values::{Authored, ObjectCopies, shown_edit};
pub(super) use values::{hide, name};

/// The note of texts in which a credential is masked.
pub(crate) const NOTE: &str = "credentials are not shown; --show-sensitive shows them";

/// The mask of a copy of a sensitive value.
const MASK_OF_COPY: &str = "(sensitive)";

/// The credentials of a plan or a comparison, numbered by their values so that a mask can tell them apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Masks {
    /// The number of each credential, from 1, by its label and then by the credential itself.
    numbers: HashMap<&'static str, HashMap<String, usize>>,
    /// The same for credentials that texts have in a form that no value has, such as a part of one. Their numbers follow
    /// the others, in the order in which they are shown.
    others: Arc<Mutex<HashMap<&'static str, HashMap<String, usize>>>>,
}

/// The texts to hide in the values of one object.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hiding<'o> {
    /// The names that make values credentials, such as that of an environment variable.
    pub(super) named: Option<&'o NamesOfValues>,
    /// The sensitive texts of the object, which may occur again in other attributes.
    pub(super) copies: Option<&'o Copies>,
    /// The attributes that the author wrote, in which a copy is not hidden; `None` if they are not known.
    pub(super) configured: Option<&'o HashSet<String>>,
}

impl<'o> Hiding<'o> {
    /// Returns what is known of the object besides a text, with the sensitive texts to look for in it.
    fn known<'k>(self, copies: Option<&'k Copies>) -> Known<'k>
    where
        'o: 'k,
    {
        Known {
            copies,
            names: self.named.map(|named| &named.certain),
        }
    }

    /// Returns the sensitive texts to look for in an attribute; `None` if the author wrote the attribute.
    fn copies_in(self, attribute: &str) -> Option<&'o Copies> {
        self.copies.filter(|_| {
            !self
                .configured
                .is_some_and(|names| names.contains(attribute))
        })
    }
}

/// Returns the label of a credential in texts: the name of its form, or a shorter one.
fn label(name: &'static str) -> &'static str {
    if name == "password in a URL" {
        "password"
    } else {
        name
    }
}

impl Masks {
    /// Numbers the credentials of a value. `name` is that of its attribute, member or variable.
    pub(crate) fn add_value(&mut self, name: Option<&str>, value: MarkedValue<'_>) {
        self.add(&CredentialTexts::of(name, value));
    }

    /// Numbers credentials in their order. A credential that has a number keeps it.
    pub(super) fn add(&mut self, credentials: &CredentialTexts) {
        for (name, secret) in &credentials.secrets {
            let numbers = self.numbers.entry(label(name)).or_default();
            let next = numbers.len() + 1;
            numbers.entry(secret.clone()).or_insert(next);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Returns a text with masks for its credentials and copies; `None` if it has none, so that all of it may be shown.
    /// `name` is that of its attribute, member or variable.
    pub(in crate::review) fn text(
        &self,
        text: &str,
        name: Option<&str>,
        known: Known<'_>,
    ) -> Option<String> {
        let hits = scan(text, name, known);
        (!hits.is_empty()).then(|| self.replaced(text, &hits))
    }

    /// Returns a text with a mask instead of each hit. The hits are in the order of the text and do not overlap.
    fn replaced(&self, text: &str, hits: &[Hit]) -> String {
        let (mut shown, mut index) = (String::with_capacity(text.len()), 0);
        for hit in hits {
            shown.push_str(text.get(index..hit.range.start).unwrap_or_default());
            shown.push_str(&self.hit(text, hit));
            index = hit.range.end;
        }
        shown.push_str(text.get(index..).unwrap_or_default());
        shown
    }

    /// Returns the text that is shown instead of a hit, with as many lines as the hit has. If an encoded text has a
    /// credential, it is shown decoded, with the mask in it.
    fn hit(&self, text: &str, hit: &Hit) -> String {
        let original = text.get(hit.range.clone()).unwrap_or_default();
        let mut shown = match &hit.cover {
            Cover::Credential { name, secret, .. }
                if is_written_as_lines(name, secret, original) =>
            {
                return key(original, &self.mask(name, secret));
            }
            Cover::Credential { name, secret, .. } => self.mask(name, secret),
            Cover::Encoded {
                notation,
                text: decoded,
                hits,
            } => {
                let inner = self.replaced(decoded, hits);
                let is_whole = original.len() == text.trim_end().len();
                // Within a document or a line, the text must stay on its line.
                let inner = if is_whole {
                    Cow::Borrowed(&*inner)
                } else {
                    escape(&inner)
                };
                let shown = format!("({notation} of: {inner})");
                if is_whole {
                    return shown;
                }
                shown
            }
        };
        for _ in memchr::memchr_iter(b'\n', original.as_bytes()) {
            shown.push_str("\n…");
        }
        shown
    }

    /// Returns the mask of a credential: `(GitHub token 2)`, or without a number for the only one of its label.
    fn mask(&self, name: &'static str, secret: &str) -> String {
        let label = label(name);
        if label == SENSITIVE {
            return MASK_OF_COPY.to_owned();
        }
        let numbers = self.numbers.get(label);
        let count = numbers.map_or(0, HashMap::len);
        let number = match numbers.and_then(|numbers| numbers.get(secret)) {
            Some(number) => *number,
            None => {
                // A number is all that is kept, so a lock that a panic left behind is as good as any.
                let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
                let others = others.entry(label).or_default();
                let next = count + others.len() + 1;
                *others.entry(secret.to_owned()).or_insert(next)
            }
        };
        if number == 1 && count <= 1 {
            format!("({label})")
        } else {
            format!("({label} {number})")
        }
    }

    /// Returns the tool's text of a change with masks; a copy is made only if there is something to hide.
    pub(super) fn styled<'t>(
        &self,
        text: &'t StyledText,
        hiding: Hiding<'_>,
    ) -> Cow<'t, StyledText> {
        let whole = text.text();
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        for (range, attribute) in attributes(whole) {
            let part = whole.get(range.clone()).unwrap_or_default();
            let copies = attribute.and_then(|name| hiding.copies_in(name));
            let hits = scan(part, None, hiding.known(copies))
                .into_iter()
                .map(|hit| {
                    let shown = self.hit(part, &hit);
                    (
                        range.start + hit.range.start..range.start + hit.range.end,
                        shown,
                    )
                });
            places.extend(hits);
        }
        if let Some(named) = hiding.named {
            self.named_values(whole, named, &mut places);
        }
        if places.is_empty() {
            return Cow::Borrowed(text);
        }
        places.sort_by_key(|(range, _)| range.start);
        places.dedup_by(|(next, _), (before, _)| next.start < before.end);
        let places: Vec<(Range<usize>, &str)> = places
            .iter()
            .map(|(range, shown)| (range.clone(), shown.as_str()))
            .collect();
        Cow::Owned(text.replaced(&places))
    }

    /// Adds the values that are credentials because of their surroundings, with their masks.
    ///
    /// The tool leaves out what is unchanged around a value, so the value cannot be recognized by it. It is looked for in
    /// lines that begin with the name of its member, and in lines that end a text of several lines (`EOT`) or a document
    /// (`)`), because the new value follows them; the value of a list, in lines of lists.
    fn named_values(
        &self,
        text: &str,
        named: &NamesOfValues,
        places: &mut Vec<(Range<usize>, String)>,
    ) {
        /// The minimum length of a line of a credential that has several, in bytes.
        const SHORTEST_LINE: usize = 2;
        /// The minimum length of a credential that is looked for behind other words of a line, in bytes.
        const SHORTEST_WORD: usize = 8;
        if named.values.is_empty() {
            return;
        }
        let (mut escaped, mut lines) = (HashMap::new(), HashMap::new());
        for (value, of) in &named.values {
            escaped.insert(escape(value), (value.as_str(), of));
            let several = value.lines().map(str::trim);
            for line in several.filter(|line| line.len() >= SHORTEST_LINE) {
                lines.insert(line, (value.as_str(), of));
            }
        }
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            // A line of a text of several lines is the whole value, or a line of it.
            let content = line.trim_start().trim_start_matches(['+', '-', '~']).trim();
            let item = content
                .strip_prefix("- ")
                .unwrap_or(content)
                .trim_matches('"');
            // The names in a text of several lines are written as `name: value`, those of the tool as `name = value`.
            let last = content
                .rsplit([' ', '"', ','])
                .find(|word| !word.is_empty())
                .filter(|word| word.len() >= SHORTEST_WORD && !content.contains(" = "));
            let known = [content, item, last.unwrap_or_default()]
                .into_iter()
                .find(|line| lines.contains_key(*line));
            if let Some((content, (value, of))) =
                known.and_then(|content| Some((content, lines.get(content)?)))
            {
                let offset = content.as_ptr() as usize - line.as_ptr() as usize;
                let range = start + offset..start + offset + content.len();
                places.push((range, self.mask(of.form, value)));
            }
            let trimmed = line.trim_start_matches([' ', '+', '-', '~', '"']);
            let follows = ["EOT", ")"].iter().any(|end| trimmed.starts_with(end));
            let is_place_of = |value: &str, of: &NamedValue| {
                follows
                    || of
                        .members
                        .iter()
                        .any(|member| trimmed.starts_with(&**member))
                    || of.members.is_empty() && trimmed.starts_with(&*escape(value))
            };
            let mut index = start;
            for (number, part) in line.split('"').enumerate() {
                if number % 2 == 1
                    && let Some((value, of)) = escaped.get(part)
                    && is_place_of(value, of)
                {
                    places.push((index..index + part.len(), self.mask(of.form, value)));
                }
                index += part.len() + 1;
            }
            start += line.len();
        }
    }
}

/// Whether a hit in a text has all lines of a private key as they are, so that the other lines around them can be
/// shown. This is not so for a key with percent signs or other escapes.
fn is_written_as_lines(name: &str, secret: &str, original: &str) -> bool {
    let lines: String = key_lines(original)
        .filter(|line| line.is_key)
        .filter_map(|line| original.get(line.range))
        .collect();
    name.ends_with("private key") && lines == secret
}

/// Returns the lines of a private key with the first one replaced by the mask and the others by an ellipsis. Other
/// lines stay.
fn key(text: &str, mask: &str) -> String {
    let (mut shown, mut index, mut is_first) = (String::with_capacity(text.len()), 0, true);
    for line in key_lines(text).filter(|line| line.is_key) {
        shown.push_str(text.get(index..line.range.start).unwrap_or_default());
        shown.push_str(if std::mem::take(&mut is_first) {
            mask
        } else {
            "…"
        });
        index = line.range.end;
    }
    shown.push_str(text.get(index..).unwrap_or_default());
    shown
}

/// Splits the tool's text of a resource into its attributes: the byte range of each with its name, and `None` for text
/// before the first. An attribute begins at the indentation of the first level, which no line of a value has.
fn attributes(text: &str) -> Vec<(Range<usize>, Option<&str>)> {
    /// The column of the sign of an attribute.
    const SIGN: usize = 6;
    /// The column of the name of an attribute.
    const NAME: usize = 8;
    let mut parts: Vec<(Range<usize>, Option<&str>)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let bytes = line.as_bytes();
        let begins = bytes.len() > NAME
            && bytes[..SIGN].iter().all(|byte| *byte == b' ')
            && matches!(bytes[SIGN], b' ' | b'+' | b'-' | b'~')
            && bytes[SIGN + 1] == b' '
            && (bytes[NAME].is_ascii_alphanumeric() || bytes[NAME] == b'_');
        match parts.last_mut() {
            Some((range, _)) if !begins => range.end = end,
            _ => {
                let name = line
                    .get(NAME..)
                    .filter(|_| begins)
                    .and_then(|rest| rest.split([' ', '=', '{', '\n']).next());
                parts.push((start..end, name));
            }
        }
        start = end;
    }
    parts
}

//! Finds the credentials in one text, with the position of each.
//!
//! A text is read twice: as it is, and with its encodings decoded, which are escapes, percent signs, base64 and
//! hexadecimal digits anywhere in it, also nested in each other. The result depends on the text, its name and what is
//! known of its object alone, so that a text can be shown without its credentials wherever it occurs, and other texts
//! are not touched.
//!
//! Cost: base64 and hexadecimal digits make a text shorter with each level, and there are at most [`MAX_ESCAPES`] levels
//! of escapes. A text with more levels than are read is hidden as a whole.
//!
//! ```text
//! "Server=db;Pwd=kX9vQ2"    Hit { range: 14..20, cover: Credential { name: "password", … } }
//! "UHdkPWtYOXZRMg=="         Hit { range: 0..16, cover: Encoded { text: "Pwd=kX9vQ2", hits: […] } }
//! ```

mod base64;
mod escapes;
mod hexadecimal;
pub(super) mod manifests;
mod pairs;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::forms::{credentials, key_lines};
use super::names::{DATA_OF_SECRET, named, named_like_another};
use super::{Copies, SENSITIVE};
use crate::diff::embedded::{base64_text, base64_utf16, hex_text, is_base64, short_base64};

use base64::{
    MOST_PADDING, SHORTEST_BASE64, SHORTEST_OF_COPY, is_sign, may_encode_text, run_end, wrapped_end,
};
use escapes::Plain;
use pairs::pairs;

/// The maximum number of encodings nested in each other. Base64 of 64 levels is 100 million times as long as its text;
/// compressed texts can be nested deeper only if somebody constructs them for it.
const MAX_DEPTH: usize = 64;

/// The maximum number of levels of escapes nested in each other. Each level of a document in a document doubles the
/// backslashes.
const MAX_ESCAPES: usize = 16;

/// The name of a text with more levels of encodings than are read.
const UNREAD: &str = "text encoded too many times";

/// The maximum number of bytes that compressed base64 in one text may have when decoded (4 MiB).
const MAX_UNPACKED: usize = 4 << 20;

/// The position of a credential, of a copy, or of an encoded text with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::review) struct Hit {
    /// The byte range in the text that was read.
    pub range: Range<usize>,
    /// The kind of the hit.
    pub cover: Cover,
}

/// The kind of a hit: a credential (or a copy), or an encoded text that has some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::review) enum Cover {
    /// A credential, or a copy with the name `SENSITIVE`. `secret` identifies the credential: it is decoded, and a
    /// key has no line breaks. `named_by` is the name in the text that says that the value is one. `inside` has the
    /// credentials of known forms within data that is secret whatever it is.
    Credential {
        name: &'static str,
        secret: String,
        named_by: Option<String>,
        inside: Vec<Hit>,
    },
    /// An encoded text with credentials, whose positions are those in the decoded text.
    Encoded {
        notation: &'static str,
        text: String,
        hits: Vec<Hit>,
    },
}

/// What is known of the object of a text, besides the text.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::review) struct Known<'k> {
    /// The sensitive texts whose copies are searched too.
    pub copies: Option<&'k Copies>,
    /// The names of values that certainly are credentials. The other values with such a name are credentials too: those
    /// that they are changed from or to, for example.
    pub names: Option<&'k HashSet<String>>,
}

impl<'k> Known<'k> {
    /// Knows only sensitive texts.
    pub(in crate::review) fn of_copies(copies: Option<&'k Copies>) -> Self {
        Self {
            copies,
            names: None,
        }
    }

    /// Returns the name of the credential that `value` is, if its name says so.
    fn named(self, name: &str, value: &str) -> Option<&'static str> {
        let is_known = || self.names.is_some_and(|names| names.contains(name));
        named(name, value).or_else(|| {
            is_known()
                .then(|| named_like_another(name, value))
                .flatten()
        })
    }
}

impl Hit {
    /// Calls `visit` with the name and the text of each credential in the hit.
    pub(in crate::review) fn each(&self, visit: &mut dyn FnMut(&'static str, &str)) {
        match &self.cover {
            Cover::Credential {
                name,
                secret,
                inside,
                ..
            } if inside.is_empty() => visit(name, secret),
            Cover::Credential { inside: hits, .. } | Cover::Encoded { hits, .. } => {
                hits.iter().for_each(|hit| hit.each(visit));
            }
        }
    }

    /// Adds the names in the text that say that values are credentials.
    pub(in crate::review) fn add_names(&self, names: &mut HashSet<String>) {
        match &self.cover {
            Cover::Credential { named_by, .. } => names.extend(named_by.clone()),
            Cover::Encoded { hits, .. } => hits.iter().for_each(|hit| hit.add_names(names)),
        }
    }
}

/// Returns the credentials in a text, in order and without overlaps. `name` is that of the attribute, member or
/// variable whose value the text is.
pub(in crate::review) fn scan(text: &str, name: Option<&str>, known: Known<'_>) -> Vec<Hit> {
    /// The minimum length of a credential that its name does not announce, in bytes.
    const SHORTEST: usize = 4;
    let hit = name.and_then(|name| {
        let what = known.named(name, text)?;
        Some(Hit::named(0..text.len(), what, text.to_owned(), name))
    });
    if let Some(hit) = &hit
        && name != Some(DATA_OF_SECRET)
    {
        return vec![hit.clone()];
    }
    let mut hits = Vec::new();
    if text.len() >= SHORTEST {
        let mut scan = Scan {
            unpacked: MAX_UNPACKED,
            known,
        };
        hits = scan.text(text, Depth::default());
    }
    match hit {
        Some(hit) => vec![hit.around(&mut hits)],
        None => hits,
    }
}

/// Whether a text is a credential as a whole, by its name or its form.
pub(in crate::review) fn is_whole_credential(
    text: &str,
    name: Option<&str>,
    known: Known<'_>,
) -> bool {
    matches!(
        &*scan(text, name, known),
        [Hit { range, cover: Cover::Credential { name, .. } }]
            if *range == (0..text.len()) && *name != SENSITIVE
    )
}

/// Whether a text without a name has a credential.
pub(in crate::review) fn is_in(text: &str) -> bool {
    !scan(text, None, Known::default()).is_empty()
}

impl Hit {
    fn new(range: Range<usize>, name: &'static str, secret: String) -> Self {
        Self {
            range,
            cover: Cover::Credential {
                name,
                secret,
                named_by: None,
                inside: Vec::new(),
            },
        }
    }

    /// Creates the hit of a credential that `named_by` says to be one.
    fn named(range: Range<usize>, name: &'static str, secret: String, named_by: &str) -> Self {
        Self {
            range,
            cover: Cover::Credential {
                name,
                secret,
                named_by: Some(named_by.to_owned()),
                inside: Vec::new(),
            },
        }
    }

    /// Returns this hit with the hits in its range, which are taken out of `hits`.
    fn around(mut self, hits: &mut Vec<Self>) -> Self {
        let range = self.range.clone();
        let within = hits.extract_if(.., |hit| {
            range.start <= hit.range.start && hit.range.end <= range.end
        });
        if let Cover::Credential { inside, .. } = &mut self.cover {
            inside.extend(within);
        }
        self
    }
}

/// How many encodings a text was decoded from.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// All encodings.
    all: usize,
    /// The levels of escapes among them.
    escapes: usize,
}

/// The state of scanning one text.
struct Scan<'c> {
    /// The number of bytes that may still be decompressed.
    unpacked: usize,
    /// What is known of the object of the text.
    known: Known<'c>,
}

impl Scan<'_> {
    /// Returns the credentials in `text`, in order and without overlaps. Positions in a text without escapes are mapped
    /// back to the escaped text.
    fn text(&mut self, text: &str, depth: Depth) -> Vec<Hit> {
        let mut hits = Vec::new();
        if depth.all == MAX_DEPTH {
            return vec![Hit::new(0..text.len(), UNREAD, text.to_owned())];
        }
        if let Some(plain) = Plain::new(text) {
            if depth.escapes == MAX_ESCAPES {
                return vec![Hit::new(0..text.len(), UNREAD, text.to_owned())];
            }
            let inside = Depth {
                all: depth.all + 1,
                escapes: depth.escapes + 1,
            };
            let mut inner = self.text(&plain.text, inside);
            for hit in &mut inner {
                hit.range = plain.original(hit.range.start)..plain.original(hit.range.end);
            }
            hits = inner;
        }
        if let Some(copies) = self.known.copies {
            copies.find(text, &mut hits);
        }
        credentials(text, &mut |credential| {
            let start = credential.secret.as_ptr() as usize - text.as_ptr() as usize;
            let range = start..start + credential.secret.len();
            let secret = if credential.name.ends_with("private key") {
                key_lines(credential.secret)
                    .filter(|line| line.is_key)
                    .filter_map(|line| credential.secret.get(line.range))
                    .collect()
            } else {
                credential.secret.to_owned()
            };
            hits.push(Hit::new(range, credential.name, secret));
        });
        if memchr::memchr2(b'=', b':', text.as_bytes()).is_some() {
            pairs(text, self.known, &mut hits);
        }
        self.base64(text, depth, &mut hits);
        self.hexadecimal(text, depth, &mut hits);
        for data in manifests::secrets(text) {
            let data = data.around(&mut hits);
            hits.push(data);
        }
        apart(hits)
    }

    /// Returns the minimum length of base64 that is decoded. It is shorter if copies are searched, because a known text
    /// is not mistaken for something else.
    fn shortest_base64(&self) -> usize {
        match self.known.copies {
            Some(_) => SHORTEST_OF_COPY,
            None => SHORTEST_BASE64,
        }
    }

    /// Adds the credentials in base64 anywhere in the text, also in base64 wrapped to lines of at least
    /// [`base64::WRAPPED`] characters.
    fn base64(&mut self, text: &str, depth: Depth, hits: &mut Vec<Hit>) {
        let bytes = text.as_bytes();
        let mut offset = 0;
        let shortest = self.shortest_base64();
        let unpadded = shortest - MOST_PADDING;
        while let Some(window) = bytes.get(offset..offset + unpadded) {
            // A long run that begins in this window reaches its last byte.
            let before = window.iter().rposition(|byte| !is_base64(*byte));
            if let Some(before) = before {
                offset += before + 1;
                if before + 1 == unpadded {
                    continue;
                }
            }
            let end = run_end(bytes, offset);
            if end - offset < unpadded {
                offset = end;
                continue;
            }
            let (end, before) = wrapped_end(bytes, offset..end);
            if !self.run(text, offset..end, depth, hits)
                && (before == end || !self.run(text, offset..before, depth, hits))
            {
                let mut from = offset;
                // Other characters of base64 may be joined to it, as in a path or a name.
                for part in text
                    .get(offset..end)
                    .unwrap_or_default()
                    .split_inclusive(['/', '-', '_', '+'])
                {
                    let length = part.trim_end_matches(['/', '-', '_', '+']).len();
                    if length < end - offset {
                        self.run(text, from..from + length, depth, hits);
                    }
                    from += part.len();
                }
            }
            offset = end;
        }
    }

    /// Adds the credentials in a run of base64 characters. Returns whether the run encodes text, even if that has no
    /// credential.
    fn run(&mut self, text: &str, range: Range<usize>, depth: Depth, hits: &mut Vec<Hit>) -> bool {
        let Some(run) = text.get(range.clone()) else {
            return false;
        };
        let is_long = run.len() >= SHORTEST_BASE64;
        if !is_long && (self.known.copies.is_none() || run.len() < SHORTEST_OF_COPY - MOST_PADDING)
            || !may_encode_text(run)
        {
            return false;
        }
        let joined: Cow<'_, str> = if run.contains('\n') {
            let lines = run.split_ascii_whitespace();
            Cow::Owned(lines.filter(|line| !is_sign(line.as_bytes())).collect())
        } else {
            Cow::Borrowed(run)
        };
        let decoded = match base64_text(&joined, &mut self.unpacked) {
            Ok(Some((decoded, _))) => Some(decoded),
            Ok(None) | Err(_) if is_long => base64_utf16(&joined),
            Ok(None) | Err(_) => short_base64(&joined),
        };
        let Some(decoded) = decoded else {
            return false;
        };
        let inside = Depth {
            all: depth.all + 1,
            ..depth
        };
        let mut inner = self.text(&decoded, inside);
        if !is_long {
            inner.retain(|hit| {
                matches!(
                    hit.cover,
                    Cover::Credential {
                        name: SENSITIVE,
                        ..
                    }
                )
            });
        }
        if !inner.is_empty() {
            hits.push(Hit {
                range,
                cover: Cover::Encoded {
                    notation: "base64",
                    text: decoded,
                    hits: inner,
                },
            });
        }
        true
    }
}

impl Scan<'_> {
    /// Adds the credentials in hexadecimal digits anywhere in the text.
    fn hexadecimal(&mut self, text: &str, depth: Depth, hits: &mut Vec<Hit>) {
        for range in hexadecimal::runs(text) {
            let Some(decoded) = text.get(range.clone()).and_then(hex_text) else {
                continue;
            };
            let inside = Depth {
                all: depth.all + 1,
                ..depth
            };
            let inner = self.text(&decoded, inside);
            if !inner.is_empty() {
                hits.push(Hit {
                    range,
                    cover: Cover::Encoded {
                        notation: "hexadecimal",
                        text: decoded,
                        hits: inner,
                    },
                });
            }
        }
    }
}

/// Removes overlaps: of several hits that overlap, the first and longest is kept, and extended to cover all of them.
/// `hits` has those of decoded texts first, so that equal credentials are the same however they are written.
fn apart(mut hits: Vec<Hit>) -> Vec<Hit> {
    if hits.len() < 2 {
        return hits;
    }
    hits.sort_by_key(|hit| (hit.range.start, Reverse(hit.range.end)));
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match kept.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                last.range.end = last.range.end.max(hit.range.end);
            }
            _ => kept.push(hit),
        }
    }
    kept
}

#[cfg(test)]
mod tests;

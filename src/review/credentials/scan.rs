//! Finds the credentials in one text, with the position of each.
//!
//! A text is read twice: as it is, and with its encodings decoded, which are escapes, percent signs and base64 anywhere
//! in it, also nested in each other. The result depends on the text and its name alone, so that a text can be shown
//! without its credentials wherever it occurs, and other texts are not touched.
//!
//! Cost: each level of escapes or base64 makes a text shorter, and there are at most `MAX_DEPTH` levels.
//!
//! ```text
//! "Server=db;Pwd=kX9vQ2"    Hit { range: 14..20, cover: Credential { name: "password", … } }
//! "UHdkPWtYOXZRMg=="         Hit { range: 0..16, cover: Encoded { text: "Pwd=kX9vQ2", hits: […] } }
//! ```

mod base64;
mod escapes;
mod pairs;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::forms::{credentials, key_lines};
use super::names::named;
use super::{Copies, SENSITIVE};
use crate::diff::embedded::{base64_text, base64_utf16, is_base64, short_base64};

use base64::{
    MOST_PADDING, SHORTEST_BASE64, SHORTEST_OF_COPY, is_sign, may_encode_text, run_end, wrapped_end,
};
use escapes::Plain;
use pairs::pairs;

/// The maximum number of encodings nested in each other.
const MAX_DEPTH: usize = 8;

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
    /// key has no line breaks.
    Credential { name: &'static str, secret: String },
    /// Base64 of a text with credentials, whose positions are those in the decoded text.
    Encoded { text: String, hits: Vec<Hit> },
}

impl Hit {
    /// Calls `found` with the name and the text of each credential in the hit.
    pub(in crate::review) fn each(&self, found: &mut dyn FnMut(&'static str, &str)) {
        match &self.cover {
            Cover::Credential { name, secret } => found(name, secret),
            Cover::Encoded { hits, .. } => hits.iter().for_each(|hit| hit.each(found)),
        }
    }
}

/// Returns the credentials in a text, in order and without overlaps. `name` is that of the attribute, member or
/// variable whose value the text is; `copies` are sensitive texts that are searched too.
pub(in crate::review) fn scan(text: &str, name: Option<&str>, copies: Option<&Copies>) -> Vec<Hit> {
    /// The minimum length of a credential, in bytes.
    const SHORTEST: usize = 4;
    if text.len() < SHORTEST {
        return Vec::new();
    }
    if let Some(name) = name.and_then(|name| named(name, text)) {
        return vec![Hit::new(0..text.len(), name, text.to_owned())];
    }
    let mut scan = Scan {
        unpacked: MAX_UNPACKED,
        copies,
    };
    scan.text(text, 0)
}

/// Whether a text without a name has a credential.
pub(in crate::review) fn is_in(text: &str) -> bool {
    !scan(text, None, None).is_empty()
}

impl Hit {
    fn new(range: Range<usize>, name: &'static str, secret: String) -> Self {
        Self {
            range,
            cover: Cover::Credential { name, secret },
        }
    }
}

/// The state of scanning one text.
struct Scan<'c> {
    /// The number of bytes that may still be decompressed.
    unpacked: usize,
    /// The sensitive texts whose copies are searched.
    copies: Option<&'c Copies>,
}

impl Scan<'_> {
    /// Returns the credentials in `text`, in order and without overlaps. Positions in a text without escapes are mapped
    /// back to the escaped text.
    fn text(&mut self, text: &str, depth: usize) -> Vec<Hit> {
        let mut hits = Vec::new();
        if depth < MAX_DEPTH
            && let Some(plain) = Plain::new(text)
        {
            let mut inner = self.text(&plain.text, depth + 1);
            for hit in &mut inner {
                hit.range = plain.original(hit.range.start)..plain.original(hit.range.end);
            }
            hits = inner;
        }
        if let Some(copies) = self.copies {
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
            pairs(text, &mut hits);
        }
        if depth < MAX_DEPTH {
            self.base64(text, depth, &mut hits);
        }
        apart(hits)
    }

    /// Returns the minimum length of base64 that is decoded. It is shorter if copies are searched, because a known text
    /// is not mistaken for something else.
    fn shortest_base64(&self) -> usize {
        match self.copies {
            Some(_) => SHORTEST_OF_COPY,
            None => SHORTEST_BASE64,
        }
    }

    /// Adds the credentials in base64 anywhere in the text, also in base64 wrapped to lines of at least
    /// [`base64::WRAPPED`] characters.
    fn base64(&mut self, text: &str, depth: usize, hits: &mut Vec<Hit>) {
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
    fn run(&mut self, text: &str, range: Range<usize>, depth: usize, hits: &mut Vec<Hit>) -> bool {
        let Some(run) = text.get(range.clone()) else {
            return false;
        };
        let is_long = run.len() >= SHORTEST_BASE64;
        if !is_long && (self.copies.is_none() || run.len() < SHORTEST_OF_COPY - MOST_PADDING)
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
        let mut inner = self.text(&decoded, depth + 1);
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
                    text: decoded,
                    hits: inner,
                },
            });
        }
        true
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

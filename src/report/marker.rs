//! The mark of a Markdown text, by which a bot finds the text that it wrote before, to update it.
//!
//! Invariant: reviews of different things have different marks, and a later review of the same thing has the same one,
//! whatever is in the plan by then.

use sha2::{Digest, Sha256};

/// What a text is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marker {
    /// For a person: the name of the plan, or empty for several.
    pub name: String,
    /// For a program: a hash of what was given.
    pub identity: String,
}

impl Marker {
    /// Returns a hash of what was given, in hexadecimal. The lengths of the parts count, so that `a`, `b`
    /// and `ab` differ.
    pub fn identity<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
        /// Enough that nobody finds two names with one hash.
        const BYTES: usize = 16;
        let mut hash = Sha256::new();
        for part in parts {
            let part = part.as_ref();
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let bytes = hash.finalize();
        bytes
            .iter()
            .take(BYTES)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Returns the comment in Markdown or HTML, without characters that end it or that are invisible.
    pub(super) fn comment(&self) -> String {
        /// The maximum length of the name, in characters.
        const MAX_LEN: usize = 120;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/".contains(c);
        let mut text = "tfview:review".to_owned();
        for word in [&self.name, &self.identity] {
            let word: String = word
                .chars()
                .take(MAX_LEN)
                .map(|c| if is_plain(c) { c } else { '_' })
                .collect();
            if !word.is_empty() {
                text.push(' ');
                text.push_str(&word);
            }
        }
        format!("<!-- {text} -->\n\n")
    }
}

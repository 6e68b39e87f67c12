//! The mark of a Markdown text, by which a bot finds the text that it wrote before, to update it.
//!
//! Invariant: reviews of different things have different marks, and later reviews of the same thing have the same mark,
//! whatever the plan contains by then.

use sha2::{Digest, Sha256};

/// The mark of a text, which says what the text is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marker {
    /// The name of the plan, for people; empty for several plans.
    pub name: String,
    /// The hash of the input, for programs.
    pub identity: String,
}

impl Marker {
    /// Returns a hash of some parts of the input, in hexadecimal. The lengths of the parts count, so that `a` and `b`
    /// have another hash than `ab`.
    pub fn identity<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> String {
        /// The length of the hash in bytes, which is enough that nobody finds two inputs with the same one.
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

    /// Returns the mark as a comment of Markdown and HTML. Characters that could end the comment, and invisible ones,
    /// are replaced.
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

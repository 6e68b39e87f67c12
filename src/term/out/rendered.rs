//! Output that is kept to be written to another writer.

use std::io;

use super::colours::sgr;
use super::{Out, OutputMode};

/// The output of a writer, to be written to another one later.
#[derive(Debug)]
pub struct Rendered(pub(super) Vec<u8>);

impl Rendered {
    /// The output of `write`, in the mode of the writer to which it will be written.
    pub fn new<E: From<io::Error>>(
        mode: OutputMode,
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut out = Out::kept(mode);
        write(&mut out)?;
        // Line prefixes and CI escaping are applied by the outer writer, unless the text has prefixes of
        // its own.
        if let Some(escaper) = &mut out.escaper {
            escaper.run(&out.buffer, &mut out.escaped);
            return Ok(Self(out.escaped));
        }
        Ok(Self(out.buffer))
    }

    /// The text, with the escape sequences of its styles.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The first non-empty line, without styles and comment sign.
    pub(super) fn title(&self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        let mut title = String::new();
        let mut rest = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        while let Some(at) = rest.find("\x1b[") {
            title.push_str(&rest[..at]);
            rest = &rest[at + sgr(&rest[at..]).unwrap_or(1)..];
        }
        title.push_str(rest);
        title.trim().trim_start_matches("# ").trim_end_matches(':').to_owned()
    }
}

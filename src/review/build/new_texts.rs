//! Finds texts of several lines that a change sets: scripts that machines run, configurations, keys.
//!
//! ```text
//! user_data  null -> "#!/bin/bash\ncurl -fsSL https://x.example/i.sh | sh\n"
//! user_data_base64 of a new machine: "IyEvYmluL2Jhc2gK…", which is decoded
//! ```
//!
//! For a text that changes, an edit has the lines that differ. For a new text, a review shows the first lines, because
//! an approver has to see what will run. Invariants: nothing sensitive is among the texts; the work is linear in the
//! strings of the change.

use std::borrow::Cow;

use bumpalo::Bump;

use crate::diff::edits::{Edit, Element, Format, Path, Step};
use crate::diff::embedded::base64_text;
use crate::diff::value::MarkedValue;
use crate::review::ChangeKind;
use crate::review::entry::NewText;
use crate::text::has_several_lines;

/// The maximum number of texts of one change.
const MAX_TEXTS: usize = 8;
/// The maximum number of bytes that compressed texts may have for one change (1 MiB).
const MAX_UNPACKED: usize = 1 << 20;
/// The maximum length of a string that is decoded, in bytes.
const MAX_ENCODED: usize = 1 << 20;

/// The names of attributes whose value runs on a machine, for example when it starts.
const PROGRAMS: [&str; 14] = [
    "bootstrap_script",
    "cloud_init",
    "command",
    "custom_data",
    "inline_code",
    "metadata_startup_script",
    "powershell_script",
    "script",
    "shutdown_script",
    "startup_script",
    "sysprep_specialize_script_cmd",
    "user_data",
    "user_data_base64",
    "windows_startup_script_ps1",
];

/// The beginnings of programs, whatever their attribute is called.
const STARTS: [&str; 5] = [
    "#!",
    "#cloud-config",
    "<powershell>",
    "<script>",
    "MIME-Version:",
];

/// Whether a text may be a program, by its beginning or by the name of its attribute. A program may be encoded.
fn may_be_program(name: &str, text: &str) -> bool {
    let has_name = |known: &str| {
        let name = name
            .bytes()
            .map(|byte| if byte == b'-' { b'_' } else { byte });
        name.eq(known.bytes())
    };
    STARTS.iter().any(|start| text.starts_with(start))
        || PROGRAMS.iter().any(|known| has_name(known))
}

/// Whether a text has several words. A single word is the hash that a provider stores, or a name.
fn has_words(text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
}

/// Finds the texts of several lines that edits set, and the programs of an object that is created.
pub(super) fn find<'a>(
    edits: &'a [Edit<'a>],
    kind: ChangeKind,
    arena: &'a Bump,
) -> Vec<NewText<'a>> {
    let mut finder = NewTextFinder {
        edit: 0,
        steps: Vec::new(),
        arena,
        budget: MAX_UNPACKED,
        texts: Vec::new(),
    };
    for (index, edit) in edits.iter().enumerate() {
        let is_new = edit.before.is_none_or(MarkedValue::is_null);
        let Some(after) = edit.after.filter(|_| is_new) else {
            continue;
        };
        finder.edit = index;
        if !edit.path.is_empty() || after.as_object().is_none() {
            finder.text(after, has_several_lines, |_| edit.path);
        } else if kind == ChangeKind::Create {
            finder.object(after);
        }
    }
    finder.texts
}

/// A search for the new texts of one change.
struct NewTextFinder<'a> {
    /// The index of the edit that is looked at.
    edit: usize,
    /// The names and elements on the path from the object to the current value.
    steps: Vec<Step<'a>>,
    /// The arena that receives the paths of the texts, which outlive the search.
    arena: &'a Bump,
    /// The number of bytes that may still be decompressed.
    budget: usize,
    /// The texts found so far, in the order of the document.
    texts: Vec<NewText<'a>>,
}

impl<'a> NewTextFinder<'a> {
    /// Searches a value for programs.
    fn object(&mut self, value: MarkedValue<'a>) {
        for (name, member) in value.as_object().unwrap_or_default() {
            self.steps.push(Step::Name(name));
            match member.as_str() {
                Some(text) if may_be_program(name, text) => {
                    self.text(*member, has_words, Self::path);
                }
                Some(_) => {}
                None => self.object(*member),
            }
            self.steps.pop();
        }
        let items = value.as_array().unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let element = Element::new([None, Some(index)], [0, items.len()]);
            self.steps.push(Step::Element(element));
            self.object(*item);
            self.steps.pop();
        }
    }

    /// Returns the path of the current value.
    fn path(&self) -> Path<'a> {
        let steps = self.steps.iter();
        steps.fold(Path::ROOT, |path, step| path.child(*step, self.arena))
    }

    /// Adds a text, or the text that it encodes, if `counts` is true for it.
    fn text(
        &mut self,
        value: MarkedValue<'a>,
        counts: impl Fn(&str) -> bool,
        path: impl Fn(&Self) -> Path<'a>,
    ) {
        let text = value.as_str().filter(|text| !text.is_empty());
        let Some(text) = text.filter(|_| !value.has_marks && self.texts.len() < MAX_TEXTS) else {
            return;
        };
        let decoded = match text.len() <= MAX_ENCODED {
            true => base64_text(text, &mut self.budget).ok().flatten(),
            false => None,
        };
        let (text, format) = match decoded {
            Some((decoded, true)) => (Cow::Owned(decoded), Some(Format::Gzip)),
            Some((decoded, false)) => (Cow::Owned(decoded), Some(Format::Base64)),
            None => (Cow::Borrowed(text), None),
        };
        if counts(&text) {
            self.texts.push(NewText {
                edit: self.edit,
                path: path(self),
                format,
                text,
            });
        }
    }
}

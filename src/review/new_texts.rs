//! Texts of several lines that a change sets: scripts that machines run, configurations, keys.
//!
//! ```text
//! user_data  null -> "#!/bin/bash\ncurl -fsSL https://x.example/i.sh | sh\n"
//! user_data_base64 of a new machine: "IyEvYmluL2Jhc2gK…", which is decoded
//! ```
//!
//! Of a text that changes, an edit has the lines that differ. Of one that is new, a review shows the first lines, because
//! an approver has to see what will run. Invariants: nothing sensitive is among the texts; the work is linear in the
//! strings of the change.

use std::borrow::Cow;

use bumpalo::Bump;

use super::ChangeKind;
use crate::diff::edits::{Edit, Element, Format, Path, Step};
use crate::diff::embedded::base64_text;
use crate::diff::value::{Content, MarkedValue};
use crate::text::has_several_lines;

/// The maximum number of texts of one change.
const MAX_TEXTS: usize = 8;
/// The maximum number of bytes that are unpacked for one change.
const MAX_UNPACKED: usize = 1 << 20;
/// Longer strings are not decoded.
const MAX_ENCODED: usize = 1 << 20;

/// A text that a change sets.
#[derive(Clone, Debug)]
pub struct NewText<'a> {
    /// The index of the edit that sets it, or creates its object.
    pub(crate) edit: usize,
    /// From the object.
    pub(crate) path: Path<'a>,
    /// How the value encodes the text.
    pub(crate) format: Option<Format>,
    pub(crate) text: Cow<'a, str>,
}

/// Attributes with what a machine runs when it starts.
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

/// How programs begin, whatever their attribute is called.
const STARTS: [&str; 5] = [
    "#!",
    "#cloud-config",
    "<powershell>",
    "<script>",
    "MIME-Version:",
];

/// Whether an attribute of this name holds a program, which may be encoded.
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

/// One word is the hash that a provider stores, or a name.
fn has_words(text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
}

/// Finds the texts of several lines that edits set, and the programs of an object that is created.
pub(super) fn find<'a>(
    edits: &'a [Edit<'a>],
    kind: ChangeKind,
    arena: &'a Bump,
) -> Vec<NewText<'a>> {
    let mut finder = Finder {
        arena,
        budget: MAX_UNPACKED,
        found: Vec::new(),
    };
    for (index, edit) in edits.iter().enumerate() {
        let (is_new, Some(after)) = (edit.before.is_none_or(MarkedValue::is_null), edit.after)
        else {
            continue;
        };
        if !is_new {
            continue;
        }
        if edit.path.is_empty() && after.as_object().is_some() {
            if kind == ChangeKind::Create {
                finder.object(index, edit.path, after);
            }
        } else {
            finder.text(index, edit.path, after, has_several_lines);
        }
    }
    finder.found
}

struct Finder<'a> {
    arena: &'a Bump,
    /// The bytes that may still be unpacked.
    budget: usize,
    found: Vec<NewText<'a>>,
}

impl<'a> Finder<'a> {
    /// Looks for programs in a value at this path.
    fn object(&mut self, edit: usize, path: Path<'a>, value: MarkedValue<'a>) {
        match value.content {
            Content::Object(members) => {
                for (name, member) in members {
                    match member.content {
                        Content::String(text) if may_be_program(name, text) => {
                            let path = path.child(Step::Name(name), self.arena);
                            self.text(edit, path, *member, has_words);
                        }
                        Content::Array(_) | Content::Object(_) => {
                            let path = path.child(Step::Name(name), self.arena);
                            self.object(edit, path, *member);
                        }
                        Content::Null
                        | Content::Unknown
                        | Content::Redacted
                        | Content::Bool(_)
                        | Content::Number(_)
                        | Content::String(_) => {}
                    }
                }
            }
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, i)| i.is_container()) {
                    let after = u32::try_from(index).ok();
                    let element = Element {
                        before: None,
                        after,
                        lengths: (0, u32::try_from(items.len()).unwrap_or(u32::MAX)),
                        is_set: false,
                        key: None,
                    };
                    let path = path.child(Step::Element(element), self.arena);
                    self.object(edit, path, *item);
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

    /// Adds a text, or what it encodes, if that is one that counts.
    fn text(
        &mut self,
        edit: usize,
        path: Path<'a>,
        value: MarkedValue<'a>,
        counts: impl Fn(&str) -> bool,
    ) {
        let Some(text) = value.as_str().filter(|text| !text.is_empty()) else {
            return;
        };
        if value.has_marks || self.found.len() == MAX_TEXTS {
            return;
        }
        if text.len() <= MAX_ENCODED
            && let Ok(Some((decoded, is_packed))) = base64_text(text, &mut self.budget)
        {
            if counts(&decoded) {
                let format = match is_packed {
                    true => Format::Gzip,
                    false => Format::Base64,
                };
                self.found.push(NewText {
                    edit,
                    path,
                    format: Some(format),
                    text: Cow::Owned(decoded),
                });
            }
        } else if counts(text) {
            self.found.push(NewText {
                edit,
                path,
                format: None,
                text: Cow::Borrowed(text),
            });
        }
    }
}

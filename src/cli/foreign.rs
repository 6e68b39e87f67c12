//! Recognizes files that hold no document of a tool, and says what to do instead.
//!
//! An error that only says "not JSON" makes people try again. These errors name all commands that lead to what the user
//! wants, with the tool that the input names or that is in `PATH`.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use super::Host;
use super::messages::ErrorWithTip;
use crate::dialect::Tool;
use crate::suggestion::most_similar;

/// A kind of text or file that holds no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// The words for what the text or file is.
    words: &'static str,
    /// The words before the commands in the tip.
    before_way: &'static str,
}

/// The words before the commands in the tip, for files that have nothing to do with the tools.
const OTHER: &str = "name a plan or a state, as from ";

/// The first bytes of other kinds of files, with the words for them.
const BINARY: [(&[u8], &str); 6] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
];

/// Phrases in the human-readable text of plans and runs.
const OF_RUNS: [&str; 8] = [
    "used the selected providers to generate",
    "will perform the following actions",
    "No changes. ",
    "Refreshing state...",
    "Apply complete!",
    "Destroy complete!",
    " to add, ",
    "An execution plan has been generated",
];

impl Foreign {
    /// Recognizes a text that holds no document; `None` for any other text.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let beginning = beginning(text);
        let (words, before_way) = if OF_RUNS.iter().any(|phrase| beginning.contains(phrase)) {
            ("the text of a plan or run, not JSON", "")
        } else if beginning.lines().any(begins_block) {
            (
                "a configuration, not a plan or state",
                "make a plan of it: ",
            )
        } else if beginning.trim_start().starts_with('<') {
            ("HTML or XML, not JSON", OTHER)
        } else if is_yaml(beginning) {
            ("YAML, not JSON", OTHER)
        } else {
            return None;
        };
        Some(Self { words, before_way })
    }

    /// Recognizes a file that is not text by its first bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (_, words) = BINARY.iter().find(|(start, _)| bytes.starts_with(start))?;
        Some(Self {
            words,
            before_way: OTHER,
        })
    }

    /// Makes the error for an input, with the commands for `tool` as its tip.
    pub(super) fn error(self, source: &impl fmt::Display, tool: &str) -> anyhow::Error {
        let Self { words, before_way } = self;
        ErrorWithTip::new(
            format!("cannot read {source}: {words}"),
            format!("{before_way}{}", way_to_review(tool)),
        )
        .into()
    }
}

/// Whether a line begins a block of a configuration.
fn begins_block(line: &str) -> bool {
    let (kind, rest) = line.split_once(' ').unwrap_or_default();
    match kind {
        "resource" | "data" | "module" | "provider" | "variable" | "output" => {
            rest.starts_with('"')
        }
        "locals" | "terraform" | "import" => rest.starts_with('{'),
        _ => false,
    }
}

/// Whether the first lines of a text are keys or elements of YAML.
fn is_yaml(text: &str) -> bool {
    let is_key = |line: &str| {
        line.trim_start_matches([' ', '-'])
            .split_once(':')
            .is_some_and(|(name, value)| {
                !name.is_empty()
                    && name
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
                    && (value.is_empty() || value.starts_with(' '))
            })
    };
    let mut lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (first, second) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    first == "---" || is_key(first) && (is_key(second) || second.trim_start().starts_with("- "))
}

/// Returns at most the first 64 KiB of a text, in which all of this is looked for.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(64 << 10)]
}

/// Returns the commands that lead from a configuration to a review.
pub(super) fn way_to_review(tool: &str) -> String {
    format!("`{tool} plan -out=tfplan && tfview review tfplan`")
}

/// Returns the tool to name in a tip: the one that the text names, or else the one that is in `PATH`; Terraform if both
/// or neither are.
pub(super) fn tool(text: &str, host: &Host) -> &'static str {
    let names = |name| beginning(text).contains(name);
    let is_there = |tool: Tool| {
        host.environment
            .find_program(OsStr::new(tool.command()))
            .is_some()
    };
    // OpenTofu's text never names Terraform before itself, but providers may.
    let is_opentofu = names("OpenTofu")
        || !names("Terraform") && !is_there(Tool::Terraform) && is_there(Tool::OpenTofu);
    if is_opentofu {
        Tool::OpenTofu.command()
    } else {
        Tool::Terraform.command()
    }
}

/// Returns a tip that names an existing file with a name like that of a missing one.
pub(super) fn similar_file(path: &Path) -> Option<String> {
    /// The maximum number of file names that are compared.
    const MAX_NAMES: usize = 10_000;
    let typed = path.file_name()?.to_string_lossy();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .take(MAX_NAMES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    // Directories are not sorted.
    names.sort_unstable();
    let name = most_similar(&typed, names.iter().map(String::as_str), str::to_owned)?;
    Some(format!(
        "a file with a similar name exists: {}",
        path.with_file_name(name).display()
    ))
}

#[cfg(test)]
mod tests;

//! Recognizes texts that people give instead of a plan, and says what to do instead.
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

/// A text that people give instead of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foreign {
    /// What the tool prints of a plan or a run without `-json`.
    TextOfRun,
    /// The configuration itself.
    Configuration,
}

impl Foreign {
    /// Recognizes a text; `None` for any other text.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let beginning = beginning(text);
        if OF_RUNS.iter().any(|phrase| beginning.contains(phrase)) {
            return Some(Self::TextOfRun);
        }
        beginning
            .lines()
            .any(begins_block)
            .then_some(Self::Configuration)
    }

    /// Makes the error for an input, with the commands for `tool` as its tip.
    pub(super) fn error(self, source: &impl fmt::Display, tool: &str) -> anyhow::Error {
        let way = way_to_review(tool);
        let (what, tip) = match self {
            Self::TextOfRun => ("the text of a plan or run, not JSON", way),
            Self::Configuration => (
                "a configuration, not a plan or state",
                format!("make a plan of it: {way}"),
            ),
        };
        ErrorWithTip::new(format!("cannot read {source}: {what}"), tip).into()
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

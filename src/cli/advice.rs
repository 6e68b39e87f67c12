//! Advice for inputs that tfview cannot read: what the input is, and all the commands to what the user wants.
//!
//! People pipe the text of a plan into a review, or name a configuration or a picture. An error that only
//! says "not JSON" makes them try again; these name the whole way, with the tool that the input or `PATH`
//! names.

use std::ffi::OsStr;
use std::path::Path;

use super::Host;
use crate::dialect::Tool;

/// The number of bytes of an input that are examined.
const LOOKED_AT: usize = 64 * 1024;

/// An input that is neither JSON nor a saved plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// What it is, in words.
    pub(super) words: &'static str,
    /// What precedes the way to what the user wants.
    before_way: &'static str,
}

/// What precedes the way for an input that is about something else.
const OTHER: &str = "name a plan or a state, as from ";

/// The first bytes of files that are no text.
const BINARY: [(&[u8], &str); 9] = [
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a picture or a sound"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"BZh", "a bzip2 archive"),
];

/// Phrases of the tools' text.
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

/// How lines of a configuration begin.
const OF_CONFIGURATIONS: [&str; 9] = [
    "resource \"",
    "data \"",
    "module \"",
    "provider \"",
    "variable \"",
    "output \"",
    "locals {",
    "terraform {",
    "import {",
];

impl Foreign {
    /// What a text is that contains no JSON.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let beginning = beginning(text);
        let has_line = |starts: &[&str]| {
            beginning.lines().any(|line| starts.iter().any(|start| line.starts_with(start)))
        };
        let (words, before_way) = if OF_RUNS.iter().any(|phrase| beginning.contains(phrase)) {
            ("the text of a plan or run, not JSON", "")
        } else if has_line(&OF_CONFIGURATIONS) {
            ("a configuration, not a plan or state", "make a plan of it: ")
        } else if beginning.trim_start().starts_with('<') {
            ("HTML or XML, not JSON", OTHER)
        } else if is_yaml(beginning) {
            ("YAML, not JSON", OTHER)
        } else {
            return None;
        };
        Some(Self { words, before_way })
    }

    /// What bytes are that are no text.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let found = BINARY.iter().find(|(start, _)| bytes.starts_with(start));
        found.map(|(_, words)| Self { words, before_way: OTHER })
    }

    /// The way to what the user wants. `tool` is the command of the tool.
    pub(super) fn way(self, tool: &str) -> String {
        format!("{}{}", self.before_way, way_to_review(tool))
    }
}

/// The commands from a configuration to a review.
pub(super) fn way_to_review(tool: &str) -> String {
    format!("`{tool} plan -out=tfplan && tfview review tfplan`")
}

/// The tip for a file that does not exist: one in its directory with a similar name.
pub(super) fn similar_file(path: &Path) -> Option<String> {
    /// The maximum number of names that are compared.
    const MAX_NAMES: usize = 10_000;
    let typed = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = std::fs::read_dir(folder).into_iter().flatten().take(MAX_NAMES).flatten();
    let distances = names.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let distance = strsim::osa_distance(&name, &typed);
        (3 * distance <= typed.chars().count()).then_some((distance, name))
    });
    let (_, name) = distances.min()?;
    Some(format!("a file with a similar name exists: {}", path.with_file_name(name).display()))
}

/// The command of the tool to name: that of the text, otherwise the one in `PATH`.
pub(super) fn tool(text: &str, host: &Host) -> &'static str {
    let beginning = beginning(text);
    // OpenTofu's text never names Terraform before itself, but providers may.
    match (beginning.contains("OpenTofu"), beginning.contains("Terraform")) {
        (true, _) => Tool::OpenTofu.command(),
        (false, true) => Tool::Terraform.command(),
        (false, false) => tool_in_path(host),
    }
}

/// The command of the tool in `PATH`: that of Terraform if there are both or none.
pub(super) fn tool_in_path(host: &Host) -> &'static str {
    let is_there = |tool: Tool| host.environment.find_program(OsStr::new(tool.command())).is_some();
    if !is_there(Tool::Terraform) && is_there(Tool::OpenTofu) {
        Tool::OpenTofu.command()
    } else {
        Tool::Terraform.command()
    }
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(LOOKED_AT)]
}

/// Whether a text begins with the marker of YAML, or its first two lines with a meaning do as in YAML.
fn is_yaml(text: &str) -> bool {
    let is_key = |line: &str| {
        let name = line.split_once(": ").map(|(name, _)| name).or_else(|| line.strip_suffix(':'));
        name.is_some_and(|name| {
            let name = name.trim_start().trim_start_matches("- ");
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        })
    };
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
    match (lines.next(), lines.next()) {
        (Some("---"), _) => true,
        (Some(first), Some(second)) => {
            is_key(first) && (is_key(second) || second.trim_start().starts_with("- "))
        }
        (Some(_) | None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_inputs_are_recognized() {
        for (text, expected) in [
            (
                "\nTerraform used the selected providers to generate the following plan",
                "the text of a plan or run, not JSON",
            ),
            ("a: Refreshing state... [id=1]\n", "the text of a plan or run, not JSON"),
            ("# x\n\nresource \"a\" \"b\" {\n}", "a configuration, not a plan or state"),
            ("# x\napiVersion: v1\nkind: Pod", "YAML, not JSON"),
            ("---\n- a", "YAML, not JSON"),
            ("<!DOCTYPE html>", "HTML or XML, not JSON"),
            ("error: something is wrong", ""),
            ("Error: x", ""),
            ("Error: x\n\n  on main.tf line 1", ""),
            ("", ""),
        ] {
            let words = Foreign::from_text(text).map_or("", |foreign| foreign.words);
            assert_eq!(words, expected, "{text}");
        }
        let picture = Foreign::from_bytes(b"\x89PNG\r\n");
        assert_eq!(picture.map(|foreign| foreign.words), Some("a PNG picture"));
        assert_eq!(Foreign::from_bytes(b"\xa6"), None);
    }
}

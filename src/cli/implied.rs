//! The subcommand implied by a document: `tfview FILE…`, `… | tfview`.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::Host;
use super::kind::{self, DocumentKind};
use super::units::beginning;

/// A subcommand implied by documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implied {
    /// `show`, for plans, states and unknown documents.
    Show,
    /// `stream`, for the messages of a run.
    Stream,
    /// `schema list`, for provider schemas and code specifications.
    SchemaList,
}

/// The number of bytes of a document that are examined.
const LOOKED_AT: usize = 64 * 1024;

/// Subcommands of the tools that users may try.
const OF_TOOLS: [&str; 12] = [
    "apply", "console", "destroy", "fmt", "import", "init", "output", "plan", "query", "refresh", "test",
    "validate",
];

/// The subcommand for the file or standard input.
pub(super) fn subcommand(file: Option<&OsStr>, host: &Host) -> io::Result<Implied> {
    let decided = match file.filter(|file| *file != "-") {
        None => host.peek(LOOKED_AT, decide)?,
        // `show` reports errors of the file.
        Some(file) => beginning(Path::new(file), LOOKED_AT as u64).ok().and_then(|bytes| decide(&bytes)),
    };
    Ok(decided.unwrap_or(Implied::Show))
}

/// The subcommand for a document that begins with these bytes; `None` if they do not suffice.
fn decide(bytes: &[u8]) -> Option<Implied> {
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&[0x1f, 0x8b]) {
        return Some(Implied::Show);
    }
    // In UTF-16, each character that is relevant here contains a NUL byte.
    let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&text);
    let starts = text.match_indices('{').map(|(at, _)| at).take(LOOKED_AT / 64);
    let mut kinds = starts.filter_map(|at| kind::detect_from_beginning(text.get(at..)?));
    let kind = kinds.find(|kind| !matches!(kind, DocumentKind::Empty | DocumentKind::Other))?;
    Some(if matches!(kind, DocumentKind::Messages | DocumentKind::Validation) {
        Implied::Stream
    } else if matches!(kind, DocumentKind::ProviderSchemas | DocumentKind::CodeSpecification) {
        Implied::SchemaList
    } else {
        Implied::Show
    })
}

/// A tip for a word that is neither a subcommand nor a file.
pub(super) fn tip(word: &OsStr, rest: &[std::ffi::OsString]) -> Option<String> {
    let text = word.to_str()?;
    let stem = PathBuf::from(text);
    let stem = stem.file_stem().and_then(OsStr::to_str)?;
    let rest: Vec<String> = rest.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if matches!(stem, "tofu" | "terraform" | "terragrunt") {
        return Some(format!("`tfview run {text} {}` runs it", rest.join(" ")).replace(" `", "`"));
    }
    if OF_TOOLS.contains(&text) && !Path::new(text).exists() {
        let command = [&["tfview run tofu".to_owned(), text.to_owned()], &*rest].concat().join(" ");
        return Some(format!("`{command}` runs it and shows what it does (or terraform instead of tofu)"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_by_their_beginning() {
        for (text, expected) in [
            (
                "{\"format_version\":\"1.2\",\"terraform_version\":\"1.9\",\"planned_values\":{",
                Some(Implied::Show),
            ),
            ("{\"@level\":\"info\",\"@message\":\"x\"}\n", Some(Implied::Stream)),
            ("{\"format_version\":\"1.0\",\"provider_schemas\":{", Some(Implied::SchemaList)),
            ("{\"datasources\":[{\"name\":\"x\"", Some(Implied::SchemaList)),
            ("{\"resources\":", Some(Implied::SchemaList)),
            ("Initializing...\n{\"@level\":\"info\"", Some(Implied::Stream)),
            ("\u{feff}{\"values\":", Some(Implied::Show)),
            ("{\n  \"valid\": true", Some(Implied::Stream)),
            ("[command]terraform show\n", None),
            ("{\"format_version\":\"1", None),
        ] {
            assert_eq!(decide(text.as_bytes()), expected, "{text}");
        }
        let utf16: Vec<u8> = "{\"@level\":1".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decide(&utf16), Some(Implied::Stream));
    }
}

//! Makes the errors for documents that a subcommand does not take.

use anyhow::bail;

use super::Host;
use super::foreign::{tool, way_to_review};
use super::input::Document;
use super::kind::{self, DocumentKind};
use super::messages::ErrorWithTip;

/// Checks that a text of a document is a plan.
///
/// # Errors
/// If it is another document; the error says what shows it.
pub(super) fn require_plan(document: &Document, text: &str, host: &Host) -> anyhow::Result<()> {
    let kind = kind::detect(text).map_err(|error| document.fault(&error))?;
    if kind == DocumentKind::Plan {
        return Ok(());
    }
    let error = refusal(document, kind);
    if matches!(kind, DocumentKind::State | DocumentKind::Messages) {
        let way = way_to_review(tool(text, host));
        bail!(error.and(&format!("; for a plan: {way}")));
    }
    Err(error.into())
}

/// Returns the error for a document of this kind that a subcommand does not take, with a tip.
pub(super) fn refusal(document: &Document, kind: DocumentKind) -> ErrorWithTip {
    let source = document.source();
    let what = match kind {
        DocumentKind::State => "a state, not a plan",
        // A `Reader` converts these, or says why it cannot.
        DocumentKind::Plan
        | DocumentKind::StateFile
        | DocumentKind::Encrypted
        | DocumentKind::Bookmark => DocumentKind::Other.description(),
        DocumentKind::ProviderSchemas
        | DocumentKind::CodeSpecification
        | DocumentKind::Validation
        | DocumentKind::Messages
        | DocumentKind::Outputs
        | DocumentKind::Configuration
        | DocumentKind::Version
        | DocumentKind::Functions
        | DocumentKind::Modules
        | DocumentKind::Sarif
        | DocumentKind::Empty
        | DocumentKind::Other => kind.description(),
    };
    let advice = match kind {
        DocumentKind::State => "`tfview show FILE` shows it",
        DocumentKind::Messages => "`tfview stream FILE` shows them",
        DocumentKind::Validation => "`tfview stream FILE` shows it",
        DocumentKind::ProviderSchemas | DocumentKind::CodeSpecification => {
            "give it to a plan: `--schemas FILE`"
        }
        DocumentKind::Outputs => "show the output of `terraform show -json` for them",
        DocumentKind::Configuration
        | DocumentKind::Version
        | DocumentKind::Functions
        | DocumentKind::Modules => "only plans and states are shown",
        DocumentKind::Sarif => "give it to the review of a plan: `--with FILE`",
        DocumentKind::Empty => "did the command that wrote it fail?",
        DocumentKind::Plan
        | DocumentKind::StateFile
        | DocumentKind::Encrypted
        | DocumentKind::Bookmark
        | DocumentKind::Other => "show the output of `terraform show -json` (or `tofu show -json`)",
    };
    let file = source
        .path()
        .map_or_else(|| "-".to_owned(), |path| path.display().to_string());
    ErrorWithTip::new(
        format!("cannot read {source}: {what}"),
        advice.replace("FILE", &file),
    )
}

/// Checks the version of a document's format.
///
/// # Errors
/// If it is not supported.
pub(super) fn refuse_unsupported(format_version: &str, document: &Document) -> anyhow::Result<()> {
    if kind::is_supported(format_version) {
        return Ok(());
    }
    bail!(ErrorWithTip::new(
        format!(
            "cannot read {}: format version {format_version} is not supported, only {}",
            document.source(),
            kind::SUPPORTED
        ),
        "update tfview"
    ))
}

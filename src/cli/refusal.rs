//! Errors for documents that are read but cannot be used: other kinds, and unsupported versions.

use anyhow::{anyhow, bail};

use super::Host;
use super::advice::{self, way_to_review};
use super::input::{Document, Source};
use super::kind::{self, Detected, DocumentKind};

/// Rejects a document that is not a plan.
pub(super) fn require_plan(document: &Document, text: &str, host: &Host) -> anyhow::Result<()> {
    let detected = kind::detect(text).map_err(|error| document.fault(&error))?;
    let source = document.source();
    let review = || way_to_review(advice::tool(text, host));
    if detected.kind == DocumentKind::State {
        bail!(
            "{source} is a state, but a plan is needed\n  tip: `tfview show {}` shows it; for a plan: {}",
            named(source),
            review()
        );
    }
    if detected.kind == DocumentKind::Messages {
        bail!(
            "cannot read {source}: the messages of a run, which do not contain the whole plan\n  tip: {}; `tfview stream \
             {}` shows the messages",
            review(),
            named(source)
        );
    }
    if detected.kind == DocumentKind::Plan { Ok(()) } else { Err(refusal(document, detected.kind)) }
}

/// Rejects a detected format version that is not supported.
pub(super) fn check_version(detected: &Detected, document: &Document) -> anyhow::Result<()> {
    refuse_unsupported(detected.format_version.as_deref().unwrap_or_default(), document)
}

/// Rejects a format version that is not supported.
pub(super) fn refuse_unsupported(format_version: &str, document: &Document) -> anyhow::Result<()> {
    if kind::is_supported(format_version) {
        return Ok(());
    }
    bail!(
        "cannot read {}: format version {format_version} is not supported, only {}\n  tip: update tfview",
        document.source(),
        kind::SUPPORTED
    )
}

/// The source as an argument of a command.
fn named(source: &Source) -> String {
    match source {
        Source::File(path) => path.display().to_string(),
        Source::Stdin => "-".to_owned(),
    }
}

/// The error, with a tip, for a document that is neither plan nor state.
pub(super) fn refusal(document: &Document, kind: DocumentKind) -> anyhow::Error {
    let source = document.source();
    const NO_TEXT: &str = "only plans and states are shown";
    const TO_SCHEMAS: &str = "give it to a plan: `--schemas FILE`";
    let (what, advice) = match kind {
        DocumentKind::Messages => ("the messages of a run", "`tfview stream FILE` shows them"),
        DocumentKind::Validation => ("the output of `validate -json`", "`tfview stream FILE` shows it"),
        DocumentKind::ProviderSchemas => ("the output of `providers schema -json`", TO_SCHEMAS),
        DocumentKind::CodeSpecification => ("a Provider Code Specification", TO_SCHEMAS),
        DocumentKind::StateFile => (
            "a state as the tools store it",
            "show the output of `terraform show -json` (or `tofu show -json`) in its folder",
        ),
        DocumentKind::Encrypted => {
            ("encrypted", "use the output of `tofu show -json`, in a folder with the key")
        }
        DocumentKind::Bookmark => (
            "a bookmark of a plan that a remote system keeps",
            "use the output of `terraform show -json`, with the right to read that run",
        ),
        DocumentKind::Outputs => {
            ("the output of `output -json`", "show the output of `terraform show -json` for them")
        }
        DocumentKind::Configuration => ("a configuration", NO_TEXT),
        DocumentKind::Version => ("the output of `version -json`", NO_TEXT),
        DocumentKind::Functions => ("the output of `metadata functions -json`", NO_TEXT),
        DocumentKind::Empty => ("an empty object", "did the command that wrote it fail?"),
        DocumentKind::Plan | DocumentKind::State | DocumentKind::Other => (
            "JSON, but neither a plan nor a state",
            "show the output of `terraform show -json` (or `tofu show -json`)",
        ),
    };
    let advice = advice.replace("FILE", &named(source));
    anyhow!("cannot read {source}: {what}\n  tip: {advice}")
}

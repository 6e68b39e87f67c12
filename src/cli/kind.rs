//! Detects the kind of a JSON document by the names of its top-level members.
//!
//! The formats have no common marker, and `jq -S` or scripts may reorder their members. Names that only one
//! kind has decide immediately, so that a large document is not read twice; names that several kinds have are
//! recorded.

use crate::json::{Error, ErrorKind, Members, Reader};

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    /// A plan (`show -json PLAN`), or the redacted plan of a remote run.
    Plan,
    /// A state (`show -json`).
    State,
    /// `providers schema -json`
    ProviderSchemas,
    /// A Provider Code Specification.
    CodeSpecification,
    /// `validate -json`
    Validation,
    /// The messages of a run.
    Messages,
    /// `output -json`
    Outputs,
    /// A state file (`terraform.tfstate`).
    StateFile,
    /// A plan or state that OpenTofu encrypted.
    Encrypted,
    /// A bookmark of a plan that a remote system keeps.
    Bookmark,
    /// A configuration (`show -json -module=DIR`).
    Configuration,
    /// `version -json`
    Version,
    /// `metadata functions -json`
    Functions,
    /// An object without members.
    Empty,
    /// None of these.
    Other,
}

/// The result of detection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detected {
    /// The kind.
    pub(super) kind: DocumentKind,
    /// The format version, if it comes before the member that decided.
    pub(super) format_version: Option<String>,
}

/// Detects the kind of the document that `text` begins with.
pub(super) fn detect(text: &str) -> Result<Detected, Error> {
    detect_with(text, &mut MembersSeen::default())
}

/// Detects the kind of a document from its beginning, if that suffices.
pub(super) fn detect_from_beginning(beginning: &str) -> Option<DocumentKind> {
    let mut seen = MembersSeen::default();
    match detect_with(beginning, &mut seen) {
        Ok(look) => Some(look.kind),
        Err(error) if error.kind == ErrorKind::UnexpectedEnd => seen.conclude_from_beginning(),
        Err(_) => None,
    }
}

fn detect_with(text: &str, seen: &mut MembersSeen) -> Result<Detected, Error> {
    if !text.trim_start().starts_with('{') {
        Reader::new(text).skip()?;
        return Ok(Detected { kind: DocumentKind::Other, format_version: None });
    }
    let mut members = Members::new(text);
    let mut format_version = None;
    while let Some(name) = members.next_key()? {
        if matches!(&*name, "format_version" | "plan_format_version" | "state_format_version") {
            format_version = Some(members.value()?.trim_matches('"').to_owned());
        }
        if let Some(kind) = decisive(&name) {
            return Ok(Detected { kind, format_version });
        }
        seen.note(&name, &mut members)?;
    }
    Ok(Detected { kind: seen.conclude(format_version.is_some()), format_version })
}

/// The only kind that has a member with this name.
fn decisive(name: &str) -> Option<DocumentKind> {
    Some(match name {
        "planned_values"
        | "resource_changes"
        | "resource_drift"
        | "output_changes"
        | "relevant_attributes"
        | "plan_format_version"
        | "prior_state"
        | "applyable"
        | "deferred_changes"
        | "action_invocations"
        | "deferred_action_invocations"
        | "saved_plan" => DocumentKind::Plan,
        "state_format_version" | "values" | "resource" => DocumentKind::State,
        "@message" | "@level" | "@timestamp" | "@module" => DocumentKind::Messages,
        "valid" | "error_count" | "warning_count" => DocumentKind::Validation,
        "lineage" | "serial" => DocumentKind::StateFile,
        "encrypted_data" => DocumentKind::Encrypted,
        "remote_plan_format" => DocumentKind::Bookmark,
        "function_signatures" => DocumentKind::Functions,
        "provider_selections" => DocumentKind::Version,
        _ => return None,
    })
}

/// The members seen so far that several kinds have.
#[derive(Default)]
struct MembersSeen {
    members: usize,
    outputs: usize,
    schemas: bool,
    provider: bool,
    specified: bool,
    configuration: bool,
    modules: bool,
    outputs_apart: bool,
    errored: bool,
}

impl MembersSeen {
    fn note(&mut self, name: &str, members: &mut Members<'_>) -> Result<(), Error> {
        self.members += 1;
        match name {
            "provider_schemas" => self.schemas = true,
            "provider" => self.provider = true,
            "datasources" | "resources" | "ephemeral_resources" | "functions" => self.specified = true,
            "configuration" | "variables" => self.configuration = true,
            "root_module" | "root" => self.modules = true,
            "outputs" | "root_module_outputs" => self.outputs_apart = true,
            "errored" | "complete" => self.errored = true,
            "format_version" | "terraform_version" | "version" => return Ok(()),
            _ => {}
        }
        self.outputs += usize::from(is_output(members.value()?));
        Ok(())
    }

    /// Decides from an incomplete document. Schemas are large, so there is often only their first member.
    fn conclude_from_beginning(&self) -> Option<DocumentKind> {
        if self.modules || self.outputs > 0 {
            None
        } else if self.schemas {
            Some(DocumentKind::ProviderSchemas)
        } else if self.specified || self.provider {
            Some(DocumentKind::CodeSpecification)
        } else {
            None
        }
    }

    fn conclude(&self, versioned: bool) -> DocumentKind {
        if self.modules && (self.outputs_apart || self.schemas) {
            DocumentKind::State // of a remote run, with modules and outputs at the top level
        } else if self.schemas {
            DocumentKind::ProviderSchemas
        } else if self.provider && (self.specified || self.members <= 2) {
            DocumentKind::CodeSpecification
        } else if self.errored {
            DocumentKind::Plan
        } else if self.modules || self.configuration {
            DocumentKind::Configuration
        } else if self.members == 0 {
            DocumentKind::Empty
        } else if self.outputs == self.members {
            DocumentKind::Outputs
        } else if versioned {
            // An empty state has only its versions, and possibly the results of checks.
            DocumentKind::State
        } else {
            DocumentKind::Other
        }
    }
}

/// Whether a value has the form of an output of `output -json`.
fn is_output(text: &str) -> bool {
    let mut members = Members::new(text);
    let mut found = 0;
    while let Ok(Some(name)) = members.next_key() {
        found += usize::from(matches!(&*name, "sensitive" | "type" | "value"));
    }
    found == 3
}

/// The supported format versions.
pub(super) const SUPPORTED: &str = "0.1 to 1.x";

/// Whether a format version is one of [`SUPPORTED`]. According to the format, minor versions only add
/// members that may be ignored. Documents without a version, as reduced by scripts, and versions that are
/// not numbers, as in tests, are not rejected either.
pub(super) fn is_supported(format_version: &str) -> bool {
    let major = format_version.split('.').next().unwrap_or_default();
    !major.bytes().all(|byte| byte.is_ascii_digit()) || matches!(major, "" | "0" | "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_documents_apart() {
        for (text, kind) in [
            (r#"{"format_version":"1.2","terraform_version":"1.9","planned_values":{"#, DocumentKind::Plan),
            (r#"{"resource_changes":[]}"#, DocumentKind::Plan),
            (r#"{"configuration":{},"errored":false,"format_version":"1.2"}"#, DocumentKind::Plan),
            (r#"{"plan_format_version":"1.1","provider_schemas":{}}"#, DocumentKind::Plan),
            (r#"{"provider_schemas":{},"resource_changes":[]}"#, DocumentKind::Plan),
            (r#"{"saved_plan":{},"provider_schemas":{},"errored":false}"#, DocumentKind::Plan),
            (r#"{"format_version":"1.0","terraform_version":"1.9","values":{}}"#, DocumentKind::State),
            (r#"{"format_version":"1.0"}"#, DocumentKind::State),
            (r#"{"outputs":{},"root_module":{}}"#, DocumentKind::State),
            (r#"{"format_version":"1.0","resource":{},"diagnostics":[]}"#, DocumentKind::State),
            (r#"{"format_version":"1.0","terraform_version":"1.9","checks":[{}]}"#, DocumentKind::State),
            (r#"{"format_version":"1.0","provider_schemas":{"a":{}}}"#, DocumentKind::ProviderSchemas),
            (r#"{"version":"0.1","provider":{"name":"x"},"resources":[]}"#, DocumentKind::CodeSpecification),
            (r#"{"provider":{"name":"x"}}"#, DocumentKind::CodeSpecification),
            (r#"{"format_version":"1.0","valid":true,"error_count":0}"#, DocumentKind::Validation),
            ("{\"@level\":\"info\",\"@message\":\"x\"}\n{\"@level\"", DocumentKind::Messages),
            (r#"{"a":{"sensitive":false,"type":"string","value":"b"}}"#, DocumentKind::Outputs),
            (r#"{"version":4,"terraform_version":"1.9","serial":3,"lineage":"x"}"#, DocumentKind::StateFile),
            (r#"{"serial":1,"lineage":"x","meta":{},"encrypted_data":"x"}"#, DocumentKind::StateFile),
            (r#"{"meta":{},"encrypted_data":"x","encryption_version":"v0"}"#, DocumentKind::Encrypted),
            (r#"{"remote_plan_format":1,"run_id":"run-1","hostname":"h"}"#, DocumentKind::Bookmark),
            (r#"{"format_version":"1.0","root_module":{"resources":[]}}"#, DocumentKind::Configuration),
            (r#"{"terraform_version":"1.9","platform":"x","provider_selections":{}}"#, DocumentKind::Version),
            (r#"{"format_version":"1.0","function_signatures":{}}"#, DocumentKind::Functions),
            ("[]", DocumentKind::Other),
            ("{}", DocumentKind::Empty),
            (r#"{"name":"x"}"#, DocumentKind::Other),
        ] {
            assert_eq!(detect(text).unwrap().kind, kind, "{text}");
        }
    }

    #[test]
    fn newer_minors_are_read_and_newer_majors_are_not() {
        for version in ["", "0.1", "0.2", "1.0", "1.2", "1.99", "test"] {
            assert!(is_supported(version), "{version}");
        }
        for version in ["2.0", "10.1"] {
            assert!(!is_supported(version), "{version}");
        }
    }
}

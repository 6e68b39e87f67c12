//! Detects the kind of a JSON document by the names of its top-level members.
//!
//! The formats have no marker in common, and `jq -S` or scripts may reorder their members. A name that only one kind
//! has decides at once, so that a large document is not read twice.

use std::borrow::Cow;

use crate::json::{Error, ErrorKind, Members, Reader};

/// The kinds of documents that are recognized, including those that no command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// A plan: `show -json PLAN`, or the redacted plan of a remote run.
    Plan,
    /// A state: `show -json`.
    State,
    /// The schemas of providers: `providers schema -json`.
    ProviderSchemas,
    /// A Provider Code Specification, from which code of a provider is generated.
    CodeSpecification,
    /// The result of a validation: `validate -json`.
    Validation,
    /// The messages of a run, as commands such as `apply -json` print them.
    Messages,
    /// The outputs of a state: `output -json`.
    Outputs,
    /// A raw state, such as `terraform.tfstate`.
    StateFile,
    /// A state that OpenTofu has encrypted.
    Encrypted,
    /// The file that `plan -out` writes for a remote run instead of a plan. It names the place of the plan.
    Bookmark,
    /// A configuration: `show -json -module=DIR`.
    Configuration,
    /// The version of a tool: `version -json`.
    Version,
    /// The signatures of functions: `metadata functions -json`.
    Functions,
    /// The modules of a configuration: `modules -json`.
    Modules,
    /// The results of a scanner, as SARIF (`--with` reads them).
    Sarif,
    /// An object without members.
    Empty,
    /// JSON of another kind.
    Other,
}

impl DocumentKind {
    /// Returns the kind in words, with an article, for a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Plan => "a plan",
            Self::State => "a state",
            Self::ProviderSchemas => "the output of `providers schema -json`",
            Self::CodeSpecification => "a Provider Code Specification",
            Self::Validation => "the output of `validate -json`",
            Self::Messages => "the messages of a run",
            Self::Outputs => "the output of `output -json`",
            Self::StateFile => "a raw state",
            Self::Encrypted => "an encrypted state",
            Self::Bookmark => "a bookmark of a remote run",
            Self::Configuration => "a configuration",
            Self::Version => "the output of `version -json`",
            Self::Functions => "the output of `metadata functions -json`",
            Self::Modules => "the output of `modules -json`",
            Self::Sarif => "the results of a scanner (SARIF)",
            Self::Empty => "an empty object",
            Self::Other => "JSON, but neither a plan nor a state",
        }
    }
}

/// Returns the kind of a document. The document is read only until its kind is certain.
///
/// # Errors
/// Returns an error if the text is not valid JSON up to that point.
pub fn detect(text: &str) -> Result<DocumentKind, Error> {
    TopLevelNames::default().read(text)
}

/// Whether a document is the JSON of a plan.
pub fn is_plan(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    detect(text) == Ok(DocumentKind::Plan)
}

/// Returns the kind of a document whose beginning is given; `None` if that does not determine the kind, or is not JSON.
pub fn detect_from_beginning(beginning: &str) -> Option<DocumentKind> {
    let mut members = TopLevelNames::default();
    match members.read(beginning) {
        Ok(kind) => Some(kind),
        Err(error) if error.kind == ErrorKind::UnexpectedEnd => members.conclude_from_beginning(),
        Err(_) => None,
    }
}

/// Returns the `format_version` of a document. It is empty if the document has none, or cannot be read that far.
pub fn format_version(text: &str) -> &str {
    let mut members = Members::new(text);
    while let Ok(Some(name)) = members.next_key() {
        if matches!(
            &*name,
            "format_version" | "plan_format_version" | "state_format_version"
        ) {
            return members.value().unwrap_or_default().trim_matches('"');
        }
    }
    ""
}

/// Returns the only kind of document that has a member of this name; `None` if several have, or none.
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

/// The names of the top-level members that were read so far, none of which is decisive.
#[derive(Default)]
struct TopLevelNames<'t> {
    /// The names in the order of the document.
    names: Vec<Cow<'t, str>>,
    /// The number of members that are objects like those of outputs.
    outputs: usize,
}

/// The names of members that contain modules, in a configuration or the state of a remote run.
const MODULES: [&str; 2] = ["root_module", "root"];
/// The names of the lists in a Provider Code Specification.
const SPECIFIED: [&str; 4] = [
    "datasources",
    "resources",
    "ephemeral_resources",
    "functions",
];

impl<'t> TopLevelNames<'t> {
    /// Reads a document until its kind is certain, and returns the kind.
    fn read(&mut self, text: &'t str) -> Result<DocumentKind, Error> {
        if !text.trim_start().starts_with('{') {
            Reader::new(text).skip()?;
            return Ok(DocumentKind::Other);
        }
        let mut members = Members::new(text);
        while let Some(name) = members.next_key()? {
            if let Some(kind) = decisive(&name) {
                return Ok(kind);
            }
            self.names.push(name);
            self.outputs += usize::from(is_output(members.value()?));
        }
        Ok(self.conclude())
    }

    fn has(&self, names: &[&str]) -> bool {
        self.names.iter().any(|name| names.contains(&&**name))
    }

    /// Returns the kind of a document of which only the beginning was read. Schemas are large, so the beginning often
    /// ends within their first member.
    fn conclude_from_beginning(&self) -> Option<DocumentKind> {
        if self.has(&MODULES) || self.outputs > 0 {
            None
        } else if self.has(&["provider_schemas"]) {
            Some(DocumentKind::ProviderSchemas)
        } else if self.has(&SPECIFIED) || self.has(&["provider"]) {
            Some(DocumentKind::CodeSpecification)
        } else {
            None
        }
    }

    /// Whether the document is an empty state, which has only its versions, and possibly a time and the results of
    /// checks. Documents of other kinds can have a version, too.
    fn is_empty_state(&self) -> bool {
        /// The members that an empty state may have.
        const MEMBERS: [&str; 4] = ["format_version", "terraform_version", "checks", "timestamp"];
        self.has(&["format_version"]) && self.names.iter().all(|name| MEMBERS.contains(&&**name))
    }

    /// Returns the kind that fits all members, for a complete document without a decisive one.
    fn conclude(&self) -> DocumentKind {
        let has_schemas = self.has(&["provider_schemas"]);
        if self.has(&MODULES) && (has_schemas || self.has(&["outputs", "root_module_outputs"])) {
            DocumentKind::State // of a remote run, with modules and outputs at the top level
        } else if has_schemas {
            DocumentKind::ProviderSchemas
        } else if self.has(&["provider"]) && (self.has(&SPECIFIED) || self.names.len() <= 2) {
            DocumentKind::CodeSpecification
        } else if self.has(&["errored", "complete"]) {
            DocumentKind::Plan
        } else if self.has(&MODULES) || self.has(&["configuration", "variables"]) {
            DocumentKind::Configuration
        } else if self.names.is_empty() {
            DocumentKind::Empty
        } else if self.outputs == self.names.len() {
            DocumentKind::Outputs
        } else if self.has(&["format_version"]) && self.has(&["modules"]) {
            DocumentKind::Modules
        } else if self.has(&["runs"]) && self.has(&["version", "$schema"]) {
            DocumentKind::Sarif
        } else if self.is_empty_state() {
            DocumentKind::State
        } else {
            DocumentKind::Other
        }
    }
}

/// Whether the text of a member is that of an output: `sensitive`, `type` and `value`.
fn is_output(text: &str) -> bool {
    let mut members = Members::new(text);
    let mut known_members = 0;
    while let Ok(Some(name)) = members.next_key() {
        known_members += usize::from(matches!(&*name, "sensitive" | "type" | "value"));
    }
    known_members == 3
}

/// The supported versions of the JSON output format, for messages.
pub const SUPPORTED: &str = "0.1 to 1.x";

/// Whether documents with this version are read. According to the format, minor versions only add members that may be
/// ignored. Documents without a version, which scripts may have reduced, and versions that are not numbers are not
/// rejected either.
pub fn is_supported(format_version: &str) -> bool {
    let major = format_version.split('.').next().unwrap_or_default();
    !major.bytes().all(|byte| byte.is_ascii_digit()) || matches!(major, "" | "0" | "1")
}

#[cfg(test)]
mod tests;

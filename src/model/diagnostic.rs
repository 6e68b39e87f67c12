//! Diagnostics: the errors and warnings in `diagnostic` messages and in the document of `validate -json`.
//!
//! Source: the format of `validate -json`, with the fields that either tool has added since.

use serde::Deserialize;

use super::plan::Change;
use crate::json::{Raw, Str};

/// An error or a warning.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Diagnostic<'a> {
    /// `error` or `warning`.
    #[serde(borrow)]
    pub severity: Str<'a>,
    /// The problem in a few words.
    pub summary: Str<'a>,
    /// The explanation; may be empty.
    pub detail: Str<'a>,
    /// The address of the resource instance that the diagnostic is about; may be empty.
    pub address: Str<'a>,
    /// The position in the configuration.
    pub range: Option<Range<'a>>,
    /// The code at that position.
    pub snippet: Option<Snippet<'a>>,
    /// The two sides of a failed comparison, unparsed.
    pub difference: Option<Raw<'a>>,
    /// The description of where a deprecated value comes from (OpenTofu).
    pub deprecation_origin_description: Str<'a>,
    /// The position in a policy (Terraform).
    pub policy_range: Option<Range<'a>>,
    /// The code of the policy (Terraform).
    pub policy_snippet: Option<Snippet<'a>>,
}

/// The severity of a diagnostic. A greater one is graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The run continues.
    Warning,
    /// The operation failed.
    Error,
    /// A severity that neither tool has used so far.
    Other,
}

impl<'a> Diagnostic<'a> {
    /// Returns the severity, parsed.
    pub fn severity(&self) -> Severity {
        match &*self.severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Other,
        }
    }

    /// Whether the diagnostic is about a `check` block, which never fails a run.
    pub fn is_in_check(&self) -> bool {
        let context = self
            .snippet
            .as_ref()
            .and_then(|snippet| snippet.context.as_deref());
        context.is_some_and(|context| context.starts_with("check "))
    }

    /// Returns the two sides of a failed comparison; `None` also if they are malformed.
    pub fn difference(&self) -> Option<Change<'a>> {
        self.difference.and_then(|raw| raw.read().ok())
    }
}

/// A range in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range<'a> {
    /// The file, as the tool names it.
    #[serde(borrow)]
    pub filename: Str<'a>,
    /// The first position (inclusive).
    pub start: Position,
    /// The last position (exclusive).
    pub end: Position,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// The offset in bytes, from 0.
    pub byte: u64,
}

/// The code that a diagnostic is about, with the values in it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Snippet<'a> {
    /// The header of the block that contains the code, such as `resource "aws_vpc" "main"`.
    #[serde(borrow)]
    pub context: Option<Str<'a>>,
    /// The lines of code.
    pub code: Str<'a>,
    /// The number of the first line, from 1.
    pub start_line: u64,
    /// The beginning of the marked part, as a byte offset in the code.
    pub highlight_start_offset: i64,
    /// The end of the marked part, as a byte offset in the code.
    pub highlight_end_offset: i64,
    /// The values of expressions in the code.
    pub values: Vec<ExpressionValue<'a>>,
    /// The function whose call failed.
    pub function_call: Option<FunctionCall<'a>>,
    /// The two sides of a failed assertion in a test (Terraform).
    pub test_assertion_expr: Option<TestAssertion<'a>>,
}

/// The value of an expression in the code, as a sentence.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExpressionValue<'a> {
    /// The expression, such as `var.name`.
    #[serde(borrow)]
    pub traversal: Str<'a>,
    /// The rest of a sentence that begins with the expression, such as `is a list of string`.
    pub statement: Str<'a>,
}

/// A failed call of a function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FunctionCall<'a> {
    /// The name by which it was called.
    #[serde(borrow)]
    pub called_as: Str<'a>,
    /// The parameters of the function.
    pub signature: Option<Signature<'a>>,
}

/// The parameters of a function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Signature<'a> {
    /// The parameters in order.
    #[serde(borrow)]
    pub params: Vec<Parameter<'a>>,
    /// The last parameter, if it may be repeated.
    pub variadic_param: Option<Parameter<'a>>,
}

/// A parameter of a function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Parameter<'a> {
    /// The name.
    #[serde(borrow)]
    pub name: Str<'a>,
}

/// A failed assertion of a test (Terraform).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestAssertion<'a> {
    /// The left side.
    #[serde(borrow)]
    pub lhs: Str<'a>,
    /// The right side.
    pub rhs: Str<'a>,
    /// A remark about the comparison.
    pub warning: Str<'a>,
    /// Whether both sides are shown in full.
    pub show_verbose: bool,
}

/// The document of `validate -json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Validation<'a> {
    /// Whether the configuration is valid.
    pub valid: bool,
    /// The number of errors.
    pub error_count: u64,
    /// The diagnostics, each unparsed so that a malformed one does not hide the others.
    #[serde(borrow)]
    pub diagnostics: Vec<Raw<'a>>,
}

//! Diagnostics: the errors and warnings of `diagnostic` messages and of `validate -json`.
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
    /// The problem, on one line.
    pub summary: Str<'a>,
    /// The problem in detail; may be empty.
    pub detail: Str<'a>,
    /// The address of the resource that it concerns.
    pub address: Str<'a>,
    /// The source range in the configuration.
    pub range: Option<Range<'a>>,
    /// The source code of that range.
    pub snippet: Option<Snippet<'a>>,
    /// The two sides of a failed comparison (OpenTofu).
    pub difference: Option<Raw<'a>>,
    /// The origin of a deprecation warning (Terraform).
    pub deprecation_origin_description: Str<'a>,
    /// The source range in a policy (Terraform).
    pub policy_range: Option<Range<'a>>,
    /// The source code of the range in the policy (Terraform).
    pub policy_snippet: Option<Snippet<'a>>,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run continues.
    Warning,
    /// The run fails.
    Error,
    /// A word that neither tool uses so far.
    Other,
}

impl<'a> Diagnostic<'a> {
    /// The parsed severity.
    pub fn severity(&self) -> Severity {
        match &*self.severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Other,
        }
    }

    /// Whether it concerns code in a `check` block.
    pub fn is_in_check(&self) -> bool {
        let context = self.snippet.as_ref().and_then(|snippet| snippet.context.as_deref());
        context.is_some_and(|context| context.starts_with("check "))
    }

    /// The two sides of a failed comparison; `None` if there are none, or if they are malformed.
    pub fn difference(&self) -> Option<Change<'a>> {
        self.difference.and_then(|raw| raw.read().ok())
    }
}

/// A source range.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range<'a> {
    /// The file.
    #[serde(borrow)]
    pub filename: Str<'a>,
    /// The start, inclusive.
    pub start: Position,
    /// The end, exclusive.
    pub end: Position,
}

/// A position in a file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
    /// The byte offset, from 0.
    pub byte: u64,
}

/// Source code, and the values of the expressions in it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Snippet<'a> {
    /// The block that contains the code.
    #[serde(borrow)]
    pub context: Option<Str<'a>>,
    /// The code, without its final line break.
    pub code: Str<'a>,
    /// The number of its first line.
    pub start_line: u64,
    /// The start of the faulty part, as a byte offset in the code.
    pub highlight_start_offset: i64,
    /// The end of the faulty part, as a byte offset in the code.
    pub highlight_end_offset: i64,
    /// The values of the expressions in the code.
    pub values: Vec<ExpressionValue<'a>>,
    /// The function call that failed.
    pub function_call: Option<FunctionCall<'a>>,
    /// The assertion of a test that failed (Terraform).
    pub test_assertion_expr: Option<TestAssertion<'a>>,
}

/// The value of an expression.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExpressionValue<'a> {
    /// The expression, such as `var.name`.
    #[serde(borrow)]
    pub traversal: Str<'a>,
    /// The rest of a sentence that begins with the expression, such as `is a list of string`.
    pub statement: Str<'a>,
}

/// A failed function call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FunctionCall<'a> {
    /// The name by which the function was called.
    #[serde(borrow)]
    pub called_as: Str<'a>,
    /// The function's signature.
    pub signature: Option<Signature<'a>>,
}

/// A function's signature.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Signature<'a> {
    /// Its parameters.
    #[serde(borrow)]
    pub params: Vec<Parameter<'a>>,
    /// The variadic parameter.
    pub variadic_param: Option<Parameter<'a>>,
}

/// A parameter of a function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Parameter<'a> {
    /// Its name.
    #[serde(borrow)]
    pub name: Str<'a>,
}

/// The assertion of a test that failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestAssertion<'a> {
    /// The left-hand side, as indented JSON.
    #[serde(borrow)]
    pub lhs: Str<'a>,
    /// The right-hand side, as indented JSON.
    pub rhs: Str<'a>,
    /// A warning about the comparison.
    pub warning: Str<'a>,
    /// Whether to show both sides in full.
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
    /// The errors and warnings, as [`Diagnostic`]s.
    #[serde(borrow)]
    pub diagnostics: Vec<Raw<'a>>,
}

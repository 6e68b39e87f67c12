//! Diagnostics: errors and warnings, in messages and in the document of `validate -json`.
//!
//! Source: the format of `validate -json`, with the fields that both tools added since.

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
    /// What is wrong, on one line.
    #[serde(borrow)]
    pub summary: Str<'a>,
    /// What is wrong, at length.
    #[serde(borrow)]
    pub detail: Str<'a>,
    /// The resource that it is about.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The place in the configuration.
    #[serde(borrow)]
    pub range: Option<Range<'a>>,
    /// The code at that place.
    #[serde(borrow)]
    pub snippet: Option<Snippet<'a>>,
    /// The two sides of a comparison that failed (OpenTofu).
    #[serde(borrow)]
    pub difference: Option<Raw<'a>>,
    /// Where a deprecation comes from (Terraform).
    #[serde(borrow)]
    pub deprecation_origin_description: Str<'a>,
    /// The place in a policy (Terraform).
    #[serde(borrow)]
    pub policy_range: Option<Range<'a>>,
    /// The code in a policy.
    #[serde(borrow)]
    pub policy_snippet: Option<Snippet<'a>>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run continues.
    Warning,
    /// It does not.
    Error,
    /// A word that neither tool uses today.
    Other,
}

impl<'a> Diagnostic<'a> {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match &*self.severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Other,
        }
    }

    /// Whether it is about code inside a `check` block.
    pub fn is_in_check(&self) -> bool {
        let context = self.snippet.as_ref().and_then(|snippet| snippet.context.as_deref());
        context.is_some_and(|context| context.starts_with("check "))
    }

    /// The two sides of a comparison that failed.
    pub fn difference(&self) -> Option<Change<'a>> {
        self.difference.and_then(|raw| raw.read().ok())
    }
}

/// A place in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range<'a> {
    /// The file.
    #[serde(borrow)]
    pub filename: Str<'a>,
    /// Where it begins.
    pub start: Position,
    /// Where it ends, exclusive.
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
    /// The byte, from 0.
    pub byte: u64,
}

/// Code of the configuration, and what is known of the values in it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Snippet<'a> {
    /// The block that contains the code.
    #[serde(borrow)]
    pub context: Option<Str<'a>>,
    /// The code, without its last line end.
    #[serde(borrow)]
    pub code: Str<'a>,
    /// The number of its first line.
    pub start_line: u64,
    /// Where in the code the fault begins, in bytes.
    pub highlight_start_offset: i64,
    /// Where it ends.
    pub highlight_end_offset: i64,
    /// What the expressions in the code came to.
    #[serde(borrow)]
    pub values: Vec<ExpressionValue<'a>>,
    /// The function call that failed.
    #[serde(borrow)]
    pub function_call: Option<FunctionCall<'a>>,
    /// The assertion of a test that failed (Terraform).
    #[serde(borrow)]
    pub test_assertion_expr: Option<TestAssertion<'a>>,
}

/// What an expression came to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExpressionValue<'a> {
    /// The expression.
    #[serde(borrow)]
    pub traversal: Str<'a>,
    /// What it came to, as words that follow it.
    #[serde(borrow)]
    pub statement: Str<'a>,
}

/// A function call that failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FunctionCall<'a> {
    /// The name that it was called by.
    #[serde(borrow)]
    pub called_as: Str<'a>,
    /// The function's signature.
    #[serde(borrow)]
    pub signature: Option<Signature<'a>>,
}

/// A function's signature.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Signature<'a> {
    /// Its parameters.
    #[serde(borrow)]
    pub params: Vec<Parameter<'a>>,
    /// The parameter that takes all further arguments.
    #[serde(borrow)]
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
    /// The left side, as indented JSON.
    #[serde(borrow)]
    pub lhs: Str<'a>,
    /// The right side.
    #[serde(borrow)]
    pub rhs: Str<'a>,
    /// A remark on the comparison.
    #[serde(borrow)]
    pub warning: Str<'a>,
    /// Both sides are to be shown whole.
    pub show_verbose: bool,
}

/// The document of `validate -json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Validation<'a> {
    /// The configuration is valid.
    pub valid: bool,
    /// How many errors there are.
    pub error_count: u64,
    /// Errors and warnings.
    #[serde(borrow)]
    pub diagnostics: Vec<Raw<'a>>,
}

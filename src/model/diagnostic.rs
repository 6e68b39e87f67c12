//! Diagnostics: the errors and warnings of `diagnostic` messages and of `validate -json`.
//!
//! Source: the format of `validate -json`, with the fields that either tool has added since.

use serde::Deserialize;

use super::plan::Change;
use crate::json::{Raw, Str};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Diagnostic<'a> {
    #[serde(borrow)]
    pub severity: Str<'a>,
    pub summary: Str<'a>,
    pub detail: Str<'a>,
    pub address: Str<'a>,
    pub range: Option<Range<'a>>,
    pub snippet: Option<Snippet<'a>>,
    /// The two sides of a failed comparison (OpenTofu).
    pub difference: Option<Raw<'a>>,
    pub deprecation_origin_description: Str<'a>,
    pub policy_range: Option<Range<'a>>,
    pub policy_snippet: Option<Snippet<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Warning,
    Error,
    /// A word that neither tool uses so far.
    Other,
}

impl<'a> Diagnostic<'a> {
    pub fn severity(&self) -> Severity {
        match &*self.severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Other,
        }
    }

    pub fn is_in_check(&self) -> bool {
        let context = self
            .snippet
            .as_ref()
            .and_then(|snippet| snippet.context.as_deref());
        context.is_some_and(|context| context.starts_with("check "))
    }

    /// `None` also if they are malformed.
    pub fn difference(&self) -> Option<Change<'a>> {
        self.difference.and_then(|raw| raw.read().ok())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range<'a> {
    #[serde(borrow)]
    pub filename: Str<'a>,
    /// Inclusive.
    pub start: Position,
    /// Exclusive.
    pub end: Position,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Position {
    /// From 1.
    pub line: u64,
    /// From 1.
    pub column: u64,
    /// From 0.
    pub byte: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Snippet<'a> {
    #[serde(borrow)]
    pub context: Option<Str<'a>>,
    pub code: Str<'a>,
    pub start_line: u64,
    /// A byte offset in the code.
    pub highlight_start_offset: i64,
    pub highlight_end_offset: i64,
    pub values: Vec<ExpressionValue<'a>>,
    pub function_call: Option<FunctionCall<'a>>,
    pub test_assertion_expr: Option<TestAssertion<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ExpressionValue<'a> {
    /// Such as `var.name`.
    #[serde(borrow)]
    pub traversal: Str<'a>,
    /// The rest of a sentence that begins with the expression, such as `is a list of string`.
    pub statement: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FunctionCall<'a> {
    #[serde(borrow)]
    pub called_as: Str<'a>,
    pub signature: Option<Signature<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Signature<'a> {
    #[serde(borrow)]
    pub params: Vec<Parameter<'a>>,
    pub variadic_param: Option<Parameter<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Parameter<'a> {
    #[serde(borrow)]
    pub name: Str<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TestAssertion<'a> {
    #[serde(borrow)]
    pub lhs: Str<'a>,
    pub rhs: Str<'a>,
    pub warning: Str<'a>,
    pub show_verbose: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Validation<'a> {
    pub valid: bool,
    pub error_count: u64,
    #[serde(borrow)]
    pub diagnostics: Vec<Raw<'a>>,
}

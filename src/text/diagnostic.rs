//! The text that the tools print around diagnostics.

use std::borrow::Cow;

use crate::dialect::{Dialect, Tool};

/// The rule above the values of a snippet's expressions.
pub const VALUES_RULE: &str = "├────────────────";

/// Shown in place of missing source code.
pub const NO_SOURCE: &str = "  (source code not available)";

impl Dialect {
    /// Whether the continuation lines of a multi-line value are prefixed by the rule as well.
    pub fn rules_every_line_of_a_value(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Whether markup such as `[bold]` takes effect in the detail of a diagnostic.
    pub fn eats_markup_in_details(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Whether an empty line follows the result of `validate`.
    pub fn spaces_the_verdict(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// The number of equal warnings without a source range, in a compact list.
    pub fn occurrences(self, count: usize) -> String {
        match self.tool {
            Tool::Terraform => format!("  ({count} occurences of this warning)"),
            Tool::OpenTofu => format!("  ({count} occurrences of this warning)"),
        }
    }

    /// The hint below a compact list of warnings.
    pub fn compact_hint(self) -> String {
        format!("To see the full warning notes, run {} without -compact-warnings.", self.product())
    }
}

/// The detail of a warning, with the number of similar warnings that are not shown.
pub fn with_similar(detail: &str, similar: usize) -> Cow<'_, str> {
    let elsewhere = match similar {
        0 => return Cow::Borrowed(detail),
        1 => "(and one more similar warning elsewhere)".to_owned(),
        _ => format!("(and {similar} more similar warnings elsewhere)"),
    };
    Cow::Owned(if detail.is_empty() { elsewhere } else { format!("{detail}\n\n{elsewhere}") })
}

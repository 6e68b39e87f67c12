//! What the tools say around diagnostics.

use std::borrow::Cow;

use crate::dialect::{Dialect, Tool};

/// The rule above what is known of a snippet's values.
pub const VALUES_RULE: &str = "├────────────────";

/// Stands where the code would.
pub const NO_SOURCE: &str = "  (source code not available)";

impl Dialect {
    /// Whether the second and further lines of a value stand behind the rule, too.
    pub fn rules_every_line_of_a_value(self) -> bool {
        match self.tool {
            Tool::Terraform => true,
            Tool::OpenTofu => false,
        }
    }

    /// Whether colour words in brackets (`[bold]`) act inside of a diagnostic's detail.
    pub fn eats_markup_in_details(self) -> bool {
        match self.tool {
            Tool::Terraform => true,
            Tool::OpenTofu => false,
        }
    }

    /// Whether an empty line follows the verdict on a configuration.
    pub fn spaces_the_verdict(self) -> bool {
        match self.tool {
            Tool::Terraform => true,
            Tool::OpenTofu => false,
        }
    }

    /// How many warnings without a place in the configuration were the same, in a compact list.
    pub fn occurrences(self, count: usize) -> String {
        match self.tool {
            Tool::Terraform => format!("  ({count} occurences of this warning)"),
            Tool::OpenTofu => format!("  ({count} occurrences of this warning)"),
        }
    }

    /// What follows a compact list of warnings.
    pub fn compact_hint(self) -> String {
        format!("To see the full warning notes, run {} without -compact-warnings.", self.product())
    }
}

/// A detail, with how many warnings like it are not shown.
pub fn with_similar(detail: &str, similar: usize) -> Cow<'_, str> {
    let elsewhere = match similar {
        0 => return Cow::Borrowed(detail),
        1 => "(and one more similar warning elsewhere)".to_owned(),
        _ => format!("(and {similar} more similar warnings elsewhere)"),
    };
    Cow::Owned(if detail.is_empty() { elsewhere } else { format!("{detail}\n\n{elsewhere}") })
}

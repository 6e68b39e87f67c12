//! Answers questions about the words and the layout of plans and diagnostics.
//!
//! Each method of [`Dialect`] here is a question that the tools or their releases answer differently.

use super::{Dialect, Tool};
use crate::model::Action;
use crate::term::Role;

/// The symbol before the title of an object, as parts of text with their roles.
pub type Symbol = &'static [(Role, &'static str)];

impl Dialect {
    /// Returns the symbol of an object that is removed from the state.
    pub fn forget_symbol(self) -> Symbol {
        match self.tool {
            Tool::Terraform => &[(Role::Plain, " "), (Role::Delete, ".")],
            Tool::OpenTofu => &[(Role::Plain, "  "), (Role::Delete, ".")],
        }
    }

    /// Returns the explanation of `~` in the legend.
    pub fn update_legend(self) -> &'static str {
        match self.tool {
            Tool::Terraform => "update in-place",
            Tool::OpenTofu if self.is_since(1, 11) => "update in-place (current -> planned)",
            Tool::OpenTofu => "update in-place",
        }
    }

    /// Whether the text explains what it means to remove an object from the state.
    pub fn explains_forget(self) -> bool {
        self.tool == Tool::OpenTofu
    }

    /// Returns where the legend explains replacements that keep the old object.
    pub fn kept_legend(self) -> KeptLegend {
        match self.tool {
            Tool::Terraform if self.is_since(1, 16) => KeptLegend::BeforeRead,
            Tool::Terraform => KeptLegend::Nowhere,
            Tool::OpenTofu => KeptLegend::AfterRead,
        }
    }

    /// Returns the indentation of the legend's line about replacements that keep the old object.
    pub fn kept_indent(self) -> &'static str {
        match self.tool {
            Tool::Terraform => "",
            Tool::OpenTofu => "  ",
        }
    }

    /// Whether a replacement that keeps the old object counts as an addition.
    pub fn counts_kept_as_added(self) -> bool {
        self.tool == Tool::OpenTofu || self.is_since(1, 16)
    }

    /// Returns the sentence about a tainted object, with markup.
    pub fn tainted(self) -> &'static str {
        match self.tool {
            Tool::Terraform => "is tainted, so must be [bold][red]replaced",
            Tool::OpenTofu => "is tainted, so it must be [bold][red]replaced",
        }
    }

    /// Returns the comment of an object that is removed from the state. `address` is the displayed address, `reason` is
    /// the action reason. The text has markup.
    pub fn forget_comment(self, address: &str, reason: &str, deposed: bool) -> String {
        match self.tool {
            Tool::OpenTofu => {
                let because = match reason {
                    _ if !self.is_since(1, 12) => "",
                    "forgot_because_lifecycle_destroy_in_state" => {
                        " \n (because [bold]lifecycle.destroy = false[reset] was configured before this resource was removed from the configuration)"
                    }
                    "forgot_because_lifecycle_destroy_in_config" => {
                        " \n (because [bold]lifecycle.destroy = false[reset] is set in the configuration)"
                    }
                    _ => "",
                };
                let left_over = if deposed { LEFT_OVER } else { "" };
                format!(
                    "[bold]  # {address}[reset] will be removed from the OpenTofu state [bold][red]but will not be destroyed[reset]{because}{left_over}"
                )
            }
            Tool::Terraform => {
                let (kept, left_over) = if deposed {
                    (
                        " will be removed from Terraform state, but [bold][red]will not be destroyed[reset]",
                        "\n[bold] # (left over from a partially-failed replacement of this instance)",
                    )
                } else {
                    (
                        " will no longer be managed by Terraform, but [bold][red]will not be destroyed[reset]",
                        "",
                    )
                };
                format!(
                    "[bold] # {address}[reset]{kept}{left_over}\n # (destroy = false is set in the configuration)"
                )
            }
        }
    }

    /// Returns the comment of an object that is replaced while the old one is kept. `address` is the displayed address,
    /// and `replacement` says why it is replaced. The text has markup.
    pub fn kept_comment(self, address: &str, replacement: &str, is_deposed: bool) -> String {
        match self.tool {
            Tool::OpenTofu => {
                let left_over = if is_deposed { LEFT_OVER } else { "" };
                format!(
                    "[bold]  # {address}[reset] {replacement}[reset] - [yellow]older instance will [bold]not[reset][yellow] be destroyed [reset]([bold]lifecycle.destroy = false[reset]){left_over}"
                )
            }
            Tool::Terraform => format!(
                "[bold] # {address}[reset] must be replaced, but the existing object will not be destroyed\n # (destroy = false is set in the configuration)"
            ),
        }
    }

    /// Whether the release knows `check` blocks, for which a data source may be read.
    pub fn knows_checks(self) -> bool {
        self.is_since(1, 5)
    }

    /// Whether the release knows `enabled = false`, because of which an instance may be destroyed.
    pub fn knows_enabled(self) -> bool {
        self.tool == Tool::OpenTofu && self.is_since(1, 11)
    }

    /// Whether the text has a header for actions that are invoked.
    pub fn names_invoked_actions(self) -> bool {
        self.tool == Tool::OpenTofu || self.is_since(1, 16)
    }

    /// Whether the text names the identity by which an object is imported.
    pub fn prints_imported_identity(self) -> bool {
        self.tool == Tool::OpenTofu && self.is_since(1, 12)
    }

    /// Whether the text has a line about an import that changes nothing.
    pub fn says_import_of_no_op(self) -> bool {
        self.tool == Tool::OpenTofu && self.is_since(1, 12)
    }

    /// Whether the values of an object that is removed from the state are shown.
    pub fn shows_forgotten_values(self) -> bool {
        self.tool == Tool::OpenTofu
    }

    /// Whether the line that begins with `Plan:` counts objects that are removed from the state.
    pub fn counts_forgotten(self) -> bool {
        self.tool == Tool::OpenTofu && self.is_since(1, 10)
    }

    /// Whether `action` replaces an object while keeping the old one.
    pub fn replaces_with(self, action: &Action) -> bool {
        match self.tool {
            Tool::Terraform if self.is_since(1, 16) => {
                matches!(action, Action::CreateThenForget | Action::ForgetThenCreate)
            }
            Tool::Terraform => matches!(action, Action::CreateThenForget),
            Tool::OpenTofu => matches!(action, Action::ForgetThenCreate),
        }
    }

    /// Whether the continuation lines of a value in a diagnostic have the vertical rule before them as well.
    pub fn rules_every_line_of_a_value(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Whether markup in the details of a diagnostic, such as `[bold]`, takes effect.
    pub fn eats_markup_in_details(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Whether an empty line follows the result of `validate`.
    pub fn spaces_the_verdict(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Returns the line that counts repeated warnings.
    pub fn occurrences(self, count: usize) -> String {
        match self.tool {
            Tool::Terraform => format!("  ({count} occurences of this warning)"),
            Tool::OpenTofu => format!("  ({count} occurrences of this warning)"),
        }
    }

    /// Returns the hint below compact warnings.
    pub fn compact_hint(self) -> String {
        format!(
            "To see the full warning notes, run {} without -compact-warnings.",
            self.product()
        )
    }
}

/// The place in the legend where replacements that keep the old object are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptLegend {
    /// Before the line about reading.
    BeforeRead,
    /// After the line about reading.
    AfterRead,
    /// In no line.
    Nowhere,
}

/// The line about a deposed object.
pub const LEFT_OVER: &str =
    "\n  # (left over from a partially-failed replacement of this instance)";

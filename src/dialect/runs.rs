//! Answers questions about the words and the layout of runs, as `super::plan` does about plans.

use super::{Dialect, Tool};

impl Dialect {
    /// Whether an empty line precedes the diagnostics of `init`.
    pub fn spaces_init_diagnostics(self) -> bool {
        self.tool == Tool::OpenTofu
    }

    /// Whether empty lines surround the plans and states of a verbose test.
    pub fn spaces_verbose_tests(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Returns the end of the sentence about objects that a test has left behind.
    pub fn left_behind(self) -> &'static str {
        match self.tool {
            Tool::Terraform => ", and they need to be cleaned up manually:",
            Tool::OpenTofu => {
                ", these left-over resources can be viewed by reading the statefile written to \
                 disk(errored_test.tfstate) and they need to be cleaned up manually:"
            }
        }
    }

    /// Whether the lines about an object that is being removed from the state say that it is `applying`.
    pub fn continues_forget_as_apply(self) -> bool {
        self.tool == Tool::Terraform
    }

    /// Returns how the elapsed time of an operation is written.
    pub fn elapsed_form(self) -> ElapsedForm {
        match self.tool {
            Tool::Terraform => ElapsedForm::Padded,
            Tool::OpenTofu => ElapsedForm::AsInGo,
        }
    }
}

/// The form in which the elapsed time of an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElapsedForm {
    /// `01m05s elapsed`
    Padded,
    /// `1m5s elapsed`
    AsInGo,
}

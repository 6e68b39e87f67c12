//! Why a plan and what became of it cannot be compared.

use crate::{diff, json};

/// Why a plan cannot be compared with its result, or a state with a later one.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// A value or a schema is malformed.
    #[error("{0}")]
    Values(#[from] diff::Error),
    /// The state is that of another configuration.
    #[error("the state has no object of the plan")]
    ForeignState,
    /// The messages are those of another plan's run.
    #[error("the run acts on no object of the plan")]
    ForeignRun,
    /// The messages are those of `test -json`.
    #[error("the messages are those of `test -json`, which applies no plan")]
    MessagesOfTests,
    /// The text has no message.
    #[error("there is no message in it")]
    NoMessages,
}

impl ResultError {
    /// Says what to try.
    pub fn tip(&self) -> Option<&'static str> {
        match self {
            Self::Values(_) => None,
            Self::ForeignState => Some("give the state of the configuration that was planned"),
            Self::ForeignRun => Some("give the messages of the run that applied this plan"),
            Self::MessagesOfTests => Some("give those of `apply -json`"),
            Self::NoMessages => {
                Some("give the output of `terraform apply -json` or `tofu apply -json`")
            }
        }
    }
}

impl From<json::Error> for ResultError {
    fn from(error: json::Error) -> Self {
        Self::Values(error.into())
    }
}

//! Defines the errors of comparing a plan with its result, or two states.

use crate::{diff, json};

/// The reason why a plan cannot be compared with its result, or a state with a later one.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// A value or a schema is malformed.
    #[error("{0}")]
    Values(#[from] diff::Error),
    /// The state belongs to another configuration.
    #[error("the state has no object of the plan")]
    ForeignState,
    /// The messages are from the run of another plan.
    #[error("the run acts on no object of the plan")]
    ForeignRun,
    /// The messages are from `test -json`, which applies no plan.
    #[error("the messages are those of `test -json`, which applies no plan")]
    MessagesOfTests,
    /// The text does not contain any message.
    #[error("there is no message in it")]
    NoMessages,
}

impl ResultError {
    /// Returns the advice to the user, if there is any.
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

//! Makes the texts of messages to the user.
//!
//! ```text
//! error: cannot read plan.json: empty
//!   tip: did the command that wrote it fail?
//! ```
//!
//! Messages are `error: …`, `warning: …` and `note: …` on standard error, with a line `  tip: …` for the advice.
//! Invariant: errors of the operating system are shown without their numbers.

use std::io;

use thiserror::Error;

use crate::text::{first_of, wrap};

/// The line break and the label before a tip.
const TIP: &str = "\n  tip: ";

/// Adds a line with advice to a text.
pub(super) fn with_tip(text: &str, tip: &str) -> String {
    format!("{text}{TIP}{tip}")
}

/// An error with advice, which [`chain`] writes below the causes of the error.
#[derive(Debug, Error)]
#[error("{text}")]
pub(super) struct ErrorWithTip {
    text: String,
    /// The advice; `None` if there is none.
    tip: Option<String>,
    #[source]
    cause: Option<anyhow::Error>,
}

impl ErrorWithTip {
    pub(super) fn new(text: impl Into<String>, tip: impl Into<String>) -> Self {
        Self::with(text, Some(tip))
    }

    /// Makes an error whose tip may be unknown.
    pub(super) fn with(text: impl Into<String>, tip: Option<impl Into<String>>) -> Self {
        Self {
            text: text.into(),
            tip: tip.map(Into::into),
            cause: None,
        }
    }

    /// Adds the cause of the error.
    pub(super) fn caused_by(self, cause: impl Into<anyhow::Error>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..self
        }
    }

    /// Appends to the tip.
    pub(super) fn and(mut self, more: &str) -> Self {
        self.tip.get_or_insert_default().push_str(more);
        self
    }
}

/// Returns a message with its label, wrapped to the width of the terminal. Without a terminal (`columns` is `None`),
/// lines are not wrapped, so that they can be searched.
pub(super) fn message(label: &str, text: &str, columns: Option<usize>) -> String {
    let text = format!("{label}: {text}");
    match columns {
        Some(columns) => wrapped(&text, columns),
        None => text,
    }
}

/// Joins an error and its causes, the outermost first, and adds their tips.
pub(super) fn chain(error: &anyhow::Error) -> String {
    let with_tips = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<ErrorWithTip>());
    let tips = with_tips.filter_map(|error| error.tip.as_deref());
    tips.fold(causes(error), |text, tip| with_tip(&text, tip))
}

/// Joins an error and its causes, the outermost first.
pub(super) fn causes(error: &anyhow::Error) -> String {
    let text = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<io::Error>()
            .map_or_else(|| cause.to_string(), io_text)
    };
    error.chain().map(text).collect::<Vec<_>>().join(": ")
}

/// Returns the text of an error of the operating system without its number.
pub(super) fn io_text(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error
        .raw_os_error()
        .map(|code| format!(" (os error {code})"));
    number
        .as_deref()
        .and_then(|number| text.strip_suffix(number))
        .unwrap_or(&text)
        .to_owned()
}

/// Wraps each line of a message; continuation lines of an indented one are indented too.
fn wrapped(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| match line.strip_prefix("  ") {
        Some(line) => {
            let line = wrap(line, columns.saturating_sub(2).max(1));
            format!("  {}", line.replace('\n', "\n  "))
        }
        None => wrap(line, columns),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Lists the first few names of types, and counts the others.
pub(super) fn first_names(types: &[String]) -> String {
    first_of(types, 3)
}

#[cfg(test)]
mod tests;

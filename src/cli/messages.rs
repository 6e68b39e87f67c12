//! The text of messages to the user.
//!
//! ```text
//! error: cannot read plan.json: empty
//!   tip: did the command that wrote it fail?
//! ```
//!
//! Messages are `error: …`, `warning: …` and `note: …` on standard error, with a line `  tip: …` for what to try.
//! Invariant: errors of the operating system are shown without their number.

use std::io;

use crate::text::{first_of, wrap};

const TIP: &str = "\n  tip: ";

/// Adds a line that says what to try.
pub(super) fn with_tip(text: &str, tip: &str) -> String {
    format!("{text}{TIP}{tip}")
}

/// The text of a message with its label. Without a terminal, lines are not wrapped, so that they can be searched.
pub(super) fn message(label: &str, text: &str, columns: Option<usize>) -> String {
    let text = format!("{label}: {text}");
    match columns {
        Some(columns) => wrapped(&text, columns),
        None => text,
    }
}

/// Joins the error and its causes, outermost first, followed by what they say to try.
pub(super) fn chain(error: &anyhow::Error) -> String {
    let (mut causes, mut tips) = (Vec::new(), String::new());
    for cause in error.chain() {
        let text = cause
            .downcast_ref::<io::Error>()
            .map_or_else(|| cause.to_string(), io_text);
        let (text, tip) = text
            .split_once(TIP)
            .map_or((&*text, None), |(text, tip)| (text, Some(tip)));
        causes.push(text.to_owned());
        tips.extend(tip.into_iter().flat_map(|tip| [TIP, tip]));
    }
    causes.join(": ") + &tips
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

/// Names the first few types, and counts the others.
pub(super) fn first_names(types: &[String]) -> String {
    first_of(types, 3)
}

#[cfg(test)]
mod tests;

//! The text of tfview's messages on standard error: `error: …`, `warning: …` and `note: …`, followed by a
//! line `  tip: …` if there is something to try.
//!
//! Invariant: errors of the operating system are shown by their sentence, without the number.

use std::io;

use crate::text::wrap;

/// The separator between a message and its tip.
const TIP: &str = "\n  tip: ";

/// `text` with a tip below it.
pub(super) fn with_tip(text: &str, tip: &str) -> String {
    format!("{text}{TIP}{tip}")
}

/// The printed text of a message, without the final line break. `label` says how grave it is.
///
/// `columns` is the width of the terminal. Without a terminal, lines are not wrapped, so that they can be
/// searched.
pub(super) fn message(label: &str, text: &str, columns: Option<usize>) -> String {
    let text = format!("{label}: {text}");
    match columns {
        Some(columns) => wrapped(&text, columns),
        None => text,
    }
}

/// The text of an error: its causes, the outermost first, then their tips.
pub(super) fn chain(error: &anyhow::Error) -> String {
    let (mut causes, mut tips) = (Vec::new(), String::new());
    for cause in error.chain() {
        let text = cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), io_text);
        let (text, tip) = text.split_once(TIP).map_or((&*text, None), |(text, tip)| (text, Some(tip)));
        causes.push(text.to_owned());
        tips.extend(tip.into_iter().flat_map(|tip| [TIP, tip]));
    }
    causes.join(": ") + &tips
}

/// The text of an operating system error, without its number.
pub(super) fn io_text(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|code| format!(" (os error {code})"));
    number.as_deref().and_then(|number| text.strip_suffix(number)).unwrap_or(&text).to_owned()
}

/// Wraps long lines between words. Continuation lines of a tip are indented like the first.
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

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_failed_call_is_reported_without_its_number() {
        let error = Err::<(), _>(io::Error::from_raw_os_error(2)).context("cannot read a.json").unwrap_err();
        assert!(!chain(&error).contains("os error"), "{}", chain(&error));
        assert!(chain(&error).starts_with("cannot read a.json: "), "{}", chain(&error));
    }

    #[test]
    fn a_tip_is_the_last_line() {
        let error = anyhow::anyhow!(with_tip("it is empty", "did the command fail?")).context("plan 2 of 3");
        assert_eq!(chain(&error), "plan 2 of 3: it is empty\n  tip: did the command fail?");
    }

    #[test]
    fn messages_wrap_on_a_terminal_only() {
        let text = with_tip("no schemas of this provider", "keep schemas with `tfview schema add`");
        assert_eq!(
            message("error", &text, None),
            "error: no schemas of this provider\n  tip: keep schemas with `tfview schema add`"
        );
        assert_eq!(
            message("error", &text, Some(24)),
            "error: no schemas of\nthis provider\n  tip: keep schemas with\n  `tfview schema add`"
        );
    }
}

//! Versions, logs, states that could not be saved, and text that is not a message.

use std::io;

use crate::json::Raw;
use crate::stream::event::{LongLineKind, TextEvent, Version};
use crate::stream::output::Output;
use crate::term::{Role, Untrusted};
use crate::text::stream::provider_line;

use super::Context;

/// Versions are not shown.
pub(super) fn version(version: &Version<'_>, output: &mut Output<'_>) -> io::Result<()> {
    if !version.is_foreign() {
        return Ok(());
    }
    let format = version.format.unwrap_or_default();
    output.note(&format!(
        "the messages have format {format}, which is newer than this program: they are shown by what they say alone"
    ))
}

/// Shows a line of the tool's log. Those of `init` are usually about a provider.
pub(super) fn log(context: &mut Context<'_, '_>) -> io::Result<()> {
    let Context { event, state, output } = context;
    let text = event.text();
    if !state.is_init {
        return output.line(Role::Plain, &text);
    }
    match provider_line(&text) {
        Some(line) => output.line(Role::Plain, &line),
        None if event.is_error() => output.line(Role::Plain, &text),
        None => output.line(Role::Plain, text.trim_end()),
    }
}

/// Saves a state that the tool could not save. It contains all sensitive values.
pub(super) fn unsaved_state(
    json: Raw<'_>,
    show_sensitive: bool,
    context: &mut Context<'_, '_>,
) -> io::Result<()> {
    let Context { event, output, .. } = context;
    output.line(Role::Plain, &event.text())?;
    if show_sensitive {
        return output.line(Role::Plain, json.text());
    }
    match output.documents().rescue(json.text()) {
        Ok(place) => output.note(&format!(
            "the tool could not save its state; it was kept in {place}, not shown: it holds secrets"
        )),
        Err(error) => output.note(&format!(
            "the tool could not save its state, and neither could this program ({error:#}). It is not shown, \
             because it holds secrets; --tee keeps the messages as they came, --show-sensitive shows it"
        )),
    }
}

/// Shows text that is not a message.
pub(super) fn text(text: &TextEvent<'_>, output: &mut Output<'_>) -> io::Result<()> {
    match text {
        TextEvent::Line { text, has_line_feed } => line(text, *has_line_feed, output),
        TextEvent::LongLineStarted => output.text().map(|_| ()),
        TextEvent::LongLinePart(part) => output.text()?.data(Untrusted(part)),
        TextEvent::LongLineEnded { kind, has_line_feed } => long_line_ended(*kind, *has_line_feed, output),
        TextEvent::PartialMessage { text, .. } => {
            output.line(Role::Plain, text)?;
            output.note("a line that is not whole JSON is shown by its @message alone: it may hold secrets")
        }
        TextEvent::Withheld { length, .. } => output.note(&format!(
            "{length} bytes of other text are not shown, because they may contain secrets \
             (`tfview show` shows plans and states)"
        )),
        TextEvent::AroundMessages => {
            output.note("messages have other text around them on their lines, which is left out")
        }
        TextEvent::Archive => {
            output.note("the input is an archive and not shown: `tfview show` shows a saved plan")
        }
        TextEvent::CutOff => Ok(()),
    }
}

fn line(text: &str, has_line_feed: bool, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    // A CR at the end is written with the line feed, so that it is recognised as a CR LF.
    out.data(Untrusted(text.strip_suffix('\r').unwrap_or(text)))?;
    match (text.ends_with('\r'), has_line_feed) {
        (true, true) => out.lit("\r\n"),
        (true, false) => out.data(Untrusted("\r")),
        (false, true) => out.lit("\n"),
        (false, false) => Ok(()),
    }
}

fn long_line_ended(kind: LongLineKind, has_line_feed: bool, output: &mut Output<'_>) -> io::Result<()> {
    let out = output.text()?;
    match kind {
        LongLineKind::Text => out.lit(if has_line_feed { "\n" } else { "" }),
        LongLineKind::Message { length, .. } => {
            out.lit("\n")?;
            output.note(&format!("of a message of {length} bytes, only what it says is shown"))
        }
        LongLineKind::Withheld { length, is_partly_shown, .. } => {
            if is_partly_shown {
                out.lit("\n")?;
            }
            output.note(&format!("a line of {length} bytes is not shown to its end: it may hold secrets"))
        }
    }
}

//! The runs of one input, told apart by the labels of its lines.
//!
//! Invariants: each run has its own state, so that no message of one closes what another has open; lines without a
//! label belong to the first run; what a label is does not depend on how the bytes are split.

mod label;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::message::Message;
use crate::stream::Ending;
use crate::stream::input::cleaned;
use crate::text::{count, first_of};
use label::Labelled;

/// The outcome of all runs together. That of a single run is its own.
pub(super) fn merged(mut runs: Vec<Ending>) -> Ending {
    if runs.len() == 1
        && let Some(only) = runs.pop()
    {
        return only;
    }
    let mut whole = Ending::default();
    for ending in &runs {
        let name = &ending.name;
        whole.failed |= ending.failed;
        let label = if name.is_empty() { String::new() } else { format!("[{name}] ") };
        let add = |text: &mut String, more: &str| {
            let lines = more.lines().filter(|line| !line.trim().is_empty());
            lines.for_each(|line| text.extend([&*label, line, "\n"]));
        };
        if let Some(summary) = &ending.tool_summary {
            add(whole.tool_summary.get_or_insert_default(), summary);
        }
        add(&mut whole.recap, &ending.recap);
        if let Some(annotations) = &ending.annotations {
            match &mut whole.annotations {
                Some(all) => all.extend(annotations),
                None => whole.annotations = Some(annotations.clone()),
            }
        }
    }
    whole.runs = runs;
    whole
}

/// The sentence about several runs; `None` if there is only one.
pub(super) fn sentence(runs: &[Ending]) -> Option<String> {
    const NAMED: usize = 10;
    if runs.is_empty() {
        return None;
    }
    let failed = runs.iter().filter(|run| run.failed).map(|run| &*run.name);
    let failed: Vec<&str> =
        failed.map(|name| if name.is_empty() { "the one without a label" } else { name }).collect();
    let all = count(runs.len(), "run");
    if failed.is_empty() {
        return Some(format!("{all}, all succeeded"));
    }
    Some(format!("{all}, {} failed: {}", failed.len(), first_of(&failed, NAMED)))
}

/// The maximum number of runs that are told apart; the lines of further ones belong to the first.
const MAX_RUNS: usize = 4_096;

/// Tells to which run a line belongs.
#[derive(Debug, Default)]
pub(super) struct Router {
    /// The index of the run of each label. The run without a label is the first.
    runs: HashMap<String, usize>,
}

/// A line of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Routed {
    /// The index of the run.
    pub(super) run: usize,
    /// The label, if the line is the first of its run.
    pub(super) is_new: Option<String>,
    /// The line, or lines, without the label.
    pub(super) text: String,
}

impl Router {
    /// The run of a line; `None` if the line has no label, and belongs to the first.
    ///
    /// A new label counts only before a message: other programs write words in brackets too.
    pub(super) fn route(&mut self, line: &[u8]) -> Option<Routed> {
        if !label::may_begin(line) {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?;
        let line: Cow<'_, str> = cleaned(line);
        let Labelled { label, text } = label::parse(&line)?;
        if let Some(run) = self.runs.get(&*label) {
            return Some(Routed { run: *run, is_new: None, text: text.into_owned() });
        }
        let is_message =
            text.lines().any(|line| line.trim_start().starts_with('{') && Message::parse(line).is_some());
        if !is_message || self.runs.len() >= MAX_RUNS {
            return None;
        }
        let run = self.runs.len() + 1;
        self.runs.insert(label.clone().into_owned(), run);
        Some(Routed { run, is_new: Some(label.into_owned()), text: text.into_owned() })
    }
}

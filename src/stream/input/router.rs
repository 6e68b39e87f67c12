//! Which run a line belongs to, by the label that a collector has written before it.
//!
//! ```text
//! [prod/vpc] {"@level":"info",…}     a new run, prod/vpc
//! [prod/vpc] some text               the run prod/vpc
//! [other] some text                  an unknown label, because no message had it: shown in the first run
//! some text                          the first run
//! ```

use std::collections::HashMap;

use super::collectors::{self, LabelledLine};
use super::finder::is_of_other_logger;
use crate::model::message::Message;

/// The lines of further runs belong to the first.
const MAX_RUNS: usize = 4_096;

/// Knows the runs of an input by their labels.
#[derive(Debug, Default)]
pub(in crate::stream) struct Router {
    /// The run without a label is the first.
    runs: HashMap<String, usize>,
}

/// Where a line belongs.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::stream) enum Route {
    /// The line has no label, and belongs to the first run.
    First,
    /// The label is not that of a run: other programs write words in brackets too. The line is shown in the first
    /// run, but its text is judged together with the other lines of the label.
    Unknown { label: String, text: String },
    /// The line belongs to this run.
    Run {
        /// Its index.
        run: usize,
        /// The label, if the line is the first of its run.
        is_new: Option<String>,
        text: String,
    },
}

impl Router {
    /// A new label counts only before a message.
    pub(in crate::stream) fn route(&mut self, line: &str) -> Route {
        let Some(LabelledLine { label, text }) = collectors::split(line) else {
            return match collectors::split_piped(line) {
                Some(LabelledLine { label, text }) => Route::Unknown { label, text },
                None => Route::First,
            };
        };
        if let Some(run) = self.runs.get(&label) {
            return Route::Run {
                run: *run,
                is_new: None,
                text,
            };
        }
        let is_message = text.lines().any(|line| {
            line.trim_start().starts_with('{')
                && Message::parse(line).is_some_and(|message| !is_of_other_logger(&message))
        });
        if !is_message || self.runs.len() >= MAX_RUNS {
            return Route::Unknown { label, text };
        }
        let run = self.runs.len() + 1;
        self.runs.insert(label.clone(), run);
        Route::Run {
            run,
            is_new: Some(label),
            text,
        }
    }
}

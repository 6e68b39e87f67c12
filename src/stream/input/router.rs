//! Assigns lines to runs, by the label that a collector has written before each line.
//!
//! Invariant: a label becomes that of a run only by a message of the tool, because other programs write words in
//! brackets too.
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

/// The maximum number of runs with a label. Lines with further labels are shown in the first run.
const MAX_RUNS: usize = 4_096;

/// The labels of the runs of an input.
#[derive(Debug, Default)]
pub(in crate::stream) struct Router {
    /// The index of each run by its label. Index 0 is that of the run without a label, which is not in the map.
    runs: HashMap<String, usize>,
}

/// The run that a line belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::stream) enum Route {
    /// The line has no label, and belongs to the first run.
    First,
    /// The line has a label that is not that of a run. It is shown in the first run, but whether it may contain secrets
    /// is judged together with the other lines of the label.
    Unknown { label: String, text: String },
    /// The line belongs to a run with a label.
    Run {
        /// The index of the run.
        run: usize,
        /// The label, if the line is the first of its run.
        is_new: Option<String>,
        /// The text of the line without the label.
        text: String,
    },
}

impl Router {
    /// Returns the run that a line belongs to. A new label begins a run only if a message follows it.
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

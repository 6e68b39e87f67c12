//! Sentences about the outcome of a run, for all sinks that contain them.

use crate::stream::End;
use crate::stream::state::{State, Tested, Verdict};

use super::RunEnd;

/// The outcome of the run, in a sentence or two.
pub(super) fn headline(end: RunEnd<'_>) -> String {
    match end.verdict {
        Verdict::NoMessage => "No message of a run came.".to_owned(),
        Verdict::Failed if is_only_tests(end.state) => "Tests failed.".to_owned(),
        Verdict::Failed | Verdict::CutOff | Verdict::NothingBegan | Verdict::Foreign => {
            let (text, counts) = failure(end);
            format!("{text}{counts}")
        }
        Verdict::Fine => end.state.tool_summary.as_deref().unwrap_or("The run succeeded.").to_owned(),
    }
}

/// Whether the only failures are those of tests, which the summary of the tests counts.
pub(super) fn is_only_tests(state: &State) -> bool {
    let failures = &state.failures;
    state.tests == Tested::Failed && failures.error_count == 0 && failures.operation_count == 0
}

/// Whether the run has not changed anything.
pub(super) fn changed_nothing(state: &State) -> bool {
    !state.parts.is_applying() && state.counts().is_empty()
}

/// How the run failed, and the counts of what was done before.
pub(super) fn failure(end: RunEnd<'_>) -> (&'static str, String) {
    let state = end.state;
    let changed_nothing = changed_nothing(state);
    let failed = state.failures.operation_count;
    let text = match (end.input, end.verdict) {
        (End::Interrupted, _) => "This display was interrupted; the run may still be going on.",
        (End::Unreadable, _) => "The run's messages could not be read to their end.",
        (End::Closed, Verdict::CutOff) => "The run was cut off: its messages end in the middle.",
        (End::Closed, Verdict::NothingBegan) => {
            "The run was cut off: it ended before it began to do anything."
        }
        (End::Closed, Verdict::Foreign) => {
            "How the run ended cannot be read from messages of a newer format."
        }
        (End::Closed, Verdict::Fine | Verdict::Failed | Verdict::NoMessage) => {
            match (state.is_interrupted, changed_nothing && failed == 0) {
                (true, _) => "The run was interrupted.",
                (false, true) => "The run failed before it changed anything.",
                (false, false) => "The run failed.",
            }
        }
    };
    let mut counts = String::new();
    if !changed_nothing {
        let done = state.counts();
        let done = if done.is_empty() { "nothing".to_owned() } else { done.join(", ") };
        counts.push_str(&format!(" Done: {done}."));
    }
    if failed > 0 {
        counts.push_str(&format!(" Failed: {failed}."));
    }
    (text, counts)
}

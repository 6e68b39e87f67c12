//! Detects refusals at the beginning of a run, after which the run is repeated in another way: a variable
//! has no value, for which the tool asks only without `-json`, or the backend cannot save a plan.
//! Diagnostics are withheld until the tool begins to work.
//!
//! Invariants: all other messages are shown immediately, so that the user sees what the tool is waiting for.
//! Only the summary of the first diagnostic is a refusal, because other texts may come from anywhere.

use std::borrow::Cow;

use serde::Deserialize;

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Refusal {
    /// A required variable has no value.
    Variable,
    /// The backend cannot save a plan to a file.
    SavedPlan,
}

/// The summary of both tools for a variable without a value.
const VARIABLE: &str = "No value for required variable";

/// The summary of backends that cannot save a plan.
const SAVED_PLAN: &str = "Saving a generated plan is currently not supported";

/// The members of a message that are read here.
#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Cow<'m, str>,
    diagnostic: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    summary: String,
}

/// The withheld diagnostics.
#[derive(Debug)]
pub(super) struct Withheld {
    /// Whether somebody could answer if the tool asked for variables.
    can_ask: bool,
    /// The withheld lines.
    kept: Vec<u8>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    /// Whether the tool has begun to work.
    released: bool,
}

/// The effect of a line on withheld ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It may be a part of a refusal.
    Kept,
    /// It precedes the work, such as the version, or the wait for a lock.
    Passed,
    /// The tool has begun to work.
    Work,
}

impl Withheld {
    pub(super) fn new(can_ask: bool) -> Self {
        Self { can_ask, kept: Vec::new(), begun: Vec::new(), released: false }
    }

    /// Adds messages and returns those that can be shown.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.released {
            return bytes.to_vec();
        }
        self.begun.extend_from_slice(bytes);
        let length = memchr::memrchr(b'\n', &self.begun).map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.begun.drain(..length).collect();
        let mut shown = Vec::new();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            match Line::new(line) {
                _ if self.released => shown.extend_from_slice(line),
                Line::Kept => self.kept.extend_from_slice(line),
                Line::Passed => shown.extend_from_slice(line),
                Line::Work => {
                    self.released = true;
                    shown.append(&mut self.kept);
                    shown.extend_from_slice(line);
                }
            }
        }
        if self.released {
            shown.append(&mut self.begun);
        }
        shown
    }

    /// The reason of the refusal, if the tool did nothing else.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        if self.released {
            return None;
        }
        let mut lines = self.kept.split(|byte| *byte == b'\n');
        let first = lines.find(|line| line.trim_ascii_start().starts_with(b"{"))?;
        match &*serde_json::from_slice::<Message<'_>>(first).ok()?.diagnostic?.summary {
            SAVED_PLAN => Some(Refusal::SavedPlan),
            VARIABLE if self.can_ask => Some(Refusal::Variable),
            _ => None,
        }
    }

    /// The messages that have not been returned.
    pub(super) fn into_rest(self) -> Vec<u8> {
        [self.kept, self.begun].concat()
    }
}

impl Line {
    fn new(line: &[u8]) -> Self {
        match serde_json::from_slice::<Message<'_>>(line) {
            Err(_) => Self::Kept,
            Ok(message) => match &*message.kind {
                "diagnostic" => Self::Kept,
                "" | "version" | "log" | "state_lock_acquire" | "state_lock_release" => Self::Passed,
                _ => Self::Work,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = "{\"@message\":\"OpenTofu 1.12\",\"type\":\"version\"}\n";
    const UNSET: &str = "{\"@level\":\"error\",\"diagnostic\":{\"summary\":\"No value for required variable\"},\"type\":\"diagnostic\"}\n";
    const WORK: &str = "{\"@message\":\"a: Refreshing…\",\"type\":\"refresh_start\"}\n";

    #[test]
    fn diagnostics_wait_until_the_tool_works() {
        let mut withheld = Withheld::new(true);
        let (begin, end) = UNSET.split_at(20);
        assert_eq!(withheld.take(format!("{VERSION}{begin}").as_bytes()), VERSION.as_bytes());
        assert_eq!(withheld.take(end.as_bytes()), b"");
        assert_eq!(withheld.refusal(), Some(Refusal::Variable));
        assert_eq!(withheld.take(WORK.as_bytes()), format!("{UNSET}{WORK}").as_bytes());
        assert_eq!(withheld.refusal(), None);
        assert_eq!(withheld.take(b"x"), b"x");
        assert_eq!(withheld.into_rest(), b"");
    }
    #[test]
    fn words_of_a_refusal_elsewhere_are_none() {
        let saved = UNSET.replace(VARIABLE, SAVED_PLAN);
        let other = UNSET
            .replace("\"summary\":\"", "\"detail\":\"No value for required variable\",\"summary\":\"No ");
        let twice = UNSET.replace("\"summary\"", "\"summary\":\"x\",\"summary\"");
        for (lines, can_ask, refusal) in [
            (UNSET.to_owned(), true, Some(Refusal::Variable)),
            (UNSET.to_owned(), false, None),
            (saved.clone(), false, Some(Refusal::SavedPlan)),
            (format!("{other}{UNSET}"), true, None),
            (format!("{other}{saved}"), true, None),
            (format!("{VARIABLE}: {SAVED_PLAN}\n"), true, None),
            (format!("{twice}{UNSET}"), true, None),
        ] {
            let mut withheld = Withheld::new(can_ask);
            assert_eq!(withheld.take(lines.as_bytes()), b"");
            assert_eq!(withheld.refusal(), refusal, "{lines}");
            assert_eq!(withheld.into_rest(), lines.as_bytes());
        }
    }
}

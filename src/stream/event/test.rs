//! Messages of `test`.

use crate::json::{Pairs, Raw, Str};
use crate::model::message::{Leftover, TestCleanup, TestFile, TestInterrupt, TestRun};

/// A message of `test`.
#[derive(Clone, Copy, Debug)]
pub(in crate::stream) enum TestEvent<'e> {
    /// The files that are about to be run, with the names of their runs.
    Abstract(Option<&'e Pairs<'e, Vec<Str<'e>>>>),
    /// The progress or result of a file.
    File(&'e TestFile<'e>),
    /// The progress or result of a run.
    Run(&'e TestRun<'e>),
    /// A plan document, with `-verbose`.
    Plan(Raw<'e>),
    /// A state document, with `-verbose`.
    State(Raw<'e>),
    /// Objects were left behind. They are shown after the diagnostics that follow.
    Cleanup(&'e TestCleanup<'e>),
    /// The tests were interrupted.
    Interrupt(&'e TestInterrupt<'e>),
    /// All tests have ended.
    Summary {
        /// Whether all of them passed.
        has_passed: bool,
    },
    /// A run is tried again.
    Retry,
}

/// The test that a message belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::stream) struct TestName {
    /// The path of the file; empty if the message belongs to no test.
    pub(in crate::stream) file: String,
    /// The name of the run; empty if the message belongs to the file itself.
    pub(in crate::stream) run: String,
}

impl TestName {
    /// File and run as one text.
    pub(in crate::stream) fn path(&self) -> String {
        match &*self.run {
            "" => self.file.clone(),
            run => format!("{}/{run}", self.file),
        }
    }
}

/// Objects that a test left behind. They are listed after the diagnostics with the reasons.
#[derive(Debug)]
pub(in crate::stream) struct Leftovers {
    /// The test.
    pub(in crate::stream) test: TestName,
    /// Objects that could not be destroyed.
    pub(in crate::stream) failed: Vec<String>,
    /// Objects that were kept on request.
    pub(in crate::stream) skipped: Vec<String>,
}

impl Leftovers {
    pub(in crate::stream) fn new(test: TestName, cleanup: &TestCleanup<'_>) -> Self {
        Self {
            test,
            failed: leftover_names(&cleanup.failed_resources),
            skipped: leftover_names(&cleanup.skipped_resources),
        }
    }
}

/// The name of each object: its address, with the key of a deposed object.
pub(in crate::stream) fn leftover_names(leftovers: &[Leftover<'_>]) -> Vec<String> {
    leftovers
        .iter()
        .map(|leftover| match &*leftover.deposed_key {
            "" => leftover.instance.to_string(),
            key => format!("{} ({key})", leftover.instance),
        })
        .collect()
}

//! Sentences about objects that tests left behind, for all sinks that contain them.

use crate::dialect::{Dialect, Tool};
use crate::model::message::TestInterrupt;
use crate::stream::event::{Leftovers, leftover_names};
use crate::text::{quote, wrap};

/// The text before the diagnostics with the reasons why objects were left behind.
pub(super) fn leftovers_lead(leftovers: &Leftovers, dialect: Dialect, width: usize) -> String {
    let (product, test) = (dialect.product(), leftovers.test.path());
    let text = format!("{product} encountered an error destroying resources created while executing {test}.");
    wrap(&text, width.saturating_sub(1))
}

/// The list of objects that a test left behind; `None` if there are none.
pub(super) fn leftovers_text(leftovers: &Leftovers, dialect: Dialect, width: usize) -> Option<String> {
    let test = leftovers.test.path();
    let mut text = String::new();
    for (names, rest) in [
        (&leftovers.failed, dialect.left_behind()),
        (&leftovers.skipped, " because the skip_cleanup attribute was set:"),
    ] {
        if names.is_empty() {
            continue;
        }
        let product = dialect.product();
        let lead = format!("{product} left the following resources in state after executing {test}{rest}");
        text.push('\n');
        text.push_str(&wrap(&lead, width.saturating_sub(1)));
        text.push_str(&list(names));
        text.push('\n');
    }
    text.pop();
    (!text.is_empty()).then_some(text)
}

/// The paragraphs about an interrupted test. `file` and `run` are the test.
pub(super) fn interruption(
    interrupt: &TestInterrupt<'_>,
    (file, run): (&str, &str),
    dialect: Dialect,
) -> Vec<String> {
    let product = dialect.product();
    let mut parts = vec![format!(
        "{product} was interrupted while executing {file}, and may not have performed the expected cleanup operations."
    )];
    if !interrupt.state.is_empty() {
        parts.push(format!(
            "{product} has already created the following resources from the module under test:{}",
            list(&leftover_names(&interrupt.state))
        ));
    }
    for (run, state) in interrupt.states.iter() {
        parts.push(format!(
            "{product} has already created the following resources for {}:{}",
            quote(run),
            list(&leftover_names(state))
        ));
    }
    if !interrupt.planned.is_empty() {
        let planned: Vec<String> = interrupt.planned.iter().map(|address| address.to_string()).collect();
        parts.push(format!(
            "{product} was in the process of creating the following resources for {} from the module under test, \
             and they may not have been destroyed:{}",
            quote(run),
            list(&planned)
        ));
    }
    parts
}

/// A line for each name, beginning with a line feed.
fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("\n  - {name}")).collect()
}

impl Dialect {
    /// The end of the sentence about objects that a test left behind.
    fn left_behind(self) -> &'static str {
        match self.tool {
            Tool::Terraform => ", and they need to be cleaned up manually:",
            Tool::OpenTofu => {
                ", these left-over resources can be viewed by reading the statefile written to \
                 disk(errored_test.tfstate) and they need to be cleaned up manually:"
            }
        }
    }
}

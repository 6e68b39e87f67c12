//! The tool's own text, line by line as it prints it without `-json`.
//!
//! Invariants: no message is lost: those with an unknown type or a malformed payload are shown by their
//! `@message`. The tool's text goes to the text writer, tfview's own remarks are notes.

mod diagnostics;
mod init;
mod operations;
mod other;
mod plan;
mod policy;
mod query;
mod test;
mod validation;

use std::io;

use super::{Context, RunEnd, Sink};
use crate::stream::event::EventKind;
use crate::stream::output::Output;
use crate::stream::state::State;
use crate::stream::time::Moment;
use crate::stream::{Ending, Options};
use crate::term::Role;
use init::Gap;
use plan::Headings;
use query::Lists;

/// Writes the tool's text.
#[derive(Debug)]
pub(in crate::stream) struct TextSink {
    settings: Options,
    headings: Headings,
    /// The last text shown by `init`, on which the empty line after it depends.
    init_gap: Gap,
    lists: Lists,
    /// The time of the last heartbeat.
    heartbeat: Option<Moment>,
    /// A reused buffer for building lines.
    line: String,
}

impl TextSink {
    pub(in crate::stream) fn new(options: &Options) -> Self {
        Self {
            settings: options.further(),
            headings: Headings::default(),
            init_gap: Gap::default(),
            lists: Lists::default(),
            heartbeat: None,
            line: String::new(),
        }
    }

    /// The width at which paragraphs are wrapped. Like the tools, this leaves the last column free.
    fn wrap_width(&self) -> usize {
        self.settings.width.saturating_sub(1)
    }
}

impl Sink for TextSink {
    fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let Context { event, state, output } = context;
        match &event.kind {
            EventKind::Operation(stage, target) => {
                self.operation(*stage, target.as_ref(), event, state, output)
            }
            EventKind::Provisioner(step, provisioner) => {
                self.provisioner(*step, provisioner.as_ref(), event, state, output)
            }
            EventKind::Action(step, invocation) => {
                self.action(*step, invocation.as_ref(), event, state, output)
            }
            EventKind::Plan(plan) => self.plan(plan, event, state, output),
            EventKind::Summary(summary) => self.summary(summary, event, state, output),
            EventKind::Outputs(outputs) => self.outputs(outputs, state, output),
            EventKind::Version(version) => other::version(version, output),
            EventKind::Log => other::log(event, state, output),
            EventKind::UnsavedState(json) => {
                other::unsaved_state(*json, self.settings.show_sensitive, event, output)
            }
            EventKind::InitOutput(code) => self.init_output(code, event, output),
            EventKind::Untyped => self.untyped(event, state, output),
            EventKind::Test(test) => self.test(test, event, state, output),
            EventKind::Query(query) => self.query(query, output),
            EventKind::Policy(policy) => policy::policy(policy, event, output),
            EventKind::MigrationErrored | EventKind::Malformed | EventKind::Unknown => {
                output.line(Role::Plain, &event.text())
            }
            EventKind::Diagnostics(group) => self.diagnostics(group, state, output),
            EventKind::Validation(document) => self.validation(document, state, output),
            EventKind::Text(text) => other::text(text, output),
            EventKind::Diagnostic(_) | EventKind::Phase(_) | EventKind::Tick { .. } => Ok(()),
        }
    }

    fn finish(&mut self, _: RunEnd, _: &State, output: &mut Output<'_>, _: &mut Ending) -> io::Result<()> {
        self.finish_lists(output)
    }
}

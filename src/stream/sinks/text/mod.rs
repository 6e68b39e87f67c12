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
use crate::stream::Ending;
use crate::stream::Options;
use crate::stream::event::EventKind;
use crate::stream::output::Output;
use crate::stream::time::Moment;
use crate::term::Role;
use init::Gap;
use plan::Headings;
use query::Lists;

/// Writes the tool's text.
#[derive(Debug, Default)]
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
        Self { settings: options.further(), ..Self::default() }
    }

    /// The width at which paragraphs are wrapped. Like the tools, this leaves the last column free.
    fn wrap_width(&self) -> usize {
        self.settings.width.saturating_sub(1)
    }
}

impl Sink for TextSink {
    fn event(&mut self, context: &mut Context<'_, '_>) -> io::Result<()> {
        let event = context.event;
        match &event.kind {
            EventKind::Operation(stage, target) => self.show_operation(*stage, target.as_ref(), context),
            EventKind::Provisioner(step, of) => self.show_provisioner(*step, of.as_ref(), context),
            EventKind::Action(step, invocation) => self.show_action(*step, invocation.as_ref(), context),
            EventKind::Plan(plan) => self.show_plan(plan, context),
            EventKind::Summary(summary) => self.show_summary(summary, context),
            EventKind::Outputs(outputs) => self.show_outputs(outputs, context),
            EventKind::Version(version) => other::version(version, context.output),
            EventKind::Log => other::log(context),
            EventKind::UnsavedState(json) => {
                other::unsaved_state(*json, self.settings.show_sensitive, context)
            }
            EventKind::InitOutput(code) => self.init_output(code, context),
            EventKind::Untyped => self.untyped(context),
            EventKind::Test(test) => self.show_test(test, context),
            EventKind::Query(query) => self.query(query, context.output),
            EventKind::Policy(policy) => policy::policy(policy, context),
            EventKind::MigrationErrored | EventKind::Malformed | EventKind::Unknown => {
                context.output.line(Role::Plain, &event.text())
            }
            EventKind::Diagnostics(group) => self.show_diagnostics(group, context),
            EventKind::Validation(document) => self.validation(document, context),
            EventKind::Text(text) => other::text(text, context.output),
            EventKind::Diagnostic(_) | EventKind::Phase(_) | EventKind::Tick { .. } => Ok(()),
        }
    }

    fn finish(&mut self, _: RunEnd<'_>, output: &mut Output<'_>, _: &mut Ending) -> io::Result<()> {
        self.finish_lists(output)
    }
}

//! Shows operations on resource instances, provisioners and actions.

use std::io;

use super::{Context, TextSink};
use crate::dialect::Dialect;
use crate::stream::event::{Invocation, Provisioner, Stage, Step, Target};
use crate::stream::state::State;
use crate::stream::{Options, ProgressDisplay};
use crate::term::TextPart::{Data, Lit, StyledData};
use crate::term::{Role, Untrusted};
use crate::text::count;
use crate::text::stream::{Operation, push_duration, push_elapsed, shortened};

/// The interval between two heartbeats of `--quiet-progress`, in seconds.
const HEARTBEAT: u64 = 10;

/// Whether lines about the progress of operations are shown.
fn shows_progress(options: &Options) -> bool {
    !options.concise && options.display != ProgressDisplay::None
}

/// Appends ` [id=…]`, if there is an id.
fn push_id(line: &mut String, target: &Target<'_>) {
    if let Some((key, value)) = target.id {
        line.extend([" [", key, "=", value, "]"]);
    }
}

/// Appends the address, with the key of a deposed object that is destroyed there, if the plan names it.
fn push_object(line: &mut String, target: &Target<'_>, state: &State) {
    line.push_str(target.address);
    if target.operation == Operation::Delete
        && let Some(key) = state.plan.deposed(target.address)
    {
        line.extend([" (deposed object ", key, ")"]);
    }
}

impl TextSink {
    /// Writes a line about progress. The whole line has one style, as in the tools' text.
    fn progress(
        &mut self,
        role: Role,
        context: &mut Context<'_, '_>,
        put: impl FnOnce(&mut String, Dialect),
    ) -> io::Result<()> {
        if !shows_progress(context.options) {
            return Ok(());
        }
        self.line.clear();
        put(&mut self.line, context.state.dialect);
        context.output.line(role, &self.line)
    }

    pub(super) fn operation(
        &mut self,
        stage: Stage,
        target: &Target<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let (event, state) = (context.event, context.state);
        match stage {
            Stage::Started | Stage::RefreshStarted => self.progress(Role::Strong, context, |line, _| {
                push_object(line, target, state);
                line.extend([": ", target.operation.starting()]);
                push_id(line, target);
            }),
            Stage::Progress => self.continues(target, context),
            Stage::Complete => self.progress(Role::Strong, context, |line, _| {
                push_object(line, target, state);
                line.extend([": ", target.operation.noun(), " complete after "]);
                push_duration(line, target.seconds());
                push_id(line, target);
            }),
            Stage::EphemeralStarted => {
                self.progress(Role::Strong, context, |line, _| line.push_str(&event.text()))
            }
            Stage::EphemeralComplete => {
                let seconds = state.operations.ended_after(event.moment());
                self.progress(Role::Strong, context, |line, _| {
                    line.extend([&*event.text(), " after "]);
                    push_duration(line, seconds);
                })
            }
            // The tools only show the diagnostic that follows.
            Stage::Errored | Stage::EphemeralErrored | Stage::RefreshComplete => Ok(()),
        }
    }

    fn continues(&mut self, target: &Target<'_>, context: &mut Context<'_, '_>) -> io::Result<()> {
        // The live region shows the progress.
        if context.options.display == ProgressDisplay::Live {
            return Ok(());
        }
        if context.options.quiet_progress {
            return self.heartbeat(target.seconds(), context);
        }
        let state = context.state;
        let id = state.operations.id(target.key());
        self.progress(Role::Strong, context, |line, dialect| {
            push_object(line, target, state);
            line.extend([": Still ", target.operation.continuing(dialect), "... ["]);
            if let Some(id) = id {
                line.extend([&*shortened(id), ", "]);
            }
            push_elapsed(line, target.seconds(), dialect);
            line.push(']');
        })
    }

    /// Writes one line for all running operations, at most every ten seconds by the timestamps of the run.
    fn heartbeat(&mut self, seconds: u64, context: &mut Context<'_, '_>) -> io::Result<()> {
        let moment = context.event.moment();
        if let (Some(last), Some(now)) = (self.heartbeat, moment)
            && now.seconds_since(last) < HEARTBEAT
        {
            return Ok(());
        }
        self.heartbeat = moment;
        let operations = &context.state.operations;
        let longest = operations.longest();
        self.progress(Role::Strong, context, |line, dialect| {
            line.extend(["Still running: ", &count(operations.running_count(), "operation")]);
            if let Some((address, _)) = longest {
                line.extend([", the longest is ", address]);
            }
            line.push_str(" [");
            push_elapsed(line, longest.map_or(seconds, |(_, seconds)| seconds), dialect);
            line.push(']');
        })
    }

    pub(super) fn provisioner(
        &mut self,
        step: Step,
        provisioner: &Provisioner<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Provisioner { address, name, output } = provisioner;
        match step {
            Step::Started => {
                let text = context.event.text();
                self.progress(Role::Strong, context, |line, _| line.push_str(&text))
            }
            Step::Progress if shows_progress(context.options) => {
                let out = context.output.text()?;
                out.role_data(Role::Strong, Untrusted(&format!("{address} ({name}):")))?;
                out.lit(" ")?;
                out.data_with_colours(Untrusted(output))?;
                out.lit("\n")
            }
            Step::Progress | Step::Complete | Step::Errored => Ok(()),
        }
    }

    pub(super) fn action(
        &mut self,
        step: Step,
        invocation: &Invocation<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Invocation { action, trigger, message, error } = invocation;
        let invoked = format!("{action} (triggered by {trigger})");
        match step {
            Step::Started => self.progress(Role::Strong, context, |line, _| {
                line.extend(["Action started: ", &invoked]);
            }),
            Step::Progress if shows_progress(context.options) => {
                let lead = format!("Action {invoked}:");
                let lead = StyledData(Role::Strong, &lead);
                context.output.text()?.parts(&[lead, Lit(" "), Data(message), Lit("\n")])
            }
            Step::Progress => Ok(()),
            Step::Complete => self.progress(Role::StrongSuccess, context, |line, _| {
                line.extend(["Action complete: ", &invoked]);
            }),
            // Unlike other failures, it is shown where it happens, even if progress is not.
            Step::Errored => {
                context.output.line(Role::StrongDelete, &format!("Action failed: {invoked} - {error}"))
            }
        }
    }
}

//! Shows operations on resources: applies, refreshes, provisioners, ephemeral resources, actions.

use std::io;

use crate::dialect::Dialect;
use crate::model::message::{Hook, Message, WordOrAddress};
use crate::term::{Role, Untrusted};
use crate::text::stream::{Operation, push_duration, push_elapsed, shortened};

use super::record::Key;
use super::time::Moment;
use super::{Display, Phase, Stream};

/// The interval between two heartbeats of `--quiet-progress`, in seconds.
const HEARTBEAT: u64 = 10;

/// The resource and the operation of a message, if both are present and known.
pub(super) fn operation<'m>(message: &'m Message<'_>) -> Option<(&'m Hook<'m>, &'m str, Operation)> {
    let hook = message.hook.as_ref()?;
    let address = address(hook)?;
    match &hook.action {
        Some(WordOrAddress::Word(word)) => Some((hook, address, Operation::of(word)?)),
        Some(WordOrAddress::Address(_)) | None => None,
    }
}

/// The address of the resource or action of a message.
pub(super) fn address<'m>(hook: &'m Hook<'_>) -> Option<&'m str> {
    hook.resource.as_ref().map(|resource| &*resource.addr).filter(|address| !address.is_empty())
}

fn seconds(hook: &Hook<'_>) -> u64 {
    // Negative and excessive values saturate.
    hook.elapsed_seconds.round() as u64
}

/// Appends ` [id=…]`, if there is an id.
fn push_id(line: &mut String, hook: &Hook<'_>) {
    if !hook.id_key.is_empty() && !hook.id_value.is_empty() {
        for part in [" [", &*hook.id_key, "=", &*hook.id_value, "]"] {
            line.push_str(part);
        }
    }
}

impl Stream<'_> {
    /// Whether lines about the progress of operations are shown.
    fn shows_progress(&self) -> bool {
        !self.options.concise && self.options.display != Display::None
    }

    /// Writes a line about progress. The whole line has one style, as in the tools' text.
    fn progress(&mut self, role: Role, put: impl FnOnce(&mut String, Dialect)) -> io::Result<()> {
        if !self.shows_progress() {
            return Ok(());
        }
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        put(&mut line, self.dialect);
        let out = self.out()?;
        out.role_data(role, Untrusted(&line))?;
        out.lit("\n")?;
        self.line = line;
        Ok(())
    }

    /// Shows a malformed message about progress by its `@message`.
    fn odd_progress(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.progress(Role::Strong, |line, _| line.push_str(&message.text()))
    }

    pub(super) fn apply_start(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some((hook, address, operation)) = operation(message) else {
            self.record.course.apply_began();
            return self.odd_progress(message);
        };
        self.part_of(operation)?;
        self.record.started(Key::new(address, operation), address, operation, hook, None, self.now);
        self.progress(Role::Strong, |line, _| {
            line.push_str(address);
            line.push_str(": ");
            line.push_str(operation.begins());
            push_id(line, hook);
        })
    }

    /// Begins the part of the run that an operation belongs to, unless it has already begun.
    fn part_of(&mut self, operation: Operation) -> io::Result<()> {
        match operation {
            Operation::Read => self.record.course.plan_began(), // or part of an apply, which is then open
            // Ephemeral resources are opened in any part.
            Operation::Open | Operation::Renew | Operation::Close | Operation::Refresh => {}
            Operation::Create
            | Operation::Update
            | Operation::Delete
            | Operation::Replace
            | Operation::Forget => self.begin_apply()?,
        }
        Ok(())
    }

    pub(super) fn apply_progress(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some((hook, address, operation)) = operation(message) else { return self.odd_progress(message) };
        let seconds = seconds(hook);
        let key = Key::new(address, operation);
        self.part_of(operation)?;
        self.record.goes_on(key, seconds, self.now);
        // The live region shows the progress.
        if self.options.display == Display::Live {
            return Ok(());
        }
        if self.options.quiet_progress {
            return self.heartbeat(message, seconds);
        }
        let id = self.record.id_of(key).map(|id| shortened(id).into_owned());
        self.progress(Role::Strong, |line, dialect| {
            line.push_str(address);
            line.push_str(": Still ");
            line.push_str(operation.goes_on(dialect));
            line.push_str("... [");
            if let Some(id) = id {
                line.push_str(&id);
                line.push_str(", ");
            }
            push_elapsed(line, seconds, dialect);
            line.push(']');
        })
    }

    /// Writes one line for all running operations, at most every ten seconds by the timestamps of the run.
    fn heartbeat(&mut self, message: &Message<'_>, seconds: u64) -> io::Result<()> {
        let moment = Moment::parse(&message.timestamp);
        if !self.record.beats(moment, HEARTBEAT) {
            return Ok(());
        }
        let (running, longest) = self.record.running();
        let longest = longest.map(|(address, seconds)| (address.to_owned(), seconds));
        self.progress(Role::Strong, |line, dialect| {
            line.push_str("Still running: ");
            line.push_str(&crate::text::count(running, "operation"));
            if let Some((address, seconds)) = longest {
                line.push_str(", the longest is ");
                line.push_str(&address);
                line.push_str(" [");
                push_elapsed(line, seconds, dialect);
                line.push(']');
            } else {
                line.push_str(" [");
                push_elapsed(line, seconds, dialect);
                line.push(']');
            }
        })
    }

    pub(super) fn apply_complete(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some((hook, address, operation)) = operation(message) else { return self.odd_progress(message) };
        let seconds = seconds(hook);
        self.part_of(operation)?;
        self.record.done(Key::new(address, operation), address, operation, seconds);
        self.progress(Role::Strong, |line, _| {
            line.push_str(address);
            line.push_str(": ");
            line.push_str(operation.noun());
            line.push_str(" complete after ");
            push_duration(line, seconds);
            push_id(line, hook);
        })
    }

    /// Records a failure. It is not shown, because the tools only show the diagnostic that follows; the recap
    /// names it.
    pub(super) fn apply_errored(&mut self, message: &Message<'_>) -> io::Result<()> {
        match operation(message) {
            Some((hook, address, operation)) => {
                self.record.failed(Key::new(address, operation), address, operation, seconds(hook));
                Ok(())
            }
            None => {
                self.fail()?;
                self.odd_progress(message)
            }
        }
    }

    /// Ends an operation. The diagnostic that follows determines whether the run failed.
    pub(super) fn ephemeral_errored(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some((_, address, operation)) = operation(message) {
            self.record.forget(Key::new(address, operation));
        }
        Ok(())
    }

    pub(super) fn refresh_start(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.enter(Phase::Refresh)?;
        let Some((hook, address)) = message.hook.as_ref().and_then(|hook| Some((hook, address(hook)?)))
        else {
            return self.odd_progress(message);
        };
        let key = Key::new(address, Operation::Refresh);
        self.record.course.refresh_began(key);
        self.progress(Role::Strong, |line, _| {
            line.push_str(address);
            line.push_str(": ");
            line.push_str(Operation::Refresh.begins());
            push_id(line, hook);
        })
    }

    pub(super) fn refresh_complete(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some(address) = message.hook.as_deref().and_then(address) {
            self.record.course.refresh_ended(Key::new(address, Operation::Refresh));
        }
        Ok(())
    }

    pub(super) fn provision_end(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some((hook, address)) = message.hook.as_ref().and_then(|hook| Some((hook, address(hook)?))) {
            self.record.course.provisioner_ended(Key::named(address, &hook.provisioner));
        }
        Ok(())
    }

    pub(super) fn provision_start(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some((hook, address)) = message.hook.as_ref().and_then(|hook| Some((hook, address(hook)?))) {
            self.begin_apply()?;
            self.record.provisioner_began(address, &hook.provisioner);
        }
        self.progress(Role::Strong, |line, _| line.push_str(&message.text()))
    }

    pub(super) fn provision_progress(&mut self, message: &Message<'_>) -> io::Result<()> {
        if !self.shows_progress() {
            return Ok(());
        }
        let Some((hook, address)) = message.hook.as_ref().and_then(|hook| Some((hook, address(hook)?)))
        else {
            return self.odd_progress(message);
        };
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        for part in [address, " (", &*hook.provisioner, "):"] {
            line.push_str(part);
        }
        let out = self.out()?;
        out.role_data(Role::Strong, Untrusted(&line))?;
        out.lit(" ")?;
        out.data_with_colours(Untrusted(&hook.output))?;
        out.lit("\n")?;
        self.line = line;
        Ok(())
    }

    /// Handles OpenTofu's messages about ephemeral resources, which name the operation only in their text.
    pub(super) fn ephemeral_started(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some((hook, address)) = message.hook.as_ref().and_then(|hook| Some((hook, address(hook)?))) {
            let operation = ephemeral(&message.text());
            let moment = Moment::parse(&message.timestamp);
            self.record.started(Key::new(address, operation), address, operation, hook, moment, self.now);
        }
        self.odd_progress(message)
    }

    pub(super) fn ephemeral_complete(&mut self, message: &Message<'_>) -> io::Result<()> {
        let mut seconds = 0;
        if let Some(address) = message.hook.as_deref().and_then(address) {
            let key = Key::new(address, ephemeral(&message.text()));
            if let Some(moment) = Moment::parse(&message.timestamp) {
                seconds = self.record.seconds_since_start(key, moment);
            }
            self.record.forget(key);
        }
        self.progress(Role::Strong, |line, _| {
            line.push_str(&message.text());
            line.push_str(" after ");
            push_duration(line, seconds);
        })
    }

    pub(super) fn action_start(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.begin_apply()?;
        let Some(action) = Invocation::of(message) else { return self.odd_progress(message) };
        self.record.course.action_began();
        self.progress(Role::Strong, |line, _| action.push(line, "Action started: "))
    }

    pub(super) fn action_progress(&mut self, message: &Message<'_>) -> io::Result<()> {
        if !self.shows_progress() {
            return Ok(());
        }
        let Some(action) = Invocation::of(message) else { return self.odd_progress(message) };
        let mut line = String::new();
        action.push(&mut line, "Action ");
        line.push(':');
        let out = self.out()?;
        out.role_data(Role::Strong, Untrusted(&line))?;
        out.lit(" ")?;
        out.data(Untrusted(&action.hook.message))?;
        out.lit("\n")
    }

    pub(super) fn action_complete(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.record.course.action_ended();
        let Some(action) = Invocation::of(message) else { return self.odd_progress(message) };
        self.progress(Role::StrongSuccess, |line, _| action.push(line, "Action complete: "))
    }

    /// Shows a failed action. Unlike other failures, it is shown where it happens.
    pub(super) fn action_errored(&mut self, message: &Message<'_>) -> io::Result<()> {
        self.record.course.action_ended();
        self.fail()?;
        let Some(action) = Invocation::of(message) else { return self.odd_progress(message) };
        let mut text = String::new();
        action.push(&mut text, "Action failed: ");
        text.push_str(" - ");
        text.push_str(&action.hook.error);
        // The failure is shown even if progress is not, with each of its lines coloured.
        self.say(Role::StrongDelete, &text)
    }
}

/// The operation on an ephemeral resource, which OpenTofu names only in the text.
pub(super) fn ephemeral(text: &str) -> Operation {
    let word = text.rsplit_once(": ").map_or(text, |(_, word)| word);
    if word.starts_with("Renew") {
        Operation::Renew
    } else if word.starts_with("Clos") {
        Operation::Close
    } else {
        Operation::Open
    }
}

/// The invocation of an action.
pub(super) struct Invocation<'m> {
    pub(super) hook: &'m Hook<'m>,
    pub(super) action: &'m str,
}

impl<'m> Invocation<'m> {
    pub(super) fn of(message: &'m Message<'_>) -> Option<Self> {
        let hook = message.hook.as_ref()?;
        match &hook.action {
            Some(WordOrAddress::Address(action)) if !action.addr.is_empty() => {
                Some(Self { hook, action: &action.addr })
            }
            Some(WordOrAddress::Address(_) | WordOrAddress::Word(_)) | None => None,
        }
    }

    fn push(&self, line: &mut String, lead: &str) {
        for part in [lead, self.action, " (triggered by ", self.trigger(), ")"] {
            line.push_str(part);
        }
    }

    /// The trigger of the action: the change of a resource, or the command line.
    pub(super) fn trigger(&self) -> &'m str {
        self.hook.lifecycle.as_ref().map_or("CLI", |lifecycle| &lifecycle.resource.addr)
    }
}

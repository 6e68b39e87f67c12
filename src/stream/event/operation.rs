//! Operations on resource instances, provisioners and actions.

use crate::model::message::{Hook, Message, WordOrAddress};
use crate::stream::key::Key;
use crate::text::stream::Operation;

/// What happened in an operation on a resource instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Stage {
    /// It started.
    Started,
    /// It continues.
    Progress,
    /// It succeeded.
    Complete,
    /// It failed. The diagnostic that follows has the reason.
    Errored,
    /// The refresh of an object started.
    RefreshStarted,
    /// The refresh of an object ended.
    RefreshComplete,
    /// An operation on an ephemeral resource started (OpenTofu).
    EphemeralStarted,
    /// An operation on an ephemeral resource ended (OpenTofu).
    EphemeralComplete,
    /// An operation on an ephemeral resource failed. Only the diagnostic that follows fails the run.
    EphemeralErrored,
}

impl Stage {
    /// Whether it is one of the stages that an operation of an apply has before it fails.
    pub(in crate::stream) fn is_progress(self) -> bool {
        matches!(self, Self::Started | Self::Progress | Self::Complete)
    }
}

/// The resource instance of an operation, and its progress.
#[derive(Clone, Copy, Debug)]
pub(in crate::stream) struct Target<'e> {
    /// The address of the resource instance.
    pub(in crate::stream) address: &'e str,
    /// The operation.
    pub(in crate::stream) operation: Operation,
    /// The name and value of the attribute that identifies the object.
    pub(in crate::stream) id: Option<(&'e str, &'e str)>,
    /// The duration so far, in seconds, as the tool rounded it.
    elapsed: f64,
}

impl<'e> Target<'e> {
    /// The target of a message that names its operation.
    pub(super) fn from_message(message: &'e Message<'_>) -> Option<Self> {
        match &message.hook.as_ref()?.action {
            Some(WordOrAddress::Word(word)) => Self::with_operation(message, Operation::parse(word)?),
            Some(WordOrAddress::Address(_)) | None => None,
        }
    }

    /// The target of a message with this operation.
    pub(super) fn with_operation(message: &'e Message<'_>, operation: Operation) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        let has_id = !hook.id_key.is_empty() && !hook.id_value.is_empty();
        Some(Self {
            address: address(hook)?,
            operation,
            id: has_id.then_some((&hook.id_key, &hook.id_value)),
            elapsed: hook.elapsed_seconds,
        })
    }

    /// The target of a message about an ephemeral resource, which names its operation only in its text.
    pub(super) fn ephemeral(message: &'e Message<'_>) -> Option<Self> {
        Self::with_operation(message, ephemeral_operation(&message.text()))
    }

    /// The key of the operation.
    pub(in crate::stream) fn key(&self) -> Key {
        Key::new((self.address, self.operation))
    }

    /// The duration so far, in seconds. Negative and excessive values saturate.
    pub(in crate::stream) fn seconds(&self) -> u64 {
        self.elapsed.round() as u64
    }

    /// The duration so far, in milliseconds. Negative and excessive values saturate.
    pub(in crate::stream) fn millis(&self) -> u64 {
        (self.elapsed * 1000.0) as u64
    }
}

fn ephemeral_operation(text: &str) -> Operation {
    let word = text.rsplit_once(": ").map_or(text, |(_, word)| word);
    if word.starts_with("Renew") {
        Operation::Renew
    } else if word.starts_with("Clos") {
        Operation::Close
    } else {
        Operation::Open
    }
}

/// The address of the resource instance of a message.
fn address<'m>(hook: &'m Hook<'_>) -> Option<&'m str> {
    hook.resource.as_ref().map(|resource| &*resource.addr).filter(|address| !address.is_empty())
}

/// The progress of an operation of a provisioner or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stream) enum Step {
    /// It started.
    Started,
    /// It printed something.
    Progress,
    /// It succeeded.
    Complete,
    /// It failed.
    Errored,
}

/// A provisioner of a resource instance.
#[derive(Clone, Copy, Debug)]
pub(in crate::stream) struct Provisioner<'e> {
    /// The address of the resource instance.
    pub(in crate::stream) address: &'e str,
    /// The type of the provisioner.
    pub(in crate::stream) name: &'e str,
    /// Its output.
    pub(in crate::stream) output: &'e str,
}

impl<'e> Provisioner<'e> {
    pub(super) fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        Some(Self { address: address(hook)?, name: &hook.provisioner, output: &hook.output })
    }

    /// The key of the provisioner.
    pub(in crate::stream) fn key(&self) -> Key {
        Key::new((self.address, self.name))
    }
}

/// The invocation of an action.
#[derive(Clone, Copy, Debug)]
pub(in crate::stream) struct Invocation<'e> {
    /// The address of the action.
    pub(in crate::stream) action: &'e str,
    /// The trigger: the address of the resource instance whose change triggers it, or the command line.
    pub(in crate::stream) trigger: &'e str,
    /// The text about its progress.
    pub(in crate::stream) message: &'e str,
    /// The text about its failure.
    pub(in crate::stream) error: &'e str,
}

impl<'e> Invocation<'e> {
    pub(super) fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        match &hook.action {
            Some(WordOrAddress::Address(action)) if !action.addr.is_empty() => Some(Self {
                action: &action.addr,
                trigger: hook.lifecycle.as_ref().map_or("CLI", |lifecycle| &lifecycle.resource.addr),
                message: &hook.message,
                error: &hook.error,
            }),
            Some(WordOrAddress::Address(_) | WordOrAddress::Word(_)) | None => None,
        }
    }

    /// The key of the invocation.
    pub(in crate::stream) fn key(&self) -> Key {
        Key::new((self.action, self.trigger))
    }
}

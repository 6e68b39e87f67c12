//! Translation of messages into events, by the type of the message.
//!
//! ```text
//! {"type":"apply_start","hook":{…}}     Operation(Started, the object and what is done to it)
//! {"type":"change_summary"}             Malformed, because the payload is missing
//! {"type":"from_the_future"}            Unknown
//! ```

use serde::Deserialize;

use super::{
    EventKind, Invocation, Outputs, PlanEvent, PolicyEvent, Provisioner, QueryEvent, Stage, Step,
    Summary, SummarySubject, Target, TestEvent, Version,
};
use crate::dialect::Tool;
use crate::json::{Pairs, Raw};
use crate::model::message::{Hook, Message, Output, WordOrAddress};
use crate::text::stream::Operation;

impl<'e> EventKind<'e> {
    /// Returns the event that a message describes. A message of a known type without its payload is
    /// [`EventKind::Malformed`].
    pub(in crate::stream) fn from_message(message: &'e Message<'e>) -> Self {
        let operation = |stage| Some(Self::Operation(stage, Target::from_message(message)?));
        let refresh = |stage| {
            Some(Self::Operation(
                stage,
                Target::with_operation(message, Operation::Refresh)?,
            ))
        };
        let ephemeral = |stage| Some(Self::Operation(stage, Target::ephemeral(message)?));
        let provisioner = |step| Some(Self::Provisioner(step, Provisioner::from_message(message)?));
        let action = |step| Some(Self::Action(step, Invocation::from_message(message)?));
        let change = || {
            message
                .change
                .as_deref()
                .filter(|change| !change.resource.addr.is_empty())
        };
        let kind = match &*message.message_type {
            "diagnostic" => diagnostic(message.diagnostic),
            // Future releases may send diagnostics in messages of other types.
            _ if message.diagnostic.is_some() => diagnostic(message.diagnostic),
            "apply_start" | "ephemeral_op_start" => operation(Stage::Started),
            "apply_progress" | "ephemeral_op_progress" => operation(Stage::Progress),
            "apply_complete" | "ephemeral_op_complete" => operation(Stage::Complete),
            "apply_errored" => operation(Stage::Errored),
            "ephemeral_op_errored" => operation(Stage::EphemeralErrored),
            "ephemeral_action_started" => ephemeral(Stage::EphemeralStarted),
            "ephemeral_action_complete" => ephemeral(Stage::EphemeralComplete),
            "refresh_start" => refresh(Stage::RefreshStarted),
            "refresh_complete" => refresh(Stage::RefreshComplete),
            "provision_start" => provisioner(Step::Started),
            "provision_progress" => provisioner(Step::Progress),
            "provision_complete" => provisioner(Step::Complete),
            "provision_errored" => provisioner(Step::Errored),
            "action_start" => action(Step::Started),
            "action_progress" => action(Step::Progress),
            "action_complete" => action(Step::Complete),
            "action_errored" => action(Step::Errored),
            "planned_change" => change().map(PlanEvent::Change).map(Self::Plan),
            "resource_drift" => change().map(PlanEvent::Drift).map(Self::Plan),
            "planned_action_invocation" => read(message.invocation)
                .map(PlanEvent::Invocation)
                .map(Self::Plan),
            "change_summary" => Summary::from_message(message).map(Self::Summary),
            "outputs" => Outputs::from_message(message).map(Self::Outputs),
            "version" => Some(Self::Version(version(message))),
            "log" => Some(message.state.map_or(Self::Log, Self::UnsavedState)),
            "init_output" => Some(Self::InitOutput(&message.message_code)),
            "test_abstract" => message
                .test_abstract
                .as_deref()
                .map(TestEvent::Abstract)
                .map(Self::Test),
            "test_file" => message
                .test_file
                .as_deref()
                .map(TestEvent::File)
                .map(Self::Test),
            "test_run" => message
                .test_run
                .as_deref()
                .map(TestEvent::Run)
                .map(Self::Test),
            "test_plan" => message.test_plan.map(TestEvent::Plan).map(Self::Test),
            "test_state" => message.test_state.map(TestEvent::State).map(Self::Test),
            "test_cleanup" => message
                .test_cleanup
                .as_deref()
                .map(TestEvent::Cleanup)
                .map(Self::Test),
            "test_interrupt" => message
                .test_interrupt
                .as_deref()
                .map(TestEvent::Interrupt)
                .map(Self::Test),
            "test_retry" => Some(Self::Test(TestEvent::Retry)),
            "test_summary" => message.test_summary.as_ref().map(|summary| {
                let has_passed = !matches!(&*summary.status, "error" | "fail");
                Self::Test(TestEvent::Summary { has_passed })
            }),
            "list_start" => message
                .list_start
                .as_deref()
                .map(QueryEvent::Started)
                .map(Self::Query),
            "list_resource_found" => message
                .list_resource_found
                .as_deref()
                .map(QueryEvent::Result)
                .map(Self::Query),
            "list_complete" => message
                .list_complete
                .as_deref()
                .map(QueryEvent::Complete)
                .map(Self::Query),
            "policy_info" => read(message.policy_info)
                .map(Box::new)
                .map(PolicyEvent::Info)
                .map(Self::Policy),
            "policy_diagnostic" => diagnostic(message.policy_diagnostic),
            // The message of an error is not shown, because diagnostics have the details.
            "policy_result" if !message.is_error() => Some(Self::Policy(PolicyEvent::Result)),
            "policy_query_summary" => read(message.policy_query_summary)
                .map(PolicyEvent::QuerySummary)
                .map(Self::Policy),
            "migration_errored" => None,
            "" => Some(Self::Untyped),
            // Types such as `test_status`, `state_lock_*`, `migration_*` and `output`, whose payload is not shown.
            _ => Some(Self::Unknown),
        };
        kind.unwrap_or(Self::Malformed)
    }
}

/// Reads an optional payload. `None` if it is missing or has another shape.
fn read<'e, T: Deserialize<'e>>(raw: Option<Raw<'e>>) -> Option<T> {
    raw?.read().ok()
}

fn diagnostic(json: Option<Raw<'_>>) -> Option<EventKind<'_>> {
    Some(EventKind::Diagnostic(json?, Box::new(read(json)?)))
}

/// Reads the release from `tofu` or `terraform`, and the version of the format from `ui`.
fn version<'e>(message: &'e Message<'e>) -> Version<'e> {
    let tool = match (&message.tofu, &message.terraform) {
        (Some(version), _) => Some((Tool::OpenTofu, &**version)),
        (None, Some(version)) => Some((Tool::Terraform, &**version)),
        (None, None) => None,
    };
    Version {
        tool,
        format: message.ui.as_deref(),
    }
}

impl<'e> Target<'e> {
    /// Reads the target of an operation that the hook names. `None` if the operation is missing or unknown.
    fn from_message(message: &'e Message<'_>) -> Option<Self> {
        match &message.hook.as_ref()?.action {
            Some(WordOrAddress::Word(word)) => {
                Self::with_operation(message, Operation::parse(word)?)
            }
            Some(WordOrAddress::Address(_)) | None => None,
        }
    }

    /// Reads the target of an operation on an ephemeral resource. Such messages name their operation only in their
    /// text.
    fn ephemeral(message: &'e Message<'_>) -> Option<Self> {
        let text = message.text();
        let word = text.rsplit_once(": ").map_or(&*text, |(_, word)| word);
        let operation = match word {
            _ if word.starts_with("Renew") => Operation::Renew,
            _ if word.starts_with("Clos") => Operation::Close,
            _ => Operation::Open,
        };
        Self::with_operation(message, operation)
    }

    /// Reads the target of the given operation. `None` if the hook has no address.
    fn with_operation(message: &'e Message<'_>, operation: Operation) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        let has_id = !hook.id_key.is_empty() && !hook.id_value.is_empty();
        Some(Self {
            address: address(hook)?,
            operation,
            id: has_id.then_some((&hook.id_key, &hook.id_value)),
            elapsed: hook.elapsed_seconds,
        })
    }
}

/// Returns the address of the resource instance that a hook is about, unless it is empty.
fn address<'m>(hook: &'m Hook<'_>) -> Option<&'m str> {
    hook.resource
        .as_ref()
        .map(|resource| &*resource.addr)
        .filter(|address| !address.is_empty())
}

impl<'e> Provisioner<'e> {
    fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        Some(Self {
            address: address(hook)?,
            name: &hook.provisioner,
            output: &hook.output,
        })
    }
}

impl<'e> Invocation<'e> {
    /// Reads the invocation of an action. Without a triggering resource, it was invoked on the command line, which the
    /// tools call `CLI`.
    fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let hook = message.hook.as_deref()?;
        match &hook.action {
            Some(WordOrAddress::Address(action)) if !action.addr.is_empty() => Some(Self {
                action: &action.addr,
                trigger: hook
                    .lifecycle
                    .as_ref()
                    .map_or("CLI", |lifecycle| &lifecycle.resource.addr),
                message: &hook.message,
                error: &hook.error,
            }),
            Some(WordOrAddress::Address(_) | WordOrAddress::Word(_)) | None => None,
        }
    }
}

impl<'e> Summary<'e> {
    fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let changes = message.changes.as_deref()?;
        let subject = match &*changes.operation {
            "plan" => SummarySubject::Plan,
            "apply" | "destroy" => SummarySubject::Apply,
            _ => SummarySubject::Unknown,
        };
        Some(Self { subject, changes })
    }
}

impl<'e> Outputs<'e> {
    /// Reads the outputs. If at least one has an action, they are those of a plan.
    fn from_message(message: &'e Message<'_>) -> Option<Self> {
        let all = message.outputs?.read::<Pairs<'e, Output<'e>>>().ok()?;
        let are_planned = all.iter().any(|(_, output)| output.action.is_some());
        Some(Self { all, are_planned })
    }
}

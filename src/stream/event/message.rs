//! From messages to events: what each type of message means.

use serde::Deserialize;

use super::plan::planned_change;
use super::{
    DiagnosticMessage, EventKind, Invocation, Outputs, PlanEvent, PolicyEvent, Provisioner, QueryEvent,
    Stage, Step, Summary, Target, TestEvent, Version,
};
use crate::dialect::Tool;
use crate::json::Raw;
use crate::model::message::Message;
use crate::text::stream::Operation;

impl<'e> EventKind<'e> {
    /// The event of a message.
    pub(super) fn from_message(message: &'e Message<'e>) -> Self {
        let message_type = &*message.message_type;
        // Tools of the future may send diagnostics in messages of other types.
        if message_type == "diagnostic" || message.diagnostic.is_some() {
            return Self::from_diagnostic(message.diagnostic);
        }
        let operation = |stage| Self::Operation(stage, Target::from_message(message));
        let refresh = |stage| Self::Operation(stage, Target::with_operation(message, Operation::Refresh));
        let ephemeral = |stage| Self::Operation(stage, Target::ephemeral(message));
        let provisioner = |step| Self::Provisioner(step, Provisioner::from_message(message));
        let action = |step| Self::Action(step, Invocation::from_message(message));
        match message_type {
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
            "planned_change" => Self::Plan(PlanEvent::Change(planned_change(message))),
            "resource_drift" => Self::Plan(PlanEvent::Drift(planned_change(message))),
            "planned_action_invocation" => {
                Self::Plan(PlanEvent::Invocation(message.invocation.and_then(|raw| raw.read().ok())))
            }
            "version" => Self::Version(version(message)),
            "log" => message.state.map_or(Self::Log, Self::UnsavedState),
            "init_output" => Self::InitOutput(&message.message_code),
            "test_abstract" => Self::Test(TestEvent::Abstract(message.test_abstract.as_deref())),
            "test_retry" => Self::Test(TestEvent::Retry),
            "test_summary" => match &message.test_summary {
                Some(summary) => Self::Test(TestEvent::Summary {
                    has_passed: !matches!(&*summary.status, "error" | "fail"),
                }),
                None => Self::Unknown,
            },
            "list_start" => Self::Query(QueryEvent::Started(message.list_start.as_deref())),
            "policy_diagnostic" => Self::from_diagnostic(message.policy_diagnostic),
            "migration_errored" => Self::MigrationErrored,
            "" => Self::Untyped,
            _ => Self::from_payload(message),
        }
    }

    /// The event of a message that is shown by its `@message` if its payload is malformed. The types that
    /// are not listed, such as `test_status`, `state_lock_*`, `migration_*` and `output`, have no payload that
    /// is shown.
    fn from_payload(message: &'e Message<'e>) -> Self {
        let kind = match &*message.message_type {
            "change_summary" => Summary::from_message(message).map(Self::Summary),
            "outputs" => Outputs::from_message(message).map(Self::Outputs),
            "test_file" => message.test_file.as_deref().map(TestEvent::File).map(Self::Test),
            "test_run" => message.test_run.as_deref().map(TestEvent::Run).map(Self::Test),
            "test_plan" => message.test_plan.map(TestEvent::Plan).map(Self::Test),
            "test_state" => message.test_state.map(TestEvent::State).map(Self::Test),
            "test_cleanup" => message.test_cleanup.as_deref().map(TestEvent::Cleanup).map(Self::Test),
            "test_interrupt" => message.test_interrupt.as_deref().map(TestEvent::Interrupt).map(Self::Test),
            "list_resource_found" => {
                message.list_resource_found.as_deref().map(QueryEvent::Result).map(Self::Query)
            }
            "list_complete" => message.list_complete.as_deref().map(QueryEvent::Complete).map(Self::Query),
            "policy_info" => read(message.policy_info).map(Box::new).map(PolicyEvent::Info).map(Self::Policy),
            "policy_result" => read(message.policy_result).map(PolicyEvent::Result).map(Self::Policy),
            "policy_query_summary" => {
                read(message.policy_query_summary).map(PolicyEvent::QuerySummary).map(Self::Policy)
            }
            _ => return Self::Unknown,
        };
        kind.unwrap_or(Self::Malformed)
    }

    /// The event of a diagnostic; a malformed one is shown by its `@message`.
    fn from_diagnostic(json: Option<Raw<'e>>) -> Self {
        let message = json.and_then(|json| Some(DiagnosticMessage { json, diagnostic: json.read().ok()? }));
        message.map_or(Self::Unknown, |message| Self::Diagnostic(Box::new(message)))
    }
}

fn read<'e, T: Deserialize<'e>>(raw: Option<Raw<'e>>) -> Option<T> {
    raw.and_then(|raw| raw.read().ok())
}

fn version<'e>(message: &'e Message<'e>) -> Version<'e> {
    let tool = match (&message.tofu, &message.terraform) {
        (Some(version), _) => Some((Tool::OpenTofu, &**version)),
        (None, Some(version)) => Some((Tool::Terraform, &**version)),
        (None, None) => None,
    };
    Version { tool, format: message.ui.as_deref() }
}

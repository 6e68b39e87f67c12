//! The invocation of an action (Terraform 1.14 and later), in this plan or a later one.

use serde::{Deserialize, Serialize};

use super::plan::Change;
use crate::json::{Raw, Str};

/// An action to invoke.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ActionInvocation<'a> {
    /// The full address: `action.TYPE.NAME` with module and instance key.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The action type.
    #[serde(rename = "type")]
    pub action_type: Str<'a>,
    /// The action's name.
    pub name: Str<'a>,
    /// The action's configuration.
    pub config_values: Option<Raw<'a>>,
    /// Marks with `true` the sensitive parts of the configuration.
    pub config_sensitive: Option<Raw<'a>>,
    /// Marks with `true` the parts of the configuration that are not known yet.
    pub config_unknown: Option<Raw<'a>>,
    /// The provider's source address.
    pub provider_name: Str<'a>,
    /// Set if a resource change triggers the action.
    pub lifecycle_action_trigger: Option<LifecycleTrigger<'a>>,
    /// Set if the command line invokes the action.
    pub invoke_action_trigger: Option<InvokeTrigger<'a>>,
}

/// The invocation of an action, deferred to a later plan.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredInvocation<'a> {
    /// The reason for the deferral, such as `deferred_prereq`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// The invocation.
    pub action_invocation: ActionInvocation<'a>,
}

/// The resource change that triggers an action.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct LifecycleTrigger<'a> {
    /// The resource's address.
    #[serde(borrow)]
    pub triggering_resource_address: Str<'a>,
    /// The event, such as `BeforeCreate` or `AfterUpdate`.
    pub action_trigger_event: Str<'a>,
    /// The index of the `action_trigger` block.
    pub action_trigger_block_index: u64,
    /// The index of the action in the block's list.
    pub actions_list_index: u64,
    /// What happens if the action fails: `fail`, `continue` or `taint`; empty in older plans.
    pub on_failure: Str<'a>,
}

impl<'a> ActionInvocation<'a> {
    /// The configuration, as if it were added.
    pub fn as_change(&self) -> Change<'a> {
        Change {
            after: self.config_values,
            after_unknown: self.config_unknown,
            after_sensitive: self.config_sensitive,
            ..Change::default()
        }
    }

    /// What happens if the action fails; empty if the plan does not say it.
    pub fn on_failure(&self) -> &str {
        self.lifecycle_action_trigger.as_ref().map_or("", |trigger| &*trigger.on_failure)
    }
}

/// The invocation of an action from the command line.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct InvokeTrigger<'a> {
    /// The resource that the action is called from.
    #[serde(borrow)]
    pub calling_resource_address: Str<'a>,
}

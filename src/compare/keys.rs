//! Makes the keys by which providers and invocations of actions of two plans are matched.

use crate::model::plan::ActionInvocation;

/// Returns the source address of a provider without the host if that is the public registry of either tool, so that the
/// plans of both tools can be compared.
pub(super) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}

/// Returns the key of an invocation of an action: its address and its trigger.
pub(super) fn invocation_key(action: &ActionInvocation<'_>) -> String {
    let trigger = match (
        &action.lifecycle_action_trigger,
        &action.invoke_action_trigger,
    ) {
        (Some(trigger), _) => format!(
            "{:?} {:?} {} {}",
            trigger.triggering_resource_address,
            trigger.action_trigger_event,
            trigger.action_trigger_block_index,
            trigger.actions_list_index
        ),
        (None, Some(trigger)) => format!("{:?}", trigger.calling_resource_address),
        (None, None) => String::new(),
    };
    format!("{:?} {trigger}", action.address)
}

//! The members of `show -json` that a saved plan or a raw state is turned into, as the tools write them.
//!
//! Source: the JSON output format. There is one member more, `saved_plan`, for what the JSON does not say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

/// JSON that is written already.
pub(super) type Json = Box<RawValue>;

/// Whether a member with its default is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Default, Serialize)]
pub(super) struct Plan {
    pub(super) format_version: &'static str,
    pub(super) terraform_version: String,
    pub(super) saved_plan: SavedPlan,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) variables: BTreeMap<String, Variable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) configuration: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider_schemas: Option<Json>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resource_drift: Vec<Resource>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resource_changes: Vec<Resource>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) deferred_changes: Vec<DeferredChange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) action_invocations: Vec<Action>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) deferred_action_invocations: Vec<DeferredAction>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) output_changes: BTreeMap<String, OutputChange>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) relevant_attributes: Vec<RelevantAttribute>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) checks: Vec<serde_json::Value>,
    pub(super) timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) applyable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) complete: Option<bool>,
    pub(super) errored: bool,
}

/// What only the file says.
#[derive(Default, Serialize)]
pub(super) struct SavedPlan {
    pub(super) tool: &'static str,
    pub(super) mode: &'static str,
    /// Why there is no configuration.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) configuration_problem: String,
}

#[derive(Serialize)]
pub(super) struct Variable {
    pub(super) value: Json,
}

#[derive(Serialize)]
pub(super) struct Resource {
    pub(super) address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) previous_address: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) module_address: String,
    pub(super) mode: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<Json>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) index_unknown: bool,
    pub(super) provider_name: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) deposed: String,
    pub(super) change: Change,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) action_reason: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct Change {
    pub(super) actions: &'static [&'static str],
    pub(super) before: Option<Json>,
    pub(super) after: Option<Json>,
    pub(super) after_unknown: Json,
    pub(super) before_sensitive: Json,
    pub(super) after_sensitive: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) replace_paths: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) importing: Option<Importing>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) generated_config: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) before_identity: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after_identity: Option<Json>,
}

#[derive(Default, Serialize)]
pub(super) struct Importing {
    #[serde(skip_serializing_if = "is_default")]
    pub(super) id: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) unknown: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) identity: Option<Json>,
}

#[derive(Serialize)]
pub(super) struct DeferredChange {
    pub(super) reason: &'static str,
    pub(super) resource_change: Resource,
}

#[derive(Serialize)]
pub(super) struct OutputChange {
    pub(super) actions: &'static [&'static str],
    pub(super) before: Option<Json>,
    /// `None` if all of it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Json>,
    pub(super) after_unknown: Json,
    pub(super) before_sensitive: bool,
    pub(super) after_sensitive: bool,
}

#[derive(Serialize)]
pub(super) struct Action {
    pub(super) address: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) config_values: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) config_sensitive: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) config_unknown: Option<Json>,
    pub(super) provider_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lifecycle_action_trigger: Option<LifecycleTrigger>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) invoke_action_trigger: Option<InvokeTrigger>,
}

#[derive(Serialize)]
pub(super) struct LifecycleTrigger {
    pub(super) triggering_resource_address: String,
    pub(super) action_trigger_event: &'static str,
    pub(super) action_trigger_block_index: i64,
    pub(super) actions_list_index: i64,
    pub(super) on_failure: &'static str,
}

#[derive(Serialize)]
pub(super) struct InvokeTrigger {
    #[serde(skip_serializing_if = "is_default")]
    pub(super) calling_resource_address: String,
}

#[derive(Serialize)]
pub(super) struct DeferredAction {
    pub(super) reason: &'static str,
    pub(super) action_invocation: Action,
}

#[derive(Serialize)]
pub(super) struct RelevantAttribute {
    pub(super) resource: String,
    pub(super) attribute: Json,
}

/// The document of a state.
#[derive(Default, Serialize)]
pub(super) struct State {
    pub(super) format_version: &'static str,
    pub(super) terraform_version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<StateValues>,
}

#[derive(Default, Serialize)]
pub(super) struct StateValues {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) outputs: BTreeMap<String, Output>,
    pub(super) root_module: Module,
}

#[derive(Serialize)]
pub(super) struct Output {
    pub(super) sensitive: bool,
    pub(super) value: Json,
    #[serde(rename = "type")]
    pub(super) kind: Json,
}

#[derive(Default, Serialize)]
pub(super) struct Module {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resources: Vec<StateResource>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) address: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) child_modules: Vec<Self>,
}

#[derive(Serialize)]
pub(super) struct StateResource {
    pub(super) address: String,
    pub(super) mode: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index: Option<Json>,
    pub(super) provider_name: String,
    pub(super) schema_version: u64,
    pub(super) values: Json,
    pub(super) sensitive_values: Json,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) tainted: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) deposed_key: String,
}

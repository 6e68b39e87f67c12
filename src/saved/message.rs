//! The messages of protocol buffers in a saved plan, as far as they are shown.
//!
//! Source: `planfile.proto` and `tfschemas.proto` of the tools; field numbers are never reused. Fields that may
//! hold credentials (`private`, the backend) are not read.

use std::collections::HashMap;

use prost::Message;

/// The only version of the format.
pub(super) const VERSION: u64 = 3;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Plan {
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    #[prost(map = "string, message", tag = "2")]
    pub(super) variables: HashMap<String, DynamicValue>,
    #[prost(message, repeated, tag = "3")]
    pub(super) resource_changes: Vec<ResourceChange>,
    #[prost(message, repeated, tag = "4")]
    pub(super) output_changes: Vec<OutputChange>,
    #[prost(string, tag = "14")]
    pub(super) terraform_version: String,
    #[prost(message, repeated, tag = "15")]
    pub(super) relevant_attributes: Vec<RelevantAttribute>,
    #[prost(int32, tag = "17")]
    pub(super) ui_mode: i32,
    #[prost(message, repeated, tag = "18")]
    pub(super) resource_drift: Vec<ResourceChange>,
    #[prost(message, repeated, tag = "19")]
    pub(super) check_results: Vec<CheckResult>,
    #[prost(bool, tag = "20")]
    pub(super) errored: bool,
    #[prost(string, tag = "21")]
    pub(super) timestamp: String,
    /// Terraform only, as are all with higher numbers.
    #[prost(bool, tag = "25")]
    pub(super) applyable: bool,
    #[prost(bool, tag = "26")]
    pub(super) complete: bool,
    #[prost(message, repeated, tag = "27")]
    pub(super) deferred_changes: Vec<DeferredChange>,
    #[prost(message, repeated, tag = "30")]
    pub(super) action_invocations: Vec<ActionInvocation>,
    #[prost(message, repeated, tag = "31")]
    pub(super) deferred_action_invocations: Vec<DeferredInvocation>,
}

/// A value, in MessagePack.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) msgpack: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Path {
    #[prost(message, repeated, tag = "1")]
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Step {
    #[prost(oneof = "StepKind", tags = "1, 2")]
    pub(super) kind: Option<StepKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum StepKind {
    #[prost(string, tag = "1")]
    AttributeName(String),
    #[prost(message, tag = "2")]
    ElementKey(DynamicValue),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceChange {
    #[prost(string, tag = "7")]
    pub(super) deposed_key: String,
    #[prost(string, tag = "8")]
    pub(super) provider: String,
    #[prost(message, optional, tag = "9")]
    pub(super) change: Option<Change>,
    #[prost(message, repeated, tag = "11")]
    pub(super) required_replace: Vec<Path>,
    #[prost(int32, tag = "12")]
    pub(super) action_reason: i32,
    #[prost(string, tag = "13")]
    pub(super) addr: String,
    #[prost(string, tag = "14")]
    pub(super) prev_run_addr: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Change {
    #[prost(int32, tag = "1")]
    pub(super) action: i32,
    #[prost(message, repeated, tag = "2")]
    pub(super) values: Vec<DynamicValue>,
    #[prost(message, repeated, tag = "3")]
    pub(super) before_sensitive_paths: Vec<Path>,
    #[prost(message, repeated, tag = "4")]
    pub(super) after_sensitive_paths: Vec<Path>,
    /// [`TerraformImporting`] or [`OpenTofuImporting`].
    #[prost(bytes = "vec", optional, tag = "5")]
    pub(super) importing: Option<Vec<u8>>,
    #[prost(string, tag = "6")]
    pub(super) generated_config: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TerraformImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(bool, tag = "2")]
    pub(super) unknown: bool,
    #[prost(message, optional, tag = "3")]
    pub(super) identity: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OpenTofuImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(message, optional, tag = "2")]
    pub(super) identity: Option<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OutputChange {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) change: Option<Change>,
    #[prost(bool, tag = "3")]
    pub(super) sensitive: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RelevantAttribute {
    #[prost(string, tag = "1")]
    pub(super) resource: String,
    #[prost(message, optional, tag = "2")]
    pub(super) attr: Option<Path>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredChange {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, tag = "2")]
    pub(super) change: Option<ResourceChange>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredInvocation {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, tag = "2")]
    pub(super) action_invocation: Option<ActionInvocation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Deferred {
    #[prost(int32, tag = "1")]
    pub(super) reason: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ActionInvocation {
    #[prost(string, tag = "1")]
    pub(super) addr: String,
    #[prost(string, tag = "2")]
    pub(super) provider: String,
    #[prost(message, optional, tag = "4")]
    pub(super) config_value: Option<DynamicValue>,
    #[prost(message, repeated, tag = "5")]
    pub(super) sensitive_config_paths: Vec<Path>,
    #[prost(message, optional, tag = "6")]
    pub(super) lifecycle_trigger: Option<LifecycleTrigger>,
    #[prost(message, optional, tag = "7")]
    pub(super) invoke_trigger: Option<InvokeTrigger>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LifecycleTrigger {
    #[prost(string, tag = "1")]
    pub(super) triggering_resource_addr: String,
    #[prost(int32, tag = "2")]
    pub(super) trigger_event: i32,
    #[prost(int64, tag = "3")]
    pub(super) action_trigger_block_index: i64,
    #[prost(int64, tag = "4")]
    pub(super) actions_list_index: i64,
    #[prost(int32, tag = "5")]
    pub(super) on_failure: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct InvokeTrigger {
    #[prost(string, tag = "1")]
    pub(super) calling_resource_addr: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckResult {
    #[prost(int32, tag = "1")]
    pub(super) kind: i32,
    #[prost(string, tag = "2")]
    pub(super) config_addr: String,
    #[prost(int32, tag = "3")]
    pub(super) status: i32,
    #[prost(message, repeated, tag = "4")]
    pub(super) objects: Vec<CheckObject>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckObject {
    #[prost(string, tag = "1")]
    pub(super) object_addr: String,
    #[prost(int32, tag = "2")]
    pub(super) status: i32,
    #[prost(string, repeated, tag = "3")]
    pub(super) failure_messages: Vec<String>,
}

/// The provider schemas that the plan needs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Schemas {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) providers: std::collections::BTreeMap<String, ProviderSchema>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProviderSchema {
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) managed_resource_types: std::collections::BTreeMap<String, ResourceSchema>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub(super) data_sources: std::collections::BTreeMap<String, ResourceSchema>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSchema {
    #[prost(message, optional, tag = "1")]
    pub(super) schema: Option<Schema>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Schema {
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaBlock {
    #[prost(message, repeated, tag = "1")]
    pub(super) attributes: Vec<SchemaAttribute>,
    #[prost(message, repeated, tag = "2")]
    pub(super) block_types: Vec<SchemaNestedBlock>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaAttribute {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    /// The type, as JSON.
    #[prost(bytes = "vec", tag = "2")]
    pub(super) r#type: Vec<u8>,
    #[prost(message, optional, tag = "3")]
    pub(super) nested_type: Option<SchemaObject>,
    #[prost(bool, tag = "4")]
    pub(super) required: bool,
    #[prost(bool, tag = "7")]
    pub(super) sensitive: bool,
    #[prost(bool, tag = "8")]
    pub(super) write_only: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaObject {
    #[prost(message, repeated, tag = "1")]
    pub(super) attributes: Vec<SchemaAttribute>,
    #[prost(int32, tag = "2")]
    pub(super) nesting: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaNestedBlock {
    #[prost(string, tag = "1")]
    pub(super) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
    #[prost(int32, tag = "3")]
    pub(super) nesting: i32,
}

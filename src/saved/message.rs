//! The messages of protocol buffers in a saved plan, and their closed sets.
//!
//! Source: `planfile.proto` and `tfschemas.proto` of Terraform and OpenTofu. Names and numbers are theirs; the tools
//! never reuse a number. Fields that may hold credentials (`private`, the backend) are left out, and so are those
//! that no output shows.
//!
//! As the tools' own decoder does, a field that occurs twice is read by the rules of protocol buffers: of single
//! values the last one counts, parts of a message are merged, and repeated fields are appended.
//!
//! A list of messages in [`Plan`] is kept as bytes. An empty message takes two bytes in the file and some hundred in
//! memory, so its messages are decoded and checked one after another ([`decode`]).
//!
//! ```text
//! field 3 of the plan: a message with 13: "aws_vpc.main", 8: "provider[\"…/aws\"]", 9: { 1: CREATE, 2: [values] }
//!
//! ResourceInstanceChange { addr: "aws_vpc.main", provider: …, change: Some(Change { action: 1, … }), … }
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use prost::bytes::Bytes;
use prost::{Enumeration, Message, Oneof};
use strum::IntoStaticStr;

use super::Error;

/// Decodes one message. `place` names it in errors.
pub(super) fn decode<M: Message + Default>(bytes: Bytes, subject: &str) -> Result<M, Error> {
    M::decode(bytes).map_err(|error| {
        let problem = format!("a message is damaged or truncated ({error})");
        Error::malformed(subject, problem)
    })
}

/// Returns the name of a member of a closed set, as the JSON of the tools has it.
///
/// A number that a later release added shows as itself, after `what` it is a number of.
pub(super) fn name_of<E>(number: i32, what: &str) -> Cow<'static, str>
where
    E: TryFrom<i32> + Into<&'static str>,
{
    match E::try_from(number) {
        Ok(member) => Cow::Borrowed(member.into()),
        Err(_) => Cow::Owned(format!("{what} {number}")),
    }
}

/// The entry `tfplan`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Plan {
    /// The version of the format.
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    /// The variables that were set; those with their default are missing.
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) variables: BTreeMap<String, DynamicValue>,
    /// Each is a [`ResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "3")]
    pub(super) resource_changes: Vec<Bytes>,
    /// Each is an [`OutputChange`].
    #[prost(bytes = "bytes", repeated, tag = "4")]
    pub(super) output_changes: Vec<Bytes>,
    /// The release that wrote the plan, of either tool.
    #[prost(string, tag = "14")]
    pub(super) terraform_version: String,
    /// Each is a [`RelevantAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "15")]
    pub(super) relevant_attributes: Vec<Bytes>,
    /// Whether the plan is a normal one, destroys everything, or only refreshes the state.
    #[prost(enumeration = "Mode", tag = "17")]
    pub(super) ui_mode: i32,
    /// Each is a [`ResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "18")]
    pub(super) resource_drift: Vec<Bytes>,
    /// Each is a [`CheckResults`].
    #[prost(bytes = "bytes", repeated, tag = "19")]
    pub(super) check_results: Vec<Bytes>,
    /// Planning failed, so the plan is incomplete.
    #[prost(bool, tag = "20")]
    pub(super) errored: bool,
    /// The time of planning, in RFC 3339.
    #[prost(string, tag = "21")]
    pub(super) timestamp: String,
    /// Terraform from 1.8, as `complete`. False is not written.
    #[prost(bool, tag = "25")]
    pub(super) applyable: bool,
    /// Whether the plan has everything that the configuration needs. False is not written.
    #[prost(bool, tag = "26")]
    pub(super) complete: bool,
    /// Terraform only. Each is a [`DeferredResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "27")]
    pub(super) deferred_changes: Vec<Bytes>,
    /// Terraform only. Each is an [`ActionInvocationInstance`].
    #[prost(bytes = "bytes", repeated, tag = "30")]
    pub(super) action_invocations: Vec<Bytes>,
    /// Terraform only. Each is a [`DeferredActionInvocation`].
    #[prost(bytes = "bytes", repeated, tag = "31")]
    pub(super) deferred_action_invocations: Vec<Bytes>,
}

/// What kind of plan it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Mode {
    Normal = 0,
    Destroy = 1,
    RefreshOnly = 2,
}

/// A value in MessagePack.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DynamicValue {
    #[prost(bytes = "bytes", tag = "1")]
    pub(super) msgpack: Bytes,
}

/// The steps from a value to a part of it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Path {
    #[prost(message, repeated, tag = "1")]
    pub(super) steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PathStep {
    #[prost(oneof = "Selector", tags = "1, 2")]
    pub(super) selector: Option<Selector>,
}

/// Where a step leads.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Selector {
    #[prost(string, tag = "1")]
    AttributeName(String),
    /// A number or a text; in a set the whole element.
    #[prost(message, tag = "2")]
    ElementKey(DynamicValue),
}

/// What happens to one object.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceInstanceChange {
    /// Empty for the current object.
    #[prost(string, tag = "7")]
    pub(super) deposed_key: String,
    /// The address of the provider, such as `module.m.provider["HOST/NAMESPACE/TYPE"].alias`.
    #[prost(string, tag = "8")]
    pub(super) provider: String,
    /// The action and the values; missing only in a damaged file.
    #[prost(message, optional, boxed, tag = "9")]
    pub(super) change: Option<Box<Change>>,
    /// The paths that force the replacement.
    #[prost(message, repeated, tag = "11")]
    pub(super) required_replace: Vec<Path>,
    /// Why the tool chose the action.
    #[prost(enumeration = "ActionReason", tag = "12")]
    pub(super) action_reason: i32,
    /// The address of the object; empty in saved plans of releases before Terraform 1.1.
    #[prost(string, tag = "13")]
    pub(super) addr: String,
    /// The address before the plan, if the object moves.
    #[prost(string, tag = "14")]
    pub(super) prev_run_addr: String,
}

/// Why the tool chose an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum ActionReason {
    #[strum(serialize = "")]
    None = 0,
    ReplaceBecauseTainted = 1,
    ReplaceByRequest = 2,
    ReplaceBecauseCannotUpdate = 3,
    DeleteBecauseNoResourceConfig = 4,
    DeleteBecauseWrongRepetition = 5,
    DeleteBecauseCountIndex = 6,
    DeleteBecauseEachKey = 7,
    DeleteBecauseNoModule = 8,
    ReplaceByTriggers = 9,
    ReadBecauseConfigUnknown = 10,
    ReadBecauseDependencyPending = 11,
    DeleteBecauseNoMoveTarget = 12,
    ReadBecauseCheckNested = 13,
    /// OpenTofu only, as those below.
    DeleteBecauseEnabledFalse = 14,
    ForgotBecauseLifecycleDestroyInState = 15,
    ForgotBecauseLifecycleDestroyInConfig = 16,
}

/// What happens to a value.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Change {
    /// What happens.
    #[prost(enumeration = "Action", tag = "1")]
    pub(super) action: i32,
    /// Before, after, or both, as the action says.
    #[prost(message, repeated, tag = "2")]
    pub(super) values: Vec<DynamicValue>,
    /// The paths of sensitive parts before the change.
    #[prost(message, repeated, tag = "3")]
    pub(super) before_sensitive_paths: Vec<Path>,
    /// The paths of sensitive parts after it.
    #[prost(message, repeated, tag = "4")]
    pub(super) after_sensitive_paths: Vec<Path>,
    /// The parts of a [`TerraformImporting`] or an [`OpenTofuImporting`], which are merged by appending them.
    #[prost(bytes = "bytes", repeated, tag = "5")]
    pub(super) importing: Vec<Bytes>,
    /// The configuration that the tool generated for an import; empty for others.
    #[prost(string, tag = "6")]
    pub(super) generated_config: String,
    /// The identity of the object before, where the provider has identities.
    #[prost(message, optional, tag = "7")]
    pub(super) before_identity: Option<DynamicValue>,
    /// The identity of the object after the change.
    #[prost(message, optional, tag = "8")]
    pub(super) after_identity: Option<DynamicValue>,
}

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Action {
    NoOp = 0,
    Create = 1,
    Read = 2,
    Update = 3,
    Delete = 5,
    DeleteThenCreate = 6,
    CreateThenDelete = 7,
    Forget = 8,
    /// Terraform only.
    CreateThenForget = 9,
    /// OpenTofu only.
    ForgetThenCreate = 10,
}

/// What is imported, as Terraform writes it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TerraformImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(bool, tag = "2")]
    pub(super) unknown: bool,
    #[prost(message, optional, tag = "3")]
    pub(super) identity: Option<DynamicValue>,
}

/// What is imported, as OpenTofu writes it. The type of field 2 tells the two apart.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OpenTofuImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(message, optional, tag = "2")]
    pub(super) identity: Option<DynamicValue>,
}

/// What happens to an output.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OutputChange {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, boxed, tag = "2")]
    pub(super) change: Option<Box<Change>>,
    #[prost(bool, tag = "3")]
    pub(super) sensitive: bool,
}

/// An attribute that contributed to the plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct RelevantAttribute {
    #[prost(string, tag = "1")]
    pub(super) resource: String,
    #[prost(message, optional, tag = "2")]
    pub(super) attr: Option<Path>,
}

/// A change that is deferred to a later plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredResourceInstanceChange {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, boxed, tag = "2")]
    pub(super) change: Option<Box<ResourceInstanceChange>>,
}

/// An action whose invocation is deferred to a later plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredActionInvocation {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, boxed, tag = "2")]
    pub(super) action_invocation: Option<Box<ActionInvocationInstance>>,
}

/// Why something is deferred.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Deferred {
    #[prost(enumeration = "DeferredReason", tag = "1")]
    pub(super) reason: i32,
}

/// Why something is deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum DeferredReason {
    #[strum(serialize = "unknown")]
    Invalid = 0,
    InstanceCountUnknown = 1,
    ResourceConfigUnknown = 2,
    ProviderConfigUnknown = 3,
    AbsentPrereq = 4,
    DeferredPrereq = 5,
}

/// An action that the apply invokes. Terraform only.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ActionInvocationInstance {
    /// The address of the action.
    #[prost(string, tag = "1")]
    pub(super) addr: String,
    /// The address of the provider.
    #[prost(string, tag = "2")]
    pub(super) provider: String,
    /// The configuration that the action is invoked with.
    #[prost(message, optional, tag = "4")]
    pub(super) config_value: Option<DynamicValue>,
    /// The paths of its sensitive parts.
    #[prost(message, repeated, tag = "5")]
    pub(super) sensitive_config_paths: Vec<Path>,
    /// What invokes it: a change of a resource, or the command line.
    #[prost(oneof = "ActionTrigger", tags = "6, 7")]
    pub(super) action_trigger: Option<ActionTrigger>,
}

/// What invokes an action.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum ActionTrigger {
    #[prost(message, tag = "6")]
    Lifecycle(LifecycleActionTrigger),
    #[prost(message, tag = "7")]
    Invoke(InvokeActionTrigger),
}

/// A change of a resource invokes the action.
#[derive(Clone, PartialEq, Message)]
pub(super) struct LifecycleActionTrigger {
    /// The resource whose change invokes the action.
    #[prost(string, tag = "1")]
    pub(super) triggering_resource_addr: String,
    /// Before or after which kind of change.
    #[prost(enumeration = "TriggerEvent", tag = "2")]
    pub(super) trigger_event: i32,
    /// The index of the `action_trigger` block in the resource.
    #[prost(uint64, tag = "3")]
    pub(super) action_trigger_block_index: u64,
    /// The index of the action in that block.
    #[prost(uint64, tag = "4")]
    pub(super) actions_list_index: u64,
    /// What happens to the apply if the action fails.
    #[prost(enumeration = "OnFailure", tag = "5")]
    pub(super) on_failure: i32,
}

/// The event that invokes an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[repr(i32)]
pub(super) enum TriggerEvent {
    EventUnknown = 0,
    BeforeCreate = 1,
    AfterCreate = 2,
    BeforeUpdate = 3,
    AfterUpdate = 4,
    BeforeDestroy = 5,
    AfterDestroy = 6,
}

/// What happens to the apply if an action fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(prefix = "ActionOnFailure")]
#[repr(i32)]
pub(super) enum OnFailure {
    Halt = 0,
    Taint = 1,
    Continue = 2,
}

/// The command line invokes the action.
#[derive(Clone, PartialEq, Message)]
pub(super) struct InvokeActionTrigger {
    #[prost(string, tag = "1")]
    pub(super) calling_resource_addr: String,
}

/// The results of the conditions of a resource, output, variable or `check` block.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckResults {
    /// What has the conditions.
    #[prost(enumeration = "CheckKind", tag = "1")]
    pub(super) kind: i32,
    /// The address without instance keys.
    #[prost(string, tag = "2")]
    pub(super) config_addr: String,
    /// The worst status of all objects.
    #[prost(enumeration = "CheckStatus", tag = "3")]
    pub(super) status: i32,
    /// The result of each instance.
    #[prost(message, repeated, tag = "4")]
    pub(super) objects: Vec<CheckedObject>,
}

/// What has a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum CheckKind {
    #[strum(serialize = "")]
    Unspecified = 0,
    Resource = 1,
    OutputValue = 2,
    Check = 3,
    #[strum(serialize = "var")]
    InputVariable = 4,
}

/// The result of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum CheckStatus {
    Unknown = 0,
    Pass = 1,
    Fail = 2,
    Error = 3,
}

/// The results for one instance.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckedObject {
    #[prost(string, tag = "1")]
    pub(super) object_addr: String,
    #[prost(enumeration = "CheckStatus", tag = "2")]
    pub(super) status: i32,
    #[prost(string, repeated, tag = "3")]
    pub(super) failure_messages: Vec<String>,
}

/// The entry `tfschemas`: the schemas of the types that the plan needs (OpenTofu from 1.13).
#[derive(Clone, PartialEq, Message)]
pub(super) struct Schemas {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) providers: BTreeMap<String, ProviderSchema>,
}

/// The schemas of a provider.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ProviderSchema {
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) managed_resource_types: BTreeMap<String, ResourceSchema>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub(super) data_sources: BTreeMap<String, ResourceSchema>,
}

/// The schema of a resource type.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSchema {
    #[prost(message, optional, tag = "1")]
    pub(super) schema: Option<Schema>,
}

/// A schema with its version.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Schema {
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
}

/// The schema of a block.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaBlock {
    /// Each is a [`SchemaAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) attributes: Vec<Bytes>,
    /// Each is a [`SchemaNestedBlock`].
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub(super) block_types: Vec<Bytes>,
}

/// An attribute in the schema of a type.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaAttribute {
    /// The name of the attribute.
    #[prost(string, tag = "1")]
    pub(super) name: String,
    /// The type as JSON, unless there is a nested type.
    #[prost(bytes = "bytes", tag = "2")]
    pub(super) r#type: Bytes,
    /// Its nested attributes, if it has any.
    #[prost(message, optional, tag = "3")]
    pub(super) nested_type: Option<SchemaObject>,
    /// Whether the configuration must give it.
    #[prost(bool, tag = "4")]
    pub(super) required: bool,
    /// Whether its values are always sensitive.
    #[prost(bool, tag = "7")]
    pub(super) sensitive: bool,
    /// Whether its value is passed to the provider and never stored.
    #[prost(bool, tag = "8")]
    pub(super) write_only: bool,
}

/// The nested attributes of an attribute.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaObject {
    /// Each is a [`SchemaAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) attributes: Vec<Bytes>,
    #[prost(enumeration = "Nesting", tag = "2")]
    pub(super) nesting: i32,
}

/// The schema of a block in another one.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaNestedBlock {
    #[prost(string, tag = "1")]
    pub(super) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
    #[prost(enumeration = "Nesting", tag = "3")]
    pub(super) nesting: i32,
}

/// How nested blocks and attributes are nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum Nesting {
    #[strum(serialize = "")]
    Unspecified = 0,
    Single = 1,
    Group = 2,
    List = 3,
    Set = 4,
    Map = 5,
}

//! The messages of protocol buffers in a saved plan, and their closed sets of values.
//!
//! Source: `planfile.proto` and `tfschemas.proto` of Terraform and OpenTofu, from which the names and numbers are
//! taken; the tools never reuse a number. The field `private`, which may hold credentials, is left out, and so are those
//! that neither an output nor a comparison needs.
//!
//! A field that occurs twice is read by the rules of protocol buffers, as in the tools' own decoder: the last of
//! several single values counts, the parts of a message are merged, and repeated fields are appended.
//!
//! The lists of messages in [`Plan`] are kept as bytes. An empty message takes two bytes in the file but several
//! hundred in memory, so the messages are decoded and checked one after another ([`decode`]).
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
///
/// # Errors
/// If the bytes are damaged or truncated.
pub(super) fn decode<M: Message + Default>(bytes: Bytes, subject: &str) -> Result<M, Error> {
    M::decode(bytes).map_err(|error| {
        let problem = format!("a message is damaged or truncated ({error})");
        Error::malformed(subject, problem)
    })
}

/// Returns the name of a member of a closed set as the JSON of the tools has it.
///
/// A number that a later release added becomes the text `WHAT NUMBER`, such as `reason 9`.
pub(super) fn name_of<E>(number: i32, what: &str) -> Cow<'static, str>
where
    E: TryFrom<i32> + Into<&'static str>,
{
    match E::try_from(number) {
        Ok(member) => Cow::Borrowed(member.into()),
        Err(_) => Cow::Owned(format!("{what} {number}")),
    }
}

/// The message in the entry `tfplan`: the whole plan.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Plan {
    /// The version of the format.
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    /// The values of the variables that were set. Variables with their default value are missing.
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) variables: BTreeMap<String, DynamicValue>,
    /// The planned changes; each is a [`ResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "3")]
    pub(super) resource_changes: Vec<Bytes>,
    /// The changes of outputs; each is an [`OutputChange`].
    #[prost(bytes = "bytes", repeated, tag = "4")]
    pub(super) output_changes: Vec<Bytes>,
    /// The objects that the plan is limited to, with everything that they depend on (`-target`).
    #[prost(string, repeated, tag = "5")]
    pub(super) target_addrs: Vec<String>,
    /// The objects that the plan leaves out (`-exclude`); only OpenTofu writes them.
    #[prost(string, repeated, tag = "6")]
    pub(super) exclude_addrs: Vec<String>,
    /// The backend that the apply writes the state to.
    #[prost(message, optional, boxed, tag = "13")]
    pub(super) backend: Option<Box<Backend>>,
    /// The state store that the apply writes the state to, which Terraform has instead of a backend.
    #[prost(message, optional, boxed, tag = "29")]
    pub(super) state_store: Option<Box<Backend>>,
    /// The release that wrote the plan, of either tool.
    #[prost(string, tag = "14")]
    pub(super) terraform_version: String,
    /// The attributes that contributed to the plan; each is a [`RelevantAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "15")]
    pub(super) relevant_attributes: Vec<Bytes>,
    /// The kind of plan, a `Mode`.
    #[prost(enumeration = "Mode", tag = "17")]
    pub(super) ui_mode: i32,
    /// The drift; each is a [`ResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "18")]
    pub(super) resource_drift: Vec<Bytes>,
    /// The results of conditions; each is a [`CheckResults`].
    #[prost(bytes = "bytes", repeated, tag = "19")]
    pub(super) check_results: Vec<Bytes>,
    /// Whether planning failed, so that the plan is incomplete.
    #[prost(bool, tag = "20")]
    pub(super) errored: bool,
    /// The time of planning, in the format of RFC 3339.
    #[prost(string, tag = "21")]
    pub(super) timestamp: String,
    /// Whether the plan can be applied. Terraform writes it from 1.8 on, as `complete`; false is not written.
    #[prost(bool, tag = "25")]
    pub(super) applyable: bool,
    /// Whether no further plan is needed after it to reach what the configuration describes. False is not written.
    #[prost(bool, tag = "26")]
    pub(super) complete: bool,
    /// The deferred changes, only of Terraform; each is a [`DeferredResourceInstanceChange`].
    #[prost(bytes = "bytes", repeated, tag = "27")]
    pub(super) deferred_changes: Vec<Bytes>,
    /// The actions to invoke, only of Terraform; each is an [`ActionInvocationInstance`].
    #[prost(bytes = "bytes", repeated, tag = "30")]
    pub(super) action_invocations: Vec<Bytes>,
    /// The deferred invocations of actions, only of Terraform; each is a [`DeferredActionInvocation`].
    #[prost(bytes = "bytes", repeated, tag = "31")]
    pub(super) deferred_action_invocations: Vec<Bytes>,
}

/// Where the apply writes the state: a backend, or a state store of a provider.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Backend {
    /// The type, such as `s3`.
    #[prost(string, tag = "1")]
    pub(super) r#type: String,
    /// The arguments. They may hold credentials.
    #[prost(message, optional, tag = "2")]
    pub(super) config: Option<DynamicValue>,
    /// The name of the workspace.
    #[prost(string, tag = "3")]
    pub(super) workspace: String,
    /// The provider of a state store: its version, its source address and its arguments, as bytes.
    #[prost(bytes = "bytes", tag = "4")]
    pub(super) provider: Bytes,
}

/// The kind of a plan: a normal one, one that destroys everything, or one that only refreshes the state.
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

/// The path from a value to a part of it.
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

/// The part that a step of a path selects: an attribute of an object, or an element of a collection.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Selector {
    #[prost(string, tag = "1")]
    AttributeName(String),
    /// An index or a key; in a set, the whole element.
    #[prost(message, tag = "2")]
    ElementKey(DynamicValue),
}

/// The change of one object.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceInstanceChange {
    /// The key of a deposed object; empty for the current one.
    #[prost(string, tag = "7")]
    pub(super) deposed_key: String,
    /// The address of the provider, such as `module.m.provider["HOST/NAMESPACE/TYPE"].alias`.
    #[prost(string, tag = "8")]
    pub(super) provider: String,
    /// The action and the values. It is missing only in a damaged file.
    #[prost(message, optional, boxed, tag = "9")]
    pub(super) change: Option<Box<Change>>,
    /// The paths of the attributes that force a replacement.
    #[prost(message, repeated, tag = "11")]
    pub(super) required_replace: Vec<Path>,
    /// The reason for the action, an `ActionReason`.
    #[prost(enumeration = "ActionReason", tag = "12")]
    pub(super) action_reason: i32,
    /// The address of the object. It is empty in saved plans of releases before Terraform 1.1.
    #[prost(string, tag = "13")]
    pub(super) addr: String,
    /// The address of the object before the plan; it differs from `addr` if the object moves.
    #[prost(string, tag = "14")]
    pub(super) prev_run_addr: String,
}

/// The reason why the tool chose an action.
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
    /// Only OpenTofu has this reason and the following ones.
    DeleteBecauseEnabledFalse = 14,
    ForgotBecauseLifecycleDestroyInState = 15,
    ForgotBecauseLifecycleDestroyInConfig = 16,
}

/// The change of a value: an action, and the values before and after it.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Change {
    /// The action, an `Action`.
    #[prost(enumeration = "Action", tag = "1")]
    pub(super) action: i32,
    /// The value before, the value after, or both, depending on the action.
    #[prost(message, repeated, tag = "2")]
    pub(super) values: Vec<DynamicValue>,
    /// The paths of sensitive parts before the change.
    #[prost(message, repeated, tag = "3")]
    pub(super) before_sensitive_paths: Vec<Path>,
    /// The paths of sensitive parts after the change.
    #[prost(message, repeated, tag = "4")]
    pub(super) after_sensitive_paths: Vec<Path>,
    /// The encoded parts of a [`TerraformImporting`] or an [`OpenTofuImporting`]. Appending them merges them.
    #[prost(bytes = "bytes", repeated, tag = "5")]
    pub(super) importing: Vec<Bytes>,
    /// The configuration that the tool generated for an imported object; otherwise empty.
    #[prost(string, tag = "6")]
    pub(super) generated_config: String,
    /// The identity of the object before the change, if the provider has identities.
    #[prost(message, optional, tag = "7")]
    pub(super) before_identity: Option<DynamicValue>,
    /// The identity of the object after the change, if the provider has identities.
    #[prost(message, optional, tag = "8")]
    pub(super) after_identity: Option<DynamicValue>,
}

/// The action on an object.
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
    /// Only Terraform has it.
    CreateThenForget = 9,
    /// Only OpenTofu has it.
    ForgetThenCreate = 10,
}

/// The import of an object, in the form of Terraform.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TerraformImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(bool, tag = "2")]
    pub(super) unknown: bool,
    #[prost(message, optional, tag = "3")]
    pub(super) identity: Option<DynamicValue>,
}

/// The import of an object, in the form of OpenTofu. Field 2 has another type than in Terraform's message, which tells
/// them apart.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OpenTofuImporting {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(message, optional, tag = "2")]
    pub(super) identity: Option<DynamicValue>,
}

/// The change of an output of the root module.
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

/// A deferred change with its reason.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredResourceInstanceChange {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, boxed, tag = "2")]
    pub(super) change: Option<Box<ResourceInstanceChange>>,
}

/// A deferred invocation of an action with its reason.
#[derive(Clone, PartialEq, Message)]
pub(super) struct DeferredActionInvocation {
    #[prost(message, optional, tag = "1")]
    pub(super) deferred: Option<Deferred>,
    #[prost(message, optional, boxed, tag = "2")]
    pub(super) action_invocation: Option<Box<ActionInvocationInstance>>,
}

/// The message that holds the reason why something is deferred.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Deferred {
    #[prost(enumeration = "DeferredReason", tag = "1")]
    pub(super) reason: i32,
}

/// The reason why a change or an action is deferred.
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

/// An action that the apply invokes. Only Terraform has them.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ActionInvocationInstance {
    /// The address of the action.
    #[prost(string, tag = "1")]
    pub(super) addr: String,
    /// The address of the provider.
    #[prost(string, tag = "2")]
    pub(super) provider: String,
    /// The configuration with which the action is invoked.
    #[prost(message, optional, tag = "4")]
    pub(super) config_value: Option<DynamicValue>,
    /// The paths of the sensitive parts of the configuration.
    #[prost(message, repeated, tag = "5")]
    pub(super) sensitive_config_paths: Vec<Path>,
    /// The trigger: a change of a resource, or the command line.
    #[prost(oneof = "ActionTrigger", tags = "6, 7")]
    pub(super) action_trigger: Option<ActionTrigger>,
}

/// The trigger of an action.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum ActionTrigger {
    #[prost(message, tag = "6")]
    Lifecycle(LifecycleActionTrigger),
    #[prost(message, tag = "7")]
    Invoke(InvokeActionTrigger),
}

/// A trigger by the change of a resource.
#[derive(Clone, PartialEq, Message)]
pub(super) struct LifecycleActionTrigger {
    /// The resource whose change invokes the action.
    #[prost(string, tag = "1")]
    pub(super) triggering_resource_addr: String,
    /// The time at which the action is invoked, a `TriggerEvent`.
    #[prost(enumeration = "TriggerEvent", tag = "2")]
    pub(super) trigger_event: i32,
    /// The index of the `action_trigger` block in the resource, from 0.
    #[prost(uint64, tag = "3")]
    pub(super) action_trigger_block_index: u64,
    /// The index of the action in that block, from 0.
    #[prost(uint64, tag = "4")]
    pub(super) actions_list_index: u64,
    /// The consequence that a failure of the action has for the apply, an `OnFailure`.
    #[prost(enumeration = "OnFailure", tag = "5")]
    pub(super) on_failure: i32,
}

/// The time at which a change invokes an action.
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

/// The consequence that a failure of an action has for the apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(prefix = "ActionOnFailure")]
#[repr(i32)]
pub(super) enum OnFailure {
    Halt = 0,
    Taint = 1,
    Continue = 2,
}

/// A trigger by the option `-invoke` of the command line.
#[derive(Clone, PartialEq, Message)]
pub(super) struct InvokeActionTrigger {
    #[prost(string, tag = "1")]
    pub(super) calling_resource_addr: String,
}

/// The results of all conditions of a resource, output, variable or `check` block.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckResults {
    /// The kind of what has the conditions, a `CheckKind`.
    #[prost(enumeration = "CheckKind", tag = "1")]
    pub(super) kind: i32,
    /// The address of what has the conditions, without instance keys.
    #[prost(string, tag = "2")]
    pub(super) config_addr: String,
    /// The worst status of all instances, a `CheckStatus`.
    #[prost(enumeration = "CheckStatus", tag = "3")]
    pub(super) status: i32,
    /// The result of each instance.
    #[prost(message, repeated, tag = "4")]
    pub(super) objects: Vec<CheckedObject>,
}

/// The kind of a part of the configuration that has conditions.
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

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Enumeration, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i32)]
pub(super) enum CheckStatus {
    Unknown = 0,
    Pass = 1,
    Fail = 2,
    Error = 3,
}

/// The results of the conditions of one instance.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CheckedObject {
    #[prost(string, tag = "1")]
    pub(super) object_addr: String,
    #[prost(enumeration = "CheckStatus", tag = "2")]
    pub(super) status: i32,
    #[prost(string, repeated, tag = "3")]
    pub(super) failure_messages: Vec<String>,
}

/// The message in the entry `tfschemas`, which OpenTofu writes from 1.13 on: the schemas of the types that the plan
/// needs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Schemas {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) providers: BTreeMap<String, ProviderSchema>,
}

/// The schemas of the types of a provider.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ProviderSchema {
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) managed_resource_types: BTreeMap<String, ResourceSchema>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub(super) data_sources: BTreeMap<String, ResourceSchema>,
}

/// The schema of a resource type or data source.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSchema {
    #[prost(message, optional, tag = "1")]
    pub(super) schema: Option<Schema>,
}

/// The schema of a type. Its version is not read.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Schema {
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
}

/// The attributes and nested blocks of a block.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaBlock {
    /// The attributes; each is a [`SchemaAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) attributes: Vec<Bytes>,
    /// The nested blocks; each is a [`SchemaNestedBlock`].
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub(super) block_types: Vec<Bytes>,
}

/// An attribute in a schema.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaAttribute {
    /// The name of the attribute.
    #[prost(string, tag = "1")]
    pub(super) name: String,
    /// The type as JSON; unused if there is a nested type.
    #[prost(bytes = "bytes", tag = "2")]
    pub(super) r#type: Bytes,
    /// The nested attributes, if the attribute has any.
    #[prost(message, optional, tag = "3")]
    pub(super) nested_type: Option<SchemaObject>,
    /// Whether the configuration must set it.
    #[prost(bool, tag = "4")]
    pub(super) required: bool,
    /// Whether its values are always sensitive.
    #[prost(bool, tag = "7")]
    pub(super) sensitive: bool,
    /// Whether its value is only passed to the provider and never stored.
    #[prost(bool, tag = "8")]
    pub(super) write_only: bool,
}

/// The nested attributes of an attribute.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaObject {
    /// The nested attributes; each is a [`SchemaAttribute`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) attributes: Vec<Bytes>,
    #[prost(enumeration = "Nesting", tag = "2")]
    pub(super) nesting: i32,
}

/// The schema of a block nested in another one.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaNestedBlock {
    #[prost(string, tag = "1")]
    pub(super) type_name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) block: Option<SchemaBlock>,
    #[prost(enumeration = "Nesting", tag = "3")]
    pub(super) nesting: i32,
}

/// The way in which blocks or attributes are nested: once, or as a collection.
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

//! The plan document: `show -json` of a plan file, and the redacted plans of remote runs.
//!
//! Source: the JSON output format of both tools, versions 0.1 to 1.x. `planned_values` are not parsed, because the
//! changes contain everything that is shown.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

pub use super::PlanMode;
use super::address::{Steps, instance_address};
use super::configuration::Configuration;
use super::state::State;
use super::{Action, ResourceMode};
use crate::json::{Error, Pairs, Raw, Str, from_str};

/// The sensitive mark of a value for which there is no schema to tell whether it is sensitive. Readers treat every mark
/// that is not a bool as sensitive.
pub const NO_SCHEMA: &str = "no schema";

/// A plan: the changes of objects and outputs, the actions to invoke, and the drift.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Plan<'a> {
    /// The version of the format, such as `1.2`. Redacted remote plans call it `plan_format_version`.
    #[serde(borrow, alias = "plan_format_version")]
    pub format_version: Str<'a>,
    /// The version of the tool that made the plan. OpenTofu writes its own version here.
    pub terraform_version: Str<'a>,
    /// The planned changes, one for each resource instance object, in display order.
    #[serde(deserialize_with = "changes")]
    pub resource_changes: Vec<ResourceChange<'a>>,
    /// The drift: changes of objects outside of the tool since the last apply.
    #[serde(deserialize_with = "changes")]
    pub resource_drift: Vec<ResourceChange<'a>>,
    /// The changes that are deferred to a later plan. Only Terraform writes them.
    pub deferred_changes: Vec<DeferredChange<'a>>,
    /// The actions to invoke during the apply. Terraform 1.14 and later write them.
    pub action_invocations: Vec<ActionInvocation<'a>>,
    /// The actions whose invocation is deferred to a later plan. Only Terraform writes them.
    pub deferred_action_invocations: Vec<DeferredInvocation<'a>>,
    /// The changes of root module outputs, by name.
    pub output_changes: Pairs<'a, Change<'a>>,
    /// The attributes that contributed to the plan. Only drift of these is shown.
    pub relevant_attributes: Vec<RelevantAttribute<'a>>,
    /// Whether planning failed, so that the plan is not complete.
    pub errored: bool,
    /// Whether the plan can be applied. Terraform and OpenTofu before 1.8 do not write this.
    pub applyable: Option<bool>,
    /// Whether applying the plan reaches the desired state without a further plan. Only Terraform writes this.
    pub complete: Option<bool>,
    /// The time of planning, in RFC 3339.
    pub timestamp: Str<'a>,
    /// The configuration, unparsed. See `Plan::configuration`.
    pub configuration: Option<Raw<'a>>,
    /// The configuration, if it was parsed with the plan.
    #[serde(skip)]
    pub(crate) parsed_configuration: Option<Configuration<'a>>,
    /// The planned state, as a [`State`]. Only its providers are of interest.
    pub planned_values: Option<Raw<'a>>,
    /// The state before the plan, as a [`PriorState`]. It is evidence for the inference of schemas.
    pub prior_state: Option<Raw<'a>>,
    /// The results of checks.
    pub checks: Option<Raw<'a>>,
    /// The format version of `provider_schemas`, in redacted remote plans.
    pub provider_format_version: Str<'a>,
    /// The values of the root module's input variables.
    pub variables: Option<Raw<'a>>,
    /// The schemas of the providers, in redacted remote plans and in saved plans.
    pub provider_schemas: Option<Raw<'a>>,
    /// The facts that only a saved plan contains; `None` for a plan that was JSON.
    pub saved_plan: Option<SavedPlan<'a>>,
}

impl<'a> Plan<'a> {
    /// Returns the provider of each change and action, with repetitions.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let actions = self.actions().map(|action| &*action.provider_name);
        self.changes()
            .map(|change| &*change.provider_name)
            .chain(actions)
    }

    /// Returns the planned changes, the drift and the deferred changes.
    pub fn changes(&self) -> impl Iterator<Item = &ResourceChange<'a>> {
        self.resource_changes
            .iter()
            .chain(&self.resource_drift)
            .chain(self.deferred_resource_changes())
    }

    /// Returns the changes that are deferred, without the reasons.
    pub fn deferred_resource_changes(&self) -> impl Iterator<Item = &ResourceChange<'a>> {
        self.deferred_changes
            .iter()
            .map(|deferred| &deferred.resource_change)
    }

    /// Returns the actions to invoke, including those that are deferred.
    pub fn actions(&self) -> impl Iterator<Item = &ActionInvocation<'a>> {
        let deferred = self
            .deferred_action_invocations
            .iter()
            .map(|deferred| &deferred.action_invocation);
        self.action_invocations.iter().chain(deferred)
    }

    /// Whether the plan itself says that more is to be done than its changes show.
    pub fn has_unlisted_changes(&self) -> bool {
        has_unlisted_changes(self.errored, self.complete, self.applyable)
            || !self.deferred_changes.is_empty()
            || !self.deferred_action_invocations.is_empty()
    }

    /// Parses a plan.
    ///
    /// # Errors
    /// Returns an error if the text is not valid JSON, or a member that matters has an unexpected type.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        from_str(text)
    }

    /// Parses a plan together with its configuration, so that it is not parsed again for each use. A malformed
    /// configuration is not an error here.
    ///
    /// # Errors
    /// Returns the same errors as `Plan::parse`.
    pub fn parse_with_configuration(text: &'a str) -> Result<Self, Error> {
        let plan = Self::parse(text)?;
        let parsed_configuration = plan.configuration.and_then(|raw| raw.read().ok());
        Ok(Self {
            parsed_configuration,
            ..plan
        })
    }

    /// Returns the configuration. It is parsed now, unless it was parsed with the plan. It is empty if it is missing or
    /// malformed.
    pub fn configuration(&self) -> Cow<'_, Configuration<'a>> {
        self.checked_configuration().unwrap_or_default()
    }

    /// Returns the configuration like `Plan::configuration`.
    ///
    /// # Errors
    /// Returns an error if the configuration is malformed.
    pub fn checked_configuration(&self) -> Result<Cow<'_, Configuration<'a>>, Error> {
        match (&self.parsed_configuration, self.configuration) {
            (Some(configuration), _) => Ok(Cow::Borrowed(configuration)),
            (None, Some(raw)) => raw.read().map(Cow::Owned),
            (None, None) => Ok(Cow::default()),
        }
    }
}

/// Whether a plan says that planning failed, that another plan must follow, or that it can be applied. If not, a plan
/// without changes does nothing.
pub fn has_unlisted_changes(
    errored: bool,
    complete: Option<bool>,
    applyable: Option<bool>,
) -> bool {
    errored || complete == Some(false) || applyable == Some(true)
}

/// The facts that a saved plan contains and the JSON of a plan does not.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SavedPlan<'a> {
    /// The tool: `terraform` or `opentofu`.
    #[serde(borrow)]
    pub tool: Str<'a>,
    /// The mode: `normal`, `destroy` or `refresh-only`.
    pub mode: Str<'a>,
    /// The reason why the configuration in the file cannot be read; empty if it can.
    pub configuration_problem: Str<'a>,
    /// The place of the state that the apply writes; `None` if the file does not name one.
    pub backend: Option<Backend<'a>>,
    /// The addresses that the plan is limited to, sorted.
    pub targets: Vec<Str<'a>>,
    /// The addresses that the plan leaves out, sorted.
    pub excluded: Vec<Str<'a>>,
    /// The providers of the dependency lock file, by source address.
    pub locked: Pairs<'a, LockedProvider<'a>>,
    /// The data sources that planning has read, as a [`PriorState`] has them.
    pub read: Option<Raw<'a>>,
}

/// The place of the state that an apply writes.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Backend<'a> {
    /// The type of the backend or of the state store, such as `s3`.
    #[serde(borrow, rename = "type")]
    pub kind: Str<'a>,
    /// The name of the workspace.
    pub workspace: Str<'a>,
    /// The SHA-256 hash of the value of each argument that is set, by name. Values may be credentials, so the document
    /// has no value itself.
    pub arguments: Pairs<'a, Str<'a>>,
}

/// A provider in a dependency lock file.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct LockedProvider<'a> {
    /// The selected version.
    #[serde(borrow)]
    pub version: Str<'a>,
    /// The hashes of the packages that are accepted, each for a platform and a form of the package.
    pub hashes: Vec<Str<'a>>,
}

/// The change of one resource instance object.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ResourceChange<'a> {
    /// The absolute address, such as `module.a.aws_vpc.b["k"]`.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The address before a move; empty if the object does not move.
    pub previous_address: Str<'a>,
    /// The address of the module; empty for the root module.
    pub module_address: Str<'a>,
    /// The mode: a managed resource, a data source or another kind.
    pub mode: ResourceMode<'a>,
    /// The resource type.
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    /// The name of the resource in its module.
    pub name: Str<'a>,
    /// The instance key: a number or a string.
    pub index: Option<Raw<'a>>,
    /// The source address of the provider.
    pub provider_name: Str<'a>,
    /// The deposed key; empty for the current object.
    #[serde(deserialize_with = "deposed")]
    pub deposed: Str<'a>,
    /// The two sides of the change.
    pub change: Change<'a>,
    /// The reason of the action, such as `replace_because_tainted`; may be empty.
    pub action_reason: Str<'a>,
}

impl ResourceChange<'_> {
    /// Whether the object moves. Some no-ops have a previous address that is the same as the address.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }

    /// Whether the object is imported.
    pub fn is_imported(&self) -> bool {
        self.change.importing.is_some()
    }

    /// Whether the change does nothing: no action, no move and no import.
    pub fn has_no_effect(&self) -> bool {
        self.change.actions == Action::NoOp && !self.is_moved() && !self.is_imported()
    }

    /// Whether it is a managed resource.
    pub fn is_managed(&self) -> bool {
        self.mode == ResourceMode::Managed
    }

    /// Whether the tools' text lists the change. It lacks no-ops that neither move nor import the object, ephemeral
    /// resources, and data sources that are removed from the state. A change that is not certainly one of these is
    /// listed.
    pub fn is_listed(&self) -> bool {
        let is_unknown = matches!(self.change.actions, Action::Unknown(_));
        match self.mode {
            ResourceMode::Ephemeral => is_unknown,
            _ if self.change.actions == Action::NoOp => self.is_moved() || self.is_imported(),
            ResourceMode::Data => self.change.actions != Action::Delete,
            ResourceMode::Managed | ResourceMode::List | ResourceMode::Unknown(_) => true,
        }
    }
}

/// The two sides of a change, with their marks. Members that are `null` are absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Change<'a> {
    /// The action on the object.
    pub actions: Action,
    /// The value before; absent if the object is created.
    #[serde(borrow)]
    pub before: Option<Raw<'a>>,
    /// The value after, as far as it is known; absent if the object is destroyed.
    pub after: Option<Raw<'a>>,
    /// The marks of the parts of the value after that are known after apply: `true`, or a tree with `true` at such
    /// parts.
    pub after_unknown: Option<Raw<'a>>,
    /// The marks of the sensitive parts of the value before.
    pub before_sensitive: Option<Raw<'a>>,
    /// The marks of the sensitive parts of the value after.
    pub after_sensitive: Option<Raw<'a>>,
    /// The paths of the attributes that force a replacement.
    pub replace_paths: Option<Raw<'a>>,
    /// The provider's identity of the object before the change (Terraform 1.12 and later).
    pub before_identity: Option<Raw<'a>>,
    /// The identity of the object after the change, as far as the plan knows it.
    pub after_identity: Option<Raw<'a>>,
    /// The import, if the object is imported.
    #[serde(deserialize_with = "importing")]
    pub importing: Option<Importing<'a>>,
    /// The configuration that the tool generated for an import.
    pub generated_config: Str<'a>,
}

impl<'a> Change<'a> {
    /// Returns the texts of both sides.
    pub fn values(&self) -> [Option<&'a str>; 2] {
        [self.before, self.after].map(|raw| raw.map(Raw::text))
    }

    /// Whether any value is hidden because there is no schema for it, which happens only in saved plans. A rule cannot
    /// examine such a value, so the object is not judged.
    pub fn hides_what_no_schema_knows(&self) -> bool {
        /// Whether a tree of marks contains `NO_SCHEMA`.
        fn has(mark: &serde_json::Value) -> bool {
            match mark {
                serde_json::Value::String(mark) => mark == NO_SCHEMA,
                serde_json::Value::Array(items) => items.iter().any(has),
                serde_json::Value::Object(members) => members.values().any(has),
                serde_json::Value::Null
                | serde_json::Value::Bool(_)
                | serde_json::Value::Number(_) => false,
            }
        }
        let marks = [self.before_sensitive, self.after_sensitive];
        marks.iter().flatten().any(|marks| {
            // The names of members are quoted too, so the text alone is not enough.
            marks.text().contains(NO_SCHEMA)
                && serde_json::from_str(marks.text()).is_ok_and(|marks| has(&marks))
        })
    }

    /// Returns the length of the JSON of both sides and their marks, in bytes. It is a measure of the work to compare
    /// them.
    pub fn size(&self) -> usize {
        let marks = [
            self.after_unknown,
            self.before_sensitive,
            self.after_sensitive,
        ];
        self.values()
            .iter()
            .flatten()
            .map(|text| text.len())
            .sum::<usize>()
            + marks
                .iter()
                .flatten()
                .map(|raw| raw.text().len())
                .sum::<usize>()
    }
}

/// The import of an object.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Importing<'a> {
    /// The import ID; empty if it is unknown, or if the import uses an identity.
    #[serde(borrow)]
    pub id: Str<'a>,
    /// Whether the ID is known only after apply.
    pub unknown: bool,
    /// The resource identity, which newer providers import by.
    pub identity: Option<Raw<'a>>,
}

/// A change that is deferred to a later plan.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredChange<'a> {
    /// The reason why it is deferred, such as `provider_config_unknown`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// The change, as far as it is known now.
    #[serde(deserialize_with = "change")]
    pub resource_change: ResourceChange<'a>,
}

/// An attribute that contributed to the plan.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RelevantAttribute<'a> {
    /// The address of the resource instance; empty for all of them.
    #[serde(borrow)]
    pub resource: Str<'a>,
    /// The path of the attribute.
    pub attribute: Option<Raw<'a>>,
}

/// The state before the plan.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PriorState<'a> {
    /// The objects and outputs of the state.
    #[serde(borrow)]
    pub values: State<'a>,
}

/// The invocation of an action during the apply.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ActionInvocation<'a> {
    /// The address: `action.TYPE.NAME`, with the module and the instance key.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The type of the action.
    #[serde(rename = "type")]
    pub action_type: Str<'a>,
    /// The name of the action in its module.
    pub name: Str<'a>,
    /// The configuration of the action.
    pub config_values: Option<Raw<'a>>,
    /// The marks of the sensitive parts of the configuration.
    pub config_sensitive: Option<Raw<'a>>,
    /// The marks of the parts of the configuration that are known after apply.
    pub config_unknown: Option<Raw<'a>>,
    /// The source address of the provider.
    pub provider_name: Str<'a>,
    /// The change of a resource that triggers the action.
    pub lifecycle_action_trigger: Option<LifecycleTrigger<'a>>,
    /// The invocation from the command line (`-invoke`), if that triggers the action.
    pub invoke_action_trigger: Option<InvokeTrigger<'a>>,
}

/// An action whose invocation is deferred to a later plan.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredInvocation<'a> {
    /// The reason why it is deferred, such as `deferred_prereq`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// The action, as far as it is known now.
    pub action_invocation: ActionInvocation<'a>,
}

/// The change of a resource that triggers an action.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct LifecycleTrigger<'a> {
    /// The address of the resource instance.
    #[serde(borrow)]
    pub triggering_resource_address: Str<'a>,
    /// The event at which the action is invoked, such as `BeforeCreate` or `AfterUpdate`.
    pub action_trigger_event: Str<'a>,
    /// The index of the `action_trigger` block in the resource's `lifecycle`.
    pub action_trigger_block_index: u64,
    /// The index of the action in that block.
    pub actions_list_index: u64,
    /// The effect of a failure: `fail`, `continue` or `taint`; empty in older plans.
    pub on_failure: Str<'a>,
}

impl<'a> ActionInvocation<'a> {
    /// Returns the configuration of the action as a change from nothing.
    pub fn as_change(&self) -> Change<'a> {
        Change {
            after: self.config_values,
            after_unknown: self.config_unknown,
            after_sensitive: self.config_sensitive,
            ..Change::default()
        }
    }

    /// Returns the effect of a failure of the action: `fail`, `continue` or `taint`. Empty if the plan does not contain
    /// it.
    pub fn on_failure(&self) -> &str {
        self.lifecycle_action_trigger
            .as_ref()
            .map_or("", |trigger| &*trigger.on_failure)
    }
}

/// The invocation of an action from the command line.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct InvokeTrigger<'a> {
    /// The address of the resource that calls the action; may be empty.
    #[serde(borrow)]
    pub calling_resource_address: Str<'a>,
}

/// Reads a list of changes, and completes the names of their objects.
fn changes<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ResourceChange<'a>>, D::Error> {
    let mut changes = Vec::<ResourceChange<'a>>::deserialize(deserializer)?;
    changes.shrink_to_fit();
    changes.iter_mut().for_each(complete);
    Ok(changes)
}

/// Reads a change, and completes the name of its object.
fn change<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ResourceChange<'a>, D::Error> {
    let mut change = ResourceChange::deserialize(deserializer)?;
    complete(&mut change);
    Ok(change)
}

/// Derives missing parts of a name from the others, so that nothing is shown without a name. Some parts may be missing
/// in documents that were reduced by a script, written by hand, or written by an old release.
fn complete(change: &mut ResourceChange<'_>) {
    if change.address.is_empty() {
        // Terraform before 1.1 wrote no address for drift.
        let key = change.index.map(Raw::text);
        let (module, kind) = (&change.module_address, &change.resource_type);
        change.address = Str::from(instance_address(
            module,
            &change.mode,
            kind,
            &change.name,
            key,
        ));
    } else if change.resource_type.is_empty() || change.name.is_empty() {
        let names: Vec<&str> = Steps(&change.address).map(|step| step.name).collect();
        if let [.., kind, name] = names[..]
            && !kind.is_empty()
            && !name.is_empty()
        {
            (change.resource_type, change.name) =
                (Str::from(kind.to_owned()), Str::from(name.to_owned()));
        }
    }
}

/// Reads a deposed key. Development builds of 2022 wrote `true` for a deposed object, without its key.
fn deposed<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Str<'a>, D::Error> {
    let key = Raw::deserialize(deserializer)?;
    match key.text() {
        "true" => Ok(Str::from("of unknown key")),
        "false" => Ok(Str::default()),
        _ => key.read().map_err(D::Error::custom),
    }
}

/// Reads an import. Development builds of 2022 wrote `true`.
fn importing<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Importing<'a>>, D::Error> {
    let importing = Raw::deserialize(deserializer)?;
    match importing.text() {
        "true" => Ok(Some(Importing::default())),
        "false" => Ok(None),
        _ => importing.read().map(Some).map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests;

//! The plan document (`show -json` of a plan file, and the redacted plans of remote runs).
//!
//! Source: the JSON output format, versions 0.1 to 1.x of both tools. Provider data stays [`Raw`].
//! `planned_values` are not parsed, because the changes contain everything that is shown.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

pub use super::PlanMode;
use super::address::{Steps, instance_address};
use super::configuration::Configuration;
use super::state::State;
use super::{Action, ResourceMode};
use crate::json::{Error, Pairs, Raw, Str, from_str};

/// A plan.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Plan<'a> {
    /// The version of the format, such as `1.2`. Redacted remote plans call it `plan_format_version`.
    #[serde(borrow, alias = "plan_format_version")]
    pub format_version: Str<'a>,
    /// The version of the tool that wrote the plan.
    pub terraform_version: Str<'a>,
    /// The planned changes, one for each resource instance object, in display order.
    #[serde(deserialize_with = "changes")]
    pub resource_changes: Vec<ResourceChange<'a>>,
    /// Drift: changes made outside of the tool since the last apply.
    #[serde(deserialize_with = "changes")]
    pub resource_drift: Vec<ResourceChange<'a>>,
    /// Changes deferred to a later plan (Terraform).
    pub deferred_changes: Vec<DeferredChange<'a>>,
    /// Actions to invoke (Terraform 1.14 and later).
    pub action_invocations: Vec<ActionInvocation<'a>>,
    /// Actions whose invocation is deferred to a later plan (Terraform).
    pub deferred_action_invocations: Vec<DeferredInvocation<'a>>,
    /// Changes to the outputs of the root module.
    pub output_changes: Pairs<'a, Change<'a>>,
    /// Attributes that contributed to the plan. Only drift of these is shown.
    pub relevant_attributes: Vec<RelevantAttribute<'a>>,
    /// Whether planning stopped with an error.
    pub errored: bool,
    /// Whether the plan can be applied. Only Terraform writes it.
    pub applyable: Option<bool>,
    /// Whether applying the plan reaches the desired state without a further plan. Only Terraform writes it.
    pub complete: Option<bool>,
    /// The time of planning, in RFC 3339.
    pub timestamp: Str<'a>,
    /// The configuration, parsed by [`Plan::configuration`].
    pub configuration: Option<Raw<'a>>,
    /// Set by [`Plan::parse_with_configuration`].
    #[serde(skip)]
    pub(crate) parsed_configuration: Option<Configuration<'a>>,
    /// The values after the plan, as a [`State`]. Only their providers are of interest.
    pub planned_values: Option<Raw<'a>>,
    /// The state before the plan, as a [`PriorState`]. Used for schema inference.
    pub prior_state: Option<Raw<'a>>,
    /// The results of checks.
    pub checks: Option<Raw<'a>>,
    /// The format version of `provider_schemas`, in redacted remote plans.
    pub provider_format_version: Str<'a>,
    /// The values of the root module's input variables.
    pub variables: Option<Raw<'a>>,
    /// The provider schemas, in redacted remote plans and in saved plans.
    pub provider_schemas: Option<Raw<'a>>,
    /// What only a saved plan says.
    pub saved_plan: Option<SavedPlan<'a>>,
}

impl<'a> Plan<'a> {
    /// The source addresses of the providers of all changes and actions.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let actions = self.actions().map(|action| &*action.provider_name);
        self.changes().map(|change| &*change.provider_name).chain(actions)
    }

    /// All resource changes: planned, drift, and deferred.
    pub fn changes(&self) -> impl Iterator<Item = &ResourceChange<'a>> {
        let deferred = self.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        self.resource_changes.iter().chain(&self.resource_drift).chain(deferred)
    }

    /// All actions: to invoke, and deferred.
    pub fn actions(&self) -> impl Iterator<Item = &ActionInvocation<'a>> {
        let deferred = self.deferred_action_invocations.iter().map(|deferred| &deferred.action_invocation);
        self.action_invocations.iter().chain(deferred)
    }

    /// Whether the document itself says that there is more to do than its changes show.
    pub fn says_more(&self) -> bool {
        says_more(self.errored, self.complete, self.applyable)
    }

    /// Parses a plan.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        from_str(text)
    }

    /// Parses a plan for callers that need its [configuration](Self::configuration), perhaps several times.
    pub fn parse_with_configuration(text: &'a str) -> Result<Self, Error> {
        let plan = Self::parse(text)?;
        let parsed_configuration = plan.configuration.and_then(|raw| raw.read().ok());
        Ok(Self { parsed_configuration, ..plan })
    }

    /// The configuration, parsed now unless it was parsed with the plan. Empty if it is missing or malformed.
    pub fn configuration(&self) -> Cow<'_, Configuration<'a>> {
        self.checked_configuration().unwrap_or_default()
    }

    /// The configuration, empty if it is missing.
    ///
    /// # Errors
    /// If it is malformed.
    pub fn checked_configuration(&self) -> Result<Cow<'_, Configuration<'a>>, Error> {
        match (&self.parsed_configuration, self.configuration) {
            (Some(configuration), _) => Ok(Cow::Borrowed(configuration)),
            (None, Some(raw)) => raw.read().map(Cow::Owned),
            (None, None) => Ok(Cow::default()),
        }
    }
}

/// Whether planning failed, another plan must follow, or the plan can be applied. A plan of which these are
/// false and that has no changes has nothing to do.
pub fn says_more(errored: bool, complete: Option<bool>, applyable: Option<bool>) -> bool {
    errored || complete == Some(false) || applyable == Some(true)
}

/// What a saved plan says, and the JSON of `show -json` does not.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SavedPlan<'a> {
    /// The tool that wrote it: `terraform` or `opentofu`.
    #[serde(borrow)]
    pub tool: Str<'a>,
    /// The mode of the plan: `normal`, `destroy` or `refresh-only`.
    pub mode: Str<'a>,
    /// Why the configuration in the file cannot be read; empty if it can.
    pub configuration_problem: Str<'a>,
}

/// The change of one resource instance object.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ResourceChange<'a> {
    /// The full address, such as `module.a.aws_vpc.b["k"]`.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The address before a move.
    pub previous_address: Str<'a>,
    /// The address of the module; empty for the root module.
    pub module_address: Str<'a>,
    /// The kind of block that declares the resource.
    pub mode: ResourceMode<'a>,
    /// The resource type.
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    /// The resource's name.
    pub name: Str<'a>,
    /// The instance key: a number, a string, or none.
    pub index: Option<Raw<'a>>,
    /// The provider's source address.
    pub provider_name: Str<'a>,
    /// The deposed key; empty for the current object.
    #[serde(deserialize_with = "deposed")]
    pub deposed: Str<'a>,
    /// The change.
    pub change: Change<'a>,
    /// The action reason, such as `replace_because_tainted`; may be empty.
    pub action_reason: Str<'a>,
}

impl ResourceChange<'_> {
    /// Whether the object moves to another address. Some no-ops have a previous address that is the same.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }

    /// Whether the object is imported.
    pub fn is_imported(&self) -> bool {
        self.change.importing.is_some()
    }

    /// Whether this is a no-op that neither moves nor imports the object.
    pub fn is_silent(&self) -> bool {
        self.change.actions == Action::NoOp && !self.is_moved() && !self.is_imported()
    }

    /// Whether this is a managed resource (not a data source, not ephemeral).
    pub fn is_managed(&self) -> bool {
        self.mode == ResourceMode::Managed
    }

    /// Whether the tools list the change. They omit no-ops that neither move nor import the object,
    /// ephemeral resources, and data sources removed from the state. Anything not certain to be one of these
    /// is listed.
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

/// A change representation of the JSON output format. Members that are `null` are absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Change<'a> {
    /// The action.
    pub actions: Action,
    /// The value before.
    #[serde(borrow)]
    pub before: Option<Raw<'a>>,
    /// The known parts of the value after.
    pub after: Option<Raw<'a>>,
    /// Marks with `true` the parts of the value after that are known after apply.
    pub after_unknown: Option<Raw<'a>>,
    /// Marks with `true` the sensitive parts of the value before.
    pub before_sensitive: Option<Raw<'a>>,
    /// Marks with `true` the sensitive parts of the value after.
    pub after_sensitive: Option<Raw<'a>>,
    /// The paths of the attributes that force replacement.
    pub replace_paths: Option<Raw<'a>>,
    /// Where the object is imported from.
    #[serde(deserialize_with = "importing")]
    pub importing: Option<Importing<'a>>,
    /// The configuration that the tool generated for an import.
    pub generated_config: Str<'a>,
}

impl<'a> Change<'a> {
    /// Both values.
    pub fn values(&self) -> [Option<&'a str>; 2] {
        [self.before, self.after].map(|raw| raw.map(Raw::text))
    }

    /// The size of the values and their marks in bytes of JSON: a measure of the work to compare them.
    pub fn size(&self) -> usize {
        let marks = [self.after_unknown, self.before_sensitive, self.after_sensitive];
        self.values().iter().flatten().map(|text| text.len()).sum::<usize>()
            + marks.iter().flatten().map(|raw| raw.text().len()).sum::<usize>()
    }
}

/// Where an object is imported from.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Importing<'a> {
    /// The import ID; empty if it is unknown or if the import uses an identity.
    #[serde(borrow)]
    pub id: Str<'a>,
    /// Whether the import ID is not known yet.
    pub unknown: bool,
    /// The resource identity to import.
    pub identity: Option<Raw<'a>>,
}

/// A change deferred to a later plan.
#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredChange<'a> {
    /// The reason for the deferral, such as `provider_config_unknown`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// The known parts of the change.
    #[serde(deserialize_with = "change")]
    pub resource_change: ResourceChange<'a>,
}

/// An attribute that contributed to the plan.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RelevantAttribute<'a> {
    /// The address of the resource; empty matches any resource.
    #[serde(borrow)]
    pub resource: Str<'a>,
    /// The path of the attribute.
    pub attribute: Option<Raw<'a>>,
}

/// The `prior_state` of a plan, as far as schema inference needs it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PriorState<'a> {
    /// The state.
    #[serde(borrow)]
    pub values: State<'a>,
}

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

/// Deserializes a list of changes and completes each.
fn changes<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ResourceChange<'a>>, D::Error> {
    let mut changes = Vec::<ResourceChange<'a>>::deserialize(deserializer)?;
    changes.iter_mut().for_each(complete);
    Ok(changes)
}

/// Deserializes a change and completes it.
fn change<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<ResourceChange<'a>, D::Error> {
    let mut change = ResourceChange::deserialize(deserializer)?;
    complete(&mut change);
    Ok(change)
}

/// Completes a change of a document that was reduced by a script, written by hand, or written by an old or development
/// release: missing parts of the name are derived from the others, so that nothing is shown without a name.
fn complete(change: &mut ResourceChange<'_>) {
    if change.address.is_empty() {
        // Terraform before 1.1 wrote no address for drift.
        let key = change.index.map(Raw::text);
        let (module, kind) = (&change.module_address, &change.resource_type);
        change.address = Str::from(instance_address(module, &change.mode, kind, &change.name, key));
    } else if change.resource_type.is_empty() || change.name.is_empty() {
        // The type and name that the address ends with, before its instance key.
        let names: Vec<&str> = Steps(&change.address).map(|step| step.name).collect();
        if let [.., kind, name] = names[..]
            && !kind.is_empty()
            && !name.is_empty()
        {
            (change.resource_type, change.name) = (Str::from(kind.to_owned()), Str::from(name.to_owned()));
        }
    }
}

/// Deserializes a deposed key. Development builds of 2022 wrote `true` for a deposed object, without its
/// key.
fn deposed<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Str<'a>, D::Error> {
    let key = Raw::deserialize(deserializer)?;
    match key.text() {
        "true" => Ok(Str::from("of unknown key")),
        "false" => Ok(Str::default()),
        _ => key.read().map_err(D::Error::custom),
    }
}

/// Deserializes where an object is imported from. Development builds of 2022 wrote `true`.
fn importing<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Importing<'a>>, D::Error> {
    let importing = Raw::deserialize(deserializer)?;
    match importing.text() {
        "true" => Ok(Some(Importing::default())),
        "false" => Ok(None),
        _ => importing.read().map(Some).map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests;

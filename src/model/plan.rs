//! The plan document (`show -json` of a plan file, and the redacted plans of remote runs).
//!
//! Source: the JSON output format, versions 0.1 to 1.x of both tools. `planned_values` are not parsed, because the
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

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Plan<'a> {
    /// Such as `1.2`. Redacted remote plans call it `plan_format_version`.
    #[serde(borrow, alias = "plan_format_version")]
    pub format_version: Str<'a>,
    pub terraform_version: Str<'a>,
    /// One for each resource instance object, in display order.
    #[serde(deserialize_with = "changes")]
    pub resource_changes: Vec<ResourceChange<'a>>,
    #[serde(deserialize_with = "changes")]
    pub resource_drift: Vec<ResourceChange<'a>>,
    /// Terraform only.
    pub deferred_changes: Vec<DeferredChange<'a>>,
    /// Terraform 1.14 and later.
    pub action_invocations: Vec<ActionInvocation<'a>>,
    /// Terraform only.
    pub deferred_action_invocations: Vec<DeferredInvocation<'a>>,
    pub output_changes: Pairs<'a, Change<'a>>,
    /// Attributes that contributed to the plan. Only drift of these is shown.
    pub relevant_attributes: Vec<RelevantAttribute<'a>>,
    pub errored: bool,
    pub applyable: Option<bool>,
    /// Applying the plan reaches the desired state without a further plan. Only Terraform writes it.
    pub complete: Option<bool>,
    /// The time of planning, in RFC 3339.
    pub timestamp: Str<'a>,
    pub configuration: Option<Raw<'a>>,
    #[serde(skip)]
    pub(crate) parsed_configuration: Option<Configuration<'a>>,
    /// A [`State`]. Only its providers are of interest.
    pub planned_values: Option<Raw<'a>>,
    /// A [`PriorState`]. Used for schema inference.
    pub prior_state: Option<Raw<'a>>,
    pub checks: Option<Raw<'a>>,
    /// The format version of `provider_schemas`, in redacted remote plans.
    pub provider_format_version: Str<'a>,
    pub variables: Option<Raw<'a>>,
    /// In redacted remote plans and in saved plans.
    pub provider_schemas: Option<Raw<'a>>,
    pub saved_plan: Option<SavedPlan<'a>>,
}

impl<'a> Plan<'a> {
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let actions = self.actions().map(|action| &*action.provider_name);
        self.changes()
            .map(|change| &*change.provider_name)
            .chain(actions)
    }

    pub fn changes(&self) -> impl Iterator<Item = &ResourceChange<'a>> {
        let deferred = self
            .deferred_changes
            .iter()
            .map(|deferred| &deferred.resource_change);
        self.resource_changes
            .iter()
            .chain(&self.resource_drift)
            .chain(deferred)
    }

    pub fn actions(&self) -> impl Iterator<Item = &ActionInvocation<'a>> {
        let deferred = self
            .deferred_action_invocations
            .iter()
            .map(|deferred| &deferred.action_invocation);
        self.action_invocations.iter().chain(deferred)
    }

    pub fn says_more(&self) -> bool {
        says_more(self.errored, self.complete, self.applyable)
    }

    pub fn parse(text: &'a str) -> Result<Self, Error> {
        from_str(text)
    }

    pub fn parse_with_configuration(text: &'a str) -> Result<Self, Error> {
        let plan = Self::parse(text)?;
        let parsed_configuration = plan.configuration.and_then(|raw| raw.read().ok());
        Ok(Self {
            parsed_configuration,
            ..plan
        })
    }

    /// Parsed now unless it was parsed with the plan. Empty if it is missing or malformed.
    pub fn configuration(&self) -> Cow<'_, Configuration<'a>> {
        self.checked_configuration().unwrap_or_default()
    }

    /// Empty if it is missing.
    pub fn checked_configuration(&self) -> Result<Cow<'_, Configuration<'a>>, Error> {
        match (&self.parsed_configuration, self.configuration) {
            (Some(configuration), _) => Ok(Cow::Borrowed(configuration)),
            (None, Some(raw)) => raw.read().map(Cow::Owned),
            (None, None) => Ok(Cow::default()),
        }
    }
}

/// Planning failed, another plan must follow, or the plan can be applied. If not, a plan without changes has nothing
/// to do.
pub fn says_more(errored: bool, complete: Option<bool>, applyable: Option<bool>) -> bool {
    errored || complete == Some(false) || applyable == Some(true)
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SavedPlan<'a> {
    /// `terraform` or `opentofu`.
    #[serde(borrow)]
    pub tool: Str<'a>,
    /// `normal`, `destroy` or `refresh-only`.
    pub mode: Str<'a>,
    /// Why the configuration in the file cannot be read; empty if it can.
    pub configuration_problem: Str<'a>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ResourceChange<'a> {
    /// Such as `module.a.aws_vpc.b["k"]`.
    #[serde(borrow)]
    pub address: Str<'a>,
    pub previous_address: Str<'a>,
    /// Empty for the root module.
    pub module_address: Str<'a>,
    pub mode: ResourceMode<'a>,
    #[serde(rename = "type")]
    pub resource_type: Str<'a>,
    pub name: Str<'a>,
    pub index: Option<Raw<'a>>,
    pub provider_name: Str<'a>,
    /// The deposed key; empty for the current object.
    #[serde(deserialize_with = "deposed")]
    pub deposed: Str<'a>,
    pub change: Change<'a>,
    /// Such as `replace_because_tainted`; may be empty.
    pub action_reason: Str<'a>,
}

impl ResourceChange<'_> {
    /// Some no-ops have a previous address that is the same.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }

    pub fn is_imported(&self) -> bool {
        self.change.importing.is_some()
    }

    pub fn is_silent(&self) -> bool {
        self.change.actions == Action::NoOp && !self.is_moved() && !self.is_imported()
    }

    pub fn is_managed(&self) -> bool {
        self.mode == ResourceMode::Managed
    }

    /// The tools omit no-ops that neither move nor import the object, ephemeral resources, and data sources removed
    /// from the state. Anything not certain to be one of these is listed.
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

/// Members that are `null` are absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Change<'a> {
    pub actions: Action,
    #[serde(borrow)]
    pub before: Option<Raw<'a>>,
    pub after: Option<Raw<'a>>,
    /// `true` for the parts of the value after that are known after apply.
    pub after_unknown: Option<Raw<'a>>,
    pub before_sensitive: Option<Raw<'a>>,
    pub after_sensitive: Option<Raw<'a>>,
    pub replace_paths: Option<Raw<'a>>,
    #[serde(deserialize_with = "importing")]
    pub importing: Option<Importing<'a>>,
    pub generated_config: Str<'a>,
}

impl<'a> Change<'a> {
    pub fn values(&self) -> [Option<&'a str>; 2] {
        [self.before, self.after].map(|raw| raw.map(Raw::text))
    }

    /// In bytes of JSON, with the marks: a measure of the work to compare the values.
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

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Importing<'a> {
    /// Empty if it is unknown or if the import uses an identity.
    #[serde(borrow)]
    pub id: Str<'a>,
    pub unknown: bool,
    pub identity: Option<Raw<'a>>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredChange<'a> {
    /// Such as `provider_config_unknown`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    #[serde(deserialize_with = "change")]
    pub resource_change: ResourceChange<'a>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RelevantAttribute<'a> {
    /// Empty matches any resource.
    #[serde(borrow)]
    pub resource: Str<'a>,
    pub attribute: Option<Raw<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PriorState<'a> {
    #[serde(borrow)]
    pub values: State<'a>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct ActionInvocation<'a> {
    /// `action.TYPE.NAME` with module and instance key.
    #[serde(borrow)]
    pub address: Str<'a>,
    #[serde(rename = "type")]
    pub action_type: Str<'a>,
    pub name: Str<'a>,
    pub config_values: Option<Raw<'a>>,
    pub config_sensitive: Option<Raw<'a>>,
    pub config_unknown: Option<Raw<'a>>,
    pub provider_name: Str<'a>,
    pub lifecycle_action_trigger: Option<LifecycleTrigger<'a>>,
    pub invoke_action_trigger: Option<InvokeTrigger<'a>>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct DeferredInvocation<'a> {
    /// Such as `deferred_prereq`.
    #[serde(borrow)]
    pub reason: Str<'a>,
    pub action_invocation: ActionInvocation<'a>,
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct LifecycleTrigger<'a> {
    #[serde(borrow)]
    pub triggering_resource_address: Str<'a>,
    /// Such as `BeforeCreate` or `AfterUpdate`.
    pub action_trigger_event: Str<'a>,
    pub action_trigger_block_index: u64,
    pub actions_list_index: u64,
    /// `fail`, `continue` or `taint`; empty in older plans.
    pub on_failure: Str<'a>,
}

impl<'a> ActionInvocation<'a> {
    pub fn as_change(&self) -> Change<'a> {
        Change {
            after: self.config_values,
            after_unknown: self.config_unknown,
            after_sensitive: self.config_sensitive,
            ..Change::default()
        }
    }

    /// Empty if the plan does not say it.
    pub fn on_failure(&self) -> &str {
        self.lifecycle_action_trigger
            .as_ref()
            .map_or("", |trigger| &*trigger.on_failure)
    }
}

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct InvokeTrigger<'a> {
    #[serde(borrow)]
    pub calling_resource_address: Str<'a>,
}

fn changes<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ResourceChange<'a>>, D::Error> {
    let mut changes = Vec::<ResourceChange<'a>>::deserialize(deserializer)?;
    changes.iter_mut().for_each(complete);
    Ok(changes)
}

fn change<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ResourceChange<'a>, D::Error> {
    let mut change = ResourceChange::deserialize(deserializer)?;
    complete(&mut change);
    Ok(change)
}

/// Documents that were reduced by a script, written by hand, or written by an old release may lack parts of the name.
/// They are derived from the others, so that nothing is shown without a name.
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

/// Development builds of 2022 wrote `true` for a deposed object, without its key.
fn deposed<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Str<'a>, D::Error> {
    let key = Raw::deserialize(deserializer)?;
    match key.text() {
        "true" => Ok(Str::from("of unknown key")),
        "false" => Ok(Str::default()),
        _ => key.read().map_err(D::Error::custom),
    }
}

/// Development builds of 2022 wrote `true`.
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

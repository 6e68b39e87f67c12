//! The plan document (`show -json` of a plan file, and the redacted plans of remote runs).
//!
//! Source: the JSON output format, versions 0.1 to 1.x of both tools. Whatever holds provider data
//! is left as [`Raw`]. `planned_values` is not a field: the changes say all that is shown.

use std::sync::OnceLock;

use serde::Deserialize;

use super::action::Action;
use super::configuration::Configuration;
use super::mode::ResourceMode;
use super::resource;
use super::state::State;
use crate::json::{Error, LargeMember, Pairs, Raw, Str, from_large_str};

/// A plan.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Plan<'a> {
    /// The format's version, `"1.2"`; in redacted remote plans it is called `plan_format_version`.
    #[serde(borrow, alias = "plan_format_version")]
    pub format_version: Str<'a>,
    /// The version of the tool that wrote the plan.
    #[serde(borrow)]
    pub terraform_version: Str<'a>,
    /// One entry for each resource instance object, in the order in which it is shown.
    #[serde(borrow, deserialize_with = "resource::changes")]
    pub resource_changes: Vec<ResourceChange<'a>>,
    /// What changed outside of the tool since the last apply.
    #[serde(borrow, deserialize_with = "resource::changes")]
    pub resource_drift: Vec<ResourceChange<'a>>,
    /// Changes that this plan cannot settle yet (Terraform).
    #[serde(borrow)]
    pub deferred_changes: Vec<DeferredChange<'a>>,
    /// Actions that will be invoked (Terraform 1.14 and later).
    #[serde(borrow)]
    pub action_invocations: Vec<ActionInvocation<'a>>,
    /// Changes of the root module's outputs.
    #[serde(borrow)]
    pub output_changes: Pairs<'a, Change<'a>>,
    /// Attributes that the plan's result depends on; drift is filtered by them.
    #[serde(borrow)]
    pub relevant_attributes: Vec<RelevantAttribute<'a>>,
    /// Planning stopped with an error.
    pub errored: bool,
    /// The plan can be applied (Terraform only; OpenTofu computes it).
    pub applyable: Option<bool>,
    /// Applying settles everything (Terraform only).
    pub complete: Option<bool>,
    /// When the plan was made.
    #[serde(borrow)]
    pub timestamp: Str<'a>,
    /// The configuration, for inference.
    #[serde(borrow)]
    pub configuration: Option<Raw<'a>>,
    #[serde(skip)]
    parsed_configuration: OnceLock<Configuration<'a>>,
    /// The state before the plan, for inference.
    #[serde(borrow)]
    pub prior_state: Option<Raw<'a>>,
    /// The results of checks.
    #[serde(borrow)]
    pub checks: Option<Raw<'a>>,
    /// The version of `provider_schemas`, in redacted remote plans.
    #[serde(borrow)]
    pub provider_format_version: Str<'a>,
    /// The values of the root module's input variables.
    #[serde(borrow)]
    pub variables: Option<Raw<'a>>,
    /// The providers' schemas, in redacted remote plans.
    #[serde(borrow)]
    pub provider_schemas: Option<Raw<'a>>,
}

impl<'a> Plan<'a> {
    /// The source addresses of the providers of all changes and actions.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        let deferred = self.deferred_changes.iter().map(|deferred| &deferred.resource_change);
        let changes = self.resource_changes.iter().chain(&self.resource_drift).chain(deferred);
        let actions = self.action_invocations.iter().map(|action| &*action.provider_name);
        changes.map(|change| &*change.provider_name).chain(actions)
    }

    /// The plan that `text` holds.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        from_large_str(text, LARGE_MEMBERS, |_| false)
    }

    /// The plan that `text` holds, for callers that will read its [configuration](Self::configuration): in a large plan
    /// it is read where it would only have been checked.
    pub fn parse_with_configuration(text: &'a str) -> Result<Self, Error> {
        let read = OnceLock::new();
        let plan: Self = from_large_str(text, LARGE_MEMBERS, |value| {
            let configuration = (value.name == CONFIGURATION).then(|| value.read::<Configuration<'a>>().ok());
            configuration.flatten().is_some_and(|configuration| read.set((value.text, configuration)).is_ok())
        })?;
        // There may be several of that name, or what seemed to be one.
        if let (Some(raw), Some((text, configuration))) = (plan.configuration, read.into_inner())
            && std::ptr::eq(raw.text(), text)
        {
            return Ok(Self { parsed_configuration: configuration.into(), ..plan });
        }
        Ok(plan)
    }

    /// What the configuration says of each resource. Read when it is first asked for; one that cannot be read
    /// says nothing.
    pub fn configuration(&self) -> &Configuration<'a> {
        let read = || self.configuration.and_then(|raw| raw.read().ok()).unwrap_or_default();
        self.parsed_configuration.get_or_init(read)
    }
}

const CONFIGURATION: &str = "configuration";

/// The members that make up most of a large plan beside the changes, and the members that the tools
/// write after them.
const LARGE_MEMBERS: &[LargeMember] = &[
    LargeMember {
        name: "planned_values",
        followers: &["resource_changes", "resource_drift"],
        is_last: false,
    },
    LargeMember { name: "prior_state", followers: &["configuration"], is_last: false },
    LargeMember {
        name: CONFIGURATION,
        followers: &["relevant_attributes", "checks", "timestamp", "applyable", "complete", "errored"],
        is_last: true,
    },
];

/// What happens to one resource instance object.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ResourceChange<'a> {
    /// The whole address, `module.a.aws_vpc.b["k"]`.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The address before a move.
    #[serde(borrow)]
    pub previous_address: Str<'a>,
    /// The address of the module, empty for the root module.
    #[serde(borrow)]
    pub module_address: Str<'a>,
    /// What kind of block declares it.
    #[serde(borrow)]
    pub mode: ResourceMode<'a>,
    /// The resource type.
    #[serde(borrow, rename = "type")]
    pub resource_type: Str<'a>,
    /// The resource's name.
    #[serde(borrow)]
    pub name: Str<'a>,
    /// The key of the instance: a number, a string, or none.
    #[serde(borrow)]
    pub index: Option<Raw<'a>>,
    /// The provider's source address.
    #[serde(borrow)]
    pub provider_name: Str<'a>,
    /// The key of a deposed object.
    #[serde(borrow, deserialize_with = "resource::deposed")]
    pub deposed: Str<'a>,
    /// What happens.
    #[serde(borrow)]
    pub change: Change<'a>,
    /// Why, in one word; empty if there is nothing to say.
    #[serde(borrow)]
    pub action_reason: Str<'a>,
}

impl ResourceChange<'_> {
    /// Whether the object moves to another address. Both addresses are the same for some no-ops.
    pub fn is_moved(&self) -> bool {
        !self.previous_address.is_empty() && self.previous_address != self.address
    }

    /// The bytes of the values' text: how much work there is.
    pub fn size(&self) -> usize {
        [self.change.before, self.change.after].iter().flatten().map(|raw| raw.text().len()).sum()
    }

    /// Whether the object is imported.
    pub fn is_imported(&self) -> bool {
        self.change.importing.is_some()
    }

    /// Whether nothing happens: a no-op that neither moves nor imports the object.
    pub fn is_silent(&self) -> bool {
        self.change.actions == Action::NoOp && !self.is_moved() && !self.is_imported()
    }

    /// Whether this is a managed resource (not a data source, not ephemeral).
    pub fn is_managed(&self) -> bool {
        self.mode == ResourceMode::Managed
    }

    /// Whether the change is one that is listed. The tools list no no-op that is neither moved nor imported, no
    /// ephemeral resource, and no data source that leaves the state. Whatever is not known for certain to be one
    /// of these is listed.
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

/// A change as the formats write it. All sides are absent where the document has `null`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Change<'a> {
    /// What happens.
    pub actions: Action,
    /// The value before.
    #[serde(borrow)]
    pub before: Option<Raw<'a>>,
    /// The value after, as far as it is known.
    #[serde(borrow)]
    pub after: Option<Raw<'a>>,
    /// `true` wherever the value after is not known yet.
    #[serde(borrow)]
    pub after_unknown: Option<Raw<'a>>,
    /// `true` wherever the value before is a secret.
    #[serde(borrow)]
    pub before_sensitive: Option<Raw<'a>>,
    /// `true` wherever the value after is a secret.
    #[serde(borrow)]
    pub after_sensitive: Option<Raw<'a>>,
    /// The paths whose changes force the replacement.
    #[serde(borrow)]
    pub replace_paths: Option<Raw<'a>>,
    /// Where the object is imported from.
    #[serde(borrow, deserialize_with = "resource::importing")]
    pub importing: Option<Importing<'a>>,
    /// The configuration that the tool wrote for an import.
    #[serde(borrow)]
    pub generated_config: Str<'a>,
}

/// Where an object is imported from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Importing<'a> {
    /// The import ID; empty if an identity is used, or if it is not known.
    #[serde(borrow)]
    pub id: Str<'a>,
    /// The import ID is not known yet.
    pub unknown: bool,
    /// The identity that is imported.
    #[serde(borrow)]
    pub identity: Option<Raw<'a>>,
}

/// A change that is put off.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct DeferredChange<'a> {
    /// Why, in one word.
    #[serde(borrow)]
    pub reason: Str<'a>,
    /// The change as far as it is known.
    #[serde(borrow, deserialize_with = "resource::change")]
    pub resource_change: ResourceChange<'a>,
}

/// An attribute that the plan's result depends on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RelevantAttribute<'a> {
    /// The resource's address; empty for any resource.
    #[serde(borrow)]
    pub resource: Str<'a>,
    /// The path of the attribute.
    #[serde(borrow)]
    pub attribute: Option<Raw<'a>>,
}

/// An action that will be invoked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ActionInvocation<'a> {
    /// `action.TYPE.NAME`, with module and key.
    #[serde(borrow)]
    pub address: Str<'a>,
    /// The action type.
    #[serde(borrow, rename = "type")]
    pub action_type: Str<'a>,
    /// The action's name.
    #[serde(borrow)]
    pub name: Str<'a>,
    /// The action's configuration.
    #[serde(borrow)]
    pub config_values: Option<Raw<'a>>,
    /// `true` wherever the configuration is a secret.
    #[serde(borrow)]
    pub config_sensitive: Option<Raw<'a>>,
    /// `true` wherever the configuration is not known yet.
    #[serde(borrow)]
    pub config_unknown: Option<Raw<'a>>,
    /// The provider's source address.
    #[serde(borrow)]
    pub provider_name: Str<'a>,
    /// The change of a resource that invokes it.
    #[serde(borrow)]
    pub lifecycle_action_trigger: Option<LifecycleTrigger<'a>>,
    /// The command line invokes it.
    #[serde(borrow)]
    pub invoke_action_trigger: Option<InvokeTrigger<'a>>,
}

/// The change of a resource that invokes an action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LifecycleTrigger<'a> {
    /// The resource's address.
    #[serde(borrow)]
    pub triggering_resource_address: Str<'a>,
    /// `BeforeCreate`, `AfterUpdate` and so on.
    #[serde(borrow)]
    pub action_trigger_event: Str<'a>,
    /// Which `action_trigger` block.
    pub action_trigger_block_index: u64,
    /// Which action of its list.
    pub actions_list_index: u64,
}

/// The invocation by command line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct InvokeTrigger<'a> {
    /// The resource that the action is called from.
    #[serde(borrow)]
    pub calling_resource_address: Str<'a>,
}

/// What a plan inherits from the state before it, where inference needs it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PriorState<'a> {
    /// The state.
    #[serde(borrow)]
    pub values: State<'a>,
}

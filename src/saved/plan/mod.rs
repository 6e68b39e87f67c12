//! A saved plan as the document that `show -json` writes of it.

mod changes;
mod checks;
mod names;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use bumpalo::Bump;

use self::changes::{Variables, Writer, sorted, variable};
use self::checks::checks;
use self::names::deferral;
use super::address::{Address, Key};
use super::archive::{self, Archive};
use super::configuration::Snapshot;
use super::{Error, Knowledge, message, schemas};
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str};
use crate::model::Action;
use crate::model::plan::{DeferredChange, DeferredInvocation, Plan, PlanMode, SavedPlan as Saved};
use crate::schema::Position;

/// A saved plan that has been read, but for its values.
pub struct SavedPlan {
    message: message::Plan,
    tool: Tool,
    provider_schemas: Option<String>,
    /// The configuration, or why it cannot be read.
    snapshot: Result<Snapshot, String>,
}

impl SavedPlan {
    /// Reads the archive.
    ///
    /// # Errors
    /// If it is damaged, not a saved plan, or of another version of the format.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut archive = Archive::open(bytes)?;
        if !archive.is_plan() {
            return Err(Error::OtherArchive { names: Vec::new(), more: 0, plans: Vec::new() });
        }
        let tool = tool(&archive.lock_file()?);
        let bytes = archive.entry(archive::PLAN)?.unwrap_or_default();
        let message = decode::<message::Plan>(&bytes, "the plan")?;
        if message.version != message::VERSION {
            let (version, supported) = (message.version, message::VERSION);
            return Err(Error::Version { what: "saved plan", version, supported });
        }
        let schemas = archive.entry(archive::SCHEMAS)?;
        let schemas = schemas.map(|bytes| decode::<message::Schemas>(&bytes, "the schemas")).transpose()?;
        let provider_schemas = schemas.as_ref().map(schemas::provider_schemas).transpose()?;
        let snapshot = Snapshot::read(&mut archive);
        Ok(Self { message, tool, provider_schemas, snapshot })
    }

    /// The files of the configuration, if they can be read.
    pub fn into_configuration(self) -> Option<Snapshot> {
        self.snapshot.ok()
    }

    /// The schemas in the file, as `provider_schemas` of the JSON output format.
    pub fn provider_schemas(&self) -> Option<&str> {
        self.provider_schemas.as_deref()
    }

    /// The types of the objects in the plan: provider, mode (or `action`), type.
    pub fn types(&self) -> impl Iterator<Item = (String, String, String)> {
        self.types_of(|_| true)
    }

    /// The types of the objects that change.
    pub fn changed_types(&self) -> impl Iterator<Item = (String, String, String)> {
        self.types_of(|change| {
            change.change.as_ref().is_some_and(|change| change.action != names::NO_OP_NUMBER)
        })
    }

    fn types_of(
        &self,
        is_wanted: impl Fn(&message::ResourceChange) -> bool,
    ) -> impl Iterator<Item = (String, String, String)> {
        let plan = &self.message;
        let deferred = plan.deferred_changes.iter().filter_map(|deferred| deferred.change.as_ref());
        let changes = plan.resource_changes.iter().chain(&plan.resource_drift).chain(deferred);
        let deferred = plan.deferred_action_invocations.iter();
        let deferred = deferred.filter_map(|deferred| deferred.action_invocation.as_ref());
        let actions = plan.action_invocations.iter().chain(deferred);
        let changes = changes.filter(move |change| is_wanted(change));
        let named = changes.map(|change| (&change.addr, &change.provider));
        let named = named.chain(actions.map(|action| (&action.addr, &action.provider)));
        named.filter_map(|(address, provider)| {
            let address = Address::parse(address).ok()?;
            Some((provider_name(provider).ok()?.to_owned(), address.mode.to_owned(), address.kind.to_owned()))
        })
    }

    /// The document of `show -json`.
    ///
    /// # Errors
    /// If a value or an address is malformed; the error says which.
    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        let plan = &self.message;
        let texts = Bump::new();
        let writer = Writer { knowledge, tool: self.tool, texts: &texts };
        let is_terraform = self.tool == Tool::Terraform;
        let mode = names::mode(plan.ui_mode)?;
        let mut drift = writer.resources(&plan.resource_drift)?;
        if mode != PlanMode::RefreshOnly {
            drift.retain(|drifted| drifted.change.actions != Action::NoOp);
        }
        let deferred_changes =
            sorted(&plan.deferred_changes, |one| one.change.as_ref())?.into_iter().map(|one| {
                let change = one.change.as_ref().ok_or_else(|| missing("a deferred change"))?;
                let reason = Str::from(deferral(one.deferred.as_ref())?);
                Ok(DeferredChange { reason, resource_change: writer.resource(change)? })
            });
        let relevant = plan.relevant_attributes.iter().map(|relevant| writer.relevant(relevant));
        let actions = plan.action_invocations.iter().map(|action| writer.action(action));
        let deferred_actions = plan.deferred_action_invocations.iter().map(|one| {
            let action = one.action_invocation.as_ref().ok_or_else(|| missing("a deferred action"))?;
            let reason = Str::from(deferral(one.deferred.as_ref())?);
            Ok(DeferredInvocation { reason, action_invocation: writer.action(action)? })
        });
        let mut outputs = BTreeMap::new();
        for output in &plan.output_changes {
            outputs.insert(Str::from(&*output.name), writer.output(output)?);
        }
        let mut variables = writer.variables(plan)?;
        let configuration = self.configured(&writer, &mut variables);
        let document = Plan {
            format_version: Str::from("1.2"),
            terraform_version: Str::from(&*plan.terraform_version),
            resource_drift: drift,
            resource_changes: writer.resources(&plan.resource_changes)?,
            deferred_changes: deferred_changes.collect::<Result<_, Error>>()?,
            action_invocations: actions.collect::<Result<_, _>>()?,
            deferred_action_invocations: deferred_actions.collect::<Result<_, Error>>()?,
            output_changes: Pairs(outputs),
            relevant_attributes: relevant.collect::<Result<_, _>>()?,
            errored: plan.errored,
            applyable: is_terraform.then_some(plan.applyable),
            complete: is_terraform.then_some(plan.complete),
            timestamp: Str::from(&*plan.timestamp),
            configuration: configuration.as_ref().ok().copied(),
            checks: Some(writer.raw(&checks(&plan.check_results)?.to_string())),
            variables: Some(writer.raw(&json(&variables)?)),
            provider_schemas: self.provider_schemas.as_deref().map(Raw::new),
            saved_plan: Some(Saved {
                tool: Str::from(self.tool.name()),
                mode: Str::from(mode.name()),
                configuration_problem: Str::from(configuration.err().unwrap_or_default()),
            }),
            ..Plan::default()
        };
        json(&document).map_err(|error| error.at("the plan"))
    }

    /// The configuration as JSON. Its defaults are added to the values of variables.
    fn configured<'a>(
        &self,
        writer: &Writer<'_, '_, 'a>,
        variables: &mut Variables<'a>,
    ) -> Result<Raw<'a>, String> {
        let providers: HashMap<(String, String), String> =
            self.types().map(|(provider, mode, kind)| ((mode, kind), provider)).collect();
        let schema_of = |mode: &str, kind: &str| {
            let provider = providers.get(&(mode.to_owned(), kind.to_owned()));
            let position = provider.and_then(|provider| writer.knowledge.position(provider, mode, kind).ok());
            position.unwrap_or(Position::Inferred)
        };
        let arena = Bump::new();
        let snapshot = self.snapshot.as_ref().map_err(String::clone)?;
        let (configuration, defaults) = snapshot.document(self.tool, &schema_of, &arena)?;
        for (name, default) in defaults {
            if let Entry::Vacant(entry) = variables.entry(name) {
                let value = json(&default).map_err(|error| error.to_string())?;
                entry.insert(variable(writer.raw(&value)));
            }
        }
        Ok(writer.raw(&configuration))
    }
}

pub(super) fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::malformed("", error))
}

/// The tool that wrote a lock file, from its first line or, if that was edited, from a registry.
fn tool(lock_file: &str) -> Tool {
    if lock_file.contains("\"tofu init\"") || lock_file.contains("registry.opentofu.org/") {
        Tool::OpenTofu
    } else {
        Tool::Terraform
    }
}

fn decode<M: prost::Message + Default>(bytes: &[u8], place: &str) -> Result<M, Error> {
    M::decode(bytes).map_err(|error| Error::malformed(place, error))
}

fn missing(what: &str) -> Error {
    Error::malformed("", format!("{what} is incomplete"))
}

fn unknown(place: &str, what: &str, number: i32) -> Error {
    Error::malformed(place, format!("{what} {number} is not known; update tfview"))
}

/// The source address of a provider: `module.m.provider["HOST/NAMESPACE/TYPE"].alias`.
pub(super) fn provider_name(address: &str) -> Result<&str, Error> {
    let name = address.split_once("provider[\"").and_then(|(_, rest)| rest.split_once("\"]"));
    name.map(|(name, _)| name)
        .ok_or_else(|| Error::malformed("", format!("the provider address {address:?} is not understood")))
}

/// The instance key as JSON.
pub(super) fn key_json(key: &Key) -> Result<Option<String>, Error> {
    match key {
        Key::None { .. } => Ok(None),
        Key::Index(index) => json(index).map(Some),
        Key::Text(text) => json(text).map(Some),
    }
}

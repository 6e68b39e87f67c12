//! Converts a saved plan into the document that `show -json` writes of it.
//!
//! This takes two steps, because the types of values come from schemas, and only the plan says which schemas are
//! needed: [`SavedPlan::parse`] decodes the messages, and [`SavedPlan::to_json`] decodes the values.
//!
//! ```text
//! tfplan          messages of protocol buffers, with values in MessagePack
//! tfconfig/…      the sources of all modules
//! .terraform.lock.hcl, tfstate, …
//!
//! {"format_version": "1.2", "resource_changes": […], "configuration": {…}, …}
//! ```

mod changes;
mod checks;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use bumpalo::Bump;
use prost::bytes::Bytes;

use self::changes::{PlanWriter, Variables, sorted, variable};
use self::checks::checks;
use super::address::{Address, provider_name};
use super::archive::{self, Archive};
use super::configuration::Snapshot;
use super::message::{
    self, ActionInvocationInstance, ActionTrigger, Deferred, DeferredActionInvocation,
    DeferredReason, DeferredResourceInstanceChange, ResourceInstanceChange, decode, name_of,
};
use super::msgpack::ValueLimit;
use super::schemas::provider_schemas;
use super::state::RawState;
use super::{Error, Knowledge, ObjectType, facts, json};
use crate::dialect::{Release, Tool};
use crate::json::{Pairs, Raw, Str};
use crate::model::Action;
use crate::model::plan::{
    Change, DeferredChange, DeferredInvocation, Plan, PlanMode, RelevantAttribute,
    SavedPlan as Saved,
};
use crate::schema::Position;

/// The only version of the format that is read.
const VERSION: u64 = 3;

/// The first release whose plans have whole addresses. Earlier ones have module, type, name and key apart.
const FIRST_RELEASE: Release = Release::new(1, 1);

/// The first release of Terraform that writes `applyable` and `complete`.
const FIRST_WITH_COMPLETE: Release = Release::new(1, 8);

/// A saved plan of which everything but the values has been decoded.
pub struct SavedPlan {
    /// The decoded message, whose lists are still bytes. Those with objects and actions are decoded in the fields
    /// below.
    message: message::Plan,
    /// The size of the message, in bytes.
    size: usize,
    /// The planned changes.
    resource_changes: Vec<ResourceInstanceChange>,
    /// The drift.
    resource_drift: Vec<ResourceInstanceChange>,
    /// The deferred changes.
    deferred_changes: Vec<DeferredResourceInstanceChange>,
    /// The actions to invoke.
    action_invocations: Vec<ActionInvocationInstance>,
    /// The deferred invocations of actions.
    deferred_action_invocations: Vec<DeferredActionInvocation>,
    /// The tool that wrote the plan, according to the providers in its lock file.
    tool: Tool,
    /// The schemas in the file as JSON, which OpenTofu writes from 1.13 on.
    provider_schemas: Option<String>,
    /// The configuration, or the reason why it cannot be read.
    snapshot: Result<Snapshot, String>,
    /// The dependency lock file; empty if there is none.
    lock_file: String,
    /// The state that planning has made by refreshing, as far as it is needed: an empty one if it has no data source; `None` if
    /// it is not text.
    state: Option<String>,
}

impl SavedPlan {
    /// Reads the archive, and decodes everything but the values.
    ///
    /// # Errors
    /// If the archive is damaged, is not a saved plan, or has another version of the format.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut archive = Archive::open(bytes)?;
        if !archive.is_plan() {
            return Err(Error::malformed("", "a ZIP archive without a plan"));
        }
        let lock_file = archive.lock_file()?;
        let tool = tool(&lock_file);
        let entry = archive.entry(archive::PLAN)?.unwrap_or_default();
        let size = entry.len();
        let message: message::Plan = decode(Bytes::from(entry), "the plan")?;
        if message.version != VERSION {
            return Err(Error::version("saved plan", message.version, VERSION));
        }
        if Release::parse(&message.terraform_version) < FIRST_RELEASE {
            return Err(Error::old_plan(&message.terraform_version));
        }
        let provider_schemas = match archive.entry(archive::SCHEMAS)? {
            Some(entry) => Some(provider_schemas(entry)?),
            None => None,
        };
        Ok(Self {
            resource_changes: decode_all(&message.resource_changes, check_change)?,
            resource_drift: decode_all(&message.resource_drift, check_change)?,
            deferred_changes: decode_all(&message.deferred_changes, |deferred| {
                check_change(change_of(deferred)?)
            })?,
            action_invocations: decode_all(&message.action_invocations, check_action)?,
            deferred_action_invocations: decode_all(
                &message.deferred_action_invocations,
                |deferred| check_action(action_of(deferred)?),
            )?,
            message,
            size,
            tool,
            provider_schemas,
            snapshot: Snapshot::read(&mut archive),
            lock_file,
            state: String::from_utf8(archive.entry(archive::STATE)?.unwrap_or_default())
                .ok()
                .map(|text| match text.contains("\"data\"") {
                    true => text,
                    false => "{\"version\":4}".to_owned(),
                }),
        })
    }

    /// Returns the files of the configuration; `None` if they cannot be read.
    pub fn into_configuration(self) -> Option<Snapshot> {
        self.snapshot.ok()
    }

    /// Returns the schemas in the file, in the form of `provider_schemas` of the JSON output format.
    pub fn provider_schemas(&self) -> Option<&str> {
        self.provider_schemas.as_deref()
    }

    /// Returns the types of all objects and actions in the plan. A type may occur several times.
    pub fn types(&self) -> impl Iterator<Item = ObjectType> {
        self.types_of(|_| true)
    }

    /// Returns the types of the objects that change, and those of all actions. A type may occur several times.
    pub fn changed_types(&self) -> impl Iterator<Item = ObjectType> {
        self.types_of(|change| {
            let no_op = i32::from(message::Action::NoOp);
            change
                .change
                .as_ref()
                .is_some_and(|change| change.action != no_op)
        })
    }

    /// Returns the types of the objects for which `is_wanted` holds, and those of all actions.
    fn types_of(
        &self,
        is_wanted: impl Fn(&ResourceInstanceChange) -> bool,
    ) -> impl Iterator<Item = ObjectType> {
        let mut types = Vec::new();
        let deferred = self.deferred_changes.iter();
        let deferred = deferred.filter_map(|deferred| deferred.change.as_deref());
        let changes = self.resource_changes.iter().chain(&self.resource_drift);
        for change in changes.chain(deferred) {
            if is_wanted(change) {
                types.extend(object_type(&change.addr, &change.provider));
            }
        }
        let deferred = self.deferred_action_invocations.iter();
        let deferred = deferred.filter_map(|deferred| deferred.action_invocation.as_deref());
        for action in self.action_invocations.iter().chain(deferred) {
            types.extend(object_type(&action.addr, &action.provider));
        }
        types.into_iter()
    }

    /// Converts the plan into the document of `show -json`.
    ///
    /// # Errors
    /// If a value or an address is malformed; the error says which.
    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        self.document(knowledge)
            .map_err(|error| error.with_subject("the plan"))
    }

    /// Returns the whole document. If the configuration cannot be read, the document says why and lacks only what
    /// depends on it.
    fn document(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        let texts = Bump::new();
        let values = ValueLimit::new(self.size);
        let writer = PlanWriter {
            knowledge,
            tool: self.tool,
            values: &values,
            texts: &texts,
        };
        let plan = &self.message;
        let mut variables = writer.variables(plan)?;
        let backend = facts::backend(plan, &values)?;
        let read = self.state.as_deref().and_then(|text| {
            // A state that cannot be read proves nothing of what was read, and nothing else depends on it.
            let state = RawState::parse(text).ok()?;
            Some(writer.raw(&state.data_sources(knowledge).ok()?))
        });
        let configuration = self.configured(&writer, &mut variables);
        json(&Plan {
            format_version: Str::from("1.2"),
            terraform_version: Str::from(&*plan.terraform_version),
            resource_drift: self.drift(&writer)?,
            resource_changes: writer.resources(&self.resource_changes)?,
            deferred_changes: self.deferred(&writer)?,
            action_invocations: self
                .action_invocations
                .iter()
                .map(|action| writer.action(action))
                .collect::<Result<_, _>>()?,
            deferred_action_invocations: self.deferred_actions(&writer)?,
            output_changes: Pairs(outputs(&plan.output_changes, &writer)?),
            relevant_attributes: relevant(&plan.relevant_attributes, &writer)?,
            errored: plan.errored,
            applyable: self.flag(plan.applyable),
            complete: self.flag(plan.complete),
            timestamp: Str::from(&*plan.timestamp),
            configuration: configuration.as_ref().ok().copied(),
            checks: Some(writer.raw(&checks(&plan.check_results)?)),
            variables: Some(writer.raw(&json(&variables)?)),
            provider_schemas: self.provider_schemas.as_deref().map(Raw::new),
            saved_plan: Some(Saved {
                tool: Str::from(self.tool.name()),
                mode: Str::from(self.mode()),
                configuration_problem: Str::from(configuration.err().unwrap_or_default()),
                backend,
                targets: sorted_texts(&plan.target_addrs),
                excluded: sorted_texts(&plan.exclude_addrs),
                locked: facts::locked(&self.lock_file),
                read,
            }),
            ..Plan::default()
        })
    }

    /// Returns the value of `applyable` or `complete`. The file does not have a value that is false, so false is
    /// certain only for a release that writes true.
    fn flag(&self, value: bool) -> Option<bool> {
        let release = Release::parse(&self.message.terraform_version);
        let is_known = self.tool == Tool::Terraform && release >= FIRST_WITH_COMPLETE;
        (is_known || value).then_some(value)
    }

    /// Returns the name of the mode; one that a later release added becomes its number.
    ///
    /// A plan made with `-invoke` is refresh-only in the file, but its purpose is to invoke actions, so that it counts
    /// as normal.
    fn mode(&self) -> String {
        let number = self.message.ui_mode;
        let is_invoked = |action: &ActionInvocationInstance| {
            matches!(action.action_trigger, Some(ActionTrigger::Invoke(_)))
        };
        if self.action_invocations.iter().any(is_invoked) {
            return PlanMode::Normal.name().to_owned();
        }
        let mode = match message::Mode::try_from(number) {
            Ok(message::Mode::Normal) => PlanMode::Normal,
            Ok(message::Mode::Destroy) => PlanMode::Destroy,
            Ok(message::Mode::RefreshOnly) => PlanMode::RefreshOnly,
            Err(_) => return format!("mode {number}"),
        };
        mode.name().to_owned()
    }

    /// Returns the drift. Only in a refresh-only plan do the tools list objects without drift.
    fn drift<'a>(
        &self,
        writer: &PlanWriter<'_, '_, 'a>,
    ) -> Result<Vec<crate::model::plan::ResourceChange<'a>>, Error> {
        let mut drift = writer.resources(&self.resource_drift)?;
        if self.message.ui_mode != i32::from(message::Mode::RefreshOnly) {
            drift.retain(|drifted| drifted.change.actions != Action::NoOp);
        }
        Ok(drift)
    }

    /// Converts the deferred changes, in the order of the tools.
    fn deferred<'a>(
        &self,
        writer: &PlanWriter<'_, '_, 'a>,
    ) -> Result<Vec<DeferredChange<'a>>, Error> {
        let mut written = Vec::new();
        for deferred in sorted(&self.deferred_changes, change_of)? {
            written.push(DeferredChange {
                reason: reason_of(deferred.deferred.as_ref()),
                resource_change: writer.resource(change_of(deferred)?)?,
            });
        }
        Ok(written)
    }

    /// Converts the deferred invocations of actions.
    fn deferred_actions<'a>(
        &self,
        writer: &PlanWriter<'_, '_, 'a>,
    ) -> Result<Vec<DeferredInvocation<'a>>, Error> {
        let mut written = Vec::new();
        for deferred in &self.deferred_action_invocations {
            written.push(DeferredInvocation {
                reason: reason_of(deferred.deferred.as_ref()),
                action_invocation: writer.action(action_of(deferred)?)?,
            });
        }
        Ok(written)
    }

    /// Returns the configuration as JSON, and adds its default values to `variables` where these have none.
    ///
    /// # Errors
    /// A sentence fragment that says why the configuration cannot be read.
    fn configured<'a>(
        &self,
        writer: &PlanWriter<'_, '_, 'a>,
        variables: &mut Variables<'a>,
    ) -> Result<Raw<'a>, String> {
        let types = self.types();
        let providers: HashMap<_, _> = types
            .map(|object| ((object.mode, object.name), object.provider))
            .collect();
        let schema_of = |mode: &str, kind: &str| {
            let provider = providers.get(&(mode.to_owned(), kind.to_owned()));
            let position =
                provider.and_then(|provider| writer.knowledge.position(provider, mode, kind).ok());
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

/// Returns addresses in an order that does not depend on that of the command line.
fn sorted_texts<'a>(texts: &[String]) -> Vec<Str<'a>> {
    let mut sorted: Vec<Str<'a>> = texts.iter().cloned().map(Str::from).collect();
    sorted.sort_unstable();
    sorted
}

/// Decodes the messages of a list and checks each one, so that an incomplete one is an error before the next is
/// decoded.
fn decode_all<M: prost::Message + Default>(
    list: &[Bytes],
    check: impl Fn(&M) -> Result<(), Error>,
) -> Result<Vec<M>, Error> {
    let mut messages = Vec::new();
    for bytes in list {
        let message = decode(bytes.clone(), "the plan")?;
        check(&message)?;
        messages.push(message);
    }
    Ok(messages)
}

/// Checks that a change has an address, a provider and values.
///
/// # Errors
/// If a part is missing or malformed.
fn check_change(change: &ResourceInstanceChange) -> Result<(), Error> {
    Address::parse(&change.addr)?;
    let is_complete = provider_name(&change.provider).and_then(|_| match change.change {
        Some(_) => Ok(()),
        None => Err(missing("the change")),
    });
    is_complete.map_err(|error| error.with_subject(&change.addr))
}

fn check_action(action: &ActionInvocationInstance) -> Result<(), Error> {
    Address::parse(&action.addr)?;
    match provider_name(&action.provider) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.with_subject(&action.addr)),
    }
}

fn change_of(deferred: &DeferredResourceInstanceChange) -> Result<&ResourceInstanceChange, Error> {
    deferred
        .change
        .as_deref()
        .ok_or_else(|| missing("a deferred change"))
}

fn action_of(deferred: &DeferredActionInvocation) -> Result<&ActionInvocationInstance, Error> {
    deferred
        .action_invocation
        .as_deref()
        .ok_or_else(|| missing("a deferred action"))
}

fn reason_of<'a>(deferred: Option<&Deferred>) -> Str<'a> {
    let number = deferred.map_or(0, |deferred| deferred.reason);
    Str::from(name_of::<DeferredReason>(number, "reason").into_owned())
}

/// Converts the changes of outputs, by name.
///
/// # Errors
/// If one is malformed, or a name occurs twice.
fn outputs<'a>(
    list: &[Bytes],
    writer: &PlanWriter<'_, '_, 'a>,
) -> Result<BTreeMap<Str<'a>, Change<'a>>, Error> {
    let mut outputs = BTreeMap::new();
    for bytes in list {
        let output: message::OutputChange = decode(bytes.clone(), "an output")?;
        let subject = format!("output {}", output.name);
        let change = writer
            .output(&output)
            .map_err(|error| error.with_subject(&subject))?;
        if outputs.insert(Str::from(output.name), change).is_some() {
            return Err(Error::malformed(subject, "it occurs twice"));
        }
    }
    Ok(outputs)
}

fn relevant<'a>(
    list: &[Bytes],
    writer: &PlanWriter<'_, '_, 'a>,
) -> Result<Vec<RelevantAttribute<'a>>, Error> {
    let mut written = Vec::new();
    for bytes in list {
        let attribute: message::RelevantAttribute = decode(bytes.clone(), "the plan")?;
        written.push(writer.relevant(&attribute)?);
    }
    Ok(written)
}

fn missing(what: &str) -> Error {
    Error::malformed("", format!("{what} is incomplete"))
}

/// Returns the type of an object or action; `None` if its address or its provider is not understood.
fn object_type(address: &str, provider: &str) -> Option<ObjectType> {
    let address = Address::parse(address).ok()?;
    let provider = provider_name(provider).ok()?;
    Some(ObjectType {
        provider: provider.into_owned(),
        mode: address.mode.to_owned(),
        name: address.kind.to_owned(),
    })
}

/// Returns the tool that wrote a lock file, from the comment in its first line or, if that was edited, from the host of
/// a registry.
fn tool(lock_file: &str) -> Tool {
    if lock_file.contains("\"tofu init\"") || lock_file.contains("registry.opentofu.org/") {
        Tool::OpenTofu
    } else {
        Tool::Terraform
    }
}

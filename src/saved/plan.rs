//! A saved plan as the document that `show -json` writes of it.

use bumpalo::Bump;
use serde_json::value::RawValue;

use super::address::{Address, Key};
use super::archive::{self, Archive};
use super::json::{self, Json};
use super::value::{Node, SetMarks, Step, write_string};
use super::{Error, Knowledge, message, msgpack, schemas};
use crate::dialect::Tool;
use crate::schema::Position;

/// A saved plan that has been read, but for its values.
pub struct SavedPlan {
    message: message::Plan,
    tool: Tool,
    provider_schemas: Option<String>,
}

impl SavedPlan {
    /// Reads the archive.
    ///
    /// # Errors
    /// If it is damaged, not a saved plan, or of another version of the format.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut archive = Archive::open(bytes)?;
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
        Ok(Self { message, tool, provider_schemas })
    }

    /// The schemas in the file, as `provider_schemas` of the JSON output format.
    pub fn provider_schemas(&self) -> Option<&str> {
        self.provider_schemas.as_deref()
    }

    /// The types of the objects in the plan: provider, mode (or `action`), type.
    pub fn types(&self) -> impl Iterator<Item = (String, String, String)> {
        let plan = &self.message;
        let deferred = plan.deferred_changes.iter().filter_map(|deferred| deferred.change.as_ref());
        let changes = plan.resource_changes.iter().chain(&plan.resource_drift).chain(deferred);
        let deferred = plan.deferred_action_invocations.iter();
        let deferred = deferred.filter_map(|deferred| deferred.action_invocation.as_ref());
        let actions = plan.action_invocations.iter().chain(deferred);
        let named = changes.map(|change| (&change.addr, &change.provider));
        let named = named.chain(actions.map(|action| (&action.addr, &action.provider)));
        named.filter_map(|(address, provider)| {
            let address = Address::parse(address).ok()?;
            Some((provider_name(provider).ok()?, address.mode.to_owned(), address.kind.to_owned()))
        })
    }

    /// The document of `show -json`.
    ///
    /// # Errors
    /// If a value or an address is malformed; the error says which.
    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        let plan = &self.message;
        let writer = Writer { knowledge, tool: self.tool };
        let is_terraform = self.tool == Tool::Terraform;
        let mode = PlanMode::new(plan.ui_mode)?;
        let mut drift = writer.resources(&plan.resource_drift)?;
        if mode != PlanMode::RefreshOnly {
            drift.retain(|drifted| drifted.change.actions != NO_OP);
        }
        let mut deferred = sorted(&plan.deferred_changes, |one| one.change.as_ref())?;
        let deferred_changes = deferred
            .drain(..)
            .map(|one| {
                let change = one.change.as_ref().ok_or_else(|| missing("a deferred change"))?;
                let reason = deferral(one.deferred.as_ref())?;
                Ok(json::DeferredChange { reason, resource_change: writer.resource(change)? })
            })
            .collect::<Result<_, Error>>()?;
        let deferred_actions = plan.deferred_action_invocations.iter().map(|one| {
            let action = one.action_invocation.as_ref().ok_or_else(|| missing("a deferred action"))?;
            let reason = deferral(one.deferred.as_ref())?;
            Ok(json::DeferredAction { reason, action_invocation: writer.action(action)? })
        });
        let mut checks = plan.check_results.iter().map(check).collect::<Result<Vec<_>, Error>>()?;
        checks.sort_by(|one, other| one.address.to_display.cmp(&other.address.to_display));
        let document = json::Plan {
            format_version: "1.2",
            terraform_version: plan.terraform_version.clone(),
            saved_plan: json::SavedPlan { tool: tool_name(self.tool), mode: mode.name() },
            variables: writer.variables(plan)?,
            provider_schemas: self.provider_schemas.clone().map(raw).transpose()?,
            resource_drift: drift,
            resource_changes: writer.resources(&plan.resource_changes)?,
            deferred_changes,
            action_invocations: plan
                .action_invocations
                .iter()
                .map(|action| writer.action(action))
                .collect::<Result<_, _>>()?,
            deferred_action_invocations: deferred_actions.collect::<Result<_, Error>>()?,
            output_changes: plan
                .output_changes
                .iter()
                .map(|output| Ok((output.name.clone(), writer.output(output)?)))
                .collect::<Result<_, Error>>()?,
            relevant_attributes: plan
                .relevant_attributes
                .iter()
                .map(|relevant| writer.relevant(relevant))
                .collect::<Result<_, _>>()?,
            checks,
            timestamp: plan.timestamp.clone(),
            applyable: is_terraform.then_some(plan.applyable),
            complete: is_terraform.then_some(plan.complete),
            errored: plan.errored,
        };
        serde_json::to_string(&document).map_err(|error| Error::malformed("the plan", error))
    }
}

/// The mode that the plan was made in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanMode {
    Normal,
    Destroy,
    RefreshOnly,
}

impl PlanMode {
    fn new(number: i32) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Normal),
            1 => Ok(Self::Destroy),
            2 => Ok(Self::RefreshOnly),
            _ => Err(unknown("the plan", "mode", number)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Destroy => "destroy",
            Self::RefreshOnly => "refresh-only",
        }
    }
}

fn tool_name(tool: Tool) -> &'static str {
    match tool {
        Tool::Terraform => "terraform",
        Tool::OpenTofu => "opentofu",
    }
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

pub(super) fn raw(text: String) -> Result<Json, Error> {
    RawValue::from_string(text).map_err(|error| Error::malformed("", error))
}

/// The source address of a provider: `module.m.provider["HOST/NAMESPACE/TYPE"].alias`.
pub(super) fn provider_name(address: &str) -> Result<String, Error> {
    let name = address.split_once("provider[\"").and_then(|(_, rest)| rest.split_once("\"]"));
    name.map(|(name, _)| name.to_owned())
        .ok_or_else(|| Error::malformed("", format!("the provider address {address:?} is not understood")))
}

/// The instance key as JSON.
pub(super) fn key_json(key: &Key) -> Result<Option<Json>, Error> {
    let text = match key {
        Key::None { .. } => return Ok(None),
        Key::Index(index) => index.to_string(),
        Key::Text(text) => {
            let mut quoted = String::new();
            write_string(text, &mut quoted);
            quoted
        }
    };
    raw(text).map(Some)
}

const NO_OP: &[&str] = &["no-op"];

/// The action and whether the values are those before, after, or both.
fn action(number: i32, place: &str) -> Result<(&'static [&'static str], Sides), Error> {
    Ok(match number {
        0 => (NO_OP, Sides::Same),
        1 => (&["create"], Sides::After),
        2 => (&["read"], Sides::Both),
        3 => (&["update"], Sides::Both),
        5 => (&["delete"], Sides::Before),
        6 => (&["delete", "create"], Sides::Both),
        7 => (&["create", "delete"], Sides::Both),
        8 => (&["forget"], Sides::Before),
        9 => (&["create", "forget"], Sides::Both),
        10 => (&["forget", "create"], Sides::Both),
        _ => return Err(unknown(place, "action", number)),
    })
}

/// Which values a change has.
#[derive(Clone, Copy)]
enum Sides {
    Same,
    Before,
    After,
    Both,
}

fn reason(number: i32, place: &str) -> Result<Option<&'static str>, Error> {
    const REASONS: [&str; 16] = [
        "replace_because_tainted",
        "replace_by_request",
        "replace_because_cannot_update",
        "delete_because_no_resource_config",
        "delete_because_wrong_repetition",
        "delete_because_count_index",
        "delete_because_each_key",
        "delete_because_no_module",
        "replace_by_triggers",
        "read_because_config_unknown",
        "read_because_dependency_pending",
        "delete_because_no_move_target",
        "read_because_check_nested",
        "delete_because_enabled_false",
        "forgot_because_lifecycle_destroy_in_state",
        "forgot_because_lifecycle_destroy_in_config",
    ];
    match usize::try_from(number) {
        Ok(0) => Ok(None),
        Ok(at) => REASONS
            .get(at - 1)
            .map(|reason| Some(*reason))
            .ok_or_else(|| unknown(place, "action reason", number)),
        Err(_) => Err(unknown(place, "action reason", number)),
    }
}

/// The name of a number of a closed set, the first of which is 0.
fn name_of(names: &[&'static str], number: i32, what: &str) -> Result<&'static str, Error> {
    let found = usize::try_from(number).ok().and_then(|at| names.get(at));
    found.copied().ok_or_else(|| unknown("", what, number))
}

fn deferral(deferred: Option<&message::Deferred>) -> Result<&'static str, Error> {
    const REASONS: [&str; 6] = [
        "unknown",
        "instance_count_unknown",
        "resource_config_unknown",
        "provider_config_unknown",
        "absent_prereq",
        "deferred_prereq",
    ];
    name_of(&REASONS, deferred.map_or(0, |deferred| deferred.reason), "the reason of a deferral")
}

const STATUSES: [&str; 4] = ["unknown", "pass", "fail", "error"];

/// The messages in the order of their addresses and deposed keys.
fn sorted<T>(
    messages: &[T],
    change: impl Fn(&T) -> Option<&message::ResourceChange>,
) -> Result<Vec<&T>, Error> {
    let mut keyed = Vec::with_capacity(messages.len());
    for one in messages {
        let change = change(one).ok_or_else(|| missing("a resource change"))?;
        keyed.push((Address::parse(&change.addr)?, &*change.deposed_key, one));
    }
    keyed.sort_by(|one, other| one.0.order(&other.0).then_with(|| one.1.cmp(other.1)));
    Ok(keyed.into_iter().map(|(_, _, one)| one).collect())
}

struct Writer<'k, 's> {
    knowledge: &'k Knowledge<'k, 's>,
    tool: Tool,
}

impl Writer<'_, '_> {
    fn sets(&self) -> SetMarks {
        match self.tool {
            Tool::Terraform => SetMarks::Whole,
            Tool::OpenTofu => SetMarks::Elements,
        }
    }

    fn resources(&self, messages: &[message::ResourceChange]) -> Result<Vec<json::Resource>, Error> {
        let mut written = Vec::with_capacity(messages.len());
        for change in sorted(messages, |change| Some(change))? {
            let resource = self.resource(change)?;
            // The tools do not list deletions of data sources: nothing happens to a real object.
            if resource.mode != "data" || resource.change.actions != ["delete"] {
                written.push(resource);
            }
        }
        Ok(written)
    }

    fn resource(&self, found: &message::ResourceChange) -> Result<json::Resource, Error> {
        let address = Address::parse(&found.addr)?;
        let provider = provider_name(&found.provider).map_err(|error| error.at(&found.addr))?;
        let change = found.change.as_ref().ok_or_else(|| missing("the change").at(&found.addr))?;
        let change =
            self.change(found, change, &address, &provider).map_err(|error| error.at(&found.addr))?;
        Ok(json::Resource {
            previous_address: Some(&found.prev_run_addr)
                .filter(|previous| !previous.is_empty() && **previous != found.addr)
                .cloned(),
            module_address: address.module.to_owned(),
            mode: address.mode.to_owned(),
            kind: address.kind.to_owned(),
            name: address.name.to_owned(),
            index: key_json(&address.key)?,
            index_unknown: address.key == Key::None { is_unknown: true },
            provider_name: provider,
            deposed: found.deposed_key.clone(),
            change,
            action_reason: reason(found.action_reason, &found.addr)?,
            address: found.addr.clone(),
        })
    }

    fn change(
        &self,
        found: &message::ResourceChange,
        change: &message::Change,
        address: &Address<'_>,
        provider: &str,
    ) -> Result<json::Change, Error> {
        let arena = Bump::new();
        let position = self.knowledge.resource(provider, address.mode, address.kind)?;
        let (actions, before, after) = values(change, position, &arena)?;
        let (before, after) = if address.mode == "ephemeral" { (None, None) } else { (before, after) };
        let sensitive = |value: Option<Node<'_>>, paths: &[message::Path]| -> Result<Json, Error> {
            let Some(value) = value else { return raw("false".to_owned()) };
            raw(value.sensitive(position, &self.paths(paths, &arena)?, self.sets()))
        };
        let identity = |value: &Option<message::DynamicValue>| -> Result<Option<Json>, Error> {
            let Some(value) = value else { return Ok(None) };
            let value = msgpack::value(&value.msgpack, Position::Unspecified, &arena)?;
            if value == Node::Null && self.tool == Tool::OpenTofu {
                return Ok(None);
            }
            raw(value.known()).map(Some)
        };
        Ok(json::Change {
            actions,
            before: before.map(|value| raw(value.known())).transpose()?,
            after: after.map(|value| raw(value.known())).transpose()?,
            after_unknown: raw(after.and_then(Node::unknown).unwrap_or_else(|| "{}".to_owned()))?,
            before_sensitive: sensitive(before, &change.before_sensitive_paths)?,
            after_sensitive: sensitive(after, &change.after_sensitive_paths)?,
            replace_paths: match &*found.required_replace {
                [] => None,
                paths => Some(paths_json(&self.paths(paths, &arena)?)?),
            },
            importing: change
                .importing
                .as_deref()
                .map(|bytes| self.importing(bytes, identity))
                .transpose()?,
            generated_config: change.generated_config.clone(),
            before_identity: identity(&change.before_identity)?,
            after_identity: identity(&change.after_identity)?,
        })
    }

    /// Of what is known of an import, the tools write only the first of: unknown, ID, identity.
    fn importing(
        &self,
        bytes: &[u8],
        identity_json: impl Fn(&Option<message::DynamicValue>) -> Result<Option<Json>, Error>,
    ) -> Result<json::Importing, Error> {
        let (id, unknown, identity) = match self.tool {
            Tool::Terraform => {
                let found: message::TerraformImporting = decode(bytes, "the import")?;
                (found.id, found.unknown, found.identity)
            }
            Tool::OpenTofu => {
                let found: message::OpenTofuImporting = decode(bytes, "the import")?;
                (found.id, false, found.identity)
            }
        };
        Ok(if unknown {
            json::Importing { unknown, ..json::Importing::default() }
        } else if id.is_empty() {
            json::Importing { identity: identity_json(&identity)?, ..json::Importing::default() }
        } else {
            json::Importing { id, ..json::Importing::default() }
        })
    }

    fn paths<'a>(&self, paths: &'a [message::Path], arena: &'a Bump) -> Result<Vec<Vec<Step<'a>>>, Error> {
        paths.iter().map(|path| path.steps.iter().map(|found| step(found, arena)).collect()).collect()
    }

    fn variables(
        &self,
        plan: &message::Plan,
    ) -> Result<std::collections::BTreeMap<String, json::Variable>, Error> {
        let arena = Bump::new();
        let value = |(name, value): (&String, &message::DynamicValue)| {
            let value = msgpack::value(&value.msgpack, Position::Unspecified, &arena);
            let value = value.and_then(|value| raw(value.known())).map_err(|error| error.at(name))?;
            Ok((name.clone(), json::Variable { value }))
        };
        plan.variables.iter().map(value).collect()
    }

    fn output(&self, found: &message::OutputChange) -> Result<json::OutputChange, Error> {
        let at = |error: Error| error.at(&format!("output {}", found.name));
        let arena = Bump::new();
        let change = found.change.as_ref().ok_or_else(|| at(missing("the change")))?;
        let (actions, before, after) = values(change, Position::Unspecified, &arena).map_err(at)?;
        let json = |value: Option<Node<'_>>| value.map(|value| raw(value.known())).transpose().map_err(at);
        let null = || raw("null".to_owned());
        Ok(json::OutputChange {
            actions,
            before: json(before)?,
            after: match after {
                Some(Node::Unknown(_)) => None,
                Some(value) => Some(raw(value.known())?),
                None => Some(null()?),
            },
            after_unknown: raw(after.and_then(Node::unknown).unwrap_or_else(|| "false".to_owned()))?,
            before_sensitive: found.sensitive,
            after_sensitive: found.sensitive,
        })
    }

    fn action(&self, found: &message::ActionInvocation) -> Result<json::Action, Error> {
        let at = |error: Error| error.at(&found.addr);
        let address = Address::parse(&found.addr)?;
        let provider = provider_name(&found.provider).map_err(at)?;
        let arena = Bump::new();
        let position = self.knowledge.action(&provider, address.kind).map_err(at)?;
        let config = found.config_value.as_ref();
        let config =
            config.map(|value| msgpack::value(&value.msgpack, position, &arena)).transpose().map_err(at)?;
        let paths = self.paths(&found.sensitive_config_paths, &arena).map_err(at)?;
        Ok(json::Action {
            config_values: config.map(|value| raw(value.known())).transpose()?,
            config_sensitive: config
                .map(|value| raw(value.sensitive(position, &paths, self.sets())))
                .transpose()?,
            config_unknown: config.map(|value| raw(value.unknown_tree())).transpose()?,
            kind: address.kind.to_owned(),
            name: address.name.to_owned(),
            provider_name: provider,
            lifecycle_action_trigger: found
                .lifecycle_trigger
                .as_ref()
                .map(lifecycle)
                .transpose()
                .map_err(at)?,
            invoke_action_trigger: found.invoke_trigger.as_ref().map(|trigger| json::InvokeTrigger {
                calling_resource_address: trigger.calling_resource_addr.clone(),
            }),
            address: found.addr.clone(),
        })
    }

    fn relevant(&self, found: &message::RelevantAttribute) -> Result<json::RelevantAttribute, Error> {
        let arena = Bump::new();
        let paths = self.paths(found.attr.as_slice(), &arena).map_err(|error| error.at(&found.resource))?;
        let attribute = raw(path_json(paths.first().map_or(&[], Vec::as_slice)))?;
        Ok(json::RelevantAttribute { resource: found.resource.clone(), attribute })
    }
}

/// The action of a change and its values before and after.
type Values<'a> = (&'static [&'static str], Option<Node<'a>>, Option<Node<'a>>);

fn values<'a>(
    change: &'a message::Change,
    position: Position<'a>,
    arena: &'a Bump,
) -> Result<Values<'a>, Error> {
    let (actions, sides) = action(change.action, "")?;
    let value = |at: usize| -> Result<Option<Node<'a>>, Error> {
        let found = change.values.get(at).ok_or_else(|| missing("the list of values"))?;
        // A null object is one that does not exist.
        Ok(Some(msgpack::value(&found.msgpack, position, arena)?).filter(|value| *value != Node::Null))
    };
    Ok(match sides {
        Sides::Same => value(0).map(|value| (actions, value, value))?,
        Sides::Before => (actions, value(0)?, None),
        Sides::After => (actions, None, value(0)?),
        Sides::Both => (actions, value(0)?, value(1)?),
    })
}

fn step<'a>(found: &'a message::Step, arena: &'a Bump) -> Result<Step<'a>, Error> {
    match &found.kind {
        Some(message::StepKind::AttributeName(name)) => Ok(Step::Attribute(name)),
        Some(message::StepKind::ElementKey(key)) => {
            msgpack::value(&key.msgpack, Position::Unspecified, arena).map(Step::Element)
        }
        None => Err(missing("a step of a path")),
    }
}

fn paths_json(paths: &[Vec<Step<'_>>]) -> Result<Json, Error> {
    raw(format!("[{}]", paths.iter().map(|path| path_json(path)).collect::<Vec<_>>().join(",")))
}

fn path_json(path: &[Step<'_>]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Attribute(name) => Node::String(name).known(),
        Step::Element(node) => node.known(),
    });
    format!("[{}]", steps.collect::<Vec<_>>().join(","))
}

fn lifecycle(found: &message::LifecycleTrigger) -> Result<json::LifecycleTrigger, Error> {
    const EVENTS: [&str; 7] = [
        "EventUnknown",
        "BeforeCreate",
        "AfterCreate",
        "BeforeUpdate",
        "AfterUpdate",
        "BeforeDestroy",
        "AfterDestroy",
    ];
    const ON_FAILURE: [&str; 3] = ["ActionOnFailureHalt", "ActionOnFailureTaint", "ActionOnFailureContinue"];
    Ok(json::LifecycleTrigger {
        triggering_resource_address: found.triggering_resource_addr.clone(),
        action_trigger_event: name_of(&EVENTS, found.trigger_event, "the event of a trigger")?,
        action_trigger_block_index: found.action_trigger_block_index,
        actions_list_index: found.actions_list_index,
        on_failure: name_of(&ON_FAILURE, found.on_failure, "on_failure of a trigger")?,
    })
}

fn check(found: &message::CheckResult) -> Result<json::Check, Error> {
    const KINDS: [&str; 5] = ["", "resource", "output_value", "check", "var"];
    let at = |error: Error| error.at(&found.config_addr);
    let address = Address::parse(&found.config_addr)?;
    let is_resource = found.kind == 1;
    let mut instances = Vec::with_capacity(found.objects.len());
    for object in &found.objects {
        let own = Address::parse(&object.object_addr)?;
        let mut messages = object.failure_messages.clone();
        messages.sort();
        instances.push(json::CheckInstance {
            address: json::CheckInstanceAddress {
                to_display: object.object_addr.clone(),
                module: own.module.to_owned(),
                instance_key: if is_resource { key_json(&own.key)? } else { None },
            },
            status: name_of(&STATUSES, object.status, "the status of a check").map_err(at)?,
            problems: messages.into_iter().map(|message| json::Problem { message }).collect(),
        });
    }
    instances.sort_by(|one, other| one.address.to_display.cmp(&other.address.to_display));
    let of_resource = |text: &str| if is_resource { text.to_owned() } else { String::new() };
    Ok(json::Check {
        address: json::CheckAddress {
            kind: name_of(&KINDS, found.kind, "the kind of a check").map_err(at)?,
            mode: of_resource(address.mode),
            module: address.module.to_owned(),
            name: address.name.to_owned(),
            to_display: found.config_addr.clone(),
            resource_type: of_resource(address.kind),
        },
        status: name_of(&STATUSES, found.status, "the status of a check").map_err(at)?,
        instances,
    })
}

//! A saved plan as the document that `show -json` writes of it.

mod changes;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use bumpalo::Bump;
use serde_json::{Map, Value, json};

use self::changes::{Variables, Writer, variable};
use super::address::Address;
use super::archive::{self, Archive};
use super::configuration::Snapshot;
use super::encoding::Message;
use super::{Error, Knowledge};
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str};
use crate::model::Action;
use crate::model::plan::{DeferredChange, DeferredInvocation, Plan, PlanMode, SavedPlan as Saved};
use crate::schema::Position;

/// The only version of the format.
const VERSION: u64 = 3;

const MODES: [PlanMode; 3] = [PlanMode::Normal, PlanMode::Destroy, PlanMode::RefreshOnly];

const DEFERRALS: [&str; 6] = [
    "unknown",
    "instance_count_unknown",
    "resource_config_unknown",
    "provider_config_unknown",
    "absent_prereq",
    "deferred_prereq",
];

const STATUSES: [&str; 4] = ["unknown", "pass", "fail", "error"];

const NESTING: [&str; 6] = ["", "single", "group", "list", "set", "map"];

const CHECK_KINDS: [&str; 5] = ["", "resource", "output_value", "check", "var"];

pub struct SavedPlan {
    /// The message `Plan` of `planfile.proto`.
    message: Vec<u8>,
    tool: Tool,
    provider_schemas: Option<String>,
    snapshot: Result<Snapshot, String>,
}

/// Provider, mode (or `action`), type.
type ObjectType = (String, String, String);

impl SavedPlan {
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut archive = Archive::open(bytes)?;
        if !archive.is_plan() {
            return Err(Error::malformed("", "a ZIP archive without a plan"));
        }
        let tool = tool(&archive.lock_file()?);
        let message = archive.entry(archive::PLAN)?.unwrap_or_default();
        let version = Message::parse(&message)
            .map_err(|error| error.at("the plan"))?
            .number(1);
        if version != VERSION {
            return Err(Error::version("saved plan", version, VERSION));
        }
        let schemas = archive.entry(archive::SCHEMAS)?;
        let schemas = schemas.map(|bytes| provider_schemas(&bytes));
        let provider_schemas = schemas
            .transpose()
            .map_err(|error| error.at("the schemas"))?;
        Ok(Self {
            message,
            tool,
            provider_schemas,
            snapshot: Snapshot::read(&mut archive),
        })
    }

    pub fn into_configuration(self) -> Option<Snapshot> {
        self.snapshot.ok()
    }

    pub fn provider_schemas(&self) -> Option<&str> {
        self.provider_schemas.as_deref()
    }

    pub fn types(&self) -> impl Iterator<Item = ObjectType> {
        self.types_of(|_| true).unwrap_or_default().into_iter()
    }

    pub fn changed_types(&self) -> impl Iterator<Item = ObjectType> {
        let changes = |found: &Message<'_>| {
            found
                .message(9)
                .ok()
                .flatten()
                .is_some_and(|change| change.number(1) != changes::NO_OP_NUMBER)
        };
        self.types_of(changes).unwrap_or_default().into_iter()
    }

    fn types_of(&self, is_wanted: impl Fn(&Message<'_>) -> bool) -> Result<Vec<ObjectType>, Error> {
        let plan = Message::parse(&self.message)?;
        let mut types = Vec::new();
        let mut add = |address: &str, provider: &str| {
            if let (Ok(address), Ok(provider)) = (Address::parse(address), provider_name(provider))
            {
                types.push((
                    provider.to_owned(),
                    address.mode.to_owned(),
                    address.kind.to_owned(),
                ));
            }
        };
        let (mut changes, mut actions) = (plan.messages(3)?, plan.messages(30)?);
        changes.extend(plan.messages(18)?);
        for deferred in plan.messages(27)? {
            changes.extend(deferred.message(2)?);
        }
        for deferred in plan.messages(31)? {
            actions.extend(deferred.message(2)?);
        }
        for change in changes.iter().filter(|change| is_wanted(change)) {
            add(change.text(13)?, change.text(8)?);
        }
        for action in &actions {
            add(action.text(1)?, action.text(2)?);
        }
        Ok(types)
    }

    pub fn to_json(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        self.document(knowledge)
            .map_err(|error| error.at("the plan"))
    }

    fn document(&self, knowledge: &Knowledge<'_, '_>) -> Result<String, Error> {
        let plan = Message::parse(&self.message)?;
        let texts = Bump::new();
        let writer = Writer {
            knowledge,
            tool: self.tool,
            texts: &texts,
        };
        let is_terraform = self.tool == Tool::Terraform;
        let mode = plan.name(17, &MODES, "mode")?;
        let mut drift = writer.resources(plan.messages(18)?)?;
        if mode != PlanMode::RefreshOnly {
            drift.retain(|drifted| drifted.change.actions != Action::NoOp);
        }
        let mut deferred = Vec::new();
        for one in plan.messages(27)? {
            deferred.push((deferral(&one)?, one.required(2, "a deferred change")?));
        }
        let deferred_changes = changes::sorted(deferred, |(_, change)| change)?.into_iter();
        let deferred_changes = deferred_changes.map(|(reason, change)| {
            Ok(DeferredChange {
                reason,
                resource_change: writer.resource(&change)?,
            })
        });
        let deferred_actions = plan.messages(31)?.into_iter().map(|one| {
            let action = one.required(2, "a deferred action")?;
            Ok(DeferredInvocation {
                reason: deferral(&one)?,
                action_invocation: writer.action(&action)?,
            })
        });
        let mut outputs = BTreeMap::new();
        for output in plan.messages(4)? {
            outputs.insert(Str::from(output.text(1)?), writer.output(&output)?);
        }
        let mut variables = writer.variables(&plan)?;
        let configuration = self.configured(&writer, &mut variables);
        json(&Plan {
            format_version: Str::from("1.2"),
            terraform_version: Str::from(plan.text(14)?),
            resource_drift: drift,
            resource_changes: writer.resources(plan.messages(3)?)?,
            deferred_changes: deferred_changes.collect::<Result<_, Error>>()?,
            action_invocations: plan
                .messages(30)?
                .iter()
                .map(|one| writer.action(one))
                .collect::<Result<_, _>>()?,
            deferred_action_invocations: deferred_actions.collect::<Result<_, Error>>()?,
            output_changes: Pairs(outputs),
            relevant_attributes: plan
                .messages(15)?
                .iter()
                .map(|one| writer.relevant(one))
                .collect::<Result<_, _>>()?,
            errored: plan.flag(20),
            applyable: is_terraform.then(|| plan.flag(25)),
            complete: is_terraform.then(|| plan.flag(26)),
            timestamp: Str::from(plan.text(21)?),
            configuration: configuration.as_ref().ok().copied(),
            checks: Some(writer.raw(&checks(&plan)?.to_string())),
            variables: Some(writer.raw(&json(&variables)?)),
            provider_schemas: self.provider_schemas.as_deref().map(Raw::new),
            saved_plan: Some(Saved {
                tool: Str::from(self.tool.name()),
                mode: Str::from(mode.name()),
                configuration_problem: Str::from(configuration.err().unwrap_or_default()),
            }),
            ..Plan::default()
        })
    }

    /// The defaults are added to the values of variables.
    fn configured<'a>(
        &self,
        writer: &Writer<'_, '_, 'a>,
        variables: &mut Variables<'a>,
    ) -> Result<Raw<'a>, String> {
        let types = self.types();
        let providers: HashMap<_, _> = types
            .map(|(provider, mode, kind)| ((mode, kind), provider))
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

fn deferral<'a>(deferred: &Message<'_>) -> Result<Str<'a>, Error> {
    let reason = deferred
        .message(1)?
        .map(|one| one.name(1, &DEFERRALS, "the reason of a deferral"));
    Ok(Str::from(reason.transpose()?.unwrap_or(DEFERRALS[0])))
}

pub(super) fn json(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::malformed("", error))
}

/// The first line of the lock file or, if that was edited, a registry names the tool.
fn tool(lock_file: &str) -> Tool {
    if lock_file.contains("\"tofu init\"") || lock_file.contains("registry.opentofu.org/") {
        Tool::OpenTofu
    } else {
        Tool::Terraform
    }
}

/// `address` is `module.m.provider["HOST/NAMESPACE/TYPE"].alias`.
pub(super) fn provider_name(address: &str) -> Result<&str, Error> {
    let name = address
        .split_once("provider[\"")
        .and_then(|(_, rest)| rest.split_once("\"]"));
    name.map(|(name, _)| name).ok_or_else(|| {
        Error::malformed(
            "",
            format!("the provider address {address:?} is not understood"),
        )
    })
}

fn checks(plan: &Message<'_>) -> Result<Value, Error> {
    let mut checks = BTreeMap::new();
    for check in plan.messages(19)? {
        let address = check.text(2)?;
        checks.insert(
            address,
            self::check(address, &check).map_err(|error| error.at(address))?,
        );
    }
    Ok(checks.into_values().collect())
}

fn check(to_display: &str, found: &Message<'_>) -> Result<Value, Error> {
    let address = Address::parse(to_display)?;
    let kind = found.name(1, &CHECK_KINDS, "the kind of a check")?;
    let is_resource = kind == "resource";
    let mut instances = BTreeMap::new();
    for object in found.messages(4)? {
        let to_display = object.text(1)?;
        let own = Address::parse(to_display)?;
        let mut messages = object.texts(3)?;
        messages.sort_unstable();
        let key = own.key.filter(|_| is_resource);
        let address = object_of([
            ("to_display", json!(to_display)),
            ("module", json!(own.module)),
            ("instance_key", json!(key)),
        ]);
        let problems: Vec<Value> = messages
            .iter()
            .map(|message| json!({ "message": message }))
            .collect();
        let status = object.name(2, &STATUSES, "the status of a check")?;
        let instance = [
            ("address", address),
            ("status", json!(status)),
            ("problems", json!(problems)),
        ];
        instances.insert(to_display, object_of(instance));
    }
    let (mode, of_type) = if is_resource {
        (address.mode, address.kind)
    } else {
        ("", "")
    };
    let address = object_of([
        ("kind", json!(kind)),
        ("mode", json!(mode)),
        ("module", json!(address.module)),
        ("name", json!(address.name)),
        ("to_display", json!(to_display)),
        ("type", json!(of_type)),
    ]);
    let instances: Value = instances.into_values().collect();
    let status = found.name(3, &STATUSES, "the status of a check")?;
    Ok(object_of([
        ("address", address),
        ("status", json!(status)),
        ("instances", instances),
    ]))
}

/// Without the members that the tools leave out: nulls, and empty texts and lists.
fn object_of<const N: usize>(members: [(&str, Value); N]) -> Value {
    let is_filled = |member: &Value| *member != "" && *member != json!([]) && !member.is_null();
    let filled = members.into_iter().filter(|(_, member)| is_filled(member));
    Value::Object(
        filled
            .map(|(name, member)| (name.to_owned(), member))
            .collect::<Map<_, _>>(),
    )
}

/// `message` is `Schemas` of `tfschemas.proto` (OpenTofu 1.13).
fn provider_schemas(message: &[u8]) -> Result<String, Error> {
    let providers = by_name(&Message::parse(message)?, 1, |provider| {
        let types = |number| {
            by_name(provider, number, |found| {
                let schema = found.message(1)?;
                let block = schema.map(|schema| block(schema.message(2)?)).transpose()?;
                Ok(json!({ "block": block.unwrap_or_else(|| json!({})) }))
            })
        };
        Ok(json!({ "resource_schemas": types(2)?, "data_source_schemas": types(3)? }))
    });
    Ok(providers?.to_string())
}

fn by_name(
    message: &Message<'_>,
    number: u64,
    value: impl Fn(&Message<'_>) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let mut all = Map::new();
    for entry in message.messages(number)? {
        let name = entry.text(1)?;
        let found = entry
            .message(2)?
            .map(|found| value(&found).map_err(|error| error.at(name)));
        all.insert(
            name.to_owned(),
            found.transpose()?.unwrap_or_else(|| json!({})),
        );
    }
    Ok(Value::Object(all))
}

fn block(found: Option<Message<'_>>) -> Result<Value, Error> {
    let Some(found) = found else {
        return Ok(json!({}));
    };
    let mut nested = Map::new();
    for one in found.messages(2)? {
        let schema = json!({ "nesting_mode": nesting(&one, 3)?, "block": block(one.message(2)?)? });
        nested.insert(one.text(1)?.to_owned(), schema);
    }
    Ok(json!({ "attributes": attributes(&found)?, "block_types": nested }))
}

fn attributes(message: &Message<'_>) -> Result<Value, Error> {
    let mut all = Map::new();
    for one in message.messages(1)? {
        let name = one.text(1)?;
        let (kind, of) = match one.message(3)? {
            Some(nested) => {
                let attributes = attributes(&nested)?;
                (
                    "nested_type",
                    json!({ "attributes": attributes, "nesting_mode": nesting(&nested, 2)? }),
                )
            }
            None => {
                let fault = |error| Error::malformed("", format!("the type of {name}: {error}"));
                ("type", serde_json::from_slice(one.bytes(2)).map_err(fault)?)
            }
        };
        let (required, sensitive, write_only) = (one.flag(4), one.flag(7), one.flag(8));
        let schema = json!({ kind: of, "required": required, "sensitive": sensitive, "write_only": write_only });
        all.insert(name.to_owned(), schema);
    }
    Ok(Value::Object(all))
}

fn nesting(message: &Message<'_>, number: u64) -> Result<&'static str, Error> {
    message.name(number, &NESTING, "nesting mode")
}

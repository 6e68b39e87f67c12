//! The changes, outputs, variables and actions of a saved plan, with their values.

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::super::address::Address;
use super::super::msgpack;
use super::super::value::{Node, SetMarks, Step};
use super::names::{self, Sides, on_failure, reason, trigger_event};
use super::{Error, Knowledge, decode, key_json, message, missing, provider_name};
use crate::dialect::Tool;
use crate::json::{Raw, Str, Value};
use crate::model::plan::{
    ActionInvocation, Change, Importing, InvokeTrigger, LifecycleTrigger, RelevantAttribute, ResourceChange,
};
use crate::model::{Action, ResourceMode};
use crate::schema::Position;

/// The messages in the order of their addresses and deposed keys.
pub(super) fn sorted<T>(
    messages: &[T],
    change: impl Fn(&T) -> Option<&message::ResourceChange>,
) -> Result<Vec<&T>, Error> {
    let mut keyed = Vec::with_capacity(messages.len());
    for one in messages {
        let change = change(one).ok_or_else(|| missing("a resource change"))?;
        keyed.push((Address::parse(&change.addr)?, &*change.deposed_key, one));
    }
    crate::sort::by(&mut keyed, |one, other| one.0.order(&other.0).then_with(|| one.1.cmp(other.1)));
    Ok(keyed.into_iter().map(|(_, _, one)| one).collect())
}

pub(super) struct Writer<'k, 's, 'a> {
    pub(super) knowledge: &'k Knowledge<'k, 's>,
    pub(super) tool: Tool,
    /// The texts of the document.
    pub(super) texts: &'a Bump,
}

impl<'a> Writer<'_, '_, 'a> {
    /// A value of the document, from its JSON.
    pub(super) fn raw(&self, json: &str) -> Raw<'a> {
        Raw::new(self.texts.alloc_str(json))
    }

    fn known(&self, value: Option<Node<'_>>) -> Option<Raw<'a>> {
        value.map(|value| self.raw(&value.known()))
    }

    fn sets(&self) -> SetMarks {
        SetMarks::new(self.tool)
    }

    pub(super) fn resources(
        &self,
        messages: &'a [message::ResourceChange],
    ) -> Result<Vec<ResourceChange<'a>>, Error> {
        let mut written = Vec::with_capacity(messages.len());
        for change in sorted(messages, |change| Some(change))? {
            let resource = self.resource(change)?;
            // The tools do not list deletions of data sources: nothing happens to a real object.
            if resource.mode != ResourceMode::Data || resource.change.actions != Action::Delete {
                written.push(resource);
            }
        }
        Ok(written)
    }

    pub(super) fn resource(&self, found: &'a message::ResourceChange) -> Result<ResourceChange<'a>, Error> {
        let at = |error: Error| error.at(&found.addr);
        let address = Address::parse(&found.addr)?;
        let provider = provider_name(&found.provider).map_err(at)?;
        let change = found.change.as_ref().ok_or_else(|| at(missing("the change")))?;
        let change = self.change(found, change, &address, provider).map_err(at)?;
        let previous = if found.prev_run_addr == found.addr { "" } else { &*found.prev_run_addr };
        Ok(ResourceChange {
            address: Str::from(&*found.addr),
            previous_address: Str::from(previous),
            module_address: Str::from(address.module),
            mode: ResourceMode::new(Str::from(address.mode)),
            resource_type: Str::from(address.kind),
            name: Str::from(address.name),
            index: key_json(&address.key)?.map(|key| self.raw(&key)),
            provider_name: Str::from(provider),
            deposed: Str::from(&*found.deposed_key),
            change,
            action_reason: Str::from(reason(found.action_reason, &found.addr)?),
        })
    }

    fn change(
        &self,
        found: &'a message::ResourceChange,
        change: &'a message::Change,
        address: &Address<'_>,
        provider: &str,
    ) -> Result<Change<'a>, Error> {
        let arena = Bump::new();
        let position = self.knowledge.position(provider, address.mode, address.kind)?;
        let (actions, before, after) = values(change, position, &arena)?;
        let (before, after) = if address.mode == "ephemeral" { (None, None) } else { (before, after) };
        let sensitive = |value: Option<Node<'_>>, paths: &[message::Path]| -> Result<Raw<'a>, Error> {
            let Some(value) = value else { return Ok(Raw::new("false")) };
            Ok(self.raw(&value.sensitive(position, &self.paths(paths, &arena)?, self.sets())))
        };
        Ok(Change {
            actions,
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(self.raw(after.and_then(Node::unknown).as_deref().unwrap_or("{}"))),
            before_sensitive: Some(sensitive(before, &change.before_sensitive_paths)?),
            after_sensitive: Some(sensitive(after, &change.after_sensitive_paths)?),
            replace_paths: match &*found.required_replace {
                [] => None,
                paths => Some(self.raw(&paths_json(&self.paths(paths, &arena)?))),
            },
            importing: change.importing.as_deref().map(|bytes| self.importing(bytes)).transpose()?,
            generated_config: Str::from(&*change.generated_config),
        })
    }

    /// Of what is known of an import, the tools write only the first of: unknown, ID, identity.
    fn importing(&self, bytes: &[u8]) -> Result<Importing<'a>, Error> {
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
        let arena = Bump::new();
        let identity = identity.filter(|_| !unknown && id.is_empty());
        let identity =
            identity.as_ref().map(|value| msgpack::value(&value.msgpack, Position::Unspecified, &arena));
        // Terraform writes one that is null.
        let identity = identity
            .transpose()?
            .filter(|value| *value != Node::Leaf(Value::Null) || self.tool == Tool::Terraform);
        let id = if unknown { String::new() } else { id };
        Ok(Importing { id: Str::from(id), unknown, identity: self.known(identity) })
    }

    fn paths<'p>(&self, paths: &'p [message::Path], arena: &'p Bump) -> Result<Vec<Vec<Step<'p>>>, Error> {
        paths.iter().map(|path| path.steps.iter().map(|found| step(found, arena)).collect()).collect()
    }

    pub(super) fn variables(&self, plan: &message::Plan) -> Result<Variables<'a>, Error> {
        let arena = Bump::new();
        let value = |(name, value): (&String, &message::DynamicValue)| {
            let value = msgpack::value(&value.msgpack, Position::Unspecified, &arena);
            let value = value.map_err(|error| error.at(name))?;
            Ok((name.clone(), variable(self.raw(&value.known()))))
        };
        plan.variables.iter().map(value).collect()
    }

    pub(super) fn output(&self, found: &'a message::OutputChange) -> Result<Change<'a>, Error> {
        let at = |error: Error| error.at(&format!("output {}", found.name));
        let arena = Bump::new();
        let change = found.change.as_ref().ok_or_else(|| at(missing("the change")))?;
        let (actions, before, after) = values(change, Position::Unspecified, &arena).map_err(at)?;
        let sensitive = Some(Raw::new(if found.sensitive { "true" } else { "false" }));
        Ok(Change {
            actions,
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(self.raw(after.and_then(Node::unknown).as_deref().unwrap_or("false"))),
            before_sensitive: sensitive,
            after_sensitive: sensitive,
            ..Change::default()
        })
    }

    pub(super) fn action(&self, found: &'a message::ActionInvocation) -> Result<ActionInvocation<'a>, Error> {
        let at = |error: Error| error.at(&found.addr);
        let address = Address::parse(&found.addr)?;
        let provider = provider_name(&found.provider).map_err(at)?;
        let arena = Bump::new();
        let position = self.knowledge.position(provider, "action", address.kind).map_err(at)?;
        let config = found.config_value.as_ref();
        let config =
            config.map(|value| msgpack::value(&value.msgpack, position, &arena)).transpose().map_err(at)?;
        let paths = self.paths(&found.sensitive_config_paths, &arena).map_err(at)?;
        let trigger = found.lifecycle_trigger.as_ref().map(lifecycle);
        let calling = found.invoke_trigger.as_ref().map(|trigger| Str::from(&*trigger.calling_resource_addr));
        Ok(ActionInvocation {
            address: Str::from(&*found.addr),
            action_type: Str::from(address.kind),
            name: Str::from(address.name),
            config_values: self.known(config),
            config_sensitive: config.map(|value| self.raw(&value.sensitive(position, &paths, self.sets()))),
            config_unknown: config.map(|value| self.raw(&value.unknown_tree().to_string())),
            provider_name: Str::from(provider),
            lifecycle_action_trigger: trigger.transpose().map_err(at)?,
            invoke_action_trigger: calling
                .map(|calling_resource_address| InvokeTrigger { calling_resource_address }),
        })
    }

    pub(super) fn relevant(
        &self,
        found: &'a message::RelevantAttribute,
    ) -> Result<RelevantAttribute<'a>, Error> {
        let arena = Bump::new();
        let paths = self.paths(found.attr.as_slice(), &arena).map_err(|error| error.at(&found.resource))?;
        let attribute = self.raw(&path_json(paths.first().map_or(&[], Vec::as_slice)));
        Ok(RelevantAttribute { resource: Str::from(&*found.resource), attribute: Some(attribute) })
    }
}

/// The values of variables, by name.
pub(super) type Variables<'a> = BTreeMap<String, BTreeMap<&'static str, Raw<'a>>>;

pub(super) fn variable(value: Raw<'_>) -> BTreeMap<&'static str, Raw<'_>> {
    BTreeMap::from([("value", value)])
}

/// The action of a change and its values before and after.
type Values<'a> = (Action, Option<Node<'a>>, Option<Node<'a>>);

fn values<'a>(
    change: &'a message::Change,
    position: Position<'a>,
    arena: &'a Bump,
) -> Result<Values<'a>, Error> {
    let (actions, sides) = names::action(change.action, "")?;
    let value = |at: usize| -> Result<Option<Node<'a>>, Error> {
        let found = change.values.get(at).ok_or_else(|| missing("the list of values"))?;
        // A null object is one that does not exist.
        Ok(Some(msgpack::value(&found.msgpack, position, arena)?)
            .filter(|value| *value != Node::Leaf(Value::Null)))
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

fn paths_json(paths: &[Vec<Step<'_>>]) -> String {
    format!("[{}]", paths.iter().map(|path| path_json(path)).collect::<Vec<_>>().join(","))
}

fn path_json(path: &[Step<'_>]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Attribute(name) => Node::Leaf(Value::String(name)).known(),
        Step::Element(node) => node.known(),
    });
    format!("[{}]", steps.collect::<Vec<_>>().join(","))
}

fn lifecycle(found: &message::LifecycleTrigger) -> Result<LifecycleTrigger<'_>, Error> {
    let index = |number: i64| u64::try_from(number).map_err(|error| Error::malformed("", error));
    Ok(LifecycleTrigger {
        triggering_resource_address: Str::from(&*found.triggering_resource_addr),
        action_trigger_event: Str::from(trigger_event(found.trigger_event)?),
        action_trigger_block_index: index(found.action_trigger_block_index)?,
        actions_list_index: index(found.actions_list_index)?,
        on_failure: Str::from(on_failure(found.on_failure)?),
    })
}

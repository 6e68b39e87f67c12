//! The changes, outputs, variables and actions of a saved plan, with their values.

use bumpalo::Bump;

use super::super::address::{Address, Key};
use super::super::msgpack;
use super::super::value::{Node, SetMarks, Step};
use super::names::{self, Sides, on_failure, reason, trigger_event};
use super::{Error, Json, Knowledge, decode, json, key_json, message, missing, provider_name, raw};
use crate::dialect::Tool;
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
    keyed.sort_by(|one, other| one.0.order(&other.0).then_with(|| one.1.cmp(other.1)));
    Ok(keyed.into_iter().map(|(_, _, one)| one).collect())
}

pub(super) struct Writer<'k, 's> {
    pub(super) knowledge: &'k Knowledge<'k, 's>,
    pub(super) tool: Tool,
}

impl Writer<'_, '_> {
    fn sets(&self) -> SetMarks {
        SetMarks::new(self.tool)
    }

    pub(super) fn resources(
        &self,
        messages: &[message::ResourceChange],
    ) -> Result<Vec<json::Resource>, Error> {
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

    pub(super) fn resource(&self, found: &message::ResourceChange) -> Result<json::Resource, Error> {
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

    pub(super) fn variables(
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

    pub(super) fn output(&self, found: &message::OutputChange) -> Result<json::OutputChange, Error> {
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

    pub(super) fn action(&self, found: &message::ActionInvocation) -> Result<json::Action, Error> {
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

    pub(super) fn relevant(
        &self,
        found: &message::RelevantAttribute,
    ) -> Result<json::RelevantAttribute, Error> {
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
    let (actions, sides) = names::action(change.action, "")?;
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
    Ok(json::LifecycleTrigger {
        triggering_resource_address: found.triggering_resource_addr.clone(),
        action_trigger_event: trigger_event(found.trigger_event)?,
        action_trigger_block_index: found.action_trigger_block_index,
        actions_list_index: found.actions_list_index,
        on_failure: on_failure(found.on_failure)?,
    })
}

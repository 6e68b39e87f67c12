//! The changes, outputs, variables and actions of a saved plan, with their values.

use std::collections::BTreeMap;

use bumpalo::Bump;

use crate::dialect::Tool;
use crate::json::{Raw, Str, Value};
use crate::model::plan::{
    ActionInvocation, Change, Importing, InvokeTrigger, LifecycleTrigger, RelevantAttribute,
    ResourceChange,
};
use crate::model::{Action, ResourceMode};
use crate::saved::address::Address;
use crate::saved::encoding::{Message, read_value};
use crate::saved::value::{Node, Step};
use crate::saved::{Error, Knowledge};
use crate::schema::Position;

use super::{json, provider_name};

/// The number of [`Action::NoOp`].
pub(super) const NO_OP_NUMBER: u64 = 0;

const REASONS: [&str; 17] = [
    "",
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

const EVENTS: [&str; 7] = [
    "EventUnknown",
    "BeforeCreate",
    "AfterCreate",
    "BeforeUpdate",
    "AfterUpdate",
    "BeforeDestroy",
    "AfterDestroy",
];

const ON_FAILURE: [&str; 3] = [
    "ActionOnFailureHalt",
    "ActionOnFailureTaint",
    "ActionOnFailureContinue",
];

pub(super) type Variables<'a> = BTreeMap<String, BTreeMap<&'static str, Raw<'a>>>;

pub(super) fn variable(value: Raw<'_>) -> BTreeMap<&'static str, Raw<'_>> {
    BTreeMap::from([("value", value)])
}

pub(super) fn sorted<'m, T>(
    items: Vec<T>,
    change: impl Fn(&T) -> &Message<'m>,
) -> Result<Vec<T>, Error> {
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let change = change(&item);
        keyed.push((Address::parse(change.text(13)?)?, change.text(7)?, item));
    }
    keyed.sort_by(|one, other| one.0.order(&other.0).then_with(|| one.1.cmp(other.1)));
    Ok(keyed.into_iter().map(|(_, _, item)| item).collect())
}

/// Values are written as JSON at once, because only that outlives their arena.
pub(super) struct Writer<'k, 's, 'a> {
    pub(super) knowledge: &'k Knowledge<'k, 's>,
    pub(super) tool: Tool,
    pub(super) texts: &'a Bump,
}

impl<'a> Writer<'_, '_, 'a> {
    pub(super) fn raw(&self, json: &str) -> Raw<'a> {
        Raw::new(self.texts.alloc_str(json))
    }

    fn text(&self, text: &str) -> Str<'a> {
        Str::from(&*self.texts.alloc_str(text))
    }

    fn known(&self, value: Option<Node<'_>>) -> Option<Raw<'a>> {
        value.map(|value| self.raw(&value.known()))
    }

    pub(super) fn resources(
        &self,
        changes: Vec<Message<'_>>,
    ) -> Result<Vec<ResourceChange<'a>>, Error> {
        let mut written = Vec::with_capacity(changes.len());
        for change in sorted(changes, |change| change)? {
            let resource = self.resource(&change)?;
            // The tools do not list deletions of data sources: nothing happens to a real object.
            if resource.mode != ResourceMode::Data || resource.change.actions != Action::Delete {
                written.push(resource);
            }
        }
        Ok(written)
    }

    pub(super) fn resource(&self, found: &Message<'_>) -> Result<ResourceChange<'a>, Error> {
        let text = found.text(13)?;
        let (address, previous) = (Address::parse(text)?, found.text(14)?);
        let of_address = || {
            let provider_name = provider_name(found.text(8)?)?;
            Ok(ResourceChange {
                address: self.text(text),
                previous_address: self.text(if previous == text { "" } else { previous }),
                module_address: self.text(address.module),
                mode: ResourceMode::new(self.text(address.mode)),
                resource_type: self.text(address.kind),
                name: self.text(address.name),
                index: address
                    .key
                    .as_ref()
                    .map(|key| Ok(self.raw(&json(key)?)))
                    .transpose()?,
                provider_name: self.text(provider_name),
                deposed: self.text(found.text(7)?),
                change: self.change(found, &address, provider_name)?,
                action_reason: Str::from(found.name(12, &REASONS, "action reason")?),
            })
        };
        of_address().map_err(|error: Error| error.at(text))
    }

    fn change(
        &self,
        found: &Message<'_>,
        address: &Address<'_>,
        provider: &str,
    ) -> Result<Change<'a>, Error> {
        let arena = Bump::new();
        let position = self
            .knowledge
            .position(provider, address.mode, address.kind)?;
        let change = found.required(9, "the change")?;
        let (actions, before, after) = values(&change, position, &arena)?;
        let (before, after) = if address.mode == "ephemeral" {
            (None, None)
        } else {
            (before, after)
        };
        let sensitive = |value: Option<Node<'_>>, number| -> Result<Raw<'a>, Error> {
            let Some(value) = value else {
                return Ok(Raw::new("false"));
            };
            Ok(self.raw(&value.sensitive(position, &paths(&change, number, &arena)?, self.tool)))
        };
        let replace = paths(found, 11, &arena)?;
        let replace: Vec<String> = replace.iter().map(|path| path_json(path)).collect();
        Ok(Change {
            actions,
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(self.raw(after.and_then(Node::unknown).as_deref().unwrap_or("{}"))),
            before_sensitive: Some(sensitive(before, 3)?),
            after_sensitive: Some(sensitive(after, 4)?),
            replace_paths: (!replace.is_empty())
                .then(|| self.raw(&format!("[{}]", replace.join(",")))),
            importing: change
                .message(5)?
                .map(|found| self.importing(&found))
                .transpose()?,
            generated_config: self.text(change.text(6)?),
        })
    }

    /// The tools write only the first of: unknown, ID, identity.
    fn importing(&self, found: &Message<'_>) -> Result<Importing<'a>, Error> {
        let is_terraform = self.tool == Tool::Terraform;
        let unknown = is_terraform && found.flag(2);
        let id = if unknown { "" } else { found.text(1)? };
        let arena = Bump::new();
        let identity = found
            .message(if is_terraform { 3 } else { 2 })?
            .filter(|_| !unknown && id.is_empty());
        let identity =
            identity.map(|value| read_value(value.bytes(1), Position::Unspecified, &arena));
        // Terraform writes one that is null.
        let identity = identity
            .transpose()?
            .filter(|value| !value.is_null() || is_terraform);
        Ok(Importing {
            id: self.text(id),
            unknown,
            identity: self.known(identity),
        })
    }

    pub(super) fn variables(&self, plan: &Message<'_>) -> Result<Variables<'a>, Error> {
        let arena = Bump::new();
        let variables = plan.messages(2)?.into_iter().map(|entry| {
            let name = entry.text(1)?;
            let value = entry.required(2, "the value")?;
            let value = read_value(value.bytes(1), Position::Unspecified, &arena);
            Ok((
                name.to_owned(),
                variable(self.raw(&value.map_err(|error| error.at(name))?.known())),
            ))
        });
        variables.collect()
    }

    pub(super) fn output(&self, found: &Message<'_>) -> Result<Change<'a>, Error> {
        let place = format!("output {}", found.text(1)?);
        let arena = Bump::new();
        let change = found
            .required(2, "the change")
            .map_err(|error| error.at(&place))?;
        let values = values(&change, Position::Unspecified, &arena);
        let (actions, before, after) = values.map_err(|error| error.at(&place))?;
        let sensitive = Some(Raw::new(if found.flag(3) { "true" } else { "false" }));
        Ok(Change {
            actions,
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(
                self.raw(after.and_then(Node::unknown).as_deref().unwrap_or("false")),
            ),
            before_sensitive: sensitive,
            after_sensitive: sensitive,
            ..Change::default()
        })
    }

    pub(super) fn action(&self, found: &Message<'_>) -> Result<ActionInvocation<'a>, Error> {
        let text = found.text(1)?;
        let address = Address::parse(text)?;
        let of_address = || {
            let provider_name = provider_name(found.text(2)?)?;
            let arena = Bump::new();
            let position = self
                .knowledge
                .position(provider_name, "action", address.kind)?;
            let config = found.message(4)?;
            let config = config
                .map(|value| read_value(value.bytes(1), position, &arena))
                .transpose()?;
            let paths = paths(found, 5, &arena)?;
            let lifecycle = found.message(6)?.map(|trigger| self.lifecycle(&trigger));
            let calling = found
                .message(7)?
                .map(|trigger| trigger.text(1))
                .transpose()?;
            let invoke = calling.map(|calling| InvokeTrigger {
                calling_resource_address: self.text(calling),
            });
            Ok(ActionInvocation {
                address: self.text(text),
                action_type: self.text(address.kind),
                name: self.text(address.name),
                config_values: self.known(config),
                config_sensitive: config
                    .map(|value| self.raw(&value.sensitive(position, &paths, self.tool))),
                config_unknown: config.map(|value| self.raw(&value.unknown_tree().to_string())),
                provider_name: self.text(provider_name),
                lifecycle_action_trigger: lifecycle.transpose()?,
                invoke_action_trigger: invoke,
            })
        };
        of_address().map_err(|error: Error| error.at(text))
    }

    fn lifecycle(&self, found: &Message<'_>) -> Result<LifecycleTrigger<'a>, Error> {
        Ok(LifecycleTrigger {
            triggering_resource_address: self.text(found.text(1)?),
            action_trigger_event: Str::from(found.name(2, &EVENTS, "the event of a trigger")?),
            action_trigger_block_index: found.number(3),
            actions_list_index: found.number(4),
            on_failure: Str::from(found.name(5, &ON_FAILURE, "on_failure of a trigger")?),
        })
    }

    pub(super) fn relevant(&self, found: &Message<'_>) -> Result<RelevantAttribute<'a>, Error> {
        let (resource, arena) = (found.text(1)?, Bump::new());
        let paths = paths(found, 2, &arena).map_err(|error| error.at(resource))?;
        let attribute = self.raw(&path_json(paths.first().map_or(&[], Vec::as_slice)));
        Ok(RelevantAttribute {
            resource: self.text(resource),
            attribute: Some(attribute),
        })
    }
}

fn values<'a>(
    change: &Message<'a>,
    position: Position<'a>,
    arena: &'a Bump,
) -> Result<(Action, Option<Node<'a>>, Option<Node<'a>>), Error> {
    let all = change.messages(2)?;
    let value = |at: usize| -> Result<Option<Node<'a>>, Error> {
        let found = all
            .get(at)
            .ok_or_else(|| Error::malformed("", "the list of values is incomplete"))?;
        // A null object is one that does not exist.
        Ok(Some(read_value(found.bytes(1), position, arena)?).filter(|value| !value.is_null()))
    };
    let both = |action| Ok((action, value(0)?, value(1)?));
    match change.number(1) {
        NO_OP_NUMBER => value(0).map(|value| (Action::NoOp, value, value)),
        1 => Ok((Action::Create, None, value(0)?)),
        2 => both(Action::Read),
        3 => both(Action::Update),
        5 => Ok((Action::Delete, value(0)?, None)),
        6 => both(Action::DeleteThenCreate),
        7 => both(Action::CreateThenDelete),
        8 => Ok((Action::Forget, value(0)?, None)),
        9 => both(Action::CreateThenForget),
        10 => both(Action::ForgetThenCreate),
        other => Err(Error::malformed(
            "",
            format!("action {other} is not known; update tfview"),
        )),
    }
}

fn paths<'a>(
    message: &Message<'a>,
    number: u64,
    arena: &'a Bump,
) -> Result<Vec<Vec<Step<'a>>>, Error> {
    let step = |step: Message<'a>| match step.message(2)? {
        Some(key) => read_value(key.bytes(1), Position::Unspecified, arena).map(Step::Element),
        None => step.text(1).map(Step::Attribute),
    };
    let paths = message.messages(number)?.into_iter();
    paths
        .map(|path| path.messages(1)?.into_iter().map(step).collect())
        .collect()
}

fn path_json(path: &[Step<'_>]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Attribute(name) => Node::Leaf(Value::String(name)).known(),
        Step::Element(node) => node.known(),
    });
    format!("[{}]", steps.collect::<Vec<_>>().join(","))
}

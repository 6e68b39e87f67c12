//! Converts the changes, outputs, variables and actions of a saved plan, with their values.
//!
//! Invariants: a value that only one side has is null on the other one; an unknown value is absent from `after` and
//! true in `after_unknown`; the paths of sensitive values become trees of marks, combined with those of the schemas.
//!
//! ```text
//! Change { action: UPDATE, values: [{"ami": "a", "id": "i-1"}, {"ami": "b", "id": unknown}], … }
//!
//! {"actions": ["update"], "before": {"ami": "a", "id": "i-1"}, "after": {"ami": "b"}, "after_unknown": {"id": true}}
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use bumpalo::Bump;
use prost::Message;

use crate::dialect::Tool;
use crate::json::{Raw, Str, Value};
use crate::model::plan::{
    ActionInvocation, Change, Importing, InvokeTrigger, LifecycleTrigger, RelevantAttribute,
    ResourceChange,
};
use crate::model::{Action, ResourceMode};
use crate::saved::address::{Address, provider_name};
use crate::saved::message::{
    self, ActionInvocationInstance, ActionReason, ActionTrigger, DynamicValue,
    LifecycleActionTrigger, OnFailure, OpenTofuImporting, OutputChange, Path,
    ResourceInstanceChange, Selector, TerraformImporting, TriggerEvent, decode, name_of,
};
use crate::saved::msgpack::{ValueLimit, read_value};
use crate::saved::value::{Node, Step};
use crate::saved::{Error, Knowledge, json};
use crate::schema::Position;

use super::missing;

/// The variables by name, each with its member `value`.
pub(super) type Variables<'a> = BTreeMap<String, BTreeMap<&'static str, Raw<'a>>>;

pub(super) fn variable(value: Raw<'_>) -> BTreeMap<&'static str, Raw<'_>> {
    BTreeMap::from([("value", value)])
}

/// Sorts items by the address and then the deposed key of the change in each, in the order of the tools.
///
/// # Errors
/// If an address is malformed, or `change_of` fails.
pub(super) fn sorted<T>(
    items: &[T],
    change_of: impl Fn(&T) -> Result<&ResourceInstanceChange, Error>,
) -> Result<Vec<&T>, Error> {
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let change = change_of(item)?;
        keyed.push((Address::parse(&change.addr)?, &change.deposed_key, item));
    }
    keyed.sort_by(|(address, deposed, _), (other_address, other_deposed, _)| {
        address
            .order(other_address)
            .then_with(|| deposed.cmp(other_deposed))
    });
    Ok(keyed.into_iter().map(|(_, _, item)| item).collect())
}

/// Converts the parts of a saved plan into those of the model. Values are written as JSON at once, because only the
/// JSON outlives their arena.
pub(super) struct PlanWriter<'k, 's, 'a> {
    /// The schemas of the types in the plan.
    pub(super) knowledge: &'k Knowledge<'k, 's>,
    /// The tool that wrote the plan, which decides how sets are marked.
    pub(super) tool: Tool,
    /// The counter of the values, so that a small file cannot fill the memory.
    pub(super) values: &'k ValueLimit,
    /// The arena that receives the JSON.
    pub(super) texts: &'a Bump,
}

/// The values of a change that its action has. A value that does not exist is `None`.
struct ChangedValues<'v> {
    before: Option<Node<'v>>,
    after: Option<Node<'v>>,
}

impl<'a> PlanWriter<'_, '_, 'a> {
    pub(super) fn raw(&self, json: &str) -> Raw<'a> {
        Raw::new(self.texts.alloc_str(json))
    }

    fn text(&self, text: &str) -> Str<'a> {
        Str::from(&*self.texts.alloc_str(text))
    }

    fn name(&self, name: Cow<'static, str>) -> Str<'a> {
        match name {
            Cow::Borrowed(known) => Str::from(known),
            Cow::Owned(unknown) => self.text(&unknown),
        }
    }

    /// Returns the JSON of the known parts of a value.
    fn known(&self, value: Option<Node<'_>>) -> Option<Raw<'a>> {
        value.map(|value| self.raw(&value.known()))
    }

    /// Converts changes, in the order of the tools.
    pub(super) fn resources(
        &self,
        changes: &[ResourceInstanceChange],
    ) -> Result<Vec<ResourceChange<'a>>, Error> {
        let mut written = Vec::with_capacity(changes.len());
        for change in sorted(changes, |change| Ok(change))? {
            let resource = self.resource(change)?;
            // The tools do not list deletions of data sources, because nothing happens to a real object.
            if resource.mode != ResourceMode::Data || resource.change.actions != Action::Delete {
                written.push(resource);
            }
        }
        Ok(written)
    }

    /// Converts the change of an object.
    ///
    /// # Errors
    /// If its address or a value is malformed; the error has the address.
    pub(super) fn resource(
        &self,
        change: &ResourceInstanceChange,
    ) -> Result<ResourceChange<'a>, Error> {
        let address = Address::parse(&change.addr)?;
        self.addressed(change, &address)
            .map_err(|error| error.with_subject(&change.addr))
    }

    /// Converts the change of an object whose address is parsed.
    fn addressed(
        &self,
        stored: &ResourceInstanceChange,
        address: &Address<'_>,
    ) -> Result<ResourceChange<'a>, Error> {
        let provider_name = provider_name(&stored.provider)?;
        let previous_address = if stored.prev_run_addr == stored.addr {
            ""
        } else {
            &stored.prev_run_addr
        };
        let index = match &address.key {
            Some(key) => Some(self.raw(&json(key)?)),
            None => None,
        };
        let reason = name_of::<ActionReason>(stored.action_reason, "reason");
        Ok(ResourceChange {
            address: self.text(&stored.addr),
            previous_address: self.text(previous_address),
            module_address: self.text(address.module),
            mode: ResourceMode::new(self.text(address.mode)),
            resource_type: self.text(address.kind),
            name: self.text(address.name),
            index,
            provider_name: self.text(&provider_name),
            deposed: self.text(&stored.deposed_key),
            change: self.change(stored, address, &provider_name)?,
            action_reason: self.name(reason),
        })
    }

    /// Converts the values of a change with their marks, with the types from the schema.
    fn change(
        &self,
        stored: &ResourceInstanceChange,
        address: &Address<'_>,
        provider: &str,
    ) -> Result<Change<'a>, Error> {
        let arena = Bump::new();
        let position = self
            .knowledge
            .position(provider, address.mode, address.kind)?;
        let change = stored
            .change
            .as_ref()
            .ok_or_else(|| missing("the change"))?;
        let mut values = values(change, position, self.values, &arena)?;
        if address.mode == "ephemeral" {
            values = ChangedValues {
                before: None,
                after: None,
            };
        }
        let ChangedValues { before, after } = values;
        let before_paths = paths(&change.before_sensitive_paths, self.values, &arena)?;
        let after_paths = paths(&change.after_sensitive_paths, self.values, &arena)?;
        let sensitive = |value: Option<Node<'_>>, paths: &[Vec<Step<'_>>]| match value {
            Some(value) => self.raw(&value.sensitive(position, paths, self.tool)),
            None => Raw::new("false"),
        };
        let replace: Vec<String> = paths(&stored.required_replace, self.values, &arena)?
            .iter()
            .map(|path| path_json(path))
            .collect();
        let replace_paths =
            (!replace.is_empty()).then(|| self.raw(&format!("[{}]", replace.join(","))));
        Ok(Change {
            actions: action(change.action),
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(self.raw(after.and_then(Node::unknown).as_deref().unwrap_or("{}"))),
            before_sensitive: Some(sensitive(before, &before_paths)),
            after_sensitive: Some(sensitive(after, &after_paths)),
            replace_paths,
            before_identity: self.identity(change.before_identity.as_ref())?,
            after_identity: self.identity(change.after_identity.as_ref())?,
            importing: self.importing(change)?,
            generated_config: self.text(&change.generated_config),
        })
    }

    /// Converts the identity of an object.
    fn identity(&self, value: Option<&DynamicValue>) -> Result<Option<Raw<'a>>, Error> {
        let Some(value) = value else {
            return Ok(None);
        };
        let arena = Bump::new();
        let value = read_value(&value.msgpack, Position::Unspecified, self.values, &arena)?;
        Ok(self.known(Some(value)))
    }

    /// Converts the import of an object; `None` if it is not imported. Like the tools, it has only the first that
    /// exists of: unknown, ID, identity.
    fn importing(&self, change: &message::Change) -> Result<Option<Importing<'a>>, Error> {
        if change.importing.is_empty() {
            return Ok(None);
        }
        // To append the bytes of messages is to merge them.
        let bytes = change.importing.concat();
        let (id, unknown, identity, is_terraform) = match TerraformImporting::decode(&*bytes) {
            Ok(importing) => (importing.id, importing.unknown, importing.identity, true),
            Err(_) => {
                let importing: OpenTofuImporting = decode(bytes.into(), "")?;
                (importing.id, false, importing.identity, false)
            }
        };
        if unknown || !id.is_empty() {
            return Ok(Some(Importing {
                id: self.text(if unknown { "" } else { &id }),
                unknown,
                identity: None,
            }));
        }
        let arena = Bump::new();
        let identity = match &identity {
            Some(value) => Some(read_value(
                &value.msgpack,
                Position::Unspecified,
                self.values,
                &arena,
            )?),
            None => None,
        };
        // Terraform also writes an identity that is null.
        let identity = identity.filter(|value| !value.is_null() || is_terraform);
        Ok(Some(Importing {
            identity: self.known(identity),
            ..Importing::default()
        }))
    }

    /// Converts the values of the variables that were set.
    pub(super) fn variables(&self, plan: &message::Plan) -> Result<Variables<'a>, Error> {
        let arena = Bump::new();
        let mut variables = Variables::new();
        for (name, value) in &plan.variables {
            let value = read_value(&value.msgpack, Position::Unspecified, self.values, &arena)
                .map_err(|error| error.with_subject(name))?;
            variables.insert(name.clone(), variable(self.raw(&value.known())));
        }
        Ok(variables)
    }

    /// Converts the change of an output, whose values include their types.
    pub(super) fn output(&self, stored: &OutputChange) -> Result<Change<'a>, Error> {
        let arena = Bump::new();
        let change = stored
            .change
            .as_ref()
            .ok_or_else(|| missing("the change"))?;
        let ChangedValues { before, after } =
            values(change, Position::Unspecified, self.values, &arena)?;
        let sensitive = Some(Raw::new(if stored.sensitive { "true" } else { "false" }));
        let after_unknown = after.and_then(Node::unknown);
        Ok(Change {
            actions: action(change.action),
            before: self.known(before),
            after: self.known(after),
            after_unknown: Some(self.raw(after_unknown.as_deref().unwrap_or("false"))),
            before_sensitive: sensitive,
            after_sensitive: sensitive,
            ..Change::default()
        })
    }

    /// Converts an action that the apply invokes.
    ///
    /// # Errors
    /// If its address or a value is malformed; the error has the address.
    pub(super) fn action(
        &self,
        stored: &ActionInvocationInstance,
    ) -> Result<ActionInvocation<'a>, Error> {
        let address = Address::parse(&stored.addr)?;
        self.invocation(stored, &address)
            .map_err(|error| error.with_subject(&stored.addr))
    }

    /// Converts an action whose address is parsed, with its configuration and trigger.
    fn invocation(
        &self,
        stored: &ActionInvocationInstance,
        address: &Address<'_>,
    ) -> Result<ActionInvocation<'a>, Error> {
        let provider_name = provider_name(&stored.provider)?;
        let arena = Bump::new();
        let position = self
            .knowledge
            .position(&provider_name, "action", address.kind)?;
        let config = match &stored.config_value {
            Some(value) => Some(read_value(&value.msgpack, position, self.values, &arena)?),
            None => None,
        };
        let paths = paths(&stored.sensitive_config_paths, self.values, &arena)?;
        let sensitive = |value: Node<'_>| self.raw(&value.sensitive(position, &paths, self.tool));
        let (lifecycle, invoke) = match &stored.action_trigger {
            Some(ActionTrigger::Lifecycle(trigger)) => (Some(self.lifecycle(trigger)), None),
            Some(ActionTrigger::Invoke(trigger)) => {
                let calling_resource_address = self.text(&trigger.calling_resource_addr);
                let trigger = InvokeTrigger {
                    calling_resource_address,
                };
                (None, Some(trigger))
            }
            None => (None, None),
        };
        Ok(ActionInvocation {
            address: self.text(&stored.addr),
            action_type: self.text(address.kind),
            name: self.text(address.name),
            config_values: self.known(config),
            config_sensitive: config.map(sensitive),
            config_unknown: config.map(|value| self.raw(&value.unknown_tree().to_string())),
            provider_name: self.text(&provider_name),
            lifecycle_action_trigger: lifecycle,
            invoke_action_trigger: invoke,
        })
    }

    /// Converts a trigger by the change of a resource.
    fn lifecycle(&self, stored: &LifecycleActionTrigger) -> LifecycleTrigger<'a> {
        let event = name_of::<TriggerEvent>(stored.trigger_event, "event");
        let on_failure = name_of::<OnFailure>(stored.on_failure, "on_failure");
        LifecycleTrigger {
            triggering_resource_address: self.text(&stored.triggering_resource_addr),
            action_trigger_event: self.name(event),
            action_trigger_block_index: stored.action_trigger_block_index,
            actions_list_index: stored.actions_list_index,
            on_failure: self.name(on_failure),
        }
    }

    /// Converts an attribute that contributed to the plan.
    pub(super) fn relevant(
        &self,
        stored: &message::RelevantAttribute,
    ) -> Result<RelevantAttribute<'a>, Error> {
        if stored.resource.is_empty() {
            return Err(missing("a relevant attribute"));
        }
        let arena = Bump::new();
        let steps = match &stored.attr {
            Some(attr) => path(attr, self.values, &arena)
                .map_err(|error| error.with_subject(&stored.resource))?,
            None => Vec::new(),
        };
        Ok(RelevantAttribute {
            resource: self.text(&stored.resource),
            attribute: Some(self.raw(&path_json(&steps))),
        })
    }
}

/// Returns the action with a number. One that a later release added becomes `Action::Unknown`, which counts as a
/// destroy.
fn action(number: i32) -> Action {
    match message::Action::try_from(number) {
        Ok(message::Action::NoOp) => Action::NoOp,
        Ok(message::Action::Create) => Action::Create,
        Ok(message::Action::Read) => Action::Read,
        Ok(message::Action::Update) => Action::Update,
        Ok(message::Action::Delete) => Action::Delete,
        Ok(message::Action::DeleteThenCreate) => Action::DeleteThenCreate,
        Ok(message::Action::CreateThenDelete) => Action::CreateThenDelete,
        Ok(message::Action::Forget) => Action::Forget,
        Ok(message::Action::CreateThenForget) => Action::CreateThenForget,
        Ok(message::Action::ForgetThenCreate) => Action::ForgetThenCreate,
        Err(_) => Action::Unknown(format!("action {number}")),
    }
}

/// Decodes the values that an action has. If an unknown action has only one value, it is used for both sides.
///
/// # Errors
/// If a value is missing or malformed.
fn values<'v>(
    change: &'v message::Change,
    position: Position<'v>,
    limit: &'v ValueLimit,
    arena: &'v Bump,
) -> Result<ChangedValues<'v>, Error> {
    let value = |index: usize| -> Result<Option<Node<'v>>, Error> {
        let stored: &DynamicValue = change
            .values
            .get(index)
            .ok_or_else(|| missing("the list of values"))?;
        // A null object means that there is no object.
        let value = read_value(&stored.msgpack, position, limit, arena)?;
        Ok(Some(value).filter(|value| !value.is_null()))
    };
    let (before, after) = match action(change.action) {
        Action::Create => (None, value(0)?),
        Action::Delete | Action::Forget => (value(0)?, None),
        Action::Unknown(_) if change.values.is_empty() => (None, None),
        Action::Unknown(_) if change.values.len() > 1 => (value(0)?, value(1)?),
        Action::NoOp | Action::Unknown(_) => {
            let both = value(0)?;
            (both, both)
        }
        Action::Read
        | Action::Update
        | Action::DeleteThenCreate
        | Action::CreateThenDelete
        | Action::ForgetThenCreate
        | Action::CreateThenForget
        | Action::Open => (value(0)?, value(1)?),
    };
    Ok(ChangedValues { before, after })
}

fn paths<'v>(
    paths: &'v [Path],
    limit: &'v ValueLimit,
    arena: &'v Bump,
) -> Result<Vec<Vec<Step<'v>>>, Error> {
    paths.iter().map(|one| path(one, limit, arena)).collect()
}

/// Decodes a path up to the first step of a kind that a later release added. A mark with a shorter path hides more than
/// necessary, never less.
fn path<'v>(
    stored: &'v Path,
    limit: &'v ValueLimit,
    arena: &'v Bump,
) -> Result<Vec<Step<'v>>, Error> {
    let mut steps = Vec::with_capacity(stored.steps.len());
    for step in &stored.steps {
        steps.push(match &step.selector {
            Some(Selector::AttributeName(name)) => Step::Attribute(name),
            Some(Selector::ElementKey(key)) => Step::Element(read_value(
                &key.msgpack,
                Position::Unspecified,
                limit,
                arena,
            )?),
            None => break,
        });
    }
    Ok(steps)
}

/// Returns a path as a JSON array.
fn path_json(path: &[Step<'_>]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Attribute(name) => Node::Leaf(Value::String(name)).known(),
        Step::Element(node) => node.known(),
    });
    format!("[{}]", steps.collect::<Vec<_>>().join(","))
}

//! Traces the expression of an attribute back to the resources that its value comes from.

use std::collections::HashSet;

use bumpalo::Bump;

use super::reference::{Origin, Reference, Resource};
use crate::json::{Raw, Value};
use crate::model::plan::ResourceChange;
use crate::model::{Configuration, ModulePlace};

/// The maximum number of references to follow for one attribute.
const MAX_STEPS: usize = 1_000;

/// The maximum number of attributes of one resource whose origins are searched.
const MAX_ATTRIBUTES: usize = 200;

/// The origins of a value.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub resources: Vec<Origin>,
    /// Whether a part of it comes from a local value, whose definition is not in the plan.
    pub has_local: bool,
}

/// The origins of the value of an attribute or block of the changed resource.
pub(super) fn origins<'a>(
    configuration: &Configuration<'a>,
    change: &ResourceChange<'_>,
    attribute: &str,
    arena: &'a Bump,
) -> Origins {
    let mut trace = Trace { configuration, arena, origins: Origins::default(), seen: HashSet::new() };
    let mode = if change.mode.is_empty() { "managed" } else { &*change.mode };
    if let Some(module) = configuration.module(&change.module_address)
        && let Some(expressions) = configuration.resource(module, mode, &change.resource_type, &change.name)
    {
        trace.argument(module, expressions, attribute);
    }
    trace.origins
}

/// The attributes and blocks that the configuration of the changed resource gives, each with the origins of its
/// value.
pub(super) fn given<'a>(
    configuration: &Configuration<'a>,
    change: &ResourceChange<'_>,
    arena: &'a Bump,
) -> Vec<(&'a str, Origins)> {
    let mode = if change.mode.is_empty() { "managed" } else { &*change.mode };
    let place = configuration.module(&change.module_address);
    let expressions = place.and_then(|module| {
        let raw = configuration.resource(module, mode, &change.resource_type, &change.name)?;
        Some((module, raw.value(arena).ok()?))
    });
    let Some((module, Value::Object(attributes))) = expressions else { return Vec::new() };
    let of = |(name, expression): &(&'a str, Value<'a>)| {
        let mut trace = Trace { configuration, arena, origins: Origins::default(), seen: HashSet::new() };
        trace.expression(module, *expression);
        (*name, trace.origins)
    };
    attributes.members().iter().take(MAX_ATTRIBUTES).map(of).collect()
}

struct Trace<'c, 'a> {
    configuration: &'c Configuration<'a>,
    arena: &'a Bump,
    origins: Origins,
    seen: HashSet<(ModulePlace, String)>,
}

impl<'a> Trace<'_, 'a> {
    /// Follows one argument among the expressions of a block.
    fn argument(&mut self, module: ModulePlace, expressions: Raw<'a>, name: &str) {
        if let Ok(value) = expressions.value(self.arena)
            && let Some(expression) = value.get(name)
        {
            self.expression(module, expression);
        }
    }

    /// Follows all references in an expression, or in the expressions of a block.
    fn expression(&mut self, module: ModulePlace, expression: Value<'a>) {
        match expression {
            Value::Array(blocks) => blocks.iter().for_each(|block| self.expression(module, *block)),
            Value::Object(object) => match object.get("references") {
                Some(Value::Array(references)) => {
                    let texts: Vec<&str> = references.iter().filter_map(|text| text.as_str()).collect();
                    for text in &texts {
                        // `references` lists `a.b.c` and its parents `a.b`; only the longest is followed.
                        let is_part = |longer: &&str| {
                            longer.strip_prefix(text).is_some_and(|rest| rest.starts_with(['.', '[']))
                        };
                        if !texts.iter().any(is_part) {
                            self.reference(module, text);
                        }
                    }
                }
                Some(_) | None => {
                    object.members().iter().for_each(|(_, member)| self.expression(module, *member));
                }
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn reference(&mut self, module: ModulePlace, text: &str) {
        if self.seen.len() >= MAX_STEPS || !self.seen.insert((module, text.to_owned())) {
            return;
        }
        match Reference::parse(text) {
            Reference::Resource { is_data, resource_type, name, key, attribute } => {
                let resource = Resource { module, is_data, resource_type, name };
                self.origins.resources.push(Origin { resource, key, attribute });
            }
            Reference::Variable(name) => {
                if let Some((caller, arguments)) = self.configuration.arguments(module) {
                    self.argument(caller, arguments, &name);
                }
            }
            Reference::Output { call, output } => {
                if let Some((called, expression)) = self.configuration.output(module, &call, &output)
                    && let Ok(value) = expression.value(self.arena)
                {
                    self.expression(called, value);
                }
            }
            Reference::Local => self.origins.has_local = true,
            Reference::Other => {}
        }
    }
}

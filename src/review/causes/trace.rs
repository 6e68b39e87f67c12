//! Traces the expression of an attribute back to the resources that its value comes from.

use std::collections::HashSet;

use bumpalo::Bump;

use super::reference::{Origin, Reference, Resource};
use crate::json::{Object, Value};
use crate::model::{Configuration, ModulePlace};

/// The maximum number of references to follow for one attribute.
const MAX_STEPS: usize = 1_000;

/// The maximum number of attributes of one resource whose origins are searched.
const MAX_ATTRIBUTES: usize = 200;

/// The origins of a value.
#[derive(Debug, Default)]
pub(super) struct Origins<'a> {
    pub resources: Vec<Origin<'a>>,
    /// Whether a part of it comes from a local value, whose definition is not in the plan.
    pub has_local: bool,
}

/// The attributes and blocks that the configuration of a resource gives, each with the origins of its value.
pub(super) fn given<'a>(
    configuration: &Configuration<'a>,
    resource: Resource<'_>,
    arena: &'a Bump,
) -> Vec<(&'a str, Origins<'a>)> {
    let Some(expressions) = expressions(configuration, resource, arena) else { return Vec::new() };
    let of = |(name, expression): &(&'a str, Value<'a>)| {
        (*name, Trace::origins(configuration, resource.module, *expression, arena))
    };
    expressions.members().iter().take(MAX_ATTRIBUTES).map(of).collect()
}

fn expressions<'a>(
    configuration: &Configuration<'a>,
    Resource { module, mode, resource_type, name }: Resource<'_>,
    arena: &'a Bump,
) -> Option<Object<'a>> {
    configuration.resource(module, mode, resource_type, name)?.value(arena).ok()?.as_object()
}

struct Trace<'c, 'a> {
    configuration: &'c Configuration<'a>,
    arena: &'a Bump,
    origins: Origins<'a>,
    seen: HashSet<(ModulePlace, &'a str)>,
}

impl<'a> Trace<'_, 'a> {
    fn origins(
        configuration: &Configuration<'a>,
        module: ModulePlace,
        expression: Value<'a>,
        arena: &'a Bump,
    ) -> Origins<'a> {
        let mut trace = Trace { configuration, arena, origins: Origins::default(), seen: HashSet::new() };
        trace.expression(module, expression);
        trace.origins
    }

    /// Follows all references in an expression, or in the expressions of a block.
    fn expression(&mut self, module: ModulePlace, expression: Value<'a>) {
        match expression {
            Value::Array(blocks) => blocks.iter().for_each(|block| self.expression(module, *block)),
            Value::Object(object) => match object.get("references") {
                Some(Value::Array(references)) => {
                    let texts: Vec<&'a str> = references.iter().filter_map(|text| text.as_str()).collect();
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

    fn reference(&mut self, module: ModulePlace, text: &'a str) {
        if self.seen.len() >= MAX_STEPS || !self.seen.insert((module, text)) {
            return;
        }
        match Reference::parse(text) {
            Reference::Resource { is_data, resource_type, name, key, attribute } => {
                let mode = if is_data { "data" } else { "managed" };
                let resource = Resource { module, mode, resource_type, name };
                self.origins.resources.push(Origin { resource, key, attribute });
            }
            Reference::Variable(name) => {
                if let Some((caller, arguments)) = self.configuration.arguments(module)
                    && let Some(expression) = arguments.value(self.arena).ok().and_then(|all| all.get(name))
                {
                    self.expression(caller, expression);
                }
            }
            Reference::Output { call, output } => {
                if let Some((called, expression)) = self.configuration.output(module, call, output)
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

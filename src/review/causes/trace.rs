//! Traces an attribute's expression back to the resources that its value comes from, by the references in the plan's
//! `configuration`: `aws_vpc.main.id`, `module.m["k"].out`, `data.t.n[0].a`, `var.x`, `local.y`.
//!
//! Cost: each reference is followed once for an attribute, and at most `MAX_STEPS` of them are followed.
//!
//! ```text
//! module.net.aws_subnet.a  vpc_id = var.vpc       module "net" { vpc = aws_vpc.main.id }
//!
//! Origin { resource: aws_vpc.main, key: None, attribute: "id" }
//! ```

use std::collections::HashSet;

use bumpalo::Bump;

use super::Attributes;
use crate::json::Value;
use crate::model::address::{Step, Steps};
use crate::model::{Configuration, ModuleId};

/// The maximum number of references that are followed for one attribute.
const MAX_STEPS: usize = 1_000;
/// The maximum number of attributes of one resource that are traced.
const MAX_ATTRIBUTES: usize = 200;

/// A resource in the configuration, without instance keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Resource<'t> {
    /// The module that contains its block.
    pub(super) module: ModuleId,
    /// The mode: `managed` or `data`.
    pub(super) mode: &'t str,
    /// The type, for example `aws_vpc`.
    pub(super) resource_type: &'t str,
    /// The name in the module.
    pub(super) name: &'t str,
}

/// A resource that an expression refers to, and the part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin<'t> {
    /// The resource that the reference names.
    pub(super) resource: Resource<'t>,
    /// The instance key in the reference, as JSON.
    pub(super) key: Option<&'t str>,
    /// The attribute in the reference; empty for the whole object.
    pub(super) attribute: &'t str,
}

/// The origins of an attribute's value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origins<'a> {
    /// The resources that the value comes from.
    pub(super) resources: &'a [Origin<'a>],
    /// Whether a part comes from a local value, whose definition is not in the plan.
    pub(super) has_local: bool,
}

/// Returns the attributes that the block of a resource gives, each with the origins of its value. At most
/// `MAX_ATTRIBUTES`.
pub(super) fn given<'a>(
    configuration: &Configuration<'a>,
    Resource {
        module,
        mode,
        resource_type,
        name,
    }: Resource<'_>,
    arena: &'a Bump,
) -> Attributes<'a> {
    let block = configuration.resource(module, mode, resource_type, name);
    let block = block.and_then(|raw| raw.value(arena).ok()?.as_object());
    let Some(expressions) = block else { return &[] };
    let attributes = expressions
        .members()
        .iter()
        .take(MAX_ATTRIBUTES)
        .map(|(name, expression)| {
            let (resources, has_local, seen) = (Vec::new(), false, HashSet::new());
            let mut trace = Trace {
                configuration,
                arena,
                resources,
                has_local,
                seen,
            };
            trace.expression(module, *expression);
            let resources = arena.alloc_slice_copy(&trace.resources);
            (
                *name,
                Origins {
                    resources,
                    has_local: trace.has_local,
                },
            )
        });
    arena.alloc_slice_copy(&Vec::from_iter(attributes))
}

/// The state of tracing one expression.
struct Trace<'c, 'a> {
    /// The configuration in which references are looked up.
    configuration: &'c Configuration<'a>,
    /// The arena that receives the expressions that are read.
    arena: &'a Bump,
    /// The resources reached so far.
    resources: Vec<Origin<'a>>,
    /// Whether a reference leads to a local value, whose definition plans do not contain.
    has_local: bool,
    /// The references that were followed, by module, so that cycles end.
    seen: HashSet<(ModuleId, &'a str)>,
}

impl<'a> Trace<'_, 'a> {
    /// Follows the references of an expression, or of all expressions in a block or a list of blocks.
    fn expression(&mut self, module: ModuleId, expression: Value<'a>) {
        match expression {
            Value::Array(blocks) => blocks
                .iter()
                .for_each(|block| self.expression(module, *block)),
            Value::Object(object) => match object.get("references") {
                Some(Value::Array(references)) => {
                    let texts: Vec<&'a str> =
                        references.iter().filter_map(|text| text.as_str()).collect();
                    for text in &texts {
                        // `references` lists `a.b.c` and its parents `a.b`; only the longest is followed.
                        let is_part = |longer: &&str| {
                            longer
                                .strip_prefix(text)
                                .is_some_and(|rest| rest.starts_with(['.', '[']))
                        };
                        if !texts.iter().any(is_part) {
                            self.reference(module, text);
                        }
                    }
                }
                Some(_) | None => {
                    object
                        .members()
                        .iter()
                        .for_each(|(_, member)| self.expression(module, *member));
                }
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Follows one reference through variables and module outputs until it reaches resources or local values.
    fn reference(&mut self, module: ModuleId, text: &'a str) {
        if self.seen.len() >= MAX_STEPS || !self.seen.insert((module, text)) {
            return;
        }
        let steps: Vec<Step<'a>> = Steps(text).take(5).collect();
        let name = |index: usize| steps.get(index).map_or("", |step| step.name);
        match name(0) {
            "var" => {
                if let Some((caller, arguments)) = self.configuration.arguments(module)
                    && let Some(expression) = arguments
                        .value(self.arena)
                        .ok()
                        .and_then(|all| all.get(name(1)))
                {
                    self.expression(caller, expression);
                }
            }
            "module" => {
                if let Some((called, expression)) =
                    self.configuration.output(module, name(1), name(2))
                    && let Ok(value) = expression.value(self.arena)
                {
                    self.expression(called, value);
                }
            }
            "local" => self.has_local = true,
            "each" | "count" | "path" | "self" | "terraform" | "tofu" | "" => {}
            first => {
                let is_data = first == "data";
                let start = usize::from(is_data || first == "resource");
                let key = steps.get(start + 1).and_then(|step| step.key);
                let mode = if is_data { "data" } else { "managed" };
                let resource = Resource {
                    module,
                    mode,
                    resource_type: name(start),
                    name: name(start + 1),
                };
                self.resources.push(Origin {
                    resource,
                    key: key.and_then(|key| key.strip_prefix('[')?.strip_suffix(']')),
                    attribute: name(start + 2),
                });
            }
        }
    }
}

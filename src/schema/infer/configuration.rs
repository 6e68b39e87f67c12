//! Evidence from the `configuration` of the plan: which names are blocks, and the order in which elements
//! were written.
//!
//! Source: the JSON output format. An attribute is one expression: an object with `constant_value` or
//! `references`, or an empty one if neither applies. Blocks are lists of bodies (list and set nesting), one
//! body, or bodies by key. `dynamic` blocks are not in the configuration. The evidence of a resource counts
//! for its type in every module, except for the order of elements, which is compared only with the values of
//! the same resource.

use bumpalo::Bump;

use super::evidence::{Config, Evidence};
use crate::json::{Object, Value};

/// An expression, or the blocks of one type.
enum Part<'s> {
    Expression(Option<Value<'s>>),
    Bodies(&'s [Value<'s>]),
    Body,
    Keyed(Object<'s>),
}

fn part<'s>(value: Value<'s>) -> Option<Part<'s>> {
    match value {
        Value::Array(bodies) => Some(Part::Bodies(bodies)),
        Value::Object(object) if is_expression(value) => Some(Part::Expression(object.get("constant_value"))),
        Value::Object(object) => {
            let is_body = object
                .members()
                .iter()
                .any(|(_, member)| is_expression(*member) || member.as_array().is_some());
            Some(if is_body { Part::Body } else { Part::Keyed(object) })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn is_expression(value: Value<'_>) -> bool {
    let Value::Object(object) = value else { return false };
    let references = object.get("references").is_some_and(|found| found.as_array().is_some());
    object.members().is_empty()
        || references
        || (object.get("constant_value").is_some() && object.members().len() == 1)
}

/// Records in `evidence` which members of a resource's body are attributes and which are blocks.
pub(super) fn note<'s>(evidence: &mut Evidence<'s>, body: Value<'s>) {
    for (name, value) in body.as_object().unwrap_or_default().members() {
        let evidence = evidence.objects.get_or_insert_default().members.entry(name).or_default();
        match part(*value) {
            Some(Part::Expression(_)) if evidence.config == Config::Silent => {
                evidence.config = Config::Attribute;
            }
            Some(Part::Bodies(bodies)) => {
                evidence.config = Config::Blocks;
                for body in bodies {
                    note(&mut evidence.arrays.get_or_insert_default().item, *body);
                }
            }
            Some(Part::Body) => {
                evidence.config = Config::Block;
                note(evidence, *value);
            }
            Some(Part::Keyed(bodies)) => {
                evidence.config = Config::KeyedBlocks;
                for (key, body) in bodies.members() {
                    let members = &mut evidence.objects.get_or_insert_default().members;
                    note(members.entry(key).or_default(), *body);
                }
            }
            Some(Part::Expression(_)) | None => {}
        }
    }
}

/// Compares the order of a resource's values with that in its configuration.
pub(super) fn compare<'s>(evidence: &mut Evidence<'s>, value: Value<'s>, body: Value<'s>, arena: &'s Bump) {
    for (name, written) in body.as_object().unwrap_or_default().members() {
        let Some(value) = value.get(name) else { continue };
        let evidence = evidence.objects.get_or_insert_default().members.entry(name).or_default();
        match part(*written) {
            Some(Part::Expression(constant)) => {
                // Unknown values are absent, not null. Old providers turn empty values into null.
                let is_given = constant.is_some_and(|constant| !is_zero(constant));
                evidence.write_only |= value.is_null() && (is_given || refers_to_ephemeral(*written));
                if let Some(constant) = constant {
                    evidence.compare(value, constant);
                }
            }
            Some(Part::Bodies(bodies)) => {
                let constants: Vec<Value<'s>> = bodies.iter().map(|body| constants(*body, arena)).collect();
                evidence.compare(value, Value::Array(arena.alloc_slice_copy(&constants)));
            }
            Some(Part::Body) => compare(evidence, value, *written, arena),
            Some(Part::Keyed(_)) | None => {}
        }
    }
}

fn is_zero(value: Value<'_>) -> bool {
    match value {
        Value::Null | Value::Bool(false) | Value::Number("0") => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.members().is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Whether an expression refers to an ephemeral resource, which is allowed only in write-only attributes.
fn refers_to_ephemeral(expression: Value<'_>) -> bool {
    let references = expression.get("references").unwrap_or_default().as_array().unwrap_or_default();
    references.iter().any(|name| name.as_str().is_some_and(|name| name.starts_with("ephemeral.")))
}

/// The constant attributes of a body, as an object value.
fn constants<'s>(body: Value<'s>, arena: &'s Bump) -> Value<'s> {
    let members = body.as_object().unwrap_or_default().members().iter();
    let constant = members.filter_map(|(name, value)| match part(*value) {
        Some(Part::Expression(Some(constant))) => Some((*name, constant)),
        _ => None,
    });
    let constants: Vec<(&'s str, Value<'s>)> = constant.collect();
    Value::Object(Object::from_sorted(arena.alloc_slice_copy(&constants)))
}

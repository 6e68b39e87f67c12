//! What the plan's `configuration` tells: which names are blocks, and in what order elements were written.
//!
//! Source: the JSON output format. An attribute is one expression, an object with `constant_value` or
//! `references`, or with nothing where neither applies. Blocks are lists of bodies (nested by position or
//! value), one body, or bodies by key. `dynamic` blocks are not in the configuration at all. A resource's
//! evidence counts for its type in every module, so modules are walked once and not matched by address,
//! but for the order of elements, which only the very resource's values can be compared with.

use std::collections::HashMap;

use bumpalo::Bump;
use serde::Deserialize;

use super::seen::{Config, Seen};
use crate::json::{Object, Pairs, Raw, Str, Value};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    #[serde(borrow)]
    root_module: Module<'s>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Module<'s> {
    #[serde(borrow)]
    resources: Vec<Resource<'s>>,
    #[serde(borrow)]
    module_calls: Pairs<'s, Call<'s>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Call<'s> {
    #[serde(borrow)]
    module: Option<Box<Module<'s>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resource<'s> {
    #[serde(borrow)]
    mode: Str<'s>,
    #[serde(borrow, rename = "type")]
    kind: Str<'s>,
    #[serde(borrow)]
    name: Str<'s>,
    #[serde(borrow)]
    expressions: Option<Raw<'s>>,
}

/// The expressions of all resources, by mode and type.
#[derive(Debug, Default)]
pub(super) struct Configuration<'s> {
    types: HashMap<(String, String), Vec<Written<'s>>>,
}

#[derive(Debug)]
struct Written<'s> {
    /// The calls that lead to the module, joined by dots.
    module: String,
    name: String,
    expressions: Raw<'s>,
}

impl<'s> Configuration<'s> {
    /// Indexes a plan's configuration. One that cannot be read tells nothing.
    pub(super) fn read(raw: Option<Raw<'s>>) -> Self {
        let mut found = Self::default();
        if let Some(document) = raw.and_then(|raw| raw.read::<Document<'s>>().ok()) {
            found.walk(&document.root_module, "");
        }
        found
    }

    fn walk(&mut self, module: &Module<'s>, path: &str) {
        for resource in &module.resources {
            let Some(expressions) = resource.expressions else { continue };
            let key = (resource.mode.to_string(), resource.kind.to_string());
            let written = Written { module: path.to_owned(), name: resource.name.to_string(), expressions };
            self.types.entry(key).or_default().push(written);
        }
        for (name, call) in module.module_calls.iter() {
            if let Some(module) = &call.module {
                let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
                self.walk(module, &path);
            }
        }
    }

    /// Notes in `seen` what the resources of a type are written with.
    pub(super) fn note(&self, mode: &str, kind: &str, seen: &mut Seen<'s>, arena: &'s Bump) {
        for written in self.of(mode, kind).iter().take(super::SAMPLE) {
            if let Ok(body) = written.expressions.value(arena) {
                note_body(seen, body);
            }
        }
    }

    /// The expressions of the resource at a module's address.
    pub(super) fn expressions(
        &self,
        mode: &str,
        kind: &str,
        module_address: &str,
        name: &str,
        arena: &'s Bump,
    ) -> Option<Value<'s>> {
        let module = calls(module_address);
        let found =
            self.of(mode, kind).iter().find(|written| written.name == name && written.module == module)?;
        found.expressions.value(arena).ok()
    }

    fn of(&self, mode: &str, kind: &str) -> &[Written<'s>] {
        self.types.get(&(mode.to_owned(), kind.to_owned())).map_or(&[], Vec::as_slice)
    }
}

/// The calls of a module's address, without instance keys: `module.a["x.y"].module.b[0]` is `a.b`.
fn calls(address: &str) -> String {
    let mut plain = String::with_capacity(address.len());
    let (mut in_key, mut quoted, mut escaped) = (false, false, false);
    for c in address.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if in_key => quoted = !quoted,
            '[' if !quoted => in_key = true,
            ']' if !quoted => in_key = false,
            c if !in_key => plain.push(c),
            _ => {}
        }
    }
    let names: Vec<&str> = plain.split('.').skip(1).step_by(2).collect();
    names.join(".")
}

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

fn note_body<'s>(seen: &mut Seen<'s>, body: Value<'s>) {
    for (name, value) in body.as_object().unwrap_or_default().members() {
        let seen = seen.objects.get_or_insert_default().members.entry(name).or_default();
        match part(*value) {
            Some(Part::Expression(_)) if seen.config == Config::Silent => seen.config = Config::Attribute,
            Some(Part::Bodies(bodies)) => {
                seen.config = Config::Blocks;
                for body in bodies {
                    note_body(&mut seen.arrays.get_or_insert_default().item, *body);
                }
            }
            Some(Part::Body) => {
                seen.config = Config::Block;
                note_body(seen, *value);
            }
            Some(Part::Keyed(bodies)) => {
                seen.config = Config::KeyedBlocks;
                for (key, body) in bodies.members() {
                    let members = &mut seen.objects.get_or_insert_default().members;
                    note_body(members.entry(key).or_default(), *body);
                }
            }
            Some(Part::Expression(_)) | None => {}
        }
    }
}

/// Compares the order of a resource's values with that of its own expressions.
pub(super) fn compare<'s>(seen: &mut Seen<'s>, value: Value<'s>, body: Value<'s>, arena: &'s Bump) {
    for (name, written) in body.as_object().unwrap_or_default().members() {
        let Some(value) = value.get(name) else { continue };
        let seen = seen.objects.get_or_insert_default().members.entry(name).or_default();
        match part(*written) {
            Some(Part::Expression(Some(constant))) => seen.compare(value, constant),
            Some(Part::Bodies(bodies)) => {
                let constants: Vec<Value<'s>> = bodies.iter().map(|body| constants(*body, arena)).collect();
                seen.compare(value, Value::Array(arena.alloc_slice_copy(&constants)));
            }
            Some(Part::Body) => compare(seen, value, *written, arena),
            Some(Part::Expression(None) | Part::Keyed(_)) | None => {}
        }
    }
}

/// The constant attributes of a body, as the value that they say.
fn constants<'s>(body: Value<'s>, arena: &'s Bump) -> Value<'s> {
    let members = body.as_object().unwrap_or_default().members().iter();
    let constant = members.filter_map(|(name, value)| match part(*value) {
        Some(Part::Expression(Some(constant))) => Some((*name, constant)),
        _ => None,
    });
    let constants: Vec<(&'s str, Value<'s>)> = constant.collect();
    Value::Object(Object::from_sorted(arena.alloc_slice_copy(&constants)))
}

#[cfg(test)]
mod tests {
    use super::calls;

    #[test]
    fn instance_keys_are_no_part_of_a_call() {
        assert_eq!(calls(""), "");
        assert_eq!(calls("module.a"), "a");
        assert_eq!(calls(r#"module.a["x.y]\"."].module.b[0]"#), "a.b");
    }
}

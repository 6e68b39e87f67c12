//! The blocks of a configuration file, in the native and in the JSON syntax, and what override files change.
//!
//! Source: the configuration language of the tools. In the JSON syntax only a schema tells a block from an
//! attribute, so below the blocks of the language itself all members are attributes.

use std::collections::HashSet;

use bumpalo::Bump;
use hcl_edit::structure::Structure;

use super::expression::{Term, describe, normalized};
use crate::dialect::Tool;
use crate::json::{self, Value};

/// The contents of a block or a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Body<'a> {
    pub(super) attributes: Vec<(String, Term<'a>)>,
    pub(super) blocks: Vec<Block<'a>>,
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    pub(super) kind: String,
    pub(super) labels: Vec<String>,
    pub(super) body: Body<'a>,
}

impl<'a> Block<'a> {
    /// The labels, if there are as many as the language requires.
    pub(super) fn labels<const N: usize>(&self) -> Option<[&str; N]> {
        let labels: Vec<&str> = self.labels.iter().map(String::as_str).collect();
        labels.try_into().ok()
    }
}

impl<'a> Block<'a> {
    /// What tells it from other blocks of a module.
    pub(super) fn identity(&self) -> (String, Vec<String>, Option<Value<'a>>) {
        (self.kind.clone(), self.labels.clone(), self.body.constant("alias"))
    }
}

impl<'a> Body<'a> {
    /// Reads a file of the native syntax.
    pub(super) fn native(text: &'a str, tool: Tool, arena: &'a Bump) -> Result<Self, String> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed: hcl_edit::structure::Body = body.parse().map_err(|error| describe(&error))?;
        Ok(Self::from_parsed(&parsed, body, tool, arena))
    }

    fn from_parsed(parsed: &hcl_edit::structure::Body, file: &'a str, tool: Tool, arena: &'a Bump) -> Self {
        let mut body = Self::default();
        for structure in parsed {
            match structure {
                Structure::Attribute(attribute) => {
                    let term = Term::native(&attribute.value, file, tool, arena);
                    body.attributes.push((attribute.key.as_str().to_owned(), term));
                }
                Structure::Block(block) => body.blocks.push(Block {
                    kind: block.ident.as_str().to_owned(),
                    labels: block.labels.iter().map(|label| label.as_str().to_owned()).collect(),
                    body: Self::from_parsed(&block.body, file, tool, arena),
                }),
            }
        }
        body
    }

    /// Reads a file of the JSON syntax.
    pub(super) fn json(text: &'a str, tool: Tool, arena: &'a Bump) -> Result<Self, String> {
        let value = normalized(json::parse(text, arena).map_err(|error| error.to_string())?, arena);
        let mut all = Self::default();
        labelled(value, 0, &mut Vec::new(), &mut |_, value| {
            let body = body(value, LANGUAGE, tool)?;
            all.attributes.extend(body.attributes);
            all.blocks.extend(body.blocks);
            Ok(())
        })?;
        Ok(all)
    }

    /// The attribute of a name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Term<'a>> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, term)| term)
    }

    /// The constant value of an attribute.
    pub(super) fn constant(&self, name: &str) -> Option<Value<'a>> {
        self.attribute(name)?.constant
    }

    /// The blocks of a kind.
    pub(super) fn blocks_of<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'b Block<'a>> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// Adds what an override file says: its attributes replace those of the same name, its blocks all blocks of
    /// their kind.
    pub(super) fn merge(&mut self, other: Self) {
        let named: HashSet<&str> = other.attributes.iter().map(|(name, _)| &**name).collect();
        self.attributes.retain(|(name, _)| !named.contains(&**name));
        let kinds: HashSet<&str> = other.blocks.iter().map(|block| &*block.kind).collect();
        self.blocks.retain(|block| !kinds.contains(&*block.kind));
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
    }
}

/// The kinds of blocks in a body, each with the number of its labels and the kinds of blocks within.
#[derive(Clone, Copy)]
struct Kinds(&'static [(&'static str, usize, Self)]);

const NONE: Kinds = Kinds(&[]);
const RESOURCE: Kinds =
    Kinds(&[("provisioner", 1, Kinds(&[("connection", 0, NONE)])), ("connection", 0, NONE)]);
const LANGUAGE: Kinds = Kinds(&[
    ("terraform", 0, Kinds(&[("required_providers", 0, NONE)])),
    ("provider", 1, NONE),
    ("variable", 1, NONE),
    ("output", 1, NONE),
    ("module", 1, NONE),
    ("resource", 2, RESOURCE),
    ("data", 2, NONE),
    ("ephemeral", 2, NONE),
    ("check", 1, Kinds(&[("data", 2, NONE)])),
]);

type EachValue<'f, 'a> = dyn FnMut(&[String], Value<'a>) -> Result<(), String> + 'f;

/// Calls `each` with the labels and the value of each block of the JSON syntax: there is an object around it for
/// each label, and wherever blocks may be repeated, there may be an array of objects.
fn labelled<'a>(
    value: Value<'a>,
    count: usize,
    labels: &mut Vec<String>,
    each: &mut EachValue<'_, 'a>,
) -> Result<(), String> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| match item {
            Value::Object(_) => labelled(*item, count, labels, each),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err("a block is not an object".to_owned())
            }
        }),
        Value::Object(_) if count == 0 => each(labels, value),
        Value::Object(members) => members.members().iter().try_for_each(|(label, member)| {
            labels.push((*label).to_owned());
            let done = labelled(*member, count - 1, labels, each);
            labels.pop();
            done
        }),
        Value::Null => Ok(()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => Err("a block is not an object".to_owned()),
    }
}

fn body<'a>(value: Value<'a>, kinds: Kinds, tool: Tool) -> Result<Body<'a>, String> {
    let mut found = Body::default();
    for (name, member) in value.as_object().unwrap_or_default().members() {
        match kinds.0.iter().find(|(kind, ..)| kind == name) {
            Some((kind, count, within)) => {
                labelled(*member, *count, &mut Vec::new(), &mut |labels, value| {
                    let body = body(value, *within, tool)?;
                    found.blocks.push(Block { kind: (*kind).to_owned(), labels: labels.to_vec(), body });
                    Ok(())
                })?;
            }
            None if *name == "//" => {}
            None => found.attributes.push(((*name).to_owned(), Term::json(*member, tool)?)),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &Body<'_>) -> String {
        let attributes =
            body.attributes.iter().map(|(name, term)| format!("{name}({})", term.references.join(",")));
        let blocks = body
            .blocks
            .iter()
            .map(|block| format!("{}[{}]{{{}}}", block.kind, block.labels.join(","), told(&block.body)));
        attributes.chain(blocks).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn both_syntaxes_give_the_same_blocks() {
        let arena = Bump::new();
        let native = r#"
resource "a" "b" {
  x = var.y
  provisioner "local-exec" { command = "echo ${self.id}" }
}
resource "a" "c" {}
check "k" {
  data "d" "e" { z = local.l }
}
"#;
        let json = r#"{"//": 1, "resource": {"a": [{"b": {"x": "${var.y}",
            "provisioner": [{"local-exec": {"command": "echo ${self.id}"}}]}}, {"c": {}}]},
            "check": {"k": {"data": {"d": {"e": {"z": "${local.l}"}}}}}}"#;
        let native = told(&Body::native(native, Tool::Terraform, &arena).unwrap());
        assert_eq!(
            native,
            "resource[a,b]{x(var.y) provisioner[local-exec]{command(self.id,self)}} resource[a,c]{} \
             check[k]{data[d,e]{z(local.l)}}"
        );
        let mut found: Vec<Block<'_>> = Body::json(json, Tool::Terraform, &arena).unwrap().blocks;
        found.sort_by_key(|block| block.kind != "resource");
        // Its command is self.id, and self as in all references.
        assert_eq!(told(&Body { attributes: Vec::new(), blocks: found }), native);
    }

    #[test]
    fn an_override_replaces_attributes_and_kinds_of_blocks() {
        let arena = Bump::new();
        let read = |text| Body::native(text, Tool::Terraform, &arena).unwrap();
        let mut body = read("a = var.a\nb = var.b\nx {}\nx {}\ny {}\n");
        body.merge(read("b = var.new\nx {\n z = 1\n}\n"));
        assert_eq!(told(&body), "a(var.a) b(var.new) y[]{} x[]{z()}");
    }

    #[test]
    fn what_is_malformed_is_an_error_with_a_place() {
        let arena = Bump::new();
        let error = Body::native("a = 1\nb = [", Tool::Terraform, &arena).unwrap_err();
        assert!(error.starts_with("line 2 column"), "{error}");
        for text in ["", "{\"resource\": 1}", "{\"resource\": {\"a\": [1]}}", "[1]"] {
            assert!(Body::json(text, Tool::Terraform, &arena).is_err(), "{text}");
        }
    }
}

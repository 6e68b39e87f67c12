//! Generates types, values of them, marks, and documents that contain them.

#![allow(clippy::wildcard_enum_match_arm, reason = "JSON values of other kinds stay as they are")]

use serde_json::{Map, Value, json};

use super::super::random::Random;
use super::schema::{configuration, schema, type_json};

/// A planted token.
pub(super) struct Secret {
    pub(super) text: String,
    /// Whether the document marks it; otherwise only the schema does.
    pub(super) marked: bool,
}

/// What makes a generated value sensitive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    Open,
    /// A mark in the document.
    Marked,
    /// Only the schema.
    Schema,
}

#[derive(Clone, Debug)]
pub(super) enum Type {
    String,
    Number,
    Bool,
    Dynamic,
    List(Box<Self>),
    Set(Box<Self>),
    Map(Box<Self>),
    Object(Vec<(String, Self)>),
    Tuple(Vec<Self>),
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Type(Type),
    Nested(&'static str, Vec<Attribute>),
}

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) sensitive: bool,
    pub(super) write_only: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) attributes: Vec<Attribute>,
    pub(super) blocks: Vec<(String, &'static str, Self)>,
}

/// Generates one case.
pub(super) struct Maker {
    pub(super) random: Random,
    pub(super) secrets: Vec<Secret>,
    minted: usize,
}

pub(super) const NESTINGS: [&str; 4] = ["single", "list", "set", "map"];

impl Maker {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), secrets: Vec::new(), minted: 0 }
    }

    /// A unique text, which is recorded as a secret if it is covered.
    pub(super) fn token(&mut self, cover: Cover) -> String {
        self.minted += 1;
        let text = format!("{}{:05}z", if cover == Cover::Open { "public" } else { "Secret" }, self.minted);
        self.remember(text.clone(), cover);
        text
    }

    pub(super) fn remember(&mut self, text: String, cover: Cover) {
        if cover != Cover::Open {
            self.secrets.push(Secret { text, marked: cover == Cover::Marked });
        }
    }

    pub(super) fn name(&mut self, at: usize) -> String {
        let names = ["id", "name", "tags", "password", "key", "value", "with space", "a-b"];
        if self.random.one_in(2) { format!("{}{at}", self.random.pick(&names)) } else { format!("m{at}") }
    }

    pub(super) fn r#type(&mut self, depth: usize) -> Type {
        if depth == 0 {
            return self.random.pick(&[Type::String, Type::String, Type::Number, Type::Bool]).clone();
        }
        let inner = |maker: &mut Self| Box::new(maker.r#type(depth - 1));
        match self.random.below(10) {
            0 => Type::List(inner(self)),
            1 => Type::Set(inner(self)),
            2 => Type::Map(inner(self)),
            3 => {
                let count = 1 + self.random.below(3);
                Type::Object((0..count).map(|at| (self.name(at), self.r#type(depth - 1))).collect())
            }
            4 => Type::Tuple((0..1 + self.random.below(3)).map(|_| self.r#type(depth - 1)).collect()),
            5 => Type::Dynamic,
            6 => Type::Number,
            _ => Type::String,
        }
    }

    pub(super) fn attribute(&mut self, at: usize, depth: usize) -> Attribute {
        let kind = if depth > 0 && self.random.one_in(3) {
            let count = 1 + self.random.below(3);
            let members = (0..count).map(|at| self.attribute(at, depth - 1)).collect();
            Kind::Nested(NESTINGS[self.random.below(4)], members)
        } else {
            Kind::Type(self.r#type(depth))
        };
        Attribute {
            name: self.name(at),
            kind,
            sensitive: self.random.one_in(6),
            write_only: self.random.one_in(12),
        }
    }

    pub(super) fn block(&mut self, depth: usize) -> Block {
        let count = 1 + self.random.below(4);
        let attributes = (0..count).map(|at| self.attribute(at, depth)).collect();
        let blocks = if depth == 0 { 0 } else { self.random.below(3) };
        let nestings = ["single", "group", "list", "set", "map"];
        let blocks = (0..blocks)
            .map(|at| (format!("block{at}"), *self.random.pick(&nestings), self.block(depth - 1)))
            .collect();
        Block { attributes, blocks }
    }

    pub(super) fn keys(&mut self, cover: Cover) -> Vec<String> {
        let count = self.random.below(4);
        (0..count).map(|at| if cover == Cover::Open { format!("k{at}") } else { self.token(cover) }).collect()
    }

    /// A string that contains a token, in one of the forms in which strings are shown.
    pub(super) fn text(&mut self, cover: Cover) -> String {
        let token = self.token(cover);
        match self.random.below(6) {
            0 => format!("first\n{token} line\nlast"),
            1 => format!("{{\"k\":[\"{token}\",{{\"n\":null}}]}}"),
            2 => format!("[\"{token}\"]"),
            3 => format!("{{\"s\":\"{{\\\"in\\\":\\\"{token}\\\"}}\"}}"),
            _ => token,
        }
    }

    pub(super) fn number(&mut self, cover: Cover) -> Value {
        self.minted += 1;
        let number = 900_000_000_000 + self.minted as u64;
        self.remember(number.to_string(), cover);
        json!(number)
    }

    /// A value of a type, all of it under one cover.
    pub(super) fn value(&mut self, of: &Type, cover: Cover) -> Value {
        if self.random.one_in(12) {
            return Value::Null;
        }
        match of {
            Type::String => self.text(cover).into(),
            Type::Number => self.number(cover),
            Type::Bool => self.random.one_in(2).into(),
            Type::Dynamic => {
                let of = self.r#type(2);
                if matches!(of, Type::Dynamic) { self.text(cover).into() } else { self.value(&of, cover) }
            }
            Type::List(inner) | Type::Set(inner) => {
                let count = self.random.below(4);
                (0..count).map(|_| self.value(inner, cover)).collect()
            }
            Type::Map(inner) => {
                let keys = self.keys(cover);
                Value::Object(keys.into_iter().map(|key| (key, self.value(inner, cover))).collect())
            }
            Type::Object(members) => {
                Value::Object(members.iter().map(|(key, of)| (key.clone(), self.value(of, cover))).collect())
            }
            Type::Tuple(items) => items.iter().map(|of| self.value(of, cover)).collect(),
        }
    }

    /// A value of a type, and a mark that covers parts of it.
    pub(super) fn marked(&mut self, of: &Type, cover: Cover) -> (Value, Value) {
        if cover == Cover::Open && self.random.one_in(5) {
            return (self.value(of, Cover::Marked), json!(true));
        }
        match of {
            Type::String | Type::Number | Type::Bool | Type::Dynamic => (self.value(of, cover), json!(false)),
            Type::List(inner) | Type::Set(inner) => {
                let count = self.random.below(4);
                list((0..count).map(|_| self.marked(inner, cover)))
            }
            Type::Map(inner) => {
                let keys = self.keys(cover);
                object(keys.into_iter().map(|key| (key, self.marked(inner, cover))))
            }
            Type::Object(members) => {
                object(members.iter().map(|(key, of)| (key.clone(), self.marked(of, cover))))
            }
            Type::Tuple(items) => list(items.iter().map(|of| self.marked(of, cover))),
        }
    }

    pub(super) fn attribute_value(&mut self, of: &Attribute, cover: Cover) -> (Value, Value) {
        // Write-only attributes never have a value; if a document contains one, it is a secret.
        let hidden = of.sensitive || of.write_only;
        let cover = if cover == Cover::Open && hidden { Cover::Schema } else { cover };
        match &of.kind {
            Kind::Type(of) => self.marked(of, cover),
            Kind::Nested(nesting, members) => {
                if cover == Cover::Open && self.random.one_in(6) {
                    return (self.nested(nesting, members, Cover::Marked).0, json!(true));
                }
                self.nested(nesting, members, cover)
            }
        }
    }

    pub(super) fn nested(&mut self, nesting: &str, members: &[Attribute], cover: Cover) -> (Value, Value) {
        self.nest(nesting, cover, &|maker| {
            object(members.iter().map(|member| (member.name.clone(), maker.attribute_value(member, cover))))
        })
    }

    pub(super) fn nest(
        &mut self,
        nesting: &str,
        cover: Cover,
        one: &dyn Fn(&mut Self) -> (Value, Value),
    ) -> (Value, Value) {
        match nesting {
            "single" | "group" => one(self),
            "map" => {
                let keys = self.keys(cover);
                object(keys.into_iter().map(|key| (key, one(self))))
            }
            _ => {
                let count = self.random.below(4);
                list((0..count).map(|_| one(self)))
            }
        }
    }

    pub(super) fn block_value(&mut self, of: &Block, cover: Cover) -> (Value, Value) {
        let mut members = Vec::new();
        for attribute in &of.attributes {
            members.push((attribute.name.clone(), self.attribute_value(attribute, cover)));
        }
        for (name, nesting, block) in &of.blocks {
            let (cover, whole) = if cover == Cover::Open && self.random.one_in(8) {
                (Cover::Marked, true)
            } else {
                (cover, false)
            };
            let (value, mark) = self.nest(nesting, cover, &|maker| maker.block_value(block, cover));
            members.push((name.clone(), (value, if whole { json!(true) } else { mark })));
        }
        object(members.into_iter())
    }

    /// A malformed mark that must hide at least as much as `mark`.
    pub(super) fn malformed(&mut self, mark: &Value, value: &Value) -> Value {
        match (mark, self.random.below(12)) {
            (Value::Bool(true), 0) => json!("true"),
            (Value::Bool(true), 1) => json!(1),
            (Value::Bool(true), 2) => json!([true]),
            (Value::Bool(true), 3) if !value.is_object() => json!({ "else": true }),
            (Value::Bool(true), 4) if !value.is_array() => json!([false, { "a": "?" }]),
            (Value::Object(_) | Value::Array(_), 0) => json!(true),
            (Value::Object(_) | Value::Array(_), 1) => json!("x"),
            (Value::Array(marks), 2) => {
                let mut marks = marks.clone();
                marks.push(json!(true));
                Value::Array(marks)
            }
            (Value::Array(marks), 3) if marks.len() > 1 && marks[0] == json!(true) => {
                Value::Array(marks[..1].to_vec())
            }
            (Value::Array(marks), _) => {
                let part = |at: usize| value.get(at).unwrap_or(&Value::Null);
                marks.iter().enumerate().map(|(at, mark)| self.malformed(mark, part(at))).collect()
            }
            (Value::Object(marks), _) => {
                let part = |key: &String| value.get(key).unwrap_or(&Value::Null);
                Value::Object(
                    marks.iter().map(|(key, mark)| (key.clone(), self.malformed(mark, part(key)))).collect(),
                )
            }
            _ => mark.clone(),
        }
    }

    /// A value with the same tokens, whose shape does not match the schema.
    pub(super) fn misshapen(&mut self, value: Value, mark: &Value) -> Value {
        let wrong = |value: &Value| match value {
            // Marks of the members of an object cannot be matched with the elements of a list, and vice
            // versa.
            Value::Array(items) if mark.is_array() || *mark == json!(true) => Value::Object(
                items.iter().enumerate().map(|(at, item)| (format!("e{at}"), item.clone())).collect(),
            ),
            Value::Object(_) => json!([value]),
            Value::String(text) if *mark == json!(true) => json!([[{ "k": text }]]),
            _ => value.clone(),
        };
        if self.random.one_in(10) {
            return wrong(&value);
        }
        match value {
            Value::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(key, value)| {
                        let below = mark.get(&key).cloned().unwrap_or_default();
                        let value = if self.random.one_in(4) { self.misshapen(value, &below) } else { value };
                        (key, value)
                    })
                    .collect(),
            ),
            value => value,
        }
    }

    pub(super) fn side(&mut self, of: &Block) -> (Value, Value) {
        let (value, mark) = self.block_value(of, Cover::Open);
        let value = if self.random.one_in(3) { self.misshapen(value, &mark) } else { value };
        let mark = if self.random.one_in(2) { self.malformed(&mark, &value) } else { mark };
        (value, mark)
    }

    /// A change with both sides, their marks and unknown values.
    pub(super) fn change(&mut self, of: &Block) -> Value {
        let (before, before_mark) = self.side(of);
        let nothing = (Value::Null, json!(false));
        let (actions, (before, before_mark), (after, after_mark)) = match self.random.below(8) {
            0 => (json!(["create"]), nothing, (before, before_mark)),
            1 => (json!(["delete"]), (before, before_mark), nothing),
            2 => (json!(["no-op"]), (before.clone(), before_mark.clone()), (before, before_mark)),
            // Only one side is marked. Types with sets are excluded: elements of sets match only if both are
            // equally sensitive, so the unmarked side is shown, as the tools show it.
            3 | 4 if has_sets(of) => (json!(["delete"]), (before, before_mark), nothing),
            3 => (json!(["update"]), (before.clone(), before_mark), (before, json!({}))),
            4 => (json!(["update"]), (before.clone(), json!(false)), (before, before_mark)),
            5 => {
                let (after, after_mark) = self.side(of);
                (json!(["create", "delete"]), (before, before_mark), (after, after_mark))
            }
            6 => (json!(["forget"]), (before, before_mark), nothing),
            _ => {
                let (after, after_mark) = self.side(of);
                (json!(["update"]), (before, before_mark), (after, after_mark))
            }
        };
        let mut change = json!({
            "actions": actions, "before": before, "before_sensitive": before_mark,
            "after_sensitive": after_mark,
        });
        let mut after = after;
        // Unknown values cannot be marked, so changes with a mark on one side only have none.
        let one_sided = change["actions"] == json!(["update"]) && change["before"] == after;
        if !one_sided && let Some(members) = after.as_object_mut() {
            let mut unknown = Map::new();
            let names: Vec<String> = members.keys().cloned().collect();
            for name in names {
                if self.random.one_in(8) {
                    unknown.insert(name.clone(), json!(true));
                    if self.random.one_in(2) {
                        members.remove(&name);
                    }
                }
            }
            change["after_unknown"] = unknown.into();
        }
        change["after"] = after;
        if self.random.one_in(8) {
            change["importing"] = json!({ "id": "imported" });
            change["generated_config"] = json!(format!("a = \"{}\"", self.token(Cover::Marked)));
        }
        if self.random.one_in(6) {
            let name = of.attributes.first().map(|attribute| attribute.name.clone());
            change["replace_paths"] = json!([[name]]);
        }
        change
    }

    pub(super) fn resource(&mut self, at: usize, of: &Block) -> Value {
        let mode = *self.random.pick(&["managed", "managed", "managed", "managed", "data", "ephemeral"]);
        json!({
            "address": format!("test_thing{at}.x"), "mode": mode, "type": format!("test_thing{at}"),
            "name": "x", "provider_name": "registry.example/acme/test", "change": self.change(of),
        })
    }

    /// A value with secrets for a part of a document that is never shown.
    pub(super) fn never_shown(&mut self) -> Value {
        let of = self.r#type(2);
        self.value(&of, Cover::Marked)
    }

    pub(super) fn output(&mut self) -> Value {
        let of = self.r#type(3);
        let (before, before_mark) = self.marked(&of, Cover::Open);
        let (after, after_mark) = self.marked(&of, Cover::Open);
        let (before_mark, after_mark) =
            (self.malformed(&before_mark, &before), self.malformed(&after_mark, &after));
        json!({
            "actions": ["update"], "before": before, "after": after, "before_sensitive": before_mark,
            "after_sensitive": after_mark,
        })
    }

    /// The same change of another instance with its own secrets, because a review groups equal changes.
    fn twin(&mut self, change: &Value, at: usize) -> Value {
        let mut text = change.to_string();
        let planted: Vec<(String, bool)> =
            self.secrets.iter().map(|secret| (secret.text.clone(), secret.marked)).collect();
        for (secret, marked) in planted.iter().filter(|(secret, _)| secret.starts_with("Secret")) {
            if text.contains(secret) {
                let cover = if *marked { Cover::Marked } else { Cover::Schema };
                text = text.replace(secret, &self.token(cover));
            }
        }
        let mut twin: Value = serde_json::from_str(&text).unwrap();
        twin["address"] = json!(format!("{}[{at}]", change["address"].as_str().unwrap()));
        twin["index"] = json!(at);
        twin
    }

    /// A plan and its schema.
    pub(super) fn plan(&mut self) -> (Value, Value) {
        let blocks: Vec<Block> = (0..1 + self.random.below(3)).map(|_| self.block(2)).collect();
        let mut changes: Vec<Value> =
            blocks.iter().enumerate().map(|(at, of)| self.resource(at, of)).collect();
        // Equal sides may be marked on one side only, where more instances could turn blocks into sets (see
        // `change`).
        let is_one_sided = changes[0]["change"]["before"] == changes[0]["change"]["after"];
        if !is_one_sided && self.random.one_in(2) {
            let twins: Vec<Value> = (0..2).map(|at| self.twin(&changes[0], at)).collect();
            changes.extend(twins);
        }
        let mut plan = json!({ "format_version": "1.2", "resource_changes": changes });
        if self.random.one_in(2) {
            plan["resource_drift"] = json!([self.resource(0, &blocks[0])]);
            plan["relevant_attributes"] = match self.random.below(3) {
                0 => json!([]),
                1 => json!([{ "resource": "test_thing0.x", "attribute": [] }]),
                _ => json!([{ "resource": "test_thing0.x", "attribute": [blocks[0].attributes[0].name] }]),
            };
        }
        if self.random.one_in(4) {
            plan["deferred_changes"] = json!([{ "reason": "provider_config_unknown", "resource_change": self.resource(0, &blocks[0]) }]);
        }
        if self.random.one_in(3) {
            let (values, marks) = self.side(&blocks[0]);
            let mut action = json!({
                "address": "action.test_action.a", "type": "test_action", "name": "a",
                "provider_name": "registry.example/acme/test", "config_values": values, "config_sensitive": marks,
            });
            if self.random.one_in(2) {
                action["lifecycle_action_trigger"] = json!({
                    "triggering_resource_address": "test_thing0.x", "action_trigger_event": "AfterUpdate",
                });
            }
            plan["action_invocations"] = json!([action]);
            if self.random.one_in(2) {
                plan["deferred_action_invocations"] =
                    json!([{ "reason": "deferred_prereq", "action_invocation": action }]);
            }
        }
        let outputs = self.random.below(3);
        plan["output_changes"] =
            (0..outputs).map(|at| (format!("out{at}"), self.output())).collect::<Map<_, _>>().into();
        if self.random.one_in(2) {
            plan["configuration"] = configuration(&blocks);
        }
        // Parts of a plan that are never shown.
        for part in ["planned_values", "variables", "proposed_unknown"] {
            if self.random.one_in(4) {
                plan[part] = json!({ "x": self.never_shown() });
            }
        }
        (plan, schema(&blocks))
    }

    /// A state and its schema.
    pub(super) fn state(&mut self) -> (Value, Value) {
        let blocks: Vec<Block> = (0..1 + self.random.below(3)).map(|_| self.block(2)).collect();
        let mut resources: Vec<Value> = blocks
            .iter()
            .enumerate()
            .map(|(at, of)| {
                let (values, marks) = self.side(of);
                json!({
                    "address": format!("test_thing{at}.x"), "mode": "managed", "type": format!("test_thing{at}"),
                    "name": "x", "provider_name": "registry.example/acme/test", "values": values,
                    "sensitive_values": marks,
                })
            })
            .collect();
        let child = resources.pop();
        let outputs: Map<String, Value> = (0..self.random.below(3))
            .map(|at| {
                let of = self.r#type(3);
                let sensitive = self.random.one_in(2);
                let value = self.value(&of, if sensitive { Cover::Marked } else { Cover::Open });
                let mut output = json!({ "value": value, "sensitive": sensitive });
                if self.random.one_in(2) {
                    output["type"] = type_json(&if self.random.one_in(4) { self.r#type(2) } else { of });
                }
                (format!("out{at}"), output)
            })
            .collect();
        let state = json!({
            "format_version": "1.0",
            "values": {
                "outputs": outputs,
                "root_module": { "resources": resources, "child_modules": [{ "address": "module.m", "resources": [child] }] },
            },
        });
        (state, schema(&blocks))
    }
}

pub(super) fn has_sets(block: &Block) -> bool {
    pub(super) fn in_type(of: &Type) -> bool {
        match of {
            Type::String | Type::Number | Type::Bool | Type::Dynamic => false,
            Type::Set(_) => true,
            Type::List(inner) | Type::Map(inner) => in_type(inner),
            Type::Object(members) => members.iter().any(|(_, of)| in_type(of)),
            Type::Tuple(items) => items.iter().any(in_type),
        }
    }
    pub(super) fn in_attribute(attribute: &Attribute) -> bool {
        match &attribute.kind {
            Kind::Type(of) => in_type(of),
            Kind::Nested(nesting, members) => *nesting == "set" || members.iter().any(in_attribute),
        }
    }
    block.attributes.iter().any(in_attribute)
        || block.blocks.iter().any(|(_, nesting, block)| *nesting == "set" || has_sets(block))
}

pub(super) fn object(members: impl Iterator<Item = (String, (Value, Value))>) -> (Value, Value) {
    let (mut value, mut marks) = (Map::new(), Map::new());
    for (key, (member, mark)) in members {
        value.insert(key.clone(), member);
        if mark != json!(false) {
            marks.insert(key, mark); // members without a mark are left out, as the tools do
        }
    }
    (value.into(), marks.into())
}

pub(super) fn list(items: impl Iterator<Item = (Value, Value)>) -> (Value, Value) {
    let (value, marks): (Vec<Value>, Vec<Value>) = items.unzip();
    (value.into(), marks.into())
}

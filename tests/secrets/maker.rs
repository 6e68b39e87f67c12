//! Generates types, values of them, and marks.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "JSON values of other kinds stay as they are"
)]

mod document;

use serde_json::{Map, Value, json};

use super::super::random::Random;

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
        Self {
            random: Random::new(seed),
            secrets: Vec::new(),
            minted: 0,
        }
    }

    /// A unique text, which is recorded as a secret if it is covered.
    pub(super) fn token(&mut self, cover: Cover) -> String {
        self.minted += 1;
        let text = format!(
            "{}{:05}z",
            if cover == Cover::Open {
                "public"
            } else {
                "Secret"
            },
            self.minted
        );
        self.remember(text.clone(), cover);
        text
    }

    pub(super) fn remember(&mut self, text: String, cover: Cover) {
        if cover != Cover::Open {
            self.secrets.push(Secret {
                text,
                marked: cover == Cover::Marked,
            });
        }
    }

    pub(super) fn name(&mut self, index: usize) -> String {
        let names = [
            "id",
            "name",
            "tags",
            "password",
            "key",
            "value",
            "with space",
            "a-b",
        ];
        if self.random.one_in(2) {
            format!("{}{index}", self.random.pick(&names))
        } else {
            format!("m{index}")
        }
    }

    pub(super) fn r#type(&mut self, depth: usize) -> Type {
        if depth == 0 {
            return self
                .random
                .pick(&[Type::String, Type::String, Type::Number, Type::Bool])
                .clone();
        }
        let inner = |maker: &mut Self| Box::new(maker.r#type(depth - 1));
        match self.random.below(10) {
            0 => Type::List(inner(self)),
            1 => Type::Set(inner(self)),
            2 => Type::Map(inner(self)),
            3 => {
                let count = 1 + self.random.below(3);
                Type::Object(
                    (0..count)
                        .map(|index| (self.name(index), self.r#type(depth - 1)))
                        .collect(),
                )
            }
            4 => Type::Tuple(
                (0..1 + self.random.below(3))
                    .map(|_| self.r#type(depth - 1))
                    .collect(),
            ),
            5 => Type::Dynamic,
            6 => Type::Number,
            _ => Type::String,
        }
    }

    pub(super) fn attribute(&mut self, index: usize, depth: usize) -> Attribute {
        let kind = if depth > 0 && self.random.one_in(3) {
            let count = 1 + self.random.below(3);
            let members = (0..count)
                .map(|index| self.attribute(index, depth - 1))
                .collect();
            Kind::Nested(NESTINGS[self.random.below(4)], members)
        } else {
            Kind::Type(self.r#type(depth))
        };
        Attribute {
            name: self.name(index),
            kind,
            sensitive: self.random.one_in(6),
            write_only: self.random.one_in(12),
        }
    }

    pub(super) fn block(&mut self, depth: usize) -> Block {
        let count = 1 + self.random.below(4);
        let attributes = (0..count)
            .map(|index| self.attribute(index, depth))
            .collect();
        let blocks = if depth == 0 { 0 } else { self.random.below(3) };
        let nestings = ["single", "group", "list", "set", "map"];
        let blocks = (0..blocks)
            .map(|index| {
                (
                    format!("block{index}"),
                    *self.random.pick(&nestings),
                    self.block(depth - 1),
                )
            })
            .collect();
        Block { attributes, blocks }
    }

    pub(super) fn keys(&mut self, cover: Cover) -> Vec<String> {
        let count = self.random.below(4);
        (0..count)
            .map(|index| {
                if cover == Cover::Open {
                    format!("k{index}")
                } else {
                    self.token(cover)
                }
            })
            .collect()
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
                if matches!(of, Type::Dynamic) {
                    self.text(cover).into()
                } else {
                    self.value(&of, cover)
                }
            }
            Type::List(inner) | Type::Set(inner) => {
                let count = self.random.below(4);
                (0..count).map(|_| self.value(inner, cover)).collect()
            }
            Type::Map(inner) => {
                let keys = self.keys(cover);
                Value::Object(
                    keys.into_iter()
                        .map(|key| (key, self.value(inner, cover)))
                        .collect(),
                )
            }
            Type::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(key, of)| (key.clone(), self.value(of, cover)))
                    .collect(),
            ),
            Type::Tuple(items) => items.iter().map(|of| self.value(of, cover)).collect(),
        }
    }

    /// A value of a type, and a mark that covers parts of it.
    pub(super) fn marked(&mut self, of: &Type, cover: Cover) -> (Value, Value) {
        if cover == Cover::Open && self.random.one_in(5) {
            return (self.value(of, Cover::Marked), json!(true));
        }
        match of {
            Type::String | Type::Number | Type::Bool | Type::Dynamic => {
                (self.value(of, cover), json!(false))
            }
            Type::List(inner) | Type::Set(inner) => {
                let count = self.random.below(4);
                list((0..count).map(|_| self.marked(inner, cover)))
            }
            Type::Map(inner) => {
                let keys = self.keys(cover);
                object(keys.into_iter().map(|key| (key, self.marked(inner, cover))))
            }
            Type::Object(members) => object(
                members
                    .iter()
                    .map(|(key, of)| (key.clone(), self.marked(of, cover))),
            ),
            Type::Tuple(items) => list(items.iter().map(|of| self.marked(of, cover))),
        }
    }

    pub(super) fn attribute_value(&mut self, of: &Attribute, cover: Cover) -> (Value, Value) {
        // Write-only attributes never have a value; if a document contains one, it is a secret.
        let hidden = of.sensitive || of.write_only;
        let cover = if cover == Cover::Open && hidden {
            Cover::Schema
        } else {
            cover
        };
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

    pub(super) fn nested(
        &mut self,
        nesting: &str,
        members: &[Attribute],
        cover: Cover,
    ) -> (Value, Value) {
        self.nest(nesting, cover, &|maker| {
            object(
                members
                    .iter()
                    .map(|member| (member.name.clone(), maker.attribute_value(member, cover))),
            )
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
            members.push((
                attribute.name.clone(),
                self.attribute_value(attribute, cover),
            ));
        }
        for (name, nesting, block) in &of.blocks {
            let (cover, whole) = if cover == Cover::Open && self.random.one_in(8) {
                (Cover::Marked, true)
            } else {
                (cover, false)
            };
            let (value, mark) = self.nest(nesting, cover, &|maker| maker.block_value(block, cover));
            members.push((
                name.clone(),
                (value, if whole { json!(true) } else { mark }),
            ));
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
                let part = |index: usize| value.get(index).unwrap_or(&Value::Null);
                marks
                    .iter()
                    .enumerate()
                    .map(|(index, mark)| self.malformed(mark, part(index)))
                    .collect()
            }
            (Value::Object(marks), _) => {
                let part = |key: &String| value.get(key).unwrap_or(&Value::Null);
                Value::Object(
                    marks
                        .iter()
                        .map(|(key, mark)| (key.clone(), self.malformed(mark, part(key))))
                        .collect(),
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
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| (format!("e{index}"), item.clone()))
                    .collect(),
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
                        let value = if self.random.one_in(4) {
                            self.misshapen(value, &below)
                        } else {
                            value
                        };
                        (key, value)
                    })
                    .collect(),
            ),
            value => value,
        }
    }

    pub(super) fn side(&mut self, of: &Block) -> (Value, Value) {
        let (value, mark) = self.block_value(of, Cover::Open);
        let value = if self.random.one_in(3) {
            self.misshapen(value, &mark)
        } else {
            value
        };
        let mark = if self.random.one_in(2) {
            self.malformed(&mark, &value)
        } else {
            mark
        };
        (value, mark)
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
        || block
            .blocks
            .iter()
            .any(|(_, nesting, block)| *nesting == "set" || has_sets(block))
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

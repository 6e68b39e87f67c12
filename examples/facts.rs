//! Writes the built-in table of facts on the large providers: `src/schema/infer/facts.bin`.
//!
//! Usage: `cargo run --example facts -- OUT FILE...`, each file being the output of
//! `providers schema -json`. Equal shapes are written once, names are numbered by how often they
//! occur, and each provider is compressed on its own, so that a plan pays for the providers it uses.
//! `src/schema/infer/facts.rs` describes the layout and reads it.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Map, Value};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const KINDS: [&str; 3] = ["resource_schemas", "data_source_schemas", "ephemeral_resource_schemas"];

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("usage: facts OUT FILE...")?;
    let mut providers: Vec<(String, Value)> = Vec::new();
    for file in arguments {
        let document: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
        let found = document["provider_schemas"].as_object().ok_or("no provider_schemas")?.clone();
        providers.extend(
            found
                .into_iter()
                .map(|(name, schemas)| (name.rsplit('/').next().unwrap_or(&name).to_owned(), schemas)),
        );
    }
    providers.sort_by(|a, b| a.0.cmp(&b.0));
    let mut table = Vec::new();
    let mut bodies = Vec::new();
    let mut conventions = Conventions::default();
    varint(&mut table, providers.len() + 1);
    for (name, schemas) in &providers {
        let raw = Encoder::encode(schemas, &mut conventions)?;
        add(&mut table, &mut bodies, name, &raw)?;
    }
    add(&mut table, &mut bodies, "", &conventions.encode())?;
    table.extend(bodies);
    std::fs::write(out, table)?;
    Ok(())
}

fn add(table: &mut Vec<u8>, bodies: &mut Vec<u8>, name: &str, raw: &[u8]) -> Result<()> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    deflate.write_all(raw)?;
    let body = deflate.finish()?;
    text(table, name);
    varint(table, body.len());
    varint(table, raw.len());
    bodies.extend(body);
    Ok(())
}

fn varint(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Things that are numbered in the order in which they first occur.
#[derive(Default)]
struct Numbered {
    numbers: HashMap<Vec<u8>, usize>,
    items: Vec<Vec<u8>>,
}

impl Numbered {
    fn number(&mut self, item: Vec<u8>) -> usize {
        let items = &mut self.items;
        *self.numbers.entry(item).or_insert_with_key(|item| {
            items.push(item.clone());
            items.len() - 1
        })
    }
}

#[derive(Default)]
struct Encoder {
    names: HashMap<String, usize>,
    types: Numbered,
    kinds: Numbered,
    blocks: Numbered,
}

impl Encoder {
    fn encode(schemas: &Value, conventions: &mut Conventions) -> Result<Vec<u8>> {
        let mut counts = HashMap::new();
        count_names(schemas, &mut counts);
        let mut names: Vec<(String, usize)> = counts.into_iter().collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut encoder = Self::default();
        let mut out = Vec::new();
        varint(&mut out, names.len());
        for (number, (name, _)) in names.iter().enumerate() {
            text(&mut out, name);
            encoder.names.insert(name.clone(), number);
        }
        let mut index = Vec::new();
        for kind in KINDS {
            let types = members(&schemas[kind]);
            varint(&mut index, types.len());
            for (name, schema) in sorted(&types) {
                conventions.count(&schema["block"]);
                let block = encoder.block(&schema["block"])?;
                varint(&mut index, encoder.names[name]);
                varint(&mut index, block);
            }
        }
        for part in [&encoder.types, &encoder.kinds, &encoder.blocks] {
            varint(&mut out, part.items.len());
            out.extend(part.items.iter().flatten());
        }
        out.extend(index);
        Ok(out)
    }

    fn name(&self, name: &str) -> usize {
        self.names[name]
    }

    fn block(&mut self, block: &Value) -> Result<usize> {
        let mut out = Vec::new();
        let attributes = members(&block["attributes"]);
        varint(&mut out, attributes.len());
        for (name, attribute) in sorted(&attributes) {
            let kind = self.kind(attribute)?;
            varint(&mut out, self.name(name));
            varint(&mut out, kind);
        }
        let types = members(&block["block_types"]);
        varint(&mut out, types.len());
        for (name, nested) in sorted(&types) {
            let inner = self.block(&nested["block"])?;
            varint(&mut out, self.name(name));
            out.push(nesting(&nested["nesting_mode"])?);
            varint(&mut out, inner);
        }
        Ok(self.blocks.number(out))
    }

    fn kind(&mut self, attribute: &Value) -> Result<usize> {
        let flag = |name: &str, bit: u8| if attribute[name] == true { bit } else { 0 };
        let mut flags = flag("sensitive", 1) | flag("write_only", 2);
        let mut out = Vec::new();
        let inner = if let Some(nested) = attribute.get("nested_type") {
            flags |= 4 | nesting(&nested["nesting_mode"])? << 3;
            self.block(nested)?
        } else {
            self.cty(&attribute["type"])?
        };
        out.push(flags);
        varint(&mut out, inner);
        Ok(self.kinds.number(out))
    }

    fn cty(&mut self, value: &Value) -> Result<usize> {
        let mut out = Vec::new();
        if let Some(name) = value.as_str() {
            let tag = ["dynamic", "bool", "number", "string"].iter().position(|known| *known == name);
            out.push(tag.ok_or("unknown type")? as u8);
            return Ok(self.types.number(out));
        }
        let inner = &value[1];
        match value[0].as_str() {
            Some(name @ ("list" | "set" | "map")) => {
                out.push(match name {
                    "list" => 4,
                    "set" => 5,
                    _ => 6,
                });
                let inner = self.cty(inner)?;
                varint(&mut out, inner);
            }
            Some("object") => {
                out.push(7);
                let inner = members(inner);
                varint(&mut out, inner.len());
                for (name, kind) in sorted(&inner) {
                    let kind = self.cty(kind)?;
                    varint(&mut out, self.name(name));
                    varint(&mut out, kind);
                }
            }
            Some("tuple") => {
                out.push(8);
                let items = inner.as_array().ok_or("a tuple without types")?;
                varint(&mut out, items.len());
                for item in items {
                    let item = self.cty(item)?;
                    varint(&mut out, item);
                }
            }
            _ => return Err("unknown type".into()),
        }
        Ok(self.types.number(out))
    }
}

fn nesting(mode: &Value) -> Result<u8> {
    let modes = ["single", "group", "list", "set", "map"];
    let found = modes.iter().position(|known| mode.as_str() == Some(known));
    Ok(found.ok_or("unknown nesting mode")? as u8)
}

fn members(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| *name);
    members
}

/// Counts every key of every object; those that are names of types, attributes or blocks are used.
fn count_names(schemas: &Value, counts: &mut HashMap<String, usize>) {
    for kind in KINDS {
        for (name, schema) in &members(&schemas[kind]) {
            *counts.entry(name.clone()).or_default() += 1;
            count_block(&schema["block"], counts);
        }
    }
}

fn count_block(block: &Value, counts: &mut HashMap<String, usize>) {
    for (name, attribute) in &members(&block["attributes"]) {
        *counts.entry(name.clone()).or_default() += 1;
        count_cty(&attribute["type"], counts);
        count_block(&attribute["nested_type"], counts);
    }
    for (name, nested) in &members(&block["block_types"]) {
        *counts.entry(name.clone()).or_default() += 1;
        count_block(&nested["block"], counts);
    }
}

fn count_cty(value: &Value, counts: &mut HashMap<String, usize>) {
    for item in value.as_array().into_iter().flatten() {
        if value[0] == "object" {
            for (name, kind) in &members(item) {
                *counts.entry(name.clone()).or_default() += 1;
                count_cty(kind, counts);
            }
        } else {
            count_cty(item, counts);
        }
    }
}

/// What a name usually stands for, over all providers: a convention that other providers share.
#[derive(Default)]
struct Conventions(HashMap<String, [usize; 9]>);

impl Conventions {
    fn count(&mut self, block: &Value) {
        for (name, attribute) in &members(&block["attributes"]) {
            let kind = &attribute["type"];
            let form = match (kind[0].as_str(), kind[1][0].as_str() == Some("object")) {
                (Some("map"), false) => Some(5),
                (Some("list"), false) => Some(6),
                (Some("set"), false) => Some(7),
                (Some(_), true) => Some(8),
                _ => None,
            };
            if let Some(form) = form {
                self.0.entry(name.clone()).or_default()[form] += 1;
            }
        }
        for (name, nested) in &members(&block["block_types"]) {
            if let Ok(form) = nesting(&nested["nesting_mode"]) {
                self.0.entry(name.clone()).or_default()[usize::from(form)] += 1;
            }
            self.count(&nested["block"]);
        }
    }

    /// Names that occur often and nearly always mean the same, sorted by name.
    fn encode(&self) -> Vec<u8> {
        let mut found: Vec<(&String, usize)> = Vec::new();
        for (name, counts) in &self.0 {
            let total: usize = counts.iter().sum();
            let best = (0..counts.len()).max_by_key(|form| counts[*form]).unwrap_or_default();
            if total >= 3 && counts[best] * 5 >= total * 4 {
                found.push((name, best));
            }
        }
        found.sort();
        let mut out = Vec::new();
        varint(&mut out, found.len());
        for (name, form) in found {
            text(&mut out, name);
            out.push(form as u8);
        }
        out
    }
}

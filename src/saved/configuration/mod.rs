//! Reads the configuration in a saved plan (`tfconfig/`: the sources of all modules), and converts it into the member
//! `configuration` of `show -json`.
//!
//! In the JSON syntax, only a schema tells a block from an attribute, so below the blocks of the language itself all
//! members are read as attributes.
//!
//! Invariants: the number and the sizes of files, the number of their parts and the depth of module calls are limited.
//! If any part of a configuration cannot be read, the result is an error instead of a configuration, so that what could
//! not be read is never taken for absent.
//!
//! ```text
//! tfconfig/modules.json      [{"Key": "", "Dir": "."}, {"Key": "net", "Source": "./net", "Dir": "net"}]
//! tfconfig/m-/main.tf        the root module
//! tfconfig/m-net/main.tf     module "net"
//!
//! {"root_module": {"resources": […], "module_calls": {"net": {"module": {…}}}}}
//! ```

mod document;
mod expression;

use std::collections::{BTreeMap, HashMap, HashSet};

use bumpalo::Bump;
use hcl_edit::structure::Structure;
use serde::Deserialize;

use self::document::{ConfigurationWriter, SchemaOf};
use self::expression::{Term, describe, normalized};
use super::archive::{Archive, CONFIGURATION};
use crate::dialect::Tool;
use crate::json::{self, Value};

/// The sources of a configuration.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The root module, and one module for each call.
    pub modules: Vec<SnapshotModule>,
}

/// The sources of one module, with the call that leads to it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SnapshotModule {
    /// The names of the calls that lead to the module, joined with dots; empty for the root module.
    #[serde(rename = "Key")]
    pub key: String,
    /// The source address of the call, for example `./network`; empty for the root module.
    #[serde(rename = "Source", default)]
    pub source: String,
    /// The directory of the module, relative to that of the root module's command.
    #[serde(rename = "Dir", default)]
    pub directory: String,
    /// The files in the directory.
    #[serde(skip)]
    pub files: Vec<SnapshotFile>,
}

/// A file of the configuration in a saved plan.
#[derive(Clone, Debug)]
pub struct SnapshotFile {
    /// The name of the file in the directory of its module.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

/// The maximum length of a file, in bytes.
const MAX_LENGTH: usize = 4 << 20;

/// The number of parts that may be read: a fixed number, and one more for each so many bytes.
///
/// Without a limit, a small file could fill the memory: a part takes as little as two bytes in the file, about 500
/// bytes while its file is parsed and 200 bytes afterward. In real configurations, a part has five to ten bytes.
struct PartLimit {
    parts: usize,
    bytes_for_another: usize,
}

/// The limit for the parts of one file, which are in memory together with what the parser makes of them.
const OF_A_FILE: PartLimit = PartLimit {
    parts: 80_000,
    bytes_for_another: 16,
};
/// The limit for the parts of all files together.
const OF_ALL_FILES: PartLimit = PartLimit {
    parts: 200_000,
    bytes_for_another: 8,
};

impl PartLimit {
    /// Checks the number of parts of a text of `bytes` bytes; `of` names it in the error.
    fn check(&self, parts: usize, bytes: usize, of: &str) -> Result<(), String> {
        let limit = self.parts + bytes / self.bytes_for_another;
        if parts > limit {
            return Err(format!(
                "`{of}` has {parts} parts; at most {limit} are read"
            ));
        }
        Ok(())
    }
}

/// Counts the characters at which a part of either syntax may begin, without a parser.
fn count_parts(text: &str) -> usize {
    let begins_part = |byte: &u8| {
        byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'#' | b')' | b']' | b'}')
    };
    text.bytes().filter(begins_part).count()
}

/// The maximum number of members of an object in the native syntax. The parser `hcl-edit` looks for each name among all
/// earlier ones, which is quadratic: an object with 30,000 members takes 20 s.
const MAX_MEMBERS: usize = 2_000;

/// Returns the largest number of members of an object in a text of the native syntax, without a parser. It counts the
/// characters `=` and `:`, so that a comparison in a value and text in a string may count as members too.
fn most_members(text: &str) -> usize {
    let mut most = 0;
    // For each open bracket, the number of members so far; `None` if it does not begin an object.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut last = b'\n';
    for byte in text.bytes() {
        match byte {
            // A brace after a type or a label begins the body of a block.
            b'{' => {
                let is_object = matches!(last, b'=' | b':' | b',' | b'(' | b'[' | b'{' | b'?');
                open.push(is_object.then_some(0));
            }
            b'(' | b'[' => open.push(None),
            b'}' | b')' | b']' => most = most.max(open.pop().flatten().unwrap_or(0)),
            b'=' | b':' => {
                if let Some(Some(members)) = open.last_mut() {
                    *members += 1;
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
    }
    open.into_iter().flatten().fold(most, usize::max)
}

/// Checks that no object of a text has too many members; `of` names the text in the error.
fn check_members(text: &str, of: &str) -> Result<(), String> {
    let members = most_members(text);
    if members > MAX_MEMBERS {
        return Err(format!(
            "`{of}` has an object with {members} members; at most {MAX_MEMBERS} are read"
        ));
    }
    Ok(())
}

impl Snapshot {
    /// Reads the sources of all modules, within the limits for one file and for all files.
    ///
    /// # Errors
    /// A sentence fragment that says what is wrong, if the list of modules is missing, or a file cannot be read or
    /// exceeds a limit.
    pub(super) fn read(archive: &mut Archive<'_>) -> Result<Self, String> {
        let mut files = archive
            .below(CONFIGURATION)
            .map_err(|error| error.to_string())?;
        let manifest = files
            .remove("modules.json")
            .ok_or("there is no `tfconfig/modules.json`")?;
        let mut modules: Vec<SnapshotModule> = serde_json::from_slice(&manifest)
            .map_err(|error| format!("`tfconfig/modules.json`: {error}"))?;
        let mut by_module: BTreeMap<String, Vec<SnapshotFile>> = BTreeMap::new();
        let (mut all_parts, mut all_bytes) = (0, 0);
        for (name, bytes) in files {
            // Neither the key of a module nor the name of a file in its folder has a slash.
            let Some((key, file)) = name
                .strip_prefix("m-")
                .and_then(|rest| rest.split_once('/'))
            else {
                continue;
            };
            let Some(syntax) = Syntax::of(file) else {
                continue;
            };
            if bytes.len() > MAX_LENGTH {
                return Err(format!(
                    "`tfconfig/{name}` is longer than {MAX_LENGTH} bytes"
                ));
            }
            let text =
                String::from_utf8(bytes).map_err(|_| format!("`tfconfig/{name}` is not UTF-8"))?;
            let parts = count_parts(&text);
            OF_A_FILE.check(parts, text.len(), &format!("{CONFIGURATION}{name}"))?;
            if syntax == Syntax::Native {
                check_members(&text, &format!("{CONFIGURATION}{name}"))?;
            }
            all_parts += parts;
            all_bytes += text.len();
            by_module
                .entry(key.to_owned())
                .or_default()
                .push(SnapshotFile {
                    name: file.to_owned(),
                    text,
                });
        }
        OF_ALL_FILES.check(all_parts, all_bytes, CONFIGURATION)?;
        for module in &mut modules {
            // On Windows, the tools write paths with backslashes.
            module.directory = module.directory.replace('\\', "/");
            module.files = by_module.remove(&module.key).unwrap_or_default();
        }
        Ok(Self { modules })
    }

    /// Returns the member `configuration` as JSON, and the default values of the root module's variables.
    ///
    /// # Errors
    /// A sentence fragment that names the file, if a file cannot be parsed.
    pub(super) fn document<'a>(
        &'a self,
        tool: Tool,
        schema_of: SchemaOf<'_, 'a>,
        arena: &'a Bump,
    ) -> Result<(String, Vec<(String, Value<'a>)>), String> {
        let mut modules = BTreeMap::new();
        for module in &self.modules {
            modules.insert(module.key.clone(), module.body(tool, arena)?);
        }
        let document = ConfigurationWriter {
            modules: &modules,
            tool,
            schema_of,
            arena,
        }
        .document()?;
        let text = serde_json::to_string(&document).map_err(|error| error.to_string())?;
        let root = modules.get("").map(|root| root.blocks_of("variable"));
        let defaults = root.into_iter().flatten().filter_map(|block| {
            let [name] = *block.labels else { return None };
            Some((name.to_owned(), document::default(&block.body)?))
        });
        Ok((text, defaults.collect()))
    }
}

impl SnapshotModule {
    /// Returns the blocks of all files, with those of the override files merged into them.
    fn body<'a>(&'a self, tool: Tool, arena: &'a Bump) -> Result<Body<'a>, String> {
        let mut all = Body::default();
        let (overrides, files): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| is_override(&file.name));
        let read = |SnapshotFile { name, text }: &'a SnapshotFile| {
            let read = match Syntax::of(name) {
                Some(Syntax::Native) => Body::native(text, tool, arena),
                Some(Syntax::Json) => Body::json(text, tool, arena),
                None => Ok(Body::default()),
            };
            read.map_err(|problem| {
                let folder = if self.directory == "." {
                    String::new()
                } else {
                    format!("{}/", self.directory)
                };
                format!("{folder}{name}: {problem}")
            })
        };
        for file in files {
            all.blocks.extend(read(file)?.blocks);
        }
        let mut by_name: HashMap<_, usize> = all
            .blocks
            .iter()
            .enumerate()
            .map(|(index, block)| (block.identity(), index))
            .collect();
        for file in overrides {
            for block in read(file)?.blocks {
                let base = by_name
                    .get(&block.identity())
                    .and_then(|index| all.blocks.get_mut(*index));
                match base {
                    Some(base) if block.kind != "terraform" => base.body.merge(block.body),
                    Some(_) | None => {
                        by_name.insert(block.identity(), all.blocks.len());
                        all.blocks.push(block);
                    }
                }
            }
        }
        Ok(all)
    }
}

/// A `provider` block of a dependency lock file.
pub(super) struct LockedBlock {
    /// The source address of the provider.
    pub(super) address: String,
    /// The selected version; empty without one.
    pub(super) version: String,
    /// The hashes of the accepted packages.
    pub(super) hashes: Vec<String>,
}

/// Returns the providers of a dependency lock file, whose syntax is that of a configuration; `None` if it is not in
/// that syntax.
pub(super) fn locked_providers(lock_file: &str) -> Option<Vec<LockedBlock>> {
    let arena = Bump::new();
    let body = Body::native(lock_file, Tool::default(), &arena).ok()?;
    let blocks = body.blocks_of("provider").map(|block| {
        let text = |value: Value<'_>| value.as_str().unwrap_or_default().to_owned();
        let hashes = block.body.constant("hashes").and_then(Value::as_array);
        LockedBlock {
            address: block.labels.join(" "),
            version: block.body.constant("version").map_or(String::new(), text),
            hashes: hashes
                .unwrap_or_default()
                .iter()
                .copied()
                .map(text)
                .collect(),
        }
    });
    Some(blocks.collect())
}

/// The syntax of a configuration file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Native,
    Json,
}

impl Syntax {
    /// Returns the syntax of a file with this name; `None` if it is not a configuration file.
    fn of(name: &str) -> Option<Self> {
        let is = |ending: &str| name.ends_with(ending);
        if is(".tf") || is(".tofu") {
            Some(Self::Native)
        } else if is(".tf.json") || is(".tofu.json") {
            Some(Self::Json)
        } else {
            None
        }
    }
}

/// Whether a file is an override file: `override.tf`, or a name that ends with `_override`, such as `a_override.tf`.
fn is_override(name: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    stem == "override" || stem.ends_with("_override")
}

/// The attributes and blocks of a file or block.
#[derive(Clone, Debug, Default)]
struct Body<'a> {
    attributes: Vec<(&'a str, Term<'a>)>,
    blocks: Vec<ConfigBlock<'a>>,
}

/// A block, such as `resource "aws_vpc" "main" { … }`.
#[derive(Clone, Debug)]
struct ConfigBlock<'a> {
    kind: &'a str,
    labels: Vec<&'a str>,
    body: Body<'a>,
}

impl<'a> ConfigBlock<'a> {
    /// Returns what tells the block from others of its kind, so that an override file can refer to it.
    fn identity(&self) -> (&'a str, Vec<&'a str>, Option<Value<'a>>) {
        (self.kind, self.labels.clone(), self.body.constant("alias"))
    }
}

impl<'a> Body<'a> {
    /// Parses a file of the native syntax.
    ///
    /// # Errors
    /// The location and the problem, if it is malformed.
    fn native(text: &'a str, tool: Tool, arena: &'a Bump) -> Result<Self, String> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed: hcl_edit::structure::Body = body.parse().map_err(|error| describe(&error))?;
        Ok(Self::from_parsed(&parsed, body, tool, arena))
    }

    /// Converts a parsed body, and keeps the source text of each expression.
    fn from_parsed(
        parsed: &hcl_edit::structure::Body,
        file: &'a str,
        tool: Tool,
        arena: &'a Bump,
    ) -> Self {
        let mut body = Self::default();
        for structure in parsed {
            match structure {
                Structure::Attribute(attribute) => {
                    let term = Term::native(&attribute.value, file, tool, arena);
                    body.attributes
                        .push((arena.alloc_str(attribute.key.as_str()), term));
                }
                Structure::Block(block) => body.blocks.push(ConfigBlock {
                    kind: arena.alloc_str(block.ident.as_str()),
                    labels: block
                        .labels
                        .iter()
                        .map(|label| &*arena.alloc_str(label.as_str()))
                        .collect(),
                    body: Self::from_parsed(&block.body, file, tool, arena),
                }),
            }
        }
        body
    }

    /// Parses a file of the JSON syntax.
    ///
    /// # Errors
    /// If it is not JSON, or a block or a template is malformed.
    fn json(text: &'a str, tool: Tool, arena: &'a Bump) -> Result<Self, String> {
        let value = normalized(
            json::parse(text, arena).map_err(|error| error.to_string())?,
            arena,
        );
        let mut all = Self::default();
        labelled(value, 0, &mut Vec::new(), &mut |_, value| {
            let body = body(value, LANGUAGE, tool)?;
            all.attributes.extend(body.attributes);
            all.blocks.extend(body.blocks);
            Ok(())
        })?;
        Ok(all)
    }

    fn attribute(&self, name: &str) -> Option<&Term<'a>> {
        self.attributes
            .iter()
            .find(|(attribute, _)| *attribute == name)
            .map(|(_, term)| term)
    }

    /// Returns the value of an attribute, if it is constant.
    fn constant(&self, name: &str) -> Option<Value<'a>> {
        self.attribute(name)?.constant
    }

    fn blocks_of<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'b ConfigBlock<'a>> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// Merges a block of an override file into this one: its attributes replace those with the same names, its blocks
    /// replace all blocks of their kinds.
    fn merge(&mut self, other: Self) {
        let named: HashSet<&str> = other.attributes.iter().map(|(name, _)| *name).collect();
        self.attributes.retain(|(name, _)| !named.contains(name));
        let kinds: HashSet<&str> = other.blocks.iter().map(|block| block.kind).collect();
        self.blocks.retain(|block| !kinds.contains(block.kind));
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
    }
}

/// The kinds of blocks that a body of the JSON syntax may have: each with the number of its labels and the kinds of
/// blocks within it.
#[derive(Clone, Copy)]
struct Kinds(&'static [(&'static str, usize, Self)]);

/// A body without blocks of the language itself.
const NONE: Kinds = Kinds(&[]);
/// The blocks of the language within a `resource` block.
const RESOURCE: Kinds = Kinds(&[
    ("provisioner", 1, Kinds(&[("connection", 0, NONE)])),
    ("connection", 0, NONE),
]);
/// The blocks of the language at the top level of a file.
const LANGUAGE: Kinds = Kinds(&[
    ("terraform", 0, Kinds(&[("required_providers", 0, NONE)])),
    ("provider", 1, NONE),
    ("locals", 0, NONE),
    ("variable", 1, NONE),
    ("output", 1, NONE),
    ("module", 1, NONE),
    ("resource", 2, RESOURCE),
    ("data", 2, NONE),
    ("ephemeral", 2, NONE),
    ("check", 1, Kinds(&[("data", 2, NONE)])),
]);

/// A function that is called for each block, with the labels and the value of the block.
type EachValue<'f, 'a> = dyn FnMut(&[&'a str], Value<'a>) -> Result<(), String> + 'f;

/// Calls `each` for each block of a kind that has `count` labels; `labels` has those that were found so far. In the
/// JSON syntax, a block is within one object for each label, and wherever a block may be repeated, there may be an
/// array of objects.
///
/// # Errors
/// If a block is not an object, or `each` fails.
fn labelled<'a>(
    value: Value<'a>,
    count: usize,
    labels: &mut Vec<&'a str>,
    each: &mut EachValue<'_, 'a>,
) -> Result<(), String> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| match item {
            Value::Object(_) => labelled(*item, count, labels, each),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err("a block is not an object".to_owned()),
        }),
        Value::Object(_) if count == 0 => each(labels, value),
        Value::Object(members) => members.members().iter().try_for_each(|(label, member)| {
            labels.push(label);
            let done = labelled(*member, count - 1, labels, each);
            labels.pop();
            done
        }),
        Value::Null => Ok(()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err("a block is not an object".to_owned())
        }
    }
}

/// Converts an object of the JSON syntax. Members that are named in `kinds` are blocks, the member `//` is a comment,
/// and all others are attributes.
fn body<'a>(value: Value<'a>, kinds: Kinds, tool: Tool) -> Result<Body<'a>, String> {
    let mut read = Body::default();
    for (name, member) in value.as_object().unwrap_or_default().members() {
        match kinds.0.iter().find(|(kind, ..)| kind == name) {
            Some((kind, count, within)) => {
                labelled(*member, *count, &mut Vec::new(), &mut |labels, value| {
                    let body = body(value, *within, tool)?;
                    read.blocks.push(ConfigBlock {
                        kind,
                        labels: labels.to_vec(),
                        body,
                    });
                    Ok(())
                })?;
            }
            None if *name == "//" => {}
            None => read.attributes.push((name, Term::json(*member, tool)?)),
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests;

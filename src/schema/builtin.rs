//! Built-in schemas of widely used providers, and of the provider that is part of the tools.
//!
//! The schemas are in `schemas.bin`, which `README.md` in this directory describes and `xtask/builtin_schemas.rs`
//! writes. A part of the file is a text with a line for each type, attribute and block. This form is less than half as
//! long as the JSON of `providers schema -json`, and faster to parse:
//!
//! ```text
//! part      = { LF type " " kind block }
//! kind      = "R" | "D" | "E" | "A"                     resource, data source, ephemeral, action
//! block     = "{" { name " " ( attribute | "%" mode block ) LF } "}"
//! attribute = [ "!" ] [ "?" ] ( "&" mode members | ty )  "!" sensitive, "?" write-only
//! members   = "{" { name " " attribute LF } "}"
//! mode      = "1" | "g" | "l" | "e" | "m"               single, group, list, set, map
//! ty        = "s" | "n" | "b" | "d"                     string, number, bool, dynamic
//!           | ( "L" | "S" | "M" ) ty                    list, set, map
//!           | "{" { name " " ty LF } "}" | "(" { ty } ")"
//! ```
//!
//! In each block, attributes come before nested blocks, and both are sorted by name.
//!
//! Invariants: a part is decompressed at most once per process. A malformed part or schema counts as absent.

use std::io::Read as _;
use std::sync::OnceLock;

use bumpalo::Bump;
use flate2::bufread::DeflateDecoder;
use serde::Deserialize;
use serde_json::{Map, json};

use super::address::type_prefix;
use super::kind::SchemaKind;
use super::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};
use crate::json::{self, Str};

/// The content of `schemas.bin`: a line of JSON (`Index`), then the compressed parts. It is empty without the feature
/// `built-in-schemas`.
#[cfg(feature = "built-in-schemas")]
static FILE: &[u8] = include_bytes!("builtin/schemas.bin");
#[cfg(not(feature = "built-in-schemas"))]
static FILE: &[u8] = b"";

/// The address of the provider that is part of Terraform and OpenTofu, with `terraform_data`.
const TOOLS_OWN: &str = "terraform.io/builtin/terraform";

/// A provider with built-in schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The address of the provider: `registry.terraform.io/hashicorp/aws`.
    pub name: &'static str,
    /// The version of the provider, or the day on which the schemas were taken from it.
    pub version: &'static str,
}

/// Lists the providers with built-in schemas.
pub fn providers() -> impl Iterator<Item = BuiltIn> {
    index().into_iter().flat_map(|index| {
        index.providers.iter().map(|found| BuiltIn {
            name: &found.name,
            version: &found.version,
        })
    })
}

/// Writes the built-in schemas of the types in `names`, or all of them, as a document of `providers schema -json`.
///
/// Every schema has version 0, because the built-in schemas have no versions.
pub fn document(names: Option<&[&str]>) -> String {
    let mut schemas = Map::new();
    for provider in index().into_iter().flat_map(|index| &index.providers) {
        let types: Vec<(&str, SchemaKind)> = match names {
            Some(names) => names
                .iter()
                .flat_map(|name| KINDS.map(|(_, kind)| (*name, kind)))
                .collect(),
            None => provider
                .parts
                .iter()
                .filter_map(Part::text)
                .flat_map(types)
                .collect(),
        };
        let mut members = json!({});
        for (name, kind) in types {
            let arena = Bump::new();
            if let Some(block) = provider
                .schema(kind, name)
                .and_then(|text| block(text, &arena))
            {
                members[kind.member()][name] = json!({ "version": 0, "block": block });
            }
        }
        if names.is_none() || members != json!({}) {
            schemas.insert(provider.name.to_string(), members);
        }
    }
    json!({ "format_version": "1.0", "provider_schemas": schemas }).to_string()
}

/// Whether a provider has a built-in schema of this name, of any kind.
pub fn has_type(name: &str) -> bool {
    let has = |provider: &Provider<'_>| {
        KINDS
            .iter()
            .any(|(_, kind)| provider.schema(*kind, name).is_some())
    };
    index().is_some_and(|index| index.providers.iter().any(has))
}

/// Whether a type belongs to the provider that is part of the tools.
pub(super) fn is_of_the_tool(provider_name: &str, type_name: &str) -> bool {
    find(provider_name, type_name).is_some_and(|found| *found.name == *TOOLS_OWN)
}

/// Returns the text that begins with the built-in schema of a type. `block` reads it and ignores what follows the
/// schema.
pub(super) fn text(provider_name: &str, kind: SchemaKind, type_name: &str) -> Option<&'static str> {
    find(provider_name, type_name)?.schema(kind, type_name)
}

/// Returns the JSON of the naming conventions, or `None` if it is damaged or the program has no built-in schemas.
pub(super) fn conventions() -> Option<&'static str> {
    index()?.conventions.text()
}

/// Finds the provider of a type among those with built-in schemas.
///
/// The namespace must match, unless it is a default one, which old configurations and mirrors use for any provider. The
/// beta of a provider (`google-beta`) has the shapes of the provider. Without a name, the prefix of the type names the
/// provider.
fn find(provider_name: &str, type_name: &str) -> Option<&'static Provider<'static>> {
    let mut steps = provider_name.rsplit('/');
    let last = steps.next().filter(|last| !last.is_empty());
    let namespace = steps.next();
    let last = last.unwrap_or_else(|| type_prefix(type_name));
    let last = last.strip_suffix("-beta").unwrap_or(last);
    let is_default = matches!(namespace, None | Some("hashicorp" | "opentofu" | "-"));
    index()?.providers.iter().find(|known| {
        let mut steps = known.name.rsplit('/');
        steps.next() == Some(last) && (is_default || steps.next() == namespace)
    })
}

/// The index of the file, which is its first line.
#[derive(Debug, Deserialize)]
struct Index<'a> {
    /// The naming conventions of providers as JSON, for inference.
    conventions: Part,
    #[serde(borrow)]
    providers: Vec<Provider<'a>>,
}

/// A provider in the index of the file.
#[derive(Debug, Deserialize)]
struct Provider<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    version: Str<'a>,
    /// The parts, sorted by their first types.
    parts: Vec<Part>,
}

impl Provider<'_> {
    /// Returns the text of a part from the schema of a type on.
    fn schema(&self, kind: SchemaKind, type_name: &str) -> Option<&str> {
        let after = self.parts.partition_point(|part| *part.first <= *type_name);
        let text = self.parts.get(after.checked_sub(1)?)?.text()?;
        let key = key(kind, type_name)?;
        let start = memchr::memmem::find(text.as_bytes(), key.as_bytes())?;
        text.get(start + key.len()..)
    }
}

/// A range of types of a provider, which is compressed with Deflate.
#[derive(Debug, Deserialize)]
struct Part {
    /// The first type of the part, by which it is found.
    #[serde(default)]
    first: Box<str>,
    /// The offset of the compressed bytes from the end of the index.
    start: usize,
    /// The number of compressed bytes.
    compressed: usize,
    /// The number of bytes of the text.
    length: usize,
    /// The decompressed text, filled at the first use; `None` if the part is damaged.
    #[serde(skip)]
    text: OnceLock<Option<String>>,
}

impl Part {
    /// Returns the text, which is decompressed at the first call.
    fn text(&self) -> Option<&str> {
        self.text.get_or_init(|| self.decompressed()).as_deref()
    }

    fn decompressed(&self) -> Option<String> {
        let parts = file()?.parts;
        let body = parts.get(self.start..self.start.checked_add(self.compressed)?)?;
        let mut text = String::with_capacity(self.length);
        DeflateDecoder::new(body).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

/// The parsed form of the file that is embedded in the program.
struct File {
    index: Index<'static>,
    /// The compressed parts, which begin after the index.
    parts: &'static [u8],
}

/// Returns the file, which is parsed at the first call. `None` if its index is damaged, or if the file is empty.
fn file() -> Option<&'static File> {
    static READ: OnceLock<Option<File>> = OnceLock::new();
    let read = || {
        let (line, parts) = FILE.split_at_checked(memchr::memchr(b'\n', FILE)? + 1)?;
        let index = json::from_str(std::str::from_utf8(line).ok()?).ok()?;
        Some(File { index, parts })
    };
    READ.get_or_init(read).as_ref()
}

fn index() -> Option<&'static Index<'static>> {
    file().map(|file| &file.index)
}

/// The kinds that have built-in schemas, with their letters in the text of a part.
const KINDS: [(char, SchemaKind); 4] = [
    ('R', SchemaKind::Resource),
    ('D', SchemaKind::DataSource),
    ('E', SchemaKind::EphemeralResource),
    ('A', SchemaKind::Action),
];

/// Returns the text that precedes the schema of a type in its part.
///
/// It occurs only there: inside of a block, no name is followed by one of the letters for kinds.
fn key(kind: SchemaKind, type_name: &str) -> Option<String> {
    let (letter, _) = KINDS.into_iter().find(|(_, known)| *known == kind)?;
    Some(format!("\n{type_name} {letter}"))
}

/// Reads the block at the beginning of a text. `None` if it is malformed.
pub(super) fn block<'s>(text: &'s str, arena: &'s Bump) -> Option<Block<'s>> {
    Reader { rest: text, arena }.block()
}

/// A recursive-descent parser for the text of a part. Its methods return `None` if the text is malformed.
struct Reader<'s> {
    rest: &'s str,
    arena: &'s Bump,
}

impl<'s> Reader<'s> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Consumes the next character if it is `wanted`, and returns whether it was.
    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Calls `read` with the name of each line up to the closing brace. `read` consumes the rest of the line.
    fn lines(&mut self, mut read: impl FnMut(&mut Self, &'s str) -> Option<()>) -> Option<()> {
        while !self.skip('}') {
            let (name, rest) = self.rest.split_once(' ')?;
            self.rest = rest;
            read(self, name)?;
            self.skip('\n').then_some(())?;
        }
        Some(())
    }

    /// Reads a block: a line for each attribute and nested block.
    fn block(&mut self) -> Option<Block<'s>> {
        self.skip('{').then_some(())?;
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        self.lines(|reader, name| {
            if reader.skip('%') {
                blocks.push((name, reader.nested()?));
            } else {
                attributes.push((name, reader.attribute()?));
            }
            Some(())
        })?;
        let arena = self.arena;
        Some(Block::new(
            arena.alloc_slice_copy(&attributes),
            arena.alloc_slice_copy(&blocks),
            arena,
        ))
    }

    /// Reads an attribute: its flags, then its nested attributes or its type.
    fn attribute(&mut self) -> Option<Attribute<'s>> {
        let (sensitive, write_only) = (self.skip('!'), self.skip('?'));
        let kind = if self.skip('&') {
            AttributeKind::Nested(self.nested()?)
        } else {
            AttributeKind::Type(self.ty()?)
        };
        Some(Attribute {
            kind,
            sensitive,
            write_only,
            required: false,
        })
    }

    /// Reads the nesting mode and the block of a nested block or of nested attributes.
    fn nested(&mut self) -> Option<NestedBlock<'s>> {
        let letter = self.next()?;
        let (nesting, ..) = Nesting::ALL
            .into_iter()
            .find(|(.., known)| *known == letter)?;
        Some(NestedBlock {
            nesting,
            block: self.block()?,
        })
    }

    /// Reads a type: a letter or bracket, and the types in it.
    fn ty(&mut self) -> Option<Type<'s>> {
        match self.next()? {
            '{' => {
                let mut members = Vec::new();
                self.lines(|reader, name| {
                    members.push((name, reader.ty()?));
                    Some(())
                })?;
                Some(Type::Object(self.arena.alloc_slice_copy(&members)))
            }
            's' => Some(Type::String),
            'n' => Some(Type::Number),
            'b' => Some(Type::Bool),
            'd' => Some(Type::Dynamic),
            'L' => self.element().map(Type::List),
            'S' => self.element().map(Type::Set),
            'M' => self.element().map(Type::Map),
            '(' => {
                let mut items = Vec::new();
                while !self.skip(')') {
                    items.push(self.ty()?);
                }
                Some(Type::Tuple(self.arena.alloc_slice_copy(&items)))
            }
            _ => None,
        }
    }

    fn element(&mut self) -> Option<&'s Type<'s>> {
        Some(self.arena.alloc(self.ty()?))
    }
}

/// Lists the types that have a schema in the text of a part, in the order of the text.
fn types(part: &str) -> impl Iterator<Item = (&str, SchemaKind)> {
    part.lines().filter_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        let (letter, block) = rest.split_at_checked(1)?;
        let (_, kind) = KINDS
            .into_iter()
            .find(|(known, _)| letter.starts_with(*known))?;
        block.starts_with('{').then_some((name, kind))
    })
}

#[cfg(test)]
mod tests;

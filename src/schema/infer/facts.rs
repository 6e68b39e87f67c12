//! The built-in facts: the shapes of the large providers' types.
//!
//! `examples/facts.rs` writes the table from `providers schema -json` files. Layout, all numbers being
//! varints: the number of parts, then for each its name, compressed and plain length, then the parts
//! (deflate). A provider's part holds its names; the types, attribute kinds and blocks, which refer to
//! each other by number; and for each kind of resource the types' names with their blocks. The last part,
//! without a name, holds conventions: what a name stands for nearly wherever it occurs.
//!
//! Invariants: a part is inflated when it is first asked for, and once; a part that cannot be read is
//! the same as no facts (a test reads every type of the table).

use std::io::Read as _;
use std::sync::OnceLock;

use bumpalo::Bump;
use flate2::read::DeflateDecoder;

use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

static TABLE: &[u8] = include_bytes!("facts.bin");

/// What a name stands for nearly wherever it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Convention {
    Block(Nesting),
    Map,
    List,
    Set,
    /// A list or set of objects that is an attribute.
    Objects,
}

/// The shape of a type of a large provider.
pub(super) fn resource<'s>(provider: &str, mode: &str, name: &str, arena: &'s Bump) -> Option<Block<'s>> {
    let part = part(provider_part(provider, name)?)?;
    let mode = if mode.is_empty() { "managed" } else { mode };
    let kind = ["managed", "data", "ephemeral"].iter().position(|known| *known == mode)?;
    let types = part.types_of.get(kind)?;
    let at = types.binary_search_by(|(number, _)| part.name(*number).unwrap_or("").cmp(name)).ok()?;
    part.block(types.get(at)?.1, arena)
}

/// What a name stands for by convention.
pub(super) fn convention(name: &str) -> Option<Convention> {
    static FOUND: OnceLock<Vec<(&'static str, Convention)>> = OnceLock::new();
    let found = FOUND.get_or_init(|| conventions().unwrap_or_default());
    found.binary_search_by(|(known, _)| (*known).cmp(name)).ok().and_then(|at| found.get(at)).map(|(_, c)| *c)
}

/// The part that a provider's facts are in. Forks in other namespaces have shapes of their own; a
/// beta of a provider (`google-beta`) has the shapes of its provider.
fn provider_part<'p>(provider: &'p str, type_name: &'p str) -> Option<&'p str> {
    let mut steps = provider.rsplit('/');
    let name = steps.next().filter(|name| !name.is_empty());
    if !matches!(steps.next(), None | Some("hashicorp" | "opentofu" | "builtin" | "-")) {
        return None;
    }
    let name = name.or_else(|| type_name.split('_').next())?;
    Some(name.strip_suffix("-beta").unwrap_or(name))
}

struct Entry {
    name: &'static str,
    body: &'static [u8],
    plain: usize,
    part: OnceLock<Option<Part>>,
}

fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| read_entries().unwrap_or_default())
}

fn read_entries() -> Option<Vec<Entry>> {
    let mut cursor = Cursor { data: TABLE, at: 0 };
    let mut heads = Vec::new();
    for _ in 0..cursor.number()? {
        heads.push((cursor.text()?, cursor.number()?, cursor.number()?));
    }
    let mut entries = Vec::new();
    for (name, length, plain) in heads {
        entries.push(Entry { name, body: cursor.bytes(length)?, plain, part: OnceLock::new() });
    }
    Some(entries)
}

impl Entry {
    /// Inflates the part. It lives as long as the program, like the table itself.
    fn inflate(&self) -> Option<&'static [u8]> {
        let mut data = Vec::with_capacity(self.plain);
        DeflateDecoder::new(self.body).read_to_end(&mut data).ok()?;
        Some(data.leak())
    }
}

fn part(name: &str) -> Option<&'static Part> {
    let entry = entries().iter().find(|entry| entry.name == name && !name.is_empty())?;
    entry.part.get_or_init(|| Part::read(entry.inflate()?)).as_ref()
}

fn conventions() -> Option<Vec<(&'static str, Convention)>> {
    let entry = entries().iter().find(|entry| entry.name.is_empty())?;
    let mut cursor = Cursor { data: entry.inflate()?, at: 0 };
    let mut found = Vec::new();
    for _ in 0..cursor.number()? {
        let name = cursor.text()?;
        found.push((
            name,
            match cursor.number()? {
                5 => Convention::Map,
                6 => Convention::List,
                7 => Convention::Set,
                8 => Convention::Objects,
                mode => Convention::Block(nesting(mode)?),
            },
        ));
    }
    Some(found)
}

fn nesting(number: usize) -> Option<Nesting> {
    [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map].get(number).copied()
}

/// A provider's facts: where each numbered thing begins.
struct Part {
    data: &'static [u8],
    names: Vec<&'static str>,
    types: Vec<usize>,
    kinds: Vec<usize>,
    blocks: Vec<usize>,
    types_of: Vec<Vec<(usize, usize)>>,
}

impl Part {
    fn read(data: &'static [u8]) -> Option<Self> {
        let mut cursor = Cursor { data, at: 0 };
        let names = (0..cursor.number()?).map(|_| cursor.text()).collect::<Option<_>>()?;
        let types = cursor.starts(|cursor| match cursor.number()? {
            0..=3 => Some(()),
            4..=6 => cursor.numbers(1),
            7 => {
                let members = cursor.number()?;
                cursor.numbers(members * 2)
            }
            _ => {
                let items = cursor.number()?;
                cursor.numbers(items)
            }
        })?;
        let kinds = cursor.starts(|cursor| cursor.numbers(2))?;
        let blocks = cursor.starts(|cursor| {
            let attributes = cursor.number()?;
            cursor.numbers(attributes * 2)?;
            let blocks = cursor.number()?;
            cursor.numbers(blocks * 3)
        })?;
        let mut types_of = Vec::new();
        for _ in 0..3 {
            let pair = |cursor: &mut Cursor| Some((cursor.number()?, cursor.number()?));
            types_of.push((0..cursor.number()?).map(|_| pair(&mut cursor)).collect::<Option<_>>()?);
        }
        Some(Self { data, names, types, kinds, blocks, types_of })
    }

    fn name(&self, number: usize) -> Option<&'static str> {
        self.names.get(number).copied()
    }

    fn cursor(&self, starts: &[usize], number: usize) -> Option<Cursor> {
        Some(Cursor { data: self.data, at: *starts.get(number)? })
    }

    fn block<'s>(&self, number: usize, arena: &'s Bump) -> Option<Block<'s>> {
        let mut cursor = self.cursor(&self.blocks, number)?;
        let count = cursor.number()?;
        let mut attributes: Vec<(&str, Attribute<'s>)> = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.name(cursor.number()?)?;
            attributes.push((name, self.attribute(cursor.number()?, arena)?));
        }
        let count = cursor.number()?;
        let mut blocks: Vec<(&str, NestedBlock<'s>)> = Vec::with_capacity(count);
        for _ in 0..count {
            let name = self.name(cursor.number()?)?;
            let nesting = nesting(cursor.number()?)?;
            blocks.push((name, NestedBlock { nesting, block: self.block(cursor.number()?, arena)? }));
        }
        Some(Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena))
    }

    fn attribute<'s>(&self, number: usize, arena: &'s Bump) -> Option<Attribute<'s>> {
        let mut cursor = self.cursor(&self.kinds, number)?;
        let flags = cursor.number()?;
        let inner = cursor.number()?;
        let kind = if flags & 4 == 0 {
            AttributeKind::Type(self.cty(inner, arena)?)
        } else {
            let attributes = self.block(inner, arena)?.attributes;
            AttributeKind::Nested(NestedType::new(attributes, nesting(flags >> 3)?, arena))
        };
        Some(Attribute { kind, sensitive: flags & 1 != 0, write_only: flags & 2 != 0 })
    }

    fn cty<'s>(&self, number: usize, arena: &'s Bump) -> Option<Type<'s>> {
        let mut cursor = self.cursor(&self.types, number)?;
        let tag = cursor.number()?;
        Some(match tag {
            0 => Type::Dynamic,
            1 => Type::Bool,
            2 => Type::Number,
            3 => Type::String,
            4..=6 => {
                let inner = arena.alloc(self.cty(cursor.number()?, arena)?);
                [Type::List(inner), Type::Set(inner), Type::Map(inner)].get(tag - 4).copied()?
            }
            7 => {
                let mut members: Vec<(&str, Type<'s>)> = Vec::new();
                for _ in 0..cursor.number()? {
                    let name = self.name(cursor.number()?)?;
                    members.push((name, self.cty(cursor.number()?, arena)?));
                }
                Type::Object(arena.alloc_slice_copy(&members))
            }
            _ => {
                let items = cursor.number()?;
                let items: Option<Vec<_>> = (0..items).map(|_| self.cty(cursor.number()?, arena)).collect();
                Type::Tuple(arena.alloc_slice_copy(&items?))
            }
        })
    }
}

/// A cursor over the table; `None` at its end.
struct Cursor {
    data: &'static [u8],
    at: usize,
}

impl Cursor {
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0usize, 0);
        loop {
            let byte = *self.data.get(self.at)?;
            self.at += 1;
            number |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn numbers(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.number().map(|_| ()))
    }

    fn bytes(&mut self, length: usize) -> Option<&'static [u8]> {
        let bytes = self.data.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }

    fn text(&mut self) -> Option<&'static str> {
        let length = self.number()?;
        std::str::from_utf8(self.bytes(length)?).ok()
    }

    /// Where each of the things that follow begins; `pass` passes one of them.
    fn starts(&mut self, pass: impl Fn(&mut Self) -> Option<()>) -> Option<Vec<usize>> {
        let count = self.number()?;
        let mut starts = Vec::with_capacity(count);
        for _ in 0..count {
            starts.push(self.at);
            pass(self)?;
        }
        Some(starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_table_can_be_read() {
        assert!(TABLE.len() <= 200_000, "{} bytes", TABLE.len());
        assert!(!conventions().unwrap().is_empty());
        let mut count = 0;
        for entry in entries().iter().filter(|entry| !entry.name.is_empty()) {
            let part = part(entry.name).unwrap();
            for (_, block) in part.types_of.iter().flatten() {
                let arena = Bump::new();
                let block = part.block(*block, &arena).unwrap();
                assert!(block.attributes.windows(2).all(|pair| pair[0].0 < pair[1].0));
                count += 1;
            }
        }
        assert!(count > 2_000, "{count} types");
    }

    #[test]
    fn facts_are_those_of_the_provider_and_its_beta_but_of_no_fork() {
        let arena = Bump::new();
        let found = |provider| resource(provider, "managed", "google_compute_instance", &arena).is_some();
        assert!(found("registry.terraform.io/hashicorp/google"));
        assert!(found("registry.opentofu.org/hashicorp/google-beta"));
        assert!(found("google"));
        assert!(found(""));
        assert!(!found("registry.terraform.io/fork/google"));
        assert!(!found("aws"));
        let secret = resource("aws", "managed", "aws_db_instance", &arena).unwrap();
        let password = secret.attributes.iter().find(|(name, _)| *name == "password").unwrap();
        assert!(password.1.sensitive);
    }
}

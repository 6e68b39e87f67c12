//! The text of the built-in schemas.
//!
//! Each type, attribute and block is a line with its name and a few letters for its type and flags. That is
//! less than half as long as the JSON of `providers schema -json`, and faster to parse.
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

use bumpalo::Bump;

use crate::schema::catalog::SchemaKind;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

/// The kinds of types, each with its letter.
pub(super) const KINDS: [(char, SchemaKind); 4] = [
    ('R', SchemaKind::Resource),
    ('D', SchemaKind::DataSource),
    ('E', SchemaKind::EphemeralResource),
    ('A', SchemaKind::Action),
];

/// The text in front of the block of a type. It is unique, because inside of blocks, no name follows one of
/// the letters for kinds.
pub(super) fn key(kind: SchemaKind, type_name: &str) -> Option<String> {
    let (letter, _) = KINDS.into_iter().find(|(_, known)| *known == kind)?;
    Some(format!("\n{type_name} {letter}"))
}

/// Parses the block at the start of a text.
pub(in crate::schema) fn block<'s>(text: &'s str, arena: &'s Bump) -> Option<Block<'s>> {
    Reader { rest: text, arena }.block()
}

/// Reads a text from its start.
struct Reader<'s> {
    rest: &'s str,
    arena: &'s Bump,
}

type Named<'s, T> = &'s [(&'s str, T)];

impl<'s> Reader<'s> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Whether the text goes on with `wanted`, which is then read.
    fn skip(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads the lines up to the closing brace. `read` gets each name, and reads what follows it.
    fn lines(&mut self, mut read: impl FnMut(&mut Self, &'s str) -> Option<()>) -> Option<()> {
        while !self.skip('}') {
            let (name, rest) = self.rest.split_once(' ')?;
            self.rest = rest;
            read(self, name)?;
            self.skip('\n').then_some(())?;
        }
        Some(())
    }

    fn named<T: Copy>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Named<'s, T>> {
        self.skip('{').then_some(())?;
        let mut found = Vec::new();
        self.lines(|reader, name| {
            found.push((name, read(reader)?));
            Some(())
        })?;
        Some(self.arena.alloc_slice_copy(&found))
    }

    fn block(&mut self) -> Option<Block<'s>> {
        self.skip('{').then_some(())?;
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        self.lines(|reader, name| {
            if reader.skip('%') {
                blocks.push((name, NestedBlock { nesting: reader.nesting()?, block: reader.block()? }));
            } else {
                attributes.push((name, reader.attribute()?));
            }
            Some(())
        })?;
        let arena = self.arena;
        Some(Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena))
    }

    fn attribute(&mut self) -> Option<Attribute<'s>> {
        let (sensitive, write_only) = (self.skip('!'), self.skip('?'));
        let kind = if self.skip('&') {
            let nesting = self.nesting()?;
            let attributes = self.named(Self::attribute)?;
            AttributeKind::Nested(NestedType::new(attributes, nesting, self.arena))
        } else {
            AttributeKind::Type(self.ty()?)
        };
        Some(Attribute { kind, sensitive, write_only, required: false })
    }

    fn nesting(&mut self) -> Option<Nesting> {
        let letter = self.next()?;
        Nesting::ALL.into_iter().find(|(.., known)| *known == letter).map(|(nesting, ..)| nesting)
    }

    fn ty(&mut self) -> Option<Type<'s>> {
        if self.rest.starts_with('{') {
            return self.named(Self::ty).map(Type::Object);
        }
        match self.next()? {
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

/// The types in a part, each with its kind.
pub(super) fn types(part: &str) -> impl Iterator<Item = (&str, SchemaKind)> {
    part.lines().filter_map(|line| {
        let (name, rest) = line.split_once(' ')?;
        let (letter, block) = rest.split_at_checked(1)?;
        let (_, kind) = KINDS.into_iter().find(|(known, _)| letter.starts_with(*known))?;
        block.starts_with('{').then_some((name, kind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_attributes_and_blocks() {
        let arena = Bump::new();
        let text = "{a !LMs\nb ?&e{c {d n\n}\n}\ne (sb)\nf %g{g d\n}\n}\nnext R{}";
        let block = block(text, &arena).unwrap();
        let [(_, a), (_, b), (_, e)] = block.attributes else { panic!("{block:?}") };
        assert_eq!(a.kind, AttributeKind::Type(Type::List(&Type::Map(&Type::String))));
        assert!(a.sensitive && !a.write_only && b.write_only);
        let AttributeKind::Nested(b) = b.kind else { panic!("{b:?}") };
        assert_eq!((b.nesting, b.attributes[0].0), (Nesting::Set, "c"));
        assert_eq!(e.kind, AttributeKind::Type(Type::Tuple(&[Type::String, Type::Bool])));
        let [("f", f)] = block.blocks else { panic!("{block:?}") };
        assert_eq!((f.nesting, f.block.attributes[0].0), (Nesting::Group, "g"));
    }

    #[test]
    fn what_is_malformed_is_no_block() {
        let arena = Bump::new();
        for text in ["", "{", "{a", "{a s", "{a s}", "{a x\n}", "{a %x{}\n}", "{a &l\n}", "{a (s\n}"] {
            assert_eq!(block(text, &arena), None, "{text:?}");
        }
    }
}

//! Diffs of blocks: resource instances and the blocks nested in them.

use super::object::{fits, fits_nesting, longest};
use super::{Differ, WhenUnknown, find, sensitive_action};
use crate::dialect::{EmptyStrings, UnknownBlocks};
use crate::diff::tree::{BlockGroup, Diff, DiffAction, Entry, Node, Slot};
use crate::diff::{Cursor, Mark, Unknown};
use crate::json::{Object, Value};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// Blocks, and their keys as in [`BlockGroup`].
type Blocks<'a> = (&'a [Diff<'a>], &'a [Option<&'a str>]);

impl<'a> Differ<'a> {
    /// The diff of a block.
    pub fn block(self, change: Cursor<'a>, schema: Block<'a>) -> Diff<'a> {
        let known = |change| self.known_block(change, schema);
        let again = |change| self.guarded(change, WhenUnknown::EveryAttribute, known, known);
        let diff = self.guarded(change, WhenUnknown::EveryAttribute, again, known);
        if let Node::Sensitive { inner, before, after, .. } = diff.node {
            return Diff { node: Node::SensitiveBlock { inner, before, after }, ..diff };
        }
        diff
    }

    fn known_block(self, change: Cursor<'a>, schema: Block<'a>) -> Diff<'a> {
        let change = Cursor { modern: change.modern || schema.facts.modern, ..change };
        let (attributes, mut action) = self.block_attributes(change, schema);
        let mut groups = Vec::new();
        let mut unknown = Vec::new();
        for (name, nested) in self.named(change, schema.blocks, &[]) {
            let child = change.key(name, self.arena).if_relevant();
            // If a block is unknown as a whole, only its attributes are shown as unknown.
            let child = Cursor {
                unknown: if change.unknown == Unknown::EveryChild { Unknown::NOT } else { child.unknown },
                ..child
            };
            if let Some((group, group_action)) = self.group(name, child, *nested, schema, change) {
                action = action.fold(group_action);
                if self.is_listed_as_unknown(child, *nested) {
                    unknown.push(groups.len());
                }
                groups.push(group);
            }
        }
        for at in unknown {
            groups[at] = self.with_unknown_block(groups[at], action);
        }
        let groups = self.arena.alloc_slice_copy(&groups);
        Self::container(change, action, Node::Block { attributes, groups })
    }

    /// The attributes of a block, and the action on it as far as they determine it.
    fn block_attributes(self, change: Cursor<'a>, schema: Block<'a>) -> (&'a [Entry<'a>], DiffAction) {
        let is_block = |name: &str| find(schema.blocks, name).is_some();
        let mut action = change.own_action();
        let mut attributes = Vec::new();
        let mut write_only = Vec::new();
        let named = self.named(change, schema.attributes, schema.facts.write_only);
        let named = named.map(|(key, attribute)| (*key, Some(*attribute)));
        let rest = self.unnamed(change, schema.attributes, schema.facts, is_block).map(|key| (key, None));
        for (key, attribute) in named.chain(rest) {
            let child = self.block_attribute(change.key(key, self.arena).if_relevant());
            let attribute = attribute.unwrap_or_else(|| child.scalar_attribute());
            if attribute.write_only && self.dialect.knows_write_only() {
                write_only.push((attributes.len(), key, child));
                continue;
            }
            let diff = self.attribute(child, attribute);
            if diff.action == DiffAction::NoOp && child.is_null() {
                continue; // null on both sides does not count as unchanged
            }
            action = action.fold(diff.action);
            attributes.push(Entry { key, diff });
        }
        for (place, key, child) in write_only.into_iter().rev() {
            attributes.insert(place, Entry { key, diff: self.write_only(change, child, action, false) });
        }
        if schema.facts.open {
            crate::sort::by_key(&mut attributes, |entry| entry.key);
        }
        (self.arena.alloc_slice_copy(&attributes), action)
    }

    /// The change of an attribute as that of an attribute of a block.
    pub(super) fn block_attribute(self, child: Cursor<'a>) -> Cursor<'a> {
        let child = child.implicit();
        match self.dialect.empty_strings() {
            EmptyStrings::NullInBlocks => {
                let nulled = |slot| if slot == Slot::Value(Value::String("")) { Slot::Absent } else { slot };
                Cursor { before: nulled(child.before), after: nulled(child.after), ..child }
            }
            EmptyStrings::NullUnlessModern => child,
        }
    }

    /// The nested blocks of one type; `None` if neither side has any.
    fn group(
        self,
        name: &'a str,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        parent: Cursor<'a>,
    ) -> Option<(BlockGroup<'a>, DiffAction)> {
        let unlisted = Cursor { unknown: Unknown::NOT, ..change };
        let sensitive = (change.is_before_sensitive(), change.is_after_sensitive());
        let replace = change.replace.matches();
        let ((blocks, keys), action) = match self.dialect.unknown_blocks() {
            UnknownBlocks::AsParentAttributes | UnknownBlocks::AsOwnAttributes if change.is_unknown() => {
                let attributes = if self.dialect.unknown_blocks() == UnknownBlocks::AsOwnAttributes {
                    self.closed(nested.block, change)
                } else {
                    self.closed(schema, parent)
                };
                let blocks = self.as_attributes(change, nested, attributes, sensitive)?;
                // Upstream does not propagate the action to the enclosing block.
                return Some((
                    BlockGroup { name, sensitive, replace, blocks, keys: &[] },
                    parent.own_action(),
                ));
            }
            UnknownBlocks::BesideDeleted | UnknownBlocks::NotShown
                if change.is_unknown() && !is_single(nested.nesting) =>
            {
                self.known_group(unlisted, nested, sensitive)
            }
            UnknownBlocks::AsParentAttributes
            | UnknownBlocks::AsOwnAttributes
            | UnknownBlocks::BesideDeleted
            | UnknownBlocks::NotShown => self.known_group(change, nested, sensitive),
        };
        // The action of a single block includes its mark; in a collection of blocks, upstream overlooks it.
        let action = if is_single(nested.nesting) && sensitive.0 != sensitive.1 {
            sensitive_action(change, action, true)
        } else {
            action
        };
        // In releases that show unknown blocks, a null that becomes unknown counts as an unchanged block.
        let is_kept = change.is_unknown() && self.dialect.unknown_blocks() == UnknownBlocks::BesideDeleted;
        if action == DiffAction::NoOp && change.is_null() && !is_kept {
            return None;
        }
        Some((BlockGroup { name, sensitive, replace, blocks, keys }, action))
    }

    /// The block as a sensitive block, if its whole type is marked as sensitive.
    pub(super) fn covered(self, block: Diff<'a>, (before, after): (bool, bool)) -> Diff<'a> {
        let is_covered = match block.action {
            DiffAction::Create => after,
            DiffAction::Delete => before,
            DiffAction::Update | DiffAction::NoOp => before || after,
        };
        if !is_covered {
            return block;
        }
        let action = if block.action == DiffAction::NoOp && before != after {
            DiffAction::Update
        } else {
            block.action
        };
        let inner = self.arena.alloc(block);
        Diff { action, replace: inner.replace, node: Node::SensitiveBlock { inner, before, after } }
    }

    fn known_group(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        sensitive: (bool, bool),
    ) -> (Blocks<'a>, DiffAction) {
        if !fits_nesting(change.before, nested.nesting) || !fits_nesting(change.after, nested.nesting) {
            return self.misfit_group(change, nested, sensitive);
        }
        // A mark on the whole type belongs to the group; the blocks are compared without it.
        let change = change.without_covering();
        let block = |child| self.block(child, nested.block);
        let (blocks, action) = match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let diff = block(change);
                (self.arena.alloc_slice_copy(&[diff]), diff.action)
            }
            Nesting::List => self.by_index(change, longest(change), |_, child| block(child)),
            Nesting::Set => self.matched(change, block),
            Nesting::Map => {
                // A key that occurs only in the marks is not a block.
                let keys = change.value_keys(self.arena);
                let (entries, action) = self.keyed(change, keys, block);
                let blocks = entries.iter().map(|entry| self.covered(entry.diff, sensitive));
                let blocks = self.arena.alloc_slice_fill_iter(blocks);
                let keys = self.arena.alloc_slice_fill_iter(keys.iter().map(|key| Some(*key)));
                return ((blocks, keys), action);
            }
        };
        blocks.iter_mut().for_each(|block| *block = self.covered(*block, sensitive));
        ((blocks, &[]), action)
    }

    /// Blocks whose values do not have the nesting of the schema (an object instead of a list, or the
    /// reverse). Each side is treated as a list, so that nothing is lost.
    fn misfit_group(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        sensitive: (bool, bool),
    ) -> (Blocks<'a>, DiffAction) {
        let count = |slot: Slot<'a>| slot.value().as_array().map_or(1, <[_]>::len);
        let child = |at: usize| {
            // A single object has the marks of the whole value.
            let side = |whole: (Slot<'a>, Mark<'a>), element| match whole.0.value().as_array() {
                Some(_) => element,
                None if at == 0 => whole,
                None => (Slot::Absent, Mark::NONE),
            };
            let element = change.index(at, at, self.arena);
            let (before, before_sensitive) =
                side((change.before, change.before_sensitive), (element.before, element.before_sensitive));
            let (after, after_sensitive) =
                side((change.after, change.after_sensitive), (element.after, element.after_sensitive));
            Cursor { before, before_sensitive, after, after_sensitive, ..element }
        };
        let mut action = change.own_action();
        let blocks: Vec<_> = (0..count(change.before).max(count(change.after)))
            .map(|at| {
                let diff = self.block(child(at), nested.block);
                action = action.fold(diff.action);
                self.covered(diff, sensitive)
            })
            .collect();
        ((self.arena.alloc_slice_copy(&blocks), &[]), action)
    }

    /// The change with a mark on every member of the value before that is sensitive, or contains a sensitive
    /// value, according to the schema of `nested`. Needed where the value is compared by another schema.
    fn marked_by_schema(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Cursor<'a> {
        let Some(object) = change.before.value().as_object().filter(|_| nested.block.facts.has_sensitive)
        else {
            return change;
        };
        let is_hidden = |name: &str| match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let (attributes, blocks) = (nested.block.attributes, nested.block.blocks);
                find(attributes, name).is_some_and(|(_, attribute)| attribute.has_sensitive())
                    || find(blocks, name).is_some_and(|(_, nested)| nested.block.facts.has_sensitive)
            }
            Nesting::List | Nesting::Set | Nesting::Map => true,
        };
        let marks = self.arena.alloc_slice_fill_iter(object.members().iter().map(|(name, _)| {
            let own = change.before_sensitive.key(name).value();
            (*name, if is_hidden(name) { Value::Bool(true) } else { own })
        }));
        Cursor { before_sensitive: Mark::new(Value::Object(Object::from_sorted(marks))), ..change }
    }

    /// A block's value with each member that does not fit `schema`, the schema of another block, replaced
    /// by an empty collection, which upstream takes it for.
    fn with_empty_misfits(self, slot: Slot<'a>, schema: Block<'a>) -> Slot<'a> {
        let Some(object) = slot.value().as_object() else { return slot };
        let fitting = |name: &str, value: Value<'a>| {
            let slot = Slot::new(Some(value));
            let has_keys = match (find(schema.attributes, name), find(schema.blocks, name)) {
                (Some((_, Attribute { kind: AttributeKind::Type(ty), .. })), _) if !fits(slot, *ty) => {
                    match ty {
                        Type::List(_) | Type::Set(_) | Type::Tuple(_) => false,
                        Type::Map(_) | Type::Object(_) => true,
                        Type::Bool | Type::Number | Type::String | Type::Dynamic => return value,
                    }
                }
                (
                    Some((_, Attribute { kind: AttributeKind::Nested(NestedBlock { nesting, .. }), .. })),
                    _,
                )
                | (None, Some((_, NestedBlock { nesting, .. })))
                    if !fits_nesting(slot, *nesting) =>
                {
                    is_single(*nesting) || *nesting == Nesting::Map
                }
                _ => return value,
            };
            if has_keys { Value::Object(Object::from_sorted(&[])) } else { Value::Array(&[]) }
        };
        let members = object.members().iter().map(|(name, value)| (*name, fitting(name, *value)));
        Slot::Value(Value::Object(Object::from_sorted(self.arena.alloc_slice_fill_iter(members))))
    }

    /// Whether the blocks of this type are shown as one `(known after apply)` line and the existing blocks.
    fn is_listed_as_unknown(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> bool {
        let are_beside = self.dialect.unknown_blocks() == UnknownBlocks::BesideDeleted;
        are_beside && change.is_unknown() && !is_single(nested.nesting)
    }

    /// Prepends that line to the group, with the action of the enclosing block.
    fn with_unknown_block(self, group: BlockGroup<'a>, action: DiffAction) -> BlockGroup<'a> {
        let unknown = Diff { action, replace: group.replace, node: Node::Unknown { before: None } };
        let blocks = [&[self.covered(unknown, group.sensitive)], group.blocks].concat();
        let keys = if group.keys.is_empty() { Vec::new() } else { [&[None], group.keys].concat() };
        BlockGroup {
            blocks: self.arena.alloc_slice_copy(&blocks),
            keys: self.arena.alloc_slice_copy(&keys),
            ..group
        }
    }

    /// The schema, with all attributes of `change` if it is open.
    fn closed(self, schema: Block<'a>, change: Cursor<'a>) -> Block<'a> {
        if !schema.facts.open {
            return schema;
        }
        let is_block = |name: &str| find(schema.blocks, name).is_some();
        let rest = self
            .unnamed(change, schema.attributes, schema.facts, is_block)
            .map(|key| (key, change.key(key, self.arena).scalar_attribute()));
        let mut attributes: Vec<_> = schema.attributes.iter().copied().chain(rest).collect();
        crate::sort::by_key(&mut attributes, |(name, _)| *name);
        Block::new(self.arena.alloc_slice_copy(&attributes), schema.blocks, self.arena)
    }

    /// One block with the attributes of `schema`, each of them unknown; `None` if an explicit null becomes
    /// unknown, which upstream takes for no change.
    fn as_attributes(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        sensitive: (bool, bool),
    ) -> Option<&'a [Diff<'a>]> {
        let marked = self.marked_by_schema(change, nested);
        let before = self.with_empty_misfits(marked.before, schema);
        let marked = Cursor { before, ..marked };
        let block = |change| self.known_block(change, schema);
        let diff = self.unknown(marked, WhenUnknown::EveryAttribute, &block);
        if diff.action == DiffAction::NoOp && change.is_null() {
            return None;
        }
        Some(self.arena.alloc_slice_copy(&[self.covered(diff, sensitive)]))
    }
}

/// Whether there is at most one block of the type.
fn is_single(nesting: Nesting) -> bool {
    match nesting {
        Nesting::Single | Nesting::Group => true,
        Nesting::List | Nesting::Set | Nesting::Map => false,
    }
}

//! Diffs of resource instances and the blocks nested in them.
//!
//! Invariant: entries and groups are sorted by name, and unchanged blocks are in the tree, too.
//!
//! For example, for a nested block `disk` in a list:
//!
//! ```text
//! before   [{"size": 1}]
//! after    [{"size": 2}, {"size": 3}]
//! group    disk: an update (size 1 -> 2), a creation (size 3)
//! ```

use super::cursor::Side;
use super::object::{fits, fits_nesting, longest};
use super::tree::{BlockGroup, Diff, DiffAction, Entry, Node};
use super::{Cursor, Differ, Mark, Unknown, find, sensitive_action};
use crate::dialect::UnknownBlocks;
use crate::json::{Object, Value};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// The nested blocks of one type.
struct Blocks<'a> {
    /// Their diffs.
    blocks: &'a [Diff<'a>],
    /// Their keys, if they are in a map; else it is empty.
    keys: &'a [Option<&'a str>],
    /// The action of all of them.
    action: DiffAction,
}

impl<'a> Differ<'a> {
    /// Compares both sides of a block: its attributes and its nested blocks.
    pub fn block(self, change: Cursor<'a>, schema: Block<'a>) -> Diff<'a> {
        let known = |change| self.known_block(change, schema);
        let again = |change| self.with_marks(change, Unknown::EveryChild, known, known);
        let diff = self.with_marks(change, Unknown::EveryChild, again, known);
        if let Node::Sensitive {
            inner,
            before,
            after,
            lacks_schema,
            is_block: _,
        } = diff.node
        {
            return Diff {
                node: Node::Sensitive {
                    inner,
                    before,
                    after,
                    lacks_schema,
                    is_block: true,
                },
                ..diff
            };
        }
        diff
    }

    /// Computes the diff of a block that is neither sensitive nor unknown as a whole.
    fn known_block(self, change: Cursor<'a>, schema: Block<'a>) -> Diff<'a> {
        let change = Cursor {
            modern: change.modern || schema.facts.modern,
            ..change
        };
        let (attributes, mut action) = self.block_attributes(change, schema);
        let mut groups = Vec::new();
        let mut unknown = Vec::new();
        for (name, nested) in self.named(change, schema.blocks, &[]) {
            let child = change.key(name, self.arena).if_relevant();
            // If the block is unknown as a whole, only its attributes are shown as unknown, and not its nested blocks.
            let child = Cursor {
                unknown: if change.unknown == Unknown::EveryChild {
                    Unknown::NOT
                } else {
                    child.unknown
                },
                ..child
            };
            if let Some((group, group_action)) = self.group(name, child, *nested, schema, change) {
                action = action.fold(group_action);
                let are_with_deleted = self.dialect.unknown_blocks() == UnknownBlocks::WithDeleted;
                if are_with_deleted && child.is_unknown() && !is_single(nested.nesting) {
                    unknown.push(groups.len());
                }
                groups.push(group);
            }
        }
        for index in unknown {
            groups[index] = self.with_unknown_block(groups[index], action);
        }
        let groups = self.arena.alloc_slice_copy(&groups);
        Self::container(change, action, Node::Block { attributes, groups })
    }

    /// Computes the diffs of the attributes of a block, and the action on the block as far as they determine it. The
    /// action of a write-only attribute may be that of the others, so these come last.
    fn block_attributes(
        self,
        change: Cursor<'a>,
        schema: Block<'a>,
    ) -> (&'a [Entry<'a>], DiffAction) {
        let is_block = |name: &str| find(schema.blocks, name).is_some();
        let mut action = change.own_action();
        let mut attributes = Vec::new();
        let mut write_only = Vec::new();
        let named = self.named(change, schema.attributes, schema.facts.write_only);
        let named = named.map(|(key, attribute)| (*key, Some(*attribute)));
        let rest = self
            .unnamed(change, schema.attributes, schema.facts, is_block)
            .map(|key| (key, None));
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
        for (position, key, child) in write_only.into_iter().rev() {
            attributes.insert(
                position,
                Entry {
                    key,
                    diff: self.write_only(change, child, action, false),
                },
            );
        }
        if schema.facts.open {
            attributes.sort_by_key(|entry| entry.key);
        }
        (self.arena.alloc_slice_copy(&attributes), action)
    }

    /// Returns the cursor over an attribute of a block, in which null and absence are the same, and for older releases
    /// also the empty string.
    pub(super) fn block_attribute(self, child: Cursor<'a>) -> Cursor<'a> {
        let child = child.implicit();
        if self.dialect.nulls_empty_strings_by_schema() {
            child
        } else {
            child.with_null_for_empty()
        }
    }

    /// Computes the diff of the nested blocks of one type, and the action that they contribute to the enclosing block.
    ///
    /// `None` if neither side has any block of the type.
    fn group(
        self,
        name: &'a str,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        parent: Cursor<'a>,
    ) -> Option<(BlockGroup<'a>, DiffAction)> {
        let sensitive = (change.before.is_sensitive(), change.after.is_sensitive());
        let replace = change.replace.matches();
        if let Some(attributes) = self.attributes_of_unknown(change, nested, schema, parent) {
            let group = BlockGroup {
                name,
                sensitive,
                replace,
                blocks: self.as_attributes(change, nested, attributes, sensitive)?,
                keys: &[],
            };
            // Upstream does not propagate the action to the enclosing block.
            return Some((group, parent.own_action()));
        }
        let are_unknown = change.is_unknown() && !is_single(nested.nesting);
        let known = if are_unknown {
            Cursor {
                unknown: Unknown::NOT,
                ..change
            }
        } else {
            change
        };
        let Blocks {
            blocks,
            keys,
            action,
        } = self.known_group(known, nested, sensitive);
        // The action of a single block includes a change of its mark; in a collection of blocks, upstream overlooks
        // that change.
        let action = if is_single(nested.nesting) && sensitive.0 != sensitive.1 {
            sensitive_action(change, action, true)
        } else {
            action
        };
        // In releases that show unknown blocks, a null that becomes unknown counts as an unchanged block.
        let is_kept =
            change.is_unknown() && self.dialect.unknown_blocks() == UnknownBlocks::WithDeleted;
        if action == DiffAction::NoOp && change.is_null() && !is_kept {
            return None;
        }
        Some((
            BlockGroup {
                name,
                sensitive,
                replace,
                blocks,
                keys,
            },
            action,
        ))
    }

    /// Returns the schema whose attributes an unknown group is shown with, in releases that show such a group as one
    /// block; `None` in other releases, and if the group is not unknown.
    fn attributes_of_unknown(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        parent: Cursor<'a>,
    ) -> Option<Block<'a>> {
        if !change.is_unknown() {
            return None;
        }
        match self.dialect.unknown_blocks() {
            UnknownBlocks::AsOwnAttributes => Some(self.closed(nested.block, change)),
            UnknownBlocks::AsParentAttributes => Some(self.closed(schema, parent)),
            UnknownBlocks::WithDeleted | UnknownBlocks::NotShown => None,
        }
    }

    /// Wraps a block as sensitive if the mark of its group hides a side that the block shows. `before` and `after` say
    /// which sides the mark hides.
    pub(super) fn covered(self, block: Diff<'a>, (before, after): (bool, bool)) -> Diff<'a> {
        let is_covered = match block.action {
            DiffAction::Create => after,
            DiffAction::Delete => before,
            DiffAction::Update | DiffAction::NoOp => before || after,
        };
        if !is_covered {
            return block;
        }
        let is_marked_anew = block.action == DiffAction::NoOp && before != after;
        let action = if is_marked_anew {
            DiffAction::Update
        } else {
            block.action
        };
        let inner = self.arena.alloc(block);
        let node = Node::Sensitive {
            inner,
            before,
            after,
            lacks_schema: false,
            is_block: true,
        };
        Diff {
            action,
            replace: inner.replace,
            node,
        }
    }

    /// Computes the diffs of the nested blocks of one type according to their nesting, with their keys in a map, and
    /// the action of all of them.
    ///
    /// A value whose shape does not fit the nesting is compared as a list.
    fn known_group(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        sensitive: (bool, bool),
    ) -> Blocks<'a> {
        // A mark on all blocks of the type belongs to the group.
        let change = change.without_covering();
        let fits = |side: Side<'a>| fits_nesting(side.value(), nested.nesting);
        let (change, nesting) = if fits(change.before) && fits(change.after) {
            (change, nested.nesting)
        } else {
            (change.each_side(|side| self.as_list(side)), Nesting::List)
        };
        let block = |child| self.block(child, nested.block);
        let (blocks, action) = match nesting {
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
                let blocks = entries
                    .iter()
                    .map(|entry| self.covered(entry.diff, sensitive));
                let blocks = self.arena.alloc_slice_fill_iter(blocks);
                let keys = self
                    .arena
                    .alloc_slice_fill_iter(keys.iter().map(|key| Some(*key)));
                return Blocks {
                    blocks,
                    keys,
                    action,
                };
            }
        };
        blocks
            .iter_mut()
            .for_each(|block| *block = self.covered(*block, sensitive));
        Blocks {
            blocks,
            keys: &[],
            action,
        }
    }

    /// Returns a side as a list with one element, unless it is a list. This is for values that do not have the nesting
    /// of the schema (an object instead of a list, or the reverse), so that nothing is lost.
    fn as_list(self, side: Side<'a>) -> Side<'a> {
        if side.is_none() || side.value().as_array().is_some() {
            return side;
        }
        let list = |only| Value::Array(self.arena.alloc([only]));
        Side {
            slot: Some(list(side.value())),
            mark: Mark::new(list(side.mark.value())),
        }
    }

    /// Marks every member of the value before that is sensitive according to `nested`, or contains such a value. This
    /// is needed where the value is compared by another schema.
    fn marked_by_schema(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Cursor<'a> {
        let Some(object) = change
            .before
            .value()
            .as_object()
            .filter(|_| nested.block.facts.has_sensitive)
        else {
            return change;
        };
        let is_hidden = |name: &str| match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let (attributes, blocks) = (nested.block.attributes, nested.block.blocks);
                find(attributes, name).is_some_and(|(_, attribute)| attribute.has_sensitive())
                    || find(blocks, name)
                        .is_some_and(|(_, nested)| nested.block.facts.has_sensitive)
            }
            Nesting::List | Nesting::Set | Nesting::Map => true,
        };
        let marks = self
            .arena
            .alloc_slice_fill_iter(object.members().iter().map(|(name, _)| {
                let mark = change.before.mark.key(name).value();
                (
                    *name,
                    if is_hidden(name) {
                        Value::Bool(true)
                    } else {
                        mark
                    },
                )
            }));
        let mark = Mark::new(Value::Object(Object::from_sorted(marks)));
        Cursor {
            before: Side {
                mark,
                ..change.before
            },
            ..change
        }
    }

    /// Replaces each member that does not fit `schema`, the schema of another block, by an empty collection, because
    /// upstream treats it as one.
    fn with_empty_misfits(self, value: Value<'a>, schema: Block<'a>) -> Value<'a> {
        let Some(object) = value.as_object() else {
            return value;
        };
        let fitting = |name: &str, value: Value<'a>| {
            let has_keys = match (find(schema.attributes, name), find(schema.blocks, name)) {
                (
                    Some((
                        _,
                        Attribute {
                            kind: AttributeKind::Type(ty),
                            ..
                        },
                    )),
                    _,
                ) if !fits(value, *ty) => match ty {
                    Type::List(_) | Type::Set(_) | Type::Tuple(_) => false,
                    Type::Map(_) | Type::Object(_) => true,
                    Type::Bool | Type::Number | Type::String | Type::Dynamic => return value,
                },
                (
                    Some((
                        _,
                        Attribute {
                            kind: AttributeKind::Nested(NestedBlock { nesting, .. }),
                            ..
                        },
                    )),
                    _,
                )
                | (None, Some((_, NestedBlock { nesting, .. })))
                    if !fits_nesting(value, *nesting) =>
                {
                    is_single(*nesting) || *nesting == Nesting::Map
                }
                _ => return value,
            };
            if has_keys {
                Value::Object(Object::from_sorted(&[]))
            } else {
                Value::Array(&[])
            }
        };
        let members = object
            .members()
            .iter()
            .map(|(name, value)| (*name, fitting(name, *value)));
        Value::Object(Object::from_sorted(
            self.arena.alloc_slice_fill_iter(members),
        ))
    }

    /// Puts an unknown block before the other blocks of a group, which are the deleted ones.
    fn with_unknown_block(self, group: BlockGroup<'a>, action: DiffAction) -> BlockGroup<'a> {
        let unknown = Diff {
            action,
            replace: group.replace,
            node: Node::Unknown { before: None },
        };
        let blocks = [&[self.covered(unknown, group.sensitive)], group.blocks].concat();
        let keys = if group.keys.is_empty() {
            Vec::new()
        } else {
            [&[None], group.keys].concat()
        };
        BlockGroup {
            blocks: self.arena.alloc_slice_copy(&blocks),
            keys: self.arena.alloc_slice_copy(&keys),
            ..group
        }
    }

    /// Adds an attribute to the schema for each key that only the values have, if the schema is open to such keys.
    fn closed(self, schema: Block<'a>, change: Cursor<'a>) -> Block<'a> {
        if !schema.facts.open {
            return schema;
        }
        let is_block = |name: &str| find(schema.blocks, name).is_some();
        let rest = self
            .unnamed(change, schema.attributes, schema.facts, is_block)
            .map(|key| (key, change.key(key, self.arena).scalar_attribute()));
        let mut attributes: Vec<_> = schema.attributes.iter().copied().chain(rest).collect();
        attributes.sort_by_key(|(name, _)| *name);
        Block::new(
            self.arena.alloc_slice_copy(&attributes),
            schema.blocks,
            self.arena,
        )
    }

    /// Computes the diff of an unknown group as if it were one block with the attributes of `schema`, as upstream does.
    ///
    /// `None` if an explicit null becomes unknown, which upstream does not treat as a change.
    fn as_attributes(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        sensitive: (bool, bool),
    ) -> Option<&'a [Diff<'a>]> {
        let marked = self.marked_by_schema(change, nested);
        let slot = marked
            .before
            .slot
            .map(|value| self.with_empty_misfits(value, schema));
        let marked = Cursor {
            before: Side {
                slot,
                ..marked.before
            },
            ..marked
        };
        let block = |change| self.known_block(change, schema);
        let diff = self.unknown(marked, Unknown::EveryChild, &block);
        if diff.action == DiffAction::NoOp && change.is_null() {
            return None;
        }
        Some(
            self.arena
                .alloc_slice_copy(&[self.covered(diff, sensitive)]),
        )
    }
}

fn is_single(nesting: Nesting) -> bool {
    matches!(nesting, Nesting::Single | Nesting::Group)
}

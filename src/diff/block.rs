//! Blocks: resource instances, and the blocks nested in them.

use super::object::{fits_nesting, is_secret};
use super::{Differ, WhenUnknown, sensitive_action};
use crate::diff::tree::{Action, BlockGroup, Diff, Entry, Node, Slot};
use crate::diff::{Change, Mark, Unknown};
use crate::json::{Object, Value};
use crate::model::dialect::{EmptyStrings, UnknownBlocks};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

impl<'a> Differ<'a> {
    /// The diff of a block.
    pub fn block(self, change: Change<'a>, schema: Block<'a>) -> Diff<'a> {
        let diff =
            self.guarded(change, WhenUnknown::EveryAttribute, |change| self.known_block(change, schema));
        if let Node::Sensitive { inner, before, after } = diff.node {
            return Diff { node: Node::SensitiveBlock { inner, before, after }, ..diff };
        }
        diff
    }

    fn known_block(self, change: Change<'a>, schema: Block<'a>) -> Diff<'a> {
        let change = Change { modern: change.modern || is_modern(schema), ..change };
        let mut action = change.own_action();
        let mut attributes = Vec::with_capacity(schema.attributes.len());
        let mut write_only = Vec::new();
        for (key, attribute) in schema.attributes {
            let child = self.block_attribute(change, key);
            if attribute.write_only {
                write_only.push((attributes.len(), *key, child));
                continue;
            }
            let diff = self.attribute(child, *attribute);
            if diff.action == Action::NoOp && child.is_null() {
                continue; // null on both sides is not even counted as unchanged
            }
            action = action.fold(diff.action);
            attributes.push(Entry { key, diff });
        }
        for (place, key, child) in write_only.into_iter().rev() {
            attributes.insert(place, Entry { key, diff: self.write_only(change, child, action, false) });
        }
        let mut groups = Vec::with_capacity(schema.blocks.len());
        for (name, nested) in schema.blocks {
            let child = change.key(name, self.arena).if_relevant();
            if let Some((group, group_action)) = self.group(name, child, *nested, schema, change) {
                action = action.fold(group_action);
                groups.push(group);
            }
        }
        let attributes = self.arena.alloc_slice_copy(&attributes);
        let groups = self.arena.alloc_slice_copy(&groups);
        Diff { action, replace: change.replace.matches(), node: Node::Block { attributes, groups } }
    }

    fn block_attribute(self, change: Change<'a>, key: &str) -> Change<'a> {
        let child = change.key(key, self.arena).if_relevant().implicit();
        match self.dialect.empty_strings() {
            EmptyStrings::NullInBlocks => {
                let nulled = |slot| if slot == Slot::Value(Value::String("")) { Slot::Absent } else { slot };
                Change { before: nulled(child.before), after: nulled(child.after), ..child }
            }
            EmptyStrings::NullUnlessModern => child,
        }
    }

    /// The nested blocks of one type, or none if there never were any.
    fn group(
        self,
        name: &'a str,
        change: Change<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        parent: Change<'a>,
    ) -> Option<(BlockGroup<'a>, Action)> {
        // Of a block that is unknown as a whole, only the attributes are shown as unknown.
        let change = Change {
            unknown: if parent.unknown == Unknown::EveryChild { Unknown::NOT } else { change.unknown },
            ..change
        };
        let (blocks, action) = if change.is_unknown() {
            self.unknown_group(change, nested, schema, parent)
        } else {
            self.known_group(change, nested)
        };
        if action == Action::NoOp && change.is_null() {
            return None;
        }
        let sensitive = (change.is_before_sensitive(), change.is_after_sensitive());
        let action = if sensitive.0 == sensitive.1 { action } else { sensitive_action(change, action, true) };
        let blocks = self.arena.alloc_slice_fill_iter(
            blocks.into_iter().map(|(key, block)| (key, self.covered(block, sensitive))),
        );
        Some((BlockGroup { name, sensitive, replace: change.replace.matches(), blocks }, action))
    }

    /// The block as a secret, where its whole type is marked as one.
    fn covered(self, block: Diff<'a>, (before, after): (bool, bool)) -> Diff<'a> {
        let is_covered = match block.action {
            Action::Create => after,
            Action::Delete => before,
            Action::Update | Action::NoOp => before || after,
        };
        if !is_covered {
            return block;
        }
        let action =
            if block.action == Action::NoOp && before != after { Action::Update } else { block.action };
        let inner = self.arena.alloc(block);
        Diff { action, replace: inner.replace, node: Node::SensitiveBlock { inner, before, after } }
    }

    fn known_group(
        self,
        change: Change<'a>,
        nested: NestedBlock<'a>,
    ) -> (Vec<(Option<&'a str>, Diff<'a>)>, Action) {
        if !fits_nesting(change.before, nested.nesting) || !fits_nesting(change.after, nested.nesting) {
            return self.misfit_group(change, nested);
        }
        // A mark on the whole type is the group's: the blocks themselves are computed without it.
        let change = change.without_covering();
        let block = |change| self.block(change, nested.block);
        let unkeyed = |(items, action): (&'a [Diff<'a>], Action)| {
            (items.iter().map(|diff| (None, *diff)).collect(), action)
        };
        match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let diff = block(change.implicit());
                (vec![(None, diff)], diff.action)
            }
            Nesting::List => unkeyed(self.by_index(change, block)),
            Nesting::Set => unkeyed(self.matched(change, block)),
            Nesting::Map => {
                let (entries, action) = self.keyed(change, change.keys(self.arena), block);
                (entries.iter().map(|entry| (Some(entry.key), entry.diff)).collect(), action)
            }
        }
    }

    /// Blocks that are held otherwise than the schema says (a single object for a list, or the
    /// reverse): each side is brought to a list, so that nothing of it is lost.
    fn misfit_group(
        self,
        change: Change<'a>,
        nested: NestedBlock<'a>,
    ) -> (Vec<(Option<&'a str>, Diff<'a>)>, Action) {
        let count = |slot: Slot<'a>| slot.value().as_array().map_or(1, <[_]>::len);
        let child = |at: usize| {
            // A block that stands by itself has the marks of the whole.
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
            Change { before, before_sensitive, after, after_sensitive, ..element }
        };
        let mut action = change.own_action();
        let blocks = (0..count(change.before).max(count(change.after)))
            .map(|at| {
                let diff = self.block(child(at), nested.block);
                action = action.fold(diff.action);
                (None, diff)
            })
            .collect();
        (blocks, action)
    }

    /// The change with a mark on every member before that is, or holds, a secret by the block's own
    /// schema: for where it is shown by another one.
    fn marked_by_schema(self, change: Change<'a>, nested: NestedBlock<'a>) -> Change<'a> {
        let Some(object) = change.before.value().as_object().filter(|_| has_secrets(nested.block)) else {
            return change;
        };
        let is_hidden = |name: &str| match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let attributes = nested.block.attributes.iter();
                let blocks = nested.block.blocks.iter();
                attributes.filter(|(key, _)| *key == name).any(|(_, attribute)| is_secret(attribute))
                    || blocks.filter(|(key, _)| *key == name).any(|(_, nested)| has_secrets(nested.block))
            }
            Nesting::List | Nesting::Set | Nesting::Map => true,
        };
        let marks = self.arena.alloc_slice_fill_iter(object.members().iter().map(|(name, _)| {
            let own = change.before_sensitive.key(name).value();
            (*name, if is_hidden(name) { Value::Bool(true) } else { own })
        }));
        Change { before_sensitive: Mark::new(Value::Object(Object::from_sorted(marks))), ..change }
    }

    fn unknown_group(
        self,
        change: Change<'a>,
        nested: NestedBlock<'a>,
        schema: Block<'a>,
        parent: Change<'a>,
    ) -> (Vec<(Option<&'a str>, Diff<'a>)>, Action) {
        let replace = change.replace.matches();
        let unknown = |action| Diff { action, replace, node: Node::Unknown { before: None } };
        match self.dialect.unknown_blocks() {
            UnknownBlocks::ThenDeleted => {
                let action = if parent.before.is_none() { Action::Create } else { Action::Update };
                let (mut blocks, _) = self.known_group(change.as_delete(), nested);
                if change.before.is_none() {
                    blocks.clear();
                }
                blocks.insert(0, (None, unknown(action)));
                (blocks, action)
            }
            UnknownBlocks::AsParentAttributes if change.before.is_none() => {
                (vec![(None, unknown(Action::Create))], Action::Create)
            }
            UnknownBlocks::AsParentAttributes => {
                let marked = self.marked_by_schema(change, nested);
                let diff = self.unless_unknown(marked, WhenUnknown::EveryAttribute, |change| {
                    self.known_block(change, schema)
                });
                // Upstream shows the update but does not count it as one of what holds the block.
                (vec![(None, diff)], parent.own_action())
            }
        }
    }
}

/// Whether any part of a block is a secret by its schema.
fn has_secrets(block: Block<'_>) -> bool {
    block.attributes.iter().any(|(_, attribute)| is_secret(attribute))
        || block.blocks.iter().any(|(_, nested)| has_secrets(nested.block))
}

/// Whether a block's schema uses what the legacy SDK could not express; Terraform then trusts it to
/// tell null from the empty string.
fn is_modern(schema: Block<'_>) -> bool {
    let modern_block = |nested: &NestedBlock<'_>| matches!(nested.nesting, Nesting::Map | Nesting::Group);
    schema.blocks.iter().any(|(_, nested)| modern_block(nested))
        || schema.attributes.iter().any(|(_, attribute)| is_modern_attribute(attribute))
}

fn is_modern_attribute(attribute: &Attribute<'_>) -> bool {
    match attribute.kind {
        AttributeKind::Nested(_) => true,
        AttributeKind::Type(ty) => match ty {
            Type::Tuple(_) | Type::Object(_) => true,
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                has_dynamic(*element) || is_nested_collection(*element)
            }
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
        },
    }
}

fn is_nested_collection(ty: Type<'_>) -> bool {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            !matches!(element, Type::Bool | Type::Number | Type::String)
        }
        Type::Dynamic | Type::Bool | Type::Number | Type::String | Type::Object(_) | Type::Tuple(_) => false,
    }
}

fn has_dynamic(ty: Type<'_>) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::Bool | Type::Number | Type::String => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => has_dynamic(*element),
        Type::Object(members) => members.iter().any(|(_, ty)| has_dynamic(*ty)),
        Type::Tuple(elements) => elements.iter().any(|ty| has_dynamic(*ty)),
    }
}

//! Diffs of attributes: values of a type, and nested attributes.

use super::{Differ, WhenUnknown, elements};
use crate::dialect::{EmptyStrings, WriteOnly};
use crate::diff::tree::{Diff, DiffAction, Entry, Node, Slot};
use crate::diff::{Cursor, Mark, Paths};
use crate::json::{Object, Value};
use crate::schema::{Attribute, AttributeKind, NestedBlock, Nesting, Type};

impl<'a> Differ<'a> {
    /// The diff of an attribute.
    pub(super) fn attribute(self, change: Cursor<'a>, attribute: Attribute<'a>) -> Diff<'a> {
        // A write-only attribute should not have a value; if it has one, it is sensitive.
        let is_hidden = attribute.sensitive || attribute.write_only;
        let change = if is_hidden { change.all_sensitive() } else { change };
        match attribute.kind {
            AttributeKind::Type(ty) => self.typed(change, ty),
            AttributeKind::Nested(nested) => self.nested(change, nested),
        }
    }

    /// The diff of a value of type `ty`.
    pub fn typed(self, change: Cursor<'a>, ty: Type<'a>) -> Diff<'a> {
        let ty = if fits(change.before, ty) && fits(change.after, ty) { ty } else { Type::Dynamic };
        let change = if has_strings(ty) { self.with_null_for_empty(change) } else { change };
        let again = |change| self.typed(change, ty);
        self.guarded(change, WhenUnknown::Deleted, again, |change| match ty {
            Type::Dynamic => self.dynamic(Cursor { replace: Paths::Never, ..change }),
            Type::Bool | Type::Number => Self::scalar(change),
            Type::String => self.string(change),
            Type::List(element) => self.list(change, *element),
            Type::Set(element) => self.set(change, *element),
            Type::Map(element) => {
                let keys = change.keys(self.arena);
                let (entries, action) = self.keyed(change, keys, |child| self.typed(child, *element));
                let node = Node::Map { entries, nested: false };
                Self::container(change, action, node)
            }
            Type::Tuple(elements) => self.tuple(change, elements),
            Type::Object(types) => {
                let (members, action) = self.typed_members(change, types);
                Self::container(change, action, Node::Object { members, nested: false })
            }
        })
    }

    /// If the dialect treats empty strings as null in all schemas of the legacy SDK
    /// ([`EmptyStrings::NullUnlessModern`]), replaces an empty string in such a schema by null.
    fn with_null_for_empty(self, change: Cursor<'a>) -> Cursor<'a> {
        match self.dialect.empty_strings() {
            EmptyStrings::NullUnlessModern if !change.modern => {
                let null = if change.is_implicit { Slot::Absent } else { Slot::Null };
                let nulled = |slot| if slot == Slot::Value(Value::String("")) { null } else { slot };
                Cursor { before: nulled(change.before), after: nulled(change.after), ..change }
            }
            EmptyStrings::NullUnlessModern | EmptyStrings::NullInBlocks => change,
        }
    }

    /// The diff of a nested attribute (`nested_type`).
    fn nested(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Diff<'a> {
        if !fits_nesting(change.before, nested.nesting) || !fits_nesting(change.after, nested.nesting) {
            // It is unknown which part is the sensitive one.
            return self.output(if nested.block.facts.has_sensitive {
                change.all_sensitive()
            } else {
                change
            });
        }
        let object = |child| self.nested_object(child, nested);
        let replace = change.replace.matches();
        let when_unknown = match nested.nesting {
            Nesting::Single | Nesting::Group => WhenUnknown::EveryAttribute,
            // Upstream mistakes the attributes of an element for keys of the map.
            Nesting::Map if change.is_unknown() => {
                let names = nested.block.attributes.iter().map(|(name, _)| (*name, Value::Bool(true)));
                let names = self.arena.alloc_slice_fill_iter(names);
                WhenUnknown::Marked(Value::Object(Object::from_sorted(names)))
            }
            Nesting::List | Nesting::Set | Nesting::Map => WhenUnknown::Deleted,
        };
        let again = |change| self.nested(change, nested);
        self.guarded(change, when_unknown, again, |change| match nested.nesting {
            Nesting::Single | Nesting::Group => {
                let (members, action) = self.nested_members(change, nested);
                Diff { action, replace, node: Node::Object { members, nested: true } }
            }
            // Unlike in maps of a type, keys that occur only in the marks are not shown here.
            Nesting::Map => {
                let (entries, action) = self.keyed(change, change.value_keys(self.arena), object);
                Diff { action, replace, node: Node::Map { entries, nested: true } }
            }
            Nesting::List => {
                let (items, action) = self.by_index(change, longest(change), |_, child| object(child));
                Diff { action, replace, node: Node::List { items, nested: true } }
            }
            Nesting::Set => {
                let (items, action) = self.matched(change, object);
                Diff { action, replace, node: Node::Set { items, nested: true } }
            }
        })
    }

    /// The diff of one object of a nested attribute.
    pub(super) fn nested_object(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Diff<'a> {
        let again = |change| self.nested_object(change, nested);
        self.guarded(change, WhenUnknown::EveryAttribute, again, |change| {
            let (members, action) = self.nested_members(change, nested);
            Self::container(change, action, Node::Object { members, nested: true })
        })
    }

    fn nested_members(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> (&'a [Entry<'a>], DiffAction) {
        let write_only = nested.block.facts.write_only;
        let knows_write_only = !write_only.is_empty() && self.dialect.knows_write_only();
        let named = self.named(change, nested.block.attributes, &[]);
        let named = named.map(|(key, attribute)| (*key, Some(*attribute)));
        let rest = self
            .unnamed(change, nested.block.attributes, nested.block.facts, |_| false)
            .map(|key| (key, None));
        let (mut members, action) = self.members(change, named.chain(rest), |child, attribute| {
            self.attribute(child, attribute.unwrap_or_else(|| child.scalar_attribute()))
        });
        if nested.block.facts.open {
            crate::sort::by_key(&mut members, |entry| entry.key);
        }
        if !knows_write_only {
            return (self.arena.alloc_slice_copy(&members), action);
        }
        let is_write_only = |key| write_only.binary_search(&key).is_ok();
        let mut with = members;
        with.retain(|entry| !is_write_only(entry.key));
        let rule = self.dialect.write_only();
        for key in write_only {
            let child = change.key(key, self.arena);
            let marked = child.before_sensitive == Mark::ALL || child.after_sensitive == Mark::ALL;
            let diff = self.write_only(change, child, action, marked && rule == WriteOnly::Unchanged);
            // OpenTofu omits it, like a null, if nothing else in the object changes.
            if rule == WriteOnly::Unchanged || diff.action != DiffAction::NoOp {
                with.push(Entry { key, diff });
            }
        }
        crate::sort::by_key(&mut with, |entry| entry.key);
        (self.arena.alloc_slice_copy(&with), action)
    }

    /// The diff of a write-only attribute of `parent`.
    pub(super) fn write_only(
        self,
        parent: Cursor<'a>,
        child: Cursor<'a>,
        siblings: DiffAction,
        sensitive: bool,
    ) -> Diff<'a> {
        let (action, replace) = match self.dialect.write_only() {
            WriteOnly::AsSiblings => (siblings, child.replace.matches()),
            WriteOnly::Unchanged => (parent.own_action(), false),
        };
        Diff { action, replace, node: Node::WriteOnly { sensitive } }
    }

    /// The members of an object, by its type. Members that are null on both sides are omitted.
    fn members<T: Copy>(
        self,
        change: Cursor<'a>,
        shapes: impl Iterator<Item = (&'a str, T)>,
        compute: impl Fn(Cursor<'a>, T) -> Diff<'a>,
    ) -> (Vec<Entry<'a>>, DiffAction) {
        let mut entries = Vec::new(); // not in the arena: most members may be omitted
        let mut action = change.own_action();
        for (key, shape) in shapes {
            let child = change.key(key, self.arena).if_relevant().implicit();
            let diff = compute(child, shape);
            if diff.action == DiffAction::NoOp && child.is_null() {
                continue;
            }
            action = action.fold(diff.action);
            entries.push(Entry { key, diff });
        }
        (entries, action)
    }

    /// The members of an object type.
    fn typed_members(
        self,
        change: Cursor<'a>,
        types: &'a [(&'a str, Type<'a>)],
    ) -> (&'a [Entry<'a>], DiffAction) {
        let named = self.named(change, types, &[]).copied();
        let (members, action) = self.members(change, named, |child, ty| self.typed(child, ty));
        (self.arena.alloc_slice_copy(&members), action)
    }

    fn tuple(self, change: Cursor<'a>, types: &'a [Type<'a>]) -> Diff<'a> {
        // Elements past the end of the type are dynamic. A value shorter than its type is padded with nulls,
        // but only with a limited number, because a long type may have many empty values.
        const NULLS: usize = 64;
        let given = longest(change);
        let length = types.len().min(given + NULLS).max(given);
        let (items, action) = self.by_index(change, length, |at, child| {
            self.typed(child, types.get(at).copied().unwrap_or(Type::Dynamic))
        });
        Self::container(change, action, Node::List { items, nested: false })
    }
}

/// The number of elements of the longer side.
pub(super) fn longest(change: Cursor<'_>) -> usize {
    let (before, after) = elements(change);
    before.len().max(after.len())
}

/// Whether a value of the type may be a string.
fn has_strings(ty: Type<'_>) -> bool {
    matches!(ty, Type::String | Type::Dynamic)
}

/// Whether a value can be compared as a `ty`. Values that do not match their schema are compared by their
/// own shape instead, so that nothing is lost.
pub(super) fn fits(slot: Slot<'_>, ty: Type<'_>) -> bool {
    match (slot, ty) {
        (Slot::Absent | Slot::Null, _) | (_, Type::Dynamic) => true,
        (Slot::Value(value), Type::List(_) | Type::Set(_) | Type::Tuple(_)) => value.as_array().is_some(),
        (Slot::Value(value), Type::Map(_) | Type::Object(_)) => value.as_object().is_some(),
        (Slot::Value(value), Type::Bool | Type::Number | Type::String) => {
            value.as_array().is_none() && value.as_object().is_none()
        }
    }
}

/// Whether a value can be compared as nested objects or blocks with this nesting.
pub(super) fn fits_nesting(slot: Slot<'_>, nesting: Nesting) -> bool {
    match (slot, nesting) {
        (Slot::Absent | Slot::Null, _) => true,
        (Slot::Value(value), Nesting::List | Nesting::Set) => value.as_array().is_some(),
        (Slot::Value(value), Nesting::Single | Nesting::Group | Nesting::Map) => value.as_object().is_some(),
    }
}

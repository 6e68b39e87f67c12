//! Diffs of attributes, and of values without a type: outputs, dynamic attributes, the contents of JSON strings.
//!
//! Invariant: a value that does not fit its type is compared by its own shape, so nothing is lost.
//!
//! ```text
//! before   {"name": "a", "size": 1, "zone": null}
//! after    {"name": "a", "size": 2, "zone": null}
//! diff     name is unchanged, size is updated; zone is left out, because it is null on both sides
//! ```

use std::mem::discriminant;

use super::tree::{Diff, DiffAction, Entry, Node};
use super::{Cursor, Differ, Mark, Paths, Unknown, elements};
use crate::json::{Object, Value};
use crate::schema::{Attribute, AttributeKind, NestedBlock, Nesting, Type};

impl<'a> Differ<'a> {
    /// Compares both sides of an attribute.
    pub(super) fn attribute(self, change: Cursor<'a>, attribute: Attribute<'a>) -> Diff<'a> {
        // A write-only attribute should not have a value. If it has one, it is sensitive.
        let is_hidden = attribute.sensitive || attribute.write_only;
        let change = if is_hidden {
            change.all_sensitive()
        } else {
            change
        };
        match attribute.kind {
            AttributeKind::Type(ty) => self.typed(change, ty),
            AttributeKind::Nested(nested) => self.nested(change, nested),
        }
    }

    /// Compares both sides of a value of a type. A value that does not fit it is compared as dynamic.
    pub fn typed(self, change: Cursor<'a>, ty: Type<'a>) -> Diff<'a> {
        let ty = if fits(change.before.value(), ty) && fits(change.after.value(), ty) {
            ty
        } else {
            Type::Dynamic
        };
        let nulls_empty = matches!(ty, Type::String | Type::Dynamic)
            && !change.modern
            && self.dialect.nulls_empty_strings_by_schema();
        let change = if nulls_empty {
            change.with_null_for_empty()
        } else {
            change
        };
        let again = |change| self.typed(change, ty);
        self.with_marks(change, Unknown::NOT, again, |change| match ty {
            Type::Dynamic => self.dynamic(Cursor {
                replace: Paths::Never,
                ..change
            }),
            Type::Bool | Type::Number => Self::scalar(change),
            Type::String => self.string(change),
            Type::List(element) => self.list(change, *element),
            Type::Set(element) => self.set(change, *element),
            Type::Map(element) => {
                let keys = change.keys(self.arena);
                let (entries, action) =
                    self.keyed(change, keys, |child| self.typed(child, *element));
                let node = Node::Map {
                    entries,
                    nested: false,
                };
                Self::container(change, action, node)
            }
            Type::Tuple(elements) => self.tuple(change, elements),
            Type::Object(types) => {
                let named = self.named(change, types, &[]).copied();
                let (members, action) =
                    self.members(change, named, |child, ty| self.typed(child, ty));
                let members = self.arena.alloc_slice_copy(&members);
                Self::container(
                    change,
                    action,
                    Node::Object {
                        members,
                        nested: false,
                    },
                )
            }
        })
    }

    /// Compares both sides of an attribute with a nested type, according to its nesting.
    ///
    /// A value whose shape does not fit the nesting is compared without the schema.
    fn nested(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Diff<'a> {
        if !fits_nesting(change.before.value(), nested.nesting)
            || !fits_nesting(change.after.value(), nested.nesting)
        {
            return self.output(if nested.block.facts.has_sensitive {
                change.all_sensitive()
            } else {
                change
            });
        }
        let object = |child| self.nested_object(child, nested);
        let unknown_before = match nested.nesting {
            Nesting::Single | Nesting::Group => Unknown::EveryChild,
            // Upstream treats the attributes of an element as keys of the map.
            Nesting::Map if change.is_unknown() => {
                let names = nested
                    .block
                    .attributes
                    .iter()
                    .map(|(name, _)| (*name, Value::Bool(true)));
                let names = self.arena.alloc_slice_fill_iter(names);
                Unknown::Marked(Value::Object(Object::from_sorted(names)))
            }
            Nesting::List | Nesting::Set | Nesting::Map => Unknown::NOT,
        };
        let again = |change| self.nested(change, nested);
        self.with_marks(change, unknown_before, again, |change| {
            match nested.nesting {
                Nesting::Single | Nesting::Group => {
                    let (members, action) = self.nested_members(change, nested);
                    Self::container(
                        change,
                        action,
                        Node::Object {
                            members,
                            nested: true,
                        },
                    )
                }
                // Unlike in maps of a type, keys that occur only in the marks are not shown here.
                Nesting::Map => {
                    let (entries, action) =
                        self.keyed(change, change.value_keys(self.arena), object);
                    Self::container(
                        change,
                        action,
                        Node::Map {
                            entries,
                            nested: true,
                        },
                    )
                }
                Nesting::List => {
                    let (items, action) =
                        self.by_index(change, longest(change), |_, child| object(child));
                    Self::container(
                        change,
                        action,
                        Node::List {
                            items,
                            nested: true,
                        },
                    )
                }
                Nesting::Set => {
                    let (items, action) = self.matched(change, object);
                    Self::container(
                        change,
                        action,
                        Node::Set {
                            items,
                            nested: true,
                        },
                    )
                }
            }
        })
    }

    /// Compares an element of an attribute with a nested type.
    pub(super) fn nested_object(self, change: Cursor<'a>, nested: NestedBlock<'a>) -> Diff<'a> {
        let again = |change| self.nested_object(change, nested);
        self.with_marks(change, Unknown::EveryChild, again, |change| {
            let (members, action) = self.nested_members(change, nested);
            Self::container(
                change,
                action,
                Node::Object {
                    members,
                    nested: true,
                },
            )
        })
    }

    /// Computes the diffs of the attributes of a nested object, and the action of all of them.
    ///
    /// Write-only attributes are handled last, because their action is that of their siblings or of the object.
    fn nested_members(
        self,
        change: Cursor<'a>,
        nested: NestedBlock<'a>,
    ) -> (&'a [Entry<'a>], DiffAction) {
        let write_only = nested.block.facts.write_only;
        let knows_write_only = !write_only.is_empty() && self.dialect.knows_write_only();
        let named = self.named(change, nested.block.attributes, &[]);
        let named = named.map(|(key, attribute)| (*key, Some(*attribute)));
        let rest = self
            .unnamed(change, nested.block.attributes, nested.block.facts, |_| {
                false
            })
            .map(|key| (key, None));
        let (mut members, action) = self.members(change, named.chain(rest), |child, attribute| {
            self.attribute(child, attribute.unwrap_or_else(|| child.scalar_attribute()))
        });
        if nested.block.facts.open {
            members.sort_by_key(|entry| entry.key);
        }
        if !knows_write_only {
            return (self.arena.alloc_slice_copy(&members), action);
        }
        let is_write_only = |key| write_only.binary_search(&key).is_ok();
        let mut with = members;
        with.retain(|entry| !is_write_only(entry.key));
        let like_siblings = self.dialect.write_only_like_siblings();
        for key in write_only {
            let child = change.key(key, self.arena);
            let marked = child.before.mark == Mark::ALL || child.after.mark == Mark::ALL;
            let diff = self.write_only(change, child, action, marked && !like_siblings);
            // OpenTofu leaves it out, like a null, if nothing else in the object changes.
            if !like_siblings || diff.action != DiffAction::NoOp {
                with.push(Entry { key, diff });
            }
        }
        with.sort_by_key(|entry| entry.key);
        (self.arena.alloc_slice_copy(&with), action)
    }

    /// Returns the diff of a write-only attribute, whose value is never in a plan. Depending on the dialect, its action
    /// is that of its siblings or of its parent.
    pub(super) fn write_only(
        self,
        parent: Cursor<'a>,
        child: Cursor<'a>,
        siblings: DiffAction,
        sensitive: bool,
    ) -> Diff<'a> {
        let (action, replace) = if self.dialect.write_only_like_siblings() {
            (siblings, child.replace.matches())
        } else {
            (parent.own_action(), false)
        };
        Diff {
            action,
            replace,
            node: Node::WriteOnly { sensitive },
        }
    }

    /// Computes the diff of each member by its shape, and the action of all of them. A member that is null on both
    /// sides is left out.
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

    /// Computes the diff of a tuple, in which each element has the type at its index.
    fn tuple(self, change: Cursor<'a>, types: &'a [Type<'a>]) -> Diff<'a> {
        // Elements past the end of the type are dynamic. A value shorter than its type is padded with nulls, but only
        // with a limited number, because many empty values may have a long type.
        /// The maximum number of nulls that a value is padded with.
        const NULLS: usize = 64;
        let given = longest(change);
        let length = types.len().min(given + NULLS).max(given);
        let (items, action) = self.by_index(change, length, |index, child| {
            self.typed(
                child,
                types.get(index as usize).copied().unwrap_or(Type::Dynamic),
            )
        });
        Self::container(
            change,
            action,
            Node::List {
                items,
                nested: false,
            },
        )
    }

    /// Compares both sides of an output. The inner value of a sensitive or unknown output is compared as a value of
    /// dynamic type.
    pub fn output(self, change: Cursor<'a>) -> Diff<'a> {
        let typed = |change| self.typed(change, Type::Dynamic);
        self.with_marks(change, Unknown::NOT, typed, |change| {
            self.dynamic(Cursor {
                replace: Paths::Never,
                ..change
            })
        })
    }

    /// Compares values by their own shape. An explicit null is a value here. Nothing below a dynamic value is marked as
    /// forcing replacement.
    pub(super) fn dynamic(self, change: Cursor<'a>) -> Diff<'a> {
        let (before, after) = (change.before.value(), change.after.value());
        let is_same_kind = discriminant(&before) == discriminant(&after);
        if is_same_kind || change.before.slot.is_none() || change.after.slot.is_none() {
            return self.diff_as(change, if before.is_null() { after } else { before });
        }
        let gone = self.diff_as(change.as_delete(), before);
        let come = self.diff_as(change.as_create(), after);
        let node = Node::TypeChange {
            before: self.arena.alloc(gone),
            after: self.arena.alloc(come),
        };
        Self::container(change, DiffAction::Update, node)
    }

    /// Compares a part of a dynamic value. If it becomes unknown, it counts as created even if the value before is an
    /// explicit null.
    pub(super) fn member(self, change: Cursor<'a>) -> Diff<'a> {
        let dynamic = |change| {
            self.dynamic(Cursor {
                replace: Paths::Never,
                ..change
            })
        };
        // The action of a sensitive part is that of the value in it, so the rule applies there as well.
        let created = |change: Cursor<'a>, diff: Diff<'a>| {
            let comes =
                change.before.is_none() && matches!(diff.node, Node::Unknown { before: None });
            if comes {
                Diff {
                    action: DiffAction::Create,
                    ..diff
                }
            } else {
                diff
            }
        };
        let again = |change| {
            created(
                change,
                self.with_marks(change, Unknown::NOT, dynamic, dynamic),
            )
        };
        created(
            change,
            self.with_marks(change, Unknown::NOT, again, dynamic),
        )
    }

    /// Computes the diff of a value without a type as a value of the same kind as `like`.
    fn diff_as(self, change: Cursor<'a>, like: Value<'a>) -> Diff<'a> {
        match like {
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::scalar(change),
            Value::String(_) => self.string(change),
            Value::Object(_) => {
                let keys = change.keys(self.arena);
                let (members, action) = self.keyed(change, keys, |child| self.member(child));
                Self::container(
                    change,
                    action,
                    Node::Object {
                        members,
                        nested: false,
                    },
                )
            }
            Value::Array(_) => self.array(change),
        }
    }

    /// Computes the diff of a list without a type.
    fn array(self, change: Cursor<'a>) -> Diff<'a> {
        let pairs = self.pair_elements(change, None);
        // In a dynamic value, upstream also follows the relevant paths below the elements.
        let (items, action) = self.paired(change, pairs.into_iter(), |_, child| self.member(child));
        Self::container(
            change,
            action,
            Node::List {
                items,
                nested: false,
            },
        )
    }
}

/// Returns the larger number of elements of the two sides.
pub(super) fn longest(change: Cursor<'_>) -> usize {
    let (before, after) = elements(change);
    before.len().max(after.len())
}

/// Whether a value can be compared by a type. Other values are compared by their own shape, so that nothing is lost.
pub(super) fn fits(value: Value<'_>, ty: Type<'_>) -> bool {
    match (value, ty) {
        (Value::Null, _) | (_, Type::Dynamic) => true,
        (_, Type::List(_) | Type::Set(_) | Type::Tuple(_)) => value.as_array().is_some(),
        (_, Type::Map(_) | Type::Object(_)) => value.as_object().is_some(),
        (_, Type::Bool | Type::Number | Type::String) => {
            value.as_array().is_none() && value.as_object().is_none()
        }
    }
}

/// Whether a value can be compared by a nesting.
pub(super) fn fits_nesting(value: Value<'_>, nesting: Nesting) -> bool {
    match (value, nesting) {
        (Value::Null, _) => true,
        (_, Nesting::List | Nesting::Set) => value.as_array().is_some(),
        (_, Nesting::Single | Nesting::Group | Nesting::Map) => value.as_object().is_some(),
    }
}

//! The rules that derive shapes from evidence.
//!
//! Rules are applied in order, the most certain first. They rely on guarantees of the formats:
//! - List, set and map blocks are never null.
//! - Objects contain all their attributes, including null ones; maps contain only the keys that they have.
//! - Names of attributes are lower-case words, while keys of maps are arbitrary.
//! - Sets of scalars are sorted.

use bumpalo::Bump;

use super::evidence::{Arrays, Config, Evidence, Objects};
use super::names::{self, NamePattern, is_plural, names_collection, says};
use crate::schema::specification::is_identifier;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// The shape of a member of a resource or block.
#[derive(Clone, Copy)]
pub(super) enum Member<'s> {
    Attribute(Attribute<'s>),
    Block(NestedBlock<'s>),
}

/// The rules, with what is known of a resource type as a whole.
#[derive(Clone, Copy)]
pub(super) struct Decider<'s> {
    /// Whether the configuration does not mention the type, as in a state, or in a plan that only deletes.
    is_unwritten: bool,
    /// Whether the type has nested attributes, so that it is declared with the plugin framework. Decided only if
    /// `is_unwritten`.
    ///
    /// There, collections of objects are usually nested attributes, with plural names. SDKv2 has no object attributes:
    /// collections of objects are blocks, unless they are computed, and their names are singular.
    prefers_attributes: bool,
    arena: &'s Bump,
}

/// The number of sorted scalars from which on an array is more likely a set. Shorter lists are often sorted by hand.
const SORTED: usize = 4;

/// The value that directly contains an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Alone,
    InArray,
    InMap,
}

impl<'s> Decider<'s> {
    /// Makes the rules for a type of which nothing is known.
    pub(super) fn new(arena: &'s Bump) -> Self {
        Self {
            is_unwritten: false,
            prefers_attributes: false,
            arena,
        }
    }

    /// Decides what is known of a type as a whole: whether the configuration mentions it, and how it is declared.
    pub(super) fn of_type(evidence: &Evidence<'_>, arena: &'s Bump) -> Self {
        let any = Self::new(arena);
        let members = evidence.objects.iter().flat_map(|objects| &objects.members);
        let is_unwritten = members
            .clone()
            .all(|(_, member)| member.config == Config::Silent);
        let prefers_attributes = is_unwritten
            && members.into_iter().any(|(name, member)| {
                // `timeouts` is a block with both SDKs.
                let objects = member
                    .objects
                    .as_ref()
                    .filter(|_| !member.is_mixed() && *name != "timeouts");
                objects.is_some_and(|objects| !any.is_map(name, objects, Container::Alone))
            });
        Self {
            is_unwritten,
            prefers_attributes,
            arena,
        }
    }

    /// Makes a block of the evidence for its members. It consists of attributes and blocks in the order of their names.
    pub(super) fn block(self, evidence: &Evidence<'_>) -> Block<'s> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        for (name, evidence) in evidence.objects.iter().flat_map(|objects| &objects.members) {
            let name = &*self.arena.alloc_str(name);
            match self.member(name, evidence) {
                Member::Attribute(attribute) => attributes.push((name, attribute)),
                Member::Block(block) => blocks.push((name, block)),
            }
        }
        let arena = self.arena;
        Block::new(
            arena.alloc_slice_copy(&attributes),
            arena.alloc_slice_copy(&blocks),
            arena,
        )
    }

    /// Decides whether a member is an attribute or a block, and its shape.
    pub(super) fn member(self, name: &str, evidence: &Evidence<'_>) -> Member<'s> {
        let Some(nesting) = self.nesting_of_blocks(name, evidence) else {
            return Member::Attribute(self.attribute(name, evidence));
        };
        let block = match (nesting, &evidence.arrays, &evidence.objects) {
            (Nesting::List | Nesting::Set, Some(arrays), _) => self.block(&arrays.item),
            (Nesting::Single | Nesting::Group, ..) => self.block(evidence),
            (Nesting::Map, _, Some(objects)) => self.block(&objects.whole()),
            (Nesting::List | Nesting::Set | Nesting::Map, ..) => Block::default(),
        };
        Member::Block(NestedBlock { nesting, block })
    }

    /// Returns the nesting mode if the member is a nested block type, else `None`.
    fn nesting_of_blocks(self, name: &str, evidence: &Evidence<'_>) -> Option<Nesting> {
        if evidence.is_mixed() || evidence.config == Config::Attribute {
            return None;
        }
        let pattern = names::pattern(name);
        if let Some(arrays) = &evidence.arrays {
            // Unlike an attribute, a block type cannot be marked as a whole, except by marks inside a set.
            let usually_set = pattern == Some(NamePattern::Block(Nesting::Set))
                || says(name, "set")
                || arrays.marked;
            return self.holds_blocks(name, evidence, arrays).then(|| {
                if arrays.is_set(usually_set) {
                    Nesting::Set
                } else {
                    Nesting::List
                }
            });
        }
        if let Some(objects) = &evidence.objects {
            return match evidence.config {
                Config::Block => Some(Nesting::Single),
                Config::KeyedBlocks => Some(keyed_or_single(objects)),
                Config::Silent | Config::Attribute | Config::Blocks => self
                    .nesting_of_silent(name, objects)
                    .filter(|_| !evidence.nulls),
            };
        }
        // Computed blocks that are unknown look like attributes; so do blocks that are always null.
        match pattern {
            Some(NamePattern::Block(nesting))
                if evidence.is_blank() && evidence.unknown && !names::is_usually_scalar(name) =>
            {
                Some(nesting)
            }
            Some(NamePattern::Block(_) | NamePattern::Map | NamePattern::Set) | None => None,
        }
    }

    /// Whether the elements of an array are blocks, rather than objects of an attribute.
    fn holds_blocks(self, name: &str, evidence: &Evidence<'_>, arrays: &Arrays<'_>) -> bool {
        let item = &arrays.item;
        let only_objects =
            !item.is_mixed() && (item.is_blank() || item.objects.is_some()) && !item.nulls;
        // List and set blocks are never null, only empty.
        if evidence.config == Config::Blocks || !only_objects || evidence.nulls {
            return only_objects && evidence.config == Config::Blocks;
        }
        if self.prefers_attributes && names_collection(name) {
            return false;
        }
        match names::pattern(name) {
            Some(NamePattern::Block(_)) => true,
            Some(NamePattern::Map | NamePattern::Set) => false,
            // A member that is not in the configuration is computed, unset, or a `dynamic` block. Only computed
            // ones are ever unknown, and attributes of a new object that are not configured are null. If the array
            // is always empty in existing objects, the name decides: names of blocks are singular.
            None => !evidence.unknown && (item.times > 0 || arrays.made || !is_plural(name)),
        }
    }

    /// Decides the nesting of an object that the configuration does not mention. `None` if nothing shows that it is a
    /// block.
    fn nesting_of_silent(self, name: &str, objects: &Objects<'_>) -> Option<Nesting> {
        if !self.is_unwritten {
            return None;
        }
        // Keyed blocks are never null, only empty; attributes are null unless they are set to an empty value.
        if objects.empty && !names_collection(name) && keyed_or_single(objects) == Nesting::Map {
            return Some(Nesting::Map);
        }
        // A group block exists even if it is not configured; then all its members are null.
        if objects.hollow && objects.members.keys().all(|key| is_identifier(key)) {
            return Some(Nesting::Group);
        }
        // An object that contains blocks (collections of objects that are never null, but sometimes empty) is a block
        // itself.
        let is_blocks = |member: &Evidence<'_>| {
            let arrays = member
                .arrays
                .as_ref()
                .filter(|_| !member.nulls && !member.is_mixed());
            arrays
                .is_some_and(|all| all.empty && all.item.objects.is_some() && !all.item.is_mixed())
        };
        objects
            .members
            .values()
            .any(is_blocks)
            .then_some(Nesting::Single)
    }

    /// Decides the shape of an attribute.
    pub(super) fn attribute(self, name: &str, evidence: &Evidence<'_>) -> Attribute<'s> {
        let nested = self.nested(name, evidence).map(AttributeKind::Nested);
        // A write-only value is null in every plan. Its name ends like this by convention.
        let write_only = name.ends_with("_wo") && evidence.is_blank() && !evidence.unknown;
        Attribute {
            kind: nested.unwrap_or_else(|| AttributeKind::Type(self.cty(name, evidence))),
            sensitive: names::is_sensitive(name),
            write_only,
            required: false,
        }
    }

    /// Returns the nested attributes of an attribute, if its values are objects or collections of objects. Providers
    /// that can declare nested attributes use them for all objects.
    fn nested(self, name: &str, evidence: &Evidence<'_>) -> Option<NestedBlock<'s>> {
        if evidence.is_mixed() {
            return None;
        }
        let of_elements = |element: &Evidence<'_>, container, nesting| {
            let is_object = !element.is_mixed() && !element.nulls;
            let name = if container == Container::InArray {
                name
            } else {
                ""
            };
            let objects = element.objects.as_ref().filter(|_| is_object)?;
            (!self.is_map(name, objects, container)).then(|| self.nested_type(objects, nesting))
        };
        if let Some(arrays) = &evidence.arrays {
            let is_set = arrays.is_set(names::is_usually_set(name));
            let nesting = if is_set { Nesting::Set } else { Nesting::List };
            return of_elements(&arrays.item, Container::InArray, nesting);
        }
        let objects = evidence.objects.as_ref()?;
        if self.is_map(name, objects, Container::Alone) {
            of_elements(&objects.whole(), Container::InMap, Nesting::Map)
        } else {
            Some(self.nested_type(objects, Nesting::Single))
        }
    }

    /// Makes nested attributes of the members of objects.
    fn nested_type(self, objects: &Objects<'_>, nesting: Nesting) -> NestedBlock<'s> {
        let attributes = self.members(objects, |name, evidence| self.attribute(name, evidence));
        NestedBlock {
            nesting,
            block: Block::new(attributes, &[], self.arena),
        }
    }

    /// Decides the shape of each member with `shape`, in the order of the names.
    fn members<T: Copy>(
        self,
        objects: &Objects<'_>,
        shape: impl Fn(&str, &Evidence<'_>) -> T,
    ) -> &'s [(&'s str, T)] {
        let members = objects.members.iter();
        let members =
            members.map(|(name, member)| (&*self.arena.alloc_str(name), shape(name, member)));
        self.arena.alloc_slice_copy(&members.collect::<Vec<_>>())
    }

    /// Decides the type of a value. It is a string if no value was seen: null and unknown look the same in all types.
    pub(super) fn cty(self, name: &str, evidence: &Evidence<'_>) -> Type<'s> {
        if evidence.is_mixed() {
            return Type::Dynamic;
        }
        if let Some(arrays) = &evidence.arrays {
            if arrays.item.is_mixed() {
                return Type::Dynamic;
            }
            let item = self.arena.alloc(self.cty("", &arrays.item));
            let is_set = arrays.is_set(names::is_usually_set(name));
            return if is_set {
                Type::Set(item)
            } else {
                Type::List(item)
            };
        }
        if let Some(objects) = &evidence.objects {
            if self.is_map(name, objects, Container::Alone) {
                return Type::Map(self.arena.alloc(self.cty("", &objects.whole())));
            }
            return Type::Object(self.members(objects, |name, evidence| self.cty(name, evidence)));
        }
        match (evidence.bools, evidence.numbers) {
            (true, _) => Type::Bool,
            (_, true) => Type::Number,
            _ => Type::String,
        }
    }

    /// Whether objects are maps: their keys are chosen by the user, and their values have one type.
    fn is_map(self, name: &str, objects: &Objects<'_>, container: Container) -> bool {
        let members = &objects.members;
        if members.is_empty() {
            return true;
        }
        // The values of a map have one type, whatever the keys are.
        let element = objects.whole();
        if element.is_mixed() {
            return false;
        }
        if !objects.is_uniform() || !members.keys().all(|key| is_identifier(key)) {
            return true;
        }
        // A map contains null only if the configuration sets it.
        if element.nulls {
            return false;
        }
        if names::pattern(name) == Some(NamePattern::Map) {
            return true;
        }
        match (&element.objects, &element.arrays) {
            // In a map of objects, all objects have the same members; the members of an object differ.
            // A single key with an object is more often a map if the object is flat.
            (Some(inner), _) if members.len() == 1 => {
                is_plural(name) || inner.members.values().all(Evidence::is_flat)
            }
            (Some(inner), _) => is_plural(name) || inner.is_uniform(),
            (_, Some(_)) => container == Container::Alone && is_plural(name),
            // Unlike lists of objects, lists of maps are rare. The keys of maps vary between instances, and the
            // names of maps are plural.
            (None, None) => {
                let is_settled = objects.times > 1 || self.prefers_attributes;
                let settled = members.len() > 1 && is_settled && !is_plural(name);
                container == Container::Alone && !settled
            }
        }
    }
}

impl Arrays<'_> {
    /// Whether the arrays are sets, by their order and by marks. `usually` says that the name suggests it.
    fn is_set(&self, usually: bool) -> bool {
        let is_likely =
            usually || self.replaced_as_one || (self.item.is_flat() && self.longest >= SORTED);
        is_likely && !self.kept_order
    }
}

/// Decides whether an object has keyed blocks or is a single block that contains objects. In keyed blocks, all these
/// objects have the same members.
fn keyed_or_single(objects: &Objects<'_>) -> Nesting {
    let bodies = objects
        .members
        .values()
        .all(|member| !member.nulls && member.objects.is_some());
    if bodies
        && objects
            .whole()
            .objects
            .is_some_and(|objects| objects.is_uniform())
    {
        Nesting::Map
    } else {
        Nesting::Single
    }
}

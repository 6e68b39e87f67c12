//! The rules that derive shapes from evidence.
//!
//! Rules are applied in order, the most certain first. They rely on guarantees of the formats: list, set and
//! map blocks are never null; objects contain all their attributes, including null ones, and maps only the
//! keys they have; names of attributes are lower-case words, while keys of maps are arbitrary; sets of
//! scalars are sorted.

use bumpalo::Bump;

use super::evidence::{Arrays, Config, Evidence, Objects};
use super::name_pattern::{self, NamePattern};
use super::style::Style;
use crate::schema::check::is_identifier;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

/// An attribute or a nested block type.
pub(super) enum Member<'s> {
    Attribute(Attribute<'s>),
    Block(NestedBlock<'s>),
}

/// The shape of a resource type, given all evidence for it. Shapes do not borrow from the evidence.
pub(super) fn resource_type<'s>(evidence: &Evidence<'_>, arena: &'s Bump) -> Block<'s> {
    block(evidence, Style::new(evidence), arena)
}

/// The shape of a block in a resource type with this style.
fn block<'s>(evidence: &Evidence<'_>, style: Style, arena: &'s Bump) -> Block<'s> {
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for (name, evidence) in evidence.objects.iter().flat_map(|objects| &objects.members) {
        match member(name, evidence, style, arena) {
            Member::Attribute(attribute) => attributes.push((&*arena.alloc_str(name), attribute)),
            Member::Block(block) => blocks.push((&*arena.alloc_str(name), block)),
        }
    }
    Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena)
}

/// The shape of a member of a block.
pub(super) fn member<'s>(name: &str, evidence: &Evidence<'_>, style: Style, arena: &'s Bump) -> Member<'s> {
    match nesting_of_blocks(name, evidence, style) {
        Some(nesting) => {
            Member::Block(NestedBlock { nesting, block: nested_block(evidence, nesting, style, arena) })
        }
        None => Member::Attribute(attribute(name, evidence, style, arena)),
    }
}

/// The nesting mode, if the member is a nested block type.
fn nesting_of_blocks(name: &str, evidence: &Evidence<'_>, style: Style) -> Option<Nesting> {
    let convention = match name_pattern::find(name) {
        Some(NamePattern::Block(nesting)) => Some(nesting),
        _ => None,
    };
    if evidence.is_mixed() || evidence.config == Config::Attribute {
        return None;
    }
    if let Some(arrays) = &evidence.arrays {
        // Unlike an attribute, a block type cannot be marked as a whole, except by marks inside a set.
        let usually_set = convention == Some(Nesting::Set) || says_set(name) || arrays.marked;
        return holds_blocks(name, evidence, arrays, style)
            .then(|| if arrays.is_set(usually_set) { Nesting::Set } else { Nesting::List });
    }
    if let Some(objects) = &evidence.objects {
        return match evidence.config {
            Config::Block => Some(Nesting::Single),
            Config::KeyedBlocks => Some(keyed_or_single(objects)),
            Config::Silent | Config::Attribute | Config::Blocks => {
                silent_object(name, evidence, objects, convention, style)
            }
        };
    }
    // Computed blocks that are unknown look like attributes; so do blocks that are always null.
    (evidence.is_blank() && evidence.unknown && !name_pattern::is_usually_scalar(name))
        .then_some(convention)
        .flatten()
}

/// Whether the elements of an array are blocks.
fn holds_blocks(name: &str, evidence: &Evidence<'_>, arrays: &Arrays<'_>, style: Style) -> bool {
    let item = &arrays.item;
    let only_objects = !item.is_mixed() && (item.is_blank() || item.objects.is_some()) && !item.nulls;
    if evidence.config == Config::Blocks {
        return only_objects;
    }
    // List and set blocks are never null, only empty.
    if !only_objects || evidence.nulls {
        return false;
    }
    if says(name, "block") {
        return true;
    }
    if style.prefers_attributes() && names_collection(name) {
        return false;
    }
    match name_pattern::find(name) {
        Some(NamePattern::Block(_)) => true,
        Some(NamePattern::List | NamePattern::Set | NamePattern::Map | NamePattern::Objects) => false,
        // A member that is not in the configuration is computed, unset, or a `dynamic` block. Only computed
        // ones are ever unknown, and attributes of a new object that are not configured are null. If the
        // array is always empty in existing objects, the name decides: names of blocks are singular.
        None => !evidence.unknown && (arrays.item.times > 0 || arrays.made || !is_plural(name)),
    }
}

/// Keyed blocks look like a single block of objects; in keyed blocks, all these objects have the same
/// members.
fn keyed_or_single(objects: &Objects<'_>) -> Nesting {
    let bodies = objects.members.values().all(|member| !member.nulls && member.objects.is_some());
    if bodies && whole(objects).objects.is_some_and(|objects| objects.is_uniform()) {
        Nesting::Map
    } else {
        Nesting::Single
    }
}

fn silent_object(
    name: &str,
    evidence: &Evidence<'_>,
    objects: &Objects<'_>,
    convention: Option<Nesting>,
    style: Style,
) -> Option<Nesting> {
    if let Some(nesting @ (Nesting::Single | Nesting::Group)) = convention {
        return Some(nesting);
    }
    // A group block exists even if it is not configured; then all its members are null.
    let hollow = !objects.members.is_empty()
        && objects.members.values().all(|member| member.is_blank() && !member.unknown);
    if hollow && !evidence.nulls {
        return Some(Nesting::Group);
    }
    if says(name, "block") {
        return Some(keyed_or_single(objects));
    }
    if !style.is_unwritten() || evidence.nulls {
        return None;
    }
    // Keyed blocks are never null, only empty; attributes are null unless they are set to an empty value.
    if objects.empty && !names_collection(name) && keyed_or_single(objects) == Nesting::Map {
        return Some(Nesting::Map);
    }
    let has_group = objects.hollow && objects.members.keys().all(|key| is_identifier(key));
    has_group.then_some(Nesting::Group).or_else(|| holds_repeated_blocks(objects).then_some(Nesting::Single))
}

/// Whether an object contains blocks (collections of objects that are never null, but sometimes empty) and
/// therefore is a block itself.
fn holds_repeated_blocks(objects: &Objects<'_>) -> bool {
    objects.members.values().any(|member| {
        let arrays = member.arrays.as_ref().filter(|_| !member.nulls && !member.is_mixed());
        arrays.is_some_and(|arrays| arrays.empty && arrays.item.objects.is_some() && !arrays.item.is_mixed())
    })
}

fn nested_block<'s>(evidence: &Evidence<'_>, nesting: Nesting, style: Style, arena: &'s Bump) -> Block<'s> {
    match nesting {
        Nesting::List | Nesting::Set => {
            evidence.arrays.as_ref().map(|arrays| block(&arrays.item, style, arena)).unwrap_or_default()
        }
        Nesting::Single | Nesting::Group => block(evidence, style, arena),
        Nesting::Map => {
            evidence.objects.as_ref().map(|objects| block(&whole(objects), style, arena)).unwrap_or_default()
        }
    }
}

/// The shape of an attribute of a block, or of a nested attribute.
pub(super) fn attribute<'s>(
    name: &str,
    evidence: &Evidence<'_>,
    style: Style,
    arena: &'s Bump,
) -> Attribute<'s> {
    let kind = nested(name, evidence, style, arena)
        .map_or_else(|| AttributeKind::Type(cty(name, evidence, style, arena)), AttributeKind::Nested);
    let write_only = is_write_only(name, evidence);
    Attribute { kind, sensitive: is_sensitive_name(name), write_only, required: false }
}

/// Whether a name is that of a sensitive value, regardless of marks: older formats have none.
pub(crate) fn is_sensitive_name(name: &str) -> bool {
    matches!(name, "client_key" | "password")
        || name.ends_with("_password")
        || name_pattern::is_sensitive(name)
}

/// Whether an attribute is write-only: it is null in every plan, and either the configuration sets it or
/// its name ends with `_wo` by convention.
fn is_write_only(name: &str, evidence: &Evidence<'_>) -> bool {
    evidence.is_blank() && !evidence.unknown && (name.ends_with("_wo") || evidence.write_only)
}

fn is_usually_set(name: &str) -> bool {
    name_pattern::find(name) == Some(NamePattern::Set) || says_set(name)
}

fn says_set(name: &str) -> bool {
    says(name, "set")
}

fn says(name: &str, word: &str) -> bool {
    name.split('_').any(|part| part == word)
}

fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// Whether a name denotes a collection; the names of blocks do not.
fn names_collection(name: &str) -> bool {
    is_plural(name) || ["list", "set", "map"].iter().any(|kind| name.ends_with(kind))
}

/// The nested attributes of an attribute with objects. Providers that can declare nested attributes use them
/// for all objects; only lists computed by the legacy SDK have an object type.
fn nested<'s>(name: &str, evidence: &Evidence<'_>, style: Style, arena: &'s Bump) -> Option<NestedType<'s>> {
    if evidence.is_mixed() {
        return None;
    }
    if let Some(arrays) = &evidence.arrays {
        let objects =
            arrays.item.objects.as_ref().filter(|_| !arrays.item.is_mixed() && !arrays.item.nulls)?;
        let computed = evidence.config != Config::Attribute && evidence.unknown;
        if computed
            || name_pattern::find(name) == Some(NamePattern::Objects)
            || is_map(name, objects, Container::InArray, style)
        {
            return None;
        }
        let nesting = if arrays.is_set(is_usually_set(name)) { Nesting::Set } else { Nesting::List };
        return Some(NestedType::new(attributes(objects, style, arena), nesting, arena));
    }
    let objects = evidence.objects.as_ref()?;
    if !is_map(name, objects, Container::Alone, style) {
        return Some(NestedType::new(attributes(objects, style, arena), Nesting::Single, arena));
    }
    let element = whole(objects);
    if element.is_mixed() || element.nulls {
        return None;
    }
    let inner = element.objects.as_ref().filter(|inner| !is_map("", inner, Container::InMap, style))?;
    Some(NestedType::new(attributes(inner, style, arena), Nesting::Map, arena))
}

fn attributes<'s>(objects: &Objects<'_>, style: Style, arena: &'s Bump) -> &'s [(&'s str, Attribute<'s>)] {
    let members = objects
        .members
        .iter()
        .map(|(name, evidence)| (&*arena.alloc_str(name), attribute(name, evidence, style, arena)));
    arena.alloc_slice_copy(&members.collect::<Vec<_>>())
}

/// The type of a value. If no value was seen, it is a string: null and unknown look the same in all types.
pub(super) fn cty<'s>(name: &str, evidence: &Evidence<'_>, style: Style, arena: &'s Bump) -> Type<'s> {
    if evidence.is_mixed() {
        return Type::Dynamic;
    }
    if let Some(arrays) = &evidence.arrays {
        if arrays.item.is_mixed() {
            return Type::Dynamic;
        }
        let item = arena.alloc(cty("", &arrays.item, style, arena));
        let is_list = name_pattern::find(name) == Some(NamePattern::List) && !arrays.lost_order;
        let is_set = !is_list && arrays.is_set(is_usually_set(name));
        return if is_set { Type::Set(item) } else { Type::List(item) };
    }
    if let Some(objects) = &evidence.objects {
        if is_map(name, objects, Container::Alone, style) {
            let element = whole(objects);
            return Type::Map(arena.alloc(cty("", &element, style, arena)));
        }
        let members = objects
            .members
            .iter()
            .map(|(name, evidence)| (&*arena.alloc_str(name), cty(name, evidence, style, arena)));
        return Type::Object(arena.alloc_slice_copy(&members.collect::<Vec<_>>()));
    }
    match (evidence.bools, evidence.numbers) {
        (true, _) => Type::Bool,
        (_, true) => Type::Number,
        _ => Type::String,
    }
}

/// The container of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Alone,
    InArray,
    InMap,
}

/// Whether objects are maps: user-defined keys, values of one type.
pub(super) fn is_map(name: &str, objects: &Objects<'_>, container: Container, style: Style) -> bool {
    let members = &objects.members;
    if members.is_empty() {
        return true;
    }
    // The values of a map have one type, whatever its keys are.
    let element = whole(objects);
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
    if name_pattern::find(name) == Some(NamePattern::Map) || says(name, "map") {
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
            let is_settled = objects.times > 1 || style.prefers_attributes();
            let settled = members.len() > 1 && is_settled && !is_plural(name);
            container == Container::Alone && !settled
        }
    }
}

/// The combined evidence of all elements of a map.
pub(super) fn whole<'s>(objects: &Objects<'s>) -> Evidence<'s> {
    let mut whole = Evidence::default();
    for member in objects.members.values() {
        whole.add(member);
    }
    whole
}

/// From this many sorted scalars on, an array is more likely a set. Shorter lists are often sorted by hand.
const SORTED: usize = 4;

impl Arrays<'_> {
    /// Whether the elements form a set: the order in the configuration was lost, or a set is likely and no
    /// order was kept.
    fn is_set(&self, usually: bool) -> bool {
        let is_likely =
            usually || self.replaced_as_one || (self.item.is_flat() && self.most_sorted >= SORTED);
        self.lost_order || (is_likely && !self.kept_order)
    }
}

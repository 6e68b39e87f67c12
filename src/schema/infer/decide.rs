//! From evidence to shapes: the rules.
//!
//! Each rule is where it applies, the surest first. They rest on what the formats guarantee: list, set
//! and map blocks are never null; objects write all their attributes, null ones too, maps only what is there;
//! names of attributes are lower-case words, keys of maps are anything; sets of scalars are sorted.

use bumpalo::Bump;

use super::convention::{self, Convention};
use super::evidence::{Arrays, Config, Evidence, Objects};
use super::style::Style;
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

/// An attribute or a type of nested blocks.
pub(super) enum Member<'s> {
    Attribute(Attribute<'s>),
    Block(NestedBlock<'s>),
}

/// The shape of a type of which all that is known was seen.
pub(super) fn resource_type<'s>(evidence: &Evidence<'s>, arena: &'s Bump) -> Block<'s> {
    block(evidence, Style::of(evidence), arena)
}

/// The shape of a block in a type of a style.
fn block<'s>(evidence: &Evidence<'s>, style: Style, arena: &'s Bump) -> Block<'s> {
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for (name, evidence) in evidence.objects.iter().flat_map(|objects| &objects.members) {
        match member(name, evidence, style, arena) {
            Member::Attribute(attribute) => attributes.push((*name, attribute)),
            Member::Block(block) => blocks.push((*name, block)),
        }
    }
    Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena)
}

/// The shape of a member of a block.
pub(super) fn member<'s>(name: &str, evidence: &Evidence<'s>, style: Style, arena: &'s Bump) -> Member<'s> {
    match nesting_of_blocks(name, evidence, style) {
        Some(nesting) => {
            Member::Block(NestedBlock { nesting, block: nested_block(evidence, nesting, style, arena) })
        }
        None => Member::Attribute(attribute(name, evidence, style, arena)),
    }
}

/// How the blocks nest, if it is blocks that stand here.
fn nesting_of_blocks(name: &str, evidence: &Evidence<'_>, style: Style) -> Option<Nesting> {
    let convention = match convention::of(name) {
        Some(Convention::Block(nesting)) => Some(nesting),
        _ => None,
    };
    if evidence.is_mixed() || evidence.config == Config::Attribute {
        return None;
    }
    if let Some(arrays) = &evidence.arrays {
        // Nobody marks blocks as a whole, as one can an attribute: a set's marks do it.
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
    // Computed blocks that are not known yet look like attributes; so do blocks that are always null.
    (evidence.is_blank() && evidence.unknown && !convention::is_usually_scalar(name))
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
    // Blocks that nest by position or value are never null, only none.
    if !only_objects || evidence.nulls {
        return false;
    }
    if says(name, "block") {
        return true;
    }
    if style.prefers_attributes() && names_collection(name) {
        return false;
    }
    match convention::of(name) {
        Some(Convention::Block(_)) => true,
        Some(Convention::List | Convention::Set | Convention::Map | Convention::Objects) => false,
        // What the configuration does not write is computed, or none, or a `dynamic` block. Only what is
        // computed is unknown before it is known; attributes of a new object that are not configured are null.
        // Of nothing but empty ones in old objects, the name decides: blocks are named after one of them.
        None => !evidence.unknown && (arrays.item.times > 0 || arrays.made || !is_plural(name)),
    }
}

/// Bodies by key look like one body of bodies: keys of blocks differ in nothing but their key.
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
    // A group is there without being written, with nothing in it.
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
    // Blocks with keys are never null, only none; attributes are, unless they are set to an empty value.
    if objects.empty && !names_collection(name) && keyed_or_single(objects) == Nesting::Map {
        return Some(Nesting::Map);
    }
    let has_group = objects.hollow && objects.members.keys().all(|key| is_attribute_name(key));
    has_group.then_some(Nesting::Group).or_else(|| holds_repeated_blocks(objects).then_some(Nesting::Single))
}

/// Whether an object holds blocks, so that it is a block itself: collections of objects that are never
/// null, but sometimes have no elements.
fn holds_repeated_blocks(objects: &Objects<'_>) -> bool {
    objects.members.values().any(|member| {
        let arrays = member.arrays.as_ref().filter(|_| !member.nulls && !member.is_mixed());
        arrays.is_some_and(|arrays| arrays.empty && arrays.item.objects.is_some() && !arrays.item.is_mixed())
    })
}

fn nested_block<'s>(evidence: &Evidence<'s>, nesting: Nesting, style: Style, arena: &'s Bump) -> Block<'s> {
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
    evidence: &Evidence<'s>,
    style: Style,
    arena: &'s Bump,
) -> Attribute<'s> {
    let kind = nested(name, evidence, style, arena)
        .map_or_else(|| AttributeKind::Type(cty(name, evidence, style, arena)), AttributeKind::Nested);
    Attribute { kind, sensitive: is_secret(name), write_only: is_write_only(name, evidence) }
}

/// Whether a name is that of a secret, whatever the plan marks: older formats mark nothing.
pub(super) fn is_secret(name: &str) -> bool {
    name == "password" || name.ends_with("_password") || convention::is_sensitive(name)
}

/// Write-only attributes are null in every plan. The configuration gives them a value; their name ends
/// with `_wo` by convention.
fn is_write_only(name: &str, evidence: &Evidence<'_>) -> bool {
    evidence.is_blank() && !evidence.unknown && (name.ends_with("_wo") || evidence.write_only)
}

fn is_usually_set(name: &str) -> bool {
    convention::of(name) == Some(Convention::Set) || says_set(name)
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

/// Whether a name is that of several things, which a block's is not.
fn names_collection(name: &str) -> bool {
    is_plural(name) || ["list", "set", "map"].iter().any(|kind| name.ends_with(kind))
}

/// Attributes that hold objects have attributes of their own in all providers that can declare either.
/// Only lists that the older kit computes are lists of an object type.
fn nested<'s>(name: &str, evidence: &Evidence<'s>, style: Style, arena: &'s Bump) -> Option<NestedType<'s>> {
    if evidence.is_mixed() {
        return None;
    }
    if let Some(arrays) = &evidence.arrays {
        let objects =
            arrays.item.objects.as_ref().filter(|_| !arrays.item.is_mixed() && !arrays.item.nulls)?;
        let computed = evidence.config != Config::Attribute && evidence.unknown;
        if computed
            || convention::of(name) == Some(Convention::Objects)
            || is_map(name, objects, Held::InArray, style)
        {
            return None;
        }
        let nesting = if arrays.is_set(is_usually_set(name)) { Nesting::Set } else { Nesting::List };
        return Some(NestedType::new(attributes(objects, style, arena), nesting, arena));
    }
    let objects = evidence.objects.as_ref()?;
    if !is_map(name, objects, Held::Alone, style) {
        return Some(NestedType::new(attributes(objects, style, arena), Nesting::Single, arena));
    }
    let element = whole(objects);
    if element.is_mixed() || element.nulls {
        return None;
    }
    let inner = element.objects.as_ref().filter(|inner| !is_map("", inner, Held::InMap, style))?;
    Some(NestedType::new(attributes(inner, style, arena), Nesting::Map, arena))
}

fn attributes<'s>(objects: &Objects<'s>, style: Style, arena: &'s Bump) -> &'s [(&'s str, Attribute<'s>)] {
    let members =
        objects.members.iter().map(|(name, evidence)| (*name, attribute(name, evidence, style, arena)));
    arena.alloc_slice_copy(&members.collect::<Vec<_>>())
}

/// A type of values. What was never seen is a string: null and unknown look the same in all types.
pub(super) fn cty<'s>(name: &str, evidence: &Evidence<'s>, style: Style, arena: &'s Bump) -> Type<'s> {
    if evidence.is_mixed() {
        return Type::Dynamic;
    }
    if let Some(arrays) = &evidence.arrays {
        if arrays.item.is_mixed() {
            return Type::Dynamic;
        }
        let item = arena.alloc(cty("", &arrays.item, style, arena));
        let is_list = convention::of(name) == Some(Convention::List) && !arrays.lost_order;
        let is_set = !is_list && arrays.is_set(is_usually_set(name));
        return if is_set { Type::Set(item) } else { Type::List(item) };
    }
    if let Some(objects) = &evidence.objects {
        if is_map(name, objects, Held::Alone, style) {
            let element = whole(objects);
            return Type::Map(arena.alloc(cty("", &element, style, arena)));
        }
        let members =
            objects.members.iter().map(|(name, evidence)| (*name, cty(name, evidence, style, arena)));
        return Type::Object(arena.alloc_slice_copy(&members.collect::<Vec<_>>()));
    }
    match (evidence.bools, evidence.numbers) {
        (true, _) => Type::Bool,
        (_, true) => Type::Number,
        _ => Type::String,
    }
}

/// What holds an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Alone,
    InArray,
    InMap,
}

/// Whether objects are maps: keys chosen by the user, values of one type.
pub(super) fn is_map(name: &str, objects: &Objects<'_>, held: Held, style: Style) -> bool {
    let members = &objects.members;
    if members.is_empty() {
        return true;
    }
    // Values of several types are no map's, whatever the keys are.
    let element = whole(objects);
    if element.is_mixed() {
        return false;
    }
    if !objects.is_uniform() || !members.keys().all(|key| is_attribute_name(key)) {
        return true;
    }
    // A map holds a null only if the configuration writes one.
    if element.nulls {
        return false;
    }
    if convention::of(name) == Some(Convention::Map) || says(name, "map") {
        return true;
    }
    match (&element.objects, &element.arrays) {
        // Objects of the same members under keys; the members of an object differ.
        // One object under one key is more often a map's if it has no deeper level.
        (Some(inner), _) if members.len() == 1 => {
            is_plural(name) || inner.members.values().all(Evidence::is_flat)
        }
        (Some(inner), _) => is_plural(name) || inner.is_uniform(),
        (_, Some(_)) => held == Held::Alone && is_plural(name),
        // Lists of maps are rare, lists of objects are not. Of maps, the keys differ from time to time, and
        // the name is that of many things.
        (None, None) => {
            let is_settled = objects.times > 1 || style.prefers_attributes();
            let settled = members.len() > 1 && is_settled && !is_plural(name);
            held == Held::Alone && !settled
        }
    }
}

/// All elements of a map, as one.
pub(super) fn whole<'s>(objects: &Objects<'s>) -> Evidence<'s> {
    let mut whole = Evidence::default();
    for member in objects.members.values() {
        whole.add(member);
    }
    whole
}

pub(super) fn is_attribute_name(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// How many scalars in the order of sets are rather those of a set. People sort short lists.
const SORTED: usize = 4;

impl Arrays<'_> {
    /// Whether the elements are a set: the configuration's order was lost, or the name usually means one
    /// and nothing speaks against it.
    fn is_set(&self, usually: bool) -> bool {
        let is_likely =
            usually || self.replaced_as_one || (self.item.is_flat() && self.most_sorted >= SORTED);
        self.lost_order || (is_likely && !self.kept_order)
    }
}

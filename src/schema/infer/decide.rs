//! From evidence to shapes: the rules.
//!
//! Each rule stands where it applies, the surest first. They rest on what the formats guarantee: list, set
//! and map blocks are never null; objects write all their attributes, null ones too, maps only what is there;
//! names of attributes are lower-case words, keys of maps are anything; sets of scalars are sorted.

use bumpalo::Bump;

use super::facts::{self, Convention};
use super::seen::{Arrays, Config, Objects, Seen};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};

/// An attribute or a type of nested blocks.
pub(super) enum Member<'s> {
    Attribute(Attribute<'s>),
    Block(NestedBlock<'s>),
}

/// The shape of a block of which all that is known was seen.
pub(super) fn block<'s>(seen: &Seen<'s>, arena: &'s Bump) -> Block<'s> {
    let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
    for (name, seen) in seen.objects.iter().flat_map(|objects| &objects.members) {
        match member(name, seen, arena) {
            Member::Attribute(attribute) => attributes.push((*name, attribute)),
            Member::Block(block) => blocks.push((*name, block)),
        }
    }
    Block { attributes: arena.alloc_slice_copy(&attributes), blocks: arena.alloc_slice_copy(&blocks) }
}

/// The shape of what stands in a block under a name.
pub(super) fn member<'s>(name: &str, seen: &Seen<'s>, arena: &'s Bump) -> Member<'s> {
    match nesting_of_blocks(name, seen) {
        Some(nesting) => Member::Block(NestedBlock { nesting, block: nested_block(seen, nesting, arena) }),
        None => Member::Attribute(attribute(name, seen, arena)),
    }
}

/// How the blocks nest, if it is blocks that stand here.
fn nesting_of_blocks(name: &str, seen: &Seen<'_>) -> Option<Nesting> {
    let convention = match facts::convention(name) {
        Some(Convention::Block(nesting)) => Some(nesting),
        _ => None,
    };
    if seen.is_mixed() || seen.config == Config::Attribute {
        return None;
    }
    if let Some(arrays) = &seen.arrays {
        // Nobody marks blocks as a whole, as one can an attribute: a set's marks do it.
        let usually_set = convention == Some(Nesting::Set) || says_set(name) || arrays.marked;
        return holds_blocks(name, seen, arrays)
            .then(|| if arrays.is_set(usually_set) { Nesting::Set } else { Nesting::List });
    }
    if let Some(objects) = &seen.objects {
        return match seen.config {
            Config::Block => Some(Nesting::Single),
            Config::KeyedBlocks => Some(keyed_or_single(objects)),
            Config::Silent | Config::Attribute | Config::Blocks => silent_object(seen, objects, convention),
        };
    }
    // Computed blocks that nobody knows yet look like attributes; so do blocks that are always null.
    (seen.is_blank() && seen.unknown).then_some(convention).flatten()
}

/// Whether the elements of an array are blocks.
fn holds_blocks(name: &str, seen: &Seen<'_>, arrays: &Arrays<'_>) -> bool {
    let item = &arrays.item;
    let only_objects = !item.is_mixed() && (item.is_blank() || item.objects.is_some()) && !item.nulls;
    if seen.config == Config::Blocks {
        return only_objects;
    }
    // Blocks that nest by position or value are never null, only none.
    if !only_objects || seen.nulls {
        return false;
    }
    match facts::convention(name) {
        Some(Convention::Block(_)) => true,
        Some(Convention::List | Convention::Set | Convention::Map | Convention::Objects) => false,
        // What the configuration does not write is computed, or none, or a `dynamic` block. Only what is
        // computed is unknown before it is known; attributes of a new object that nobody writes are null.
        // Of nothing but empty ones in old objects, the name must tell: blocks are named after one of them.
        None => !seen.unknown && (arrays.item.times > 0 || arrays.made || !is_plural(name)),
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

fn silent_object(seen: &Seen<'_>, objects: &Objects<'_>, convention: Option<Nesting>) -> Option<Nesting> {
    if let Some(nesting @ (Nesting::Single | Nesting::Group)) = convention {
        return Some(nesting);
    }
    // A group is there without being written, with nothing in it.
    let hollow = !objects.members.is_empty()
        && objects.members.values().all(|member| member.is_blank() && !member.unknown);
    (hollow && !seen.nulls).then_some(Nesting::Group)
}

fn nested_block<'s>(seen: &Seen<'s>, nesting: Nesting, arena: &'s Bump) -> Block<'s> {
    match nesting {
        Nesting::List | Nesting::Set => {
            seen.arrays.as_ref().map(|arrays| block(&arrays.item, arena)).unwrap_or_default()
        }
        Nesting::Single | Nesting::Group => block(seen, arena),
        Nesting::Map => {
            seen.objects.as_ref().map(|objects| block(&whole(objects), arena)).unwrap_or_default()
        }
    }
}

/// The shape of an attribute of a block, or of a nested attribute.
pub(super) fn attribute<'s>(name: &str, seen: &Seen<'s>, arena: &'s Bump) -> Attribute<'s> {
    let kind = nested(name, seen, arena)
        .map_or_else(|| AttributeKind::Type(cty(name, seen, arena)), AttributeKind::Nested);
    Attribute { kind, sensitive: is_secret(name), write_only: is_write_only(name, seen) }
}

/// Passwords are secrets in all but a few of the schemas that the facts are made of, whatever the
/// plan marks: older formats mark nothing.
pub(super) fn is_secret(name: &str) -> bool {
    name == "password" || name.ends_with("_password")
}

/// Write-only attributes are null in every plan, so only their name can tell: providers end it with `_wo`.
fn is_write_only(name: &str, seen: &Seen<'_>) -> bool {
    name.ends_with("_wo") && seen.is_blank() && !seen.unknown
}

fn is_usually_set(name: &str) -> bool {
    facts::convention(name) == Some(Convention::Set) || says_set(name)
}

fn says_set(name: &str) -> bool {
    name.split('_').any(|word| word == "set")
}

fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss")
}

/// Attributes that hold objects have attributes of their own in all providers that can declare either.
/// Only lists that the older kit computes are lists of an object type.
fn nested<'s>(name: &str, seen: &Seen<'s>, arena: &'s Bump) -> Option<NestedType<'s>> {
    if seen.is_mixed() {
        return None;
    }
    if let Some(arrays) = &seen.arrays {
        let objects =
            arrays.item.objects.as_ref().filter(|_| !arrays.item.is_mixed() && !arrays.item.nulls)?;
        let computed = seen.config != Config::Attribute && seen.unknown;
        if computed
            || facts::convention(name) == Some(Convention::Objects)
            || is_map(name, objects, Held::InArray)
        {
            return None;
        }
        let nesting = if arrays.is_set(is_usually_set(name)) { Nesting::Set } else { Nesting::List };
        return Some(NestedType { attributes: attributes(objects, arena), nesting });
    }
    let objects = seen.objects.as_ref()?;
    if !is_map(name, objects, Held::Alone) {
        return Some(NestedType { attributes: attributes(objects, arena), nesting: Nesting::Single });
    }
    let element = whole(objects);
    if element.is_mixed() || element.nulls {
        return None;
    }
    let inner = element.objects.as_ref().filter(|inner| !is_map("", inner, Held::InMap))?;
    Some(NestedType { attributes: attributes(inner, arena), nesting: Nesting::Map })
}

fn attributes<'s>(objects: &Objects<'s>, arena: &'s Bump) -> &'s [(&'s str, Attribute<'s>)] {
    let members = objects.members.iter().map(|(name, seen)| (*name, attribute(name, seen, arena)));
    arena.alloc_slice_copy(&members.collect::<Vec<_>>())
}

/// A type of values. What was never seen is a string: null and unknown look the same in all types.
pub(super) fn cty<'s>(name: &str, seen: &Seen<'s>, arena: &'s Bump) -> Type<'s> {
    if seen.is_mixed() {
        return Type::Dynamic;
    }
    if let Some(arrays) = &seen.arrays {
        if arrays.item.is_mixed() {
            return Type::Dynamic;
        }
        let item = arena.alloc(cty("", &arrays.item, arena));
        return if arrays.is_set(is_usually_set(name)) { Type::Set(item) } else { Type::List(item) };
    }
    if let Some(objects) = &seen.objects {
        if is_map(name, objects, Held::Alone) {
            let element = whole(objects);
            return Type::Map(arena.alloc(cty("", &element, arena)));
        }
        let members = objects.members.iter().map(|(name, seen)| (*name, cty(name, seen, arena)));
        return Type::Object(arena.alloc_slice_copy(&members.collect::<Vec<_>>()));
    }
    match (seen.bools, seen.numbers) {
        (true, _) => Type::Bool,
        (_, true) => Type::Number,
        _ => Type::String,
    }
}

/// What holds an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Alone,
    InArray,
    InMap,
}

/// Whether objects are maps: keys that somebody chose, values of one type.
fn is_map(name: &str, objects: &Objects<'_>, held: Held) -> bool {
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
    // A map holds no null unless somebody writes one.
    if element.nulls {
        return false;
    }
    if facts::convention(name) == Some(Convention::Map) {
        return true;
    }
    match (&element.objects, &element.arrays) {
        // Objects of the same members under keys; the members of an object differ.
        // One object under one key is more often a map's if it goes no deeper.
        (Some(inner), _) if members.len() == 1 => {
            is_plural(name) || inner.members.values().all(Seen::is_flat)
        }
        (Some(inner), _) => is_plural(name) || inner.is_uniform(),
        (_, Some(_)) => held == Held::Alone && is_plural(name),
        // Lists of maps are rare, lists of objects are not. Of maps, the keys differ from time to time, and
        // the name is that of many things.
        (None, None) => {
            let settled = members.len() > 1 && objects.times > 1 && !is_plural(name);
            held == Held::Alone && !settled
        }
    }
}

/// All elements of a map, as one.
fn whole<'s>(objects: &Objects<'s>) -> Seen<'s> {
    let mut whole = Seen::default();
    for member in objects.members.values() {
        whole.add(member);
    }
    whole
}

fn is_attribute_name(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

impl Arrays<'_> {
    /// Whether the elements are a set: the configuration's order was lost, or the name usually means one
    /// and nothing speaks against it.
    fn is_set(&self, usually: bool) -> bool {
        self.lost_order || (usually && !self.kept_order)
    }
}

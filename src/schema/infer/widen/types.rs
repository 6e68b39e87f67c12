//! Widens the types of attributes.

use bumpalo::Bump;

use super::members::Members;
use super::named::NamedShapes;
use super::{Side, Widened, evidence_of, needs_place};
use crate::json::{Object, Value};
use crate::schema::Type;
use crate::schema::infer::decide;
use crate::schema::infer::style::Style;

/// Whether a value without parts is of the type.
pub(super) fn is_of_type(kind: Type<'_>, value: Value<'_>) -> bool {
    matches!(
        (kind, value),
        (Type::Dynamic, _)
            | (Type::Bool, Value::Bool(_))
            | (Type::Number, Value::Number(_))
            | (Type::String, Value::String(_))
    )
}

/// An object type with more new members than this becomes a dynamic type: it would take more memory than its
/// values, if each of them has members of its own.
const MAX_NEW_MEMBERS: usize = 1 << 10;

/// The type that holds all of `values` too.
pub(super) fn cty<'s>(
    known: Type<'s>,
    values: &[Value<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<Type<'s>> {
    let marks = side == Side::Unknown;
    let counts = move |value: Value<'_>| {
        !value.is_null() && needs_place(value, side) && !(marks && value == Value::Bool(false))
    };
    let values = || values.iter().copied().filter(move |value| counts(*value));
    let is_part = |item: Type<'s>, part: Value<'s>| counts(part) && !is_of_type(item, part);
    let parts = |item: Type<'s>, held: fn(Value<'s>) -> Option<Parts<'s>>| -> Option<Vec<Value<'s>>> {
        let mut parts = Vec::new();
        for value in values() {
            match held(value)? {
                Parts::Items(items) => {
                    parts.extend(items.iter().copied().filter(|part| is_part(item, *part)));
                }
                Parts::Members(members) => {
                    let members = members.iter().map(|(_, member)| *member);
                    parts.extend(members.filter(|part| is_part(item, *part)));
                }
            }
        }
        Some(parts)
    };
    let items = |value: Value<'s>| value.as_array().map(Parts::Items);
    let members = |value: Value<'s>| value.as_object().map(|object| Parts::Members(object.members()));
    match known {
        Type::Dynamic => None,
        Type::Bool | Type::Number | Type::String => {
            (!values().all(|value| is_of_type(known, value))).then_some(Type::Dynamic)
        }
        Type::List(item) => match parts(*item, items) {
            Some(parts) => Some(Type::List(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Set(item) => match parts(*item, items) {
            Some(parts) => Some(Type::Set(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Map(item) => match parts(*item, members) {
            Some(parts) => Some(Type::Map(arena.alloc(cty(*item, &parts, side, arena)?))),
            None => Some(Type::Dynamic),
        },
        Type::Object(members) => {
            let objects: Option<Vec<Object<'s>>> = values().map(Value::as_object).collect();
            match objects {
                Some(objects) => object_type(members, &objects, side, arena),
                None => Some(Type::Dynamic),
            }
        }
        Type::Tuple(types) => {
            let fits = |value: Value<'s>| {
                value.as_array().is_some_and(|items| {
                    types.len() >= items.len()
                        && types
                            .iter()
                            .zip(items)
                            .all(|(kind, item)| cty(*kind, &[*item], side, arena).is_none())
                })
            };
            (!values().all(fits)).then_some(Type::Dynamic)
        }
    }
}

/// The elements or members of a value.
enum Parts<'s> {
    Items(&'s [Value<'s>]),
    Members(&'s [(&'s str, Value<'s>)]),
}

fn object_type<'s>(
    members: &'s [(&'s str, Type<'s>)],
    objects: &[Object<'s>],
    side: Side,
    arena: &'s Bump,
) -> Widened<Type<'s>> {
    let mut names = NamedShapes::new(members);
    let found = Members::new(objects, &[], |_, _| false, side);
    let new = found.by_name().filter(|(name, _)| names.get(name).is_none()).count();
    if new > MAX_NEW_MEMBERS {
        return Some(Type::Dynamic);
    }
    names.widen(
        &found,
        |name, first| decide::cty(name, &evidence_of(first, side), Style::default(), arena),
        |known, values| cty(known, values, side, arena),
    );
    names.is_changed().then(|| Type::Object(names.finish(arena)))
}

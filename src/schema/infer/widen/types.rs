//! Widens the types of attributes.

use super::members::Members;
use super::named::NamedShapes;
use super::{Cover, Side, Widened, evidence_of, held, needs_place};
use crate::json::{Object, Value};
use crate::schema::infer::decide;
use crate::schema::infer::style::Style;
use crate::schema::{Nesting, Type};

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
pub(super) fn cty<'s>(known: Type<'s>, values: &[Value<'s>], to: Cover<'s>) -> Widened<Type<'s>> {
    let marks = to.side == Side::Unknown;
    let counts = move |value: Value<'_>| {
        !value.is_null() && needs_place(value, to.side) && !(marks && value == Value::Bool(false))
    };
    let values = || values.iter().copied().filter(move |value| counts(*value));
    let parts = |item: Type<'s>, nesting| -> Option<Vec<Value<'s>>> {
        let mut parts = Vec::new();
        for value in values() {
            parts.extend(held(nesting, value)?.filter(|part| counts(*part) && !is_of_type(item, *part)));
        }
        Some(parts)
    };
    let collection = |item: Type<'s>, nesting, of: fn(&'s Type<'s>) -> Type<'s>| match parts(item, nesting) {
        Some(parts) => Some(of(to.arena.alloc(cty(item, &parts, to)?))),
        None => Some(Type::Dynamic),
    };
    match known {
        Type::Dynamic => None,
        Type::Bool | Type::Number | Type::String => {
            (!values().all(|value| is_of_type(known, value))).then_some(Type::Dynamic)
        }
        Type::List(item) => collection(*item, Nesting::List, Type::List),
        Type::Set(item) => collection(*item, Nesting::Set, Type::Set),
        Type::Map(item) => collection(*item, Nesting::Map, Type::Map),
        Type::Object(members) => {
            let objects: Option<Vec<Object<'s>>> = values().map(Value::as_object).collect();
            match objects {
                Some(objects) => object_type(members, &objects, to),
                None => Some(Type::Dynamic),
            }
        }
        Type::Tuple(types) => {
            let fits = |value: Value<'s>| {
                value.as_array().is_some_and(|items| {
                    types.len() >= items.len()
                        && types.iter().zip(items).all(|(kind, item)| cty(*kind, &[*item], to).is_none())
                })
            };
            (!values().all(fits)).then_some(Type::Dynamic)
        }
    }
}

fn object_type<'s>(
    members: &'s [(&'s str, Type<'s>)],
    objects: &[Object<'s>],
    to: Cover<'s>,
) -> Widened<Type<'s>> {
    let mut names = NamedShapes::new(members);
    let found = Members::new(objects, &[], |_, _| false, to.side);
    let new = found.by_name().filter(|(name, _)| names.get(name).is_none()).count();
    if new > MAX_NEW_MEMBERS {
        return Some(Type::Dynamic);
    }
    names.widen(
        &found,
        |name, first| decide::cty(name, &evidence_of(first, to.side), Style::default(), to.arena),
        |known, values| cty(known, values, to),
    );
    names.is_changed().then(|| Type::Object(names.finish(to.arena)))
}

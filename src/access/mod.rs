//! Reads who may do what (`Grant`) and who may reach what (`Traffic` from a `Peer`).
//!
//! Invariant: only this module reads policies and firewall rules. Findings and the lines of a review ask it.

mod bindings;
mod firewall;
mod grant;
mod grants;
mod network;
mod policy;
mod vault;

pub(crate) use bindings::Bindings;
pub(crate) use firewall::{
    Field, Open, Shape, Traffic, TrafficReader, attributes, port_words, shape,
};
pub(crate) use grant::{Grant, Part, Term};
pub(crate) use grants::{GrantChanges, new_and_lost};
pub(crate) use network::{Class, Network, Peer, cover_everyone};
pub(crate) use policy::{Policy, SENSITIVE, UNKNOWN};
pub(crate) use vault::grants_of_vault;

use crate::diff::value::{Content, MarkedValue};

/// Returns the content of a value that is known and not sensitive; otherwise `None`. A missing value is `Null`.
pub(crate) fn known(value: Option<MarkedValue<'_>>) -> Option<Content<'_>> {
    let Some(value) = value else {
        return Some(Content::Null);
    };
    let is_read =
        !matches!(value.content, Content::Unknown | Content::Redacted) && !value.is_hidden;
    is_read.then_some(value.content)
}

/// Returns the content of a member of an object, as `known` does.
pub(crate) fn member<'w>(value: MarkedValue<'w>, name: &str) -> Option<Content<'w>> {
    if value.is_hidden || value.is_unknown() {
        None
    } else {
        known(value.get(name))
    }
}

/// Returns the text of a string, a number or a boolean.
pub(crate) fn scalar(content: Content<'_>) -> Option<&str> {
    match content {
        Content::String(text) | Content::Number(text) => Some(text),
        Content::Bool(flag) => Some(if flag { "true" } else { "false" }),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Array(_)
        | Content::Object(_) => None,
    }
}

/// Returns the text of a string that is known and not sensitive.
pub(crate) fn string(value: MarkedValue<'_>) -> Option<&str> {
    if let Some(Content::String(text)) = known(Some(value)) {
        Some(text)
    } else {
        None
    }
}

/// Returns the text of a string, a number or a boolean that is known and not sensitive.
pub(crate) fn readable(value: MarkedValue<'_>) -> Option<&str> {
    known(Some(value)).and_then(scalar)
}

#[cfg(test)]
mod tests;

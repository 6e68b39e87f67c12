//! What may be read of a value: what is known, and not sensitive.

use crate::diff::value::{Content, MarkedValue};

/// The content of a value, if it is known and not sensitive. A missing value is `Null`.
pub(crate) fn known(value: Option<MarkedValue<'_>>) -> Option<Content<'_>> {
    let Some(value) = value else { return Some(Content::Null) };
    match value.content {
        Content::Unknown | Content::Redacted => None,
        _ if value.is_hidden => None,
        content @ (Content::Null
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_)
        | Content::Object(_)) => Some(content),
    }
}

/// The content of a member, if it is known and not sensitive.
pub(crate) fn member<'w>(value: MarkedValue<'w>, name: &str) -> Option<Content<'w>> {
    if value.is_hidden || value.is_unknown() { None } else { known(value.get(name)) }
}

/// The text of a string, number or bool.
pub(crate) fn scalar(content: Content<'_>) -> Option<&str> {
    match content {
        Content::String(text) | Content::Number(text) => Some(text),
        Content::Bool(flag) => Some(if flag { "true" } else { "false" }),
        Content::Null | Content::Unknown | Content::Redacted | Content::Array(_) | Content::Object(_) => None,
    }
}

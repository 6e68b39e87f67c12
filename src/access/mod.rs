//! Access: IAM statements and firewall rules, and whom they let do or reach what.
//!
//! Findings and the lines of a review ask this module; neither reads a policy or a rule itself.

mod firewall;
mod grants;
mod network;
mod policy;

pub(crate) use firewall::{
    Field, Open, Shape, Traffic, TrafficReader, attributes, port_words, shape,
};
pub(crate) use grants::{Grants, grants};
pub(crate) use network::{Class, Network, Peer, are_world};
pub(crate) use policy::{Part, Policy, SENSITIVE, Statement, Term, UNKNOWN};

use crate::diff::value::{Content, MarkedValue};

/// `None` if it is unknown or sensitive. A missing value is `Null`.
pub(crate) fn known(value: Option<MarkedValue<'_>>) -> Option<Content<'_>> {
    let Some(value) = value else {
        return Some(Content::Null);
    };
    let is_read =
        !matches!(value.content, Content::Unknown | Content::Redacted) && !value.is_hidden;
    is_read.then_some(value.content)
}

pub(crate) fn member<'w>(value: MarkedValue<'w>, name: &str) -> Option<Content<'w>> {
    if value.is_hidden || value.is_unknown() {
        None
    } else {
        known(value.get(name))
    }
}

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

pub(crate) fn string(value: MarkedValue<'_>) -> Option<&str> {
    if let Some(Content::String(text)) = known(Some(value)) {
        Some(text)
    } else {
        None
    }
}

pub(crate) fn readable(value: MarkedValue<'_>) -> Option<&str> {
    known(Some(value)).and_then(scalar)
}

/// `*` matches any characters, `?` a single one, and all others themselves (including brackets, which occur in addresses).
pub fn glob_matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else {
        return prefix(glob, text) == Some(text.len());
    };
    let Some(mut at) = prefix(first, text) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The parts between two `*` are taken where they occur first, which leaves most of the text to the others.
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        match find(part, &text[at..]) {
            Some(end) => at += end,
            None => return false,
        }
    }
    ends_with(last, &text[at..])
}

fn prefix(part: &str, text: &str) -> Option<usize> {
    let mut rest = text.chars();
    part.chars()
        .all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
        .then(|| text.len() - rest.as_str().len())
}

fn find(part: &str, text: &str) -> Option<usize> {
    if !part.contains('?') {
        return text.find(part).map(|start| start + part.len());
    }
    text.char_indices()
        .find_map(|(start, _)| prefix(part, &text[start..]).map(|length| start + length))
}

fn ends_with(part: &str, text: &str) -> bool {
    let mut rest = text.chars().rev();
    part.chars()
        .rev()
        .all(|c| rest.next().is_some_and(|other| c == '?' || c == other))
}

#[cfg(test)]
mod tests;

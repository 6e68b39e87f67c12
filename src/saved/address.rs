//! Splits addresses into module, mode, type, name and instance key.
//!
//! ```text
//! module.net["a"].data.aws_vpc.main[0]
//!
//! Address { module: "module.net[\"a\"]", mode: "data", kind: "aws_vpc", name: "main", key: Some(Index(0)) }
//! ```

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Error;
use crate::model::address::{Steps, module_of};
use crate::text::is_printable;

/// The parts of the address of a resource instance, an action, or something else that has checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// The address of the module instance; empty for the root module.
    pub(super) module: &'a str,
    /// The names of the module calls, from the root on, each with its instance key.
    modules: Vec<(&'a str, Option<Key>)>,
    /// One of `managed`, `data`, `ephemeral`, `action`, `check`, `output` and `var`.
    pub(super) mode: &'a str,
    /// The resource type; empty for checks, outputs and variables.
    pub(super) kind: &'a str,
    /// The name of the block.
    pub(super) name: &'a str,
    /// The instance key; `None` without `count` and `for_each`.
    pub(super) key: Option<Key>,
}

/// An instance key: an index of `count`, or a key of `for_each`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(untagged, expecting = "an index key is neither a number nor a string")]
pub(super) enum Key {
    Index(i64),
    Text(String),
}

impl<'a> Address<'a> {
    /// Parses the address of a resource instance or action, or of an output, variable or `check` block.
    ///
    /// # Errors
    /// If the address has another form.
    pub(super) fn parse(text: &'a str) -> Result<Self, Error> {
        let fault = || {
            Error::malformed(
                text,
                "expected the address of a resource instance, an action or a check",
            )
        };
        let module = module_of(text);
        let mut steps = steps(text).ok_or_else(fault)?;
        let own = steps.split_off(Steps(module).count());
        let modules = steps.into_iter().skip(1).step_by(2).collect();
        let mut own = own.into_iter();
        let parts = (own.next(), own.next(), own.next(), own.next());
        let (mode, kind, (name, key)) = match parts {
            (Some((kind, _)), Some(last), None, None) => match kind {
                "check" | "output" | "var" => (kind, "", last),
                "module" => return Err(fault()),
                _ => ("managed", kind, last),
            },
            (Some((mode, _)), Some((kind, _)), Some(last), None) => (mode, kind, last),
            _ => return Err(fault()),
        };
        Ok(Self {
            module,
            modules,
            mode,
            kind,
            name,
            key,
        })
    }

    /// Compares two addresses in the order in which the tools list objects: by depth and name of the module, then
    /// ephemeral before data before managed resources, then by type, name and instance key.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let mode = |mode: &str| match mode {
            "ephemeral" => 0,
            "data" => 1,
            _ => 2,
        };
        (self.modules.len().cmp(&other.modules.len()))
            .then_with(|| self.modules.cmp(&other.modules))
            .then_with(|| mode(self.mode).cmp(&mode(other.mode)))
            .then_with(|| {
                (self.kind, self.name, &self.key).cmp(&(other.kind, other.name, &other.key))
            })
    }
}

/// Splits an address into its names with their keys. Returns `None` if a name is empty or a key is malformed.
fn steps(address: &str) -> Option<Vec<(&str, Option<Key>)>> {
    Steps(address)
        .map(|step| (!step.name.is_empty()).then_some((step.name, key(step.key)?)))
        .collect()
}

/// Parses a key in brackets. The outer `None` means that it is malformed; the inner one that there is no key, or that
/// it is `[*]`, which is not known yet.
fn key(text: Option<&str>) -> Option<Option<Key>> {
    let Some(text) = text.filter(|text| *text != "[*]") else {
        return Some(None);
    };
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    match inner.strip_prefix('"') {
        Some(quoted) => unquote(quoted.strip_suffix('"')?).map(|text| Some(Key::Text(text))),
        None => inner.parse().ok().map(|index| Some(Key::Index(index))),
    }
}

/// Returns the addresses of all modules on the way to a module, the outermost first: `module.a` and `module.a.module.b`
/// for the latter.
///
/// # Errors
/// If the address is not that of a module.
pub(super) fn module_prefixes(address: &str) -> Result<Vec<&str>, Error> {
    let fault = || Error::malformed(address, "expected the address of a module");
    steps(address).ok_or_else(fault)?;
    let (mut rest, mut prefixes) = (Steps(address), Vec::new());
    while let Some(step) = rest.next() {
        if step.name != "module" || step.key.is_some() || rest.next().is_none() {
            return Err(fault());
        }
        prefixes.push(address[..address.len() - rest.0.len()].trim_end_matches('.'));
    }
    Ok(prefixes)
}

/// Returns the source address of a provider from the address of its configuration, which has the form
/// `module.m.provider["HOST/NAMESPACE/TYPE"].alias["key"]`.
///
/// States of Terraform 0.12 have only the type, as in `module.m.provider.TYPE.alias`. The tools read that as a provider
/// in the namespace `-`.
///
/// # Errors
/// If the address has neither form.
pub(super) fn provider_name(address: &str) -> Result<Cow<'_, str>, Error> {
    let mut steps = Steps(address);
    let mut first = steps.next();
    while first.as_ref().is_some_and(|step| step.name == "module") {
        // Skips the name of the module, and goes on with the step after it.
        steps.next();
        first = steps.next();
    }
    let module_or_resource = match (first, steps.next()) {
        (Some(provider), _) if provider.name == "provider" && provider.key.is_some() => {
            provider.key.and_then(quoted_key).map(Cow::Borrowed)
        }
        (Some(provider), Some(kind)) if provider.name == "provider" && kind.key.is_none() => {
            Some(legacy_name(kind.name))
        }
        _ => None,
    };
    module_or_resource.ok_or_else(|| {
        let problem = format!("the provider address {address:?} is not understood");
        Error::malformed("", problem)
    })
}

fn quoted_key(key: &str) -> Option<&str> {
    key.strip_prefix("[\"")?.strip_suffix("\"]")
}

/// Returns the source address of a provider from its type alone.
fn legacy_name<'a>(kind: &str) -> Cow<'a, str> {
    match kind {
        "terraform" => Cow::Borrowed("terraform.io/builtin/terraform"),
        kind => Cow::Owned(format!("registry.terraform.io/-/{kind}")),
    }
}

/// Returns a key in quotes, escaped as the tools do it: `a"b` becomes `"a\"b"`, and `${` becomes `$${`.
pub(super) fn quote_key(key: &str) -> String {
    let mut quoted = String::from("\"");
    let mut characters = key.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' => quoted.extend(['\\', character]),
            '$' | '%' if characters.peek() == Some(&'{') => quoted.extend([character, character]),
            _ if is_printable(character) => quoted.push(character),
            _ => match u32::from(character) {
                code @ 0..=0xffff => quoted.push_str(&format!("\\u{code:04x}")),
                code => quoted.push_str(&format!("\\U{code:08x}")),
            },
        }
    }
    quoted.push('"');
    quoted
}

/// Reverses [`quote_key`] for the text between the quotes. Returns `None` if it is malformed.
fn unquote(text: &str) -> Option<String> {
    let mut key = String::new();
    let mut characters = text.char_indices();
    while let Some((offset, character)) = characters.next() {
        match character {
            '"' => return None,
            '\\' => match characters.next()?.1 {
                'n' => key.push('\n'),
                'r' => key.push('\r'),
                't' => key.push('\t'),
                escape @ ('u' | 'U') => {
                    let digits = if escape == 'u' { 4 } else { 8 };
                    let code: String = characters
                        .by_ref()
                        .take(digits)
                        .map(|(_, digit)| digit)
                        .collect();
                    key.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => key.push(other),
            },
            // `$${` and `%%{` are a literal `${` and `%{`.
            '$' | '%'
                if text[offset + 1..].starts_with(character)
                    && text[offset + 2..].starts_with('{') =>
            {
                key.push(character);
                characters.next();
            }
            other => key.push(other),
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests;

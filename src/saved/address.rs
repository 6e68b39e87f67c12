//! Addresses taken apart: module, mode, type, name and instance key.
//!
//! Source: the address syntax of the tools. Keys are quoted as strings of the configuration language.

use std::cmp::Ordering;

use super::Error;
use crate::model::address::{Steps, module_of};
use crate::text::is_printable;

/// An address of a resource instance, an action or a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address<'a> {
    /// The address of the module; empty for the root module.
    pub(super) module: &'a str,
    /// The names and keys of the modules.
    modules: Vec<(&'a str, Key)>,
    /// `managed`, `data`, `ephemeral`, `action`, `check`, `output`, `var`.
    pub(super) mode: &'a str,
    /// The type; empty for what has none.
    pub(super) kind: &'a str,
    /// The name.
    pub(super) name: &'a str,
    /// The instance key.
    pub(super) key: Key,
}

/// An instance key. The order is that of the tools.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// None, or one that is not known yet (`[*]`).
    None { is_unknown: bool },
    /// From `count`.
    Index(i64),
    /// From `for_each`.
    Text(String),
}

impl Key {
    /// The key as JSON; `None` if there is none.
    pub(super) fn to_json(&self) -> Option<serde_json::Value> {
        match self {
            Self::None { .. } => None,
            Self::Index(index) => Some((*index).into()),
            Self::Text(text) => Some((&**text).into()),
        }
    }
}

impl<'a> Address<'a> {
    /// Takes an address apart.
    pub(super) fn parse(text: &'a str) -> Result<Self, Error> {
        let fault = || Error::malformed(text, "the address is not understood");
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
        Ok(Self { module, modules, mode, kind, name, key })
    }

    /// The order of the tools: by module, then ephemeral, data and managed resources, then type, name and key.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let mode = |mode: &str| match mode {
            "ephemeral" => 0,
            "data" => 1,
            _ => 2,
        };
        (self.modules.len().cmp(&other.modules.len()))
            .then_with(|| self.modules.cmp(&other.modules))
            .then_with(|| mode(self.mode).cmp(&mode(other.mode)))
            .then_with(|| (self.kind, self.name, &self.key).cmp(&(other.kind, other.name, &other.key)))
    }
}

/// The names and keys of an address.
fn steps(address: &str) -> Option<Vec<(&str, Key)>> {
    Steps(address).map(|step| (!step.name.is_empty()).then_some((step.name, key(step.key)?))).collect()
}

/// An instance key, from its text in brackets.
fn key(text: Option<&str>) -> Option<Key> {
    let Some(text) = text else { return Some(Key::None { is_unknown: false }) };
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    match inner.strip_prefix('"') {
        Some(quoted) => unquote(quoted.strip_suffix('"')?).map(Key::Text),
        None if inner == "*" => Some(Key::None { is_unknown: true }),
        None => inner.parse().ok().map(Key::Index),
    }
}

/// The addresses of a module and of those around it, outermost first.
pub(super) fn module_prefixes(address: &str) -> Result<Vec<&str>, Error> {
    let fault = || Error::malformed(address, "the address of the module is not understood");
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

/// A key as a quoted string of the configuration language.
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

/// The text between the quotes of a key, without its escapes.
fn unquote(text: &str) -> Option<String> {
    let mut key = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return None,
            '\\' => match characters.next()?.1 {
                'n' => key.push('\n'),
                'r' => key.push('\r'),
                't' => key.push('\t'),
                escape @ ('u' | 'U') => {
                    let digits = if escape == 'u' { 4 } else { 8 };
                    let code: String = characters.by_ref().take(digits).map(|(_, digit)| digit).collect();
                    key.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => key.push(other),
            },
            // `$${` and `%%{` are a literal `${` and `%{`.
            '$' | '%' if text[at + 1..].starts_with(character) && text[at + 2..].starts_with('{') => {
                key.push(character);
                characters.next();
            }
            other => key.push(other),
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        let text = r#"module.a["x.y\"]"].module.b[2].data.t_u.n["k\n$${v}\u00e9"]"#;
        let address = Address::parse(text).unwrap();
        assert_eq!(address.module, r#"module.a["x.y\"]"].module.b[2]"#);
        assert_eq!((address.mode, address.kind, address.name), ("data", "t_u", "n"));
        assert_eq!(address.key, Key::Text("k\n${v}é".to_owned()));
        let address = Address::parse("t.n[*]").unwrap();
        assert_eq!((address.mode, address.key), ("managed", Key::None { is_unknown: true }));
        for wrong in ["", "t", "t.n[", "t.n[x]", "t.n[\"a", "module.a", "t..n", "a.b.c.d", "t.n[0]x"] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }
}

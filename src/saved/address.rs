//! Addresses taken apart: module, mode, type, name and instance key.
//!
//! Source: the address syntax of the tools. Keys are quoted as strings of the configuration language.

use std::cmp::Ordering;

use super::Error;
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

impl<'a> Address<'a> {
    /// Takes an address apart.
    pub(super) fn parse(text: &'a str) -> Result<Self, Error> {
        let fault = || Error::malformed(text, "the address is not understood");
        let (mut rest, mut modules) = (text, Vec::new());
        while let Some(after) = rest.strip_prefix("module.") {
            let (name, key, next) = step(after).ok_or_else(fault)?;
            modules.push((name, key));
            rest = next;
        }
        let module = text[..text.len() - rest.len()].trim_end_matches('.');
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (name, key, next) = step(rest).ok_or_else(fault)?;
            steps.push((name, key));
            rest = next;
        }
        let mut steps = steps.into_iter();
        let parts = (steps.next(), steps.next(), steps.next(), steps.next());
        let (mode, kind, (name, key)) = match parts {
            (Some((kind, _)), Some(last), None, None) => match kind {
                "check" | "output" | "var" => (kind, "", last),
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

const NO_KEY: Key = Key::None { is_unknown: false };

/// The first step of an address: its name, its key, and the rest after the dot.
fn step(text: &str) -> Option<(&str, Key, &str)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    if name.is_empty() {
        return None;
    }
    let Some(inner) = after.strip_prefix('[') else {
        return Some((name, NO_KEY, after.strip_prefix('.').unwrap_or_default()));
    };
    let (key, after) = if let Some(quoted) = inner.strip_prefix('"') {
        let (text, after) = unquote(quoted)?;
        (Key::Text(text), after)
    } else {
        let (key, _) = inner.split_once(']')?;
        let after = &inner[key.len()..];
        let key = if key == "*" { Key::None { is_unknown: true } } else { Key::Index(key.parse().ok()?) };
        (key, after)
    };
    let after = after.strip_prefix(']')?;
    match after.strip_prefix('.') {
        Some(rest) => Some((name, key, rest)),
        None if after.is_empty() => Some((name, key, after)),
        None => None,
    }
}

/// The addresses of a module and of those around it, outermost first.
pub(super) fn module_prefixes(address: &str) -> Result<Vec<&str>, Error> {
    let fault = || Error::malformed(address, "the address of the module is not understood");
    let (mut rest, mut prefixes) = (address, Vec::new());
    while !rest.is_empty() {
        let after = rest.strip_prefix("module.").ok_or_else(fault)?;
        (_, _, rest) = step(after).ok_or_else(fault)?;
        prefixes.push(address[..address.len() - rest.len()].trim_end_matches('.'));
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

/// A quoted key without its escapes, and the text after the closing quote.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut key = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((key, &text[at + 1..])),
            '\\' => {
                let (_, escaped) = characters.next()?;
                let digits = match escaped {
                    'n' => {
                        key.push('\n');
                        continue;
                    }
                    'r' => {
                        key.push('\r');
                        continue;
                    }
                    't' => {
                        key.push('\t');
                        continue;
                    }
                    'u' => 4,
                    'U' => 8,
                    other => {
                        key.push(other);
                        continue;
                    }
                };
                let code: String = characters.by_ref().take(digits).map(|(_, digit)| digit).collect();
                key.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
            }
            // `$${` and `%%{` are a literal `${` and `%{`.
            '$' | '%' if text[at + 1..].starts_with(character) && text[at + 2..].starts_with('{') => {
                key.push(character);
                characters.next();
            }
            other => key.push(other),
        }
    }
    None
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

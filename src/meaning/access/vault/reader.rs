//! Reads policies of Vault in their native syntax and as JSON.
//!
//! ```text
//! path "secret/*" { capabilities = ["read"]  allowed_parameters = { "a" = [] } }
//!
//! secret/*: read, limited by: allowed_parameters = { "a" = [ ] }
//! ```
//!
//! The text is read once from beginning to end, without recursion, because it is untrusted.

use std::collections::{BTreeMap, BTreeSet};

use crate::diff::value::MarkedValue;

/// The rules of a policy by their paths.
pub(super) type Rules<'a> = BTreeMap<&'a str, Rule<'a>>;

/// What a policy says about a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule<'a> {
    /// The capabilities.
    capabilities: BTreeSet<&'a str>,
    /// What else is said, which limits requests: names with their values, sorted.
    pub(super) limits: Vec<String>,
}

impl<'a> Rule<'a> {
    /// Whether the rule takes away everything.
    pub(super) fn is_denied(&self) -> bool {
        self.capabilities.contains("deny")
    }

    /// Returns the capabilities that the rule gives.
    pub(super) fn allowed(&self) -> BTreeSet<&'a str> {
        match self.is_denied() {
            true => BTreeSet::new(),
            false => self.capabilities.clone(),
        }
    }

    /// Adds the capabilities of a word of older policies, `policy = "write"`.
    fn add_word(&mut self, word: &'a str) {
        let other = [word];
        self.capabilities.extend(match word {
            "read" => &["read", "list"][..],
            "write" => &["create", "read", "update", "delete", "list"],
            "sudo" => &["create", "read", "update", "delete", "list", "sudo"],
            _ => &other,
        });
    }
}

/// Returns a path as it is compared: a slash at its beginning does not count.
fn path_of(text: &str) -> &str {
    text.strip_prefix('/').unwrap_or(text)
}

/// Reads a policy in JSON; `None` if it has other parts.
pub(super) fn json(document: MarkedValue<'_>) -> Option<Rules<'_>> {
    let mut rules = Rules::new();
    for (name, paths) in document.as_object()? {
        if *name != "path" {
            return None;
        }
        let one = [*paths];
        for paths in paths.as_array().unwrap_or(&one) {
            for (path, body) in paths.as_object()? {
                let rule = rules.entry(path_of(path)).or_default();
                for (name, value) in body.as_object()? {
                    match *name {
                        "capabilities" => {
                            for capability in value.as_array()? {
                                rule.capabilities.insert(capability.as_str()?);
                            }
                        }
                        "policy" => rule.add_word(value.as_str()?),
                        // Only whether it is the same counts.
                        name => rule.limits.push(format!("{name} {}", value.hash_value())),
                    }
                }
            }
        }
    }
    Some(rules)
}

/// A token of the native syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A name, a number, or a word such as `true`.
    Word(&'a str),
    /// A text in quotes, without them.
    Text(&'a str),
    /// A brace, bracket, comma, or equals sign.
    Sign(char),
}

/// Reads a policy in the native syntax; `None` if it has other parts.
pub(super) fn native(text: &str) -> Option<Rules<'_>> {
    let mut rules = Rules::new();
    let mut tokens = tokens(text)?.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let (
            Token::Word("path") | Token::Text("path"),
            Some(Token::Text(path)),
            Some(Token::Sign('{')),
        ) = (token, tokens.next(), tokens.next())
        else {
            return None;
        };
        let rule = rules.entry(path_of(path)).or_default();
        loop {
            let name = match tokens.next()? {
                Token::Word(name) | Token::Text(name) => name,
                Token::Sign('}') => break,
                Token::Sign(',') => continue,
                Token::Sign(_) => return None,
            };
            tokens.next_if_eq(&Token::Sign('='));
            // The tokens of the value, up to the end of its brackets.
            let mut value = Vec::new();
            let mut depth = 0usize;
            loop {
                let token = tokens.next()?;
                value.push(token);
                match token {
                    Token::Sign('{' | '[') => depth += 1,
                    Token::Sign('}' | ']') => depth = depth.checked_sub(1)?,
                    Token::Sign(_) | Token::Word(_) | Token::Text(_) => {}
                }
                if depth == 0 {
                    break;
                }
            }
            let texts = value.iter().filter_map(|token| match token {
                Token::Text(text) => Some(*text),
                Token::Word(_) | Token::Sign(_) => None,
            });
            match name {
                "capabilities" => rule.capabilities.extend(texts),
                "policy" => texts.for_each(|word| rule.add_word(word)),
                name => rule.limits.push(format!("{name} {value:?}")),
            }
        }
        rule.limits.sort_unstable();
    }
    Some(rules)
}

/// Returns the tokens of a text without its comments; `None` if a text in it does not end.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/")? + 2,
            '"' => {
                let inside = rest.get(1..)?;
                let mut is_escaped = false;
                let end = inside.find(|character: char| {
                    let is_end = character == '"' && !is_escaped;
                    is_escaped = character == '\\' && !is_escaped;
                    is_end
                })?;
                tokens.push(Token::Text(inside.get(..end)?));
                end + 2
            }
            '{' | '}' | '[' | ']' | ',' | '=' | ':' => {
                let sign = if first == ':' { '=' } else { first };
                tokens.push(Token::Sign(sign));
                1
            }
            _ => {
                let end = rest.find(|character: char| {
                    character.is_whitespace() || "{}[],=:\"#".contains(character)
                });
                let length = end.unwrap_or(rest.len());
                tokens.push(Token::Word(rest.get(..length)?));
                length
            }
        };
        rest = rest.get(length..)?.trim_start();
    }
    Some(tokens)
}

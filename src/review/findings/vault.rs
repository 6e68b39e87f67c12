//! New capabilities in policies of Vault, which are texts in its own form of HCL, or in JSON.
//!
//! Invariant: the text is read once, without recursion, because anybody may have written it.

use std::collections::{BTreeMap, BTreeSet};

use super::exposure::grade;
use super::{Told, short};
use crate::access::{Class, glob_matches};

/// The maximum number of paths with a finding of their own, and of old patterns that are compared with each new path.
const MAX_PATHS: usize = 100;

/// The capabilities by path.
type Capabilities<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// What a policy allows that it did not allow before. For a new policy, only what gives all rights or all secrets,
/// and rights on Vault itself.
pub(super) fn grants(old: &str, new: &str, is_created: bool) -> Vec<Told> {
    let (old, new) = (read(old), read(new));
    let globs: Vec<_> = old.iter().filter(|(path, _)| path.contains('*')).take(MAX_PATHS).collect();
    let mut found = Vec::new();
    for (path, capabilities) in &new {
        let is_had = |capability: &&&str| {
            old.get(path).is_some_and(|had| had.contains(**capability))
                || globs.iter().any(|(glob, had)| had.contains(**capability) && glob_matches(glob, path))
        };
        let added: Vec<&str> =
            capabilities.iter().filter(|name| **name != "deny" && !is_had(name)).copied().collect();
        let class = class(path, &added);
        if !added.is_empty() && !capabilities.contains("deny") && (!is_created || class.is_some()) {
            let text = format!("{} on {:?}", added.join(", "), short(path));
            // All paths are the world of Vault.
            found.push(Told { text, grade: class.map(|class| grade(class, *path == "*")) });
        }
    }
    let denies = |all: &Capabilities<'_>, path: &str| all.get(path).is_some_and(|all| all.contains("deny"));
    let removed = old.keys().filter(|path| denies(&old, path) && !denies(&new, path));
    found.extend(removed.map(|path| Told::new(format!("deny on {:?} is removed", short(path)))));
    found.truncate(MAX_PATHS);
    found
}

/// What capabilities on all paths, or on those of Vault itself, open.
fn class(path: &str, capabilities: &[&str]) -> Option<Class> {
    let changes = capabilities.iter().any(|name| !matches!(*name, "read" | "list" | "subscribe" | "recover"));
    let is_own =
        ["sys/", "auth/", "identity/"].iter().any(|own| path.starts_with(own)) && path.ends_with('*');
    match (path, changes) {
        ("*", true) => Some(Class::Administration),
        ("*", false) => Some(Class::Data),
        (_, true) if is_own || capabilities.contains(&"sudo") => Some(Class::Administration),
        (_, true | false) => None,
    }
}

/// The capabilities in a policy: `path "secret/*" { capabilities = ["read"] }`, or the same as JSON, where the names are
/// one or two objects deeper, and end with `:`.
fn read(text: &str) -> Capabilities<'_> {
    let mut found = Capabilities::new();
    let (mut rest, mut depth, mut word, mut path) = (text, 0usize, "", "");
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        let end = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => {
                let inside = rest.get(1..).unwrap_or_default();
                let length = inside.find('"').unwrap_or(inside.len());
                let name = inside.get(..length).unwrap_or_default();
                let after = inside.get(length + 1..).unwrap_or_default().trim_start();
                match (depth, word, after.starts_with(':')) {
                    (0, "path", false) | (2, _, true) => path = name,
                    (3, _, true) => word = name,
                    (1 | 3, "capabilities" | "policy", false) => {
                        found.entry(path).or_default().insert(name);
                    }
                    _ => {}
                }
                (length + 2).min(rest.len())
            }
            _ if first.is_alphabetic() => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                word = rest.get(..end).unwrap_or_default();
                end
            }
            '{' | '}' => {
                (depth, word) = (if first == '{' { depth + 1 } else { depth.saturating_sub(1) }, "");
                1
            }
            ']' => {
                word = "";
                1
            }
            _ => first.len_utf8(),
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    found
}

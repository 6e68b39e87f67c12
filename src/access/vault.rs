//! Reads policies of Vault. Each path becomes a [`Grant`] of its capabilities.
//!
//! ```text
//! path "secret/*" { capabilities = ["read"] }    allow, actions: read, resources: secret/*
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::grant::{Grant, Term, Terms};

/// The capabilities by the path that they are for.
type Capabilities<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The capability that takes away all others.
const DENY: &str = "deny";

/// Returns the grants of a policy, sorted by path. A path that is denied has no other capability.
pub(crate) fn grants_of_vault(text: &str) -> Vec<Grant<'_>> {
    let grants = capabilities(text).into_iter().map(|(path, names)| {
        let is_denied = names.contains(DENY);
        let actions = match is_denied {
            true => vec![Term::new("*")],
            false => names.into_iter().map(Term::new).collect(),
        };
        Grant {
            effect: if is_denied { Grant::DENY } else { Grant::ALLOW },
            actions: Terms::of(actions),
            resources: Terms::of(vec![Term::new(path)]),
            is_whole: true,
            ..Grant::default()
        }
    });
    grants.collect()
}

/// Reads the capabilities of a policy in either syntax: `path "secret/*" { capabilities = ["read"] }`, or JSON, where
/// the same names are one or two objects deeper and end with `:`.
///
/// The text is read once from beginning to end, without recursion, because it is untrusted.
fn capabilities(text: &str) -> Capabilities<'_> {
    let mut capabilities = Capabilities::new();
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
                        capabilities.entry(path).or_default().insert(name);
                    }
                    _ => {}
                }
                (length + 2).min(rest.len())
            }
            _ if first.is_alphabetic() => {
                let end = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                word = rest.get(..end).unwrap_or_default();
                end
            }
            '{' | '}' => {
                (depth, word) = (
                    if first == '{' {
                        depth + 1
                    } else {
                        depth.saturating_sub(1)
                    },
                    "",
                );
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
    capabilities
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_path_is_a_grant_in_both_syntaxes() {
        let native = r#"
            # who reads
            path "secret/*" { capabilities = ["read", "list"] }
            path "secret/prod" { capabilities = ["deny", "read"] }
        "#;
        let json = r#"{"path": {"secret/*": {"capabilities": ["read", "list"]},
                                "secret/prod": {"capabilities": ["deny"]}}}"#;
        for text in [native, json] {
            let grants: Vec<(&str, Vec<&str>, &str)> = grants_of_vault(text)
                .iter()
                .map(|grant| {
                    let path = grant.resources.list[0].name;
                    (grant.effect, grant.action_names().collect(), path)
                })
                .collect();
            assert_eq!(
                grants,
                [
                    ("Allow", vec!["list", "read"], "secret/*"),
                    ("Deny", vec!["*"], "secret/prod"),
                ],
                "{text}"
            );
        }
    }
}

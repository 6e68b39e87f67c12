//! Finds new grants in policies of Vault: capabilities that are new, and paths that are no longer denied.
//!
//! ```text
//! before   path "secret/data/app" { capabilities = ["read"] }
//! after    path "secret/data/app" { capabilities = ["read", "update"] }
//!
//! finding  update on "secret/data/app"
//! ```

use super::grade::grade;
use super::policy::TOO_LARGE;
use super::{FindingText, short};
use crate::access::{Class, Grant, grants_of_vault, new_and_lost};

/// The maximum number of paths that have a finding of their own.
pub(super) const MAX_PATHS: usize = 100;

/// Returns the findings about new grants of a Vault policy. If the policy is new, only rights to everything, to all
/// secrets, and on Vault itself count.
pub(super) fn vault(old: &str, new: &str, is_created: bool) -> Vec<FindingText> {
    let (old, new) = (grants_of_vault(old), grants_of_vault(new));
    let changes = new_and_lost(&old, &new);
    let mut texts = Vec::new();
    for (index, actions) in &changes.added {
        let grant = &new[*index];
        let path = path_of(grant);
        let added = actions
            .iter()
            .map(|action| grant.actions.list[*action].name);
        let added: Vec<&str> = added.collect();
        let class = class_of(path, &added);
        if !is_created || class.is_some() {
            let text = format!("{} on {:?}", added.join(", "), short(path));
            texts.push(FindingText {
                grade: class.map(|class| grade(class, path == "*")),
                ..FindingText::new(text)
            });
        }
    }
    let removed = changes
        .removed
        .iter()
        .map(|(index, _)| path_of(&old[*index]));
    texts.extend(
        removed.map(|path| FindingText::new(format!("deny on {:?} is removed", short(path)))),
    );
    texts.truncate(MAX_PATHS);
    if !changes.is_complete {
        texts.push(FindingText::new(TOO_LARGE));
    }
    texts
}

/// Returns the path that a grant is about.
pub(super) fn path_of<'a>(grant: &Grant<'a>) -> &'a str {
    grant.resources.list.first().map_or("", |path| path.name)
}

/// Returns the class of what capabilities on a path give; `None` if they are neither on everything nor on Vault itself.
pub(super) fn class_of(path: &str, capabilities: &[&str]) -> Option<Class> {
    let changes = capabilities
        .iter()
        .any(|name| !matches!(*name, "read" | "list" | "subscribe" | "recover"));
    let is_own = ["sys/", "auth/", "identity/"]
        .iter()
        .any(|prefix| path.starts_with(prefix))
        && path.ends_with('*');
    match (path, changes) {
        ("*", true) => Some(Class::Administration),
        ("*", false) => Some(Class::Data),
        (_, true) if is_own || capabilities.contains(&"sudo") => Some(Class::Administration),
        (_, true | false) => None,
    }
}

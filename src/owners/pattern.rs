//! Patterns of paths: those of gitignore, and those of Ruby's fnmatch.
//!
//! Invariant: a match takes time proportional to the length of the pattern times that of the path, without
//! recursion.

use crate::access::glob_matches;

/// A pattern of paths from the root of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What the names of a path match: names with `*` and `?`, or `**` for any number of names.
    parts: Vec<String>,
    /// Whether everything below a match matches, too.
    covers: bool,
}

/// Any number of names.
const ANY: &str = "**";

impl Pattern {
    /// A pattern of GitHub: with a slash inside it is anchored, otherwise it matches at any depth; a folder covers
    /// what is in it; `docs/*` covers one level.
    pub(super) fn gitignore(text: &str) -> Self {
        let inner = text.trim_end_matches('/');
        let is_anchored = inner.contains('/');
        let mut parts = parts(inner.trim_start_matches('/'));
        if !is_anchored {
            parts.insert(0, ANY.to_owned());
        }
        let is_level = is_anchored && inner.ends_with("/*");
        Self { parts, covers: !is_level }
    }

    /// A pattern of GitLab: without a leading slash it matches at any depth; only one that ends with a slash covers
    /// what is below.
    pub(super) fn fnmatch(text: &str) -> Self {
        let covers = text.ends_with('/') || text == "*";
        let mut found = parts(text.trim_matches('/'));
        if !text.starts_with('/') {
            found.insert(0, ANY.to_owned());
        }
        Self { parts: found, covers }
    }

    /// Whether a path matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        // The places in the path that the parts so far can end at.
        let mut ends = vec![false; names.len() + 1];
        if let Some(first) = ends.first_mut() {
            *first = true;
        }
        for part in &self.parts {
            let mut next = vec![false; names.len() + 1];
            if part == ANY {
                let mut open = false;
                for (slot, end) in next.iter_mut().zip(&ends) {
                    open |= end;
                    *slot = open;
                }
            } else {
                for ((slot, end), name) in next.iter_mut().skip(1).zip(&ends).zip(&names) {
                    *slot = *end && glob_matches(part, name);
                }
            }
            ends = next;
        }
        let last = ends.len() - 1;
        ends.iter().enumerate().any(|(at, end)| *end && (at == last || (self.covers && at > 0)))
    }
}

fn parts(text: &str) -> Vec<String> {
    text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

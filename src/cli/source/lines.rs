//! The blocks at the lines of configuration files, for tools that name a file and a line.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::{Found, SourceTree};
use crate::model::address::block_address;
use crate::with::tie::{Places, is_same_file};

/// The blocks of plans by their files and lines.
#[derive(Debug)]
pub(in crate::cli) struct SourceLines {
    /// The directory of the configuration, without symbolic links.
    root: String,
    /// The directory as it was given.
    named: String,
    /// By file, and by the first and the last line: the addresses of the blocks.
    files: HashMap<Arc<str>, BTreeMap<(u64, u64), Vec<String>>>,
    /// The files that tools named, and what they are here.
    asked: HashMap<String, Option<Arc<str>>>,
}

impl SourceLines {
    /// The blocks in the configuration of the objects with these addresses.
    pub(in crate::cli) fn new<'p>(
        tree: &mut SourceTree<'_>,
        addresses: impl Iterator<Item = &'p str>,
    ) -> Self {
        let mut files: HashMap<_, BTreeMap<_, Vec<String>>> = HashMap::new();
        for address in crate::sort::set(addresses.map(block_address)) {
            if let (_, Some(Found { place, end, .. })) = tree.find(&address) {
                files.entry(place.file).or_default().entry((place.line, end)).or_default().push(address);
            }
        }
        Self { root: super::slashed(&tree.root), named: tree.named.clone(), files, asked: HashMap::new() }
    }

    /// The file that a tool names: from another directory, or by its whole path.
    fn file(&mut self, named: &str) -> Option<Arc<str>> {
        if let Some(known) = self.asked.get(named) {
            return known.clone();
        }
        let path = named.trim_start_matches("./");
        let below = path.strip_prefix(&*self.root).unwrap_or(path).trim_start_matches('/');
        let exact = [path.to_owned(), below.to_owned(), format!("{}/{below}", self.named)];
        let exact = exact.iter().find_map(|name| self.files.get_key_value(&**name));
        let found = match exact {
            Some((file, _)) => Some(Arc::clone(file)),
            // Another file of the configuration, which has nothing of the plan.
            None if is_below(&self.root, below) => None,
            None => self.similar(named),
        };
        self.asked.insert(named.to_owned(), found.clone());
        found
    }

    /// The only file whose path ends as a path from elsewhere does.
    fn similar(&self, named: &str) -> Option<Arc<str>> {
        let last = named.rsplit(['/', '\\']).next().unwrap_or_default();
        let fitting = || self.files.keys().filter(|file| file.ends_with(last) && is_same_file(file, named));
        // `modules/a/main.tf` is meant rather than `main.tf`, with which every such path ends.
        let deepest = fitting().map(|file| file.matches('/').count()).max()?;
        let mut fitting = fitting().filter(|file| file.matches('/').count() == deepest);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(Arc::clone(only)),
            (_, _) => None,
        }
    }
}

/// Whether a directory has a file at this path.
fn is_below(root: &str, path: &str) -> bool {
    !path.split(['/', '\\']).any(|part| part == "..") && Path::new(root).join(path).is_file()
}

impl Places for SourceLines {
    fn blocks_at(&mut self, file: &str, line: u64) -> &[String] {
        let Some(file) = self.file(file) else { return &[] };
        let Some(lines) = self.files.get(&file) else { return &[] };
        match lines.range(..=(line, u64::MAX)).next_back() {
            Some(((_, last), blocks)) if line <= *last => blocks,
            Some(_) | None => &[],
        }
    }
}

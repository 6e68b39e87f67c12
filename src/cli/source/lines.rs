//! The resources at lines of configuration files, for tools that name a file and a line.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::files::slashed;
use super::tree::{ConfiguredBlock, SourceTree};
use crate::model::address::block_address;
use crate::with::tie::is_same_file;

/// The blocks of a file, by their first and last lines: the address of each in every module that has the file.
type BlocksOfFile = BTreeMap<(u64, u64), Vec<String>>;

/// Finds the resources at lines of files.
#[derive(Debug)]
pub(in crate::cli) struct SourceLines {
    /// The directory, with symbolic links followed.
    root: String,
    /// The directory as given.
    given_name: String,
    /// The lines of the blocks of each file.
    files: HashMap<Arc<str>, BlocksOfFile>,
    /// The files that were looked up, by the names that tools use; `None` for a name without a file.
    looked_up: HashMap<String, Option<Arc<str>>>,
}

impl SourceLines {
    /// Finds the blocks of the given addresses.
    pub(in crate::cli) fn new<'p>(
        tree: &mut SourceTree<'_>,
        addresses: impl Iterator<Item = &'p str>,
    ) -> Self {
        let mut files: HashMap<_, BlocksOfFile> = HashMap::new();
        let mut known_addresses = HashSet::new();
        for address in addresses
            .map(block_address)
            .filter(|address| known_addresses.insert(address.clone()))
        {
            if let (_, Some(ConfiguredBlock { location, end, .. })) = tree.find(&address) {
                files
                    .entry(location.file)
                    .or_default()
                    .entry((location.line, end))
                    .or_default()
                    .push(address);
            }
        }
        Self {
            root: slashed(&tree.root),
            given_name: tree.given_name.clone(),
            files,
            looked_up: HashMap::new(),
        }
    }

    /// Finds the file that a tool names. `None` if there is none, or several.
    fn file(&mut self, named: &str) -> Option<Arc<str>> {
        if let Some(known) = self.looked_up.get(named) {
            return known.clone();
        }
        let path = named.trim_start_matches("./");
        let below = path
            .strip_prefix(&*self.root)
            .unwrap_or(path)
            .trim_start_matches('/');
        let exact = [
            path.to_owned(),
            below.to_owned(),
            format!("{}/{below}", self.given_name),
        ];
        let exact = exact
            .iter()
            .find_map(|name| self.files.get_key_value(&**name));
        let known_file = match exact {
            Some((file, _)) => Some(Arc::clone(file)),
            None if is_file_below(&self.root, below) => None,
            None => self.only_similar_file(named),
        };
        self.looked_up.insert(named.to_owned(), known_file.clone());
        known_file
    }

    /// Returns the addresses of the block at a line of a file, in every module that has the file.
    pub(in crate::cli) fn blocks_at(&mut self, file: &str, line: u64) -> &[String] {
        let Some(file) = self.file(file) else {
            return &[];
        };
        let Some(lines) = self.files.get(&file) else {
            return &[];
        };
        match lines.range(..=(line, u64::MAX)).next_back() {
            Some(((_, last), blocks)) if line <= *last => blocks,
            Some(_) | None => &[],
        }
    }

    /// Returns the only file whose path ends as the path does by which a tool names it.
    fn only_similar_file(&self, named: &str) -> Option<Arc<str>> {
        let last = named.rsplit(['/', '\\']).next().unwrap_or_default();
        let candidates = || {
            self.files
                .keys()
                .filter(|file| file.ends_with(last) && is_same_file(file, named))
        };
        // Here, `modules/a/main.tf` is meant rather than `main.tf`, with which every such path ends.
        let deepest = candidates().map(|file| file.matches('/').count()).max()?;
        let mut deepest_files = candidates().filter(|file| file.matches('/').count() == deepest);
        match (deepest_files.next(), deepest_files.next()) {
            (Some(only), None) => Some(Arc::clone(only)),
            (None | Some(_), _) => None,
        }
    }
}

/// Whether a path leads to a file below the root, without leaving it.
fn is_file_below(root: &str, path: &str) -> bool {
    !path.split(['/', '\\']).any(|part| part == "..") && Path::new(root).join(path).is_file()
}

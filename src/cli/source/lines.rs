//! The blocks at the lines of configuration files, for tools that name a file and a line.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::SourceTree;
use crate::model::address::block_address;
use crate::model::configuration::calls;
use crate::with::tie::is_same_file;

/// The parts of a block's name in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::cli) struct BlockName<'p> {
    /// The address of an instance.
    pub(in crate::cli) address: &'p str,
    pub(in crate::cli) module_address: &'p str,
    pub(in crate::cli) mode: &'p str,
    pub(in crate::cli) resource_type: &'p str,
    pub(in crate::cli) name: &'p str,
}

/// The first and the last line of a block, and its addresses.
type Lines = (u64, u64, Vec<String>);

/// The blocks of plans by their files and lines.
#[derive(Debug, Default)]
pub(in crate::cli) struct SourceLines {
    /// The directory of the configuration, without symbolic links.
    root: String,
    /// The directory as it was given.
    named: String,
    /// By file: the first and last lines of blocks, sorted, with the addresses of the blocks.
    files: HashMap<Arc<str>, Vec<Lines>>,
    /// The files by their last name.
    by_name: HashMap<String, Vec<Arc<str>>>,
    /// The files that tools named, and what they are here.
    asked: HashMap<String, Option<Arc<str>>>,
}

impl SourceLines {
    /// The blocks of the configuration with these names.
    pub(in crate::cli) fn new<'p>(
        tree: &mut SourceTree<'_>,
        blocks: impl Iterator<Item = BlockName<'p>>,
    ) -> Self {
        let mut places: HashMap<Arc<str>, Vec<(u64, u64, String)>> = HashMap::new();
        let mut seen = std::collections::HashSet::new();
        for block in blocks {
            let address = block_address(block.address);
            if !seen.insert(address.clone()) {
                continue;
            }
            let module = tree.module(&calls(block.module_address));
            let Some(folder) = module.folder else { continue };
            let Some(place) = tree.resource(&folder, block.mode, block.resource_type, block.name) else {
                continue;
            };
            places.entry(place.file).or_default().push((place.line, place.end, address));
        }
        let (root, named) = (super::slashed(&tree.root), tree.named.clone());
        let mut found = Self { root, named, ..Self::default() };
        for (file, mut blocks) in places {
            crate::sort::by_key(&mut blocks, |(first, last, _)| (*first, *last));
            let mut lines: Vec<Lines> = Vec::new();
            for (first, last, address) in blocks {
                match lines.last_mut() {
                    Some((line, end, addresses)) if (*line, *end) == (first, last) => addresses.push(address),
                    Some(_) | None => lines.push((first, last, vec![address])),
                }
            }
            let name = file.rsplit('/').next().unwrap_or_default().to_owned();
            found.by_name.entry(name).or_default().push(Arc::clone(&file));
            found.files.insert(file, lines);
        }
        found
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
}

impl SourceLines {
    /// The addresses of the block at this line of a file, in each module that has the file.
    pub(in crate::cli) fn blocks_at(&mut self, file: &str, line: u64) -> &[String] {
        let Some(file) = self.file(file) else { return &[] };
        let Some(lines) = self.files.get(&file) else { return &[] };
        let after = lines.partition_point(|(first, ..)| *first <= line);
        let Some((_, last, blocks)) = after.checked_sub(1).and_then(|at| lines.get(at)) else { return &[] };
        if line <= *last { blocks } else { &[] }
    }

    /// The only file whose path ends as a path from elsewhere does.
    fn similar(&self, named: &str) -> Option<Arc<str>> {
        let last = named.rsplit(['/', '\\']).next().unwrap_or_default();
        let fitting = || {
            let of_name = self.by_name.get(last).into_iter().flatten();
            of_name.filter(|file| is_same_file(file, named))
        };
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

//! Finds the resources of a plan in configuration files, and the resources at lines of these files, for tools
//! that name a file and a line.
//!
//! Invariants: nothing outside of the directory is read, regardless of symbolic links and module calls,
//! except for `CODEOWNERS` in the same repository; the number and size of files and the depth of calls are
//! limited.

mod blocks;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, ensure};
use serde::Deserialize;
use walkdir::WalkDir;

use super::Host;
use crate::model::address::{block_address, module_of};
use crate::model::configuration::calls;
use crate::owners::{self, Owners, OwnersOfFile, Platform};
use crate::review::entry::{SourceBlock, SourcePlace};
use crate::saved::{Snapshot, SnapshotFile, SnapshotModule};
use crate::term::CiSystem;
use crate::with::tie::is_same_file;
use blocks::blocks;

/// The maximum length of a file that is read, in bytes.
const MAX_LEN: u64 = 4 << 20;
/// The maximum number of files that are read.
const MAX_FILES: usize = 10_000;
/// The maximum depth of module calls.
const DEEPEST: usize = 64;

/// The configuration in a directory, read as far as it is asked for.
#[derive(Debug)]
pub(super) struct SourceTree<'e> {
    /// The directory, without symbolic links.
    root: PathBuf,
    /// The directory as given, for naming files.
    named: String,
    /// The directory with installed modules.
    data: PathBuf,
    /// The folders of installed modules, by the names of their calls, such as `a.b`.
    installed: HashMap<String, PathBuf>,
    /// The folders that were read.
    folders: HashMap<PathBuf, Rc<Folder>>,
    /// The modules that were found, by the names of their calls.
    modules: HashMap<String, Module>,
    /// The number of files that were read.
    files: usize,
    /// The owners of files, and the path of the directory in its repository.
    owners: Option<(Owners, String)>,
    /// Whether this is the configuration in a saved plan and not a directory.
    is_snapshot: bool,
    /// The input and output of the program.
    host: &'e Host,
}

/// The files below a directory of configuration that a review or the tool may read, `CODEOWNERS`, variables and states
/// included: none of them may be written over. What cannot be listed is left out here, and reported where it is read.
pub(super) fn configuration_files(directory: &Path) -> Vec<PathBuf> {
    let is_read = |name: &str| {
        let endings = [
            ".tf",
            ".tofu",
            ".tf.json",
            ".tofu.json",
            ".hcl",
            ".tfvars",
            ".tfvars.json",
            ".tfstate",
        ];
        endings.iter().any(|ending| name.ends_with(ending)) || name == "modules.json"
    };
    let mut files: Vec<PathBuf> = WalkDir::new(directory)
        .max_depth(DEEPEST)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git")
        .filter_map(Result::ok)
        .filter(|entry| is_read(&entry.file_name().to_string_lossy()))
        .map(walkdir::DirEntry::into_path)
        .collect();
    if let Ok(root) = fs::canonicalize(directory) {
        let repository = repository_of(&root).unwrap_or(&root);
        for platform in [Platform::GitHub, Platform::GitLab] {
            let places = platform.folders().into_iter();
            files.extend(places.map(|folder| repository.join(folder).join("CODEOWNERS")));
        }
    }
    files
}

/// Returns the nearest directory, from this one upward, that has `.git`.
pub(super) fn repository_of(directory: &Path) -> Option<&Path> {
    directory
        .ancestors()
        .find(|above| above.join(".git").exists())
}

type Folder = HashMap<String, ConfiguredBlock>;

/// A block in a configuration file.
#[derive(Clone, Debug)]
struct ConfiguredBlock {
    place: SourcePlace,
    end: u64,
    source: Option<String>,
}

/// Adds the blocks of a file to its folder. The first block at an address counts.
fn add_blocks(
    folder: &mut Folder,
    (name, text): (&str, &str),
    file: &str,
    uri: &str,
    is_own: bool,
) {
    let (file, uri): (Arc<str>, Arc<str>) = (file.into(), uri.into());
    for blocks::Block {
        address,
        source,
        line,
        end,
    } in blocks(name, text)
    {
        let own = is_own.then(|| (Arc::clone(&file), line));
        let (file, uri) = (Arc::clone(&file), Arc::clone(&uri));
        let place = SourcePlace {
            file,
            line,
            block: SourceBlock::Resource,
            uri,
            own,
        };
        folder
            .entry(address)
            .or_insert(ConfiguredBlock { place, end, source });
    }
}

/// A module of the configuration.
#[derive(Clone, Debug)]
struct Module {
    folder: Option<PathBuf>,
    /// The innermost available call that leads to it. Its `own` place is that of the innermost one that is
    /// not in a downloaded module.
    call: Option<SourcePlace>,
}

/// The manifest of installed modules, `modules.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Manifest {
    modules: Vec<SnapshotModule>,
}

impl<'e> SourceTree<'e> {
    /// Opens a directory, and reads where its modules are installed.
    pub(super) fn open(directory: &Path, host: &'e Host) -> anyhow::Result<Self> {
        let doing = || format!("cannot read the configuration in {}", directory.display());
        let root = fs::canonicalize(directory).with_context(doing)?;
        ensure!(root.is_dir(), "{}: not a directory", doing());
        let data = root.join(
            host.environment
                .tools
                .data_dir
                .as_deref()
                .unwrap_or(Path::new(".terraform")),
        );
        let mut tree = Self {
            root,
            named: folder_name(directory),
            data,
            ..Self::empty(host)
        };
        tree.read_manifest();
        tree.find_owners();
        Ok(tree)
    }

    /// Makes the tree of the configuration in a saved plan. Its files need not exist, so that nothing links to them,
    /// and no annotation is placed in them.
    pub(super) fn of_saved_plan(snapshot: &Snapshot, host: &'e Host) -> Self {
        let mut tree = Self {
            is_snapshot: true,
            ..Self::empty(host)
        };
        for module in &snapshot.modules {
            let mut folder = Folder::new();
            let directory = folder_name(Path::new(&module.directory));
            for SnapshotFile { name, text } in module
                .files
                .iter()
                .filter(|file| is_configuration(&file.name))
            {
                add_blocks(
                    &mut folder,
                    (name, text),
                    &below(&directory, name),
                    "",
                    false,
                );
            }
            let path = PathBuf::from(&module.key);
            tree.folders.insert(path.clone(), Rc::new(folder));
            tree.installed.insert(module.key.clone(), path);
        }
        tree
    }

    fn empty(host: &'e Host) -> Self {
        Self {
            root: PathBuf::new(),
            named: String::new(),
            data: PathBuf::new(),
            installed: HashMap::new(),
            folders: HashMap::new(),
            modules: HashMap::new(),
            files: 0,
            owners: None,
            is_snapshot: false,
            host,
        }
    }

    pub(super) fn place(&mut self, address: &str) -> Option<SourcePlace> {
        let (Module { folder, call }, found) = self.find(address);
        if folder.is_none() {
            return call;
        }
        let mut place = found?.place;
        place.own = place.own.or_else(|| call?.own);
        Some(place)
    }

    fn find(&mut self, address: &str) -> (Module, Option<ConfiguredBlock>) {
        let block = block_address(address);
        let module = self.module(&calls(module_of(&block)));
        let own = block
            .get(module_of(&block).len()..)
            .unwrap_or_default()
            .trim_start_matches('.');
        let found = module
            .folder
            .as_ref()
            .and_then(|folder| self.folder(folder).get(own).cloned());
        (module, found)
    }

    /// Finds the module at the end of a path of calls.
    fn module(&mut self, path: &[String]) -> Module {
        let mut module = Module {
            folder: Some(self.root.clone()),
            call: None,
        };
        for (index, name) in path.iter().enumerate() {
            let calls = path.get(..=index).unwrap_or_default().join(".");
            module = match self.modules.get(&calls) {
                Some(known) => known.clone(),
                None if index >= DEEPEST => Module {
                    folder: None,
                    ..module
                },
                None => self.called(module, &calls, name),
            };
            self.modules.insert(calls, module.clone());
        }
        module
    }

    /// Finds the module that a call leads to: in a local folder, or where it is installed.
    fn called(&mut self, caller: Module, calls: &str, name: &str) -> Module {
        let Some(caller_folder) = &caller.folder else {
            return caller;
        };
        let folder = self.folder(caller_folder);
        let Some(ConfiguredBlock { place, source, .. }) = folder.get(&format!("module.{name}"))
        else {
            return Module {
                folder: None,
                ..caller
            };
        };
        let local = source
            .as_ref()
            .filter(|source| source.starts_with("./") || source.starts_with("../"));
        let target = match local.filter(|_| !self.is_snapshot) {
            Some(source) => Some(caller_folder.join(source)),
            None => self.installed.get(calls).cloned(),
        };
        let mut call = SourcePlace {
            block: SourceBlock::Module,
            ..place.clone()
        };
        call.own = call.own.or_else(|| caller.call?.own);
        Module {
            folder: target.and_then(|target| self.inside(&target)),
            call: Some(call),
        }
    }

    /// Returns a path without symbolic links; `None` if it leads outside of the directory.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        if self.is_snapshot {
            return self.folders.contains_key(path).then(|| path.to_owned());
        }
        fs::canonicalize(path)
            .ok()
            .filter(|path| path.starts_with(&self.root))
    }

    fn folder(&mut self, path: &Path) -> Rc<Folder> {
        if let Some(known) = self.folders.get(path) {
            return Rc::clone(known);
        }
        let folder = Rc::new(self.read_folder(path));
        self.folders.insert(path.to_owned(), Rc::clone(&folder));
        folder
    }

    /// Reads the configuration files of a folder, within the limits.
    fn read_folder(&mut self, path: &Path) -> Folder {
        let mut folder = Folder::new();
        let names = match fs::read_dir(path) {
            Ok(entries) => entries
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok()),
            Err(error) => {
                self.host.warning(&format!(
                    "cannot read the directory {}: {error}",
                    path.display()
                ));
                return folder;
            }
        };
        let mut names: Vec<String> = names.filter(|name| is_configuration(name)).collect();
        names.sort_unstable();
        // OpenTofu reads `main.tofu` instead of `main.tf`, and `main.tofu.json` instead of `main.tf.json`.
        let is_replaced = |name: &String| {
            [(".tf", ".tofu"), (".tf.json", ".tofu.json")]
                .iter()
                .any(|(old, new)| {
                    name.strip_suffix(old)
                        .is_some_and(|stem| names.contains(&format!("{stem}{new}")))
                })
        };
        for name in names.iter().filter(|name| !is_replaced(name)) {
            let file = path.join(name);
            let Some(text) = self.read_file(&file) else {
                continue;
            };
            let is_own = !file.starts_with(&self.data);
            let (named, uri) = (self.name_of(&file), file_uri(&file));
            add_blocks(&mut folder, (name, &text), &named, &uri, is_own);
        }
        folder
    }

    fn read_file(&mut self, file: &Path) -> Option<String> {
        let path = self.inside(file)?;
        self.files += 1;
        if self.files == MAX_FILES {
            self.host
                .warning(&format!("--source: only {MAX_FILES} files are read"));
        }
        if self.files >= MAX_FILES || !path.is_file() {
            return None;
        }
        read_text(&path, file, MAX_LEN, self.host)
    }

    /// Reads where modules are installed. A damaged manifest causes a warning.
    fn read_manifest(&mut self) {
        let path = self.data.join("modules/modules.json");
        if !path.exists() {
            return;
        }
        let Some(text) = self.read_file(&path) else {
            return;
        };
        match serde_json::from_str::<Manifest>(&text) {
            Ok(manifest) => {
                let folder =
                    |module: SnapshotModule| (module.key, self.root.join(module.directory));
                self.installed = manifest.modules.into_iter().map(folder).collect();
            }
            Err(error) => self
                .host
                .warning(&format!("cannot read {}: {error}", path.display())),
        }
    }

    /// Reads the owners of the repository.
    fn find_owners(&mut self) {
        let root = repository_of(&self.root).unwrap_or(&self.root);
        let has = |name: &str| root.join(name).exists();
        let is_gitlab = match self.host.environment.ci {
            Some(CiSystem::GitLab) => true,
            Some(CiSystem::GitHub) => false,
            Some(_) | None => {
                !has(".github") && (has(".gitlab-ci.yml") || has(".gitlab/CODEOWNERS"))
            }
        };
        let platform = if is_gitlab {
            Platform::GitLab
        } else {
            Platform::GitHub
        };
        let mut paths = platform
            .folders()
            .map(|folder| root.join(folder).join("CODEOWNERS"))
            .into_iter();
        let Some(path) = paths.find(|path| path.is_file()) else {
            return;
        };
        let Some(text) = read_text(&path, &path, owners::MAX_LEN, self.host) else {
            return;
        };
        let below = slashed(self.root.strip_prefix(root).unwrap_or(Path::new("")));
        self.owners = Some((Owners::parse(&text, platform), below));
    }

    pub(super) fn owners_of(&mut self, place: &SourcePlace) -> OwnersOfFile {
        let (Some((owners, below)), Some((file, _))) = (&mut self.owners, &place.own) else {
            return OwnersOfFile::default();
        };
        let file = file
            .strip_prefix(&*self.named)
            .unwrap_or(file)
            .trim_start_matches('/');
        let was_said = owners.leaves_out;
        let found = owners.of(&format!("{below}/{file}"));
        if owners.leaves_out && !was_said {
            self.host.note(&format!(
                "{file} has more than {} owners, of which the first are named",
                owners::MAX_NAMED
            ));
        }
        found
    }

    fn name_of(&self, file: &Path) -> String {
        below(
            &self.named,
            &slashed(file.strip_prefix(&self.root).unwrap_or(file)),
        )
    }
}

/// The blocks of a file by their first and last line: the address of each in every module that has the file.
type Lines = BTreeMap<(u64, u64), Vec<String>>;

/// Finds the resources at lines of files.
#[derive(Debug)]
pub(super) struct SourceLines {
    /// The directory, with symbolic links followed.
    root: String,
    /// The directory as given.
    named: String,
    /// The lines of the blocks of each file.
    files: HashMap<Arc<str>, Lines>,
    /// The files that were looked up, by the names that tools use for them.
    asked: HashMap<String, Option<Arc<str>>>,
}

impl SourceLines {
    /// Finds the blocks of the given addresses.
    pub(super) fn new<'p>(
        tree: &mut SourceTree<'_>,
        addresses: impl Iterator<Item = &'p str>,
    ) -> Self {
        let mut files: HashMap<_, Lines> = HashMap::new();
        let mut seen = HashSet::new();
        for address in addresses
            .map(block_address)
            .filter(|address| seen.insert(address.clone()))
        {
            if let (_, Some(ConfiguredBlock { place, end, .. })) = tree.find(&address) {
                files
                    .entry(place.file)
                    .or_default()
                    .entry((place.line, end))
                    .or_default()
                    .push(address);
            }
        }
        Self {
            root: slashed(&tree.root),
            named: tree.named.clone(),
            files,
            asked: HashMap::new(),
        }
    }

    /// Finds the file that a tool names. `None` if there is none, or several.
    fn file(&mut self, named: &str) -> Option<Arc<str>> {
        if let Some(known) = self.asked.get(named) {
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
            format!("{}/{below}", self.named),
        ];
        let exact = exact
            .iter()
            .find_map(|name| self.files.get_key_value(&**name));
        let found = match exact {
            Some((file, _)) => Some(Arc::clone(file)),
            None if is_below(&self.root, below) => None,
            None => self.similar(named),
        };
        self.asked.insert(named.to_owned(), found.clone());
        found
    }

    pub(super) fn blocks_at(&mut self, file: &str, line: u64) -> &[String] {
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

    /// Returns the only file whose path ends like a path from elsewhere.
    fn similar(&self, named: &str) -> Option<Arc<str>> {
        let last = named.rsplit(['/', '\\']).next().unwrap_or_default();
        let fitting = || {
            self.files
                .keys()
                .filter(|file| file.ends_with(last) && is_same_file(file, named))
        };
        // Here, `modules/a/main.tf` is meant rather than `main.tf`, with which every such path ends.
        let deepest = fitting().map(|file| file.matches('/').count()).max()?;
        let mut fitting = fitting().filter(|file| file.matches('/').count() == deepest);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(Arc::clone(only)),
            (_, _) => None,
        }
    }
}

fn is_below(root: &str, path: &str) -> bool {
    !path.split(['/', '\\']).any(|part| part == "..") && Path::new(root).join(path).is_file()
}

fn read_text(path: &Path, named: &Path, max_len: u64, host: &Host) -> Option<String> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(max_len + 1).read_to_end(&mut bytes)) {
        Err(error) => host.warning(&format!("cannot read {}: {error}", named.display())),
        Ok(_) if bytes.len() as u64 > max_len => {
            host.warning(&format!(
                "{} is longer than {max_len} bytes and is not read",
                named.display()
            ));
        }
        Ok(_) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
    None
}

/// Whether a file declares anything. Override files do not.
fn is_configuration(name: &str) -> bool {
    let name = name.strip_suffix(".json").unwrap_or(name);
    let Some(stem) = name
        .strip_suffix(".tf")
        .or_else(|| name.strip_suffix(".tofu"))
    else {
        return false;
    };
    let is_hidden = stem.starts_with('.') || (stem.starts_with('#') && stem.ends_with('#'));
    !is_hidden && stem != "override" && !stem.ends_with("_override")
}

fn folder_name(folder: &Path) -> String {
    let name = slashed(folder);
    match name.trim_start_matches("./").trim_end_matches('/') {
        "." => String::new(),
        name => name.to_owned(),
    }
}

fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

fn file_uri(path: &Path) -> String {
    let path = slashed(path);
    // On Windows, `\\?\C:\a` becomes `/C:/a`.
    let path = path.trim_start_matches("//?/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", crate::term::percent_encoded(path))
}

#[cfg(test)]
mod tests;

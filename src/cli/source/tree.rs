//! The configuration in a directory or a saved plan: finds the blocks of resources, through the calls of modules.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::blocks::{self, blocks};
use super::files::{file_uri, folder_name, is_configuration, joined, read_text, slashed};
use super::owners::CodeOwners;
use crate::cli::Host;
use crate::model::address::{block_address, module_of};
use crate::model::configuration::calls;
use crate::owners::OwnersOfFile;
use crate::review::entry::{SourceBlock, SourcePlace};
use crate::saved::{Snapshot, SnapshotFile, SnapshotModule};

/// The maximum length of a file, in bytes.
const MAX_LEN: u64 = 4 << 20;
/// The maximum number of files that are read.
const MAX_FILES: usize = 10_000;
/// The maximum depth of module calls, from the root module on.
const DEEPEST: usize = 64;

/// The configuration in a directory, read as far as it is asked for.
#[derive(Debug)]
pub(in crate::cli) struct SourceTree<'e> {
    /// The directory, with symbolic links followed.
    pub(super) root: PathBuf,
    /// The directory as the user gave it, for the names of files.
    pub(super) given_name: String,
    /// The data directory of the tool, which has the downloaded modules.
    data_directory: PathBuf,
    /// The directories of installed modules, by the names of the calls that lead to them, such as `a.b`.
    installed: HashMap<String, PathBuf>,
    /// The blocks of the folders that were read.
    folders: HashMap<PathBuf, Rc<Folder>>,
    /// The modules that were found, by the names of their calls.
    modules: HashMap<String, Module>,
    /// The number of files that were read.
    file_count: usize,
    /// The owners of files, if the repository names any.
    owners: Option<CodeOwners>,
    /// Whether it is the configuration in a saved plan instead of a directory.
    is_snapshot: bool,
    /// The input and output of the program.
    host: &'e Host,
}

/// The blocks of a folder, by their addresses in their module.
type Folder = HashMap<String, ConfiguredBlock>;

/// A block in a configuration file.
#[derive(Clone, Debug)]
pub(super) struct ConfiguredBlock {
    /// The line of its header.
    pub(super) location: SourcePlace,
    /// Its last line.
    pub(super) end: u64,
    /// The source of a `module` block, such as `./network`.
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
        let project_line = is_own.then(|| (Arc::clone(&file), line));
        let (file, uri) = (Arc::clone(&file), Arc::clone(&uri));
        let location = SourcePlace {
            file,
            line,
            block: SourceBlock::Resource,
            uri,
            project_line,
        };
        folder.entry(address).or_insert(ConfiguredBlock {
            location,
            end,
            source,
        });
    }
}

/// A module of the configuration.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// Its folder; `None` if its files are not available.
    folder: Option<PathBuf>,
    /// The innermost available call that leads to it. The `project_line` is that of the innermost call outside of
    /// downloaded modules.
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
    pub(in crate::cli) fn open(directory: &Path, host: &'e Host) -> anyhow::Result<Self> {
        let doing = || format!("cannot read the configuration in {}", directory.display());
        let root = fs::canonicalize(directory).with_context(doing)?;
        ensure!(root.is_dir(), "{}: not a directory", doing());
        let data_directory = root.join(
            host.environment
                .tools
                .data_dir
                .as_deref()
                .unwrap_or(Path::new(".terraform")),
        );
        let mut tree = Self {
            root,
            given_name: folder_name(directory),
            data_directory,
            ..Self::empty(host)
        };
        tree.read_manifest();
        tree.owners = CodeOwners::find(&tree.root, host);
        Ok(tree)
    }

    /// Takes the configuration in a saved plan. Its files may not exist here, so nothing links to them, and no annotation
    /// is placed in them.
    pub(in crate::cli) fn of_saved_plan(snapshot: &Snapshot, host: &'e Host) -> Self {
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
                    &joined(&directory, name),
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

    /// Returns a configuration without files.
    fn empty(host: &'e Host) -> Self {
        Self {
            root: PathBuf::new(),
            given_name: String::new(),
            data_directory: PathBuf::new(),
            installed: HashMap::new(),
            folders: HashMap::new(),
            modules: HashMap::new(),
            file_count: 0,
            owners: None,
            is_snapshot: false,
            host,
        }
    }

    /// Returns where the block of a resource is written or, if the files of its module are not available, where the module
    /// is called.
    pub(in crate::cli) fn location_of(&mut self, address: &str) -> Option<SourcePlace> {
        let (Module { folder, call }, block) = self.find(address);
        if folder.is_none() {
            return call;
        }
        let mut location = block?.location;
        location.project_line = location.project_line.or_else(|| call?.project_line);
        Some(location)
    }

    /// Finds the module of a resource, and the block of the resource in it.
    pub(super) fn find(&mut self, address: &str) -> (Module, Option<ConfiguredBlock>) {
        let block = block_address(address);
        let module = self.module(&calls(module_of(&block)));
        let local_address = block
            .get(module_of(&block).len()..)
            .unwrap_or_default()
            .trim_start_matches('.');
        let configured = module
            .folder
            .as_ref()
            .and_then(|folder| self.folder(folder).get(local_address).cloned());
        (module, configured)
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
                None => self.called_module(module, &calls, name),
            };
            self.modules.insert(calls, module.clone());
        }
        module
    }

    /// Finds the module that a call leads to: in a local folder, or where it is installed.
    fn called_module(&mut self, caller: Module, calls: &str, name: &str) -> Module {
        let Some(caller_folder) = &caller.folder else {
            return caller;
        };
        let folder = self.folder(caller_folder);
        let Some(ConfiguredBlock {
            location, source, ..
        }) = folder.get(&format!("module.{name}"))
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
            ..location.clone()
        };
        call.project_line = call.project_line.or_else(|| caller.call?.project_line);
        Module {
            folder: target.and_then(|target| self.path_inside(&target)),
            call: Some(call),
        }
    }

    /// Resolves symbolic links. `None` for a path outside of the directory.
    fn path_inside(&self, path: &Path) -> Option<PathBuf> {
        if self.is_snapshot {
            return self.folders.contains_key(path).then(|| path.to_owned());
        }
        fs::canonicalize(path)
            .ok()
            .filter(|path| path.starts_with(&self.root))
    }

    /// Returns the blocks of a folder, which is read once.
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
            let is_own = !file.starts_with(&self.data_directory);
            let (named, uri) = (self.name_of(&file), file_uri(&file));
            add_blocks(&mut folder, (name, &text), &named, &uri, is_own);
        }
        folder
    }

    /// Reads a file of the directory, unless the limit for files is reached.
    fn read_file(&mut self, file: &Path) -> Option<String> {
        let path = self.path_inside(file)?;
        self.file_count += 1;
        if self.file_count == MAX_FILES {
            self.host
                .warning(&format!("--source: only {MAX_FILES} files are read"));
        }
        if self.file_count >= MAX_FILES || !path.is_file() {
            return None;
        }
        read_text(&path, file, MAX_LEN, self.host)
    }

    /// Reads where modules are installed. A damaged manifest causes a warning.
    fn read_manifest(&mut self) {
        let path = self.data_directory.join("modules/modules.json");
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

    /// Returns the owners of the file that has a block, or of the file that calls its module.
    pub(in crate::cli) fn owners_of(&mut self, location: &SourcePlace) -> OwnersOfFile {
        let (Some(owners), Some((file, _))) = (&mut self.owners, &location.project_line) else {
            return OwnersOfFile::default();
        };
        let file = file
            .strip_prefix(&*self.given_name)
            .unwrap_or(file)
            .trim_start_matches('/');
        owners.of(file, self.host)
    }

    /// Returns the name of a file for the user: its path below the directory as given.
    fn name_of(&self, file: &Path) -> String {
        joined(
            &self.given_name,
            &slashed(file.strip_prefix(&self.root).unwrap_or(file)),
        )
    }
}

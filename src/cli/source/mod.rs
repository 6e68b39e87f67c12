//! Finds the resources of a plan in configuration files: those of `--source`, or those in a saved plan.
//!
//! Only the modules in the plan are read. Invariants: nothing outside of the directory is read, regardless of
//! symbolic links and module calls; the number and size of files and the depth of calls are limited.

mod json_syntax;
mod lines;
mod owners;
mod scan;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::Host;
use crate::model::configuration::calls;
use crate::review::entry::{Entry, SourceBlock, SourcePlace};
use crate::saved::Snapshot;
pub(super) use lines::{BlockName, SourceLines};
pub(super) use owners::SourceOwners;
use scan::{Block, BlockKind};

/// The maximum length of a file, in bytes. Longer files are not read.
const MAX_LEN: u64 = 4 << 20;
/// The maximum number of files.
const MAX_FILES: usize = 10_000;
/// The maximum depth of module calls.
const DEEPEST: usize = 64;

/// The configuration in a directory.
#[derive(Debug)]
pub(super) struct SourceTree<'e> {
    /// The directory, without symbolic links.
    root: PathBuf,
    /// The directory as given, for naming files.
    named: String,
    /// The tool's data directory, which contains downloaded modules.
    data: PathBuf,
    /// The directories of modules, by the names of their calls, such as `a.b`.
    installed: HashMap<String, PathBuf>,
    folders: HashMap<PathBuf, Rc<Folder>>,
    modules: HashMap<Vec<String>, Module>,
    files: usize,
    /// Whether all folders are known, because they come from a saved plan.
    is_snapshot: bool,
    host: &'e Host,
}

/// The blocks of a directory.
#[derive(Debug, Default)]
struct Folder {
    resources: HashMap<(&'static str, String, String), Place>,
    calls: HashMap<String, (Place, Option<String>)>,
}

impl Folder {
    /// Adds the blocks of a file.
    fn add(&mut self, blocks: Vec<Block>, place: impl Fn(u64) -> Place) {
        for Block { kind, line, end } in blocks {
            let place = |line| Place { end, ..place(line) };
            match kind {
                BlockKind::Resource { mode, resource_type, name } => {
                    self.resources.entry((mode, resource_type, name)).or_insert_with(|| place(line));
                }
                BlockKind::Module { name, source } => {
                    self.calls.entry(name).or_insert_with(|| (place(line), source));
                }
            }
        }
    }
}

/// The blocks of a file.
fn blocks(name: &str, text: &str) -> Vec<Block> {
    if name.ends_with(".json") { json_syntax::blocks(text) } else { scan::blocks(text) }
}

/// A line of a file.
#[derive(Clone, Debug)]
struct Place {
    file: Arc<str>,
    uri: Arc<str>,
    line: u64,
    /// The last line of the block.
    end: u64,
    is_own: bool,
}

/// A module of the plan.
#[derive(Clone, Debug)]
struct Module {
    /// The directory, if available.
    folder: Option<PathBuf>,
    /// The innermost available call that leads to it.
    call: Option<Place>,
    /// The innermost of these calls that is not in a downloaded module.
    own_call: Option<Place>,
}

/// The tools' manifest of installed modules.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Manifest {
    modules: Vec<ManifestModule>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ManifestModule {
    key: String,
    dir: PathBuf,
}

impl<'e> SourceTree<'e> {
    /// The configuration in `directory`, which contains the root module.
    pub(super) fn open(directory: &Path, host: &'e Host) -> anyhow::Result<Self> {
        let doing = || format!("cannot read the configuration in {}", directory.display());
        let root = fs::canonicalize(directory).with_context(doing)?;
        ensure!(root.is_dir(), "{}: not a directory", doing());
        let data = host.environment.tools.data_dir.clone().unwrap_or_else(|| PathBuf::from(".terraform"));
        let data = root.join(data);
        let mut tree = Self { root, named: folder_name(directory), data, ..Self::empty(host) };
        tree.read_manifest();
        Ok(tree)
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
            is_snapshot: false,
            host,
        }
    }

    /// The configuration in a saved plan. Its files are named as in the folder where it was made; they need not be
    /// there, so nothing links to them, and no annotation is placed in them.
    pub(super) fn of_saved_plan(snapshot: &Snapshot, host: &'e Host) -> Self {
        let mut tree = Self { is_snapshot: true, ..Self::empty(host) };
        for module in &snapshot.modules {
            let path = PathBuf::from(&module.key);
            let mut folder = Folder::default();
            let directory = folder_name(Path::new(&module.directory));
            for (name, text) in module.files.iter().filter(|(name, _)| is_configuration(name)) {
                let file = below(&directory, name);
                folder.add(blocks(name, text), |line| Place {
                    file: file.as_str().into(),
                    uri: "".into(),
                    line,
                    end: line,
                    // Annotations need a file in the repository.
                    is_own: false,
                });
            }
            tree.folders.insert(path.clone(), Rc::new(folder));
            tree.installed.insert(module.key.clone(), path);
        }
        tree
    }

    /// The position of the resource of an entry, or of the call of its module.
    pub(super) fn place(&mut self, entry: &Entry<'_>) -> Option<SourcePlace> {
        let module = self.module(&calls(entry.module_address));
        let Some(folder) = &module.folder else {
            return Some(source_place(&module.call?, SourceBlock::Module, module.own_call.as_ref()));
        };
        let place = self.resource(folder, entry.mode, entry.resource_type, entry.name)?;
        Some(source_place(&place, SourceBlock::Resource, module.own_call.as_ref()))
    }

    /// The place of a resource in a directory.
    fn resource(&mut self, folder: &Path, mode: &str, resource_type: &str, name: &str) -> Option<Place> {
        let mode = ["managed", "data", "ephemeral"].into_iter().find(|known| *known == mode)?;
        let key = (mode, resource_type.to_owned(), name.to_owned());
        self.folder(folder).resources.get(&key).cloned()
    }

    /// The module at the end of these calls.
    fn module(&mut self, path: &[String]) -> Module {
        let mut module = Module { folder: Some(self.root.clone()), call: None, own_call: None };
        for length in 1..=path.len() {
            let (Some(calls), Some(name)) = (path.get(..length), path.get(length - 1)) else { break };
            module = match self.modules.get(calls) {
                Some(known) => known.clone(),
                None if length > DEEPEST => Module { folder: None, ..module },
                None => self.called(&module, calls, name),
            };
            self.modules.entry(calls.to_vec()).or_insert_with(|| module.clone());
        }
        module
    }

    fn called(&mut self, caller: &Module, calls: &[String], name: &str) -> Module {
        let Some(caller_folder) = &caller.folder else { return caller.clone() };
        let folder = self.folder(caller_folder);
        let Some((place, source)) = folder.calls.get(name) else {
            return Module { folder: None, ..caller.clone() };
        };
        let local = source.as_ref().filter(|source| source.starts_with("./") || source.starts_with("../"));
        let target = match local.filter(|_| !self.is_snapshot) {
            Some(source) => Some(caller_folder.join(source)),
            None => self.installed.get(&calls.join(".")).cloned(),
        };
        Module {
            folder: target.and_then(|target| self.inside(&target)),
            call: Some(place.clone()),
            own_call: if place.is_own { Some(place.clone()) } else { caller.own_call.clone() },
        }
    }

    /// A path without symbolic links, if it is in the directory.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        if self.is_snapshot {
            return self.folders.contains_key(path).then(|| path.to_owned());
        }
        // Missing files are not available.
        fs::canonicalize(path).ok().filter(|path| path.starts_with(&self.root))
    }

    fn folder(&mut self, path: &Path) -> Rc<Folder> {
        if let Some(known) = self.folders.get(path) {
            return Rc::clone(known);
        }
        let folder = Rc::new(self.read_folder(path));
        self.folders.insert(path.to_owned(), Rc::clone(&folder));
        folder
    }

    fn read_folder(&mut self, path: &Path) -> Folder {
        let mut folder = Folder::default();
        let names = match fs::read_dir(path) {
            Ok(entries) => entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()),
            Err(error) => {
                self.host.warning(&format!("cannot read the directory {}: {error}", path.display()));
                return folder;
            }
        };
        let mut names: Vec<String> = names.filter(|name| is_configuration(name)).collect();
        names.sort_unstable();
        // OpenTofu reads `main.tofu` instead of `main.tf`, and `main.tofu.json` instead of `main.tf.json`.
        let is_replaced = |name: &String| {
            [(".tf", ".tofu"), (".tf.json", ".tofu.json")].iter().any(|(old, new)| {
                name.strip_suffix(old).is_some_and(|stem| names.contains(&format!("{stem}{new}")))
            })
        };
        for name in names.iter().filter(|name| !is_replaced(name)) {
            let file = path.join(name);
            let Some(text) = self.read_file(&file) else { continue };
            folder.add(blocks(name, &text), |line| Place {
                file: self.name_of(&file).into(),
                uri: file_uri(&file).into(),
                line,
                end: line,
                is_own: !file.starts_with(&self.data),
            });
        }
        folder
    }

    /// Reads a file of the configuration.
    fn read_file(&mut self, file: &Path) -> Option<String> {
        let path = self.inside(file)?;
        self.files += 1;
        if self.files == MAX_FILES {
            self.host.warning(&format!("--source: only {MAX_FILES} files are read"));
        }
        if self.files >= MAX_FILES || !path.is_file() {
            return None;
        }
        read_text(&path, file, MAX_LEN, self.host)
    }

    fn read_manifest(&mut self) {
        let path = self.data.join("modules/modules.json");
        if !path.exists() {
            return;
        }
        let Some(text) = self.read_file(&path) else { return };
        match serde_json::from_str::<Manifest>(&text) {
            Ok(manifest) => {
                let folder = |module: ManifestModule| (module.key, self.root.join(module.dir));
                self.installed = manifest.modules.into_iter().map(folder).collect();
            }
            Err(error) => self.host.warning(&format!("cannot read {}: {error}", path.display())),
        }
    }

    /// The name of a file, relative to the directory as given.
    fn name_of(&self, file: &Path) -> String {
        below(&self.named, &slashed(file.strip_prefix(&self.root).unwrap_or(file)))
    }
}

/// The text of the file at `path`, which messages call `named`. If it cannot be read or is longer than `max_len`, there
/// is a warning.
fn read_text(path: &Path, named: &Path, max_len: u64, host: &Host) -> Option<String> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(max_len + 1).read_to_end(&mut bytes)) {
        Err(error) => host.warning(&format!("cannot read {}: {error}", named.display())),
        Ok(_) if bytes.len() as u64 > max_len => {
            host.warning(&format!("{} is longer than {max_len} bytes and is not read", named.display()));
        }
        Ok(_) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
    None
}

fn source_place(place: &Place, block: SourceBlock, own_call: Option<&Place>) -> SourcePlace {
    let own = if place.is_own { Some(place) } else { own_call };
    SourcePlace {
        file: Arc::clone(&place.file),
        line: place.line,
        block,
        uri: Arc::clone(&place.uri),
        own: own.map(|own| (Arc::clone(&own.file), own.line)),
    }
}

/// Whether the tools read a file with this name, except for override files, which declare nothing themselves.
fn is_configuration(name: &str) -> bool {
    let name = name.strip_suffix(".json").unwrap_or(name);
    let Some(stem) = name.strip_suffix(".tf").or_else(|| name.strip_suffix(".tofu")) else { return false };
    let is_hidden = stem.starts_with('.') || (stem.starts_with('#') && stem.ends_with('#'));
    !is_hidden && stem != "override" && !stem.ends_with("_override")
}

/// The name of a folder, for the names of its files; empty for the working directory.
fn folder_name(folder: &Path) -> String {
    let name = slashed(folder);
    match name.trim_start_matches("./").trim_end_matches('/') {
        "." => String::new(),
        name => name.to_owned(),
    }
}

/// The name of a file in a folder.
fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A path with `/` as the separator.
fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// The `file` URI of an absolute path.
fn file_uri(path: &Path) -> String {
    let path = slashed(path);
    // On Windows, `\\?\C:\a` becomes `/C:/a`.
    let path = path.trim_start_matches("//?/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", crate::term::percent_encoded(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_and_other_files_are_no_configuration() {
        for (name, expected) in [
            ("main.tf", true),
            ("main.tofu", true),
            ("main.tf.json", true),
            ("main.tofu.json", true),
            ("x_override.tf.json", false),
            ("main.json", false),
            ("override.tf", false),
            ("x_override.tf", false),
            (".hidden.tf", false),
            ("main.tfvars", false),
            ("main.tf~", false),
        ] {
            assert_eq!(is_configuration(name), expected, "{name}");
        }
    }

    #[test]
    fn uris_are_percent_encoded() {
        assert_eq!(file_uri(Path::new("/a b/é\u{1b}\\;%.tf")), "file:///a%20b/%C3%A9%1B%5C%3B%25.tf");
    }
}

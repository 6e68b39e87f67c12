//! The configuration in a saved plan (`tfconfig/`: the sources of all modules), as the member `configuration` of
//! `show -json`.
//!
//! Source: the configuration language and the JSON output format of the tools. Invariants: the number and the sizes
//! of files and the depth of calls are limited; a configuration of which any part cannot be read is none, with the
//! problem, so that nothing that it would say is taken for absent.

mod body;
mod document;
mod expression;
mod references;

use std::collections::{BTreeMap, HashMap};

use bumpalo::Bump;
use serde::Deserialize;

use self::body::Body;
use self::document::{SchemaOf, Writer};
use super::archive::{Archive, CONFIGURATION};
use crate::dialect::Tool;
use crate::json::Value;

/// The files of the configuration in a saved plan.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The modules, from the root module on.
    pub modules: Vec<SnapshotModule>,
}

/// A module with its files. All but these are in the manifest.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SnapshotModule {
    /// The names of the calls that lead to it, joined with dots; empty for the root module.
    #[serde(rename = "Key")]
    pub key: String,
    /// Its source address, as in the call.
    #[serde(rename = "Source", default)]
    pub source: String,
    /// Its directory, relative to that of the root module's command.
    #[serde(rename = "Dir", default)]
    pub directory: String,
    /// The names and texts of its files, sorted by name.
    #[serde(skip)]
    pub files: Vec<(String, String)>,
}

/// The maximum length of a file, in bytes.
const MAX_LENGTH: usize = 4 << 20;

impl Snapshot {
    /// Reads the files in a saved plan.
    ///
    /// # Errors
    /// The problem, if there are none, or they are too many or too large.
    pub(super) fn read(archive: &mut Archive<'_>) -> Result<Self, String> {
        let mut files = archive.below(CONFIGURATION).map_err(|error| error.to_string())?;
        let manifest = files.remove("modules.json").ok_or("there is no `tfconfig/modules.json`")?;
        let mut modules: Vec<SnapshotModule> =
            serde_json::from_slice(&manifest).map_err(|error| format!("`tfconfig/modules.json`: {error}"))?;
        let mut by_module: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (name, bytes) in files {
            // The key of a module has no slash, and neither has the name of a file in its folder.
            let Some((key, file)) = name.strip_prefix("m-").and_then(|rest| rest.split_once('/')) else {
                continue;
            };
            if Syntax::of(file).is_none() {
                continue;
            }
            if bytes.len() > MAX_LENGTH {
                return Err(format!("`tfconfig/{name}` is longer than {MAX_LENGTH} bytes"));
            }
            let text = String::from_utf8(bytes).map_err(|_| format!("`tfconfig/{name}` is not UTF-8"))?;
            by_module.entry(key.to_owned()).or_default().push((file.to_owned(), text));
        }
        for module in &mut modules {
            module.files = by_module.remove(&module.key).unwrap_or_default();
        }
        Ok(Self { modules })
    }

    /// The member `configuration`, and the defaults of the root module's variables.
    ///
    /// # Errors
    /// The problem, with the name of the file.
    pub(super) fn document<'a>(
        &'a self,
        tool: Tool,
        schema_of: SchemaOf<'_, 'a>,
        arena: &'a Bump,
    ) -> Result<(String, Vec<(String, Value<'a>)>), String> {
        let mut modules = BTreeMap::new();
        for module in &self.modules {
            modules.insert(module.key.clone(), module.body(tool, arena)?);
        }
        let document = Writer { modules: &modules, tool, schema_of }.document()?;
        let text = serde_json::to_string(&document).map_err(|error| error.to_string())?;
        let root = modules.get("").map(|root| root.blocks_of("variable"));
        let defaults = root.into_iter().flatten().filter_map(|block| {
            let [name] = block.labels()?;
            Some((name.to_owned(), document::default(&block.body)?))
        });
        Ok((text, defaults.collect()))
    }
}

impl SnapshotModule {
    /// The blocks of all files, after the override files.
    fn body<'a>(&'a self, tool: Tool, arena: &'a Bump) -> Result<Body<'a>, String> {
        let mut all = Body::default();
        let (overrides, files): (Vec<_>, Vec<_>) = self.files.iter().partition(|(name, _)| is_override(name));
        let read = |(name, text): &'a (String, String)| {
            let read = match Syntax::of(name) {
                Some(Syntax::Native) => Body::native(text, tool, arena),
                Some(Syntax::Json) => Body::json(text, tool, arena),
                None => Ok(Body::default()),
            };
            read.map_err(|problem| {
                let folder =
                    if self.directory == "." { String::new() } else { format!("{}/", self.directory) };
                format!("{folder}{name}: {problem}")
            })
        };
        for file in files {
            all.blocks.extend(read(file)?.blocks);
        }
        let mut by_name: HashMap<_, usize> =
            all.blocks.iter().enumerate().map(|(at, block)| (block.identity(), at)).collect();
        for file in overrides {
            for block in read(file)?.blocks {
                let base = by_name.get(&block.identity()).and_then(|at| all.blocks.get_mut(*at));
                match base {
                    Some(base) if block.kind != "terraform" => base.body.merge(block.body),
                    Some(_) | None => {
                        by_name.insert(block.identity(), all.blocks.len());
                        all.blocks.push(block);
                    }
                }
            }
        }
        Ok(all)
    }
}

/// The syntax of a file.
#[derive(Clone, Copy)]
enum Syntax {
    Native,
    Json,
}

impl Syntax {
    /// The syntax, by the name of the file; `None` if it is no configuration.
    fn of(name: &str) -> Option<Self> {
        let is = |ending: &str| name.ends_with(ending);
        if is(".tf") || is(".tofu") {
            Some(Self::Native)
        } else if is(".tf.json") || is(".tofu.json") {
            Some(Self::Json)
        } else {
            None
        }
    }
}

/// Whether a file changes what the others declare.
fn is_override(name: &str) -> bool {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    stem == "override" || stem.ends_with("_override")
}

//! Finds causes through `depends_on`: why a data source is read only during apply.
//!
//! The `depends_on` of its own block counts, and those of the calls of all modules around it.
//!
//! ```text
//! data "aws_ami" "app" { depends_on = [module.build] }        module.build.null_resource.build is replaced
//!
//! "is read during apply; because of module.build.null_resource.build"
//! ```

use std::collections::HashMap;

use super::trace::{Origin, Resource};
use super::{Causes, MAX_COUNT, are_compatible, resource};
use crate::json::Value;
use crate::model::address::{Step, Steps};
use crate::model::plan::ResourceChange;
use crate::model::{Action, ModuleId};
use crate::review::entry::Cause;

/// The maximum number of changes of one module that are looked at.
const MAX_OF_MODULE: usize = 64;

/// The changes in each module and its child modules, by index.
pub(super) type ByModule = HashMap<ModuleId, Vec<usize>>;

impl<'p, 'a> Causes<'p, 'a> {
    /// Returns the planned changes that a change waits for, as far as `depends_on` names them.
    pub(super) fn dependencies(&self, index: usize) -> Vec<Cause<'a>> {
        let mut sources = Vec::new();
        let Some(change) = self.plan.resource_changes.get(index) else {
            return Vec::new();
        };
        let Some(block) = resource(&self.configuration, change) else {
            return Vec::new();
        };
        let blocks = self
            .configuration
            .blocks(block.module, block.resource_type, block.name);
        let of_block = blocks.iter().filter(|one| &*one.mode == block.mode);
        for depends_on in of_block.filter_map(|one| one.depends_on) {
            self.add(
                block.module,
                depends_on.value(self.arena).ok(),
                change,
                &mut sources,
            );
        }
        let mut module = block.module;
        while let Some(caller) = self.configuration.caller(module) {
            let depends_on = self.configuration.depends_on(module);
            let list = depends_on.and_then(|raw| raw.value(self.arena).ok());
            self.add(caller, list, change, &mut sources);
            module = caller;
        }
        sources.retain(|source| *source != index);
        sources.sort_unstable();
        sources.dedup();
        let cause = |source: usize| {
            Some(Cause {
                attribute: "depends_on",
                address: self
                    .arena
                    .alloc_str(&self.plan.resource_changes.get(source)?.address),
                source: None,
                expected: &[],
            })
        };
        sources
            .into_iter()
            .take(MAX_COUNT)
            .filter_map(cause)
            .collect()
    }

    /// Appends the changes that a list of `depends_on` names, which has whole modules and single resources.
    fn add(
        &self,
        module: ModuleId,
        references: Option<Value<'a>>,
        effect: &ResourceChange<'a>,
        sources: &mut Vec<usize>,
    ) {
        let references = references.and_then(|list| list.as_array());
        for text in references
            .unwrap_or_default()
            .iter()
            .filter_map(|one| one.as_str())
        {
            let steps: Vec<Step<'a>> = Steps(text).take(4).collect();
            let name = |index: usize| steps.get(index).map_or("", |step| step.name);
            if name(0) == "module" {
                let called = [
                    self.configuration.address(module),
                    format!("module.{}", name(1)),
                ];
                let called = called.join(".");
                let called = self.configuration.module(called.trim_start_matches('.'));
                let inside = called.and_then(|called| self.by_module().get(&called));
                let is_meant = |source: &&usize| {
                    let source = self.plan.resource_changes.get(**source);
                    source.is_some_and(|source| {
                        are_compatible(&source.module_address, &effect.module_address)
                    })
                };
                sources.extend(inside.into_iter().flatten().filter(is_meant));
            } else if name(0) != "data" {
                let first = usize::from(name(0) == "resource");
                let resource = Resource {
                    module,
                    mode: "managed",
                    resource_type: name(first),
                    name: name(first + 1),
                };
                let key = steps.get(first + 1).and_then(|step| step.key);
                let origin = Origin {
                    resource,
                    key: key.and_then(|key| key.strip_prefix('[')?.strip_suffix(']')),
                    attribute: "",
                };
                sources.extend(self.changes_of(&origin, effect));
            }
        }
    }

    /// Returns the pending changes of managed objects by module. A change also counts for all modules around its own.
    fn by_module(&self) -> &ByModule {
        self.by_module.get_or_init(|| {
            let mut by_module = ByModule::new();
            for (index, change) in self.plan.resource_changes.iter().enumerate() {
                let is_pending = change.change.actions != Action::NoOp && &*change.mode != "data";
                let module = self.configuration.module(&change.module_address);
                let (true, Some(module)) = (is_pending, module) else {
                    continue;
                };
                let mut around = Some(module);
                while let Some(module) = around {
                    let changes = by_module.entry(module).or_default();
                    if changes.len() < MAX_OF_MODULE {
                        changes.push(index);
                    }
                    around = self.configuration.caller(module);
                }
            }
            by_module
        })
    }
}

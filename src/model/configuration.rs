//! The `configuration` of a plan: its blocks, module calls, providers and variables, to be looked up by name.
//!
//! Source: the JSON output format. Invariant: each module call is visited once, because all instances of a module share
//! its configuration.

use foldhash::HashMap;
use serde::{Deserialize, Deserializer};

use super::address::Steps;
use crate::json::{Error, Pairs, Raw, Str};

/// The member `configuration` of a plan, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    #[serde(borrow)]
    root_module: Module<'s>,
    provider_config: Option<Raw<'s>>,
}

/// A `provider` block, or a provider requirement of a module.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ProviderConfig<'s> {
    /// The local name in the module, for example `aws`.
    #[serde(borrow)]
    name: Str<'s>,
    /// The source address, for example `registry.terraform.io/hashicorp/aws`.
    full_name: Str<'s>,
    /// The version constraint as it is written, for example `~> 5.0`; empty without one.
    version_constraint: Str<'s>,
    /// The address of the module whose names the arguments use; empty for the root module.
    pub module_address: Str<'s>,
    /// The arguments of the block.
    pub expressions: Option<Raw<'s>>,
}

impl ProviderConfig<'_> {
    /// Returns the source address of the provider; for old plans, its local name.
    pub fn source(&self) -> &str {
        if self.full_name.is_empty() {
            &self.name
        } else {
            &self.full_name
        }
    }
}

/// The configuration of a module, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Module<'s> {
    /// The `resource`, `data` and `ephemeral` blocks.
    #[serde(borrow)]
    resources: Vec<Resource<'s>>,
    /// The `action` blocks (Terraform 1.14 and later).
    actions: Vec<Resource<'s>>,
    /// The outputs, by name.
    outputs: Pairs<'s, Output<'s>>,
    /// The calls of other modules, by name.
    module_calls: Pairs<'s, Call<'s>>,
    /// The input variables, by name.
    variables: Pairs<'s, Declaration<'s>>,
    /// The local values. Only saved plans have them here; the tools do not write them.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// An `output` block, as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'s> {
    #[serde(borrow)]
    expression: Option<Raw<'s>>,
    sensitive: bool,
}

/// A `module` block, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Call<'s> {
    /// The arguments.
    #[serde(borrow)]
    expressions: Option<Raw<'s>>,
    /// The expression of `for_each`.
    for_each_expression: Option<Raw<'s>>,
    /// The expression of `count`.
    count_expression: Option<Raw<'s>>,
    /// A list of references.
    depends_on: Option<Raw<'s>>,
    /// The configuration of the called module.
    module: Option<Box<Module<'s>>>,
}

/// A block of a resource or action, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resource<'s> {
    /// `managed`, `data` or `ephemeral`; empty for actions.
    #[serde(borrow)]
    mode: Str<'s>,
    /// The type of the resource or action.
    #[serde(rename = "type")]
    resource_type: Str<'s>,
    /// The name of the block.
    name: Str<'s>,
    /// The key of the provider in `provider_config`.
    provider_config_key: Str<'s>,
    /// The arguments.
    expressions: Option<Raw<'s>>,
    /// The expression of `for_each`.
    for_each_expression: Option<Raw<'s>>,
    /// The expression of `count`.
    count_expression: Option<Raw<'s>>,
    /// A list of references.
    depends_on: Option<Raw<'s>>,
    /// The list of provisioners.
    provisioners: Option<Raw<'s>>,
    /// The arguments with the texts of their expressions. Only saved plans have them here; the tools do not write them.
    argument_texts: Option<Raw<'s>>,
}

/// The parts of a block of a resource or action besides its arguments.
#[derive(Clone, Debug)]
pub struct ConfiguredBlock<'s> {
    /// `managed`, `data` or `ephemeral`; `ACTION_MODE` for actions.
    pub mode: Str<'s>,
    /// The key of the provider in `provider_config`; empty if the document has none.
    pub provider_config_key: Str<'s>,
    /// The expression of `for_each` or `count`.
    pub repetition: Option<Raw<'s>>,
    /// A list of references.
    pub depends_on: Option<Raw<'s>>,
    /// The list of provisioners.
    pub provisioners: Option<Raw<'s>>,
    /// The arguments with the texts of their expressions, for saved plans only.
    pub argument_texts: Option<Raw<'s>>,
}

/// An expression, with the context that its names refer to.
#[derive(Clone, Copy, Debug)]
pub struct Scoped<'s> {
    /// The expression, as in the JSON output: `{"constant_value": 1}` or `{"references": ["var.size"]}`.
    pub expression: Raw<'s>,
    /// The module whose names the expression uses.
    pub module: ModuleId,
    /// The expression of the `for_each` or `count` that determines the values of `each` and `count`.
    pub repetition: Option<Raw<'s>>,
}

/// The declaration of an input variable. The `variables` of a plan have values without marks, so only the declaration
/// tells whether a variable is sensitive.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Declaration<'a> {
    /// Whether the variable is sensitive.
    pub sensitive: bool,
    /// Whether the variable is ephemeral, so that its value must not be stored anywhere.
    pub ephemeral: bool,
    /// The default value; `None` if it is null or absent.
    #[serde(borrow)]
    pub default: Option<Raw<'a>>,
}

/// The resources, module calls, providers and variables of a configuration, to be looked up by name.
#[derive(Clone, Debug, Default)]
pub struct Configuration<'s> {
    /// The arguments of all blocks in all modules, by mode and type.
    types: HashMap<(Str<'s>, Str<'s>), Vec<Raw<'s>>>,
    /// The arguments of each block, by module, mode, type and name.
    resources: HashMap<(ModuleId, [Str<'s>; 3]), Raw<'s>>,
    /// All module calls. Other fields contain indices in this list.
    calls: Vec<Called<'s>>,
    /// The index of each call in `calls`, by the calling module and the name of the call.
    called: HashMap<(ModuleId, Str<'s>), usize>,
    /// The member `provider_config`, which is parsed when it is requested.
    providers: Option<Raw<'s>>,
    /// The blocks of all modes, by module, type and name. There may be several with the same name, in different modes.
    blocks: HashMap<(ModuleId, [Str<'s>; 2]), Vec<ConfiguredBlock<'s>>>,
    /// Whether any resource has provisioners.
    has_provisioners: bool,
    /// The input variables of the root module.
    pub(super) variables: Pairs<'s, Declaration<'s>>,
    /// The outputs of the root module.
    outputs: Pairs<'s, Output<'s>>,
    /// The local values of the root module, for saved plans only.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// The identity of a module in a configuration: the index of its call, or `None` for the root module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleId(Option<usize>);

impl ModuleId {
    /// The identity of the root module.
    pub const ROOT: Self = Self(None);
}

/// A module call with the parts of the called module. It contains no address, because with deep nesting the total
/// length of all addresses would be quadratic in the size of the configuration.
#[derive(Clone, Debug)]
struct Called<'s> {
    /// The module that contains the call.
    caller: ModuleId,
    /// The name of the call.
    name: Str<'s>,
    /// The arguments.
    expressions: Option<Raw<'s>>,
    /// The expression of `for_each` or `count`.
    repetition: Option<Raw<'s>>,
    /// A list of references.
    depends_on: Option<Raw<'s>>,
    /// The outputs of the called module.
    outputs: Pairs<'s, Output<'s>>,
    /// The input variables of the called module.
    variables: Pairs<'s, Declaration<'s>>,
    /// The local values of the called module, for saved plans only.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// The mode of actions in a `Configuration`. The document contains none for them.
pub const ACTION_MODE: &str = "action";

impl<'de: 's, 's> Deserialize<'de> for Configuration<'s> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Document {
            mut root_module,
            provider_config,
        } = Document::deserialize(deserializer)?;
        let variables = std::mem::take(&mut root_module.variables);
        let mut configuration = Self {
            providers: provider_config,
            variables,
            outputs: std::mem::take(&mut root_module.outputs),
            locals: root_module.locals.take(),
            ..Self::default()
        };
        configuration.walk(root_module, ModuleId::ROOT);
        Ok(configuration)
    }
}

impl<'s> Configuration<'s> {
    /// Records a module, and the modules that it calls.
    fn walk(&mut self, module: Module<'s>, id: ModuleId) {
        let actions = module.actions.into_iter().map(|action| Resource {
            mode: Str::from(ACTION_MODE),
            ..action
        });
        for block in module.resources.into_iter().chain(actions) {
            let Resource {
                mode,
                resource_type,
                name,
                provider_config_key,
                expressions,
                for_each_expression,
                count_expression,
                depends_on,
                provisioners,
                argument_texts,
            } = block;
            self.has_provisioners |= provisioners.is_some();
            let key = (id, [resource_type.clone(), name.clone()]);
            self.blocks.entry(key).or_default().push(ConfiguredBlock {
                mode: mode.clone(),
                provider_config_key,
                repetition: for_each_expression.or(count_expression),
                depends_on,
                provisioners,
                argument_texts,
            });
            let Some(expressions) = expressions else {
                continue;
            };
            self.types
                .entry((mode.clone(), resource_type.clone()))
                .or_default()
                .push(expressions);
            self.resources
                .entry((id, [mode, resource_type, name]))
                .or_insert(expressions);
        }
        for (
            name,
            Call {
                expressions,
                for_each_expression,
                count_expression,
                depends_on,
                module,
            },
        ) in module.module_calls.0
        {
            let Some(mut module) = module else { continue };
            let called = self.calls.len();
            self.called.insert((id, name.clone()), called);
            let outputs = std::mem::take(&mut module.outputs);
            self.calls.push(Called {
                caller: id,
                name,
                expressions,
                repetition: for_each_expression.or(count_expression),
                depends_on,
                outputs,
                variables: std::mem::take(&mut module.variables),
                locals: module.locals.take(),
            });
            self.walk(*module, ModuleId(Some(called)));
        }
    }

    /// Returns the arguments of all blocks of a type.
    pub fn expressions_of_type<'c>(
        &'c self,
        mode: &'c str,
        resource_type: &'c str,
    ) -> &'c [Raw<'s>] {
        let types: &HashMap<(Str<'_>, Str<'_>), Vec<Raw<'s>>> = &self.types;
        types
            .get(&(mode.into(), resource_type.into()))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the version constraints of all providers, each with the name of its provider: the source address, or the
    /// local name in old plans.
    pub fn version_constraints(&self) -> Vec<(Str<'s>, Str<'s>)> {
        let configs = self.provider_configs().unwrap_or_default().0;
        let constraints = configs.into_values().map(|config| {
            let name = if config.full_name.is_empty() {
                config.name
            } else {
                config.full_name
            };
            (name, config.version_constraint)
        });
        constraints
            .filter(|(_, constraint)| !constraint.is_empty())
            .collect()
    }

    /// Returns the provider configurations by their keys: `aws`, `module.a:aws.east`.
    ///
    /// # Errors
    /// Returns an error if they are malformed.
    pub fn provider_configs(&self) -> Result<Pairs<'s, ProviderConfig<'s>>, Error> {
        self.providers
            .map_or_else(|| Ok(Pairs::default()), Raw::read)
    }

    /// Whether any resource has provisioners.
    pub fn has_provisioners(&self) -> bool {
        self.has_provisioners
    }

    /// Returns the blocks with a type and name, of all modes.
    pub fn blocks<'c>(
        &'c self,
        module: ModuleId,
        resource_type: &'c str,
        name: &'c str,
    ) -> &'c [ConfiguredBlock<'s>] {
        let all: &HashMap<(ModuleId, [Str<'_>; 2]), Vec<ConfiguredBlock<'s>>> = &self.blocks;
        all.get(&(module, [resource_type, name].map(Str::from)))
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the expression of a local value. `None` if the document has none, which is always so for the documents
    /// of the tools.
    pub fn local(&self, module: ModuleId, name: &str) -> Option<Raw<'s>> {
        let locals = match module.0 {
            None => self.locals.as_ref(),
            Some(called) => self.calls.get(called)?.locals.as_ref(),
        };
        locals?.get(name).copied()
    }

    /// Returns the declaration of an input variable.
    pub fn variable(&self, module: ModuleId, name: &str) -> Option<Declaration<'s>> {
        let variables = match module.0 {
            None => &self.variables,
            Some(called) => &self.calls.get(called)?.variables,
        };
        variables.get(name).copied()
    }

    /// Returns the arguments of the call of a module, in the context of the module that calls it. `None` for the root
    /// module.
    pub fn call(&self, module: ModuleId) -> Option<Scoped<'s>> {
        let called = self.calls.get(module.0?)?;
        Some(Scoped {
            expression: called.expressions?,
            module: called.caller,
            repetition: called.repetition,
        })
    }

    /// Returns the module that calls `module`; `None` for the root module.
    pub fn caller(&self, module: ModuleId) -> Option<ModuleId> {
        Some(self.calls.get(module.0?)?.caller)
    }

    /// Returns the `depends_on` of the call of a module, as a list of references in the module that calls it.
    pub fn depends_on(&self, module: ModuleId) -> Option<Raw<'s>> {
        self.calls.get(module.0?)?.depends_on
    }

    /// Whether an output of a module is declared as sensitive. For the root module, see `is_sensitive_root_output`.
    pub fn is_sensitive_output(&self, module: ModuleId, output: &str) -> bool {
        let called = module.0.and_then(|index| self.calls.get(index));
        called
            .and_then(|called| called.outputs.get(output))
            .is_some_and(|output| output.sensitive)
    }

    /// Returns the expression of an output of the root module.
    pub fn root_output(&self, name: &str) -> Option<Raw<'s>> {
        self.outputs.get(name)?.expression
    }

    /// Whether an output of the root module is declared as sensitive.
    pub fn is_sensitive_root_output(&self, name: &str) -> bool {
        self.outputs
            .get(name)
            .is_some_and(|output| output.sensitive)
    }

    /// Returns the names of the outputs of the module that `module` calls by `name`.
    pub fn outputs(&self, module: ModuleId, name: &str) -> Vec<Str<'s>> {
        let called = self
            .called(module, name)
            .and_then(|index| self.calls.get(index));
        let Some(called) = called else {
            return Vec::new();
        };
        called.outputs.keys().cloned().collect()
    }

    /// Returns the module with an address. Instance keys in it are ignored.
    pub fn module(&self, address: &str) -> Option<ModuleId> {
        self.module_of(&calls(address))
    }

    /// Returns the module that is reached by calls with the given names, beginning at the root module.
    pub fn module_of(&self, calls: &[String]) -> Option<ModuleId> {
        calls.iter().try_fold(ModuleId::ROOT, |module, name| {
            let called = self.called(module, name)?;
            Some(ModuleId(Some(called)))
        })
    }

    /// Returns the arguments of a block; `None` if it has none, or does not exist.
    pub fn resource<'c>(
        &'c self,
        module: ModuleId,
        mode: &'c str,
        resource_type: &'c str,
        name: &'c str,
    ) -> Option<Raw<'s>> {
        let resources: &HashMap<(ModuleId, [Str<'_>; 3]), Raw<'s>> = &self.resources;
        resources
            .get(&(module, [mode, resource_type, name].map(Str::from)))
            .copied()
    }

    /// Returns the module, mode, type and name of each block with arguments, in no particular order.
    pub fn resources(&self) -> impl Iterator<Item = (ModuleId, &str, &str, &str)> {
        self.resources
            .keys()
            .map(|(module, [mode, kind, name])| (*module, &**mode, &**kind, &**name))
    }

    /// Returns the address of a module without instance keys; empty for the root module. For a very deep module, the
    /// outer modules are left out.
    pub fn address(&self, mut module: ModuleId) -> String {
        /// The maximum number of modules in an address.
        const MAX_DEPTH: usize = 16;
        let mut names: Vec<&str> = Vec::new();
        while let Some(called) = module.0.and_then(|index| self.calls.get(index)) {
            if names.len() == MAX_DEPTH {
                names.push("…");
                break;
            }
            names.push(&called.name);
            module = called.caller;
        }
        let calls: Vec<String> = names
            .iter()
            .rev()
            .map(|name| format!("module.{name}"))
            .collect();
        calls.join(".")
    }

    /// Returns the module that calls `module`, and the arguments of the call; `None` for the root module.
    pub fn arguments(&self, module: ModuleId) -> Option<(ModuleId, Raw<'s>)> {
        let called = self.calls.get(module.0?)?;
        Some((called.caller, called.expressions?))
    }

    /// Returns the module that `module` calls by `name`, and the expression of an output of it.
    pub fn output(
        &self,
        module: ModuleId,
        name: &str,
        output: &str,
    ) -> Option<(ModuleId, Raw<'s>)> {
        let called = self.called(module, name)?;
        Some((
            ModuleId(Some(called)),
            self.calls.get(called)?.outputs.get(output)?.expression?,
        ))
    }

    /// Returns the index of a call in `calls`.
    fn called(&self, module: ModuleId, name: &str) -> Option<usize> {
        let called: &HashMap<(ModuleId, Str<'_>), usize> = &self.called;
        called.get(&(module, name.into())).copied()
    }
}

/// Returns the names of the module calls in the address of a module, without instance keys: `a` and `b` for
/// `module.a["x.y"].module.b[0]`.
pub fn calls(address: &str) -> Vec<String> {
    Steps(address)
        .skip(1)
        .step_by(2)
        .map(|step| step.name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests;

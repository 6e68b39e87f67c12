//! A plan's `configuration`.
//!
//! Source: the JSON output format. Each module call is visited once, because all instances of a module share its
//! configuration.

use foldhash::HashMap;
use serde::{Deserialize, Deserializer};

use super::address::Steps;
use crate::json::{Error, Pairs, Raw, Str};

/// The member `configuration` of a plan.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    #[serde(borrow)]
    root_module: Module<'s>,
    provider_config: Option<Raw<'s>>,
}

/// A `provider` block, or what a module requires of a provider.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ProviderConfig<'s> {
    /// The local name in the module, for example `aws`.
    #[serde(borrow)]
    name: Str<'s>,
    /// The source address, for example `registry.terraform.io/hashicorp/aws`.
    full_name: Str<'s>,
    /// As it is written, for example `~> 5.0`; empty without one.
    version_constraint: Str<'s>,
    /// The module whose names the arguments use. Empty for the root module.
    pub module_address: Str<'s>,
    /// The arguments of the block.
    pub expressions: Option<Raw<'s>>,
}

impl ProviderConfig<'_> {
    /// Returns the source address of the provider; in old plans its local name.
    pub fn source(&self) -> &str {
        if self.full_name.is_empty() {
            &self.name
        } else {
            &self.full_name
        }
    }
}

/// The configuration of a module.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Module<'s> {
    /// Its `resource`, `data` and `ephemeral` blocks.
    #[serde(borrow)]
    resources: Vec<Resource<'s>>,
    /// Terraform 1.14 and later.
    actions: Vec<Resource<'s>>,
    /// Its outputs, by name.
    outputs: Pairs<'s, Output<'s>>,
    /// The calls of other modules, by name.
    module_calls: Pairs<'s, Call<'s>>,
    /// Its input variables, by name.
    variables: Pairs<'s, Declaration<'s>>,
    /// Only of saved plans: the tools write none.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// An `output` block.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'s> {
    #[serde(borrow)]
    expression: Option<Raw<'s>>,
    sensitive: bool,
}

/// A `module` block.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Call<'s> {
    /// The values of its arguments.
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

/// A block of a resource or action.
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
    /// The key of its provider in `provider_config`.
    provider_config_key: Str<'s>,
    /// The values of its arguments.
    expressions: Option<Raw<'s>>,
    /// The expression of `for_each`.
    for_each_expression: Option<Raw<'s>>,
    /// The expression of `count`.
    count_expression: Option<Raw<'s>>,
    /// A list of references.
    depends_on: Option<Raw<'s>>,
    /// The list of its provisioners.
    provisioners: Option<Raw<'s>>,
}

/// What a block of a resource or action says besides its arguments.
#[derive(Clone, Debug)]
pub struct ConfiguredBlock<'s> {
    /// `managed`, `data` or `ephemeral`, or that of actions.
    pub mode: Str<'s>,
    /// The key in `provider_config`. Empty if the document has none.
    pub provider_config_key: Str<'s>,
    /// `for_each` or `count`.
    pub repetition: Option<Raw<'s>>,
    /// A list of references.
    pub depends_on: Option<Raw<'s>>,
    /// The list of its provisioners.
    pub provisioners: Option<Raw<'s>>,
}

/// An expression, with what its names refer to.
#[derive(Clone, Copy, Debug)]
pub struct Scoped<'s> {
    /// The expression, as the JSON output has it: `{"constant_value": 1}` or `{"references": ["var.size"]}`.
    pub expression: Raw<'s>,
    /// The module whose names it uses.
    pub module: ModuleId,
    /// The `for_each` or `count` that gives `each` and `count` their values.
    pub repetition: Option<Raw<'s>>,
}

/// The declaration of a variable. `variables` of a plan has values without marks; only this tells whether one is
/// sensitive.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Declaration<'a> {
    /// Whether the variable is sensitive.
    pub sensitive: bool,
    /// Whether the value must not be stored anywhere.
    pub ephemeral: bool,
    /// The default; `None` if it is null or absent.
    #[serde(borrow)]
    pub default: Option<Raw<'a>>,
}

/// The resources, module calls, providers and variables of a configuration, to be looked up by name.
#[derive(Clone, Debug, Default)]
pub struct Configuration<'s> {
    /// The arguments of all blocks by mode and type, in all modules.
    types: HashMap<(Str<'s>, Str<'s>), Vec<Raw<'s>>>,
    /// By module, mode, type and name.
    resources: HashMap<(ModuleId, [Str<'s>; 3]), Raw<'s>>,
    /// All module calls; other fields use indices in this list.
    calls: Vec<Called<'s>>,
    /// Indices in `calls`, by the calling module and the call's name.
    called: HashMap<(ModuleId, Str<'s>), usize>,
    /// The member `provider_config`, which is parsed when it is asked for.
    providers: Option<Raw<'s>>,
    /// By module, type and name, of all modes; several if several blocks have this name.
    blocks: HashMap<(ModuleId, [Str<'s>; 2]), Vec<ConfiguredBlock<'s>>>,
    /// Whether any resource has a provisioner.
    has_provisioners: bool,
    /// The input variables of the root module.
    pub(super) variables: Pairs<'s, Declaration<'s>>,
    /// The outputs of the root module.
    outputs: Pairs<'s, Output<'s>>,
    /// The local values of the root module; only of saved plans.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// A module of a configuration, by the index of its call; `None` for the root module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleId(Option<usize>);

impl ModuleId {
    /// The root module.
    pub const ROOT: Self = Self(None);
}

/// A module call. Addresses are not built: with deep nesting their total length would be quadratic in the size of the
/// configuration.
#[derive(Clone, Debug)]
struct Called<'s> {
    /// The module that has the call.
    caller: ModuleId,
    /// The name of the call.
    name: Str<'s>,
    /// The values of its arguments.
    expressions: Option<Raw<'s>>,
    /// The expression of `for_each` or `count`.
    repetition: Option<Raw<'s>>,
    /// A list of references.
    depends_on: Option<Raw<'s>>,
    /// The outputs of the called module.
    outputs: Pairs<'s, Output<'s>>,
    /// The input variables of the called module.
    variables: Pairs<'s, Declaration<'s>>,
    /// Its local values; only of saved plans.
    locals: Option<Pairs<'s, Raw<'s>>>,
}

/// The mode of actions, which the document does not write.
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
    /// Records a module and those that it calls.
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
            } = block;
            self.has_provisioners |= provisioners.is_some();
            let key = (id, [resource_type.clone(), name.clone()]);
            self.blocks.entry(key).or_default().push(ConfiguredBlock {
                mode: mode.clone(),
                provider_config_key,
                repetition: for_each_expression.or(count_expression),
                depends_on,
                provisioners,
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

    /// Returns the arguments of all resources of a type.
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

    /// Returns the version constraints of providers, each with the name of its provider: a source address, or a local
    /// name in old plans.
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

    /// Returns the provider configurations by their keys: `aws`, `module.a:aws.east`. Fails if they are malformed.
    pub fn provider_configs(&self) -> Result<Pairs<'s, ProviderConfig<'s>>, Error> {
        self.providers
            .map_or_else(|| Ok(Pairs::default()), Raw::read)
    }

    /// Whether any resource has provisioners.
    pub fn has_provisioners(&self) -> bool {
        self.has_provisioners
    }

    /// The blocks of a type and name, of all modes.
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

    /// The expression that gives a local value its value. `None` where the document has none, which is always
    /// so in what the tools write.
    pub fn local(&self, module: ModuleId, name: &str) -> Option<Raw<'s>> {
        let locals = match module.0 {
            None => self.locals.as_ref(),
            Some(called) => self.calls.get(called)?.locals.as_ref(),
        };
        locals?.get(name).copied()
    }

    /// The declaration of a variable.
    pub fn variable(&self, module: ModuleId, name: &str) -> Option<Declaration<'s>> {
        let variables = match module.0 {
            None => &self.variables,
            Some(called) => &self.calls.get(called)?.variables,
        };
        variables.get(name).copied()
    }

    /// The arguments of the call of a module, in the module that calls it. `None` for the root module.
    pub fn call(&self, module: ModuleId) -> Option<Scoped<'s>> {
        let called = self.calls.get(module.0?)?;
        Some(Scoped {
            expression: called.expressions?,
            module: called.caller,
            repetition: called.repetition,
        })
    }

    /// The module that calls `module`; `None` for the root module.
    pub fn caller(&self, module: ModuleId) -> Option<ModuleId> {
        Some(self.calls.get(module.0?)?.caller)
    }

    /// Returns what the call of a module depends on, as a list of references in the module that
    /// calls it.
    pub fn depends_on(&self, module: ModuleId) -> Option<Raw<'s>> {
        self.calls.get(module.0?)?.depends_on
    }

    /// Whether the declaration of an output calls it sensitive.
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

    /// Whether the declaration of an output of the root module calls it sensitive.
    pub fn is_sensitive_root_output(&self, name: &str) -> bool {
        self.outputs
            .get(name)
            .is_some_and(|output| output.sensitive)
    }

    /// The names of the outputs of a module that `module` calls.
    pub fn outputs(&self, module: ModuleId, name: &str) -> Vec<Str<'s>> {
        let called = self
            .called(module, name)
            .and_then(|index| self.calls.get(index));
        let Some(called) = called else {
            return Vec::new();
        };
        called.outputs.keys().cloned().collect()
    }

    /// Finds the call of the module with an address. Instance keys are ignored.
    pub fn module(&self, address: &str) -> Option<ModuleId> {
        self.module_of(&calls(address))
    }

    /// Finds the call of a module by the names of the calls that lead to it.
    pub fn module_of(&self, calls: &[String]) -> Option<ModuleId> {
        calls.iter().try_fold(ModuleId::ROOT, |module, name| {
            let called = self.called(module, name)?;
            Some(ModuleId(Some(called)))
        })
    }

    /// Returns the arguments of a resource.
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

    /// The blocks with arguments, in no order: the module, the mode, the type and the name of each.
    pub fn resources(&self) -> impl Iterator<Item = (ModuleId, &str, &str, &str)> {
        self.resources
            .keys()
            .map(|(module, [mode, kind, name])| (*module, &**mode, &**kind, &**name))
    }

    /// Returns the address of a module without instance keys; empty for the root module. The outer modules of a very
    /// deep one are left out.
    pub fn address(&self, mut module: ModuleId) -> String {
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

    /// Returns the module that calls `module`, and the arguments of the call. `None` for the root module.
    pub fn arguments(&self, module: ModuleId) -> Option<(ModuleId, Raw<'s>)> {
        let called = self.calls.get(module.0?)?;
        Some((called.caller, called.expressions?))
    }

    /// Returns the module that `module` calls by `name`, and the expression of one of its outputs.
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

/// Returns the names of the module calls in an address, without instance keys: `a` and `b` for
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

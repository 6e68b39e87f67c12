//! Collects the provider configurations of all modules, and finds out which one each module uses.
//!
//! ```text
//! provider "aws" { alias = "east" }              {"aws.east": {"name": "aws", "alias": "east", …}}
//! module "a" { providers = { aws = aws.east } }  `module.a:aws` is written at `aws.east`
//! ```

use std::collections::{BTreeMap, BTreeSet};

use hcl_edit::expr::{Expression, ObjectKey};

use super::{ConfigurationWriter, Location, Members, SourceText, is_resource};
use crate::json::Value;
use crate::saved::configuration::expression::Term;
use crate::saved::configuration::{Body, ConfigBlock};
use crate::schema::Position;

/// The members of a `provider` block that the language itself reads, so that they are not arguments.
const PROVIDER: &[&str] = &["alias", "version", "for_each"];

/// The provider configurations of all modules.
#[derive(Debug, Default)]
pub(super) struct Providers<'a> {
    /// The content of the member `provider_config`, by key.
    pub(super) members: Members<'a>,
    /// The source addresses of the providers, by the keys of their configurations, including configurations that are
    /// only implied.
    full_names: BTreeMap<String, String>,
    /// The keys of the written configurations that callers pass to modules, by the keys that these have in the modules.
    pub(super) written_at: BTreeMap<String, String>,
}

impl<'a> Providers<'a> {
    /// Adds a configuration that has a block or a requirement of its own.
    fn add(&mut self, key: &'a str, full_name: Value<'_>, configuration: Value<'a>) {
        self.imply(key, full_name);
        self.members.push((key, configuration));
    }

    /// Records the source address of the provider of a configuration.
    fn imply(&mut self, key: &str, full_name: Value<'_>) {
        let full_name = full_name.as_str().unwrap_or_default();
        self.full_names.insert(key.to_owned(), full_name.to_owned());
    }

    /// Passes a configuration of the calling module to a module, if both are of the same provider.
    fn give(&mut self, key: &str, full_name: &str, outer: &str) {
        if self.full_names.get(outer).map(String::as_str) == Some(full_name) {
            let source = self.written_at.get(outer).map_or(outer, String::as_str);
            let source = source.to_owned();
            self.written_at.insert(key.to_owned(), source);
        }
    }
}

/// The providers that a module requires, by local name: each with its source address and version constraint.
type Required<'a> = BTreeMap<&'a str, (Value<'a>, &'a str)>;

impl<'a> ConfigurationWriter<'_, 'a> {
    /// Adds the provider configurations of a module, and those that its caller passes to it.
    pub(super) fn providers(
        &self,
        body: &Body<'a>,
        location: Location<'_>,
        all: &mut Providers<'a>,
    ) {
        let address = location.address;
        let required = self.required_providers(body, address, all);
        // A provider without a `provider` block is inherited from the caller.
        let mut inherited: BTreeSet<&str> = required.keys().copied().collect();
        self.configured_providers(body, address, &required, &mut inherited, all);
        self.implied_providers(body, address, &mut inherited, all);
        if let Some(caller) = location.caller {
            let passed = location.providers.map(passed_names).unwrap_or_default();
            self.inherited_providers([address, caller], &passed, inherited, all);
        }
    }

    /// Adds the providers that the `terraform` blocks of a module require, and returns them.
    fn required_providers(
        &self,
        body: &Body<'a>,
        address: &str,
        all: &mut Providers<'a>,
    ) -> Required<'a> {
        let mut required = BTreeMap::new();
        let terraform = body.blocks_of("terraform");
        for (name, term) in terraform
            .flat_map(|block| block.body.blocks_of("required_providers"))
            .flat_map(|block| &block.body.attributes)
        {
            let known = term.known.unwrap_or_default();
            let text = |member| {
                known
                    .get(member)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            // Old configurations have a string with the version instead of an object.
            let version = term
                .constant
                .and_then(Value::as_str)
                .unwrap_or_else(|| text("version"));
            let full_name = self.full_name(name, text("source"));
            required.insert(*name, (full_name, version));
            let members = vec![
                ("name", Value::String(name)),
                ("full_name", full_name),
                ("version_constraint", Value::String(version)),
                ("module_address", self.text(address)),
            ];
            all.add(self.key(address, name), full_name, self.filled(members));
        }
        required
    }

    /// Adds the `provider` blocks of a module. Those providers are no longer in `inherited`.
    fn configured_providers(
        &self,
        body: &Body<'a>,
        address: &str,
        required: &Required<'a>,
        inherited: &mut BTreeSet<&str>,
        all: &mut Providers<'a>,
    ) {
        for block in body.blocks_of("provider") {
            let [name] = *block.labels else { continue };
            let text = |member| {
                block
                    .body
                    .constant(member)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            let (full_name, constraint) = required
                .get(name)
                .copied()
                .unwrap_or_else(|| (self.full_name(name, ""), ""));
            let alias = text("alias");
            let key = if alias.is_empty() {
                self.key(address, name)
            } else {
                self.key(address, &format!("{name}.{alias}"))
            };
            let versions = [constraint, text("version")]
                .into_iter()
                .filter(|text| !text.is_empty());
            let arguments = self.expressions(
                &block.body,
                PROVIDER,
                Position::Unspecified,
                SourceText::Add,
            );
            let members = vec![
                ("name", Value::String(name)),
                ("full_name", full_name),
                ("alias", Value::String(alias)),
                (
                    "version_constraint",
                    self.text(&versions.collect::<Vec<_>>().join(", ")),
                ),
                ("module_address", self.text(address)),
                ("expressions", self.object(arguments)),
            ];
            inherited.remove(name);
            all.add(key, full_name, self.filled(members));
        }
    }

    /// Adds the providers that only resources need, without a block or a requirement. They have an empty configuration,
    /// or inherit that of the caller.
    fn implied_providers(
        &self,
        body: &Body<'a>,
        address: &str,
        inherited: &mut BTreeSet<&'a str>,
        all: &mut Providers<'a>,
    ) {
        for block in &body.blocks {
            let (Some(kind), true) = (block.labels.first(), is_resource(block.kind)) else {
                continue;
            };
            let name = self
                .text(&provider_of(block, kind))
                .as_str()
                .unwrap_or_default();
            let name = name.split(['.', '[']).next().unwrap_or_default();
            let key = self.key(address, name);
            if !all.full_names.contains_key(key) {
                all.imply(key, self.full_name(name, ""));
                inherited.insert(name);
            }
        }
    }

    /// Passes configurations of the caller to a module: those that the call names, and those with the same local name.
    fn inherited_providers(
        &self,
        [address, caller]: [&str; 2],
        passed: &[(String, String)],
        mut inherited: BTreeSet<&str>,
        all: &mut Providers<'a>,
    ) {
        for (inner, outer) in passed {
            inherited.remove(&**inner);
            let local = inner.split('.').next().unwrap_or_default();
            let full_name = all.full_names.get(self.key(address, local)).cloned();
            let full_name = full_name.unwrap_or_else(|| {
                self.full_name(local, "")
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            });
            all.give(self.key(address, inner), &full_name, &key_in(caller, outer));
        }
        for name in inherited {
            let key = self.key(address, name);
            let full_name = all.full_names.get(key).cloned().unwrap_or_default();
            all.give(key, &full_name, &key_in(caller, name));
        }
    }

    /// Returns the key of a provider configuration, as [`key_in`] makes it.
    fn key(&self, address: &str, name: &str) -> &'a str {
        self.arena.alloc_str(&key_in(address, name))
    }

    /// Returns the source address of a provider from its local name and the `source` in the requirement, which may be
    /// empty or abbreviated.
    fn full_name(&self, name: &str, source: &str) -> Value<'a> {
        let registry = self.tool.registry();
        self.text(&match source.split('/').count() {
            _ if source.is_empty() && name == "terraform" => {
                "terraform.io/builtin/terraform".to_owned()
            }
            _ if source.is_empty() => format!("{registry}/hashicorp/{name}"),
            1 => format!("{registry}/hashicorp/{source}"),
            2 => format!("{registry}/{source}"),
            _ => source.to_owned(),
        })
    }
}

/// Returns the key of a provider configuration: `aws.east` in the root module, `module.a:aws.east` in another one.
pub(super) fn key_in(address: &str, name: &str) -> String {
    if address.is_empty() {
        name.to_owned()
    } else {
        format!("{address}:{name}")
    }
}

/// Returns the name of the provider configuration that a resource uses: the one that its argument `provider` names, or
/// else the local name with which its type begins.
pub(super) fn provider_of(block: &ConfigBlock<'_>, kind: &str) -> String {
    match block.body.attribute("provider") {
        Some(term) => {
            let constant = term.constant.and_then(Value::as_str);
            constant.unwrap_or(term.text).trim().to_owned()
        }
        None => kind.split('_').next().unwrap_or(kind).to_owned(),
    }
}

/// Returns the pairs in the argument `providers` of a module call: the name in the called module, and the name in the
/// calling one.
fn passed_names(term: &Term<'_>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    if let Some(members) = term.json.and_then(Value::as_object) {
        for (name, value) in members.members() {
            let outer = value.as_str().unwrap_or_default();
            names.push(((*name).to_owned(), outer.to_owned()));
        }
    } else if let Ok(Expression::Object(members)) = term.text.parse::<Expression>() {
        for (name, value) in &members {
            let name = match name {
                ObjectKey::Ident(name) => name.to_string(),
                ObjectKey::Expression(name) => name.to_string(),
            };
            let outer = value.expr().to_string();
            names.push((name.trim().to_owned(), outer.trim().to_owned()));
        }
    }
    names
}

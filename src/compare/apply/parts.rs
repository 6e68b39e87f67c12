//! Reads the parts that decide an apply from the configuration of a plan, and hashes them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;
use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::effects::{Applied, BlockKey, Effects, Example, UnknownOf};
use super::expressions::{Expressions, Hashing, Scope};
use super::{Content, Part, PartKind};
use crate::diff::Error;
use crate::diff::edits::{Positions, Sides};
use crate::diff::value::Builder;
use crate::json::{Pairs, Raw, Value};
use crate::model::configuration::{Configuration, ConfiguredBlock, ModuleId, ProviderConfig};
use crate::model::plan::{Plan, ResourceChange};
use crate::schema::{Position, Schemas};

/// Returns the parts that decide what the apply of a plan does.
///
/// # Errors
/// If a value or a schema is malformed.
pub(in crate::compare) fn parts<'a>(
    plan: &Plan<'a>,
    schemas: &Schemas<'a>,
    with_sensitive: bool,
    arena: &'a Bump,
) -> Result<BTreeMap<Part, Content>, Error> {
    let configuration = configuration(plan)?;
    let marks = Bump::new();
    let applied = Applied::new(plan, &marks)?;
    parts_of(
        (plan, &*configuration),
        &applied,
        schemas,
        with_sensitive,
        arena,
    )
}

/// Returns the configuration of a plan; empty if it has none.
///
/// # Errors
/// If it cannot be read: then nothing proves what runs.
pub(super) fn configuration<'p, 'a>(
    plan: &'p Plan<'a>,
) -> Result<Cow<'p, Configuration<'a>>, Error> {
    plan.checked_configuration().map_err(Error::Configuration)
}

/// Returns the parts that decide what an apply does with the configuration of a plan. The apply may be that of another
/// plan, so that two configurations are compared for the same changes.
///
/// # Errors
/// If a value, an expression or a schema is malformed.
pub(super) fn parts_of<'c, 'a: 'c>(
    (configured, configuration): (&'c Plan<'a>, &'c Configuration<'a>),
    applied: &Applied<'_, 'a>,
    schemas: &Schemas<'a>,
    with_sensitive: bool,
    arena: &'a Bump,
) -> Result<BTreeMap<Part, Content>, Error> {
    let scratch = Bump::new();
    let mut reader = PartReader {
        configured,
        configuration,
        providers: configuration
            .provider_configs()
            .map_err(Error::Configuration)?,
        expressions: Expressions::new(configured, configuration, with_sensitive, &scratch)?,
        schemas,
        with_sensitive,
        arena,
        by_address: None,
        contents: BTreeMap::new(),
    };
    for (key, effects) in &applied.effects {
        reader.add_resource(key, effects)?;
        reader.add_unseen_arguments(key, effects, applied.unknown.get(key))?;
    }
    if !applied.effects.is_empty() {
        reader.add_ephemeral()?;
    }
    for name in &applied.unknown_outputs {
        reader.add_unknown_output(name)?;
    }
    reader.add_providers(applied.changes)?;
    Ok(reader.contents)
}

/// The changes of a plan, by address and deposed key.
type ByAddress<'c, 'a> = HashMap<(&'c str, &'c str), &'c ResourceChange<'a>>;

/// Collects the parts that decide an apply from the configuration of a plan.
struct PartReader<'c, 'a> {
    /// The plan that the configuration is from.
    configured: &'c Plan<'a>,
    /// The configuration of `configured`.
    configuration: &'c Configuration<'a>,
    /// The provider configurations, by key.
    providers: Pairs<'a, ProviderConfig<'a>>,
    /// The expressions of the configuration, with their hashes.
    expressions: Expressions<'c, 'a>,
    /// The schemas of the providers.
    schemas: &'c Schemas<'a>,
    /// Whether sensitive constants are hashed.
    with_sensitive: bool,
    /// The arena that receives what is read.
    arena: &'a Bump,
    /// The changes of `configured`, which are indexed when they are first needed.
    by_address: Option<ByAddress<'c, 'a>>,
    /// The parts that have been collected.
    contents: BTreeMap<Part, Content>,
}

impl<'c, 'a> PartReader<'c, 'a> {
    /// Adds the provider configuration and the provisioners of a block. Adds nothing if the configuration does not have
    /// the block.
    fn add_resource(&mut self, key: &BlockKey<'_>, effects: &Effects<'_, 'a>) -> Result<(), Error> {
        let configuration = self.configuration;
        let Some(module) = configuration.module_of(&key.module) else {
            return Ok(());
        };
        let blocks = configuration.blocks(module, key.resource_type, key.name);
        if blocks.is_empty() {
            return Ok(());
        }
        self.add_provider_of(key, blocks);
        self.add_provisioners(key, effects, blocks, module)
    }

    /// Adds which provider configurations the objects of a block use.
    fn add_provider_of(&mut self, key: &BlockKey<'_>, blocks: &[ConfiguredBlock<'a>]) {
        let keys: BTreeSet<&str> = blocks
            .iter()
            .map(|block| &*block.provider_config_key)
            .filter(|key| !key.is_empty())
            .collect();
        let mut hashing = Hashing::new(self.with_sensitive);
        for key in &keys {
            // An instance of a provider configuration with `for_each` has a key in brackets.
            let configured = key.split('[').next().unwrap_or_default();
            let is_known = self.providers.contains_key(configured);
            hashing.canon.text(key);
            hashing.canon.tag(if is_known { b'T' } else { b'F' });
            // A configuration without an alias need not be written in the configuration; one with an alias must be.
            let name = configured.rsplit(':').next().unwrap_or_default();
            if !is_known && name.contains('.') {
                hashing.add_unproven(Some(format!("the provider configuration {key}")));
            }
        }
        if keys.is_empty() {
            return;
        }
        let part = Part {
            kind: PartKind::ProviderOfResource,
            address: key.address(),
        };
        let keys: Vec<&str> = keys.into_iter().collect();
        let content = Content {
            hashed: hashing.finish(),
            keys: keys.join(", "),
        };
        self.contents.insert(part, content);
    }

    /// Adds the provisioners that run when objects of a block are created or destroyed.
    fn add_provisioners(
        &mut self,
        key: &BlockKey<'_>,
        effects: &Effects<'_, 'a>,
        blocks: &[ConfiguredBlock<'a>],
        module: ModuleId,
    ) -> Result<(), Error> {
        if !effects.creates && !effects.destroys {
            return Ok(());
        }
        let mut hashing = Hashing::new(self.with_sensitive);
        let mut count = 0;
        for block in blocks {
            let Some(raw) = block.provisioners else {
                continue;
            };
            let scope = Scope {
                repetition: block.repetition,
                needs_text: true,
                ..Scope::of_module(module)
            };
            let list = self.expressions.parse(raw)?;
            // What is not a list counts as one provisioner.
            for provisioner in list.as_array().unwrap_or(&[list]) {
                if !may_run(*provisioner, effects) {
                    continue;
                }
                count += 1;
                self.expressions
                    .write(&mut hashing, *provisioner, Position::Inferred, scope)?;
                // The JSON of the tools does not have the connections of provisioners.
                let is_local = provisioner.get("type") == Some(Value::String("local-exec"));
                if !is_local && !self.expressions.has_texts() {
                    hashing.add_unproven(Some("the connection of a provisioner".to_owned()));
                }
            }
        }
        if count == 0 {
            return Ok(());
        }
        self.write_own_attributes(&mut hashing, effects)?;
        let part = Part {
            kind: PartKind::Provisioners,
            address: key.address(),
        };
        self.contents.insert(part, Content::new(hashing.finish()));
        Ok(())
    }

    /// Adds the arguments whose values the plan does not show: those that are known after apply, and those that are null
    /// in it, because the value of a write-only argument is in no plan. What they refer to decides these values. As much
    /// as the document has of them is compared.
    fn add_unseen_arguments(
        &mut self,
        key: &BlockKey<'_>,
        effects: &Effects<'_, 'a>,
        unknown: Option<&BTreeMap<&str, UnknownOf<'_, 'a>>>,
    ) -> Result<(), Error> {
        let mut hashing = Hashing::new(self.with_sensitive);
        let mut is_empty = true;
        let mut modes: BTreeMap<&str, Example<'_, 'a>> = BTreeMap::new();
        for (mode, of) in unknown.into_iter().flatten() {
            modes.insert(mode, of.example);
        }
        for change in &effects.made {
            modes
                .entry(&change.mode)
                .or_insert(Example::Resource(change));
        }
        for (mode, example) in modes {
            let Some((arguments, scope)) = self.arguments(key, mode)? else {
                continue;
            };
            let scratch = Bump::new();
            let mut unseen = Unseen::default();
            for change in effects.made.iter().filter(|change| *change.mode == *mode) {
                let after = Raw::value_or_null(change.change.after, &scratch)?;
                unseen.add(arguments, after, &mut Vec::new());
            }
            let names = unknown
                .and_then(|unknown| unknown.get(mode))
                .map(|of| &of.names);
            let position = match example {
                Example::Resource(change) => {
                    Positions::new(self.schemas, self.arena).position(change)?
                }
                Example::Action(action) => {
                    Positions::new(self.schemas, self.arena).action(action)?
                }
            };
            for name in names.into_iter().flatten() {
                let Some(argument) = arguments.get(name) else {
                    continue;
                };
                is_empty = false;
                hashing.canon.text(mode);
                hashing.canon.text(name);
                let position = position.member(name);
                self.expressions
                    .write(&mut hashing, argument, position, scope)?;
            }
            for path in &unseen.paths {
                // It is a part of an argument that is written above.
                let is_written =
                    |name: &&str| path.first() == Some(&Step::Name((*name).to_owned()));
                if names.into_iter().flatten().any(is_written) {
                    continue;
                }
                let (mut expression, mut position) = (arguments, position);
                hashing.canon.text(mode);
                for step in path {
                    match step {
                        Step::Name(name) => {
                            hashing.canon.text(name);
                            position = position.member(name);
                            expression = expression.get(name).unwrap_or_default();
                        }
                        Step::Index(index) => {
                            hashing.canon.number(*index as u64);
                            position = position.element(*index);
                            let items = expression.as_array().unwrap_or_default();
                            expression = items.get(*index).copied().unwrap_or_default();
                        }
                    }
                }
                is_empty = false;
                self.expressions
                    .write(&mut hashing, expression, position, scope)?;
            }
        }
        if is_empty {
            return Ok(());
        }
        let kind = match key.is_action {
            true => PartKind::UnknownConfiguration,
            false => PartKind::UnknownArguments,
        };
        self.add_unknown_part(kind, key.address(), hashing);
        Ok(())
    }

    /// Adds the ephemeral resources with their arguments: an apply opens them again, and no plan has their values.
    fn add_ephemeral(&mut self) -> Result<(), Error> {
        let configuration = self.configuration;
        for (module, mode, kind, name) in configuration.resources() {
            if mode != "ephemeral" {
                continue;
            }
            let blocks = configuration.blocks(module, kind, name);
            let Some(block) = blocks.iter().find(|block| &*block.mode == mode) else {
                continue;
            };
            let arguments = block
                .argument_texts
                .or_else(|| configuration.resource(module, mode, kind, name));
            let Some(arguments) = arguments else {
                continue;
            };
            let scope = Scope {
                repetition: block.repetition,
                ..Scope::of_module(module)
            };
            let mut hashing = Hashing::new(self.with_sensitive);
            hashing.canon.text(&block.provider_config_key);
            let value = self.expressions.parse(arguments)?;
            self.expressions
                .write(&mut hashing, value, Position::Inferred, scope)?;
            let mut address = configuration.address(module);
            if !address.is_empty() {
                address.push('.');
            }
            address.push_str(&format!("ephemeral.{kind}.{name}"));
            self.add_unknown_part(PartKind::Ephemeral, address, hashing);
        }
        Ok(())
    }

    /// Adds the expression of an output of the root module whose value is known after apply.
    fn add_unknown_output(&mut self, name: &str) -> Result<(), Error> {
        let Some(expression) = self.configuration.root_output(name) else {
            return Ok(());
        };
        let scope = Scope {
            is_secret: self.configuration.is_sensitive_root_output(name),
            ..Scope::of_module(ModuleId::ROOT)
        };
        let mut hashing = Hashing::new(self.with_sensitive);
        let value = self.expressions.parse(expression)?;
        self.expressions
            .write(&mut hashing, value, Position::Inferred, scope)?;
        self.add_unknown_part(PartKind::UnknownOutput, name.to_owned(), hashing);
        Ok(())
    }

    /// Adds the part of a value that the plan does not show. In JSON it is never called unproven: the JSON of a plan has
    /// no local values and no text of an expression, so that no two plans would ever be the same.
    fn add_unknown_part(&mut self, kind: PartKind, address: String, hashing: Hashing) {
        let mut hashed = hashing.finish();
        if !self.expressions.has_texts() {
            hashed.unproven = None;
        }
        let part = Part { kind, address };
        self.contents.insert(part, Content::new(hashed));
    }

    /// Returns the arguments of a block in the configuration, and the scope of the names in them; `None` if the
    /// configuration does not have them.
    fn arguments(
        &self,
        key: &BlockKey<'_>,
        mode: &str,
    ) -> Result<Option<(Value<'c>, Scope<'c>)>, Error> {
        let configuration = self.configuration;
        let Some(module) = configuration.module_of(&key.module) else {
            return Ok(None);
        };
        let blocks = configuration.blocks(module, key.resource_type, key.name);
        let block = blocks.iter().find(|block| *block.mode == *mode);
        let texts = block.and_then(|block| block.argument_texts);
        let Some(raw) =
            texts.or_else(|| configuration.resource(module, mode, key.resource_type, key.name))
        else {
            return Ok(None);
        };
        let scope = Scope {
            repetition: block.and_then(|block| block.repetition),
            ..Scope::of_module(module)
        };
        Ok(Some((self.expressions.parse(raw)?, scope)))
    }

    /// Hashes the attributes of destroyed objects that provisioners use as `self`. For created objects, all values are
    /// compared anyway.
    fn write_own_attributes(
        &mut self,
        hashing: &mut Hashing,
        effects: &Effects<'_, 'a>,
    ) -> Result<(), Error> {
        let names = std::mem::take(&mut hashing.self_attributes);
        if names.is_empty() || effects.destroyed.is_empty() {
            return Ok(());
        }
        let configured = self.configured;
        let by_address = self.by_address.get_or_insert_with(|| {
            let changes = configured.resource_changes.iter();
            changes
                .map(|change| ((&*change.address, &*change.deposed), change))
                .collect()
        });
        let positions = Positions::new(self.schemas, self.arena);
        let hasher = RandomState::default();
        for destroyed in &effects.destroyed {
            let key = (&*destroyed.address, &*destroyed.deposed);
            hashing.canon.text(key.0);
            hashing.canon.text(key.1);
            let Some(configured) = by_address.get(&key) else {
                continue;
            };
            let position = positions.position(configured)?;
            let scratch = Bump::new();
            let build = Builder::new(&scratch, &hasher);
            let sides = Sides::read(&configured.change, position, build)?.hiding_each_other(build);
            for name in &names {
                let (value, position) = match name.is_empty() {
                    true => (Some(sides.before), position),
                    false => (sides.before.get(name), position.member(name)),
                };
                hashing.canon.text(name);
                match value {
                    Some(value) => hashing.canon.value(value, position),
                    None => hashing.canon.tag(b'N'),
                }
            }
        }
        Ok(())
    }

    /// Adds the arguments of each provider configuration that a change or an action of `changes` uses.
    fn add_providers(&mut self, changes: &Plan<'a>) -> Result<(), Error> {
        let mut used: BTreeSet<&str> = changes
            .actions()
            .map(|action| &*action.provider_name)
            .collect();
        for change in &changes.resource_changes {
            if !change.has_no_effect() {
                used.insert(&change.provider_name);
            }
        }
        let mut used_keys: BTreeSet<&str> = BTreeSet::new();
        if !used.is_empty() {
            let configuration = self.configuration;
            for (module, mode, kind, name) in configuration.resources() {
                if mode == "ephemeral" {
                    let blocks = configuration.blocks(module, kind, name).iter();
                    used_keys.extend(blocks.map(|block| &*block.provider_config_key));
                }
            }
        }
        let providers = std::mem::take(&mut self.providers);
        for (key, config) in providers.iter() {
            let is_used = is_used(&used, config.source()) || used_keys.contains(&**key);
            let (Some(raw), true) = (config.expressions, is_used) else {
                continue;
            };
            let position = self
                .schemas
                .provider_configuration(config.source(), self.arena)?;
            let position = position.map_or(Position::Inferred, Position::BuiltIn);
            let module = self.configuration.module(module_of(key, config));
            let scope = Scope::of_module(module.unwrap_or_default());
            let mut hashing = Hashing::new(self.with_sensitive);
            let value = self.expressions.parse(raw)?;
            self.expressions
                .write(&mut hashing, value, position, scope)?;
            let part = Part {
                kind: PartKind::Provider,
                address: key.to_string(),
            };
            self.contents.insert(part, Content::new(hashing.finish()));
        }
        Ok(())
    }
}

/// A step from an object of expressions to one of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Name(String),
    Index(usize),
}

/// The expressions of a block whose values are not in the plan.
#[derive(Default)]
struct Unseen {
    /// The way to each of them, from the arguments of the block on.
    paths: BTreeSet<Vec<Step>>,
}

impl Unseen {
    /// Adds the expressions in `expression` for which the value after a change has nothing or null. `path` leads to the
    /// expression.
    fn add(&mut self, expression: Value<'_>, value: Value<'_>, path: &mut Vec<Step>) {
        if is_expression(expression) {
            if value.is_null() {
                self.paths.insert(path.clone());
            }
            return;
        }
        match expression {
            Value::Array(items) => {
                // The elements of a set are in another order than its blocks. What any element lacks may be what a block
                // gives.
                let values = value.as_array().unwrap_or_default();
                for (index, item) in items.iter().enumerate() {
                    path.push(Step::Index(index));
                    for value in values {
                        self.add(*item, *value, path);
                    }
                    if values.is_empty() {
                        self.add(*item, Value::Null, path);
                    }
                    path.pop();
                }
            }
            Value::Object(object) => {
                // A block that occurs once at most is a list in the values of some providers, and none in others.
                let value = match value.as_array() {
                    Some([only]) => *only,
                    Some(_) | None => value,
                };
                for (name, member) in object.members() {
                    path.push(Step::Name((*name).to_owned()));
                    self.add(*member, value.get(name).unwrap_or_default(), path);
                    path.pop();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Whether an object is one expression, and not a block of several.
fn is_expression(value: Value<'_>) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    object
        .members()
        .iter()
        .all(|(name, _)| matches!(*name, "constant_value" | "references" | "text"))
}

/// Returns the address of the module of a provider configuration: `module.a` for the key `module.a:aws.east`.
fn module_of<'p>(key: &'p str, config: &'p ProviderConfig<'_>) -> &'p str {
    if !config.module_address.is_empty() {
        return &config.module_address;
    }
    key.rsplit_once(':').map_or("", |(module, _)| module)
}

/// Whether a provisioner may run, according to its `when`. The tools do not write it in the JSON; without it, the
/// provisioner may run at creation or destruction.
fn may_run(provisioner: Value<'_>, effects: &Effects<'_, '_>) -> bool {
    match provisioner.get("when") {
        Some(Value::String("destroy")) => effects.destroys,
        Some(Value::String("create")) => effects.creates,
        Some(_) | None => true,
    }
}

/// Whether a change uses the provider. Old plans have only the local name of a provider instead of its source address,
/// and a change without the name of its provider may use any of them.
fn is_used(used: &BTreeSet<&str>, source: &str) -> bool {
    used.contains(source)
        || (!source.contains('/')
            && used
                .iter()
                .any(|name| name.rsplit('/').next() == Some(source)))
        || used.contains("")
}

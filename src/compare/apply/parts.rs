//! Reads the parts that decide an apply from the configuration of a plan, and hashes them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;
use foldhash::HashMap;
use foldhash::fast::RandomState;

use super::effects::{Applied, BlockKey, Effects, Example, UnknownOf};
use super::expressions::{Expressions, Hashed, Hashing, Scope};
use super::{Content, Part, PartKind};
use crate::diff::Error;
use crate::diff::edits::{Positions, Sides};
use crate::diff::value::Builder;
use crate::json::{Pairs, Value};
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
pub(super) fn parts_of<'a>(
    (configured, configuration): (&Plan<'a>, &Configuration<'a>),
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
        if let Some(modes) = applied.unknown.get(key) {
            reader.add_unknown_arguments(key, modes)?;
        }
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

    /// Adds the arguments whose values are known after apply: what they refer to decides these values. As much as the
    /// document has of them is compared, which is neither the local values nor the text of an expression.
    fn add_unknown_arguments(
        &mut self,
        key: &BlockKey<'_>,
        modes: &BTreeMap<&str, UnknownOf<'_, 'a>>,
    ) -> Result<(), Error> {
        let mut hashing = Hashing::new(self.with_sensitive);
        let mut is_empty = true;
        for (mode, unknown) in modes {
            let positions = Positions::new(self.schemas, self.arena);
            let position = match unknown.example {
                Example::Resource(change) => positions.position(change)?,
                Example::Action(action) => positions.action(action)?,
            };
            let Some((arguments, scope)) = self.arguments(key, mode)? else {
                continue;
            };
            for name in &unknown.names {
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

    /// Adds the part of a value that is known after apply. It is never called unproven, because no document has the
    /// whole expression of such a value.
    fn add_unknown_part(&mut self, kind: PartKind, address: String, hashing: Hashing) {
        let hashed = Hashed {
            unproven: None,
            ..hashing.finish()
        };
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
        let Some(raw) = configuration.resource(module, mode, key.resource_type, key.name) else {
            return Ok(None);
        };
        let blocks = configuration.blocks(module, key.resource_type, key.name);
        let block = blocks.iter().find(|block| *block.mode == *mode);
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
            let Some(own) = by_address.get(&key) else {
                continue;
            };
            let position = positions.position(own)?;
            let scratch = Bump::new();
            let build = Builder::new(&scratch, &hasher);
            let sides = Sides::read(&own.change, position, build)?.hiding_each_other(build);
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
        let providers = std::mem::take(&mut self.providers);
        for (key, config) in providers.iter() {
            let (Some(raw), true) = (config.expressions, is_used(&used, config.source())) else {
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

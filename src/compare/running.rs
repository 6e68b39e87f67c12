//! What decides an apply besides the changes themselves: the provisioners of what it creates, replaces or
//! destroys, the provider configuration that each object uses, the arguments of these configurations, and what
//! values that are known after apply are made of.
//!
//! The `configuration` of a plan has no marks, so what its constants hold is never shown. In a hash that is
//! shown, constants are left out if the provider's schema calls them sensitive, or if their name suggests
//! that they are.

mod expressions;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;
use foldhash::HashMap;
use foldhash::fast::RandomState;

use self::expressions::{Expressions, Hashed, Hashing, Scope};
use super::fingerprint::planning_digest;
use super::{Class, Difference, DifferenceKind, Property, Side, Subject};
use crate::diff::Error;
use crate::diff::edits::{Positions, Sides};
use crate::diff::value::Builder;
use crate::json::{Pairs, Raw, Value};
use crate::model::Action;
use crate::model::configuration::{self, Configuration, ConfiguredBlock, Place, ProviderConfig};
use crate::model::plan::{Plan, ResourceChange};
use crate::review::names;
use crate::schema::{Position, Schemas, infer};

/// Something of the configuration that decides what an apply does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The key of the provider configuration, or the address of the resource or action without instance keys.
    pub(super) address: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartKind {
    /// The arguments of a provider configuration.
    Provider,
    /// The provider configuration that the objects of a resource use.
    ProviderOfResource,
    Provisioners,
    /// The arguments of a resource whose values are known after apply.
    UnknownArguments,
}

impl PartKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::ProviderOfResource => "provider of resource",
            Self::Provisioners => "provisioners",
            Self::UnknownArguments => "unknown arguments",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) hashed: Hashed,
    /// For [`PartKind::ProviderOfResource`]: the keys, which may be shown.
    keys: String,
}

impl Content {
    fn new(hashed: Hashed) -> Self {
        Self {
            hashed,
            keys: String::new(),
        }
    }
}

/// A block of the configuration for whose objects an apply does something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Touched<'p> {
    module: Vec<String>,
    is_action: bool,
    resource_type: &'p str,
    name: &'p str,
}

impl<'p> Touched<'p> {
    fn by(change: &'p ResourceChange<'_>) -> Self {
        Self {
            module: configuration::calls(&change.module_address),
            is_action: false,
            resource_type: &change.resource_type,
            name: &change.name,
        }
    }

    fn address(&self) -> String {
        let mut address = String::new();
        for name in &self.module {
            address.push_str(&format!("module.{name}."));
        }
        if self.is_action {
            address.push_str("action.");
        }
        address + &format!("{}.{}", self.resource_type, self.name)
    }
}

#[derive(Clone, Debug, Default)]
struct Doings<'p, 'a> {
    creates: bool,
    destroys: bool,
    destroyed: Vec<&'p ResourceChange<'a>>,
}

/// The blocks for whose objects `plan` does something, and what it does to these.
fn touched<'p, 'a>(plan: &'p Plan<'a>) -> BTreeMap<Touched<'p>, Doings<'p, 'a>> {
    let mut found: BTreeMap<Touched<'p>, Doings<'p, 'a>> = BTreeMap::new();
    for change in plan
        .resource_changes
        .iter()
        .filter(|change| !change.is_silent())
    {
        let doings = found.entry(Touched::by(change)).or_default();
        let actions = &change.change.actions;
        doings.creates |= runs_when_created(actions);
        if actions.may_destroy() {
            doings.destroys = true;
            doings.destroyed.push(change);
        }
    }
    for action in plan.actions() {
        let module = action.address.split("action.").next().unwrap_or_default();
        let key = Touched {
            module: configuration::calls(module.trim_end_matches('.')),
            is_action: true,
            resource_type: &action.action_type,
            name: &action.name,
        };
        found.entry(key).or_default();
    }
    found
}

/// The attributes that are unknown, also in part, in a plan: by block and mode, with an object that has the layout of all.
type Unknown<'p, 'a> = BTreeMap<Touched<'p>, BTreeMap<&'p str, UnknownOf<'p, 'a>>>;
type UnknownOf<'p, 'a> = (&'p ResourceChange<'a>, BTreeSet<&'p str>);

fn add_unknown<'p, 'a>(
    plan: &'p Plan<'a>,
    arena: &'p Bump,
    found: &mut Unknown<'p, 'a>,
) -> Result<(), Error> {
    for change in plan
        .resource_changes
        .iter()
        .filter(|change| !change.is_silent())
    {
        let unknown = Raw::marks_or_null(change.change.after_unknown, arena)?;
        let members = unknown.as_object().map(|all| all.members());
        let names = members.unwrap_or_default().iter();
        let names: Vec<&str> = names
            .filter(|(_, mark)| mark.has_true())
            .map(|(name, _)| *name)
            .collect();
        if !names.is_empty() {
            let modes = found.entry(Touched::by(change)).or_default();
            let entry = modes.entry(&change.mode);
            let (_, known) = entry.or_insert_with(|| (change, BTreeSet::new()));
            known.extend(names);
        }
    }
    Ok(())
}

fn runs_when_created(action: &Action) -> bool {
    action.makes_whole_object() && !matches!(action, Action::Read | Action::Open)
}

/// What an apply does, and what is known of it only then.
struct Applied<'p, 'a> {
    changes: &'p Plan<'a>,
    touched: BTreeMap<Touched<'p>, Doings<'p, 'a>>,
    unknown: Unknown<'p, 'a>,
}

impl<'p, 'a> Applied<'p, 'a> {
    fn new(changes: &'p Plan<'a>, arena: &'p Bump) -> Result<Self, Error> {
        let mut unknown = Unknown::new();
        add_unknown(changes, arena, &mut unknown)?;
        Ok(Self {
            changes,
            touched: touched(changes),
            unknown,
        })
    }
}

/// The parts that decide what applying a plan does.
///
/// # Errors
/// If a value or a schema is malformed.
pub(super) fn parts<'a>(
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

fn configuration<'p, 'a>(plan: &'p Plan<'a>) -> Result<Cow<'p, Configuration<'a>>, Error> {
    plan.checked_configuration().map_err(Error::Configuration)
}

/// The parts that decide what an apply does with the configuration of a plan, which may be that of another one.
fn parts_of<'a>(
    (configured, configuration): (&Plan<'a>, &Configuration<'a>),
    applied: &Applied<'_, 'a>,
    schemas: &Schemas<'a>,
    with_sensitive: bool,
    arena: &'a Bump,
) -> Result<BTreeMap<Part, Content>, Error> {
    let scratch = Bump::new();
    let mut reader = Reader {
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
        found: BTreeMap::new(),
    };
    for (key, doings) in &applied.touched {
        reader.add_resource(key, doings)?;
        if let Some(modes) = applied.unknown.get(key) {
            reader.add_unknown_arguments(key, modes)?;
        }
    }
    reader.add_providers(applied.changes)?;
    Ok(reader.found)
}

type ByAddress<'c, 'a> = HashMap<(&'c str, &'c str), &'c ResourceChange<'a>>;

struct Reader<'c, 'a> {
    configured: &'c Plan<'a>,
    configuration: &'c Configuration<'a>,
    providers: Pairs<'a, ProviderConfig<'a>>,
    expressions: Expressions<'c, 'a>,
    schemas: &'c Schemas<'a>,
    with_sensitive: bool,
    arena: &'a Bump,
    /// The changes of `configured`, by address and deposed key.
    by_address: Option<ByAddress<'c, 'a>>,
    found: BTreeMap<Part, Content>,
}

impl<'c, 'a> Reader<'c, 'a> {
    fn add_resource(&mut self, key: &Touched<'_>, doings: &Doings<'_, 'a>) -> Result<(), Error> {
        let configuration = self.configuration;
        let Some(module) = configuration.module_of(&key.module) else {
            return Ok(());
        };
        let all: &[ConfiguredBlock<'a>] = {
            let (kind, name) = (key.resource_type, key.name);
            configuration.blocks(module, kind, name)
        };
        if all.is_empty() {
            return Ok(());
        }
        self.add_provider_of(key, all);
        self.add_provisioners(key, doings, all, module)
    }

    fn add_provider_of(&mut self, key: &Touched<'_>, blocks: &[ConfiguredBlock<'a>]) {
        let keys: BTreeSet<&str> = blocks
            .iter()
            .map(|block| &*block.provider_config_key)
            .filter(|key| !key.is_empty())
            .collect();
        let mut hashing = Hashing::new(self.with_sensitive);
        for key in &keys {
            // An instance of a provider with `for_each` has a key in brackets.
            let configured = key.split('[').next().unwrap_or_default();
            let is_known = self.providers.contains_key(configured);
            hashing.canon.text(key);
            hashing.canon.tag(if is_known { b'T' } else { b'F' });
            // A configuration without an alias need not be written, one with an alias must be.
            let name = configured.rsplit(':').next().unwrap_or_default();
            if !is_known && name.contains('.') {
                hashing.doubt(Some(format!("the provider configuration {key}")));
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
        self.found.insert(part, content);
    }

    fn add_provisioners(
        &mut self,
        key: &Touched<'_>,
        doings: &Doings<'_, 'a>,
        blocks: &[ConfiguredBlock<'a>],
        module: Place,
    ) -> Result<(), Error> {
        if !doings.creates && !doings.destroys {
            return Ok(());
        }
        let mut hashing = Hashing::new(self.with_sensitive);
        let mut count = 0;
        for block in blocks {
            let Some(raw) = block.provisioners else {
                continue;
            };
            let scope = Scope {
                module,
                repetition: block.repetition,
                is_secret: false,
                needs_text: true,
            };
            let list = self.expressions.parse(raw)?;
            // What is not a list counts as one provisioner.
            for provisioner in list.as_array().unwrap_or(&[list]) {
                if !may_run(*provisioner, doings) {
                    continue;
                }
                count += 1;
                self.expressions
                    .write(&mut hashing, *provisioner, Position::Inferred, scope)?;
                // The JSON of the tools has no connections.
                let is_local = provisioner.get("type") == Some(Value::String("local-exec"));
                if !is_local && !self.expressions.has_texts() {
                    hashing.doubt(Some("the connection of a provisioner".to_owned()));
                }
            }
        }
        if count == 0 {
            return Ok(());
        }
        self.write_own_attributes(&mut hashing, doings)?;
        let part = Part {
            kind: PartKind::Provisioners,
            address: key.address(),
        };
        self.found.insert(part, Content::new(hashing.finish()));
        Ok(())
    }

    /// What the arguments refer to decides their values. The JSON of a plan has neither local values nor the text of an
    /// expression; what it has is compared.
    fn add_unknown_arguments(
        &mut self,
        key: &Touched<'_>,
        modes: &BTreeMap<&str, UnknownOf<'_, 'a>>,
    ) -> Result<(), Error> {
        let mut hashing = Hashing::new(self.with_sensitive);
        let mut is_empty = true;
        for (mode, (change, names)) in modes {
            let position = Positions::new(self.schemas, self.arena).position(change)?;
            let Some((arguments, scope)) = self.arguments(key, mode)? else {
                continue;
            };
            for name in names {
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
        let part = Part {
            kind: PartKind::UnknownArguments,
            address: key.address(),
        };
        let hashed = Hashed {
            unproven: None,
            ..hashing.finish()
        };
        self.found.insert(part, Content::new(hashed));
        Ok(())
    }

    fn arguments(
        &self,
        key: &Touched<'_>,
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
            module,
            repetition: block.and_then(|block| block.repetition),
            is_secret: false,
            needs_text: false,
        };
        Ok(Some((self.expressions.parse(raw)?, scope)))
    }

    /// Adds what provisioners take from objects that are destroyed. Of objects that are created, all values are
    /// compared.
    fn write_own_attributes(
        &mut self,
        hashing: &mut Hashing,
        doings: &Doings<'_, 'a>,
    ) -> Result<(), Error> {
        let names = std::mem::take(&mut hashing.own_attributes);
        if names.is_empty() || doings.destroyed.is_empty() {
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
        for destroyed in &doings.destroyed {
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

    fn add_providers(&mut self, changes: &Plan<'a>) -> Result<(), Error> {
        let mut used: BTreeSet<&str> = changes
            .actions()
            .map(|action| &*action.provider_name)
            .collect();
        for change in &changes.resource_changes {
            if !change.is_silent() {
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
            let scope = Scope {
                module: self.configuration.module(module_of(key, config)).flatten(),
                repetition: None,
                is_secret: false,
                needs_text: false,
            };
            let mut hashing = Hashing::new(self.with_sensitive);
            let value = self.expressions.parse(raw)?;
            self.expressions
                .write(&mut hashing, value, position, scope)?;
            let part = Part {
                kind: PartKind::Provider,
                address: key.to_string(),
            };
            self.found.insert(part, Content::new(hashing.finish()));
        }
        Ok(())
    }
}

/// The address of the module of a provider configuration: `module.a` for `module.a:aws.east`.
fn module_of<'p>(key: &'p str, config: &'p ProviderConfig<'_>) -> &'p str {
    if !config.module_address.is_empty() {
        return &config.module_address;
    }
    key.rsplit_once(':').map_or("", |(module, _)| module)
}

/// The tools write no `when`: then a provisioner may run at any of these times.
fn may_run(provisioner: Value<'_>, doings: &Doings<'_, '_>) -> bool {
    match provisioner.get("when") {
        Some(Value::String("destroy")) => doings.destroys,
        Some(Value::String("create")) => doings.creates,
        Some(_) | None => true,
    }
}

/// Old plans have only the local name of a provider.
fn is_used(used: &BTreeSet<&str>, source: &str) -> bool {
    used.contains(source)
        || (!source.contains('/')
            && used
                .iter()
                .any(|name| name.rsplit('/').next() == Some(source)))
        || used.contains("")
}

/// Provisioners have no schema in a plan, and environments any names.
fn may_be_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    infer::is_sensitive_name(&name)
        || names::PARTS_OF_SECRET_ARGUMENTS
            .iter()
            .any(|part| name.contains(part))
}

/// The differences of what decides an apply. Nothing of the content of what runs is shown.
///
/// # Errors
/// If a value or a schema is malformed.
pub(super) fn differences<'a>(
    approved: &Side<'_, 'a>,
    now: &Side<'_, 'a>,
    arena: &'a Bump,
) -> Result<Vec<Difference<'a>>, Error> {
    let (old_plan, new_plan) = (approved.plan, now.plan);
    if approved.text == now.text {
        return Ok(Vec::new());
    }
    let marks = Bump::new();
    let mut applied = Applied::new(new_plan, &marks)?;
    if applied.touched.is_empty() {
        return Ok(Vec::new());
    }
    if old_plan.configuration.is_some() != new_plan.configuration.is_some() {
        let why = "only one of the plans has a configuration: what its apply runs, and with which \
                   providers, is unknown";
        return Ok(vec![unproven(
            Subject::Plan,
            "",
            Property::Configuration,
            why,
        )]);
    }
    add_unknown(old_plan, &marks, &mut applied.unknown)?;
    let parts = |configuration, Side { plan, schemas, .. }: &Side<'_, 'a>| {
        parts_of((*plan, configuration), &applied, schemas, true, arena)
    };
    let old_configuration = configuration(old_plan)?;
    let mut old = parts(&old_configuration, approved)?;
    // Mostly both plans are of the same configuration, which is long and need not be read again.
    let new = if old_plan.configuration == new_plan.configuration {
        parts(&old_configuration, now)?
    } else {
        parts(&*configuration(new_plan)?, now)?
    };
    let known: BTreeSet<String> = touched(old_plan)
        .into_keys()
        .map(|key| key.address())
        .collect();
    let mut is_same_planning = None;
    let mut found = Vec::new();
    for (part, content) in new {
        let before = old.remove(&part);
        // The address is only in the new plan, where its change is a difference.
        let is_of_resource = match part.kind {
            PartKind::ProviderOfResource | PartKind::UnknownArguments => true,
            PartKind::Provider | PartKind::Provisioners => false,
        };
        let is_new = is_of_resource && !known.contains(&part.address);
        let is_same = before
            .as_ref()
            .is_some_and(|before| before.hashed.digest == content.hashed.digest);
        if !is_same {
            if !is_new {
                found.push(other_part(
                    Class::Action,
                    &part,
                    before,
                    Some(content),
                    arena,
                ));
            }
            continue;
        }
        let doubt = before.and_then(|before| before.hashed.unproven);
        let Some(missing) = content.hashed.unproven.or(doubt) else {
            continue;
        };
        let is_same_planning = *is_same_planning.get_or_insert_with(|| {
            planning_digest(old_plan, true)
                .is_some_and(|digest| Some(digest) == planning_digest(new_plan, true))
        });
        if !is_same_planning {
            let (subject, property) = subject_of(part.kind);
            let why = format!("the plan does not hold {missing}");
            found.push(unproven(
                subject,
                arena.alloc_str(&part.address),
                property,
                &why,
            ));
        }
    }
    for (part, content) in old {
        // Without arguments or a block, a provider takes its configuration from elsewhere.
        let class = match part.kind {
            PartKind::Provider | PartKind::ProviderOfResource | PartKind::UnknownArguments => {
                Class::Action
            }
            PartKind::Provisioners => Class::Less,
        };
        found.push(other_part(class, &part, Some(content), None, arena));
    }
    Ok(found)
}

fn subject_of(kind: PartKind) -> (Subject, Property) {
    match kind {
        PartKind::Provider => (Subject::ProviderConfiguration, Property::Arguments),
        PartKind::ProviderOfResource => (Subject::Resource, Property::ProviderConfiguration),
        PartKind::Provisioners => (Subject::Resource, Property::Provisioners),
        PartKind::UnknownArguments => (Subject::Resource, Property::Arguments),
    }
}

fn other_part<'a>(
    class: Class,
    part: &Part,
    approved: Option<Content>,
    now: Option<Content>,
    arena: &'a Bump,
) -> Difference<'a> {
    let (subject, property) = subject_of(part.kind);
    let keys = |content: Option<Content>| {
        content
            .map(|content| content.keys)
            .filter(|keys| !keys.is_empty())
    };
    let what = DifferenceKind::Property {
        property,
        approved: keys(approved),
        now: keys(now),
    };
    Difference {
        class,
        subject,
        address: arena.alloc_str(&part.address),
        deposed: "",
        what,
    }
}

fn unproven<'a>(
    subject: Subject,
    address: &'a str,
    property: Property,
    why: &str,
) -> Difference<'a> {
    Difference {
        class: Class::Unproven,
        subject,
        address,
        deposed: "",
        what: DifferenceKind::Unproven {
            property,
            why: why.to_owned(),
        },
    }
}

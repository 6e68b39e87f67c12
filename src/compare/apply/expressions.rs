//! Hashes the expressions of a configuration, together with what they refer to.
//!
//! References to variables of modules, outputs of modules and local values are followed to the expressions that give
//! them their values. Variables of the root module are compared on their own, as variables of the plan, and so are
//! objects that the apply changes. Of an object that it does not change, and of a data source, the attribute that is
//! referred to is hashed ([`Objects`]); of data sources and ephemeral resources also the arguments. The JSON of a plan
//! has neither local values nor the text of an expression that is not constant. What depends on these, or on something
//! that no document has, is not proven to be the same, and [`Hashed::unproven`] says so.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;

use super::objects::{Attribute, Objects};
use crate::compare::canon::{Canon, Digest, Form};
use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::address::Steps;
use crate::model::configuration::{Configuration, ModuleId};
use crate::model::plan::Plan;
use crate::review::names;
use crate::schema::{Position, infer};

/// The maximum number of references that are followed from one to the next.
const MAX_DEPTH: usize = 32;

/// The hash of an expression and of everything that it refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::compare) struct Hashed {
    pub(in crate::compare) digest: Digest,
    /// The first thing that decides the value but is not in the document, in words; `None` if nothing is missing.
    pub(in crate::compare) unproven: Option<String>,
}

/// The context of an expression: what its names refer to, and how much of it may be hashed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'c> {
    /// The `for_each` or `count` from which `each` and `count` have their values.
    pub(super) module: ModuleId,
    /// The `for_each` or `count` that gives `each` and `count` their values.
    pub(super) repetition: Option<Raw<'c>>,
    /// Whether the value is sensitive. If so, constants are left out unless sensitive values are hashed.
    pub(super) is_secret: bool,
    /// Whether the expression is a command or a part of one, so that it is not proven to be the same without its text.
    pub(super) needs_text: bool,
}

impl Scope<'_> {
    /// The scope of a module, where nothing is repeated and no text is needed.
    pub(super) fn of_module(module: ModuleId) -> Self {
        Self {
            module,
            repetition: None,
            is_secret: false,
            needs_text: false,
        }
    }
}

/// A named value that an expression refers to: the key by which its hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Target {
    /// The kind of the name.
    kind: TargetKind,
    /// The module that the name belongs to.
    module: ModuleId,
    /// The name; empty for a repetition, which has none.
    name: String,
    /// Whether its value is sensitive.
    is_secret: bool,
    /// Whether the value is not proven to be the same without the text of its expression.
    needs_text: bool,
    /// For a repetition, the address in memory of its text, instead of a name; otherwise 0.
    address: usize,
}

/// The kinds of names that are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TargetKind {
    Variable,
    Local,
    Output,
    Repetition,
    /// A `data` block.
    Data,
    /// An `ephemeral` block.
    Ephemeral,
}

/// A hash that is being made, with what was found on the way.
pub(super) struct Hashing {
    pub(super) canon: Canon,
    /// The first thing that is not in the document, if there is one.
    pub(super) unproven: Option<String>,
    /// The attributes of `self` that are used. An empty name means all of them.
    pub(super) self_attributes: BTreeSet<String>,
}

impl Hashing {
    pub(super) fn new(with_sensitive: bool) -> Self {
        Self {
            canon: Canon::new(with_sensitive),
            unproven: None,
            self_attributes: BTreeSet::new(),
        }
    }

    pub(super) fn finish(self) -> Hashed {
        Hashed {
            digest: self.canon.finish(),
            unproven: self.unproven,
        }
    }

    /// Adds the finished hash of something that an expression refers to.
    pub(super) fn add(&mut self, hashed: Hashed) {
        self.canon.digest(&hashed.digest);
        self.add_unproven(hashed.unproven);
    }

    /// Records what is not proven, unless something is recorded already: the first is enough for a message.
    pub(super) fn add_unproven(&mut self, unproven: Option<String>) {
        if self.unproven.is_none() {
            self.unproven = unproven;
        }
    }
}

/// The expressions of one plan's configuration, with the hashes that have been made.
pub(super) struct Expressions<'c, 'a> {
    /// The configuration.
    configuration: &'c Configuration<'a>,
    /// Whether the document has the text of expressions that are not constant. Only documents made from saved plans do.
    has_texts: bool,
    /// Whether sensitive constants are hashed.
    with_sensitive: bool,
    /// The variables of the root module whose values are in the plan.
    given: BTreeSet<String>,
    /// The objects of the plan, which are read when they are first needed.
    objects: Objects<'c, 'a>,
    /// The arena that holds the parsed expressions.
    arena: &'c Bump,
    /// The hashes of the targets that were followed. A target that is being followed has an empty one.
    known: HashMap<Target, Hashed>,
    /// The parsed arguments of module calls, by the address in memory of their text.
    arguments: HashMap<usize, Value<'c>>,
    /// The number of references that are being followed, one inside another.
    depth: usize,
}

impl<'c, 'a> Expressions<'c, 'a> {
    /// Prepares the expressions of a configuration. The values of the root module's variables are taken from the plan.
    ///
    /// # Errors
    /// If the variables of the plan are malformed.
    pub(super) fn new(
        plan: &'c Plan<'a>,
        configuration: &'c Configuration<'a>,
        with_sensitive: bool,
        arena: &'c Bump,
    ) -> Result<Self, Error> {
        let given = plan.input_variables()?;
        Ok(Self {
            configuration,
            has_texts: plan.saved_plan.is_some(),
            with_sensitive,
            given: given
                .iter()
                .map(|variable| variable.name.to_string())
                .collect(),
            objects: Objects::new(plan, arena),
            arena,
            known: HashMap::new(),
            arguments: HashMap::new(),
            depth: 0,
        })
    }

    pub(super) fn has_texts(&self) -> bool {
        self.has_texts
    }

    /// Parses an expression.
    ///
    /// # Errors
    /// If it is malformed. A member that occurs twice is an error too, because the expression decides what runs.
    pub(super) fn parse(&self, raw: Raw<'c>) -> Result<Value<'c>, Error> {
        Raw::marks_or_null(Some(raw), self.arena).map_err(Error::Configuration)
    }

    /// Hashes an expression or an object of expressions: the constants, the texts, and what is referred to. `position`
    /// says which of them are sensitive.
    ///
    /// # Errors
    /// If an expression that is referred to is malformed.
    pub(super) fn write(
        &mut self,
        hashing: &mut Hashing,
        value: Value<'c>,
        position: Position<'_>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let canon = &mut hashing.canon;
        match Form::of(value) {
            Form::Scalar(scalar) => canon.scalar(scalar),
            Form::Array(items) => {
                canon.tag(b'[');
                canon.number(items.len() as u64);
                for (index, item) in items.iter().enumerate() {
                    self.write(hashing, *item, position.element(index), scope)?;
                }
            }
            Form::Object(object) => {
                canon.tag(b'(');
                if scope.needs_text && lacks_text(value) {
                    hashing.add_unproven(Some("the text of an expression".to_owned()));
                }
                for (name, member) in object.members() {
                    self.write_member(hashing, name, *member, position, scope)?;
                }
                hashing.canon.tag(b')');
            }
        }
        Ok(())
    }

    /// Hashes one member of an expression or of an object of expressions: references are followed, sensitive constants
    /// and texts are left out, and everything else is hashed as it is.
    fn write_member(
        &mut self,
        hashing: &mut Hashing,
        name: &str,
        member: Value<'c>,
        position: Position<'_>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        hashing.canon.tagged(b',', name);
        let below = position.member(name);
        let leaves_out_secrets = !hashing.canon.with_sensitive;
        match name {
            "references" if is_list_of_names(member) => {
                self.write_references(hashing, member, scope)
            }
            "constant_value" | "text"
                if leaves_out_secrets && (scope.is_secret || position.is_sensitive()) =>
            {
                hashing.canon.tag(b'S');
                Ok(())
            }
            "constant_value" => {
                let scope = Scope {
                    needs_text: false,
                    ..scope
                };
                self.write(hashing, member, position, scope)
            }
            "expressions"
                if member
                    .as_object()
                    .is_some_and(|all| all.members().is_empty()) =>
            {
                hashing.canon.tag(b'-');
                Ok(())
            }
            "expressions" => self.write(hashing, member, position, scope),
            _ if leaves_out_secrets
                && (position.is_sensitive() || below.is_sensitive() || may_be_secret(name)) =>
            {
                let scope = Scope {
                    is_secret: true,
                    ..scope
                };
                self.write_secret(hashing, member, scope)
            }
            _ => self.write(hashing, member, below, scope),
        }
    }

    /// Hashes a sensitive expression, of which only the references are included.
    fn write_secret(
        &mut self,
        hashing: &mut Hashing,
        value: Value<'c>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        if scope.needs_text && lacks_text(value) {
            hashing.add_unproven(Some("the text of an expression".to_owned()));
        }
        match value.get("references") {
            Some(references) if is_list_of_names(references) => {
                self.write_references(hashing, references, scope)
            }
            Some(_) | None => {
                hashing.canon.tag(b'S');
                Ok(())
            }
        }
    }

    /// Hashes the names that an expression refers to, regardless of their order, and what they lead to.
    fn write_references(
        &mut self,
        hashing: &mut Hashing,
        references: Value<'c>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let names = references.as_array().unwrap_or_default().iter();
        let names: BTreeSet<&str> = names.filter_map(|name| name.as_str()).collect();
        hashing.canon.tag(b'[');
        hashing.canon.number(names.len() as u64);
        for name in &names {
            hashing.canon.text(name);
        }
        for name in &names {
            // The list has `module.a` after `module.a.id`, but only the latter is used.
            if !has_longer(&names, name) {
                self.follow(hashing, name, scope)?;
            }
        }
        Ok(())
    }

    /// Hashes what a reference leads to: variables, local values, outputs of modules, `each` and `count`. The
    /// attributes of `self` are only collected.
    fn follow(
        &mut self,
        hashing: &mut Hashing,
        reference: &str,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let mut steps = Steps(reference).map(|step| step.name);
        let (first, second, third) = (steps.next(), steps.next(), steps.next());
        match (first, second) {
            (Some("var"), Some(name)) => self.follow_variable(hashing, name, scope),
            (Some("local"), Some(name)) => {
                let target = Target::new(TargetKind::Local, name, scope);
                match self.configuration.local(scope.module, name) {
                    Some(raw) => {
                        let value = self.parse(raw)?;
                        self.add_target(hashing, target, value, scope)
                    }
                    None => {
                        hashing.add_unproven(Some(format!("the value of local.{name}")));
                        Ok(())
                    }
                }
            }
            (Some("module"), Some(name)) => match third {
                Some(output) => self.follow_output(hashing, name, output, scope),
                None => {
                    for output in self.configuration.outputs(scope.module, name) {
                        self.follow_output(hashing, name, &output, scope)?;
                    }
                    Ok(())
                }
            },
            (Some("each" | "count"), _) => {
                let Some(raw) = scope.repetition else {
                    return Ok(());
                };
                let mut target = Target::new(TargetKind::Repetition, "", scope);
                target.address = raw.text().as_ptr() as usize;
                let value = self.parse(raw)?;
                let scope = Scope {
                    repetition: None,
                    ..scope
                };
                self.add_target(hashing, target, value, scope)
            }
            (Some("self"), name) => {
                hashing
                    .self_attributes
                    .insert(name.unwrap_or_default().to_owned());
                Ok(())
            }
            (Some("data"), Some(kind)) => {
                let attribute = Steps(reference).nth(3).map(|step| step.name);
                self.follow_object(
                    hashing,
                    "data",
                    [kind, third.unwrap_or_default()],
                    attribute,
                    scope,
                )
            }
            (Some("ephemeral"), Some(kind)) => self.follow_object(
                hashing,
                "ephemeral",
                [kind, third.unwrap_or_default()],
                None,
                scope,
            ),
            // `path` says where the files of the configuration are.
            (Some("path") | None, _) | (Some(_), None) => Ok(()),
            (Some("terraform" | "tofu"), Some(name)) => {
                // A saved plan names its workspace, which is compared on its own.
                if !self.has_texts {
                    hashing.add_unproven(Some(format!("the value of terraform.{name}")));
                }
                Ok(())
            }
            (Some(kind), Some(name)) => {
                self.follow_object(hashing, "managed", [kind, name], third, scope)
            }
        }
    }

    /// Hashes what is known of an object that is referred to and that the apply does not change: the attribute that is
    /// referred to, or all of them without one. Of a data source or an ephemeral resource the arguments are hashed too:
    /// its value may be left out, or be read again.
    fn follow_object(
        &mut self,
        hashing: &mut Hashing,
        mode: &str,
        [kind, name]: [&str; 2],
        attribute: Option<&str>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let block = self
            .configuration
            .blocks(scope.module, kind, name)
            .iter()
            .find(|block| *block.mode == *mode);
        if mode != "ephemeral" {
            let address = self.configuration.address(scope.module);
            let values = self
                .objects
                .attribute([mode, &address, kind, name], attribute)?;
            let is_secret = scope.is_secret || attribute.is_some_and(may_be_secret);
            match values {
                Attribute::Compared => {}
                Attribute::Values(values) => {
                    hashing.canon.tag(b'v');
                    hashing.canon.number(values.len() as u64);
                    for value in values {
                        let is_left_out = !self.with_sensitive && (is_secret || value.is_marked);
                        if is_left_out || value.is_temporary {
                            hashing.canon.tag(b'S');
                        } else {
                            hashing.canon.plain(value.value);
                        }
                    }
                }
                // Of a name that no block has, a `dynamic` block is the source, which is hashed itself.
                Attribute::Missing if block.is_none() && self.has_texts => {}
                Attribute::Missing => {
                    let dot = if mode == "data" { "data." } else { "" };
                    hashing.add_unproven(Some(format!("the value of {dot}{kind}.{name}")));
                }
            }
        }
        let kind_of_target = match mode {
            "data" => TargetKind::Data,
            "ephemeral" => TargetKind::Ephemeral,
            _ => return Ok(()),
        };
        let Some(block) = block else {
            return Ok(());
        };
        let arguments = block
            .argument_texts
            .or_else(|| self.configuration.resource(scope.module, mode, kind, name));
        hashing.canon.text(&block.provider_config_key);
        let Some(arguments) = arguments else {
            return Ok(());
        };
        let scope = Scope {
            repetition: block.repetition,
            ..scope
        };
        let target = Target::new(kind_of_target, &format!("{kind}.{name}"), scope);
        let value = self.parse(arguments)?;
        self.add_target(hashing, target, value, scope)
    }

    /// Hashes the value that a module call gives a variable, or else its default. A variable of the root module whose
    /// value is in the plan is compared on its own.
    fn follow_variable(
        &mut self,
        hashing: &mut Hashing,
        name: &str,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let declaration = self.configuration.variable(scope.module, name);
        let is_marked = declaration.is_some_and(|of| of.sensitive || of.ephemeral);
        let scope = Scope {
            is_secret: scope.is_secret || is_marked || may_be_secret(name),
            ..scope
        };
        let target = Target::new(TargetKind::Variable, name, scope);
        if let Some(call) = self.configuration.call(scope.module) {
            let call_key = call.expression.text().as_ptr() as usize;
            let arguments = match self.arguments.get(&call_key) {
                Some(arguments) => *arguments,
                None => {
                    let arguments = self.parse(call.expression)?;
                    self.arguments.insert(call_key, arguments);
                    arguments
                }
            };
            if let Some(argument) = arguments.get(name) {
                let scope = Scope {
                    module: call.module,
                    repetition: call.repetition,
                    ..scope
                };
                return self.add_target(hashing, target, argument, scope);
            }
        } else if scope.module == ModuleId::ROOT && self.given.contains(name) {
            return Ok(());
        }
        let default = declaration.and_then(|declaration| declaration.default);
        let value = default.map_or(Ok(Value::Null), |raw| self.parse(raw))?;
        let scope = Scope {
            needs_text: false,
            ..scope
        };
        let value = if scope.is_secret && !self.with_sensitive {
            Value::Null
        } else {
            value
        };
        self.add_target(hashing, target, value, scope)
    }

    /// Hashes the expression of an output of a called module.
    fn follow_output(
        &mut self,
        hashing: &mut Hashing,
        module: &str,
        output: &str,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        let Some((called, raw)) = self.configuration.output(scope.module, module, output) else {
            // The output may be in a module that the document leaves out.
            hashing.add_unproven(Some(format!("the value of module.{module}.{output}")));
            return Ok(());
        };
        let is_marked = self.configuration.is_sensitive_output(called, output);
        let scope = Scope {
            module: called,
            repetition: None,
            is_secret: scope.is_secret || is_marked || may_be_secret(output),
            ..scope
        };
        let target = Target::new(TargetKind::Output, output, scope);
        let value = self.parse(raw)?;
        self.add_target(hashing, target, value, scope)
    }

    /// Adds the hash of a target, which is computed once. If a target refers to itself, the inner reference has an
    /// empty hash.
    ///
    /// More than `MAX_DEPTH` references after each other are not followed; their values are then not proven.
    fn add_target(
        &mut self,
        hashing: &mut Hashing,
        target: Target,
        value: Value<'c>,
        scope: Scope<'c>,
    ) -> Result<(), Error> {
        if let Some(known) = self.known.get(&target) {
            hashing.add(known.clone());
            return Ok(());
        }
        if self.depth == MAX_DEPTH {
            hashing.add_unproven(Some("a value behind too many references".to_owned()));
            return Ok(());
        }
        self.known.insert(target.clone(), Hashed::default());
        self.depth += 1;
        let mut inner = Hashing::new(self.with_sensitive);
        let written = self.write(&mut inner, value, Position::Inferred, scope);
        self.depth -= 1;
        written?;
        hashing.self_attributes.append(&mut inner.self_attributes);
        let hashed = inner.finish();
        self.known.insert(target, hashed.clone());
        hashing.add(hashed);
        Ok(())
    }
}

impl Target {
    fn new(kind: TargetKind, name: &str, scope: Scope<'_>) -> Self {
        Self {
            kind,
            module: scope.module,
            name: name.to_owned(),
            is_secret: scope.is_secret,
            needs_text: scope.needs_text,
            address: 0,
        }
    }
}

/// Whether an expression is neither constant nor there as text.
fn lacks_text(expression: Value<'_>) -> bool {
    let Some(members) = expression.as_object() else {
        return false;
    };
    members
        .members()
        .iter()
        .all(|(name, member)| *name == "references" && is_list_of_names(*member))
}

fn is_list_of_names(value: Value<'_>) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(|item| item.as_str().is_some()))
}

/// Whether a name is the beginning of the path of another name.
fn has_longer(names: &BTreeSet<&str>, name: &str) -> bool {
    [".", "["].iter().any(|separator| {
        let beginning = format!("{name}{separator}");
        names
            .range(&*beginning..)
            .next()
            .is_some_and(|next| next.starts_with(&beginning))
    })
}

/// Whether a name suggests a sensitive value. This serves where no schema says it: plans have none for provisioners,
/// and environments may have any names.
pub(in crate::compare) fn may_be_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    infer::is_sensitive_name(&name)
        || names::PARTS_OF_SECRET_ARGUMENTS
            .iter()
            .any(|part| name.contains(part))
}

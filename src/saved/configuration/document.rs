//! Writes modules as the member `configuration` of the JSON output format.
//!
//! Invariants: only an expression that is proven to be constant is written as a constant. The source text of any other
//! expression is added, so that two plans do not seem to do the same because neither has a constant; for the arguments
//! of resources in a member of their own, `argument_texts`, because readers of `expressions` know the form of the
//! tools. What the sources have and the format of the tools has not is in the member `rest` of its module, unless it is
//! one of [`CANNOT_MATTER`].
//!
//! ```text
//! resource "aws_vpc" "main" { cidr_block = var.cidr }
//!
//! {"mode": "managed", "type": "aws_vpc", "name": "main", "expressions": {"cidr_block": {"references": ["var.cidr"]}}}
//! ```

mod providers;

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::expression::Term;
use super::{Body, ConfigBlock};
use crate::dialect::Tool;
use crate::json::{Object, Value};
use crate::saved::msgpack::is_number;
use crate::schema::{Nesting, Position};

use providers::{Providers, key_in, provider_of};

/// A function that returns the schema of a resource from its mode and type.
pub(super) type SchemaOf<'f, 'a> = &'f dyn Fn(&str, &str) -> Position<'a>;

/// The members of an object that is being written.
type Members<'a> = Vec<(&'a str, Value<'a>)>;

/// A module in the tree of module calls.
#[derive(Clone, Copy, Debug)]
struct Location<'l> {
    /// The names of the calls that lead to the module, joined with dots.
    key: &'l str,
    /// The address of the module without instance keys.
    address: &'l str,
    /// The address of the calling module; `None` for the root module.
    caller: Option<&'l str>,
    /// The number of modules around it.
    depth: usize,
    /// The argument `providers` of the call, if it has one.
    providers: Option<&'l Term<'l>>,
}

/// Writes the configuration of all modules.
pub(super) struct ConfigurationWriter<'w, 'a> {
    /// The modules, by the names of the calls that lead to each, joined with dots.
    pub(super) modules: &'w BTreeMap<String, Body<'a>>,
    /// The tool that wrote the plan, whose way of naming providers is followed.
    pub(super) tool: Tool,
    /// Returns the schema of a resource type, which tells blocks from attributes.
    pub(super) schema_of: SchemaOf<'w, 'a>,
    /// The arena that receives the document.
    pub(super) arena: &'a Bump,
}

/// The maximum depth of module calls, from the root module on.
const DEEPEST: usize = 64;

/// Whether the source text of an expression that is not constant is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SourceText {
    Add,
    Leave,
}

/// The members of a `resource` or `data` block that the language itself reads, so that they are not arguments. The JSON
/// of the tools does not have `dynamic` blocks either.
const RESOURCE: &[&str] = &[
    "count",
    "for_each",
    "provider",
    "depends_on",
    "lifecycle",
    "connection",
    "provisioner",
    "dynamic",
];
/// The members of [`RESOURCE`] besides `dynamic` blocks, which give arguments too.
const RESOURCE_WITH_DYNAMIC: &[&str] = &[
    "count",
    "for_each",
    "provider",
    "depends_on",
    "lifecycle",
    "connection",
    "provisioner",
];
/// The members of a `module` block that the language itself reads.
const CALL: &[&str] = &[
    "source",
    "version",
    "count",
    "for_each",
    "providers",
    "depends_on",
    "lifecycle",
];
/// The members of blocks that are in no document because they cannot change what an apply does, each with the reason.
/// An empty name stands for the whole block. Everything else that is not written is in `rest`.
const CANNOT_MATTER: &[(&str, &str, &str)] = &[
    ("moved", "", "the plan has the moves"),
    (
        "check",
        "",
        "a check only warns; its data sources are written",
    ),
    ("terraform", "backend", "the plan names its backend"),
    ("terraform", "cloud", "the plan names its backend"),
    ("terraform", "required_version", "it only stops planning"),
    (
        "terraform",
        "required_providers",
        "provider_config has the sources, the lock file the versions",
    ),
    (
        "provider",
        "alias",
        "it is the key of the provider configuration",
    ),
    ("provider", "version", "the lock file has the version"),
    ("variable", "default", "it is written"),
    ("variable", "sensitive", "it is written"),
    ("variable", "ephemeral", "it is written"),
    ("variable", "description", "it is for people"),
    ("variable", "deprecated", "it is for people"),
    ("variable", "validation", "it only stops planning"),
    ("output", "value", "it is written"),
    ("output", "sensitive", "it is written"),
    ("output", "description", "it is for people"),
    ("output", "deprecated", "it is for people"),
    ("output", "depends_on", "it only orders steps"),
    ("output", "precondition", "it only stops"),
    ("module", "source", "the content of the module is written"),
    ("module", "version", "the content of the module is written"),
    ("module", "providers", "it is written with each resource"),
    ("module", "lifecycle", "the plan has the instances"),
    (
        "lifecycle",
        "create_before_destroy",
        "the plan has the order of a replacement",
    ),
    ("lifecycle", "prevent_destroy", "it only stops planning"),
    ("lifecycle", "ignore_changes", "the plan has the values"),
    (
        "lifecycle",
        "replace_triggered_by",
        "the plan has the replacements",
    ),
    ("lifecycle", "precondition", "it only stops"),
    ("lifecycle", "postcondition", "it only stops"),
    ("lifecycle", "enabled", "the plan has the instances"),
    ("lifecycle", "destroy", "the plan has what is forgotten"),
];

/// Whether a member of a kind of block cannot change what an apply does; for an empty name, the whole block.
fn cannot_matter(kind: &str, name: &str) -> bool {
    CANNOT_MATTER
        .iter()
        .any(|(of, member, _)| *of == kind && *member == name)
}

/// The members of a `provisioner` block that the language itself reads.
const PROVISIONER: &[&str] = &["when", "on_failure", "connection"];
/// The type of an escaping block, whose contents belong to the block around it.
const ESCAPE: &str = "_";
/// The type of a block that is nested singly by convention: the provider SDKs add one with this name.
const TIMEOUTS: &str = "timeouts";

impl<'a> ConfigurationWriter<'_, 'a> {
    /// Returns the whole configuration, from the root module on.
    ///
    /// # Errors
    /// If a module is missing, or modules are nested too deep.
    pub(super) fn document(&self) -> Result<Value<'a>, String> {
        let mut providers = Providers::default();
        let root = Location {
            key: "",
            address: "",
            caller: None,
            depth: 0,
            providers: None,
        };
        let root_module = self.module(root, &mut providers)?;
        Ok(self.object(vec![
            ("provider_config", self.object(providers.members)),
            ("root_module", root_module),
        ]))
    }

    fn object(&self, members: Members<'a>) -> Value<'a> {
        Value::Object(Object::from_members(members, self.arena))
    }

    fn array(&self, items: &[Value<'a>]) -> Value<'a> {
        Value::Array(self.arena.alloc_slice_copy(items))
    }

    fn text(&self, text: &str) -> Value<'a> {
        Value::String(self.arena.alloc_str(text))
    }

    /// Makes an object without empty members, which the tools leave out.
    fn filled(&self, mut members: Members<'a>) -> Value<'a> {
        members.retain(|(_, member)| match member {
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(object) => !object.members().is_empty(),
            Value::Null | Value::Bool(false) => false,
            Value::Bool(true) | Value::Number(_) => true,
        });
        self.object(members)
    }

    /// Returns the configuration of a module and, recursively, of all modules that it calls. Adds its provider
    /// configurations to `providers`.
    ///
    /// # Errors
    /// If a module is missing, or modules are nested deeper than `DEEPEST`.
    fn module(
        &self,
        location: Location<'_>,
        providers: &mut Providers<'a>,
    ) -> Result<Value<'a>, String> {
        let Location {
            key,
            address,
            depth,
            ..
        } = location;
        let body = self.modules.get(key).ok_or_else(|| match &*key {
            "" => "the root module is missing".to_owned(),
            key => format!("the module {key} is missing"),
        })?;
        if depth > DEEPEST {
            return Err(format!("modules are nested more than {DEEPEST} deep"));
        }
        self.providers(body, location, providers);
        let (mut resources, mut variables) = (Vec::new(), Members::new());
        let (mut outputs, mut calls) = (Members::new(), Members::new());
        let mut locals = Members::new();
        let mut rest = self.rest_of_file(body);
        for block in &body.blocks {
            rest.extend(self.rest(block));
            match (block.kind, &*block.labels) {
                ("resource", _) => {
                    resources.extend(self.resource("managed", block, address, providers));
                }
                ("data" | "ephemeral", _) => {
                    resources.extend(self.resource(block.kind, block, address, providers));
                }
                ("check", _) => {
                    let data = block.body.blocks_of("data");
                    resources.extend(
                        data.filter_map(|data| self.resource("data", data, address, providers)),
                    );
                }
                ("locals", _) => locals.extend(self.expressions(
                    &block.body,
                    &[],
                    Position::Unspecified,
                    SourceText::Add,
                )),
                ("variable", [name]) => variables.push((name, self.variable(&block.body))),
                ("output", [name]) => {
                    if let Some(value) = block.body.attribute("value") {
                        let expression = self.expression(value, SourceText::Add);
                        let mut members = vec![("expression", expression)];
                        if is_set(&block.body, "sensitive") {
                            members.push(("sensitive", Value::Bool(true)));
                        }
                        outputs.push((name, self.object(members)));
                    }
                }
                ("module", [name]) => {
                    let inner = if key.is_empty() {
                        (*name).to_owned()
                    } else {
                        format!("{key}.{name}")
                    };
                    let dot = if address.is_empty() { "" } else { "." };
                    let called = format!("{address}{dot}module.{name}");
                    let expressions =
                        self.expressions(&block.body, CALL, Position::Unspecified, SourceText::Add);
                    let location = Location {
                        key: &inner,
                        address: &called,
                        caller: Some(address),
                        depth: depth + 1,
                        providers: block.body.attribute("providers"),
                    };
                    let module = self.module(location, providers)?;
                    let mut call = vec![
                        ("expressions", self.object(expressions)),
                        ("module", module),
                    ];
                    call.extend(self.repetition(&block.body));
                    call.extend(self.dependencies(&block.body));
                    calls.push((name, self.object(call)));
                }
                _ => {}
            }
        }
        Ok(self.filled(vec![
            ("outputs", self.object(outputs)),
            ("resources", self.array(&resources)),
            ("module_calls", self.object(calls)),
            ("variables", self.object(variables)),
            // An addition to the format of the tools, which write no local values.
            ("locals", self.object(locals)),
            ("rest", self.array(&rest)),
        ]))
    }

    /// Returns what the files of a module have outside of the blocks that are read, which is possible only in the JSON
    /// syntax.
    fn rest_of_file(&self, body: &Body<'a>) -> Vec<Value<'a>> {
        let mut rest = Vec::new();
        for (name, term) in &body.attributes {
            if !cannot_matter(name, "") {
                rest.push(self.object(vec![
                    ("of", Value::String(name)),
                    ("value", self.expression(term, SourceText::Add)),
                ]));
            }
        }
        rest
    }

    /// Returns the members of a block that are neither written elsewhere nor known not to matter, with the address of
    /// the block; `None` if there are none.
    fn rest(&self, block: &ConfigBlock<'a>) -> Option<Value<'a>> {
        let mut left = Body::default();
        match block.kind {
            "resource" | "data" | "ephemeral" => {
                for (name, term) in &block.body.attributes {
                    if matches!(*name, "lifecycle" | "dynamic") {
                        left.attributes.push((name, term.clone()));
                    }
                }
                for inner in block.body.blocks_of("lifecycle") {
                    left.attributes
                        .extend(Self::mattering(&inner.body.attributes, "lifecycle"));
                    for nested in &inner.body.blocks {
                        if !cannot_matter("lifecycle", nested.kind) {
                            left.blocks.push(nested.clone());
                        }
                    }
                }
            }
            // They are written as a whole.
            "locals" => {}
            "provider" => {
                for (name, term) in &block.body.attributes {
                    if *name == "for_each" {
                        left.attributes.push((name, term.clone()));
                    }
                }
            }
            // All but its meta-arguments are arguments.
            "module" => {
                for (name, term) in &block.body.attributes {
                    if CALL.contains(name)
                        && !matches!(*name, "count" | "for_each" | "depends_on")
                        && !cannot_matter("module", name)
                    {
                        left.attributes.push((name, term.clone()));
                    }
                }
            }
            kind if cannot_matter(kind, "") => {}
            kind => {
                left.attributes
                    .extend(Self::mattering(&block.body.attributes, kind));
                for nested in &block.body.blocks {
                    if !cannot_matter(kind, nested.kind) {
                        left.blocks.push(nested.clone());
                    }
                }
                // A block without members may matter, too: it says that something is so.
                if block.body.attributes.is_empty()
                    && block.body.blocks.is_empty()
                    && kind != "terraform"
                    && kind != "variable"
                {
                    return Some(self.object(vec![("of", self.text(&Self::name_of(block)))]));
                }
            }
        }
        if left.attributes.is_empty() && left.blocks.is_empty() {
            return None;
        }
        let members = self.expressions(&left, &[], Position::Unspecified, SourceText::Add);
        Some(self.object(vec![
            ("of", self.text(&Self::name_of(block))),
            ("value", self.object(members)),
        ]))
    }

    /// Returns the attributes of a kind of block that may matter to an apply.
    fn mattering(attributes: &[(&'a str, Term<'a>)], kind: &str) -> Vec<(&'a str, Term<'a>)> {
        attributes
            .iter()
            .filter(|(name, _)| !cannot_matter(kind, name))
            .cloned()
            .collect()
    }

    /// Returns the kind and the labels of a block, such as `resource.aws_vpc.main`.
    fn name_of(block: &ConfigBlock<'_>) -> String {
        let mut name = block.kind.to_owned();
        for label in &block.labels {
            name.push('.');
            name.push_str(label);
        }
        name
    }

    /// Returns the configuration of a resource; `None` for a block that does not have exactly a type and a name.
    fn resource(
        &self,
        mode: &'a str,
        block: &ConfigBlock<'a>,
        address: &str,
        providers: &Providers<'a>,
    ) -> Option<Value<'a>> {
        let [kind, name] = *block.labels else {
            return None;
        };
        let connections: Vec<&ConfigBlock<'a>> = block.body.blocks_of("connection").collect();
        let provisioners = block.body.blocks_of("provisioner");
        let provisioners: Vec<_> = provisioners
            .filter_map(|block| self.provisioner(block, &connections))
            .collect();
        let expressions = self.expressions(
            &block.body,
            RESOURCE,
            (self.schema_of)(mode, kind),
            SourceText::Leave,
        );
        let texts = self.expressions(
            &block.body,
            RESOURCE_WITH_DYNAMIC,
            (self.schema_of)(mode, kind),
            SourceText::Add,
        );
        let mut members = vec![("mode", Value::String(mode)), ("type", Value::String(kind))];
        let provider = key_in(address, &provider_of(block, kind));
        let provider = providers.written_at.get(&provider).unwrap_or(&provider);
        members.extend([
            ("name", Value::String(name)),
            ("expressions", self.object(expressions)),
            // An addition to the format of the tools, which write neither the text of an argument nor `dynamic`.
            ("argument_texts", self.object(texts)),
            ("provider_config_key", self.text(provider)),
        ]);
        members.extend(self.repetition(&block.body));
        members.extend(self.dependencies(&block.body));
        if !provisioners.is_empty() {
            members.push(("provisioners", self.array(&provisioners)));
        }
        Some(self.object(members))
    }

    /// Returns `for_each` and `count` as the members that the tools make of them.
    fn repetition(&self, body: &Body<'a>) -> Members<'a> {
        let names = [
            ("for_each", "for_each_expression"),
            ("count", "count_expression"),
        ];
        let mut arguments = Members::new();
        for (name, member) in names {
            if let Some(term) = body.attribute(name) {
                arguments.push((member, self.expression(term, SourceText::Add)));
            }
        }
        arguments
    }

    /// Returns the member `depends_on`, a list of references, if the block has it.
    fn dependencies(&self, body: &Body<'a>) -> Members<'a> {
        let Some(term) = body.attribute("depends_on") else {
            return Members::new();
        };
        let list = match term.constant {
            // In the JSON syntax, the references are strings.
            Some(constant) => constant,
            None => {
                let references = term.references.iter();
                self.array(&references.map(|one| self.text(one)).collect::<Vec<_>>())
            }
        };
        vec![("depends_on", list)]
    }

    /// Returns a provisioner with its connections, including that of the resource around it; `None` without a type.
    fn provisioner(
        &self,
        block: &ConfigBlock<'a>,
        of_resource: &[&ConfigBlock<'a>],
    ) -> Option<Value<'a>> {
        let [kind] = *block.labels else { return None };
        // `when` and `on_failure` are keywords in the native syntax, and strings in JSON.
        let word = |name: &str| {
            let term = block.body.attribute(name);
            let text = term.map(|term| term.constant.and_then(Value::as_str).unwrap_or(term.text));
            Value::String(text.unwrap_or_default())
        };
        let arguments = |block: &ConfigBlock<'a>, left_out: &[&str]| {
            self.object(self.expressions(
                &block.body,
                left_out,
                Position::Unspecified,
                SourceText::Add,
            ))
        };
        let connections = of_resource
            .iter()
            .copied()
            .chain(block.body.blocks_of("connection"));
        let connections: Vec<_> = connections.map(|block| arguments(block, &[])).collect();
        let mut members = vec![
            ("type", Value::String(kind)),
            ("expressions", arguments(block, PROVISIONER)),
        ];
        // Additions to the format of the tools, which write none of these three.
        let others = [
            ("when", word("when")),
            ("on_failure", word("on_failure")),
            ("connection", self.array(&connections)),
        ];
        let is_filled =
            |member: Value<'a>| member != Value::String("") && member != Value::Array(&[]);
        members.extend(others.into_iter().filter(|(_, member)| is_filled(*member)));
        Some(self.object(members))
    }

    /// Returns the declaration of a variable: its default, and whether it is sensitive or ephemeral.
    fn variable(&self, body: &Body<'a>) -> Value<'a> {
        let flags = ["sensitive", "ephemeral"]
            .into_iter()
            .filter(|name| is_set(body, name));
        let default = default(body).map(|value| ("default", value));
        self.object(
            flags
                .map(|name| (name, Value::Bool(true)))
                .chain(default)
                .collect(),
        )
    }

    /// Returns an expression as its constant, its references and, if `text` asks for it, its source text.
    fn expression(&self, term: &Term<'a>, text: SourceText) -> Value<'a> {
        let mut members: Members<'a> = term
            .constant
            .map(|value| ("constant_value", value))
            .into_iter()
            .collect();
        if !term.references.is_empty() {
            let references: Vec<_> = term
                .references
                .iter()
                .map(|reference| self.text(reference))
                .collect();
            members.push(("references", self.array(&references)));
        }
        if text == SourceText::Add && term.constant.is_none() && !term.text.is_empty() {
            members.push(("text", Value::String(term.text)));
        }
        self.object(members)
    }

    /// Returns the attributes and blocks of a body, without those named in `left_out`. How blocks of a type are nested
    /// is taken from the schema or, without one, guessed from their labels.
    fn expressions(
        &self,
        body: &Body<'a>,
        left_out: &[&str],
        position: Position<'a>,
        text: SourceText,
    ) -> Members<'a> {
        let mut members = Members::new();
        for (name, term) in body
            .attributes
            .iter()
            .filter(|(name, _)| !left_out.contains(name))
        {
            let part = match (position.member(name), term.json) {
                (Position::Blocks(nested), Some(value)) => {
                    self.json_blocks(value, nested.nesting, position.member(name))
                }
                _ => self.expression(term, text),
            };
            members.push((name, part));
        }
        let mut kinds: BTreeMap<&'a str, (Nesting, Members<'a>)> = BTreeMap::new();
        for block in body
            .blocks
            .iter()
            .filter(|block| !left_out.contains(&block.kind))
        {
            if block.kind == ESCAPE {
                members.extend(self.expressions(&block.body, &[], position, text));
                continue;
            }
            if let ("dynamic", [label], SourceText::Add) = (block.kind, &*block.labels, text) {
                // It gives any number of blocks of its label, so it is one more of these.
                let body = self.expressions(&block.body, &[], Position::Unspecified, text);
                let (nesting, bodies) = kinds
                    .entry(label)
                    .or_insert_with(|| (Nesting::List, Members::new()));
                *nesting = Nesting::List;
                bodies.push(("", self.object(vec![("dynamic", self.object(body))])));
                continue;
            }
            let below = position.member(block.kind);
            let nesting = match (below, &*block.labels) {
                (Position::Blocks(nested), _) => nested.nesting,
                (_, [_, ..]) => Nesting::Map,
                _ if block.kind == TIMEOUTS => Nesting::Single,
                _ => Nesting::List,
            };
            let left_out: &[&str] = if text == SourceText::Leave {
                &["dynamic"]
            } else {
                &[]
            };
            let body = self.expressions(&block.body, left_out, inside(nesting, below), text);
            let (_, bodies) = kinds
                .entry(block.kind)
                .or_insert_with(|| (nesting, Members::new()));
            bodies.push((
                self.arena.alloc_str(&block.labels.join(".")),
                self.object(body),
            ));
        }
        members.extend(
            kinds
                .into_iter()
                .map(|(kind, (nesting, bodies))| (kind, self.blocks(nesting, bodies))),
        );
        members
    }

    /// Combines the bodies of all blocks of one type, each with its label, as their nesting requires.
    fn blocks(&self, nesting: Nesting, bodies: Members<'a>) -> Value<'a> {
        match nesting {
            Nesting::Single | Nesting::Group => bodies
                .first()
                .map_or_else(|| self.object(Members::new()), |(_, body)| *body),
            Nesting::List | Nesting::Set => {
                self.array(&bodies.into_iter().map(|(_, body)| body).collect::<Vec<_>>())
            }
            Nesting::Map => self.object(bodies),
        }
    }

    /// Returns blocks that are written as an attribute, which the JSON syntax does not distinguish.
    fn json_blocks(&self, value: Value<'a>, nesting: Nesting, blocks: Position<'a>) -> Value<'a> {
        let one = |value: Value<'a>| {
            let members = value.as_object().unwrap_or_default().members().iter();
            let attributes = members.filter(|(name, _)| *name != "//");
            let attributes = attributes.filter_map(|(name, member)| {
                Some((*name, Term::json(*member, Tool::default()).ok()?))
            });
            let body = Body {
                attributes: attributes.collect(),
                blocks: Vec::new(),
            };
            self.object(self.expressions(
                &body,
                &["dynamic"],
                inside(nesting, blocks),
                SourceText::Leave,
            ))
        };
        let items = value
            .as_array()
            .map_or_else(|| vec![value], <[Value<'a>]>::to_vec)
            .into_iter();
        let bodies = match nesting {
            Nesting::Map => {
                let members = items.flat_map(|item| item.as_object().unwrap_or_default().members());
                members.map(|(key, member)| (*key, one(*member))).collect()
            }
            Nesting::Single | Nesting::Group | Nesting::List | Nesting::Set => {
                items.map(|item| ("", one(item))).collect()
            }
        };
        self.blocks(nesting, bodies)
    }
}

/// Whether an attribute is set to true. A value that is not the constant false counts as true.
fn is_set(body: &Body<'_>, name: &str) -> bool {
    body.attribute(name)
        .is_some_and(|term| term.constant != Some(Value::Bool(false)))
}

fn is_resource(kind: &str) -> bool {
    matches!(kind, "resource" | "data" | "ephemeral")
}

/// Returns the position of the content of one of several blocks.
fn inside(nesting: Nesting, blocks: Position<'_>) -> Position<'_> {
    if nesting == Nesting::Map {
        blocks.member("")
    } else {
        blocks.element(0)
    }
}

/// Returns the default value of a variable, converted to its declared type if that is `string`, `number` or `bool`.
pub(super) fn default<'a>(body: &Body<'a>) -> Option<Value<'a>> {
    let default = body.constant("default")?;
    let declared = body
        .attribute("type")
        .map(|of| of.constant.and_then(Value::as_str).unwrap_or(of.text));
    Some(match (declared, default) {
        (Some("string"), Value::Number(text)) => Value::String(text),
        (Some("string"), Value::Bool(value)) => Value::String(if value { "true" } else { "false" }),
        (Some("number"), Value::String(text)) if is_number(text) => Value::Number(text),
        (Some("bool"), Value::String("true")) => Value::Bool(true),
        (Some("bool"), Value::String("false")) => Value::Bool(false),
        (_, default) => default,
    })
}

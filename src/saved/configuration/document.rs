//! Modules as the member `configuration` of the JSON output format.
//!
//! Invariant: what is not proven to be a constant is none. For what runs (provisioners, providers) the text of such
//! an expression is added, so that two plans do not seem to run the same because both have no constant.

use std::collections::BTreeMap;

use serde::Serialize;

use super::body::{Block, Body};
use super::expression::Term;
use crate::dialect::Tool;
use crate::json::Value;
use crate::schema::{Nesting, Position};

/// JSON of the document.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Json<'a> {
    Constant(Value<'a>),
    Text(String),
    List(Vec<Self>),
    Members(Members<'a>),
}

type Members<'a> = BTreeMap<String, Json<'a>>;

/// What the tools leave out of an object.
const NONE: Json<'_> = Json::List(Vec::new());

/// An object without the members that are empty texts and lists.
fn object<'a>(members: impl IntoIterator<Item = (&'static str, Json<'a>)>) -> Json<'a> {
    let is_filled = |member: &Json<'_>| match member {
        Json::Text(text) => !text.is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Constant(_) | Json::Members(_) => true,
    };
    let members = members.into_iter().filter(|(_, member)| is_filled(member));
    Json::Members(crate::sort::map(members.map(|(name, member)| (name.to_owned(), member))))
}

/// An object that is left out if it is empty.
fn filled(members: Members<'_>) -> Json<'_> {
    if members.is_empty() { NONE } else { Json::Members(members) }
}

/// A flag that is left out if it is not set.
fn flag<'a>(is_set: bool) -> Json<'a> {
    if is_set { Json::Constant(Value::Bool(true)) } else { NONE }
}

/// The schema of a resource type, by mode and type.
pub(super) type SchemaOf<'f, 'a> = &'f dyn Fn(&str, &str) -> Position<'a>;

/// Writes modules.
pub(super) struct Writer<'w, 'a> {
    /// The contents of each module, by the names of the calls that lead to it, joined with dots.
    pub(super) modules: &'w BTreeMap<String, Body<'a>>,
    pub(super) tool: Tool,
    pub(super) schema_of: SchemaOf<'w, 'a>,
}

/// The maximum depth of module calls.
const DEEPEST: usize = 64;

impl<'a> Writer<'_, 'a> {
    /// The document.
    pub(super) fn document(&self) -> Result<Json<'a>, String> {
        let mut providers = Members::new();
        let root_module = self.module("", "", 0, &mut providers)?;
        Ok(object([("provider_config", Json::Members(providers)), ("root_module", root_module)]))
    }

    fn module(
        &self,
        key: &str,
        address: &str,
        depth: usize,
        providers: &mut Members<'a>,
    ) -> Result<Json<'a>, String> {
        let body = self.modules.get(key).ok_or_else(|| format!("the module {key} is missing"))?;
        if depth > DEEPEST {
            return Err(format!("modules are nested more than {DEEPEST} deep"));
        }
        self.providers(body, address, providers);
        let (mut resources, mut variables) = (Vec::new(), Members::new());
        let (mut outputs, mut calls) = (Members::new(), Members::new());
        for block in &body.blocks {
            match (&*block.kind, block.labels()) {
                ("resource", _) => resources.extend(self.resource("managed", block)),
                ("data", _) => resources.extend(self.resource("data", block)),
                ("ephemeral", _) => resources.extend(self.resource("ephemeral", block)),
                ("check", _) => {
                    let data = block.body.blocks_of("data");
                    resources.extend(data.filter_map(|data| self.resource("data", data)));
                }
                ("variable", Some([name])) => {
                    variables.insert(name.to_owned(), variable(&block.body));
                }
                ("output", Some([name])) => {
                    if let Some(value) = block.body.attribute("value") {
                        let expression = expression(value, Text::Leave);
                        outputs.insert(name.to_owned(), object([("expression", expression)]));
                    }
                }
                ("module", Some([name])) => {
                    let inner = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                    let dot = if address.is_empty() { "" } else { "." };
                    let called = format!("{address}{dot}module.{name}");
                    let expressions = expressions(&block.body, CALL, Position::Unspecified, Text::Leave);
                    let module = self.module(&inner, &called, depth + 1, providers)?;
                    let call = object([("expressions", Json::Members(expressions)), ("module", module)]);
                    calls.insert(name.to_owned(), call);
                }
                _ => {}
            }
        }
        Ok(object([
            ("outputs", filled(outputs)),
            ("resources", Json::List(resources)),
            ("module_calls", filled(calls)),
            ("variables", filled(variables)),
        ]))
    }

    fn resource(&self, mode: &'static str, block: &Block<'a>) -> Option<Json<'a>> {
        let [kind, name] = block.labels()?;
        let own = block.body.blocks_of("connection");
        let own: Vec<&Block<'a>> = own.collect();
        let provisioners = block.body.blocks_of("provisioner").filter_map(|block| provisioner(block, &own));
        let expressions = expressions(&block.body, RESOURCE, (self.schema_of)(mode, kind), Text::Leave);
        Some(object([
            ("mode", Json::Text(mode.to_owned())),
            ("type", Json::Text(kind.to_owned())),
            ("name", Json::Text(name.to_owned())),
            ("provisioners", Json::List(provisioners.collect())),
            ("expressions", Json::Members(expressions)),
        ]))
    }

    fn providers(&self, body: &Body<'a>, address: &str, found: &mut Members<'a>) {
        let key = |name: &str| if address.is_empty() { name.to_owned() } else { format!("{address}:{name}") };
        let mut sources = BTreeMap::new();
        let terraform = body.blocks_of("terraform");
        for (name, term) in terraform
            .flat_map(|block| block.body.blocks_of("required_providers"))
            .flat_map(|block| &block.body.attributes)
        {
            let text = |member: &str| {
                let known = term.known.unwrap_or_default();
                known.get(member).and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            // Old configurations have only the version.
            let version =
                term.constant.and_then(Value::as_str).map_or_else(|| text("version"), str::to_owned);
            let full_name = self.full_name(name, &text("source"));
            sources.insert(name.clone(), (full_name.clone(), version.clone()));
            let texts = [
                ("name", name.clone()),
                ("full_name", full_name),
                ("version_constraint", version),
                ("module_address", address.to_owned()),
            ];
            found.insert(key(name), object(texts.map(|(name, text)| (name, Json::Text(text)))));
        }
        for block in body.blocks_of("provider") {
            let Some([name]) = block.labels() else { continue };
            let text = |member| block.body.constant(member).and_then(Value::as_str).unwrap_or_default();
            let (full_name, required) =
                sources.get(name).cloned().unwrap_or_else(|| (self.full_name(name, ""), String::new()));
            let alias = text("alias").to_owned();
            let of = if alias.is_empty() { key(name) } else { key(&format!("{name}.{alias}")) };
            let versions = [required, text("version").to_owned()];
            let versions: Vec<String> = versions.into_iter().filter(|text| !text.is_empty()).collect();
            let texts = [
                ("name", name.to_owned()),
                ("full_name", full_name),
                ("alias", alias),
                ("version_constraint", versions.join(", ")),
                ("module_address", address.to_owned()),
            ];
            let texts = texts.map(|(name, text)| (name, Json::Text(text)));
            let arguments = expressions(&block.body, PROVIDER, Position::Unspecified, Text::Add);
            found.insert(of, object(texts.into_iter().chain([("expressions", filled(arguments))])));
        }
    }

    fn full_name(&self, name: &str, source: &str) -> String {
        let registry = match self.tool {
            Tool::Terraform => "registry.terraform.io",
            Tool::OpenTofu => "registry.opentofu.org",
        };
        match source.split('/').count() {
            _ if source.is_empty() && name == "terraform" => "terraform.io/builtin/terraform".to_owned(),
            _ if source.is_empty() => format!("{registry}/hashicorp/{name}"),
            1 => format!("{registry}/hashicorp/{source}"),
            2 => format!("{registry}/{source}"),
            _ => source.to_owned(),
        }
    }
}

fn provisioner<'a>(block: &Block<'a>, of_resource: &[&Block<'a>]) -> Option<Json<'a>> {
    let [kind] = block.labels()?;
    // A keyword in the native syntax, a string in JSON.
    let word = |name: &str| {
        let term = block.body.attribute(name);
        let text = term.map(|term| term.constant.and_then(Value::as_str).unwrap_or(term.text));
        Json::Text(text.unwrap_or_default().to_owned())
    };
    let connections = of_resource.iter().copied().chain(block.body.blocks_of("connection"));
    let arguments = |block: &Block<'a>, left_out: &[&str]| {
        Json::Members(expressions(&block.body, left_out, Position::Unspecified, Text::Add))
    };
    Some(object([
        ("type", Json::Text(kind.to_owned())),
        // The tools write none of these three.
        ("when", word("when")),
        ("on_failure", word("on_failure")),
        ("connection", Json::List(connections.map(|block| arguments(block, &[])).collect())),
        ("expressions", arguments(block, PROVISIONER)),
    ]))
}

fn variable<'a>(body: &Body<'a>) -> Json<'a> {
    // What is not plainly false is taken for true.
    let is_set = |name| body.attribute(name).is_some_and(|term| term.constant != Some(Value::Bool(false)));
    object([
        ("default", default(body).map_or(NONE, Json::Constant)),
        ("sensitive", flag(is_set("sensitive"))),
        ("ephemeral", flag(is_set("ephemeral"))),
    ])
}

/// The default of a variable, in its type if that is primitive.
pub(super) fn default<'a>(body: &Body<'a>) -> Option<Value<'a>> {
    let default = body.constant("default")?;
    let declared = body.attribute("type").map(|of| of.constant.and_then(Value::as_str).unwrap_or(of.text));
    Some(match (declared, default) {
        (Some("string"), Value::Number(text)) => Value::String(text),
        (Some("string"), Value::Bool(value)) => Value::String(if value { "true" } else { "false" }),
        (Some("number"), Value::String(text)) if super::super::msgpack::number(text).is_ok() => {
            Value::Number(text)
        }
        (Some("bool"), Value::String("true")) => Value::Bool(true),
        (Some("bool"), Value::String("false")) => Value::Bool(false),
        (_, default) => default,
    })
}

/// Whether the text of an expression that is not constant is added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Add,
    Leave,
}

/// What the language itself reads, by the kind of block. `dynamic` blocks are not in the JSON of the tools.
const RESOURCE: &[&str] =
    &["count", "for_each", "provider", "depends_on", "lifecycle", "connection", "provisioner", "dynamic"];
const CALL: &[&str] = &["source", "version", "count", "for_each", "providers", "depends_on", "lifecycle"];
const PROVIDER: &[&str] = &["alias", "version", "for_each"];
const PROVISIONER: &[&str] = &["when", "on_failure", "connection"];
/// A block whose contents are those of the block around it.
const ESCAPE: &str = "_";
/// The name that the kits for providers give to a block that is there once.
const TIMEOUTS: &str = "timeouts";

fn expression<'a>(term: &Term<'a>, text: Text) -> Json<'a> {
    let is_added = text == Text::Add && term.constant.is_none();
    object([
        ("constant_value", term.constant.map_or(NONE, Json::Constant)),
        ("references", Json::List(term.references.iter().cloned().map(Json::Text).collect())),
        ("text", Json::Text(if is_added { term.text } else { "" }.to_owned())),
    ])
}

fn expressions<'a>(body: &Body<'a>, left_out: &[&str], position: Position<'a>, text: Text) -> Members<'a> {
    let mut found = Members::new();
    for (name, term) in body.attributes.iter().filter(|(name, _)| !left_out.contains(&&**name)) {
        let part = match (position.member(name), term.json) {
            (Position::Blocks(nested), Some(value)) => {
                json_blocks(value, nested.nesting, position.member(name))
            }
            _ => expression(term, text),
        };
        found.insert(name.clone(), part);
    }
    for block in body.blocks.iter().filter(|block| !left_out.contains(&&*block.kind)) {
        if block.kind == ESCAPE {
            found.extend(expressions(&block.body, &[], position, text));
            continue;
        }
        let below = position.member(&block.kind);
        let nesting = match (below, &*block.labels) {
            (Position::Blocks(nested), _) => nested.nesting,
            (_, [_, ..]) => Nesting::Map,
            _ if block.kind == TIMEOUTS => Nesting::Single,
            _ => Nesting::List,
        };
        let left_out: &[&str] = if text == Text::Leave { &["dynamic"] } else { &[] };
        add(&mut found, &block.kind, nesting, &block.labels, || {
            expressions(&block.body, left_out, inside(nesting, below), text)
        });
    }
    found
}

/// The position of one block.
fn inside(nesting: Nesting, blocks: Position<'_>) -> Position<'_> {
    match nesting {
        Nesting::Map => blocks.member(""),
        Nesting::Single | Nesting::Group | Nesting::List | Nesting::Set => blocks.element(0),
    }
}

fn add<'a>(
    found: &mut Members<'a>,
    kind: &str,
    nesting: Nesting,
    labels: &[String],
    body: impl FnOnce() -> Members<'a>,
) {
    match nesting {
        Nesting::Single | Nesting::Group => {
            found.insert(kind.to_owned(), Json::Members(body()));
        }
        Nesting::List | Nesting::Set => {
            if let Json::List(bodies) = found.entry(kind.to_owned()).or_insert(NONE) {
                bodies.push(Json::Members(body()));
            }
        }
        Nesting::Map => {
            let keyed = found.entry(kind.to_owned()).or_insert_with(|| Json::Members(Members::new()));
            if let Json::Members(bodies) = keyed {
                bodies.insert(labels.join("."), Json::Members(body()));
            }
        }
    }
}

/// The blocks of one kind in the JSON syntax, which a schema calls blocks.
fn json_blocks<'a>(value: Value<'a>, nesting: Nesting, blocks: Position<'a>) -> Json<'a> {
    let one = |value: Value<'a>| {
        let members = value.as_object().unwrap_or_default().members().iter();
        let attributes = members.filter(|(name, _)| *name != "//").filter_map(|(name, member)| {
            Some(((*name).to_owned(), Term::json(*member, Tool::default()).ok()?))
        });
        let body = Body { attributes: attributes.collect(), blocks: Vec::new() };
        Json::Members(expressions(&body, &["dynamic"], inside(nesting, blocks), Text::Leave))
    };
    let items = value.as_array().map_or_else(|| vec![value], <[Value<'a>]>::to_vec);
    match nesting {
        Nesting::Single | Nesting::Group => {
            items.first().map_or_else(|| Json::Members(Members::new()), |item| one(*item))
        }
        Nesting::List | Nesting::Set => Json::List(items.into_iter().map(one).collect()),
        Nesting::Map => {
            let members = items.iter().flat_map(|item| item.as_object().unwrap_or_default().members());
            Json::Members(crate::sort::map(members.map(|(key, member)| ((*key).to_owned(), one(*member)))))
        }
    }
}

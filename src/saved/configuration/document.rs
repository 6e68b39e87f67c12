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

#[derive(Serialize)]
pub(super) struct Document<'a> {
    provider_config: BTreeMap<String, ProviderConfig<'a>>,
    root_module: Module<'a>,
}

#[derive(Default, Serialize)]
struct ProviderConfig<'a> {
    name: String,
    full_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    alias: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    version_constraint: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    module_address: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    expressions: Expressions<'a>,
}

#[derive(Default, Serialize)]
struct Module<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<String, Output<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Resource<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    module_calls: BTreeMap<String, Call<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<String, Variable<'a>>,
}

#[derive(Serialize)]
struct Output<'a> {
    expression: Expression<'a>,
}

#[derive(Serialize)]
struct Resource<'a> {
    mode: &'static str,
    #[serde(rename = "type")]
    kind: String,
    name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provisioners: Vec<Provisioner<'a>>,
    expressions: Expressions<'a>,
}

#[derive(Serialize)]
struct Provisioner<'a> {
    #[serde(rename = "type")]
    kind: String,
    /// When it runs, what happens if it fails, and where it runs: the tools write none of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    connection: Vec<Expressions<'a>>,
    expressions: Expressions<'a>,
}

#[derive(Serialize)]
struct Call<'a> {
    expressions: Expressions<'a>,
    module: Module<'a>,
}

#[derive(Serialize)]
struct Variable<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    sensitive: bool,
    #[serde(skip_serializing_if = "is_false")]
    ephemeral: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The arguments and blocks of a body, by name.
type Expressions<'a> = BTreeMap<String, Part<'a>>;

#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Expression(Expression<'a>),
    Bodies(Vec<Expressions<'a>>),
    Body(Expressions<'a>),
    Keyed(BTreeMap<String, Expressions<'a>>),
}

#[derive(Serialize)]
struct Expression<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    constant_value: Option<Value<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    references: Vec<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
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
    pub(super) fn document(&self) -> Result<Document<'a>, String> {
        let mut provider_config = BTreeMap::new();
        let root_module = self.module("", "", 0, &mut provider_config)?;
        Ok(Document { provider_config, root_module })
    }

    fn module(
        &self,
        key: &str,
        address: &str,
        depth: usize,
        providers: &mut BTreeMap<String, ProviderConfig<'a>>,
    ) -> Result<Module<'a>, String> {
        let body = self.modules.get(key).ok_or_else(|| format!("the module {key} is missing"))?;
        if depth > DEEPEST {
            return Err(format!("modules are nested more than {DEEPEST} deep"));
        }
        self.providers(body, address, providers);
        let mut module = Module::default();
        for block in &body.blocks {
            match (&*block.kind, block.labels()) {
                ("resource", _) => module.resources.extend(self.resource("managed", block)),
                ("data", _) => module.resources.extend(self.resource("data", block)),
                ("ephemeral", _) => module.resources.extend(self.resource("ephemeral", block)),
                ("check", _) => {
                    let data = block.body.blocks_of("data");
                    module.resources.extend(data.filter_map(|data| self.resource("data", data)));
                }
                ("variable", Some([name])) => {
                    module.variables.insert(name.to_owned(), variable(&block.body));
                }
                ("output", Some([name])) => {
                    if let Some(value) = block.body.attribute("value") {
                        let expression = expression(value, Text::Leave);
                        module.outputs.insert(name.to_owned(), Output { expression });
                    }
                }
                ("module", Some([name])) => {
                    let inner = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
                    let dot = if address.is_empty() { "" } else { "." };
                    let called = format!("{address}{dot}module.{name}");
                    let call = Call {
                        expressions: expressions(&block.body, CALL, Position::Unspecified, Text::Leave),
                        module: self.module(&inner, &called, depth + 1, providers)?,
                    };
                    module.module_calls.insert(name.to_owned(), call);
                }
                _ => {}
            }
        }
        Ok(module)
    }

    fn resource(&self, mode: &'static str, block: &Block<'a>) -> Option<Resource<'a>> {
        let [kind, name] = block.labels()?;
        let own = block.body.blocks_of("connection");
        let own: Vec<&Block<'a>> = own.collect();
        let provisioners = block.body.blocks_of("provisioner").filter_map(|block| provisioner(block, &own));
        Some(Resource {
            mode,
            provisioners: provisioners.collect(),
            expressions: expressions(&block.body, RESOURCE, (self.schema_of)(mode, kind), Text::Leave),
            kind: kind.to_owned(),
            name: name.to_owned(),
        })
    }

    fn providers(&self, body: &Body<'a>, address: &str, found: &mut BTreeMap<String, ProviderConfig<'a>>) {
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
            let config = ProviderConfig {
                name: name.clone(),
                full_name,
                version_constraint: version,
                module_address: address.to_owned(),
                ..ProviderConfig::default()
            };
            found.insert(key(name), config);
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
            let config = ProviderConfig {
                name: name.to_owned(),
                full_name,
                alias,
                version_constraint: versions.join(", "),
                module_address: address.to_owned(),
                expressions: expressions(&block.body, PROVIDER, Position::Unspecified, Text::Add),
            };
            found.insert(of, config);
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

fn provisioner<'a>(block: &Block<'a>, of_resource: &[&Block<'a>]) -> Option<Provisioner<'a>> {
    let [kind] = block.labels()?;
    // A keyword in the native syntax, a string in JSON.
    let word = |name: &str| {
        let term = block.body.attribute(name)?;
        Some(term.constant.and_then(Value::as_str).unwrap_or(term.text).to_owned())
    };
    let connections = of_resource.iter().copied().chain(block.body.blocks_of("connection"));
    Some(Provisioner {
        kind: kind.to_owned(),
        when: word("when"),
        on_failure: word("on_failure"),
        connection: connections
            .map(|block| expressions(&block.body, &[], Position::Unspecified, Text::Add))
            .collect(),
        expressions: expressions(&block.body, PROVISIONER, Position::Unspecified, Text::Add),
    })
}

fn variable<'a>(body: &Body<'a>) -> Variable<'a> {
    // What is not plainly false is taken for true.
    let is_set = |name| body.attribute(name).is_some_and(|term| term.constant != Some(Value::Bool(false)));
    Variable { default: default(body), sensitive: is_set("sensitive"), ephemeral: is_set("ephemeral") }
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

fn expression<'a>(term: &Term<'a>, text: Text) -> Expression<'a> {
    let is_added = text == Text::Add && term.constant.is_none();
    Expression {
        constant_value: term.constant,
        references: term.references.clone(),
        text: if is_added { term.text } else { "" },
    }
}

fn expressions<'a>(
    body: &Body<'a>,
    left_out: &[&str],
    position: Position<'a>,
    text: Text,
) -> Expressions<'a> {
    let mut found = Expressions::new();
    for (name, term) in body.attributes.iter().filter(|(name, _)| !left_out.contains(&&**name)) {
        let part = match (position.member(name), term.json) {
            (Position::Blocks(nested), Some(value)) => {
                json_blocks(value, nested.nesting, position.member(name))
            }
            _ => Part::Expression(expression(term, text)),
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
    found: &mut Expressions<'a>,
    kind: &str,
    nesting: Nesting,
    labels: &[String],
    body: impl FnOnce() -> Expressions<'a>,
) {
    match nesting {
        Nesting::Single | Nesting::Group => {
            found.insert(kind.to_owned(), Part::Body(body()));
        }
        Nesting::List | Nesting::Set => {
            match found.entry(kind.to_owned()).or_insert_with(|| Part::Bodies(Vec::new())) {
                Part::Bodies(bodies) => bodies.push(body()),
                Part::Expression(_) | Part::Body(_) | Part::Keyed(_) => {}
            }
        }
        Nesting::Map => match found.entry(kind.to_owned()).or_insert_with(|| Part::Keyed(BTreeMap::new())) {
            Part::Keyed(bodies) => {
                bodies.insert(labels.join("."), body());
            }
            Part::Expression(_) | Part::Body(_) | Part::Bodies(_) => {}
        },
    }
}

/// The blocks of one kind in the JSON syntax, which a schema calls blocks.
fn json_blocks<'a>(value: Value<'a>, nesting: Nesting, blocks: Position<'a>) -> Part<'a> {
    let one = |value: Value<'a>| -> Expressions<'a> {
        let members = value.as_object().unwrap_or_default().members().iter();
        let attributes = members.filter(|(name, _)| *name != "//").filter_map(|(name, member)| {
            Some(((*name).to_owned(), Term::json(*member, Tool::default()).ok()?))
        });
        let body = Body { attributes: attributes.collect(), blocks: Vec::new() };
        expressions(&body, &["dynamic"], inside(nesting, blocks), Text::Leave)
    };
    let items = value.as_array().map_or_else(|| vec![value], <[Value<'a>]>::to_vec);
    match nesting {
        Nesting::Single | Nesting::Group => {
            Part::Body(items.first().map(|item| one(*item)).unwrap_or_default())
        }
        Nesting::List | Nesting::Set => Part::Bodies(items.into_iter().map(one).collect()),
        Nesting::Map => {
            let members = items.iter().flat_map(|item| item.as_object().unwrap_or_default().members());
            Part::Keyed(members.map(|(key, member)| ((*key).to_owned(), one(*member))).collect())
        }
    }
}

//! The grammar of a Provider Code Specification: the members that each object may have.
//!
//! Written from the documentation of the specification. `tests/schema_oracle.py` checks it against the
//! official JSON Schema on mutated specifications. Attributes of resources have defaults and plan
//! modifiers, and those of providers are never computed; otherwise providers, data sources and resources
//! have the same grammar.

use crate::schema::specification::KINDS;

/// The rule for a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// A string with at least this many characters.
    Text(usize),
    /// A name.
    Identifier,
    /// One of these words.
    Word(&'static [&'static str]),
    Flag,
    Number,
    Object(Node),
    /// A list of at least this many objects.
    List(Node, usize),
}

impl Rule {
    /// The expected type, for messages.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Text(_) | Self::Identifier | Self::Word(_) => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Object(_) => "an object",
            Self::List(..) => "an array",
        }
    }

    /// A hint on what to add if the required member `name` is missing.
    pub(super) fn hint(self, name: &str) -> String {
        let Self::Word(words) = self else { return String::new() };
        let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        format!("add `{name}`: {}", words.join(", "))
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) required: bool,
}

fn may(name: &'static str, rule: Rule) -> Field {
    Field { name, rule, required: false }
}

fn must(name: &'static str, rule: Rule) -> Field {
    Field { name, rule, required: true }
}

/// The rule for an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectRule {
    /// The name of the object, for messages.
    pub(super) what: &'static str,
    pub(super) fields: Vec<Field>,
    /// Exactly one of these members is required.
    pub(super) one_of: &'static [&'static str],
    /// The meaning of that member, for messages.
    pub(super) one_of_what: &'static str,
    /// Whether the official schema rejects other members.
    pub(super) closed: bool,
    /// The minimum number of members.
    pub(super) least: usize,
    /// Whether it has attributes and blocks, whose names must differ.
    pub(super) has_members: bool,
}

impl ObjectRule {
    fn open(what: &'static str, fields: Vec<Field>) -> Self {
        Self { what, fields, one_of: &[], one_of_what: "kind", closed: false, least: 0, has_members: false }
    }

    fn closed(what: &'static str, fields: Vec<Field>) -> Self {
        Self { closed: true, ..Self::open(what, fields) }
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn known(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }
}

/// The owner of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Provider,
    DataSource,
    Resource,
}

/// The keyword for the type of an attribute, a block or a value, such as `list_nested`.
type TypeKeyword = &'static str;

/// An object of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Root,
    /// A provider, data source or resource.
    Named(Owner),
    Schema(Owner),
    Attribute(Owner),
    AttributeBody(Owner, TypeKeyword),
    Block(Owner),
    BlockBody(Owner, TypeKeyword),
    /// `nested_object` of an attribute.
    AttributeObject(Owner),
    /// `nested_object` of a block.
    BlockObject(Owner),
    ElementType,
    ObjectAttribute,
    TypeBody(TypeKeyword),
    CustomType,
    ExternalType,
    Import,
    Default(TypeKeyword),
    Validator,
    PlanModifier,
    Code,
}

const BLOCKS: [TypeKeyword; 3] = ["list_nested", "set_nested", "single_nested"];

/// The kinds of element types. The official schema does not allow `dynamic` here.
const ELEMENTS: [TypeKeyword; 9] =
    ["bool", "float64", "int64", "list", "map", "number", "object", "set", "string"];

const OBJECT_KINDS: [TypeKeyword; 10] =
    ["bool", "dynamic", "float64", "int64", "list", "map", "number", "object", "set", "string"];

const USAGES: [&str; 4] = ["computed", "computed_optional", "optional", "required"];

const PROVIDER_USAGES: [&str; 2] = ["optional", "required"];

impl Node {
    /// Whether the entries of a list of these objects must have different names.
    pub(super) fn has_name(self) -> bool {
        matches!(self, Self::Named(_) | Self::Attribute(_) | Self::Block(_) | Self::ObjectAttribute)
    }

    /// The rule for the object.
    pub(super) fn rule(self) -> ObjectRule {
        match self {
            Self::Root => ObjectRule::open(
                "the specification",
                vec![
                    must("version", Rule::Text(3)),
                    must("provider", Rule::Object(Self::Named(Owner::Provider))),
                    may("datasources", Rule::List(Self::Named(Owner::DataSource), 0)),
                    may("resources", Rule::List(Self::Named(Owner::Resource), 0)),
                ],
            ),
            Self::Named(owner) => {
                let schema = Rule::Object(Self::Schema(owner));
                let (what, schema) = match owner {
                    Owner::Provider => ("the provider", may("schema", schema)),
                    Owner::DataSource => ("a data source", must("schema", schema)),
                    Owner::Resource => ("a resource", must("schema", schema)),
                };
                ObjectRule::open(what, vec![must("name", Rule::Identifier), schema])
            }
            Self::Schema(owner) => schema(owner),
            Self::Attribute(owner) => {
                let kinds =
                    KINDS.iter().map(|kind| may(kind, Rule::Object(Self::AttributeBody(owner, kind))));
                kinds_of("an attribute", &KINDS, [must("name", Rule::Identifier)].into_iter().chain(kinds))
            }
            Self::Block(owner) => {
                let kinds = BLOCKS.iter().map(|kind| may(kind, Rule::Object(Self::BlockBody(owner, kind))));
                kinds_of("a block", &BLOCKS, [must("name", Rule::Identifier)].into_iter().chain(kinds))
            }
            Self::AttributeBody(owner, kind) => attribute_body(owner, kind),
            Self::BlockBody(owner, kind) => block_body(owner, kind),
            Self::AttributeObject(owner) => ObjectRule::open("`nested_object`", nested_object(owner)),
            Self::BlockObject(owner) => {
                let mut fields = nested_object(owner);
                fields.push(may("blocks", Rule::List(Self::Block(owner), 0)));
                ObjectRule { has_members: true, ..ObjectRule::open("`nested_object`", fields) }
            }
            Self::ElementType => {
                let kinds = ELEMENTS.iter().map(|kind| may(kind, Rule::Object(Self::TypeBody(kind))));
                kinds_of("an element type", &ELEMENTS, kinds)
            }
            Self::ObjectAttribute => {
                let kinds = OBJECT_KINDS.iter().map(|kind| may(kind, Rule::Object(Self::TypeBody(kind))));
                let fields = [must("name", Rule::Identifier)].into_iter().chain(kinds);
                kinds_of("an attribute type", &OBJECT_KINDS, fields)
            }
            Self::TypeBody(kind) => type_body(kind),
            Self::CustomType => ObjectRule::open(
                "`custom_type`",
                vec![
                    may("import", Rule::Object(Self::Import)),
                    must("type", Rule::Text(1)),
                    must("value_type", Rule::Text(1)),
                ],
            ),
            Self::ExternalType => ObjectRule::closed(
                "`associated_external_type`",
                vec![may("import", Rule::Object(Self::Import)), must("type", Rule::Text(0))],
            ),
            Self::Import => {
                ObjectRule::open("an import", vec![may("alias", Rule::Text(1)), must("path", Rule::Text(1))])
            }
            Self::Default(kind) => default(kind),
            Self::Validator => custom("a validator"),
            Self::PlanModifier => custom("a plan modifier"),
            Self::Code => ObjectRule::open(
                "`custom`",
                vec![may("imports", Rule::List(Self::Import, 1)), must("schema_definition", Rule::Text(0))],
            ),
        }
    }
}

/// The rule for an object whose kind is the name of one of its members.
fn kinds_of(
    what: &'static str,
    kinds: &'static [TypeKeyword],
    fields: impl Iterator<Item = Field>,
) -> ObjectRule {
    ObjectRule { one_of: kinds, ..ObjectRule::closed(what, fields.collect()) }
}

fn custom(what: &'static str) -> ObjectRule {
    ObjectRule::open(what, vec![must("custom", Rule::Object(Node::Code))])
}

fn schema(owner: Owner) -> ObjectRule {
    let fields = vec![
        may("attributes", Rule::List(Node::Attribute(owner), 0)),
        may("blocks", Rule::List(Node::Block(owner), 0)),
        may("description", Rule::Text(0)),
        may("markdown_description", Rule::Text(0)),
        may("deprecation_message", Rule::Text(0)),
    ];
    let least = if owner == Owner::Provider { 0 } else { 1 };
    ObjectRule { least, has_members: true, ..ObjectRule::open("the schema", fields) }
}

fn attribute_body(owner: Owner, kind: TypeKeyword) -> ObjectRule {
    let usage = match owner {
        Owner::Provider => must("optional_required", Rule::Word(&PROVIDER_USAGES)),
        Owner::DataSource | Owner::Resource => must("computed_optional_required", Rule::Word(&USAGES)),
    };
    let mut fields = vec![usage];
    fields.extend(described(owner, kind));
    fields.push(may("sensitive", Rule::Flag));
    if !matches!(kind, "list_nested" | "map_nested" | "set_nested") {
        fields.push(may("associated_external_type", Rule::Object(Node::ExternalType)));
    }
    match kind {
        "list" | "map" | "set" => fields.push(must("element_type", Rule::Object(Node::ElementType))),
        "object" => fields.push(must("attribute_types", Rule::List(Node::ObjectAttribute, 1))),
        "list_nested" | "map_nested" | "set_nested" => {
            fields.push(must("nested_object", Rule::Object(Node::AttributeObject(owner))));
        }
        "single_nested" => fields.push(may("attributes", Rule::List(Node::Attribute(owner), 0))),
        _ => {}
    }
    ObjectRule::closed("this attribute", fields)
}

fn block_body(owner: Owner, kind: TypeKeyword) -> ObjectRule {
    let mut fields = described(owner, kind);
    if kind == "single_nested" {
        fields.extend([
            may("associated_external_type", Rule::Object(Node::ExternalType)),
            may("attributes", Rule::List(Node::Attribute(owner), 0)),
            may("blocks", Rule::List(Node::Block(owner), 0)),
        ]);
    } else {
        fields.push(must("nested_object", Rule::Object(Node::BlockObject(owner))));
    }
    ObjectRule { has_members: true, ..ObjectRule::closed("this block", fields) }
}

/// The members that attributes and blocks have in common.
fn described(owner: Owner, kind: TypeKeyword) -> Vec<Field> {
    let mut fields = vec![
        may("custom_type", Rule::Object(Node::CustomType)),
        may("deprecation_message", Rule::Text(0)),
        may("description", Rule::Text(0)),
        may("validators", Rule::List(Node::Validator, 0)),
    ];
    if owner == Owner::Resource {
        fields.push(may("default", Rule::Object(Node::Default(kind))));
        fields.push(may("plan_modifiers", Rule::List(Node::PlanModifier, 0)));
    }
    fields
}

fn nested_object(owner: Owner) -> Vec<Field> {
    let mut fields = vec![
        may("associated_external_type", Rule::Object(Node::ExternalType)),
        may("attributes", Rule::List(Node::Attribute(owner), 0)),
        may("custom_type", Rule::Object(Node::CustomType)),
        may("validators", Rule::List(Node::Validator, 0)),
    ];
    if owner == Owner::Resource {
        fields.push(may("plan_modifiers", Rule::List(Node::PlanModifier, 0)));
    }
    fields
}

fn type_body(kind: TypeKeyword) -> ObjectRule {
    let mut fields = vec![may("custom_type", Rule::Object(Node::CustomType))];
    match kind {
        "list" | "map" | "set" => fields.push(must("element_type", Rule::Object(Node::ElementType))),
        "object" => fields.push(may("attribute_types", Rule::List(Node::ObjectAttribute, 1))),
        _ => {}
    }
    ObjectRule::closed("this type", fields)
}

/// The rule for a default: a static value for some primitive types (not `number`), code for all types.
fn default(kind: TypeKeyword) -> ObjectRule {
    let code = Rule::Object(Node::Code);
    let value = match kind {
        "bool" => Rule::Flag,
        "float64" | "int64" => Rule::Number,
        "string" => Rule::Text(0),
        _ => return ObjectRule::open("the default", vec![must("custom", code)]),
    };
    ObjectRule {
        one_of: &["custom", "static"],
        one_of_what: "value",
        ..ObjectRule::open("the default", vec![may("custom", code), may("static", value)])
    }
}

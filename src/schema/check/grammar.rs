//! The grammar of a Provider Code Specification.
//!
//! Written from the documentation of the specification; `tests/schema_oracle.py` checks it against the
//! official JSON Schema. Attributes of resources have defaults and plan modifiers, and those of providers are
//! never computed; otherwise providers, data sources and resources have the same grammar.

use crate::schema::specification::KINDS;

#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Text(usize),
    Identifier,
    Word(&'static [&'static str]),
    Flag,
    Number,
    Object(Node),
    List(Node, usize),
}

impl Rule {
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Text(_) | Self::Identifier | Self::Word(_) => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Object(_) => "an object",
            Self::List(..) => "an array",
        }
    }

    pub(super) fn hint(self, name: &str) -> String {
        let Self::Word(words) = self else {
            return String::new();
        };
        let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        format!("add `{name}`: {}", words.join(", "))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) required: bool,
}

#[derive(Clone, Debug)]
pub(super) struct ObjectRule {
    pub(super) what: &'static str,
    pub(super) fields: Vec<Field>,
    /// Exactly one is required.
    pub(super) one_of: &'static [&'static str],
    pub(super) one_of_what: &'static str,
    pub(super) closed: bool,
    pub(super) least: usize,
    pub(super) has_members: bool,
}

impl ObjectRule {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(super) fn known(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Provider,
    DataSource,
    Resource,
}

/// The keyword for a type, such as `list_nested`.
type TypeKeyword = &'static str;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    part: Part,
    owner: Owner,
    kind: TypeKeyword,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Root,
    Named,
    Schema,
    Attribute,
    AttributeBody,
    Block,
    BlockBody,
    AttributeObject,
    BlockObject,
    ElementType,
    ObjectAttribute,
    TypeBody,
    CustomType,
    ExternalType,
    Import,
    Default,
    Validator,
    PlanModifier,
    Code,
}

const BLOCKS: [TypeKeyword; 3] = ["list_nested", "set_nested", "single_nested"];

/// The official schema does not allow `dynamic` here.
const ELEMENTS: [TypeKeyword; 9] = [
    "bool", "float64", "int64", "list", "map", "number", "object", "set", "string",
];

const OBJECT_KINDS: [TypeKeyword; 10] = [
    "bool", "dynamic", "float64", "int64", "list", "map", "number", "object", "set", "string",
];

const USAGES: [&str; 4] = ["computed", "computed_optional", "optional", "required"];

const PROVIDER_USAGES: [&str; 2] = ["optional", "required"];

impl Node {
    pub(super) const ROOT: Self = Self {
        part: Part::Root,
        owner: Owner::Provider,
        kind: "",
    };

    pub(super) fn has_name(self) -> bool {
        matches!(
            self.part,
            Part::Named | Part::Attribute | Part::Block | Part::ObjectAttribute
        )
    }

    pub(super) fn rule(self) -> ObjectRule {
        let is_resource = self.owner == Owner::Resource;
        let modifiers = if is_resource { "plan_modifiers" } else { "" };
        let default = if is_resource { "default" } else { "" };
        let described = [
            "custom_type deprecation_message description validators",
            default,
            modifiers,
        ];
        let nested = [
            "associated_external_type attributes custom_type validators",
            modifiers,
        ];
        match self.part {
            Part::Root => self.open(
                "the specification",
                &["version! provider! datasources resources"],
            ),
            Part::Named => match self.owner {
                Owner::Provider => self.open("the provider", &["name! schema"]),
                Owner::DataSource => self.open("a data source", &["name! schema!"]),
                Owner::Resource => self.open("a resource", &["name! schema!"]),
            },
            Part::Schema => {
                let members =
                    "attributes blocks description markdown_description deprecation_message";
                let least = if self.owner == Owner::Provider { 0 } else { 1 };
                ObjectRule {
                    least,
                    has_members: true,
                    ..self.open("the schema", &[members])
                }
            }
            Part::Attribute => self.one_of("an attribute", "name!", &KINDS),
            Part::Block => self.one_of("a block", "name!", &BLOCKS),
            Part::ElementType => self.one_of("an element type", "", &ELEMENTS),
            Part::ObjectAttribute => self.one_of("an attribute type", "name!", &OBJECT_KINDS),
            Part::AttributeBody => {
                let usage = match self.owner {
                    Owner::Provider => "optional_required!",
                    Owner::DataSource | Owner::Resource => "computed_optional_required!",
                };
                let own = match self.kind {
                    "list" | "map" | "set" => "sensitive associated_external_type element_type!",
                    "object" => "sensitive associated_external_type attribute_types!",
                    "list_nested" | "map_nested" | "set_nested" => "sensitive nested_object!",
                    "single_nested" => "sensitive associated_external_type attributes",
                    _ => "sensitive associated_external_type",
                };
                self.closed(
                    "this attribute",
                    &[&[usage], &described[..], &[own]].concat(),
                )
            }
            Part::BlockBody => {
                let own = match self.kind {
                    "single_nested" => "associated_external_type attributes blocks",
                    _ => "nested_object!",
                };
                let members = [&described[..], &[own]].concat();
                ObjectRule {
                    has_members: true,
                    ..self.closed("this block", &members)
                }
            }
            Part::AttributeObject => self.open("`nested_object`", &nested),
            Part::BlockObject => {
                let members = [&nested[..], &["blocks"]].concat();
                ObjectRule {
                    has_members: true,
                    ..self.open("`nested_object`", &members)
                }
            }
            Part::TypeBody => {
                let own = match self.kind {
                    "list" | "map" | "set" => "element_type!",
                    "object" => "attribute_types",
                    _ => "",
                };
                self.closed("this type", &["custom_type", own])
            }
            Part::CustomType => self.open("`custom_type`", &["import type! value_type!"]),
            Part::ExternalType => self.closed("`associated_external_type`", &["import type!"]),
            Part::Import => self.open("an import", &["alias path!"]),
            // A static value for some primitive types (not `number`), code for all types.
            Part::Default if matches!(self.kind, "bool" | "float64" | "int64" | "string") => {
                ObjectRule {
                    one_of: &["custom", "static"],
                    one_of_what: "value",
                    ..self.open("the default", &["custom static"])
                }
            }
            Part::Default => self.open("the default", &["custom!"]),
            Part::Validator => self.open("a validator", &["custom!"]),
            Part::PlanModifier => self.open("a plan modifier", &["custom!"]),
            Part::Code => self.open("`custom`", &["imports schema_definition!"]),
        }
    }

    /// Other members are allowed. `!` follows the name of a required one.
    fn open(self, what: &'static str, members: &[&'static str]) -> ObjectRule {
        let field = |word: &'static str| {
            let name = word.trim_end_matches('!');
            Field {
                name,
                rule: self.member(name),
                required: name != word,
            }
        };
        let fields = members
            .iter()
            .flat_map(|words| words.split_whitespace())
            .map(field)
            .collect();
        let (one_of, one_of_what) = (&[][..], "kind");
        ObjectRule {
            what,
            fields,
            one_of,
            one_of_what,
            closed: false,
            least: 0,
            has_members: false,
        }
    }

    fn closed(self, what: &'static str, members: &[&'static str]) -> ObjectRule {
        ObjectRule {
            closed: true,
            ..self.open(what, members)
        }
    }

    fn one_of(
        self,
        what: &'static str,
        members: &'static str,
        kinds: &'static [TypeKeyword],
    ) -> ObjectRule {
        ObjectRule {
            one_of: kinds,
            ..self.closed(what, &[&[members], kinds].concat())
        }
    }

    fn member(self, name: &'static str) -> Rule {
        let at = |part| Self { part, ..self };
        let named = |owner| Self {
            owner,
            ..at(Part::Named)
        };
        let of_kind = |part| {
            Rule::Object(Self {
                kind: name,
                ..at(part)
            })
        };
        match (self.part, name) {
            (_, "name") => Rule::Identifier,
            (Part::Attribute, _) => of_kind(Part::AttributeBody),
            (Part::Block, _) => of_kind(Part::BlockBody),
            (Part::ElementType | Part::ObjectAttribute, _) => of_kind(Part::TypeBody),
            (_, "version") => Rule::Text(3),
            (_, "provider") => Rule::Object(named(Owner::Provider)),
            (_, "datasources") => Rule::List(named(Owner::DataSource), 0),
            (_, "resources") => Rule::List(named(Owner::Resource), 0),
            (_, "schema") => Rule::Object(at(Part::Schema)),
            (_, "attributes") => Rule::List(at(Part::Attribute), 0),
            (_, "blocks") => Rule::List(at(Part::Block), 0),
            (_, "optional_required") => Rule::Word(&PROVIDER_USAGES),
            (_, "computed_optional_required") => Rule::Word(&USAGES),
            (_, "custom_type") => Rule::Object(at(Part::CustomType)),
            (_, "validators") => Rule::List(at(Part::Validator), 0),
            (_, "default") => Rule::Object(at(Part::Default)),
            (_, "plan_modifiers") => Rule::List(at(Part::PlanModifier), 0),
            (_, "sensitive") => Rule::Flag,
            (_, "associated_external_type") => Rule::Object(at(Part::ExternalType)),
            (_, "element_type") => Rule::Object(at(Part::ElementType)),
            (_, "attribute_types") => Rule::List(at(Part::ObjectAttribute), 1),
            (Part::BlockBody, "nested_object") => Rule::Object(at(Part::BlockObject)),
            (_, "nested_object") => Rule::Object(at(Part::AttributeObject)),
            (_, "import") => Rule::Object(at(Part::Import)),
            (_, "imports") => Rule::List(at(Part::Import), 1),
            (_, "custom") => Rule::Object(at(Part::Code)),
            (_, "alias" | "path" | "value_type") | (Part::CustomType, "type") => Rule::Text(1),
            (_, "static") if self.kind == "bool" => Rule::Flag,
            (_, "static") if self.kind != "string" => Rule::Number,
            _ => Rule::Text(0),
        }
    }
}

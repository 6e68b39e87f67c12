//! The grammar of a Provider Code Specification.
//!
//! Written from the documentation of the specification; `tests/schema_oracle.py` checks it against the
//! official JSON Schema. Attributes of resources have defaults and plan modifiers, and those of providers are
//! never computed; otherwise providers, data sources and resources have the same grammar.

use self::Member::{Optional, Required};
use crate::schema::specification::KINDS;

/// What a value must be.
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

/// A member that an object may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) required: bool,
}

/// What an object must be.
#[derive(Clone, Debug)]
pub(super) struct ObjectRule {
    /// What the object is, in messages.
    pub(super) what: &'static str,
    /// The members that it may have.
    pub(super) fields: Vec<Field>,
    /// Members of which exactly one is required.
    pub(super) one_of: &'static [&'static str],
    /// What these are, in messages.
    pub(super) one_of_what: &'static str,
    /// Whether it has no other members.
    pub(super) closed: bool,
    /// The least number of members.
    pub(super) least: usize,
    /// Whether its members include attributes or blocks.
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

/// What an attribute belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Provider,
    DataSource,
    Resource,
}

/// The keyword for a type, such as `list_nested`.
type TypeKeyword = &'static str;

/// An object of the grammar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    part: Part,
    owner: Owner,
    kind: TypeKeyword,
}

/// The kinds of objects.
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

/// A member of an object.
#[derive(Clone, Copy, Debug)]
enum Member {
    Required(&'static str),
    Optional(&'static str),
}

const DESCRIBED: [Member; 4] = [
    Optional("custom_type"),
    Optional("deprecation_message"),
    Optional("description"),
    Optional("validators"),
];

const NESTED: [Member; 4] = [
    Optional("associated_external_type"),
    Optional("attributes"),
    Optional("custom_type"),
    Optional("validators"),
];

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

    /// Returns the rule of the object.
    pub(super) fn rule(self) -> ObjectRule {
        let (modifiers, default): (&[Member], &[Member]) = match self.owner {
            Owner::Resource => (&[Optional("plan_modifiers")], &[Optional("default")]),
            Owner::Provider | Owner::DataSource => (&[], &[]),
        };
        let described = [&DESCRIBED, default, modifiers].concat();
        let nested = [&NESTED, modifiers].concat();
        match self.part {
            Part::Root => self.open(
                "the specification",
                &[
                    Required("version"),
                    Required("provider"),
                    Optional("datasources"),
                    Optional("resources"),
                ],
            ),
            Part::Named => match self.owner {
                Owner::Provider => {
                    self.open("the provider", &[Required("name"), Optional("schema")])
                }
                Owner::DataSource => {
                    self.open("a data source", &[Required("name"), Required("schema")])
                }
                Owner::Resource => self.open("a resource", &[Required("name"), Required("schema")]),
            },
            Part::Schema => ObjectRule {
                least: if self.owner == Owner::Provider { 0 } else { 1 },
                has_members: true,
                ..self.open(
                    "the schema",
                    &[
                        Optional("attributes"),
                        Optional("blocks"),
                        Optional("description"),
                        Optional("markdown_description"),
                        Optional("deprecation_message"),
                    ],
                )
            },
            Part::Attribute => self.one_of("an attribute", &[Required("name")], &KINDS),
            Part::Block => self.one_of("a block", &[Required("name")], &BLOCKS),
            Part::ElementType => self.one_of("an element type", &[], &ELEMENTS),
            Part::ObjectAttribute => {
                self.one_of("an attribute type", &[Required("name")], &OBJECT_KINDS)
            }
            Part::AttributeBody => {
                let usage = match self.owner {
                    Owner::Provider => Required("optional_required"),
                    Owner::DataSource | Owner::Resource => Required("computed_optional_required"),
                };
                let of_kind: &[Member] = match self.kind {
                    "list" | "map" | "set" => &[
                        Optional("associated_external_type"),
                        Required("element_type"),
                    ],
                    "object" => &[
                        Optional("associated_external_type"),
                        Required("attribute_types"),
                    ],
                    "list_nested" | "map_nested" | "set_nested" => &[Required("nested_object")],
                    "single_nested" => {
                        &[Optional("associated_external_type"), Optional("attributes")]
                    }
                    _ => &[Optional("associated_external_type")],
                };
                let members =
                    [&[usage], &described[..], &[Optional("sensitive")], of_kind].concat();
                self.closed("this attribute", &members)
            }
            Part::BlockBody => {
                let of_kind: &[Member] = match self.kind {
                    "single_nested" => &[
                        Optional("associated_external_type"),
                        Optional("attributes"),
                        Optional("blocks"),
                    ],
                    _ => &[Required("nested_object")],
                };
                ObjectRule {
                    has_members: true,
                    ..self.closed("this block", &[&described[..], of_kind].concat())
                }
            }
            Part::AttributeObject => self.open("`nested_object`", &nested),
            Part::BlockObject => ObjectRule {
                has_members: true,
                ..self.open(
                    "`nested_object`",
                    &[&nested[..], &[Optional("blocks")]].concat(),
                )
            },
            Part::TypeBody => {
                let of_kind: &[Member] = match self.kind {
                    "list" | "map" | "set" => &[Required("element_type")],
                    "object" => &[Optional("attribute_types")],
                    _ => &[],
                };
                self.closed("this type", &[&[Optional("custom_type")], of_kind].concat())
            }
            Part::CustomType => self.open(
                "`custom_type`",
                &[Optional("import"), Required("type"), Required("value_type")],
            ),
            Part::ExternalType => self.closed(
                "`associated_external_type`",
                &[Optional("import"), Required("type")],
            ),
            Part::Import => self.open("an import", &[Optional("alias"), Required("path")]),
            // A static value for some primitive types (not `number`), code for all types.
            Part::Default if matches!(self.kind, "bool" | "float64" | "int64" | "string") => {
                ObjectRule {
                    one_of: &["custom", "static"],
                    one_of_what: "value",
                    ..self.open("the default", &[Optional("custom"), Optional("static")])
                }
            }
            Part::Default => self.open("the default", &[Required("custom")]),
            Part::Validator => self.open("a validator", &[Required("custom")]),
            Part::PlanModifier => self.open("a plan modifier", &[Required("custom")]),
            Part::Code => self.open(
                "`custom`",
                &[Optional("imports"), Required("schema_definition")],
            ),
        }
    }

    /// An object that may have other members, too.
    fn open(self, what: &'static str, members: &[Member]) -> ObjectRule {
        let fields = members.iter().map(|member| {
            let (name, required) = match *member {
                Required(name) => (name, true),
                Optional(name) => (name, false),
            };
            Field {
                name,
                rule: self.member(name),
                required,
            }
        });
        ObjectRule {
            what,
            fields: fields.collect(),
            one_of: &[],
            one_of_what: "kind",
            closed: false,
            least: 0,
            has_members: false,
        }
    }

    fn closed(self, what: &'static str, members: &[Member]) -> ObjectRule {
        ObjectRule {
            closed: true,
            ..self.open(what, members)
        }
    }

    /// An object with exactly one of `kinds`.
    fn one_of(
        self,
        what: &'static str,
        members: &[Member],
        kinds: &'static [TypeKeyword],
    ) -> ObjectRule {
        let mut members = members.to_vec();
        members.extend(kinds.iter().map(|kind| Optional(kind)));
        ObjectRule {
            one_of: kinds,
            ..self.closed(what, &members)
        }
    }

    /// Returns the rule of a member.
    fn member(self, name: &'static str) -> Rule {
        let with_part = |part| Self { part, ..self };
        let named = |owner| Self {
            owner,
            ..with_part(Part::Named)
        };
        let of_kind = |part| {
            Rule::Object(Self {
                kind: name,
                ..with_part(part)
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
            (_, "schema") => Rule::Object(with_part(Part::Schema)),
            (_, "attributes") => Rule::List(with_part(Part::Attribute), 0),
            (_, "blocks") => Rule::List(with_part(Part::Block), 0),
            (_, "optional_required") => Rule::Word(&PROVIDER_USAGES),
            (_, "computed_optional_required") => Rule::Word(&USAGES),
            (_, "custom_type") => Rule::Object(with_part(Part::CustomType)),
            (_, "validators") => Rule::List(with_part(Part::Validator), 0),
            (_, "default") => Rule::Object(with_part(Part::Default)),
            (_, "plan_modifiers") => Rule::List(with_part(Part::PlanModifier), 0),
            (_, "sensitive") => Rule::Flag,
            (_, "associated_external_type") => Rule::Object(with_part(Part::ExternalType)),
            (_, "element_type") => Rule::Object(with_part(Part::ElementType)),
            (_, "attribute_types") => Rule::List(with_part(Part::ObjectAttribute), 1),
            (Part::BlockBody, "nested_object") => Rule::Object(with_part(Part::BlockObject)),
            (_, "nested_object") => Rule::Object(with_part(Part::AttributeObject)),
            (_, "import") => Rule::Object(with_part(Part::Import)),
            (_, "imports") => Rule::List(with_part(Part::Import), 1),
            (_, "custom") => Rule::Object(with_part(Part::Code)),
            (_, "alias" | "path" | "value_type") | (Part::CustomType, "type") => Rule::Text(1),
            (_, "static") if self.kind == "bool" => Rule::Flag,
            (_, "static") if self.kind != "string" => Rule::Number,
            _ => Rule::Text(0),
        }
    }
}

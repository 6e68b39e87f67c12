//! The grammar of a Provider Code Specification (version 0.1): which members each object may have, and what their
//! values must be.
//!
//! It was written from the documentation of the specification; `tests/schema_oracle.py` checks it against the official
//! JSON Schema. Attributes of resources have defaults and plan modifiers, and those of providers are never computed;
//! otherwise providers, data sources and resources have the same grammar.

use self::Member::{Optional, Required};
use crate::schema::specification::KINDS;

/// The rule for a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// A string of at least so many characters.
    Text(usize),
    /// A string that is a valid name.
    Identifier,
    /// A string that is one of these words.
    Word(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// An object of the grammar.
    Object(Node),
    /// An array of at least so many objects.
    List(Node, usize),
}

impl Rule {
    /// Returns the kind of value that the rule asks for, in words.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Text(_) | Self::Identifier | Self::Word(_) => "a string",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Object(_) => "an object",
            Self::List(..) => "an array",
        }
    }

    /// Returns a hint for a missing member with this rule, if its value is one of a few words; else it is empty.
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

/// The rule for an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectRule {
    /// The noun for the object in messages.
    pub(super) what: &'static str,
    /// The members that it may have.
    pub(super) fields: Vec<Field>,
    /// The members of which exactly one is required; empty if there are no such members.
    pub(super) one_of: &'static [&'static str],
    /// The noun for the members in `one_of` in messages.
    pub(super) one_of_what: &'static str,
    /// Whether other members are errors; else they are only warnings, because no tool reads them.
    pub(super) closed: bool,
    /// The minimum number of members.
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

/// The part of the specification to which an attribute belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Provider,
    DataSource,
    Resource,
}

/// The keyword for a type, such as `list_nested`.
type TypeKeyword = &'static str;

/// An object of the grammar: its kind, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    part: Part,
    owner: Owner,
    kind: TypeKeyword,
}

/// The kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The specification as a whole.
    Root,
    /// A provider, a data source or a resource.
    Named,
    /// The schema of a provider, a data source or a resource.
    Schema,
    /// An entry of `attributes`.
    Attribute,
    /// The value of the member that says the type of an attribute, such as `string`.
    AttributeBody,
    /// An entry of `blocks`.
    Block,
    /// The value of the member that says the nesting of a block, such as `list_nested`.
    BlockBody,
    /// The `nested_object` of an attribute.
    AttributeObject,
    /// The `nested_object` of a block.
    BlockObject,
    /// The `element_type` of a collection.
    ElementType,
    /// An entry of `attribute_types`.
    ObjectAttribute,
    /// The value of the member that says the type of an element or of an attribute of an object type.
    TypeBody,
    /// A `custom_type`.
    CustomType,
    /// An `associated_external_type`.
    ExternalType,
    /// An `import`, or an entry of `imports`.
    Import,
    /// The `default` of an attribute.
    Default,
    /// An entry of `validators`.
    Validator,
    /// An entry of `plan_modifiers`.
    PlanModifier,
    /// A `custom`: code in Go.
    Code,
}

/// The keywords for the nesting of blocks.
const BLOCKS: [TypeKeyword; 3] = ["list_nested", "set_nested", "single_nested"];

/// The keywords for the types of elements. The official schema does not allow `dynamic` here.
const ELEMENTS: [TypeKeyword; 9] = [
    "bool", "float64", "int64", "list", "map", "number", "object", "set", "string",
];

/// The keywords for the types of the attributes of an object type.
const OBJECT_KINDS: [TypeKeyword; 10] = [
    "bool", "dynamic", "float64", "int64", "list", "map", "number", "object", "set", "string",
];

/// The values of `computed_optional_required`.
const USAGES: [&str; 4] = ["computed", "computed_optional", "optional", "required"];

/// The values of `optional_required`, which attributes of providers have.
const PROVIDER_USAGES: [&str; 2] = ["optional", "required"];

/// A member of an object.
#[derive(Clone, Copy, Debug)]
enum Member {
    Required(&'static str),
    Optional(&'static str),
}

/// The members that all attributes and blocks may have.
const DESCRIBED: [Member; 4] = [
    Optional("custom_type"),
    Optional("deprecation_message"),
    Optional("description"),
    Optional("validators"),
];

/// The members that every `nested_object` may have.
const NESTED: [Member; 4] = [
    Optional("associated_external_type"),
    Optional("attributes"),
    Optional("custom_type"),
    Optional("validators"),
];

impl Node {
    /// The specification as a whole, where the check begins.
    pub(super) const ROOT: Self = Self {
        part: Part::Root,
        owner: Owner::Provider,
        kind: "",
    };

    /// Whether entries of this kind have a `name` that must be unique in their list.
    pub(super) fn has_name(self) -> bool {
        matches!(
            self.part,
            Part::Named | Part::Attribute | Part::Block | Part::ObjectAttribute
        )
    }

    /// Returns the rule for the object.
    pub(super) fn rule(self) -> ObjectRule {
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
            Part::Named => self.named(),
            Part::Schema => self.schema(),
            Part::Attribute => self.one_of("an attribute", &[Required("name")], &KINDS),
            Part::Block => self.one_of("a block", &[Required("name")], &BLOCKS),
            Part::ElementType => self.one_of("an element type", &[], &ELEMENTS),
            Part::ObjectAttribute => {
                self.one_of("an attribute type", &[Required("name")], &OBJECT_KINDS)
            }
            Part::AttributeBody => self.attribute_body(),
            Part::BlockBody => self.block_body(),
            Part::AttributeObject => self.open("`nested_object`", &self.nested()),
            Part::BlockObject => {
                let members = [&self.nested()[..], &[Optional("blocks")]].concat();
                ObjectRule {
                    has_members: true,
                    ..self.open("`nested_object`", &members)
                }
            }
            Part::TypeBody => self.type_body(),
            Part::CustomType => self.open(
                "`custom_type`",
                &[Optional("import"), Required("type"), Required("value_type")],
            ),
            Part::ExternalType => self.closed(
                "`associated_external_type`",
                &[Optional("import"), Required("type")],
            ),
            Part::Import => self.open("an import", &[Optional("alias"), Required("path")]),
            Part::Default => self.default(),
            Part::Validator => self.open("a validator", &[Required("custom")]),
            Part::PlanModifier => self.open("a plan modifier", &[Required("custom")]),
            Part::Code => self.open(
                "`custom`",
                &[Optional("imports"), Required("schema_definition")],
            ),
        }
    }

    /// Returns the rule for a provider, a data source or a resource.
    fn named(self) -> ObjectRule {
        match self.owner {
            Owner::Provider => self.open("the provider", &[Required("name"), Optional("schema")]),
            Owner::DataSource => {
                self.open("a data source", &[Required("name"), Required("schema")])
            }
            Owner::Resource => self.open("a resource", &[Required("name"), Required("schema")]),
        }
    }

    /// Returns the rule for a schema. Only that of a provider may be empty.
    fn schema(self) -> ObjectRule {
        let least = match self.owner {
            Owner::Provider => 0,
            Owner::DataSource | Owner::Resource => 1,
        };
        ObjectRule {
            least,
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
        }
    }

    /// Returns the members that only attributes and blocks of resources may have: their plan modifiers.
    fn modifiers(self) -> &'static [Member] {
        match self.owner {
            Owner::Resource => &[Optional("plan_modifiers")],
            Owner::Provider | Owner::DataSource => &[],
        }
    }

    /// Returns the members that all attributes and blocks of this owner may have.
    fn described(self) -> Vec<Member> {
        let default: &[Member] = match self.owner {
            Owner::Resource => &[Optional("default")],
            Owner::Provider | Owner::DataSource => &[],
        };
        [&DESCRIBED, default, self.modifiers()].concat()
    }

    /// Returns the members that every `nested_object` of this owner may have.
    fn nested(self) -> Vec<Member> {
        [&NESTED, self.modifiers()].concat()
    }

    /// Returns the rule for the value of the member that says the type of an attribute.
    fn attribute_body(self) -> ObjectRule {
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
            "single_nested" => &[Optional("associated_external_type"), Optional("attributes")],
            _ => &[Optional("associated_external_type")],
        };
        let mut members = vec![usage];
        members.extend(self.described());
        members.push(Optional("sensitive"));
        members.extend(of_kind);
        self.closed("this attribute", &members)
    }

    /// Returns the rule for the value of the member that says the nesting of a block.
    fn block_body(self) -> ObjectRule {
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
            ..self.closed("this block", &[&self.described()[..], of_kind].concat())
        }
    }

    /// Returns the rule for the value of the member that says the type of an element, or of an attribute of an object
    /// type.
    fn type_body(self) -> ObjectRule {
        let of_kind: &[Member] = match self.kind {
            "list" | "map" | "set" => &[Required("element_type")],
            "object" => &[Optional("attribute_types")],
            _ => &[],
        };
        self.closed("this type", &[&[Optional("custom_type")], of_kind].concat())
    }

    /// Returns the rule for a `default`: a static value for some primitive types (not for `number`), or code for all
    /// types.
    fn default(self) -> ObjectRule {
        if matches!(self.kind, "bool" | "float64" | "int64" | "string") {
            return ObjectRule {
                one_of: &["custom", "static"],
                one_of_what: "value",
                ..self.open("the default", &[Optional("custom"), Optional("static")])
            };
        }
        self.open("the default", &[Required("custom")])
    }

    /// Makes the rule for an object in which other members are only warnings.
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

    /// Makes the rule for an object in which other members are errors.
    fn closed(self, what: &'static str, members: &[Member]) -> ObjectRule {
        ObjectRule {
            closed: true,
            ..self.open(what, members)
        }
    }

    /// Makes the rule for a closed object that has exactly one of `kinds`.
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

    /// Returns the rule for a member of the object.
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

//! The catalog of complete schemas: every kind of schema, with descriptions, flags and deprecations.
//!
//! This is the model of `tfview schema`; [`super::Schemas`] builds only what the differ needs.
//!
//! Invariants: adding a file only indexes it; a schema is parsed by `Entry::schema`. If several sources have a schema
//! with the same provider, kind and name, the first one is kept.

mod member;

use std::collections::HashSet;

use bumpalo::Bump;

use super::address::provider_type;
use super::kind::SchemaKind;
use super::read::{self, AttributeForm};
use super::source::{self, ProviderSource};
use super::{Error, Inside as _};
use crate::json::{Raw, Str, Value};

pub use member::{About, Body, Form, Function, Member, Parameter, Schema, Type, Usage};

/// All schemas of the given files.
#[derive(Debug, Default)]
pub struct Catalog<'a> {
    entries: Vec<Entry<'a>>,
    known: HashSet<(String, SchemaKind, String)>,
    unknown: Vec<String>,
}

/// A schema that was indexed, but not parsed.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The source address of the provider.
    pub provider: Str<'a>,
    /// The kind of the schema.
    pub kind: SchemaKind,
    /// The name of the type or function. The schema of a provider's configuration has the last part of the provider's
    /// address.
    pub name: Str<'a>,
    /// The JSON of the schema.
    raw: Raw<'a>,
    /// Whether it is from a Provider Code Specification.
    pub is_of_specification: bool,
}

impl<'a> Catalog<'a> {
    /// Makes a catalog without schemas.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the schemas of a file, which is a document of `providers schema -json` or a specification.
    ///
    /// # Errors
    ///
    /// If the text is not such a document, or its format version is not supported. Nothing is added then.
    pub fn add(&mut self, text: &'a str) -> Result<(), Error> {
        for ProviderSource {
            name: provider,
            is_specification,
            kinds,
        } in source::read(text)?
        {
            self.unknown.extend(
                kinds
                    .unknown
                    .iter()
                    .map(|member| format!("{provider}.{member}")),
            );
            for (kind, named) in kinds.known {
                for (name, raw) in named.0 {
                    let is_own = kind == SchemaKind::Provider;
                    let name = if is_own {
                        Str::from(provider_type(&provider).to_owned())
                    } else {
                        name
                    };
                    if self
                        .known
                        .insert((provider.to_string(), kind, name.to_string()))
                    {
                        let (provider, is_of_specification) = (provider.clone(), is_specification);
                        self.entries.push(Entry {
                            provider,
                            kind,
                            name,
                            raw,
                            is_of_specification,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns all schemas, sorted by provider, kind and name.
    pub fn into_entries(mut self) -> Vec<Entry<'a>> {
        self.entries.sort_by(|a, b| {
            (&*a.provider, a.kind, &*a.name).cmp(&(&*b.provider, b.kind, &*b.name))
        });
        self.entries
    }

    /// Returns the names of the members of providers that are not a known kind of schema, each after the address of its
    /// provider and a dot.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }
}

impl<'a> Entry<'a> {
    /// Parses the schema.
    ///
    /// # Errors
    ///
    /// If a part of the schema is not as the format has it; the path in the error begins with the provider.
    pub fn schema(&self, arena: &'a Bump) -> Result<Schema<'a>, Error> {
        let value = source::schema(self.raw, self.is_of_specification, arena);
        let schema = value.and_then(|value| parsed(self.kind, value));
        schema
            .inside(&self.name)
            .inside(self.kind.member())
            .inside(&self.provider)
    }

    /// Returns the JSON of the schema, as it was read.
    pub fn text(&self) -> &'a str {
        self.raw.text()
    }
}

/// Parses one schema by its kind.
fn parsed(kind: SchemaKind, value: Value<'_>) -> Result<Schema<'_>, Error> {
    let version = match value.get("version") {
        Some(Value::Number(version)) => Some(version),
        _ => None,
    };
    let (about, body) = match kind {
        SchemaKind::Function => (about(value)?, Body::Function(function(value)?)),
        SchemaKind::Identity => (
            about(value)?,
            Body::Members(named(value, "attributes", identity_attribute)?),
        ),
        SchemaKind::Provider
        | SchemaKind::Resource
        | SchemaKind::DataSource
        | SchemaKind::EphemeralResource
        | SchemaKind::ListResource
        | SchemaKind::Action
        | SchemaKind::StateStore => {
            let (about, members) = block(value)?;
            (about, Body::Members(members))
        }
    };
    Ok(Schema {
        version,
        about,
        body,
    })
}

/// Reads the member `block` of a schema: what it says for people, and its attributes and blocks, sorted by name.
///
/// In a broken schema an attribute and a block may have the same name; both are kept.
fn block(value: Value<'_>) -> Result<(About<'_>, Vec<Member<'_>>), Error> {
    let block = Value::Object(read::member(value, "block")?);
    let read = || {
        let mut members = named(block, "attributes", attribute)?;
        members.extend(named(block, "block_types", nested_block)?);
        members.sort_by_key(|member| member.name);
        Ok((about(block)?, members))
    };
    read().inside("block")
}

/// Reads each member of the object `list` with `parse`. An absent object counts as empty.
fn named<'a>(
    value: Value<'a>,
    list: &str,
    parse: impl Fn(&'a str, Value<'a>) -> Result<Member<'a>, Error>,
) -> Result<Vec<Member<'a>>, Error> {
    let members = read::member(value, list)?.members().iter();
    members
        .map(|(name, value)| parse(name, *value).inside(name).inside(list))
        .collect()
}

/// Reads an attribute with its type or nested attributes.
fn attribute<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let member = match read::kind(value)? {
        AttributeForm::Nested(nested) => nested_attribute(name, nested).inside("nested_type")?,
        AttributeForm::Type(found) => {
            Member::typed(name, Form::Attribute, Type::parse(found).inside("type")?)
        }
    };
    let flag = |name| read::flag(value, name);
    let usage = match (flag("required")?, flag("optional")?, flag("computed")?) {
        (true, ..) => Usage::Required,
        (false, true, true) => Usage::OptionalComputed,
        (false, true, false) => Usage::Optional,
        (false, false, true) => Usage::Computed,
        (false, false, false) => Usage::Unstated,
    };
    Ok(Member {
        usage,
        sensitive: flag("sensitive")?,
        write_only: flag("write_only")?,
        // Only a translated specification has a default.
        default: value.get("default").and_then(Value::as_str),
        about: about(value)?,
        ..member
    })
}

/// Reads an attribute from its `nested_type`. The caller adds usage, flags and description.
fn nested_attribute<'a>(name: &'a str, nested: Value<'a>) -> Result<Member<'a>, Error> {
    Ok(Member {
        name,
        form: Form::NestedAttribute(read::nesting(nested)?),
        members: named(nested, "attributes", attribute)?,
        min_items: count(nested, "min_items")?,
        max_items: count(nested, "max_items")?,
        ..Member::default()
    })
}

/// Reads an attribute of an identity. Its usage is what the import of an object by its identity requires.
fn identity_attribute<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let kind = required_type(value, "type")?;
    let flag = |name| read::flag(value, name);
    let usage = match (flag("required_for_import")?, flag("optional_for_import")?) {
        (true, _) => Usage::Required,
        (false, true) => Usage::Optional,
        (false, false) => Usage::Computed,
    };
    let for_import = usage != Usage::Computed;
    Ok(Member {
        usage,
        for_import,
        about: about(value)?,
        ..Member::typed(name, Form::Attribute, kind)
    })
}

/// Reads a nested block, which counts as required if there must be at least one.
fn nested_block<'a>(name: &'a str, value: Value<'a>) -> Result<Member<'a>, Error> {
    let (about, members) = block(value)?;
    let min_items = count(value, "min_items")?;
    Ok(Member {
        name,
        form: Form::Block(read::nesting(value)?),
        usage: if min_items.is_some_and(|min| min > 0) {
            Usage::Required
        } else {
            Usage::Optional
        },
        min_items,
        max_items: count(value, "max_items")?,
        about,
        members,
        ..Member::default()
    })
}

/// Reads an optional number of items.
fn count(value: Value<'_>, name: &str) -> Result<Option<u64>, Error> {
    read::optional(value, name, "a whole number", |written| match written {
        Value::Number(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

/// Reads the description and the deprecation of a part. A part is deprecated if it has the flag or a message.
fn about(value: Value<'_>) -> Result<About<'_>, Error> {
    let message = text(value, "deprecation_message")?;
    let deprecated = read::flag(value, "deprecated")? || message.is_some();
    Ok(About {
        description: text(value, "description")?,
        deprecated: deprecated.then_some(message.unwrap_or_default()),
    })
}

/// Reads an optional text; an empty one counts as absent.
fn text<'a>(value: Value<'a>, name: &str) -> Result<Option<&'a str>, Error> {
    let text = read::optional(value, name, "a string", Value::as_str)?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// Reads a type that must be there.
fn required_type<'a>(value: Value<'a>, name: &str) -> Result<Type<'a>, Error> {
    let written = value
        .get(name)
        .ok_or_else(|| Error::shape(format!("has no `{name}`")))?;
    Type::parse(written).inside(name)
}

/// Reads the signature of a function.
fn function(value: Value<'_>) -> Result<Function<'_>, Error> {
    let parameters = read::list(value, "parameters")?.iter();
    let parameters = parameters.map(|item| parameter(*item).inside("parameters"));
    let variadic = value
        .get("variadic_parameter")
        .filter(|written| !written.is_null());
    Ok(Function {
        summary: text(value, "summary")?,
        parameters: parameters.collect::<Result<_, _>>()?,
        variadic: variadic
            .map(|written| parameter(written).inside("variadic_parameter"))
            .transpose()?,
        result: required_type(value, "return_type")?,
    })
}

/// Reads a parameter, which must have a name and a type.
fn parameter(value: Value<'_>) -> Result<Parameter<'_>, Error> {
    let name = value.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| Error::shape("a parameter has no name"))?;
    Ok(Parameter {
        name,
        kind: required_type(value, "type").inside(name)?,
        nullable: read::flag(value, "is_nullable")?,
        description: text(value, "description")?,
    })
}

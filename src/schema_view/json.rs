//! The JSON of the views, which `docs/schema.schema.json` describes.
//!
//! Invariant of `format_version` 2.x: a minor version may add members, but removes or changes none. The doc comments of
//! the types are the descriptions in the schema.

use std::io;

use serde::Serialize;

use super::{Document, Selected};
use crate::schema::Nesting;
use crate::schema::SchemaKind;
use crate::schema::catalog::{About, Body, Entry, Form, Function, Member, Schema, Type, Usage};
use crate::schema::check::Finding;
use crate::schema::compare::Change;
use crate::text::to_json;

/// What `tfview schema list|show|search|check|diff --format json` prints. Members may be added in a minor format
/// version; none is removed or changed.
#[derive(Debug, Serialize)]
pub(super) struct DocumentJson<'s> {
    format_version: &'static str,
    #[serde(flatten)]
    list: ListJson<'s>,
}

/// The list of a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ListJson<'s> {
    List(Vec<ListedJson<'s>>),
    Schemas(Vec<SchemaJson<'s>>),
    Found(Vec<FoundJson<'s>>),
    Findings(Vec<FindingJson<'s>>),
    Changes(&'s [Change]),
}

/// Returns a list as a document, which ends with a line break.
pub(super) fn document(list: ListJson<'_>) -> io::Result<String> {
    Ok(to_json(&DocumentJson {
        format_version: "2.0",
        list,
    })? + "\n")
}

/// The members that identify a schema.
#[derive(Debug, Serialize)]
pub(super) struct NameJson<'s> {
    /// The provider's source address; in a specification its name.
    pub(super) provider: &'s str,
    pub(super) kind: SchemaKind,
    pub(super) name: &'s str,
}

impl<'s> NameJson<'s> {
    pub(super) fn new(entry: &'s Entry<'_>) -> Self {
        Self {
            provider: &entry.provider,
            kind: entry.kind,
            name: &entry.name,
        }
    }
}

/// Returns the version of a schema as a number, if it is one.
pub(super) fn version(schema: &Schema<'_>) -> Option<u64> {
    schema.version.and_then(|version| version.parse().ok())
}

/// A finding of `tfview schema check`, with its place.
#[derive(Debug, Serialize)]
pub(super) struct FindingJson<'s> {
    /// The name of the file.
    pub(super) file: &'s str,
    /// The line, from 1.
    pub(super) line: u64,
    /// The column in characters, from 1.
    pub(super) column: u64,
    /// What is wrong.
    #[serde(flatten)]
    pub(super) finding: &'s Finding,
}

/// A schema of `tfview schema list`.
#[derive(Debug, Serialize)]
pub(super) struct ListedJson<'s> {
    /// What the schema is of.
    #[serde(flatten)]
    pub(super) name: NameJson<'s>,
    /// What `tfview schema show` takes.
    pub(super) shown_as: String,
    /// The version of the schema, not of the provider.
    pub(super) version: Option<u64>,
    /// The description in the schema.
    pub(super) description: Option<&'s str>,
    /// Whether the type is deprecated.
    pub(super) deprecated: bool,
}

/// A schema or member that `tfview schema search` found.
#[derive(Debug, Serialize)]
pub(super) struct FoundJson<'s> {
    /// What the schema is of.
    #[serde(flatten)]
    pub(super) name: NameJson<'s>,
    /// The path of the member; null for the schema itself.
    pub(super) path: Option<&'s str>,
    /// What `tfview schema show` takes.
    pub(super) shown_as: String,
    /// Where the words are.
    pub(super) found_in: &'static str,
    /// The description in the schema.
    pub(super) description: Option<&'s str>,
}

#[derive(Debug, Serialize)]
struct AboutJson<'s> {
    description: Option<&'s str>,
    deprecated: bool,
    deprecation_message: Option<&'s str>,
}

impl<'s> AboutJson<'s> {
    fn new(about: &About<'s>) -> Self {
        Self {
            description: about.description,
            deprecated: about.deprecated.is_some(),
            deprecation_message: about.deprecated.filter(|message| !message.is_empty()),
        }
    }
}

/// A schema of `tfview schema show`.
#[derive(Debug, Serialize)]
pub(super) struct SchemaJson<'s> {
    /// What the schema is of.
    #[serde(flatten)]
    name: NameJson<'s>,
    /// The part that was asked for; then `member` is there, else `members` or `function`.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'s str>,
    /// The version of the schema, not of the provider.
    version: Option<u64>,
    /// The description, and whether it is deprecated.
    #[serde(flatten)]
    about: AboutJson<'s>,
    /// The attributes and blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    members: Option<Vec<MemberJson<'s>>>,
    /// The member at the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<MemberJson<'s>>,
    /// The parameters and the result of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'s Function<'s>>,
}

impl<'s> SchemaJson<'s> {
    /// Borrows the JSON of a schema, or of the selected part of it.
    pub(super) fn new(selected: &'s Selected<'_, 's>) -> Self {
        let Document { entry, schema } = selected.document;
        let (members, function) = match (&schema.body, &selected.part) {
            (_, Some(_)) => (None, None),
            (Body::Members(members), None) => {
                (Some(members.iter().map(MemberJson::new).collect()), None)
            }
            (Body::Function(function), None) => (None, Some(function)),
        };
        Self {
            name: NameJson::new(entry),
            path: selected.part.as_ref().map(|(path, _)| path.as_str()),
            version: version(schema),
            about: AboutJson::new(&schema.about),
            members,
            member: selected.member().map(MemberJson::new),
            function,
        }
    }
}

/// An attribute or a block.
#[derive(Debug, Serialize)]
pub(super) struct MemberJson<'s> {
    /// The name.
    name: &'s str,
    /// What it is.
    form: &'static str,
    /// The type in the form that `providers schema -json` has; null for nested attributes and blocks.
    #[serde(rename = "type")]
    kind: Option<Type<'s>>,
    /// How nested attributes and blocks are nested; null for others.
    nesting: Option<Nesting>,
    /// Whether the configuration must give it.
    required: bool,
    /// Whether the configuration may give it.
    optional: bool,
    /// Whether the provider sets it.
    computed: bool,
    /// Whether its values are sensitive.
    sensitive: bool,
    /// Whether its value is never stored.
    write_only: bool,
    /// The minimum number of blocks; null if there is none.
    min_items: Option<u64>,
    /// The maximum number of blocks; null if there is none.
    max_items: Option<u64>,
    /// The default value, in words; null if it is not known.
    default: Option<&'s str>,
    /// The description, and whether it is deprecated.
    #[serde(flatten)]
    about: AboutJson<'s>,
    /// The nested attributes and blocks.
    members: Vec<Self>,
}

impl<'s> MemberJson<'s> {
    /// Borrows the JSON of an attribute or block, with its members.
    pub(super) fn new(member: &'s Member<'s>) -> Self {
        let nesting = match member.form {
            Form::NestedAttribute(nesting) | Form::Block(nesting) => Some(nesting),
            Form::Attribute | Form::ObjectAttribute => None,
        };
        Self {
            name: member.name,
            form: match member.form {
                Form::Attribute => "attribute",
                Form::NestedAttribute(_) => "nested_attribute",
                Form::Block(_) => "block",
                Form::ObjectAttribute => "object_attribute",
            },
            kind: member.kind,
            nesting,
            required: member.usage == Usage::Required,
            optional: matches!(member.usage, Usage::Optional | Usage::OptionalComputed),
            computed: matches!(member.usage, Usage::Computed | Usage::OptionalComputed),
            sensitive: member.sensitive,
            write_only: member.write_only,
            min_items: member.min_items.filter(|min| *min > 0),
            max_items: member.max_items.filter(|max| *max > 0),
            default: member.default,
            about: AboutJson::new(&member.about),
            members: member.members.iter().map(Self::new).collect(),
        }
    }
}

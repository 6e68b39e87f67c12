//! The published schemas `docs/*.schema.json` are those of the types that are serialized.
//!
//! They are made from the source of these types, as [`types`] and [`schema`] describe, so the types need no attribute
//! for this. What the source does not say is in tables here: the types that functions of `serialize_with` write, the
//! forms of types that serialize themselves, and the words or values that a member can have. An entry that nothing
//! needs is an error.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "syn has more kinds of types and items than a schema is made of"
)]

mod schema;
mod text;
mod types;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use strum::VariantArray as _;

use self::schema::{Generator, Tables};
use self::types::Types;
use super::{FORMAT_VERSION, list_name};
use crate::compare::{Class, Gate, formats};
use crate::dialect::Tool;
use crate::diff::edits::{Format, Label};
use crate::report::SectionKind;
use crate::review::ChangeKind;
use crate::review::entry::{FindingKind, Level};
use crate::with::ResultLevel;

/// A published schema, and the type of its documents.
struct Published {
    /// The name before `.schema.json`.
    name: &'static str,
    title: &'static str,
    /// The file of the type, below `src/`.
    file: &'static str,
    type_name: &'static str,
}

const PUBLISHED: [Published; 4] = [
    Published {
        name: "review",
        title: "tfview review --format json",
        file: "review/formats/json.rs",
        type_name: "Document",
    },
    Published {
        name: "diff",
        title: "tfview diff --format json",
        file: "compare/formats.rs",
        type_name: "Document",
    },
    Published {
        name: "diff-units",
        title: "tfview diff FOLDER FOLDER --format json",
        file: "compare/formats.rs",
        type_name: "UnitsDocument",
    },
    Published {
        name: "schema",
        title: "JSON of tfview schema",
        file: "schema_view/json.rs",
        type_name: "DocumentJson",
    },
];

/// Types that have another name in the schemas: the file, the type, and the name.
const NAMES: [(&str, &str, &str); 3] = [
    ("review/entry.rs", "Rename", "RenameJson"),
    ("review/entry.rs", "SourcePlace", "SourceJson"),
    ("review/verdict.rs", "Verdict", "VerdictJson"),
];

/// The types that functions of `serialize_with` write.
const FUNCTIONS: [(&str, &str); 14] = [
    ("action_words", "Vec<String>"),
    ("actions", "Vec<String>"),
    ("before_json", "Option<BeforeJson>"),
    ("class_json", "ClassJson"),
    ("edit_json", "EditJson"),
    ("entries", "Vec<EntryJson>"),
    ("invocations", "Vec<InvocationJson>"),
    ("level_name", "String"),
    ("outputs", "Vec<OutputJson>"),
    ("proven", "Vec<FindingJson>"),
    ("shared_text", "String"),
    ("sum", "usize"),
    ("tool_name", "Option<Tool>"),
    ("written", "Option<String>"),
];

/// Returns the schema of a count.
fn number() -> Value {
    json!({ "type": "integer", "format": "uint", "minimum": 0 })
}

/// Returns the schema of an object with a count for each of these names.
fn numbers<'n>(names: impl IntoIterator<Item = &'n str> + Clone) -> Value {
    let properties: serde_json::Map<_, _> = names
        .clone()
        .into_iter()
        .map(|name| (name.to_owned(), number()))
        .collect();
    let required: Vec<_> = names.into_iter().collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Returns the schema of a text that is one of these words.
fn words(words: impl IntoIterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": words.into_iter().collect::<Vec<_>>() })
}

/// Returns the schema of the counts of a comparison: differences by class, and changes that are no difference.
fn counts() -> Value {
    let classes = Class::ALL.map(Class::name);
    let mut counts = numbers(classes.into_iter().chain(["same", "ignored"]));
    counts["description"] = "Differences by class, and changes that are the same.".into();
    counts["properties"]["same"]["description"] =
        "Changes that are the same, or done as approved.".into();
    counts["properties"]["ignored"]["description"] = "Differences that --ignore leaves out.".into();
    counts
}

/// Returns the schemas of types that serialize themselves. They are written in place, except for `Counts`.
fn own_forms() -> Vec<(&'static str, Value)> {
    let any_object = json!({ "type": "object", "additionalProperties": true });
    vec![
        ("Counts", counts()),
        ("ElementKey", any_object.clone()),
        (
            "KindNumbers",
            numbers(ChangeKind::ALL.map(ChangeKind::word)),
        ),
        ("MarkedValue", true.into()),
        ("PlanMode", words(["normal", "destroy", "refresh-only"])),
        ("RawValue", any_object),
        (
            "Tool",
            words([Tool::Terraform, Tool::OpenTofu].map(Tool::name)),
        ),
        ("Type", true.into()),
        ("Value", true.into()),
    ]
}

/// Types that serialize themselves in the form of another type.
const AS_OTHERS: [(&str, &str); 2] = [("Edit", "EditJson"), ("Path", "Vec<StepJson>")];

/// Returns the keywords in the schemas of members that do not follow from their types: the file, the member as
/// `Type.member` or `Type.Variant.member`, and the keywords.
fn narrowed() -> Vec<(&'static str, &'static str, Value)> {
    use Format::{Base64, Gzip, Json, Lines, Yaml};
    let formats = || words([Json, Yaml, Base64, Gzip, Lines].map(Format::name));
    let labels = words(Label::VARIANTS.iter().map(|label| label.name()));
    let levels = || words(Level::ALL.map(Level::name));
    let member_forms = ["attribute", "nested_attribute", "block", "object_attribute"];
    let verdicts = ["same", "within", "wider", "done", "incomplete"];

    let document = "review/formats/json.rs";
    let plan = "review/formats/json/plan.rs";
    let edit = "review/formats/json/edit.rs";
    let comparison = "compare/formats.rs";
    let view = "schema_view/json.rs";
    let object = || json!({ "type": "object" });
    let version_1_1 = || json!({ "const": formats::FORMAT_VERSION });
    vec![
        (
            document,
            "Document.format_version",
            json!({ "const": FORMAT_VERSION }),
        ),
        (document, "Document.since", object()),
        (
            document,
            "FindingJson.kind",
            words(FindingKind::ALL.map(FindingKind::name)),
        ),
        (
            document,
            "FindingJson.level",
            words(Level::of_findings().map(Level::name)),
        ),
        (
            document,
            "FindingJson.list",
            words(SectionKind::ALL.map(list_name)),
        ),
        (
            document,
            "ResultJson.level",
            words(ResultLevel::ALL.map(ResultLevel::name)),
        ),
        (plan, "PlanJson.level", levels()),
        (
            plan,
            "EntryJson.replace_paths",
            json!({ "type": ["array", "null"], "items": true }),
        ),
        (edit, "EditJson.labels", json!({ "items": labels })),
        (edit, "InsideJson.format", formats()),
        (edit, "StepJson.Element.key", object()),
        (edit, "StepJson.Document.document", formats()),
        (edit, "SideJson.Absent.absent", json!({ "const": true })),
        (
            "review/entry.rs",
            "Importing.identity",
            json!({ "type": ["object", "null"], "additionalProperties": true }),
        ),
        ("review/verdict.rs", "Verdict.level", levels()),
        (
            comparison,
            "GateResult.name",
            words(Gate::ALL.map(Gate::word)),
        ),
        (comparison, "Document.format_version", version_1_1()),
        (comparison, "Document.verdict", words(verdicts)),
        (comparison, "UnitsDocument.format_version", version_1_1()),
        (
            "compare/difference.rs",
            "ClassJson.class",
            words(Class::ALL.map(Class::name)),
        ),
        (
            view,
            "DocumentJson.format_version",
            json!({ "const": "2.0" }),
        ),
        (view, "FoundJson.found_in", words(["name", "description"])),
        (view, "MemberJson.form", words(member_forms)),
    ]
}

#[allow(
    clippy::disallowed_methods,
    reason = "this is a test, which writes the files on request"
)]
#[test]
fn published_schemas_are_those_of_the_types() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let types = Types::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut tables = Tables {
        names: &NAMES,
        functions: &FUNCTIONS,
        others: &AS_OTHERS,
        own_forms: &own_forms(),
        narrowed: &narrowed(),
        used: BTreeSet::new(),
    };
    let mut stale = Vec::new();
    for document in PUBLISHED {
        let root = types.of_file(document.file, document.type_name);
        let schema = Generator::new(&types, &mut tables).document(document.title, root);
        let text = text::pretty(&schema);
        let path = docs.join(format!("{}.schema.json", document.name));
        if std::env::var_os("TFVIEW_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        if fs::read_to_string(&path).unwrap() != text {
            stale.push(document.name);
        }
    }
    assert!(
        stale.is_empty(),
        "docs/*.schema.json are stale ({stale:?}): TFVIEW_BLESS=1 cargo test --lib published"
    );
    assert_eq!(tables.unused(), Vec::<String>::new(), "needed by no schema");
}

/// Returns the schema of the type `T` in a source, as text on one line, without its title and draft.
fn schema_of(source: &str) -> String {
    let types = Types::of_sources([("a.rs", source)]);
    let mut tables = Tables {
        names: &[],
        functions: &[("written", "Option<String>")],
        others: &[],
        own_forms: &[],
        narrowed: &[("a.rs", "T.word", words(["a", "b"]))],
        used: BTreeSet::new(),
    };
    let mut schema = Generator::new(&types, &mut tables).document("", types.of_file("a.rs", "T"));
    let members = schema.as_object_mut().unwrap();
    members.remove("$schema");
    members.remove("title");
    schema.to_string()
}

#[test]
fn members_have_the_types_names_and_descriptions_of_fields() {
    let schema = schema_of(
        r#"
        /// One
        /// two.
        #[derive(Serialize)]
        struct T<'a> {
            /// Its name.
            #[serde(rename = "n")]
            name: &'a str,
            #[serde(skip)]
            hidden: u8,
            word: Option<&'static str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            number: Option<usize>,
            #[serde(serialize_with = "written")]
            text: String,
            #[serde(flatten)]
            inner: U,
        }
        #[derive(Serialize)]
        struct U {
            list: Vec<Box<V>>,
        }
        /// V.
        #[derive(Serialize)]
        #[serde(rename_all = "kebab-case")]
        enum V {
            /// First.
            OneTwo,
        }"#,
    );
    let expected = json!({
        "$defs": { "V": { "description": "V.", "oneOf": [
            { "description": "First.", "type": "string", "const": "one-two" },
        ] } },
        "description": "One\ntwo.",
        "type": "object",
        "properties": {
            "n": { "description": "Its name.", "type": "string" },
            "word": { "type": ["string", "null"], "enum": ["a", "b", null] },
            "number": { "type": ["integer", "null"], "format": "uint", "minimum": 0 },
            "text": { "type": ["string", "null"] },
            "list": { "type": "array", "items": { "$ref": "#/$defs/V" } },
        },
        "required": ["n", "word", "text", "list"],
    });
    assert_eq!(schema, expected.to_string());
}

#[test]
fn variants_are_told_apart_as_serde_writes_them() {
    let variants = |attribute: &str| {
        schema_of(&format!(
            "#[derive(Serialize)] #[serde({attribute})] enum T {{ A {{ x: bool }}, B(Vec<u32>) }}"
        ))
    };
    let x = json!({ "x": { "type": "boolean" } });
    let list = json!({ "type": "array", "items": { "type": "integer", "format": "uint32", "minimum": 0 } });
    let untagged = json!({ "anyOf": [
        { "type": "object", "properties": x, "required": ["x"] },
        list,
    ] });
    assert_eq!(variants("untagged"), untagged.to_string());
    let external = json!({ "oneOf": [
        { "type": "object", "properties": { "a": { "type": "object", "properties": x, "required": ["x"] } }, "required": ["a"] },
        { "type": "object", "properties": { "b": list }, "required": ["b"] },
    ] });
    assert_eq!(
        variants(r#"rename_all = "lowercase""#),
        external.to_string()
    );
}

//! The published schemas, made of the types that are serialized.

use std::borrow::Cow;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::edit::StepJson;
use super::{Document, EditJson};
use crate::diff::edits::Edit;
use crate::diff::value::MarkedValue;
use crate::review::ChangeKind;
use crate::review::verdict::KindNumbers;

/// An object with any members.
pub(crate) type AnyObject = Map<String, Value>;

/// The schema of one of these words.
pub(crate) fn words(words: impl IntoIterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": words.into_iter().collect::<Vec<_>>() })
}

impl JsonSchema for crate::diff::edits::Path<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Path".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<StepJson<'_>>::json_schema(generator)
    }
}

impl JsonSchema for MarkedValue<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Value::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Value::json_schema(generator)
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "this is a test, which writes the file on request"
)]
/// Checks that `docs/NAME.schema.json` is the schema of `T`. With `TFVIEW_BLESS=1`, writes it.
pub(crate) fn hold<T: JsonSchema>(name: &str) {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/{name}.schema.json"));
    if std::env::var_os("TFVIEW_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap();
    assert!(
        published == text,
        "docs/{name}.schema.json is stale: TFVIEW_BLESS=1 cargo test --lib published"
    );
}

#[test]
fn published_schema_of_a_review_is_that_of_its_types() {
    hold::<Document<'_>>("review");
}

impl JsonSchema for KindNumbers {
    fn schema_name() -> Cow<'static, str> {
        "KindNumbers".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words = ChangeKind::ALL.map(ChangeKind::word);
        let number = |word: &'static str| {
            (
                word.to_owned(),
                json!({ "type": "integer", "format": "uint", "minimum": 0 }),
            )
        };
        let numbers: Map<String, Value> = words.into_iter().map(number).collect();
        json_schema!({ "type": "object", "properties": numbers, "required": words })
    }
}

impl JsonSchema for Edit<'_> {
    fn schema_id() -> Cow<'static, str> {
        EditJson::schema_id()
    }

    fn schema_name() -> Cow<'static, str> {
        EditJson::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        EditJson::json_schema(generator)
    }
}

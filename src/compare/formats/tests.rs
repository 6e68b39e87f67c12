use std::borrow::Cow;

use schemars::{Schema, SchemaGenerator, json_schema};

use super::{Class, Counts, JsonSchema};
use crate::review::formats::json::tests as published;

impl JsonSchema for Counts<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut names = Class::ALL.map(Class::name).to_vec();
        names.extend(["same", "ignored"]);
        let number = |name: &&str| {
            let mut number =
                serde_json::json!({ "type": "integer", "format": "uint", "minimum": 0 });
            match *name {
                "same" => {
                    number["description"] =
                        "Changes that are the same, or done as approved.".into();
                }
                "ignored" => number["description"] = "Differences that --ignore leaves out.".into(),
                _ => {}
            }
            ((*name).to_owned(), number)
        };
        let properties: serde_json::Map<_, _> = names.iter().map(number).collect();
        json_schema!({
            "description": "Differences by class, and changes that are the same.",
            "type": "object",
            "properties": properties,
            "required": names,
        })
    }
}

#[test]
fn published_schema_of_a_comparison_is_that_of_its_types() {
    published::hold::<super::Document<'_>>("diff");
}

#[test]
fn published_schema_of_compared_units_is_that_of_its_types() {
    published::hold::<super::UnitsDocument<'_>>("diff-units");
}

use serde::Deserialize;

use super::*;
use crate::json::{Pairs, Raw, Str};

#[derive(Deserialize, Debug, PartialEq, Default)]
#[serde(default)]
struct Model<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    count: u64,
    #[serde(borrow)]
    raw: Option<Raw<'a>>,
    #[serde(borrow)]
    map: Pairs<'a, bool>,
}

#[test]
fn go_rules_hold() {
    let model: Model<'_> = from_str(r#"{"name":"a","count":null,"raw":[1, {"x":2}],"other":{"deep":[1],"deep":2},"other":1,"map":{"b":true,"a":false}}"#).unwrap();
    assert_eq!(&*model.name, "a");
    assert_eq!(model.count, 0);
    assert_eq!(model.raw.unwrap().text(), r#"[1, {"x":2}]"#);
    assert_eq!(model.map.get("b"), Some(&true));
}

#[test]
fn member_of_a_model_that_occurs_twice_is_an_error_where_it_is() {
    for (text, second) in [
        (r#"{"name":"a","count":1,"name":"b"}"#, r#""b"}"#),
        (r#"{"name":"a","n\u0061me":"b"}"#, r#""b"}"#),
        (r#"{"name":"a","count":1,"name":null}"#, "null}"),
        (r#"{"count":null,"x":[],"x":1,"count":2}"#, "2}"),
        (r#"{"raw":null,"raw":null}"#, "null}"),
        (
            r#"{"map":{"a":true,"b":true,"a":false},"count":1}"#,
            "false}",
        ),
    ] {
        let error = from_str::<Model<'_>>(text).unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Duplicate(_)),
            "{text}: {error:?}"
        );
        let second_offset = text.rfind(second).unwrap();
        assert!(
            (second_offset - 1..=second_offset).contains(&error.offset),
            "{text}: {error:?}"
        );
    }
    let error = from_str::<Model<'_>>(r#"{"raw":[],"raw":{}}"#).unwrap_err();
    assert_eq!(error.to_string(), "the member `raw` occurs twice");
}

#[test]
fn member_of_a_model_in_other_letters_is_an_error() {
    for name in ["Name", "NAME", "naM\\u0065", "name\":\"a\",\"MAP"] {
        let error = from_str::<Model<'_>>(&format!("{{\"{name}\":null}}")).unwrap_err();
        assert!(
            error.to_string().contains("with other letters"),
            "{name}: {error}"
        );
    }
    assert!(from_str::<Model<'_>>(r#"{"names":1,"map":{"Name":true}}"#).is_ok());
    assert_eq!(
        "re\u{17f}ource\u{212a}"
            .chars()
            .map(fold)
            .collect::<String>(),
        "resourcek"
    );
}

#[test]
fn a_wrong_type_is_found_where_it_begins() {
    let error = from_str::<Model<'_>>(r#"{"name": "a", "count": "five"}"#).unwrap_err();
    assert_eq!(error.offset, 23);
    assert_eq!(error.to_string(), "expected u64, found a string");
}

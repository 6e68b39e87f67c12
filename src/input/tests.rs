use super::*;

#[test]
fn values_are_found_in_other_text() {
    let text = r#"a [1] {"b":[2]} {"c {"d":1} é"e" {"f":"#;
    let find = |text: &'static str| {
        Values::new(text, |text| !text.starts_with('"'))
            .map(|(offset, json)| (offset, json.map_err(|error| error.offset)))
            .collect::<Vec<_>>()
    };
    let expected = [
        (2, Ok("[1]")),
        (6, Ok(r#"{"b":[2]}"#)),
        (16, Err(6)),
        (20, Ok(r#"{"d":1}"#)),
        (34, Err(5)),
    ];
    assert_eq!(find(text), expected);
    assert_eq!(find("no value"), []);
}

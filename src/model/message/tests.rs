use super::*;

#[test]
fn a_payload_of_the_wrong_shape_costs_only_the_payload() {
    for line in [
        r#"{"@level":"error","@message":"a: Creating...","hook":{"resource":{"addr":5}},"type":"apply_start"}"#,
        r#"{"@level":"error","@message":"a: Creating...","hook":[],"type":"apply_start"}"#,
        r#"{"@level":"error","@message":"a: Creating...","hook":{"elapsed_seconds":"9"},"type":"apply_start"}"#,
    ] {
        let message = Message::parse(line).unwrap();
        assert_eq!(
            (&*message.text(), &*message.level),
            ("a: Creating...", "error"),
            "{line}"
        );
        assert!(message.hook.is_none(), "{line}");
    }
    let odd = Message::parse(r#"{"@message":{"a":1},"type":7}"#).unwrap();
    assert_eq!(odd.text(), r#"{"a":1}"#);
}

#[test]
fn what_is_no_message() {
    for line in [
        "",
        "{}",
        "[1]",
        "{\"type\":\"request\",\"msg\":\"hello\"}",
        "{\"format_version\":\"1\"}",
        "Acquiring state lock",
        "x {\"@message\":\"m\"}",
        "{\"@message\":",
    ] {
        assert!(Message::parse(line).is_none(), "{line}");
    }
}

#[test]
fn both_meanings_of_action_are_read() {
    let line = r#"{"@message":"m","type":"t","hook":{"action":{"addr":"action.a.b"},"lifecycle":{"resource":{"addr":"r"}}}}"#;
    let hook = Message::parse(line).unwrap().hook.unwrap();
    assert!(
        matches!(hook.action, Some(WordOrAddress::Address(address)) if &*address.addr == "action.a.b")
    );
    let line = r#"{"@message":"m","type":"t","hook":{"action":"create"}}"#;
    let hook = Message::parse(line).unwrap().hook.unwrap();
    assert!(matches!(hook.action, Some(WordOrAddress::Word(word)) if &*word == "create"));
}

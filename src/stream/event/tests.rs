use super::*;

#[test]
fn a_message_without_its_payload_is_an_event_too() {
    let types = [
        ("change_summary", "Malformed"),
        ("outputs", "Malformed"),
        ("test_file", "Malformed"),
        ("test_plan", "Malformed"),
        ("test_summary", "Malformed"),
        ("list_complete", "Malformed"),
        ("policy_info", "Malformed"),
        ("diagnostic", "Malformed"),
        ("policy_diagnostic", "Malformed"),
        ("apply_start", "Malformed"),
        ("apply_errored", "Malformed"),
        ("refresh_start", "Malformed"),
        ("ephemeral_action_started", "Malformed"),
        ("provision_progress", "Malformed"),
        ("action_errored", "Malformed"),
        ("planned_change", "Malformed"),
        ("planned_action_invocation", "Malformed"),
        ("list_start", "Malformed"),
        ("log", "Log"),
        ("", "Untyped"),
        ("a_type_of_the_future", "Unknown"),
    ];
    for (message_type, expected) in types {
        let line = format!("{{\"@message\":\"m\",\"type\":\"{message_type}\"}}");
        let message = Message::parse(&line).unwrap();
        let event = Event::from_message(&message);
        assert_eq!(
            (format!("{:?}", event.kind).as_str(), &*event.text()),
            (expected, "m")
        );
    }
}

#[test]
fn the_apply_begins_with_the_first_change_and_not_with_a_read() {
    for (hook, expected) in [
        (
            r#"{"resource":{"addr":"a"},"action":"create"}"#,
            &[Phase::Apply][..],
        ),
        (
            r#"{"resource":{"addr":"a"},"action":"remove"}"#,
            &[Phase::Apply],
        ),
        (r#"{"resource":{"addr":"a"},"action":"read"}"#, &[]),
        (r#"{"resource":{"addr":"a"},"action":"open"}"#, &[]),
        (r#"{"resource":{"addr":"a"},"action":"unheard-of"}"#, &[]),
    ] {
        let line = format!("{{\"@message\":\"m\",\"type\":\"apply_start\",\"hook\":{hook}}}");
        let message = Message::parse(&line).unwrap();
        assert_eq!(Event::from_message(&message).phases(), expected, "{hook}");
    }
}

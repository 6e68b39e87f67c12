use super::*;

#[test]
fn moments_are_shown_in_each_way() {
    let first = Moment::parse("2024-02-29T23:59:58.5Z").unwrap();
    let moment = Moment::parse("2024-03-01T05:31:10.275359+05:30").unwrap();
    let show = |timestamps| {
        let mut text = String::new();
        moment.push(&mut text, timestamps, first);
        text
    };
    assert_eq!(show(Timestamps::Utc), "2024-03-01T00:01:10Z ");
    assert_eq!(show(Timestamps::Local), "2024-03-01T05:31:10 ");
    assert_eq!(show(Timestamps::Relative), "+01:11.7 ");
    assert_eq!(show(Timestamps::None), "");
    assert_eq!(moment.seconds_since(first), 72);
}

#[test]
fn what_is_no_moment() {
    for text in [
        "",
        "2024-02-29",
        "2024-02-29 23:59",
        "2024-02-29T23:59:58",
        "x024-02-29T23:59:58Z",
        "2024-02-29T23:59:58+",
        "2024-99-99T99:99:99Z",
        "2023-02-29T23:59:58Z",
        "2024-02-29T24:00:00Z",
        "2024-02-29T23:60:00Z",
        "2024-00-01T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-02-29T23:59:58+99:00",
        "2024-02-29T23:59:58+01-00",
        "2024-02-29T23:59:58Zz",
    ] {
        assert_eq!(Moment::parse(text), None, "{text}");
    }
}

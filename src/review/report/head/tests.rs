//! Times and ages of plans.

use super::age;

#[test]
fn timestamps_are_read() {
    for (text, expected) in [
        ("1970-01-01T00:00:00Z", Some(0)),
        ("2000-02-29T12:00:00Z", Some(951_825_600)),
        ("2026-11-21T02:41:45Z", Some(1_795_228_905)),
        ("2026-11-21T04:41:45.5+02:00", Some(1_795_228_905)),
        ("2026-11-20T21:41:45-05:00", Some(1_795_228_905)),
        ("2026-13-01T00:00:00Z", None),
        ("2026-11-21", None),
        ("99999999999999999999-1-1T0:0:0Z", None),
        ("", None),
    ] {
        let now =
            expected.map(|planned| (age(text, planned), age(text, planned.saturating_sub(1))));
        let earlier = (expected == Some(0)).then(|| "just now".to_owned());
        assert_eq!(
            now,
            expected.map(|_| (Some("just now".to_owned()), earlier)),
            "{text}"
        );
        assert!(
            expected.is_some() || age(text, u64::MAX).is_none(),
            "{text}"
        );
    }
}

#[test]
fn an_age_is_in_round_units() {
    let planned = "2026-11-21T02:41:45Z";
    let then = 1_795_228_905;
    for (later, expected) in [
        (5, Some("just now")),
        (60, Some("1 minute ago")),
        (7_300, Some("2 hours ago")),
        (400_000, Some("4 days ago")),
    ] {
        assert_eq!(age(planned, then + later).as_deref(), expected);
    }
    assert_eq!(age(planned, then - 1), None);
}

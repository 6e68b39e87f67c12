use super::*;

const VERSION: &str = "{\"@message\":\"OpenTofu 1.12\",\"type\":\"version\"}\n";
const UNSET: &str = "{\"@level\":\"error\",\"diagnostic\":{\"summary\":\"No value for required variable\"},\"type\":\"diagnostic\"}\n";
const WORK: &str = "{\"@message\":\"a: Refreshing…\",\"type\":\"refresh_start\"}\n";

#[test]
fn diagnostics_wait_until_the_tool_works() {
    let mut withheld = Withheld::default();
    let (begin, end) = UNSET.split_at(20);
    assert_eq!(
        withheld.take(format!("{VERSION}{begin}").as_bytes()),
        VERSION.as_bytes()
    );
    assert_eq!(withheld.take(end.as_bytes()), b"");
    assert_eq!(withheld.refusal(true), Some(Refusal::Variable));
    assert_eq!(
        withheld.take(format!("{WORK}half").as_bytes()),
        format!("{UNSET}{WORK}half").as_bytes()
    );
    assert_eq!(withheld.refusal(true), None);
    assert_eq!(withheld.take(b"x"), b"x");
    assert_eq!(withheld.into_rest(), b"");
}

#[test]
fn words_of_a_refusal_elsewhere_are_none() {
    let saved = UNSET.replace(VARIABLE, SAVED_PLAN);
    let other = UNSET.replace(
        "\"summary\":\"",
        "\"detail\":\"No value for required variable\",\"summary\":\"No ",
    );
    let twice = UNSET.replace("\"summary\"", "\"summary\":\"x\",\"summary\"");
    for (lines, can_ask, refusal) in [
        (UNSET.to_owned(), true, Some(Refusal::Variable)),
        (UNSET.to_owned(), false, None),
        (saved.clone(), false, Some(Refusal::SavedPlan)),
        (format!("{other}{UNSET}"), true, None),
        (format!("{other}{saved}"), true, None),
        (format!("{VARIABLE}: {SAVED_PLAN}\n"), true, None),
        (format!("{twice}{UNSET}"), true, None),
    ] {
        let mut withheld = Withheld::default();
        assert_eq!(withheld.take(lines.as_bytes()), b"");
        assert_eq!(withheld.refusal(can_ask), refusal, "{lines}");
        assert_eq!(withheld.into_rest(), lines.as_bytes());
    }
}

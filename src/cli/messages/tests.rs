use anyhow::Context;

use super::*;

#[test]
fn a_failed_call_is_reported_without_its_number() {
    let error = Err::<(), _>(io::Error::from_raw_os_error(2))
        .context("cannot read a.json")
        .unwrap_err();
    assert!(!chain(&error).contains("os error"), "{}", chain(&error));
    assert!(
        chain(&error).starts_with("cannot read a.json: "),
        "{}",
        chain(&error)
    );
}

#[test]
fn a_tip_is_the_last_line() {
    let error = ErrorWithTip::new("it is empty", "did the command fail?");
    let error = anyhow::Error::new(error).context("plan 2 of 3");
    assert_eq!(
        chain(&error),
        "plan 2 of 3: it is empty\n  tip: did the command fail?"
    );
}

#[test]
fn messages_wrap_on_a_terminal_only() {
    let text = with_tip(
        "no schemas of this provider",
        "keep schemas with `tfview schema add`",
    );
    assert_eq!(
        message("error", &text, None),
        "error: no schemas of this provider\n  tip: keep schemas with `tfview schema add`"
    );
    assert_eq!(
        message("error", &text, Some(24)),
        "error: no schemas of\nthis provider\n  tip: keep schemas with\n  `tfview schema add`"
    );
}

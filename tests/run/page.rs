//! `run --out html=FILE` writes a page for every run that is taken over, regardless of how the run ends.

use super::standin::{StandIn, text};
use crate::cli::harness::without_identity;
use crate::page::{lines_of, with_page};
use crate::pty::OnTerminal;

/// Runs with a page; returns the exit code, the page, and the output.
fn page(
    name: &str,
    mode: &'static str,
    words: &[&str],
    input: &str,
) -> (Option<i32>, String, String) {
    let tool = StandIn::new(name, mode);
    let mut arguments = vec!["run", "--out", "html=page.html"];
    arguments.extend(words);
    let output = tool.tfview(&arguments, input);
    let page = std::fs::read_to_string(tool.work().join("page.html")).unwrap_or_default();
    tool.assert_removed();
    (
        output.status.code(),
        page,
        text(&output.stdout) + &text(&output.stderr),
    )
}

/// What a person reads on a page.
fn page_text(page: &str) -> String {
    with_page(page, "a run", |page| without_identity(&lines_of(page)))
}

#[test]
fn page_has_the_review_above_the_run() {
    let (code, page, seen) = page("page", "", &["tofu", "apply"], "yes\n");
    assert_eq!(code, Some(0), "{seen}");
    insta::assert_snapshot!(page_text(&page));
}

#[test]
fn page_is_written_for_a_plan_that_is_not_approved() {
    let (code, page, seen) = page("page-no", "", &["tofu", "apply"], "no\n");
    assert_eq!(code, Some(1), "{seen}");
    insta::assert_snapshot!(page_text(&page));
}

#[test]
fn page_is_written_for_a_failed_run() {
    let (code, page, seen) = page("page-fail", "fail-apply", &["tofu", "apply"], "yes\n");
    assert_eq!(code, Some(1), "{seen}");
    insta::assert_snapshot!(page_text(&page));
    let (code, page, seen) = self::page("page-fail-plan", "fail-plan", &["tofu", "plan"], "");
    assert_eq!(code, Some(1), "{seen}");
    insta::assert_snapshot!(page_text(&page));
}

#[test]
fn plan_that_the_tool_prints_itself_is_reviewed_on_the_page() {
    let tool = StandIn::new("page-variable", "variable");
    let arguments = [
        "run",
        "--progress",
        "log",
        "--out",
        "html=page.html",
        "tofu",
        "apply",
    ];
    let mut run = OnTerminal::start(&arguments, &tool.work(), &tool.variables());
    run.wait_for("Enter a value: ");
    run.type_text("value\n");
    run.wait_for("Enter a value:");
    run.type_text("yes\n");
    let (code, seen) = run.end();
    assert_eq!(code, Some(0), "{seen}");
    let page = std::fs::read_to_string(tool.work().join("page.html")).unwrap();
    insta::assert_snapshot!(page_text(&page));
    tool.assert_removed();
}

#[test]
fn untouched_command_notes_that_no_page_is_written() {
    let (_, page, seen) = page("page-untouched", "backend", &["tofu", "apply"], "yes\n");
    assert!(page.is_empty());
    insta::assert_snapshot!(seen, @r"
    UNTOUCHED apply
    read yes
    note: the backend cannot save a plan, so `tofu` runs untouched
    note: no page is written to page.html: the command runs untouched
    ");
    let (_, page, seen) = self::page("page-console", "", &["tofu", "console"], "");
    assert!(page.is_empty());
    insta::assert_snapshot!(seen.replace("\u{1b}[31mred\u{1b}[0m\n", ""), @r"
    UNTOUCHED console
    note: no page is written to page.html: the command runs untouched
    ");
}

#[test]
#[cfg_attr(
    not(debug_assertions),
    ignore = "faults are injected only into builds with debug assertions"
)]
fn panic_of_the_display_is_noted_on_the_page() {
    let tool = StandIn::new("page-fault", "").variable("TFVIEW_TEST_FAULT", "apply_start");
    let output = tool.tfview(
        &[
            "run",
            "--out",
            "html=page.html",
            "tofu",
            "apply",
            "-auto-approve",
        ],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "the tool's own code");
    let page = std::fs::read_to_string(tool.work().join("page.html")).unwrap();
    insta::assert_snapshot!(page_text(&page));
}

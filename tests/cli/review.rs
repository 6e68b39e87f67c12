//! `tfview review` has the documented exit codes, accepts several plans, and writes every output file and CI
//! annotation.

use std::fs;
use std::path::Path;

use super::harness::{NO_CHANGES, PLAN, tfview};

#[test]
fn exit_codes_report_gates_and_changes() {
    for (args, stdin, code) in [
        ("review", PLAN, 0),
        ("review --detailed-exitcode", PLAN, 2),
        ("review --detailed-exitcode", NO_CHANGES, 0),
        ("review --fail-on destroy,replace", PLAN, 0),
        ("review --fail-on destroy,create", PLAN, 3),
        ("review --fail-on create --exclude *", PLAN, 3),
        ("review --fail-on create --detailed-exitcode", PLAN, 3),
        ("review --fail-on nonsense", PLAN, 1),
        ("review --only nonsense", PLAN, 1),
        ("review --max-bytes 10", PLAN, 1),
        ("review --out nonsense", PLAN, 1),
        ("review", "[]", 1),
        ("review", r#"{"format_version":"1.0","values":{}}"#, 1),
    ] {
        let ended = tfview(args).stdin(stdin).end();
        assert_eq!(ended.code, Some(code), "{args}\n{ended}");
    }
    let ended = tfview("review --fail-on create").stdin(PLAN).end();
    assert!(ended.stderr.contains("--fail-on create: 1 to create"), "{ended}");
}

#[test]
fn several_plans_have_one_verdict() {
    let ended = tfview("review").stdin(format!("{PLAN}\n{PLAN}\n{NO_CHANGES}\n")).end();
    assert!(ended.stdout.starts_with("3 plans: ~ 2 to create."), "{ended}");
    assert!(ended.stdout.contains("standard input:3"), "{ended}");
}

#[test]
fn error_in_one_of_several_plans_has_its_number_and_position() {
    let broken = r#"{"format_version":"1.2","resource_changes":7}"#;
    let ended = tfview("review").stdin(format!("{NO_CHANGES}\n{broken}\n{PLAN}\n")).end();
    let place = format!("at byte {}, line 2 column 44 (resource_changes)", NO_CHANGES.len() + 1 + 43);
    let message = format!(
        "error: plan 2 of 3: reading the plan from standard input: expected an array, found a number, {place}\n"
    );
    assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(1), "", &*message), "{ended}");
}

#[test]
fn one_run_writes_several_formats_to_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-formats");
    fs::create_dir_all(&folder).unwrap();
    let args = "review --format json --out markdown=c.md --out gitlab-report=r.json --out terminal=t.txt";
    let ended = tfview(args).folder(&folder).stdin(PLAN).end();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert!(serde_json::from_str::<serde_json::Value>(&ended.stdout).is_ok(), "{ended}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("c.md").starts_with("<!-- tfview:review standard_input -->\n\n**🟡 1 to create.**"));
    assert_eq!(read("r.json"), "{\"create\":1,\"update\":0,\"delete\":0}\n");
    assert!(read("t.txt").contains("terraform_data.a is created"));
}

#[test]
fn github_gets_folds_a_summary_and_annotations() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-github");
    fs::create_dir_all(&folder).unwrap();
    let summary = folder.join("summary.md");
    fs::write(&summary, "before\n").unwrap();
    let ended = tfview("review --fail-on create")
        .variable("GITHUB_ACTIONS", "true")
        .variable("GITHUB_STEP_SUMMARY", summary.as_os_str())
        .stdin(PLAN)
        .end();
    assert_eq!(ended.code, Some(3), "{ended}");
    assert!(ended.stdout.contains("::group::+ terraform_data.a is created\n"), "{ended}");
    assert_eq!(ended.stdout.matches("::group::").count(), ended.stdout.matches("::endgroup::").count());
    assert!(ended.stderr.contains("::error title=tfview review::--fail-on create"), "{ended}");
    assert!(
        fs::read_to_string(&summary)
            .unwrap()
            .starts_with("before\n<!-- tfview:review standard_input -->\n\n**🟡 1 to create.**")
    );
}

#[test]
fn page_has_its_title_and_is_written_to_a_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review-page");
    fs::create_dir_all(&folder).unwrap();
    let ended = tfview("review --out html=p.html --title A&B").folder(&folder).stdin(PLAN).end();
    assert_eq!(ended.code, Some(0), "{ended}");
    let page = fs::read_to_string(folder.join("p.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<title>A&amp;B</title>") && page.contains("1 to create."));
    let two = tfview("review --format html").stdin(format!("{PLAN}\n{NO_CHANGES}\n")).end();
    assert!(two.stdout.contains("2 plans: 1 to create."), "{two}");
    assert!(two.stdout.contains("standard input:2: No changes."), "{two}");
}

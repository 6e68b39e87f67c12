//! Many units at once: finding their plans, names, failed ones, comparisons, and their runs.

mod attacks;

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::harness::{NO_CHANGES, PLAN, folder, tfview, without_identity};
use crate::page::{lines_of, with_page};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/units")
}

/// A folder with these files, below folders of their own.
fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = folder(name, &[]);
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// The names of the units in a review, and those of which there is no plan.
fn units(json: &str) -> (Vec<String>, Vec<(String, String)>) {
    let document: serde_json::Value = serde_json::from_str(json).unwrap();
    let plans = document["plans"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("(none)").to_owned();
    let absent = document["absent_units"].as_array().unwrap();
    (
        plans.iter().map(|plan| text(&plan["unit"])).collect(),
        absent
            .iter()
            .map(|unit| (text(&unit["unit"]), text(&unit["why"])))
            .collect(),
    )
}

#[test]
fn a_hundred_units_fit_a_screen_and_a_comment() {
    let run = |args: &str| tfview(args).folder(&fixtures()).output();
    let text = run("review plans --report report.json");
    assert_eq!(text.code, Some(1), "{text}");
    assert!(text.stdout.lines().count() <= 25, "{text}");
    insta::assert_snapshot!(text.stdout);
    let comment = run("review plans --report report.json --format markdown --max-bytes github");
    assert!(
        comment.stdout.len() <= 65_536 && comment.stdout.lines().count() <= 40,
        "{comment}"
    );
    let page = run("review plans --report report.json --format html").stdout;
    assert!(page.find("prod/eu/unit19").unwrap() < page.find("aws_sqs_queue.jobs").unwrap());
    assert!(
        page.contains("dev/eu/unit00"),
        "a page names unchanged units"
    );
    assert_eq!(
        page.matches("prod/us/unit11").count(),
        2,
        "the verdict and a line name the unit that failed to plan"
    );
    let all = run("review plans --context all");
    insta::assert_snapshot!(all.stdout);
    let (found, absent) = units(&run("review plans --report report.json --format json").stdout);
    assert_eq!((found.len(), absent.len()), (98, 2));
}

#[test]
fn a_gate_wins_over_a_failed_unit_and_holds_for_what_is_missing() {
    let run = |args: &str| tfview(args).folder(&fixtures()).output();
    assert_eq!(run("review plans --fail-on destroy").code, Some(3));
    let unknown = run("review plans --fail-on forget");
    assert_eq!(unknown.code, Some(3), "{unknown}");
    insta::assert_snapshot!(unknown.stderr, @r"
    note: ignored 1 JSON file without a plan
    error: --fail-on forget: not known of 1 unit: prod/eu/unit19 (cannot be read)
    ");
    assert_eq!(
        run("review plans/dev --fail-on forget --report report.json").code,
        Some(3),
        "prod is missing"
    );
    assert_eq!(run("review plans/dev --fail-on forget").code, Some(0));
    assert_eq!(run("review plans/dev --detailed-exitcode").code, Some(2));
    // Alone, a plan whose planning failed is readable input, and one that cannot be read an error.
    assert_eq!(run("review plans/prod/us/unit11/tfplan.json").code, Some(0));
    let broken = run("review plans/prod/eu/unit19/tfplan.json");
    assert_eq!((broken.code, &*broken.stdout), (Some(1), ""), "{broken}");
}

#[test]
fn plans_are_found_at_every_depth() {
    let cut = &PLAN[..PLAN.len() / 2];
    let state =
        r#"{"format_version":"1.0","terraform_version":"1.12.0","values":{"root_module":{}}}"#;
    let root = tree(
        "units-found",
        &[
            ("live/a/tfplan.json", PLAN),
            ("live/a/b/c/plan.json", NO_CHANGES),
            ("live/two/x.json", PLAN),
            ("live/two/y.json", PLAN),
            ("live/.terragrunt-stack/vpc/tfplan.json", PLAN),
            ("live/cut/other.json", cut),
            ("live/named/tfplan", "not a plan"),
            ("live/empty/tfplan.json", ""),
            ("live/odd/plan.out", PLAN),
            ("live/state.json", state),
            ("live/package.json", r#"{"name":"x"}"#),
            ("live/.terragrunt-cache/h/tfplan.json", PLAN),
            ("live/.terraform/tfplan.json", PLAN),
            ("live/.gitignore", "*\n"),
        ],
    );
    let output = tfview("review live --format json").folder(&root).output();
    let (found, absent) = units(&output.stdout);
    assert_eq!(
        found,
        [
            ".terragrunt-stack/vpc",
            "a",
            "a/b/c",
            "odd",
            "two/x",
            "two/y"
        ],
        "{output}"
    );
    let absent: Vec<&str> = absent.iter().map(|(name, _)| &**name).collect();
    assert_eq!(absent, ["cut", "empty", "named"], "{output}");
    insta::assert_snapshot!(output.stderr, @"note: ignored 2 JSON files without a plan, and 1 file in other forms (live/.gitignore)");
    assert_eq!(output.code, Some(1));
    // A pattern reaches every depth too, also where plain files lie beside folders.
    for pattern in ["live/**/tfplan.json", "live/*/tfplan.json", "**/plan.json"] {
        let output = tfview("review --format json")
            .argument(pattern)
            .folder(&root)
            .output();
        assert!(
            !output.stderr.contains("Not a directory"),
            "{pattern}: {output}"
        );
        assert!(!output.stdout.is_empty(), "{pattern}: {output}");
    }
    // It gives the names that its first folders give, also where it is a whole path.
    for pattern in ["live/*/tfplan.json", "live/*"] {
        let absolute = root.join(pattern).to_string_lossy().into_owned();
        for pattern in [pattern, &absolute] {
            let output = tfview("review --format json --fail-on any")
                .argument(pattern)
                .folder(&root)
                .output();
            let (found, absent) = units(&output.stdout);
            assert!(found.contains(&"a".to_owned()), "{pattern}: {found:?}");
            assert!(absent.iter().any(|(name, _)| name == "empty"), "{absent:?}");
            let named = [found.concat(), output.stderr.clone()].concat();
            assert!(!named.contains("live/"), "{pattern}: {output}");
        }
    }
    let none = tfview("review live/.terraform/none").folder(&root).output();
    assert_eq!(none.code, Some(1), "{none}");
}

#[cfg(unix)]
#[test]
fn links_are_counted_and_what_cannot_be_searched_is_a_failed_unit() {
    let root = tree(
        "units-links",
        &[
            ("live/a/tfplan.json", PLAN),
            ("elsewhere/tfplan.json", PLAN),
        ],
    );
    std::os::unix::fs::symlink(root.join("elsewhere"), root.join("live/link")).unwrap();
    std::os::unix::fs::symlink(root.join("live"), root.join("live/a/loop")).unwrap();
    let output = tfview("review live --format json").folder(&root).output();
    assert_eq!(units(&output.stdout).0, ["a"], "{output}");
    insta::assert_snapshot!(output.stderr, @"note: ignored 2 symbolic links, which are not followed");
}

#[test]
fn of_a_saved_plan_and_its_json_one_is_read() {
    let root = tree(
        "units-pairs",
        &[
            ("p/a/tfplan.json", PLAN),
            ("p/a/tfplan.tfplan", "PK"),
            ("p/b/tfplan.json", PLAN),
        ],
    );
    let old = fs::File::options()
        .write(true)
        .open(root.join("p/a/tfplan.tfplan"))
        .unwrap();
    old.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let output = tfview("review p --format json").folder(&root).output();
    assert_eq!(
        units(&output.stdout),
        (vec!["a".to_owned(), "b".to_owned()], Vec::new()),
        "{output}"
    );
    // The JSON of an earlier run must not be reviewed instead of a newer plan.
    let json = fs::File::options()
        .write(true)
        .open(root.join("p/a/tfplan.json"))
        .unwrap();
    json.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    old.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(9))
        .unwrap();
    let output = tfview("review p --format json").folder(&root).output();
    assert_eq!(units(&output.stdout).0, ["b"], "{output}");
}

#[test]
fn units_can_be_named_and_names_drive_nothing() {
    let root = tree("units-named", &[("x.json", PLAN), ("y.json", NO_CHANGES)]);
    let output = tfview("review --unit prod/vpc=x.json --unit dev=y.json --format json")
        .folder(&root)
        .output();
    assert_eq!(units(&output.stdout).0, ["prod/vpc", "dev"], "{output}");
    let hostile = "\u{1b}[31m::error::x\u{202e}";
    let run = |format: &str| {
        let run = tfview(&format!("review --format {format} y.json"))
            .folder(&root)
            .argument("--unit");
        run.argument(&format!("{hostile}=x.json")).output().stdout
    };
    for format in ["terminal", "markdown", "html", "json"] {
        let text = run(format);
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{format}: {text}");
    }
    let twice = tfview("review --unit a=x.json --unit a=y.json")
        .folder(&root)
        .output();
    assert_eq!(twice.code, Some(1), "{twice}");
}

#[test]
fn the_same_change_in_several_units_is_one_entry() {
    let names: Vec<String> = (0..37)
        .map(|number| format!("p/u{number:02}/tfplan.json"))
        .collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), PLAN)).collect();
    let other = PLAN.replace('é', "other");
    files.push(("p/other/tfplan.json", &other));
    let root = tree("units-same", &files);
    let output = tfview("review p").folder(&root).output();
    assert_eq!(
        output.stdout.matches("same change in 37 units").count(),
        1,
        "{output}"
    );
    assert!(output.stdout.lines().count() < 25, "{output}");
    insta::assert_snapshot!(output.stdout);
    let comment = tfview("review p --format markdown --max-bytes 2048")
        .folder(&root)
        .output();
    assert!(comment.stdout.len() <= 2_048, "{comment}");
    insta::assert_snapshot!(without_identity(&comment.stdout));
}

#[test]
fn a_row_says_once_that_a_plan_cannot_be_read() {
    let folder = tree(
        "units-broken",
        &[
            (
                "a/plan.json",
                r#"{"format_version":"1.2","resource_changes":[]}"#,
            ),
            ("b/plan.json", r#"{"format_version":"1.2","#),
        ],
    );
    let output = tfview("review .").folder(&folder).output();
    insta::assert_snapshot!(output.stdout, @r"
    2 units: FAILED  1 unit not reviewed. The others: No changes.
      1 cannot be read, 1 unchanged
        ✗ b cannot be read: truncated at line 1, column 25: the document ends in the middle of a value
    ");
}

#[test]
fn folders_are_compared_unit_by_unit() {
    let run = |args: &str| tfview(args).folder(&fixtures()).output();
    let same = run("diff older older --detailed-exitcode");
    assert_eq!(same.code, Some(0), "{same}");
    let output = run("diff older plans/");
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stdout);
    assert_eq!(run("diff older plans --fail-on wider").code, Some(3));
    let json = run("diff older plans --format json").stdout;
    crate::json_schema::validate("diff-units", &json, "the comparison of two folders");
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let unit = |name: &str| {
        document["units"]
            .as_array()
            .unwrap()
            .iter()
            .find(|unit| unit["unit"] == name)
            .cloned()
    };
    assert_eq!(unit("dev/us/unit99").unwrap()["presence"], "missing");
    assert_eq!(unit("dev/eu/unit00").unwrap()["presence"], "new");
    assert_eq!(unit("dev/us/unit03").unwrap()["verdict"], "wider");
    assert_eq!(
        run("diff older plans/dev/us/unit03/tfplan.json").code,
        Some(1)
    );
}

/// The messages of an apply of one resource.
fn apply(address: &str) -> Vec<String> {
    let message = |text: &str, rest: &str| {
        format!(
            r#"{{"@level":"info","@message":"{text}","@module":"tofu.ui","@timestamp":"2026-08-01T10:00:00.000000Z",{rest}}}"#
        )
    };
    let resource = format!(
        r#""resource":{{"addr":"{address}","module":"","resource":"{address}","implied_provider":"terraform","resource_type":"terraform_data","resource_name":"x","resource_key":null}}"#
    );
    let changes = |operation: &str| {
        format!(
            r#""changes":{{"add":1,"change":0,"import":0,"remove":0,"operation":"{operation}"}},"type":"change_summary""#
        )
    };
    vec![
        message(
            "OpenTofu 1.12.6",
            r#""tofu":"1.12.6","type":"version","ui":"1.2""#,
        ),
        message(
            "Plan to create",
            &format!(r#""change":{{{resource},"action":"create"}},"type":"planned_change""#),
        ),
        message("Plan: 1 to add", &changes("plan")),
        message(
            "Creating...",
            &format!(r#""hook":{{{resource},"action":"create"}},"type":"apply_start""#),
        ),
        message(
            "Creation complete",
            &format!(
                r#""hook":{{{resource},"action":"create","id_key":"id","id_value":"1","elapsed_seconds":1}},"type":"apply_complete""#
            ),
        ),
        message("Apply complete!", &changes("apply")),
        message("Outputs: 0", r#""outputs":{},"type":"outputs""#),
    ]
}

/// Alternates the messages of two runs, each line as `line` writes it for its unit.
fn interleaved(line: impl Fn(&str, &str) -> String) -> Vec<String> {
    let (a, b) = (apply("terraform_data.a"), apply("terraform_data.b"));
    a.iter()
        .zip(&b)
        .flat_map(|(a, b)| [line("live/a", a), line("live/b", b)])
        .collect()
}

#[test]
fn interleaved_runs_succeed_only_if_all_have_ended() {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    type Form<'f> = (&'static str, Box<dyn Fn(&str, &str) -> String + 'f>);
    let forms: [Form<'_>; 5] = [
        (
            "brackets",
            Box::new(|unit, text| format!("[{unit}] {text}")),
        ),
        (
            "pretty",
            Box::new(|unit, text| format!("12:00:01.123 STDOUT [{unit}] tofu: {text}")),
        ),
        (
            "key-value",
            Box::new(|unit, text| {
                format!(
                    "time=2026-08-01T10:00:00Z level=stdout prefix={unit} tf-path=tofu msg={text}"
                )
            }),
        ),
        (
            "json",
            Box::new(|unit, text| {
                format!(
                    r#"{{"time":"t","level":"stdout","working-dir":"{unit}","msg":"{}"}}"#,
                    escaped(text)
                )
            }),
        ),
        ("no label", Box::new(|_, text| text.to_owned())),
    ];
    for (name, form) in &forms {
        let lines = interleaved(form);
        for end in 1..=lines.len() {
            let input = lines[..end].join("\n") + "\n";
            let output = tfview("stream").stdin(&input).output();
            // Each run has ended with the summary of its apply; before that of the plan of both, nothing is open.
            let is_end = end >= lines.len() - 2 || end == 6;
            let expected = Some(i32::from(!is_end));
            assert_eq!(output.code, expected, "{name}, {end} lines: {output}");
        }
        let output = tfview("stream").stdin(lines.join("\n")).output();
        assert_eq!(output.code, Some(0), "{name}: {output}");
        if *name != "no label" {
            insta::allow_duplicates! {
                insta::assert_snapshot!(output, @r"
                exit Some(0)
                --- stdout

                [live/a] OpenTofu will perform the following actions:

                [live/a]   + terraform_data.a will be created

                [live/b] OpenTofu will perform the following actions:

                [live/b]   + terraform_data.b will be created

                [live/a] Plan: 1 to add

                [live/b] Plan: 1 to add
                [live/a] terraform_data.a: Creating...
                [live/b] terraform_data.b: Creating...
                [live/a] terraform_data.a: Creation complete after 1s [id=1]
                [live/b] terraform_data.b: Creation complete after 1s [id=1]

                [live/a] Apply complete!

                [live/b] Apply complete!
                --- stderr
                note: 2 runs, all succeeded
                [EOF]
                ");
            }
        }
    }
}

#[test]
fn a_run_that_was_killed_fails_the_log() {
    let (a, b) = (apply("terraform_data.a"), apply("terraform_data.b"));
    let killed = a[..4].iter().map(|text| format!("[a] {text}"));
    let lines: Vec<String> = killed
        .chain(b.iter().map(|text| format!("[b] {text}")))
        .collect();
    let output = tfview("stream").stdin(lines.join("\n")).output();
    assert_eq!(output.code, Some(1), "{output}");
    insta::assert_snapshot!(output.stderr, @r"

    [a] The run was cut off: its messages end in the middle. Done: nothing.
    [a]   not finished: terraform_data.a (creation)
    note: 2 runs, 1 failed: a
    ");

    let bare: Vec<&str> = a[..4].iter().chain(&b).map(String::as_str).collect();
    assert_eq!(
        tfview("stream").stdin(bare.join("\n")).output().code,
        Some(1)
    );
}

#[test]
fn words_in_brackets_are_no_units() {
    let plain = tfview("stream")
        .stdin(apply("terraform_data.a").join("\n"))
        .output();
    for prefix in ["[10:31:02] ", "[INFO] ", "[1/3] "] {
        let lines: Vec<String> = apply("terraform_data.a")
            .iter()
            .map(|text| format!("{prefix}{text}\n"))
            .collect();
        let output = tfview("stream").stdin(lines.concat()).output();
        assert_eq!(
            (output.code, &output.stdout),
            (Some(0), &plain.stdout),
            "{prefix}: {output}"
        );
    }
}

#[test]
fn files_and_folders_of_messages_are_runs() {
    let (a, b) = (apply("terraform_data.a"), apply("terraform_data.b"));
    let whole = (a.join("\n") + "\n", b.join("\n") + "\n");
    let root = tree(
        "units-runs",
        &[
            ("runs/x/a.jsonl", &whole.0),
            ("runs/y/b.jsonl", &whole.1),
            ("runs/z.json", "{}"),
        ],
    );
    let output = tfview("stream runs --junit report.xml --out html=run.html")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout);
    let report = fs::read_to_string(root.join("report.xml")).unwrap();
    insta::assert_snapshot!(report);
    let page = fs::read_to_string(root.join("run.html")).unwrap();
    with_page(&page, "two runs", |page| {
        insta::assert_snapshot!(without_identity(&lines_of(page)));
    });
    fs::write(root.join("runs/y/b.jsonl"), b[..4].join("\n") + "\n").unwrap();
    let output = tfview("stream runs/x/a.jsonl runs/y/b.jsonl --out html=run.html")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    let page = fs::read_to_string(root.join("run.html")).unwrap();
    assert!(
        page.find("✗ ").unwrap() < page.rfind("✓ ").unwrap(),
        "failed runs come first"
    );
    let missing = tfview("stream runs/x/a.jsonl runs/none.jsonl")
        .folder(&root)
        .output();
    assert_eq!(missing.code, Some(1), "{missing}");
    let empty = tree("units-empty-run", &[("a.jsonl", &whole.0), ("b.jsonl", "")]);
    assert_eq!(
        tfview("stream a.jsonl b.jsonl")
            .folder(&empty)
            .output()
            .code,
        Some(1)
    );
}

/// The commands of tfview in the fenced blocks of the documentation about units, with their block's language.
fn recipes() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/units.md");
    let text = fs::read_to_string(path).unwrap();
    let mut recipes = Vec::new();
    let mut language = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &language) {
            (Some(name), None) => language = Some(name.to_owned()),
            (Some(_), Some(_)) => language = None,
            (None, Some(name)) => {
                if let Some(start) = line
                    .find("tfview ")
                    .filter(|start| !line[..*start].contains('#'))
                {
                    recipes.push((name.clone(), line[start..].to_owned()));
                }
            }
            (None, None) => {}
        }
    }
    recipes
}

#[cfg(unix)]
#[test]
fn the_recipes_work_as_written() {
    let stream = apply("terraform_data.a")
        .iter()
        .map(|text| format!("[a] {text}\n"))
        .collect::<String>();
    let root = tree(
        "units-recipes",
        &[
            ("plans/dev/tfplan.json", PLAN),
            ("plans/prod/tfplan.json", NO_CHANGES),
            ("showfiles/x.json", PLAN),
            ("stdin", &stream),
        ],
    );
    fs::write(
        root.join("report.json"),
        r#"[{"Name":"dev","Result":"succeeded"},{"Name":"prod","Result":"succeeded"}]"#,
    )
    .unwrap();
    let recipes = recipes();
    assert!(recipes.len() >= 6, "{recipes:?}");
    let binary = Path::new(env!("CARGO_BIN_EXE_tfview"));
    for (language, command) in recipes {
        let script = command.replacen("tfview", "\"$TFVIEW\"", 1);
        let output = std::process::Command::new("/bin/sh")
            .args(["-c", &script])
            .current_dir(&root)
            .env_clear()
            .env("TFVIEW", binary)
            .envs([
                ("REPO_REL_DIR", "live/vpc"),
                ("WORKSPACE", "default"),
                ("SHOWFILE", "showfiles/x.json"),
            ])
            .stdin(fs::File::open(root.join("stdin")).unwrap())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{language}: {command}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!output.stdout.is_empty(), "{command}");
    }
}

/// The head said `No changes` with the sign of success above a unit that nobody had seen.
#[test]
fn a_unit_that_cannot_be_read_is_in_the_verdict() {
    let root = tree(
        "units-unread",
        &[
            ("live/a/tfplan.json", NO_CHANGES),
            ("live/cut/tfplan.json", &PLAN[..PLAN.len() / 2]),
        ],
    );
    let first_line = |args: &str| {
        let output = tfview(args).folder(&root).output();
        assert_eq!(output.code, Some(1), "{output}");
        output.stdout.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(first_line("review live"), @"2 units: FAILED  1 unit not reviewed. The others: No changes.");
    let markdown = tfview("review live --format markdown")
        .folder(&root)
        .output();
    let markdown = without_identity(&markdown.stdout);
    insta::assert_snapshot!(markdown.lines().find(|line| line.starts_with('#')).unwrap(), @"## ❌ 2 units FAILED: 1 unit not reviewed. The others: No changes");
    insta::assert_snapshot!(first_line("review live --format text-summary"), @"FAILED: 1 unit not reviewed. The others: No changes.");
}

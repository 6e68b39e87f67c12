//! Reports and names take nothing away: rows of a report, files in folders, marks of comments, files of `--out`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{tree, units};
use crate::archive::zip;
use crate::base64::base64;
use crate::cli::harness::{NO_CHANGES, PLAN, folder, tfview};
use crate::random::{Random, cases};

/// A plan that destroys an object.
fn destroys() -> String {
    PLAN.replace(r#"["create"]"#, r#"["delete"]"#).replace(
        r#""before":null,"after":{"input":"é"}"#,
        r#""before":{"input":"é"},"after":null"#,
    )
}

fn report(rows: &[(&str, &str)]) -> String {
    let rows: Vec<Value> = rows
        .iter()
        .map(|(name, result)| json!({ "Name": name, "Result": result }))
        .collect();
    Value::from(rows).to_string()
}

#[test]
fn report_suffix_match() {
    let rows = report(&[
        ("app", "succeeded"),
        ("vpc", "excluded"),
        ("prod/vpc", "succeeded"),
    ]);
    let without = report(&[("app", "succeeded"), ("vpc", "excluded")]);
    let only = report(&[("vpc", "excluded")]);
    let destroys = destroys();
    let root = tree(
        "report-suffix-match",
        &[
            ("plans/app/tfplan.json", PLAN),
            ("plans/prod/vpc/tfplan.json", &destroys),
            ("rows.json", &rows),
            ("without.json", &without),
            ("only.json", &only),
        ],
    );
    for arguments in [
        "plans --report rows.json",
        "plans --report without.json",
        "plans --report only.json",
        "plans/prod/vpc/tfplan.json --report only.json",
        "plans/prod/vpc --report only.json",
        "plans/*/*/tfplan.json plans/app/tfplan.json --report rows.json",
    ] {
        let output = tfview(&format!("review --fail-on destroy {arguments}"))
            .folder(&root)
            .output();
        assert_eq!(output.code, Some(3), "{arguments}: {output}");
        assert!(
            output.stderr.contains("1 object is destroyed"),
            "the plan itself holds the gate: {arguments}: {output}"
        );
    }
    let exact = report(&[("app", "succeeded"), ("prod/vpc", "excluded")]);
    fs::write(root.join("exact.json"), exact).unwrap();
    let output = tfview("review --fail-on destroy plans --report exact.json")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(0), "its own row excuses it: {output}");
}

#[test]
fn two_rows_for_one_unit_are_an_error() {
    let root = tree(
        "report-two-rows",
        &[
            ("plans/a/tfplan.json", PLAN),
            (
                "same.json",
                &report(&[("a", "succeeded"), ("a", "excluded")]),
            ),
            (
                "spelling.json",
                &report(&[("a", "succeeded"), ("./a/", "excluded")]),
            ),
            ("one.json", &report(&[("a", "succeeded")])),
            ("two.json", &report(&[("a", "excluded")])),
        ],
    );
    for reports in [
        "--report same.json",
        "--report spelling.json",
        "--report one.json --report two.json",
    ] {
        let output = tfview(&format!("review plans {reports}"))
            .folder(&root)
            .output();
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{reports}: {output}"
        );
        assert!(
            output.stderr.contains("two rows are about the unit a"),
            "{output}"
        );
    }
}

#[test]
fn two_plans_of_one_name_are_not_excused_by_one_row() {
    let destroys = destroys();
    let root = tree(
        "report-two-units",
        &[
            ("dev/app/tfplan.json", NO_CHANGES),
            ("prod/app/tfplan.json", &destroys),
            ("report.json", &report(&[("app", "excluded")])),
        ],
    );
    let output = tfview("review dev prod --report report.json --fail-on destroy")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(3), "{output}");
}

#[test]
fn directory_passes_over_archive() {
    let destroys = destroys();
    let packed = zip(&[("other.txt", b"x"), ("plan.json", destroys.as_bytes())]);
    let two = zip(&[("a.json", PLAN.as_bytes()), ("b.json", destroys.as_bytes())]);
    let none = zip(&[("other.txt", b"x")]);
    let log = format!("[command]/usr/bin/tofu show -json tfplan\n{destroys}\n");
    let long = format!("{}\n{destroys}\n", "a line of a log\n".repeat(9_000));
    let root = folder("units-archives", &[]);
    for (path, bytes) in [
        ("packed/plan-prod.zip", &*packed),
        ("packed/no-ending", &packed),
        ("log/ci.log", log.as_bytes()),
        ("long/ci.txt", long.as_bytes()),
    ] {
        let path_of_input = root.join(path);
        fs::create_dir_all(path_of_input.parent().unwrap()).unwrap();
        fs::write(&path_of_input, bytes).unwrap();
        let folder = path_of_input.parent().unwrap().to_str().unwrap().to_owned();
        let output = tfview("review --fail-on destroy")
            .argument(&folder)
            .output();
        assert_eq!(output.code, Some(3), "{path}: {output}");
        let output = tfview("review --fail-on destroy")
            .argument(path_of_input.to_str().unwrap())
            .output();
        assert_eq!(output.code, Some(3), "{path} alone: {output}");
    }
    // What cannot be told fails closed, and what is no plan is counted.
    fs::create_dir_all(root.join("others/a")).unwrap();
    for (name, bytes) in [
        ("a/tfplan.json", NO_CHANGES.as_bytes()),
        ("none.zip", &none),
        ("x.tar.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("x.7z", b"7z\xbc\xaf\x27\x1c"),
        ("run.log", b"Plan: 1 to add\n"),
    ] {
        fs::write(root.join("others").join(name), bytes).unwrap();
    }
    let output = tfview("review others --fail-on destroy")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    for counted in ["3 archives", "1 log"] {
        assert!(output.stderr.contains(counted), "{counted}: {output}");
    }
    fs::write(root.join("others/two.zip"), two).unwrap();
    let output = tfview("review others --fail-on destroy")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(3), "{output}");
}

/// Folders of random files, in which a plan is packed in random ways: a file that is read as a plan when it is given
/// alone, or that is an error then, is one in a folder, too, unless a note counts it.
#[test]
fn what_is_read_alone_is_read_in_a_folder() {
    let mut random = Random::new(52);
    let destroys = destroys();
    let root = folder("units-packed-at-random", &[]);
    for turn in 0..cases(6) {
        let mut bytes = match random.below(3) {
            0 => NO_CHANGES.as_bytes().to_vec(),
            1 => b"{\"name\": \"x\"}".to_vec(),
            _ => destroys.as_bytes().to_vec(),
        };
        for _ in 0..random.below(3) {
            bytes = match random.below(4) {
                0 => zip(&[("a.txt", b"text"), ("inner.json", &bytes)]),
                1 => gzip(&bytes),
                2 => [b"[command]/usr/bin/x\n", &*bytes].concat(),
                _ => zip(&[("b", &bytes)]),
            };
        }
        let endings = ["json", "zip", "log", "bin", "gz", "tfplan"];
        let name = format!("{turn}/x.{}", random.pick(&endings));
        let path = root.join(&name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &bytes).unwrap();
        fs::write(path.with_file_name("plan.json"), NO_CHANGES).unwrap();
        let run = |argument: &Path| {
            tfview("review --fail-on destroy")
                .argument(argument.to_str().unwrap())
                .output()
        };
        let (alone, within) = (run(&path), run(path.parent().unwrap()));
        match alone.code {
            Some(3) => assert_eq!(within.code, Some(3), "{name}: {within}"),
            Some(0) => assert_eq!(within.code, Some(0), "{name}: {within}"),
            _ => assert!(
                within.code == Some(3)
                    || within.stderr.contains("ignored")
                    || !name.ends_with(".json"),
                "{name}: {alone} {within}"
            ),
        }
    }
}

/// A folder skips, or the note omits, a file that is read when it is given alone.
#[test]
fn wrapped_and_encrypted_plans_in_a_folder_are_read_or_hold_the_gate() {
    let destroys = destroys();
    let root = folder("units-wrapped", &[]);
    let wrapped = format!("{{\"input\":{{\"plan\":{destroys}}}}}");
    let string = Value::from(destroys.as_str()).to_string();
    let timed = format!("2026-11-20T09:05:00.1234567Z {}", destroys.trim());
    let cut = &wrapped[..wrapped.len() - 9];
    for (name, text) in [
        ("input.json", &*wrapped),
        ("input.txt", &wrapped),
        ("input.out", &string),
        ("ci.log", &timed),
        ("cut.json", cut),
    ] {
        let path = root.join(name.replace('.', "-")).join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::write(path.with_file_name("plan.json"), NO_CHANGES).unwrap();
        let output = tfview("review --fail-on destroy")
            .argument(path.parent().unwrap().to_str().unwrap())
            .output();
        assert_eq!(output.code, Some(3), "{name}: {output}");
    }
    let encrypted = r#"{"meta":{"key_provider.pbkdf2.x":"eyJ9"},"encrypted_data":"aGVsbG8=","encryption_version":"v0"}"#;
    let state = encrypted.replace("\"meta\"", "\"lineage\":\"x\",\"serial\":1,\"meta\"");
    fs::create_dir_all(root.join("encrypted")).unwrap();
    fs::write(root.join("encrypted/plan.json"), NO_CHANGES).unwrap();
    fs::write(root.join("encrypted/terraform.tfstate"), state).unwrap();
    let review = || {
        tfview("review encrypted --fail-on destroy")
            .folder(&root)
            .output()
    };
    assert_eq!(review().code, Some(0), "{}", review());
    fs::write(root.join("encrypted/prod.plan"), encrypted).unwrap();
    assert_eq!(review().code, Some(3), "{}", review());
}

#[test]
fn archives_that_only_their_names_give_away_are_counted() {
    let root = tree("units-archives-by-name", &[("u/plan.json", NO_CHANGES)]);
    for (name, bytes) in [
        ("old.lzma", b"\x5d\0\0\x80\0\xff\xff\xff".as_slice()),
        ("unknown.ZIP", b"not an archive that anybody knows"),
    ] {
        fs::write(root.join("u").join(name), bytes).unwrap();
    }
    let output = tfview("review u").folder(&root).output();
    assert!(output.stderr.contains("ignored 2 archives"), "{output}");
}

/// A plan in a form that tfview does not read is told by its name, whatever the form is.
#[test]
fn files_in_other_forms_in_a_folder_are_counted_and_named() {
    let destroys = destroys();
    let plan = destroys.as_bytes();
    let packed = zip(&[("plan.json", plan)]);
    // A tar archive of the time before it had a magic.
    let tar = [&b"plans/tfplan"[..], &[0; 500], &gzip(plan), &[0; 1024]].concat();
    let noise: Vec<u8> = (0..400_u32)
        .map(|index| ((index * index * 7919) >> 5) as u8)
        .collect();
    for (name, bytes) in [
        ("plan.b64", base64(plan).into_bytes()),
        (
            "secret.yaml",
            format!("data:\n  plan: {}\n", base64(&gzip(plan))).into_bytes(),
        ),
        (
            "plan.age",
            b"age-encryption.org/v1\n-> X25519 x\ny\n--- z\n".to_vec(),
        ),
        ("plan.gpg", noise),
        ("plans.old", tar),
        ("behind.run", [b"#!/bin/sh\n\0", &*packed].concat()),
        ("twice", gzip(&gzip(plan))),
    ] {
        let root = folder(&format!("units-other-forms-{name}"), &[]);
        fs::write(root.join(name), bytes).unwrap();
        fs::write(root.join("plan.json"), NO_CHANGES).unwrap();
        // The configuration of the tools is beside every plan.
        fs::write(root.join("main.tf"), "variable \"a\" {}\n").unwrap();
        let output = tfview("review .").folder(&root).output();
        let expected = format!("note: ignored 1 file in other forms (./{name})");
        assert!(
            output.stderr.lines().any(|line| line == expected),
            "{name}: {output}"
        );
    }
}

#[test]
fn of_many_files_in_other_forms_three_are_named() {
    let root = tree("units-many-other-forms", &[("u/plan.json", NO_CHANGES)]);
    for name in ["a.png", "b.md", "c", "d", "e"] {
        fs::write(root.join("u").join(name), "text\n").unwrap();
    }
    let output = tfview("review u").folder(&root).output();
    insta::assert_snapshot!(output.stderr, @"note: ignored 5 files in other forms (u/a.png, u/b.md, u/c and 2 more)");
}

/// `a\b` is the name of one folder where `/` separates names.
#[cfg(unix)]
#[test]
fn a_row_excused_a_folder_with_another_separator_or_space() {
    let destroys = destroys();
    for (folder, row) in [("a\\b", "a/b"), ("a ", "a"), (" a", "a"), ("a", " a ")] {
        let root = tree(
            "report-separators",
            &[
                ("p/other/tfplan.json", NO_CHANGES),
                (&format!("p/{folder}/tfplan.json"), &destroys),
                (
                    "r.json",
                    &report(&[("other", "succeeded"), (row, "excluded")]),
                ),
            ],
        );
        let output = tfview("review p --report r.json --fail-on destroy")
            .folder(&root)
            .output();
        assert_eq!(output.code, Some(3), "{folder:?} {row:?}: {output}");
        fs::remove_dir_all(root).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn two_plans_behind_a_link_have_two_marks() {
    let root = tree(
        "comment-marker-links",
        &[
            ("p/tfplan.json", PLAN),
            ("other/tfplan.json", PLAN),
            ("other/deep/x", ""),
        ],
    );
    fs::create_dir(root.join(".git")).unwrap();
    std::os::unix::fs::symlink(root.join("other/deep"), root.join("p/link")).unwrap();
    let behind = marker(&root, "", "p/link/../tfplan.json", "");
    assert_ne!(behind, marker(&root, "", "p/tfplan.json", ""));
    let hash = |mark: &str| mark.split(' ').rev().nth(1).map(str::to_owned);
    let again = marker(&root, "", "p/./link/../tfplan.json", "");
    assert_eq!(hash(&behind), hash(&again));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn marker(root: &Path, folder: &str, arguments: &str, stdin: &str) -> String {
    let output = tfview(&format!("review --format markdown {arguments}"))
        .folder(&root.join(folder))
        .stdin(stdin)
        .output();
    let first = output.stdout.lines().next().unwrap_or_default().to_owned();
    assert!(
        first.starts_with("<!-- tfview:review "),
        "{arguments}: {output}"
    );
    first
}

#[test]
fn comment_marker_collision() {
    let root = tree("comment-marker-collision", &[("live/a b.json", PLAN)]);
    for unit in ["dev/x", "dev/y", "prod/x", "prod/y", "live"] {
        let folder = root.join("live").join(unit);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("tfplan.json"), PLAN).unwrap();
    }
    let long = "x".repeat(200);
    for name in ["a_b.json", &format!("{long}1"), &format!("{long}2")] {
        fs::write(root.join("live").join(name), PLAN).unwrap();
    }
    fs::create_dir(root.join(".git")).unwrap();
    // Each is another review, by its folder, files, units or filters.
    let (first, second) = (format!("{long}1"), format!("{long}2"));
    let mut given: Vec<(&str, &str)> = vec![
        ("live", "dev"),
        ("live", "prod"),
        ("live", "dev prod"),
        ("live/dev", "x/tfplan.json"),
        ("live/prod", "x/tfplan.json"),
        ("live", "a_b.json"),
        ("live", &first),
        ("live", &second),
        ("live/dev", ""),
        ("live/prod", ""),
        ("live", "--unit a=dev/x/tfplan.json --unit b=a_b.json"),
        ("live", "--unit b=dev/x/tfplan.json --unit a=a_b.json"),
        ("live", "dev --include terraform_data.*"),
        ("live", "dev --include terraform_data.a"),
        ("live", "dev --title dev"),
    ];
    let mut marks = BTreeSet::new();
    for (folder, arguments) in given.drain(..) {
        let mark = marker(&root, folder, arguments, PLAN);
        assert!(marks.insert(mark.clone()), "{folder} {arguments}: {mark}");
    }
    // The same review has the same mark, whatever is in the plan, wherever the command runs, however it is formatted.
    let hash = |mark: &str| mark.split(' ').rev().nth(1).map(str::to_owned);
    let mark = hash(&marker(&root, "live", "dev/x/tfplan.json", ""));
    fs::write(root.join("live/dev/x/tfplan.json"), destroys()).unwrap();
    for (folder, arguments) in [
        ("live", "dev/x/tfplan.json"),
        (
            "live",
            "./dev/../dev/x/tfplan.json --max-bytes github --run-url https://example.com/1",
        ),
        ("live/dev", "x/tfplan.json"),
    ] {
        assert_eq!(
            hash(&marker(&root, folder, arguments, "")),
            mark,
            "{arguments}"
        );
    }
}

#[test]
fn the_mark_comes_first_with_since_too() {
    let root = tree(
        "comment-marker-since",
        &[("a.json", PLAN), ("b.json", NO_CHANGES)],
    );
    marker(&root, "", "--since b.json a.json", "");
}

#[test]
fn out_overwrites_report() {
    let row = report(&[("a", "succeeded")]);
    let sarif = r#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[]}]}"#;
    let schemas = r#"{"format_version":"1.0","provider_schemas":{}}"#;
    let files = [
        ("u/a/tfplan.json", PLAN),
        ("u/a/tfplan.tfplan", "PK"),
        ("u/broken/plan.json", "{"),
        ("report.json", &row),
        ("named.toml", ""),
        (".tfview.toml", ""),
        ("with.sarif", sarif),
        ("schemas.json", schemas),
        ("src/main.tf", "resource \"terraform_data\" \"a\" {}\n"),
        ("src/m/x.tofu", ""),
        ("CODEOWNERS", "* @all\n"),
        ("old.json", PLAN),
    ];
    let root = tree("out-overwrites", &files);
    fs::create_dir(root.join(".git")).unwrap();
    // The saved plan is older, so it is left out.
    let saved = fs::File::options()
        .write(true)
        .open(root.join("u/a/tfplan.tfplan"))
        .unwrap();
    saved
        .set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    for (name, _) in files {
        let link = name.replace('/', "-");
        fs::hard_link(root.join(name), root.join(format!("hard-{link}"))).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join(name), root.join(format!("soft-{link}"))).unwrap();
    }
    let given = "--report report.json --with with.sarif --schemas schemas.json --source src";
    for (name, _) in files {
        let link = name.replace('/', "-");
        let mut spellings = vec![
            name.to_owned(),
            format!("./{name}"),
            format!("u/../{name}"),
            root.join(name).to_str().unwrap().to_owned(),
            format!("hard-{link}"),
        ];
        if cfg!(unix) {
            spellings.push(format!("soft-{link}"));
        }
        for out in spellings {
            let arguments = match name {
                "named.toml" => format!("review u {given} --config named.toml --out json={out}"),
                "old.json" => format!("review u/a --since old.json --out json={out}"),
                _ => format!("review u {given} --out json={out}"),
            };
            let output = tfview(&arguments).folder(&root).output();
            assert_eq!(output.code, Some(1), "{arguments}: {output}");
            assert!(
                output.stderr.contains("would write over"),
                "{arguments}: {output}"
            );
        }
    }
    for arguments in [
        "diff u u --out json=u/a/tfplan.json",
        "diff u u --out json=u/a/tfplan.tfplan",
        "diff old.json old.json --schemas schemas.json --out json=schemas.json",
    ] {
        let output = tfview(arguments).folder(&root).output();
        assert_eq!(output.code, Some(1), "{arguments}: {output}");
    }
    let output = tfview("review old.json --out json=schemas.json")
        .variable("TFVIEW_SCHEMAS", root.join("schemas.json"))
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(1), "{output}");
    for (name, text) in files {
        assert_eq!(
            fs::read_to_string(root.join(name)).unwrap(),
            *text,
            "{name}"
        );
    }
}

#[test]
fn two_files_of_out_that_are_one_are_an_error() {
    let root = tree(
        "out-twice",
        &[("p.json", PLAN), ("dir/x", ""), ("there.json", "")],
    );
    #[cfg(unix)]
    for (target, link) in [
        ("dir", "link"),
        ("new.json", "dangling"),
        ("dangling", "twice"),
    ] {
        std::os::unix::fs::symlink(target, root.join(link)).unwrap();
    }
    fs::hard_link(root.join("there.json"), root.join("hard.json")).unwrap();
    for (one, other) in [
        ("a", "./a"),
        ("a", "dir/../a"),
        ("dir/a", "link/a"),
        ("dangling", "new.json"),
        ("new.json", "twice"),
        ("hard.json", "there.json"),
        ("R.json", "r.JSON"),
    ] {
        if one == "a" || cfg!(unix) {
            let output = tfview(&format!(
                "review p.json --out json={one} --out html={other}"
            ))
            .folder(&root)
            .output();
            assert_eq!(output.code, Some(1), "{one} {other}: {output}");
            assert!(output.stderr.contains("which is written too"), "{output}");
        }
    }
    let output = tfview("review p.json --out json=a.json --out html=dir/a.json")
        .folder(&root)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
}

/// Whatever name an `--out` has, and whatever links lead there, no file that is read changes.
#[test]
fn no_out_changes_what_is_read() {
    let mut random = Random::new(47);
    for turn in 0..cases(5) {
        let files = [
            ("u/a/tfplan.json", PLAN),
            ("u/b/tfplan.json", NO_CHANGES),
            (
                "report.json",
                r#"[{"Name":"a","Result":"succeeded"},{"Name":"b","Result":"excluded"}]"#,
            ),
            (".tfview.toml", "# nothing\n"),
        ];
        let root = tree(&format!("out-random-{turn}"), &files);
        let mut names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        for link in 0..random.below(6) {
            let name = format!("{}l{link}", random.pick(&["", "u/", "u/a/"]));
            let target = root.join(random.pick(&names));
            if random.one_in(2) {
                let _ = fs::hard_link(&target, root.join(&name));
            } else {
                #[cfg(unix)]
                let _ = std::os::unix::fs::symlink(&target, root.join(&name));
            }
            names.push(name);
        }
        names.push("new.json".to_owned());
        let (one, other) = (random.pick(&names).clone(), random.pick(&names).clone());
        tfview(&format!(
            "review u --report report.json --out json={one} --out markdown={other}"
        ))
        .folder(&root)
        .output();
        for (name, text) in files {
            assert_eq!(
                fs::read_to_string(root.join(name)).unwrap(),
                text,
                "{turn}: {one} {other} {name}"
            );
        }
    }
}

#[test]
fn a_unit_that_a_report_excludes_by_its_name_is_named() {
    let root = tree(
        "report-excluded",
        &[
            ("p/a/tfplan.json", PLAN),
            ("p/b/tfplan.json", PLAN),
            ("r.json", &report(&[("a", "succeeded"), ("b", "excluded")])),
        ],
    );
    let output = tfview("review p --report r.json --format json")
        .folder(&root)
        .output();
    let (found, absent) = units(&output.stdout);
    assert_eq!(found, ["a"], "{output}");
    assert_eq!(
        absent,
        [("b".to_owned(), "excluded".to_owned())],
        "{output}"
    );
}

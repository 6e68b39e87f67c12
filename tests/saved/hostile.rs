//! No saved plan and no raw state, however broken, makes a reader panic, or takes more than its size allows.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::cases;
use crate::archive::{entries, field, plan_of, zip};
use crate::random::is_thorough;
use bumpalo::Bump;
use tfview::internals::json::{STACK, parse};
use tfview::internals::saved::{Error, Knowledge, RawState, SavedPlan, is_archive, plan_within};
use tfview::internals::schema::Schemas;

/// Reads a plan as the program does, with its stack. The document is JSON.
fn document(bytes: &[u8]) -> Result<String, Error> {
    thread::scope(|scope| {
        let reader = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || read_plan(bytes));
        reader.unwrap().join().unwrap()
    })
}

fn read_plan(bytes: &[u8]) -> Result<String, Error> {
    let (arena, schemas) = (Bump::new(), Schemas::new());
    let text = SavedPlan::parse(bytes)?.to_json(&Knowledge::new(&schemas, &arena))?;
    parse(&text, &Bump::new()).unwrap();
    Ok(text)
}

/// Calls `read` and checks that it takes no longer than any of these small inputs may.
#[expect(
    clippy::disallowed_methods,
    reason = "the test checks that nothing hangs"
)]
fn in_time<T>(what: &str, read: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = read();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{what}: {:?}",
        start.elapsed()
    );
    result
}

#[test]
fn the_plan_is_cut_and_broken_anywhere() {
    for case in cases("plan.tfplan").into_iter().step_by(37) {
        let all = entries(&case);
        let rebuilt = |broken: &str, bytes: &[u8]| {
            let entry = |(name, own): &'_ (String, Vec<u8>)| {
                (
                    name.clone(),
                    if name == broken {
                        bytes.to_vec()
                    } else {
                        own.clone()
                    },
                )
            };
            let entries: Vec<_> = all.iter().map(entry).collect();
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, bytes)| (&**name, &**bytes))
                .collect();
            zip(&entries)
        };
        for name in ["tfplan", "tfschemas"] {
            let Some((_, message)) = all.iter().find(|(found, _)| found == name) else {
                continue;
            };
            let places = if is_thorough() { 120 } else { 50 };
            let step = (message.len() / places).max(1);
            for offset in (0..message.len()).step_by(step) {
                let _: Result<_, _> = document(&rebuilt(name, &message[..offset]));
                for bit in [0x01, 0x80] {
                    let mut broken = message.clone();
                    broken[offset] ^= bit;
                    let _: Result<_, _> = document(&rebuilt(name, &broken));
                }
            }
        }
    }
}

#[test]
fn the_archive_is_cut_anywhere() {
    let case = cases("plan.tfplan")
        .into_iter()
        .min_by_key(|case| fs::metadata(case.join("plan.tfplan")).unwrap().len());
    let bytes = fs::read(case.unwrap().join("plan.tfplan")).unwrap();
    for length in (0..bytes.len()).step_by(3) {
        assert!(document(&bytes[..length]).is_err(), "{length}");
    }
}

#[test]
fn lengths_that_lie_are_errors() {
    let cut = [
        &[0xdd, 0xff, 0xff, 0xff, 0xff][..],
        &[0xdf, 0xff, 0xff, 0xff, 0xff],
        &[0xdb, 0xff, 0xff, 0xff, 0xff, b'a'],
        &[0x92, 0xc6, 0xff, 0xff, 0xff, 0xff],
        &[0xc9, 0xff, 0xff, 0xff, 0xff, 0],
        &[0xdc, 0xff, 0xff, 0xc0],
        &[0x81, 0xc0, 0xc0],
        &[0x81, 0xa1],
        &[0xc1],
        &[0x92, 0xc4, 3, b'"', b'x', b'"'],
        &[0xcb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0],
        &[0xa1, 0xff],
        &[0xc0, 0xc0],
    ];
    let mut errors = String::new();
    for value in cut {
        let error = in_time("a length", || document(&plan_of(value))).unwrap_err();
        errors += &format!("{error}\n");
    }
    insta::assert_snapshot!(errors);
    // A message that is longer than the rest of the file.
    for message in [
        &b"\x1a\xff\xff\xff\xff\x0f"[..],
        b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x1a\x05a",
        b"\xff",
    ] {
        assert!(document(&zip(&[("tfplan", message)])).is_err());
    }
}

#[test]
fn deep_values_are_errors() {
    for code in [0x91, 0x81] {
        for depth in [100, 1_001, 100_000] {
            let inner: Vec<u8> = if code == 0x81 {
                vec![0x81, 0xa1, b'a']
            } else {
                vec![code]
            };
            let value = [inner.repeat(depth), vec![0xc0]].concat();
            let result = in_time("depth", || document(&plan_of(&value)));
            assert_eq!(result.is_ok(), depth == 100, "{code:x} {depth}");
        }
    }
    // Types are JSON, and as deep.
    let text = format!(
        "{}\"string\"{}",
        "[\"list\",".repeat(50_000),
        "]".repeat(50_000)
    );
    let of = [
        &[0x92, 0xc6][..],
        &(text.len() as u32).to_be_bytes(),
        text.as_bytes(),
        &[0xc0],
    ]
    .concat();
    assert!(in_time("types", || document(&plan_of(&of))).is_err());
    let nested = (0..200).fold(Vec::new(), |inner, _| field(2, &field(1, &inner)));
    let schemas = field(
        1,
        &[
            field(1, b"p"),
            field(2, &field(2, &[field(1, b"t"), field(2, &nested)].concat())),
        ]
        .concat(),
    );
    let _: Result<_, _> = in_time("schemas", || {
        document(&zip(&[("tfplan", &[8, 3]), ("tfschemas", &schemas)]))
    });
}

#[test]
fn an_archive_that_unpacks_to_much_more_than_its_size_is_an_error() {
    let bomb = vec![0; 64 << 20];
    for name in ["tfplan", "tfschemas", ".terraform.lock.hcl"] {
        let mut entries = vec![("tfplan", &[8u8, 3][..])];
        entries.retain(|(other, _)| *other != name);
        entries.push((name, &bomb));
        let error = document(&zip(&entries)).unwrap_err();
        assert!(matches!(&error, Error::TooLarge { .. }), "{name}: {error}");
    }
    // Its configuration is none, and the plan is read.
    let text = document(&zip(&[
        ("tfplan", &[8, 3]),
        ("tfconfig/modules.json", &bomb),
    ]))
    .unwrap();
    assert!(text.contains("configuration_problem"), "{text}");
    assert!(plan_within(&zip(&[("a", &bomb)]), |_| false).is_err());
}

/// The problem with a configuration of these files, if there is one.
fn problem(files: &[(&str, &str)]) -> Option<String> {
    let mut entries: Vec<(String, &[u8])> = vec![("tfplan".to_owned(), &[8, 3])];
    entries.extend(
        files
            .iter()
            .map(|(name, text)| (format!("tfconfig/{name}"), text.as_bytes())),
    );
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, bytes)| (&**name, *bytes))
        .collect();
    let text = document(&zip(&entries)).unwrap();
    let arena = Bump::new();
    let plan = parse(&text, &arena).unwrap();
    let problem = plan
        .get("saved_plan")
        .unwrap()
        .get("configuration_problem")
        .unwrap()
        .as_str()
        .unwrap();
    assert_eq!(
        problem.is_empty(),
        !plan.get("configuration").unwrap().is_null(),
        "{text}"
    );
    Some(problem.to_owned()).filter(|problem| !problem.is_empty())
}

const ROOT: (&str, &str) = ("modules.json", r#"[{"Key": "", "Dir": "."}]"#);

#[test]
fn a_broken_configuration_is_none_and_says_why() {
    let mut problems = String::new();
    for files in [
        &[ROOT, ("m-/main.tf", "resource \"a\" \"b\" {}\n")][..],
        &[ROOT],
        &[],
        &[("modules.json", "{")],
        &[("modules.json", "[]")],
        &[ROOT, ("m-/main.tf", "a = 1\nresource {")],
        &[ROOT, ("m-/main.tf.json", "{\"resource\": [1]}")],
        &[ROOT, ("m-/a.tf", "module \"m\" {\n source = \"./m\"\n}\n")],
    ] {
        let problem = problem(files);
        problems += &format!("{files:?}:\n  {}\n", problem.as_deref().unwrap_or("none"));
    }
    insta::assert_snapshot!(problems, @r#"
    [("modules.json", "[{\"Key\": \"\", \"Dir\": \".\"}]"), ("m-/main.tf", "resource \"a\" \"b\" {}\n")]:
      none
    [("modules.json", "[{\"Key\": \"\", \"Dir\": \".\"}]")]:
      none
    []:
      there is no `tfconfig/modules.json`
    [("modules.json", "{")]:
      `tfconfig/modules.json`: invalid type: map, expected a sequence at line 1 column 0
    [("modules.json", "[]")]:
      the root module is missing
    [("modules.json", "[{\"Key\": \"\", \"Dir\": \".\"}]"), ("m-/main.tf", "a = 1\nresource {")]:
      main.tf: line 2 column 11: invalid block body; expected `}`, newline or identifier
    [("modules.json", "[{\"Key\": \"\", \"Dir\": \".\"}]"), ("m-/main.tf.json", "{\"resource\": [1]}")]:
      main.tf.json: a block is not an object
    [("modules.json", "[{\"Key\": \"\", \"Dir\": \".\"}]"), ("m-/a.tf", "module \"m\" {\n source = \"./m\"\n}\n")]:
      the module m is missing
    "#);
    // No part of a file is in the message.
    let secret = problem(&[ROOT, ("m-/main.tf", "x = \"hunter2\" hunter2 {")]).unwrap();
    assert!(!secret.contains("hunter2"), "{secret}");
}

#[test]
fn deep_and_long_configurations_end_in_time() {
    let times = |text: &str, count| text.repeat(count);
    for (what, text) in [
        ("lists", format!("x = {}", times("[", 100_000))),
        (
            "groups",
            format!("x = {}1{}\n", times("(", 50_000), times(")", 50_000)),
        ),
        ("signs", format!("x = {}1\n", times("-", 50_000))),
        ("not", format!("x = {}true\n", times("!", 50_000))),
        ("templates", format!("x = {}\n", times("\"${", 50_000))),
        ("choices", format!("x = {}1\n", times("a ? b : ", 20_000))),
        ("sums", format!("x = {}1\n", times("1 + ", 50_000))),
        ("blocks", times("a {\n", 50_000)),
        ("calls", format!("x = {}\n", times("f(", 50_000))),
        (
            "path",
            format!("output \"o\" {{\n value = a.b{}\n}}\n", times(".c", 20_000)),
        ),
        (
            "directives",
            format!("x = \"{}\"\n", times("%{ if a }", 20_000)),
        ),
        ("loops", format!("x = {}\n", times("[for a in ", 20_000))),
        ("many", times("resource \"a\" \"b\" { x = var.y }\n", 5_000)),
        ("heredoc", format!("x = <<E\n{}", times("${", 50_000))),
    ] {
        in_time(what, || problem(&[ROOT, ("m-/main.tf", &text)]));
    }
    let deep = format!("{}1{}", times("{\"a\": ", 5_000), times("}", 5_000));
    in_time("JSON", || {
        problem(&[
            ROOT,
            ("m-/main.tf.json", &format!("{{\"output\": {deep}}}")),
        ])
    });
    let overrides = times("output \"o\" { value = 1 }\n", 5_000);
    in_time("overrides", || {
        problem(&[
            ROOT,
            ("m-/a.tf", &overrides),
            ("m-/a_override.tf", &overrides),
        ])
    });
}

#[test]
fn mutated_configurations_end_in_a_document() {
    let case = cases("plan.tfplan")
        .into_iter()
        .find(|case| case.ends_with("strings-1-terraform"))
        .unwrap();
    let all = entries(&case);
    let (_, source) = all
        .iter()
        .find(|(name, _)| name == "tfconfig/m-/main.tf")
        .unwrap();
    for offset in (0..source.len()).step_by(31) {
        for byte in *b"\"${}[]\\\n<%" {
            let mut broken = source.clone();
            broken[offset] = byte;
            let entries: Vec<(&str, &[u8])> = all
                .iter()
                .map(|(name, own)| {
                    (
                        &**name,
                        if name == "tfconfig/m-/main.tf" {
                            &*broken
                        } else {
                            &**own
                        },
                    )
                })
                .collect();
            document(&zip(&entries)).unwrap();
        }
    }
}

#[test]
fn raw_states_are_cut_and_broken_anywhere() {
    let read = |text: &str| -> Result<(), String> {
        let (arena, schemas) = (Bump::new(), Schemas::new());
        let state = RawState::parse(text).map_err(|error| error.to_string())?;
        let text = state
            .to_json(&Knowledge::new(&schemas, &arena))
            .map_err(|error| error.to_string())?;
        parse(&text, &Bump::new()).unwrap();
        Ok(())
    };
    for case in cases("terraform.tfstate").into_iter().step_by(17) {
        let text = fs::read_to_string(case.join("terraform.tfstate")).unwrap();
        let text = text.trim_end();
        let step = (text.len() / 200).max(1);
        for offset in (0..text.len())
            .filter(|offset| text.is_char_boundary(*offset))
            .step_by(step)
        {
            assert!(read(&text[..offset]).is_err());
            for byte in ["\"", "{", "[", "0", "null", "\u{7f}"] {
                let end = (offset + 1..=text.len())
                    .find(|end| text.is_char_boundary(*end))
                    .unwrap();
                let _: Result<_, _> = read(&format!("{}{byte}{}", &text[..offset], &text[end..]));
            }
        }
    }
}

#[test]
fn other_archives_are_opened_if_they_hold_one_plan() {
    let plan = plan_of(&[0x80]);
    let is_json = |bytes: &[u8]| bytes.starts_with(b"{");
    let within = |entries: &[(&str, &[u8])]| plan_within(&zip(entries), is_json);
    assert!(is_archive(&plan) && plan_within(&plan, is_json).unwrap().is_none());
    let (name, found) = within(&[("a/log", b"x"), ("out/tfplan.zip", &plan)])
        .unwrap()
        .unwrap();
    assert_eq!((&*name, found == plan), ("out/tfplan.zip", true));
    assert_eq!(
        within(&[("plan.json", b"{}"), ("log", b"")])
            .unwrap()
            .unwrap()
            .0,
        "plan.json"
    );
    let both = within(&[("a", &plan), ("b.json", b"{}")])
        .unwrap_err()
        .to_string();
    assert_eq!(both, "a ZIP archive with several plans: a, b.json");
    let names: Vec<String> = (0..8).map(|number| format!("file{number}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b"x"[..])).collect();
    assert_eq!(
        within(&files).unwrap_err().to_string(),
        "a ZIP archive without a plan; it holds file0, file1, file2, file3, file4 and 3 more"
    );
}

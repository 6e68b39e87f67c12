//! Documents are read from files and standard input, in every supported encoding and compression.

use std::io::Write;

use super::harness::{PLAN, SUMMARY, folder, tfview};

#[test]
fn file_dash_and_pipe_print_the_same() {
    let folder = folder("cli-sources", &[("plan.json", PLAN.as_bytes())]);
    let file = tfview("show plan.json").folder(&folder).output();
    assert_eq!(file.code, Some(0), "{file}");
    insta::assert_snapshot!(file.stdout);
    assert_eq!(tfview("show -").stdin(PLAN).output().stdout, file.stdout);
    assert_eq!(tfview("show").stdin(PLAN).output().stdout, file.stdout);
}

#[test]
fn encodings_do_not_change_the_output() {
    let plain = tfview("show").stdin(PLAN).output().stdout;
    let utf16 = |to_bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}{PLAN}")
            .encode_utf16()
            .flat_map(to_bytes)
            .collect()
    };
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(PLAN.as_bytes()).unwrap();
    for (name, bytes) in [
        ("UTF-8 with a mark", format!("\u{feff}{PLAN}").into_bytes()),
        ("UTF-16 LE with a mark", utf16(u16::to_le_bytes, "\u{feff}")),
        ("UTF-16 BE with a mark", utf16(u16::to_be_bytes, "\u{feff}")),
        ("UTF-16 LE", utf16(u16::to_le_bytes, "")),
        ("UTF-16 BE", utf16(u16::to_be_bytes, "")),
        ("gzip", packed.finish().unwrap()),
        (
            "lines that end in CR LF",
            PLAN.replace(',', ",\r\n").into_bytes(),
        ),
    ] {
        let output = tfview("show").stdin(bytes).output();
        assert_eq!(
            (output.code, &output.stdout),
            (Some(0), &plain),
            "{name}: {output}"
        );
    }
}

#[test]
fn text_around_a_document_is_skipped_with_a_note() {
    let plain = tfview("show").stdin(PLAN).output().stdout;
    let noisy = format!("[command]/bin/terraform show -json {{x}}\n{PLAN}\n::debug::exit 0\n");
    let output = tfview("show").stdin(noisy).output();
    assert_eq!((output.code, &output.stdout), (Some(0), &plain), "{output}");
    let note = "ignored 53 bytes of other text around the document";
    assert_eq!(output.stderr.matches(note).count(), 1, "{output}");
}

#[test]
fn newer_minor_and_missing_format_versions_are_accepted() {
    let plain = tfview("show").stdin(PLAN).output().stdout;
    for version in ["\"0.1\"", "\"1.99\"", "null"] {
        let plan = PLAN.replace("\"1.2\"", version);
        let output = tfview("show").stdin(plan).output();
        assert_eq!(output.stdout, plain, "{version}: {output}");
    }
}

#[test]
fn deepest_accepted_values_fit_the_stack() {
    let deep = format!("{}1{}", "[".repeat(990), "]".repeat(990));
    let plan = PLAN.replace("\"é\"", &deep);
    let output = tfview("show").stdin(plan).output();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(output.stdout.ends_with(SUMMARY));
}

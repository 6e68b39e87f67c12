use super::*;

fn pass(mut pass: CiEscaper, text: &[u8], size: usize) -> String {
    let mut done = Vec::new();
    text.chunks(size).for_each(|part| pass.run(part, &mut done));
    String::from_utf8(done).unwrap()
}

#[test]
fn no_line_is_a_command_wherever_it_is_cut() {
    for (line, expected) in [
        ("  ::error::x", "  : :error::x"),
        ("\u{a0}:\u{ad}:error::x", "\u{a0}:\u{ad} :error::x"),
        ("+ ::error::x", "+ ::error::x"),
        ("x\r::error::x\n::warning::", "x\r: :error::x\n: :warning::"),
        ("a ##vso[task.setvariable]b", "a ##vso [task.setvariable]b"),
        ("###\u{200d}vso[x]", "###\u{200d}vso [x]"),
        ("##[group]x", "## [group]x"),
        ("##teamcity[x]", "##teamcity [x]"),
        ("# #[x] a # b ## c [d]", "# #[x] a # b ## c [d]"),
        (":: ##[", ": : ## ["),
    ] {
        for size in [1, 2, 3, 100] {
            assert_eq!(pass(CiEscaper::new(true), line.as_bytes(), size), expected, "{size}");
        }
        assert_eq!(pass(CiEscaper::new(true), expected.as_bytes(), 100), expected);
    }
}

#[test]
fn commands_of_ours_stand_on_lines_of_their_own() {
    let mut text = b"::a".to_vec();
    text.push(COMMAND);
    text.extend_from_slice(b"::group::x\n");
    text.push(COMMAND_END);
    text.extend_from_slice(b"::b");
    assert_eq!(pass(CiEscaper::new(true), &text, 100), ": :a\n::group::x\n: :b");
}

#[test]
fn times_stand_before_lines_that_are_not_empty() {
    let mut stamping = CiEscaper::new(false);
    stamping.line_prefix = b"T ".to_vec();
    let mut text = b"\na\n\n  b\n".to_vec();
    text.push(UNPREFIXED);
    text.extend_from_slice(b"\x1b[1A");
    text.push(PREFIXED);
    text.extend_from_slice(b"c");
    assert_eq!(pass(stamping, &text, 1), "\nT a\n\nT   b\n\x1b[1AT c");
}

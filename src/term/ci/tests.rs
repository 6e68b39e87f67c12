use super::*;

#[test]
fn a_fold_is_one_line_whatever_its_title() {
    for system in [CiSystem::GitHub, CiSystem::GitLab, CiSystem::Azure] {
        let log = CiLog { system, time: 7 };
        let (fold, line) = log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap();
        assert_eq!(line.matches('\n').count(), 1, "{line:?}");
        assert!(
            !line.contains("##vso[") && line.matches("\x1b").count() != 1,
            "{line:?}"
        );
        assert_eq!(
            log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap().0,
            fold
        );
        let ends = log.unfold(&fold);
        assert_eq!(
            ends.contains(&fold.name),
            system == CiSystem::GitLab,
            "{ends:?}"
        );
    }
    assert_eq!(
        CiLog {
            system: CiSystem::Other,
            time: 7
        }
        .fold("a", 0),
        None
    );
}

fn annotation(level: Level) -> Annotation {
    Annotation {
        level,
        title: "a:b,c".to_owned(),
        message: "50%\n::error::x ##vso[y]".to_owned(),
        position: Some(FilePosition {
            file: "m;x]/a,b.tf\n".to_owned(),
            line: 3,
            column: 5,
        }),
    }
}

#[test]
fn annotations_are_escaped() {
    let text = |system| {
        let mut all = Annotations::new(system);
        all.add(annotation(Level::Warning));
        all.lines()
    };
    assert_eq!(
        text(CiSystem::GitHub),
        "::warning file=m;x]/a%2Cb.tf␊,line=3,col=5,title=a%3Ab%2Cc::50%25%0A: :error::x ##vso [y]\n"
    );
    assert_eq!(
        text(CiSystem::Azure),
        "##vso[task.logissue type=warning;sourcepath=m%3Bx%5D/a,b.tf␊;linenumber=3;columnnumber=5]\
         a:b,c: 50%AZP25%0A: :error::x ##vso [y]\n"
    );
    assert_eq!(text(CiSystem::GitLab), "");
}

#[test]
fn annotations_are_bounded_for_each_level() {
    for (count, lines, last) in [
        (10, 10, "x ##vso [y]"),
        (11, 10, "title=tfview::and 2 more"),
    ] {
        let mut all = Annotations::new(CiSystem::GitHub);
        (0..count).for_each(|_| all.add(annotation(Level::Error)));
        assert_eq!(all.lines().lines().count(), lines);
        assert!(all.lines().trim_end().ends_with(last), "{count}");
        all.add(annotation(Level::Warning));
        assert_eq!(all.lines().lines().count(), lines + 1);
    }
}

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
            assert_eq!(
                pass(CiEscaper::new(true), line.as_bytes(), size),
                expected,
                "{size}"
            );
        }
        assert_eq!(
            pass(CiEscaper::new(true), expected.as_bytes(), 100),
            expected
        );
    }
}

#[test]
fn commands_of_ours_stand_on_lines_of_their_own() {
    let mut text = b"::a".to_vec();
    text.push(COMMAND);
    text.extend_from_slice(b"::group::x\n");
    text.push(COMMAND_END);
    text.extend_from_slice(b"::b");
    assert_eq!(
        pass(CiEscaper::new(true), &text, 100),
        ": :a\n::group::x\n: :b"
    );
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

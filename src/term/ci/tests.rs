use super::*;

#[test]
fn a_fold_is_one_line_whatever_its_title() {
    for system in [CiSystem::GitHub, CiSystem::GitLab, CiSystem::Azure] {
        let log = CiLog { system, time: 7 };
        let (fold, line) = log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap();
        assert_eq!(line.matches('\n').count(), 1, "{line:?}");
        assert!(!line.contains("##vso[") && line.matches("\x1b").count() != 1, "{line:?}");
        assert_eq!(log.fold("a\n::error::x ##vso[y] 5%\r\x1b[0K", 0).unwrap().0, fold);
        let ends = log.unfold(&fold);
        assert_eq!(ends.contains(&fold.name), system == CiSystem::GitLab, "{ends:?}");
    }
    assert_eq!(CiLog { system: CiSystem::Other, time: 7 }.fold("a", 0), None);
}

fn annotation(level: Level) -> Annotation {
    Annotation {
        level,
        title: "a:b,c".to_owned(),
        message: "50%\n::error::x ##vso[y]".to_owned(),
        place: Some(Place { file: "m;x]/a,b.tf\n".to_owned(), line: 3, column: 5 }),
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
    for (count, lines, last) in [(10, 10, "x ##vso [y]"), (11, 10, "title=tfview::and 2 more")] {
        let mut all = Annotations::new(CiSystem::GitHub);
        (0..count).for_each(|_| all.add(annotation(Level::Error)));
        assert_eq!(all.lines().lines().count(), lines);
        assert!(all.lines().trim_end().ends_with(last), "{count}");
        all.add(annotation(Level::Warning));
        assert_eq!(all.lines().lines().count(), lines + 1);
    }
}

use super::*;

#[test]
fn reports_of_all_versions_are_read() {
    let json = r#"[{"Name":"live/db","Started":"2026-01-02T03:04:05Z","Ended":"x","Result":"succeeded","Cmd":"plan","Args":["plan"]},
        {"Name":"live/app","Result":"early exit","Reason":"ancestor error","Cause":"queue"}]"#;
    let rows = parse(json).unwrap();
    assert_eq!(rows[0].absence(), None);
    let expected = (Absence::EarlyExit, "ancestor error: queue".to_owned());
    assert_eq!(rows[1].absence(), Some(expected));
    let rows = parse(
        r#"[{"Name":"live\\db","Result":"failed","Reason":"run error","Cause":"exit\n\"1\""},{"Name":"x","Result":"new word"}]"#,
    )
    .unwrap();
    assert_eq!((rows.len(), &*rows[0].unit()), (2, "live/db"));
    let expected = (Absence::Failed, "run error: exit \"1\"".to_owned());
    assert_eq!(rows[0].absence(), Some(expected));
    assert!(matches!(rows[1].absence(), Some((Absence::Failed, _))));
    for broken in ["", "a,b\n1,2", "Name,Result\nx,failed", "[1]"] {
        assert!(parse(broken).is_err(), "{broken}");
    }
    assert!(parse("[{\"Name\":\"x\"}]").is_err());
}

/// What each row finds among the units in these folders.
fn matches_of(folders: &[&str], rows: &[&str]) -> Vec<RowMatch> {
    let folders: Vec<String> = folders.iter().map(|folder| normalized(folder)).collect();
    let rows: Vec<Row> = rows
        .iter()
        .map(|name| Row {
            name: (*name).to_owned(),
            ..Row::default()
        })
        .collect();
    let names = Names::new(&folders, &rows);
    rows.iter().map(|row| names.find(&row.unit())).collect()
}

#[test]
fn a_row_finds_the_unit_of_exactly_its_name() {
    use RowMatch::{Exactly, None, Several, Similarly};
    // The end of a path is another unit.
    assert_eq!(
        matches_of(&["app", "prod/vpc"], &["app", "vpc"]),
        [Exactly(0), None]
    );
    assert_eq!(
        matches_of(&["vpc", "app"], &["prod/vpc", "app"]),
        [None, Exactly(1)]
    );
    assert_eq!(matches_of(&["a/x"], &["./a/x/"]), [Exactly(0)]);
    assert_eq!(matches_of(&["a/x"], &["a\\x"]), [Exactly(0)]);
    // Plans that are named as files have the folder of all plans before their names, and each has a row.
    assert_eq!(
        matches_of(&["plans/a", "plans/b/c"], &["a", "b/c", "c"]),
        [Similarly(0), Similarly(1), None]
    );
    assert_eq!(
        matches_of(&["plans/a", "plans/b/c"], &["a", "c"]),
        [None, None]
    );
    assert_eq!(
        matches_of(&["a", "b/c"], &["live/a", "live/b/c", "c"]),
        [Similarly(0), Similarly(1), None]
    );
    // Two prefixes are possible.
    assert_eq!(matches_of(&["a"], &["dev/a", "prod/a"]), [None, None]);
    // The only unit is in the folder of the run.
    assert_eq!(matches_of(&[""], &["network"]), [Similarly(0)]);
    assert_eq!(matches_of(&[""], &["network", "app"]), [None, None]);
    assert_eq!(matches_of(&["a", "a"], &["a"]), [Several(vec![0, 1])]);
}

/// A generator of layouts: whatever the rows are called, a plan is found only by a row that has its whole name, or
/// by one that differs from it by the prefix that all have.
#[test]
fn no_row_finds_a_unit_by_a_part_of_its_name() {
    let mut random = 47u64;
    let mut below = |number: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % number
    };
    let names = ["a", "b", "vpc", "a-vpc", "..", "VPC"];
    for _ in 0..20_000 {
        let mut path = || {
            let parts: Vec<&str> = (0..=below(3)).map(|_| names[below(names.len())]).collect();
            parts.join("/")
        };
        let folders: BTreeSet<String> = (0..3).map(|_| path()).collect();
        let rows: BTreeSet<String> = (0..4).map(|_| path()).collect();
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let matches = matches_of(&folders, &rows);
        let mut prefixes = BTreeSet::new();
        for (row, row_match) in rows.iter().zip(&matches) {
            match row_match {
                RowMatch::Exactly(index) => assert_eq!(folders[*index], *row),
                RowMatch::Similarly(index) => {
                    let prefix = folders[*index]
                        .strip_suffix(row)
                        .or_else(|| row.strip_suffix(folders[*index]));
                    prefixes.insert(prefix.expect("one ends with the other").to_owned());
                }
                RowMatch::Several(_) => panic!("the folders are distinct"),
                RowMatch::None => {}
            }
        }
        assert!(prefixes.len() <= 1, "{folders:?} {rows:?}");
        let similar = matches
            .iter()
            .filter(|row_match| matches!(row_match, RowMatch::Similarly(_)));
        assert!(
            prefixes.is_empty()
                || similar.count() == folders.len()
                || folders.iter().any(|folder| rows.contains(folder)),
            "each unit has a row: {folders:?} {rows:?}"
        );
    }
}

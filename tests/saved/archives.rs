//! A saved plan that other readers could read otherwise is an error: what is reviewed must be what the tool applies.

use std::path::Path;

use tfview::internals::saved::{SavedPlan, plan_within};

use crate::archive::{entries, plan_of, zip};

fn error_of(bytes: &[u8]) -> String {
    SavedPlan::parse(bytes).err().unwrap().to_string()
}

/// The end record is the last 22 bytes of an archive without a comment.
const END_LENGTH: usize = 22;

fn position_of(bytes: &[u8], part: &[u8]) -> usize {
    bytes
        .windows(part.len())
        .position(|window| window == part)
        .unwrap()
}

fn last_position_of(bytes: &[u8], part: &[u8]) -> usize {
    bytes
        .windows(part.len())
        .rposition(|window| window == part)
        .unwrap()
}

/// Writes the entries under other names of the same length, then puts the wanted names in their places.
fn zip_with_names(wanted: &[(&str, &[u8])]) -> Vec<u8> {
    let letters = ["a", "b", "c"];
    let names: Vec<String> = wanted
        .iter()
        .zip(letters)
        .map(|((name, _), letter)| letter.repeat(name.len()))
        .collect();
    let placed: Vec<(&str, &[u8])> = names
        .iter()
        .zip(wanted)
        .map(|(name, (_, bytes))| (&**name, *bytes))
        .collect();
    let mut archive = zip(&placed);
    for (name, (wanted, _)) in names.iter().zip(wanted) {
        for find in [position_of, last_position_of] {
            let start = find(&archive, name.as_bytes());
            archive[start..start + wanted.len()].copy_from_slice(wanted.as_bytes());
        }
    }
    archive
}

#[test]
fn zip_two_tfplan() {
    let plan: &[u8] = &[8, 3];
    let read =
        |names: [&str; 2]| SavedPlan::parse(&zip_with_names(&names.map(|name| (name, plan))));
    // A control: the names themselves are no problem.
    assert!(read(["tfplan", "tfstate"]).is_ok());
    let mut errors = String::new();
    for other in [
        "tfplan",
        "TFPLAN",
        "TfPlan",
        "./tfplan",
        ".//tfplan",
        "/tfplan",
        "a/../tfplan",
        "..\\tfplan",
        "tfplan/",
    ] {
        for names in [["tfplan", other], [other, "tfplan"]] {
            let error = read(names).err().map(|error| error.to_string());
            let error = error.unwrap_or_else(|| panic!("{names:?} is read"));
            errors += &format!("{names:?}: {error}\n");
        }
    }
    insta::assert_snapshot!(errors);
}

#[test]
fn a_header_that_says_something_else_than_the_directory_is_an_error() {
    let archive = plan_of(&[0x80]);
    assert!(SavedPlan::parse(&archive).is_ok());
    let local = position_of(&archive, b"tfplan");
    let mut renamed = archive.clone();
    renamed[local..local + 6].copy_from_slice(b"tfplax");
    let mut errors = error_of(&renamed) + "\n";
    // The method and the sizes of the local header, at 8 and 14 to 26.
    for offset in [8, 14, 18, 22] {
        let mut changed = archive.clone();
        changed[offset] ^= 1;
        errors += &format!("{offset}: {}\n", error_of(&changed));
    }
    insta::assert_snapshot!(errors, @r#"
    a ZIP archive that is damaged or was changed: the header of its entry "tfplan" says something else than its directory
    8: a ZIP archive that is damaged or was changed: the header of its entry "tfplan" says something else than its directory
    14: a ZIP archive that is damaged or was changed: the header of its entry "tfplan" says something else than its directory
    18: a ZIP archive that is damaged or was changed: the header of its entry "tfplan" says something else than its directory
    22: a ZIP archive that is damaged or was changed: the header of its entry "tfplan" says something else than its directory
    "#);
}

#[test]
fn an_archive_with_more_than_its_directory_says_is_an_error() {
    let archive = plan_of(&[0x80]);
    let end = archive.len() - END_LENGTH;
    // Other bytes before, after, and between.
    let before = [b"other", &*archive].concat();
    let after = [&*archive, b"other"].concat();
    let two = [&*archive, &plan_of(&[0x81, 0xa1, b'a', 1])].concat();
    let between = [&archive[..end], b"other", &archive[end..]].concat();
    for changed in [&before, &after, &two, &between] {
        assert!(SavedPlan::parse(changed).is_err());
    }
    // The number of entries, the size and the start of the directory.
    for offset in [8, 10, 12, 16, 20] {
        let mut changed = archive.clone();
        changed[end + offset] ^= 1;
        assert!(SavedPlan::parse(&changed).is_err(), "{offset}");
    }
}

#[test]
fn entries_that_share_bytes_are_an_error() {
    let archive = zip(&[("tfplan", &[8, 3]), ("tfplax", &[8, 3])]);
    // The entry of the second file in the directory names the header of the first; so does its name.
    let directory = position_of(&archive, b"PK\x01\x02");
    let second = directory + 46 + "tfplan".len();
    let mut shared = archive;
    shared[second + 42..second + 46].copy_from_slice(&[0; 4]);
    let error = error_of(&shared);
    insta::assert_snapshot!(error, @r#"a ZIP archive that is damaged or was changed: the header of its entry "tfplax" says something else than its directory"#);
}

#[test]
fn a_plan_that_occurs_twice_in_another_archive_is_an_error() {
    let plan = plan_of(&[0x80]);
    let archive = zip_with_names(&[("out/plan", &plan), ("out/plan", &plan)]);
    let error = plan_within(&archive, |_| false).unwrap_err().to_string();
    insta::assert_snapshot!(error, @r#"a ZIP archive that is damaged or was changed: it has two entries with the name "out/plan""#);
}

#[test]
fn archives_of_both_tools_are_plain() {
    for case in super::cases("plan.tfplan") {
        assert!(!entries(Path::new(&case)).is_empty());
        let bytes = std::fs::read(case.join("plan.tfplan")).unwrap();
        assert!(SavedPlan::parse(&bytes).is_ok(), "{}", case.display());
    }
}

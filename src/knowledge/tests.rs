//! Tests the table of rows that the build script writes, and what the grammar refuses.

use super::grammar::{self, NamedLists};
use super::{rows, rows_of};

/// Returns the error that a file with this row has.
fn error(row: &str) -> String {
    let file = format!("[[row]]\ntypes = \"x_y\"\n{row}").parse().unwrap();
    grammar::file(&file, &NamedLists::default()).unwrap_err()
}

#[test]
fn every_row_of_the_table_is_found_by_each_of_its_types() {
    let mut count = 0;
    for row in rows() {
        count += 1;
        for of in row.types.iter() {
            let name = of.replace('*', "x");
            assert!(
                of.starts_with('@') || rows_of(&name).contains(&row),
                "{name}: {row:?}"
            );
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn a_type_without_rows_has_those_of_any_type_only() {
    let rows = rows_of("example_thing_without_rows");
    assert!(!rows.is_empty());
    assert!(rows.iter().all(|row| row.types.iter().any(|of| of == "*")));
}

#[test]
fn what_is_not_in_the_grammar_is_refused_in_words() {
    for (row, part) in [
        ("a = { guard = \"sometimes\" }", "`sometimes` is unknown"),
        (
            "a = { guard = \"on\", colour = 1 }",
            "`colour` is not a word",
        ),
        ("a = { level = \"warning\" }", "needs one of"),
        ("a = { guard = \"on\", opens = \"on\" }", "one idea"),
        (
            "a = { guard = \"on\", level = \"high\" }",
            "`high` is unknown",
        ),
        ("\"a..b\" = { guard = \"on\" }", "not a path"),
        ("\"a.**.b.**.c\" = { guard = \"on\" }", "not a path"),
        ("a = { opens = { role = \"b\", whom = [\"c\"] } }", "`whom`"),
        ("a = { opens = [] }", "empty"),
        ("a = 1", "a fact is a table"),
        ("object = { show = [\"a\"] }", "`object` needs"),
        ("object = { guards = \"b\" }", "`guards` is true"),
    ] {
        let error = error(row);
        assert!(error.contains(part), "{row}: {error}");
    }
}

#[test]
fn facts_of_one_path_that_say_the_same_have_the_same_key() {
    let file = "[[row]]\ntypes = \"x_y\"\na = [{ guard = \"on\" }, { guard = \"on\", level = \"critical\", what = \"b\", \
                in_place = true }, { guard = \"off\" }]";
    let read = grammar::file(&file.parse().unwrap(), &NamedLists::default()).unwrap();
    assert_eq!(read[0].key, read[1].key);
    assert_ne!(read[0].key, read[2].key);
}

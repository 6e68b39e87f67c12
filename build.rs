//! Turns the rows of `src/knowledge` into one text with an index, which is read in place.
//!
//! It also links the debug program without position-independent code, because the tests start it thousands of times.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::panic,
    reason = "build scripts read variables and files, print what Cargo should do, and fail loudly"
)]

#[cfg(feature = "review")]
#[path = "src/knowledge/grammar.rs"]
#[allow(dead_code, reason = "the program uses the rest")]
mod grammar;
#[cfg(feature = "review")]
#[path = "src/knowledge/packed.rs"]
#[allow(dead_code, reason = "the program uses the rest")]
mod packed;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    // An unoptimized program has more than 100,000 relocations if it is position-independent. To apply them takes half of
    // the time of a short run. Releases stay position-independent.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    #[cfg(feature = "review")]
    rows::write();
}

/// Writes the table of rows.
#[cfg(feature = "review")]
mod rows {
    use std::collections::{BTreeMap, HashSet};
    use std::fmt::Write as _;
    use std::path::Path;
    use std::{env, fs};

    use super::grammar::{self, NamedLists};
    use toml::{Table, Value};

    /// The folder of the rows.
    const FOLDER: &str = "src/knowledge";

    /// The files that come after those of providers, in this order: if several rows find the same, the first one counts.
    const LAST: [&str; 3] = ["charts.toml", "others.toml", "any.toml"];

    /// Reads a file.
    fn read(path: &Path) -> Table {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.parse()
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the names of the files with rows, in the order in which their rows are applied.
    fn files(folder: &Path) -> Vec<String> {
        println!("cargo::rerun-if-changed={}", folder.display());
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".toml"))
            .collect();
        let place = |name: &String| LAST.iter().position(|last| last == name);
        names.sort_by_key(|name| (place(name).map_or(0, |place| place + 1), name.clone()));
        names
    }

    /// The rows of one type, as they are collected.
    type Numbers = BTreeMap<String, Vec<u16>>;

    /// Writes `rows.rs` and `rows.txt` into the folder of the build.
    pub(super) fn write() {
        let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        let folder = Path::new(&root).join(FOLDER);
        for name in ["grammar.rs", "packed.rs"] {
            println!("cargo::rerun-if-changed={}", folder.join(name).display());
        }
        let lists = NamedLists::new(read(&folder.join("lists.toml")));
        let sources = read(&folder.join("sources.toml"));
        let (mut text, mut starts) = (String::new(), String::new());
        let (mut types, mut globs) = (Numbers::new(), Numbers::new());
        let mut number = 0_u16;
        for name in files(&folder.join("rows")) {
            let mut facts = HashSet::new();
            let file = read(&folder.join("rows").join(&name));
            let rows =
                grammar::file(&file, &lists).unwrap_or_else(|error| panic!("{name}: {error}"));
            for row in rows {
                for of in &row.types {
                    let is_new = facts.insert((of.clone(), row.key.clone()));
                    assert!(is_new, "{name}: {}: {of} has this row twice", row.place);
                }
                assert!(
                    has_source(&row, &sources),
                    "{name}: {}: a row above notice needs a source: `why`, or its provider in sources.toml",
                    row.place
                );
                _ = write!(starts, "{},", text.len());
                text.push_str(&row.fields.packed());
                for of in &row.types {
                    let is_glob = of.contains(['*', '@', '?']);
                    let all = if is_glob { &mut globs } else { &mut types };
                    all.entry(of.clone()).or_default().push(number);
                }
                number += 1;
            }
        }
        let (mut names, mut numbers, mut count) = (String::new(), String::new(), 0);
        let mut table = |all: &Numbers| {
            let mut rows = String::new();
            for (name, of) in all {
                let place = (names.len(), name.len(), count, of.len());
                _ = write!(
                    rows,
                    "TypeRows{{name:({},{}),rows:({},{})}},",
                    place.0, place.1, place.2, place.3
                );
                names.push_str(name);
                count += of.len();
                of.iter()
                    .for_each(|number| _ = write!(numbers, "{number},"));
            }
            rows
        };
        let (types, globs) = (table(&types), table(&globs));
        let out = env::var("OUT_DIR").unwrap_or_default();
        let source = format!(
            "use super::TypeRows;\n\
             pub(super) static TEXT: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/rows.txt\"));\n\
             pub(super) static ROWS: &[u32] = &[{starts}];\n\
             pub(super) static NAMES: &str = {names:?};\n\
             pub(super) static NUMBERS: &[u16] = &[{numbers}];\n\
             pub(super) static TYPES: &[TypeRows] = &[{types}];\n\
             pub(super) static GLOBS: &[TypeRows] = &[{globs}];\n"
        );
        for (name, content) in [("rows.rs", source), ("rows.txt", text)] {
            let written = fs::write(Path::new(&out).join(name), content);
            written.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    /// Whether a row says where its knowledge is from, or the page of its provider does. A notice needs none.
    fn has_source(row: &grammar::ReadRow, sources: &Table) -> bool {
        let has_page = |name: &String| {
            let provider = match name.as_str() {
                "*" => "*",
                _ if name.starts_with("*_") => "*",
                _ => name.split(['_', '*']).next().unwrap_or_default(),
            };
            sources.get(provider).and_then(Value::as_str).is_some()
        };
        !row.is_grave || row.why.is_some() || row.types.iter().any(has_page)
    }
}

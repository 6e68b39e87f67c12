//! Code, messages and documents use the words of the table in CONTRIBUTING.md, and none of those that it advises against.

use std::fs;
use std::path::{Path, PathBuf};

/// What is searched, from the root of the repository. The texts of the tools (`fixtures/`) have their own words.
const PLACES: [&str; 14] = [
    "src",
    "tests",
    "docs",
    "examples",
    "xtask",
    "benches",
    "packaging",
    ".github",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "action.yml",
    "Cargo.toml",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The words that the table advises against.
fn unwanted(table: &str) -> Vec<String> {
    let rows = table
        .lines()
        .skip_while(|line| *line != "| say | for | not |")
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let last = row.trim_end_matches(['|', ' ']).rsplit('|').next();
        last.unwrap_or_default().split(',')
    })
    .map(|word| word.trim().to_owned())
    .filter(|word| !word.is_empty())
    .collect()
}

fn texts(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        entries.for_each(|entry| texts(&entry.unwrap().path(), files));
        return;
    }
    let is_text = |end: &std::ffi::OsStr| {
        [
            "rs", "md", "snap", "txt", "json", "svg", "sh", "mjs", "yml", "toml", "html", "js",
            "css",
        ]
        .iter()
        .any(|known| end == *known)
    };
    let is_of_others = path
        .components()
        .any(|part| part.as_os_str() == "node_modules");
    // This file has the words that its own test looks for.
    let is_this = path.ends_with(file!());
    if path.extension().is_some_and(is_text) && !is_of_others && !is_this {
        files.push(path.to_owned());
    }
}

/// The first of the words that a text has as whole words, in any case.
fn first_of<'w>(text: &str, words: &'w [String]) -> Option<&'w str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |word: &str| {
        text.match_indices(word).any(|(start, _)| {
            !text[..start].ends_with(is_part) && !text[start + word.len()..].starts_with(is_part)
        })
    };
    words.iter().map(String::as_str).find(|word| has(word))
}

#[test]
fn words_are_those_of_the_vocabulary() {
    let contributing = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let words = unwanted(&contributing);
    assert!(words.len() > 20, "{words:?}");
    let mut files = Vec::new();
    PLACES
        .iter()
        .for_each(|path| texts(&root().join(path), &mut files));
    assert!(files.len() > 300, "{}", files.len());
    let mut faults = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let is_table = |line: &str| file.ends_with("CONTRIBUTING.md") && line.starts_with("| ");
        // Most files have none of the words.
        let lowercase = text.to_lowercase();
        let words: Vec<String> = words
            .iter()
            .filter(|word| lowercase.contains(&**word))
            .cloned()
            .collect();
        if words.is_empty() {
            continue;
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !is_table(line)) {
            if let Some(word) = first_of(&line.to_lowercase(), &words) {
                let path = file.strip_prefix(root()).unwrap_or(&file).display();
                faults.push(format!("{path}:{}: {word}", number + 1));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "other words are in the table of CONTRIBUTING.md:\n{}",
        faults.join("\n")
    );
}

/// Otherwise each release would change them.
#[test]
fn no_snapshot_holds_the_version() {
    let version = concat!("tfview ", env!("CARGO_PKG_VERSION"));
    let mut files = Vec::new();
    texts(&root().join("tests"), &mut files);
    files.retain(|file| file.extension().is_some_and(|end| end == "snap"));
    assert!(files.len() > 100, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains(version), "{}", file.display());
    }
}

#[test]
fn a_word_of_the_table_is_found_as_a_whole_word_in_any_case() {
    let table = "| say | for | not |\n|---|---|---|\n| a | b | weigh, put off |\n| c | | hence |\n\n| x | y | z |";
    let words = unwanted(table);
    assert_eq!(words, ["weigh", "put off", "hence"]);
    let word_of = |text: &str| first_of(&text.to_lowercase(), &words).map(str::to_owned);
    assert_eq!(
        word_of("an approver must Weigh it").as_deref(),
        Some("weigh")
    );
    assert_eq!(word_of("it is put off."), Some("put off".to_owned()));
    assert_eq!(word_of("font-weight, weighted, w_weigh, whence"), None);
}

//! A module uses only the modules that `docs/architecture.md` lists for it.
//!
//! This keeps the data flowing in one direction: the differ never prints, a renderer never diffs or parses,
//! and only `cli` reads the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module and the modules that it may use, from the table in `docs/architecture.md`.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md"))
            .unwrap();
    let mut modules = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `src/")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names = |cell: &str| -> Vec<String> {
            cell.split('`')
                .skip(1)
                .step_by(2)
                .map(str::to_owned)
                .collect()
        };
        let module = names(cells[0])[0]
            .trim_start_matches("src/")
            .trim_end_matches('/')
            .trim_end_matches(".rs")
            .to_owned();
        modules.insert(module, names(cells[2]).into_iter().collect());
    }
    modules
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The words and signs of a source, without comments, strings and characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let raw = rest
            .trim_start_matches(['b', 'c'])
            .strip_prefix('r')
            .map(|raw| raw.trim_start_matches('#'));
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = raw.filter(|raw| raw.starts_with('"')) {
            let start = rest.len() - raw.len() + 1;
            let hashes = rest[..start].matches('#').count();
            start + raw[1..].find(&format!("\"{}", "#".repeat(hashes))).unwrap() + 1 + hashes
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.unwrap() + 2
        } else if rest.starts_with("'\\") {
            rest[3..].find('\'').unwrap() + 4
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            2 + rest.chars().nth(1).unwrap().len_utf8()
        } else if is_word(first) {
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            // The prefix of a string belongs to the string.
            tokens.push(&rest[..len]);
            len
        } else {
            let len = if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(&rest[..len]);
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

/// The place after the bracket that closes the one at `open`.
fn after_group(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match *token {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Removes the modules below `#[cfg(test)]`, and nothing else that it is above. Returns the names of those that
/// are files of their own, too.
fn without_test_modules<'t>(tokens: &[&'t str]) -> (Vec<&'t str>, Vec<&'t str>) {
    let (mut kept, mut files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) {
            let mut item = at;
            while tokens.get(item) == Some(&"#") {
                item = after_group(tokens, item + 1);
            }
            if tokens.get(item) == Some(&"pub") {
                item += 1;
                if tokens.get(item) == Some(&"(") {
                    item = after_group(tokens, item);
                }
            }
            if let Some(["mod", name, sign, ..]) = tokens.get(item..) {
                at = if *sign == "{" {
                    after_group(tokens, item + 2)
                } else {
                    item + 3
                };
                files.extend((*sign == ";").then_some(*name));
                continue;
            }
        }
        kept.push(tokens[at]);
        at += 1;
    }
    (kept, files)
}

/// Adds the first names of the path, or of each path in braces, at `at`.
fn first_names(tokens: &[&str], at: usize, found: &mut BTreeSet<String>) {
    if tokens.get(at) != Some(&"{") {
        found.extend(tokens.get(at).map(|name| (*name).to_owned()));
        return;
    }
    let end = after_group(tokens, at) - 1;
    let mut item = at + 1;
    while item < end {
        first_names(tokens, item, found);
        let mut next = item;
        while next < end && tokens[next] != "," {
            next = if tokens[next] == "{" {
                after_group(tokens, next)
            } else {
                next + 1
            };
        }
        item = next + 1;
    }
}

/// The names that a source takes from the root of the crate: with `crate::`, or with as many `super::` as its
/// module is deep.
fn used(tokens: &[&str], depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut supers = 0;
    for (at, token) in tokens.iter().enumerate() {
        let is_path = tokens.get(at + 1) == Some(&"::");
        supers = match *token {
            "super" if is_path => supers + 1,
            "::" => supers,
            _ => 0,
        };
        if is_path && (*token == "crate" || (*token == "super" && supers == depth)) {
            first_names(tokens, at + 2, &mut names);
        }
        if *token == "crate" && matches!(tokens.get(at + 1), Some(&"as")) {
            names.insert("crate as".to_owned());
        }
    }
    names
}

/// The names of other modules that a source makes its own (`pub use crate::other`): a way round the table.
fn passed_on(tokens: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for at in 0..tokens.len() {
        let mut next = at + 1;
        if tokens[at] == "pub" && tokens.get(next) == Some(&"(") {
            // `pub(in …)` is for the modules of the same folder.
            if tokens.get(next + 1) == Some(&"in") {
                continue;
            }
            next = after_group(tokens, next);
        }
        if tokens[at] == "pub" && tokens[next..].starts_with(&["use", "crate", "::"]) {
            first_names(tokens, next + 3, &mut names);
        }
    }
    names
}

/// Passed on by the first module to users of which each may use the second one, too: `count`.
const PASSED_ON: [(&str, &str); 1] = [("review", "text")];

/// How the code differs from the table. Each source has its path below `src/`.
fn faults(
    table: &BTreeMap<String, BTreeSet<String>>,
    sources: &BTreeMap<PathBuf, String>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut needed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let code: BTreeMap<&PathBuf, _> = sources
        .iter()
        .map(|(place, text)| (place, without_test_modules(&tokens(text))))
        .collect();
    let folder = |place: &Path| match place.file_stem().unwrap().to_str().unwrap() {
        "mod" => place.parent().unwrap().to_owned(),
        _ => place.with_extension(""),
    };
    let tests: BTreeSet<PathBuf> = code
        .iter()
        .flat_map(|(place, (_, files))| files.iter().map(|name| folder(place).join(name)))
        .collect();
    for (place, (tokens, _)) in &code {
        let path = folder(place);
        let module = path.iter().next().unwrap().to_str().unwrap();
        let Some((module, allowed)) = table.get_key_value(module) else {
            if !matches!(module, "main" | "lib") {
                faults.push(format!("{module} is not in the table"));
            }
            continue;
        };
        if tests.iter().any(|test| path.starts_with(test)) {
            continue;
        }
        for other in used(tokens, path.iter().count()) {
            if !table.contains_key(&other) {
                faults.push(format!("{} uses `{other}` of the root", place.display()));
            } else if other != *module && !allowed.contains(&other) {
                faults.push(format!("{} uses `{other}`", place.display()));
            }
            needed.entry(module).or_default().insert(other);
        }
        let is_way_round = |other: &String| {
            other != module && !PASSED_ON.contains(&(module.as_str(), other.as_str()))
        };
        for other in passed_on(tokens).into_iter().filter(is_way_round) {
            faults.push(format!(
                "{} passes `{other}` on with `pub use`",
                place.display()
            ));
        }
    }
    for (module, allowed) in table {
        let needed = needed.get(module.as_str()).cloned().unwrap_or_default();
        faults.extend(
            allowed
                .difference(&needed)
                .map(|other| format!("{module} is allowed `{other}`, and does not use it")),
        );
    }
    faults
}

#[test]
fn modules_use_exactly_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let sources: BTreeMap<PathBuf, String> = files
        .iter()
        .map(|file| {
            (
                file.strip_prefix(&root).unwrap().to_owned(),
                fs::read_to_string(file).unwrap(),
            )
        })
        .collect();
    assert!(sources.len() > 300, "{}", sources.len());
    let faults = faults(&table(), &sources);
    assert!(
        faults.is_empty(),
        "docs/architecture.md and the code differ:\n{}",
        faults.join("\n")
    );
}

/// The faults of one file of `diff`, which may use `json` only, and does.
fn faults_of(place: &str, text: &str) -> Vec<String> {
    let table = [("diff", vec!["json"]), ("json", vec![]), ("term", vec![])];
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let table = table
        .into_iter()
        .map(|(module, allowed)| (module.to_owned(), names(allowed)))
        .collect();
    let allowed = ("diff/mod.rs".into(), "use crate::json::Value;".to_owned());
    faults(
        &table,
        &[allowed, (place.into(), text.to_owned())]
            .into_iter()
            .collect(),
    )
}

#[test]
fn use_of_a_module_is_seen_behind_cfg_test_and_by_every_path() {
    for text in [
        "use crate::term::Out;",
        "#[cfg(test)]\nuse std::fmt;\nfn f() { crate::term::write() }",
        "#[cfg(test)]\nmod tests { use super::*; }\nuse crate::term::Out;",
        "use crate::{\n    json::{Tree, Value},\n    term::Out,\n};",
        "fn f() { let quote = '\"'; crate::term::write() }",
        "fn f<'a>() { let text = \"\\\"\"; super::super::term::write() }",
        "use super::super::{json, term};",
    ] {
        assert_eq!(
            faults_of("diff/node.rs", text),
            ["diff/node.rs uses `term`"],
            "{text}"
        );
    }
    assert_eq!(
        faults_of("diff/a.rs", "use crate::Plan;"),
        ["diff/a.rs uses `Plan` of the root"]
    );
    assert_eq!(
        faults_of("diff/a.rs", "pub(crate) use crate::json::Value;"),
        ["diff/a.rs passes `json` on with `pub use`"]
    );
}

#[test]
fn comments_strings_and_test_modules_use_nothing() {
    for text in [
        "// crate::term::Out\n/* crate::term */ const A: &str = \"crate::term\";",
        "const A: &str = r#\"a \" crate::term\"#;",
        "#[cfg(test)]\nmod tests {\n    use crate::term::Out;\n}",
        "#[cfg(test)]\n#[allow(unused, reason = \"]\")]\npub(crate) mod tests { fn f() { crate::term::write() } }",
        "use super::term;",
    ] {
        assert_eq!(
            faults_of("diff/node.rs", text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

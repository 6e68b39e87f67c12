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
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let mut modules = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `src/")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let names =
            |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
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

/// The modules that a source names with `crate::`, except in its tests.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut modules = BTreeSet::new();
    for part in code.split("crate::").skip(1) {
        if let Some(list) = part.strip_prefix('{') {
            let list = list.split(';').next().unwrap_or_default();
            let firsts = list
                .split(", ")
                .filter_map(|item| item.split(['{', ':', '}', ' ', '\n']).find(|word| !word.is_empty()));
            modules.extend(firsts.map(str::to_owned));
        } else {
            modules.extend(part.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned));
        }
    }
    modules
}

#[test]
fn modules_use_exactly_what_the_table_allows() {
    let table = table();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut faults = Vec::new();
    let mut needed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let place = file.strip_prefix(&root).unwrap().to_owned();
        let first = place.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let module = first.trim_end_matches(".rs");
        if matches!(module, "main" | "lib") {
            continue;
        }
        let Some(allowed) = table.get(module) else {
            faults.push(format!("{module} is not in the table"));
            continue;
        };
        for other in used(&fs::read_to_string(&file).unwrap()) {
            if table.contains_key(&other) && other != module && !allowed.contains(&other) {
                faults.push(format!("{} uses `{other}`", place.display()));
            }
            needed.entry(module.to_owned()).or_default().insert(other);
        }
    }
    for (module, allowed) in &table {
        let needed = needed.get(module).cloned().unwrap_or_default();
        faults.extend(
            allowed
                .difference(&needed)
                .map(|other| format!("{module} is allowed `{other}`, and does not use it")),
        );
    }
    assert!(faults.is_empty(), "docs/architecture.md and the code differ:\n{}", faults.join("\n"));
}

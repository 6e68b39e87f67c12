//! A module uses only the modules that `docs/architecture.md` lists for it, and inside of a module nothing goes in circles.
//!
//! This keeps the data flowing in one direction: the differ never prints, a renderer never diffs or parses,
//! and only `cli` reads the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree, VisRestricted, Visibility};

/// Passed on by the first module to users of which each may use the second one, too: `count`.
const PASSED_ON: [(&str, &str); 1] = [("review", "text")];

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

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// A path of names from the root of the crate.
type Names = Vec<String>;

/// What the source of a module uses.
#[derive(Default)]
struct Source {
    /// The module, as the names that lead to it.
    module: Names,
    /// The paths that it names in code and imports, without those in modules of tests.
    uses: BTreeSet<Names>,
    /// What it makes its own for users outside of its folder (`pub use`): the name, and the path.
    passed_on: BTreeMap<String, Names>,
    /// Its modules of tests that are files of their own.
    tests: BTreeSet<Names>,
    renames_the_crate: bool,
}

impl Source {
    fn parse(module: Names, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap();
        let mut source = Self {
            module,
            ..Self::default()
        };
        source.visit_file(&file);
        source
    }

    /// The path from the root of the crate, if it is one of its modules.
    fn resolved(&self, path: &[String]) -> Option<Names> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        let mut rest = path;
        while let Some((first, more)) = rest.split_first() {
            match first.as_str() {
                "crate" | "self" => {}
                "super" => _ = base.pop(),
                _ => break,
            }
            rest = more;
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    fn add(&mut self, path: &[String]) {
        let resolved = self.resolved(path);
        self.uses.extend(resolved);
    }

    fn imports(&mut self, tree: &UseTree, before: &[String], is_passed_on: bool) {
        let with = |name: &dyn ToString| {
            let mut path = before.to_vec();
            path.push(name.to_string());
            path
        };
        let (path, name) = match tree {
            UseTree::Path(path) => {
                let before = with(&path.ident);
                return self.imports(&path.tree, &before, is_passed_on);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.imports(tree, before, is_passed_on);
                }
                return;
            }
            UseTree::Name(name) if name.ident == "self" => (before.to_vec(), None),
            UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(rename) => (with(&rename.ident), Some(rename.rename.to_string())),
            UseTree::Glob(_) => (before.to_vec(), None),
        };
        self.renames_the_crate |= path == ["crate"];
        // The children of a module need no `self`.
        let is_child = !matches!(path[0].as_str(), "crate" | "self" | "super");
        let path = match is_child {
            true => [vec!["self".to_owned()], path].concat(),
            false => path,
        };
        if let Some(resolved) = self.resolved(&path) {
            if let Some(name) = name.filter(|_| is_passed_on) {
                self.passed_on.insert(name, resolved.clone());
            }
            // Another crate looks like a child here, which harms nothing: no module has its name.
            self.uses.insert(resolved);
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|condition| condition.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let name = module.ident.to_string();
        if is_for_tests(&module.attrs) {
            if module.content.is_none() {
                self.tests
                    .insert([self.module.clone(), vec![name]].concat());
            }
            return;
        }
        self.module.push(name);
        visit::visit_item_mod(self, module);
        self.module.pop();
    }

    fn visit_item(&mut self, item: &'ast Item) {
        visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_passed_on = match &item.vis {
            Visibility::Public(_) => true,
            // `pub(in …)` and `pub(super)` are for the modules of the same folder.
            Visibility::Restricted(restricted) => restricted.path.is_ident("crate"),
            Visibility::Inherited => false,
        };
        self.imports(&item.tree, &[], is_passed_on);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        self.add(&names);
        visit::visit_path(self, path);
    }

    /// The path says who may use an item.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    /// The arguments of a macro are no expressions yet, so their paths are found word by word.
    fn visit_macro(&mut self, call: &'ast Macro) {
        let text = call.tokens.to_string();
        let mut words = text.split_whitespace().peekable();
        let mut path: Names = Vec::new();
        while let Some(word) = words.next() {
            path.push(word.to_owned());
            if words.next_if_eq(&"::").is_none() {
                self.add(&path);
                path.clear();
            }
        }
        visit::visit_macro(self, call);
    }
}

/// Reads all sources, each with its path below `src/`. Modules of tests are left out.
fn parse(sources: &BTreeMap<PathBuf, String>) -> Vec<Source> {
    let names = |path: &Path| -> Names {
        let module = match path.file_stem().unwrap().to_str().unwrap() {
            "mod" | "lib" | "main" => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        module
            .iter()
            .map(|name| name.to_str().unwrap().to_owned())
            .collect()
    };
    let parsed: Vec<Source> = sources
        .iter()
        .map(|(path, text)| Source::parse(names(path), text))
        .collect();
    let tests: BTreeSet<Names> = parsed
        .iter()
        .flat_map(|source| source.tests.iter().cloned())
        .collect();
    let is_test = |source: &Source| tests.iter().any(|test| source.module.starts_with(test));
    parsed
        .into_iter()
        .filter(|source| !is_test(source))
        .collect()
}

/// How the code differs from the table.
fn faults(table: &BTreeMap<String, BTreeSet<String>>, sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut needed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        let module_path = source.module.join("/");
        let Some(module) = source.module.first() else {
            continue; // `lib.rs` and `main.rs`
        };
        let Some(allowed) = table.get(module) else {
            faults.push(format!("{module} is not in the table"));
            continue;
        };
        let others = source.uses.iter().filter_map(|path| path.first());
        for other in others.collect::<BTreeSet<_>>() {
            if !table.contains_key(other) {
                faults.push(format!("{module_path} uses `{other}` of the root"));
            } else if other != module && !allowed.contains(other) {
                faults.push(format!("{module_path} uses `{other}`"));
            }
            needed.entry(module).or_default().insert(other);
        }
        if source.renames_the_crate {
            faults.push(format!("{module_path} gives the crate another name"));
        }
        let passed_on = source.passed_on.values().filter_map(|path| path.first());
        for other in passed_on.collect::<BTreeSet<_>>() {
            if other != module && !PASSED_ON.contains(&(module.as_str(), other.as_str())) {
                faults.push(format!("{module_path} passes `{other}` on with `pub use`"));
            }
        }
    }
    for (module, allowed) in table {
        let needed = needed.get(module.as_str()).cloned().unwrap_or_default();
        faults.extend(
            allowed
                .iter()
                .filter(|other| !needed.contains(other.as_str()))
                .map(|other| format!("{module} is allowed `{other}`, and does not use it")),
        );
    }
    faults
}

/// For each child of a module, the other children that it uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// For each child of the module `parent`, the other children that it or its descendants use.
fn children_used(parent: &[String], sources: &[Source]) -> Graph {
    let depth = parent.len();
    let inside: Vec<&Source> = sources
        .iter()
        .filter(|source| source.module.starts_with(parent))
        .collect();
    let mut graph: Graph = inside
        .iter()
        .filter_map(|source| Some((source.module.get(depth)?.clone(), BTreeSet::new())))
        .collect();
    // The module passes on what its children have, under names of its own.
    let passed_on = inside
        .iter()
        .find(|source| source.module.len() == depth)
        .map(|source| &source.passed_on);
    for source in &inside {
        let Some(child) = source.module.get(depth) else {
            continue;
        };
        for path in source.uses.iter().filter(|path| path.starts_with(parent)) {
            let name = path.get(depth);
            let origin = passed_on.zip(name).and_then(|(all, name)| all.get(name));
            let other = match origin.filter(|path| path.starts_with(parent)) {
                Some(path) => path.get(depth),
                None => name,
            };
            let Some(other) = other else {
                continue;
            };
            if other != child && graph.contains_key(other) {
                graph
                    .entry(child.clone())
                    .or_default()
                    .insert(other.clone());
            }
        }
    }
    graph
}

/// The circles of a graph: of each, the nodes that can reach each other, in order.
fn circles(graph: &Graph) -> Vec<Vec<&str>> {
    let reachable = |from: &str| {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut rest: Vec<&str> = graph[from].iter().map(String::as_str).collect();
        while let Some(node) = rest.pop() {
            if reached.insert(node) {
                rest.extend(graph[node].iter().map(String::as_str));
            }
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<&str>> = graph
        .keys()
        .map(|node| (node.as_str(), reachable(node)))
        .collect();
    let circle_of = |node: &str| -> Vec<&str> {
        let reached = all[node].iter().copied();
        reached.filter(|other| all[other].contains(node)).collect()
    };
    let circles: BTreeSet<Vec<&str>> = all
        .keys()
        .map(|node| circle_of(node))
        .filter(|circle| !circle.is_empty())
        .collect();
    circles.into_iter().collect()
}

/// Parsed once for all tests.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&root, &mut files);
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
    parse(&sources)
});

#[test]
fn modules_use_exactly_what_the_table_allows() {
    let faults = faults(&table(), &SOURCES);
    assert!(
        faults.is_empty(),
        "docs/architecture.md and the code differ:\n{}",
        faults.join("\n")
    );
}

#[test]
fn children_of_a_module_use_each_other_in_one_direction() {
    let parents: BTreeSet<&[String]> = SOURCES
        .iter()
        .flat_map(|source| (1..source.module.len()).map(|depth| &source.module[..depth]))
        .collect();
    assert!(parents.len() > 60, "{}", parents.len());
    let mut faults = Vec::new();
    for parent in parents {
        let graph = children_used(parent, &SOURCES);
        for circle in circles(&graph) {
            faults.push(format!("{}: {}", parent.join("/"), circle.join(", ")));
        }
    }
    assert!(faults.is_empty(), "circles:\n{}", faults.join("\n"));
}

/// The faults of one file of `diff`, which may use `json` only, and does.
fn faults_of(path: &str, text: &str) -> Vec<String> {
    let table = [("diff", vec!["json"]), ("json", vec![]), ("term", vec![])];
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let table = table
        .into_iter()
        .map(|(module, allowed)| (module.to_owned(), names(allowed)))
        .collect();
    let allowed = ("diff/mod.rs".into(), "use crate::json::Value;".to_owned());
    let sources = [allowed, (path.into(), text.to_owned())];
    faults(&table, &parse(&sources.into_iter().collect()))
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
        "fn f() { println!(\"{}\", crate::term::width()); }",
        "fn f() -> crate::term::Out { todo!() }",
        "use super::super::{json, term};",
    ] {
        assert_eq!(
            faults_of("diff/node.rs", text),
            ["diff/node uses `term`"],
            "{text}"
        );
    }
    assert_eq!(
        faults_of("diff/a.rs", "use crate::Plan;"),
        ["diff/a uses `Plan` of the root"]
    );
    assert_eq!(
        faults_of("diff/a.rs", "pub(crate) use crate::json::Value;"),
        ["diff/a passes `json` on with `pub use`"]
    );
}

#[test]
fn comments_strings_and_test_modules_use_nothing() {
    for text in [
        "// crate::term::Out\n/* crate::term */ const A: &str = \"crate::term\";",
        "const A: &str = r#\"a \" crate::term\"#;",
        "#[cfg(test)]\nmod tests {\n    use crate::term::Out;\n}",
        "#[cfg(test)]\n#[allow(unused, reason = \"]\")]\npub(crate) mod tests { fn f() { crate::term::write() } }",
        "pub(in crate::term) fn f() {}",
        "use super::term;",
    ] {
        assert_eq!(
            faults_of("diff/node.rs", text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

#[test]
fn a_circle_is_found_through_what_a_module_passes_on() {
    let sources = [
        ("diff/mod.rs", "mod a;\nmod b;\nmod c;\npub use b::Tree;"),
        ("diff/a.rs", "use super::Tree;"),
        ("diff/b.rs", "use crate::diff::c::Leaf;"),
        ("diff/c.rs", "fn f() { super::a::write() }"),
        ("diff/d.rs", "use super::a::Out;"),
    ];
    let sources = sources.map(|(place, text)| (place.into(), text.to_owned()));
    let parent = ["diff".to_owned()];
    let graph = children_used(&parent, &parse(&sources.into_iter().collect()));
    assert_eq!(circles(&graph), [["a", "b", "c"]]);
}

#[test]
fn a_circle_is_found_below_a_child_of_a_module() {
    let sources = [
        ("diff/a.rs", "mod one;\nmod two;"),
        ("diff/a/one.rs", "use super::two::Leaf;"),
        ("diff/a/two.rs", "use crate::diff::a::one::Tree;"),
    ];
    let sources = sources.map(|(place, text)| (place.into(), text.to_owned()));
    let sources = parse(&sources.into_iter().collect());
    assert_eq!(
        circles(&children_used(&["diff".to_owned()], &sources)),
        [[""; 0]; 0]
    );
    let parent = ["diff".to_owned(), "a".to_owned()];
    assert_eq!(circles(&children_used(&parent, &sources)), [["one", "two"]]);
}

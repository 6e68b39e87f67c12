//! The list of what is public, in `public.txt`: a change of the interface is seen in its difference.
//!
//! The sources are walked from the root of the crate, as rustdoc's JSON would say it, which needs an unstable compiler.
//! Nothing may be reachable that is not exported at the root.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "syn has more kinds of items than an interface"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::visit::Visit;
use syn::{Attribute, Fields, ImplItem, Item, Signature, UseTree, Visibility};

const LIST: &str = "tests/library/public.txt";

/// Types of others that the interface may name.
const OTHERS: [&str; 37] = [
    "AsRef",
    "BTreeMap",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Display",
    "Duration",
    "Eq",
    "Error",
    "ExitCode",
    "Formatter",
    "From",
    "Hash",
    "Into",
    "Iterator",
    "Item",
    "Option",
    "Ord",
    "OsString",
    "PartialEq",
    "PartialOrd",
    "Read",
    "Result",
    "Self",
    "Serialize",
    "String",
    "Vec",
    "Write",
    "bool",
    "str",
    "u32",
    "u8",
    "u64",
    "usize",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn parsed(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap();
    syn::parse_file(&text).unwrap().items
}

/// The file of a module, given by its path in the crate.
fn file_of(module: &[String]) -> PathBuf {
    let src = root().join("src");
    if module.is_empty() {
        return src.join("lib.rs");
    }
    let path = module.iter().fold(src, |path, name| path.join(name));
    let file = path.with_extension("rs");
    if file.exists() {
        file
    } else {
        path.join("mod.rs")
    }
}

/// A name that is exported under another one, and the path that it names.
type Export = (String, Vec<String>);

fn exports(tree: &UseTree, path: &[String], exported_names: &mut Vec<Export>) {
    let joined = |name: &syn::Ident| [path, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(inner) => exports(&inner.tree, &joined(&inner.ident), exported_names),
        UseTree::Name(name) => exported_names.push((name.ident.to_string(), joined(&name.ident))),
        UseTree::Rename(name) => {
            exported_names.push((name.rename.to_string(), joined(&name.ident)));
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                exports(tree, path, exported_names);
            }
        }
        UseTree::Glob(_) => unreachable!("nothing is exported by a glob"),
    }
}

fn exported(items: &[Item]) -> Vec<Export> {
    let mut exported_names = Vec::new();
    for item in items {
        if let Item::Use(used) = item
            && matches!(used.vis, Visibility::Public(_))
        {
            exports(&used.tree, &[], &mut exported_names);
        }
    }
    exported_names
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The module that defines a name, and the name there.
fn defined(module: &[String], name: &str) -> (Vec<String>, String) {
    let items = parsed(&file_of(module));
    for item in &items {
        if name_of(item).as_deref() != Some(name) {
            continue;
        }
        let Item::Type(alias) = item else {
            return (module.to_owned(), name.to_owned());
        };
        let target = alias.ty.to_token_stream().to_string().replace(' ', "");
        let path: Vec<String> = target.split("::").map(str::to_owned).collect();
        return followed(module, &path);
    }
    let export = exported(&items)
        .into_iter()
        .find(|(exported, _)| exported == name);
    let Some((_, path)) = export else {
        unreachable!("{name} is not in {module:?}")
    };
    followed(module, &path)
}

fn followed(module: &[String], path: &[String]) -> (Vec<String>, String) {
    let (name, steps) = path.split_last().unwrap();
    let module = match steps.split_first() {
        Some((first, rest)) if first == "crate" => rest.to_owned(),
        Some((first, rest)) if first == "super" => [&module[..module.len() - 1], rest].concat(),
        _ => [module, steps].concat(),
    };
    defined(&module, name)
}

/// The text of code, with few spaces.
fn words(code: &impl ToTokens) -> String {
    let mut text = code.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" :", ":"),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("' ", "'"),
    ] {
        text = text.replace(from, to);
    }
    text.replace("->", "-> ")
        .replace("->  ", "-> ")
        .replace(",)", ")")
}

/// What is derived, and whether it may grow.
fn marks(attributes: &[Attribute]) -> Vec<String> {
    let mut marks = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("derive") {
            let list = attribute.meta.require_list().unwrap().tokens.to_string();
            let names = list
                .split(',')
                .map(|name| name.trim().rsplit(' ').next().unwrap().to_owned());
            // Those of tests and of strum are for ourselves.
            marks.extend(names.filter(|name| OTHERS.contains(&&**name)));
        } else if attribute.path().is_ident("non_exhaustive") {
            marks.push("non_exhaustive".to_owned());
        }
        assert!(
            !words(&attribute.meta).contains("doc(hidden)"),
            "hidden: {}",
            words(&attribute.meta)
        );
    }
    marks.sort();
    marks
}

fn has_docs(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("doc"))
}

/// The names of types in a piece of code.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl<'a> Visit<'a> for Names {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0
            .extend(path.segments.last().map(|last| last.ident.to_string()));
        syn::visit::visit_path(self, path);
    }
}

/// Traits of this crate that others can neither name nor call.
const PRIVATE_TRAITS: [&str; 1] = ["ToolText"];

#[derive(Default)]
struct Walk {
    lines: Vec<String>,
    reached: BTreeMap<String, String>,
}

impl Walk {
    fn reach(&mut self, owner: &str, visit: impl FnOnce(&mut Names)) {
        let mut names = Names::default();
        visit(&mut names);
        for name in names.0 {
            self.reached.insert(name, owner.to_owned());
        }
    }

    fn fields(&mut self, owner: &str, fields: &Fields, is_variant: bool) {
        for (number, field) in fields.iter().enumerate() {
            if !is_variant && !matches!(field.vis, Visibility::Public(_)) {
                continue;
            }
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| number.to_string(), ToString::to_string);
            assert!(
                has_docs(&field.attrs) || field.ident.is_none(),
                "{owner}.{name} has no docs"
            );
            self.lines
                .push(format!("{owner}.{name}: {}", words(&field.ty)));
            self.reach(owner, |names| names.visit_type(&field.ty));
        }
    }

    fn signature(&mut self, owner: &str, signature: &Signature, attributes: &[Attribute]) {
        let owned = format!("{owner}::{}", signature.ident);
        assert!(has_docs(attributes), "{owned} has no docs");
        marks(attributes);
        // Whether a parameter is mutable inside does not concern others.
        let words = words(signature)
            .replace("(mut ", "(")
            .replace(", mut ", ", ");
        self.lines.push(format!("{owner}: {words}"));
        let generics: BTreeSet<String> = signature
            .generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        self.reach(&owned, |names| {
            names.visit_signature(signature);
            names.0.retain(|name| !generics.contains(name));
        });
    }

    fn item(&mut self, exported: &str, name: &str, item: &Item) {
        match item {
            Item::Struct(item) if item.ident == name => {
                assert!(has_docs(&item.attrs), "{exported} has no docs");
                self.lines.push(format!(
                    "struct {exported} [{}]",
                    marks(&item.attrs).join(", ")
                ));
                self.fields(exported, &item.fields, false);
            }
            Item::Enum(item) if item.ident == name => {
                assert!(has_docs(&item.attrs), "{exported} has no docs");
                self.lines.push(format!(
                    "enum {exported} [{}]",
                    marks(&item.attrs).join(", ")
                ));
                for variant in &item.variants {
                    let variant_name = format!("{exported}::{}", variant.ident);
                    assert!(has_docs(&variant.attrs), "{variant_name} has no docs");
                    self.lines.push(variant_name.clone());
                    self.fields(&variant_name, &variant.fields, true);
                }
            }
            Item::Fn(item) if item.sig.ident == name => {
                self.lines.push(format!("fn {exported}"));
                self.signature(exported, &item.sig, &item.attrs);
            }
            Item::Impl(item) if words(&item.self_ty) == name => match &item.trait_ {
                Some((_, path, _)) if PRIVATE_TRAITS.contains(&&*words(path)) => {}
                Some((_, path, _)) => self
                    .lines
                    .push(format!("impl {} for {exported}", words(path))),
                None => {
                    for part in &item.items {
                        match part {
                            ImplItem::Fn(method) if matches!(method.vis, Visibility::Public(_)) => {
                                self.signature(exported, &method.sig, &method.attrs);
                            }
                            ImplItem::Const(constant)
                                if matches!(constant.vis, Visibility::Public(_)) =>
                            {
                                self.lines.push(format!(
                                    "{exported}: const {}: {}",
                                    constant.ident,
                                    words(&constant.ty)
                                ));
                            }
                            _ => {}
                        }
                    }
                }
            },
            _ => {}
        }
    }
}

fn walk() -> (Walk, BTreeSet<String>) {
    let mut walk = Walk::default();
    let mut names = BTreeSet::new();
    for (exported, path) in exported(&parsed(&file_of(&[]))) {
        let (module, name) = followed(&[], &path);
        for item in parsed(&file_of(&module)) {
            walk.item(&exported, &name, &item);
        }
        names.insert(name);
        names.insert(exported);
    }
    // Conversions from types of others and of this crate are no promise.
    walk.lines.retain(|line| !line.starts_with("impl From<"));
    walk.lines.sort();
    (walk, names)
}

#[test]
#[allow(clippy::disallowed_methods, reason = "whether to write the list")]
fn list_of_public_items_is_as_committed() {
    let (walk, _) = walk();
    assert!(walk.lines.len() > 150, "{}", walk.lines.len());
    let list = walk.lines.join("\n") + "\n";
    let file = root().join(LIST);
    if std::env::var_os("TFVIEW_BLESS").is_some() {
        fs::write(&file, &list).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let new: BTreeSet<&str> = list.lines().collect();
    let old: BTreeSet<&str> = committed.lines().collect();
    let (added, removed): (Vec<_>, Vec<_>) = (
        new.difference(&old).collect(),
        old.difference(&new).collect(),
    );
    assert!(
        list == committed,
        "the public interface changed: if that is meant, `TFVIEW_BLESS=1 cargo test --test suite library::public`, and \
         if anything is removed, raise the version\nadded: {added:#?}\nremoved: {removed:#?}"
    );
}

#[test]
fn nothing_else_is_reachable() {
    let (walk, names) = walk();
    let hidden: Vec<_> = walk
        .reached
        .iter()
        .filter(|(name, _)| !names.contains(*name) && !OTHERS.contains(&&***name))
        .collect();
    assert!(hidden.is_empty(), "reachable, and not exported: {hidden:?}");
}

/// Programs outside of the crate see no more than this, so the examples and documents may use no more.
#[test]
fn examples_use_only_what_is_public() {
    let (_, names) = walk();
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.extend(["docs/library.md", "README.md"].map(|file| root().join(file)));
    let mut used = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for rest in text.split("tfview::").skip(1) {
            let list = rest.strip_prefix('{').map_or_else(
                || {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap_or_default()
                },
                |group| group.split('}').next().unwrap_or_default(),
            );
            for name in list
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
            {
                assert!(
                    names.contains(name),
                    "{} uses tfview::{name}",
                    file.display()
                );
                used += 1;
            }
        }
    }
    assert!(used > 10, "{used}");
}

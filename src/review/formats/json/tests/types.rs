//! Reads the types in the source that derive `Serialize`, with their attributes for serde.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::punctuated::Punctuated;
use syn::token::Comma;
use syn::{Attribute, Expr, ExprLit, ItemEnum, ItemStruct, Lit, LitStr, Meta};

/// A type that derives `Serialize`.
pub(super) struct Declared {
    /// The file, below `src/`.
    pub(super) file: String,
    pub(super) item: Item,
}

/// A struct or an enum.
pub(super) enum Item {
    Struct(ItemStruct),
    Enum(ItemEnum),
}

/// All types that derive `Serialize`, by their names.
pub(super) struct Types(BTreeMap<String, Vec<Declared>>);

impl Types {
    /// Reads all files of a folder.
    pub(super) fn read(root: &Path) -> Self {
        let mut sources = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let file = path.strip_prefix(root).unwrap();
                    let file = file.to_str().unwrap().replace('\\', "/");
                    sources.push((file, fs::read_to_string(path).unwrap()));
                }
            }
        }
        // Only these files have to be parsed.
        let sources = sources
            .iter()
            .filter(|(_, text)| text.contains("Serialize"));
        Self::of_sources(sources.map(|(file, text)| (&**file, &**text)))
    }

    /// Reads the given files, each as its path below `src/` and its text.
    pub(super) fn of_sources<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        let mut types = Self(BTreeMap::new());
        for (file, text) in sources {
            types.add(file, syn::parse_file(text).unwrap().items);
        }
        types
    }

    fn add(&mut self, file: &str, items: Vec<syn::Item>) {
        for item in items {
            let item = match item {
                syn::Item::Struct(item) => Item::Struct(item),
                syn::Item::Enum(item) => Item::Enum(item),
                syn::Item::Mod(module) => {
                    let content = module.content.into_iter();
                    content.for_each(|(_, items)| self.add(file, items));
                    continue;
                }
                _ => continue,
            };
            let file = file.to_owned();
            let declared = Declared { file, item };
            if derives_serialize(declared.attributes()) {
                self.0.entry(declared.name()).or_default().push(declared);
            }
        }
    }

    /// Returns the type of this name in a file.
    pub(super) fn of_file(&self, file: &str, name: &str) -> &Declared {
        let types = self.0.get(name).into_iter().flatten();
        let mut types = types.filter(|declared| declared.file == file);
        let declared = types.next();
        declared.unwrap_or_else(|| panic!("src/{file} has no type {name} that derives Serialize"))
    }

    /// Returns the type that a file means by a name: its own, or else that of the file with the most folders in common.
    pub(super) fn named(&self, name: &str, user: &str) -> Option<&Declared> {
        let common_folders = |declared: &&Declared| {
            let pairs = declared.file.split('/').zip(user.split('/'));
            let common = pairs.take_while(|(a, b)| a == b).count();
            (declared.file == user, common)
        };
        self.0.get(name)?.iter().max_by_key(common_folders)
    }
}

fn derives_serialize(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .any(|derive| {
            let traits = derive
                .parse_args_with(Punctuated::<syn::Path, Comma>::parse_terminated)
                .unwrap();
            traits.iter().any(|name| name.is_ident("Serialize"))
        })
}

/// Returns the doc comment of an item, with its line breaks.
pub(super) fn description(attributes: &[Attribute]) -> Option<String> {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(line),
                ..
            }) => Some(line.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<_> = attributes.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The attributes `serde(…)` of a type, field or variant, as far as they concern its JSON.
#[derive(Default)]
pub(super) struct Serde {
    pub(super) rename: Option<String>,
    pub(super) rename_all: Option<String>,
    pub(super) tag: Option<String>,
    /// The type that it is converted into before it is serialized.
    pub(super) into: Option<String>,
    /// The function that serializes it.
    pub(super) serialize_with: Option<String>,
    pub(super) is_untagged: bool,
    pub(super) is_flat: bool,
    pub(super) is_skipped: bool,
    /// Whether it may be left out of the JSON.
    pub(super) is_optional: bool,
}

impl Serde {
    pub(super) fn read(attributes: &[Attribute]) -> Self {
        let mut serde = Self::default();
        let of_serde = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("serde"));
        for attribute in of_serde {
            let read = attribute.parse_nested_meta(|meta| {
                let text = || Ok::<_, syn::Error>(Some(meta.value()?.parse::<LitStr>()?.value()));
                let name = meta.path.require_ident()?.to_string();
                match &*name {
                    "rename" => serde.rename = text()?,
                    "rename_all" => serde.rename_all = text()?,
                    "tag" => serde.tag = text()?,
                    "into" => serde.into = text()?,
                    "serialize_with" => serde.serialize_with = text()?,
                    "skip_serializing_if" => serde.is_optional = text()?.is_some(),
                    "untagged" => serde.is_untagged = true,
                    "flatten" => serde.is_flat = true,
                    "skip" => serde.is_skipped = true,
                    _ => return Err(meta.error("no schema is made of this attribute")),
                }
                Ok(())
            });
            read.unwrap();
        }
        serde
    }

    /// Returns the name of a member or variant in the JSON. `all` are the attributes of the type or variant around it.
    pub(super) fn name(&self, ident: &str, all: &Self) -> String {
        if let Some(name) = &self.rename {
            return name.clone();
        }
        let separated = |separator: &str| {
            let mut name = String::new();
            for (index, letter) in ident.char_indices() {
                if letter.is_uppercase() && index > 0 {
                    name.push_str(separator);
                }
                name.extend(letter.to_lowercase());
            }
            name
        };
        match all.rename_all.as_deref() {
            None => ident.to_owned(),
            Some("lowercase") => ident.to_lowercase(),
            Some("snake_case") => separated("_"),
            Some("kebab-case") => separated("-"),
            Some(other) => panic!("no schema is made of rename_all = {other:?}"),
        }
    }
}

impl Declared {
    pub(super) fn name(&self) -> String {
        match &self.item {
            Item::Struct(item) => item.ident.to_string(),
            Item::Enum(item) => item.ident.to_string(),
        }
    }

    fn attributes(&self) -> &[Attribute] {
        match &self.item {
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
        }
    }

    pub(super) fn serde(&self) -> Serde {
        Serde::read(self.attributes())
    }

    pub(super) fn description(&self) -> Option<String> {
        description(self.attributes())
    }
}

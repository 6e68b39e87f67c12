//! Writes the built-in provider schemas, `src/schema/builtin/schemas.bin`.
//!
//! Usage: `cargo run --release --example builtin_schemas -- FOLDER`. `src/schema/builtin/README.md` describes
//! the folder, `sources.tsv` and the file; `src/schema/builtin.rs` reads it.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const HOME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/schema/builtin");

/// The kinds of schemas, and their letters in the file.
const KINDS: [(&str, char); 4] = [
    ("resource_schemas", 'R'),
    ("data_source_schemas", 'D'),
    ("ephemeral_resource_schemas", 'E'),
    ("action_schemas", 'A'),
];

/// The maximum size of a part, unless a single type is larger. Larger parts compress better; smaller ones are
/// faster to read for a plan of few types.
const PART: usize = 64 * 1024;

/// Reads the documents of a folder, and writes their schemas in the form of the program.
fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("usage: builtin_schemas FOLDER")?;
    let sources = std::fs::read_to_string(format!("{HOME}/sources.tsv"))?;
    let mut texts = Vec::new();
    let mut conventions = Conventions::default();
    let mut providers = Vec::new();
    for line in sources.lines().skip(1) {
        let [file, provider, version, marks] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("sources.tsv: expected four columns in {line:?}").into());
        };
        let marks = Marks::from_name(marks)?;
        let document: Value =
            serde_json::from_slice(&std::fs::read(Path::new(&folder).join(file))?)?;
        let schemas = document["provider_schemas"]
            .as_object()
            .ok_or("no provider_schemas")?;
        let (name, schemas) = schemas
            .iter()
            .find(|(name, _)| name.ends_with(provider))
            .ok_or_else(|| format!("{file} has no schema of {provider}"))?;
        // Data sources are not counted: nearly everything in them is a computed attribute, including the
        // blocks of resources.
        for (_, schema) in members(&schemas["resource_schemas"]) {
            conventions.count(&schema["block"]);
            if marks != Marks::None {
                conventions.count_sensitive(&schema["block"]);
            }
        }
        let mut types: BTreeMap<&str, String> = BTreeMap::new();
        for (kind, letter) in KINDS {
            // Language bindings have the configuration of a provider among its resource types, with its name.
            let is_type = |name: &str| !provider.ends_with(&format!("/{name}"));
            for (name, schema) in members(&schemas[kind]).filter(|(name, _)| is_type(name)) {
                let block = block(&schema["block"], marks)?;
                write!(types.entry(name).or_default(), "\n{name} {letter}{block}")?;
            }
        }
        providers.push(
            json!({ "name": name, "version": version, "parts": add_types(&mut texts, &types) }),
        );
    }
    texts.push(conventions.to_json().to_string());
    std::fs::write(format!("{HOME}/schemas.bin"), file(&texts, providers)?)?;
    Ok(())
}

/// The file: the index, and then the compressed parts. `texts` are those of the parts of all `providers`, in order,
/// and then that of the conventions.
fn file(texts: &[String], mut providers: Vec<Value>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut places = Vec::new();
    for text in texts {
        let start = bytes.len();
        let mut encoder = DeflateEncoder::new(&mut bytes, Compression::best());
        encoder.write_all(text.as_bytes())?;
        encoder.finish()?;
        let compressed = bytes.len() - start;
        places.push(json!({ "start": start, "compressed": compressed, "length": text.len() }));
    }
    let mut places = places.into_iter();
    for part in providers
        .iter_mut()
        .flat_map(|provider| provider["parts"].as_array_mut())
        .flatten()
    {
        let types = places.next().ok_or("a part without a text")?;
        for (name, value) in members(&types) {
            part[name] = value.clone();
        }
    }
    let index = json!({ "conventions": places.next(), "providers": providers });
    let mut file = format!("{index}\n").into_bytes();
    file.extend(bytes);
    Ok(file)
}

/// Adds the texts of parts of about [`PART`] bytes. Returns the parts, each with its first type.
fn add_types(texts: &mut Vec<String>, types: &BTreeMap<&str, String>) -> Value {
    let mut parts = Vec::new();
    for (name, schemas) in types {
        match texts
            .last_mut()
            .filter(|text| !parts.is_empty() && text.len() + schemas.len() <= PART)
        {
            Some(text) => text.push_str(schemas),
            None => {
                parts.push(json!({ "first": name }));
                texts.push(schemas.clone());
            }
        }
    }
    parts.into()
}

/// Which flags the schemas of a source have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    All,
    Sensitive,
    None,
}

impl Marks {
    fn from_name(name: &str) -> Result<Self> {
        match name {
            "all" => Ok(Self::All),
            "sensitive" => Ok(Self::Sensitive),
            "none" => Ok(Self::None),
            _ => Err(format!("sources.tsv: unknown marks {name:?}").into()),
        }
    }

    fn is_sensitive(self, name: &str, attribute: &Value) -> bool {
        let holds_strings = attribute["type"] == "string" || attribute["type"][1] == "string";
        attribute["sensitive"] == true
            || (self == Self::None && holds_strings && names_secret(name))
    }

    fn is_write_only(self, name: &str, attribute: &Value) -> bool {
        attribute["write_only"] == true || (self != Self::All && name.ends_with("_wo"))
    }
}

/// Whether a name is that of a secret, for sources without flags. It is better to hide too much here:
/// the source does not say what is safe.
fn names_secret(name: &str) -> bool {
    const LAST: [&str; 9] = [
        "credential",
        "credentials",
        "jwt",
        "passphrase",
        "password",
        "psk",
        "secret",
        "secrets",
        "token",
    ];
    const KEYS: [&str; 17] = [
        "access",
        "account",
        "api",
        "app",
        "certificate",
        "client",
        "custom",
        "encryption",
        "integration",
        "license",
        "private",
        "secret",
        "service",
        "shared",
        "signing",
        "tls",
        "unseal",
    ];
    let name = name.strip_suffix("_wo").unwrap_or(name);
    let mut words = name.rsplit('_');
    let last = words.next().unwrap_or_default();
    let before = words.next().unwrap_or_default();
    LAST.contains(&last)
        || (last == "key" && KEYS.contains(&before))
        || matches!(name, "data" | "data_json" | "secret_id")
}

/// A block as `src/schema/builtin.rs` reads it.
fn block(block: &Value, marks: Marks) -> Result<String> {
    let mut text = "{".to_owned();
    for (name, attribute) in members(&block["attributes"]) {
        writeln!(
            text,
            "{} {}",
            plain(name)?,
            self::attribute(name, attribute, marks)?
        )?;
    }
    for (name, nested) in members(&block["block_types"]) {
        let mode = mode(&nested["nesting_mode"])?;
        writeln!(
            text,
            "{} %{mode}{}",
            plain(name)?,
            self::block(&nested["block"], marks)?
        )?;
    }
    text.push('}');
    Ok(text)
}

/// Writes an attribute: its flags, and its type or nested attributes.
fn attribute(name: &str, attribute: &Value, marks: Marks) -> Result<String> {
    let mut text = String::new();
    if marks.is_sensitive(name, attribute) {
        text.push('!');
    }
    if marks.is_write_only(name, attribute) {
        text.push('?');
    }
    let Some(nested) = attribute.get("nested_type") else {
        text += &ty(attribute
            .get("type")
            .ok_or_else(|| format!("{name} has no type"))?)?;
        return Ok(text);
    };
    write!(text, "&{}{{", mode(&nested["nesting_mode"])?)?;
    for (name, inner) in members(&nested["attributes"]) {
        writeln!(
            text,
            "{} {}",
            plain(name)?,
            self::attribute(name, inner, marks)?
        )?;
    }
    text.push('}');
    Ok(text)
}

/// Checks that a name contains no separator.
fn plain(name: &str) -> Result<&str> {
    let is_plain = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'}');
    if is_plain {
        Ok(name)
    } else {
        Err(format!("unexpected name {name:?}").into())
    }
}

fn mode(mode: &Value) -> Result<char> {
    match mode.as_str() {
        Some("single") => Ok('1'),
        Some("group") => Ok('g'),
        Some("list") => Ok('l'),
        Some("set") => Ok('e'),
        Some("map") => Ok('m'),
        _ => Err(format!("unknown nesting mode {mode}").into()),
    }
}

/// Writes a type: a letter, and what is in it.
fn ty(value: &Value) -> Result<String> {
    match (value.as_str().or(value[0].as_str()), &value[1]) {
        (Some("string"), _) => Ok("s".to_owned()),
        (Some("number"), _) => Ok("n".to_owned()),
        (Some("bool"), _) => Ok("b".to_owned()),
        (Some("dynamic"), _) => Ok("d".to_owned()),
        (Some("list"), element) => Ok(format!("L{}", ty(element)?)),
        (Some("set"), element) => Ok(format!("S{}", ty(element)?)),
        (Some("map"), element) => Ok(format!("M{}", ty(element)?)),
        (Some("object"), inner) => {
            let mut text = "{".to_owned();
            for (name, inner) in members(inner) {
                writeln!(text, "{} {}", plain(name)?, ty(inner)?)?;
            }
            text.push('}');
            Ok(text)
        }
        (Some("tuple"), Value::Array(items)) => Ok(format!(
            "({})",
            items.iter().map(ty).collect::<Result<String>>()?
        )),
        _ => Err(format!("unknown type {value}").into()),
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// How often each name is used for which kind of member, over all managed resources.
#[derive(Default)]
struct Conventions {
    of: HashMap<String, HashMap<&'static str, usize>>,
    scalars: HashMap<String, usize>,
    /// For each name of a string, the number of sensitive attributes and of all attributes. Only from sources
    /// with flags.
    strings: HashMap<String, (usize, usize)>,
}

const BLOCKS: [&str; 5] = [
    "single block",
    "group block",
    "list block",
    "set block",
    "map block",
];

/// Lists, and collections of objects: inference takes what has no convention for one of these.
const OTHER: &str = "other";

impl Conventions {
    /// Counts what the names of a block are used for, also in its nested blocks.
    fn count(&mut self, block: &Value) {
        for (name, attribute) in members(&block["attributes"]) {
            let kind = &attribute["type"];
            let holds_objects = kind[1][0] == "object";
            let convention = match kind[0].as_str() {
                Some("map" | "list" | "set") if holds_objects => OTHER,
                Some("map") => "map",
                Some("list") => OTHER,
                Some("set") => "set",
                _ => {
                    *self.scalars.entry(name.clone()).or_default() += usize::from(kind.is_string());
                    continue;
                }
            };
            self.add(name, convention);
        }
        for (name, nested) in members(&block["block_types"]) {
            let mode = nested["nesting_mode"].as_str().unwrap_or_default();
            if let Some(convention) = BLOCKS
                .iter()
                .find(|block| block.strip_suffix(" block") == Some(mode))
            {
                self.add(name, convention);
            }
            self.count(&nested["block"]);
        }
    }

    fn count_sensitive(&mut self, block: &Value) {
        for (name, attribute) in
            members(&block["attributes"]).filter(|(_, found)| found["type"] == "string")
        {
            let (sensitive, all) = self.strings.entry(name.clone()).or_default();
            *sensitive += usize::from(attribute["sensitive"] == true);
            *all += 1;
        }
        members(&block["block_types"])
            .for_each(|(_, nested)| self.count_sensitive(&nested["block"]));
    }

    fn add(&mut self, name: &str, convention: &'static str) {
        *self
            .of
            .entry(name.to_owned())
            .or_default()
            .entry(convention)
            .or_default() += 1;
    }

    /// The names of each convention: names that are used for the same kind of member in at least four of five
    /// places. Blocks of all nesting modes count as one kind.
    fn to_json(&self) -> Value {
        let mut conventions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, counts) in &self.of {
            let total: usize = counts.values().sum();
            let of = |convention: &str| counts.get(convention).copied().unwrap_or_default();
            let blocks: usize = BLOCKS.iter().map(|mode| of(mode)).sum();
            let best = |among: &[&'static str]| {
                among
                    .iter()
                    .copied()
                    .max_by_key(|convention| of(convention))
            };
            let convention = if blocks * 5 >= total * 4 {
                best(&BLOCKS)
            } else {
                best(&["map", "set", OTHER]).filter(|convention| of(convention) * 5 >= total * 4)
            };
            let is_block = convention.is_some_and(|convention| BLOCKS.contains(&convention));
            let scalars = self.scalars.get(name).copied().unwrap_or_default();
            let Some(convention) = convention.filter(|_| total >= 2) else {
                continue;
            };
            if convention != OTHER {
                conventions.entry(convention).or_default().push(name);
            }
            if is_block && scalars >= total {
                conventions.entry("scalar").or_default().push(name);
            }
        }
        for (name, (sensitive, all)) in &self.strings {
            if *all >= 2 && sensitive * 5 >= all * 4 {
                conventions.entry("sensitive").or_default().push(name);
            }
        }
        for names in conventions.values_mut() {
            names.sort_unstable();
        }
        json!(conventions)
    }
}

//! Built-in schemas: of widely used providers, and of the provider that is part of the tools.
//!
//! They are in `schemas.bin`, which `README.md` in this directory describes and `examples/builtin_schemas.rs`
//! writes. Its parts contain JSON in the format of `providers schema -json`.
//!
//! Invariants: a part is decompressed at most once per process, when one of its types is first needed. A
//! malformed part counts as absent; a test reads every type.

use std::io::Read as _;
use std::sync::OnceLock;

use bumpalo::Bump;
use flate2::read::DeflateDecoder;
use serde::Deserialize;

use super::provider::{self, Kind};
use super::{Block, Error};
use crate::json::{self, Pairs, Raw, Str};

static FILE: &[u8] = include_bytes!("schemas.bin");

/// The source address of the provider that is part of Terraform and OpenTofu.
const TOOLS_OWN: &str = "terraform.io/builtin/terraform";

/// A provider with built-in schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its source address.
    pub name: &'static str,
    /// The version of the provider, or the date of the sources.
    pub version: &'static str,
}

/// The providers with built-in schemas.
pub fn providers() -> impl Iterator<Item = BuiltIn> {
    index().into_iter().flat_map(|index| {
        index.providers.iter().map(|found| BuiltIn { name: &found.name, version: &found.version })
    })
}

/// Whether a type belongs to the provider that is part of the tools, so that its schema needs no file.
pub fn is_of_the_tool(provider_name: &str, type_name: &str) -> bool {
    find(provider_name, type_name).is_some_and(|found| *found.name == *TOOLS_OWN)
}

/// The built-in schema of a type. `mode` is `managed` (or empty), `data` or `ephemeral`.
pub(super) fn resource<'s>(
    provider_name: &str,
    mode: &str,
    type_name: &str,
    arena: &'s Bump,
) -> Option<Block<'s>> {
    let text = schema(find(provider_name, type_name)?, Kind::from_mode(mode)?, type_name)?;
    build(text, arena).ok()
}

/// The naming conventions: a JSON object of lists of names.
pub(super) fn conventions() -> Option<&'static str> {
    index()?.conventions.text()
}

fn build<'s>(text: Raw<'s>, arena: &'s Bump) -> Result<Block<'s>, Error> {
    provider::block_of(text.value(arena)?, arena)
}

/// Finds the provider for a source address. The namespace must match, unless it is a default one, under
/// which old configurations and mirrors name any provider. The beta of a provider (`google-beta`) has the
/// shapes of the provider.
fn find(provider_name: &str, type_name: &str) -> Option<&'static Provider<'static>> {
    let mut steps = provider_name.rsplit('/');
    let last = steps.next().filter(|last| !last.is_empty());
    let namespace = steps.next();
    let last = last.unwrap_or_else(|| provider::prefix(type_name));
    let last = last.strip_suffix("-beta").unwrap_or(last);
    let is_default = matches!(namespace, None | Some("hashicorp" | "opentofu" | "-"));
    index()?.providers.iter().find(|known| {
        let mut steps = known.name.rsplit('/');
        steps.next() == Some(last) && (is_default || steps.next() == namespace)
    })
}

fn schema(provider: &'static Provider<'static>, kind: Kind, type_name: &str) -> Option<Raw<'static>> {
    let parts = provider.types.get(kind.member())?;
    let after = parts.partition_point(|part| *part.first <= *type_name);
    let part = parts.get(after.checked_sub(1)?)?;
    part.types()?.get(type_name).copied()
}

/// The first line of the file: the index of its parts.
#[derive(Debug, Deserialize)]
struct Index<'a> {
    conventions: Part,
    #[serde(borrow)]
    providers: Vec<Provider<'a>>,
}

#[derive(Debug, Deserialize)]
struct Provider<'a> {
    #[serde(borrow)]
    name: Str<'a>,
    #[serde(borrow)]
    version: Str<'a>,
    /// The parts for each kind of schema, sorted by their first type.
    #[serde(borrow)]
    types: Pairs<'a, Vec<Part>>,
}

#[derive(Debug, Deserialize)]
struct Part {
    /// The first type in the part.
    #[serde(default)]
    first: Box<str>,
    /// The offset of the compressed text, in bytes from the end of the index.
    start: usize,
    compressed: usize,
    /// The length of the decompressed text, in bytes.
    length: usize,
    #[serde(skip)]
    types: OnceLock<Option<Pairs<'static, Raw<'static>>>>,
}

/// The index and the parts.
fn file() -> Option<&'static (Index<'static>, &'static [u8])> {
    static FOUND: OnceLock<Option<(Index<'static>, &'static [u8])>> = OnceLock::new();
    let read = || {
        let (line, parts) = FILE.split_at_checked(memchr::memchr(b'\n', FILE)? + 1)?;
        Some((json::from_str(std::str::from_utf8(line).ok()?).ok()?, parts))
    };
    FOUND.get_or_init(read).as_ref()
}

fn index() -> Option<&'static Index<'static>> {
    file().map(|(index, _)| index)
}

impl Part {
    /// Decompresses the text. It is leaked, so that it lives as long as the program.
    fn text(&self) -> Option<&'static str> {
        let (_, parts) = file()?;
        let body = parts.get(self.start..self.start.checked_add(self.compressed)?)?;
        let mut text = String::with_capacity(self.length);
        DeflateDecoder::new(body).read_to_string(&mut text).ok()?;
        Some(text.leak())
    }

    fn types(&self) -> Option<&Pairs<'static, Raw<'static>>> {
        self.types.get_or_init(|| json::from_str(self.text()?).ok()).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_can_be_read() {
        assert!(FILE.len() <= 600_000, "{} bytes", FILE.len());
        let mut count = 0;
        for provider in &index().unwrap().providers {
            for (kind, parts) in &*provider.types {
                for part in parts {
                    let types = part.types().unwrap();
                    assert!(types.iter().any(|(name, _)| **name == *part.first), "{kind} {}", part.first);
                    for (name, text) in &**types {
                        let arena = Bump::new();
                        build(*text, &arena).unwrap_or_else(|error| panic!("{name}: {error}"));
                        count += 1;
                    }
                }
            }
        }
        assert!(count > 6_000, "{count} types");
    }

    #[test]
    fn schemas_are_those_of_the_provider_and_its_beta_but_of_no_fork() {
        let arena = Bump::new();
        let found = |provider| resource(provider, "managed", "google_compute_instance", &arena).is_some();
        assert!(found("registry.terraform.io/hashicorp/google"));
        assert!(found("registry.opentofu.org/hashicorp/google-beta"));
        assert!(found("registry.terraform.io/-/google"));
        assert!(found("google"));
        assert!(found(""));
        assert!(!found("registry.terraform.io/fork/google"));
        assert!(!found("aws"));
    }

    #[test]
    fn each_provider_has_a_version_and_a_name_of_its_own() {
        let mut last: Vec<&str> = providers().filter_map(|found| found.name.rsplit('/').next()).collect();
        assert!(providers().all(|found| !found.version.is_empty()));
        last.sort_unstable();
        assert!(last.windows(2).all(|pair| pair[0] != pair[1]), "a default namespace means any of them");
    }

    #[test]
    fn the_tools_own_provider_is_known_by_each_of_its_names() {
        for name in ["terraform.io/builtin/terraform", "", "terraform", "registry.terraform.io/-/terraform"] {
            assert!(is_of_the_tool(name, "terraform_data"), "{name:?}");
        }
        assert!(!is_of_the_tool("registry.terraform.io/acme/terraform", "terraform_data"));
        assert!(!is_of_the_tool("", "null_resource"));
    }
}

//! The resources of a plan, as results name them.
//!
//! ```text
//! aws_s3_bucket.logs[0]                                    an instance
//! aws_s3_bucket.logs_d41d8cd98f00b204e9800998ecf8427e      what Trivy calls a resource in a module
//! "the bucket `aws_s3_bucket.logs` is public"              words of a text
//! ```

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;
use md5::{Digest, Md5};

use crate::model::address::{block_address, module_of, resource_address};

/// The maximum number of words of a text that are looked up as addresses.
const MAX_WORDS: usize = 200;
/// The maximum number of steps that may follow an address, such as the path of an attribute.
pub(super) const MAX_PATH: usize = 4;

/// The resources of a plan, by the names that results may use for them.
#[derive(Debug, Default)]
pub struct KnownResources<'a> {
    /// The addresses of instances, of resources in a module instance, and of blocks.
    pub(super) addresses: HashSet<&'a str>,
    /// The addresses of resources in a module instance, by the names that Trivy gives them.
    pub(super) hashed: HashMap<&'a str, &'a str>,
}

impl<'a> KnownResources<'a> {
    /// Indexes the resources of a plan, each given by its address, type and name.
    pub fn new<'n>(
        resources: impl Iterator<Item = (&'n str, &'n str, &'n str)>,
        arena: &'a Bump,
    ) -> Self {
        let mut known = Self::default();
        for (address, resource_type, name) in resources {
            let [instance, resource, block] = keys(address);
            let (_, is_new_block) = known.add(&block, arena);
            let (resource, is_new) = known.add(&resource, arena);
            known.add(&instance, arena);
            if is_new || is_new_block {
                known.add_hashed(resource, resource_type, name, arena);
            }
        }
        known
    }

    fn add(&mut self, address: &str, arena: &'a Bump) -> (&'a str, bool) {
        if let Some(known) = self.addresses.get(address) {
            return (known, false);
        }
        let address = &*arena.alloc_str(address);
        (address, self.addresses.insert(address))
    }

    /// Adds the name that Trivy gives to a resource in a module: with the MD5 of the address of its module instance.
    fn add_hashed(&mut self, resource: &'a str, resource_type: &str, name: &str, arena: &'a Bump) {
        let module = module_of(resource);
        if module.is_empty() {
            return;
        }
        let digest = u128::from_be_bytes(Md5::digest(module.as_bytes()).into());
        let is_data = resource
            .get(module.len() + 1..)
            .is_some_and(|rest| rest.starts_with("data."));
        let hashed = arena.alloc_str(&format!("{resource_type}.{name}_{digest:032x}"));
        if is_data {
            self.hashed
                .insert(arena.alloc_str(&format!("data.{hashed}")), resource);
        }
        self.hashed.entry(hashed).or_insert(resource);
    }

    /// Returns the known address that a text is, or begins with.
    pub(super) fn address(&self, text: &str) -> Option<&'a str> {
        let mut text = text.trim();
        for _ in 0..=MAX_PATH {
            if let Some(known) = self.addresses.get(text).or_else(|| self.hashed.get(text)) {
                return Some(known);
            }
            text = &text[..text.rfind('.')?];
        }
        None
    }

    /// Returns a resource by its block: in one instance of the module, if that is known, or in all
    /// of them.
    pub(super) fn in_module(&self, block: &str, module: &str) -> Option<&'a str> {
        let block_module = module_of(block);
        // Followed by a name, an address of a module is one of a resource.
        let call = block_address(&format!("{module}.x"));
        if call.strip_suffix(".x") != Some(block_module) {
            return None;
        }
        let instance = format!(
            "{module}{}",
            block.get(block_module.len()..).unwrap_or_default()
        );
        self.addresses
            .get(&*instance)
            .or_else(|| self.addresses.get(block))
            .copied()
    }

    /// Returns the only known address in a text; `None` if there are several.
    pub(super) fn in_words(&self, text: &str) -> Option<&'a str> {
        let mut only_address = None;
        for word in address_words(text) {
            let Some(address) = self.address(word) else {
                continue;
            };
            // If there are two, which one is meant is unknown.
            if only_address.is_some_and(|other| other != address) {
                return None;
            }
            only_address = Some(address);
        }
        only_address
    }
}

/// Returns the words of a text that may be addresses, without the marks around them.
pub(super) fn address_words(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| c.is_whitespace() || c == '.' || "`'\"(),;:<>".contains(c);
    text.split_whitespace()
        .take(MAX_WORDS)
        .filter(|word| word.contains('.'))
        .map(move |word| word.trim_matches(is_around))
}

/// Returns the addresses by which results may name an instance: its own, that of its resource, and that of its block.
pub(super) fn keys(address: &str) -> [String; 3] {
    [
        address.to_owned(),
        resource_address(address).to_owned(),
        block_address(address),
    ]
}

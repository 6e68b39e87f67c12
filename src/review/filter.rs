//! Filters by action, address, type and module, and attributes that are only counted.

use super::ChangeKind;
use super::entry::{Entry, PlanReview};
use crate::access::glob_matches;
use crate::model::address::AddressSelector;

/// A filter. An empty list accepts everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these kinds.
    pub only: Vec<ChangeKind>,
    /// Only addresses that match one of these globs.
    pub include: Vec<String>,
    /// No addresses that match one of these globs.
    pub exclude: Vec<String>,
    /// Only these resource types (globs).
    pub types: Vec<String>,
    /// Only these modules and their child modules.
    pub modules: Vec<String>,
    /// Only addresses that match one of these selectors.
    pub addresses: Vec<AddressSelector>,
    /// Only entries with findings.
    pub only_findings: bool,
    /// Attributes whose changes are only counted (globs for paths).
    pub ignored: Vec<String>,
}

impl Filter {
    /// Marks the entries that are not shown. Gates and counts still include them.
    pub fn apply(&self, review: &mut PlanReview<'_>) {
        for entries in [&mut review.resources, &mut review.drift, &mut review.deferred] {
            entries.iter_mut().for_each(|entry| entry.hidden = !self.shows(entry));
        }
    }

    /// Whether an entry is shown.
    fn shows(&self, entry: &Entry<'_>) -> bool {
        let any = |globs: &[String], text: &str| globs.iter().any(|glob| glob_matches(glob, text));
        (self.only.is_empty() || self.only.contains(&ChangeKind::from_entry(entry)))
            && (!self.only_findings || !entry.findings.is_empty())
            && self.selects(&[entry.address, entry.previous_address])
            && self.shows_address(entry.address)
            && (self.types.is_empty() || any(&self.types, entry.resource_type))
            && (self.modules.is_empty()
                || self.modules.iter().any(|module| is_in_module(module, entry.module_address)))
    }

    /// Whether one of the addresses is selected, or there are no selectors.
    pub fn selects(&self, addresses: &[&str]) -> bool {
        let is_selected = |address: &&str| self.addresses.iter().any(|selector| selector.matches(address));
        self.addresses.is_empty() || addresses.iter().any(is_selected)
    }

    /// Whether the invocation of an action is shown. Filters by address apply to it.
    pub fn shows_invocation(&self, invocation: &Entry<'_>) -> bool {
        let trigger = invocation.trigger.map_or("", |trigger| trigger.address);
        self.selects(&[invocation.address, trigger]) && self.shows_address(invocation.address)
    }

    /// Whether the globs for addresses accept this address.
    fn shows_address(&self, address: &str) -> bool {
        let any = |globs: &[String]| globs.iter().any(|glob| glob_matches(glob, address));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }

    /// Whether changes at `path` (names joined by dots, without indices) are only counted.
    pub fn ignores(&self, path: &str) -> bool {
        self.ignored.iter().any(|glob| {
            let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
            ends.into_iter().any(|end| path.get(..end).is_some_and(|part| glob_matches(glob, part)))
        })
    }
}

/// Whether the module at `address` is `module` or inside of it. `module.` may be omitted.
fn is_in_module(module: &str, address: &str) -> bool {
    let is = |module: &str| {
        address.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    is(module) || is(&format!("module.{module}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_attribute_covers_what_is_below() {
        let filter = Filter { ignored: vec!["tags*".to_owned(), "*.etag".to_owned()], ..Filter::default() };
        for (path, expected) in
            [("tags.Name", true), ("tags_all", true), ("a.etag", true), ("etag", false), ("name.tags", false)]
        {
            assert_eq!(filter.ignores(path), expected, "{path}");
        }
    }

    #[test]
    fn a_module_holds_its_instances_and_modules() {
        for (module, address, expected) in [
            ("a", "module.a", true),
            ("module.a", "module.a[0].module.b", true),
            ("a", "module.ab", false),
            ("a", "", false),
        ] {
            assert_eq!(is_in_module(module, address), expected, "{module} {address}");
        }
    }
}

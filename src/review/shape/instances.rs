//! Finds plans in which instances of a module go or come as a whole.
//!
//! ```text
//! module.preview: "pr-2417" goes, "pr-2431" comes
//! ```

use std::collections::BTreeSet;

use crate::review::ChangeKind;
use crate::review::entry::Entry;
use crate::text::first_of;

/// The maximum number of instance keys that are named.
const MAX_KEYS: usize = 3;
/// The minimum number of objects of an instance: fewer are told by their entries.
const MIN_OBJECTS: usize = 3;

/// The instances of one module that go and come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instances<'a> {
    /// The address of the module, without a key.
    module: &'a str,
    /// The keys of the instances whose objects are all destroyed.
    gone: BTreeSet<&'a str>,
    /// The keys of the instances whose objects are all created.
    new: BTreeSet<&'a str>,
}

/// Finds the instances, if each changed object belongs to one that goes or comes.
pub(super) fn find<'a>(listed: &[&Entry<'a>]) -> Option<Instances<'a>> {
    if listed.len() < MIN_OBJECTS {
        return None;
    }
    let mut instances: Option<Instances<'a>> = None;
    for entry in listed {
        let (module, key) = instance(entry.module_address)?;
        let instances = instances.get_or_insert_with(|| Instances {
            module,
            gone: BTreeSet::new(),
            new: BTreeSet::new(),
        });
        if instances.module != module {
            return None;
        }
        let keys = match entry.kind() {
            ChangeKind::Destroy => &mut instances.gone,
            ChangeKind::Create => &mut instances.new,
            ChangeKind::Update
            | ChangeKind::Replace
            | ChangeKind::ReplaceForget
            | ChangeKind::Forget
            | ChangeKind::Read
            | ChangeKind::Import
            | ChangeKind::Move
            | ChangeKind::Other => return None,
        };
        keys.insert(key);
    }
    instances.filter(|instances| instances.gone.is_disjoint(&instances.new))
}

/// Splits the address of a module instance at its first key: `module.preview["pr-1"].module.db` is `module.preview` and
/// `"pr-1"`.
fn instance(address: &str) -> Option<(&str, &str)> {
    let (module, rest) = address.split_once('[')?;
    let (key, _) = rest.split_once(']')?;
    Some((module, key))
}

impl Instances<'_> {
    /// Returns what happens in words.
    pub(super) fn words(&self) -> String {
        let named = |keys: &BTreeSet<&str>, verbs: [&str; 2]| {
            let list: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            let verb = verbs[usize::from(list.len() > 1)];
            format!("{} {verb}", first_of(&list, MAX_KEYS))
        };
        let mut parts = Vec::new();
        if !self.gone.is_empty() {
            parts.push(named(&self.gone, ["goes", "go"]));
        }
        if !self.new.is_empty() {
            parts.push(named(&self.new, ["comes", "come"]));
        }
        format!("{}: {}", self.module, parts.join(", "))
    }
}

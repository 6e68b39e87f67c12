//! `Serialize` for Diff trees: derived for most of them (`tree`), and written here where it depends on several members.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::tree::{BlockGroup, Diff, Entry, Slot};

impl Serialize for Slot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

/// Entries as an object, by key.
pub(super) fn by_key<S: Serializer>(entries: &[Entry<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|entry| (entry.key, &entry.diff)))
}

impl Serialize for BlockGroup<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.name)?;
        if self.replace {
            map.serialize_entry("replace", &true)?;
        }
        let block = |(key, diff): (Option<_>, _)| Block { key: key.filter(|_| !self.hides_key(diff)), diff };
        map.serialize_entry("blocks", &self.iter().map(block).collect::<Vec<_>>())?;
        map.end()
    }
}

/// A nested block, with its key if the nesting mode is map.
#[derive(Serialize)]
struct Block<'b> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'b str>,
    diff: &'b Diff<'b>,
}

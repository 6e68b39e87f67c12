//! Names of elements: attributes whose value identifies an element among its siblings.

use foldhash::{HashMap, HashMapExt as _};

use super::{Match, Pairer, Partner};
use crate::diff::value::{Content, MarkedValue};

/// Attributes whose value may name an element, the most reliable first.
pub const NAMES: [&str; 22] = [
    "name",
    "key",
    "id",
    "arn",
    "Sid",
    "sid",
    "Name",
    "Id",
    "Key",
    "rule_no",
    "rule_number",
    "priority",
    "device_name",
    "container_name",
    "hostname",
    "host",
    "path",
    "field",
    "description",
    "ref",
    "type",
    "port",
];

/// How many of [`NAMES`], counted from the first, suffice to pair two elements. The others only label elements
/// that were paired by similarity.
const IDENTIFYING: usize = 15;

/// The value of an attribute that may name an element: a short string or a number that is neither
/// sensitive nor unknown.
pub fn name_value<'a>(element: MarkedValue<'a>, name: &str) -> Option<MarkedValue<'a>> {
    /// The maximum length of a name, in bytes.
    const MAX_LEN: usize = 60;
    if element.is_hidden {
        return None;
    }
    let value = element.get(name).filter(|value| !value.is_hidden)?;
    let is_name = match value.as_str() {
        Some(text) => !text.is_empty() && text.len() <= MAX_LEN,
        None => matches!(value.content, Content::Number(_)),
    };
    is_name.then_some(value)
}

impl<'a> Pairer<'_, 'a> {
    /// Pairs objects by a name that is unique on each side.
    pub(super) fn pair_by_name(&mut self) {
        for name in &NAMES[..IDENTIFYING] {
            let unique = |values: &[MarkedValue<'a>], partners: &[Partner]| {
                let mut places: HashMap<MarkedValue<'a>, Option<usize>> = HashMap::new();
                for at in Self::free(partners) {
                    if let Some(value) = name_value(values[at], name) {
                        places.entry(value).and_modify(|place| *place = None).or_insert(Some(at));
                    }
                }
                places
            };
            let before = unique(self.before, &self.partner_before);
            if before.is_empty() {
                continue;
            }
            let after = unique(self.after, &self.partner_after);
            for (value, place) in before {
                if let (Some(before), Some(Some(after))) = (place, after.get(&value)) {
                    self.set(before, *after, Match::Changed);
                }
            }
        }
    }
}

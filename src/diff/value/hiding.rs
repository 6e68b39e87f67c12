//! Hides what the other side of a change hides.

use foldhash::{HashMap, HashMapExt as _};

use super::{Builder, Content, MarkedValue, Unmarked};

impl<'a> Builder<'_, 'a> {
    /// The value with every part hidden that `other` hides: at the same path, or in an equal element of a list,
    /// which may have another place. Both may be equal, so showing one would reveal the other. What the plan
    /// itself marks, and so equality, remains.
    pub fn hiding_beside(self, value: MarkedValue<'a>, other: MarkedValue<'a>) -> MarkedValue<'a> {
        self.hidden_beside(value, other).unwrap_or(value)
    }

    /// The value with more parts hidden; `None` if there are none, and it needs no copy.
    fn hidden_beside(self, value: MarkedValue<'a>, other: MarkedValue<'a>) -> Option<MarkedValue<'a>> {
        if !other.has_marks || value.is_hidden || value.is_null() {
            return None;
        }
        if other.is_hidden {
            return Some(MarkedValue { is_hidden: true, has_marks: true, ..value });
        }
        let content = if let Some(items) = value.as_array() {
            let others = other.as_array()?;
            let mut equal: HashMap<Unmarked<'a>, MarkedValue<'a>> = HashMap::new();
            for other in others.iter().filter(|other| other.has_marks) {
                equal.entry(Unmarked(*other)).or_insert(*other);
            }
            let hidden = |at: usize, item: &MarkedValue<'a>| {
                let other = equal.get(&Unmarked(*item)).or_else(|| others.get(at));
                other.and_then(|other| self.hidden_beside(*item, *other))
            };
            Content::Array(self.arena().alloc_slice_copy(&replaced(items, hidden)?))
        } else {
            let hidden = |_, (name, member): &(&'a str, MarkedValue<'a>)| {
                Some((*name, self.hidden_beside(*member, other.get(name)?)?))
            };
            Content::Object(self.arena().alloc_slice_copy(&replaced(value.as_object()?, hidden)?))
        };
        Some(MarkedValue { content, has_marks: true, ..value })
    }
}

/// The items, each replaced by what `replace` returns for it and its index; `None` if it replaces none, so that
/// nothing is copied.
pub(crate) fn replaced<T: Copy>(items: &[T], replace: impl Fn(usize, &T) -> Option<T>) -> Option<Vec<T>> {
    let (at, first) = items.iter().enumerate().find_map(|(at, item)| Some((at, replace(at, item)?)))?;
    let (same, rest) = items.split_at(at);
    let later = rest.iter().enumerate().skip(1).map(|(more, item)| replace(at + more, item).unwrap_or(*item));
    Some(same.iter().copied().chain([first]).chain(later).collect())
}

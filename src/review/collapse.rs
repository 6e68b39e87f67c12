//! The same change of several resources is one item: over `count`, `for_each`, and modules.
//!
//! Two changes are the same if they read the same, but for the key of the instance. What is hidden
//! reads the same everywhere, so secrets neither join nor part them.

use std::collections::HashMap;

use super::lines::said_of_item;
use super::{Item, Options, Review};

/// A review in which what says the same is told once.
pub fn collapse(review: Review, options: &Options) -> Review {
    Review {
        items: joined(review.items, options),
        drift: joined(review.drift, options),
        deferred: joined(review.deferred, options),
        invocations: joined(review.invocations, options),
        ..review
    }
}

/// Joins items that say the same. Each stands where the first of its kind stood.
fn joined(items: Vec<Item>, options: &Options) -> Vec<Item> {
    let mut places: HashMap<String, (usize, String)> = HashMap::new();
    let mut joined: Vec<Item> = Vec::new();
    for mut item in items {
        let address = item.addresses.first().cloned().unwrap_or_default();
        let said = said(&item, options);
        let print = format!("{:?} {} {}", item.kind, item.action, without_key(&said, &address));
        let print = if options.tree { format!("{} {print}", item.module) } else { print };
        match places.get(&print) {
            Some((place, first)) => {
                if let Some(target) = joined.get_mut(*place) {
                    target.by_key |= *first != said;
                    target.unchanged = target.unchanged.max(item.unchanged);
                    target.addresses.append(&mut item.addresses);
                }
            }
            None => {
                places.insert(print, (joined.len(), said));
                joined.push(item);
            }
        }
    }
    joined
}

/// All that is said of an item but its address.
fn said(item: &Item, options: &Options) -> String {
    let mut text = format!("{}\n{}\n", item.type_name, item.reasons.join("\n"));
    for line in said_of_item(item, options) {
        text.push_str(&format!("{}{:?}{}\n", line.depth, line.sign, line.text()));
    }
    text
}

/// `text` with the instance's key, where it stands as a word of its own, made the same for all.
fn without_key(text: &str, address: &str) -> String {
    let Some(key) = address.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map(|(_, key)| key)
    else {
        return text.to_owned();
    };
    let key = key.trim_matches('"');
    if key.is_empty() {
        return text.to_owned();
    }
    let is_word = |c: char| c.is_alphanumeric();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let (before, after) = (&rest[..at], &rest[at + key.len()..]);
        let alone = !before.chars().next_back().or_else(|| out.chars().next_back()).is_some_and(is_word)
            && !after.chars().next().is_some_and(is_word);
        out.push_str(before);
        out.push_str(if alone { "\u{1}" } else { key });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::without_key;

    #[test]
    fn a_key_is_a_word_of_its_own() {
        assert_eq!(without_key("web-1 is 10, 1", "a.b[1]"), "web-\u{1} is 10, \u{1}");
        assert_eq!(without_key("web-a \"a\" ab", "a.b[\"a\"]"), "web-\u{1} \"\u{1}\" ab");
        assert_eq!(without_key("x", "a.b"), "x");
    }
}

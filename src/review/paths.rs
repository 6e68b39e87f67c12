//! Writes paths of edits as text, with elements named by a key or by their indices, and writes many addresses in short.
//!
//! ```text
//! ingress[2].cidr_blocks[0]    env["DB_HOST"].value    3 × aws_subnet.private["a", "b", "c"]
//! ```

use std::borrow::Cow;
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::inline::inline_to;
use super::keys::split;
use crate::diff::edits::{Edit, Element, Path, Step};
use crate::text::{count, is_identifier, key, product, quote};

/// The maximum length of an element's key in brackets, in characters. Elements with a longer key are identified by
/// index.
const MAX_KEY_LEN: usize = 60;
/// The maximum length of a name in a path, in bytes.
const MAX_NAME_LEN: usize = 80;
/// The maximum number of steps of a path. Longer paths are shortened in the middle.
const MAX_STEPS: usize = 16;
/// The maximum number of names that `few_names` writes; the others are counted.
const MAX_NAMES: usize = 3;
/// The maximum length of keys that are written as a product of their parts, in bytes.
const MAX_PRODUCT_LEN: usize = 72;
/// The maximum number of keys in one address that are looked at.
const MAX_KEYS: usize = 8;

/// Returns a path as text. `base` is what it begins with: the name of an output, or nothing.
pub(crate) fn path_text(base: &str, path: Path<'_>) -> String {
    let mut text = base.to_owned();
    let steps = path.steps();
    let hidden = steps.len().saturating_sub(MAX_STEPS);
    let (first, rest) = steps.split_at(steps.len().min(MAX_STEPS / 2));
    first.iter().for_each(|step| push(&mut text, step));
    if hidden > 0 {
        text.push_str(&format!("…({})…", count(hidden, "level")));
    }
    rest.iter()
        .skip(hidden)
        .for_each(|step| push(&mut text, step));
    text
}

/// Appends a step of a path.
fn push(text: &mut String, step: &Step<'_>) {
    match step {
        Step::Name(name) => push_name(text, name),
        Step::Element(found) => text.push_str(&format!("[{}]", element(found))),
        Step::Document(format) => text.extend([":", format.name()]),
    }
}

/// Returns the path of an element that moved in its list. It has the indices of the element, even if a key identifies
/// the element.
pub(super) fn moved(base: &str, path: Path<'_>) -> String {
    let (Some(parent), Some(Step::Element(found))) = (path.parent(), path.last()) else {
        return path_text(base, path);
    };
    let places = element(&Element { key: None, ..found });
    let name = element(&found);
    let list = path_text(base, parent);
    if name == places {
        format!("{list}[{places}]")
    } else {
        format!("{list}[{name}, {places}]")
    }
}

/// Appends a name to a path: as it is at the beginning, with a dot, or in brackets if it is not an identifier.
pub(super) fn push_name(text: &mut String, name: &str) {
    let short = short_name(name);
    if text.is_empty() {
        text.push_str(&key(&short));
    } else if is_identifier(&short) {
        text.extend([".", &short]);
    } else {
        text.push_str(&format!("[{}]", quote(&short)));
    }
}

/// Shortens a long name. The number of characters left out is not counted, because many paths may contain the same long
/// name.
fn short_name(name: &str) -> Cow<'_, str> {
    if name.len() <= MAX_NAME_LEN {
        return Cow::Borrowed(name);
    }
    let end = (0..=MAX_NAME_LEN)
        .rev()
        .find(|offset| name.is_char_boundary(*offset))
        .unwrap_or_default();
    Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default()))
}

/// Returns a name as it is written in a path or an expression, shortened if it is long.
pub(crate) fn name(name: &str) -> String {
    key(&short_name(name)).into_owned()
}

/// Whether two names are equal. The comparison checks first for the same text in memory, because many paths may contain
/// the same long name.
pub(crate) fn is_same_name(name: &str, other: &str) -> bool {
    (name.len() == other.len() && std::ptr::eq(name.as_ptr(), other.as_ptr())) || name == other
}

/// Returns the text in brackets that identifies an element: its key, or its index before and after.
pub(super) fn element(element: &Element<'_>) -> String {
    if let Some(found) = element.key
        && found.name.len() <= MAX_NAME_LEN
        && let Some(text) = inline_to(found.value, usize::MAX, MAX_KEY_LEN)
    {
        return match found.value.as_str() {
            Some(_) => text,
            None => format!("{}={text}", key(found.name)),
        };
    }
    match (element.before, element.after) {
        (Some(before), Some(after)) if before != after => format!("{before} -> {after}"),
        (Some(place), _) | (None, Some(place)) => place.to_string(),
        (None, None) => String::new(),
    }
}

/// Returns the names of a path as `--ignore-attr` takes them: joined by dots, without indices. `base` is the first of
/// them, if it is not empty.
pub(super) fn names(base: &str, path: Path<'_>) -> String {
    let steps = path.steps();
    let names = steps.iter().filter_map(|step| {
        if let Step::Name(name) = step {
            Some(*name)
        } else {
            None
        }
    });
    [base]
        .into_iter()
        .chain(names)
        .skip_while(|name| name.is_empty())
        .collect::<Vec<_>>()
        .join(".")
}

/// Returns the names of a path joined by dots, without indices.
pub(crate) fn path_names(path: Path<'_>) -> String {
    names("", path)
}

/// Returns the first name of an edit's path; empty for an edit of the whole object.
pub(crate) fn root_name<'a>(edit: &Edit<'a>) -> &'a str {
    root_of(edit.path)
}

/// Returns the first name of a path; empty for an empty path or one that begins with an element.
pub(crate) fn root_of(mut path: Path<'_>) -> &str {
    while let Some(parent) = path.parent() {
        if parent.is_empty() {
            return if let Some(Step::Name(name)) = path.last() {
                name
            } else {
                ""
            };
        }
        path = parent;
    }
    ""
}

/// Returns the first distinct names and the number of the others: `vpc_id, subnet_ids, engine, +2`.
pub(crate) fn few_names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    names.dedup_by(|one, other| is_same_name(one, other));
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(*name));
    let mut text = names
        .iter()
        .take(MAX_NAMES)
        .map(|found| name(found))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MAX_NAMES {
        text.push_str(&format!(", +{}", names.len() - MAX_NAMES));
    }
    text
}

/// Returns addresses in short: `aws_subnet.s[0…39]`, `module.pool["pool-00" … "pool-11"].aws_instance.this`. Addresses
/// that differ in one key, of the resource or of a module, are joined at the position of the first; keys that follow
/// one another form a range.
pub(crate) fn compact(addresses: &[&str]) -> Vec<String> {
    compact_within(addresses, usize::MAX)
}

/// Returns addresses in short, like `compact`. If there are more than `max_keys` keys or ranges at a position, only
/// the first of them and the number of the others are written.
pub(crate) fn compact_within(addresses: &[&str], max_keys: usize) -> Vec<String> {
    let mut rows: Vec<KeyedAddress<'_>> = addresses
        .iter()
        .map(|address| KeyedAddress::parse(address))
        .collect();
    let most = rows
        .iter()
        .map(|row| row.keys.len())
        .max()
        .unwrap_or_default();
    for from_end in 1..=most {
        rows = joined(rows, from_end);
    }
    rows.iter()
        .map(|row| row.without(usize::MAX, max_keys))
        .collect()
}

/// An address, split at its instance keys.
struct KeyedAddress<'a> {
    /// The texts between the keys, one more than there are keys.
    texts: Vec<&'a str>,
    /// The keys at each position. Joined addresses have several.
    keys: Vec<Vec<AddressKey<'a>>>,
}

/// An instance key: a number, or a quoted name, which may contain a number. Keys with numbers are sorted before others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AddressKey<'a> {
    /// Whether the key has no number, which sorts it after the others.
    has_no_number: bool,
    /// The texts before and after the last number in the key.
    around: [&'a str; 2],
    /// The last number in the key; 0 if there is none.
    number: u64,
    /// The key as the address has it.
    text: &'a str,
}

impl<'a> AddressKey<'a> {
    /// Splits a key around its last number.
    fn parse(text: &'a str) -> Self {
        let is_digit = |c: char| c.is_ascii_digit();
        let (head, after) = text.split_at(text.rfind(is_digit).map_or(0, |offset| offset + 1));
        let (before, digits) = head.split_at(head.trim_end_matches(is_digit).len());
        let number = digits.parse();
        let has_no_number = number.is_err();
        Self {
            has_no_number,
            around: [before, after],
            number: number.unwrap_or_default(),
            text,
        }
    }

    /// Whether the key is the one after `other`: the next number between the same texts. Leading zeros keep the number
    /// of digits.
    fn follows(self, other: Self) -> bool {
        let [before, after] = other.around;
        let length = other.text.len() - before.len() - after.len();
        let next = other.number.saturating_add(1);
        !other.has_no_number && self.text == format!("{before}{next:0length$}{after}")
    }
}

impl<'a> KeyedAddress<'a> {
    /// Splits an address at its keys, up to `MAX_KEYS`.
    fn parse(address: &'a str) -> Self {
        let (mut texts, mut keys) = (Vec::new(), Vec::new());
        let mut rest = address;
        while keys.len() < MAX_KEYS
            && let Some((text, key, after)) = split(rest)
        {
            texts.push(text);
            keys.push(vec![AddressKey::parse(key)]);
            rest = after;
        }
        texts.push(rest);
        Self { texts, keys }
    }

    /// Returns the address with a placeholder for the keys at one position. More than `max_keys` keys at another
    /// position are counted.
    fn without(&self, key_index: usize, max_keys: usize) -> String {
        let mut out = String::new();
        for (index, text) in self.texts.iter().enumerate() {
            out.push_str(text);
            match self.keys.get(index) {
                Some(_) if index == key_index => out.push_str("[\0]"),
                Some(keys) => out.push_str(&format!("[{}]", listed(keys, max_keys))),
                None => {}
            }
        }
        out
    }
}

/// Joins addresses that differ only in the keys at one position, which is counted from the end.
fn joined(rows: Vec<KeyedAddress<'_>>, from_end: usize) -> Vec<KeyedAddress<'_>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut joined_rows: Vec<KeyedAddress<'_>> = Vec::with_capacity(rows.len());
    for mut row in rows {
        let Some(key_index) = row.keys.len().checked_sub(from_end) else {
            joined_rows.push(row);
            continue;
        };
        match places.entry(row.without(key_index, usize::MAX)) {
            Entry::Occupied(first) => {
                joined_rows[*first.get()].keys[key_index].append(&mut row.keys[key_index]);
            }
            Entry::Vacant(first) => {
                first.insert(joined_rows.len());
                joined_rows.push(row);
            }
        }
    }
    joined_rows
        .iter_mut()
        .flat_map(|row| &mut row.keys)
        .for_each(|keys| keys.sort_unstable());
    joined_rows
}

/// Returns keys in short: runs of numbers as `0…9`, and more than `max` pieces as the first (at most three) and a
/// count.
fn listed(keys: &[AddressKey<'_>], max: usize) -> String {
    let mut pieces: Vec<String> = Vec::new();
    for run in keys.chunk_by(|one, next| next.follows(*one)) {
        match run {
            [first, _, .., last] if first.around == ["", ""] => {
                pieces.push(format!("{}…{}", first.text, last.text));
            }
            [first, _, .., last] => pieces.push(format!("{} … {}", first.text, last.text)),
            few => pieces.extend(few.iter().map(|key| key.text.to_owned())),
        }
    }
    if let Some(text) = product_of_keys(&pieces) {
        return text;
    }
    if pieces.len() > max {
        let more = pieces.len() - max.min(3);
        pieces.truncate(max.min(3));
        pieces.push(format!("+{more}"));
    }
    pieces.join(", ")
}

/// Returns quoted keys as a product of their parts: `"{cart,mail}-{api,worker}"`. `None` if they are not such a
/// product, or one of them is a range.
fn product_of_keys(keys: &[String]) -> Option<String> {
    let names: Option<Vec<&str>> = keys
        .iter()
        .map(|key| {
            let name = key.strip_prefix('"')?.strip_suffix('"')?;
            (!name.contains(['"', '\\'])).then_some(name)
        })
        .collect();
    let text = product(&names?)?;
    (text.len() <= MAX_PRODUCT_LEN).then(|| format!("\"{text}\""))
}

#[cfg(test)]
mod tests;

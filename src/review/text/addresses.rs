//! Short texts for many addresses: `aws_subnet.s[0…39]`, `module.pool["pool-00" … "pool-11"].aws_instance.this`.

use std::collections::HashMap;

use crate::review::keys::split;

/// The maximum number of keys in one address that are joined.
const MAX_KEYS: usize = 8;

/// The addresses of a group in short. Addresses that differ in one key, of the resource or of a module, are joined at
/// the position of the first; keys that follow one another form a range.
pub(crate) fn compact(addresses: &[&str]) -> Vec<String> {
    let mut rows: Vec<Row<'_>> = addresses.iter().map(|address| Row::parse(address)).collect();
    let most = rows.iter().map(|row| row.keys.len()).max().unwrap_or_default();
    for from_end in 1..=most {
        rows = joined(rows, from_end);
    }
    rows.iter().map(|row| row.without(usize::MAX)).collect()
}

/// An address, or several that differ in keys.
struct Row<'a> {
    /// The texts between keys.
    texts: Vec<&'a str>,
    /// The keys at each place.
    keys: Vec<Vec<Key<'a>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Number(u64),
    /// A name that ends with a number: the text before, the text after, the number and its length.
    Numbered(&'a str, &'a str, u64, usize),
    /// Anything else, as in the address.
    Other(&'a str),
}

impl<'a> Key<'a> {
    fn parse(text: &'a str) -> Self {
        if let Ok(number) = text.parse() {
            return Self::Number(number);
        }
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        Self::numbered(inner.unwrap_or_default()).unwrap_or(Self::Other(text))
    }

    /// A name with a number at its end, or else before its end.
    fn numbered(inner: &'a str) -> Option<Self> {
        let end = inner.rfind(|c: char| c.is_ascii_digit())? + 1;
        let (head, after) = inner.split_at(end);
        let start = head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| {
            at + head.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
        let (before, digits) = head.split_at(start);
        Some(Self::Numbered(before, after, digits.parse().ok()?, digits.len()))
    }

    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Numbered(before, after, number, length) => format!("\"{before}{number:0length$}{after}\""),
            Self::Other(text) => text.to_owned(),
        }
    }

    /// Whether this key follows another.
    fn follows(self, other: Self) -> bool {
        match (self, other) {
            (Self::Number(own), Self::Number(other)) => other.checked_add(1) == Some(own),
            (Self::Numbered(before, after, own, length), Self::Numbered(prefix, suffix, other, width)) => {
                // Either all have zeros in front, or none.
                let is_padded =
                    length == width || !(starts_with_zero(own, length) || starts_with_zero(other, width));
                before == prefix && after == suffix && is_padded && other.checked_add(1) == Some(own)
            }
            _ => false,
        }
    }
}

fn starts_with_zero(number: u64, length: usize) -> bool {
    length > number.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}

impl<'a> Row<'a> {
    /// What is no key is text.
    fn parse(address: &'a str) -> Self {
        let (mut texts, mut keys) = (Vec::new(), Vec::new());
        let mut rest = address;
        while keys.len() < MAX_KEYS
            && let Some((text, key, after)) = split(rest)
        {
            texts.push(text);
            keys.push(vec![Key::parse(key)]);
            rest = after;
        }
        texts.push(rest);
        Self { texts, keys }
    }

    /// The address with a placeholder for the keys at one place.
    fn without(&self, place: usize) -> String {
        let mut out = String::new();
        for (at, text) in self.texts.iter().enumerate() {
            out.push_str(text);
            match self.keys.get(at) {
                Some(_) if at == place => out.push_str("[\0]"),
                Some(keys) => out.push_str(&format!("[{}]", listed(keys))),
                None => {}
            }
        }
        out
    }
}

/// Joins rows that differ only in the keys at a place, counted from the end.
fn joined(rows: Vec<Row<'_>>, from_end: usize) -> Vec<Row<'_>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(place) = row.keys.len().checked_sub(from_end) else {
            found.push(row);
            continue;
        };
        let at = *places.entry(row.without(place)).or_insert(found.len());
        let keys = found.get_mut(at).and_then(|first| first.keys.get_mut(place));
        match (keys, row.keys.get(place)) {
            (Some(keys), Some(own)) => keys.extend(own),
            _ => found.push(row),
        }
    }
    for keys in found.iter_mut().flat_map(|row| &mut row.keys) {
        keys.sort_unstable();
    }
    found
}

/// Keys with commas between them, of which those that follow one another form a range.
fn listed(keys: &[Key<'_>]) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(first) = keys.get(at) {
        let run = keys.get(at..).unwrap_or_default().windows(2);
        let length = 1 + run.take_while(|pair| matches!(pair, [one, next] if next.follows(*one))).count();
        let last = keys.get(at + length - 1).filter(|_| length > 2);
        match (last, first) {
            (Some(last), Key::Number(_)) => pieces.push(format!("{}…{}", first.text(), last.text())),
            (Some(last), Key::Numbered(..) | Key::Other(_)) => {
                pieces.push(format!("{} … {}", first.text(), last.text()));
            }
            (None, _) => pieces.push(first.text()),
        }
        at += if last.is_some() { length } else { 1 };
    }
    pieces.join(", ")
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn keys_in_a_row_are_a_range() {
        for (addresses, expected) in [
            (&["a.b[0]", "a.b[1]", "a.b[2]", "a.b[5]"][..], &["a.b[0…2, 5]"][..]),
            (&["a.b[0]", "a.b[1]"], &["a.b[0, 1]"]),
            (&["a.b[\"x\"]", "c.d", "a.b[\"y z\"]"], &["a.b[\"x\", \"y z\"]", "c.d"]),
            (&["module.m[0].a.b", "module.m[1].a.b", "module.m[2].a.b"], &["module.m[0…2].a.b"]),
            (&["a.b[\"x[z]\"]", "a.b[1]"], &["a.b[1, \"x[z]\"]"]),
            (
                &["a.b[\"p-08\"]", "a.b[\"p-09\"]", "a.b[\"p-10\"]", "a.b[\"p-12\"]"],
                &["a.b[\"p-08\" … \"p-10\", \"p-12\"]"],
            ),
            (&["a.b[\"8\"]", "a.b[\"10\"]", "a.b[\"9\"]"], &["a.b[\"8\" … \"10\"]"]),
            (&["a.b[\"08\"]", "a.b[\"9\"]", "a.b[\"10\"]"], &["a.b[\"08\", \"9\", \"10\"]"]),
            (
                &["module.m[\"a\"].t.n[0]", "module.m[\"b\"].t.n[0]", "module.m[\"b\"].t.n[1]"],
                &["module.m[\"a\"].t.n[0]", "module.m[\"b\"].t.n[0, 1]"],
            ),
            (&["a.b", "a.b", "a.b[", "a.b[\"x"], &["a.b", "a.b", "a.b[", "a.b[\"x"]),
        ] {
            assert_eq!(compact(addresses), expected);
        }
    }
}

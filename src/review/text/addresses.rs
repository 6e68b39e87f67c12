//! Short texts for many addresses: `aws_subnet.s[0…39]`.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The addresses of a group in short. The instances of a resource are joined, at the position of the first;
/// consecutive indices form a range.
pub(crate) fn compact(addresses: &[&str]) -> Vec<String> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<(&str, Vec<Key<'_>>)> = Vec::new();
    for address in addresses {
        let (resource, key) = split(address);
        let place = *places.entry(resource).or_insert(found.len());
        if place == found.len() {
            found.push((resource, Vec::new()));
        }
        if let Some((_, keys)) = found.get_mut(place) {
            keys.push(key);
        }
    }
    found.into_iter().flat_map(|(resource, keys)| written(resource, &keys)).collect()
}

#[derive(Clone, Copy)]
enum Key<'a> {
    None,
    Number(u64),
    Other(&'a str),
}

/// Splits the address of a resource instance into the address of the resource and the instance key.
fn split(address: &str) -> (&str, Key<'_>) {
    // A string key ends with `"]`, and may contain brackets and escaped quotes.
    let Some(inner) = address.strip_suffix(']') else { return (address, Key::None) };
    let at = if inner.ends_with('"') {
        inner.find("[\"").filter(|at| !inner[at + 2..].contains("\"]"))
    } else {
        inner.rfind('[')
    };
    let Some(at) = at else { return (address, Key::None) };
    let (resource, key) = (&inner[..at], &inner[at + 1..]);
    match key.parse() {
        Ok(number) => (resource, Key::Number(number)),
        Err(_) => (resource, Key::Other(key)),
    }
}

fn written(resource: &str, keys: &[Key<'_>]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut inner = String::new();
    let mut at = 0;
    while let Some(key) = keys.get(at) {
        let mut length = 1;
        let piece = match key {
            Key::None => {
                whole.push(resource.to_owned());
                at += 1;
                continue;
            }
            Key::Other(text) => (*text).to_owned(),
            Key::Number(first) => {
                let follows = |next: &Key<'_>, by: u64| matches!(next, Key::Number(n) if Some(*n) == first.checked_add(by));
                while keys.get(at + length).is_some_and(|next| follows(next, length as u64)) {
                    length += 1;
                }
                match length {
                    1 | 2 => {
                        length = 1;
                        first.to_string()
                    }
                    _ => format!("{first}…{}", first + length as u64 - 1),
                }
            }
        };
        if !inner.is_empty() {
            inner.push_str(", ");
        }
        // Writing to a `String` cannot fail.
        let _ = write!(inner, "{piece}");
        at += length;
    }
    if !inner.is_empty() {
        whole.push(format!("{resource}[{inner}]"));
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn indices_in_a_row_are_a_range() {
        for (addresses, expected) in [
            (&["a.b[0]", "a.b[1]", "a.b[2]", "a.b[5]"][..], &["a.b[0…2, 5]"][..]),
            (&["a.b[0]", "a.b[1]"], &["a.b[0, 1]"]),
            (&["a.b[\"x\"]", "c.d", "a.b[\"y z\"]"], &["a.b[\"x\", \"y z\"]", "c.d"]),
            (&["module.m[0].a.b", "module.m[1].a.b"], &["module.m[0].a.b", "module.m[1].a.b"]),
            (&["a.b[\"x[1]\"]", "a.b[1]"], &["a.b[\"x[1]\", 1]"]),
        ] {
            assert_eq!(compact(addresses), expected);
        }
    }
}

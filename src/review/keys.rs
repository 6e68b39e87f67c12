//! Reads the instance keys in an address: those of the modules, and that of the resource.
//!
//! Invariant: keys are read from the address as the plan writes it, and at most `MAX_KEYS` of them.
//!
//! ```text
//! module.m["a"].aws_subnet.b[0]    ["a", "0"]
//! ```

/// The maximum length of a key, in bytes. Longer keys are left out.
const MAX_LEN: usize = 256;
/// The maximum number of keys that are read from one address.
const MAX_KEYS: usize = 8;

/// Returns the instance keys of an address, from the outermost module on: `a` and `0` for `module.m["a"].t.n[0]`.
/// Quotes around a key are removed, but escapes in it stay as they are in the address.
pub(super) fn of_address(address: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    let mut rest = address;
    while keys.len() < MAX_KEYS
        && let Some((_, key, after)) = split(rest)
    {
        let key = key
            .strip_prefix('"')
            .and_then(|key| key.strip_suffix('"'))
            .unwrap_or(key);
        keys.extend(Some(key).filter(|key| (1..=MAX_LEN).contains(&key.len())));
        rest = after;
    }
    keys
}

/// Splits an address at its first key into the text before, the key without its brackets, and the text after. `None` if
/// there is no key. Keys in quotes may contain brackets and escaped quotes.
pub(super) fn split(address: &str) -> Option<(&str, &str, &str)> {
    let (text, inside) = address.split_once('[')?;
    let end = match inside.strip_prefix('"') {
        Some(quoted) => {
            let mut is_escaped = false;
            let is_end = |c: char| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            };
            quoted.find(is_end)? + 2
        }
        None => inside.find(']')?,
    };
    Some((
        text,
        inside.get(..end)?,
        inside.get(end..)?.strip_prefix(']')?,
    ))
}

/// Whether the text has this word at a byte offset, as a whole word: without a letter or digit before and after it.
pub(super) fn is_word_at(text: &str, index: usize, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text[index..].starts_with(word)
        && !is_part(text[..index].chars().next_back())
        && !is_part(text[index + word.len()..].chars().next())
}

/// Whether the text has the key at a byte offset, as a whole word. A number is a key only after the end of a name:
/// `db-0`, `data[0]`.
pub(super) fn is_key_at(text: &str, offset: usize, key: &str) -> bool {
    let is_number = key.bytes().all(|b| b.is_ascii_digit());
    let is_behind_name = || {
        let name = text[..offset].strip_suffix(['-', '_', '[']);
        name.is_some_and(|name| name.ends_with(char::is_alphabetic))
    };
    is_word_at(text, offset, key) && (!is_number || is_behind_name())
}

/// Returns a text with a placeholder instead of each key, so that texts of several instances can be compared.
pub(super) fn without(text: &str, keys: &[&str]) -> String {
    let mut text = text.to_owned();
    for key in keys {
        let (mut out, mut end) = (String::with_capacity(text.len()), 0);
        for (offset, _) in text
            .match_indices(key)
            .filter(|(offset, _)| is_key_at(&text, *offset, key))
        {
            out.extend([&text[end..offset], "\0"]);
            end = offset + key.len();
        }
        out.push_str(&text[end..]);
        text = out;
    }
    text
}

/// Whether two texts are equal except for the instance keys of their objects.
///
/// `keys_at` receives a byte offset in each text. If both texts have a key there that may differ, it returns the
/// lengths of these keys, which are then skipped.
pub(super) fn are_equal_but_for_keys(
    (first, second): (&str, &str),
    mut keys_at: impl FnMut(usize, usize) -> Option<(usize, usize)>,
) -> bool {
    let (mut a, mut b) = (0, 0);
    while a < first.len() && b < second.len() {
        if let Some((length, other)) = keys_at(a, b) {
            a += length;
            b += other;
            continue;
        }
        let (c, d) = (first[a..].chars().next(), second[b..].chars().next());
        if c != d {
            return false;
        }
        let length = c.map_or(1, char::len_utf8);
        a += length;
        b += length;
    }
    a == first.len() && b == second.len()
}

#[cfg(test)]
mod tests;

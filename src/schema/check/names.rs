//! Names: identifiers, and suggestions for misspelled names.

/// Longer names are not compared, because the cost grows with the product of the lengths.
const MAX_LEN: usize = 64;

/// The known name most similar to `name`, if one is similar enough.
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if name.is_empty() || name.len() > MAX_LEN {
        return None;
    }
    let lower = name.to_lowercase().replace('-', "_");
    let distance = |known: &str| {
        // `computed_optional_required` for `optional_required`, `map_type` for `map`.
        let contained =
            lower.len() >= 4 && known.len() >= 4 && (known.contains(&lower) || lower.contains(known));
        let distance = strsim::osa_distance(&lower, known);
        (contained || distance <= (known.len().max(lower.len()) / 3).max(1)).then_some(distance)
    };
    let known = known.into_iter().filter(|known| known.len() <= MAX_LEN);
    let near = known.filter_map(|known| distance(known).map(|distance| (distance, known)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// Whether this is a valid name of an attribute, and of what a specification declares.
pub(crate) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_');
    first && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// A hint with the valid identifier that `text` suggests; empty if there is none.
pub(super) fn identifier_hint(text: &str) -> String {
    let mut meant = String::new();
    for c in text.trim().chars() {
        match c {
            c if c.is_ascii_uppercase() => {
                if !meant.is_empty() && !meant.ends_with('_') {
                    meant.push('_');
                }
                meant.push(c.to_ascii_lowercase());
            }
            ' ' | '-' | '.' => meant.push('_'),
            c => meant.push(c),
        }
    }
    if is_identifier(&meant) { format!("did you mean {meant:?}?") } else { String::new() }
}

/// The words in backticks, separated by commas.
pub(super) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_meant_are_found() {
        let known = ["optional_required", "sensitive", "description", "custom_type", "map"];
        for (name, meant) in [
            ("sensitve", Some("sensitive")),
            ("Description", Some("description")),
            ("computed_optional_required", Some("optional_required")),
            ("custom-type", Some("custom_type")),
            ("mpa", Some("map")),
            ("validators", None),
            ("x", None),
        ] {
            assert_eq!(similar(name, known), meant, "{name}");
        }
        assert_eq!(similar(&"a".repeat(100_000), known), None);
    }

    #[test]
    fn identifiers_are_those_of_the_specification() {
        for (text, valid) in
            [("a", true), ("_a1", true), ("1a", false), ("A", false), ("", false), ("a\n", false)]
        {
            assert_eq!(is_identifier(text), valid, "{text:?}");
        }
        assert_eq!(identifier_hint("FooBar"), "did you mean \"foo_bar\"?");
        assert_eq!(identifier_hint("é"), "");
    }
}

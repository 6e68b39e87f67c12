//! Several names as one that is a product of parts: `{audit,cart}-{api,worker}` for four names.
//!
//! Invariant: a product is returned only if every combination of its parts is a name, so that the text names exactly
//! these names.

/// The signs at which names are split into parts, in the order in which they are tried.
const SEPARATORS: [char; 4] = ['/', '-', '_', '.'];

/// The maximum number of names. Comparing them takes time that grows with the square of their number.
const MAX_NAMES: usize = 64;

/// The minimum number of bytes that a product saves. A list that is hardly longer reads better.
const MIN_SAVED: usize = 8;

/// Returns names that are all combinations of their parts as one text, in which parts that differ are in braces. `None`
/// if they are not a product, or if that is hardly shorter than a list.
///
/// The names must be distinct. The parts are in the order in which they first occur.
///
/// ```text
/// data/DataEngineer, sandbox/DataEngineer    {data,sandbox}/DataEngineer
/// ```
pub fn product(names: &[&str]) -> Option<String> {
    if names.len() > MAX_NAMES {
        return None;
    }
    let list_length: usize = names.iter().map(|name| name.len() + ", ".len()).sum();
    SEPARATORS
        .into_iter()
        .find_map(|separator| joined(names, separator))
        .filter(|text| text.len() + MIN_SAVED <= list_length)
}

/// Returns names as a product of their parts at a separator; `None` if they are not one.
fn joined(names: &[&str], separator: char) -> Option<String> {
    let (first, others) = names.split_first()?;
    if others.is_empty() || names.iter().any(|name| name.contains(['{', '}', ','])) {
        return None;
    }
    let mut parts: Vec<Vec<&str>> = first.split(separator).map(|part| vec![part]).collect();
    if parts.len() < 2 {
        return None;
    }
    for name in others {
        let name_parts: Vec<&str> = name.split(separator).collect();
        if name_parts.len() != parts.len() {
            return None;
        }
        for (known, part) in parts.iter_mut().zip(name_parts) {
            if !known.contains(&part) {
                known.push(part);
            }
        }
    }
    // Distinct names of these parts are all combinations if there are as many names as combinations.
    let combinations = parts
        .iter()
        .try_fold(1_usize, |product, part| product.checked_mul(part.len()))?;
    if combinations != names.len() {
        return None;
    }
    let written: Vec<String> = parts
        .iter()
        .map(|part| match part.as_slice() {
            [only] => (*only).to_owned(),
            several => format!("{{{}}}", several.join(",")),
        })
        .collect();
    Some(written.join(&separator.to_string()))
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn all_combinations_of_parts_are_one_name() {
        for (names, expected) in [
            (
                &["data/data/Engineer", "sandbox/data/Engineer"][..],
                Some("{data,sandbox}/data/Engineer"),
            ),
            (
                &["cart-api", "cart-worker", "mail-api", "mail-worker"],
                Some("{cart,mail}-{api,worker}"),
            ),
            // One combination is missing.
            (&["cart-api", "cart-worker", "mail-api"], None),
            (&["a", "b"], None),
            (&["a-b", "a-b-c"], None),
            (&["a,b/c", "d/c"], None),
            // The list is as short.
            (&["a-b", "a-c"], None),
            (&["only/one"], None),
            (&[], None),
        ] {
            assert_eq!(product(names).as_deref(), expected, "{names:?}");
        }
    }
}

//! Compares sizes: quantities with units, and classes of machines of one family.
//!
//! ```text
//! 512Mi -> 1Gi                              larger
//! db.r6g.large -> db.r6g.xlarge             larger
//! db.r6g.large -> db.r7g.large              no order: another family
//! M30 -> M40, XSMALL -> LARGE               larger
//! ```

use std::cmp::Ordering;

/// The longest text that is read as a size, in bytes.
const MAX_LEN: usize = 64;

/// The words for sizes, from the smallest. A number before the last one counts further: `2xlarge`.
const WORDS: [&str; 7] = [
    "nano", "micro", "xsmall", "small", "medium", "large", "xlarge",
];

/// The other ways in which sizes are written.
const ALIASES: [(&str, &str); 12] = [
    ("x-small", "xsmall"),
    ("xs", "xsmall"),
    ("s", "small"),
    ("m", "medium"),
    ("l", "large"),
    ("x-large", "xlarge"),
    ("xl", "xlarge"),
    ("xxlarge", "2xlarge"),
    ("xxxlarge", "3xlarge"),
    ("2x-large", "2xlarge"),
    ("3x-large", "3xlarge"),
    ("4x-large", "4xlarge"),
];

/// Returns the order of two sizes; `None` if they have none.
pub(crate) fn compare(before: &str, after: &str) -> Option<Ordering> {
    if before.len() > MAX_LEN || after.len() > MAX_LEN || before == after {
        return None;
    }
    if let (Some(before), Some(after)) = (quantity(before), quantity(after)) {
        return before.partial_cmp(&after);
    }
    let (before, after) = (before.to_ascii_lowercase(), after.to_ascii_lowercase());
    let (family, size) = class(&before);
    let (other_family, other_size) = class(&after);
    if family != other_family {
        return None;
    }
    if let (Some(size), Some(other)) = (rank(size), rank(other_size)) {
        return Some(size.cmp(&other));
    }
    let (letters, number) = numbered(size)?;
    let (other_letters, other) = numbered(other_size)?;
    (letters == other_letters).then(|| number.cmp(&other))
}

/// Reads a number with a unit of memory, time or processors: `512Mi`, `250m`, `1.5 GB`.
pub(crate) fn quantity(text: &str) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    let factor = match unit.trim() {
        "" => 1.0,
        "m" => 0.001,
        "k" | "K" | "kB" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        "Ki" | "KiB" => 1024.0,
        "Mi" | "MiB" => 1_048_576.0,
        "Gi" | "GiB" => 1_073_741_824.0,
        "Ti" | "TiB" => 1_099_511_627_776.0,
        _ => return None,
    };
    Some(number * factor)
}

/// Splits a class of machines into its family and its size, at the last dot or underscore.
fn class(text: &str) -> (&str, &str) {
    text.rsplit_once(['.', '_']).unwrap_or(("", text))
}

/// Returns the rank of a word for a size.
fn rank(size: &str) -> Option<usize> {
    let size = ALIASES
        .iter()
        .find(|(alias, _)| *alias == size)
        .map_or(size, |(_, word)| word);
    if let Some(rank) = WORDS.iter().position(|word| *word == size) {
        return Some(rank);
    }
    let times: usize = size.strip_suffix("xlarge")?.parse().ok()?;
    Some(WORDS.len() + times)
}

/// Splits a size into letters and the number behind them: `M30`, `standard-4`.
fn numbered(size: &str) -> Option<(&str, u64)> {
    let start = size
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |last| last + 1);
    let (letters, number) = size.split_at_checked(start)?;
    Some((letters, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::compare;

    #[test]
    fn sizes_of_one_family_have_an_order() {
        for (smaller, larger) in [
            ("512Mi", "1Gi"),
            ("250m", "1"),
            ("db.r6g.large", "db.r6g.xlarge"),
            ("t3.xlarge", "t3.2xlarge"),
            ("M30", "M40"),
            ("XSMALL", "LARGE"),
            ("X-Small", "2X-Large"),
            ("n2-standard-4", "n2-standard-16"),
        ] {
            assert_eq!(
                compare(smaller, larger),
                Some(Ordering::Less),
                "{smaller} {larger}"
            );
            assert_eq!(
                compare(larger, smaller),
                Some(Ordering::Greater),
                "{larger} {smaller}"
            );
        }
    }

    #[test]
    fn sizes_of_different_families_have_none() {
        for (before, after) in [
            ("db.r6g.large", "db.r7g.large"),
            ("n2-standard-4", "e2-standard-8"),
            ("M30", "R40"),
            ("gp2", "io1"),
        ] {
            assert_eq!(compare(before, after), None, "{before} {after}");
        }
    }
}

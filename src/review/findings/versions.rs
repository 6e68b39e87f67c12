//! Compares versions of engines, charts and runtimes by their numbers.
//!
//! `16.4` is later than `16.3`, and `1.10` later than `1.9`. Texts without a number are not compared.
//!
//! ```text
//! major("16.4") -> (16, 0)    major("9.6.24") -> (9, 6)    is_earlier("1.9.0", "1.10.0") -> true
//! ```

/// Returns the major version: the first number, together with the second one if the first is below 10, because
/// databases used to count that way. `None` if there is no number.
pub(super) fn major(version: &str) -> Option<(u32, u32)> {
    let numbers = version
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let mut numbers = numbers.map(|part| part.parse().ok());
    let first = numbers.next()??;
    let second = numbers.next().flatten().filter(|_| first < 10);
    Some((first, second.unwrap_or(0)))
}

/// Splits a version into the text before its numbers, and the numbers. Returns `None` for a text that is not a plain
/// version, such as a range or a word.
///
/// `v1.2.3`, `POSTGRES_14` and `8.0.mysql_aurora.3.04.0` are versions; `~> 1.2` and `latest` are not.
fn numbers(version: &str) -> Option<(&str, Vec<u32>)> {
    let start = version.find(|c: char| c.is_ascii_digit())?;
    let (prefix, rest) = version.split_at(start);
    let is_word = prefix
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    // A build or a release candidate does not say which version is earlier.
    let rest = rest.split(['+', '-']).next().unwrap_or(rest);
    let numbers: Vec<u32> = rest
        .split(['.', '_'])
        .map_while(|part| part.parse().ok())
        .collect();
    (is_word && !numbers.is_empty()).then_some((prefix, numbers))
}

/// Whether a version comes before another one of the same line, which has the same text before its numbers.
pub(super) fn is_earlier(version: &str, other: &str) -> bool {
    let (Some((prefix, own)), Some((other_prefix, others))) = (numbers(version), numbers(other))
    else {
        return false;
    };
    // `14` and `14.9` are compared only by the numbers that both have.
    let both = own.len().min(others.len());
    prefix == other_prefix && own.get(..both) < others.get(..both)
}

#[cfg(test)]
mod tests {
    use super::is_earlier;

    #[test]
    fn an_earlier_version_is_known_only_within_its_line() {
        for (earlier, later) in [
            ("0.2.2", "1.33.1"),
            ("1.9.0", "1.10.0"),
            ("v1.2.3", "v1.2.4"),
            ("POSTGRES_14", "POSTGRES_15"),
            ("13.4", "14"),
            ("python3.8", "python3.12"),
            ("8.0.mysql_aurora.3.03", "8.1.mysql_aurora.3.04"),
        ] {
            assert!(is_earlier(earlier, later), "{earlier} {later}");
            assert!(!is_earlier(later, earlier), "{later} {earlier}");
        }
        for (one, other) in [
            ("14", "14.9"),
            ("latest", "1.2.3"),
            ("~> 1.2", "~> 1.3"),
            ("nodejs18.x", "python3.12"),
            ("MYSQL_8_0", "POSTGRES_15"),
        ] {
            assert!(
                !is_earlier(one, other) && !is_earlier(other, one),
                "{one} {other}"
            );
        }
    }
}

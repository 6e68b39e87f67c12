//! The suggestion of a known name that is similar to a typed one, for "did you mean".
//!
//! ```text
//! typed    aws_instance.wbe      computed_optinal
//! known    aws_instance.web      computed_optional
//! ```

/// The maximum length of a typed name, in bytes. Comparing longer names takes too long, and users do not type them.
const MAX_LEN: usize = 256;

/// The minimum number of characters for each edit between two similar names. One edit is also allowed in shorter names.
const CHARACTERS_PER_EDIT: usize = 3;

/// Returns the known name that is most similar to the typed one; `None` if none is similar enough.
///
/// Names are compared as `normal` writes them, so that differences that nobody means do not count. The time is that of
/// comparing the typed name with all names of similar length, for each of them proportional to the product of both
/// lengths.
pub(crate) fn most_similar<'k>(
    typed: &str,
    known: impl IntoIterator<Item = &'k str>,
    normal: impl Fn(&str) -> String,
) -> Option<&'k str> {
    let typed = normal(typed.trim());
    if typed.is_empty() || typed.len() > MAX_LEN {
        return None;
    }
    let mut nearest: Option<(usize, &str)> = None;
    for name in known {
        let compared = normal(name);
        let longest = compared.len().max(typed.len());
        let limit = (longest / CHARACTERS_PER_EDIT).max(1).min(longest - 1);
        if compared.len().abs_diff(typed.len()) > limit {
            continue;
        }
        let distance = strsim::osa_distance(&typed, &compared);
        if distance <= limit && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, name));
        }
    }
    nearest.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::most_similar;

    #[test]
    fn the_nearest_name_is_found_if_most_of_it_is_the_same() {
        let known = [
            "aws_instance.web",
            "aws_instance.web2",
            "aws_vpc.main",
            "map",
        ];
        let meant = |typed: &str| most_similar(typed, known, str::to_owned);
        assert_eq!(meant("aws_instance.wbe"), Some("aws_instance.web"));
        assert_eq!(meant(" aws_vpc.mian "), Some("aws_vpc.main"));
        assert_eq!(meant("mpa"), Some("map"));
        assert_eq!(meant("x"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"a".repeat(100_000)), None);
        let without_quotes = |name: &str| name.replace('"', "");
        assert_eq!(
            most_similar("a.b[k]", ["a.b[0]", "a.b[\"k\"]"], without_quotes),
            Some("a.b[\"k\"]")
        );
    }
}

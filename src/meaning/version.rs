//! Compares versions: of engines, runtimes, charts and container images.
//!
//! Two texts are versions of one thing if they differ in numbers alone. The first number that differs says which one
//! is later, and its position how large the step is. Texts without an order are not compared.
//!
//! ```text
//! 16.3 -> 16.4                                          newer, minor
//! nodejs18.x -> nodejs20.x                              newer, major
//! v1.18.1-eksbuild.1 -> v1.18.1-eksbuild.2              newer, build
//! ghcr.io/acme/web:1.84.0 -> ghcr.io/acme/web:1.83.2    older, minor
//! ```

use std::cmp::Ordering;

use crate::direction::{Direction, Meaning, Step};

/// The largest length of a text that is read as a version, in bytes. Image references are longer than versions.
const MAX_LEN: usize = 512;

/// The words of releases that come before the release itself: `1.2.0-rc.1` before `1.2.0`.
const EARLY: [&str; 6] = ["alpha", "beta", "rc", "pre", "preview", "dev"];

/// A part of a version between separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    /// Digits, without leading zeros.
    Number(&'t str),
    /// Anything else: letters, or the separator itself.
    Text(&'t str),
}

/// Returns what the change from one version to another means; `None` if the texts are not versions of one thing.
pub(crate) fn meaning(before: &str, after: &str) -> Option<Meaning> {
    if before.len() > MAX_LEN || after.len() > MAX_LEN {
        return None;
    }
    let (order, step) = match (image(before), image(after)) {
        (Some(before), Some(after)) => {
            if before.repository != after.repository {
                return None;
            }
            compare(before.tag?, after.tag?)?
        }
        (None, None) => compare(before, after)?,
        (Some(_), None) | (None, Some(_)) => return None,
    };
    let direction = match order {
        Ordering::Less => Direction::Newer,
        Ordering::Greater => Direction::Older,
        Ordering::Equal => return None,
    };
    Some(Meaning {
        step: Some(step),
        ..Meaning::from(direction)
    })
}

/// A reference to a container image.
struct Image<'t> {
    /// The registry and the path.
    repository: &'t str,
    /// The tag; `None` if there is none.
    tag: Option<&'t str>,
}

/// Reads a reference to a container image: `host/path:tag@digest`; `None` if the text has neither a tag nor a digest.
fn image(text: &str) -> Option<Image<'_>> {
    if text.contains("://") || text.contains(char::is_whitespace) {
        return None;
    }
    let (name, digest) = match text.split_once('@') {
        Some((name, digest)) => (name, Some(digest)),
        None => (text, None),
    };
    // A colon in the host comes before a slash: `localhost:5000/web`.
    let tagged = name.rsplit_once(':').filter(|(_, tag)| !tag.contains('/'));
    let (repository, tag) = match tagged {
        Some((repository, tag)) => (repository, Some(tag)),
        None => (name, None),
    };
    let is_reference = tag.is_some() || digest.is_some_and(|digest| digest.contains(':'));
    (is_reference && !repository.is_empty()).then_some(Image { repository, tag })
}

/// Returns the order of two versions, and the largest part in which they differ; `None` if they have no order.
fn compare(before: &str, after: &str) -> Option<(Ordering, Step)> {
    let [(before, before_build), (after, after_build)] = [before, after].map(without_build);
    let before_tokens = tokens(before);
    let after_tokens = tokens(after);
    let has_number =
        |tokens: &[Token<'_>]| tokens.iter().any(|token| matches!(token, Token::Number(_)));
    if !has_number(&before_tokens) || !has_number(&after_tokens) {
        return None;
    }
    if let Some(compared) = compare_tokens(&before_tokens, &after_tokens)? {
        return Some(compared);
    }
    let order = match (before_build, after_build) {
        ("", "") => return None,
        ("", build) if is_early(build) => Ordering::Greater,
        (build, "") if is_early(build) => Ordering::Less,
        (before, after) => compare_tokens(&tokens(before), &tokens(after))??.0,
    };
    Some((order, Step::Build))
}

/// Splits a version at the first `-` or `+` behind a number.
fn without_build(version: &str) -> (&str, &str) {
    let number = version.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let end = version
        .char_indices()
        .find(|(offset, c)| *offset > number && matches!(c, '-' | '+'))
        .map_or(version.len(), |(offset, _)| offset);
    let (main, rest) = version.split_at(end);
    (main, rest.get(1..).unwrap_or_default())
}

/// Whether the suffix of a version says that it comes before the release.
fn is_early(build: &str) -> bool {
    let word: &str = build
        .split(|c: char| !c.is_ascii_alphabetic())
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    EARLY.iter().any(|early| word.eq_ignore_ascii_case(early))
}

/// Splits a text into numbers and the texts between them.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.strip_prefix('v').unwrap_or(text);
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != is_number)
            .unwrap_or(rest.len());
        let (token, next) = rest.split_at(end);
        tokens.push(if is_number {
            Token::Number(token.trim_start_matches('0'))
        } else {
            Token::Text(token)
        });
        rest = next;
    }
    tokens
}

/// Compares tokens one by one. `None` if the versions have no order, `Some(None)` if they are equal.
fn compare_tokens(before: &[Token<'_>], after: &[Token<'_>]) -> Option<Option<(Ordering, Step)>> {
    // The position among the numbers since the last word: in `8.0.mysql_aurora.3.04.0`, both 8 and 3 are first.
    let mut position = 0;
    let mut first_difference = None;
    for index in 0..before.len().max(after.len()) {
        match (before.get(index), after.get(index)) {
            (Some(Token::Number(old)), Some(Token::Number(new))) => {
                let order = old.len().cmp(&new.len()).then_with(|| old.cmp(new));
                if order != Ordering::Equal && first_difference.is_none() {
                    let step = match position {
                        0 => Step::Major,
                        1 => Step::Minor,
                        2 => Step::Patch,
                        _ => Step::Build,
                    };
                    first_difference = Some((order, step));
                }
                position += 1;
            }
            (Some(Token::Text(old)), Some(Token::Text(new))) => {
                if old != new {
                    return None;
                }
                if old.contains(|c: char| c.is_ascii_alphabetic()) {
                    position = 0;
                }
            }
            // `14 -> 14.9` may be the same version. Behind a difference, what is missing does not matter.
            (Some(_), None) | (None, Some(_)) => {
                return first_difference.map(Some);
            }
            (Some(Token::Number(_)), Some(Token::Text(_)))
            | (Some(Token::Text(_)), Some(Token::Number(_)))
            | (None, None) => return None,
        }
    }
    Some(first_difference)
}

#[cfg(test)]
mod tests {
    use super::meaning;
    use crate::direction::{Direction, Step};

    #[test]
    fn the_first_number_that_differs_is_the_step() {
        for (before, after, step) in [
            ("16.3", "16.4", Step::Minor),
            ("15.8", "16.4", Step::Major),
            ("1.9.0", "1.10.0", Step::Minor),
            ("v1.18.1-eksbuild.1", "v1.18.2-eksbuild.1", Step::Patch),
            ("v1.18.1-eksbuild.1", "v1.18.1-eksbuild.2", Step::Build),
            ("nodejs18.x", "nodejs20.x", Step::Major),
            ("python3.8", "python3.12", Step::Minor),
            (
                "8.0.mysql_aurora.3.04.0",
                "8.0.mysql_aurora.3.05.0",
                Step::Minor,
            ),
            ("POSTGRES_14", "POSTGRES_15", Step::Major),
            ("1.2.0-rc1", "1.2.0", Step::Build),
            ("acme/web:1.2.3", "acme/web:1.2.4", Step::Patch),
            (
                "localhost:5000/web:v1",
                "localhost:5000/web:v2",
                Step::Major,
            ),
            ("web:1.2.3@sha256:aa", "web:1.3.0@sha256:bb", Step::Minor),
        ] {
            let newer = meaning(before, after).unwrap();
            assert_eq!(newer.direction(), Direction::Newer, "{before} -> {after}");
            assert_eq!(newer.step, Some(step), "{before} -> {after}");
            let older = meaning(after, before).unwrap();
            assert_eq!(older.direction(), Direction::Older, "{after} -> {before}");
            assert_eq!(older.step, Some(step), "{after} -> {before}");
        }
    }

    #[test]
    fn texts_without_an_order_are_not_compared() {
        for (before, after) in [
            ("14", "14.9"),
            ("latest", "1.2.3"),
            ("nodejs18.x", "python3.12"),
            ("acme/web:1.2.3", "acme/api:1.2.4"),
            ("acme/web@sha256:aa", "acme/web@sha256:bb"),
            ("acme/web:main", "acme/web:1.2.3"),
            ("1.2.3", "1.2.3"),
            ("", "1"),
        ] {
            assert_eq!(meaning(before, after), None, "{before} -> {after}");
        }
    }
}

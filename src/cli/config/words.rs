//! Rewrites the errors of a configuration file in the words of TOML, with a tip.
//!
//! ```text
//! invalid type: integer `1`, expected a sequence   →   `ignore` is an array, such as ["…"], and not the integer `1`
//! unknown field `adress`, expected one of …        →   unknown field `adress`; tip: did you mean `address`?
//! ```
//!
//! The library that reads the file gives its errors as texts with a few forms. A text with another form, such as one
//! about the syntax, is shown unchanged.

use crate::suggestion::most_similar;

/// A problem in a file, without its line, and a tip.
pub(super) struct Problem {
    /// The problem.
    pub(super) text: String,
    /// The tip, if one is known.
    pub(super) tip: Option<String>,
}

impl Problem {
    fn without_tip(text: String) -> Self {
        Self { text, tip: None }
    }
}

/// Returns the problem that the library has found in a file, in the words of TOML.
pub(super) fn problem(file: &str, error: &toml::de::Error) -> Problem {
    let message = error.message();
    let span = error.span().unwrap_or_default();
    let forms = [
        wrong_type(message, file, span.start).map(Problem::without_tip),
        unknown(message, "unknown field", "field"),
        unknown(message, "unknown variant", "word"),
        missing(message),
    ];
    let known = forms.into_iter().flatten().next();
    known.unwrap_or_else(|| Problem::without_tip(message.to_owned()))
}

/// Returns the key of the value that begins at an offset, and whether that value is within an array or a table of the
/// key. The key is what precedes the first `=` of the statement; `None` if there is none.
fn key(file: &str, offset: usize) -> Option<(&str, bool)> {
    let before = file.get(..offset)?;
    // The value of a key may take several lines.
    let statement = before
        .rmatch_indices('\n')
        .map(|(at, _)| &before[at + 1..])
        .chain([before])
        .find(|rest| {
            rest.split('\n')
                .next()
                .is_some_and(|line| line.contains('='))
        })?;
    let (key, rest) = statement.split_once('=')?;
    let key = key.trim();
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (!key.is_empty() && key.chars().all(is_bare)).then(|| (key, rest.contains(['[', '{'])))
}

/// Rewrites an error about a value of another type: `invalid type: integer `1`, expected a sequence`.
fn wrong_type(message: &str, file: &str, offset: usize) -> Option<String> {
    let subject = match key(file, offset) {
        Some((key, true)) => format!("a value in `{key}` is"),
        Some((key, false)) => format!("`{key}` is"),
        None => "expected".to_owned(),
    };
    if message == "wanted string or table" {
        return Some(format!("{subject} a string with one word, such as \"…\""));
    }
    let forms = ["invalid type: ", "invalid value: ", "invalid length "];
    let rest = forms.iter().find_map(|form| message.strip_prefix(form))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    // The library calls a date a map, too.
    let is_date = found == "map"
        && file
            .get(offset..)?
            .starts_with(|c: char| c.is_ascii_digit());
    let found = if is_date {
        "a date".to_owned()
    } else {
        value(found)
    };
    Some(format!("{subject} {}, and not {found}", meant(expected)))
}

/// Returns the expected type in the words of TOML, with an example.
fn meant(expected: &str) -> &str {
    match expected {
        "a sequence" => "an array, such as [\"…\"]",
        "a string" => "a string, such as \"…\"",
        "a boolean" => "a boolean, true or false",
        "a map" => "a table, such as { name = \"…\" }",
        "f64" => "a number",
        other if other.starts_with("struct ") => "a table",
        other => other,
    }
}

/// Returns the value that was found in the words of TOML.
fn value(found: &str) -> String {
    let forms = [
        ("integer ", "the integer "),
        ("floating point ", "the float "),
        ("boolean ", "the boolean "),
        ("string ", "the string "),
        ("sequence", "an array"),
        ("map", "a table"),
    ];
    let form = forms.iter().find_map(|(form, words)| {
        found
            .strip_prefix(form)
            .map(|rest| format!("{words}{rest}"))
    });
    form.unwrap_or_else(|| found.to_owned())
}

/// Rewrites an error about an unknown name: `unknown field `x`, expected one of `a`, `b``, or the same about the words
/// of a value.
fn unknown(message: &str, form: &str, noun: &str) -> Option<Problem> {
    let rest = message.strip_prefix(form)?.strip_prefix(" `")?;
    let (name, rest) = rest
        .split_once("`, expected ")
        .or_else(|| rest.split_once("`, there are no "))?;
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let normal = |name: &str| name.to_lowercase().replace('_', "-");
    let tip = match most_similar(name, known.iter().copied(), normal) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("possible {noun}s: {}", known.join(", ")),
    };
    Some(Problem {
        text: format!("unknown {noun} `{name}`"),
        tip: Some(tip),
    })
}

/// Rewrites an error about a missing name: `missing field `x``.
fn missing(message: &str) -> Option<Problem> {
    let name = message.strip_prefix("missing field `")?.strip_suffix('`')?;
    Some(Problem {
        text: format!("missing field `{name}`"),
        tip: Some(format!("add a line {name} = \"…\"")),
    })
}

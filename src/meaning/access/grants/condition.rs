//! Reads conditions that are written as expressions, as far as their implication can be told: comparisons of one
//! attribute with a constant, joined by `&&` and `||`.
//!
//! The languages are the Common Expression Language of Google and expressions like it.
//!
//! ```text
//! assertion.repository == "acme/infra"   implies   assertion.repository.startsWith("acme/")
//! a && b                                 implies   a
//! ```

use super::answer::Answer;

/// The maximum number of terms of one expression that are compared: implication compares each with each.
const MAX_TERMS: usize = 64;

/// A comparison of an attribute with constants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test<'t> {
    /// What is compared: `request.time`.
    attribute: &'t str,
    /// How it is compared.
    operator: Operator,
    /// The constants, without quotes; several for `in` only.
    values: Vec<&'t str>,
}

/// How an attribute is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    /// It is one of the values.
    Equals,
    /// It is none of the values.
    Differs,
    /// It begins with the value.
    Starts,
    /// It ends with the value.
    Ends,
    /// It contains the value.
    Contains,
    /// It is before the time or below the number; whether it may also be equal.
    Below { or_equal: bool },
    /// It is after the time or above the number; whether it may also be equal.
    Above { or_equal: bool },
}

/// Whether the expression `wide` holds wherever `narrow` holds.
pub(super) fn implied(wide: &str, narrow: &str) -> Answer {
    if same_text(wide, narrow) {
        return Answer::Yes;
    }
    let (wide, narrow) = (alternatives(wide), alternatives(narrow));
    let count = |list: &[Vec<&str>]| list.iter().map(Vec::len).sum::<usize>();
    if count(&wide) > MAX_TERMS || count(&narrow) > MAX_TERMS {
        return Answer::Unclear;
    }
    narrow.iter().fold(Answer::Yes, |all, narrow| {
        let any = wide.iter().fold(Answer::No, |any, wide| {
            let holds = wide
                .iter()
                .fold(Answer::Yes, |all, term| all.and(term_implied(term, narrow)));
            any.or(holds)
        });
        all.and(any)
    })
}

/// Whether a term holds wherever all terms of a conjunction hold.
fn term_implied(wide: &str, narrow: &[&str]) -> Answer {
    let is_known = |term: &&str| Test::parse(term).is_some();
    let answer = narrow.iter().fold(Answer::No, |any, term| {
        let answer = if same_text(wide, term) {
            Answer::Yes
        } else {
            match (Test::parse(wide), Test::parse(term)) {
                (Some(wide), Some(narrow)) => wide.holds_with(&narrow),
                _ => Answer::Unclear,
            }
        };
        any.or(answer)
    });
    if answer == Answer::No && !is_known(&wide) && !narrow.is_empty() {
        return Answer::Unclear;
    }
    answer
}

impl<'t> Test<'t> {
    /// Reads a term; `None` if it is of another form.
    fn parse(term: &'t str) -> Option<Self> {
        let methods = [
            (".startsWith(", Operator::Starts),
            (".endsWith(", Operator::Ends),
            (".contains(", Operator::Contains),
        ];
        for (method, operator) in methods {
            if let Some((attribute, rest)) = term.split_once(method) {
                let value = constant(rest.trim_end().strip_suffix(')')?)?;
                return Self::new(attribute, operator, vec![value]);
            }
        }
        // Longer operators come first, because they begin with the shorter ones.
        let operators = [
            ("==", Operator::Equals),
            ("!=", Operator::Differs),
            ("<=", Operator::Below { or_equal: true }),
            (">=", Operator::Above { or_equal: true }),
            ("<", Operator::Below { or_equal: false }),
            (">", Operator::Above { or_equal: false }),
        ];
        for (sign, operator) in operators {
            if let Some((attribute, value)) = term.split_once(sign) {
                return Self::new(attribute, operator, vec![constant(value)?]);
            }
        }
        let (attribute, list) = term.split_once(" in ")?;
        let list = list.trim().strip_prefix('[')?.strip_suffix(']')?;
        let values = list.split(',').map(constant).collect::<Option<Vec<_>>>()?;
        Self::new(attribute, Operator::Equals, values)
    }

    /// Makes a test of an attribute, which must be a name with dots, brackets and quoted keys.
    fn new(attribute: &'t str, operator: Operator, values: Vec<&'t str>) -> Option<Self> {
        let attribute = attribute.trim();
        let is_name = !attribute.is_empty()
            && attribute
                .chars()
                .all(|c| c.is_alphanumeric() || "._-/[]'\":".contains(c));
        is_name.then_some(Self {
            attribute,
            operator,
            values,
        })
    }

    /// Whether this test holds wherever the other one does. Tests of different attributes have nothing to do with each
    /// other.
    fn holds_with(&self, narrow: &Self) -> Answer {
        if self.attribute != narrow.attribute {
            return Answer::No;
        }
        if narrow.operator == Operator::Equals {
            return narrow
                .values
                .iter()
                .fold(Answer::Yes, |all, value| all.and(self.holds_for(value)));
        }
        let (Some(wide), Some(other)) = (self.values.first(), narrow.values.first()) else {
            return Answer::Unclear;
        };
        match (self.operator, narrow.operator) {
            (Operator::Starts, Operator::Starts) => Answer::of(other.starts_with(wide)),
            (Operator::Ends, Operator::Ends) => Answer::of(other.ends_with(wide)),
            (Operator::Contains, Operator::Starts | Operator::Ends | Operator::Contains) => {
                if other.contains(wide) {
                    Answer::Yes
                } else {
                    Answer::No
                }
            }
            (Operator::Below { or_equal }, Operator::Below { or_equal: also }) => {
                limit(other, wide, or_equal || !also)
            }
            (Operator::Above { or_equal }, Operator::Above { or_equal: also }) => {
                limit(wide, other, or_equal || !also)
            }
            (Operator::Differs, Operator::Starts) => Answer::of(!wide.starts_with(other)),
            (Operator::Differs, Operator::Ends) => Answer::of(!wide.ends_with(other)),
            (Operator::Differs, Operator::Differs) => Answer::of(wide == other),
            (
                Operator::Starts
                | Operator::Ends
                | Operator::Contains
                | Operator::Equals
                | Operator::Differs
                | Operator::Below { .. }
                | Operator::Above { .. },
                _,
            ) => Answer::No,
        }
    }

    /// Whether the test holds for a value.
    fn holds_for(&self, value: &str) -> Answer {
        let any = |test: &dyn Fn(&str) -> bool| Answer::of(self.values.iter().any(|v| test(v)));
        let first = self.values.first().copied().unwrap_or_default();
        match self.operator {
            Operator::Equals => any(&|wide| wide == value),
            Operator::Differs => Answer::of(!self.values.contains(&value)),
            Operator::Starts => any(&|wide| value.starts_with(wide)),
            Operator::Ends => any(&|wide| value.ends_with(wide)),
            Operator::Contains => any(&|wide| value.contains(wide)),
            Operator::Below { or_equal } => limit(value, first, or_equal),
            Operator::Above { or_equal } => limit(first, value, or_equal),
        }
    }
}

/// Whether `low` is below `high`: numbers by their size, times by their text if they are in UTC.
fn limit(low: &str, high: &str, or_equal: bool) -> Answer {
    if low == high {
        return Answer::of(or_equal);
    }
    if let (Ok(low), Ok(high)) = (low.parse::<f64>(), high.parse::<f64>()) {
        return Answer::of(low < high);
    }
    let is_time = |text: &str| text.ends_with('Z') && text.len() >= 20 && text.contains('T');
    // A fraction of a second makes times longer, and `.` sorts before `Z`.
    let trim = |text| str::trim_end_matches(text, 'Z').to_owned();
    if is_time(low) && is_time(high) {
        return Answer::of(trim(low) < trim(high));
    }
    Answer::Unclear
}

/// Returns the constant in a text: a string in quotes, a number, a bool, or a time of either.
fn constant(text: &str) -> Option<&str> {
    let text = text.trim();
    let text = text
        .strip_prefix("timestamp(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(text)
        .trim();
    for quote in ['"', '\''] {
        if let Some(rest) = text.strip_prefix(quote) {
            let inner = rest.strip_suffix(quote)?;
            return (!inner.contains([quote, '\\'])).then_some(inner);
        }
    }
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '.');
    let is_constant = text.parse::<f64>().is_ok() || matches!(text, "true" | "false");
    (is_plain && is_constant).then_some(text)
}

/// Whether two expressions are the same but for spaces outside of quotes.
fn same_text(a: &str, b: &str) -> bool {
    a == b || visible(a) == visible(b)
}

/// Returns the characters of an expression without spaces outside of quotes.
fn visible(text: &str) -> String {
    let mut quote = None;
    let mut kept = String::with_capacity(text.len());
    for c in text.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c.is_whitespace() => continue,
            None => {}
        }
        kept.push(c);
    }
    kept
}

/// Returns the alternatives of an expression, each with the terms that must all hold. What is never true is left out,
/// and what is always true is no term.
fn alternatives(text: &str) -> Vec<Vec<&str>> {
    let mut all = Vec::new();
    for part in split(unwrapped(text), "||") {
        let terms: Vec<&str> = split(unwrapped(part), "&&")
            .into_iter()
            .map(unwrapped)
            .filter(|term| !matches!(*term, "true" | ""))
            .collect();
        if !terms.contains(&"false") {
            all.push(terms);
        }
    }
    all
}

/// Returns an expression without the parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        && is_balanced(inner)
    {
        text = inner.trim();
    }
    text
}

/// Whether no parenthesis closes before it opens, as in the text between those of `(a) || (b)`.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for (_, c) in unquoted(text) {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Splits an expression at an operator outside of quotes, parentheses and brackets.
fn split<'t>(text: &'t str, operator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (index, c) in unquoted(text) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && index >= start && text[index..].starts_with(operator) => {
                parts.push(&text[start..index]);
                start = index + operator.len();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the characters outside of quotes, with their places.
fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    text.char_indices().filter(move |(_, c)| match quote {
        Some(open) => {
            if open == *c {
                quote = None;
            }
            false
        }
        None if *c == '"' || *c == '\'' => {
            quote = Some(*c);
            false
        }
        None => true,
    })
}

#[cfg(test)]
mod tests {
    use super::{Answer, implied};

    #[test]
    fn a_conjunction_implies_each_of_its_terms_but_not_the_other_way_round() {
        let (one, two) = (r#"a.b == "x""#, r#"c.startsWith("y")"#);
        let both = format!("{one} && {two}");
        assert_eq!(implied(one, &both), Answer::Yes);
        assert_eq!(implied(&both, one), Answer::No);
        assert_eq!(implied(&format!("({two}) && {one}"), &both), Answer::Yes);
        assert_eq!(implied(&format!("{one} || {two}"), one), Answer::Yes);
        assert_eq!(implied(one, &format!("{one} || {two}")), Answer::No);
    }

    #[test]
    fn comparisons_imply_weaker_comparisons_of_the_same_attribute() {
        let holds = [
            (r#"a.startsWith("x/")"#, r#"a == "x/y""#),
            (r#"a.startsWith("x")"#, r#"a.startsWith("x/")"#),
            (r#"a in ["x", "y"]"#, r#"a == 'x'"#),
            (r#"a != "z""#, r#"a == "x""#),
            (
                r#"t < timestamp("2027-01-01T00:00:00Z")"#,
                r#"t<timestamp("2026-01-01T00:00:00Z")"#,
            ),
            ("n <= 5", "n < 5"),
        ];
        for (wide, narrow) in holds {
            assert_eq!(
                implied(wide, narrow),
                Answer::Yes,
                "{narrow} implies {wide}"
            );
            assert_eq!(implied(narrow, wide), Answer::No, "{wide} implies {narrow}");
        }
    }

    #[test]
    fn what_is_not_understood_is_unclear_unless_it_is_the_same() {
        let call = r#"request.time.getHours("UTC") >= 8"#;
        assert_eq!(implied(call, call), Answer::Yes);
        assert_eq!(implied(call, r#"a == "x""#), Answer::Unclear);
        assert_eq!(implied(r#"a == "x""#, call), Answer::Unclear);
        assert_eq!(implied("true", call), Answer::Yes);
        assert_eq!(implied(call, "false"), Answer::Yes);
    }
}

//! Conditions of statements: whether one asks for at least as much as another.
//!
//! A condition holds if all of its tests do, and a test holds for any of its values; a negated one (`StringNotEquals`)
//! for none of them. What is unknown or sensitive is like nothing else.

use std::collections::{BTreeMap, HashSet};

use super::glob::{TooMuch, Work};
use super::policy::{Field, Statement, Term, Word};

/// A condition: the values by test and key.
#[derive(Debug, Default)]
pub(super) struct Condition<'a>(BTreeMap<(&'a str, String), HashSet<&'a str>>);

impl<'a> Condition<'a> {
    /// The condition of a statement; `None` if its terms do not say all of it.
    pub(super) fn new(statement: &Statement<'a>) -> Option<Self> {
        if !statement.is_whole && !statement.condition.is_null() {
            return None;
        }
        let mut tests: BTreeMap<_, HashSet<&'a str>> = BTreeMap::new();
        for term in &statement.field(Field::Condition).named {
            let Term::Condition(Some(Word::Text(test)), Some(Word::Text(key)), Word::Text(value)) = term
            else {
                return None;
            };
            // The names of keys have no case.
            tests.entry((*test, key.to_ascii_lowercase())).or_default().insert(*value);
        }
        Some(Self(tests))
    }

    /// Whether this condition holds wherever `other` does.
    pub(super) fn covers(&self, other: &Self, work: &mut Work) -> Result<bool, TooMuch> {
        for ((test, key), values) in &self.0 {
            if !other.implies(test, key, values, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a test of this condition implies the given one.
    fn implies(
        &self,
        test: &str,
        key: &str,
        values: &HashSet<&'a str>,
        work: &mut Work,
    ) -> Result<bool, TooMuch> {
        let own = |test: &'a str| self.0.get(&(test, key.to_owned()));
        for (own_test, own_key) in self.0.keys() {
            work.spend(1)?;
            let Some(own) = own(own_test).filter(|_| own_key == key) else { continue };
            if *own_test == test && test.contains("Not") {
                work.spend(values.len())?;
                return Ok(values.is_subset(own));
            }
            if *own_test != test && !(is_glob(test) && is_text(own_test)) {
                continue;
            }
            let mut are_all = true;
            for value in own {
                are_all &= values.contains(value) || is_glob(test) && any(values, value, work)?;
            }
            if are_all {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether one of these patterns matches.
fn any(globs: &HashSet<&str>, text: &str, work: &mut Work) -> Result<bool, TooMuch> {
    for glob in globs {
        if work.matches(glob, text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the values of a test are patterns.
fn is_glob(test: &str) -> bool {
    matches!(test, "StringLike" | "ArnLike" | "ArnEquals")
}

/// Whether a test asks for texts that are there.
fn is_text(test: &str) -> bool {
    is_glob(test) || test == "StringEquals"
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::access::Policies;

    fn covers(old: &str, new: &str) -> bool {
        let arena = Bump::new();
        let policies = Policies::new(&arena);
        let [old, new] = [old, new].map(|condition| {
            let text =
                format!(r#"{{"Statement": {{"Effect": "Allow", "Action": "a", "Condition": {condition}}}}}"#);
            policies.read(arena.alloc_str(&text)).unwrap()
        });
        let [old, new] = [&old, &new].map(|policy| Condition::new(&policy.statements[0]).unwrap());
        old.covers(&new, &mut Work::new()).unwrap()
    }

    #[test]
    fn a_narrower_condition_is_covered_and_a_wider_one_is_not() {
        for (wide, narrow) in [
            (r#"{"StringLike": {"sub": "repo:a/b:*"}}"#, r#"{"StringEquals": {"sub": "repo:a/b:main"}}"#),
            (
                r#"{"StringLike": {"sub": "repo:a/*"}}"#,
                r#"{"StringLike": {"sub": ["repo:a/b:*", "repo:a/c:x"]}}"#,
            ),
            (r#"{"StringEquals": {"sub": ["a", "b"]}}"#, r#"{"StringEquals": {"SUB": "b"}}"#),
            (r#"{"StringEquals": {"sub": "a"}}"#, r#"{"StringEquals": {"sub": "a", "aud": "b"}}"#),
            (r#"{"IpAddress": {"ip": ["10.0.0.0/8", "::1/128"]}}"#, r#"{"IpAddress": {"ip": "10.0.0.0/8"}}"#),
            (r#"{"StringNotEquals": {"sub": "a"}}"#, r#"{"StringNotEquals": {"sub": ["a", "b"]}}"#),
        ] {
            assert!(covers(wide, narrow), "{wide} {narrow}");
            assert!(!covers(narrow, wide), "{narrow} {wide}");
        }
        assert!(!covers(r#"{"StringEquals": {"sub": "a*"}}"#, r#"{"StringEquals": {"sub": "ab"}}"#));
    }
}

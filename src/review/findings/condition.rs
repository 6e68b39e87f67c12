//! The conditions of rules, and the lists of texts that they compare values with.
//!
//! ```text
//! List::Joined("public|internet")                 has("public") -> true
//! List::Items(["domain:*"])                       has("domain:example.com") -> true
//! ```

use serde::Deserialize;

use crate::glob;

/// Texts of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum List<'r> {
    /// With `|` between them. An empty text is an empty list.
    Joined(&'r str),
    Items(&'r [String]),
}

impl<'r> List<'r> {
    pub(super) fn iter(self) -> impl Iterator<Item = &'r str> + Clone {
        let (joined, items): (_, &[String]) = match self {
            Self::Joined(text) => (text, &[]),
            Self::Items(items) => ("", items),
        };
        let joined = joined.split('|').filter(move |_| !joined.is_empty());
        joined.chain(items.iter().map(String::as_str))
    }

    pub(super) fn is_empty(self) -> bool {
        match self {
            Self::Joined(text) => text.is_empty(),
            Self::Items(items) => items.is_empty(),
        }
    }

    /// Whether it has the value, or a glob for it.
    pub(super) fn has(self, value: &str) -> bool {
        self.iter().any(|item| match is_glob(item) {
            true => is_text(value, item),
            false => item == value,
        })
    }
}

/// A language of policies that rules read.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PolicyLanguage {
    Iam,
    Vault,
}

/// When values before and after are a finding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition<'r> {
    /// A network of the internet gets in that did not.
    AnySource,
    /// A value of the list is there that was not there before.
    Is(List<'r>),
    /// A switch is turned on.
    On,
    /// A switch is turned off.
    Off,
    /// A number becomes smaller, or is removed.
    Lower,
    /// A time becomes shorter; 0 means for ever.
    Shorter,
    Higher,
    /// A number falls below this one.
    Below(f64),
    /// A number rises above this one.
    Above(f64),
    /// A value is another one.
    Changed,
    /// An element is gone.
    Fewer,
    /// Somebody whom a message named is gone.
    Mentions,
    /// A version becomes a later major one.
    Major,
    /// A version becomes an earlier one.
    Downgrade,
    /// A number becomes smaller because the plan sets back what changed outside of it.
    Reverts,
    /// A document in OpenAPI loses the authentication of a route.
    Routes,
    /// The path leads to whom a role of `any_of` is given. Without `to`, everybody counts.
    Role {
        /// The path of the role: in the same element as the path, or in the object.
        role: &'r str,
        any_of: List<'r>,
        to: List<'r>,
    },
    /// A rule that denies is removed, or comes later.
    Deny,
    /// A value is removed.
    Gone,
    /// A list becomes empty in something that stays.
    Emptied,
    /// An element is added.
    There,
    /// From the weakest to the strongest: a value becomes a weaker one.
    Order(List<'r>),
    /// A policy grants more.
    Policy(PolicyLanguage),
    /// A number becomes 0.
    Zero,
    /// A value becomes known only after apply.
    Unknown,
}

/// A lone `*` means itself, as in a policy.
pub(super) fn is_glob(expected: &str) -> bool {
    expected.len() > 1 && expected.contains('*')
}

/// A `*` matches any characters.
pub(super) fn is_text(text: &str, expected: &str) -> bool {
    match is_glob(expected) {
        true => glob::matches(&expected.to_ascii_lowercase(), &text.to_ascii_lowercase()),
        false => text.eq_ignore_ascii_case(expected),
    }
}

//! The conditions of rules, and the lists of texts that they compare values with.
//!
//! ```text
//! List::Joined("public|internet")                 has("public") -> true
//! List::Items(["domain:*"])                       has("domain:example.com") -> true
//! ```

use serde::Deserialize;

use crate::glob;

/// A list of texts in a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum List<'r> {
    /// One text with `|` between the items. An empty text is an empty list.
    Joined(&'r str),
    /// The items, one by one.
    Items(&'r [String]),
}

impl<'r> List<'r> {
    /// Returns the items.
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

    /// Whether the list has the value, or a glob that matches it.
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
    /// IAM policies of AWS, as JSON.
    Iam,
    /// Policies of Vault, as HCL or JSON.
    Vault,
}

/// The condition of a rule: what must be true of the values at its path, before and after, for a finding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition<'r> {
    /// A network of the internet gets access that it did not have.
    AnySource,
    /// A value of the list is set that was not set before.
    Is(List<'r>),
    /// A switch is turned on: the value becomes true.
    On,
    /// A switch is turned off: the value was true, and is false or removed. In a created object, false is enough.
    Off,
    /// A number becomes smaller, or is removed.
    Lower,
    /// A time becomes shorter; 0 means forever.
    Shorter,
    /// A number becomes larger.
    Higher,
    /// A number falls below this limit. In created objects, it is below.
    Below(f64),
    /// A number rises above this limit. In created objects, it is above.
    Above(f64),
    /// A value that was set is another one, or is removed. For an exposure, a removed value does not count.
    Changed,
    /// An element of a list is removed.
    Fewer,
    /// A message no longer names somebody with `@name`.
    Mentions,
    /// A version becomes a later major one.
    Major,
    /// A version becomes an earlier one.
    Downgrade,
    /// A number becomes smaller because the plan undoes a change outside of the tool.
    Reverts,
    /// An OpenAPI document loses the authentication of a route.
    Routes,
    /// Somebody gets a role that is in `any_of` or that the rule has a name for. The path of the rule leads to those
    /// who get it.
    Role {
        /// The path of the role: in the same element as the path, or in the object.
        role: &'r str,
        /// The roles that count, as names or globs.
        any_of: List<'r>,
        /// The globs of those who count; empty for everybody.
        to: List<'r>,
    },
    /// A rule that denies is removed, switched off, or comes later.
    Deny,
    /// A value is removed or becomes empty.
    Gone,
    /// A list becomes empty in an element or block that stays.
    Emptied,
    /// An element of a list is added.
    There,
    /// A value becomes a weaker one. The list is ordered from the weakest to the strongest.
    Order(List<'r>),
    /// A policy in this language grants more.
    Policy(PolicyLanguage),
    /// A number that was not 0 becomes 0.
    Zero,
    /// A value becomes known only after apply.
    Unknown,
}

/// Whether a text of a rule is a glob. A lone `*` means itself, as in a policy.
pub(super) fn is_glob(expected: &str) -> bool {
    expected.len() > 1 && expected.contains('*')
}

/// Whether a value is a text of a rule, or matches its glob, ignoring the case of ASCII letters.
pub(super) fn is_text(text: &str, expected: &str) -> bool {
    match is_glob(expected) {
        true => glob::matches(&expected.to_ascii_lowercase(), &text.to_ascii_lowercase()),
        false => text.eq_ignore_ascii_case(expected),
    }
}

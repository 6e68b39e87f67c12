//! The conditions of rows, and the lists of texts that they compare values with.
//!
//! ```text
//! List("public␟internet")                   has("public") -> true
//! List("domain:*")                          has("domain:example.com") -> true
//! ```

use super::packed::ITEM;
use crate::glob;

/// A list of texts in a row: one text with separators between the items. An empty text is an empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct List<'r>(pub(crate) &'r str);

impl<'r> List<'r> {
    /// Returns the items.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'r str> + Clone {
        let Self(joined) = self;
        joined.split(ITEM).filter(move |_| !joined.is_empty())
    }

    /// Whether there are no items.
    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Whether the list has the value, or a glob that matches it.
    pub(crate) fn has(self, value: &str) -> bool {
        self.iter().any(|item| match is_glob(item) {
            true => is_text(value, item),
            false => item == value,
        })
    }
}

/// A language of policies that rows read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyLanguage {
    /// IAM policies of AWS, as JSON.
    Iam,
    /// Policies of Vault, as HCL or JSON.
    Vault,
}

/// The condition of a row: what must be true of the values at its path, before and after, for its graver direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Condition<'r> {
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
    /// Somebody gets a role that is in `any_of` or that the row has a name for. The path of the row leads to those who
    /// get it.
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
    /// A size with a name becomes a smaller one: `db.r6g.large` to `db.r6g.medium`.
    Smaller,
    /// Never: the row says what every change of the value is.
    Never,
}

/// Whether a text of a row is a glob. A lone `*` means itself, as in a policy.
pub(crate) fn is_glob(expected: &str) -> bool {
    expected.len() > 1 && expected.contains('*')
}

/// Whether a value is a text of a row, or matches its glob, ignoring the case of ASCII letters.
pub(crate) fn is_text(text: &str, expected: &str) -> bool {
    match is_glob(expected) {
        true => glob::matches(&expected.to_ascii_lowercase(), &text.to_ascii_lowercase()),
        false => text.eq_ignore_ascii_case(expected),
    }
}

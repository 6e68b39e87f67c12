//! Sets of words: one dimension of a grant, such as its principals or its limits.

use super::answer::Answer;
use super::order::Order;

/// A word of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word<'w> {
    /// A word that is known.
    Text(&'w str),
    /// A word that is known only after apply.
    Unknown,
    /// A word that must not be read, with the hash of its value.
    Hidden(u64),
}

/// The words of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words<'w> {
    /// All there are: no list of objects, no condition.
    Everything,
    /// Each of these words, and what it covers; without words nothing.
    Any(Vec<Word<'w>>),
    /// Only what all of these words cover; without words everything.
    All(Vec<Word<'w>>),
    /// What is known only after apply.
    Unknown,
    /// What nobody here can read: several blocks where one is expected, a document of another form.
    Unclear,
}

impl<'w> Words<'w> {
    /// Whether these words cover all of the others. Takes time proportional to the product of their numbers, so
    /// readers limit these.
    pub(super) fn cover(&self, other: &Self, order: Order) -> Answer {
        match (self, other) {
            (Self::Everything, _) => Answer::Yes,
            (Self::Unknown, _) | (_, Self::Unknown) => Answer::Unknown,
            (Self::Unclear, _) | (_, Self::Unclear) => Answer::Unclear,
            (Self::Any(wide), Self::Everything) => wide.iter().fold(Answer::No, |any, word| {
                any.or(match word {
                    Word::Text(text) => Answer::of(is_everything(text, order)),
                    Word::Unknown => Answer::Unknown,
                    Word::Hidden(_) => Answer::Unclear,
                })
            }),
            (Self::Any(wide), Self::Any(narrow)) => all_covered(narrow, wide, order, false),
            (Self::All(wide), Self::All(narrow)) => all_covered(wide, narrow, order, true),
            (Self::All(wide), Self::Everything | Self::Any(_)) => Answer::of(wide.is_empty()),
            (Self::Any(_), Self::All(narrow)) if narrow.is_empty() => {
                self.cover(&Self::Everything, order)
            }
            (Self::Any(_), Self::All(_)) => Answer::Unclear,
        }
    }

    /// Whether nothing is in the set, for certain.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Any(words) if words.is_empty())
    }

    /// Returns the words that are known.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'w str> {
        let words = match self {
            Self::Any(words) | Self::All(words) => words.as_slice(),
            Self::Everything | Self::Unknown | Self::Unclear => &[],
        };
        words.iter().filter_map(|word| match word {
            Word::Text(text) => Some(*text),
            Word::Unknown | Word::Hidden(_) => None,
        })
    }
}

/// Whether each of some words is covered by one of others; with `is_reversed`, whether each of them covers one of them.
fn all_covered(words: &[Word<'_>], by: &[Word<'_>], order: Order, is_reversed: bool) -> Answer {
    words.iter().fold(Answer::Yes, |all, word| {
        if !matches!(word, Word::Unknown) && by.contains(word) {
            return all;
        }
        let any = by.iter().fold(Answer::No, |any, other| {
            any.or(match (word, other) {
                (Word::Unknown, _) | (_, Word::Unknown) => Answer::Unknown,
                (Word::Hidden(_), _) | (_, Word::Hidden(_)) => Answer::Unclear,
                (Word::Text(word), Word::Text(other)) if is_reversed => order.covers(word, other),
                (Word::Text(word), Word::Text(other)) => order.covers(other, word),
            })
        });
        // A word that nobody knows yet may be covered by nothing that is there.
        all.and(match (word, any) {
            (Word::Unknown, Answer::No) => Answer::Unknown,
            (_, any) => any,
        })
    })
}

/// Whether a word stands for everything of its kind.
fn is_everything(text: &str, order: Order) -> bool {
    match order {
        Order::Table(table) => {
            let text = text.to_ascii_lowercase();
            table
                .iter()
                .any(|(word, covered)| *word == text && covered.contains(&"*"))
        }
        Order::Network => matches!(text, "*" | "any" | "0.0.0.0/0"),
        Order::GoogleMember => text.eq_ignore_ascii_case("allUsers"),
        Order::AccessRule => text.starts_with("everyone"),
        Order::AzureScope => matches!(text, "/" | ""),
        Order::Cel => matches!(text.trim(), "true" | ""),
        Order::Pattern | Order::PatternNoCase | Order::AwsPrincipal => text == "*",
        Order::Exact
        | Order::NoCase
        | Order::Steps(_)
        | Order::Presence
        | Order::Text
        | Order::AtMost
        | Order::AtLeast
        | Order::GoogleRole
        | Order::AzureRole
        | Order::Path => false,
    }
}

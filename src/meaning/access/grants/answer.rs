//! The answer to the question whether one side of a grant covers the other.

/// Whether something covers something else: all that the other lets happen, it lets happen, too.
///
/// The variants are in the order in which they prevail where all of several questions must be answered by yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Answer {
    /// It does not, whatever is not known here.
    No,
    /// What is known only after apply decides.
    Unknown,
    /// Nobody here can tell: a condition in a language that is not understood, a group whose members are not known.
    Unclear,
    /// It does.
    Yes,
}

impl Answer {
    /// Returns the answer of a test that decides.
    pub(super) fn of(covers: bool) -> Self {
        if covers { Self::Yes } else { Self::No }
    }

    /// Returns the answer where both questions must be answered by yes.
    pub(super) fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Returns the answer where one of the two is enough.
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::Yes || other == Self::Yes {
            return Self::Yes;
        }
        // Of two that do not say yes, the one that may still become a yes prevails.
        match (self, other) {
            (Self::No, answer) | (answer, Self::No) => answer,
            _ => self.min(other),
        }
    }
}

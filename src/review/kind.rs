//! The kinds of changes, with their names and signs.
//!
//! ```text
//! ["delete", "create"]           Replace, `-/+`, is replaced
//! ["no-op"] with an import       Import, `&`, is imported
//! ["forget"]                     Forget, `.`
//! ```
//!
//! Invariant: the order of [`ChangeKind`] is the order of risk, in which entries are sorted.

use strum::VariantArray;

use crate::model::Action;
use crate::report::Tone;

/// The kind of change to a resource, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The object is destroyed.
    Destroy,
    /// The object is destroyed and created again.
    Replace,
    /// A new object is created. The old one is forgotten, but not destroyed.
    ReplaceForget,
    /// The object is forgotten: removed from the state without being destroyed.
    Forget,
    /// An unknown action.
    Other,
    /// The object is changed in place.
    Update,
    /// The object is created.
    Create,
    /// The data source is read during apply.
    Read,
    /// The object is imported without other changes.
    Import,
    /// The object is moved to another address without other changes.
    Move,
}

/// The names and the sign of a kind.
struct Naming {
    /// The word in filters, gates and JSON.
    word: &'static str,
    /// The phrase in the verdict, after a number.
    verdict: &'static str,
    /// The phrase in the title of an entry, after an address.
    phrase: &'static str,
    /// The sign in front of an address.
    symbol: &'static str,
    /// The tone of the sign, which decides its color.
    tone: Tone,
}

impl ChangeKind {
    /// All kinds, in order of risk.
    pub const ALL: [Self; 10] = *Self::VARIANTS.as_array().expect("the number of variants");

    /// Returns the kind of an action on an object that may also be imported or moved. For several possible actions, the
    /// worst decides.
    pub(crate) fn from_action(action: &Action, is_imported: bool, is_moved: bool) -> Self {
        match action.worst_case() {
            Action::NoOp if is_imported => Self::Import,
            Action::NoOp if is_moved => Self::Move,
            Action::Delete => Self::Destroy,
            Action::DeleteThenCreate | Action::CreateThenDelete => Self::Replace,
            Action::ForgetThenCreate | Action::CreateThenForget => Self::ReplaceForget,
            Action::Forget => Self::Forget,
            Action::Update => Self::Update,
            Action::Create => Self::Create,
            Action::Read => Self::Read,
            Action::NoOp | Action::Open | Action::Unknown(_) => Self::Other,
        }
    }

    /// Returns the names and the sign of a kind. All are in one place, so that a new kind has all of them.
    fn naming(self) -> Naming {
        match self {
            Self::Destroy => Naming {
                word: "destroy",
                verdict: "to destroy",
                phrase: "is destroyed",
                symbol: "-",
                tone: Tone::Alert,
            },
            Self::Replace => Naming {
                word: "replace",
                verdict: "to replace",
                phrase: "is replaced",
                symbol: "-/+",
                tone: Tone::Alert,
            },
            Self::ReplaceForget => Naming {
                word: "replace-forget",
                verdict: "to replace without destroying",
                phrase: "is replaced; the object before stays, forgotten",
                symbol: "./+",
                tone: Tone::Changed,
            },
            Self::Forget => Naming {
                word: "forget",
                verdict: "to forget",
                phrase: "is forgotten: the object stays",
                symbol: ".",
                tone: Tone::Changed,
            },
            Self::Other => Naming {
                word: "other",
                verdict: "of unknown actions",
                phrase: "has an action that tfview does not know",
                symbol: "?",
                tone: Tone::Changed,
            },
            Self::Update => Naming {
                word: "update",
                verdict: "to change",
                phrase: "changes",
                symbol: "~",
                tone: Tone::Changed,
            },
            Self::Create => Naming {
                word: "create",
                verdict: "to create",
                phrase: "is created",
                symbol: "+",
                tone: Tone::Added,
            },
            Self::Read => Naming {
                word: "read",
                verdict: "to read",
                phrase: "is read during apply",
                symbol: "<=",
                tone: Tone::Muted,
            },
            Self::Import => Naming {
                word: "import",
                verdict: "to import",
                phrase: "is imported",
                symbol: "&",
                tone: Tone::Muted,
            },
            Self::Move => Naming {
                word: "move",
                verdict: "to move",
                phrase: "moves (state only)",
                symbol: ">",
                tone: Tone::Muted,
            },
        }
    }

    /// Returns the word in filters, gates and JSON.
    pub fn word(self) -> &'static str {
        self.naming().word
    }

    /// Returns the kind with this word; `None` if there is none. `delete`, `change` and `add` are also known.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "delete" => Self::Destroy,
            "change" => Self::Update,
            "add" => Self::Create,
            _ => return Self::ALL.into_iter().find(|kind| kind.word() == word),
        })
    }

    /// Returns the phrase in the verdict, after a number.
    pub fn verdict(self) -> &'static str {
        self.naming().verdict
    }

    /// Returns the phrase in the title of an entry, after an address.
    pub fn phrase(self) -> &'static str {
        self.naming().phrase
    }

    /// Returns the sign in front of an address.
    pub fn symbol(self) -> &'static str {
        self.naming().symbol
    }

    /// Returns the tone of the sign.
    pub(super) fn tone(self) -> Tone {
        self.naming().tone
    }

    /// Whether another object replaces the current one.
    pub(super) fn is_replacement(self) -> bool {
        matches!(self, Self::Replace | Self::ReplaceForget)
    }

    /// Whether the object is destroyed, which nothing can undo.
    pub(crate) fn is_irreversible(self) -> bool {
        matches!(self, Self::Destroy | Self::Replace)
    }
}

/// Returns the reason why an action does not count as a change; `None` if it counts. Ephemeral objects are opened
/// during the run and never stored, and removing a data source from the state destroys nothing.
pub(crate) fn unlisted(mode: &str, action: &Action) -> Option<&'static str> {
    match (mode, action) {
        ("ephemeral", Action::Open | Action::Read | Action::NoOp | Action::Create) => {
            Some("ephemeral: opened during the run, never stored")
        }
        ("data", Action::Delete) => Some("data: leaves the state, nothing is destroyed"),
        _ => None,
    }
}

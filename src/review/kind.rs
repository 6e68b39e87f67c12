//! The kinds of changes to resources, in order of risk.

use super::entry::Entry;
use crate::model::Action;
use crate::report::Tone;

/// The kind of change to a resource, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl ChangeKind {
    /// All kinds, in order of risk.
    pub const ALL: [Self; 10] = [
        Self::Destroy,
        Self::Replace,
        Self::ReplaceForget,
        Self::Forget,
        Self::Other,
        Self::Update,
        Self::Create,
        Self::Read,
        Self::Import,
        Self::Move,
    ];

    /// The kind of an entry.
    pub fn from_entry(entry: &Entry<'_>) -> Self {
        Self::from_action(&entry.action, entry.importing.is_some(), entry.is_moved())
    }

    /// Whether an entry counts for this kind. Imports and moves include those with other changes.
    pub fn includes(self, entry: &Entry<'_>) -> bool {
        match self {
            Self::Import => entry.importing.is_some(),
            Self::Move => entry.is_moved(),
            Self::Destroy
            | Self::Replace
            | Self::ReplaceForget
            | Self::Forget
            | Self::Other
            | Self::Update
            | Self::Create
            | Self::Read => Self::from_entry(entry) == self,
        }
    }

    /// The kind of an action on an object that may also be imported or moved.
    pub fn from_action(action: &Action, is_imported: bool, is_moved: bool) -> Self {
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

    /// The word in filters, gates and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Destroy => "destroy",
            Self::Replace => "replace",
            Self::ReplaceForget => "replace-forget",
            Self::Forget => "forget",
            Self::Other => "other",
            Self::Update => "update",
            Self::Create => "create",
            Self::Read => "read",
            Self::Import => "import",
            Self::Move => "move",
        }
    }

    /// The kind with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "delete" => Self::Destroy,
            "change" => Self::Update,
            "add" => Self::Create,
            _ => return Self::ALL.into_iter().find(|kind| kind.word() == word),
        })
    }

    /// The words in the verdict.
    pub fn verdict(self) -> &'static str {
        match self {
            Self::Destroy => "to destroy",
            Self::Replace => "to replace",
            Self::ReplaceForget => "to replace without destroying",
            Self::Forget => "to forget",
            Self::Other => "of unknown actions",
            Self::Update => "to change",
            Self::Create => "to create",
            Self::Read => "to read",
            Self::Import => "to import",
            Self::Move => "to move",
        }
    }

    /// The words in the title of an entry.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Destroy => "is destroyed",
            Self::Replace => "is replaced",
            Self::ReplaceForget => "is replaced; the object before stays, forgotten",
            Self::Forget => "is forgotten: the object stays",
            Self::Other => "has an action that tfview does not know",
            Self::Update => "changes",
            Self::Create => "is created",
            Self::Read => "is read during apply",
            Self::Import => "is imported",
            Self::Move => "moves (state only)",
        }
    }

    /// The symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Destroy => "-",
            Self::Replace => "-/+",
            Self::ReplaceForget => "./+",
            Self::Forget => ".",
            Self::Other => "?",
            Self::Update => "~",
            Self::Create => "+",
            Self::Read => "<=",
            Self::Import => "&",
            Self::Move => ">",
        }
    }

    /// The role of its text.
    pub(crate) fn tone(self) -> Tone {
        match self {
            Self::Destroy | Self::Replace => Tone::Alert,
            Self::ReplaceForget | Self::Forget | Self::Other | Self::Update => Tone::Changed,
            Self::Create => Tone::Added,
            Self::Read | Self::Import | Self::Move => Tone::Muted,
        }
    }

    /// Whether an existing object is destroyed.
    pub fn is_irreversible(self) -> bool {
        matches!(self, Self::Destroy | Self::Replace)
    }
}

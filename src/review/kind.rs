//! What happens to a resource, in order of risk.

use super::entry::Entry;
use super::lines::Tone;
use crate::model::Action;

/// What happens to a resource, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It is destroyed.
    Destroy,
    /// It is destroyed and made anew.
    Replace,
    /// It is made anew; the object before is kept, but forgotten.
    ReplaceForget,
    /// It is forgotten: the object stays, the state loses it.
    Forget,
    /// Something that this version has no word for.
    Other,
    /// It is changed in place.
    Update,
    /// It is created.
    Create,
    /// It is read during apply.
    Read,
    /// It is imported, and stays as it is.
    Import,
    /// It gets another address, and stays as it is.
    Move,
}

impl Kind {
    /// All, in order of risk.
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

    /// What an entry does. An action that is not known counts as the gravest that its words can mean.
    pub fn of_entry(entry: &Entry<'_>) -> Self {
        Self::of_action(&entry.action, entry.importing.is_some(), entry.is_moved())
    }

    /// What an action does to an object that may be imported or moved by it.
    pub fn of_action(action: &Action, is_imported: bool, is_moved: bool) -> Self {
        match &action.worst_case() {
            Action::NoOp if is_imported => Self::Import,
            Action::NoOp if is_moved => Self::Move,
            Action::Delete => Self::Destroy,
            Action::DeleteThenCreate | Action::CreateThenDelete => Self::Replace,
            Action::ForgetThenCreate | Action::CreateThenForget => Self::ReplaceForget,
            Action::Forget => Self::Forget,
            Action::Update => Self::Update,
            Action::Create => Self::Create,
            Action::Read => Self::Read,
            // What is unknown counts as the gravest that it may be.
            Action::Unknown(words)
                if words.split(',').any(|word| word.trim().eq_ignore_ascii_case("delete")) =>
            {
                Self::Destroy
            }
            Action::NoOp | Action::Open | Action::Unknown(_) => Self::Other,
        }
    }

    /// The word that filters, gates and JSON use.
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

    /// The kind that a typed word means.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "delete" => Self::Destroy,
            "change" => Self::Update,
            "add" => Self::Create,
            _ => return Self::ALL.into_iter().find(|kind| kind.word() == word),
        })
    }

    /// What the verdict says of it.
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

    /// What its header says.
    pub fn says(self) -> &'static str {
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

    /// Its symbol.
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

    /// How it is coloured.
    pub(crate) fn tone(self) -> Tone {
        match self {
            Self::Destroy | Self::Replace => Tone::Alert,
            Self::ReplaceForget | Self::Forget | Self::Other | Self::Update => Tone::Changed,
            Self::Create => Tone::Added,
            Self::Read | Self::Import | Self::Move => Tone::Muted,
        }
    }

    /// Whether an object that exists is gone afterwards.
    pub fn is_irreversible(self) -> bool {
        matches!(self, Self::Destroy | Self::Replace)
    }
}

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

/// The word, the words in the verdict and in a title, the symbol, and the role of the text.
#[derive(Clone, Copy)]
struct Row(&'static str, &'static str, &'static str, &'static str, Tone);

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
        self == Self::from_entry(entry)
            || self == Self::Import && entry.importing.is_some()
            || self == Self::Move && entry.is_moved()
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

    /// The words and the symbol of each kind, in order of risk.
    const ROWS: [Row; 10] = [
        Row("destroy", "to destroy", "is destroyed", "-", Tone::Alert),
        Row("replace", "to replace", "is replaced", "-/+", Tone::Alert),
        Row(
            "replace-forget",
            "to replace without destroying",
            "is replaced; the object before stays, forgotten",
            "./+",
            Tone::Changed,
        ),
        Row("forget", "to forget", "is forgotten: the object stays", ".", Tone::Changed),
        Row("other", "of unknown actions", "has an action that tfview does not know", "?", Tone::Changed),
        Row("update", "to change", "changes", "~", Tone::Changed),
        Row("create", "to create", "is created", "+", Tone::Added),
        Row("read", "to read", "is read during apply", "<=", Tone::Muted),
        Row("import", "to import", "is imported", "&", Tone::Muted),
        Row("move", "to move", "moves (state only)", ">", Tone::Muted),
    ];

    fn row(self) -> Row {
        Self::ROWS[self as usize]
    }

    /// The word in filters, gates and JSON.
    pub fn word(self) -> &'static str {
        self.row().0
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
        self.row().1
    }

    /// The words in the title of an entry.
    pub fn phrase(self) -> &'static str {
        self.row().2
    }

    /// The symbol.
    pub fn symbol(self) -> &'static str {
        self.row().3
    }

    /// The role of its text.
    pub(crate) fn tone(self) -> Tone {
        self.row().4
    }

    /// Whether an object is destroyed or forgotten, and another one is created in its place.
    pub(super) fn is_replacement(self) -> bool {
        matches!(self, Self::Replace | Self::ReplaceForget)
    }

    /// Whether an existing object is destroyed.
    pub fn is_irreversible(self) -> bool {
        matches!(self, Self::Destroy | Self::Replace)
    }
}

//! The small parts of a document: levels, lines of text with roles, and how each edit is shown.
//!
//! ```text
//! Line { depth: 1, sign: Add, spans: ["tags.Stage = prod"], mark: None }       + tags.Stage = prod
//! ```

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

/// How severe a finding or a plan is.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Deserialize,
    IntoStaticStr,
    VariantArray,
)]
/// How grave a finding, an entry or a plan is.
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// Nothing changes.
    #[default]
    #[serde(skip)]
    None,
    /// To know, but not to check.
    Notice,
    /// To check.
    Warning,
    /// Data, access or a service that cannot be given back.
    Critical,
}

impl Level {
    /// All levels, the least severe first.
    pub const ALL: [Self; 4] = *Self::VARIANTS.as_array().expect("the number of variants");

    /// The levels of findings, the least severe first.
    pub fn of_findings() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| *level != Self::None)
    }

    /// Returns the level below. A finding is at least a notice.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Notice | Self::Warning => Self::Notice,
            Self::Critical => Self::Warning,
        }
    }

    /// The word of a verdict.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "No changes",
            Self::Notice => "NOTICE",
            Self::Warning => "WARNING",
            Self::Critical => "CRITICAL",
        }
    }

    /// The sign of a verdict.
    pub fn sign(self) -> &'static str {
        match self {
            Self::None => "✓",
            Self::Notice => "~",
            Self::Warning => "!",
            Self::Critical => "!!",
        }
    }

    /// The name in the JSON and in rules.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What happens to what a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// It is added.
    Add,
    /// It is removed.
    Remove,
    /// It has another value.
    Change,
    /// It stays the same.
    Same,
    /// A remark by tfview.
    Note,
}

/// The role of a piece of text. Each writer decides how it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary text.
    #[default]
    Plain,
    /// Less important than the text around it.
    Muted,
    /// A value after the change.
    Added,
    /// A value before the change.
    Removed,
    /// What changes, or a value that is neither before nor after.
    Changed,
    /// The part of a text that is added.
    AddedWord,
    /// The part of a text that is removed.
    RemovedWord,
    /// What a reviewer must not miss.
    Alert,
}

/// A piece of a line with one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, which a writer escapes for its reader.
    pub text: String,
    /// How the text looks.
    pub tone: Tone,
}

impl Span {
    /// Makes a piece of text with a tone.
    pub fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone,
        }
    }
}

/// The findings that are said by a line or a title: the level of the gravest, and the kinds of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The level of the gravest finding; [`Level::None`] if there are no findings.
    pub level: Level,
    /// Each once, the most severe first.
    pub kinds: Vec<&'static str>,
}

impl Mark {
    /// Makes the mark of one finding.
    pub fn new(level: Level, kind: &'static str) -> Self {
        Self {
            level,
            kinds: vec![kind],
        }
    }

    /// Adds the findings of another mark.
    pub fn add(&mut self, other: &Self) {
        self.level = self.level.max(other.level);
        for kind in &other.kinds {
            if !self.kinds.contains(kind) {
                self.kinds.push(kind);
            }
        }
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.level == Level::None
    }

    /// The sign in the margin, of two columns.
    pub(super) fn margin(&self) -> &'static str {
        match self.level {
            Level::Critical => "!!",
            Level::Warning => " !",
            Level::Notice => " ·",
            Level::None => "  ",
        }
    }

    /// The kinds at the right end of the line.
    pub fn words(&self) -> String {
        self.kinds.join(", ")
    }
}

/// A line of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// In steps of two columns.
    pub depth: usize,
    /// Whether the line is about something added, removed or changed.
    pub sign: Sign,
    /// Its text in pieces, each with its own tone.
    pub spans: Vec<Span>,
    /// The findings that the line says. Few of very many lines say any.
    mark: Option<Box<Mark>>,
}

impl Line {
    /// Makes a line whose text has one tone.
    pub fn new(depth: usize, sign: Sign, text: impl Into<String>, tone: Tone) -> Self {
        Self::of(depth, sign, vec![Span::new(text, tone)])
    }

    /// Makes a line of pieces.
    pub fn of(depth: usize, sign: Sign, spans: Vec<Span>) -> Self {
        Self {
            depth,
            sign,
            spans,
            mark: None,
        }
    }

    /// The findings that the line says.
    pub fn mark(&self) -> &Mark {
        static NONE: Mark = Mark {
            level: Level::None,
            kinds: Vec::new(),
        };
        self.mark.as_deref().unwrap_or(&NONE)
    }

    /// Lets the line say the findings of `mark` too.
    pub fn add_mark(&mut self, mark: &Mark) {
        if !mark.is_empty() {
            self.mark.get_or_insert_default().add(mark);
        }
    }

    /// Returns the line with the findings of `mark` added.
    #[must_use]
    pub fn marked(mut self, mark: &Mark) -> Self {
        self.add_mark(mark);
        self
    }

    /// Makes a muted line that is about the others, and no edit itself.
    pub fn note(depth: usize, text: impl Into<String>) -> Self {
        Self::new(depth, Sign::Note, text, Tone::Muted)
    }

    /// Returns the text without tones, and without sign and depth.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// How a document shows an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Sensitive values, and those that do not fit, are not shown in full.
    InFull,
    /// Its path is named.
    Named,
    /// It is counted with others.
    Counted,
}

/// The lists of changes in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray)]
pub enum SectionKind {
    /// The planned changes of resources.
    #[default]
    Resources,
    /// What changed outside of the tool.
    Drift,
    /// Changes that are deferred to a later plan.
    Deferred,
    /// Actions to invoke.
    Invocations,
    /// Actions whose invocation is deferred to a later plan.
    DeferredInvocations,
    /// Outputs that change.
    Outputs,
}

impl SectionKind {
    /// All lists, in the order of a plan.
    pub const ALL: [Self; 6] = *Self::VARIANTS.as_array().expect("the number of variants");
}

/// How a document shows an entry and each of its edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryAccount {
    /// How the entry itself is shown; `None` if it was not recorded.
    pub entry: Option<Shown>,
    /// How each edit is shown, by its index; `None` for those that were not recorded.
    pub edits: Vec<Option<Shown>>,
}

/// How a document shows the changes of one plan. It is recorded while the document is built, and corrected
/// when a writer shortens an entry. Edits without a record are counted at the end, so that no change is
/// omitted silently.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    lists: [Vec<EntryAccount>; 6],
}

impl Coverage {
    /// Makes a record without any mention yet. `edits` are the numbers of edits of the entries of each list, by
    /// [`SectionKind`].
    pub fn new(edits: [Vec<usize>; 6]) -> Self {
        let account = |count| EntryAccount {
            entry: None,
            edits: vec![None; count],
        };
        Self {
            lists: edits.map(|list| list.into_iter().map(account).collect()),
        }
    }

    pub(crate) fn record(&mut self, list: SectionKind, index: usize, shown: &[Option<Shown>]) {
        if let Some(account) = self.account_mut(list, index) {
            account.entry = Some(Shown::InFull);
            for (edit, how) in account.edits.iter_mut().zip(shown) {
                *edit = *how;
            }
        }
    }

    pub(crate) fn count(&mut self, list: SectionKind, index: usize) {
        if let Some(account) = self.account_mut(list, index) {
            account.entry = Some(Shown::Counted);
            account
                .edits
                .iter_mut()
                .for_each(|edit| *edit = Some(Shown::Counted));
        }
    }

    /// Returns how each entry of a list is shown.
    pub fn accounts(&self, list: SectionKind) -> &[EntryAccount] {
        self.lists.get(list as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns how many changes were not recorded: the edits, and the entries themselves if nothing of them is
    /// recorded.
    pub fn unreported(&self) -> usize {
        let unreported = |account: &EntryAccount| match account.entry {
            None => account.edits.len().max(1),
            Some(_) => account.edits.iter().filter(|edit| edit.is_none()).count(),
        };
        self.lists.iter().flatten().map(unreported).sum()
    }

    fn account_mut(&mut self, list: SectionKind, index: usize) -> Option<&mut EntryAccount> {
        self.lists.get_mut(list as usize)?.get_mut(index)
    }
}

//! The small parts of a document: levels, lines of text with tones, and the record of how each edit is shown.
//!
//! ```text
//! Line { depth: 1, sign: Add, spans: ["tags.Stage = prod"], mark: None }       + tags.Stage = prod
//! ```

use serde::Deserialize;
use strum::{IntoStaticStr, VariantArray};

/// The gravity of a finding, an entry or a plan, from the least to the most grave.
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
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    /// No findings. Nothing changes, if it is the level of a plan.
    #[default]
    #[serde(skip)]
    None,
    /// Something to know, but not to check.
    Notice,
    /// Something to check.
    Warning,
    /// A loss of data, access or a service that cannot be undone.
    Critical,
}

impl Level {
    /// All levels, from the least to the most grave.
    pub const ALL: [Self; 4] = *Self::VARIANTS.as_array().expect("the number of variants");

    /// Returns the levels that findings can have, from the least to the most grave.
    pub fn of_findings() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| *level != Self::None)
    }

    /// Returns the next lower level, but not lower than a notice. `None` stays as it is.
    #[must_use]
    pub fn lowered(self) -> Self {
        match self {
            Self::None => Self::None,
            Self::Notice | Self::Warning => Self::Notice,
            Self::Critical => Self::Warning,
        }
    }

    /// Returns the word for the level in a verdict.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "No changes",
            Self::Notice => "NOTICE",
            Self::Warning => "WARNING",
            Self::Critical => "CRITICAL",
        }
    }

    /// Returns the sign of the level in a verdict.
    pub fn sign(self) -> &'static str {
        match self {
            Self::None => "✓",
            Self::Notice => "~",
            Self::Warning => "!",
            Self::Critical => "!!",
        }
    }

    /// Returns the name of the level in the JSON and in rules.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The change that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Something is added.
    Add,
    /// Something is removed.
    Remove,
    /// Something has another value.
    Change,
    /// Something stays the same.
    Same,
    /// The line is a remark by tfview.
    Note,
}

/// The role of a piece of text. Each writer decides how the role looks.
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
    /// Something that changes, or a value that is neither before nor after.
    Changed,
    /// The part of a text that is added.
    AddedWord,
    /// The part of a text that is removed.
    RemovedWord,
    /// Something that a reviewer must not miss.
    Alert,
}

/// A piece of a line with one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text, which a writer escapes for its reader.
    pub text: String,
    /// The role of the text.
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

/// The findings that a line or a title mentions: the level of the gravest, and the kinds of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The level of the gravest finding; [`Level::None`] if there are no findings.
    pub level: Level,
    /// The kinds of the findings, each once, the most severe first.
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

    /// Returns the sign in the margin, which has two columns.
    pub(super) fn margin(&self) -> &'static str {
        match self.level {
            Level::Critical => "!!",
            Level::Warning => " !",
            Level::Notice => " ·",
            Level::None => "  ",
        }
    }

    /// Returns the kinds of the findings, separated by commas, for the right end of the line.
    pub fn words(&self) -> String {
        self.kinds.join(", ")
    }
}

/// A line of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The indentation, in steps of two columns.
    pub depth: usize,
    /// The change that the line is about.
    pub sign: Sign,
    /// The text in pieces, each with its tone.
    pub spans: Vec<Span>,
    /// The findings that the line mentions. It is boxed because few of very many lines have any.
    mark: Option<Box<Mark>>,
}

impl Line {
    /// Makes a line whose text has one tone.
    pub fn new(depth: usize, sign: Sign, text: impl Into<String>, tone: Tone) -> Self {
        Self::of(depth, sign, vec![Span::new(text, tone)])
    }

    /// Makes a line of several pieces.
    pub fn of(depth: usize, sign: Sign, spans: Vec<Span>) -> Self {
        Self {
            depth,
            sign,
            spans,
            mark: None,
        }
    }

    /// Returns the findings that the line mentions.
    pub fn mark(&self) -> &Mark {
        /// The mark of a line without findings.
        static NONE: Mark = Mark {
            level: Level::None,
            kinds: Vec::new(),
        };
        self.mark.as_deref().unwrap_or(&NONE)
    }

    /// Adds the findings of `mark` to the line.
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

    /// Makes a muted line about other lines, which is not an edit itself.
    pub fn note(depth: usize, text: impl Into<String>) -> Self {
        Self::new(depth, Sign::Note, text, Tone::Muted)
    }

    /// Returns the text without tones, sign and indentation.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

/// The way in which a document shows an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The edit is shown, though sensitive values, and those that do not fit, are not shown in full.
    InFull,
    /// The path of the edit is named.
    Named,
    /// The edit is counted with others.
    Counted,
}

/// A list of changes in a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray)]
pub enum SectionKind {
    /// The planned changes of resources.
    #[default]
    Resources,
    /// The drift: what changed outside of the tool.
    Drift,
    /// The changes that are deferred to a later plan.
    Deferred,
    /// The actions to invoke.
    Invocations,
    /// The actions whose invocation is deferred to a later plan.
    DeferredInvocations,
    /// The outputs that change.
    Outputs,
}

impl SectionKind {
    /// All lists, in the order of a plan.
    pub const ALL: [Self; 6] = *Self::VARIANTS.as_array().expect("the number of variants");
}

/// The record of how a document shows an entry and each of its edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryAccount {
    /// The way in which the entry itself is shown; `None` if it was not recorded.
    pub entry: Option<Shown>,
    /// The way in which each edit is shown, in the order of the edits; `None` for those that were not recorded.
    pub edits: Vec<Option<Shown>>,
}

/// The record of how a document shows the changes of one plan.
///
/// It is made while the document is built, and corrected when a writer shortens an entry. Edits without a record are
/// counted at the end, so that no change is omitted silently.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The record of each entry, by the list of the plan (in the order of `SectionKind`) and the index in it.
    lists: [Vec<EntryAccount>; 6],
}

impl Coverage {
    /// Makes an empty record. `edits` has the number of edits of each entry, by the list of the plan (in the order of
    /// [`SectionKind`]) and the index in it.
    pub fn new(edits: [Vec<usize>; 6]) -> Self {
        let account = |count| EntryAccount {
            entry: None,
            edits: vec![None; count],
        };
        Self {
            lists: edits.map(|list| list.into_iter().map(account).collect()),
        }
    }

    /// Records that an entry is shown, and how each of its edits is.
    pub(crate) fn record(&mut self, list: SectionKind, index: usize, shown: &[Option<Shown>]) {
        if let Some(account) = self.account_mut(list, index) {
            account.entry = Some(Shown::InFull);
            for (edit, how) in account.edits.iter_mut().zip(shown) {
                *edit = *how;
            }
        }
    }

    /// Records that an entry and all of its edits are only counted.
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

    /// Returns the number of changes that were not recorded: edits, and entries without edits.
    pub fn unreported(&self) -> usize {
        let of = |account: &EntryAccount| match account.entry {
            None => account.edits.len().max(1),
            Some(_) => account.edits.iter().filter(|edit| edit.is_none()).count(),
        };
        self.lists.iter().flatten().map(of).sum()
    }

    fn account_mut(&mut self, list: SectionKind, index: usize) -> Option<&mut EntryAccount> {
        self.lists.get_mut(list as usize)?.get_mut(index)
    }
}

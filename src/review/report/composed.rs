//! An entry before it is written: its objects, its title and its lines.
//!
//! ```text
//! sign   title                            remark, or because         mark
//! +/-    aws_api_gateway_deployment.x     (because of rest_api.x)    downtime
//!            lines: triggers.redeployment 7f3a -> 0c9e (forces it)
//! ```

use super::groups::EntryGroup;
use crate::report::{Level, Line, Mark};
use crate::review::entry::SubjectItem;

/// An entry about an object, or about several objects about which the same is said.
pub(super) struct Composed<'r, 'a> {
    /// The objects.
    pub(super) group: EntryGroup<'r, 'a>,
    /// The title, if it is not the address.
    pub(super) title: Option<String>,
    /// The lines below the title.
    pub(super) lines: Vec<Line>,
    /// The description of the object, after the address.
    pub(super) subject: Vec<SubjectItem>,
    /// The remark in brackets: what the sign does not say.
    pub(super) remark: String,
    /// The changes that make this one necessary, in words; empty if the entry is below them.
    pub(super) because: String,
    /// The findings about the object that the title mentions.
    pub(super) mark: Mark,
    /// The number of objects of the next entry, if this entry has all of its lines in addition to its own.
    pub(super) shared_with_next: Option<usize>,
    /// The number of replacements above this one that lead to it.
    pub(super) depth: usize,
    /// The rank by which entries are sorted, the lowest first.
    pub(super) rank: (usize, usize),
}

impl<'r, 'a> Composed<'r, 'a> {
    /// Makes an entry of a title only.
    pub(super) fn of_title(group: EntryGroup<'r, 'a>) -> Self {
        Self {
            group,
            title: None,
            lines: Vec::new(),
            subject: Vec::new(),
            remark: String::new(),
            because: String::new(),
            mark: Mark::default(),
            shared_with_next: None,
            depth: 0,
            rank: (0, 0),
        }
    }

    /// Returns the gravest level of the findings that the title and the lines mention.
    pub(super) fn gravest(&self) -> Level {
        let lines = self.lines.iter().map(|line| line.mark().level);
        lines.chain([self.mark.level]).max().unwrap_or_default()
    }
}

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

/// An object, or several that say the same.
pub(super) struct Composed<'r, 'a> {
    /// The objects.
    pub(super) group: EntryGroup<'r, 'a>,
    /// The title, if it is not the address.
    pub(super) title: Option<String>,
    /// What is said about them, below the title.
    pub(super) lines: Vec<Line>,
    /// What the object is, beside the address.
    pub(super) subject: Vec<SubjectItem>,
    /// What the sign does not say, in brackets.
    pub(super) remark: String,
    /// The other changes that make it necessary, unless it is below them.
    pub(super) because: String,
    /// The findings about the object that its title says.
    pub(super) mark: Mark,
    /// How many objects of the next entry change in the same way, if this one changes in more.
    pub(super) shared_with_next: Option<usize>,
    /// How many replacements lead to this one.
    pub(super) depth: usize,
    /// The order in which it is listed.
    pub(super) rank: (usize, usize),
}

impl<'r, 'a> Composed<'r, 'a> {
    /// An entry without anything but its title.
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

    pub(super) fn gravest(&self) -> Level {
        let lines = self.lines.iter().map(|line| line.mark().level);
        lines.chain([self.mark.level]).max().unwrap_or_default()
    }
}

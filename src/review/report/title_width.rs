//! Divides the columns of a title among the address of an object, its subject and its only line.
//!
//! ```text
//! + aws_db_instance.new  new-db, mysql 8.0.35, db.r6g.4xlarge  (imported)
//!   address              subject                               remark
//! ```
//!
//! The sign, the number of objects, the remark and the kinds of findings are never shortened; the
//! others share the columns that these leave.

use unicode_width::UnicodeWidthStr;

use super::groups::EntryGroup;
use crate::report::{self, Mark, Sign};
use crate::review::entry::SubjectItem;
use crate::review::{ChangeKind, Options};

/// How many columns of a title are left for its parts.
pub(super) struct TitleWidth {
    /// What is left beside the sign, the number, the remark and the kinds of findings.
    left: usize,
    /// The subject may be left out: the object exists.
    is_optional: bool,
}

impl TitleWidth {
    /// Wider titles are hard to read.
    const MAX: usize = 100;
    /// The columns in front of a title, and of each cause above it.
    const MARGIN: usize = 3;
    const INDENT: usize = 2;
    /// An address, and what an object is, have at least so many columns, even if the title is wrapped then.
    const MIN: usize = 24;

    /// Computes the columns that are left for the address and the subject of an entry.
    pub(super) fn new(
        options: &Options,
        depth: usize,
        remark: &str,
        mark: &Mark,
        group: &EntryGroup<'_, '_>,
    ) -> Self {
        let spaced = |text: &str| match text.width() {
            0 => 0,
            width => width + 2,
        };
        let times = match group.places.len() {
            1 => 0,
            number => format!("{number} × ").width(),
        };
        let brackets = if remark.is_empty() { 0 } else { 2 };
        let used = Self::MARGIN
            + Self::INDENT * depth
            + group.symbol().len()
            + 1
            + times
            + spaced(remark)
            + brackets
            + spaced(&mark.words());
        Self {
            left: options.width.min(Self::MAX).saturating_sub(used),
            is_optional: group.kind() != ChangeKind::Create,
        }
    }

    /// Returns the columns of the only line of an entry, which may be written after the title.
    pub(super) fn of_line(lines: &[report::Line]) -> Option<usize> {
        let [only] = lines else { return None };
        let sign = match only.sign {
            Sign::Add | Sign::Remove => 2,
            Sign::Change | Sign::Same | Sign::Note => 0,
        };
        let kinds = match only.mark().words().width() {
            0 => 0,
            width => width + 2,
        };
        (only.depth == 0).then(|| 2 + sign + only.text().width() + kinds)
    }

    /// Returns the columns for the address, at least [`Self::MIN`]: those that the first item of the subject
    /// and the only line leave. Where these are fewer than that, none are left for the line.
    pub(super) fn of_address(&self, subject: &[SubjectItem], lines: &[report::Line]) -> usize {
        let first = match self.is_optional {
            true => 0,
            false => subject.first().map_or(0, |item| item.text().width() + 2),
        };
        let line = Self::of_line(lines).unwrap_or_default();
        let left = self.left.saturating_sub(first);
        match left.checked_sub(line) {
            Some(left) if left >= Self::MIN => left,
            Some(_) | None => left.max(Self::MIN),
        }
    }

    /// Returns the columns for the subject, after the address. A line that fits there is worth more
    /// than the rest of the subject.
    pub(super) fn of_subject(
        &self,
        address: &str,
        subject: &[SubjectItem],
        lines: &[report::Line],
    ) -> usize {
        let first = subject.first().map_or(0, |item| item.text().width());
        let left = self.left.saturating_sub(address.width() + 2);
        let line = Self::of_line(lines).unwrap_or_default();
        match left.checked_sub(line) {
            Some(columns) if columns >= first || self.is_optional => columns,
            // Of what is created, at least a part says what it is.
            Some(_) | None if !self.is_optional => left.max(first),
            Some(_) | None => left,
        }
    }
}

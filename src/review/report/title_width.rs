//! Divides the columns of a title among the address of an object, its subject and its only line.
//!
//! ```text
//! + aws_db_instance.new  new-db, mysql 8.0.35, db.r6g.4xlarge  (imported)
//!   address              subject                               remark
//! ```
//!
//! The sign, the number of objects, the remark and the kinds of findings are never shortened. The other parts share the
//! columns that these leave.

use unicode_width::UnicodeWidthStr;

use super::groups::EntryGroup;
use crate::report::{self, Mark, Sign};
use crate::review::entry::SubjectItem;
use crate::review::{ChangeKind, Options};

/// The columns of a title that are left for the address, the subject and the line.
pub(super) struct TitleWidth {
    /// The columns that are left by the sign, the number, the remark and the kinds of findings.
    left: usize,
    /// Whether the subject may be left out, because the object already exists.
    is_optional: bool,
}

impl TitleWidth {
    /// The maximum width of a title, in columns. Wider titles are hard to read.
    const MAX: usize = 100;
    /// The width of the margin before a title, in columns.
    const MARGIN: usize = 3;
    /// The indentation for each cause above a title, in columns.
    const INDENT: usize = 2;
    /// The minimum number of columns for an address, even if the title is broken then.
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

    /// Returns the columns that the only line of an entry needs if it is written after the title; `None` if there are
    /// several lines or none.
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

    /// Returns the columns for the address, which are at least [`Self::MIN`]: those that the first item of the subject
    /// and the only line leave. If these are fewer, none are left for the line.
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

    /// Returns the columns for the subject after the address. A line that fits there is preferred to the rest of the
    /// subject.
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
            // The subject of a created object has at least its first item, which says what it is.
            Some(_) | None if !self.is_optional => left.max(first),
            Some(_) | None => left,
        }
    }
}

//! The index of the entries with findings, for reviews in which these entries do not fit on a screen.
//!
//! ```text
//! !! -/+ aws_db_instance.main                                          data-loss
//!  !   ~ aws_lb.web                                                    protection
//! … 12 more entries with findings
//! ```

use std::io;

use super::{MARGIN, TextWriter};
use crate::report::{Level, ReportEntry, Section};
use crate::text::count;

/// The number of lines that are assumed to fit on a screen.
const SCREEN: usize = 40;
/// The maximum number of entries in the index. The gravest come first; further ones are counted.
const MAX_LISTED: usize = 20;

impl TextWriter<'_> {
    /// Writes a line for each entry with a warning or a critical finding, if the entries together are longer than a
    /// screen.
    pub(super) fn index(&mut self, sections: &[Section<'_>]) -> io::Result<()> {
        let mut marked: Vec<&ReportEntry<'_>> = sections
            .iter()
            .flat_map(|section| &section.entries)
            .filter(|entry| entry.level > Level::Notice)
            .collect();
        let lines: usize = marked.iter().map(|entry| 1 + entry.lines.len()).sum();
        if self.is_list || marked.len() < 2 || lines <= SCREEN {
            return Ok(());
        }
        // The sort is stable, so entries of the same level stay in their order.
        marked.sort_by_key(|entry| std::cmp::Reverse(entry.level));
        self.gap()?;
        for entry in marked.iter().take(MAX_LISTED) {
            self.folded(entry, MARGIN)?;
        }
        match marked.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            more => self.muted(&format!("… {} with findings", count(more, "more entry"))),
        }
    }
}

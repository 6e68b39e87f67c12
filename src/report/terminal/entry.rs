//! The entries of a text for the terminal: the title, what is said about the entry, and its lines.
//!
//! ```text
//! !! - aws_db_instance.main  postgres                                  data-loss
//!        main.tf:12
//!        because it is not in the configuration
//! ```

use std::io;

use super::TextWriter;
use super::row::{entry_indent, joined, level_role, role, title};
use crate::report::{EntrySign, Level, Mark, ReportEntry, SourceLink};
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::{Role, Untrusted};
use crate::text::one_line;

impl TextWriter<'_> {
    /// Writes an entry: its title, what is said about it, and its lines. In a list, everything is on one line.
    pub(in crate::report) fn entry(
        &mut self,
        entry: &ReportEntry<'_>,
        depth: usize,
    ) -> io::Result<()> {
        if self.is_list && !entry.lines.is_empty() {
            return self.differences(entry);
        }
        if self.is_list {
            return self.listed(entry, depth);
        }
        let indent = entry_indent(entry, depth);
        let joined = joined(entry, depth, self.layout);
        // Such an entry has no results of other tools.
        let in_title = joined.is_some();
        let (title, mark) = joined.unwrap_or_else(|| (title(entry), entry.mark.clone()));
        let lines = entry.lines.get(usize::from(in_title)..).unwrap_or_default();
        let in_fold = if lines.is_empty() {
            None
        } else {
            let text: String = title.iter().map(|(_, text)| text.as_str()).collect();
            self.out.fold(text.trim_start())?
        };
        if in_fold.is_none() {
            self.row(&mark, indent, indent + 6, &title)?;
        }
        self.about_entry(entry, indent + 4)?;
        if in_title {
            self.lines(lines, indent + 2)?;
        } else {
            let (with_findings, rest) = entry.lines_around_results();
            self.lines(with_findings, indent + 2)?;
            self.results(&entry.results, indent + 4)?;
            self.lines(rest, indent + 2)?;
        }
        for text in &entry.others {
            let pieces = [(Role::Muted, "= ".to_owned()), (Role::Plain, text.clone())];
            self.row(&Mark::default(), indent + 4, indent + 6, &pieces)?;
        }
        in_fold.map_or(Ok(()), |fold| self.out.unfold(&fold))
    }

    /// Writes the title of an entry, with its only line if both fit on a line.
    pub(in crate::report) fn entry_title(
        &mut self,
        entry: &ReportEntry<'_>,
        depth: usize,
    ) -> io::Result<()> {
        if self.is_list && entry.lines.is_empty() {
            return self.listed(entry, depth);
        }
        let indent = entry_indent(entry, depth);
        let joined = joined(entry, depth, self.layout).filter(|_| entry.lines.len() == 1);
        let (title, mark) = joined.unwrap_or_else(|| (title(entry), entry.mark.clone()));
        self.row(&mark, indent, indent + 6, &title)
    }

    /// Writes an entry of a list that has no lines: everything that is said about it on one line.
    fn listed(&mut self, entry: &ReportEntry<'_>, depth: usize) -> io::Result<()> {
        let EntrySign { symbol, tone } = entry.sign;
        let indent = depth * 2 + 3usize.saturating_sub(symbol.chars().count());
        let phrase_role = if entry.is_destroyed {
            Role::StrongDelete
        } else {
            Role::Plain
        };
        let out = self.out();
        out.parts(&[Spaces(indent), Styled(role(tone), symbol), Lit(" ")])?;
        out.parts(&[StyledData(Role::Strong, &entry.address), Lit(" ")])?;
        out.parts(&[StyledData(phrase_role, &entry.phrase)])?;
        if let Some(cost) = &entry.cost {
            out.role_data(Role::Muted, Untrusted(&format!(" {cost}")))?;
        }
        if !entry.preview.is_empty() {
            out.data(Untrusted(&format!(": {}", one_line(&entry.preview))))?;
        }
        if entry.level != Level::None {
            let kinds = entry.finding_kinds.join(", ");
            let text = format!(" [{}: {kinds}]", entry.level.name());
            out.role(level_role(entry.level), &text)?;
        }
        let reasons = (!entry.reasons.is_empty()).then(|| entry.reasons.join("; "));
        for text in entry.needs.iter().chain(&reasons) {
            let text = format!(" ({})", one_line(text));
            out.role_data(Role::Muted, Untrusted(&text))?;
        }
        if let Some(source) = &entry.source {
            self.out.lit("  ")?;
            self.source_link(source)?;
        }
        self.out.lit("\n")?;
        self.results(&entry.results, 4)
    }

    /// Writes an entry of a comparison: for each difference a line that begins with the address.
    fn differences(&mut self, entry: &ReportEntry<'_>) -> io::Result<()> {
        for line in &entry.lines {
            if line.depth > 0 {
                self.lines(std::slice::from_ref(line), 2)?;
                continue;
            }
            self.out().parts(&[
                Spaces(2),
                Styled(role(entry.sign.tone), entry.sign.symbol),
                Lit(" "),
            ])?;
            self.out.parts(&[
                StyledData(Role::Strong, &entry.address),
                Lit(" "),
                Data(&line.text()),
                Lit("\n"),
            ])?;
        }
        Ok(())
    }

    /// Writes where the resource is written, who has to approve, and the reasons for the change.
    pub(in crate::report) fn about_entry(
        &mut self,
        entry: &ReportEntry<'_>,
        indent: usize,
    ) -> io::Result<()> {
        if let Some(source) = &entry.source {
            self.out().spaces(indent)?;
            self.source_link(source)?;
            self.out.lit("\n")?;
        }
        for reason in entry.needs.iter().chain(&entry.reasons) {
            self.out().spaces(indent)?;
            self.hanging(indent + 2, Role::Muted, &one_line(reason), indent)?;
        }
        Ok(())
    }

    /// Writes where a resource is written, as a hyperlink if the layout has links.
    fn source_link(&mut self, source: &SourceLink) -> io::Result<()> {
        if self.layout.links {
            self.out
                .link_data(Role::Muted, &source.uri, Untrusted(&source.text))?;
        } else {
            self.out.role_data(Role::Muted, Untrusted(&source.text))?;
        }
        self.out.role(Role::Muted, &source.rest)
    }
}

//! The text of a document for the terminal.
//!
//! Invariants: texts of a document are written as untrusted data, so that they contain no control characters; the
//! continuation of a broken line is indented further than its beginning.

mod entry;
mod index;
mod row;

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{Findings, Headline, Line, OtherResults, Part, Report, Section, Sign, Units};
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, StyledText, Untrusted};
use crate::text::{filled_lines, one_line, wrapped};

use row::{MAX_KINDS_COLUMN, role, spans};
pub(super) use row::{cut, entry_indent, joined, level_role};

/// The options for the layout of a text.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The width of the terminal, in columns.
    pub width: usize,
    /// Whether long texts are broken into lines of `width`.
    pub wraps: bool,
    /// Whether file names are written as hyperlinks.
    pub links: bool,
    /// Whether the head shows the fingerprint of the plan.
    pub fingerprint: bool,
}

/// Writes a document as text. In the log of a CI system, entries are collapsible, and data is escaped so that it
/// contains no commands.
///
/// # Errors
///
/// If writing to `sink` fails.
pub fn terminal(
    report: &Report<'_>,
    layout: Layout,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let out = Out::new(sink, colour).for_ci(ci).escaping_commands();
    write(report, layout, out)?.flush()
}

/// Returns the text of a document with its looks, for other programs.
///
/// # Errors
/// Never, because it writes to memory.
pub fn styled_terminal(report: &Report<'_>, layout: Layout) -> io::Result<StyledText> {
    StyledText::of_writer(|out| write(report, layout, out))
}

/// Writes all parts of a document, and returns the writer.
fn write<'w>(report: &Report<'_>, layout: Layout, out: Out<'w>) -> io::Result<Out<'w>> {
    let mut writer = TextWriter::new(out, layout, report.is_list);
    writer.total(report)?;
    writer.run(report)?;
    if let Some(units) = &report.units {
        writer.units(units)?;
    }
    report
        .parts
        .iter()
        .filter(|part| !part.is_left_out)
        .try_for_each(|part| writer.part(part))?;
    if report.run_url.is_some() {
        writer.gap()?;
        writer.run(report)?;
    }
    Ok(writer.out)
}

/// The width of the margin with marks in front of titles, in columns.
pub(super) const MARGIN: usize = 3;
/// The column in which the addresses of findings begin.
const FINDING_INDENT: usize = 24;
/// The width below which the continuation lines of findings begin near the left edge, in columns.
const NARROW: usize = 80;
/// The column in which the kinds of findings begin.
const KIND_INDENT: usize = 13;

/// The writer of a document as text.
pub(super) struct TextWriter<'v> {
    /// The options for the layout.
    layout: Layout,
    /// Whether each line of an entry begins with the address, as in a comparison.
    is_list: bool,
    /// The writer of the text.
    pub(super) out: Out<'v>,
    /// Whether the last line is empty, or nothing was written, so that no empty line is needed.
    blank: bool,
}

impl<'v> TextWriter<'v> {
    /// Makes a writer for the beginning of a text.
    pub(super) fn new(out: Out<'v>, layout: Layout, is_list: bool) -> Self {
        Self {
            layout,
            is_list,
            out,
            blank: true,
        }
    }

    /// Returns the writer of the text for something that is not an empty line.
    fn out(&mut self) -> &mut Out<'v> {
        self.blank = false;
        &mut self.out
    }

    /// Writes an empty line, unless there is one already.
    fn gap(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.blank, true) {
            Ok(())
        } else {
            self.out.lit("\n")
        }
    }

    /// Writes a line with a role, without breaking it.
    pub(super) fn line(&mut self, role: Role, text: &str) -> io::Result<()> {
        self.out().parts(&[StyledData(role, text), Lit("\n")])
    }

    /// Writes a heading after an empty line.
    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.gap()?;
        self.line(Role::Strong, &one_line(text))
    }

    /// Writes a text with a role and ends the line. `used` is the number of columns before the text. If it is broken,
    /// its other lines begin in the column `indent`.
    fn hanging(&mut self, indent: usize, role: Role, text: &str, used: usize) -> io::Result<()> {
        let width = if self.layout.wraps {
            self.layout.width
        } else {
            0
        };
        for (index, line) in wrapped(text, width, indent, used).into_iter().enumerate() {
            if index > 0 {
                self.out.parts(&[Lit("\n"), Spaces(indent)])?;
            }
            self.out().role_data(role, Untrusted(line))?;
        }
        self.out.lit("\n")
    }

    /// Writes the sentence of a head and the counts behind it as one paragraph, so that a head takes no more lines than
    /// its words.
    fn sentence_and_counts(
        &mut self,
        indent: usize,
        sentence: &str,
        counts: &str,
        used: usize,
    ) -> io::Result<()> {
        let text = format!("{sentence} {counts}");
        let mut offset = 0;
        for (index, line) in wrapped(&text, self.layout.width, indent, used)
            .into_iter()
            .enumerate()
        {
            if index > 0 {
                self.out.parts(&[Lit("\n"), Spaces(indent)])?;
            }
            // Lines are parts of the text; only blanks are between them.
            let start = text
                .get(offset..)
                .and_then(|rest| rest.find(line))
                .map_or(offset, |found| offset + found);
            offset = start + line.len();
            let end = sentence.len().clamp(start, offset) - start;
            let (strong, plain) = line.split_at_checked(end).unwrap_or((line, ""));
            self.out().role_data(Role::Strong, Untrusted(strong))?;
            self.out().role_data(Role::Plain, Untrusted(plain))?;
        }
        self.out.lit("\n")
    }

    /// Writes a text with several lines, each as `hanging` does. A line keeps its own indentation after `indent` columns.
    fn paragraph(&mut self, indent: usize, text: &str, used: usize) -> io::Result<()> {
        let mut is_first = true;
        for line in filled_lines(text) {
            let used = if std::mem::take(&mut is_first) {
                used
            } else {
                self.out().spaces(indent)?;
                indent
            };
            let indent_of_line = line.len() - line.trim_start_matches(' ').len();
            self.hanging(indent + indent_of_line, Role::Plain, &one_line(line), used)?;
        }
        if is_first {
            self.out.lit("\n")?;
        }
        Ok(())
    }

    /// Writes a label with a role, and a text after it, as `hanging` does.
    fn labelled(
        &mut self,
        indent: usize,
        (role, label): (Role, &str),
        text: &str,
        used: usize,
    ) -> io::Result<()> {
        self.out().role_data(role, Untrusted(label))?;
        self.paragraph(indent, text, used + label.width())
    }

    /// Writes a muted line, indented by two columns.
    pub(super) fn muted(&mut self, line: &str) -> io::Result<()> {
        self.hanging(4, Role::Muted, &format!("  {line}"), 0)
    }

    /// Writes the lines of an entry with their marks and signs. The signs of the first level are in the column
    /// `indent`.
    pub(super) fn lines(&mut self, lines: &[Line], indent: usize) -> io::Result<()> {
        for line in lines {
            let (sign, text) = match line.sign {
                Sign::Add => (Role::Create, "+ "),
                Sign::Remove => (Role::Delete, "- "),
                Sign::Change | Sign::Same | Sign::Note => (Role::Plain, "  "),
            };
            let mut pieces = vec![(sign, text.to_owned())];
            pieces.extend(spans(line));
            let indent = indent + 2 * line.depth;
            self.row(line.mark(), indent, indent + 4, &pieces)?;
        }
        Ok(())
    }

    /// Writes the verdict about all units, and the remark about the document.
    pub(super) fn total(&mut self, report: &Report<'_>) -> io::Result<()> {
        let Some(total) = &report.total else {
            return Ok(());
        };
        let units = report.number_of_units();
        self.out().role(Role::Strong, &units)?;
        self.headline(total, None, "", units.len())?;
        report.remark.iter().try_for_each(|text| self.muted(text))
    }

    /// Writes the address of the run in the CI system.
    pub(super) fn run(&mut self, report: &Report<'_>) -> io::Result<()> {
        report
            .run_url
            .iter()
            .try_for_each(|url| self.muted(&format!("run: {url}")))
    }

    /// Writes the verdict: the level, what the plan does, and its counts. `origin` follows the counts; `used` is the
    /// number of columns before the verdict.
    fn headline(
        &mut self,
        headline: &Headline,
        sentence: Option<&str>,
        origin: &str,
        used: usize,
    ) -> io::Result<()> {
        let word = headline.word();
        let role = level_role(headline.level);
        let indent = word.len() + 2;
        let mut counts = headline.lead(one_line);
        if let Some(additions) = &headline.additions {
            counts.push_str(&format!(" {additions}"));
        }
        if !origin.is_empty() {
            counts.push_str(&format!(" {origin}."));
        }
        if !headline.names_level {
            let sign = headline.sign();
            let lead = headline.lead(one_line);
            self.out().parts(&[Styled(role, sign), Lit(" ")])?;
            self.hanging(2, Role::Strong, &lead, used + sign.width() + 1)?;
            if let Some(additions) = &headline.additions {
                self.out.lit(&format!("  {additions}\n"))?;
            }
            return Ok(());
        }
        if headline.is_unchanged() {
            return self.hanging(2, role, &counts, used);
        }
        self.out().parts(&[Styled(role, word), Spaces(2)])?;
        if let Some(sentence) = sentence
            && self.layout.wraps
        {
            return self.sentence_and_counts(indent, sentence, &counts, used + indent);
        }
        if let Some(sentence) = sentence {
            self.hanging(indent, Role::Strong, sentence, used + indent)?;
            self.out().spaces(indent)?;
            return self.hanging(indent, Role::Plain, &counts, indent);
        }
        self.hanging(indent, Role::Strong, &counts, used + indent)
    }

    /// Writes the part about all units, with the changes that they share.
    pub(super) fn units(&mut self, units: &Units<'_>) -> io::Result<()> {
        self.about_units(units)?;
        if !units.shared.is_empty() {
            self.heading(Units::SHARED)?;
            units
                .shared
                .iter()
                .try_for_each(|shared| self.entry(&shared.entry, 0))?;
            units
                .elsewhere_sentence()
                .iter()
                .try_for_each(|text| self.muted(text))?;
        }
        Ok(())
    }

    /// Writes the part about all units, without the changes that they share.
    pub(super) fn about_units(&mut self, units: &Units<'_>) -> io::Result<()> {
        let states = Some(units.states()).filter(|states| !states.is_empty());
        states.iter().try_for_each(|states| self.muted(states))?;
        for row in &units.rows {
            let (role, sign) = if row.is_failure {
                (Role::StrongDelete, "✗")
            } else {
                (Role::Muted, "-")
            };
            self.out()
                .parts(&[Lit("    "), Styled(role, sign), Lit(" ")])?;
            self.labelled(
                6,
                (Role::Strong, &one_line(&row.name)),
                &format!(" {}", row.sentence),
                6,
            )?;
        }
        units
            .unchanged_names()
            .iter()
            .try_for_each(|names| self.muted(names))?;
        self.findings(&units.findings)
    }

    /// Writes the part about one plan: its head, its sections, and its notes.
    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        self.gap()?;
        self.title(part)?;
        self.about(part)?;
        self.others(part)?;
        // In other documents, the changes that a replacement causes are below it.
        if self.is_list {
            self.causes(part)?;
        }
        self.checks(part)?;
        self.index(&part.sections)?;
        self.sections(&part.sections)?;
        self.apart(part)?;
        self.outputs(part)?;
        self.notes(&part.notes)?;
        part.unreported().iter().try_for_each(|sentence| {
            self.gap()?;
            self.line(Role::StrongDelete, sentence)
        })
    }

    /// Writes the name of a part, if it has one, and its verdict.
    pub(super) fn title(&mut self, part: &Part<'_>) -> io::Result<()> {
        if let Some(name) = &part.name {
            self.line(Role::Strong, &one_line(&format!("── {name}")))?;
        }
        let origin = part
            .origin
            .words(self.layout.fingerprint, str::to_owned)
            .join(", ");
        self.headline(&part.headline, part.sentence.as_deref(), &origin, 0)
    }

    /// Writes the sentences about the plan as a whole.
    pub(super) fn about(&mut self, part: &Part<'_>) -> io::Result<()> {
        part.details.iter().try_for_each(|line| self.muted(line))
    }

    /// Writes the cost, and what other tools and owners say about the plan.
    pub(super) fn others(&mut self, part: &Part<'_>) -> io::Result<()> {
        let mut lines = part.cost.iter().chain(&part.others);
        lines.try_for_each(|line| self.muted(line))
    }

    /// Writes the results of other tools that fit no resource.
    pub(super) fn apart(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(apart) = &part.apart else {
            return Ok(());
        };
        self.heading(OtherResults::TITLE)?;
        self.results(apart, 2)
    }

    /// Writes results of other tools, a line each, and the number of those that are not shown.
    pub(super) fn results(&mut self, results: &OtherResults, indent: usize) -> io::Result<()> {
        for result in &results.shown {
            self.out().spaces(indent)?;
            let label = (role(result.tone), &*one_line(&result.label));
            self.labelled(indent + 2, label, &format!(" {}", result.text()), indent)?;
        }
        let rest = results.rest().map(|rest| format!("{rest}\n"));
        rest.iter().try_for_each(|rest| {
            self.out()
                .parts(&[Spaces(indent), Styled(Role::Muted, rest)])
        })
    }

    /// Writes the outputs: a single line as a row, several below a heading.
    pub(super) fn outputs(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(outputs) = &part.outputs else {
            return Ok(());
        };
        if let [only] = &*outputs.lines {
            let (role, sign) = match only.sign {
                Sign::Add => (Role::Create, "+ "),
                Sign::Remove => (Role::Delete, "- "),
                Sign::Change | Sign::Same | Sign::Note => (Role::Update, "~ "),
            };
            let mut pieces = vec![(role, sign.to_owned()), (Role::Plain, "output ".to_owned())];
            pieces.extend(spans(only));
            return self.row(only.mark(), MARGIN, MARGIN + 4, &pieces);
        }
        self.heading("Outputs")?;
        self.lines(&outputs.lines, MARGIN)
    }

    /// Writes the findings of a head in columns: level, kind, address and text. A level or kind that repeats is blank.
    pub(super) fn findings(&mut self, findings: &Findings) -> io::Result<()> {
        let indent = if self.layout.width < NARROW {
            8
        } else {
            FINDING_INDENT + 2
        };
        let mut last = None;
        for finding in &findings.shown {
            let (level, kind) = match last {
                Some((level, kind)) if level == finding.level && kind == finding.kind => ("", ""),
                Some((level, _)) if level == finding.level => ("", finding.kind),
                Some(_) | None => (finding.level.name(), finding.kind),
            };
            last = Some((finding.level, finding.kind));
            let role = level_role(finding.level);
            let level_gap = (KIND_INDENT - 4).saturating_sub(level.len());
            let kind_gap = (FINDING_INDENT - KIND_INDENT).saturating_sub(kind.len());
            let unit = match &*finding.unit {
                "" => String::new(),
                unit => one_line(&format!("{unit}: ")),
            };
            self.out()
                .parts(&[Lit("    "), Styled(role, level), Spaces(level_gap)])?;
            self.out
                .parts(&[Styled(role, kind), Spaces(kind_gap), Data(&unit)])?;
            let text = format!(" {}", one_line(&finding.text));
            self.labelled(
                indent,
                (Role::Strong, &finding.address),
                &text,
                FINDING_INDENT + unit.width(),
            )?;
        }
        findings.rest().iter().try_for_each(|rest| {
            self.out().lit("    ")?;
            self.hanging(6, Role::Plain, &format!("… {rest}"), 4)
        })
    }

    /// Writes the tree of causes below its title.
    pub(super) fn causes(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(causes) = &part.causes else {
            return Ok(());
        };
        self.out().parts(&[
            Lit("    "),
            StyledData(Role::Strong, &causes.title),
            Lit("\n"),
        ])?;
        self.lines(&causes.lines, 4)
    }

    /// Writes the checks that did not pass.
    pub(super) fn checks(&mut self, part: &Part<'_>) -> io::Result<()> {
        if !part.checks.is_empty() {
            self.heading("Checks")?;
        }
        for check in &part.checks {
            let (role, sign) = if check.is_failure {
                (Role::StrongWarning, "  ! ")
            } else {
                (Role::Muted, "  ? ")
            };
            self.out().parts(&[Styled(role, sign)])?;
            self.paragraph(4, &check.text, 4)?;
        }
        Ok(())
    }

    /// Writes all sections with their headings.
    fn sections(&mut self, sections: &[Section<'_>]) -> io::Result<()> {
        let mut is_first = true;
        for section in sections {
            match section.heading() {
                "" if is_first => self.gap()?,
                "" => {}
                heading => self.heading(heading)?,
            }
            is_first = !section.heading().is_empty();
            for entry in &section.entries {
                self.entry(entry, section.depth())?;
            }
        }
        Ok(())
    }

    /// Writes remarks in brackets. Short ones share a line.
    pub(super) fn notes(&mut self, notes: &[String]) -> io::Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        let width = self.layout.width.min(MAX_KINDS_COLUMN);
        let mut line = String::new();
        for note in notes {
            let note = format!("({note})");
            // Collects remarks until the line is full.
            if !line.is_empty() && line.width() + 1 + note.width() > width {
                self.hanging(1, Role::Muted, &line, 0)?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&note);
        }
        self.hanging(1, Role::Muted, &line, 0)
    }
}

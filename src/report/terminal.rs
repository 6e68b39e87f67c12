//! Text for the terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{
    Entry, EntryFindings, Findings, Headline, Level, Line, OtherResults, Part, Report, Section,
    Sign, Source, Title, Tone, Units,
};
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted, capture};
use crate::text::{count, one_line, wrapped};

#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub width: usize,
    pub wraps: bool,
    pub links: bool,
    pub fingerprint: bool,
}

/// In the log of a CI system, entries are collapsible, and data is escaped so that it contains no commands.
pub fn terminal(
    report: &Report<'_>,
    layout: Layout,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let out = Out::new(sink, colour).for_ci(ci).escaping_commands();
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
    writer.out.flush()
}

/// The column of the addresses of findings.
const FINDING_INDENT: usize = 24;
/// Findings are wrapped at the left in narrower terminals.
const NARROW: usize = 80;
/// The column of the kinds of findings.
const KIND_INDENT: usize = 13;

pub(super) struct TextWriter<'v> {
    layout: Layout,
    is_list: bool,
    pub(super) out: Out<'v>,
    blank: bool,
}

impl<'v> TextWriter<'v> {
    pub(super) fn new(out: Out<'v>, layout: Layout, is_list: bool) -> Self {
        Self {
            layout,
            is_list,
            out,
            blank: true,
        }
    }

    fn out(&mut self) -> &mut Out<'v> {
        self.blank = false;
        &mut self.out
    }

    /// There is never a second empty line.
    fn gap(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.blank, true) {
            Ok(())
        } else {
            self.out.lit("\n")
        }
    }

    pub(super) fn line(&mut self, role: Role, text: &str) -> io::Result<()> {
        self.out().parts(&[StyledData(role, text), Lit("\n")])
    }

    pub(super) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.gap()?;
        self.line(Role::Strong, &one_line(text))
    }

    /// `used` are the columns in front of the text. If it is wrapped, its other lines have an indentation.
    fn hanging(&mut self, indent: usize, role: Role, text: &str, used: usize) -> io::Result<()> {
        let width = if self.layout.wraps {
            self.layout.width
        } else {
            0
        };
        for (at, line) in wrapped(text, width, indent, used).into_iter().enumerate() {
            if at > 0 {
                self.out.parts(&[Lit("\n"), Spaces(indent)])?;
            }
            self.out().role_data(role, Untrusted(line))?;
        }
        self.out.lit("\n")
    }

    fn labelled(
        &mut self,
        indent: usize,
        (role, label): (Role, &str),
        text: &str,
        used: usize,
    ) -> io::Result<()> {
        self.out().role_data(role, Untrusted(label))?;
        self.hanging(indent, Role::Plain, &one_line(text), used + label.width())
    }

    pub(super) fn muted(&mut self, line: &str) -> io::Result<()> {
        self.hanging(4, Role::Muted, &format!("  {line}"), 0)
    }

    fn lines(&mut self, lines: &[Line], depth: usize) -> io::Result<()> {
        for line in lines {
            let indent = 2 * (depth + line.depth);
            let sign = match line.sign {
                Sign::Add => Styled(Role::Create, "+ "),
                Sign::Remove => Styled(Role::Delete, "- "),
                Sign::Change => Styled(Role::Update, "~ "),
                Sign::Same | Sign::Note => Spaces(2),
            };
            self.out().parts(&[Spaces(indent), sign])?;
            if let (Sign::Note, [note]) = (line.sign, &*line.spans) {
                self.hanging(
                    indent + 4,
                    role(note.tone),
                    &one_line(&note.text),
                    indent + 2,
                )?;
                continue;
            }
            for span in &line.spans {
                self.out
                    .role_data(role(span.tone), Untrusted(&one_line(&span.text)))?;
            }
            self.out.lit("\n")?;
        }
        Ok(())
    }

    pub(super) fn total(&mut self, report: &Report<'_>) -> io::Result<()> {
        let Some(total) = &report.total else {
            return Ok(());
        };
        let units = report.number_of_units();
        self.out().role(Role::Strong, &units)?;
        self.headline(total, units.len())?;
        report.remark.iter().try_for_each(|text| self.muted(text))
    }

    pub(super) fn run(&mut self, report: &Report<'_>) -> io::Result<()> {
        report
            .run_url
            .iter()
            .try_for_each(|url| self.muted(&format!("run: {url}")))
    }

    fn headline(&mut self, headline: &Headline, used: usize) -> io::Result<()> {
        let sign = headline.sign();
        self.out()
            .parts(&[Styled(level_role(headline.level), sign), Lit(" ")])?;
        self.hanging(
            2,
            Role::Strong,
            &headline.lead(one_line),
            used + sign.width() + 1,
        )?;
        headline
            .additions
            .iter()
            .try_for_each(|additions| self.out.lit(&format!("  {additions}\n")))
    }

    pub(super) fn units(&mut self, units: &Units<'_>) -> io::Result<()> {
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
        self.findings(&units.findings)?;
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

    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        self.gap()?;
        self.title(part)?;
        self.about(part)?;
        self.others(part)?;
        self.findings(&part.findings)?;
        self.causes(part)?;
        self.checks(part)?;
        self.sections(&part.sections)?;
        self.apart(part)?;
        self.outputs(part)?;
        self.notes(&part.notes)?;
        part.unreported().iter().try_for_each(|sentence| {
            self.gap()?;
            self.line(Role::StrongDelete, sentence)
        })
    }

    pub(super) fn title(&mut self, part: &Part<'_>) -> io::Result<()> {
        if let Some(name) = &part.name {
            self.line(Role::Strong, &one_line(&format!("── {name}")))?;
        }
        self.headline(&part.headline, 0)
    }

    pub(super) fn about(&mut self, part: &Part<'_>) -> io::Result<()> {
        part.types.iter().try_for_each(|line| self.muted(line))?;
        let words = part
            .origin
            .words(self.layout.fingerprint, str::to_owned)
            .join(", ");
        Some(words)
            .iter()
            .filter(|words| !words.is_empty())
            .try_for_each(|words| self.muted(words))?;
        part.details.iter().try_for_each(|line| self.muted(line))
    }

    pub(super) fn others(&mut self, part: &Part<'_>) -> io::Result<()> {
        part.others.iter().try_for_each(|line| self.muted(line))
    }

    pub(super) fn apart(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(apart) = &part.apart else {
            return Ok(());
        };
        self.heading(OtherResults::TITLE)?;
        self.results(apart, 2)
    }

    fn results(&mut self, results: &OtherResults, indent: usize) -> io::Result<()> {
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

    pub(super) fn outputs(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(outputs) = &part.outputs else {
            return Ok(());
        };
        self.heading("Outputs")?;
        self.lines(&outputs.lines, 1)
    }

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
            let text = format!(" {}", finding.text);
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

    pub(super) fn causes(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(causes) = &part.causes else {
            return Ok(());
        };
        self.out().parts(&[
            Lit("    "),
            StyledData(Role::Strong, &causes.title),
            Lit("\n"),
        ])?;
        self.lines(&causes.lines, 2)
    }

    pub(super) fn checks(&mut self, part: &Part<'_>) -> io::Result<()> {
        if !part.checks.is_empty() {
            self.heading("Checks")?;
        }
        for check in &part.checks {
            let (warning, muted) = (
                Styled(Role::StrongWarning, "  ! "),
                Styled(Role::Muted, "  ? "),
            );
            let sign = if check.is_failure { warning } else { muted };
            self.out().parts(&[sign, Data(&check.text), Lit("\n")])?;
        }
        Ok(())
    }

    /// Sections by action have no titles, because the entries say what is done.
    fn sections(&mut self, sections: &[Section<'_>]) -> io::Result<()> {
        let mut last = None;
        for section in sections {
            let action = match section.title {
                Title::Action { is_state_only, .. } => Some(is_state_only),
                Title::Module(_) | Title::Text(_) => None,
            };
            match section.heading() {
                _ if action.is_some() && action == last => {}
                "" => self.gap()?,
                heading => self.heading(heading)?,
            }
            last = action;
            section
                .entries
                .iter()
                .try_for_each(|entry| self.entry(entry, section.depth()))?;
        }
        Ok(())
    }

    pub(super) fn notes(&mut self, notes: &[String]) -> io::Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        self.gap()?;
        notes
            .iter()
            .try_for_each(|note| self.hanging(1, Role::Muted, &format!("({note})"), 0))
    }

    /// Writes a title, reasons and lines. In a list, everything is on one line.
    pub(super) fn entry(&mut self, entry: &Entry<'_>, depth: usize) -> io::Result<()> {
        let (is_list, indent) = (self.is_list, depth * 2 + 4);
        if is_list && !entry.lines.is_empty() {
            return self.differences(entry);
        }
        let title = |out: &mut Out<'_>| {
            let (sign, tone) = entry.sign;
            let indent = depth * 2 + 3usize.saturating_sub(sign.chars().count());
            let phrase_role = if entry.is_destroyed {
                Role::StrongDelete
            } else {
                Role::Plain
            };
            out.parts(&[Spaces(indent), Styled(role(tone), sign), Lit(" ")])?;
            out.parts(&[StyledData(Role::Strong, &entry.address), Lit(" ")])?;
            out.parts(&[StyledData(phrase_role, &entry.phrase)])?;
            let mut muted = |text: &str| out.role_data(Role::Muted, Untrusted(text));
            entry
                .cost
                .iter()
                .try_for_each(|cost| muted(&format!(" {cost}")))?;
            if !is_list {
                return Ok(());
            }
            if !entry.preview.is_empty() {
                out.data(Untrusted(&format!(": {}", one_line(&entry.preview))))?;
            }
            if entry.level != Level::None {
                let kinds = entry.finding_kinds.join(", ");
                out.role(
                    level_role(entry.level),
                    &format!(" [{}: {kinds}]", entry.level.name()),
                )?;
            }
            let reasons = (!entry.reasons.is_empty()).then(|| entry.reasons.join("; "));
            let in_brackets = entry
                .needs
                .as_deref()
                .map(one_line)
                .into_iter()
                .chain(reasons);
            in_brackets
                .map(|text| format!(" ({text})"))
                .try_for_each(|text| out.role_data(Role::Muted, Untrusted(&text)))
        };
        let in_fold = if entry.lines.is_empty() {
            None
        } else {
            let mut text = capture(false, title)?;
            if !is_list && !entry.summary.is_empty() {
                text.push_str(&format!(": {}", entry.summary));
            }
            self.out.fold(text.trim_start())?
        };
        if in_fold.is_none() {
            title(self.out())?;
            if let Some(source) = entry.source.as_ref().filter(|_| is_list) {
                self.out.lit("  ")?;
                self.place(source)?;
            }
            if is_list || entry.summary.is_empty() {
                self.out.lit("\n")?;
            } else {
                let used = indent + 1 + entry.address.width() + entry.phrase.width();
                self.hanging(
                    indent + 2,
                    Role::Plain,
                    &format!(": {}", entry.summary),
                    used,
                )?;
            }
        }
        if !is_list {
            self.reasons(entry, indent)?;
        }
        self.results(&entry.results, indent)?;
        self.lines(&entry.lines, depth + 2)?;
        for address in &entry.others {
            self.out().parts(&[
                Spaces(indent),
                Styled(Role::Muted, "= "),
                Data(address),
                Lit("\n"),
            ])?;
        }
        if !entry.lines.is_empty() {
            self.gap()?;
        }
        in_fold.map_or(Ok(()), |fold| self.out.unfold(&fold))
    }

    fn differences(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        for line in &entry.lines {
            if line.depth > 0 {
                self.lines(std::slice::from_ref(line), 1)?;
                continue;
            }
            self.out().parts(&[
                Spaces(2),
                Styled(role(entry.sign.1), entry.sign.0),
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

    fn reasons(&mut self, entry: &Entry<'_>, indent: usize) -> io::Result<()> {
        if let Some(source) = &entry.source {
            self.out().spaces(indent)?;
            self.place(source)?;
            self.out.lit("\n")?;
        }
        let EntryFindings { shown, more } = &entry.findings;
        for finding in shown {
            let name = format!("{} {}", finding.level.name(), finding.kind);
            self.out().spaces(indent)?;
            let label = (level_role(finding.level), &*name);
            self.labelled(indent + 2, label, &format!(": {}", finding.text), indent)?;
        }
        if *more > 0 {
            let more = format!("… {}\n", count(*more, "more finding"));
            self.out()
                .parts(&[Spaces(indent), Styled(Role::Muted, &more)])?;
        }
        for reason in entry.needs.iter().chain(&entry.reasons) {
            self.out().spaces(indent)?;
            self.hanging(indent + 2, Role::Update, &format!("↳ {reason}"), indent)?;
        }
        Ok(())
    }

    fn place(&mut self, source: &Source) -> io::Result<()> {
        if self.layout.links {
            self.out
                .link_data(Role::Muted, &source.uri, Untrusted(&source.text))?;
        } else {
            self.out.role_data(Role::Muted, Untrusted(&source.text))?;
        }
        self.out.role(Role::Muted, &source.rest)
    }
}

fn level_role(level: Level) -> Role {
    match level {
        Level::Critical => Role::StrongDelete,
        Level::Warning => Role::StrongWarning,
        Level::Notice => Role::StrongNote,
        Level::None => Role::StrongSuccess,
    }
}

pub(super) fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain => Role::Plain,
        Tone::Muted => Role::Muted,
        Tone::Added => Role::Create,
        Tone::Removed => Role::Delete,
        Tone::Changed => Role::Update,
        Tone::AddedWord => Role::StrongSuccess,
        Tone::RemovedWord | Tone::Alert => Role::StrongDelete,
    }
}

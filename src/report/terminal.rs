//! Text for the terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::results;
use super::wrap::{Hanging, line, muted, role};
use super::{
    Causes, Check, Entry, EntryFindings, Findings, Head, Headline, Level, Line, Origin, Part, Report,
    Section, Source, Title, Units,
};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted, capture};
use crate::text::{count, one_line};

/// The layout of a text.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The width, in columns.
    pub width: usize,
    /// Whether remarks are wrapped at the width.
    pub wraps: bool,
    /// Whether places in configuration files are links.
    pub links: bool,
    /// Whether the fingerprint of a plan is shown.
    pub fingerprint: bool,
}

/// Writes a document as text. In the log of a CI system, entries are collapsible, and data is escaped so that
/// it contains no commands.
///
/// # Errors
/// If writing to `sink` fails.
pub fn terminal(
    report: &Report<'_>,
    layout: Layout,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let out = Out::new(sink, colour).for_ci(ci).escaping_commands();
    let mut writer = TextWriter { layout, is_list: report.is_list, out, blank: true };
    writer.total(report)?;
    let run = report.run_url.as_ref().map(|url| format!("run: {url}"));
    if let Some(line) = &run {
        writer.text(|out| muted(out, line, layout))?;
    }
    if let Some(units) = &report.units {
        writer.units(units)?;
    }
    report.parts.iter().filter(|part| !part.is_left_out).try_for_each(|part| writer.part(part))?;
    if let Some(line) = &run {
        writer.gap()?;
        writer.text(|out| muted(out, line, layout))?;
    }
    writer.out.flush()
}

mod within;

pub use within::terminal_within;

/// The column of the addresses of findings.
const FINDING_INDENT: usize = 24;
/// The width below which findings are wrapped at the left.
const NARROW: usize = 80;
/// The column of the kinds of findings.
const KIND_INDENT: usize = 13;

struct TextWriter<'v> {
    layout: Layout,
    is_list: bool,
    out: Out<'v>,
    /// Whether the last line is empty.
    blank: bool,
}

impl TextWriter<'_> {
    fn text(&mut self, write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> io::Result<()> {
        let text = capture(self.out.colour(), write)?;
        if !text.is_empty() {
            self.blank = text == "\n" || text.ends_with("\n\n");
        }
        self.out.lit(&text)
    }

    /// Writes an empty line, unless the last line is one.
    fn gap(&mut self) -> io::Result<()> {
        if self.blank { Ok(()) } else { self.text(|out| out.lit("\n")) }
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        self.gap()?;
        self.text(|out| {
            out.role_data(Role::Strong, Untrusted(&one_line(text)))?;
            out.lit("\n")
        })
    }

    /// Writes the verdict on all units.
    fn total(&mut self, report: &Report<'_>) -> io::Result<()> {
        let (Some(total), layout) = (&report.total, self.layout) else { return Ok(()) };
        self.text(|out| {
            let units = report.number_of_units();
            out.role(Role::Strong, &units)?;
            headline(out, total, layout, units.len())?;
            report.remark.iter().try_for_each(|text| muted(out, text, layout))
        })
    }

    /// Writes what there is to say of all units.
    fn units(&mut self, units: &Units<'_>) -> io::Result<()> {
        let layout = self.layout;
        self.text(|out| {
            let states = units.states();
            if !states.is_empty() {
                muted(out, &states, layout)?;
            }
            for row in &units.rows {
                let (role, sign) =
                    if row.is_failure { (Role::StrongDelete, "✗") } else { (Role::Muted, "-") };
                out.lit("    ")?;
                out.role(role, sign)?;
                out.lit(" ")?;
                let name = one_line(&row.name);
                out.role_data(Role::Strong, Untrusted(&name))?;
                let hanging = Hanging { indent: 6, layout };
                hanging.write(
                    out,
                    Role::Plain,
                    &one_line(&format!(" {}", row.sentence)),
                    6 + name.width(),
                )?;
            }
            units.unchanged_names().iter().try_for_each(|names| muted(out, names, layout))
        })?;
        self.findings(&units.findings)?;
        if !units.shared.is_empty() {
            self.heading(Units::SHARED)?;
            for shared in &units.shared {
                self.entry(&shared.entry, 0)?;
            }
            self.text(|out| units.elsewhere_sentence().iter().try_for_each(|text| muted(out, text, layout)))?;
        }
        Ok(())
    }

    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        self.gap()?;
        self.title(part)?;
        part.head.iter().try_for_each(|head| self.head(head))?;
        self.sections(&part.sections)?;
        self.apart(part)?;
        self.outputs(part)?;
        self.notes(&part.notes)?;
        match part.unreported() {
            Some(sentence) => {
                self.gap()?;
                self.text(|out| {
                    out.role(Role::StrongDelete, &sentence)?;
                    out.lit("\n")
                })
            }
            None => Ok(()),
        }
    }

    fn title(&mut self, part: &Part<'_>) -> io::Result<()> {
        let layout = self.layout;
        self.text(|out| {
            if let Some(name) = &part.name {
                out.role_data(Role::Strong, Untrusted(&one_line(&format!("── {name}"))))?;
                out.lit("\n")?;
            }
            headline(out, &part.headline, layout, 0)
        })
    }

    fn head(&mut self, head: &Head) -> io::Result<()> {
        let layout = self.layout;
        match head {
            Head::Origin(origin) => self.origin(origin),
            Head::Details(lines) | Head::Others(lines) => {
                self.text(|out| lines.iter().try_for_each(|text| muted(out, text, layout)))
            }
            Head::Findings(findings) => self.findings(findings),
            Head::Causes(causes) => self.causes(causes),
            Head::Checks(checks) => self.checks(checks),
        }
    }

    /// Writes the tool and the time of the plan.
    fn origin(&mut self, origin: &Origin) -> io::Result<()> {
        let layout = self.layout;
        let mut words: Vec<String> = origin.words().into_iter().map(str::to_owned).collect();
        if layout.fingerprint && !origin.fingerprint.is_empty() {
            words.push(format!("fingerprint {}", origin.fingerprint));
        }
        if words.is_empty() { Ok(()) } else { self.text(|out| muted(out, &words.join(", "), layout)) }
    }

    /// Writes the results of other tools that are about no entry.
    fn apart(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(apart) = &part.apart else { return Ok(()) };
        self.heading(results::TITLE)?;
        let layout = self.layout;
        self.text(|out| results::terminal(out, apart, 2, layout))
    }

    fn outputs(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Some(outputs) = &part.outputs else { return Ok(()) };
        self.heading("Outputs")?;
        let layout = self.layout;
        self.text(|out| lines(out, &outputs.lines, 1, layout))
    }

    fn findings(&mut self, findings: &Findings) -> io::Result<()> {
        // In a narrow terminal, there is not enough space to the right of the address.
        let indent = if self.layout.width < NARROW { 8 } else { FINDING_INDENT + 2 };
        let hanging = Hanging { indent, layout: self.layout };
        self.text(|out| {
            let mut last = None;
            for finding in &findings.shown {
                let (level, kind) = match last {
                    Some((level, kind)) if level == finding.level && kind == finding.kind => ("", ""),
                    Some((level, _)) if level == finding.level => ("", finding.kind),
                    Some(_) | None => (finding.level.name(), finding.kind),
                };
                last = Some((finding.level, finding.kind));
                out.lit("    ")?;
                out.role(level_role(finding.level), level)?;
                out.spaces((KIND_INDENT - 4).saturating_sub(level.len()))?;
                out.role(level_role(finding.level), kind)?;
                out.spaces((FINDING_INDENT - KIND_INDENT).saturating_sub(kind.len()))?;
                let unit = match &*finding.unit {
                    "" => String::new(),
                    unit => one_line(&format!("{unit}: ")),
                };
                out.data(Untrusted(&unit))?;
                out.role_data(Role::Strong, Untrusted(&finding.address))?;
                let used = FINDING_INDENT + unit.width() + finding.address.width();
                hanging.write(out, Role::Plain, &one_line(&format!(" {}", finding.text)), used)?;
            }
            match findings.rest() {
                Some(rest) => {
                    out.lit("    ")?;
                    let hanging = Hanging { indent: 6, ..hanging };
                    hanging.write(out, Role::Plain, &format!("… {rest}"), 4)
                }
                None => Ok(()),
            }
        })
    }

    fn causes(&mut self, causes: &Causes) -> io::Result<()> {
        let layout = self.layout;
        self.text(|out| {
            out.lit("    ")?;
            out.role(Role::Strong, &causes.title)?;
            out.lit("\n")?;
            lines(out, &causes.lines, 2, layout)
        })
    }

    fn checks(&mut self, checks: &[Check]) -> io::Result<()> {
        self.heading("Checks")?;
        self.text(|out| {
            checks.iter().try_for_each(|check| {
                let (role, sign) =
                    if check.is_failure { (Role::StrongWarning, "  ! ") } else { (Role::Muted, "  ? ") };
                out.role(role, sign)?;
                out.data(Untrusted(&check.text))?;
                out.lit("\n")
            })
        })
    }

    /// Writes sections. Those by action have no titles, because the entries say what is done.
    fn sections(&mut self, sections: &[Section<'_>]) -> io::Result<()> {
        let mut last = None;
        for section in sections {
            let depth = match &section.title {
                Title::Action { is_state_only, .. } => {
                    if last != Some(*is_state_only) {
                        if *is_state_only {
                            self.heading("State only: nothing is done to the objects")?;
                        } else {
                            self.gap()?;
                        }
                    }
                    last = Some(*is_state_only);
                    0
                }
                Title::Module(_) => {
                    self.heading(section.title.text())?;
                    1
                }
                Title::Text(title) => {
                    self.heading(title)?;
                    last = None;
                    0
                }
            };
            section.entries.iter().try_for_each(|entry| self.entry(entry, depth))?;
        }
        Ok(())
    }

    fn notes(&mut self, notes: &[String]) -> io::Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        self.gap()?;
        let hanging = Hanging { indent: 1, layout: self.layout };
        self.text(|out| {
            notes.iter().try_for_each(|note| hanging.write(out, Role::Muted, &format!("({note})"), 0))
        })
    }

    /// Writes a title, reasons and lines. In a list, everything is on one line.
    fn entry(&mut self, entry: &Entry<'_>, depth: usize) -> io::Result<()> {
        let Self { is_list, layout, .. } = *self;
        let title = |out: &mut Out<'_>| {
            let (sign, tone) = entry.sign;
            out.spaces(depth * 2)?;
            out.spaces(3usize.saturating_sub(sign.chars().count()))?;
            out.role(role(tone), sign)?;
            out.lit(" ")?;
            out.role_data(Role::Strong, Untrusted(&entry.address))?;
            out.lit(" ")?;
            let phrase_role = if entry.is_destroyed { Role::StrongDelete } else { Role::Plain };
            out.role_data(phrase_role, Untrusted(&entry.phrase))?;
            if let Some(cost) = &entry.cost {
                out.role_data(Role::Muted, Untrusted(&format!(" {cost}")))?;
            }
            if is_list && !entry.preview.is_empty() {
                out.data(Untrusted(&format!(": {}", one_line(&entry.preview))))?;
            }
            if is_list && entry.level != Level::None {
                let kinds = entry.finding_kinds.join(", ");
                out.role(level_role(entry.level), &format!(" [{}: {kinds}]", entry.level.name()))?;
            }
            if let Some(needs) = entry.needs.as_ref().filter(|_| is_list) {
                out.role_data(Role::Muted, Untrusted(&format!(" ({})", one_line(needs))))?;
            }
            if is_list && !entry.reasons.is_empty() {
                out.role_data(Role::Muted, Untrusted(&format!(" ({})", entry.reasons.join("; "))))?;
            }
            Ok(())
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
            self.text(|out| {
                title(out)?;
                if let Some(source) = entry.source.as_ref().filter(|_| is_list) {
                    out.lit("  ")?;
                    place(out, source, layout)?;
                }
                if is_list || entry.summary.is_empty() {
                    return out.lit("\n");
                }
                let hanging = Hanging { indent: depth * 2 + 6, layout };
                let used = depth * 2 + 5 + entry.address.width() + entry.phrase.width();
                hanging.write(out, Role::Plain, &format!(": {}", entry.summary), used)
            })?;
        }
        self.text(|out| {
            if !is_list {
                if let Some(source) = &entry.source {
                    out.spaces(depth * 2 + 4)?;
                    place(out, source, layout)?;
                    out.lit("\n")?;
                }
                let EntryFindings { shown, more } = &entry.findings;
                for finding in shown {
                    let name = format!("{} {}", finding.level.name(), finding.kind);
                    out.spaces(depth * 2 + 4)?;
                    out.role(level_role(finding.level), &name)?;
                    let hanging = Hanging { indent: depth * 2 + 6, layout };
                    let text = one_line(&format!(": {}", finding.text));
                    hanging.write(out, Role::Plain, &text, depth * 2 + 4 + name.len())?;
                }
                if *more > 0 {
                    out.spaces(depth * 2 + 4)?;
                    out.role(Role::Muted, &format!("… {}\n", count(*more, "more finding")))?;
                }
                for reason in entry.needs.iter().chain(&entry.reasons) {
                    out.spaces(depth * 2 + 4)?;
                    let hanging = Hanging { indent: depth * 2 + 6, layout };
                    hanging.write(out, Role::Update, &format!("↳ {reason}"), depth * 2 + 4)?;
                }
            }
            results::terminal(out, &entry.results, depth * 2 + 4, layout)?;
            lines(out, &entry.lines, depth + 2, layout)?;
            for address in &entry.others {
                out.spaces(depth * 2 + 4)?;
                out.role(Role::Muted, "= ")?;
                out.data(Untrusted(address))?;
                out.lit("\n")?;
            }
            if entry.lines.is_empty() { Ok(()) } else { out.lit("\n") }
        })?;
        in_fold.map_or(Ok(()), |fold| self.out.unfold(&fold))
    }
}

fn lines(out: &mut Out<'_>, lines: &[Line], depth: usize, layout: Layout) -> io::Result<()> {
    lines.iter().try_for_each(|text| line(out, text, depth, layout))
}

/// Writes a place in a configuration file, and the note about further places.
fn place(out: &mut Out<'_>, source: &Source, layout: Layout) -> io::Result<()> {
    if layout.links {
        out.link_data(Role::Muted, &source.uri, Untrusted(&source.text))?;
    } else {
        out.role_data(Role::Muted, Untrusted(&source.text))?;
    }
    out.role(Role::Muted, &source.rest)
}

/// The role of what has a level.
fn level_role(level: Level) -> Role {
    match level {
        Level::Critical => Role::StrongDelete,
        Level::Warning => Role::StrongWarning,
        Level::Notice => Role::StrongNote,
        Level::None => Role::StrongSuccess,
    }
}

/// Writes a verdict on a line with `used` columns.
fn headline(out: &mut Out<'_>, headline: &Headline, layout: Layout, used: usize) -> io::Result<()> {
    let sign = headline.sign();
    out.role(level_role(headline.level), sign)?;
    out.lit(" ")?;
    let used = used + sign.width() + 1;
    Hanging { indent: 2, layout }.write(out, Role::Strong, &headline.lead(one_line), used)?;
    match &headline.additions {
        Some(additions) => out.lit(&format!("  {additions}\n")),
        None => Ok(()),
    }
}

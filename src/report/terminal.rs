//! Text for the terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::wrap::{Hanging, line, muted, role};
use super::{
    Causes, Check, Entry, Findings, Head, Headline, Line, Mood, Part, Report, Section, Source, Title,
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
    if let Some(total) = &report.total {
        writer.text(|out| {
            out.role(Role::Strong, &format!("{} plans: ", report.parts.len()))?;
            headline(out, total)?;
            report.remark.iter().try_for_each(|text| muted(out, text, layout))
        })?;
    }
    report.parts.iter().try_for_each(|part| writer.part(part))?;
    writer.out.flush()
}

/// The column of the addresses of findings.
const FINDING_INDENT: usize = 14;

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

    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        self.gap()?;
        self.text(|out| {
            if let Some(name) = &part.name {
                out.role_data(Role::Strong, Untrusted(&one_line(&format!("── {name}"))))?;
                out.lit("\n")?;
            }
            headline(out, &part.headline)
        })?;
        let layout = self.layout;
        for head in &part.head {
            match head {
                Head::Details(lines) => {
                    self.text(|out| lines.iter().try_for_each(|text| muted(out, text, layout)))?;
                }
                Head::Config(text) => self.text(|out| muted(out, text, layout))?,
                Head::Findings(findings) => self.findings(findings)?,
                Head::Causes(causes) => self.causes(causes)?,
                Head::Checks(checks) => self.checks(checks)?,
            }
        }
        self.sections(&part.sections)?;
        if let Some(outputs) = &part.outputs {
            self.heading("Outputs")?;
            self.text(|out| outputs.lines.iter().try_for_each(|group| lines(out, group, 1, layout)))?;
        }
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

    fn findings(&mut self, findings: &Findings) -> io::Result<()> {
        let hanging = Hanging { indent: FINDING_INDENT + 2, layout: self.layout };
        self.text(|out| {
            let mut last = None;
            for finding in &findings.shown {
                let name = if last == Some(finding.kind) { "" } else { finding.kind };
                last = Some(finding.kind);
                out.lit("    ")?;
                out.role(Role::StrongWarning, name)?;
                out.spaces((FINDING_INDENT - 4).saturating_sub(name.len()))?;
                out.role_data(Role::Strong, Untrusted(&finding.address))?;
                let used = FINDING_INDENT + finding.address.width();
                hanging.write(out, Role::Plain, &one_line(&format!(" {}", finding.text)), used)?;
            }
            if findings.more > 0 {
                let text = format!("    … {} below\n", count(findings.more, "more fact"));
                out.role(Role::Muted, &text)?;
            }
            Ok(())
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
                Title::Module(address) => {
                    self.heading(if address.is_empty() { "root module" } else { address })?;
                    1
                }
                Title::Text(title) => {
                    self.heading(title)?;
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
            let phrase_role = if entry.is_destroyed() { Role::StrongDelete } else { Role::Plain };
            out.role_data(phrase_role, Untrusted(&entry.phrase))?;
            if is_list && !entry.preview.is_empty() {
                out.data(Untrusted(&format!(": {}", one_line(&entry.preview))))?;
            }
            if is_list && !entry.reasons.is_empty() {
                out.role_data(Role::Muted, Untrusted(&format!(" ({})", entry.reasons.join("; "))))?;
            }
            Ok(())
        };
        let in_fold = if entry.lines.is_empty() {
            None
        } else {
            let text = capture(false, title)?;
            self.out.fold(text.trim_start())?
        };
        if in_fold.is_none() {
            self.text(|out| {
                title(out)?;
                if let Some(source) = entry.source.as_ref().filter(|_| is_list) {
                    out.lit("  ")?;
                    place(out, source, layout)?;
                }
                out.lit("\n")
            })?;
        }
        self.text(|out| {
            if !is_list {
                if let Some(source) = &entry.source {
                    out.spaces(depth * 2 + 4)?;
                    place(out, source, layout)?;
                    out.lit("\n")?;
                }
                for reason in &entry.reasons {
                    out.spaces(depth * 2 + 4)?;
                    let hanging = Hanging { indent: depth * 2 + 6, layout };
                    hanging.write(out, Role::Update, &format!("↳ {reason}"), depth * 2 + 4)?;
                }
            }
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

fn headline(out: &mut Out<'_>, headline: &Headline) -> io::Result<()> {
    let (role, sign) = match headline.mood {
        Mood::Failed => (Role::StrongDelete, "✗ "),
        Mood::Destroys => (Role::StrongDelete, "! "),
        Mood::Changes => (Role::StrongWarning, "~ "),
        Mood::Quiet => (Role::StrongSuccess, "✓ "),
    };
    out.role(role, sign)?;
    out.role_data(Role::Strong, Untrusted(&headline.lead(one_line)))?;
    out.lit("\n")?;
    match &headline.additions {
        Some(additions) => out.lit(&format!("  {additions}\n")),
        None => Ok(()),
    }
}

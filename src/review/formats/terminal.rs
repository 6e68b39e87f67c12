//! Text for the terminal: the verdict first, then resources in order of risk.

mod lines;

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use self::lines::{Hanging, muted, role};
use super::head::{config, head};
use super::invocation::InvocationUnit;
use super::problem;
use super::units::{Header, Unit, Units, by_type, facts};
use crate::review::entry::{PlanReview, SourcePlace};
use crate::review::ledger::unreported_sentence;
use crate::review::lines::{Line, Tone};
use crate::review::text::{EntryText, cause_tree, entry_text, invocation_text, outputs_text};
use crate::review::{ChangeKind, Ledger, List, Options, Verdict, count, one_line};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted, capture};

/// Writes reviews as text. In the log of a CI system, resources are collapsible, and data is escaped so that
/// it contains no commands. Returns how the edits of each plan are reported.
///
/// # Errors
/// If writing to `sink` fails.
pub fn terminal(
    reviews: &[PlanReview<'_>],
    options: &Options,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<Vec<Ledger>> {
    let mut writer =
        TextWriter { options, out: Out::new(sink, colour).for_ci(ci).escaping_commands(), blank: true };
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    if reviews.len() > 1 {
        let total = Verdict::total(verdicts.iter());
        writer.text(|out| {
            out.role(Role::Strong, &format!("{} plans: ", reviews.len()))?;
            verdict(out, &total)?;
            config(options).iter().try_for_each(|line| muted(out, line, options))
        })?;
    }
    let mut ledgers = Vec::with_capacity(reviews.len());
    for (review, verdict) in reviews.iter().zip(&verdicts) {
        ledgers.push(writer.review(review, verdict, reviews.len() > 1)?);
    }
    writer.out.flush()?;
    Ok(ledgers)
}

/// The column of the addresses of facts.
const FACT_INDENT: usize = 14;

struct TextWriter<'v> {
    options: &'v Options,
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

    fn review(&mut self, review: &PlanReview<'_>, plan_verdict: &Verdict, named: bool) -> io::Result<Ledger> {
        let mut ledger = Ledger::new(review);
        let units = Units::new(review, self.options, &mut ledger);
        self.gap()?;
        self.text(|out| {
            if named {
                out.role_data(Role::Strong, Untrusted(&one_line(&format!("── {}", review.name))))?;
                out.lit("\n")?;
            }
            verdict(out, plan_verdict)?;
            let mut lines = by_type(&units.resources);
            lines.extend(head(review, self.options));
            if !named {
                lines.extend(config(self.options));
            }
            lines.iter().try_for_each(|line| muted(out, line, self.options))
        })?;
        self.facts(&units.resources)?;
        self.causes(review)?;
        self.problems(review)?;
        if self.options.tree {
            self.tree(&units.resources, &mut ledger)?;
        } else {
            self.units(&units.resources, &mut ledger)?;
        }
        for (heading, units) in
            [("Changed outside of the tool", &units.drift), ("Put off to a later plan", &units.deferred)]
        {
            if !units.is_empty() {
                self.heading(heading)?;
                units.iter().try_for_each(|unit| self.unit(unit, 0, &mut ledger))?;
            }
        }
        for (heading, units) in &units.invocations {
            self.heading(heading)?;
            units.iter().try_for_each(|unit| self.invocation(unit, &mut ledger))?;
        }
        if units.shows_outputs {
            self.outputs(review, &mut ledger)?;
        }
        self.notes(&units.notes)?;
        if let Some(sentence) = unreported_sentence(ledger.unreported()) {
            self.gap()?;
            self.text(|out| {
                out.role(Role::StrongDelete, &sentence)?;
                out.lit("\n")
            })?;
        }
        Ok(ledger)
    }

    /// Writes the facts, before everything else.
    fn facts(&mut self, units: &[Unit<'_, '_>]) -> io::Result<()> {
        let (facts, more) = facts(units);
        self.text(|out| {
            let mut last = None;
            for fact in &facts {
                let name = if last == Some(fact.kind) { "" } else { fact.kind.name() };
                last = Some(fact.kind);
                out.lit("    ")?;
                out.role(Role::StrongWarning, name)?;
                out.spaces((FACT_INDENT - 4).saturating_sub(name.len()))?;
                out.role_data(Role::Strong, Untrusted(&fact.address))?;
                let hanging = Hanging { indent: FACT_INDENT + 2, options: self.options };
                let used = FACT_INDENT + fact.address.width();
                hanging.write(out, Role::Plain, &one_line(&format!(" {}", fact.text)), used)?;
            }
            if more > 0 {
                let text = format!("    … {} below\n", count(more, "more fact"));
                out.role(Role::Muted, &text)?;
            }
            Ok(())
        })
    }

    /// Writes the causes of the replacements, below the facts.
    fn causes(&mut self, review: &PlanReview<'_>) -> io::Result<()> {
        let Some(tree) = cause_tree(review, self.options).filter(|_| self.options.shows_whole_plan()) else {
            return Ok(());
        };
        self.text(|out| {
            out.lit("    ")?;
            out.role(Role::Strong, &tree.title)?;
            out.lit("\n")?;
            tree.lines.iter().try_for_each(|line| lines::line(out, line, 2, self.options))
        })
    }

    fn outputs(&mut self, review: &PlanReview<'_>, ledger: &mut Ledger) -> io::Result<()> {
        let outputs = outputs_text(&review.outputs, self.options);
        if !review.outputs.is_empty() {
            self.heading("Outputs")?;
            self.text(|out| {
                outputs.lines.iter().try_for_each(|line| lines::line(out, line, 1, self.options))
            })?;
        }
        for (at, mentions) in outputs.mentions.iter().enumerate() {
            ledger.record(List::Outputs, at, mentions);
        }
        Ok(())
    }

    fn notes(&mut self, notes: &[String]) -> io::Result<()> {
        if notes.is_empty() {
            return Ok(());
        }
        self.gap()?;
        self.text(|out| {
            notes.iter().try_for_each(|note| {
                let hanging = Hanging { indent: 1, options: self.options };
                hanging.write(out, Role::Muted, &format!("({note})"), 0)
            })
        })
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

    fn problems(&mut self, review: &PlanReview<'_>) -> io::Result<()> {
        if review.checks.is_empty() {
            return Ok(());
        }
        self.heading("Checks")?;
        self.text(|out| {
            review.checks.iter().try_for_each(|found| {
                let (role, sign) =
                    if found.is_failure() { (Role::StrongWarning, "  ! ") } else { (Role::Muted, "  ? ") };
                out.role(role, sign)?;
                out.data(Untrusted(&problem(found)))?;
                out.lit("\n")
            })
        })
    }

    /// Writes the units in order of risk. Drift comes last, below a title.
    fn units(&mut self, units: &[Unit<'_, '_>], ledger: &mut Ledger) -> io::Result<()> {
        let mut last = None;
        for unit in units {
            let state = matches!(unit.kind(), ChangeKind::Import | ChangeKind::Move);
            if last != Some(state) {
                if state {
                    self.heading("State only: nothing is done to the objects")?;
                } else {
                    self.gap()?;
                }
                last = Some(state);
            }
            self.unit(unit, 0, ledger)?;
        }
        Ok(())
    }

    fn tree(&mut self, units: &[Unit<'_, '_>], ledger: &mut Ledger) -> io::Result<()> {
        let mut sorted: Vec<&Unit<'_, '_>> = units.iter().collect();
        sorted.sort_by_key(|unit| unit.entry.module_address);
        for module in sorted.chunk_by(|unit, other| unit.entry.module_address == other.entry.module_address) {
            let address = module.first().map_or("", |unit| unit.entry.module_address);
            self.heading(if address.is_empty() { "root module" } else { address })?;
            module.iter().try_for_each(|unit| self.unit(unit, 1, ledger))?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: &Unit<'_, '_>, depth: usize, ledger: &mut Ledger) -> io::Result<()> {
        let text = entry_text(unit.entry, self.options);
        // A list does not name edits, but each line has their number.
        let (text, edits) = match self.options.list {
            true => {
                let mentions =
                    text.mentions.iter().map(|mention| mention.map(|_| crate::review::Mention::Counted));
                (EntryText { lines: Vec::new(), mentions: mentions.collect() }, unit.preview())
            }
            false => (text, String::new()),
        };
        unit.places.iter().for_each(|at| ledger.record(unit.list, *at, &text.mentions));
        let reasons: Vec<String> = unit.reasons(self.options).into_iter().map(str::to_owned).collect();
        let tone = unit.kind().tone();
        let title = (&unit.header(), unit.source());
        self.item(title, (tone, unit.is_grave()), &reasons, &edits, &text.lines, depth)
    }

    fn invocation(&mut self, unit: &InvocationUnit<'_, '_>, ledger: &mut Ledger) -> io::Result<()> {
        let mut text = invocation_text(unit.invocation, self.options);
        if self.options.list {
            text.lines.clear();
        }
        ledger.record(unit.list(), unit.at, &text.mentions);
        let title = (&unit.header(), None);
        self.item(title, (Tone::Changed, false), &unit.reasons(), "", &text.lines, 0)
    }

    /// Writes a title, reasons and lines. In a list, everything is on one line.
    fn item(
        &mut self,
        (header, source): (&Header, Option<(&SourcePlace, String)>),
        (tone, is_grave): (Tone, bool),
        reasons: &[String],
        edits: &str,
        lines: &[Line],
        depth: usize,
    ) -> io::Result<()> {
        let list = self.options.list;
        let title = |out: &mut Out<'_>| {
            out.spaces(depth * 2)?;
            out.spaces(3usize.saturating_sub(header.symbol.chars().count()))?;
            out.role(role(tone), header.symbol)?;
            out.lit(" ")?;
            out.role_data(Role::Strong, Untrusted(&header.address))?;
            out.lit(" ")?;
            let phrase_role = if is_grave { Role::StrongDelete } else { Role::Plain };
            out.role_data(phrase_role, Untrusted(&header.phrase))?;
            if list && !edits.is_empty() {
                out.data(Untrusted(&format!(": {}", one_line(edits))))?;
            }
            if list && !reasons.is_empty() {
                out.role_data(Role::Muted, Untrusted(&format!(" ({})", reasons.join("; "))))?;
            }
            Ok(())
        };
        let links = self.options.links;
        let in_fold = if lines.is_empty() {
            None
        } else {
            let text = capture(false, title)?;
            self.out.fold(text.trim_start())?
        };
        if in_fold.is_none() {
            self.text(|out| {
                title(out)?;
                if let Some((source, rest)) = source.as_ref().filter(|_| list) {
                    out.lit("  ")?;
                    place(out, source, rest, links)?;
                }
                out.lit("\n")
            })?;
        }
        self.text(|out| {
            if !list {
                if let Some((source, rest)) = &source {
                    out.spaces(depth * 2 + 4)?;
                    place(out, source, rest, links)?;
                    out.lit("\n")?;
                }
                for reason in reasons {
                    out.spaces(depth * 2 + 4)?;
                    let hanging = Hanging { indent: depth * 2 + 6, options: self.options };
                    hanging.write(out, Role::Update, &format!("↳ {reason}"), depth * 2 + 4)?;
                }
            }
            lines.iter().try_for_each(|line| lines::line(out, line, depth + 2, self.options))?;
            for address in &header.others {
                out.spaces(depth * 2 + 4)?;
                out.role(Role::Muted, "= ")?;
                out.data(Untrusted(address))?;
                out.lit("\n")?;
            }
            if lines.is_empty() { Ok(()) } else { out.lit("\n") }
        })?;
        in_fold.map_or(Ok(()), |fold| self.out.unfold(&fold))
    }
}

/// Writes a place in a configuration file, and the note about further places.
fn place(out: &mut Out<'_>, source: &SourcePlace, rest: &str, links: bool) -> io::Result<()> {
    let text = one_line(&source.text());
    if links {
        out.link_data(Role::Muted, &source.uri, Untrusted(&text))?;
    } else {
        out.role_data(Role::Muted, Untrusted(&text))?;
    }
    out.role(Role::Muted, rest)
}

fn verdict(out: &mut Out<'_>, verdict: &Verdict) -> io::Result<()> {
    let (role, sign) = match verdict {
        _ if verdict.errored => (Role::StrongDelete, "✗ "),
        _ if verdict.destroyed() > 0 => (Role::StrongDelete, "! "),
        _ if verdict.has_changes() => (Role::StrongWarning, "~ "),
        _ => (Role::StrongSuccess, "✓ "),
    };
    out.role(role, sign)?;
    out.role_data(Role::Strong, Untrusted(&verdict.lead()))?;
    out.lit("\n")?;
    if let Some(additions) = verdict.additions() {
        out.lit("  ")?;
        out.lit(&additions)?;
        out.lit("\n")?;
    }
    Ok(())
}

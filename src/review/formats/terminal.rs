//! Text: the verdict first, then resources in order of risk.

use std::io::{self, Write};

use super::{by_type, header, omissions, problem};
use crate::review::lines::{of_item, of_outputs};
use crate::review::{Item, Kind, Line, Options, Review, Sign, Tone, Verdict};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted, capture};

/// Writes reviews as text. In a CI system's log, resources fold and no value is taken for a command.
pub fn terminal(
    reviews: &[Review],
    options: &Options,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let mut view = View { options, out: Out::new(sink, colour).for_ci(ci), blank: true };
    if reviews.len() > 1 {
        let total = Verdict::total(reviews.iter().map(|review| &review.verdict));
        view.text(|out| {
            out.role(Role::Strong, &format!("{} plans: ", reviews.len()))?;
            verdict(out, &total)?;
            out.lit("\n")
        })?;
    }
    for review in reviews {
        view.review(review, reviews.len() > 1)?;
    }
    view.out.flush()
}

struct View<'v> {
    options: &'v Options,
    out: Out<'v>,
    /// The last line is empty.
    blank: bool,
}

impl View<'_> {
    fn text(&mut self, write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> io::Result<()> {
        let text = capture(self.out.colour(), write)?;
        if !text.is_empty() {
            self.blank = text
                == "
" || text.ends_with(
                "

",
            );
        }
        self.out.lit(&text)
    }

    fn review(&mut self, review: &Review, named: bool) -> io::Result<()> {
        self.gap()?;
        self.text(|out| {
            if named {
                out.role_data(Role::Strong, Untrusted(&format!("── {}", review.name)))?;
                out.lit("\n")?;
            }
            verdict(out, &review.verdict)
        })?;
        self.text(|out| {
            by_type(review).iter().try_for_each(|line| {
                out.role_data(Role::Muted, Untrusted(&format!("  {line}")))?;
                out.lit("\n")
            })
        })?;
        self.problems(review)?;
        if self.options.tree {
            self.tree(&review.items)?;
        } else {
            self.items(&review.items)?;
        }
        if !review.drift.is_empty() {
            self.heading("Changed outside of the tool")?;
            review.drift.iter().try_for_each(|item| self.item(item, 0))?;
        }
        if !review.deferred.is_empty() {
            self.heading("Put off to a later plan")?;
            review.deferred.iter().try_for_each(|item| self.item(item, 0))?;
        }
        if !review.invocations.is_empty() {
            self.heading("Actions to invoke")?;
            review.invocations.iter().try_for_each(|item| self.item(item, 0))?;
        }
        let outputs = of_outputs(review, self.options);
        if !outputs.is_empty() {
            self.heading("Outputs")?;
            self.text(|out| outputs.iter().try_for_each(|line| self::line(out, line, 1)))?;
        }
        let notes: Vec<String> = review.notes.iter().cloned().chain(omissions(review)).collect();
        if !notes.is_empty() {
            self.gap()?;
            self.text(|out| {
                notes.iter().try_for_each(|note| {
                    out.role_data(Role::Muted, Untrusted(&format!("({note})")))?;
                    out.lit("\n")
                })
            })?;
        }
        Ok(())
    }

    /// An empty line, unless there is one.
    fn gap(&mut self) -> io::Result<()> {
        if self.blank { Ok(()) } else { self.text(|out| out.lit("\n")) }
    }

    fn heading(&mut self, text: &str) -> io::Result<()> {
        self.gap()?;
        self.text(|out| {
            out.role_data(Role::Strong, Untrusted(text))?;
            out.lit("\n")
        })
    }

    fn problems(&mut self, review: &Review) -> io::Result<()> {
        if review.problems.is_empty() {
            return Ok(());
        }
        self.heading("Checks")?;
        self.text(|out| {
            review.problems.iter().try_for_each(|found| {
                let (role, sign) =
                    if found.is_failure() { (Role::StrongWarning, "  ! ") } else { (Role::Muted, "  ? ") };
                out.role(role, sign)?;
                out.data(Untrusted(&problem(found)))?;
                out.lit("\n")
            })
        })
    }

    /// By risk; what only the state knows comes last and apart.
    fn items(&mut self, items: &[Item]) -> io::Result<()> {
        let state_only = |item: &Item| matches!(item.kind, Kind::Import | Kind::Move);
        let mut last = None;
        for item in items {
            let state = state_only(item);
            if last != Some(state) {
                if state {
                    self.heading("State only: nothing is done to the objects")?;
                } else {
                    self.gap()?;
                }
                last = Some(state);
            }
            self.item(item, 0)?;
        }
        Ok(())
    }

    fn tree(&mut self, items: &[Item]) -> io::Result<()> {
        let mut modules: Vec<&str> = items.iter().map(|item| item.module.as_str()).collect();
        modules.sort_unstable();
        modules.dedup();
        for module in modules {
            self.heading(if module.is_empty() { "root module" } else { module })?;
            for item in items.iter().filter(|item| item.module == module) {
                self.item(item, 1)?;
            }
        }
        Ok(())
    }

    fn item(&mut self, item: &Item, depth: usize) -> io::Result<()> {
        let lines = if self.options.list { Vec::new() } else { of_item(item, self.options) };
        let (symbol, address, says) = header(item);
        let reasons = if self.options.list && !item.reasons.is_empty() {
            format!(" ({})", item.reasons.join("; "))
        } else {
            String::new()
        };
        let title = |out: &mut Out<'_>| {
            out.spaces(depth * 2)?;
            let pad = 3usize.saturating_sub(symbol.chars().count());
            out.spaces(pad)?;
            out.role(role(item.kind.tone()), symbol)?;
            out.lit(" ")?;
            out.role_data(Role::Strong, Untrusted(&address))?;
            out.lit(" ")?;
            let says_role = if item.is_irreversible() { Role::StrongDelete } else { Role::Plain };
            out.role_data(says_role, Untrusted(&says))?;
            out.role_data(Role::Muted, Untrusted(&reasons))
        };
        let in_fold = if lines.is_empty() {
            None
        } else {
            let text = capture(false, title)?;
            self.out.fold(text.trim_start())?
        };
        if in_fold.is_none() {
            self.text(|out| title(out).and_then(|()| out.lit("\n")))?;
        }
        let list = self.options.list;
        self.text(|out| {
            if !list {
                for reason in &item.reasons {
                    out.spaces(depth * 2 + 4)?;
                    out.role_data(Role::Update, Untrusted(&format!("↳ {reason}")))?;
                    out.lit("\n")?;
                }
            }
            lines.iter().try_for_each(|line| self::line(out, line, depth + 2))?;
            addresses(out, &item.addresses, depth)?;
            if lines.is_empty() { Ok(()) } else { out.lit("\n") }
        })?;
        in_fold.map_or(Ok(()), |fold| self.out.unfold(&fold))
    }
}

fn addresses(out: &mut Out<'_>, addresses: &[String], depth: usize) -> io::Result<()> {
    for address in addresses.iter().skip(1) {
        out.spaces(depth * 2 + 4)?;
        out.role(Role::Muted, "= ")?;
        out.data(Untrusted(address))?;
        out.lit("\n")?;
    }
    Ok(())
}

fn verdict(out: &mut Out<'_>, verdict: &Verdict) -> io::Result<()> {
    let (role, sign) = match verdict {
        _ if verdict.errored => (Role::StrongDelete, "✗ "),
        _ if verdict.of(Kind::Destroy) + verdict.of(Kind::Replace) > 0 => (Role::StrongDelete, "! "),
        _ if verdict.has_changes() => (Role::StrongWarning, "~ "),
        _ => (Role::StrongSuccess, "✓ "),
    };
    out.role(role, sign)?;
    out.role(Role::Strong, &verdict.sentence())?;
    out.lit("\n")
}

fn line(out: &mut Out<'_>, line: &Line, depth: usize) -> io::Result<()> {
    out.spaces(2 * (depth + line.depth))?;
    match line.sign {
        Sign::Add => out.role(Role::Create, "+ ")?,
        Sign::Remove => out.role(Role::Delete, "- ")?,
        Sign::Change => out.role(Role::Update, "~ ")?,
        Sign::Same | Sign::Note => out.spaces(2)?,
    }
    for span in &line.spans {
        out.role_data(role(span.tone), Untrusted(&crate::review::one_line(&span.text)))?;
    }
    out.lit("\n")
}

fn role(tone: Tone) -> Role {
    match tone {
        Tone::Plain | Tone::Name => Role::Plain,
        Tone::Muted => Role::Muted,
        Tone::Added => Role::Create,
        Tone::Removed => Role::Delete,
        Tone::Changed => Role::Update,
        Tone::AddedWord => Role::StrongSuccess,
        Tone::RemovedWord | Tone::Alert => Role::StrongDelete,
    }
}

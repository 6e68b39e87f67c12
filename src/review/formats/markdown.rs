//! Markdown for pull requests, within a number of bytes.
//!
//! Invariants: a fence is longer than any run of backticks in it, and is never cut; outside of
//! fences, what came from the plan stands in code, so that it links, mentions and embeds nothing;
//! the text has at most [`Budget::bytes`] bytes: the least risky resources lose their diffs first,
//! then the gravest, then they are counted in the same order, and the text says how many.

use super::problem;
use super::units::{Header, Unit, Units, by_type, facts, origin};
use crate::review::entry::{Invocation, PlanReview};
use crate::review::ledger::untold_sentence;
use crate::review::lines::{Line, Sign};
use crate::review::text::{of_entry, of_invocation, of_outputs};
use crate::review::{Kind, Ledger, List, Options, Telling, Verdict, count, reasons};
use crate::term;
use crate::text::markdown::{fenced, longest_run};

/// How large the text may become, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most bytes.
    pub bytes: usize,
    /// The platform shows `<details>`.
    pub details: bool,
}

impl Budget {
    /// A platform by name, or a number of bytes.
    pub fn of_word(word: &str) -> Option<Self> {
        let details = word != "bitbucket";
        let bytes = match word {
            "github" => 65_536,
            "gitlab" => 1_000_000,
            "azure" => 150_000,
            "bitbucket" => 32_768,
            number => number.parse().ok()?,
        };
        Some(Self { bytes, details })
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { bytes: usize::MAX, details: true }
    }
}

/// Longer addresses and reasons are cut.
const LONGEST: usize = 200;
/// Room for what a section says when it leaves something out.
const RESERVE: usize = 200;
/// Lines that are left of a diff before all of it goes.
const FEW: usize = 15;

/// How much of something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Whole,
    Begin,
    Header,
    Counted,
}

/// A piece of the text that can be made smaller.
struct Piece {
    levels: [String; 3],
    weight: Keep,
    /// It only says what follows.
    is_heading: bool,
    level: Level,
    /// The entries that it tells of, with how it tells of their edits when it is whole.
    entries: Vec<(List, usize, Vec<Option<Telling>>)>,
}

/// What is kept longest when space is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Keep {
    /// The index repeats what follows.
    Index,
    Plain,
    Grave,
}

impl Piece {
    fn new(levels: [String; 3], weight: Keep) -> Self {
        Self { levels, weight, is_heading: false, level: Level::Whole, entries: Vec::new() }
    }

    fn heading(text: &str) -> Self {
        let line = format!("\n{text}\n\n");
        Self { is_heading: true, ..Self::new([line.clone(), line.clone(), line], Keep::Plain) }
    }

    fn size(&self) -> usize {
        self.levels.get(self.level as usize).map_or(0, String::len)
    }

    fn text(&self) -> &str {
        self.levels.get(self.level as usize).map_or("", String::as_str)
    }

    /// How many entries it tells of; outputs are told of together.
    fn counts(&self) -> usize {
        self.entries.iter().filter(|(list, ..)| *list != List::Outputs).count()
    }

    /// Whether it has less than the whole text.
    fn is_smaller(&self) -> bool {
        self.levels.first().map(String::len) > Some(self.size())
    }

    /// What is cut is counted: how many entries are shortened, without details, or not listed.
    fn record(&self, ledger: &mut Ledger) {
        for (list, at, tellings) in &self.entries {
            if self.is_smaller() {
                ledger.record_all(*list, *at, Telling::Counted, Telling::Counted);
            } else {
                ledger.record(*list, *at, tellings);
            }
        }
    }
}

/// One plan's part of the text.
struct Section {
    title: String,
    pieces: Vec<Piece>,
    ledger: Ledger,
}

/// The reviews as Markdown, and how each plan's edits are told of.
pub fn markdown(reviews: &[PlanReview<'_>], options: &Options, budget: Budget) -> (String, Vec<Ledger>) {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::of_plan).collect();
    let mut text = String::new();
    if reviews.len() > 1 {
        let total = Verdict::total(verdicts.iter());
        text.push_str(&format!("**{} plans: {}**\n\n", reviews.len(), sentence(&total)));
        let table = plans_table(reviews, &verdicts);
        if table.len() < budget.bytes / 4 {
            text.push_str(&table);
        }
    }
    let mut sections: Vec<Section> = reviews
        .iter()
        .zip(&verdicts)
        .map(|(review, verdict)| section(review, verdict, reviews.len() > 1, options, budget))
        .collect();
    shrink(&mut sections, text.len(), budget.bytes);
    let mut left_out = 0;
    for (at, section) in sections.iter_mut().enumerate() {
        // When even the verdicts of all plans do not fit, the rest of the plans is counted.
        let size = section.title.len() + section.pieces.iter().map(Piece::size).sum::<usize>() + RESERVE;
        if at > 0 && text.len() + size + RESERVE > budget.bytes {
            left_out = reviews.len() - at;
            break;
        }
        text.push_str(&section.title);
        for piece in &section.pieces {
            text.push_str(piece.text());
            piece.record(&mut section.ledger);
        }
        text.push_str(&summary(&section.pieces));
        if let Some(sentence) = untold_sentence(section.ledger.untold()) {
            text.push_str(&format!("\n**{sentence}**\n"));
        }
    }
    if left_out > 0 {
        let mut hidden = 0;
        for section in sections.iter_mut().rev().take(left_out) {
            for piece in &mut section.pieces {
                piece.level = Level::Counted;
                piece.record(&mut section.ledger);
                hidden += piece.counts();
            }
        }
        let (plans, hidden) = (count(left_out, "more plan"), count(hidden, "entry"));
        text.push_str(&format!(
            "\n_{plans} with {hidden} not shown for the size; run `tfview review` on them._\n"
        ));
    }
    (text, sections.into_iter().map(|section| section.ledger).collect())
}

/// A table of several plans, those with the gravest changes first.
fn plans_table(reviews: &[PlanReview<'_>], verdicts: &[Verdict]) -> String {
    const COLUMNS: [Kind; 5] = [Kind::Destroy, Kind::Replace, Kind::Forget, Kind::Update, Kind::Create];
    let mut rows: Vec<(&PlanReview<'_>, &Verdict)> = reviews.iter().zip(verdicts).collect();
    let rank = |verdict: &Verdict| {
        (
            verdict.errored,
            verdict.destroyed(),
            verdict.of(Kind::ReplaceForget),
            verdict.of(Kind::Forget),
            verdict.of(Kind::Update),
            verdict.resources(),
        )
    };
    rows.sort_by_key(|(_, verdict)| std::cmp::Reverse(rank(verdict)));
    let mut table =
        "| plan | | destroy | replace | forget | change | create |\n|---|---|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for (review, verdict) in rows {
        let state = if verdict.errored { "❌ planning failed" } else { sign(verdict) };
        table.push_str(&format!("| {} | {state} |", cell(&review.name)));
        for kind in COLUMNS {
            let number = verdict.of(kind);
            table.push_str(&if number > 0 { format!(" {number} |") } else { " |".to_owned() });
        }
        table.push('\n');
    }
    table.push('\n');
    table
}

/// What is said of pieces that were made smaller.
fn summary(pieces: &[Piece]) -> String {
    let at = |level: Level| pieces.iter().filter(move |piece| piece.level == level);
    // A short piece may have nothing to lose.
    let of = |level: Level| at(level).filter(|piece| piece.is_smaller()).map(Piece::counts).sum::<usize>();
    let no_entry = |piece: &&Piece| piece.counts() == 0 && !piece.is_heading && piece.weight != Keep::Index;
    let others = at(Level::Counted).filter(no_entry).count();
    let shortened =
        pieces.iter().filter(no_entry).filter(|piece| piece.is_smaller() && piece.size() > 0).count();
    let mut said: Vec<String> = [
        (of(Level::Begin), "shortened"),
        (of(Level::Header), "without details"),
        (of(Level::Counted), "not listed"),
    ]
    .iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{} {what}", count(*number, "entry")))
    .collect();
    if shortened > 0 {
        said.push(format!("{} shortened", count(shortened, "section")));
    }
    if others > 0 {
        said.push(format!("{} not shown", count(others, "other line")));
    }
    if said.is_empty() {
        return String::new();
    }
    format!("\n_Cut for the size: {}. `tfview review` prints all._\n\n", said.join(", "))
}

/// Makes pieces smaller until all fit: the index first, then the least risky (the last) first, at each
/// level.
fn shrink(sections: &mut [Section], head: usize, budget: usize) {
    let size = |section: &Section| {
        section.title.len() + RESERVE + section.pieces.iter().map(Piece::size).sum::<usize>()
    };
    let mut now = head + sections.iter().map(size).sum::<usize>();
    let steps = [
        (Keep::Index, Level::Begin),
        (Keep::Plain, Level::Begin),
        (Keep::Index, Level::Header),
        (Keep::Plain, Level::Header),
        (Keep::Grave, Level::Begin),
        (Keep::Grave, Level::Header),
        (Keep::Index, Level::Counted),
        (Keep::Plain, Level::Counted),
        (Keep::Grave, Level::Counted),
    ];
    for (weight, level) in steps {
        for section in sections.iter_mut().rev() {
            for piece in section.pieces.iter_mut().rev().filter(|piece| piece.weight == weight) {
                if now <= budget {
                    return;
                }
                now -= piece.size();
                piece.level = level;
                now += piece.size();
            }
        }
    }
}

fn section(
    review: &PlanReview<'_>,
    verdict: &Verdict,
    named: bool,
    options: &Options,
    budget: Budget,
) -> Section {
    let mut ledger = Ledger::new(review);
    let units = Units::new(review, options, &mut ledger);
    let mut title = String::new();
    if named {
        title.push_str(&format!("\n### {}\n\n", code(&review.name)));
    }
    title.push_str(&format!("**{}**\n\n", sentence(verdict)));
    let mut pieces = Vec::new();
    let (facts, more) = facts(&units.resources);
    for fact in &facts {
        let text = format!("**{}** {} {}", fact.kind.name(), code(&fact.address), code(fact.text));
        pieces.push(note(&text, Keep::Grave));
    }
    if more > 0 {
        pieces.push(note(&format!("{} below", count(more, "more fact")), Keep::Grave));
    }
    for found in &review.checks {
        let sign = if found.is_failure() { "⚠️" } else { "❔" };
        pieces.push(note(&format!("{sign} {}", code(&problem(found))), Keep::Grave));
    }
    let types = by_type(&units.resources).into_iter().chain(origin(review));
    pieces.extend(types.map(|line| note(&code(&line), Keep::Plain)));
    pieces.extend(index(&units.resources));
    resources(&units.resources, options, budget, &mut pieces);
    for (heading, units) in
        [("Changed outside of the tool", &units.drift), ("Put off to a later plan", &units.deferred)]
    {
        if !units.is_empty() {
            pieces.push(Piece::heading(&format!("#### {heading}")));
            pieces.extend(units.iter().map(|unit| of_unit(unit, options, budget)));
        }
    }
    if !units.invocations.is_empty() {
        pieces.push(Piece::heading("#### Actions to invoke"));
        let invocations = units.invocations.iter();
        pieces.extend(invocations.map(|(at, invocation)| of_action(*at, invocation, options, budget)));
    }
    pieces.extend(outputs(review, options, budget));
    pieces.extend(units.notes.iter().map(|text| note(&code(text), Keep::Plain)));
    Section { title, pieces, ledger }
}

/// The resources, below headings by action, or by module.
fn resources(units: &[Unit<'_, '_>], options: &Options, budget: Budget, pieces: &mut Vec<Piece>) {
    let mut sorted: Vec<&Unit<'_, '_>> = units.iter().collect();
    if options.tree {
        sorted.sort_by_key(|unit| unit.entry.module_address);
    }
    let is_same = |unit: &&Unit<'_, '_>, other: &&Unit<'_, '_>| match options.tree {
        true => unit.entry.module_address == other.entry.module_address,
        false => unit.kind() == other.kind(),
    };
    for part in sorted.chunk_by(is_same) {
        let Some(first) = part.first() else { continue };
        let number: usize = part.iter().map(|unit| unit.places.len()).sum();
        pieces.push(Piece::heading(&match first.kind() {
            kind if !options.tree => format!("#### {number} {}", kind.verdict()),
            _ if first.entry.module_address.is_empty() => "#### root module".to_owned(),
            _ => format!("#### {}", code(first.entry.module_address)),
        }));
        pieces.extend(part.iter().map(|unit| of_unit(unit, options, budget)));
    }
}

/// A table of what happens to which resource, where there are many.
fn index(units: &[Unit<'_, '_>]) -> Option<Piece> {
    const MANY: usize = 5;
    const ROWS: usize = 60;
    if units.len() <= MANY {
        return None;
    }
    let table = |most: usize| {
        let mut text = "\n| | resource | what changes |\n|---|---|---|\n".to_owned();
        for unit in units.iter().take(most) {
            let header = unit.header();
            let preview = unit.preview();
            let what = if preview.is_empty() { code_free(&header.says) } else { cell(&preview) };
            text.push_str(&format!("| {} | {} | {what} |\n", cell(header.symbol), cell(&header.address)));
        }
        if units.len() > most {
            text.push_str(&format!("\n{} below.\n", count(units.len() - most, "more change")));
        }
        text.push('\n');
        text
    };
    Some(Piece::new([table(ROWS), table(15), String::new()], Keep::Index))
}

/// A line that is there or not.
fn note(text: &str, weight: Keep) -> Piece {
    let line = format!("- {text}\n");
    Piece::new([line.clone(), line.clone(), line], weight)
}

fn outputs(review: &PlanReview<'_>, options: &Options, budget: Budget) -> Option<Piece> {
    if review.outputs.is_empty() {
        return None;
    }
    let outputs = of_outputs(&review.outputs, options);
    let header = format!("{} to change", count(review.outputs.len(), "output"));
    let level = |most: usize| details(&header, &fence(&outputs.lines, most), budget);
    let mut piece = Piece::new([level(usize::MAX), level(FEW), format!("- {header}\n")], Keep::Plain);
    let tellings = outputs.tellings.into_iter().enumerate();
    piece.entries = tellings.map(|(at, tellings)| (List::Outputs, at, tellings)).collect();
    Some(piece)
}

fn of_unit(unit: &Unit<'_, '_>, options: &Options, budget: Budget) -> Piece {
    let text = of_entry(unit.entry, options);
    let reasons: Vec<&str> = unit.entry.reasons.iter().map(|reason| reason.text.as_str()).collect();
    let weight = if unit.is_grave() || matches!(unit.kind(), Kind::ReplaceForget | Kind::Forget) {
        Keep::Grave
    } else {
        Keep::Plain
    };
    let lines = if options.list { &[][..] } else { &text.lines };
    let item = Item { header: &unit.header(), preview: &unit.preview(), reasons: &reasons, lines };
    let mut piece = item.piece(weight, unit.is_grave(), budget);
    let tellings = match options.list {
        true => vec![Some(Telling::Counted); unit.entry.edits.len()],
        false => text.tellings,
    };
    piece.entries = unit.places.iter().map(|at| (unit.list, *at, tellings.clone())).collect();
    piece
}

fn of_action(at: usize, invocation: &Invocation<'_>, options: &Options, budget: Budget) -> Piece {
    let text = of_invocation(invocation, options);
    let address = crate::review::one_line(invocation.address);
    let header = Header { symbol: "!", address, says: "is invoked".to_owned(), others: Vec::new() };
    let reason = reasons::invoked(invocation);
    let lines = if options.list { &[][..] } else { &text.lines };
    let mut piece =
        Item { header: &header, preview: "", reasons: &[&reason], lines }.piece(Keep::Plain, false, budget);
    piece.entries = vec![(List::Invocations, at, text.tellings)];
    piece
}

/// What a fold says.
struct Item<'i> {
    header: &'i Header,
    /// What changes, in short.
    preview: &'i str,
    reasons: &'i [&'i str],
    lines: &'i [Line],
}

impl Item<'_> {
    fn piece(&self, weight: Keep, open: bool, budget: Budget) -> Piece {
        let Header { symbol, address, says, others } = self.header;
        let list = |texts: &mut dyn Iterator<Item = &str>| -> String {
            texts.map(|text| format!("- {}\n", code(text))).collect()
        };
        let reasons = list(&mut self.reasons.iter().copied());
        let others = list(&mut others.iter().map(String::as_str));
        let (preview, preview_html) = match self.preview {
            "" => (String::new(), String::new()),
            preview => (format!(": {}", code(preview)), format!(": {}", html(preview))),
        };
        let line = format!("- {} {} {}{preview}\n", code(symbol), code(address), code_free(says));
        let header = format!("{} {} {}{preview_html}", html(symbol), html(address), escape_html(says));
        let level = |most: usize| -> String {
            if self.lines.is_empty() && reasons.is_empty() && others.is_empty() {
                return line.clone();
            }
            let diff = if self.lines.is_empty() { String::new() } else { fence(self.lines, most) };
            let parts: Vec<&str> =
                [&*reasons, &diff, &others].into_iter().filter(|part| !part.is_empty()).collect();
            details_html(&header, &line, &parts.join("\n"), open, budget)
        };
        Piece::new([level(usize::MAX), level(FEW), line.clone()], weight)
    }
}

fn details(header: &str, body: &str, budget: Budget) -> String {
    details_html(header, &format!("- {header}\n"), body, false, budget)
}

/// Something that opens (what is grave stands open), or where the platform has no such thing, plain text.
fn details_html(header: &str, line: &str, body: &str, open: bool, budget: Budget) -> String {
    if budget.details {
        let open = if open { " open" } else { "" };
        format!("<details{open}><summary>{header}</summary>\n\n{body}\n</details>\n\n")
    } else {
        // The empty line before it ends a list that would go on else.
        format!("\n{}\n{body}\n", line.trim_start_matches("- "))
    }
}

/// A diff in a fence: the signs in column 0, which colours the lines.
fn fence(lines: &[Line], most: usize) -> String {
    let mut body = String::new();
    for line in lines.iter().take(most) {
        let sign = match line.sign {
            Sign::Add => '+',
            Sign::Remove => '-',
            Sign::Change => '!',
            Sign::Same => ' ',
            Sign::Note => '#',
        };
        body.push(sign);
        body.push(' ');
        body.push_str(&"  ".repeat(line.depth));
        body.push_str(&visible(&line.text()));
        body.push('\n');
    }
    if lines.len() > most {
        body.push_str(&format!("# … {} more\n", count(lines.len() - most, "line")));
    }
    fenced("diff", &body)
}

/// A text from the plan as a span of code.
fn code(text: &str) -> String {
    let text = cut(&visible(text));
    if text.trim().is_empty() {
        return "` `".to_owned();
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Our own words, which may quote an unknown action.
fn code_free(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " —×;:,()-".contains(c);
    visible(text).chars().map(|c| if plain(c) { c } else { '·' }).collect()
}

fn html(text: &str) -> String {
    format!("<code>{}</code>", escape_html(&cut(&visible(text))))
}

fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '@' => out.push_str("&#64;"),
            c => out.push(c),
        }
    }
    out
}

fn sign(verdict: &Verdict) -> &'static str {
    match verdict {
        _ if verdict.errored => "❌",
        _ if verdict.destroyed() > 0 => "🔴",
        _ if verdict.has_changes() => "🟡",
        _ => "🟢",
    }
}

fn sentence(verdict: &Verdict) -> String {
    const NAMED: usize = 5;
    let mut text = format!("{} ", sign(verdict));
    if verdict.errored {
        let names =
            verdict.failed_plans.iter().take(NAMED).map(|name| code(name)).collect::<Vec<_>>().join(", ");
        let more = verdict.failed_plans.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        text.push_str(&format!("PLANNING FAILED: {names}{rest}. So far: "));
    }
    text.push_str(&format!("{}.", verdict.changes()));
    if let Some(besides) = verdict.besides() {
        text.push_str(&format!(" {besides}"));
    }
    text
}

/// A text from the plan as a span of code in a table, where a bar would end the cell.
fn cell(text: &str) -> String {
    code(&text.replace('|', "¦"))
}

/// A long text without its end, which is counted.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => {
            let (kept, rest) = text.split_at(at);
            format!("{kept}…({})", count(rest.chars().count(), "more character"))
        }
        None => text.to_owned(),
    }
}

/// A text from the plan on one line, with all that hides made visible.
fn visible(text: &str) -> String {
    term::visible(&text.replace(['\n', '\r'], "␊"))
}

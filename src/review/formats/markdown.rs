//! Markdown for pull requests, within a number of bytes.
//!
//! Invariants: a fence is longer than any run of backticks in it, and is never cut; outside of
//! fences, what came from the plan stands in code, so that it links, mentions and embeds nothing;
//! the text has at most [`Budget::bytes`] bytes: the least risky resources lose their diffs first,
//! then the gravest, then they are counted in the same order, and the text says how many.

use super::{by_type, header, omissions, problem};
use crate::review::lines::{of_item, of_outputs};
use crate::review::{Item, Kind, Line, Options, Place, Review, Sign, Verdict, count, entries};
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
    grave: bool,
    /// It only says what follows.
    is_heading: bool,
    level: Level,
    /// How many resources (or actions) it tells of; none for other lines.
    counts: usize,
}

impl Piece {
    fn size(&self) -> usize {
        self.levels.get(self.level as usize).map_or(0, String::len)
    }

    fn text(&self) -> &str {
        self.levels.get(self.level as usize).map_or("", String::as_str)
    }
}

/// The reviews as markdown.
pub fn markdown(reviews: &[Review], options: &Options, budget: Budget) -> String {
    let mut head = String::new();
    let total = Verdict::total(reviews.iter().map(|review| &review.verdict));
    if reviews.len() > 1 {
        head.push_str(&format!("**{} plans: {}**\n\n", reviews.len(), sentence(&total)));
    }
    let mut sections: Vec<(String, Vec<Piece>)> =
        reviews.iter().map(|review| section(review, reviews.len() > 1, options, budget)).collect();
    shrink(&mut sections, head.len(), budget.bytes);
    let mut text = head.clone();
    let mut left_out = 0;
    for (at, (title, pieces)) in sections.iter().enumerate() {
        // When even the verdicts of all plans do not fit, the rest of the plans is counted.
        let size = title.len() + pieces.iter().map(Piece::size).sum::<usize>() + RESERVE;
        if at > 0 && text.len() + size + RESERVE > budget.bytes {
            left_out = sections.len() - at;
            break;
        }
        text.push_str(title);
        for piece in pieces {
            text.push_str(piece.text());
        }
        text.push_str(&summary(pieces));
    }
    if left_out > 0 {
        let rest = sections.iter().rev().take(left_out).flat_map(|(_, pieces)| pieces);
        let hidden = entries(rest.map(|piece| piece.counts).sum());
        let plans = count(left_out, "more plan");
        text.push_str(&format!(
            "\n_{plans} with {hidden} not shown for the size; run `tfview review` on them._\n"
        ));
    }
    text
}

/// What is said of pieces that were made smaller.
fn summary(pieces: &[Piece]) -> String {
    let at = |level: Level| pieces.iter().filter(move |piece| piece.level == level);
    // A short piece may have nothing to lose.
    let is_smaller = |piece: &&Piece| piece.levels.first().map(String::len) > Some(piece.size());
    let of = |level: Level| at(level).filter(is_smaller).map(|piece| piece.counts).sum::<usize>();
    let others = at(Level::Counted).filter(|piece| piece.counts == 0 && !piece.is_heading).count();
    let mut said: Vec<String> = [
        (of(Level::Begin), "shortened"),
        (of(Level::Header), "without details"),
        (of(Level::Counted), "not listed"),
    ]
    .iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{} {what}", entries(*number)))
    .collect();
    let is_shortened = |piece: &&Piece| {
        piece.counts == 0 && piece.levels.first().map(String::len) > Some(piece.size()) && piece.size() > 0
    };
    let shortened = pieces.iter().filter(is_shortened).count();
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

/// Makes pieces smaller until all fit: the least risky (the last) first, at each level.
fn shrink(sections: &mut [(String, Vec<Piece>)], head: usize, budget: usize) {
    let size = |sections: &[(String, Vec<Piece>)]| -> usize {
        head + sections
            .iter()
            .map(|(title, pieces)| title.len() + RESERVE + pieces.iter().map(Piece::size).sum::<usize>())
            .sum::<usize>()
    };
    let mut now = size(sections);
    let steps = [
        (false, Level::Begin),
        (false, Level::Header),
        (true, Level::Begin),
        (true, Level::Header),
        (false, Level::Counted),
        (true, Level::Counted),
    ];
    for (grave, level) in steps {
        for (_, pieces) in sections.iter_mut().rev() {
            for piece in pieces.iter_mut().rev().filter(|piece| piece.grave == grave) {
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

fn section(review: &Review, named: bool, options: &Options, budget: Budget) -> (String, Vec<Piece>) {
    let mut title = String::new();
    if named {
        title.push_str(&format!("\n### {}\n\n", code(&review.name)));
    }
    title.push_str(&format!("**{}**\n\n", sentence(&review.verdict)));
    let mut pieces = Vec::new();
    for found in &review.problems {
        let sign = if found.is_failure() { "⚠️" } else { "❔" };
        pieces.push(note(&format!("{sign} {}", code(&problem(found))), true));
    }
    pieces.extend(by_type(review).iter().map(|line| note(&code(line), false)));
    let mut modules: Vec<&str> = vec![""];
    if options.tree {
        modules = review.items.iter().map(|item| item.module.as_str()).collect();
        modules.sort_unstable();
        modules.dedup();
    }
    for module in modules {
        if options.tree {
            let name = if module.is_empty() { "root module".to_owned() } else { code(module) };
            pieces.push(Piece {
                levels: [(); 3].map(|()| format!("\n#### {name}\n\n")),
                grave: false,
                is_heading: true,
                level: Level::Whole,
                counts: 0,
            });
        }
        let shown = review.items.iter().filter(|item| !options.tree || item.module == module);
        pieces.extend(shown.map(|item| piece(item, options, budget)));
    }
    let besides = review.drift.iter().chain(&review.deferred).chain(&review.invocations);
    pieces.extend(besides.map(|item| piece(item, options, budget)));
    let outputs = of_outputs(review, options);
    if !outputs.is_empty() {
        let says = count(review.verdict.outputs, "output");
        let header = format!("{says} to change");
        pieces.push(Piece {
            levels: [
                details(&header, &fence(&outputs, usize::MAX), budget),
                details(&header, &fence(&outputs, FEW), budget),
                format!("- {header}\n"),
            ],
            grave: false,
            is_heading: false,
            level: Level::Whole,
            counts: 0,
        });
    }
    let notes = review.notes.iter().cloned().chain(omissions(review));
    pieces.extend(notes.map(|text| note(&code(&text), false)));
    (title, pieces)
}

/// A line that is there or not.
fn note(text: &str, grave: bool) -> Piece {
    let line = format!("- {text}\n");
    let levels = [line.clone(), line.clone(), line];
    Piece { levels, grave, is_heading: false, level: Level::Whole, counts: 0 }
}

fn piece(item: &Item, options: &Options, budget: Budget) -> Piece {
    let (symbol, address, says) = header(item);
    let lines = if options.list { Vec::new() } else { of_item(item, options) };
    let reasons: String = item.reasons.iter().map(|reason| format!("- {}\n", code(reason))).collect();
    let mut others = String::new();
    for other in item.addresses.iter().skip(1) {
        others.push_str(&format!("- {}\n", code(other)));
    }
    let line = format!("- {} {} {}\n", code(symbol), code(&address), code_free(&says));
    let header = format!("{} {} {}", html(symbol), html(&address), escape_html(&says));
    let is_grave = matches!(item.kind, Kind::Destroy | Kind::Replace | Kind::Succeed | Kind::Forget);
    let grave = item.place == Place::Planned && is_grave;
    let level = |lines: &[Line], most: usize| -> String {
        if lines.is_empty() && reasons.is_empty() && others.is_empty() {
            return line.clone();
        }
        let diff = if lines.is_empty() { String::new() } else { fence(lines, most) };
        let parts: Vec<&str> =
            [&*reasons, &diff, &others].into_iter().filter(|part| !part.is_empty()).collect();
        let body = parts.join("\n");
        details_html(&header, &line, &body, grave, budget)
    };
    Piece {
        levels: [level(&lines, usize::MAX), level(&lines, FEW), line.clone()],
        grave,
        is_heading: false,
        level: Level::Whole,
        counts: item.addresses.len(),
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

fn sentence(verdict: &Verdict) -> String {
    let sign = match verdict {
        _ if verdict.errored => "❌",
        _ if verdict.of(Kind::Destroy) + verdict.of(Kind::Replace) > 0 => "🔴",
        _ if verdict.has_changes() => "🟡",
        _ => "🟢",
    };
    format!("{sign} {}", verdict.sentence())
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

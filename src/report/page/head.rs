//! What precedes the entries on a page: the band with the verdict and the counts, the findings as cards, the index of
//! modules, and the table of units.

use crate::page::{Attribute, Class, Data, Element, Html, Id};
use crate::report::{
    Count, FindingLine, Findings, Head, Headline, Level, ModuleRow, Part, Report, Section, VISIBLE_FINDINGS,
};
use crate::term::Untrusted;
use crate::text::{count, one_line};

/// The number of findings of a card that are shown unopened.
const CARD_LINES: usize = 6;
/// The number of modules above which the tree is folded at its second level.
const MANY_MODULES: usize = 20;

/// The numbers of a unit.
const NUMBERS: [&str; 5] = ["destroy", "replace", "forget", "change", "create"];

fn band_of(headline: &Headline) -> Class {
    match headline.level {
        _ if headline.errored => Class::BAND_CRITICAL,
        Level::Critical => Class::BAND_CRITICAL,
        Level::Warning => Class::BAND_WARNING,
        Level::Notice => Class::BAND_NOTICE,
        Level::None => Class::BAND_CALM,
    }
}

/// The class of the name of a finding.
pub(super) fn class(level: Level) -> Class {
    match level {
        Level::Critical => Class::FINDING,
        Level::Warning => Class::WARNING,
        Level::Notice | Level::None => Class::NOTICE,
    }
}

/// Writes the verdict on a plan and its counts.
pub(super) fn band(html: &mut Html, part: &Part<'_>) {
    html.element(Element::DIV, &[Attribute::Class(band_of(&part.headline))], |html| {
        let name = part.name.as_ref().map(|name| format!("{}: ", one_line(name)));
        verdict(html, &part.headline, &name.unwrap_or_default());
        html.list(Class::CHIPS, &part.counts, chip);
    });
}

/// Writes the verdict on all units.
pub(super) fn total(html: &mut Html, total: &Headline, units: &str) {
    html.element(Element::DIV, &[Attribute::Class(band_of(total))], |html| {
        verdict(html, total, units);
    });
}

fn verdict(html: &mut Html, headline: &Headline, name: &str) {
    html.element(Element::H2, &[Attribute::Class(Class::VERDICT)], |html| {
        html.strong(Class::SIGN, headline.sign());
        html.text(" ");
        let failed = headline.errored.then_some((Level::Critical, "failed"));
        let is_graver = !headline.errored || headline.level == Level::Critical;
        let level =
            (headline.level != Level::None && is_graver).then(|| (headline.level, headline.level.name()));
        for (level, word) in failed.into_iter().chain(level) {
            html.strong(class(level), word);
            html.text(" ");
        }
        html.data(Untrusted(name));
        html.data(Untrusted(&headline.lead(one_line)));
    });
    if let Some(additions) = &headline.additions {
        html.element(Element::P, &[], |html| html.data(Untrusted(additions)));
    }
}

/// Writes a count, which the script makes a filter.
fn chip(html: &mut Html, count: &Count) {
    let filter = format!("{}:{}", if count.is_level { "f" } else { "a" }, count.word);
    let attributes = [Attribute::Class(Class::CHIP), Attribute::Data(Data::FILTER, Untrusted(&filter))];
    html.element(Element::SPAN, &attributes, |html| {
        html.strong(Class::BOLD, &count.number.to_string());
        html.data(Untrusted(&format!(" {}", count.text)));
    });
}

/// Writes the findings as cards: one for each kind and level.
pub(super) fn findings(html: &mut Html, findings: &Findings) {
    if findings.shown.is_empty() {
        return;
    }
    let mut cards: Vec<Vec<&FindingLine>> = Vec::new();
    for line in &findings.shown {
        let is_same = |card: &&mut Vec<&FindingLine>| {
            card.first().is_some_and(|first| first.level == line.level && first.kind == line.kind)
        };
        match cards.iter_mut().find(is_same) {
            Some(card) => card.push(line),
            None => cards.push(vec![line]),
        }
    }
    let mut left = VISIBLE_FINDINGS;
    html.element(Element::DIV, &[Attribute::Class(Class::CARDS)], |html| {
        for card in cards {
            let Some(first) = card.first() else { continue };
            html.element(Element::DIV, &[Attribute::Class(Class::CARD)], |html| {
                html.element(Element::H3, &[], |html| {
                    finding_name(html, first.level, first.kind);
                    let number: usize = card.iter().map(|line| line.number.max(1)).sum();
                    if number > 1 {
                        html.remark(Class::TIMES, &format!("× {number}"));
                    }
                });
                let (shown, rest) = card.split_at(card.len().min(CARD_LINES).min(left.max(1)));
                left = left.saturating_sub(shown.len());
                html.list(Class::FINDINGS, shown, finding);
                if !rest.is_empty() {
                    html.element(Element::DETAILS, &[], |html| {
                        let more = count(rest.len(), "more finding");
                        html.element(Element::SUMMARY, &[], |html| html.data(Untrusted(&more)));
                        html.list(Class::FINDINGS, rest, finding);
                    });
                }
            });
        }
    });
    findings.rest().iter().for_each(|rest| html.paragraph(Class::CUT, &format!("… {rest}")));
}

fn finding(html: &mut Html, finding: &&FindingLine) {
    let entries = ranges(&finding.entries);
    let attributes = [Attribute::Data(Data::ENTRIES, Untrusted(&entries))];
    html.element(Element::SPAN, &attributes, |html| {
        let address = |html: &mut Html| html.code(&one_line(&finding.address));
        match finding.entry {
            Some(entry) => html.element(Element::A, &[Attribute::Link(Id::Change(entry))], address),
            None => address(html),
        }
        html.data(Untrusted(&format!(" {}", one_line(&finding.text))));
    });
}

/// Numbers in short: `3-42 50`.
fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    for run in numbers.chunk_by(|one, next| one + 1 == *next) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let space = if text.is_empty() { "" } else { " " };
        text.push_str(&match first == last {
            true => format!("{space}{first}"),
            false => format!("{space}{first}-{last}"),
        });
    }
    text
}

/// Writes the level and the kind of a finding.
pub(super) fn finding_name(html: &mut Html, level: Level, kind: &str) {
    html.strong(class(level), &format!("{} {kind}", level.name()));
}

/// Writes the index: the modules as a tree, then the other sections, whose IDs begin with `first`.
pub(super) fn index(html: &mut Html, part: &Part<'_>, first: usize) {
    let is_module = |at: &usize| part.modules.iter().any(|row| row.section == Some(*at));
    let titles = part.sections.iter().map(|section: &Section<'_>| one_line(section.title.text()));
    let titles = titles.zip(part.sections.iter().map(|section| &*section.counts));
    let apart = part.apart.iter().map(|_| (super::results::TITLE.to_owned(), ""));
    let outputs = apart.chain(part.outputs.iter().map(|_| ("Outputs".to_owned(), "")));
    let titles: Vec<(usize, (String, &str))> = titles.chain(outputs).enumerate().collect();
    if titles.len() < 2 && part.modules.len() < 2 {
        return;
    }
    html.element(Element::NAV, &[Attribute::Label("Sections")], |html| {
        if !part.modules.is_empty() {
            tree(html, &part.modules, first, part.modules.len() > MANY_MODULES);
        }
        html.element(Element::UL, &[Attribute::Class(Class::TREE)], |html| {
            for (at, (title, counts)) in titles.iter().filter(|(at, _)| !is_module(at)) {
                html.element(Element::LI, &[], |html| {
                    link(html, Some(first + at), title, counts);
                });
            }
        });
    });
}

/// Writes rows of modules, of which the first has the lowest depth.
fn tree(html: &mut Html, rows: &[ModuleRow], first: usize, is_folded: bool) {
    html.element(Element::UL, &[Attribute::Class(Class::TREE)], |html| {
        let depth = rows.first().map_or(0, |row| row.depth);
        let mut rest = rows;
        while let [row, below @ ..] = rest {
            let inside = below.iter().take_while(|row| row.depth > depth).count();
            let (inside, after) = below.split_at(inside);
            rest = after;
            html.element(Element::LI, &[], |html| {
                let section = row.section.map(|at| first + at);
                if inside.is_empty() {
                    return link(html, section, &row.name, &row.counts);
                }
                let open = (!is_folded).then_some(Attribute::Open);
                html.element(Element::DETAILS, &open.into_iter().collect::<Vec<_>>(), |html| {
                    html.element(Element::SUMMARY, &[], |html| link(html, section, &row.name, &row.counts));
                    tree(html, inside, first, is_folded);
                });
            });
        }
    });
}

fn link(html: &mut Html, section: Option<usize>, name: &str, counts: &str) {
    match section {
        Some(at) => {
            html.element(Element::A, &[Attribute::Link(Id::Section(at))], |html| html.data(Untrusted(name)));
        }
        None => html.data(Untrusted(name)),
    }
    html.remark(Class::MUTED, counts);
}

/// Writes the table of units, the gravest first.
pub(super) fn table(html: &mut Html, report: &Report<'_>) {
    let has_costs = report.parts.iter().any(|part| part.row.cost.is_some());
    html.element(Element::TABLE, &[Attribute::Class(Class::UNITS)], |html| {
        html.element(Element::THEAD, &[], |html| {
            html.element(Element::TR, &[], |html| {
                let costs = has_costs.then_some("cost");
                let titles = ["unit", "level"].into_iter().chain(NUMBERS).chain(["findings"]).chain(costs);
                for title in titles {
                    html.element(Element::TH, &[Attribute::OfColumn], |html| html.text(title));
                }
            });
        });
        html.element(Element::TBODY, &[], |html| {
            for (at, part) in report.shown_parts() {
                html.element(Element::TR, &[], |html| row(html, at, part, has_costs));
            }
        });
    });
}

fn row(html: &mut Html, at: usize, part: &Part<'_>, has_costs: bool) {
    html.element(Element::TD, &[], |html| {
        html.element(Element::A, &[Attribute::Link(Id::Part(at))], |html| {
            html.code(&one_line(&part.row.name));
        });
    });
    html.element(Element::TD, &[], |html| {
        let headline = &part.headline;
        match headline.errored {
            true => html.strong(Class::FINDING, "planning failed"),
            false => html.strong(class(headline.level), headline.level.name()),
        }
    });
    for (number, what) in part.row.numbers.into_iter().zip(NUMBERS) {
        let text = if number > 0 { number.to_string() } else { String::new() };
        // A phone shows the title of the column after the number.
        let attributes = [Attribute::Class(Class::NUMBER), Attribute::Data(Data::FILTER, Untrusted(what))];
        html.element(Element::TD, &attributes, |html| html.data(Untrusted(&text)));
    }
    html.element(Element::TD, &[], |html| html.data(Untrusted(&part.row.findings)));
    if has_costs {
        let cost = part.row.cost.as_deref().unwrap_or("");
        html.element(Element::TD, &[Attribute::Class(Class::NUMBER)], |html| html.data(Untrusted(cost)));
    }
}

/// Writes the tool, the time and the fingerprint of a plan.
pub(super) fn origin(html: &mut Html, part: &Part<'_>) {
    for head in &part.head {
        let Head::Origin(origin) = head else { continue };
        let words = origin.words(true, str::to_owned);
        if !words.is_empty() {
            html.element(Element::FOOTER, &[], |html| html.paragraph(Class::MUTED, &words.join(" · ")));
        }
    }
}

//! The parts of a page that precede the entries.
//!
//! On a page about several plans, the total and the table of units come first. Each plan then has its band with the
//! verdict, its findings, and an index of its modules.

use super::{
    Count, FindingLine, Findings, Headline, Level, ModuleRow, OtherResults, Part, Report, Section,
    VISIBLE_FINDINGS,
};
use crate::page::{Attribute, Html, Id, class};
use crate::term::Untrusted;
use crate::text::{count, one_line};

/// The maximum number of findings that a card shows before it is opened.
const CARD_LINES: usize = 6;
/// The number of findings above which the page begins with cards of them.
const MAX_WITHOUT_CARDS: usize = 8;
/// The number of modules above which the tree of modules is folded at its second level.
const MANY_MODULES: usize = 20;

/// The titles of the columns of numbers in the table of units, in the order of `UnitNumbers::in_order`.
const NUMBERS: [&str; 5] = ["destroy", "replace", "forget", "change", "create"];

/// Returns the classes of the band with a verdict.
fn band_of(headline: &Headline) -> &'static str {
    match headline.level {
        _ if headline.is_incomplete() => "band critical",
        Level::Critical => "band critical",
        Level::Warning => "band serious",
        Level::Notice => "band slight",
        Level::None => "band calm",
    }
}

/// Returns the class of a word about findings of this level.
pub(super) fn class_of(level: Level) -> &'static str {
    match level {
        Level::Critical => "finding",
        Level::Warning => "warning",
        Level::Notice | Level::None => "notice",
    }
}

/// Writes the verdict of a part, with its sentence and the filters.
pub(super) fn band(html: &mut Html, part: &Part<'_>) {
    html.element(
        "div",
        &[Attribute::Class(band_of(&part.headline))],
        |html| {
            let name = part
                .name
                .as_ref()
                .map(|name| format!("{}: ", one_line(name)));
            let said = part.sentence.as_deref();
            verdict(html, &part.headline, &name.unwrap_or_default(), said);
            if said.is_some() && part.counts.is_empty() {
                html.words("p", &part.headline.lead(one_line));
            }
            if let Some(additions) = &part.headline.additions {
                html.words("p", additions);
            }
            html.list("chips", &part.counts, chip);
        },
    );
}

/// Writes the verdict about all units, named by `units` (`3 units: `).
pub(super) fn total(html: &mut Html, total: &Headline, units: &str) {
    html.element("div", &[Attribute::Class(band_of(total))], |html| {
        verdict(html, total, units, None);
        if let Some(additions) = &total.additions {
            html.words("p", additions);
        }
    });
}

/// Writes a verdict: the level as a word or sign, and what the plan does, or its counts.
fn verdict(html: &mut Html, headline: &Headline, name: &str, said: Option<&str>) {
    let counts = headline.lead(one_line);
    html.element("h2", &[Attribute::Class("verdict")], |html| {
        let has_level = !headline.is_unchanged();
        match (headline.names_level, has_level) {
            (true, true) => {
                let level = if headline.is_incomplete() {
                    Level::Critical
                } else {
                    headline.level
                };
                html.strong(class_of(level), headline.word());
                html.text(" ");
            }
            (true, false) => {}
            (false, _) => {
                html.strong("sign", headline.sign());
                html.text(" ");
            }
        }
        html.data(Untrusted(name));
        html.data(Untrusted(&one_line(said.unwrap_or(&counts))));
    });
}

/// Writes a number of entries. The script turns it into a filter.
fn chip(html: &mut Html, count: &Count) {
    let filter = format!("{}:{}", if count.is_level { "f" } else { "a" }, count.word);
    let attributes = [
        Attribute::Class("chip"),
        Attribute::Data("data-filter", Untrusted(&filter)),
    ];
    html.element("span", &attributes, |html| {
        html.strong(class::BOLD, &count.number.to_string());
        html.data(Untrusted(&format!(" {}", count.text)));
    });
}

/// Writes many findings as cards, one for each kind and level. Few findings are not written, because the entries show
/// them.
pub(super) fn findings(html: &mut Html, findings: &Findings) {
    if findings.shown.len() + findings.more.len() <= MAX_WITHOUT_CARDS {
        return;
    }
    let mut cards: Vec<Vec<&FindingLine>> = Vec::new();
    for line in &findings.shown {
        let is_same = |card: &&mut Vec<&FindingLine>| {
            card.first()
                .is_some_and(|first| first.level == line.level && first.kind == line.kind)
        };
        match cards.iter_mut().find(is_same) {
            Some(card) => card.push(line),
            None => cards.push(vec![line]),
        }
    }
    let mut left = VISIBLE_FINDINGS;
    html.element("div", &[Attribute::Class("cards")], |html| {
        for card in cards {
            let Some(first) = card.first() else { continue };
            html.element("div", &[Attribute::Class("card")], |html| {
                html.tag("h3", |html| {
                    finding_name(html, first.level, first.kind);
                    let number: usize = card.iter().map(|line| line.number.max(1)).sum();
                    if number > 1 {
                        html.remark("times", &format!("× {number}"));
                    }
                });
                let (shown, rest) = card.split_at(card.len().min(CARD_LINES).min(left.max(1)));
                left = left.saturating_sub(shown.len());
                html.list("findings", shown, finding);
                if !rest.is_empty() {
                    let more = count(rest.len(), "more finding");
                    let write = |html: &mut Html| html.list("findings", rest, finding);
                    html.details(&[], |html| html.data(Untrusted(&more)), write);
                }
            });
        }
    });
    findings
        .rest()
        .iter()
        .for_each(|rest| html.paragraph("cut", &format!("… {rest}")));
}

/// Writes a finding with a link to its entry.
fn finding(html: &mut Html, finding: &&FindingLine) {
    let entries = ranges(&finding.entries);
    let attributes = [Attribute::Data("data-entries", Untrusted(&entries))];
    html.element("span", &attributes, |html| {
        let target = finding
            .entry
            .map(|entry| Attribute::Link(Id::Change(entry)));
        html.link(target, |html| html.code(&one_line(&finding.address)));
        html.data(Untrusted(&format!(" {}", one_line(&finding.text))));
    });
}

/// Returns numbers in ascending order, with ranges: `3-42 50`.
fn ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    for run in numbers.chunk_by(|one, next| one + 1 == *next) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
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
    html.strong(class_of(level), &format!("{} {kind}", level.name()));
}

/// Writes the index of a part: the modules as a tree, then the other sections. `first` is the number of the ID of the
/// first section.
pub(super) fn index(html: &mut Html, part: &Part<'_>, first: usize) {
    let is_module = |section_index: &usize| {
        part.modules
            .iter()
            .any(|row| row.section == Some(*section_index))
    };
    let titles = part
        .sections
        .iter()
        .map(|section: &Section<'_>| one_line(section.title.text()));
    let titles = titles.zip(part.sections.iter().map(|section| &*section.counts));
    let apart = part
        .apart
        .iter()
        .map(|_| (OtherResults::TITLE.to_owned(), ""));
    let outputs = apart.chain(part.outputs.iter().map(|_| ("Outputs".to_owned(), "")));
    let titles: Vec<(usize, (String, &str))> = titles.chain(outputs).enumerate().collect();
    if titles.len() < 2 && part.modules.len() < 2 {
        return;
    }
    html.element(
        "nav",
        &[Attribute::Fixed("aria-label", "Sections")],
        |html| {
            if !part.modules.is_empty() {
                tree(
                    html,
                    &part.modules,
                    first,
                    part.modules.len() > MANY_MODULES,
                );
            }
            html.element("ul", &[Attribute::Class("tree")], |html| {
                for (section_index, (title, counts)) in titles
                    .iter()
                    .filter(|(section_index, _)| !is_module(section_index))
                {
                    html.tag("li", |html| {
                        link(html, Some(first + section_index), title, counts);
                    });
                }
            });
        },
    );
}

/// Writes rows of modules as nested lists. Rows that are deeper than the first are in the item of the row before them.
fn tree(html: &mut Html, rows: &[ModuleRow], first: usize, is_folded: bool) {
    html.element("ul", &[Attribute::Class("tree")], |html| {
        let depth = rows.first().map_or(0, |row| row.depth);
        let mut rest = rows;
        while let [row, below @ ..] = rest {
            let inside = below.iter().take_while(|row| row.depth > depth).count();
            let (inside, after) = below.split_at(inside);
            rest = after;
            let name = |html: &mut Html| {
                link(
                    html,
                    row.section.map(|index| first + index),
                    &row.name,
                    &row.counts,
                );
            };
            html.tag("li", |html| match inside {
                [] => name(html),
                inside => {
                    let open = [Attribute::Fixed("open", "")];
                    let attributes = if is_folded { &[][..] } else { &open };
                    html.details(attributes, name, |html| {
                        tree(html, inside, first, is_folded);
                    });
                }
            });
        }
    });
}

/// Writes a row of the index, with a link if the row has a section.
fn link(html: &mut Html, section: Option<usize>, name: &str, counts: &str) {
    let target = section.map(|index| Attribute::Link(Id::Section(index)));
    html.link(target, |html| html.data(Untrusted(name)));
    html.remark(class::MUTED, counts);
}

/// Writes the table of units, with costs if any unit has them.
pub(super) fn table(html: &mut Html, report: &Report<'_>) {
    let has_costs = report.parts.iter().any(|part| part.row.cost.is_some());
    html.element("table", &[Attribute::Class("units")], |html| {
        html.tag("thead", |html| {
            html.tag("tr", |html| {
                let costs = has_costs.then_some("cost");
                let titles = ["unit", "level"]
                    .into_iter()
                    .chain(NUMBERS)
                    .chain(["findings"])
                    .chain(costs);
                for title in titles {
                    html.element("th", &[Attribute::Fixed("scope", "col")], |html| {
                        html.text(title);
                    });
                }
            });
        });
        html.tag("tbody", |html| {
            for (index, part) in report.shown_parts() {
                html.tag("tr", |html| row(html, index, part, has_costs));
            }
        });
    });
}

/// Writes a row of the table of units, with a link to the part about the unit.
fn row(html: &mut Html, index: usize, part: &Part<'_>, has_costs: bool) {
    html.tag("td", |html| {
        html.link(Some(Attribute::Link(Id::Part(index))), |html| {
            html.code(&one_line(&part.row.name));
        });
    });
    let Headline { errored, level, .. } = part.headline;
    html.tag("td", |html| match errored {
        true => html.strong("finding", "planning failed"),
        false => html.strong(class_of(level), level.name()),
    });
    for (number, what) in part.row.numbers.in_order().into_iter().zip(NUMBERS) {
        let text = if number > 0 {
            number.to_string()
        } else {
            String::new()
        };
        // On a narrow screen, the style shows the title of the column after the number.
        let attributes = [
            Attribute::Class("number"),
            Attribute::Data("data-filter", Untrusted(what)),
        ];
        html.element("td", &attributes, |html| html.data(Untrusted(&text)));
    }
    html.words("td", &part.row.findings);
    if has_costs {
        let cost = part.row.cost.as_deref().unwrap_or("");
        html.element("td", &[Attribute::Class("number")], |html| {
            html.data(Untrusted(cost));
        });
    }
}

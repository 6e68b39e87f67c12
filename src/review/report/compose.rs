//! What an entry says: its title, its lines and their marks. Objects that say the same are one entry, and an object that
//! says more than a larger group says only what is its own.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::groups::EntryGroup;
use super::{PartBuilder, head};
use crate::report::{Level, Line, Mark, Shown, Sign, Span, Tone};
use crate::review::entry::{Entry, FindingKind, PlanFinding, Reason};
use crate::review::groups::changes_only_tags;
use crate::review::reasons::CAUSED;
use crate::review::renames::RENAME;
use crate::review::text::{
    EntryText, FindingAt, compact_within, entry_text, explains_causes, is_whole_object, more,
    summary_text,
};
use crate::review::{ChangeKind, keys, one_line};
use crate::text::first_of;

/// An object, or several that say the same.
pub(super) struct Composed<'r, 'a> {
    pub(super) group: EntryGroup<'r, 'a>,
    pub(super) lines: Vec<Line>,
    /// What the object is, beside the address.
    pub(super) subject: String,
    /// What the sign does not say, in brackets.
    pub(super) remark: String,
    /// The other changes that make it necessary, unless it is below them.
    pub(super) because: String,
    /// The findings about the object that its title says.
    pub(super) mark: Mark,
    /// How many objects of the next entry change in the same way, if this one changes in more.
    pub(super) like: Option<usize>,
    /// How many replacements lead to this one.
    pub(super) depth: usize,
    /// The order in which it is listed.
    pub(super) rank: (usize, usize),
}

/// What has to be equal for entries to be one.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    sign: &'static str,
    resource_type: String,
    texts: Vec<(usize, Sign, String, Mark)>,
    title: [String; 3],
    mark: Mark,
    is_deposed: bool,
}

/// A group with fewer members is nothing that others are like.
const MIN_LIKE: usize = 3;
/// The maximum number of rows of a table; more are counted.
const MAX_ROWS: usize = 8;
/// The maximum number of lines in which the objects of a table differ.
const MAX_DIFFERING: usize = 3;
/// The maximum number of keys in a row of a table.
const MAX_ROW_KEYS: usize = 6;

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// The findings of an entry, to be said at their edits.
    pub(super) fn findings_at(&self, entry: &'r Entry<'a>) -> Vec<FindingAt<'r>> {
        let listed = entry
            .findings
            .iter()
            .filter_map(|at| Some((*at, self.review.findings.get(*at)?)));
        let at = |(id, PlanFinding { finding, .. }): (usize, &'r PlanFinding<'a>)| FindingAt {
            id,
            mark: Mark::new(finding.level, finding.kind.name()),
            steps: finding.path.steps(),
        };
        listed.map(at).collect()
    }

    /// The lines of an entry: first the findings that no edit proves.
    pub(super) fn text_of(&self, entry: &'r Entry<'a>) -> (EntryText, Vec<Line>) {
        let findings = self.findings_at(entry);
        let text = entry_text(entry, &findings, self.options);
        let lines = self.unsaid(&findings, &text.said);
        (text, lines)
    }

    /// The lines of findings that no edit says.
    pub(super) fn unsaid(&self, findings: &[FindingAt<'_>], said: &[usize]) -> Vec<Line> {
        let unsaid = findings
            .iter()
            .filter(|finding| !said.contains(&finding.id));
        let lines = unsaid.filter_map(|finding| {
            let listed = self.review.findings.get(finding.id)?;
            let words = head::finding_text(listed, false);
            Some(Line::new(0, Sign::Same, one_line(&words), Tone::Plain).marked(&finding.mark))
        });
        lines.collect()
    }

    /// The entries of these groups, the gravest first.
    pub(super) fn composed(&mut self, groups: Vec<EntryGroup<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut all: Vec<Composed<'r, 'a>> = groups
            .into_iter()
            .enumerate()
            .map(|(at, group)| self.compose(at, group))
            .collect();
        if !self.options.unchanged && self.options.shows_whole_plan() {
            all = self.merged(all);
            shorten_outliers(&mut all);
            all = self.tables(all);
        }
        all.sort_by_key(|one| one.rank);
        all
    }

    fn compose(&mut self, at: usize, group: EntryGroup<'r, 'a>) -> Composed<'r, 'a> {
        let entry = group.entry;
        let (text, own) = self.text_of(entry);
        for place in &group.places {
            self.coverage.record(group.list, *place, &text.shown);
        }
        let mut subject = one_line(&summary_text(entry, self.options));
        let mut mark = Mark::default();
        let mut lines = own;
        // One finding about the object as a whole is said by its title.
        let is_whole = is_whole_object(entry) || entry.kind() == ChangeKind::Destroy;
        if is_whole && !lines.is_empty() {
            let all = std::mem::take(&mut lines);
            let is_gone = entry.kind() == ChangeKind::Destroy;
            for (at, line) in all.into_iter().enumerate() {
                if at == 0 {
                    let is_loss = line.mark.kinds.contains(&FindingKind::DataLoss.name());
                    if is_loss || !is_gone {
                        subject = line.text();
                    }
                    mark.add(&line.mark);
                } else if is_gone {
                    mark.add(&line.mark);
                } else {
                    lines.push(line);
                }
            }
        }
        lines.extend(text.lines);
        Composed {
            remark: self.remark(&group),
            because: because(entry),
            rank: (at, 1),
            like: None,
            depth: 0,
            group,
            lines,
            subject,
            mark,
        }
    }

    /// What the sign of the action does not say.
    pub(super) fn remark(&self, group: &EntryGroup<'r, 'a>) -> String {
        let entry = group.entry;
        let mut words: Vec<String> = group.phrase().into_iter().collect();
        let has_forcing_edit = entry.edits.iter().any(|edit| edit.replaces);
        let is_said = |reason: &&Reason| match &*reason.code {
            "forced" => has_forcing_edit,
            "create_before_destroy" => true,
            CAUSED => true,
            RENAME => group.entries.len() > 1,
            _ => false,
        };
        let reasons = entry.reasons.iter().filter(|reason| !is_said(reason));
        words.extend(reasons.map(|reason| reason.text.clone()));
        one_line(&words.join("; "))
    }

    /// Joins entries that say the same, but for the keys of their addresses.
    fn merged(&self, all: Vec<Composed<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut found: Vec<Composed<'r, 'a>> = Vec::with_capacity(all.len());
        let mut known: HashMap<Key, usize> = HashMap::new();
        for one in all {
            let tree = if self.options.tree {
                one.group.entry.module_address
            } else {
                ""
            };
            let key = key(&one, tree);
            match known.get(&key) {
                Some(at) => {
                    let first = &mut found[*at];
                    if first.lines != one.lines || first.subject != one.subject {
                        hide_keys(first);
                    }
                    first.group.join(one.group);
                }
                None => {
                    known.insert(key, found.len());
                    found.push(one);
                }
            }
        }
        found
    }
}

/// With a placeholder for each key of the address that is a word of the text.
fn without_keys(text: &str, address: &str) -> String {
    let all = keys::of_address(address);
    let mut text = keys::without(text, &all);
    // A number is a key only behind the end of a name: `db-0`, `data[0]`.
    for key in all
        .iter()
        .filter(|key| key.bytes().all(|b| b.is_ascii_digit()))
    {
        for before in ["-", "_", "["] {
            let pattern = format!("{before}{key}");
            let found: Vec<usize> = text
                .match_indices(&pattern)
                .map(|(at, _)| at)
                .filter(|at| {
                    let next = text[at + pattern.len()..].chars().next();
                    let name = text[..*at].chars().next_back();
                    !next.is_some_and(char::is_alphanumeric)
                        && name.is_some_and(char::is_alphabetic)
                })
                .collect();
            for at in found.into_iter().rev() {
                text.replace_range(at + 1..at + pattern.len(), "\0");
            }
        }
    }
    text
}

fn key(one: &Composed<'_, '_>, module: &str) -> Key {
    let entry = one.group.entry;
    let texts = one.lines.iter().map(|line| {
        let text = without_keys(&line.text(), entry.address);
        (line.depth, line.sign, text, line.mark.clone())
    });
    let resource_type = if changes_only_tags(entry) {
        String::new()
    } else {
        format!(
            "{} {} {}",
            entry.mode, entry.resource_type, entry.provider_name
        )
    };
    // Objects without a word about them are one entry only if they are instances of one resource.
    let name = if one.lines.is_empty() {
        without_index(entry)
    } else {
        String::new()
    };
    Key {
        sign: one.group.symbol(),
        resource_type: format!("{module} {resource_type} {name}"),
        texts: texts.collect(),
        title: [&one.subject, &one.remark, &one.because]
            .map(|text| without_keys(text, entry.address)),
        mark: one.mark.clone(),
        is_deposed: !entry.deposed.is_empty(),
    }
}

fn without_index(entry: &Entry<'_>) -> String {
    let mut text = String::new();
    let mut rest = entry.address;
    while let Some((before, _, after)) = keys::split(rest) {
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The changes that make this one necessary, where its lines do not name them.
fn because(entry: &Entry<'_>) -> String {
    if explains_causes(entry) || entry.causes.is_empty() {
        return String::new();
    }
    let mut addresses: Vec<&str> = Vec::new();
    for cause in &entry.causes {
        if !addresses.contains(&cause.address) {
            addresses.push(cause.address);
        }
    }
    let all = compact_within(&addresses, MAX_ROW_KEYS);
    one_line(&format!("because of {}", first_of(all, 3)))
}

/// Shows `*` in place of the keys that differ between objects.
fn hide_keys(one: &mut Composed<'_, '_>) {
    let address = one.group.entry.address;
    let hidden = |text: &str| without_keys(text, address).replace('\0', "*");
    one.subject = hidden(&one.subject);
    one.remark = hidden(&one.remark);
    for span in one.lines.iter_mut().flat_map(|line| &mut line.spans) {
        span.text = hidden(&span.text);
    }
}

/// A row of a table: the keys of its objects, and what distinguishes them.
struct Row {
    keys: Vec<String>,
    number: usize,
    lines: Vec<Line>,
    subject: String,
    mark: Mark,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Objects of one resource that differ in few lines are a table: what is equal first, then a row for each
    /// difference, the outliers and the gravest first.
    fn tables(&self, all: Vec<Composed<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut places: HashMap<(String, &str, String), Vec<usize>> = HashMap::new();
        for (at, one) in all.iter().enumerate() {
            let is_own = one.like.is_none() && one.group.entry.deposed.is_empty();
            let is_critical = one.gravest() == Level::Critical && one.lines.len() > 1;
            if is_own && !is_critical {
                let key = (
                    without_index(one.group.entry),
                    one.group.symbol(),
                    without_keys(&one.remark, one.group.entry.address),
                );
                places.entry(key).or_default().push(at);
            }
        }
        let mut slots: Vec<Option<Composed<'r, 'a>>> = all.into_iter().map(Some).collect();
        let mut tables: Vec<Vec<usize>> = places.into_values().filter(|at| at.len() > 1).collect();
        tables.sort_unstable();
        for members in tables {
            let ones: Vec<&Composed<'r, 'a>> = members
                .iter()
                .filter_map(|at| slots[*at].as_ref())
                .collect();
            let Some((common, rows)) = table(&ones) else {
                continue;
            };
            let mut own = members
                .into_iter()
                .filter_map(|at| Some((at, slots[at].take()?)));
            let Some((first, mut joined)) = own.next() else {
                continue;
            };
            for (_, one) in own {
                joined.rank = joined.rank.min(one.rank);
                joined.group.join(one.group);
            }
            joined.lines = common;
            joined.subject = String::new();
            joined.mark = Mark::default();
            joined.lines.extend(self.rows(rows));
            hide_key_of_remark(&mut joined);
            slots[first] = Some(joined);
        }
        slots.into_iter().flatten().collect()
    }

    fn rows(&self, mut rows: Vec<Row>) -> Vec<Line> {
        let total: usize = rows.iter().map(|row| row.number).sum();
        let majority = rows
            .iter()
            .position(|row| 2 * row.number > total && total > 2);
        rows.iter_mut().for_each(|row| row.keys.sort_unstable());
        let usual = majority.map(|at| rows[at].keys.clone());
        let is_usual = |row: &Row| usual.as_ref() == Some(&row.keys);
        rows.sort_by_key(|row| (Reverse(row.mark.level), is_usual(row)));
        let limit = self.options.limit(MAX_ROWS);
        let left_out: usize = rows.iter().skip(limit).map(|row| row.number).sum();
        let mut lines = Vec::new();
        for row in rows.iter().take(limit) {
            let is_outlier = usual.is_some() && !is_usual(row);
            let name = first_of(&row.keys, self.options.limit(MAX_ROW_KEYS));
            let mut spans = vec![Span::new(format!("{name}  "), Tone::Plain)];
            if is_outlier {
                spans.insert(0, Span::new("≠ ", Tone::Alert));
            }
            if !row.subject.is_empty() {
                spans.push(Span::new(row.subject.clone(), Tone::Plain));
            }
            let mut mark = row.mark.clone();
            for (at, line) in row.lines.iter().enumerate() {
                let sign = match line.sign {
                    Sign::Add => "+ ",
                    Sign::Remove => "- ",
                    Sign::Change | Sign::Same | Sign::Note => "",
                };
                let is_first = at == 0 && row.subject.is_empty();
                let separator = if is_first { "" } else { ", " };
                spans.push(Span::new(format!("{separator}{sign}"), Tone::Plain));
                spans.extend(line.spans.iter().cloned());
                mark.add(&line.mark);
            }
            lines.push(Line::of(0, Sign::Same, spans).marked(&mark));
        }
        lines.extend(more(0, left_out, "more object"));
        lines
    }
}

/// What is equal, and the rows; `None` if the objects differ in too much.
fn table(ones: &[&Composed<'_, '_>]) -> Option<(Vec<Line>, Vec<Row>)> {
    let [first, ..] = ones else { return None };
    let hidden = |line: &Line, one: &Composed<'_, '_>| {
        (
            line.depth,
            line.sign,
            without_keys(&line.text(), one.group.entry.address),
            line.mark.clone(),
        )
    };
    let texts: Vec<Vec<_>> = ones
        .iter()
        .map(|one| one.lines.iter().map(|line| hidden(line, one)).collect())
        .collect();
    let is_common = |text: &(usize, Sign, String, Mark)| texts.iter().all(|own| own.contains(text));
    let common: Vec<Line> = first
        .lines
        .iter()
        .zip(&texts[0])
        .filter(|(_, text)| is_common(text))
        .map(|(line, _)| line.clone())
        .collect();
    let mut rows: Vec<Row> = Vec::new();
    for (one, texts) in ones.iter().zip(&texts) {
        let own = one.lines.iter().zip(texts);
        let lines: Vec<Line> = own
            .filter(|(_, text)| !is_common(text))
            .map(|(line, _)| line.clone())
            .collect();
        let is_flat = |line: &Line| line.depth == 0 && line.sign != Sign::Note;
        if lines.len() > MAX_DIFFERING || !lines.iter().all(is_flat) {
            return None;
        }
        let keys = one.group.entries.iter().map(|entry| {
            let keys = keys::of_address(entry.address);
            one_line(&keys.join("/"))
        });
        rows.push(Row {
            keys: keys.collect(),
            number: one.group.places.len(),
            lines,
            subject: one.subject.clone(),
            mark: one.mark.clone(),
        });
    }
    // Notes at the end of each are not the end of a table.
    let has_keys = rows
        .iter()
        .flat_map(|row| &row.keys)
        .all(|key| !key.is_empty());
    has_keys.then_some((common, rows))
}

fn hide_key_of_remark(one: &mut Composed<'_, '_>) {
    let address = one.group.entry.address;
    one.remark = without_keys(&one.remark, address).replace('\0', "*");
}

/// An entry that has all lines of a larger one, and others, keeps only these, and comes before that.
fn shorten_outliers(all: &mut [Composed<'_, '_>]) {
    let mut bases: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        let is_base = one.group.places.len() >= MIN_LIKE && !one.lines.is_empty();
        if is_base && one.group.kind() == ChangeKind::Update {
            let name = one.group.entry.resource_type.to_owned();
            bases.entry(name).or_default().push(at);
        }
    }
    let is_same = |line: &Line, other: &Line| {
        line.depth == other.depth && line.sign == other.sign && line.text() == other.text()
    };
    for at in 0..all.len() {
        let one = &all[at];
        let found = bases
            .get(one.group.entry.resource_type)
            .into_iter()
            .flatten()
            .copied()
            .find(|base| {
                let base_lines = &all[*base].lines;
                *base != at
                    && one.group.kind() == ChangeKind::Update
                    && all[*base].group.places.len() > one.group.places.len()
                    && one.lines.len() > base_lines.len()
                    && base_lines
                        .iter()
                        .all(|line| one.lines.iter().any(|own| is_same(own, line)))
            });
        let Some(base) = found else { continue };
        let shared = all[base].lines.clone();
        let (number, rank) = (all[base].group.places.len(), all[base].rank);
        let one = &mut all[at];
        one.lines.retain(|line| {
            !line.mark.is_empty() || !shared.iter().any(|other| is_same(line, other))
        });
        one.like = Some(number);
        one.rank = one.rank.min((rank.0, 0));
    }
}

/// Puts what a replacement causes below it.
pub(super) fn nest<'r, 'a>(
    all: Vec<Composed<'r, 'a>>,
    causes: &HashMap<&str, &str>,
) -> Vec<Composed<'r, 'a>> {
    let mut place: HashMap<&str, usize> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        for entry in &one.group.entries {
            if entry.deposed.is_empty() {
                place.insert(entry.address, at);
            }
        }
    }
    let parent_of = |one: &Composed<'_, '_>| {
        let cause = causes.get(one.group.entry.address)?;
        place.get(cause).copied()
    };
    let mut parents: Vec<Option<usize>> = all
        .iter()
        .enumerate()
        .map(|(at, one)| parent_of(one).filter(|parent| *parent != at))
        .collect();
    // What is critical stays where its findings put it, and so do circles.
    for at in 0..all.len() {
        let is_critical = all[at].gravest() == Level::Critical;
        let mut above = parents[at];
        let mut steps = 0;
        while let Some(parent) = above {
            steps += 1;
            above = parents[parent];
            if parent == at || steps > all.len() {
                parents[at] = None;
                break;
            }
        }
        if is_critical {
            parents[at] = None;
        }
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    for (at, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(at);
        }
    }
    // A cause is as grave as the gravest that it causes.
    let mut best: Vec<usize> = (0..all.len()).collect();
    for at in 0..all.len() {
        let mut above = parents[at];
        while let Some(parent) = above {
            best[parent] = best[parent].min(at);
            above = parents[parent];
        }
    }
    let mut roots: Vec<usize> = (0..all.len()).filter(|at| parents[*at].is_none()).collect();
    roots.sort_by_key(|at| (best[*at], *at));
    let mut stack: Vec<(usize, usize)> = roots.into_iter().rev().map(|at| (at, 0)).collect();
    let mut slots: Vec<Option<Composed<'_, '_>>> = all.into_iter().map(Some).collect();
    let mut found = Vec::with_capacity(slots.len());
    while let Some((at, depth)) = stack.pop() {
        if let Some(mut one) = slots[at].take() {
            one.depth = depth;
            if depth > 0 {
                one.because.clear();
            }
            found.push(one);
        }
        stack.extend(children[at].iter().rev().map(|child| (*child, depth + 1)));
    }
    found
}

impl Composed<'_, '_> {
    pub(super) fn gravest(&self) -> Level {
        let lines = self.lines.iter().map(|line| line.mark.level);
        lines.chain([self.mark.level]).max().unwrap_or_default()
    }
}

/// Nothing of an entry is shown but its title.
pub(super) fn elsewhere(entry: &Entry<'_>, how: Shown) -> EntryText {
    EntryText {
        shown: vec![Some(how); entry.edits.len()],
        ..EntryText::default()
    }
}

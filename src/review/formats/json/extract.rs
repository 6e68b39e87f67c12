//! An extract of the JSON for programs that read only so much: the gravest first, and counts of what is left out.
//!
//! It is a document of its own, with `"extract": true`; the document of the schema is never cut. Its items (findings,
//! entries, outputs, results) are those of that document. Invariants: it has at most as many bytes as asked for, and
//! at least the verdict; what it does not have is counted.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Escaping, FORMAT_VERSION, FindingJson, GateResult, check, entry, finding, invocation, output, verdict,
    with,
};
use crate::review::Verdict;
use crate::review::entry::{Entry, PlanReview};
use crate::review::report::worst_first;
use crate::review::units::AbsentUnit;

/// The maximum number of addresses of a gate.
const MAX_HITS: usize = 20;

/// What an extract keeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extract {
    /// The maximum size, in bytes.
    pub max_bytes: Option<usize>,
    /// Whether entries without findings are left out.
    pub only_findings: bool,
}

impl Extract {
    /// Whether an extract is asked for, rather than the whole document.
    pub fn is_asked(self) -> bool {
        self.only_findings || self.max_bytes.is_some()
    }
}

/// The number of lists.
const LISTS: usize = 9;

/// The lists of a plan, in the order of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    Findings,
    Resources,
    Drift,
    Deferred,
    Invocations,
    DeferredInvocations,
    Outputs,
    Checks,
    With,
}

impl List {
    const ALL: [Self; LISTS] = [
        Self::Findings,
        Self::Resources,
        Self::Drift,
        Self::Deferred,
        Self::Invocations,
        Self::DeferredInvocations,
        Self::Outputs,
        Self::Checks,
        Self::With,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::Resources => "resources",
            Self::Drift => "drift",
            Self::Deferred => "deferred",
            Self::Invocations => "action_invocations",
            Self::DeferredInvocations => "deferred_action_invocations",
            Self::Outputs => "outputs",
            Self::Checks => "checks",
            Self::With => "with",
        }
    }
}

/// What is left out of all lists.
#[derive(Default)]
struct LeftOut {
    absent: usize,
    plans: usize,
    items: [usize; LISTS],
    /// The edits of entries that are there without them.
    edits: usize,
}

impl LeftOut {
    fn text(&self) -> String {
        let lists =
            List::ALL.iter().zip(self.items).map(|(list, number)| format!("\"{}\":{number}", list.name()));
        let numbers: Vec<String> = lists.collect();
        let Self { absent, plans, edits, .. } = self;
        let numbers = numbers.join(",");
        format!("{{\"absent_units\":{absent},\"plans\":{plans},{numbers},\"edits\":{edits}}}")
    }
}

/// A plan with the items that are kept.
struct Kept<'r, 'a> {
    review: &'r PlanReview<'a>,
    head: String,
    lists: [Vec<String>; LISTS],
}

/// Writes an extract of the document of reviews.
///
/// # Errors
/// If writing to `out` fails.
pub fn extract(
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    gates: &[GateResult],
    options: Extract,
    out: &mut dyn Write,
) -> io::Result<()> {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let gates: Vec<GateResult> = gates.iter().map(short).collect();
    let begin = format!(
        "{{\"format_version\":{},\"tfview_version\":{},\"extract\":true,\"verdict\":{},\"gates\":{},",
        text(&FORMAT_VERSION)?,
        text(&env!("CARGO_PKG_VERSION"))?,
        text(&verdict(&Verdict::total(verdicts.iter())))?,
        text(&gates)?,
    );
    let mut left_out = LeftOut { absent: absent.len(), ..LeftOut::default() };
    // The longest that the counts can be.
    const COUNTS: usize = 400;
    let mut room = options.max_bytes.unwrap_or(usize::MAX).saturating_sub(begin.len() + COUNTS);
    let mut kept: Vec<Kept<'_, '_>> = Vec::new();
    for at in worst_first(reviews, &verdicts) {
        let Some(review) = reviews.get(at) else { continue };
        let head = head(review)?;
        // With the names of its lists and the signs between.
        if take(&mut room, head.len() + 100) || kept.is_empty() {
            kept.push(Kept { review, head, lists: Default::default() });
        } else {
            left_out.plans += 1;
        }
    }
    findings(&mut kept, &mut room, &mut left_out)?;
    entries(&mut kept, options.only_findings, &mut room, &mut left_out)?;
    rest(&mut kept, options.only_findings, &mut room, &mut left_out)?;
    let plans: Vec<String> = kept.iter().map(Kept::text).collect();
    let document = format!("{begin}\"left_out\":{},\"plans\":[{}]}}\n", left_out.text(), plans.join(","));
    out.write_all(document.as_bytes())
}

/// Takes the bytes of an item, and of the comma after it, if there is room for them.
fn take(room: &mut usize, bytes: usize) -> bool {
    let rest = room.checked_sub(bytes + 1);
    *room = rest.unwrap_or(*room);
    rest.is_some()
}

fn text(value: &impl Serialize) -> io::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Escaping))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn short(gate: &GateResult) -> GateResult {
    let more = gate.by.len().saturating_sub(MAX_HITS);
    let rest = (more > 0).then(|| format!("… {more} more"));
    let by = gate.by.iter().take(MAX_HITS).cloned().chain(rest).collect();
    GateResult { name: gate.name.clone(), violated: gate.violated, by }
}

fn head(review: &PlanReview<'_>) -> io::Result<String> {
    let mut head = format!(
        "\"name\":{},\"level\":{},\"verdict\":{},\"fingerprint\":{}",
        text(&review.title())?,
        text(&review.level.name())?,
        text(&verdict(&Verdict::new(review)))?,
        text(&super::some(&review.fingerprint))?,
    );
    if let Some(costs) = &review.with.costs {
        head.push_str(&format!(",\"cost\":{}", text(&with::total(costs))?));
    }
    Ok(head)
}

impl Kept<'_, '_> {
    fn text(&self) -> String {
        let lists = List::ALL.iter().zip(&self.lists).filter(|(_, items)| !items.is_empty());
        let lists = lists.map(|(list, items)| format!(",\"{}\":[{}]", list.name(), items.join(",")));
        format!("{{{}{}}}", self.head, lists.collect::<String>())
    }

    fn list(&mut self, list: List) -> Option<&mut Vec<String>> {
        self.lists.get_mut(list as usize)
    }
}

fn leave(left_out: &mut LeftOut, list: List) {
    if let Some(number) = left_out.items.get_mut(list as usize) {
        *number += 1;
    }
}

/// The findings of all plans, the gravest first.
fn findings(kept: &mut [Kept<'_, '_>], room: &mut usize, left_out: &mut LeftOut) -> io::Result<()> {
    let mut all: Vec<_> = kept
        .iter()
        .enumerate()
        .flat_map(|(at, kept)| kept.review.findings.iter().map(move |listed| (at, listed)))
        .filter(|(_, listed)| !listed.is_found())
        .collect();
    all.sort_by_key(|(_, listed)| std::cmp::Reverse(listed.finding.level));
    let texts: Vec<(usize, io::Result<String>)> = all
        .into_iter()
        .map(|(at, listed)| {
            let json: FindingJson<'_> = finding(listed);
            (at, text(&json))
        })
        .collect();
    for (at, text) in texts {
        add(kept, at, List::Findings, text?, room, left_out);
    }
    Ok(())
}

fn add(
    kept: &mut [Kept<'_, '_>],
    at: usize,
    list: List,
    text: String,
    room: &mut usize,
    left_out: &mut LeftOut,
) {
    match kept.get_mut(at).and_then(|kept| kept.list(list)) {
        Some(items) if take(room, text.len()) => items.push(text),
        Some(_) | None => leave(left_out, list),
    }
}

/// The entries of all plans in order of risk. One that does not fit is there without its edits.
fn entries(
    kept: &mut [Kept<'_, '_>],
    only_findings: bool,
    room: &mut usize,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    let mut all: Vec<(usize, List, &Entry<'_>)> = Vec::new();
    for (at, kept) in kept.iter().enumerate() {
        let review = kept.review;
        let lists = [
            (List::Resources, &review.resources),
            (List::Drift, &review.drift),
            (List::Deferred, &review.deferred),
        ];
        for (list, entries) in lists {
            all.extend(entries.iter().map(|entry| (at, list, entry)));
        }
    }
    all.sort_by_cached_key(|(_, list, entry)| (entry.findings.proven().is_empty(), *list, entry.risk()));
    for (at, list, change) in all {
        if only_findings && change.findings.proven().is_empty() {
            leave(left_out, list);
            continue;
        }
        // An entry that cannot fit is not written only to be counted.
        let whole = if *room > 200 { text(&entry(change))? } else { String::new() };
        if whole.is_empty() || whole.len() >= *room {
            let bare = text(&entry(&Entry { exact_edits: &[], ..change.clone() }))?;
            let number = change.edits.len();
            let bare = match bare.strip_suffix("\"edits\":[]}") {
                Some(begin) if number > 0 => format!("{begin}\"edits_left_out\":{number}}}"),
                Some(_) | None => bare,
            };
            if bare.len() < *room {
                left_out.edits += number;
            }
            add(kept, at, list, bare, room, left_out);
        } else {
            add(kept, at, list, whole, room, left_out);
        }
    }
    Ok(())
}

/// Everything else: checks, actions and outputs, and then the results of other tools.
fn rest(
    kept: &mut [Kept<'_, '_>],
    only_findings: bool,
    room: &mut usize,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    let mut all: Vec<(usize, List, u8, String)> = Vec::new();
    for (at, kept) in kept.iter().enumerate() {
        let review = kept.review;
        for one in &review.checks {
            all.push((at, List::Checks, 0, text(&check(one))?));
        }
        let invocations = [
            (List::Invocations, &review.invocations),
            (List::DeferredInvocations, &review.deferred_invocations),
        ];
        for (list, invocations) in invocations {
            for one in invocations {
                if only_findings && one.findings.proven().is_empty() {
                    leave(left_out, list);
                } else {
                    all.push((at, list, 0, text(&invocation(one))?));
                }
            }
        }
        for change in &review.outputs {
            if only_findings && change.findings.proven().is_empty() {
                leave(left_out, List::Outputs);
            } else {
                all.push((at, List::Outputs, 0, text(&output(change))?));
            }
        }
        for result in &review.with.results {
            all.push((at, List::With, 3 - result.level as u8, text(&with::result(result))?));
        }
        let counted: usize = review.with.reports.iter().flat_map(|report| report.left_out).sum();
        if let Some(number) = left_out.items.get_mut(List::With as usize) {
            *number += counted;
        }
    }
    all.sort_by_key(|(_, _, rank, _)| *rank);
    for (at, list, _, text) in all {
        add(kept, at, list, text, room, left_out);
    }
    Ok(())
}

//! An extract of the JSON for programs that read only so much: the gravest first, and counts of what is left out.
//!
//! It is a document of its own, with `"extract": true`; the document of the schema is never cut. Its items (findings,
//! entries, outputs, results) are those of that document. Invariants: it has at most as many bytes as asked for, and
//! at least the verdict; what it does not have is counted.

use std::collections::HashMap;
use std::io::{self, Write};

use super::finding::{finding, list_name};
use super::{FORMAT_VERSION, GateResult, entry, invocation, output, some, verdict, with};
use crate::report::SectionKind;
use crate::review::Verdict;
use crate::review::entry::{Entry, PlanReview};
use crate::review::report::worst_first;
use crate::review::units::AbsentUnit;
use crate::text::to_json as text;

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

/// The lists of a plan, in the order of the document.
fn lists() -> impl Iterator<Item = &'static str> {
    ["findings"].into_iter().chain(SectionKind::ALL.map(list_name)).chain(["checks", "with"])
}

/// What is left out of all lists.
#[derive(Default)]
struct LeftOut {
    plans: usize,
    /// The number of items of each list.
    items: HashMap<&'static str, usize>,
    /// The edits of entries that are there without them.
    edits: usize,
}

/// A plan with the items that are kept, as JSON.
struct Kept<'r, 'a> {
    review: &'r PlanReview<'a>,
    head: String,
    lists: HashMap<&'static str, Vec<String>>,
}

/// An extract of which items are added in order of importance.
struct Extracted<'r, 'a> {
    plans: Vec<Kept<'r, 'a>>,
    left_out: LeftOut,
    /// The number of bytes for further items.
    room: usize,
    only_findings: bool,
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
    // The longest that the counts can be.
    const COUNTS: usize = 400;
    let room = options.max_bytes.unwrap_or(usize::MAX).saturating_sub(begin.len() + COUNTS);
    let only_findings = options.only_findings;
    let mut extracted = Extracted { plans: Vec::new(), left_out: LeftOut::default(), room, only_findings };
    for review in worst_first(reviews, &verdicts).into_iter().filter_map(|at| reviews.get(at)) {
        let head = head(review)?;
        // With the names of its lists and the signs between.
        if extracted.take(head.len() + 100) || extracted.plans.is_empty() {
            extracted.plans.push(Kept { review, head, lists: HashMap::new() });
        } else {
            extracted.left_out.plans += 1;
        }
    }
    extracted.findings()?;
    extracted.entries()?;
    extracted.rest()?;
    let LeftOut { plans, items, edits } = extracted.left_out;
    let items = lists().map(|list| format!("\"{list}\":{},", items.get(list).unwrap_or(&0)));
    let items: String = items.collect();
    let left_out =
        format!("{{\"absent_units\":{},\"plans\":{plans},{items}\"edits\":{edits}}}", absent.len());
    let plans: Vec<String> = extracted.plans.iter().map(Kept::text).collect();
    writeln!(out, "{begin}\"left_out\":{left_out},\"plans\":[{}]}}", plans.join(","))
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
        text(&some(&review.fingerprint))?,
    );
    if let Some(costs) = &review.with.costs {
        head.push_str(&format!(",\"cost\":{}", text(&with::total(costs))?));
    }
    Ok(head)
}

impl Kept<'_, '_> {
    fn text(&self) -> String {
        let lists = lists().filter_map(|list| Some((list, self.lists.get(list)?)));
        let lists = lists.map(|(list, items)| format!(",\"{list}\":[{}]", items.join(",")));
        format!("{{{}{}}}", self.head, lists.collect::<String>())
    }
}

impl<'r, 'a> Extracted<'r, 'a> {
    /// Takes the bytes of an item, and of the comma after it, if there is room for them.
    fn take(&mut self, bytes: usize) -> bool {
        let rest = self.room.checked_sub(bytes + 1);
        self.room = rest.unwrap_or(self.room);
        rest.is_some()
    }

    fn leave(&mut self, list: &'static str, number: usize) {
        *self.left_out.items.entry(list).or_default() += number;
    }

    /// Adds an item to a list of a plan, or counts it.
    fn add(&mut self, plan: usize, list: &'static str, item: String) {
        let has_room = self.take(item.len());
        match self.plans.get_mut(plan).filter(|_| has_room) {
            Some(kept) => kept.lists.entry(list).or_default().push(item),
            None => self.leave(list, 1),
        }
    }

    fn reviews(&self) -> Vec<(usize, &'r PlanReview<'a>)> {
        self.plans.iter().map(|kept| kept.review).enumerate().collect()
    }

    /// The findings of all plans, the gravest first.
    fn findings(&mut self) -> io::Result<()> {
        let reviews = self.reviews();
        let all = reviews.iter().flat_map(|(at, review)| review.findings.iter().map(|listed| (*at, listed)));
        let mut all: Vec<_> = all.filter(|(_, listed)| !listed.is_found()).collect();
        crate::sort::by_key(&mut all, |(_, listed)| std::cmp::Reverse(listed.finding.level));
        for (at, listed) in all {
            self.add(at, "findings", text(&finding(listed))?);
        }
        Ok(())
    }

    /// The entries of all plans in order of risk. One that does not fit is there without its edits.
    fn entries(&mut self) -> io::Result<()> {
        let mut all: Vec<(usize, SectionKind, &Entry<'_>)> = Vec::new();
        for (at, review) in self.reviews() {
            all.extend(review.objects().map(|(list, entry)| (at, list, entry)));
        }
        all.sort_by_cached_key(|(_, list, entry)| {
            (entry.findings.proven().is_empty(), *list as usize, entry.risk())
        });
        for (at, list, change) in all {
            let list = list_name(list);
            if self.only_findings && change.findings.proven().is_empty() {
                self.leave(list, 1);
                continue;
            }
            // An entry that cannot fit is not written only to be counted.
            let whole = if self.room > 200 { text(&entry(change))? } else { String::new() };
            if !whole.is_empty() && whole.len() < self.room {
                self.add(at, list, whole);
                continue;
            }
            let bare = text(&entry(&Entry { exact_edits: &[], ..change.clone() }))?;
            let number = change.edits.len();
            let bare = match bare.strip_suffix("\"edits\":[]}") {
                Some(begin) if number > 0 => format!("{begin}\"edits_left_out\":{number}}}"),
                Some(_) | None => bare,
            };
            if bare.len() < self.room {
                self.left_out.edits += number;
            }
            self.add(at, list, bare);
        }
        Ok(())
    }

    /// Everything else: checks, actions and outputs, and then the results of other tools.
    fn rest(&mut self) -> io::Result<()> {
        let mut results = Vec::new();
        for (at, review) in self.reviews() {
            for check in &review.checks {
                self.add(at, "checks", text(check)?);
            }
            for kind in [SectionKind::Invocations, SectionKind::DeferredInvocations, SectionKind::Outputs] {
                for one in review.list(kind) {
                    if self.only_findings && one.findings.proven().is_empty() {
                        self.leave(list_name(kind), 1);
                    } else if kind == SectionKind::Outputs {
                        self.add(at, list_name(kind), text(&output(one))?);
                    } else {
                        self.add(at, list_name(kind), text(&invocation(one))?);
                    }
                }
            }
            results.extend(review.with.results.iter().map(|result| (at, result)));
            self.leave("with", review.with.reports.iter().flat_map(|report| report.left_out).sum());
        }
        crate::sort::by_key(&mut results, |(_, result)| std::cmp::Reverse(result.level));
        for (at, result) in results {
            self.add(at, "with", text(&with::result(result))?);
        }
        Ok(())
    }
}

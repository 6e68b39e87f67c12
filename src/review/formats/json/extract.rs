//! Writes an extract of the JSON for programs that read only a limited amount: the gravest items first, and counts of
//! what is left out.
//!
//! An extract is a document of its own, with `"extract": true`, whose items are those of the whole document.
//! Invariants: it has at most as many bytes as requested, but always the verdict.
//!
//! ```json
//! {"format_version": "3.1", "extract": true, "plans": [{"resources": [{"address": "aws_db_instance.main"}]}],
//!  "left_out": {"resources": 41}}
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};

use super::plan::item;
use super::{FORMAT_VERSION, GateResult, finding, list_name, result, some, total_cost};
use crate::report::SectionKind;
use crate::review::entry::Entry;
use crate::review::plan::PlanReview;
use crate::review::report::worst_first;
use crate::review::{AbsentUnit, Verdict};
use crate::text::to_json as text;

/// The maximum number of addresses of a gate that are written; the others are counted.
const MAX_HITS: usize = 20;
/// The number of bytes that are reserved for the counts.
const COUNTS: usize = 400;
/// The number of bytes that are reserved for the names of a plan's lists.
const LISTS: usize = 100;

/// The options of an extract.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extract {
    /// The maximum size of the document, in bytes. `None` for no limit.
    pub max_bytes: Option<usize>,
    /// Whether entries without findings are left out.
    pub only_findings: bool,
}

impl Extract {
    /// Whether an extract is requested rather than the whole document.
    pub fn is_asked(self) -> bool {
        self.only_findings || self.max_bytes.is_some()
    }
}

/// The parts of a document that are kept.
struct Extracted<'r, 'a> {
    /// The kept plans, each with its head and the kept items of its lists, as JSON.
    plans: Vec<(&'r PlanReview<'a>, String, Lists)>,
    /// The number of items of each list that are left out.
    left_out: HashMap<&'static str, usize>,
    /// The number of bytes that may still be written.
    remaining: usize,
}

/// The items of each list, as JSON.
type Lists = HashMap<&'static str, Vec<String>>;

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
    let gates: Vec<GateResult> = gates.iter().map(short).collect();
    let begin = format!(
        "{{\"format_version\":{},\"tfview_version\":{},\"extract\":true,\"verdict\":{},\"gates\":{},",
        text(&FORMAT_VERSION)?,
        text(&env!("CARGO_PKG_VERSION"))?,
        text(&Verdict::total(reviews))?,
        text(&gates)?,
    );
    let remaining = options
        .max_bytes
        .unwrap_or(usize::MAX)
        .saturating_sub(begin.len() + COUNTS);
    let mut extracted = Extracted {
        plans: Vec::new(),
        left_out: HashMap::new(),
        remaining,
    };
    extracted.leave("absent_units", absent.len());
    for review in worst_first(reviews)
        .into_iter()
        .filter_map(|index| reviews.get(index))
    {
        let head = head(review)?;
        if extracted.take(head.len() + LISTS) || extracted.plans.is_empty() {
            extracted.plans.push((review, head, Lists::new()));
        } else {
            extracted.leave("plans", 1);
        }
    }
    extracted.items(options.only_findings)?;
    let lists = || {
        ["findings"]
            .into_iter()
            .chain(SectionKind::ALL.map(list_name))
            .chain(["checks", "with"])
    };
    let counts = ["absent_units", "plans"]
        .into_iter()
        .chain(lists())
        .chain(["edits"]);
    let counts =
        counts.map(|name| format!("\"{name}\":{}", extracted.left_out.get(name).unwrap_or(&0)));
    let counts = counts.collect::<Vec<_>>().join(",");
    let plans = extracted.plans.iter().map(|(_, head, items)| {
        let lists = lists()
            .filter_map(|list| Some(format!(",\"{list}\":[{}]", items.get(list)?.join(","))));
        format!("{{{head}{}}}", lists.collect::<String>())
    });
    let plans = plans.collect::<Vec<_>>().join(",");
    writeln!(
        out,
        "{begin}\"left_out\":{{{counts}}},\"plans\":[{plans}]}}"
    )
}

/// Returns a gate with at most `MAX_HITS` addresses.
fn short(gate: &GateResult) -> GateResult {
    let more = gate.by.len().saturating_sub(MAX_HITS);
    let rest = (more > 0).then(|| format!("… {more} more"));
    let by = gate.by.iter().take(MAX_HITS).cloned().chain(rest).collect();
    GateResult {
        name: gate.name.clone(),
        violated: gate.violated,
        by,
    }
}

/// Returns the members of a plan that are always kept, as JSON without braces.
fn head(review: &PlanReview<'_>) -> io::Result<String> {
    let verdict = review.verdict();
    let mut head = format!(
        "\"name\":{},\"level\":{},\"verdict\":{},\"fingerprint\":{}",
        text(&review.title())?,
        text(&verdict.level.name())?,
        text(&verdict)?,
        text(&some(&review.fingerprint))?,
    );
    if let Some(costs) = &review.results.costs {
        head.push_str(&format!(",\"cost\":{}", text(&total_cost(costs))?));
    }
    Ok(head)
}

impl Extracted<'_, '_> {
    /// Reserves the bytes of an item and the comma after it. Returns false if there are not enough.
    fn take(&mut self, bytes: usize) -> bool {
        let rest = self.remaining.checked_sub(bytes + 1);
        self.remaining = rest.unwrap_or(self.remaining);
        rest.is_some()
    }

    /// Counts items that are left out.
    fn leave(&mut self, name: &'static str, number: usize) {
        *self.left_out.entry(name).or_default() += number;
    }

    /// Adds an item to a list of a plan, or counts it as left out if it does not fit.
    fn add(&mut self, plan: usize, list: &'static str, item: String) {
        let has_room = self.take(item.len());
        match self.plans.get_mut(plan).filter(|_| has_room) {
            Some((.., lists)) => lists.entry(list).or_default().push(item),
            None => self.leave(list, 1),
        }
    }

    /// Adds the findings, checks, entries and results of other tools of all plans, each the gravest first.
    fn items(&mut self, only_findings: bool) -> io::Result<()> {
        let reviews: Vec<&PlanReview<'_>> = self.plans.iter().map(|(review, ..)| *review).collect();
        let (mut findings, mut entries, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for (index, review) in reviews.iter().enumerate() {
            findings.extend(review.proven().iter().map(|listed| (index, listed)));
            for list in SectionKind::ALL {
                entries.extend(
                    review
                        .changes
                        .list(list)
                        .iter()
                        .map(|entry| (index, list, entry)),
                );
            }
            results.extend(review.results.results.iter().map(|result| (index, result)));
        }
        findings.sort_by_key(|(_, listed)| Reverse(listed.finding.level));
        for (index, listed) in findings {
            self.add(index, "findings", text(&finding(listed))?);
        }
        for (index, review) in reviews.iter().enumerate() {
            for check in &review.checks {
                self.add(index, "checks", text(check)?);
            }
        }
        entries.sort_by_cached_key(|(_, list, entry)| {
            (entry.proven.is_empty(), *list as usize, entry.risk())
        });
        for (index, list, entry) in entries {
            if only_findings && entry.proven.is_empty() {
                self.leave(list_name(list), 1);
            } else {
                self.entry(index, list, entry)?;
            }
        }
        results.sort_by_key(|(_, result)| Reverse(result.level));
        for (index, found) in results {
            self.add(index, "with", text(&result(found))?);
        }
        for review in reviews {
            self.leave(
                "with",
                review
                    .results
                    .reports
                    .iter()
                    .flat_map(|report| report.left_out)
                    .sum(),
            );
        }
        Ok(())
    }

    /// Adds an entry. If it does not fit, it is added without its edits, whose number is written instead.
    fn entry(&mut self, index: usize, list: SectionKind, entry: &Entry<'_>) -> io::Result<()> {
        // An entry that certainly does not fit is not serialized just to find that out.
        let whole = if self.remaining > 200 {
            item(list, entry, entry.exact_edits)?
        } else {
            String::new()
        };
        if !whole.is_empty() && whole.len() < self.remaining {
            self.add(index, list_name(list), whole);
            return Ok(());
        }
        let bare = item(list, entry, &[])?;
        let number = entry.edits.len();
        let bare = match bare.strip_suffix("\"edits\":[]}") {
            Some(begin) if number > 0 => format!("{begin}\"edits_left_out\":{number}}}"),
            Some(_) | None => bare,
        };
        if bare.len() < self.remaining {
            self.leave("edits", number);
        }
        self.add(index, list_name(list), bare);
        Ok(())
    }
}

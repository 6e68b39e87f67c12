//! Writes the JSON of a comparison, and combines the comparisons of several units in all formats.
//!
//! `docs/diff.schema.json` and `docs/diff-units.schema.json` describe the JSON. Its version is `FORMAT_VERSION`:
//! minor versions may add members, and only major versions remove or redefine any. In edits, `before` is the side of
//! the approved plan, and `after` that of the new one.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::fingerprint::Fingerprint;
use super::report::{document, part};
use super::{Against, Class, Comparison, Difference, Gate, Origin, PlannedOutcome, Verdict};
use crate::report::{Headline, Part, Report, Title, unit_names};
use crate::review::AbsentUnit;
use crate::review::{count, one_line};
use crate::text::{nonzero, write_json};

pub use super::report::report;

/// The version of the JSON of a comparison and of a fingerprint: `MAJOR.MINOR`.
pub const FORMAT_VERSION: &str = "1.1";

/// The result of a `--fail-on` condition.
#[derive(Clone, Debug, Serialize)]
pub struct GateResult {
    /// The condition.
    pub name: &'static str,
    /// Whether there is one that matches.
    pub violated: bool,
    /// The number of differences that match.
    pub hits: usize,
}

impl GateResult {
    /// Makes the result of a gate that `hits` differences violate.
    pub fn new(gate: Gate, hits: usize) -> Self {
        Self {
            name: gate.word(),
            violated: hits > 0,
            hits,
        }
    }
}

/// Writes a comparison as JSON.
///
/// # Errors
/// Those of `out`.
pub fn json(
    comparison: &Comparison<'_>,
    gates: &[GateResult],
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = Document {
        format_version: FORMAT_VERSION,
        tfview_version: env!("CARGO_PKG_VERSION"),
        against: comparison.against,
        verdict: comparison.verdict_name(),
        sentence: comparison.sentence(),
        counts: Counts(comparison),
        gates,
        approved: &comparison.approved,
        now: &comparison.now,
        differences: &comparison.differences,
        outcomes: comparison
            .against
            .is_result()
            .then_some(&*comparison.outcomes),
        notes: &comparison.notes,
    };
    write_json(&document, out)
}

/// Returns the JSON of a fingerprint. `is_same` is whether it is the expected one, if one was expected.
pub fn fingerprint_json(
    fingerprint: &Fingerprint,
    is_same: Option<bool>,
) -> serde_json::Result<String> {
    serde_json::to_string(&serde_json::json!({
        "format_version": FORMAT_VERSION,
        "tfview_version": env!("CARGO_PKG_VERSION"),
        "fingerprint": fingerprint.to_string(),
        "verdict": is_same.map(|is_same| if is_same { "same" } else { "differs" }),
        "sensitive_values_compared": fingerprint.basis.sensitive,
    }))
}

/// A plan compared with the one that was approved, or with what became of it. Members are added in minor versions of
/// the format, and removed or redefined in major ones only.
#[derive(Serialize)]
struct Document<'r> {
    format_version: &'static str,
    /// The version of tfview that wrote the document.
    tfview_version: &'static str,
    /// What the plan is compared with: another plan, the messages of the run that applied it, or the state after it; or
    /// two `states`, the first of which is `approved`.
    against: Against,
    /// Another plan is the `same`, `within` (something differs, and nothing goes beyond what was approved) or `wider`.
    /// What was approved is `done`, `incomplete` (failed, or not done), or something `wider` was done.
    verdict: &'static str,
    /// The verdict in words.
    sentence: String,
    /// How many differences of each class there are.
    counts: Counts<'r>,
    /// The gates, and whether they hold.
    gates: &'r [GateResult],
    /// The document that was approved.
    approved: &'r Origin,
    /// The document that it is compared with.
    now: &'r Origin,
    /// The worst first.
    differences: &'r [Difference<'r>],
    /// What became of each planned change; not there when plans are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<&'r [PlannedOutcome<'r>]>,
    /// What the reader must know about the comparison itself.
    notes: &'r [String],
}

/// The numbers of a comparison, as members of an object.
struct Counts<'r>(&'r Comparison<'r>);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(comparison) = self;
        let classes = Class::ALL.map(|class| (class.name(), comparison.count(class)));
        // Changes that are the same or done as approved, and differences that --ignore leaves out.
        let others = [("same", comparison.same), ("ignored", comparison.ignored)];
        serializer.collect_map(classes.into_iter().chain(others))
    }
}

/// Which of both sides have a plan of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// Both.
    Both,
    /// There is only a new plan.
    New,
    /// There is only an approved plan.
    Missing,
}

/// The comparison of the plans of a unit, in all formats. It does not keep the plans.
#[derive(Debug, Serialize)]
pub struct UnitComparison {
    /// The name of the unit.
    unit: String,
    /// Which of the two plans there are.
    presence: Presence,
    /// The verdict of this unit.
    verdict: Verdict,
    /// The verdict in words.
    sentence: String,
    /// The part of the document for texts.
    #[serde(skip)]
    part: Part<'static>,
    /// The document of the two plans, as `docs/diff.schema.json` describes it, without gates.
    comparison: Box<RawValue>,
}

impl UnitComparison {
    /// Keeps what the formats need of the comparison of one unit.
    ///
    /// # Errors
    /// If the comparison cannot be written as JSON.
    pub fn new(unit: &str, presence: Presence, comparison: &Comparison<'_>) -> io::Result<Self> {
        let mut json = Vec::new();
        self::json(comparison, &[], &mut json)?;
        Ok(Self {
            unit: unit.to_owned(),
            presence,
            verdict: comparison.verdict(),
            sentence: comparison.sentence(),
            part: part(comparison),
            comparison: RawValue::from_string(String::from_utf8(json).map_err(io::Error::other)?)?,
        })
    }
}

/// The comparisons of several units.
#[derive(Debug)]
pub struct UnitsComparison {
    /// The units that were compared.
    pub units: Vec<UnitComparison>,
    /// The units that could not be compared.
    pub absent: Vec<AbsentUnit>,
}

impl UnitsComparison {
    /// Returns the worst verdict of all units. A unit that could not be compared counts as wider, because it may
    /// contain anything.
    pub fn verdict(&self) -> Verdict {
        let unknown = if self.absent.is_empty() {
            Verdict::Same
        } else {
            Verdict::Wider
        };
        self.units
            .iter()
            .map(|unit| unit.verdict)
            .fold(unknown, Verdict::max)
    }

    /// Returns the verdict in words, for a terminal.
    pub fn sentence(&self) -> String {
        self.headline().sentence()
    }

    /// Makes the headline: the verdict of all units, and how many units have each verdict.
    fn headline(&self) -> Headline {
        let number = |is_counted: &dyn Fn(&UnitComparison) -> bool| {
            self.units.iter().filter(|unit| is_counted(unit)).count()
        };
        let both = |verdict: Verdict| {
            number(&|unit| unit.presence == Presence::Both && unit.verdict == verdict)
        };
        let new = |is_empty: bool| {
            number(&|unit| {
                unit.presence == Presence::New && (unit.verdict == Verdict::Same) == is_empty
            })
        };
        let head = match self.verdict() {
            Verdict::Same => "The same as approved",
            Verdict::Within => "Within what was approved",
            Verdict::Wider if number(&|unit| unit.verdict == Verdict::Wider) == 0 => {
                "Not proven to be what was approved"
            }
            Verdict::Wider => "More than was approved",
        };
        // Each unit is counted once.
        let counts = [
            (self.absent.len(), "not compared"),
            (both(Verdict::Wider), "wider"),
            (new(false), "new with differences"),
            (both(Verdict::Within), "within"),
            (both(Verdict::Same), "the same"),
            (new(true), "new without changes"),
            (
                number(&|unit| unit.presence == Presence::Missing),
                "without a plan now",
            ),
        ];
        let all = count(self.units.len() + self.absent.len(), "unit");
        let changes = format!("{head}: of {all}, {}", nonzero(counts).join(", "));
        Headline {
            level: self.verdict().level(),
            changes,
            ..Headline::default()
        }
    }

    /// Makes the document for text formats: the differences of all units, the units with the worst verdict first.
    pub fn report(&self) -> Report<'static> {
        let mut order: Vec<&UnitComparison> = self.units.iter().collect();
        order.sort_by_key(|unit| std::cmp::Reverse(unit.verdict));
        let mut all = Part {
            headline: self.headline(),
            ..Part::default()
        };
        let absent = self
            .absent
            .iter()
            .map(|unit| one_line(&format!("{} {}", unit.name, unit.sentence())));
        all.notes.extend(absent);
        for (presence, words) in [
            (Presence::New, "no approved plan"),
            (Presence::Missing, "an approved plan, and none now"),
        ] {
            let units = self.units.iter().filter(|unit| unit.presence == presence);
            let names: Vec<&str> = units.map(|unit| &*unit.unit).collect();
            if !names.is_empty() {
                let units = count(names.len(), "unit");
                let verb = if names.len() == 1 { "has" } else { "have" };
                all.notes.push(format!(
                    "{units} {verb} {words}: {}",
                    unit_names(&names, false)
                ));
            }
        }
        for unit in order {
            let name = one_line(&unit.unit);
            for mut section in unit.part.sections.iter().cloned() {
                if let Title::Counted(text) = &mut section.title {
                    *text = format!("{name}: {text}");
                }
                for entry in &mut section.entries {
                    entry.address = format!("{name}: {}", entry.address);
                }
                all.sections.push(section);
            }
            all.notes
                .extend(unit.part.notes.iter().map(|note| format!("{name}: {note}")));
        }
        document(
            &format!("Comparison of {}", count(self.units.len(), "unit")),
            all,
        )
    }

    /// Writes the comparisons as one JSON document.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
        let document = UnitsDocument {
            format_version: FORMAT_VERSION,
            tfview_version: env!("CARGO_PKG_VERSION"),
            verdict: self.verdict(),
            sentence: self.sentence(),
            gates,
            units: &self.units,
            absent_units: &self.absent,
        };
        write_json(&document, out)
    }
}

/// The plans of several units, compared with the approved ones. Members are added in minor versions of the format, and
/// removed or redefined in major ones only.
#[derive(Serialize)]
struct UnitsDocument<'r> {
    format_version: &'static str,
    /// The version of tfview that wrote the document.
    tfview_version: &'static str,
    /// The verdict of the unit that differs most; `wider` if a plan cannot be read.
    verdict: Verdict,
    /// The verdict in words.
    sentence: String,
    /// The gates, and whether they hold.
    gates: &'r [GateResult],
    /// The units with a plan on one side or both, by name.
    units: &'r [UnitComparison],
    /// The units whose plans are not compared.
    absent_units: &'r [AbsentUnit],
}

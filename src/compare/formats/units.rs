//! The comparison of the plans of several units, as one document.

use std::io::{self, Write};

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{FORMAT_VERSION, GateResult};
use super::words;
use crate::compare::{Comparison, Verdict};
use crate::report::{Listing, unit_names};
use crate::review::formats::json::Escaping;
#[cfg(test)]
use crate::review::formats::json::tests as published;
use crate::review::units::AbsentUnit;
use crate::review::{count, one_line};
use crate::text::nonzero;

/// Which of both sides have a plan of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// Both.
    Both,
    /// Only the new one.
    New,
    /// Only the approved one.
    Missing,
}

/// The comparison of the plans of a unit, in all formats. It does not keep the plans.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct UnitComparison {
    unit: String,
    presence: Presence,
    verdict: Verdict,
    /// The verdict in words.
    sentence: String,
    #[serde(skip)]
    listing: Listing,
    /// The document of the two plans, as `docs/diff.schema.json` describes it, without gates.
    #[cfg_attr(test, schemars(with = "published::AnyObject"))]
    comparison: Box<RawValue>,
}

impl UnitComparison {
    /// The comparison of a unit.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(unit: &str, presence: Presence, comparison: &Comparison<'_>) -> io::Result<Self> {
        let mut json = Vec::new();
        super::json(comparison, &[], &mut json)?;
        Ok(Self {
            unit: unit.to_owned(),
            presence,
            verdict: comparison.verdict(),
            sentence: comparison.sentence(),
            listing: words::listing(comparison),
            comparison: RawValue::from_string(String::from_utf8(json).map_err(io::Error::other)?)?,
        })
    }
}

/// The comparison of all units.
#[derive(Debug)]
pub struct UnitsComparison {
    /// The units with a plan on one side or both, by name.
    pub units: Vec<UnitComparison>,
    /// Those whose plan cannot be read.
    pub absent: Vec<AbsentUnit>,
}

impl UnitsComparison {
    /// The verdict on all units. One that is not known may be anything.
    pub fn verdict(&self) -> Verdict {
        let unknown = if self.absent.is_empty() { Verdict::Same } else { Verdict::Wider };
        self.units.iter().map(|unit| unit.verdict).fold(unknown, Verdict::max)
    }

    /// The verdict in words.
    pub fn sentence(&self) -> String {
        let of = |verdict: Verdict| self.units.iter().filter(|unit| unit.verdict == verdict).count();
        let present = |presence: Presence| self.units.iter().filter(|unit| unit.presence == presence).count();
        let head = match self.verdict() {
            Verdict::Same => "The same as approved",
            Verdict::Within => "Within what was approved",
            Verdict::Wider if of(Verdict::Wider) == 0 => "Not proven to be what was approved",
            Verdict::Wider => "Wider than approved",
        };
        let counts = [
            (self.absent.len(), "not compared"),
            (of(Verdict::Wider), "wider"),
            (of(Verdict::Within), "within"),
            (of(Verdict::Same), "the same"),
            (present(Presence::New), "new"),
            (present(Presence::Missing), "without a plan now"),
        ];
        let all = count(self.units.len() + self.absent.len(), "unit");
        format!("{head}: of {all}, {}.", nonzero(counts).join(", "))
    }

    /// The document for text formats: the differences of all units, the gravest units first.
    pub fn listing(&self) -> Listing {
        let mut order: Vec<&UnitComparison> = self.units.iter().collect();
        crate::sort::by_key(&mut order, |unit| std::cmp::Reverse(unit.verdict));
        let mut listing = Listing {
            title: one_line(&format!("Comparison of {}", count(self.units.len(), "unit"))),
            sign: words::sign(self.verdict()),
            sentence: self.sentence(),
            details: Vec::new(),
            sections: Vec::new(),
            notes: Vec::new(),
        };
        for unit in &self.absent {
            listing.notes.push(one_line(&format!("{} {}", unit.name, unit.sentence())));
        }
        for (presence, words) in
            [(Presence::New, "no approved plan"), (Presence::Missing, "an approved plan, and none now")]
        {
            let units = self.units.iter().filter(|unit| unit.presence == presence);
            let names: Vec<&str> = units.map(|unit| &*unit.unit).collect();
            if !names.is_empty() {
                let units = count(names.len(), "unit");
                let verb = if names.len() == 1 { "has" } else { "have" };
                listing.notes.push(format!("{units} {verb} {words}: {}", unit_names(&names, false)));
            }
        }
        for unit in order {
            let name = one_line(&unit.unit);
            for section in &unit.listing.sections {
                let mut section = section.clone();
                section.title = format!("{name}: {}", section.title);
                for object in &mut section.objects {
                    object.name = format!("{name}: {}", object.name);
                    object.lines.iter_mut().for_each(|line| line.text = format!("{name}: {}", line.text));
                }
                listing.sections.push(section);
            }
            listing.notes.extend(unit.listing.notes.iter().map(|note| format!("{name}: {note}")));
        }
        listing
    }

    /// Writes the comparison as one JSON document, described by `docs/diff-units.schema.json`.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn json(&self, gates: &[GateResult], out: &mut dyn Write) -> io::Result<()> {
        let document = Document {
            format_version: FORMAT_VERSION,
            tfview_version: env!("CARGO_PKG_VERSION"),
            verdict: self.verdict(),
            sentence: self.sentence(),
            gates,
            units: &self.units,
            absent_units: &self.absent,
        };
        let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Escaping);
        document.serialize(&mut serializer)?;
        out.write_all(b"\n")
    }
}

/// The plans of several units, compared with the approved ones. Members are added in minor versions of the format, and
/// removed or redefined in major ones only.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(title = "tfview diff FOLDER FOLDER --format json"))]
struct Document<'r> {
    #[cfg_attr(test, schemars(extend("const" = FORMAT_VERSION)))]
    format_version: &'static str,
    tfview_version: &'static str,
    /// That of the unit that differs most; `wider` if a plan cannot be read.
    verdict: Verdict,
    /// The verdict in words.
    sentence: String,
    gates: &'r [GateResult],
    /// The units with a plan on one side or both, by name.
    units: &'r [UnitComparison],
    /// The units whose plans are not compared.
    absent_units: &'r [AbsentUnit],
}

#[cfg(test)]
mod tests {
    use super::published;

    #[test]
    fn published_schema_of_compared_units_is_that_of_its_types() {
        published::hold::<super::Document<'_>>("diff-units");
    }
}

//! Compares the plans of two folders, unit by unit.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::ensure;

use super::{Conclusion, DiffCommand, require_comparable, with_comparison};
use crate::cli::input::Source;
use crate::cli::plans::{Input, check_outputs};
use crate::cli::{Outcome, units};
use crate::compare::formats::{GateResult, Presence, UnitComparison, UnitsComparison};
use crate::review::AbsentUnit;

impl DiffCommand<'_> {
    /// Compares the units of two folders, in parallel, and shows the result.
    pub(super) fn units(&self, approved: &Path, now: &Path) -> anyhow::Result<Outcome> {
        ensure!(
            approved.is_dir() && now.is_dir(),
            "{} is a folder, and {} is not: compare two folders of plans, or two plans",
            if approved.is_dir() { approved } else { now }.display(),
            if approved.is_dir() { now } else { approved }.display(),
        );
        let find = |folder: &Path| {
            units::find(
                &[folder.to_owned()],
                &[],
                &[],
                units::SearchFor::Plans,
                self.reader.host,
            )
        };
        let (old, new) = (find(approved)?, find(now)?);
        check_outputs(
            &self.args.out,
            &old.paths().chain(new.paths()).collect::<Vec<_>>(),
        )?;
        let mut absent: Vec<AbsentUnit> = old.absent.into_iter().chain(new.absent).collect();
        let mut pairs: BTreeMap<String, [Option<Source>; 2]> = BTreeMap::new();
        for (side, units) in [old.units, new.units].into_iter().enumerate() {
            for unit in units {
                let name = unit.name.unwrap_or_else(|| ".".to_owned());
                pairs.entry(name).or_default()[side] = Some(unit.source);
            }
        }
        let pairs: Vec<(String, [Option<Source>; 2])> = pairs.into_iter().collect();
        let mut compared = Vec::with_capacity(pairs.len());
        let mut hits = vec![0; self.args.fail_on.len()];
        let results = units::each(&pairs, self.reader.host, |(name, sources)| {
            self.unit(name, sources)
        });
        for ((name, _), result) in pairs.iter().zip(results) {
            match result {
                Ok((comparison, own)) => {
                    hits.iter_mut().zip(own).for_each(|(all, own)| *all += own);
                    compared.push(comparison);
                }
                Err(error) => absent.push(units::unreadable(name, &error)),
            }
        }
        // What a gate is about may be in a unit that cannot be compared.
        hits.iter_mut().for_each(|hits| *hits += absent.len());
        let comparison = UnitsComparison {
            units: compared,
            absent,
        };
        let gates: Vec<GateResult> = self
            .args
            .fail_on
            .iter()
            .zip(hits)
            .map(|(gate, hits)| GateResult::new(*gate, hits))
            .collect();
        self.write(&Conclusion {
            gates: &gates,
            sentence: comparison.sentence(),
            verdict: comparison.verdict(),
            absent: &comparison.absent,
            report: &|| comparison.report(),
            json: &|sink| comparison.json(&gates, sink),
        })
    }

    /// Compares the two plans of a unit, one of which may be missing. Returns the number of differences for each gate
    /// too.
    fn unit(
        &self,
        name: &str,
        [approved, now]: &[Option<Source>; 2],
    ) -> anyhow::Result<(UnitComparison, Vec<usize>)> {
        let read = |source: &Option<Source>| {
            source
                .clone()
                .map(|source| self.reader.read(source))
                .transpose()
        };
        let (approved, now) = (read(approved)?, read(now)?);
        let old = Input::of_unit(approved.as_ref(), self.reader)?;
        let new = Input::of_unit(now.as_ref(), self.reader)?;
        let presence = match (&approved, &now) {
            (None, _) => Presence::New,
            (_, None) => Presence::Missing,
            (Some(_), Some(_)) => Presence::Both,
        };
        if presence == Presence::Both {
            require_comparable(&old, &new)?;
        }
        with_comparison(&old, &new, self.reader, &self.options, |comparison| {
            let hits = self
                .args
                .fail_on
                .iter()
                .map(|gate| gate.hits(comparison))
                .collect();
            Ok((UnitComparison::new(name, presence, comparison)?, hits))
        })
    }
}

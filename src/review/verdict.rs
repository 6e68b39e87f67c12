//! The counts of a plan, and the sentence that they make.

use super::entry::PlanReview;
use super::{Kind, count};

/// What a plan does, in numbers. Counts all that the plan lists, whatever filters hide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// By kind, in the order of [`Kind::ALL`].
    pub kinds: [usize; 10],
    /// Imports, also of what changes on the way.
    pub imports: usize,
    /// Moves, also of what changes on the way.
    pub moves: usize,
    /// Objects that changed outside of the tool.
    pub drift: usize,
    /// Outputs that change.
    pub outputs: usize,
    /// Changes that are put off.
    pub deferred: usize,
    /// Actions that are invoked.
    pub invocations: usize,
    /// Checks that failed.
    pub failed_checks: usize,
    /// Planning stopped with an error.
    pub errored: bool,
    /// Resources whose change is cosmetic.
    pub cosmetic: usize,
}

impl Verdict {
    /// The counts of a plan.
    pub fn of_plan(review: &PlanReview<'_>) -> Self {
        let mut verdict = Self {
            drift: review.drift.len(),
            outputs: review.outputs.len(),
            deferred: review.deferred.len(),
            invocations: review.invocations.len(),
            failed_checks: review.checks.iter().filter(|check| check.is_failure()).count(),
            errored: review.errored,
            ..Self::default()
        };
        for entry in &review.resources {
            verdict.add(Kind::of_entry(entry));
            verdict.imports += usize::from(entry.importing.is_some());
            verdict.moves += usize::from(entry.is_moved());
        }
        verdict
    }

    /// How many resources of a kind. Imports and moves count also where more happens.
    pub fn of(&self, kind: Kind) -> usize {
        match kind {
            Kind::Import => self.imports,
            Kind::Move => self.moves,
            Kind::Destroy
            | Kind::Replace
            | Kind::Succeed
            | Kind::Forget
            | Kind::Other
            | Kind::Update
            | Kind::Create
            | Kind::Read => self.kinds.get(kind as usize).copied().unwrap_or(0),
        }
    }

    /// Counts one more resource.
    pub fn add(&mut self, kind: Kind) {
        if let Some(count) = self.kinds.get_mut(kind as usize) {
            *count += 1;
        }
    }

    /// How many resources the plan lists.
    pub fn resources(&self) -> usize {
        self.kinds.iter().sum()
    }

    /// Whether there is something to apply.
    pub fn has_changes(&self) -> bool {
        self.resources() + self.outputs + self.invocations > 0
    }

    /// The counts of several plans together.
    pub fn total<'v>(all: impl Iterator<Item = &'v Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            for (total, kind) in sum.kinds.iter_mut().zip(one.kinds) {
                *total += kind;
            }
            sum.imports += one.imports;
            sum.moves += one.moves;
            sum.drift += one.drift;
            sum.outputs += one.outputs;
            sum.deferred += one.deferred;
            sum.invocations += one.invocations;
            sum.failed_checks += one.failed_checks;
            sum.errored |= one.errored;
            sum.cosmetic += one.cosmetic;
        }
        sum
    }

    /// The verdict in pieces: how grave it is, and the words.
    pub fn pieces(&self) -> Vec<(Option<Kind>, String)> {
        let mut pieces = Vec::new();
        for kind in Kind::ALL {
            let number = self.of(kind);
            if number > 0 {
                pieces.push((Some(kind), format!("{number} {}", kind.verdict())));
            }
        }
        let others = [(self.drift, "changed outside"), (self.deferred, "deferred")];
        pieces.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| (None, format!("{n} {what}"))));
        if self.invocations > 0 {
            pieces.push((None, format!("{} to invoke", count(self.invocations, "action"))));
        }
        if self.outputs > 0 {
            pieces.push((None, format!("{} to change", count(self.outputs, "output"))));
        }
        if self.failed_checks > 0 {
            pieces.push((None, format!("{} failed", count(self.failed_checks, "check"))));
        }
        pieces
    }

    /// The verdict as one sentence.
    pub fn sentence(&self) -> String {
        let words: Vec<String> = self.pieces().into_iter().map(|(_, words)| words).collect();
        let changes = if words.is_empty() { "No changes".to_owned() } else { words.join(", ") };
        let lead = if self.errored { "PLANNING FAILED, the plan is not complete. So far: " } else { "" };
        let destroyed = self.of(Kind::Destroy) + self.of(Kind::Replace);
        let tail = match destroyed {
            0 => String::new(),
            1 => " — 1 object is destroyed for good".to_owned(),
            n => format!(" — {n} objects are destroyed for good"),
        };
        format!("{lead}{changes}{tail}.")
    }
}

//! The gate by what is permitted: `--allow` lists directions, and everything in a plan must have one of them.
//!
//! Invariant: it fails closed. All directions of an edit must be allowed, and what is hidden, failed, left out or left
//! as it drifted is allowed only by a word that names it.
//!
//! ```text
//! --allow harmless,newer:patch
//!
//! 31 edits, 29 allowed; not: aws_db_instance.main engine_version (newer:major, stops), aws_eip.nat (gone)
//! ```

use std::collections::{HashMap, HashSet};

use strum::{IntoStaticStr, VariantArray};

use super::entry::Entry;
use super::gate::object_name;
use super::paths::{path_text, root_name};
use super::plan::PlanReview;
use super::{count, one_line};
use crate::diff::edits::{Edit, Note};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions, Meaning, Step};
use crate::model::Action;
use crate::report::SectionKind;
use crate::text::first_of;

/// The maximum number of reasons that the message of the gate names; the others are counted.
const MAX_REASONS: usize = 5;

/// Something in a plan that no direction speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Exception {
    /// The values of an edit are hidden, so that nobody can judge them.
    Hidden,
    /// Drift that is not harmless, and that the plan accepts or leaves.
    Drift,
    /// A check failed, or its result is not known.
    Checks,
    /// Planning failed.
    Errored,
    /// Another plan must follow, or a change is deferred to it.
    Partial,
    /// An object leaves the state, and nobody manages it any more.
    Forgotten,
}

impl Exception {
    /// Returns the word on the command line.
    fn word(self) -> &'static str {
        self.into()
    }
}

/// What `--allow` permits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// The list as it was given.
    words: String,
    /// The directions that are allowed with any step.
    directions: Directions,
    /// The largest step of a newer version that is allowed; `None` if none is, unless `directions` has all.
    newer: Option<Step>,
    /// What else is allowed.
    exceptions: Vec<Exception>,
}

/// A part of a plan that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAllowed {
    /// The name of the object, or of the plan.
    pub name: String,
    /// The path of the edit; empty for the object as a whole.
    pub path: String,
    /// What it is: directions, or the word of an exception.
    pub what: String,
}

/// The result of checking a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowResult {
    /// The number of edits, and of objects without edits.
    pub edits: usize,
    /// What is not allowed, in the order of the plan.
    pub not_allowed: Vec<NotAllowed>,
}

impl Allow {
    /// Returns the list `harmless`.
    pub(super) fn harmless() -> Self {
        Self {
            words: "harmless".to_owned(),
            directions: Direction::HARMLESS.iter().copied().collect(),
            ..Self::default()
        }
    }

    /// Reads a list of words: directions, `harmless`, `*`, `newer:STEP`, `hidden` and other exceptions, and `-WORD`,
    /// which takes one out.
    ///
    /// # Errors
    /// If a word is not known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut allow = Self {
            words: text.to_owned(),
            ..Self::default()
        };
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            allow.add(word)?;
        }
        if allow.directions.is_empty() && allow.newer.is_none() && allow.exceptions.is_empty() {
            return Err(format!("`{text}` allows nothing"));
        }
        Ok(allow)
    }

    /// Adds a word, or takes one out.
    fn add(&mut self, word: &str) -> Result<(), String> {
        if let Some(word) = word.strip_prefix('-') {
            if word == Direction::Newer.word() {
                self.newer = None;
            }
            let direction = Direction::from_word(word).ok_or_else(|| unknown_word(word))?;
            self.directions.remove(direction);
            return Ok(());
        }
        if word == "*" {
            self.directions = Direction::ALL.iter().copied().collect();
        } else if word == "harmless" {
            self.directions = self
                .directions
                .union(Direction::HARMLESS.iter().copied().collect());
        } else if let Some(step) = word.strip_prefix("newer:") {
            let step = Step::VARIANTS.iter().find(|known| known.word() == step);
            self.newer = self
                .newer
                .max(Some(*step.ok_or_else(|| unknown_word(word))?));
        } else if let Some(direction) = Direction::from_word(word) {
            self.directions.insert(direction);
        } else {
            let exception = Exception::VARIANTS
                .iter()
                .find(|known| known.word() == word);
            self.exceptions
                .push(*exception.ok_or_else(|| unknown_word(word))?);
        }
        Ok(())
    }

    /// Returns every word that a list may have, without `-WORD`.
    pub fn words() -> impl Iterator<Item = String> {
        let steps = Step::VARIANTS
            .iter()
            .map(|step| format!("newer:{}", step.word()));
        let directions = Direction::ALL
            .iter()
            .map(|direction| direction.word().to_owned());
        let exceptions = Exception::VARIANTS
            .iter()
            .map(|known| known.word().to_owned());
        ["harmless".to_owned(), "*".to_owned()]
            .into_iter()
            .chain(directions)
            .chain(steps)
            .chain(exceptions)
    }

    /// Returns the list as it was given.
    pub fn text(&self) -> &str {
        &self.words
    }

    fn permits(&self, exception: Exception) -> bool {
        self.exceptions.contains(&exception)
    }

    /// Returns the directions of a meaning that are not allowed, in words; empty if all are.
    fn forbidden(&self, meaning: Meaning) -> Vec<String> {
        let mut words = Vec::new();
        for direction in meaning.directions.iter() {
            if self.directions.contains(direction) {
                continue;
            }
            let step = meaning.step.filter(|_| direction == Direction::Newer);
            if step.is_some_and(|step| self.newer.is_some_and(|most| step <= most)) {
                continue;
            }
            words.push(match step {
                Some(step) => format!("{}:{}", direction.word(), step.word()),
                None => direction.word().to_owned(),
            });
        }
        if meaning.directions.is_empty() {
            words.push(Direction::Unjudged.word().to_owned());
        }
        words
    }

    /// Checks everything in a plan.
    pub fn check(&self, review: &PlanReview<'_>) -> AllowResult {
        let mut result = AllowResult::default();
        let mut seen = HashSet::new();
        for list in SectionKind::ALL {
            if list == SectionKind::Drift {
                continue;
            }
            for entry in review.changes.list(list) {
                self.check_entry(list, entry, &mut result);
                seen.insert(entry.address);
            }
        }
        let mut add = |exception: Exception, names: Vec<String>| {
            if !self.permits(exception) {
                result
                    .not_allowed
                    .extend(names.into_iter().map(|name| NotAllowed {
                        name,
                        path: String::new(),
                        what: exception.word().to_owned(),
                    }));
            }
        };
        let title = |holds: bool| holds.then(|| review.title().to_owned());
        add(Exception::Drift, left_drift(review));
        let checks = review.checks.iter().map(|check| check.address.clone());
        add(Exception::Checks, checks.collect());
        add(
            Exception::Errored,
            title(review.errored).into_iter().collect(),
        );
        let is_partial = review.complete == Some(false)
            || !review.changes.deferred.is_empty()
            || !review.changes.deferred_invocations.is_empty()
            || seen.is_empty() && review.has_unlisted_changes();
        add(Exception::Partial, title(is_partial).into_iter().collect());
        result
    }

    /// Checks the edits of an entry, and the entry as a whole.
    fn check_entry(&self, list: SectionKind, entry: &Entry<'_>, result: &mut AllowResult) {
        let name = object_name(list, entry.address);
        let mut add = |path: String, words: Vec<String>| {
            if !words.is_empty() {
                result.not_allowed.push(NotAllowed {
                    name: name.clone(),
                    path,
                    what: words.join(", "),
                });
            }
        };
        for edit in entry.shown_edits.list() {
            let mut words = self.forbidden(edit.meaning);
            if is_hidden(edit) && !self.permits(Exception::Hidden) {
                words.push(Exception::Hidden.word().to_owned());
            }
            add(path_text("", edit.path), words);
        }
        // What the edits are is said for them; the object adds what happens to it as a whole.
        let of_edits: Directions = entry
            .shown_edits
            .iter()
            .flat_map(|edit| edit.meaning.directions.iter())
            .collect();
        let mut rest = entry.meaning;
        for direction in of_edits.iter() {
            rest.directions.remove(direction);
        }
        let mut words = if rest.directions.is_empty() && !entry.shown_edits.is_empty() {
            Vec::new()
        } else {
            self.forbidden(rest)
        };
        let is_forgotten = matches!(
            entry.action,
            Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget
        );
        if is_forgotten && !self.permits(Exception::Forgotten) {
            words.push(Exception::Forgotten.word().to_owned());
        }
        add(String::new(), words);
        result.edits += entry.shown_edits.len().max(1);
    }
}

impl AllowResult {
    /// Whether everything is allowed.
    pub fn is_allowed(&self) -> bool {
        self.not_allowed.is_empty()
    }

    /// Returns the result in words, with the first reasons.
    pub fn message(&self) -> String {
        let mut objects = HashMap::new();
        for part in &self.not_allowed {
            *objects.entry((&part.name, &part.path)).or_insert(0) += 1;
        }
        let allowed = self.edits.saturating_sub(objects.len());
        let reasons: Vec<String> = self
            .not_allowed
            .iter()
            .map(|part| {
                let separator = if part.path.is_empty() { "" } else { " " };
                one_line(&format!(
                    "{}{separator}{} ({})",
                    part.name, part.path, part.what
                ))
            })
            .collect();
        format!(
            "{}, {allowed} allowed; not: {}",
            count(self.edits, "edit"),
            first_of(&reasons, MAX_REASONS)
        )
    }
}

/// Returns the message for a word that is not known.
fn unknown_word(word: &str) -> String {
    format!("`{word}` is no direction")
}

/// Whether nobody can judge the values of an edit: both are hidden, or too large to be compared.
fn is_hidden(edit: &Edit<'_>) -> bool {
    let is_redacted = |side: Option<MarkedValue<'_>>| side.is_some_and(MarkedValue::is_redacted);
    let is_read = edit
        .inside
        .is_none_or(|inside| !inside.edits.iter().any(is_hidden));
    is_redacted(edit.before) && is_redacted(edit.after)
        || edit.notes.contains(&Note::TooLarge)
        || !is_read
}

/// Returns the addresses of objects whose drift is not harmless and stays: the plan does not change what drifted.
fn left_drift(review: &PlanReview<'_>) -> Vec<String> {
    let planned: HashMap<&str, &Entry<'_>> = review
        .changes
        .resources
        .iter()
        .map(|entry| (entry.address, entry))
        .collect();
    let mut left = Vec::new();
    for entry in review.changes.drift.iter().filter(|entry| entry.is_drift()) {
        let is_harmless = entry.meaning.directions.iter().all(Direction::is_harmless);
        if is_harmless {
            continue;
        }
        let changed: HashSet<&str> = planned
            .get(entry.address)
            .map(|planned| planned.shown_edits.iter().map(root_name).collect())
            .unwrap_or_default();
        let is_undone = entry.shown_edits.list().iter().all(|edit| {
            let name = root_name(edit);
            edit.meaning.directions.iter().all(Direction::is_harmless)
                || changed.contains(name)
                || changed.contains("")
        });
        if !is_undone {
            left.push(entry.address.to_owned());
        }
    }
    left
}

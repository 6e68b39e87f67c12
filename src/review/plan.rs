//! Reviews a plan: makes an entry for each change, in the order of the plan.

mod found;
mod related;
mod reviewed;

use bumpalo::Bump;

use super::entry::{Entry, PlanReview};
use super::findings::{Finder, Rules, expected};
use super::masks::Masks;
use super::{checks, groups, level, one_line, reasons, renames, variables};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{self, Settings};
use crate::diff::parallel::Storage;
use crate::diff::value::Redactor;
use crate::json;
use crate::model::plan::{Plan, PlanMode, says_more};
use crate::report::SectionKind;
use crate::schema::Schemas;

use related::{find_causes, mark_relevant};
use reviewed::Reviewed;

/// Settings for what a review reads and keeps of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'r> {
    /// The rules for findings; without rules, neither findings nor causes are searched.
    pub rules: Option<&'r Rules>,
    /// Whether to keep sensitive values.
    pub show_sensitive: bool,
    /// Whether to keep unchanged values too: [`Entry::whole`](super::entry::Entry::whole).
    pub keep_whole: bool,
}

/// The maximum number of bytes of texts that are compressed in the strings of a plan, in addition to four times its
/// size.
const MAX_DECODED: usize = 12 << 20;

impl<'a> PlanReview<'a> {
    /// A list of changes.
    pub(crate) fn list(&self, kind: SectionKind) -> &[Entry<'a>] {
        match kind {
            SectionKind::Resources => &self.resources,
            SectionKind::Drift => &self.drift,
            SectionKind::Deferred => &self.deferred,
            SectionKind::Invocations => &self.invocations,
            SectionKind::DeferredInvocations => &self.deferred_invocations,
            SectionKind::Outputs => &self.outputs,
        }
    }

    fn list_mut(&mut self, kind: SectionKind) -> &mut Vec<Entry<'a>> {
        match kind {
            SectionKind::Resources => &mut self.resources,
            SectionKind::Drift => &mut self.drift,
            SectionKind::Deferred => &mut self.deferred,
            SectionKind::Invocations => &mut self.invocations,
            SectionKind::DeferredInvocations => &mut self.deferred_invocations,
            SectionKind::Outputs => &mut self.outputs,
        }
    }

    /// The changes of objects, each with its list.
    pub(super) fn objects(&self) -> impl Iterator<Item = (SectionKind, &Entry<'a>)> {
        let lists = [SectionKind::Resources, SectionKind::Drift, SectionKind::Deferred].into_iter();
        lists.flat_map(|kind| self.list(kind).iter().map(move |entry| (kind, entry)))
    }

    /// The name by which texts call the plan: that of its unit, if it is one of several.
    pub fn title(&self) -> &str {
        self.unit.as_deref().unwrap_or(&self.name)
    }

    /// Whether the plan itself says that there is more to do than its changes show.
    pub fn says_more(&self) -> bool {
        says_more(self.errored, self.complete, self.applyable)
    }

    /// The review of a plan. `text` is the document that the plan was read from, and `name` its name. Values
    /// of the review are stored in `storage`.
    ///
    /// # Errors
    /// If a value or a schema is malformed.
    pub fn new(
        name: &str,
        text: &'a str,
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        options: ReadOptions<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> Result<Self, Error> {
        let findings = options.rules.map(|rules| Finder::new(rules, plan, arena)).transpose()?;
        let texts = [text, "", ""];
        let show_sensitive = options.show_sensitive;
        let settings = Settings { texts, show_sensitive, decoded: MAX_DECODED };
        let (reviewed, inferred) =
            edits::plan(plan, schemas, settings, arena, storage, |part, found, comparer| {
                reviewed::review(part, found, comparer, findings.as_ref(), options.keep_whole)
            })?;
        let redactor = Redactor { texts, arena, show_sensitive };
        let mut review = Self {
            name: name.to_owned(),
            tool: Tool::from_plan(plan),
            tool_version: redactor.text(&plan.terraform_version),
            format_version: redactor.text(&plan.format_version),
            timestamp: redactor.text(&plan.timestamp),
            errored: plan.errored,
            complete: plan.complete,
            applyable: plan.applyable,
            mode: if plan.errored { PlanMode::Normal } else { PlanMode::of(plan) },
            inferred,
            ..Self::default()
        };
        match variables::read(plan, redactor, false) {
            Ok(found) => review.variables = found,
            Err(error) => review.notes.push(one_line(&format!("the variables cannot be read: {error}"))),
        }
        let mut found = Vec::new();
        for Reviewed { list, entry, findings, masks } in reviewed {
            review.masks.extend(masks);
            let entries = review.list_mut(list);
            found.push((list, entries.len(), findings));
            entries.push(entry);
        }
        mark_relevant(&mut review.drift, plan, arena)?;
        if let Some(finder) = &findings {
            find_causes(&mut review.resources, plan, redactor);
            // The planned changes are the first part of a plan.
            for (at, more) in expected(&review.resources, finder, plan, redactor) {
                found[at].2.extend(more);
            }
        }
        found::mark_undone(&mut found, plan, arena)?;
        found::list(found, &mut review);
        review.checks = plan.checks.map(checks::read).unwrap_or_default();
        review.level = level::of_plan(&review);
        reasons::add(&mut review);
        groups::find(&mut review);
        if options.rules.is_some() {
            renames::find(&mut review);
        }
        Ok(review)
    }

    /// Keeps the values of input variables too; those of sensitive variables only if `show_sensitive`.
    ///
    /// # Errors
    /// If the variables are malformed.
    pub fn keep_variable_values(
        &mut self,
        plan: &Plan<'a>,
        text: &'a str,
        arena: &'a Bump,
        show_sensitive: bool,
    ) -> Result<(), json::Error> {
        let redactor = Redactor { texts: [text, "", ""], arena, show_sensitive };
        self.variables = variables::read(plan, redactor, true)?;
        if !show_sensitive {
            let values = self.variables.iter().filter_map(|variable| Some((variable.name, variable.value?)));
            values.for_each(|(name, value)| self.masks.extend(Masks::of(Some(name), &[value])));
        }
        Ok(())
    }
}

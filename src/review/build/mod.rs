//! Builds the review of a plan.
//!
//! [`ReviewInputs`] has everything that a review is made of. A [`PlanReview`] is complete when it exists: reports,
//! gates and formats read it, and nothing changes it. It is built in phases, each of which takes what the previous one
//! returns:
//!
//! 1. `Edited` is an entry for each change, with its edits and the findings that its own values prove;
//! 2. `Judged` adds causes, and the findings that only the plan as a whole proves, in rank order;
//! 3. `Explained` adds reasons, groups and renames, based on exact values;
//! 4. `Explained::shown` hides what texts must not show, and marks what a filter leaves out.
//!
//! ```text
//! resource_changes[0] = {"address": "aws_db_instance.main", "change": {"actions": ["delete"], …}}
//!
//! Entry { address: "aws_db_instance.main", action: Delete, edits: [{ before: {…}, after: None }], findings: [0], … }
//! PlanFinding { kind: DataLoss, level: Critical, addresses: ["aws_db_instance.main"], … }
//! ```

mod accepted;
pub(super) mod groups;
mod meanings;
pub(super) mod new_texts;
mod part;
mod ranking;
mod renames;
mod runs;
mod shifts;
mod taken_over;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use bumpalo::Bump;

use self::meanings::SelectedTags;
use self::part::{ReviewedPart, review_part};
use super::changes::Changes;
use super::entry::{Entry, Group, PlacedObject, PlanFinding, Reason, Rename};
use super::finding::{Acceptance, EntryFindings};
use super::findings::{self, RuleFinder, Rules, expected};
use super::identifiers::{GivenNames, Names};
use super::inputs::{self, InputVariable};
use super::masks::{self, Masks};
use super::plan::PlanReview;
use super::{Filter, Verdict, causes, one_line, reasons};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{self, Settings};
use crate::diff::parallel::Storage;
use crate::diff::value::Redactor;
use crate::model::plan::{Plan, PlanMode, ResourceChange};
use crate::report::SectionKind;
use crate::schema::Schemas;
use crate::with::tie::Tied;

/// The maximum number of bytes that are decompressed from strings, in addition to four times the size of the plan.
const MAX_DECODED: usize = 12 << 20;

/// Everything that the review of one plan is made of.
#[derive(Debug)]
pub struct ReviewInputs<'r, 'a> {
    /// The name of the file, with `:N` for the Nth plan in it.
    pub name: &'r str,
    /// The name of the unit, if the plan is one of several.
    pub unit: Option<&'r str>,
    /// The document that the plan was read from.
    pub text: &'a str,
    /// The plan itself.
    pub plan: &'r Plan<'a>,
    /// The schemas of its providers, if any are available; others are inferred.
    pub schemas: &'r Schemas<'a>,
    /// The options for reading the plan: what is looked for, and what texts show.
    pub options: ReadOptions<'r>,
    /// The facts about the plan that it does not contain itself.
    pub context: PlanContext<'a>,
}

impl<'r, 'a> ReviewInputs<'r, 'a> {
    /// Creates the inputs for a plan alone, without rules.
    pub fn new(name: &'r str, text: &'a str, plan: &'r Plan<'a>, schemas: &'r Schemas<'a>) -> Self {
        Self {
            name,
            unit: None,
            text,
            plan,
            schemas,
            options: ReadOptions::default(),
            context: PlanContext::default(),
        }
    }
}

/// The options for reading a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'r> {
    /// The rules of findings. Without rules, neither findings nor causes are searched.
    pub rules: Option<&'r Rules>,
    /// Whether sensitive values and credentials are kept; otherwise a word replaces them.
    pub show_sensitive: bool,
    /// Whether unchanged values are kept, in [`Entry::whole`].
    pub keep_whole: bool,
    /// Whether the values of input variables are kept. Values of sensitive variables also need `show_sensitive`.
    pub keep_variables: bool,
    /// The acceptances of the project. Findings that they cover violate no gate on findings.
    pub accepted: &'r [Arc<Acceptance>],
    /// The filter of texts.
    pub filter: Option<&'r Filter>,
    /// The names that the user gives to identifiers.
    pub names: Option<&'r GivenNames>,
}

/// Facts about a plan that come from elsewhere.
#[derive(Debug, Default)]
pub struct PlanContext<'a> {
    /// The fingerprint of the plan; empty if none was computed.
    pub fingerprint: String,
    /// Remarks, for example about parts that could not be read.
    pub notes: Vec<String>,
    /// The places of objects in the configuration.
    pub places: Option<Places>,
    /// The results of other tools.
    pub results: Tied<'a>,
}

/// The places of objects in the configuration, by address.
pub type Places = HashMap<String, PlacedObject>;

impl<'a> PlanReview<'a> {
    /// Reviews a plan. Values of the review are stored in `storage`.
    ///
    /// # Errors
    /// If a value or a schema is malformed.
    pub fn new(
        inputs: ReviewInputs<'_, 'a>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> Result<Self, Error> {
        let ReviewInputs {
            name,
            unit,
            text,
            plan,
            options,
            ref context,
            ..
        } = inputs;
        let redactor = Redactor {
            texts: [text, "", ""],
            arena,
            show_sensitive: options.show_sensitive,
        };
        let finder = options
            .rules
            .map(|rules| RuleFinder::new(rules, plan, arena))
            .transpose()?;
        let variables = Variables::new(plan, redactor, options.keep_variables)?;
        let edited = Edited::new(&inputs, &variables, finder.as_ref(), redactor, storage)?;
        let judged = edited.judged(plan, finder.as_ref(), options.accepted, redactor)?;
        let Explained {
            judged,
            groups,
            renames,
        } = judged.explained(plan, finder.is_some(), arena).shown(
            plan,
            &options,
            context.places.as_ref(),
            arena,
        );
        let PlanContext {
            fingerprint,
            notes,
            results,
            ..
        } = inputs.context;
        let review = Self {
            name: name.to_owned(),
            unit: unit.map(str::to_owned),
            tool: Tool::from_plan(plan),
            tool_version: redactor.text(&plan.terraform_version),
            format_version: redactor.text(&plan.format_version),
            timestamp: redactor.text(&plan.timestamp),
            variables: variables.list,
            errored: plan.errored,
            complete: plan.complete,
            applyable: plan.applyable,
            mode: if plan.errored {
                PlanMode::Normal
            } else {
                PlanMode::of(plan)
            },
            unchanged_objects: plan
                .resource_changes
                .iter()
                .filter(|change| change.has_no_effect() && &*change.mode == "managed")
                .count(),
            changes: judged.changes,
            findings: judged.findings,
            unjudged: judged.unjudged,
            checks: plan
                .checks
                .map(|checks| inputs::checks(checks, options.show_sensitive))
                .unwrap_or_default(),
            groups,
            renames,
            results,
            notes: variables.problem.into_iter().chain(notes).collect(),
            fingerprint,
            verdict: Verdict::default(),
            masks: judged.masks,
        };
        Ok(Self {
            verdict: Verdict::new(&review),
            ..review
        })
    }
}

/// The input variables of a plan, or why they cannot be read.
struct Variables<'a> {
    /// The variables; empty if they cannot be read.
    list: Vec<InputVariable<'a>>,
    /// The note about why they cannot be read.
    problem: Option<String>,
}

impl<'a> Variables<'a> {
    /// Reads the input variables of the plan. If they cannot be read, this is an error only if they were requested;
    /// otherwise it is a note.
    fn new(plan: &Plan<'a>, redactor: Redactor<'a>, are_requested: bool) -> Result<Self, Error> {
        match inputs::variables(plan, redactor, are_requested) {
            Ok(list) => Ok(Self {
                list,
                problem: None,
            }),
            Err(error) if are_requested => Err(Error::from(error)),
            Err(error) => Ok(Self {
                list: Vec::new(),
                problem: Some(one_line(&format!("the variables cannot be read: {error}"))),
            }),
        }
    }
}

/// The result of the first phase: the changes with their edits, and the findings that the values of each prove.
struct Edited<'a> {
    /// The entries, without anything that only the whole plan proves.
    changes: Changes<'a>,
    /// The findings of each entry, in the order of `changes`.
    findings: Vec<EntryFindings<'a>>,
    /// The types of changed objects that no rule looks at.
    unjudged: BTreeSet<&'a str>,
    /// The credentials in all values, which texts must not show.
    masks: Masks,
}

impl<'a> Edited<'a> {
    /// Reviews every part of the plan by itself, on several threads if the plan is large, and collects the results in
    /// the order of the plan.
    fn new(
        inputs: &ReviewInputs<'_, 'a>,
        variables: &Variables<'a>,
        finder: Option<&RuleFinder<'_, 'a>>,
        redactor: Redactor<'a>,
        storage: &'a mut Storage,
    ) -> Result<Self, Error> {
        let keep_whole = inputs.options.keep_whole;
        let settings = Settings {
            texts: redactor.texts,
            show_sensitive: redactor.show_sensitive,
            decoded: MAX_DECODED,
        };
        let reviewed = edits::plan(
            inputs.plan,
            inputs.schemas,
            settings,
            redactor.arena,
            storage,
            |part, edited, comparer| review_part(part, edited, comparer, finder, keep_whole),
        )?;
        let mut edited = Self {
            changes: Changes::default(),
            findings: Vec::new(),
            unjudged: BTreeSet::new(),
            masks: Masks::default(),
        };
        for part in reviewed {
            edited.add(part);
        }
        edited.changes.shrink();
        if !redactor.show_sensitive {
            for variable in &variables.list {
                if let Some(value) = variable.value {
                    edited.masks.add_value(Some(variable.name), value);
                }
            }
        }
        Ok(edited)
    }

    /// Appends a reviewed part to its list, with its findings and credentials.
    fn add(&mut self, part: ReviewedPart<'a>) {
        let ReviewedPart {
            list,
            entry,
            findings,
            secrets,
            is_judged,
        } = part;
        if !is_judged {
            self.unjudged.insert(entry.resource_type);
        }
        self.masks.add(&secrets);
        let entries = self.changes.list_mut(list);
        self.findings.push(EntryFindings {
            list,
            index: entries.len(),
            findings,
        });
        entries.push(entry);
    }

    /// Adds everything that only the plan as a whole proves. Without a finder, no findings or causes are added.
    fn judged(
        self,
        plan: &Plan<'a>,
        finder: Option<&RuleFinder<'_, 'a>>,
        accepted: &[Arc<Acceptance>],
        redactor: Redactor<'a>,
    ) -> Result<Judged<'a>, Error> {
        let Self {
            mut changes,
            mut findings,
            unjudged,
            masks,
        } = self;
        ranking::mark_relevant(&mut changes.drift, plan, redactor.arena)?;
        if let Some(finder) = finder {
            causes::find_causes(&mut changes.resources, plan, redactor);
            let mut unchanged = HashSet::new();
            let more = expected(&changes.resources, finder, plan, redactor, &mut unchanged);
            for (index, more) in more {
                findings[index].findings.extend(more);
            }
            let configuration = causes::Causes::new(plan, redactor.arena);
            let by_address: HashMap<&str, &ResourceChange<'a>> = plan
                .resource_changes
                .iter()
                .map(|change| (&*change.address, change))
                .collect();
            meanings::complete(
                &mut changes,
                &|entry| configuration.configured(by_address.get(entry.address)?),
                &SelectedTags::of_text(redactor.texts[0]),
                redactor.arena,
            );
            taken_over::judge(&mut changes.resources, plan, redactor.arena)?;
            for (index, finding) in findings::references(&changes.resources, redactor) {
                findings[index].findings.push(finding);
            }
            for index in findings::relate(&mut findings, &changes, &unchanged, plan, redactor)? {
                changes.drift[index].reasons.push(Reason::of_own_parts());
            }
        }
        ranking::mark_undone(&mut findings, plan, redactor.arena)?;
        Ok(Judged {
            findings: ranking::list(findings, accepted, &mut changes),
            changes,
            unjudged,
            masks,
        })
    }
}

/// The result of the second phase: the changes with all findings.
struct Judged<'a> {
    /// The entries, with their causes and the indices of their findings.
    changes: Changes<'a>,
    /// All findings in rank order. Equal findings about several objects are one.
    findings: Vec<PlanFinding<'a>>,
    /// The types of changed objects that no rule looks at.
    unjudged: BTreeSet<&'a str>,
    /// The credentials in all values, which texts must not show.
    masks: Masks,
}

impl<'a> Judged<'a> {
    /// Adds the reasons for changes, and finds which changes belong together. Renames are searched only with rules.
    fn explained(mut self, plan: &Plan<'a>, has_rules: bool, arena: &'a Bump) -> Explained<'a> {
        reasons::add(&mut self.changes);
        runs::add(&mut self.changes.resources, plan, arena);
        shifts::add(&mut self.changes.resources);
        // Groups come first, because entries of a group have the same reasons, but renames are about single objects.
        let groups = groups::find(&mut self.changes, &self.findings);
        let renames = if has_rules {
            renames::find(&mut self.changes.resources, plan)
        } else {
            Vec::new()
        };
        Explained {
            judged: self,
            groups,
            renames,
        }
    }
}

/// The result of the third phase: the changes with everything that texts say about them.
struct Explained<'a> {
    judged: Judged<'a>,
    groups: Vec<Group<'a>>,
    renames: Vec<Rename<'a>>,
}

impl<'a> Explained<'a> {
    /// Prepares everything that texts show: hides credentials and copies of sensitive values, writes names instead of
    /// identifiers, marks entries that a filter leaves out, and adds the places of objects. Everything before was
    /// compared and judged by exact values.
    fn shown(
        mut self,
        plan: &Plan<'a>,
        options: &ReadOptions<'_>,
        places: Option<&Places>,
        arena: &'a Bump,
    ) -> Self {
        let Judged { changes, masks, .. } = &mut self.judged;
        let causes = LazyCell::new(|| causes::Causes::new(plan, arena));
        let by_address = LazyCell::new(|| changes_by_address(plan));
        let configured = |entry: &Entry<'a>| causes.configured(by_address.get(entry.address)?);
        masks::hide(masks, changes, &configured, arena);
        reasons::say_again(changes);
        let names = Names::new(changes, options.names);
        masks::name(&names, changes, arena);
        for list in SectionKind::ALL {
            for entry in changes.list_mut(list) {
                entry.hidden = options
                    .filter
                    .is_some_and(|filter| !filter.shows(list, entry));
                if let Some(placed) = places.and_then(|places| places.get(entry.address)) {
                    entry.source = Some(placed.location.clone());
                    entry.owners.clone_from(&placed.owners);
                }
            }
        }
        self
    }
}

/// Returns the change of each address. A planned change takes precedence over a deferred one, and that one over drift.
fn changes_by_address<'p, 'a>(plan: &'p Plan<'a>) -> HashMap<&'p str, &'p ResourceChange<'a>> {
    let all = plan
        .resource_drift
        .iter()
        .chain(plan.deferred_resource_changes())
        .chain(&plan.resource_changes);
    all.map(|change| (&*change.address, change)).collect()
}

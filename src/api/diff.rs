//! The diffs of a plan's changes, as trees and as the tools' text.

use std::io::Write;

use bumpalo::Bump;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Error, Plan, Schemas, State, with_stack};
use crate::dialect::{Dialect, DialectChoice};
use crate::diff::notes::Notes;
use crate::diff::shapes::{Shapes, Source};
use crate::diff::tree::Diff;
use crate::diff::{self, Paths};
use crate::model;
use crate::model::plan::ResourceChange;
use crate::model::state::StateDocument;
use crate::show;
use crate::term::Out;

/// The settings for the text of a plan or state.
///
/// ```
/// let options = tfview::TextOptions { colour: true, width: 120, ..tfview::TextOptions::default() };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// The dialect of the text; by default that of the tool and release that wrote the document.
    pub dialect: DialectChoice,
    /// Whether to write styles, as terminal escape sequences.
    pub colour: bool,
    /// The width, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            dialect: DialectChoice::default(),
            colour: false,
            width: 78,
            show_sensitive: false,
        }
    }
}

impl TextOptions {
    pub(super) fn for_plan(&self, plan: &model::plan::Plan<'_>) -> show::Options {
        self.for_dialect(show::plan_dialect(plan, self.dialect, || None))
    }

    fn for_state(&self, state: &StateDocument<'_>) -> show::Options {
        self.for_dialect(show::state_dialect(state, self.dialect, || None))
    }

    fn for_dialect(&self, dialect: Dialect) -> show::Options {
        show::Options {
            dialect,
            plan_mode: None,
            show_sensitive: self.show_sensitive,
            width: self.width,
            automation: false,
        }
    }
}

/// The changes of a plan, compared on demand.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let plan = tfview::Plan::parse(r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{
///     "address":"aws_instance.app","mode":"managed","type":"aws_instance","name":"app",
///     "provider_name":"registry.terraform.io/hashicorp/aws",
///     "change":{"actions":["update"],"before":{"ami":"ami-1"},"after":{"ami":"ami-2"}}}]}"#)?;
/// let schemas = tfview::Schemas::new();
/// let diff = tfview::PlanDiff::new(&plan, &schemas);
///
/// let mut text = Vec::new();
/// diff.write_text(&tfview::TextOptions::default(), &mut text)?;
/// assert!(String::from_utf8(text)?.contains("~ ami = \"ami-1\" -> \"ami-2\""));
///
/// let trees = serde_json::to_value(diff.resources()?)?;
/// assert_eq!(trees[0]["diff"]["attributes"]["ami"]["after"], "ami-2");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlanDiff<'p, 'a> {
    plan: &'p Plan<'a>,
    schemas: &'p Schemas,
}

/// The diff of one change, for serialization.
///
/// `diff` is a tree of nodes, each `{"action", "kind", …}`. The kinds are `scalar`, `lines`, `json`,
/// `unknown`, `sensitive`, `write-only`, `type-change`, `object`, `map`, `list`, `set` and `block`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ResourceDiff {
    /// The address of the resource instance.
    pub address: String,
    /// The deposed key; empty for the current object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub deposed: String,
    /// The planned actions, in the words of the plan, such as `create` or `delete, create`.
    pub actions: String,
    /// The Diff tree, as JSON.
    pub diff: Box<RawValue>,
}

impl<'p, 'a> PlanDiff<'p, 'a> {
    /// The changes of `plan`. Nothing is compared until a method needs it.
    pub fn new(plan: &'p Plan<'a>, schemas: &'p Schemas) -> Self {
        Self { plan, schemas }
    }

    /// Calls `visit` with each planned change and its Diff tree, in the order of the plan. Changes without an
    /// effect are omitted.
    ///
    /// # Errors
    /// If a value or a schema is malformed, or `visit` fails.
    pub fn visit(
        &self,
        mut visit: impl FnMut(&ResourceChange<'_>, &Diff<'_>) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        with_stack(|| {
            let plan = &self.plan.document;
            let schemas = self.schemas.read(plan.provider_schemas)?;
            let arena = Bump::new();
            let shapes = Shapes::new(&schemas, Source::Plan(plan), &arena);
            let dialect = TextOptions::default().for_plan(plan).dialect;
            for change in plan
                .resource_changes
                .iter()
                .filter(|change| change.is_listed())
            {
                let shape = shapes.for_change(change)?;
                let arena = Bump::new();
                let diff = diff::resource(
                    change,
                    shape,
                    Paths::Always,
                    dialect,
                    &Notes::default(),
                    &arena,
                )?;
                visit(change, &diff)?;
            }
            Ok(())
        })
    }

    /// The Diff trees of all planned changes with an effect.
    ///
    /// # Errors
    /// If a value or a schema is malformed.
    pub fn resources(&self) -> Result<Vec<ResourceDiff>, Error> {
        let mut all = Vec::new();
        self.visit(|change, diff| {
            let tree = serde_json::value::to_raw_value(diff).map_err(std::io::Error::from)?;
            all.push(ResourceDiff {
                address: change.address.to_string(),
                deposed: change.deposed.to_string(),
                actions: change.change.actions.words().to_owned(),
                diff: tree,
            });
            Ok(())
        })?;
        Ok(all)
    }

    /// Writes the plan as `terraform show` and `tofu show` print it.
    ///
    /// # Errors
    /// If a value or a schema is malformed, or writing fails.
    pub fn write_text(
        &self,
        options: &TextOptions,
        sink: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        with_stack(|| {
            let plan = &self.plan.document;
            let schemas = self.schemas.read(plan.provider_schemas)?;
            let mut out = Out::new(sink, options.colour);
            show::plan(
                plan,
                &schemas,
                &options.for_plan(plan),
                &mut out,
                &Bump::new(),
            )?;
            Ok(out.flush()?)
        })
    }
}

impl State<'_> {
    /// Writes the state as `terraform show` and `tofu show` print it.
    ///
    /// # Errors
    /// If a value or a schema is malformed, or writing fails.
    pub fn write_text(
        &self,
        schemas: &Schemas,
        options: &TextOptions,
        sink: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        with_stack(|| {
            let state = &self.document;
            let schemas = schemas.read(state.provider_schemas)?;
            let mut out = Out::new(sink, options.colour);
            show::state(
                state,
                None,
                &schemas,
                &options.for_state(state),
                &mut out,
                &Bump::new(),
            )?;
            Ok(out.flush()?)
        })
    }
}

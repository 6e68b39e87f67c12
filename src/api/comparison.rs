//! The comparison of a plan with the approved one.
//!
//! Both plans and the result are owned by the comparison, and the values in the result live in its arena.

use std::fmt;
use std::io::Write;

use bumpalo::Bump;
use self_cell::{MutBorrow, self_cell};

use super::change::Edit;
use super::text::{Format, StyledText};
use super::tool_text::ToolText;
use super::{Error, Plan, with_stack, write_with_stack};
use crate::compare::formats;
use crate::compare::{self, DifferenceKind, Options, Verdict as ComparisonVerdict};
use crate::document::{self, ComparedPlan, ReviewArena};
use crate::report::{self, Budget, Layout, PageOptions};

/// The options for a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparisonOptions {
    /// The name of the approved plan in the output.
    pub approved_name: String,
    /// The name of the new plan in the output.
    pub name: String,
    /// The width of the text, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// Patterns of paths (`tags.owner`), or of addresses with paths (`aws_instance.app.tags.*`). Differences at these
    /// paths are only counted.
    pub ignored: Vec<String>,
    /// The maximum size of the Markdown, in bytes; by default, that of GitHub.
    pub max_bytes: usize,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            approved_name: "approved".to_owned(),
            name: "plan".to_owned(),
            width: 100,
            show_sensitive: false,
            ignored: Vec::new(),
            max_bytes: 65_536,
        }
    }
}

self_cell!(
    struct ComparisonCell {
        owner: ComparisonOwner,
        #[covariant]
        dependent: Compared,
    }
);

/// The comparison that borrows from its owner.
type Compared<'a> = compare::Comparison<'a>;

/// The data that a comparison borrows from.
struct ComparisonOwner {
    approved: Plan,
    now: Plan,
    review_arena: MutBorrow<ReviewArena>,
}

/// The comparison of a plan with the one that was approved: whether it does the same, less, or more.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// use tfview::{Comparison, ComparisonOptions, ComparisonVerdict, Plan, Schemas};
///
/// let approved = Plan::parse(r#"{"format_version":"1.2","resource_changes":[]}"#, &Schemas::new())?;
/// let now = Plan::parse(r#"{"format_version":"1.2","resource_changes":[{
///     "address":"aws_vpc.main","mode":"managed","type":"aws_vpc","name":"main",
///     "provider_name":"registry.terraform.io/hashicorp/aws",
///     "change":{"actions":["delete"],"before":{"cidr_block":"10.0.0.0/16"},"after":null}}]}"#, &Schemas::new())?;
/// let comparison = Comparison::new(&approved, &now, ComparisonOptions::default())?;
/// assert_eq!(comparison.verdict(), ComparisonVerdict::Wider);
/// assert_eq!(comparison.differences()[0].class, "destroy");
/// # Ok(())
/// # }
/// ```
pub struct Comparison {
    cell: ComparisonCell,
    options: ComparisonOptions,
}

impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("sentence", &self.sentence())
            .finish_non_exhaustive()
    }
}

/// A difference between two plans.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The class, as in the JSON: `destroy`, `action`, `value`, `became-unknown`, `less`, …
    pub class: &'static str,
    /// Whether the new plan does more than was approved, or may do more.
    pub is_wider: bool,
    /// The address of the object, or the name of an output or variable; empty for the plan itself.
    pub address: String,
    /// The key of a deposed object; `None` for the current object.
    pub deposed: Option<String>,
    /// The edit, if a value differs: `before` is the value in the approved plan, and `after` that in the new one.
    pub edit: Option<Edit>,
}

impl Comparison {
    /// Compares a plan with the approved one.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed, if one of the plans is a saved plan and the other one
    /// JSON, or if the configuration in a saved plan cannot be read.
    pub fn new(approved: &Plan, now: &Plan, options: ComparisonOptions) -> Result<Self, Error> {
        let owner = ComparisonOwner {
            approved: approved.clone(),
            now: now.clone(),
            review_arena: MutBorrow::new(ReviewArena::default()),
        };
        let cell = with_stack(approved.depth().max(now.depth()), || {
            ComparisonCell::try_new(owner, |owner| compare(owner, &options))
        })?;
        Ok(Self { cell, options })
    }

    /// Returns whether the plan does what was approved.
    pub fn verdict(&self) -> ComparisonVerdict {
        self.compared().verdict()
    }

    /// Returns the verdict in words.
    pub fn sentence(&self) -> String {
        self.compared().sentence()
    }

    /// Returns the differences, the most severe first.
    pub fn differences(&self) -> Vec<Difference> {
        let difference = |difference: &compare::Difference<'_>| Difference {
            class: difference.class.name(),
            is_wider: difference.class.is_wider(),
            address: difference.address.to_owned(),
            deposed: Some(difference.deposed.to_owned()).filter(|key| !key.is_empty()),
            edit: match &difference.what {
                DifferenceKind::Value { edit, .. } | DifferenceKind::Drifted { edit, .. } => {
                    Some(Edit::new(edit))
                }
                DifferenceKind::OnlyNow { .. }
                | DifferenceKind::OnlyApproved { .. }
                | DifferenceKind::Outcome { .. }
                | DifferenceKind::Run { .. }
                | DifferenceKind::Unproven { .. }
                | DifferenceKind::Property { .. } => None,
            },
        };
        self.compared().differences.iter().map(difference).collect()
    }

    /// Writes the comparison in a format.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, format: Format, mut out: impl Write) -> Result<(), Error> {
        write_with_stack(self.depth(), &mut out, |sink| {
            let mut report = formats::report(self.compared());
            match format {
                Format::Text | Format::StyledText => {
                    let colour = format == Format::StyledText;
                    report::terminal(&report, self.layout(), colour, None, sink)?;
                }
                Format::Markdown => {
                    let budget = Budget {
                        bytes: self.options.max_bytes,
                        ..Budget::default()
                    };
                    sink.write_all(report::markdown(&mut report, budget).as_bytes())?;
                }
                Format::Html => {
                    let page = PageOptions {
                        shows_sensitive: self.options.show_sensitive,
                        ..PageOptions::default()
                    };
                    report::page(&report, &page, sink)?;
                }
                Format::Json => formats::json(self.compared(), &[], sink)?,
            }
            Ok(())
        })
    }

    /// Returns the text for a terminal as styled spans.
    ///
    /// # Errors
    /// Returns an error if a large stack is needed and cannot be allocated.
    pub fn text(&self) -> Result<StyledText, Error> {
        with_stack(self.depth(), || {
            let report = formats::report(self.compared());
            let text = report::styled_terminal(&report, self.layout())?;
            Ok(StyledText::from(&text))
        })
    }

    fn compared(&self) -> &Compared<'_> {
        self.cell.borrow_dependent()
    }

    fn depth(&self) -> usize {
        let ComparisonOwner { approved, now, .. } = self.cell.borrow_owner();
        approved.depth().max(now.depth())
    }

    fn layout(&self) -> Layout {
        Layout {
            width: self.options.width,
            wraps: false,
            links: false,
            fingerprint: false,
        }
    }
}

/// Compares two plans that were read before. Fails if only one of them is a saved plan, or the configuration in one
/// cannot be read.
fn compare<'a>(
    owner: &'a ComparisonOwner,
    options: &ComparisonOptions,
) -> Result<Compared<'a>, Error> {
    let ReviewArena { arena, storage } = owner.review_arena.borrow_mut();
    let arena: &'a Bump = arena;
    let compared = |name, plan: &'a Plan| ComparedPlan {
        name,
        document: plan.document(),
        schemas: plan.schemas(),
    };
    let (approved, now) = (&owner.approved, &owner.now);
    let names = [&*options.approved_name, &*options.name];
    approved
        .document()
        .require_comparable(now.document(), names)?;
    let made = document::compare(
        compared(names[0], approved),
        compared(names[1], now),
        &Options {
            show_sensitive: options.show_sensitive,
            lists_known: false,
            ignored: options.ignored.clone(),
        },
        arena,
        storage,
    )?;
    Ok(made)
}

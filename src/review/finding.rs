//! Findings: what a plan proves and its approver must check.
//!
//! A plan lists findings in rank order, each once for all objects that have it. Invariants: the level of a plan is at
//! least that of each of its findings; nothing in a found configuration file changes the level, or comes before what
//! is proven without it.
//!
//! ```text
//! publicly_accessible: false -> true
//!
//! Finding { kind: Exposure, level: Critical, path: publicly_accessible, text: "publicly_accessible: false -> true", … }
//! ```

use std::sync::Arc;

use serde::Deserialize;
use strum::IntoStaticStr;

use crate::diff::edits::Path;
use crate::report::SectionKind;

/// How grave a finding or a plan is.
pub type Level = crate::report::Level;

/// What a rule or the program finds in a change.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The place in the object that proves it; empty for the object as a whole.
    pub path: Path<'a>,
    /// Without the address.
    pub text: String,
    /// How grave it is.
    pub level: Level,
    /// Orders findings of the same level and kind, the largest first.
    pub weight: u8,
    /// The name of the rule, which programs can use to tell findings apart.
    pub rule: Arc<str>,
    /// What it proves beyond its kind.
    pub effect: Effect,
    /// It is about a policy that is known only after apply, as far as the configuration proves its statements.
    pub is_expected: bool,
    /// For drift: the plan undoes it.
    pub is_undone: bool,
    /// Who wrote the rule.
    pub origin: RuleOrigin,
}

/// What a finding proves beyond its kind. Code looks at this, never at the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing beyond its kind.
    #[default]
    Other,
    /// What the values of its edit do not say: `any site may call it`, `AllowSql at 300 now opens 1433 to the internet`.
    Means {
        /// What it means, in words.
        words: String,
    },
    /// Traffic gets through, which the text says in words: `ssh open to the world (0.0.0.0/0)`.
    Opened,
    /// The object is destroyed, as its sign says.
    Destroyed,
    /// The object is destroyed before its replacement is created, as its sign says.
    DestroyedFirst,
    /// An object that holds data is destroyed. What is lost, without what the object is.
    Lost {
        /// Attributes that tell how grave the loss is, such as `engine`; may be empty.
        details: Vec<NamedValue>,
    },
}

/// An attribute that is shown with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The name of the attribute.
    pub name: String,
    /// Its value, shortened if it is long.
    pub value: String,
}

/// Who wrote a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The program has it.
    BuiltIn,
    /// Named on the command line.
    Given,
    /// Found in the working tree, so it may be part of the change under review: its findings are in texts and count
    /// for gates, but are not in the JSON and do not displace others.
    Found,
}

/// The kinds of findings, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingKind {
    /// An object that holds data is destroyed, replaced or forgotten.
    DataLoss,
    /// More people or machines may reach or do something.
    Exposure,
    /// A protection is removed or lowered.
    Protection,
    /// A service is interrupted.
    Downtime,
    /// An important value becomes unknown.
    Unknown,
    /// A value in plain text looks like a credential.
    Secret,
}

impl FindingKind {
    /// All kinds, the most severe first.
    pub const ALL: [Self; 6] = [
        Self::DataLoss,
        Self::Exposure,
        Self::Protection,
        Self::Downtime,
        Self::Unknown,
        Self::Secret,
    ];

    /// The name in the JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The name of the rule for objects with hidden values ([`not_judged`]).
const NO_SCHEMA_RULE: &str = "no-schema";

/// Returns the finding about an object whose values are hidden, because no available schema says
/// which of them are sensitive. No rule could look at them, so the object may have any finding.
pub(super) fn not_judged<'a>() -> Finding<'a> {
    Finding {
        kind: FindingKind::Unknown,
        path: Path::ROOT,
        text: "not judged: its values are hidden, because no schema at hand has its type"
            .to_owned(),
        level: Level::Warning,
        weight: 0,
        rule: Arc::from(NO_SCHEMA_RULE),
        effect: Effect::Other,
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    }
}

impl Finding<'_> {
    /// Whether it says that nobody judged the object, so that every gate on findings holds for it.
    pub(super) fn is_of_no_schema(&self) -> bool {
        *self.rule == *NO_SCHEMA_RULE
    }
}

/// What a project accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The kind of the findings that are accepted.
    pub kind: FindingKind,
    /// A glob for addresses, or for names of outputs.
    pub address: String,
    /// A glob for paths of names joined by dots, without indices; `None` for findings about the object as a whole.
    pub path: Option<String>,
    /// Why, for whoever reads the review.
    pub reason: String,
    /// The last day on which it holds, as `YYYY-MM-DD`.
    pub until: String,
}

/// A finding with all objects that have it.
#[derive(Clone, Debug)]
pub struct PlanFinding<'a> {
    /// The finding of the first object; the others have an equal one.
    pub finding: Finding<'a>,
    /// The list that the objects are in.
    pub part: SectionKind,
    /// In the order of the plan; for outputs, their names.
    pub addresses: Vec<&'a str>,
    /// The key of the first object if it is deposed, otherwise empty.
    pub deposed: &'a str,
    /// Why it violates no gate on findings.
    pub accepted: Option<Arc<Acceptance>>,
}

impl PlanFinding<'_> {
    /// Whether its rule was found in the working tree.
    pub fn is_found(&self) -> bool {
        self.finding.origin == RuleOrigin::Found
    }
}

/// The findings about one entry, before they are listed in rank order.
#[derive(Debug)]
pub(super) struct EntryFindings<'a> {
    /// The list that the entry is in.
    pub(super) list: SectionKind,
    /// The index of the entry in that list.
    pub(super) index: usize,
    pub(super) findings: Vec<Finding<'a>>,
}

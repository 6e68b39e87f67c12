//! Findings: facts that a plan proves and that its approver must check.
//!
//! The findings of a plan are in rank order, each listed once with all objects that have it. Invariants: the level of a
//! plan is at least that of each of its findings, except those of a configuration file found in the working tree. Such
//! a file neither changes the level, nor do its findings come before those that are proven without it.
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

/// The level of a finding or a plan, from none to critical.
pub type Level = crate::report::Level;

/// Something that a rule or the program finds in a change.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The kind of the finding.
    pub kind: FindingKind,
    /// The path of the value that proves it; empty for the object as a whole.
    pub path: Path<'a>,
    /// The finding in words, without the address.
    pub text: String,
    /// The level of the finding.
    pub level: Level,
    /// The weight, which orders findings of the same level and kind, the largest first.
    pub weight: u8,
    /// The name of the rule, which programs can use to tell findings apart.
    pub rule: Arc<str>,
    /// The effect that it proves beyond its kind.
    pub effect: Effect,
    /// Whether it is about a policy that is known only after apply, as far as the configuration proves its statements.
    pub is_expected: bool,
    /// Whether the plan undoes the change. Only findings about drift have this.
    pub is_undone: bool,
    /// The author of the rule.
    pub origin: RuleOrigin,
}

/// The effect that a finding proves beyond its kind. Code looks at this, never at the text of the finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing beyond its kind.
    #[default]
    Other,
    /// A meaning that the values of the edit do not show: `any site may call it`,
    /// `AllowSql at 300 now opens 1433 to the internet`.
    Means {
        /// The meaning in words.
        words: String,
    },
    /// Traffic gets through, as the text of the finding says: `ssh open to the world (0.0.0.0/0)`.
    Opened,
    /// The object is destroyed, which the sign of its entry shows already.
    Destroyed,
    /// The object is destroyed before its replacement is created, which the sign of its entry shows already.
    DestroyedFirst,
    /// An object that holds data is destroyed.
    Lost {
        /// What is lost, such as `database`; empty if the rule does not say it.
        what: String,
        /// Whether another object takes its place.
        is_replaced: bool,
        /// The attributes that show how grave the loss is, such as `engine`; may be empty. They do not say what the
        /// object is.
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

/// The author of a rule, or the way by which its configuration file was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleOrigin {
    /// The rule is part of the program.
    BuiltIn,
    /// The configuration file of the rule was named on the command line.
    Given,
    /// The configuration file of the rule was found in the working tree, so it may be part of the change under review.
    /// Its findings are in texts and count for gates, but are not in the JSON and do not displace others.
    Found,
}

/// The kinds of findings, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingKind {
    /// Data is lost: an object that holds data is destroyed or replaced, or a change in place removes data.
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

/// The name of the rule for objects whose values are hidden because no schema is available ([`not_judged`]).
const NO_SCHEMA_RULE: &str = "no-schema";

/// Returns the finding about an object whose values are hidden, because no available schema says which of them are
/// sensitive. No rule could look at them, so the object may have any finding.
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
    /// Whether it says that no rule could judge the object, so that every gate on findings is violated by it.
    pub(super) fn is_of_no_schema(&self) -> bool {
        *self.rule == *NO_SCHEMA_RULE
    }
}

/// An exception of a project: findings that it accepts, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The kind of the findings that are accepted.
    pub kind: FindingKind,
    /// A glob for addresses, or for names of outputs.
    pub address: String,
    /// A glob for paths, which are names joined by dots, without indices. `None` for findings about the object as a
    /// whole.
    pub path: Option<String>,
    /// The justification, for whoever reads the review.
    pub reason: String,
    /// The last day of the acceptance, as `YYYY-MM-DD`.
    pub until: String,
}

/// A finding, with all objects that have it.
#[derive(Clone, Debug)]
pub struct PlanFinding<'a> {
    /// The finding of the first object. The other objects have an equal one.
    pub finding: Finding<'a>,
    /// The kind of the list that the objects are in.
    pub part: SectionKind,
    /// The addresses of the objects, in the order of the plan; for outputs, their names.
    pub addresses: Vec<&'a str>,
    /// The deposed key of the first object; empty if it is not deposed.
    pub deposed: &'a str,
    /// The acceptance because of which it violates no gate on findings.
    pub accepted: Option<Arc<Acceptance>>,
}

impl PlanFinding<'_> {
    /// Whether its rule is from a configuration file that was found in the working tree.
    pub fn is_found(&self) -> bool {
        self.finding.origin == RuleOrigin::Found
    }
}

/// The findings about one entry, before those of all entries are ranked.
#[derive(Debug)]
pub(super) struct EntryFindings<'a> {
    /// The list that the entry is in.
    pub(super) list: SectionKind,
    /// The index of the entry in that list.
    pub(super) index: usize,
    /// The findings about it.
    pub(super) findings: Vec<Finding<'a>>,
}

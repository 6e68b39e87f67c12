//! A row: what an attribute, an object or an action is. It borrows the packed text that it is read from.
//!
//! ```text
//! deletion_protection = { guard = "on", level = "critical" }
//!
//! Row { event: Event::Values { path: "deletion_protection", condition: Off }, idea: Idea::Guard, level: Some(Critical), … }
//! ```

use super::condition::{Condition, List, PolicyLanguage};
use super::packed::{FIELD, FIELDS, Field, GROUP, INVERTED, ITEM, LAX, STRICT};
use crate::access::Class;
use crate::direction::{Direction, When};
use crate::report::Level;

/// What an object or a value is for others. It decides the kind of a finding, and both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idea {
    /// It holds data, or decides that data is kept.
    Data,
    /// It opens access.
    Access,
    /// It protects, records, alarms or backs up.
    Guard,
    /// It serves.
    Service,
    /// It decides access or loss, so that it matters whether it is known.
    Decides,
    /// It is capacity, a size or a number.
    Scale,
    /// It is a version.
    Version,
    /// People read it, and nothing else.
    Words,
    /// It means the same, however it is written.
    Same,
    /// It has no order: a target, a route, a name that others read.
    Another,
}

impl Idea {
    /// Returns the idea with this word in a packed row.
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "data" => Self::Data,
            "access" => Self::Access,
            "guard" => Self::Guard,
            "service" => Self::Service,
            "decides" => Self::Decides,
            "scale" => Self::Scale,
            "version" => Self::Version,
            "words" => Self::Words,
            "same" => Self::Same,
            "another" => Self::Another,
            _ => return None,
        })
    }

    /// Returns the direction of a change that meets the condition of a row. A change that meets it with its sides
    /// exchanged has the reverse.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Self::Data => Direction::Loses,
            Self::Access => Direction::Wider,
            Self::Guard => Direction::Weaker,
            Self::Service => Direction::Stops,
            Self::Decides => Direction::Unknown,
            Self::Scale => Direction::Less,
            Self::Version => Direction::Older,
            Self::Words => Direction::Words,
            Self::Same => Direction::Same,
            Self::Another => Direction::Another,
        }
    }
}

/// A row of knowledge. Fields that a row does not set are empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row<'r> {
    /// The resource types (or action types) of the row, globs or fragments (`@pod`) for them.
    pub(crate) types: List<'r>,
    /// What the row is about.
    pub(crate) event: Event<'r>,
    /// What the object or the value is for others.
    pub(crate) idea: Idea,
    /// The name in JSON and SARIF; empty if the name is made of the type and the path.
    pub(crate) name: &'r str,
    /// The words of a finding for what is lost or invoked; for a value, the words instead of its path.
    pub(crate) what: &'r str,
    /// The level of findings; `None` for the default of the kind.
    pub(crate) level: Option<Level>,
    /// The class of what an exposure opens, which decides its level.
    pub(crate) reach: Option<Class>,
    /// Whether the row applies to created objects; `None` for the default of the kind: only exposures do.
    pub(crate) is_for_created: Option<bool>,
    /// For values: the objects that a created object must belong to for the row to apply, such that the plan does not
    /// create. For guards: what is guarded. Each is an attribute that names the objects, with their types.
    pub(crate) references: Lists<'r>,
    /// Whether the row applies only to objects that are changed in place.
    pub(crate) is_in_place: bool,
    /// For values: the name of a member next to the value that must be missing. For guards: the attribute with a policy,
    /// if only a policy that denies something guards. Otherwise empty.
    pub(crate) absent: &'r str,
    /// The graver direction, if it is not that of the idea.
    pub(crate) direction: Option<Direction>,
    /// When the service stops, if it does.
    pub(crate) when: Option<When>,
    /// The levels for single values, such as critical for `0.0.0.0/0`.
    pub(crate) levels: Lists<'r>,
    /// The names of roles, by the last parts of their IDs.
    pub(crate) role_names: Lists<'r>,
    /// The requirements on other members, all of which must be met.
    only_if: Lists<'r>,
}

/// What a row is about: the object as a whole, an action, or values at a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event<'r> {
    /// The object holds data, which is lost if it is destroyed or replaced. `show` are the attributes that describe it.
    Holds { show: List<'r> },
    /// The object guards others.
    Guards,
    /// The object serves requests. It is interrupted if it is destroyed before its replacement is created or, if
    /// `if_destroyed` is set, without a replacement.
    Serves { if_destroyed: bool },
    /// The object lets somebody in, or lets somebody do something.
    Grants,
    /// An action is invoked.
    Invoked,
    /// The values at the path meet the condition.
    Values {
        path: &'r str,
        condition: Condition<'r>,
    },
}

/// Named lists: each has a name and items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists<'r>(&'r str);

impl<'r> Lists<'r> {
    /// Returns the names with their lists.
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'r str, List<'r>)> + Clone {
        let Self(joined) = self;
        let groups = joined.split(GROUP).filter(move |_| !joined.is_empty());
        groups.map(|group| match group.split_once(ITEM) {
            Some((name, items)) => (name, List(items)),
            None => (group, List("")),
        })
    }
}

/// A requirement of a row on another member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Requirement<'r> {
    /// The name of the member, which may begin with one or two dots.
    pub(crate) name: &'r str,
    /// The values that meet the requirement, or do not, depending on the mode.
    pub(crate) expected: List<'r>,
    pub(crate) mode: MatchPolicy,
}

/// The mode of a requirement: whether the values fit, and whether a missing or unknown member does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchPolicy {
    /// `where`: the member must have one of the values, or be missing or unknown.
    Lax,
    /// `needs`: the member must have one of the values. A missing or unknown member does not fit.
    Strict,
    /// `unless`: the member must have none of the values. A missing or unknown member fits.
    Inverted,
}

impl<'r> Row<'r> {
    /// Reads a packed row. `None` if it is not one, which a test rules out for all rows of the program.
    pub(crate) fn read(packed: &'r str) -> Option<Self> {
        let mut fields = [""; FIELDS];
        let mut texts = packed.split(FIELD);
        for field in &mut fields {
            *field = texts.next()?;
        }
        let text = |field: Field| fields.get(field as usize).copied().unwrap_or_default();
        let event = match text(Field::Event) {
            "holds" => Event::Holds {
                show: List(text(Field::Arguments)),
            },
            "guards" => Event::Guards,
            "serves" => Event::Serves { if_destroyed: true },
            "serves-replaced" => Event::Serves {
                if_destroyed: false,
            },
            "grants" => Event::Grants,
            "invoked" => Event::Invoked,
            "value" => Event::Values {
                path: text(Field::Path),
                condition: condition(
                    text(Field::Test),
                    List(text(Field::Arguments)),
                    text(Field::Role),
                    List(text(Field::To)),
                )?,
            },
            _ => return None,
        };
        let flag = |field: Field| match text(field) {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        Some(Self {
            types: List(text(Field::Types)),
            event,
            idea: Idea::from_word(text(Field::Idea))?,
            name: text(Field::Name),
            what: text(Field::What),
            level: level(text(Field::Level)),
            reach: class(text(Field::Reach)),
            is_for_created: flag(Field::Created),
            references: Lists(text(Field::References)),
            is_in_place: flag(Field::InPlace).unwrap_or_default(),
            absent: text(Field::Absent),
            direction: Direction::from_word(text(Field::Direction)),
            when: match text(Field::When) {
                "now" => Some(When::Now),
                "window" => Some(When::Window),
                _ => None,
            },
            levels: Lists(text(Field::Levels)),
            role_names: Lists(text(Field::RoleNames)),
            only_if: Lists(text(Field::OnlyIf)),
        })
    }

    /// Returns the requirements on other members, all of which must be met.
    pub(crate) fn requirements(&self) -> impl Iterator<Item = Requirement<'r>> {
        self.only_if.iter().filter_map(|(name, expected)| {
            let mut letters = name.chars();
            let mode = match letters.next()? {
                LAX => MatchPolicy::Lax,
                STRICT => MatchPolicy::Strict,
                INVERTED => MatchPolicy::Inverted,
                _ => return None,
            };
            Some(Requirement {
                name: letters.as_str(),
                expected,
                mode,
            })
        })
    }

    /// Returns the levels of single values, or of globs for them.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (&'r str, Level)> {
        let levels = self.levels.iter();
        levels.filter_map(|(value, words)| Some((value, level(words.0)?)))
    }
}

/// Returns the level with this word; `None` for none.
pub(crate) fn level(word: &str) -> Option<Level> {
    Some(match word {
        "none" => Level::None,
        "notice" => Level::Notice,
        "warning" => Level::Warning,
        "critical" => Level::Critical,
        _ => return None,
    })
}

/// Returns the class with this word; `None` for none.
fn class(word: &str) -> Option<Class> {
    Some(match word {
        "administration" => Class::Administration,
        "data" => Class::Data,
        "shell" => Class::Shell,
        "database" => Class::Database,
        "other" => Class::Other,
        "web" => Class::Web,
        _ => return None,
    })
}

/// Returns the condition with this word.
fn condition<'r>(word: &str, list: List<'r>, role: &'r str, to: List<'r>) -> Option<Condition<'r>> {
    Some(match word {
        "any-source" => Condition::AnySource,
        "is" => Condition::Is(list),
        "on" => Condition::On,
        "off" => Condition::Off,
        "lower" => Condition::Lower,
        "shorter" => Condition::Shorter,
        "higher" => Condition::Higher,
        "below" => Condition::Below(list.0.parse().ok()?),
        "above" => Condition::Above(list.0.parse().ok()?),
        "changed" => Condition::Changed,
        "fewer" => Condition::Fewer,
        "mentions" => Condition::Mentions,
        "major" => Condition::Major,
        "downgrade" => Condition::Downgrade,
        "reverts" => Condition::Reverts,
        "routes" => Condition::Routes,
        "role" => Condition::Role {
            role,
            any_of: list,
            to,
        },
        "deny" => Condition::Deny,
        "gone" => Condition::Gone,
        "emptied" => Condition::Emptied,
        "there" => Condition::There,
        "order" => Condition::Order(list),
        "policy" => Condition::Policy(match list.0 {
            "iam" => PolicyLanguage::Iam,
            "vault" => PolicyLanguage::Vault,
            _ => return None,
        }),
        "zero" => Condition::Zero,
        "unknown" => Condition::Unknown,
        "smaller" => Condition::Smaller,
        "never" => Condition::Never,
        _ => return None,
    })
}

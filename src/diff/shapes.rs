//! The shape of each resource: from the given schemas, otherwise inferred. Also the diff of a change with its shape.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use bumpalo::Bump;

use super::string::may_be_json;
use super::tree::Diff;
use super::value::MarkedValue;
use super::{Cursor, Differ, Mark, Paths};
use crate::dialect::Dialect;
use crate::json::{self, Value};
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Plan, ResourceChange};
use crate::model::state::{Resource, StateDocument};
use crate::schema::infer::{self, Inference, Values};
use crate::schema::{self, Block, Known, Nesting, Position, Schemas};

#[derive(Clone, Copy)]
pub enum Source<'s, 'a> {
    Plan(&'s Plan<'a>),
    State(&'s StateDocument<'a>, Option<&'s Plan<'a>>),
}

pub(crate) struct Positions<'s, 'a> {
    schemas: &'s Schemas<'a>,
    arena: &'a Bump,
    guessed: RefCell<BTreeSet<String>>,
}

impl<'s, 'a> Positions<'s, 'a> {
    pub(crate) fn new(schemas: &'s Schemas<'a>, arena: &'a Bump) -> Self {
        Self {
            schemas,
            arena,
            guessed: RefCell::default(),
        }
    }

    fn known(&self, provider: &str, mode: &str, kind: &str) -> Result<Known<'a>, Error> {
        let known = self.schemas.known(provider, mode, kind, self.arena)?;
        if !self.guessed.borrow().contains(kind) && known.is_guess(provider, kind) {
            self.guessed.borrow_mut().insert(kind.to_owned());
        }
        Ok(known)
    }

    pub(crate) fn position(&self, change: &ResourceChange<'_>) -> Result<Position<'a>, Error> {
        self.of_type(&change.provider_name, &change.mode, &change.resource_type)
    }

    pub(crate) fn of_type(
        &self,
        provider: &str,
        mode: &str,
        kind: &str,
    ) -> Result<Position<'a>, Error> {
        self.known(provider, mode, kind).map(Known::position)
    }

    pub(crate) fn action(&self, action: &ActionInvocation<'a>) -> Result<Position<'a>, Error> {
        let known = self.schemas.known(
            &action.provider_name,
            "action",
            &action.action_type,
            self.arena,
        )?;
        Ok(known.position())
    }

    pub(crate) fn guessed(&self) -> Vec<String> {
        self.guessed.borrow().iter().cloned().collect()
    }
}

pub struct Shapes<'s, 'a> {
    positions: Positions<'s, 'a>,
    source: Source<'s, 'a>,
    inference: OnceCell<Inference<'s, 'a>>,
}

impl<'s, 'a> Shapes<'s, 'a> {
    pub fn new(schemas: &'s Schemas<'a>, source: Source<'s, 'a>, arena: &'a Bump) -> Self {
        Self {
            positions: Positions::new(schemas, arena),
            source,
            inference: OnceCell::new(),
        }
    }

    pub fn for_change(&self, change: &ResourceChange<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(&change.mode, &change.provider_name, &change.resource_type)
    }

    pub fn for_state(&self, resource: &Resource<'a>) -> Result<Shape<'a>, Error> {
        self.for_type(
            &resource.mode,
            &resource.provider_name,
            &resource.resource_type,
        )
    }

    fn for_type(&self, mode: &str, provider: &str, kind: &str) -> Result<Shape<'a>, Error> {
        let inferred = |known| Shape::Inferred(self.inference().shape(mode, provider, kind, known));
        Ok(match self.positions.known(provider, mode, kind)? {
            Known::Given(block) => Shape::Known(block),
            Known::Stored(block) => Shape::Inferred(infer::Shape::from_schema(block)),
            Known::Marks(block) => inferred(Some(block)),
            // Inference has the built-in schema, adjusted to the version of the provider.
            Known::BuiltIn(_) | Known::Nothing => inferred(None),
        })
    }

    pub fn for_action(&self, action: &ActionInvocation<'a>) -> Result<Shape<'a>, Error> {
        Ok(
            match self
                .positions
                .known(&action.provider_name, "action", &action.action_type)?
            {
                Known::Given(block) => Shape::Known(block),
                Known::Stored(block) | Known::Marks(block) | Known::BuiltIn(block) => {
                    Shape::Inferred(infer::Shape::from_schema(block))
                }
                Known::Nothing => Shape::OfValues,
            },
        )
    }

    fn inference(&self) -> &Inference<'s, 'a> {
        let arena = self.positions.arena;
        self.inference.get_or_init(|| match self.source {
            Source::Plan(plan) => Inference::from_plan(plan, arena),
            Source::State(state, plan) => Inference::from_state(state, plan, arena),
        })
    }

    pub fn inferred(&self) -> Vec<String> {
        self.positions.guessed()
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    Known(Block<'a>),
    Inferred(infer::Shape<'a>),
    OfValues,
}

impl<'a> Shape<'a> {
    /// An inferred shape covers all values of the instance, including unknown ones. Values that a given schema does
    /// not have are recorded in `notes`.
    pub fn block(
        self,
        kind: &str,
        cursor: &Cursor<'a>,
        notes: &Notes,
        arena: &'a Bump,
    ) -> Block<'a> {
        match self {
            Self::Known(block) => {
                notes.search(kind, cursor, block, arena);
                block
            }
            Self::Inferred(shape) => shape.widened(values(cursor), arena),
            Self::OfValues => infer::block_of_values(values(cursor), arena),
        }
    }
}

#[derive(Debug, Default)]
pub struct Notes {
    /// As `TYPE.ATTRIBUTE`. They occur if the schema is from another version of the provider.
    not_in_schema: Mutex<BTreeSet<String>>,
    is_approximate: AtomicBool,
}

impl Notes {
    fn search<'a>(&self, kind: &str, cursor: &Cursor<'a>, block: Block<'_>, arena: &'a Bump) {
        let mut found = BTreeSet::new();
        let values = values(cursor);
        let is_unmarked = |mark: Value<'_>| is_empty(mark) || mark == Value::Bool(false);
        // A mark on one side hides the value on both.
        let marks = [cursor.before.mark, cursor.after.mark];
        let mut search = Search {
            kind,
            is_nothing: &is_empty,
            arena,
            found: &mut found,
        };
        search.visit(values.before, marks, block);
        search.visit(values.after, marks, block);
        search.is_nothing = &is_unmarked;
        search.visit(values.unknown, marks, block);
        if !found.is_empty() {
            self.not_in_schema
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .append(&mut found);
        }
    }

    pub fn not_in_schema(&self) -> Vec<String> {
        self.not_in_schema
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .cloned()
            .collect()
    }

    pub fn add_approximate(&self, is_approximate: bool) {
        self.is_approximate
            .fetch_or(is_approximate, Ordering::Relaxed);
    }

    pub fn are_approximate(&self) -> bool {
        self.is_approximate.load(Ordering::Relaxed)
    }
}

/// Empty members are ignored, because nothing is lost with them. Members below a sensitive value are not named,
/// because keys may be sensitive.
struct Search<'f, 'a> {
    kind: &'f str,
    arena: &'a Bump,
    is_nothing: &'f dyn Fn(Value<'_>) -> bool,
    found: &'f mut BTreeSet<String>,
}

impl<'a> Search<'_, 'a> {
    fn visit(&mut self, value: Value<'a>, marks: [Mark<'a>; 2], block: Block<'_>) {
        if marks.iter().any(|mark| mark.covers(value)) {
            return;
        }
        let marks = marks.map(|mark| mark.fitted(value, self.arena));
        for (at, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.visit(*item, marks.map(|mark| mark.index(at)), block);
        }
        for (key, member) in value.as_object().unwrap_or_default().members() {
            if block
                .attributes
                .binary_search_by_key(key, |(name, _)| name)
                .is_ok()
            {
                continue;
            }
            match block.blocks.binary_search_by_key(key, |(name, _)| name) {
                // The keys of a map of blocks come from the document, not from the schema.
                Ok(at) if block.blocks[at].1.nesting == Nesting::Map => {}
                Ok(at) => self.visit(
                    *member,
                    marks.map(|mark| mark.key(key)),
                    block.blocks[at].1.block,
                ),
                Err(_) if (self.is_nothing)(*member) => {}
                Err(_) => {
                    self.found.insert(format!("{}.{key}", self.kind));
                }
            }
        }
    }
}

fn is_empty(value: Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.members().is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn values<'a>(cursor: &Cursor<'a>) -> Values<'a> {
    Values {
        before: cursor.before.value(),
        after: cursor.after.value(),
        unknown: cursor.unknown.marks(),
    }
}

/// `relevant` are the relevant paths if the change is drift. Members that are not in the schema are omitted and
/// recorded in `notes`.
pub fn resource<'a>(
    change: &ResourceChange<'a>,
    shape: Shape<'a>,
    relevant: Paths<'a>,
    dialect: Dialect,
    notes: &Notes,
    arena: &'a Bump,
) -> Result<Diff<'a>, Error> {
    let cursor = Cursor::new(&change.change, relevant, arena)?.checked(change.change.size())?;
    let block = shape.block(&change.resource_type, &cursor, notes, arena);
    let forgets_unseen =
        change.change.actions == Action::Forget && !dialect.shows_forgotten_values();
    let cursor = if forgets_unseen {
        cursor.as_no_op()
    } else {
        cursor
    };
    let is_guess = !matches!(shape, Shape::Known(_));
    let differ = Differ {
        is_guess,
        ..Differ::new(arena, dialect)
    };
    let diff = differ.block(differ.as_read(cursor), block);
    notes.add_approximate(differ.is_approximate());
    Ok(diff)
}

// A tree, or a list of edits, takes many times the memory of a dense text (`[1,1,1,…]`). Real values have some
// thousand parts. A value of more than [`MAX_PARTS`] is compared as a whole in reviews, and `show` ends with an
// error.

/// Counts the value itself, its elements and members, and theirs.
pub(super) const MAX_PARTS: usize = 2_000_000;

/// The bytes of text for each part from which on a tree fits into the memory that a document may take.
const SPARSE: usize = 8;

impl Cursor<'_> {
    /// Fails if a tree of the change would take too much memory. `size` is in bytes of text.
    pub fn checked(self, size: usize) -> Result<Self, Error> {
        // Each part takes a byte, and a comma or bracket.
        if size < 2 * MAX_PARTS {
            return Ok(self);
        }
        let most = MAX_PARTS.max(size / SPARSE);
        let is_too_large = |value| !fits(value, most, &mut { most });
        let sides = [self.before.value(), self.after.value()];
        if sides.into_iter().any(is_too_large) {
            Err(Error::TooLarge)
        } else {
            Ok(self)
        }
    }
}

fn take(left: &mut usize) -> bool {
    left.checked_sub(1).map(|rest| *left = rest).is_some()
}

fn fits(value: Value<'_>, most: usize, left: &mut usize) -> bool {
    take(left)
        && match value.as_str().filter(|text| may_be_json(text)) {
            // Each part is behind a comma or a bracket.
            Some(text) => memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count() <= most,
            None => value.children().all(|part| fits(part, most, left)),
        }
}

pub(super) fn is_small(value: MarkedValue<'_>) -> bool {
    fn fits(value: MarkedValue<'_>, left: &mut usize) -> bool {
        take(left) && value.children().all(|part| fits(part, left))
    }
    fits(value, &mut { MAX_PARTS })
}

#[derive(Debug)]
pub enum Error {
    Value(json::Error),
    Configuration(json::Error),
    Schema(schema::Error),
    TooLarge,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(error) => write!(f, "{error}"),
            Self::Configuration(error) => write!(
                f,
                "the `configuration`, which says what provisioners run and how providers are configured, cannot be read: {error}"
            ),
            Self::Schema(error) => write!(f, "{error}"),
            Self::TooLarge => {
                f.write_str("a value has more than 2,000,000 parts, too many to show; `tfview review` compares it as a whole")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Value(error) | Self::Configuration(error) => Some(error),
            Self::Schema(error) => Some(error),
            Self::TooLarge => None,
        }
    }
}

impl From<json::Error> for Error {
    fn from(error: json::Error) -> Self {
        Self::Value(error)
    }
}

impl From<schema::Error> for Error {
    fn from(error: schema::Error) -> Self {
        Self::Schema(error)
    }
}

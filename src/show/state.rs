//! Writes a state as the tools' `show` prints it.
//!
//! Objects are written in the order of the document, those of child modules after those of their parent, and outputs at
//! the end. Invariant: shapes are looked up before the first byte is written.

use bumpalo::Bump;

use super::{Error, Options, ShowReport, write_in_order};
use crate::diff::notes::Notes;
use crate::diff::shapes::{Shape, Shapes, Source};
use crate::diff::{Cursor, Differ};
use crate::json::{Pairs, Raw, Value};
use crate::model::plan::Plan;
use crate::model::state::{Module, Output, Resource, StateDocument};
use crate::render::{self, Context};
use crate::schema::{Schemas, cty_type};
use crate::term::TextPart::{Data, Lit};
use crate::term::{Out, StyledText};

/// Writes the text of a state. Shapes of types without a schema are also inferred from `plan`, a plan of the same
/// configuration.
///
/// # Errors
/// Returns an error if a value or a schema is malformed, a value is too large, or the text cannot be written.
pub fn state<'a>(
    document: &StateDocument<'a>,
    plan: Option<&Plan<'a>>,
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<ShowReport, Error> {
    let shapes = Shapes::new(schemas, Source::State(document, plan), arena);
    let (empty, outputs) = (Module::default(), document.all_outputs());
    let root = document.root().unwrap_or(&empty);
    if root.resources.is_empty() && root.child_modules.is_empty() && outputs.is_empty() {
        out.lit("The state file is empty. No resources are represented.\n")?;
        return Ok(ShowReport::default());
    }
    // Shapes are looked up before the first byte is written, because they can fail.
    let mut listed = Vec::new();
    list(&shapes, root, true, &mut listed)?;
    let cx = Context::state(options.dialect, options.show_sensitive);
    let printer = StatePrinter {
        cx,
        notes: Notes::default(),
    };
    write_in_order(
        out,
        &listed,
        |listed| size(listed.resource.values),
        |out, listed, arena| {
            out.lit(&"\n".repeat(listed.gap))?;
            out.folded(|out| printer.resource(out, listed, arena))
        },
    )?;
    printer.outputs(out, outputs, arena)?;
    Ok(ShowReport::new(&printer.notes))
}

/// An object, as it is listed in the text.
struct Listed<'p, 'a> {
    /// The number of empty lines before it.
    gap: usize,
    resource: &'p Resource<'a>,
    shape: Shape<'a>,
}

/// Lists the objects of a module and of its child modules. Upstream passes `first` down by value, so if the root module
/// contains no resource, each of its direct children begins without an empty line.
fn list<'p, 'a>(
    shapes: &Shapes<'_, 'a>,
    module: &'p Module<'a>,
    mut first: bool,
    listed: &mut Vec<Listed<'p, 'a>>,
) -> Result<(), Error> {
    let mut gap = usize::from(!first);
    for resource in &module.resources {
        gap += usize::from(!first);
        listed.push(Listed {
            gap,
            resource,
            shape: shapes.for_state(resource)?,
        });
        (first, gap) = (false, 0);
    }
    module
        .child_modules
        .iter()
        .try_for_each(|child| list(shapes, child, first, listed))
}

/// The tool's texts of single objects of a state, each of which is written when it is requested.
///
/// Objects are identified by their index in the order in which [`state`] prints them.
pub struct StateTexts<'p, 'a> {
    printer: StatePrinter,
    listed: Vec<Listed<'p, 'a>>,
    outputs: &'p Pairs<'a, Output<'a>>,
}

impl<'p, 'a> StateTexts<'p, 'a> {
    /// Prepares the texts of a state.
    ///
    /// # Errors
    /// Returns an error if a schema is malformed.
    pub fn new(
        document: &'p StateDocument<'a>,
        schemas: &'p Schemas<'a>,
        options: &Options,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let shapes = Shapes::new(schemas, Source::State(document, None), arena);
        let mut listed = Vec::new();
        if let Some(root) = document.root() {
            list(&shapes, root, true, &mut listed)?;
        }
        Ok(Self {
            printer: StatePrinter {
                cx: Context::state(options.dialect, options.show_sensitive),
                notes: Notes::default(),
            },
            listed,
            outputs: document.all_outputs(),
        })
    }

    /// Returns the objects in the order of their indices.
    pub fn resources(&self) -> impl Iterator<Item = &'p Resource<'a>> {
        self.listed.iter().map(|listed| listed.resource)
    }

    /// Returns the text of an object; empty if there is no such object.
    pub fn resource(&self, index: usize) -> Result<StyledText, Error> {
        let Some(listed) = self.listed.get(index) else {
            return Ok(StyledText::default());
        };
        let arena = Bump::new();
        StyledText::new(|out| self.printer.resource(out, listed, &arena))
    }

    /// Returns the text of all outputs.
    pub fn outputs(&self) -> Result<StyledText, Error> {
        let arena = Bump::new();
        StyledText::new(|out| self.printer.outputs(out, self.outputs, &arena))
    }
}

/// The printer of the objects of a state.
struct StatePrinter {
    cx: Context,
    notes: Notes,
}

impl StatePrinter {
    /// Writes one object with its header.
    fn resource<'c>(
        &self,
        out: &mut Out<'_>,
        listed: &Listed<'_, 'c>,
        arena: &'c Bump,
    ) -> Result<(), Error> {
        let Listed {
            resource, shape, ..
        } = listed;
        out.parts(&[Lit("# "), Data(&resource.address), Lit(":")])?;
        if !resource.deposed_key.is_empty() {
            out.parts(&[
                Lit(" (deposed object "),
                Data(&resource.deposed_key),
                Lit(")"),
            ])?;
        } else if resource.tainted {
            out.lit(" (tainted)")?;
        }
        out.lit("\n")?;
        render::header(out, &resource.mode, &resource.resource_type, &resource.name)?;
        let sensitive = Raw::marks_or_null(resource.sensitive_values, arena)?;
        let change = Cursor::unchanged(Raw::value_or_null(resource.values, arena)?, sensitive)
            .checked(size(resource.values))?;
        let differ = Differ::new(arena, self.cx.dialect);
        let block = shape.block(&resource.resource_type, &change, &self.notes, arena);
        let diff = differ.block(differ.as_read(change), block);
        self.notes.add_approximate(differ.is_approximate());
        render::diff(out, &diff, self.cx)?;
        Ok(out.lit("\n")?)
    }

    /// Writes the outputs of the root module.
    fn outputs<'a>(
        &self,
        out: &mut Out<'_>,
        outputs: &Pairs<'a, Output<'a>>,
        arena: &'a Bump,
    ) -> Result<(), Error> {
        let differ = Differ::new(arena, self.cx.dialect);
        if outputs.is_empty() {
            return Ok(());
        }
        out.lit("\n\nOutputs:\n\n")?;
        for (name, output) in outputs.iter() {
            let change = Cursor::unchanged(
                Raw::value_or_null(output.value, arena)?,
                Value::Bool(output.sensitive),
            )
            .checked(size(output.value))?;
            let ty = cty_type(Raw::value_or_null(output.kind, arena)?, arena);
            out.parts(&[Data(name), Lit(" = ")])?;
            let diff = differ.typed(differ.as_read(change), ty);
            render::diff(out, &diff, self.cx)?;
            out.lit("\n")?;
        }
        Ok(())
    }
}

/// Returns the length of a value's JSON, in bytes.
fn size(raw: Option<Raw<'_>>) -> usize {
    raw.map_or(0, |raw| raw.text().len())
}

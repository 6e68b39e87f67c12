//! A state, as `show` of the tools prints it.

use bumpalo::Bump;

use super::shapes::Unlisted;
use super::{Error, Options, Shapes, Shown, Source};
use crate::change::Change;
use crate::differ::Differ;
use crate::json::{self, Pairs, Value};
use crate::model::state::{Module, Output, Resource, StateDocument};
use crate::render::{self, Context};
use crate::schema::{Schemas, cty_type};
use crate::term::{Out, Untrusted};

/// Writes a state.
pub fn state<'a>(
    document: &StateDocument<'a>,
    schemas: &Schemas<'a>,
    options: &Options,
    out: &mut Out<'_>,
    arena: &'a Bump,
) -> Result<Shown, Error> {
    let shapes = Shapes::new(schemas, Source::State(document), arena);
    let (root, outputs) = match &document.values {
        Some(values) => (Some(&values.root_module), &values.outputs),
        None => (document.root_module.as_ref(), &document.outputs),
    };
    let empty = Module::default();
    let root = root.unwrap_or(&empty);
    if root.resources.is_empty() && root.child_modules.is_empty() && outputs.is_empty() {
        out.lit("The state file is empty. No resources are represented.\n")?;
        return Ok(Shown::default());
    }
    let view = View {
        shapes: &shapes,
        options,
        arena,
        differ: Differ::new(arena, options.dialect),
        unlisted: Unlisted::default(),
    };
    view.resolve(root)?;
    view.module(out, root, true)?;
    view.outputs(out, outputs)?;
    Ok(Shown {
        has_changes: false,
        inferred: shapes.inferred(),
        unlisted: view.unlisted.list(),
        bounded: view.differ.was_bounded(),
    })
}

struct View<'v, 'a> {
    shapes: &'v Shapes<'v, 'a>,
    options: &'v Options,
    arena: &'a Bump,
    differ: Differ<'a>,
    unlisted: Unlisted,
}

impl<'a> View<'_, 'a> {
    /// Finds the shapes of a module and those below it: all that can fail, before the first byte is written.
    fn resolve(&self, module: &Module<'a>) -> Result<(), Error> {
        module.resources.iter().try_for_each(|resource| self.shapes.of_state(resource).map(drop))?;
        module.child_modules.iter().try_for_each(|child| self.resolve(child))
    }

    /// Writes a module and those below it. Upstream passes `first` down by value: if the root module
    /// has no resource, every module right below it starts without an empty line.
    fn module(&self, out: &mut Out<'_>, module: &Module<'a>, first: bool) -> Result<(), Error> {
        let mut first = first;
        if !module.resources.is_empty() && !first {
            out.lit("\n")?;
        }
        for resource in &module.resources {
            if !first {
                out.lit("\n")?;
            }
            first = false;
            out.folded(|out| self.resource(out, resource))?;
        }
        module.child_modules.iter().try_for_each(|child| self.module(out, child, first))
    }

    fn resource(&self, out: &mut Out<'_>, resource: &Resource<'a>) -> Result<(), Error> {
        out.lit("# ")?;
        out.data(Untrusted(&resource.address))?;
        out.lit(":")?;
        if !resource.deposed_key.is_empty() {
            out.lit(" (deposed object ")?;
            out.data(Untrusted(&resource.deposed_key))?;
            out.lit(")")?;
        } else if resource.tainted {
            out.lit(" (tainted)")?;
        }
        out.lit("\n")?;
        render::header(out, &resource.mode, &resource.kind, &resource.name)?;
        let change = Change::unchanged(self.value(resource.values)?, self.value(resource.sensitive_values)?);
        let diff = self.differ.block(
            change,
            self.shapes.of_state(resource)?.of(&resource.kind, &change, &self.unlisted, self.arena),
        );
        render::diff(out, &diff, Context::state(self.options.show_sensitive))?;
        out.lit("\n")?;
        Ok(())
    }

    fn value(&self, raw: Option<json::Raw<'a>>) -> Result<Value<'a>, Error> {
        Ok(raw.map_or(Ok(Value::Null), |raw| raw.value(self.arena))?)
    }

    fn outputs(&self, out: &mut Out<'_>, outputs: &Pairs<'a, Output<'a>>) -> Result<(), Error> {
        if outputs.is_empty() {
            return Ok(());
        }
        out.lit("\n\nOutputs:\n\n")?;
        for (name, output) in outputs.iter() {
            let change = Change::unchanged(self.value(output.value)?, Value::Bool(output.sensitive));
            let ty = cty_type(self.value(output.kind)?, self.arena);
            out.data(Untrusted(name))?;
            out.lit(" = ")?;
            render::diff(out, &self.differ.typed(change, ty), Context::state(self.options.show_sensitive))?;
            out.lit("\n")?;
        }
        Ok(())
    }
}

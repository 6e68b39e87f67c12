//! Runs `tfview findings`: prints what the rules find in objects of resource types.

use std::io;

use super::args::{DisplayArgs, FindingsArgs};
use super::config::Config;
use super::output::{WriteFailures, with_output};
use super::settings::Settings;
use super::{Host, Outcome};
use crate::review::findings::{RuleText, Rules};
use crate::term::{Out, Role, Untrusted};
use crate::text::wrapped;

/// The width of the column of levels, in columns of the terminal, with the space after it.
const LEVEL_WIDTH: usize = 10;
/// The width of the column of kinds, in columns of the terminal, with the space after it.
const KIND_WIDTH: usize = 12;
/// The maximum column at which the text of a rule begins on the line of its attribute. Further right, it gets a line of
/// its own.
const MAX_INDENT: usize = 60;

/// Writes the rules for each resource type of the arguments.
pub(super) fn run(args: &FindingsArgs, host: &Host) -> anyhow::Result<Outcome> {
    let display = DisplayArgs {
        style: args.style.clone(),
        ..DisplayArgs::default()
    };
    let settings = Settings::resolve(&display, &host.environment, host.terminal);
    let mut rules = Rules::built_in();
    Config::read(&args.config, &mut rules, host)?;
    let mut failures = WriteFailures::default();
    with_output(None, host, &mut failures, |sink| {
        let mut out = Out::new(sink, settings.colour);
        for (index, resource_type) in args.types.iter().enumerate() {
            if index > 0 {
                out.lit("\n")?;
            }
            write(
                resource_type,
                &rules.texts(resource_type),
                settings.width,
                &mut out,
            )?;
        }
        Ok(out.flush()?)
    })?;
    Ok(failures.conclude(Outcome::Fine, host))
}

/// Writes the rules for one resource type, then those for any type.
fn write(
    resource_type: &str,
    texts: &[RuleText],
    width: usize,
    out: &mut Out<'_>,
) -> io::Result<()> {
    out.role_data(Role::Strong, Untrusted(resource_type))?;
    out.lit("\n")?;
    let (of_type, of_any_type): (Vec<&RuleText>, Vec<&RuleText>) =
        texts.iter().partition(|text| !text.is_for_any_type);
    if of_type.is_empty() {
        out.lit("  no rules for this type: only those for any type apply\n")?;
    }
    for text in of_type {
        rule(text, width, out)?;
    }
    if !of_any_type.is_empty() {
        out.role(Role::Strong, "any type")?;
        out.lit("\n")?;
    }
    for text in of_any_type {
        rule(text, width, out)?;
    }
    Ok(())
}

/// Writes one rule: level, kind and attribute in columns, then when it finds something.
fn rule(text: &RuleText, width: usize, out: &mut Out<'_>) -> io::Result<()> {
    let (level, kind) = (text.level.name(), text.kind.name());
    out.lit(&format!("  {level:LEVEL_WIDTH$}{kind:KIND_WIDTH$}"))?;
    let mut used = 2 + LEVEL_WIDTH + KIND_WIDTH;
    if !text.attribute.is_empty() {
        out.data(Untrusted(&text.attribute))?;
        used += text.attribute.chars().count() + 2;
    }
    let indent = 4 + LEVEL_WIDTH + KIND_WIDTH;
    let mut words = text.when.clone();
    if text.is_of_project {
        words.push_str(" (of the project)");
    }
    if used > MAX_INDENT {
        out.lit("\n")?;
        out.spaces(indent)?;
        used = indent;
    } else if !text.attribute.is_empty() {
        out.lit("  ")?;
    }
    for (index, line) in wrapped(&words, width, indent, used).into_iter().enumerate() {
        if index > 0 {
            out.spaces(indent)?;
        }
        out.data(Untrusted(line))?;
        out.lit("\n")?;
    }
    Ok(())
}

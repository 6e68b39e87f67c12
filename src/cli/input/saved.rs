//! Saved plans (`plan -out`): ZIP archives that only the tool that wrote them can read. They are converted by
//! running that tool's `show -json`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::Source;
use crate::cli::environment::Environment;
use crate::cli::{Host, programs};
use crate::dialect::Tool;
use crate::saved;

/// Converts a saved plan to JSON, using the tool that wrote it. Returns the tool too, if it is known.
pub(super) fn as_json(source: &Source, bytes: &[u8], host: &Host) -> anyhow::Result<(Vec<u8>, Option<Tool>)> {
    let (tool, named) = tool_of_plan(bytes, &host.environment).with_context(|| {
        format!("cannot read {source}: a saved plan, which only the tool that wrote it can read")
    })?;
    let json = match source {
        Source::File(path) => show(&tool, &named, path, source, host),
        Source::Stdin => {
            let copy = host
                .processes
                .temporary_file(bytes)
                .context("copying the saved plan of standard input to a file")?;
            show(&tool, &named, &copy.path(), source, host)
        }
    };
    let program = tool.file_name().map(OsStr::to_string_lossy);
    Ok((json?, program.and_then(|program| Tool::from_program(&program))))
}

/// Chooses the tool: `TFVIEW_TOOL`, otherwise the tool whose registry is in the lock file of the plan,
/// otherwise the first of `tofu` and `terraform` in `PATH`.
fn tool_of_plan(plan: &[u8], environment: &Environment) -> anyhow::Result<(PathBuf, String)> {
    if let Some(tool) = &environment.tool {
        let named = tool.to_string_lossy().into_owned();
        let found = programs::find(tool, environment);
        let found = found.with_context(|| format!("{named} (from TFVIEW_TOOL) is not in PATH"))?;
        return Ok((found, named));
    }
    let names = match saved::lock_file(plan).as_deref().and_then(registry) {
        Some(Tool::OpenTofu) | None => ["tofu", "terraform"],
        Some(Tool::Terraform) => ["terraform", "tofu"],
    };
    let find = |name: &&str| Some((programs::find(OsStr::new(name), environment)?, (*name).to_owned()));
    let found = names.iter().find_map(find);
    found.context(
        "neither tofu nor terraform is in PATH: install it, name it in TFVIEW_TOOL, or pass the output of its `show -json`",
    )
}

/// Chooses the tool without a plan: `TFVIEW_TOOL`, otherwise the first of `tofu` and `terraform` in `PATH`.
pub(in crate::cli) fn tool(environment: &Environment) -> anyhow::Result<OsString> {
    tool_of_plan(&[], environment).map(|(tool, _)| tool.into())
}

/// The tool whose registry is in a lock file. Lock files of OpenTofu may contain both registries.
fn registry(lock_file: &str) -> Option<Tool> {
    if lock_file.contains("registry.opentofu.org/") {
        Some(Tool::OpenTofu)
    } else if lock_file.contains("registry.terraform.io/") {
        Some(Tool::Terraform)
    } else {
        None
    }
}

fn show(tool: &Path, named: &str, plan: &Path, source: &Source, host: &Host) -> anyhow::Result<Vec<u8>> {
    // A path that begins with a dash would be an option of the tool.
    let plan = if plan.is_relative() { Path::new(".").join(plan) } else { plan.to_owned() };
    let output = host
        .processes
        .capture(Command::new(tool).args(["show", "-json", "-no-color"]).arg(&plan))
        .with_context(|| format!("running `{named} show -json` for the saved plan {source}"))?;
    // The output of the tool is untrusted: it must not drive the terminal or a CI system.
    let said = String::from_utf8_lossy(&output.stderr);
    if !said.trim().is_empty() {
        host.say(said.trim_end());
    }
    ensure!(
        output.status.success(),
        "running `{named} show -json` for the saved plan {source}: it failed ({})\n  tip: is this the folder of \
         its configuration, and `{named}` the tool that wrote the plan?",
        output.status
    );
    Ok(output.stdout)
}

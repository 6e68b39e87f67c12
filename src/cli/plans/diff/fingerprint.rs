//! Makes the fingerprint of a plan, and compares it with an approved one.

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;

use super::{DiffCommand, read};
use crate::cli::Outcome;
use crate::cli::messages::ErrorWithTip;
use crate::cli::output::{WriteFailures, with_output};
use crate::cli::plans::Input;
use crate::cli::reader::Reader;
use crate::cli::schemas;
use crate::cli::values::DiffFormat;
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::compare::formats;

impl DiffCommand<'_> {
    /// Prints the fingerprint of the plan, or whether it is the approved one.
    pub(super) fn by_fingerprint(&self) -> anyhow::Result<Outcome> {
        let Self {
            args,
            reader: reader @ Reader {
                schema_files, host, ..
            },
            ..
        } = self;
        let [file] = &*args.files else {
            bail!("a fingerprint is made from one plan; leave out the other file");
        };
        ensure!(
            args.format != DiffFormat::Html,
            "--format html compares two plans; a fingerprint has no page"
        );
        let parse = |text: &String| {
            text.parse()
                .map_err(|error| anyhow!("--approved {text}: {error}"))
        };
        let approved: Option<Fingerprint> = args.approved.as_ref().map(parse).transpose()?;
        let document = read(file, *reader)?;
        let input = Input::only(&document, *reader)?;
        let Input { document, name, .. } = &input;
        let plan = &document.plan;
        ensure!(
            plan.saved_plan.is_none(),
            ErrorWithTip::new(
                "a saved plan lacks some of what a fingerprint covers",
                "use the output of `show -json`, or `--via-tool`"
            )
        );
        // The cache of a machine must not affect a fingerprint.
        let schemas = schemas::available_schemas(schema_files, plan.provider_schemas, None, name)?;
        let has_schemas = !schema_files.is_empty();
        let basis = match approved {
            Some(Fingerprint { basis, .. }) => {
                ensure!(
                    basis.schemas == has_schemas,
                    "the fingerprint was made {} provider schemas: compare the plan {} --schemas too",
                    if basis.schemas { "with" } else { "without" },
                    if basis.schemas {
                        "with the same"
                    } else {
                        "without"
                    },
                );
                basis
            }
            None => Basis {
                schemas: has_schemas,
                sensitive: args.include_sensitive,
            },
        };
        let arena = Bump::new();
        let now = Fingerprint::new(plan, &schemas, basis, &arena)
            .map_err(|error| anyhow!("cannot read {name}: {error}"))?;
        let is_same = approved.map(|approved| approved == now);
        let text = match (args.format, is_same) {
            (DiffFormat::Json, _) => formats::fingerprint_json(&now, is_same)?,
            (_, None) => now.to_string(),
            (_, Some(true)) => "same".to_owned(),
            (_, Some(false)) => "differs".to_owned(),
        };
        let decided = if is_same == Some(false) {
            Outcome::Gate
        } else {
            Outcome::Fine
        };
        let mut failures = WriteFailures::default();
        with_output(None, host, &mut failures, |sink| {
            writeln!(sink, "{text}")?;
            Ok(sink.flush()?)
        })
        .context("writing the fingerprint")?;
        if approved.is_some() && !basis.sensitive {
            host.note("sensitive values were not compared: the fingerprint leaves them out");
        }
        Ok(failures.conclude(decided, host))
    }
}

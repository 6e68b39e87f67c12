//! `tfview schema check`

use std::io;

use super::write;
use crate::cli::args::CheckArgs;
use crate::cli::input::{self, Source};
use crate::cli::settings::Settings;
use crate::cli::{Host, Outcome, ci};
use crate::schema::check::{self, FindingLevel};
use crate::schema_view::Checked;
use crate::term::CiSystem;
use crate::term::ci::{Annotation, Annotations, Place};

/// Checks the files. Fails if one has errors.
pub(super) fn check(args: &CheckArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.view.display(&[], args.ci), &host.environment, host.terminal);
    let mut all = Vec::new();
    for file in &args.files {
        // The text of the file itself, so that positions are those in an editor.
        let (name, text) = input::read_text(&Source::new(Some(file), host)?, host)?;
        let findings = check::check(&text);
        all.push(Checked::new(name, &text, findings));
    }
    let has = |level| all.iter().flat_map(|file| &file.findings).any(|(finding, ..)| finding.level == level);
    let fails = has(FindingLevel::Error) || (args.strict && has(FindingLevel::Warning));
    if let Some(system) = settings.requested_ci {
        ci::annotate(&annotations(system, &all), &mut io::stderr())?;
    }
    write(&*all, &args.view, &settings, host, if fails { Outcome::Failed } else { Outcome::Fine })
}

fn annotations(system: CiSystem, all: &[Checked]) -> Annotations {
    let mut annotations = Annotations::new(system);
    for checked in all {
        for (finding, line, column) in &checked.findings {
            let title = if finding.path.is_empty() { checked.file.clone() } else { finding.path.clone() };
            let hint = if finding.hint.is_empty() { String::new() } else { format!("; {}", finding.hint) };
            annotations.add(Annotation {
                level: match finding.level {
                    FindingLevel::Error => crate::term::ci::Level::Error,
                    FindingLevel::Warning => crate::term::ci::Level::Warning,
                },
                title,
                message: format!("{}{hint}", finding.problem),
                place: Some(Place { file: checked.file.clone(), line: *line, column: *column }),
            });
        }
    }
    annotations
}

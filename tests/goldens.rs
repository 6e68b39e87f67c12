//! The output equals that of the real tools, byte for byte and cell for cell: one named test per golden case.
//!
//! `plan::CASE` and `state::CASE` compare the plain text, `plan-colour::CASE` and
//! `state-colour::CASE` the style of every visible character. Nothing is trimmed; characters that
//! could control a terminal are expected in their visible form. The runs are in `support/stream.rs`.
//!
//! `saved::CASE` and `raw-state::CASE` are the same for saved plans and raw states.
//!
//! `versions/RELEASE/CASE` compares with the renderer of an older release, for the plan of the case that
//! its `meta.json` names.

use std::fs;
use std::path::{Path, PathBuf};

use bumpalo::Bump;
use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use tfview::internals::dialect::{Dialect, DialectChoice, Release, Tool};
use tfview::internals::json;
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::saved::{Knowledge, RawState, SavedPlan};
use tfview::internals::schema::Schemas;
use tfview::internals::show::{self, Options, PlanMode};
use tfview::internals::term::Out;

#[path = "support/cells.rs"]
mod cells;
#[path = "support/stream.rs"]
mod stream;

/// The number of all cases. A case whose files are lost has no test, so that only this number tells.
const TRIALS: usize = 3_089;

fn main() -> std::process::ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut trials = Vec::new();
    for folder in ["goldens", "fuzz", "open"] {
        for case in folders(&root.join(folder)) {
            trials.append(&mut stream::trials(&case));
            for (name, document, expected) in [
                ("plan", "plan.json", "plan.txt"),
                ("plan-colour", "plan.json", "plan.ansi"),
                ("state", "state.json", "state.txt"),
                ("state-colour", "state.json", "state.ansi"),
            ] {
                if [document, expected, "schema.json"]
                    .iter()
                    .all(|file| case.join(file).exists())
                {
                    let title = format!(
                        "{name}::{folder}/{}",
                        case.file_name().unwrap_or_default().to_string_lossy()
                    );
                    let case = case.clone();
                    trials.push(Trial::test(title, move || check(&case, document, expected)));
                }
            }
        }
    }
    for case in folders(&root.join("saved")) {
        for (name, document, expected) in [
            ("saved", "plan.tfplan", "plan.txt"),
            ("saved-colour", "plan.tfplan", "plan.ansi"),
            ("raw-state", "terraform.tfstate", "state.txt"),
            ("raw-state-colour", "terraform.tfstate", "state.ansi"),
        ] {
            if case.join(document).exists() {
                let title = format!(
                    "{name}::{}",
                    case.file_name().unwrap_or_default().to_string_lossy()
                );
                let case = case.clone();
                trials.push(Trial::test(title, move || {
                    check_tool_file(&case, document, expected)
                }));
            }
        }
    }
    for release in folders(&root.join("versions")) {
        for case in folders(&release) {
            for (name, expected) in [("plan", "plan.txt"), ("plan-colour", "plan.ansi")] {
                let path = case
                    .strip_prefix(&root)
                    .expect("a folder of the fixtures")
                    .to_string_lossy();
                let title = format!("{name}::{path}");
                let (root, case) = (root.clone(), case.clone());
                trials.push(Trial::test(title, move || {
                    check_release(&root, &case, expected)
                }));
            }
        }
    }
    assert_eq!(
        trials.len(),
        TRIALS,
        "the number of golden cases changed: if none was lost, change `TRIALS`"
    );
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The folders in `folder`, sorted.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .expect("fixtures are part of the project")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

fn check(case: &Path, document: &str, expected: &str) -> Result<(), Failed> {
    let colour = expected.ends_with(".ansi");
    compare(case, expected, &shown(case, document, colour)?)
}

/// Compares what is shown of a saved plan or raw state. The tool, release and mode come from the file.
fn check_tool_file(case: &Path, document: &str, expected: &str) -> Result<(), Failed> {
    let schema = fs::read_to_string(case.join("schema.json"))?;
    let bytes = fs::read(case.join(document))?;
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    schemas.add(&schema)?;
    let knowledge = Knowledge::new(&schemas, &arena);
    let mut shown = Vec::new();
    let mut out = Out::new(&mut shown, expected.ends_with(".ansi"));
    if document == "plan.tfplan" {
        let text = SavedPlan::parse(&bytes)?.to_json(&knowledge)?;
        let plan: Plan<'_> = json::from_str(&text)?;
        let options = Options {
            dialect: show::plan_dialect(&plan, DialectChoice::default(), || None),
            ..PLAIN
        };
        show::plan(&plan, &schemas, &options, &mut out, &Bump::new())?;
    } else {
        let text = RawState::parse(std::str::from_utf8(&bytes)?)?.to_json(&knowledge)?;
        let state: StateDocument<'_> = json::from_str(&text)?;
        let options = Options {
            dialect: show::state_dialect(&state, DialectChoice::default(), || None),
            ..PLAIN
        };
        show::state(&state, None, &schemas, &options, &mut out, &Bump::new())?;
    }
    out.flush()?;
    drop(out);
    compare(case, expected, &String::from_utf8(shown)?)
}

/// Compares with the text that an older release prints for the plan of another case.
fn check_release(root: &Path, case: &Path, expected: &str) -> Result<(), Failed> {
    let meta: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(case.join("meta.json"))?)?;
    let name = |key: &str| meta[key].as_str().unwrap_or_default();
    let dialect: DialectChoice = format!("{}@{}", name("product"), name("version")).parse()?;
    let options = Options {
        dialect: dialect.for_document(None, ""),
        // The renderers did not know in which mode the plan was made.
        plan_mode: Some(PlanMode::Normal),
        ..PLAIN
    };
    let colour = expected.ends_with(".ansi");
    compare(
        case,
        expected,
        &shown_with(&root.join(name("of")), "plan.json", colour, &options)?,
    )
}

/// The release of OpenTofu that printed the texts.
const OPENTOFU: Dialect = Dialect {
    tool: Tool::OpenTofu,
    release: Release::new(1, 12),
};

const PLAIN: Options = Options {
    dialect: Dialect::TERRAFORM,
    plan_mode: None,
    show_sensitive: false,
    width: 78,
    automation: false,
};

/// Compares with a file of the case: cells if it has colours, else bytes.
fn compare(case: &Path, expected: &str, got: &str) -> Result<(), Failed> {
    let colour = expected.ends_with(".ansi");
    let want = fs::read_to_string(case.join(expected))?;
    if colour {
        let (want, got) = (cells::cells(&want), cells::cells(got));
        let Some(index) =
            (0..want.len().max(got.len())).find(|index| want.get(*index) != got.get(*index))
        else {
            return Ok(());
        };
        let before: String = want[..index]
            .iter()
            .rev()
            .take(60)
            .rev()
            .map(|cell| cell.0)
            .collect();
        return Err(format!(
            "cell {index}: expected {:?}, got {:?}, after {before:?}",
            want.get(index),
            got.get(index)
        )
        .into());
    }
    let want = cells::visible(&want);
    if want == got {
        return Ok(());
    }
    let diff = TextDiff::from_lines(&*want, got);
    Err(format!(
        "{}",
        diff.unified_diff()
            .context_radius(2)
            .header("the tool", "tfview")
    )
    .into())
}

/// The text that `show` prints for a document of a case.
fn shown(case: &Path, document: &str, colour: bool) -> Result<String, Failed> {
    let meta: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(case.join("meta.json"))?)?;
    let flags = meta["plan_flags"].as_array().cloned().unwrap_or_default();
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    let options = Options {
        dialect: if meta["product"] == "opentofu" {
            OPENTOFU
        } else {
            Dialect::TERRAFORM
        },
        plan_mode: if has("-destroy") {
            Some(PlanMode::Destroy)
        } else if has("-refresh-only") {
            Some(PlanMode::RefreshOnly)
        } else {
            None
        },
        ..PLAIN
    };
    shown_with(case, document, colour, &options)
}

fn shown_with(
    case: &Path,
    document: &str,
    colour: bool,
    options: &Options,
) -> Result<String, Failed> {
    let schema = fs::read_to_string(case.join("schema.json"))?;
    let text = fs::read_to_string(case.join(document))?;
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    schemas.add(&schema)?;
    let mut bytes = Vec::new();
    let mut out = Out::new(&mut bytes, colour);
    if document == "plan.json" {
        let plan: Plan<'_> = json::from_str(&text)?;
        show::plan(&plan, &schemas, options, &mut out, &arena)?;
    } else {
        let state: StateDocument<'_> = json::from_str(&text)?;
        show::state(&state, None, &schemas, options, &mut out, &arena)?;
    }
    out.flush()?;
    drop(out);
    Ok(String::from_utf8(bytes)?)
}

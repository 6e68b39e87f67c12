//! Every output that a document has, in process: what the program would print for it.

use bumpalo::Bump;
use tfview::json;
use tfview::model::Dialect;
use tfview::model::plan::Plan;
use tfview::model::state::StateDocument;
use tfview::schema::Schemas;
use tfview::show::{self, Options, PlanMode, Shown};
use tfview::term::Out;

/// How a document is displayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Display {
    pub(crate) dialect: Dialect,
    pub(crate) plan_mode: Option<PlanMode>,
    pub(crate) colour: bool,
    pub(crate) show_sensitive: bool,
}

impl Display {
    /// The plain text in a dialect's words.
    pub(crate) fn plain(dialect: Dialect) -> Self {
        Self { dialect, plan_mode: None, colour: false, show_sensitive: false }
    }

    fn options(self) -> Options {
        Options {
            dialect: self.dialect,
            plan_mode: self.plan_mode,
            show_sensitive: self.show_sensitive,
            width: 78,
            automation: false,
        }
    }
}

/// What `show` prints of a plan or state: the text, or the error's.
pub(crate) fn shown(document: &str, schema: Option<&str>, display: Display) -> Result<String, String> {
    let mut bytes = Vec::new();
    show_to(document, schema, display, &mut bytes)?;
    Ok(String::from_utf8(bytes).expect("what is written is text"))
}

/// The same, to any writer. Gives what the notes are made of.
pub(crate) fn show_to(
    document: &str,
    schema: Option<&str>,
    display: Display,
    sink: &mut dyn std::io::Write,
) -> Result<Shown, String> {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).map_err(|error| error.to_string())?;
    }
    let mut out = Out::new(sink, display.colour);
    let fault = |error: json::Error| format!("{error} ({})", json::locate(document, error.offset));
    let shown = if is_plan(document) {
        let plan: Plan<'_> = json::from_str(document).map_err(fault)?;
        show::plan(&plan, &schemas, &display.options(), &mut out, &arena)
    } else {
        let state: StateDocument<'_> = json::from_str(document).map_err(fault)?;
        show::state(&state, &schemas, &display.options(), &mut out, &arena)
    };
    let shown = shown.map_err(|error| error.to_string())?;
    out.flush().map_err(|error| error.to_string())?;
    Ok(shown)
}

fn is_plan(document: &str) -> bool {
    ["\"resource_changes\"", "\"output_changes\"", "\"planned_values\""]
        .iter()
        .any(|name| document.contains(name))
}

/// Every output of a document by its name. Errors and notes are outputs too.
pub(crate) fn all(document: &str, schema: Option<&str>, display: Display) -> Vec<(&'static str, String)> {
    let mut bytes = Vec::new();
    let notes = show_to(document, schema, display, &mut bytes);
    vec![
        ("show", String::from_utf8(bytes).expect("what is written is text")),
        ("the notes of show", format!("{notes:?}")),
    ]
}

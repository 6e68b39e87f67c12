//! Every output that a document has, in process: what the program would print for it.

use bumpalo::Bump;
use tfview::change;
use tfview::differ::Differ;
use tfview::json::{self, Raw};
use tfview::model::Dialect;
use tfview::model::plan::{Change, Plan};
use tfview::model::state::StateDocument;
use tfview::render;
use tfview::review;
use tfview::review::formats::{self, Budget};
use tfview::schema::Schemas;
use tfview::show::{self, Options, PlanMode, Shown};
use tfview::stream::{self, Documents, End, Stream};
use tfview::term::ci::CiLog;
use tfview::term::{Out, capture};

/// How a document is displayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Display {
    pub(crate) dialect: Dialect,
    pub(crate) plan_mode: Option<PlanMode>,
    pub(crate) colour: bool,
    pub(crate) show_sensitive: bool,
    pub(crate) ci: Option<CiLog>,
}

impl Display {
    /// The plain text in a dialect's words.
    pub(crate) fn plain(dialect: Dialect) -> Self {
        Self { dialect, plan_mode: None, colour: false, show_sensitive: false, ci: None }
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
    let mut out = Out::new(sink, display.colour).for_ci(display.ci);
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
    let mut outputs = vec![
        ("show", String::from_utf8(bytes).expect("what is written is text")),
        ("the notes of show", format!("{notes:?}")),
    ];
    if is_plan(document) {
        outputs.extend(reviewed(document, schema, display));
    }
    outputs
}

/// Every format of a plan's review.
pub(crate) fn reviewed(
    document: &str,
    schema: Option<&str>,
    display: Display,
) -> Vec<(&'static str, String)> {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    if let Some(Err(error)) = schema.map(|schema| schemas.add(schema)) {
        return vec![("the fault of a schema", error.to_string())];
    }
    let plan: Plan<'_> = match json::from_str(document) {
        Ok(plan) => plan,
        Err(error) => return vec![("the fault of a plan", error.to_string())],
    };
    let mut outputs = Vec::new();
    for unchanged in [false, true] {
        let options = review::Options {
            dialect: display.dialect,
            show_sensitive: display.show_sensitive,
            filter: review::Filter::default(),
            depth: None,
            context: 1,
            unchanged,
            list: false,
            tree: false,
        };
        let reviews = match review::read("plan.json", &plan, &schemas, &options, &arena) {
            Ok(review) => [review],
            Err(error) => return vec![("the fault of a review", error.to_string())],
        };
        let mut text = Vec::new();
        formats::terminal(&reviews, &options, display.colour, display.ci, &mut text)
            .expect("a vector takes everything");
        outputs.push(("review", String::from_utf8(text).expect("what is written is text")));
        if !unchanged {
            outputs.push(("review as markdown", formats::markdown(&reviews, &options, Budget::default())));
        }
        outputs.push(("review as json", formats::json(&reviews)));
    }
    outputs
}

/// What a stream needs others for, without files.
struct InMemory(Display);

impl Documents for InMemory {
    fn plan_file(&mut self, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        anyhow::bail!("there is none")
    }

    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        let arena = Bump::new();
        let options = Options { dialect, ..self.0.options() };
        let plan: Plan<'_> = plan.read().map_err(|error| anyhow::anyhow!("{error}"))?;
        show::plan(&plan, &Schemas::new(), &options, out, &arena)?;
        Ok(())
    }

    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        let arena = Bump::new();
        let options = Options { dialect, ..self.0.options() };
        let state: StateDocument<'_> = state.read().map_err(|error| anyhow::anyhow!("{error}"))?;
        show::state(&state, &Schemas::new(), &options, out, &arena)?;
        Ok(())
    }

    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String> {
        let arena = Bump::new();
        let cursor = change::Change::of_document(change, change::Paths::Always, &arena)?;
        let diff = Differ::new(&arena, dialect).output(cursor);
        let context = render::Context { show_sensitive: self.0.show_sensitive, ..render::Context::default() };
        Ok(capture(colour, |out| render::diff(out, &diff, context))?)
    }

    fn rescue(&mut self, _: &str) -> anyhow::Result<String> {
        Ok("errored.tfstate".into())
    }
}

/// What `stream` prints of messages, and its notes. `cut` bytes come at a time.
pub(crate) fn streamed(messages: &[u8], cut: usize, display: Display) -> Result<(String, String), String> {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    stream_to(messages, cut, display, &mut text, &mut notes)?;
    let decoded = |bytes| String::from_utf8(bytes).expect("what is written is text");
    Ok((decoded(text), decoded(notes)))
}

/// The same, to any writers.
pub(crate) fn stream_to(
    messages: &[u8],
    cut: usize,
    display: Display,
    text: &mut dyn std::io::Write,
    notes: &mut dyn std::io::Write,
) -> Result<bool, String> {
    let mut documents = InMemory(display);
    let options = stream::Options {
        width: 78,
        show_sensitive: display.show_sensitive,
        slowest: 3,
        ..stream::Options::default()
    };
    let mut observer = ();
    let (out, notes) = (Out::new(text, display.colour), Out::new(notes, display.colour));
    let mut stream = Stream::new(options, out, notes, &mut documents, &mut observer);
    for piece in messages.chunks(cut.max(1)) {
        stream.push(piece).map_err(|error| error.to_string())?;
    }
    stream.finish(End::Closed).map(|ending| ending.failed).map_err(|error| error.to_string())
}

/// The text of a CI system's log without the commands of its folds, and how many folds there were.
/// None is inside of another one, or left open.
pub(crate) fn unfolded(text: &str) -> (String, usize) {
    let (mut rest, mut folds, mut open) = (String::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let mut line = line;
        while let Some(after) = line.strip_prefix("\u{1b}[0Ksection_end:") {
            assert!(std::mem::take(&mut open), "{line:?}");
            line = after.split_once("\r\u{1b}[0K").expect("a whole command").1;
        }
        let is = |commands: [&str; 3]| commands.iter().any(|command| line.starts_with(command));
        if is(["::group::", "##[group]", "\u{1b}[0Ksection_start:"]) {
            assert!(!std::mem::replace(&mut open, true), "{line:?}");
            folds += 1;
        } else if is(["::endgroup::\n", "##[endgroup]\n", "::endgroup::\n"]) {
            assert!(std::mem::take(&mut open), "{line:?}");
        } else {
            rest.push_str(line);
        }
    }
    assert!(!open);
    (rest, folds)
}

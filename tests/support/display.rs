//! All outputs of the program for a document, produced in this process.

use std::time::Duration;

use bumpalo::Bump;
use tfview::internals::dialect::Dialect;
use tfview::internals::diff::parallel::Storage;
use tfview::internals::json::{self, Raw};
use tfview::internals::model::plan::{Change, Plan};
use tfview::internals::model::state::StateDocument;
use tfview::internals::page::Fragment;
use tfview::internals::render::PlanTexts;
use tfview::internals::report::Coverage;
use tfview::internals::report::{Budget, PageOptions};
use tfview::internals::review;
use tfview::internals::review::build::{ReadOptions, ReviewInputs};
use tfview::internals::review::formats;
use tfview::internals::review::plan::PlanReview;
use tfview::internals::schema::Schemas;
use tfview::internals::show::{self, Options, PlanMode, ShowReport};
use tfview::internals::stream::{
    self, DocumentError, Documents, End, Ending, Expected, Prior, RunPage, Screen, Stream,
};
use tfview::internals::term::Out;
use tfview::internals::term::ci::CiLog;

/// The settings of reviews.
pub(crate) fn review_options() -> review::Options {
    review::Options {
        width: 100,
        ..review::Options::default()
    }
}

/// The built-in rules of findings, so that findings are part of the checked outputs.
#[allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
fn rules() -> &'static review::findings::Rules {
    static RULES: std::sync::LazyLock<review::findings::Rules> =
        std::sync::LazyLock::new(review::findings::Rules::built_in);
    &RULES
}

/// How a document is displayed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Display {
    /// The tool whose words are used.
    pub(crate) dialect: Dialect,
    /// The mode of the plan.
    pub(crate) plan_mode: Option<PlanMode>,
    /// Whether the output has colours.
    pub(crate) colour: bool,
    /// Whether sensitive values are shown.
    pub(crate) show_sensitive: bool,
    /// The log of a CI system that the text goes to.
    pub(crate) ci: Option<CiLog>,
}

impl Display {
    /// Plain text in a dialect.
    pub(crate) fn plain(dialect: Dialect) -> Self {
        Self {
            dialect,
            plan_mode: None,
            colour: false,
            show_sensitive: false,
            ci: None,
        }
    }

    pub(crate) fn options(self) -> Options {
        Options {
            dialect: self.dialect,
            plan_mode: self.plan_mode,
            show_sensitive: self.show_sensitive,
            width: 78,
            automation: false,
        }
    }
}

/// The text that `show` prints for a plan or state, or the error message.
pub(crate) fn shown(
    document: &str,
    schema: Option<&str>,
    display: Display,
) -> Result<String, String> {
    let mut bytes = Vec::new();
    show_to(document, schema, display, &mut bytes)?;
    Ok(String::from_utf8(bytes).expect("the output is UTF-8"))
}

/// The same, written to any writer. Returns the data for the notes.
pub(crate) fn show_to(
    document: &str,
    schema: Option<&str>,
    display: Display,
    sink: &mut dyn std::io::Write,
) -> Result<ShowReport, String> {
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
        show::state(&state, None, &schemas, &display.options(), &mut out, &arena)
    };
    let shown = shown.map_err(|error| error.to_string())?;
    out.flush().map_err(|error| error.to_string())?;
    Ok(shown)
}

fn is_plan(document: &str) -> bool {
    [
        "\"resource_changes\"",
        "\"output_changes\"",
        "\"planned_values\"",
    ]
    .iter()
    .any(|name| document.contains(name))
}

/// Every output of a document with its name, including errors and notes.
pub(crate) fn all(
    document: &str,
    schema: Option<&str>,
    display: Display,
) -> Vec<(&'static str, String)> {
    let mut bytes = Vec::new();
    let notes = show_to(document, schema, display, &mut bytes);
    let mut outputs = vec![
        (
            "show",
            String::from_utf8(bytes).expect("the output is UTF-8"),
        ),
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
    let mut outputs = Vec::new();
    for unchanged in [false, true] {
        match review_texts(document, schema, display, unchanged) {
            Ok(texts) => outputs.extend(texts),
            Err(error) => return vec![("the fault of a review", error)],
        }
    }
    outputs
}

/// Writes all texts of a review of a document, by their names.
fn review_texts(
    document: &str,
    schema: Option<&str>,
    display: Display,
    unchanged: bool,
) -> Result<Vec<(&'static str, String)>, String> {
    let options = review::Options {
        context: Some(1),
        unchanged,
        ..review_options()
    };
    with_review(document, schema, &options, display, |review, bodies| {
        let reviews = std::slice::from_ref(&review);
        let mut text = Vec::new();
        for tree in [false, true] {
            let options = review::Options {
                tree,
                ..options.clone()
            };
            formats::terminal(
                reviews,
                &options,
                display.colour,
                display.ci,
                None,
                &mut text,
            )
            .map_err(|error| error.to_string())?;
        }
        let mut json = Vec::new();
        formats::json(reviews, &[], &[], None, &mut json).map_err(|error| error.to_string())?;
        let markdown = formats::markdown(reviews, &options, Budget::default()).0;
        let report = formats::gitlab_report(reviews);
        let (page, _) = page_of(review, bodies, &options, display)?;
        let decoded = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Ok(vec![
            ("review", decoded(text)),
            ("review as markdown", markdown),
            ("review as json", decoded(json)),
            ("review for gitlab", report),
            ("review as a page", page),
        ])
    })
}

/// The page of a plan's review and its coverage, or the error message.
pub(crate) fn page(
    document: &str,
    schema: Option<&str>,
    options: &review::Options,
    display: Display,
) -> Result<(String, Coverage), String> {
    with_review(document, schema, options, display, |review, bodies| {
        page_of(review, bodies, options, display)
    })
}

/// The page of a review and its coverage.
fn page_of(
    review: PlanReview<'_>,
    bodies: PlanTexts,
    options: &review::Options,
    display: Display,
) -> Result<(String, Coverage), String> {
    let page = PageOptions {
        shows_sensitive: display.show_sensitive,
        ..PageOptions::default()
    };
    let mut bytes = Vec::new();
    let mut coverages = formats::html(&[review], &[bodies], options, &page, &mut bytes)
        .map_err(|error| error.to_string())?;
    Ok((
        String::from_utf8(bytes).expect("the output is UTF-8"),
        coverages.remove(0),
    ))
}

/// The review of a plan as a part of another page.
pub(crate) fn page_part(
    document: &str,
    schema: Option<&str>,
    display: Display,
) -> Result<Fragment, String> {
    let options = review_options();
    with_review(document, schema, &options, display, |review, bodies| {
        Ok(Fragment::new(|html| {
            formats::html_part(html, &review, &bodies, &options);
        }))
    })
}

/// Reviews a document, and passes the review and the tool's texts to `write`.
fn with_review<R>(
    document: &str,
    schema: Option<&str>,
    options: &review::Options,
    display: Display,
    write: impl FnOnce(PlanReview<'_>, PlanTexts) -> Result<R, String>,
) -> Result<R, String> {
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).map_err(|error| error.to_string())?;
    }
    let plan: Plan<'_> = json::from_str(document).map_err(|error| error.to_string())?;
    let read = ReadOptions {
        rules: Some(rules()),
        show_sensitive: display.show_sensitive,
        keep_whole: options.unchanged,
        filter: Some(&options.filter),
        ..ReadOptions::default()
    };
    let inputs = ReviewInputs {
        options: read,
        ..ReviewInputs::new("plan.json", document, &plan, &schemas)
    };
    let review =
        PlanReview::new(inputs, &arena, &mut storage).map_err(|error| error.to_string())?;
    let show = display.options();
    let bodies = show::plan_texts(&plan, &schemas, &show, false, &arena)
        .map_err(|error| error.to_string())?;
    write(review, bodies)
}

/// The JSON of a plan's review, or the error message.
pub(crate) fn review_json(
    document: &str,
    schema: Option<&str>,
    show_sensitive: bool,
) -> Result<String, String> {
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let mut schemas = Schemas::new();
    if let Some(schema) = schema {
        schemas.add(schema).map_err(|error| error.to_string())?;
    }
    let plan: Plan<'_> = json::from_str(document).map_err(|error| error.to_string())?;
    let options = ReadOptions {
        rules: Some(rules()),
        show_sensitive,
        keep_whole: true,
        ..ReadOptions::default()
    };
    let inputs = ReviewInputs {
        options,
        ..ReviewInputs::new("plan.json", document, &plan, &schemas)
    };
    let review =
        PlanReview::new(inputs, &arena, &mut storage).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    formats::json(&[review], &[], &[], None, &mut bytes).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// How a run is displayed, and its other inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streaming<'d> {
    /// How the text looks.
    pub(crate) display: Display,
    /// The number of bytes in a read.
    pub(crate) cut: usize,
    /// The document of `--plan`.
    pub(crate) plan: Option<&'d str>,
    /// Whether the live region is shown, and drawn after each read.
    pub(crate) live: bool,
}

impl Streaming<'_> {
    /// The text, and the notes with the report of tests and the page.
    pub(crate) fn shown(&self, messages: &[u8]) -> Result<(String, String), String> {
        let (mut text, mut notes) = (Vec::new(), Vec::new());
        let ending = self.show_to(messages, &mut text, &mut notes)?;
        let decoded = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        let report = match &ending.report {
            _ if !ending.runs.is_empty() => stream::junit_of_units(&ending.runs),
            report => stream::junit(
                report.as_ref().expect("the report was requested"),
                ending.failed,
            ),
        };
        let mut bytes = Vec::new();
        self.write_page(&ending, None, &mut bytes)?;
        let page = decoded(bytes);
        // Without the script and the style, which every page has.
        let page = page.split_once("</style>").map_or("", |(_, page)| page);
        let page = page.rsplit_once("<script>").map_or(page, |(page, _)| page);
        Ok((decoded(text), decoded(notes) + &report + page))
    }

    /// The page of a run, with the review of its plan.
    pub(crate) fn page(&self, messages: &[u8], schema: Option<&str>) -> Result<String, String> {
        let (mut text, mut notes, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        let ending = self.show_to(messages, &mut text, &mut notes)?;
        let review = self
            .plan
            .map(|plan| page_part(plan, schema, self.display))
            .transpose()?;
        self.write_page(&ending, review.as_ref(), &mut bytes)?;
        Ok(String::from_utf8(bytes).expect("the output is UTF-8"))
    }

    fn write_page(
        &self,
        ending: &Ending,
        review: Option<&Fragment>,
        sink: &mut Vec<u8>,
    ) -> Result<(), String> {
        let page = RunPage {
            timeline: ending.timeline.as_ref(),
            runs: &ending.runs,
            review,
            notes: &[],
            shows_sensitive: self.display.show_sensitive,
        };
        stream::page(&page, sink).map_err(|error| error.to_string())
    }

    /// The same, written to any writers. Returns how the run ended.
    pub(crate) fn show_to(
        &self,
        messages: &[u8],
        text: &mut dyn std::io::Write,
        notes: &mut dyn std::io::Write,
    ) -> Result<Ending, String> {
        let plan = self
            .plan
            .and_then(|plan| json::from_str::<Plan<'_>>(plan).ok());
        let options = stream::Options {
            width: 78,
            show_sensitive: self.display.show_sensitive,
            display: if self.live {
                stream::ProgressDisplay::Live
            } else {
                stream::ProgressDisplay::Log
            },
            slowest: 3,
            report: true,
            timeline: true,
            ..stream::Options::default()
        };
        let mut documents = InMemory(*self);
        let colour = self.display.colour;
        let (out, notes) = (Out::new(text, colour), Out::new(notes, colour));
        let prior = Prior {
            plan: plan.as_ref().map(Expected::new),
            ..Prior::default()
        };
        let mut stream = Stream::with_prior(prior, options, out, notes, &mut documents);
        for (index, piece) in messages.chunks(self.cut.max(1)).enumerate() {
            stream.push(piece).map_err(|error| error.to_string())?;
            if self.live {
                let now = Duration::from_secs(index as u64);
                stream
                    .tick(
                        now,
                        Screen {
                            columns: 60,
                            rows: 12,
                        },
                    )
                    .map_err(|error| error.to_string())?;
            }
        }
        stream
            .finish(End::Closed)
            .map_err(|error| error.to_string())
    }
}

/// The documents that a stream needs, without files.
struct InMemory<'d>(Streaming<'d>);

impl InMemory<'_> {
    fn options(&self, dialect: Dialect) -> Options {
        Options {
            dialect,
            ..self.0.display.options()
        }
    }

    /// Writes the text of a plan.
    fn show_plan(
        &self,
        text: &str,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        let arena = Bump::new();
        let plan: Plan<'_> = json::from_str(text)?;
        show::plan(
            &plan,
            &schemas(plan.provider_schemas)?,
            &self.options(dialect),
            out,
            &arena,
        )?;
        Ok(())
    }
}

fn schemas(from_document: Option<Raw<'_>>) -> Result<Schemas<'_>, DocumentError> {
    let mut schemas = Schemas::new();
    if let Some(from_document) = from_document {
        schemas.add_provider_schemas(from_document)?;
    }
    Ok(schemas)
}

impl Documents for InMemory<'_> {
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> Result<(), DocumentError> {
        let Some(plan) = self.0.plan else {
            return Err("there is none".into());
        };
        self.show_plan(plan, dialect, out)
    }

    fn plan(
        &mut self,
        plan: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        self.show_plan(plan.text(), dialect, out)
    }

    /// Writes the text of a state.
    fn state(
        &mut self,
        state: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        let arena = Bump::new();
        let state: StateDocument<'_> = state.read()?;
        show::state(
            &state,
            None,
            &schemas(state.provider_schemas)?,
            &self.options(dialect),
            out,
            &arena,
        )?;
        Ok(())
    }

    /// Writes the difference that an assertion of a test found.
    fn difference(
        &mut self,
        change: &Change<'_>,
        dialect: Dialect,
        colour: bool,
    ) -> Result<String, DocumentError> {
        let show_sensitive = self.0.display.show_sensitive;
        Ok(show::difference(change, dialect, show_sensitive, colour)?)
    }

    /// Fails for some states, so that errors are covered.
    fn rescue(&mut self, state: &str) -> Result<String, DocumentError> {
        if !state.len().is_multiple_of(2) {
            return Err("no place".into());
        }
        Ok("errored.tfstate".into())
    }
}

/// The text that `stream` prints for messages, and its notes. Each read has `cut` bytes.
pub(crate) fn streamed(
    messages: &[u8],
    cut: usize,
    display: Display,
) -> Result<(String, String), String> {
    Streaming {
        display,
        cut,
        plan: None,
        live: false,
    }
    .shown(messages)
}

/// The text of a CI log without the commands of its folds, and the number of folds. Panics if folds are
/// nested or left open.
pub(crate) fn unfolded(text: &str) -> (String, usize) {
    let (mut rest, mut folds, mut open) = (String::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let mut line = line;
        while let Some(after) = line.strip_prefix("\u{1b}[0Ksection_end:") {
            assert!(std::mem::take(&mut open), "{line:?}");
            line = after
                .split_once("\r\u{1b}[0K")
                .expect("a complete command")
                .1;
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

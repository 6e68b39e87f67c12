//! Hostile texts in real plans and states, on a screen in memory: no cell may hold what a terminal would obey or hide.

use std::collections::HashMap;

use bumpalo::Bump;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::Value;
use tfview::internals::browse::{
    App, Details, Effect, ObjectDetails, ObjectId, Settings, ShownValues, SourceFile,
    state_references, state_report, view,
};
use tfview::internals::dialect::Dialect;
use tfview::internals::diff::parallel::Storage;
use tfview::internals::json;
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::report::{Report, SectionKind};
use tfview::internals::review::build::{ReadOptions, ReviewInputs};
use tfview::internals::review::findings::Rules;
use tfview::internals::review::formats;
use tfview::internals::review::plan::PlanReview;
use tfview::internals::review::references::References;
use tfview::internals::schema::Schemas;
use tfview::internals::show::{ChangeTexts, StateTexts};
use tfview::internals::term::StyledText;

use crate::corpus::{self, Document, documents};
use crate::display::{Display, review_options};
use crate::random::{Random, assert_tried, cases, first_seed};
use crate::terminal::{fault, poisoned};

/// An address, a module and a type.
type Known = (String, String, String);

/// Answers about the objects of a document, with the texts of the program.
struct Answers<'d> {
    objects: HashMap<(SectionKind, usize), Known>,
    text: &'d dyn Fn(ObjectId, ShownValues) -> Result<StyledText, String>,
    outputs: &'d dyn Fn() -> Result<StyledText, String>,
    references: References,
    is_state: bool,
}

impl Details for Answers<'_> {
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>> {
        let (address, module, object_type) = self.objects.get(&(id.list, id.index))?;
        Some(ObjectDetails {
            address,
            module,
            object_type,
            causes: &[],
        })
    }

    fn text(&self, id: ObjectId, values: ShownValues) -> Result<StyledText, String> {
        (self.text)(id, values)
    }

    fn outputs(&self, _: usize) -> Result<StyledText, String> {
        (self.outputs)()
    }

    fn is_searched_in_texts(&self) -> bool {
        self.is_state
    }

    fn source(&self, _: ObjectId) -> Result<SourceFile, String> {
        Err("no source".to_owned())
    }

    fn references(&self, _: usize) -> Result<&References, String> {
        Ok(&self.references)
    }

    fn viewed(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn keep_viewed(&self, _: usize, _: &[String]) -> Result<(), String> {
        Ok(())
    }
}

/// The browser on a screen in memory, each cell of which is checked after each event.
struct Attacked<'r> {
    app: App<'r>,
    screen: Terminal<TestBackend>,
    /// The signs of replaced characters that were on the screen.
    signs: String,
    last: String,
}

impl<'r> Attacked<'r> {
    fn new(report: &'r Report<'r>, details: &'r Answers<'_>, size: (u16, u16)) -> Self {
        Self {
            app: App::new(report, details, Settings::default()),
            screen: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(),
            signs: String::new(),
            last: String::new(),
        }
    }

    fn draw(&mut self) -> Result<(), String> {
        let app = &mut self.app;
        self.screen.draw(|frame| view::draw(app, frame)).unwrap();
        self.last.clear();
        for cell in &self.screen.backend().buffer().content {
            let symbol = cell.symbol();
            self.last.push_str(symbol);
            // Most are.
            if let [b' '..=b'~'] = symbol.as_bytes() {
                continue;
            }
            if let Some(fault) = fault(symbol, false) {
                return Err(format!("the cell {symbol:?}: {fault}"));
            }
            if symbol.contains(['\n', '\t', '\r']) {
                return Err(format!("the cell {symbol:?}"));
            }
        }
        self.signs.extend(signs(&self.last));
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        if let Effect::Copy(text) = self.app.update(event)
            && let Some(fault) = fault(&text, false)
        {
            return Err(format!("{text:?} is copied: {fault}"));
        }
        self.draw()
    }

    fn code(&mut self, code: KeyCode) -> Result<(), String> {
        self.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn keys(&mut self, keys: &str) -> Result<(), String> {
        keys.chars().try_for_each(|key| {
            self.code(match key {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\u{1b}' => KeyCode::Esc,
                key => KeyCode::Char(key),
            })
        })
    }

    /// Goes through all pages of the list.
    fn pages(&mut self) -> Result<(), String> {
        self.code(KeyCode::Home)?;
        for _ in 0..200 {
            let before = std::mem::take(&mut self.last);
            self.code(KeyCode::PageDown)?;
            if self.last == before {
                break;
            }
        }
        Ok(())
    }

    /// Goes through all that the browser can show, and types and pastes a hostile text wherever it takes one.
    fn walk(&mut self, typed: &str) -> Result<(), String> {
        while self.app.prepare() {}
        self.draw()?;
        self.pages()?;
        self.keys("*")?;
        self.pages()?;
        self.code(KeyCode::Home)?;
        for _ in 0..5 {
            self.keys("tyvyfmdo\u{1b}")?;
            self.code(KeyCode::Down)?;
            self.keys("jy")?;
        }
        for opened in ["/", "c", "\t", "?"] {
            self.keys(opened)?;
            self.event(&Event::Paste(typed.to_owned()))?;
            for key in typed.chars().filter(|key| !key.is_ascii_control()) {
                self.code(KeyCode::Char(key))?;
            }
            self.keys("\u{1b}\u{1b}")?;
        }
        self.keys("/a\nnN")?;
        self.keys("c\n\u{1b}C")
    }
}

/// The signs that mean control characters.
fn signs(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| matches!(c, '␀'..='␡'))
}

const SIZES: [(u16, u16); 4] = [(40, 10), (80, 24), (120, 40), (300, 100)];

/// Browses a document. `Ok(false)` if it cannot be read.
fn attack(document: &Document, text: &str, random: &mut Random) -> Result<bool, String> {
    let arena = Bump::new();
    let mut schemas = Schemas::new();
    if let Some(schema) = &document.schema {
        schemas.add(schema).unwrap();
    }
    let size = *random.pick(&SIZES);
    let typed = corpus::hostile(random, "a");
    let display = Display::plain(Dialect::TERRAFORM);
    let said = |error: tfview::internals::show::Error| error.to_string();
    let is_state = serde_json::from_str::<Value>(text).is_ok_and(|it| it.get("values").is_some());
    if is_state {
        let Ok(state) = json::from_str::<StateDocument<'_>>(text) else {
            return Ok(false);
        };
        let Ok(texts) = StateTexts::new(&state, &schemas, &display.options(), &arena) else {
            return Ok(false);
        };
        let resources: Vec<_> = texts.resources().collect();
        let objects = resources.iter().enumerate();
        let objects = objects.map(|(at, resource)| {
            let known = (
                resource.address.to_string(),
                String::new(),
                resource.resource_type.to_string(),
            );
            ((SectionKind::Resources, at), known)
        });
        let details = Answers {
            objects: objects.collect(),
            text: &|id, _| texts.resource(id.index).map_err(said),
            outputs: &|| texts.outputs().map_err(said),
            references: state_references(&resources),
            is_state,
        };
        let report = state_report("state.json\u{1b}[2J", &state, &resources);
        Attacked::new(&report, &details, size).walk(&typed)?;
        return Ok(true);
    }
    let Ok(plan) = json::from_str::<Plan<'_>>(text) else {
        return Ok(false);
    };
    let rules = Rules::built_in();
    let inputs = ReviewInputs {
        options: ReadOptions {
            rules: Some(&rules),
            ..ReadOptions::default()
        },
        ..ReviewInputs::new("p", text, &plan, &schemas)
    };
    let mut storage = Storage::default();
    let review = PlanReview::new(inputs, &arena, &mut storage);
    let Ok(review) = review else {
        return Ok(false);
    };
    let Ok(changed) = ChangeTexts::new(&plan, &schemas, &display.options(), &arena) else {
        return Ok(false);
    };
    let lists = [
        (SectionKind::Resources, &review.changes.resources),
        (SectionKind::Drift, &review.changes.drift),
        (SectionKind::Deferred, &review.changes.deferred),
    ];
    let objects = lists.into_iter().flat_map(|(list, entries)| {
        entries.iter().enumerate().map(move |(at, entry)| {
            let known = (
                entry.address.to_owned(),
                entry.module_address.to_owned(),
                entry.resource_type.to_owned(),
            );
            ((list, at), known)
        })
    });
    let details = Answers {
        objects: objects.collect(),
        text: &|id, values| {
            let shows_unchanged = values == ShownValues::All;
            let text = match id.list {
                SectionKind::Resources => changed.resource(id.index, shows_unchanged),
                SectionKind::Drift => changed.drift(id.index, shows_unchanged),
                SectionKind::Deferred => changed.deferred(id.index, shows_unchanged),
                SectionKind::Invocations
                | SectionKind::DeferredInvocations
                | SectionKind::Outputs => changed.outputs(),
            };
            let text = text.map_err(said)?;
            Ok(review.masked(id.list, id.index, &text))
        },
        outputs: &|| changed.outputs().map_err(said),
        references: References::of_plan(&plan),
        is_state,
    };
    let reviews = std::slice::from_ref(&review);
    let options = tfview::internals::review::Options {
        all_drift: true,
        wraps: true,
        ..review_options()
    };
    let report = formats::document(reviews, &options);
    let mut attacked = Attacked::new(&report, &details, size);
    attacked.walk(&typed)?;
    // A character that `ratatui` leaves out would be missing here: texts must be made visible before it sees them.
    let mut printed = Vec::new();
    formats::terminal(reviews, &options, false, None, None, &mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    match signs(&printed).find(|sign| !attacked.signs.contains(*sign)) {
        Some(sign) => Err(format!("{sign} is in the review, and not on the screen")),
        None => Ok(true),
    }
}

/// Breaking `visible` (`src/term/visible.rs`), or a call of it in `src/browse`, fails it.
#[test]
fn no_cell_holds_what_a_terminal_obeys_or_hides() {
    let documents: Vec<Document> = documents(20_000)
        .into_iter()
        .filter(|document| !document.is_stream)
        .collect();
    let mut browsed = 0;
    for seed in first_seed()..first_seed() + cases(2) {
        let mut random = Random::new(seed ^ 0xb20e);
        let document = random.pick(&documents).clone();
        let text = poisoned(&mut random, &document);
        match attack(&document, &text, &mut random) {
            Ok(is_read) => browsed += u64::from(is_read),
            Err(fault) => panic!("TFVIEW_SEED={seed} TFVIEW_CASES=1: {fault}"),
        }
    }
    assert_tried(browsed > 5, &format!("only {browsed} read"));
}

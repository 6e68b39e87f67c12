//! The screen of the browser as coloured lines, drawn in memory.

use std::io;

use bumpalo::Bump;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use tfview::browse::{App, Details, Object, ObjectId, Settings, SourceFile, Values, view};
use tfview::diff::parallel::Storage;
use tfview::model::plan::Plan;
use tfview::report::SectionKind;
use tfview::review::entry::PlanReview;
use tfview::review::findings::Rules;
use tfview::review::plan::ReadOptions;
use tfview::review::references::References;
use tfview::review::{Options, formats};
use tfview::schema::Schemas;
use tfview::term::StyledText;

/// Browses a plan, presses keys, and returns the lines of the screen with their colours as escape sequences.
pub(crate) fn lines(plan: &str, keys: &str, size: (u16, u16)) -> io::Result<Vec<String>> {
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let parsed = Plan::parse_with_configuration(plan).map_err(io::Error::other)?;
    let rules = Rules::built_in();
    let read = ReadOptions {
        rules: Some(&rules),
        ..ReadOptions::default()
    };
    let schemas = Schemas::new();
    let name = "plan.json";
    let review = PlanReview::new(name, plan, &parsed, &schemas, read, &arena, &mut storage);
    let reviews = [review.map_err(io::Error::other)?];
    let options = Options {
        width: 100,
        wraps: true,
        ..Options::default()
    };
    let report = formats::document(&reviews, &options);
    let [review] = &reviews;
    let details = Addresses(review);
    let settings = Settings {
        colour: true,
        ..Settings::default()
    };
    let mut app = App::new(&report, &details, settings);
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).map_err(io::Error::other)?;
    let mut draw = |app: &mut App<'_>| {
        let drawn = terminal.draw(|frame| view::draw(app, frame));
        drawn.map(drop).map_err(io::Error::other)
    };
    draw(&mut app)?;
    for key in keys.chars() {
        app.update(&Event::Key(KeyEvent::new(
            KeyCode::Char(key),
            KeyModifiers::NONE,
        )));
        draw(&mut app)?;
    }
    let buffer = terminal.backend().buffer();
    let rows = buffer.content.chunks(usize::from(size.0));
    Ok(rows.map(line).collect())
}

/// A line with the codes of its cells.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the browser uses no other colours"
)]
fn line(cells: &[Cell]) -> String {
    let mut text = String::new();
    let mut last = String::new();
    for cell in cells {
        let mut codes = vec!["0"];
        if cell.modifier.contains(Modifier::BOLD) {
            codes.push("1");
        }
        if cell.modifier.contains(Modifier::REVERSED) {
            codes.push("7");
        }
        codes.push(match cell.fg {
            Color::Red => "31",
            Color::Green => "32",
            Color::Yellow => "33",
            Color::Cyan => "36",
            Color::DarkGray => "90",
            _ => "39",
        });
        let codes = codes.join(";");
        if codes != last {
            text.push_str(&format!("\x1b[{codes}m"));
            last = codes;
        }
        text.push_str(cell.symbol());
    }
    text
}

/// Knows the addresses of a review. The picture shows nothing that is read later.
struct Addresses<'r>(&'r PlanReview<'r>);

const NOT_READ: &str = "not in the picture";

impl Details for Addresses<'_> {
    fn object(&self, id: ObjectId) -> Option<Object<'_>> {
        let is_resource = id.list == SectionKind::Resources;
        let entry = self.0.resources.get(id.index).filter(|_| is_resource);
        entry.map(|entry| Object {
            address: entry.address,
            module: entry.module_address,
            object_type: entry.resource_type,
            causes: &entry.causes,
        })
    }

    fn text(&self, _: ObjectId, _: Values) -> Result<StyledText, String> {
        Err(NOT_READ.to_owned())
    }

    fn outputs(&self, _: usize) -> Result<StyledText, String> {
        Err(NOT_READ.to_owned())
    }

    fn source(&self, _: ObjectId) -> Result<SourceFile, String> {
        Err(NOT_READ.to_owned())
    }

    fn references(&self, _: usize) -> Result<&References, String> {
        Err(NOT_READ.to_owned())
    }

    fn viewed(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn keep_viewed(&self, _: usize, _: &[String]) -> Result<(), String> {
        Err(NOT_READ.to_owned())
    }
}

//! The browser with a document made by hand, on a screen in memory.

use std::cell::RefCell;
use std::collections::HashSet;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

use super::keys::help;
use super::{
    App, Details, Effect, ObjectDetails, ObjectId, Settings, ShownValues, SourceFile, view,
};
use crate::report::{
    EntryPlaces, EntrySign, Level, Line, Part, Report, ReportEntry, Section, SectionKind, Sign,
    Title, Tone, Units,
};
use crate::review::references::References;
use crate::term::{Out, StyledText};

/// Details that are answered from lists.
#[derive(Default)]
struct Fake {
    addresses: Vec<String>,
    references: References,
    kept: RefCell<Vec<String>>,
}

impl Details for Fake {
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>> {
        let address = self.addresses.get(id.index)?;
        let module = address.strip_prefix("module.").map_or("", |rest| {
            &address[.."module.".len() + rest.find('.').unwrap_or(0)]
        });
        let local_address = address[module.len()..].trim_start_matches('.');
        Some(ObjectDetails {
            address,
            module,
            object_type: local_address.split('.').next().unwrap_or_default(),
            causes: &[],
        })
    }

    fn text(&self, id: ObjectId, values: ShownValues) -> Result<StyledText, String> {
        let text = format!(
            "tool's text of {} with {values:?}\n",
            self.addresses[id.index]
        );
        let write = |out: &mut Out<'_>| out.lit(&text);
        StyledText::new::<std::io::Error>(write).map_err(|error| error.to_string())
    }

    fn outputs(&self, _: usize) -> Result<StyledText, String> {
        Err("there are none".to_owned())
    }

    fn source(&self, _: ObjectId) -> Result<SourceFile, String> {
        Ok(SourceFile {
            path: "main.tf".into(),
            line: 7,
        })
    }

    fn references(&self, _: usize) -> Result<&References, String> {
        Ok(&self.references)
    }

    fn viewed(&self, _: usize) -> Vec<String> {
        self.kept.borrow().clone()
    }

    fn keep_viewed(&self, _: usize, entries: &[String]) -> Result<(), String> {
        *self.kept.borrow_mut() = entries.to_vec();
        Ok(())
    }
}

fn entry(address: &str, index: usize, level: Level) -> ReportEntry<'static> {
    ReportEntry {
        number: index,
        address: address.to_owned(),
        sign: EntrySign {
            symbol: "~",
            tone: Tone::Changed,
        },
        kind: if level == Level::Critical {
            "destroy"
        } else {
            "update"
        },
        level,
        finding_kinds: if level == Level::None {
            Vec::new()
        } else {
            vec!["exposure"]
        },
        preview: "policy, tags".to_owned(),
        lines: vec![
            Line::new(0, Sign::Change, format!("policy of {address}"), Tone::Plain),
            Line::of(
                0,
                Sign::Change,
                vec![
                    crate::report::Span::new("size 1 -> ", Tone::Plain),
                    crate::report::Span::new("2", Tone::Added),
                ],
            ),
        ],
        places: EntryPlaces {
            list: SectionKind::Resources,
            indices: vec![index],
        },
        ..ReportEntry::default()
    }
}

/// Returns a document with changes in two modules, every tenth of which has a critical finding.
fn document(number: usize) -> (Report<'static>, Fake) {
    let address = |number: usize| match number % 2 {
        0 => format!("aws_instance.n{number}"),
        _ => format!("module.net.aws_subnet.n{number}"),
    };
    let addresses: Vec<String> = (0..number).map(address).collect();
    let level = |number: usize| match number % 10 {
        3 => Level::Critical,
        _ => Level::None,
    };
    let entries = addresses.iter().enumerate();
    let entries = entries.map(|(index, address)| entry(address, index, level(index)));
    let section = Section {
        kind: SectionKind::Resources,
        title: Title::Changes,
        counts: String::new(),
        entries: entries.collect(),
    };
    let mut part = Part {
        sections: vec![section],
        sentence: Some("Several things change.".to_owned()),
        ..Part::default()
    };
    part.headline.names_level = true;
    part.headline.level = Level::Critical;
    part.headline.changes = format!("{number} to change");
    let report = Report {
        title: "Review of plan.json".to_owned(),
        parts: vec![part],
        worst_first: vec![0],
        ..Report::default()
    };
    let fake = Fake {
        addresses,
        ..Fake::default()
    };
    (report, fake)
}

/// A browser on a screen in memory.
struct Screen<'r> {
    app: App<'r>,
    terminal: Terminal<TestBackend>,
}

impl<'r> Screen<'r> {
    fn new(
        report: &'r Report<'r>,
        details: &'r Fake,
        settings: Settings,
        size: (u16, u16),
    ) -> Self {
        let mut screen = Self {
            app: App::new(report, details, settings),
            terminal: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(),
        };
        screen.draw();
        screen
    }

    fn draw(&mut self) {
        let app = &mut self.app;
        self.terminal.draw(|frame| view::draw(app, frame)).unwrap();
    }

    fn event(&mut self, event: &Event) -> Effect {
        let effect = self.app.update(event);
        self.draw();
        effect
    }

    fn code(&mut self, code: KeyCode) -> Effect {
        self.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn keys(&mut self, keys: &str) -> Effect {
        let mut effect = Effect::Nothing;
        for c in keys.chars() {
            effect = self.code(match c {
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            });
        }
        effect
    }

    fn shows_cursor(&self) -> bool {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let body = width..buffer.content.len() - width;
        buffer.content[body]
            .iter()
            .any(|cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED))
    }

    /// Goes to the first line that contains `text`.
    fn go_to(&mut self, text: &str) {
        self.code(KeyCode::Home);
        for _ in 0..500 {
            if self.selected().contains(text) {
                return;
            }
            self.code(KeyCode::Down);
        }
        panic!("no line has {text:?}:\n{}", self.text());
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.terminal.backend_mut().resize(size.0, size.1);
        self.event(&Event::Resize(size.0, size.1));
    }

    fn lines(&self) -> Vec<String> {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let cells: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
        cells.chunks(width).map(|line| line.concat()).collect()
    }

    fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// Returns the lines that are not empty, without the bar at the top.
    fn shown(&self) -> String {
        let lines = self.lines();
        let lines = lines
            .iter()
            .map(|line| line.trim_end_matches(['█', '║']).trim_end());
        lines
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns the line that is drawn as selected.
    fn selected(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let rows = buffer.content.chunks(width).enumerate();
        let is_reversed = |cell: &ratatui::buffer::Cell| {
            cell.modifier.contains(ratatui::style::Modifier::REVERSED)
        };
        let last = usize::from(buffer.area.height) - 1;
        let mut chosen = rows
            .filter(|(row_index, row)| *row_index > 0 && *row_index < last && is_reversed(&row[2]));
        let chosen = chosen
            .next()
            .map(|(_, row)| row[..width - 1].iter().map(|cell| cell.symbol()).collect());
        chosen.unwrap_or_default()
    }
}

#[test]
fn the_first_screen_has_the_verdict_and_findings_open() {
    let (report, fake) = document(12);
    let screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn every_entry_is_reached_by_keys_at_every_size() {
    let (report, fake) = document(40);
    for size in [(40, 10), (80, 24), (120, 40), (300, 100)] {
        for keys in ["j", " "] {
            let mut screen = Screen::new(&report, &fake, Settings::default(), size);
            let mut shown = screen.text();
            for _ in 0..200 {
                screen.keys(keys);
                shown.push_str(&screen.text());
            }
            for address in &fake.addresses {
                let start: String = address.chars().take(24).collect();
                assert!(
                    shown.contains(&start),
                    "{address} with {keys:?} at {size:?}"
                );
            }
        }
    }
}

#[test]
fn moving_keeps_the_cursor_on_the_screen() {
    let (report, fake) = document(60);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (60, 12));
    for (step, keys) in [
        "G",
        "g",
        " ",
        "b",
        "jjjjjjjjjjjjjjj",
        "kkkkkkk",
        "*",
        "G",
        "*",
        "f",
        "F",
    ]
    .into_iter()
    .cycle()
    .take(66)
    .enumerate()
    {
        screen.keys(keys);
        assert!(screen.shows_cursor(), "after {keys:?}");
        let sizes = [(60, 12), (40, 10), (300, 100), (25, 5), (1, 1), (90, 30)];
        screen.resize(sizes[step % sizes.len()]);
        screen.resize((60, 12));
    }
    screen.code(KeyCode::End);
    assert!(screen.text().contains("n59"), "{}", screen.text());
}

/// On a small screen, the last keys of the help could not be read.
#[test]
fn every_key_is_in_the_help_at_every_size() {
    for (size, asks) in [((40, 10), false), ((40, 10), true), ((120, 40), false)] {
        let (report, fake) = document(3);
        let settings = Settings {
            asks,
            ..Settings::default()
        };
        let mut screen = Screen::new(&report, &fake, settings, size);
        screen.keys("?");
        let mut shown = screen.text();
        let all = help(asks);
        if size.1 < 40 {
            for _ in 0..all.len() {
                screen.keys("j");
                shown.push_str(&screen.text());
            }
        }
        for line in all {
            assert!(
                shown.contains(line.keys),
                "{} at {size:?}: {shown}",
                line.keys
            );
        }
        // Another key closes it, and does nothing else.
        assert_eq!(screen.keys("q"), Effect::Nothing);
        assert!(
            screen.text().contains("Review of plan.json"),
            "{}",
            screen.text()
        );
    }
}

#[test]
fn enter_opens_and_closes_and_star_does_all() {
    let (report, fake) = document(6);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 40));
    screen.go_to("aws_instance.n0");
    assert!(!screen.text().contains("policy of aws_instance.n0"));
    screen.keys("\n");
    assert!(screen.text().contains("policy of aws_instance.n0"));
    screen.code(KeyCode::Left);
    assert!(!screen.text().contains("policy of aws_instance.n0"));
    screen.keys("*");
    insta::assert_snapshot!(screen.shown());
    screen.keys("*");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn f_goes_from_finding_to_finding() {
    let (report, fake) = document(30);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    let mut selections = Vec::new();
    for key in ["f", "f", "f", "f", "F"] {
        screen.keys(key);
        selections.push(screen.selected().trim_end().to_owned());
    }
    insta::assert_snapshot!(selections.join("\n"), @r"
    ▾    ~ module.net.aws_subnet.n3
    ▾    ~ module.net.aws_subnet.n13
    ▾    ~ module.net.aws_subnet.n23
    ▾    ~ module.net.aws_subnet.n3
    ▾    ~ module.net.aws_subnet.n23
    ");
}

#[test]
fn search_finds_while_it_is_typed() {
    let (report, fake) = document(40);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.keys("/N17");
    assert!(screen.selected().contains("n17 "), "{}", screen.selected());
    screen.keys("\n");
    insta::assert_snapshot!(screen.shown());
    // Letters at the starts of words.
    screen.keys("/netsub\n");
    assert!(screen.selected().contains("module.net.aws_subnet"));
    screen.keys("/size 1\n");
    assert!(
        screen.selected().contains("size 1 -> 2"),
        "{}",
        screen.selected()
    );
    let first = screen.selected();
    screen.keys("nN");
    assert_eq!(screen.selected(), first);
    screen.keys("/nowhere\n");
    screen.keys("n");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn escape_ends_a_search_where_it_began() {
    let (report, fake) = document(40);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.keys("jj");
    let before = screen.selected();
    screen.keys("/n39\u{1b}");
    assert_eq!(screen.selected(), before);
}

#[test]
fn filters_are_chips_that_can_be_taken_back() {
    let (report, fake) = document(40);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.keys("ccritical\n\u{1b}");
    insta::assert_snapshot!(screen.shown());
    screen.keys("cmodule:root\n\u{1b}");
    assert!(!screen.text().contains("n3 "));
    screen.keys("C");
    assert!(screen.text().contains("n3 "));
    // A click removes the filter that is clicked.
    let column = screen.lines()[0].chars().position(|c| c == '[').unwrap();
    screen.event(&Event::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: u16::try_from(column).unwrap() + 1,
        row: 0,
        modifiers: KeyModifiers::NONE,
    }));
    screen.code(KeyCode::Home);
    assert!(screen.text().contains("n4 "));
}

/// Returns a document of two units with the same changes.
fn units_of(report: Report<'static>) -> Report<'static> {
    let part = |name: &str| {
        let mut part = report.parts[0].clone();
        part.name = Some(name.to_owned());
        part.row.name = name.to_owned();
        part
    };
    Report {
        total: Some(report.parts[0].headline.clone()),
        units: Some(Units {
            number: 2,
            ..Units::default()
        }),
        parts: vec![part("prod/vpc"), part("dev/vpc")],
        worst_first: vec![1, 0],
        ..report
    }
}

#[test]
fn units_are_filtered_where_there_are_several() {
    let (report, fake) = document(6);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 40));
    screen.keys("cunit:");
    assert!(!screen.text().contains("unit:p"), "{}", screen.text());

    let report = units_of(document(6).0);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 40));
    screen.keys("cunit:");
    // In the order of the list, the gravest first, each with the number of its changes.
    insta::assert_snapshot!(screen.shown());
    screen.keys("prod\n\u{1b}");
    insta::assert_snapshot!(screen.shown());
    // Within the unit, nothing is missing, and the filter is not offered.
    screen.keys("G\n*");
    for address in &fake.addresses {
        assert!(screen.text().contains(&format!("policy of {address}")));
    }
    screen.keys("cunit:");
    assert!(!screen.text().contains("[ ] unit:"), "{}", screen.text());
    screen.keys("\u{1b}");
    screen.code(KeyCode::Home);
    screen.code(KeyCode::Left);
    assert!(!screen.text().contains("dev/vpc"), "{}", screen.text());
    screen.keys("C");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn a_unit_that_a_filter_leaves_out_is_entered_without_it() {
    let (_, fake) = document(6);
    let report = units_of(document(6).0);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 40));
    screen.keys("cunit:prod\n\u{1b}");
    // The tree has all units.
    screen.keys("\tj\n");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn what_keys_need_is_prepared_in_small_parts() {
    let (report, fake) = document(1_000);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    let mut parts = 0;
    while screen.app.prepare() {
        parts += 1;
    }
    assert!((10..100).contains(&parts), "{parts}");
    screen.keys("/n999\n");
    assert!(screen.selected().contains("n999 "), "{}", screen.selected());
}

#[test]
fn the_tree_shows_a_module() {
    let (report, fake) = document(20);
    for width in [80, 130] {
        let mut screen = Screen::new(&report, &fake, Settings::default(), (width, 24));
        assert_eq!(screen.text().contains("all modules"), width >= 120);
        screen.keys("\tG\n");
        insta::assert_snapshot!(screen.shown());
    }
}

#[test]
fn references_are_walked_in_both_directions() {
    let (report, mut fake) = document(4);
    let edge = |from: &str, to: &str| (from.to_owned(), "id".to_owned(), to.to_owned());
    fake.references = References::new([
        edge("aws_instance.n0", "aws_instance.n2"),
        edge("aws_instance.n2", "aws_vpc.main"),
    ]);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.go_to("aws_instance.n0");
    screen.keys("d");
    insta::assert_snapshot!(screen.shown());
    screen.keys("\n");
    insta::assert_snapshot!(screen.shown());
    screen.keys("o");
    assert!(screen.selected().contains("aws_instance.n0"));
}

#[test]
fn the_text_of_the_tool_and_all_values_are_a_key_away() {
    let (report, fake) = document(3);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.go_to("aws_instance.n0");
    screen.keys("t");
    insta::assert_snapshot!(screen.shown());
    screen.keys("v");
    insta::assert_snapshot!(screen.shown());
    screen.keys("v");
    assert!(!screen.text().contains("tool's text of"));
}

#[test]
fn the_address_and_values_are_copied_but_no_value_that_may_be_sensitive() {
    let (report, fake) = document(3);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    screen.go_to("aws_instance.n0");
    assert_eq!(screen.keys("y"), Effect::Copy("aws_instance.n0".to_owned()));
    screen.keys("\njj");
    assert_eq!(screen.keys("y"), Effect::Copy("2".to_owned()));
    let settings = Settings {
        shows_sensitive: true,
        ..Settings::default()
    };
    let mut screen = Screen::new(&report, &fake, settings, (80, 24));
    screen.go_to("aws_instance.n0");
    assert_eq!(screen.keys("y"), Effect::Copy("aws_instance.n0".to_owned()));
    screen.keys("\njj");
    assert_eq!(screen.keys("y"), Effect::Nothing);
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn marks_are_kept() {
    let (report, fake) = document(5);
    {
        let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
        screen.keys("fm");
        insta::assert_snapshot!(screen.shown());
    }
    assert_eq!(*fake.kept.borrow(), ["destroy module.net.aws_subnet.n3"]);
    let screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn only_y_approves_and_only_where_a_plan_waits() {
    let (report, fake) = document(5);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    assert_ne!(screen.keys("y"), Effect::Approve);
    let asks = Settings {
        asks: true,
        ..Settings::default()
    };
    let mut screen = Screen::new(&report, &fake, asks, (80, 24));
    insta::assert_snapshot!(screen.shown());
    assert_eq!(screen.event(&Event::Paste("y".to_owned())), Effect::Nothing);
    assert_eq!(
        screen.event(&Event::Paste("y\n".to_owned())),
        Effect::Nothing
    );
    for c in ' '..='~' {
        let mut screen = Screen::new(&report, &fake, asks, (80, 24));
        let effect = screen.keys(&c.to_string());
        assert_eq!(effect == Effect::Approve, c == 'y', "{c:?}");
    }
    // Elsewhere it is a letter.
    for keys in ["/y", "cy", "?y"] {
        let mut screen = Screen::new(&report, &fake, asks, (80, 24));
        assert_ne!(screen.keys(keys), Effect::Approve, "{keys:?}");
    }
    // The question has no room.
    for size in [(1, 1), (20, 24), (80, 1), (39, 10)] {
        let mut screen = Screen::new(&report, &fake, asks, size);
        assert_ne!(screen.keys("y"), Effect::Approve, "{size:?}");
    }
    // Nothing was drawn yet.
    let mut app = App::new(&report, &fake, asks);
    let key = Event::Key(KeyEvent::new(KeyCode::Char('y'), KeyModifiers::NONE));
    assert_eq!(app.update(&key), Effect::Nothing);
}

#[test]
fn texts_cannot_drive_the_terminal() {
    let hostile = "a\u{1b}[2Jb\u{202e}c\u{7}d\u{9b}e\tf\r";
    let (mut report, mut fake) = document(3);
    fake.addresses[0] = hostile.to_owned();
    report.title = hostile.to_owned();
    let first = &mut report.parts[0].sections[0].entries[0];
    first.address = hostile.to_owned();
    first.preview = hostile.to_owned();
    first.lines = vec![Line::new(0, Sign::Change, hostile, Tone::Plain)];
    first.reasons = vec![hostile.to_owned()];
    first.others = vec![hostile.to_owned()];
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    let mut shown = String::new();
    for keys in [
        "*", "t", "v", "/a\u{1b}", "c", "\u{1b}", "\t", "\u{1b}", "d", "y", "m", "?",
    ] {
        screen.keys(keys);
        shown.push_str(&screen.text());
    }
    let dangerous = shown.chars().find(|c| crate::term::is_dangerous(*c));
    assert_eq!(dangerous, None);
    assert!(
        shown.contains("␛[2J") && shown.contains("<U+202E>"),
        "{shown}"
    );
}

#[test]
fn without_colour_no_cell_has_one() {
    let (report, fake) = document(5);
    for colour in [false, true] {
        let settings = Settings {
            colour,
            ..Settings::default()
        };
        let screen = Screen::new(&report, &fake, settings, (80, 24));
        let buffer = screen.terminal.backend().buffer();
        let colours: HashSet<Color> = buffer.content.iter().map(|cell| cell.fg).collect();
        assert_eq!(colours.len() > 1, colour, "{colours:?}");
        // The background of the terminal is kept, and 16 colours suffice.
        assert!(buffer.content.iter().all(|cell| cell.bg == Color::Reset));
        assert!(
            !colours
                .iter()
                .any(|colour| matches!(colour, Color::Rgb(..) | Color::Indexed(_)))
        );
    }
}

#[test]
fn the_wheel_scrolls_and_a_click_opens() {
    let (report, fake) = document(60);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 12));
    let mouse = |kind, row| {
        Event::Mouse(MouseEvent {
            kind,
            column: 10,
            row,
            modifiers: KeyModifiers::NONE,
        })
    };
    let before = screen.text();
    screen.event(&mouse(MouseEventKind::ScrollDown, 5));
    assert_ne!(screen.text(), before);
    screen.event(&mouse(MouseEventKind::ScrollUp, 5));
    let row = screen
        .lines()
        .iter()
        .position(|line| line.contains("aws_instance.n0"));
    let row = u16::try_from(row.unwrap()).unwrap();
    screen.event(&mouse(MouseEventKind::Down(MouseButton::Left), row));
    assert!(screen.text().contains("policy of aws_instance.n0"));
}

#[test]
fn a_group_has_its_objects_below_it() {
    let (mut report, fake) = document(12);
    let group = &mut report.parts[0].sections[0].entries[0];
    group.places.indices = (0..12).collect();
    group.times = Some(12);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 40));
    screen.go_to("aws_instance.n0");
    screen.keys("\n");
    insta::assert_snapshot!(screen.shown());
    screen.go_to("= module.net.aws_subnet.n1 ");
    screen.keys("\n");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn units_are_entered_and_left() {
    let (_, fake) = document(6);
    let report = units_of(document(6).0);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    insta::assert_snapshot!(screen.shown());
    screen.keys("G\n");
    insta::assert_snapshot!(screen.shown());
    screen.code(KeyCode::Left);
    screen.keys("\u{1b}");
    insta::assert_snapshot!(screen.selected().trim_end(), @"▸ CRITICAL  prod/vpc  6 to change.");
    insta::assert_snapshot!(screen.shown());
}

#[test]
fn a_hundred_thousand_changes_lay_out_only_what_is_seen() {
    let (report, fake) = document(100_000);
    let mut screen = Screen::new(&report, &fake, Settings::default(), (80, 24));
    for keys in ["G", "g", "f", "*", "G", " ", "/n99999\n"] {
        screen.keys(keys);
        assert!(screen.app.laid_out.borrow().len() < 500, "after {keys:?}");
    }
    assert!(screen.text().contains("n99999"));
}

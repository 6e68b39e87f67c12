//! The live region is drawn and erased without traces, checked with a small terminal emulator. Times are
//! printed before every line.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::time::Duration;

use tfview::internals::stream::{End, Options, ProgressDisplay, Screen, Stream, Timestamps};
use tfview::internals::term::Out;

use super::harness::{NoDocuments, hook, plain, planned, show_cut, summary};

/// A terminal emulator that supports only line ends, moves of the cursor, erasing, and lines that are cut.
struct Terminal {
    /// The rows, each with whether the line continues in the next one.
    rows: Vec<(Vec<char>, bool)>,
    row: usize,
    column: usize,
    columns: usize,
    wraps: bool,
}

impl Terminal {
    fn new(columns: usize) -> Self {
        Self {
            rows: vec![Default::default()],
            row: 0,
            column: 0,
            columns,
            wraps: true,
        }
    }

    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("\x1b[") {
                let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                match (&after[..end], &after[end..=end]) {
                    ("1", "A") => {
                        self.row = self.row.checked_sub(1).expect("the cursor left the screen");
                    }
                    ("1", "C") => self.column += 1,
                    ("", erased @ ("J" | "K")) => {
                        self.rows[self.row].0.truncate(self.column);
                        self.rows[self.row].1 = false;
                        if erased == "J" {
                            assert_ne!(self.column, 0, "tmux would keep the screen in its history");
                            self.rows.truncate(self.row + 1);
                        }
                    }
                    ("?7", mode @ ("h" | "l")) => self.wraps = mode == "h",
                    ("?2026", "h" | "l") => {}
                    (codes, "m") => assert!(codes.chars().all(|c| c.is_ascii_digit() || c == ';')),
                    other => assert_eq!(other, ("", "m"), "not a plain sequence"),
                }
                rest = &after[end + 1..];
                continue;
            }
            match c {
                '\n' => self.next_row(false),
                '\r' => self.column = 0,
                c => self.put(c),
            }
            rest = &rest[c.len_utf8()..];
        }
    }

    fn put(&mut self, c: char) {
        if self.column == self.columns && self.wraps {
            self.next_row(true);
        }
        let column = self.column.min(self.columns - 1);
        let cells = &mut self.rows[self.row].0;
        cells.resize(cells.len().max(column + 1), ' ');
        cells[column] = c;
        self.column = column + 1;
    }

    fn next_row(&mut self, wraps: bool) {
        self.rows[self.row].1 = wraps;
        self.row += 1;
        self.column = 0;
        if self.row == self.rows.len() {
            self.rows.push(Default::default());
        }
    }

    /// Sets another width. Many terminals wrap their lines again (`reflows`), and keep the cursor at its
    /// character; the others cut them.
    fn resize(&mut self, columns: usize, reflows: bool) {
        self.columns = columns;
        if !reflows {
            self.rows
                .iter_mut()
                .for_each(|(cells, _)| cells.truncate(columns));
            self.column = self.column.min(columns - 1);
            return;
        }
        let (row, column) = (self.row, self.column);
        let (mut line, mut cursor) = (Vec::new(), None);
        for (number, (cells, continues)) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            if number == row {
                cursor = Some(line.len() + column);
            }
            line.extend(cells);
            if continues {
                continue;
            }
            if let Some(cursor) = cursor.take() {
                (self.row, self.column) = (self.rows.len() + cursor / columns, cursor % columns);
            }
            let count = line.len().div_ceil(columns).max(1);
            let chunks = (0..count)
                .map(|index| &line[index * columns..line.len().min((index + 1) * columns)]);
            self.rows.extend(
                chunks
                    .enumerate()
                    .map(|(index, cells)| (cells.to_vec(), index + 1 < count)),
            );
            line.clear();
        }
    }

    fn screen(&self) -> String {
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|(cells, _)| cells.iter().collect())
            .collect();
        rows.join("\n").trim_end().to_owned()
    }
}

/// The content of the screen after each of `inputs`, and at the end.
fn play(inputs: &[(&str, Screen)]) -> (Vec<String>, String) {
    let columns = inputs[0].1.columns;
    let show = |text: &str| {
        let mut terminal = Terminal::new(columns);
        terminal.write(text);
        terminal.screen()
    };
    // A stream borrows its writer until the end, so the run is repeated for each of its moments.
    let moments = (1..=inputs.len()).map(|moment| show(&written(&inputs[..moment], false)));
    (moments.collect(), show(&written(inputs, true)))
}

/// What a run writes to the terminal, up to its end or just before it.
fn written(inputs: &[(&str, Screen)], ends: bool) -> String {
    let (mut bytes, mut notes) = (Vec::new(), Vec::new());
    let mut documents = NoDocuments::default();
    let options = Options {
        width: 78,
        display: ProgressDisplay::Live,
        ..Options::default()
    };
    let (out, aside) = (Out::new(&mut bytes, true), Out::new(&mut notes, false));
    let mut stream = Stream::new(options, out, aside, &mut documents);
    for (second, (input, screen)) in (0..).zip(inputs) {
        stream
            .tick(Duration::from_secs(second * 5), *screen)
            .unwrap();
        stream.push(input.as_bytes()).unwrap();
        stream
            .tick(Duration::from_secs(second * 5), *screen)
            .unwrap();
    }
    if ends {
        stream.finish(End::Closed).unwrap();
    } else {
        drop(stream);
    }
    String::from_utf8(bytes).unwrap()
}

const WIDE: Screen = Screen {
    columns: 60,
    rows: 24,
};

fn start(address: &str) -> String {
    hook("apply_start", address, r#","action":"create""#)
}

fn complete(address: &str) -> String {
    hook(
        "apply_complete",
        address,
        r#","action":"create","elapsed_seconds":5"#,
    )
}

#[test]
fn region_has_running_operations_and_is_erased_at_the_end() {
    let begin = [
        planned("a", "create"),
        planned("b", "create"),
        summary("plan", "Plan: 2 to add."),
        start("a"),
        start("b"),
    ]
    .concat();
    let done = complete("a");
    let failed = hook(
        "apply_errored",
        "b",
        r#","action":"create","elapsed_seconds":9"#,
    );
    let (moments, end) = play(&[(&begin, WIDE), (&done, WIDE), (&failed, WIDE)]);
    let border = "─".repeat(59);
    for (moment, expected) in moments.iter().zip([
        format!("b: Creating...\n{border}\na creating 0s\nb creating 0s\n[              ] 0/2  0s"),
        format!(
            "a: Creation complete after 5s\n{border}\nb creating 5s\n[=======       ] 1/2  1 created  5s"
        ),
        format!(
            "a: Creation complete after 5s\n{border}\nb: Creation failed\n[==============] 2/2  1 created, 1 failed  10s"
        ),
    ]) {
        assert!(moment.ends_with(&expected), "{moment}");
    }
    insta::assert_snapshot!(end);
}

#[test]
fn region_has_at_most_eight_operations_and_fits_small_screens() {
    let input: String = (0..20)
        .map(|index| start(&format!("module.network.aws_subnet.private[{index}]")))
        .collect();
    let (moments, _) = play(&[(&input, WIDE)]);
    assert!(
        moments[0].ends_with("and 12 more\nApplying  0s"),
        "{}",
        moments[0]
    );
    for (columns, rows) in [(30, 24), (20, 6), (9, 5), (5, 24), (60, 4)] {
        let (moments, end) = play(&[
            (&input, Screen { columns, rows }),
            ("", Screen { columns, rows }),
        ]);
        let drawn = moments[1]
            .lines()
            .count()
            .saturating_sub(end.lines().count());
        assert!(drawn <= rows / 2, "{columns}x{rows}: {}", moments[1]);
        assert!(
            moments[1]
                .lines()
                .all(|line| line.chars().count() <= columns)
        );
        assert_eq!(
            moments[0],
            moments[1].replace("5s", "0s"),
            "drawing again leaves no trace"
        );
    }
}

#[test]
fn progress_is_shown_only_in_the_region() {
    let still = hook(
        "apply_progress",
        "a",
        r#","action":"create","elapsed_seconds":10"#,
    );
    let (moments, _) = play(&[(&start("a"), WIDE), (&still, WIDE)]);
    let border = "─".repeat(59);
    assert_eq!(
        moments[1],
        format!("a: Creating...\n{border}\na creating 10s\nApplying  5s")
    );
}

#[test]
fn region_shows_waiting_planning_and_refreshing() {
    let version =
        r#"{"@level":"info","@message":"OpenTofu 1.12.6","tofu":"1.12.6","type":"version"}"#
            .to_owned()
            + "\n";
    let refresh = |kind: &str, address: &str| hook(kind, address, "");
    let (begin, end) = (
        refresh("refresh_start", "a.a"),
        refresh("refresh_complete", "a.a"),
    );
    let next = end + &refresh("refresh_start", "a.b");
    let (moments, _) = play(&[("", WIDE), (&version, WIDE), (&begin, WIDE), (&next, WIDE)]);
    for (moment, expected) in moments.iter().zip([
        "Waiting for the first message  0s",
        "Planning  5s",
        "Planning  1 being refreshed  10s",
        "Planning  1 refreshed, 1 being refreshed  15s",
    ]) {
        assert!(moment.ends_with(expected), "{moment}");
    }
}

#[test]
fn narrow_screens_keep_keys_and_states_and_the_time() {
    let address =
        "module.platform[\\\"eu-central-1\\\"].aws_subnet.private_application[\\\"zone-1\\\"]";
    let input = [
        planned(address, "create"),
        summary("plan", "Plan: 1 to add."),
        start(address),
    ]
    .concat();
    for columns in [30, 40, 80] {
        let (moments, _) = play(&[(&input, Screen { columns, rows: 24 })]);
        let line = moments[0].lines().rev().nth(1).unwrap();
        assert!(line.ends_with("[\"zone-1\"] creating 0s"), "{line}");
        assert!(moments[0].ends_with("0/1  0s"), "{}", moments[0]);
    }
}

/// What was written and is not on the terminal yet.
#[derive(Clone, Default)]
struct Wire(Rc<RefCell<Vec<u8>>>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Two rules used to be left, because the terminal had become narrower still when the region was erased.
#[test]
fn window_made_smaller_five_times_leaves_no_rules() {
    let address =
        "module.platform[\\\"eu-central-1\\\"].aws_subnet.private_application[\\\"zone-1\\\"]";
    let input = [
        planned(address, "create"),
        summary("plan", "Plan: 1 to add."),
        start(address),
    ]
    .concat();
    // The display learns late how wide the terminal is.
    for (reflows, late) in [(true, 0), (true, 1), (true, 3), (false, 0), (false, 1)] {
        let (wire, mut notes) = (Wire::default(), Vec::new());
        let mut writer = wire.clone();
        let mut documents = NoDocuments::default();
        let options = Options {
            width: 78,
            display: ProgressDisplay::Live,
            ..Options::default()
        };
        let (out, aside) = (Out::new(&mut writer, true), Out::new(&mut notes, false));
        let mut stream = Stream::new(options, out, aside, &mut documents);
        let mut terminal = Terminal::new(80);
        stream.push(input.as_bytes()).unwrap();
        let sizes = [80, 70, 60, 50, 40, 30, 30, 30, 30];
        for (index, columns) in sizes.into_iter().enumerate() {
            terminal.resize(columns, reflows);
            let known = sizes[index.saturating_sub(late)];
            stream
                .tick(
                    Duration::from_secs(index as u64),
                    Screen {
                        columns: known,
                        rows: 24,
                    },
                )
                .unwrap();
            terminal.write(&String::from_utf8(wire.0.take()).unwrap());
            let screen = terminal.screen();
            assert_eq!(
                screen.lines().filter(|line| line.contains('─')).count(),
                1,
                "{late} {screen}"
            );
            // A line that is drawn for a wider terminal is cut.
            let drawn = screen.matches("creating").count();
            assert!(drawn == 1 || (drawn == 0 && known > columns), "{screen}");
        }
        stream.push(complete(address).as_bytes()).unwrap();
        stream.suspend().unwrap();
        terminal.write(&String::from_utf8(wire.0.take()).unwrap());
        let screen = terminal.screen();
        assert!(!screen.contains('─') && screen.ends_with(" 5s"), "{screen}");
    }
}

#[test]
fn times_precede_every_line_of_a_message() {
    let timed = |second: u32, rest: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"m\",\"@timestamp\":\"2026-11-21T02:26:{second:02}.5Z\",{rest}}}\n"
        )
    };
    let mut input = timed(1, r#""type":"version","terraform":"1.15.0","ui":"1.2""#);
    input.push_str(&timed(
        2,
        r#""type":"planned_change","change":{"resource":{"addr":"x.a"},"action":"create"}"#,
    ));
    input.push_str(&timed(
        3,
        r#""type":"diagnostic","diagnostic":{"severity":"error","summary":"s","detail":"one\ntwo"}"#,
    ));
    input.push_str("no message\n");
    input.push_str(&timed(
        65 - 60,
        r#""type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"a\nb\n"}}"#,
    ));
    let options = || Options {
        timestamps: Timestamps::Relative,
        ..plain()
    };
    let whole = show_cut(input.as_bytes(), options(), &[usize::MAX]).text;
    let expected = "\n+00:01.0 Terraform will perform the following actions:\n\n+00:01.0   + x.a will be created\n\n\
                    +00:02.0 Error: s\n\n+00:02.0 one\n+00:02.0 two\nno message\n\n+00:04.0 Outputs:\n\n\
                    +00:04.0 o = <<EOT\n+00:04.0 a\n+00:04.0 b\n\n+00:04.0 EOT\n";
    assert_eq!(whole, expected);
    for size in [1, 13] {
        assert_eq!(
            show_cut(input.as_bytes(), options(), &[size]).text,
            whole,
            "{size}"
        );
    }
    let bare: String = whole
        .split_inclusive('\n')
        .map(|line| {
            if line.starts_with('+') {
                line.split_once(' ').unwrap().1
            } else {
                line
            }
        })
        .collect();
    assert_eq!(
        bare,
        show_cut(input.as_bytes(), plain(), &[usize::MAX]).text
    );
}

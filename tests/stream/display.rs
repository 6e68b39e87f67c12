//! The live region is drawn and erased without traces, checked with a small terminal emulator. Times are
//! printed before every line.

use std::time::Duration;

use tfview::stream::{End, Options, ProgressDisplay, Screen, Stream, Timestamps};
use tfview::term::Out;

use super::harness::{NoDocuments, hook, plain, planned, show_cut, summary};

/// A terminal emulator that supports only line feeds, cursor up and erase line.
#[derive(Default)]
struct Terminal {
    rows: Vec<String>,
    row: usize,
    column: usize,
    columns: usize,
}

impl Terminal {
    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("\x1b[") {
                let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                match (&after[..end], &after[end..=end]) {
                    ("1", "A") => self.row = self.row.checked_sub(1).expect("the cursor left the screen"),
                    ("2", "K") => self.line().clear(),
                    ("?2026", "h" | "l") => {}
                    (codes, "m") => assert!(codes.chars().all(|c| c.is_ascii_digit() || c == ';')),
                    other => assert_eq!(other, ("", "m"), "not a plain sequence"),
                }
                rest = &after[end + 1..];
                continue;
            }
            if c == '\n' {
                self.row += 1;
                self.column = 0;
            } else {
                if self.column == self.columns {
                    self.row += 1;
                    self.column = 0;
                }
                self.line().push(c);
                self.column += 1;
            }
            rest = &rest[c.len_utf8()..];
        }
        self.line();
    }

    fn line(&mut self) -> &mut String {
        let rows = self.rows.len().max(self.row + 1);
        self.rows.resize(rows, String::new());
        &mut self.rows[self.row]
    }

    fn screen(&self) -> String {
        self.rows.join("\n").trim_end().to_owned()
    }
}

/// The content of the screen after each of `inputs`, and at the end.
fn play(inputs: &[(&str, Screen)]) -> (Vec<String>, String) {
    let columns = inputs[0].1.columns;
    let show = |text: &str| {
        let mut terminal = Terminal { columns, ..Terminal::default() };
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
    let options = Options { width: 78, display: ProgressDisplay::Live, ..Options::default() };
    let (out, aside) = (Out::new(&mut bytes, true), Out::new(&mut notes, false));
    let mut stream = Stream::new(options, out, aside, &mut documents);
    for (second, (input, screen)) in (0..).zip(inputs) {
        stream.tick(Duration::from_secs(second * 5), *screen).unwrap();
        stream.push(input.as_bytes()).unwrap();
        stream.tick(Duration::from_secs(second * 5), *screen).unwrap();
    }
    if ends {
        stream.finish(End::Closed).unwrap();
    } else {
        drop(stream);
    }
    String::from_utf8(bytes).unwrap()
}

const WIDE: Screen = Screen { columns: 60, rows: 24 };

fn start(address: &str) -> String {
    hook("apply_start", address, r#","action":"create""#)
}

fn complete(address: &str) -> String {
    hook("apply_complete", address, r#","action":"create","elapsed_seconds":5"#)
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
    let failed = hook("apply_errored", "b", r#","action":"create","elapsed_seconds":9"#);
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
    assert!(end.ends_with("b: Creating...\na: Creation complete after 5s"), "{end}");
}

#[test]
fn region_has_at_most_eight_operations_and_fits_small_screens() {
    let input: String =
        (0..20).map(|at| start(&format!("module.network.aws_subnet.private[{at}]"))).collect();
    let (moments, _) = play(&[(&input, WIDE)]);
    assert!(moments[0].ends_with("and 12 more\nApplying  0s"), "{}", moments[0]);
    for (columns, rows) in [(30, 24), (20, 6), (9, 5), (5, 24), (60, 4)] {
        let (moments, end) = play(&[(&input, Screen { columns, rows }), ("", Screen { columns, rows })]);
        let drawn = moments[1].lines().count().saturating_sub(end.lines().count());
        assert!(drawn <= rows / 2, "{columns}x{rows}: {}", moments[1]);
        assert!(moments[1].lines().all(|line| line.chars().count() <= columns));
        assert_eq!(moments[0], moments[1].replace("5s", "0s"), "drawing again leaves no trace");
    }
}

#[test]
fn progress_is_shown_only_in_the_region() {
    let still = hook("apply_progress", "a", r#","action":"create","elapsed_seconds":10"#);
    let (moments, _) = play(&[(&start("a"), WIDE), (&still, WIDE)]);
    let border = "─".repeat(59);
    assert_eq!(moments[1], format!("a: Creating...\n{border}\na creating 10s\nApplying  5s"));
}

#[test]
fn region_shows_waiting_planning_and_refreshing() {
    let version = r#"{"@level":"info","@message":"OpenTofu 1.12.6","tofu":"1.12.6","type":"version"}"#
        .to_owned()
        + "\n";
    let refresh = |kind: &str, address: &str| hook(kind, address, "");
    let (begin, end) = (refresh("refresh_start", "a.a"), refresh("refresh_complete", "a.a"));
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
    let address = "module.platform[\\\"eu-central-1\\\"].aws_subnet.private_application[\\\"zone-1\\\"]";
    let input = [planned(address, "create"), summary("plan", "Plan: 1 to add."), start(address)].concat();
    for columns in [30, 40, 80] {
        let (moments, _) = play(&[(&input, Screen { columns, rows: 24 })]);
        let line = moments[0].lines().rev().nth(1).unwrap();
        assert!(line.ends_with("[\"zone-1\"] creating 0s"), "{line}");
        assert!(moments[0].ends_with("0/1  0s"), "{}", moments[0]);
    }
}

#[test]
fn smaller_screen_keeps_no_stale_lines() {
    // A terminal that wraps its lines again shows the region in more rows.
    let (mut bytes, mut notes) = (Vec::new(), Vec::new());
    let mut documents = NoDocuments::default();
    let options = Options { width: 78, display: ProgressDisplay::Live, ..Options::default() };
    let (out, aside) = (Out::new(&mut bytes, true), Out::new(&mut notes, false));
    let mut stream = Stream::new(options, out, aside, &mut documents);
    stream.push(start("a").as_bytes()).unwrap();
    stream.tick(Duration::ZERO, WIDE).unwrap();
    stream.resize(Screen { columns: 30, rows: 24 });
    stream.push(b"text\n").unwrap();
    stream.suspend().unwrap();
    drop(stream);
    let text = String::from_utf8(bytes).unwrap();
    // The border takes two rows of 30 columns, the two lines below it one each.
    let (before, after) = text.split_once("Applying").unwrap();
    assert!(before.contains('─') && after.matches("\x1b[1A\x1b[2K").count() == 4, "{text:?}");
    assert!(after.ends_with("text\n\x1b[?2026l"), "{text:?}");
}

#[test]
fn times_precede_every_line_of_a_message() {
    let at = |second: u32, rest: &str| {
        format!(
            "{{\"@level\":\"info\",\"@message\":\"m\",\"@timestamp\":\"2026-11-21T02:26:{second:02}.5Z\",{rest}}}\n"
        )
    };
    let mut input = at(1, r#""type":"version","terraform":"1.15.0","ui":"1.2""#);
    input.push_str(&at(
        2,
        r#""type":"planned_change","change":{"resource":{"addr":"x.a"},"action":"create"}"#,
    ));
    input.push_str(&at(
        3,
        r#""type":"diagnostic","diagnostic":{"severity":"error","summary":"s","detail":"one\ntwo"}"#,
    ));
    input.push_str("no message\n");
    input.push_str(&at(
        65 - 60,
        r#""type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"a\nb\n"}}"#,
    ));
    let options = || Options { timestamps: Timestamps::Relative, ..plain() };
    let whole = show_cut(input.as_bytes(), options(), &[usize::MAX]).text;
    let expected = "\n+00:01.0 Terraform will perform the following actions:\n\n+00:01.0   + x.a will be created\n\n\
                    +00:02.0 Error: s\n\n+00:02.0 one\n+00:02.0 two\nno message\n\n+00:04.0 Outputs:\n\n\
                    +00:04.0 o = <<EOT\n+00:04.0 a\n+00:04.0 b\n\n+00:04.0 EOT\n";
    assert_eq!(whole, expected);
    for size in [1, 13] {
        assert_eq!(show_cut(input.as_bytes(), options(), &[size]).text, whole, "{size}");
    }
    let bare: String = whole
        .split_inclusive('\n')
        .map(|line| if line.starts_with('+') { line.split_once(' ').unwrap().1 } else { line })
        .collect();
    assert_eq!(bare, show_cut(input.as_bytes(), plain(), &[usize::MAX]).text);
}

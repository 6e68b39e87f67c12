//! `tfview browse` and `tfview run --browse` on a terminal, whose screen a small emulator reads.
//!
//! What each key does is tested without a terminal in `src/browse/tests.rs`.

mod hostile;
mod keys;

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use super::cli::harness::{PLAN, folder, tfview};
use super::pty::{OnTerminal, SIZE};
use super::run::standin::StandIn;

const SHOP: &str = "fixtures/review/shop/plan.json";

/// The title of the help, which is on the smallest screen too.
const HELP_TITLE: &str = "┌ Keys ";

/// The browser on a terminal, with what its screen shows.
struct Browser {
    terminal: OnTerminal,
    screen: vt100::Parser,
    /// Everything that was printed.
    raw: Vec<u8>,
}

impl Browser {
    fn start(arguments: &[&str], folder: &Path, variables: &[(&str, OsString)]) -> Self {
        let mut all = vec![("SOURCE_DATE_EPOCH", OsString::from("1795284000"))];
        all.extend(variables.iter().cloned());
        Self {
            terminal: OnTerminal::start(arguments, folder, &all),
            screen: vt100::Parser::new(SIZE.1, SIZE.0, 0),
            raw: Vec::new(),
        }
    }

    /// Browses a file of the repository.
    fn open(file: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut browser = Self::start(&["browse", file], root, &[]);
        browser.wait_for("q quit");
        browser
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    fn read(&mut self) -> bool {
        match self.terminal.printed() {
            Some(bytes) => {
                self.screen.process(&bytes);
                self.raw.extend_from_slice(&bytes);
                true
            }
            None => false,
        }
    }

    /// Waits until the screen shows `text`.
    fn wait_for(&mut self, text: &str) {
        while !self.text().contains(text) {
            assert!(self.read(), "the browser ended: {}", self.text());
        }
    }

    fn keys(&mut self, keys: &str) {
        self.terminal.type_text(keys);
    }

    /// Types keys, then opens and closes the help, after which all of them were handled.
    fn handled(&mut self, keys: &str) {
        self.keys(keys);
        if keys.ends_with('\u{1b}') {
            // An escape with a key right behind it is the key with Alt.
            look();
        }
        self.keys("?");
        self.wait_for(HELP_TITLE);
        self.keys("?");
        while self.text().contains(HELP_TITLE) {
            assert!(self.read(), "the browser ended");
        }
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.screen.screen_mut().set_size(size.1, size.0);
        self.terminal.resize(size);
    }

    /// Waits for the end, and checks that the terminal is as it was. Returns the exit code and what was printed.
    fn end(mut self) -> (Option<i32>, String) {
        while self.read() {}
        let printed = String::from_utf8_lossy(&self.raw).into_owned();
        for mode in ["1049", "2004", "1000", "1006"] {
            let last = |state| printed.rfind(&format!("\u{1b}[?{mode}{state}"));
            assert!(last("h") < last("l"), "mode {mode} is on at the end");
        }
        assert!(printed.rfind("\u{1b}[?25l") < printed.rfind("\u{1b}[?25h"));
        assert!(self.terminal.is_as_shells_expect());
        let (code, _) = self.terminal.end();
        (code, printed)
    }
}

#[test]
fn a_plan_is_walked_through() {
    let mut browser = Browser::open(SHOP);
    insta::assert_snapshot!(browser.text());
    browser.keys("/replicaCount\r");
    browser.wait_for("replicaCount");
    browser.keys("t");
    browser.wait_for("with the text of the tool");
    browser.keys("\u{1b}[B\u{1b}[A\u{1b}[6~\u{1b}[5~\u{1b}[H\u{1b}[F");
    browser.keys("q");
    let (code, _) = browser.end();
    assert_eq!(code, Some(0));
}

/// The addresses of all changes of a plan.
fn addresses(file: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let review = tfview("review --format json")
        .argument(file)
        .folder(root)
        .output();
    let review: Value = serde_json::from_str(&review.stdout).unwrap();
    let lists = ["resources", "drift", "deferred"];
    let lists = lists
        .iter()
        .filter_map(|name| review["plans"][0][name].as_array());
    let changes = lists
        .flatten()
        .filter_map(|change| change["address"].as_str());
    changes.map(str::to_owned).collect()
}

#[test]
fn every_change_of_a_plan_is_reached_by_keys() {
    let mut browser = Browser::open(SHOP);
    browser.resize((200, 60));
    browser.handled("*");
    let mut screens = String::new();
    loop {
        browser.handled("\u{1b}[6~");
        let text = browser.text();
        if screens.ends_with(&text) {
            break;
        }
        screens.push_str(&text);
    }
    browser.handled("g");
    screens.push_str(&browser.text());
    let all = addresses(SHOP);
    assert!(all.len() > 10);
    for address in all {
        let last = address.rsplit('.').next().unwrap();
        assert!(screens.contains(last), "{address} in {screens}");
    }
}

#[test]
fn the_screen_follows_the_size_of_the_terminal() {
    let mut browser = Browser::open(SHOP);
    for size in [(40, 10), (300, 100), (80, 24), (120, 40), (41, 11)] {
        browser.resize(size);
        // All of it is drawn again.
        assert!(browser.read());
        browser.keys("jf");
        browser.wait_for("Review of");
        let (rows, columns) = browser.screen.screen().size();
        assert_eq!((columns, rows), size);
    }
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
}

/// A terminal that is not the controlling one sends no signal when it is closed. The browser read from it for ever.
#[test]
fn a_closed_terminal_ends_the_browser() {
    let (mut terminal, side) = super::open_terminal::open(SIZE).unwrap();
    let mut browser = Command::new(env!("CARGO_BIN_EXE_tfview"))
        .args(["browse", SHOP])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_clear()
        .env("TERM", "xterm")
        .stdin(side.try_clone().unwrap())
        .stdout(side)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut screen = vt100::Parser::new(SIZE.1, SIZE.0, 0);
    let mut bytes = [0; 4096];
    while !screen.screen().contents().contains("q quit") {
        let length = terminal.read(&mut bytes).unwrap();
        screen.process(&bytes[..length]);
    }
    drop(terminal);
    for _ in 0..300 {
        if let Some(status) = browser.try_wait().unwrap() {
            assert_eq!(status.code(), Some(1));
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    browser.kill().unwrap();
    panic!("the browser does not end");
}

#[test]
fn the_terminal_is_as_it_was_after_signals_and_panics() {
    for (signal, code) in [
        (Signal::SIGTERM, 143),
        (Signal::SIGHUP, 129),
        (Signal::SIGINT, 130),
        (Signal::SIGQUIT, 131),
    ] {
        let browser = Browser::open(SHOP);
        let id = i32::try_from(browser.terminal.child().id()).unwrap();
        kill(Pid::from_raw(id), signal).unwrap();
        assert_eq!(browser.end().0, Some(code), "{signal}");
    }
    let mut browser = Browser::open(SHOP);
    browser.keys("\u{3}");
    assert_eq!(browser.end().0, Some(0), "Ctrl-C");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fault = [("TFVIEW_TEST_FAULT", OsString::from("browser"))];
    let mut browser = Browser::start(&["browse", SHOP], root, &fault);
    browser.wait_for("q quit");
    browser.keys("j");
    let (code, printed) = browser.end();
    assert_eq!(code, Some(1));
    let left = left_by(&printed);
    let (said, rest) = left.split_once(" at src/").unwrap();
    let (_, rest) = rest.split_once(';').unwrap();
    insta::assert_snapshot!(format!("{said} at [place];{rest}"), @r"
    error: internal error in tfview at [place]; please report it with this line
    error: stopped by an internal error (see above)
    ");
}

#[test]
fn without_a_terminal_review_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = tfview("browse").argument(SHOP).folder(root).output();
    assert_eq!(output.code, Some(1));
    insta::assert_snapshot!(output.stderr, @r"
    error: `tfview browse` needs a terminal, and standard output is not one
      tip: `tfview review` prints the same as text
    ");
    let output = tfview("run --browse tofu apply").output();
    insta::assert_snapshot!(output.stderr, @r"
    error: `tfview run --browse` needs a terminal that can move its cursor
      tip: `tfview run --review` prints a review, and asks as the tool does
    ");
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_gets_the_review() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dumb = OnTerminal::start(&["browse", SHOP], root, &[("TERM", "dumb".into())]);
    let (code, printed) = dumb.end();
    assert_eq!(code, Some(0), "{printed}");
    assert!(!printed.contains('\u{1b}'), "{printed:?}");
    let review = tfview("review --width 120").argument(SHOP).folder(root);
    let review = review.output().stdout;
    assert!(printed.starts_with(&review), "{printed}\nand not\n{review}");
}

/// The sequences that the browser may write: colours, the place of the cursor, clearing, modes, and copies. Returns the
/// numbers of copies, and of times that the screen was cleared.
fn only_own_sequences(printed: &str) -> (usize, usize) {
    let (mut copies, mut clears) = (0, 0);
    for after in printed.split('\u{1b}').skip(1) {
        if let Some(copy) = after.strip_prefix("]52;c;") {
            copies += 1;
            let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
            // It ends with the ESC \ at which the text is split.
            assert!(copy.chars().all(is_base64), "{after:?}");
            assert_ne!(copy, "b3duZWQ=", "a text of the plan copies");
            continue;
        }
        if after.starts_with('\\') {
            continue;
        }
        let code = after.strip_prefix('[');
        let end = code.and_then(|code| code.find(|c: char| c.is_ascii_alphabetic()));
        let (code, end) = code.zip(end).expect("a sequence that begins with ESC [");
        let kind = &code[end..=end];
        assert!("mHJKhl".contains(kind), "ESC{after:?}");
        clears += usize::from(kind == "J");
    }
    let faults = |c: char| {
        let is_control = c.is_control() && !matches!(c, '\u{1b}' | '\r' | '\n');
        is_control || crate::terminal::is_hidden(c)
    };
    assert_eq!(printed.find(faults), None, "{printed:?}");
    (copies, clears)
}

/// What would set the title, copy, clear the screen, move and save the cursor, ring and reverse the text.
const ATTACKS: [&str; 6] = [
    "\\u001b]0;owned\\u0007",
    "\\u001b]52;c;b3duZWQ=\\u0007",
    "\\u001b[2J\\u001b[1;1Howned\\u001b[10A",
    "\\u001b7\\u001b[s\\u001b[?1049l\\u001bc",
    "\\u009b2J\\u009d0;owned\\u009c",
    "\\u202e\\u200b\\r\\b",
];

#[test]
fn texts_of_a_plan_cannot_drive_the_terminal() {
    thread::scope(|scope| {
        for (index, hostile) in ATTACKS.into_iter().enumerate() {
            scope.spawn(move || browse_hostile(index, hostile));
        }
    });
}

/// Browses a plan with a hostile text in its address and its values.
fn browse_hostile(number: usize, hostile: &str) {
    let plan = PLAN
        .replace("terraform_data.a", &format!("terraform_data.a{hostile}"))
        .replace('é', hostile);
    let folder = folder(
        &format!("browse-hostile-{number}"),
        &[("plan.json", plan.as_bytes())],
    );
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &[]);
    browser.wait_for("q quit");
    let mut copied = 0;
    for keys in [
        "*",
        "jjj",
        "t",
        "v",
        "y",
        "/owned\u{1b}",
        "c\u{1b}",
        "m",
        "d",
        "jjy",
    ] {
        browser.handled(keys);
        let text = browser.text();
        // Nothing moved: the bar is the first line, and what was searched or the keys are the last one.
        assert!(text.starts_with(" Review of plan.json"), "{keys:?}: {text}");
        copied += keys.matches('y').count();
    }
    browser.keys("q");
    let (_, printed) = browser.end();
    let (copies, clears) = only_own_sequences(&printed);
    assert!(copies <= copied, "{printed:?}");
    // When the session begins.
    assert_eq!(clears, 1, "{printed:?}");
    let is_shown = [
        "␛]0;owned␇",
        "␛]52;c;",
        "␛[2J",
        "␛7␛[s",
        "<U+009B>",
        "<U+202E>",
    ][number];
    assert!(printed.contains(is_shown), "{is_shown} in {printed:?}");
}

#[test]
fn no_sensitive_value_is_on_the_screen_or_copied() {
    let plan = PLAN
        .replace("\"input\":\"é\"", "\"input\":\"hunter2-secret\"")
        .replace(
            "\"after_sensitive\":{}",
            "\"after_sensitive\":{\"input\":true}",
        );
    let later = plan.replace("hunter2-secret", "hunter2-changed");
    let state = r#"{"format_version":"1.0","terraform_version":"1.15.0","values":{"outputs":{"o":{"sensitive":true,"type":"string","value":"hunter2-secret"}},"root_module":{"resources":[{"address":"terraform_data.a","mode":"managed","type":"terraform_data","name":"a","provider_name":"terraform.io/builtin/terraform","schema_version":0,"values":{"input":"hunter2-secret"},"sensitive_values":{"input":true}}]}}}"#;
    let files = [
        ("plan.json", plan.as_bytes()),
        ("later.json", later.as_bytes()),
        ("state.json", state.as_bytes()),
    ];
    let folder = folder("browse-sensitive", &files);
    for files in [
        &["plan.json"][..],
        &["state.json"],
        &["plan.json", "later.json"],
    ] {
        for is_shown in [false, true] {
            let shows = is_shown.then_some("--show-sensitive");
            let arguments: Vec<&str> = ["browse"].into_iter().chain(shows).collect();
            let mut browser = Browser::start(&[&arguments, files].concat(), &folder, &[]);
            browser.wait_for("q quit");
            browser.handled("/data.a\rt*g");
            let mut screens = browser.text();
            for _ in 0..16 {
                browser.handled("jy");
                screens.push_str(&browser.text());
            }
            browser.handled("/data.a\rvG");
            screens.push_str(&browser.text());
            browser.handled("/hunter2\r\u{7f}g");
            // What was typed is on the screen too.
            let is_seen = screens.contains("hunter2-") || browser.text().contains("hunter2-");
            assert!(screens.contains("data.a"), "{files:?}: {screens}");
            assert_eq!(is_seen, is_shown, "{files:?}: {screens}");
            browser.keys("q");
            let (_, printed) = browser.end();
            // `hunter2-` in base64, wherever it begins.
            for copied in ["aHVudGVyMi", "h1bnRlcjIt", "odW50ZXIyL"] {
                assert!(!printed.contains(copied), "{files:?}: {printed:?}");
            }
        }
    }
}

#[test]
fn an_address_is_copied_by_the_terminal() {
    let folder = folder("browse-copy", &[("plan.json", PLAN.as_bytes())]);
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &[]);
    browser.wait_for("q quit");
    browser.keys("/data.a\ry");
    browser.wait_for("copied: terraform_data.a");
    browser.keys("q");
    let (_, printed) = browser.end();
    // The address in base64.
    assert!(
        printed.contains("\u{1b}]52;c;dGVycmFmb3JtX2RhdGEuYQ=="),
        "{printed:?}"
    );
}

#[test]
fn marks_are_kept_for_the_plan() {
    let folder = folder("browse-marks", &[("plan.json", PLAN.as_bytes())]);
    let state = [("XDG_STATE_HOME", OsString::from(folder.join("state")))];
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &state);
    browser.wait_for("q quit");
    browser.keys("/data.a\rm");
    browser.wait_for("1 of 1 viewed");
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &state);
    browser.wait_for("1 of 1 viewed");
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
    let other = PLAN.replace('é', "other");
    fs::write(folder.join("plan.json"), other).unwrap();
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &state);
    browser.wait_for("q quit");
    assert!(!browser.text().contains("viewed"), "{}", browser.text());
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
}

#[test]
fn the_source_is_opened_in_the_editor() {
    let source = "\n\nresource \"terraform_data\" \"a\" {\n}\n";
    let files = [
        ("plan.json", PLAN.as_bytes()),
        ("main.tf", source.as_bytes()),
    ];
    let folder = folder("browse-source", &files);
    let editor: PathBuf = folder.join("editor");
    fs::write(&editor, "#!/bin/sh\necho \"$*\" > opened\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&editor, mode).unwrap();
    let variables = [("EDITOR", OsString::from(&editor))];
    let arguments = ["browse", "--source", ".", "plan.json"];
    let mut browser = Browser::start(&arguments, &folder, &variables);
    browser.wait_for("q quit");
    browser.keys("/data.a\rs");
    let read = || fs::read_to_string(folder.join("opened"));
    for _ in 0..40 {
        if read().is_ok_and(|text| text.ends_with('\n')) {
            break;
        }
        look();
    }
    look();
    let opened = read().unwrap();
    assert!(
        opened.starts_with("+3 ") && opened.trim_end().ends_with("main.tf"),
        "{opened}"
    );
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
}

#[test]
fn units_and_comparisons_are_walked_through() {
    let mut browser = Browser::open("fixtures/units/plans");
    assert!(browser.text().contains("units"), "{}", browser.text());
    browser.handled("G\r");
    browser.keys("\u{1b}[D\u{1b}[D");
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
    let folder = folder(
        "browse-two",
        &[
            ("old.json", PLAN.as_bytes()),
            ("new.json", PLAN.replace('é', "other").as_bytes()),
        ],
    );
    let mut browser = Browser::start(&["browse", "old.json", "new.json"], &folder, &[]);
    browser.wait_for("q quit");
    browser.handled("*");
    assert!(
        browser.text().contains("terraform_data.a"),
        "{}",
        browser.text()
    );
    browser.keys("q");
    assert_eq!(browser.end().0, Some(0));
}

/// Waits until the browser has discarded what was typed before the plan was on the screen: a person sees it first.
fn look() {
    thread::sleep(Duration::from_millis(500));
}

fn run(tool: &StandIn) -> Browser {
    let arguments = ["run", "--progress", "log", "--browse", "tofu", "apply"];
    Browser::start(&arguments, &tool.work(), &tool.variables())
}

fn applies(tool: &StandIn) -> usize {
    let calls = tool.calls();
    calls
        .iter()
        .filter(|call| call.starts_with("apply"))
        .count()
}

/// What the terminal shows when the browser has ended.
fn left_by(printed: &str) -> String {
    let (_, after) = printed.rsplit_once("\u{1b}[?1049l").unwrap();
    let mut screen = vt100::Parser::new(SIZE.1, SIZE.0, 0);
    screen.process(after.as_bytes());
    screen.screen().contents()
}

#[test]
fn a_plan_that_is_approved_in_the_browser_is_applied() {
    let tool = StandIn::new("browse-approve", "");
    let mut browser = run(&tool);
    browser.wait_for("y applies this plan");
    assert!(
        browser.text().contains("terraform_data.a"),
        "{}",
        browser.text()
    );
    look();
    browser.keys("y");
    let (code, printed) = browser.end();
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(applies(&tool), 1);
    insta::assert_snapshot!(left_by(&printed), @r#"
    NOTICE  1 to create. OpenTofu 1.15.0.

       + terraform_data.a  input = "é"
    (no rules for: terraform_data)
    terraform_data.a: Creating...
    terraform_data.a: Creation complete after 0s

    Apply complete! Resources: 1 added, 0 changed, 0 destroyed.
    "#);
}

#[test]
fn nothing_but_a_key_after_the_plan_applies_it() {
    let attempts = [
        "q",
        "\u{3}",
        "\u{1b}[200~y\u{1b}[201~q",
        "\u{1b}[200~y\r\u{1b}[201~q",
        "yes\rq",
        "y\rq",
        "/y\rq",
        "cy\u{1b}q",
        "YNnq",
    ];
    thread::scope(|scope| {
        for (index, keys) in attempts.into_iter().enumerate() {
            scope.spawn(move || refuse(index, keys));
        }
    });
}

/// Types keys that apply nothing, when the browser asks.
fn refuse(number: usize, keys: &str) {
    let tool = StandIn::new(&format!("browse-refuse-{number}"), "");
    let mut browser = run(&tool);
    browser.wait_for("y applies this plan");
    look();
    let (first, last) = keys.split_once("\u{1b}q").unwrap_or((keys, ""));
    browser.keys(first);
    if first != keys {
        browser.keys("\u{1b}");
        look();
        browser.keys(&format!("q{last}"));
    }
    let (code, printed) = match keys {
        // What was pasted is discarded as a whole, with the key at its end.
        "yes\rq" | "y\rq" => {
            browser.wait_for("press y alone");
            browser.keys("q");
            browser.end()
        }
        _ => browser.end(),
    };
    assert_eq!(code, Some(1), "{keys:?}: {printed}");
    assert_eq!(applies(&tool), 0, "{keys:?}");
    insta::allow_duplicates! {
        insta::assert_snapshot!(left_by(&printed), @r#"
        NOTICE  1 to create. OpenTofu 1.15.0.

           + terraform_data.a  input = "é"
        (no rules for: terraform_data)

        Apply cancelled.
        "#);
    }
}

#[test]
fn what_is_typed_before_the_plan_is_on_the_screen_applies_nothing() {
    let tool = StandIn::new("browse-ahead", "");
    let mut browser = run(&tool);
    browser.keys("yyyyy\nyy");
    browser.wait_for("y applies this plan");
    look();
    browser.handled("j");
    assert_eq!(applies(&tool), 0);
    browser.keys("q");
    let (code, printed) = browser.end();
    assert_eq!(code, Some(1), "{printed}");
    assert_eq!(applies(&tool), 0);
}

#[test]
fn a_signal_while_a_plan_waits_applies_nothing() {
    let tool = StandIn::new("browse-signal", "");
    let mut browser = run(&tool);
    browser.wait_for("y applies this plan");
    let id = i32::try_from(browser.terminal.child().id()).unwrap();
    kill(Pid::from_raw(id), Signal::SIGTERM).unwrap();
    let (code, printed) = browser.end();
    assert_ne!(code, Some(0), "{printed}");
    assert_eq!(applies(&tool), 0);
    tool.assert_ended();
}

#[test]
fn a_plan_without_apply_is_walked_through_too() {
    let tool = StandIn::new("browse-plan", "");
    let arguments = ["run", "--progress", "log", "--browse", "tofu", "plan"];
    let mut browser = Browser::start(&arguments, &tool.work(), &tool.variables());
    browser.wait_for("q quit");
    assert!(!browser.text().contains("applies this plan"));
    browser.keys("q");
    let (code, printed) = browser.end();
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(applies(&tool), 0);
}

//! `tfview browse` and `tfview run --browse` on a terminal, whose screen a small emulator reads.
//!
//! What each key does is tested without a terminal in `src/browse/tests.rs`.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use super::cli::harness::{PLAN, folder, tfview};
use super::pty::{OnTerminal, SIZE};
use super::run::standin::StandIn;

const SHOP: &str = "fixtures/review/shop/plan.json";

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
        self.wait_for("this help");
        self.keys("?");
        while self.text().contains("this help") {
            assert!(self.read());
        }
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.screen.screen_mut().set_size(size.1, size.0);
        self.terminal.resize(size);
        // A key that arrives together with the new size is only handled with the next one.
        look();
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
    let text = browser.text();
    assert!(text.contains("CRITICAL"), "{text}");
    assert!(text.contains("1 to destroy"), "{text}");
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
    let mut seen = String::new();
    loop {
        browser.handled("\u{1b}[6~");
        let text = browser.text();
        if seen.ends_with(&text) {
            break;
        }
        seen.push_str(&text);
    }
    browser.handled("g");
    seen.push_str(&browser.text());
    let all = addresses(SHOP);
    assert!(all.len() > 10);
    for address in all {
        let last = address.rsplit('.').next().unwrap();
        assert!(seen.contains(last), "{address} in {seen}");
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
    let (mut terminal, side) = super::pty::open();
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
        std::thread::sleep(Duration::from_millis(100));
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
    let (_, after) = printed.rsplit_once("\u{1b}[?1049l").unwrap();
    assert!(after.contains("internal error in tfview"), "{after:?}");
}

#[test]
fn without_a_terminal_review_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = tfview("browse").argument(SHOP).folder(root).output();
    assert_eq!(output.code, Some(1));
    assert!(output.stderr.contains("needs a terminal"), "{output}");
    assert!(output.stderr.contains("`tfview review`"), "{output}");
    let dumb = OnTerminal::start(&["browse", SHOP], root, &[("TERM", "dumb".into())]);
    let (code, printed) = dumb.end();
    assert_eq!(code, Some(1));
    assert!(printed.contains("`tfview review`"), "{printed}");
    assert!(!printed.contains('\u{1b}'), "{printed:?}");
    let output = tfview("run --browse tofu apply").output();
    assert!(output.stderr.contains("--review"), "{output}");
}

#[test]
fn texts_of_a_plan_cannot_drive_the_terminal() {
    let hostile = "\\u001b]0;owned\\u0007\\u001b[2J\\u009b\\u202e\\u200b\\r\\b";
    let plan = PLAN
        .replace("terraform_data.a", &format!("terraform_data.a{hostile}"))
        .replace('é', hostile);
    let folder = folder("browse-hostile", &[("plan.json", plan.as_bytes())]);
    let mut browser = Browser::start(&["browse", "plan.json"], &folder, &[]);
    browser.wait_for("q quit");
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
    ] {
        browser.handled(keys);
        assert!(
            browser.text().contains("Review of plan.json"),
            "after {keys:?}"
        );
    }
    browser.keys("q");
    let (_, printed) = browser.end();
    assert!(!printed.contains("\u{1b}]0;"), "{printed:?}");
    assert!(
        !printed.contains('\u{202e}') && !printed.contains('\u{9b}'),
        "{printed:?}"
    );
    assert!(printed.contains("␛]0;owned␇"), "{printed:?}");
}

#[test]
fn no_sensitive_value_is_on_the_screen_or_copied() {
    let plan = PLAN
        .replace("\"input\":\"é\"", "\"input\":\"hunter2-secret\"")
        .replace(
            "\"after_sensitive\":{}",
            "\"after_sensitive\":{\"input\":true}",
        );
    let folder = folder("browse-sensitive", &[("plan.json", plan.as_bytes())]);
    for (arguments, is_shown) in [
        (&["browse", "plan.json"][..], false),
        (&["browse", "--show-sensitive", "plan.json"][..], true),
    ] {
        let mut browser = Browser::start(arguments, &folder, &[]);
        browser.wait_for("q quit");
        browser.handled("/data.a\rt");
        let mut seen = browser.text();
        for _ in 0..12 {
            browser.handled("jy");
            seen.push_str(&browser.text());
        }
        browser.handled("vG");
        seen.push_str(&browser.text());
        assert_eq!(seen.contains("hunter2"), is_shown, "{seen}");
        browser.keys("q");
        let (_, printed) = browser.end();
        // `hunter2-secret` in base64, wherever it begins.
        for copied in ["aHVudGVyMi", "h1bnRlcjIt", "odW50ZXIyL"] {
            assert!(!printed.contains(copied), "{printed:?}");
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
    std::thread::sleep(Duration::from_millis(500));
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
    let (_, after) = printed.rsplit_once("\u{1b}[?1049l").unwrap();
    assert!(after.contains("terraform_data.a"), "{after}");
    assert!(after.contains("Apply complete!"), "{after}");
}

#[test]
fn nothing_but_a_key_after_the_plan_applies_it() {
    for (at, keys) in [
        "q",
        "\u{3}",
        "\u{1b}[200~y\u{1b}[201~q",
        "\u{1b}[200~y\r\u{1b}[201~q",
        "yes\rq",
        "y\rq",
        "/y\rq",
        "cy\u{1b}q",
        "YNnq",
    ]
    .into_iter()
    .enumerate()
    {
        let tool = StandIn::new(&format!("browse-refuse-{at}"), "");
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
        assert!(printed.contains("Apply cancelled."), "{keys:?}: {printed}");
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

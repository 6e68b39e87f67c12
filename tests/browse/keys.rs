//! Every key of the help, on a terminal of every size, for each kind of document.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use tfview::internals::browse::HELP;

use super::{Browser, HELP_TITLE, SHOP};
use crate::cli::harness::{PLAN, folder};
use crate::random::some_ways;

/// The sizes between which the terminal changes, from key to key.
const SIZES: [(u16, u16); 5] = [(40, 10), (120, 40), (300, 100), (80, 24), (45, 11)];

/// Goes back from what a key has opened: an escape could also begin a sequence.
const BACK: &str = "\u{7f}";

/// What a terminal sends for a name of the help; `None` for a word that is no key.
fn sent(name: &str) -> Option<String> {
    let one = |text: &str| Some(text.to_owned());
    match name {
        "↓" => one("\u{1b}[B"),
        "↑" => one("\u{1b}[A"),
        "→" => one("\u{1b}[C"),
        "←" => one("\u{1b}[D"),
        "PgDn" => one("\u{1b}[6~"),
        "PgUp" => one("\u{1b}[5~"),
        "Home" => one("\u{1b}[H"),
        "End" => one("\u{1b}[F"),
        "Enter" => one("\r"),
        "Tab" => one("\t"),
        "Space" => one(" "),
        "Esc" => one("\u{1b}"),
        _ => {
            if let Some(letter) = name.strip_prefix("Ctrl-") {
                let code = letter.bytes().next()? & 0x1f;
                return Some(char::from(code).to_string());
            }
            let mut letters = name.chars();
            let letter = letters.next()?;
            letters.next().is_none().then(|| letter.to_string())
        }
    }
}

/// The names of all keys of the help, and what is sent for them: the keys of each line, and those in parentheses.
fn keys() -> Vec<(String, String)> {
    let mut keys = Vec::new();
    for line in HELP {
        for name in line.keys.split_whitespace() {
            let sent = sent(name);
            assert!(sent.is_some(), "the test cannot press {name:?}");
            keys.extend(sent.map(|sent| (name.to_owned(), sent)));
        }
        let more = line.text.split_once('(').map_or("", |(_, more)| more);
        let is_end = |c: char| matches!(c, ')' | ':' | ';' | ',') || c.is_whitespace();
        let more = more.split(is_end).filter(|word| *word != "a");
        keys.extend(more.filter_map(|name| Some((name.to_owned(), sent(name)?))));
    }
    keys
}

#[test]
fn the_help_names_its_keys() {
    let keys = keys();
    let names: Vec<&str> = keys.iter().map(|(name, _)| &**name).collect();
    for name in [
        "↓", "k", "Space", "b", "Ctrl-D", "Ctrl-U", "G", "h", "*", "F", "Esc", "Y", "?", "q",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

/// What the page of `review --format html` has too is on the same keys: its key, what its help says about it, and what
/// the help of the browser says.
const KEYS_OF_THE_PAGE: [(&str, &str, &str); 8] = [
    ("j", "next change", "next and previous line"),
    ("k", "previous change", "next and previous line"),
    (
        "f",
        "next one that is destroyed",
        "next and previous change",
    ),
    ("F", "previous one of these", "next and previous change"),
    ("m", "viewed, or not", "mark as viewed"),
    ("*", "open all, or close all", "open or close all"),
    ("/", "to the filter", "search"),
    ("?", "this help", "this help"),
];

#[test]
fn keys_of_pages_are_the_same_in_the_browser() {
    let script = fs::read_to_string(root().join("src/page/script.js")).unwrap();
    let (_, keys) = script.split_once("const KEYS = {").unwrap();
    let (keys, _) = keys.split_once("};").unwrap();
    let of_page: Vec<(&str, &str)> = keys
        .lines()
        .filter_map(|line| line.trim().split_once(": ['"))
        .map(|(key, text)| (key.trim_matches('\''), text))
        .collect();
    assert_eq!(of_page.len(), KEYS_OF_THE_PAGE.len(), "{of_page:?}");
    for ((key, text), (known, said, meaning)) in of_page.into_iter().zip(KEYS_OF_THE_PAGE) {
        assert!(key == known && text.starts_with(said), "{key} {text}");
        let line = HELP
            .iter()
            .find(|line| line.keys.split_whitespace().any(|name| name == key));
        let line = line.expect("a key of the page is a key of the browser");
        assert!(line.text.starts_with(meaning), "{key}: {}", line.text);
    }
}

/// Waits until the whole screen is drawn for its size: the bar at the top, which ends with the number of lines, and a
/// line at the bottom.
fn wait_for_screen(browser: &mut Browser, key: &str) {
    loop {
        let screen = browser.screen.screen();
        let (rows, columns) = screen.size();
        let lines: Vec<String> = screen.rows(0, columns).collect();
        let position = lines[0].trim_end().rsplit(' ').next().unwrap_or_default();
        let position = position.split_once('/');
        let is_number = |text: &str| text.parse::<usize>().is_ok();
        let has_bar = position.is_some_and(|(number, count)| is_number(number) && is_number(count));
        let has_status = !lines[usize::from(rows) - 1].trim().is_empty();
        if has_bar && has_status {
            return;
        }
        assert!(browser.read(), "{key:?} ended it: {}", browser.text());
    }
}

/// Plays all keys of the help but the last one, which quits, with another size of the terminal at each.
fn play(arguments: &[&str], folder: &Path) {
    let keys = keys();
    let (quit, keys) = keys.split_last().unwrap();
    assert_eq!(quit.0, "q", "the last line of the help is about the end");
    thread::scope(|scope| {
        for turn in some_ways((0..SIZES.len()).collect(), arguments.len(), 3) {
            scope.spawn(move || play_from(turn, keys, arguments, folder));
        }
    });
}

/// Plays keys. The terminal has the size of this turn at the first one.
fn play_from(turn: usize, keys: &[(String, String)], arguments: &[&str], folder: &Path) {
    let mut browser = Browser::start(&[&["browse"], arguments].concat(), folder, &[]);
    browser.wait_for("q quit");
    for (index, (name, sent)) in keys.iter().enumerate() {
        let (columns, rows) = SIZES[(turn + index) % SIZES.len()];
        browser.screen.screen_mut().set_size(rows, columns);
        browser.terminal.resize((columns, rows));
        browser.keys(sent);
        if sent == "\u{1b}" {
            // A key right behind it would be the key with Alt.
            super::look();
        }
        wait_for_screen(&mut browser, name);
        browser.keys(BACK);
        browser.keys("?");
        browser.wait_for(HELP_TITLE);
        browser.keys(BACK);
        while browser.text().contains(HELP_TITLE) {
            assert!(browser.read(), "the browser ended after {name:?}");
        }
        wait_for_screen(&mut browser, name);
        let (rows, columns) = browser.screen.screen().size();
        assert_eq!((columns, rows), SIZES[(turn + index) % SIZES.len()]);
    }
    browser.keys("q");
    // It also checks that the terminal is as it was.
    let (code, printed) = browser.end();
    assert_eq!(code, Some(0), "{printed:?}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_key_is_played_in_a_plan() {
    play(&[SHOP], &root());
}

#[test]
fn every_key_is_played_in_units() {
    let units = root().join("fixtures/units/plans");
    assert!(fs::read_dir(units).unwrap().count() > 1);
    play(&["fixtures/units/plans"], &root());
}

#[test]
fn every_key_is_played_in_a_comparison() {
    let later = PLAN.replace('é', "other");
    let files = [
        ("old.json", PLAN.as_bytes()),
        ("new.json", later.as_bytes()),
    ];
    let folder = folder("browse-keys-two", &files);
    play(&["old.json", "new.json"], &folder);
}

#[test]
fn every_key_is_played_in_a_state() {
    let state = "fixtures/goldens/big-stack-terraform/state.json";
    play(&[state], &root());
}

//! A plan of 100,000 changes opens in the browser in about the time of a review, and keys answer at once.
//!
//! `TFVIEW=target/release/tfview cargo test --test growth browse:: -- --nocapture` prints the figures of
//! `docs/browse.md`. Without `TFVIEW`, the program of the tests is measured, with a smaller plan.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::measure::{built, peak_of};
use super::pty::{OnTerminal, PROGRAM};
use super::*;

/// A key must answer within this time, in milliseconds: the time between two pictures of a screen.
const ANSWER: f64 = 16.0;

/// Without output for this time, the answer to a key is complete.
const QUIET: Duration = Duration::from_millis(150);

/// Everything is tried this often, and the best time counts: noise disappears, and work does not.
const ATTEMPTS: usize = 3;

/// What is typed, by the name under which it is printed. Each changes the screen.
const KEYS: [(&str, &str); 24] = [
    ("j, at once", "j"),
    ("PgDn", "\u{1b}[6~"),
    ("G", "G"),
    ("g", "g"),
    ("f", "f"),
    ("F", "F"),
    ("* (all open)", "*"),
    ("* (all closed)", "*"),
    ("/", "/"),
    ("the first letter", "n"),
    ("the second one", "9"),
    ("the third one", "9"),
    ("Enter", "\r"),
    ("n", "n"),
    ("N", "N"),
    ("t", "t"),
    ("v", "v"),
    ("c", "c"),
    ("Enter on a level", "\r"),
    ("Esc", "\u{1b}"),
    ("C", "C"),
    ("Tab", "\t"),
    ("Enter on a module", "j\r"),
    ("?", "?"),
];

/// Updates and deletions of five types in fifty modules.
fn changes(number: usize) -> Value {
    plan(many(number, |index| {
        let kinds = [
            "aws_instance",
            "aws_subnet",
            "aws_iam_role",
            "aws_s3_bucket",
            "aws_db_instance",
        ];
        let values = |letter: &str| {
            json!({ "id": format!("i-{index}"), "name": format!("{letter}{index}"), "size": index,
                "tags": { "a": letter, "env": "prod" } })
        };
        let mut change = resource(index, values("x"), values("y"));
        let module = format!("module.m{}", index % 50);
        let kind = kinds[index % kinds.len()];
        change["address"] = json!(format!("{module}.{kind}.n{index}"));
        change["module_address"] = json!(module);
        change["type"] = json!(kind);
        change["name"] = json!(format!("n{index}"));
        if index % 10 == 0 {
            change["change"]["actions"] = json!(["delete"]);
            change["change"]["after"] = Value::Null;
        }
        change
    }))
}

/// What was measured: seconds, bytes and milliseconds.
struct Figures {
    review: f64,
    first_screen: f64,
    memory_of_review: usize,
    memory: usize,
    keys: Vec<f64>,
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long a person waits is what is measured"
)]
fn measure(program: &Path, folder: &Path) -> Figures {
    let began = Instant::now();
    let mut review = Command::new(program)
        .args(["review", "plan.json"])
        .env_clear()
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut memory_of_review = 0;
    while review.try_wait().unwrap().is_none() {
        memory_of_review = peak_of(review.id()).unwrap_or(0).max(memory_of_review);
        std::thread::sleep(Duration::from_millis(2));
    }
    let review = began.elapsed().as_secs_f64();

    let variables = [(PROGRAM, OsString::from(program))];
    let began = Instant::now();
    let mut browser = OnTerminal::start(&["browse", "plan.json"], folder, &variables);
    browser.wait_for("q quit");
    let first_screen = began.elapsed().as_secs_f64();
    let mut keys = Vec::new();
    for (_, typed) in KEYS {
        let began = Instant::now();
        browser.type_text(typed);
        let mut answered = 0.0;
        while browser.prints_within(QUIET) {
            answered = began.elapsed().as_secs_f64() * 1000.0;
        }
        keys.push(answered);
    }
    let memory = peak_of(browser.child().id()).unwrap();
    browser.type_text("qq");
    assert_eq!(browser.end().0, Some(0));
    Figures {
        review,
        first_screen,
        memory_of_review,
        memory,
        keys,
    }
}

#[test]
#[allow(
    clippy::disallowed_methods,
    reason = "the program to measure is chosen by the environment"
)]
fn a_plan_of_100_000_changes_opens_like_a_review_and_keys_answer_at_once() {
    let released = std::env::var_os("TFVIEW");
    let (number, answer) = match released {
        Some(_) => (100_000, ANSWER),
        // Not optimised.
        None => (10_000, 20.0 * ANSWER),
    };
    let program = std::path::absolute(released.unwrap_or_else(built)).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth-browse");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("plan.json"), changes(number).to_string()).unwrap();
    let mut tried: Vec<Figures> = Vec::new();
    loop {
        tried.push(measure(&program, &folder));
        let least = |of: fn(&Figures) -> f64| tried.iter().map(of).fold(f64::MAX, f64::min);
        let (review, first) = (least(|it| it.review), least(|it| it.first_screen));
        let best = |key: usize| tried.iter().map(|it| it.keys[key]).fold(f64::MAX, f64::min);
        let slow: Vec<&str> = (0..KEYS.len())
            .filter(|key| best(*key) > answer)
            .map(|key| KEYS[key].0)
            .collect();
        let is_slow = first > 1.25 * review + 0.3 || !slow.is_empty();
        if is_slow && tried.len() < ATTEMPTS {
            continue;
        }
        let megabytes = |of: fn(&Figures) -> usize| tried.iter().map(of).max().unwrap_or(0) >> 20;
        println!("{number} changes, best of {}:", tried.len());
        println!(
            "review: {review:.2} s, {} MB",
            megabytes(|it| it.memory_of_review)
        );
        println!(
            "browse: {first:.2} s until the first screen, {} MB after all keys",
            megabytes(|it| it.memory)
        );
        for (key, (name, _)) in KEYS.into_iter().enumerate() {
            println!("{:>8.1} ms  {name}", best(key));
        }
        assert!(!is_slow, "{first:.2} s after {review:.2} s; slow: {slow:?}");
        return;
    }
}

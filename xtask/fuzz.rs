//! Mutates the fixtures and displays the results, for a time or for a number of cases:
//! `cargo run --example fuzz -- [--seconds 300 | --cases 10000] [--seed N]`. A failure prints its seed. Runs
//! with the same seed and the same number of cases are identical.

use std::path::Path;
use std::time::Instant;

#[path = "../tests/support/corpus.rs"]
mod corpus;
#[path = "../tests/support/display.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod display;
#[path = "../tests/support/random.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod random;

use display::Display;
use random::Random;
use tfview::dialect::Dialect;

#[expect(clippy::disallowed_methods, reason = "the duration can be limited")]
#[expect(clippy::print_stdout, reason = "it prints a summary")]
fn main() {
    let given: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let value = given.iter().position(|arg| arg == name).and_then(|at| given.get(at + 1));
        value.map_or(default, |text| text.parse().expect("a number"))
    };
    let limit = number("--cases", u64::MAX);
    let seconds = number("--seconds", if limit == u64::MAX { 60 } else { u64::MAX });
    let first = number("--seed", random::first_seed());
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").exists(), "run it in the project");
    let begun = Instant::now();
    let work = move || {
        let documents = corpus::documents(30_000);
        let mut seed = first;
        while seed - first < limit && begun.elapsed().as_secs() < seconds {
            let mut random = Random::new(seed);
            let document = random.pick(&documents).clone();
            let mut bytes = document.text.clone().into_bytes();
            match serde_json::from_str::<serde_json::Value>(&document.text) {
                Ok(mut value) if !random.one_in(3) => {
                    corpus::mutate_value(&mut random, &mut value);
                    bytes = value.to_string().into_bytes();
                }
                _ => corpus::mutate_bytes(&mut random, &mut bytes),
            }
            let dialect = *random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
            let display = Display { colour: random.one_in(2), ..Display::plain(dialect) };
            let shown = std::panic::catch_unwind(|| {
                if document.is_stream {
                    let _: Result<_, String> = display::streamed(&bytes, 4096, display);
                } else if let Ok(text) = std::str::from_utf8(&bytes) {
                    let _: Vec<_> = display::all(text, document.schema.as_deref(), display);
                }
            });
            assert!(shown.is_ok(), "--seed {seed} --cases 1 repeats it");
            seed += 1;
        }
        println!("{} cases from seed {first} on, no fault, {} s", seed - first, begun.elapsed().as_secs());
    };
    let worker = std::thread::Builder::new().stack_size(tfview::json::STACK).spawn(work).expect("a thread");
    worker.join().expect("no fault");
}

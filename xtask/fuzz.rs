//! Mutates the fixtures and reads or displays the results, for a time or for a number of cases:
//! `cargo run --example fuzz -- [--seconds 300 | --cases 10000] [--seed N] [--target NAME]`. The targets are `documents`
//! (plans, states, runs), `saved` (saved plans), `values` (MessagePack) and `states` (raw states); without a name, all
//! of them. A failure prints its seed. Runs with the same seed, number of cases and target are identical.

use std::path::Path;
use std::time::Instant;

#[path = "../tests/support/archive.rs"]
#[allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a fault"
)]
mod archive;
#[path = "../tests/support/corpus.rs"]
mod corpus;
#[path = "../tests/support/display.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod display;
#[path = "../tests/support/random.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod random;

use bumpalo::Bump;
use display::Display;
use random::Random;
use tfview::internals::dialect::Dialect;
use tfview::internals::model::plan::Plan;
use tfview::internals::model::state::StateDocument;
use tfview::internals::saved::{Knowledge, RawState, SavedPlan};
use tfview::internals::schema::Schemas;

/// Runs cases until the time or their number is over.
#[expect(clippy::disallowed_methods, reason = "the duration can be limited")]
#[expect(clippy::print_stdout, reason = "it prints a summary")]
fn main() {
    let given: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let value = given
            .iter()
            .position(|arg| arg == name)
            .and_then(|index| given.get(index + 1));
        value.map_or(default, |text| text.parse().expect("a number"))
    };
    let limit = number("--cases", u64::MAX);
    let seconds = number("--seconds", if limit == u64::MAX { 60 } else { u64::MAX });
    let first = number("--seed", random::first_seed());
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .exists(),
        "run it in the project"
    );
    let begun = Instant::now();
    let target = given
        .iter()
        .position(|arg| arg == "--target")
        .and_then(|index| given.get(index + 1))
        .cloned();
    let work = move || {
        let inputs = Inputs::read();
        let chosen: Vec<&(&str, Target)> = TARGETS
            .iter()
            .filter(|(name, _)| target.as_deref().is_none_or(|wanted| wanted == *name))
            .collect();
        assert!(
            !chosen.is_empty(),
            "the targets are {:?}",
            TARGETS.map(|(name, _)| name)
        );
        let mut seed = first;
        while seed - first < limit && begun.elapsed().as_secs() < seconds {
            let mut random = Random::new(seed);
            let (name, read) = random.pick(&chosen);
            let shown = std::panic::catch_unwind(|| read(&mut random.clone(), &inputs));
            assert!(
                shown.is_ok(),
                "{name}: --seed {seed} --cases 1 repeats it (with the same --target)"
            );
            seed += 1;
        }
        println!(
            "{} cases from seed {first} on, no fault, {} s",
            seed - first,
            begun.elapsed().as_secs()
        );
    };
    let worker = std::thread::Builder::new()
        .stack_size(tfview::internals::json::STACK)
        .spawn(work)
        .expect("a thread");
    worker.join().expect("no fault");
}

/// What is mutated.
struct Inputs {
    documents: Vec<corpus::Document>,
    /// The entries of saved plans.
    plans: Vec<Vec<(String, Vec<u8>)>>,
    states: Vec<String>,
}

impl Inputs {
    /// Reads the saved plans and states of the fixtures.
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
        let mut cases: Vec<_> = std::fs::read_dir(root)
            .expect("fixtures")
            .map(|case| case.expect("a folder").path())
            .collect();
        cases.sort();
        let plans = cases
            .iter()
            .filter(|case| case.join("plan.tfplan").exists());
        let states = cases
            .iter()
            .filter_map(|case| std::fs::read_to_string(case.join("terraform.tfstate")).ok());
        Self {
            documents: corpus::documents(30_000),
            plans: plans.map(|case| archive::entries(case)).collect(),
            states: states.collect(),
        }
    }
}

/// Reads a mutated input.
type Target = fn(&mut Random, &Inputs);

const TARGETS: [(&str, Target); 4] = [
    ("documents", document),
    ("saved", saved_plan),
    ("values", value),
    ("states", state),
];

/// A plan, a state or a run.
fn document(random: &mut Random, inputs: &Inputs) {
    let document = random.pick(&inputs.documents);
    let bytes = mutated(random, &document.text);
    let dialect = *random.pick(&[Dialect::TERRAFORM, Dialect::OPENTOFU]);
    let display = Display {
        colour: random.one_in(2),
        ..Display::plain(dialect)
    };
    if document.is_stream {
        let _: Result<_, String> = display::streamed(&bytes, 4096, display);
    } else if let Ok(text) = std::str::from_utf8(&bytes) {
        let _: Vec<_> = display::all(text, document.schema.as_deref(), display);
    }
}

/// A saved plan: one of its entries (messages of protocol buffers with their MessagePack, schemas, sources, the list of
/// modules) is mutated and the archive made again, so that its checksums hold; or the archive itself is mutated.
fn saved_plan(random: &mut Random, inputs: &Inputs) {
    let mut entries = random.pick(&inputs.plans).clone();
    let index = random.below(entries.len());
    corpus::mutate_bytes(random, &mut entries[index].1);
    let entries: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    let mut bytes = archive::zip(&entries);
    if random.one_in(8) {
        corpus::mutate_bytes(random, &mut bytes);
    }
    read_plan(&bytes);
}

/// A value in MessagePack, made of random codes.
fn value(random: &mut Random, _: &Inputs) {
    const CODES: &[u8] = b"\xc0\xc1\xc2\xc3\xc4\xc7\xca\xcb\xcf\xd3\xd4\xd9\xda\xdb\xdc\xdd\xde\xdf\x80\x81\x82\x91\x92\x9f\xa1\xa2\xff\0";
    let count = 1 + random.below(60);
    let bytes: Vec<u8> = (0..count)
        .map(|_| {
            if random.one_in(3) {
                random.below(256) as u8
            } else {
                *random.pick(CODES)
            }
        })
        .collect();
    read_plan(&archive::plan_of(&bytes));
}

fn read_plan(bytes: &[u8]) {
    let (arena, schemas) = (Bump::new(), Schemas::new());
    if let Ok(plan) = SavedPlan::parse(bytes)
        && let Ok(text) = plan.to_json(&Knowledge::new(&schemas, &arena))
    {
        Plan::parse(&text).expect("a document of the JSON output format");
    }
}

/// A raw state.
fn state(random: &mut Random, inputs: &Inputs) {
    let text = random.pick(&inputs.states);
    let bytes = mutated(random, text);
    let (arena, schemas) = (Bump::new(), Schemas::new());
    if let Ok(text) = std::str::from_utf8(&bytes)
        && let Ok(state) = RawState::parse(text)
        && let Ok(text) = state.to_json(&Knowledge::new(&schemas, &arena))
    {
        tfview::internals::json::from_str::<StateDocument<'_>>(&text)
            .expect("a document of the JSON output format");
    }
}

/// A document whose values or bytes are mutated.
fn mutated(random: &mut Random, text: &str) -> Vec<u8> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(mut value) if !random.one_in(3) => {
            corpus::mutate_value(random, &mut value);
            value.to_string().into_bytes()
        }
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            corpus::mutate_bytes(random, &mut bytes);
            bytes
        }
    }
}

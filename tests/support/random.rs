//! Reproducible random choices, and the number of cases of randomized tests.

/// A pseudo-random number generator (SplitMix64), identical on all systems.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end` (0 if that is 0).
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            0
        } else {
            (self.next() % end as u64) as usize
        }
    }

    /// True with a probability of 1 in `often`.
    pub(crate) fn one_in(&mut self, often: usize) -> bool {
        self.below(often) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

/// The number of cases of a test: `share` percent of `TFVIEW_CASES`, or of 500. CI tries 4,000, a nightly run 100,000.
pub(crate) fn cases(share: usize) -> u64 {
    (number("TFVIEW_CASES").unwrap_or(500) * share as u64).div_ceil(100)
}

/// Whether all fixtures are tried in all ways, as in CI, which tries 4,000 cases. Without `TFVIEW_CASES` the suite
/// tries some of both, so that it ends within a minute.
#[allow(dead_code, reason = "the fuzzer has no fixtures")]
pub(crate) fn is_thorough() -> bool {
    cases(100) >= 4_000
}

/// A third of the fixtures of a test, or all of them if the run [is thorough](is_thorough). Tests with another `turn`
/// try another third.
#[allow(dead_code, reason = "the fuzzer has no fixtures")]
pub(crate) fn some_fixtures<T>(fixtures: Vec<T>, turn: usize) -> Vec<T> {
    let (first, step) = if is_thorough() { (0, 1) } else { (turn % 3, 3) };
    fixtures.into_iter().skip(first).step_by(step).collect()
}

/// All `ways` in which a fixture is tried if the run [is thorough](is_thorough); otherwise `count` of them, beginning
/// with another one for each `turn`.
#[allow(dead_code, reason = "the fuzzer has no fixtures")]
pub(crate) fn some_ways<T>(mut ways: Vec<T>, turn: usize, count: usize) -> Vec<T> {
    if !is_thorough() && !ways.is_empty() {
        let first = turn % ways.len();
        ways.rotate_left(first);
        ways.truncate(count);
    }
    ways
}

/// The seed of the first case. A failure prints its seed: `TFVIEW_SEED=… TFVIEW_CASES=1` repeats it.
pub(crate) fn first_seed() -> u64 {
    number("TFVIEW_SEED").unwrap_or(0)
}

/// Fails if a test tried too little to show anything. Only where `TFVIEW_CASES` asks for few cases, as to repeat one
/// failure, this is a note.
#[allow(dead_code, reason = "the fuzzer runs until it is stopped")]
#[allow(clippy::print_stdout, reason = "the output of a test has the note")]
#[track_caller]
pub(crate) fn assert_tried(is_enough: bool, tried: &str) {
    if !is_enough {
        let is_repeated = number("TFVIEW_CASES").is_some_and(|cases| cases < 500);
        assert!(is_repeated, "too little was tried: {tried}");
        println!("too little was tried to show anything: {tried}");
    }
}

/// The configuration of a property test with this `share` of the cases. The seed is fixed, so that the same
/// commit always has the same result; `TFVIEW_SEED` and `TFVIEW_CASES` select other cases.
#[allow(dead_code, reason = "the fuzzer has no properties")]
pub(crate) fn property(share: usize) -> proptest::test_runner::Config {
    use proptest::test_runner::{Config, RngSeed};
    let cases = u32::try_from(cases(share)).unwrap_or(u32::MAX);
    Config {
        rng_seed: RngSeed::Fixed(first_seed()),
        cases,
        ..Config::default()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "variables select the number of cases"
)]
fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().expect("a number"))
}

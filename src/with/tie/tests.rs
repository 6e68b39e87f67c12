use bumpalo::Bump;

use super::*;

/// An index of plans that have only names.
fn index_of(names: &[String]) -> PlanIndex<'static> {
    let plans: Vec<PlanToTie<'_, '_>> = names
        .iter()
        .map(|name| PlanToTie::new(name, "", KnownResources::default()))
        .collect();
    PlanIndex::new(&plans)
}

#[test]
fn the_index_of_files_finds_what_comparing_each_finds() {
    let mut random = 9u64;
    let mut below = |number: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % number
    };
    let parts = ["a", "b", "plan.json", ".", "", "ab"];
    for _ in 0..3_000 {
        let mut path = || {
            let names: Vec<&str> = (0..=below(4)).map(|_| parts[below(parts.len())]).collect();
            names.join(if below(5) == 0 { "\\" } else { "/" })
        };
        let names: Vec<String> = (0..5).map(|_| path()).collect();
        let wanted = path();
        let plans = merged(&index_of(&names).of_file(&wanted), usize::MAX);
        let expected: BTreeSet<usize> = names
            .iter()
            .enumerate()
            .filter(|(_, name)| is_same_file(&wanted, name))
            .map(|(number, _)| number)
            .collect();
        assert_eq!(plans, expected, "{wanted} in {names:?}");
    }
}

/// Attempts are counted, not measured: each result is looked up, and not compared with each plan.
#[test]
fn results_are_not_compared_with_each_plan() {
    let arena = Bump::new();
    let names: Vec<String> = (0..400)
        .map(|number| format!("u/{number}/tfplan.json"))
        .collect();
    let addresses: Vec<String> = (0..400).map(|number| format!("aws_x.b{number}")).collect();
    let mut plans: Vec<PlanToTie<'_, '_>> = names
        .iter()
        .zip(&addresses)
        .map(|(name, address)| {
            let resources = [(&**address, "aws_x", "b")].into_iter();
            PlanToTie::new(name, "", KnownResources::new(resources, &arena))
        })
        .collect();
    let result = |clue| ToolResult {
        clues: vec![clue],
        ..ToolResult::default()
    };
    let mut results: Vec<ToolResult<'_>> = addresses
        .iter()
        .map(|address| result(Clue::Address(address)))
        .collect();
    results.extend((0..400).map(|_| result(Clue::Lines("other/main.tf", 3))));
    let index = PlanIndex::new(&plans);
    let mut tries = 0;
    for result in results {
        tie_result(
            result,
            &mut plans,
            &index,
            &mut |_, _| Vec::new(),
            &mut tries,
        );
    }
    for (plan, address) in plans.iter().zip(&addresses) {
        let tied = plan.tied.results.iter();
        let number = tied
            .filter(|result| result.addresses == [&**address])
            .count();
        assert_eq!(number, 1, "without one further attempt: {address}");
    }
    assert_eq!(
        plans[0].tied.results.len(),
        401,
        "what fits no plan is listed with the first"
    );
}

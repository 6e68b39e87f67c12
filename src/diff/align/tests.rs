use proptest::prelude::*;

use super::*;

/// Upstream's algorithm: the full table, and the walk from its far corner.
fn oracle(before: &[u32], after: &[u32]) -> Vec<u32> {
    let mut lengths = vec![vec![0; after.len() + 1]; before.len() + 1];
    for i in 1..=before.len() {
        for j in 1..=after.len() {
            lengths[i][j] = if before[i - 1] == after[j - 1] {
                lengths[i - 1][j - 1] + 1
            } else {
                lengths[i - 1][j].max(lengths[i][j - 1])
            };
        }
    }
    let (mut i, mut j) = (before.len(), after.len());
    let mut values = Vec::new();
    while i > 0 && j > 0 {
        if before[i - 1] == after[j - 1] {
            values.push(before[i - 1]);
            i -= 1;
            j -= 1;
        } else if lengths[i - 1][j] > lengths[i][j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    values.reverse();
    values
}

fn values(before: &[u32], pairs: &[(usize, usize)]) -> Vec<u32> {
    pairs.iter().map(|(index, _)| before[*index]).collect()
}

fn is_subsequence(values: &[u32], of: &[u32]) -> bool {
    let mut rest = of.iter();
    values.iter().all(|value| rest.any(|other| other == value))
}

fn check(before: &[u32], after: &[u32]) {
    let expected = oracle(before, after);
    assert_eq!(
        common(before, after),
        Common {
            values: expected.clone(),
            is_approximate: false
        },
        "all together"
    );
    let numbers = numbers(before, after);
    let occurrences = || Occurrences::new(after, numbers);
    assert_eq!(
        values(before, &by_pairs(before, &occurrences())),
        expected,
        "by pairs"
    );
    assert_eq!(
        values(before, &by_bits(before, after, occurrences())),
        expected,
        "by bits"
    );
    assert_eq!(
        values(before, &by_edits(before, after, u64::MAX).unwrap()),
        expected,
        "by edits"
    );
    // With any limit, the result is a common subsequence.
    let cut = common_within(before, after, 0);
    assert!(is_subsequence(&cut.values, before) && is_subsequence(&cut.values, after));
}

#[test]
fn the_walk_prefers_to_drop_what_is_new() {
    check(&[1, 2], &[2, 1]);
    assert_eq!(common(&[1, 2], &[2, 1]).values, [2]);
    check(&[], &[1]);
    check(&[1], &[]);
    check(&[1, 2, 3], &[4, 5]);
}

/// Checks all pairs of short sequences.
#[test]
fn all_short_sequences_agree_with_the_table() {
    let sequences = |letters: u32, length: u32| -> Vec<Vec<u32>> {
        (0..letters.pow(length))
            .map(|code| {
                (0..length)
                    .map(|index| code / letters.pow(index) % letters)
                    .collect()
            })
            .collect()
    };
    for (letters, lengths) in [(2, 0..=6), (3, 0..=4)] {
        let all: Vec<Vec<u32>> = lengths
            .flat_map(|length| sequences(letters, length))
            .collect();
        for before in &all {
            for after in &all {
                check(before, after);
            }
        }
    }
}

/// A sequence over few or many letters, and the same sequence after a few edits and rotations.
fn edited() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    (1u32..40, 0usize..300).prop_flat_map(|(letters, length)| {
        let before = prop::collection::vec(0..letters, length);
        let edits = prop::collection::vec(
            (0..4u8, any::<prop::sample::Index>(), 0..letters + 2),
            0..12,
        );
        (before, edits).prop_map(|(before, edits)| {
            let mut after = before.clone();
            for (kind, position, value) in edits {
                let index = position.index(after.len() + 1);
                match kind {
                    0 => after.insert(index, value),
                    1 if index < after.len() => after[index] = value,
                    2 if index < after.len() => {
                        after.remove(index);
                    }
                    _ => after.rotate_left(index),
                }
            }
            (before, after)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn unrelated_sequences_agree_with_the_table(
        (before, after) in (1u32..12).prop_flat_map(|letters| (
            prop::collection::vec(0..letters, 0..150),
            prop::collection::vec(0..letters, 0..150),
        ))
    ) {
        check(&before, &after);
    }

    #[test]
    fn edited_sequences_agree_with_the_table((before, after) in edited()) {
        check(&before, &after);
    }
}

/// Beyond the step limit the result is still a common subsequence, and `is_approximate` is set.
#[test]
fn the_bound_says_when_it_cut_in() {
    let letters = |mut state: u64| -> Vec<u32> {
        let draw = std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((state >> 33) % 5).unwrap()
        });
        draw.take(20_000).collect()
    };
    let (before, after) = (letters(1), letters(2));
    let cut = common_within(&before, &after, 1 << 20);
    assert!(cut.is_approximate);
    assert!(is_subsequence(&cut.values, &before) && is_subsequence(&cut.values, &after));
    assert!(!common(&before, &after).is_approximate);
    // Unique elements are taken, and equal ones between two of them.
    let with_unique = |side: &[u32]| -> Vec<u32> {
        (5..)
            .zip(side)
            .flat_map(|(unique, letter)| [unique, *letter])
            .collect()
    };
    let (before, after) = (with_unique(&before), with_unique(&after));
    let cut = common_within(&before, &after, 1 << 10);
    let equal = before.iter().zip(&after).filter(|(b, a)| b == a).count();
    assert!(
        cut.is_approximate && cut.values.len() == equal,
        "{} of {equal}",
        cut.values.len()
    );
}

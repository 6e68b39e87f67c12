//! SHA-256 (FIPS 180-4), for the test of the hashes alone: a package for one test would bring six others.

/// The first bits of the fractional parts of the roots of the first primes, as the standard derives its
/// constants: square roots for the initial state, cube roots for the rounds.
fn constants() -> ([u32; 8], [u32; 64]) {
    let primes: Vec<u64> =
        (2u64..312).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).collect();
    let root = |prime: u64, power: u32| -> u32 {
        // The largest r with r^power <= prime * 2^(32 * power), by bits; its low 32 bits are the fraction.
        let mut low = 0u128;
        for bit in (0..40).rev() {
            let next = low | 1 << bit;
            let fits = match power {
                2 => next * next <= u128::from(prime) << 64,
                _ => next * next * next <= u128::from(prime) << 96,
            };
            if fits {
                low = next;
            }
        }
        low as u32
    };
    let mut state = [0; 8];
    state.iter_mut().zip(&primes).for_each(|(word, prime)| *word = root(*prime, 2));
    let mut rounds = [0; 64];
    rounds.iter_mut().zip(&primes).for_each(|(word, prime)| *word = root(*prime, 3));
    (state, rounds)
}

pub(super) fn sha256(text: &[u8]) -> [u8; 32] {
    let (mut state, rounds) = constants();
    let mut padded = text.to_vec();
    padded.push(0x80);
    // The length takes the last eight bytes of a block.
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(text.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words = [0u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for at in 16..64 {
            let (near, far) = (words[at - 2], words[at - 15]);
            let small0 = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
            let small1 = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
            words[at] = words[at - 16].wrapping_add(small0).wrapping_add(words[at - 7]).wrapping_add(small1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, constant) in words.iter().zip(&rounds) {
            let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h.wrapping_add(big1).wrapping_add(choice).wrapping_add(*constant).wrapping_add(*word);
            let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = big0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(add);
        }
    }
    let mut digest = [0; 32];
    digest
        .chunks_exact_mut(4)
        .zip(state)
        .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_be_bytes()));
    digest
}

#[test]
fn it_gives_the_standards_examples() {
    let hex =
        |text: &str| sha256(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(
        hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
}

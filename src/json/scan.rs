//! Runs of bytes, many at a time: what a string holds, white space, digits.

/// Where the plain part of a string ends that `from` lies in: at a quote, a backslash, a control
/// character or the end of `bytes`.
#[inline(always)]
pub(super) fn plain_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let special = block::special(block);
        let first = block::first(special);
        at += first;
        if first < block::SIZE {
            return at;
        }
    }
    plain_end_of_rest(bytes, at)
}

/// The same for the last bytes of a text.
#[cold]
#[inline(never)]
fn plain_end_of_rest(bytes: &[u8], at: usize) -> usize {
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| !is_special(**byte)).count()
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Where the white space ends that may begin at `from`.
#[inline]
pub(super) fn past_space(bytes: &[u8], from: usize) -> usize {
    match bytes.get(from) {
        Some(byte) if *byte <= b' ' => past_some_space(bytes, from),
        _ => from,
    }
}

#[inline(never)]
fn past_some_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let other = block::not_space(block);
        let first = block::first(other);
        at += first;
        if first < block::SIZE {
            return at;
        }
    }
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_space(**byte)).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Where the digits end that may begin at `from`.
#[inline]
pub(super) fn past_digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Two words of 8 bytes each. Left to the compiler, comparing 16 bytes at once becomes vector
/// instructions or not by chance of what surrounds it; arithmetic on words is as fast every time.
mod block {
    pub(super) const SIZE: usize = 16;

    /// The top bit of each byte that a test holds for. Exact up to the first such byte, which is
    /// all that is asked for: a borrow runs into the bytes above it only.
    type Found = [u64; 2];

    const TOP: u64 = all(0x80);

    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }

    #[inline(always)]
    fn below(word: u64, limit: u8) -> u64 {
        word.wrapping_sub(all(limit)) & !word
    }

    #[inline(always)]
    fn each(block: &[u8; SIZE], test: impl Fn(u64) -> u64) -> Found {
        let both = u128::from_le_bytes(*block);
        [test(both as u64) & TOP, test((both >> 64) as u64) & TOP]
    }

    /// Which bytes end the plain part of a string.
    #[inline(always)]
    pub(super) fn special(block: &[u8; SIZE]) -> Found {
        // With bit 1 turned over, a quote and the control characters are what lies below `!`.
        each(block, |word| below(word ^ all(0x02), b'!') | below(word ^ all(b'\\'), 1))
    }

    /// Which bytes are not white space.
    #[inline(always)]
    pub(super) fn not_space(block: &[u8; SIZE]) -> Found {
        each(block, |word| {
            let equals = |byte: u8| {
                let other = word ^ all(byte);
                !((other & !TOP).wrapping_add(!TOP) | other) // exact in every byte
            };
            !(equals(b' ') | equals(b'\n') | equals(b'\t') | equals(b'\r'))
        })
    }

    /// The first byte found; [`SIZE`] if there is none.
    #[inline(always)]
    pub(super) fn first([low, high]: Found) -> usize {
        // Without a branch: where strings end is not to be foreseen.
        let [low, high] = [low, high].map(|word| word.trailing_zeros() / 8);
        (low + high * u32::from(low == 8)) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_agree_with_bytes(bytes in prop::collection::vec(
            prop_oneof![8 => 0x20u8..=255, 1 => 0u8..=0x20, 1 => Just(b'"'), 1 => Just(b'\\')], 0..80), from in 0usize..80)
        {
            let from = from.min(bytes.len());
            let plain = bytes[from..].iter().take_while(|byte| !is_special(**byte)).count();
            prop_assert_eq!(plain_end(&bytes, from), from + plain);
        }

        #[test]
        fn space_ends_where_it_ends(text in "[ \n\t\r]{0,70}[a\u{b}\u{a0}]?[ \n]{0,20}") {
            let bytes = text.as_bytes();
            let space = bytes.iter().take_while(|byte| is_space(**byte)).count();
            prop_assert_eq!(past_space(bytes, 0), space);
        }
    }
}

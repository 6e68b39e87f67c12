//! Scanning over runs of bytes, 16 at a time: the contents of strings, white space, digits.

/// The end of the run of plain string bytes that starts at `from`: the position of the next quote,
/// backslash or control character, or the end of `bytes`.
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

/// [`plain_end`] for the last bytes of a text, which do not fill a block.
#[cold]
#[inline(never)]
fn plain_end_of_rest(bytes: &[u8], at: usize) -> usize {
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| !is_special(**byte)).count()
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// The position after any white space at `from`.
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

/// The position after any digits at `from`.
#[inline]
pub(super) fn past_digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Tests on 16 bytes at once, as two words of 8. Whether the compiler vectorises a plain comparison of
/// 16 bytes depends on the surrounding code; word arithmetic is fast in every context.
mod block {
    pub(super) const SIZE: usize = 16;

    /// The top bit of each byte that passed a test. Only the first set bit is reliable, because a borrow
    /// can carry into the bytes above it; [`first`] reads no other.
    type Mask = [u64; 2];

    const TOP: u64 = all(0x80);

    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }

    #[inline(always)]
    fn below(word: u64, limit: u8) -> u64 {
        word.wrapping_sub(all(limit)) & !word
    }

    #[inline(always)]
    fn each(block: &[u8; SIZE], test: impl Fn(u64) -> u64) -> Mask {
        let both = u128::from_le_bytes(*block);
        [test(both as u64) & TOP, test((both >> 64) as u64) & TOP]
    }

    /// The bytes that end a run of plain string bytes.
    #[inline(always)]
    pub(super) fn special(block: &[u8; SIZE]) -> Mask {
        // With bit 1 flipped, a quote (0x22) becomes 0x20, and exactly it and the control characters are
        // below `!` (0x21).
        each(block, |word| below(word ^ all(0x02), b'!') | below(word ^ all(b'\\'), 1))
    }

    /// The bytes that are not white space.
    #[inline(always)]
    pub(super) fn not_space(block: &[u8; SIZE]) -> Mask {
        each(block, |word| {
            let equals = |byte: u8| {
                let other = word ^ all(byte);
                !((other & !TOP).wrapping_add(!TOP) | other) // exact in every byte
            };
            !(equals(b' ') | equals(b'\n') | equals(b'\t') | equals(b'\r'))
        })
    }

    /// The index of the first byte found, or [`SIZE`] if there is none.
    #[inline(always)]
    pub(super) fn first([low, high]: Mask) -> usize {
        // Branch-free, because the ends of strings are unpredictable. Not by `map`: optimized for size, that is a loop.
        let (low, high) = (low.trailing_zeros() / 8, high.trailing_zeros() / 8);
        (low + if low == 8 { high } else { 0 }) as usize
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

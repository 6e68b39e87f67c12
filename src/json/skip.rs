//! Skipping whole values: checks the full grammar, builds nothing.
//!
//! Most of the time on a large document is spent here. The code is therefore a loop over positions
//! that keeps one bit for each open container instead of a stack.

use super::token::{self, Step, fault};
use super::{ErrorKind, MAX_DEPTH, scan};

/// The end of the value that begins at `pos`, with `depth` containers open around it.
pub(super) fn value(bytes: &[u8], mut pos: usize, depth: usize) -> Step {
    let mut open = Open::default();
    loop {
        // A value begins here.
        pos = scan::past_space(bytes, pos);
        match bytes.get(pos) {
            Some(byte @ (b'{' | b'[')) => {
                let object = *byte == b'{';
                pos = scan::past_space(bytes, pos + 1);
                if bytes.get(pos) == Some(if object { &b'}' } else { &b']' }) {
                    pos += 1;
                } else {
                    if depth + open.level >= MAX_DEPTH {
                        return fault(bytes, pos, ErrorKind::TooDeep);
                    }
                    open.push(object);
                    if object {
                        pos = token::key(bytes, pos)?;
                    }
                    continue;
                }
            }
            _ => pos = token::scalar(bytes, pos)?,
        }
        // A value ended: skip closing brackets and the comma, up to the next value.
        loop {
            if open.level == 0 {
                return Ok(pos);
            }
            pos = scan::past_space(bytes, pos);
            match bytes.get(pos) {
                Some(b',') => {
                    pos += 1;
                    if open.object {
                        pos = token::key(bytes, scan::past_space(bytes, pos))?;
                    }
                    break;
                }
                Some(b'}') if open.object => pos += 1,
                Some(b']') if !open.object => pos += 1,
                _ if open.object => {
                    return fault(bytes, pos, ErrorKind::Expected("`,` or `}` after a member"));
                }
                _ => return fault(bytes, pos, ErrorKind::Expected("`,` or `]` after an element")),
            }
            open.pop();
        }
    }
}

/// The open containers around a position.
#[derive(Default)]
struct Open {
    level: usize,
    /// Whether the innermost container is an object.
    object: bool,
    /// One bit for each of the others, set for objects.
    outer: [u64; MAX_DEPTH / 64 + 1],
}

impl Open {
    #[inline]
    fn push(&mut self, object: bool) {
        let (word, bit) = (self.level / 64, self.level % 64);
        self.outer[word] = self.outer[word] & !(1 << bit) | u64::from(self.object) << bit;
        self.object = object;
        self.level += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.level -= 1;
        self.object = self.outer[self.level / 64] >> (self.level % 64) & 1 == 1;
    }
}

//! Passing whole values: all of the grammar, none of the data.
//!
//! This is where the time of a large document goes, so it is a loop over plain positions. It keeps
//! a bit for each open container and no stack.

use super::token::{self, Step, fault};
use super::{ErrorKind, MAX_DEPTH, scan};

/// Where the value ends that begins at `pos`, with `depth` containers open around it.
pub(super) fn value(bytes: &[u8], mut pos: usize, depth: usize) -> Step {
    let mut open = Open::default();
    loop {
        // A value begins here.
        pos = scan::past_space(bytes, pos);
        match bytes.get(pos) {
            Some(b'"') => pos = token::string(bytes, pos)?,
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
            Some(b'-' | b'0'..=b'9') => pos = token::number(bytes, pos)?,
            Some(b't') => pos = token::literal(bytes, pos, "true")?,
            Some(b'f') => pos = token::literal(bytes, pos, "false")?,
            Some(b'n') => pos = token::literal(bytes, pos, "null")?,
            _ => return fault(bytes, pos, ErrorKind::Expected("a value")),
        }
        // A value ended: pass what closes after it, up to the next value.
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

/// The containers that are open around a position.
#[derive(Default)]
struct Open {
    level: usize,
    /// The innermost one is an object.
    object: bool,
    /// A bit for each of the others: set for an object.
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

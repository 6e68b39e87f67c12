//! The binary itself: what it reads, what it says, how it ends.

mod ci;
mod gates;
pub(crate) mod harness;
mod input;
mod large;
mod options;
mod output;
mod refusals;
mod review;
mod saved;
mod typing;

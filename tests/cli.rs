//! The binary itself: what it reads, what it says, how it ends.

mod address;
mod ci;
mod config;
mod gates;
pub(crate) mod harness;
mod head;
mod input;
mod large;
mod options;
mod output;
mod refusals;
mod review;
mod saved;
mod source;
mod typing;

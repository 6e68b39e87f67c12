//! The command line of the binary: its input, its output and its exit codes.

mod accepted;
mod address;
mod ci;
mod completions;
mod config;
mod deferred;
mod dialect;
mod duplicates;
mod extract;
mod gates;
pub(crate) mod harness;
mod head;
mod input;
mod large;
mod options;
mod output;
mod refusals;
mod review;
mod sarif;
mod saved;
mod source;
mod states;
mod typing;
mod unjudged;
mod with;
mod wrong_turns;

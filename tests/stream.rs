//! Runs: whatever comes, wherever it is cut, whoever reads.

mod display;
mod harness;
mod input;
mod process;
mod verdict;

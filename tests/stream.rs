//! Runs: whatever comes, wherever it is cut, whoever reads.

mod ci;
mod display;
mod endings;
mod harness;
mod input;
mod junit;
mod process;
mod verdict;
mod wrapped;

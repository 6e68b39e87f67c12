//! `tfview stream` shows any input, regardless of how it is split into reads and wrapped by other programs,
//! and its exit code is that of the run.

mod ci;
mod display;
mod endings;
mod harness;
mod input;
mod junit;
mod labels;
mod process;
mod regressions;
mod verdict;
mod wrapped;

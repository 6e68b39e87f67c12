//! `tfview run` shows the plan, asks for approval and applies, with a stand-in for the tool, on a terminal
//! and without one.

mod apply;
mod commands;
mod faults;
mod page;
mod signals;
mod standin;

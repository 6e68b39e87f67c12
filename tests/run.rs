//! `tfview run` shows the plan, asks for approval and applies, with a stand-in for the tool, on a terminal
//! and without one.

mod apply;
mod auto_approve;
mod commands;
mod faults;
mod options;
mod page;
mod schemas;
mod signals;
pub(crate) mod standin;
mod variables;

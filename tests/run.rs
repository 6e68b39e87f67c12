//! `tfview run`: plans, asks and applies with a program that stands in for the tool, on a terminal and
//! without one.

mod apply;
mod commands;
mod faults;
mod page;
mod signals;
mod standin;

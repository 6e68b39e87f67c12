//! The documents (plan, state, messages, diagnostics) and their enumerations (actions, resource modes).
//!
//! One `#[serde(borrow)]` in a struct lets all of its fields borrow from the input. Plans and states also derive
//! `Serialize`: `saved` makes them of saved plans and raw states and writes them, with absent members as null or empty.

pub mod action;
pub mod address;
pub mod configuration;
pub mod diagnostic;
mod invocation;
pub mod message;
pub mod mode;
pub mod plan;
mod plan_mode;
mod resource;
pub mod state;
pub mod variables;

pub use action::Action;
pub use configuration::{Configuration, Place as ModulePlace};
pub use mode::ResourceMode;

//! The documents: plan, state, messages, and the small closed sets they speak of.

pub mod action;
pub mod address;
pub mod configuration;
pub mod diagnostic;
pub mod message;
pub mod mode;
pub mod plan;
mod resource;
pub mod state;

pub use action::Action;
pub use configuration::{Configuration, Place as ModulePlace};
pub use mode::ResourceMode;

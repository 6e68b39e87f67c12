//! (to come)

pub mod align;
pub mod intern;

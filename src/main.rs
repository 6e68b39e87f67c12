//! The edge: arguments in, exit code out.

fn main() {}

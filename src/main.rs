//! The entry point of the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tfview::program(std::env::args_os())
}

//! The entry point of the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tfview::cli::main(std::env::args_os())
}

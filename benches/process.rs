//! Whole processes: `tfview show` or `review` on a file, measured alternately with a process that only reads
//! the file and skips its JSON.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::generate::Documents;
use super::work::skip;

/// The argument that makes this benchmark act as the process that skips a file.
const SKIP: &str = "--skip-file";

/// Skips the file after [`SKIP`] on the command line, if there is one. Returns whether there was.
pub fn is_skip() -> bool {
    let mut words = std::env::args().skip(1);
    let (Some(SKIP), Some(path)) = (words.next().as_deref(), words.next()) else {
        return false;
    };
    skip(&std::fs::read_to_string(path).unwrap());
    true
}

/// Documents in temporary files, which are removed on drop.
pub struct Files {
    folder: PathBuf,
    plan: PathBuf,
    schemas: PathBuf,
}

impl Files {
    /// Writes the documents to files of a temporary folder.
    pub fn new(documents: &Documents) -> Self {
        let folder = std::env::temp_dir().join(format!("tfview-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let (plan, schemas) = (
            file("plan.json", &documents.plan),
            file("schemas.json", &documents.schemas),
        );
        Self {
            folder,
            plan,
            schemas,
        }
    }

    /// The size of the plan, in bytes.
    pub fn size(&self) -> u64 {
        std::fs::metadata(&self.plan).unwrap().len()
    }

    /// Runs `tfview show`, or another subcommand that takes a plan.
    pub fn tfview(&self, subcommand: &str, with_schemas: bool) {
        run(&mut self.command(subcommand, with_schemas));
    }

    /// The peak memory of a run in bytes, sampled every millisecond. Linux only.
    pub fn peak_memory(&self, subcommand: &str, with_schemas: bool) -> Option<u64> {
        let mut command = self.command(subcommand, with_schemas);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut peak = None;
        while child.try_wait().unwrap().is_none() {
            let status =
                std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes =
                line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
            peak = kilobytes.map(|kilobytes| kilobytes * 1024).max(peak);
            std::thread::sleep(Duration::from_millis(1));
        }
        peak
    }

    fn command(&self, subcommand: &str, with_schemas: bool) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
        command.arg(subcommand).arg(&self.plan);
        if with_schemas {
            command.arg("--schemas").arg(&self.schemas);
        }
        command
    }

    pub fn skip(&self) {
        run(Command::new(std::env::current_exe().unwrap())
            .arg(SKIP)
            .arg(&self.plan));
    }
}

/// Runs `tfview` with these arguments.
pub fn tfview(arguments: &[&str]) {
    run(Command::new(env!("CARGO_BIN_EXE_tfview")).args(arguments));
}

impl Drop for Files {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            eprintln!("removing {}: {error}", self.folder.display());
        }
    }
}

fn run(command: &mut Command) {
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{command:?}: {status}");
}

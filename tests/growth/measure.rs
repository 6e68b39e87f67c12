//! Runs the program on inputs of two sizes, and compares the CPU time and the memory of the runs. `TFVIEW` is its path,
//! such as that of a release; without it, the program of the tests is measured.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// A document, and the schema that it is shown with.
pub(crate) struct Input {
    pub(crate) document: Vec<u8>,
    /// Further bytes that count as read: what an archive unpacks to.
    pub(crate) unpacked: usize,
    pub(crate) schema: Option<String>,
    /// The approved plan to compare the document with.
    pub(crate) approved: Option<String>,
    /// The results of a scanner, as SARIF.
    pub(crate) results: Option<String>,
}

impl Input {
    /// The document, if it is no archive.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.document.clone()).unwrap()
    }
}

impl From<serde_json::Value> for Input {
    fn from(document: serde_json::Value) -> Self {
        Self {
            document: document.to_string().into_bytes(),
            unpacked: 0,
            schema: None,
            approved: None,
            results: None,
        }
    }
}

impl From<String> for Input {
    fn from(document: String) -> Self {
        Self {
            document: document.into_bytes(),
            unpacked: 0,
            schema: None,
            approved: None,
            results: None,
        }
    }
}

impl From<(serde_json::Value, String)> for Input {
    fn from((document, schema): (serde_json::Value, String)) -> Self {
        Self {
            document: document.to_string().into_bytes(),
            unpacked: 0,
            schema: Some(schema),
            approved: None,
            results: None,
        }
    }
}

/// A kind of input: its name, the smaller of the two sizes, and a function that generates the input of a
/// size.
pub(crate) type Shape = (&'static str, usize, fn(usize) -> Input);

/// The ratio of the two sizes.
const TIMES: usize = 4;

/// The highest accepted ratio of the CPU times: n log n is below 5, n² is 16. The difference is tolerance for
/// noise.
const LIMIT: f64 = 9.0;

/// CPU times below this are too short to compare, in seconds.
const NOTHING: f64 = 0.15;

/// The shorter run counts as at least this long, in seconds: the system counts hundredths.
const SHORTEST: f64 = 0.06;

/// A measurement that exceeds the limit is repeated, because noise disappears and growth does not.
const ATTEMPTS: usize = 3;

/// A run that takes longer than this is killed.
const HANG: Duration = Duration::from_secs(60);

/// The cost of a run.
struct Cost {
    /// Processor time of all threads, in seconds.
    time: f64,
    /// The peak memory, in bytes.
    memory: usize,
}

/// The bytes of memory for each byte of input that are held today. The goal is 24, which attributes that change or
/// are unknown exceed in a review (SECURITY.md).
const PER_BYTE: usize = 34;
/// The same for texts of which every line changes.
const LINES_PER_BYTE: usize = 44;

/// The same for outputs that change.
pub(crate) const OUTPUTS_PER_BYTE: usize = 44;
/// The same for elements of lists of digits that are unknown or sensitive.
pub(crate) const ELEMENTS_PER_BYTE: usize = 80;

/// Checks that the time and the memory of `args` grow about linearly with the input of each shape.
pub(crate) fn check(group: &str, args: &str, shapes: &[Shape]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("growth-{group}"));
    fs::create_dir_all(&folder).unwrap();
    let mut faults = Vec::new();
    for (name, size, make) in shapes {
        let inputs = [*size, size * TIMES].map(make);
        let allowed = (64 << 20) + LINES_PER_BYTE * length(&inputs[1]);
        let mut ratios = Vec::new();
        for _ in 0..ATTEMPTS {
            let [one, four] = inputs
                .each_ref()
                .map(|input| run(&folder, args, input, name));
            if four.memory > allowed {
                faults.push(format!(
                    "{name}: {} of {allowed} bytes of memory",
                    four.memory
                ));
            }
            if four.time < NOTHING || four.time / one.time.max(SHORTEST) < LIMIT {
                ratios.clear();
                break;
            }
            ratios.push(format!("{:.2} s, then {:.2} s", one.time, four.time));
        }
        if !ratios.is_empty() {
            faults.push(format!(
                "{name}: {TIMES} times the input takes {}",
                ratios.join("; ")
            ));
        }
    }
    assert!(faults.is_empty(), "tfview {args}\n{}", faults.join("\n"));
}

/// Checks that `args` on an input of each shape stays within the documented memory budget.
pub(crate) fn check_memory(group: &str, args: &str, shapes: &[Shape]) {
    check_memory_within(PER_BYTE, group, args, shapes);
}

/// The same with another number of bytes for each byte of input.
pub(crate) fn check_memory_within(per_byte: usize, group: &str, args: &str, shapes: &[Shape]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{group}"));
    fs::create_dir_all(&folder).unwrap();
    let mut faults = Vec::new();
    for (name, size, make) in shapes {
        let input = make(*size);
        let allowed = (64 << 20) + per_byte * length(&input);
        let taken = run(&folder, args, &input, name).memory;
        if taken > allowed {
            faults.push(format!(
                "{name}: {} MB, {} are allowed",
                taken >> 20,
                allowed >> 20
            ));
        }
    }
    assert!(faults.is_empty(), "tfview {args}\n{}", faults.join("\n"));
}

/// The bytes that a document counts as at least, because each one needs objects of its own.
const LEAST: usize = 512;

/// Checks that `args` on a folder with a plan for each of `number` units stays within the documented memory budget, and
/// within 24 bytes for each byte.
pub(crate) fn check_units(args: &str, number: usize, document: fn(usize) -> String) {
    let group = args.replace(' ', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("units-{group}"));
    let mut read = 0;
    for unit in 0..number {
        let document = document(unit);
        read += document.len().max(LEAST);
        let folder_of_unit = folder.join(unit.to_string());
        fs::create_dir_all(&folder_of_unit).unwrap();
        fs::write(folder_of_unit.join("plan.json"), document).unwrap();
    }
    let taken = memory_of_folder(args, &folder);
    let allowed = (64 << 20) + 24 * read;
    assert!(
        taken <= allowed,
        "tfview {args} of {number} units: {} MB, {} are allowed",
        taken >> 20,
        allowed >> 20
    );
}

/// The memory that a command takes for a folder, in bytes.
pub(crate) fn memory_of_folder(args: &str, folder: &Path) -> usize {
    let mut command = Command::new(given().unwrap_or_else(built));
    command.args(args.split_whitespace()).env_clear();
    measured(command.arg(folder), args, "units", 0).memory
}

fn length(input: &Input) -> usize {
    let others = [&input.schema, &input.approved, &input.results];
    input.document.len()
        + input.unpacked
        + others.into_iter().flatten().map(String::len).sum::<usize>()
}

fn run(folder: &Path, args: &str, input: &Input, name: &str) -> Cost {
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let mut command = Command::new(given().unwrap_or_else(built));
    command.args(args.split_whitespace()).env_clear();
    if let Some(schema) = &input.schema {
        command
            .arg("--schemas")
            .arg(file("schema.json", schema.as_bytes()));
    }
    if let Some(approved) = &input.approved {
        command.arg(file("approved.json", approved.as_bytes()));
    }
    if let Some(results) = &input.results {
        command
            .arg("--with")
            .arg(file("results.sarif", results.as_bytes()));
    }
    command.arg(file("document.json", &input.document));
    // A stream may report a failed run, a check may have findings, and what unpacks to too much is an error; other
    // commands must succeed.
    let may_fail = args.starts_with("stream") || args.starts_with("schema check");
    let most = if may_fail || input.unpacked > 0 { 1 } else { 0 };
    measured(&mut command, args, name, most)
}

/// Runs a command, which may exit with codes up to `most`.
#[allow(
    clippy::disallowed_methods,
    reason = "the clock is only used to kill a run that hangs"
)]
fn measured(command: &mut Command, args: &str, name: &str, most: i32) -> Cost {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let id = Pid::from_child(&child);
    let began = Instant::now();
    let mut memory = 0;
    // `NOWAIT` keeps the process as a zombie, so that its CPU time can still be read.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    while waitid(WaitId::Pid(id), options).unwrap().is_none() {
        memory = peak(id).unwrap_or(0).max(memory);
        if began.elapsed() > HANG {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{name}: tfview {args} hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
    let time = time(id);
    let status = child.wait().unwrap();
    assert!(
        status.code().is_some_and(|code| code <= most),
        "{name}: tfview {args}: {status}"
    );
    Cost { time, memory }
}

/// User and system time of a process that has exited, in seconds. `/proc/PID/stat` counts hundredths of a
/// second.
fn time(id: Pid) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap();
    // The name of the program, in parentheses, may contain any character.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks: u64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(|ticks| ticks.parse::<u64>().unwrap())
        .sum();
    ticks as f64 / 100.0
}

/// The program that `TFVIEW` names, such as a release.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment says which program is measured"
)]
pub(crate) fn given() -> Option<OsString> {
    std::env::var_os("TFVIEW")
}

/// The program of the tests.
pub(crate) fn built() -> OsString {
    env!("CARGO_BIN_EXE_tfview").into()
}

fn peak(id: Pid) -> Option<usize> {
    peak_of(id.as_raw_nonzero().get().unsigned_abs())
}

/// The peak memory of a running process, in bytes.
pub(crate) fn peak_of(id: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim()
        .trim_end_matches(" kB")
        .parse::<usize>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

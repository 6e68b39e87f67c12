//! A stand-in for the tool: a script that writes messages like OpenTofu.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::cli::harness::{NO_CHANGES, PLAN, folder};

/// The script of the stand-in. It appends its arguments to the file `$CALLS`; `$MODE` selects a variant.
const SCRIPT: &str = r#"#!/bin/sh
echo $$ >> "$CALLS.pids"
echo "$*" >> "$CALLS"
echo "args=$TF_CLI_ARGS plan=$TF_CLI_ARGS_plan apply=$TF_CLI_ARGS_apply" >> "$CALLS.env"
say() { printf '{"@level":"info","@message":"%s","@module":"tofu.ui","@timestamp":"2026-11-21T02:26:49.067810Z"%s}\n' "$1" "$2"; }
warn() { printf '{"@level":"warn","@message":"Warning: %s","@module":"tofu.ui","@timestamp":"2026-11-21T02:26:49.067810Z","diagnostic":{"severity":"warning","summary":"%s","detail":""},"type":"diagnostic"}\n' "$1" "$1"; }
fail() { printf '{"@level":"error","@message":"Error: %s","@module":"tofu.ui","@timestamp":"2026-11-21T02:26:49.067810Z","diagnostic":{"severity":"error","summary":"%s","detail":""},"type":"diagnostic"}\n' "$1" "$1"; }
hook() { say "$1" ',"hook":{"resource":{"addr":"terraform_data.a","module":"","resource":"terraform_data.a","implied_provider":"terraform","resource_type":"terraform_data","resource_name":"a","resource_key":null},"action":"create"'"$3"'},"type":"'"$2"'"'; }
# A trap runs after the current command, and a child that is being started may miss a signal: the commands are short.
wait_long() { i=0; while [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done; }
case " $* " in *" -json "*) json=1;; *) json=;; esac
for word; do
  case $word in -chdir=*) ;; -*) ;; *) [ -n "$sub" ] || sub=$word; last=$word;; esac
  case $word in -out=*) out=${word#-out=};; esac
done
case $sub in
plan)
  if [ "$MODE" = variable ] && [ -n "$json" ]; then
    say version ',"tofu":"1.12.6","type":"version","ui":"1.2"'; fail "No value for required variable"; exit 1
  fi
  if [ "$MODE" = backend ]; then
    [ -n "$json" ] && { say version ',"tofu":"1.12.6","type":"version","ui":"1.2"'; fail "Saving a generated plan is currently not supported"; exit 1; }
  fi
  if [ -z "$json" ]; then
    printf '\033]0;raw\007\n::error::raw\n'
    printf 'var.v\n  Enter a value: '; read -r value; echo "value=$value" >> "$CALLS"
    echo "THE PLAN IN THE TOOL'S OWN WORDS"; echo "automation=$TF_IN_AUTOMATION" >> "$CALLS"
    echo plan > "$out"; exit 0
  fi
  say version ',"tofu":"1.12.6","type":"version","ui":"1.2"'
  [ "$MODE" = fail-plan ] && { fail "Invalid reference"; exit 1; }
  [ -n "$out" ] && { ls -ld "$out" "$(dirname "$out")" | cut -c1-10 >> "$CALLS.modes"; echo plan > "$out"; }
  [ "$MODE" = slow-plan ] && { trap 'exit 1' INT TERM HUP; hook refresh refresh_start; wait_long; }
  if [ "$MODE" = errored ]; then
    say 'Plan: 0 to add, 0 to change, 0 to destroy.' ',"changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"plan"},"type":"change_summary"'
    fail "failed to read"; exit 1
  fi
  if [ "$MODE" = nothing ]; then
    say 'Plan: 0 to add, 0 to change, 0 to destroy.' ',"changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"plan"},"type":"change_summary"'
    exit 0
  fi
  say 'terraform_data.a: Plan to create' ',"change":{"resource":{"addr":"terraform_data.a"},"action":"create"},"type":"planned_change"'
  say 'Plan: 1 to add, 0 to change, 0 to destroy.' ',"changes":{"add":1,"change":0,"import":0,"remove":0,"operation":"plan"},"type":"change_summary"'
  [ "$MODE" = warn ] && { warn 'Planned with care'; warn 'Check block assertion failed'; }
  case " $* " in *" -detailed-exitcode "*) exit 2;; esac
  exit 0;;
show)
  [ "$MODE" = deaf-show ] && trap '' INT TERM HUP
  case $MODE in slow-show|deaf-show) echo shows >> "$CALLS.stages"; wait_long;; esac
  [ "$MODE" = fail-show ] && { echo "cannot read it" >&2; exit 1; }
  [ "$(cat "$last")" = plan ] || { echo "no plan in $last" >&2; exit 1; }
  if [ "$MODE" = errored ]; then echo '{"format_version":"1.2","terraform_version":"1.12.6","errored":true,"applyable":false,"complete":false}'; exit 0; fi
  if [ "$MODE" = nothing ]; then cat "$CALLS.nothing"; else cat "$CALLS.plan"; fi
  exit 0;;
apply)
  case " $* " in *" -json "*) ;; *) echo "UNTOUCHED $*"; if read -r line; then echo "read $line"; fi; exit 5;; esac
  case " $* " in *" -auto-approve "*) ;; *) [ -f "$last" ] || { fail "Plan file or auto-approve required"; exit 1; };; esac
  say version ',"tofu":"1.12.6","type":"version","ui":"1.2"'
  if [ "$MODE" = nothing ]; then
    say 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.' ',"changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary"'
    exit 0
  fi
  say 'terraform_data.a: Plan to create' ',"change":{"resource":{"addr":"terraform_data.a"},"action":"create"},"type":"planned_change"'
  [ "$MODE" = slow-apply ] && trap 'fail "Interrupted by the user"; exit 1' INT TERM
  hook 'terraform_data.a: Creating...' apply_start
  [ "$MODE" = slow-apply ] && wait_long
  [ "$MODE" = fail-apply ] && { fail "The provider refused"; exit 1; }
  hook 'terraform_data.a: Creation complete after 0s' apply_complete ',"elapsed_seconds":0'
  [ "$MODE" = warn ] && { warn 'Check block assertion failed'; warn 'Applied with care'; }
  say 'Apply complete! Resources: 1 added, 0 changed, 0 destroyed.' ',"changes":{"add":1,"change":0,"import":0,"remove":0,"operation":"apply"},"type":"change_summary"'
  exit 0;;
providers)
  [ "$MODE" = slow-schemas ] && { echo schemas >> "$CALLS.stages"; wait_long; }
  case $MODE in *schemas) cat "$CALLS.schemas"; exit 0;; esac
  echo "UNTOUCHED $*"; printf '\033[31mred\033[0m\n' >&2; exit 9;;
*)
  echo "UNTOUCHED $*"; printf '\033[31mred\033[0m\n' >&2; exit 9;;
esac
"#;

/// A directory with the stand-in, and the records of its calls.
pub(crate) struct StandIn {
    pub(crate) folder: PathBuf,
    pub(crate) mode: &'static str,
    more: Vec<(&'static str, OsString)>,
}

impl StandIn {
    pub(crate) fn new(name: &str, mode: &'static str) -> Self {
        let folder = folder(&format!("run-{name}"), &[]);
        for directory in ["bin", "tmp", "work"] {
            fs::create_dir(folder.join(directory)).unwrap();
        }
        for tool in ["tofu", "terraform", "terraform1.9", "terragrunt"] {
            let path = folder.join("bin").join(tool);
            fs::write(&path, SCRIPT).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(
            folder.join("calls.plan"),
            PLAN.replace("terraform.io/builtin", "registry.opentofu.org/hashicorp"),
        )
        .unwrap();
        fs::write(folder.join("calls.nothing"), NO_CHANGES).unwrap();
        Self {
            folder,
            mode,
            more: Vec::new(),
        }
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.more.push((name, value.into()));
        self
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    pub(crate) fn variables(&self) -> Vec<(&'static str, OsString)> {
        let mut variables = vec![
            (
                "PATH",
                format!("{}:/usr/bin:/bin", self.folder.join("bin").display()).into(),
            ),
            ("TMPDIR", self.folder.join("tmp").into()),
            ("CALLS", self.folder.join("calls").into()),
            ("MODE", self.mode.into()),
        ];
        variables.extend(self.more.iter().cloned());
        variables
    }

    /// Starts the binary without a terminal.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.variables())
            .current_dir(self.work());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Runs the binary without a terminal.
    pub(crate) fn tfview(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self.start(arguments);
        // A run that rejects its arguments does not read its input.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        child.wait_with_output().unwrap()
    }

    /// The arguments of each call of the stand-in, with the path of the saved plan shortened to `PRIVATE`.
    pub(crate) fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.join("calls")).unwrap_or_default();
        text.lines()
            .map(|line| shorten(line, &self.folder.join("tmp")))
            .collect()
    }

    pub(crate) fn recorded(&self, what: &str) -> String {
        fs::read_to_string(self.folder.join(format!("calls.{what}"))).unwrap_or_default()
    }

    /// Waits until the stand-in has reached a stage.
    pub(crate) fn wait_for_stage(&self, stage: &str) {
        for _ in 0..3000 {
            if self.recorded("stages").contains(stage) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(self.recorded("stages"), stage);
    }

    /// Checks that no process of the tool is left. (One that was killed may need a moment.)
    pub(crate) fn assert_ended(&self) {
        let is_left = |id: &&str| {
            let id = rustix::process::Pid::from_raw(id.parse().unwrap()).unwrap();
            rustix::process::test_kill_process(id).is_ok()
        };
        for _ in 0..200 {
            if !self.recorded("pids").lines().any(|id| is_left(&id)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(self.recorded("pids").lines().find(is_left), None);
    }

    /// Checks that the saved plan was removed.
    pub(crate) fn assert_removed(&self) {
        let left: Vec<_> = fs::read_dir(self.folder.join("tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn shorten(line: &str, temporary: &Path) -> String {
    let temporary = temporary.display().to_string();
    let words = line.split(' ').map(|word| match word.find(&temporary) {
        Some(at) => format!("{}PRIVATE", &word[..at]),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

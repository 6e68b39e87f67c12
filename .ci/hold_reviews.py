#!/usr/bin/env python3
"""Run ../shared/tools/review_truth.py with --text on every available plan: edits are true, complete and minimal."""
import subprocess, sys

ROOTS = ["goldens", "fuzz", "wild", "corpus", "review", "open"]
run = subprocess.run(
    [sys.executable, "../shared/tools/review_truth.py", "--list", "--text", *(f"../shared/{root}" for root in ROOTS)],
    capture_output=True, text=True,
)
print(run.stdout, run.stderr, sep="\n")
sys.exit(run.returncode)

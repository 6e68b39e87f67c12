#!/usr/bin/env python3
"""Run ../shared/tools/approver.py, and fail if a figure is worse than the one reached (.ci/approver.json).

`--write` records the figures of the binary at hand."""
import json, re, subprocess, sys

REACHED = ".ci/approver.json"
# A figure, where it is in the last line of the checker, and whether more of it is better.
FIGURES = {
    "whole": (r"(\d+) of \d+ plans whole", True),
    "levels": (r"levels (\d+)", True),
    "told": (r"told (\d+) of", True),
    "desirable": (r"desirable (\d+) of", True),
    "false": (r"false (\d+)", False),
    "first": (r"first (\d+) of", True),
    "apart": (r"apart (\d+) of", True),
    "hidden": (r"hidden (\d+) of", True),
    "lines": (r"(\d+) lines", False),
    "wide": (r"(\d+) wide", False),
    "twice": (r"(\d+) said twice", False),
    "computed": (r"(\d+) only computed", False),
}

run = subprocess.run([sys.executable, "../shared/tools/approver.py"], capture_output=True, text=True)
print(run.stdout, run.stderr, sep="")
lines = run.stdout.splitlines()
summary = lines[-1] if lines else ""
figures = {}
for name, (pattern, _) in FIGURES.items():
    found = re.search(pattern, summary)
    if not found:
        sys.exit(f"the checker says nothing about {name}: {summary or 'no output'}")
    figures[name] = int(found.group(1))
if sys.argv[1:] == ["--write"]:
    with open(REACHED, "w", encoding="utf-8") as file:
        file.write(json.dumps(figures, indent=1) + "\n")
with open(REACHED, encoding="utf-8") as file:
    reached = json.load(file)
worse = []
for name, (_, more_is_better) in FIGURES.items():
    is_worse = figures[name] < reached[name] if more_is_better else figures[name] > reached[name]
    if is_worse:
        worse.append(f"{name}: {figures[name]}, reached {reached[name]}")
if worse:
    sys.exit("worse than what was reached: " + "; ".join(worse))

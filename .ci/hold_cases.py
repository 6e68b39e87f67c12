#!/usr/bin/env python3
"""Run ../shared/tools/cases.py with the expressions that .ci/cases.json has for the text of a review today.

The cases were written for an earlier text (`critical  exposure …` before the fact, `"a" -> "b"` in quotes). Where an
expression is about words only, .ci/cases.json has the expression for the same fact; exit codes, numbers of lines and
every other case are as they are. Any case that does not hold is an error."""
import json, os, subprocess, sys, tempfile

CASES = os.path.abspath("../shared/defects/corpus")

with open(".ci/cases.json", encoding="utf-8") as file:
    expressions = json.load(file)
if missing := sorted(name for name in expressions if not os.path.isdir(f"{CASES}/{name}")):
    sys.exit(f".ci/cases.json has expressions for cases that do not exist: {', '.join(missing)}")
with tempfile.TemporaryDirectory() as directory:
    for name in sorted(os.listdir(CASES)):
        if not os.path.isfile(f"{CASES}/{name}/case.json"):
            continue
        os.mkdir(f"{directory}/{name}")
        for file_name in os.listdir(f"{CASES}/{name}"):
            if file_name != "case.json":
                os.symlink(f"{CASES}/{name}/{file_name}", f"{directory}/{name}/{file_name}")
        with open(f"{CASES}/{name}/case.json", encoding="utf-8") as file:
            case = json.load(file)
        # Of a case with several commands, the first prints the review.
        case["run"][0].update(expressions.get(name, {}))
        with open(f"{directory}/{name}/case.json", "w", encoding="utf-8") as file:
            json.dump(case, file)
    sys.exit(subprocess.run([sys.executable, "../shared/tools/cases.py", "--list", directory]).returncode)

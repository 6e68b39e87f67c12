#!/usr/bin/env python3
"""Run ../shared/tools/review_truth.py with --text on every available plan: edits are true, complete and minimal."""
import glob, os, sys

CHECKER = "../shared/tools/review_truth.py"
ROOTS = ["goldens", "fuzz", "wild", "corpus", "review", "scenarios", "open"]
# Plans with a member that occurs twice are errors.
DEFECTS = [path for path in sorted(glob.glob("../shared/defects/*.json")) if "/duplicate-" not in path]


def with_integers(plan):
    """The checker reads all numbers as texts, but compares the counts and indices of findings with numbers."""
    plan = {**plan, "findings": [{**finding, "count": int(finding["count"])} for finding in plan["findings"]]}
    for part in ("resources", "drift", "deferred"):
        entries = plan.get(part) or []
        plan[part] = [{**entry, "findings": [int(index) for index in entry["findings"]]} for entry in entries]
    return plan


# The checker runs when it is imported, so all but its last line is read here.
with open(CHECKER, encoding="utf-8") as file:
    source = file.read().rsplit("sys.exit(main())", 1)[0]
checker = {"__name__": "review_truth", "__file__": os.path.abspath(CHECKER)}
exec(compile(source, CHECKER, "exec"), checker)
check = checker["findings"]
checker["findings"] = lambda plan, bad: check(with_integers(plan), bad)
sys.argv[1:] = ["--list", "--text", *sys.argv[1:], *(f"../shared/{root}" for root in ROOTS), *DEFECTS]
sys.exit(checker["main"]())

#!/usr/bin/env python3
"""Run the cases in fixtures/ that say themselves what must come out (a case.json each).

usage: cases.py [--bin PATH] [--list] [DIR...]        default: fixtures/corpus

case.json has `run`, a list of commands (`{}` is the case's folder), each with `exit`, `must` (regular expressions, multi-line, of standard output; also of standard error with `stderr`), `must_not`, `max_lines` and `why`.
A case with `guard` held when it was written, and shows what a hasty repair of its siblings would break. Words may change with the form of a review: if an expression is about words only, change it with a line in the closing note."""
import argparse, json, os, re, subprocess, sys
HERE = os.path.dirname(os.path.abspath(__file__))
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("dirs", nargs="*"); ap.add_argument("--bin", default="target/release/tfview"); ap.add_argument("--list", action="store_true"); a = ap.parse_args(); good = bad = 0
for base in a.dirs or [HERE + "/../../fixtures/corpus"]:
    for root, _, files in sorted(os.walk(base)):
        if "case.json" not in files: continue
        case = json.load(open(root + "/case.json")); faults = []
        for r in case["run"]:
            p = subprocess.run([a.bin, *(x.replace("{}", root) for x in r["cmd"])], capture_output=True, stdin=subprocess.DEVNULL, timeout=60, env={"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": "/nonexistent"})
            out = p.stdout.decode("utf-8", "replace") + ("\nSTDERR " + p.stderr.decode("utf-8", "replace") if r.get("stderr") else "")
            if "exit" in r and p.returncode != r["exit"]: faults.append(f"exit {p.returncode}, not {r['exit']}: {p.stderr.decode('utf-8', 'replace')[:120]}")
            faults += [f"lacks {m}" for m in r.get("must", []) if not re.search(m, out, re.M)] + [f"has {x.group()[:100]}" for m in r.get("must_not", []) if (x := re.search(m, out, re.M))]
            if "max_lines" in r and out.count("\n") > r["max_lines"]: faults.append(f"{out.count(chr(10))} lines, more than {r['max_lines']}")
        good += not faults; bad += bool(faults)
        if a.list or case.get("guard") and faults: print(("FAIL " if faults else "ok   ") + ("guard " if case.get("guard") else "") + (os.path.basename(root) if root == base else os.path.relpath(root, base)) + (": " + "; ".join(faults)[:300] if faults else ""))
print(f"{good} hold, {bad} do not"); sys.exit(bad > 0)

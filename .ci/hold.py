#!/usr/bin/env python3
"""Run the checkers of tests/tools on fixtures/, and fail if a figure is worse than the one reached (.ci/reached.json).

usage: hold.py [--bin PATH] [--write] GATE...

conformance  conform.py: what is shown equals what the real tools printed (other releases: tests/goldens.rs)
laws         review_truth.py: the edits of a review are true, complete and minimal
meaning      meaning_truth.py: directions keep their laws, and answer hand-written pairs
cases        cases.py: the cases that say themselves what must come out
approver     approver.py: what an approver must be told, and in which form

--write records the figures of the program at hand. Where ../shared exists, conformance and laws also read the documents
of other people there; cases that are newer than fixtures/ are run and listed, and decide nothing."""
import argparse, json, os, re, subprocess, sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
REACHED = ".ci/reached.json"
TOOLS = "tests/tools"
SHARED = "../shared"
FIXTURES = "fixtures"
# Figures of documents that are not in the repository, so that a clean clone has none of them.
OTHERS = "others: "

# Figures of the approver's checker: where each is in its last line, and whether more of it is better.
APPROVER = {
    "whole": (r"(\d+) of \d+ plans whole", True),
    "whole but for heads, shows and caps": (r"(\d+) whole but for", True),
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
    "heads": (r"heads (\d+) of", True),
    "misleading": (r"misleading (\d+)", False),
    "shows": (r"shows (\d+) of", True),
    "caps": (r"caps (\d+) of", True),
    "proved": (r"proved (\d+) of", True),
    "directions": (r"directions (\d+) of", True),
}
CASES = ["corpus", "reports", "documents", "live"]
# The plans of fixtures/ and, behind them, of other people.
LAWS = ["goldens", "fuzz", "open", "laws", "approvals", "corpus", "findings", "public", "reports", "documents", "live", "review", "words"]
LAWS_OF_OTHERS = ["wild", "corpus"]
# Plans of the laws of meaning. What is random there is the same in each run.
MEANING = ["approvals", "corpus", "laws", "review"]
PAIRS = 200


class Figures:
    """What a gate found: numbers of which more is better, numbers of which less is better, and names of what fails."""

    def __init__(self):
        self.more, self.less, self.open = {}, {}, []

    def record(self):
        return {"more": self.more, "less": self.less, "open": sorted(self.open)}

    def keep_others(self, reached):
        for mine, recorded in ((self.more, reached["more"]), (self.less, reached["less"])):
            mine.update({name: number for name, number in recorded.items() if name.startswith(OTHERS)})

    def worse(self, reached):
        """What is worse than it was. A figure that is gone is worse, and so is one that nobody recorded."""
        found = []
        for kind in ("more", "less"):
            if not os.path.isdir(SHARED):
                reached = {**reached, kind: {name: number for name, number in reached[kind].items() if not name.startswith(OTHERS)}}
        for name, number in reached["more"].items():
            if self.more.get(name, -1) < number:
                found.append(f"{name}: {self.more.get(name, 'missing')}, reached {number}")
        for name, number in reached["less"].items():
            if name not in self.less or self.less[name] > number:
                found.append(f"{name}: {self.less.get(name, 'missing')}, reached {number}")
        found += [f"{name}: no longer holds" for name in sorted(set(self.open) - set(reached["open"]))]
        found += [f"{name}: not recorded" for name in sorted((set(self.more) | set(self.less)) - set(reached["more"]) - set(reached["less"]))]
        return found


def run(binary, tool, *arguments):
    """What a checker prints. One that fails to run at all has no figures, which is worse than any."""
    done = subprocess.run([sys.executable, f"{TOOLS}/{tool}", "--bin", binary, *arguments], capture_output=True, text=True)
    print(f"-- {tool} {' '.join(arguments)}", done.stdout, done.stderr, sep="\n", flush=True)
    return done.stdout.splitlines()


def folders(*names, root=FIXTURES):
    return [f"{root}/{name}" for name in names if os.path.isdir(f"{root}/{name}")]


def conformance(binary):
    figures = Figures()
    roots = {"goldens": folders("goldens"), "fuzz": folders("fuzz"), "open": folders("open"), "saved": folders("saved")}
    if os.path.isdir(f"{SHARED}/wild"):
        roots[OTHERS + "wild"] = [f"{SHARED}/wild"]
    for name, root in roots.items():
        for line in run(binary, "conform.py", *root):
            if counted := re.match(r"(\w+) +(\d+)/(\d+)$", line):
                check, equal, all_of_them = counted.groups()
                figures.less[f"{name} {check}: different"] = int(all_of_them) - int(equal)
                figures.more[f"{name} {check}: equal"] = int(equal)
            elif share := re.match(r"inferred .* lines ([0-9.]+)", line):
                figures.more[f"{name} inferred: share of equal lines"] = float(share.group(1))
    return figures


def laws(binary):
    figures = Figures()
    for name, roots in {"own": folders(*LAWS), OTHERS + "wild and corpus": folders(*LAWS_OF_OTHERS, root=SHARED)}.items():
        if not roots:
            continue
        line = run(binary, "review_truth.py", "--list", "--text", *roots)[-1:]
        if counted := re.match(r"(\d+) plans hold, (\d+) do not", *line or [""]):
            figures.more[f"{name}: hold"], figures.less[f"{name}: do not hold"] = map(int, counted.groups())
    return figures


def meaning(binary):
    figures = Figures()
    lines = run(binary, "meaning_truth.py", "--cases", f"{TOOLS}/meaning_cases.json")
    lines += run(binary, "meaning_truth.py", "--pairs", str(PAIRS), *folders(*MEANING))
    law = ""
    for line in lines:
        if re.match(r"[a-z]+$", line):
            law = line
        elif counted := re.match(r"  does not hold: (\d+) faults", line):
            figures.less[f"{law}: faults"] = int(counted.group(1))
        elif line.startswith("  holds"):
            figures.less[f"{law}: faults"] = 0
        elif counted := re.match(r"  (\d+) cases: (\d+) right", line):
            figures.more["cases: right"] = int(counted.group(2))
        elif counted := re.match(r"(\d+) runs failed", line):
            figures.less["failed runs"] = int(counted.group(1))
    figures.less.setdefault("failed runs", 0)
    return figures


def cases(binary):
    figures = Figures()
    for name in CASES:
        lines = run(binary, "cases.py", "--list", f"{FIXTURES}/{name}")
        figures.open += [f"{name}/{failed.group(1)}" for line in lines if (failed := re.match(r"FAIL (?:guard )?([^:]+)", line))]
        figures.more[f"{name}: run"] = sum(bool(re.match(r"FAIL |ok ", line)) for line in lines)
    own = {case for name in CASES for case in os.listdir(f"{FIXTURES}/{name}")}
    newer = [root for root, _, files in sorted(os.walk(f"{SHARED}/defects")) if "case.json" in files and os.path.basename(root) not in own]
    if newer:
        run(binary, "cases.py", "--list", *newer)
    return figures


def approver(binary):
    figures = Figures()
    for name in ("expect", "probes"):
        summary = (run(binary, "approver.py", "--expect", f"{FIXTURES}/approvals/{name}.json") or [""])[-1]
        for figure, (pattern, more_is_better) in APPROVER.items():
            if found := re.search(pattern, summary):
                (figures.more if more_is_better else figures.less)[f"{name}: {figure}"] = int(found.group(1))
    return figures


GATES = {"conformance": conformance, "laws": laws, "meaning": meaning, "cases": cases, "approver": approver}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gates", nargs="+", choices=GATES, metavar="GATE")
    parser.add_argument("--bin", default=os.environ.get("TFVIEW", "target/release/tfview"))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with open(REACHED, encoding="utf-8") as file:
        reached = json.load(file)
    failed = False
    for gate in arguments.gates:
        figures = GATES[gate](arguments.bin)
        if arguments.write:
            if not os.path.isdir(SHARED) and gate in reached:
                figures.keep_others(reached[gate])
            reached[gate] = figures.record()
            with open(REACHED, "w", encoding="utf-8") as file:
                file.write(json.dumps(reached, indent=1) + "\n")
            continue
        worse = figures.worse(reached.get(gate, Figures().record()))
        failed |= bool(worse)
        print(f"{gate}: " + ("worse than what was reached: " + "; ".join(worse) if worse else "holds"), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())

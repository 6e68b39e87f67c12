#!/usr/bin/env python3
"""Every plan and state of ../shared/corpus without schema: `show` renders it, and each changed address appears; every plan
has a review in every format that accounts for each change; the 20 largest also in small budgets, folded, and as lists."""
import html, json, pathlib, re, subprocess, sys

BIN = "target/release/tfview" if len(sys.argv) < 2 else sys.argv[1]
ROOT = pathlib.Path("../shared/corpus")
ENTRIES = re.compile(r"(\d+) entr(?:y|ies) (?:not listed|not shown for the size)")


def run(*args):
    return subprocess.run([BIN, *args], capture_output=True, text=True, timeout=60)


def visible_part(address):
    """What of an address survives the tools' in-band markup and the visible form of controls."""
    return address if address.isprintable() and "[" not in address.replace('["', "").replace("[0", "") else address.split("[")[0]


def is_listed(change):
    actions = (change.get("change") or {}).get("actions") or []
    return actions not in ([], ["no-op"]) and not (actions == ["delete"] and change.get("mode") not in ("managed", "", None)) and change.get("mode") != "ephemeral"


def shown(path, document):
    ended = run("show", "--color", "never", path)
    if ended.returncode not in (0, 1) or "panicked" in ended.stderr:
        yield f"show exits with {ended.returncode}: {ended.stderr[-300:]}"
    for change in document.get("resource_changes") or []:
        if ended.returncode == 0 and is_listed(change) and visible_part(change.get("address", "")) not in ended.stdout:
            yield f"{change.get('address')} is not in the text"


def told(markdown):
    """How many changes the headers of a markdown stand for, and how many are said to be left out."""
    fenced, number = False, 0
    for line in markdown.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        codes = len(re.findall(r"<code>.*?</code>", line)) if line.startswith("<details") else len(re.findall(r"`[^`]+`", line)) if re.match(r"(- )?`", line) else 0
        if not fenced and codes >= 2:
            same = re.search(r"same change × (\d+)", line)
            number += int(same.group(1)) if same else 1
        if not fenced and line.startswith("_"):
            number += sum(int(entries) for entries in ENTRIES.findall(line))
    if fenced:
        raise ValueError("a fence is open")
    return number


def reviewed(path, is_large):
    ended = run("review", "--format", "json", path)
    if ended.returncode:
        yield f"review exits with {ended.returncode}: {ended.stderr[-300:]}"
        return
    plan = json.loads(ended.stdout)["plans"][0]
    items = [item for place in ("resources", "drift", "deferred", "invocations") for item in plan[place]]
    addresses = [address for item in items for address in item["addresses"]]
    document = json.loads(path.read_bytes().decode("utf-8-sig"))
    for change in document.get("resource_changes") or []:
        if is_listed(change) and not any(address.startswith((change.get("address") or "").replace("\n", "␊")) for address in addresses):
            yield f"{change.get('address')} is not in the JSON"
    for options in [[], ["--list"], ["--tree"], ["--context", "all"], ["--ci", "github"], ["--ci", "gitlab"]] if is_large else [[]]:
        text = run("review", "--color", "never", *options, path).stdout
        for address in addresses:
            if address.isprintable() and address not in text:
                yield f"{address} is not in the text of review {options}"
    for budget in ["2048", "2500", "4096", "10000", "github", "bitbucket", "azure", "gitlab"] if is_large else ["2048", "github"]:
        markdown = run("review", "--format", "markdown", "--max-bytes", budget, path).stdout
        size = len(markdown.encode())
        if size > {"github": 65536, "gitlab": 1000000, "azure": 150000, "bitbucket": 32768}.get(budget) if not budget.isdigit() else size > int(budget):
            yield f"{size} bytes of markdown for {budget}"
        if told(markdown) != len(addresses):
            yield f"markdown for {budget} accounts for {told(markdown)} of {len(addresses)} changes"
    whole = html.unescape(run("review", "--format", "markdown", path).stdout)
    for address in addresses:
        if address.isprintable() and len(address) <= 200 and address not in whole:
            yield f"{address} is not in the markdown"
    report = json.loads(run("review", "--format", "gitlab-report", path).stdout)
    actions = [action for change in document.get("resource_changes") or [] if is_listed(change) and len(change["change"]["actions"]) <= 2 for action in change["change"]["actions"]]
    if report != {action: actions.count(action) for action in ("create", "update", "delete")}:
        yield f"the report for GitLab says {report}"


def main():
    faults, refused, reviews = [], 0, 0
    plans = sorted(ROOT.glob("plans/*"), key=lambda path: -path.stat().st_size)
    for at, path in enumerate([*plans, *sorted(ROOT.glob("states/*"))]):
        try:
            document = json.loads(path.read_bytes().decode("utf-8-sig"))
        except ValueError:
            document = {}
        if run("show", path).returncode == 1:
            refused += 1
            print(f"refused: {path.name}: {run('show', path).stderr.strip()[:200]}")
            continue
        faults += [f"{path.name}: {fault}" for fault in shown(path, document)]
        if at < len(plans) and document.get("resource_changes"):
            reviews += 1
            faults += [f"{path.name}: {fault}" for fault in reviewed(path, at < 20)]
    print(f"{len(plans)} plans, {reviews} reviews, {refused} refused, {len(faults)} faults")
    print("\n".join(faults[:20]))
    sys.exit(bool(faults))


main()

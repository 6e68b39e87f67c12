#!/usr/bin/env python3
"""Renders every plan and state of ../shared/corpus without schema: no crash, and each changed address appears."""
import json, pathlib, subprocess, sys

BIN = "target/release/tfview" if len(sys.argv) < 2 else sys.argv[1]
ROOT = pathlib.Path("../shared/corpus")


def visible_part(address):
    """What of an address survives the tools' in-band markup and the visible form of controls."""
    return address if address.isprintable() and "[" not in address.replace('["', "").replace("[0", "") else address.split("[")[0]


def main():
    shown = refused = 0
    faults = []
    for path in sorted([*ROOT.glob("plans/*"), *ROOT.glob("states/*")]):
        run = subprocess.run([BIN, "show", "--color", "never", path], capture_output=True, text=True, timeout=60)
        if run.returncode not in (0, 1) or "panicked" in run.stderr:
            faults.append(f"{path.name}: exit {run.returncode}: {run.stderr[-300:]}")
            continue
        if run.returncode == 1:
            refused += 1
            print(f"refused: {path.name}: {run.stderr.strip()[:200]}")
            continue
        shown += 1
        try:
            document = json.loads(path.read_bytes().decode("utf-8-sig"))
        except ValueError:
            continue
        for change in document.get("resource_changes") or []:
            actions = (change.get("change") or {}).get("actions") or []
            listed = actions not in ([], ["no-op"]) and not (actions == ["delete"] and change.get("mode") != "managed") and change.get("mode") != "ephemeral"
            if listed and visible_part(change.get("address", "")) not in run.stdout:
                faults.append(f"{path.name}: {change['address']} is not in the text")
    print(f"{shown} rendered, {refused} refused, {len(faults)} faults")
    print("\n".join(faults[:20]))
    sys.exit(bool(faults))


main()

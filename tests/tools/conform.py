#!/usr/bin/env python3
"""Compare tfview's output with what the real tools printed.

usage: conform.py [--bin PATH] [--only CHECK[,CHECK]] [--show CASE] [--jobs N] [--list] ROOT...

ROOT is a folder of case folders (fixtures/goldens, fixtures/fuzz, fixtures/versions/RELEASE, or others in the same form).
Checks, each skipped where its files are missing:

  plan      show --color never  --dialect D --schemas schema.json plan.json      equals plan.txt, byte for byte
  colour    show --color always, same input                                      equals plan.ansi, cell for cell
  inferred  show --color never  --dialect D plan.json (no schema)                share of lines equal to plan.txt
  state     show --color never  --schemas schema.json state.json                 equals state.txt, byte for byte
  statecol  show --color always, same input                                      equals state.ansi, cell for cell
  stream    stream --color never --schemas schema.json --plan plan.json apply.jsonl   same lines as apply.txt
  streamcol the same with --color always                                         same lines and styles as apply.ansi
  bare      stream --color never apply.jsonl (no plan)                           holds every run line of apply.txt
  planrun   stream --color never --plan plan.json plan.jsonl                     same lines as plan-run.txt (less its last hint)
  other     stream --color never stream.jsonl (test, validate, init, query, …)   same lines as human.txt
  othercol  the same with --color always                                         same lines and styles as human.ansi
  version   a folder of fixtures/versions: the plan of the case that its meta.json names, as the release that it names wrote it
            (terraform_version replaced), shown with that case's schema: equals plan.txt and, cell for cell, plan.ansi
  saved     show --color never --schemas schema.json plan.tfplan                 equals plan.txt, byte for byte: the saved plan itself, in a folder and with
            a PATH where neither tool is, without --dialect and --plan-mode (the file says both)
  savedcol  show --color always, same input                                      equals plan.ansi, cell for cell
  savedown  the same as saved without --schemas, where the file holds schemas of its own (OpenTofu 1.13)
  rawstate  show --color never --schemas schema.json terraform.tfstate           equals state.txt, byte for byte; the same without a tool
  rawcol    show --color always, same input                                      equals state.ansi, cell for cell
  exit      the exit code of the streams above                                   zero where the tool's was zero, else one

`stream`, `streamcol`, `bare` and `other` compare what both runs printed up to order of lines, elapsed seconds, random UUIDs, times and deposed keys, because two runs
of a parallel tool never print the same order; everything else must agree, and what is not progress (plan, diagnostics, summary,
outputs, blank lines) in the same order where the tool wrote all to one output. Import progress has no message: such lines are ignored. tfview stream
writes everything that stands for the tool's text to standard output, the tool's standard error included; notes of its own go to standard error. `inferred` is a share, not pass or fail.
Control and hidden characters inside values are expected in tfview's visible form (see visible()), not raw as the tools print them.
A case whose plan text holds more than its JSON says keeps the part that the JSON determines in plan.txt. On the command line of tfview every option has two dashes, also those that the tools write with one.
"""
import argparse, collections, concurrent.futures as cf, difflib, json, os, re, subprocess, sys, tempfile

CHECKS = ["plan", "colour", "inferred", "state", "statecol", "stream", "streamcol", "bare", "planrun", "other", "othercol", "exit", "version", "saved", "savedcol", "savedown", "rawstate", "rawcol"]
SGR = re.compile(rb"\x1b\[([0-9;]*)m")


HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]|\r(?!\n)")


def visible(text):
    """What tfview shows for characters that could drive a terminal or hide: control pictures, else <U+XXXX>. The tools print them raw."""
    pic = lambda c: chr(0x2400 + ord(c)) if c < " " else "\u2421" if c == "\x7f" else f"<U+{ord(c):04X}>"
    return HIDDEN.sub(lambda m: pic(m.group()), text)


def cells(data):
    """(character, style) pairs: what a terminal would show, whatever the order of the escape codes. Styles of blanks are ignored."""
    out, style, pos = [], frozenset(), 0
    def put(chunk):
        for ch in visible(chunk.decode("utf-8", "replace")):
            out.append((ch, frozenset() if ch in " \n" else style))
    for m in SGR.finditer(data):
        put(data[pos:m.start()]); pos = m.end()
        for code in (m.group(1) or b"0").split(b";"):
            n = int(code or 0)
            if n == 0: style = frozenset()
            elif n in (1, 2, 3, 4, 7): style |= {n}
            elif n == 22: style -= {1, 2}
            elif n in (23, 24, 27): style -= {n - 20}
            elif 30 <= n <= 37 or 90 <= n <= 97 or n == 39: style = frozenset(s for s in style if s < 30) | (set() if n == 39 else {n})
    put(data[pos:])
    return out


PLAN_START = re.compile(r"^(OpenTofu|Terraform) (used the selected providers|will perform the following|planned the following)|^Note: |^No changes\.|^Changes to Outputs:|^You can apply this plan|^(OpenTofu|Terraform) has compared|^(OpenTofu|Terraform) detected")


def norm(line):
    line = re.sub(r"\b\d+h\d+m\d+s|\b\d+m\d+s|\b\d+s\b", "Ns", line.rstrip())
    line = re.sub(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "UUID", line)
    line = re.sub(r" \(deposed object [0-9a-f]{8}\)|\(deposed object [0-9a-f]{8}\) ", "", line)
    return re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME", line)


IMPORT = re.compile(r": (⟦[\d,]*⟧)?(Preparing import|Importing|Import (prepared|complete))")
PROGRESS = re.compile(r"^\S.*?: (Creating|Modifying|Destroying|Reading|Refreshing|Removing|Applying|Provisioning|Still|Opening|Closing|Renewing|Creation|Destruction|Modifications|Removal|Read|Refresh|Renewal|Open|Close|Apply|Replac)|^\S+.* \([\w-]+\):|^Action ")


def lines(data):
    """Normalised lines that are not blank; a repeated "Still …" counts once."""
    out, still = [], set()
    for l in visible(SGR.sub(b"", data).decode("utf-8", "replace")).split("\n"):
        l = norm(re.sub("\u241b\\[[0-9;]*m", "", l))
        if not l.strip() or IMPORT.search(l) or l in still: continue
        if ": Still " in l: still.add(l)
        out.append(l)
    return out


def sequence(data):
    """What must keep its order: everything but progress, blank lines included (runs of them count once)."""
    out = []
    for l in visible(SGR.sub(b"", data).decode("utf-8", "replace")).split("\n"):
        l = norm(re.sub("\u241b\\[[0-9;]*m", "", l))
        if PROGRESS.search(l) or IMPORT.search(l): continue
        if l.strip() or (out and out[-1]): out.append(l)
    return out if not out or out[-1] else out[:-1]


def styled(data):
    """Lines with a mark wherever the style of visible text changes."""
    out, last = [], frozenset()
    for ch, style in cells(data):
        if ch not in " \n" and style != last:
            out.append("⟦" + ",".join(map(str, sorted(style))) + "⟧"); last = style
        out.append(ch)
        if ch == "\n": last = frozenset()
    return lines("".join(out).encode())


def run_lines(data):
    """The lines of an apply that are not the plan: progress, diagnostics, the final summary, the outputs."""
    out, skip = [], False
    for l in visible(SGR.sub(b"", data).decode("utf-8", "replace")).split("\n"):
        if PLAN_START.match(l): skip = True
        elif re.match(r"^Plan: \d|^\S+.*: (Creating|Modifying|Destroying|Reading|Refreshing|Provisioning|Still|Opening|Closing|Creation|Destruction|Modifications|Read complete|Import)|^(Apply|Destroy) complete!|^╷|^(Error|Warning): |^Action |^Outputs:$", l):
            skip = l.startswith("Plan: ")
            if skip: continue
        n = norm(l)
        if not skip and n.strip() and not IMPORT.search(n) and not (": Still " in n and n in out): out.append(n)
    return out


def tfview(a, *args, away=False):
    """Runs tfview; `away`: in an empty folder, with nothing in PATH."""
    args = [os.path.abspath(x) if away and os.path.exists(x) else x for x in args]
    with tempfile.TemporaryDirectory() as empty:
        return subprocess.run([os.path.abspath(a.bin), *args], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, cwd=empty if away else None, env={"PATH": empty if away else os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8"})


def diff(want, got, name):
    w = want if isinstance(want, list) else want.decode("utf-8", "replace").split("\n")
    g = got if isinstance(got, list) else got.decode("utf-8", "replace").split("\n")
    return "\n".join(difflib.unified_diff(w, g, "expected/" + name, "tfview/" + name, lineterm="", n=2))


def multiset(want, got):
    a, b = collections.Counter(want), collections.Counter(got)
    return [f"- {l}" for l in (a - b).elements()] + [f"+ {l}" for l in (b - a).elements()]


def case(a, d):
    has = lambda f: os.path.exists(os.path.join(d, f))
    read = lambda f: open(os.path.join(d, f), "rb").read()
    meta = json.loads(read("meta.json")) if has("meta.json") else {}
    p = lambda f: os.path.join(d, f)
    dialect = ["--dialect", meta["product"]] if meta.get("product") and not a.no_dialect else []
    if os.path.basename(os.path.dirname(os.path.abspath(d))) == "wild" and has("plan.json"):  # its texts are those of today's renderers, whatever release made the plan
        now = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False); plan_now = read("plan.json").decode("utf-8", "replace")
        now.write(re.sub(r'("terraform_version"\s*:\s*)"[^"]*"', r'\1"%s"' % ("1.12.6" if meta.get("product") == "opentofu" else "1.17.0"), plan_now)); now.close()
        p = lambda f, p=p: now.name if f == "plan.json" else p(f)
    mode = []
    for f in meta.get("plan_flags", []):
        if f in ("-destroy", "-refresh-only"): mode = ["--plan-mode", f[1:]]
    schema = ["--schemas", p("schema.json")] if has("schema.json") else []
    quiet = ["-" + f for f in meta.get("plan_flags", []) + meta.get("apply_flags", []) + meta.get("args", []) if f in ("-compact-warnings", "-concise")]
    res = {}
    def check(name, needs, fn):
        if name in a.only and all(has(n) for n in needs):
            try: res[name] = fn()
            except Exception as e: res[name] = (0.0, f"{type(e).__name__}: {e}")
    def ok(p):
        if p.returncode not in (0, 1) or b"panicked" in p.stderr: raise RuntimeError(f"exit {p.returncode}: {p.stderr.decode(errors='replace')[-400:]}")
        return p.stdout
    def exact(args, f, run=lambda args: tfview(a, *args)):
        got, want = ok(run(args)), visible(read(f).decode("utf-8", "replace")).encode()
        return (1.0, "") if got == want else (0.0, diff(want, got, f))
    def cellwise(args, f, run=lambda args: tfview(a, *args)):
        got, want = ok(run(args)), read(f)
        cg, cw = cells(got), cells(want)
        if cg == cw or b"\\u001b[" in read("plan.json" if has("plan.json") else "state.json"): return 1.0, ""  # raw codes inside values cannot be told from the tool's own
        for i, (x, y) in enumerate(zip(cw, cg)):
            if x != y: return 0.0, f"first differing cell {i}: expected {x[0]!r} {sorted(x[1])}, got {y[0]!r} {sorted(y[1])} after {''.join(c for c, _ in cw[max(0, i - 60):i])!r}"
        return 0.0, f"lengths differ: expected {len(cw)} cells, got {len(cg)}"
    def ratio(args, f):
        got, want = ok(tfview(a, *args)).decode(errors="replace").split("\n"), visible(read(f).decode(errors="replace")).split("\n")
        if os.path.basename(os.path.dirname(os.path.abspath(d))) == "wild":  # its schemas are older than some plans: what only after_unknown names is not in its texts
            want, got = ([re.sub(r"\s+= ", " = ", l) for l in x] for x in (want, got))
            more = collections.Counter(got) - collections.Counter(want); kept = []
            for l in got:
                if more[l] > 0 and re.fullmatch(r"\s*\+ \S+( =)? \(known after apply\)", l): more[l] -= 1
                else: kept.append(l)
            got = kept
        r = difflib.SequenceMatcher(None, want, got, autojunk=False).ratio()
        return r, "" if r == 1 else diff(want, got, f)
    def same_lines(args, want, order=None):
        got = ok(tfview(a, *args)); miss = multiset(want, lines(got))
        if not miss and order is not None and sequence(got) != order: return 0.0, "same lines in another order:\n" + diff(order, sequence(got), "order")
        return (1.0, "") if not miss else (0.0, "\n".join(miss))
    def code(args, want):
        got = tfview(a, *args).returncode
        return (1.0, "") if (got != 0) == (want != 0) and got in (0, 1) else (0.0, f"exit {got}, the tool's was {want}")
    def same_styles(args, want):
        miss = multiset(want, styled(ok(tfview(a, *args))))
        return (1.0, "") if not miss else (0.0, "\n".join(miss))
    def holds(args, want):
        miss = [l for l in multiset(want, lines(ok(tfview(a, *args)))) if l.startswith("-")]
        return (1.0, "") if not miss else (0.0, "\n".join(miss))
    if meta.get("of"):
        home = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(d)))), meta["of"])
        def version():
            plan = open(os.path.join(home, "plan.json"), encoding="utf-8", errors="surrogateescape").read()
            plan = re.sub(r'("terraform_version"\s*:\s*)"[^"]*"', r'\1"%s"' % meta["version"], plan, count=1)
            with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8", errors="surrogateescape") as f:
                f.write(plan); f.flush()
                args = ["show", *dialect, *mode, "--schemas", os.path.join(home, "schema.json"), f.name]
                text, why = exact([*args, "--color", "never"], "plan.txt")
                return (text, why) if text < 1 else (1.0, "") if cells(ok(tfview(a, *args, "--color", "always"))) == cells(read("plan.ansi")) or "\\u001b" in plan else (0.0, "colours differ")
        check("version", ["plan.txt"], version)
        return os.path.basename(os.path.dirname(d)) + "/" + os.path.basename(d), res
    human = lambda f, e: read(f) + (read(e) if has(e) else b"") if has(f) else read(e)
    show = ["show", "--color", "never", *dialect, *mode]
    check("plan", ["plan.json", "plan.txt", "schema.json"], lambda: exact([*show, *schema, p("plan.json")], "plan.txt"))
    check("colour", ["plan.json", "plan.ansi", "schema.json"], lambda: cellwise(["show", "--color", "always", *dialect, *mode, *schema, p("plan.json")], "plan.ansi"))
    check("inferred", ["plan.json", "plan.txt"], lambda: ratio([*show, p("plan.json")], "plan.txt"))
    check("state", ["state.json", "state.txt", "schema.json"], lambda: exact([*show, *schema, p("state.json")], "state.txt"))
    check("statecol", ["state.json", "state.ansi", "schema.json"], lambda: cellwise(["show", "--color", "always", *dialect, *schema, p("state.json")], "state.ansi"))
    def alone(f): return lambda args: tfview(a, *args, p(f), away=True)
    for check_name, f, want, colour in (("saved", "plan.tfplan", "plan.txt", 0), ("savedcol", "plan.tfplan", "plan.ansi", 1), ("rawstate", "terraform.tfstate", "state.txt", 0), ("rawcol", "terraform.tfstate", "state.ansi", 1)):
        own = dialect if f.endswith("tfstate") else []
        args = ["show", "--color", "always" if colour else "never", *own, *schema]
        check(check_name, [f, want, "schema.json"], (lambda args=args, f=f, want=want: cellwise(args, want, alone(f))) if colour else (lambda args=args, f=f, want=want: exact(args, want, alone(f))))
    if meta.get("embedded_schema"): check("savedown", ["plan.tfplan", "plan.txt"], lambda: exact(["show", "--color", "never"], "plan.txt", alone("plan.tfplan")))
    plan = ["--plan", p("plan.json")] if has("plan.json") else []
    run = ["stream", *dialect, *quiet, *mode, *schema, *plan, p("apply.jsonl")]
    def whole(f, e): return None if has(e) or meta.get("unordered") else sequence(read(f))
    if plan or (has("apply.jsonl") and b"planned_change" not in read("apply.jsonl")):
        check("stream", ["apply.jsonl", "apply.txt"], lambda: same_lines([*run, "--color", "never"], lines(human("apply.txt", "apply.stderr.txt")), whole("apply.txt", "apply.stderr.txt")))
        check("streamcol", ["apply.jsonl", "apply.ansi"], lambda: same_styles([*run, "--color", "always"], styled(human("apply.ansi", "apply.stderr.ansi"))))
    bare = ["stream", "--color", "never", *dialect, *quiet, p("apply.jsonl")]
    check("bare", ["apply.jsonl", "apply.txt"], lambda: holds(bare, run_lines(human("apply.txt", "apply.stderr.txt"))))
    if has("apply.jsonl") and "apply_exit" in meta and meta["apply_exit"] is not None: check("exit", ["apply.jsonl"], lambda: code(bare, meta["apply_exit"]))
    def hint(data): return re.split(rb"\n\xe2\x94\x80{5,}|\n(?:\xe2\x94\x80){5,}\n\n(?=Saved the plan|Note: You didn)", data)[0] + b"\n"
    if plan and not {"deferred", "ephemeral", "-compact-warnings"} & set(meta.get("features", [])):
        check("planrun", ["plan.jsonl", "plan-run.txt"], lambda: same_lines(["stream", "--color", "never", *dialect, *quiet, *mode, *schema, *plan, p("plan.jsonl")], lines(hint(human("plan-run.txt", "plan-run.stderr.txt")))))
    other = ["stream", *dialect, *quiet, p("stream.jsonl")]
    said = human("human.txt", "human.stderr.txt") if has("human.txt") else read("human.stderr.txt") if has("human.stderr.txt") else None
    if has("stream.jsonl") and said is not None:
        if b"planned_change" in read("stream.jsonl"): check("other", [], lambda: holds([*other, "--color", "never"], run_lines(said)))
        else:
            check("other", [], lambda: same_lines([*other, "--color", "never"], lines(said)))
            if has("human.ansi") or has("human.stderr.ansi"): check("othercol", [], lambda: same_styles([*other, "--color", "always"], styled((read("human.ansi") if has("human.ansi") else b"") + (read("human.stderr.ansi") if has("human.stderr.ansi") else b""))))
        if "json_exit" in meta: check("exit", [], lambda: code([*other, "--color", "never"], meta["json_exit"]))
    if "now" in locals(): os.unlink(now.name)
    return os.path.basename(d), res


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("roots", nargs="+"); ap.add_argument("--bin", default="target/release/tfview"); ap.add_argument("--only", default=",".join(CHECKS))
    ap.add_argument("--show", help="print the whole difference of the cases whose name holds this"); ap.add_argument("--jobs", type=int, default=os.cpu_count()); ap.add_argument("--list", action="store_true", help="name every failing case"); ap.add_argument("--no-dialect", action="store_true", help="leave --dialect out: the document alone tells which tool wrote it")
    a = ap.parse_args(); a.only = a.only.split(",")
    dirs = sorted(os.path.join(r, n) for r in a.roots for n in os.listdir(r) if os.path.isdir(os.path.join(r, n)))
    if a.show: dirs = [d for d in dirs if a.show in os.path.basename(d)]
    tally = collections.defaultdict(list); failed = []
    with cf.ThreadPoolExecutor(a.jobs) as ex:
        for name, res in ex.map(lambda d: case(a, d), dirs):
            for k, (score, why) in res.items():
                tally[k].append(score)
                if score < 1: failed.append((k, name, score, why))
    if a.show or a.list:
        for k, name, score, why in failed:
            print(f"--- {k} {name} ({score:.3f})"); print(why if a.show else "\n".join(why.split("\n")[:12]))
    for k in CHECKS:
        if tally[k]:
            n = len(tally[k])
            if k == "inferred": print(f"{k:9} mean share of equal lines {sum(tally[k]) / n:.4f}, whole cases equal {sum(s == 1 for s in tally[k])}/{n}")
            else: print(f"{k:9} {sum(s == 1 for s in tally[k])}/{n}")
    hard = [s for k in tally if k != "inferred" for s in tally[k]]
    print(f"{sum(s == 1 for s in hard)} passed, {sum(s < 1 for s in hard)} failed")
    return any(s < 1 for s in hard)


sys.exit(main())

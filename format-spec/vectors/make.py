#!/usr/bin/env python3
"""Writes the golden vectors, after it has found in each what the case says must be found.

python format-spec/vectors/make.py           writes valid/ and invalid/ anew
python format-spec/vectors/make.py --check   fails if they are not what would be written
"""

import filecmp
import json
import shutil
import sys
import tempfile
from pathlib import Path

import pyarrow as pa

from cases import applying, damage, foreign, limits, objects, payload, readers, saving, sweeping, trimming
from tgb.replay import replay

HOME = Path(__file__).parent
KINDS = ("valid", "invalid")


def main():
    if sys.argv[1:] == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            differing = list(differences(Path(folder), HOME))
        if differing:
            sys.exit("The golden vectors differ from what make.py writes: " + ", ".join(differing))
    elif sys.argv[1:]:
        sys.exit("Usage: make.py [--check]")
    else:
        for kind in KINDS:
            shutil.rmtree(HOME / kind, ignore_errors=True)
        write(HOME)


def write(home):
    for module in (applying, readers, payload, objects, foreign, limits, damage, saving, sweeping, trimming):
        for case in module.cases():
            folder = home / case.path
            for key, data in sorted(case.objects.items()):
                (folder / key).parent.mkdir(parents=True, exist_ok=True)
                (folder / key).write_bytes(data)
            told = replay(folder)
            judge(case, told)
            if case.arrow_judges:
                open_parts(folder, told)
            told.get("refused", {}).pop("reason", None)
            label(case, told)
            text = json.dumps({"about": case.about} | told, indent=1, ensure_ascii=False)
            (folder / "expected.json").write_text(text + "\n", encoding="utf-8")


def label(case, told):
    """Says of the slices that have one what their purpose is."""
    for part in (part for step in told["steps"] for part in step["parts"]):
        for at, piece in enumerate(part["slices"]):
            if (part["key"], at) in case.abouts:
                part["slices"][at] = {"about": case.abouts[part["key"], at]} | piece


def judge(case, told):
    """Fails unless the replay found what the case says by hand."""
    verdicts = [[entry["verdict"] for entry in commit["entries"]] for commit in told["commits"]]
    refused = tuple(told["refused"][name] for name in ("key", "why")) if "refused" in told else ()
    payload_refused, other_layouts, swept = {}, set(), set()
    for part in (part for step in told["steps"] for part in step["parts"]):
        if "swept" in part:
            swept.add(part["key"])
        for at, thing in [("part", part), *enumerate(part["slices"])]:
            if "refused" in thing:
                payload_refused[part["key"], at] = thing["refused"]
            if not thing.get("canonical", True):
                other_layouts.add((part["key"], at))
    for what, found, said in (
        ("verdicts", verdicts, case.verdicts),
        ("refused commit", refused, case.refused),
        ("refused payload", payload_refused, case.refused_payload),
        ("other layouts", other_layouts, case.other_layouts),
        ("swept", swept, case.swept),
        ("packs", told.get("packs", []), case.packs),
        ("reborn", told.get("reborn", []), case.reborn),
        ("opened", told.get("opened", {}).get("version"), case.opened),
        ("canonical", all(commit.get("canonical", True) for commit in told["commits"]), case.canonical),
        ("refused schema", told.get("schema_refused", ""), case.schema_refused),
        ("writable", told.get("writable", True), case.writable),
    ):
        if found != said:
            sys.exit(f"{case.path}: {what}: found {found}, the case says {said} ({told.get('refused')})")


def open_parts(folder, told):
    """Any Arrow tool opens a part (PAYLOAD-1): pyarrow must find in it the schema, the slices and their rows."""
    for step in told["steps"]:
        for part in (part for part in step["parts"] if "swept" not in part):
            with pa.ipc.open_file(folder / part["key"]) as file:
                batches = [file.get_batch(number) for number in range(file.num_record_batches)]
            for batch in batches:
                batch.validate(full=True)
            rows = [piece["rows"] for piece in part["slices"]]
            if [batch.num_rows for batch in batches] != rows:
                sys.exit(f"{folder}: pyarrow finds other rows in {part['key']}")


def differences(made, kept):
    for kind in KINDS:
        names = {path.relative_to(home) for home in (made, kept) for path in (home / kind).rglob("*") if path.is_file()}
        for name in sorted(names):
            sides = made / name, kept / name
            if not all(side.is_file() for side in sides) or not filecmp.cmp(*sides, shallow=False):
                yield str(name)


if __name__ == "__main__":
    main()

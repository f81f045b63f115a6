#!/usr/bin/env python3
"""Replays the history in a dataset's folder, verifies everything it names, and prints what it found as JSON.

    python format-spec/vectors/read.py FOLDER

The exit status is 0 if nothing was refused, else 1.
"""

import json
import sys
from pathlib import Path

from tgb.replay import replay


def refused(told):
    parts = [part for step in told["steps"] for part in step["parts"]]
    found = [told, *parts, *(piece for part in parts for piece in part["slices"])]
    return any("refused" in thing for thing in found)


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: read.py FOLDER (the folder of a dataset, which holds log/ and data/)")
    folder = Path(sys.argv[1])
    if not any((folder / name).is_dir() for name in ("log", "boundary")):
        sys.exit(f"Cannot read {folder}: it has no log/ and so is no dataset; name the folder of a dataset")
    told = replay(folder)
    print(json.dumps(told, indent=1))
    sys.exit(1 if refused(told) else 0)


if __name__ == "__main__":
    main()

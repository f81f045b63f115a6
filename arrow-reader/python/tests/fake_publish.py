"""``batchweave publish`` as publish.md has it, into a folder: a file for each batch.

FAKE_PUBLISH says what goes wrong: ``die`` ends it in the middle of a batch, ``fenced`` refuses the
second one, ``fail`` ends it before the first line.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

FAULT = os.environ.get("FAKE_PUBLISH")


END_MARKER = bytes.fromhex("ffffffff00000000")


class Watched:
    """Standard input, and the last bytes that were read of it."""

    closed = False
    last = b""

    def read(self, size: int = -1) -> bytes:
        content = sys.stdin.buffer.read(size)
        self.last = (self.last + content)[-len(END_MARKER) :]
        return content


def tell(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def main(dataset: str, producer: str, warehouse: str) -> int:
    if FAULT == "fail":
        print("Cannot open x: there is no such dataset", file=sys.stderr)
        return 2
    folder = Path(warehouse.removeprefix("file://")) / dataset
    stored = json.loads((folder / "dataset.json").read_text())
    slices = int(stored["grid"].split("=")[1])
    told = folder / f"producer-{producer}"
    progress, sequence = json.loads(told.read_text()) if told.exists() else ("", 0)
    schema, grid = stored["schema"], stored["grid"]
    tell(
        ok={"protocol": 1, "dataset": dataset, "producer": producer, "epoch": 7}
        | {"next_sequence": sequence, "progress": progress, "finished": False}
        | {"grid": grid, "slices": slices, "schema": schema}
    )
    committed: list[dict[str, int]] = []
    watched = Watched()
    source = pa.PythonFile(watched, mode="r")
    while line := sys.stdin.buffer.readline():
        request = json.loads(line)
        if request["do"] == "publish":
            if FAULT == "die":
                os._exit(9)
            if FAULT == "fenced" and sequence == 1:
                tell(error={"kind": "fenced", "message": "Cannot publish to x: replaced by epoch 8"})
                return 4
            try:
                batches = list(pa.ipc.open_stream(source))
                if watched.last != END_MARKER:
                    raise OSError("there is no end marker")
            except (pa.ArrowInvalid, OSError) as e:
                tell(error={"kind": "invalid", "message": f"Cannot publish: the stream is cut: {e}"})
                return 2
            if len(batches) != slices:
                tell(error={"kind": "invalid", "message": f"Cannot publish {len(batches)} slices"})
                return 2
            table = pa.Table.from_batches(batches)
            (folder / f"published-{sequence}.json").write_text(json.dumps(table.to_pylist()))
            told.write_text(json.dumps([request["progress"], sequence + 1]))
            tell(ok={"sequence": sequence, "committed": committed})
            committed = [{"sequence": sequence, "step": 40 + sequence}]
            sequence += 1
        else:
            done, committed = committed, []
            more = {"next_sequence": sequence, "sealed": False, "steps": sequence}
            tell(ok={"committed": done, **more})
    return 0


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("publish") + 1 :]
    sys.exit(main(arguments[0], arguments[2], arguments[4]))

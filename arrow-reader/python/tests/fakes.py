"""A node of a test's own: a folder for shared memory, a stand-in for Java, and datasets."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

import batchweave
from messages import aligned, tokens

FAKE_SIDECAR = Path(__file__).with_name("fake_sidecar.py")
FAKE_PUBLISH = Path(__file__).with_name("fake_publish.py")

_JAVA = """#!/bin/sh
case "$*" in *-version*) echo 'openjdk version "{version}"' >&2; exit 0;; esac
case "$*" in *" publish "*) exec {python} -I {publish} "$@";; esac
exec {python} -I {sidecar} "$@"
"""


@dataclass
class Stored:
    """A dataset of the fake sidecar."""

    warehouse: str
    name: str

    @property
    def folder(self) -> Path:
        return Path(self.warehouse.removeprefix("file://")) / self.name

    def fault(self, **faults: Any) -> None:
        (self.folder / "faults.json").write_text(json.dumps(faults))

    def opens(self) -> list[dict[str, Any]]:
        """The open requests so far."""
        return [json.loads(line) for line in (self.folder / "opens").read_text().splitlines()]


class Node:
    def __init__(self) -> None:
        # Paths of sockets are short.
        self.folder = Path(tempfile.mkdtemp(prefix="bw-"))
        self.shm = self.folder / "shm"
        self.shm.mkdir()

    @property
    def sidecar_folder(self) -> Path:
        return self.shm / f"batchweave-{os.getuid()}"

    def environment(self) -> dict[str, str]:
        home = self.folder / "home"
        (home / "cli" / "target" / "lib").mkdir(parents=True)
        (home / "cli" / "target" / "batchweave-cli-0.jar").touch()
        return {
            "JAVA_HOME": str(self.java("17.0.1")),
            "BATCHWEAVE_HOME": str(home),
            "BATCHWEAVE_SHM_DIR": str(self.shm),
        }

    def java(self, version: str) -> Path:
        """A home of what says it is a Java of this version, and runs the fake sidecar."""
        home = self.folder / f"java-{version}"
        (home / "bin").mkdir(parents=True)
        java = home / "bin" / "java"
        java.write_text(
            _JAVA.format(
                version=version,
                python=sys.executable,
                sidecar=FAKE_SIDECAR,
                publish=FAKE_PUBLISH,
            )
        )
        java.chmod(0o755)
        return home

    def store(
        self,
        name: str = "t.x",
        *,
        steps: int = 6,
        grid: str = "dp=4",
        sealed: bool = True,
        low: int = 0,
        rows: int = 2,
        length: int = 4,
    ) -> Stored:
        stored = Stored(f"file://{self.folder}/warehouse", name)
        stored.folder.mkdir(parents=True)
        count = 1
        for axis in grid.split(","):
            count *= int(axis.split("=")[1])
        for step in range(steps):
            for index in range(count):
                batch = tokens(step, index, rows, length)
                (stored.folder / f"{step}-{index}").write_bytes(aligned(batch))
        schema = base64.b64encode(tokens(0, 0).schema.serialize().to_pybytes()).decode()
        told = {"id": f"id-{name}", "grid": grid, "schema": schema, "steps": steps, "low": low}
        (stored.folder / "dataset.json").write_text(
            json.dumps(told | {"sealed": sealed, "rows": rows})
        )
        return stored

    def started(self) -> list[int]:
        """The pids of all sidecars that have served here."""
        path = self.sidecar_folder / "started"
        return [int(pid) for pid in path.read_text().split()] if path.exists() else []

    def kill_sidecar(self) -> None:
        pid = self.started()[-1]
        os.kill(pid, signal.SIGKILL)
        until = time.monotonic() + 10
        while is_alive(pid) and time.monotonic() < until:
            time.sleep(0.01)

    def close(self) -> None:
        for pid in self.started():
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def first_tokens(batch: batchweave.Batch) -> list[int]:
    """The first token of each slice, which tells step and slice."""
    return [int(part["tokens"][0, 0]) for part in batch.slices]


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def buffer_addresses(batch: pa.RecordBatch, column: str) -> list[int]:
    array = batch.column(column)
    return [buffer.address for buffer in array.buffers() if buffer is not None and buffer.size]

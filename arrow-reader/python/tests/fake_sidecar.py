"""A sidecar that serves slices from files and speaks the lines of delivery.md, with faults.

It is run as the real one is, with ``sidecar --shm-dir DIR``, by a file that stands in for Java. A
dataset is a folder ``<warehouse>/<name>`` with ``dataset.json`` and ``<step>-<slice>`` messages;
``faults.json`` beside it says what goes wrong:

    die_before_step, die_after_step   the process ends, once
    die_always                        before this step, each time
    error_at_step                     {"step": n, "error": {...}}: is answered, once
    slow_ms                           before each step

FAKE_PROTOCOL is another number than ours, and FAKE_FAILS what it says instead of starting.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import shutil
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

IDLE_SECONDS = 30.0
Json = dict[str, Any]


class Refusal(Exception):
    """Answers with an error of the contract."""

    def __init__(self, kind: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error = {"kind": kind, "message": message, **more}


class Sidecar:
    def __init__(self, shm_dir: Path) -> None:
        self.folder = shm_dir / f"batchweave-{os.getuid()}"
        self.arena = self.folder / f"arena-{os.getpid()}"
        self.lock = threading.Lock()
        self.files = 0
        self.connections = 0

    def serve(self) -> None:
        lock = open(self.folder / "sidecar.lock", "a")
        try:
            fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("another sidecar serves")
            return
        for old in self.folder.glob("arena-*"):
            shutil.rmtree(old)
        self.arena.mkdir(mode=0o700)
        with open(self.folder / "started", "a") as started:
            started.write(f"{os.getpid()}\n")
        path = self.folder / "sidecar.sock"
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
            listening.listen(64)
            listening.settimeout(0.5)
            idle_since = time.monotonic()
            while self.folder.exists() and time.monotonic() < idle_since + IDLE_SECONDS:
                if self.connections:
                    idle_since = time.monotonic()
                try:
                    connection = listening.accept()[0]
                except TimeoutError:
                    continue
                connection.settimeout(None)
                threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        self.connections += 1
        reader = Talk(self)
        try:
            with connection, connection.makefile("rwb") as lines:
                for line in lines:
                    lines.write(json.dumps(reader.reply(json.loads(line))).encode() + b"\n")
                    lines.flush()
                    reader.after_reply()
        except OSError:
            pass
        finally:
            self.connections -= 1
            reader.give_back()


class Talk:
    """One connection."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.request: Json = {}
        self.dataset: Json = {}
        self.folder = Path()
        self.step = 0
        self.stride = 1
        self.slices: list[int] = []
        self.given: list[Path] = []
        self.died_after = False

    def reply(self, line: Json) -> Json:
        try:
            return {"ok": getattr(self, line["do"])(line)}
        except Refusal as refusal:
            return {"error": refusal.error}

    def hello(self, line: Json) -> Json:
        protocol = int(os.environ.get("FAKE_PROTOCOL", "1"))
        if line["protocol"] != protocol:
            raise Refusal("invalid", f"Cannot speak protocol {line['protocol']}: this is {protocol}")
        return {"protocol": protocol, "version": "fake", "pid": os.getpid(), "arena": "x"}

    def open(self, line: Json) -> Json:
        self.give_back()
        self.folder = Path(line["warehouse"].removeprefix("file://")) / line["dataset"]
        if not (self.folder / "dataset.json").exists():
            raise Refusal("invalid", f"Cannot open {line['dataset']}: there is no such dataset")
        self.dataset = json.loads((self.folder / "dataset.json").read_text())
        with open(self.folder / "opens", "a") as opens:
            opens.write(json.dumps(line) + "\n")
        self.request = line
        self.slices = self.owned(line.get("mesh"))
        self.session = line.get("session") or (line.get("job") and self.joined(line["job"]))
        first = int(line.get("from") or self.dataset.get("low", 0))
        if line.get("cursor"):
            dataset_id, step, *_ = line["cursor"].split(":")
            if dataset_id != self.dataset["id"]:
                raise Refusal("invalid", "Cannot resume: the cursor is of another dataset")
            first = int(step)
        if first < self.dataset.get("low", 0):
            low = self.dataset["low"]
            raise Refusal("expired", f"Cannot read step {first}: it is swept", first_step=low)
        self.stride = int(line.get("workers") or 1)
        self.step = first + int(line.get("worker") or 0)
        return {
            "dataset_id": self.dataset["id"],
            "next_step": self.step,
            "cursor": self.cursor(first),
            "job": line.get("job"),
            "session": self.session,
            "grid": self.dataset["grid"],
            "slices": self.slices,
            "schema": self.dataset["schema"],
        }

    def joined(self, job: str) -> str:
        with self.sidecar.lock:
            name = self.folder / f"session-{job}"
            if not name.exists():
                name.write_text(f"fake-{os.getpid()}")
            return name.read_text()

    def cursor(self, step: int) -> str:
        more = f":{self.request['job']}:{self.session}" if self.request.get("job") else ""
        return f"{self.dataset['id']}:{step}{more}"

    def owned(self, mesh: str | None) -> list[int]:
        sizes = {k: int(v) for k, v in (axis.split("=") for axis in self.dataset["grid"].split(","))}
        places = dict(part.split("=") for part in mesh.split(",")) if mesh else {}
        owned = [0]
        for axis in places:
            if axis not in sizes:
                raise Refusal("invalid", f"Cannot stand at {mesh}: the grid has no axis {axis}")
        for axis, size in sizes.items():
            rank, world = map(int, places.get(axis, "0/1").split("/"))
            if size % world:
                legal = [n for n in range(1, size + 1) if size % n == 0]
                raise Refusal("invalid", f"Cannot stand at {mesh}: legal sizes are {legal}")
            share = range(rank * size // world, (rank + 1) * size // world)
            owned = [before * size + index for before in owned for index in share]
        assert len(owned) <= math.prod(sizes.values())
        return owned

    def next(self, line: Json) -> Json:
        self.give_back()
        faults = self.faults()
        if "slow_ms" in faults:
            time.sleep(faults["slow_ms"] / 1000)
        if faults.get("die_always") == self.step:
            os._exit(9)
        if faults.get("die_before_step") == self.step:
            self.drop_fault("die_before_step")
            os._exit(9)
        at = faults.get("error_at_step")
        if at and at["step"] == self.step:
            self.drop_fault("error_at_step")
            raise Refusal(**at["error"])
        if self.step >= self.dataset["steps"]:
            if self.dataset["sealed"]:
                return {"end": True, "cursor": self.cursor(self.dataset["steps"])}
            time.sleep(line["wait_ms"] / 1000)
            raise Refusal("unavailable", f"Cannot read step {self.step}: it was not published")
        slices = self.written()
        step, self.step = self.step, self.step + self.stride
        self.died_after = faults.get("die_after_step") == step
        return {"step": step, "cursor": self.cursor(step + 1), "slices": slices}

    def after_reply(self) -> None:
        if self.died_after:
            self.drop_fault("die_after_step")
            os._exit(9)

    def written(self) -> list[Json]:
        sidecar = self.sidecar
        with sidecar.lock:
            sidecar.files += 1
            path = sidecar.arena / str(sidecar.files)
        slices = []
        with open(path, "wb") as file:
            for index in self.slices:
                message = (self.folder / f"{self.step}-{index}").read_bytes()
                file.write(bytes(-file.tell() % 64))
                at = file.tell()
                file.write(message)
                rows = self.dataset["rows"]
                slices.append(
                    {"index": index, "rows": rows, "path": str(path), "offset": at}
                    | {"length": len(message)}
                )
        self.given = [path]
        return slices

    def give_back(self) -> None:
        for path in self.given:
            path.unlink(missing_ok=True)
        self.given = []

    def checkpoint(self, line: Json) -> Json:
        told = self.folder / f"checkpoint-{line['id']}"
        with self.sidecar.lock, open(told, "a") as file:
            file.write(f"{line.get('rank')}\n")
        said = len(set(told.read_text().split()))
        step = int(line["cursor"].split(":")[1])
        waiting_for = int(line.get("ranks") or 1) - said
        return {"checkpoint": line["id"], "next_step": step, "waiting_for": waiting_for}

    def faults(self) -> Json:
        path = self.folder / "faults.json"
        return dict(json.loads(path.read_text())) if path.exists() else {}

    def drop_fault(self, name: str) -> None:
        faults = self.faults()
        del faults[name]
        (self.folder / "faults.json").write_text(json.dumps(faults))


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("sidecar") + 1 :]
    if os.environ.get("FAKE_FAILS"):
        print("starting")
        print(os.environ["FAKE_FAILS"])
        sys.exit(2)
    Sidecar(Path(arguments[arguments.index("--shm-dir") + 1])).serve()

"""Delivery beside its limit and its peers, in turn, in one run: medians are printed.

usage: delivery_benchmark.py WAREHOUSE DATASET FLIGHT_PORT ROUNDS

Every way moves the same bytes, all slices of the dataset: writing them into shared memory plainly
(the limit), the sidecar's arena mapped by a trainer, Arrow Flight from the same sidecar, and
pyarrow reading the same Arrow files straight from the store. None of them looks at the bytes, so
that the hand-over is what is timed; each is warmed up once.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pyarrow.flight

import batchweave

PIECE = os.urandom(16 << 20)
NAMES = 8


def written(total: int, folder: Path) -> None:
    """Plain writes of 16 MiB into files of which a few exist at a time."""
    left, number = total, 0
    while left > 0:
        path = folder / f"plain-{number % NAMES}"
        path.unlink(missing_ok=True)
        with path.open("wb", buffering=0) as file:
            file.write(PIECE[: min(left, len(PIECE))])
        left -= len(PIECE)
        number += 1
    for path in folder.glob("plain-*"):
        path.unlink()


def delivered(warehouse: str, dataset: str) -> tuple[int, list[float]]:
    """All steps through the sidecar; how many bytes, and the seconds from asking to having each."""
    total, seconds = 0, []
    with batchweave.dataset(warehouse, dataset) as data:
        while True:
            start = time.perf_counter()
            batch = next(data, None)
            seconds.append(time.perf_counter() - start)
            if batch is None:
                return total, seconds[:-1]
            total += sum(piece.arrow.nbytes for piece in batch.slices)


def flown(warehouse: str, dataset: str, port: int) -> int:
    ticket = json.dumps({"warehouse": warehouse, "dataset": dataset})
    with pyarrow.flight.connect(f"grpc://127.0.0.1:{port}") as client:
        stream = client.do_get(pyarrow.flight.Ticket(ticket))
        return sum(chunk.data.nbytes for chunk in stream)


def read(files: list[Path]) -> int:
    total = 0
    for file in files:
        with pyarrow.OSFile(str(file)) as source:
            reader = pyarrow.ipc.open_file(source)
            for number in range(reader.num_record_batches):
                total += reader.get_batch(number).nbytes
    return total


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    warehouse, dataset, port, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    shared = Path(os.environ.get("BATCHWEAVE_SHM_DIR", "/dev/shm"))
    files = sorted(Path(warehouse, *dataset.split("."), "data").rglob("*.arrow"))
    total, _ = delivered(warehouse, dataset)
    steps: list[float] = []
    ways: dict[str, Callable[[], object]] = {
        "plain writes into shared memory": lambda: written(total, shared),
        "sidecar to trainer": lambda: steps.extend(delivered(warehouse, dataset)[1]),
        "Arrow Flight": lambda: flown(warehouse, dataset, port),
        "pyarrow from the store": lambda: read(files),
    }
    for way in ways.values():
        way()
    steps.clear()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            seconds[name].append(timed(way))
    limit = seconds["plain writes into shared memory"]
    for name, taken in seconds.items():
        ratios = [plain / own for plain, own in zip(limit, taken)]
        print(
            f"{name}: {total / statistics.median(taken) / 1e6:.0f} MB/s, ratio"
            f" {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
            f" over {rounds} rounds"
        )
    print(f"from asking to having a step, median {statistics.median(steps) * 1e3:.2f} ms")
    assert flown(warehouse, dataset, port) == total == read(files)


main()

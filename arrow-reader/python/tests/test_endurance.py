"""Processes killed again and again, and a loop that lasts: what a rank is given stays the same.

BATCHWEAVE_KILLS says how often (default 5), BATCHWEAVE_STEPS how many steps the long loop has
(default 2,000).
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import batchweave
from test_sidecar import Text, kill_sidecar, settings, shm, sidecars, text, used, used_folder

__all__ = ["settings", "shm", "text", "used", "used_folder"]
pytestmark = pytest.mark.sidecar

KILLS = int(os.environ.get("BATCHWEAVE_KILLS", "5"))
STEPS = int(os.environ.get("BATCHWEAVE_STEPS", "2000"))

TRAINER = """
import hashlib, sys, batchweave
data = batchweave.dataset(sys.argv[1], "t.x", mesh="dp=1/2")
if sys.argv[2]:
    data.load_state_dict({"cursor": sys.argv[2]})
for batch in data:
    digest = hashlib.sha256(b"".join(part["tokens"].tobytes() for part in batch.slices))
    print(batch.step, digest.hexdigest(), data.state_dict()["cursor"], flush=True)
"""


def digests(data: batchweave.Dataset) -> list[tuple[int, str]]:
    return [
        (
            batch.step,
            hashlib.sha256(
                b"".join(part["tokens"].tobytes() for part in batch.slices)
            ).hexdigest(),
        )
        for batch in data
    ]


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_sidecar_killed_at_any_moment_changes_nothing(text: Text, shm: Path, seed: int) -> None:
    undisturbed = digests(batchweave.dataset(text.warehouse, "t.x", mesh="dp=0/2"))
    chance = random.Random(seed)
    kill_at = {chance.randrange(len(text.steps)) for _ in range(2)}
    seen: list[tuple[int, str]] = []
    data = batchweave.dataset(text.warehouse, "t.x", mesh="dp=0/2")
    while True:
        if len(seen) in kill_at:
            kill_at.discard(len(seen))
            time.sleep(chance.random() * 0.02)
            kill_sidecar(shm)
        batch = next(data, None)
        if batch is None:
            break
        data_of_step = b"".join(part["tokens"].tobytes() for part in batch.slices)
        seen.append((batch.step, hashlib.sha256(data_of_step).hexdigest()))
    assert seen == undisturbed, f"seed {seed}"
    assert len(sidecars(shm)) == 1, "nothing of the killed ones is left"


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_trainer_killed_at_any_moment_goes_on_and_its_peer_too(
    text: Text, used: Path, seed: int
) -> None:
    undisturbed = digests(batchweave.dataset(text.warehouse, "t.x", mesh="dp=1/2"))
    chance = random.Random(seed)
    peer = batchweave.dataset(text.warehouse, "t.x", mesh="dp=0/2")
    assert next(peer).step == 0
    lines: list[str] = []
    for kill_after in (chance.randrange(1, len(text.steps)), len(text.steps) + 1):
        cursor = lines[-1].split()[2] if lines else ""
        trainer = subprocess.Popen(
            [sys.executable, "-c", TRAINER, text.warehouse, cursor],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert trainer.stdout is not None
        for line in trainer.stdout:
            lines.append(line)
            if len(lines) >= kill_after:
                os.kill(trainer.pid, signal.SIGKILL)
                break
        trainer.stdout.close()
        trainer.wait(60)
    given = [(int(line.split()[0]), line.split()[1]) for line in lines]
    assert given == undisturbed, f"seed {seed}"
    assert [batch.step for batch in peer] == list(range(1, len(text.steps)))


def resident(pid: int) -> int:
    """Bytes of memory that a process has to itself."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) << 10
    raise AssertionError(f"no RssAnon of {pid}")


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def test_memory_and_descriptors_stay_flat_over_a_long_loop(text: Text, used: Path) -> None:
    steps = 0
    middle: list[tuple[int, int]] | None = None
    while steps < STEPS:
        with batchweave.dataset(text.warehouse, "t.x") as data:
            for batch in data:
                assert batch.slices[0]["tokens"].size
                steps += 1
        if middle is None and steps >= STEPS // 2:
            middle = [(resident(pid), descriptors(pid)) for pid in (os.getpid(), *sidecars(used))]
    assert middle is not None
    for (bytes_before, files_before), pid in zip(middle, (os.getpid(), *sidecars(used))):
        assert descriptors(pid) <= files_before + 2
        assert resident(pid) <= bytes_before + (32 << 20)
    assert sum(path.stat().st_size for path in used.glob("batchweave-*/arena-*/*")) < 8 << 20

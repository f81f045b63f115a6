"""The real sidecar, the real log, real text."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import batchweave
from batchweave import java
from fakes import buffer_addresses, is_alive
from test_example import run

pytestmark = pytest.mark.sidecar

TEXT = Path(__file__).parents[1] / "README.md"
GRID = "dp=8"
SLICES = 8
SHM = Path("/dev/shm")
QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m"


def batchweave_command(*arguments: str) -> str:
    ran = subprocess.run(
        java.command(*arguments, flags=QUICK), capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    return ran.stdout


@dataclass
class Text:
    """A sealed dataset of tokens, and what its payload is, read without us."""

    warehouse: str
    steps: list[list[list[list[int]]]]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Text:
    try:
        java.find_jars()
        java.find_java()
    except batchweave.CannotStart as e:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(e))
    warehouse = tmp_path_factory.mktemp("warehouse")
    at = ("--warehouse", str(warehouse))
    batchweave_command("create", "t.x", "--tokens", "--grid", GRID, *at)
    lengths = ("--tokenizer", "cl100k_base", "--seq-len", "16", "--rows-per-slice", "1")
    batchweave_command("ingest", "t.x", str(TEXT), "--producer", "p0", *lengths, "--seal", *at)
    parts = sorted(warehouse.glob("t/x/data/p0/**/*.arrow"))
    steps = []
    for part in parts:
        with pa.ipc.open_file(part) as file:
            batches = [file.get_batch(index) for index in range(file.num_record_batches)]
            steps.append([batch["tokens"].to_pylist() for batch in batches])
    assert len(steps) > 6
    assert {len(step) for step in steps} == {SLICES}
    return Text(f"file://{warehouse}", steps)


def shared_memory() -> Iterator[Path]:
    """Shared memory of the tests' own; the sidecar in it ends with them."""
    folder = Path(tempfile.mkdtemp(prefix="bw-", dir=SHM if SHM.is_dir() else None))
    yield folder
    for pid in sidecars(folder):
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHWEAVE_JAVA_OPTS", QUICK)
    for name in ("RANK", "WORLD_SIZE", "BATCHWEAVE_SOCKET", "BATCHWEAVE_MEMORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shm(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where no sidecar runs yet."""
    for folder in shared_memory():
        monkeypatch.setenv("BATCHWEAVE_SHM_DIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def used_folder() -> Iterator[Path]:
    yield from shared_memory()


@pytest.fixture
def used(used_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a sidecar serves one test after the other."""
    monkeypatch.setenv("BATCHWEAVE_SHM_DIR", str(used_folder))
    return used_folder


def sidecars(shm: Path) -> list[int]:
    return [int(arena.name.split("-")[1]) for arena in shm.glob("batchweave-*/arena-*")]


def kill_sidecar(shm: Path) -> int:
    [pid] = sidecars(shm)
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return pid


def slices_of(batch: batchweave.Batch) -> list[list[list[int]]]:
    return [part["tokens"].tolist() for part in batch.slices]


def test_ranks_get_their_slices_and_end_together(text: Text, used: Path) -> None:
    ranks = [batchweave.dataset(text.warehouse, "t.x", job="a", mesh={"dp": (i, 2)}) for i in (0, 1)]
    for step, expected in enumerate(text.steps):
        batches = [next(rank) for rank in ranks]
        assert [batch.step for batch in batches] == [step, step]
        assert [part.index for batch in batches for part in batch.slices] == list(range(SLICES))
        assert slices_of(batches[0]) + slices_of(batches[1]) == expected
        assert ranks[0].state_dict() == ranks[1].state_dict() == batches[1].state_dict()
    for rank in ranks:
        assert next(rank, None) is None
    assert ranks[0].checkpoint("end", rank=0, ranks=2).waiting_for == 1
    assert ranks[1].checkpoint("end", rank=1, ranks=2) == ("end", len(text.steps), 0)


def test_arrays_are_the_memory_that_the_sidecar_wrote(text: Text, used: Path) -> None:
    [only] = next(batchweave.dataset(text.warehouse, "t.x", mesh="dp=3/8")).slices
    mapped = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        if str(used) in line:
            begin, end = line.split()[0].split("-")
            mapped.append(range(int(begin, 16), int(end, 16)))

    for column in only.columns:
        for at in buffer_addresses(only.arrow, column):
            assert at % 64 == 0
            assert any(at in part for part in mapped)
    only["tokens"][0, 0] = -1


def test_another_world_size_goes_on_at_the_same_step(text: Text, used: Path) -> None:
    state: dict[str, Any] | None = None
    step = 0
    for start, ranks in enumerate((8, 4, 2, 8)):
        place = {"dp": (ranks - 1, ranks)}
        data = batchweave.dataset(text.warehouse, "t.x", job="b", session=f"s{start}", mesh=place)
        if state is not None:
            data.load_state_dict(state)
        batch = next(data)
        assert batch.step == step
        assert slices_of(batch) == text.steps[step][-SLICES // ranks :]
        state, step = data.state_dict(), step + 1
        data.close()


def test_killed_sidecars_cost_no_step_and_leave_nothing(text: Text, shm: Path) -> None:
    """Also where the ranks of a session are not at the same step."""
    ahead, behind = (
        batchweave.dataset(text.warehouse, "t.x", job="c", mesh={"dp": (i, 2)}) for i in (0, 1)
    )
    killed = []
    kept = [next(ahead)]
    for step in range(len(text.steps)):
        if step in (1, 3):
            killed.append(kill_sidecar(shm))
        kept += [batch for batch in [next(ahead, None)] if batch is not None]
        batch = next(behind)
        assert (batch.step, slices_of(batch)) == (step, text.steps[step][SLICES // 2 :])
    assert next(behind, None) is None

    assert [slices_of(batch) for batch in kept] == [step[: SLICES // 2] for step in text.steps]
    assert len(set(killed)) == 2
    assert len(sidecars(shm)) == 1
    assert ahead.state_dict() == behind.state_dict()


def test_eight_ranks_that_start_at_once_start_one_sidecar(text: Text, shm: Path) -> None:
    script = (
        "import sys, batchweave\n"
        "data = batchweave.dataset(sys.argv[1], 't.x', job='d', mesh={'dp': (int(sys.argv[2]), 8)})\n"
        "print([batch['tokens'].tolist() for batch in data], data.state_dict()['cursor'], sep=';')\n"
    )
    sources = str(Path(batchweave.__file__).parents[1])
    ranks = [
        subprocess.Popen(
            [sys.executable, "-c", script, text.warehouse, str(rank)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": sources},
        )
        for rank in range(8)
    ]
    told = [rank.communicate(timeout=120)[0].strip().split(";") for rank in ranks]

    assert [rank.returncode for rank in ranks] == [0] * 8
    for rank, (tokens, _) in enumerate(told):
        assert tokens == str([step[rank] for step in text.steps])
    assert len({cursor for _, cursor in told}) == 1
    assert len(sidecars(shm)) == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"mesh": {"dp": (0, 3)}}, "1, 2, 4"),
        ({"mesh": {"cp": (0, 2)}}, "no axis 'cp'"),
        ({"start": 1000}, "1000"),
    ],
)
def test_what_the_grid_does_not_have_is_refused(
    text: Text, used: Path, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(batchweave.InvalidRequest, match=reason):
        next(batchweave.dataset(text.warehouse, "t.x", **options))


def test_states_of_others_are_refused(text: Text, used: Path) -> None:
    data = batchweave.dataset(text.warehouse, "t.x")
    state = next(data).state_dict()
    other = batchweave.dataset(text.warehouse, "t.x")
    other.load_state_dict({"cursor": "00000000" + state["cursor"][8:]})

    with pytest.raises(batchweave.InvalidRequest):
        next(other)


def test_a_dataset_that_is_not_there_is_named(text: Text, used: Path) -> None:
    with pytest.raises(batchweave.InvalidRequest, match="t.nothing"):
        next(batchweave.dataset(text.warehouse, "t.nothing"))


def test_more_memory_than_there_is_is_refused(text: Text, shm: Path) -> None:
    with pytest.raises(batchweave.CannotStart, match="900000g|memory"):
        next(batchweave.dataset(text.warehouse, "t.x", memory="900000g"))


def test_workers_of_a_loader_share_the_steps_also_when_the_sidecar_is_killed(
    text: Text, shm: Path
) -> None:
    states = read_by_workers(text, "fork", lambda step: step == 1 and kill_sidecar(shm))

    resumed = batchweave.dataset(text.warehouse, "t.x", job="fork", session="2")
    resumed.load_state_dict(states[3])
    assert next(resumed).step == 4


def test_workers_of_a_loader_can_be_spawned(text: Text, used: Path) -> None:
    read_by_workers(text, "spawn", lambda step: None)


def test_the_example_goes_on_with_another_number_of_ranks(
    text: Text, used: Path, tmp_path: Path
) -> None:
    whole = run(text.warehouse, tmp_path / "whole", "--ranks", "2", "--job", "whole")
    killed = run(text.warehouse, tmp_path / "part", "--ranks", "2", "--job", "part", kill_at=4)
    resumed = run(text.warehouse, tmp_path / "part", "--ranks", "1", "--job", "part")

    assert min(resumed) in (3, 6)
    assert {**killed, **resumed} == whole
    assert len(whole) == len(text.steps)


def read_by_workers(
    text: Text, method: str, after: Callable[[int], object]
) -> list[dict[str, Any]]:
    pytest.importorskip("torch", reason="torch is not installed")
    from torch.utils.data import DataLoader

    data = batchweave.dataset(text.warehouse, "t.x", job=method, mesh="dp=1/2")
    loader = DataLoader(data, batch_size=None, num_workers=2, multiprocessing_context=method)
    states = []
    for step, batch in enumerate(loader):
        assert (batch.step, slices_of(batch)) == (step, text.steps[step][SLICES // 2 :])
        states.append(batch.state_dict())
        after(step)
    assert len(states) == len(text.steps)
    return states


def test_what_is_published_from_here_is_read_here(used: Path, tmp_path: Path) -> None:
    at = ("--warehouse", str(tmp_path))
    schema = "ids:list<int!>!,image:uint8[2,3]"
    batchweave_command("create", "t.y", "--grid", "dp=2", "--schema", schema, *at)
    ids = np.arange(48, dtype=np.int32).reshape(3, 2, 2, 4)
    images = np.arange(72, dtype=np.uint8).reshape(3, 2, 2, 2, 3)

    def publish(p: batchweave.Producer, step: int) -> None:
        slices = [{"ids": ids[step, part], "image": images[step, part]} for part in range(2)]
        p.publish(slices, progress=b"after %d" % step, counts={"tokens": 16})

    with pytest.raises(RuntimeError, match="killed"):
        with batchweave.producer(tmp_path, "t.y", "p0") as p:
            assert (p.progress, p.grid) == (b"", "dp=2")
            publish(p, 0)
            raise RuntimeError("killed")
    with batchweave.producer(tmp_path, "t.y", "p0") as p:
        assert p.progress == b"after 0"
        publish(p, 1)
        with batchweave.producer(tmp_path, "t.y", "p0") as later:
            assert later.progress in (b"after 0", b"after 1")
            for step in range(later.next_sequence, 3):
                publish(later, step)
            assert later.seal() == 3
        with pytest.raises(batchweave.Fenced):
            # It is written before it is known whether the log takes it.
            publish(p, 2)
            p.flush()

    data = batchweave.dataset(tmp_path, "t.y", mesh={"dp": (1, 2)})
    for step, batch in enumerate(data):
        assert batch["ids"].tolist() == ids[step, 1].tolist()
        assert batch["image"].tolist() == images[step, 1].tolist()
    assert step == 2


def test_publishing_to_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(batchweave.InvalidRequest, match="t.nothing"):
        batchweave.producer(tmp_path, "t.nothing", "p0")

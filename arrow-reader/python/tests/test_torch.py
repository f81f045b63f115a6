"""DataLoader, with workers of any number and kind, and torchdata's StatefulDataLoader."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import batchweave
from fakes import Node, address, first_tokens

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.torch

TESTS = Path(__file__).parent


def loader(data: Any, **options: Any) -> Iterator[Any]:
    from torch.utils.data import DataLoader

    return iter(DataLoader(data, batch_size=None, **options))


def as_tensors(batch: batchweave.Batch) -> dict[str, Any]:
    """A worker's own work, and what it sends."""
    return {"step": batch.step, "state": batch.state_dict(), "tokens": batch.torch()["tokens"]}


def test_without_workers_batches_are_handed_through(node: Node) -> None:
    data = batchweave.dataset(node.store(steps=3, grid="dp=1").warehouse, "t.x")
    batches = list(loader(data))

    assert [batch.step for batch in batches] == [0, 1, 2]
    assert batches[0].torch()["tokens"].data_ptr() == address(batches[0]["tokens"])
    assert data.state_dict()["cursor"] == "id-t.x:3"


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_share_the_steps(node: Node, method: str, workers: int) -> None:
    stored = node.store(steps=7)
    data = batchweave.dataset(stored.warehouse, "t.x", job="j", mesh="dp=1/4")
    batches = list(loader(data, num_workers=workers, multiprocessing_context=method))

    assert [first_tokens(batch) for batch in batches] == [[1000 * i + 10] for i in range(7)]
    assert [batch.state_dict() for batch in batches] == [
        {"cursor": f"id-t.x:{i + 1}:j:fake-{node.started()[0]}"} for i in range(7)
    ]
    batches[0]["tokens"][0, 0] = 5
    with pytest.raises(batchweave.InvalidRequest, match=r"batch\.state_dict\(\)"):
        data.state_dict()


@pytest.mark.parametrize("workers", [0, 2])
def test_a_batchs_state_goes_on_with_any_number_of_workers(node: Node, workers: int) -> None:
    stored = node.store(steps=9)
    data = batchweave.dataset(stored.warehouse, "t.x", mesh="dp=0/4")
    batches = loader(data, num_workers=3)
    for _ in range(4):
        state = next(batches).state_dict()

    resumed = batchweave.dataset(stored.warehouse, "t.x", mesh="dp=0/4")
    resumed.load_state_dict(state)
    steps = [batch.step for batch in loader(resumed, num_workers=workers)]
    assert steps == [4, 5, 6, 7, 8]


def test_workers_outlive_a_sidecar(node: Node) -> None:
    stored = node.store(steps=12)
    stored.fault(die_after_step=4)
    data = batchweave.dataset(stored.warehouse, "t.x", job="j", mesh="dp=0/4")

    assert [batch.step for batch in loader(data, num_workers=2)] == list(range(12))
    assert len(node.started()) == 2


def test_workers_may_send_tensors(node: Node) -> None:
    data = batchweave.dataset(node.store(steps=4).warehouse, "t.x")
    sent = list(loader(data, num_workers=2, collate_fn=as_tensors))

    assert [part["step"] for part in sent] == [0, 1, 2, 3]
    assert int(sent[3]["tokens"][0, 0]) == 3000


def test_a_parent_that_has_read_hands_its_place_to_workers(node: Node) -> None:
    data = batchweave.dataset(node.store(steps=4).warehouse, "t.x", job="j")
    next(data)

    assert [batch.step for batch in loader(data, num_workers=2)] == [1, 2, 3]


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("taken", [0, 1, 3, 4])
def test_a_stateful_loader_goes_on(node: Node, workers: int, taken: int) -> None:
    stateful = pytest.importorskip("torchdata.stateful_dataloader", reason="no torchdata")
    stored = node.store(steps=8)

    def made() -> Any:
        data = batchweave.dataset(stored.warehouse, "t.x", job="j", mesh="dp=0/4")
        return stateful.StatefulDataLoader(data, batch_size=None, num_workers=workers)

    first = made()
    batches = iter(first)
    for _ in range(taken):
        next(batches)
    state = first.state_dict()
    del batches, first

    resumed = made()
    resumed.load_state_dict(state)
    assert [batch.step for batch in resumed] == list(range(taken, 8))


def test_a_workers_state_needs_as_many_workers(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x")
    data.load_state_dict({"cursor": "id-t.x:1", "worker": 1, "workers": 2})

    with pytest.raises(batchweave.InvalidRequest, match="one of 2 workers"):
        next(data)


def test_a_device_mesh_of_torch_is_a_place() -> None:
    script = """
import os, torch
os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT="0")
from torch.distributed.device_mesh import init_device_mesh
from batchweave.place import place
print(place(init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))))
torch.distributed.destroy_process_group()
"""
    source = str(Path(batchweave.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": source, "GLOO_SOCKET_IFNAME": "lo"},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert ran.stdout.strip() == "dp=0/1,tp=0/1", ran.stderr


def test_torchrun_tells_place_and_session(node: Node) -> None:
    stored = node.store(steps=2)
    script = node.folder / "train.py"
    script.write_text(
        "import os, batchweave\n"
        f"data = batchweave.dataset({stored.warehouse!r}, 't.x', job='j')\n"
        "print([batch['tokens'].tolist()[0][0] for batch in data], flush=True)\n"
    )
    line = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(script)]
    ran = subprocess.run(
        [sys.executable, *line],
        env={**os.environ, "PYTHONPATH": str(Path(batchweave.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert sorted(ran.stdout.split("\n"))[1:] == ["[0, 1000]", "[20, 1020]"], ran.stderr
    opens = stored.opens()
    assert {one["mesh"] for one in opens} == {"dp=0/2", "dp=1/2"}
    assert len({one["session"] for one in opens}) == 1
    assert opens[0]["session"].startswith("torchrun-")

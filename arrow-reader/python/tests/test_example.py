"""The example beside the package: killed and gone on with other ranks, its losses are the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import batchweave
from fakes import Node

EXAMPLE = Path(__file__).parents[1] / "examples" / "train.py"


def run(warehouse: str, out: Path, *more: str, kill_at: int = -1) -> dict[int, float]:
    """The loss of each step that it tells, until it ends or is killed after a step."""
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLE), warehouse, "t.x", "--out", str(out)]
        + ["--engine", "numpy", "--checkpoint-every", "3", *more],
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(batchweave.__file__).parents[1]),
            "OPENBLAS_NUM_THREADS": "1",
        },
        start_new_session=True,
    )
    losses = {}
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            told = json.loads(line)
            losses[told["step"]] = told["loss"]
            if told["step"] == kill_at:
                os.killpg(process.pid, signal.SIGKILL)
                break
    assert process.wait(60) == (0 if kill_at < 0 else -signal.SIGKILL)
    return losses


def test_a_killed_run_goes_on_with_one_rank_as_if_nothing_had_been(
    node: Node, tmp_path: Path
) -> None:
    warehouse = node.store(steps=12, length=16).warehouse
    undisturbed = run(warehouse, tmp_path / "whole", "--ranks", "2", "--job", "whole")

    before = run(warehouse, tmp_path / "killed", "--ranks", "2", "--job", "killed", kill_at=7)
    after = run(warehouse, tmp_path / "killed", "--ranks", "1", "--job", "killed")

    assert min(after) in (6, 9)
    assert {**before, **after} == undisturbed
    assert undisturbed[11] < undisturbed[0]


@pytest.mark.parametrize("ranks", ["1", "3"])
def test_why_it_cannot_go_on_is_one_line_of_each_rank(
    node: Node, tmp_path: Path, ranks: str
) -> None:
    warehouse = node.store(steps=1, length=16).warehouse
    arguments = [warehouse, "t.none", "--out", str(tmp_path), "--engine", "numpy"]
    process = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments, "--ranks", ranks],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(batchweave.__file__).parents[1])},
        timeout=60,
    )

    assert process.returncode == 1
    lines = process.stderr.splitlines()
    assert "Rank 0: Cannot open t.none: there is no such dataset" in lines
    assert all(line.startswith("Rank ") for line in lines), process.stderr


def test_the_written_out_gradient_is_torchs() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    sys.path.insert(0, str(EXAMPLE.parent))
    import train

    weights, _ = train.loaded(Path("/nowhere"))
    tokens = np.random.default_rng(1).integers(0, 100_000, (3, 12)).astype(np.int32)
    valid = np.array([12, 5, 0], np.int32)
    loss, count, mine = train.numpy_gradients(weights, tokens, valid)
    torchs_loss, torchs_count, torchs = train.torch_gradients()(weights, tokens, valid)

    assert (count, torchs_count) == (13, 13)
    assert abs(loss - torchs_loss) < 1e-9
    for name, gradient in mine.items():
        assert np.allclose(gradient, torchs[name], atol=1e-12)

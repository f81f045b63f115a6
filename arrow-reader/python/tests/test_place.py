"""Where a rank stands, and to which start it belongs."""

from __future__ import annotations

import re
from typing import Any

import pytest

import batchweave
from batchweave.place import place, session_of_start

TORCHRUN = {
    "TORCHELASTIC_RUN_ID": "run.7",
    "TORCHELASTIC_RESTART_COUNT": "2",
    "MASTER_PORT": "4711",
}


@pytest.fixture(autouse=True)
def no_torchrun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    monkeypatch.delenv("WORLD_SIZE", raising=False)


class DeviceMesh:
    mesh_dim_names: tuple[str, ...] | None = ("dp", "cp")
    shape = (4, 2)

    def get_local_rank(self, name: str) -> int:
        return {"dp": 3, "cp": 1}[name]


@pytest.mark.parametrize(
    ("mesh", "text"),
    [
        ({"dp": (0, 2)}, "dp=0/2"),
        ({"dp": (0, 2), "cp": [1, 2]}, "dp=0/2,cp=1/2"),
        (" dp = 3/8 , cp=0/2", "dp=3/8,cp=0/2"),
        (DeviceMesh(), "dp=3/4,cp=1/2"),
        (None, ""),
        ({}, ""),
    ],
)
def test_a_place_is_told_in_many_ways(mesh: object, text: str) -> None:
    assert str(place(mesh)) == text


@pytest.mark.parametrize(
    "mesh", [{"dp": (2, 2)}, {"dp": (-1, 2)}, {"dp": 1}, {"dp": ("a", 2)}, "dp=1", "dp=1/0", 5]
)
def test_what_is_no_place_is_refused(mesh: object) -> None:
    with pytest.raises(batchweave.InvalidRequest):
        place(mesh)


def test_a_device_mesh_without_names_is_refused() -> None:
    mesh = DeviceMesh()
    mesh.mesh_dim_names = None

    with pytest.raises(batchweave.InvalidRequest, match="mesh_dim_names"):
        place(mesh)


def test_torchrun_tells_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "8")

    assert str(place(None)) == "dp=3/8"
    assert str(place(None).on("batch=8")) == "batch=3/8"
    assert str(place(None).on("dp=8,cp=2")) == "dp=3/8"


def test_only_what_was_not_given_is_fitted_to_the_grid() -> None:
    assert str(place(DeviceMesh()).on("dp=8")) == "dp=3/4"
    assert str(place({"cp": (0, 2)}).on("dp=8")) == "cp=0/2"


@pytest.mark.parametrize(
    ("environment", "session"),
    [
        (TORCHRUN, "torchrun-run-7-2-4711"),
        ({**TORCHRUN, "SLURM_JOB_ID": "1", "SLURM_STEP_ID": "0"}, "torchrun-run-7-2-4711"),
        ({"SLURM_JOB_ID": "88", "SLURM_STEP_ID": "3"}, "slurm-88-0-3"),
        (
            {"SLURM_JOB_ID": "88", "SLURM_STEP_ID": "3", "SLURM_RESTART_COUNT": "1"},
            "slurm-88-1-3",
        ),
        ({"SLURM_JOB_ID": "88"}, None),
        ({**TORCHRUN, "TORCHELASTIC_RUN_ID": "none", "GROUP_WORLD_SIZE": "1"}, None),
        ({}, None),
    ],
)
def test_a_start_has_a_name(environment: dict[str, str], session: str | None) -> None:
    assert session_of_start(environment) == session


def test_starts_on_several_nodes_without_an_id_are_refused() -> None:
    told = {**TORCHRUN, "TORCHELASTIC_RUN_ID": "none", "GROUP_WORLD_SIZE": "2"}

    with pytest.raises(batchweave.InvalidRequest, match="--rdzv-id"):
        session_of_start(told)


def test_names_of_starts_are_names_of_sessions() -> None:
    told = {**TORCHRUN, "TORCHELASTIC_RUN_ID": "a/b c" * 100}
    one, other = session_of_start(told), session_of_start({**told, "MASTER_PORT": "1"})

    assert one and re.fullmatch(r"[A-Za-z0-9_-]{1,128}", one)
    assert one != other


@pytest.mark.parametrize(
    "wrong", [{"wait": 0}, {"session": "s"}, {"start": -1}, {"mesh": {"dp": (1, 1)}}]
)
def test_what_cannot_be_meant_is_refused_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(batchweave.InvalidRequest):
        batchweave.dataset("/nowhere", "a.b", **wrong)

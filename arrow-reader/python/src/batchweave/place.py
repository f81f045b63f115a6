"""A rank's place on the mesh, and the name of the start it belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from batchweave.errors import InvalidRequest

#: The axis of the ranks that torchrun counts, unless the grid has one axis of another name.
DATA_AXIS = "dp"

_NAME_CHARACTERS_MAX = 128


@dataclass(frozen=True)
class Coordinate:
    """Rank ``rank`` of ``size`` on an axis."""

    axis: str
    rank: int
    size: int

    def __str__(self) -> str:
        return f"{self.axis}={self.rank}/{self.size}"


@dataclass(frozen=True)
class Place:
    """Where a rank stands; nowhere is the whole grid.

    Attributes:
        coordinates: one for each axis that was named
        origin: who named them. What was not written for this grid is fitted to it.
    """

    coordinates: tuple[Coordinate, ...]
    origin: Literal["given", "device mesh", "environment"]

    def __str__(self) -> str:
        return ",".join(str(coordinate) for coordinate in self.coordinates)

    def on(self, grid: str) -> Place:
        """The place on a grid such as ``dp=8,cp=2`` for which it was refused.

        A device mesh has axes that the data knows nothing of (``tp``): ranks that differ in these
        alone get the same slices. What torchrun counts stands on the only axis there is.
        """
        axes = [part.split("=")[0].strip() for part in grid.split(",")]
        if self.origin == "device mesh":
            known = tuple(one for one in self.coordinates if one.axis in axes)
            return replace(self, coordinates=known) if known else self
        if self.origin == "environment" and len(axes) == 1:
            return replace(
                self, coordinates=tuple(replace(one, axis=axes[0]) for one in self.coordinates)
            )
        return self


def place(mesh: object) -> Place:
    """Reads what was given as ``mesh``.

    It is a mapping of axis to (rank, size), a text such as ``dp=0/2,cp=1/2``, a torch
    ``DeviceMesh`` with named dimensions, or None: what torchrun says, or the whole grid.

    Raises:
        InvalidRequest: it is none of these.
    """
    if mesh is None:
        return _of_environment(os.environ)
    if isinstance(mesh, str):
        return _of_text(mesh)
    if isinstance(mesh, Mapping):
        return _of_mapping(mesh)
    if hasattr(mesh, "mesh_dim_names") and hasattr(mesh, "get_local_rank"):
        return _of_device_mesh(mesh)
    raise InvalidRequest(
        f"Cannot take a {type(mesh).__name__} as mesh; give {{'dp': (rank, world_size)}}, 'dp=0/2'"
        " or a torch DeviceMesh"
    )


def _of_mapping(mesh: Mapping[Any, Any]) -> Place:
    coordinates = []
    for axis, at in mesh.items():
        try:
            rank, size = at
            coordinates.append(_coordinate(str(axis), int(rank), int(size)))
        except (TypeError, ValueError) as e:
            if isinstance(e, InvalidRequest):
                raise
            raise InvalidRequest(
                f"Cannot take {at!r} as the place on axis {axis}; give (rank, world_size)"
            ) from e
    return Place(tuple(coordinates), "given")


def _of_text(mesh: str) -> Place:
    coordinates = []
    for part in mesh.split(",") if mesh.strip() else ():
        sides = re.fullmatch(r"\s*([^=/]+?)\s*=\s*(-?\d{1,9})\s*/\s*(-?\d{1,9})\s*", part)
        if not sides:
            raise InvalidRequest(f"Cannot take '{mesh}' as mesh; write it as dp=0/2,cp=1/2")
        coordinates.append(_coordinate(sides[1], int(sides[2]), int(sides[3])))
    return Place(tuple(coordinates), "given")


def _of_device_mesh(mesh: Any) -> Place:
    names = mesh.mesh_dim_names
    if not names:
        raise InvalidRequest(
            "Cannot take a DeviceMesh without names as mesh; give it mesh_dim_names, such as"
            " ('dp', 'tp')"
        )
    sizes = tuple(mesh.shape)
    return Place(
        tuple(
            _coordinate(name, int(mesh.get_local_rank(name)), int(size))
            for name, size in zip(names, sizes)
        ),
        "device mesh",
    )


def _of_environment(environment: Mapping[str, str]) -> Place:
    rank, world = environment.get("RANK"), environment.get("WORLD_SIZE")
    if not rank or not world:
        return Place((), "environment")
    try:
        return Place((_coordinate(DATA_AXIS, int(rank), int(world)),), "environment")
    except ValueError as e:
        raise InvalidRequest(
            f"Cannot take RANK={rank} and WORLD_SIZE={world} as a place: {e}; give mesh="
        ) from e


def _coordinate(axis: str, rank: int, size: int) -> Coordinate:
    if size < 1 or not 0 <= rank < size:
        raise InvalidRequest(
            f"Cannot stand at {axis}={rank}/{size}: ranks count from 0 to world size - 1"
        )
    return Coordinate(axis, rank, size)


def session_of_start(environment: Mapping[str, str]) -> str | None:
    """A name that all ranks of this start of the job have in common, and no other start has.

    None: there is nothing to tell it from; the ranks of one node find each other through their
    sidecar.

    Raises:
        InvalidRequest: torchrun started ranks on several nodes and gave this start no id.
    """
    get = environment.get
    if get("TORCHELASTIC_RUN_ID") is not None:
        run = get("TORCHELASTIC_RUN_ID")
        if run in ("", "none"):
            # Without --rdzv-id every start has the same variables, and a later one would take
            # itself for the first one's go on.
            if get("GROUP_WORLD_SIZE", "1") == "1":
                return None
            raise InvalidRequest(
                "Cannot name the session of a job on several nodes: torchrun has given this start"
                " no id; give torchrun --rdzv-id and --rdzv-backend=c10d, or name the session with"
                " session="
            )
        restart = get("TORCHELASTIC_RESTART_COUNT", "0")
        return _name("torchrun", run, restart, get("MASTER_PORT", "0"))
    if get("SLURM_JOB_ID") and get("SLURM_STEP_ID"):
        restart = get("SLURM_RESTART_COUNT", "0")
        return _name("slurm", get("SLURM_JOB_ID"), restart, get("SLURM_STEP_ID"))
    return None


def _name(*parts: str | None) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]", "-", "-".join(part or "0" for part in parts))
    if len(name) <= _NAME_CHARACTERS_MAX:
        return name
    # The ends tell starts apart.
    half = _NAME_CHARACTERS_MAX // 2
    return name[:half] + name[-half:]

"""The iterable that a training loop runs over."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from batchweave.batch import Batch, State
from batchweave.errors import InvalidRequest
from batchweave.folder import SidecarOptions
from batchweave.place import place, session_of_start
from batchweave.reader import Checkpoint, Order, Position, Reader
from batchweave.warehouse import uri

WAIT_SECONDS = 300.0
#: A year: more is not what anybody waits, and what clocks count to is not much more.
WAIT_SECONDS_MAX = 366 * 24 * 3600.0


def dataset(
    warehouse: str | os.PathLike[str],
    name: str,
    *,
    job: str | None = None,
    session: str | None = None,
    mesh: object = None,
    wait: float = WAIT_SECONDS,
    start: int | None = None,
    socket: str | None = None,
    shm_dir: str | None = None,
    memory: str | None = None,
) -> Dataset:
    """The steps of a dataset, as a rank gets them.

    Nothing is read, and no sidecar is started, until the first batch is asked for.

    Args:
        warehouse: a folder, or a URI such as ``s3://bucket/folder``
        name: ``namespace.dataset``
        job: the training job for which steps are kept; it is attached if it never was
        session: one start of the job, the same on all its ranks, and another one at the next
            start. Under torchrun and SLURM it is told by their variables; the ranks of one node
            find each other without.
        mesh: this rank's place: ``{"dp": (rank, world_size)}``, or ``"dp=0/2"``, or a torch
            ``DeviceMesh`` with names; without it what torchrun says, or all slices
        wait: how many seconds a step is waited for before ``Unavailable`` says what is missing
        start: without a state, the first step; default the first that is kept, or where the
            session starts
        socket: of a sidecar that runs as a service (or BATCHWEAVE_SOCKET)
        shm_dir: a folder in memory, default /dev/shm (or BATCHWEAVE_SHM_DIR)
        memory: how much of it a sidecar that is started may take, such as ``8g`` (or
            BATCHWEAVE_MEMORY)

    Raises:
        InvalidRequest: the mesh is none, or a number is out of range.
    """
    if not 0 < wait <= WAIT_SECONDS_MAX:
        raise InvalidRequest(
            f"Cannot wait {wait} s for a step; wait is more than 0 s and at most"
            f" {WAIT_SECONDS_MAX:.0f} s"
        )
    if session is not None and job is None:
        raise InvalidRequest(f"Cannot join session {session} of no job; name the job with job=")
    if start is not None and start < 0:
        raise InvalidRequest(f"Cannot start at step {start}; steps count from 0")
    if job is not None and session is None:
        session = session_of_start(os.environ)
    order = Order(uri(warehouse), name, job, session, place(mesh), start)
    _announce_to_torch()
    return Dataset(order, SidecarOptions.given(socket, shm_dir, memory), wait)


class Dataset:
    """An iterator of batches, in step order, that can be saved and moved.

    It goes on where it stopped: a loop that is left with ``break`` is continued by the next one.
    A forked or spawned process that gets one goes on from the same place, by a connection of its
    own; as a worker of torch's ``DataLoader``, number i of N takes every N-th step from the i-th
    on. It is to be used by one thread at a time.
    """

    def __init__(self, order: Order, options: SidecarOptions, wait: float) -> None:
        self._order = order
        self._options = options
        self._wait = wait
        self._state: State | None = None
        self._reader: Reader | None = None
        self._reader_pid = 0
        self._looped_pid = 0
        self._has_ended = False

    def __iter__(self) -> Iterator[Batch]:
        self._looped_pid = os.getpid()
        return self

    def __next__(self) -> Batch:
        """The batch of the next step.

        Raises:
            StopIteration: the dataset is sealed, and this was all; on every rank at the same step.
            Unavailable: the step did not come within ``wait`` seconds; it can be asked for again.
            Expired: the step is swept.
            Corrupt: stored bytes are not what was written.
            Fenced: another session of the job has replaced this one.
        """
        self._looped_pid = os.getpid()
        reader = self._own_reader()
        if self._has_ended:
            raise StopIteration
        batch = reader.next(self._wait)
        if batch is None:
            self._has_ended = True
            raise StopIteration
        return batch

    def state_dict(self) -> State:
        """Where to go on, the same on all ranks: save it with the model. A few hundred bytes.

        Raises:
            InvalidRequest: no loop ran in this process. Where the workers of a DataLoader read,
                each batch brings the state: ``batch.state_dict()``.
        """
        if self._looped_pid != os.getpid():
            raise InvalidRequest(
                f"Cannot tell where {self._order.dataset} stands: no loop over it ran in this"
                " process; if workers of a DataLoader read it, take batch.state_dict()"
            )
        reader = self._own_reader()
        if reader.position.cursor is None:
            reader.open()
        return _state(reader.position)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state, of any earlier start and of any world size.

        Nothing is read for it; a state of another dataset or another history is refused when the
        next batch is asked for.

        Raises:
            InvalidRequest: it is no state.
        """
        cursor = state.get("cursor") if isinstance(state, Mapping) else None
        if not isinstance(cursor, str):
            raise InvalidRequest(
                f"Cannot go on from {str(state)[:200]}; give what state_dict() returned"
            )
        self.close()
        self._state = dict(state)
        self._reader = None
        self._has_ended = False

    def checkpoint(
        self,
        id: str,
        *,
        rank: int | None = None,
        ranks: int | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Checkpoint:
        """Says that the model is saved, so that older steps need not be kept for the job.

        Args:
            id: its name, the same on all ranks
            rank, ranks: where each of ``ranks`` ranks saves its part, each says so, and the last
                one makes the checkpoint; without, one rank says it for all
            state: where the model stands; default ``state_dict()``

        Raises:
            InvalidRequest: there is no job, or only one of rank and ranks.
        """
        if self._order.job is None:
            raise InvalidRequest(
                f"Cannot make checkpoint {id}: {self._order.dataset} is read for no job; name it"
                " with job="
            )
        if (rank is None) != (ranks is None):
            raise InvalidRequest(f"Cannot make checkpoint {id}: give rank and ranks, or neither")
        cursor = str((self.state_dict() if state is None else state)["cursor"])
        return self._own_reader().checkpoint(id, cursor, rank, ranks)

    def close(self) -> None:
        """Lets go of the sidecar. Batches stay readable; the next one asked for opens again."""
        if self._reader is not None:
            self._reader.close()

    def __enter__(self) -> Dataset:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        place = str(self._order.place) or "the whole grid"
        return f"<batchweave.Dataset {self._order.dataset} at {place}>"

    def __getstate__(self) -> dict[str, Any]:
        return {
            **self.__dict__,
            "_state": self._here(),
            "_reader": None,
            "_reader_pid": 0,
            "_looped_pid": 0,
        }

    def _here(self) -> State | None:
        """Where another process that gets this goes on; None is the start."""
        if self._reader is None or self._reader.position.cursor is None:
            return self._state
        return _state(self._reader.position)

    def _own_reader(self) -> Reader:
        """This process's reader. One that was inherited by a fork tells where to begin."""
        if self._reader is not None and self._reader_pid == os.getpid():
            return self._reader
        self._state = self._here()
        self._reader = Reader(self._order, self._options, _position(self._state))
        self._reader_pid = os.getpid()
        return self._reader


def _state(position: Position) -> State:
    """What is saved of it: of one worker among several also which steps it takes."""
    if position.workers == 1:
        return {"cursor": position.cursor}
    return {
        "cursor": position.cursor,
        "worker": position.worker,
        "workers": position.workers,
    }


def _position(state: State | None) -> Position:
    """Where this process begins: at the state, and if it is a worker, with its share from there."""
    number, workers = _worker()
    if state is None:
        return Position(None, number, workers)
    saved = int(state.get("workers", 1))
    if saved == 1:
        return Position(str(state["cursor"]), number, workers)
    if saved != workers:
        raise InvalidRequest(
            f"Cannot go on from the state of one of {saved} workers in one of {workers}: each goes"
            " on with its own steps; use as many workers, or the state of a batch"
        )
    return Position(str(state["cursor"]), int(state["worker"]), workers)


def _worker() -> tuple[int, int]:
    """This process's number among the workers of a DataLoader, and how many they are."""
    data = sys.modules.get("torch.utils.data")
    info = None if data is None else data.get_worker_info()
    return (0, 1) if info is None else (int(info.id), int(info.num_workers))


def _announce_to_torch() -> None:
    """Lets a DataLoader take a Dataset for iterable, without an import of torch here."""
    data = sys.modules.get("torch.utils.data")
    if data is not None:
        data.IterableDataset.register(Dataset)

"""A stream of steps that outlives the sidecars it comes from."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa

from batchweave.batch import Batch, Slice
from batchweave.errors import BatchWeaveError, InvalidRequest, Unavailable
from batchweave.folder import SidecarOptions
from batchweave.launch import connect
from batchweave.memory import Extent, mapped
from batchweave.place import Place
from batchweave.wire import Connection, ConnectionLost

#: How long a sidecar may take beyond the wait that it was asked for.
GRACE_SECONDS = 30.0
#: How long a sidecar is looked for, or started, once one is gone.
RECONNECT_SECONDS = 120.0
#: How long a sidecar that was named is looked for before the first connection: a wrong name, and
#: a service that was never started, are told soon.
NAMED_SECONDS = 3.0
OPEN_SECONDS = 120.0
_PAUSE_SECONDS = 0.05
_PAUSE_SECONDS_MAX = 1.0

T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    """What is asked for; the same for the whole life of a ``Dataset``."""

    warehouse: str
    dataset: str
    job: str | None
    session: str | None
    place: Place
    start: int | None


@dataclass(frozen=True)
class Position:
    """Where to go on.

    Attributes:
        cursor: None is the start
        worker, workers: of the steps from the cursor on, every ``workers``-th is taken, from the
            ``worker``-th on
    """

    cursor: str | None
    worker: int = 0
    workers: int = 1

    def after(self, cursor: str) -> Position:
        """Where to go on after a step that was taken: ``workers - 1`` steps are others'."""
        return Position(cursor, self.workers - 1, self.workers)


class Checkpoint(NamedTuple):
    """What became of a checkpoint.

    Attributes:
        id: its name
        next_step: the first step that is read after it
        waiting_for: so many ranks have not said yet that they have saved; 0: it is made
    """

    id: str
    next_step: int
    waiting_for: int


@dataclass(frozen=True)
class _Opened:
    schema: pa.Schema
    session: str | None
    place: Place


class Reader:
    """Reads from a position on.

    When a connection ends it makes another, with a sidecar that it starts if there is none, and
    goes on at the same position in the same session.

    Attributes:
        position: after the last step that was given
    """

    def __init__(self, order: Order, options: SidecarOptions, position: Position) -> None:
        self._order = order
        self._options = options
        self.position = position
        self._connection: Connection | None = None
        self._opened: _Opened | None = None

    def open(self) -> None:
        """Makes the position known: without a cursor it is the one at the start."""
        self._asked("open", OPEN_SECONDS, lambda connection: {})

    def next(self, wait_s: float) -> Batch | None:
        """The batch of the next step; None at the end of the data.

        Raises:
            Unavailable: there is none within ``wait_s`` seconds; the text says what is missing.
            BatchWeaveError: what the sidecar says.
        """
        return self._asked("read on", wait_s, lambda connection: self._next(connection, wait_s))

    def checkpoint(
        self, name: str, cursor: str, rank: int | None, ranks: int | None
    ) -> Checkpoint:
        """Says that the model is saved there. May be said again."""
        request: dict[str, Any] = {"do": "checkpoint", "id": name, "cursor": cursor}
        if ranks is not None:
            request |= {"rank": rank, "ranks": ranks}
        made = self._asked(
            f"make checkpoint {name}",
            OPEN_SECONDS,
            lambda connection: connection.ask(request, OPEN_SECONDS),
        )
        return Checkpoint(
            str(made.get("checkpoint", name)),
            int(made.get("next_step", 0)),
            int(made.get("waiting_for") or 0),
        )

    def close(self) -> None:
        """Ends the connection; what is read stays readable."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _next(self, connection: Connection, wait_s: float) -> Batch | None:
        request = {"do": "next", "wait_ms": max(1, round(wait_s * 1000))}
        given = connection.ask(request, wait_s + GRACE_SECONDS)
        assert self._opened is not None
        if given.get("end"):
            if given.get("cursor"):
                self.position = replace(self.position, cursor=given["cursor"])
            return None
        step, schema = int(given["step"]), self._opened.schema
        extents = [
            Extent(part["path"], int(part["offset"]), int(part["length"]))
            for part in given["slices"]
        ]
        try:
            messages = mapped(extents)
        except FileNotFoundError as e:
            # The sidecar was killed after it answered, and the next one has cleaned up.
            self.close()
            raise ConnectionLost(f"{e.filename} is gone") from e
        slices = [
            Slice(int(part["index"]), message, schema, step)
            for part, message in zip(given["slices"], messages)
        ]
        cursor = str(given["cursor"])
        self.position = self.position.after(cursor)
        return Batch(step, slices, schema, {"cursor": cursor})

    def _asked(self, what: str, within_s: float, ask: Callable[[Connection], T]) -> T:
        """Asks on a connection that is open, and on another one if that ends.

        The time for it is that of the request, and what it takes to find another sidecar: one that
        dies again and again at the same step ends in an error, not in a loop.
        """
        until: float | None = None
        pause = _PAUSE_SECONDS
        while True:
            try:
                return ask(self._usable())
            except ConnectionLost as e:
                lost = e
            except Unavailable as e:
                if until is None or self._opened_here:
                    raise
                # It is not this request that was answered so, but the attempt to go on.
                lost = ConnectionLost(str(e))
            now = time.monotonic()
            patience_s = NAMED_SECONDS if self._is_unproven else within_s + RECONNECT_SECONDS
            until = until or now + patience_s
            if now > until:
                raise self._given_up(what, patience_s, lost) from lost
            time.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _PAUSE_SECONDS_MAX)

    @property
    def _is_unproven(self) -> bool:
        """Whether the sidecar was named, and has not answered yet."""
        return self._options.socket is not None and self._opened is None

    def _given_up(self, what: str, patience_s: float, lost: ConnectionLost) -> Unavailable:
        if self._is_unproven:
            return Unavailable(
                f"Cannot {what} at {self._where()}: {lost}, which was named by socket= or"
                " BATCHWEAVE_SOCKET; start a sidecar there (batchweave sidecar --socket"
                f" {self._options.socket} --idle 0s), or name none to have one started"
            )
        return Unavailable(
            f"Cannot {what} at {self._where()}: the sidecar is gone, and none could be reached for"
            f" {patience_s:.0f} s; {lost}; look at {self._options.log}"
        )

    @property
    def _opened_here(self) -> bool:
        return self._connection is not None and self._connection.is_usable

    def _where(self) -> str:
        return f"{self._order.dataset} ({self.position.cursor or 'its start'})"

    def _usable(self) -> Connection:
        if self._connection is not None and self._connection.is_usable:
            return self._connection
        connection = connect(self._options)
        try:
            self._register(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _register(self, connection: Connection) -> None:
        place = self._opened.place if self._opened else self._order.place
        try:
            reply = self._open(connection, place)
        except InvalidRequest as refusal:
            fitted = self._fitted(connection, place)
            if fitted == place:
                raise refusal
            place = fitted
            reply = self._open(connection, place)
        if self.position.cursor is None and reply.get("cursor"):
            self.position = replace(self.position, cursor=str(reply["cursor"]))
        schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(reply["schema"])))
        self._opened = _Opened(schema, reply.get("session"), place)

    def _open(self, connection: Connection, place: Place | None) -> Mapping[str, Any]:
        order, known = self._order, self._opened
        request: dict[str, Any] = {
            "do": "open",
            "warehouse": order.warehouse,
            "dataset": order.dataset,
        }
        if place is not None:
            request |= {
                "mesh": str(place) or None,
                "job": order.job,
                "session": known.session if known and order.job else order.session,
                "cursor": self.position.cursor,
                "from": order.start if self.position.cursor is None else None,
                "worker": self.position.worker,
                "workers": self.position.workers,
                "goes_on": True if known else None,
            }
        told = {name: value for name, value in request.items() if value is not None}
        return connection.ask(told, OPEN_SECONDS)

    def _fitted(self, connection: Connection, place: Place) -> Place:
        """The place as it is on the grid, which the reply to an open of all of it tells."""
        if place.origin == "given" or not place.coordinates:
            return place
        try:
            return place.on(str(self._open(connection, None).get("grid", "")))
        except BatchWeaveError:
            return place

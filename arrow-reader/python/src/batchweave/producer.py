"""Publishing: global batches in, exactly once.

The work is done by a process ``batchweave publish``, fed through a pipe. It ends with its standard
input, however this process ends.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from batchweave import java
from batchweave.errors import BatchWeaveError, CannotStart, Internal, InvalidRequest, from_reply
from batchweave.rows import record_batch
from batchweave.version import PROTOCOL
from batchweave.warehouse import uri

END_SECONDS = 300.0
_REFUSED_SECONDS = 30.0
_TAIL_BYTES = 4096
_KINDS_OF_EXIT_CODES = {
    2: "invalid",
    3: "unavailable",
    4: "fenced",
    5: "corrupt",
    6: "unknown",
    7: "unsupported",
}



class Committed(NamedTuple):
    """A batch that is in the log."""

    sequence: int
    step: int


@dataclass(frozen=True)
class Published:
    """A batch that is written, and on its way into the log.

    Attributes:
        sequence: its number among those of the producer, from 0
        committed: the batches that have got into the log since the last answer
    """

    sequence: int
    committed: list[Committed]


def producer(warehouse: str | os.PathLike[str], name: str, id: str) -> Producer:
    """Opens a producer: from now on, an earlier process of the same id can publish nothing.

        with batchweave.producer("s3://bucket/wh", "train.pretrain", "p0") as p:
            for progress, slices in work_after(p.progress):
                p.publish(slices, progress=progress)

    Args:
        warehouse: a folder, or a URI such as ``s3://bucket/folder``
        name: ``namespace.dataset``
        id: of the producer; the same at each start

    Raises:
        CannotStart: there is no Java.
        InvalidRequest: there is no such dataset.
    """
    command = java.command("publish", name, "--producer", id, "--warehouse", uri(warehouse))
    return Producer(command, f"{name} as {id}")


class Producer:
    """A producer that is open. To be used by one thread at a time.

    Attributes:
        progress: what was said with the last batch that is in the log, by whichever process;
            empty at first. All up to it is published: go on behind it.
        schema: of the dataset
        grid: such as ``dp=8``
        slices: how many a batch has
        epoch: the number of this start
        next_sequence: the number of the next batch
        finished: whether the producer has said before that it has published all it has
    """

    def __init__(self, command: list[str], name: str) -> None:
        self._name = name
        self._said = tempfile.TemporaryFile()
        self._error: BatchWeaveError | None = None
        theirs, ours = os.pipe()
        try:
            # In a session of its own: Ctrl-C is for this process, whose end is the other's flush.
            self._process = subprocess.Popen(
                command,
                stdin=theirs,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        self._pipe = _Pipe(ours)
        assert self._process.stdout
        self._replies = self._process.stdout
        self._is_over = False
        _open_here.add(self)
        try:
            opened = self._reply("open")
            if opened.get("protocol", PROTOCOL) != PROTOCOL:
                raise Internal(
                    f"Cannot publish to {name}: the command speaks protocol"
                    f" {opened.get('protocol')}, this package {PROTOCOL}; use those of one version"
                )
        except BaseException:
            self._end(0)
            raise
        self.progress = base64.b64decode(opened.get("progress") or "")
        self.schema: pa.Schema = pa.ipc.read_schema(
            pa.py_buffer(base64.b64decode(opened["schema"]))
        )
        self.grid = str(opened["grid"])
        self.slices = int(opened["slices"])
        self.epoch = int(opened["epoch"])
        self.next_sequence = int(opened["next_sequence"])
        self.finished = bool(opened.get("finished"))

    def publish(
        self,
        slices: Iterable[Any],
        *,
        progress: bytes,
        counts: Mapping[str, int] | None = None,
        sources: Iterable[Mapping[str, Any]] = (),
        rows: Iterable[Mapping[str, Any]] = (),
    ) -> Published:
        """Publishes a global batch; it is written, and on its way into the log, when this returns.

        Args:
            slices: one for each of the grid, in its order: record batches, or mappings of column
                to array (rows first). An iterator is asked for one at a time.
            progress: from where a restart is to go on (at most 64 KiB), committed with the batch
            counts: whole numbers to be added up, such as tokens
            sources, rows: what the batch was made of, for ``batchweave explain``

        Raises:
            InvalidRequest: the slices are not the dataset's; nothing of the batch was published.
            Fenced: another process has opened this producer, or the dataset is sealed. As whatever
                keeps a batch from the log, it may also come from a later call, or the end.
            CommitUnknown, Unavailable: open the producer again; its progress tells what is in.
        """
        if isinstance(slices, Sized) and len(slices) != self.slices:
            raise InvalidRequest(
                f"Cannot publish {len(slices)} slices to {self._name}: the grid {self.grid} has"
                f" {self.slices}"
            )
        iterator = iter(slices)
        try:
            # Whatever is wrong with it is known before anything is sent.
            first = self._batch(next(iterator))
        except StopIteration:
            raise InvalidRequest(
                f"Cannot publish no slices to {self._name}: the grid {self.grid} has {self.slices}"
            ) from None
        request = {
            "do": "publish",
            "progress": base64.b64encode(progress).decode(),
            "counts": dict(counts or {}),
            "sources": [dict(source) for source in sources],
            "rows": [dict(row) for row in rows],
        }
        told = self._ask(request, self._stream(first, iterator))
        published = Published(int(told["sequence"]), _committed(told))
        self.next_sequence = published.sequence + 1
        return published

    def flush(self) -> list[Committed]:
        """Waits until every batch is in the log; gives those that got there meanwhile."""
        return _committed(self._ask({"do": "flush"}))

    def finish(self, progress: bytes | None = None) -> bool:
        """Says that this producer has published all it has; whether that has sealed the dataset."""
        request = {"do": "finish"}
        if progress is not None:
            request["progress"] = base64.b64encode(progress).decode()
        return bool(self._ask(request).get("sealed"))

    def seal(self) -> int:
        """Finishes, and ends the dataset after the steps it has: how many they are.

        Raises:
            InvalidRequest: another producer is unfinished; this one has finished all the same.
        """
        return int(self._ask({"do": "seal"})["steps"])

    def close(self) -> None:
        """Waits until every batch is in the log, and ends the process.

        Raises:
            BatchWeaveError: a batch did not get into the log, and why.
        """
        if not self._is_over:
            self._end(END_SECONDS)
            self._check_end()

    def __enter__(self) -> Producer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self.close()
        else:
            # What was published gets into the log also now. The error that is on its way says
            # more than any that could follow.
            self._end(_REFUSED_SECONDS)

    def _batch(self, rows: Any) -> pa.RecordBatch:
        if isinstance(rows, Mapping):
            return record_batch(rows, self.schema)
        if isinstance(rows, pa.RecordBatch):
            return rows
        raise InvalidRequest(
            f"Cannot publish a {type(rows).__name__} as a slice; give a pyarrow.RecordBatch or a"
            " mapping of column to array"
        )

    def _stream(self, first: pa.RecordBatch, rest: Iterable[Any]) -> Iterable[pa.RecordBatch]:
        yield first
        for rows in rest:
            yield self._batch(rows)

    def _ask(
        self, request: Mapping[str, Any], batches: Iterable[pa.RecordBatch] | None = None
    ) -> Mapping[str, Any]:
        """Sends a request, and with it a stream, and gives the answer.

        If anything ends it in between, the rest of the stream is missing, and so is the sense of
        what would follow: the process is ended, and publishes nothing of that batch.
        """
        if self._is_over or self._pipe.pid != os.getpid():
            raise InvalidRequest(
                f"Cannot publish to {self._name}: this producer has ended, or is another"
                " process's; open it again"
            )
        try:
            self._pipe.write(json.dumps(request, separators=(",", ":")).encode() + b"\n")
            if batches is not None:
                self._send(batches)
            return self._reply(str(request["do"]))
        except BrokenPipeError:
            # It has said why, and ended.
            self._reply(str(request["do"]))
            raise
        except BaseException:
            self._end(_REFUSED_SECONDS)
            raise

    def _send(self, batches: Iterable[pa.RecordBatch]) -> None:
        iterator = iter(batches)
        first = next(iterator)
        sink = pa.PythonFile(self._pipe, mode="w")
        # Only a stream that is whole gets its end marker: no "with", which writes it in any case.
        stream = pa.ipc.new_stream(sink, first.schema)
        stream.write_batch(first)
        for batch in iterator:
            stream.write_batch(batch)
        stream.close()

    def _reply(self, what: str) -> Mapping[str, Any]:
        line = self._replies.readline()
        if not line.endswith(b"\n"):
            self._end(_REFUSED_SECONDS)
            raise self._ended(what)
        reply = json.loads(line)
        if "error" in reply:
            self._end(_REFUSED_SECONDS)
            raise from_reply(reply["error"])
        ok: Mapping[str, Any] = reply["ok"]
        return ok

    def _ended(self, what: str) -> BatchWeaveError:
        """It has ended without a line: what it said to people is all there is."""
        code = self._process.returncode
        last = self._last_said()
        message = f"Cannot {what} {self._name}: batchweave publish ended with {code}: {last}"
        if what == "open" and code not in _KINDS_OF_EXIT_CODES:
            return CannotStart(message)
        return from_reply({"kind": _KINDS_OF_EXIT_CODES.get(code, "internal"), "message": message})

    def _check_end(self) -> None:
        """The last lines after the end of the input say whether all went well."""
        if self._process.returncode == 0:
            return
        raise self._error or self._ended("end")

    def _end(self, within_s: float) -> None:
        """Ends its input, and waits for it; it gets no longer than that."""
        if self._is_over:
            return
        self._is_over = True
        _open_here.discard(self)
        self._pipe.end()
        try:
            self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        except BaseException:
            self._process.kill()
            raise
        finally:
            self._error = self._last_error()
            self._replies.close()

    def _last_error(self) -> BatchWeaveError | None:
        for line in self._replies.read().splitlines():
            told = json.loads(line)
            if "error" in told:
                return from_reply(told["error"])
        return None

    def _last_said(self) -> str:
        end = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, end - _TAIL_BYTES))
        lines = self._said.read().decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "it said nothing")

    def _leave_to_parent(self) -> None:
        """In a forked child, whose copy of the pipe would keep the process alive."""
        self._is_over = True
        self._pipe.end()


class _Pipe:
    """The process's standard input: a file for pyarrow, which writes each buffer whole."""

    closed = False

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.pid = os.getpid()

    def write(self, content: Any) -> int:
        left = memoryview(content).cast("B")
        size = len(left)
        while len(left):
            left = left[os.write(self._descriptor, left) :]
        return size

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """The end of a stream is not the end of the pipe."""

    def end(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _committed(told: Mapping[str, Any]) -> list[Committed]:
    return [
        Committed(int(batch["sequence"]), int(batch["step"]))
        for batch in told.get("committed") or ()
    ]


_open_here: weakref.WeakSet[Producer] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for left in list(_open_here):
        left._leave_to_parent()
    _open_here.clear()


os.register_at_fork(after_in_child=_leave_all_to_parent)

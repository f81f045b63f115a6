"""Connects to this node's sidecar, and starts one if there is none (DELIVER-2)."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from batchweave import java
from batchweave.errors import CannotStart, Unavailable
from batchweave.folder import SidecarOptions
from batchweave.wire import Connection, ConnectionLost

START_SECONDS = 90.0
_POLL_SECONDS = 0.02
_ANOTHER_TRY_SECONDS = 0.5
_LOG_BYTES_MAX = 4 << 20
_TAIL_BYTES = 4096


def connect(options: SidecarOptions) -> Connection:
    """A connection to the sidecar, which is started if there is none.

    Raises:
        CannotStart: it ended with an error (its last line is in the text), or cannot run here.
        Unavailable: it does not answer in time.
        ConnectionLost: a socket was named, and nobody listens there.
        NoAccess: another user owns it.
    """
    options.check_owner()
    try:
        return Connection(options.socket_path)
    except ConnectionLost:
        if options.socket is not None:
            raise
    options.make_folder()
    until = time.monotonic() + START_SECONDS
    with _locked(options, until):
        return _started(options, until)


@contextmanager
def _locked(options: SidecarOptions, until: float) -> Iterator[None]:
    """Of many that start at once, here and in other processes, one goes on at a time."""
    left = until - time.monotonic()
    if not _starts.lock.acquire(timeout=max(left, 0)):
        raise _late(options, "another thread starts one")
    try:
        file = os.open(options.start_lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while not _has_locked(file):
                if time.monotonic() > until:
                    raise _late(options, f"another process holds {options.start_lock}")
                time.sleep(_POLL_SECONDS)
            yield
        finally:
            os.close(file)
    finally:
        _starts.lock.release()


def _has_locked(file: int) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _started(options: SidecarOptions, until: float) -> Connection:
    _starts.reap()
    process: subprocess.Popen[bytes] | None = None
    said_from = 0
    while True:
        try:
            return Connection(options.socket_path)
        except ConnectionLost:
            pass
        if time.monotonic() > until:
            raise _late(options, f"its log ends '{_last_line(options.log, said_from)}'")
        code = None if process is None else process.poll()
        if code:
            last = _last_line(options.log, said_from)
            reason = last or f"it ended with exit code {code}"
            raise CannotStart(f"Cannot start the sidecar: {reason} (its log is {options.log})")
        if process is None:
            said_from = _shortened(options.log)
            process = _spawn(options)
        elif code == 0:
            # It found another one that holds the lock and does not listen: that one is about to
            # begin, or to end. Then the next one serves.
            process = None
            time.sleep(_ANOTHER_TRY_SECONDS)
        time.sleep(_POLL_SECONDS)


def _spawn(options: SidecarOptions) -> subprocess.Popen[bytes]:
    arguments = ["sidecar", "--shm-dir", options.shm_dir]
    if options.memory is not None:
        arguments += ["--memory", options.memory]
    line = java.command(*arguments)
    with open(options.log, "ab") as log:
        # A session of its own: what ends this process's group, or its terminal, is not meant for
        # the sidecar, which others use too.
        process = subprocess.Popen(
            line,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    _starts.children.append(process)
    return process


class _Starts:
    """What this process has started; kept so that a sidecar that ended does not stay a zombie."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.children: list[subprocess.Popen[bytes]] = []

    def reap(self) -> None:
        self.children = [child for child in self.children if child.poll() is None]

    def forget(self) -> None:
        """In a forked child: they are the parent's children, and a thread of its may hold the lock."""
        for child in self.children:
            child.returncode = 0
        self.__init__()  # type: ignore[misc]


_starts = _Starts()
os.register_at_fork(after_in_child=_starts.forget)


def _shortened(log: Path) -> int:
    """The length of the log, which is begun anew once it is long."""
    try:
        size = log.stat().st_size
        if size > _LOG_BYTES_MAX:
            os.truncate(log, 0)
            return 0
    except OSError:
        return 0
    return size


def _last_line(log: Path, begin: int) -> str:
    try:
        with open(log, "rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(begin, end - _TAIL_BYTES))
            lines = file.read().decode(errors="replace").split("\n")
    except OSError:
        return ""
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else ""


def _late(options: SidecarOptions, reason: str) -> Unavailable:
    return Unavailable(
        f"Cannot connect to the sidecar at {options.socket_path}: none answered within"
        f" {START_SECONDS:.0f} s; {reason}; try again, and look at {options.log} if it repeats"
    )

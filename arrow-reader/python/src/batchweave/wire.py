"""One connection to a sidecar: a line of JSON each way, in order."""

from __future__ import annotations

import errno
import json
import os
import socket
import time
import weakref
from collections.abc import Mapping
from typing import Any

from batchweave.errors import InvalidRequest, NoAccess, Unavailable, from_reply
from batchweave.version import PROTOCOL, VERSION

LINE_BYTES_MAX = 1 << 20
REPLY_BYTES_MAX = 64 << 20
HELLO_SECONDS = 20.0
_CHUNK_BYTES = 1 << 16


class ConnectionLost(Exception):
    """The other side is gone, or nobody is there: another connection may find one."""


class Connection:
    """A connection that has said hello.

    It belongs to the process that made it. A forked child's copy is closed at once, so that the
    sidecar learns of the parent's end, and so that the two do not read each other's replies.

    Attributes:
        sidecar: the reply to hello; ``pid`` and ``version`` of the sidecar
    """

    def __init__(self, path: str) -> None:
        """Connects and says hello.

        Raises:
            ConnectionLost: nobody listens there, or it ended while it was asked.
            NoAccess: the socket may not be used by this user.
            InvalidRequest: the sidecar speaks another protocol, or the path is too long.
            Unavailable: somebody listens and does not answer.
        """
        self._path = path
        self._socket = _connected(path)
        self._pid = os.getpid()
        self._received = bytearray()
        _open_here.add(self)
        try:
            hello = {"do": "hello", "protocol": PROTOCOL, "version": VERSION, "pid": self._pid}
            self.sidecar: Mapping[str, Any] = self.ask(hello, HELLO_SECONDS)
            if self.sidecar.get("protocol", PROTOCOL) != PROTOCOL:
                raise InvalidRequest(
                    f"Cannot use the sidecar at {path}: it speaks protocol"
                    f" {self.sidecar.get('protocol')} (version {self.sidecar.get('version')}),"
                    f" this package protocol {PROTOCOL} (version {VERSION}); end it, and let this"
                    " package start its own"
                )
        except BaseException:
            self.close()
            raise

    @property
    def is_usable(self) -> bool:
        """Whether it is open, and this process's own."""
        return self._socket.fileno() >= 0 and self._pid == os.getpid()

    def ask(self, request: Mapping[str, Any], timeout_s: float) -> Mapping[str, Any]:
        """Sends a line and gives the ``ok`` of the reply.

        Whatever else than an error of the contract ends it, Ctrl-C too, closes the connection: a
        reply that comes later would be taken for that to the next request.

        Raises:
            ConnectionLost: the other side is gone.
            Unavailable: no reply within ``timeout_s`` seconds.
            BatchWeaveError: what the reply says.
        """
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        if len(line) > LINE_BYTES_MAX:
            raise InvalidRequest(
                f"Cannot ask the sidecar to {request.get('do')}: the request has {len(line)} bytes;"
                f" at most {LINE_BYTES_MAX} are taken"
            )
        try:
            reply = self._exchange(line, timeout_s)
            ok = reply.get("ok")
            error = reply.get("error")
        except OSError as e:
            self.close()
            raise ConnectionLost(str(e) or type(e).__name__) from e
        except BaseException:
            self.close()
            raise
        if isinstance(error, dict):
            raise from_reply(error)
        if not isinstance(ok, dict):
            self.close()
            raise ConnectionLost(f"it answered {str(reply)[:200]}")
        return ok

    def _exchange(self, line: bytes, timeout_s: float) -> Mapping[str, Any]:
        until = time.monotonic() + timeout_s
        try:
            self._socket.settimeout(timeout_s)
            self._socket.sendall(line)
            reply = json.loads(self._line(until))
        except TimeoutError as e:
            raise Unavailable(
                f"Cannot get an answer from the sidecar at {self._path}"
                f" (pid {getattr(self, 'sidecar', {}).get('pid', 'unknown')}): it said nothing for"
                f" {timeout_s:.0f} s; look at its log, and end it if it hangs"
            ) from e
        except ValueError as e:
            raise ConnectionLost(f"it answered what is no JSON: {e}") from e
        if not isinstance(reply, dict):
            raise ConnectionLost(f"it answered {str(reply)[:200]}")
        return reply

    def _line(self, until: float) -> bytes:
        searched = 0
        while True:
            end = self._received.find(b"\n", searched)
            if end >= 0:
                line = bytes(self._received[:end])
                del self._received[: end + 1]
                return line
            searched = len(self._received)
            if searched > REPLY_BYTES_MAX:
                raise ConnectionLost(f"it answered more than {REPLY_BYTES_MAX} bytes")
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            chunk = self._socket.recv(_CHUNK_BYTES)
            if not chunk:
                raise ConnectionLost("the sidecar has closed the connection")
            self._received += chunk

    def close(self) -> None:
        """Ends it; the sidecar lets go of what only this reader needed."""
        self._socket.close()


def _connected(path: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(HELLO_SECONDS)
        made.connect(path)
    except PermissionError as e:
        made.close()
        raise NoAccess(
            f"Cannot connect to the sidecar at {path}: {e.strerror}; ask its owner for access, or"
            " leave socket= out to start one of your own"
        ) from e
    except OSError as e:
        made.close()
        if e.errno is None and "too long" in str(e):
            raise InvalidRequest(
                f"Cannot connect to the sidecar at {path}: the path of a Unix socket has at most"
                " 107 bytes; name a shorter shm_dir"
            ) from e
        if e.errno == errno.EMFILE:
            raise
        raise ConnectionLost(f"nobody listens at {path} ({e.strerror or e})") from e
    except BaseException:
        made.close()
        raise
    return made


_open_here: weakref.WeakSet[Connection] = weakref.WeakSet()


def _close_in_child() -> None:
    for connection in list(_open_here):
        connection.close()
    _open_here.clear()


os.register_at_fork(after_in_child=_close_in_child)

"""Maps files of the arena, and makes arrays of memory without copying it."""

from __future__ import annotations

import ctypes
import mmap
import os
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from batchweave.errors import Internal

#: Without it each writable private mapping would count as memory in use.
_NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if os.uname().sysname == "Linux" else 0)

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = (
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
)
_libc.munmap.restype = ctypes.c_int
_libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_FAILED = ctypes.c_void_p(-1).value


@dataclass(frozen=True)
class Extent:
    """Where a slice lies: ``length`` bytes at ``offset``, a multiple of 64, of the file."""

    path: str
    offset: int
    length: int


class Mapping:
    """A part of a file in memory: private and writable, so that a write copies a page.

    It needs no descriptor (Python's own ``mmap`` keeps one), and is unmapped when the last buffer
    or array on it is gone.
    """

    __slots__ = ("__weakref__", "_begin", "address")

    def __init__(self, path: str, begin: int, end: int) -> None:
        """Maps from ``begin``, down to a page, to ``end``.

        Raises:
            FileNotFoundError: the file is gone, with the sidecar that has named it.
            Internal: the file is shorter than that.
        """
        self._begin = begin - begin % mmap.PAGESIZE
        length = end - self._begin
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(file).st_size
            if size < end:
                # A mapping beyond the end would be a bus error for whoever touches it.
                raise Internal(
                    f"Cannot map {path}: it has {size} bytes, and a slice of it ends at {end};"
                    " look at the sidecar's log"
                )
            address = _libc.mmap(
                None,
                length,
                mmap.PROT_READ | mmap.PROT_WRITE,
                mmap.MAP_PRIVATE | _NO_RESERVE,
                file,
                self._begin,
            )
            if address == _FAILED:
                code = ctypes.get_errno()
                raise OSError(code, f"Cannot map {length} bytes of {path}: {os.strerror(code)}")
        finally:
            os.close(file)
        self.address: int = address
        # At exit the system unmaps; arrays may still be looked at until then.
        weakref.finalize(self, _libc.munmap, address, length).atexit = False

    def buffer(self, offset: int, length: int) -> pa.Buffer:
        """A buffer on a part of the file, which keeps the mapping."""
        return pa.foreign_buffer(self.address + offset - self._begin, length, base=self)


def mapped(extents: Iterable[Extent]) -> list[pa.Buffer]:
    """A buffer for each of them; those of one file share a mapping."""
    wanted = list(extents)
    bounds: dict[str, tuple[int, int]] = {}
    for extent in wanted:
        end = extent.offset + extent.length
        least, most = bounds.get(extent.path, (extent.offset, end))
        bounds[extent.path] = (min(least, extent.offset), max(most, end))
    files = {path: Mapping(path, begin, end) for path, (begin, end) in bounds.items() if end}
    return [
        files[extent.path].buffer(extent.offset, extent.length) if extent.length else _EMPTY
        for extent in wanted
    ]


class _Memory:
    """Memory that an array is made on; the array keeps this, and this keeps the memory."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, owner: pa.Buffer, address: int, length: int) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (length,),
            "typestr": "|u1",
            "data": (address, False),
        }


def array_on(
    buffer: pa.Buffer | None, dtype: np.dtype[Any], count: int, first: int = 0
) -> np.ndarray[Any, np.dtype[Any]]:
    """A writable 1-D array of ``count`` elements on a buffer, from element ``first`` on.

    Arrow takes its buffers for immutable, and numpy's own view of one is read-only. Here it is
    this process's private memory, which is the caller's to write to.
    """
    if buffer is None or count == 0:
        return np.empty(0, dtype)
    begin, length = first * dtype.itemsize, count * dtype.itemsize
    if begin + length > buffer.size:
        raise Internal(
            f"Cannot view {count} elements of {dtype} from element {first} on: the buffer has"
            f" {buffer.size} bytes"
        )
    memory = np.asarray(_Memory(buffer, buffer.address + begin, length))
    return memory.view(dtype)


def copied(content: bytes) -> pa.Buffer:
    """The bytes in memory of this process's own, aligned to 64."""
    buffer = pa.allocate_buffer(len(content))
    np.frombuffer(buffer, np.uint8)[:] = np.frombuffer(content, np.uint8)
    return buffer


_EMPTY = pa.py_buffer(b"")

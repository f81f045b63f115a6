"""Slices as BatchWeave stores them: Arrow IPC messages with every buffer at a multiple of 64."""

from __future__ import annotations

import json
import struct
from typing import Any

import pyarrow as pa

ALIGNMENT = 64


def aligned(batch: pa.RecordBatch) -> bytes:
    """An encapsulated message. Arrow's own writer aligns to 8, so its buffers are laid out anew."""
    message = batch.serialize().to_pybytes()
    (length,) = struct.unpack_from("<i", message, 4)
    metadata, old_body = bytearray(message[8 : 8 + length]), message[8 + length :]
    body = bytearray()
    table = _Table.root(metadata)
    record_batch = table.table(2)
    for at in record_batch.structs(2, size=16):
        offset, size = struct.unpack_from("<qq", metadata, at)
        struct.pack_into("<q", metadata, at, len(body))
        body += old_body[offset : offset + size]
        body += bytes(-len(body) % ALIGNMENT)
    if body:  # A length of 0 is left out.
        struct.pack_into("<q", metadata, table.field(3), len(body))
    metadata += bytes(-(8 + len(metadata)) % ALIGNMENT)
    return struct.pack("<Ii", 0xFFFFFFFF, len(metadata)) + bytes(metadata) + bytes(body)


class _Table:
    """A flatbuffer's table, as far as a message needs it."""

    def __init__(self, memory: bytearray, at: int) -> None:
        self._memory = memory
        self._at = at

    @staticmethod
    def root(memory: bytearray) -> _Table:
        return _Table(memory, struct.unpack_from("<I", memory, 0)[0])

    def field(self, slot: int) -> int:
        vtable = self._at - struct.unpack_from("<i", self._memory, self._at)[0]
        return int(self._at + struct.unpack_from("<H", self._memory, vtable + 4 + 2 * slot)[0])

    def _followed(self, slot: int) -> int:
        at = self.field(slot)
        return int(at + struct.unpack_from("<I", self._memory, at)[0])

    def table(self, slot: int) -> _Table:
        return _Table(self._memory, self._followed(slot))

    def structs(self, slot: int, size: int) -> list[int]:
        at = self._followed(slot)
        (count,) = struct.unpack_from("<I", self._memory, at)
        # Structs of 8-byte members are aligned to 8 after the count.
        return [at + 4 + i * size for i in range(count)]


def tensor_field(name: str, kind: pa.DataType, dtype: str, shape: list[int]) -> pa.Field:
    told = json.dumps({"dtype": dtype, "shape": shape})
    return pa.field(name, kind, metadata={"batchweave.tensor": told})


def tokens(step: int, index: int, rows: int = 2, length: int = 4) -> pa.RecordBatch:
    """Each slice with tokens of its own: 1000 * step + 10 * index + 0, 1, ..."""
    first = 1000 * step + 10 * index
    values = [
        [first + row * length + column for column in range(length)] for row in range(rows)
    ]
    columns: dict[str, Any] = {
        "tokens": pa.array(values, pa.list_(pa.int32())),
        "valid": pa.array([length] * rows, pa.int32()),
    }
    return pa.record_batch(columns)

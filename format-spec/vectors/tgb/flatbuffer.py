"""The few flatbuffers of Arrow that a part needs: a writer that fits on a screen, and a reader that trusts nothing.

A table to write is a list with one item a field: None, (struct format, number), or a function that appends what the
field refers to and returns where that begins.
"""

import struct

from tgb.refusals import Corrupt

V5 = 4
SCHEMA = 1
RECORD_BATCH = 3


def record_batch(rows, nodes, buffers, body_length, kind=RECORD_BATCH, version=V5, compressed=False):
    """The metadata of a record batch message; nodes are (slots, nulls), buffers (offset, length) in the body."""
    batch = [("q", rows), _structs("qq", nodes), _structs("qq", buffers)]
    if compressed:
        batch.append(_child([("b", 0), ("b", 0)]))
    return _finished([("h", version), ("B", kind), _child(batch), ("q", body_length)])


def footer(schema_message, blocks):
    """A file's footer that repeats a schema message's schema; blocks are (offset, metadata bytes, body bytes)."""
    schema_at = Table.root(schema_message).table(2).at

    def schema(out):
        _pad(out, 0)
        at = len(out) + schema_at
        out += schema_message
        return at

    return _finished([("h", V5), schema, _structs("qi4xq", []), _structs("qi4xq", blocks)])


def _finished(root):
    out = bytearray(4)
    struct.pack_into("<I", out, 0, _write(out, root))
    return bytes(out)


def _child(table):
    return lambda out: _write(out, table)


def _structs(form, items):
    def write(out):
        _pad(out, 4)
        at = len(out)
        out += struct.pack("<I", len(items)) + b"".join(struct.pack("<" + form, *item) for item in items)
        return at

    return write


def _write(out, table):
    size, places = 4, []
    for item in table:
        width = 4 if callable(item) else struct.calcsize(item[0])
        size = (size + width - 1) // width * width
        places.append(size)
        size += width
    names = struct.pack(f"<{2 + len(table)}H", 4 + 2 * len(table), size, *places)
    _pad(out, -len(names) % 8)
    out += names
    at = len(out)
    out += struct.pack("<i", len(names)).ljust(size, b"\0")
    for item, place in zip(table, places):
        if callable(item):
            struct.pack_into("<I", out, at + place, item(out) - at - place)
        else:
            struct.pack_into("<" + item[0], out, at + place, item[1])
    return at


def _pad(out, remainder):
    out += bytes((remainder - len(out)) % 8)


class Table:
    """A table in bytes that may be anything."""

    def __init__(self, data, at):
        self.data = data
        self.at = at
        self.names = at - self._read("i", at)
        self.fields = (self._read("H", self.names) - 4) // 2

    @staticmethod
    def root(data):
        if len(data) < 4:
            raise Corrupt("metadata of less than 4 bytes")
        return Table(data, struct.unpack_from("<I", data)[0])

    def scalar(self, field, form, absent=0):
        place = self._place(field)
        return absent if place is None else self._read(form, place)

    def table(self, field):
        place = self._place(field)
        return None if place is None else Table(self.data, place + self._read("I", place))

    def structs(self, field, form):
        place = self._place(field)
        if place is None:
            return []
        at = place + self._read("I", place)
        count, size = self._read("I", at), struct.calcsize("<" + form)
        if at + 4 + count * size > len(self.data):
            raise Corrupt("a vector beyond the metadata")
        return [struct.unpack_from("<" + form, self.data, at + 4 + size * item) for item in range(count)]

    def _place(self, field):
        offset = self._read("H", self.names + 4 + 2 * field) if field < self.fields else 0
        return self.at + offset if offset else None

    def _read(self, form, at):
        if at < 0 or at + struct.calcsize(form) > len(self.data):
            raise Corrupt("a reference beyond the metadata")
        return struct.unpack_from("<" + form, self.data, at)[0]

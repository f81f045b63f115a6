"""Reading a slice whose bytes may be anything (PAYLOAD-8), into the values that columns are made of."""

import itertools
import operator
import struct

from tgb import flatbuffer
from tgb.crc32c import crc32c, signed
from tgb.refusals import Corrupt

_ALWAYS = itertools.repeat(True)
CONTINUATION = b"\xff\xff\xff\xff"


def verified(fields, data, said):
    """The rows of a slice's bytes, of which the commit said `said`."""
    if signed(crc32c(data)) != said["crc32c"]:
        raise Corrupt(f"the CRC-32C is {crc32c(data):08x}")
    return rows(fields, data, said["rows"])


def body(data):
    """What lies behind the message of a slice."""
    return data[8 + struct.unpack_from("<i", data, 4)[0] :]


def rows(fields, data, count):
    _require(data[:4] == CONTINUATION and len(data) >= 8, "a message")
    metadata_bytes = struct.unpack_from("<i", data, 4)[0]
    _require(0 <= metadata_bytes <= len(data) - 8, "metadata within the slice")
    _require((8 + metadata_bytes) % 64 == 0, "a body that begins at a multiple of 64")
    message = flatbuffer.Table.root(data[8 : 8 + metadata_bytes])
    _require(message.scalar(0, "h") == flatbuffer.V5, "metadata of version 5")
    _require(message.scalar(1, "B") == flatbuffer.RECORD_BATCH, "a record batch")
    _require(message.scalar(3, "q") == len(body(data)), "a body that ends with the slice")
    batch = message.table(2)
    _require(batch is not None and batch.scalar(0, "q") == count, f"a batch of {count} rows")
    _require(batch.table(3) is None and batch.table(4) is None, "a batch without compression and views")
    source = _Source(body(data), batch.structs(1, "qq"), batch.structs(2, "qq"))
    values = [source.column(field, count) for field in fields]
    source.finish()
    return [{field.name: column[row] for field, column in zip(fields, values)} for row in range(count)]


class _Source:
    """Nodes and buffers in the order of the schema, each checked as it is taken."""

    def __init__(self, body, nodes, buffers):
        self.body = body
        self.nodes = list(reversed(nodes))
        self.buffers = list(reversed(buffers))

    def finish(self):
        _require(not self.nodes and not self.buffers, "nodes and buffers of the schema")

    def column(self, field, slots, inside=_ALWAYS):
        """One value a slot, None if it is null; `inside` tells whether the structs around it are there."""
        present = self._validity(field.required, slots)
        if field.kind == "struct":
            there = inside if present is _ALWAYS else list(map(operator.and_, present, inside))
            members = [self.column(child, slots, there) for child in field.children]
            values = [{child.name: member[at] for child, member in zip(field.children, members)} for at in range(slots)]
        elif field.kind == "boolean":
            raw = self._buffer((slots + 7) // 8)
            values = [bool(raw[at // 8] >> at % 8 & 1) for at in range(slots)]
        elif field.width:
            raw = self._buffer(slots * field.width)
            values = [raw[at * field.width : (at + 1) * field.width] for at in range(slots)]
        else:
            values = self._of_any_length(field, slots, map(operator.and_, present, inside))
        return [value if there else None for value, there in zip(values, present)]

    def _of_any_length(self, field, slots, there):
        raw = self._buffer(4 * (slots + 1))
        ends = struct.unpack_from(f"<{slots + 1}i", raw)
        _require(ends[0] == 0 and all(a <= b for a, b in zip(ends, ends[1:])), "offsets that rise from 0")
        if field.size:
            sizes = [end - begin for begin, end, is_there in zip(ends, ends[1:], there) if is_there]
            _require(all(size == field.size for size in sizes), "values of the tensor's size")
        if field.kind in ("string", "binary"):
            held = self._buffer(ends[-1])
        elif field.kind == "list":
            held = self.column(field.children[0], ends[-1])
        else:
            self._validity(True, ends[-1])
            held = list(zip(*[self.column(child, ends[-1]) for child in field.children]))
        return [held[begin:end] for begin, end in zip(ends, ends[1:])]

    def _validity(self, required, slots):
        _require(bool(self.nodes), "a node for each field")
        node_slots, nulls = self.nodes.pop()
        _require(node_slots == slots, f"a node of {slots} slots")
        _require(0 <= nulls <= (0 if required else slots), "a null count that the field can have")
        raw = self._buffer((slots + 7) // 8 if nulls else 0)
        # Nothing is made of a number of slots before a buffer was found to be long enough for it.
        if not nulls:
            return _ALWAYS
        present = [bool(raw[at // 8] >> at % 8 & 1) for at in range(slots)]
        _require(present.count(False) == nulls, f"a validity of {nulls} nulls")
        return present

    def _buffer(self, needed):
        _require(bool(self.buffers), "a buffer for each use")
        offset, length = self.buffers.pop()
        _require(0 <= offset and 0 <= length and offset + length <= len(self.body), "a buffer in the body")
        _require(offset % 64 == 0, "a buffer at a multiple of 64")
        _require(length >= needed, f"a buffer of {needed} bytes")
        return self.body[offset : offset + length]


def _require(holds, what):
    if not holds:
        raise Corrupt(f"not {what}")

"""Parts: Arrow IPC files of aligned record batches in canonical form (PAYLOAD-1, PAYLOAD-2, PAYLOAD-5, PAYLOAD-7)."""

import hashlib
import struct
from dataclasses import dataclass

import pyarrow as pa

from tgb import flatbuffer
from tgb.columns import bits, columns, laid_out, offsets
from tgb.crc32c import crc32c, signed
from tgb.digest import logical_digest
from tgb.refusals import Corrupt
from tgb.schema import arrow_schema

ALIGNMENT = 64
CONTINUATION = b"\xff\xff\xff\xff"
MAGIC = b"ARROW1"


@dataclass
class Batch:
    """A record batch ready to be framed."""

    rows: int
    nodes: list  # (slots, nulls)
    buffers: list  # bytes, without padding
    logical: str

    def places(self):
        """(offset, length) of each buffer in the body, and the length of the body."""
        out, at = [], 0
        for buffer in self.buffers:
            out.append((at, len(buffer)))
            at += len(padded(buffer))
        return out, at

    def message(self):
        """Message and body: the bytes of the slice."""
        places, body_length = self.places()
        metadata = flatbuffer.record_batch(self.rows, self.nodes, places, body_length)
        return framed(metadata) + self.body()

    def body(self):
        return b"".join(map(padded, self.buffers))


def batch(fields, rows):
    tops = columns(fields, rows)
    out = Batch(len(rows), [], [], logical_digest(tops, len(rows)))
    for column in tops:
        _lay(out, column)
    return out


def _lay(out, column):
    field = column.field
    _node(out, column.slots, 0 if field.required else column.absent, column.present)
    if field.kind == "boolean":
        out.buffers.append(bits(laid_out(column)))
    elif field.kind in ("string", "binary"):
        out.buffers += [offsets(column), b"".join(column.values)]
    elif field.kind in ("list", "map"):
        out.buffers.append(offsets(column))
        if field.kind == "map":
            _node(out, column.children[0].slots, 0, [])
    elif field.kind != "struct":
        out.buffers.append(b"".join(laid_out(column)))
    for child in column.children:
        _lay(out, child)


def _node(out, slots, nulls, present):
    out.nodes.append((slots, nulls))
    out.buffers.append(bits(present) if nulls else b"")


def padded(data):
    return data + bytes(-len(data) % ALIGNMENT)


def framed(metadata, before=8):
    """An encapsulated message without its body; its end, `before` bytes of frame counted in, is aligned."""
    metadata += bytes(-(before + len(metadata)) % ALIGNMENT)
    return CONTINUATION + struct.pack("<i", len(metadata)) + metadata


def part(fields, messages):
    """The object of a part, and where each of its messages begins."""
    schema_metadata = schema_message(fields)
    out = bytearray(MAGIC + bytes(2) + framed(schema_metadata, before=16))
    begins, blocks = [], []
    for message in messages:
        metadata_bytes = 8 + struct.unpack_from("<i", message, 4)[0]
        begins.append(len(out))
        blocks.append((len(out), metadata_bytes, len(message) - metadata_bytes))
        out += message
    out += CONTINUATION + bytes(4)
    tail = flatbuffer.footer(schema_metadata, blocks)
    return bytes(out + tail + struct.pack("<i", len(tail)) + MAGIC), begins


def is_well_formed(fields, data, slices):
    """Whether an object is an Arrow file of this schema, whose footer lists these slices and nothing else."""
    try:
        with pa.ipc.open_file(pa.py_buffer(data)) as file:
            same_schema = file.schema.equals(arrow_schema(fields), check_metadata=True)
        return same_schema and _lists(data, slices)
    except (pa.ArrowInvalid, Corrupt, struct.error):
        return False


def _lists(data, slices):
    end = len(data) - len(MAGIC) - 4
    begin = end - struct.unpack_from("<i", data, end)[0]
    last = slices[-1]["offset"] + slices[-1]["length"]
    ends = data[last:begin] == CONTINUATION + bytes(4) and data[end + 4 :] == MAGIC
    listed = flatbuffer.Table.root(data[begin:end]).structs(3, "qi4xq")
    places = [(offset, metadata + body) for offset, metadata, body in listed]
    return ends and places == [(piece["offset"], piece["length"]) for piece in slices]


def schema_message(fields):
    """The metadata of the schema message, as pyarrow lays it out."""
    message = arrow_schema(fields).serialize().to_pybytes()
    return message[8:]


def entry(object_bytes, begins, messages, rows):
    """What the commit says of a part."""
    slices = [
        {"offset": begin, "length": len(message), "rows": count, "crc32c": signed(crc32c(message))}
        for begin, message, count in zip(begins, messages, rows, strict=True)
    ]
    return {"length": len(object_bytes), "digest": hashlib.sha256(object_bytes).digest(), "slices": slices}

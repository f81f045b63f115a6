"""The Avro object container file in the one form that the format allows (CODEC-1, CODEC-2)."""

import io
import json

import fastavro
from fastavro.schema import to_parsing_canonical_form

from tgb import schema_rules
from tgb.crc32c import crc32c
from tgb.refusals import Corrupt

MAGIC = b"Obj\x01"
SYNC = b"BatchWeave-TGB-1"
NO_CRC = b"00000000"


def varint(value):
    """An Avro int or long: zigzag, then seven bits a byte, the lowest first."""
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def avro_bytes(data):
    return varint(len(data)) + data


def datum(record, schema):
    """One record in Avro's binary form, without any frame."""
    out = io.BytesIO()
    fastavro.schemaless_writer(out, _parsed(to_parsing_canonical_form(schema)), record)
    return out.getvalue()


def block(records_bytes, sync=SYNC, count=1):
    return varint(count) + avro_bytes(records_bytes) + sync


def header(entries, sync=SYNC):
    pairs = b"".join(avro_bytes(key.encode()) + avro_bytes(value) for key, value in entries)
    return MAGIC + varint(len(entries)) + pairs + varint(0) + sync


def header_entries(schema_text):
    return [("avro.codec", b"null"), ("avro.schema", schema_text.encode()), ("batchweave.crc32c", NO_CRC)]


def stamped(blank):
    """The object with its checksum in the place of the first eight zeros after the checksum's name."""
    at = blank.index(avro_bytes(b"batchweave.crc32c")) + len(avro_bytes(b"batchweave.crc32c")) + 1
    return blank[:at] + f"{crc32c(blank):08x}".encode() + blank[at + 8 :]


def encode(record, schema):
    return encode_all([record], schema)


def encode_all(records, schema):
    text = to_parsing_canonical_form(schema)
    return stamped(header(header_entries(text)) + b"".join(block(datum(record, schema)) for record in records))


def decode(data):
    """The record as its writer's schema says, unions as (name, value), with that schema."""
    records, schema = decode_all(data, 1)
    return records[0], schema


def decode_all(data, count):
    """So many records, each in a block of its own, with their schema."""
    source = _Source(data)
    source.expect(MAGIC, "the magic of an Avro file")
    source.expect(varint(3), "a header of three entries in one block")
    source.expect(avro_bytes(b"avro.codec") + avro_bytes(b"null"), "avro.codec = null first")
    source.expect(avro_bytes(b"avro.schema"), "avro.schema second")
    schema_bytes = source.take(source.long())
    if len(schema_bytes) > schema_rules.BYTES_MAX:
        raise Corrupt(f"a schema of {len(schema_bytes)} bytes")
    source.expect(avro_bytes(b"batchweave.crc32c") + varint(8), "batchweave.crc32c third, with 8 digits")
    digits_at = source.at
    digits = source.take(8)
    blank = data[:digits_at] + NO_CRC + data[digits_at + 8 :]
    if digits != f"{crc32c(blank):08x}".encode():
        raise Corrupt(f"the checksum is {crc32c(blank):08x}, the header says {digits!r}")
    source.expect(varint(0) + SYNC, "the end of the header and the sync marker")
    bodies = [_block(source) for _ in range(count)]
    if source.at != len(data):
        raise Corrupt("bytes follow the last block")
    return _records(schema_bytes, bodies)


def _block(source):
    source.expect(varint(1), "a block of one record")
    body = source.take(source.long())
    source.expect(SYNC, "the sync marker")
    return body


def _records(schema_bytes, bodies):
    try:
        schema = json.loads(schema_bytes.decode())
        schema_rules.check(schema)
        canonical = to_parsing_canonical_form(schema)
        parsed = _parsed(canonical)
        return [_record(parsed, body) for body in bodies], json.loads(canonical)
    except Corrupt:
        raise
    except Exception as failure:  # fastavro throws many kinds on bytes that are no record of the schema
        raise Corrupt(f"no record of its schema: {failure!r}") from failure


def _record(parsed, body):
    stream = io.BytesIO(body)
    record = fastavro.schemaless_reader(stream, parsed, None, return_record_name=True)
    if stream.tell() != len(body):
        raise Corrupt("bytes follow the record in its block")
    return record


def _parsed(text):
    return fastavro.parse_schema(json.loads(text))


class _Source:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if count < 0 or self.at + count > len(self.data):
            raise Corrupt(f"ends at {len(self.data)}, within what begins at {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def expect(self, wanted, what):
        if self.data[self.at : self.at + len(wanted)] != wanted:
            raise Corrupt(f"expected {what} at byte {self.at}")
        self.at += len(wanted)

    def long(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (value >> 1) ^ -(value & 1)
            if shift > 63:
                raise Corrupt("a number of more than ten bytes")

"""Commit objects that are damaged or of another form (CODEC-1, CODEC-2)."""

import zlib

from fastavro.schema import to_parsing_canonical_form

from cases.build import Case, commit_bytes, commit_record, create
from tgb import commits, container
from tgb.container import SYNC, avro_bytes, block, datum, header, header_entries, stamped, varint

CANONICAL = to_parsing_canonical_form(commits.SCHEMA)


def cases():
    return [*_damaged(), *_of_another_form()]


def invalid(name, about, data, why="corrupt"):
    """A log whose only commit is refused."""
    return Case(f"invalid/{name}", about).raw(data).refuses(why)


def record(*entries):
    """A commit as fastavro takes it."""
    out = commit_record(0, entries or [create()])
    return out | {"entries": [(f"batchweave.{kind}", body) for kind, body in out["entries"]]}


def plain_datum():
    return datum(record(), commits.SCHEMA)


def _damaged():
    data = commit_bytes(0, [create()])
    sync_at = len(data) - 16
    flip = lambda at: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]  # noqa: E731
    return [
        invalid("flipped-in-record", "A bit flipped in the record (CODEC-2)", flip(sync_at - 3)),
        invalid("flipped-in-schema", "A bit flipped in the writer's schema (CODEC-2)", flip(100)),
        invalid("flipped-in-magic", "A bit flipped in the first byte (CODEC-1)", flip(0)),
        invalid(
            "flipped-in-checksum", "A bit flipped in the checksum itself (CODEC-2)", flip(data.index(b"crc32c") + 7)
        ),
        invalid("flipped-in-last-sync", "A bit flipped in the last byte (CODEC-2)", flip(len(data) - 1)),
        invalid("truncated-in-record", "The object ends in its record", data[: sync_at - 7]),
        invalid("truncated-in-header", "The object ends in its header", data[:50]),
        invalid("truncated-last-byte", "The last byte is not there", data[:-1]),
        invalid("empty", "An object without bytes", b""),
        invalid("trailing-byte", "A byte follows the object (CODEC-2)", data + b"\0"),
        invalid("not-avro", "Text, no Avro", b'{"entries": []}'),
    ]


def _of_another_form():
    """All of these have the right checksum, and the most are good Avro files."""
    head, one = header(header_entries(CANONICAL)), block(plain_datum())
    codec, schema, crc = header_entries(CANONICAL)
    other_sync = b"BatchWeave-TGB-2"
    squeezed = zlib.compress(plain_datum(), wbits=-15)
    split = container.MAGIC + varint(1) + _pair(codec) + varint(2) + _pair(schema) + _pair(crc) + varint(0) + SYNC
    sized = container.MAGIC + varint(-3) + varint(len(_pair(codec) + _pair(schema) + _pair(crc)))
    sized += _pair(codec) + _pair(schema) + _pair(crc) + varint(0) + SYNC
    upper = _upper_case_checksum()
    forms = {
        "trailing-byte-checksummed": (
            "A byte follows the only block, and the checksum knows of it",
            head + one + b"\0",
        ),
        "second-block": ("Two blocks of one record each", head + one + one),
        "empty-second-block": ("A block without records follows", head + one + block(b"", count=0)),
        "two-records": ("One block of two records", head + block(plain_datum() * 2, count=2)),
        "no-record": ("A header and no block", head),
        "bytes-after-record": ("The block is longer than its record", head + block(plain_datum() + b"\0")),
        "other-sync-marker": (
            "Another sync marker in both places",
            header(header_entries(CANONICAL), other_sync) + block(plain_datum(), other_sync),
        ),
        "other-block-sync-marker": ("Another sync marker after the block", head + block(plain_datum(), other_sync)),
        "header-order": ("The header's entries in another order", header([schema, codec, crc]) + one),
        "header-checksum-first": ("The checksum first", header([crc, codec, schema]) + one),
        "header-further-entry": ("A fourth entry in the header", header([codec, schema, crc, ("zzz", b"")]) + one),
        "header-without-codec": ("No codec, which Avro takes for null", header([schema, crc]) + one),
        "header-in-two-blocks": ("The header's map in two blocks", split + one),
        "header-with-size": ("The header's map with its size in bytes", sized + one),
        "codec-deflate": ("A compressed block", header([("avro.codec", b"deflate"), schema, crc]) + block(squeezed)),
    }
    return [
        invalid("checksum-upper-case", "The checksum in upper-case digits (CODEC-1)", upper),
        invalid("checksum-absent", "No checksum (CODEC-1)", header([codec, schema]) + one),
        invalid(
            "checksum-short",
            "A checksum of seven digits (CODEC-1)",
            header([codec, schema, (crc[0], crc[1][1:])]) + one,
        ),
        *(invalid(name, f"{about} (CODEC-1)", stamped(data)) for name, (about, data) in forms.items()),
    ]


def _pair(entry):
    return avro_bytes(entry[0].encode()) + avro_bytes(entry[1])


def _upper_case_checksum():
    for number in range(100):  # until a checksum has a letter
        data = commit_bytes(number, [create()])
        at = data.index(b"batchweave.crc32c") + len("batchweave.crc32c") + 1
        if data[at : at + 8].upper() != data[at : at + 8]:
            return data[:at] + data[at : at + 8].upper() + data[at + 8 :]
    raise AssertionError("no checksum with a letter")

"""Payload that is absent, damaged, or wrong although every digest matches (PAYLOAD-7, PAYLOAD-8, READ-2)."""

import struct
from dataclasses import replace

from cases.build import Case, claim, create, int32, open_producer, published
from tgb import flatbuffer, keys, parts, schema

AT = claim("p", 0, 0)
KEY = keys.data(AT, 0)
MIXED = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "i", "required": True, "type": "int"},
        {"id": 2, "name": "s", "required": False, "type": "string"},
        {
            "id": 3,
            "name": "l",
            "required": False,
            "type": {"type": "list", "element-id": 4, "element-required": True, "element": "int"},
        },
    ],
}
FIELDS = schema.parse(MIXED)
ROWS = [
    {"i": int32(1), "s": "one", "l": [int32(1)]},
    {"i": int32(2), "s": None, "l": None},
    {"i": int32(3), "s": "three", "l": [int32(4), int32(5)]},
]
# Nodes: i, s, l, element. Buffers: validity and values of i; validity, offsets and bytes of s; validity and offsets
# of l; validity and values of the elements.
I_VALUES, S_VALIDITY, S_OFFSETS, S_BYTES, L_OFFSETS, ELEMENTS = 1, 2, 3, 4, 6, 8


def cases():
    metadata = _together(
        "invalid/slice-metadata", "Slices with wrong metadata and right checksums (PAYLOAD-8)", _metadata()
    )
    buffers = _together(
        "invalid/slice-buffers", "Slices with wrong buffers and right checksums (PAYLOAD-8)", _buffers()
    )
    return [*_objects(), _readable_all_the_same(), metadata, buffers]


def good():
    return parts.batch(FIELDS, ROWS)


def dataset(path, about, messages, rows, **more):
    """A dataset of one step with these slices, and the object of its part."""
    data, begins = parts.part(FIELDS, messages)
    entry = parts.entry(data, begins, messages, rows)
    case = Case(path, about, **more)
    first = create(MIXED, grid=(("dp", len(messages)),))
    return case.commit(first, open_producer("p", 1), published(AT, [entry], {KEY: data})), data, entry


def _objects():
    def damaged(name, about, change, refused):
        other = parts.batch(FIELDS, ROWS[::-1]).message()
        case, data, entry = dataset(f"invalid/{name}", about, [good().message(), other], [3, 3], arrow_judges=False)
        case.objects[KEY] = change(data, entry["slices"])
        if case.objects[KEY] is None:
            del case.objects[KEY]
        case.refused_payload = {(KEY, at): why for at, why in refused.items()}
        return case

    def flipped(at):
        return lambda data, slices: _flipped(data, at(slices))

    both = {"part": "corrupt", 0: "corrupt", 1: "corrupt"}
    second = {"part": "corrupt", 1: "corrupt"}
    cut = lambda data, slices: data[: slices[1]["offset"] + 100]  # noqa: E731
    to_first = lambda data, slices: data[: slices[1]["offset"]]  # noqa: E731
    swapped = lambda data, it: _swapped(data, it[0], it[1])  # noqa: E731
    return [
        damaged("payload-absent", "The object of a part is not there", lambda *_: None, dict.fromkeys(both, "missing")),
        damaged("payload-empty", "The object of a part has no bytes", lambda *_: b"", both),
        damaged("payload-cut-in-slice", "The object ends in the second slice", cut, second),
        damaged("payload-cut-between-slices", "The object ends where the second slice should begin", to_first, second),
        damaged(
            "payload-cut-in-footer",
            "The object ends in its footer: the slices are whole",
            lambda data, _: data[:-1],
            {"part": "corrupt"},
        ),
        damaged(
            "payload-flipped-in-footer",
            "A bit flipped in the footer: the slices are whole",
            lambda data, _: _flipped(data, len(data) - 30),
            {"part": "corrupt"},
        ),
        damaged(
            "payload-flipped-in-metadata",
            "A bit flipped in the metadata of the second slice",
            flipped(lambda it: it[1]["offset"] + 20),
            second,
        ),
        damaged(
            "payload-flipped-in-body",
            "A bit flipped in a value of the second slice",
            flipped(lambda it: it[1]["offset"] + it[1]["length"] - 64),
            second,
        ),
        damaged(
            "payload-flipped-in-padding",
            "A bit flipped in the last byte of the second slice",
            flipped(lambda it: it[1]["offset"] + it[1]["length"] - 1),
            second,
        ),
        damaged(
            "payload-of-another-slice",
            "The first slice lies where the second should, and the second where the first",
            swapped,
            both,
        ),
    ]


def _flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def _swapped(data, first, second):
    one, two = (data[it["offset"] : it["offset"] + it["length"]] for it in (first, second))
    return data[: first["offset"]] + two + one + data[second["offset"] + second["length"] :]


def _message(batch, places=None, body=None, rows=None, nodes=None, cut=0, **metadata):
    """A slice with some of its metadata replaced, its frame as it should be."""
    own_places, own_length = batch.places()
    body = batch.body() if body is None else body
    length = metadata.pop("body_length", len(body))
    told = flatbuffer.record_batch(
        batch.rows if rows is None else rows,
        nodes or batch.nodes,
        own_places if places is None else places,
        length,
        **metadata,
    )
    return parts.framed(told) + body


def _together(path, about, broken, why="corrupt"):
    """A dataset with these slices, each (about, message, rows that the commit says), behind a good one."""
    abouts, messages, rows = zip(("A good slice, for comparison", good().message(), 3), *broken)
    case, _, _ = dataset(path, about, messages, rows, arrow_judges=why is None)
    case.abouts = {(KEY, at): text for at, text in enumerate(abouts)}
    if why:
        case.refused_payload = {(KEY, at): why for at in range(1, len(messages))}
    return case


def _slice(about, message, rows=3):
    return about, message, rows


def _readable_all_the_same():
    batch = good()
    places, _ = batch.places()
    spread = [(2 * offset, length) for offset, length in places]
    pieces = b"".join(parts.padded(buffer) + bytes(len(parts.padded(buffer))) for buffer in batch.buffers)
    longer = [(offset, -(-length // 64) * 64) for offset, length in places]
    noisy = replace(batch, buffers=list(batch.buffers))
    noisy.buffers[S_VALIDITY] = bytes([noisy.buffers[S_VALIDITY][0] | 0xF8])
    marked = replace(batch, buffers=[b"\0", *batch.buffers[1:]])
    slices = [
        _slice("A validity of zeros where no nulls are counted: it is not looked at", marked.message()),
        _slice("Gaps between buffers", _message(batch, spread, pieces)),
        _slice("Buffers whose length counts their padding, as other writers say it", _message(batch, longer)),
        _slice("Bits beyond the last row that are not 0", noisy.message()),
    ]
    about = "What no writer writes and every reader reads: the same content, laid out otherwise (PAYLOAD-8)"
    case = _together("valid/other-layouts", about, slices, why=None)
    case.other_layouts = {(KEY, at) for at in (1, 2, 4)}
    return case


def _metadata():
    batch = good()
    nodes, (places, length) = batch.nodes, batch.places()
    whole = batch.message()
    broken = bytearray(whole)
    struct.pack_into("<I", broken, 8, 0x7FFFFFF0)
    no_mark = b"\0\0\0\0" + whole[4:]
    metadata_long = whole[:4] + struct.pack("<i", len(whole)) + whole[8:]
    metadata_negative = whole[:4] + struct.pack("<i", -1) + whole[8:]
    metadata_short = parts.CONTINUATION + struct.pack("<i", 24) + bytes(24) + whole[32:]
    other = parts.batch(schema.parse({"fields": MIXED["fields"][:1]}), [{"i": row["i"]} for row in ROWS])
    schema_message = parts.framed(parts.schema_message(FIELDS))
    old_frame = parts.framed(flatbuffer.record_batch(3, nodes, places, length), 4)[4:]
    return [
        _slice("A schema message in the place of a record batch", schema_message),
        _slice("A message without the four bytes ff before its length", old_frame + batch.body()),
        _slice("Four bytes 0 in the place of the four bytes ff", no_mark),
        _slice("Metadata that is longer than the slice", metadata_long),
        _slice("Metadata of -1 bytes", metadata_negative),
        _slice("Metadata of zeros that ends within the slice", metadata_short),
        _slice("The flatbuffer's root lies outside of it", bytes(broken)),
        _slice("Metadata of version 4", _message(batch, version=3)),
        _slice("Buffers said to be compressed", _message(batch, compressed=True)),
        _slice("A body that is said to be longer than the slice", _message(batch, body_length=length + 64)),
        _slice("A body that is said to end before the slice", _message(batch, body_length=length - 64)),
        _slice("A batch of 2 rows where the commit says 3", _message(batch, rows=2)),
        _slice("A batch of 3 rows where the commit says 2", whole, rows=2),
        _slice("A batch of -1 rows", _message(batch, rows=-1)),
        _slice("A record batch of another schema", other.message()),
        _slice("A node too few", _message(batch, nodes=nodes[:-1])),
        _slice("A node too many", _message(batch, nodes=[*nodes, (0, 0)])),
        _slice("A buffer too few", _message(batch, places[:-1])),
        _slice("A buffer too many", _message(batch, [*places, (0, 0)])),
        _slice("A field with fewer slots than rows", _message(batch, nodes=[(2, 0), *nodes[1:]])),
        _slice("A required field with a null", _message(batch, nodes=[(3, 1), *nodes[1:]])),
        _slice("A null count of -1", _message(batch, nodes=[nodes[0], (3, -1), *nodes[2:]])),
        _slice("More nulls than slots", _message(batch, nodes=[nodes[0], (3, 4), *nodes[2:]])),
        _slice("2^60 elements", _message(batch, nodes=[*nodes[:3], (2**60, 0)])),
        _slice(
            "More elements than the offsets refer to",
            _message(batch, [*places[:ELEMENTS], (places[ELEMENTS][0], 16)], nodes=[*nodes[:3], (4, 0)]),
        ),
        _slice("Two nulls counted where there is one", _message(batch, nodes=[nodes[0], (3, 2), *nodes[2:]])),
        _slice("Fewer elements than the offsets refer to", _message(batch, nodes=[*nodes[:3], (2, 0)])),
    ]


def _buffers():
    batch = good()
    places, length = batch.places()

    def place(about, buffer, offset=None, size=None):
        own = places[buffer]
        changed = (own[0] if offset is None else offset, own[1] if size is None else size)
        return _slice(about, _message(batch, [*places[:buffer], changed, *places[buffer + 1 :]]))

    def content(about, buffer, data):
        changed = replace(batch, buffers=[*batch.buffers[:buffer], data, *batch.buffers[buffer + 1 :]])
        return _slice(about, changed.message())

    def offsets(*ends):
        return struct.pack(f"<{len(ends)}i", *ends)

    return [
        place("A buffer that begins behind the body", I_VALUES, offset=length),
        place("A buffer that ends behind the body", ELEMENTS, size=65),
        place("A buffer at 2^40", I_VALUES, offset=2**40),
        place("A buffer whose end is no 64-bit number", I_VALUES, offset=2**63 - 64, size=2**62),
        place("A buffer at -64, where the metadata lies", I_VALUES, offset=-64),
        place("A buffer of -12 bytes", I_VALUES, size=-12),
        place("A buffer at a multiple of 8 and not of 64", I_VALUES, offset=8),
        place("A buffer of 2 values for 3 rows", I_VALUES, size=8),
        place("No validity where there are nulls", S_VALIDITY, size=0),
        place("3 offsets for 3 rows", S_OFFSETS, size=12),
        place("Fewer bytes than the offsets refer to", S_BYTES, size=7),
        place("Fewer elements in the buffer than in the node", ELEMENTS, size=8),
        content("Offsets that fall", S_OFFSETS, offsets(0, 3, 2, 8)),
        content("Offsets that begin at 1", S_OFFSETS, offsets(1, 3, 3, 8)),
        content("Offsets below 0", S_OFFSETS, offsets(0, -1, 3, 8)),
        content("Offsets that end behind the bytes", S_OFFSETS, offsets(0, 3, 3, 2**31 - 1)),
        content("Offsets of a list that fall", L_OFFSETS, offsets(0, 2, 1, 3)),
        content("Offsets of a list that end behind its elements", L_OFFSETS, offsets(0, 1, 1, 4)),
        content("Offsets of a list that begin at 1", L_OFFSETS, offsets(1, 1, 1, 3)),
    ]

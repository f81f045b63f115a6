"""What slices carry: every type, what is absent in them, and the form it is written in (PAYLOAD-3 to PAYLOAD-11)."""

import struct

from cases.build import (
    Case,
    claim,
    create,
    decimal,
    finish,
    float32,
    float64,
    int32,
    int64,
    open_producer,
    publish,
    published,
)
from tgb import keys, parts
from tgb.schema import parse


def cases():
    return [
        _every_leaf(),
        _floats(),
        _no_utf8(),
        _lists(),
        _structs(),
        _maps(),
        _deep(),
        _no_rows(),
        _validity_lengths(),
        _names(),
        _tokens(),
        _tensors(),
        _ragged(),
    ]


def schema(*fields, schema_id=0):
    return {"type": "struct", "schema-id": schema_id, "fields": list(fields)}


def required(id_, name, type_):
    return {"id": id_, "name": name, "required": True, "type": type_}


def optional(id_, name, type_):
    return {"id": id_, "name": name, "required": False, "type": type_}


def struct_of(*fields):
    return {"type": "struct", "fields": list(fields)}


def list_of(id_, element, element_required=False):
    return {"type": "list", "element-id": id_, "element-required": element_required, "element": element}


def map_of(key_id, key, value_id, value, value_required=False):
    return {
        "type": "map",
        "key-id": key_id,
        "key": key,
        "value-id": value_id,
        "value-required": value_required,
        "value": value,
    }


def dataset(name, about, fields, slices, **more):
    """A dataset of one step, with each of the slices in the one part."""
    case = Case(f"valid/{name}", about, **more)
    batch = publish(claim("p", 0, 0), [slices], fields)
    return case.commit(create(fields, grid=(("dp", len(slices)),)), open_producer("p", 1), batch)


def _every_leaf():
    values = {
        "boolean": (True, False),
        "int": (int32(-(2**31)), int32(2**31 - 1)),
        "long": (int64(-(2**63)), int64(2**63 - 1)),
        "float": (float32(1.5), float32(-0.1)),
        "double": (float64(1.5), float64(-1e300)),
        "decimal(9,2)": (decimal(-999999999), decimal(999999999)),
        "decimal(38, 10)": (decimal(10**38 - 1), decimal(-1)),
        "decimal(1,0)": (decimal(0), decimal(9)),
        "date": (int32(-719162), int32(20454)),
        "time": (int64(0), int64(86_399_999_999)),
        "timestamp": (int64(-1), int64(1_767_225_600_000_000)),
        "timestamptz": (int64(0), int64(1_767_225_600_000_001)),
        "timestamp_ns": (int64(-(2**63)), int64(1)),
        "timestamptz_ns": (int64(1_767_225_600_000_000_001), int64(0)),
        "string": ("", "tokens: \u00fc\u4e16\U0001f600\0"),
        "uuid": (bytes(16), bytes(range(16))),
        "fixed[1]": (b"\xff", b"\0"),
        "fixed[65]": (bytes(range(65)), bytes([255]) * 65),
        "binary": (b"", bytes(range(255, -1, -1))),
    }
    fields, rows = [], [{}, {}, {}]
    for number, (type_, (first, second)) in enumerate(values.items()):
        fields += [required(2 * number + 1, f"r{number}", type_), optional(2 * number + 2, f"o{number}", type_)]
        rows[0] |= {f"r{number}": first, f"o{number}": second}
        rows[1] |= {f"r{number}": second, f"o{number}": None}
        rows[2] |= {f"r{number}": first, f"o{number}": first}
    about = "Every type that is no struct, list or map, required and optional, with its extremes and nulls"
    return dataset("types", about, schema(*fields), [rows, rows[1:2], [], [*reversed(rows)]])


def _floats():
    halves = (0x7FC00000, 0xFFC00000, 0x7F800001, 0x80000000, 0, 0x7F800000, 0xFF800000, 1)
    wholes = (0x7FF8 << 48, 0xFFF8 << 48, (0x7FF0 << 48) + 1, 1 << 63, 0, 0x7FF0 << 48, 0xFFF0 << 48, 1)
    rows = [{"f": struct.pack("<I", half), "d": struct.pack("<Q", whole)} for half, whole in zip(halves, wholes)]
    about = "NaNs of several bits, -0, infinities and denormals: carried and digested by their bits"
    zeros = [{"f": float32(0.0), "d": float64(0.0)}], [{"f": float32(-0.0), "d": float64(-0.0)}]
    return dataset("floats", about, schema(required(1, "f", "float"), optional(2, "d", "double")), [rows, *zeros])


def _no_utf8():
    fields = schema(required(1, "s", "string"), required(2, "t", "time"), required(3, "n", "decimal(3,0)"))
    rows = [{"s": b"\xff\xc0\x80", "t": int64(-1), "n": decimal(10**30)}]
    about = "Values are carried and not judged: a string that is no UTF-8, a time before midnight, too large a decimal"
    return dataset("values-are-not-judged", about, fields, [rows], arrow_judges=False)


def _lists():
    fields = schema(
        required(1, "r", list_of(10, "int", True)),
        optional(2, "o", list_of(11, "string")),
        optional(3, "n", list_of(12, list_of(13, "boolean"))),
    )
    rows = [
        {"r": [int32(1), int32(2)], "o": None, "n": [[True, None], None, []]},
        {"r": [], "o": [], "n": None},
        {"r": [int32(3)], "o": ["x", None, ""], "n": []},
    ]
    empties = [{"r": [], "o": None, "n": []}]
    return dataset("lists", "Lists: empty, null, of nulls, and of lists", fields, [rows, empties, []])


def _structs():
    inner = struct_of(
        required(22, "x", "double"), optional(23, "y", "string"), required(24, "l", list_of(25, "int", True))
    )
    fields = schema(
        optional(
            1, "s", struct_of(required(20, "i", "int"), required(21, "inner", inner), optional(26, "b", "boolean"))
        ),
        required(2, "q", struct_of(optional(27, "o", "fixed[3]"))),
    )
    full = {"i": int32(7), "inner": {"x": float64(-0.0), "y": "yes", "l": [int32(5)]}, "b": True}
    rows = [
        {"s": full, "q": {"o": b"abc"}},
        {"s": None, "q": {"o": None}},
        {"s": full | {"b": None, "inner": {"x": float64(2.0), "y": None, "l": []}}, "q": {"o": b"\0\0\0"}},
    ]
    about = (
        "Required fields in a struct that is absent: no nulls are counted, zeros are written, the digest has the bits"
    )
    return dataset("structs", about, fields, [rows, rows[1:2], rows[:1], []])


def _maps():
    fields = schema(
        required(1, "m", map_of(30, "string", 31, "long")),
        optional(2, "o", map_of(32, "int", 33, struct_of(required(34, "a", "int"), optional(35, "b", "binary")))),
    )
    rows = [
        {"m": [("b", int64(2)), ("a", None)], "o": [(int32(1), None), (int32(1), {"a": int32(3), "b": None})]},
        {"m": [], "o": None},
        {"m": [("", int64(0))], "o": []},
    ]
    return dataset(
        "maps",
        "Maps keep their order and keys that are there twice; values are null, or structs",
        fields,
        [rows, [], rows[1:2]],
    )


def _deep():
    type_, value = "int", int32(46)
    for id_ in range(48, 1, -1):
        type_, value = list_of(id_, type_), [value]
    fields = schema(optional(1, "deep", type_))
    return dataset(
        "deep", "47 lists around an int: as deep as a schema may be", fields, [[{"deep": value}, {"deep": None}]]
    )


def _no_rows():
    fields = schema(optional(1, "s", "string"), required(2, "l", list_of(3, struct_of(required(4, "i", "int")))))
    case = Case("valid/no-rows", "Slices without rows are slices; they never mean the end")
    batch = publish(claim("p", 0, 0), [[[]], [[]]], fields)
    case.commit(create(fields, grid=(("dp", 2),)), open_producer("p", 1), batch)
    filled = publish(claim("p", 0, 1), [[[], [{"s": None, "l": [None, {"i": int32(1)}]}]]], fields)
    return case.commit(filled, finish(claim("p", 0, 2)))


def _validity_lengths():
    """Bits at the edges of bytes, and of 64 bytes of bits."""
    fields = schema(optional(1, "b", "boolean"), optional(2, "i", "int"), optional(3, "s", "string"))

    def rows(count):
        full = [{"b": at % 3 == 0, "i": int32(at), "s": "s" * (at % 4)} for at in range(count)]
        return [{} if at in (count - 1, 5) else row for at, row in enumerate(full)]

    slices = [rows(count) for count in (1, 7, 8, 9, 16, 17, 63, 64, 65, 511, 512, 513)]
    about = "Validity and booleans of 1 to 513 rows: bits beyond the last row are zero, and padding is too (PAYLOAD-5)"
    return dataset("validity-lengths", about, fields, slices)


def _names():
    fields = schema(
        required(1000000, '\u00dcber "all"\n', "int"),
        optional(7, "a.b", "string"),
        {"id": 8, "name": "doc", "required": False, "type": "date", "doc": "Fields may be documented"},
        schema_id=3,
    )
    longest = "P" * 128
    case = Case("valid/names", "Names at their limits; fields may be called anything; ids need no order")
    case.commit(create(fields, grid=(("d" * 128, 2), ("c-p_2", 3), ("1", 1)), producers=("9.-_", longest)))
    case.commit(open_producer(longest, 1), open_producer("9.-_", 2))
    rows = [{fields["fields"][0]["name"]: int32(1), "a.b": "x", "doc": None}]
    return case.commit(
        publish(claim(longest, 1, 0), [[rows] * 6], fields, progress=bytes(1000), counts=(("9.-_", 2**63 - 1),))
    )


def _tokens():
    fields = schema(
        required(1, "tokens", list_of(4, "int", True)),
        required(2, "valid", "int"),
        required(3, "doc_starts", list_of(5, "int", True)),
    )

    def row(first, valid, starts):
        tokens = [int32(first + at if at < valid else 0) for at in range(8)]
        return {"tokens": tokens, "valid": int32(valid), "doc_starts": [int32(start) for start in starts]}

    case = Case("valid/tokens", "Token batches, padded at the end of their input (PAYLOAD-10)")
    case.commit(create(fields, grid=(("dp", 2), ("cp", 1)), producers=("corpus",)), open_producer("corpus", 1))
    first = [[row(10, 8, [0, 3]), row(20, 8, [])], [row(30, 8, [1]), row(40, 8, [0, 7])]]
    last = [[row(50, 8, [2]), row(60, 3, [0])], [row(0, 0, []), row(0, 0, [])]]
    case.commit(publish(claim("corpus", 0, 0), [first], fields, counts=(("tokens", 32),)))
    return case.commit(
        publish(claim("corpus", 0, 1), [last], fields, counts=(("tokens", 11),)), finish(claim("corpus", 0, 2))
    )


def tensor(id_, dtype, *shape):
    return {"field-id": id_, "dtype": dtype, "shape": list(shape)}


def _tensors():
    fields = schema(
        required(1, "image", "fixed[12]"),
        optional(2, "mask", "binary"),
        optional(3, "v", list_of(4, "float", True)),
        required(5, "frames", list_of(6, "fixed[4]", True)),
        optional(7, "in", struct_of(required(8, "bytes", "binary"))),
    )
    fields["tensors"] = [
        tensor(1, "uint8", 2, 2, 3),
        tensor(2, "bfloat16", 3),
        tensor(3, "float32", 1, 2),
        tensor(6, "float16", 2),
        tensor(8, "uint8", 2),
    ]
    rows = [
        {"image": bytes(range(12)), "mask": b"\x80\x3f" * 3, "v": [float32(1.5), float32(-0.0)], "frames": []},
        {"image": bytes(12), "frames": [b"\0\x3c" * 2, bytes(4)], "in": {"bytes": b"ab"}},
    ]
    about = "Tensors over fixed, binary and lists, also as elements: present values have their size, nulls have none"
    return dataset("tensors", about, fields, [rows, []])


def _ragged():
    plain = schema(required(1, "mask", "binary"))
    fields = plain | {"tensors": [tensor(1, "uint8", 3)]}
    messages = [parts.batch(parse(plain), [{"mask": mask}]).message() for mask in (b"abc", b"abcd", b"", b"cba")]
    data, begins = parts.part(parse(fields), messages)
    at = claim("p", 0, 0)
    key = keys.data(at, 0)
    batch = published(at, [parts.entry(data, begins, messages, [1] * 4)], {key: data})
    case = Case("invalid/tensor-ragged", "Two slices with a value of another size than its tensor (PAYLOAD-8)")
    case.refused_payload = {(key, 1): "corrupt", (key, 2): "corrupt"}
    return case.commit(create(fields, grid=(("dp", 4),)), open_producer("p", 1), batch)

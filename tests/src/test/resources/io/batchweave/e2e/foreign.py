"""What pyarrow finds in files of others, and whether it finds the same in what a reader was given.

foreign.py schemas FILE...   prints for each file its columns, and the Iceberg type that carries each, if there is one
foreign.py compare           reads pairs of a file and an Arrow stream, and prints for each what differs, or nothing
"""

import itertools
import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.types as types

DECIMAL_DIGITS = 38
TEXT = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}
LEAVES = [
    (lambda t: t == pa.null(), "string"),
    (types.is_boolean, "boolean"),
    (lambda t: t in (pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint16()), "int"),
    (lambda t: t in (pa.int64(), pa.uint32()), "long"),
    (lambda t: t in (pa.float16(), pa.float32()), "float"),
    (lambda t: t == pa.float64(), "double"),
    (types.is_date, "date"),
    (lambda t: types.is_time(t) and t.unit != "ns", "time"),
    (lambda t: t in TEXT, "string"),
    (lambda t: t in TEXT.values(), "binary"),
]
MICROS = {"s": 1_000_000, "ms": 1_000, "us": 1}


def main():
    if sys.argv[1] == "schemas":
        print(json.dumps([described(path) for path in sys.argv[2:]]))
    else:
        print(json.dumps([difference(*pair) for pair in json.load(sys.stdin)]))


def table(path):
    if not path.endswith(".parquet"):
        return pa.ipc.open_stream(path).read_all()
    read = pq.read_table(path, coerce_int96_timestamp_unit="us")
    physical = {column.name: column.physical_type for column in pq.ParquetFile(path).schema}
    for at, name in enumerate(read.column_names):
        # Who wrote these meant an instant, and had no way to say so.
        if physical.get(name) == "INT96":
            read = read.set_column(at, name, read.column(at).cast(pa.timestamp("us", "UTC")))
    return read


def described(path):
    try:
        read = table(path)
    except (pa.ArrowException, OSError) as failure:
        return {"failure": str(failure).splitlines()[0]}
    ids = itertools.count(1)
    columns = [{"name": field.name, "type": iceberg(field.type, ids)} for field in read.schema]
    return {"rows": read.num_rows, "columns": columns}


def iceberg(t, ids):
    """The type that carries it bit by bit, or None."""
    if types.is_dictionary(t):
        return iceberg(t.value_type, ids)
    if isinstance(t, pa.BaseExtensionType):
        return iceberg(t.storage_type, ids)
    if types.is_decimal(t):
        fits = 0 <= t.scale <= DECIMAL_DIGITS and t.precision <= DECIMAL_DIGITS
        return f"decimal({DECIMAL_DIGITS}, {t.scale})" if fits else None
    if types.is_timestamp(t) and t.tz in (None, "UTC"):
        return "timestamp" + ("tz" if t.tz else "") + ("_ns" if t.unit == "ns" else "")
    if types.is_fixed_size_binary(t) and t.byte_width:
        return f"fixed[{t.byte_width}]"
    if types.is_list(t) or types.is_large_list(t) or types.is_fixed_size_list(t):
        element = iceberg(t.value_type, ids)
        return element and {"type": "list", "element-id": 1000 + next(ids), "element-required": False, "element": element}
    if types.is_map(t):
        key, value = iceberg(t.key_type, ids), iceberg(t.item_type, ids)
        pair = {"key-id": 1000 + next(ids), "key": key, "value-id": 1000 + next(ids), "value": value}
        return key and value and {"type": "map", **pair, "value-required": False}
    if types.is_struct(t):
        return struct([t.field(at) for at in range(t.num_fields)], ids)
    return next((name for fits, name in LEAVES if fits(t)), None)


def struct(fields, ids):
    members = [(field.name, iceberg(field.type, ids)) for field in fields]
    names = {name for name, _ in members}
    if not members or len(names) < len(members) or not all(type_ for _, type_ in members):
        return None
    told = [{"id": 1000 + next(ids), "name": name, "required": False, "type": type_} for name, type_ in members]
    return {"type": "struct", "fields": told}


def difference(original, given, columns):
    ours = pa.ipc.open_stream(given).read_all()
    ours.validate(full=True)
    theirs = table(original)
    for name in columns:
        if plain(theirs.column(name)) != plain(ours.column(name)):
            return f"{name}: {theirs.column(name)} is not {ours.column(name)}"
    return "" if ours.num_rows == theirs.num_rows else f"{theirs.num_rows} rows and {ours.num_rows}"


def plain(array):
    """Values by which no two types are told apart and no two values are the same: bits, counts, bytes."""
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in plain(chunk)]
    t = array.type
    if types.is_dictionary(t):
        return plain(array.dictionary_decode())
    if isinstance(t, pa.BaseExtensionType):
        return plain(array.storage)
    if types.is_floating(t):
        wide = array.cast(pa.float32()) if t == pa.float16() else array
        return wide.view(pa.int64() if t == pa.float64() else pa.int32()).to_pylist()
    if types.is_time(t):
        return times(array.view(pa.int64() if t.bit_width == 64 else pa.int32()), MICROS[t.unit])
    if types.is_timestamp(t):
        return times(array.view(pa.int64()), 1 if t.unit == "ns" else MICROS[t.unit])
    if t == pa.date64():
        return plain(array.cast(pa.date32()))
    if t in TEXT:
        return array.cast(TEXT[t]).to_pylist()
    if types.is_struct(t):
        members = zip(*map(plain, array.flatten()))
        return [row if there else None for row, there in zip(members, array.is_valid().to_pylist())]
    if types.is_list(t) or types.is_large_list(t) or types.is_fixed_size_list(t) or types.is_map(t):
        return [plain(value.values) if value.is_valid else None for value in array]
    return array.to_pylist()


def times(array, factor):
    return [None if value is None else value * factor for value in array.to_pylist()]


if __name__ == "__main__":
    main()

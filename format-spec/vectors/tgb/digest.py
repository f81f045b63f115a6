"""The logical digest of a slice (PAYLOAD-11)."""

import hashlib

from tgb.columns import bits, laid_out, offsets


def logical_digest(columns, rows):
    out = hashlib.sha256(b"BWSLICE1" + _int64(rows) + _int32(len(columns)))
    for column in columns:
        _add(out, column)
    return out.hexdigest()


def _add(out, column):
    field = column.field
    name = field.kind.encode("ascii")
    out.update(_int32(field.id) + _int32(len(field.children)) + _int32(len(name)) + name)
    out.update(_int64(column.slots) + _int64(column.absent))
    if column.absent:
        out.update(bits(column.present))
    if field.kind == "boolean":
        out.update(bits(laid_out(column)))
    elif field.kind in ("string", "binary"):
        out.update(offsets(column) + b"".join(column.values))
    elif field.kind in ("list", "map"):
        out.update(offsets(column))
    elif field.kind != "struct":
        out.update(b"".join(laid_out(column)))
    for child in column.children:
        _add(out, child)


def _int32(value):
    return value.to_bytes(4, "little", signed=True)


def _int64(value):
    return value.to_bytes(8, "little", signed=True)

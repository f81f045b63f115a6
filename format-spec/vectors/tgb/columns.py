"""Columns: the slots of a field, and whether each is there (the words of PAYLOAD-5).

Rows are dictionaries by field name. A value is None, bool, str, bytes, list, dict (struct), list of pairs (map),
or the bytes of a slot of fixed width, as Arrow lays them out.
"""

from dataclasses import dataclass


class RefusedValue(Exception):
    """A value that the field cannot carry."""


@dataclass
class Column:
    field: object
    present: list  # one bool a slot: neither null nor in an absent struct
    values: list  # of the present slots only: bool or bytes; for list and map, their numbers of elements
    children: list

    @property
    def slots(self):
        return len(self.present)

    @property
    def absent(self):
        return self.present.count(False)


def columns(fields, rows):
    """The columns of a slice."""
    return [column(field, [row.get(field.name) for row in rows], [True] * len(rows)) for field in fields]


def column(field, values, parent_present):
    """The column of one value a slot, within slots of a parent that are there or not."""
    present = []
    for value, in_parent in zip(values, parent_present, strict=True):
        if in_parent and value is None and field.required:
            raise RefusedValue(f"null in the required field {field.name}")
        present.append(in_parent and value is not None)
    held = [value for value, is_there in zip(values, present) if is_there]
    if field.size and any(len(value) != field.size for value in held):
        raise RefusedValue(f"another size than that of {field.tensor}")
    if field.kind == "struct":
        return Column(field, present, [], [_member(child, values, present) for child in field.children])
    if field.kind in ("list", "map"):
        elements = [element for value in held for element in value]
        there = [True] * len(elements)
        if field.kind == "list":
            children = [column(field.children[0], elements, there)]
        else:
            children = [
                column(child, [pair[at] for pair in elements], there) for at, child in enumerate(field.children)
            ]
        return Column(field, present, [len(value) for value in held], children)
    return Column(field, present, [_leaf(field, value) for value in held], [])


def _member(child, values, present):
    return column(child, [value.get(child.name) if there else None for value, there in zip(values, present)], present)


def _leaf(field, value):
    if field.kind == "boolean":
        return bool(value)
    raw = value.encode() if isinstance(value, str) else value
    if field.width and len(raw) != field.width:
        raise RefusedValue(f"{len(raw)} bytes for {field.kind}")
    return raw


def bits(flags):
    """Flags as bits, from the lowest bit of the first byte on, filled up with zeros."""
    packed = bytearray((len(flags) + 7) // 8)
    for at, flag in enumerate(flags):
        packed[at // 8] |= bool(flag) << at % 8
    return bytes(packed)


def laid_out(column):
    """One bool or slot of fixed width for each slot, zero where it is absent."""
    values = iter(column.values)
    nothing = False if column.field.kind == "boolean" else bytes(column.field.width)
    return [next(values) if there else nothing for there in column.present]


def offsets(column):
    """Where each value begins, and where the last one ends, if the present ones lie side by side."""
    sizes = iter(column.values)
    out = [0]
    for there in column.present:
        size = next(sizes) if there else 0
        out.append(out[-1] + (size if isinstance(size, int) else len(size)))
    return b"".join(offset.to_bytes(4, "little") for offset in out)

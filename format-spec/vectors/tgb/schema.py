"""Iceberg's schemas in JSON, and the Arrow schemas that carry them (PAYLOAD-3, -4, -9, -12, -13)."""

import json
import math
import re
from dataclasses import dataclass

import pyarrow as pa

from tgb.refusals import Corrupt

FIELDS_MAX = 4096
DEPTH_MAX = 48
_WIDTHS = {"int": 4, "long": 8, "float": 4, "double": 8, "date": 4, "time": 8, "timestamp": 8}
_WIDTHS |= {"timestamptz": 8, "timestamp_ns": 8, "timestamptz_ns": 8, "uuid": 16}
AXES_MAX = 32
TENSOR_BYTES_MAX = 1 << 30
_DTYPES = {"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}
_DTYPES |= {"float8_e4m3fn": 1, "float8_e5m2": 1, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
_ELEMENTS = {"int": "int32", "long": "int64", "float": "float32", "double": "float64"}
_ARROW = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "date": pa.date32(),
    "time": pa.time64("us"),
    "timestamp": pa.timestamp("us"),
    "timestamptz": pa.timestamp("us", "UTC"),
    "timestamp_ns": pa.timestamp("ns"),
    "timestamptz_ns": pa.timestamp("ns", "UTC"),
    "string": pa.utf8(),
    "uuid": pa.binary(16),
    "binary": pa.binary(),
}


class RefusedSchema(Corrupt):
    """A schema that cannot be a payload's."""


@dataclass
class Field:
    """A field of the Iceberg schema; `kind` is its type's name in the logical digest."""

    id: int
    name: str
    required: bool
    kind: str
    width: int  # bytes of a slot; 0 if slots have no width of their own
    children: list
    is_uuid: bool = False  # what is called fixed[16] in the digest can be either
    tensor: dict = None  # dtype and shape, if every value is a tensor

    @property
    def size(self):
        """Bytes or elements that a value must have; 0 if it may have any number, or its width says it."""
        if not self.tensor or self.width:
            return 0
        elements = math.prod(self.tensor["shape"])
        return elements if self.kind == "list" else elements * _DTYPES[self.tensor["dtype"]]

    @property
    def arrow_depth(self):
        below = max((child.arrow_depth for child in self.children), default=0)
        return below + (2 if self.kind == "map" else 1)

    @property
    def count(self):
        return 1 + sum(child.count for child in self.children)


def of_json(text):
    """The fields of a dataset's schema."""
    try:
        return parse(json.loads(text))
    except (ValueError, KeyError, TypeError) as failure:
        raise RefusedSchema(f"no schema in Iceberg's JSON form: {failure!r}") from failure


def parse(schema):
    """The top-level fields of a schema in Iceberg's JSON form."""
    fields = [_field(entry["id"], entry["name"], entry["required"], entry["type"]) for entry in schema["fields"]]
    if not fields or sum(field.count for field in fields) > FIELDS_MAX:
        raise RefusedSchema("1 to 4,096 fields")
    if max(field.arrow_depth for field in fields) > DEPTH_MAX:
        raise RefusedSchema("nested at most 48 Arrow fields deep")
    _declare_tensors(fields, schema.get("tensors", []))
    return fields


def _declare_tensors(fields, tensors):
    if not isinstance(tensors, list):
        raise RefusedSchema("tensors that are no list")
    by_id = {field.id: field for field in _all(fields)}
    for each in tensors:
        field = by_id.get(each["field-id"])
        if field is None or field.tensor:
            raise RefusedSchema(f"a tensor of no field, or a second one: {each}")
        field.tensor = {"dtype": each["dtype"], "shape": each["shape"]}
        if not _holds(field):
            raise RefusedSchema(f"{field.kind} for the tensor {field.tensor}")


def _holds(field):
    dtype, shape = field.tensor["dtype"], field.tensor["shape"]
    whole = isinstance(shape, list) and all(type(size) is int and 1 <= size < 2**31 for size in shape)
    if dtype not in _DTYPES or not whole or not 1 <= len(shape) <= AXES_MAX:
        return False
    size = math.prod(shape) * _DTYPES[dtype]
    if size > TENSOR_BYTES_MAX:
        return False
    if field.kind == "list":
        element = field.children[0]
        return element.required and _ELEMENTS.get(element.kind) == dtype
    return field.kind == "binary" or (field.kind == f"fixed[{size}]" and not field.is_uuid)


def _all(fields):
    for field in fields:
        yield field
        yield from _all(field.children)


def _field(id_, name, required, type_):
    if isinstance(type_, str):
        kind, width = _leaf(type_)
        return Field(id_, name, required, kind, width, [], type_ == "uuid")
    if type_["type"] == "struct":
        children = [_field(entry["id"], entry["name"], entry["required"], entry["type"]) for entry in type_["fields"]]
        if not children:
            raise RefusedSchema("a struct without fields")
    elif type_["type"] == "list":
        children = [_field(type_["element-id"], "element", type_["element-required"], type_["element"])]
    elif type_["type"] == "map":
        children = [
            _field(type_["key-id"], "key", True, type_["key"]),
            _field(type_["value-id"], "value", type_["value-required"], type_["value"]),
        ]
    else:
        raise RefusedSchema(f"the type {type_['type']}")
    return Field(id_, name, required, type_["type"], 0, children)


def _leaf(type_):
    if type_ in ("boolean", "string", "binary"):
        return type_, 0
    if type_ == "uuid":
        return "fixed[16]", 16
    if type_ in _WIDTHS:
        return type_, _WIDTHS[type_]
    fixed = re.fullmatch(r"fixed\[(\d+)]", type_)
    if fixed and int(fixed[1]) > 0:
        return type_, int(fixed[1])
    decimal = re.fullmatch(r"decimal\((\d+), ?(\d+)\)", type_)
    if decimal:
        return f"decimal({decimal[1]},{decimal[2]})", 16
    raise RefusedSchema(f"the type {type_}")


def arrow_schema(fields):
    return pa.schema([_arrow_field(field) for field in fields])


def _arrow_field(field):
    metadata = {"PARQUET:field_id": str(field.id)}
    if field.tensor:
        metadata["batchweave.tensor"] = json.dumps(field.tensor, separators=(",", ":"))
    return pa.field(field.name, _arrow_type(field), nullable=not field.required, metadata=metadata)


def _arrow_type(field):
    children = [_arrow_field(child) for child in field.children]
    if field.kind == "struct":
        return pa.struct(children)
    if field.kind == "list":
        return pa.list_(children[0])
    if field.kind == "map":
        return pa.map_(*children)
    if field.kind.startswith("fixed"):
        return pa.binary(field.width)
    if field.kind.startswith("decimal"):
        return pa.decimal128(*map(int, re.findall(r"\d+", field.kind)))
    return _ARROW[field.kind]

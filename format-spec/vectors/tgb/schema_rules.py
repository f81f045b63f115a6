"""What the Avro schema in an object must keep before anything is read by it (CODEC-4)."""

from tgb.refusals import Corrupt

BYTES_MAX = 1 << 16
DEPTH_MAX = 32
FIXED_BYTES_MAX = 1 << 16


def check(schema):
    """Refuses schemas by which few bytes could make many values, or go ever deeper."""
    _require(isinstance(schema, dict) and schema["type"] == "record", "a record")
    _height(schema, {}, DEPTH_MAX)


def _height(schema, named, room):
    """How many types lie one inside the other; named types that are not complete yet are in `named` as None."""
    _require(room > 0, "types that lie at most 32 deep")
    if isinstance(schema, list):
        branches = [branch for branch in schema if branch != "null"]
        return 1 + max((_height(branch, named, room - 1) for branch in branches), default=0)
    if isinstance(schema, str):
        _require(schema != "null", "values of at least one byte")
        height = named.get(schema.split(".")[-1], 1)
        _require(height is not None, "a type that does not contain itself")
        _require(height <= room, "types that lie at most 32 deep")
        return height
    if schema["type"] in ("array", "map"):
        return 1 + _height(schema["items" if schema["type"] == "array" else "values"], named, room - 1)
    if schema["type"] == "fixed":
        _require(1 <= schema["size"] <= FIXED_BYTES_MAX, "fixed values of 1 to 65,536 bytes")
    if schema["type"] != "record":
        return 1 if schema["type"] in ("fixed", "enum") else _height(schema["type"], named, room)
    _require(bool(schema["fields"]), "values of at least one byte")
    name = schema["name"].split(".")[-1]
    named[name] = None
    named[name] = 1 + max(_height(field["type"], named, room - 1) for field in schema["fields"])
    return named[name]


def _require(holds, what):
    if not holds:
        raise Corrupt(f"the schema is not of {what}")

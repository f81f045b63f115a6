"""What a record says in the terms of a schema in avro/, whoever wrote it by whatever schema (CODEC-3)."""

import copy

from tgb.refusals import Corrupt, Unsupported


def known(record, ours, writers):
    """The part of a record that the schema `ours` knows, of one that was written by the schema `writers`."""
    _require(writers["name"] == f"batchweave.{ours['name']}", f"a {ours['name']}")
    return _known(record, ours, writers, _named(ours), _named(writers))


def _named(schema):
    """The types of a schema that have a name, by their name without namespace."""
    if isinstance(schema, list):
        return {name: type_ for branch in schema for name, type_ in _named(branch).items()}
    if not isinstance(schema, dict):
        return {}
    found = {schema["name"].split(".")[-1]: schema} if "name" in schema else {}
    for inner in [schema.get("items"), schema.get("values"), *(field["type"] for field in schema.get("fields", ()))]:
        found |= _named(inner)
    return found


def _known(value, ours, writers, our_names, writers_names):
    """The part of a value that the schema `ours` knows, of a value that was written by another one."""
    ours, writers = _resolved(ours, our_names), _resolved(writers, writers_names)
    if isinstance(ours, list):
        _require(isinstance(writers, list) and isinstance(value, tuple), "a union of records")
        name, body = value
        short = name.split(".")[-1]
        if short not in [branch["name"] for branch in ours]:
            raise Unsupported(f"an entry of the unknown kind {name}")
        return f"batchweave.{short}", _known(body, short, short, our_names, writers_names)
    kind = _kind(ours)
    if isinstance(writers, list) and value is not None:
        of_kind = [branch for branch in writers if _kind(_resolved(branch, writers_names)) == kind]
        writers = _resolved(of_kind[0], writers_names) if len(of_kind) == 1 else writers
    _require(kind == _kind(writers), f"a value of the type {kind}")
    if kind == "record":
        types = {field["name"]: field["type"] for field in writers["fields"]}
        return {field["name"]: _field(value, field, types, our_names, writers_names) for field in ours["fields"]}
    if kind == "array":
        return [_known(item, ours["items"], writers["items"], our_names, writers_names) for item in value]
    if kind == "enum" and value not in ours["symbols"]:
        raise Unsupported(f"the unknown {ours['name']} {value}")
    return value


def _field(record, field, writers_types, our_names, writers_names):
    name = field["name"]
    if name not in writers_types and "default" in field:
        return copy.deepcopy(field["default"])
    _require(name in writers_types, f"a record with the field {name}")
    return _known(record[name], field["type"], writers_types[name], our_names, writers_names)


def _resolved(schema, names):
    return names.get(schema.split(".")[-1], schema) if isinstance(schema, str) else schema


def _kind(schema):
    while isinstance(schema, dict):
        schema = schema["type"]
    return schema


def _require(holds, what):
    if not holds:
        raise Corrupt(f"not {what}")

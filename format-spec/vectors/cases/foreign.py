"""Commits that other software has written, by another schema or in another encoding (CODEC-3, CODEC-4, LOG-9)."""

import copy
import io
import json

import fastavro

from cases.build import Case, claim, commit_bytes, commit_record, create, finish, open_producer, publish, seal
from cases.objects import CANONICAL, invalid, plain_datum, record
from tgb import commits, container
from tgb.container import avro_bytes, block, datum, header, header_entries, stamped, varint


def cases():
    return [
        _unknown_fields(),
        _names_not_places(),
        _other_encodings(),
        _feature_of_writers(),
        *_newer(),
        *_of_another_schema(),
        *_with_a_wild_schema(),
        *_broken_data(),
    ]


def foreign(name, about):
    """A dataset that is read, though we would not write these bytes."""
    case = Case(f"valid/{name}", about)
    case.canonical = False
    return case


def changed_schema():
    """A copy of the schema to be changed, and its kinds of entries by name."""
    schema = copy.deepcopy(commits.SCHEMA)
    return schema, {kind["name"]: kind for kind in schema["fields"][3]["type"]["items"]}


def _unknown_fields():
    case = foreign(
        "unknown-fields", "Fields that the reader does not know are passed over, wherever they are (CODEC-3)"
    )
    schema, kinds = changed_schema()
    schema["fields"].insert(1, {"name": "note", "type": ["null", {"type": "map", "values": "string"}]})
    colour = {"type": "enum", "name": "Colour", "symbols": ["RED", "BLUE"]}
    kinds["OpenProducer"]["fields"].append({"name": "colour", "type": colour})
    part = kinds["Publish"]["fields"][2]["type"]["fields"][1]["type"]["items"]
    part["fields"].insert(0, {"name": "region", "type": "string"})
    part["fields"][3]["type"]["items"]["fields"].append(
        {"name": "bounds", "type": {"type": "array", "items": "double"}}
    )
    batch = publish(claim("p", 0, 0))
    body = copy.deepcopy(batch.body)
    for piece in body["batch"]["parts"]:
        piece["region"] = "north"
        piece["slices"] = [it | {"bounds": [0.5, 1.5]} for it in piece["slices"]]
    value = record() | {"note": {"key": "value"}}
    opened = open_producer("p", 1).body | {"colour": "BLUE"}
    value["entries"] += [("batchweave.OpenProducer", opened), ("batchweave.Publish", body)]
    case.raw(container.encode(value, schema))
    case.verdicts.append(["effect"] * 3)
    case.objects |= batch.payload
    return case


def _names_not_places():
    case = foreign(
        "names-not-places",
        "Fields, entries and symbols are known by name, not by place; a union is what is in it (CODEC-3)",
    )
    schema, kinds = changed_schema()
    seal_kind = kinds["Seal"]
    seal_kind["fields"][0]["type"]["symbols"].insert(0, "SOON")
    purge = {"type": "record", "name": "Purge", "fields": [{"name": "below", "type": "long"}]}
    others = [kinds[name] for name in ("CreateDataset", "Publish", "Finish", "OpenProducer")]
    schema["fields"][3]["type"]["items"] = [seal_kind, purge, *others]
    schema["fields"][2]["type"] = ["null", "string"]
    schema["fields"].reverse()
    case.raw(container.encode(record(create(), open_producer("p", 1), seal(), open_producer("q", 2)), schema))
    case.verdicts.append(["effect", "effect", "effect", "sealed"])
    return case


def _other_encodings():
    about = (
        "The same schema in other words, arrays in other blocks: a writer must not, a reader need not mind (CODEC-1)"
    )
    case = foreign("other-encodings", about)
    spaced = json.dumps(json.loads(CANONICAL))
    documented = json.dumps(commits.SCHEMA, indent=0)
    case.raw(_object(spaced, datum(record(create(), open_producer("p", 1)), commits.SCHEMA)))
    case.raw(_object(documented, datum(record(open_producer("p", 2)), commits.SCHEMA)))
    seals = datum(record(seal("ALL_FINISHED"), seal()), commits.SCHEMA)
    array = varint(2) + _seal(1) + _seal(0) + varint(0)
    assert seals.endswith(array)
    begin = seals[: -len(array)]
    in_blocks = varint(1) + _seal(1) + varint(-1) + varint(len(_seal(1))) + _seal(1) + varint(0)
    case.raw(_object(CANONICAL, begin + in_blocks))
    case.verdicts += [["effect", "effect"], ["effect"], ["unfinished", "unfinished"]]
    return case


def _seal(condition):
    return varint(4) + varint(condition)


def _object(schema_text, body):
    return stamped(header(header_entries(schema_text)) + block(body))


def _feature_of_writers():
    case = Case("valid/feature-of-writers", "A dataset that may be read, but not written without the feature (LOG-9)")
    case.writable = False
    case.commit(create(features=(("later", "WRITERS"),)), open_producer("p", 1))
    return case.commit(publish(claim("p", 0, 0)))


def _newer():
    new_kind, _ = changed_schema()
    purge = {"type": "record", "name": "Purge", "fields": [{"name": "below", "type": "long"}]}
    new_kind["fields"][3]["type"]["items"].append(purge)
    used = record(create(), seal())
    used["entries"].insert(1, ("batchweave.Purge", {"below": 5}))

    new_symbol, kinds = changed_schema()
    kinds["Seal"]["fields"][0]["type"]["symbols"].append("SOON")
    soon = record(create())
    soon["entries"].append(("batchweave.Seal", {"condition": "SOON"}))

    new_audience, kinds = changed_schema()
    feature = kinds["CreateDataset"]["fields"][4]["type"]["items"]
    feature["fields"][1]["type"]["symbols"].append("FOLDERS")
    folders = record(create(features=(("trimming", "FOLDERS"),)))

    everyone = create(features=(("later", "WRITERS"), ("trimming", "EVERYONE")))
    cases = {
        "unknown-kind": (
            "An entry of a kind that the reader does not know (CODEC-3)",
            container.encode(used, new_kind),
        ),
        "unknown-seal-condition": (
            "A symbol that the reader does not know (CODEC-3)",
            container.encode(soon, new_symbol),
        ),
        "unknown-required-of": (
            "A feature of somebody that the reader does not know",
            container.encode(folders, new_audience),
        ),
        "unknown-feature": ("A feature that everyone must know (LOG-9)", commit_bytes(0, [everyone])),
    }
    return [invalid(name, about, data, "unsupported") for name, (about, data) in cases.items()]


def _of_another_schema():
    renamed = changed_schema()[0] | {"name": "Other"}
    poorer, _ = changed_schema()
    poorer["fields"] = [field for field in poorer["fields"] if field["name"] != "writer"]
    narrower, kinds = changed_schema()
    kinds["Publish"]["fields"][0]["type"]["fields"][1]["type"] = "int"
    nullable, _ = changed_schema()
    nullable["fields"][2]["type"] = ["null", "string"]
    nothing = record() | {"writer": None}
    finished = record(create(), finish(claim("p", 0, 0)))
    cases = {
        "other-record": ("A record of another name", container.encode(record(), renamed)),
        "field-absent": ("A field of every commit that the writer's schema lacks", container.encode(record(), poorer)),
        "field-narrower": ("An epoch of 32 bits: types are not converted", container.encode(finished, narrower)),
        "field-null": ("A text that is null", container.encode(nothing, nullable)),
        "schema-broken": ("A schema that is no JSON", _object("[", plain_datum())),
        "schema-of-text": ("A string and no record", _object('"string"', avro_bytes(b"hello"))),
    }
    return [invalid(name, f"{about} (CODEC-3)", data) for name, (about, data) in cases.items()]


def _with_a_wild_schema():
    def with_field(type_, value):
        schema, _ = changed_schema()
        schema["fields"].append({"name": "more", "type": type_})
        out = io.BytesIO()
        fastavro.schemaless_writer(out, fastavro.parse_schema(schema), record() | {"more": value})
        return _object(json.dumps(schema, separators=(",", ":")), out.getvalue())

    deep, deep_value = "int", 1
    for _ in range(31):
        deep, deep_value = {"type": "array", "items": deep}, [deep_value]
    itself = ["null", "Commit"]
    nothing = {"type": "record", "name": "Nothing", "fields": []}
    large = {"type": "fixed", "name": "Large", "size": 65537}
    cases = {
        "schema-of-itself": ("A record that may contain itself", with_field(itself, None)),
        "schema-of-null": ("A field whose values take no byte", with_field("null", None)),
        "schema-of-nothing": (
            "Any number of records without fields",
            with_field({"type": "array", "items": nothing}, [{}] * 9),
        ),
        "schema-deep": ("Types that lie 33 deep", with_field(deep, deep_value)),
        "schema-large": (
            "Room for fixed values of 64 KiB and a byte",
            with_field({"type": "array", "items": large}, []),
        ),
    }
    return [invalid(name, f"{about} (CODEC-4)", data) for name, (about, data) in cases.items()]


def _broken_data():
    good = plain_datum()
    entries_at = 1 + 36 + len(varint(commit_record(0, [])["time"])) + len(avro_bytes(b"golden vectors"))
    begin, rest = good[:entries_at], good[entries_at:]
    assert rest[:2] == varint(1) + varint(0)
    cases = {
        "union-out-of-range": (
            "An entry of a branch that the schema does not have",
            begin + varint(1) + varint(9) + rest[2:],
        ),
        "union-negative": ("An entry of branch -1", begin + varint(1) + varint(-1) + rest[2:]),
        "text-too-long": ("A text of 2 GiB in an object of 3 KiB", varint(2**31 - 1) + good[1:]),
        "text-negative": ("A text of -1 bytes", varint(-1) + good[1:]),
        "many-entries": ("2^40 entries, of which one is there", begin + varint(2**40) + rest[1:]),
        "record-short": ("The record ends early", good[:-1]),
        "record-absent": ("A block of one record of no bytes", b""),
    }
    return [
        invalid(name, f"{about}; the checksum is right", _object(CANONICAL, data))
        for name, (about, data) in cases.items()
    ]

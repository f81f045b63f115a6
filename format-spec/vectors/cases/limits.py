"""Whole objects that say what no writer may say (CODEC-5), and logs that are none."""

import json

from cases.build import (
    ONE_INT,
    Case,
    alter,
    attach,
    checkpoint,
    claim,
    commit_bytes,
    create,
    detach,
    finish,
    open_producer,
    publish,
    published,
    release,
    seal,
    session,
    skip,
    sweep,
    unskip,
)
from cases.objects import invalid
from cases.payload import list_of, tensor
from tgb import keys

SLICE = {"offset": 64, "length": 192, "rows": 1, "crc32c": 0}


def cases():
    return [*_commits(), *_datasets(), *_batches(), *_readers(), *_logs()]


def refused(cases):
    return [invalid(name, f"{about} (CODEC-5)", commit_bytes(0, entries, time)) for name, about, entries, time in cases]


def _commits():
    def case(name, about, *entries, time=None):
        return name, about, entries, time

    upper = open_producer("p", 1)
    upper.body["opening_id"] = upper.body["opening_id"].upper()
    return refused(
        [
            case("no-entries", "A commit without entries"),
            case("too-many-entries", "1,025 entries", create(), *[seal()] * 1024),
            case("time-before-1970", "A time below 0", create(), time=-1),
            case("time-after-9999", "A time in the year 10000", create(), time=253_402_300_800_000),
            case(
                "producer-named-path", "A producer's name that is no part of a key", create(), open_producer("../p", 1)
            ),
            case("producer-named-dot", "A producer's name that ends in a dot", create(), open_producer("p.", 1)),
            case("producer-unnamed", "A producer without a name", create(), open_producer("", 1)),
            case("producer-name-long", "A producer's name of 129 characters", create(), open_producer("p" * 129, 1)),
            case("opening-id-upper-case", "An opening id in upper-case digits", create(), upper),
            case("claim-negative", "A sequence below 0", create(), finish(claim("p", 0, -1))),
        ]
    )


def _datasets():
    def case(name, about, **dataset):
        return name, about, [create(**dataset)], None

    return refused(
        [
            case("dataset-id-no-uuid", "A dataset id that is no UUID", dataset_id="mine"),
            case("producers-twice", "A producer that is declared twice", producers=("a", "b", "a")),
            case("producers-named-slash", "A declared producer whose name is no part of a key", producers=("a/b",)),
            case("feature-unnamed", "A feature without a name", features=(("", "WRITERS"),)),
            case("axis-named-dot", "An axis with a dot in its name", grid=(("d.p", 1),)),
            case("axis-empty", "An axis of size 0", grid=(("dp", 0),)),
            case("axis-twice", "Two axes of one name", grid=(("dp", 1), ("dp", 2))),
            case("grid-without-axes", "A grid without axes", grid=()),
            case("grid-too-large", "A grid of 65,537 slices", grid=(("dp", 65537),)),
            case("grid-overflow", "A grid of 2^64 slices", grid=(("a", 2**30), ("b", 2**30), ("c", 16))),
        ]
    )


def _batches():
    def case(name, about, parts, **more):
        return name, about, [create(), published(claim("p", 0, 0), parts, {}, **more)], None

    def part(*slices, length=1024):
        return {"length": length, "digest": bytes(32), "slices": list(slices)}

    def one(name, about, **changes):
        return case(name, about, [part(SLICE | changes)])

    def of(name, about, source=("a", 9, bytes(32), 0), rows=(0, 0, 0, 1, 1)):
        return case(name, about, [part(SLICE)], sources=[source], rows=[rows])

    second = SLICE | {"offset": 256}
    return refused(
        [
            case("batch-without-parts", "A batch without parts", []),
            case("part-without-slices", "A part without slices", [part(SLICE), part()]),
            case("part-too-long", "A part of more than 2^46 bytes", [part(SLICE, length=2**46 + 1)]),
            case("slices-overlap", "A slice that begins in the one before it", [part(SLICE, second | {"offset": 192})]),
            case("slices-out-of-order", "A slice that lies before the one before it", [part(second, SLICE)]),
            case("count-negative", "A count below 0", [part(SLICE)], counts=(("tokens", -1),)),
            case("count-twice", "Two counts of one name", [part(SLICE)], counts=(("tokens", 1), ("tokens", 2))),
            case(
                "count-named-slash", "A count named otherwise than LAYOUT-2 says", [part(SLICE)], counts=(("a/b", 1),)
            ),
            of("source-unnamed", "An input without a name", source=("", 0, b"", 0)),
            of("source-name-long", "An input named by 4,097 bytes", source=("a" + "é" * 2048, 0, b"", 0)),
            of("source-digest-short", "A digest of 20 bytes", source=("a", 9, bytes(20), 0)),
            of("source-length-negative", "An input of -1 bytes", source=("a", -1, b"", 0)),
            of("source-epoch-negative", "An epoch below 0", source=("a", 0, b"", -1)),
            of("rows-of-no-source", "Rows of the second of one source", rows=(0, 1, 0, 1, 1)),
            of("rows-of-negative-source", "Rows of source -1", rows=(0, -1, 0, 1, 1)),
            of("rows-before-first", "Rows from row -1 on", rows=(0, 0, -1, 2, 1)),
            of("rows-none", "No rows of a source", rows=(0, 0, 0, 0, 0)),
            of("rows-overflow", "Rows up to row 2^63", rows=(0, 0, 1, 2**63 - 1, 1)),
            of("rows-of-no-slice", "Rows that fill the second of one slice", rows=(1, 0, 0, 1, 1)),
            of("rows-of-negative-slice", "Rows that fill slice -1", rows=(-1, 0, 0, 1, 1)),
            of("rows-amount-negative", "Rows that fill less than nothing", rows=(0, 0, 0, 1, -1)),
            one("slice-beyond-part", "A slice that ends beyond its part", offset=896),
            one("slice-overflow", "A slice whose end is no 64-bit number", offset=2**63 - 64),
            one("slice-negative-offset", "A slice before its part", offset=-64),
            one("slice-empty", "A slice of no bytes", length=0),
            one("slice-too-long", "A slice of more than 2^30 bytes", length=2**30 + 64),
            one("slice-negative-rows", "A slice of -1 rows", rows=-1),
            one("slice-many-rows", "A slice of 2^31 rows", rows=2**31),
        ]
    )


def _readers():
    def case(name, about, entry, **changes):
        entry.body |= changes
        return name, about, [create(), entry], None

    return refused(
        [
            case("job-named-path", "A job's name that is no part of a key", attach("a/b", 1)),
            case("attachment-id-no-uuid", "An attachment id that is no UUID", attach("j", 1), attachment_id="mine"),
            case("attach-before-0", "A job that attaches at step -1", attach("j", 1, from_step=-1)),
            case("attach-beyond-all", "A job that attaches at step 2^63 - 1", attach("j", 1, from_step=2**63 - 1)),
            case("attach-keeps-none", "A job that keeps no checkpoint", attach("j", 1, keep=0)),
            case("attach-keeps-many", "A job that keeps 1,025 checkpoints", attach("j", 1, keep=1025)),
            case("detach-unnamed", "A job without a name", detach("", 1)),
            case("session-unnamed", "A session without a name", session("j", 1, "")),
            case("session-from-path", "A start that is no name of a checkpoint", session("j", 1, "s", at="../c")),
            case("checkpoint-unnamed", "A checkpoint without a name", checkpoint("j", 1, "", "", 1)),
            case("checkpoint-named-dot", "A checkpoint's name that ends in a dot", checkpoint("j", 1, "s", "c.", 1)),
            case("checkpoint-session-path", "A session that is no name", checkpoint("j", 1, "..", "c", 1)),
            case("checkpoint-before-0", "A checkpoint at step -1", checkpoint("j", 1, "", "c", -1)),
            case("release-unnamed", "A checkpoint without a name", release("j", 1, "")),
            case("skip-before-0", "Steps from -1 on", skip(-1, 3)),
            case("skip-descending", "Steps whose last is before the first", skip(3, 2)),
            case("skip-beyond-all", "Steps up to 2^63 - 1", skip(0, 2**63 - 1)),
            case("skip-without-reason", "No reason", skip(0, 1, "")),
            case("skip-reason-long", "A reason of 1,025 bytes", skip(0, 1, "a" + "é" * 512)),
            case("unskip-descending", "Steps whose last is before the first", unskip(3, 2)),
            case("alter-nothing", "No setting", alter()),
            case("alter-twice", "One setting twice", alter(), settings=[("MaxLead", {"steps": 1})] * 2),
            case("alter-negative", "A setting below 0", alter(KeepFor=-1)),
            case("sweep-before-0", "Payload that is gone below step -1", sweep(3, -1)),
            case("sweep-descending", "Payload that is kept and gone", sweep(2, 3)),
            case("sweep-beyond-all", "Payload that is kept from step 2^63 - 1 on", sweep(2**63 - 1)),
        ]
    )


def _logs():
    headless = commit_bytes(0, [open_producer("p", 1), create()])
    gap = Case("invalid/version-absent", "Version 1 is not there, version 2 is (LOG-2)")
    gap.commit(create(), open_producer("p", 1))
    gap.objects[keys.log(2)] = commit_bytes(2, [publish(claim("p", 0, 0))])
    gap.refused = (keys.log(1), "missing")
    later = Case("invalid/second-commit-damaged", "Version 1 is damaged; what is before it stands")
    later.commit(create(), open_producer("p", 1), seal())
    damaged = bytearray(commit_bytes(1, [open_producer("q", 2)]))
    damaged[-20] ^= 0x80
    later.raw(bytes(damaged)).refuses("corrupt")
    return [
        invalid("no-dataset", "Version 0 does not begin with CreateDataset (APPLY-1)", headless),
        gap,
        later,
        _payload_schema("payload-schema-variant", "A type that the table does not have", "variant"),
        _payload_schema("payload-schema-fixed-0", "Values of no bytes", "fixed[0]"),
        _payload_schema("payload-schema-empty-struct", "A struct without fields", {"type": "struct", "fields": []}),
        _payload_schema("payload-schema-broken", "A schema that is no JSON", None),
        _payload_schema("payload-schema-tensor-size", "A tensor of more bytes", "fixed[3]", tensor(1, "uint8", 2, 2)),
        _payload_schema("payload-schema-tensor-dtype", "A tensor of what is none", "binary", tensor(1, "uint9", 3)),
        _payload_schema("payload-schema-tensor-shape", "A tensor of no elements", "binary", tensor(1, "uint8", 0)),
        _payload_schema("payload-schema-tensor-uuid", "A tensor over uuid", "uuid", tensor(1, "uint8", 16)),
        _payload_schema("payload-schema-tensor-of-none", "A tensor of no field", "binary", tensor(2, "uint8", 3)),
        _payload_schema("payload-schema-tensor-nulls", "A list of nulls", list_of(2, "float"), tensor(1, "float32", 3)),
    ]


def _payload_schema(name, about, type_, *tensors):
    """The log is whole, and means something; its payload cannot be read."""
    field = {"id": 1, "name": "v", "required": True, "type": type_}
    more = {"tensors": tensors} if tensors else {}
    text = "{" if type_ is None else json.dumps(ONE_INT | {"fields": [field]} | more)
    case = Case(f"invalid/{name}", f"{about}: the log is whole, its payload is refused (PAYLOAD-3)")
    case.schema_refused = "corrupt"
    return case.commit(create(text))

"""The words in which vectors are told: a case is a folder of objects, and what must be found in it."""

import json
import struct
from dataclasses import dataclass, field, replace

from tgb import commits, keys, parts, schema

MIDNIGHT = 1_767_225_600_000  # 2026-01-01T00:00:00Z
DATASET_ID = "d0000000-0000-4000-8000-000000000001"
ONE_INT = {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "a", "required": True, "type": "int"}]}


@dataclass
class Entry:
    kind: str
    body: dict
    verdict: str = "effect"
    payload: dict = field(default_factory=dict)

    def but(self, verdict):
        """The same entry, where it has no effect for this reason."""
        return replace(self, verdict=verdict)


@dataclass
class Case:
    """A folder below valid/ or invalid/; everything but its name and purpose is added step by step."""

    path: str
    about: str
    objects: dict = field(default_factory=dict)
    verdicts: list = field(default_factory=list)
    refused: tuple = ()  # (key, class) of the commit that is refused
    refused_payload: dict = field(default_factory=dict)  # (key, slice or "part") -> class
    abouts: dict = field(default_factory=dict)  # (key, slice) -> what is special about it
    other_layouts: set = field(default_factory=set)  # (key, slice) that are not in canonical form, and readable
    swept: set = field(default_factory=set)  # the keys of parts that are gone, as they may be
    packs: list = field(default_factory=list)  # the keys of packs that are whole
    reborn: list = field(default_factory=list)  # the keys in log/ at which something lies for the second time
    opened: int | None = None  # the version of the State that opening finds although the history is refused
    writable: bool = True
    canonical: bool = True  # each commit, written again, has the same bytes
    schema_refused: str = ""  # the class, if the payload schema is refused
    arrow_judges: bool = True  # pyarrow's validation accepts the content of all parts

    def commit(self, *entries, time=None):
        self.raw(commit_bytes(self.version, entries, time))
        self.verdicts.append([entry.verdict for entry in entries])
        for entry in entries:
            self.objects |= entry.payload
        return self

    @property
    def version(self):
        """The next version."""
        return sum(key.startswith("log/") for key in self.objects)

    def raw(self, data):
        self.objects[keys.log(self.version)] = data
        return self

    def refuses(self, why, version=None):
        """The commit of this version, or else the last one, is refused."""
        self.refused = (keys.log(self.version - 1 if version is None else version), why)
        return self


def commit_record(version, entries, time=None):
    return {
        "id": f"c0000000-0000-4000-8000-{version:012d}",
        "time": MIDNIGHT + 1000 * version if time is None else time,
        "writer": "golden vectors",
        "entries": [(entry.kind, entry.body) for entry in entries],
    }


def commit_bytes(version, entries, time=None):
    return commits.encode(commit_record(version, entries, time))


def create(schema_json=ONE_INT, grid=(("dp", 1),), producers=(), features=(), dataset_id=DATASET_ID):
    body = {
        "dataset_id": dataset_id,
        "schema": schema_json if isinstance(schema_json, str) else json_text(schema_json),
        "grid": [{"name": name, "size": size} for name, size in grid],
        "producers": list(producers),
        "features": [{"name": name, "required_of": required_of} for name, required_of in features],
    }
    return Entry("CreateDataset", body)


def json_text(schema_json):
    return json.dumps(schema_json, separators=(",", ":"))


def opening(number):
    return f"a0000000-0000-4000-8000-{number:012d}"


def open_producer(name, number):
    return Entry("OpenProducer", {"producer": name, "opening_id": opening(number)})


def claim(name, epoch, sequence):
    return {"producer": name, "epoch": epoch, "sequence": sequence}


def publish(at, slices_of_parts=None, fields=ONE_INT, schema_id=0, progress=None, counts=(), **provenance):
    """A batch of parts, each a list of slices, each a list of rows; by default one row that tells its claim."""
    if slices_of_parts is None:
        slices_of_parts = [[[{"a": int32(1000 * at["epoch"] + at["sequence"])}]]]
    parsed = schema.parse(fields)
    payload, entries = {}, []
    for number, slices in enumerate(slices_of_parts):
        messages = [parts.batch(parsed, rows).message() for rows in slices]
        data, begins = parts.part(parsed, messages)
        payload[keys.data(at, number)] = data
        entries.append(parts.entry(data, begins, messages, [len(rows) for rows in slices]))
    return published(at, entries, payload, schema_id, progress, counts, **provenance)


def published(at, part_entries, payload, schema_id=0, progress=None, counts=(), sources=(), rows=()):
    batch = {
        "schema_id": schema_id,
        "parts": part_entries,
        "counts": [{"name": name, "value": value} for name, value in counts],
        "provenance": {
            "sources": [
                {"input": name, "length": length, "digest": digest, "epoch": epoch}
                for name, length, digest, epoch in sources
            ],
            "rows": [
                {"slice": slice_, "source": source, "first": first, "rows": count, "amount": amount}
                for slice_, source, first, count, amount in rows
            ],
        },
    }
    if progress is None:
        progress = f"{at['producer']} after {at['sequence']}".encode()
    return Entry("Publish", {"claim": at, "progress": progress, "batch": batch}, payload=payload)


def finish(at, progress=b"done"):
    return Entry("Finish", {"claim": at, "progress": progress})


def seal(condition="NONE"):
    return Entry("Seal", {"condition": condition})


def attach(job, number, from_step=0, keep=2):
    body = {"job": job, "attachment_id": opening(number), "from_step": from_step, "keep": keep}
    return Entry("AttachJob", body)


def detach(job, number):
    return Entry("DetachJob", {"job": job, "attachment_id": opening(number)})


def session(job, number, name, at=""):
    return Entry("StartSession", {"job": job, "attachment_id": opening(number), "session": name, "from": at})


def checkpoint(job, number, in_session, name, next_step, receipt=bytes(32), rollback=False):
    """A checkpoint whose receipt is made up: its writer checks it, `apply` does not."""
    body = {
        "job": job,
        "attachment_id": opening(number),
        "session": in_session,
        "checkpoint": name,
        "next_step": next_step,
        "receipt": receipt,
        "rollback": rollback,
    }
    return Entry("Checkpoint", body)


def release(job, number, name):
    return Entry("ReleaseCheckpoint", {"job": job, "attachment_id": opening(number), "checkpoint": name})


def skip(first, last, reason="spike"):
    return Entry("Skip", {"steps": {"first": first, "last": last}, "reason": reason})


def unskip(first, last):
    return Entry("Unskip", {"steps": {"first": first, "last": last}})


def alter(**settings):
    fields = {"Retention": "policy", "KeepSteps": "steps", "KeepFor": "ms", "MaxLead": "steps"}
    return Entry("Alter", {"settings": [(kind, {fields[kind]: value}) for kind, value in settings.items()]})


def sweep(low_step, swept_step=0):
    return Entry("Sweep", {"low_step": low_step, "swept_step": swept_step})


def ints(*values):
    """One slice of rows of the schema of one int."""
    return [{"a": int32(value)} for value in values]


def int32(value):
    return struct.pack("<i", value)


def int64(value):
    return struct.pack("<q", value)


def float32(value):
    return struct.pack("<f", value)


def float64(value):
    return struct.pack("<d", value)


def decimal(unscaled):
    return unscaled.to_bytes(16, "little", signed=True)

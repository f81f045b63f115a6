"""Commits, alone and in packs, and the limits of what they say (CODEC-5).

A decoded commit is a dictionary of the fields in avro/commit.avsc; an entry is a pair (kind, fields).
"""

import json
import re
from pathlib import Path

from tgb import container, keys
from tgb.known import known
from tgb.refusals import Corrupt

SCHEMA = json.loads((Path(__file__).parents[2] / "avro" / "commit.avsc").read_text())
BYTES_MAX = 16 << 20
PACK_BYTES_MAX = 64 << 20
ENTRIES_MAX = 1024
TIME_MAX = 253_402_300_799_999  # the last millisecond of the year 9999
SLICES_MAX = 65536
PART_BYTES_MAX = 1 << 46
SLICE_BYTES_MAX = 1 << 30
ROWS_MAX = (1 << 31) - 1
PROGRESS_BYTES_MAX = 64 << 10
INPUT_BYTES_MAX = 4096
KEEP_MAX = 1024
REASON_BYTES_MAX = 1024
STEP_MAX = (1 << 63) - 2
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def encode(commit):
    return container.encode(_avro(commit), SCHEMA)


def _avro(commit):
    """The commit as fastavro takes it."""
    return commit | {"entries": [_named_entry(*entry) for entry in commit["entries"]]}


def _named_entry(kind, body):
    if kind == "Alter":
        body = {"settings": [(f"batchweave.{name}", said) for name, said in body["settings"]]}
    return f"batchweave.{kind}", body


def decode(data):
    if len(data) > BYTES_MAX:
        raise Corrupt(f"a commit of {len(data)} bytes")
    return _decoded(*container.decode(data))


def encode_pack(packed):
    """The object that packs these commits (TRIM-11)."""
    return container.encode_all([_avro(commit) for commit in packed], SCHEMA)


def decode_pack(data):
    """The commits of a pack."""
    if len(data) > PACK_BYTES_MAX:
        raise Corrupt(f"a pack of {len(data)} bytes")
    records, writers = container.decode_all(data, keys.PACKED)
    return [_decoded(record, writers) for record in records]


def _decoded(record, writers):
    commit = known(record, SCHEMA, writers)
    commit["entries"] = [_plain_entry(name, body) for name, body in commit["entries"]]
    _check(commit)
    return commit


def _plain_entry(name, body):
    if name == "batchweave.Alter":
        body = {"settings": [(kind.removeprefix("batchweave."), said) for kind, said in body["settings"]]}
    return name.removeprefix("batchweave."), body


def _check(commit):
    _require(1 <= len(commit["entries"]) <= ENTRIES_MAX, "1 to 1,024 entries")
    _require(0 <= commit["time"] <= TIME_MAX, "a time from 1970 to 9999")
    for kind, entry in commit["entries"]:
        if kind == "CreateDataset":
            _check_dataset(entry)
        if kind == "OpenProducer":
            _require(keys.is_path_part(entry["producer"]), "the name of a producer")
            _require(_is_uuid(entry["opening_id"]), "an opening id in its only form")
        if "claim" in entry:
            _require(keys.is_path_part(entry["claim"]["producer"]), "the name of a producer")
            _require(entry["claim"]["epoch"] >= 0 and entry["claim"]["sequence"] >= 0, "a claim of numbers from 0")
            _require(len(entry["progress"]) <= PROGRESS_BYTES_MAX, "a progress of at most 64 KiB")
        if kind == "Publish":
            _check_batch(entry["batch"])
        if "job" in entry:
            _check_job(kind, entry)
        if kind in ("Skip", "Unskip"):
            _require(0 <= entry["steps"]["first"] <= entry["steps"]["last"] <= STEP_MAX, "steps from 0, ascending")
        if kind == "Skip":
            _require(1 <= len(entry["reason"].encode()) <= REASON_BYTES_MAX, "a reason of 1 to 1,024 bytes")
        if kind == "Sweep":
            _require(0 <= entry["swept_step"] <= entry["low_step"] <= STEP_MAX, "a sweep up to a step from 0")
        if kind == "Alter":
            _check_settings(entry["settings"])


def _check_dataset(entry):
    slices = 1
    for axis in entry["grid"]:
        _require(keys.is_name(axis["name"]) and axis["size"] >= 1, "axes with a name and a size")
        slices *= axis["size"]
    _require(_differ(axis["name"] for axis in entry["grid"]), "axes of different names")
    _require(len(entry["grid"]) >= 1 and slices <= SLICES_MAX, "a grid of at most 65,536 slices")
    _require(all(map(keys.is_path_part, entry["producers"])), "the names of producers")
    _require(_differ(entry["producers"]), "different producers")
    _require(all(keys.is_path_part(feature["name"]) for feature in entry["features"]), "the names of features")
    _require(_is_uuid(entry["dataset_id"]), "a dataset id in its only form")


def _check_job(kind, entry):
    _require(keys.is_path_part(entry["job"]), "the name of a job")
    _require(_is_uuid(entry["attachment_id"]), "an attachment id in its only form")
    for name in ("session", "checkpoint", "from"):
        may_be_empty = name == "from" or (kind, name) == ("Checkpoint", "session")
        if name in entry and not (may_be_empty and entry[name] == ""):
            _require(keys.is_path_part(entry[name]), f"the name of a {name}")
    for name in ("from_step", "next_step"):
        _require(0 <= entry.get(name, 0) <= STEP_MAX, "a step from 0")
    _require(1 <= entry.get("keep", 1) <= KEEP_MAX, "1 to 1,024 checkpoints to keep")


def _check_settings(settings):
    _require(len(settings) >= 1 and _differ(kind for kind, _ in settings), "one setting or more, each once")
    numbers = [value for kind, said in settings if kind != "Retention" for value in said.values()]
    _require(all(number >= 0 for number in numbers), "settings from 0")


def _check_batch(batch):
    _require(len(batch["parts"]) >= 1, "a batch of at least one part")
    for part in batch["parts"]:
        _require(len(part["slices"]) >= 1, "a part of at least one slice")
        end = 0
        for piece in part["slices"]:
            _require(0 <= piece["rows"] <= ROWS_MAX, "rows of a slice from 0 to 2^31 - 1")
            _require(0 < piece["length"] <= SLICE_BYTES_MAX, "a slice of 1 to 2^30 bytes")
            _require(piece["offset"] >= end, "slices one behind the other")
            end = piece["offset"] + piece["length"]
        _require(end <= part["length"] <= PART_BYTES_MAX, "slices within their part")
    names = [count["name"] for count in batch["counts"]]
    _require(all(map(keys.is_path_part, names)) and _differ(names), "counts of different names")
    _require(all(count["value"] >= 0 for count in batch["counts"]), "counts from 0")
    _check_provenance(batch["provenance"], sum(len(part["slices"]) for part in batch["parts"]))


def _check_provenance(provenance, slices):
    for source in provenance["sources"]:
        _require(1 <= len(source["input"].encode()) <= INPUT_BYTES_MAX, "an input with a name")
        _require(len(source["digest"]) in (0, 32), "a digest of 32 bytes or none")
        _require(source["length"] >= 0, "a length from 0")
        _require(source["epoch"] >= 0, "an epoch from 0")
    for rows in provenance["rows"]:
        _require(0 <= rows["slice"] < slices, "rows of a slice that is there")
        _require(0 <= rows["source"] < len(provenance["sources"]), "rows of a source that is there")
        _require(rows["first"] >= 0 and rows["rows"] >= 1, "one row or more, from row 0 or later")
        _require(rows["first"] + rows["rows"] < 1 << 63, "rows up to 2^63 - 1")
        _require(rows["amount"] >= 0, "an amount from 0")


def _is_uuid(text):
    return _UUID.fullmatch(text) is not None


def _differ(names):
    names = list(names)
    return len(set(names)) == len(names)


def _require(holds, what):
    if not holds:
        raise Corrupt(f"not {what}")

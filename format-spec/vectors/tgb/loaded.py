"""A State that somebody saved, with the records of all its steps, as far as it is what a State can be (CODEC-6)."""

from tgb import container, keys, saved
from tgb.known import known
from tgb.refusals import Corrupt, Refusal
from tgb.state import State, chained, first_receipt, must_know


def load(folder, version):
    key = keys.state(version)
    record = _decoded(key, folder.read(key), saved.STATE)
    dataset = record["dataset"]
    state = State(
        {
            "dataset_id": dataset["id"],
            "schema": dataset["schema"],
            "grid": dataset["grid"]["axes"],
            "producers": dataset["producers"],
            "features": dataset["features"],
        },
        record["receipt"],
        version=record["version"],
        time=record["time"],
        sealed=record["phase"] == "SEALED",
        producers={producer["name"]: _producer(producer) for producer in record["producers"]},
        settings=record["settings"],
        jobs={job["name"]: _job(job) for job in record["jobs"]},
        skips=[
            {"steps": _range(skip["steps"]), "reason": skip["reason"], "time": skip["at"]}
            for skip in record["skips"]["records"]
        ],
        segments=[(segment["first_step"], segment["last_step"]) for segment in record["steps"]["segments"]],
        totals=record["steps"]["totals"] | {"counts": _counts(record["steps"]["totals"]["counts"])},
        low_step=record["kept"]["low_step"],
        swept_step=record["kept"]["swept_step"],
        saving=(record["saving"]["due"], record["saving"]["weight"]),
    )
    _require(state.version == version, key, "a State of its key's version")
    _must_know(state.dataset, key)
    receipt = first_receipt(state.dataset)
    for segment in record["steps"]["segments"]:
        receipt = _add_segment(folder, state, segment, receipt, key)
    recent = record["steps"]["recent"]
    receipt = _add(state, recent, receipt, key)
    _require(receipt == state.receipt, key, "steps that end at the State's receipt")
    weight = sum(saved.weight(step["batch"]) for step in recent)
    _require(weight == record["steps"]["weight"], key, "the weight of the recent steps")
    _require(0 <= state.swept_step <= state.low_step <= len(state.steps), key, "a low step that can be")
    return state


def _add_segment(folder, state, segment, receipt, key_of_state):
    first, last = segment["first_step"], segment["last_step"]
    _require(first == len(state.steps) and last >= first, key_of_state, "segments that follow each other")
    key = keys.segment(first, last)
    steps = _decoded(key, folder.read(key), saved.SEGMENT)["steps"]
    _require(len(steps) == last - first + 1, key, "the steps of its key")
    receipt = _add(state, steps, receipt, key)
    _require(receipt == segment["receipt"], key, "steps that end at the receipt in the State")
    return receipt


def _add(state, steps, receipt, key):
    for step in steps:
        _require(step["step"] == len(state.steps), key, "steps that follow each other")
        receipt = chained(receipt, step["step"], step["batch"])
        _require(receipt == step["receipt"], key, "receipts that follow from the steps")
        told = {name: step[name] for name in ("version", "claim", "batch", "receipt")}
        state.steps.append(told | {"time": step["at"]})
    return receipt


def _producer(record):
    told = {name: said for name, said in record.items() if name not in ("name", "activity")}
    former = [(epoch["epoch"], epoch["end_sequence"], epoch["last_step"]) for epoch in record["former"]]
    return told | {"finished": record["activity"] == "FINISHED", "former": former}


def _job(record):
    session = record["sessions"][0] if record["sessions"] else None
    return {
        "attachment_id": record["attachment_id"],
        "attached": record["attachment"] == "ATTACHED",
        "version": record["version"],
        "keep": record["keep"],
        "from": _position(record["attached"]),
        "position": _position(record["position"]),
        "session": session and _session(session),
        "former_sessions": record["former_sessions"],
        "checkpoints": [_position(place) for place in record["checkpoints"]],
    }


def _session(record):
    return {
        "id": record["id"],
        "start": _position(record["start"]),
        "passed": _ranges(record["passed"]),
        "version": record["version"],
        "time": record["at"],
    }


def _position(record):
    told = {name: record[name] for name in ("checkpoint", "next_step", "receipt")}
    return told | {"passed": _ranges(record["passed"]), "time": record["at"]}


def _ranges(record):
    return [_range(steps) for steps in record["ranges"]]


def _range(record):
    return record["first"], record["last"]


def _counts(records):
    return {count["name"]: count["value"] for count in records}


def _must_know(dataset, key):
    try:
        must_know(dataset, {"EVERYONE"})
    except Refusal as refusal:
        refusal.key = key
        raise


def _decoded(key, data, schema):
    try:
        record, writers = container.decode(data)
        return known(record, schema, writers)
    except Refusal as refusal:
        refusal.key = key
        raise


def _require(holds, key, what):
    if not holds:
        raise Corrupt(f"not {what}", key)

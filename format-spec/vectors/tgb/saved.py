"""Saved States and segments (APPLY-17, CODEC-6): where a State is cut, when it is due, and their bytes."""

import json
from pathlib import Path

from tgb import container, keys
from tgb.refusals import Corrupt

AVRO = Path(__file__).parents[2] / "avro"
STATE = json.loads((AVRO / "state.avsc").read_text())
SEGMENT = json.loads((AVRO / "segment.avsc").read_text())
RECENT_MAX = 1 << 20
SEGMENT_MIN = 512 << 10
DUE_COMMITS = 16
DUE_WEIGHT = 1 << 20
NAMES_MAX = 1024
LONG_MAX = (1 << 63) - 1


def weight(batch):
    """About what the record of a step takes."""
    slices = sum(len(part["slices"]) for part in batch["parts"])
    return 256 + 64 * len(batch["parts"]) + 24 * slices + 160 * len(batch["counts"])


def weight_of_publish(entry):
    """About what a commit says of a step."""
    provenance = entry["batch"]["provenance"]
    said = 256 * len(provenance["sources"]) + 24 * len(provenance["rows"])
    return weight(entry["batch"]) + len(entry["progress"]) + said


def cut(state):
    """Cuts off the oldest steps while the recent ones are too heavy, before a commit is applied."""
    while sum(weight(step["batch"]) for step in state.steps[first_recent(state) :]) > RECENT_MAX:
        first = last = first_recent(state)
        heavy = weight(state.steps[first]["batch"])
        while heavy < SEGMENT_MIN:
            last += 1
            heavy += weight(state.steps[last]["batch"])
        state.segments = [*state.segments, (first, last)]


def first_recent(state):
    return state.segments[-1][1] + 1 if state.segments else 0


def became_due(state, published):
    """Counts one more commit and the weight of what it published."""
    due, since = state.saving
    since += published
    is_due = state.version - due >= DUE_COMMITS or since >= DUE_WEIGHT
    state.saving = (state.version, 0) if is_due else (due, since)


def add_to(totals, batch):
    """The totals with one more batch."""
    rows = sum(piece["rows"] for part in batch["parts"] for piece in part["slices"])
    payload = sum(part["length"] for part in batch["parts"])
    counts = dict(totals["counts"])
    for count in sorted(batch["counts"], key=lambda count: count["name"]):
        if count["name"] in counts or len(counts) < NAMES_MAX:
            counts[count["name"]] = min(LONG_MAX, counts.get(count["name"], 0) + count["value"])
    return {
        "rows": min(LONG_MAX, totals["rows"] + rows),
        "bytes": min(LONG_MAX, totals["bytes"] + payload),
        "counts": counts,
    }


def objects(state):
    """The State and all its segments, by their keys."""
    found = {keys.segment(*steps): segment_bytes(state, *steps) for steps in state.segments}
    return found | {keys.state(state.version): state_bytes(state)}


def segment_bytes(state, first, last):
    steps = [_step(number, state.steps[number]) for number in range(first, last + 1)]
    return container.encode({"steps": steps}, SEGMENT)


def state_bytes(state):
    return container.encode(_state(state), STATE)


def verify(state, key, data):
    """Refuses an object that is not what this State makes of itself under this key."""
    schema, expected = (SEGMENT, objects(state)[key]) if key.startswith("segments/") else (STATE, state_bytes(state))
    if data != expected:
        record, writers = container.decode(data)
        if writers["name"] != f"batchweave.{schema['name']}" or record != container.decode(expected)[0]:
            raise Corrupt("not what the log says")


def _state(state):
    first = first_recent(state)
    recent = [_step(number, state.steps[number]) for number in range(first, len(state.steps))]
    counts = [{"name": name, "value": value} for name, value in sorted(state.totals["counts"].items())]
    return {
        "dataset": {
            "id": state.dataset["dataset_id"],
            "schema": state.dataset["schema"],
            "grid": {"axes": state.dataset["grid"]},
            "producers": state.dataset["producers"],
            "features": state.dataset["features"],
        },
        "version": state.version,
        "time": state.time,
        "phase": "SEALED" if state.sealed else "OPEN",
        "receipt": state.receipt,
        "saving": {"due": state.saving[0], "weight": state.saving[1]},
        "producers": [_producer(name, state.producers[name]) for name in sorted(state.producers)],
        "steps": {
            "totals": state.totals | {"counts": counts},
            "segments": [
                {
                    "first_step": begin,
                    "last_step": end,
                    "at": state.steps[end]["time"],
                    "bytes": _payload_bytes(state.steps[begin : end + 1]),
                    "receipt": state.steps[end]["receipt"],
                }
                for begin, end in state.segments
            ],
            "recent": recent,
            "weight": sum(weight(step["batch"]) for step in recent),
        },
        "kept": {"low_step": state.low_step, "swept_step": state.swept_step},
        "settings": state.settings,
        "jobs": [_job(name, state.jobs[name]) for name in sorted(state.jobs)],
        "skips": {
            "records": [
                {"steps": _range(record["steps"]), "reason": record["reason"], "at": record["time"]}
                for record in state.skips
            ]
        },
    }


def _payload_bytes(steps):
    return min(LONG_MAX, sum(part["length"] for step in steps for part in step["batch"]["parts"]))


def _step(number, step):
    counts = sorted(step["batch"]["counts"], key=lambda count: count["name"])
    return {
        "step": number,
        "version": step["version"],
        "at": step["time"],
        "claim": step["claim"],
        "batch": step["batch"] | {"counts": counts, "provenance": {"sources": [], "rows": []}},
        "receipt": step["receipt"],
    }


def _producer(name, producer):
    return {
        "name": name,
        "epoch": producer["epoch"],
        "opening_id": producer["opening_id"],
        "next_sequence": producer["next_sequence"],
        "activity": "FINISHED" if producer["finished"] else "OPEN",
        "progress": producer["progress"],
        "steps": producer["steps"],
        "last_step": producer["last_step"],
        "former": [
            {"epoch": epoch, "end_sequence": end, "last_step": last} for epoch, end, last in producer["former"]
        ],
        "last_activity": producer["last_activity"],
    }


def _job(name, job):
    session = job["session"]
    sessions = [_session(name, session)] if session else []
    return {
        "name": name,
        "attachment_id": job["attachment_id"],
        "attached": _position(job["from"]),
        "version": job["version"],
        "keep": job["keep"],
        "attachment": "ATTACHED" if job["attached"] else "DETACHED",
        "position": _position(job["position"]),
        "sessions": sessions,
        "former_sessions": job["former_sessions"],
        "checkpoints": [_position(place) for place in job["checkpoints"]],
    }


def _session(job, session):
    return {
        "job": job,
        "id": session["id"],
        "start": _position(session["start"]),
        "passed": _ranges(session["passed"]),
        "version": session["version"],
        "at": session["time"],
    }


def _position(place):
    return {
        "checkpoint": place["checkpoint"],
        "next_step": place["next_step"],
        "receipt": place["receipt"],
        "passed": _ranges(place["passed"]),
        "at": place["time"],
    }


def _ranges(ranges):
    return {"ranges": [_range(steps) for steps in ranges]}


def _range(steps):
    return {"first": steps[0], "last": steps[1]}

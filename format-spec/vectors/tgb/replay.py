"""Replays a dataset's log from a folder, verifies all it names, and tells what it found as plain JSON values."""

import hashlib

from tgb import commits, jobs, keys, parts, saved, schema, slices
from tgb.refusals import Corrupt, Missing, Refusal, Unsupported
from tgb.state import apply, must_know


def replay(folder):
    """What a reader finds in a dataset's folder; a refused object is part of what it finds."""
    told = {"commits": [], "steps": []}
    state = None
    try:
        for version in range(_versions(folder)):
            key = keys.log(version)
            state, verdicts, commit = _next(folder, key, state)
            entries = [
                {"kind": kind, "verdict": verdict} | _told(body)
                for (kind, body), verdict in zip(commit["entries"], verdicts, strict=True)
            ]
            found = {"key": key, "id": commit["id"], "entries": entries, "state": _state(state)}
            if commits.encode(commit) != _read(folder, key):
                found["canonical"] = False
            told["commits"].append(found)
            told["saved"] = told.get("saved", []) + _saved(folder, state, told.get("saved", []))
    except Refusal as refusal:
        told["refused"] = {"key": refusal.key, "why": refusal.why, "reason": str(refusal)}
    if not told.get("saved"):
        told.pop("saved", None)
    if state is not None:
        try:
            must_know(state.dataset, {"EVERYONE", "WRITERS"})
        except Unsupported:
            told["writable"] = False
        try:
            fields = schema.of_json(state.dataset["schema"])
            told["steps"] = [
                _step(folder, fields, number, step, number < state.low_step) for number, step in enumerate(state.steps)
            ]
        except schema.RefusedSchema as refusal:
            told["schema_refused"] = refusal.why
    return told


def _versions(folder):
    """One more than the highest version: the log has no gaps, so each below it must be there."""
    present = [int(path.name) for path in folder.glob("log/*/*") if path.name.isdigit()]
    return 1 + max(present, default=0)


def _next(folder, key, state):
    try:
        commit = commits.decode(_read(folder, key))
        return *apply(state, commit), commit
    except Refusal as refusal:
        refusal.key = key
        raise


def _saved(folder, state, known):
    """The keys of what is saved of a State and was not seen before: segments that it names, and itself."""
    found = []
    for key in sorted(key for key in saved.objects(state) if key not in known and (folder / key).is_file()):
        try:
            saved.verify(state, key, _read(folder, key))
        except Refusal as refusal:
            refusal.key = key
            raise
        found.append(key)
    return found


def _read(folder, key):
    path = folder / key
    if not path.is_file():
        raise Missing("absent")
    return path.read_bytes()


def _state(state):
    producers = {
        name: {
            "epoch": producer["epoch"],
            "opening_id": producer["opening_id"],
            "next_sequence": producer["next_sequence"],
            "finished": producer["finished"],
            "progress": producer["progress"].hex(),
            "last_step": producer["last_step"],
        }
        | ({"former": [list(epoch) for epoch in producer["former"]]} if producer["former"] else {})
        for name, producer in sorted(state.producers.items())
    }
    told = {
        "version": state.version,
        "time": state.time,
        "sealed": state.sealed,
        "receipt": state.receipt.hex(),
        "steps": len(state.steps),
        "producers": producers,
    }
    if state.jobs:
        told["jobs"] = {name: _job(state, job) for name, job in sorted(state.jobs.items())}
        told["kept_from"] = jobs.kept_from(state, state.time)
    if state.low_step:
        told |= {"low_step": state.low_step, "swept_step": state.swept_step}
    if state.skips:
        told["skips"] = [record | {"steps": list(record["steps"])} for record in state.skips]
    changed = {name: value for name, value in state.settings.items() if value != jobs.DEFAULTS[name]}
    return told | ({"settings": changed} if changed else {})


def _job(state, job):
    session = job["session"] and job["session"] | {
        "start": _place(job["session"]["start"]),
        "passed": _ranges(job["session"]["passed"]),
    }
    place = job["position"]
    return job | {
        "from": _place(job["from"]),
        "position": _place(job["position"]),
        "session": session,
        "checkpoints": [_place(place) for place in job["checkpoints"]],
        "pin": jobs.pin(job),
        "given": jobs.given(state.receipt_before(place["next_step"]), place["passed"]).hex(),
    }


def _place(place):
    return place | {"receipt": place["receipt"].hex(), "passed": _ranges(place["passed"])}


def _ranges(ranges):
    return [list(steps) for steps in ranges]


def _step(folder, fields, number, step, may_be_swept):
    parts = [
        _swept(folder, keys.data(step["claim"], at), part, may_be_swept)
        or _part(folder, fields, keys.data(step["claim"], at), part)
        for at, part in enumerate(step["batch"]["parts"])
    ]
    counts = {count["name"]: count["value"] for count in step["batch"]["counts"]}
    return {
        "step": number,
        "version": step["version"],
        "time": step["time"],
        "receipt": step["receipt"].hex(),
        "claim": step["claim"],
        "counts": counts,
        "parts": parts,
    }


def _told(entry):
    """What an entry says that is no part of the State, if it says anything."""
    provenance = entry.get("batch", {}).get("provenance", {"sources": []})
    if not provenance["sources"]:
        return {}
    sources = [source | {"digest": source["digest"].hex()} for source in provenance["sources"]]
    return {"provenance": {"sources": sources, "rows": provenance["rows"]}}


def _swept(folder, key, part, may_be_swept):
    """What the commit says of a part that is gone, as it may be."""
    if not may_be_swept or (folder / key).is_file():
        return None
    slices = [_said(said) for said in part["slices"]]
    return {"key": key, "length": part["length"], "digest": part["digest"].hex(), "swept": True, "slices": slices}


def _part(folder, fields, key, part):
    told = {"key": key, "length": part["length"], "digest": part["digest"].hex()}
    try:
        data = _read(folder, key)
        if len(data) != part["length"] or hashlib.sha256(data).digest() != part["digest"]:
            told["refused"] = Corrupt.why
        elif not parts.is_well_formed(fields, data, part["slices"]):
            told["canonical"] = False
    except Missing:
        data = None
        told["refused"] = Missing.why
    return told | {"slices": [_slice(fields, data, said) for said in part["slices"]]}


def _said(said):
    told = {name: said[name] for name in ("offset", "length", "rows")}
    return told | {"crc32c": f"{said['crc32c'] & 0xFFFFFFFF:08x}"}


def _slice(fields, data, said):
    told = _said(said)
    if data is None:
        return told | {"refused": Missing.why}
    try:
        end = said["offset"] + said["length"]
        if end > len(data):
            raise Corrupt("the object ends early")
        message = data[said["offset"] : end]
        batch = parts.batch(fields, slices.verified(fields, message, said))
        told["logical_digest"] = batch.logical
        if batch.body() != slices.body(message):
            told["canonical"] = False
        return told
    except Corrupt:
        return told | {"refused": Corrupt.why}

"""Replays a dataset's log from a folder, verifies all it names, and tells what it found as plain JSON values."""

import hashlib

from tgb import jobs, keys, parts, saved, schema, slices
from tgb.folder import Folder
from tgb.history import history, reborn
from tgb.opening import opened
from tgb.refusals import Corrupt, Dropped, Missing, Refusal, Unsupported
from tgb.state import apply, must_know


def replay(path):
    """What a reader finds in a dataset's folder; a refused object is part of what it finds."""
    folder = Folder(path)
    told = {"commits": [], "steps": []}
    try:
        folder.demand_there()
    except Dropped as refusal:
        return told | {"refused": _refused(refusal)}
    state, is_whole = _history(folder, told)
    try:
        found = opened(folder)
        if not is_whole:
            # Who does not ask for history does not see that it is damaged.
            state, told["opened"] = found, _state(found)
        elif saved.state_bytes(found) != saved.state_bytes(state):
            raise Corrupt("opening finds another State than history gives", keys.state(found.version))
    except Refusal as refusal:
        told.setdefault("refused", _refused(refusal))
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


def _history(folder, told):
    """Tells all commits, and what was saved of their States; the last State, and whether nothing was refused."""
    state = None
    known, packs = [], []
    try:
        for key, commit, is_canonical in history(folder):
            state, verdicts = _next(key, state, commit)
            entries = [
                {"kind": kind, "verdict": verdict} | _told(body)
                for (kind, body), verdict in zip(commit["entries"], verdicts, strict=True)
            ]
            found = {"key": key, "id": commit["id"], "entries": entries, "state": _state(state)}
            told["commits"].append(found | ({} if is_canonical else {"canonical": False}))
            known += _saved(folder, state, known)
            packs += [key] if key.startswith("packs/") and key not in packs else []
        ignored = reborn(folder)
        told |= {"reborn": ignored} if ignored else {}
        return state, True
    except Refusal as refusal:
        told["refused"] = _refused(refusal)
        return state, False
    finally:
        told |= {"packs": packs} if packs else {}
        told |= {"saved": known} if known else {}


def _refused(refusal):
    return {"key": refusal.key, "why": refusal.why, "reason": str(refusal)}


def _next(key, state, commit):
    try:
        return apply(state, commit)
    except Refusal as refusal:
        refusal.key = key
        raise


def _saved(folder, state, known):
    """The keys of what is saved of a State and was not seen before: segments that it names, and itself."""
    found = []
    for key in sorted(key for key in saved.objects(state) if key not in known and folder.find(key) is not None):
        try:
            saved.verify(state, key, folder.read(key))
        except Refusal as refusal:
            refusal.key = key
            raise
        found.append(key)
    return found


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
    if not may_be_swept or folder.find(key) is not None:
        return None
    slices = [_said(said) for said in part["slices"]]
    return {"key": key, "length": part["length"], "digest": part["digest"].hex(), "swept": True, "slices": slices}


def _part(folder, fields, key, part):
    told = {"key": key, "length": part["length"], "digest": part["digest"].hex()}
    try:
        data = folder.read(key)
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

"""Jobs, skips and settings (APPLY-10 to APPLY-16), receipts of what was given (JOB-1) and what is kept (JOB-4).

A set of steps is a sorted list of pairs (first, last), with a step between two of them.
"""

import hashlib

FORMER_SESSIONS_MAX = 16
SKIP_RECORDS_MAX = 1024
DEFAULTS = {"retention": "CHECKPOINTS", "keep_steps": 0, "keep_for": 0, "max_lead": 0}
_SETTINGS = {
    "Retention": ("retention", "policy"),
    "KeepSteps": ("keep_steps", "steps"),
    "KeepFor": ("keep_for", "ms"),
    "MaxLead": ("max_lead", "steps"),
}


def union(ranges):
    out = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return out


def below(ranges, end):
    return [(first, min(last, end - 1)) for first, last in ranges if first < end]


def from_(ranges, start):
    return [(max(first, start), last) for first, last in ranges if last >= start]


def without(ranges, first, last):
    return below(ranges, first) + from_(ranges, last + 1)


def given(chain, passed):
    """The receipt of what was given, of the chain's receipt and the steps before it that were passed over."""
    if not passed:
        return chain
    said = b"".join(step.to_bytes(8, "big") for steps in passed for step in steps)
    return hashlib.sha256(b"batchweave passed " + chain + said).digest()


def pin(job):
    """The lowest step that a job may start at."""
    return min(place["next_step"] for place in [job["position"], *job["checkpoints"]])


def lowest_pin(state):
    return min((pin(job) for job in state.jobs.values() if job["attached"]), default=None)


def kept_at_any_time(state):
    """The first step whose payload must be kept as far as the State alone says it."""
    settings, head = state.settings, len(state.steps)
    if settings["retention"] == "FOREVER" or not state.jobs:
        return 0
    pinned = lowest_pin(state)
    counted = max(0, head - settings["keep_steps"])
    return min(head if pinned is None else pinned, counted)


def kept_from(state, now):
    """The first step whose payload must be kept."""
    settings = state.settings
    firsts = {number: first for first, last in state.segments for number in range(first, last + 1)}
    young = [
        firsts.get(number, number)  # a segment is young as a whole if one of its steps is
        for number, step in enumerate(state.steps)
        if step["time"] + settings["keep_for"] > now
    ]
    return min([kept_at_any_time(state)] + (young[:1] if settings["keep_for"] else []))


def attach(state, entry, _):
    known = state.jobs.get(entry["job"])
    if known and known["attachment_id"] == entry["attachment_id"]:
        return "already in"
    if known and known["attached"]:
        return "attached"
    if entry["from_step"] > len(state.steps):
        return "beyond"
    if entry["from_step"] < state.low_step:
        return "swept"
    start = {
        "checkpoint": "",
        "next_step": entry["from_step"],
        "receipt": b"",
        "passed": [(0, entry["from_step"] - 1)] if entry["from_step"] else [],
        "time": state.time,
    }
    state.jobs[entry["job"]] = {
        "attachment_id": entry["attachment_id"],
        "attached": True,
        "version": state.version,
        "keep": entry["keep"],
        "from": start,
        "position": start,
        "session": None,
        "former_sessions": [],
        "checkpoints": [],
    }
    return "effect"


def _of_job(judge):
    def judged(state, entry, _):
        job = state.jobs.get(entry["job"])
        if job is None:
            return "not attached"
        if job["attachment_id"] != entry["attachment_id"]:
            return "fenced"
        if not job["attached"]:
            return "already in" if judge is _detach else "detached"
        return judge(state, entry, job)

    return judged


def _detach(state, entry, job):
    job |= {"attached": False, "session": None, "former_sessions": [], "checkpoints": []}
    return "effect"


def _start(state, entry, job):
    latest = job["session"]
    if latest and latest["id"] == entry["session"]:
        return "already in" if entry["from"] in ("", latest["start"]["checkpoint"]) else "another start"
    if entry["session"] in job["former_sessions"]:
        return "superseded"
    if latest and latest["version"] == state.version:
        return "second session"
    start = job["position"]
    if entry["from"]:
        start = _kept(job, entry["from"])
        if start is None:
            return "not kept"
    skipped = from_([record["steps"] for record in state.skips], start["next_step"])
    if latest:
        job["former_sessions"] = (job["former_sessions"] + [latest["id"]])[-FORMER_SESSIONS_MAX:]
    job["session"] = {
        "id": entry["session"],
        "start": start,
        "passed": union(start["passed"] + skipped),
        "version": state.version,
        "time": state.time,
    }
    job["position"] = start
    return "effect"


def _checkpoint(state, entry, job):
    same = _kept(job, entry["checkpoint"])
    if same:
        is_same = (same["next_step"], same["receipt"]) == (entry["next_step"], entry["receipt"])
        return "already in" if is_same else "another checkpoint"
    if entry["session"] != (job["session"]["id"] if job["session"] else ""):
        return "superseded"
    if entry["next_step"] > len(state.steps):
        return "beyond"
    if entry["next_step"] < job["position"]["next_step"] and not entry["rollback"]:
        return "behind"
    if entry["next_step"] < pin(job):
        return "not pinned"
    passed = (job["session"] or job["from"])["passed"]
    job["position"] = {
        "checkpoint": entry["checkpoint"],
        "next_step": entry["next_step"],
        "receipt": entry["receipt"],
        "passed": below(passed, entry["next_step"]),
        "time": state.time,
    }
    job["checkpoints"] = (job["checkpoints"] + [job["position"]])[-job["keep"] :]
    return "effect"


def _release(state, entry, job):
    if _kept(job, entry["checkpoint"]) is None:
        return "already in"
    if job["position"]["checkpoint"] == entry["checkpoint"]:
        return "needed"
    job["checkpoints"] = [place for place in job["checkpoints"] if place["checkpoint"] != entry["checkpoint"]]
    return "effect"


def _kept(job, name):
    return next((place for place in job["checkpoints"] if place["checkpoint"] == name), None)


def skip(state, entry, _):
    first, last = entry["steps"]["first"], entry["steps"]["last"]
    added = [(first, last)]
    for record in state.skips:
        added = without(added, *record["steps"])
    if not added:
        return "already in"
    lowest = lowest_pin(state)
    if lowest is not None and first < lowest:
        return "seen"
    more = [{"steps": steps, "reason": entry["reason"], "time": state.time} for steps in added]
    return _skipping(state, state.skips + more)


def unskip(state, entry, _):
    left = [
        record | {"steps": steps}
        for record in state.skips
        for steps in without([record["steps"]], entry["steps"]["first"], entry["steps"]["last"])
    ]
    return "already in" if left == state.skips else _skipping(state, left)


def _skipping(state, records):
    if len(records) > SKIP_RECORDS_MAX:
        return "too many"
    state.skips = sorted(records, key=lambda record: record["steps"])
    return "effect"


def alter(state, entry, _):
    changed = state.settings | {_SETTINGS[kind][0]: said[_SETTINGS[kind][1]] for kind, said in entry["settings"]}
    if changed == state.settings:
        return "already in"
    state.settings = changed
    return "effect"


JUDGES = {
    "AttachJob": attach,
    "DetachJob": _of_job(_detach),
    "StartSession": _of_job(_start),
    "Checkpoint": _of_job(_checkpoint),
    "ReleaseCheckpoint": _of_job(_release),
    "Skip": skip,
    "Unskip": unskip,
    "Alter": alter,
}

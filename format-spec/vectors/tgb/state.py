"""What a log means (APPLY-1 to APPLY-9, and by jobs.py and sweeps.py the others): the State and its only function, apply."""

import hashlib
from dataclasses import dataclass, field, replace

from tgb import jobs, saved, sweeps
from tgb.refusals import Corrupt, Unsupported

FEATURES_KNOWN = frozenset()
SCHEMA_ID = 0  # the number of the one schema that a dataset has


@dataclass
class State:
    dataset: dict
    receipt: bytes
    version: int = -1
    time: int = 0
    sealed: bool = False
    producers: dict = field(default_factory=dict)
    steps: list = field(default_factory=list)
    settings: dict = field(default_factory=lambda: dict(jobs.DEFAULTS))
    jobs: dict = field(default_factory=dict)
    skips: list = field(default_factory=list)
    segments: list = field(default_factory=list)  # pairs (first step, last step)
    totals: dict = field(default_factory=lambda: {"rows": 0, "bytes": 0, "counts": {}})
    low_step: int = 0  # the first step whose payload is kept
    swept_step: int = 0  # payload of all steps below it is gone
    saving: tuple = (-1, 0)  # the newest version that is due, and the weight published since
    published: int = 0  # the weight of what the commit being applied publishes

    def receipt_before(self, step):
        """The chain's receipt before a step."""
        return self.steps[step - 1]["receipt"] if step else first_receipt(self.dataset)

    @property
    def slices(self):
        """Slices of the grid."""
        product = 1
        for axis in self.dataset["grid"]:
            product *= axis["size"]
        return product


def first_receipt(dataset):
    return hashlib.sha256(b"batchweave receipt " + dataset["dataset_id"].encode("ascii")).digest()


def chained(receipt, step, batch):
    """The receipt after one more step."""
    chain = hashlib.sha256(receipt + step.to_bytes(8, "big"))
    for part in batch["parts"]:
        chain.update(part["digest"] + len(part["slices"]).to_bytes(4, "big"))
    return chain.digest()


def must_know(dataset, required_of):
    """Refuses a dataset with a feature that this software does not know (LOG-9)."""
    for feature in dataset["features"]:
        if feature["required_of"] in required_of and feature["name"] not in FEATURES_KNOWN:
            raise Unsupported(f"the unknown feature {feature['name']}")


def apply(state, commit):
    """The State after one more commit and, for each entry, "effect" or the reason why it has none."""
    if state is None:
        kind, dataset = commit["entries"][0]
        if kind != "CreateDataset":
            raise Corrupt("version 0 does not begin with CreateDataset")
        must_know(dataset, {"EVERYONE"})
        state = State(dataset, first_receipt(dataset), time=commit["time"])
        verdicts, rest = ["effect"], commit["entries"][1:]
    else:
        producers = {name: dict(producer) for name, producer in state.producers.items()}
        known_jobs = {name: dict(job) for name, job in state.jobs.items()}
        state = replace(state, producers=producers, steps=list(state.steps), jobs=known_jobs)
        verdicts, rest = [], commit["entries"]
        saved.cut(state)
    state.version += 1
    state.time = max(state.time, commit["time"])
    state.published = 0
    opened_here = set()
    for kind, entry in rest:
        verdicts.append(_JUDGES[kind](state, entry, opened_here))
    saved.became_due(state, state.published)
    return state, verdicts


def _create(state, entry, opened_here):
    return "not first"


def _open(state, entry, opened_here):
    name = entry["producer"]
    known = state.producers.get(name)
    if known and known["opening_id"] == entry["opening_id"]:
        return "already in"
    if state.sealed:
        return "sealed"
    if state.dataset["producers"] and name not in state.dataset["producers"]:
        return "undeclared"
    if name in opened_here:
        return "second opening"
    opened_here.add(name)
    kept = known or {"next_sequence": 0, "progress": b"", "steps": 0, "last_step": -1, "former": []}
    replaced = [(known["epoch"], known["next_sequence"], known["last_step"])] if known else []
    state.producers[name] = {
        "epoch": state.version,
        "opening_id": entry["opening_id"],
        "next_sequence": kept["next_sequence"],
        "finished": False,
        "progress": kept["progress"],
        "steps": kept["steps"],
        "last_step": -1,
        "former": sweeps.needed(kept["former"] + replaced, state.low_step),
        "last_activity": state.time,
    }
    return "effect"


def _judge(state, claim):
    producer = state.producers.get(claim["producer"])
    if producer is None or claim["epoch"] > producer["epoch"]:
        return "not open"
    if claim["epoch"] < producer["epoch"]:
        return "fenced"
    if claim["sequence"] < producer["next_sequence"]:
        return "already in"
    if state.sealed:
        return "sealed"
    if producer["finished"]:
        return "finished"
    if claim["sequence"] > producer["next_sequence"]:
        return "gap"
    return "effect"


def _publish(state, entry, opened_here):
    verdict = _judge(state, entry["claim"])
    if verdict != "effect":
        return verdict
    batch = entry["batch"]
    slices = sum(len(part["slices"]) for part in batch["parts"])
    if batch["schema_id"] != SCHEMA_ID or slices != state.slices:
        return "unfit"
    state.receipt = chained(state.receipt, len(state.steps), batch)
    step = {"version": state.version, "time": state.time, "receipt": state.receipt}
    state.steps.append(step | {"claim": entry["claim"], "batch": batch})
    state.totals = saved.add_to(state.totals, batch)
    state.published += saved.weight_of_publish(entry)
    producer = _advance(state, entry)
    producer["steps"] += 1
    producer["last_step"] = len(state.steps) - 1
    return "effect"


def _finish(state, entry, opened_here):
    verdict = _judge(state, entry["claim"])
    if verdict != "effect":
        return verdict
    _advance(state, entry)["finished"] = True
    declared = state.dataset["producers"]
    if declared and _all_finished(state, declared):
        state.sealed = True
    return "effect"


def _seal(state, entry, opened_here):
    if state.sealed:
        return "sealed"
    everyone = set(state.dataset["producers"]) | set(state.producers)
    if entry["condition"] == "ALL_FINISHED" and not _all_finished(state, everyone):
        return "unfinished"
    state.sealed = True
    return "effect"


def _advance(state, entry):
    producer = state.producers[entry["claim"]["producer"]]
    producer["next_sequence"] += 1
    producer["progress"] = entry["progress"]
    producer["last_activity"] = state.time
    return producer


def _all_finished(state, names):
    return all(name in state.producers and state.producers[name]["finished"] for name in names)


_JUDGES = {
    "CreateDataset": _create,
    "OpenProducer": _open,
    "Publish": _publish,
    "Finish": _finish,
    "Seal": _seal,
    "Sweep": sweeps.sweep,
    **jobs.JUDGES,
}

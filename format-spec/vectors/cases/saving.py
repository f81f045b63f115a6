"""States and segments that were saved (APPLY-17, CODEC-6, LOG-11)."""

from cases.build import (
    MIDNIGHT,
    Case,
    alter,
    attach,
    checkpoint,
    claim,
    commit_record,
    create,
    detach,
    finish,
    open_producer,
    publish,
    session,
    skip,
    sweep,
)
from tgb import container, keys, saved
from tgb.state import apply

HEAVY = [(f"c{number:04d}", number % 3) for number in range(3300)]  # weighs more than half of what a State keeps


def cases():
    return [_sixteen(), _cut(), _light(), _everything(), _damaged(), _lacking(), _keeping_more_than_there_is()]


class Saved(Case):
    """A case that keeps the State of its log."""

    state = None

    def commit(self, *entries, time=None):
        self.state, _ = apply(self.state, commit_record(self.version, entries, time))
        return super().commit(*entries, time=time)

    def saves(self):
        """The State is saved now, with its segments."""
        self.objects |= saved.objects(self.state)
        return self


def _sixteen():
    case = Saved("valid/saved-by-count", "After sixteen commits a State is due (APPLY-17)")
    case.commit(create(), open_producer("p", 1))
    for sequence in range(15):
        case.commit(publish(claim("p", 0, sequence)))
    case.saves()
    return case.commit(publish(claim("p", 0, 15)))


def _heavy(sequence):
    return publish(claim("p", 0, sequence), counts=HEAVY)


def _cut():
    case = Saved("valid/saved-with-segments", "Heavy steps are cut off as segments, and make States due (APPLY-17)")
    case.commit(create(), open_producer("p", 1))
    case.commit(publish(claim("p", 0, 0)))
    case.commit(_heavy(1))
    case.commit(_heavy(2))
    case.commit(publish(claim("p", 0, 3)), _heavy(4), _heavy(5)).saves()
    return case.commit(publish(claim("p", 0, 6))).saves()


def _light():
    case = Saved("valid/saved-by-weight", "Progress and provenance make a State due, and are no part of steps (APPLY-17)")
    case.commit(create(), open_producer("p", 1))
    said = {"sources": [("in", 1, b"", 0)] * 3, "rows": [(0, 0, 0, 1, 1)] * 5}
    without = publish(claim("p", 0, 1), progress=b"", counts=HEAVY[:3240])
    room = saved.DUE_WEIGHT - saved.weight_of_publish(_heavy(0).body) - saved.weight_of_publish(without.body)
    least = room - 3 * 256 - 5 * 24
    case.commit(_heavy(0))
    case.commit(publish(claim("p", 0, 1), progress=bytes(least - 1), counts=HEAVY[:3240], **said)).saves()
    return case.commit(publish(claim("p", 0, 2))).saves()


def _everything():
    case = Saved("valid/saved-of-everything", "A State with something in every field (CODEC-6)")
    case.commit(create(producers=["p", "q"]), open_producer("p", 1), open_producer("q", 2))
    case.commit(publish(claim("p", 0, 0)), finish(claim("q", 0, 0)), alter(KeepSteps=1, MaxLead=9, KeepFor=5))
    case.commit(publish(claim("p", 0, 1)), attach("gone", 7), attach("j", 8, from_step=1), skip(1, 4))
    case.commit(detach("gone", 7), session("j", 8, "one"))
    case.commit(session("j", 8, "two"), checkpoint("j", 8, "two", "c1", 2, bytes([7] * 32)))
    case.commit(checkpoint("j", 8, "two", "c2", 2, bytes([8] * 32)), time=MIDNIGHT + 90_000)
    case.commit(sweep(1), open_producer("p", 3), sweep(1, 1))
    return case.saves()


def _damaged():
    case = Saved("invalid/saved-and-damaged", "A State in which one bit is wrong (CODEC-2)")
    case.commit(create(), open_producer("p", 1))
    case.commit(publish(claim("p", 0, 0))).saves()
    key = keys.state(1)
    case.objects[key] = case.objects[key][:-20] + bytes([case.objects[key][-20] ^ 1]) + case.objects[key][-19:]
    case.refused = (key, "corrupt")
    return case


def _lacking():
    case = Saved("invalid/saved-without-a-step", "A State that lacks its first step (CODEC-6)")
    case.commit(create(), open_producer("p", 1))
    case.commit(publish(claim("p", 0, 0)), publish(claim("p", 0, 1))).saves()
    key = keys.state(1)
    record, _ = container.decode(case.objects[key])
    steps = record["steps"]
    less = steps | {"recent": steps["recent"][1:], "weight": saved.weight(steps["recent"][1]["batch"])}
    case.objects[key] = container.encode(record | {"steps": less}, saved.STATE)
    case.refused = (key, "corrupt")
    return case


def _keeping_more_than_there_is():
    case = Saved("invalid/saved-and-all-swept", "A State of one step whose low step is 2 (CODEC-6)")
    case.commit(create(), open_producer("p", 1))
    case.commit(publish(claim("p", 0, 0))).saves()
    key = keys.state(1)
    record, _ = container.decode(case.objects[key])
    case.objects[key] = container.encode(record | {"kept": {"low_step": 2, "swept_step": 0}}, saved.STATE)
    case.refused = (key, "corrupt")
    return case

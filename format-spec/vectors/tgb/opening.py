"""Opening a dataset: the newest State, the commits behind it, and CHECK (LOG-2, LOG-11, TRIM-4 to TRIM-6, TRIM-9)."""

from tgb import commits, keys, loaded
from tgb.refusals import Missing, Refusal
from tgb.state import apply


def opened(folder):
    """The State that whoever opens the dataset finds, and can act on."""
    state = _newest(folder, -1)
    while True:
        sure = state.version if state else -1
        state, failure = _caught_up(folder, state)
        # CHECK: what was read, and what was not, may be trimmed or reborn.
        if folder.boundary() <= sure:
            if failure:
                raise failure
            return state
        state = _newest(folder, sure)
        if state is None:
            raise Missing("a boundary, and no State at it or above", keys.state(folder.boundary()))


def _newest(folder, version):
    """The newest State, if it is newer than this version."""
    newest = max(folder.states(), default=-1)
    return loaded.load(folder, newest) if newest > version else None


def _caught_up(folder, state):
    """The State of the commits that follow, up to one that is absent or refused; and what is wrong with that, if it is."""
    while True:
        key = keys.log(state.version + 1 if state else 0)
        data = folder.find(key)
        if data is None:
            return state, _lost(folder, state, key)
        try:
            state, _ = apply(state, commits.decode(data))
        except Refusal as refusal:
            refusal.key = key
            return state, refusal


def _lost(folder, state, absent):
    """What is absent is no end if there is one behind it."""
    head = state.version if state else -1
    is_lost = state is None or max(folder.versions(), default=-1) > head
    return Missing("absent, and commits behind it", absent) if is_lost else None

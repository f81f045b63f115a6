"""Which payload may be deleted, and which is gone (APPLY-18)."""

from tgb import jobs


def sweep(state, entry, _):
    low, swept = entry["low_step"], entry["swept_step"]
    if low < state.low_step or (low == state.low_step and swept <= state.swept_step):
        return "already in"
    if swept > state.low_step:
        return "not given up"
    if low > state.low_step and low > jobs.kept_from(state, state.time):
        return "needed"
    state.low_step = low
    state.swept_step = max(state.swept_step, swept)
    for producer in state.producers.values():
        producer["former"] = needed(producer["former"], low)
    return "effect"


def needed(epochs, low_step):
    """Those of former epochs, each with its end and its last step, of which payload is kept."""
    return [epoch for epoch in epochs if epoch[2] >= low_step]

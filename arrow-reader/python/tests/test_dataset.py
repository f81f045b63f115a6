"""What a loop gets, against a sidecar that keeps the contract."""

from __future__ import annotations

import pytest

import batchweave
from fakes import Node, first_tokens


def test_a_loop_gets_all_steps_in_order_and_ends(node: Node) -> None:
    stored = node.store(steps=3)
    data = batchweave.dataset(stored.warehouse, "t.x", mesh={"dp": (1, 2)})

    batches = list(data)

    assert [batch.step for batch in batches] == [0, 1, 2]
    assert [first_tokens(batch) for batch in batches] == [[20, 30], [1020, 1030], [2020, 2030]]
    assert [part.index for part in batches[0].slices] == [2, 3]
    assert batches[2]["tokens"].tolist()[0] == [2020, 2021, 2022, 2023]
    assert len(batches[0]) == 4
    assert list(data) == []


def test_a_batch_stays_readable_after_the_next_and_after_the_end(node: Node) -> None:
    stored = node.store(steps=3)
    with batchweave.dataset(stored.warehouse, "t.x") as data:
        batches = list(data)
    node.kill_sidecar()

    assert [first_tokens(batch)[0] for batch in batches] == [0, 1000, 2000]


def test_a_state_goes_on_at_another_world_size(node: Node) -> None:
    stored = node.store(steps=4)
    data = batchweave.dataset(stored.warehouse, "t.x", job="j", session="a", mesh="dp=0/4")
    next(data)
    next(data)
    state = data.state_dict()

    resumed = batchweave.dataset(stored.warehouse, "t.x", job="j", session="b", mesh="dp=0/1")
    resumed.load_state_dict(state)

    assert [first_tokens(batch) for batch in resumed][0] == [2000, 2010, 2020, 2030]
    assert set(state) == {"cursor"}


def test_states_are_the_same_on_all_ranks_and_on_the_batch(node: Node) -> None:
    stored = node.store(steps=2)
    ranks = [batchweave.dataset(stored.warehouse, "t.x", job="j", mesh={"dp": (i, 2)}) for i in (0, 1)]
    batches = [next(rank) for rank in ranks]

    assert ranks[0].state_dict() == ranks[1].state_dict() == batches[0].state_dict()


def test_a_state_of_the_start_can_be_taken_before_the_first_step(node: Node) -> None:
    stored = node.store(steps=2)
    data = iter(batchweave.dataset(stored.warehouse, "t.x", start=1))
    assert isinstance(data, batchweave.Dataset)
    state = data.state_dict()

    other = batchweave.dataset(stored.warehouse, "t.x")
    other.load_state_dict(state)
    assert [batch.step for batch in other] == [1]


def test_a_process_that_never_looped_says_who_has_the_state(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x")
    data.load_state_dict({"cursor": "id-t.x:2"})

    with pytest.raises(batchweave.InvalidRequest, match=r"batch\.state_dict\(\)"):
        data.state_dict()


def test_a_loop_that_was_left_is_continued(node: Node) -> None:
    data = batchweave.dataset(node.store(steps=4).warehouse, "t.x")
    for batch in data:
        if batch.step == 1:
            break

    assert [batch.step for batch in data] == [2, 3]


def test_loading_goes_back(node: Node) -> None:
    data = batchweave.dataset(node.store(steps=3).warehouse, "t.x")
    state = next(data).state_dict()
    list(data)

    data.load_state_dict(state)

    assert [batch.step for batch in data] == [1, 2]


def test_a_checkpoint_is_made_by_the_last_rank(node: Node) -> None:
    stored = node.store()
    ranks = [batchweave.dataset(stored.warehouse, "t.x", job="j", mesh={"dp": (i, 2)}) for i in (0, 1)]
    for rank in ranks:
        next(rank)

    first = ranks[0].checkpoint("step-1", rank=0, ranks=2)
    last = ranks[1].checkpoint("step-1", rank=1, ranks=2)

    assert first == ("step-1", 1, 1)
    assert last == ("step-1", 1, 0)


def test_a_checkpoint_takes_the_state_of_a_batch(node: Node) -> None:
    stored = node.store()
    data = batchweave.dataset(stored.warehouse, "t.x", job="j")
    state = next(data).state_dict()
    list(data)

    assert data.checkpoint("one", state=state).next_step == 1


def test_a_checkpoint_without_a_job_is_refused(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x")
    next(data)

    with pytest.raises(batchweave.InvalidRequest, match="job="):
        data.checkpoint("one")


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("invalid", batchweave.InvalidRequest),
        ("no-access", batchweave.NoAccess),
        ("unavailable", batchweave.Unavailable),
        ("fenced", batchweave.Fenced),
        ("corrupt", batchweave.Corrupt),
        ("unknown", batchweave.CommitUnknown),
        ("unsupported", batchweave.Unsupported),
        ("internal", batchweave.Internal),
        ("of-a-later-version", batchweave.Internal),
    ],
)
def test_errors_are_named_for_what_comes_next(
    node: Node, kind: str, error: type[Exception]
) -> None:
    stored = node.store()
    told = {"kind": kind, "message": "Cannot do it: said so"}
    stored.fault(error_at_step={"step": 1, "error": told})
    data = batchweave.dataset(stored.warehouse, "t.x")
    next(data)

    with pytest.raises(error, match="said so"):
        next(data)
    assert next(data).step == 1


def test_a_swept_step_names_the_first_that_is_kept(node: Node) -> None:
    stored = node.store(low=3)
    data = batchweave.dataset(stored.warehouse, "t.x", start=1)

    with pytest.raises(batchweave.Expired) as told:
        next(data)
    assert told.value.first_step == 3


def test_a_cursor_of_another_dataset_is_refused(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x")
    data.load_state_dict({"cursor": "id-other:1"})

    with pytest.raises(batchweave.InvalidRequest, match="another dataset"):
        next(data)


@pytest.mark.parametrize("wait", [0.0, -1.0, float("nan"), float("inf"), 1e300])
def test_a_wait_that_no_clock_counts_to_is_refused(node: Node, wait: float) -> None:
    with pytest.raises(batchweave.InvalidRequest, match=r"Cannot wait .*at most 31622400 s"):
        batchweave.dataset(node.store().warehouse, "t.x", wait=wait)


def test_a_step_that_does_not_come_can_be_asked_for_again(node: Node) -> None:
    stored = node.store(steps=1, sealed=False)
    data = batchweave.dataset(stored.warehouse, "t.x", wait=0.1)
    next(data)

    with pytest.raises(batchweave.Unavailable, match="step 1"):
        next(data)
    with pytest.raises(batchweave.Unavailable, match="step 1"):
        next(data)
    assert len(stored.opens()) == 1


def test_a_world_size_that_does_not_divide_names_those_that_do(node: Node) -> None:
    data = batchweave.dataset(node.store().warehouse, "t.x", mesh={"dp": (0, 3)})

    with pytest.raises(batchweave.InvalidRequest, match=r"\[1, 2, 4\]"):
        next(data)


def test_ranks_of_torchrun_stand_on_the_only_axis(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = node.store(grid="rows=4")
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "4")

    assert first_tokens(next(batchweave.dataset(stored.warehouse, "t.x", job="j"))) == [10]
    assert "job" not in stored.opens()[1]


class DeviceMesh:
    """As torch's: dimension "tp" is none of the data's business."""

    mesh_dim_names = ("dp", "tp")
    shape = (2, 2)

    def get_local_rank(self, name: str) -> int:
        return {"dp": 1, "tp": 0}[name]


def test_a_device_mesh_stands_on_the_axes_that_the_grid_has(node: Node) -> None:
    stored = node.store(grid="dp=4")

    assert first_tokens(next(batchweave.dataset(stored.warehouse, "t.x", mesh=DeviceMesh()))) == [20, 30]


def test_columns_that_are_not_there_are_named(node: Node) -> None:
    batch = next(batchweave.dataset(node.store().warehouse, "t.x"))

    with pytest.raises(KeyError, match="tokens, valid"):
        batch["nothing"]

"""Publishing through the pipe, against a command that keeps its contract."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import batchweave
from batchweave.rows import record_batch
from fakes import Node, Stored, address
from messages import tensor_field, tokens


def published(stored: Stored, sequence: int) -> Any:
    return json.loads((stored.folder / f"published-{sequence}.json").read_text())


def test_batches_are_published_with_their_progress(node: Node) -> None:
    stored = node.store(grid="dp=2", steps=0)
    with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
        assert (p.progress, p.slices, p.next_sequence) == (b"", 2, 0)
        first = p.publish([tokens(0, 0), tokens(0, 1)], progress=b"one", counts={"tokens": 16})
        second = p.publish((tokens(1, index) for index in range(2)), progress=b"two")
        committed = p.flush()

    assert (first.sequence, first.committed) == (0, [])
    assert (second.sequence, second.committed) == (1, [(0, 40)])
    assert committed == [(1, 41)]
    assert published(stored, 1)[0]["tokens"] == [1000, 1001, 1002, 1003]
    with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
        assert (p.progress, p.next_sequence) == (b"two", 2)
        assert p.seal() == 2
        assert p.finish(b"end") is False


def test_arrays_are_slices(node: Node) -> None:
    stored = node.store(grid="dp=1", steps=0)
    values = np.arange(8, dtype=np.int32).reshape(2, 4)
    with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
        p.publish([{"tokens": values, "valid": [4, 3]}], progress=b"")

    assert published(stored, 0) == [
        {"tokens": [0, 1, 2, 3], "valid": 4},
        {"tokens": [4, 5, 6, 7], "valid": 3},
    ]


def test_another_number_of_slices_is_refused_and_the_next_batch_goes(node: Node) -> None:
    stored = node.store(grid="dp=2", steps=0)
    with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
        for wrong in ([tokens(0, 0)], [], iter(())):
            with pytest.raises(batchweave.InvalidRequest, match="the grid dp=2 has 2"):
                p.publish(wrong, progress=b"x")
        with pytest.raises(batchweave.InvalidRequest, match="Cannot publish a int"):
            p.publish([5, 6], progress=b"x")
        p.publish([tokens(0, 0), tokens(0, 1)], progress=b"y")

    assert published(stored, 0)


def test_slices_that_end_in_an_error_are_not_published(node: Node) -> None:
    stored = node.store(grid="dp=2", steps=0)

    def broken() -> Iterator[pa.RecordBatch]:
        yield tokens(0, 0)
        yield tokens(0, 1)
        raise RuntimeError("the input is gone")

    p = batchweave.producer(stored.warehouse, "t.x", "p0")
    with pytest.raises(RuntimeError, match="the input is gone"), p:
        p.publish(broken(), progress=b"x")

    assert not list(stored.folder.glob("published-*"))
    with pytest.raises(batchweave.InvalidRequest, match="open it again"):
        p.publish([tokens(0, 0), tokens(0, 1)], progress=b"y")


def test_a_producer_that_was_replaced_hears_it(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PUBLISH", "fenced")
    stored = node.store(grid="dp=1", steps=0)

    with pytest.raises(batchweave.Fenced, match="replaced by epoch 8"):
        with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
            for _ in range(2):
                p.publish([tokens(0, 0)], progress=b"x")
    assert p.next_sequence == 1


@pytest.mark.parametrize(
    ("fault", "error", "text"),
    [
        ("die", batchweave.Internal, "ended with 9"),
        ("fail", batchweave.InvalidRequest, "no such dataset"),
    ],
)
def test_why_the_command_has_ended_is_told(
    node: Node,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    error: type[Exception],
    text: str,
) -> None:
    monkeypatch.setenv("FAKE_PUBLISH", fault)
    stored = node.store(grid="dp=1", steps=0)
    large = {"tokens": np.zeros((1 << 16, 4), np.int32), "valid": np.zeros(1 << 16, np.int32)}

    with pytest.raises(error, match=text):
        with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
            p.publish([large], progress=b"x")


def test_a_forked_child_leaves_the_producer_alone(node: Node) -> None:
    stored = node.store(grid="dp=1", steps=0)
    with batchweave.producer(stored.warehouse, "t.x", "p0") as p:
        p.publish([tokens(0, 0)], progress=b"x")
        child = os.fork()
        if child == 0:
            try:
                p.publish([tokens(1, 0)], progress=b"y")
            except batchweave.InvalidRequest:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert p.publish([tokens(2, 0)], progress=b"z").sequence == 1


SCHEMA = pa.schema(
    [
        pa.field("ids", pa.list_(pa.int64())),
        pa.field("deep", pa.list_(pa.list_(pa.float32()))),
        tensor_field("image", pa.binary(12), "uint8", [2, 2, 3]),
        tensor_field("bits", pa.binary(), "uint16", [3]),
        pa.field("text", pa.string()),
    ]
)


def test_arrays_of_any_axes_become_columns() -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)
    rows = record_batch(
        {
            "ids": np.arange(6, dtype=np.int64).reshape(2, 3),
            "deep": np.ones((2, 3, 1), np.float32),
            "image": image,
            "bits": np.arange(6, dtype=np.uint16).reshape(2, 3),
            "text": ["a", "b"],
        },
        SCHEMA,
    )

    rows.validate(full=True)
    assert rows["ids"].to_pylist() == [[0, 1, 2], [3, 4, 5]]
    assert rows["deep"].to_pylist() == [[[1.0], [1.0], [1.0]]] * 2
    assert rows["image"].to_pylist()[1] == bytes(range(12, 24))
    assert rows["bits"].to_pylist()[1] == np.array([3, 4, 5], np.uint16).tobytes()
    assert rows["image"].buffers()[1].address == address(image)
    assert rows.schema == SCHEMA


@pytest.mark.parametrize(
    "wrong",
    [
        {"nothing": [1]},
        {"ids": ["a"]},
        {"image": np.zeros((2, 11), np.uint8)},
        {"text": np.zeros((2, 2))},
        {"ids": [[1]], "text": ["a", "b"]},
    ],
)
def test_columns_of_another_kind_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(batchweave.InvalidRequest, match="Cannot publish"):
        record_batch(wrong, SCHEMA)

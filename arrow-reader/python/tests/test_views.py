"""Arrays, tensors and Arrow columns are the same memory: told by addresses."""

from __future__ import annotations

import gc
import warnings
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import batchweave
from batchweave.memory import Extent, mapped
from fakes import address, buffer_addresses
from messages import aligned, tensor_field, tokens


def slices_of(folder: Path, *batches: pa.RecordBatch) -> list[batchweave.Slice]:
    """As they come from the arena: in one file, mapped."""
    path = folder / "arena"
    extents = []
    with open(path, "wb") as file:
        for batch in batches:
            message = aligned(batch)
            file.write(bytes(-file.tell() % 64))
            extents.append(Extent(str(path), file.tell(), len(message)))
            file.write(message)
    messages = mapped(extents)
    schema = batches[0].schema
    return [batchweave.Slice(index, message, schema, 7) for index, message in enumerate(messages)]


def batch_of(folder: Path, *batches: pa.RecordBatch) -> batchweave.Batch:
    return batchweave.Batch(7, slices_of(folder, *batches), batches[0].schema, {"cursor": "c"})


def one_column(folder: Path, array: pa.Array, field: pa.Field | None = None) -> batchweave.Batch:
    schema = pa.schema([field or pa.field("x", array.type)])
    return batch_of(folder, pa.record_batch([array], schema=schema))


def test_with_one_slice_nothing_is_copied(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0, rows=3, length=5))

    [only] = batch.slices
    values = buffer_addresses(only.arrow, "tokens")[-1]
    assert address(batch["tokens"]) == address(only["tokens"]) == values
    assert buffer_addresses(batch.arrow, "tokens")[-1] == values
    assert batch["tokens"].shape == (3, 5)
    assert batch["tokens"].dtype == np.int32


def test_slices_lie_in_the_mapping_and_are_aligned(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0, rows=3, length=5), tokens(1, 1, rows=3, length=5))

    for part in batch.slices:
        begin, end = part._message.address, part._message.address + part._message.size
        for column in ("tokens", "valid"):
            for at in buffer_addresses(part.arrow, column):
                assert begin <= at < end
                assert at % 64 == 0
            assert address(part[column]) % 64 == 0


def test_several_slices_are_joined_by_one_copy(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0), tokens(1, 1))

    joined = batch["tokens"]
    assert joined.tolist() == [row for part in batch.slices for row in part["tokens"].tolist()]
    assert address(joined) == address(batch["tokens"])
    assert address(joined) == buffer_addresses(batch.arrow, "tokens")[-1]
    assert address(joined) % 64 == 0
    assert address(batch.slices[0]["tokens"]) != address(joined)
    assert batch.arrow.num_rows == len(batch) == 4


def test_arrays_are_writable_here_and_the_file_stays(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0))
    before = (tmp_path / "arena").read_bytes()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch["tokens"][0, 0] = -5

    assert batch["tokens"][0, 0] == -5
    assert batch.arrow["tokens"][0].as_py()[0] == -5
    assert (tmp_path / "arena").read_bytes() == before


def test_joined_arrays_are_writable(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0), tokens(1, 1))
    batch["tokens"][0, 0] = -5

    assert batch["tokens"][0, 0] == -5


def test_an_array_keeps_the_memory_and_nothing_else_does(tmp_path: Path) -> None:
    array = batch_of(tmp_path, tokens(1, 0))["tokens"]
    gc.collect()

    assert str(tmp_path) in Path("/proc/self/maps").read_text()
    assert array[0, 0] == 1000
    del array
    gc.collect()
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()


def test_dlpack_shares_the_memory(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0))

    assert address(np.from_dlpack(batch["tokens"])) == address(batch["tokens"])


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (pa.int32(), np.int32),
        (pa.int64(), np.int64),
        (pa.float32(), np.float32),
        (pa.float64(), np.float64),
    ],
)
def test_numbers_are_where_arrow_has_them(tmp_path: Path, kind: pa.DataType, dtype: Any) -> None:
    batch = one_column(tmp_path, pa.array([1, 2, 3], kind))

    assert batch["x"].dtype == dtype
    assert batch["x"].tolist() == [1, 2, 3]
    assert address(batch["x"]) == batch.arrow["x"].buffers()[1].address


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (pa.timestamp("us"), datetime(2026, 1, 2, 3), np.datetime64("2026-01-02T03:00")),
        (pa.timestamp("ns", "UTC"), 1_000, np.datetime64(1_000, "ns")),
        (pa.time64("us"), 60_000_000, np.timedelta64(60, "s")),
        (pa.date32(), date(2026, 1, 2), np.datetime64("2026-01-02")),
        (pa.bool_(), True, True),
        (pa.string(), "a cat", "a cat"),
        (pa.binary(), b"\x00\x01", b"\x00\x01"),
        (pa.decimal128(9, 2), Decimal("1.25"), Decimal("1.25")),
    ],
)
def test_other_types_have_numpys_nearest(
    tmp_path: Path, kind: pa.DataType, value: Any, expected: Any
) -> None:
    batch = one_column(tmp_path, pa.array([value, value], kind))

    assert batch["x"].shape == (2,)
    assert batch["x"][1] == expected


def test_many_booleans(tmp_path: Path) -> None:
    values = [index % 3 == 0 for index in range(20)]

    assert one_column(tmp_path, pa.array(values))["x"].tolist() == values


def test_fixed_bytes_are_rows_of_bytes(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([b"abcd", b"efgh"], pa.binary(4)))

    assert batch["x"].dtype == np.uint8
    assert batch["x"].tobytes() == b"abcdefgh"
    assert batch["x"].shape == (2, 4)


def test_lists_in_lists_of_equal_length_are_axes(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([[[1, 2], [3, 4], [5, 6]]] * 2))

    assert batch["x"].shape == (2, 3, 2)


def test_lists_of_other_lengths_are_refused_with_the_way_to_them(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([[1, 2], [], [3]]))

    with pytest.raises(batchweave.InvalidRequest, match=r"from 0 to 2.*ragged\('x'\)"):
        batch["x"]
    offsets, values = batch.ragged("x")
    assert offsets.tolist() == [0, 2, 2, 3]
    assert values.tolist() == [1, 2, 3]


def test_no_rows_have_no_length(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, tokens(1, 0, rows=0), tokens(1, 1, rows=2))

    assert batch.slices[0]["tokens"].shape == (0, 0)
    assert batch["tokens"].shape == (2, 4)


def test_nulls_are_refused_or_masked(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([1.5, None, 2.5]))

    with pytest.raises(batchweave.InvalidRequest, match=r"1 of its 3 values.*masked\('x'\)"):
        batch["x"]
    masked = batch.masked("x")
    assert masked.tolist() == [1.5, None, 2.5]
    assert address(masked.data) == batch.arrow["x"].buffers()[1].address


def test_nulls_in_lists_are_refused(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([[1, None]]))

    with pytest.raises(batchweave.InvalidRequest, match="elements in its lists are null"):
        batch["x"]


def test_a_null_text_is_none(tmp_path: Path) -> None:
    assert one_column(tmp_path, pa.array(["a", None]))["x"].tolist() == ["a", None]


def test_a_struct_is_refused_with_the_way_to_it(tmp_path: Path) -> None:
    batch = one_column(tmp_path, pa.array([{"a": 1}]))

    with pytest.raises(batchweave.InvalidRequest, match=r"struct.*arrow\['x'\]"):
        batch["x"]


IMAGE = bytes(range(12))
DURATION = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("kind", "dtype", "value", "shape", "numpy_dtype"),
    [
        (pa.binary(12), "uint8", IMAGE, [2, 2, 3], np.uint8),
        (pa.binary(12), "float32", IMAGE, [3], np.float32),
        (pa.binary(12), "bfloat16", IMAGE, [2, 3], np.uint16),
        (pa.binary(12), "float8_e5m2", IMAGE, [12], np.uint8),
        (pa.binary(12), "bool", bytes([0, 1] * 6), [12], np.bool_),
        (pa.binary(), "uint16", IMAGE, [3, 2], np.uint16),
        (pa.list_(pa.float32()), "float32", [1.0, 2.0, 3.0, 4.0], [2, 2], np.float32),
    ],
)
def test_tensors_have_their_shape_and_dtype(
    tmp_path: Path, kind: pa.DataType, dtype: str, value: Any, shape: list[int], numpy_dtype: Any
) -> None:
    array = pa.array([value] * 3, kind)
    batch = one_column(tmp_path, array, tensor_field("x", kind, dtype, shape))

    assert batch["x"].shape == (3, *shape)
    assert batch["x"].dtype == numpy_dtype
    assert address(batch["x"]) in [
        buffer.address for buffer in batch.arrow["x"].buffers() if buffer is not None
    ]
    if isinstance(value, bytes):
        assert batch["x"][2].tobytes() == value


def test_tensors_that_may_be_null_are_masked(tmp_path: Path) -> None:
    kind = pa.binary(12)
    batch = one_column(tmp_path, pa.array([IMAGE, None], kind), tensor_field("x", kind, "uint8", [3, 4]))

    masked = batch.masked("x")
    assert masked.shape == (2, 3, 4)
    mask = np.ma.getmaskarray(masked)
    assert mask[1].all() and not mask[0].any()


def test_tensors_have_a_shape_without_rows(tmp_path: Path) -> None:
    for kind in (pa.binary(4), pa.binary(), pa.list_(pa.float32())):
        array = pa.array([], kind)
        batch = one_column(tmp_path, array, tensor_field("x", kind, "float32", [1]))
        assert batch["x"].shape == (0, 1)


def test_a_batch_goes_to_another_process_as_it_is_now(tmp_path: Path) -> None:
    import pickle

    batch = batch_of(tmp_path, tokens(1, 0), tokens(1, 1))
    batch.slices[0]["tokens"][0, 0] = -5

    received = pickle.loads(pickle.dumps(batch))

    assert received.slices[0]["tokens"][0, 0] == -5
    assert received.step == 7
    assert received.state_dict() == {"cursor": "c"}
    received.slices[1]["tokens"][0, 0] = -6
    assert address(received.slices[1]["tokens"]) % 64 == 0


def test_a_file_that_is_too_short_is_no_bus_error(tmp_path: Path) -> None:
    path = tmp_path / "arena"
    path.write_bytes(bytes(100))

    with pytest.raises(batchweave.Internal, match="100 bytes"):
        mapped([Extent(str(path), 64, 64)])


def test_what_is_no_message_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "arena"
    path.write_bytes(bytes(range(128)))
    [message] = mapped([Extent(str(path), 0, 128)])

    with pytest.raises(batchweave.Internal, match="step 3 slice 1"):
        batchweave.Slice(1, message, tokens(0, 0).schema, 3)


def test_a_ragged_column_does_not_stand_in_the_way_of_others(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    columns = {"tokens": pa.array([[1, 2], [3, 4]]), "starts": pa.array([[0], [0, 1]])}
    tensors = batch_of(tmp_path, pa.record_batch(columns)).torch()

    assert list(tensors) == ["tokens", "starts"]
    assert torch.equal(tensors["tokens"], torch.tensor([[1, 2], [3, 4]]))
    with pytest.raises(batchweave.InvalidRequest, match="ragged"):
        tensors["starts"]


def test_torch_shares_the_memory(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    kind = pa.binary(12)
    fields = [
        tensor_field("b", kind, "bfloat16", [2, 3]),
        pa.field("tokens", pa.list_(pa.int32())),
        pa.field("caption", pa.string()),
        pa.field("at", pa.timestamp("us")),
    ]
    arrays = [
        pa.array([IMAGE] * 2, kind),
        pa.array([[1, 2]] * 2, pa.list_(pa.int32())),
        pa.array(["a cat"] * 2),
        pa.array([5, 6], pa.timestamp("us")),
    ]
    batch = batch_of(tmp_path, pa.record_batch(arrays, schema=pa.schema(fields)))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tensors = batch.torch()

    assert set(tensors) == {"b", "tokens", "at"}
    assert tensors["b"].dtype == torch.bfloat16
    assert tensors["b"].shape == (2, 2, 3)
    assert tensors["b"].data_ptr() == address(batch["b"])
    assert tensors["tokens"].data_ptr() == address(batch["tokens"])
    assert torch.from_dlpack(batch["tokens"]).data_ptr() == address(batch["tokens"])
    assert tensors["at"].tolist() == [5, 6]
    assert set(batch.slices[0].torch("tokens")) == {"tokens"}
    with pytest.raises(batchweave.InvalidRequest, match="torch has no type"):
        batch.torch("caption")

"""Arrow columns as numpy arrays and torch tensors on the same memory.

What cannot be an array without being changed is refused, with the way to get at it. Copied are
only booleans (bits there, bytes here), dates (32 bits there, 64 here), decimals, texts and
binaries (Python objects here).
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.types as types

from batchweave.errors import InvalidRequest
from batchweave.memory import array_on

Array = npt.NDArray[Any]

TENSOR_KEY = b"batchweave.tensor"
_OFFSET = np.dtype(np.int32)

#: numpy has no such types: it gets the bits, and torch the type.
_BITS = {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8"}


@dataclass(frozen=True)
class Tensor:
    """What a field's metadata says of each of its values.

    Attributes:
        dtype: such as ``float32`` or ``bfloat16``
        shape: of one row
    """

    dtype: str
    shape: tuple[int, ...]

    @property
    def numpy_dtype(self) -> np.dtype[Any]:
        return np.dtype(_BITS.get(self.dtype, self.dtype))

    @property
    def elements(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))


def tensor_of(field: pa.Field) -> Tensor | None:
    """What the field says of its tensors, if it is a column of tensors."""
    told = (field.metadata or {}).get(TENSOR_KEY)
    if told is None:
        return None
    tensor = json.loads(told)
    return Tensor(tensor["dtype"], tuple(int(size) for size in tensor["shape"]))


@dataclass(frozen=True)
class Column:
    """A column of a slice, or of several joined.

    Attributes:
        array: its values
        field: its name and type
        place: where it is, for errors
    """

    array: pa.Array
    field: pa.Field
    place: str

    def numpy(self) -> Array:
        """The values: rows first, then the shape of one row.

        Raises:
            InvalidRequest: there are nulls, or lists of different lengths, or it is a struct or
                map.
        """
        if self.array.null_count and not _is_objects(self.array.type):
            raise self._refusal(
                f"{self.array.null_count} of its {len(self.array)} values are null; take"
                f" .masked({self.field.name!r})"
            )
        return self._values()

    def masked(self) -> np.ma.MaskedArray[Any, Any]:
        """The values, with those masked that are null; the mask is a copy."""
        nulls = np.asarray(self.array.is_null().to_numpy(zero_copy_only=False), np.bool_)
        values = self._values()
        mask = np.broadcast_to(nulls.reshape(-1, *[1] * (values.ndim - 1)), values.shape)
        return np.ma.MaskedArray(values, mask=mask)

    def ragged(self) -> tuple[Array, Array]:
        """Offsets (rows + 1, int32) and values of lists: row i is ``values[o[i]:o[i + 1]]``.

        Both share the memory. A null list is empty here.

        Raises:
            InvalidRequest: it is no column of lists.
        """
        if not types.is_list(self.array.type):
            raise self._refusal(f"it has type {self.array.type}, and is no list")
        return _offsets(self.array), self._plain(self.array.values)

    def torch(self) -> Any:
        """The values as a tensor on the same memory.

        Raises:
            InvalidRequest: as for ``numpy``, or torch has no such type.
        """
        torch = _torch()
        values = self.numpy()
        if values.dtype.kind == "O":
            raise self._refusal(f"torch has no type for {self.array.type}")
        if values.dtype.kind in "mM":
            values = values.view(np.int64)
        tensor = torch.from_numpy(values)
        told = tensor_of(self.field)
        if told is not None and told.dtype in _BITS:
            return tensor.view(getattr(torch, told.dtype))
        return tensor

    def _values(self) -> Array:
        tensor = tensor_of(self.field)
        if tensor is not None:
            return self._tensor(tensor)
        return self._plain(self.array)

    def _tensor(self, tensor: Tensor) -> Array:
        rows, array = len(self.array), self.array
        dtype, count = tensor.numpy_dtype, rows * tensor.elements
        if types.is_fixed_size_binary(array.type):
            flat = array_on(array.buffers()[1], dtype, count, array.offset * tensor.elements)
        elif types.is_list(array.type):
            flat = self._equal(array, width=tensor.elements).reshape(-1)
        elif types.is_binary(array.type):
            first = self._equal_offsets(array, tensor.elements * dtype.itemsize)
            bytes_here = array_on(
                array.buffers()[2], np.dtype(np.uint8), count * dtype.itemsize, first
            )
            flat = bytes_here.view(dtype)
        else:
            raise self._refusal(f"there are no tensors of type {array.type}")
        return flat.reshape(rows, *tensor.shape)

    def _plain(self, array: pa.Array) -> Array:
        kind = array.type
        if types.is_list(kind):
            return self._equal(array)
        if types.is_boolean(kind):
            bits = array_on(array.buffers()[1], np.dtype(np.uint8), -(-(array.offset + len(array)) // 8))
            flags = np.unpackbits(bits, bitorder="little").view(np.bool_)
            return flags[array.offset : array.offset + len(array)]
        if types.is_fixed_size_binary(kind) and not types.is_decimal(kind):
            width = kind.byte_width
            flat = array_on(
                array.buffers()[1],
                np.dtype(np.uint8),
                len(array) * width,
                array.offset * width,
            )
            return flat.reshape(len(array), width)
        if types.is_date32(kind):
            days = array_on(array.buffers()[1], np.dtype(np.int32), len(array), array.offset)
            return days.astype("datetime64[D]")
        if _is_objects(kind):
            return np.asarray(array.to_numpy(zero_copy_only=False), object)
        dtype = _dtype(kind)
        if dtype is None:
            raise self._refusal(f"it has type {kind}; take .arrow[{self.field.name!r}]")
        return array_on(array.buffers()[1], dtype, len(array), array.offset)

    def _equal(self, array: pa.Array, width: int | None = None) -> Array:
        """Lists of equal length as one more axis."""
        rows = len(array)
        offsets = _offsets(array)
        if rows:
            first, last = int(offsets[0]), int(offsets[-1])
            self._check_equal(offsets, width)
        else:
            first, last = 0, 0
        elements = array.values.slice(first, last - first)
        if elements.null_count:
            raise self._refusal(
                f"{elements.null_count} of the elements in its lists are null; take"
                f" .arrow[{self.field.name!r}]"
            )
        values = self._plain(elements)
        per_row = (last - first) // rows if rows else 0
        return values.reshape(rows, per_row, *values.shape[1:])

    def _equal_offsets(self, array: pa.Array, width: int) -> int:
        offsets = _offsets(array)
        self._check_equal(offsets, width)
        return int(offsets[0]) if len(offsets) else 0

    def _check_equal(self, offsets: Array, width: int | None) -> None:
        if len(offsets) < 2:
            return
        lengths = np.diff(offsets)
        least, most = int(lengths.min()), int(lengths.max())
        if least != most or (width is not None and least != width):
            raise self._refusal(
                f"its lists have lengths from {least} to {most}; take"
                f" .ragged({self.field.name!r}) for offsets and values"
                if width is None
                else f"its values have lengths from {least} to {most}, and {width} is a tensor's;"
                f" take .arrow[{self.field.name!r}]"
            )

    def _refusal(self, reason: str) -> InvalidRequest:
        return InvalidRequest(
            f"Cannot give column {self.field.name} of {self.place} as one array: {reason}"
        )


def fits_torch(field: pa.Field) -> bool:
    """Whether torch has a type for it, whatever its values are."""
    return tensor_of(field) is not None or _is_numeric(field.type)


def _offsets(array: pa.Array) -> Array:
    return array_on(array.buffers()[1], _OFFSET, len(array) + 1, array.offset)


def _dtype(kind: pa.DataType) -> np.dtype[Any] | None:
    if types.is_integer(kind) or types.is_floating(kind):
        native: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
        return native
    if types.is_timestamp(kind):
        return np.dtype(f"datetime64[{kind.unit}]")
    if types.is_time64(kind):
        return np.dtype(f"timedelta64[{kind.unit}]")
    return None


def _is_objects(kind: pa.DataType) -> bool:
    tests: tuple[Callable[[pa.DataType], bool], ...] = (
        types.is_string,
        types.is_binary,
        types.is_decimal,
    )
    return any(test(kind) for test in tests)


def _is_numeric(kind: pa.DataType) -> bool:
    if types.is_list(kind):
        return _is_numeric(kind.value_type)
    return (
        types.is_boolean(kind)
        or types.is_date32(kind)
        or (types.is_fixed_size_binary(kind) and not types.is_decimal(kind))
        or _dtype(kind) is not None
    )


def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as e:
        raise ImportError(
            "Cannot give tensors: torch is not installed; pip install torch, or take the numpy"
            " arrays, such as batch['tokens']"
        ) from e

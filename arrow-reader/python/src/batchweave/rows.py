"""Record batches from numpy arrays, by a dataset's schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.types as types

from batchweave.columns import Array
from batchweave.errors import InvalidRequest

_ELEMENTS_MAX = 2**31 - 1


def record_batch(columns: Mapping[str, Any], schema: pa.Schema) -> pa.RecordBatch:
    """A slice of columns; each is an Arrow array, an array of numpy or a list of Python values.

    An array of more than one axis is a column of lists or of tensors; it is not copied if its
    dtype is the column's and it lies in one piece. Optional columns may be left out.

    Raises:
        InvalidRequest: a column is not the dataset's, or is not of its type.
    """
    fields, arrays = [], []
    for name, values in columns.items():
        index = schema.get_field_index(name)
        if index < 0:
            raise InvalidRequest(
                f"Cannot publish column {name}: the dataset has {', '.join(schema.names)}"
            )
        field = schema.field(index)
        try:
            arrays.append(_array(values, field.type))
        except (pa.ArrowException, TypeError, ValueError) as e:
            raise InvalidRequest(
                f"Cannot publish column {name} as {field.type}: {e}; give values of that type"
            ) from e
        fields.append(field)
    try:
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))
    except (pa.ArrowException, ValueError) as e:
        raise InvalidRequest(f"Cannot publish these columns as a slice: {e}") from e


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        if isinstance(values, pa.ChunkedArray):
            values = values.combine_chunks()
        return values if values.type == kind else values.cast(kind)
    if isinstance(values, np.ndarray) and values.ndim > 1:
        return _of_axes(np.ascontiguousarray(values), kind)
    return pa.array(values, kind)


def _of_axes(values: Array, kind: pa.DataType) -> pa.Array:
    """Rows of equal shape, in C order."""
    rows = len(values)
    per_row = values.size // rows if rows else 0
    if types.is_list(kind):
        inner = kind.value_type
        nested = types.is_list(inner)
        elements = values.reshape(-1, *values.shape[2:]) if nested else values.reshape(-1)
        width = values.shape[1] if nested else per_row
        return pa.ListArray.from_arrays(
            pa.array(_offsets(rows, width)), _array(elements, inner), type=kind
        )
    width = per_row * values.dtype.itemsize
    content = pa.py_buffer(values.reshape(-1))
    if types.is_fixed_size_binary(kind):
        if rows and width != kind.byte_width:
            raise ValueError(f"a row has {width} bytes, and the column {kind.byte_width}")
        return pa.Array.from_buffers(kind, rows, [None, content])
    if types.is_binary(kind):
        return pa.Array.from_buffers(
            kind, rows, [None, pa.py_buffer(_offsets(rows, width)), content]
        )
    raise ValueError(f"an array of {values.ndim} axes is no such column")


def _offsets(rows: int, width: int) -> Array:
    if rows * width > _ELEMENTS_MAX:
        raise ValueError(f"{rows} rows of {width} are too many for one slice")
    return np.arange(rows + 1, dtype=np.int32) * np.int32(width)

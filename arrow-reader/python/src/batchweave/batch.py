"""What a rank is given for a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from batchweave.columns import Array, Column, fits_torch
from batchweave.errors import Internal, InvalidRequest
from batchweave.memory import copied

State = dict[str, Any]


class Rows:
    """Columns of equal length.

    Arrays and tensors share the memory of the Arrow columns, which is this process's own: a write
    to one is seen in the others, and nowhere else.
    """

    def __init__(self, schema: pa.Schema, place: str) -> None:
        self._schema = schema
        self._place = place

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._schema.names)

    @property
    def arrow(self) -> pa.RecordBatch:
        """All columns as an Arrow record batch."""
        raise NotImplementedError

    def __getitem__(self, column: str) -> Array:
        """A column as a writable array: rows first, then the shape of one row.

        Lists of equal length are one more axis, tensors have their shape and dtype (bfloat16 is
        uint16 here, float8 is uint8: the bits). Texts, binaries and decimals are Python objects.

        Raises:
            KeyError: there is no such column.
            InvalidRequest: there are nulls (take ``masked``), lists of different lengths (take
                ``ragged``), or it is a struct or map (take ``arrow``).
        """
        return self._column(column).numpy()

    def masked(self, column: str) -> np.ma.MaskedArray[Any, Any]:
        """A column that may have nulls, as a masked array."""
        return self._column(column).masked()

    def ragged(self, column: str) -> tuple[Array, Array]:
        """Lists of any length: offsets (rows + 1) and values; row i is values[o[i]:o[i + 1]]."""
        return self._column(column).ragged()

    def torch(self, *columns: str) -> Mapping[str, Any]:
        """Columns as tensors on the same memory; times are int64.

        With names it is a dict of these. Without, it has all columns that torch has a type for, and
        makes each tensor when it is asked for: ``batch.torch()["tokens"]`` does not mind that
        another column cannot be one.

        Raises:
            InvalidRequest: a column that was named, or asked for, is as for ``[]``, or torch has no
                such type.
        """
        if columns:
            return {name: self._column(name).torch() for name in columns}
        return Tensors(self)

    def _array(self, index: int) -> pa.Array:
        raise NotImplementedError

    def _column(self, name: str) -> Column:
        index = self._schema.get_field_index(name)
        if index < 0:
            raise KeyError(f"{name}; the columns of {self._place} are {', '.join(self.columns)}")
        return Column(self._array(index), self._schema.field(index), self._place)


class Tensors(Mapping[str, Any]):
    """The columns that torch has a type for; a tensor is made when it is asked for."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._names = [field.name for field in rows._schema if fits_torch(field)]

    def __getitem__(self, column: str) -> Any:
        return self._rows._column(column).torch()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process all tensors are sent."""
        return dict, (dict(self),)


class Slice(Rows):
    """One slice of the grid: a micro-batch, always where it was fetched to.

    Attributes:
        index: in the grid, row-major
    """

    def __init__(self, index: int, message: pa.Buffer, schema: pa.Schema, step: int) -> None:
        """Reads an encapsulated Arrow IPC message; nothing of it is copied."""
        super().__init__(schema, f"step {step} slice {index}")
        self.index = index
        self._message = message
        try:
            self._arrow = pa.ipc.read_record_batch(message, schema)
        except (pa.ArrowInvalid, OSError) as e:
            raise Internal(
                f"Cannot read {self._place}: it is no record batch of its dataset: {e}; look at the"
                " sidecar's log"
            ) from e

    @property
    def arrow(self) -> pa.RecordBatch:
        return self._arrow

    def __len__(self) -> int:
        return int(self._arrow.num_rows)

    def __repr__(self) -> str:
        return f"<batchweave.Slice {self.index}: {len(self)} rows of {', '.join(self.columns)}>"

    def _array(self, index: int) -> pa.Array:
        return self._arrow.column(index)


class Batch(Rows):
    """All slices of a rank at one step.

    With one slice, ``batch[column]`` and ``batch.arrow`` are the slice's own memory. With several,
    a column is copied once, when it is first asked for, to lie in one piece; ``slices`` never copy.

    Attributes:
        step: counted from 0 over the dataset
        slices: ascending by index
    """

    def __init__(
        self, step: int, slices: Sequence[Slice], schema: pa.Schema, state: State
    ) -> None:
        super().__init__(schema, f"step {step}")
        self.step = step
        self.slices: tuple[Slice, ...] = tuple(slices)
        self._state = state
        self._joined: dict[int, pa.Array] = {}

    def state_dict(self) -> State:
        """Where to go on after this batch: what ``load_state_dict`` takes. A few hundred bytes."""
        return dict(self._state)

    @cached_property
    def _arrow(self) -> pa.RecordBatch:
        if len(self.slices) == 1:
            return self.slices[0].arrow
        arrays = [self._array(index) for index in range(len(self._schema))]
        return pa.RecordBatch.from_arrays(arrays, schema=self._schema)

    @property
    def arrow(self) -> pa.RecordBatch:
        return self._arrow

    def __len__(self) -> int:
        return sum(len(part) for part in self.slices)

    def __repr__(self) -> str:
        return (
            f"<batchweave.Batch of step {self.step}: {len(self)} rows in {len(self.slices)} slices"
            f" of {', '.join(self.columns)}>"
        )

    def _array(self, index: int) -> pa.Array:
        if len(self.slices) == 1:
            return self.slices[0].arrow.column(index)
        if index not in self._joined:
            kind = self._schema.field(index).type
            parts = [part.arrow.column(index) for part in self.slices]
            try:
                self._joined[index] = (
                    pa.concat_arrays(parts) if parts else pa.array([], kind)
                )
            except pa.ArrowInvalid as e:
                raise InvalidRequest(
                    f"Cannot join column {self._schema.field(index).name} of {self._place}: {e};"
                    " take its slices one by one"
                ) from e
        return self._joined[index]

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process its slices are sent as they are now: a copy."""
        slices = [(part.index, part._message.to_pybytes()) for part in self.slices]
        schema = self._schema.serialize().to_pybytes()
        return _received, (self.step, slices, schema, self._state)


def _received(
    step: int, slices: list[tuple[int, bytes]], schema_message: bytes, state: State
) -> Batch:
    schema = pa.ipc.read_schema(pa.py_buffer(schema_message))
    parts = [Slice(index, copied(message), schema, step) for index, message in slices]
    return Batch(step, parts, schema, state)

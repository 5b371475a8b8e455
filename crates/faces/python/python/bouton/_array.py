"""Arrays: what the engines computed, where NumPy finds it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import (
    collected,
    column,
    in_order,
    labelled,
    no_truths,
    row,
    side_by_side,
    unmasked,
)
from ._errors import Error, WrongType, no_truth


@dataclass(frozen=True, repr=False, eq=False)
class Solved:
    """Many positions solved: an entry a position, in their order.

    pandas, polars and pyarrow take it as it is, by the Arrow capsule interface, with null for what
    is unknown: `polars.DataFrame(solved)`, `pandas.DataFrame.from_arrow(solved)`,
    `pyarrow.table(solved)`.

    Examples
    --------
    >>> solved = bouton.game("nim(2)").solve_all([[1, 1], [1, 2]])
    >>> solved.outcome.tolist(), solved.nim_value.tolist()
    (['P', 'N'], [0, 3])
    """

    outcome: npt.NDArray[np.str_]
    """"P" or "N"; "?" where it is unknown."""
    nim_value: npt.NDArray[np.int32]
    """Nim-values; −1 where they are unknown, not asked for, or there are none."""
    reason: str | None
    """Why some outcomes are unknown, if some are."""

    def __len__(self) -> int:
        return len(self.outcome)

    def __bool__(self) -> bool:
        no_truth(
            self,
            'a question about the outcomes, such as (solved.outcome == "P").all(), or len(solved)',
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solved):
            return NotImplemented
        same = np.array_equal(self.outcome, other.outcome) and np.array_equal(
            self.nim_value, other.nim_value
        )
        return same and self.reason == other.reason

    __hash__ = None  # type: ignore[assignment]

    def columns(self) -> dict[str, npt.NDArray[np.str_] | npt.NDArray[np.int32]]:
        """Returns the columns by name: what pandas.DataFrame and polars.DataFrame take.

        Returns
        -------
        dict
            "outcome" and "nim_value".

        Examples
        --------
        >>> sorted(bouton.game("nim(2)").solve_all([[1, 1]]).columns())
        ['nim_value', 'outcome']
        """
        return {"outcome": self.outcome, "nim_value": self.nim_value}

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return arrow_stream({"nim_value": self.nim_value}, self.outcome)

    def __repr__(self) -> str:
        count = int(np.count_nonzero(self.outcome == "P"))
        return f"<bouton.Solved: {len(self)} positions, {count} of them P>"


Number = TypeVar("Number", bound=np.generic)


def view(block: _bouton.Numbers, dtype: type[Number]) -> npt.NDArray[Number]:
    """An array on what the engines wrote, without a copy."""
    # Before Python 3.12 types know nothing of buffers.
    return np.frombuffer(memoryview(cast(Any, block)), dtype=dtype)


def letters(block: _bouton.Numbers) -> npt.NDArray[np.str_]:
    """Code points as letters, without a copy."""
    return view(block, np.uint32).view(np.dtype("=U1"))


def arrow_stream(numbers: dict[str, npt.NDArray[Any]], outcome: npt.NDArray[np.str_]) -> object:
    """A stream of Arrow: columns of numbers, null below 0, and the outcomes, null for "?"."""
    columns = [
        (name, np.ascontiguousarray(column, dtype=np.int64)) for name, column in numbers.items()
    ]
    codes = np.ascontiguousarray(outcome, dtype="=U1").view(np.uint32)
    return _bouton.columns_stream(columns, ("outcome", codes))


def solved(found: tuple[_bouton.Numbers, _bouton.Numbers, str | None]) -> Solved:
    """As the engines return it."""
    outcomes, values, reason = found
    return Solved(letters(outcomes), view(values, np.int32), reason)


def rows(
    positions: Any, accepted: str, own: Sequence[str] = ()
) -> npt.NDArray[np.int64] | list[str]:
    """Positions as rows of 64-bit numbers.

    They are texts if they were, or if some number is larger. `own` are the game's names of heaps.
    """
    if isinstance(positions, (str, bytes)):
        raise WrongType(f"{positions!r} is one position, not many", accepted=accepted)
    no_truths(positions, accepted)
    collected(positions, accepted)
    labelled(positions, accepted)
    if isinstance(positions, (list, tuple)) and any(hasattr(one, "to_numpy") for one in positions):
        # Rows of a frame name their heaps.
        positions = [
            list(row(one, accepted, own)) if hasattr(one, "to_numpy") else one for one in positions
        ]
        no_truths(positions, accepted)
    index = getattr(positions, "index", None)
    if index is None or callable(index):
        pass
    elif any(name is not None for name in index.names):
        if not hasattr(positions, "columns"):
            raise WrongType(
                "a series with a named index",
                accepted=f"{accepted}; a frame whose named index counts as columns",
            )
        positions = positions.reset_index()
    elif index.nlevels != 1:
        raise Error(
            "an index of several levels without names",
            accepted=f"{accepted}; a frame whose named index counts as columns",
        )
    names = getattr(positions, "column_names", None) or getattr(positions, "columns", None)
    if names is not None and not callable(names):
        # A frame: a column a heap.
        names = list(names)
        if len(set(names)) != len(names):
            raise Error(
                f"columns {', '.join(map(str, names))}: a name comes twice", accepted=accepted
            )
        columns = [column(positions[name], accepted) for name in in_order(names, own)]
        positions = side_by_side(columns) if columns else np.empty((0, 0))
    if not hasattr(positions, "__array__") and not (
        hasattr(positions, "__len__") and hasattr(positions, "__getitem__")
    ):
        raise WrongType(f"{positions!r:.60} is no array of positions", accepted=accepted)
    if isinstance(positions, dict):
        raise WrongType("a dict is no array of positions", accepted=accepted)
    unmasked(positions, accepted)
    try:
        array = np.asarray(positions)
        if array.dtype.kind == "f" and isinstance(positions, (list, tuple)):
            # Numbers beyond 63 bits beside small ones are no floats.
            array = np.asarray(positions, dtype=object)
    except (ValueError, OverflowError):
        # Rows of different lengths.
        array = np.empty(len(positions), dtype=object)
        array[:] = [
            tuple(row) if isinstance(row, (list, tuple, np.ndarray)) else row for row in positions
        ]
    if array.dtype.kind == "U":
        if array.ndim != 1:
            raise WrongType("texts of positions come in one list", accepted=accepted)
        return [str(text) for text in array]
    if array.size == 0 and array.dtype.kind in "fO":
        array = array.astype(np.int64)
    if array.dtype.kind == "O":
        return [_listed(row, number, accepted) for number, row in enumerate(array)]
    if array.dtype.kind not in "iu":
        raise WrongType(f"an array of {array.dtype}: heaps are whole numbers", accepted=accepted)
    if array.ndim not in (1, 2):
        raise Error(
            f"an array of shape {array.shape}: positions are the rows of a table", accepted=accepted
        )
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        return [",".join(str(int(size)) for size in row) for row in array]
    if array.size and int(array.min()) < 0:
        first = int(np.flatnonzero((array < 0).any(axis=1))[0])
        raise Error(f"row {first}: a heap is negative", str(array[first].tolist()), None, accepted)
    return np.ascontiguousarray(array, dtype=np.int64)


def _listed(row: Any, number: int, accepted: str) -> str:
    if isinstance(row, str):
        return row
    sizes = (
        row
        if isinstance(row, (tuple, list)) or (isinstance(row, np.ndarray) and row.ndim == 1)
        else (row,)
    )
    texts = []
    for size in sizes:
        if isinstance(size, (bool, np.bool_, np.ndarray)) or not hasattr(size, "__index__"):
            raise WrongType(
                f"row {number}: {size!r} is no whole number of tokens", accepted=accepted
            )
        heap = operator.index(size)
        if heap < 0:
            raise Error(f"row {number}: a heap is negative", str(heap), None, accepted)
        texts.append(str(heap))
    return ",".join(texts) or "0"

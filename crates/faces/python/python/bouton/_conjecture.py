"""Conjectures: a closed form for anyone's table, the period of anyone's sequence."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import (
    collected,
    column,
    entries,
    in_order,
    labelled,
    limits,
    no_truths,
    one_of,
    truth,
    unmasked,
)
from ._array import Solved
from ._errors import Error, WrongType, no_truth
from ._files import short
from ._kotzig import Outcomes
from ._study import fragment

ACCEPTED = (
    "rows of heaps and an outcome (P, N, or a nim-value), every position of a box once or one of each symmetry class; "
    "or one list of values, from n = 0 on"
)


@dataclass(frozen=True, repr=False)
class Conjecture:
    """What a table suggests. It is read off the data, and nothing is proved.

    Examples
    --------
    >>> found = bouton.conjecture([n % 3 for n in range(40)])
    >>> found.stands, found.form
    (True, 'a(n+3) = a(n) for n ≥ 0, there 0 1 2')
    """

    verdict: str
    """"conjecture", "no form found", "not enough data", or "unknown" where the budget ended."""
    form: str | None
    """The form in words: of outcomes that of the P-positions, up to symmetry; of a sequence its
    period. Of "no form found" the best one, which misses some P-positions and names no
    N-position."""
    claim: str | None
    """The form as a formula over the heaps a, b, c, …, which `bouton.prove` takes; None where it is
    none."""
    heaps: int | None
    """Heaps of a position."""
    data: dict[str, Any] = field(repr=False, hash=False)
    """All that was found, with the keys of `bouton conjecture --json`."""

    def __bool__(self) -> bool:
        no_truth(
            self,
            "conjecture.stands, whether the form is the whole table; bouton.prove decides whether it is true",
        )

    @property
    def stands(self) -> bool:
        """Whether the form is the whole table, and the table is large enough to say so."""
        return self.verdict == "conjecture"

    def __repr__(self) -> str:
        return f"<bouton.Conjecture {self.verdict}: {short(self.form or '')}>".replace(": >", ">")

    def _repr_latex_(self) -> str | None:
        if self.claim is None or self.heaps is None:
            return None
        typeset = _bouton.formula(self.claim, self.heaps)
        return None if typeset is None else f"$\\displaystyle {typeset[0]}$"

    def _repr_html_(self) -> str:
        return fragment(self.verdict, [self.form or ""])


def conjecture(
    data: Any,
    *,
    box: bool = False,
    symmetry: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Conjecture:
    """Seeks a closed form of the P-positions in a table of outcomes, or the period of a sequence.

    At most 50 million rows; cost: seconds for tables of 10^5 positions.

    Parameters
    ----------
    data : frame, series or array
        A frame of pandas, polars or pyarrow with a column a heap and one that is named "outcome",
        "nim_value" or "value". Heaps are taken in the order of their names if these are letters (a,
        b, c) or numbered (p0, p1), else as they stand, and a named index counts as columns. Or a
        series of values whose index says the heaps: n, or several levels. Or what NumPy takes for
        an array: rows of heaps and an outcome ("P", "N", or a nim-value, 0 being P); or one list of
        values, those of n = 0, 1, 2, …; or, with `box`, the nim-values of a box as
        `Game.nim_values` gives them.
    box : bool
        Whether `data` is the array of a whole box.
    symmetry : str, optional
        Which heaps may change places: "none", "ring" or "full"; by default as many as the outcomes
        allow.
    seconds : float, optional
        Time limit.
    nodes : int, optional
        Limit on the forms that are tried.
    memory : int, optional
        Limit in megabytes.

    Returns
    -------
    Conjecture

    Raises
    ------
    Error
        If a row says nothing, or a value is missing; with the row.

    Examples
    --------
    >>> rows = [(a, b, "P" if a == b else "N") for a in range(8) for b in range(8)]
    >>> bouton.conjecture(rows).claim
    'a = b'
    >>> bouton.conjecture(bouton.game("nim(3)").nim_values(7), box=True).claim
    'xor = 0'
    """
    chosen = None if symmetry is None else one_of("symmetry", symmetry, ("none", "ring", "full"))
    lines = _lines(data, truth("box", box))
    found: dict[str, Any] = _bouton.conjecture(lines, chosen, limits(seconds, nodes, memory))
    return Conjecture(
        verdict=found["verdict"],
        form=found.get("form", found.get("statement")),
        claim=found.get("claim"),
        heaps=found.get("heaps"),
        data=found,
    )


OUTCOME = ("outcome", "nim_value", "nim-value", "value")
"""Names of the column that says the outcome."""


def _frame(data: Any) -> Any:
    """Rows of heaps and an outcome, for what names its rows or columns: frames and series.
    All else as it is."""
    if isinstance(data, Outcomes):
        return _table(data.columns(), [*data.names, "outcome"])
    if isinstance(data, Solved):
        raise WrongType("outcomes without their positions", accepted=ACCEPTED)
    index = getattr(data, "index", None)
    if index is not None and not callable(index) and hasattr(data, "to_numpy"):
        if not hasattr(data, "columns"):
            return _series(data)
        if any(name is not None for name in index.names):
            data = data.reset_index()
        elif getattr(index, "nlevels", 1) != 1 or index.dtype.kind not in "iu":
            raise Error(
                "an index without names",
                accepted="a named index, which counts as columns, or numbered rows",
            )
    names = getattr(data, "column_names", None) or getattr(data, "columns", None)
    if names is None or not hasattr(data, "to_numpy") and not hasattr(data, "to_pandas"):
        return data
    names = list(names)
    if all(not isinstance(name, str) for name in names):
        # Numbered columns have no names, but an order.
        in_order(names)
        return data
    accepted = f"a column a heap, and one that is named {', '.join(OUTCOME[:-1])} or {OUTCOME[-1]}"
    told = [name for name in names if str(name).strip().lower() in OUTCOME]
    if len(told) != 1:
        count = "none of them is" if not told else f"{len(told)} of them are"
        raise Error(
            f"columns {', '.join(map(str, names))}: {count} named as an outcome", accepted=accepted
        )
    heaps = [name for name in names if name not in told]
    if len(set(names)) != len(names):
        raise Error(f"columns {', '.join(map(str, names))}: a name comes twice", accepted=accepted)
    if not heaps:
        raise Error(
            f"columns {', '.join(map(str, names))}: none of them is a heap",
            accepted=f"{accepted}; or a series whose index says n",
        )
    return _table(data, [*in_order(heaps), told[0]])


def _numbered(data: Any) -> Any:
    """A whole box. Labels of rows and columns that are not its sizes in order are refused."""
    index = getattr(data, "index", None)
    columns = getattr(data, "column_names", None) or getattr(data, "columns", None)
    for labels in (index, columns):
        if labels is None or callable(labels):
            continue
        names = list(labels)
        is_text = labels is columns and all(isinstance(name, str) for name in names)
        if names != (in_order(names) if is_text else list(range(len(names)))):
            raise Error(
                f"a box with the labels {names!r:.60}",
                accepted="rows and columns numbered from 0 on; or without box a series whose index says the heaps",
            )
    return data


def _table(data: Any, names: list[Any]) -> npt.NDArray[Any]:
    """The rows of these columns."""
    columns = [column(data[name], ACCEPTED) for name in names]
    table = np.empty((len(columns[0]), len(columns)), dtype=object)
    for number, one in enumerate(columns):
        table[:, number] = one.tolist()
    return table


def _series(data: Any) -> Any:
    index = data.index
    accepted = "an index of whole numbers, the sizes of the heaps"
    if getattr(index, "nlevels", 1) == 1 and index.dtype.kind not in "iu":
        raise WrongType(f"an index of {index.dtype}", accepted=accepted)
    if getattr(index, "nlevels", 1) == 1 and len(index) and int(index.min()) < 0:
        raise Error(f"an index with {int(index.min())}", accepted=accepted)
    if len(index) != len(set(index)):
        raise Error("an index in which a value comes twice", accepted=accepted)
    rows = np.empty((len(data), getattr(index, "nlevels", 1) + 1), dtype=object)
    for number, (heaps, value) in enumerate(zip(index.tolist(), data.tolist(), strict=True)):
        if isinstance(value, float) and np.isnan(value):
            raise Error("a value is missing (NaN)", accepted=ACCEPTED)
        rows[number] = (*heaps, value) if isinstance(heaps, tuple) else (heaps, value)
    return rows


def _lines(data: Any, box: bool) -> str:
    collected(data, ACCEPTED)
    labelled(data, ACCEPTED)
    array = _array(_numbered(data) if box else _frame(data))
    if array.size == 0:
        raise Error("no rows", accepted=ACCEPTED)
    if array.dtype.kind == "f":
        if np.isnan(array).any():
            raise Error("a value is missing (NaN)", accepted=ACCEPTED)
        if not (
            np.isfinite(array).all()
            and (array == np.floor(array)).all()
            and (np.abs(array) < 2**53).all()
        ):
            raise WrongType("numbers of tokens and nim-values are whole", accepted=ACCEPTED)
        array = array.astype(np.int64)
    if array.dtype.kind not in "iuUO":
        raise WrongType(f"an array of {array.dtype}", accepted=ACCEPTED)
    if box:
        return _of_box(array)
    if array.ndim == 1:
        return "\n".join(f"{n},{_cell(value)}" for n, value in enumerate(array.tolist()))
    if array.ndim != 2:
        raise Error(
            f"an array of shape {array.shape}",
            accepted=f"{ACCEPTED}; box=True for the values of a whole box",
        )
    return "\n".join(",".join(map(_cell, row)) for row in array.tolist())


def _of_box(array: npt.NDArray[Any]) -> str:
    if array.dtype.kind not in "iu" or len(set(array.shape)) != 1:
        raise Error(
            f"an array of {array.dtype} and shape {array.shape} is no box",
            accepted="Game.nim_values(max)",
        )
    heaps = np.indices(array.shape).reshape(array.ndim, -1)
    rows = np.vstack([heaps, array.reshape(1, -1)]).T
    return "\n".join(",".join(map(str, row)) for row in rows.tolist())


def _array(data: Any) -> npt.NDArray[Any]:
    if isinstance(data, (str, bytes)):
        raise WrongType(f"{data!r:.60} is a text", accepted=ACCEPTED)
    no_truths(data, ACCEPTED)
    unmasked(data, ACCEPTED)
    if hasattr(data, "to_numpy"):
        found = entries(data, ACCEPTED)
    else:
        try:
            found = np.asarray(data)
        except ValueError:
            raise Error("rows of different lengths", accepted=ACCEPTED) from None
    if found.dtype.kind == "f" and isinstance(data, (list, tuple)):
        # Numbers beyond 63 bits beside small ones are no floats.
        found = np.asarray(data, dtype=object)
    if found.ndim == 0:
        raise WrongType(f"{type(data).__name__} is no table", accepted=ACCEPTED)
    return found


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().replace(",", " ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (bool, np.ndarray)) or not hasattr(value, "__index__"):
        raise WrongType(f"{value!r} is neither a whole number nor P or N", accepted=ACCEPTED)
    return str(operator.index(value))

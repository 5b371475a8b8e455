"""Conjectures: a closed form for anyone's table, the period of anyone's sequence."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._arguments import limits
from ._errors import Error, WrongType
from ._study import fragment

ACCEPTED = (
    "rows of heaps and an outcome (P, N, or a nim-value), every position of a box once or one of each symmetry class; "
    "or one list of values, from n = 0 on"
)


@dataclass(frozen=True)
class Conjecture:
    """What a table suggests. It is read off the data, and nothing is proved."""

    verdict: str
    """"conjecture", "no form found", "not enough data", or "unknown" where the budget ended."""
    form: str | None
    """The form in words: of outcomes that of the P-positions, up to symmetry; of a sequence its period. Of "no form found" the
    best one, which misses some P-positions and names no N-position."""
    claim: str | None
    """The form as a formula over the heaps a, b, c, …, which `bouton.prove` takes; None where it is none."""
    heaps: int | None
    """Heaps of a position."""
    data: dict[str, Any] = field(repr=False)
    """All that was found, with the keys of `bouton conjecture --json`."""

    @property
    def stands(self) -> bool:
        """Whether the form is the whole table, and the table is large enough to say so."""
        return self.verdict == "conjecture"

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
) -> Conjecture:
    """Seeks a closed form of the P-positions in a table of outcomes, or the period of a sequence.

    `data` is a frame of pandas or polars, or anything that NumPy takes for an array: rows of heaps and an outcome ("P", "N", or a
    nim-value, 0 being P); or one list of values, those of n = 0, 1, 2, …; or, with `box`, the nim-values of a box as
    `Game.nim_values` gives them. `symmetry` says which heaps may change places ("none", "ring", "full"); by default as many as the
    outcomes allow. At most 50 million rows; cost: seconds for tables of 10^5 positions.
    """
    found: dict[str, Any] = _bouton.conjecture(_lines(data, box), symmetry, limits(seconds, nodes, None))
    return Conjecture(
        verdict=found["verdict"],
        form=found.get("form", found.get("statement")),
        claim=found.get("claim"),
        heaps=found.get("heaps"),
        data=found,
    )


def _lines(data: Any, box: bool) -> str:
    array = _array(data)
    if array.size == 0:
        raise Error("no rows", accepted=ACCEPTED)
    if array.dtype.kind == "f":
        if np.isnan(array).any():
            raise Error("a value is missing (NaN)", accepted=ACCEPTED)
        if not (np.isfinite(array).all() and (array == np.floor(array)).all() and (np.abs(array) < 2**53).all()):
            raise WrongType("numbers of tokens and nim-values are whole", accepted=ACCEPTED)
        array = array.astype(np.int64)
    if array.dtype.kind not in "iuUO":
        raise WrongType(f"an array of {array.dtype}", accepted=ACCEPTED)
    if box:
        return _of_box(array)
    if array.ndim == 1:
        return "\n".join(f"{n},{_cell(value)}" for n, value in enumerate(array.tolist()))
    if array.ndim != 2:
        raise Error(f"an array of shape {array.shape}", accepted=f"{ACCEPTED}; box=True for the values of a whole box")
    return "\n".join(",".join(map(_cell, row)) for row in array.tolist())


def _of_box(array: npt.NDArray[Any]) -> str:
    if array.dtype.kind not in "iu" or len(set(array.shape)) != 1:
        raise Error(f"an array of {array.dtype} and shape {array.shape} is no box", accepted="Game.nim_values(max)")
    heaps = np.indices(array.shape).reshape(array.ndim, -1)
    rows = np.vstack([heaps, array.reshape(1, -1)]).T
    return "\n".join(",".join(map(str, row)) for row in rows.tolist())


def _array(data: Any) -> npt.NDArray[Any]:
    if isinstance(data, (str, bytes)):
        raise WrongType(f"{data!r:.60} is a text", accepted=ACCEPTED)
    if hasattr(data, "to_numpy"):
        found = np.asarray(data.to_numpy())
    else:
        try:
            found = np.asarray(data)
        except ValueError:
            raise Error("rows of different lengths", accepted=ACCEPTED) from None
    if found.ndim == 0:
        raise WrongType(f"{type(data).__name__} is no table", accepted=ACCEPTED)
    return found


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().replace(",", " ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongType(f"{value!r} is neither a whole number nor P or N", accepted=ACCEPTED)
    return str(operator.index(value))

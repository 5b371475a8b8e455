"""Arguments: numbers, budgets and positions, looked at before anything is computed."""

from __future__ import annotations

import json
import math
import operator
import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._errors import Error, WrongType

if TYPE_CHECKING:
    from ._game import Game

Limits: TypeAlias = tuple[float | None, int | None, int | None]
Stated: TypeAlias = tuple[
    Callable[[Any], Iterable[Hashable]], Callable[[Any], Hashable] | None, int | None, str
]
"""What states a game: its options, what stands for a symmetry class, the number of heaps, the
name."""

MOST = 2**32 - 1
"""The largest bound on heaps that tables take."""


def whole(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """A whole number within bounds; truth values and floats are none."""
    accepted = (
        f"a whole number from {least} on"
        if most is None
        else f"a whole number from {least} to {most}"
    )
    if isinstance(value, (bool, np.bool_)):
        raise WrongType(f"{name}={value!r} is a truth value", accepted=accepted)
    try:
        number = operator.index(value)
    except TypeError:
        raise WrongType(f"{name}={value!r} is no whole number", accepted=accepted) from None
    if number < least or (most is not None and number > most):
        raise Error(f"{name}={number} is out of range", accepted=accepted)
    return number


def text(name: str, value: Any, accepted: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise WrongType(f"{name}={value!r} is no text", accepted=accepted)
    return value


def truth(name: str, value: Any) -> bool:
    """A truth value, Python's or NumPy's."""
    if not isinstance(value, (bool, np.bool_)):
        raise WrongType(f"{name}={value!r:.60} is no truth value", accepted="True or False")
    return bool(value)


def truth_or_none(name: str, value: Any) -> bool | None:
    """A truth value, or None if nothing is said."""
    return None if value is None else truth(name, value)


def one_of(name: str, value: Any, options: Iterable[str]) -> str:
    """One of some words."""
    words = list(options)
    if text(name, value, ", ".join(words)) not in words:
        raise Error(f"{name}={value!r} is none", accepted=", ".join(words))
    return str(value)


def texts(name: str, value: Any, accepted: str) -> list[str]:
    """A list of texts."""
    if isinstance(value, (str, bytes, dict)) or not isinstance(value, Iterable):
        raise WrongType(f"{name}={value!r:.60} is no list of texts", accepted=accepted)
    return [text(name, one, accepted) for one in value]


def rule_files(value: Any) -> list[str]:
    """Texts of rule files."""
    return texts(
        "rules", value, 'a list of the texts of rule files, such as (open("game.toml").read(),)'
    )


def path(name: str, value: Any) -> Path:
    """The name of a file or folder."""
    if not isinstance(value, (str, os.PathLike)):
        raise WrongType(
            f"{name}={value!r:.60} is no path", accepted="a path, as a text or a pathlib.Path"
        )
    found = os.fspath(value)
    if not isinstance(found, str) or not found or "\0" in found:
        raise Error(
            f"{name}={value!r:.60} is no path", accepted="a path, as a text or a pathlib.Path"
        )
    return Path(found)


def real(name: str, value: Any, accepted: str) -> float:
    """A number; truth values, texts and arrays are none."""
    # Sage's numbers are none of Python's, and as good.
    if (
        isinstance(value, (bool, np.bool_, str, bytes))
        or not hasattr(value, "__float__")
        or np.ndim(value)
    ):
        raise WrongType(f"{name}={value!r:.60} is no number", accepted=accepted)
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        raise Error(f"{name}={value!r:.60} is out of range", accepted=accepted) from None


def number(name: str, value: Any, above: float, most: float) -> float:
    """A number within bounds."""
    accepted = f"a number above {above:g}, at most {most:g}"
    found = real(name, value, accepted)
    if not above < found <= most:
        raise Error(f"{name}={found} is out of range", accepted=accepted)
    return found


def limits(seconds: float | None, nodes: int | None, memory: int | None) -> Limits:
    """What a call may cost."""
    if seconds is not None:
        accepted = "a number of seconds such as 0.5 or 60, or None"
        seconds = real("seconds", seconds, accepted)
        if math.isnan(seconds) or seconds < 0 or seconds > 1e9:
            raise Error(f"seconds={seconds} is no span of time", accepted=accepted)
    most = 2**63 - 1
    return (
        seconds,
        None if nodes is None else whole("nodes", nodes, 0, most),
        None if memory is None else whole("memory", memory, 0, 2**40),
    )


def nodes_or_steps(nodes: int | None, steps: int | None) -> int | None:
    """The bound on the work of a proof; `steps` is its name of before."""
    if steps is None:
        return nodes
    if nodes is not None:
        raise Error("nodes and steps are two names of one bound", accepted="nodes alone")
    return steps


def position_text(game: Game, position: Any) -> str:
    """A position as the game reads it.

    A text stays as it is, a number is a single heap, and numbers are heaps of any size.
    """
    form = game.position_form
    if isinstance(position, str):
        return position
    if isinstance(position, (bytes, dict, set, frozenset)):
        raise WrongType(f"{position!r} is no position of {game.name}", accepted=form)
    position = row(position, form, game._letters)
    if isinstance(position, np.ndarray) and position.ndim == 0:
        position = position.item()
    if isinstance(position, (list, tuple)) and _is_nested(game, position):
        return _listed(game, position)
    if isinstance(position, Iterable):
        sizes = [_heap(game, size) for size in position]
        # Of a program an empty list is a position of its own, as a graph without nodes.
        return ",".join(sizes) or ("[]" if game._game.has_lists else "0")
    return _heap(game, position)


def _is_nested(game: Game, position: Sequence[Any]) -> bool:
    """Whether it is a list of lists or of texts, and the game may have such positions."""
    is_nested = any(isinstance(part, (list, tuple, str)) for part in position)
    return is_nested and game._game.has_lists


def _listed(game: Game, position: Any) -> str:
    """A position of lists and texts, as programs print it."""
    if isinstance(position, (list, tuple)):
        return "[" + ",".join(_listed(game, part) for part in position) + "]"
    return json.dumps(position) if isinstance(position, str) else _heap(game, position)


def _heap(game: Game, size: Any) -> str:
    form = game.position_form
    if isinstance(size, (bool, np.bool_)):
        raise WrongType(f"{size!r} is a truth value, no heap of {game.name}", accepted=form)
    try:
        number = operator.index(size)
    except TypeError:
        raise WrongType(
            f"{size!r} is no whole number of tokens in {game.name}", accepted=form
        ) from None
    if number < 0:
        raise Error(f"a heap of {number} tokens", str(number), (0, len(str(number))), form)
    return str(number)


def numbers(position: str) -> tuple[int, ...] | str:
    """The numbers that a text lists, or the text itself, as a row of digits that begins with 0."""
    parts = position.split(",")
    if not all(part.isascii() and part.isdigit() for part in parts):
        return position
    if any(part != "0" and part.startswith("0") for part in parts):
        return position
    return tuple(int(part) for part in parts)


def in_order(names: Sequence[Any], own: Sequence[str] = ()) -> list[Any]:
    """The names of columns of heaps in the order of the heaps; `own` are the game's names for them.

    Letters from a on, or that follow one another, and numbered names (p0, p1) are put in their
    order. Plain numbers and other letters that do not ascend are refused: they may be names or be
    out of place. So are names that are neither texts nor numbers, such as those of columns of
    several levels. All others stay as they stand.
    """
    if own and len(names) == len(own) and set(names) == set(own):
        return list(own)
    for name in names:
        if not isinstance(name, str) and not hasattr(name, "__index__"):
            raise WrongType(
                f"a column named {name!r:.60}",
                accepted="columns named a, b, c, ..., or numbered in ascending order",
            )
    if all(hasattr(name, "__index__") for name in names) and list(names) != sorted(names):
        accepted = "columns named a, b, c, ..., or numbered in ascending order"
        raise Error(
            f"columns {', '.join(map(str, names))} are numbered, and do not ascend",
            accepted=accepted,
        )
    told = [str(name) for name in names]
    numbered = (
        all(name[-1:].isdigit() for name in told)
        and len({name.rstrip("0123456789") for name in told}) == 1
    )
    if numbered and all(isinstance(name, str) for name in names):
        return sorted(names, key=lambda name: int("".join(c for c in str(name) if c.isdigit())))
    if all(len(name) == 1 and name.isalpha() for name in told):
        least, most = min(told), max(told)
        is_run = ord(most) - ord(least) < len(told)
        if least != "a" and not is_run and told != sorted(told):
            raise Error(
                f"columns {', '.join(told)}: letters out of their order",
                accepted="columns named a, b, c, ..., or data.to_numpy() for columns as they stand",
            )
        return sorted(names, key=str)
    return list(names)


def row(position: Any, accepted: str, own: Sequence[str] = ()) -> Any:
    """One position that names its heaps, as a row of a frame, in the order of the heaps.

    All else stays as it is.
    """
    index = getattr(position, "index", None)
    if index is None or callable(index) or not hasattr(position, "to_numpy"):
        return unmasked(position, accepted)
    names = list(index)
    if getattr(index, "nlevels", 1) != 1 or len(set(names)) != len(names):
        raise WrongType("a series whose index names no heaps", accepted=accepted)
    if all(isinstance(name, str) for name in names):
        return [position[name] for name in in_order(names, own)]
    if names != list(range(len(names))):
        raise WrongType(
            f"a series with the index {names!r:.60}",
            accepted=f"{accepted}; heaps by letters, or numbered from 0",
        )
    return list(position)


def unmasked(data: Any, accepted: str) -> Any:
    """What has no masked entries."""
    if isinstance(data, np.ma.MaskedArray) and np.ma.getmaskarray(data).any():
        raise Error("a value is missing (masked)", accepted=accepted)
    return data


def column(data: Any, accepted: str) -> npt.NDArray[Any]:
    """A column of a frame as an array; one of lists is refused."""
    found = entries(data, accepted)
    if found.ndim != 1 or (found.dtype.kind == "O" and any(map(_is_list, found))):
        raise WrongType("a column of lists", accepted=accepted)
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, (np.ndarray, list, dict))


def entries(data: Any, accepted: str) -> npt.NDArray[Any]:
    """A frame, or a column of one, as an array.

    Truth values, and missing ones, are refused.
    """
    if str(getattr(data, "dtype", "")) in ("Int128", "UInt128"):
        # NumPy has no such numbers.
        data = np.array(data.to_list(), dtype=object)
    try:
        found = np.asarray(data)
    except ValueError:
        # As pyarrow says it.
        raise Error("a value is missing (null)", accepted=accepted) from None
    if found.dtype.kind == "b":
        raise WrongType("a column of truth values", accepted=accepted)
    if found.dtype.kind == "f" and np.isnan(found).any():
        raise Error("a value is missing (NaN)", accepted=accepted)
    return found


def side_by_side(columns: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Columns of a frame as a table; whole numbers stay so whatever their types are."""
    table = np.stack(columns, axis=1)
    if table.dtype.kind == "f" and all(one.dtype.kind in "iu" for one in columns):
        table = np.stack([one.astype(object) for one in columns], axis=1)
    return table


def collected(data: Any, accepted: str) -> None:
    """Refuses a frame that is still to be computed, whose columns cost a warning or a query."""
    if callable(getattr(data, "collect_schema", None)) and not hasattr(data, "to_numpy"):
        raise WrongType(
            "a frame that is still to be computed", accepted=f"frame.collect(): {accepted}"
        )


def labelled(data: Any, accepted: str) -> None:
    """Refuses an array whose places have coordinates, as those of xarray: they may be the heaps."""
    if getattr(data, "dims", ()) and len(getattr(data, "coords", ())):
        raise WrongType(
            "an array with coordinates",
            accepted=f"data.to_series(), whose index says the heaps; {accepted}",
        )


def no_truths(data: Any, accepted: str) -> None:
    """Refuses truth values among numbers, which NumPy would take for 0 and 1."""
    if not isinstance(data, (list, tuple)):
        return
    for one in data:
        if isinstance(one, (bool, np.bool_)):
            raise WrongType(f"{one!r} is a truth value", accepted=accepted)
        no_truths(one, accepted)

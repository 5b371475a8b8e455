"""Arguments: numbers, budgets and positions, looked at before anything is computed."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from ._errors import Error, WrongType

if TYPE_CHECKING:
    from ._game import Game

Limits: TypeAlias = tuple[float | None, int | None, int | None]

MOST = 2**32 - 1
"""The largest bound on heaps that tables take."""


def whole(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """A whole number within bounds; truth values and floats are none."""
    accepted = f"a whole number from {least} on" if most is None else f"a whole number from {least} to {most}"
    if isinstance(value, bool):
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


def limits(seconds: float | None, nodes: int | None, memory: int | None) -> Limits:
    """What a call may cost."""
    if seconds is not None:
        accepted = "a number of seconds such as 0.5 or 60, or None"
        # Sage's numbers are none of Python's, and as good.
        if isinstance(seconds, (bool, str, bytes)) or not hasattr(seconds, "__float__"):
            raise WrongType(f"seconds={seconds!r} is no number", accepted=accepted)
        seconds = float(seconds)
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
    """A position as the game reads it: a text as it is, a number as a single heap, numbers as heaps of any size."""
    form = game.position_form
    if isinstance(position, str):
        return position
    if isinstance(position, (bytes, dict, set, frozenset)):
        raise WrongType(f"{position!r} is no position of {game.name}", accepted=form)
    if isinstance(position, Iterable):
        sizes = [_heap(game, size) for size in position]
        return ",".join(sizes) if sizes else "0"
    return _heap(game, position)


def _heap(game: Game, size: Any) -> str:
    form = game.position_form
    if isinstance(size, bool):
        raise WrongType(f"{size!r} is a truth value, no heap of {game.name}", accepted=form)
    try:
        number = operator.index(size)
    except TypeError:
        raise WrongType(f"{size!r} is no whole number of tokens in {game.name}", accepted=form) from None
    if number < 0:
        raise Error(f"a heap of {number} tokens", str(number), (0, len(str(number))), form)
    return str(number)


def numbers(position: str) -> tuple[int, ...] | str:
    """The numbers that a text lists, or the text itself."""
    parts = position.split(",")
    if all(part.isascii() and part.isdigit() for part in parts):
        return tuple(int(part) for part in parts)
    return position

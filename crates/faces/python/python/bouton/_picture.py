"""Pictures: boards, strategies, heatmaps, rulers. They show themselves in notebooks as SVG."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _bouton
from ._arguments import limits, text, whole
from ._errors import Error, WrongType
from ._files import write

if TYPE_CHECKING:
    from ._game import Game


@dataclass(frozen=True)
class _Kept:
    """A picture that came out of a pickle, in the formats that it was put in."""

    title: str
    description: str
    data: Any
    formats: dict[str, str | Error]
    drawn: bytes

    def _format(self, name: str) -> str:
        found = self.formats[name]
        if isinstance(found, Error):
            raise found
        return found

    def svg(self) -> str:
        return self._format("svg")

    def tikz(self) -> str:
        return self._format("tikz")

    def dot(self) -> str:
        return self._format("dot")

    def png(self, scale: float) -> bytes:
        if scale != SCALE:
            raise Error(f"scale={scale}: this picture was unpickled, and is kept at one scale", accepted=f"scale={SCALE}, or svg()")
        return self.drawn


def _try(make: Callable[[], str]) -> str | Error:
    try:
        return make()
    except Error as error:
        return error


SCALE = 2.0
"""Pixels of a PNG for one of the SVG's, unless others are asked for."""


class Picture:
    """A picture: `svg()`, `png()`, `tikz()` for LaTeX, `dot()` for Graphviz (strategies only).

    A pickle holds the finished picture in all formats, as PNG at `scale=2.0`.
    """

    def __init__(self, made: _bouton.Picture | _Kept) -> None:
        self._made = made

    def __reduce__(self) -> tuple[Any, ...]:
        formats = {"svg": self.svg(), "tikz": _try(self.tikz), "dot": _try(self.dot)}
        return Picture, (_Kept(self.title, self.description, self.data, formats, self.png(SCALE)),)

    @property
    def title(self) -> str:
        """What it shows, in a line."""
        return self._made.title

    @property
    def description(self) -> str:
        """What it shows, for those who don't see it."""
        return self._made.description

    @property
    def data(self) -> Any:
        """What it tells as plain data, with the keys of `bouton heatmap --json` or `strategy --json`; None for a board."""
        return self._made.data

    def svg(self) -> str:
        """As SVG, with title and description."""
        return self._made.svg()

    def png(self, scale: float = SCALE) -> bytes:
        """As PNG, `scale` pixels for one of the SVG's."""
        if not 0 < scale <= 64:
            raise Error(f"scale={scale} is out of range", accepted="more than 0, at most 64")
        return bytes(self._made.png(scale))

    def tikz(self) -> str:
        """As LaTeX: strategies for the package forest, all else for TikZ."""
        return self._made.tikz()

    def dot(self) -> str:
        """As a graph for Graphviz; strategies only."""
        return self._made.dot()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file whose name ends in .svg, .png, .tex or .dot."""
        file = Path(path)
        match file.suffix:
            case ".svg":
                write(file, self.svg())
            case ".png":
                write(file, self.png())
            case ".tex":
                write(file, self.tikz())
            case ".dot":
                write(file, self.dot())
            case _:
                raise Error(f"{file}: no format by this name", accepted=".svg, .png, .tex or .dot")

    def __repr__(self) -> str:
        return f"<bouton.Picture {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def span(name: str, value: range | int) -> tuple[int, int]:
    """The first and the last number of a range without gaps."""
    accepted = "a range such as range(1, 73), or one number"
    if isinstance(value, range):
        if value.step != 1 or len(value) == 0:
            raise Error(f"{name}={value} is empty or has gaps", accepted=accepted)
        return whole(name, value[0]), whole(name, value[-1], most=2**62)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise WrongType(f"{name}={value!r} is no range", accepted=accepted)
    number = whole(name, value, most=2**62)
    return number, number


def heatmap(
    game: str | Game,
    position: str | None = None,
    *,
    x: range | int = range(31),
    y: range | int = range(31),
    of: str = "outcome",
    misere: bool = False,
    rules: tuple[str, ...] = (),
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Picture:
    """A table over two numbers: write x and y for what varies, in the game or in the position.

    `heatmap("wythoff", "x,y", of="nim-value")`, `heatmap("Gamma(1,x;y)", x=range(2, 20), y=range(2, 60))`. `of` is "outcome",
    "nim-value", "margin" (games won on points) or "threshold" (NIM with Cash). At most 25 million cells; where the budget ends
    cells stay unknown. Cost: a search for each cell, in one session where the game is fixed.
    """
    from ._game import Game

    if isinstance(game, Game):
        if rules or misere:
            raise Error("the game says its rules and its play itself", accepted="heatmap(game, position) without rules and misere")
        misere, rules = game.play == "misere", tuple(game._rules)
        game = game._text
    made = _bouton.heatmap(
        text("game", game, "a game as CN(5,2), with x and y for numbers"),
        None if position is None else text("position", position, "a position as x,y,3,1,2"),
        list(rules),
        span("x", x),
        span("y", y),
        of,
        misere,
        limits(seconds, nodes, memory),
    )
    return Picture(made)

"""Pictures: boards, strategies, heatmaps, rulers. They show themselves in notebooks as SVG."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _bouton
from ._arguments import (
    limits,
    number,
    one_of,
    path as named,
    rule_files,
    text,
    truth_or_none,
    whole,
)
from ._errors import Error, WrongType, no_truth
from ._files import short, write

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
            raise Error(
                f"scale={scale}: this picture was unpickled, and is kept at one scale",
                accepted=f"scale={SCALE}, or svg()",
            )
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

    Examples
    --------
    >>> picture = bouton.game("nim(2)").board([1, 2])
    >>> picture.title
    'nim(2)'
    """

    __slots__ = ("_made",)

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
        """What the picture shows as plain data; None for a board.

        The keys are those of `bouton heatmap --json` and `strategy --json`.
        """
        return self._made.data

    def svg(self) -> str:
        """Returns the picture as SVG, with title and description.

        Returns
        -------
        str

        Examples
        --------
        >>> bouton.game("nim(2)").board([1, 2]).svg()[-7:]
        '</svg>\\n'
        """
        return self._made.svg()

    def png(self, scale: float = SCALE) -> bytes:
        """Returns the picture as PNG.

        Parameters
        ----------
        scale : float
            Pixels for one of the SVG's.

        Returns
        -------
        bytes

        Raises
        ------
        Error
            If the scale is out of range, or the picture was unpickled and the scale is another than
            its own.

        Examples
        --------
        >>> bouton.game("nim(2)").board([1, 2]).png()[1:4]
        b'PNG'
        """
        return bytes(self._made.png(number("scale", scale, 0, 64)))

    def tikz(self) -> str:
        """Returns the picture as LaTeX: strategies for the package forest, all else for TikZ.

        Returns
        -------
        str

        Examples
        --------
        >>> "tikzpicture" in bouton.game("nim(2)").board([1, 2]).tikz()
        True
        """
        return self._made.tikz()

    def dot(self) -> str:
        """Returns a strategy as a graph for Graphviz.

        Returns
        -------
        str

        Raises
        ------
        Error
            If the picture is none of a strategy.

        Examples
        --------
        >>> bouton.game("nim(2)").strategy([1, 2]).dot()[:7]
        'digraph'
        """
        return self._made.dot()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file.

        Parameters
        ----------
        path : str or path
            The file, whose name ends in .svg, .png, .tex or .dot.

        Raises
        ------
        Error
            If the name ends otherwise.

        Examples
        --------
        >>> bouton.game("nim(2)").board([1, 2]).save("board.svg")
        """
        file = named("path", path)
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

    def __bool__(self) -> bool:
        no_truth(self, "a question, such as picture is not None")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return (self.svg(), self.data) == (other.svg(), other.data)

    def __hash__(self) -> int:
        return hash(self.svg())

    def __repr__(self) -> str:
        return f"<bouton.Picture {short(self.title)}>"

    def _repr_svg_(self) -> str:
        return self.svg()


def span(name: str, value: range | int) -> tuple[int, int]:
    """The first and the last number of a range without gaps."""
    accepted = "a range such as range(1, 73), or one number"
    if isinstance(value, range):
        if value.step != 1 or len(value) == 0:
            raise Error(f"{name}={value} is empty or has gaps", accepted=accepted)
        return whole(name, value[0]), whole(name, value[-1], most=2**62)
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise WrongType(f"{name}={value!r:.60} is no range", accepted=accepted)
    number = whole(name, value, most=2**62)
    return number, number


def heatmap(
    game: str | Game,
    position: str | None = None,
    *,
    x: range | int = range(31),
    y: range | int = range(31),
    of: str = "outcome",
    misere: bool | None = None,
    rules: tuple[str, ...] = (),
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Picture:
    """Draws a table over two numbers, written x and y in the game or in the position.

    At most 25 million cells; cells that the budget does not reach stay unknown. Cost: a search for
    each cell, in one session if the game is fixed.

    Parameters
    ----------
    game : str or Game
        The game, perhaps with x and y for numbers.
    position : str, optional
        The position, perhaps with x and y for numbers.
    x : range or int
        The columns.
    y : range or int
        The rows.
    of : str
        What a cell tells: "outcome", "nim-value", "margin" (games won on points) or "threshold"
        (NIM with Cash).
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    rules : tuple of str
        Texts of rule files whose games may be named.
    seconds : float, optional
        Time limit.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    Picture

    Raises
    ------
    Error
        If the game or the position cannot be read.

    Examples
    --------
    >>> picture = bouton.heatmap("wythoff", "x,y", x=range(8), y=range(8), of="nim-value")
    >>> picture.data["rows"][2][1]
    0
    >>> bouton.heatmap("Gamma(1,x;y)", x=range(2, 6), y=range(2, 9)).title
    'Outcomes of Gamma(1,x;y)'
    """
    from ._game import Game

    if isinstance(game, Game):
        if rules or misere is not None:
            raise Error(
                "the game says its rules and its play itself",
                accepted="heatmap(game, position) without rules and misere",
            )
        misere, rules = game.play == "misere", tuple(game._rules)
        game = game._text
    if not isinstance(game, str):
        raise WrongType(
            f"{game!r:.60} is no game that can be drawn",
            accepted="a game's name, or bouton.game(…) of a name or a rule file",
        )
    made = _bouton.heatmap(
        text("game", game, "a game as CN(5,2), with x and y for numbers"),
        None if position is None else text("position", position, "a position as x,y,3,1,2"),
        rule_files(rules),
        span("x", x),
        span("y", y),
        one_of("of", of, ("outcome", "nim-value", "margin", "threshold")),
        truth_or_none("misere", misere),
        limits(seconds, nodes, memory),
    )
    return Picture(made)

"""A game by name, from a rule file, or of one's own."""

from __future__ import annotations

import os
from html import escape
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._answer import Answer, told
from ._arguments import MOST, limits, numbers, position_text, text, whole
from ._array import Solved, rows, solved, view
from ._errors import Error, WrongType
from ._own import HasOptions, OwnGame
from ._picture import Picture
from ._study import Study, study_of

NOTATIONS = "a game as people write it: CN(6,3), nim, kayles, 0.77, S(1,4,7), Gamma(1,4;23); bouton.games() lists them"


class Game:
    """A game under one convention of play. Made by `bouton.game` and `bouton.rules`."""

    def __init__(
        self,
        name: str,
        *,
        misere: bool = False,
        rules: tuple[str, ...] = (),
        theorems: str | os.PathLike[str] | None = None,
    ) -> None:
        self._rules = [text("rules", one, "the text of a rule file") for one in rules]
        self._text = text("game", name, NOTATIONS)
        if not isinstance(misere, bool):
            raise WrongType(f"misere={misere!r} is no truth value", accepted="True or False")
        folder = None if theorems is None else os.fspath(theorems)
        self._folder = folder
        self._game = _bouton.Game(self._text, self._rules, misere, folder)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._text, self.play == "misere", tuple(self._rules), self._folder)

    @property
    def name(self) -> str:
        """The name in normal form."""
        return self._game.name

    @property
    def rules(self) -> str:
        """The rules in words."""
        return self._game.rules

    @property
    def play(self) -> str:
        """ "normal" or "misere"."""
        return self._game.play

    @property
    def kind(self) -> str:
        """ "impartial" (nim-values exist), "last move" (outcomes only) or "scored" (margins)."""
        return self._game.kind

    @property
    def position_form(self) -> str:
        """How a position is written."""
        return self._game.position_form

    @property
    def start(self) -> tuple[int, ...] | str | None:
        """The position that the name went on to give, the game's own start, or the position with which a game that has a
        name begins."""
        start = self._game.start
        return None if start is None else numbers(start)

    @property
    def heaps(self) -> int | None:
        """How many numbers make a position, where that is fixed."""
        return self._game.heaps

    @property
    def symmetry(self) -> str | None:
        """Which heaps may change places: "none", "ring" (turns and reflections) or "full"."""
        return self._game.symmetry

    def _position(self, position: Any) -> str:
        if position is None:
            if self._game.start is None:
                raise Error(f"{self.name} has no starting position of its own", accepted=self.position_form)
            return self._game.start
        return position_text(self, position)

    def solve(
        self,
        position: Any = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Answer:
        """Answers a position: outcome, nim-value, all moves, and by what that is known.

        A position is a text, a list of heaps (whole numbers of any size), or a number, a single heap; by default it is the
        game's own start. Small positions are searched; of larger ones the theorems at hand are asked, so heaps may have
        thousands of digits where one is. Where the budget ends the outcome is None, and `reason` says why.
        """
        found = self._game.solve(self._position(position), limits(seconds, nodes, memory))
        return told(self, found)

    def solve_all(
        self,
        positions: Any,
        *,
        nim_values: bool = True,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Solved:
        """Solves many positions in one session: the rows of an array of whole numbers, or a list of texts.

        A one-dimensional array is one of single heaps. Nodes are for each position, seconds for all. Nim-values, which need
        more of the game than outcomes do, are found in normal play by search; without `nim_values` outcomes alone, as in misère
        play. Of positions beyond a search theorems tell the outcome.
        """
        found = rows(positions, f"rows of whole numbers, e.g. an array of shape (m, {self.heaps or 'n'}); {self.position_form}")
        asked = limits(seconds, nodes, memory)
        if isinstance(found, list):
            return solved(self._game.solve_texts(found, nim_values, asked))
        if self.heaps is not None and found.shape[1] != self.heaps and len(found):
            raise Error(f"rows of {found.shape[1]} numbers: {self.name} has {self.heaps} heaps", accepted=self.position_form)
        if found.shape[1] == 0:
            raise Error("rows without numbers", accepted=self.position_form)
        return solved(self._game.solve_rows(found.reshape(-1), found.shape[1], nim_values, asked))

    def p_positions(
        self,
        max: int,  # noqa: A002
        *,
        every: bool = False,
        seconds: float | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.uint32]:
        """The P-positions with every heap at most `max`: an array of shape (count, heaps), in lexicographic order.

        One of each symmetry class, the least; or `every` one. Heaps that have left a circle are 0. No copy is made of what the
        engines wrote. Cost: the whole box of positions, some 10^8 to 10^10 of them a second where heaps are taken from freely.
        """
        block, columns = self._game.p_positions(whole("max", max, 0, MOST), every, limits(seconds, None, memory))
        found = view(block, np.uint32).reshape(-1, columns)
        if every and len(found):
            found = found[np.lexsort(found.T[::-1])]
        return found

    def nim_values(
        self,
        max: int,  # noqa: A002
        *,
        seconds: float | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
        """The nim-values of all positions with every heap at most `max`.

        Of a game on n heaps an array with n dimensions of length max + 1: `values[1, 2, 3]` is that of 1,2,3. Of a game played
        in single heaps those of heaps 0..max. No copy is made. Memory: two bytes a position, four a single heap.
        """
        asked = limits(seconds, None, memory)
        bound = whole("max", max, 0, MOST)
        if self.heaps is None and self._game.has_single:
            return view(self._game.values(bound, asked), np.uint32)
        block, heaps = self._game.nim_value_box(bound, asked)
        return view(block, np.uint16).reshape((bound + 1,) * heaps)

    def study(
        self,
        *,
        seconds: float | None = None,
        values: bool = False,
        max: int | None = None,  # noqa: A002
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Study:
        """Takes the game from its rules to a theorem, as far as the seconds reach: see `bouton.study`."""
        misere = self.play == "misere"
        return study_of(self._text, self._rules, misere, values, max, None, self._game, limits(seconds, nodes, memory))

    def published(self) -> list[str]:
        """The forms of the P-positions that the literature gives, as formulas."""
        return [form for form, _, _ in self._game.published()]

    def board(self, position: Any = None) -> Picture:
        """A picture of a position."""
        return Picture(self._game.board(self._position(position)))

    def strategy(
        self,
        position: Any = None,
        *,
        depth: int = 64,
        size: int = 400,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Picture:
        """The winner's strategy from a position as a tree of at most `depth` moves and `size` positions drawn."""
        asked = limits(seconds, nodes, memory)
        depth, size = whole("depth", depth, 1, 10**6), whole("size", size, 1, 10**6)
        return Picture(self._game.strategy(self._position(position), depth, size, asked))

    def __eq__(self, other: object) -> bool:
        return self._same == other._same if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._same)

    @property
    def _same(self) -> tuple[Any, ...]:
        return self.name, self._game.start, self.play, tuple(self._rules), self._folder

    def __repr__(self) -> str:
        misere = ", misere=True" if self.play == "misere" else ""
        return f"bouton.game({self.name!r}{misere})"

    def _repr_html_(self) -> str:
        play = ", misère play" if self.play == "misere" else ""
        return f"<b>{escape(self.name)}</b>{play}: {escape(self.rules)}"


def _again(name: str, misere: bool, rules: tuple[str, ...], theorems: str | None) -> Game:
    return Game(name, misere=misere, rules=rules, theorems=theorems)


@overload
def game(
    name: str,
    *,
    misere: bool = False,
    rules: tuple[str, ...] = (),
    theorems: str | os.PathLike[str] | None = None,
) -> Game: ...
@overload
def game(name: HasOptions, *, misere: bool = False) -> OwnGame: ...
def game(
    name: str | HasOptions,
    *,
    misere: bool = False,
    rules: tuple[str, ...] = (),
    theorems: str | os.PathLike[str] | None = None,
) -> Game | OwnGame:
    """A game: by its name, or one of one's own with a method `options(self, position)`.

    `rules` are texts of rule files whose games may be named, also in sums: "kayles:7 + mine:4". With `misere` who cannot move
    wins. What is proved about the game is kept in the directory `theorems`, if one is given, and answers from then on; nothing
    else writes a file.
    """
    if not isinstance(name, str) and callable(getattr(name, "options", None)):
        if rules or theorems is not None:
            raise WrongType("a game of one's own has no rule files and no theorems", accepted="misere=True or False")
        return OwnGame(name, misere=misere)
    if not isinstance(name, str):
        raise WrongType(f"{name!r} is no game", accepted=f"{NOTATIONS}; or an object with a method options(self, position)")
    return Game(name, misere=misere, rules=rules, theorems=theorems)


def rules(
    file: str,
    *,
    misere: bool = False,
    theorems: str | os.PathLike[str] | None = None,
) -> Game:
    """The game of a rule file, given as its text (TOML): name, heaps, symmetry, and one formula for the moves.

    The text may also be a program that states `options(position)`, as `--rules game.rhai` takes it, with a name:
    `const NAME = "my-game";`.
    """
    import tomllib

    if isinstance(file, str) and (program := _bouton.program_name(file)) is not None:
        return Game(program, misere=misere, rules=(file,), theorems=theorems)
    accepted = 'name = "halves"\nheaps = 1\nmove = "p0 <= 2*q0"'
    try:
        name = tomllib.loads(text("rules", file, accepted)).get("name")
    except tomllib.TOMLDecodeError as error:
        raise Error(f"no rule file: {error}", file, None, accepted) from None
    if not isinstance(name, str):
        raise Error("the rule file gives no name", file, None, accepted)
    return Game(name, misere=misere, rules=(file,), theorems=theorems)


def games() -> list[dict[str, Any]]:
    """The families of games (`family`, notation, what they are, source, examples), and the games that have a name of their
    own (`name`, aliases, group, what they are, source, the game in notation, a position to begin with)."""
    found: list[dict[str, Any]] = _bouton.games()
    return found

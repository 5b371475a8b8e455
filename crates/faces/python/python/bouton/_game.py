"""A game by name, from a rule file, or of a Python object."""

from __future__ import annotations

import os
import re
from html import escape
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _bouton
from ._answer import Answer, told
from ._arguments import (
    MOST,
    limits,
    numbers,
    path,
    position_text,
    rule_files,
    text,
    truth,
    truth_or_none,
    whole,
)
from ._array import Solved, rows, solved, view
from ._errors import Error, LimitReached, WrongType
from ._files import short
from ._own import HasOptions, OwnGame, is_graph
from ._picture import Picture
from ._study import Study, study_of

NOTATIONS = "a game as people write it: CN(6,3), nim, kayles, 0.77, S(1,4,7), Gamma(1,4;23); bouton.games() lists them"


class Game:
    """A game under one convention of play. Made by `bouton.game` and `bouton.rules`.

    Games of one play have a sum: `game("kayles") + game("nim(2)")` is `game("kayles + nim(2)")`.

    Parameters
    ----------
    name : str
        The game as people write it; see `bouton.games`.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    rules : tuple of str
        Texts of rule files whose games may be named.
    theorems : str or path, optional
        A directory in which what is proved about the game is kept.

    Raises
    ------
    Error
        If the name cannot be read; with the place in it.

    Examples
    --------
    >>> bouton.Game("nim(3)").solve([1, 2, 3]).outcome
    'P'
    >>> (bouton.game("kayles") + bouton.game("nim(2)")).name
    'kayles + nim(2)'
    """

    __slots__ = ("_folder", "_game", "_rules", "_text")

    def __init__(
        self,
        name: str,
        *,
        misere: bool | None = None,
        rules: tuple[str, ...] = (),
        theorems: str | os.PathLike[str] | None = None,
    ) -> None:
        self._rules = rule_files(rules)
        self._text = text("game", name, NOTATIONS)
        misere = truth_or_none("misere", misere)
        folder = None if theorems is None else str(path("theorems", theorems))
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
        """The position that the name gave, or else the one with which the game begins."""
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

    @property
    def _letters(self) -> tuple[str, ...]:
        """The letters that the name of NIM with Cash has for the numbers of a position."""
        found = re.fullmatch(r"NIM\(.*;(\w);(\w),(\w)\)", self.name)
        return () if found is None else found.groups()

    def _needs_values(self) -> None:
        if self.play == "misere":
            raise Error(
                f"{self.name} has no nim-values in misere play",
                accepted="the game without misere=True; or genus(position)",
            )

    def _position(self, position: Any) -> str:
        if position is None:
            if self._game.start is None:
                raise Error(
                    f"{self.name} has no starting position of its own", accepted=self.position_form
                )
            return self._game.start
        text = position_text(self, position)
        self._game.one_position(text)
        return text

    def _meant(self, position: Any) -> tuple[Game, str]:
        """The game and the position that are asked about.

        Several heaps of a game on one heap are a sum.
        """
        text = self._position(position)
        named = self._game.sum_of_heaps(text)
        if named is None:
            return self, text
        name, text = named
        return Game(
            name, misere=self.play == "misere", rules=tuple(self._rules), theorems=self._folder
        ), text

    def solve(
        self,
        position: Any = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Answer:
        """Answers a position: outcome, nim-value, all moves, and by what that is known.

        Small positions are searched; for larger ones the known theorems are asked, so heaps may
        have thousands of digits.

        Parameters
        ----------
        position : str, int or list of int, optional
            A text, a list of heaps (whole numbers of any size), or a number, a single heap; of a
            program also a list of lists, as [[0, 1], [1, 2]]. By default the game's own start.
            Several heaps of a game on one heap are a sum: `game("mark").solve([5, 7])` is about
            `mark + mark`.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        Answer
            If the budget is spent, its outcome is None, and `reason` says why.

        Raises
        ------
        Error
            If this is no position of the game; with the place in it.

        Examples
        --------
        >>> bouton.game("nim(3)").solve([3, 4, 5])
        <bouton.Answer nim(3), (3, 4, 5): N, nim-value 2, 1 of 12 moves known to win, by search>
        """
        game, text = self._meant(position)
        return told(game, game._game.solve(text, limits(seconds, nodes, memory)))

    def remoteness(
        self,
        position: Any = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> int:
        """Returns how many moves play lasts if the winner hurries and the loser holds out.

        All positions below are visited. Games won on points have no remoteness.

        Parameters
        ----------
        position : str, int or list of int, optional
            As `solve` takes it.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        int

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> bouton.game("nim(2)").remoteness([2, 2])
        4
        """
        game, text = self._meant(position)
        return game._game.remoteness(text, limits(seconds, nodes, memory))

    def solve_all(
        self,
        positions: Any,
        *,
        nim_values: bool = True,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> Solved:
        """Solves many positions in one session.

        Parameters
        ----------
        positions : array, frame or list
            The rows of an array of whole numbers, the rows of a frame with a column a heap (in the
            order of the columns' names if these are letters from a on, numbered, or those of the
            game's name, as n, d and e), or a list of texts. A one-dimensional array is one of
            single heaps.
        nim_values : bool
            Whether nim-values, which need more of the game than outcomes do, are found in normal
            play by search.
        seconds : float, optional
            Time limit for all.
        nodes : int, optional
            Limit on the positions expanded, for each position.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        Solved
            Of positions beyond a search theorems tell the outcome.

        Raises
        ------
        Error
            If a row is no position; with its number.

        Examples
        --------
        >>> bouton.game("wythoff").solve_all([[1, 2], [3, 5], [4, 4]]).outcome.tolist()
        ['P', 'P', 'N']
        """
        nim_values = truth("nim_values", nim_values)
        found = rows(
            positions,
            f"rows of whole numbers, e.g. an array of shape (m, {self.heaps or 'n'}); {self.position_form}",
            self._letters,
        )
        asked = limits(seconds, nodes, memory)
        if isinstance(found, list):
            return solved(self._game.solve_texts(found, nim_values, asked))
        if self.heaps is not None and found.shape[1] != self.heaps and len(found):
            raise Error(
                f"rows of {found.shape[1]} numbers: {self.name} has {self.heaps} heaps",
                accepted=self.position_form,
            )
        if found.shape[1] == 0:
            raise Error("rows without numbers", accepted=self.position_form)
        return solved(self._game.solve_rows(found.reshape(-1), found.shape[1], nim_values, asked))

    def p_positions(
        self,
        max: int,  # noqa: A002
        *,
        every: bool = False,
        heaps: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.uint32]:
        """Returns the P-positions with every heap at most `max`, in lexicographic order.

        One of each symmetry class, the least; or `every` one. Heaps that have left a circle are 0.
        No copy is made of what the engines wrote. Cost: the whole box of positions, some 10^8 to
        10^10 of them a second if heaps are taken from freely.

        Parameters
        ----------
        max : int
            The largest heap, included.
        every : bool
            Whether all positions of a symmetry class are listed.
        heaps : int, optional
            How many heaps, of a game on single heaps as kayles or S(1,3); by default as many as the
            game begins with.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        numpy.ndarray
            An array of shape (count, heaps).

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> bouton.game("CN(4,2)").p_positions(1).tolist()
        [[0, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 1]]
        >>> bouton.game("kayles").p_positions(4, heaps=2).tolist()
        [[0, 0], [1, 1], [1, 4], [2, 2], [3, 3], [4, 4]]
        """
        self._game.alone()
        block, columns = self._game.p_positions(
            whole("max", max, 0, MOST),
            truth("every", every),
            None if heaps is None else whole("heaps", heaps, 1, 64),
            limits(seconds, nodes, memory),
        )
        found = view(block, np.uint32).reshape(-1, columns)
        if every and len(found):
            found = found[np.lexsort(found.T[::-1])]
        return found

    def nim_values(
        self,
        max: int,  # noqa: A002
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
        """Returns the nim-values of all positions with every heap at most `max`.

        No copy is made. Memory: two bytes a position, four a single heap.

        Parameters
        ----------
        max : int
            The largest heap, included.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        numpy.ndarray
            Of a game on n heaps an array with n dimensions of length max + 1: `values[1, 2, 3]` is
            that of 1,2,3. Of a game played in single heaps those of heaps 0..max.

        Raises
        ------
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> bouton.game("nim(2)").nim_values(2).tolist()
        [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
        >>> bouton.game("kayles").nim_values(5).tolist()
        [0, 1, 2, 3, 1, 4]
        """
        asked = limits(seconds, nodes, memory)
        bound = whole("max", max, 0, MOST)
        self._game.alone()
        self._needs_values()
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
        """Takes the game from its rules to a theorem, as `bouton.study` does.

        Parameters
        ----------
        seconds : float, optional
            Time limit; without one tables grow until a form stands, or for 20 seconds.
        values : bool
            Whether the study is of the nim-values in place of the P-positions.
        max : int, optional
            The largest heap of the tables.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        Study

        Examples
        --------
        >>> bouton.game("CN(4,2)").study().verdict
        'proved'
        """
        misere = self.play == "misere"
        return study_of(
            self._text,
            self._rules,
            misere,
            truth("values", values),
            max,
            None,
            self._game,
            limits(seconds, nodes, memory),
        )

    def published(self) -> list[str]:
        """Returns the forms of the P-positions that the literature gives, as formulas.

        Returns
        -------
        list of str

        Examples
        --------
        >>> len(bouton.game("CN(4,2)").published())
        1
        """
        return [form for form, _, _ in self._game.published()]

    def board(self, position: Any = None) -> Picture:
        """Draws a position.

        Parameters
        ----------
        position : str, int or list of int, optional
            As `solve` takes it.

        Returns
        -------
        Picture

        Examples
        --------
        >>> bouton.game("nim(3)").board([1, 2, 3])
        <bouton.Picture nim(3)>
        """
        game, text = self._meant(position)
        return Picture(game._game.board(text))

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
        """Draws the winner's strategy from a position as a tree.

        Parameters
        ----------
        position : str, int or list of int, optional
            As `solve` takes it.
        depth : int
            The most moves from the root.
        size : int
            The most positions that are drawn.
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
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> bouton.game("nim(2)").strategy([1, 2]).title
        'Winning strategy for Player I, nim(2) from 1,2'
        """
        asked = limits(seconds, nodes, memory)
        depth, size = whole("depth", depth, 1, 10**6), whole("size", size, 1, 10**6)
        game, text = self._meant(position)
        return Picture(game._game.strategy(text, depth, size, asked))

    def genus(
        self,
        position: Any = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> dict[str, Any]:
        """Returns the genus of a position of an impartial game, for misère play.

        Parameters
        ----------
        position : str, int or list of int, optional
            As `solve` takes it.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        dict
            With the keys of `bouton genus --json`: genus, nim_value, misere_nim_value,
            misere_outcome, genus_of_nim.

        Raises
        ------
        Error
            If the game is not impartial.
        LimitReached
            If the budget is spent.

        Examples
        --------
        >>> bouton.game("nim").genus([3])["genus"]
        '3^31'
        """
        game, text = self._meant(position)
        found = _bouton.genus(game._game, text, limits(seconds, nodes, memory))
        if "genus" not in found:
            raise LimitReached(found["reason"])
        return found

    def quotient(
        self,
        to: int = 50,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        memory: int | None = 4096,
    ) -> dict[str, Any]:
        """Returns the misère quotient of a take-and-break game.

        Parameters
        ----------
        to : int
            The largest heap, included.
        seconds : float, optional
            Time limit.
        nodes : int, optional
            Limit on the positions expanded.
        memory : int, optional
            Limit on tables, in megabytes.

        Returns
        -------
        dict
            With the keys of `bouton quotient --json`: heaps, order, p_portion, elements, images,
            period; `reason` says why it is not that of all heaps up to `to`.

        Raises
        ------
        Error
            If the game is no take-and-break game.

        Examples
        --------
        >>> bouton.game("0.75").quotient(20)["order"]
        8
        """
        self._game.alone()
        return _bouton.quotient(
            self._game, whole("to", to, 0, MOST), limits(seconds, nodes, memory)
        )

    def __add__(self, other: object) -> Game:
        if not isinstance(other, Game):
            raise WrongType(
                f"{other!r:.60} is added to {self.name}", accepted="another game with a name"
            )
        if self.play != other.play:
            raise Error(
                "a sum has one play", accepted="two games of normal play, or two of misère play"
            )
        rules = dict.fromkeys((*self._rules, *other._rules))
        folder = self._folder or other._folder
        return Game(
            f"{self._text} + {other._text}",
            misere=self.play == "misere",
            rules=tuple(rules),
            theorems=folder,
        )

    def __eq__(self, other: object) -> bool:
        return self._same == other._same if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._same)

    @property
    def _same(self) -> tuple[Any, ...]:
        return self.name, self._game.start, self.play, tuple(self._rules), self._folder

    def __repr__(self) -> str:
        misere = ", misere=True" if self.play == "misere" else ""
        rules = ", rules=…" if self._rules else ""
        return f"bouton.game({short(self._text)!r}{misere}{rules})"

    def _repr_html_(self) -> str:
        play = ", misère play" if self.play == "misere" else ""
        return f"<b>{escape(self.name)}</b>{play}: {escape(self.rules)}"


def _again(name: str, misere: bool, rules: tuple[str, ...], theorems: str | None) -> Game:
    return Game(name, misere=misere, rules=rules, theorems=theorems)


@overload
def game(
    name: str,
    *,
    misere: bool | None = None,
    rules: tuple[str, ...] = (),
    theorems: str | os.PathLike[str] | None = None,
) -> Game: ...
@overload
def game(name: HasOptions, *, misere: bool | None = None) -> OwnGame: ...
def game(
    name: str | HasOptions,
    *,
    misere: bool | None = None,
    rules: tuple[str, ...] = (),
    theorems: str | os.PathLike[str] | None = None,
) -> Game | OwnGame:
    """Returns a game: by its name, or as a Python object states it.

    What is proved about the game is kept in the directory `theorems`, if one is given, and answers
    from then on; nothing else writes a file.

    Parameters
    ----------
    name : str or object
        The game as people write it (`bouton.games` lists the notations), also a sum: "kayles:7 +
        mine:4". Or an object with a method `options(self, position)`, or a directed graph of
        networkx, whose arcs are the moves.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    rules : tuple of str
        Texts of rule files whose games may be named.
    theorems : str or path, optional
        A directory in which what is proved about the game is kept.

    Returns
    -------
    Game or OwnGame

    Raises
    ------
    Error
        If the name cannot be read; with the place in it.

    Examples
    --------
    >>> bouton.game("CN(6,3)").heaps
    6
    >>> bouton.game("nim", misere=True).solve([1, 1, 1]).outcome
    'P'
    """
    if not isinstance(name, str) and (callable(getattr(name, "options", None)) or is_graph(name)):
        if rules or theorems is not None:
            raise WrongType(
                "a game of a Python object has no rule files and no theorems",
                accepted="misere=True or False",
            )
        return OwnGame(name, misere=False if misere is None else misere)
    if not isinstance(name, str):
        raise WrongType(
            f"{name!r:.60} is no game",
            accepted=f"{NOTATIONS}; or an object with a method options(self, position)",
        )
    return Game(name, misere=misere, rules=rules, theorems=theorems)


def rules(
    file: str,
    *,
    misere: bool | None = None,
    theorems: str | os.PathLike[str] | None = None,
) -> Game:
    """Returns the game of a rule file.

    Parameters
    ----------
    file : str
        The text of the file (TOML): name, heaps, symmetry, and one formula for the moves. Or a
        program that states `options(position)`, as `--rules game.rhai` takes it, with a name:
        `const NAME = "my-game";`. Or a finite graph, whose game is called `graph`: a line "a b" for
        each move, "a: b c" for all moves from a, JSON such as {"a": ["b", "c"]}, or DOT.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    theorems : str or path, optional
        A directory in which what is proved about the game is kept.

    Returns
    -------
    Game

    Raises
    ------
    Error
        If the file cannot be read; with the place in its formula.

    Examples
    --------
    >>> halves = bouton.rules('name = "halves"\\nheaps = 1\\nmove = "p0 <= 2*q0"')
    >>> halves.p_positions(20).ravel().tolist()
    [0, 1, 3, 7, 15]
    >>> bouton.rules("a b\\nb a\\nb c\\nc d").solve("c").outcome
    'N'
    """
    import tomllib

    if isinstance(file, str) and (program := _bouton.program_name(file)) is not None:
        return Game(program, misere=misere, rules=(file,), theorems=theorems)
    accepted = 'name = "halves"\nheaps = 1\nmove = "p0 <= 2*q0"'
    if isinstance(file, str) and "\n" not in file and file.endswith(
        (".toml", ".rhai", ".edges", ".json", ".dot")
    ):
        raise Error(
            f"{file} is the name of a file",
            accepted=f"its text: pathlib.Path({file!r}).read_text()",
        )
    try:
        name = tomllib.loads(text("rules", file, accepted)).get("name")
    except tomllib.TOMLDecodeError as error:
        raise Error(f"no rule file: {error}", file, None, accepted) from None
    if not isinstance(name, str):
        raise Error("the rule file gives no name", file, None, accepted)
    return Game(name, misere=misere, rules=(file,), theorems=theorems)


def games() -> list[dict[str, Any]]:
    """Returns the families of games, and the games that have a name of their own.

    Returns
    -------
    list of dict
        Families have `family`, notation, what they are, source and examples; games have `name`,
        aliases, group, what they are, source, the game in notation, and a position to begin with.

    Examples
    --------
    >>> [one["about"] for one in bouton.games() if one.get("family") == "kayles"]
    ['knock down adjacent pins: one or two, up to K, exactly two; or split a row into unequal parts']
    """
    found: list[dict[str, Any]] = _bouton.games()
    return found

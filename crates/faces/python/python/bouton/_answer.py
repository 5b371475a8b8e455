"""One position answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from ._arguments import numbers
from ._errors import Error, no_truth
from ._files import short

if TYPE_CHECKING:
    from ._game import Game


@dataclass(frozen=True, repr=False)
class Move:
    """A move, and what is known of the position it leads to.

    Examples
    --------
    >>> move = bouton.game("nim(3)").solve([1, 2, 4]).winning[0]
    >>> move.to, move.outcome, move.nim_value
    ((1, 2, 3), 'P', 0)
    """

    to: tuple[int, ...] | str
    """The option."""
    text: str
    """The move in words."""
    outcome: str | None
    """"P" or "N" for the player then to move; None where it is unknown."""
    nim_value: int | None
    """The option's nim-value, where it is known."""
    margin: int | None = None
    """In games won on points: by how much the mover wins with this move under best play."""
    bounds: tuple[int, int] | None = None
    """Where the margin is not known: that it is at least and at most so much."""

    @property
    def wins(self) -> bool:
        """Whether the move is known to win: the option is P."""
        return self.outcome == "P"

    def __bool__(self) -> bool:
        no_truth(self, "move.wins")

    def __repr__(self) -> str:
        known = self.outcome or "unknown"
        if self.nim_value is not None:
            known += f", nim-value {self.nim_value}"
        if self.margin is not None:
            known = f"margin {self.margin}"
        return f"<bouton.Move to {short(str(self.to))}: {known}>"


@dataclass(frozen=True, repr=False)
class Answer:
    """A position answered: its outcome, nim-value and moves, and by what that is known.

    Examples
    --------
    >>> answer = bouton.game("nim(3)").solve([1, 2, 4])
    >>> answer.outcome, answer.nim_value, answer.by
    ('N', 7, 'search')
    >>> [move.to for move in answer.winning]
    [(1, 2, 3)]
    """

    game: str
    """The game's name in normal form."""
    play: str
    """"normal" or "misere"."""
    position: tuple[int, ...] | str
    """The position: its heaps, or its text."""
    outcome: str | None
    """"P" (the player to move loses) or "N"; None where it is unknown, and in games won on
    points."""
    nim_value: int | None
    """In normal play, where it exists and was within reach."""
    margin: int | None
    """In games won on points: by how much the player to move wins; negative if less than the
    other."""
    moves: tuple[Move, ...]
    """By search every option once, in order; else one: a winning one, if there is one and it was
    found."""
    by: str
    """What it is known by: "search", "theorem", "period" (of nim-values, proved) or
    "literature"."""
    theorem: str | None
    """The statement that answered, unless it was a search."""
    certificate: str | None
    """The hash of its certificate."""
    moves_in_all: int | None
    """How many moves there are, where not all are listed and they can be counted."""
    reason: str | None
    """Why something is unknown."""
    nodes: int = field(compare=False)
    """Positions expanded."""
    seconds: float = field(compare=False)
    """Time it took."""
    bounds: tuple[int, int] | None = None
    """Where the margin is not known: that it is at least and at most so much."""
    best_play: tuple[str, ...] = ()
    """In games won on points: a line of best play, the moves in words."""
    remarks: tuple[tuple[str, str], ...] = ()
    """What players say of the position: what it is about, and the fact."""
    _asked: Any = field(default=None, repr=False, compare=False)

    @property
    def winning(self) -> tuple[Move, ...]:
        """The moves that are known to win; in games won on points those that keep the margin."""
        if self.margin is not None:
            return tuple(m for m in self.moves if m.margin == self.margin)
        return tuple(m for m in self.moves if m.wins)

    def __bool__(self) -> bool:
        no_truth(self, 'a question, such as answer.outcome == "N"')

    def __repr__(self) -> str:
        found = [
            self.outcome
            or ("" if self.margin is not None or self.bounds is not None else "unknown")
        ]
        if self.nim_value is not None:
            found.append(f"nim-value {self.nim_value}")
        if self.margin is not None:
            found.append(f"margin {self.margin}")
        if self.bounds is not None:
            found.append(f"margin from {self.bounds[0]} to {self.bounds[1]}")
        moves = len(self.moves) if self.moves_in_all is None else self.moves_in_all
        found.append(f"{len(self.winning)} of {short(str(moves), 30)} moves known to win")
        told = ", ".join(part for part in found if part)
        misere = ", misère play" if self.play == "misere" else ""
        return f"<bouton.Answer {self.game}{misere}, {short(str(self.position))}: {told}, by {self.by}>"

    def _repr_svg_(self) -> str | None:
        if self._asked is None:
            return None
        try:
            return str(self._asked.board(self.position).svg())
        except Error:
            # Heaps too large for a board.
            return None

    def _repr_html_(self) -> str:
        name = escape(self.game) + (", misère play" if self.play == "misere" else "")
        told = f"<b>{self.outcome}</b>" if self.outcome else ""
        if self.margin is not None:
            told = f"margin <b>{self.margin}</b>"
        if self.bounds is not None:
            told = f"margin from {self.bounds[0]} to {self.bounds[1]}"
        if self.nim_value is not None:
            told += f", nim-value {self.nim_value}"
        if self.reason:
            told += f" unknown: {escape(self.reason)}"
        if self.theorem:
            told += f"<br>by {self.by}: {escape(self.theorem)}"
        winning = [f"<li>{escape(str(m.to))}: {escape(m.text)}" for m in self.winning[:SHOWN]]
        more = f"<li>… {len(self.winning) - SHOWN} more" if len(self.winning) > SHOWN else ""
        moves = (
            f"<p>winning moves: {len(self.winning)}<ul>{''.join(winning)}{more}</ul>"
            if winning
            else ""
        )
        return f"<div>{self._repr_svg_() or ''}<p>{name}, {escape(str(self.position))}: {told}{moves}</div>"


SHOWN = 12
"""Winning moves that a notebook shows."""


def _pair(bounds: list[int] | None) -> tuple[int, int] | None:
    return None if bounds is None else (bounds[0], bounds[1])


def told(game: Game, data: dict[str, Any]) -> Answer:
    """An answer as `bouton solve --json` has it."""
    texts = data["texts"]
    moves = tuple(
        Move(
            numbers(m["to"]),
            text,
            m.get("outcome"),
            m.get("nim_value"),
            m.get("margin"),
            _pair(m.get("bounds")),
        )
        for m, text in zip(data["moves"], texts, strict=True)
    )
    in_all = data.get("moves_in_all")
    return Answer(
        game=data["game"],
        play=game.play,
        position=numbers(data["position"]),
        outcome=data.get("outcome"),
        nim_value=data.get("nim_value"),
        margin=data.get("margin"),
        moves=moves,
        by=data["by"],
        theorem=data.get("theorem"),
        certificate=data.get("certificate"),
        moves_in_all=None if in_all is None else int(in_all),
        reason=data.get("reason"),
        nodes=data["nodes"],
        seconds=data["seconds"],
        bounds=_pair(data.get("bounds")),
        best_play=tuple(data.get("best_play", ())),
        remarks=tuple((remark["about"], remark["text"]) for remark in data.get("remarks", ())),
        _asked=game,
    )

"""The ledger: what is published about these games, and the verdicts on record."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from . import _bouton
from ._arguments import text
from ._errors import no_truth


class Ledger:
    """A table, a row for each claim and game.

    pandas, polars and pyarrow take it as it is, by the Arrow capsule interface:
    `polars.DataFrame(bouton.ledger())`, `pandas.DataFrame.from_arrow(bouton.ledger())`,
    `pyarrow.table(bouton.ledger())`.

    Examples
    --------
    >>> ledger = bouton.ledger()
    >>> ledger.columns[:4]
    ['id', 'game', 'statement', 'source']
    >>> len(ledger["verdict"]) == len(ledger)
    True
    """

    __slots__ = ("_made",)

    def __init__(self, made: _bouton.Ledger) -> None:
        self._made = made

    @property
    def columns(self) -> list[str]:
        """id, game, statement, source, verdict, found, certificate, recheck, play."""
        return list(self._made.columns)

    def __getitem__(self, column: str) -> list[str | None]:
        """A column."""
        return self._made.column(text("column", column, ", ".join(self.columns)))

    def __len__(self) -> int:
        return len(self._made)

    def __iter__(self) -> Iterator[dict[str, str | None]]:
        """The rows as dictionaries."""
        names = self.columns
        for row in zip(*(self[name] for name in names), strict=True):
            yield dict(zip(names, row, strict=True))

    def about(self, game: str) -> list[dict[str, str | None]]:
        """Returns the rows about a game.

        Parameters
        ----------
        game : str
            The game's name in normal form.

        Returns
        -------
        list of dict

        Examples
        --------
        >>> {row["verdict"] for row in bouton.ledger().about("CN(4,2)")}
        {'proved'}
        """
        name = text("game", game, "the name of a game, such as CN(4,2)")
        return [row for row in self if row["game"] == name]

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._made.__arrow_c_stream__(requested_schema)

    def __bool__(self) -> bool:
        no_truth(self, "a question, such as len(ledger), or ledger.about(game)")

    def __eq__(self, other: object) -> bool:
        # There is one ledger in a version of the package.
        return True if isinstance(other, Ledger) else NotImplemented

    def __hash__(self) -> int:
        return hash(Ledger)

    def __reduce__(self) -> tuple[Any, ...]:
        return ledger, ()

    def __repr__(self) -> str:
        return f"<bouton.Ledger: {len(self)} rows>"

    def _repr_html_(self) -> str:
        names = ("id", "game", "statement", "verdict")
        rows = [
            [escape(row[name] or "") for name in names]
            for row, _ in zip(self, range(SHOWN), strict=False)
        ]
        head = "".join(f"<th>{name}" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows)
        more = f"<p>{len(self)} rows in all" if len(self) > SHOWN else ""
        return f"<table><tr>{head}{body}</table>{more}"


SHOWN = 20
"""Rows that a notebook shows."""


def ledger() -> Ledger:
    """Returns what is published about these games, with the verdicts on record.

    There is a row for each claim and each game for which it was settled.

    Returns
    -------
    Ledger

    Examples
    --------
    >>> {row["verdict"] for row in bouton.ledger() if row["id"] == "C6"}
    {'proved'}
    """
    return Ledger(_bouton.ledger())

"""NIM with Cash: win conditions for all stones and dollars, proved."""

from __future__ import annotations

import os
from collections.abc import Iterable
from html import escape
from typing import Any

from . import _bouton
from ._arguments import limits, whole
from ._errors import Error, WrongType
from ._files import save_certificate
from ._picture import Picture, heatmap


class WinCondition:
    """Who wins NIM with Cash on a set of takings, for all n stones and purses d and e; true if it is proved.

    A pickle holds the takings alone: where it is read, the condition is sought again.
    """

    def __init__(self, takings: tuple[int, ...], made: _bouton.Condition) -> None:
        self.takings = takings
        """The numbers of stones that may be taken; each costs a dollar a stone."""
        self.data: dict[str, Any] = made.data
        """All that was found, with the keys of `bouton cash --json`."""
        self._made = made

    @property
    def verdict(self) -> str:
        """ "proved", or "unknown" where no condition was found."""
        return str(self.data["verdict"])

    @property
    def condition(self) -> str | None:
        """The condition in words."""
        lines = self.data["condition"]
        return None if lines is None else "\n".join(lines)

    @property
    def certificate(self) -> str | None:
        """The proof, as `bouton.check` reads it."""
        return self._made.certificate

    def mover_wins(self, n: int, d: int, e: int) -> bool:
        """Whether the player to move wins with n stones and d dollars against e: whole numbers of any size."""
        found = self._made.mover_wins(str(whole("n", n)), str(whole("d", d)), str(whole("e", e)))
        if found is None:
            raise Error("no condition was found")
        return found

    def heatmap(self, to: int = 30) -> Picture:
        """With x stones and y dollars of the mover: how many purses of the other player the mover beats."""
        last = whole("to", to, 1, 4000)
        return heatmap(self._name, "x,y", x=range(last + 1), y=range(last + 1), of="threshold")

    @property
    def _name(self) -> str:
        return f"NIM({','.join(map(str, self.takings))};n;d,e)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the certificate to a file."""
        if self.certificate is None:
            raise Error("there is no certificate: no condition was found")
        save_certificate(path, self.certificate)

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    def __reduce__(self) -> tuple[Any, ...]:
        # The search is the same wherever it is made.
        return cash, (self.takings,)

    def __repr__(self) -> str:
        return f"<bouton.WinCondition {self._name}: {self.verdict}>"

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape, (self.condition or "").splitlines()))
        return f"<b>{escape(self._name)}</b>: {self.verdict}<br>{lines}"


def cash(
    takings: Iterable[int],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
) -> WinCondition:
    """Seeks the win condition of NIM with Cash where so many stones may be taken: `cash([1, 4])`.

    What is found the independent checker has accepted. Where the seconds end, LimitReached.
    """
    accepted = "numbers from 1 on, each once, such as [1, 4]"
    if isinstance(takings, (str, bytes)) or not isinstance(takings, Iterable):
        raise WrongType(f"{takings!r} is no list of takings", accepted=accepted)
    numbers = tuple(sorted(whole("takings", a, 1, 2**64 - 1) for a in takings))
    if not numbers or len(set(numbers)) != len(numbers):
        raise Error(f"{list(numbers)} is no set of takings", accepted=accepted)
    name = f"NIM({','.join(map(str, numbers))})"
    return WinCondition(numbers, _bouton.cash(name, limits(seconds, nodes, memory)))

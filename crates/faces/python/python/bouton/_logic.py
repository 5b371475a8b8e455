"""First-order statements about natural numbers, decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import _bouton
from ._arguments import limits, nodes_or_steps, text, truth
from ._errors import no_truth
from ._files import short
from ._study import fragment


@dataclass(frozen=True, repr=False)
class Decision:
    """A formula decided: true or false.

    As a truth value it is an error if it is open or unknown.

    Examples
    --------
    >>> bouton.logic("E x: 3*x = 12").values
    {'x': 4}
    >>> bouton.logic("x < 2").examples
    ((0,), (1,))
    """

    formula: str
    """The formula."""
    verdict: str
    """"true", "false", "open" (it has free variables) or "unknown" (the budget ended)."""
    values: dict[str, int | None] | None = field(hash=False)
    """A witness of an outermost E, a counterexample to an outermost A; None for a value beyond 64
    bits."""
    variables: tuple[str, ...]
    """The free variables."""
    states: int | None
    """States of the automaton of the tuples of which it holds."""
    examples: tuple[tuple[int, ...], ...]
    """The first of those tuples, by their greatest number."""
    reason: str | None
    """Why it is unknown."""
    seconds: float = field(compare=False)
    """Time it took."""

    def __bool__(self) -> bool:
        if self.verdict not in ("true", "false"):
            why = self.reason or f"it has free variables: {', '.join(self.variables)}"
            no_truth(self, f"a question such as decision.verdict; {why}")
        return self.verdict == "true"

    def __repr__(self) -> str:
        return f"<bouton.Decision {short(self.formula)}: {self.verdict}>"

    def _repr_html_(self) -> str:
        told = []
        if self.values:
            told.append(", ".join(f"{name} = {value}" for name, value in self.values.items()))
        if self.states is not None:
            told.append(
                f"{self.states} states over {', '.join(self.variables)}; holds of {list(self.examples)} …"
            )
        return fragment(f"{self.formula}: {self.verdict}", told)


def logic(
    formula: str,
    *,
    zeckendorf: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
    steps: int | None = None,
) -> Decision:
    """Decides a formula over the natural numbers, or finds the automaton of an open one.

    Formulas have +, ⊕ and comparisons.

    `A x,y: …` and `E x,y: …` quantify; ~ & | => <=> connect; = != < <= > >= compare; 3*x, x+y, x-y,
    x xor y, x mod 5, x div 2, min, max. Cost: a tower of exponentials in the alternation of
    quantifiers at worst.

    Parameters
    ----------
    formula : str
        The formula.
    zeckendorf : bool
        Whether numbers are read as sums of Fibonacci numbers, as they always are with shift(x).
    seconds : float, optional
        Time limit. When it ends, the verdict is "unknown".
    nodes : int, optional
        Limit on the states of automata.
    memory : int, optional
        Limit on automata, in megabytes.
    steps : int, optional
        Another name of `nodes`.

    Returns
    -------
    Decision

    Raises
    ------
    Error
        If the formula cannot be read; with the place in it.

    Examples
    --------
    >>> bool(bouton.logic("A n: n >= 8 => E x,y: n = 3*x + 5*y"))
    True
    >>> bouton.logic("A x: x = 1")
    <bouton.Decision A x: x = 1: false>
    """
    asked = text("formula", formula, "a formula such as A n: n >= 7 => E x,y: n = 2*x + 5*y")
    found: dict[str, Any] = _bouton.logic(
        asked,
        truth("zeckendorf", zeckendorf),
        limits(seconds, nodes_or_steps(nodes, steps), memory),
    )
    return Decision(
        formula=asked,
        verdict=found["verdict"],
        values=found.get("values"),
        variables=tuple(found.get("variables", ())),
        states=found.get("states"),
        examples=tuple(tuple(one) for one in found.get("examples", ())),
        reason=found.get("reason"),
        seconds=found["seconds"],
    )

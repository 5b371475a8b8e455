"""Proofs: a form of the P-positions put to the prover, a certificate put to the checker."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from . import _bouton
from ._arguments import limits, nodes_or_steps, path, text, texts, truth, truth_or_none, whole
from ._errors import Error, WrongType
from ._files import save_certificate, short
from ._game import Game, game as named
from ._study import STYLE, fragment


@dataclass(frozen=True, repr=False)
class Verdict:
    """A form of the P-positions, proved or not; true if it is proved.

    Examples
    --------
    >>> verdict = bouton.prove("nim(3)", "a = b")
    >>> verdict.verdict, verdict.position
    ('refuted', (0, 0, 1))
    """

    game: str
    """The game's name."""
    play: str
    """"normal" or "misere"."""
    claim: str
    """The form."""
    verdict: str
    """"proved", "refuted" or "unknown"."""
    certificate: str | None
    """The proof, as `bouton.check` reads it."""
    hash: str | None
    """The certificate's hash."""
    position: tuple[int, ...] | None
    """Where the form fails."""
    counterexample: str | None
    """The same in words."""
    least: bool | None
    """Whether no smaller counterexample was passed over."""
    recheck: str | None
    """What a second look at the counterexample by the rules alone says."""
    reason: str | None
    """Why there is no verdict."""
    seconds: float = field(compare=False)
    """Time it took."""
    heaps: int | None = None
    """How many heaps the form is over."""

    @property
    def proved(self) -> bool:
        """Whether it is a theorem for all heap sizes.

        The independent checker has then accepted the certificate.
        """
        return self.verdict == "proved"

    def __bool__(self) -> bool:
        return self.proved

    def __repr__(self) -> str:
        return (
            f"<bouton.Verdict {self.game}, {self.play} play: {self.verdict}: {short(self.claim)}>"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the certificate to a file, or its theorem for Coq.

        Parameters
        ----------
        path : str or path
            The file, as NAME.cert, or NAME.v for Coq.

        Raises
        ------
        Error
            If there is no certificate, or no theorem for Coq.

        Examples
        --------
        >>> verdict = bouton.prove("nim(2)", "a = b")
        >>> verdict.save("nim.cert")
        >>> verdict.save("nim.v")
        """
        if self.certificate is None:
            raise Error(f"there is no certificate: the form is {self.verdict}")
        save_certificate(path, self.certificate)

    def _repr_latex_(self) -> str | None:
        typeset = None if self.heaps is None else _bouton.formula(self.claim, self.heaps)
        return None if typeset is None else f"$\\displaystyle {typeset[0]}$"

    def _repr_html_(self) -> str:
        typeset = None if self.heaps is None else _bouton.formula(self.claim, self.heaps)
        head = fragment(f"{self.game}, {self.play} play: {self.verdict}", [])
        form = (
            f'<p class="case">P iff <math>{_inner(typeset[1])}</math></p>'
            if typeset
            else f"<p>P iff {self.claim}</p>"
        )
        foot = fragment(
            "", [line for line in (self.counterexample, self.recheck, self.reason) if line]
        )
        if self.hash:
            foot = fragment("", [f"certificate {self.hash}, accepted by the independent checker"])
        return f'<div class="bouton"><style>{STYLE}</style>{head}{form}{foot}</div>'


def _inner(mathml: str) -> str:
    return mathml.removeprefix("<math>").removesuffix("</math>")


def prove(
    game: Game | str,
    claim: str | None = None,
    *,
    automaton: str | None = None,
    smaller: tuple[str, ...] | list[str] = (),
    exactly: bool = False,
    misere: bool | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int | None = 4096,
    steps: int | None = None,
) -> Verdict:
    """Proves a claim about the P-positions for all heap sizes, or finds a counterexample.

    The claim is that the P-positions are those of which `claim` holds.

    Parameters
    ----------
    game : Game or str
        The game. Of a family as "Gamma(1,4;n)", Kotzig's Nim on circles of every size, the claim is
        about n: the circles from whose start the player to move loses.
    claim : str, optional
        A formula over the heaps a, b, c, …, meant up to the game's symmetry unless `exactly`. Of a
        family a formula over n; without one it is found.
    automaton : str, optional
        In place of a formula the text of an automaton, as Walnut writes it: `msd_2` for each heap,
        then states with their output 0 or 1 and transitions `0 1 -> 2`. It reads the digits of all
        heaps together, and as it stands, whatever the symmetry.
    smaller : list of str
        Lines as "3: a=b=c" on positions with fewer heaps, if heaps leave.
    exactly : bool
        Whether the claim is meant as it stands, whatever the symmetry.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    seconds : float, optional
        Time limit. When it ends, the verdict is "unknown".
    nodes : int, optional
        Limit on the states of automata.
    memory : int, optional
        Limit in megabytes.
    steps : int, optional
        Another name of `nodes`.

    Returns
    -------
    Verdict

    Raises
    ------
    Error
        If the claim cannot be read, or the game is none about which claims can be proved.

    Examples
    --------
    >>> bouton.prove("CN(4,2)", "a = c & b = d").proved
    True
    >>> bouton.prove("CN(4,2)", "a = c").verdict
    'refuted'
    """
    exactly, misere = truth("exactly", exactly), truth_or_none("misere", misere)
    lines = texts("smaller", smaller, 'a list of lines such as ["3: a=b=c"]')
    nodes = nodes_or_steps(nodes, steps)
    if automaton is not None and (claim is not None or smaller or exactly):
        raise Error(
            "an automaton is a claim by itself",
            accepted="automaton=TEXT without claim, smaller and exactly",
        )
    if isinstance(game, str) and automaton is None:
        asked = (
            None
            if claim is None
            else text("claim", claim, "a formula over n, such as n mod 6 = 1 | n mod 6 = 3")
        )
        settled = _bouton.circles(game, asked, misere is True, limits(seconds, nodes, memory))
        if settled is not None:
            if smaller or exactly:
                raise Error("smaller and exactly are about heaps", accepted="a claim over n alone")
            return _verdict(settled[0], settled[1], str(settled[0]["claim"]), None)
    if isinstance(game, str):
        game = named(game, misere=misere)
    elif not isinstance(game, Game):
        raise WrongType(
            f"{game!r:.60} is no game about which claims can be proved",
            accepted="a game's name, or bouton.game(…) of a name or a rule file",
        )
    elif misere is not None and misere != (game.play == "misere"):
        made = "misère" if game.play == "misere" else "normal"
        raise Error(
            f"the game was made for {made} play", accepted=f"bouton.game(…, misere={misere})"
        )
    game._game.alone()
    if automaton is not None:
        asked = text(
            "automaton", automaton, "the text of an automaton, beginning with msd_2 for each heap"
        )
        data, certificate = game._game.settle_automaton(asked, limits(seconds, nodes, memory))
        return _verdict(data, certificate, str(data["claim"]), None)
    if claim is None:
        raise Error(
            "a claim is needed", accepted="a formula over the heaps, such as a+b = d+e & b+c = e+f"
        )
    formula = text("claim", claim, "a formula over the heaps, such as a+b = d+e & b+c = e+f")
    data, certificate = game._game.settle(formula, lines, exactly, limits(seconds, nodes, memory))
    return _verdict(data, certificate, formula, game.heaps)


def _verdict(
    data: dict[str, Any], certificate: str | None, claim: str, heaps: int | None
) -> Verdict:
    position = data.get("numbers")
    return Verdict(
        game=data["game"],
        play=data["play"],
        claim=claim,
        verdict=data["verdict"],
        certificate=certificate,
        hash=data.get("hash"),
        position=None if position is None else tuple(position),
        counterexample=data.get("counterexample"),
        least=data.get("least"),
        recheck=data.get("recheck"),
        reason=data.get("reason"),
        seconds=data["seconds"],
        heaps=heaps,
    )


@dataclass(frozen=True, repr=False)
class Checked:
    """What the independent checker says of a certificate; true if it is accepted.

    Examples
    --------
    >>> checked = bouton.check(bouton.prove("nim(2)", "a = b").certificate)
    >>> bool(checked), checked.game
    (True, 'nim(2)')
    """

    verdict: str
    """"accepted", "rejected", or "unknown" where the budget ended."""
    kind: str | None
    """The kind of proof."""
    game: str | None
    """The game."""
    claim: str | None
    """The statement, now proved."""
    work: str | None
    """How much was checked, in words."""
    theorem: str | None
    """What exactly is proved, in words: the rules as the checker knows them, and what the claim
    says of them."""
    line: int | None
    """Where it was rejected; 0 where no single line is at fault."""
    reason: str | None
    """Why it was rejected."""

    def __bool__(self) -> bool:
        return self.verdict == "accepted"

    def __repr__(self) -> str:
        about = f"{self.game}: {self.claim}" if self else f"line {self.line}: {self.reason}"
        return f"<bouton.Checked {self.verdict}: {short(about)}>"

    def _repr_html_(self) -> str:
        told = (
            [f"{self.game}: {self.claim}", self.work or ""]
            if self
            else [f"line {self.line}: {self.reason}"]
        )
        return fragment(self.verdict, told)


HEAD = "bouton certificate "


def check(
    certificate: str | os.PathLike[str],
    *,
    depth: int = 2000,
    seconds: float | None = 15,
    memory: int | None = 4096,
) -> Checked:
    """Checks a certificate with the independent checker, which shares no code with what makes them.

    Whatever stands in the file, the answer comes within the seconds and the megabytes.

    Parameters
    ----------
    certificate : str or path
        A file's path, or a text that begins with "bouton certificate".
    depth : int
        Of proofs of periods, heaps up to this size are computed a second time by trying all moves.
    seconds : float, optional
        Time limit. When it ends, the verdict is "unknown".
    memory : int, optional
        Limit in megabytes.

    Returns
    -------
    Checked

    Raises
    ------
    Error
        If the file is no text.
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> bouton.check("bouton certificate 1").verdict
    'rejected'
    """
    if isinstance(certificate, str) and certificate.startswith(HEAD):
        content = certificate
    elif isinstance(certificate, (str, os.PathLike)):
        file = path("certificate", certificate)
        try:
            content = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise Error(f"{file} is no text", accepted="a certificate's file") from None
    else:
        raise WrongType(
            f"{type(certificate).__name__} is no certificate",
            accepted="a path, or a certificate's text",
        )
    found: dict[str, Any] = _bouton.check(
        content, whole("depth", depth, 0, 2**32), limits(seconds, None, memory)
    )
    keys = ("verdict", "kind", "game", "claim", "work", "theorem", "line", "reason")
    return Checked(*(found.get(key) for key in keys))  # type: ignore[arg-type]

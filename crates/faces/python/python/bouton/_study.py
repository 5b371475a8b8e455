"""A study: a game from its rules to a theorem, or to the least counterexample."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _bouton
from ._arguments import Limits, limits, text, whole
from ._errors import Error, WrongType, no_truth
from ._files import save_certificate, write

if TYPE_CHECKING:
    from ._game import Game

STYLE = (
    ".bouton{max-width:50rem}.bouton table{border-collapse:collapse;margin:.6rem 0}"
    ".bouton td,.bouton th{padding:.1rem .8rem;text-align:right;border-bottom:1px solid #bbb}"
    ".bouton pre{white-space:pre-wrap;font-size:.85em}.bouton svg{max-width:100%;height:auto}"
    ".bouton .statement{border-left:3px solid #0b5c8f;padding:.1rem 1rem;margin:1rem 0}"
    ".bouton .refuted{border-color:#c75b00}.bouton .case{margin:.2rem 0 .2rem 2rem}"
)

FORMATS = {".html": "html", ".tex": "latex", ".json": "json"}


@dataclass(frozen=True)
class Refutation:
    """Where a form of the P-positions fails."""

    position: tuple[int, ...]
    """The counterexample."""
    counterexample: str
    """In words: the position, and what is wrong there."""
    recheck: str
    """What a second look by the rules alone says."""


@dataclass(frozen=True)
class _Kept:
    """A study that came out of a pickle, with its reports."""

    data: dict[str, Any]
    words: str
    reports: dict[str, str]
    settled: bool = False
    certificate: str | None = None
    automaton: str | None = None

    def text(self) -> str:
        return self.words

    def report(self, format: str) -> str:  # noqa: A002
        if format not in self.reports:
            raise Error(f"there is no report as {format!r}", accepted=", ".join(self.reports))
        return self.reports[format]


class _Reported:
    """What has a report."""

    _made: _bouton.Study | _bouton.RangeStudy | _Kept
    data: dict[str, Any]

    def __bool__(self) -> bool:
        no_truth(self, 'a question, such as study.verdict == "proved"')

    def _reports(self) -> dict[str, str]:
        return {format: self.report(format) for format in FORMATS.values()}

    def report(self, format: str = "html") -> str:  # noqa: A002
        """A report to keep: "html" (one file), "latex" (an article) or "json"."""
        return self._made.report(format)

    def __str__(self) -> str:
        return self._made.text()

    def _repr_html_(self) -> str:
        whole_page = self.report("html")
        body = whole_page[whole_page.index("<h1>") :].removesuffix("</html>\n")
        return f'<div class="bouton"><style>{STYLE}</style>{body}</div>'


class Study(_Reported):
    """What is known of a game. `data` has all of it, with the keys of `bouton study --json`."""

    _made: _bouton.Study | _Kept

    def __init__(self, made: _bouton.Study | _Kept) -> None:
        self._made = made
        self.data: dict[str, Any] = made.data
        """All that was found, as plain data."""

    def __reduce__(self) -> tuple[Any, ...]:
        found = self._made
        kept = _Kept(self.data, str(self), self._reports(), found.settled, found.certificate, found.automaton)
        return Study, (kept,)

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.data["game"])

    @property
    def kind(self) -> str:
        """ "heaps", "counts", "sequence", "cash", "family" or "position"."""
        return str(self.data["kind"])

    @property
    def verdict(self) -> str | None:
        """ "proved" (for all sizes, the checker accepted it), "holds" (as far as computed), "refuted", "no form found",
        "unknown"; None of a family or a position, which claim nothing."""
        found = self.data.get("verdict")
        return None if found is None else str(found)

    @property
    def theorem(self) -> str | None:
        """What was proved, as its certificate states it; None where nothing was."""
        if self.certificate is not None:
            claim = re.search(r"^claim: (.*)$", self.certificate, re.MULTILINE)
            return f"{self.game}: {claim.group(1)}" if claim else None
        proved = [one for one in self.studies if one["verdict"] == "proved"]
        return f"{self.game}: proved for {', '.join(one['game'] for one in proved)}" if proved else None

    @property
    def studies(self) -> list[dict[str, Any]]:
        """Of a game on any number of heaps: the studies at a few numbers of them."""
        return list(self.data.get("studies", []))

    @property
    def form(self) -> str | None:
        """The form that was found: of P-positions a formula over the heaps a, b, c, … (up to the game's symmetry), or words
        where it is none; of a nim-sequence its period; of NIM with Cash the condition. None where none stands."""
        match self.kind:
            case "heaps":
                last = self.data["boards"][-1]
                found = last["claim"] or last["form"]
                return None if found is None else str(found)
            case "sequence":
                period = self.data["period"]
                if period is None:
                    return None
                saltus = f", saltus {period['saltus']}" if period["saltus"] else ""
                return f"period {period['period']} from {period['preperiod']} on{saltus}"
            case "cash":
                return "\n".join(self.data["condition"]) or None
            case "family":
                normal = self.data["normal"]
                found = normal["theorem"]["p_positions"] if normal["theorem"] else normal["p_positions"]
                return None if found is None else str(found)
        return None

    @property
    def automaton(self) -> str | None:
        """The automaton that reads the heaps' digits and accepts the P-positions, in Walnut's text, where the form is one; `bouton.prove` takes it."""
        return self._made.automaton

    @property
    def certificate(self) -> str | None:
        """The proof, as `bouton.check` reads it; None where nothing was proved."""
        return self._made.certificate

    @property
    def refutation(self) -> Refutation | None:
        """The counterexample, where the study ended in one."""
        if self.verdict != "refuted":
            return None
        return Refutation(tuple(self.data["numbers"]), self.data["counterexample"], self.data["recheck"])

    @property
    def holds_to(self) -> int | None:
        """Of a game on heaps: the greatest heap up to which the form agrees with every table."""
        if self.kind != "heaps":
            return None
        rounds = [board["rounds"][-1] for board in self.data["boards"] if board["rounds"]]
        tos = [r["checked_to"] if r["checked_to"] is not None and r["mismatch"] is None else r["max"] for r in rounds]
        return min(tos, default=None)

    @property
    def settled(self) -> bool:
        """Whether all was settled, and nothing that is published was refuted."""
        return self._made.settled

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report (.html, .tex, .json) or the certificate (.cert) to a file."""
        file = Path(path)
        if file.suffix == ".cert":
            if self.certificate is None:
                raise Error("there is no certificate: nothing was proved")
            save_certificate(file, self.certificate)
        elif file.suffix in FORMATS:
            write(file, self.report(FORMATS[file.suffix]))
        else:
            raise Error(f"{file}: no format by this name", accepted=".html, .tex, .json or .cert")

    def __repr__(self) -> str:
        return f"<bouton.Study {self.game}: {self.verdict or self.kind}>"

    def _repr_latex_(self) -> str | None:
        if self.kind != "heaps" or self.form is None:
            return None
        heaps = self.data["boards"][-1]["heaps"]
        typeset = _bouton.formula(self.form, heaps)
        return None if typeset is None else f"$\\displaystyle {typeset[0]}$"


def study_of(
    name: str,
    rules: list[str],
    misere: bool,
    values: bool,
    max: int | None,  # noqa: A002
    to: int | None,
    game: _bouton.Game | None,
    asked: Limits,
) -> Study:
    """A study, arguments looked at."""
    bound = None if max is None else whole("max", max, 0, 65535)
    last = None if to is None else whole("to", to, 1, 65535)
    return Study(_bouton.study(name, rules, misere, values, bound, last, game, asked))


def study(
    game: str | Game,
    *,
    seconds: float | None = None,
    misere: bool = False,
    values: bool = False,
    max: int | None = None,  # noqa: A002
    to: int | None = None,
    rules: tuple[str, ...] = (),
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Study:
    """Studies a game, or a family as Gamma(1,4;n): table, conjecture, larger table, proof, and what is published.

    A sum of games on heaps, as S(1,2,3) + nim, is studied as one game. With `values` the study is of the nim-values instead of the
    P-positions: a form v = … for all heap sizes. `max` bounds the heaps of the tables, `to` a family's parameter. The line ends with the seconds at the latest; without a limit
    tables grow until a form stands, or for 20 seconds. What is called proved the independent checker has accepted.
    """
    from ._game import Game

    if isinstance(game, Game):
        if rules or misere or to is not None:
            raise Error("the game says its rules and its play itself", accepted="study(game) without rules, misere and to")
        return game.study(seconds=seconds, values=values, max=max, nodes=nodes, memory=memory)
    if not isinstance(game, str):
        accepted = "a game's name such as CN(6,3), a family such as Gamma(1,4;n), or bouton.game(…) of a name or a rule file"
        raise WrongType(f"{game!r} is no game that can be studied", accepted=accepted)
    name = text("game", game, "a game such as CN(6,3), or a family such as Gamma(1,4;n)")
    return study_of(name, list(rules), misere, values, max, to, None, limits(seconds, nodes, memory))


@dataclass(frozen=True)
class Sentence:
    """A form in the parameter. About all values it is a conjecture, whatever is proved of some."""

    form: str
    """The form of the P-positions, with the parameter's name in it."""
    modulus: int
    """It speaks of the values that leave `residue` modulo this number."""
    residue: int
    """See `modulus`."""
    proved: tuple[int, ...]
    """Values for which the independent checker accepted a proof of what it says."""
    agrees: tuple[int, ...]
    """Values for which it agrees with the form found, without a proof."""


class RangeStudy(_Reported):
    """A game with a parameter, studied for each value. `data` has all of it, with the keys of `bouton study --for --json`."""

    _made: _bouton.RangeStudy | _Kept

    def __init__(self, made: _bouton.RangeStudy | _Kept) -> None:
        self._made = made
        self.data: dict[str, Any] = made.data
        """All that was found, as plain data."""

    def __reduce__(self) -> tuple[Any, ...]:
        return RangeStudy, (_Kept(self.data, str(self), self._reports()),)

    @property
    def verdict(self) -> str:
        """ "proved" if there is a theorem for each value, else "unknown"."""
        return str(self.data["verdict"])

    @property
    def sentences(self) -> list[Sentence]:
        """Forms with the parameter in them, each for a class of values; empty where none fits."""
        return [
            Sentence(one["form"], one["modulus"], one["residue"], tuple(one["proved"]), tuple(one["agrees"]))
            for one in self.data["sentences"]
        ]

    @property
    def studies(self) -> dict[int, dict[str, Any]]:
        """The study of each value, with the keys of `bouton study --json`."""
        return {one["value"]: one for one in self.data["studies"]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report to a file: .html, .tex or .json."""
        file = Path(path)
        if file.suffix not in FORMATS:
            raise Error(f"{file}: no format by this name", accepted=".html, .tex or .json")
        write(file, self.report(FORMATS[file.suffix]))

    def __repr__(self) -> str:
        first, last = self.data["range"]
        return f"<bouton.RangeStudy {self.data['game']}, {self.data['parameter']} = {first}..{last}: {self.verdict}>"


def study_range(
    game: str,
    parameter: str,
    values: range,
    *,
    seconds: float | None = None,
    misere: bool = False,
    max: int | None = None,  # noqa: A002
    rules: tuple[str, ...] = (),
    nodes: int | None = None,
    memory: int | None = 4096,
) -> RangeStudy:
    """Studies a game for each value of a parameter, as `study_range("S(1,h;1)", "h", range(2, 8))`, and seeks a form in it.

    The values are as many as 100, one after the other; the seconds are shared out among them.
    """
    name = text("game", game, "a game with a name in the place of a number, such as CN(n,n-1)")
    if not isinstance(values, range) or values.step != 1 or not values:
        raise Error(f"values: {values!r}", accepted="a range of one or more numbers without gaps, such as range(2, 8)")
    bound = None if max is None else whole("max", max, 0, 65535)
    asked = limits(seconds, nodes, memory)
    chosen = text("parameter", parameter, "a name that stands in the game, such as h")
    return RangeStudy(_bouton.study_range(name, chosen, values[0], values[-1], list(rules), misere, bound, asked))


def fragment(title: str, lines: list[str]) -> str:
    """A piece of HTML for a notebook: a heading and lines, escaped."""
    return f'<div class="bouton"><b>{escape(title)}</b>' + "".join(f"<br>{escape(line)}" for line in lines) + "</div>"

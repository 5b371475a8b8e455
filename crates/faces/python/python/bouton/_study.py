"""A study: a game from its rules to a theorem, or to the least counterexample."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from . import _bouton
from ._arguments import (
    Limits,
    limits,
    one_of,
    path as named,
    rule_files,
    text,
    truth,
    truth_or_none,
    whole,
)
from ._errors import Error, WrongType, no_truth
from ._files import save_certificate, short, write

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


@dataclass(frozen=True, repr=False)
class Refutation:
    """Where a form of the P-positions fails.

    Examples
    --------
    >>> bouton.study("nim(2)").refutation is None
    True
    """

    position: tuple[int, ...]
    """The counterexample."""
    counterexample: str
    """In words: the position, and what is wrong there."""
    recheck: str
    """What a second look by the rules alone says."""

    def __bool__(self) -> bool:
        no_truth(self, "study.refutation is not None")

    def __repr__(self) -> str:
        return f"<bouton.Refutation {short(self.counterexample)}>"


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


def _timeless(data: Any) -> Any:
    """Data without the time that they took."""
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if not key.endswith("seconds")}
    return [_timeless(one) for one in data] if isinstance(data, list) else data


class _Reported:
    """What has a report."""

    __slots__ = ("_made", "data")

    _made: _bouton.Study | _bouton.RangeStudy | _Kept
    data: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        return (
            _timeless(self.data) == _timeless(other.data)
            if isinstance(other, _Reported)
            else NotImplemented
        )

    def __hash__(self) -> int:
        return hash((type(self), self.data["game"], self.data.get("verdict")))

    def __bool__(self) -> bool:
        no_truth(self, 'a question, such as study.verdict == "proved"')

    def _reports(self) -> dict[str, str]:
        return {format: self.report(format) for format in FORMATS.values()}

    def report(self, format: str = "html") -> str:  # noqa: A002
        """Returns a report to keep.

        Parameters
        ----------
        format : str
            "html" (one file), "latex" (an article) or "json".

        Returns
        -------
        str

        Examples
        --------
        >>> bouton.study("nim(2)").report("latex")[:14]
        '\\\\documentclass'
        """
        return self._made.report(one_of("format", format, FORMATS.values()))

    def __str__(self) -> str:
        return self._made.text()

    def _repr_html_(self) -> str:
        whole_page = self.report("html")
        body = whole_page[whole_page.index("<h1>") :].removesuffix("</html>\n")
        return f'<div class="bouton"><style>{STYLE}</style>{body}</div>'


class Study(_Reported):
    """What is known of a game. `data` has all of it, with the keys of `bouton study --json`.

    Examples
    --------
    >>> study = bouton.study("CN(4,2)")
    >>> study.verdict, study.form
    ('proved', 'a = c & b = d')
    >>> bool(bouton.check(study.certificate))
    True
    """

    __slots__ = ()

    _made: _bouton.Study | _Kept

    def __init__(self, made: _bouton.Study | _Kept) -> None:
        self._made = made
        self.data: dict[str, Any] = made.data
        """All that was found, as plain data."""

    def __reduce__(self) -> tuple[Any, ...]:
        found = self._made
        kept = _Kept(
            self.data, str(self), self._reports(), found.settled, found.certificate, found.automaton
        )
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
        """The verdict as a word; None of a family or a position, which claim nothing.

        It is "proved" (for all sizes, the checker accepted it), "holds" (as far as computed),
        "refuted", "no form found" or "unknown".
        """
        found = self.data.get("verdict")
        return None if found is None else str(found)

    @property
    def theorem(self) -> str | None:
        """What was proved, as its certificate states it; None where nothing was.

        A sum may be proved by the nim-values of its summands, each with a certificate of its own.
        """
        if self.certificate is not None:
            claim = re.search(r"^claim: (.*)$", self.certificate, re.MULTILINE)
            return f"{self.game}: {claim.group(1)}" if claim else None
        if self.data.get("summands"):
            return f"{self.game}: P iff the nim-values of the summands have nim-sum 0"
        proved = [one for one in self.studies if one["verdict"] == "proved"]
        return (
            f"{self.game}: proved for {', '.join(one['game'] for one in proved)}"
            if proved
            else None
        )

    @property
    def studies(self) -> list[dict[str, Any]]:
        """Of a game on any number of heaps: the studies at a few numbers of them."""
        return list(self.data.get("studies", []))

    @property
    def form(self) -> str | None:
        """The form that was found; None if there is none.

        Of P-positions it is a formula over the heaps a, b, c, … (up to the game's symmetry), or
        words if it is no formula; of a nim-sequence its period; of NIM with Cash the condition.
        """
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
                found = (
                    normal["theorem"]["p_positions"] if normal["theorem"] else normal["p_positions"]
                )
                return None if found is None else str(found)
        return None

    @property
    def automaton(self) -> str | None:
        """The automaton that accepts the P-positions, in Walnut's text; None if the form is none.

        It reads the heaps' digits, and `bouton.prove` takes it.
        """
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
        return Refutation(
            tuple(self.data["numbers"]), self.data["counterexample"], self.data["recheck"]
        )

    @property
    def holds_to(self) -> int | None:
        """Of a game on heaps: the greatest heap up to which the form agrees with every table."""
        if self.kind != "heaps":
            return None
        rounds = [board["rounds"][-1] for board in self.data["boards"] if board["rounds"]]
        tos = [
            r["checked_to"] if r["checked_to"] is not None and r["mismatch"] is None else r["max"]
            for r in rounds
        ]
        return min(tos, default=None)

    @property
    def settled(self) -> bool:
        """Whether all was settled, and nothing that is published was refuted."""
        return self._made.settled

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report or the certificate to a file.

        Parameters
        ----------
        path : str or path
            The file: a report as NAME.html, NAME.tex or NAME.json, the certificate as NAME.cert,
            its theorem for Coq as NAME.v.

        Raises
        ------
        Error
            If the name ends otherwise, or there is no certificate.

        Examples
        --------
        >>> bouton.study("nim(2)").save("nim.html")
        """
        file = named("path", path)
        if file.suffix in (".cert", ".v"):
            if self.certificate is None:
                raise Error("there is no certificate: nothing was proved")
            save_certificate(file, self.certificate)
        elif file.suffix in FORMATS:
            write(file, self.report(FORMATS[file.suffix]))
        else:
            raise Error(
                f"{file}: no format by this name", accepted=".html, .tex, .json, .cert or .v"
            )

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
    misere: bool | None,
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
    misere: bool | None = None,
    values: bool = False,
    max: int | None = None,  # noqa: A002
    to: int | None = None,
    rules: tuple[str, ...] = (),
    nodes: int | None = None,
    memory: int | None = 4096,
) -> Study:
    """Studies a game, or a family as Gamma(1,4;n).

    There are a table, a conjecture, a larger table, a proof, and what is published.

    A sum of games on heaps, as S(1,2,3) + nim, is studied as one game. What is called proved the
    independent checker has accepted.

    Parameters
    ----------
    game : str or Game
        The game.
    seconds : float, optional
        Time limit; without one tables grow until a form stands, or for 20 seconds.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    values : bool
        Whether the study is of the nim-values in place of the P-positions: a form v = … for all
        heap sizes.
    max : int, optional
        The largest heap of the tables.
    to : int, optional
        The largest parameter of a family.
    rules : tuple of str
        Texts of rule files whose games may be named.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    Study

    Raises
    ------
    Error
        If the game cannot be read, or an argument says nothing about it.

    Examples
    --------
    >>> bouton.study("nim(3)")
    <bouton.Study nim(3): proved>
    >>> bouton.study("kayles").form
    'period 12 from 71 on'
    """
    from ._game import Game
    from ._own import OwnGame

    if isinstance(game, Game):
        if rules or misere is not None or to is not None:
            raise Error(
                "the game says its rules and its play itself",
                accepted="study(game) without rules, misere and to",
            )
        return game.study(seconds=seconds, values=values, max=max, nodes=nodes, memory=memory)
    if not isinstance(game, str):
        accepted = "a game's name such as CN(6,3), a family such as Gamma(1,4;n), or bouton.game(…) of a name or a rule file"
        if isinstance(game, OwnGame):
            accepted += f"; of {game.name} conjecture(max) seeks a form, which a rule file with the same moves can prove"
        raise WrongType(f"{game!r:.60} is no game that can be studied", accepted=accepted)
    name = text("game", game, "a game such as CN(6,3), or a family such as Gamma(1,4;n)")
    misere, values = truth_or_none("misere", misere), truth("values", values)
    return study_of(
        name, rule_files(rules), misere, values, max, to, None, limits(seconds, nodes, memory)
    )


@dataclass(frozen=True)
class Sentence:
    """A form in the parameter. About all values it is a conjecture, whatever is proved of some.

    Examples
    --------
    >>> odd = bouton.study_range("S(1,h;1)", "h", range(2, 8)).sentences[1]
    >>> odd.form, odd.modulus, odd.residue, odd.proved
    ('a mod 2 = 0', 2, 1, (3, 5, 7))
    """

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

    def __bool__(self) -> bool:
        no_truth(self, "a question about the values, such as 7 in sentence.proved")


class RangeStudy(_Reported):
    """A game with a parameter, studied for each value.
    `data` has all of it, with the keys of `bouton study --for --json`.

    Examples
    --------
    >>> found = bouton.study_range("S(1,h;1)", "h", range(2, 4))
    >>> found.verdict, sorted(found.studies)
    ('proved', [2, 3])
    """

    __slots__ = ()

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
            Sentence(
                one["form"],
                one["modulus"],
                one["residue"],
                tuple(one["proved"]),
                tuple(one["agrees"]),
            )
            for one in self.data["sentences"]
        ]

    @property
    def studies(self) -> dict[int, dict[str, Any]]:
        """The study of each value, with the keys of `bouton study --json`."""
        return {one["value"]: one for one in self.data["studies"]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a report to a file.

        Parameters
        ----------
        path : str or path
            The file, as NAME.html, NAME.tex or NAME.json.

        Raises
        ------
        Error
            If the name ends otherwise.

        Examples
        --------
        >>> bouton.study_range("S(1,h;1)", "h", range(2, 4)).save("range.html")
        """
        file = named("path", path)
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
    misere: bool | None = None,
    nim_values: bool = False,
    max: int | None = None,  # noqa: A002
    rules: tuple[str, ...] = (),
    nodes: int | None = None,
    memory: int | None = 4096,
) -> RangeStudy:
    """Studies a game for each value of a parameter, one after the other, and seeks a form in it.

    Parameters
    ----------
    game : str
        The game, with the parameter's name in the place of numbers.
    parameter : str
        Its name.
    values : range
        Its values, at most 100, without gaps.
    seconds : float, optional
        Time limit, shared out among the values.
    misere : bool, optional
        Whether the player who cannot move wins; if it is not given, as the name says.
    nim_values : bool
        Whether forms of the nim-values v are sought instead of the P-positions.
    max : int, optional
        The largest heap of the tables.
    rules : tuple of str
        Texts of rule files whose games may be named.
    nodes : int, optional
        Limit on the positions expanded.
    memory : int, optional
        Limit on tables, in megabytes.

    Returns
    -------
    RangeStudy

    Raises
    ------
    Error
        If the game cannot be read, or the parameter stands nowhere in it.

    Examples
    --------
    >>> bouton.study_range("S(1,h;1)", "h", range(2, 4))
    <bouton.RangeStudy S(1,h;1), h = 2..3: proved>
    """
    name = text("game", game, "a game with a name in the place of a number, such as CN(n,n-1)")
    if not isinstance(values, range) or values.step != 1 or not values:
        raise Error(
            f"values: {values!r}",
            accepted="a range of one or more numbers without gaps, such as range(2, 8)",
        )
    bound = None if max is None else whole("max", max, 0, 65535)
    asked = limits(seconds, nodes, memory)
    chosen = text("parameter", parameter, "a name that stands in the game, such as h")
    first, last = (
        whole("values", values[0], -(2**62), 2**62),
        whole("values", values[-1], -(2**62), 2**62),
    )
    files, misere = rule_files(rules), truth_or_none("misere", misere)
    valued = truth("nim_values", nim_values)
    made = _bouton.study_range(name, chosen, first, last, files, misere, valued, bound, asked)
    return RangeStudy(made)


def fragment(title: str, lines: list[str]) -> str:
    """A piece of HTML for a notebook: a heading and lines, escaped."""
    return (
        f'<div class="bouton"><b>{escape(title)}</b>'
        + "".join(f"<br>{escape(line)}" for line in lines)
        + "</div>"
    )

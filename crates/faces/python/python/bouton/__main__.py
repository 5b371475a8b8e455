"""`python -m bouton sweep …`: long work on many cores, from the command line. Other commands are
those of the program `bouton`."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from . import __version__, _bouton
from ._errors import Error, LimitReached
from ._sweep import Catalogue, atlas, catalogue, census, sweep as swept

PARAMETERS = ("m1", "m2", "m3", "m4", "m5", "m6", "n")
RANGE = re.compile(r"\s*(\d{1,18})\s*(?:\.\.=?\s*(\d{1,18})\s*)?")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # One line, whether JSON is wanted or not.
        _fail(Error(message, accepted=f"see {self.prog} --help"), "--json" in sys.argv)


def _fail(error: BaseException, as_json: bool) -> NoReturn:
    if as_json:
        told: dict[str, Any] = {"message": str(error)}
        if isinstance(error, Error):
            told = {
                "message": error.message,
                "text": error.text,
                "at": error.at,
                "accepted": error.accepted,
            }
        print(
            json.dumps({"error": {key: value for key, value in told.items() if value is not None}})
        )
    elif isinstance(error, Error) and error.text is None:
        accepted = f"; accepted: {error.accepted}" if error.accepted else ""
        print(f"error: {error.message}{accepted}", file=sys.stderr)
    else:
        print(f"error: {error}", file=sys.stderr)
    sys.exit(2)


def _range(name: str, given: str) -> range:
    found = RANGE.fullmatch(given)
    if found is None:
        raise Error(
            f"{name} = {given} is no range", accepted="1..72, both ends included, or one number"
        )
    first = int(found[1])
    last = int(found[2]) if found[2] is not None else first
    if last < first:
        raise Error(
            f"the range {name} = {first}..{last} is upside down", accepted="smaller end first"
        )
    return range(first, last + 1)


def command_line() -> NoReturn:
    """The command `bouton`: the same program as the one that Cargo installs, without databases."""
    sys.exit(_bouton.command_line(sys.argv))


def _option(given: str) -> tuple[str, Any]:
    name, mark, value = given.partition("=")
    if not mark or not name.isidentifier():
        raise Error(
            f"--option {given}: no option", accepted="NAME=VALUE, such as queue=long or memory=4GB"
        )
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _number(given: str) -> int:
    try:
        return int(given.replace("_", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{given!r} is no whole number") from None


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m bouton",
        description="Long work on many cores: shards on Dask, results in a folder. Killed at any moment, the same command goes on. Other commands, such as solve and study, are those of the program bouton.",
    )
    parser.add_argument("--version", action="version", version=f"bouton {__version__}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )

    def command(name: str, about: str, examples: str) -> _Parser:
        added: _Parser = commands.add_parser(
            name,
            help=about,
            description=about,
            epilog="Examples:\n" + examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        return added

    def running(added: _Parser) -> None:
        added.add_argument(
            "--to",
            required=True,
            metavar="DIR",
            help="the folder of results; made if there is none",
        )
        added.add_argument(
            "--cluster",
            metavar="WHERE",
            default="local",
            help="local (this machine), slurm, or the address of a scheduler of Dask such as tcp://HOST:8786",
        )
        added.add_argument(
            "--workers",
            type=_number,
            metavar="N",
            help="workers of this machine, or jobs of Slurm; 0: no Dask",
        )
        added.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="for SLURMCluster or LocalCluster: queue=long, walltime=08:00:00, memory=4GB; may stand several times",
        )
        added.add_argument(
            "--seconds", type=float, metavar="S", help="begin no shard after so many seconds"
        )
        told(added)

    def told(added: _Parser) -> None:
        added.add_argument(
            "-o", "--output", metavar="FILE", help="write the table, .parquet or .csv by its name"
        )
        added.add_argument("--json", action="store_true", help="print one JSON value")
        added.add_argument("--quiet", action="store_true", help="do not tell how far it is")

    of_sweep = command(
        "sweep",
        "Outcomes of a family of Kotzig's Nim over ranges of its parameters",
        "  python -m bouton sweep 'Gamma(m1,m2;n)' --m1 1..72 --m2 1..72 --n 1..72 --to kotzig\n"
        "  python -m bouton sweep 'Gamma(1,m;m+2)' --range m=2..100 --misere --to misere -o misere.csv\n"
        "  python -m bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --to big --cluster tcp://login1:8786\n"
        "  python -m bouton sweep 'Gamma(m1,m2;n)' --m1 1..200 --m2 1..200 --n 1..120 --to big --cluster slurm --workers 64"
        " --option queue=long",
    )
    of_sweep.add_argument(
        "family", help="moves and length are sums and products of numbers and parameters"
    )
    for name in PARAMETERS:
        of_sweep.add_argument(
            f"--{name}", metavar="A..B", help=f"the range of {name}, both ends included"
        )
    of_sweep.add_argument(
        "--range",
        action="append",
        default=[],
        metavar="NAME=A..B",
        help="the range of another parameter",
    )
    of_sweep.add_argument("--misere", action="store_true", help="whoever cannot move wins")
    of_sweep.add_argument(
        "--nodes",
        type=_number,
        default=10_000_000_000,
        metavar="N",
        help="positions for one game at most",
    )
    running(of_sweep)

    of_census = command(
        "census",
        "The period of every taking-and-breaking code of at most so many digits",
        "  python -m bouton census --digits 3 --to octal\n"
        "  python -m bouton census --codes open.txt --heaps 1073741823 --each 600 --to far\n"
        "  python -m bouton census --digits 4 --base 16 --heaps 1000 --to hexadecimal --cluster tcp://login1:8786",
    )
    which = of_census.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--digits", type=_number, metavar="D", help="digits behind the point, at most"
    )
    which.add_argument(
        "--codes", metavar="FILE", help="the codes of this file, with white space between"
    )
    of_census.add_argument("--base", type=_number, default=8, metavar="4|8|16", help="8 by default")
    of_census.add_argument(
        "--heaps", type=_number, default=10_000, metavar="N", help="the largest heap"
    )
    of_census.add_argument("--each", type=float, metavar="S", help="seconds for each code at most")
    running(of_census)

    of_atlas = command(
        "atlas",
        "Every game of an atlas's plan studied",
        "  python -m bouton atlas complexes --to complexes -o complexes.parquet\n"
        "  python -m bouton atlas my-plan.toml --each 60 --to mine --cluster slurm --workers 16",
    )
    of_atlas.add_argument("plan", help="a plan that comes with the program, or a file NAME.toml")
    of_atlas.add_argument(
        "--each", type=float, metavar="S", help="seconds for each game instead of the plan's"
    )
    running(of_atlas)

    of_catalogue = command(
        "catalogue",
        "The table of a folder of results, from its files alone",
        "  python -m bouton catalogue kotzig -o kotzig.parquet\n  python -m bouton catalogue kotzig --json",
    )
    of_catalogue.add_argument("folder", help="a folder of sweep, census or atlas")
    told(of_catalogue)
    return parser


def _found(given: argparse.Namespace) -> Catalogue:
    if given.command == "catalogue":
        return catalogue(given.folder)
    common: dict[str, Any] = {
        "folder": given.to,
        # Without Dask no workers are asked for, so none has a place.
        "client": None if given.cluster == "local" else given.cluster,
        "workers": given.workers,
        "options": dict(_option(option) for option in given.option) or None,
        "seconds": given.seconds,
        "progress": False if given.quiet else None,
    }
    if given.command == "census":
        codes = (
            given.digits
            if given.codes is None
            else Path(given.codes).read_text(encoding="utf-8").split()
        )
        return census(codes, given.base, to=given.heaps, each=given.each, **common)
    if given.command == "atlas":
        return atlas(given.plan, each=given.each, **common)
    ranges: dict[str, Any] = {
        name: _range(name, value)
        for name in PARAMETERS
        if (value := getattr(given, name)) is not None
    }
    for text in given.range:
        name, mark, value = text.partition("=")
        if not mark:
            raise Error(
                f"--range {text}: no range of a parameter", accepted="NAME=A..B, such as m=2..100"
            )
        if name.strip() in ranges:
            raise Error(f"the parameter {name.strip()} has two ranges", accepted="one for each")
        ranges[name.strip()] = _range(name.strip(), value)
    if taken := ranges.keys() & {*common, "misere", "nodes"}:
        raise Error(
            f"the parameter {min(taken)} has the name of an argument",
            accepted="another name in the family",
        )
    return swept(given.family, misere=given.misere, nodes=given.nodes, **common, **ranges)


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; 0: all is known, 1: something is not, 2: it could not be done."""
    given = _parser().parse_args(arguments)
    began = time.monotonic()
    try:
        found = _found(given)
        if given.output:
            found.save(given.output)
    except KeyboardInterrupt:
        print("stopped; what is done is kept, and the same command goes on", file=sys.stderr)
        return 130
    except (Error, OSError) as error:
        _fail(error, given.json)
    return _tell(found, given, time.monotonic() - began)


def _tell(found: Catalogue, given: argparse.Namespace, seconds: float) -> int:
    what = (
        "verdict"
        if "verdict" in found.columns
        else "status"
        if "status" in found.columns
        else "outcome"
    )
    counts: dict[str, int] = {}
    for value in found[what]:
        counts[value or "unknown"] = counts.get(value or "unknown", 0) + 1
    counts = dict(sorted(counts.items()))
    if given.json:
        told = {
            "rules": found.rules,
            "budget": found.budget,
            "folder": str(Path(found.folder)),
            "rows": len(found),
            what: counts,
        }
        told |= {
            "shards": found.shards,
            "missing": found.missing,
            "digest": found.digest,
            "seconds": round(seconds, 3),
        }
        print(json.dumps(told, ensure_ascii=False))
    else:
        print(
            f"{found.rules}: {len(found)} rows; {', '.join(f'{count} {word}' for word, count in counts.items())}"
        )
        if found.missing:
            print(
                f"{found.missing} of {found.shards} shards are missing: the same command goes on with them"
            )
        print(f"sha256 of the sorted rows {found.digest}")
    return 1 if found.missing or "unknown" in counts else 0


def sweep() -> int:
    """The program bouton-sweep: `python -m bouton sweep`."""
    return main(["sweep", *sys.argv[1:]])


def module() -> int:
    """`python -m bouton`: the commands of this module, and those of the program."""
    first = next(iter(sys.argv[1:]), "-")
    if first in ("sweep", "census", "atlas", "catalogue") or first.startswith("-"):
        return main()
    return _bouton.command_line(["bouton", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(module())

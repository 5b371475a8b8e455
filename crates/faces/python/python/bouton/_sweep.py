"""Long work on many cores: sweeps, censuses and atlases as folders of shards, and the catalogue of what they hold."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _bouton, _dask
from ._arguments import limits, text, whole
from ._errors import Error, LimitReached, WrongType
from ._files import write
from ._folder import Folder
from ._picture import span

MOST = 2**63 - 1


class Catalogue:
    """What the files of a folder say: a table, which pandas, polars and pyarrow take as it is by the Arrow capsule interface.

    Of a sweep a row is a game as it was asked for (m1, m2, …, n, play, outcome, form: the game that was searched for it), of a
    census a code, of an atlas an entry. What is not known is null: its budget was spent, or its shard is `missing`.
    """

    def __init__(self, folder: Folder) -> None:
        files = list(folder.files())
        self._plan, self._folder = folder.plan, folder.path
        try:
            self._table = folder.plan.table(files)
        except Error as error:
            accepted = "the call that made the folder, once more: it sets the file aside and makes it again"
            raise Error(f"{folder.path}: {error.message}", error.text, error.at, error.accepted or accepted) from None
        self.missing: int = files.count(None)
        """Shards that are not done."""
        self.shards: int = len(files)
        """Shards of the plan."""

    @property
    def rules(self) -> str:
        """What it is about."""
        return self._plan.rules

    @property
    def budget(self) -> str:
        """What each game could cost."""
        return self._plan.budget

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    @property
    def digest(self) -> str:
        """SHA-256 of the sorted rows: of `catalogue.save("c.csv")` what `tail -n +2 c.csv | LC_ALL=C sort | sha256sum` prints. The
        same plan gives the same digest on every machine, where its budget is none of time."""
        return self._table.digest()

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, column: str) -> list[Any]:
        """A column, None where nothing is known."""
        return self._table.column(text("column", column, ", ".join(self.columns)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries."""
        names = self.columns
        for row in zip(*(self[name] for name in names), strict=True):
            yield dict(zip(names, row, strict=True))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes one file, by its name .parquet or .csv. An atlas's .parquet is what `bouton atlas --from` takes."""
        path = Path(file)
        match path.suffix:
            case ".parquet":
                told = {"rules": self.rules, "budget": self.budget, "version": _bouton.version, "plan": self._plan.text}
                write(path, self._table.parquet([(f"bouton.{key}", value) for key, value in told.items()]))
            case ".csv":
                write(path, self._table.csv())
            case _:
                raise Error(f"{file}: no format by this name", accepted=".parquet or .csv")

    def certificates(self, folder: str | os.PathLike[str]) -> int:
        """Writes the certificates of an atlas, each as HASH.cert; how many there are."""
        if "proof" not in self.columns:
            raise Error("the files hold no certificates", accepted="the folder of bouton.atlas")
        proofs = {name: proof for name, proof in zip(self["certificate"], self["proof"], strict=True) if name and proof}
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, proof in proofs.items():
            write(Path(folder) / f"{name}.cert", proof)
        return len(proofs)

    def __repr__(self) -> str:
        done = "" if self.missing == 0 else f", {self.shards - self.missing} of {self.shards} shards done"
        return f"<bouton.Catalogue {self.rules}: {len(self)} rows{done}>"


def catalogue(folder: str | os.PathLike[str]) -> Catalogue:
    """The table of a folder of `sweep`, `census` or `atlas`, done or not, from its files alone. Every byte of every file is checked,
    and that it belongs to the folder's plan."""
    return Catalogue(Folder.found(_path(folder)))


def sweep(
    family: str,
    *,
    folder: str | os.PathLike[str],
    misere: bool = False,
    nodes: int = 10_000_000_000,
    client: Any = None,
    workers: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    progress: bool | None = None,
    **ranges: range | int,
) -> Catalogue:
    """The outcomes of a family of Kotzig's Nim, on all cores or on a cluster:
    `sweep("Gamma(m1,m2;n)", m1=range(1, 73), m2=range(1, 73), n=range(1, 73), folder="kotzig")`.

    Each parameter of the family has a range or a number; games whose moves do not ascend are left out. `nodes` are for each game:
    one that needs more has no outcome. Shards are written into `folder` as they end; the same call goes on with those that are
    missing, whoever was killed meanwhile.

    client: None runs on this machine with Dask's LocalCluster (in this process if Dask is not installed), "slurm" asks
    dask-jobqueue's SLURMCluster for `workers` jobs, tcp://HOST:PORT is a scheduler; a distributed.Client or a cluster of Dask are
    taken as they are. workers=0 runs in this process. options: what LocalCluster or SLURMCluster take, such as
    {"queue": "long", "walltime": "08:00:00"}. seconds: after these no shard is begun, and what is not done is `missing`.
    """
    spans = [(parameter, *span(parameter, values)) for parameter, values in ranges.items()]
    name = text("family", family, "a family such as Gamma(1,4;n) or Gamma(m1,m2;n)")
    plan = _bouton.Plan.sweep(name, spans, _truth("misere", misere), whole("nodes", nodes, 1, MOST))
    return _run(plan, folder, client, workers, options, seconds, progress)


def census(
    digits: int | Iterable[str],
    base: int = 8,
    *,
    to: int = 10_000,
    folder: str | os.PathLike[str],
    each: float | None = None,
    client: Any = None,
    workers: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    progress: bool | None = None,
) -> Catalogue:
    """The period of every taking-and-breaking code 0.d… of at most so many digits, from heaps up to `to`: `census(3, folder="octal")`.

    base is 4, 8 or 16. A row a code: verdict "proved" (the checker has accepted a certificate), "holds" (seen three times, not
    proved) or "unknown"; period, preperiod, saltus, number of exceptions and the last of them, the greatest nim-value, how many
    heaps were looked at, and in a sparse space the number of rare heaps and the last of them. Instead of `digits` a list of codes
    may stand, say those that a census left open: `census([row["game"] for row in near if row["verdict"] == "unknown"], to=2**30,
    each=600, folder="far")`. `each`: seconds for a code at most; heaps are counted as far as it came. Without it the same rows come
    from every machine. A byte a heap is held, 1 GB at least. Past 6.7·10^7 heaps a code that has settled goes on by its latest values
    alone; of such a row the number of exceptions and the greatest value are null. The other arguments are those of `sweep`.
    """
    if isinstance(digits, Iterable) and not isinstance(digits, (str, bytes)):
        named, count = [text("codes", code, 'codes such as "0.007"') for code in digits], 0
    else:
        named, count = None, whole("digits", digits, 0, 99)
    most = whole("to", to, 0, MOST)
    plan = _bouton.Plan.census(whole("base", base, 0, 99), count, named, most, limits(each, None, None)[0])
    return _run(plan, folder, client, workers, options, seconds, progress)


def atlas(
    plan: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str],
    each: float | None = None,
    client: Any = None,
    workers: int | None = None,
    options: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    progress: bool | None = None,
) -> Catalogue:
    """Every game of an atlas's plan studied: a plan that comes with the program ("complexes", "codes", …), or a file (docs/atlas.md).

    `each`: seconds for a game instead of the plan's. A plan with nodes and no seconds gives the same rows on every machine. The
    other arguments are those of `sweep`; `save("complexes.parquet")` and `certificates(…)` give what `bouton atlas` writes.
    """
    if isinstance(plan, os.PathLike) or (isinstance(plan, str) and plan.endswith(".toml")):
        try:
            named = Path(plan).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise Error(f"{plan} is no text", accepted="a plan as docs/atlas.md describes") from None
    else:
        named = text("plan", plan, "the name of a plan, or a file NAME.toml")
        if named not in (known := _bouton.plans()):
            raise Error(f"there is no plan {named!r}", accepted=f"{', '.join(known)}, or a file NAME.toml")
    made = _bouton.Plan.atlas(named, limits(each, None, None)[0])
    return _run(made, folder, client, workers, options, seconds, progress)


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise WrongType(f"{name}={value!r} is no truth value", accepted="True or False")
    return value


def _path(folder: Any) -> Path:
    if not isinstance(folder, (str, os.PathLike)) or not os.fspath(folder):
        raise WrongType(f"folder={folder!r} is no folder", accepted="a path")
    return Path(os.fsdecode(folder))


def _run(
    plan: _bouton.Plan,
    folder: Any,
    client: Any,
    workers: int | None,
    options: Mapping[str, Any] | None,
    seconds: float | None,
    progress: bool | None,
) -> Catalogue:
    count = None if workers is None else whole("workers", workers, 0, 100_000)
    if options is not None and not isinstance(options, Mapping):
        raise WrongType(f"options={options!r} is no mapping", accepted='such as {"queue": "long"}')
    span = limits(seconds, None, None)[0]
    deadline = None if span is None else time.monotonic() + span
    if count == 0 and (client is not None or options):
        raise Error("workers=0 is this process alone, without a client or options", accepted="workers=None with a client")
    opened = Folder(_path(folder), plan)
    missing = opened.missing()
    tell = _Progress(opened, missing, sys.stderr.isatty() if progress is None else _truth("progress", progress))
    try:
        if missing and (count == 0 or (client is None and not options and not _dask.there())):
            if count != 0:
                warnings.warn(f"Dask is not installed: one core works ({_dask.INSTALL})", RuntimeWarning, stacklevel=3)
            _here(opened, missing, deadline, tell)
        elif missing:
            with _dask.connected(client, count, options or {}) as (connected, again):
                _dask.run(opened, missing, connected, again, deadline, tell)
        opened.tidy()
    finally:
        tell.end()
    return Catalogue(opened)


def _here(folder: Folder, missing: list[int], deadline: float | None, tell: Callable[[int], None]) -> None:
    """In this process, one shard after the other."""
    for number in missing:
        tell(1)
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return
        began, used = time.monotonic(), time.process_time()
        try:
            data = _bouton.shard(folder.plan.shard(number), (left, None, None))
        except LimitReached:
            if deadline is not None and time.monotonic() >= deadline:
                return
            raise
        seconds = (time.monotonic() - began, time.process_time() - used)
        folder.put(number, data)
        folder.cost(number, *seconds, "")


class _Progress:
    """A line on the terminal, by the seconds that shards are expected to take."""

    EVERY = 0.5

    def __init__(self, folder: Folder, missing: list[int], shown: bool) -> None:
        self._folder, self._missing, self._shown = folder, missing, shown
        self._began, self._last, self._width = time.monotonic(), 0.0, 0

    def __call__(self, workers: int) -> None:
        now = time.monotonic()
        if not self._shown or now - self._last < self.EVERY:
            return
        self._last = now
        shards, done = self._folder.shards, self._folder.done
        whole = sum(shards[number][2] for number in self._missing)
        ready = sum(shards[number][2] for number in self._missing if number in done)
        left = f", about {(now - self._began) * (whole / ready - 1):.0f} s left" if ready else ""
        line = f"{len(done)} of {len(shards)} shards, {workers or 'no'} workers{left}"
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

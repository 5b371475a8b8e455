"""Long work on many cores: sweeps, censuses and atlases.

They are folders of shards; a catalogue has what they hold.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _bouton, _dask
from ._arguments import limits, path as named, text, truth, whole
from ._errors import Error, LimitReached, WrongType, no_truth
from ._files import write
from ._folder import Folder
from ._picture import span

MOST = 2**63 - 1


class Catalogue:
    """The table of the files of a folder.

    Pandas, polars and pyarrow take it as it is by the Arrow capsule interface.

    Of a sweep a row is a game as it was asked for (m1, m2, …, n, play, outcome, form: the game that
    was searched for it), of a census a code, of an atlas an entry. What is not known is null: its
    budget was spent, or its shard is `missing`.

    Examples
    --------
    >>> found = bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder="catalogue", workers=0)
    >>> found.columns, len(found), found.missing
    (['m1', 'm2', 'n', 'play', 'outcome', 'form'], 5, 0)
    """

    __slots__ = ("_files", "_folder", "_plan", "_table", "missing", "shards")

    def __init__(self, plan: _bouton.Plan, path: Path, files: list[bytes | None]) -> None:
        self._plan, self._folder, self._files = plan, path, files
        try:
            self._table = plan.table(files)
        except Error as error:
            accepted = "the call that made the folder, once more: it sets the file aside and makes it again"
            raise Error(
                f"{path}: {error.message}", error.text, error.at, error.accepted or accepted
            ) from None
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
        """SHA-256 of the sorted rows.

        Of `catalogue.save("c.csv")` it is what `tail -n +2 c.csv | LC_ALL=C sort | sha256sum`
        prints. The same plan gives the same digest on every machine, where its budget is none of
        time.
        """
        return self._table.digest()

    def __len__(self) -> int:
        return len(self._table)

    def __bool__(self) -> bool:
        no_truth(self, "a question, such as len(catalogue), or catalogue.missing == 0")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Catalogue):
            return NotImplemented
        return (self._plan.text, self.missing, self.digest) == (
            other._plan.text,
            other.missing,
            other.digest,
        )

    def __hash__(self) -> int:
        return hash((self._plan.text, self.missing))

    def __reduce__(self) -> tuple[Any, ...]:
        # With the files: the folder may have changed, or be on another machine.
        return _unpickled, (self._plan.text, self._folder, self._files)

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
        """Writes one file. An atlas's .parquet is what `bouton atlas --from` takes.

        Parameters
        ----------
        file : str or path
            The file, as NAME.parquet or NAME.csv.

        Raises
        ------
        Error
            If the name ends otherwise.

        Examples
        --------
        >>> found = bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder="catalogue", workers=0)
        >>> found.save("found.csv")
        """
        path = named("file", file)
        match path.suffix:
            case ".parquet":
                told = {
                    "rules": self.rules,
                    "budget": self.budget,
                    "version": _bouton.version,
                    "plan": self._plan.text,
                }
                write(
                    path,
                    self._table.parquet([(f"bouton.{key}", value) for key, value in told.items()]),
                )
            case ".csv":
                write(path, self._table.csv())
            case _:
                raise Error(f"{file}: no format by this name", accepted=".parquet or .csv")

    def certificates(self, folder: str | os.PathLike[str]) -> int:
        """Writes the certificates of an atlas, each as HASH.cert.

        Parameters
        ----------
        folder : str or path
            Where the files go.

        Returns
        -------
        int
            How many there are.

        Raises
        ------
        Error
            If the table is none of an atlas.

        Examples
        --------
        >>> found = bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder="catalogue", workers=0)
        >>> found.certificates("proofs")
        Traceback (most recent call last):
        bouton.Error: the files hold no certificates
        accepted: the folder of bouton.atlas
        """
        if "proof" not in self.columns:
            raise Error("the files hold no certificates", accepted="the folder of bouton.atlas")
        proofs = {
            name: proof
            for name, proof in zip(self["certificate"], self["proof"], strict=True)
            if name and proof
        }
        target = named("folder", folder)
        target.mkdir(parents=True, exist_ok=True)
        for name, proof in proofs.items():
            write(target / f"{name}.cert", proof)
        return len(proofs)

    def __repr__(self) -> str:
        done = (
            ""
            if self.missing == 0
            else f", {self.shards - self.missing} of {self.shards} shards done"
        )
        return f"<bouton.Catalogue {self.rules}: {len(self)} rows{done}>"


def catalogue(folder: str | os.PathLike[str]) -> Catalogue:
    """Returns the table of a folder of `sweep`, `census` or `atlas` from its files alone.

    The work may be done or not.

    Every byte of every file is checked, and that it belongs to the folder's plan.

    Parameters
    ----------
    folder : str or path
        The folder.

    Returns
    -------
    Catalogue

    Raises
    ------
    Error
        If the folder holds no plan, or a file is damaged.

    Examples
    --------
    >>> made = bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder="catalogue", workers=0)
    >>> bouton.catalogue("catalogue") == made
    True
    """
    return _read(Folder.found(named("folder", folder)))


def _read(folder: Folder) -> Catalogue:
    return Catalogue(folder.plan, folder.path, list(folder.files()))


def _unpickled(plan: str, path: Path, files: list[bytes | None]) -> Catalogue:
    return Catalogue(_bouton.Plan.parse(plan), path, files)


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
    """Finds the outcomes of a family of Kotzig's Nim, on all cores or on a cluster.

    Games whose moves do not ascend are left out. Shards are written into `folder` as they end; the
    same call goes on with those that are missing, whoever was killed meanwhile.

    Parameters
    ----------
    family : str
        A family with parameters, such as Gamma(m1,m2;n).
    folder : str or path
        Where the shards go.
    misere : bool
        Whether the player who cannot move wins.
    nodes : int
        Limit on the positions expanded, for each game: one that needs more has no outcome.
    client : optional
        None runs on this machine with Dask's LocalCluster (in this process if Dask is not
        installed), "slurm" asks dask-jobqueue's SLURMCluster for `workers` jobs, tcp://HOST:PORT is
        a scheduler; a distributed.Client or a cluster of Dask are taken as they are.
    workers : int, optional
        How many; 0 runs in this process.
    options : mapping, optional
        What LocalCluster or SLURMCluster take, such as {"queue": "long", "walltime": "08:00:00"}.
    seconds : float, optional
        After these no shard is begun, and what is not done is `missing`.
    progress : bool, optional
        Whether a line on the terminal tells how far it is; by default on a terminal.
    **ranges : range or int
        The values of each parameter, by the name that the family gives it.

    Returns
    -------
    Catalogue

    Raises
    ------
    Error
        If the family cannot be read, or the folder holds another plan.

    Examples
    --------
    >>> bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder="kotzig", workers=0)["outcome"]
    ['P', 'N', 'N', 'N', 'P']
    """
    spans = [(parameter, *span(parameter, values)) for parameter, values in ranges.items()]
    name = text("family", family, "a family such as Gamma(1,4;n) or Gamma(m1,m2;n)")
    plan = _bouton.Plan.sweep(name, spans, truth("misere", misere), whole("nodes", nodes, 1, MOST))
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
    """Seeks the period of every taking-and-breaking code 0.d… of at most so many digits.

    A row a code: verdict "proved" (the checker has accepted a certificate), "holds" (seen three
    times, not proved) or "unknown"; period, preperiod, saltus, number of exceptions and the last of
    them, the greatest nim-value, how many heaps were looked at, and in a sparse space the number of
    rare heaps and the last of them. A byte a heap is held, 1 GB at least. Past 6.7·10^7 heaps a
    code that has settled goes on by its latest values alone; of such a row the number of exceptions
    and the greatest value are null.

    Parameters
    ----------
    digits : int or iterable of str
        The most digits; or a list of codes, such as those that a census left open.
    base : int
        4, 8 or 16.
    to : int
        The largest heap.
    folder : str or path
        Where the shards go.
    each : float, optional
        Seconds for a code at most; heaps are counted as far as it came. Without it the same rows
        come from every machine.
    client : optional
        None runs on this machine with Dask's LocalCluster (in this process if Dask is not
        installed), "slurm" asks dask-jobqueue's SLURMCluster for `workers` jobs, tcp://HOST:PORT is
        a scheduler; a distributed.Client or a cluster of Dask are taken as they are.
    workers : int, optional
        How many; 0 runs in this process.
    options : mapping, optional
        What LocalCluster or SLURMCluster take, such as {"queue": "long", "walltime": "08:00:00"}.
    seconds : float, optional
        After these no shard is begun, and what is not done is `missing`.
    progress : bool, optional
        Whether a line on the terminal tells how far it is; by default on a terminal.

    Returns
    -------
    Catalogue

    Raises
    ------
    Error
        If a code cannot be read, or the folder holds another plan.

    Examples
    --------
    >>> found = bouton.census(["0.77", "0.07"], to=300, folder="octal", workers=0)
    >>> sorted(zip(found["game"], found["period"]))
    [('0.07', 34), ('0.77', 12)]
    """
    if isinstance(digits, Iterable) and not isinstance(digits, (str, bytes)):
        named, count = [text("codes", code, 'codes such as "0.007"') for code in digits], 0
    else:
        named, count = None, whole("digits", digits, 0, 99)
    most = whole("to", to, 0, MOST)
    plan = _bouton.Plan.census(
        whole("base", base, 0, 99), count, named, most, limits(each, None, None)[0]
    )
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
    """Studies every game of an atlas's plan.

    `save("complexes.parquet")` and `certificates(…)` of what it returns give what `bouton atlas`
    writes.

    Parameters
    ----------
    plan : str or path
        A plan that comes with the program ("complexes", "codes", …), or a file NAME.toml
        (docs/atlas.md).
    folder : str or path
        Where the shards go.
    each : float, optional
        Seconds for a game in place of the plan's. A plan with nodes and no seconds gives the same
        rows on every machine.
    client : optional
        None runs on this machine with Dask's LocalCluster (in this process if Dask is not
        installed), "slurm" asks dask-jobqueue's SLURMCluster for `workers` jobs, tcp://HOST:PORT is
        a scheduler; a distributed.Client or a cluster of Dask are taken as they are.
    workers : int, optional
        How many; 0 runs in this process.
    options : mapping, optional
        What LocalCluster or SLURMCluster take, such as {"queue": "long", "walltime": "08:00:00"}.
    seconds : float, optional
        After these no shard is begun, and what is not done is `missing`.
    progress : bool, optional
        Whether a line on the terminal tells how far it is; by default on a terminal.

    Returns
    -------
    Catalogue

    Raises
    ------
    Error
        If there is no such plan, or the folder holds another one.

    Examples
    --------
    >>> bouton.atlas("atlantis", folder="atlas", workers=0)
    Traceback (most recent call last):
    bouton.Error: there is no plan 'atlantis'
    ...
    """
    if isinstance(plan, os.PathLike) or (isinstance(plan, str) and plan.endswith(".toml")):
        try:
            named = Path(plan).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise Error(
                f"{plan} is no text", accepted="a plan as docs/atlas.md describes"
            ) from None
    else:
        named = text("plan", plan, "the name of a plan, or a file NAME.toml")
        if named not in (known := _bouton.plans()):
            raise Error(
                f"there is no plan {named!r}", accepted=f"{', '.join(known)}, or a file NAME.toml"
            )
    made = _bouton.Plan.atlas(named, limits(each, None, None)[0])
    return _run(made, folder, client, workers, options, seconds, progress)


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
        raise Error(
            "workers=0 is this process alone, without a client or options",
            accepted="workers=None with a client",
        )
    opened = Folder(named("folder", folder), plan)
    missing = opened.missing()
    tell = _Progress(
        opened, missing, sys.stderr.isatty() if progress is None else truth("progress", progress)
    )
    try:
        if missing and (count == 0 or (client is None and not options and not _dask.there())):
            if count != 0:
                warnings.warn(
                    f"Dask is not installed: one core works ({_dask.INSTALL})",
                    RuntimeWarning,
                    stacklevel=3,
                )
            _here(opened, missing, deadline, tell)
        elif missing:
            with _dask.connected(client, count, options or {}) as (connected, again):
                _dask.run(opened, missing, connected, again, deadline, tell)
        opened.tidy()
    finally:
        tell.end()
    return _read(opened)


def _here(
    folder: Folder, missing: list[int], deadline: float | None, tell: Callable[[int], None]
) -> None:
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

"""A folder of results: the plan, and a file for each shard that is done."""

from __future__ import annotations

import json
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from . import _bouton
from ._errors import Error
from ._files import write
from ._worker import PLAN

COSTS = "costs.csv"
"""What each shard took; for people, nothing reads it."""
DAMAGED = ".damaged"
"""Behind the names of files that were set aside."""
SHARD = re.compile(r"[0-9a-f]{32}\.parquet")
PART = re.compile(r"\..+\.part")
OWN = "an empty folder, or this plan's own"
HOUR = 3600.0


def told(text: str) -> str:
    """A plan in words, as far as they can be read from its text."""
    try:
        data = json.loads(text)
        what = [
            f"{key}={value!r}"
            for key, value in data.items()
            if key not in ("format", "version", "work", "plan")
        ]
        return f"the {data['work']} {', '.join(what)} of version {data['version']}"
    except (ValueError, KeyError, AttributeError, TypeError):
        return "no plan that can be read"


class Folder:
    """A plan's folder.
    Made if there is none; another plan's is refused, and nothing in it changed."""

    def __init__(self, path: Path, plan: _bouton.Plan) -> None:
        self.path, self.plan = path, plan
        self.shards = plan.shards()
        self.names = [name for name, _, _ in self.shards]
        self.done = set[int]()
        """Shards with a file, as far as they were looked at."""
        try:
            path.mkdir(parents=True, exist_ok=True)
            if (path / PLAN).exists():
                theirs = (path / PLAN).read_text(encoding="utf-8", errors="replace")
                if theirs != plan.text:
                    raise Error(f"{path} holds {told(theirs)}, not {told(plan.text)}", accepted=OWN)
            else:
                known = {f"{name}.parquet" for name in self.names}
                for entry in path.iterdir():
                    mine = (
                        entry.name in known
                        or entry.name == COSTS
                        or PART.fullmatch(entry.name) is not None
                    )
                    if not mine and entry.suffix != DAMAGED:
                        raise Error(
                            f"{path} is not empty and holds no {PLAN}: there is {entry.name}",
                            accepted=OWN,
                        )
                write(path / PLAN, plan.text)
        except OSError as error:
            raise Error(
                f"{path}: {error.strerror}", accepted="a folder that can be written to"
            ) from error

    @classmethod
    def found(cls, path: Path) -> Folder:
        """The folder of a plan that is there."""
        if not (path / PLAN).is_file():
            raise Error(
                f"{path} holds no {PLAN}",
                accepted="a folder of bouton.sweep, bouton.census or bouton.atlas",
            )
        try:
            plan = _bouton.Plan.parse((path / PLAN).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise Error(
                f"{path / PLAN}: not the text of a plan",
                accepted="the call that made it, into a new folder",
            ) from None
        except Error as error:
            raise Error(f"{path / PLAN}: {error.message}", accepted=error.accepted) from None
        return cls(path, plan)

    def missing(self) -> list[int]:
        """The shards without a file.
        A file that is damaged, or another's, is set aside, and told of."""
        numbers = []
        for number, name in enumerate(self.names):
            file = self.path / f"{name}.parquet"
            if not file.exists():
                numbers.append(number)
            elif (fault := self.plan.fault(number, file.read_bytes())) is not None:
                aside = file.with_name(file.name + DAMAGED)
                file.rename(aside)
                warnings.warn(
                    f"{file} {fault}; it is set aside as {aside.name} and made again",
                    RuntimeWarning,
                    stacklevel=4,
                )
                numbers.append(number)
            else:
                self.done.add(number)
        return numbers

    def put(self, number: int, data: bytes) -> None:
        """Keeps what a worker sent; a file that a network has damaged is none."""
        fault = self.plan.fault(number, data)
        if fault is not None:
            raise Error(f"what came for shard {self.names[number]} {fault}")
        write(self.path / f"{self.names[number]}.parquet", data)

    def cost(self, number: int, seconds: float, processor: float, worker: str) -> None:
        """Notes that a shard is done, and what it took."""
        self.done.add(number)
        name, games, guess = self.shards[number]
        head = (
            ""
            if (self.path / COSTS).exists()
            else "shard,games,expected,seconds,processor,worker\n"
        )
        with (self.path / COSTS).open("a", encoding="utf-8") as file:
            file.write(f"{head}{name},{games},{guess:.3f},{seconds:.3f},{processor:.3f},{worker}\n")

    def files(self) -> Iterator[bytes | None]:
        """The files in the order of the plan.

        Of a shard that is not of this plan none can be there.
        """
        strangers = {entry.name for entry in self.path.iterdir() if SHARD.fullmatch(entry.name)}
        strangers -= {f"{name}.parquet" for name in self.names}
        if strangers:
            raise Error(
                f"{self.path / min(strangers)} is no shard of this plan",
                accepted="a folder with the shards of one plan",
            )
        for name in self.names:
            file = self.path / f"{name}.parquet"
            yield file.read_bytes() if file.exists() else None

    def tidy(self) -> None:
        """Removes what writers that were killed have left."""
        for entry in self.path.iterdir():
            if PART.fullmatch(entry.name) and time.time() - entry.stat().st_mtime > HOUR:
                entry.unlink(missing_ok=True)

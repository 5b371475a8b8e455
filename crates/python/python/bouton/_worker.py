"""What runs on a worker: one shard, and where its file goes. No more than this is asked of a worker than the package itself."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

from . import _bouton

PLAN = "plan.json"
"""The plan's text in its folder."""


def write(folder: Path, name: str, data: bytes) -> None:
    """Writes a file whole or not at all: beside it first, on disk, then under its name. Any number of processes may write the same
    file at once."""
    part = folder / f".{name}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}.part"
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, folder / name)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def work(text: str, name: str, folder: str, plan: str) -> tuple[bytes | None, float, float, str]:
    """Runs a shard and writes its file into the folder, if that holds the plan: a shared file system. The file's bytes if it does
    not; seconds that went by, and seconds of a processor; machine and process."""
    began, used = time.monotonic(), time.process_time()
    data = _bouton.shard(text, (None, None, None))
    told = (time.monotonic() - began, time.process_time() - used, f"{socket.gethostname()}:{os.getpid()}")
    try:
        if (Path(folder) / PLAN).read_text(encoding="utf-8") == plan:
            write(Path(folder), f"{name}.parquet", data)
            return None, *told
    except OSError:
        pass
    return data, *told

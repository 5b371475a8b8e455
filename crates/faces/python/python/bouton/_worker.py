"""What runs on a worker: one shard, and where its file goes.
No more than this is asked of a worker than the package itself."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

from . import _bouton
from ._files import write

PLAN = "plan.json"
"""The plan's text in its folder."""


def work(text: str, name: str, folder: str, plan: str) -> tuple[bytes | None, float, float, str]:
    """Runs a shard, and writes its file into the folder if that holds the plan.

    The folder holds it on a shared file system. The file's bytes if it does not; seconds that went
    by, and seconds of a processor; machine and process.
    """
    began, used = time.monotonic(), time.process_time()
    data = _bouton.shard(text, (None, None, None))
    told = (
        time.monotonic() - began,
        time.process_time() - used,
        f"{socket.gethostname()}:{os.getpid()}",
    )
    try:
        if (Path(folder) / PLAN).read_text(encoding="utf-8") == plan:
            write(Path(folder) / f"{name}.parquet", data)
            return None, *told
    except OSError:
        pass
    return data, *told

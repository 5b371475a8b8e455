"""Files are written whole or not at all."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path


def write(file: str | os.PathLike[str], data: str | bytes) -> None:
    """Writes beside the file first, on disk, then under its name. Any number of processes may write the same file at once. What is
    no ordinary file, as a pipe, is written to straight away."""
    path = Path(file)
    content = data.encode() if isinstance(data, str) else data
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    part = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}.part")
    try:
        with part.open("xb") as beside:
            beside.write(content)
            beside.flush()
            os.fsync(beside.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise

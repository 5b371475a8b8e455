"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from pathlib import Path

from . import _bouton
from ._arguments import path as named
from ._errors import Error


def save_certificate(file: str | os.PathLike[str], certificate: str) -> None:
    """Writes a certificate; its theorem for Coq into a file NAME.v, as the command line does.
    A name that promises something else is refused."""
    path = named("path", file)
    if path.suffix in OTHER:
        raise Error(
            f"{path}: a certificate is no {OTHER[path.suffix]}",
            accepted="a name such as theorem.cert, or theorem.v for Coq",
        )
    write(path, _bouton.coq(certificate) if path.suffix == ".v" else certificate)


OTHER = {
    ".html": "page",
    ".pdf": "article",
    ".tex": "article",
    ".json": "JSON",
    ".svg": "picture",
    ".png": "picture",
    ".csv": "table",
}
"""Endings that promise something other than a certificate."""


def short(text: str, most: int = 100) -> str:
    """A text in one line, its end left out if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def write(file: str | os.PathLike[str], data: str | bytes) -> None:
    """Writes beside the file first, on disk, then under its name.
    Any number of processes may write the same file at once. What is no ordinary file, as a pipe,
    is written to straight away."""
    path = Path(file)
    content = data.encode() if isinstance(data, str) else data
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    part = path.with_name(
        f".{path.name}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}.part"
    )
    try:
        with part.open("xb") as beside:
            beside.write(content)
            beside.flush()
            os.fsync(beside.fileno())
        os.replace(part, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            # The name that the caller knows.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise

"""Shards on Dask.
Nothing is kept by a scheduler: what counts is on disk, so workers, schedulers and clients may
die at any moment."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import logging
import os
import queue
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from ._bouton import version
from ._errors import Error, LimitReached, WrongType
from ._folder import Folder

ACCEPTED = 'None (this machine), "slurm", an address such as tcp://HOST:8786, a distributed.Client, or a cluster of Dask'
INSTALL = "pip install 'bouton[cluster]'; or workers=0, which takes this process alone"
LOOK = 0.2
"""Seconds between two looks for Ctrl-C and for what has gone."""
AGAIN = 5.0
"""Seconds between two looks for workers that have come or gone."""
SLURM_SECONDS = 90
"""Seconds in which Slurm must answer."""
TRIES = 5
"""So often a shard may lose its worker: Dask itself gives up after three times."""
AHEAD = 2
"""Shards for each thread of a worker that the scheduler knows of, so that none waits for the
client."""
GONE = 10.0
"""Seconds without a scheduler, after which there is none."""


def there() -> bool:
    """Whether Dask is."""
    return importlib.util.find_spec("distributed") is not None


def _module(name: str) -> Any:
    """A module that need not be there, nor have types."""
    return importlib.import_module(name)


@contextlib.contextmanager
def connected(
    client: Any, workers: int | None, options: Mapping[str, Any]
) -> Iterator[tuple[Any, Callable[[], None] | None]]:
    """A client, and how to ask for the workers that are missing.
    What is made here is closed at the end."""
    if not there():
        raise Error("Dask is not installed", accepted=INSTALL)
    distributed = _module("distributed")
    with contextlib.ExitStack() as stack:
        again = None
        if isinstance(client, distributed.Client):
            if client.asynchronous:
                raise WrongType(
                    "an asynchronous client",
                    accepted="a distributed.Client without asynchronous=True",
                )
            if options or workers is not None:
                raise Error(
                    "workers and options of a client that is there already",
                    accepted="neither of them with a client",
                )
            yield client, None
            return
        if client is None or client == "local":
            stack.enter_context(_no_main())
            cluster = stack.enter_context(_local(workers, options))
        elif client == "slurm":
            cluster = stack.enter_context(_slurm(options))
            jobs = workers or 1

            def again() -> None:
                cluster.scale(jobs=jobs)

            again()
        elif isinstance(client, str) or hasattr(client, "scheduler_address"):
            if options or workers is not None:
                raise Error(
                    "workers and options of a cluster that is there already",
                    accepted="neither of them with an address",
                )
            cluster = client
        else:
            raise WrongType(f"client={client!r}", accepted=ACCEPTED)
        try:
            made: Any = distributed.Client(cluster, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise Error(
                f"no scheduler of Dask answers at {client}: {error}", accepted=ACCEPTED
            ) from error
        # What it has to say is said once, by an exception.
        logger = logging.getLogger("distributed")
        level = logger.level
        logger.setLevel(logging.CRITICAL + 1)
        stack.callback(logger.setLevel, level)
        try:
            yield made, again
        finally:
            # A scheduler that has gone does not answer to a farewell.
            with contextlib.suppress(Exception):
                made.close(timeout=5)


def _local(workers: int | None, options: Mapping[str, Any]) -> Any:
    distributed = _module("distributed")
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    chosen = {
        "n_workers": workers or cores,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": "127.0.0.1:0",
        "host": "127.0.0.1",
        # Engines keep to their own bounds; Dask would pause a worker in the midst of a shard.
        "memory_limit": None,
        "silence_logs": logging.CRITICAL,
        **options,
    }
    # A client left over from before, collected while the cluster's thread starts, waits for that
    # thread, which waits for a lock that is held then.
    gc.collect()
    try:
        return distributed.LocalCluster(**chosen)
    except TypeError as error:
        raise Error(
            f"options={dict(options)!r}: {error}", accepted="what distributed.LocalCluster takes"
        ) from error


def _slurm(options: Mapping[str, Any]) -> Any:
    if importlib.util.find_spec("dask_jobqueue") is None:
        raise Error("dask-jobqueue is not installed", accepted=INSTALL)
    dask, dask_jobqueue = _module("dask"), _module("dask_jobqueue")
    usual = {"cores": 1, "processes": 1, "memory": "2GB", "walltime": "01:00:00"}
    # What the site's jobqueue.yaml says comes before what is usual.
    usual = {
        key: value
        for key, value in usual.items()
        if dask.config.get(f"jobqueue.slurm.{key}", None) is None
    }
    try:
        cluster = dask_jobqueue.SLURMCluster(**{**usual, **options})
    except (TypeError, ValueError, RuntimeError) as error:
        raise Error(
            f"options={dict(options)!r}: {error}", accepted="what dask_jobqueue.SLURMCluster takes"
        ) from error
    try:
        _would_run(cluster.job_script())
    except BaseException:
        cluster.close()
        raise
    return cluster


def _would_run(script: str) -> None:
    """Slurm says whether it would take a job; Dask would go on asking."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.sh"
        path.write_text(script, encoding="utf-8")
        try:
            asked = subprocess.run(
                ["sbatch", "--test-only", str(path)],
                capture_output=True,
                text=True,
                timeout=SLURM_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Error(
                f"Slurm does not answer: {error}", accepted="a machine where sbatch works"
            ) from None
    if asked.returncode != 0:
        said = [line for line in asked.stderr.splitlines() if line.strip()] or ["nothing said"]
        raise Error(
            f"Slurm would not take such a job: {said[-1]}",
            accepted="options that it takes, such as queue, account, walltime, memory",
        )


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Keeps workers of this machine from running the user's script once more.

    So it needs no `if __name__ == "__main__"`: no function of it is sent to them.
    """
    main = sys.modules.get("__main__")
    kept = {
        name: main.__dict__[name]
        for name in ("__file__", "__spec__")
        if main is not None and name in main.__dict__
    }
    for name in kept:
        setattr(main, name, None)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(main, name, value)


def run(
    folder: Folder,
    missing: list[int],
    client: Any,
    again: Callable[[], None] | None,
    deadline: float | None,
    tell: Callable[[int], None],
) -> bool:
    """Runs the shards that are missing; whether all have come.
    `tell` is called with the number of workers now and then."""
    KilledWorker: Any = _module("distributed.scheduler").KilledWorker
    waiting, running, lost = deque(missing), dict[Any, int](), dict[int, int]()
    ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
    path, plan, task = str(folder.path.resolve()), folder.plan.text, _task()
    looked, seen, known, threads = -AGAIN, time.monotonic(), set[str](), 0
    try:
        while waiting or running:
            now = time.monotonic()
            if deadline is not None and now > deadline:
                return False
            if client.status == "running":
                seen = now
            elif client.status == "closed" or now - seen > GONE:
                raise _gone(folder)
            if seen == now and now - looked > (AGAIN if threads else AGAIN / 10):
                looked = now
                if again is not None:
                    again()
                seats = _threads(client)
                threads = sum(seats.values())
                if fresh := set(seats) - known:
                    known |= fresh
                    _same_version(client, fresh)
            while seen == now and waiting and len(running) < AHEAD * threads:
                number = waiting.popleft()
                name = folder.names[number]
                key = f"bouton-{name}-{os.urandom(4).hex()}"
                future = client.submit(
                    task, folder.plan.shard(number), name, path, plan, key=key, pure=False
                )
                running[future] = number
                future.add_done_callback(ended.put)
            tell(threads)
            try:
                future = ended.get(timeout=LOOK)
            except queue.Empty:
                continue
            number = running.pop(future)
            error: BaseException | None = None
            try:
                data, seconds, processor, worker = future.result(timeout=GONE)
            except (KilledWorker, CancelledError, OSError, TimeoutError) as lapse:
                error = lapse
            except ImportError as lapse:
                raise Error(
                    f"a worker has no package bouton, or another one: {lapse}",
                    accepted=f"version {version} on every worker",
                ) from lapse
            if error is None:
                if data is not None:
                    folder.put(number, data)
                folder.cost(number, seconds, processor, worker)
                continue
            # Without a scheduler no shard is to blame.
            waiting.append(number)
            if client.status == "running":
                lost[number] = lost.get(number, 0) + 1
                if lost[number] > TRIES:
                    raise LimitReached(
                        f"the shard {folder.names[number]} has failed {lost[number]} times: {error}; what is done is kept",
                        accepted="workers with more memory or time",
                    ) from error
        return True
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(running))


def _task() -> Callable[..., Any]:
    """What a worker is sent.
    A scheduler looks at it, too, and need not have the package: so it is no function of a
    module."""

    def shard(*arguments: Any) -> Any:
        from bouton._worker import work

        return work(*arguments)

    return shard


def _threads(client: Any) -> dict[str, int]:
    """Each worker's address and threads."""
    try:
        return dict(client.nthreads())
    except Exception:
        # The scheduler may have gone; that is seen elsewhere.
        return {}


def _same_version(client: Any, workers: set[str]) -> None:
    """Every worker has the package, of this version."""

    def asked() -> str | None:
        # Sent as it is: it may not name the package.
        try:
            import bouton

            return str(bouton.__version__)
        except ImportError:
            return None

    try:
        answers = client.run(asked, workers=sorted(workers), on_error="return")
    except Exception:
        # They have gone again.
        return
    for address, answer in answers.items():
        if answer is None:
            raise Error(
                f"the worker {address} has no package bouton",
                accepted=f"version {version} on every worker",
            )
        if isinstance(answer, str) and answer != version:
            raise Error(
                f"the worker {address} has bouton {answer}, this is {version}",
                accepted="the same version on client and workers",
            )


def _gone(folder: Folder) -> Error:
    return Error(
        f"the scheduler has gone; {len(folder.done)} of {len(folder.names)} shards are in {folder.path}",
        accepted="the same call once more, which goes on from there",
    )

"""Shards on Dask. Nothing is kept by a scheduler: what counts is on disk, so workers, schedulers and clients may die at any moment."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import queue
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._bouton import version
from ._errors import Error, LimitReached, WrongType
from ._folder import Folder
from ._worker import work

ACCEPTED = 'None (this machine), "slurm", an address such as tcp://HOST:8786, a distributed.Client, or a cluster of Dask'
INSTALL = "pip install 'bouton[cluster]'; or workers=0, which takes this process alone"
LOOK = 0.2
"""Seconds between two looks for Ctrl-C and for what has gone."""
AGAIN = 15.0
"""Seconds after which jobs that have gone are asked for again."""
TRIES = 5
"""So often a shard may lose its worker: Dask itself gives up after three times."""
AHEAD = 2
"""Shards for each thread of a worker that the scheduler knows of, so that none waits for the client."""
GONE = 30.0
"""Seconds without a scheduler."""


def there() -> bool:
    """Whether Dask is."""
    return importlib.util.find_spec("distributed") is not None


@contextlib.contextmanager
def connected(client: Any, workers: int | None, options: Mapping[str, Any]) -> Iterator[tuple[Any, Callable[[], None] | None]]:
    """A client, and how to ask for the workers that are missing. What is made here is closed at the end."""
    if not there():
        raise Error("Dask is not installed", accepted=INSTALL)
    import distributed

    with contextlib.ExitStack() as stack:
        again = None
        if isinstance(client, distributed.Client):
            if client.asynchronous:
                raise WrongType("an asynchronous client", accepted="a distributed.Client without asynchronous=True")
            if options or workers is not None:
                raise Error("workers and options of a client that is there already", accepted="neither of them with a client")
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
                raise Error("workers and options of a cluster that is there already", accepted="neither of them with an address")
            cluster = client
        else:
            raise WrongType(f"client={client!r}", accepted=ACCEPTED)
        try:
            made = distributed.Client(cluster, timeout="20s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise Error(f"no scheduler of Dask answers at {client}: {error}", accepted=ACCEPTED) from error
        try:
            yield made, again
        finally:
            # A scheduler that has gone does not answer to a farewell.
            with contextlib.suppress(Exception):
                made.close(timeout=5)


def _local(workers: int | None, options: Mapping[str, Any]) -> Any:
    import distributed

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    chosen = {
        "n_workers": workers or cores,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": None,
        "host": "127.0.0.1",
        # Engines keep to their own bounds; Dask would pause a worker in the midst of a shard.
        "memory_limit": None,
        "silence_logs": logging.CRITICAL,
        **options,
    }
    try:
        return distributed.LocalCluster(**chosen)
    except TypeError as error:
        raise Error(f"options={dict(options)!r}: {error}", accepted="what distributed.LocalCluster takes") from error


def _slurm(options: Mapping[str, Any]) -> Any:
    if importlib.util.find_spec("dask_jobqueue") is None:
        raise Error("dask-jobqueue is not installed", accepted=INSTALL)
    import dask
    import dask_jobqueue

    usual = {"cores": 1, "processes": 1, "memory": "2GB", "walltime": "01:00:00"}
    # What the site's jobqueue.yaml says comes before what is usual.
    usual = {key: value for key, value in usual.items() if dask.config.get(f"jobqueue.slurm.{key}", None) is None}
    try:
        return dask_jobqueue.SLURMCluster(**{**usual, **options})
    except (TypeError, ValueError) as error:
        raise Error(f"options={dict(options)!r}: {error}", accepted="what dask_jobqueue.SLURMCluster takes") from error


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Workers of this machine do not run the user's script once more, so that it needs no `if __name__ == "__main__"`: no
    function of it is sent to them."""
    main = sys.modules.get("__main__")
    kept = {name: main.__dict__[name] for name in ("__file__", "__spec__") if main is not None and name in main.__dict__}
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
    """Runs the shards that are missing; whether all have come. `tell` is called with the number of workers now and then."""
    from distributed.scheduler import KilledWorker

    waiting, running, lost = deque(missing), dict[Any, int](), dict[int, int]()
    ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
    path, plan = str(folder.path.resolve()), folder.plan.text
    looked, seen, known, threads = -AGAIN, time.monotonic(), set[str](), 0
    try:
        while waiting or running:
            now = time.monotonic()
            if deadline is not None and now > deadline:
                return False
            if now - looked > (1.0 if not threads else AGAIN):
                looked = now
                if again is not None and threads == 0 or again is not None and now - seen > AGAIN:
                    again()
                seats = _threads(client)
                threads = sum(seats.values())
                if fresh := set(seats) - known:
                    known |= fresh
                    _same_version(client, fresh)
            if client.status == "running":
                seen = now
            elif client.status in ("closed", "closing") or now - seen > GONE:
                raise _gone(folder)
            while waiting and len(running) < AHEAD * max(threads, 1):
                number = waiting.popleft()
                future = client.submit(
                    work, folder.plan.shard(number), folder.names[number], path, plan, key=_key(folder, number), pure=False
                )
                running[future] = number
                future.add_done_callback(ended.put)
            tell(threads)
            try:
                future = ended.get(timeout=LOOK)
            except queue.Empty:
                continue
            number = running.pop(future, None)
            if number is None:
                continue
            if future.status == "finished":
                data, seconds, processor, worker = future.result()
                if data is not None:
                    folder.put(number, data)
                folder.cost(number, seconds, processor, worker)
                lost.pop(number, None)
                continue
            error = future.exception() if future.status == "error" else None
            if isinstance(error, KilledWorker) or error is None:
                lost[number] = lost.get(number, 0) + 1
                if lost[number] > TRIES:
                    raise LimitReached(
                        f"the shard {folder.names[number]} has lost its worker {lost[number]} times; what is done is kept",
                        accepted="workers with more memory or time",
                    )
                waiting.append(number)
            else:
                raise _told(error)
        return True
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(running))


def _key(folder: Folder, number: int) -> str:
    return f"bouton-{folder.names[number]}-{os.urandom(4).hex()}"


def _threads(client: Any) -> dict[str, int]:
    """Each worker's address and threads."""
    try:
        return {address: worker["nthreads"] for address, worker in client.scheduler_info(n_workers=-1)["workers"].items()}
    except Exception:
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
            raise Error(f"the worker {address} has no package bouton", accepted=f"version {version} on every worker")
        if isinstance(answer, str) and answer != version:
            raise Error(f"the worker {address} has bouton {answer}, this is {version}", accepted="the same version on client and workers")


def _told(error: BaseException) -> BaseException:
    """A worker's exception for whoever called."""
    if isinstance(error, ImportError):
        return Error(f"a worker has no package bouton, or another one: {error}", accepted=f"version {version} on every worker")
    return error


def _gone(folder: Folder) -> Error:
    return Error(
        f"the scheduler has gone; {len(folder.done)} of {len(folder.names)} shards are in {folder.path}",
        accepted="the same call once more, which goes on from there",
    )

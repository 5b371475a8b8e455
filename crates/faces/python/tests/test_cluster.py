"""Shards: the same rows wherever they run, whoever is killed; folders that are another's, or
damaged, are refused.

Without Dask what needs it is skipped; `cargo xtask python` says so aloud.
"""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import bouton
from bouton import _bouton

SMALL = {"m1": range(1, 13), "m2": range(1, 13), "n": range(1, 41)}
FAMILY = "Gamma(m1,m2;n)"
# What has not happened after so many seconds is not going to happen.
NEVER = 600
# Some seconds of two cores, in shards of one or two.
LONG = {"m1": range(1, 41), "m2": range(1, 41), "n": range(1, 74)}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A folder that is done, in one shard, and its catalogue."""
    folder = tmp_path_factory.mktemp("small") / "kotzig"
    return folder, bouton.sweep(FAMILY, **SMALL, folder=folder, workers=0)


@pytest.fixture(scope="session")
def alone(tmp_path_factory):
    """The long sweep in this process: what all others must come to."""
    folder = tmp_path_factory.mktemp("alone")
    return folder, bouton.sweep(FAMILY, **LONG, folder=folder, workers=0)


@pytest.fixture
def copied(small, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(small[0], folder)
    return folder


def the_file(folder: Path) -> Path:
    (file,) = folder.glob("*.parquet")
    return file


# What a sweep finds


def test_outcomes_are_those_of_the_games(small):
    _, found = small
    assert (found.missing, found.columns) == (0, ["m1", "m2", "n", "play", "outcome", "form"])
    told = bouton.outcomes(FAMILY, **SMALL)
    assert found["m1"] == told["m1"].tolist()
    assert found["m2"] == told["m2"].tolist()
    assert found["n"] == told["n"].tolist()
    assert found["outcome"] == told.outcome.tolist()
    # Theorem of Fraenkel, Jaffray, Kotzig and Sabidussi: from Γ(a,b;n), n even and a, b odd, the
    # first player wins.
    rows = [
        row
        for row in found
        if row["n"] % 2 == 0
        and row["m1"] % 2
        and row["m2"] % 2
        and (row["m1"] % row["n"] or row["m2"] % row["n"])
    ]
    assert rows
    assert {row["outcome"] for row in rows} == {"N"}


def test_the_table_travels(small, tmp_path):
    import pandas
    import polars
    import pyarrow
    import pyarrow.parquet

    folder, found = small
    assert (
        pyarrow.table(found).num_rows
        == len(found)
        == len(polars.DataFrame(found))
        == len(pandas.DataFrame.from_arrow(found))
    )
    assert pyarrow.table(found).column("outcome").to_pylist() == found["outcome"]
    found.save(tmp_path / "kotzig.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "kotzig.parquet")
    assert back.to_pydict() == {name: found[name] for name in found.columns}
    found.save(tmp_path / "kotzig.csv")
    lines = (tmp_path / "kotzig.csv").read_bytes().splitlines(keepends=True)
    assert hashlib.sha256(b"".join(sorted(lines[1:]))).hexdigest() == found.digest
    # A shard's file is one that others read, too, and says what it is.
    shard = pyarrow.parquet.read_table(the_file(folder))
    told = {key.decode(): value.decode() for key, value in shard.schema.metadata.items()}
    assert told["bouton.version"] == bouton.__version__
    assert told["bouton.budget"] == "10000000000 nodes a game"
    assert "Kotzig" in told["bouton.rules"]
    assert hashlib.sha256(told["bouton.shard"].encode()).hexdigest()[:32] == the_file(folder).stem
    assert set(shard.column_names) >= {"m1", "m2", "n", "play", "outcome", "nodes"}


def test_a_shard_is_a_pure_function(small):
    folder, _ = small
    plan = _bouton.Plan.parse((folder / "plan.json").read_text())
    assert len(plan) == 1
    text = plan.shard(0)
    assert (
        _bouton.shard(text, (None, None, None))
        == _bouton.shard(text, (None, None, None))
        == the_file(folder).read_bytes()
    )


def test_a_budget_leaves_unknown(tmp_path):
    found = bouton.sweep("Gamma(1,4;n)", n=range(30, 50), nodes=20, folder=tmp_path, workers=0)
    known = bouton.outcomes("Gamma(1,4;n)", n=range(30, 50)).outcome.tolist()
    assert None in found["outcome"]
    assert all(mine in (None, theirs) for mine, theirs in zip(found["outcome"], known, strict=True))


def test_seconds_end_a_sweep_and_the_next_goes_on(tmp_path):
    found = bouton.sweep(
        FAMILY,
        m1=range(1, 60),
        m2=range(1, 60),
        n=range(1, 100),
        folder=tmp_path,
        workers=0,
        seconds=0.5,
    )
    assert 0 < found.missing <= found.shards
    assert set(found["outcome"]) <= {"P", "N", None}
    assert "of" in repr(found)


def test_a_census(tmp_path):
    found = bouton.census(2, to=2_000, folder=tmp_path, workers=0)
    assert len(found) == 63
    rows = {row["game"]: row for row in found}
    # Winning Ways, ch. 4: Kayles has period 12, last exception 70; 0.137 has 34, last exception 51,
    # and 0.07 is 0.137 with one more.
    assert [rows["0.77"][key] for key in ("verdict", "period", "preperiod", "last_exception")] == [
        "proved",
        12,
        71,
        70,
    ]
    assert [rows["0.07"][key] for key in ("verdict", "period", "preperiod", "last_exception")] == [
        "proved",
        34,
        53,
        52,
    ]
    for name in ("0.3", "0.53", "0.16"):
        told = bouton.period(name, to=2_000)
        assert (rows[name]["verdict"], rows[name]["period"], rows[name]["preperiod"]) == (
            told.verdict,
            told.period,
            told.preperiod,
        )
    assert all(bool(row["certificate"]) == (row["verdict"] == "proved") for row in found)


def test_a_census_of_named_codes(tmp_path):
    # Officers, 0.6, has no period that anybody knows (R. K. Guy, R. J. Nowakowski, Unsolved
    # Problems in Combinatorial Games, no. 2).
    codes = ["0.77", "0.16", "0.6"]
    found = bouton.census(codes, to=500_000, each=86_400, folder=tmp_path / "a", workers=0)
    rows = {row["game"]: row for row in found}
    assert list(rows) == codes
    # A. Gangolli, T. Plambeck (1989): 0.16 has period 149,459.
    assert (rows["0.16"]["verdict"], rows["0.16"]["period"], rows["0.16"]["heaps"] < 500_000) == (
        "proved",
        149_459,
        True,
    )
    assert (rows["0.77"]["verdict"], rows["0.77"]["period"]) == ("proved", 12)
    values = list(bouton.values("0.6", to=2_000))
    at = next(iter(bouton.census(["0.6"], to=2_000, folder=tmp_path / "b", workers=0)))
    assert (at["verdict"], at["heaps"], at["greatest"]) == ("unknown", 2_000, max(values))
    assert at["rare"] is None or 0 < at["rare"] <= 2_001 and at["last_rare"] <= 2_000
    # No time at all: as far as it came, and why.
    none = next(iter(bouton.census(["0.6"], to=10**9, each=0, folder=tmp_path / "c", workers=0)))
    assert none["verdict"] == "unknown" and none["heaps"] < 10**9 and "0 s" in none["reason"]


PLAN = """
name = "some"
about = "circles and a code"
nodes = 3000000
[[games]]
game = "CN({n},2)"
with = { n = "3..4" }
[[games]]
game = "0.77"
"""


def test_an_atlas(tmp_path):
    (tmp_path / "some.toml").write_text(PLAN)
    found = bouton.atlas(tmp_path / "some.toml", folder=tmp_path / "shards", workers=0)
    assert [(row["number"], row["game"], row["status"]) for row in found] == [
        (0, "CN(3,2)", "proved"),
        (1, "CN(4,2)", "proved"),
        (2, "0.77", "proved"),
    ]
    assert found.certificates(tmp_path / "certificates") == 3
    for certificate in (tmp_path / "certificates").iterdir():
        assert bouton.check(certificate).verdict == "accepted"
    found.save(tmp_path / "some.parquet")
    assert (tmp_path / "some.parquet").read_bytes()[:4] == b"PAR1"
    again = bouton.atlas(tmp_path / "some.toml", folder=tmp_path / "again", workers=0)
    assert (again.digest, files(tmp_path / "again")) == (found.digest, files(tmp_path / "shards"))


# Folders


def test_what_is_there_is_not_made_again(copied):
    before = the_file(copied).stat().st_mtime_ns
    assert bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0).missing == 0
    assert the_file(copied).stat().st_mtime_ns == before
    the_file(copied).unlink()
    assert bouton.catalogue(copied).missing == 1
    assert set(bouton.catalogue(copied)["outcome"]) == {None}
    bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0)
    assert bouton.catalogue(copied).missing == 0
    # The plan alone is made again from the call.
    (copied / "plan.json").unlink()
    assert bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0).missing == 0


@pytest.mark.parametrize("how", ["cut", "flipped", "empty", "footer"])
def test_a_damaged_file(small, copied, how):
    file = the_file(copied)
    data = bytearray(file.read_bytes())
    if how == "cut":
        del data[len(data) // 2 :]
    elif how == "empty":
        data.clear()
    else:
        data[len(data) // 3 if how == "flipped" else -20] ^= 4
    file.write_bytes(data)
    with pytest.raises(bouton.Error, match=r"damaged.*\n?.*once more") as error:
        bouton.catalogue(copied)
    assert file.name in error.value.message
    assert file.read_bytes() == bytes(data)
    with pytest.warns(RuntimeWarning, match="damaged"):
        found = bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0)
    assert (found.digest, found.missing) == (small[1].digest, 0)
    # Nothing is lost: what was damaged lies beside.
    assert file.with_name(file.name + ".damaged").read_bytes() == bytes(data)


def test_files_of_others(small, copied, tmp_path):
    # Whole, under another's name.
    other = tmp_path / "other"
    bouton.sweep(FAMILY, **SMALL, misere=True, folder=other, workers=0)
    shutil.copy(the_file(other), the_file(copied))
    with pytest.raises(bouton.Error, match="another shard"):
        bouton.catalogue(copied)
    shutil.copy(the_file(small[0]), the_file(copied))
    # Whole, under its own.
    shutil.copy(the_file(other), copied)
    with pytest.raises(bouton.Error, match="no shard of this plan"):
        bouton.catalogue(copied)


def test_a_folder_of_another_plan(small, copied, tmp_path):
    before = files(copied)
    for call in (
        lambda: bouton.sweep(FAMILY, **SMALL, misere=True, folder=copied, workers=0),
        lambda: bouton.sweep(FAMILY, **SMALL, nodes=5, folder=copied, workers=0),
        lambda: bouton.census(1, folder=copied, workers=0),
    ):
        with pytest.raises(bouton.Error, match="holds the sweep") as error:
            call()
        assert error.value.accepted
    assert files(copied) == before
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.tex").write_text("x")
    with pytest.raises(bouton.Error, match=r"thesis\.tex"):
        bouton.sweep(FAMILY, **SMALL, folder=strange, workers=0)
    with pytest.raises(bouton.Error, match=r"plan\.json"):
        bouton.catalogue(strange)
    assert [entry.name for entry in strange.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 1}', "\xff", "x" * 1000])
def test_a_plan_that_is_none(copied, text):
    (copied / "plan.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(bouton.Error, match="plan"):
        bouton.catalogue(copied)
    with pytest.raises(bouton.Error, match="no plan that can be read"):
        bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0)


def test_another_version(copied):
    plan = (copied / "plan.json").read_text()
    version = f'"version":"{bouton.__version__}"'
    assert version in plan
    shard = _bouton.Plan.parse(plan).shard(0)
    with pytest.raises(bouton.Error, match=r"bouton 9\.9\.9.*") as error:
        _bouton.shard(shard.replace(version, '"version":"9.9.9"'), (None, None, None))
    assert "same version" in error.value.accepted
    (copied / "plan.json").write_text(plan.replace(version, '"version":"9.9.9"'))
    with pytest.raises(bouton.Error, match=r"9\.9\.9"):
        bouton.catalogue(copied)
    with pytest.raises(bouton.Error, match=r"9\.9\.9"):
        bouton.sweep(FAMILY, **SMALL, folder=copied, workers=0)


@pytest.mark.parametrize(
    "arguments",
    [
        {"m1": 1, "m2": 2},
        {"m1": 1, "m2": 2, "n": 3, "m3": 4},
        {"m1": 1, "m2": 2, "n": 2.5},
        {"m1": 1, "m2": 2, "n": range(3, 3)},
        {"m1": 1, "m2": 2, "n": range(1, 10, 2)},
        {"m1": 1, "m2": 2, "n": -1},
        {"m1": 2, "m2": 1, "n": 5},
        {"m1": 1, "m2": 2, "n": 1000},
        {"m1": range(10**6), "m2": range(10**6), "n": range(10**6)},
        {"m1": 1, "m2": 2, "n": 3, "misere": "no"},
        {"m1": 1, "m2": 2, "n": 3, "nodes": 0},
        {"m1": 1, "m2": 2, "n": 3, "nodes": float("nan")},
        {"m1": 1, "m2": 2, "n": 3, "seconds": -1},
        {"m1": 1, "m2": 2, "n": 3, "workers": -1},
        {"m1": 1, "m2": 2, "n": 3, "workers": 1.5},
        {"m1": 1, "m2": 2, "n": 3, "workers": 0, "client": "local"},
        {"m1": 1, "m2": 2, "n": 3, "workers": None, "client": 7},
        {"m1": 1, "m2": 2, "n": 3, "workers": None, "client": "nonsense"},
        {"m1": 1, "m2": 2, "n": 3, "options": "queue=long"},
        {"m1": 1, "m2": 2, "n": 3, "folder": None},
        {"m1": 1, "m2": 2, "n": 3, "folder": ""},
        {"m1": 1, "m2": 2, "n": 3, "family": "Gamma(m1,m2;n"},
        {"m1": 1, "m2": 2, "n": 3, "family": None},
    ],
)
def test_bad_arguments(arguments, tmp_path):
    if arguments.get("workers", 0) is None:
        pytest.importorskip("distributed")
    given = {"family": FAMILY, "folder": tmp_path / "new", "workers": 0, **arguments}
    with pytest.raises(bouton.Error) as error:
        bouton.sweep(given.pop("family"), **given)
    assert error.value.message


def test_bad_censuses_and_atlases(tmp_path):
    for call in (
        lambda: bouton.census(0, folder=tmp_path / "a", workers=0),
        lambda: bouton.census(9, folder=tmp_path / "a", workers=0),
        lambda: bouton.census(2, 10, folder=tmp_path / "a", workers=0),
        lambda: bouton.census(2, to=-1, folder=tmp_path / "a", workers=0),
        lambda: bouton.census(2, to=10**12, folder=tmp_path / "a", workers=0),
        lambda: bouton.census("2", folder=tmp_path / "a", workers=0),
        lambda: bouton.census([], folder=tmp_path / "a", workers=0),
        lambda: bouton.census(["0.77", "0.9x"], folder=tmp_path / "a", workers=0),
        lambda: bouton.census(["0.77", "0.77"], folder=tmp_path / "a", workers=0),
        lambda: bouton.census([77], folder=tmp_path / "a", workers=0),
        lambda: bouton.census(["0.77"], each=-1, folder=tmp_path / "a", workers=0),
        lambda: bouton.atlas("nonsense", folder=tmp_path / "a", workers=0),
        lambda: bouton.atlas("complexes", each=-1.0, folder=tmp_path / "a", workers=0),
        lambda: bouton.atlas(5, folder=tmp_path / "a", workers=0),
        lambda: bouton.catalogue(tmp_path / "missing"),
    ):
        with pytest.raises(bouton.Error):
            call()
    assert not (tmp_path / "a").exists()


# The command line


def command(*arguments: str, **more):
    return subprocess.run(
        [sys.executable, "-m", "bouton", *arguments],
        capture_output=True,
        text=True,
        timeout=NEVER,
        **more,
    )


def test_the_command(small, tmp_path):
    ranges = ["--m1", "1..12", "--m2", "1..12", "--n", "1..40"]
    made = command(
        "sweep", FAMILY, *ranges, "--to", str(tmp_path / "c"), "--workers", "0", "--json"
    )
    assert (made.returncode, made.stderr) == (0, "")
    told = json.loads(made.stdout)
    assert (told["digest"], told["missing"], told["rows"]) == (small[1].digest, 0, len(small[1]))
    listed = command("catalogue", str(tmp_path / "c"), "-o", str(tmp_path / "c.csv"))
    assert listed.returncode == 0
    assert small[1].digest in listed.stdout
    assert (tmp_path / "c.csv").read_text().startswith("m1,m2,n,play,outcome,form\n")


def test_the_program_hands_over(small, tmp_path):
    program = os.environ.get("BOUTON")
    if program is None:
        pytest.skip("SKIPPED: BOUTON names no program to hand over")
    told = subprocess.run(
        [
            program,
            "sweep",
            FAMILY,
            *"--m1 1..12 --m2 1..12 --n 1..40 --cluster local --workers 0 --json --to".split(),
            str(tmp_path / "c"),
        ],
        capture_output=True,
        text=True,
        timeout=NEVER,
        env={**os.environ, "BOUTON_PYTHON": sys.executable},
    )
    assert json.loads(told.stdout)["digest"] == small[1].digest
    assert told.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["sweep", FAMILY, "--m1", "1..3", "--m2", "1..3", "--n", "9..1", "--to", "x"],
            "upside down; accepted: smaller",
        ),
        (
            ["sweep", FAMILY, "--m1", "1..3", "--m2", "1..3", "--n", "x", "--to", "x"],
            "no range; accepted: 1..72",
        ),
        (["sweep", FAMILY, "--m1", "1..3", "--m2", "1..3", "--to", "x"], "the parameter n"),
        (["sweep", "Gamma(m1", "--m1", "1..3", "--to", "x"], "^"),
        (["sweep", "Gamma(1,m;m)", "--range", "m", "--to", "x"], "NAME=A..B"),
        (["sweep", FAMILY], "--to"),
        (["nonsense"], "nonsense"),
        ([], "COMMAND"),
        (["sweep", FAMILY, "--workers", "many", "--to", "x"], "no whole number"),
        (["sweep", FAMILY, "--option", "queue", "--to", "x"], "NAME=VALUE"),
        (["catalogue", "missing"], "plan.json"),
    ],
)
def test_bad_commands(arguments, said, tmp_path):
    failed = command(*arguments, cwd=tmp_path)
    assert (failed.returncode, failed.stdout) == (2, "")
    assert said in failed.stderr
    assert "Traceback" not in failed.stderr
    told = command(*arguments, "--json", cwd=tmp_path)
    assert told.returncode == 2
    assert json.loads(told.stdout)["error"]["message"]


def test_help_has_examples():
    for name in ("sweep", "census", "atlas", "catalogue"):
        assert "Examples:\n  python -m bouton" in command(name, "--help").stdout


# On Dask


@pytest.fixture(scope="session")
def distributed():
    return pytest.importorskip(
        "distributed", reason="SKIPPED: Dask is not installed, nothing of clusters is tested"
    )


@contextlib.contextmanager
def local(distributed, workers):
    with distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=None,
        host="127.0.0.1",
        memory_limit=None,
    ) as cluster:
        yield cluster


def test_a_local_cluster_finds_the_same(distributed, alone, tmp_path):
    found = bouton.sweep(FAMILY, **LONG, folder=tmp_path, workers=2)
    assert (found.digest, files(tmp_path)) == (alone[1].digest, files(alone[0]))
    used = {
        line.rsplit(",", 1)[1] for line in (tmp_path / "costs.csv").read_text().splitlines()[1:]
    }
    assert len(used) == 2


def test_a_worker_is_killed(distributed, alone, tmp_path):
    import threading

    with local(distributed, 2) as cluster:

        def kill():
            while not list(tmp_path.glob("*.parquet")):
                time.sleep(0.05)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        found = bouton.sweep(FAMILY, **LONG, folder=tmp_path, client=cluster)
        killer.join()
    assert (found.missing, found.digest, files(tmp_path)) == (0, alone[1].digest, files(alone[0]))


def test_the_scheduler_is_killed(distributed, alone, tmp_path):
    with processes(tmp_path) as (address, scheduler, folder):
        script = f"""
            import bouton
            bouton.sweep({FAMILY!r}, **{LONG!r}, folder={str(folder)!r}, client={address!r})
        """
        client = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)], stderr=subprocess.PIPE, text=True
        )
        wait_for_a_file(folder, client)
        scheduler.kill()
        _, said = client.communicate(timeout=NEVER)
    assert client.returncode == 1
    assert "the scheduler has gone" in said
    assert "once more" in said
    done = files(folder)
    assert done
    found = bouton.sweep(FAMILY, **LONG, folder=folder, workers=2)
    assert (found.digest, files(folder)) == (alone[1].digest, files(alone[0]))


def test_the_client_is_killed(distributed, alone, tmp_path):
    # No `if __name__ == "__main__"` is needed.
    script = tmp_path / "script.py"
    script.write_text(
        f"import bouton\nbouton.sweep({FAMILY!r}, **{LONG!r}, folder={str(tmp_path / 'shards')!r}, workers=2)\n"
    )
    client = subprocess.Popen([sys.executable, str(script)])
    wait_for_a_file(tmp_path / "shards", client)
    client.kill()
    client.wait()
    found = bouton.sweep(FAMILY, **LONG, folder=tmp_path / "shards", workers=2)
    assert (found.digest, files(tmp_path / "shards")) == (alone[1].digest, files(alone[0]))


def test_workers_without_the_folder_send_their_files(small, tmp_path):
    plan = _bouton.Plan.parse((small[0] / "plan.json").read_text())
    from bouton._worker import work

    for elsewhere in (tmp_path / "missing", tmp_path):
        data, *_ = work(plan.shard(0), plan.shards()[0][0], str(elsewhere), plan.text)
        assert data == the_file(small[0]).read_bytes()
    assert list(tmp_path.iterdir()) == []


def test_a_worker_of_another_version(distributed, tmp_path):
    package = tmp_path / "other" / "bouton"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "9.9.9"\n')
    with processes(tmp_path, PYTHONPATH=str(package.parent)) as (address, _, folder):
        with pytest.raises(bouton.Error, match=r"9\.9\.9") as error:
            bouton.sweep(FAMILY, **SMALL, folder=folder, client=address)
    assert "same version" in error.value.accepted


def test_slurm_that_is_not_there_or_says_no(distributed, tmp_path, monkeypatch):
    pytest.importorskip("dask_jobqueue")
    monkeypatch.setenv("PATH", str(tmp_path))
    call = {"folder": tmp_path / "new", "client": "slurm", "options": {"interface": "lo"}}
    with pytest.raises(bouton.Error, match="Slurm does not answer"):
        bouton.sweep(FAMILY, **SMALL, **call)
    (tmp_path / "sbatch").write_text(
        "#!/bin/sh\necho 'allocation failure: Invalid partition' >&2\nexit 1\n"
    )
    (tmp_path / "sbatch").chmod(0o755)
    with pytest.raises(
        bouton.Error, match="would not take such a job: allocation failure: Invalid partition"
    ) as error:
        bouton.sweep(FAMILY, **SMALL, **call)
    assert "queue" in error.value.accepted
    call["options"] = {"nonsense": 3}
    with pytest.raises(bouton.Error, match="nonsense"):
        bouton.sweep(FAMILY, **SMALL, **call)


def test_no_scheduler_there(distributed, tmp_path):
    with pytest.raises(bouton.Error, match="no scheduler") as error:
        bouton.sweep(FAMILY, **SMALL, folder=tmp_path, client="tcp://127.0.0.1:9")
    assert "tcp://" in error.value.accepted


@contextlib.contextmanager
def processes(tmp_path, **environment):
    """A scheduler and a worker as processes of their own: the address, the scheduler, a folder."""
    told = tmp_path / "scheduler.json"
    common = {
        "env": {**os.environ, **environment},
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": tmp_path,
    }
    options = "scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file".split()
    scheduler = subprocess.Popen([sys.executable, "-m", "dask", *options, str(told)], **common)
    worker = None
    try:
        while not told.exists() or not told.read_text():
            assert scheduler.poll() is None
            time.sleep(0.05)
        address = json.loads(told.read_text())["address"]
        options = (
            "--nthreads 1 --no-dashboard --no-nanny --death-timeout 600 --memory-limit 0".split()
        )
        worker = subprocess.Popen(
            [sys.executable, "-m", "dask", "worker", address, *options], **common
        )
        yield address, scheduler, tmp_path / "shards"
    finally:
        for process in (worker, scheduler):
            if process is not None:
                process.kill()
                process.wait()


def wait_for_a_file(folder: Path, process):
    end = time.monotonic() + NEVER
    while not list(folder.glob("*.parquet")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)

"""Calls: the GIL is free, Ctrl-C ends them, seconds end them, threads share games."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import bouton


# What has not happened after so many seconds is not going to happen.
NEVER = 600


def test_the_gil_is_free():
    # A search without an end goes on while Python counts. No thread is made to hand the GIL over:
    # the one that counts has it only because the search lets go of it.
    program = textwrap.dedent("""
        import os, sys, threading
        import bouton
        sys.setswitchinterval(1e6)
        begins, ended = threading.Event(), threading.Event()

        def work():
            game = bouton.game("dots(6x6)")
            begins.set()
            try:
                game.solve()
            finally:
                ended.set()

        threading.Thread(target=work, daemon=True).start()
        begins.wait()
        counted = 0
        while counted < 10_000 and not ended.is_set():
            counted += 1
        print(counted, ended.is_set(), flush=True)
        os._exit(0)
    """)
    told = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, timeout=NEVER
    )
    assert told.stdout == "10000 False\n"


def processor(pid):
    """Seconds that a process has used of a processor, where that can be asked."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_it_works(child):
    """Waits until a process is deep in its work, which is told by what it has used, not by the
    clock."""
    begun = processor(child.pid)
    if begun is None:
        time.sleep(1.0)
        return
    while processor(child.pid) < begun + 0.3:
        assert child.poll() is None
        time.sleep(0.01)


@pytest.mark.parametrize(
    "call",
    [
        "bouton.game('dots(6x6)').solve()",
        "bouton.game('CN(5,2)').nim_values(45)",
        "bouton.values('grundy', 10**8)",
        "bouton.game('Gamma(2,7;250)').solve_all(['0/0'] * 1000)",
        "bouton.outcomes('Gamma(m1,m2;n)', m1=range(1, 100), m2=range(1, 100), n=range(150, 250), nodes=None)",
        "bouton.game(type('Line', (), {'options': lambda self, p: [p + 1]})()).solve(0)",
        "bouton.study('CN(9,4)')",
    ],
)
def test_control_c_ends_a_call(call):
    program = textwrap.dedent(f"""
        import signal, sys
        import bouton
        try:
            print("begun", flush=True)
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            # The interpreter goes on.
            assert bouton.game("nim(2)").solve([1, 1]).outcome == "P"
            print("alive", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        wait_until_it_works(child)
        os.kill(child.pid, signal.SIGINT)
        told, _ = child.communicate(timeout=NEVER)
    finally:
        child.kill()
    assert told == "interrupted\nalive\n"


def test_games_are_shared_by_threads():
    game = bouton.game("nim(3)")
    found = {}

    def work(n):
        found[n] = game.solve([n, n, n]).nim_value

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: n for n in range(8)}


def test_seconds_end_a_call():
    # A step that does not look at the clock is left alone after a while.
    try:
        assert bouton.game("dots(5x5)").solve(seconds=0.3).margin is None
    except bouton.LimitReached as end:
        assert "0.3 s" in end.message
    with pytest.raises(bouton.LimitReached):
        bouton.values("grundy", 10**9, seconds=0.3)

"""Calls: the GIL is free, Ctrl-C ends them, seconds end them, threads share games."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import bouton


def test_the_gil_is_free():
    # A search that takes long goes on while Python counts.
    counted = 0
    ended = threading.Event()

    def work():
        try:
            bouton.game("dots(6x6)").solve(seconds=1.5)
        except bouton.LimitReached:
            pass
        finally:
            ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        counted += 1
    thread.join()
    # One thread that held the GIL would let the other count a few times at most.
    assert counted > 10_000


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
        print("begun", flush=True)
        try:
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
        time.sleep(1.0)
        os.kill(child.pid, signal.SIGINT)
        told, _ = child.communicate(timeout=60)
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

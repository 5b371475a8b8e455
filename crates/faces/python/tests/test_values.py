"""What answers are as values of Python: truth, equality, hashes, pickles, texts; frames and their
indices; threads."""

import concurrent.futures
import itertools
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from brute import solver, wythoff

import bouton


def again(value):
    return pickle.loads(pickle.dumps(value))


class Rook:
    """Take from one heap, or the same number from both: Wythoff's game, as a class that can be
    pickled."""

    heaps = 2

    def options(self, position):
        return wythoff(position)


def test_true_is_proved_only():
    assert bouton.prove("nim(2)", "a = b")
    assert not bouton.prove("nim(3)", "a = b")
    assert not bouton.prove("CN(6,3)", "a+b = d+e & b+c = e+f", nodes=1)
    assert bouton.logic("A x: x < x + 1")
    assert not bouton.logic("A x: x = 1")
    assert bouton.period("kayles")
    # Grundy's game has no known period.
    assert not bouton.period("grundy", to=400)
    assert bouton.cash([1, 4])
    assert not bouton.check("bouton certificate 1\n")


def test_what_is_neither_true_nor_false_says_what_to_ask():
    game = bouton.game("nim(2)")
    for value, question in [
        (game.solve([1, 2]), "outcome"),
        (game.solve_all([[1, 2]]), "outcome"),
        (game.study(), "verdict"),
        (bouton.conjecture([0, 1, 2] * 20), "stands"),
        (bouton.outcomes("Gamma(1,4;n)", n=range(1, 20)), "outcome"),
        (bouton.study_range("S(1,h;1)", "h", range(2, 4)), "verdict"),
        (game.solve([1, 2]).moves[0], "wins"),
        (game.board([1, 2]), "picture"),
        (bouton.ledger(), "len"),
        (bouton.logic("x = 1"), "free variables: x"),
        (bouton.Refutation((0, 1), "(0,1) is claimed", "it is N"), "refutation"),
        (bouton.Sentence("a = h", 1, 0, (), (2, 3)), "proved"),
    ]:
        with pytest.raises(TypeError, match=question):
            bool(value)


RESULTS = {
    "answer": lambda: bouton.game("nim(2)").solve([1, 2]),
    "verdict": lambda: bouton.prove("nim(2)", "a = b"),
    "study": lambda: bouton.study("nim(2)"),
    "range": lambda: bouton.study_range("S(1,h;1)", "h", range(2, 4)),
    "decision": lambda: bouton.logic("E x: x = 3"),
    "condition": lambda: bouton.cash([1, 2]),
    "ledger": bouton.ledger,
    "period": lambda: bouton.period("kayles"),
    "picture": lambda: bouton.game("nim(2)").board([1, 2]),
    "game of a class": lambda: bouton.game(Rook()),
    "move": lambda: bouton.game("nim(2)").solve([1, 2]).winning[0],
    "conjecture": lambda: bouton.conjecture([0, 1, 2] * 20),
    "checked": lambda: bouton.check(bouton.prove("nim(2)", "a = b").certificate),
    "game": lambda: bouton.game("nim(2)", misere=True),
    "strategy": lambda: bouton.game("nim").strategy([1, 2]),
}
"""A result of each kind that can be hashed, made anew."""

TABLES = {
    "solved": lambda: bouton.game("nim(2)").solve_all([[1, 2], [1, 1]]),
    "outcomes": lambda: bouton.outcomes("Gamma(1,4;n)", n=range(1, 9)),
}
"""A result of each kind that holds arrays."""


def made(name):
    """A result, made in another process."""
    return (RESULTS | TABLES)[name]()


def test_equal_games_and_answers():
    assert bouton.game("nim(3)") == bouton.game("nim( 3 )") != bouton.game("nim(3)", misere=True)
    assert len({bouton.game("nim(3)"), bouton.game("nim(3)"), bouton.game("nim(2)")}) == 2
    game = bouton.game("nim(2)")
    first, second, other = (game.solve_all(rows) for rows in ([[1, 2]], [[1, 2]], [[1, 1]]))
    assert first == second != other
    family = [bouton.outcomes("Gamma(1,4;n)", n=range(1, last)) for last in (20, 20, 21)]
    assert family[0] == family[1] != family[2]
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)
    for name, make in RESULTS.items():
        one, other = make(), make()
        assert one == other == again(one), name
        assert hash(one) == hash(other) == hash(again(one)), name
        assert one != 1, name
    assert bouton.study("nim(2)") != bouton.study("nim(3)")
    assert game.board([1, 2]) != game.board([1, 3])
    assert bouton.game(Rook()) != bouton.game(Rook(), misere=True)
    found = bouton.conjecture([0, 1, 2] * 20)
    assert hash(found) == hash(bouton.conjecture([0, 1, 2] * 20))


def test_texts_are_short():
    for value in [
        bouton.game("nim").solve([20, 30, 40]),
        bouton.game("kayles").solve([100]),
        bouton.prove("nim(2)", "a = b"),
        bouton.period("kayles"),
        bouton.game("nim(2)").study(),
        bouton.conjecture(bouton.values("kayles", 300)),
        bouton.check(bouton.prove("CN(6,3)", "a+b = d+e & b+c = e+f").certificate),
        bouton.check("bouton certificate 1"),
        bouton.logic("x < 30 & " * 30 + "x < 1"),
        bouton.game("nim(2)").solve([10**3000, 1]).moves[0],
        bouton.game("nim(2)").solve([10**3000, 1]),
    ]:
        assert repr(value).startswith("<bouton.")
        assert len(repr(value)) < 300


def test_pickles():
    game = bouton.game("nim(2)", misere=True)
    assert again(game) == game
    own = again(bouton.game(Rook()))
    assert own.nim_values(5).tolist() == bouton.game("wythoff").nim_values(5).tolist()
    study = bouton.game("CN(4,2)").study()
    kept = again(study)
    assert (kept.verdict, kept.form, kept.certificate, str(kept)) == (
        "proved",
        study.form,
        study.certificate,
        str(study),
    )
    for form in ("html", "latex", "json"):
        assert kept.report(form) == study.report(form)
    with pytest.raises(bouton.Error, match="gif"):
        kept.report("gif")
    assert bouton.check(again(kept).certificate)
    family = bouton.study_range("S(1,h;1)", "h", range(2, 4))
    assert str(again(family)) == str(family)
    for picture in (bouton.game("nim(2)").board([1, 2]), bouton.game("Gamma(1,4;13)").strategy()):
        kept = again(again(picture))
        assert (kept.svg(), kept.tikz(), kept.png()) == (
            picture.svg(),
            picture.tikz(),
            picture.png(),
        )
        with pytest.raises(bouton.Error, match="scale"):
            kept.png(3.0)
    assert len(again(bouton.ledger())) == len(bouton.ledger())
    assert again(bouton.cash([1, 4])).condition == bouton.cash([1, 4]).condition
    solved = game.solve_all([[1, 2]])
    assert again(solved) == solved
    answer = bouton.game("nim(2)").solve([1, 2])
    assert again(answer) == answer


def test_results_come_back_from_processes():
    with concurrent.futures.ProcessPoolExecutor(
        2, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        found = list(pool.map(bouton.study, ["nim(2)", "kayles"]))
        assert [study.verdict for study in found] == ["proved", "proved"]
        for name, value in zip(RESULTS | TABLES, pool.map(made, RESULTS | TABLES), strict=True):
            assert value == made(name), name


def test_own_games_from_threads():
    value = solver(lambda p: iter(wythoff(p)))
    game = bouton.game(Rook())
    positions = [(a, b) for a, b in itertools.product(range(18), repeat=2)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda p: game.solve(list(p)).nim_value, positions))
    assert found == [value(p) for p in positions]


def test_options_that_ask_their_own_game():
    class Circle:
        def options(self, position):
            return [position - 1] if position and game.solve(position - 1).outcome else []

    game = bouton.game(Circle())
    with pytest.raises(bouton.Error, match="itself"):
        game.solve(3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_while_another_thread_computes():
    begun, go = threading.Event(), threading.Event()

    class Slow:
        def options(self, position):
            if position == 5:
                begun.set()
                go.wait()
            return range(position)

    game = bouton.game(Slow())
    worker = threading.Thread(target=game.solve, args=(9,))
    worker.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        # One thread is left here, and the lock of the other is none.
        os._exit(0 if game._lock.acquire(blocking=False) else 1)
    go.set()
    worker.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_outcomes_read_options_until_one_loses():
    read = []

    class Lazy:
        def options(self, position):
            for option in range(position):
                read.append((position, option))
                yield option

    found = bouton.game(Lazy()).solve_all(range(30), nim_values=False)
    assert found.outcome.tolist() == ["P"] + ["N"] * 29
    # Each position has 0 as its first option, which is P.
    assert read == [(n, 0) for n in range(1, 30)]
    lost = bouton.game(Lazy(), misere=True).solve_all(range(30))
    assert lost.outcome.tolist() == ["N", "P"] + ["N"] * 28


def test_early_outcomes_are_those_of_the_rules():
    value = solver(lambda p: iter(wythoff(p)))
    box = list(itertools.product(range(25), repeat=2))
    found = bouton.game(Rook()).p_positions(24)
    assert [tuple(p) for p in found.tolist()] == [p for p in box if value(p) == 0]


def test_an_index_is_respected():
    # Kayles has period 12 from 71 on (Guy and Smith, 1956).
    values = bouton.values("kayles", 400)
    first = bouton.conjecture(pandas.Series(values[1:].astype(int), index=range(1, 401)))
    assert (first.data["period"], first.data["preperiod"]) == (12, 71)
    shuffled = pandas.Series(values.astype(int)).sample(frac=1, random_state=1)
    assert bouton.conjecture(shuffled).data["preperiod"] == 71
    with pytest.raises(bouton.Error, match="index"):
        bouton.conjecture(pandas.Series([0, 1, 2], index=["a", "b", "c"]))
    with pytest.raises(bouton.Error, match="twice"):
        bouton.conjecture(pandas.Series([0, 1, 2], index=[0, 1, 1]))
    with pytest.raises(bouton.Error):
        bouton.conjecture(pandas.Series([0, 1, 2, 0], index=[0, 1, 2, 4]))
    with pytest.raises(bouton.Error, match="missing"):
        bouton.conjecture(pandas.Series([0, None, 2]))


def test_frames_go_by_their_names():
    # P iff a = 2b: the heaps must not change places.
    rows = [(a, b, "P" if a == 2 * b else "N") for a in range(8) for b in range(8)]
    right = bouton.conjecture(rows).claim
    frame = pandas.DataFrame(rows, columns=["a", "b", "outcome"])
    for other in (
        frame,
        frame[["outcome", "b", "a"]],
        frame.sample(frac=1, random_state=3),
        frame.set_index(["a", "b"]),
        frame.set_index(["a", "b"])["outcome"],
        polars.DataFrame(frame[["b", "outcome", "a"]].to_dict("list")),
        pyarrow.table(frame[["b", "outcome", "a"]].to_dict("list")),
        frame.rename(columns={"a": "p0", "b": "p1"})[["p1", "p0", "outcome"]],
    ):
        assert bouton.conjecture(other).claim == right
    for bad in (
        frame.rename(columns={"outcome": "what"}),
        frame.assign(value=0),
        frame[["outcome"]],
    ):
        with pytest.raises(bouton.Error, match="column"):
            bouton.conjecture(bad)
    hole = frame.astype({"a": float})
    hole.loc[3, "a"] = np.nan
    with pytest.raises(bouton.Error, match="missing"):
        bouton.conjecture(hole)


def test_rows_and_columns_are_never_guessed():
    # CN(4,2): P iff opposite heaps are equal, so the order of the heaps decides.
    game = bouton.game("CN(4,2)")
    frame = pandas.DataFrame({"d": [2], "b": [2], "c": [1], "a": [1]})
    own = bouton.game(Rook())
    pair = frame[["d", "a"]]
    for found in (frame, [frame.iloc[0]], (frame.iloc[0],), pyarrow.Table.from_pandas(frame)):
        assert game.solve_all(found).outcome.tolist() == ["P"]
    for found in (pair, [pair.iloc[0]], pyarrow.Table.from_pandas(pair)):
        assert own.solve_all(found).outcome.tolist() == ["P"]
    lazy = polars.from_pandas(frame).lazy()
    for ask in (game.solve_all, own.solve_all, bouton.conjecture):
        with pytest.raises(bouton.WrongType, match="still to be computed"):
            ask(lazy)
    for ask in (
        lambda: game.solve_all(frame.assign(a=True)),
        lambda: bouton.conjecture(pair.assign(a=True, outcome="P")),
    ):
        with pytest.raises(bouton.WrongType, match="truth values"):
            ask()
    for data in (
        pyarrow.array([0, 1, None]),
        pyarrow.chunked_array([[0, 1, None]]),
        polars.Series([0, 1, None]),
    ):
        with pytest.raises(bouton.Error, match="missing"):
            bouton.conjecture(data)
    hole = {"a": [1], "b": [None], "c": [1], "d": [0]}
    for frame in (
        polars.DataFrame(hole),
        pandas.DataFrame(hole | {"b": pandas.array([None], dtype="Int64")}),
    ):
        with pytest.raises(bouton.Error, match="missing"):
            game.solve_all(frame)
    # Plain numbers may be names or be out of place.
    for names in (range(4), [1, 3, 5, 7]):
        assert game.solve_all(pandas.DataFrame([[1, 2, 1, 2]], columns=names)).outcome.tolist() == [
            "P"
        ]
    for ask in (game.solve_all, own.solve_all, bouton.conjecture):
        with pytest.raises(bouton.Error, match="ascend"):
            ask(pandas.DataFrame([[2, 1]], columns=[1, 0]))
    for ask in (bouton.game("wythoff").solve_all, own.solve_all):
        with pytest.raises(bouton.Error, match="out of their order"):
            ask(pandas.DataFrame([[2, 1]], columns=["n", "k"]))


def test_columns_by_the_names_that_a_game_gives():
    # The mover's dollars do not come before the stones.
    game = bouton.game("NIM(1,2)")
    frame = pandas.DataFrame({"n": [4, 7], "d": [3, 2], "e": [2, 4]})
    expected = game.solve_all([[4, 3, 2], [7, 2, 4]])
    assert len(set(expected.outcome)) == 2
    for same in (frame, frame[["e", "n", "d"]], polars.DataFrame(frame), frame.set_index("n")):
        assert game.solve_all(same) == expected
    assert game.solve(frame.iloc[0]).position == (4, 3, 2)


def test_labels_of_a_box_are_its_sizes():
    values = bouton.game("wythoff").nim_values(8)
    right = bouton.conjecture(values, box=True)
    frame = pandas.DataFrame(values)
    for same in (frame, polars.DataFrame(values), frame.rename_axis("a")):
        assert bouton.conjecture(same, box=True) == right
    row = pandas.Series(bouton.values("kayles", 300)[1:].astype(int), index=range(1, 301))
    for other in (
        row,
        frame.iloc[1:, 1:],
        frame.sample(frac=1, random_state=3),
        frame[list(range(8, -1, -1))],
        polars.DataFrame(values)[["column_8", *(f"column_{n}" for n in range(8))]],
    ):
        with pytest.raises(bouton.Error, match="numbered from 0"):
            bouton.conjecture(other, box=True)


def test_labels_that_name_no_heap_are_refused():
    levels = pandas.MultiIndex.from_tuples([("heaps", "b"), ("heaps", "a")])
    frame = pandas.DataFrame([[2, 1], [5, 3]], columns=levels)
    for ask in (bouton.game("wythoff").solve_all, bouton.game(Rook()).solve_all, bouton.conjecture):
        with pytest.raises(bouton.WrongType, match="column named"):
            ask(frame)
    rows = pandas.DataFrame({"a": [1, 3], "b": [2, 5]})
    rows.index = pandas.MultiIndex.from_tuples([(1, 2), (3, 5)])
    with pytest.raises(bouton.Error, match="levels without names"):
        bouton.game("wythoff").solve_all(rows)

    class Coordinates(list):
        """As an array of xarray has them."""

        dims = ("n",)
        coords = ("n",)

    for ask in (bouton.conjecture, bouton.game("nim").solve_all):
        with pytest.raises(bouton.WrongType, match="coordinates"):
            ask(Coordinates([1, 2, 3]))


def test_columns_of_every_type():
    game = bouton.game("wythoff")
    expected = game.solve_all([[1, 2], [3, 5]])
    mixed = {"a": np.array([1, 3], dtype=np.uint64), "b": np.array([2, 5])}
    wide = {"a": polars.Series([1, 3], dtype=polars.Int128), "b": [2, 5]}
    for frame in (pandas.DataFrame(mixed), polars.DataFrame(mixed), polars.DataFrame(wide)):
        assert game.solve_all(frame) == expected
    lists = polars.DataFrame({"a": [[1, 2], [3, 5]], "outcome": ["P", "P"]})
    pairs = lists.cast({"a": polars.Array(polars.Int64, 2)})
    for frame in (lists, pairs, polars.DataFrame({"a": [{"b": 1}], "outcome": ["P"]})):
        for ask in (bouton.conjecture, lambda frame: game.solve_all(frame[["a"]])):
            with pytest.raises(bouton.WrongType):
                ask(frame)
    assert bouton.game(Rook()).solve(polars.Series([1, 2])).outcome == "P"


def test_an_array_without_dimensions_is_a_number():
    assert bouton.game("nim").solve(np.array(3)).nim_value == 3
    for game in (bouton.game("nim(2)"), bouton.game(Rook())):
        with pytest.raises(bouton.Error):
            game.solve(np.array(3))


def test_a_game_is_taken_where_its_name_is():
    rules = bouton.rules('name = "halves"\nheaps = 1\nmove = "p0 <= 2*q0"')
    assert bouton.study(rules).game == "halves"
    assert (
        bouton.heatmap(bouton.game("wythoff"), "x,y", x=range(5), y=range(5)).data["rows"][2][1]
        == "P"
    )
    with pytest.raises(bouton.Error, match="itself"):
        bouton.study(rules, misere=True)
    with pytest.raises(bouton.WrongType):
        bouton.study(bouton.game(Rook()))


def test_a_certificate_is_not_saved_as_something_else(tmp_path):
    proved = bouton.prove("nim(2)", "a = b")
    proved.save(tmp_path / "nim.cert")
    assert bouton.check(tmp_path / "nim.cert")
    # What cannot be written is named as it was asked for.
    for file in (tmp_path / "none" / "nim.cert", tmp_path / "nim.cert" / "nim.cert"):
        with pytest.raises(OSError) as error:
            proved.save(file)
        assert error.value.filename == str(file)
    for name in ("nim.html", "nim.json"):
        with pytest.raises(bouton.Error, match="certificate"):
            proved.save(tmp_path / name)


def test_two_names_of_one_bound():
    with pytest.raises(bouton.Error, match="two names"):
        bouton.logic("A x: x = x", nodes=1, steps=1)


def test_the_command_is_installed():
    as_script = ["-c", "from bouton.__main__ import command_line; command_line()"]

    def run(*arguments, start=as_script):
        call = [sys.executable, *start, *arguments]
        return subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)

    for start in (as_script, ["-m", "bouton"]):
        solved = run("solve", "nim", "1,2,3", "--json", start=start)
        assert (solved.returncode, json.loads(solved.stdout)["outcome"]) == (0, "P")
        assert run("solve", "no-such-game", "1", start=start).returncode == 2
    refuted = run("prove", "nim(2)", "--claim", "a = 0")
    assert refuted.returncode == 1
    assert "refuted" in refuted.stdout
    assert "bouton study" in run().stdout
    # Databases are left out of the package; the command says so.
    assert run("query", "x.db").returncode == 2


def test_coq_is_saved_by_its_name(tmp_path):
    verdict = bouton.prove("nim(2)", "a = b")
    for name, value in [
        ("verdict.v", verdict),
        ("study.v", bouton.study("nim(2)")),
        ("period.v", bouton.period("kayles")),
    ]:
        value.save(tmp_path / name)
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "Theorem" in text
        assert "bouton certificate" not in text.splitlines()[0]
    verdict.save(tmp_path / "verdict.cert")
    assert bouton.check(tmp_path / "verdict.cert")


def test_nothing_can_be_set():
    for value in [
        bouton.game("nim(2)"),
        bouton.game(Rook()),
        bouton.ledger(),
        bouton.cash([1, 2]),
        bouton.study("nim(2)"),
    ]:
        with pytest.raises(AttributeError):
            value.misere = True


def test_answers_are_tables():
    solved = bouton.game("dots(1x1)").solve_all(["./../."])
    assert solved.outcome.tolist() == ["?"]
    assert polars.DataFrame(solved)["outcome"].to_list() == [None]
    solved = bouton.game("nim(2)").solve_all([[1, 1], [1, 2]])
    assert polars.DataFrame(solved)["outcome"].to_list() == ["P", "N"]
    assert pyarrow.table(solved)["outcome"].to_pylist() == ["P", "N"]
    assert pandas.DataFrame.from_arrow(solved)["nim_value"].tolist() == [0, 3]
    assert list(pandas.DataFrame(solved.columns())) == ["outcome", "nim_value"]
    family = bouton.outcomes("Gamma(m1,m2;n)", m1=1, m2=range(2, 4), n=range(5, 9))
    frame = polars.DataFrame(family)
    assert frame.columns == ["m1", "m2", "n", "outcome"]
    assert frame["n"].to_list() == family["n"].tolist()
    assert frame["outcome"].to_list() == family.outcome.tolist()


def test_genera_and_quotients():
    # Winning Ways, chapter 13: kayles 1,11 and the quotient of 0.75, whose order is 8.
    genus = bouton.game("nim").genus([2, 2])
    assert genus["genus"] == "0^02"
    assert bouton.game("0.75").quotient(20)["order"] == 8
    with pytest.raises(bouton.Error, match="not impartial"):
        bouton.game("dots(1x1)").genus()
    with pytest.raises(bouton.Error):
        bouton.game("wythoff").quotient()


class Taken:
    """Take 1 or 2."""

    heaps = 1

    def options(self, position):
        (n,) = position
        return [(n - k,) for k in (1, 2) if k <= n]


def test_sums_and_periods_of_classes():
    one = bouton.game(Taken())
    both = one + bouton.game(Rook())
    value = solver(lambda p: iter(wythoff(p)))
    table = both.nim_values(5)
    for n, a, b in itertools.product(range(6), repeat=3):
        assert table[n, a, b] == (n % 3) ^ value((a, b))
    assert again(both) == both
    pairs = bouton.game(Line()) + bouton.game(Line())
    assert pairs.solve((4, 7)).nim_value == 0 ^ 1
    with pytest.raises(bouton.WrongType, match="pair"):
        pairs.solve((4, 7, 1))
    assert bouton.values(one, 9).tolist() == [n % 3 for n in range(10)]
    found = bouton.period(one, to=60)
    assert (found.verdict, found.period, found.preperiod, bool(found)) == ("holds", 3, 0, False)
    named = bouton.game("kayles") + bouton.game("nim(2)")
    assert named == bouton.game("kayles + nim(2)")
    for call in (
        lambda: one + bouton.game("nim"),
        lambda: bouton.game("nim") + one,
        lambda: one + bouton.game(Taken(), misere=True),
        lambda: bouton.game("nim") + bouton.game("nim", misere=True),
        lambda: bouton.values(bouton.game(Rook()), 5),
        lambda: bouton.study(one),
        lambda: bouton.heatmap(one, "x"),
        lambda: bouton.prove(one, "a = 0"),
    ):
        with pytest.raises(bouton.Error) as error:
            call()
        assert error.value.accepted


class Line:
    """Take one."""

    def options(self, position):
        return [position - 1] if position else []


def test_a_directed_graph_is_a_game():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])
    game = bouton.game(graph)
    assert game.solve_all(["a", "b", "c"]).nim_value.tolist() == [2, 1, 0]
    assert again(game) == game
    with pytest.raises(bouton.Error, match="no node"):
        game.solve("d")
    with pytest.raises(bouton.Error, match="need not end"):
        bouton.game(networkx.DiGraph([(1, 2), (2, 1)])).solve(1)
    with pytest.raises(bouton.WrongType, match="undirected"):
        bouton.game(networkx.path_graph(3))


def test_budgets_of_classes_are_exact():
    game = bouton.game(Line())
    with pytest.raises(bouton.LimitReached, match="10 nodes"):
        game.solve(20, nodes=10)
    assert game.solve(9, nodes=10).outcome == "N"
    with pytest.raises(bouton.LimitReached):
        game.solve(10**5, memory=1)


def test_misere_games_have_no_nim_values():
    game = bouton.game("kayles", misere=True)
    for call in (
        lambda: game.nim_values(5),
        lambda: bouton.values(game, 5),
        lambda: bouton.period(game),
    ):
        with pytest.raises(bouton.Error, match="misere"):
            call()
    assert game.genus([1])["misere_nim_value"] == 0


def test_classes_take_positions_as_named_games_do():
    one, two = bouton.game(Taken()), bouton.game(Rook())
    assert one.solve(4) == one.solve([4]) == one.solve(np.array([4]))
    expected = one.solve_all([[1], [2], [3]])
    for rows in (
        np.array([1, 2, 3]),
        np.array([[1], [2], [3]]),
        pandas.DataFrame({"n": [1, 2, 3]}),
        polars.DataFrame({"n": [1, 2, 3]}),
    ):
        assert one.solve_all(rows) == expected
    frame = pandas.DataFrame({"b": [2, 3], "a": [1, 3]})
    assert two.solve_all(frame).outcome.tolist() == ["P", "N"]
    assert [two.solve(frame.iloc[n]).position for n in range(2)] == [(1, 2), (3, 3)]
    with pytest.raises(bouton.WrongType):
        two.solve_all(np.array([[1.0, 2.0]]))
    with pytest.raises(bouton.Error, match="name of a file"):
        bouton.rules("game.toml")


def test_what_outcomes_found_is_a_table():
    found = bouton.outcomes("Gamma(1,4;n)", n=range(1, 60))
    assert bouton.conjecture(found) == bouton.conjecture(polars.DataFrame(found))
    with pytest.raises(bouton.WrongType, match="without their positions"):
        bouton.conjecture(bouton.game("nim(2)").solve_all([[1, 2]]))


def test_a_thread_waits_no_longer_than_its_seconds():
    started, go = threading.Event(), threading.Event()

    class Waiting:
        def options(self, position):
            started.set()
            go.wait(20)
            return []

    game = bouton.game(Waiting())
    thread = threading.Thread(target=game.solve, args=(1,))
    thread.start()
    started.wait(20)
    with pytest.raises(bouton.LimitReached, match="another thread"):
        game.solve(2, seconds=0.1)
    go.set()
    thread.join()


def test_a_catalogue_travels(tmp_path):
    found = bouton.sweep("Gamma(1,2;n)", n=range(3, 8), folder=tmp_path, workers=0)
    kept = pickle.dumps(found)
    for file in tmp_path.iterdir():
        if file.is_file():
            file.unlink()
    assert pickle.loads(kept) == found
    with pytest.raises(TypeError, match="missing"):
        bool(found)

"""Conjectures, proofs, certificates, formulas, periods, cash, Kotzig's Nim, the ledger."""

import itertools
import re

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from brute import cash as cash_by_rules
from brute import circular, kotzig, octal, single_values, solver

import bouton


def holds(claim, position, turn=True):
    """A claim of sums and equations evaluated in Python, up to turns and reflections of the
    circle."""
    text = (
        re.sub(r"(?<![<>!=])=(?!=)", "==", claim)
        .replace("&", " and ")
        .replace("|", " or ")
        .replace("xor", "^")
        .replace(" mod ", "%")
    )
    n = len(position)
    images = (
        [(position + position)[i : i + n][::d] for i in range(n) for d in (1, -1)]
        if turn
        else [position]
    )
    return any(
        eval(text, {"__builtins__": {}}, dict(zip("abcdefg", image, strict=False)))
        for image in images
    )


def test_a_study_ends_in_a_theorem():
    study = bouton.game("CN(5,3)").study()
    assert study.verdict == "proved"
    assert study.settled
    assert study.refutation is None
    assert study.form in study.theorem or study.theorem.startswith("CN(5,3): P iff")
    value = solver(circular(3))
    for position in itertools.product(range(3), repeat=5):
        assert holds(study.form, position) == (value(position) == 0), position
    assert bouton.check(study.certificate)
    assert study.data["kind"] == "heaps"
    assert study.holds_to >= 3


def test_a_study_of_nim_values_and_of_a_sum():
    values = bouton.study("simplicial(1,2;3)", values=True)
    assert values.verdict == "proved"
    assert bouton.check(values.certificate)
    for a, b, c, v in itertools.product(range(6), repeat=4):
        # One heap of a + b beside one of c.
        assert holds(values.form, (a, b, c, v), turn=False) == (v == (a + b) ^ c)
    assert bouton.game("nim(2)").study(values=True).verdict == "proved"
    total = bouton.study("S(1,2,3) + nim")
    assert total.verdict == "proved"
    for a, b in itertools.product(range(12), range(6)):
        assert holds(total.form, (a, b), turn=False) == (a % 4 == b)
    for wrong in (
        lambda: bouton.study("nim(2)", values=True, misere=True),
        lambda: bouton.study("nim(2):1,2", values=True),
    ):
        with pytest.raises(bouton.Error):
            wrong()


def test_a_study_for_each_value_of_a_parameter(tmp_path):
    found = bouton.study_range("S(1,h;1)", "h", range(2, 8))
    assert found.verdict == "proved"
    assert repr(found) == "<bouton.RangeStudy S(1,h;1), h = 2..7: proved>"
    assert [(one.modulus, one.residue, one.proved, one.agrees) for one in found.sentences] == [
        (2, 0, (2, 4, 6), ()),
        (2, 1, (3, 5, 7), ()),
    ]
    # Taking 1 or h: for odd h the even numbers are lost (Winning Ways, chapter 4).
    assert found.sentences[1].form == "a mod 2 = 0"
    for h, study in found.studies.items():
        lost = []
        for n in range(60):
            lost.append(all(n < take or not lost[n - take] for take in (1, h)))
            assert holds(study["boards"][-1]["claim"], (n,), turn=False) == lost[n], (h, n)
    assert "a mod 2 = 0" in str(found)
    found.save(tmp_path / "range.html")
    assert "a mod 2 = 0" in (tmp_path / "range.html").read_text()
    assert found.report("json").startswith("{")
    assert '<div class="bouton">' in found._repr_html_()
    for wrong in (
        lambda: bouton.study_range("S(1,h;1)", "h", range(2, 8, 2)),
        lambda: bouton.study_range("S(1,h;1)", "h", range(3, 3)),
        lambda: bouton.study_range("S(1,h;1)", "k", range(2, 4)),
        lambda: bouton.study_range("kayles(h)", "h", range(2, 4)),
        lambda: found.save(tmp_path / "range.cert"),
        lambda: found.report("pdf"),
    ):
        with pytest.raises(bouton.Error):
            wrong()


def test_a_study_of_a_sequence_and_of_cash_and_of_a_family():
    kayles = bouton.study("kayles")
    assert kayles.form == "period 12 from 71 on"  # Guy and Smith, 1956.
    assert bouton.check(kayles.certificate)
    cash = bouton.study("NIM(1,2;n;d,e)")
    assert cash.verdict == "proved"
    assert bouton.check(cash.certificate)
    family = bouton.study("Gamma(1,2;n)", to=24)
    outcomes = dict(family.data["normal"]["outcomes"])
    assert all(outcomes[n] == kotzig((1, 2), n) for n in range(1, 17))
    # Fraenkel, Jaffray, Kotzig, Sabidussi, 1995.
    assert family.form == "n = 1 | n = 3 | n = 7"
    assert family.theorem == "Gamma(1,2;n): P iff n = 1 | n = 3 | n = 7"
    assert bouton.check(family.certificate)
    position = bouton.study("CN(3,2):1,2,3", max=None)
    assert position.data["start"]["outcome"] in "PN"


def test_circles_of_every_size():
    found = bouton.prove("Gamma(1,3;n)")
    assert found.proved and found.claim == "n mod 6 = 1 | n mod 6 = 3"
    assert bouton.check(found.certificate)
    assert bouton.prove("Gamma(2,3;n)", "n = 2 | n = 4", misere=True).proved
    wrong = bouton.prove("Gamma(3,4;n)", "n = 1")
    assert wrong.verdict == "refuted"
    assert wrong.counterexample == "Gamma(3,4;3) is P, claimed N"
    far = bouton.game("Gamma(1,4;999998)").solve()
    assert (far.outcome, far.by) == ("P", "theorem")  # 999998 = 3 mod 5.
    for call in (
        lambda: bouton.prove("Gamma(1,m;n)"),
        lambda: bouton.prove("Gamma(1,2;n)", "m = 1"),
        lambda: bouton.prove("Gamma(1,2;n)", smaller=["3: a=b"]),
        lambda: bouton.prove("nim(3)"),
    ):
        with pytest.raises(bouton.Error):
            call()


def test_automata_are_claims():
    equal = "msd_2 msd_2\n0 1\n0 0 -> 0\n1 1 -> 0\n"
    proved = bouton.prove("nim(2)", automaton=equal)
    assert proved.proved and bouton.check(proved.certificate)
    # Both even: (1,1) is claimed N, and no option of it is claimed.
    wrong = bouton.prove(
        "nim(2)", automaton="msd_2 msd_2\n0 1\n0 0 -> 0\n1 1 -> 1\n1 0\n0 0 -> 0\n1 1 -> 1\n"
    )
    assert (wrong.verdict, wrong.position) == ("refuted", (1, 1))
    with pytest.raises(bouton.Error) as error:
        bouton.prove("nim(2)", automaton="msd_2 msd_2\n0 1\n0 2 -> 0\n")
    assert error.value.text[slice(*error.value.at)] == "2"
    with pytest.raises(bouton.Error):
        bouton.prove("nim(2)", "a = b", automaton=equal)
    # Take a token, or leave half: what is learned is proved again as a claim.
    mark = bouton.game(
        "mark", rules=('name = "mark"\nheaps = 1\nmove = "q0+1 = p0 | q0 = p0 div 2"\n',)
    )
    learned = mark.study()
    assert learned.verdict == "proved" and learned.automaton is not None
    assert bouton.prove(mark, automaton=learned.automaton).proved


def test_proofs_and_refutations():
    # Bouton, 1901.
    proved = bouton.prove("nim(4)", "a xor b xor c xor d = 0")
    assert proved.proved
    checked = bouton.check(proved.certificate)
    assert checked
    assert checked.game == "nim(4)"
    # In misère play the same where some heap has two, and the other parity where none has.
    misere = bouton.prove("nim(3)", "max >= 2 & xor = 0 | max <= 1 & xor = 1", misere=True)
    assert misere.proved
    assert not bouton.prove("nim(3)", "xor = 0", misere=True).proved
    wrong = bouton.prove("CN(6,3)", "a = d & b = e & c = f")
    assert wrong.verdict == "refuted"
    value = solver(circular(3))
    claimed = holds(wrong.claim, wrong.position)
    assert claimed != (value(wrong.position) == 0) or any(
        holds(wrong.claim, option) and claimed for option in circular(3)(wrong.position)
    )
    spent = bouton.prove("CN(6,3)", "a+b = d+e & b+c = e+f", steps=1)
    assert (spent.verdict, spent.certificate) == ("unknown", None)
    assert spent.reason


def test_certificates(tmp_path):
    proved = bouton.prove("CN(6,3)", "a+b = d+e & b+c = e+f")
    file = tmp_path / "cn63.cert"
    proved.save(file)
    assert bouton.check(file)
    assert bouton.check(str(file)).kind == "p-positions"
    for damaged in (proved.certificate.replace("a + b", "a + c", 1), proved.certificate[:-70]):
        checked = bouton.check(damaged)
        assert not checked
        assert checked.verdict == "rejected"
        assert checked.reason
    assert bouton.check(proved.certificate, seconds=0).verdict == "unknown"


def test_theorems_are_kept_where_a_directory_is_given(tmp_path):
    text = 'name = "one-or-both"\nheaps = 2\nsymmetry = "full"\nmove = "q0 = p0 | q1 = p1"\n'
    assert bouton.rules(text).solve([3, 3]).by == "search"
    game = bouton.rules(text, theorems=tmp_path)
    assert bouton.prove(game, "a = b").proved
    n = 10**40
    answer = bouton.rules(text, theorems=tmp_path).solve([n, n])
    assert (answer.outcome, answer.by) == ("P", "theorem")
    assert any(tmp_path.iterdir())


def test_conjectures_from_arrays_and_frames():
    value = solver(circular(2))
    box = list(itertools.product(range(6), repeat=4))
    rows = [(*position, value(position)) for position in box]
    letters = [(*position, "P" if value(position) == 0 else "N") for position in box]
    names = ["a", "b", "c", "d", "outcome"]
    found = bouton.conjecture(np.array(rows))
    assert found.stands
    for position in box:
        assert holds(found.claim, position) == (value(position) == 0)
    others = [
        bouton.conjecture(rows),
        bouton.conjecture(letters),
        bouton.conjecture(pandas.DataFrame(letters, columns=names)),
        bouton.conjecture(polars.DataFrame(letters, schema=names, orient="row")),
        bouton.conjecture(np.array(rows, dtype=float)),
        bouton.conjecture(np.array([row[-1] for row in rows]).reshape(6, 6, 6, 6), box=True),
    ]
    assert {other.claim for other in others} == {found.claim}
    # CN(4,2): Ehrenborg and Steingrímsson; the formula is proved.
    assert bouton.prove("CN(4,2)", found.claim).proved

    sequence = bouton.conjecture([n * n % 5 for n in range(60)])
    assert sequence.stands
    assert (sequence.data["period"], sequence.data["preperiod"]) == (5, 0)
    assert bouton.conjecture([2, 7]).verdict == "not enough data"


def test_logic():
    # The Frobenius number of 2 and 5 is 3.
    assert bouton.logic("A n: n >= 4 => E x,y: n = 2*x + 5*y")
    false = bouton.logic("A n: n >= 3 => E x,y: n = 2*x + 5*y")
    assert not false
    assert false.values == {"n": 3}
    found = bouton.logic("a + b = 2 xor a")
    assert found.verdict == "open"
    assert all(a + b == 2 ^ a for a, b in found.examples)
    with pytest.raises(bouton.Error, match="free variables"):
        bool(found)
    assert bouton.logic("A x,y,z: E u: u > x + y + z", steps=0).verdict == "unknown"


@pytest.mark.parametrize("code", ["0.77", "0.137", "0.156"])
def test_periods(code):
    found = bouton.period(code)
    assert found.verdict == "proved"
    assert bouton.check(found.certificate)
    to = found.preperiod + 3 * found.period
    values = single_values(octal(code), min(to, 500))
    assert list(found.first[: len(values)]) == values[: len(found.first)]
    for n in range(found.preperiod, len(values) - found.period):
        assert values[n + found.period] == values[n] + found.saltus
    assert bouton.period(code, to=10).period is None


def test_a_period_longer_than_memory():
    # A. Flammenkamp, Sprague-Grundy Values of Octal-Games: 0.104 has period 11,770,282 from
    # 197,769,598 on.
    found = bouton.period("0.104", to=250_000_000, memory=100)
    assert (found.verdict, found.period, found.preperiod) == ("proved", 11_770_282, 197_769_598)
    # Where values are forgotten nothing is told of them.
    assert found.exceptions is None and found.cycle is None
    assert list(found.first) == single_values(octal("0.104"), len(found.first) - 1)
    assert "window" in found.certificate


def test_cash():
    found = bouton.cash([1, 3])
    assert found.verdict == "proved"
    assert bouton.check(found.certificate)
    for n, d, e in itertools.product(range(13), range(7), range(7)):
        assert found.mover_wins(n, d, e) == cash_by_rules((1, 3), n, d, e), (n, d, e)
    game = bouton.game("NIM(1,3;n;d,e)")
    n = 10**100
    assert found.mover_wins(n, n, 7) == (game.solve([n, n, 7]).outcome == "N")


def test_kotzig():
    found = bouton.outcomes("Gamma(m1,m2;n)", m1=range(1, 4), m2=range(1, 6), n=range(1, 15))
    assert found.names == ("m1", "m2", "n")
    for (m1, m2, n), outcome in zip(found.values.tolist(), found.outcome, strict=True):
        assert m1 < m2
        assert kotzig((m1, m2), n) == outcome, (m1, m2, n)
    assert len(found) == (4 + 3 + 2) * 14
    frame = polars.DataFrame(found.columns())
    assert frame.filter(polars.col("outcome") == "P").height == int(
        (found["n"][found.outcome == "P"] > 0).sum()
    )
    assert bouton.outcomes("Gamma(1,4;n)", n=60, nodes=1).outcome.tolist() == ["?"]


def test_the_ledger_is_a_table():
    ledger = bouton.ledger()
    frames = (
        polars.DataFrame(ledger),
        pandas.DataFrame.from_arrow(ledger),
        pyarrow.table(ledger).to_pandas(),
    )
    for frame in frames:
        assert list(frame.columns) == ledger.columns
        assert len(frame) == len(ledger)
        assert (
            frame["game"].to_list() == ledger["game"] if hasattr(frame["game"], "to_list") else True
        )
    rows = list(ledger)
    assert {row["verdict"] for row in rows} <= {
        "proved",
        "proved (Coq)",
        "holds",
        "refuted",
        "unknown",
        "not settled",
        None,
    }
    circular_nim = ledger.about("CN(6,3)")
    assert any(row["verdict"] == "proved" and row["certificate"] for row in circular_nim)
    # A schema asked for is a wish; the stream can be taken more than once.
    assert pyarrow.table(ledger) == pyarrow.table(ledger)

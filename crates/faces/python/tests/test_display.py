"""What notebooks show, and pictures in files."""

import xml.etree.ElementTree as ElementTree

import pytest

import bouton


def is_svg(text):
    return ElementTree.fromstring(text).tag.endswith("svg")


def test_pictures():
    pictures = [
        bouton.game("CN(6,3)").board([1, 2, 3, 1, 2, 3]),
        bouton.game("Gamma(1,4;13)").strategy(),
        bouton.heatmap("wythoff", "x,y", x=range(20), y=range(20), of="nim-value"),
        bouton.heatmap("Gamma(1,4;x)", x=range(1, 40)),
        bouton.period("kayles").ruler,
        bouton.cash([1, 4]).heatmap(12),
    ]
    for picture in pictures:
        assert is_svg(picture._repr_svg_())
        assert picture.title
        assert picture.description


def test_heatmaps_tell_what_they_show():
    # Wythoff, 1907: the P-positions are (⌊kφ⌋, ⌊kφ²⌋).
    golden = (1 + 5**0.5) / 2
    lost = {(int(k * golden), int(k * golden) + k) for k in range(20)}
    rows = bouton.heatmap("wythoff", "x,y", x=range(25), y=range(25)).data["rows"]
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            assert cell == ("P" if (min(x, y), max(x, y)) in lost else "N")


def test_files(tmp_path):
    picture = bouton.game("Gamma(1,4;13)").strategy()
    for name in ("tree.svg", "tree.png", "tree.tex", "tree.dot"):
        picture.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(bouton.Error, match="no format"):
        picture.save(tmp_path / "tree.gif")
    with pytest.raises(bouton.Error):
        bouton.game("nim").board([1, 2]).dot()
    study = bouton.game("nim(2)").study()
    for name in ("study.html", "study.tex", "study.json", "study.cert"):
        study.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    assert bouton.check(tmp_path / "study.cert")


def test_notebooks():
    study = bouton.game("CN(4,2)").study()
    assert "<math" in study._repr_html_()
    assert "<html" not in study._repr_html_()
    assert study._repr_latex_().startswith("$")
    assert "CN(4,2)" in str(study)
    proved = bouton.prove("CN(4,2)", study.form)
    assert "<math" in proved._repr_html_()
    assert proved._repr_latex_() == study._repr_latex_()
    answer = bouton.game("CN(4,2)").solve([1, 2, 1, 3])
    assert is_svg(answer._repr_svg_())
    assert "<svg" in answer._repr_html_()
    for shown in (
        bouton.game("nim"),
        bouton.cash([1, 4]),
        bouton.logic("A x: x = x"),
        bouton.ledger(),
        bouton.check(study.certificate),
        bouton.conjecture(bouton.game("nim(2)").nim_values(15), box=True),
        bouton.study("kayles"),
        bouton.study("NIM(1,2;n;d,e)"),
        bouton.study("Gamma(1,2;n)", to=20),
    ):
        html = shown._repr_html_()
        assert html
        assert "<script" not in html
    # Names are escaped.
    assert "&lt;" in bouton.logic("A x: x < x + 1")._repr_html_()
    # Heaps too large for a board.
    assert bouton.game("nim(3)").solve([10**30, 1, 2])._repr_html_()

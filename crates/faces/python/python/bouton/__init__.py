"""Take-away games: rules to tables, to closed forms, to proofs with certificates.

>>> import bouton
>>> bouton.game("nim(3)").solve([1, 2, 3]).outcome
'P'

Games are named as people write them (`bouton.games()` lists the notations), read from rule files
(`bouton.rules`), or are classes of one's own with a method `options(self, position)`. Engines run
without the GIL, and Ctrl-C ends them. What costs takes `seconds`, `nodes` (positions expanded) and
`memory` (megabytes of tables); where a budget ends an answer is unknown and says why, never wrong.
Errors are `bouton.Error`, with message, text, place and accepted form.
"""

from ._answer import Answer, Move
from ._array import Solved
from ._bouton import version as __version__
from ._cash import WinCondition, cash
from ._conjecture import Conjecture, conjecture
from ._errors import Error, LimitReached, WrongType
from ._game import Game, game, games, rules
from ._kotzig import Outcomes, outcomes
from ._ledger import Ledger, ledger
from ._logic import Decision, logic
from ._own import OwnGame
from ._picture import Picture, heatmap
from ._proof import Checked, Verdict, check, prove
from ._sequence import Period, period, values
from ._study import RangeStudy, Refutation, Sentence, Study, study, study_range
from ._sweep import Catalogue, atlas, catalogue, census, sweep

__all__ = [
    "Answer",
    "Catalogue",
    "Checked",
    "Conjecture",
    "Decision",
    "Error",
    "Game",
    "Ledger",
    "LimitReached",
    "Move",
    "Outcomes",
    "OwnGame",
    "Period",
    "Picture",
    "RangeStudy",
    "Refutation",
    "Sentence",
    "Solved",
    "Study",
    "Verdict",
    "WinCondition",
    "WrongType",
    "__version__",
    "atlas",
    "cash",
    "catalogue",
    "census",
    "check",
    "conjecture",
    "game",
    "games",
    "heatmap",
    "ledger",
    "logic",
    "outcomes",
    "period",
    "prove",
    "rules",
    "study",
    "study_range",
    "sweep",
    "values",
]

"""Tests of the package bouton: `cargo xtask python` runs them against the wheel."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

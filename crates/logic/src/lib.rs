//! First-order logic over heap sizes, decided by automata.

//! What a proof may cost.

use bouton_core::Budget;
use bouton_prover::default_budget;

/// Returns what the prover may spend of a budget: its own limits where the budget has none.
pub fn prover_budget(budget: &Budget) -> Budget {
    let default = default_budget();
    Budget {
        nodes: budget.nodes.or(default.nodes),
        bytes: budget.bytes.or(default.bytes),
        ..budget.clone()
    }
}

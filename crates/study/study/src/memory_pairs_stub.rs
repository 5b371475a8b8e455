//! What a build without them finds of pairs that what is remembered shifts: nothing.

use crate::tables::Tables;
use bouton_conjecture::OutcomeTable;

/// Returns whether such a form may be sought.
pub(crate) fn applies(_: &Tables<'_>, _: &OutcomeTable) -> bool {
    false
}

/// Returns the form of a table as pairs of sequences, shifted by what is remembered.
pub(crate) fn shifted_pairs(_: &Tables<'_>, _: &OutcomeTable) -> Option<String> {
    None
}

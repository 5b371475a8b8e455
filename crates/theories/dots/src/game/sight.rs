//! The structure of a position as marks on its board.

use super::Dots;
use crate::Structure;
use bouton_core::{Group, GroupKind, Leads, Sight};

/// Returns the marks of chains, loops and captures, and the consequence of each open line.
pub(super) fn structure_marks(rules: &Dots, structure: &Structure) -> Sight {
    let group =
        |kind, boxes: &[u32]| Group { kind, boxes: boxes.iter().map(|b| *b as usize).collect() };
    let mut groups = Vec::new();
    if !structure.captured.is_empty() {
        groups.push(group(GroupKind::Captures, &structure.captured));
    }
    groups.extend(structure.chains.iter().map(|chain| {
        let kind = match (chain.is_loop, chain.is_long()) {
            (true, _) => GroupKind::Loop,
            (false, true) => GroupKind::LongChain,
            (false, false) => GroupKind::Chain,
        };
        group(kind, &chain.boxes)
    }));
    let leads = |line: usize| {
        let is = |set: u64| set >> line & 1 == 1;
        match () {
            () if is(structure.closing) => Some(Leads::Closes),
            () if is(structure.safe) => Some(Leads::Safe),
            () if is(structure.loony) => Some(Leads::Loony),
            () => is(structure.open).then_some(Leads::Gives),
        }
    };
    let of = |kind: usize| {
        let of_kind = (0..rules.sides.len()).filter(move |line| rules.group(*line).0 % 2 == kind);
        of_kind.map(leads).collect()
    };
    Sight { groups, horizontal: of(0), vertical: of(1) }
}

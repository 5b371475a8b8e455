//! A part of a table to look at: two heaps free, the others fixed.

use bouton_conjecture::{OutcomeTable, densest_slice};
use serde::Serialize;

/// The greatest heap that a slice shows.
const SHOWN: u64 = 31;

/// The positions that differ in two heaps only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Slice {
    /// The position, with x and y for the two heaps that are free: `x,1,y,1`; of one heap `x`.
    pub position: String,
    /// The least and the greatest heap shown.
    pub range: [u64; 2],
    /// The P-positions among them, as x and y; of one heap y is 0.
    pub p: Vec<[u64; 2]>,
}

impl Slice {
    /// Returns the slice with most P-positions, those preferred that do not all lie on one line: a
    /// single diagonal says less. None of a table without P-positions. O(P-positions · heaps³).
    pub fn densest(table: &OutcomeTable) -> Option<Slice> {
        let heaps = table.heaps();
        let range = [table.least(), table.most().min(SHOWN)];
        if heaps == 1 {
            let shown = table.p_positions().filter(|p| u64::from(p[0]) <= range[1]);
            let p: Vec<[u64; 2]> = shown.map(|p| [u64::from(p[0]), 0]).collect();
            return (!p.is_empty()).then(|| Slice { position: "x".into(), range, p });
        }
        let (x, y, rest) = densest_slice(table, range[1])?;
        // In a table of ascending positions the others are theirs with the heaps exchanged: asked
        // of the table itself.
        let mut heap = rest.iter().map(|heap| i64::from(*heap));
        let mut at: Vec<i64> = (0..heaps)
            .map(|i| if i == x || i == y { 0 } else { heap.next().unwrap_or(0) })
            .collect();
        let name = |i: usize| {
            if i == x {
                "x".into()
            } else if i == y {
                "y".into()
            } else {
                at[i].to_string()
            }
        };
        let position = (0..heaps).map(name).collect::<Vec<_>>().join(",");
        let mut p = Vec::new();
        for b in range[0]..=range[1] {
            for a in range[0]..=range[1] {
                (at[x], at[y]) = (a as i64, b as i64);
                if table.is_p(&at) {
                    p.push([a, b]);
                }
            }
        }
        Some(Slice { position, range, p })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_conjecture::Images;

    fn table(heaps: usize, most: u64, is_p: impl Fn(&[u64]) -> bool) -> OutcomeTable {
        let side = most + 1;
        let all = (0..side.pow(heaps as u32))
            .map(|code| (0..heaps as u32).map(|i| code / side.pow(i) % side).collect::<Vec<u64>>());
        let p: Vec<Vec<u64>> = all.filter(|p| is_p(p)).collect();
        let identity = Images::Listed(vec![(0..heaps).collect()]);
        OutcomeTable::new(heaps, 0, most, identity, p.iter().map(|p| &p[..])).unwrap()
    }

    #[test]
    fn slices_show_where_most_is() {
        // a = c and b = d: with a and b free there is one P-position at most.
        let circle = Slice::densest(&table(4, 5, |p| p[0] == p[2] && p[1] == p[3])).unwrap();
        assert!(["x,0,y,0", "0,x,0,y"].contains(&circle.position.as_str()), "{circle:?}");
        assert_eq!(circle.p, (0..=5).map(|x| [x, x]).collect::<Vec<_>>());
        // Nim-sums: a third heap of 0 shows a diagonal, one of 1 shows more.
        let nim = Slice::densest(&table(3, 7, |p| p[0] ^ p[1] ^ p[2] == 0)).unwrap();
        assert_eq!(nim.p.len(), 8);
        assert!(nim.p.iter().any(|[x, y]| x != y) && nim.position.contains('1'), "{nim:?}");
        assert_eq!(Slice::densest(&table(2, 3, |_| false)), None);
    }
}

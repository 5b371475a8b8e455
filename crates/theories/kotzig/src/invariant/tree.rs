//! Decision trees over features: the local strategy.
//!
//! Source: J. R. Quinlan, *Induction of decision trees*, Machine Learning 1 (1986) 81–106.

/// A tree whose leaves are answers.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Leaf(u8),
    /// The feature looked at, and where to go on where it is absent or present.
    Split(u32, [u32; 2]),
}

/// A node of a tree as others see it.
pub(super) enum TreeStep {
    Answer(u8),
    /// A feature, and where to go on where it is absent or present.
    Look(u32, [u32; 2]),
}

/// A case that the tree must answer so.
pub(super) type Case = (u128, u8);

impl Tree {
    /// Returns the tree that always gives one answer.
    pub(super) fn always(answer: u8) -> Tree {
        Tree { nodes: vec![Node::Leaf(answer)] }
    }

    /// Returns a tree that answers all cases, no two of which have the same features; `features` of
    /// them are looked at, the first ones by preference. O(cases · features · depth).
    pub(super) fn learn(cases: &mut [Case], features: u32, otherwise: u8) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        tree.grow(cases, features, otherwise);
        tree
    }

    fn grow(&mut self, cases: &mut [Case], features: u32, otherwise: u8) -> u32 {
        let here = self.nodes.len() as u32;
        let Some((_, first)) = cases.first().copied() else {
            self.nodes.push(Node::Leaf(otherwise));
            return here;
        };
        if cases.iter().all(|(_, answer)| *answer == first) {
            self.nodes.push(Node::Leaf(first));
            return here;
        }
        let mut best: Option<(f64, u32)> = None;
        for feature in 0..features {
            let mut counts = [[0u32; 4]; 2];
            for (bits, answer) in &*cases {
                counts[(bits >> feature & 1) as usize][*answer as usize & 3] += 1;
            }
            let totals = counts.map(|side| side.iter().sum::<u32>());
            if totals.contains(&0) {
                continue;
            }
            let cost = counts.iter().map(entropy).sum::<f64>();
            if best.is_none_or(|(least, _)| cost < least - 1e-9) {
                best = Some((cost, feature));
            }
        }
        let Some((_, feature)) = best else {
            // Two cases with the same features: the caller keeps them apart.
            self.nodes.push(Node::Leaf(first));
            return here;
        };
        self.nodes.push(Node::Split(feature, [0; 2]));
        cases.sort_unstable_by_key(|(bits, answer)| (bits >> feature & 1, *bits, *answer));
        let middle = cases.partition_point(|(bits, _)| bits >> feature & 1 == 0);
        let (absent, present) = cases.split_at_mut(middle);
        let next =
            [self.grow(absent, features, otherwise), self.grow(present, features, otherwise)];
        self.nodes[here as usize] = Node::Split(feature, next);
        here
    }

    /// Returns the step at a node, 0 for the first.
    pub(super) fn step(&self, at: u32) -> TreeStep {
        match self.nodes[at as usize] {
            Node::Leaf(answer) => TreeStep::Answer(answer),
            Node::Split(feature, next) => TreeStep::Look(feature, next),
        }
    }

    #[inline]
    pub(super) fn answer(&self, bits: u128) -> u8 {
        let mut at = 0;
        loop {
            match self.nodes[at as usize] {
                Node::Leaf(answer) => return answer,
                Node::Split(feature, next) => at = next[(bits >> feature & 1) as usize],
            }
        }
    }
}

/// Returns bits that it takes to tell the answers, all together.
fn entropy(counts: &[u32; 4]) -> f64 {
    let total = f64::from(counts.iter().sum::<u32>());
    counts.iter().filter(|c| **c > 0).map(|c| f64::from(*c) * (total / f64::from(*c)).log2()).sum()
}

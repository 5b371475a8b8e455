//! Stones between two purses.

use super::MAX_TOKENS;
use super::heaps::{DrawnHeap, HeapStyle, heap};
use crate::scene::{Anchor, INK, PURSE, Scene, Shape, Style};

pub(super) fn purses(
    scene: &mut Scene,
    (stones, before): (u64, u64),
    (mover, other): (Option<u64>, Option<u64>),
    touch: bool,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let listed = if stones > u64::from(MAX_TOKENS) {
        stones
    } else {
        before.clamp(stones, u64::from(MAX_TOKENS))
    };
    let style = HeapStyle {
        columns: listed.div_ceil(8).clamp(1, 3),
        ..HeapStyle::from_sizes(listed, 1, touch)
    };
    let floor = top + 16.0 + style.height(listed);
    let purse = |dollars: Option<u64>| dollars.map_or("∞".into(), |d| d.to_string());
    for (x, who, dollars) in [(70.0, "to move", mover), (250.0, "other", other)] {
        scene.add(
            Shape::Box(x - 46.0, floor - 44.0, 92.0, 44.0, 12.0),
            Style::line(INK, 1.5).filled(PURSE),
        );
        scene.text(x, floor - 22.0, 15.0, format!("$ {}", purse(dollars)), Anchor::Middle);
        scene.text(x, floor + 12.0, 12.0, who, Anchor::Middle);
    }
    let pile = DrawnHeap { size: stones, before: listed, keeps: stones, summand, heap: 0 };
    heap(scene, pile, 160.0, floor, style);
    (320.0, floor - top + 32.0)
}

//! Slabs pipelined over threads: a ring of workers that hand the pieces of a slab on.
//!
//! A box is cut into slabs along its first axis, a slab into pieces along the second. A piece needs the same piece of
//! the slab before, which it overwrites, and the piece before it in its own slab. So a piece may go to the worker of
//! the next slab as soon as the piece after it is done. Pieces are owned by one worker at a time: no locks.

use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::mpsc::{channel, sync_channel};

/// Who does the slabs, one at a time.
pub(super) trait Worker: Send {
    /// What is kept of a piece for the next slab.
    type Piece: Send;
    /// What is found in a piece.
    type Found: Send;
    /// A piece before the first slab.
    fn blank(&self) -> Self::Piece;
    /// Does one piece; `before` is the one before it in the same slab.
    fn step(
        &mut self,
        slab: u32,
        piece: u32,
        current: &mut Self::Piece,
        before: Option<&Self::Piece>,
    ) -> Self::Found;
}

/// Does all slabs and visits what is found, slab by slab and piece by piece whatever the number of workers, until
/// `visit` breaks. Workers run at most one slab ahead of the visitor.
pub(super) fn run<W: Worker, B>(
    mut workers: Vec<W>,
    slabs: u32,
    pieces: u32,
    mut visit: impl FnMut(u32, u32, W::Found) -> ControlFlow<B>,
) -> ControlFlow<B> {
    workers.truncate(slabs as usize);
    if workers.len() == 1 {
        let mut waiting = VecDeque::new();
        let take = |worker: &W, waiting: &mut VecDeque<W::Piece>, slab: u32| {
            if slab == 0 { worker.blank() } else { waiting.pop_front().expect("a piece a slab") }
        };
        for slab in 0..slabs {
            let mut before = None;
            for piece in 0..pieces {
                let mut current = take(&workers[0], &mut waiting, slab);
                visit(slab, piece, workers[0].step(slab, piece, &mut current, before.as_ref()))?;
                waiting.extend(before.replace(current));
            }
            waiting.extend(before);
        }
        return Continue(());
    }
    let count = workers.len();
    std::thread::scope(|scope| {
        let (mut handers, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| channel::<W::Piece>()).unzip();
        handers.rotate_left(1);
        let mut results = Vec::new();
        for (first, ((mut worker, hand_on), receive)) in
            workers.into_iter().zip(handers).zip(receivers).enumerate()
        {
            let (tell, hear) = sync_channel(pieces as usize);
            results.push(hear);
            // Whoever finds that a neighbour or the visitor has gone stops too.
            scope.spawn(move || {
                for slab in (first as u32..slabs).step_by(count) {
                    let mut before = None;
                    for piece in 0..pieces {
                        let mut current = if slab == 0 {
                            worker.blank()
                        } else if let Ok(piece) = receive.recv() {
                            piece
                        } else {
                            return;
                        };
                        let found = worker.step(slab, piece, &mut current, before.as_ref());
                        if tell.send(found).is_err() {
                            return;
                        }
                        if let Some(done) = before.replace(current) {
                            let _ = hand_on.send(done);
                        }
                    }
                    if let Some(done) = before {
                        let _ = hand_on.send(done);
                    }
                }
            });
        }
        for slab in 0..slabs {
            for piece in 0..pieces {
                let Ok(found) = results[slab as usize % count].recv() else {
                    unreachable!("a worker ends only after its last slab");
                };
                if let Break(end) = visit(slab, piece, found) {
                    return Break(end);
                }
            }
        }
        Continue(())
    })
}

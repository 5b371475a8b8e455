//! Kotzig's Nim for every n, lap by lap.

use crate::kotzig::{self, Losses};
use crate::{Certificate, Checked, Lines, Work, need, number, reject};
use std::collections::HashSet;
use std::hash::Hash;

/// The automata of a lap; state 0 of each says nothing.
struct Lap {
    tapes: Vec<([usize; 2], bool)>,
    classes: Vec<Class>,
    words: Vec<([usize; 2], u8)>,
}

struct Class {
    next: [usize; 2],
    word: usize,
    label: Vec<u8>,
}

impl Lap {
    fn tape(&self, state: usize, letter: usize) -> usize {
        self.tapes[state].0[letter]
    }

    fn class(&self, state: usize, letter: usize) -> usize {
        self.classes[state].next[letter]
    }

    fn word(&self, state: usize, letter: usize) -> usize {
        self.words[state].0[letter]
    }
}

/// Reads the numbers of the two next states.
fn next(words: &[&str], states: usize) -> Checked<[usize; 2]> {
    let next = [number(words[0])? as usize, number(words[1])? as usize];
    need(next.iter().all(|state| *state <= states), "a state that is none")?;
    Ok(next)
}

fn lap(lines: &mut Lines, at: usize, m: usize) -> Checked<Lap> {
    let head: Vec<&str> = lines.field("lap")?.split(' ').collect();
    let [number_of, "tapes", tapes, "classes", classes, "words", words] = head[..] else {
        return reject("no lap");
    };
    need(number(number_of)? as usize == at, "laps come in order")?;
    let (tapes, classes, words) =
        (number(tapes)? as usize, number(classes)? as usize, number(words)? as usize);
    let all = lines.lines.len();
    need(tapes <= all && classes <= all && words <= all, "too few states")?;
    let mut lap = Lap {
        tapes: vec![([0; 2], false)],
        classes: vec![Class { next: [0; 2], word: 0, label: vec![b'?'; m] }],
        words: vec![([0; 2], b'?')],
    };
    need(tapes >= 1 && classes >= 1, "an automaton without states")?;
    for _ in 0..tapes {
        let line: Vec<&str> = lines.next()?.split(' ').collect();
        let ends = match line[..] {
            [_, _] => false,
            [_, _, "."] => true,
            _ => return reject("no state of tapes"),
        };
        lap.tapes.push((next(&line, tapes)?, ends));
    }
    for _ in 0..classes {
        let line: Vec<&str> = lines.next()?.split(' ').collect();
        let [_, _, word, label] = line[..] else { return reject("no class") };
        let word = number(word)? as usize;
        need(word <= words, "a state of words that is none")?;
        let label = if label == "-" { vec![b'?'; m] } else { label.bytes().collect() };
        need(label.len() == m && label.iter().all(|c| b".WL?".contains(c)), "no label")?;
        lap.classes.push(Class { next: next(&line, classes)?, word, label });
    }
    for _ in 0..words {
        let line: Vec<&str> = lines.next()?.split(' ').collect();
        let [_, _, verdict] = line[..] else { return reject("no word") };
        need(["W", "L", "?"].contains(&verdict), "no verdict of a word")?;
        lap.words.push((next(&line, words)?, verdict.as_bytes()[0]));
    }
    Ok(lap)
}

/// Goes through all that follows from a start.
fn walk<T: Hash + Eq + Clone>(
    start: T,
    work: &mut Work,
    mut visit: impl FnMut(&T, &mut Vec<T>) -> Checked<()>,
) -> Checked<()> {
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start];
    let mut news = Vec::new();
    while let Some(item) = stack.pop() {
        work.spend(100)?;
        visit(&item, &mut news)?;
        for item in news.drain(..) {
            if seen.insert(item.clone()) {
                stack.push(item);
            }
        }
    }
    Ok(())
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let steps = kotzig::steps(certificate.game)?;
    let (formula, misere) = kotzig::claim(certificate.claim)?;
    need(steps[0] > 0 && steps[steps.len() - 1] <= 12, "steps go forwards, by 12 at most")?;
    let signed_steps = steps.clone();
    let steps: Vec<usize> = steps.iter().map(|step| *step as usize).collect();
    let m = steps[steps.len() - 1];
    let mut lines = Lines { lines: &certificate.body };
    let Some((count, from)) = lines.field("laps")?.split_once(" from ") else {
        return reject("no laps");
    };
    let (count, from) = (number(count)? as usize, number(from)? as usize);
    need((1..=64).contains(&count), "1 to 64 laps")?;
    need(m < from && from <= 129, "`from` is out of its bounds")?;
    let laps: Vec<Lap> = (1..=count).map(|at| lap(&mut lines, at, m)).collect::<Checked<_>>()?;
    lines.end()?;
    let silent = laps[count - 1].classes.iter().all(|class| class.label.iter().all(|c| *c == b'?'));
    need(silent, "labels of the last lap say something")?;

    let mut state = 1;
    let mut seen = HashSet::new();
    for n in 1.. {
        state = laps[0].tape(state, 0);
        if n > m {
            need(laps[0].tapes[state].1, "a blank tape is none of lap 1")?;
            if !seen.insert(state) {
                break;
            }
        }
    }
    for at in 0..count {
        if at + 1 < count {
            followed(&laps[at], &laps[at + 1], at == 0, &steps, work)?;
            labelled(&laps[at], &laps[at + 1], m, work)?;
        }
        decided(&laps[at], at == 0, &steps, misere, work)?;
    }

    // Who wins from the start: x = 1, y = n − 1 zeros.
    let lap = &laps[0];
    let mut word = lap.classes[lap.class(1, 1)].word;
    for _ in 1..from {
        word = lap.word(word, 0);
    }
    let mut met = Vec::new();
    while !met.contains(&word) {
        met.push(word);
        word = lap.word(word, 0);
    }
    let lead = met.iter().position(|state| *state == word).unwrap_or(0);
    let period = met.len() - lead;
    let loss = |state: usize| match lap.words[state].1 {
        b'L' => Ok(true),
        b'W' => Ok(false),
        _ => reject("lap 1 does not say who wins"),
    };
    let mut below = vec![false];
    for n in 1..from {
        below.push(!kotzig::mover_wins(&signed_steps, n, misere, work)?);
    }
    for state in &met[..lead] {
        below.push(loss(*state)?);
    }
    let mut classes = vec![false; period];
    for (i, state) in met[lead..].iter().enumerate() {
        classes[(from + lead + i) % period] = loss(*state)?;
    }
    Losses { below, classes }.stated(&formula)
}

/// Where the token comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    /// Not yet on the tape.
    Behind,
    /// After so many cells, 0 being the one at hand.
    In(usize),
}

/// Returns what one cell of a tape may become while the token passes: its letter on the tape, its
/// letter then, and where the token is for the next cell; `true` if the token lands here.
fn passages(
    token: Token,
    cell: usize,
    first: bool,
    steps: &[usize],
) -> Vec<(usize, usize, Token, bool)> {
    let m = steps[steps.len() - 1];
    let mut all = Vec::new();
    let land = |all: &mut Vec<_>| all.extend(steps.iter().map(|k| (0, 1, Token::In(k - 1), true)));
    match token {
        Token::In(0) => land(&mut all),
        Token::In(d) => all.extend([0, 1].map(|letter| (letter, letter, Token::In(d - 1), false))),
        Token::Behind => {
            if cell < if first { 1 } else { m } {
                land(&mut all);
            }
            if cell + 1 < if first { 1 } else { m } {
                all.extend([0, 1].map(|letter| (letter, letter, Token::Behind, false)));
            }
        }
    }
    all
}

/// Checks that all tapes that a lap leaves are tapes of the next one.
fn followed(lap: &Lap, later: &Lap, first: bool, steps: &[usize], work: &mut Work) -> Checked<()> {
    let m = steps[steps.len() - 1];
    walk((1, Token::Behind, 1, 0), work, |&(tape, token, next, cells), news| {
        if cells > m && lap.tapes[tape].1 && token != Token::Behind {
            need(later.tapes[next].1, "a tape that a lap leaves is none of the next lap")?;
        }
        for (old, new, token, _) in passages(token, cells, first, steps) {
            let tape = lap.tape(tape, old);
            if tape != 0 {
                news.push((tape, token, later.tape(next, new), (cells + 1).min(m + 1)));
            }
        }
        Ok(())
    })
}

/// Checks that labels say what the next lap says.
fn labelled(lap: &Lap, later: &Lap, m: usize, work: &mut Work) -> Checked<()> {
    for i in 0..m {
        // Tape, class of this lap, class of the next one or (behind the cell) word, cells, cell i.
        walk((1, 1, 1, 0, 0), work, |&(tape, class, other, cells, here), news| {
            if cells > m && later.tapes[tape].1 {
                match lap.classes[class].label[i] {
                    b'?' => {}
                    b'.' => need(here == 1, "a cell is not marked as its label says")?,
                    verdict => {
                        let right = here == 0 && later.words[other].1 == verdict;
                        need(right, "a label is not what the next lap says")?;
                    }
                }
            }
            for letter in 0..2 {
                let tape = later.tape(tape, letter);
                if tape == 0 {
                    continue;
                }
                let (other, here) = match cells {
                    _ if cells < i => (later.class(other, letter), here),
                    _ if cells == i => (later.classes[later.class(other, 1)].word, letter),
                    _ => (later.word(other, letter), here),
                };
                news.push((tape, lap.class(class, letter), other, (cells + 1).min(m + 1), here));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// An option of a position while the cells ahead are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Reply {
    /// Its cell is not read yet.
    Ahead,
    /// Its cell is marked.
    None,
    /// The state of its words.
    Word(usize),
}

/// Where the reading of a tape is: before the position's token, or behind it.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Reading {
    Before {
        tape: usize,
        class: usize,
        token: Token,
        cells: usize,
    },
    Behind {
        tape: usize,
        class: usize,
        word: usize,
        replies: Vec<Reply>,
        ahead: usize,
        cells: usize,
    },
}

/// Checks what a lap says of the positions to which its moves lead.
fn decided(lap: &Lap, first: bool, steps: &[usize], misere: bool, work: &mut Work) -> Checked<()> {
    let m = steps[steps.len() - 1];
    let start = Reading::Before { tape: 1, class: 1, token: Token::Behind, cells: 0 };
    walk(start, work, |reading, news| {
        match reading {
            Reading::Before { tape, class, token, cells } => {
                for (old, new, token, landed) in passages(*token, *cells, first, steps) {
                    let tape = lap.tape(*tape, old);
                    if tape == 0 {
                        continue;
                    }
                    let (class, cells) = (lap.class(*class, new), (cells + 1).min(m + 1));
                    news.push(Reading::Before { tape, class, token, cells });
                    if landed {
                        let word = lap.classes[class].word;
                        let replies = vec![Reply::Ahead; steps.len()];
                        news.push(Reading::Behind { tape, class, word, replies, ahead: 0, cells });
                    }
                }
            }
            Reading::Behind { tape, class, word, replies, ahead, cells } => {
                if *cells > m && lap.tapes[*tape].1 {
                    let label = &lap.classes[*class].label;
                    let said: Vec<u8> = replies
                        .iter()
                        .zip(steps)
                        .map(|(reply, k)| match reply {
                            Reply::Ahead => label[k - 1 - ahead],
                            Reply::None => b'.',
                            Reply::Word(state) => lap.words[*state].1,
                        })
                        .collect();
                    let moves = said.iter().filter(|c| **c != b'.').count();
                    match lap.words[*word].1 {
                        b'L' => {
                            let all = said.iter().all(|c| [b'.', b'W'].contains(c));
                            need(
                                all && !(misere && moves == 0),
                                "a position said to be lost is not",
                            )?;
                        }
                        b'W' => {
                            let won = said.contains(&b'L') || misere && moves == 0;
                            need(won, "a position said to be won is not")?;
                        }
                        _ => {}
                    }
                }
                for letter in 0..2 {
                    let tape = lap.tape(*tape, letter);
                    if tape == 0 {
                        continue;
                    }
                    let replies: Vec<Reply> = replies
                        .iter()
                        .zip(steps)
                        .map(|(reply, k)| match reply {
                            Reply::Ahead if k - 1 == *ahead && letter == 0 => {
                                Reply::Word(lap.classes[lap.class(*class, 1)].word)
                            }
                            Reply::Ahead if k - 1 == *ahead => Reply::None,
                            Reply::Word(state) => Reply::Word(lap.word(*state, letter)),
                            other => *other,
                        })
                        .collect();
                    let pending = replies.contains(&Reply::Ahead);
                    news.push(Reading::Behind {
                        tape,
                        class: if pending { lap.class(*class, letter) } else { 0 },
                        word: lap.word(*word, letter),
                        replies,
                        ahead: (ahead + 1).min(m),
                        cells: (cells + 1).min(m + 1),
                    });
                }
            }
        }
        Ok(())
    })
}

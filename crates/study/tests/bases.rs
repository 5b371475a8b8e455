//! Automata over digits to bases other than 2: learned from tables and proved for games whose rules divide by 3, 5, 6, 7, 10; held against the rules alone far beyond the tables; wrong ones refuted by
//! the least position; certificates changed by a word.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_check::check;
use bouton_games::RuleFile;
use bouton_logic::{Acceptor, AutomaticVerdict, Claim, Read, prove_automatic};
use bouton_rules::{Budget, Certificate, Meter, Play};
use bouton_solve::Game;
use bouton_study::{Ending, Failure, Line, Proved, Tables, Verdict, follow, settle_automaton, stated};

/// Numbers whose digits to base 3 end in an odd number of zeros, and 0.
const ODD_ZEROS: &str =
    "msd_3\n\n0 1\n0 -> 0\n1 -> 1\n2 -> 1\n\n1 0\n0 -> 2\n1 -> 1\n2 -> 1\n\n2 1\n0 -> 1\n1 -> 1\n2 -> 1\n";
const MARK_3: &str = "q0+1 = p0 | q0+2 = p0 | q0 = p0 div 3";

fn rules(heaps: usize, condition: &str) -> Box<dyn Game> {
    let text = format!("name = \"x\"\nheaps = {heaps}\nmove = \"{condition}\"\n");
    RuleFile::parse(&text).unwrap().game()
}

fn line(game: &dyn Game) -> Line {
    let stated = game.heap_game().unwrap();
    follow(&Tables::new(game, &stated, Play::Normal, &Budget::default(), &|_| {}))
}

/// Whether positions of one heap are lost, by the options as they are told here.
fn lost(options: &dyn Fn(usize) -> Vec<usize>, most: usize) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for x in 0..=most {
        let p = options(x).into_iter().all(|option| !all[option]);
        all.push(p);
    }
    all
}

/// Of one heap: takings, and what is left of it by a division.
fn steps(takings: &[usize], divisor: usize) -> impl Fn(usize) -> Vec<usize> + '_ {
    move |x| {
        let taken = takings.iter().filter_map(move |taking| x.checked_sub(*taking));
        taken.chain((x > 0).then_some(x / divisor)).collect()
    }
}

fn again(text: &str) -> String {
    let mut lines = text.splitn(6, '\n');
    let mut word = |start: &str| lines.next().unwrap().strip_prefix(start).unwrap().to_owned();
    word("bouton certificate 1");
    let (kind, game, claim) = (word("kind: "), word("game: "), word("claim: "));
    word("");
    Certificate { kind, game, claim, body: lines.next().unwrap().into() }.to_text()
}

#[test]
fn games_of_one_heap_are_learned_and_proved() {
    let games: [(&[usize], usize); 5] = [(&[1, 2], 3), (&[1], 5), (&[1], 7), (&[1, 2, 3], 10), (&[2, 3], 6)];
    for (takings, divisor) in games {
        let taken: Vec<String> = takings.iter().map(|taking| format!("q0+{taking} = p0")).collect();
        let text = format!("{} | q0 = p0 div {divisor}", taken.join(" | "));
        let line = line(&*rules(1, &text));
        let Ending::Proved(proof) = &line.ending else { panic!("{text}: {:?}", line.ending) };
        let automaton = line.automaton().unwrap();
        println!(
            "{text}: base {}, {} states, {:?}",
            automaton.base,
            automaton.states(),
            line.boards[0].rounds.last().unwrap().max
        );
        assert_eq!(automaton.base, divisor, "{text}");
        let accepted = check(&proof.certificate).unwrap();
        assert!(accepted.theorem.contains(&format!("digits to base {divisor}")), "{accepted:?}");
        let expected = lost(&steps(takings, divisor), 1_000_000);
        for (x, p) in expected.iter().enumerate() {
            assert_eq!(automaton.holds(&[x as u64]), *p, "{text}: {x}");
        }
    }
}

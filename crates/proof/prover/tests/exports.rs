//! What MONA, Z3 and a reader of Walnut's automata make of the exports.
//!
//! MONA and Z3 are asked where they are installed; where they are not, the test says so.

#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Meter;
use bouton_prover::export::{UnsupportedExport, automaton, mona, smt, walnut};
use bouton_prover::{
    Attempt, Claim, Decision, Formula, FormulaDecision, MoveSystem, Numeration, decide,
    decide_formula, default_budget, prove, theorem,
};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sentences of which about half are true.
const SENTENCES: &[&str] = &[
    "A x,y: x+y = y+x",
    "A x: E y: x = 2*y | x = 2*y+1",
    "A x: E y: x = 2*y",
    "E y: A x: x < y",
    "A n: n >= 8 => E x,y: n = 3*x + 5*y",
    "A n: n >= 7 => E x,y: n = 3*x + 5*y",
    "A x: 5*(x div 5) + x mod 5 = x",
    "A x: x mod 5 = 0 | x mod 5 = 1",
    "A x,y: min(x,y) + max(x,y) = x+y",
    "A x,y: min(x,y) + 1 <= max(x,y)",
    "A x: (E y: x = 3*y) <=> x mod 3 = 0",
    "A x: (E y: x = 3*y) <=> x mod 3 = 1",
    "E x,y: 7*x = 5*y + 3 & x != y & x > 100",
    "E x: x mod 6 = 3 & x mod 4 = 2",
    "A x,y: x < y => ~(y <= x)",
];

/// Sentences with ⊕, which linear arithmetic has no words for.
const NIM: &[&str] = &[
    "A x,y: x xor y <= x+y",
    "A x,y,z: (x xor y) + z = x xor (y + z)",
    "A a,b,c,d: (a xor b xor c = 0 & d < a) => d xor b xor c != 0",
    "A a,b,c: a xor b xor c != 0 => ((E d: d < a & d xor b xor c = 0) | (E d: d < b & a xor d xor \
     c = 0) | (E d: d < c & a xor b xor d = 0))",
    "A a,b: a xor b != 0 => E d: d < a & d xor b = 0",
    "A x: xor3(x,x,x) = 0",
    "A x: xor3(x,x) = 2*x",
    "A x,y: xor3(x,y,y) = x + 2*y",
];

fn truth(text: &str) -> bool {
    match decide(
        &Formula::parse(text).unwrap(),
        Numeration::Binary,
        &mut Meter::new(&default_budget()),
    )
    .unwrap()
    {
        Decision::True(_) => true,
        Decision::False(_) => false,
        Decision::Open(_) => panic!("{text} is closed"),
    }
}

fn answer(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    // Tests run side by side: a file each time.
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let number = ASKED.fetch_add(1, Ordering::Relaxed);
    let file =
        std::env::temp_dir().join(format!("bouton-{}-{number}-{program}", std::process::id()));
    std::fs::write(&file, input).unwrap();
    let child = Command::new(program)
        .args(arguments)
        .arg(&file)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let output = child.ok().map(|child| child.wait_with_output().unwrap());
    let _ = std::fs::remove_file(&file);
    output.map(|o| {
        String::from_utf8_lossy(&o.stdout).into_owned() + &String::from_utf8_lossy(&o.stderr)
    })
}

fn skipped(what: &str) {
    // Past the harness, which keeps what tests print to itself.
    let _ = writeln!(std::io::stderr(), "skipped: {what} is not installed");
}

#[test]
fn mona_agrees() {
    for text in SENTENCES.iter().chain(NIM) {
        let program = mona::program(&Formula::parse(text).unwrap()).unwrap();
        let Some(told) = answer("mona", &["-q"], &program) else { return skipped("mona") };
        let (valid, unsatisfiable) =
            (told.contains("Formula is valid"), told.contains("unsatisfiable"));
        assert!(valid != unsatisfiable, "{text}: {told}\n{program}");
        assert_eq!(valid, truth(text), "{text}: {told}\n{program}");
    }
}

/// Theorems and wrong claims about games, by MONA: as stated, and after the prover's eliminations.
#[test]
fn mona_agrees_on_games() {
    let nim = |n: usize| MoveSystem::windows(n, &(0..n).map(|h| vec![h]).collect::<Vec<_>>(), &[]);
    for (game, claim) in [
        (nim(3), "xor = 0"),
        (nim(3), "xor3 = 0"),
        (MoveSystem::circular(4, 2), "a=c & b=d"),
        (MoveSystem::circular(4, 2), "a=c & b=d & a<=9"),
        (MoveSystem::circular(5, 3), "a=0 & e=b & b=c+d"),
        (MoveSystem::circular(5, 3), "a=0 & e=b & b<=c+d"),
        (MoveSystem::circular(6, 3), "a+b=d+e & b+c=e+f"),
        (
            MoveSystem::moves(2, "q0+1=p0 & q1=p1 | q0=p0 & q1+1=p1", &[]).unwrap(),
            "(a+b) mod 2 = 0",
        ),
        (MoveSystem::moves(1, "p0 <= 2*q0", &[]).unwrap(), "a xor (a+1) = 2*a+1"),
    ] {
        let claim = Claim::parse(claim, game.boards[0].heaps).unwrap();
        let proved = prove(
            &game,
            std::slice::from_ref(&claim),
            Numeration::Binary,
            &mut Meter::new(&default_budget()),
        );
        let right = matches!(proved, Attempt::Proved(_));
        assert_eq!(right, !matches!(proved, Attempt::Refuted(_)), "{claim}");
        let statement =
            mona::program(&theorem(&game, &claim, &mut Meter::new(&default_budget())).unwrap())
                .unwrap();
        for program in [statement, mona::conditions(&game, &claim).unwrap()] {
            let Some(told) = answer("mona", &["-q"], &program) else { return skipped("mona") };
            assert_eq!(told.contains("Formula is valid"), right, "{claim}: {told}\n{program}");
            assert_eq!(told.contains("unsatisfiable"), !right, "{claim}: {told}\n{program}");
        }
    }
}

#[test]
fn z3_agrees() {
    // Of all scripts at once, a form feed between two; in Z3's own steps, a thousand times what
    // each takes.
    const ASK: &str = "\
import sys, z3
for script in open(sys.argv[1]).read().split('\\f'):
    s = z3.Solver()
    s.set('rlimit', 10000000)
    s.from_string(script)
    print(s.check())";
    let there = Command::new("python3").args(["-c", "import z3"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return skipped("z3 for Python");
    }
    let mut settled = 0;
    let scripts: Vec<String> =
        SENTENCES.iter().map(|text| smt::script(&Formula::parse(text).unwrap()).unwrap()).collect();
    let told = answer("python3", &["-c", ASK], &scripts.join("\u{c}")).unwrap();
    assert_eq!(told.lines().count(), SENTENCES.len(), "{told}");
    for ((text, script), told) in SENTENCES.iter().zip(&scripts).zip(told.lines()) {
        match told {
            "unsat" => assert!(truth(text), "{text}\n{script}"),
            "sat" => assert!(!truth(text), "{text}\n{script}"),
            "unknown" => continue,
            other => panic!("{text}: {other}\n{script}"),
        }
        settled += 1;
    }
    assert!(settled >= SENTENCES.len() / 2, "{settled}");
    for text in NIM.iter().filter(|text| text.contains(" xor ")) {
        assert!(matches!(
            smt::script(&Formula::parse(text).unwrap()),
            Err(UnsupportedExport::NoWords(..))
        ));
    }
}

#[test]
fn walnuts_words() {
    let formula = Formula::parse("A n: n >= 8 => E x,y: n = 3*x + 5*y").unwrap();
    let command = walnut::command(&formula, Numeration::Binary).unwrap();
    assert_eq!(
        command,
        "eval bouton \"?msd_2 (Avn_0 ((~(8<=vn_0)) | (Evx_1,vy_2 (vn_0=3*vx_1+5*vy_2))))\":\n"
    );
}

/// A multiple of the golden ratio is a shift that Walnut's `reg` defines; one of another number is
/// a shift in a file.
#[test]
fn walnuts_words_for_multiples() {
    let told = |text: &str| {
        walnut::command(&Formula::parse(text).unwrap(), Numeration::Binary)
            .map(|command| command.lines().map(str::to_owned).collect::<Vec<String>>())
    };
    assert_eq!(
        told("A x: shift(x) <= 2*x").unwrap(),
        [
            "reg shift msd_fib msd_fib \"([0,0]|[0,1][1,1]*[1,0])*\":",
            "eval bouton \"?msd_fib (Avx_0 (Eshift_vx_0 $shift(vx_0,shift_vx_0) & \
             (shift_vx_0<=2*vx_0)))\":",
        ]
    );
    let [.., file, command] = &told("A n: floor[1;(1,2)](n+1) > n").unwrap()[..] else {
        panic!("three lines")
    };
    assert_eq!(file, "# bouton logic 'floor[1;(1,2)](x + 1) = y + 1' --walnut shift_1_2.txt");
    assert!(command.contains("?msd_by_3_then_2 ") && command.contains("$shift_1_2("), "{command}");
    assert!(matches!(told("A n: floor[1;(2)](n) = n xor 1"), Err(UnsupportedExport::Undecided(_))));
}

/// Walnut's text, read by a reader of its own, accepts what the formula says.
#[test]
fn automata_as_walnuts_text() {
    for (text, arity) in
        [("a xor b = c", 3), ("a < 2*b", 2), ("a mod 3 = 1", 1), ("a + b = c & a <= 2", 3)]
    {
        let formula = Formula::parse(text).unwrap();
        let Ok(FormulaDecision::Open(tuples)) =
            decide_formula(&formula, Numeration::Binary, &mut Meter::new(&default_budget()))
        else {
            panic!("{text} has free variables");
        };
        let written = automaton::walnut(&tuples).unwrap();
        let mut lines = written.lines().filter(|line| !line.is_empty());
        assert_eq!(lines.next().unwrap(), vec!["msd_2"; arity].join(" "));
        let (mut output, mut next) =
            (std::collections::HashMap::new(), std::collections::HashMap::new());
        let mut state = 0;
        for line in lines {
            if let Some((digits, to)) = line.split_once(" -> ") {
                next.insert((state, digits.replace(' ', "")), to.parse::<usize>().unwrap());
            } else {
                let (number, accepts) = line.split_once(' ').unwrap();
                state = number.parse().unwrap();
                output.insert(state, accepts == "1");
            }
        }
        for number in 0..8u64.pow(arity as u32) {
            let values: Vec<u64> = (0..arity).map(|i| number / 8u64.pow(i as u32) % 8).collect();
            let mut at = Some(0);
            for place in [2, 1, 0] {
                let column: String =
                    values.iter().map(|v| if v >> place & 1 == 1 { '1' } else { '0' }).collect();
                at = at.and_then(|at| next.get(&(at, column)).copied());
            }
            let accepted = at.is_some_and(|at| output[&at]);
            assert_eq!(accepted, formula.holds(&values).unwrap(), "{text} of {values:?}");
        }
        let dot = automaton::dot(&tuples);
        assert!(
            dot.starts_with("digraph {") && dot.ends_with("}\n") && dot.contains("doublecircle")
        );
    }
}

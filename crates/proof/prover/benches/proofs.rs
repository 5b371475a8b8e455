//! Proofs for all heap sizes, conditions I and II: asserts each verdict, then prints processor time
//! and memory. Run with `cargo bench -p bouton-prover --bench proofs [-- NAME]`, SCN(8,6) by its
//! name alone; `-- mona` compares CN(6,4) with MONA.
#![allow(clippy::unwrap_used)]

use bouton_core::{Meter, Symmetry};
use bouton_prover::{
    Attempt, Claim, MoveSystem, Numeration, claims_for, default_budget, export, prove, theorem,
};
use std::process::Command;

/// Returns processor time of this process so far in seconds, and its greatest memory in MB.
fn used() -> (f64, u64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = fields.get(11).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| {
        l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()
    });
    (ticks / 100.0, peak.unwrap_or(0) / 1024)
}

/// Returns processor seconds of the programs that this process has waited for.
fn of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    fields.get(13).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0) / 100.0
}

/// Returns how long MONA takes to find the claim right, in the best of its modes and of our ways to
/// write it; prints them all. None where it is not installed, or finds no answer in a minute.
fn mona(name: &str, game: &MoveSystem, claim: &str) -> Option<f64> {
    let claim = Claim::parse(claim, game.boards[0].heaps).unwrap();
    let statement =
        export::mona::program(&theorem(game, &claim, &mut Meter::new(&default_budget())).unwrap())
            .unwrap();
    let conditions = export::mona::conditions(game, &claim).unwrap();
    let file = std::env::temp_dir().join(format!("bouton-bench-{}.mona", std::process::id()));
    let mut best = None;
    for (what, program) in [("after elimination", conditions), ("as stated", statement)] {
        std::fs::write(&file, program).unwrap();
        for mode in ["-o1", "-o0", "-o2", "-h", "-e"] {
            let before = of_children();
            // Sixty seconds of processor time, whatever else runs.
            let limited = "ulimit -t 60; exec mona -q $0 $1";
            let told = Command::new("sh").args(["-c", limited, mode]).arg(&file).output();
            let Ok(told) = told else { break };
            let seconds = of_children() - before;
            let words = String::from_utf8_lossy(&told.stdout);
            if words.contains("Formula is valid") {
                println!("{name:24} {seconds:6.2} s  by mona {mode}, {what}");
                best = Some(best.map_or(seconds, |best: f64| best.min(seconds)));
            } else if words.contains("unsatisfiable") || words.contains("counter-example") {
                panic!("{name}: mona {mode} finds a right claim wrong");
            } else if told.status.code() == Some(127) {
                println!("{name:24} skipped: mona is not installed");
                return None;
            } else {
                println!("{name:24}  no answer by mona {mode} within 60 s, {what}");
                break;
            }
        }
    }
    let _ = std::fs::remove_file(&file);
    best
}

fn subsets(n: usize, k: usize) -> Vec<Vec<usize>> {
    (0..1u32 << n)
        .filter(|s| s.count_ones() as usize == k)
        .map(|s| (0..n).filter(|i| s >> i & 1 == 1).collect())
        .collect()
}

fn equal(n: usize) -> String {
    let names: Vec<String> = ('a'..='z').take(n).map(String::from).collect();
    names.join(" = ")
}

/// Measures CN(6,4), conditions I and II, here and by MONA.
fn compared() {
    let claim = "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min";
    let game = MoveSystem::circular(6, 4);
    let claims = claims_for(&game, &[(0, claim)]).unwrap();
    let before = used();
    assert!(matches!(
        prove(&game, &claims, Numeration::Binary, &mut Meter::new(&default_budget())),
        Attempt::Proved(_)
    ));
    let seconds = used().0 - before.0;
    println!("{:24} {seconds:6.2} s", "CN(6,4)");
    if let Some(best) = mona("CN(6,4)", &game, claim) {
        println!("{:24} {:6.1} times as long by mona in its best mode", "CN(6,4)", best / seconds);
    }
}

fn main() {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    if wanted == "mona" {
        return compared();
    }
    let run = |name: &str,
               game: MoveSystem,
               claims: &[(usize, &str)],
               numeration: Numeration,
               expected: bool| {
        if !name.contains(&wanted) {
            return;
        }
        let claims = claims_for(&game, claims).unwrap();
        let before = used();
        let verdict = prove(&game, &claims, numeration, &mut Meter::new(&default_budget()));
        let (seconds, peak) = used();
        let words = match &verdict {
            Attempt::Proved(proof) => {
                let parts: usize = proof.parts.iter().map(Vec::len).sum();
                format!("proved: {} cases, {parts} parts, {} sets", proof.cases, proof.sets())
            }
            Attempt::Refuted(found) => {
                format!("refuted: {found}{}", if found.least { ", the least" } else { "" })
            }
            Attempt::Unknown(reason) => format!("unknown: {reason}"),
        };
        print!("{name:24} {:6.2} s {peak:5} MB  {words}", seconds - before.0);
        if let Attempt::Proved(proof) = &verdict {
            let name = name.split(':').next().unwrap_or(name);
            let meter = &mut Meter::new(&default_budget());
            let before = used().0;
            let text =
                proof.certificate(name, &game, &claims, numeration, meter).unwrap().to_text();
            print!("; derived in {:.2} s", used().0 - before);
            let before = used();
            let accepted = bouton_check::check(&text);
            let (seconds, _) = used();
            println!(
                "; certificate {} KB, checked in {:.2} s",
                text.len() / 1024,
                seconds - before.0
            );
            assert!(accepted.is_ok(), "{name}: {accepted:?}");
        } else {
            println!();
        }
        assert_eq!(matches!(verdict, Attempt::Proved(_)), expected, "{name}");
    };
    let circular = |n, k, claim: &str, expected| {
        run(
            &format!("CN({n},{k})"),
            MoveSystem::circular(n, k),
            &[(0, claim)],
            Numeration::Binary,
            expected,
        );
    };
    for n in [2, 3, 6, 12] {
        let windows = subsets(n, 1);
        run(
            &format!("nim({n})"),
            MoveSystem::windows(n, &windows, &[]),
            &[(0, "xor = 0")],
            Numeration::Binary,
            true,
        );
    }
    run(
        "moore(3;5)",
        MoveSystem::windows(5, &subsets(5, 2), &Symmetry::Full.permutations(5, 120).unwrap()),
        &[(0, "xor3 = 0")],
        Numeration::Binary,
        true,
    );
    run(
        "moore(4;6)",
        MoveSystem::windows(6, &subsets(6, 3), &[]),
        &[(0, "xor4 = 0")],
        Numeration::Binary,
        true,
    );
    for n in 3..=7 {
        circular(n, n - 1, &equal(n), true);
    }
    circular(4, 2, "a=c & b=d", true);
    circular(5, 2, "e=b & a+b=c+d & a=max", true);
    circular(5, 3, "a=0 & e=b & b=c+d", true);
    circular(6, 3, "a+b=d+e & b+c=e+f", true);
    circular(6, 4, "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min", true);
    circular(8, 6, "a=0 & b=h & c+d=b & f+g=b & e=min(b,c+g)", true);
    let wythoff = MoveSystem::moves(2, "q0=p0 | q1=p1 | p0+q1=p1+q0", &[vec![1, 0]]).unwrap();
    run(
        "wythoff",
        wythoff.clone(),
        &[(0, "a=0 & b=0 | E n: a = shift(n)+1 & b = a+n+1")],
        Numeration::ZECKENDORF,
        true,
    );
    run(
        "SCN(4,2)",
        MoveSystem::shrinking(4, 2),
        &[(0, "true"), (3, "a=b=c"), (4, "a=c & b=d & a!=b")],
        Numeration::Binary,
        true,
    );
    let four = "a=c & b=d & a!=b";
    let five = "e=b & a+b=c+d & b<c & c<a & b<d & d<a
        | c=b & d=a & e=b+1 & b+2<=a & (a mod 2 = 0 | b+3<=a)
        | a mod 2 = 1 & b=a-2 & c=a-2 & d=a-1 & e=a-1
        | a mod 2 = 1 & b=a-1 & c=a-2 & d=a-2 & e=a-1";
    run(
        "SCN(5,2)",
        MoveSystem::shrinking(5, 2),
        &[(0, "true"), (3, "a=b=c"), (4, four), (5, five)],
        Numeration::Binary,
        true,
    );
    let five = "a=1 & b=c+d-1 & e=b & c!=d | E m: m>=2 & a=2 & b=2*m-1 & c=m & d=m+1 & e=2*m";
    run(
        "SCN(5,3)",
        MoveSystem::shrinking(5, 3),
        &[(0, "true"), (4, "a=b=c=d"), (5, five)],
        Numeration::Binary,
        true,
    );
    // The form that `bouton study` finds. Minutes, so only if it is asked for.
    if wanted == "SCN(8,6)" {
        let seven = "a=b=c=d=e=f=g";
        let eight = "a=1 & b=h & a+b=f+g & a+b=c+d & a+e=c+g & b=max & c<d
            | a=1 & b=h & b=e & a+b=f+g & a+b=c+d & d+f<=b";
        run(
            "SCN(8,6)",
            MoveSystem::shrinking(8, 6),
            &[(0, "true"), (7, seven), (8, eight)],
            Numeration::Binary,
            true,
        );
    }
    // Wrong ones.
    circular(6, 4, "a+b=d+e & b+c=e+f & a xor c xor e = 0", false);
    circular(6, 2, "a+b=d+e & b+c=e+f", false);
    run(
        "CN(6,4) one image",
        MoveSystem::windows(6, &bouton_prover::arcs(6, 4), &[]),
        &[(0, "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min")],
        Numeration::Binary,
        false,
    );
    run(
        "half of Wythoff",
        wythoff,
        &[(0, "a=0 & b=0 | E m: a = shift(2*m)+1 & b = a+2*m+1")],
        Numeration::ZECKENDORF,
        false,
    );
}

//! Coq accepts every export, without axioms, and rejects mutated and false ones.
//!
//! Without `coqc` these tests say so and pass. `cargo xtask coq` installs it, and runs the longer
//! tests too.
#![allow(clippy::unwrap_used, reason = "a test")]

mod automatic;
mod cash;
mod moore;
mod orbit;
mod parameters;
mod verify;

use bouton_certificate::{Certificate, CertificateKind};
use bouton_coq::{Mutation, export, export_mutated};
use bouton_core::{Digits, HeapGame, Meter, Moves, Symmetry, Windows};
use bouton_prover::{
    Attempt, MoveSystem, Numeration, choose_numeration, claim_with_added_heap, claims_for,
    default_budget, prove, with_added_heap, written_name,
};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex, OnceLock};

/// Returns the certificate of a claim.
fn certificate(name: &str, game: &MoveSystem, claim: &str) -> String {
    let claims = claims_for(game, &[(0, claim)]).unwrap();
    let numeration = choose_numeration(game, &claims, Numeration::Binary);
    let meter = &mut Meter::new(&default_budget());
    let verdict = prove(game, &claims, numeration, meter);
    let Attempt::Proved(proof) = verdict else { panic!("{name}: {verdict:?}") };
    proof.certificate(name, game, &claims, numeration, meter).unwrap().to_text()
}

fn circular(n: usize, k: usize, claim: &str) -> String {
    certificate(&format!("CN({n},{k})"), &MoveSystem::circular(n, k), claim)
}

fn stated(heaps: usize, symmetry: Symmetry, moves: Moves) -> HeapGame {
    HeapGame { heaps, symmetry, shrinks: false, moves, digits: Digits::Binary }
}

fn nim(n: usize) -> String {
    let game = stated(n, Symmetry::Full, Moves::free(Windows::Any(1)));
    certificate(&format!("nim({n})"), &MoveSystem::from_heap_game(&game).unwrap().0, "xor = 0")
}

fn rules(heaps: usize, text: &str, claim: &str) -> String {
    rules_with(Symmetry::None, heaps, text, claim)
}

/// Returns a game on heaps and so many numbers remembered.
fn with_memory(heaps: usize, count: usize, text: &str) -> HeapGame {
    let numbers = heaps + count;
    let mut moves = Moves::with_formula(Windows::Any(numbers), text).unwrap();
    moves.memory.count = count;
    if count > 0 {
        moves.memory.factor = 4;
    }
    stated(numbers, Symmetry::None, moves)
}

/// Returns the certificate of a game on heaps and so many numbers remembered, in misère play:
/// `stuck` says where there is no move.
fn where_stuck([heaps, count]: [usize; 2], text: &str, claim: &str, stuck: &str) -> String {
    let game = with_memory(heaps, count, text);
    let (known, numeration) = MoveSystem::from_heap_game(&game).unwrap();
    let of_game = |text: &str| claims_for(&known, &[(0, text)]).unwrap().remove(0);
    let claims = [claim_with_added_heap(&game, &of_game(claim), &of_game(stuck))];
    let (moves, _) = MoveSystem::from_heap_game(&with_added_heap(&game).unwrap()).unwrap();
    let meter = &mut Meter::new(&default_budget());
    let verdict = prove(&moves, &claims, Numeration::Binary, meter);
    let Attempt::Proved(proof) = verdict else { panic!("{text}: {verdict:?}") };
    let name = written_name(&game, numeration).unwrap();
    let mut certificate =
        proof.certificate(&name, &moves, &claims, Numeration::Binary, meter).unwrap();
    certificate.claim = format!("in misere play P iff {claim}");
    certificate.body.insert_str(0, &format!("stuck {stuck}\n"));
    certificate.to_text()
}

/// Returns the certificate of a game on heaps and so many numbers remembered.
fn remembering(heaps: usize, count: usize, text: &str, claim: &str) -> String {
    let game = with_memory(heaps, count, text);
    let (known, numeration) = MoveSystem::from_heap_game(&game).unwrap();
    certificate(&written_name(&game, numeration).unwrap(), &known, claim)
}

fn rules_with(symmetry: Symmetry, heaps: usize, text: &str, claim: &str) -> String {
    let game = stated(heaps, symmetry, Moves::with_formula(Windows::Any(heaps), text).unwrap());
    let (known, numeration) = MoveSystem::from_heap_game(&game).unwrap();
    certificate(&written_name(&game, numeration).unwrap(), &known, claim)
}

/// Returns the certificate of circles of up to n heaps from which emptied heaps are removed, with
/// windows of k.
fn shrinking(n: usize, k: usize, claims: &[(usize, &str)]) -> String {
    closing(n, k, &MoveSystem::shrinking(n, k), claims)
}

fn closing(n: usize, k: usize, game: &MoveSystem, claims: &[(usize, &str)]) -> String {
    let claims = claims_for(game, claims).unwrap();
    let meter = &mut Meter::new(&default_budget());
    let verdict = prove(game, &claims, Numeration::Binary, meter);
    let Attempt::Proved(proof) = verdict else { panic!("SCN({n},{k}): {verdict:?}") };
    proof
        .certificate(&format!("SCN({n},{k})"), game, &claims, Numeration::Binary, meter)
        .unwrap()
        .to_text()
}

fn misere_circle() -> String {
    let game = MoveSystem::shrinking(3, 2).in_misere_play().unwrap();
    closing(3, 2, &game, &[(1, "a = 1"), (3, "a = b & b = c & a >= 2")])
}

fn periodic(code: &str, period: usize, preperiod: usize) -> String {
    let claim = format!("the nim-values of single heaps have period {period} from {preperiod} on");
    let body = format!("period {period}\npreperiod {preperiod}\nspace none\n");
    Certificate { kind: CertificateKind::Period, game: code.into(), claim, body }.to_text()
}

/// Returns the compiled library, or `None` without Coq.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compiled = LIBRARY.get_or_init(|| {
        if Command::new("coqc").arg("--version").output().is_err() {
            println!(
                "SKIPPED: there is no coqc; `cargo xtask coq` installs it where it can be had"
            );
            return None;
        }
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../coq");
        let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coq");
        std::fs::create_dir_all(&to).unwrap();
        let order = std::fs::read_to_string(from.join("_CoqProject")).unwrap();
        let files: Vec<&str> = files(&order).take_while(|file| *file != FIRST_BY_HAND).collect();
        add_all(&from, &to, &files);
        Some(to)
    });
    compiled.as_deref()
}

/// The first file of theorems that are proved by hand; no exported theorem needs it or what
/// follows.
const FIRST_BY_HAND: &str = "Subtraction.v";

/// Returns the files of the library, in the order in which they are compiled.
fn files(project: &str) -> impl Iterator<Item = &str> {
    project.lines().filter(|line| line.ends_with(".v"))
}

/// Copies files into the compiled library and compiles them, those that do not need each other side
/// by side.
fn add_all(from: &Path, to: &Path, files: &[&str]) {
    let needs: Vec<Vec<usize>> = files.iter().map(|file| needed(from, file, files)).collect();
    // Of each file: whether it is taken by a thread, and whether it is compiled.
    let state = Mutex::new(vec![(false, false); files.len()]);
    let changed = Condvar::new();
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut all = state.lock().unwrap();
                while failures.lock().unwrap().is_empty() {
                    let is_ready =
                        |i: &usize| !all[*i].0 && needs[*i].iter().all(|needed| all[*needed].1);
                    let Some(ready) = (0..files.len()).find(is_ready) else {
                        if all.iter().all(|(taken, _)| *taken) {
                            return;
                        }
                        all = changed.wait(all).unwrap();
                        continue;
                    };
                    all[ready].0 = true;
                    drop(all);
                    let added = add_to_library(from, to, files[ready]);
                    failures.lock().unwrap().extend(added.err());
                    all = state.lock().unwrap();
                    all[ready].1 = true;
                    changed.notify_all();
                }
            });
        }
    });
    assert_eq!(*failures.lock().unwrap(), Vec::<String>::new());
}

/// Returns the places of the files of this list that a file requires.
fn needed(from: &Path, file: &str, files: &[&str]) -> Vec<usize> {
    let source = std::fs::read_to_string(from.join(file)).unwrap();
    let required = source.split("From Bouton Require").skip(1);
    let words: Vec<&str> = required
        .filter_map(|rest| Some(rest.split_once(".\n")?.0.split_whitespace()))
        .flatten()
        .collect();
    let is_named = |other: &str| words.iter().any(|word| other.strip_suffix(".v") == Some(word));
    (0..files.len()).filter(|i| is_named(files[*i])).collect()
}

/// Copies a file into the compiled library and compiles it.
fn add_to_library(from: &Path, to: &Path, file: &str) -> Result<(), String> {
    let source =
        std::fs::read_to_string(from.join(file)).map_err(|error| format!("{file}: {error}"))?;
    if ["Admitted", "admit.", "Axiom", "Parameter"].iter().any(|word| source.contains(word)) {
        return Err(format!("{file}: something is taken for granted"));
    }
    std::fs::write(to.join(file), source).map_err(|error| format!("{file}: {error}"))?;
    match coqc(to, &to.join(file)) {
        (true, _) => Ok(()),
        (false, output) => Err(format!("{file}: {output}")),
    }
}

fn coqc(library: &Path, file: &Path) -> (bool, String) {
    // coqc writes files of its tactics into the current folder.
    let mut command = Command::new("coqc");
    command.arg("-R").arg(library).arg("Bouton").arg(file).current_dir(library);
    let output = command.output().unwrap();
    let messages = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), messages)
}

/// Compiles a file of this name beside the library.
fn compiled(library: &Path, name: &str, text: &str) -> (bool, String) {
    let folder = library.with_file_name("coq-theorems");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.v"));
    std::fs::write(&file, text).unwrap();
    coqc(library, &file)
}

fn accepted(name: &str, certificate: &str) {
    let text = export(certificate).unwrap();
    assert!(text.len() < 1_000_000, "{name}: {} characters", text.len());
    let Some(library) = library() else { return };
    let (fine, output) = compiled(library, name, &text);
    assert!(fine && output.contains("Closed under the global context"), "{name}: {output}");
}

fn rejected(name: &str, certificate: &str, claim: Option<&str>, mutation: Mutation) {
    let text = export_mutated(certificate, claim, mutation).unwrap();
    if mutation != Mutation::None {
        assert_ne!(
            text,
            export_mutated(certificate, claim, Mutation::None).unwrap(),
            "{name}: {mutation:?} changed nothing"
        );
    }
    let Some(library) = library() else { return };
    let (fine, output) = compiled(library, name, &text);
    // The computed value is not `true`; everything else in the file is accepted.
    assert!(
        !fine && output.contains("The term \"eq_refl\" has type"),
        "{name}, {mutation:?}: {output}"
    );
}

const FOUR: &str = "a = c & b = d";
const SHRINKING: &[(usize, &str)] =
    &[(0, "true"), (3, "a = b & b = c"), (4, "a = c & b = d & a != b")];
const FIVE: &str = "a = 0 & b = e & b = c+d";

#[test]
fn theorems_are_accepted() {
    accepted("CN42", &circular(4, 2, FOUR));
    accepted("CN53", &circular(5, 3, FIVE));
    accepted("Nim3", &nim(3));
    // A rule file, and misère play.
    accepted("Halves", &rules(1, "p0 <= 2*q0", "a xor (a+1) = a + (a+1)"));
    let misere = MoveSystem::circular(4, 2).in_misere_play().unwrap();
    let claim = "a = c & b = d & a >= 1 & a != b+1 | a = 0 & b = 0 & c = 0 & d = 1";
    accepted("Misere42", &certificate("CN(4,2)", &misere, claim));
    // Circles from which emptied heaps are removed (Theorem 3.1 of Shrinking Circular Nim), and
    // periods (Kayles, Dawson's chess).
    accepted("SCN42", &shrinking(4, 2, SHRINKING));
    accepted("SCN32Misere", &misere_circle());
    accepted("Kayles", &periodic("0.77", 12, 71));
    accepted("Dawson", &periodic("0.137", 34, 52));
}

#[test]
fn what_is_wrong_or_changed_is_not() {
    let (four, five) = (circular(4, 2, FOUR), circular(5, 3, FIVE));
    rejected("Half", &four, Some("a = c"), Mutation::None);
    rejected("ToSeven", &four, Some("a = c & b = d & max <= 7"), Mutation::None);
    rejected("Wider", &five, Some("b = e & b = c+d"), Mutation::None);
    rejected("Values", &nim(3), Some("a+b = c"), Mutation::None);
    rejected("Part", &four, None, Mutation::Case);
    rejected("Transition", &four, None, Mutation::Transition);
    rejected("Coefficient", &four, None, Mutation::Coefficient);
    rejected("Ends", &five, None, Mutation::Ends);
    let closing = shrinking(4, 2, SHRINKING);
    rejected("SCNTransition", &closing, None, Mutation::Transition);
    // Without the exception a = b; with circles of two heaps that are equal, too.
    for (name, claim) in [
        ("SCNEqual", "4 heaps: a = c & b = d; 3 heaps: a = b & b = c; 0 heaps: true"),
        (
            "SCNTwo",
            "4 heaps: a = c & b = d & a != b; 3 heaps: a = b & b = c; 2 heaps: a = b; 0 heaps: \
             true",
        ),
        ("SCNThree", "4 heaps: a = c & b = d & a != b; 0 heaps: true"),
    ] {
        rejected(name, &closing, Some(claim), Mutation::None);
    }
    // In misère play: an empty circle, and all circles of three equal heaps.
    for (name, claim) in [
        ("SCNOver", "3 heaps: a = b & b = c & a >= 2; 1 heaps: a = 1; 0 heaps: true"),
        ("SCNOnes", "3 heaps: a = b & b = c; 1 heaps: a = 1"),
    ] {
        rejected(name, &misere_circle(), Some(claim), Mutation::None);
    }
    // One changed value.
    rejected("KaylesValue", &periodic("0.77", 12, 71), None, Mutation::Coefficient);
    rejected("Period", &periodic("0.77", 11, 71), None, Mutation::Coefficient);
}

/// Unsupported certificates are named in one sentence, and a certificate that is not accepted is
/// not exported.
#[test]
fn what_is_not_covered_is_said() {
    let reason = |text: &str| export(text).unwrap_err().reason;
    let ruled = rules_with(Symmetry::None, 1, "q0 xor3 (p0+1) xor3 1 != 1", "a = 0");
    assert_eq!(
        reason(&ruled),
        "sums of digits modulo more than 2 are exported if they are sums of variables"
    );
    let damaged = circular(4, 2, FOUR).replace("p2 <= p0", "p0 <= p2");
    assert!(reason(&damaged).starts_with("the certificate is not accepted"));
    let large =
        export_mutated(&periodic("0.165", 1550, 5181), None, Mutation::None).unwrap_err().reason;
    assert_eq!(large, "preperiods and periods of more than 4000 values together are not exported");
}

/// Returns the claims of the literature that a theorem of the library proves: id,
/// file and theorem.
fn claims_by_hand() -> Vec<(String, String)> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/literature/data");
    let mut claims = Vec::new();
    for entry in std::fs::read_dir(data).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let mut id = String::new();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let value =
                |key: &str| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
            if let Some(found) = value("id") {
                id = found.to_owned();
            }
            if let Some(theorem) = value("coq") {
                claims.push((id.clone(), theorem.to_owned()));
            }
        }
    }
    claims
}

/// Statements of the literature's theorems, written down once more from the printed claims.
const STATEMENTS: &[(&str, &str)] = &[
    (
        "N1_1_5_1",
        "forall L M n, 1 <= L -> L + 1 <= M -> (W_ (from_to L M) n = false <-> n mod (L + M) < L)",
    ),
    ("N3_2_4_1", "forall A n d e, positive A -> fI_ A n <= d -> e < fII_ A n -> I_wins A n d e"),
    ("N3_2_4_2", "forall A n d e, positive A -> d < fI_ A n -> fII_ A n <= e -> II_wins A n d e"),
    ("N4_3_4", "forall m n, 0 < m -> m <= n -> gII m n = gI m (n - m)"),
    (
        "N4_3_7",
        "forall A a1 n d e, positive A -> least A a1 -> d < gI a1 n \\/ e < gII a1 n ->
           (I_wins A n d e <-> gI a1 n <= d \\/ e < gII a1 n /\\ e / a1 < d / a1)",
    ),
    (
        "N7_5_3_2",
        "forall l k i, 1 <= l -> 2 * l <= (2 * l + 1) * k + i -> i < 2 * l ->
           f_other [1; 2 * l] ((2 * l + 1) * k + i) = 2 * l * k + i / 2 - l + 1",
    ),
    (
        "N7_5_6",
        "forall l n d e, 1 <= l -> let A := [1; 2 * l] in critical A 1 n d e ->
           (I_wins A n d e <->
            let i := n mod (2 * l + 1) in let m := (Z.of_nat (2 * l) - 1)%Z in
            let b := (Z.of_nat (fI_ A n) - 1 - Z.of_nat d)%Z in
            let y := (Z.of_nat (fII_ A n) - 1 - Z.of_nat e)%Z in
            if Nat.even i && (i + 2 <=? 2 * l) then (b < y / m * m)%Z else (b / m * m <= y)%Z)",
    ),
    (
        "N8_6_3",
        "forall l k i, 1 <= l -> i < 2 * (2 * l + 1) + 1 ->
           f_other [1; 2 * l + 1; 2 * l + 1 + 1] ((2 * (2 * l + 1) + 1) * k + i) =
           (3 * (2 * l + 1) + 1) * k / 2 +
           (if i <? 2 * l + 1 + 2 then i / 2 else 2 * l + 1 + (i - (2 * l + 1)) / 2)",
    ),
    (
        "N8_6_5_restated",
        "forall l n d e, 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in
           critical A 1 n d e ->
           (I_wins A n d e <->
            let i := n mod (2 * L + 1) in let m := Z.of_nat L in
            let b := (Z.of_nat (fI_ A n) - 1 - Z.of_nat d)%Z in
            let y := (Z.of_nat (fII_ A n) - 1 - Z.of_nat e)%Z in
            (i < L + 1 /\\ Nat.Even i \\/ i > L + 1 /\\ Nat.Odd i ->
             (y >= (b + Z.of_nat l + 1) / m * m)%Z) /\\
            (i < L + 1 /\\ Nat.Odd i \\/ i > L + 1 /\\ Nat.Even i ->
             (y >= b / m * m + Z.of_nat l)%Z) /\\
            (i = L + 1 -> (y >= b / m * m)%Z))",
    ),
    (
        "N9_7_5",
        "forall l n d e, 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in
           critical A 1 n d e ->
           (I_wins A n d e <->
            let i := n mod (2 * L) in let m := Z.of_nat l in
            let b := (Z.of_nat (fI_ A n) - 1 - Z.of_nat d)%Z in
            let y := (Z.of_nat (fII_ A n) - 1 - Z.of_nat e)%Z in
            (Nat.Odd i \\/ i = L -> (y >= b / m * m)%Z) /\\
            (Nat.Even i /\\ i <> L -> (b < y / m * m)%Z))",
    ),
    (
        "N7_5_7_6_restated",
        "forall l n d e, 1 <= l -> d < gI 1 n -> e < gII 1 n -> (I_wins [1; 2 * l] n d e <-> e < \
         d)",
    ),
    (
        "N10_8_1_restated",
        "forall L M n, 1 <= L -> L + 1 <= M ->
           max (2 * L * ((2 * L - 1 + (M - L) - 1) / (M - L)) - 1) (3 * L - 1) <= n ->
           fI_ (from_to L M) (n + L + M) = fI_ (from_to L M) n + M /\\
           fII_ (from_to L M) (n + L + M) = fII_ (from_to L M) n + M",
    ),
    (
        "N11_restated",
        "forall L M n d e, 1 <= L -> L + 1 <= M -> let A := from_to L M in critical A L n d e ->
           (I_wins A n d e <->
            let i := n mod (L + M) in
            let b := (Z.of_nat (fI_ A n) - 1 - Z.of_nat d)%Z in
            let y := (Z.of_nat (fII_ A n) - 1 - Z.of_nat e)%Z in
            let l := Z.of_nat L in
            if i <? L then (b / l <= (y - l) / l)%Z
            else if i <? min (2 * L) M then (b / l <= (y - 2 * l + Z.of_nat i + 1) / l)%Z
            else (b / l <= y / l)%Z)",
    ),
    (
        "N3_2_4_with_least_purses",
        "forall A n tI tII d e, positive A ->
           (if W_ A n then
              ((forall e, I_wins A n tI e) /\\ forall d, d < tI -> exists e, II_wins A n d e) /\\
              II_wins A n (tI - 1) tII /\\ forall e, e < tII -> I_wins A n (tI - 1) e
            else
              ((forall d, II_wins A n d tII) /\\ forall e, e < tII -> exists d, I_wins A n d e) /\\
              (forall e, e < tII -> I_wins A n tI e) /\\
              forall d, d < tI -> exists e, e < tII /\\ II_wins A n d e) ->
           (tI <= d -> e < tII -> I_wins A n d e) /\\ (d < tI -> tII <= e -> II_wins A n d e) /\\
           (tI <= d -> tII <= e -> (I_wins A n d e <-> W_ A n = true))",
    ),
    (
        "N12_not_cash_periodic",
        "let A := [3; 5; 6; 10; 11] in
           (forall k, 6 <= k -> (C_II A (16 * (k + 1)) 5 = C_II A (16 * k) 5 + 1)%Z) /\\
           ~ exists m c1 c2, cash_periodic A m c1 c2",
    ),
    (
        "K13",
        "forall a b n, Nat.Odd a -> Nat.Odd b -> Nat.Even n -> 0 < n -> N_position (kotzig [a; b] \
         n) [0]",
    ),
    (
        "K14_units",
        "forall a b n u, 0 < n -> Nat.gcd u n = 1 ->
           (P_position (kotzig [a; b] n) [0] <-> P_position (kotzig [u * a; u * b] n) [0]) /\\
           (N_position (kotzig [a; b] n) [0] <-> N_position (kotzig [u * a; u * b] n) [0])",
    ),
    ("K17", "forall a b, 0 < a -> 0 < b -> N_position (kotzig [a; b] (2 * (a + b))) [0]"),
    ("K18", "forall a b, 0 < a -> a < b -> N_position (kotzig [a; b] (2 * a)) [0]"),
    (
        "M16",
        "(exists g, nim_values queen g) /\\ forall g, nim_values queen g -> forall v,
           (forall y, exists! x, g (x, y) = v) /\\ (forall x, exists! y, g (x, y) = v) /\\
           (forall d, exists! i, g (i, i + d) = v) /\\ (forall d, exists! i, g (i + d, i) = v)",
    ),
    (
        "M18",
        "forall g, nim_values queen g -> nim_values (one_of queen) (fun p => nim_sum (map g p))",
    ),
];

/// Each claim that is recorded as proved by Coq is a theorem of Ledger.v under the claim's own id,
/// which Coq accepts without axioms; each theorem there is that of a claim.
#[test]
fn claims_proved_by_hand_are_theorems() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../coq");
    let ledger = std::fs::read_to_string(from.join("Ledger.v")).unwrap();
    let claims = claims_by_hand();
    assert!(claims.len() >= 30);
    let mut names = Vec::new();
    for (id, theorem) in &claims {
        let words: Vec<&str> =
            id.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let name = words.join("_");
        assert_eq!(theorem, &format!("Ledger.v {name}"), "{id}");
        names.push(name);
    }
    let mut stated: Vec<&str> = ledger
        .lines()
        .filter_map(|line| line.strip_prefix("Theorem ")?.split(' ').next())
        .collect();
    stated.sort_unstable();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(stated, sorted);

    let Some(library) = library() else { return };
    let order = std::fs::read_to_string(from.join("_CoqProject")).unwrap();
    let files: Vec<&str> = files(&order).skip_while(|file| *file != FIRST_BY_HAND).collect();
    add_all(&from, library, &files);
    let mut text = "From Coq Require Import List Arith ZArith Bool.\n\
        From Bouton Require Import Positions Subtraction Cash CashPair CashIntervalWins Circles.\n\
        From Bouton Require Import CashPurses Kotzig Sums Wythoff Ledger.\n\
        Import ListNotations.\nOpen Scope nat_scope.\n"
        .to_owned();
    for (name, statement) in STATEMENTS {
        text += &format!("Definition stated_{name} : {statement} := {name}.\n");
    }
    let by_hand = ["from_L_to_M", "one_and_even", "one_and_odd", "one_even_next", "one_odd_next"];
    let on_values = ["@only_nim_values", "@P_positions_have_0", "@nim_values_exist"];
    let on_cash = [
        "theorem_4_8",
        "critical_states",
        "win_condition_pair",
        "win_condition_interval",
        "all_heaps",
        "all_heaps_but_one",
    ];
    // One question for all of them: the proofs of the library are read once.
    let all: Vec<&str> =
        names.iter().map(String::as_str).chain(by_hand).chain(on_values).chain(on_cash).collect();
    text += &format!("Definition every := ({}).\nPrint Assumptions every.\n", all.join(", "));
    let (fine, output) = compiled(library, "ByHand", &text);
    assert!(fine, "{output}");
    assert_eq!(output.trim(), "Closed under the global context");
    // A statement that is not the theorem's is refused.
    let wrong = text.replace("n mod (L + M) < L)", "n mod (L + M) <= L)");
    assert!(wrong != text && !compiled(library, "ByHandWrong", &wrong).0);
}

/// All theorems with figures in coq.md, up to some minutes.
#[test]
#[ignore = "minutes: `cargo xtask coq` runs it"]
fn greater_theorems_are_accepted() {
    accepted("CN52", &circular(5, 2, "b = e & a+b = c+d & a = max"));
    accepted("CN63", &circular(6, 3, "a+b = d+e & b+c = e+f"));
    accepted("Nim4", &nim(4));
    accepted("Nim5", &nim(5));
    let moves = Moves::with_formula(Windows::Any(1), "q0+1 = p0 | q0+2 = p0 | q0+3 = p0").unwrap();
    let game = MoveSystem::from_heap_game(&stated(3, Symmetry::Full, moves)).unwrap().0;
    accepted("S123", &certificate("S(1,2,3;3)", &game, "a mod 4 xor b mod 4 xor c mod 4 = 0"));
    let five = "a = c & a+b = d+e & d <= e & c < d | a = b & c = e & d = a+1 & d+1 < c
        | a = b & c = a+1 & a+c+2 = d+e & a mod 2 = 1 & c = min(d, e) | a = b & c = e & d = a+1 & \
        c = d+1 & a mod 2 = 0";
    accepted("SCN52", &shrinking(5, 2, &[SHRINKING, &[(5, five)]].concat()));
    let six = "a+b = d+e & b+c = e+f & a xor c xor e = 0 & a = min";
    accepted("CN64", &circular(6, 4, six));
}

/// Coq's second checker verifies the compiled theorem and everything it rests on.
#[test]
#[ignore = "minutes: `cargo xtask coq` runs it"]
fn the_second_checker_finds_no_axioms() {
    let Some(library) = library() else { return };
    accepted("CN43", &circular(4, 3, "min = max"));
    let folder = library.with_file_name("coq-theorems");
    let output = Command::new("coqchk")
        .args(["-silent", "-o", "-R"])
        .arg(library)
        .arg("Bouton")
        .arg("-Q")
        .arg(&folder)
        .args(["", "CN43"])
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let axioms = messages.split("* Axioms:").nth(1).unwrap_or_else(|| panic!("{messages}"));
    assert!(output.status.success() && axioms.trim_start().starts_with("<none>"), "{messages}");
}

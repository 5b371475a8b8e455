//! The file: a readable statement, and the data of its proof.

use crate::board::Board;
use crate::data::DataText;
use crate::formula::Formula;
use crate::game::{Game, Symmetry};
use crate::period::Sequence;

/// Returns a theorem on a fixed number of heaps; `order` says in which of their orders the claim is
/// read.
pub fn fixed_heaps(
    name: &str,
    statement: &str,
    game: &Game,
    board: &Board,
    order: Symmetry,
    data: &DataText,
) -> String {
    let n = board.heaps;
    let letters: Vec<String> = ('a'..='z').take(n).map(String::from).collect();
    let claim_names = |i: usize| letters.get(i).cloned().unwrap_or_else(|| format!("x{}", i - n));
    let k = board.windows.first().map_or(0, Vec::len);
    let rule_names = |i: usize| match i {
        i if i < k => format!("p{i}"),
        i if i < 2 * k => format!("q{}", i - k),
        i => format!("x{}", i - 2 * k),
    };
    let any = board.rule == Formula::Known(true);
    let list = |letter: char| (0..k).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join("; ");
    let windows = &game.windows_text();
    let rule = if any { "any_number".to_owned() } else { "rule".to_owned() };
    let moves = match &game.move_text {
        Some(text) => format!("({text})"),
        None => format!("(moves {windows} {rule})"),
    };
    let kind = if board.is_misere { "misere_P" } else { "P_position" };
    let images = match order {
        Symmetry::None => format!("[seq 0 {n}]"),
        Symmetry::Ring => format!("(dihedral {n})"),
        Symmetry::Full => format!("(orders {n})"),
    };
    let right = match order {
        Symmetry::None => "claim p".to_owned(),
        _ => format!("up_to {images} claim p"),
    };
    let rule_definition = if any {
        String::new()
    } else {
        format!(
            "\n(** What else holds of the heaps of a window before and after a move. \
             *)\nDefinition rule (p q : position) : Prop :=\n  match p, q with [{}], [{}] => {} | \
             _, _ => False end.\n",
            list('p'),
            list('q'),
            board.rule.readable(&rule_names)
        )
    };
    let proved = if board.is_misere { "proved_misere" } else { "proved" };
    let said = if any { "any_number_said _" } else { "rule_said" };
    let rule_lemma = if any {
        String::new()
    } else {
        format!(
            "Lemma rule_said w p q : In w {windows} ->\n  (rule (heaps w p) (heaps w q) <-> fden \
             {} (at_ (heaps w p ++ heaps w q))).\nProof. revert w p q. rule_reads. Qed.\n\n",
            board.rule.data()
        )
    };
    let finish = match order {
        Symmetry::None => format!("rewrite <- (up_to_one {n} claim p L). exact (H p L)."),
        _ => "exact (H p L).".to_owned(),
    };
    format!(
        "(** {name}: {statement}.\n    What the words mean stands in Positions.v, of the same \
         folder as the rest of the library. *)\n\n\
             From Bouton Require Import Positions Formulas Games Data Theorems.\n\
             From Coq Require Import List NArith.\nImport ListNotations.\nOpen Scope \
             N_scope.\n{rule_definition}\n\
             Definition claim (p : position) : Prop :=\n  match p with [{}] => {} | _ => False \
             end.\n\n\
             Definition data : list digits := {}%digits.\n\n{rule_lemma}\
             Theorem theorem : forall p, length p = {n}%nat ->\n  ({kind} {moves} p <-> {right}).\n\
             Proof.\n  assert (H : forall p, length p = {n}%nat -> ({kind} {moves} p <-> up_to \
             {images} claim p)).\n  {{ apply ({proved} {n} {windows} {rule} {} claim {} {images} \
             data);\n      [vm_cast_no_check (eq_refl true)|exact ({said})|claim_reads]. }}\n  \
             intros p L. {finish}\nQed.\n\nPrint Assumptions theorem.\n",
        letters.join("; "),
        board.claim().readable(&claim_names),
        data.list(),
        board.rule.data(),
        board.claim().data(),
    )
}

/// Returns a theorem on circles of up to n heaps from which emptied heaps are removed.
pub fn shrinking_circles(
    name: &str,
    statement: &str,
    misere: bool,
    [most, k]: [usize; 2],
    claims: &[Formula],
    data: &[DataText],
) -> String {
    let letters: Vec<String> = ('a'..='z').take(most).map(String::from).collect();
    let case = |(m, claim): (usize, &Formula)| {
        let names =
            |i: usize| letters[..m].get(i).cloned().unwrap_or_else(|| format!("x{}", i - m));
        (*claim != Formula::Known(false))
            .then(|| format!("  | [{}] => {}", letters[..m].join("; "), claim.readable(&names)))
    };
    let cases: Vec<String> = claims.iter().enumerate().rev().filter_map(case).collect();
    let formulas: Vec<String> = claims.iter().map(Formula::data).collect();
    let texts: Vec<String> = data.iter().map(DataText::list).collect();
    let (kind, proved) = if misere {
        ("misere_P", "proved_closing_misere")
    } else {
        ("P_position", "proved_closing")
    };
    let same = format!("{kind} (closing_circle {k}) p <-> up_to (dihedral (length p)) claim p");
    format!(
        "(** {name}: {statement}.\n    What the words mean stands in Positions.v, of the same \
         folder as the rest of the library. *)\n\n\
         From Bouton Require Import Positions Formulas Games Closing Data Theorems.\n\
         From Coq Require Import List NArith.\nImport ListNotations.\nOpen Scope N_scope.\n\n\
         Definition claim (p : position) : Prop :=\n  match p with\n{}\n  | _ => False\n  end.\n\n\
         Definition formulas (m : nat) : formula := nth m [{}] (Known false).\n\n\
         Definition data : list (list digits) := [{}]%digits.\n\n\
         (** For every circle of at most {most} heaps, none of them empty. *)\n\
         Theorem theorem : forall p, (length p <= {most})%nat -> (forall h, In h p -> h <> 0) \
         ->\n  ({same}).\n\
         Proof.\n  apply ({proved} {k} {most} claim formulas data); [vm_cast_no_check (eq_refl \
         true)|claims_read].\nQed.\n\n\
         Print Assumptions theorem.\n",
        cases.join("\n"),
        formulas.join("; "),
        texts.join(";\n"),
    )
}

/// Returns a theorem on the nim-values of a game of taking and breaking.
pub fn period(name: &str, statement: &str, sequence: &Sequence) -> String {
    let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join("; ");
    let lines: Vec<String> = sequence.values.chunks(40).map(list).collect();
    let period = sequence.period;
    format!(
        "(** {name}: {statement}, and whoever moves loses just where the nim-sum of the heaps' \
         values is 0.\n    What the words mean stands in Positions.v, of the same folder as the \
         rest of the library. *)\n\n\
         From Bouton Require Import Positions Breaking.\n\
         From Coq Require Import List NArith.\nImport ListNotations.\nOpen Scope N_scope.\n\n\
         (** The nim-values of heaps of 0, 1, 2, …; the last {period} repeat for ever. *)\n\
         Definition values : list N := [{}].\n\n\
         Theorem theorem : forall p, P_position (breaking [{}]) p <-> nim_sum (map (repeated \
         {period} values) p) = 0.\n\
         Proof. apply breaking_P_positions. vm_cast_no_check (eq_refl true). Qed.\n\nPrint \
         Assumptions theorem.\n",
        lines.join(";\n  "),
        list(&sequence.code),
    )
}

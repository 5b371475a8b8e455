(** From data to theorems: everything that a theorem needs is computed once, by [vm_compute]. *)

From Coq Require Import List NArith.
From Bouton Require Import Positions Forms Refute Formulas Cover Games Data.
Import ListNotations.

Definition accepted (misere : bool) (n : nat) (windows : list (list nat)) (rule claim : formula) (images : list (list nat))
  (text : list digits) : bool :=
  let (d, e) := read text in
  if misere then check_misere n windows rule claim images d e else check n windows rule claim images d.

Theorem proved n windows rule rule_formula claim claim_formula images text :
  accepted false n windows rule_formula claim_formula images text = true ->
  (forall w p q, In w windows -> (rule (heaps w p) (heaps w q) <-> fden rule_formula (at_ (heaps w p ++ heaps w q)))) ->
  (forall p, length p = n -> (claim p <-> fden claim_formula (at_ p))) ->
  forall p, length p = n -> (P_position (moves windows rule) p <-> up_to images claim p).
Proof.
  unfold accepted. destruct (read text) as [d e]. intros A R C.
  exact (P_positions n windows rule rule_formula claim claim_formula images R C d A).
Qed.

Theorem proved_misere n windows rule rule_formula claim claim_formula images text :
  accepted true n windows rule_formula claim_formula images text = true ->
  (forall w p q, In w windows -> (rule (heaps w p) (heaps w q) <-> fden rule_formula (at_ (heaps w p ++ heaps w q)))) ->
  (forall p, length p = n -> (claim p <-> fden claim_formula (at_ p))) ->
  forall p, length p = n -> (misere_P (moves windows rule) p <-> up_to images claim p).
Proof.
  unfold accepted. destruct (read text) as [d e]. intros A R C.
  exact (misere_P_positions n windows rule rule_formula claim claim_formula images R C d e A).
Qed.

(** What stands in a file is what the formula says. *)
Lemma any_number_said windows w p q :
  In w windows -> (any_number (heaps w p) (heaps w q) <-> fden (Known true) (at_ (heaps w p ++ heaps w q))).
Proof. intros _. apply iff_refl. Qed.

Ltac claim_reads :=
  let p := fresh "p" in let L := fresh "L" in
  intros p L; repeat (destruct p as [|? p]; [discriminate L|]); destruct p; [|discriminate L]; exact (iff_refl _).

Ltac rule_reads :=
  let w := fresh "w" in let p := fresh "p" in let q := fresh "q" in let H := fresh "H" in
  intros w p q H; vm_compute in H; repeat (destruct H as [<-|H]; [exact (iff_refl _)|]); destruct H.

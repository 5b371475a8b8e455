(** From data to theorems: everything that a theorem needs is computed once, by [vm_compute]. *)

From Coq Require Import List Arith NArith Lia Bool.
From Bouton Require Import Positions Forms Refute Formulas Cover Games Closing Data.
Import ListNotations.

Definition accepted (misere : bool) (n : nat) (windows : list (list nat)) (rule claim : formula)
  (images : list (list nat))
  (text : list digits) : bool :=
  let (d, e) := read text in
  if misere then stays_misere n windows rule claim images d e else stays n windows rule claim images
    d.

Theorem proved n windows rule rule_formula claim claim_formula images text :
  accepted false n windows rule_formula claim_formula images text = true ->
  (forall w p q, In w windows -> (rule (heaps w p) (heaps w q) <->
    fden rule_formula (at_ (heaps w p ++ heaps w q)))) ->
  (forall p, length p = n -> (claim p <-> fden claim_formula (at_ p))) ->
  forall p, length p = n -> (P_position (moves windows rule) p <-> up_to images claim p).
Proof.
  unfold accepted. destruct (read text) as [d e]. intros A R C.
  exact (P_positions n windows rule rule_formula claim claim_formula images R C d A).
Qed.

Theorem proved_misere n windows rule rule_formula claim claim_formula images text :
  accepted true n windows rule_formula claim_formula images text = true ->
  (forall w p q, In w windows -> (rule (heaps w p) (heaps w q) <->
    fden rule_formula (at_ (heaps w p ++ heaps w q)))) ->
  (forall p, length p = n -> (claim p <-> fden claim_formula (at_ p))) ->
  forall p, length p = n -> (misere_P (moves windows rule) p <-> up_to images claim p).
Proof.
  unfold accepted. destruct (read text) as [d e]. intros A R C.
  exact (misere_P_positions n windows rule rule_formula claim claim_formula images R C d e A).
Qed.

Theorem proved_closing k most claim formulas texts :
  closes k formulas most false (read_all texts) = true ->
  (forall p, (length p <= most)%nat -> (claim p <-> fden (formulas (length p)) (at_ p))) ->
  forall p, (length p <= most)%nat -> (forall h, In h p -> h <> 0%N) ->
  (P_position (closing_circle k) p <-> up_to (dihedral (length p)) claim p).
Proof. intros A C. exact (closing_P_positions k claim formulas most C (read_all texts) A). Qed.

Theorem proved_closing_misere k most claim formulas texts :
  Nat.ltb 0 k && closes k formulas most true (read_all texts) = true ->
  (forall p, (length p <= most)%nat -> (claim p <-> fden (formulas (length p)) (at_ p))) ->
  forall p, (length p <= most)%nat -> (forall h, In h p -> h <> 0%N) ->
  (misere_P (closing_circle k) p <-> up_to (dihedral (length p)) claim p).
Proof.
  intros A C. apply andb_true_iff in A as [K A]. apply Nat.ltb_lt in K.
  exact (closing_misere_P_positions k claim formulas most C (read_all texts) K A).
Qed.

(** What stands in a file is what the formula says. *)
Lemma any_number_said windows w p q :
  In w windows -> (any_number (heaps w p) (heaps w q) <->
    fden (Known true) (at_ (heaps w p ++ heaps w q))).
Proof. intros _. apply iff_refl. Qed.

Ltac claim_reads :=
  let p := fresh "p" in let L := fresh "L" in
  intros p L; repeat (destruct p as [|? p]; [discriminate L|]); destruct p; [|discriminate L];
    exact (iff_refl _).

(** The same for all numbers of heaps up to the greatest. *)
Ltac claims_read :=
  let p := fresh "p" in let L := fresh "L" in
  intros p L; repeat (destruct p as [|? p]; [exact (iff_refl _)|];
    try (exfalso; cbn [length] in L; lia)).

Ltac rule_reads :=
  let w := fresh "w" in let p := fresh "p" in let q := fresh "q" in let H := fresh "H" in
  intros w p q H; vm_compute in H; repeat (destruct H as [<-|H]; [exact (iff_refl _)|]); destruct H.

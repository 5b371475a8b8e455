(** NIM with Cash, A = {3,5,6,10,11}: f^I and f^II of all n from 80 on (Section 9 and the appendix,
    rates and constants mended). *)

From Coq Require Import List Arith ZArith Lia Bool.
From Bouton Require Import Positions Subtraction Cash CashTables CashRates.
Import ListNotations.
Open Scope nat_scope.

Definition A9 : list nat := [3; 5; 6; 10; 11].

Lemma repeats_9 : repeats A9 16 5 = true.
Proof. vm_compute. reflexivity. Qed.

Lemma positive_9 : positive A9.
Proof. exact (takings_positive _ _ _ repeats_9). Qed.

Lemma lines_9 k i : 5 <= k -> i < 16 -> exists r, r = nth i (rows A9 16 5) nothing /\
  fI_ A9 (16 * k + i) = on (rI r) (k - 5) /\ fII_ A9 (16 * k + i) = on (rII r) (k - 5).
Proof.
  intros K L. eexists. split; [reflexivity|].
  destruct (on_lines A9 16 5 repeats_9 (k - 5) i L) as (_ & E2 & E3).
  replace (5 + (k - 5)) with k in * by lia. now split.
Qed.

Ltac by_lines k :=
  match goal with |- context[A9] => idtac end;
  repeat match goal with |- context[fI_ A9 (16 * k + ?i)] =>
    let r := fresh in let R := fresh in let E := fresh in
    destruct (lines_9 k i ltac:(lia) ltac:(lia)) as (r & R & E & _); vm_compute in R; rewrite E;
      subst r; clear E end;
  repeat match goal with |- context[fII_ A9 (16 * k + ?i)] =>
    let r := fresh in let R := fresh in let E := fresh in
    destruct (lines_9 k i ltac:(lia) ltac:(lia)) as (r & R & _ & E); vm_compute in R; rewrite E;
      subst r; clear E end;
  unfold on; cbn [rI rII fst snd]; repeat (apply (f_equal2 cons); [lia|]); try reflexivity; try lia.

Theorem fI_9 k : 5 <= k -> map (fun i => fI_ A9 (16 * k + i)) (seq 0 16) =
  [11 * k + 2; 11 * k - 2; 11 * k + 4; 10 * k + 5; 10 * k + 3; 11 * k + 3; 10 * k + 5; 10 * k + 6;
    11 * k + 6; 11 * k + 5; 11 * k + 10;
   10 * k + 10; 10 * k + 8; 11 * k + 11; 10 * k + 10; 10 * k + 11].
Proof. intro K. cbn [seq map]. by_lines k. Qed.

Theorem fII_9 k : 5 <= k -> map (fun i => fII_ A9 (16 * k + i)) (seq 0 16) =
  [11 * k; 10 * k; 11 * k; 11 * k + 2; 11 * k - 1; 11 * k + 4; 11 * k + 2; 11 * k + 4; 11 * k + 4;
    10 * k + 5; 11 * k + 3; 11 * k + 6;
   11 * k + 5; 11 * k + 10; 11 * k + 6; 11 * k + 10].
Proof. intro K. cbn [seq map]. by_lines k. Qed.

(** No period m with one rate B, not even from some n on. *)
Theorem no_single_rate : ~ exists m B from, 0 < m /\ forall n, from <= n ->
  fI_ A9 (n + m) = fI_ A9 n + B.
Proof.
  intros (m & B & from & M & H). assert (J : forall j n, from <= n ->
    fI_ A9 (n + m * j) = fI_ A9 n + B * j).
  { induction j as [|j IH]; intros n L; [now rewrite !Nat.mul_0_r, !Nat.add_0_r|].
    rewrite (Nat.mul_succ_r m), (Nat.mul_succ_r B), Nat.add_assoc, H, IH by lia. lia. }
  assert (K : exists k, from <= k /\ 5 <= k) by (exists (from + 5); lia).
  destruct K as (k & K & K5). pose proof (J 16 (16 * k + 0) ltac:(lia)) as E0.
  pose proof (J 16 (16 * k + 4) ltac:(lia)) as E4.
  replace (16 * k + 0 + m * 16) with (16 * (k + m) + 0) in E0 by lia.
  replace (16 * k + 4 + m * 16) with (16 * (k + m) + 4) in E4 by lia.
  assert (V0 : forall x, 5 <= x -> fI_ A9 (16 * x + 0) = 11 * x + 2) by (intros x X; by_lines x).
  assert (V4 : forall x, 5 <= x -> fI_ A9 (16 * x + 4) = 10 * x + 3) by (intros x X; by_lines x).
  rewrite !V0 in E0 by lia. rewrite !V4 in E4 by lia. lia.
Qed.

Theorem C_II_9 k : 6 <= k -> C_II A9 (16 * k) 5 = Z.of_nat k.
Proof.
  intro K. unfold C_II. replace (16 * k - 5) with (16 * (k - 1) + 11) by lia.
  assert (V : fII_ A9 (16 * k + 0) = 11 * k) by by_lines k. rewrite Nat.add_0_r in V. rewrite V.
  assert (V' : forall x, 5 <= x -> fI_ A9 (16 * x + 11) = 10 * x + 10) by (intros x X; by_lines x).
  rewrite V' by lia. lia.
Qed.

Theorem not_cash_periodic_9 : ~ exists m c1 c2, cash_periodic A9 m c1 c2.
Proof.
  intros (m & c1 & c2 & M & _ & H). assert (I : In 5 A9) by (right; now left).
  destruct (H (16 * (6 * m)) 5 I ltac:(lia)) as [_ E].
  destruct (H (16 * (7 * m)) 5 I ltac:(lia)) as [_ E'].
  rewrite C_II_9 in E, E' by lia. replace (16 * (6 * m)) with (96 * m) in E by lia.
  replace (16 * (7 * m)) with (112 * m) in E' by lia.
  rewrite Nat.mod_mul in E, E' by lia. lia.
Qed.

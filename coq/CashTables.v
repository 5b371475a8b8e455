(** Tables of W, f^I and f^II, and floors: what the theorems on NIM with Cash for sets with a
    parameter need. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash.
Import ListNotations.
Open Scope nat_scope.

(** W, f^I and f^II of n stones are these. *)
Definition at_ (A : list nat) (n : nat) (w : bool) (F G : nat) : Prop := W_ A n = w /\
  fI_ A n = F /\ fII_ A n = G.

Section Determined.
  Variable A : list nat.
  Hypothesis pos : positive A.
  Notation w := (W_ A). Notation f1 := (fI_ A). Notation f2 := (fII_ A).
  Notation fair_ n a := (if w n then w (n - a) = false else f1 (n - a) = f2 n).

  Lemma two_takings x y : A = [x; y] -> forall n,
    (w n = true <-> x <= n /\ w (n - x) = false \/ y <= n /\ w (n - y) = false) /\
    (x <= n -> f1 (n - x) <= f2 n) /\ (y <= n -> f1 (n - y) <= f2 n) /\
    (x <= n /\ f1 (n - x) = f2 n \/ y <= n /\ f1 (n - y) = f2 n \/ n < x /\ n < y /\ f2 n = 0) /\
    (x <= n -> fair_ n x -> f1 n <= f2 (n - x) + x) /\
      (y <= n -> fair_ n y -> f1 n <= f2 (n - y) + y) /\
    (x <= n /\ fair_ n x /\ f1 n = f2 (n - x) + x \/ y <= n /\ fair_ n y /\ f1 n = f2 (n - y) + y \/
      n < x /\ n < y /\ f1 n = 0).
  Proof.
    intros E n. pose proof (W_def A pos n) as D. destruct (fII_def A pos n) as [D1 D2].
    destruct (fI_def A pos n) as [D3 D4]. unfold fair in *.
    assert (Ix : In x A) by (rewrite E; now left).
    assert (Iy : In y A) by (rewrite E; right; now left).
    split; [|split; [|split; [|split; [|split; [|split]]]]]; auto.
    - rewrite D. rewrite E. split.
      + intros (a & I & H). member I; tauto.
      + intros [[? ?]|[? ?]]; [exists x|exists y]; cbn; auto.
    - destruct D2 as [(a & I & H)|[none Z]]; [rewrite E in I; member I; tauto|]. right. right. auto.
    - destruct D4 as [(a & (I & La & H) & V)|[none Z]]; [rewrite E in I; member I; tauto|]. right.
      right. auto.
  Qed.

  Lemma three_takings x y z : A = [x; y; z] -> forall n,
    (w n = true <-> x <= n /\ w (n - x) = false \/ y <= n /\ w (n - y) = false \/ z <= n /\
      w (n - z) = false) /\
    (x <= n -> f1 (n - x) <= f2 n) /\ (y <= n -> f1 (n - y) <= f2 n) /\
      (z <= n -> f1 (n - z) <= f2 n) /\
    (x <= n /\ f1 (n - x) = f2 n \/ y <= n /\ f1 (n - y) = f2 n \/ z <= n /\ f1 (n - z) = f2 n \/
      n < x /\ n < y /\ n < z /\ f2 n = 0) /\
    (x <= n -> fair_ n x -> f1 n <= f2 (n - x) + x) /\
      (y <= n -> fair_ n y -> f1 n <= f2 (n - y) + y) /\
    (z <= n -> fair_ n z -> f1 n <= f2 (n - z) + z) /\
    (x <= n /\ fair_ n x /\ f1 n = f2 (n - x) + x \/ y <= n /\ fair_ n y /\ f1 n = f2 (n - y) + y \/
     z <= n /\ fair_ n z /\ f1 n = f2 (n - z) + z \/ n < x /\ n < y /\ n < z /\ f1 n = 0).
  Proof.
    intros E n. pose proof (W_def A pos n) as D. destruct (fII_def A pos n) as [D1 D2].
    destruct (fI_def A pos n) as [D3 D4]. unfold fair in *.
    assert (Ix : In x A) by (rewrite E; now left).
    assert (Iy : In y A) by (rewrite E; right; now left).
    assert (Iz : In z A) by (rewrite E; right; right; now left).
    split; [|split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]]]; auto.
    - rewrite D. rewrite E. split.
      + intros (a & I & H). member I; tauto.
      + intros [[? ?]|[[? ?]|[? ?]]]; [exists x|exists y|exists z]; cbn; auto.
    - destruct D2 as [(a & I & H)|[none Z]]; [rewrite E in I; member I; tauto|]. right. right.
      right. auto.
    - destruct D4 as [(a & (I & La & H) & V)|[none Z]]; [rewrite E in I; member I; tauto|]. right.
      right. right. auto.
  Qed.
End Determined.

(** What is known after taking [a]: that there are too few stones, or the values. *)
Ltac after n a :=
  first [ assert (n < a) by lia
        | match goal with H : at_ ?A ?m ?w ?F ?G |- _ =>
            assert (n - a = m /\ a <= n /\ at_ A m w F G) by (split; [lia|split; [lia|exact H]]) end
              ].

(** From the values after each taking, as [D] says, to those of [n]. *)
Ltac conclude n D :=
  repeat match goal with H : _ - _ = _ /\ _ <= _ /\ at_ _ _ _ _ _ |- _ =>
    let E := fresh in let E1 := fresh in let E2 := fresh in let E3 := fresh in
    destruct H as (E & ? & E1 & E2 & E3); rewrite E, ?E1, ?E2, ?E3 in D; clear E E1 E2 E3 end;
  repeat match goal with H : at_ _ _ _ _ _ |- _ => clear H end;
  unfold at_; match goal with |- W_ ?A n = _ /\ _ => destruct (W_ A n) end; cbn [Nat.eqb] in D;
    repeat split; lia.

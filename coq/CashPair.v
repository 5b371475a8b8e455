(** NIM with Cash for A = {1, L} and every even L = 2l >= 2: Lemmas 5.1 to 5.3 of Gasarch, Purtilo, Ulrich. *)

From Coq Require Import List Arith ZArith Lia ZifyNat Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
Import ListNotations.
Open Scope nat_scope.

Section Five.
  Variable l : nat.
  Hypothesis l1 : 1 <= l.
  Notation L := (2 * l).
  Notation A := [1; 2 * l].

  Lemma A_positive : positive A.
  Proof. intros a I. member I; lia. Qed.

  (** Remainders 2h and 2h+1 below L, and L itself. *)
  Definition low (N z s h : nat) : Prop := at_ A (N + 2 * h) false (s + h) (z + h) /\ at_ A (N + 2 * h + 1) true (z + h + 1) (s + h).
  Definition top (N z : nat) : Prop := at_ A (N + 2 * l) true (z + 2 * l) (z + l).
  Definition stretch (N z s : nat) : Prop := (forall h, h < l -> low N z s h) /\ top N z.

  Ltac settle n :=
    after n 1; after n (2 * l);
    let D := fresh "D" in pose proof (two_takings A A_positive 1 L eq_refl n) as D; conclude n D.

  Lemma first_stretch : stretch 0 0 0.
  Proof.
    assert (Low : forall h, h < l -> low 0 0 0 h).
    { intro h. induction h as [|h IH]; intro H.
      - assert (X : at_ A (0 + 2 * 0) false (0 + 0) (0 + 0)) by settle (0 + 2 * 0). split; [exact X|]. settle (0 + 2 * 0 + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        assert (X : at_ A (0 + 2 * S h) false (0 + S h) (0 + S h)) by settle (0 + 2 * S h). split; [exact X|]. settle (0 + 2 * S h + 1). }
    split; [exact Low|]. destruct (Low (l - 1) ltac:(lia)) as [_ Last]. destruct (Low 0 ltac:(lia)) as [Zero _]. clear Low.
    unfold top. settle (0 + 2 * l).
  Qed.

  Lemma next_stretch N z s : s <= z + 1 -> stretch N z s -> stretch (N + L + 1) (z + L) (z + l + 1).
  Proof.
    intros Small [Before Top]. unfold top in Top.
    assert (Low : forall h, h < l -> low (N + L + 1) (z + L) (z + l + 1) h).
    { intro h. induction h as [|h IH]; intro H; destruct (Before _ H) as [_ P1].
      - assert (X : at_ A (N + L + 1 + 2 * 0) false (z + l + 1 + 0) (z + L + 0)) by settle (N + L + 1 + 2 * 0).
        split; [exact X|]. clear P1. destruct (Nat.eq_dec l 1) as [E|E].
        + settle (N + L + 1 + 2 * 0 + 1).
        + clear Top. destruct (Before 1 ltac:(lia)) as [P2 _]. settle (N + L + 1 + 2 * 0 + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        assert (X : at_ A (N + L + 1 + 2 * S h) false (z + l + 1 + S h) (z + L + S h)) by settle (N + L + 1 + 2 * S h).
        split; [exact X|]. clear P1 P0. destruct (Nat.eq_dec l (S (S h))) as [E|E].
        + settle (N + L + 1 + 2 * S h + 1).
        + clear Top. destruct (Before (S (S h)) ltac:(lia)) as [P2 _]. settle (N + L + 1 + 2 * S h + 1). }
    split; [exact Low|]. destruct (Low (l - 1) ltac:(lia)) as [_ Last]. destruct (Low 0 ltac:(lia)) as [Zero _]. clear Low Before Top.
    unfold top. settle (N + L + 1 + 2 * l).
  Qed.

  (** What f of the other player is short by. *)
  Definition start (k : nat) : nat := if k =? 0 then 0 else L * k + 1 - l.

  Lemma stretches k : stretch ((L + 1) * k) (L * k) (start k).
  Proof.
    induction k as [|k IH]; [rewrite !Nat.mul_0_r; exact first_stretch|].
    replace ((L + 1) * S k) with ((L + 1) * k + L + 1) by lia. replace (L * S k) with (L * k + L) by lia.
    replace (start (S k)) with (L * k + l + 1) by (unfold start; cbn [Nat.eqb]; lia).
    apply next_stretch with (start k); [|exact IH]. unfold start. destruct (Nat.eqb_spec k 0); lia.
  Qed.

  (** Lemmas 5.1, 5.2, 5.3: W(n), f^I(n), f^II(n) for n = (L+1)k + i. *)
  Theorem lemmas_5_1_to_5_3 k h : let n := (L + 1) * k in
    (h < l -> at_ A (n + 2 * h) false (start k + h) (L * k + h) /\ at_ A (n + 2 * h + 1) true (L * k + h + 1) (start k + h)) /\
    at_ A (n + L) true (L * (k + 1)) (L * k + l).
  Proof.
    destruct (stretches k) as [Low Top]. split; [exact (Low h)|]. unfold top in Top. replace (L * (k + 1)) with (L * k + L) by lia. exact Top.
  Qed.
End Five.

(** NIM with Cash for A = {1, L, L+1} and every odd L = 2l+1 >= 3: Lemma 6.5 of Gasarch, Purtilo,
    Ulrich as mended, with steps of L. *)

From Coq Require Import List Arith ZArith Lia ZifyNat Bool.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables CashPeriods CashOddTable.
Import ListNotations.
Open Scope Z_scope.

Section Six.
  Variable l : nat.
  Hypothesis l1 : (1 <= l)%nat.
  Notation L := (2 * l + 1)%nat.
  Notation A := [1; 2 * l + 1; 2 * l + 1 + 1]%nat.
  Notation l_ := (Z.of_nat l).
  Notation c1 := (c1 l).
  Notation c2 := (c2 l).

  Definition X (i : nat) (b b' : Z) : Prop :=
    let m := Z.of_nat L in
    ((i < L + 1)%nat /\ Nat.Even i \/ (i > L + 1)%nat /\ Nat.Odd i -> b' >= (b + l_ + 1) / m * m) /\
    ((i < L + 1)%nat /\ Nat.Odd i \/ (i > L + 1)%nat /\ Nat.Even i -> b' >= b / m * m + l_) /\
    (i = (L + 1)%nat -> b' >= b / m * m).

  (** The three classes of remainders: f of the two players differ by a half period, or not, or i =
      L+1. *)
  Inductive class : Type := behind | ahead | middle.
  Definition class_of (i : nat) : class :=
    if (i =? L + 1)%nat then middle else if xorb (i <? L + 1)%nat (Nat.odd i) then behind else
      ahead.
  Definition inside (t : class) (b b' : Z) : Prop :=
    match t with
    | behind => (b + l_ + 1) / Z.of_nat L <= b' / Z.of_nat L
    | ahead => b / Z.of_nat L <= (b' - l_) / Z.of_nat L
    | middle => b / Z.of_nat L <= b' / Z.of_nat L
    end.

  Lemma X_inside i b b' : X i b b' <-> inside (class_of i) b b'.
  Proof.
    assert (M : 0 < Z.of_nat L) by lia. pose proof (quotient_le (Z.of_nat L) M) as Q.
    pose proof (Q (b + l_ + 1) b') as Q1. pose proof (Q b (b' - l_)) as Q2.
    pose proof (Q b b') as Q3. clear Q.
    unfold X, inside, class_of. cbv zeta. destruct (Nat.eqb_spec i (L + 1)) as [E|E].
    - rewrite <- Q3. split; [intros (_ & _ & H); specialize (H E); lia|]. intro H.
      repeat split; lia.
    - assert (O : Nat.odd i = true <-> Nat.Odd i) by apply Nat.odd_spec.
      assert (V : Nat.odd i = false <-> Nat.Even i) by (rewrite <- Nat.negb_even, negb_false_iff;
        apply Nat.even_spec).
      assert (N : Nat.Odd i -> Nat.Even i -> False) by (intros [h ?] [h' ?]; lia).
      destruct (Nat.ltb_spec i (L + 1)) as [C|C]; destruct (Nat.odd i); cbn [xorb].
      + assert (P : Nat.Odd i) by now apply O. rewrite <- Q2.
        split; [intros (_ & H & _); specialize (H (or_introl (conj C P))); lia|].
        intro H. split; [intros [[_ H']|[H' _]]; [destruct (N P H')|lia]|split; intros; lia].
      + assert (P : Nat.Even i) by now apply V. rewrite <- Q1.
        split; [intros (H & _ & _); specialize (H (or_introl (conj C P))); lia|].
        intro H. split; [intros; lia|split; [intros [[_ H']|[H' _]]; [destruct (N H' P)|lia]|intros;
          lia]].
      + assert (P : Nat.Odd i) by now apply O. assert (C' : (i > L + 1)%nat) by lia. rewrite <- Q1.
        split; [intros (H & _ & _); specialize (H (or_intror (conj C' P))); lia|].
        intro H. split; [intros; lia|split; [intros [[H' _]|[_ H']]; [lia|destruct (N P H')]|intros;
          lia]].
      + assert (P : Nat.Even i) by now apply V. assert (C' : (i > L + 1)%nat) by lia. rewrite <- Q2.
        split; [intros (_ & H & _); specialize (H (or_intror (conj C' P))); lia|].
        intro H. split; [intros [[H' _]|[_ H']]; [lia|destruct (N H' P)]|split; intros; lia].
  Qed.

  Lemma X_decided i b b' : X i b b' \/ ~ X i b b'.
  Proof. rewrite X_inside. unfold inside. destruct (class_of i); lia. Qed.

  (** Conditions (I), for [first] takings, and (II). *)
  Definition fine (first : bool) (t t' : class) (d d' : Z) : Prop := forall b b', 0 <= b ->
    0 <= b' ->
    (first = true -> inside t b b' -> 0 <= b' - d /\ (0 <= b - d' -> ~ inside t' (b' - d) (b - d')))
      /\
    (~ inside t b b' ->
      0 <= b - d' /\ (0 <= b' - d -> inside t' (b' - d) (b - d')) \/ b' - d < 0 /\ b - d' < 0 /\
        t' = ahead).

  Lemma negative m x : 0 < m -> x < 0 <-> x / m < 0.
  Proof. intro M. pose proof (quotient_sign m M x). lia. Qed.

  Ltac near_all m M x y z t :=
    near m M x y; near m M y x; near m M x z; near m M z x; near m M x t; near m M t x;
    near m M y z; near m M z y; near m M y t; near m M t y; near m M z t; near m M t z.

  Ltac settle_row :=
    let M := fresh in intros b b' B1 B2; assert (M : 0 < Z.of_nat L) by lia; unfold inside;
    match goal with |- context [b' - ?d] => match goal with |- context [b - ?d'] =>
      rewrite (negative (Z.of_nat L) (b' - d) M), (negative (Z.of_nat L) (b - d') M);
      rewrite (quotient_sign (Z.of_nat L) M (b' - d)), (quotient_sign (Z.of_nat L) M (b - d'));
      near_all (Z.of_nat L) M b (b + Z.of_nat l + 1) (b - d') (b - d' - Z.of_nat l);
      near_all (Z.of_nat L) M b' (b' - Z.of_nat l) (b' - d) (b' - d + Z.of_nat l + 1);
      apply (quotient_sign (Z.of_nat L) M b) in B1; apply (quotient_sign (Z.of_nat L) M b') in B2;
      revert B1 B2; clear; generalize (b / Z.of_nat L), (b' / Z.of_nat L), ((b' - d) / Z.of_nat L),
        ((b - d') / Z.of_nat L),
        ((b + Z.of_nat l + 1) / Z.of_nat L), ((b' - Z.of_nat l) / Z.of_nat L),
          ((b - d' - Z.of_nat l) / Z.of_nat L),
        ((b' - d + Z.of_nat l + 1) / Z.of_nat L);
      intros; split; intros; try discriminate;
      first [lia | match goal with |- ?P \/ ?Q /\ ?R /\ ?S =>
        enough (P \/ Q /\ R) by (assert S by reflexivity; tauto); lia end]
    end end.

  Lemma fine_rows :
    fine true behind ahead 0 0 /\ fine true ahead behind 0 0 /\ fine true middle ahead 0 (l_ + 1) /\
      fine true behind middle 0 l_ /\
    fine false behind middle l_ 0 /\ fine false ahead behind l_ (- l_) /\
      fine false behind ahead l_ (- l_) /\ fine false middle ahead l_ 1 /\
    fine false behind behind (2 * l_ + 1) 0 /\ fine false ahead ahead (2 * l_) 1 /\
    fine false behind ahead (2 * l_ + 1) 0 /\ fine false ahead middle l_ 0 /\
      fine false ahead ahead l_ (- l_) /\
    fine false behind behind (l_ + 1) (- (l_ + 1)) /\ fine false middle behind (l_ + 1) 0 /\
      fine false ahead behind (2 * l_ + 1) 0.
  Proof. repeat match goal with |- _ /\ _ => split end; settle_row. Qed.

  (** Whoever has taken so that [ahead] is left has left a win without cash. *)
  Lemma ahead_won j : (j < 2 * L + 1)%nat -> class_of j = ahead -> W_ A j = true.
  Proof.
    intros B E. replace j with ((2 * L + 1) * 0 + j)%nat by lia.
    destruct (table l l1 0 j B) as (-> & _). revert E. unfold class_of, w.
    destruct (Nat.eqb_spec j (L + 1)); [discriminate|].
    destruct (Nat.ltb_spec j (L + 1)); destruct (Nat.odd j); try discriminate; cbn [orb];
      [reflexivity|].
    intros _. apply Nat.leb_le. lia.
  Qed.

  (** What the remainders before and after a taking say. *)
  Definition row i j a (t t' : class) (d d' : Z) : Prop := class_of i = t /\ class_of j = t' /\
    c2 i a = d /\ c1 i a = d'.

  Lemma rows i a : (i < 2 * L + 1)%nat -> let j := minus (2 * L + 1) i a in
    (a = 1%nat -> row i j a behind ahead 0 0 \/ row i j a ahead behind 0 0 \/
      row i j a middle ahead 0 (l_ + 1) \/ row i j a behind middle 0 l_) /\
    (a = L -> row i j a behind middle l_ 0 \/ row i j a ahead behind l_ (- l_) \/
      row i j a behind ahead l_ (- l_) \/
              row i j a middle ahead l_ 1 \/ row i j a behind behind (2 * l_ + 1) 0 \/
                row i j a ahead ahead (2 * l_) 1) /\
    (a = (L + 1)%nat -> row i j a behind ahead (2 * l_ + 1) 0 \/ row i j a ahead middle l_ 0 \/
      row i j a ahead ahead l_ (- l_) \/
              row i j a behind behind (l_ + 1) (- (l_ + 1)) \/ row i j a middle behind (l_ + 1) 0 \/
                row i j a ahead behind (2 * l_ + 1) 0).
  Proof.
    intros B j.
    assert (J : (a <= 2 * L + 1)%nat -> j = if (a <=? i)%nat then (i - a)%nat else
      (2 * L + 1 + i - a)%nat) by now apply minus_is.
    clearbody j. destruct (parity i) as (h & P), (parity j) as (h' & P').
    split; [|split]; intros ->; specialize (J ltac:(lia)); unfold row, class_of, CashOddTable.c1,
      CashOddTable.c2;
      destruct P as [(E & -> & ->)|(E & -> & ->)]; destruct P' as [(E' & -> & _)|(E' & -> & _)];
      revert J; compare_all; intro J; try (exfalso; lia); cbn [xorb].
    all: repeat first [left; repeat split; (reflexivity || lia) | right]; repeat split;
      (reflexivity || lia).
  Qed.

  (** X is a solution set (Definition 4.6). *)
  Theorem lemma_6_5 : solution_set A 1 (2 * L + 1) c1 c2 X.
  Proof.
    intros i b b' B B1 B2.
    assert (F : forall a, In a A -> fine (a =? 1)%nat (class_of i)
      (class_of (minus (2 * L + 1) i a)) (c2 i a) (c1 i a)).
    { intros a I. destruct (rows i a B) as (R1 & R2 & R3).
      destruct fine_rows as (? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ?).
      assert (E : (L =? 1)%nat = false) by (apply Nat.eqb_neq; lia).
      assert (E' : (L + 1 =? 1)%nat = false) by (apply Nat.eqb_neq; lia).
      member I; [specialize (R1 eq_refl); clear R2 R3; rename R1 into R; cbn [Nat.eqb]
        |specialize (R2 eq_refl); clear R1 R3; rename R2 into R; rewrite E|specialize (R3 eq_refl);
          clear R1 R2; rename R3 into R; rewrite E'];
        repeat destruct R as [R|R]; destruct R as (-> & -> & -> & ->); assumption. }
    split; cbv zeta.
    - intro H. rewrite X_inside in H. destruct (F 1%nat (or_introl eq_refl) b b' B1 B2) as [F1 _].
      destruct (F1 eq_refl H) as [C N].
      destruct (Z_lt_le_dec (b - c1 i 1) 0); [right; left; lia|left; split;
        [exact C|split; [assumption|]]]. rewrite X_inside. auto.
    - intros H a I. rewrite X_inside in H. destruct (F a I b b' B1 B2) as [_ F2]. specialize (F2 H).
      rewrite X_inside. destruct F2 as [[C N]|(C & C' & T)].
      + destruct (Z_lt_le_dec (b' - c2 i a) 0); [right; left; lia|left; auto].
      + right. right. split; [exact C|split; [exact C'|]]. apply ahead_won; [|exact T].
        assert (a <= 2 * L + 1)%nat by (member I; lia).
        rewrite minus_is by lia. destruct (Nat.leb_spec a i); lia.
  Qed.

  Theorem theorem_6_5 n d e : critical A 1 n d e ->
    (I_wins A n d e <-> X (n mod (2 * L + 1))%nat (short_I A n d) (short_II A n e)).
  Proof. apply (theorem_4_8 A (A_positive l l1) 1 (A_least l l1) _ _ _ _ X_decided (lemma_6_4 l l1)
    lemma_6_5). Qed.
End Six.

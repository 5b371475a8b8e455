(** NIM with Cash for A = {1, L, L+1} and every even L = 2l >= 2: section 7 of Gasarch, Purtilo,
    Ulrich. *)

From Coq Require Import List Arith ZArith Lia ZifyNat Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables CashPeriods.
Import ListNotations.
Open Scope nat_scope.

Section Seven.
  Variable l : nat.
  Hypothesis l1 : 1 <= l.
  Notation L := (2 * l).
  Notation A := [1; 2 * l; 2 * l + 1].

  Lemma A_positive : positive A.
  Proof. intros a I. member I; lia. Qed.

  Lemma A_least : least A 1.
  Proof. split; [now left|]. intros a I. member I; lia. Qed.

  (** The four classes of remainders: 2h and 2h+1 below L, L+2h and L+2h+1 from L on. *)
  Definition low (N z h : nat) : Prop := at_ A (N + 2 * h) false (z + h) (z + h) /\
    at_ A (N + 2 * h + 1) true (z + h + 1) (z + h).
  Definition high (N z h : nat) : Prop :=
    at_ A (N + L + 2 * h) true (z + L + h) (if h =? 0 then z + l else z + L + h) /\
    at_ A (N + L + 2 * h + 1) true (z + L + h + 1) (z + L + h).
  Definition stretch (N z : nat) : Prop := forall h, h < l -> low N z h /\ high N z h.

  Ltac settle n :=
    after n 1; after n (2 * l); after n (2 * l + 1);
    let D := fresh "D" in pose proof (three_takings A A_positive 1 L (L + 1) eq_refl n) as D;
      conclude n D.

  Lemma next N z : N = 0 /\ z = 0 \/ (exists N' z', N = N' + 2 * L /\ z = z' + 3 * l /\
    stretch N' z') -> stretch N z.
  Proof.
    intros Prev.
    assert (Low : forall h, h < l -> low N z h).
    { intro h. induction h as [|h IH]; intro H; destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S)].
      - assert (X : at_ A (N + 2 * 0) false (z + 0) (z + 0)) by settle (N + 2 * 0).
        split; [exact X|]. settle (N + 2 * 0 + 1).
      - destruct (S 0 H) as [_ [P1 P2]]. destruct (S (l - 1) ltac:(lia)) as [[_ P3] [_ P4]].
        clear S. cbn [Nat.eqb] in P1.
        assert (X : at_ A (N + 2 * 0) false (z + 0) (z + 0)) by settle (N + 2 * 0).
        split; [exact X|]. settle (N + 2 * 0 + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        assert (X : at_ A (N + 2 * Datatypes.S h) false (z + Datatypes.S h) (z + Datatypes.S h)) by
          settle (N + 2 * Datatypes.S h).
        split; [exact X|]. settle (N + 2 * Datatypes.S h + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH. destruct (S (Datatypes.S h) H) as [_ [P1 P2]].
        destruct (S h ltac:(lia)) as [_ [_ P3]].
        clear S. cbn [Nat.eqb] in P1.
        assert (X : at_ A (N + 2 * Datatypes.S h) false (z + Datatypes.S h) (z + Datatypes.S h)) by
          settle (N + 2 * Datatypes.S h).
        split; [exact X|]. settle (N + 2 * Datatypes.S h + 1). }
    assert (High : forall h, h < l -> high N z h).
    { intro h. destruct (Low (l - 1) ltac:(lia)) as [_ Last].
      destruct (Low 0 ltac:(lia)) as [Zero _].
      induction h as [|h IH]; intro H; destruct (Low _ H) as [P1 P2].
      - assert (X : at_ A (N + L + 2 * 0) true (z + L + 0) (z + l)).
        { clear P1 P2. destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S)];
            [|destruct (S (l - 1) ltac:(lia)) as [_ [_ P4]]; clear S];
            settle (N + L + 2 * 0). }
        clear Last Prev. split; [exact X|]. settle (N + L + 2 * 0 + 1).
      - clear Prev Zero Last. destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        destruct (Low h ltac:(lia)) as [_ P3].
        assert (X : at_ A (N + L + 2 * Datatypes.S h) true (z + L + Datatypes.S h)
          (z + L + Datatypes.S h)) by settle (N + L + 2 * Datatypes.S h).
        split; [exact X|]. clear P3. settle (N + L + 2 * Datatypes.S h + 1). }
    intros h H. auto.
  Qed.

  Lemma stretches k : stretch (2 * L * k) (3 * l * k).
  Proof.
    induction k as [|k IH]; apply next; [left; lia|right]. exists (2 * L * k), (3 * l * k).
    split; [lia|split; [lia|exact IH]].
  Qed.

  (** Lemmas 7.1, 7.2, 7.3: W(n), f^I(n), f^II(n) for n = 2Lk + i. *)
  Theorem lemmas_7_1_to_7_3 k i : i < 2 * L -> let n := 2 * L * k + i in
    (W_ A n = false <-> Nat.Even i /\ i < L) /\
    fI_ A n = 3 * l * k + (if i <? L then (i + 1) / 2 else L + (i - L + 1) / 2) /\
    fII_ A n = 3 * l * k + (if i <? L + 1 then i / 2 else L + (i - L) / 2).
  Proof.
    intros B n. pose proof (stretches k) as S.
    destruct (Nat.Even_or_Odd i) as [[h E]|[h E]]; destruct (Nat.ltb_spec i L) as [C|C];
      destruct (Nat.ltb_spec i (L + 1)) as [C'|C']; try lia; subst i.
    - destruct (S h ltac:(lia)) as [[(V1 & V2 & V3) _] _].
      replace n with (2 * L * k + 2 * h) by reflexivity. rewrite V1, V2, V3.
      split; [split; [split; [now exists h|lia]|reflexivity]|]. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [(V1 & V2 & V3) _]].
      replace n with (2 * L * k + L + 2 * (h - l)) by (unfold n; lia).
      rewrite V1, V2, V3. replace (h - l) with 0 in * by lia. cbn [Nat.eqb].
      split; [split; [discriminate|lia]|]. replace h with l by lia. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [(V1 & V2 & V3) _]].
      replace n with (2 * L * k + L + 2 * (h - l)) by (unfold n; lia).
      rewrite V1, V2, V3. destruct (Nat.eqb_spec (h - l) 0); [lia|].
      split; [split; [discriminate|lia]|]. clear -C. lia.
    - destruct (S h ltac:(lia)) as [[_ (V1 & V2 & V3)] _].
      replace n with (2 * L * k + 2 * h + 1) by (unfold n; lia). rewrite V1, V2, V3.
      split; [split; [discriminate|intros [[j ?] _]; lia]|]. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [_ (V1 & V2 & V3)]].
      replace n with (2 * L * k + L + 2 * (h - l) + 1) by (unfold n; lia).
      rewrite V1, V2, V3. split; [split; [discriminate|intros [[j ?] _]; lia]|]. clear -C. lia.
  Qed.
  (** ** Lemma 7.4 *)

  (** W, f^I and f^II of the first period. *)
  Definition w (i : nat) : bool := Nat.odd i || (L <=? i).
  Definition v1 (i : nat) : nat := if i <? L then (i + 1) / 2 else L + (i - L + 1) / 2.
  Definition v2 (i : nat) : nat := if i <? L + 1 then i / 2 else L + (i - L) / 2.

  Lemma table k i : i < 2 * L -> at_ A (2 * L * k + i) (w i) (3 * l * k + v1 i) (3 * l * k + v2 i).
  Proof.
    intro B. destruct (lemmas_7_1_to_7_3 k i B) as (V & V1 & V2). split; [|now split].
    assert (E : w i = false <-> Nat.Even i /\ i < L).
    { unfold w. rewrite orb_false_iff, <- Nat.negb_even, negb_false_iff, Nat.even_spec, Nat.leb_gt.
      reflexivity. }
    destruct (W_ A (2 * L * k + i)), (w i); intuition congruence.
  Qed.

  Open Scope Z_scope.

  (** c^I and c^II. *)
  Definition c1 (i a : nat) : Z :=
    if (a =? 1)%nat then if ((i =? L) || (i =? L + 1))%nat then Z.of_nat l else 0
    else if (a =? L)%nat then Z.of_nat (i mod 2) -
      (if ((1 <=? i) && (i <? L))%nat then Z.of_nat l else 0)
    else if ((2 <=? i) && (i <? L))%nat then - Z.of_nat l else 0.
  Definition c2 (i a : nat) : Z :=
    if (a =? 1)%nat then 0
    else if (a =? L)%nat then (if (i <? L + 1)%nat then Z.of_nat l else Z.of_nat L) - Z.of_nat
      (i mod 2)
    else if ((1 <=? i) && (i <=? L))%nat then Z.of_nat l else Z.of_nat L.

  Theorem lemma_7_4 : cash_periodic A (2 * L) c1 c2.
  Proof.
    apply (repeating A (2 * L) (3 * l) w v1 v2); [lia|intros a I; member I; lia|exact table|].
    intros i a B I. member I; (split; intro C; unfold v1, v2, c1, c2; split; compare_all; lia).
  Qed.

  (** ** Lemma 7.5 *)

  Definition X (i : nat) (b b' : Z) : Prop :=
    let m := Z.of_nat l in (Nat.Odd i \/ i = L -> b' >= b / m * m) /\
      (Nat.Even i /\ i <> L -> b < b' / m * m).

  (** Whether equal floors are in X. *)
  Definition tie (i : nat) : bool := Nat.odd i || (i =? L)%nat.

  Lemma X_means i b b' : if tie i then X i b b' <-> b / Z.of_nat l <= b' / Z.of_nat l else
    X i b b' <-> b / Z.of_nat l < b' / Z.of_nat l.
  Proof.
    assert (T : tie i = true <-> Nat.Odd i \/ i = L) by (unfold tie;
      rewrite orb_true_iff, Nat.odd_spec, Nat.eqb_eq; reflexivity).
    assert (F : tie i = false <-> Nat.Even i /\ i <> L).
    { unfold tie. rewrite orb_false_iff, <- Nat.negb_even, negb_false_iff, Nat.even_spec,
        Nat.eqb_neq. reflexivity. }
    unfold X. cbv zeta. pose proof (quotient_le (Z.of_nat l) ltac:(lia) b b') as Q1.
    pose proof (quotient_lt (Z.of_nat l) ltac:(lia) b b') as Q2.
    destruct (tie i).
    - assert (O : Nat.Odd i \/ i = L) by now apply T.
      assert (N : ~ (Nat.Even i /\ i <> L)) by (intro H; apply F in H; discriminate).
      split; [intros [H _]; specialize (H O); apply Q1; lia|]. intro H. apply Q1 in H.
      split; [intros _; lia|intro H'; destruct (N H')].
    - assert (O : Nat.Even i /\ i <> L) by now apply F.
      assert (N : ~ (Nat.Odd i \/ i = L)) by (intro H; apply T in H; discriminate).
      split; [intros [_ H]; specialize (H O); apply Q2; lia|]. intro H. apply Q2 in H.
      split; [intro H'; destruct (N H')|intros _; lia].
  Qed.

  Lemma X_decided i b b' : X i b b' \/ ~ X i b b'.
  Proof. pose proof (X_means i b b') as H. destruct (tie i); rewrite H; lia. Qed.

  Notation l_ := (Z.of_nat l).

  (** The same for what the two remainders and the two costs are. *)
  Definition inside (t : bool) (b b' : Z) : Prop := if t then b / l_ <= b' / l_ else b / l_ < b' /
    l_.

  Lemma X_inside i b b' : X i b b' <-> inside (tie i) b b'.
  Proof. pose proof (X_means i b b') as H. unfold inside. destruct (tie i); exact H. Qed.

  (** What the remainders before and after a taking say. *)
  Definition row i j a (t t' : bool) (d d' : Z) : Prop := tie i = t /\ tie j = t' /\ c2 i a = d /\
    c1 i a = d'.

  Lemma rows i a : (i < 2 * L)%nat -> let j := minus (2 * L) i a in
    (a = 1%nat -> row i j a true false 0 0 \/ row i j a false true 0 0 \/ row i j a true true 0 l_)
      /\
    (a = L -> row i j a false true l_ 0 \/ row i j a false false l_ (- l_) \/
      row i j a true true (l_ - 1) (1 - l_) \/
              row i j a true false l_ 0 \/ row i j a true true (2 * l_ - 1) 1 \/
                row i j a false false (2 * l_) 0) /\
    (a = (L + 1)%nat -> row i j a false true (2 * l_) 0 \/ row i j a true true l_ 0 \/
      row i j a false true l_ (- l_) \/
              row i j a true false l_ (- l_) \/ row i j a true false (2 * l_) 0).
  Proof.
    intros B j.
    assert (J : (a <= 2 * L)%nat -> j = if (a <=? i)%nat then (i - a)%nat else (2 * L + i - a)%nat)
      by now apply minus_is.
    clearbody j. destruct (parity i) as (h & P), (parity j) as (h' & P').
    split; [|split]; intros ->; specialize (J ltac:(lia)); unfold row, tie, c1, c2;
      destruct P as [(E & -> & ->)|(E & -> & ->)]; destruct P' as [(E' & -> & _)|(E' & -> & _)];
        cbn [orb];
      revert J; compare_all; intro J; try (exfalso; lia).
    all: repeat first [lia | left; repeat split; (reflexivity || lia) | right].
  Qed.

  (** Conditions (I), for [first] takings, and (II). *)
  Definition fine (first : bool) (t t' : bool) (d d' : Z) : Prop := forall b b', 0 <= b ->
    0 <= b' ->
    (first = true -> inside t b b' -> 0 <= b' - d /\ (0 <= b - d' -> ~ inside t' (b' - d) (b - d')))
      /\
    (~ inside t b b' -> 0 <= b - d' /\ (0 <= b' - d -> inside t' (b' - d) (b - d'))).

  Ltac settle_row :=
    let M := fresh in intros b b' B1 B2; assert (M : 0 < Z.of_nat l) by lia; unfold inside;
    match goal with |- context [b' - ?d] => match goal with |- context [b - ?d'] =>
      rewrite (quotient_sign (Z.of_nat l) M (b' - d)), (quotient_sign (Z.of_nat l) M (b - d'));
      near (Z.of_nat l) M (b' - d) b'; near (Z.of_nat l) M b' (b' - d);
        near (Z.of_nat l) M (b - d') b; near (Z.of_nat l) M b (b - d');
      apply (quotient_sign (Z.of_nat l) M b) in B1; apply (quotient_sign (Z.of_nat l) M b') in B2;
      revert B1 B2; clear; generalize (b / Z.of_nat l), (b' / Z.of_nat l), ((b' - d) / Z.of_nat l),
        ((b - d') / Z.of_nat l); intros; split; intros; try discriminate; lia
    end end.

  Lemma fine_rows :
    fine true true false 0 0 /\ fine true false true 0 0 /\ fine true true true 0 l_ /\
    fine false false true l_ 0 /\ fine false false false l_ (- l_) /\
      fine false true true (l_ - 1) (1 - l_) /\
    fine false true false l_ 0 /\ fine false true true (2 * l_ - 1) 1 /\
      fine false false false (2 * l_) 0 /\
    fine false false true (2 * l_) 0 /\ fine false true true l_ 0 /\
      fine false false true l_ (- l_) /\
    fine false true false l_ (- l_) /\ fine false true false (2 * l_) 0.
  Proof. repeat match goal with |- _ /\ _ => split end; settle_row. Qed.

  (** X is a solution set (Definition 4.6). *)
  Theorem lemma_7_5 : solution_set A 1 (2 * L) c1 c2 X.
  Proof.
    intros i b b' B B1 B2.
    assert (F : forall a, In a A -> fine (a =? 1)%nat (tie i) (tie (minus (2 * L) i a)) (c2 i a)
      (c1 i a)).
    { intros a I. destruct (rows i a B) as (R1 & R2 & R3).
      destruct fine_rows as (? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ? & ?).
      assert (E : (L =? 1)%nat = false) by (apply Nat.eqb_neq; lia).
      assert (E' : (L + 1 =? 1)%nat = false) by (apply Nat.eqb_neq; lia).
      member I; [specialize (R1 eq_refl); clear R2 R3; rename R1 into R; cbn [Nat.eqb]
        |specialize (R2 eq_refl); clear R1 R3; rename R2 into R; rewrite E|specialize (R3 eq_refl);
          clear R1 R2; rename R3 into R; rewrite E'];
        repeat destruct R as [R|R]; destruct R as (-> & -> & -> & ->); assumption. }
    split; cbv zeta.
    - intro H. rewrite X_inside in H. destruct (F 1%nat (or_introl eq_refl) b b' B1 B2) as [F1 _].
      destruct (F1 eq_refl H) as [C N].
      rewrite X_inside. destruct (Z_lt_le_dec (b - c1 i 1) 0); [right; left; lia|left; auto].
    - intros H a I. rewrite X_inside in H. destruct (F a I b b' B1 B2) as [_ F2].
      destruct (F2 H) as [C N].
      rewrite X_inside. destruct (Z_lt_le_dec (b' - c2 i a) 0); [right; left; lia|left; auto].
  Qed.

  Theorem theorem_7_5 n d e : critical A 1 n d e ->
    (I_wins A n d e <-> X (n mod (2 * L))%nat (short_I A n d) (short_II A n e)).
  Proof. apply (theorem_4_8 A A_positive 1 A_least _ _ _ _ X_decided lemma_7_4 lemma_7_5). Qed.
End Seven.

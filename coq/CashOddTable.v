(** NIM with Cash for A = {1, L, L+1} and every odd L = 2l+1 >= 3: Lemmas 6.1 to 6.4 of Gasarch,
    Purtilo, Ulrich. *)

From Coq Require Import List Arith ZArith Lia ZifyNat Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables CashPeriods.
Import ListNotations.
Open Scope nat_scope.

Lemma at_same A n w F G F' G' : at_ A n w F G -> F = F' -> G = G' -> at_ A n w F' G'.
Proof. now intros ? <- <-. Qed.

Section Six.
  Variable l : nat.
  Hypothesis l1 : 1 <= l.
  Notation L := (2 * l + 1).
  Notation A := [1; 2 * l + 1; 2 * l + 1 + 1].

  Lemma A_positive : positive A.
  Proof. intros a I. member I; lia. Qed.

  Lemma A_least : least A 1.
  Proof. split; [now left|]. intros a I. member I; lia. Qed.

  (** ** Lemmas 6.1 to 6.3 *)

  (** The four classes of remainders: 2h and 2h+1 up to L, L+1+2h and L+2+2h above. *)
  Definition low (N z h : nat) : Prop := at_ A (N + 2 * h) false (z + h) (z + h) /\
    at_ A (N + 2 * h + 1) true (z + h + 1) (z + h).
  Definition even_high (N z h : nat) : Prop :=
    at_ A (N + L + 1 + 2 * h) true (z + L + h + 1) (if h =? 0 then z + l + 1 else z + L + h).
  Definition odd_high (N z h : nat) : Prop := at_ A (N + L + 2 + 2 * h) true (z + L + h + 1)
    (z + L + h + 1).
  Definition stretch (N z : nat) : Prop :=
    (forall h, h <= l -> low N z h) /\ (forall h, h <= l -> even_high N z h) /\
      (forall h, h < l -> odd_high N z h).

  Ltac settle n :=
    after n 1; after n (2 * l + 1); after n (2 * l + 1 + 1);
    let D := fresh "D" in pose proof (three_takings A A_positive 1 L (L + 1) eq_refl n) as D;
      conclude n D.

  Lemma next N z : N = 0 /\ z = 0 \/ (exists N' z', N = N' + 2 * L + 1 /\ z = z' + 3 * l + 2 /\
    stretch N' z') -> stretch N z.
  Proof.
    intros Prev.
    assert (Zero : at_ A (N + 2 * 0) false (z + 0) (z + 0)).
    { destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S1 & S2 & S3)]; [settle (N + 2 * 0)|].
      destruct (S1 l (le_n l)) as [_ P1]. pose proof (S2 l (le_n l)) as P2.
      pose proof (S2 0 ltac:(lia)) as P3. unfold even_high in P2, P3.
      destruct (Nat.eqb_spec l 0) as [|_]; [lia|]. cbn [Nat.eqb] in P3. clear S1 S2 S3.
      settle (N + 2 * 0). }
    assert (Low : forall h, h <= l -> low N z h).
    { intro h. induction h as [|h IH]; intro H;
        destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S1 & S2 & S3)].
      - split; [exact Zero|]. settle (N + 2 * 0 + 1).
      - pose proof (S2 0 ltac:(lia)) as P2. pose proof (S3 0 ltac:(lia)) as P3. clear S1 S2 S3.
        unfold even_high in P2. unfold odd_high in P3.
        split; [exact Zero|]. settle (N + 2 * 0 + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        assert (X : at_ A (N + 2 * S h) false (z + S h) (z + S h)) by (clear Zero;
          settle (N + 2 * S h)).
        split; [exact X|]. clear P0. destruct (Nat.eq_dec l (S h)); [|clear Zero];
          settle (N + 2 * S h + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH. pose proof (S2 (S h) ltac:(lia)) as P2.
        pose proof (S3 h ltac:(lia)) as P3.
        unfold even_high in P2. unfold odd_high in P3. cbn [Nat.eqb] in P2.
        assert (X : at_ A (N + 2 * S h) false (z + S h) (z + S h)) by (clear Zero S1 S2 S3;
          settle (N + 2 * S h)).
        split; [exact X|]. clear P0 P3. destruct (Nat.eq_dec l (S h)) as [E|E].
        + clear S1 S2 S3. settle (N + 2 * S h + 1).
        + pose proof (S3 (S h) ltac:(lia)) as P3. unfold odd_high in P3. clear S1 S2 S3 Zero.
          settle (N + 2 * S h + 1). }
    clear Prev Zero.
    assert (High : forall h, h <= l -> even_high N z h /\ (h < l -> odd_high N z h)).
    { intro h. induction h as [|h IH]; intro H.
      - destruct (Low 0 ltac:(lia)) as [P1 P2]. destruct (Low l ltac:(lia)) as [_ P3].
        assert (X : even_high N z 0) by (unfold even_high; cbn [Nat.eqb];
          settle (N + L + 1 + 2 * 0)).
        split; [exact X|]. intro H'. destruct (Low 1 ltac:(lia)) as [P4 _]. clear P1 P3.
        unfold even_high in X. unfold odd_high. settle (N + L + 2 + 2 * 0).
      - destruct (IH ltac:(lia)) as [_ P0]. specialize (P0 ltac:(lia)). clear IH.
        destruct (Low (S h) ltac:(lia)) as [P1 P2]. unfold odd_high in P0.
        assert (X : even_high N z (S h)) by (unfold even_high; cbn [Nat.eqb];
          settle (N + L + 1 + 2 * S h)).
        split; [exact X|]. intro H'. destruct (Low (S (S h)) ltac:(lia)) as [P4 _]. clear P0 P1.
        unfold even_high in X. unfold odd_high.
        settle (N + L + 2 + 2 * S h). }
    split; [exact Low|split]; intros h H; [apply (High h); lia|apply (High h); lia].
  Qed.

  Lemma stretches k : stretch ((2 * L + 1) * k) ((3 * l + 2) * k).
  Proof.
    induction k as [|k IH]; apply next; [left; lia|right].
    exists ((2 * L + 1) * k), ((3 * l + 2) * k). split; [lia|split; [lia|exact IH]].
  Qed.

  (** W, f^I and f^II of the first period. *)
  Definition w (i : nat) : bool := Nat.odd i || (L <=? i).
  Definition v1 (i : nat) : nat := if i <? L + 1 then (i + 1) / 2 else L + (i - L + 1) / 2.
  Definition v2 (i : nat) : nat := if i <? L + 2 then i / 2 else L + (i - L) / 2.

  (** Lemmas 6.1, 6.2, 6.3: W(n), f^I(n), f^II(n) for n = (2L+1)k + i. *)
  Theorem table k i : i < 2 * L + 1 -> at_ A ((2 * L + 1) * k + i) (w i) ((3 * l + 2) * k + v1 i)
    ((3 * l + 2) * k + v2 i).
  Proof.
    intro B. destruct (stretches k) as (Low & High & High'). unfold even_high in High.
    unfold odd_high in High'.
    revert Low High High'. generalize ((2 * L + 1) * k), ((3 * l + 2) * k).
    intros N z Low High High'.
    assert (W : Nat.Odd i \/ L <= i -> w i = true) by (unfold w;
      rewrite orb_true_iff, Nat.leb_le, Nat.odd_spec; auto).
    unfold v1, v2. destruct (Nat.Even_or_Odd i) as [[h E]|[h E]]; destruct (le_lt_dec i L) as [C|C].
    - assert (F : w i = false).
      { unfold w. rewrite orb_false_iff, Nat.leb_gt, <- Nat.negb_even, negb_false_iff,
          Nat.even_spec. split; [now exists h|lia]. }
      rewrite F. destruct (Low h ltac:(lia)) as [V _]. rewrite <- E in V.
      apply (at_same _ _ _ _ _ _ _ V); clear V W F Low High High'; compare_all; lia.
    - rewrite W by lia. specialize (High (h - l - 1) ltac:(lia)).
      replace (N + L + 1 + 2 * (h - l - 1)) with (N + i) in High by lia.
      apply (at_same _ _ _ _ _ _ _ High); clear W Low High High'; compare_all; lia.
    - rewrite W by (left; now exists h). destruct (Low h ltac:(lia)) as [_ V].
      replace (N + 2 * h + 1) with (N + i) in V by lia.
      apply (at_same _ _ _ _ _ _ _ V); clear V W Low High High'; compare_all; lia.
    - rewrite W by lia. specialize (High' (h - l - 1) ltac:(lia)).
      replace (N + L + 2 + 2 * (h - l - 1)) with (N + i) in High' by lia.
      apply (at_same _ _ _ _ _ _ _ High'); clear W Low High High'; compare_all; lia.
  Qed.

  (** ** Lemma 6.4 *)

  Open Scope Z_scope.
  Notation l_ := (Z.of_nat l).

  (** c^I and c^II, (3) as mended. *)
  Definition c1 (i a : nat) : Z :=
    if (a =? 1)%nat then if (i =? L + 1)%nat then l_ + 1 else if (i =? L + 2)%nat then l_ else 0
    else if (a =? L)%nat then if ((1 <=? i) && (i <? L + 1))%nat then - l_ else if (i =? 0)%nat then
      0 else 1 - Z.of_nat (i mod 2)
    else if ((2 <=? i) && (i <=? L))%nat then Z.of_nat (i mod 2) - (l_ + 1) else 0.
  Definition c2 (i a : nat) : Z :=
    if (a =? 1)%nat then 0
    else if (a =? L)%nat then if (i <=? L + 1)%nat then l_ else Z.of_nat L -
      (1 - Z.of_nat (i mod 2))
    else if ((1 <=? i) && (i <=? L + 1))%nat then l_ + 1 - Z.of_nat (i mod 2) else Z.of_nat L.

  Theorem lemma_6_4 : cash_periodic A (2 * L + 1) c1 c2.
  Proof.
    apply (repeating A (2 * L + 1) (3 * l + 2) w v1 v2);
      [lia|intros a I; member I; lia|exact table|].
    intros i a B I. member I; (split; intro C; unfold v1, v2, c1, c2; split; compare_all; lia).
  Qed.
End Six.

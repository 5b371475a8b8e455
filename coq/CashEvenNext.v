(** NIM with Cash for A = {1, L, L+1} and every even L = 2l >= 2: section 7 of Gasarch, Purtilo, Ulrich. *)

From Coq Require Import List Arith ZArith Lia ZifyNat Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
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
  Definition low (N z h : nat) : Prop := at_ A (N + 2 * h) false (z + h) (z + h) /\ at_ A (N + 2 * h + 1) true (z + h + 1) (z + h).
  Definition high (N z h : nat) : Prop :=
    at_ A (N + L + 2 * h) true (z + L + h) (if h =? 0 then z + l else z + L + h) /\
    at_ A (N + L + 2 * h + 1) true (z + L + h + 1) (z + L + h).
  Definition stretch (N z : nat) : Prop := forall h, h < l -> low N z h /\ high N z h.

  Ltac settle n :=
    after n 1; after n (2 * l); after n (2 * l + 1);
    let D := fresh "D" in pose proof (three_takings A A_positive 1 L (L + 1) eq_refl n) as D; conclude n D.

  Lemma next N z : N = 0 /\ z = 0 \/ (exists N' z', N = N' + 2 * L /\ z = z' + 3 * l /\ stretch N' z') -> stretch N z.
  Proof.
    intros Prev.
    assert (Low : forall h, h < l -> low N z h).
    { intro h. induction h as [|h IH]; intro H; destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S)].
      - assert (X : at_ A (N + 2 * 0) false (z + 0) (z + 0)) by settle (N + 2 * 0).
        split; [exact X|]. settle (N + 2 * 0 + 1).
      - destruct (S 0 H) as [_ [P1 P2]]. destruct (S (l - 1) ltac:(lia)) as [[_ P3] [_ P4]]. clear S. cbn [Nat.eqb] in P1.
        assert (X : at_ A (N + 2 * 0) false (z + 0) (z + 0)) by settle (N + 2 * 0).
        split; [exact X|]. settle (N + 2 * 0 + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH.
        assert (X : at_ A (N + 2 * Datatypes.S h) false (z + Datatypes.S h) (z + Datatypes.S h)) by settle (N + 2 * Datatypes.S h).
        split; [exact X|]. settle (N + 2 * Datatypes.S h + 1).
      - destruct (IH ltac:(lia)) as [_ P0]. clear IH. destruct (S (Datatypes.S h) H) as [_ [P1 P2]]. destruct (S h ltac:(lia)) as [_ [_ P3]].
        clear S. cbn [Nat.eqb] in P1.
        assert (X : at_ A (N + 2 * Datatypes.S h) false (z + Datatypes.S h) (z + Datatypes.S h)) by settle (N + 2 * Datatypes.S h).
        split; [exact X|]. settle (N + 2 * Datatypes.S h + 1). }
    assert (High : forall h, h < l -> high N z h).
    { intro h. destruct (Low (l - 1) ltac:(lia)) as [_ Last]. destruct (Low 0 ltac:(lia)) as [Zero _].
      induction h as [|h IH]; intro H; destruct (Low _ H) as [P1 P2].
      - assert (X : at_ A (N + L + 2 * 0) true (z + L + 0) (z + l)).
        { clear P1 P2. destruct Prev as [[EN Ez]|(N' & z' & EN & Ez & S)]; [|destruct (S (l - 1) ltac:(lia)) as [_ [_ P4]]; clear S];
            settle (N + L + 2 * 0). }
        clear Last Prev. split; [exact X|]. settle (N + L + 2 * 0 + 1).
      - clear Prev Zero Last. destruct (IH ltac:(lia)) as [_ P0]. clear IH. destruct (Low h ltac:(lia)) as [_ P3].
        assert (X : at_ A (N + L + 2 * Datatypes.S h) true (z + L + Datatypes.S h) (z + L + Datatypes.S h)) by settle (N + L + 2 * Datatypes.S h).
        split; [exact X|]. clear P3. settle (N + L + 2 * Datatypes.S h + 1). }
    intros h H. auto.
  Qed.

  Lemma stretches k : stretch (2 * L * k) (3 * l * k).
  Proof.
    induction k as [|k IH]; apply next; [left; lia|right]. exists (2 * L * k), (3 * l * k). split; [lia|split; [lia|exact IH]].
  Qed.

  (** Lemmas 7.1, 7.2, 7.3: W(n), f^I(n), f^II(n) for n = 2Lk + i. *)
  Theorem lemmas_7_1_to_7_3 k i : i < 2 * L -> let n := 2 * L * k + i in
    (W_ A n = false <-> Nat.Even i /\ i < L) /\
    fI_ A n = 3 * l * k + (if i <? L then (i + 1) / 2 else L + (i - L + 1) / 2) /\
    fII_ A n = 3 * l * k + (if i <? L + 1 then i / 2 else L + (i - L) / 2).
  Proof.
    intros B n. pose proof (stretches k) as S. destruct (Nat.Even_or_Odd i) as [[h E]|[h E]]; destruct (Nat.ltb_spec i L) as [C|C];
      destruct (Nat.ltb_spec i (L + 1)) as [C'|C']; try lia; subst i.
    - destruct (S h ltac:(lia)) as [[(V1 & V2 & V3) _] _]. replace n with (2 * L * k + 2 * h) by reflexivity. rewrite V1, V2, V3.
      split; [split; [split; [now exists h|lia]|reflexivity]|]. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [(V1 & V2 & V3) _]]. replace n with (2 * L * k + L + 2 * (h - l)) by (unfold n; lia).
      rewrite V1, V2, V3. replace (h - l) with 0 in * by lia. cbn [Nat.eqb]. split; [split; [discriminate|lia]|]. replace h with l by lia. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [(V1 & V2 & V3) _]]. replace n with (2 * L * k + L + 2 * (h - l)) by (unfold n; lia).
      rewrite V1, V2, V3. destruct (Nat.eqb_spec (h - l) 0); [lia|]. split; [split; [discriminate|lia]|]. clear -C. lia.
    - destruct (S h ltac:(lia)) as [[_ (V1 & V2 & V3)] _]. replace n with (2 * L * k + 2 * h + 1) by (unfold n; lia). rewrite V1, V2, V3.
      split; [split; [discriminate|intros [[j ?] _]; lia]|]. clear. lia.
    - destruct (S (h - l) ltac:(lia)) as [_ [_ (V1 & V2 & V3)]]. replace n with (2 * L * k + L + 2 * (h - l) + 1) by (unfold n; lia).
      rewrite V1, V2, V3. split; [split; [discriminate|intros [[j ?] _]; lia]|]. clear -C. lia.
  Qed.
End Seven.

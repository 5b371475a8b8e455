(** NIM with Cash for A = {L..M} and all 1 <= L < M: section 8 of Gasarch, Purtilo, Ulrich, as
    mended. M is L + D. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
Import ListNotations.
Open Scope nat_scope.

(** W, f^I and f^II of n, from those after each taking. *)
Lemma determined A n w F G : positive A ->
  (w = true -> exists a, In a A /\ a <= n /\ W_ A (n - a) = false) ->
  (w = false -> forall a, In a A -> a <= n -> W_ A (n - a) = true) ->
  (forall a, In a A -> a <= n -> fI_ A (n - a) <= G) ->
  ((exists a, In a A /\ a <= n /\ fI_ A (n - a) = G) \/ (forall a, In a A -> n < a) /\ G = 0) ->
  (forall a, In a A -> a <= n -> (if w then W_ A (n - a) = false else fI_ A (n - a) = G) ->
    F <= fII_ A (n - a) + a) ->
  ((exists a, In a A /\ a <= n /\ (if w then W_ A (n - a) = false else fI_ A (n - a) = G) /\
    F = fII_ A (n - a) + a) \/
   (forall a, In a A -> n < a) /\ F = 0) ->
  at_ A n w F G.
Proof.
  intros pos Won Lost Most Most' Least Least'. pose proof (W_def A pos n) as D.
  assert (V : W_ A n = w).
  { destruct w.
    - apply D, Won; reflexivity.
    - destruct (W_ A n); [|reflexivity]. destruct (proj1 D eq_refl) as (a & I & La & H).
      now rewrite (Lost eq_refl a I La) in H. }
  destruct (fII_def A pos n) as [D1 D2]. destruct (fI_def A pos n) as [D3 D4].
  unfold fair in D3, D4. rewrite V in D3, D4.
  assert (V2 : fII_ A n = G).
  { destruct D2 as [(a & I & La & E)|[none E]], Most' as [(a' & I' & La' & E')|[none' E']].
    - specialize (Most a I La). specialize (D1 a' I' La'). lia.
    - specialize (none' a I). lia.
    - specialize (none a' I'). lia.
    - lia. }
  rewrite V2 in D3, D4. split; [exact V|split; [|exact V2]].
  destruct D4 as [(a & (I & La & Fair) & E)|[none E]],
    Least' as [(a' & I' & La' & Fair' & E')|[none' E']].
  - specialize (Least a I La Fair). specialize (D3 a' (conj I' (conj La' Fair'))). lia.
  - specialize (none' a I). lia.
  - specialize (none a' I'). lia.
  - lia.
Qed.

Section Interval.
  Variables L D : nat.
  Hypothesis L1 : 1 <= L.
  Hypothesis D1 : 1 <= D.
  Notation M := (L + D).
  Notation A := (from_to L (L + D)).

  Lemma interval_positive : positive A.
  Proof. intros a I. apply in_from_to in I. lia. Qed.
  Lemma interval_least : least A L.
  Proof. split; [apply in_from_to; lia|]. intros a I. apply in_from_to in I. lia. Qed.

  (** * Tables *)

  (** Of n = (L+M)k + i, where u is Lk and v is Dk: f of the other player at i < L, and L below
    it. *)
  Definition other (u v x : nat) : nat := if x + v <? L then u else max (u + v + x + 1 - L) (u + L).
  Definition F_ (u v i : nat) : nat := if i <? L then other u v i else max (u + v + i + 1 - L)
    (u + L).
  Definition G_ (u v i : nat) : nat :=
    if i <? L then max (u + v + i + 1 - L) u else if i <? M then max (u + v) (other u v (i - L))
      else other u v (i - L).
  Definition place (n u v i : nat) : Prop := at_ A n (L <=? i) (F_ u v i) (G_ u v i).

  Ltac cut := repeat match goal with
    | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y); try lia
    | H : context [?x <? ?y] |- _ => destruct (Nat.ltb_spec x y); try lia end.

  Section Step.
    Variables n u v i : nat.
    Hypothesis B : i < 2 * L + D.
    Hypothesis E : n = 2 * u + v + i.
    Hypothesis start : u = 0 /\ v = 0 \/ L <= u /\ D <= v.
    Hypothesis here : forall a, L <= a <= M -> a <= i -> place (n - a) u v (i - a).
    Hypothesis before : forall a, L <= a <= M -> i < a -> L <= u ->
      place (n - a) (u - L) (v - D) (i + 2 * L + D - a).

    Lemma lost_step : i < L -> place n u v i.
    Proof.
      intro C. unfold place, F_, G_. replace (L <=? i) with false by (symmetry; apply Nat.leb_gt;
        lia).
      replace (i <? L) with true by (symmetry; apply Nat.ltb_lt; lia).
      assert (Before : forall a, In a A -> a <= n -> i < a /\ L <= a <= M /\ L <= u /\
        W_ A (n - a) = true /\
        fI_ A (n - a) = max (u + v + i + 1 - a) u /\ fII_ A (n - a) = G_ (u - L) (v - D)
          (i + 2 * L + D - a)).
      { intros a I La. apply in_from_to in I. destruct start as [[U V]|[U V]]; [lia|].
        destruct (before a I ltac:(lia) U) as (E1 & E2 & E3). rewrite E1, E2, E3.
        repeat split; try lia.
        - apply Nat.leb_le. lia.
        - unfold F_. cut. }
      destruct start as [[U V]|[U V]].
      - apply determined.
        + exact interval_positive.
        + discriminate.
        + intros _ a I La. apply Before; auto.
        + intros a I La. destruct (Before a I La). lia.
        + right. split; [intros a I; apply in_from_to in I; lia|lia].
        + intros a I La. destruct (Before a I La). lia.
        + right. split; [intros a I; apply in_from_to in I; lia|]. unfold other. cut.
      - assert (IL : In L A) by (apply in_from_to; lia).
        destruct (Before L IL ltac:(lia)) as (_ & _ & _ & _ & FL & GL).
        assert (GL' : fII_ A (n - L) + L = other u v i).
        { rewrite GL. clear - C U V L1 D1. unfold G_, other. cut. }
        apply determined.
        + exact interval_positive.
        + discriminate.
        + intros _ a I La. apply Before; auto.
        + intros a I La. destruct (Before a I La) as (? & ? & ? & _ & -> & _). lia.
        + left. exists L. repeat split; [exact IL|lia|]. rewrite FL. lia.
        + intros a I La. destruct (Before a I La) as (? & ? & ? & _ & -> & ->). intro Fair.
          destruct (Nat.ltb_spec (i + v) L) as [C'|C'].
            -- unfold other at 1. replace (i + v <? L) with true by (symmetry; apply Nat.ltb_lt;
              lia).
               assert (u - L <= G_ (u - L) (v - D) (i + 2 * L + D - a)).
               { clear - C C' U V L1 D1. unfold G_, other. cut. }
               lia.
            -- assert (a = L) as -> by lia. rewrite <- GL', GL. lia.
        + left. exists L. repeat split; [exact IL|lia| |]; [rewrite FL; lia|now rewrite GL'].
    Qed.

    Lemma won_step : L <= i -> place n u v i.
    Proof.
      intro C. unfold place, F_, G_. replace (L <=? i) with true by (symmetry; apply Nat.leb_le;
        lia).
      replace (i <? L) with false by (symmetry; apply Nat.ltb_ge; lia).
      assert (Here : forall a, In a A -> a <= i -> L <= a <= M /\ W_ A (n - a) = (L <=? i - a) /\
        fI_ A (n - a) = F_ u v (i - a) /\ fII_ A (n - a) = G_ u v (i - a)).
      { intros a I La. apply in_from_to in I. destruct (here a I La) as (E1 & E2 & E3). auto. }
      assert (Before : forall a, In a A -> a <= n -> i < a -> L <= a <= M /\ L <= u /\ D <= v /\
        W_ A (n - a) = true /\
        fI_ A (n - a) = max (u + v + i + 1 - a) u).
      { intros a I La Lt. apply in_from_to in I. destruct start as [[U V]|[U V]]; [lia|].
        destruct (before a I ltac:(lia) U) as (E1 & E2 & E3). rewrite E1, E2. repeat split; try lia.
        - apply Nat.leb_le. lia.
        - unfold F_. cut. }
      assert (IL : In L A) by (apply in_from_to; lia).
      destruct (Here L IL ltac:(lia)) as (_ & _ & FL & _).
      assert (FL' : fI_ A (n - L) = other u v (i - L)).
      { rewrite FL. unfold F_, other. cut. }
      apply determined.
      - exact interval_positive.
      - intros _. exists (min i M). assert (I : In (min i M) A) by (apply in_from_to; lia).
        repeat split; [exact I|lia|].
        destruct (Here (min i M) I ltac:(lia)) as (_ & -> & _). apply Nat.leb_gt. lia.
      - discriminate.
      - intros a I La. destruct (le_lt_dec a i) as [Le|Lt].
        + destruct (Here a I Le) as (? & _ & -> & _). unfold F_, other. cut.
        + destruct (Before a I La Lt) as (? & ? & ? & _ & ->). unfold other. cut.
      - left. destruct (le_lt_dec M i) as [H|H].
        + exists L. repeat split; [exact IL|lia|]. rewrite FL'. cut.
        + replace (i <? M) with true by (symmetry; apply Nat.ltb_lt; lia).
          destruct (le_lt_dec (u + v) (other u v (i - L))) as [H'|H'].
          * exists L. repeat split; [exact IL|lia|]. rewrite FL'. lia.
          * assert (I : In (i + 1) A) by (apply in_from_to; lia).
            destruct start as [[U V]|[U V]]; [lia|].
            exists (i + 1). destruct (Before (i + 1) I ltac:(lia) ltac:(lia)) as
              (_ & _ & _ & _ & ->). repeat split; [exact I|lia|lia].
      - intros a I La Fair. destruct (le_lt_dec a i) as [Le|Lt].
        + destruct (Here a I Le) as (? & W' & _ & ->). rewrite W' in Fair. apply Nat.leb_gt in Fair.
          unfold G_. cut.
        + destruct (Before a I La Lt) as (? & ? & ? & W' & _). rewrite W' in Fair. discriminate.
      - left. set (a := max L (i + 1 - L)). assert (I : In a A) by (apply in_from_to; lia).
        exists a.
        destruct (Here a I ltac:(lia)) as (? & -> & _ & ->).
        repeat split; [exact I|lia|apply Nat.leb_gt; lia|]. unfold G_. cut.
    Qed.
  End Step.

  Theorem table n : forall k i, i < 2 * L + D -> n = (2 * L + D) * k + i ->
    place n (L * k) (D * k) i.
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf). intros k i B E.
    assert (E' : n = 2 * (L * k) + D * k + i) by lia.
    assert (Start : L * k = 0 /\ D * k = 0 \/ L <= L * k /\ D <= D * k) by (destruct k;
      [left|right]; nia).
    assert (Here : forall a, L <= a <= M -> a <= i -> place (n - a) (L * k) (D * k) (i - a)).
    { intros a R Le. apply IH; lia. }
    assert (Before : forall a, L <= a <= M -> i < a -> L <= L * k ->
      place (n - a) (L * k - L) (D * k - D) (i + 2 * L + D - a)).
    { intros a R Lt U. destruct k as [|k]; [lia|]. replace (L * S k - L) with (L * k) by lia.
      replace (D * S k - D) with (D * k) by lia.
      apply IH; lia. }
    destruct (le_lt_dec L i); [now apply won_step|now apply lost_step].
  Qed.
End Interval.

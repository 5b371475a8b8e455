(** NIM with Cash: the least purses t^I and t^II that f^I and f^II are meant to be (Definition 2.3),
    for every finite set A. *)

From Coq Require Import List Arith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash.
Import ListNotations.
Open Scope nat_scope.

(** Of the winner without cash, the least purse that wins against any other; of the other player,
    the least that wins against one dollar less than that. Where Player I wins without cash, that is
    a purse of tI - 1 of Player I; where Player II does, all purses below tII of Player II, if there
    are any. *)
Definition least_purses (A : list nat) (n tI tII : nat) : Prop :=
  if W_ A n then
    ((forall e, I_wins A n tI e) /\ forall d, d < tI -> exists e, II_wins A n d e) /\
    II_wins A n (tI - 1) tII /\ forall e, e < tII -> I_wins A n (tI - 1) e
  else
    ((forall d, II_wins A n d tII) /\ forall e, e < tII -> exists d, I_wins A n d e) /\
    (forall e, e < tII -> I_wins A n tI e) /\ forall d, d < tI -> exists e, e < tII /\
      II_wins A n d e.

Section Purses.
  Variable A : list nat.
  Hypothesis pos : positive A.

  (** More of one's own money, and less of the other's, does no harm. *)
  Lemma richer n : forall d d' e e', d <= d' -> e' <= e ->
    (I_wins A n d e -> I_wins A n d' e') /\ (II_wins A n d' e' -> II_wins A n d e).
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf). intros d d' e e' D E. split.
    - intro H. apply I_wins_iff in H as (a & I & L & Da & H). apply I_wins_iff. exists a.
      do 3 (split; [auto; lia|]).
      specialize (pos a I). now apply (proj2 (IH (n - a) ltac:(lia) e' e (d' - a) (d - a) ltac:(lia)
        ltac:(lia))).
    - intro H. apply II_wins_iff. intros a I L Da. rewrite II_wins_iff in H.
      specialize (H a I L ltac:(lia)).
      specialize (pos a I). now apply (proj1 (IH (n - a) ltac:(lia) e' e (d' - a) (d - a) ltac:(lia)
        ltac:(lia))).
  Qed.

  Lemma richer_I n d d' e e' : d <= d' -> e' <= e -> I_wins A n d e -> I_wins A n d' e'.
  Proof. intros D E. now apply richer. Qed.
  Lemma richer_II n d d' e e' : d <= d' -> e' <= e -> II_wins A n d' e' -> II_wins A n d e.
  Proof. intros D E. now apply richer. Qed.

  Lemma one_wins n : forall d e, I_wins A n d e \/ II_wins A n d e.
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf). intros d e.
    assert (H : (exists a, In a A /\ a <= n /\ a <= d /\ II_wins A (n - a) e (d - a)) \/
      forall a, In a A -> a <= n -> a <= d -> I_wins A (n - a) e (d - a)).
    { enough (G : forall l, (forall a, In a l -> In a A) ->
        (exists a, In a l /\ a <= n /\ a <= d /\ II_wins A (n - a) e (d - a)) \/
        forall a, In a l -> a <= n -> a <= d -> I_wins A (n - a) e (d - a)) by (apply G; auto).
      induction l as [|b l IHl]; intro Sub; [right; intros a []|]. destruct IHl as [(a & I & H)|H].
      - intros a I. apply Sub. now right.
      - left. exists a. split; [now right|exact H].
      - specialize (pos b (Sub b (or_introl eq_refl))). destruct (le_lt_dec b n) as [L|L].
        + destruct (le_lt_dec b d) as [D|D].
          * destruct (IH (n - b) ltac:(lia) e (d - b)) as [W1|W2].
            -- right. intros a [<-|I]; auto.
            -- left. exists b. auto using in_eq.
          * right. intros a [<-|I]; [lia|auto].
        + right. intros a [<-|I]; [lia|auto]. }
    destruct H as [H|H]; [left; now apply I_wins_iff|right; now apply II_wins_iff].
  Qed.

  (** The first number of dollars that will do. *)
  Lemma first_number (good : nat -> Prop) (decided : forall x, good x \/ ~ good x) x : good x ->
    exists y, good y /\ forall z, z < y -> ~ good z.
  Proof.
    induction x as [x IH] using (well_founded_induction lt_wf). intro G.
    assert (D : (exists z, z < x /\ good z) \/ forall z, z < x -> ~ good z).
    { clear -decided. induction x as [|x [(z & L & G)|N]];
        [right; lia|left; exists z; split; [lia|exact G]|].
      destruct (decided x) as [G|G]; [left; exists x; split; [lia|exact G]|right]. intros z L.
      destruct (Nat.eq_dec z x) as [->|]; [exact G|apply N; lia]. }
    destruct D as [(z & L & Gz)|N]; [exact (IH z L Gz)|now exists x].
  Qed.

  Lemma loses n d e : ~ II_wins A n d e -> I_wins A n d e.
  Proof. intro H. destruct (one_wins n d e); [assumption|contradiction]. Qed.
  Lemma wins n d e : ~ I_wins A n d e -> II_wins A n d e.
  Proof. intro H. destruct (one_wins n d e); [contradiction|assumption]. Qed.
  Lemma decided n d e : (I_wins A n d e \/ ~ I_wins A n d e) /\
    (II_wins A n d e \/ ~ II_wins A n d e).
  Proof. pose proof (not_both_win A pos n d e). destruct (one_wins n d e); tauto. Qed.

  (** There are least purses, *)
  Theorem least_purses_exist n : exists tI tII, least_purses A n tI tII.
  Proof.
    unfold least_purses. destruct (W_ A n) eqn:V.
    - exists (fI_ A n). assert (P : 0 < fI_ A n).
      { destruct (proj2 (fI_def A pos n)) as [(a & (I & _) & ->)|[none _]];
          [specialize (pos a I); lia|].
        apply W_def in V as (a & I & L & _); [specialize (none a I); lia|exact pos]. }
      destruct (first_number (II_wins A n (fI_ A n - 1)) (fun e => proj2 (decided n _ e))
        (fII_ A n)) as (y & G & Less).
      { apply theorem_2_4_2; auto. lia. }
      exists y. split; [split|split; [exact G|]].
      + intro e. now apply theorem_2_2_I.
      + intros d L. exists (fII_ A n). now apply theorem_2_4_2.
      + intros e L. apply loses. now apply Less.
    - assert (Won : forall e, e < fII_ A n -> I_wins A n (fI_ A n) e) by (intros e L;
        now apply theorem_2_4_1).
      destruct (first_number (fun d => I_wins A n d (fII_ A n - 1) \/ fII_ A n = 0)) with
        (x := fI_ A n) as (y & G & Less).
      { intro d. destruct (Nat.eq_dec (fII_ A n) 0) as [Z|Z]; [left; now right|].
        destruct (proj1 (decided n d (fII_ A n - 1))); [left; now left|right; tauto]. }
      { destruct (Nat.eq_dec (fII_ A n) 0) as [Z|Z]; [now right|left; apply Won; lia]. }
      exists y, (fII_ A n). split; [split|split].
      + intro d. now apply theorem_2_2_II.
      + intros e L. exists (fI_ A n). auto.
      + intros e L. destruct G as [G|G]; [|lia].
        apply (richer_I n y y (fII_ A n - 1) e); [lia|lia|exact G].
      + intros d L. specialize (Less d L). exists (fII_ A n - 1).
        destruct (Nat.eq_dec (fII_ A n) 0); [tauto|]. split; [lia|]. apply wins. tauto.
  Qed.

  Variable n tI tII : nat.
  Hypothesis purses : least_purses A n tI tII.

  Theorem winners_purse : if W_ A n then tI = fI_ A n else tII = fII_ A n.
  Proof.
    unfold least_purses in purses. destruct (W_ A n) eqn:V.
    - destruct purses as [[All Less] _]. assert (L : fI_ A n <= tI) by now apply fI_least.
      destruct (le_lt_dec tI (fI_ A n)) as [|L']; [lia|]. destruct (Less _ L') as [e H].
      destruct (not_both_win A pos _ _ _ H). now apply theorem_2_2_I.
    - destruct purses as [[All Less] _]. assert (L : fII_ A n <= tII) by now apply fII_least.
      destruct (le_lt_dec tII (fII_ A n)) as [|L']; [lia|]. destruct (Less _ L') as [d H].
      destruct (not_both_win A pos n d (fII_ A n)); [|exact H].
      now apply theorem_2_2_II.
  Qed.

  (** f of the other player is no less than the least purse that helps. *)
  Theorem purse_that_helps : if W_ A n then tII <= fII_ A n else tI <= fI_ A n.
  Proof.
    pose proof winners_purse as E. unfold least_purses in purses. destruct (W_ A n) eqn:V.
    - destruct purses as (_ & _ & Less). destruct (le_lt_dec tII (fII_ A n)) as [|L]; [assumption|].
      exfalso. subst tI.
      apply (not_both_win A pos n (fI_ A n - 1) (fII_ A n)); [|now apply Less].
      apply theorem_2_4_2; auto.
      destruct (proj2 (fI_def A pos n)) as [(a & (I & _) & ->)|[none _]];
        [specialize (pos a I); lia|].
      apply W_def in V as (a & I & La & _); [specialize (none a I); lia|exact pos].
    - destruct purses as (_ & _ & Less). destruct (le_lt_dec tI (fI_ A n)) as [|L]; [assumption|].
      exfalso. subst tII.
      destruct (Less _ L) as (e & Le & H). apply (not_both_win A pos n (fI_ A n) e); [exact H|].
      now apply theorem_2_4_1.
  Qed.

  (** Theorem 2.4 with the least purses. *)
  Theorem theorem_2_4_least d e : tI <= d \/ tII <= e ->
    (I_wins A n d e <-> (tI <= d /\ tII <= e -> W_ A n = true) /\ tI <= d).
  Proof.
    intro H. pose proof (not_both_win A pos n d e) as Both. unfold least_purses in purses.
    destruct (W_ A n) eqn:V.
    - destruct purses as [[All _] [Lost Won]]. destruct (le_lt_dec tI d) as [D|D].
      + split; [auto|]. intros _. apply (richer_I n tI d e e); auto.
      + split; [|lia]. intro I. destruct Both; [|exact I].
        apply (richer_II n d (tI - 1) e tII); [lia|lia|exact Lost].
    - destruct purses as [[All _] [Won _]]. destruct (le_lt_dec tII e) as [E|E].
      + split; [|intros [X D]; discriminate X; auto]. intro I. destruct Both; [|exact I].
        apply (richer_II n d d e tII); auto.
      + destruct H as [D|]; [|lia]. split; [intros _; split; [lia|exact D]|]. intros _.
        apply (richer_I n tI d e e); auto.
  Qed.
End Purses.

(** NIM with Cash: W, f^I and f^II of some sets from some n on, where n = mk + i for one m, and f
    grows with each k at a rate that depends on i (Section 9). W, f^I and f^II of n follow from
    those of the n - a; so if on m lines that grow with k all of one period follows from what is
    before it, for every k, and the values of one period are on these lines, then those of all later
    ones are. Coq computes the first values and the lines, and compares. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
Import ListNotations.
Open Scope nat_scope.

(** * The first values *)

Definition from_table (l : list values) (n m : nat) : values :=
  nth (n - 1 - m) l {| W := false; fI := 0; fII := 0 |}.

(** The values of n - 1, n - 2, ..., 0. *)
Fixpoint table (A : list nat) (n : nat) : list values :=
  match n with O => [] | S m => let l := table A m in step A (from_table l m) m :: l end.

Lemma table_says A n : positive A -> forall m, m < n -> from_table (table A n) n m = values_of A m.
Proof.
  intro P. induction n as [|n IH]; intros m L; [lia|]. unfold from_table. cbn [table].
  destruct (Nat.eq_dec m n) as [->|D].
  - replace (S n - 1 - n) with 0 by lia. cbn [nth]. rewrite values_eq by exact P.
    apply step_same; [exact P|exact IH].
  - replace (S n - 1 - m) with (S (n - 1 - m)) by lia. cbn [nth]. apply IH. lia.
Qed.

(** * Lines *)

(** A value for k = 0, and by how much it grows with each k. *)
Definition line : Type := nat * nat.
Definition on (l : line) (k : nat) : nat := fst l + snd l * k.
Definition next_line (l : line) : line := (fst l + snd l, snd l).
Definition plus_line (l : line) (a : nat) : line := (fst l + a, snd l).
Definition same_line (l l' : line) : bool := (fst l =? fst l') && (snd l =? snd l').
Definition up_to_line (l l' : line) : bool := (fst l <=? fst l') && (snd l <=? snd l').
Definition below_line (l l' : line) : bool := (fst l <? fst l') && (snd l <=? snd l').

Lemma on_next l k : on (next_line l) k = on l (k + 1).
Proof. unfold on, next_line. cbn [fst snd]. lia. Qed.
Lemma on_plus l a k : on (plus_line l a) k = on l k + a.
Proof. unfold on, plus_line. cbn [fst snd]. lia. Qed.
Lemma on_same l l' k : same_line l l' = true -> on l k = on l' k.
Proof. unfold same_line, on. rewrite andb_true_iff, !Nat.eqb_eq. intros [-> ->]. reflexivity. Qed.
Lemma on_up_to l l' k : up_to_line l l' = true -> on l k <= on l' k.
Proof. unfold up_to_line, on. rewrite andb_true_iff, !Nat.leb_le. nia. Qed.
Lemma on_below l l' k : below_line l l' = true -> on l k < on l' k.
Proof. unfold below_line, on. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. nia. Qed.

(** W, f^I and f^II. *)
Record row := { rW : bool; rI : line; rII : line }.
Definition next (r : row) : row := {| rW := rW r; rI := next_line (rI r);
  rII := next_line (rII r) |}.
Definition nothing : row := {| rW := false; rI := (0, 0); rII := (0, 0) |}.
Definition stands (A : list nat) (n : nat) (r : row) (k : nat) : Prop :=
  at_ A n (rW r) (on (rI r) k) (on (rII r) k).

Lemma stands_next A n r k : stands A n (next r) k <-> stands A n r (k + 1).
Proof. unfold stands, next. cbn [rW rI rII]. now rewrite !on_next. Qed.

(** * One step *)

Section Step.
  Variable A : list nat.
  Variable seen : nat -> row.
  Variable r : row.

  (** The row [r] follows from those after each taking, for every k. *)
  Definition follows : bool :=
    Bool.eqb (rW r) (existsb (fun a => negb (rW (seen a))) A) &&
    existsb (fun a => same_line (rI (seen a)) (rII r)) A && forallb
      (fun a => up_to_line (rI (seen a)) (rII r)) A &&
    existsb (fun a => (if rW r then negb (rW (seen a)) else same_line (rI (seen a)) (rII r)) &&
      same_line (plus_line (rII (seen a)) a) (rI r)) A &&
    forallb (fun a => (if rW r then rW (seen a) else below_line (rI (seen a)) (rII r)) ||
      up_to_line (rI r) (plus_line (rII (seen a)) a)) A.

  Hypothesis pos : positive A.

  Lemma follows_sound n k : follows = true ->
    (forall a, In a A -> a <= n /\ stands A (n - a) (seen a) k) -> stands A n r k.
  Proof.
    unfold follows. rewrite !andb_true_iff. intros [[[[HW Hr] Hm] Ha] Hl] H. apply eqb_prop in HW.
    rewrite existsb_exists in Hr, Ha. rewrite forallb_forall in Hm, Hl.
    assert (Le : forall a, In a A -> a <= n) by (intros a I; now apply H).
    assert (Ws : forall a, In a A -> W_ A (n - a) = rW (seen a)) by (intros a I; now apply H).
    assert (Is : forall a, In a A -> fI_ A (n - a) = on (rI (seen a)) k) by (intros a I;
      now apply H).
    assert (IIs : forall a, In a A -> fII_ A (n - a) = on (rII (seen a)) k) by (intros a I;
      now apply H).
    assert (EW : W_ A n = rW r).
    { apply eq_true_iff_eq. rewrite (W_def A pos), HW, existsb_exists. split.
      - intros (a & I & L & V). exists a. split; [exact I|]. now rewrite <- Ws, V.
      - intros (a & I & V). exists a. split; [exact I|]. split; [now apply Le|].
        rewrite Ws by exact I. now apply negb_true_iff. }
    assert (EII : fII_ A n = on (rII r) k).
    { destruct Hr as (b & Ib & Eb). apply (on_same _ _ k) in Eb.
      destruct (fII_def A pos n) as [Most Reached].
      pose proof (Most b Ib (Le b Ib)) as Ge. rewrite Is in Ge by exact Ib.
      destruct Reached as [(a & I & L & V)|[none _]].
      - specialize (Hm a I). apply (on_up_to _ _ k) in Hm. rewrite Is in V by exact I. lia.
      - specialize (none b Ib). specialize (Le b Ib). lia. }
    unfold stands, at_. split; [exact EW|split; [|exact EII]].
    destruct (fI_def A pos n) as [Least Reached].
    destruct Ha as (b & Ib & Hb). apply andb_true_iff in Hb as [Fb Eb]. apply (on_same _ _ k) in Eb.
    rewrite on_plus in Eb.
    assert (F : fair A n b).
    { unfold fair. split; [exact Ib|split; [now apply Le|]]. rewrite EW. destruct (rW r).
      - rewrite Ws by exact Ib. now apply negb_true_iff.
      - rewrite Is, EII by exact Ib. now apply on_same. }
    pose proof (Least b F) as Up. rewrite IIs in Up by exact Ib.
    destruct Reached as [(a & (I & L & Fa) & V)|[none _]].
    - specialize (Hl a I). apply orb_true_iff in Hl as [U|U].
      + exfalso. rewrite EW in Fa. destruct (rW r); [rewrite Ws in Fa by exact I; congruence|].
        apply (on_below _ _ k) in U. rewrite Is, EII in Fa by exact I. lia.
      + apply (on_up_to _ _ k) in U. rewrite on_plus in U. rewrite IIs in V by exact I. lia.
    - specialize (none b Ib). specialize (Le b Ib). lia.
  Qed.
End Step.

(** * All periods *)

Section Periods.
  Variable A : list nat.
  Variable m k0 : nat.

  (** The m rows of the period k0: its values, and how far the next period is above. *)
  Definition row_of (v : nat -> values) (i : nat) : row :=
    {| rW := W (v (m * k0 + i));
       rI := (fI (v (m * k0 + i)), fI (v (m * (k0 + 1) + i)) - fI (v (m * k0 + i)));
       rII := (fII (v (m * k0 + i)), fII (v (m * (k0 + 1) + i)) - fII (v (m * k0 + i))) |}.
  Definition rows : list row := let n := m * (k0 + 2) in let t := table A n in
    map (row_of (from_table t n)) (seq 0 m).

  Definition seen_from (l : list row) (i a : nat) : row :=
    if a <=? i then next (nth (i - a) l nothing) else nth (i + m - a) l nothing.

  Definition repeats : bool :=
    let l := rows in
    forallb (fun a => (0 <? a) && (a <=? m)) A &&
    forallb (fun i => follows A (seen_from l i) (next (nth i l nothing))) (seq 0 m).

  Hypothesis fits : repeats = true.

  Lemma takings a : In a A -> 0 < a <= m.
  Proof.
    unfold repeats in fits. cbv zeta in fits. apply andb_true_iff in fits as [H _].
    rewrite forallb_forall in H. intro I. specialize (H a I).
    rewrite andb_true_iff, Nat.ltb_lt, Nat.leb_le in H. exact H.
  Qed.

  Lemma takings_positive : positive A.
  Proof. intros a I. now apply takings. Qed.

  Theorem on_lines k : forall i, i < m -> stands A (m * (k0 + k) + i) (nth i rows nothing) k.
  Proof.
    pose proof takings as T. pose proof takings_positive as P. induction k as [|k IH].
    - intros i L. unfold rows. cbv zeta.
      rewrite (nth_indep _ nothing (row_of (from_table (table A (m * (k0 + 2))) (m * (k0 + 2))) 0))
        by now rewrite map_length, seq_length.
      rewrite map_nth, seq_nth, Nat.add_0_l by exact L. unfold row_of.
      rewrite !(table_says A _ P) by nia. unfold stands, at_, on.
      cbn [rW rI rII fst snd]. rewrite !Nat.mul_0_r, !Nat.add_0_r. repeat split.
    - assert (Now : forall j i, i < m -> i < j ->
        stands A (m * (k0 + S k) + i) (next (nth i rows nothing)) k).
      { induction j as [|j IHj]; intros i L J; [lia|].
        destruct (Nat.eq_dec i j) as [->|]; [|apply IHj; lia].
        assert (F : follows A (seen_from rows j) (next (nth j rows nothing)) = true).
        { unfold repeats in fits. cbv zeta in fits. apply andb_true_iff in fits as [_ H].
          rewrite forallb_forall in H. apply H, in_seq. lia. }
        apply (follows_sound A _ _ P _ k F). intros a I. specialize (T a I). split; [nia|].
        unfold seen_from.
        destruct (Nat.leb_spec a j) as [La|La].
        - replace (m * (k0 + S k) + j - a) with (m * (k0 + S k) + (j - a)) by lia. apply IHj; lia.
        - replace (m * (k0 + S k) + j - a) with (m * (k0 + k) + (j + m - a)) by nia. apply IH. lia.
          }
      intros i L. specialize (Now (S i) i L ltac:(lia)). apply stands_next in Now.
      now rewrite Nat.add_1_r in Now.
  Qed.

  (** The same without lines. *)
  Theorem rates : exists BI BII, forall k i, k0 <= k -> i < m ->
    W_ A (m * (k + 1) + i) = W_ A (m * k + i) /\
    fI_ A (m * (k + 1) + i) = fI_ A (m * k + i) + BI i /\
      fII_ A (m * (k + 1) + i) = fII_ A (m * k + i) + BII i.
  Proof.
    exists (fun i => snd (rI (nth i rows nothing))), (fun i => snd (rII (nth i rows nothing))).
    intros k i K L.
    pose proof (on_lines (k - k0) i L) as (E1 & E2 & E3).
    pose proof (on_lines (k - k0 + 1) i L) as (E1' & E2' & E3').
    replace (k0 + (k - k0)) with k in * by lia.
    replace (k0 + (k - k0 + 1)) with (k + 1) in * by lia.
    rewrite E1, E2, E3, E1', E2', E3'. unfold on. repeat split; lia.
  Qed.
End Periods.

(** * Every subset of {1..8} *)

(** All subsets of a set. *)
Fixpoint subsets (l : list nat) : list (list nat) :=
  match l with [] => [[]] | x :: r => let s := subsets r in s ++ map (cons x) s end.

(** For each that is not empty, in this order, an m. *)
Definition periods_8 : list nat := [
  16; 14; 15; 12; 14; 13; 14; 10; 13; 12; 13; 11; 13; 12; 13; 8; 12; 11; 12; 10; 12; 11; 12; 9; 12;
    11; 12; 10; 12; 11; 12; 6;
   11; 10; 10; 9; 11; 10; 11; 8; 11; 10; 11; 9; 11; 10; 11; 7; 12; 10; 11; 9; 11; 10; 11; 8; 11; 10;
     11; 9; 11; 10; 11; 4; 10;
   9; 10; 8; 14; 13; 14; 7; 10; 22; 23; 11; 14; 12; 13; 6; 12; 12; 11; 8; 10; 9; 10; 7; 12; 9; 10;
     8; 10; 9; 10; 5; 10; 10; 10;
   9; 14; 9; 14; 7; 17; 9; 10; 8; 10; 9; 10; 6; 12; 11; 11; 8; 10; 9; 10; 7; 13; 9; 10; 8; 10; 9;
     10; 2; 9; 8; 15; 7; 14; 12;
   13; 6; 13; 8; 15; 11; 11; 12; 13; 5; 12; 8; 25; 10; 12; 13; 14; 8; 9; 8; 11; 9; 9; 10; 11; 4; 11;
     8; 15; 9; 9; 12; 13; 6;
   13; 8; 15; 11; 11; 12; 13; 7; 14; 8; 11; 7; 14; 10; 11; 8; 9; 8; 11; 9; 9; 10; 11; 3; 9; 9; 9; 7;
     14; 8; 12; 6; 9; 9; 9; 7;
   14; 11; 12; 6; 9; 9; 9; 8; 10; 8; 12; 6; 9; 9; 9; 10; 10; 11; 12; 4; 9; 8; 9; 8; 9; 8; 9; 8; 10;
     8; 10; 8; 11; 8; 13; 5; 10;
   10; 10; 10; 10; 10; 10; 6; 12; 12; 12; 7; 14; 8; 9].

Lemma all_repeat : forallb (fun x => let '(A, m) := x in (1 <=? m) && repeats A m (200 / m))
  (combine (tl (subsets (seq 1 8))) periods_8) = true.
Proof. vm_compute. reflexivity. Qed.

Theorem rates_8 A : In A (subsets (seq 1 8)) -> A <> [] -> exists m from BI BII, 0 < m /\
  forall k i, from <= k -> i < m ->
  W_ A (m * (k + 1) + i) = W_ A (m * k + i) /\
  fI_ A (m * (k + 1) + i) = fI_ A (m * k + i) + BI i /\
    fII_ A (m * (k + 1) + i) = fII_ A (m * k + i) + BII i.
Proof.
  intros I Ne. assert (First : subsets (seq 1 8) = [] :: tl (subsets (seq 1 8))) by (vm_compute;
    reflexivity).
  rewrite First in I. destruct I as [<-|I]; [easy|]. clear First.
  assert (X : exists m, In (A, m) (combine (tl (subsets (seq 1 8))) periods_8)).
  { apply in_split in I as (l & r & E). exists (nth (length l) periods_8 0). rewrite E.
    assert (L : length periods_8 = length (l ++ A :: r)) by (rewrite <- E; vm_compute; reflexivity).
    replace A with (nth (length l) (l ++ A :: r) []) at 1 by (rewrite app_nth2, Nat.sub_diag by lia;
      reflexivity).
    rewrite <- combine_nth by (symmetry; exact L). apply nth_In.
    rewrite combine_length, L, app_length. cbn [length]. lia. }
  destruct X as (m & Im). pose proof all_repeat as R. rewrite forallb_forall in R.
  specialize (R _ Im). cbv beta iota in R.
  apply andb_true_iff in R as [M R]. apply Nat.leb_le in M.
  destruct (rates A m _ R) as (BI & BII & H). exists m, (200 / m), BI, BII. split; [lia|exact H].
Qed.

(** One heap of which each P-position is a function of the one before: 0, and what a step leads to
    from there, again and again.

    If the step leads from each heap x to a greater one, and the heaps above x that have x as an
    option are just those below its step, then no move leads from a heap of the orbit to another,
    and from a heap between two of them a move leads to the lesser. Both conditions are formulas,
    which have to hold of all numbers: they are read by the digits of their numbers (Digits.v),
    together with an automaton that accepts everything (Automatic.v). *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Positions Forms Formulas Games Digits Automatic.
Import ListNotations.
Open Scope nat_scope.

(** * What is claimed *)

(** The heap that the step leads to from 0, after so many times. *)
Fixpoint reached (step : term) (k : nat) : N :=
  match k with O => 0%N | S k => tden step (fun i => heap i [reached step k]) end.

(** * Formulas that hold of all numbers *)

Definition everything : machine :=
  PositiveMap.add 1%positive (true, PositiveMap.empty positive) (PositiveMap.empty _).

(** The formula holds whatever the first k numbers are, if the others are 0. *)
Definition everywhere (f : formula) (k : nat) : bool :=
  agrees 2 everything f k (fun _ => 1%positive).

Lemma everywhere_right f k : everywhere f k = true ->
  forall p, length p = k -> fden f (at_ p).
Proof.
  intros A p L. assert (B : (2 <= 2)%N) by lia.
  set (m := N.to_nat (tokens p)). assert (P : below_power 2 m p) by (apply below_tokens; lia).
  pose proof (agrees_sound 2 B everything f k (fun _ => 1%positive) A (word 2 m p)
    (word_columns 2 B m p k L)) as G.
  assert (R : forall t, ran everything (fun _ => 1%positive) t = 1%positive).
  { induction t as [|c t IH]; [reflexivity|]. cbn [ran fold_right]. fold (ran everything
      (fun _ => 1%positive) t). rewrite IH. reflexivity. }
  rewrite R in G. apply (fden_same f (read_heap 2 (word 2 m p)) (at_ p)).
  - intro i. exact (word_value 2 B m p P i).
  - apply G. reflexivity.
Qed.

(** * The step from another variable *)

(** Whether a term names no variable but the first. *)
Fixpoint alone (t : term) : bool :=
  match t with
  | Number _ => true
  | Heap i => Nat.eqb i 0
  | Digit_sum _ is => forallb (Nat.eqb 0) is
  | Plus a b | Xor a b | Least a b | Greatest a b => alone a && alone b
  | Times _ a | Quotient a _ | Remainder a _ => alone a
  end.

(** The same of the second variable. *)
Fixpoint of_second (t : term) : term :=
  match t with
  | Number k => Number k
  | Heap _ => Heap 1
  | Digit_sum k is => Digit_sum k (map (fun _ => 1) is)
  | Plus a b => Plus (of_second a) (of_second b)
  | Times k a => Times k (of_second a)
  | Xor a b => Xor (of_second a) (of_second b)
  | Least a b => Least (of_second a) (of_second b)
  | Greatest a b => Greatest (of_second a) (of_second b)
  | Quotient a k => Quotient (of_second a) k
  | Remainder a k => Remainder (of_second a) k
  end.

Lemma of_second_right t p q : alone t = true ->
  tden (of_second t) (at_ [p; q]) = tden t (at_ [q]).
Proof.
  induction t as [k|i|a IHa b IHb|k a IHa|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa k|a IHa k|k is];
    cbn [alone of_second tden]; intro A;
    try (apply andb_true_iff in A as [A1 A2]; now rewrite (IHa A1), (IHb A2));
    try (now rewrite (IHa A)); try reflexivity.
  - apply Nat.eqb_eq in A as ->. reflexivity.
  - f_equal. rewrite map_map. apply map_ext_in. intros i I. rewrite forallb_forall in A.
    specialize (A i I). apply Nat.eqb_eq in A as <-. reflexivity.
Qed.

(** * The theorem *)

(** The heap before a move is variable 0, the heap after it variable 1. *)
Definition ascends (step : term) : formula := Less (Heap 0) step.
Definition just_before_the_step (rule : formula) (step : term) : formula :=
  let below := Less (Heap 0) (of_second step) in
  Or (Not (Less (Heap 1) (Heap 0))) (Or (And rule below) (And (Not rule) (Not below))).

Definition one_heap (windows : list (list nat)) : bool :=
  match windows with [[O]] => true | _ => false end.

Definition follows (windows : list (list nat)) (rule : formula) (step : term) : bool :=
  one_heap windows && alone step && everywhere (ascends step) 1 &&
  everywhere (just_before_the_step rule step) 2.

Section Orbit.
  Variable windows : list (list nat).
  Variable rule : formula.
  Variable step : term.
  Hypothesis proved : follows windows rule step = true.

  Notation move := (moves windows (fun u v => fden rule (at_ (u ++ v)))).
  Notation next := (fun x => tden step (at_ [x])).

  Lemma windows_one : windows = [[0]].
  Proof.
    pose proof proved as F. unfold follows in F. rewrite !andb_true_iff in F.
    destruct F as [[[W _] _] _]. unfold one_heap in W.
    destruct windows as [|[|[|i] [|j w]] [|v ws]]; try discriminate; reflexivity.
  Qed.

  Lemma step_ascends x : (x < next x)%N.
  Proof.
    pose proof proved as F. unfold follows in F. rewrite !andb_true_iff in F.
    destruct F as [[_ A] _]. exact (everywhere_right _ _ A [x] eq_refl).
  Qed.

  Lemma moves_one p l : move [p] l <->
    exists q, l = [q] /\ (q < p)%N /\ fden rule (at_ [p; q]).
  Proof.
    rewrite windows_one. split.
    - intros (L & T & w & [<-|[]] & _ & _ & R). destruct l as [|q [|r l]]; try discriminate L.
      exists q. split; [reflexivity|]. split; [cbn in T; lia|exact R].
    - intros (q & -> & Q & R). split; [reflexivity|]. split; [cbn; lia|]. exists [0].
      split; [now left|]. split; [|split; [|exact R]].
      + intros [|i]; cbn; [lia|]. destruct i; cbn; lia.
      + intros [|i] I; [destruct I; now left|]. reflexivity.
  Qed.

  Lemma moves_before p q : (q < p)%N -> (move [p] [q] <-> (p < next q)%N).
  Proof.
    intro Q. pose proof proved as F. unfold follows in F. rewrite !andb_true_iff in F.
    destruct F as [[[_ A] _] B]. pose proof (everywhere_right _ _ B [p; q] eq_refl) as D.
    cbn [just_before_the_step fden] in D. rewrite (of_second_right step p q A) in D.
    cbn [tden] in D. change (at_ [p; q] 0) with p in D. change (at_ [p; q] 1) with q in D.
    rewrite moves_one. split.
    - intros (r & E & _ & R). injection E as <-. tauto.
    - intro P. exists q. split; [reflexivity|]. split; [exact Q|]. tauto.
  Qed.

  Notation orbit := (reached step).

  Lemma orbit_ascends k : (orbit k < orbit (S k))%N.
  Proof. exact (step_ascends (orbit k)). Qed.

  Lemma orbit_order j k : j < k -> (orbit (S j) <= orbit k)%N.
  Proof.
    intro H. induction H as [|k _ IH]; [apply N.le_refl|].
    exact (N.le_trans _ _ _ IH (N.lt_le_incl _ _ (orbit_ascends k))).
  Qed.

  (** Each heap is in the orbit, or between two of its heaps. *)
  Lemma orbit_about x : exists k, (orbit k <= x < orbit (S k))%N.
  Proof.
    induction x as [|x IH] using N.peano_ind.
    - exists 0. split; [apply N.le_0_l|]. exact (orbit_ascends 0).
    - destruct IH as (k & H). destruct (N.lt_ge_cases (N.succ x) (orbit (S k))) as [L|L].
      + exists k. lia.
      + exists (S k). pose proof (orbit_ascends (S k)). lia.
  Qed.

  Theorem orbit_right a : P_position move [a] <-> exists k, a = orbit k.
  Proof.
    assert (G : forall p, length p = 1 -> (P_position move p <-> exists k, p = [orbit k])).
    { apply (criterion move (fun p => length p = 1)).
      - intros p q O (L & T & _). split; [lia|exact T].
      - intros p q _ (j & ->) M (k & ->). assert (Q : (orbit k < orbit j)%N).
        { apply moves_one in M as (q & E & Q & _). injection E as ->. exact Q. }
        apply (moves_before _ _ Q) in M. change (orbit j < orbit (S k))%N in M.
        destruct (Nat.lt_ge_cases k j) as [H|H]; [pose proof (orbit_order k j H); lia|].
        destruct (Nat.eq_dec j k) as [->|D]; [lia|].
        pose proof (orbit_order j k ltac:(lia)). pose proof (orbit_ascends j). lia.
      - intros [|x [|y p]] L; try discriminate L. destruct (orbit_about x) as (k & H).
        destruct (N.eq_dec x (orbit k)) as [->|D]; [left; now exists k|right].
        exists [orbit k]. split; [|now exists k]. apply moves_before; [lia|]. apply H. }
    rewrite (G [a] eq_refl). split; intros (k & E); exists k; congruence.
  Qed.
End Orbit.

(** What the theorems say: positions, moves, and who wins. Nothing else has to be read to know what
    was proved.

    A position is a list of heaps. Who is to move picks a window, lowers heaps in it and takes at
    least one token; a game may ask more of the heaps before and after. P-positions are lost for the
    player to move, N-positions are won. *)

From Coq Require Import List NArith ZArith Lia Wf_nat.
Import ListNotations.
Open Scope N_scope.

(** The heaps, in order. *)
Definition position := list N.

(** Heap [i], counted from 0; heaps that are not there hold nothing. *)
Definition heap (i : nat) (p : position) : N := nth i p 0.

(** The heaps of a list, in its order: a window, or the whole position turned. *)
Definition heaps (w : list nat) (p : position) : position := map (fun i => heap i p) w.

Definition tokens (p : position) : N := fold_right N.add 0 p.

(** A move lowers heaps of one window and takes something; [rule] is what else holds of the window's
    heaps before and after. *)
Definition moves (windows : list (list nat)) (rule : position -> position -> Prop) (p q : position)
  : Prop :=
  length q = length p /\ tokens q < tokens p /\
  exists w, In w windows /\
    (forall i, heap i q <= heap i p) /\ (forall i, ~ In i w -> heap i q = heap i p) /\
    rule (heaps w p) (heaps w q).

(** Any number may be taken. *)
Definition any_number (_ _ : position) : Prop := True.

(** Heaps and memory: the first h numbers of a position are heaps; a move lowers some of them, takes
    at least one token, and sets the other numbers to whatever [rule] allows. *)
Definition remembering (h : nat) (rule : position -> position -> Prop) (p q : position) : Prop :=
  length q = length p /\ tokens (firstn h q) < tokens (firstn h p) /\
    (forall i, (i < h)%nat -> heap i q <= heap i p) /\ rule p q.

(** Neighbours on a circle of [n] heaps, [k] at a time. *)
Definition arcs (n k : nat) : list (list nat) :=
  map (fun i => map (fun j => Nat.modulo (i + j) n) (seq 0 k))
    (seq 0 (if Nat.ltb k n then n else 1)).

(** Circular Nim CN(n,k). With k = 1 this is Nim. *)
Definition circular_nim (n k : nat) : position -> position -> Prop := moves (arcs n k) any_number.
Definition nim (n : nat) : position -> position -> Prop := circular_nim n 1.

(** Shrinking Circular Nim SCN(n,k), for any number of heaps: the same, and heaps that become empty
    leave the circle. *)
Definition occupied (p : position) : position := filter (fun h => negb (h =? 0)) p.
Definition closing_circle (k : nat) (p q : position) : Prop :=
  exists r, circular_nim (length p) (Nat.min k (length p)) p r /\ q = occupied r.

(** All choices of [k] of these heaps: with them moves are those of Moore's Nim. *)
Fixpoint choices (k : nat) (l : list nat) : list (list nat) :=
  match k, l with
  | O, _ => [[]]
  | S k', [] => []
  | S k', i :: r => map (cons i) (choices k' r) ++ choices k r
  end.

(** The turns of a circle and its reflections (of none: the one order that there is), and all orders
    of heaps. *)
Definition dihedral (n : nat) : list (list nat) :=
  let turned := map (fun i => map (fun j => Nat.modulo (i + j) n) (seq 0 n)) (seq 0 (Nat.max 1 n))
    in
  turned ++ map (@rev nat) turned.

Fixpoint orders_of (n : nat) (l : list nat) : list (list nat) :=
  match n with
  | O => [[]]
  | S n' => flat_map (fun i => map (cons i) (orders_of n' (filter (fun j => negb (Nat.eqb i j)) l)))
    l
  end.
Definition orders (n : nat) : list (list nat) := orders_of n (seq 0 n).

(** Taking and breaking: who moves takes k tokens from one heap and leaves of it as many heaps as a
    bit of the code's k-th digit stands for (1: none, 2: one, 4: two, 8: three). *)
Definition breaks (code : list N) (h : N) (o : position) : Prop :=
  exists k, h = N.of_nat k + tokens o /\ ~ In 0 o /\
    N.testbit (nth k (0 :: code) 0) (N.of_nat (length o)) = true.
Definition breaking (code : list N) (p q : position) : Prop :=
  exists l h r o, p = l ++ h :: r /\ q = l ++ o ++ r /\ breaks code h o.
Definition nim_sum (p : position) : N := fold_right N.lxor 0 p.

(** Binary digits added place by place modulo m, as in Moore's Nim: each place with its sum is as
    much as with a digit; of k places, and of all that there are. *)
Definition ones (l : list N) : N := fold_right (fun x a => N.b2n (N.odd x) + a) 0 l.
Fixpoint sum_of_places (k : nat) (m : N) (l : list N) : N :=
  match k with O => 0 | S k => ones l mod m + 2 * sum_of_places k m (map N.div2 l) end.
Definition digit_sum (m : N) (l : list N) : N := sum_of_places (N.to_nat (N.size (tokens l))) m l.

(** A sequence that repeats the last so many of its first values. *)
Definition repeated (period : N) (first : list N) (h : N) : N :=
  let e := N.of_nat (length first) - period in
  nth (N.to_nat (if h <? e then h else e + (h - e) mod period)) first 0.

(** Kotzig's Nim: n cells on a circle, numbered from 0. A position is the marked cells, first that
    of the token. Who moves takes the token a cells on, a in A, to a cell that is not marked, and
    marks it. *)
Definition kotzig (A : list nat) (n : nat) (p q : list nat) : Prop :=
  exists t r a, p = t :: r /\ In a A /\ q = Nat.modulo (t + a) n :: p /\
    ~ In (Nat.modulo (t + a) n) p.

(** Steps on a circle of n cells: so many cells clockwise, or anticlockwise where they are
  negative. *)
Definition clockwise (n : nat) (steps : list Z) : list nat :=
  map (fun a => Z.to_nat (Z.modulo a (Z.of_nat n))) steps.

(** NIM with Cash: n stones, d dollars of the mover and e of the other player. Who moves takes a
    stones, a in A, and pays a dollars. *)
Definition pays (A : list nat) (s t : nat * nat * nat) : Prop :=
  let '(n, d, e) := s in exists a, In a A /\ (a <= n)%nat /\ (a <= d)%nat /\
    t = (n - a, e, d - a)%nat.

(** A claim, up to symmetry: it holds of one of the images of the position. *)
Definition up_to (images : list (list nat)) (claim : position -> Prop) (p : position) : Prop :=
  exists s, In s images /\ claim (heaps s p).

Section Outcomes.
  Context {state : Type}.
  Variable move : state -> state -> Prop.

  (** Who cannot move loses: P if all options are N, N if some option is P. *)
  Inductive P_position (p : state) : Prop :=
  | all_options_N : (forall q, move p q -> N_position q) -> P_position p
  with N_position (p : state) : Prop :=
  | some_option_P : forall q, move p q -> P_position q -> N_position p.

  (** Who cannot move wins. *)
  Inductive misere_P (p : state) : Prop :=
  | misere_all_N : (exists q, move p q) -> (forall q, move p q -> misere_N q) -> misere_P p
  with misere_N (p : state) : Prop :=
  | misere_over : (forall q, ~ move p q) -> misere_N p
  | misere_some_P : forall q, move p q -> misere_P q -> misere_N p.
End Outcomes.

(** Play ends, as each move takes something. *)
Theorem play_ends windows rule : well_founded (fun q p => moves windows rule p q).
Proof.
  intro p. induction p as [p IH] using (well_founded_induction
    (well_founded_ltof _ (fun p => N.to_nat (tokens p)))).
  constructor. intros q (_ & less & _). apply IH. unfold ltof. lia.
Qed.

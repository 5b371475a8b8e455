(** Nim-values and sums of games (Sprague 1935, Grundy 1939): any games in which play ends, any
    number of them. *)

From Coq Require Import List NArith Lia Bool FinFun Wf_nat.
From Bouton Require Import Positions Outcomes Breaking.
Import ListNotations.
Open Scope N_scope.

(** [g] is the nim-value: the least number that no option has. *)
Definition nim_values {state : Type} (move : state -> state -> Prop) (g : state -> N) : Prop :=
  forall p, (forall q, move p q -> g q <> g p) /\ forall u, u < g p -> exists q, move p q /\
    g q = u.

(** In a sum of two games who moves does so in one of them. *)
Definition sum {state state' : Type} (move : state -> state -> Prop) (move' : state' -> state' ->
  Prop) (p q : state * state') : Prop :=
  move (fst p) (fst q) /\ snd q = snd p \/ fst q = fst p /\ move' (snd p) (snd q).

(** Any number of positions of one game; who moves does so in one of them. *)
Definition one_of {state : Type} (move : state -> state -> Prop) (p q : list state) : Prop :=
  exists l x y r, p = l ++ x :: r /\ move x y /\ q = l ++ y :: r.

(** * What nim-values are *)

Section Values.
  Context {state : Type}.
  Variable move : state -> state -> Prop.
  Hypothesis ends : well_founded (fun q p => move p q).

  Theorem only_nim_values g g' : nim_values move g -> nim_values move g' -> forall p, g p = g' p.
  Proof.
    intros V V' p. induction p as [p IH] using (well_founded_induction ends).
    destruct (V p) as [Not All]. destruct (V' p) as [Not' All'].
    destruct (N.lt_trichotomy (g p) (g' p)) as [L|[E|L]]; [exfalso|exact E|exfalso].
    - destruct (All' _ L) as (q & M & E). apply (Not q M). now rewrite (IH q M).
    - destruct (All _ L) as (q & M & E). apply (Not' q M). now rewrite <- (IH q M).
  Qed.

  Theorem P_positions_have_0 g : nim_values move g -> forall p, P_position move p <-> g p = 0.
  Proof.
    intro V. apply characterised_everywhere; [exact ends| |].
    - intros p q Z M Zq. apply (proj1 (V p) q M). congruence.
    - intro p. destruct (N.eq_dec (g p) 0) as [Z|Z]; [now left|right]. destruct (V p) as [_ All].
      apply All. lia.
  Qed.
End Values.

(** * There are nim-values where a position has finitely many options *)

Fixpoint least_outside (steps : nat) (k : N) (l : list N) : N :=
  match steps with O => k | S less => if existsb (N.eqb k) l then least_outside less (k + 1) l else
    k end.
Definition mex (l : list N) : N := least_outside (S (length l)) 0 l.

Lemma least_outside_says steps l : forall k, let r := least_outside steps k l in
  k <= r /\ (forall u, k <= u -> u < r -> In u l) /\ (~ In r l \/ r = k + N.of_nat steps).
Proof.
  induction steps as [|less IH]; intros k r.
  - unfold r. cbn. split; [lia|]. split; [intros; lia|right; lia].
  - unfold r. cbn [least_outside]. destruct (existsb (N.eqb k) l) eqn:X.
    + destruct (IH (k + 1)) as (A & B & C). split; [lia|].
      split; [|destruct C; [now left|right; lia]].
      intros u H L. destruct (N.eq_dec u k) as [->|]; [|apply B; lia].
      apply existsb_exists in X as (x & I & E).
      apply N.eqb_eq in E. now subst.
    + split; [lia|]. split; [intros; lia|left]. intro I.
      assert (Y : existsb (N.eqb k) l = true); [|congruence].
      apply existsb_exists. exists k. split; [exact I|apply N.eqb_refl].
Qed.

Lemma mex_says l : ~ In (mex l) l /\ forall u, u < mex l -> In u l.
Proof.
  unfold mex. destruct (least_outside_says (S (length l)) l 0) as (_ & B & C).
  split; [|intros u L; apply B; lia].
  destruct C as [C|C]; [exact C|exfalso].
  assert (H : (length (map N.of_nat (seq 0 (S (length l)))) <= length l)%nat).
  { apply NoDup_incl_length.
    - apply Injective_map_NoDup; [intros x y; apply Nat2N.inj|apply seq_NoDup].
    - intros u I. apply in_map_iff in I as (x & <- & I). apply in_seq in I. apply B; lia. }
  rewrite map_length, seq_length in H. lia.
Qed.

Fixpoint each {A B : Type} (l : list A) : (forall x, In x l -> B) -> list B :=
  match l with
  | [] => fun _ => []
  | x :: r => fun f => f x (or_introl eq_refl) :: each r (fun y I => f y (or_intror I))
  end.

Lemma each_is_map {A B : Type} (h : A -> B) l : forall f : (forall x, In x l -> B),
  (forall x I, f x I = h x) -> each l f = map h l.
Proof. induction l as [|x l IH]; intros f E; [reflexivity|]. cbn [each map]. rewrite E. f_equal.
apply IH. intros y I. apply E. Qed.

Lemma each_same {A B : Type} (l : list A) : forall f f' : (forall x, In x l -> B),
  (forall x I, f x I = f' x I) -> each l f = each l f'.
Proof. induction l as [|x l IH]; intros f f' E; [reflexivity|]. cbn [each]. rewrite E. f_equal.
apply IH. intros y I. apply E. Qed.

Theorem nim_values_exist {state : Type} (move : state -> state -> Prop) (options : state ->
  list state) :
  well_founded (fun q p => move p q) -> (forall p q, In q (options p) <-> move p q) ->
    exists g, nim_values move g.
Proof.
  intros ends Says.
  set (F := fun (p : state) (rec : forall q, move p q -> N) =>
    mex (each (options p) (fun q I => rec q (proj1 (Says p q) I)))).
  set (g := Fix ends (fun _ => N) F). assert (Eq : forall p, g p = mex (map g (options p))).
  { intro p. unfold g at 1. rewrite Fix_eq.
    - unfold F at 1. f_equal. apply each_is_map. reflexivity.
    - intros x f f' E. unfold F. f_equal. apply each_same. intros y I. apply E. }
  exists g. intro p. destruct (mex_says (map g (options p))) as [Not All]. rewrite <- Eq in *.
  split.
  - intros q M E. apply Not. rewrite <- E. apply in_map. now apply Says.
  - intros u L. apply All in L. apply in_map_iff in L as (q & E & I). exists q.
    split; [now apply Says|exact E].
Qed.

(** * Sums *)

Ltac xors := apply N.bits_inj; intro; rewrite !N.lxor_spec;
  repeat match goal with |- context[N.testbit ?a ?i] => destruct (N.testbit a i) end; reflexivity.

Lemma lxor_cancel a b c : N.lxor a c = N.lxor b c -> a = b.
Proof. intro E. apply (f_equal (fun x => N.lxor x c)) in E.
rewrite !N.lxor_assoc, N.lxor_nilpotent, !N.lxor_0_r in E. exact E. Qed.

Lemma lower_one x y u : u < N.lxor x y -> N.lxor u y < x \/ N.lxor u x < y.
Proof.
  intro L. set (v := N.lxor x y) in *. set (s := N.lxor v u).
  assert (S : s <> 0) by (intro Z; apply N.lxor_eq in Z; lia).
  assert (T : N.testbit s (N.log2 s) = true) by now apply N.bit_log2.
  assert (V : N.testbit v (N.log2 s) = true).
  { destruct (N.testbit v (N.log2 s)) eqn:V; [reflexivity|exfalso].
    assert (U : N.testbit u (N.log2 s) = true).
    { unfold s at 1 in T. rewrite N.lxor_spec, V, xorb_false_l in T. exact T. }
    pose proof (lower_bit u s S U) as H. replace (N.lxor u s) with v in H by (unfold s; xors). lia.
    }
  unfold v in V at 1. rewrite N.lxor_spec in V. destruct (N.testbit x (N.log2 s)) eqn:X.
  - left. pose proof (lower_bit x s S X) as H. replace (N.lxor u y) with (N.lxor x s); [exact H|].
    unfold s, v. xors.
  - right. assert (Y : N.testbit y (N.log2 s) = true) by (destruct (N.testbit y (N.log2 s));
      [reflexivity|discriminate]).
    pose proof (lower_bit y s S Y) as H. replace (N.lxor u x) with (N.lxor y s); [exact H|].
    unfold s, v. xors.
Qed.

Theorem nim_values_of_sum {state state' : Type} (move : state -> state -> Prop) (move' : state' ->
  state' -> Prop) g g' :
  nim_values move g -> nim_values move' g' ->
    nim_values (sum move move') (fun p => N.lxor (g (fst p)) (g' (snd p))).
Proof.
  intros V V' [a b]. destruct (V a) as [Not All]. destruct (V' b) as [Not' All']. cbn [fst snd].
  split.
  - intros [c d] [[M E]|[E M]]; cbn [fst snd] in *; subst; intro X.
    + apply (Not c M). now apply lxor_cancel in X.
    + apply (Not' d M). rewrite !(N.lxor_comm (g a)) in X. now apply lxor_cancel in X.
  - intros u L. destruct (lower_one _ _ _ L) as [H|H].
    + destruct (All _ H) as (c & M & E). exists (c, b). cbn [fst snd]. split; [left; now split|].
      rewrite E. xors.
    + destruct (All' _ H) as (d & M & E). exists (a, d). cbn [fst snd]. split; [right; now split|].
      rewrite E. xors.
Qed.

Theorem nim_values_of_many {state : Type} (move : state -> state -> Prop) g :
  nim_values move g -> nim_values (one_of move) (fun p => nim_sum (map g p)).
Proof.
  intros V p. split.
  - intros q (l & x & y & r & -> & M & ->). rewrite !map_app, !nim_sum_app. intro X.
    rewrite !(N.lxor_comm (nim_sum (map g l))) in X.
    apply lxor_cancel in X. cbn [map nim_sum fold_right] in X. apply lxor_cancel in X.
    now apply (proj1 (V x) y M).
  - induction p as [|x r IH]; intros u L; [cbn in L; lia|].
    change (nim_sum (map g (x :: r))) with (N.lxor (g x) (nim_sum (map g r))) in L.
    destruct (lower_one _ _ _ L) as [H|H].
    + destruct (proj2 (V x) _ H) as (y & M & E). exists (y :: r). split; [now exists [], x, y, r|].
      change (nim_sum (map g (y :: r))) with (N.lxor (g y) (nim_sum (map g r))). rewrite E. xors.
    + destruct (IH _ H) as (q & (l & z & y & r' & -> & M & ->) & E). exists (x :: l ++ y :: r').
      split; [now exists (x :: l), z, y, r'|].
      change (nim_sum (map g (x :: l ++ y :: r'))) with
        (N.lxor (g x) (nim_sum (map g (l ++ y :: r')))). rewrite E. xors.
Qed.

(** Kotzig's Nim, the game Γ(A;n) ([kotzig] in Positions.v): the token stands on cell 0, the only
    one that is marked. Who cannot move loses.

    Fraenkel, Jaffray, Kotzig, Sabidussi, Modular Nim (1995), Lemmas 1 and 2 and Theorem 3, as cited
    by Tan and Ward, On Kotzig's Nim; and the latter's Conjecture 4.13. The theorems hold for any
    number of steps. *)

From Coq Require Import List Arith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes.
Import ListNotations.
Open Scope nat_scope.

(** The game is in P, or in N: so is its first position. *)
Definition Gamma_in_P (A : list nat) (n : nat) : Prop := P_position (kotzig A n) [0].
Definition Gamma_in_N (A : list nat) (n : nat) : Prop := N_position (kotzig A n) [0].
Definition same_outcome (A : list nat) (n : nat) (A' : list nat) (n' : nat) : Prop :=
  (Gamma_in_P A n <-> Gamma_in_P A' n') /\ (Gamma_in_N A n <-> Gamma_in_N A' n').

(** * Play ends *)

Lemma filter_less (f g : nat -> bool) l : (forall x, g x = true -> f x = true) ->
  length (filter g l) <= length (filter f l) /\
  forall x, In x l -> f x = true -> g x = false -> length (filter g l) < length (filter f l).
Proof.
  intro H. induction l as [|y l [IH1 IH2]]; [split; [auto|intros x []]|]. cbn [filter].
  pose proof (H y) as Hy. split.
  - revert Hy. destruct (g y), (f y); intro Hy; cbn [length]; lia.
  - intros x [->|I] F G.
    + rewrite F, G. cbn [length]. lia.
    + specialize (IH2 x I F G). revert Hy. destruct (g y), (f y); intro Hy; cbn [length]; lia.
Qed.

(** The cells that are not marked. *)
Definition unmarked (p : list nat) (c : nat) : bool := if in_dec Nat.eq_dec c p then false else
  true.
Definition free (n : nat) (p : list nat) : nat := length (filter (unmarked p) (seq 0 n)).

Lemma kotzig_ends A n : 0 < n -> well_founded (fun q p => kotzig A n p q).
Proof.
  intros Z p. induction p as [p IH] using (well_founded_induction (well_founded_ltof _ (free n))).
  constructor. intros q (t & r & a & E & I & -> & Out). apply IH. unfold ltof, free.
  pose proof (Nat.mod_upper_bound (t + a) n ltac:(lia)) as B. set (c := (t + a) mod n) in *.
  destruct (filter_less (unmarked p) (unmarked (c :: p)) (seq 0 n)) as [_ L].
  - intro x. unfold unmarked. destruct (in_dec Nat.eq_dec x (c :: p)) as [|O]; [discriminate|].
    intros _.
    destruct (in_dec Nat.eq_dec x p) as [J|]; [|reflexivity]. destruct O. now right.
  - apply (L c); unfold unmarked.
    + apply in_seq. lia.
    + destruct (in_dec Nat.eq_dec c p); [contradiction|reflexivity].
    + destruct (in_dec Nat.eq_dec c (c :: p)) as [|O]; [reflexivity|]. destruct O. now left.
Qed.

(** * Games of the same outcome *)

Section Same.
  Context {state state' : Type}.
  Variable move : state -> state -> Prop.
  Variable move' : state' -> state' -> Prop.
  Variable same : state -> state' -> Prop.
  Hypothesis ends : well_founded (fun q p => move p q).
  Hypothesis forth : forall p p' q, same p p' -> move p q -> exists q', move' p' q' /\ same q q'.
  Hypothesis back : forall p p' q', same p p' -> move' p' q' -> exists q, move p q /\ same q q'.

  Theorem outcomes_agree p : forall p', same p p' ->
    (P_position move p <-> P_position move' p') /\ (N_position move p <-> N_position move' p').
  Proof.
    induction p as [p IH] using (well_founded_induction ends). intros p' S. split; split.
    - intros [all]. constructor. intros q' M'. destruct (back p p' q' S M') as (q & M & S').
      apply (proj2 (IH q M q' S')). now apply all.
    - intros [all]. constructor. intros q M. destruct (forth p p' q S M) as (q' & M' & S').
      apply (proj2 (IH q M q' S')). now apply all.
    - intros [q M P]. destruct (forth p p' q S M) as (q' & M' & S').
      apply some_option_P with q'; [exact M'|]. now apply (proj1 (IH q M q' S')).
    - intros [q' M' P]. destruct (back p p' q' S M') as (q & M & S').
      apply some_option_P with q; [exact M|]. now apply (proj1 (IH q M q' S')).
  Qed.
End Same.

(** The moves matter modulo n only. *)
Theorem same_modulo A A' n : 0 < n -> (forall a, In a A -> exists a', In a' A' /\
  a mod n = a' mod n) ->
  (forall a', In a' A' -> exists a, In a A /\ a mod n = a' mod n) -> same_outcome A n A' n.
Proof.
  intros Z F B. apply (outcomes_agree (kotzig A n) (kotzig A' n) eq);
    [now apply kotzig_ends| | |reflexivity].
  - intros p p' q <- (t & r & a & E & I & -> & Out). destruct (F a I) as (a' & I' & M).
    exists ((t + a) mod n :: p). split; [|reflexivity].
    exists t, r, a'. rewrite <- (Nat.add_mod_idemp_r t a') by lia.
    rewrite <- M, Nat.add_mod_idemp_r by lia. auto.
  - intros p p' q <- (t & r & a' & E & I & -> & Out). destruct (B a' I) as (a & I' & M).
    exists ((t + a') mod n :: p). split; [|reflexivity].
    exists t, r, a. rewrite <- (Nat.add_mod_idemp_r t a) by lia.
    rewrite M, Nat.add_mod_idemp_r by lia. auto.
Qed.

(** Lemma 1: steps and circle g times as large. *)
Theorem same_multiple A n g : 0 < n -> 0 < g -> same_outcome A n (map (Nat.mul g) A) (g * n).
Proof.
  intros Z G. assert (Step : forall t a, (g * t + g * a) mod (g * n) = g * ((t + a) mod n)).
  { intros t a. rewrite <- Nat.mul_add_distr_l. apply Nat.mul_mod_distr_l; lia. }
  assert (Inside : forall c p, In (g * c) (map (Nat.mul g) p) <-> In c p).
  { intros c p. rewrite in_map_iff. split; [|intro I; now exists c]. intros (x & E & I).
    assert (x = c) by nia. now subst. }
  apply (outcomes_agree (kotzig A n) (kotzig (map (Nat.mul g) A) (g * n))
    (fun p p' => p' = map (Nat.mul g) p)).
  - now apply kotzig_ends.
  - intros p p' q -> (t & r & a & E & I & -> & Out). exists (map (Nat.mul g) ((t + a) mod n :: p)).
    split; [|reflexivity].
    exists (g * t), (map (Nat.mul g) r), (g * a). rewrite Step. subst p. split; [reflexivity|].
    split; [now apply in_map|].
      split; [reflexivity|]. now rewrite Inside.
  - intros p p' q' -> (t' & r' & a' & E & I & -> & Out). apply in_map_iff in I as (a & <- & I).
    destruct p as [|t r]; [discriminate|].
    cbn [map] in E. injection E as <- <-. rewrite Step in *.
    change (g * t :: map (Nat.mul g) r) with (map (Nat.mul g) (t :: r)) in *.
    rewrite Inside in Out. exists ((t + a) mod n :: t :: r). split; [|reflexivity]. exists t, r, a.
    auto.
  - cbn [map]. now rewrite Nat.mul_0_r.
Qed.

Lemma unit_injective u n x y : 0 < n -> Nat.gcd u n = 1 -> x <= y -> y < n ->
  (u * x) mod n = (u * y) mod n -> x = y.
Proof.
  intros Z G L B E. pose proof (Nat.div_mod (u * x) n ltac:(lia)) as Ex.
  pose proof (Nat.div_mod (u * y) n ltac:(lia)) as Ey.
  rewrite <- E in Ey. assert (D : Nat.divide n (u * (y - x))).
  { exists ((u * y) / n - (u * x) / n). rewrite Nat.mul_sub_distr_l, Nat.mul_sub_distr_r. lia. }
  apply Nat.gauss in D; [|now rewrite Nat.gcd_comm]. destruct D as [[|k] D]; [lia|nia].
Qed.

(** Lemma 2: steps multiplied by a unit modulo n. *)
Theorem same_unit A n u : 0 < n -> Nat.gcd u n = 1 -> same_outcome A n (map (Nat.mul u) A) n.
Proof.
  intros Z G. set (f := fun x => (u * x) mod n).
  assert (Step : forall t a, (f t + u * a) mod n = f ((t + a) mod n)).
  { intros t a. unfold f. rewrite Nat.add_mod_idemp_l, Nat.mul_mod_idemp_r by lia.
    now rewrite Nat.mul_add_distr_l. }
  assert (Inj : forall x y, x < n -> y < n -> f x = f y -> x = y).
  { intros x y X Y E. destruct (Nat.le_ge_cases x y); [|symmetry; symmetry in E];
      eapply unit_injective; eauto. }
  assert (Below : forall c, c mod n < n) by (intro c; apply Nat.mod_upper_bound; lia).
  assert (Inside : forall c p, c < n -> (forall x, In x p -> x < n) ->
    (In (f c) (map f p) <-> In c p)).
  { intros c p C P. rewrite in_map_iff. split; [|intro I; now exists c]. intros (x & E & I).
    assert (x = c) by auto. now subst. }
  apply (outcomes_agree (kotzig A n) (kotzig (map (Nat.mul u) A) n)
    (fun p p' => (forall x, In x p -> x < n) /\ p' = map f p)).
  - now apply kotzig_ends.
  - intros p p' q [P ->] (t & r & a & E & I & -> & Out). exists (map f ((t + a) mod n :: p)).
    split; [|split; [|reflexivity]].
    + exists (f t), (map f r), (u * a). rewrite Step. subst p. split; [reflexivity|].
      split; [now apply in_map|].
      split; [reflexivity|]. now rewrite Inside by auto.
    + intros x [<-|J]; auto.
  - intros p p' q' [P ->] (t' & r' & a' & E & I & -> & Out). apply in_map_iff in I as (a & <- & I).
    destruct p as [|t r]; [discriminate|].
    cbn [map] in E. injection E as <- <-. rewrite Step in *.
    change (f t :: map f r) with (map f (t :: r)) in *.
    rewrite Inside in Out by auto. exists ((t + a) mod n :: t :: r).
    split; [|split; [|reflexivity]].
    + exists t, r, a. auto.
    + intros x [<-|J]; auto.
  - split; [intros x [<-|[]]; exact Z|]. cbn [map]. unfold f.
    now rewrite Nat.mul_0_r, Nat.mod_0_l by lia.
Qed.

(** * Theorem 3: odd steps on an even circle *)

Section Odd.
  Variable A : list nat.
  Variable n a : nat.
  Hypothesis pos : 0 < n.
  Hypothesis n_even : Nat.even n = true.
  Hypothesis all_odd : forall b, In b A -> Nat.even b = false.
  Hypothesis some : In a A.

  (** Player I answers from an even cell x on x + a: so the marked cells come in pairs. *)
  Inductive paired : list nat -> Prop :=
  | no_pair : paired []
  | one_more x l : x < n -> Nat.even x = true -> paired l -> paired ((x + a) mod n :: x :: l).

  Lemma parity x : Nat.even (x mod n) = Nat.even x.
  Proof. rewrite (Nat.div_mod x n) at 2 by lia. rewrite Nat.even_add, Nat.even_mul, n_even.
  cbn [orb]. now destruct (Nat.even (x mod n)). Qed.

  Lemma after_odd x b : In b A -> Nat.even ((x + b) mod n) = negb (Nat.even x).
  Proof. intro I. rewrite parity, Nat.even_add, (all_odd b I). now destruct (Nat.even x). Qed.

  Lemma partner l y : paired l -> In y l -> Nat.even y = false -> exists x, In x l /\ x < n /\
    y = (x + a) mod n.
  Proof.
    induction 1 as [|x l B E P IH]; [intros []|]. intros [<-|[<-|I]] O.
    - exists x. repeat split; auto. right. now left.
    - congruence.
    - destruct (IH I O) as (x' & I' & B' & E'). exists x'. repeat split; auto. right. now right.
  Qed.

  Lemma shift_injective x z : x < n -> z < n -> (x + a) mod n = (z + a) mod n -> x = z.
  Proof.
    intros X Z E. pose proof (Nat.div_mod (x + a) n ltac:(lia)) as Ex.
    pose proof (Nat.div_mod (z + a) n ltac:(lia)) as Ez. rewrite <- E in Ez.
    set (q := (x + a) / n) in *. set (q' := (z + a) / n) in *. set (r := (x + a) mod n) in *.
    clearbody q q' r.
    destruct (lt_eq_lt_dec q q') as [[L|L]|L]; [exfalso; nia|subst; lia|exfalso; nia].
  Qed.

  Lemma answers p :
    (paired p -> p <> [] -> P_position (kotzig A n) p) /\
    (forall z l, p = z :: l -> paired l -> z < n -> Nat.even z = true -> ~ In z l ->
      N_position (kotzig A n) p).
  Proof.
    induction p as [p IH] using (well_founded_induction (kotzig_ends A n pos)). split.
    - intro Pp. revert IH. destruct Pp as [|x l B E P]; intros IH H; [easy|]. constructor.
      intros q M. pose proof (proj2 (IH q M)) as Next.
      destruct M as (t & r & b & Ep & I & -> & Out). injection Ep as <- <-.
      set (t := (x + a) mod n) in *.
      apply (Next _ _ eq_refl).
      + now constructor.
      + apply Nat.mod_upper_bound. lia.
      + rewrite after_odd by exact I. unfold t. rewrite after_odd by exact some. now rewrite E.
      + exact Out.
    - intros z l -> P B E Out. assert (O : Nat.even ((z + a) mod n) = false) by
        (rewrite after_odd by exact some; now rewrite E).
      assert (M : kotzig A n (z :: l) ((z + a) mod n :: z :: l)).
      { exists z, l, a. repeat split; auto. intros [X|X]; [congruence|].
        destruct (partner l _ P X O) as (x & I & Bx & Ex).
        rewrite (shift_injective x z Bx B (eq_sym Ex)) in I. contradiction. }
      apply some_option_P with (1 := M). apply (proj1 (IH _ M)); [now constructor|discriminate].
  Qed.

  Theorem odd_steps : Gamma_in_N A n.
  Proof. apply (proj2 (answers [0]) 0 [] eq_refl); [constructor|exact pos|reflexivity|intros []].
  Qed.
End Odd.

(** * Conjecture 4.13: a step of half the circle *)

Section Half.
  Variable A : list nat.
  Variable a : nat.
  Hypothesis pos : 0 < a.
  Hypothesis some : In a A.
  Notation n := (2 * a).

  (** Player I goes to the opposite cell each time, so the marked cells come in opposite pairs. *)
  Definition in_pairs (p : list nat) : Prop := forall x, In x p -> x < n /\ In ((x + a) mod n) p.

  Lemma opposite_twice x : x < n -> ((x + a) mod n + a) mod n = x.
  Proof.
    intro L. rewrite Nat.add_mod_idemp_l by lia. replace (x + a + a) with (x + 1 * n) by lia.
    rewrite Nat.mod_add by lia. now apply Nat.mod_small.
  Qed.

  Lemma opposite_differs x : (x + a) mod n <> x.
  Proof. intro E. pose proof (Nat.div_mod (x + a) n ltac:(lia)) as D. rewrite E in D.
  destruct ((x + a) / n) as [|q]; nia. Qed.

  Lemma goes_opposite p :
    (in_pairs p -> p <> [] -> P_position (kotzig A n) p) /\
    (forall z l, p = z :: l -> in_pairs l -> z < n -> ~ In z l -> N_position (kotzig A n) p).
  Proof.
    induction p as [p IH] using (well_founded_induction (kotzig_ends A n ltac:(lia))). split.
    - intros Pairs _. constructor. intros q M. pose proof (proj2 (IH q M)) as Next.
      destruct M as (t & r & b & E & I & -> & Out).
      apply (Next _ _ eq_refl); [exact Pairs|apply Nat.mod_upper_bound; lia|exact Out].
    - intros z l -> Pairs B Out. assert (M : kotzig A n (z :: l) ((z + a) mod n :: z :: l)).
      { exists z, l, a. split; [reflexivity|]. split; [exact some|]. split; [reflexivity|].
        intros [X|X].
        - now apply (opposite_differs z).
        - apply Pairs in X as [_ X]. rewrite opposite_twice in X by exact B. contradiction. }
      apply some_option_P with (1 := M). apply (proj1 (IH _ M)); [|discriminate].
      intros x [<-|[<-|I]].
      + split; [apply Nat.mod_upper_bound; lia|]. rewrite opposite_twice by exact B. right.
        now left.
      + split; [exact B|now left].
      + destruct (Pairs x I) as [L J]. split; [exact L|right; now right].
  Qed.

  Theorem half_the_circle : Gamma_in_N A n.
  Proof. apply (proj2 (goes_opposite [0]) 0 [] eq_refl); [intros x []|lia|intros []]. Qed.
End Half.

(** * Single games *)

(** All replies lose, and some move wins, as far as so many moves show. *)
Fixpoint lost (moves : nat) (A : list nat) (n : nat) (p : list nat) : bool :=
  match moves with
  | O => false
  | S less => forallb (fun a => let c := (hd 0 p + a) mod n in negb (unmarked p c) ||
    won less A n (c :: p)) A
  end
with won (moves : nat) (A : list nat) (n : nat) (p : list nat) : bool :=
  match moves with
  | O => false
  | S less => existsb (fun a => let c := (hd 0 p + a) mod n in
    unmarked p c && lost less A n (c :: p)) A
  end.

Lemma unmarked_says p c : unmarked p c = true <-> ~ In c p.
Proof. unfold unmarked. destruct (in_dec Nat.eq_dec c p); split; congruence || tauto. Qed.

Theorem lost_won moves A n : forall t r, let p := t :: r in
  (lost moves A n p = true -> P_position (kotzig A n) p) /\
    (won moves A n p = true -> N_position (kotzig A n) p).
Proof.
  induction moves as [|less IH]; intros t r p; cbn [lost won]; [split; discriminate|]. subst p.
  cbn [hd]. split.
  - rewrite forallb_forall. intro H. constructor. intros q (t' & r' & a & E & I & -> & Out).
    injection E as <- <-. specialize (H a I).
    cbv zeta in H. rewrite (proj2 (unmarked_says _ _) Out) in H. now apply IH.
  - rewrite existsb_exists. intros (a & I & H). cbv zeta in H. apply andb_true_iff in H as [F L].
    apply unmarked_says in F.
    apply some_option_P with ((t + a) mod n :: t :: r); [now exists t, r, a|now apply IH].
Qed.

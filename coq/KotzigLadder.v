(** Kotzig's Nim: Γ(a,b;2(a+b)) is in N for all a and b (Conjecture 4.11 of Tan and Ward, On
    Kotzig's Nim).

    If a and b are odd, this is Theorem 3 of Fraenkel et al. Common factors do not matter, so let a
    be even, b odd, and h = a + b prime to a. Then the circle is a ladder with two rails of h cells:
    a step of a goes up one cell on the same rail, a step of b goes down one and to the other rail.
    Player II has one choice, at the first move; from then on each reply of Player II but one leads
    to a marked cell, and Player I fills both rails side by side, upward or downward, until no cell
    is left. *)

From Coq Require Import List Arith ZArith Znumtheory Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Kotzig.
Import ListNotations.

Section Ladder.
  Variables a b n : nat.
  Open Scope Z_scope.
  Variable h : Z.
  Variable cell : bool -> Z -> nat.
  Hypothesis long : 3 <= h.
  Hypothesis up : forall e j, ((cell e j + a) mod n = cell e (j + 1)%Z)%nat.
  Hypothesis down : forall e j, ((cell e j + b) mod n = cell (negb e) (j - 1)%Z)%nat.
  Hypothesis apart : forall e e' j j', cell e j = cell e' j' -> e = e' /\
    (- h < j - j' < h -> j = j').
  Hypothesis turn : forall e j, cell e (j + h) = cell e j.

  Notation lost_ := (P_position (kotzig [a; b] n)).
  Notation won_ := (N_position (kotzig [a; b] n)).

  Lemma goes_up e j k r : k = j + 1 -> ~ In (cell e k) (cell e j :: r) ->
    lost_ (cell e k :: cell e j :: r) -> won_ (cell e j :: r).
  Proof.
    intros -> Out L. apply some_option_P with (2 := L). exists (cell e j), r, a. rewrite up.
    split; [reflexivity|]. split; [now left|]. now split.
  Qed.

  Lemma goes_down e e' j k r : e' = negb e -> k = j - 1 -> ~ In (cell e' k) (cell e j :: r) ->
    lost_ (cell e' k :: cell e j :: r) ->
    won_ (cell e j :: r).
  Proof.
    intros -> -> Out L. apply some_option_P with (2 := L). exists (cell e j), r, b. rewrite down.
    split; [reflexivity|].
    split; [right; now left|]. now split.
  Qed.

  Lemma either e e' j k k' r : e' = negb e -> k = j + 1 -> k' = j - 1 ->
    In (cell e k) (cell e j :: r) \/ won_ (cell e k :: cell e j :: r) ->
    In (cell e' k') (cell e j :: r) \/ won_ (cell e' k' :: cell e j :: r) -> lost_ (cell e j :: r).
  Proof.
    intros -> -> -> U D. constructor. intros q (t & r' & s & E & I & -> & Out).
    injection E as <- <-. destruct I as [<-|[<-|[]]].
    - rewrite up in *. destruct U; [contradiction|assumption].
    - rewrite down in *. destruct D; [contradiction|assumption].
  Qed.

  (** The marked cells: those from l to m on the rail e, and from l' to m' on the other. *)
  Definition marks (e : bool) (l m l' m' : Z) (p : list nat) : Prop :=
    forall x, In x p <-> (exists j, l <= j <= m /\ x = cell e j) \/ exists j, l' <= j <= m' /\
      x = cell (negb e) j.

  Ltac differ H := apply apart in H as [? H]; first [now destruct_bools | specialize (H ltac:(lia));
    lia]
  with destruct_bools := repeat match goal with e : bool |- _ => destruct e end; discriminate.
  (** A cell is not on the two rails; nor one of two cells before them. *)
  Ltac off_rails M H := apply M in H; let j := fresh "j" in let B := fresh in
    destruct H as [(j & B & H)|(j & B & H)]; differ H.
  Ltac not_marked M := let H := fresh in intro H; off_rails M H.
  Ltac not_marked_now M := let H := fresh in intro H; destruct H as [H|H]; [differ H|];
    destruct H as [H|H]; [differ H|]; off_rails M H.

  (** Upward: the other rail is two cells behind. *)
  Lemma climbs (k : nat) : forall e l m l' r t, let p := cell e m :: r in
    marks e l m l' (m - 2) p -> l <= m - 2 -> l' <= m - 1 ->
    let x := l' + h - m in let y := l + h - m in 0 <= t -> x + y < Z.of_nat k ->
    x = 4 * t + 2 /\ y = 4 * t + 1 \/ x = 4 * t + 3 /\ y = 4 * t + 4 \/ x = 4 * t + 3 /\
      y = 4 * t + 2 \/ x = 4 * t /\ y = 4 * t + 1 ->
    won_ p.
  Proof.
    induction k as [|k IH]; intros e l m l' r t p M L L' x y T K Shape; [lia|]. unfold p, x, y in *.
    clear p x y.
    apply (goes_down e (negb e) m (m - 1)); [reflexivity|lia|not_marked M|].
    apply (either (negb e) e (m - 1) m (m - 2)); [now rewrite negb_involutive|lia|lia| |].
    2: { left. right. apply M. left. exists (m - 2). split; [lia|reflexivity]. }
    destruct (Z.eq_dec m (l' + h)) as [E|E].
    { left. right. apply M. right. exists l'. split; [lia|]. rewrite E. apply turn. }
    right. apply (goes_up (negb e) m (m + 1)); [lia|not_marked_now M|].
    apply (either (negb e) e (m + 1) (m + 2) m); [now rewrite negb_involutive|lia|lia| |].
    2: { left. right. right. right. now left. }
    destruct (Z.eq_dec (m + 2) (l' + h)) as [E'|E'].
    { left. rewrite E', turn. right. right. destruct (Z.eq_dec l' (m - 1)) as [->|];
        [now left|right].
      apply M. right. exists l'. split; [lia|reflexivity]. }
    right. assert (Next : marks (negb e) l' (m + 2) l (m + 2 - 2)
      (cell (negb e) (m + 2) :: cell (negb e) (m + 1) :: cell (negb e) m :: cell (negb e) (m - 1) ::
        cell e m :: r)).
    { intro z. rewrite negb_involutive. split.
      - intros [<-|[<-|[<-|[<-|I]]]]; [left; eexists; split; [|reflexivity]; lia..|].
        apply M in I as [(j & B & ->)|(j & B & ->)].
        + right. exists j. split; [lia|reflexivity].
        + left. exists j. split; [lia|reflexivity].
      - intros [(j & B & ->)|(j & B & ->)].
        + destruct (Z.eq_dec j (m + 2)) as [->|]; [now left|].
          destruct (Z.eq_dec j (m + 1)) as [->|]; [right; now left|].
          destruct (Z.eq_dec j m) as [->|]; [right; right; now left|].
          destruct (Z.eq_dec j (m - 1)) as [->|]; [right; right; right; now left|].
          right. right. right. right. apply M. right. exists j. split; [lia|reflexivity].
        + right. right. right. right. apply M. left. exists j. split; [lia|reflexivity]. }
    destruct Shape as [[X Y]|[[X Y]|[[X Y]|[X Y]]]].
    - apply (IH (negb e) l' (m + 2) l _ (t - 1) Next); lia.
    - apply (IH (negb e) l' (m + 2) l _ t Next); lia.
    - apply (IH (negb e) l' (m + 2) l _ t Next); lia.
    - apply (IH (negb e) l' (m + 2) l _ (t - 1) Next); lia.
  Qed.

  (** Downward: the rails end side by side. *)
  Lemma descends (k : nat) : forall e m u u' r t, let p := cell e m :: r in marks e m u m u' p ->
    m <= u -> m <= u' ->
    let x := h - (u' - m + 1) in let y := h - (u - m + 1) in 0 <= t -> x + y < Z.of_nat k ->
    x = 4 * t + 1 /\ y = 4 * t + 2 \/ x = 4 * t + 4 /\ y = 4 * t + 3 \/ x = 4 * t + 2 /\
      y = 4 * t + 3 \/ x = 4 * t + 1 /\ y = 4 * t ->
    won_ p.
  Proof.
    induction k as [|k IH]; intros e m u u' r t p M L L' x y T K Shape; [lia|]. unfold p, x, y in *.
    clear p x y.
    apply (goes_down e (negb e) m (m - 1)); [reflexivity|lia|not_marked M|].
    apply (either (negb e) e (m - 1) m (m - 2)); [now rewrite negb_involutive|lia|lia| |].
    { left. right. apply M. right. exists m. split; [lia|reflexivity]. }
    destruct (Z_le_gt_dec (m - 2 + h) u) as [E|E].
    { left. right. apply M. left. exists (m - 2 + h). split; [lia|]. symmetry. apply turn. }
    right. apply (goes_up e (m - 2) (m - 1)); [lia|not_marked_now M|].
    apply (either e (negb e) (m - 1) m (m - 2)); [reflexivity|lia|lia| |].
    { left. right. right. right. now left. }
    destruct (Z_le_gt_dec (m - 2 + h) u') as [E'|E'].
    { left. right. right. right. apply M. right. exists (m - 2 + h). split; [lia|]. symmetry.
      apply turn. }
    right. assert (Next : marks (negb e) (m - 2) u' (m - 2) u
      (cell (negb e) (m - 2) :: cell e (m - 1) :: cell e (m - 2) :: cell (negb e) (m - 1) :: cell e
        m :: r)).
    { intro z. rewrite negb_involutive. split.
      - intros [<-|[<-|[<-|[<-|I]]]].
        + left. exists (m - 2). split; [lia|reflexivity].
        + right. exists (m - 1). split; [lia|reflexivity].
        + right. exists (m - 2). split; [lia|reflexivity].
        + left. exists (m - 1). split; [lia|reflexivity].
        + apply M in I as [(j & B & ->)|(j & B & ->)]; [right|left]; exists j;
            (split; [lia|reflexivity]).
      - intros [(j & B & ->)|(j & B & ->)].
        + destruct (Z.eq_dec j (m - 2)) as [->|]; [now left|].
          destruct (Z.eq_dec j (m - 1)) as [->|]; [right; right; right; now left|].
          right. right. right. right. apply M. right. exists j. split; [lia|reflexivity].
        + destruct (Z.eq_dec j (m - 2)) as [->|]; [right; right; now left|].
          destruct (Z.eq_dec j (m - 1)) as [->|]; [right; now left|].
          right. right. right. right. apply M. left. exists j. split; [lia|reflexivity]. }
    destruct Shape as [[X Y]|[[X Y]|[[X Y]|[X Y]]]].
    - apply (IH (negb e) (m - 2) u' u _ (t - 1) Next); lia.
    - apply (IH (negb e) (m - 2) u' u _ t Next); lia.
    - apply (IH (negb e) (m - 2) u' u _ t Next); lia.
    - apply (IH (negb e) (m - 2) u' u _ (t - 1) Next); lia.
  Qed.

  (** The few cells that are marked, one by one. *)
  Ltac on_a_rail := first [left; eexists; split; [|reflexivity]; lia | right; eexists; split;
    [|reflexivity]; lia].
  Ltac among j := cbn [In]; repeat match goal with
    | |- cell ?e ?k = cell ?e j \/ _ => destruct (Z.eq_dec j k) as [->|]; [now left|right]
    | |- cell _ _ = _ \/ _ => right
    end; lia.
  Ltac listed := let z := fresh in let H := fresh in let j := fresh in let B := fresh in intro z;
    cbn [negb]; split;
    [ intro H; repeat (destruct H as [<-|H]; [on_a_rail|]); destruct H |
      intros [(j & B & ->)|(j & B & ->)]; among j ].

  Theorem player_I_wins s : 0 <= s -> h = 4 * s + 3 \/ h = 4 * s + 5 -> won_ [cell false 0].
  Proof.
    intros S [H|H].
    - apply (goes_up false 0 1); [lia|intros [X|[]]; differ X|].
      apply (either false true 1 2 0); [reflexivity|lia|lia|right|right].
      + apply (climbs (Z.to_nat (2 * h)) false 0 2 1 _ s); [listed|lia..].
      + apply (descends (Z.to_nat (2 * h)) true 0 0 1 _ s); [listed|lia..].
    - apply (goes_down false true 0 (-1)); [reflexivity|lia|intros [X|[]]; differ X|].
      apply (either true false (-1) 0 (-2)); [reflexivity|lia|lia|right|right].
      + apply (goes_up true 0 1); [lia|intros [X|[X|[X|[]]]]; differ X|].
        apply (either true false 1 2 0); [reflexivity|lia|lia|right|].
        * apply (climbs (Z.to_nat (2 * h)) true (-1) 2 0 _ s); [listed|lia..].
        * left. right. right. right. now left.
      + apply (goes_up false (-2) (-1)); [lia|intros [X|[X|[X|[]]]]; differ X|].
        apply (either false true (-1) 0 (-2)); [reflexivity|lia|lia| |right].
        * left. right. right. right. now left.
        * apply (descends (Z.to_nat (2 * h)) true (-2) (-1) 0 _ s); [listed|lia..].
  Qed.
End Ladder.

(** * The ladder of a and b *)

Section Steps.
  Open Scope Z_scope.
  Variables a b : nat.
  Let A := Z.of_nat a.
  Let h := Z.of_nat a + Z.of_nat b.
  Hypothesis a_pos : (0 < a)%nat.
  Hypothesis b_pos : (0 < b)%nat.
  Hypothesis a_even : Nat.Even a.
  Hypothesis b_odd : Nat.Odd b.
  Hypothesis prime : Nat.gcd a b = 1%nat.

  Definition place (e : bool) (j : Z) : Z := j * A + (if e then h else 0).
  Definition rung (e : bool) (j : Z) : nat := Z.to_nat (place e j mod (2 * h)).

  Lemma rung_is e j : Z.of_nat (rung e j) = place e j mod (2 * h).
  Proof. unfold rung. apply Z2Nat.id. apply Z.mod_pos_bound. unfold h. lia. Qed.

  Lemma step e j c x : place e j + Z.of_nat c = x -> Z.of_nat ((rung e j + c) mod (2 * (a + b))) = x
    mod (2 * h).
  Proof.
    intro E. rewrite Nat2Z.inj_mod, Nat2Z.inj_add, rung_is.
    replace (Z.of_nat (2 * (a + b))) with (2 * h) by (unfold h; lia).
    now rewrite Zplus_mod_idemp_l, E.
  Qed.

  Lemma ladder_up e j : ((rung e j + a) mod (2 * (a + b)) = rung e (j + 1)%Z)%nat.
  Proof. apply Nat2Z.inj. rewrite rung_is. apply step. unfold place, A. lia. Qed.

  Lemma ladder_down e j : ((rung e j + b) mod (2 * (a + b)) = rung (negb e) (j - 1)%Z)%nat.
  Proof.
    apply Nat2Z.inj. rewrite rung_is. rewrite (step e j b (place e j + Z.of_nat b) eq_refl).
    destruct e; cbn [negb].
    - replace (place true j + Z.of_nat b) with (place false (j - 1) + 1 * (2 * h)) by
        (unfold place, h, A; lia). apply Z_mod_plus_full.
    - f_equal. unfold place, h, A. lia.
  Qed.

  Lemma h_prime : rel_prime h A.
  Proof.
    destruct (Nat.gcd_bezout_pos a b a_pos) as (u & v & E). rewrite prime in E.
    apply bezout_rel_prime.
    apply Bezout_intro with (u := - Z.of_nat v) (v := Z.of_nat u + Z.of_nat v). unfold h, A.
    first [lia | nia].
  Qed.

  Lemma ladder_apart e e' j j' : rung e j = rung e' j' -> e = e' /\ (- h < j - j' < h -> j = j').
  Proof.
    intro E. apply (f_equal Z.of_nat) in E. rewrite !rung_is in E.
    assert (H : 0 < 2 * h) by (unfold h; lia).
    pose proof (Z.div_mod (place e j) (2 * h) ltac:(lia)) as D.
    pose proof (Z.div_mod (place e' j') (2 * h) ltac:(lia)) as D'. rewrite <- E in D'.
    set (q := place e j / (2 * h)) in *. set (q' := place e' j' / (2 * h)) in *.
    set (r := place e j mod (2 * h)) in *. clearbody q q' r.
    destruct a_even as [c Ea]. destruct b_odd as [d Eb].
    assert (EA : A = 2 * Z.of_nat c) by (unfold A; lia).
    assert (Eh : h = 2 * (Z.of_nat c + Z.of_nat d) + 1) by (unfold h; lia).
    assert (Same : e = e').
    { unfold place in *. destruct e, e'; try reflexivity; exfalso; rewrite EA in *.
      - assert (X : 2 * (h * q - h * q' - j * Z.of_nat c + j' * Z.of_nat c) = h) by lia. lia.
      - assert (X : 2 * (h * q' - h * q - j' * Z.of_nat c + j * Z.of_nat c) = h) by lia. lia. }
    split; [exact Same|]. subst e'. intro B. assert (Div : (h | A * (j - j'))).
    { exists (2 * (q - q')). unfold place in *. destruct e; lia. }
    apply Gauss in Div; [|exact h_prime]. destruct Div as [z Z]. assert (z = 0) by nia. subst z.
    lia.
  Qed.

  Lemma ladder_turn e j : rung e (j + h) = rung e j.
  Proof.
    destruct a_even as [c Ea]. apply Nat2Z.inj. rewrite !rung_is.
    replace (place e (j + h)) with (place e j + Z.of_nat c * (2 * h)).
    - apply Z_mod_plus_full.
    - unfold place, A. rewrite Ea. lia.
  Qed.

  Theorem even_and_odd : Gamma_in_N [a; b] (2 * (a + b)).
  Proof.
    unfold Gamma_in_N. destruct a_even as [c Ea]. destruct b_odd as [d Eb].
    assert (S : exists s, 0 <= s /\ (h = 4 * s + 3 \/ h = 4 * s + 5)).
    { destruct (Nat.Even_or_Odd (c + d)) as [[x X]|[x X]].
      - exists (Z.of_nat x - 1). unfold h. lia.
      - exists (Z.of_nat x). unfold h. lia. }
    destruct S as (s & S0 & S).
    pose proof (player_I_wins a b (2 * (a + b)) h rung ltac:(lia) ladder_up ladder_down ladder_apart
      ladder_turn s S0 S) as W.
    replace (rung false 0) with 0%nat in W; [exact W|]. unfold rung. change (place false 0) with 0.
    rewrite Z.mod_0_l by (unfold h; lia). reflexivity.
  Qed.
End Steps.

Open Scope nat_scope.

(** Conjecture 4.11. *)
Theorem twice_the_sum m1 m2 : 0 < m1 -> 0 < m2 -> Gamma_in_N [m1; m2] (2 * (m1 + m2)).
Proof.
  intros Z1 Z2. assert (G : 0 < Nat.gcd m1 m2).
  { destruct (Nat.eq_0_gt_0_cases (Nat.gcd m1 m2)) as [E|E];
      [apply Nat.gcd_eq_0_l in E; lia|exact E]. }
  destruct (Nat.gcd_divide_l m1 m2) as [a Ea]. destruct (Nat.gcd_divide_r m1 m2) as [b Eb].
  set (g := Nat.gcd m1 m2) in *. assert (C : Nat.gcd m1 m2 = g) by reflexivity. clearbody g.
  rewrite Ea, Eb, Nat.gcd_mul_mono_r in C. assert (C1 : Nat.gcd a b = 1) by nia. clear C.
  rename C1 into C.
  assert (A0 : 0 < a) by (destruct a; [cbn in Ea; lia|lia]).
  assert (B0 : 0 < b) by (destruct b; [cbn in Eb; lia|lia]).
  assert (N : Gamma_in_N [a; b] (2 * (a + b))).
  { destruct (Nat.Even_or_Odd a) as [E|O]; destruct (Nat.Even_or_Odd b) as [E'|O'].
    - destruct E as [x X]. destruct E' as [y Y].
      assert (D : Nat.divide 2 (Nat.gcd a b)) by (apply Nat.gcd_greatest; [exists x|exists y]; lia).
      rewrite C in D. destruct D as [z D]. lia.
    - now apply even_and_odd.
    - replace (a + b) with (b + a) by lia. assert (W : Gamma_in_N [b; a] (2 * (b + a))) by
        (apply even_and_odd; auto; now rewrite Nat.gcd_comm).
      refine (proj1 (proj2 (same_modulo [b; a] [a; b] _ _ _ _)) W); [lia| |]; intros x [<-|[<-|[]]];
        eexists; (split; [|reflexivity]); cbn; auto.
    - apply (odd_steps [a; b] (2 * (a + b)) a); [lia|now rewrite Nat.even_mul| |now left].
      intros c [<-|[<-|[]]]; rewrite <- Nat.negb_odd; apply negb_false_iff; now apply Nat.odd_spec.
      }
  pose proof (proj1 (proj2 (same_multiple [a; b] (2 * (a + b)) g ltac:(lia) G)) N) as W.
  cbn [map] in W.
  subst m1 m2. replace [a * g; b * g] with [g * a; g * b] by (now rewrite !(Nat.mul_comm g)).
  replace (2 * (a * g + b * g)) with (g * (2 * (a + b))) by ring. exact W.
Qed.

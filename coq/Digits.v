(** Formulas read by the digits of their numbers, to any base, the most significant digit first.

    After one more digit of each variable a term is b times its old value plus an increment,
      which depends on the digits and on
    finitely much that has to be kept: a remainder for a quotient,
      a difference between limits for the least of two terms. So for each
    formula there is a memory that is known after every digit,
      and that says whether the formula holds. Of a bound variable all
    digits are tried at once. *)

From Coq Require Import List Arith NArith ZArith Lia Bool.
From Bouton Require Import Positions Forms Formulas.
Import ListNotations.
Open Scope Z_scope.

(** * What is kept *)

Inductive memory :=
| Nothing
| Kept (z : Z)
| Both (x y : memory).

Fixpoint same_memory (x y : memory) : bool :=
  match x, y with
  | Nothing, Nothing => true
  | Kept z, Kept t => Z.eqb z t
  | Both x1 x2, Both y1 y2 => same_memory x1 y1 && same_memory x2 y2
  | _, _ => false
  end.

Lemma same_memory_eq x : forall y, same_memory x y = true <-> x = y.
Proof.
  induction x as [|z|x1 IH1 x2 IH2]; intros [|t|y1 y2]; cbn; try (split; congruence).
  - rewrite Z.eqb_eq. split; congruence.
  - rewrite andb_true_iff, IH1, IH2. split; [intros [-> ->]; reflexivity|intro E; injection E;
      auto].
Qed.

(** An order, so that a set is listed in one way. *)
Fixpoint comes (x y : memory) : comparison :=
  match x, y with
  | Nothing, Nothing => Eq
  | Nothing, _ => Lt
  | Kept _, Nothing => Gt
  | Kept z, Kept t => Z.compare z t
  | Kept _, Both _ _ => Lt
  | Both x1 x2, Both y1 y2 => match comes x1 y1 with Eq => comes x2 y2 | c => c end
  | Both _ _, _ => Gt
  end.

(** Sets of memories, as a memory. *)
Fixpoint members (m : memory) : list memory := match m with Both x r => x :: members r | _ => []
  end.

Fixpoint insert (x m : memory) : memory :=
  match m with
  | Both y r =>
    if same_memory x y then m
    else match comes x y with Lt => Both x m | _ => Both y (insert x r) end
  | _ => Both x Nothing
  end.

Definition all_of (l : list memory) (m : memory) : memory := fold_left (fun m x => insert x m) l m.

Lemma members_insert x y m : In y (members (insert x m)) <-> y = x \/ In y (members m).
Proof.
  induction m as [|z|a IHa r IHr]; cbn [insert members In]; try (split; intros [<-|[]]; now left).
  destruct (same_memory x a) eqn:S.
  - apply same_memory_eq in S as ->. cbn [members In]. split; [tauto|].
    intros [->|H]; [now left|exact H].
  - destruct (comes x a); cbn [members In]; try (rewrite IHr); split; intuition congruence.
Qed.

Lemma members_all l : forall m y, In y (members (all_of l m)) <-> In y l \/ In y (members m).
Proof.
  unfold all_of. induction l as [|x l IH]; intros m y; cbn [fold_left In]; [tauto|].
  rewrite IH, members_insert. intuition congruence.
Qed.

Definition zero : env := fun _ => 0%N.

Section Base.
  Variable b : N.
  Hypothesis base : (2 <= b)%N.
  Notation B := (Z.of_N b).

  Definition digits : list N := map N.of_nat (seq 0 (N.to_nat b)).

  Lemma digits_in d : In d digits <-> (d < b)%N.
  Proof.
    unfold digits. rewrite in_map_iff. split.
    - intros (k & <- & K). apply in_seq in K. lia.
    - intro H. exists (N.to_nat d). split; [lia|]. apply in_seq. lia.
  Qed.

  (** One more digit of each variable. *)
  Definition after_digit (e c : env) : env := fun i => (b * e i + c i)%N.
  Definition are_digits (c : env) : Prop := forall i, (c i < b)%N.

  Definition value (t : term) (e : env) : Z := Z.of_N (tden t e).

  (** * Terms *)

  (** Most that an increment is, either way. *)
  Fixpoint swing (t : term) : N :=
    match t with
    | Number k => (b - 1) * k
    | Heap _ => b - 1
    | Plus x y => swing x + swing y
    | Times k x => k * swing x
    | Xor _ _ => 1
    | Least x y | Greatest x y => N.max (swing x) (swing y)
    | Quotient x k => (b * (k - 1) + swing x) / k + 1
    | Remainder _ k => b * (k - 1)
    | Digit_sum _ is => N.of_nat (length is)
    end%N.

  (** Terms whose increments are digits 0 and 1 to base 2. *)
  Fixpoint bitwise (t : term) : bool :=
    match t with
    | Heap _ | Xor _ _ => true
    | Quotient x _ => bitwise x
    | _ => false
    end.

  Fixpoint term_readable (t : term) : bool :=
    match t with
    | Number _ | Heap _ => true
    | Plus x y | Least x y | Greatest x y => term_readable x && term_readable y
    | Times _ x => term_readable x
    | Xor x y => N.eqb b 2 && (bitwise x && bitwise y) && (term_readable x && term_readable y)
    | Quotient x k | Remainder x k => negb (N.eqb k 0) && term_readable x
    | Digit_sum _ _ => N.eqb b 2
    end.

  (** A difference beyond the limit keeps its sign, and stays beyond. *)
  Definition limit (x y : term) : Z := Z.of_N ((swing x + swing y) / (b - 1) + 1).
  Definition clip (l d : Z) : Z := Z.max (- l) (Z.min l d).

  Fixpoint ideal (t : term) (e : env) : memory :=
    match t with
    | Number _ | Heap _ | Digit_sum _ _ => Nothing
    | Plus x y | Xor x y => Both (ideal x e) (ideal y e)
    | Times _ x => ideal x e
    | Least x y | Greatest x y => Both (Kept (clip (limit x y) (value x e - value y e))) (Both
      (ideal x e) (ideal y e))
    | Quotient x k | Remainder x k => Both (Kept (value x e mod Z.of_N k)) (ideal x e)
    end.

  (** What is kept after one more digit, and the increment. *)
  Fixpoint term_step (t : term) (m : memory) (c : env) : memory * Z :=
    match t with
    | Number k => (Nothing, (1 - B) * Z.of_N k)
    | Heap i => (Nothing, Z.of_N (c i))
    | Digit_sum k is => (Nothing, Z.of_N (ones (map c is) mod k))
    | Times k x => let (m, w) := term_step x m c in (m, Z.of_N k * w)
    | Plus x y | Xor x y =>
      match m with
      | Both mx my =>
        let (mx, v) := term_step x mx c in let (my, w) := term_step y my c in
        (Both mx my, match t with Plus _ _ => v + w | _ => if Z.eqb v w then 0 else 1 end)
      | _ => (Nothing, 0)
      end
    | Least x y | Greatest x y =>
      match m with
      | Both (Kept d) (Both mx my) =>
        let (mx, v) := term_step x mx c in let (my, w) := term_step y my c in
        let d' := B * d + (v - w) in
        (Both (Kept (clip (limit x y) d')) (Both mx my),
         match t with Least _ _ => w + Z.min d' 0 - B * Z.min d 0 | _ => w + Z.max d' 0 - B *
           Z.max d 0 end)
      | _ => (Nothing, 0)
      end
    | Quotient x k | Remainder x k =>
      match m with
      | Both (Kept r) mx =>
        let (mx, w) := term_step x mx c in
        let s := B * r + w in
        (Both (Kept (s mod Z.of_N k)) mx,
          match t with Quotient _ _ => s / Z.of_N k | _ => s mod Z.of_N k - B * r end)
      | _ => (Nothing, 0)
      end
    end.

  Lemma limit_enough x y w : Z.abs w <= Z.of_N (swing x) + Z.of_N (swing y)
    -> Z.abs w <= (B - 1) * limit x y /\ 1 <= limit x y.
  Proof.
    intro H. unfold limit. pose proof (N.div_mod (swing x + swing y) (b - 1) ltac:(lia)) as D.
    pose proof (N.mod_lt (swing x + swing y) (b - 1) ltac:(lia)) as M.
    set (q := ((swing x + swing y) / (b - 1))%N) in *. split; [|lia].
    assert (Z.of_N (swing x + swing y) <= (B - 1) * Z.of_N (q + 1)); [|lia].
    replace (B - 1) with (Z.of_N (b - 1)) by lia. rewrite <- N2Z.inj_mul. lia.
  Qed.

  Lemma clip_step l d w : 1 <= l -> Z.abs w <= (B - 1) * l ->
    clip l (B * clip l d + w) = clip l (B * d + w) /\
    Z.min (B * clip l d + w) 0 - B * Z.min (clip l d) 0 = Z.min (B * d + w) 0 - B * Z.min d 0 /\
    Z.max (B * clip l d + w) 0 - B * Z.max (clip l d) 0 = Z.max (B * d + w) 0 - B * Z.max d 0.
  Proof.
    intros L W. assert (B2 : 2 <= B) by lia.
    assert (P : 0 < B) by lia. replace ((B - 1) * l) with (B * l - l) in W by ring.
    destruct (Z.le_gt_cases d l) as [H1|H1]; [destruct (Z.le_gt_cases (- l) d) as [H2|H2]|].
    - replace (clip l d) with d by (unfold clip; lia). auto.
    - replace (clip l d) with (- l) by (unfold clip; lia).
      assert (M : B * d <= B * - l) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite Z.mul_opp_r in *.
      rewrite !(Z.min_l _ 0), !(Z.max_r _ 0), Z.mul_opp_r by lia.
      revert W M. unfold clip. generalize (B * l) (B * d).
      clear - L. intros. lia.
    - replace (clip l d) with l by (unfold clip; lia).
      assert (M : B * l <= B * d) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite !(Z.min_r _ 0), !(Z.max_l _ 0) by lia.
      revert W M. unfold clip. generalize (B * l) (B * d). clear - L. intros. lia.
  Qed.

  Lemma extreme_swing x y v w : let x' := B * x + v in let y' := B * y + w in
    Z.abs (Z.min x' y' - B * Z.min x y) <= Z.max (Z.abs v) (Z.abs w)
      /\ Z.abs (Z.max x' y' - B * Z.max x y) <= Z.max (Z.abs v) (Z.abs w).
  Proof.
    cbn zeta. destruct (Z.le_ge_cases x y) as [H|H].
    - assert (B * x <= B * y) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite (Z.min_l x y), (Z.max_r x y) by lia. lia.
    - assert (B * y <= B * x) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite (Z.min_r x y), (Z.max_l x y) by lia. lia.
  Qed.

  Lemma clip_sign l d : 1 <= l -> (clip l d =? 0) = (d =? 0) /\ (clip l d <=? 0) = (d <=? 0)
    /\ (clip l d <? 0) = (d <? 0).
  Proof.
    intro L. unfold clip. repeat split.
    - destruct (Z.eqb_spec d 0); [apply Z.eqb_eq|apply Z.eqb_neq]; lia.
    - destruct (Z.leb_spec d 0); [apply Z.leb_le|apply Z.leb_gt]; lia.
    - destruct (Z.ltb_spec d 0); [apply Z.ltb_lt|apply Z.ltb_ge]; lia.
  Qed.

  Lemma lxor_digit x y d d' : (d < 2)%N -> (d' < 2)%N ->
    N.lxor (2 * x + d) (2 * y + d') = (2 * N.lxor x y + if N.eqb d d' then 0 else 1)%N.
  Proof.
    intros H H'. assert (D : d = 0%N \/ d = 1%N) by lia. assert (D' : d' = 0%N \/ d' = 1%N) by lia.
    destruct D as [->| ->], D' as [->| ->], x as [|x], y as [|y]; try reflexivity; cbn;
      now destruct (Pos.lxor x y).
  Qed.

  Lemma value_least x y e : value (Least x y) e = Z.min (value x e) (value y e).
  Proof. unfold value. cbn [tden]. apply N2Z.inj_min. Qed.
  Lemma value_greatest x y e : value (Greatest x y) e = Z.max (value x e) (value y e).
  Proof. unfold value. cbn [tden]. apply N2Z.inj_max. Qed.

  Lemma term_step_right t : forall e c, term_readable t = true -> are_digits c ->
    term_step t (ideal t e) c = (ideal t (after_digit e c),
      value t (after_digit e c) - B * value t e) /\
    Z.abs (value t (after_digit e c) - B * value t e) <= Z.of_N (swing t) /\
    (bitwise t = true -> b = 2%N -> 0 <= value t (after_digit e c) - B * value t e <= 1).
  Proof.
    induction t as
      [k|i|x IHx y IHy|k x IHx|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx k|x IHx k|k is];
      intros e c R C;
      cbn [term_readable] in R; cbn [ideal term_step swing bitwise].
    - unfold value; cbn [tden]. split; [f_equal; lia|]. split; [|discriminate].
      rewrite N2Z.inj_mul, N2Z.inj_sub by lia. nia.
    - unfold value, after_digit; cbn [tden]. specialize (C i). split; [f_equal; lia|]. split; lia.
    - apply andb_true_iff in R as [Rx Ry]. destruct (IHx e c Rx C) as (Ex & Wx & _).
      destruct (IHy e c Ry C) as (Ey & Wy & _).
      rewrite Ex, Ey. unfold value in *; cbn [tden]. split; [f_equal; lia|].
      split; [lia|discriminate].
    - destruct (IHx e c R C) as (Ex & Wx & _). rewrite Ex. unfold value in *; cbn [tden].
      rewrite !N2Z.inj_mul.
      split; [f_equal; ring|]. split; [|discriminate].
      set (u := Z.of_N (tden x (after_digit e c))) in *. set (v := Z.of_N (tden x e)) in *.
      replace (Z.of_N k * u - B * (Z.of_N k * v)) with (Z.of_N k * (u - B * v)) by ring.
      rewrite Z.abs_mul. nia.
    - rewrite !andb_true_iff in R. destruct R as [[R2 [Bx By]] [Rx Ry]]. apply N.eqb_eq in R2.
      destruct (IHx e c Rx C) as (Ex & _ & Dx). destruct (IHy e c Ry C) as (Ey & _ & Dy).
      specialize (Dx Bx R2). specialize (Dy By R2).
      rewrite Ex, Ey. unfold value in *; cbn [tden].
      set (u := tden x (after_digit e c)) in *. set (v := tden x e) in *.
      set (u' := tden y (after_digit e c)) in *. set (v' := tden y e) in *.
      assert (U : (u = 2 * v + (u - 2 * v))%N) by lia.
      assert (U' : (u' = 2 * v' + (u' - 2 * v'))%N) by lia.
      pose proof (lxor_digit v v' (u - 2 * v) (u' - 2 * v') ltac:(lia) ltac:(lia)) as L.
      rewrite <- U, <- U' in L. rewrite L, R2.
      destruct (N.eqb_spec (u - 2 * v) (u' - 2 * v')) as [E|E].
      + rewrite (proj2 (Z.eqb_eq (Z.of_N u - Z.of_N 2 * Z.of_N v) (Z.of_N u' - Z.of_N 2 * Z.of_N
          v'))) by lia.
        split; [f_equal; lia|]. split; lia.
      + rewrite (proj2 (Z.eqb_neq (Z.of_N u - Z.of_N 2 * Z.of_N v) (Z.of_N u' - Z.of_N 2 * Z.of_N
          v'))) by lia.
        split; [f_equal; lia|]. split; lia.
    - apply andb_true_iff in R as [Rx Ry]. destruct (IHx e c Rx C) as (Ex & Wx & _).
      destruct (IHy e c Ry C) as (Ey & Wy & _).
      rewrite Ex, Ey. set (v := value x (after_digit e c) - B * value x e) in *.
      set (w := value y (after_digit e c) - B * value y e) in *.
      destruct (limit_enough x y (v - w) ltac:(lia)) as [L1 L2].
      destruct (clip_step (limit x y) (value x e - value y e) (v - w) L2 L1) as (C1 & C2 & _).
      assert (D : B * (value x e - value y e) + (v - w) = value x (after_digit e c) - value y
        (after_digit e c)) by (subst v w; ring).
      rewrite D in C1, C2. cbn zeta. rewrite C1. rewrite !value_least.
      split; [f_equal; subst v w; lia|]. split; [|discriminate].
      destruct (extreme_swing (value x e) (value y e) v w) as [S1 S2].
      replace (B * value x e + v) with (value x (after_digit e c)) in S1, S2 by (subst v; ring).
      replace (B * value y e + w) with (value y (after_digit e c)) in S1, S2 by (subst w; ring).
      clear - S1 S2 Wx Wy. rewrite N2Z.inj_max. lia.
    - apply andb_true_iff in R as [Rx Ry]. destruct (IHx e c Rx C) as (Ex & Wx & _).
      destruct (IHy e c Ry C) as (Ey & Wy & _).
      rewrite Ex, Ey. set (v := value x (after_digit e c) - B * value x e) in *.
      set (w := value y (after_digit e c) - B * value y e) in *.
      destruct (limit_enough x y (v - w) ltac:(lia)) as [L1 L2].
      destruct (clip_step (limit x y) (value x e - value y e) (v - w) L2 L1) as (C1 & _ & C2).
      assert (D : B * (value x e - value y e) + (v - w) = value x (after_digit e c) - value y
        (after_digit e c)) by (subst v w; ring).
      rewrite D in C1, C2. cbn zeta. rewrite C1. rewrite !value_greatest.
      split; [f_equal; subst v w; lia|]. split; [|discriminate].
      destruct (extreme_swing (value x e) (value y e) v w) as [S1 S2].
      replace (B * value x e + v) with (value x (after_digit e c)) in S1, S2 by (subst v; ring).
      replace (B * value y e + w) with (value y (after_digit e c)) in S1, S2 by (subst w; ring).
      clear - S1 S2 Wx Wy. rewrite N2Z.inj_max. lia.
    - apply andb_true_iff in R as [K Rx]. apply negb_true_iff, N.eqb_neq in K.
      destruct (IHx e c Rx C) as (Ex & Wx & Dx). rewrite Ex. cbn zeta.
      unfold value in *; cbn [tden].
      set (u := Z.of_N (tden x (after_digit e c))) in *. set (v := Z.of_N (tden x e)) in *.
      rewrite !N2Z.inj_div. fold u v. pose proof (Z.div_mod v (Z.of_N k) ltac:(lia)) as DV.
      pose proof (Z.mod_pos_bound v (Z.of_N k) ltac:(lia)) as MV.
      set (q := v / Z.of_N k) in *. set (r := v mod Z.of_N k) in *.
      assert (E : u = B * r + (u - B * v) + (B * q) * Z.of_N k) by (rewrite DV; ring).
      assert (E1 : u mod Z.of_N k = (B * r + (u - B * v)) mod Z.of_N k) by (rewrite E at 1;
        now rewrite Z.mod_add by lia).
      assert (E2 : u / Z.of_N k = (B * r + (u - B * v)) / Z.of_N k + B * q) by (rewrite E at 1;
        now rewrite Z.div_add by lia).
      rewrite <- E1. split; [f_equal; lia|]. rewrite E2.
      replace (_ / _ + B * q - B * q) with ((B * r + (u - B * v)) / Z.of_N k) by lia.
      set (s := B * r + (u - B * v)) in *.
      pose proof (Z.div_mod s (Z.of_N k) ltac:(lia)) as DS.
      pose proof (Z.mod_pos_bound s (Z.of_N k) ltac:(lia)) as MS.
      assert (S : Z.abs s <= Z.of_N (b * (k - 1) + swing x)).
      { rewrite N2Z.inj_add, N2Z.inj_mul, N2Z.inj_sub by lia. subst s. nia. }
      split.
      + pose proof (N.div_mod (b * (k - 1) + swing x) k K) as DN.
        pose proof (N.mod_lt (b * (k - 1) + swing x) k K) as MN.
        set (g := ((b * (k - 1) + swing x) / k)%N) in *.
        assert (G : (b * (k - 1) + swing x < k * (g + 1))%N) by (rewrite N.mul_add_distr_l;
          clear - DN MN; lia).
        apply N2Z.inj_lt in G. rewrite (N2Z.inj_mul k), (N2Z.inj_add g) in G.
        rewrite (N2Z.inj_add g). change (Z.of_N 1) with 1 in *.
        assert (PK : 0 < Z.of_N k) by lia. clear - S G PK. apply Z.abs_le. split.
        * apply Z.div_le_lower_bound; [exact PK|]. rewrite Z.mul_opp_r. lia.
        * apply Z.lt_le_incl, Z.div_lt_upper_bound; [exact PK|]. lia.
      + intros Bx B2. specialize (Dx Bx B2). assert (E2' : B = 2) by lia.
        assert (S' : 0 <= s < Z.of_N k * 2) by (subst s; rewrite E2' in *; lia).
        split; [apply Z.div_le_lower_bound; lia|]. apply Z.lt_succ_r, Z.div_lt_upper_bound; lia.
    - apply andb_true_iff in R as [K Rx]. apply negb_true_iff, N.eqb_neq in K.
      destruct (IHx e c Rx C) as (Ex & Wx & _). rewrite Ex. cbn zeta. unfold value in *; cbn [tden].
      set (u := Z.of_N (tden x (after_digit e c))) in *. set (v := Z.of_N (tden x e)) in *.
      rewrite !N2Z.inj_mod. fold u v. pose proof (Z.div_mod v (Z.of_N k) ltac:(lia)) as DV.
      pose proof (Z.mod_pos_bound v (Z.of_N k) ltac:(lia)) as MV.
      set (q := v / Z.of_N k) in *. set (r := v mod Z.of_N k) in *.
      assert (E : u = B * r + (u - B * v) + (B * q) * Z.of_N k) by (rewrite DV; ring).
      assert (E1 : u mod Z.of_N k = (B * r + (u - B * v)) mod Z.of_N k) by (rewrite E at 1;
        now rewrite Z.mod_add by lia).
      rewrite <- E1. split; [reflexivity|]. split; [|discriminate].
      pose proof (Z.mod_pos_bound u (Z.of_N k) ltac:(lia)). rewrite N2Z.inj_mul, N2Z.inj_sub by lia.
      nia.
    - apply N.eqb_eq in R. unfold value; cbn [tden].
      assert (D : digit_sum k (map (after_digit e c) is) =
        (2 * digit_sum k (map e is) + ones (map c is) mod k)%N).
      { rewrite digit_sum_half, !map_map.
        assert (H : forall i, N.div2 (after_digit e c i) = e i
          /\ N.odd (after_digit e c i) = N.odd (c i)).
        { intro i. specialize (C i). unfold after_digit. rewrite R in *.
          assert (X : c i = 0%N \/ c i = 1%N) by lia. rewrite N.add_comm. split.
          - destruct X as [-> | ->]; rewrite N.div2_div.
            + rewrite N.add_0_l, N.mul_comm. now apply N.div_mul.
            + rewrite N.mul_comm, N.div_add by discriminate. reflexivity.
          - rewrite N.odd_add_mul_2. reflexivity. }
        f_equal; [f_equal; f_equal; apply map_ext; intro i; apply H|]. f_equal.
        induction is as [|i is IH]; [reflexivity|]. cbn [map ones fold_right].
        fold (ones (map (after_digit e c) is)) (ones (map c is)). rewrite IH.
        now destruct (H i) as [_ ->]. }
      rewrite D. assert (M : (ones (map c is) mod k <= N.of_nat (length is))%N).
      { assert (L : (ones (map c is) <= N.of_nat (length is))%N).
        { clear. induction is as [|i is IH]; [cbn; lia|]. cbn [map ones fold_right length].
          fold (ones (map c is)). destruct (N.odd (c i)); cbn [N.b2n]; lia. }
        destruct k as [|k]; [now destruct (ones (map c is))|].
        pose proof (N.mod_le (ones (map c is)) (N.pos k) ltac:(discriminate)). lia. }
      revert M. generalize (ones (map c is) mod k)%N as r. intros r M. rewrite R.
      split; [f_equal; lia|]. split; [lia|discriminate].
  Qed.

  Lemma ideal_same t e e' : same e e' -> ideal t e = ideal t e'.
  Proof.
    intro S. assert (V : forall x, value x e = value x e') by (intro x; unfold value;
      now rewrite (tden_same x e e' S)).
    induction t; cbn [ideal]; congruence.
  Qed.

  (** * Formulas *)

  (** All digits of a bound variable at once. *)
  Definition all_steps (step : memory -> env
    -> memory) (i : nat) (m : memory) (c : env) : list memory :=
    flat_map (fun x => map (fun d => step x (set c i d)) digits) (members m).

  (** What digits to come cannot change. *)
  Definition verdict (t : bool) : memory := Kept (if t then 1 else 0).

  Fixpoint known (f : formula) (m : memory) : option bool :=
    match f, m with
    | Not f, m => option_map negb (known f m)
    | _, Kept z => Some (Z.eqb z 1)
    | _, _ => None
    end.

  (** A difference at the limit stays there; one part of a formula may decide it. *)
  Definition simplified (f : formula) (m : memory) : memory :=
    match f, m with
    | Equal x y, Both (Kept d) _ => if Z.eqb (Z.abs d) (limit x y) then verdict false else m
    | AtMost x y, Both (Kept d) _ | Less x y, Both (Kept d) _ =>
      if Z.eqb d (limit x y) then verdict false else if Z.eqb d (- limit x y) then verdict true
        else m
    | And f g, Both mf mg =>
      match known f mf, known g mg with
      | Some false, _ | _, Some false => verdict false
      | Some true, Some true => verdict true
      | _, _ => m
      end
    | Or f g, Both mf mg =>
      match known f mf, known g mg with
      | Some true, _ | _, Some true => verdict true
      | Some false, Some false => verdict false
      | _, _ => m
      end
    | _, m => m
    end.

  Fixpoint formula_step (f : formula) (m : memory) (c : env) : memory :=
    match f with
    | Not f => formula_step f m c
    | _ =>
      match m with
      | Kept _ => m
      | _ =>
        simplified f
          match f with
          | Known t => verdict t
          | Equal x y | AtMost x y | Less x y => fst (term_step (Least x y) m c)
          | Not f => m
          | And f g | Or f g => match m with Both mf mg => Both (formula_step f mf c)
            (formula_step g mg c) | _ => Nothing end
          | Exists i f => all_of (all_steps (formula_step f) i m c) Nothing
          end
      end
    end.

  (** A bound number may have more digits than the others: as many as are needed. *)
  Definition more_digits (f : formula) (i : nat) (m : memory) : memory := all_of (all_steps
    (formula_step f) i m zero) m.

  Fixpoint formula_start (f : formula) : memory :=
    match f with
    | Known t => verdict t
    | Equal x y | AtMost x y | Less x y => simplified f (ideal (Least x y) zero)
    | Not f => formula_start f
    | And g h | Or g h => simplified f (Both (formula_start g) (formula_start h))
    | Exists i f => Nat.iter 64 (more_digits f i) (insert (formula_start f) Nothing)
    end.

  Fixpoint formula_holds (f : formula) (m : memory) : bool :=
    match f, m with
    | Not f, m => negb (formula_holds f m)
    | _, Kept z => Z.eqb z 1
    | Equal _ _, Both (Kept d) _ => Z.eqb d 0
    | AtMost _ _, Both (Kept d) _ => Z.leb d 0
    | Less _ _, Both (Kept d) _ => Z.ltb d 0
    | And f g, Both mf mg => formula_holds f mf && formula_holds g mg
    | Or f g, Both mf mg => formula_holds f mf || formula_holds g mg
    | Exists _ f, m => existsb (formula_holds f) (members m)
    | _, _ => false
    end.

  Fixpoint formula_readable (f : formula) : bool :=
    match f with
    | Known _ => true
    | Equal x y | AtMost x y | Less x y => term_readable x && term_readable y
    | Not f => formula_readable f
    | And f g | Or f g => formula_readable f && formula_readable g
    | Exists i f =>
      let m := formula_start (Exists i f) in
      formula_readable f && forallb (fun x => existsb (same_memory x) (members m)) (all_steps
        (formula_step f) i m zero)
    end.

  Definition difference (x y : term) (e : env) : Z := value x e - value y e.

  (** Decided, whatever digits follow. *)
  Fixpoint settled (t : bool) (f : formula) (e : env) : Prop :=
    match f with
    | Known u => u = t
    | Equal x y => t = false /\ limit x y <= Z.abs (difference x y e)
    | AtMost x y | Less x y => if t then difference x y e <= - limit x y else limit x y <=
      difference x y e
    | Not f => settled (negb t) f e
    | And f g => if t then settled true f e
      /\ settled true g e else settled false f e \/ settled false g e
    | Or f g => if t then settled true f e \/ settled true g e else settled false f e
      /\ settled false g e
    | Exists _ _ => False
    end.

  (** The memory is right, once the variables have these values. *)
  Fixpoint right (f : formula) (m : memory) (e : env) : Prop :=
    match f with
    | Not f => right f m e
    | _ => (exists t, m = verdict t /\ settled t f e) \/
      match f with
      | Known _ => False
      | Equal x y | AtMost x y | Less x y => m = ideal (Least x y) e
      | Not f => False
      | And f g | Or f g => exists mf mg, m = Both mf mg /\ right f mf e /\ right g mg e
      | Exists i f =>
        (forall z, m <> Kept z) /\
        (forall v, exists x, In x (members m) /\ right f x (set e i v)) /\
        (forall x, In x (members m) -> exists v, right f x (set e i v))
      end
    end.

  Lemma limit_positive x y : 1 <= limit x y.
  Proof. unfold limit. rewrite N2Z.inj_add. pose proof (N2Z.is_nonneg ((swing x + swing y) / (b -
    1))). lia. Qed.

  Lemma settled_same f : forall t e e', same e e' -> settled t f e -> settled t f e'.
  Proof.
    assert (V : forall x e e', same e e' -> value x e = value x e') by (intros x e e' S;
      unfold value; now rewrite (tden_same x e e' S)).
    induction f; intros t e e' S; cbn [settled]; unfold difference;
      try (rewrite (V a e e' S), (V b0 e e' S)); try (destruct t; intuition eauto; fail); eauto.
  Qed.

  Lemma settled_holds f : forall t e, settled t f e -> (fden f e <-> t = true).
  Proof.
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros t e S;
      cbn [settled fden] in *; unfold difference, value in *;
      try pose proof (limit_positive x y).
    - subst u. destruct t; intuition discriminate.
    - destruct S as [-> S]. split; [lia|discriminate].
    - destruct t; split; (lia || discriminate || reflexivity).
    - destruct t; split; (lia || discriminate || reflexivity).
    - specialize (IHf _ _ S). destruct t; cbn [negb] in IHf; intuition discriminate.
    - destruct t.
      + destruct S as [F G]. specialize (IHf _ _ F). specialize (IHg _ _ G). intuition.
      + destruct S as [F|F]; [specialize (IHf _ _ F)|specialize (IHg _ _ F)];
          intuition discriminate.
    - destruct t.
      + destruct S as [F|F]; [specialize (IHf _ _ F)|specialize (IHg _ _ F)]; intuition.
      + destruct S as [F G]. specialize (IHf _ _ F). specialize (IHg _ _ G). intuition discriminate.
    - destruct S.
  Qed.

  Lemma known_right f : forall m t e, known f m = Some t -> right f m e -> settled t f e.
  Proof.
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m t e K R;
      cbn [known right settled] in *;
      try (destruct m as [|z|m1 m2]; try discriminate; injection K as <-;
           destruct R as [(t & E & S)|R];
           [injection E as ->; destruct t; exact S|]; try discriminate R; try (destruct R; fail);
           try (destruct R as (mf & mg & R & _); discriminate R); destruct R as [R _];
             now destruct (R z)).
    destruct (known f m) as [u|] eqn:E; [|discriminate]. injection K as <-. rewrite negb_involutive.
    exact (IHf m u e E R).
  Qed.

  Lemma simplified_right f m e :
    match f with
    | Equal x y | AtMost x y | Less x y => m = ideal (Least x y) e
    | And f g | Or f g => exists mf mg, m = Both mf mg /\ right f mf e /\ right g mg e
    | _ => False
    end -> right f (simplified f m) e.
  Proof.
    destruct f as [u|x y|x y|x y|f|f g|f g|i f]; [intros []| | | |intros []| | |intros []];
      cbn [right].
    - intros ->. cbn [ideal simplified]. fold (difference x y e). pose proof (limit_positive x y).
      destruct (Z.eqb_spec (Z.abs (clip (limit x y) (difference x y e))) (limit x y)) as [E|E].
      + left. exists false. split; [reflexivity|]. cbn [settled]. split; [reflexivity|].
        unfold clip in E. lia.
      + right. reflexivity.
    - intros ->. cbn [ideal simplified]. fold (difference x y e). pose proof (limit_positive x y).
      destruct (Z.eqb_spec (clip (limit x y) (difference x y e)) (limit x y)) as [E|E];
        [|destruct (Z.eqb_spec (clip (limit x y) (difference x y e)) (- limit x y)) as [E'|E']].
      + left. exists false. split; [reflexivity|]. cbn [settled]. unfold clip in E. lia.
      + left. exists true. split; [reflexivity|]. cbn [settled]. unfold clip in E'. lia.
      + right. reflexivity.
    - intros ->. cbn [ideal simplified]. fold (difference x y e). pose proof (limit_positive x y).
      destruct (Z.eqb_spec (clip (limit x y) (difference x y e)) (limit x y)) as [E|E];
        [|destruct (Z.eqb_spec (clip (limit x y) (difference x y e)) (- limit x y)) as [E'|E']].
      + left. exists false. split; [reflexivity|]. cbn [settled]. unfold clip in E. lia.
      + left. exists true. split; [reflexivity|]. cbn [settled]. unfold clip in E'. lia.
      + right. reflexivity.
    - intros (mf & mg & -> & F & G). cbn [simplified settled].
      pose proof (fun t K => known_right f mf t e K F) as Kf.
      pose proof (fun t K => known_right g mg t e K G) as Kg.
      destruct (known f mf) as [[]|], (known g mg) as [[]|];
        try (right; now exists mf, mg); left;
        (exists true; split; [reflexivity|]; auto; fail) || (exists false; split; [reflexivity|];
          auto).
    - intros (mf & mg & -> & F & G). cbn [simplified settled].
      pose proof (fun t K => known_right f mf t e K F) as Kf.
      pose proof (fun t K => known_right g mg t e K G) as Kg.
      destruct (known f mf) as [[]|], (known g mg) as [[]|];
        try (right; now exists mf, mg); left;
        (exists true; split; [reflexivity|]; auto; fail) || (exists false; split; [reflexivity|];
          auto).
  Qed.

  Lemma right_same f : forall m e e', same e e' -> right f m e -> right f m e'.
  Proof.
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m e e' S;
      cbn [right];
      try (intros [(t & E & R)|R]; [left; exists t; split;
        [exact E|now apply (settled_same _ t e e' S)]|right]).
    - exact R.
    - rewrite R. now apply ideal_same.
    - rewrite R. now apply ideal_same.
    - rewrite R. now apply ideal_same.
    - now apply IHf.
    - destruct R as (mf & mg & E & F & G). exists mf, mg. eauto.
    - destruct R as (mf & mg & E & F & G). exists mf, mg. eauto.
    - destruct R as (N & H1 & H2). split; [exact N|]. split.
      + intro v. destruct (H1 v) as (x & X & R). exists x. split; [exact X|].
        apply (IHf x (set e i v)); [now apply set_both|exact R].
      + intros x X. destruct (H2 x X) as [v R]. exists v.
        apply (IHf x (set e i v)); [now apply set_both|exact R].
  Qed.

  Theorem right_holds f : forall m e, right f m e -> (formula_holds f m = true <-> fden f e).
  Proof.
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m e R;
      cbn [right] in R;
      try (destruct R as [(t & -> & S)|R]; [rewrite (settled_holds _ t e S);
        cbn [formula_holds verdict]; now destruct t|]); cbn [fden].
    - destruct R.
    - subst m. cbn [ideal formula_holds]. destruct (clip_sign (limit x y) (value x e - value y e)
        (limit_positive x y)) as (-> & _ & _). rewrite Z.eqb_eq. unfold value. lia.
    - subst m. cbn [ideal formula_holds]. destruct (clip_sign (limit x y) (value x e - value y e)
        (limit_positive x y)) as (_ & -> & _). rewrite Z.leb_le. unfold value. lia.
    - subst m. cbn [ideal formula_holds]. destruct (clip_sign (limit x y) (value x e - value y e)
        (limit_positive x y)) as (_ & _ & ->). rewrite Z.ltb_lt. unfold value. lia.
    - cbn [formula_holds]. rewrite negb_true_iff, <- not_true_iff_false. now rewrite (IHf m e R).
    - destruct R as (mf & mg & -> & F & G). cbn [formula_holds]. rewrite andb_true_iff.
      now rewrite (IHf mf e F), (IHg mg e G).
    - destruct R as (mf & mg & -> & F & G). cbn [formula_holds]. rewrite orb_true_iff.
      now rewrite (IHf mf e F), (IHg mg e G).
    - destruct R as (N & H1 & H2). replace (formula_holds (Exists i f) m) with (existsb
        (formula_holds f) (members m)) by (destruct m as [|z|]; try reflexivity;
          now destruct (N z)).
      rewrite existsb_exists. split.
      + intros (x & X & T). destruct (H2 x X) as [v R]. exists v. now apply (IHf x _ R).
      + intros [v T]. destruct (H1 v) as (x & X & R). exists x. split; [exact X|].
        now apply (IHf x _ R).
  Qed.

  Lemma settled_step f : formula_readable f = true -> forall t e c,
    are_digits c -> settled t f e -> settled t f (after_digit e c).
  Proof.
    assert (D : forall x y e c, term_readable x && term_readable y = true -> are_digits c ->
      (limit x y <= difference x y e -> limit x y <= difference x y (after_digit e c)) /\
      (difference x y e <= - limit x y -> difference x y (after_digit e c) <= - limit x y)).
    { intros x y e c R C. apply andb_true_iff in R as [Rx Ry].
      destruct (term_step_right x e c Rx C) as (_ & Wx & _).
      destruct (term_step_right y e c Ry C) as (_ & Wy & _).
      set (v := value x (after_digit e c) - B * value x e) in *.
      set (w := value y (after_digit e c) - B * value y e) in *.
      destruct (limit_enough x y (v - w) ltac:(lia)) as [L1 L2].
      assert (E : difference x y (after_digit e c) = B * difference x y e + (v - w)) by (unfold
        difference; subst v w; ring).
      rewrite E. assert (B2 : 2 <= B) by lia. clear - L1 L2 B2. nia. }
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros Q t e c C S;
      cbn [settled formula_readable] in *;
      try (destruct (D x y e c Q C) as [D1 D2]); auto.
    - destruct S as [-> S]. split; [reflexivity|]. pose proof (limit_positive x y).
      destruct (Z.le_gt_cases 0 (difference x y e)); lia.
    - destruct t; auto.
    - destruct t; auto.
    - apply andb_true_iff in Q as [Qf Qg]. destruct t; [destruct S as [F G]; split;
        auto|destruct S as [F|F]; [left|right]; auto].
    - apply andb_true_iff in Q as [Qf Qg]. destruct t; [destruct S as [F|F]; [left|right];
        auto|destruct S as [F G]; split; auto].
  Qed.

  Lemma set_digit e c i v d : same (after_digit (set e i v) (set c i d)) (set (after_digit e c) i
    (b * v + d)%N).
  Proof. intro j. unfold after_digit, set. now destruct (Nat.eqb j i). Qed.

  Lemma are_digits_set c i d : are_digits c -> (d < b)%N -> are_digits (set c i d).
  Proof. intros C D j. unfold set. destruct (Nat.eqb j i); auto. Qed.

  Lemma digits_zero : are_digits zero.
  Proof. intro i. unfold zero. lia. Qed.

  Lemma after_zero : same (after_digit zero zero) zero.
  Proof. intro i. unfold after_digit, zero. lia. Qed.

  Lemma last_digit v : v = (b * (v / b) + v mod b)%N /\ (v mod b < b)%N.
  Proof. split; [apply N.div_mod; lia|apply N.mod_lt; lia]. Qed.

  (** All digits of the bound variable lead to all its values. *)
  Lemma steps_right f i : forall m e c, are_digits c ->
    (forall x e c, are_digits c -> right f x e -> right f (formula_step f x c) (after_digit e c)) ->
    (forall v, exists x, In x (members m) /\ right f x (set e i v)) /\ (forall x,
      In x (members m) -> exists v, right f x (set e i v)) ->
    (forall v, exists x, In x (all_steps (formula_step f) i m c)
      /\ right f x (set (after_digit e c) i v)) /\
    (forall x, In x (all_steps (formula_step f) i m c) -> exists v,
      right f x (set (after_digit e c) i v)).
  Proof.
    intros m e c C H [H1 H2]. split.
    - intro v. destruct (last_digit v) as [E D]. destruct (H1 (v / b)%N) as (x & X & R).
      exists (formula_step f x (set c i (v mod b)%N)). split.
      + apply in_flat_map. exists x. split; [exact X|]. apply in_map_iff. exists (v mod b)%N.
        split; [reflexivity|]. now apply digits_in.
      + specialize (H x _ _ (are_digits_set c i _ C D) R).
        apply (right_same f _ _ _ (set_digit e c i (v / b)%N (v mod b)%N)) in H.
        now rewrite <- E in H.
    - intros y Y. apply in_flat_map in Y as (x & X & Y). apply in_map_iff in Y as (d & <- & D).
      apply digits_in in D.
      destruct (H2 x X) as [v R]. exists (b * v + d)%N.
      specialize (H x _ _ (are_digits_set c i d C D) R).
      apply (right_same f _ _ _ (set_digit e c i v d) H).
  Qed.

  Lemma all_of_no_verdict l : forall m, (forall z, m <> Kept z) -> forall z, all_of l m <> Kept z.
  Proof.
    unfold all_of. induction l as [|x l IH]; intros m M; cbn [fold_left]; [exact M|]. apply IH.
    intro z.
    destruct m as [|y|y r]; cbn [insert]; try discriminate.
    destruct (same_memory x y); [discriminate|]. now destruct (comes x y).
  Qed.

  Theorem right_step f : formula_readable f = true -> forall m e c,
    are_digits c -> right f m e -> right f (formula_step f m c) (after_digit e c).
  Proof.
    assert (K : forall f m c t,
      match f with Not _ => False | _ => True end -> m = verdict t -> formula_step f m c = m)
      by (intros f0 m c t H ->; destruct f0; try reflexivity; destruct H).
    assert (T : forall x y e c, term_readable x && term_readable y = true -> are_digits c ->
      fst (term_step (Least x y) (ideal (Least x y) e) c) = ideal (Least x y) (after_digit e c))
      by (intros x y e c Q C; exact (f_equal fst (proj1 (term_step_right (Least x y) e c Q C)))).
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros Q m e c C R.
    5: { cbn [right formula_step formula_readable] in *. now apply IHf. }
    all: cbn [right] in R; destruct R as [(t & E & S)|R];
      [rewrite K with (t := t); [left; exists t; split;
        [exact E|exact (settled_step _ Q t e c C S)]|exact I|exact E]|].
    - destruct R.
    - subst m. cbn [formula_readable] in Q. change (right (Equal x y) (simplified (Equal x y) (fst
        (term_step (Least x y) (ideal (Least x y) e) c))) (after_digit e c)).
      apply simplified_right. now apply T.
    - subst m. cbn [formula_readable] in Q. change (right (AtMost x y) (simplified (AtMost x y)
        (fst (term_step (Least x y) (ideal (Least x y) e) c))) (after_digit e c)).
      apply simplified_right. now apply T.
    - subst m. cbn [formula_readable] in Q. change (right (Less x y) (simplified (Less x y) (fst
        (term_step (Least x y) (ideal (Least x y) e) c))) (after_digit e c)).
      apply simplified_right. now apply T.
    - destruct R as (mf & mg & -> & F & G). cbn [formula_readable] in Q.
      apply andb_true_iff in Q as [Qf Qg].
      change (right (And f g) (simplified (And f g) (Both (formula_step f mf c) (formula_step g mg
        c))) (after_digit e c)).
      apply simplified_right. eexists _, _. split; [reflexivity|]. auto.
    - destruct R as (mf & mg & -> & F & G). cbn [formula_readable] in Q.
      apply andb_true_iff in Q as [Qf Qg].
      change (right (Or f g) (simplified (Or f g) (Both (formula_step f mf c) (formula_step g mg
        c))) (after_digit e c)).
      apply simplified_right. eexists _, _. split; [reflexivity|]. auto.
    - destruct R as (N & R). cbn [formula_readable] in Q. apply andb_true_iff in Q as [Qf _].
      destruct (steps_right f i m e c C (fun x e c => IHf Qf x e c) R) as [H1 H2].
      replace (formula_step (Exists i f) m c) with (all_of (all_steps (formula_step f) i m c)
        Nothing) by (destruct m as [|z|]; try reflexivity; now destruct (N z)).
      cbn [right]. right. split; [apply all_of_no_verdict; discriminate|]. split.
      + intro v. destruct (H1 v) as (x & X & Rx). exists x. split; [|exact Rx]. apply members_all.
        now left.
      + intros x X. apply members_all in X as [X|[]]. now apply H2.
  Qed.

  Theorem right_start f : formula_readable f = true -> right f (formula_start f) zero.
  Proof.
    induction f as [u|x y|x y|x y|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intro Q.
    - left. exists u. split; reflexivity.
    - apply (simplified_right (Equal x y)). reflexivity.
    - apply (simplified_right (AtMost x y)). reflexivity.
    - apply (simplified_right (Less x y)). reflexivity.
    - exact (IHf Q).
    - cbn [formula_readable] in Q. apply andb_true_iff in Q as [Qf Qg].
      apply (simplified_right (And f g)). eexists _, _. split; [reflexivity|]. auto.
    - cbn [formula_readable] in Q. apply andb_true_iff in Q as [Qf Qg].
      apply (simplified_right (Or f g)). eexists _, _. split; [reflexivity|]. auto.
    - assert (Start : formula_start (Exists i f) = Nat.iter 64 (more_digits f i) (insert
        (formula_start f) Nothing)) by reflexivity.
      cbn [formula_readable] in Q. set (m := formula_start (Exists i f)) in *.
      apply andb_true_iff in Q as [Qf Closed].
      rewrite forallb_forall in Closed. specialize (IHf Qf).
      assert (Z : same (set zero i 0%N) zero) by (intro j; unfold set, zero;
        now destruct (Nat.eqb j i)).
      (* what is in the set is right, and the first memory is in it *)
      assert (G : forall k, (forall x,
        In x (members (Nat.iter k (more_digits f i) (insert (formula_start f) Nothing)))
          -> exists v, right f x (set zero i v)) /\
        In (formula_start f) (members (Nat.iter k (more_digits f i) (insert (formula_start f)
          Nothing)))).
      { induction k as [|k [IH1 IH2]].
        - cbn [Nat.iter nat_rect]. split.
          + intros x X. apply members_insert in X as [->|[]]. exists 0%N.
            apply (right_same f _ zero); [intro j; symmetry; apply Z|exact IHf].
          + apply members_insert. now left.
        - set (m0 := Nat.iter k (more_digits f i) (insert (formula_start f) Nothing)) in *.
          change (Nat.iter (S k) (more_digits f i) (insert (formula_start f) Nothing)) with
            (more_digits f i m0).
          split.
          + intros y Y. apply members_all in Y as [Y|Y]; [|now apply IH1].
            apply in_flat_map in Y as (x & X & Y). apply in_map_iff in Y as (d & <- & D).
            apply digits_in in D.
            destruct (IH1 x X) as [v R]. exists (b * v + d)%N.
            pose proof (right_step f Qf x _ _ (are_digits_set zero i d digits_zero D) R) as H.
            apply (right_same f _ _ _ (set_digit zero zero i v d)) in H.
            apply (right_same f _ _ _ (set_both _ _ i (b * v + d)%N after_zero) H).
          + apply members_all. now right. }
      destruct (G 64%nat) as [G1 G2]. rewrite <- Start in G1, G2.
      assert (N : forall z, m <> Kept z).
      { rewrite Start. clear. generalize 64%nat. intro k.
        induction k as [|k IH]; [intros z; discriminate|]. apply all_of_no_verdict. exact IH. }
      clear Start G. clearbody m. cbn [right]. right. split; [exact N|]. split; [|exact G1].
      intro v. induction v as [v IH] using (well_founded_induction N.lt_wf_0).
      destruct (N.eq_dec v 0) as [->|V].
      { exists (formula_start f). split; [exact G2|].
        apply (right_same f _ zero); [intro j; symmetry; apply Z|exact IHf]. }
      destruct (last_digit v) as [E D]. destruct (IH (v / b)%N) as (x & X & R); [apply N.div_lt;
        lia|].
      exists (formula_step f x (set zero i (v mod b)%N)). split.
      + assert (Y : In (formula_step f x (set zero i (v mod b)%N)) (all_steps (formula_step f) i m
          zero)).
        { apply in_flat_map. exists x. split; [exact X|]. apply in_map_iff. exists (v mod b)%N.
          split; [reflexivity|]. now apply digits_in. }
        apply Closed, existsb_exists in Y as (y & Y & E'). apply same_memory_eq in E' as ->.
        exact Y.
      + pose proof (right_step f Qf x _ _ (are_digits_set zero i _ digits_zero D) R) as H.
        apply (right_same f _ _ _ (set_digit zero zero i _ _)) in H. rewrite <- E in H.
        apply (right_same f _ _ _ (set_both _ _ i v after_zero) H).
  Qed.
End Base.

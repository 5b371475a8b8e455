(** Wythoff's game: a queen on a quadrant goes left, down, or both by the same number. In the table
    of nim-values each row, each column and each diagonal holds each natural number exactly once.

    For rows this is a count of at most v + 2k columns that are no place for v in row k. For
    diagonals it is a count, too: were v not on the diagonal d, then among the columns below each n
    few would have their v at n or above; but the v's lie on different diagonals, and so most are
    far from the main one. *)

From Coq Require Import List Arith NArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Breaking Sums.
Import ListNotations.
Open Scope nat_scope.

Definition square : Type := nat * nat.
Definition queen (p q : square) : Prop :=
  (exists k, 0 < k /\ k <= fst p /\ q = (fst p - k, snd p)) \/
    (exists k, 0 < k /\ k <= snd p /\ q = (fst p, snd p - k)) \/
  (exists k, 0 < k /\ k <= fst p /\ k <= snd p /\ q = (fst p - k, snd p - k)).

Lemma queen_ends : well_founded (fun q p => queen p q).
Proof.
  intro p. induction p as [p IH] using (well_founded_induction
    (well_founded_ltof _ (fun p => fst p + snd p))).
  constructor. intros q M. apply IH. unfold ltof. destruct p as [x y]. cbn [fst snd] in *.
  destruct M as [(k & ? & ? & ->)|[(k & ? & ? & ->)|(k & ? & ? & ? & ->)]]; cbn [fst snd] in *; lia.
Qed.

Definition queen_options (p : square) : list square :=
  map (fun k => (fst p - k, snd p)) (seq 1 (fst p)) ++ map (fun k => (fst p, snd p - k))
    (seq 1 (snd p)) ++
  map (fun k => (fst p - k, snd p - k)) (seq 1 (min (fst p) (snd p))).

Lemma in_queen_options p q : In q (queen_options p) <-> queen p q.
Proof.
  unfold queen_options, queen. rewrite !in_app_iff, !in_map_iff. split.
  - intros [(k & <- & I)|[(k & <- & I)|(k & <- & I)]]; apply in_seq in I.
    + left. exists k. repeat split; lia.
    + right. left. exists k. repeat split; lia.
    + right. right. exists k. repeat split; lia.
  - intros [(k & ? & ? & ->)|[(k & ? & ? & ->)|(k & ? & ? & ? & ->)]].
    + left. exists k. split; [reflexivity|apply in_seq; lia].
    + right. left. exists k. split; [reflexivity|apply in_seq; lia].
    + right. right. exists k. split; [reflexivity|apply in_seq; lia].
Qed.

Theorem queen_has_nim_values : exists g, nim_values queen g.
Proof. exact (nim_values_exist queen queen_options queen_ends in_queen_options). Qed.

(** * Counting below a bound *)

Fixpoint count (f : nat -> bool) (n : nat) : nat := match n with O => 0 | S m =>
  count f m + if f m then 1 else 0 end.

Lemma count_at_most f n : count f n <= n.
Proof. induction n as [|n IH]; cbn [count]; [lia|]. destruct (f n); lia. Qed.

Lemma count_without g y m : y < m -> g y = true -> count (fun x => g x && negb (x =? y)) m + 1 <=
  count g m.
Proof.
  intros L G. induction m as [|m IH]; [lia|]. cbn [count]. destruct (Nat.eqb_spec m y) as [->|D].
  - rewrite G. cbn [andb negb]. enough (H : forall k, k <= y ->
      count (fun x => g x && negb (x =? y)) k <= count g k) by (specialize (H y); lia).
    induction k as [|k IHk]; intro Lk; cbn [count]; [lia|]. specialize (IHk ltac:(lia)).
    destruct (g k), (k =? y); cbn [andb negb]; lia.
  - specialize (IH ltac:(lia)). destruct (g m); cbn [andb negb]; lia.
Qed.

(** Each x is given a y of its own. *)
Lemma count_le (R : nat -> nat -> Prop) f m n : forall g,
  (forall x, x < n -> f x = true -> exists y, y < m /\ g y = true /\ R x y) ->
  (forall x x' y, x < n -> x' < n -> f x = true -> f x' = true -> R x y -> R x' y -> x = x') ->
    count f n <= count g m.
Proof.
  induction n as [|n IH]; intros g H Inj; cbn [count]; [lia|]. destruct (f n) eqn:F.
  - destruct (H n ltac:(lia) F) as (y & L & G & Ry). pose proof (count_without g y m L G) as Less.
    specialize (IH (fun x => g x && negb (x =? y))).
    enough (count f n <= count (fun x => g x && negb (x =? y)) m) by lia. apply IH.
    + intros x Lx Fx. destruct (H x ltac:(lia) Fx) as (z & Lz & Gz & Rz). exists z.
      split; [exact Lz|]. split; [|exact Rz].
      rewrite Gz. cbn [andb]. destruct (Nat.eqb_spec z y) as [->|]; [|reflexivity].
      assert (x = n) by (apply (Inj x n y); auto; lia). lia.
    + intros x x' z Lx Lx'. apply Inj; lia.
  - rewrite Nat.add_0_r. apply IH; [intros x L; apply H; lia|]. intros x x' z Lx Lx'.
    apply Inj; lia.
Qed.

Lemma count_or f g h n : (forall x, x < n -> f x = true -> g x = true \/ h x = true) ->
  count f n <= count g n + count h n.
Proof.
  induction n as [|n IH]; intro H; cbn [count]; [lia|].
  specialize (IH ltac:(intros x L; apply H; lia)). specialize (H n ltac:(lia)).
  destruct (f n); [|destruct (g n), (h n); lia].
  destruct (H eq_refl) as [-> | ->]; [destruct (h n)|destruct (g n)]; lia.
Qed.

Lemma count_apart f g h n : (forall x, x < n -> g x = true -> f x = true) ->
  (forall x, x < n -> h x = true -> f x = true) ->
  (forall x, x < n -> g x = true -> h x = true -> False) -> count g n + count h n <= count f n.
Proof.
  induction n as [|n IH]; intros G H D; cbn [count]; [lia|].
  specialize (IH ltac:(intros x L; apply G; lia) ltac:(intros x L; apply H; lia) ltac:(intros x L;
    apply D; lia)).
  specialize (G n ltac:(lia)). specialize (H n ltac:(lia)). specialize (D n ltac:(lia)).
  destruct (g n), (h n); [destruct (D eq_refl eq_refl)|rewrite (G eq_refl)|rewrite (H
    eq_refl)|destruct (f n)]; lia.
Qed.

Lemma count_all n : count (fun _ => true) n = n.
Proof. induction n as [|n IH]; cbn [count]; lia. Qed.

Lemma count_more f n d : count f (n + d) <= count f n + d.
Proof. induction d as [|d IH]; [rewrite Nat.add_0_r; lia|]. rewrite Nat.add_succ_r. cbn [count].
destruct (f (n + d)); lia. Qed.

(** Fewer than [m] codes for [n] numbers. *)
Lemma pigeons (R : nat -> nat -> Prop) m n : (forall x, x < n -> exists y, y < m /\ R x y) ->
  (forall x x' y, R x y -> R x' y -> x = x') -> n <= m.
Proof.
  intros H Inj. rewrite <- (count_all n), <- (count_all m). apply (count_le R).
  - intros x L _. destruct (H x L) as (y & Ly & Ry). now exists y.
  - intros x x' y _ _ _ _. apply Inj.
Qed.

(** The first number below a bound at which [f] is true. *)
Lemma search (f : nat -> bool) n : (exists x, x < n /\ f x = true) \/ forall x, x < n ->
  f x = false.
Proof.
  induction n as [|n [(x & L & F)|H]]; [right; lia|left; exists x; split; [lia|exact F]|].
  destruct (f n) eqn:F.
  - left. exists n. split; [lia|exact F].
  - right. intros x L. destruct (Nat.eq_dec x n) as [->|]; [exact F|apply H; lia].
Qed.

(** * The table *)

Section Table.
  Variable g : square -> N.
  Hypothesis values : nim_values queen g.

  Definition G (x y : nat) : nat := N.to_nat (g (x, y)).

  Lemma G_is x y v : G x y = v <-> g (x, y) = N.of_nat v.
  Proof. unfold G. split; intro E; [rewrite <- E; now rewrite N2Nat.id|rewrite E; apply Nat2N.id].
  Qed.

  Lemma symmetric x y : G x y = G y x.
  Proof.
    unfold G. f_equal. change (g (y, x)) with ((fun p => g (snd p, fst p)) (x, y)).
    apply (only_nim_values queen queen_ends); [exact values|].
    intros [a b]. destruct (values (b, a)) as [Not All]. cbn [fst snd] in *.
    assert (Turn : forall a b c d, queen (a, b) (c, d) -> queen (b, a) (d, c)).
    { intros a' b' c d [(k & K & L & E)|[(k & K & L & E)|(k & K & L & L' & E)]]; cbn [fst snd] in *;
        injection E as -> ->.
      - right. left. now exists k.
      - left. now exists k.
      - right. right. now exists k. }
    split.
    - intros [c d] M. cbn [fst snd]. apply Not. now apply Turn.
    - intros u L. destruct (All u L) as ([c d] & M & E). exists (d, c).
      split; [now apply Turn|exact E].
  Qed.

  Lemma column_once x y y' : G x y = G x y' -> y = y'.
  Proof.
    assert (H : forall y y', y < y' -> G x y <> G x y').
    { intros z z' L E. apply (proj1 (values (x, z')) (x, z)); [|now apply N2Nat.inj].
      right. left. exists (z' - z). cbn [fst snd]. split; [lia|split; [lia|]]. f_equal. lia. }
    intro E. destruct (lt_eq_lt_dec y y') as [[L|L]|L];
      [destruct (H _ _ L E)|exact L|destruct (H _ _ L (eq_sym E))].
  Qed.

  Lemma row_once x x' y : G x y = G x' y -> x = x'.
  Proof. rewrite (symmetric x), (symmetric x'). apply column_once. Qed.

  Lemma diagonal_once d x x' : G x (x + d) = G x' (x' + d) -> x = x'.
  Proof.
    assert (H : forall x x', x < x' -> G x (x + d) <> G x' (x' + d)).
    { intros z z' L E. apply (proj1 (values (z', z' + d)) (z, z + d)); [|now apply N2Nat.inj].
      right. right. exists (z' - z). cbn [fst snd]. split; [lia|split; [lia|split; [lia|]]].
      f_equal; lia. }
    intro E. destruct (lt_eq_lt_dec x x') as [[L|L]|L];
      [destruct (H _ _ L E)|exact L|destruct (H _ _ L (eq_sym E))].
  Qed.

  Lemma lower_values x y v : v < G x y ->
    (exists x', x' < x /\ G x' y = v) \/ (exists y', y' < y /\ G x y' = v) \/ exists k, 0 < k /\
      k <= x /\ k <= y /\ G (x - k) (y - k) = v.
  Proof.
    intro L. destruct (proj2 (values (x, y)) (N.of_nat v)) as (q & M & E); [unfold G in L; lia|].
    destruct M as [(k & ? & ? & ->)|[(k & ? & ? & ->)|(k & ? & ? & ? & ->)]]; cbn [fst snd] in *;
      apply G_is in E.
    - left. exists (x - k). split; [lia|exact E].
    - right. left. exists (y - k). split; [lia|exact E].
    - right. right. exists k. auto.
  Qed.

  Variable v : nat.

  (** Column x holds v, and at y = v + 2x at the latest. *)
  Theorem column_holds x : exists y, y <= v + 2 * x /\ G x y = v.
  Proof.
    destruct (search (fun y => G x y =? v) (S (v + 2 * x))) as [(y & L & E)|None];
      [exists y; split; [lia|now apply Nat.eqb_eq]|exfalso].
    enough (S (v + 2 * x) <= v + 2 * x) by lia.
    apply (pigeons (fun y c => c < v /\ G x y = c \/ v <= c < v + x /\ G (c - v) y = v \/
      v + x <= c /\ c - v - x + 1 <= y /\ c - v - x + 1 <= x /\
        G (x - (c - v - x + 1)) (y - (c - v - x + 1)) = v)).
    - intros y L. assert (Ne : forall y, y < S (v + 2 * x) -> G x y <> v) by (intros z Lz;
        apply Nat.eqb_neq; now apply None).
      destruct (lt_eq_lt_dec (G x y) v) as [[H|H]|H]; [|destruct (Ne y L H)|].
      + exists (G x y). split; [lia|left; auto].
      + destruct (lower_values x y v H) as [(x' & Lx & E)|[(y' & Ly & E)|(k & K & Kx & Ky & E)]].
        * exists (v + x'). split; [lia|right; left]. split; [lia|].
          now replace (v + x' - v) with x' by lia.
        * destruct (Ne y'); [lia|exact E].
        * exists (v + x + (k - 1)). split; [lia|right; right].
          replace (v + x + (k - 1) - v - x + 1) with k by lia. repeat split; auto; lia.
    - intros y y' c [[L E]|[[L E]|(L & Ly & Lx & E)]] [[L' E']|[[L' E']|(L' & Ly' & Lx' & E')]];
        try lia.
      + apply (column_once x). congruence.
      + apply (column_once (c - v)). congruence.
      + set (k := c - v - x + 1) in *. assert (y - k = y' - k) by (apply (column_once (x - k));
          congruence). lia.
  Qed.

  Definition at_column (x : nat) : nat := hd 0
    (filter (fun y => G x y =? v) (seq 0 (S (v + 2 * x)))).
  Notation s := at_column.

  Lemma there x : G x (s x) = v.
  Proof.
    unfold at_column. destruct (filter (fun y => G x y =? v) (seq 0 (S (v + 2 * x)))) as [|y l]
      eqn:E.
    - destruct (column_holds x) as (y & L & V).
      assert (I : In y (filter (fun y => G x y =? v) (seq 0 (S (v + 2 * x))))).
      { apply filter_In. split; [apply in_seq; lia|now apply Nat.eqb_eq]. }
      rewrite E in I. destruct I.
    - assert (I : In y (filter (fun y => G x y =? v) (seq 0 (S (v + 2 * x))))) by (rewrite E;
        now left).
      apply filter_In in I as [_ I]. now apply Nat.eqb_eq.
  Qed.

  Lemma only_there x y : G x y = v -> y = s x.
  Proof. intro E. apply (column_once x). now rewrite there. Qed.

  Lemma back x : s (s x) = x.
  Proof. symmetry. apply only_there. rewrite symmetric. apply there. Qed.

  (** ** A diagonal without v *)
  Section Missing.
    Variable d bound : nat.
    Hypothesis missing : forall x, x < bound -> G x (x + d) <> v.

    Definition above (x : nat) : bool := x <=? s x.
    Definition below (x : nat) : bool := s x <? x.

    Ltac bools := unfold above, below in *; repeat rewrite ?andb_true_iff, ?Nat.leb_le, ?Nat.ltb_lt,
      ?Nat.leb_gt, ?Nat.ltb_ge, ?Nat.eqb_eq in *.

    (** Few v's are near the main diagonal. *)
    Lemma few_near t n : count (fun x => above x && (s x <? x + t)) n <= t.
    Proof.
      apply Nat.le_trans with (count (fun _ => true) t); [|rewrite count_all; lia].
      apply (count_le (fun x k => s x = x + k)).
      - intros x _ F. bools. exists (s x - x). repeat split; lia.
      - intros x x' k _ _ _ _ E E'. apply (diagonal_once k). rewrite <- E, <- E'.
        now rewrite !there.
    Qed.

    Lemma more_below n : n <= bound -> count above n <= count below n + (v + 2 * d).
    Proof.
      intro B. assert (C1 : count above n <= count (fun x => G x (x + d) <? v) n + count
        (fun x => above x && (s x <? x + d) || below (x + d)) n).
      { apply count_or. intros x L A. destruct (lt_eq_lt_dec (G x (x + d)) v) as [[H|H]|H].
        - left. now apply Nat.ltb_lt.
        - destruct (missing x); [lia|exact H].
        - right. rewrite A. cbn [andb]. apply orb_true_iff.
          destruct (lower_values x (x + d) v H) as
            [(x' & Lx & E)|[(y' & Ly & E)|(k & K & Kx & Ky & E)]].
          + right. rewrite symmetric in E. apply only_there in E. bools. lia.
          + left. apply only_there in E. bools. lia.
          + exfalso. apply (missing (x - k)); [lia|]. rewrite <- E. f_equal. lia. }
      assert (C2 : count (fun x => above x && (s x <? x + d) || below (x + d)) n <= count
        (fun x => above x && (s x <? x + d)) n + count (fun x => below (x + d)) n).
      { apply count_or. intros x _ H. now apply orb_true_iff. }
      assert (C3 : count (fun x => G x (x + d) <? v) n <= v).
      { apply Nat.le_trans with (count (fun _ => true) v); [|rewrite count_all; lia].
        apply (count_le (fun x c => G x (x + d) = c)).
        - intros x _ F. bools. exists (G x (x + d)). auto.
        - intros x x' c _ _ _ _ E E'. apply (diagonal_once d). congruence. }
      assert (C4 : count (fun x => below (x + d)) n <= count below (n + d)).
      { apply (count_le (fun x y => y = x + d)).
        - intros x L F. exists (x + d). repeat split; [lia|exact F].
        - intros x x' y _ _ _ _ E E'. lia. }
      pose proof (few_near d n). pose proof (count_more below n d). lia.
    Qed.

    (** Each v below the main diagonal mirrors one above. *)
    Lemma mirrored n : count below n <= count (fun x => above x && (s x <? n)) n.
    Proof.
      apply (count_le (fun y x => x = s y)).
      - intros y L F. bools. exists (s y). rewrite back. split; [lia|]. split; [|reflexivity].
        bools. lia.
      - intros y y' x _ _ _ _ -> E. apply (f_equal at_column) in E. now rewrite !back in E.
    Qed.

    Lemma few_cross n : n <= bound -> count (fun x => n <=? s x) n <= v + 2 * d.
    Proof.
      intro B. pose proof (more_below n B). pose proof (mirrored n).
      enough (count (fun x => n <=? s x) n + count (fun x => above x && (s x <? n)) n <= count above
        n) by lia.
      apply count_apart; intros x L; bools; lia.
    Qed.

    Lemma half n : n <= 2 * count above n.
    Proof.
      assert (H : n <= count above n + count below n).
      { apply Nat.le_trans with (count (fun _ => true) n); [rewrite count_all; lia|].
        apply count_or. intros x _ _. bools. lia. }
      enough (count below n <= count above n) by lia. apply Nat.le_trans with (1 := mirrored n).
      apply (count_le eq).
      - intros x L F. exists x. bools. repeat split; auto; lia.
      - intros x x' y _ _ _ _ -> ->. reflexivity.
    Qed.

    Lemma few_far t j : j * t <= bound -> count (fun x => x + t <=? s x) (j * t) <= j * (v + 2 * d).
    Proof.
      induction j as [|j IH]; intro B; [cbn; lia|]. specialize (IH ltac:(lia)).
      assert (C1 : count (fun x => x + t <=? s x) (S j * t) <= count
        (fun x => (x <? j * t) && (x + t <=? s x)) (S j * t) + count (fun x => S j * t <=? s x)
          (S j * t)).
      { apply count_or. intros x L F. bools. lia. }
      assert (C2 : count (fun x => (x <? j * t) && (x + t <=? s x)) (S j * t) <= count
        (fun x => x + t <=? s x) (j * t)).
      { apply (count_le eq).
        - intros x L F. exists x. bools. repeat split; auto; lia.
        - intros x x' y _ _ _ _ -> ->. reflexivity. }
      pose proof (few_cross _ B). change (S j * (v + 2 * d)) with (v + 2 * d + j * (v + 2 * d)).
      lia.
    Qed.

    Theorem not_for_long : let c := v + 2 * d in bound < (2 * c + 3) * (2 * c + 2).
    Proof.
      intro c. destruct (le_lt_dec ((2 * c + 3) * (2 * c + 2)) bound) as [B|]; [exfalso|assumption].
      set (t := 2 * c + 2) in *. set (n := (2 * c + 3) * t) in *. pose proof (few_far t _ B) as Far.
      fold n in Far. fold c in Far. pose proof (half n) as H.
      assert (C : count above n <= count (fun x => above x && (s x <? x + t)) n + count
        (fun x => x + t <=? s x) n).
      { apply count_or. intros x _ A. rewrite A. cbn [andb]. bools. lia. }
      pose proof (few_near t n). unfold n, t in *. nia.
    Qed.
  End Missing.

  Theorem diagonal_holds d : exists x, G x (x + d) = v.
  Proof.
    set (c := v + 2 * d). destruct (search (fun x => G x (x + d) =? v) ((2 * c + 3) * (2 * c + 2)))
      as [(x & _ & E)|None].
    - exists x. now apply Nat.eqb_eq.
    - exfalso. pose proof (not_for_long d ((2 * c + 3) * (2 * c + 2))) as H. fold c in H.
      enough (X : forall a, a < a -> False) by (eapply X, H; intros x L; apply Nat.eqb_neq;
        now apply None).
      intro a. lia.
  Qed.
End Table.

(** Each natural number exactly once, in the column x, in the row y, and on the diagonals that start
    at (0,d) and at (d,0). *)
Theorem each_line_once g : nim_values queen g -> forall v,
  (forall x, exists! y, g (x, y) = v) /\ (forall y, exists! x, g (x, y) = v) /\
  (forall d, exists! i, g (i, i + d) = v) /\ (forall d, exists! i, g (i + d, i) = v).
Proof.
  intros V v'. rewrite <- (N2Nat.id v'). set (v := N.to_nat v'). clearbody v. clear v'.
  pose proof (G_is g) as Is.
  split; [|split; [|split]].
  - intro x. destruct (column_holds g V v x) as (y & _ & E). exists y. split; [now apply Is|].
    intros y' E'. apply Is in E'.
    apply (column_once g V x). congruence.
  - intro y. destruct (column_holds g V v y) as (x & _ & E). rewrite (symmetric g V) in E. exists x.
    split; [now apply Is|]. intros x' E'. apply Is in E'.
    apply (row_once g V _ _ y). congruence.
  - intro d. destruct (diagonal_holds g V v d) as (x & E). exists x. split; [now apply Is|].
    intros x' E'. apply Is in E'.
    apply (diagonal_once g V d). congruence.
  - intro d. destruct (diagonal_holds g V v d) as (x & E). exists x.
    split; [apply Is; now rewrite (symmetric g V)|]. intros x' E'. apply Is in E'.
    rewrite (symmetric g V) in E'. apply (diagonal_once g V d). congruence.
Qed.

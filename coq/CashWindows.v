(** NIM with Cash: who wins every position, by values that stand in a certificate of kind
    win-condition (docs/certificates.md).

    The number c = d + e + 1 - n is the same after a move. For c >= 0 the mover wins if and only if
    d - e + v > 0, where v is a number for each c and n, the greatest of -a - v of n - a stones
    ([theorem_1]). A certificate says what v is, and [fits] examines it ([window_right]). *)

From Coq Require Import List Arith NArith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes.
Import ListNotations.
Open Scope Z_scope.

(** * What a certificate says *)

(** v of n + [period_n] stones at c + [period_c] is that of n stones at c, for n >= [from_n] and
    c >= [from_c]. [lines]: for n < [from_n] + [period_n] and large c, v is c (true) or -c (false)
    and a number more. [rows]: for each c from 2 on, v of 0, 1, ... stones, of which the last so
    many repeat. *)
Record window := {
  period_n : nat;
  period_c : Z;
  from_n : nat;
  from_c : Z;
  lines : list (bool * Z);
  rows : list (nat * list Z)
}.

Definition no_window : window :=
  {| period_n := 1; period_c := 0; from_n := 0; from_c := 0; lines := []; rows := [] |}.

(** Where the rows end. *)
Definition from_here (w : window) : Z := from_c w + Z.max (period_c w) 0.

Definition row_value (row : nat * list Z) (n : nat) : Z :=
  let '(period, first) := row in
  let e := (length first - period)%nat in
  nth (if (n <? e)%nat then n else e + (n - e) mod period)%nat first 0.

Definition line_value (line : bool * Z) (c : Z) : Z :=
  let '(up, rest) := line in (if up then c else - c) + rest.

Fixpoint value_within (fuel : nat) (w : window) (c : Z) (n : nat) : Z :=
  match fuel with
  | O => 0
  | S fuel =>
    if c <? from_here w then row_value (nth (Z.to_nat (c - 2)) (rows w) (O, [])) n
    else if (n <? from_n w + period_n w)%nat then line_value (nth n (lines w) (true, 0)) c
    else value_within fuel w (c - period_c w) (n - period_n w)
  end.

(** v of n stones at c. *)
Definition value (w : window) (c : Z) (n : nat) : Z := value_within (S n) w c n.

(** The claim: who is to move wins. *)
Definition claims_win (least : nat) (v : Z -> nat -> Z) (n d e : nat) : Prop :=
  let c := Z.of_nat d + Z.of_nat e + 1 - Z.of_nat n in
  1 < c /\ Z.of_nat d - Z.of_nat e + v c n > 0 \/ c <= 1 /\ (d / least > e / least)%nat.

(** * Checking *)

(** For each amount that may be taken: it and what stands at so many places before the end of the
    past, the last first. *)
Definition seen {T} (A : list nat) (past : list T) : list (Z * T) :=
  flat_map (fun a => match nth_error past (a - 1) with Some x => [(Z.of_nat a, x)] | None => [] end)
    A.

Definition greatest (x : Z) (l : list Z) : Z := fold_left Z.max l x.

(** v from those of fewer stones; [s] is c + n. *)
Definition next_value (A : list nat) (s : Z) (past : list Z) : Z :=
  match map (fun o => - fst o - snd o) (seen A past) with [] => - s | x :: l => greatest x l end.

Fixpoint obeys (A : list nat) (s : Z) (past rest : list Z) : bool :=
  match rest with
  | [] => true
  | x :: rest => (next_value A s past =? x) && obeys A (s + 1) (x :: past) rest
  end.

(** So many values of a row that goes on, and that repeats these. *)
Fixpoint more (k : nat) (again now : list Z) : list Z :=
  match k with
  | O => []
  | S k =>
    match now, again with
    | x :: now, _ => x :: more k again now
    | [], x :: now => x :: more k again now
    | [], [] => []
    end
  end.

Definition row_fits (A : list nat) (M : nat) (c : Z) (row : nat * list Z) : bool :=
  let '(period, first) := row in
  let size := length first in
  (1 <=? period)%nat && (period <=? size)%nat &&
  obeys A c [] (first ++ more M (skipn (size - period) first) []).

Fixpoint rows_fit (A : list nat) (M : nat) (c : Z) (l : list (nat * list Z)) : bool :=
  match l with [] => true | row :: l => row_fits A M c row && rows_fit A M (c + 1) l end.

(** v is c or -c and [rest], for c >= [start]. *)
Record line := { up : bool; rest : Z; start : Z }.

Definition next_line (A : list nat) (n : Z) (past : list line) : line :=
  let options := seen A past in
  let rests b := flat_map (fun o => if eqb (up (snd o)) b then [] else [- fst o - rest (snd o)])
    options in
  let start := greatest 0 (map (fun o => start (snd o)) options) in
  match rests true, rests false with
  | [], [] => {| up := false; rest := - n; start := 0 |}
  | x :: l, [] => {| up := true; rest := greatest x l; start := start |}
  | [], y :: m => {| up := false; rest := greatest y m; start := start |}
  | x :: l, y :: m =>
    let u := greatest x l in
    {| up := true; rest := u; start := Z.max start ((greatest y m - u + 1) / 2) |}
  end.

Fixpoint table (A : list nat) (k : nat) (n : Z) (past : list line) : list line :=
  match k with O => past | S k => table A k (n + 1) (next_line A n past :: past) end.

(** The line of n + [period_n] stones is that of n, so much later. *)
Definition shifted (w : window) (early late : line) : bool :=
  eqb (up early) (up late) && (rest late =? rest early -
    (if up early then period_c w else - period_c w)) &&
  (start early <=? from_c w) && (start late <=? from_c w + period_c w).

Fixpoint both {S T} (f : S -> T -> bool) (l : list S) (m : list T) : bool :=
  match l, m with
  | [], [] => true
  | x :: l, y :: m => f x y && both f l m
  | _, _ => false
  end.

Definition fits (A : list nat) (least : nat) (w : window) : bool :=
  let M := fold_left Nat.max A O in
  existsb (Nat.eqb least) A && forallb (fun a => Nat.leb 1 a && Nat.leb least a) A &&
  Nat.leb 1 (period_n w) && (2 <=? from_c w) && (0 <=? from_c w + period_c w) &&
  (let all := rev_append (table A (from_n w + period_n w + M) 0 []) [] in
   both (shifted w) (firstn M (skipn (from_n w) all)) (firstn M (skipn (from_n w + period_n w) all))
     &&
   both (fun l line => eqb (up l) (fst line) && (rest l =? snd line) && (start l <=? from_here w))
     (firstn (from_n w + period_n w) all) (lines w)) &&
  (Z.of_nat (length (rows w)) =? from_here w - 2) && rows_fit A M 2 (rows w).

(** * The value *)

Section Value.
  Variable A : list nat.
  Hypothesis pos : forall a, In a A -> (0 < a)%nat.

  Definition legal (n : nat) : list nat := filter (fun a => a <=? n)%nat A.
  Definition worth_step (c : Z) (v : nat -> Z) (n : nat) : Z :=
    match map (fun a => - Z.of_nat a - v (n - a)%nat) (legal n) with
    | [] => - (c + Z.of_nat n)
    | x :: l => greatest x l
    end.
  Fixpoint worth_within (c : Z) (depth n : nat) : Z :=
    match depth with O => 0 | S depth => worth_step c (worth_within c depth) n end.
  Definition worth (c : Z) (n : nat) : Z := worth_within c (S n) n.

  Lemma in_legal a n : In a (legal n) <-> In a A /\ (a <= n)%nat.
  Proof. unfold legal. now rewrite filter_In, Nat.leb_le. Qed.

  Lemma step_same c v v' n : (forall m, (m < n)%nat -> v m = v' m) ->
    worth_step c v n = worth_step c v' n.
  Proof.
    intro H. unfold worth_step.
    assert (E : map (fun a => - Z.of_nat a - v (n - a)%nat) (legal n) = map
      (fun a => - Z.of_nat a - v' (n - a)%nat) (legal n)).
    { apply map_ext_in. intros a I. apply in_legal in I as [I L]. specialize (pos a I).
      rewrite H by lia. reflexivity. }
    now rewrite E.
  Qed.

  Lemma deep_enough c n : forall k j, (n < k)%nat -> (n < j)%nat -> worth_within
    c k n = worth_within c j n.
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf). intros [|k] [|j] K J; try lia.
    cbn [worth_within].
    apply step_same. intros m L. apply IH; lia.
  Qed.

  Lemma worth_eq c n : worth c n = worth_step c (worth c) n.
  Proof. unfold worth at 1. cbn [worth_within]. apply step_same. intros m L. apply deep_enough; lia.
  Qed.

  Lemma greatest_spec l : forall x, (x <= greatest x l /\ forall y, In y l -> y <= greatest x l) /\
    (greatest x l = x \/ In (greatest x l) l).
  Proof.
    unfold greatest. induction l as [|z l IH]; intro x; cbn [fold_left In];
      [split; [split; [lia|tauto]|now left]|].
    destruct (IH (Z.max x z)) as [[H1 H2] H3].
    split; [split; [lia|intros y [<-|I]; [lia|now apply H2]]|].
    destruct H3 as [H3|H3]; [|now right; right].
    destruct (Z.max_spec x z) as [[_ E]|[_ E]]; rewrite E in *; auto.
  Qed.

  Lemma greatest_ge x l y : In y (x :: l) -> y <= greatest x l.
  Proof. destruct (greatest_spec l x) as [[H1 H2] _]. intros [<-|I]; auto. Qed.
  Lemma greatest_in x l : In (greatest x l) (x :: l).
  Proof. destruct (greatest_spec l x) as [_ [->|I]]; [now left|now right]. Qed.

  Lemma worth_def c n :
    ((exists a, In a A /\ (a <= n)%nat /\ worth c n = - Z.of_nat a - worth c (n - a)) /\
     (forall a, In a A -> (a <= n)%nat -> - Z.of_nat a - worth c (n - a) <= worth c n)) \/
    ((forall a, In a A -> (n < a)%nat) /\ worth c n = - (c + Z.of_nat n)).
  Proof.
    rewrite (worth_eq c n). unfold worth_step.
    destruct (map (fun a => - Z.of_nat a - worth c (n - a)) (legal n)) as [|x l] eqn:E.
    - right. split; [|reflexivity]. intros a I. destruct (le_lt_dec a n) as [L|]; [|assumption].
      assert (X : In (- Z.of_nat a - worth c (n - a)) []) by (rewrite <- E;
        apply (in_map (fun a => - Z.of_nat a - worth c (n - a))); now apply in_legal).
      destruct X.
    - left. split.
      + pose proof (greatest_in x l) as G. rewrite <- E in G. apply in_map_iff in G as (a & G & I).
        apply in_legal in I as [I L].
        exists a. repeat split; auto.
      + intros a I L. apply greatest_ge. rewrite <- E.
        apply (in_map (fun a => - Z.of_nat a - worth c (n - a))). now apply in_legal.
  Qed.

  Lemma worth_is c n x :
    (exists a, In a A /\ (a <= n)%nat /\ x = - Z.of_nat a - worth c (n - a)) ->
    (forall a, In a A -> (a <= n)%nat -> - Z.of_nat a - worth c (n - a) <= x) -> worth c n = x.
  Proof.
    intros (a & I & L & E) H.
    destruct (worth_def c n) as [[(b & Ib & Lb & Eb) G]|[none _]]; [|specialize (none a I); lia].
    specialize (H b Ib Lb). specialize (G a I L). lia.
  Qed.

  (** ** Theorem 1 of docs/design/cash.md *)

  Lemma worth_bounds c n : 0 <= c -> - (c + Z.of_nat n) <= worth c n <= c + Z.of_nat n.
  Proof.
    intro C. induction n as [n IH] using (well_founded_induction lt_wf).
    destruct (worth_def c n) as [[(a & I & L & E) G]|[_ E]]; [|lia]. pose proof (pos a I).
    specialize (IH (n - a)%nat ltac:(lia)).
    rewrite Nat2Z.inj_sub in IH by lia. lia.
  Qed.

  Lemma worth_parity c n : exists k, worth c n = c + Z.of_nat n + 2 * k.
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf).
    destruct (worth_def c n) as [[(a & I & L & E) _]|[_ E]]; [|exists (- (c + Z.of_nat n)); lia].
    pose proof (pos a I). destruct (IH (n - a)%nat ltac:(lia)) as [k K].
    rewrite Nat2Z.inj_sub in K by lia.
    exists (- (c + Z.of_nat n) - k). lia.
  Qed.

  Lemma pays_ends : well_founded (fun t s => pays A s t).
  Proof.
    intros [[n d] e]. revert d e. induction n as [n IH] using (well_founded_induction lt_wf).
    intros d e. constructor.
    intros t (a & I & L & _ & ->). apply IH. specialize (pos a I). lia.
  Qed.

  Lemma pay n d e a : In a A -> (a <= n)%nat -> (a <= d)%nat ->
    pays A (n, d, e) (n - a, e, d - a)%nat.
  Proof. intros I L D. exists a. auto. Qed.

  Lemma theorem_1_both c n : forall d e, 0 <= c -> c = Z.of_nat d + Z.of_nat e + 1 - Z.of_nat n ->
    (Z.of_nat d - Z.of_nat e + worth c n > 0 -> N_position (pays A) (n, d, e)) /\
    (Z.of_nat d - Z.of_nat e + worth c n <= 0 -> P_position (pays A) (n, d, e)).
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf). intros d e C E. split; intro H.
    - destruct (worth_def c n) as [[(a & I & L & V) _]|[_ V]]; [|lia]. pose proof (pos a I).
      pose proof (worth_bounds c (n - a) C) as B. rewrite Nat2Z.inj_sub in B by lia.
      assert (D : (a <= d)%nat) by lia.
      apply some_option_P with (n - a, e, d - a)%nat; [now apply pay|].
      apply (proj2 (IH (n - a)%nat ltac:(lia) e (d - a)%nat C ltac:(lia))). lia.
    - constructor. intros t (a & I & L & D & ->). pose proof (pos a I).
      destruct (worth_def c n) as [[_ G]|[none _]]; [|specialize (none a I); lia].
      specialize (G a I L).
      destruct (worth_parity c (n - a)) as [k K]. rewrite Nat2Z.inj_sub in K by lia.
      apply (proj1 (IH (n - a)%nat ltac:(lia) e (d - a)%nat C ltac:(lia))). lia.
  Qed.

  Theorem theorem_1 c n d e : 0 <= c -> c = Z.of_nat d + Z.of_nat e + 1 - Z.of_nat n ->
    (N_position (pays A) (n, d, e) <-> Z.of_nat d - Z.of_nat e + worth c n > 0).
  Proof.
    intros C E. destruct (theorem_1_both c n d e C E) as [N P]. split; [|exact N]. intro W.
    destruct (Z_gt_le_dec (Z.of_nat d - Z.of_nat e + worth c n) 0) as [X|X]; [exact X|].
    destruct (not_both _ pays_ends _ (P X) W).
  Qed.

  (** ** Theorem 2 *)

  Section Poor.
    Variable m : nat.
    Hypothesis in_A : In m A.
    Hypothesis least : forall a, In a A -> (m <= a)%nat.

    Lemma one_less d : (m <= d)%nat -> (d / m = (d - m) / m + 1)%nat.
    Proof.
      intro L. specialize (pos m in_A). replace d with (d - m + 1 * m)%nat at 1 by lia.
      rewrite Nat.div_add by lia. reflexivity.
    Qed.

    Lemma theorem_2_both n : forall d e, (d + e <= n)%nat ->
      ((e / m < d / m)%nat -> N_position (pays A) (n, d, e)) /\
        ((d / m <= e / m)%nat -> P_position (pays A) (n, d, e)).
    Proof.
      pose proof (pos m in_A) as M. induction n as [n IH] using (well_founded_induction lt_wf).
      intros d e S. split; intro H.
      - assert (D : (m <= d)%nat).
        { destruct (le_lt_dec m d) as [|X]; [assumption|]. rewrite (Nat.div_small d m X) in H. lia.
          }
        apply some_option_P with (n - m, e, d - m)%nat; [apply pay; auto; lia|].
        apply (proj2 (IH (n - m)%nat ltac:(lia) e (d - m)%nat ltac:(lia))).
        rewrite (one_less d D) in H. lia.
      - constructor. intros t (a & I & L & D & ->). pose proof (least a I) as La.
        apply (proj1 (IH (n - a)%nat ltac:(lia) e (d - a)%nat ltac:(lia))).
        rewrite (one_less d) in H by lia.
        assert (X : ((d - a) / m <= (d - m) / m)%nat) by (apply Nat.div_le_mono; lia). lia.
    Qed.

    Theorem theorem_2 n d e : (d + e <= n)%nat ->
      (N_position (pays A) (n, d, e) <-> (d / m > e / m)%nat).
    Proof.
      intro S. destruct (theorem_2_both n d e S) as [N P]. split; [|exact N]. intro W.
      destruct (le_lt_dec (d / m) (e / m)) as [X|X]; [|exact X].
      destruct (not_both _ pays_ends _ (P X) W).
    Qed.

    Theorem wins_by v : (forall c n, 2 <= c -> v c n = worth c n) ->
      forall n d e, N_position (pays A) (n, d, e) <-> claims_win m v n d e.
    Proof.
      intros V n d e. unfold claims_win. cbv zeta.
      set (c := Z.of_nat d + Z.of_nat e + 1 - Z.of_nat n).
      destruct (Z_lt_le_dec 1 c) as [C|C].
      - rewrite (theorem_1 c n d e) by (subst c; lia). rewrite V by lia. lia.
      - rewrite (theorem_2 n d e) by lia. lia.
    Qed.
  End Poor.

  (** * What was seen *)

  (** The past of n stones. *)
  Definition past_of {T} (R : nat -> T -> Prop) (past : list T) : Prop :=
    forall i x, nth_error past i = Some x -> R (length past - 1 - i)%nat x.

  Lemma past_cons {T} (R : nat -> T -> Prop) past x : past_of R past -> R (length past) x ->
    past_of R (x :: past).
  Proof.
    intros H X [|i] y E; cbn [nth_error length] in *.
    - injection E as <-. now replace (S (length past) - 1 - 0)%nat with (length past) by lia.
    - replace (S (length past) - 1 - S i)%nat with (length past - 1 - i)%nat by lia. now apply H.
  Qed.

  Lemma seen_in {T} (R : nat -> T -> Prop) past a x : past_of R past -> In (a, x) (seen A past) ->
    exists b, a = Z.of_nat b /\ In b A /\ (b <= length past)%nat /\ R (length past - b)%nat x.
  Proof.
    intros H I. unfold seen in I. apply in_flat_map in I as (b & Ib & I).
    destruct (nth_error past (b - 1)) as [y|] eqn:E; [|destruct I].
    destruct I as [I|[]]. injection I as <- <-. specialize (pos b Ib). exists b.
    split; [reflexivity|split; [exact Ib|]].
    assert (L : (b - 1 < length past)%nat) by (apply nth_error_Some; congruence). split; [lia|].
    replace (length past - b)%nat with (length past - 1 - (b - 1))%nat by lia. now apply H.
  Qed.

  Lemma seen_all {T} (R : nat -> T -> Prop) past b : past_of R past -> In b A ->
    (b <= length past)%nat ->
    exists x, In (Z.of_nat b, x) (seen A past) /\ R (length past - b)%nat x.
  Proof.
    intros H I L. specialize (pos b I). destruct (nth_error past (b - 1)) as [x|] eqn:E.
    - exists x. split; [apply in_flat_map; exists b; split; [exact I|]; rewrite E; now left|].
      replace (length past - b)%nat with (length past - 1 - (b - 1))%nat by lia. now apply H.
    - apply nth_error_None in E. lia.
  Qed.

  (** ** Rows *)

  Lemma next_value_right c past : past_of (fun n x => x = worth c n) past ->
    next_value A (c + Z.of_nat (length past)) past = worth c (length past).
  Proof.
    intro H. unfold next_value. set (f := fun o : Z * Z => - fst o - snd o).
    destruct (map f (seen A past)) as [|x l] eqn:E.
    - destruct (worth_def c (length past)) as [[(a & I & L & _) _]|[_ ->]]; [|reflexivity].
      destruct (seen_all _ past a H I L) as (y & Iy & _). apply (in_map f) in Iy. rewrite E in Iy.
      destruct Iy.
    - symmetry. apply worth_is.
      + pose proof (greatest_in x l) as G. rewrite <- E in G.
        apply in_map_iff in G as ([a y] & G & I).
        destruct (seen_in _ past a y H I) as (b & -> & Ib & L & ->). exists b. repeat split; auto.
      + intros a I L. destruct (seen_all _ past a H I L) as (y & Iy & ->). apply greatest_ge.
        rewrite <- E.
        now apply (in_map f) in Iy.
  Qed.

  Lemma obeys_right c l : forall past, past_of (fun n x => x = worth c n) past ->
    obeys A (c + Z.of_nat (length past)) past l = true ->
    forall i x, nth_error l i = Some x -> x = worth c (length past + i).
  Proof.
    induction l as [|y l IH]; intros past H O i x; [now destruct i|]. cbn [obeys] in O.
    apply andb_true_iff in O as [E O].
    apply Z.eqb_eq in E. rewrite next_value_right in E by exact H.
    destruct i as [|i]; cbn [nth_error].
    - intro X. injection X as <-. now rewrite Nat.add_0_r.
    - intro X. replace (length past + S i)%nat with (length (y :: past) + i)%nat by (cbn [length];
        lia).
      apply (IH (y :: past)); [|cbn [length]; now replace (c + Z.of_nat (S (length past))) with
        (c + Z.of_nat (length past) + 1) by lia|exact X].
      apply past_cons; [exact H|now symmetry].
  Qed.

  Lemma more_nth again : again <> [] -> forall k now i, (i < k)%nat ->
    nth_error (more k again now) i =
    if (i <? length now)%nat then nth_error now i else nth_error again
      ((i - length now) mod length again).
  Proof.
    intro Ne. assert (P : (0 < length again)%nat) by (destruct again; [easy|cbn [length]; lia]).
    induction k as [|k IH]; intros now i L; [lia|]. cbn [more]. destruct now as [|x now].
    - destruct again as [|x r] eqn:E; [easy|]. rewrite <- E in *. destruct i as [|i].
      + cbn [length Nat.ltb Nat.leb nth_error]. rewrite Nat.sub_0_r, Nat.mod_0_l by lia.
        now rewrite E.
      + cbn [nth_error]. rewrite IH by lia. cbn [length]. rewrite Nat.sub_0_r.
        replace (S i <? 0)%nat with false by reflexivity.
        destruct (Nat.ltb_spec i (length r)) as [X|X].
        * rewrite Nat.mod_small by (rewrite E; cbn [length]; lia). now rewrite E.
        * f_equal. replace (S i) with (i - length r + 1 * length again)%nat by (rewrite E;
            cbn [length]; lia).
          now rewrite Nat.mod_add by lia.
    - destruct i as [|i]; [reflexivity|]. cbn [nth_error length]. rewrite IH by lia. reflexivity.
  Qed.

  Variable M : nat.
  Hypothesis most : forall a, In a A -> (a <= M)%nat.
  Hypothesis some : A <> [].

  Lemma all_legal n : (M <= n)%nat -> legal n = A.
  Proof.
    intro L. unfold legal.
    assert (X : forall l, (forall a, In a l -> (a <= M)%nat) ->
      filter (fun a => a <=? n)%nat l = l).
    { induction l as [|a l IH]; intro H; [reflexivity|]. cbn [filter].
      assert (La := H a (or_introl eq_refl)).
      destruct (Nat.leb_spec a n); [|lia]. f_equal. apply IH. intros b I. apply H. now right. }
    now apply X.
  Qed.

  (** The recurrence does not ask for c, nor for n. *)
  Lemma same_step c c' n n' : (M <= n)%nat -> (M <= n')%nat ->
    (forall a, In a A -> worth c (n - a) = worth c' (n' - a)) -> worth c n = worth c' n'.
  Proof.
    intros L L' H. rewrite (worth_eq c n), (worth_eq c' n'). unfold worth_step.
    rewrite !all_legal by assumption.
    assert (E : map (fun a => - Z.of_nat a - worth c (n - a)) A = map
      (fun a => - Z.of_nat a - worth c' (n' - a)) A).
    { apply map_ext_in. intros a I. now rewrite H. }
    rewrite <- E. destruct (map (fun a => - Z.of_nat a - worth c (n - a)) A) as [|x l] eqn:X;
      [|reflexivity].
    destruct A; [easy|discriminate].
  Qed.

  Lemma row_right c row : row_fits A M c row = true -> forall n, row_value row n = worth c n.
  Proof.
    destruct row as [period first]. unfold row_fits, row_value. rewrite !andb_true_iff, !Nat.leb_le.
    intros [[P1 P2] O].
    set (e := (length first - period)%nat) in *.
    set (f := fun n => nth (if (n <? e)%nat then n else e + (n - e) mod period)%nat first 0).
    assert (Size : length (skipn e first) = period) by (rewrite skipn_length; lia).
    assert (Ne : skipn e first <> []) by (intro X; rewrite X in Size; cbn [length] in Size; lia).
    replace c with (c + Z.of_nat (length (@nil Z))) in O by (cbn [length]; lia).
    assert (First : forall n, (n < length first + M)%nat -> f n = worth c n).
    { intros n L. apply (obeys_right c _ [] ltac:(intros [|i] x X; discriminate X) O).
      destruct (le_lt_dec (length first) n) as [X|X].
      - rewrite nth_error_app2 by exact X. rewrite more_nth by (assumption || lia). cbn [length].
        rewrite Size.
        replace (n - length first <? 0)%nat with false by reflexivity. rewrite Nat.sub_0_r.
        unfold f.
        destruct (Nat.ltb_spec n e); [lia|].
        replace (n - e)%nat with (n - length first + 1 * period)%nat by lia.
        rewrite Nat.mod_add by lia. set (j := ((n - length first) mod period)%nat).
        assert (J : (j < period)%nat) by (apply Nat.mod_upper_bound; lia).
        rewrite <- (firstn_skipn e first) at 2. rewrite app_nth2 by (rewrite firstn_length; lia).
        rewrite firstn_length, Nat.min_l by lia. replace (e + j - e)%nat with j by lia.
        apply nth_error_nth'. lia.
      - rewrite nth_error_app1 by exact X. unfold f.
        replace (if (n <? e)%nat then n else e + (n - e) mod period)%nat with n.
        + now apply nth_error_nth'.
        + destruct (Nat.ltb_spec n e); [reflexivity|]. rewrite Nat.mod_small by lia. lia. }
    assert (Again : forall n, (length first <= n)%nat -> f n = f (n - period)%nat).
    { intros n L. unfold f. destruct (Nat.ltb_spec n e); [lia|].
      destruct (Nat.ltb_spec (n - period) e); [lia|].
      replace (n - e)%nat with (n - period - e + 1 * period)%nat at 1 by lia.
      now rewrite Nat.mod_add by lia. }
    intro n. change (f n = worth c n). induction n as [n IH] using (well_founded_induction lt_wf).
    destruct (le_lt_dec (length first + M) n) as [L|L]; [|now apply First].
    rewrite Again by lia. rewrite IH by lia. apply same_step; [lia|lia|]. intros a I.
    specialize (most a I). pose proof (pos a I).
    rewrite <- (IH (n - a)%nat) by lia. rewrite Again by lia. rewrite IH by lia. f_equal. lia.
  Qed.

  Lemma rows_right l : forall c, rows_fit A M c l = true -> forall i n, (i < length l)%nat ->
    row_value (nth i l (O, [])) n = worth (c + Z.of_nat i) n.
  Proof.
    induction l as [|row l IH]; intros c H [|i] n L; cbn [length] in L; try lia; cbn [rows_fit] in
      H; apply andb_true_iff in H as [H1 H2]; cbn [nth].
    - rewrite Z.add_0_r. now apply row_right.
    - rewrite (IH (c + 1)) by (assumption || lia). f_equal. lia.
  Qed.

  (** ** Lines *)

  Definition line_right (n : nat) (l : line) : Prop :=
    0 <= start l /\ forall c, start l <= c -> worth c n = (if up l then c else - c) + rest l.

  Lemma next_line_right past : past_of line_right past ->
    line_right (length past) (next_line A (Z.of_nat (length past)) past).
  Proof.
    intro H. unfold next_line.
    set (rests := fun b => flat_map (fun o : Z * line => if eqb (up (snd o)) b then [] else
      [- fst o - rest (snd o)]) (seen A past)).
    set (s := greatest 0 (map (fun o => start (snd o)) (seen A past))).
    assert (S0 : 0 <= s) by (apply greatest_ge; now left).
    (* Each rest belongs to an option. *)
    assert (Own : forall b r, In r (rests b) -> exists a, In a A /\ (a <= length past)%nat /\
      forall c, s <= c ->
      - Z.of_nat a - worth c (length past - a) = (if b then c else - c) + r).
    { intros b r I. apply in_flat_map in I as ([a l] & I & X). cbn [fst snd] in X.
      destruct (eqb (up l) b) eqn:B; [destruct X|].
      destruct X as [<-|[]]. destruct (seen_in _ past a l H I) as (k & -> & Ik & L & [_ R]).
      exists k. split; [exact Ik|split; [exact L|]].
      intros c C. rewrite R.
      - destruct (up l), b; discriminate B || lia.
      - assert (start l <= s); [|lia]. apply greatest_ge. right.
        now apply (in_map (fun o => start (snd o))) in I. }
    assert (All : forall a, In a A -> (a <= length past)%nat -> exists b r, In r (rests b) /\
      forall c, s <= c ->
      - Z.of_nat a - worth c (length past - a) = (if b then c else - c) + r).
    { intros a Ia L. destruct (seen_all _ past a H Ia L) as (l & I & [_ R]).
      exists (negb (up l)), (- Z.of_nat a - rest l). split.
      - apply in_flat_map. exists (Z.of_nat a, l). split; [exact I|]. cbn [fst snd].
        destruct (up l); now left.
      - intros c C. rewrite R.
        + destruct (up l); cbn [negb]; lia.
        + assert (start l <= s); [|lia]. apply greatest_ge. right.
          now apply (in_map (fun o => start (snd o))) in I. }
    fold (rests true) (rests false). clearbody rests.
    destruct (rests true) as [|x l] eqn:T, (rests false) as [|y m] eqn:F; unfold line_right;
      cbn [up rest start].
    - split; [lia|]. intros c C.
      destruct (worth_def c (length past)) as [[(a & Ia & L & _) _]|[_ ->]]; [|lia].
      destruct (All a Ia L) as ([] & r & I & _); [rewrite T in I|rewrite F in I]; destruct I.
    - split; [exact S0|]. intros c C. apply worth_is.
      + destruct (Own false (greatest y m)) as (a & Ia & L & E); [rewrite F; apply greatest_in|].
        exists a. rewrite E by exact C. auto.
      + intros a Ia L. destruct (All a Ia L) as ([] & r & I & E); rewrite E by exact C;
          [rewrite T in I; destruct I|].
        rewrite F in I. apply greatest_ge in I. lia.
    - split; [exact S0|]. intros c C. apply worth_is.
      + destruct (Own true (greatest x l)) as (a & Ia & L & E); [rewrite T; apply greatest_in|].
        exists a. rewrite E by exact C. auto.
      + intros a Ia L. destruct (All a Ia L) as ([] & r & I & E); rewrite E by exact C;
          [|rewrite F in I; destruct I].
        rewrite T in I. apply greatest_ge in I. lia.
    - set (u := greatest x l). set (v := greatest y m). split; [lia|]. intros c C.
      assert (V : - c + v <= c + u).
      { pose proof (Z.mul_succ_div_gt (v - u + 1) 2 ltac:(lia)). lia. }
      apply worth_is.
      + destruct (Own true u) as (a & Ia & L & E); [rewrite T; apply greatest_in|]. exists a.
        rewrite E by lia. auto.
      + intros a Ia L. destruct (All a Ia L) as ([] & r & I & E); rewrite E by lia.
        * rewrite T in I. apply greatest_ge in I. fold u in I. lia.
        * rewrite F in I. apply greatest_ge in I. fold v in I. lia.
  Qed.

  Lemma table_right k : forall past, past_of line_right past ->
    past_of line_right (table A k (Z.of_nat (length past)) past) /\
      length (table A k (Z.of_nat (length past)) past) = (k + length past)%nat.
  Proof.
    induction k as [|k IH]; intros past H; cbn [table]; [auto|].
    set (l := next_line A (Z.of_nat (length past)) past).
    destruct (IH (l :: past)) as [H1 H2]; [apply past_cons; [exact H|now apply next_line_right]|].
    cbn [length] in H1, H2.
    replace (Z.of_nat (S (length past))) with (Z.of_nat (length past) + 1) in H1, H2 by lia.
    split; [exact H1|]. rewrite H2. lia.
  Qed.

  Lemma all_right k : let all := rev_append (table A k 0 []) [] in
    length all = k /\ forall n l, nth_error all n = Some l -> line_right n l.
  Proof.
    cbv zeta. destruct (table_right k [] ltac:(intros [|i] x X; discriminate X)) as [H1 H2].
    cbn [length] in H1, H2.
    change (Z.of_nat 0) with 0 in H1, H2. rewrite <- rev_alt. split; [rewrite rev_length; lia|].
    intros n l E. assert (L : (n < k)%nat).
    { assert (X : (n < length (rev (table A k 0 [])))%nat) by (apply nth_error_Some; congruence).
      rewrite rev_length in X. lia. }
    specialize (H1 (k - 1 - n)%nat l). rewrite H2 in H1.
    replace (k + 0 - 1 - (k - 1 - n))%nat with n in H1 by lia. apply H1.
    set (t := table A k 0 []) in *. rewrite <- (rev_involutive t).
    assert (R : forall (T : Type) (m : list T) i, (i < length m)%nat ->
      nth_error (rev m) (length m - 1 - i) = nth_error m i).
    { intros T m i Li. destruct m as [|z m']; [cbn [length] in Li; lia|].
      rewrite (nth_error_nth' _ z) by (rewrite rev_length; lia).
      rewrite (nth_error_nth' (z :: m') z) by lia. f_equal. rewrite rev_nth by lia. f_equal. lia. }
    rewrite <- E. replace (k - 1 - n)%nat with (length (rev t) - 1 - n)%nat by (rewrite rev_length;
      lia).
    apply R. rewrite rev_length. lia.
  Qed.
End Value.

(** * Windows *)

Lemma both_nth {S T} (f : S -> T -> bool) l : forall m, both f l m = true ->
  length l = length m /\ forall i x, nth_error l i = Some x -> exists y, nth_error m i = Some y /\
    f x y = true.
Proof.
  induction l as [|a l IH]; intros [|b m] H; cbn [both] in H; try discriminate.
  - split; [reflexivity|]. intros [|i] x X; discriminate X.
  - apply andb_true_iff in H as [H1 H2]. destruct (IH m H2) as [E N]. split; [cbn [length]; lia|].
    intros [|i] x X; cbn [nth_error] in *.
    + injection X as <-. now exists b.
    + now apply N.
Qed.

Lemma fold_max l : forall x, (x <= fold_left Nat.max l x)%nat /\ forall y, In y l ->
  (y <= fold_left Nat.max l x)%nat.
Proof.
  induction l as [|z l IH]; intro x; cbn [fold_left In]; [split; [lia|tauto]|].
  destruct (IH (Nat.max x z)) as [H1 H2].
  split; [lia|]. intros y [<-|I]; [lia|now apply H2].
Qed.

Lemma nth_error_skipn {T} (l : list T) : forall k i, nth_error (skipn k l) i = nth_error l (k + i).
Proof.
  induction l as [|x l IH]; intros [|k] i; cbn [skipn Nat.add nth_error]; try reflexivity;
    [now destruct i|apply IH].
Qed.

Lemma nth_error_firstn {T} (l : list T) : forall k i, (i < k)%nat ->
  nth_error (firstn k l) i = nth_error l i.
Proof.
  induction l as [|x l IH]; intros [|k] [|i] L; cbn [firstn nth_error]; try reflexivity; try lia.
  apply IH. lia.
Qed.

(** A window that is examined: it says who wins all positions. *)
Theorem window_right A least w : fits A least w = true ->
  forall n d e, N_position (pays A) (n, d, e) <-> claims_win least (value w) n d e.
Proof.
  unfold fits. set (M := fold_left Nat.max A O). rewrite !andb_true_iff.
  intros [[[[[[[In_A Amounts] P] C] CQ] [Shifted Lines]] Size] Rows].
  apply existsb_exists in In_A as (m & In_A & E). apply Nat.eqb_eq in E as <-.
  rewrite forallb_forall in Amounts.
  assert (pos : forall a, In a A -> (0 < a)%nat) by (intros a I; specialize (Amounts a I);
    rewrite andb_true_iff, !Nat.leb_le in Amounts; lia).
  assert (Least : forall a, In a A -> (least <= a)%nat) by (intros a I; specialize (Amounts a I);
    rewrite andb_true_iff, !Nat.leb_le in Amounts; lia).
  assert (most : forall a, In a A -> (a <= M)%nat) by (apply fold_max).
  assert (some : A <> []) by (intros ->; destruct In_A).
  assert (M1 : (1 <= M)%nat) by (specialize (most least In_A); specialize (pos least In_A); lia).
  apply Nat.leb_le in P. apply Z.leb_le in C, CQ. apply Z.eqb_eq in Size.
  destruct (all_right A pos (from_n w + period_n w + M)) as [Length Right].
  set (all := rev_append _ _) in *.
  apply both_nth in Shifted as [_ Shifted]. apply both_nth in Lines as [LL Lines].
  assert (Base : forall c n, (from_n w <= n < from_n w + M)%nat -> from_c w <= c ->
    worth A (c + period_c w) (n + period_n w) = worth A c n).
  { intros c n L Lc. destruct (nth_error all n) as [early|] eqn:Early;
      [|apply nth_error_None in Early; lia].
    destruct (Shifted (n - from_n w)%nat early) as (late & Late & S).
    { rewrite nth_error_firstn by lia. rewrite nth_error_skipn. rewrite <- Early. f_equal. lia. }
    rewrite nth_error_firstn, nth_error_skipn in Late by lia.
    replace (from_n w + period_n w + (n - from_n w))%nat with (n + period_n w)%nat in Late by lia.
    destruct (Right n early Early) as [_ R1].
    destruct (Right (n + period_n w)%nat late Late) as [_ R2].
    unfold shifted in S. rewrite !andb_true_iff, !Z.leb_le, Z.eqb_eq in S.
    destruct S as [[[U Re] S1] S2]. apply eqb_prop in U.
    rewrite R1, R2 by lia. rewrite <- U, Re. destruct (up early); lia. }
  assert (Shift : forall n c, (from_n w <= n)%nat -> from_c w <= c ->
    worth A (c + period_c w) (n + period_n w) = worth A c n).
  { intro n. induction n as [n IH] using (well_founded_induction lt_wf). intros c L Lc.
    destruct (le_lt_dec (from_n w + M) n) as [X|X]; [|now apply Base].
    apply (same_step A pos M most some); [lia|lia|].
    intros a I. specialize (most a I). specialize (pos a I).
    replace (n + period_n w - a)%nat with (n - a + period_n w)%nat by lia.
    apply IH; [lia|lia|lia]. }
  apply (wins_by A pos least In_A Least).
  assert (V : forall fuel n c, 2 <= c -> (n < fuel)%nat -> value_within fuel w c n = worth A c n).
  { induction fuel as [|fuel IH]; intros n c L F; [lia|]. cbn [value_within]. unfold from_here in *.
    destruct (Z.ltb_spec c (from_c w + Z.max (period_c w) 0)) as [X|X].
    - rewrite (rows_right A pos M most some (rows w) 2 Rows) by lia. f_equal. lia.
    - destruct (Nat.ltb_spec n (from_n w + period_n w)) as [Y|Y].
      + destruct (nth_error all n) as [l|] eqn:E; [|apply nth_error_None in E; lia].
        destruct (Lines n l) as ([b r] & El & S); [now rewrite nth_error_firstn by lia|].
        rewrite (nth_error_nth _ _ _ El). cbn [fst snd] in S.
        rewrite !andb_true_iff, Z.eqb_eq, Z.leb_le in S.
        destruct S as [[U <-] S]. apply eqb_prop in U as <-. destruct (Right n l E) as [_ R].
        unfold line_value. rewrite R by lia. reflexivity.
      + rewrite IH by lia. rewrite <- (Shift (n - period_n w)%nat (c - period_c w)) by lia.
        f_equal; lia. }
  intros c n L. apply V; lia.
Qed.

(** ** The same window *)

Fixpoint same_by {T} (same : T -> T -> bool) (l m : list T) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => same a b && same_by same l m
  | _, _ => false
  end.

Definition same_window (w v : window) : bool :=
  Nat.eqb (period_n w) (period_n v) && (period_c w =? period_c v) && Nat.eqb (from_n w) (from_n v)
    && (from_c w =? from_c v) &&
  same_by (fun a b => eqb (fst a) (fst b) && (snd a =? snd b)) (lines w) (lines v) &&
  same_by (fun a b => Nat.eqb (fst a) (fst b) && same_by Z.eqb (snd a) (snd b)) (rows w) (rows v).

Lemma same_by_eq {T} (same : T -> T -> bool) l : (forall a b, same a b = true -> a = b) ->
  forall m, same_by same l m = true -> l = m.
Proof.
  intro E. induction l as [|x l IH]; intros [|y m]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff. intros [H1 H2].
  now rewrite (E x y H1), (IH m H2).
Qed.

Lemma same_window_eq w v : same_window w v = true -> w = v.
Proof.
  destruct w, v. unfold same_window. cbn [period_n period_c from_n from_c lines rows].
  rewrite !andb_true_iff, !Nat.eqb_eq, !Z.eqb_eq.
  intros [[[[[-> ->] ->] ->] L] R]. f_equal.
  - revert L. apply same_by_eq. intros [] []. cbn [fst snd]. rewrite andb_true_iff, Z.eqb_eq.
    intros [E ->]. apply eqb_prop in E. now subst.
  - revert R. apply same_by_eq. intros [] []. cbn [fst snd]. rewrite andb_true_iff, Nat.eqb_eq.
    intros [-> E].
    f_equal. revert E. apply same_by_eq. intros a b. apply Z.eqb_eq.
Qed.

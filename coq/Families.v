(** Games with parameters: P-positions for all values of the parameters that satisfy a condition.

    The claim follows if four kinds of systems have no solution in integers: an amount below 1, a
    divisor below 1, a move from a claimed position to one, and a position that is not claimed and
    no witness, a way to move, that leads to one. The systems are derived here from game, condition
    and claim. A quotient is a variable of its own. A tree refutes a system: facts, polynomials that
    are at least 0, are split, multiplied, and added up to a negative number. *)

From Coq Require Import List Arith NArith ZArith Lia Bool.
From Bouton Require Import Positions Data.
Import ListNotations.
Open Scope Z_scope.

(** * What is said *)

(** Expressions: [Named i] is the i-th of the parameters, which are followed by the numbers of the
    position. Quotients are rounded down. *)
Inductive expression :=
| Fixed (k : N)
| Named (i : nat)
| Added (a b : expression)
| Subtracted (a b : expression)
| Multiplied (a b : expression)
| Divided (a b : expression)
| Rest (a b : expression).

Inductive relation := Is | Is_not | Is_less | Is_at_most | Is_more | Is_at_least.

Inductive sentence :=
| Compared (r : relation) (a b : expression)
| Not_so (s : sentence)
| All_so (s t : sentence)
| One_so (s t : sentence).

Fixpoint eden (e : expression) (l : list Z) : Z :=
  match e with
  | Fixed k => Z.of_N k
  | Named i => nth i l 0
  | Added a b => eden a l + eden b l
  | Subtracted a b => eden a l - eden b l
  | Multiplied a b => eden a l * eden b l
  | Divided a b => eden a l / eden b l
  | Rest a b => eden a l mod eden b l
  end.

Definition related (r : relation) (x y : Z) : Prop :=
  match r with
  | Is => x = y
  | Is_not => x <> y
  | Is_less => x < y
  | Is_at_most => x <= y
  | Is_more => y < x
  | Is_at_least => y <= x
  end.

Fixpoint sden (s : sentence) (l : list Z) : Prop :=
  match s with
  | Compared r a b => related r (eden a l) (eden b l)
  | Not_so s => ~ sden s l
  | All_so s t => sden s l /\ sden t l
  | One_so s t => sden s l \/ sden t l
  end.

(** What a move may take: one number, or each one of a range, its ends included. *)
Inductive amount :=
| Single (e : expression)
| Range (least most : expression).

Definition takes_of (a : amount) (l : list Z) (t : Z) : Prop :=
  match a with
  | Single e => t = eden e l
  | Range least most => eden least l <= t <= eden most l
  end.

(** The amounts for these values of the parameters. *)
Definition may_take (amounts : list amount) (l : list Z) (t : N) : Prop :=
  exists a, In a amounts /\ takes_of a l (Z.of_N t).

(** One heap: who moves takes t tokens, t in A. *)
Definition takes (A : N -> Prop) (p q : N) : Prop := exists t, A t /\ (t <= p)%N /\ q = (p - t)%N.

(** NIM with Cash as in Positions.v ([pays]): n stones, d dollars of the mover and e of the other
    player; who moves takes t stones, t in A, and pays t dollars. *)
Definition buys (A : N -> Prop) (p q : N * N * N) : Prop :=
  let '(n, d, e) := p in exists t, A t /\ (t <= n)%N /\ (t <= d)%N /\ q = (n - t, e, d - t)%N.

Record theorem := {
  (** How many parameters there are. *)
  parameters : nat;
  (** NIM with Cash, or one heap. *)
  with_purses : bool;
  amounts : list amount;
  on_condition : sentence;
  claimed : sentence }.

Definition holds (g : theorem) : Prop :=
  forall l, length l = parameters g -> sden (on_condition g) l ->
  if with_purses g
  then forall n d e, P_position (buys (may_take (amounts g) l)) (n, d, e) <->
    sden (claimed g) (l ++ map Z.of_N [n; d; e])
  else forall a, P_position (takes (may_take (amounts g) l)) a <->
    sden (claimed g) (l ++ map Z.of_N [a]).

Lemma related_decided r x y : related r x y \/ ~ related r x y.
Proof. destruct r; cbn [related]; lia. Qed.

Lemma sden_decided s l : sden s l \/ ~ sden s l.
Proof. induction s; cbn [sden]; try tauto. apply related_decided. Qed.

(** * Polynomials

    Monomials are ascending lists of variables; none comes twice, and no coefficient is 0,
      but nothing depends on that. *)

Definition poly := list (Z * list nat).
Definition values := nat -> Z.

Definition mden (m : list nat) (v : values) : Z := fold_right (fun i a => v i * a) 1 m.
Definition pden (p : poly) (v : values) : Z :=
  fold_right (fun t a => fst t * mden (snd t) v + a) 0 p.

Fixpoint same_monomial (m n : list nat) : bool :=
  match m, n with
  | [], [] => true
  | i :: m, j :: n => Nat.eqb i j && same_monomial m n
  | _, _ => false
  end.

Fixpoint add_term (c : Z) (m : list nat) (p : poly) : poly :=
  match p with
  | [] => if c =? 0 then [] else [(c, m)]
  | (d, n) :: p => if same_monomial m n then (if c + d =? 0 then p else (c + d, n) :: p) else
    (d, n) :: add_term c m p
  end.

(** The sum of p and k times q. *)
Definition plus (k : Z) (q p : poly) : poly :=
  fold_left (fun p t => add_term (k * fst t) (snd t) p) q p.

Fixpoint put_in (i : nat) (m : list nat) : list nat :=
  match m with [] => [i] | j :: n => if Nat.leb i j then i :: m else j :: put_in i n end.
Definition joined (m n : list nat) : list nat := fold_right put_in n m.

Definition times_term (c : Z) (m : list nat) (q p : poly) : poly :=
  fold_left (fun p t => add_term (c * fst t) (joined m (snd t)) p) q p.
Definition times (p q : poly) : poly := fold_left (fun s t => times_term (fst t) (snd t) q s) p [].

Definition constant (k : Z) : poly := if k =? 0 then [] else [(k, [])].
Definition variable (i : nat) : poly := [(1, [i])].
Definition minus (p q : poly) : poly := plus (-1) q p.
(** At least 0 where p is negative. *)
Definition opposite (p : poly) : poly := minus (constant (-1)) p.
Definition same_poly (p q : poly) : bool := match minus p q with [] => true | _ => false end.

Definition as_constant (p : poly) : option Z :=
  match p with [] => Some 0 | [(k, [])] => Some k | _ => None end.

Definition uses_below (k : nat) (p : poly) : bool :=
  forallb (fun t => forallb (fun i => Nat.ltb i k) (snd t)) p.

(** What is known of integers if p is at least 0: with g the common divisor of all coefficients but
    the constant, all is divided by g, the constant is rounded down. *)
Definition is_constant (t : Z * list nat) : bool := match snd t with [] => true | _ => false end.
Definition tightened (p : poly) : poly :=
  let others := filter (fun t => negb (is_constant t)) p in
  let g := fold_right (fun t g => Z.gcd (fst t) g) 0 others in
  if (1 <? g) && forallb (fun t => fst t mod g =? 0) others then
    let c := fold_right (fun t a => fst t + a) 0 (filter is_constant p) in
    constant (c / g) ++ map (fun t => (fst t / g, snd t)) others
  else p.

Lemma same_monomial_eq m : forall n, same_monomial m n = true -> m = n.
Proof.
  induction m as [|i m IH]; intros [|j n]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff, Nat.eqb_eq. intros [-> H].
  now rewrite (IH n H).
Qed.

Lemma pden_nil v : pden [] v = 0.
Proof. reflexivity. Qed.

Lemma pden_cons c m p v : pden ((c, m) :: p) v = c * mden m v + pden p v.
Proof. reflexivity. Qed.

Lemma add_term_value c m p v : pden (add_term c m p) v = c * mden m v + pden p v.
Proof.
  induction p as [|[d n] p IH]; cbn [add_term].
  - destruct (Z.eqb_spec c 0) as [->|_]; rewrite ?pden_cons, pden_nil; ring.
  - destruct (same_monomial m n) eqn:S.
    + apply same_monomial_eq in S as ->.
      destruct (Z.eqb_spec (c + d) 0) as [E|_]; rewrite !pden_cons; [|ring].
      replace d with (- c) by lia. ring.
    + rewrite !pden_cons, IH. ring.
Qed.

Lemma plus_value k q v : forall p, pden (plus k q p) v = pden p v + k * pden q v.
Proof.
  unfold plus. induction q as [|[c m] q IH]; intro p; cbn [fold_left fst snd];
    [rewrite pden_nil; ring|].
  rewrite IH, add_term_value, pden_cons. ring.
Qed.

Lemma put_in_value i m v : mden (put_in i m) v = v i * mden m v.
Proof.
  induction m as [|j m IH]; cbn [put_in]; [reflexivity|]. destruct (Nat.leb i j); [reflexivity|].
  change (v j * mden (put_in i m) v = v i * (v j * mden m v)). rewrite IH. ring.
Qed.

Lemma joined_value m n v : mden (joined m n) v = mden m v * mden n v.
Proof.
  unfold joined. induction m as [|i m IH]; cbn [fold_right].
  - change (mden [] v) with 1. ring.
  - rewrite put_in_value, IH. change (mden (i :: m) v) with (v i * mden m v). ring.
Qed.

Lemma times_term_value c m q v : forall p, pden (times_term c m q p) v = pden p v + c * mden m v *
  pden q v.
Proof.
  unfold times_term. induction q as [|[d n] q IH]; intro p; cbn [fold_left fst snd];
    [rewrite pden_nil; ring|].
  rewrite IH, add_term_value, joined_value, pden_cons. ring.
Qed.

Lemma times_value p q v : pden (times p q) v = pden p v * pden q v.
Proof.
  unfold times. cut (forall s, pden (fold_left (fun s t => times_term (fst t) (snd t) q s) p s) v =
    pden s v + pden p v * pden q v).
  { intro H. rewrite H, pden_nil. ring. }
  induction p as [|[c m] p IH]; intro s; cbn [fold_left fst snd]; [rewrite pden_nil; ring|].
  rewrite IH, times_term_value, pden_cons. ring.
Qed.

Lemma constant_value k v : pden (constant k) v = k.
Proof.
  unfold constant. destruct (Z.eqb_spec k 0) as [->|_]; [reflexivity|]. rewrite pden_cons, pden_nil.
  change (mden [] v) with 1. ring.
Qed.

Lemma variable_value i v : pden (variable i) v = v i.
Proof. unfold variable. rewrite pden_cons, pden_nil. change (mden [i] v) with (v i * 1). ring. Qed.

Lemma minus_value p q v : pden (minus p q) v = pden p v - pden q v.
Proof. unfold minus. rewrite plus_value. ring. Qed.

Lemma opposite_value p v : pden (opposite p) v = - pden p v - 1.
Proof. unfold opposite. rewrite minus_value, constant_value. ring. Qed.

Lemma same_poly_value p q v : same_poly p q = true -> pden p v = pden q v.
Proof.
  unfold same_poly. pose proof (minus_value p q v) as E. destruct (minus p q); [|discriminate].
  intros _.
  rewrite pden_nil in E. lia.
Qed.

Lemma as_constant_value p k v : as_constant p = Some k -> pden p v = k.
Proof.
  unfold as_constant. destruct p as [|[c [|i m]] [|t p]]; try discriminate; intro E;
    injection E as <-; [reflexivity|].
  rewrite pden_cons, pden_nil. change (mden [] v) with 1. ring.
Qed.

Lemma uses_below_value k p v w : uses_below k p = true -> (forall i, (i < k)%nat -> v i = w i) ->
  pden p v = pden p w.
Proof.
  intros U A. induction p as [|[c m] p IH]; [reflexivity|]. cbn [uses_below forallb snd] in U.
  apply andb_true_iff in U as [M U].
  rewrite !pden_cons, (IH U). f_equal. f_equal. clear -M A.
  induction m as [|i m IH]; [reflexivity|]. cbn [forallb] in M. apply andb_true_iff in M as [I M].
  apply Nat.ltb_lt in I.
  change (v i * mden m v = w i * mden m w). now rewrite (A i I), (IH M).
Qed.

Lemma parts_value p v : pden p v =
  fold_right (fun t a => fst t + a) 0 (filter is_constant p) + pden
    (filter (fun t => negb (is_constant t)) p) v.
Proof.
  induction p as [|[c [|i m]] p IH]; [reflexivity| |]; rewrite pden_cons, IH;
    cbn [filter is_constant snd negb];
    [cbn [fold_right fst]; change (mden [] v) with 1|rewrite pden_cons]; ring.
Qed.

Lemma divided_value g l v : forallb (fun t => fst t mod g =? 0) l = true -> 1 < g ->
  pden l v = g * pden (map (fun t => (fst t / g, snd t)) l) v.
Proof.
  intros H G. induction l as [|[c m] l IH]; [cbn; lia|]. cbn [forallb fst] in H.
  apply andb_true_iff in H as [C H].
  apply Z.eqb_eq in C. cbn [map fst snd]. rewrite !pden_cons, (IH H).
  pose proof (Z.div_mod c g ltac:(lia)) as E. rewrite C in E. rewrite E at 1. ring.
Qed.

Lemma tightened_value p v : 0 <= pden p v -> 0 <= pden (tightened p) v.
Proof.
  intro H. unfold tightened. set (others := filter (fun t => negb (is_constant t)) p).
  set (g := fold_right (fun t g => Z.gcd (fst t) g) 0 others).
  destruct ((1 <? g) && forallb (fun t => fst t mod g =? 0) others) eqn:E; [|exact H].
  apply andb_true_iff in E as [G D]. apply Z.ltb_lt in G. rewrite parts_value in H.
  fold others in H.
  set (c := fold_right (fun t a => fst t + a) 0 (filter is_constant p)) in *.
  rewrite (divided_value g others v D G) in H.
  set (rest := map (fun t => (fst t / g, snd t)) others) in *.
  assert (S : pden (constant (c / g) ++ rest) v = c / g + pden rest v).
  { unfold constant. destruct (Z.eqb_spec (c / g) 0) as [->|_]; cbn [app]; rewrite ?pden_cons;
      change (mden [] v) with 1; ring. }
  rewrite S. pose proof (Z.div_mod c g ltac:(lia)). pose proof (Z.mod_pos_bound c g ltac:(lia)).
  nia.
Qed.

(** * Sentences over polynomials *)

Inductive over :=
| At_least_0 (p : poly)
| Both (f g : over)
| Either (f g : over).

Fixpoint oden (f : over) (v : values) : Prop :=
  match f with
  | At_least_0 p => 0 <= pden p v
  | Both f g => oden f v /\ oden g v
  | Either f g => oden f v \/ oden g v
  end.

Fixpoint negation (f : over) : over :=
  match f with
  | At_least_0 p => At_least_0 (opposite p)
  | Both f g => Either (negation f) (negation g)
  | Either f g => Both (negation f) (negation g)
  end.

Lemma negation_value f v : oden (negation f) v <-> ~ oden f v.
Proof.
  induction f; cbn [negation oden].
  - rewrite opposite_value. lia.
  - rewrite IHf1, IHf2. assert (D : oden f1 v \/ ~ oden f1 v).
    { clear. induction f1; cbn [oden]; [lia|tauto|tauto]. } tauto.
  - rewrite IHf1, IHf2. tauto.
Qed.

Lemma oden_decided f v : oden f v \/ ~ oden f v.
Proof. induction f; cbn [oden]; [lia|tauto|tauto]. Qed.

(** ** Quotients

    The i-th pair of dividend and divisor has its quotient in variable [base] + i. *)

Definition pairs := list (poly * poly).

Section Base.
  Variable base : nat.

  Fixpoint place_of (x d : poly) (s : pairs) (i : nat) : option nat :=
    match s with
    | [] => None
    | (y, e) :: s => if same_poly x y && same_poly d e then Some i else place_of x d s (S i)
    end.

  Definition quotient (x d : poly) (s : pairs) : option (poly * pairs) :=
    let meet (_ : unit) :=
      match place_of x d s base with
      | Some i => Some (variable i, s)
      | None => Some (variable (base + length s), s ++ [(x, d)])
      end in
    match as_constant d with
    | None => meet tt
    | Some k =>
      if k <? 1 then None else match as_constant x with Some c => Some (constant (c / k), s) |
        None => meet tt end
    end.

  (** What an expression is, and the quotients met; [names] is what its names stand for. *)
  Fixpoint poly_of (names : list poly) (e : expression) (s : pairs) : option (poly * pairs) :=
    let two (make : poly -> poly -> pairs -> option (poly * pairs)) (a b : expression) :=
      match poly_of names a s with
      | Some (x, s) => match poly_of names b s with Some (y, s) => make x y s | None => None end
      | None => None
      end in
    match e with
    | Fixed k => Some (constant (Z.of_N k), s)
    | Named i => Some (nth i names [], s)
    | Added a b => two (fun x y s => Some (plus 1 y x, s)) a b
    | Subtracted a b => two (fun x y s => Some (minus x y, s)) a b
    | Multiplied a b => two (fun x y s => Some (times x y, s)) a b
    | Divided a b => two quotient a b
    | Rest a b =>
      two (fun x y s => match quotient x y s with Some (q, s) => Some (minus x (times y q), s) |
        None => None end) a b
    end.

  Definition comparison (r : relation) (x y : poly) : over :=
    let less x y := At_least_0 (minus (minus y x) (constant 1)) in
    match r with
    | Is => Both (At_least_0 (minus x y)) (At_least_0 (minus y x))
    | Is_not => Either (less y x) (less x y)
    | Is_less => less x y
    | Is_at_most => At_least_0 (minus y x)
    | Is_more => less y x
    | Is_at_least => At_least_0 (minus x y)
    end.

  Fixpoint over_of (names : list poly) (f : sentence) (s : pairs) : option (over * pairs) :=
    let two (make : over -> over -> over) (f g : sentence) :=
      match over_of names f s with
      | Some (x, s) => match over_of names g s with Some (y, s) => Some (make x y, s) | None =>
        None end
      | None => None
      end in
    match f with
    | Compared r a b =>
      match poly_of names a s with
      | Some (x, s) => match poly_of names b s with Some (y, s) => Some (comparison r x y, s) |
        None => None end
      | None => None
      end
    | Not_so f => match over_of names f s with Some (x, s) => Some (negation x, s) | None =>
      None end
    | All_so f g => two Both f g
    | One_so f g => two Either f g
    end.

  (** Quotients are what they should be, and divisors are positive. *)
  Definition fits (s : pairs) (v : values) : Prop :=
    forall i x d, nth_error s i = Some (x, d) -> v (base + i)%nat = pden x v / pden d v /\
      1 <= pden d v.

  Definition longer (s s' : pairs) : Prop := exists t, s' = s ++ t.

  Lemma longer_refl s : longer s s.
  Proof. exists []. symmetry. apply app_nil_r. Qed.

  Lemma longer_trans s t u : longer s t -> longer t u -> longer s u.
  Proof. intros [a ->] [b ->]. exists (a ++ b). symmetry. apply app_assoc. Qed.

  Lemma fits_longer s s' v : longer s s' -> fits s' v -> fits s v.
  Proof.
    intros [t ->] F i x d E. apply F. rewrite nth_error_app1; [exact E|]. apply nth_error_Some.
    now rewrite E.
  Qed.

  Lemma place_of_found x d s : forall i j v, place_of x d s i = Some j ->
    exists k y e, j = (i + k)%nat /\ nth_error s k = Some (y, e) /\ pden x v = pden y v /\
      pden d v = pden e v.
  Proof.
    induction s as [|[y e] s IH]; intros i j v; cbn [place_of]; [discriminate|].
    destruct (same_poly x y && same_poly d e) eqn:M.
    - intro E. injection E as <-. apply andb_true_iff in M as [X D]. exists 0%nat, y, e.
      split; [lia|]. split; [reflexivity|].
      split; now apply same_poly_value.
    - intro E. destruct (IH _ _ v E) as (k & y' & e' & J & N & R). exists (S k), y', e'.
      split; [lia|]. now split.
  Qed.

  Lemma quotient_sound x d s q s' : quotient x d s = Some (q, s') ->
    longer s s' /\ forall v, fits s' v -> pden q v = pden x v / pden d v.
  Proof.
    assert (M : match place_of x d s base with
      | Some i => Some (variable i, s)
      | None => Some (variable (base + length s), s ++ [(x, d)])
      end = Some (q, s') -> longer s s' /\ forall v, fits s' v -> pden q v = pden x v / pden d v).
    { destruct (place_of x d s base) as [i|] eqn:P; intro E; injection E as <- <-.
      - split; [apply longer_refl|]. intros v F.
        destruct (place_of_found _ _ _ _ _ v P) as (k & y & e & -> & N & X & D).
        rewrite variable_value, X, D. now apply F.
      - split; [now exists [(x, d)]|]. intros v F. rewrite variable_value. apply F.
        rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity. }
    unfold quotient. destruct (as_constant d) as [k|] eqn:D; [|exact M].
    destruct (k <? 1); [discriminate|].
    destruct (as_constant x) as [c|] eqn:X; [|exact M]. intro E. injection E as <- <-.
    split; [apply longer_refl|]. intros v _.
    now rewrite constant_value, (as_constant_value x c v X), (as_constant_value d k v D).
  Qed.

  Lemma rest_value x d : x mod d = x - d * (x / d).
  Proof. destruct (Z.eq_dec d 0) as [->|D]; [rewrite Zmod_0_r; lia|]. now apply Z.mod_eq. Qed.

  Definition named (names : list poly) (v : values) : list Z := map (fun p => pden p v) names.

  Lemma poly_of_sound names e : forall s p s', poly_of names e s = Some (p, s') ->
    longer s s' /\ forall v, fits s' v -> pden p v = eden e (named names v).
  Proof.
    induction e; intros s p s' E; cbn [poly_of] in E; cbn [eden].
    - injection E as <- <-. split; [apply longer_refl|]. intros v _. apply constant_value.
    - injection E as <- <-. split; [apply longer_refl|]. intros v _. unfold named.
      symmetry. exact (map_nth (fun p => pden p v) names [] i).
    - destruct (poly_of names e1 s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names e2 s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHe1 _ _ _ E1) as [L1 H1]. destruct (IHe2 _ _ _ E2) as [L2 H2].
      injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F.
      rewrite plus_value, (H2 v F), (H1 v (fits_longer _ _ v L2 F)). lia.
    - destruct (poly_of names e1 s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names e2 s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHe1 _ _ _ E1) as [L1 H1]. destruct (IHe2 _ _ _ E2) as [L2 H2].
      injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F.
      now rewrite minus_value, (H2 v F), (H1 v (fits_longer _ _ v L2 F)).
    - destruct (poly_of names e1 s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names e2 s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHe1 _ _ _ E1) as [L1 H1]. destruct (IHe2 _ _ _ E2) as [L2 H2].
      injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F.
      now rewrite times_value, (H2 v F), (H1 v (fits_longer _ _ v L2 F)).
    - destruct (poly_of names e1 s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names e2 s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHe1 _ _ _ E1) as [L1 H1]. destruct (IHe2 _ _ _ E2) as [L2 H2].
      destruct (quotient_sound _ _ _ _ _ E) as [L3 H3].
      split; [apply (longer_trans _ s1); [exact L1|now apply (longer_trans _ s2)]|]. intros v F.
      pose proof (fits_longer _ _ v L3 F) as F2.
      now rewrite (H3 v F), (H2 v F2), (H1 v (fits_longer _ _ v L2 F2)).
    - destruct (poly_of names e1 s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names e2 s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHe1 _ _ _ E1) as [L1 H1]. destruct (IHe2 _ _ _ E2) as [L2 H2].
      destruct (quotient x y s2) as [[q s3]|] eqn:E3; [|discriminate].
      destruct (quotient_sound _ _ _ _ _ E3) as [L3 H3]. injection E as <- <-.
      split; [apply (longer_trans _ s1); [exact L1|now apply (longer_trans _ s2)]|]. intros v F.
      pose proof (fits_longer _ _ v L3 F) as F2.
      rewrite minus_value, times_value, (H3 v F), (H2 v F2), (H1 v (fits_longer _ _ v L2 F2)).
      symmetry. apply rest_value.
  Qed.

  Lemma comparison_value r x y v : oden (comparison r x y) v <-> related r (pden x v) (pden y v).
  Proof. destruct r; cbn [comparison oden related]; rewrite ?minus_value, ?constant_value; lia. Qed.

  Lemma over_of_sound names f : forall s o s', over_of names f s = Some (o, s') ->
    longer s s' /\ forall v, fits s' v -> (oden o v <-> sden f (named names v)).
  Proof.
    induction f as [r a b|f IH|f IHf g IHg|f IHf g IHg]; intros s o s' E; cbn [over_of] in E;
      cbn [sden].
    - destruct (poly_of names a s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (poly_of names b s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (poly_of_sound _ _ _ _ _ E1) as [L1 H1].
      destruct (poly_of_sound _ _ _ _ _ E2) as [L2 H2]. injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F.
      rewrite comparison_value, (H2 v F), (H1 v (fits_longer _ _ v L2 F)).
      apply iff_refl.
    - destruct (over_of names f s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (IH _ _ _ E1) as [L1 H1]. injection E as <- <-.
      split; [exact L1|]. intros v F. rewrite negation_value, (H1 v F). apply iff_refl.
    - destruct (over_of names f s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (over_of names g s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHf _ _ _ E1) as [L1 H1]. destruct (IHg _ _ _ E2) as [L2 H2]. injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F. cbn [oden].
      rewrite (H2 v F), (H1 v (fits_longer _ _ v L2 F)). apply iff_refl.
    - destruct (over_of names f s) as [[x s1]|] eqn:E1; [|discriminate].
      destruct (over_of names g s1) as [[y s2]|] eqn:E2; [|discriminate].
      destruct (IHf _ _ _ E1) as [L1 H1]. destruct (IHg _ _ _ E2) as [L2 H2]. injection E as <- <-.
      split; [now apply (longer_trans _ s1)|]. intros v F. cbn [oden].
      rewrite (H2 v F), (H1 v (fits_longer _ _ v L2 F)). apply iff_refl.
  Qed.

  (** Readings one after the other. *)
  Definition reading (A : Type) := pairs -> option (A * pairs).
  Definition done {A} (a : A) : reading A := fun s => Some (a, s).
  Definition then_ {A B} (m : reading A) (f : A -> reading B) : reading B :=
    fun s => match m s with Some (a, s) => f a s | None => None end.

  Definition sound {A} (m : reading A) (P : A -> values -> Prop) : Prop :=
    forall s a s', m s = Some (a, s') -> longer s s' /\ forall v, fits s' v -> P a v.

  Lemma sound_done {A} (a : A) (P : A -> values -> Prop) : (forall v, P a v) -> sound (done a) P.
  Proof. intros H s b s' E. injection E as <- <-. split; [apply longer_refl|auto]. Qed.

  Lemma sound_then {A B} (m : reading A) (f : A -> reading B) (P : A -> values -> Prop)
    (Q : B -> values -> Prop) :
    sound m P -> (forall a, sound (f a) (fun b v => P a v -> Q b v)) -> sound (then_ m f) Q.
  Proof.
    intros M F s b s' E. unfold then_ in E. destruct (m s) as [[a s1]|] eqn:E1; [|discriminate].
    destruct (M _ _ _ E1) as [L1 H1]. destruct (F a _ _ _ E) as [L2 H2].
    split; [now apply (longer_trans _ s1)|].
    intros v V. apply (H2 v V), H1. now apply (fits_longer _ s').
  Qed.

  Lemma sound_weaker {A} (m : reading A) (P Q : A -> values -> Prop) : sound m P ->
    (forall a v, P a v -> Q a v) -> sound m Q.
  Proof. intros M W s a s' E. destruct (M _ _ _ E) as [L H]. split; [exact L|auto]. Qed.

  (** Each quotient is one of numbers that come before. *)
  Fixpoint ordered (n : nat) (s : pairs) : bool :=
    match s with [] => true | (x, d) :: s => uses_below n x && uses_below n d && ordered (S n) s
      end.

  Definition set (v : values) (i : nat) (z : Z) : values := fun j => if Nat.eqb j i then z else v j.

  Fixpoint extended (n : nat) (s : pairs) (v : values) : values :=
    match s with [] => v | (x, d) :: s => extended (S n) s (set v n (pden x v / pden d v)) end.

  Lemma extended_below s : forall n v i, (i < n)%nat -> extended n s v i = v i.
  Proof.
    induction s as [|[x d] s IH]; intros n v i L; cbn [extended]; [reflexivity|]. rewrite IH by lia.
    unfold set.
    destruct (Nat.eqb_spec i n); [lia|reflexivity].
  Qed.

  Lemma extended_right s : forall n v, ordered n s = true ->
    forall i x d, nth_error s i = Some (x, d) ->
    extended n s v (n + i)%nat = pden x (extended n s v) / pden d (extended n s v).
  Proof.
    induction s as [|[x d] s IH]; intros n v O i y e E; [destruct i; discriminate|].
    cbn [ordered] in O.
    apply andb_true_iff in O as [O O']. apply andb_true_iff in O as [X D]. destruct i as [|i].
    - injection E as <- <-. assert (B : forall j, (j < n)%nat -> extended n ((x, d) :: s) v j = v j)
        by (intros; now apply extended_below).
      rewrite (uses_below_value n x _ v X B), (uses_below_value n d _ v D B). cbn [extended].
      rewrite Nat.add_0_r, extended_below by lia.
      unfold set. now rewrite Nat.eqb_refl.
    - cbn [nth_error] in E. cbn [extended]. replace (n + S i)%nat with (S n + i)%nat by lia.
      now apply IH.
  Qed.

  (** * Refutations *)

  (** Facts, and choices: one of each list holds. *)
  Definition known := (list poly * list (list over))%type.

  Fixpoint alternatives (f : over) : list over :=
    match f with Either f g => alternatives f ++ alternatives g | f => [f] end.

  Fixpoint assume (f : over) (k : known) : known :=
    match f with
    | At_least_0 p => (fst k ++ [tightened p], snd k)
    | Both f g => assume g (assume f k)
    | f => (fst k, snd k ++ [alternatives f])
    end.

  Definition true_of (k : known) (v : values) : Prop :=
    (forall p, In p (fst k) -> 0 <= pden p v) /\
      (forall c, In c (snd k) -> exists f, In f c /\ oden f v).

  Lemma alternatives_true f v : oden f v -> exists g, In g (alternatives f) /\ oden g v.
  Proof.
    induction f; cbn [alternatives]; intro H; try (eexists; split; [now left|exact H]).
    destruct H as [H|H].
    - destruct (IHf1 H) as (g & I & G). exists g. split; [apply in_or_app; now left|exact G].
    - destruct (IHf2 H) as (g & I & G). exists g. split; [apply in_or_app; now right|exact G].
  Qed.

  Lemma assume_true f v : oden f v -> forall k, true_of k v -> true_of (assume f k) v.
  Proof.
    induction f; intros H k [F C]; cbn [assume].
    - split; [|exact C]. cbn [fst]. intros q I. apply in_app_or in I as [I|[<-|[]]]; [now apply F|].
      now apply tightened_value.
    - destruct H as [H1 H2]. apply IHf2; [exact H2|]. apply IHf1; [exact H1|now split].
    - split; [exact F|]. cbn [snd]. intros c I. apply in_app_or in I as [I|[<-|[]]]; [now apply C|].
      now apply alternatives_true.
  Qed.

  Fixpoint each_refuted (try : over -> list N -> option (list N)) (c : list over) (l : list N) :
    option (list N) :=
    match c with
    | [] => Some l
    | f :: c => match try f l with Some l => each_refuted try c l | None => None end
    end.

  Definition total (facts : list poly) (parts : list (nat * N)) : option poly :=
    fold_right (fun t a => match a, nth_error facts (fst t) with
                           | Some p, Some q => Some (plus (Z.of_N (snd t)) q p)
                           | _, _ => None
                           end) (Some []) parts.

  Definition poly_reader : reader poly :=
    map_reader (fun p => times p (constant 1)) (list_reader (pair_reader integer naturals)).

  (** Reads a tree that refutes what is known; what follows it is the answer. *)
  Fixpoint refuted (fuel : nat) (k : known) (l : list N) : option (list N) :=
    match fuel with
    | O => None
    | S fuel =>
      let (tag, l) := number l in
      match tag with
      | 0%N =>
        let (p, l) := poly_reader l in
        each_refuted (fun f => refuted fuel (assume f k)) [At_least_0 p; At_least_0 (opposite p)] l
      | 1%N =>
        let (j, l) := natural l in
        match nth_error (snd k) j with Some c => each_refuted (fun f => refuted fuel (assume f k)) c
          l | None => None end
      | 2%N =>
        let (i, l) := natural l in let (j, l) := natural l in
        match nth_error (fst k) i, nth_error (fst k) j with
        | Some p, Some q => refuted fuel (assume (At_least_0 (times p q)) k) l
        | _, _ => None
        end
      | _ =>
        let (parts, l) := list_reader (pair_reader natural number) l in
        match total (fst k) parts with
        | Some p => match as_constant p with Some c => if c <? 0 then Some l else None | None =>
          None end
        | None => None
        end
      end
    end.

  Lemma each_refuted_sound try c v : (forall f l l', try f l = Some l' -> ~ oden f v) ->
    forall l l', each_refuted try c l = Some l' -> forall f, In f c -> ~ oden f v.
  Proof.
    intro T. induction c as [|g c IH]; intros l l' E f I; [destruct I|]. cbn [each_refuted] in E.
    destruct (try g l) as [l1|] eqn:G; [|discriminate].
    destruct I as [<-|I]; [exact (T _ _ _ G)|exact (IH _ _ E f I)].
  Qed.

  Lemma total_value facts parts v : (forall p, In p facts -> 0 <= pden p v) ->
    forall p, total facts parts = Some p -> 0 <= pden p v.
  Proof.
    intro F. induction parts as [|[i m] parts IH]; intros p E; cbn [total fold_right fst snd] in E.
    - injection E as <-. rewrite pden_nil. lia.
    - fold (total facts parts) in E. destruct (total facts parts) as [q|]; [|discriminate].
      destruct (nth_error facts i) as [r|] eqn:N; [|discriminate]. injection E as <-.
      rewrite plus_value.
      specialize (IH q eq_refl). apply nth_error_In in N. specialize (F r N). nia.
  Qed.

  Lemma refuted_sound fuel : forall k l l', refuted fuel k l = Some l' -> forall v, ~ true_of k v.
  Proof.
    induction fuel as [|fuel IH]; intros k l l' E v T; [discriminate|]. cbn [refuted] in E.
    assert (S : forall f l l', refuted fuel (assume f k) l = Some l' -> ~ oden f v).
    { intros f m m' R O. exact (IH _ _ _ R v (assume_true f v O k T)). }
    destruct (number l) as [tag l1]. destruct tag as [|[tag|[tag|tag|]|]]; try (
      destruct (list_reader _ l1) as [parts l2]; destruct (total (fst k) parts) as [p|] eqn:P;
        [|discriminate];
      destruct (as_constant p) as [c|] eqn:C; [|discriminate]; destruct (Z.ltb_spec c 0) as [L|_];
        [|discriminate];
      pose proof (total_value (fst k) parts v (proj1 T) p P); rewrite (as_constant_value p c v C) in
        *; lia).
    - destruct (poly_reader l1) as [p l2]. pose proof (each_refuted_sound _ _ v S _ _ E) as H.
      pose proof (H (At_least_0 p) (or_introl eq_refl)) as H1.
      pose proof (H (At_least_0 (opposite p)) (or_intror (or_introl eq_refl))) as H2.
      cbn [oden] in H1, H2. rewrite opposite_value in H2. lia.
    - destruct (natural l1) as [i l2]. destruct (natural l2) as [j l3].
      destruct (nth_error (fst k) i) as [p|] eqn:P; [|discriminate].
      destruct (nth_error (fst k) j) as [q|] eqn:Q; [|discriminate]. apply nth_error_In in P, Q.
      apply (S _ _ _ E). cbn [oden].
      rewrite times_value. apply Z.mul_nonneg_nonneg; now apply T.
    - destruct (natural l1) as [j l2].
      destruct (nth_error (snd k) j) as [c|] eqn:C; [|discriminate]. apply nth_error_In in C.
      destruct (proj2 T c C) as (f & I & O). exact (each_refuted_sound _ _ v S _ _ E f I O).
  Qed.

  (** ** Systems: sentences, and the quotients in them *)

  Definition system := (list over * pairs)%type.

  Fixpoint definitions (n : nat) (s : pairs) : list over :=
    match s with
    | [] => []
    | (x, d) :: s =>
      let rest := minus x (times d (variable n)) in
      At_least_0 rest :: At_least_0 (minus (minus d (constant 1)) rest) :: definitions (S n) s
    end.

  Definition unsolvable (sys : system) (l : list N) : option (list N) :=
    if ordered base (snd sys)
    then refuted (S (length l)) (fold_left (fun k f => assume f k)
      (definitions base (snd sys) ++ fst sys) ([], [])) l
    else None.

  Lemma definitions_true s : forall n v,
    (forall i x d, nth_error s i = Some (x, d) -> v (n + i)%nat = pden x v / pden d v /\
      1 <= pden d v) ->
    forall f, In f (definitions n s) -> oden f v.
  Proof.
    induction s as [|[x d] s IH]; intros n v F f I; [destruct I|]. cbn [definitions] in I.
    destruct (F 0%nat x d eq_refl) as [Q D]. rewrite Nat.add_0_r in Q.
    pose proof (Z.mod_pos_bound (pden x v) (pden d v) ltac:(lia)) as B. rewrite rest_value in B.
    destruct I as [<-|[<-|I]].
    - cbn [oden]. rewrite minus_value, times_value, variable_value, Q. lia.
    - cbn [oden]. rewrite !minus_value, times_value, variable_value, constant_value, Q. lia.
    - apply (IH (S n) v); [|exact I]. intros i y e E. specialize (F (S i) y e E).
      now replace (S n + i)%nat with (n + S i)%nat by lia.
  Qed.

  Lemma all_assumed l v : (forall f, In f l -> oden f v) -> forall k, true_of k v ->
    true_of (fold_left (fun k f => assume f k) l k) v.
  Proof.
    induction l as [|f l IH]; intros H k T; [exact T|]. cbn [fold_left].
    apply IH; [intros g I; apply H; now right|].
    apply assume_true; [apply H; now left|exact T].
  Qed.

  Lemma unsolvable_sound sys l l' v : unsolvable sys l = Some l' ->
    (forall x d w, In (x, d) (snd sys) -> (forall i, (i < base)%nat -> w i = v i) ->
      1 <= pden d w) ->
    exists w, (forall i, (i < base)%nat -> w i = v i) /\ fits (snd sys) w /\
      ~ (forall f, In f (fst sys) -> oden f w).
  Proof.
    unfold unsolvable. destruct (ordered base (snd sys)) eqn:O; [|discriminate]. intros R P.
    set (w := extended base (snd sys) v).
    assert (A : forall i, (i < base)%nat -> w i = v i) by (intros i L; now apply extended_below).
    assert (F : fits (snd sys) w).
    { intros i x d N. split; [now apply extended_right|].
      apply (P x d); [now apply nth_error_In in N|exact A]. }
    exists w. split; [exact A|]. split; [exact F|]. intro H. apply (refuted_sound _ _ _ _ R w).
    apply all_assumed; [|split; intros ? []]. intros f I.
    apply in_app_or in I as [I|I]; [|now apply H].
    exact (definitions_true _ _ _ F f I).
  Qed.

  Fixpoint all_unsolvable (l : list system) (numbers : list N) : option (list N) :=
    match l with
    | [] => Some numbers
    | sys :: l => match unsolvable sys numbers with Some numbers => all_unsolvable l numbers |
      None => None end
    end.

  Lemma all_unsolvable_each l : forall n n', all_unsolvable l n = Some n' ->
    forall sys, In sys l -> exists m m', unsolvable sys m = Some m'.
  Proof.
    induction l as [|s l IH]; intros n n' E sys I; [destruct I|]. cbn [all_unsolvable] in E.
    destruct (unsolvable s n) as [m|] eqn:U; [|discriminate].
    destruct I as [<-|I]; [now exists n, m|exact (IH _ _ E sys I)].
  Qed.
End Base.

(** * The systems of a theorem *)

(** What is tried from positions that are not claimed: the place of an amount, from 0 on, and the
    number taken if it is a range. *)
Definition witness := (nat * option expression)%type.

(** The numbers of a position after a move, and whether there is the move. *)
Definition left_of (p : list Z) (t : Z) : list Z :=
  match p with
  | [n; d; e] => [n - t; e; d - t]
  | a :: _ => [a - t]
  | [] => []
  end.
Definition can_take (p : list Z) (t : Z) : Prop :=
  match p with
  | [n; d; e] => 0 <= n - t /\ 0 <= d - t
  | a :: _ => 0 <= a - t
  | [] => True
  end.

Definition option_of (p : list poly) (t : poly) : list poly :=
  match p with
  | [n; d; e] => [minus n t; e; minus d t]
  | a :: _ => [minus a t]
  | [] => []
  end.
Definition can_of (p : list poly) (t : poly) : list over :=
  match p with
  | [n; d; e] => [At_least_0 (minus n t); At_least_0 (minus d t)]
  | a :: _ => [At_least_0 (minus a t)]
  | [] => []
  end.

Lemma option_of_value p t v : named (option_of p t) v = left_of (named p v) (pden t v).
Proof.
  destruct p as [|n [|d [|e [|x p]]]]; cbn [option_of named map left_of]; rewrite ?minus_value;
    reflexivity.
Qed.

Lemma can_of_value p t v : (forall f, In f (can_of p t) -> oden f v) <->
  can_take (named p v) (pden t v).
Proof.
  assert (S : forall n, oden (At_least_0 (minus n t)) v <-> 0 <= pden n v - pden t v) by (intro;
    cbn [oden]; now rewrite minus_value).
  destruct p as [|n [|d [|e [|x p]]]]; cbn [can_of named map can_take]; rewrite <- ?S; split;
    try (intro H; repeat split; apply H; cbn; tauto); try (intros H f []; fail);
    try (intros H f [<-|[]]; exact H). intros [H1 H2] f [<-|[<-|[]]]; assumption.
Qed.

Fixpoint gathered {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => match gathered l with Some m => Some (a :: m) | None => None end
  | None :: _ => None
  end.

Lemma gathered_in {A} (l : list (option A)) : forall m, gathered l = Some m -> forall o, In o l ->
  exists a, o = Some a /\ In a m.
Proof.
  induction l as [|[a|] l IH]; intros m E o I; [destruct I| |discriminate]. cbn [gathered] in E.
  destruct (gathered l) as [m'|]; [|discriminate]. injection E as <-. destruct I as [<-|I].
  - exists a. split; [reflexivity|now left].
  - destruct (IH m' eq_refl o I) as (b & -> & B). exists b. split; [reflexivity|now right].
Qed.

Section Systems.
  Variable g : theorem.
  Variable witnesses : list witness.

  Let k := parameters g.
  Definition coordinates : nat := if with_purses g then 3 else 1.
  (** Variables are the parameters, the numbers of the position, what is taken, and quotients. *)
  Let base := (k + coordinates + 1)%nat.
  Definition outside : list poly := map variable (seq 0 k).
  Definition here : list poly := map variable (seq k coordinates).
  Definition what_is_taken : poly := variable (k + coordinates).
  Let not_negative := map At_least_0 here.

  (** What a move takes, and whether the amount allows it. *)
  Definition taken_by (a : amount) (t : poly) : reading (poly * list over) :=
    match a with
    | Single e => then_ (poly_of base outside e) (fun x => done (x, []))
    | Range least most =>
      then_ (poly_of base outside least) (fun x =>
      then_ (poly_of base outside most) (fun y =>
        done (t, [At_least_0 (minus t x); At_least_0 (minus y t)])))
    end.

  Definition with_condition (f : over -> reading (list over)) : reading (list over) :=
    then_ (over_of base outside (on_condition g)) f.

  Definition amount_system (a : amount) : reading (list over) :=
    with_condition (fun c =>
    then_ (poly_of base outside match a with Single e => e | Range least _ => least end) (fun x =>
    done [c; At_least_0 (minus (constant 0) x)])).

  Definition to_p (a : amount) : reading (list over) :=
    with_condition (fun c =>
    then_ (over_of base (outside ++ here) (claimed g)) (fun f =>
    then_ (taken_by a what_is_taken) (fun t =>
    then_ (over_of base (outside ++ option_of here (fst t)) (claimed g)) (fun o =>
    done ([c] ++ not_negative ++ [f] ++ snd t ++ can_of here (fst t) ++ [o]))))).

  (** That a witness is a move to a claimed position. *)
  Definition good (w : witness) : reading over :=
    let by_ (m : reading (poly * list over)) :=
      then_ m (fun t =>
      then_ (over_of base (outside ++ option_of here (fst t)) (claimed g)) (fun o =>
      done (fold_right Both o (snd t ++ can_of here (fst t))))) in
    match nth_error (amounts g) (fst w), snd w with
    | Some (Single e), None => by_ (taken_by (Single e) [])
    | Some (Range least most), Some e => by_
      (then_ (poly_of base (outside ++ here) e) (fun t => taken_by (Range least most) t))
    | _, _ => fun _ => None
    end.

  Fixpoint all_good (ws : list witness) : reading (list over) :=
    match ws with
    | [] => done []
    | w :: ws => then_ (good w) (fun f => then_ (all_good ws) (fun l => done (f :: l)))
    end.

  Definition to_n : reading (list over) :=
    with_condition (fun c =>
    then_ (over_of base (outside ++ here) (claimed g)) (fun f =>
    then_ (all_good witnesses) (fun l =>
    done ([c] ++ not_negative ++ [negation f] ++ map negation l)))).

  Definition all_systems : list (reading (list over)) :=
    map amount_system (amounts g) ++ map to_p (amounts g) ++ [to_n].

  Definition positive_number (d : poly) : bool :=
    match as_constant d with Some c => 1 <=? c | None => false end.

  (** The divisors that are no numbers, each once. *)
  Definition divisors (s : pairs) : list poly :=
    fold_left (fun l p => if positive_number (snd p) || existsb (same_poly (snd p)) l then l else
      l ++ [snd p]) s [].

  (** Whether the numbers refute all systems. Divisors come first. *)
  Definition proved (numbers : list N) : bool :=
    match gathered (map (fun m : reading (list over) => m []) all_systems), over_of base outside
      (on_condition g) [] with
    | Some systems, Some (c, s) =>
      let all := flat_map snd systems in
      let ds := divisors all in
      forallb (fun p => positive_number (snd p)) s &&
      forallb (uses_below k) ds &&
      forallb (fun p => positive_number (snd p) || existsb (same_poly (snd p)) ds) all &&
      match all_unsolvable base (map (fun d => ([c; At_least_0 (minus (constant 0) d)], s)) ds ++
        systems) numbers with
      | Some [] => negb match amounts g with [] => true | _ => false end
      | _ => false
      end
    | _, _ => false
    end.

  (** ** Soundness *)

  Lemma outside_value l v : length l = k -> (forall i, (i < k)%nat -> v i = nth i l 0) ->
    named outside v = l.
  Proof.
    intros L V. unfold named, outside. rewrite map_map.
    apply (nth_ext _ _ 0 0); rewrite map_length, seq_length; [now rewrite L|].
    intros i I. rewrite (nth_indep _ 0 (pden (variable 0) v)) by
      (now rewrite map_length, seq_length).
    rewrite (map_nth (fun i => pden (variable i) v) (seq 0 k) 0%nat i), seq_nth, variable_value by
      exact I. now apply V.
  Qed.

  Lemma here_value p v : length p = coordinates ->
    (forall i, (i < coordinates)%nat -> v (k + i)%nat = nth i p 0) -> named here v = p.
  Proof.
    intros L V. unfold named, here. rewrite map_map.
    apply (nth_ext _ _ 0 0); rewrite map_length, seq_length; [now rewrite L|].
    intros i I. rewrite (nth_indep _ 0 (pden (variable 0) v)) by
      (now rewrite map_length, seq_length).
    rewrite (map_nth (fun i => pden (variable i) v) (seq k coordinates) 0%nat i), seq_nth,
      variable_value by exact I. now apply V.
  Qed.

  Lemma named_both a b v : named (a ++ b) v = named a v ++ named b v.
  Proof. apply map_app. Qed.

  Lemma sound_poly names e : sound base (poly_of base names e)
    (fun p v => pden p v = eden e (named names v)).
  Proof. intros s p s' E. now apply poly_of_sound. Qed.

  Lemma sound_over names f : sound base (over_of base names f) (fun o v => oden o v <->
    sden f (named names v)).
  Proof. intros s p s' E. now apply over_of_sound. Qed.

  Lemma sound_taken a t : sound base (taken_by a t) (fun x v =>
    ((forall f, In f (snd x) -> oden f v) <-> takes_of a (named outside v) (pden (fst x) v)) /\
    match a with Single e => pden (fst x) v = eden e (named outside v) | Range _ _ =>
      fst x = t end).
  Proof.
    destruct a as [e|least most]; cbn [taken_by].
    - eapply sound_then; [apply sound_poly|]. intro x. apply sound_done. intros v H.
      cbn [fst snd takes_of]. split; [|exact H].
      split; [intros _; exact H|intros _ f []].
    - eapply sound_then; [apply sound_poly|]. intro x. eapply sound_then; [apply sound_poly|].
      intro y. apply sound_done.
      intros v Hy Hx. cbn [fst snd takes_of]. split; [|reflexivity]. rewrite <- Hx, <- Hy. split.
      + intro H. pose proof (H _ (or_introl eq_refl)) as H1.
        pose proof (H _ (or_intror (or_introl eq_refl))) as H2.
        cbn [oden] in H1, H2. rewrite minus_value in H1, H2. lia.
      + intros H f [<-|[<-|[]]]; cbn [oden]; rewrite minus_value; lia.
  Qed.

  Lemma fold_both o l v : oden (fold_right Both o l) v <-> (forall f, In f l -> oden f v) /\
    oden o v.
  Proof.
    induction l as [|f l IH]; cbn [fold_right oden];
      [split; [intro H; split; [intros f []|exact H]|tauto]|]. rewrite IH. split.
    - intros (H1 & H2 & H3). split; [|exact H3]. intros h [<-|I]; [exact H1|now apply H2].
    - intros [H1 H2]. split; [apply H1; now left|]. split; [|exact H2]. intros h I. apply H1.
      now right.
  Qed.

  (** Where a witness is good there is such a move. *)
  Definition moves_to_claimed (l p : list Z) : Prop :=
    exists a t, In a (amounts g) /\ takes_of a l t /\ can_take p t /\
      sden (claimed g) (l ++ left_of p t).

  Lemma sound_good w : sound base (good w) (fun f v =>
    oden f v -> moves_to_claimed (named outside v) (named here v)).
  Proof.
    assert (B : forall a (m : reading (poly * list over)), In a (amounts g) ->
      sound base m (fun x v => (forall f, In f (snd x) -> oden f v) ->
        takes_of a (named outside v) (pden (fst x) v)) ->
      sound base (then_ m (fun t =>
        then_ (over_of base (outside ++ option_of here (fst t)) (claimed g)) (fun o =>
        done (fold_right Both o (snd t ++ can_of here (fst t))))))
        (fun f v => oden f v -> moves_to_claimed (named outside v) (named here v))).
    { intros a m A M. eapply sound_then; [exact M|]. intro t.
      eapply sound_then; [apply sound_over|]. intro o. apply sound_done.
      intros v O T H. apply fold_both in H as [H1 H2]. exists a, (pden (fst t) v).
      split; [exact A|]. split; [|split].
      - apply T. intros f I. apply H1, in_or_app. now left.
      - apply can_of_value. intros f I. apply H1, in_or_app. now right.
      - apply O in H2. now rewrite named_both, option_of_value in H2. }
    unfold good. destruct (nth_error (amounts g) (fst w)) as [[e|least most]|] eqn:A;
      destruct (snd w) as [x|];
      try (intros s a s' E; discriminate E); apply nth_error_In in A.
    - apply (B _ _ A). eapply sound_weaker; [apply sound_taken|]. intros t v [H _]. apply H.
    - apply (B _ _ A). eapply sound_then; [apply sound_poly|]. intro t.
      eapply sound_weaker; [apply sound_taken|].
      intros u v [H _] _. apply H.
  Qed.

  Lemma sound_all_good ws : sound base (all_good ws) (fun l v =>
    forall f, In f l -> oden f v -> moves_to_claimed (named outside v) (named here v)).
  Proof.
    induction ws as [|w ws IH]; cbn [all_good]; [apply sound_done; intros v f []|].
    eapply sound_then; [apply sound_good|]. intro f. eapply sound_then; [exact IH|]. intro l.
    apply sound_done.
    intros v H1 H2 h [<-|I] O; [now apply H2|exact (H1 h I O)].
  Qed.

  Lemma sound_amount a : sound base (amount_system a) (fun l v =>
    sden (on_condition g) (named outside v) ->
    eden match a with Single e => e | Range least _ => least end (named outside v) <= 0 ->
      forall f, In f l -> oden f v).
  Proof.
    unfold amount_system, with_condition. eapply sound_then; [apply sound_over|]. intro c.
    eapply sound_then; [apply sound_poly|].
    intro x. apply sound_done. intros v X C S L f [<-|[<-|[]]]; [now apply C|]. cbn [oden].
    rewrite minus_value, constant_value, X. lia.
  Qed.

  Lemma not_negative_value v : (forall z, In z (named here v) -> 0 <= z) ->
    forall f, In f not_negative -> oden f v.
  Proof.
    intros H f I. apply in_map_iff in I as (p & <- & I). cbn [oden]. apply H.
    exact (in_map (fun p => pden p v) here p I).
  Qed.

  Lemma sound_to_p a : sound base (to_p a) (fun l v =>
    sden (on_condition g) (named outside v) -> (forall z, In z (named here v) -> 0 <= z) ->
    sden (claimed g) (named outside v ++ named here v) ->
    takes_of a (named outside v) (v (k + coordinates)%nat) ->
      can_take (named here v) (v (k + coordinates)%nat) ->
    sden (claimed g) (named outside v ++ left_of (named here v) (v (k + coordinates)%nat)) ->
      forall f, In f l -> oden f v).
  Proof.
    unfold to_p, with_condition. eapply sound_then; [apply sound_over|]. intro c.
    eapply sound_then; [apply sound_over|]. intro f.
    eapply sound_then; [apply sound_taken|]. intro t. eapply sound_then; [apply sound_over|].
    intro o. apply sound_done.
    intros v O [T1 T2] F C S N S1 T3 T4 S2.
    assert (E : pden (fst t) v = v (k + coordinates)%nat).
    { destruct a; [rewrite T2; symmetry; exact T3|]. rewrite T2. apply variable_value. }
    intros h I. apply in_app_or in I as [[<-|[]]|I]; [now apply C|].
    apply in_app_or in I as [I|I]; [now apply not_negative_value|].
    apply in_app_or in I as [[<-|[]]|I]; [apply F; now rewrite named_both|].
    apply in_app_or in I as [I|I]; [revert h I; apply T1; now rewrite E|].
    apply in_app_or in I as [I|[<-|[]]]; [revert h I; apply can_of_value; now rewrite E|].
    apply O. now rewrite named_both, option_of_value, E.
  Qed.

  Lemma sound_to_n : sound base to_n (fun l v =>
    sden (on_condition g) (named outside v) -> (forall z, In z (named here v) -> 0 <= z) ->
    ~ sden (claimed g) (named outside v ++ named here v) ->
    moves_to_claimed (named outside v) (named here v) \/ forall f, In f l -> oden f v).
  Proof.
    unfold to_n, with_condition. eapply sound_then; [apply sound_over|]. intro c.
    eapply sound_then; [apply sound_over|]. intro f.
    eapply sound_then; [apply sound_all_good|]. intro l. apply sound_done. intros v G F C S N S1.
    assert (D : (exists u, In u l /\ oden u v) \/ forall u, In u l -> ~ oden u v).
    { clear. induction l as [|u l IH]; [right; intros u []|].
      destruct (oden_decided u v) as [O|O]; [left; exists u; split; [now left|exact O]|].
      destruct IH as [(x & I & X)|IH]; [left; exists x; split; [now right|exact X]|]. right.
      intros x [<-|I]; [exact O|now apply IH]. }
    destruct D as [(u & I & O)|D]; [left; exact (G u I O)|]. right.
    intros h I. apply in_app_or in I as [[<-|[]]|I]; [now apply C|].
    apply in_app_or in I as [I|I]; [now apply not_negative_value|].
    apply in_app_or in I as [[<-|[]]|I]; [apply negation_value; rewrite F; now rewrite named_both|].
    apply in_map_iff in I as (u & <- & I). apply negation_value. now apply D.
  Qed.

  Lemma positive_number_value d v : positive_number d = true -> 1 <= pden d v.
  Proof.
    unfold positive_number. destruct (as_constant d) as [c|] eqn:E; [|discriminate].
    rewrite (as_constant_value d c v E).
    now rewrite Z.leb_le.
  Qed.

  Lemma without_solution numbers l : proved numbers = true -> length l = k ->
    sden (on_condition g) l ->
    forall m, In m all_systems -> exists sys s, m [] = Some (sys, s) /\
      forall v, (forall i, (i < k)%nat -> v i = nth i l 0) ->
      exists w, (forall i, (i < base)%nat -> w i = v i) /\ fits base s w /\
        ~ (forall f, In f sys -> oden f w).
  Proof.
    unfold proved. intros H L S m I. destruct (gathered _) as [systems|] eqn:G; [|discriminate].
    destruct (over_of base outside (on_condition g) []) as [[c s0]|] eqn:C; [|discriminate].
    cbv zeta in H. set (all := flat_map snd systems) in *. set (ds := divisors all) in *.
    rewrite !andb_true_iff in H.
    destruct H as [[[P U] D] R]. rewrite forallb_forall in P, U, D.
    destruct (all_unsolvable base _ numbers) as [rest|] eqn:E; [|discriminate]. clear R.
    assert (Q : forall d, In d ds -> forall w, (forall i, (i < k)%nat -> w i = nth i l 0) ->
      1 <= pden d w).
    { intros d Id w W. destruct (Z_le_gt_dec 1 (pden d w)) as [X|X]; [exact X|]. exfalso.
      destruct (all_unsolvable_each base _ _ _ E ([c; At_least_0 (minus (constant 0) d)], s0)) as
        (m1 & m2 & Un).
      { apply in_or_app. left. apply in_map_iff. now exists d. }
      destruct (unsolvable_sound base _ _ _ w Un) as (w' & A & F & N).
      { intros x e u Ie _. apply positive_number_value. exact (P (x, e) Ie). }
      apply N. intros f [<-|[<-|[]]].
      - apply (proj2 (over_of_sound base _ _ _ _ _ C) w' F).
        rewrite (outside_value l w' L); [exact S|].
        intros i Ii. rewrite A by (unfold base; lia). now apply W.
      - cbn [oden]. rewrite minus_value, constant_value.
        rewrite (uses_below_value k d w' w (U d Id)); [lia|].
        intros i Ii. apply A. unfold base. lia. }
    destruct (gathered_in _ _ G (m [])) as ([sys s] & Em & Is).
    { apply in_map_iff. now exists m. }
    exists sys, s. split; [exact Em|]. intros v V.
    destruct (all_unsolvable_each base _ _ _ E (sys, s)) as (m1 & m2 & Un).
    { apply in_or_app. now right. }
    apply (unsolvable_sound base _ _ _ v Un). intros x d w Ix W.
    assert (Ia : In (x, d) all) by (apply in_flat_map; now exists (sys, s)).
    specialize (D (x, d) Ia).
    apply orb_true_iff in D as [D|D]; [now apply positive_number_value|].
    apply existsb_exists in D as (d' & Id & D).
    cbn [snd] in D. rewrite (same_poly_value d d' w D). apply (Q d' Id). intros i Ii.
    rewrite W by (unfold base; lia). now apply V.
  Qed.

  Lemma at_least_1 numbers l : proved numbers = true -> length l = k -> sden (on_condition g) l ->
    forall a t, In a (amounts g) -> takes_of a l t -> 1 <= t.
  Proof.
    intros H L S a t I T. destruct (Z_le_gt_dec 1 t) as [X|X]; [exact X|]. exfalso.
    destruct (without_solution numbers l H L S (amount_system a)) as (sys & s & E & N).
    { apply in_or_app. left. now apply in_map. }
    destruct (N (fun i => nth i l 0)) as (w & W & F & C); [auto|].
    assert (O : named outside w = l) by (apply outside_value; [exact L|]; intros i Ii; apply W;
      unfold base; lia).
    apply C. apply (proj2 (sound_amount a _ _ _ E) w F); rewrite O; [exact S|].
    destruct a; cbn [takes_of] in T; lia.
  Qed.

  Lemma no_move numbers l : proved numbers = true -> length l = k -> sden (on_condition g) l ->
    forall a t p, In a (amounts g) -> takes_of a l t -> length p = coordinates ->
      (forall z, In z p -> 0 <= z) ->
    can_take p t -> sden (claimed g) (l ++ p) -> ~ sden (claimed g) (l ++ left_of p t).
  Proof.
    intros H L S a t p I T Lp Np Cp S1 S2.
    destruct (without_solution numbers l H L S (to_p a)) as (sys & s & E & N).
    { apply in_or_app. right. apply in_or_app. left. now apply in_map. }
    destruct (N (fun i => nth i (l ++ p ++ [t]) 0)) as (w & W & F & C);
      [intros i Ii; apply app_nth1; lia|].
    assert (O : named outside w = l).
    { apply outside_value; [exact L|]. intros i Ii. rewrite W by (unfold base; lia). apply app_nth1.
      lia. }
    assert (M : named here w = p).
    { apply here_value; [exact Lp|]. intros i Ii. rewrite W by (unfold base; lia).
      rewrite app_nth2, app_nth1 by lia. f_equal. lia. }
    assert (X : w (k + coordinates)%nat = t).
    { rewrite W by (unfold base; lia). rewrite app_nth2, app_nth2 by lia.
      replace (k + coordinates - length l - length p)%nat with 0%nat by lia.
      reflexivity. }
    apply C. apply (proj2 (sound_to_p a _ _ _ E) w F); rewrite ?O, ?M, ?X; assumption.
  Qed.

  Lemma some_move numbers l : proved numbers = true -> length l = k -> sden (on_condition g) l ->
    forall p, length p = coordinates -> (forall z, In z p -> 0 <= z) ->
      ~ sden (claimed g) (l ++ p) -> moves_to_claimed l p.
  Proof.
    intros H L S p Lp Np S1. destruct (without_solution numbers l H L S to_n) as (sys & s & E & N).
    { apply in_or_app. right. apply in_or_app. right. now left. }
    destruct (N (fun i => nth i (l ++ p) 0)) as (w & W & F & C);
      [intros i Ii; apply app_nth1; lia|].
    assert (O : named outside w = l).
    { apply outside_value; [exact L|]. intros i Ii. rewrite W by (unfold base; lia). apply app_nth1.
      lia. }
    assert (M : named here w = p).
    { apply here_value; [exact Lp|]. intros i Ii. rewrite W by (unfold base; lia).
      rewrite app_nth2 by lia. f_equal. lia. }
    pose proof (proj2 (sound_to_n _ _ _ E) w F) as K. cbn beta in K. rewrite O, M in K.
    destruct (K S Np S1) as [K1|K1]; [exact K1|].
    exfalso. exact (C K1).
  Qed.
End Systems.

(** * P-positions *)

Lemma by_induction {state} (move : state -> state -> Prop) (size : state -> nat) (F : state -> Prop)
  :
  (forall p q, move p q -> (size q < size p)%nat) -> (forall p, F p \/ ~ F p) ->
    (forall p q, F p -> move p q -> ~ F q) ->
  (forall p, ~ F p -> exists q, move p q /\ F q) -> forall p, P_position move p <-> F p.
Proof.
  intros Less D No Some_.
  assert (A : forall p, (F p -> P_position move p) /\ (~ F p -> N_position move p) /\
    (P_position move p -> F p) /\ (N_position move p -> ~ F p)).
  { intro p. induction p as [p IH] using (well_founded_induction (Wf_nat.well_founded_ltof _ size)).
    assert (IH' : forall q, move p q -> _) by (intros q M; exact (IH q (Less p q M))). clear IH.
    assert (X : P_position move p -> F p).
    { intros [H]. destruct (D p) as [Y|Y]; [exact Y|]. destruct (Some_ p Y) as (q & M & Q). exfalso.
      destruct (IH' q M) as (_ & _ & _ & Z). exact (Z (H q M) Q). }
    split; [|split; [|split]].
    - intro Y. constructor. intros q M. apply (IH' q M). now apply (No p q Y).
    - intro Y. destruct (Some_ p Y) as (q & M & Q). apply (some_option_P move p q M).
      now apply (IH' q M).
    - exact X.
    - intros [q M Q] Y. apply (No p q Y M). now apply (IH' q M). }
  intro p. split; apply (A p).
Qed.

Theorem proved_right g witnesses numbers : proved g witnesses numbers = true -> holds g.
Proof.
  intros H l L S. destruct (with_purses g) eqn:W.
  - intros n d e. set (F := fun p : N * N * N => let '(n, d, e) := p in
      sden (claimed g) (l ++ map Z.of_N [n; d; e])).
    change (P_position (buys (may_take (amounts g) l)) (n, d, e) <-> F (n, d, e)).
    apply (by_induction _ (fun p => N.to_nat (fst (fst p))) F).
    + intros [[n1 d1] e1] q (t & (a & I & T) & Tn & Td & ->). cbn [fst].
      pose proof (at_least_1 g witnesses numbers l H L S a _ I T). lia.
    + intros [[n1 d1] e1]. apply sden_decided.
    + intros [[n1 d1] e1] q Fp (t & (a & I & T) & Tn & Td & ->). unfold F in *.
      pose proof (no_move g witnesses numbers l H L S a _ (map Z.of_N [n1; d1; e1]) I T) as X.
      cbn [map left_of can_take] in X.
      cbn [map]. rewrite !N2Z.inj_sub by assumption.
      apply X; [unfold coordinates; now rewrite W| |lia|exact Fp].
      intros z [<-|[<-|[<-|[]]]]; lia.
    + intros [[n1 d1] e1] Fp. unfold F in *.
      destruct (some_move g witnesses numbers l H L S (map Z.of_N [n1; d1; e1])) as
        (a & t & I & T & C & Q);
        [unfold coordinates; now rewrite W|intros z [<-|[<-|[<-|[]]]]; lia|exact Fp|].
      cbn [map left_of can_take] in C, Q.
      pose proof (at_least_1 g witnesses numbers l H L S a t I T).
      exists ((n1 - Z.to_N t)%N, e1, (d1 - Z.to_N t)%N). split.
      * exists (Z.to_N t). split; [exists a; split; [exact I|]; now rewrite Z2N.id by lia|].
        repeat split; lia.
      * cbn [map]. rewrite !N2Z.inj_sub, !Z2N.id by lia. exact Q.
  - intros h. set (F := fun h : N => sden (claimed g) (l ++ map Z.of_N [h])).
    change (P_position (takes (may_take (amounts g) l)) h <-> F h).
    apply (by_induction _ N.to_nat F).
    + intros p q (t & (a & I & T) & Tn & ->).
      pose proof (at_least_1 g witnesses numbers l H L S a _ I T). lia.
    + intro p. apply sden_decided.
    + intros p q Fp (t & (a & I & T) & Tn & ->). unfold F in *.
      pose proof (no_move g witnesses numbers l H L S a _ (map Z.of_N [p]) I T) as X.
      cbn [map left_of can_take] in X.
      unfold F. cbn [map]. rewrite !N2Z.inj_sub by assumption.
      apply X; [unfold coordinates; now rewrite W| |lia|exact Fp].
      intros z [<-|[]]; lia.
    + intros p Fp. destruct (some_move g witnesses numbers l H L S (map Z.of_N [p])) as
        (a & t & I & T & C & Q);
        [unfold coordinates; now rewrite W|intros z [<-|[]]; lia|exact Fp|].
      cbn [map left_of can_take] in C, Q.
      pose proof (at_least_1 g witnesses numbers l H L S a t I T).
      exists (p - Z.to_N t)%N. split.
      * exists (Z.to_N t). split; [exists a; split; [exact I|]; now rewrite Z2N.id by lia|].
        split; lia.
      * unfold F. cbn [map]. rewrite !N2Z.inj_sub, !Z2N.id by lia. exact Q.
Qed.

Print Assumptions proved_right.

(** Formulas over heaps, what they say, and their alternatives: lists of forms one of which is below
    0 wherever the formula holds, for some values of further variables. Least and greatest terms
    become a case an argument, quotients a variable, small remainders a case each. Only this
    direction is needed: what is to be shown is refuted in its negation. *)

From Coq Require Import List NArith ZArith Lia Bool.
From Bouton Require Import Positions Forms Refute.
Import ListNotations.

Inductive term :=
| Number (k : N)
| Heap (i : nat)
| Plus (a b : term)
| Times (k : N) (a : term)
| Xor (a b : term)
| Least (a b : term)
| Greatest (a b : term)
| Quotient (a : term) (k : N)
| Remainder (a : term) (k : N)
| Digit_sum (k : N) (is : list nat).  (* of heaps, modulo k *)

Inductive formula :=
| Known (b : bool)
| Equal (a b : term)
| AtMost (a b : term)
| Less (a b : term)
| Not (f : formula)
| And (f g : formula)
| Or (f g : formula)
| Exists (i : nat) (f : formula).

Fixpoint tden (t : term) (e : env) : N :=
  match t with
  | Number k => k
  | Heap i => e i
  | Plus a b => tden a e + tden b e
  | Times k a => k * tden a e
  | Xor a b => N.lxor (tden a e) (tden b e)
  | Least a b => N.min (tden a e) (tden b e)
  | Greatest a b => N.max (tden a e) (tden b e)
  | Quotient a k => tden a e / k
  | Remainder a k => tden a e mod k
  | Digit_sum m is => digit_sum m (map e is)
  end%N.

Fixpoint fden (f : formula) (e : env) : Prop :=
  match f with
  | Known b => if b then True else False
  | Equal a b => tden a e = tden b e
  | AtMost a b => (tden a e <= tden b e)%N
  | Less a b => (tden a e < tden b e)%N
  | Not f => ~ fden f e
  | And f g => fden f e /\ fden g e
  | Or f g => fden f e \/ fden g e
  | Exists i f => exists x, fden f (set e i x)
  end.

Lemma tden_same t e e' : same e e' -> tden t e = tden t e'.
Proof. intro S. induction t; cbn; try (congruence || auto; fail). f_equal. now apply map_ext. Qed.

Lemma set_both e e' i x : same e e' -> same (set e i x) (set e' i x).
Proof. intros S j. unfold set. destruct (Nat.eqb j i); auto. Qed.

Lemma fden_same f e e' : same e e' -> (fden f e <-> fden f e').
Proof.
  revert e e'. induction f; intros e e' S; cbn; try (rewrite !(tden_same _ e e' S)); try tauto.
  - rewrite (IHf e e' S). tauto.
  - rewrite (IHf1 e e' S), (IHf2 e e' S). tauto.
  - rewrite (IHf1 e e' S), (IHf2 e e' S). tauto.
  - split; intros [x H]; exists x; (eapply IHf; [|exact H]); apply set_both;
      [intro; symmetry; apply S|exact S].
Qed.

Fixpoint quantifier_free (f : formula) : bool :=
  match f with
  | Not f => quantifier_free f
  | And f g | Or f g => quantifier_free f && quantifier_free g
  | Exists _ _ => false
  | _ => true
  end.

Lemma decided f e : quantifier_free f = true -> fden f e \/ ~ fden f e.
Proof.
  induction f; cbn; rewrite ?andb_true_iff; intro Q.
  - destruct b; tauto.
  - destruct (N.eq_dec (tden a e) (tden b e)); tauto.
  - destruct (N.le_gt_cases (tden a e) (tden b e)) as [H|H]; [now left|right; lia].
  - destruct (N.lt_ge_cases (tden a e) (tden b e)) as [H|H]; [now left|right; lia].
  - destruct (IHf Q); tauto.
  - destruct Q as [Q1 Q2]. destruct (IHf1 Q1), (IHf2 Q2); tauto.
  - destruct Q as [Q1 Q2]. destruct (IHf1 Q1), (IHf2 Q2); tauto.
  - discriminate.
Qed.

(** * Alternatives *)

Open Scope Z_scope.

(** Which variable stands for a heap or a bound variable. *)
Definition naming := nat -> nat.
Definition view (e : env) (r : naming) : env := fun i => e (r i).
Definition rename (r : naming) (i n : nat) : naming := fun j => if Nat.eqb j i then n else r j.

(** What is at most 0, and a form. *)
Definition case := (list form * form)%type.

Definition consistent (c : list form) : bool := negb (existsb positive_form c).

(** All ways to combine cases of two terms. *)
Definition cross (op : form -> form -> list case) (la lb : list case) : list case :=
  flat_map (fun x => flat_map (fun y => flat_map (fun z =>
    let c := fst x ++ fst y ++ fst z in if consistent c then [(c, snd z)] else [])
      (op (snd x) (snd y))) lb) la.

Definition each (op : form -> list case) (la : list case) : list case :=
  flat_map (fun x => flat_map (fun z =>
    let c := fst x ++ fst z in if consistent c then [(c, snd z)] else []) (op (snd x))) la.

Definition equal (f g : form) : list form := [minus f g; minus g f].
Definition plus (f g : form) : form := add_times 1 f g.
Definition times (k : N) (f : form) : form := add_times (Z.of_N k) f (constant 0).

(** A form as a nim-sum of variables and a constant; if need be, of a variable that equals it. *)
Definition as_sum (f : form) (v : nat) : list form * (list nat * N) :=
  match f with
  | ([], Zneg _) => (equal f (variable v), ([v], 0%N))
  | ([], k) => ([], ([], Z.to_N k))
  | ([(1, Nim_sum vs)], 0) => ([], (vs, 0%N))
  | _ => (equal f (variable v), ([v], 0%N))
  end.

Definition xor_case (v w u : nat) (f g : form) : list case :=
  let '(ef, (vf, kf)) := as_sum f v in
  let '(eg, (vg, kg)) := as_sum g w in
  let vs := xjoin vf vg in
  let k := N.lxor kf kg in
  match k, vs with
  | 0%N, _ => [(ef ++ eg, match vs with [] => constant 0 | _ => ([(1, Nim_sum vs)], 0) end)]
  | _, [] => [(ef ++ eg, constant (Z.of_N k))]
  | _, _ =>
    [(ef ++ eg ++ equal (constant (Z.of_N k)) (variable u), ([(1, Nim_sum (xinsert u vs))], 0))]
  end.

(** Variables in ascending order: their digits have the same sum. *)
Fixpoint inserted (v : nat) (vs : list nat) : list nat :=
  match vs with
  | [] => [v]
  | w :: r => if Nat.leb v w then v :: vs else w :: inserted v r
  end.
Definition sorted (vs : list nat) : list nat := fold_right inserted [] vs.

(** Remainders up to this modulus are cases. *)
Definition small : N := 8.

Fixpoint tcases (r : naming) (t : term) (n : nat) : list case * nat :=
  match t with
  | Number k => ([([], constant (Z.of_N k))], n)
  | Heap i => ([([], variable (r i))], n)
  | Plus a b =>
    let '(la, n) := tcases r a n in let '(lb, n) := tcases r b n in
    (cross (fun f g => [([], plus f g)]) la lb, n)
  | Times k a => let '(la, n) := tcases r a n in (each (fun f => [([], times k f)]) la, n)
  | Xor a b =>
    let '(la, n) := tcases r a n in let '(lb, n) := tcases r b n in
    (cross (xor_case n (S n) (S (S n))) la lb, S (S (S n)))
  | Least a b =>
    let '(la, n) := tcases r a n in let '(lb, n) := tcases r b n in
    (cross (fun f g => [([minus f g], f); ([minus g f], g)]) la lb, n)
  | Greatest a b =>
    let '(la, n) := tcases r a n in let '(lb, n) := tcases r b n in
    (cross (fun f g => [([minus g f], f); ([minus f g], g)]) la lb, n)
  | Quotient a k =>
    let '(la, n) := tcases r a n in
    (match k with
     | 0%N => [([], variable n)]
     | _ => each (fun f => let q := times k (variable n) in
              [([minus q f; minus (minus f q) (constant (Z.of_N k - 1))], variable n)]) la
     end, S n)
  | Remainder a k =>
    let '(la, n) := tcases r a n in
    (match k with
     | 0%N => [([], variable n)]
     | _ => each (fun f => let q := times k (variable n) in
              if (k <=? small)%N
              then map (fun i => let c := constant (Z.of_nat i) in (equal f (plus q c), c))
                (seq 0 (N.to_nat k))
              else [([minus q f; minus (minus f q) (constant (Z.of_N k - 1))], minus f q)]) la
     end, S n)
  | Digit_sum m is => ([([], ([(1, Sum_mod m (sorted (map r is)))], 0))], n)
  end.

(** Pairs of terms in a relation: what is at most 0. *)
Definition compare (r : naming) (op : form -> form -> list (list form)) (a b : term) (n : nat) :
  list (list form) * nat :=
  let '(la, n) := tcases r a n in let '(lb, n) := tcases r b n in
  (map fst (cross (fun f g => map (fun c => (c, constant 0)) (op f g)) la lb), n).

Definition both (la lb : list (list form)) : list (list form) :=
  flat_map (fun x => flat_map (fun y => let c := x ++ y in if consistent c then [c] else []) lb) la.

(** The alternatives of a formula, or of its negation. *)
Fixpoint alternatives (r : naming) (truth : bool) (f : formula) (n : nat) : list (list form) *
  nat :=
  match f with
  | Known b => (if eqb b truth then [[]] else [], n)
  | Equal a b =>
    compare r (fun f g => if truth then [equal f g] else [[plus (constant 1) (minus f g)];
      [plus (constant 1) (minus g f)]]) a b n
  | AtMost a b => compare r (fun f g => [[if truth then minus f g else plus (constant 1)
    (minus g f)]]) a b n
  | Less a b => compare r (fun f g => [[if truth then plus (constant 1) (minus f g) else
    minus g f]]) a b n
  | Not f => if truth then alternatives r false f n else if quantifier_free f then alternatives r
    true f n else ([[]], n)
  | And f g =>
    if truth then
      let '(la, n) := alternatives r true f n in let '(lb, n) := alternatives r true g n in
        (both la lb, n)
    else if quantifier_free f then
      let '(la, n) := alternatives r false f n in let '(lb, n) := alternatives r false g n in
        (la ++ lb, n)
    else ([[]], n)
  | Or f g =>
    if truth then
      let '(la, n) := alternatives r true f n in let '(lb, n) := alternatives r true g n in
        (la ++ lb, n)
    else
      let '(la, n) := alternatives r false f n in let '(lb, n) := alternatives r false g n in
        (both la lb, n)
  | Exists i f => if truth then alternatives (rename r i n) true f (S n) else ([[]], n)
  end.

(** ** Soundness *)

Lemma consistent_below e c : below e c -> consistent c = true.
Proof.
  intro B. unfold consistent. apply negb_true_iff.
  destruct (existsb positive_form c) eqn:E; [|reflexivity].
  apply existsb_exists in E as (f & F1 & F2). apply (positive_form_sound e) in F2.
  specialize (B f F1). lia.
Qed.

Lemma cross_in op la lb e x y z :
  In x la -> In y lb -> In z (op (snd x) (snd y)) -> below e (fst x) -> below e (fst y) ->
    below e (fst z) ->
  In (fst x ++ fst y ++ fst z, snd z) (cross op la lb).
Proof.
  intros X Y Z BX BY BZ. unfold cross. apply in_flat_map. exists x. split; [exact X|].
  apply in_flat_map. exists y. split; [exact Y|].
  apply in_flat_map. exists z. split; [exact Z|]. cbn zeta.
  rewrite (consistent_below e); [now left|].
  apply below_app. split; [exact BX|]. apply below_app. split; assumption.
Qed.

Lemma each_in op la e x z :
  In x la -> In z (op (snd x)) -> below e (fst x) -> below e (fst z) ->
    In (fst x ++ fst z, snd z) (each op la).
Proof.
  intros X Z BX BZ. unfold each. apply in_flat_map. exists x. split; [exact X|].
  apply in_flat_map. exists z. split; [exact Z|]. cbn zeta.
  rewrite (consistent_below e); [now left|].
  apply below_app. split; assumption.
Qed.

Definition names_below (r : naming) (n : nat) : Prop := forall i, (r i < n)%nat.

Lemma view_agree r n e e' : names_below r n -> agree n e e' -> same (view e r) (view e' r).
Proof. intros R A i. apply A, R. Qed.

(** From some variables on, there are values for which one of the cases has the value. *)
Definition valued (l : list case) (n n' : nat) (e : env) (x : Z) : Prop :=
  (n <= n')%nat /\ exists e1, agree n e e1 /\ exists c, In c l /\
    forall e2, agree n' e1 e2 -> below e2 (fst c) /\ fval e2 (snd c) = x.

Definition satisfied (l : list (list form)) (n n' : nat) (e : env) : Prop :=
  (n <= n')%nat /\ exists e1, agree n e e1 /\ exists c, In c l /\ forall e2, agree n' e1 e2 ->
    below e2 c.

Lemma below_nil e : below e [].
Proof. intros f []. Qed.

(** Cases of one term, turned into cases of another by new variables from [n1] to [n2]. *)
Lemma valued_each op la n n1 n2 e x y :
  valued la n n1 e x -> (n1 <= n2)%nat ->
  (forall e1 f, fval e1 f = x -> (forall e2, agree n1 e1 e2 -> fval e2 f = x) ->
     exists e2, agree n1 e1 e2 /\ exists z, In z (op f) /\
       forall e3, agree n2 e2 e3 -> below e3 (fst z) /\ fval e3 (snd z) = y) ->
  valued (each op la) n n2 e y.
Proof.
  intros (N1 & e1 & A1 & c & C & H) N2 O. split; [lia|].
  destruct (O e1 (snd c)) as (e2 & A2 & z & Z & HZ);
    [apply H, agree_refl|intros e2 A; apply (H e2 A)|].
  exists e2. split; [exact (agree_trans n n1 e e1 e2 N1 A1 A2)|]. exists (fst c ++ fst z, snd z).
  assert (B : forall e3, agree n2 e2 e3 -> below e3 (fst c) /\ below e3 (fst z) /\
    fval e3 (snd z) = y).
  { intros e3 A3. split; [apply H, (agree_trans n1 n2 e1 e2 e3); assumption|now apply HZ]. }
  split.
  - destruct (B e2 (agree_refl _ _)) as (B1 & B2 & _). now apply (each_in op la e2).
  - intros e3 A3. destruct (B e3 A3) as (B1 & B2 & B3). cbn [fst snd]. rewrite below_app. tauto.
Qed.

Lemma valued_cross op la lb n n1 n2 n3 e x y w :
  valued la n n1 e x -> (forall e1, agree n e e1 -> valued lb n1 n2 e1 y) -> (n2 <= n3)%nat ->
  (forall e1 f g, fval e1 f = x -> fval e1 g = y ->
     (forall e2, agree n2 e1 e2 -> fval e2 f = x /\ fval e2 g = y) ->
     exists e2, agree n2 e1 e2 /\ exists z, In z (op f g) /\
       forall e3, agree n3 e2 e3 -> below e3 (fst z) /\ fval e3 (snd z) = w) ->
  valued (cross op la lb) n n3 e w.
Proof.
  intros (N1 & e1 & A1 & c & C & H) V N3 O. destruct (V e1 A1) as (N2 & e2 & A2 & d & D & HD).
  split; [lia|].
  assert (S : forall e3, agree n2 e2 e3 -> below e3 (fst c) /\ below e3 (fst d) /\
    fval e3 (snd c) = x /\ fval e3 (snd d) = y).
  { intros e3 A3. destruct (H e3 (agree_trans n1 n2 e1 e2 e3 N2 A2 A3)). destruct (HD e3 A3). tauto.
    }
  destruct (S e2 (agree_refl _ _)) as (_ & _ & X & Y).
  destruct (O e2 (snd c) (snd d) X Y) as (e3 & A3 & z & Z & HZ).
  { intros e5 A5. destruct (S e5 A5) as (_ & _ & X5 & Y5). split; assumption. }
  exists e3. split. { apply (agree_trans n n1 e e1 e3); [lia|exact A1|].
  apply (agree_trans n1 n2 e1 e2 e3); assumption. }
  exists (fst c ++ fst d ++ fst z, snd z). split.
  - destruct (S e3 A3) as (B1 & B2 & _). apply (cross_in op la lb e3); try assumption.
    apply HZ, agree_refl.
  - intros e4 A4. destruct (HZ e4 A4) as [B3 E].
    destruct (S e4 (agree_trans n2 n3 e2 e3 e4 N3 A3 A4)) as (B1 & B2 & _).
    cbn [fst snd]. rewrite !below_app. tauto.
Qed.

Lemma below_equal e f g : fval e f = fval e g -> below e (equal f g).
Proof. intros E h [<-|[<-|[]]]; rewrite fval_minus; lia. Qed.

Lemma fval_plus e f g : fval e (plus f g) = fval e f + fval e g.
Proof. unfold plus. rewrite fval_add_times. lia. Qed.
Lemma fval_times e k f : fval e (times k f) = Z.of_N k * fval e f.
Proof. unfold times. rewrite fval_add_times, fval_constant. lia. Qed.

Lemma ones_inserted e v vs :
  ones (map e (inserted v vs)) = (N.b2n (N.odd (e v)) + ones (map e vs))%N.
Proof.
  induction vs as [|w r IH]; [reflexivity|]. cbn [inserted]. destruct (Nat.leb v w); [reflexivity|].
  cbn [map ones fold_right]. fold (ones (map e (inserted v r))) (ones (map e r)). rewrite IH. lia.
Qed.

Lemma ones_sorted e vs : ones (map e (sorted vs)) = ones (map e vs).
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [sorted fold_right]. fold (sorted vs).
  now rewrite ones_inserted, IH.
Qed.

Lemma places_sorted k : forall m e vs,
  sum_of_places k m (map e (sorted vs)) = sum_of_places k m (map e vs).
Proof.
  induction k as [|k IH]; intros m e vs; [reflexivity|]. cbn [sum_of_places].
  rewrite ones_sorted, !map_map.
  now rewrite (IH m (fun v => N.div2 (e v)) vs).
Qed.

Lemma tokens_sorted e vs : tokens (map e (sorted vs)) = tokens (map e vs).
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [sorted fold_right]. fold (sorted vs).
  assert (A : forall l, tokens (map e (inserted v l)) = (e v + tokens (map e l))%N).
  { induction l as [|w r IHl]; [reflexivity|]. cbn [inserted].
    destruct (Nat.leb v w); [reflexivity|].
    cbn [map tokens fold_right]. fold (tokens (map e (inserted v r))) (tokens (map e r)).
    rewrite IHl. lia. }
  rewrite A, IH. reflexivity.
Qed.

Lemma digit_sum_sorted m e vs : digit_sum m (map e (sorted vs)) = digit_sum m (map e vs).
Proof. unfold digit_sum. now rewrite tokens_sorted, places_sorted. Qed.

Lemma fval_sum e vs : fval e ([(1, Nim_sum vs)], 0) = Z.of_N (xsum e vs).
Proof. unfold fval. cbn [fst snd]. rewrite tval_cons. cbn [sval]. change (tval e []) with 0. lia.
Qed.

Lemma as_sum_sound f v e x :
  fval e f = Z.of_N x -> e v = x -> let '(c, (vs, k)) := as_sum f v in below e c /\
    N.lxor (xsum e vs) k = x.
Proof.
  intros F V. assert (D : let '(c, (vs, k)) := (equal f (variable v), ([v], 0%N)) in below e c /\
    N.lxor (xsum e vs) k = x).
  { split; [apply below_equal; rewrite fval_variable; congruence|]. rewrite xsum_cons.
    cbn [xsum fold_right]. now rewrite !N.lxor_0_r. }
  destruct f as [ts k]. unfold as_sum. destruct ts as [|[c s] [|t ts]].
  - destruct k; try exact D; (split; [apply below_nil|]); cbn [xsum fold_right]; rewrite N.lxor_0_l;
      unfold fval in F; cbn in F;
      apply N2Z.inj; rewrite Z2N.id; lia.
  - destruct c as [|[p|p|]|], s as [vs|m vs]; try exact D. destruct k; try exact D.
    split; [apply below_nil|]. rewrite N.lxor_0_r.
    apply N2Z.inj. now rewrite <- fval_sum.
  - destruct c as [|[p|p|]|], s as [vs|m vs]; exact D.
Qed.

Lemma fval_sum_mod e m vs : fval e ([(1, Sum_mod m vs)], 0) = Z.of_N (digit_sum m (map e vs)).
Proof. unfold fval. cbn [fst snd]. rewrite tval_cons. cbn [sval]. change (tval e []) with 0. lia.
Qed.

Lemma xor_case_sound v w u f g e x y :
  fval e f = Z.of_N x -> fval e g = Z.of_N y -> e v = x -> e w = y ->
  (forall ef vf kf eg vg kg, as_sum f v = (ef, (vf, kf)) -> as_sum g w = (eg, (vg, kg)) ->
    e u = N.lxor kf kg) ->
  exists z, xor_case v w u f g = [z] /\ below e (fst z) /\ fval e (snd z) = Z.of_N (N.lxor x y).
Proof.
  intros F G V W U. unfold xor_case. pose proof (as_sum_sound f v e x F V) as SF.
  pose proof (as_sum_sound g w e y G W) as SG.
  destruct (as_sum f v) as [ef [vf kf]]. destruct (as_sum g w) as [eg [vg kg]].
  specialize (U _ _ _ _ _ _ eq_refl eq_refl). destruct SF as [BF XF]. destruct SG as [BG XG].
  assert (E : N.lxor x y = N.lxor (N.lxor kf kg) (xsum e (xjoin vf vg))).
  { rewrite xsum_xjoin, <- XF, <- XG. apply N.bits_inj. intro i. rewrite !N.lxor_spec.
    destruct (N.testbit (xsum e vf) i), (N.testbit (xsum e vg) i), (N.testbit kf i),
      (N.testbit kg i); reflexivity. }
  assert (Z0 : xsum e [] = 0%N) by reflexivity.
  set (vs := xjoin vf vg) in *. set (k := N.lxor kf kg) in *. destruct k as [|p] eqn:K.
  - rewrite N.lxor_0_l in E. eexists. split; [reflexivity|]. cbn [fst snd]. rewrite below_app.
    split; [tauto|].
    rewrite E. destruct vs; [reflexivity|apply fval_sum].
  - destruct vs as [|i vs].
    + rewrite Z0, N.lxor_0_r in E. eexists. split; [reflexivity|]. cbn [fst snd]. rewrite below_app.
      split; [tauto|].
      now rewrite E.
    + eexists. split; [reflexivity|]. cbn [fst snd]. rewrite !below_app. split.
      * repeat split; try assumption. apply below_equal. rewrite fval_variable, fval_constant.
        congruence.
      * rewrite fval_sum, xsum_xinsert, E. now rewrite U.
Qed.

Theorem tcases_sound t r n e :
  names_below r n -> valued (fst (tcases r t n)) n (snd (tcases r t n)) e
    (Z.of_N (tden t (view e r))).
Proof.
  revert n e. induction t; intros n e R; cbn [tcases].
  - split; [apply Nat.le_refl|]. exists e. split; [apply agree_refl|]. eexists. split; [now left|].
    intros e2 _. split; [apply below_nil|apply fval_constant].
  - split; [apply Nat.le_refl|]. exists e. split; [apply agree_refl|]. eexists. split; [now left|].
    intros e2 A. split; [apply below_nil|].
    cbn [fst snd]. rewrite fval_variable. cbn. unfold view. now rewrite (A (r i) (R i)).
  - pose proof (IHt1 n e R) as V1. destruct (tcases r t1 n) as [la n1]. cbn [fst snd] in V1.
    assert (R1 : names_below r n1) by (intro i; destruct V1 as [L _]; specialize (R i); lia).
    assert (V2 : forall e1, agree n e e1 -> valued (fst (tcases r t2 n1)) n1 (snd (tcases r t2 n1))
      e1 (Z.of_N (tden t2 (view e r)))).
    { intros e1 A. rewrite (tden_same t2 (view e r) (view e1 r)) by (now apply (view_agree r n)).
      now apply IHt2. }
    destruct (tcases r t2 n1) as [lb n2]. cbn [fst snd] in *.
    apply (valued_cross _ la lb n n1 n2 n2 e _ _ _ V1 V2 (Nat.le_refl _)). intros e1 f g F G S.
    exists e1. split; [apply agree_refl|].
    eexists. split; [now left|]. intros e3 A. destruct (S e3 A) as [F' G'].
    split; [apply below_nil|]. cbn [snd].
    rewrite fval_plus, F', G'. cbn [tden]. lia.
  - pose proof (IHt n e R) as V1. destruct (tcases r t n) as [la n1]. cbn [fst snd] in *.
    apply (valued_each _ la n n1 n1 e _ _ V1 (Nat.le_refl _)). intros e1 f F S. exists e1.
    split; [apply agree_refl|].
    eexists. split; [now left|]. intros e3 A. split; [apply below_nil|]. cbn [snd].
    rewrite fval_times, (S e3 A). cbn [tden]. lia.
  - pose proof (IHt1 n e R) as V1. destruct (tcases r t1 n) as [la n1]. cbn [fst snd] in V1.
    assert (R1 : names_below r n1) by (intro i; destruct V1 as [L _]; specialize (R i); lia).
    assert (V2 : forall e1, agree n e e1 -> valued (fst (tcases r t2 n1)) n1 (snd (tcases r t2 n1))
      e1 (Z.of_N (tden t2 (view e r)))).
    { intros e1 A. rewrite (tden_same t2 (view e r) (view e1 r)) by (now apply (view_agree r n)).
      now apply IHt2. }
    destruct (tcases r t2 n1) as [lb n2]. cbn [fst snd] in *.
    apply (valued_cross _ la lb n n1 n2 (S (S (S n2))) e _ _ _ V1 V2 ltac:(lia)).
    intros e1 f g F G St.
    set (x := tden t1 (view e r)) in *. set (y := tden t2 (view e r)) in *.
    set (k := let '(_, (_, kf)) := as_sum f n2 in let '(_, (_, kg)) := as_sum g (S n2) in
      N.lxor kf kg).
    set (e2 := set (set (set e1 n2 x) (S n2) y) (S (S n2)) k).
    assert (A2 : agree n2 e1 e2).
    { intros i Hi. unfold e2. rewrite !set_other by lia. reflexivity. }
    assert (X : forall e3, agree (S (S (S n2))) e2 e3 -> exists z, xor_case n2 (S n2) (S (S n2)) f g
      = [z] /\
      below e3 (fst z) /\ fval e3 (snd z) = Z.of_N (N.lxor x y)).
    { intros e3 A3. destruct (St e3) as [F3 G3].
      { apply (agree_trans n2 (S (S (S n2))) e1 e2 e3); [lia|exact A2|exact A3]. }
      apply xor_case_sound; try assumption.
      - rewrite <- (A3 n2) by lia. unfold e2. rewrite !set_other by lia. apply set_same.
      - rewrite <- (A3 (S n2)) by lia. unfold e2. rewrite set_other by lia. apply set_same.
      - intros ef vf kf eg vg kg E1 E2. rewrite <- (A3 (S (S n2))) by lia. unfold e2.
        rewrite set_same. unfold k. now rewrite E1, E2. }
    exists e2. split; [exact A2|]. destruct (X e2 (agree_refl _ _)) as (z & Z & _). exists z.
    rewrite Z. split; [now left|].
    intros e3 A3. destruct (X e3 A3) as (z' & Z' & B). rewrite Z in Z'. injection Z' as <-. exact B.
  - pose proof (IHt1 n e R) as V1. destruct (tcases r t1 n) as [la n1]. cbn [fst snd] in V1.
    assert (R1 : names_below r n1) by (intro i; destruct V1 as [L _]; specialize (R i); lia).
    assert (V2 : forall e1, agree n e e1 -> valued (fst (tcases r t2 n1)) n1 (snd (tcases r t2 n1))
      e1 (Z.of_N (tden t2 (view e r)))).
    { intros e1 A. rewrite (tden_same t2 (view e r) (view e1 r)) by (now apply (view_agree r n)).
      now apply IHt2. }
    destruct (tcases r t2 n1) as [lb n2]. cbn [fst snd] in *.
    apply (valued_cross _ la lb n n1 n2 n2 e _ _ _ V1 V2 (Nat.le_refl _)). intros e1 f g F G S.
    exists e1. split; [apply agree_refl|].
    cbn [tden]. destruct (N.le_ge_cases (tden t1 (view e r)) (tden t2 (view e r))) as [L|L].
    + exists ([minus f g], f). split; [now left|]. intros e3 A. destruct (S e3 A) as [F' G']. split.
      * intros h [<-|[]]. rewrite fval_minus. lia.
      * cbn [snd]. lia.
    + exists ([minus g f], g). split; [right; now left|]. intros e3 A. destruct (S e3 A) as [F' G'].
      split.
      * intros h [<-|[]]. rewrite fval_minus. lia.
      * cbn [snd]. lia.
  - pose proof (IHt1 n e R) as V1. destruct (tcases r t1 n) as [la n1]. cbn [fst snd] in V1.
    assert (R1 : names_below r n1) by (intro i; destruct V1 as [L _]; specialize (R i); lia).
    assert (V2 : forall e1, agree n e e1 -> valued (fst (tcases r t2 n1)) n1 (snd (tcases r t2 n1))
      e1 (Z.of_N (tden t2 (view e r)))).
    { intros e1 A. rewrite (tden_same t2 (view e r) (view e1 r)) by (now apply (view_agree r n)).
      now apply IHt2. }
    destruct (tcases r t2 n1) as [lb n2]. cbn [fst snd] in *.
    apply (valued_cross _ la lb n n1 n2 n2 e _ _ _ V1 V2 (Nat.le_refl _)). intros e1 f g F G S.
    exists e1. split; [apply agree_refl|].
    cbn [tden]. destruct (N.le_ge_cases (tden t2 (view e r)) (tden t1 (view e r))) as [L|L].
    + exists ([minus g f], f). split; [now left|]. intros e3 A. destruct (S e3 A) as [F' G']. split.
      * intros h [<-|[]]. rewrite fval_minus. lia.
      * cbn [snd]. lia.
    + exists ([minus f g], g). split; [right; now left|]. intros e3 A. destruct (S e3 A) as [F' G'].
      split.
      * intros h [<-|[]]. rewrite fval_minus. lia.
      * cbn [snd]. lia.
  - pose proof (IHt n e R) as V1. destruct (tcases r t n) as [la n1]. cbn [fst snd tden] in *.
    set (x := tden t (view e r)) in *.
    destruct k as [|p].
    + destruct V1 as [L _]. split; [lia|]. exists (set e n1 (x / 0)%N).
      split; [apply agree_set; lia|]. eexists. split; [now left|].
      intros e2 A. split; [apply below_nil|]. cbn [snd].
      rewrite fval_variable, <- (A n1), set_same by lia. reflexivity.
    + apply (valued_each _ la n n1 (S n1) e _ _ V1 ltac:(lia)). intros e1 f F St.
      exists (set e1 n1 (x / Npos p)%N).
      split; [apply agree_set; lia|]. eexists. split; [now left|]. intros e3 A.
      assert (F3 : fval e3 f = Z.of_N x). { apply St.
      apply (agree_trans n1 (S n1) e1 (set e1 n1 (x / Npos p)%N) e3);
        [lia|apply agree_set; lia|exact A]. }
      assert (Q3 : e3 n1 = (x / Npos p)%N) by (rewrite <- (A n1), set_same by lia; reflexivity).
      pose proof (N.div_mod x (Npos p) ltac:(discriminate)) as D.
      pose proof (N.mod_lt x (Npos p) ltac:(discriminate)) as M.
      cbn [fst snd]. rewrite fval_variable, Q3. split; [|reflexivity].
      set (q := (x / N.pos p)%N) in *. set (m := (x mod N.pos p)%N) in *.
      assert (DZ : Z.of_N x = Z.of_N (N.pos p) * Z.of_N q + Z.of_N m) by
        (rewrite D, N2Z.inj_add, N2Z.inj_mul; reflexivity).
      intros h [<-|[<-|[]]]; rewrite ?fval_minus, ?fval_times, ?fval_variable, ?fval_constant, F3,
        Q3, DZ; lia.
  - pose proof (IHt n e R) as V1. destruct (tcases r t n) as [la n1]. cbn [fst snd tden] in *.
    set (x := tden t (view e r)) in *.
    destruct k as [|p].
    + destruct V1 as [L _]. split; [lia|]. exists (set e n1 (x mod 0)%N).
      split; [apply agree_set; lia|]. eexists. split; [now left|].
      intros e2 A. split; [apply below_nil|]. cbn [snd].
      rewrite fval_variable, <- (A n1), set_same by lia. reflexivity.
    + apply (valued_each _ la n n1 (S n1) e _ _ V1 ltac:(lia)). intros e1 f F St.
      exists (set e1 n1 (x / Npos p)%N).
      split; [apply agree_set; lia|].
      assert (P : forall e3, agree (S n1) (set e1 n1 (x / N.pos p)%N) e3 -> fval e3 f = Z.of_N x /\
        e3 n1 = (x / Npos p)%N).
      { intros e3 A. split; [|rewrite <- (A n1), set_same by lia; reflexivity]. apply St.
        apply (agree_trans n1 (S n1) e1 (set e1 n1 (x / Npos p)%N) e3);
          [lia|apply agree_set; lia|exact A]. }
      pose proof (N.div_mod x (Npos p) ltac:(discriminate)) as D.
      pose proof (N.mod_lt x (Npos p) ltac:(discriminate)) as M.
      set (q := (x / N.pos p)%N) in *. set (m := (x mod N.pos p)%N) in *.
      assert (DZ : Z.of_N x = Z.of_N (N.pos p) * Z.of_N q + Z.of_N m) by
        (rewrite D, N2Z.inj_add, N2Z.inj_mul; reflexivity).
      cbn zeta. destruct (N.pos p <=? small)%N.
      * exists (let c := constant (Z.of_nat (N.to_nat m)) in
          (equal f (plus (times (Npos p) (variable n1)) c), c)). split.
        -- apply (in_map (fun i => let c := constant (Z.of_nat i) in
          (equal f (plus (times (Npos p) (variable n1)) c), c))).
           apply in_seq. lia.
        -- intros e3 A. destruct (P e3 A) as [F3 Q3]. cbn [fst snd]. rewrite fval_constant.
        split; [|lia].
           apply below_equal. rewrite fval_plus, fval_times, fval_variable, fval_constant, F3, Q3,
             DZ. lia.
      * eexists. split; [now left|]. intros e3 A. destruct (P e3 A) as [F3 Q3]. cbn [fst snd].
        rewrite fval_minus, fval_times, fval_variable, F3, Q3, DZ. split; [|lia].
        intros h [<-|[<-|[]]]; rewrite ?fval_minus, ?fval_times, ?fval_variable, ?fval_constant, F3,
          Q3, DZ; lia.
  - split; [apply Nat.le_refl|]. exists e. split; [apply agree_refl|]. eexists. split; [now left|].
    intros e2 A. split; [apply below_nil|].
    cbn [fst snd tden]. rewrite fval_sum_mod, digit_sum_sorted, map_map. do 2 f_equal.
    apply map_ext. intro i.
    symmetry. exact (A (r i) (R i)).
Qed.

Lemma compare_sound r op a b n e :
  names_below r n ->
  (exists i, forall f g e2, fval e2 f = Z.of_N (tden a (view e r)) ->
    fval e2 g = Z.of_N (tden b (view e r)) ->
     exists c, nth_error (op f g) i = Some c /\ below e2 c) ->
  satisfied (fst (compare r op a b n)) n (snd (compare r op a b n)) e.
Proof.
  intros R [i O]. unfold compare. pose proof (tcases_sound a r n e R) as V1.
  destruct (tcases r a n) as [la n1]. cbn [fst snd] in V1.
  assert (R1 : names_below r n1) by (intro j; destruct V1 as [L _]; specialize (R j); lia).
  assert (V2 : forall e1, agree n e e1 -> valued (fst (tcases r b n1)) n1 (snd (tcases r b n1)) e1
    (Z.of_N (tden b (view e r)))).
  { intros e1 A. rewrite (tden_same b (view e r) (view e1 r)) by (now apply (view_agree r n)).
    now apply tcases_sound. }
  destruct (tcases r b n1) as [lb n2]. cbn [fst snd] in *.
  assert (V : valued (cross (fun f g => map (fun c => (c, constant 0)) (op f g)) la lb) n n2 e 0).
  { apply (valued_cross _ la lb n n1 n2 n2 e _ _ _ V1 V2 (Nat.le_refl _)). intros e1 f g F G St.
    exists e1. split; [apply agree_refl|].
    destruct (O f g e1 F G) as (c & C & B). exists (c, constant 0). split.
    - apply (in_map (fun c => (c, constant 0))). now apply nth_error_In with i.
    - intros e3 A. destruct (St e3 A) as [F3 G3]. destruct (O f g e3 F3 G3) as (c' & C' & B').
      rewrite C in C'. injection C' as <-.
      split; [exact B'|reflexivity]. }
  destruct V as (L & e1 & A1 & c & C & H). split; [exact L|]. exists e1. split; [exact A1|].
  exists (fst c).
  split; [now apply in_map|]. intros e2 A2. now apply H.
Qed.

Lemma satisfied_both la lb n n1 n2 e :
  satisfied la n n1 e -> (forall e1, agree n e e1 -> satisfied lb n1 n2 e1) ->
    satisfied (both la lb) n n2 e.
Proof.
  intros (N1 & e1 & A1 & c & C & H) S. destruct (S e1 A1) as (N2 & e2 & A2 & d & D & HD).
  split; [lia|].
  exists e2. split; [exact (agree_trans n n1 e e1 e2 N1 A1 A2)|]. exists (c ++ d).
  assert (B : forall e3, agree n2 e2 e3 -> below e3 (c ++ d)).
  { intros e3 A3. apply below_app. split; [apply H;
      exact (agree_trans n1 n2 e1 e2 e3 N2 A2 A3)|now apply HD]. }
  split; [|exact B]. unfold both. apply in_flat_map. exists c. split; [exact C|]. apply in_flat_map.
  exists d. split; [exact D|].
  cbn zeta. rewrite (consistent_below e2) by apply B, agree_refl. now left.
Qed.

Lemma satisfied_left la lb n n1 n2 e : (n1 <= n2)%nat -> satisfied la n n1 e ->
  satisfied (la ++ lb) n n2 e.
Proof.
  intros L (N1 & e1 & A1 & c & C & H). split; [lia|]. exists e1. split; [exact A1|]. exists c.
  split; [apply in_or_app; now left|].
  intros e2 A2. apply H. exact (agree_le n1 n2 e1 e2 L A2).
Qed.

Lemma satisfied_right la lb n n1 n2 e : (n <= n1)%nat -> satisfied lb n1 n2 e ->
  satisfied (la ++ lb) n n2 e.
Proof.
  intros L (N1 & e1 & A1 & c & C & H). split; [lia|]. exists e1.
  split; [exact (agree_le n n1 e e1 L A1)|]. exists c.
  split; [apply in_or_app; now right|exact H].
Qed.

Definition truly (truth : bool) (f : formula) (e : env) : Prop := if truth then fden f e else
  ~ fden f e.

Lemma truly_same truth f e e' : same e e' -> truly truth f e -> truly truth f e'.
Proof. intros S. pose proof (fden_same f e e' S). destruct truth; cbn; tauto. Qed.

Lemma compare_grows r op a b n : (n <= snd (compare r op a b n))%nat.
Proof.
  assert (T : forall t n, (n <= snd (tcases r t n))%nat).
  { induction t; intro m; cbn [tcases]; cbn [fst snd]; try apply Nat.le_refl;
    try (specialize (IHt1 m); destruct (tcases r t1 m) as [? n1]; specialize (IHt2 n1);
      destruct (tcases r t2 n1); cbn [snd] in *; lia);
    specialize (IHt m); destruct (tcases r t m); cbn [snd] in *; lia. }
  unfold compare. pose proof (T a n). destruct (tcases r a n) as [la n1]. pose proof (T b n1).
  destruct (tcases r b n1). cbn [snd] in *. lia.
Qed.

Lemma alternatives_grow f r truth n : (n <= snd (alternatives r truth f n))%nat.
Proof.
  revert r truth n. induction f; intros r truth n; cbn [alternatives]; try apply compare_grows.
  - apply Nat.le_refl.
  - destruct truth; [apply IHf|]. destruct (quantifier_free f); [apply IHf|apply Nat.le_refl].
  - destruct truth; [|destruct (quantifier_free f1); [|apply Nat.le_refl]].
    + specialize (IHf1 r true n). destruct (alternatives r true f1 n) as [? n1].
      specialize (IHf2 r true n1).
      destruct (alternatives r true f2 n1). cbn [snd] in *. lia.
    + specialize (IHf1 r false n). destruct (alternatives r false f1 n) as [? n1].
      specialize (IHf2 r false n1).
      destruct (alternatives r false f2 n1). cbn [snd] in *. lia.
  - destruct truth.
    + specialize (IHf1 r true n). destruct (alternatives r true f1 n) as [? n1].
      specialize (IHf2 r true n1).
      destruct (alternatives r true f2 n1). cbn [snd] in *. lia.
    + specialize (IHf1 r false n). destruct (alternatives r false f1 n) as [? n1].
      specialize (IHf2 r false n1).
      destruct (alternatives r false f2 n1). cbn [snd] in *. lia.
  - destruct truth; [|apply Nat.le_refl]. specialize (IHf (rename r i n) true (S n)). lia.
Qed.

Lemma satisfied_any n e : satisfied [[]] n n e.
Proof. split; [apply Nat.le_refl|]. exists e. split; [apply agree_refl|]. exists [].
split; [now left|]. intros; apply below_nil. Qed.

Theorem alternatives_sound f r truth n e :
  names_below r n -> truly truth f (view e r) ->
  satisfied (fst (alternatives r truth f n)) n (snd (alternatives r truth f n)) e.
Proof.
  revert r truth n e. induction f; intros r truth n e R T; cbn [alternatives].
  - destruct b, truth; cbn in *; try tauto; apply satisfied_any.
  - apply compare_sound; [exact R|]. destruct truth; cbn in T.
    + exists 0%nat. intros f g e2 F G. eexists. split; [reflexivity|]. apply below_equal.
      congruence.
    + destruct (N.lt_ge_cases (tden a (view e r)) (tden b (view e r))).
      * exists 0%nat. intros f g e2 F G. eexists. split; [reflexivity|]. intros h [<-|[]].
        rewrite fval_plus, fval_minus, fval_constant. lia.
      * exists 1%nat. intros f g e2 F G. eexists. split; [reflexivity|]. intros h [<-|[]].
        rewrite fval_plus, fval_minus, fval_constant. lia.
  - apply compare_sound; [exact R|]. exists 0%nat. intros f g e2 F G. eexists.
    split; [reflexivity|]. intros h [<-|[]].
    destruct truth; cbn in T; rewrite ?fval_plus, ?fval_minus, ?fval_constant; lia.
  - apply compare_sound; [exact R|]. exists 0%nat. intros f g e2 F G. eexists.
    split; [reflexivity|]. intros h [<-|[]].
    destruct truth; cbn in T; rewrite ?fval_plus, ?fval_minus, ?fval_constant; lia.
  - destruct truth; [now apply IHf|]. destruct (quantifier_free f) eqn:Q; [|apply satisfied_any].
    apply IHf; [exact R|]. cbn in *. destruct (decided f (view e r) Q); tauto.
  - assert (G : forall e1 n1 t, (n <= n1)%nat -> agree n e e1 -> truly t f2 (view e r) ->
      names_below r n1 /\ truly t f2 (view e1 r)).
    { intros e1 n1 t L A H. split; [intro i; specialize (R i); lia|].
      apply (truly_same t f2 (view e r)); [|exact H]. now apply (view_agree r n). }
    destruct truth.
    + destruct T as [T1 T2]. pose proof (alternatives_grow f1 r true n) as L1.
      pose proof (IHf1 r true n e R T1) as S1.
      destruct (alternatives r true f1 n) as [la n1]. cbn [fst snd] in *.
      assert (S2 : forall e1, agree n e e1 -> satisfied (fst (alternatives r true f2 n1)) n1
        (snd (alternatives r true f2 n1)) e1).
      { intros e1 A. destruct (G e1 n1 true L1 A T2). now apply IHf2. }
      destruct (alternatives r true f2 n1) as [lb n2]. cbn [fst snd] in *.
      exact (satisfied_both la lb n n1 n2 e S1 S2).
    + destruct (quantifier_free f1) eqn:Q; [|apply satisfied_any].
      pose proof (alternatives_grow f1 r false n) as L1. pose proof (IHf1 r false n e R) as S1.
      destruct (alternatives r false f1 n) as [la n1]. cbn [fst snd] in *.
      pose proof (alternatives_grow f2 r false n1) as L2. pose proof (IHf2 r false n1 e) as S2.
      destruct (alternatives r false f2 n1) as [lb n2]. cbn [fst snd truly fden] in *.
      destruct (decided f1 (view e r) Q) as [H|H].
      * apply satisfied_right with n1; [exact L1|]. apply S2; [intro i; specialize (R i); lia|].
        tauto.
      * apply satisfied_left with n1; [exact L2|]. now apply S1.
  - assert (G : forall e1 n1 t, (n <= n1)%nat -> agree n e e1 -> truly t f2 (view e r) ->
      names_below r n1 /\ truly t f2 (view e1 r)).
    { intros e1 n1 t L A H. split; [intro i; specialize (R i); lia|].
      apply (truly_same t f2 (view e r)); [|exact H]. now apply (view_agree r n). }
    destruct truth.
    + pose proof (alternatives_grow f1 r true n) as L1. pose proof (IHf1 r true n e R) as S1.
      destruct (alternatives r true f1 n) as [la n1]. cbn [fst snd] in *.
      pose proof (alternatives_grow f2 r true n1) as L2. pose proof (IHf2 r true n1 e) as S2.
      destruct (alternatives r true f2 n1) as [lb n2]. cbn [fst snd truly fden] in *.
      destruct T as [H|H].
      * apply satisfied_left with n1; [exact L2|]. now apply S1.
      * apply satisfied_right with n1; [exact L1|].
        apply S2; [intro i; specialize (R i); lia|exact H].
    + cbn [truly fden] in T. assert (T1 : ~ fden f1 (view e r)) by tauto.
      assert (T2 : ~ fden f2 (view e r)) by tauto.
      pose proof (alternatives_grow f1 r false n) as L1. pose proof (IHf1 r false n e R T1) as S1.
      destruct (alternatives r false f1 n) as [la n1]. cbn [fst snd] in *.
      assert (S2 : forall e1, agree n e e1 -> satisfied (fst (alternatives r false f2 n1)) n1
        (snd (alternatives r false f2 n1)) e1).
      { intros e1 A. destruct (G e1 n1 false L1 A T2). now apply IHf2. }
      destruct (alternatives r false f2 n1) as [lb n2]. cbn [fst snd] in *.
      exact (satisfied_both la lb n n1 n2 e S1 S2).
  - destruct truth; [|apply satisfied_any]. destruct T as [x T].
    assert (R' : names_below (rename r i n) (S n)).
    { intro j. unfold rename. destruct (Nat.eqb j i); [lia|]. specialize (R j). lia. }
    assert (T' : truly true f (view (set e n x) (rename r i n))).
    { apply (truly_same true f (set (view e r) i x)); [|exact T]. intro j.
      unfold view, rename, set at 1.
      destruct (Nat.eqb j i); [now rewrite set_same|]. rewrite set_other; [reflexivity|].
      specialize (R j). lia. }
    destruct (IHf (rename r i n) true (S n) (set e n x) R' T') as (L & e1 & A & c & C & H).
    split; [lia|].
    exists e1. split; [|now exists c]. apply (agree_trans n (S n) e (set e n x) e1);
      [lia|apply agree_set; lia|exact A].
Qed.

(** * Refuting formulas *)

(** What is said, of which variables: a formula or its negation. *)
Definition said := (naming * bool * formula)%type.

Definition holds (e : env) (s : said) : Prop := let '(r, truth, f) := s in truly truth f (view e r).

Fixpoint all_alternatives (l : list said) (n : nat) : list (list form) :=
  match l with
  | [] => [[]]
  | (r, truth, f) :: l => let '(la, n) := alternatives r truth f n in both la (all_alternatives l n)
  end.

Theorem all_alternatives_sound l n e :
  (forall r truth f, In (r, truth, f) l -> names_below r n) -> (forall s, In s l -> holds e s) ->
  exists e1, agree n e e1 /\ exists c, In c (all_alternatives l n) /\ below e1 c.
Proof.
  revert n e. induction l as [|[[r truth] f] l IH]; intros n e R H.
  - exists e. split; [apply agree_refl|]. exists []. split; [now left|apply below_nil].
  - cbn [all_alternatives]. pose proof (R r truth f (or_introl eq_refl)) as Rn.
    pose proof (alternatives_sound f r truth n e Rn (H (r, truth, f) (or_introl eq_refl))) as S.
    destruct (alternatives r truth f n) as [la n1]. cbn [fst snd] in S.
    destruct S as (L & e1 & A1 & c & C & B).
    destruct (IH n1 e1) as (e2 & A2 & d & D & BD).
    + intros r' t' f' I i. specialize (R r' t' f' (or_intror I) i). lia.
    + intros [[r' t'] f'] I. specialize (H _ (or_intror I)). cbn in *.
      apply (truly_same t' f' (view e r')); [|exact H].
      apply (view_agree r' n); [exact (R r' t' f' (or_intror I))|exact A1].
    + exists e2. split; [exact (agree_trans n n1 e e1 e2 L A1 A2)|]. exists (c ++ d).
      assert (BB : below e2 (c ++ d)) by (apply below_app; split; [now apply B|exact BD]).
      split; [|exact BB]. unfold both. apply in_flat_map. exists c. split; [exact C|].
      apply in_flat_map. exists d. split; [exact D|].
      cbn zeta. rewrite (consistent_below e2) by exact BB. now left.
Qed.

(** Linear forms over nim-sums of variables, and over sums of their binary digits modulo a number;
    and how they grow as binary digits are read, the most significant first: if every variable is
    twice another and a digit, so is every such sum, and a form is twice another and what the digits
    weigh. *)

From Coq Require Import List NArith ZArith Lia Bool.
From Bouton Require Import Positions.
Import ListNotations.
Open Scope Z_scope.

(** Variables are numbered. *)
Definition env := nat -> N.

(** A nim-sum of variables; a variable is the nim-sum of itself. *)
Definition xsum (e : env) (vs : list nat) : N := fold_right (fun v a => N.lxor (e v) a) 0%N vs.

(** A nim-sum of variables, or the sum of their binary digits, place by place, modulo a number. *)
Inductive summand := Nim_sum (vs : list nat) | Sum_mod (m : N) (vs : list nat).

Definition variables_of (s : summand) : list nat :=
  match s with Nim_sum vs | Sum_mod _ vs => vs end.
Definition sval (e : env) (s : summand) : N :=
  match s with Nim_sum vs => xsum e vs | Sum_mod m vs => digit_sum m (map e vs) end.

(** Coefficients and summands; a form has a constant, too. *)
Definition terms := list (Z * summand).
Definition form := (terms * Z)%type.

Definition tval (e : env) (ts : terms) : Z :=
  fold_right (fun t a => fst t * Z.of_N (sval e (snd t)) + a) 0 ts.
Definition fval (e : env) (f : form) : Z := tval e (fst f) + snd f.

(** Forms that are at most 0. *)
Definition below (e : env) (fs : list form) : Prop := forall f, In f fs -> fval e f <= 0.

Definition half (e : env) : env := fun v => N.div2 (e v).
Definition bits (e : env) : nat -> bool := fun v => N.odd (e v).

Definition xbit (b : nat -> bool) (vs : list nat) : bool := fold_right (fun v a => xorb (b v) a)
  false vs.
Definition count (b : nat -> bool) (vs : list nat) : N :=
  fold_right (fun v a => N.b2n (b v) + a)%N 0%N vs.

(** The digit of a summand, from those of the variables; and so many times the digit. *)
Definition sdigit (b : nat -> bool) (s : summand) : Z :=
  match s with
  | Nim_sum vs => if xbit b vs then 1 else 0
  | Sum_mod m vs => Z.of_N (count b vs mod m)
  end.
Definition times_digit (b : nat -> bool) (c : Z) (s : summand) : Z :=
  match s with
  | Nim_sum vs => if xbit b vs then c else 0
  | Sum_mod m vs => c * Z.of_N (count b vs mod m)
  end.
Definition weight (b : nat -> bool) (ts : terms) : Z :=
  fold_right (fun t a => times_digit b (fst t) (snd t) + a) 0 ts.

Lemma N_half n : (n = 2 * N.div2 n + N.b2n (N.odd n))%N.
Proof. rewrite <- N.bit0_odd. rewrite N.div2_spec.
apply N.div2_odd || (rewrite <- N.div2_spec, N.bit0_odd; apply N.div2_odd). Qed.

Lemma div2_lxor a b : N.div2 (N.lxor a b) = N.lxor (N.div2 a) (N.div2 b).
Proof. rewrite !N.div2_spec. apply N.shiftr_lxor. Qed.

Lemma odd_lxor a b : N.odd (N.lxor a b) = xorb (N.odd a) (N.odd b).
Proof. rewrite <- !N.bit0_odd. apply N.lxor_spec. Qed.

Lemma xsum_half e vs : N.div2 (xsum e vs) = xsum (half e) vs /\
  N.odd (xsum e vs) = xbit (bits e) vs.
Proof.
  induction vs as [|v vs [IH1 IH2]]; [split; reflexivity|]. cbn [xsum xbit fold_right].
  fold (xsum e vs) (xsum (half e) vs) (xbit (bits e) vs). rewrite div2_lxor, odd_lxor, IH1, IH2.
  split; reflexivity.
Qed.

(** More places than there are change nothing. *)
Lemma places_enough m k : forall l, (forall x, In x l -> (x < 2 ^ N.of_nat k)%N) ->
  forall j, sum_of_places (k + j) m l = sum_of_places k m l.
Proof.
  induction k as [|k IH]; intros l L j.
  - cbn [Nat.add sum_of_places]. revert l L. induction j as [|j IH]; intros l L; [reflexivity|].
    cbn [sum_of_places].
    rewrite IH.
    + assert (E : ones l = 0%N).
      { clear - L. induction l as [|x l IH]; [reflexivity|]. cbn [ones fold_right]. fold (ones l).
        rewrite IH by (intros y Y; apply L; now right). specialize (L x (or_introl eq_refl)).
        cbn in L.
        replace x with 0%N by lia. reflexivity. }
      rewrite E. now destruct m.
    + intros x X. apply in_map_iff in X as (y & <- & Y). specialize (L y Y). cbn in L.
      now replace y with 0%N by lia.
  - cbn [Nat.add sum_of_places]. rewrite IH; [reflexivity|]. intros x X.
    apply in_map_iff in X as (y & <- & Y).
    specialize (L y Y). rewrite N.div2_div. apply N.div_lt_upper_bound; [discriminate|].
    rewrite Nat2N.inj_succ, N.pow_succ_r' in L. lia.
Qed.

Lemma below_size l x : In x l -> (x < 2 ^ N.of_nat (N.to_nat (N.size (tokens l))))%N.
Proof.
  intro X. rewrite N2Nat.id. apply N.le_lt_trans with (tokens l); [|apply N.size_gt].
  induction l as [|y l IH]; [destruct X|]. cbn [tokens fold_right]. fold (tokens l).
  destruct X as [->|X]; [|specialize (IH X)]; lia.
Qed.

Lemma digit_sum_places m l k : (forall x, In x l -> (x < 2 ^ N.of_nat k)%N)
  -> digit_sum m l = sum_of_places k m l.
Proof.
  intro L. unfold digit_sum. set (j := N.to_nat (N.size (tokens l))).
  pose proof (below_size l : forall x, In x l -> (x < 2 ^ N.of_nat j)%N) as J.
  rewrite <- (places_enough m j l J k), <- (places_enough m k l L j). now rewrite Nat.add_comm.
Qed.

Lemma digit_sum_half m l : digit_sum m l = (2 * digit_sum m (map N.div2 l) + ones l mod m)%N.
Proof.
  set (k := N.to_nat (N.size (tokens l))).
  pose proof (below_size l : forall x, In x l -> (x < 2 ^ N.of_nat k)%N) as K.
  rewrite (digit_sum_places m l (S k)), (digit_sum_places m (map N.div2 l) k);
    [cbn [sum_of_places]; apply N.add_comm| |].
  - intros x X. apply in_map_iff in X as (y & <- & Y). specialize (K y Y). rewrite N.div2_div.
    apply N.div_lt_upper_bound; [discriminate|]. lia.
  - intros x X. specialize (K x X). rewrite Nat2N.inj_succ, N.pow_succ_r'. lia.
Qed.

Lemma ones_count e vs : ones (map e vs) = count (bits e) vs.
Proof.
  induction vs as [|v vs IH]; [reflexivity|]. cbn [map ones count fold_right].
  fold (ones (map e vs)) (count (bits e) vs). now rewrite IH.
Qed.

Lemma sval_half e s : Z.of_N (sval e s) = 2 * Z.of_N (sval (half e) s) + sdigit (bits e) s.
Proof.
  destruct s as [vs|m vs]; cbn [sval sdigit].
  - destruct (xsum_half e vs) as [h o]. pose proof (N_half (xsum e vs)) as E. rewrite h, o in E.
    rewrite E. destruct (xbit (bits e) vs); cbn [N.b2n]; lia.
  - rewrite digit_sum_half, map_map, ones_count.
    change (map (fun x => N.div2 (e x)) vs) with (map (half e) vs).
    set (r := (count (bits e) vs mod m)%N). lia.
Qed.

Lemma sdigit_natural b s : 0 <= sdigit b s.
Proof. destruct s as [vs|m vs]; cbn [sdigit]; [destruct (xbit b vs); lia|apply N2Z.is_nonneg]. Qed.

Lemma times_digit_right b c s : times_digit b c s = c * sdigit b s.
Proof. destruct s as [vs|m vs]; cbn [times_digit sdigit]; [destruct (xbit b vs); lia|reflexivity].
Qed.

Lemma tval_half e ts : tval e ts = 2 * tval (half e) ts + weight (bits e) ts.
Proof.
  induction ts as [|[c s] ts IH]; [reflexivity|]. cbn [tval weight fold_right fst snd].
  fold (tval e ts) (tval (half e) ts) (weight (bits e) ts).
  rewrite IH, times_digit_right, (sval_half e s). ring.
Qed.

Definition agree (n : nat) (e e' : env) : Prop := forall i, (i < n)%nat -> e i = e' i.
Definition same (e e' : env) : Prop := forall i, e i = e' i.

Definition set (e : env) (i : nat) (x : N) : env := fun j => if Nat.eqb j i then x else e j.

Lemma set_same e i x : set e i x i = x.
Proof. unfold set. now rewrite Nat.eqb_refl. Qed.
Lemma set_other e i x j : j <> i -> set e i x j = e j.
Proof. intro H. unfold set. destruct (Nat.eqb_spec j i); [contradiction|reflexivity]. Qed.
Lemma agree_set n e i x : (n <= i)%nat -> agree n e (set e i x).
Proof. intros H j Hj. rewrite set_other; [reflexivity|lia]. Qed.
Lemma agree_refl n e : agree n e e.
Proof. intros i _. reflexivity. Qed.
Lemma agree_trans n m e e' e'' : (n <= m)%nat -> agree n e e' -> agree m e' e'' -> agree n e e''.
Proof. intros H A B i Hi. rewrite A by assumption. apply B. lia. Qed.
Lemma agree_le n m e e' : (n <= m)%nat -> agree m e e' -> agree n e e'.
Proof. intros H A i Hi. apply A. lia. Qed.
Lemma agree_sym n e e' : agree n e e' -> agree n e' e.
Proof. intros A i Hi. symmetry. now apply A. Qed.

(** Whether all variables are below [n]. *)
Definition bounded (n : nat) (f : form) : bool :=
  forallb (fun t => forallb (fun v => Nat.ltb v n) (variables_of (snd t))) (fst f).

Lemma xsum_cons e v vs : xsum e (v :: vs) = N.lxor (e v) (xsum e vs).
Proof. reflexivity. Qed.
Lemma tval_cons e c s ts : tval e ((c, s) :: ts) = c * Z.of_N (sval e s) + tval e ts.
Proof. reflexivity. Qed.

Lemma xsum_agree n e e' vs : agree n e e' -> forallb (fun v => Nat.ltb v n) vs = true ->
  xsum e vs = xsum e' vs.
Proof.
  intros A. induction vs as [|v vs IH]; [reflexivity|]. cbn [forallb]. rewrite andb_true_iff.
  intros [H1 H2].
  rewrite !xsum_cons, IH by assumption. apply Nat.ltb_lt in H1. now rewrite (A v H1).
Qed.

(** Only the values of its variables are asked for. *)
Lemma sval_ext e e' s : (forall v, In v (variables_of s) -> e v = e' v) -> sval e s = sval e' s.
Proof.
  destruct s as [vs|m vs]; cbn [variables_of sval]; intro H.
  - induction vs as [|v vs IH]; [reflexivity|].
    rewrite !xsum_cons, (H v (or_introl eq_refl)), IH by (intros w W; apply H; now right).
    reflexivity.
  - f_equal. now apply map_ext_in.
Qed.

Lemma sdigit_ext b c s : (forall v, In v (variables_of s) -> b v = c v) -> sdigit b s = sdigit c s.
Proof.
  destruct s as [vs|m vs]; cbn [variables_of sdigit]; intro H.
  - assert (E : xbit b vs = xbit c vs); [|now rewrite E].
    induction vs as [|v vs IH]; [reflexivity|]. unfold xbit in *. cbn [fold_right].
    rewrite IH by (intros; apply H; now right). now rewrite (H v (or_introl eq_refl)).
  - assert (E : count b vs = count c vs); [|now rewrite E].
    induction vs as [|v vs IH]; [reflexivity|]. unfold count in *. cbn [fold_right].
    rewrite IH by (intros; apply H; now right). now rewrite (H v (or_introl eq_refl)).
Qed.

Lemma tval_agree n e e' ts :
  agree n e e' -> forallb (fun t : Z * summand => forallb (fun v => Nat.ltb v n) (variables_of (snd
    t))) ts = true -> tval e ts = tval e' ts.
Proof.
  intros A. induction ts as [|[c s] ts IH]; [reflexivity|]. cbn [forallb snd].
  rewrite andb_true_iff. intros [H1 H2].
  rewrite !tval_cons, IH by assumption. rewrite (sval_ext e e' s); [reflexivity|]. intros v V.
  rewrite forallb_forall in H1. apply A, Nat.ltb_lt, H1, V.
Qed.

Lemma fval_agree n e e' f : agree n e e' -> bounded n f = true -> fval e f = fval e' f.
Proof. intros A B. unfold fval. now rewrite (tval_agree n e e' _ A B). Qed.

Lemma below_agree n e e' fs : agree n e e' -> forallb (bounded n) fs = true -> below e fs ->
  below e' fs.
Proof.
  intros A B H f Hf. rewrite forallb_forall in B. rewrite <- (fval_agree n e e' f A (B f Hf)).
  now apply H.
Qed.

Lemma below_app e fs gs : below e (fs ++ gs) <-> below e fs /\ below e gs.
Proof.
  unfold below. split.
  - intro H. split; intros f Hf; apply H, in_or_app; auto.
  - intros [H1 H2] f Hf. apply in_app_or in Hf as [?|?]; auto.
Qed.

Lemma below_cons e f fs : below e (f :: fs) <-> fval e f <= 0 /\ below e fs.
Proof.
  unfold below. split.
  - intro H. split; [apply H; now left|intros g Hg; apply H; now right].
  - intros [H1 H2] g [<-|Hg]; auto.
Qed.

(** Nim-sums in normal form: ascending, no variable twice. *)
Fixpoint xinsert (v : nat) (vs : list nat) : list nat :=
  match vs with
  | [] => [v]
  | w :: r => match Nat.compare v w with Lt => v :: vs | Eq => r | Gt => w :: xinsert v r end
  end.

Lemma xsum_xinsert e v vs : xsum e (xinsert v vs) = N.lxor (e v) (xsum e vs).
Proof.
  induction vs as [|w r IH]; [reflexivity|]. cbn [xinsert].
  destruct (Nat.compare_spec v w) as [->|_|_].
  - cbn [xsum fold_right]. fold (xsum e r).
    now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l.
  - reflexivity.
  - cbn [xsum fold_right]. fold (xsum e r) (xsum e (xinsert v r)). rewrite IH, <- !N.lxor_assoc.
    now rewrite (N.lxor_comm (e w)).
Qed.

Definition xjoin (vs ws : list nat) : list nat := fold_right xinsert ws vs.

Lemma xsum_xjoin e vs ws : xsum e (xjoin vs ws) = N.lxor (xsum e vs) (xsum e ws).
Proof.
  induction vs as [|v vs IH]; [symmetry; apply N.lxor_0_l|]. cbn [xjoin fold_right].
  fold (xjoin vs ws).
  rewrite xsum_xinsert, IH. cbn [xsum fold_right]. apply eq_sym, N.lxor_assoc.
Qed.

(** Sums of forms. *)
Fixpoint same_list (a b : list nat) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => Nat.eqb x y && same_list a' b'
  | _, _ => false
  end.

Lemma same_list_eq a b : same_list a b = true -> a = b.
Proof.
  revert b. induction a as [|x a IH]; intros [|y b]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff. intros [H1 H2]. apply Nat.eqb_eq in H1. f_equal; auto.
Qed.

Definition same_summand (s t : summand) : bool :=
  match s, t with
  | Nim_sum vs, Nim_sum ws => same_list vs ws
  | Sum_mod m vs, Sum_mod k ws => N.eqb m k && same_list vs ws
  | _, _ => false
  end.

Lemma same_summand_eq s t : same_summand s t = true -> s = t.
Proof.
  destruct s as [vs|m vs], t as [ws|k ws]; cbn; try discriminate; rewrite ?andb_true_iff.
  - intro H. f_equal. now apply same_list_eq.
  - intros [E H]. apply N.eqb_eq in E as ->. f_equal. now apply same_list_eq.
Qed.

Fixpoint add_term (c : Z) (s : summand) (ts : terms) : terms :=
  match ts with
  | [] => [(c, s)]
  | (d, t) :: r => if same_summand s t then (if (c + d =? 0) then r else (c + d, t) :: r) else (d,
    t) :: add_term c s r
  end.

Lemma tval_add_term e c s ts : tval e (add_term c s ts) = c * Z.of_N (sval e s) + tval e ts.
Proof.
  induction ts as [|[d t] r IH]; [reflexivity|]. cbn [add_term]. destruct (same_summand s t) eqn:E.
  - apply same_summand_eq in E as ->. destruct (Z.eqb_spec (c + d) 0);
      cbn [tval fold_right fst snd]; fold (tval e r); nia.
  - cbn [tval fold_right fst snd]. fold (tval e (add_term c s r)) (tval e r). rewrite IH. lia.
Qed.

(** The first form times a number, and the second. *)
Fixpoint add_terms (k : Z) (ts us : terms) : terms :=
  match ts with
  | [] => us
  | (c, vs) :: r => add_terms k r (if k * c =? 0 then us else add_term (k * c) vs us)
  end.

Definition add_times (k : Z) (f g : form) : form :=
  (add_terms k (fst f) (fst g), k * snd f + snd g).

Lemma tval_add_terms e k ts us : tval e (add_terms k ts us) = k * tval e ts + tval e us.
Proof.
  revert us. induction ts as [|[c vs] r IH]; intro us; cbn [add_terms];
    [change (tval e []) with 0; ring|].
  rewrite IH, tval_cons. destruct (Z.eqb_spec (k * c) 0) as [E|_]; [|rewrite tval_add_term; ring].
  rewrite Z.mul_add_distr_l, Z.mul_assoc, E. ring.
Qed.

Lemma fval_add_times e k f g : fval e (add_times k f g) = k * fval e f + fval e g.
Proof. unfold add_times, fval. cbn [fst snd]. rewrite tval_add_terms. ring. Qed.

Definition constant (k : Z) : form := ([], k).
Definition variable (v : nat) : form := ([(1, Nim_sum [v])], 0).
Definition minus (f g : form) : form := add_times (-1) g f.

Lemma fval_constant e k : fval e (constant k) = k.
Proof. reflexivity. Qed.
Lemma fval_variable e v : fval e (variable v) = Z.of_N (e v).
Proof. unfold fval, variable, tval, sval, xsum. cbn [fold_right fst snd]. rewrite N.lxor_0_r. lia.
Qed.
Lemma fval_minus e f g : fval e (minus f g) = fval e f - fval e g.
Proof. unfold minus. rewrite fval_add_times. lia. Qed.

(** Finitely many variables are below a power of two. *)
Lemma all_below (e : env) (vs : list nat) : exists m, forall i, In i vs -> (e i < 2 ^ N.of_nat m)%N.
Proof.
  induction vs as [|v vs [m IH]]; [exists O; intros i []|].
  exists (m + N.to_nat (N.size (e v)))%nat.
  intros i Hi. rewrite Nat2N.inj_add, N2Nat.id, N.pow_add_r.
  assert (P : forall k, (2 ^ k <> 0)%N) by (intro k; apply N.pow_nonzero; discriminate).
  pose proof (P (N.of_nat m)). pose proof (P (N.size (e v))). destruct Hi as [<-|Hi].
  - pose proof (N.size_gt (e v)). nia.
  - specialize (IH i Hi). nia.
Qed.

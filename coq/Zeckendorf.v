(** Games whose P-positions an automaton reads in the digits of Zeckendorf: digits 0 and 1 weigh 1,
    2, 3, 5, ..., the most significant comes first, and no two neighbours of a number are 1.

    The argument is that of Automatic.v. After one more digit a number is what a zero more would
    have made of it, and the digit; so of a linear form its value is known with what it is after
    a zero more. Other terms are first brought into linear forms, each with a condition. Rows of
    digits that are no number's are told apart by the last column read. *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Positions Forms Formulas Games Digits Automatic.
Import ListNotations.
Open Scope nat_scope.

Lemma two : (2 <= 2)%N. Proof. apply N.le_refl. Qed.

(** * Digits

    A row of digits is listed from the least significant on, and so are columns of digits of several
    heaps. *)

(** What digits are worth if the first weighs a, the second b, and each other as much as the two
    before it together. *)
Fixpoint worth (a b : N) (l : list N) : N :=
  match l with [] => 0 | d :: l => a * d + worth b (a + b) l end%N.

(** No two neighbours are 1. *)
Fixpoint separate (l : list N) : Prop :=
  match l with
  | d :: l => match l with d' :: _ => ~ (d = 1%N /\ d' = 1%N) | [] => True end /\ separate l
  | [] => True
  end.

(** The digits of heap i. *)
Definition track (i : nat) (t : list (list N)) : list N := map (heap i) t.

Definition read_heap (t : list (list N)) (i : nat) : N := worth 1 2 (track i t).
Definition read_heaps (n : nat) (t : list (list N)) : position := map (read_heap t) (seq 0 n).

(** Columns of n digits that are those of n heaps. *)
Definition are_columns (n : nat) (t : list (list N)) : Prop :=
  (forall c, In c t -> length c = n /\ forall d, In d c -> (d < 2)%N) /\
    forall i, separate (track i t).

(** ** Each number has one row of so many digits *)

Fixpoint weight (k : nat) (a b : N) : N := match k with O => a | S k => weight k b (a + b) end.

Lemma worth_sum l : forall a b x y, worth (a + x) (b + y) l = (worth a b l + worth x y l)%N.
Proof.
  induction l as [|d l IH]; intros a b x y; [reflexivity|]. cbn [worth].
  replace (a + x + (b + y))%N with (a + b + (x + y))%N by lia. rewrite IH. lia.
Qed.

Lemma worth_app l m : forall a b,
  worth a b (l ++ m) = (worth a b l + worth (weight (length l) a b) (weight (length l) b (a + b))
    m)%N.
Proof.
  induction l as [|d l IH]; intros a b; [reflexivity|]. cbn [app worth length weight]. rewrite IH.
  lia.
Qed.

Lemma weight_next k : forall a b, weight (S (S k)) a b = (weight k a b + weight (S k) a b)%N.
Proof. induction k as [|k IH]; intros a b; [reflexivity|]. exact (IH b (a + b)%N). Qed.

Lemma weight_positive k : (1 <= weight k 1 2 /\ weight k 1 2 <= weight (S k) 1 2)%N.
Proof.
  induction k as [|k [IH1 IH2]]; [cbn; lia|]. rewrite weight_next. lia.
Qed.

Lemma weight_grows k : (N.of_nat k < weight k 1 2)%N.
Proof.
  assert (G : forall k, (N.of_nat k < weight k 1 2 /\ N.of_nat (S k) < weight (S k) 1 2)%N).
  { clear k. induction k as [|k [IH1 IH2]]; [cbn; lia|]. split; [exact IH2|]. rewrite weight_next.
    pose proof (weight_positive k). lia. }
  exact (proj1 (G k)).
Qed.

Definition bits (l : list N) : Prop := forall d, In d l -> (d < 2)%N.

Lemma separate_bound l : bits l -> separate l -> forall a b, (a <= b)%N ->
  (worth a b l + (if N.eqb (hd 0%N l) 1 then b - a else a) <= weight (length l) a b)%N.
Proof.
  induction l as [|d l IH]; intros D S a b L; [cbn; lia|]. cbn [worth length weight hd].
  assert (Dd : (d < 2)%N) by (apply D; now left).
  specialize (IH (fun x X => D x (or_intror X)) (proj2 S) b (a + b)%N ltac:(lia)).
  destruct (N.eqb_spec d 1) as [->|N1].
  - assert (H : N.eqb (hd 0%N l) 1 = false).
    { destruct l as [|d' l]; [reflexivity|]. apply N.eqb_neq. cbn [hd]. destruct S as [S _].
      intros ->. now apply S. }
    rewrite H in IH. lia.
  - assert (d = 0%N) as -> by lia. destruct (N.eqb (hd 0%N l) 1); lia.
Qed.

Lemma separate_less l : bits l -> separate l -> (worth 1 2 l < weight (length l) 1 2)%N.
Proof.
  intros D S. pose proof (separate_bound l D S 1 2 ltac:(lia)).
  destruct (N.eqb (hd 0%N l) 1); lia.
Qed.

Lemma separate_app l m : separate (l ++ m) -> separate l.
Proof.
  induction l as [|d l IH]; [now intros _|]. cbn [app separate]. intros [S1 S2].
  split; [destruct l; [exact I|exact S1]|now apply IH].
Qed.

Lemma one_row l : forall m, length l = length m -> bits l -> bits m -> separate l -> separate m ->
  worth 1 2 l = worth 1 2 m -> l = m.
Proof.
  induction l as [|d l IH] using rev_ind; intros m L Dl Dm Sl Sm E.
  - now destruct m.
  - destruct (exists_last (l := m)) as (m' & d' & ->).
    { intros ->. rewrite app_length in L. cbn in L. lia. }
    rewrite !app_length in L. cbn [length] in L. assert (L' : length l = length m') by lia.
    rewrite !worth_app, L' in E. cbn [worth] in E.
    pose proof (separate_less l
      (fun x X => Dl x (in_or_app _ _ _ (or_introl X))) (separate_app _ _ Sl)) as Bl.
    pose proof (separate_less m'
      (fun x X => Dm x (in_or_app _ _ _ (or_introl X))) (separate_app _ _ Sm)) as Bm.
    rewrite L' in Bl. set (w := weight (length m') 1 2) in *.
    assert (Hd : (d < 2)%N) by (apply Dl, in_or_app; right; now left).
    assert (Hd' : (d' < 2)%N) by (apply Dm, in_or_app; right; now left).
    assert (d = d') as <- by (assert (d = 0 \/ d = 1)%N as [->| ->] by lia;
      assert (d' = 0 \/ d' = 1)%N as [->| ->] by lia; lia).
    f_equal. apply IH; try exact L'; try (now apply separate_app with [d]).
    + intros x X. apply Dl, in_or_app. now left.
    + intros x X. apply Dm, in_or_app. now left.
    + lia.
Qed.

(** The digits of a number that is less than the weight behind them. *)
Fixpoint row (k : nat) (v : N) : list N :=
  match k with
  | O => []
  | S k => if N.leb (weight k 1 2) v then row k (v - weight k 1 2) ++ [1%N] else row k v ++ [0%N]
  end.

Lemma row_length k : forall v, length (row k v) = k.
Proof.
  induction k as [|k IH]; intro v; [reflexivity|]. cbn [row].
  destruct (N.leb _ v); rewrite app_length, IH; cbn; lia.
Qed.

Lemma row_bits k : forall v, bits (row k v).
Proof.
  induction k as [|k IH]; intros v d I; [destruct I|]. cbn [row] in I.
  destruct (N.leb _ v); apply in_app_or in I as [I|[<-|[]]]; try exact (IH _ d I); lia.
Qed.

Lemma row_worth k : forall v, (v < weight k 1 2)%N -> worth 1 2 (row k v) = v.
Proof.
  induction k as [|k IH]; intros v H; [cbn in *; lia|]. cbn [row].
  destruct (N.leb_spec (weight k 1 2) v) as [L|L]; rewrite worth_app, row_length; cbn [worth].
  - rewrite IH; [lia|]. destruct k as [|k]; [cbn in *; lia|]. rewrite weight_next in H.
    pose proof (weight_positive k). lia.
  - rewrite IH by exact L. lia.
Qed.

Lemma separate_zero l : separate l -> separate (l ++ [0%N]).
Proof.
  induction l as [|d l IH]; cbn [app separate]; [intros _; split; exact I|]. intros [S1 S2].
  specialize (IH S2). split; [|exact IH].
  destruct l as [|d' l]; cbn [app]; [intros [_ X]; discriminate X|exact S1].
Qed.

Lemma separate_one l : separate (l ++ [0%N]) -> separate (l ++ [0; 1]%N).
Proof.
  induction l as [|d l IH]; cbn [app separate];
    [intros _; split; [intros [X _]; discriminate X|split; [exact I|exact I]]|]. intros [S1 S2].
    split; [|now apply IH]. destruct l; exact S1.
Qed.

Lemma row_separate k : forall v, (v < weight k 1 2)%N -> separate (row k v).
Proof.
  induction k as [|k IH]; intros v H; [exact I|]. cbn [row].
  destruct (N.leb_spec (weight k 1 2) v) as [L|L]; [|apply separate_zero; now apply IH].
  destruct k as [|k]; [cbn; auto|]. rewrite weight_next in H. pose proof (weight_positive k) as P.
  assert (X : (v - weight (S k) 1 2 < weight k 1 2)%N) by lia.
  specialize (IH (v - weight (S k) 1 2)%N ltac:(lia)). cbn [row] in IH |- *.
  replace (N.leb (weight k 1 2) (v - weight (S k) 1 2)) with false in * by (symmetry;
    apply N.leb_gt; exact X).
  rewrite <- app_assoc. apply separate_one. exact IH.
Qed.

Lemma row_zero k j : nth j (row k 0) 0%N = 0%N.
Proof.
  revert j. induction k as [|k IH]; intro j; [now destruct j|]. cbn [row].
  replace (N.leb (weight k 1 2) 0) with false by (symmetry; apply N.leb_gt;
    pose proof (weight_positive k); lia).
  destruct (Nat.lt_ge_cases j (length (row k 0))) as [J|J].
  - rewrite app_nth1 by exact J. apply IH.
  - rewrite app_nth2 by exact J. destruct (j - length (row k 0)) as [|[|x]]; reflexivity.
Qed.

(** ** Columns *)

Definition word (k : nat) (p : position) : list (list N) :=
  map (fun j => map (fun h => nth j (row k h) 0%N) p) (seq 0 k).

Definition below_weight (k : nat) (p : position) : Prop := forall h, In h p -> (h < weight k 1 2)%N.

Lemma below_tokens p k : (tokens p <= N.of_nat k)%N -> below_weight k p.
Proof.
  intros T h I. pose proof (tokens_bound 2 two p h I). pose proof (weight_grows k). lia.
Qed.

Lemma below_heap k p i : below_weight k p -> (heap i p < weight k 1 2)%N.
Proof.
  intro H. unfold heap. destruct (nth_in_or_default i p 0%N) as [I|E]; [now apply H|].
  rewrite E. pose proof (weight_positive k). lia.
Qed.

Lemma track_word k p i : track i (word k p) = row k (heap i p).
Proof.
  unfold track, word. rewrite map_map.
  apply (nth_ext _ _ 0%N 0%N); [now rewrite map_length, seq_length, row_length|].
  intros j J. rewrite map_length, seq_length in J.
  rewrite (nth_indep _ 0%N (heap i (map (fun h => nth 0 (row k h) 0%N) p)))
    by now rewrite map_length, seq_length.
  rewrite (map_nth (fun j => heap i (map (fun h => nth j (row k h) 0%N) p))), seq_nth by exact J.
  unfold heap at 1. exact (nth_mapped (fun h => nth (0 + j) (row k h) 0%N) i p (row_zero k _)).
Qed.

Lemma word_column k p c : In c (word k p) -> length c = length p /\ small 2 c.
Proof.
  intro I. apply in_map_iff in I as (j & <- & _). split; [apply map_length|].
  intros d D. apply in_map_iff in D as (h & <- & _).
  destruct (nth_in_or_default j (row k h) 0%N) as [X|X]; [now apply (row_bits k h)|rewrite X; lia].
Qed.

Lemma word_length k p : length (word k p) = k.
Proof. unfold word. now rewrite map_length, seq_length. Qed.

Lemma word_columns k p n : length p = n -> below_weight k p -> are_columns n (word k p).
Proof.
  intros L H. split; [intros c C; destruct (word_column k p c C); split; [congruence|assumption]|].
  intro i. rewrite track_word. apply row_separate. now apply below_heap.
Qed.

Lemma word_value k p i : below_weight k p -> read_heap (word k p) i = heap i p.
Proof. intro H. unfold read_heap. rewrite track_word. apply row_worth. now apply below_heap. Qed.

Lemma read_word k p n : length p = n -> below_weight k p -> read_heaps n (word k p) = p.
Proof.
  intros L H. unfold read_heaps.
  rewrite (map_ext _ (fun i => heap i p)) by (intro; now apply word_value).
  exact (heaps_all n p L).
Qed.

Lemma track_bits n t i : (forall c, In c t -> length c = n /\ small 2 c) -> bits (track i t).
Proof.
  intros T d D. apply in_map_iff in D as (c & <- & C). apply (small_heap 2 two). now apply (T c).
Qed.

(** Columns are known by their number. *)
Lemma same_columns n t : forall u,
  (forall c, In c t -> length c = n) -> (forall c, In c u -> length c = n) ->
  (forall i, i < n -> track i t = track i u) -> length t = length u -> t = u.
Proof.
  induction t as [|c t IH]; intros [|d u] T U E L; try discriminate; [reflexivity|]. f_equal.
  - apply (nth_ext c d 0%N 0%N); [rewrite (T c), (U d); auto; now left|]. intros i I.
    rewrite (T c) in I by now left. specialize (E i I). cbn [track map] in E. now injection E.
  - apply IH; [intros x X; apply T; now right|intros x X; apply U; now right| |now injection L].
    intros i I. specialize (E i I). cbn [track map] in E. now injection E.
Qed.

Lemma columns_unique n t u : are_columns n t -> are_columns n u -> length t = length u ->
  (forall i, i < n -> read_heap t i = read_heap u i) -> t = u.
Proof.
  intros [T St] [U Su] L E. apply (same_columns n); try exact L.
  - intros c C. now apply T.
  - intros c C. now apply U.
  - intros i I. apply one_row; auto; try (now apply (track_bits n)).
    + unfold track. now rewrite !map_length.
    + exact (E i I).
Qed.

(** ** The last column, which tells rows that are no number's *)

Definition last_column (t : list (list N)) : N := match t with [] => 0%N | c :: _ => column 2 c end.
Definition apart (t : list (list N)) : Prop := forall i, separate (track i t).
Definition fits (last : N) (c : list N) : bool := N.eqb (N.land last (column 2 c)) 0.

Lemma column_bit c : small 2 c ->
  forall i, N.testbit (column 2 c) (N.of_nat i) = N.eqb (heap i c) 1.
Proof.
  induction c as [|d c IH]; intros S i; [cbn; now destruct i|].
  assert (D : (d < 2)%N) by (apply S; now left). specialize (IH (fun x X => S x (or_intror X))).
  cbn [column fold_right]. change (fold_right _ 0%N c) with (column 2 c).
  assert (d = 0 \/ d = 1)%N as [->| ->] by lia.
  - rewrite N.add_0_l. destruct i as [|i]; [apply N.testbit_even_0|].
    rewrite Nat2N.inj_succ, N.testbit_even_succ by lia. apply IH.
  - rewrite N.add_comm. destruct i as [|i]; [apply N.testbit_odd_0|].
    rewrite Nat2N.inj_succ, N.testbit_odd_succ by lia. apply IH.
Qed.

Lemma fits_right c d : small 2 c -> small 2 d ->
  (fits (column 2 d) c = true <-> forall i, ~ (heap i c = 1%N /\ heap i d = 1%N)).
Proof.
  intros C D. unfold fits. rewrite N.eqb_eq. split.
  - intros E i [H1 H2].
    assert (X : N.testbit (N.land (column 2 d) (column 2 c)) (N.of_nat i) = false).
    { rewrite E. apply N.bits_0. }
    rewrite N.land_spec, !column_bit, H1, H2 in X by assumption. discriminate X.
  - intro H. apply N.bits_inj. intro j. rewrite N.bits_0, N.land_spec.
    rewrite <- (N2Nat.id j). rewrite !column_bit by assumption. specialize (H (N.to_nat j)).
    destruct (N.eqb_spec (heap (N.to_nat j) d) 1); [|reflexivity].
    destruct (N.eqb_spec (heap (N.to_nat j) c) 1); [|reflexivity]. exfalso. now apply H.
Qed.

Lemma apart_step c t : small 2 c -> (forall c, In c t -> small 2 c) ->
  (apart (c :: t) <-> fits (last_column t) c = true /\ apart t).
Proof.
  intros C T. destruct t as [|d t].
  - split; [intros _; split; [reflexivity|intro i; exact I]|intros _ i; split; exact I].
  - cbn [last_column]. rewrite (fits_right c d C) by (apply T; now left). unfold apart.
    cbn [track map separate]. split.
    + intro H. split; [intro i; exact (proj1 (H i))|intro i; exact (proj2 (H i))].
    + intros [H1 H2] i. split; [apply H1|exact (H2 i)].
Qed.

(** * Formulas as conditions on linear forms *)

(** Coefficients with their variables. *)
Definition linear := list (Z * nat).
Definition linear_value (l : linear) (e : env) : Z :=
  fold_right (fun x s => fst x * Z.of_N (e (snd x)) + s)%Z 0%Z l.
Definition scaled (k : Z) (l : linear) : linear := map (fun x => (k * fst x, snd x)%Z) l.
Definition differing (l m : linear) : linear := l ++ scaled (-1) m.

Lemma value_app l m e : linear_value (l ++ m) e = (linear_value l e + linear_value m e)%Z.
Proof. induction l as [|x l IH]; cbn [app linear_value fold_right]; [reflexivity|].
  fold (linear_value (l ++ m) e) (linear_value l e). lia. Qed.

Lemma value_scaled k l e : linear_value (scaled k l) e = (k * linear_value l e)%Z.
Proof. induction l as [|x l IH]; cbn [scaled map linear_value fold_right fst snd]; [lia|].
  fold (scaled k l) (linear_value (scaled k l) e) (linear_value l e). rewrite IH. ring. Qed.

Lemma value_differing l m e : linear_value (differing l m) e = (linear_value l e - linear_value m
  e)%Z.
Proof. unfold differing. rewrite value_app, value_scaled. lia. Qed.

Lemma value_same l e e' : same e e' -> linear_value l e = linear_value l e'.
Proof. intro S. induction l as [|x l IH]; cbn [linear_value fold_right]; [reflexivity|].
  fold (linear_value l e) (linear_value l e'). now rewrite IH, (S (snd x)). Qed.

Inductive condition :=
| Said (t : bool)
| At_most_0 (l : linear) (k : Z)
| Divides (l : linear) (k : Z) (m : positive)
| Otherwise (f : condition)
| Each (f g : condition)
| Either (f g : condition)
| For_a_number (i : nat) (f : condition).

Fixpoint meets (f : condition) (e : env) : Prop :=
  match f with
  | Said t => t = true
  | At_most_0 l k => (linear_value l e + k <= 0)%Z
  | Divides l k m => ((linear_value l e + k) mod Zpos m = 0)%Z
  | Otherwise f => ~ meets f e
  | Each f g => meets f e /\ meets g e
  | Either f g => meets f e \/ meets g e
  | For_a_number i f => exists x, meets f (set e i x)
  end.

Lemma meets_same f : forall e e', same e e' -> (meets f e <-> meets f e').
Proof.
  induction f as [t|l k|l k m|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros e e' S; cbn [meets].
  - apply iff_refl.
  - now rewrite (value_same l e e' S).
  - now rewrite (value_same l e e' S).
  - now rewrite (IHf e e' S).
  - now rewrite (IHf e e' S), (IHg e e' S).
  - now rewrite (IHf e e' S), (IHg e e' S).
  - split; intros [x H]; exists x; (eapply IHf; [|exact H]); apply set_both; [intro; symmetry;
    apply S|exact S].
Qed.

Definition each (f g : condition) : condition :=
  match f, g with Said true, g => g | f, Said true => f | f, g => Each f g end.

Lemma each_meets f g e : meets (each f g) e <-> meets f e /\ meets g e.
Proof. destruct f as [[]| | | | | |], g as [[]| | | | | |]; cbn [each meets]; intuition congruence.
Qed.

Fixpoint one_of (l : list condition) : condition :=
  match l with [] => Said false | [f] => f | f :: l => Either f (one_of l) end.

Lemma one_of_meets l e : meets (one_of l) e <-> exists f, In f l /\ meets f e.
Proof.
  induction l as [|f l IH]; [split; [discriminate|intros (f & [] & _)]|]. destruct l as [|g l].
  - split; [intro H; exists f; split; [now left|exact H]|intros (h & [<-|[]] & H); exact H].
  - change (one_of (f :: g :: l)) with (Either f (one_of (g :: l))). cbn [meets]. rewrite IH. split.
    + intros [H|(h & I & H)]; [exists f|exists h]; split; auto; [now left|now right].
    + intros (h & [<-|I] & H); [now left|right; now exists h].
Qed.

(** ** Terms: linear forms, each under a condition *)

Definition case := (condition * (linear * Z))%type.
Definition case_value (c : case) (e : env) : Z := (linear_value (fst (snd c)) e + snd (snd c))%Z.
Definition less_or_equal (c d : case) (more : Z) : condition :=
  At_most_0 (differing (fst (snd c)) (fst (snd d))) (snd (snd c) - snd (snd d) + more).

Lemma less_or_equal_meets c d k e : meets (less_or_equal c d k) e <->
  (case_value c e + k <= case_value d e)%Z.
Proof. unfold less_or_equal, case_value. cbn [meets]. rewrite value_differing. lia. Qed.

(** Of two terms the one that comes first in an order. *)
Definition chosen (first : case -> case -> condition) (a b : list case) : list case :=
  flat_map (fun x => let both := each (fst (fst x)) (fst (snd x)) in
    [(each both (first (fst x) (snd x)), snd (fst x));
     (each both (first (snd x) (fst x)), snd (snd x))]) (list_prod a b).

Fixpoint term_cases (t : term) : list case :=
  match t with
  | Number k => [(Said true, ([], Z.of_N k))]
  | Heap i => [(Said true, ([(1%Z, i)], 0%Z))]
  | Plus a b =>
    map (fun x => let '((f, (l, k)), (g, (m, j))) := x in (each f g, (l ++ m, (k + j)%Z)))
      (list_prod (term_cases a) (term_cases b))
  | Times j a => map (fun x => let '(f, (l, k)) :=
    x in (f, (scaled (Z.of_N j) l, (Z.of_N j * k)%Z))) (term_cases a)
  | Least a b => chosen (fun c d => less_or_equal c d 0) (term_cases a) (term_cases b)
  | Greatest a b => chosen (fun c d => less_or_equal d c 0) (term_cases a) (term_cases b)
  | Remainder a (Npos m) =>
    flat_map (fun x => let '(f, (l, k)) := x in
      map (fun r => (each f (Divides l (k - Z.of_nat r) m), ([],
        Z.of_nat r))) (seq 0 (Pos.to_nat m))) (term_cases a)
  | Remainder _ N0 | Quotient _ _ | Xor _ _ | Digit_sum _ _ => []
  end.

(** Without quotients, nim-sums and sums of digits. *)
Fixpoint term_linear (t : term) : bool :=
  match t with
  | Number _ | Heap _ => true
  | Plus a b | Least a b | Greatest a b => term_linear a && term_linear b
  | Times _ a => term_linear a
  | Remainder a m => negb (N.eqb m 0) && N.leb m 64 && term_linear a
  | Quotient _ _ | Xor _ _ | Digit_sum _ _ => false
  end.

(** One of the cases applies, and each that does has the value. *)
Definition cases_have (cases : list case) (e : env) (v : Z) : Prop :=
  (exists c, In c cases /\ meets (fst c) e) /\
  (forall c, In c cases -> meets (fst c) e -> case_value c e = v).

Lemma chosen_right first pick a b e v w :
  (forall c d, meets (first c d) e \/ meets (first d c) e) ->
  (forall c d, meets (first c d) e ->
    pick (case_value c e) (case_value d e) = case_value c e /\
    pick (case_value d e) (case_value c e) = case_value c e) ->
  cases_have a e v -> cases_have b e w -> cases_have (chosen first a b) e (pick v w).
Proof.
  intros Total Picked [(c & C & M) Va] [(d & D & M') Vb]. split.
  - destruct (Total c d) as [L|L]; eexists; split;
      try (apply in_flat_map; exists (c, d); split; [now apply in_prod|]; cbn [fst snd]).
    + now left.
    + apply each_meets. split; [now apply each_meets|exact L].
    + right. now left.
    + apply each_meets. split; [now apply each_meets|exact L].
  - intros x X Mx. apply in_flat_map in X as ((c' & d') & X & Y).
    apply in_prod_iff in X as [X1 X2]. cbn [fst snd] in Y.
    destruct Y as [<-|[<-|[]]]; cbn [fst] in Mx; apply each_meets in Mx as [Mf Ml];
      apply each_meets in Mf as [Mf Mg]; destruct (Picked _ _ Ml) as [P Q];
      specialize (Va _ X1 Mf); specialize (Vb _ X2 Mg); unfold case_value in *;
      cbn [fst snd] in *; congruence.
Qed.

Lemma term_cases_right t e : term_linear t = true ->
  (exists c, In c (term_cases t) /\ meets (fst c) e) /\
  (forall c, In c (term_cases t) -> meets (fst c) e -> case_value c e = Z.of_N (tden t e)).
Proof.
  induction t as [k|i|a IHa b IHb|j a IHa|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa k|a IHa k|m is];
    cbn [term_linear term_cases tden]; intro Q; try discriminate.
  - split; [eexists; split; [now left|reflexivity]|]. intros c [<-|[]] _. reflexivity.
  - split; [eexists; split; [now left|reflexivity]|]. intros c [<-|[]] _.
    unfold case_value. cbn [snd fst linear_value fold_right]. lia.
  - apply andb_true_iff in Q as [Qa Qb]. destruct (IHa Qa) as [(c & C & M) Va].
    destruct (IHb Qb) as [(d & D & M') Vb].
    split.
    + exists (each (fst c) (fst d), (fst (snd c) ++ fst (snd d), (snd (snd c) + snd (snd d))%Z)).
      split.
      * apply in_map_iff. exists (c, d). split; [destruct c as (? & ? & ?), d as (? & ? & ?);
        reflexivity|now apply in_prod].
      * apply each_meets. now split.
    + intros x X Mx. apply in_map_iff in X as (((f & l & k) & (g & m & j)) & <- & X).
      apply in_prod_iff in X as [X Y].
      cbn [fst] in Mx. apply each_meets in Mx as [Mf Mg]. specialize (Va _ X Mf).
      specialize (Vb _ Y Mg).
      unfold case_value in *. cbn [fst snd] in *. rewrite value_app. lia.
  - destruct (IHa Q) as [(c & C & M) Va]. split.
    + exists (fst c, (scaled (Z.of_N j) (fst (snd c)), (Z.of_N j * snd (snd c))%Z)).
      split; [|exact M].
      apply in_map_iff. exists c. split; [destruct c as (? & ? & ?); reflexivity|exact C].
    + intros x X Mx. apply in_map_iff in X as ((f & l & k) & <- & X). specialize (Va _ X Mx).
      unfold case_value in *. cbn [fst snd] in *. rewrite value_scaled, N2Z.inj_mul, <- Va. ring.
  - apply andb_true_iff in Q as [Qa Qb]. rewrite N2Z.inj_min.
    apply (chosen_right _ Z.min); [| |exact (IHa Qa)|exact (IHb Qb)]; intros c d;
      rewrite !less_or_equal_meets; lia.
  - apply andb_true_iff in Q as [Qa Qb]. rewrite N2Z.inj_max.
    apply (chosen_right _ Z.max); [| |exact (IHa Qa)|exact (IHb Qb)]; intros c d;
      rewrite !less_or_equal_meets; lia.
  - destruct k as [|m]; [discriminate|]. apply andb_true_iff in Q as [_ Q].
    destruct (IHa Q) as [(c & C & M) Va]. pose proof (Va _ C M) as Vc.
    assert (P : (0 < Z.pos m)%Z) by lia. split.
    + pose proof (Z.mod_pos_bound (case_value c e) (Z.pos m) P) as B.
      set (r := Z.to_nat (case_value c e mod Z.pos m)).
      assert (R : Z.of_nat r = (case_value c e mod Z.pos m)%Z) by (subst r; lia).
      exists (each (fst c) (Divides (fst (snd c)) (snd (snd c) - Z.of_nat r) m), ([], Z.of_nat r)).
      split.
      * apply in_flat_map. exists c. split; [exact C|]. destruct c as (f & l & k). cbn [fst snd].
        apply (in_map (fun r => (each f (Divides l (k - Z.of_nat r) m), ([], Z.of_nat r)))).
        apply in_seq. lia.
      * apply each_meets. split; [exact M|]. cbn [meets].
        replace (linear_value (fst (snd c)) e + (snd (snd c) - Z.of_nat r))%Z
          with (case_value c e - Z.of_nat r)%Z by (unfold case_value; lia).
        rewrite R, (Z.mod_eq (case_value c e)) by lia.
        replace (case_value c e - (case_value c e - Z.pos m * (case_value c e / Z.pos m)))%Z
          with ((case_value c e / Z.pos m) * Z.pos m)%Z by ring.
        apply Z.mod_mul. lia.
    + intros x X Mx. apply in_flat_map in X as ((f & l & k) & X & Y).
      apply in_map_iff in Y as (r & <- & Y).
      apply in_seq in Y. cbn [fst] in Mx. apply each_meets in Mx as [Mf Md]. specialize (Va _ X Mf).
      cbn [meets] in Md. unfold case_value in *. cbn [fst snd linear_value fold_right] in *.
      rewrite N2Z.inj_mod, <- Va. cbn [Z.of_N]. rewrite Z.add_0_l.
      replace (linear_value l e + (k - Z.of_nat r))%Z with (linear_value l e + k - Z.of_nat r)%Z in
        Md by lia.
      apply Z.mod_divide in Md as [q Md]; [|lia].
      apply (Z.mod_unique _ _ q); [left; lia|]. fold (linear_value l e). lia.
Qed.

(** ** Formulas *)

Definition compared (a b : term) (f : case -> case -> condition) : condition :=
  one_of (map (fun x => each (each (fst (fst x)) (fst (snd x))) (f (fst x) (snd x)))
    (list_prod (term_cases a) (term_cases b))).

Lemma compared_meets a b f (R : Z -> Z -> Prop) e :
  term_linear a && term_linear b = true ->
  (forall c d, meets (f c d) e <-> R (case_value c e) (case_value d e)) ->
  (meets (compared a b f) e <-> R (Z.of_N (tden a e)) (Z.of_N (tden b e))).
Proof.
  intros Q F. apply andb_true_iff in Q as [Qa Qb].
  destruct (term_cases_right a e Qa) as [(c & C & M) Va].
  destruct (term_cases_right b e Qb) as [(d & D & M') Vb].
  unfold compared. rewrite one_of_meets. split.
  - intros (g & G & H). apply in_map_iff in G as ((c' & d') & <- & X).
    apply in_prod_iff in X as [X Y].
    cbn [fst snd] in H. apply each_meets in H as [Mb H]. apply each_meets in Mb as [Mc Md].
    rewrite <- (Va _ X Mc), <- (Vb _ Y Md). now apply F.
  - intro H. eexists. split.
    + apply in_map_iff. exists (c, d). split; [reflexivity|now apply in_prod].
    + cbn [fst snd]. apply each_meets. split; [now apply each_meets|]. apply F.
      now rewrite (Va _ C M), (Vb _ D M').
Qed.

Fixpoint condition_of (f : formula) : condition :=
  match f with
  | Known t => Said t
  | Equal a b => compared a b (fun c d => Each (less_or_equal c d 0) (less_or_equal d c 0))
  | AtMost a b => compared a b (fun c d => less_or_equal c d 0)
  | Less a b => compared a b (fun c d => less_or_equal c d 1)
  | Not f => Otherwise (condition_of f)
  | And f g => each (condition_of f) (condition_of g)
  | Or f g => Either (condition_of f) (condition_of g)
  | Exists i f => For_a_number i (condition_of f)
  end.

Fixpoint formula_linear (f : formula) : bool :=
  match f with
  | Known _ => true
  | Equal a b | AtMost a b | Less a b => term_linear a && term_linear b
  | Not f | Exists _ f => formula_linear f
  | And f g | Or f g => formula_linear f && formula_linear g
  end.

Lemma condition_of_right f : formula_linear f = true -> forall e, meets (condition_of f) e <->
  fden f e.
Proof.
  induction f as [t|a b|a b|a b|f IHf|f IHf g IHg|f IHf g IHg|i f IHf];
    cbn [formula_linear condition_of fden]; intros Q e.
  - cbn [meets]. destruct t; intuition discriminate.
  - rewrite (compared_meets a b _ (fun x y => x = y) e Q); [cbv beta; lia|].
    intros c d. cbn [meets]. fold (meets (less_or_equal c d 0) e). rewrite !less_or_equal_meets.
    lia.
  - rewrite (compared_meets a b _ (fun x y => x <= y)%Z e Q); [cbv beta; lia|]. intros c d.
    rewrite less_or_equal_meets. lia.
  - rewrite (compared_meets a b _ (fun x y => x < y)%Z e Q); [cbv beta; lia|]. intros c d.
    rewrite less_or_equal_meets. lia.
  - cbn [meets]. now rewrite IHf.
  - apply andb_true_iff in Q as [Qf Qg]. rewrite each_meets, IHf, IHg by assumption. apply iff_refl.
  - apply andb_true_iff in Q as [Qf Qg]. cbn [meets]. rewrite IHf, IHg by assumption.
    apply iff_refl.
  - cbn [meets]. split; intros [x H]; exists x; now apply IHf.
Qed.

(** * Conditions read by digits *)

(** Of each variable its value, and what it is after a zero more. *)
Definition values := (env * env)%type.

(** After one more digit of each. *)
Definition more (s : values) (c : env) : values :=
  ((fun i => snd s i + c i)%N, (fun i => fst s i + snd s i + 2 * c i)%N).

Definition same_values (s s' : values) : Prop := same (fst s) (fst s') /\ same (snd s) (snd s').

Lemma more_same s s' c : same_values s s' -> same_values (more s c) (more s' c).
Proof. intros [A B]. split; intro i; cbn [more fst snd]; now rewrite ?(A i), (B i). Qed.

Lemma value_more l s c :
  linear_value l (fst (more s c)) = (linear_value l (snd s) + linear_value l c)%Z /\
  linear_value l (snd (more s c)) = (linear_value l (fst s) + linear_value l (snd s) + 2 *
    linear_value l c)%Z.
Proof.
  induction l as [|x l [IH1 IH2]]; [split; reflexivity|]. cbn [linear_value fold_right].
  fold (linear_value l (fst (more s c))) (linear_value l (snd (more s c))) (linear_value l (fst s))
    (linear_value l (snd s)) (linear_value l c).
  rewrite IH1, IH2. cbn [more fst snd]. rewrite !N2Z.inj_add, N2Z.inj_mul. split; ring.
Qed.

(** Decided, whatever digits follow. *)
Definition after_all (cs : list env) (s : values) : values := fold_left more cs s.
Definition forever (t : bool) (f : condition) (s : values) : Prop :=
  forall cs, (forall c, In c cs -> are_digits 2 c) -> (meets f (fst (after_all cs s)) <-> t = true).

Lemma forever_now t f s : forever t f s -> (meets f (fst s) <-> t = true).
Proof. intro H. apply (H []). intros c []. Qed.

Lemma forever_more t f s c : are_digits 2 c -> forever t f s -> forever t f (more s c).
Proof. intros C H cs D. apply (H (c :: cs)). intros d [<-|I]; [exact C|now apply D]. Qed.

Lemma after_all_same cs : forall s s', same_values s s' ->
  same_values (after_all cs s) (after_all cs s').
Proof. induction cs as [|c cs IH]; intros s s' S; [exact S|]. apply IH. now apply more_same. Qed.

Lemma forever_same t f s s' : same_values s s' -> forever t f s -> forever t f s'.
Proof.
  intros S H cs C. rewrite <- (H cs C). apply meets_same. intro i. symmetry.
  exact (proj1 (after_all_same cs s s' S) i).
Qed.

(** Beyond limits, before and after a zero more, a form keeps its sign: digits add at most
    [rise] to it, and take at most [fall] from it. *)
Definition rise (l : linear) : Z := fold_right (fun x s => Z.max 0 (fst x) + s)%Z 0%Z l.
Definition fall (l : linear) : Z := fold_right (fun x s => Z.max 0 (- fst x) + s)%Z 0%Z l.

Lemma digits_bound l c : are_digits 2 c -> (- fall l <= linear_value l c <= rise l)%Z /\
  (0 <= fall l)%Z /\ (0 <= rise l)%Z.
Proof.
  intro C. induction l as [|x l IH]; cbn [linear_value rise fall fold_right]; [lia|].
  fold (linear_value l c) (rise l) (fall l). specialize (C (snd x)).
  assert (c (snd x) = 0 \/ c (snd x) = 1)%N as [->| ->] by lia; lia.
Qed.

Definition is_above (l : linear) (k x y : Z) : bool :=
  let least := Z.max (2 * fall l) (1 - k) in (least <=? x)%Z && (least + fall l <=? y)%Z.
Definition is_below (l : linear) (k x y : Z) : bool :=
  let most := Z.max (2 * rise l) k in (x <=? - most)%Z && (y <=? - (most + rise l))%Z.

Lemma beyond l k : forall s,
  (is_above l k (linear_value l (fst s)) (linear_value l (snd s)) = true ->
    forever false (At_most_0 l k) s) /\
  (is_below l k (linear_value l (fst s)) (linear_value l (snd s)) = true ->
    forever true (At_most_0 l k) s).
Proof.
  intro s. unfold is_above, is_below. cbn zeta. rewrite !andb_true_iff, !Z.leb_le.
  split; intros H cs; revert s H.
  - induction cs as [|c cs IH]; intros s H C.
    + cbn [after_all fold_left meets]. split; [lia|discriminate].
    + apply (IH (more s c)); [|intros d D; apply C; now right].
      destruct (value_more l s c) as [-> ->].
      pose proof (digits_bound l c (C c (or_introl eq_refl))). lia.
  - induction cs as [|c cs IH]; intros s H C.
    + cbn [after_all fold_left meets]. split; [reflexivity|lia].
    + apply (IH (more s c)); [|intros d D; apply C; now right].
      destruct (value_more l s c) as [-> ->].
      pose proof (digits_bound l c (C c (or_introl eq_refl))). lia.
Qed.

(** ** What is kept *)

Fixpoint decided (f : condition) (m : memory) : option bool :=
  match f, m with
  | Otherwise f, m => option_map negb (decided f m)
  | _, Kept z => Some (Z.eqb z 1)
  | _, _ => None
  end.

Definition settle (f : condition) (m : memory) : memory :=
  match f, m with
  | At_most_0 l k, Both (Kept x) (Kept y) =>
    if is_above l k x y then verdict false else if is_below l k x y then verdict true else m
  | Each f g, Both mf mg =>
    match decided f mf, decided g mg with
    | Some false, _ | _, Some false => verdict false
    | Some true, Some true => verdict true
    | _, _ => m
    end
  | Either f g, Both mf mg =>
    match decided f mf, decided g mg with
    | Some true, _ | _, Some true => verdict true
    | Some false, Some false => verdict false
    | _, _ => m
    end
  | _, m => m
  end.

(** Both digits of a bound variable at once. *)
Definition both_ways (step : memory -> env -> memory) (i : nat) (m : memory) (c : env) :
  list memory :=
  flat_map (fun x => [step x (set c i 0%N); step x (set c i 1%N)]) (members m).

Fixpoint reads (f : condition) (m : memory) (c : env) : memory :=
  match f with
  | Otherwise f => reads f m c
  | _ =>
    match m with
    | Kept _ => m
    | _ =>
      settle f
        match f with
        | Said t => verdict t
        | At_most_0 l _ =>
          match m with
          | Both (Kept x) (Kept y) =>
            let w := linear_value l c in Both (Kept (y + w)) (Kept (x + y + 2 * w))
          | _ => Nothing
          end
        | Divides l _ k =>
          match m with
          | Both (Kept x) (Kept y) =>
            let w := linear_value l c in
            Both (Kept ((y + w) mod Zpos k)) (Kept ((x + y + 2 * w) mod Zpos k))
          | _ => Nothing
          end
        | Otherwise _ => m
        | Each f g | Either f g =>
          match m with Both mf mg => Both (reads f mf c) (reads g mg c) | _ => Nothing end
        | For_a_number i f => all_of (both_ways (reads f) i m c) Nothing
        end
    end
  end%Z.

(** A bound number may have more digits than the others. *)
Definition longer (f : condition) (i : nat) (m : memory) : memory :=
  all_of (both_ways (reads f) i m zero) m.

Fixpoint begins (f : condition) : memory :=
  match f with
  | Said t => verdict t
  | At_most_0 _ _ | Divides _ _ _ => Both (Kept 0) (Kept 0)
  | Otherwise f => begins f
  | Each g h | Either g h => settle f (Both (begins g) (begins h))
  | For_a_number i f => Nat.iter 256 (longer f i) (insert (begins f) Nothing)
  end.

Fixpoint tells (f : condition) (m : memory) : bool :=
  match f, m with
  | Otherwise f, m => negb (tells f m)
  | _, Kept z => Z.eqb z 1
  | At_most_0 _ k, Both (Kept x) _ => Z.leb (x + k) 0
  | Divides _ k j, Both (Kept x) _ => Z.eqb ((x + k) mod Zpos j) 0
  | Each f g, Both mf mg => tells f mf && tells g mg
  | Either f g, Both mf mg => tells f mf || tells g mg
  | For_a_number _ f, m => existsb (tells f) (members m)
  | _, _ => false
  end.

Fixpoint readable (f : condition) : bool :=
  match f with
  | Said _ | At_most_0 _ _ | Divides _ _ _ => true
  | Otherwise f => readable f
  | Each f g | Either f g => readable f && readable g
  | For_a_number i f =>
    let m := begins (For_a_number i f) in
    readable f &&
      forallb (fun x => existsb (same_memory x) (members m)) (both_ways (reads f) i m zero)
  end.

(** A bound variable with these digits. *)
Definition with_number (s : values) (i : nat) (l : list N) : values :=
  (set (fst s) i (worth 1 2 l), set (snd s) i (worth 2 3 l)).

Lemma with_same s s' i l : same_values s s' -> same_values (with_number s i l) (with_number s' i l).
Proof. intros [A B]. split; now apply set_both. Qed.

Lemma with_digit s i l c d : same_values (more (with_number s i l) (set c i d)) (with_number (more
  s c) i (d :: l)).
Proof.
  pose proof (worth_sum l 1 2 2 3) as W. change (1 + 2)%N with 3%N in W.
  change (2 + 3)%N with 5%N in W.
  split; intro j; cbn [with_number more fst snd]; unfold set; destruct (Nat.eqb j i);
    try reflexivity;
    cbn [worth]; change (1 + 2)%N with 3%N; change (2 + 3)%N with 5%N; lia.
Qed.

Lemma with_none s i c : same_values (more (with_number s i []) (set c i 0%N)) (with_number (more s
  c) i []).
Proof. split; intro j; cbn [with_number more fst snd]; unfold set; now destruct (Nat.eqb j i). Qed.

(** The memory is right, once the variables have these values. *)
Fixpoint right (f : condition) (m : memory) (s : values) : Prop :=
  match f with
  | Otherwise f => right f m s
  | _ => (exists t, m = verdict t /\ forever t f s) \/
    match f with
    | Said _ | Otherwise _ => False
    | At_most_0 l _ => m = Both (Kept (linear_value l (fst s))) (Kept (linear_value l (snd s)))
    | Divides l _ k =>
      m = Both (Kept (linear_value l (fst s) mod Zpos k)) (Kept (linear_value l (snd s) mod Zpos k))
    | Each f g | Either f g => exists mf mg, m = Both mf mg /\ right f mf s /\ right g mg s
    | For_a_number i f =>
      (forall z, m <> Kept z) /\
      (forall l, bits l -> exists x, In x (members m) /\ right f x (with_number s i l)) /\
      (forall x, In x (members m) -> exists l, bits l /\ right f x (with_number s i l))
    end
  end.

Lemma right_same f : forall m s s', same_values s s' -> right f m s -> right f m s'.
Proof.
  induction f as [t|l k|l k j|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m s s' S; cbn [right];
    try (intros [(u & E & R)|R]; [left; exists u; split;
      [exact E|now apply (forever_same u _ s s' S)]|right]).
  - exact R.
  - now rewrite <- (value_same l _ _ (proj1 S)), <- (value_same l _ _ (proj2 S)).
  - now rewrite <- (value_same l _ _ (proj1 S)), <- (value_same l _ _ (proj2 S)).
  - now apply IHf.
  - destruct R as (mf & mg & E & F & G). exists mf, mg. eauto.
  - destruct R as (mf & mg & E & F & G). exists mf, mg. eauto.
  - destruct R as (N & H1 & H2). split; [exact N|]. split.
    + intros l L. destruct (H1 l L) as (x & X & R). exists x. split; [exact X|].
      apply (IHf x (with_number s i l)); [now apply with_same|exact R].
    + intros x X. destruct (H2 x X) as (l & L & R). exists l. split; [exact L|].
      apply (IHf x (with_number s i l)); [now apply with_same|exact R].
Qed.

Lemma verdict_true t : Z.eqb (if t : bool then 1 else 0) 1 = t.
Proof. now destruct t. Qed.

Lemma decided_forever f : forall m t s, decided f m = Some t -> right f m s -> forever t f s.
Proof.
  induction f as [u|l k|l k j|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m t s K R;
    cbn [decided right] in *;
    try (destruct m as [|z|m1 m2]; try discriminate; injection K as <-;
      destruct R as [(t & E & S)|R]; [injection E as ->; rewrite verdict_true; exact S|];
      try (destruct R; fail); try discriminate R; try (destruct R as (mf & mg & R & _);
        discriminate R);
      destruct R as [R _]; now destruct (R z)).
  destruct (decided f m) as [u|] eqn:E; [|discriminate]. injection K as <-.
  specialize (IHf m u s E R).
  intros cs C. cbn [meets]. rewrite (IHf cs C). destruct u; cbn; intuition discriminate.
Qed.

Lemma forever_each t u f g s : forever t f s -> forever u g s -> forever (t && u) (Each f g) s.
Proof. intros F G cs C. cbn [meets]. rewrite (F cs C), (G cs C), andb_true_iff. apply iff_refl. Qed.
Lemma forever_either t u f g s : forever t f s -> forever u g s -> forever (t || u) (Either f g) s.
Proof. intros F G cs C. cbn [meets]. rewrite (F cs C), (G cs C), orb_true_iff. apply iff_refl. Qed.
Lemma never_each f g s : forever false f s \/ forever false g s -> forever false (Each f g) s.
Proof.
  intros H cs C. cbn [meets]. destruct H as [F|F]; specialize (F cs C); intuition discriminate.
Qed.
Lemma ever_either f g s : forever true f s \/ forever true g s -> forever true (Either f g) s.
Proof. intros H cs C. cbn [meets]. destruct H as [F|F]; specialize (F cs C); intuition. Qed.

Lemma settle_right f m s :
  match f with
  | At_most_0 l k => m = Both (Kept (linear_value l (fst s))) (Kept (linear_value l (snd s)))
  | Divides l _ k =>
    m = Both (Kept (linear_value l (fst s) mod Zpos k)) (Kept (linear_value l (snd s) mod Zpos k))
  | Each f g | Either f g => exists mf mg, m = Both mf mg /\ right f mf s /\ right g mg s
  | _ => False
  end -> right f (settle f m) s.
Proof.
  destruct f as [u|l k|l k j|f|f g|f g|i f]; [intros []| | |intros []| | |intros []]; cbn [right].
  - intros ->. cbn [settle]. destruct (beyond l k s) as [Up Down].
    destruct (is_above l k _ _); [left; exists false; split; [reflexivity|now apply Up]|].
    destruct (is_below l k _ _); [left; exists true; split; [reflexivity|now apply Down]|].
    right. reflexivity.
  - intros ->. right. reflexivity.
  - intros (mf & mg & -> & F & G). cbn [settle].
    pose proof (fun t K => decided_forever f mf t s K F) as Kf.
    pose proof (fun t K => decided_forever g mg t s K G) as Kg.
    destruct (decided f mf) as [[]|], (decided g mg) as [[]|]; try (right; now exists mf, mg); left;
      [exists true|exists false|exists false|exists false|exists false|exists false];
      (split; [reflexivity|]); try (apply never_each; auto; fail).
    exact (forever_each true true f g s (Kf _ eq_refl) (Kg _ eq_refl)).
  - intros (mf & mg & -> & F & G). cbn [settle].
    pose proof (fun t K => decided_forever f mf t s K F) as Kf.
    pose proof (fun t K => decided_forever g mg t s K G) as Kg.
    destruct (decided f mf) as [[]|], (decided g mg) as [[]|]; try (right; now exists mf, mg); left;
      [exists true|exists true|exists true|exists true|exists false|exists true];
      (split; [reflexivity|]); try (apply ever_either; auto; fail).
    exact (forever_either false false f g s (Kf _ eq_refl) (Kg _ eq_refl)).
Qed.

Theorem right_tells f : forall m s, right f m s -> (tells f m = true <-> meets f (fst s)).
Proof.
  induction f as [u|l k|l k j|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros m s R;
    cbn [right] in R;
    try (destruct R as [(t & -> & S)|R];
      [rewrite (forever_now t _ s S); cbn [tells verdict]; rewrite verdict_true; apply iff_refl|]);
        cbn [meets].
  - destruct R.
  - subst m. cbn [tells]. apply Z.leb_le.
  - subst m. cbn [tells]. rewrite Z.eqb_eq, Z.add_mod_idemp_l by lia. apply iff_refl.
  - cbn [tells]. rewrite negb_true_iff, <- not_true_iff_false. now rewrite (IHf m s R).
  - destruct R as (mf & mg & -> & F & G). cbn [tells]. rewrite andb_true_iff.
    now rewrite (IHf mf s F), (IHg mg s G).
  - destruct R as (mf & mg & -> & F & G). cbn [tells]. rewrite orb_true_iff.
    now rewrite (IHf mf s F), (IHg mg s G).
  - destruct R as (N & H1 & H2).
    replace (tells (For_a_number i f) m) with (existsb (tells f) (members m))
      by (destruct m as [|z|]; try reflexivity; now destruct (N z)).
    rewrite existsb_exists. split.
    + intros (x & X & T). destruct (H2 x X) as (l & _ & R). exists (worth 1 2 l).
      now apply (IHf x _ R).
    + intros [v T]. pose proof (weight_grows (N.to_nat v)) as W. rewrite N2Nat.id in W.
      destruct (H1 (row (N.to_nat v) v) (row_bits _ _)) as (x & X & R). exists x. split; [exact X|].
      apply (IHf x _ R). cbn [with_number fst]. now rewrite row_worth by exact W.
Qed.

Lemma both_ways_in step i m c y : In y (both_ways step i m c) <->
  exists x d, In x (members m) /\ (d < 2)%N /\ y = step x (set c i d).
Proof.
  unfold both_ways. rewrite in_flat_map. split.
  - intros (x & X & [<-|[<-|[]]]); [exists x, 0%N|exists x, 1%N]; repeat split; auto; lia.
  - intros (x & d & X & D & ->). exists x. split; [exact X|].
    assert (d = 0 \/ d = 1)%N as [->| ->] by lia; [now left|right; now left].
Qed.

Theorem right_reads f : readable f = true -> forall m s c,
  are_digits 2 c -> right f m s -> right f (reads f m c) (more s c).
Proof.
  assert (K : forall f m c t,
    match f with Otherwise _ => False | _ => True end -> m = verdict t -> reads f m c = m)
    by (intros f0 m c t H ->; destruct f0; try reflexivity; destruct H).
  induction f as [u|l k|l k j|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intros Q m s c C R.
  4: { cbn [right reads readable] in *. now apply IHf. }
  all: cbn [right] in R; destruct R as [(t & E & S)|R];
    [rewrite K with (t := t); [left; exists t; split;
      [exact E|now apply forever_more]|exact I|exact E]|].
  - destruct R.
  - subst m. destruct (value_more l s c) as [E1 E2].
    change (right (At_most_0 l k) (settle (At_most_0 l k) (Both (Kept (linear_value l (snd s) +
      linear_value l c))
      (Kept (linear_value l (fst s) + linear_value l (snd s) + 2 * linear_value l c)))) (more s c)).
    apply settle_right. now rewrite E1, E2.
  - subst m. destruct (value_more l s c) as [E1 E2].
    change (right (Divides l k j) (settle (Divides l k j)
      (Both (Kept ((linear_value l (snd s) mod Zpos j + linear_value l c) mod Zpos j))
      (Kept ((linear_value l (fst s) mod Zpos j + linear_value l (snd s) mod Zpos j + 2 *
        linear_value l c) mod Zpos j))))
      (more s c)).
    apply settle_right. rewrite E1, E2. f_equal; f_equal.
    + apply Z.add_mod_idemp_l. lia.
    + rewrite <- (Z.add_mod_idemp_l (_ + _)%Z) by lia. rewrite <- Z.add_mod by lia.
      apply Z.add_mod_idemp_l. lia.
  - destruct R as (mf & mg & -> & F & G). cbn [readable] in Q. apply andb_true_iff in Q as [Qf Qg].
    change (right (Each f g) (settle (Each f g) (Both (reads f mf c) (reads g mg c))) (more s c)).
    apply settle_right. eexists _, _. split; [reflexivity|]. auto.
  - destruct R as (mf & mg & -> & F & G). cbn [readable] in Q. apply andb_true_iff in Q as [Qf Qg].
    change (right (Either f g) (settle (Either f g) (Both (reads f mf c) (reads g mg c))) (more s
      c)).
    apply settle_right. eexists _, _. split; [reflexivity|]. auto.
  - destruct R as (N & H1 & H2). cbn [readable] in Q. apply andb_true_iff in Q as [Qf _].
    replace (reads (For_a_number i f) m c) with (all_of (both_ways (reads f) i m c) Nothing)
      by (destruct m as [|z|]; try reflexivity; now destruct (N z)).
    cbn [right]. right. split; [apply all_of_no_verdict; discriminate|]. split.
    + intros l L.
      assert (G : exists x d l', In x (members m) /\ (d < 2)%N /\ right f x (with_number s i l') /\
        same_values (more (with_number s i l') (set c i d)) (with_number (more s c) i l)).
      { destruct l as [|d l].
        - destruct (H1 [] L) as (x & X & R). exists x, 0%N, []. split; [exact X|]. split; [lia|].
          split; [exact R|].
          apply with_none.
        - destruct (H1 l (fun e E => L e (or_intror E))) as (x & X & R). exists x, d, l.
          split; [exact X|].
          split; [apply L; now left|]. split; [exact R|]. apply with_digit. }
      destruct G as (x & d & l' & X & D & R & S). exists (reads f x (set c i d)). split.
      * apply members_all. left. apply both_ways_in. now exists x, d.
      * apply (right_same f _ _ _ S). apply IHf; auto. now apply are_digits_set.
    + intros y Y. apply members_all in Y as [Y|[]]. apply both_ways_in in Y as (x & d & X & D & ->).
      destruct (H2 x X) as (l & L & R). exists (d :: l). split; [intros e [<-|E]; auto|].
      apply (right_same f _ _ _ (with_digit s i l c d)). apply IHf; auto. now apply are_digits_set.
Qed.

Lemma value_zero l : linear_value l zero = 0%Z.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [linear_value fold_right].
fold (linear_value l zero).
  rewrite IH. unfold zero. cbn. lia. Qed.

Theorem right_begins f : readable f = true -> right f (begins f) (zero, zero).
Proof.
  induction f as [u|l k|l k j|f IHf|f IHf g IHg|f IHf g IHg|i f IHf]; intro Q.
  - left. exists u. split; [reflexivity|]. intros cs _. apply iff_refl.
  - right. cbn [fst snd]. now rewrite value_zero.
  - right. cbn [fst snd]. now rewrite value_zero.
  - exact (IHf Q).
  - cbn [readable] in Q. apply andb_true_iff in Q as [Qf Qg].
    apply (settle_right (Each f g)). eexists _, _. split; [reflexivity|]. auto.
  - cbn [readable] in Q. apply andb_true_iff in Q as [Qf Qg].
    apply (settle_right (Either f g)). eexists _, _. split; [reflexivity|]. auto.
  - assert (Start : begins (For_a_number i f) = Nat.iter 256 (longer f i) (insert (begins f)
    Nothing)) by reflexivity.
    cbn [readable] in Q. set (m := begins (For_a_number i f)) in *.
    apply andb_true_iff in Q as [Qf Closed].
    rewrite forallb_forall in Closed. specialize (IHf Qf).
    assert (Z0 : same_values (zero, zero) (with_number (zero, zero) i []))
      by (split; intro j; unfold with_number, set, zero; cbn; now destruct (Nat.eqb j i)).
    assert (Zm : same_values (more (zero, zero) zero) (zero, zero)) by (split; intro j;
      reflexivity).
    assert (Next : forall x l d, bits l -> (d < 2)%N -> right f x (with_number (zero, zero) i l) ->
      right f (reads f x (set zero i d)) (with_number (zero, zero) i (d :: l))).
    { intros x l d L D R. pose proof (right_reads f Qf x _ _ (are_digits_set 2 zero i d
      (digits_zero 2 two) D)
      R) as H.
      apply (right_same f _ _ _ (with_digit (zero, zero) i l zero d)) in H.
      exact (right_same f _ _ _ (with_same _ _ i (d :: l) Zm) H). }
    assert (G : forall k, (forall x,
      In x (members (Nat.iter k (longer f i) (insert (begins f) Nothing))) ->
      exists l, bits l /\ right f x (with_number (zero, zero) i l)) /\
      In (begins f) (members (Nat.iter k (longer f i) (insert (begins f) Nothing)))).
    { induction k as [|k [IH1 IH2]].
      - cbn [Nat.iter nat_rect]. split.
        + intros x X. apply members_insert in X as [->|[]]. exists []. split; [intros d []|].
          exact (right_same f _ _ _ Z0 IHf).
        + apply members_insert. now left.
      - set (m0 := Nat.iter k (longer f i) (insert (begins f) Nothing)) in *.
        change (Nat.iter (S k) (longer f i) (insert (begins f) Nothing)) with (longer f i m0).
        split.
        + intros y Y. apply members_all in Y as [Y|Y]; [|now apply IH1].
          apply both_ways_in in Y as (x & d & X & D & ->). destruct (IH1 x X) as (l & L & R).
          exists (d :: l). split; [intros e [<-|E]; auto|now apply Next].
        + apply members_all. now right. }
    destruct (G 256) as [G1 G2]. rewrite <- Start in G1, G2.
    assert (N : forall z, m <> Kept z).
    { rewrite Start. clear. generalize 256. intro k.
      induction k as [|k IH]; [intros z; discriminate|]. apply all_of_no_verdict. exact IH. }
    clear Start G. clearbody m. cbn [right]. right. split; [exact N|]. split; [|exact G1].
    induction l as [|d l IH]; intro L.
    { exists (begins f). split; [exact G2|]. exact (right_same f _ _ _ Z0 IHf). }
    destruct (IH (fun e E => L e (or_intror E))) as (x & X & R). exists (reads f x (set zero i d)).
    assert (D : (d < 2)%N) by (apply L; now left).
    split; [|apply Next; auto; intros e E; apply L; now right].
    assert (Y : In (reads f x (set zero i d)) (both_ways (reads f) i m zero))
      by (apply both_ways_in; now exists x, d).
    apply Closed, existsb_exists in Y as (y & Y & E'). now apply same_memory_eq in E' as ->.
Qed.

(** * An automaton says what a formula says, of rows that are numbers' *)

Definition values_of (t : list (list N)) : values := (read_heap t, fun i => worth 2 3 (track i t)).

Lemma values_step c t : same_values (more (values_of t) (at_ c)) (values_of (c :: t)).
Proof.
  split; intro i; cbn [more values_of fst snd]; unfold read_heap; cbn [track map worth].
  - fold (track i t). unfold at_, heap. change (1 + 2)%N with 3%N. lia.
  - fold (track i t). change (2 + 3)%N with 5%N. pose proof (worth_sum (track i t) 1 2 2 3) as W.
    change (1 + 2)%N with 3%N in W. change (2 + 3)%N with 5%N in W. unfold at_, heap. lia.
Qed.

(** A state; the last column, and what is kept, unless the rows are no numbers'. *)
Definition item := (positive * (N * option memory))%type.
Definition same_kept (x y : option memory) : bool :=
  match x, y with Some x, Some y => same_memory x y | None, None => true | _, _ => false end.
Definition same_item (x y : item) : bool :=
  Pos.eqb (fst x) (fst y) && (N.eqb (fst (snd x)) (fst (snd y)) && same_kept (snd (snd x)) (snd
    (snd y))).
Definition item_key (x : item) : positive :=
  mixed (fst x) (mixed (N.succ_pos (fst (snd x))) match snd (snd x) with Some m =>
    memory_key m 1 | None => 1%positive end).

Lemma same_item_eq x y : same_item x y = true -> x = y.
Proof.
  unfold same_item. destruct x as (s & l & m), y as (s' & l' & m'). cbn [fst snd].
  rewrite !andb_true_iff, Pos.eqb_eq, N.eqb_eq. intros (-> & -> & E).
  destruct m as [m|], m' as [m'|]; try discriminate; [apply same_memory_eq in E as ->|];
    reflexivity.
Qed.

Definition agrees (m : machine) (f : formula) (k : nat) (num : list N -> positive) : bool :=
  let g := condition_of f in
  formula_linear f && readable g &&
  (let cs := map (fun c => (num c, (column 2 c, c))) (columns 2 k) in
   walked same_item item_key
     (fun x => map (fun c => (next m (fst x) (fst c),
       match snd (snd x) with
       | Some y =>
         if fits (fst (snd x)) (snd (snd c)) then (fst (snd c),
           Some (reads g y (at_ (snd (snd c))))) else (0%N, None)
       | None => (0%N, None)
       end)) cs)
     (fun x => match snd (snd x) with
       | Some y => eqb (final m (fst x)) (tells g y)
       | None => negb (final m (fst x))
       end)
     (1%positive, (0%N, Some (begins g)))).

Lemma agrees_sound m f k num : agrees m f k num = true -> forall t, (forall c, In c t ->
  In c (columns 2 k)) ->
  (final m (ran m num t) = true <-> apart t /\ fden f (read_heap t)).
Proof.
  unfold agrees. cbn zeta. rewrite !andb_true_iff. intros [[Q R] W] t T.
  set (g := condition_of f) in *.
  apply (walked_sound _ _ same_item_eq) in W as (l & Start & Closed).
  assert (Small : forall c t, (forall c, In c t -> In c (columns 2 k)) -> In c t -> small 2 c).
  { intros c t' H I. apply H, (columns_in 2 two) in I. apply I. }
  assert (G : exists last y, In (ran m num t, (last, y)) l /\
    match y with
    | Some y => last = last_column t /\ apart t /\ right g y (values_of t)
    | None => ~ apart t
    end).
  { induction t as [|c t IH].
    - exists 0%N, (Some (begins g)). split; [exact Start|]. split; [reflexivity|].
      split; [intro i; exact I|exact (right_begins g R)].
    - destruct (IH (fun d D => T d (or_intror D))) as (last & y & I & J). clear IH.
      assert (C : In c (columns 2 k)) by (apply T; now left).
      assert (Step : apart (c :: t) <-> fits (last_column t) c = true /\ apart t).
      { assert (Sm : forall d, In d (c :: t) -> small 2 d) by (intros d D; exact (Small d (c ::
        t) T D)).
        exact (apart_step c t (Sm c (or_introl eq_refl)) (fun d D => Sm d (or_intror D))). }
      destruct (Closed _ I) as [_ N]. cbn [ran fold_right]. fold (ran m num t).
      specialize (N _ (in_map _ _ _ (in_map (fun c => (num c, (column 2 c, c))) _ _ C))).
      cbn [fst snd] in N. destruct y as [y|].
      + destruct J as (-> & A & Ry). destruct (fits (last_column t) c) eqn:F.
        * eexists _, _. split; [exact N|]. split; [reflexivity|]. split; [now apply Step|].
          apply (right_same g _ _ _ (values_step c t)). apply right_reads; [exact R| |exact Ry].
          intro i. change (at_ c i) with (heap i c). apply (small_heap 2 two).
          apply (Small c (c :: t)); [exact T|now left].
        * exists 0%N, None. split; [exact N|]. intro A'. apply Step in A' as [X _]. discriminate X.
      + exists 0%N, None. split; [exact N|]. intro A'. apply Step in A' as [_ X]. exact (J X). }
  destruct G as (last & y & I & J). destruct (Closed _ I) as [E _]. cbn [fst snd] in E.
  destruct y as [y|].
  - destruct J as (_ & A & Ry). apply eqb_prop in E. rewrite E, (right_tells g y _ Ry).
    cbn [values_of fst]. unfold g. rewrite (condition_of_right f Q). tauto.
  - apply negb_true_iff in E. rewrite E. split; [discriminate|tauto].
Qed.

(** * Columns of a position and of an option *)

Fixpoint joined (w : list nat) (t u : list (list N)) : list (list N) :=
  match t, u with
  | c :: t, d :: u => (heaps w c ++ heaps w d) :: joined w t u
  | _, _ => []
  end.

Definition as_zero (l : list N) : Prop := forall d, In d l -> d = 0%N.

Lemma zero_worth l : as_zero l -> forall a b, worth a b l = 0%N.
Proof.
  induction l as [|d l IH]; intros Z a b; [reflexivity|]. cbn [worth].
  rewrite (Z d) by now left. rewrite IH by (intros e E; apply Z; now right). lia.
Qed.

Lemma zero_separate l : as_zero l -> separate l.
Proof.
  induction l as [|d l IH]; intro Z; [exact I|]. split; [|apply IH; intros e E; apply Z; now right].
  destruct l; [exact I|]. intros [X _]. rewrite (Z d) in X by now left. discriminate X.
Qed.

Lemma track_joined w t : forall u i, length t = length u ->
  (i < length w -> track i (joined w t u) = track (nth i w 0) t /\
    track (length w + i) (joined w t u) = track (nth i w 0) u) /\
  (2 * length w <= i -> as_zero (track i (joined w t u))).
Proof.
  induction t as [|c t IH]; intros [|d u] i L; try discriminate.
  - split; [auto|]. intros _ e [].
  - destruct (IH u i) as [IH1 IH2]; [now injection L|]. cbn [joined track map]. split.
    + intro I. destruct (IH1 I) as [E1 E2]. unfold track in E1, E2. rewrite E1, E2. split; f_equal.
      * exact (heaps_before w c d i I).
      * exact (heaps_after 2 two w c d i I).
    + intros I e [<-|E]; [|now apply (IH2 I)]. apply heap_beyond. unfold heaps.
      rewrite app_length, !map_length. lia.
Qed.

Lemma track_of w t u i : length t = length u ->
  (exists j, In j w /\ (track i (joined w t u) = track j t \/
    track i (joined w t u) = track j u)) \/
  as_zero (track i (joined w t u)).
Proof.
  intro L. destruct (Nat.lt_ge_cases i (length w)) as [I|I].
  - left. exists (nth i w 0). split; [now apply nth_In|]. left.
    now apply (proj1 (track_joined w t u i L)).
  - destruct (Nat.lt_ge_cases i (2 * length w)) as [J|J]; [|right;
    now apply (proj2 (track_joined w t u i L))].
    left. exists (nth (i - length w) w 0). split; [apply nth_In; lia|]. right.
    replace i with (length w + (i - length w)) at 1 by lia.
    apply (proj1 (track_joined w t u (i - length w) L)). lia.
Qed.

Lemma joined_apart w t u : length t = length u ->
  (apart (joined w t u) <-> forall j, In j w -> separate (track j t) /\ separate (track j u)).
Proof.
  intro L. split.
  - intros A j J. destruct (In_nth w j 0 J) as (i & I & <-).
    destruct (proj1 (track_joined w t u i L) I) as [<- <-]. split; apply A.
  - intros H i. destruct (track_of w t u i L)
      as [(j & J & [-> | ->])|Z]; [now apply H|now apply H|].
    now apply zero_separate.
Qed.

(** These columns have the heaps of this position as their numbers. *)
Definition read_as (t : list (list N)) (p : position) : Prop := forall i, read_heap t i = heap i p.

Lemma joined_read w t u p q : length t = length u -> read_as t p -> read_as u q ->
  forall i, read_heap (joined w t u) i = at_ (heaps w p ++ heaps w q) i.
Proof.
  intros L P Q i. unfold read_heap. destruct (Nat.lt_ge_cases i (length w)) as [I|I].
  - rewrite (proj1 (proj1 (track_joined w t u i L) I)), (heaps_before w p q i I). apply P.
  - destruct (Nat.lt_ge_cases i (2 * length w)) as [J|J].
    + replace i with (length w + (i - length w)) by lia.
      rewrite (proj2 (proj1 (track_joined w t u (i - length w) L) ltac:(lia))).
      rewrite (heaps_after 2 two w p q (i - length w)) by lia. apply Q.
    + rewrite zero_worth by now apply (proj2 (track_joined w t u i L)). symmetry.
      apply nth_overflow. unfold heaps. rewrite app_length, !map_length. lia.
Qed.

(** * Games *)

Section Game.
  Variable n : nat.
  Variable windows : list (list nat).
  Variable rule : formula.
  Variable A : machine.
  Variable by_length : list (nat * machine).

  Notation move := (moves windows (fun u v => fden rule (at_ (u ++ v)))).
  Notation mw w := (move_letter 2 (length w)).
  Notation of_moves := (machine_on by_length).

  Definition moves_right : bool :=
    forallb (fun x => agrees (snd x) (move_formula rule (fst x)) (2 * fst x) (move_letter 2 (fst
      x))) by_length.

  Lemma moves_right_on w : moves_right = true -> machines_there windows by_length = true ->
    In w windows ->
    agrees (of_moves w) (move_formula rule (length w)) (2 * length w) (mw w) = true.
  Proof.
    unfold moves_right, machines_there, machine_on. rewrite !forallb_forall. intros R T W.
    specialize (T w W).
    destruct (machine_for by_length w) as [m|] eqn:E; [|discriminate]. unfold machine_for in E.
    destruct (find _ by_length) as [[k m']|] eqn:F; [|discriminate]. injection E as <-.
    apply find_some in F as [I L]. apply Nat.eqb_eq in L. cbn [fst] in L. subst k. exact (R _ I).
  Qed.

  (** The option's columns differ from the position's in the window alone. *)
  Definition option_columns (w : list nat) (t u : list (list N)) : Prop :=
    Forall2 (fun c d => In c (columns 2 n) /\ In d (changed 2 w c)) t u.

  Lemma option_facts w t u : option_columns w t u ->
    length t = length u /\ (forall c, In c t -> length c = n /\ small 2 c) /\
    (forall c, In c u -> length c = n /\ small 2 c) /\ (forall i, ~ In i w ->
      track i u = track i t).
  Proof.
    induction 1 as [|c d t u [C D] _ (L & T & U & O)]; [repeat split; contradiction|].
    apply (columns_in 2 two) in C as [Lc Sc]. destruct (changed_sound 2 two w c d Sc D) as (Ld & Sd
      & Od).
    split; [cbn; lia|]. split; [intros e [<-|E]; [now split|now apply T]|].
    split; [intros e [<-|E]; [split; [congruence|exact Sd]|now apply U]|].
    intros i I. cbn [track map]. unfold track in O. rewrite (O i I). f_equal. now apply Od.
  Qed.

  Lemma joined_columns w t u : length t = length u -> (forall c, In c t -> small 2 c) ->
    (forall c, In c u -> small 2 c) ->
    forall c, In c (joined w t u) -> In c (columns 2 (2 * length w)).
  Proof.
    revert u. induction t as [|c t IH]; intros [|d u] L T U e E; try discriminate; [destruct E|].
    destruct E as [<-|E].
    - apply (columns_in 2 two). split; [apply (both_length 2 two)|]. intros x X.
      apply in_app_or in X as [X|X]; apply in_map_iff in X as (i & <- & _);
        apply (small_heap 2 two); [apply T|apply U]; now left.
    - apply (IH u); [now injection L|intros x X; apply T; now right|intros x X; apply U;
      now right|exact E].
  Qed.

  Lemma accepts_move w m t u p q :
    agrees m (move_formula rule (length w)) (2 * length w) (mw w) = true ->
    length t = length u -> (forall c, In c t -> small 2 c) -> (forall c, In c u -> small 2 c) ->
    read_as t p -> read_as u q ->
    (final m (ran m (mw w) (joined w t u)) = true <->
     apart (joined w t u) /\ fden (move_formula rule (length w)) (at_ (heaps w p ++ heaps w q))).
  Proof.
    intros G L T U P Q. rewrite (agrees_sound _ _ _ _ G) by now apply joined_columns.
    rewrite (fden_same _ _ _ (joined_read w t u p q L P Q)). apply iff_refl.
  Qed.

  (** ** Claimed positions *)

  Definition claimed (p : position) : Prop :=
    final A (ran A (letter 2) (word (N.to_nat (tokens p)) p)) = true.

  Hypothesis zero_stays : next A 1 (letter 2 (zeros n)) = 1%positive.

  Lemma padded n' t k : are_columns n' t -> are_columns n' (t ++ repeat (zeros n') k) /\
    forall i, read_heap (t ++ repeat (zeros n') k) i = read_heap t i.
  Proof.
    intros [T S]. assert (E : forall i,
      track i (t ++ repeat (zeros n') k) = track i t ++ repeat 0%N k).
    { intro i. unfold track. rewrite map_app. f_equal. induction k as [|k IH]; [reflexivity|].
      cbn [repeat map].
      rewrite IH. f_equal. unfold heap,
        zeros. destruct (nth_in_or_default i (repeat 0%N n') 0%N) as [J|J];
        [now apply repeat_spec in J|exact J]. }
    split; [split|].
    - intros c C. apply in_app_or in C as [C|C]; [now apply T|]. apply repeat_spec in C as ->.
      split; [apply repeat_length|]. intros d D. apply repeat_spec in D. lia.
    - intro i. rewrite E. specialize (S i). revert S. generalize (track i t). clear.
      induction k as [|k IH]; intros l S; cbn [repeat]; [now rewrite app_nil_r|].
      replace (l ++ 0%N :: repeat 0%N k) with ((l ++ [0%N]) ++ repeat 0%N k)
        by now rewrite <- app_assoc.
      apply IH. now apply separate_zero.
    - intro i. unfold read_heap. rewrite E, worth_app, (zero_worth (repeat 0%N k)); [lia|].
      intros d D. now apply repeat_spec in D.
  Qed.

  Lemma ran_same t u : are_columns n t -> are_columns n u -> (forall i, i < n ->
    read_heap t i = read_heap u i) ->
    ran A (letter 2) t = ran A (letter 2) u.
  Proof.
    intros T U E. rewrite <- (ran_zeros A (letter 2) n t (length u) zero_stays),
      <- (ran_zeros A (letter 2) n u (length t) zero_stays).
    destruct (padded n t (length u) T) as [T' Et]. destruct (padded n u (length t) U) as [U' Eu].
    f_equal.
    apply (columns_unique n); try assumption.
    - rewrite !app_length, !repeat_length. lia.
    - intros i I. rewrite Et, Eu. now apply E.
  Qed.

  Lemma read_as_heaps t : (forall c, In c t -> length c = n) -> read_as t (read_heaps n t).
  Proof.
    intros T i. unfold heap, read_heaps. destruct (Nat.lt_ge_cases i n) as [I|I].
    - rewrite (nth_indep _ 0%N (read_heap t 0)) by now rewrite map_length, seq_length.
      rewrite map_nth, seq_nth by exact I. reflexivity.
    - rewrite nth_overflow by now rewrite map_length, seq_length. apply zero_worth. intros d D.
      apply in_map_iff in D as (c & <- & C). apply heap_beyond. rewrite (T c C). exact I.
  Qed.

  Lemma claimed_read t : are_columns n t -> (final A (ran A (letter 2) t) = true <->
    claimed (read_heaps n t)).
  Proof.
    intro T. unfold claimed. set (q := read_heaps n t).
    assert (B : below_weight (N.to_nat (tokens q)) q) by (apply below_tokens; lia).
    rewrite (ran_same t (word (N.to_nat (tokens q)) q)); [apply iff_refl|exact T| |].
    - apply word_columns; [|exact B]. subst q. unfold read_heaps.
      now rewrite map_length, seq_length.
    - intros i _. rewrite word_value by exact B. apply read_as_heaps. intros c C. now apply T.
  Qed.

  Lemma claimed_word k p : length p = n -> below_weight k p ->
    (final A (ran A (letter 2) (word k p)) = true <-> claimed p).
  Proof.
    intros L B. rewrite claimed_read by now apply word_columns. now rewrite read_word.
  Qed.

  Lemma word_options w k p q : length p = n -> length q = n -> other_heaps_stay w p q ->
    option_columns w (word k p) (word k q).
  Proof.
    intros Lp Lq O. unfold option_columns, word. induction (seq 0 k) as [|j l IH]; [constructor|].
    cbn [map]. constructor; [|exact IH].
    assert (D : forall r, length r = n -> length (map (fun h => nth j (row k h) 0%N) r) = n /\
      small 2 (map (fun h => nth j (row k h) 0%N) r)).
    { intros r Lr. split; [now rewrite map_length|]. intros d X.
      apply in_map_iff in X as (h & <- & _).
      destruct (nth_in_or_default j (row k h) 0%N) as [Y|Y]; [now apply (row_bits k h)|rewrite Y;
        lia]. }
    destruct (D p Lp) as [Lp' Sp]. destruct (D q Lq) as [Lq' Sq].
    split; [now apply (columns_in 2 two)|].
    apply (changed_all 2 two); [exact Sq|congruence|]. intros i I. unfold heap.
    rewrite !(nth_mapped (fun h => nth j (row k h) 0%N)) by apply row_zero.
    specialize (O i I). unfold heap in O. now rewrite O.
  Qed.

  (** ** No move leads from a claimed position to one *)

  Lemma stays_out_sound w m deads : stays_out 2 n A w m deads = true ->
    forall t u, option_columns w t u -> final A (ran A (letter 2) t) = true ->
    final m (ran m (mw w) (joined w t u)) = true -> final A (ran A (letter 2) u) = true -> False.
  Proof.
    unfold stays_out. cbn zeta. rewrite andb_true_iff, forallb_forall. intros [D W].
    apply (walked_sound _ _ same_triple_eq) in W as (l & Start & Closed).
    assert (G : forall t u, option_columns w t u ->
      In (ran A (letter 2) t, (ran m (mw w) (joined w t u), ran A (letter 2) u)) l \/
      In (ran m (mw w) (joined w t u)) deads).
    { induction 1 as [|c d t u [C Cd] _ IH]; [left; exact Start|].
      cbn [joined ran fold_right]. fold (ran A (letter 2) t) (ran A (letter 2) u) (ran m (mw w)
        (joined w t u)).
      set (s := ran m (mw w) (joined w t u)) in *.
      assert (Dead : In s deads -> In (next m s (mw w (heaps w c ++ heaps w d))) deads).
      { intro I. pose proof (D s I) as E. unfold dead in E. apply andb_true_iff in E as [_ E].
        rewrite forallb_forall in E. specialize (E (mw w (heaps w c ++ heaps w d))).
        rewrite Pos.eqb_eq in E.
        rewrite E; [exact I|]. apply in_map. apply (columns_in 2 two).
        split; [apply (both_length 2 two)|].
        apply (columns_in 2 two) in C as [_ Sc]. destruct (changed_sound 2 two w c d Sc Cd) as (_ &
          Sd & _).
        intros x X. apply in_app_or in X as [X|X]; apply in_map_iff in X as (i & <- & _);
          now apply (small_heap 2 two). }
      destruct IH as [IH|IH]; [|right; now apply Dead].
      destruct (existsb (Pos.eqb s) deads) eqn:E.
      - right. apply Dead. apply existsb_exists in E as (s' & S' & E). apply Pos.eqb_eq in E as ->.
        exact S'.
      - left. destruct (Closed _ IH) as [_ N]. apply N. rewrite E. apply in_flat_map.
        exists (letter 2 c, ways_on 2 w c).
        split; [apply (in_map (fun c => (letter 2 c, ways_on 2 w c))); exact C|].
        cbn [fst snd]. apply in_map_iff. exists (mw w (heaps w c ++ heaps w d), letter 2 d).
        split; [reflexivity|].
        apply (in_map (fun d => (move_letter 2 (length w) (heaps w c ++ heaps w d), letter 2 d))).
        exact Cd. }
    intros t u O F1 F2 F3. destruct (G t u O) as [I|I].
    - destruct (Closed _ I) as [N _]. cbn [fst snd] in N. rewrite F1, F2, F3 in N. discriminate.
    - specialize (D _ I). unfold dead in D. rewrite F2 in D. discriminate.
  Qed.

  (** ** From every other position a move leads to one *)

  (** A state on the position, the last column, and ways that go with them. *)
  Definition ways_set := ((positive * N) * list way)%type.
  Definition set_key (x : ways_set) : positive := mixed (fst (fst x)) (N.succ_pos (snd (fst x))).

  Definition listed (t : @table ways_set) (s : positive) (last : N) (ways : ways_table) : bool :=
    match PositiveMap.find (mixed s (N.succ_pos last)) t with
    | Some l =>
      existsb (fun x => Pos.eqb (fst (fst x)) s && N.eqb (snd (fst x)) last &&
        forallb (fun y => is_in same_way way_key y ways) (snd x)) l
    | None => false
    end.

  Lemma listed_sound sets s last l :
    listed (table_of set_key sets) s last (table_of way_key l) = true ->
    exists ways, In ((s, last), ways) sets /\ forall y, In y ways -> In y l.
  Proof.
    unfold listed. destruct (PositiveMap.find _ _) as [l'|] eqn:F; [|discriminate].
    rewrite existsb_exists.
    intros (((s' & last') & ways) & I & H). cbn [fst snd] in H. rewrite !andb_true_iff in H.
    destruct H as [[E E'] H]. apply Pos.eqb_eq in E as ->. apply N.eqb_eq in E' as ->. exists ways.
    split.
    - unfold table_of in F. destruct (in_bucket _ _ _ _ _ _ F I) as [J|(l0 & F0 & _)]; [exact J|].
      now rewrite PositiveMap.gempty in F0.
    - rewrite forallb_forall in H. intros y Y. apply (is_in_table same_way way_key same_way_eq).
      now apply H.
  Qed.

  Definition leads (sets : list ways_set) : bool :=
    let ms := map of_moves windows in
    let t := table_of set_key sets in
    let cs := map (fun c => (c, map (fun w => ways_on 2 w c) windows)) (columns 2 n) in
    listed t 1 0 (table_of way_key (map (fun j =>
      (j, (1, 1))%positive) (seq 0 (length windows)))) &&
    forallb (fun x =>
      (final A (fst (fst x)) ||
       existsb (fun y => final (nth (fst y) ms (PositiveMap.empty _)) (fst (snd y)) && final A (snd
         (snd y))) (snd x)) &&
      forallb (fun c => negb (fits (snd (fst x)) (fst c)) ||
        listed t (next A (fst (fst x)) (letter 2 (fst c))) (column 2 (fst c))
          (table_of way_key (followed A ms (snd c) (snd x)))) cs) sets.

  Definition leads_there (t : list (list N)) (y : way) : Prop :=
    exists u w, nth_error windows (fst y) = Some w /\ option_columns w t u /\
      fst (snd y) = ran (of_moves w) (mw w) (joined w t u) /\ snd (snd y) = ran A (letter 2) u.

  Lemma machine_at j w : nth_error windows j = Some w ->
    nth j (map of_moves windows) (PositiveMap.empty _) = of_moves w.
  Proof.
    intro E. rewrite (nth_indep _ _ (of_moves [])) by (rewrite map_length; apply nth_error_Some;
      congruence).
    rewrite (map_nth of_moves). now rewrite (nth_error_nth _ _ _ E).
  Qed.

  Lemma leads_sound sets : leads sets = true -> forall t, (forall c, In c t ->
    In c (columns 2 n)) -> apart t ->
    exists ways, In ((ran A (letter 2) t, last_column t), ways) sets /\ forall y, In y ways ->
      leads_there t y.
  Proof.
    unfold leads. cbn zeta. rewrite andb_true_iff, forallb_forall. intros [Start H].
    induction t as [|c t IH]; intros T Ap.
    - destruct (listed_sound _ _ _ _ Start) as (ways & I & W). exists ways. split; [exact I|].
      intros y Y. apply W, in_map_iff in Y as (j & <- & J). apply in_seq in J.
      destruct (nth_error windows j) as [w|] eqn:E; [|apply nth_error_None in E; lia].
      exists [], w. repeat split; [exact E|constructor].
    - assert (C : In c (columns 2 n)) by (apply T; now left).
      assert (Sm : forall d, In d (c :: t) ->
        small 2 d) by (intros d D; apply T, (columns_in 2 two) in D; apply D).
      apply (apart_step c t (Sm c (or_introl eq_refl)) (fun d D =>
        Sm d (or_intror D))) in Ap as [F Ap].
      destruct (IH (fun d D => T d (or_intror D)) Ap) as (ways & I & W).
      specialize (H _ I). cbn [fst snd] in H. apply andb_true_iff in H as [_ H].
      rewrite forallb_forall in H.
      specialize (H _ (in_map (fun c => (c, map (fun w => ways_on 2 w c) windows)) _ _ C)).
      cbn [fst snd] in H.
      rewrite F in H. cbn [negb orb] in H. destruct (listed_sound _ _ _ _ H) as (ways' & I' & W').
      exists ways'. split; [exact I'|]. intros y Y.
      apply W', in_flat_map in Y as ((j & s & q0) & Z & Y). apply in_map_iff in Y as (o & <- & O).
      destruct (W _ Z) as (u & w & E & Ou & S1 & S2). cbn [fst snd] in E, S1, S2.
      rewrite (nth_indep _ [] (ways_on 2 [] c)) in O by (rewrite map_length; apply nth_error_Some;
        congruence).
      rewrite (map_nth (fun w => ways_on 2 w c)), (nth_error_nth _ _ _ E) in O.
      apply in_map_iff in O as (d & <- & O).
      exists (d :: u), w. cbn [fst snd]. split; [exact E|].
      split; [constructor; [now split|exact Ou]|].
      rewrite (machine_at j w E), S1, S2. split; reflexivity.
  Qed.

  (** ** The theorem *)

  Definition dead_states (w : list nat) : list positive :=
    filter (dead (of_moves w) (map (move_letter 2 (length w)) (columns 2 (2 * length w))))
      (map fst (PositiveMap.elements (of_moves w))).

  Definition plays (sets : list ways_set) : bool :=
    moves_right && machines_there windows by_length &&
    forallb (fun w => stays_out 2 n A w (of_moves w) (dead_states w)) windows && leads sets.

  Theorem plays_right sets : plays sets = true -> forall p, length p = n -> (P_position move p <->
    claimed p).
  Proof.
    unfold plays. rewrite !andb_true_iff, forallb_forall. intros [[[R T] Out] Lead].
    apply (criterion move (fun p => length p = n) claimed).
    - intros p q L M. destruct (said_move 2 two windows rule p q M) as (Lq & Tq & _).
      split; [lia|exact Tq].
    - intros p q L Cp M Cq. destruct (said_move 2 two windows rule p q M) as (Lq & Tq & w & W & O &
      F).
      rewrite L in Lq. set (k := N.to_nat (tokens p)).
      assert (Pp : below_weight k p) by (apply below_tokens; lia).
      assert (Pq : below_weight k q) by (apply below_tokens; lia).
      pose proof (word_options w k p q L Lq O) as Ow.
      destruct (option_facts _ _ _ Ow) as (Lw & Tp & Tu & _).
      apply (stays_out_sound w (of_moves w) _ (Out w W) (word k p) (word k q) Ow).
      + now apply claimed_word.
      + apply (accepts_move w _ _ _ p q (moves_right_on w R T W) Lw).
        * intros c C. now apply Tp.
        * intros c C. now apply Tu.
        * intro i. now apply word_value.
        * intro i. now apply word_value.
        * split; [|exact F]. apply joined_apart; [exact Lw|]. intros j _.
          split; [apply (word_columns k p n L Pp)|apply (word_columns k q n Lq Pq)].
      + now apply claimed_word.
    - intros p L. unfold claimed at 1. set (k := N.to_nat (tokens p)). set (t := word k p).
      destruct (final A (ran A (letter 2) t)) eqn:F; [now left|right].
      assert (Pp : below_weight k p) by (apply below_tokens; lia).
      destruct (word_columns k p n L Pp) as [Ct At]. fold t in Ct, At.
      destruct (leads_sound sets Lead t) as (ways & I & Y); [intros c C;
        apply (columns_in 2 two), Ct, C|exact At|].
      unfold leads in Lead. cbn zeta in Lead. apply andb_true_iff in Lead as [_ Lead].
      rewrite forallb_forall in Lead. specialize (Lead _ I). cbn [fst snd] in Lead.
      rewrite F in Lead.
      apply andb_true_iff in Lead as [Lead _]. cbn [orb] in Lead.
      apply existsb_exists in Lead as (y & J & G).
      apply andb_true_iff in G as [G1 G2]. destruct (Y y J) as (u & w & E & Ou & S1 & S2).
      assert (W : In w windows) by (now apply nth_error_In with (fst y)).
      rewrite (machine_at _ w E), S1 in G1. rewrite S2 in G2.
      destruct (option_facts _ _ _ Ou) as (Lu & Tt & Tu & Same).
      assert (Rt : read_as t p) by (intro i; now apply word_value).
      assert (Ru : read_as u (read_heaps n u)) by (apply read_as_heaps; intros c C; now apply Tu).
      apply (accepts_move w _ t u p (read_heaps n u) (moves_right_on w R T W) Lu
        (fun c C => proj2 (Tt c C)) (fun c C => proj2 (Tu c C)) Rt Ru) in G1 as [Ap Mf].
      assert (Au : apart u).
      { intro i. destruct (in_dec Nat.eq_dec i w) as [X|X];
        [now apply (proj1 (joined_apart w t u Lu) Ap i X)|].
        rewrite (Same i X). apply At. }
      exists (read_heaps n u). split.
      + apply (move_said 2 two n windows rule w); [exact W|exact L| | |exact Mf].
        * unfold read_heaps. now rewrite map_length, seq_length.
        * intros i X. rewrite <- (Ru i), <- (Rt i). unfold read_heap. now rewrite (Same i X).
      + exact (proj1 (claimed_read u (conj Tu Au)) G2).
  Qed.
End Game.

(** * What is checked *)

Definition fine (n : nat) (windows : list (list nat)) (rule : formula) (rows : list (list N))
  (moved : list (nat * list (list N))) (sets : list ways_set) : bool :=
  affordable 2 n windows (map fst moved) && Pos.eqb (next (machine_of rows) 1 (letter 2 (zeros n)))
    1 &&
  plays n windows rule (machine_of rows) (map (fun x => (fst x, machine_of (snd x))) moved) sets.

(** Every position is read, and the automaton says who wins. *)
Theorem every_position_read n : forall p, length p = n -> exists t, are_columns n t /\
  read_heaps n t = p.
Proof.
  intros p L. assert (B : below_weight (N.to_nat (tokens p)) p) by (apply below_tokens; lia).
  exists (word (N.to_nat (tokens p)) p). split; [now apply word_columns|now apply read_word].
Qed.

Theorem fine_reads n windows rule rows moved sets : fine n windows rule rows moved sets = true ->
  forall t, are_columns n t ->
  (P_position (moves windows (fun u v => fden rule (at_ (u ++ v)))) (read_heaps n t) <->
    accepted 2 rows t).
Proof.
  unfold fine. rewrite !andb_true_iff, Pos.eqb_eq. intros [[_ Z] P] t T.
  rewrite (plays_right n windows rule _ _ Z sets P) by (unfold read_heaps;
    now rewrite map_length, seq_length).
  rewrite <- (claimed_read n _ Z t T), ran_state. apply final_machine.
Qed.

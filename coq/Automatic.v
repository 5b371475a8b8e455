(** Games whose P-positions an automaton reads: games on heaps in their places, of all sizes.

    An automaton reads the digits of all heaps at once, the most significant first, to any base.
    A second one reads a window's heaps
    before and after a move. That both say what formulas say is checked by reading automaton and
      formula together (Digits.v).
    No move leads from a claimed position to one, as position, move and option, read together,
      are never all accepted. From every
    other position a move leads to one: listed sets of ways in which the option's digits may go on
      lead to listed sets, whatever the
    position's digits are. *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Positions Forms Formulas Games Digits.
Import ListNotations.
Open Scope nat_scope.

(** * What an automaton says

    The digits of a position are a list of columns, the least significant first;
      a column has a digit of each heap. An automaton is
    a list of its states from state 0 on: a number that is not 0 if numbers may end there,
      and then the next states, column
    d0 d1 d2 ... at d0 + d1 * b + d2 * b * b + ... *)

Definition column (b : N) (c : list N) : N := fold_right (fun d k => (d + b * k)%N) 0%N c.
Definition row_of (rows : list (list N)) (s : N) : list N := nth (N.to_nat s) rows [].

(** The state after these columns, the last of them read first. *)
Fixpoint state_after (b : N) (rows : list (list N)) (t : list (list N)) : N :=
  match t with
  | [] => 0
  | c :: t => nth (N.to_nat (1 + column b c)) (row_of rows (state_after b rows t)) 0
  end%N.

Definition accepted (b : N) (rows : list (list N)) (t : list (list N)) : Prop :=
  nth 0 (row_of rows (state_after b rows t)) 0%N <> 0%N.

Definition read_heap (b : N) (t : list (list N)) (i : nat) : N := fold_right (fun c v => (b * v +
  heap i c)%N) 0%N t.
Definition read_heaps (b : N) (n : nat) (t : list (list N)) : position := map (read_heap b t) (seq
  0 n).
Definition are_columns (b : N) (n : nat) (t : list (list N)) : Prop :=
  forall c, In c t -> length c = n /\ forall d, In d c -> (d < b)%N.

(** * Tables *)

Fixpoint filled {A} (l : list A) (p : positive) (m : PositiveMap.t A) : PositiveMap.t A :=
  match l with [] => m | x :: l => filled l (Pos.succ p) (PositiveMap.add p x m) end.

Lemma filled_before {A} (l : list A) : forall p m q,
  (q < p)%positive -> PositiveMap.find q (filled l p m) = PositiveMap.find q m.
Proof.
  induction l as [|x l IH]; intros p m q H; cbn [filled]; [reflexivity|]. rewrite IH by lia.
  apply PositiveMap.gso. lia.
Qed.

Lemma filled_find {A} (l : list A) : forall p m q,
  (p <= q)%positive -> PositiveMap.find q m = None ->
  PositiveMap.find q (filled l p m) = nth_error l (Pos.to_nat q - Pos.to_nat p).
Proof.
  induction l as [|x l IH]; intros p m q H Z; cbn [filled].
  - rewrite Z. symmetry. now destruct (Pos.to_nat q - Pos.to_nat p).
  - destruct (Pos.eq_dec q p) as [->|D].
    + rewrite filled_before by lia. rewrite PositiveMap.gss, Nat.sub_diag. reflexivity.
    + rewrite IH; [|lia|now rewrite PositiveMap.gso].
      replace (Pos.to_nat q - Pos.to_nat p) with (S (Pos.to_nat q - Pos.to_nat (Pos.succ p))) by
        lia. reflexivity.
Qed.

Lemma filled_nth {A} (l : list A) k : PositiveMap.find (N.succ_pos k) (filled l 1
  (PositiveMap.empty A)) = nth_error l (N.to_nat k).
Proof. rewrite filled_find by (lia || apply PositiveMap.gempty). f_equal. lia. Qed.

Definition machine := PositiveMap.t (bool * PositiveMap.t positive).

Definition next (m : machine) (s l : positive) : positive :=
  match PositiveMap.find s m with
  | Some (_, row) => match PositiveMap.find l row with Some t => t | None => 1 end
  | None => 1
  end%positive.
Definition final (m : machine) (s : positive) : bool := match PositiveMap.find s m with Some (e,
  _) => e | None => false end.

Definition machine_row (row : list N) : bool * PositiveMap.t positive :=
  match row with
  | [] => (false, PositiveMap.empty _)
  | e :: r => (negb (N.eqb e 0), filled (map N.succ_pos r) 1 (PositiveMap.empty _))
  end.
Definition machine_of (rows : list (list N)) : machine := filled (map machine_row rows) 1
  (PositiveMap.empty _).

Lemma next_machine rows s l :
  next (machine_of rows) (N.succ_pos s) (N.succ_pos l) = N.succ_pos (nth (N.to_nat (1 + l))
    (row_of rows s) 0%N).
Proof.
  unfold next, machine_of, row_of. rewrite filled_nth, nth_error_map.
  destruct (nth_error rows (N.to_nat s)) as [row|] eqn:E; cbn [option_map].
  - rewrite (nth_error_nth _ _ _ E). replace (N.to_nat (1 + l)) with (S (N.to_nat l)) by lia.
    destruct row as [|e r]; cbn [machine_row nth].
    + rewrite PositiveMap.gempty. reflexivity.
    + rewrite filled_nth, nth_error_map. destruct (nth_error r (N.to_nat l)) as [t|] eqn:F;
        cbn [option_map].
      * now rewrite (nth_error_nth _ _ _ F).
      * apply nth_error_None in F. now rewrite nth_overflow.
  - apply nth_error_None in E. rewrite (nth_overflow rows) by exact E.
    now destruct (N.to_nat (1 + l)).
Qed.

Lemma final_machine rows s : final (machine_of rows) (N.succ_pos s) = true
  <-> nth 0 (row_of rows s) 0%N <> 0%N.
Proof.
  unfold final, machine_of, row_of. rewrite filled_nth, nth_error_map.
  destruct (nth_error rows (N.to_nat s)) as [row|] eqn:E; cbn [option_map].
  - rewrite (nth_error_nth _ _ _ E). destruct row as [|e r]; cbn [machine_row nth]; [split;
      [discriminate|tauto]|].
    rewrite negb_true_iff, N.eqb_neq. apply iff_refl.
  - apply nth_error_None in E. rewrite (nth_overflow rows) by exact E. cbn.
    split; [discriminate|tauto].
Qed.

(** * Walks: what is listed is closed under steps *)

Section Walk.
  Context {A : Type}.
  Variable same_item : A -> A -> bool.
  Variable key : A -> positive.
  Hypothesis same_item_eq : forall x y, same_item x y = true -> x = y.

  Definition table := PositiveMap.t (list A).

  Definition is_in (x : A) (t : table) : bool :=
    match PositiveMap.find (key x) t with Some l => existsb (same_item x) l | None => false end.
  Definition put (t : table) (x : A) : table :=
    PositiveMap.add (key x) (x :: match PositiveMap.find (key x) t with Some l => l | None => []
      end) t.

  Lemma is_in_put x y t : is_in x (put t y) = true -> x = y \/ is_in x t = true.
  Proof.
    unfold is_in, put. destruct (Pos.eq_dec (key x) (key y)) as [E|E].
    - rewrite E, PositiveMap.gss. cbn [existsb]. rewrite orb_true_iff.
      intros [H|H]; [left; now apply same_item_eq|right].
      destruct (PositiveMap.find (key y) t); [exact H|discriminate].
    - rewrite PositiveMap.gso by exact E. now right.
  Qed.

  Lemma is_in_all l : forall t x, is_in x (fold_left put l t) = true -> In x l \/ is_in x t = true.
  Proof.
    induction l as [|y l IH]; intros t x H; cbn [fold_left] in H; [now right|].
    destruct (IH _ _ H) as [I|I]; [left; now right|].
    destruct (is_in_put _ _ _ I) as [->|J]; [left; now left|now right].
  Qed.

  Definition table_of (l : list A) : table := fold_left put l (PositiveMap.empty _).

  Lemma is_in_table x l : is_in x (table_of l) = true -> In x l.
  Proof.
    intro H. destruct (is_in_all _ _ _ H) as [I|I]; [exact I|]. unfold is_in in I.
    now rewrite PositiveMap.gempty in I.
  Qed.

  Variable step : A -> list A.
  Variable good : A -> bool.

  (** All that steps lead to; nothing has to be known of it. *)
  Definition meet (a : table * list A) (x : A) : table * list A := if is_in x (fst a) then a else
    (put (fst a) x, x :: snd a).
  Fixpoint explored (fuel : nat) (t : table) (fresh all : list A) : list A :=
    match fuel, fresh with
    | S fuel, _ :: _ =>
      let (t, more) := fold_left (fun a x => fold_left meet (step x) a) fresh (t, []) in
      explored fuel t more (rev_append fresh all)
    | _, _ => rev_append fresh all
    end.

  Definition walked (start : A) : bool :=
    let l := explored (N.to_nat 65536) (put (PositiveMap.empty _) start) [start] [] in
    let t := table_of l in
    is_in start t && forallb (fun x => good x && forallb (fun y => is_in y t) (step x)) l.

  Lemma walked_sound start : walked start = true ->
    exists l, In start l /\ forall x, In x l -> good x = true /\ forall y, In y (step x) -> In y l.
  Proof.
    unfold walked. set (l := explored _ _ _ _). rewrite andb_true_iff, forallb_forall. intros [S H].
    exists l.
    split; [now apply is_in_table|]. intros x X. specialize (H x X).
    apply andb_true_iff in H as [G H]. split; [exact G|].
    intros y Y. rewrite forallb_forall in H. now apply is_in_table, H.
  Qed.
End Walk.

(** Keys of what is walked through; different things may have one key. *)
Fixpoint mixed (p q : positive) : positive :=
  match p with
  | xH => xO (xO q)
  | xO p => xI (xO (mixed p q))
  | xI p => xI (xI (mixed p q))
  end.

Fixpoint memory_key (m : memory) (q : positive) : positive :=
  match m with
  | Nothing => xO (xO q)
  | Kept Z0 => xO (xI q)
  | Kept (Zpos p) => xI (xO (xO (mixed p q)))
  | Kept (Zneg p) => xI (xO (xI (mixed p q)))
  | Both x y => xI (xI (memory_key x (memory_key y q)))
  end.

(** * Digits *)

Section Base.
  Variable b : N.
  Hypothesis base : (2 <= b)%N.

  Fixpoint columns (k : nat) : list (list N) :=
    match k with O => [[]] | S k => flat_map (fun d => map (cons d) (columns k)) (digits b) end.

  Definition small (c : list N) : Prop := forall d, In d c -> (d < b)%N.

  Lemma columns_in k : forall c, In c (columns k) <-> length c = k /\ small c.
  Proof.
    induction k as [|k IH]; intro c; cbn [columns].
    - split; [intros [<-|[]]; split; [reflexivity|intros d []]|]. intros [L _]. left.
      now destruct c.
    - rewrite in_flat_map. split.
      + intros (d & D & H). apply in_map_iff in H as (c' & <- & H). apply IH in H as [L H].
        apply digits_in in D; [|exact base].
        split; [cbn; lia|]. intros e [<-|E]; [exact D|now apply H].
      + intros [L H]. destruct c as [|d c]; [discriminate|]. exists d.
        split; [apply digits_in; [exact base|apply H; now left]|].
        apply in_map, IH. split; [now injection L|]. intros e E. apply H. now right.
  Qed.

  Fixpoint word (k : nat) (p : position) : list (list N) :=
    match k with O => [] | S k => map (fun h => h mod b)%N p :: word k (map (fun h => h / b)%N p)
      end.

  Definition below_power (k : nat) (p : position) : Prop := forall h,
    In h p -> (h < b ^ N.of_nat k)%N.

  Lemma below_power_div k p : below_power (S k) p -> below_power k (map (fun h => h / b)%N p).
  Proof.
    intros H h I. apply in_map_iff in I as (x & <- & I). apply N.div_lt_upper_bound; [lia|].
    rewrite <- N.pow_succ_r'.
    replace (N.succ (N.of_nat k)) with (N.of_nat (S k)) by lia. now apply H.
  Qed.

  Lemma small_mod p : small (map (fun h => h mod b)%N p).
  Proof. intros d I. apply in_map_iff in I as (x & <- & _). apply N.mod_lt. lia. Qed.

  Lemma word_columns k : forall p n, length p = n -> are_columns b n (word k p).
  Proof.
    induction k as [|k IH]; intros p n L c I; [destruct I|]. destruct I as [<-|I].
    - split; [now rewrite map_length|apply small_mod].
    - apply (IH (map (fun h => h / b)%N p)); [now rewrite map_length|exact I].
  Qed.

  Lemma nth_mapped (f : N -> N) i l : f 0%N = 0%N -> nth i (map f l) 0%N = f (nth i l 0%N).
  Proof. intro Z. rewrite <- Z at 1. apply map_nth. Qed.

  Lemma word_value k : forall p, below_power k p -> forall i, read_heap b (word k p) i = heap i p.
  Proof.
    induction k as [|k IH]; intros p H i.
    - cbn. destruct (nth_in_or_default i p 0%N) as [I|E]; [|now rewrite <- E at 1]. unfold heap.
      specialize (H _ I). cbn in H. lia.
    - cbn [word read_heap fold_right]. change (fold_right _ 0%N (word k ?q)) with (read_heap b
        (word k q) i).
      rewrite (IH _ (below_power_div k p H)). unfold heap.
      rewrite !nth_mapped by (apply N.div_0_l || apply N.mod_0_l; lia).
      symmetry. apply N.div_mod. lia.
  Qed.

  Lemma read_word k p n : length p = n -> below_power k p -> read_heaps b n (word k p) = p.
  Proof.
    intros L H. unfold read_heaps. rewrite (map_ext _ (fun i => heap i p)) by (intro;
      now apply word_value).
    exact (heaps_all n p L).
  Qed.

  Lemma tokens_bound p h : In h p -> (h <= tokens p)%N.
  Proof. induction p as [|x p IH]; intros []; cbn [tokens fold_right]; [lia|]. fold (tokens p).
  specialize (IH H). lia. Qed.

  Lemma below_tokens p k : (tokens p <= N.of_nat k)%N -> below_power k p.
  Proof.
    intros T h I. pose proof (tokens_bound p h I).
    pose proof (N.pow_gt_lin_r b (N.of_nat k) ltac:(lia)). lia.
  Qed.

  (** Digits are known by their number. *)
  Lemma unique_digits n t : forall u,
    are_columns b n t -> are_columns b n u -> length t = length u ->
    (forall i, i < n -> read_heap b t i = read_heap b u i) -> t = u.
  Proof.
    induction t as [|c t IH]; intros [|d u] T U L E; try discriminate; [reflexivity|].
    destruct (T c (or_introl eq_refl)) as [Lc Sc]. destruct (U d (or_introl eq_refl)) as [Ld Sd].
    assert (P : forall i, i < n -> heap i c = heap i d /\ read_heap b t i = read_heap b u i).
    { intros i I. specialize (E i I). cbn [read_heap fold_right] in E.
      change (fold_right _ 0%N ?q) with (read_heap b q i) in E.
      assert (X : (heap i c < b)%N) by (apply Sc, nth_In; lia).
      assert (Y : (heap i d < b)%N) by (apply Sd, nth_In; lia).
      destruct (N.div_mod_unique b (read_heap b t i) (read_heap b u i) (heap i c) (heap i d) X Y E).
      now split. }
    f_equal.
    - apply (nth_ext c d 0%N 0%N); [lia|]. intros i I. apply (P i). lia.
    - apply IH; [intros x X; apply T; now right|intros x X; apply U; now right|now injection L|].
      intros i I. now apply P.
  Qed.

  (** ** Automata *)

  Definition letter (c : list N) : positive := N.succ_pos (column b c).

  Definition ran (m : machine) (num : list N -> positive) (t : list (list N)) : positive :=
    fold_right (fun c s => next m s (num c)) 1%positive t.

  Lemma ran_state rows t : ran (machine_of rows) letter t = N.succ_pos (state_after b rows t).
  Proof. induction t as [|c t IH]; [reflexivity|]. cbn [ran fold_right state_after].
  fold (ran (machine_of rows) letter t). rewrite IH. apply next_machine. Qed.

  Definition zeros (n : nat) : list N := repeat 0%N n.

  Lemma read_zeros i n t k : read_heap b (t ++ repeat (zeros n) k) i = read_heap b t i.
  Proof.
    unfold read_heap. rewrite fold_right_app. f_equal. induction k as [|k IH]; [reflexivity|].
    cbn [repeat fold_right]. rewrite IH.
    unfold heap, zeros. destruct (nth_in_or_default i (repeat 0%N n) 0%N) as [I|E];
      [apply repeat_spec in I; lia|lia].
  Qed.

  Lemma ran_zeros m num n t k : next m 1 (num (zeros n)) = 1%positive
    -> ran m num (t ++ repeat (zeros n) k) = ran m num t.
  Proof.
    intro Z. unfold ran. rewrite fold_right_app. f_equal. induction k as [|k IH]; [reflexivity|].
    cbn [repeat fold_right]. now rewrite IH.
  Qed.

  Lemma zero_columns n t k : are_columns b n t -> are_columns b n (t ++ repeat (zeros n) k).
  Proof.
    intros T c I. apply in_app_or in I as [I|I]; [now apply T|]. apply repeat_spec in I as ->.
    split; [apply repeat_length|].
    intros d D. apply repeat_spec in D. lia.
  Qed.

  (** However many zeros stand before the digits. *)
  Lemma ran_same m num n t u : next m 1 (num (zeros n)) = 1%positive -> are_columns b n t
    -> are_columns b n u ->
    (forall i, i < n -> read_heap b t i = read_heap b u i) -> ran m num t = ran m num u.
  Proof.
    intros Z T U E. rewrite <- (ran_zeros m num n t (length u) Z),
      <- (ran_zeros m num n u (length t) Z). f_equal.
    apply (unique_digits n); try now apply zero_columns.
    - rewrite !app_length, !repeat_length. lia.
    - intros i I. rewrite !read_zeros. now apply E.
  Qed.

  (** ** An automaton says what a formula says *)

  Definition item := (positive * memory)%type.
  Definition same_item_of (x y : item) : bool := Pos.eqb (fst x) (fst y)
    && same_memory (snd x) (snd y).

  Lemma same_item_of_eq x y : same_item_of x y = true -> x = y.
  Proof.
    unfold same_item_of. rewrite andb_true_iff. intros [E1 E2]. apply Pos.eqb_eq in E1.
    apply same_memory_eq in E2. destruct x, y. cbn in *. congruence.
  Qed.

  Definition agrees (m : machine) (f : formula) (k : nat) (num : list N -> positive) : bool :=
    formula_readable b f &&
    (let cs := map (fun c => (num c, c)) (columns k) in
     walked same_item_of (fun x => mixed (fst x) (memory_key (snd x) 1))
       (fun x => map (fun c => (next m (fst x) (fst c), formula_step b f (snd x) (at_ (snd c)))) cs)
       (fun x => eqb (final m (fst x)) (formula_holds f (snd x)))
       (1%positive, formula_start b f)).

  Lemma agrees_sound m f k num : agrees m f k num = true -> forall t, are_columns b k t ->
    (final m (ran m num t) = true <-> fden f (read_heap b t)).
  Proof.
    unfold agrees. rewrite andb_true_iff. intros [R W] t T.
    apply (walked_sound _ _ same_item_of_eq) in W as (l & Start & Closed).
    set (memory_of := fun t => fold_right (fun c x => formula_step b f x (at_ c)) (formula_start b
      f) t).
    assert (G : In (ran m num t, memory_of t) l /\ right b f (memory_of t) (read_heap b t)).
    { induction t as [|c t IH].
      - split; [exact Start|]. exact (right_start b base f R).
      - destruct IH as [I J]; [intros c' C'; apply T; now right|].
        destruct (T c (or_introl eq_refl)) as [Lc Sc]. split.
        + destruct (Closed _ I) as [_ N]. apply N. apply in_map_iff. exists (num c, c).
          split; [reflexivity|].
          apply in_map_iff. exists c. split; [reflexivity|]. now apply columns_in.
        + apply (right_step b base f R (memory_of t) (read_heap b t) (at_ c)); [|exact J].
          intro i. unfold at_. destruct (nth_in_or_default i c 0%N) as [D|D]; [now apply Sc|lia]. }
    destruct G as [I J]. destruct (Closed _ I) as [E _]. cbn [fst snd] in E. apply eqb_prop in E.
    rewrite E. exact (right_holds b base f _ _ J).
  Qed.

  (** * Games *)

  Section Game.
    Variable n : nat.
    Variable windows : list (list nat).
    Variable rule : formula.           (* what else holds of a window's heaps before and after a
      move *)
    Variable A : machine.              (* the positions that are claimed *)
    Variable by_length : list (nat * machine).  (* moves, by the length of a window *)

    Notation move := (moves windows (fun u v => fden rule (at_ (u ++ v)))).

    (** Heap i before a move is number 2i of a column, heap i after it number 2i + 1. *)
    Fixpoint interleaved (u v : list N) : list N :=
      match u, v with x :: u, y :: v => x :: y :: interleaved u v | _, _ => [] end.
    Definition move_letter (k : nat) (c : list N) : positive := letter (interleaved (firstn k c)
      (skipn k c)).

    Definition never_more (k : nat) : formula := fold_right (fun i f => And (AtMost (Heap (k + i))
      (Heap i)) f) (Known true) (seq 0 k).
    Definition once_less (k : nat) : formula := fold_right (fun i f => Or (Less (Heap (k + i))
      (Heap i)) f) (Known false) (seq 0 k).
    Definition move_formula (k : nat) : formula := And (And (never_more k) (once_less k)) rule.

    Definition moves_right : bool := forallb (fun x => agrees (snd x) (move_formula (fst x)) (2 *
      fst x) (move_letter (fst x))) by_length.

    Definition machine_for (w : list nat) : option machine :=
      option_map snd (find (fun x => Nat.eqb (fst x) (length w)) by_length).

    Lemma machine_for_right w m : moves_right = true -> machine_for w = Some m ->
      agrees m (move_formula (length w)) (2 * length w) (move_letter (length w)) = true.
    Proof.
      unfold moves_right, machine_for. rewrite forallb_forall. intros R E.
      destruct (find _ by_length) as [[k m']|] eqn:F; [|discriminate].
      injection E as <-. apply find_some in F as [I L]. apply Nat.eqb_eq in L. cbn [fst] in L.
      subst k. exact (R _ I).
    Qed.

    Lemma never_more_said k e : fden (never_more k) e <-> forall i,
      i < k -> (e (k + i)%nat <= e i)%N.
    Proof.
      unfold never_more. assert (G : forall l,
        fden (fold_right (fun i f => And (AtMost (Heap (k + i)) (Heap i)) f) (Known true) l) e <->
        forall i, In i l -> (e (k + i)%nat <= e i)%N).
      { induction l as [|j l IH]; cbn [fold_right fden tden]; [split; [intros _ i []|auto]|].
        rewrite IH. split.
        - intros [H1 H2] i [<-|I]; auto.
        - intro H. split; [apply H; now left|]. intros i I. apply H. now right. }
      rewrite G. split; intros H i I; apply H; [apply in_seq; lia|apply in_seq in I; lia].
    Qed.

    Lemma once_less_said k e : fden (once_less k) e <-> exists i, i < k /\ (e (k + i)%nat < e i)%N.
    Proof.
      unfold once_less. assert (G : forall l,
        fden (fold_right (fun i f => Or (Less (Heap (k + i)) (Heap i)) f) (Known false) l) e <->
        exists i, In i l /\ (e (k + i)%nat < e i)%N).
      { induction l as [|j l IH]; cbn [fold_right fden tden]; [split;
          [intros []|intros (i & [] & _)]|]. rewrite IH. split.
        - intros [H|(i & I & H)]; [exists j; split; [now left|exact H]|exists i; split;
            [now right|exact H]].
        - intros (i & [<-|I] & H); [now left|right; now exists i]. }
      rewrite G. split; intros (i & I & H); exists i; (split; [|exact H]); [apply in_seq in I;
        lia|apply in_seq; lia].
    Qed.

    Lemma heaps_before w p q i : i < length w
      -> at_ (heaps w p ++ heaps w q) i = heap (nth i w 0) p.
    Proof.
      intro I. unfold at_, heaps. rewrite app_nth1 by now rewrite map_length.
      rewrite (nth_indep _ 0%N (heap 0 p)) by now rewrite map_length.
      exact (map_nth (fun j => heap j p) w 0 i).
    Qed.
    Lemma heaps_after w p q i : i < length w
      -> at_ (heaps w p ++ heaps w q) (length w + i)%nat = heap (nth i w 0) q.
    Proof.
      intro I. unfold at_, heaps. rewrite app_nth2 by (rewrite map_length; lia). rewrite map_length.
      replace (length w + i - length w) with i by lia.
      rewrite (nth_indep _ 0%N (heap 0 q)) by now rewrite map_length.
      exact (map_nth (fun j => heap j q) w 0 i).
    Qed.

    Lemma tokens_at_most p : forall q, length q = length p -> (forall i,
      heap i q <= heap i p)%N -> (tokens q <= tokens p)%N.
    Proof.
      induction p as [|x p IH]; intros [|y q] L H; try discriminate.
      cbn [tokens fold_right]. fold (tokens p) (tokens q). pose proof (H 0) as H0. cbn in H0.
      specialize (IH q ltac:(now injection L) (fun i => H (S i))). lia.
    Qed.

    Lemma tokens_lower p : forall q, length q = length p -> (forall i, heap i q <= heap i p)%N ->
      ((tokens q < tokens p)%N <-> exists i, (heap i q < heap i p)%N).
    Proof.
      induction p as [|x p IH]; intros [|y q] L H; try discriminate.
      - cbn. split; [lia|]. intros [[|i] X]; cbn in X; lia.
      - cbn [tokens fold_right]. fold (tokens p) (tokens q). pose proof (H 0) as H0. cbn in H0.
        pose proof (tokens_at_most p q ltac:(now injection L) (fun i => H (S i))) as T1.
        pose proof (IH q ltac:(now injection L) (fun i => H (S i))) as T2. split.
        + intro X. destruct (N.lt_ge_cases y x) as [Y|Y]; [exists 0; exact Y|].
          destruct (proj1 T2 ltac:(lia)) as [i I]. now exists (S i).
        + intros [[|i] X]; [cbn in X; lia|]. assert (tokens q < tokens p)%N by (apply T2;
            now exists i). lia.
    Qed.

    (** What the automaton of moves says of a position and another that differs in a window only. *)
    Definition other_heaps_stay (w : list nat) (p q : position) : Prop := forall i,
      ~ In i w -> heap i q = heap i p.

    Lemma move_said w p q : In w windows -> length p = n -> length q = n -> other_heaps_stay w p q
      ->
      fden (move_formula (length w)) (at_ (heaps w p ++ heaps w q)) -> move p q.
    Proof.
      intros W Lp Lq O. cbn [move_formula fden]. rewrite never_more_said, once_less_said.
      intros [[N (i & I & L)] R].
      assert (H : forall j, (heap j q <= heap j p)%N).
      { intro j. destruct (in_dec Nat.eq_dec j w) as [J|J]; [|rewrite (O j J); lia].
        destruct (In_nth w j 0 J) as (x & X & <-). specialize (N x X).
        now rewrite (heaps_before w p q x X), (heaps_after w p q x X) in N. }
      split; [lia|]. split.
      - apply tokens_lower; [lia|exact H|]. rewrite (heaps_before w p q i I),
          (heaps_after w p q i I) in L. now exists (nth i w 0).
      - exists w. split; [exact W|]. split; [exact H|]. split; [exact O|exact R].
    Qed.

    Lemma said_move p q : move p q -> length q = length p /\ (tokens q < tokens p)%N /\ exists w,
      In w windows /\ other_heaps_stay w p q /\
      fden (move_formula (length w)) (at_ (heaps w p ++ heaps w q)).
    Proof.
      intros (L & T & w & W & H & O & R). split; [exact L|]. split; [exact T|]. exists w.
      split; [exact W|]. split; [exact O|].
      cbn [move_formula fden]. rewrite never_more_said, once_less_said. split; [split|exact R].
      - intros i I. rewrite (heaps_before w p q i I), (heaps_after w p q i I). apply H.
      - apply (tokens_lower p q L H) in T as [j J].
        destruct (in_dec Nat.eq_dec j w) as [I|I]; [|rewrite (O j I) in J; lia].
        destruct (In_nth w j 0 I) as (x & X & <-). exists x. split; [exact X|].
        now rewrite (heaps_before w p q x X), (heaps_after w p q x X).
    Qed.

    (** ** Columns of an option *)

    Fixpoint replaced (i : nat) (d : N) (c : list N) {struct c} : list N :=
      match c, i with
      | [], _ => []
      | _ :: c, O => d :: c
      | x :: c, S i => x :: replaced i d c
      end.

    Fixpoint changed (w : list nat) (c : list N) : list (list N) :=
      match w with [] => [c] | i :: w => flat_map (fun d => changed w (replaced i d c)) (digits b)
        end.

    Lemma replaced_length i d c : length (replaced i d c) = length c.
    Proof. revert i. induction c as [|x c IH]; intros [|i]; cbn; auto. Qed.

    Lemma replaced_heap i d c j : heap j (replaced i d c) = if Nat.eqb j i
      && Nat.ltb i (length c) then d else heap j c.
    Proof.
      revert i j. induction c as [|x c IH]; intros i j.
      - replace (Nat.ltb i (length (@nil N))) with false by (symmetry; apply Nat.ltb_ge; cbn; lia).
        rewrite andb_false_r. reflexivity.
      - destruct i as [|i], j as [|j]; cbn; auto. exact (IH i j).
    Qed.

    Lemma small_heap c : small c <-> forall i, (heap i c < b)%N.
    Proof.
      split.
      - intros S i. unfold heap. destruct (nth_in_or_default i c 0%N) as [I|E]; [now apply S|lia].
      - intros H d I. destruct (In_nth c d 0%N I) as (i & _ & <-). apply H.
    Qed.

    Lemma changed_sound w : forall c c',
      small c -> In c' (changed w c) -> length c' = length c /\ small c' /\ other_heaps_stay w c c'.
    Proof.
      induction w as [|i w IH]; intros c c' S H; cbn [changed] in H.
      - destruct H as [<-|[]]. split; [reflexivity|]. split; [exact S|]. intros j _. reflexivity.
      - apply in_flat_map in H as (d & D & H). apply digits_in in D; [|exact base].
        assert (S' : small (replaced i d c)).
        { apply small_heap. intro j. rewrite replaced_heap. destruct (_ && _); [exact D|].
          now apply small_heap. }
        destruct (IH _ _ S' H) as (L & S2 & O). rewrite replaced_length in L. split; [exact L|].
        split; [exact S2|].
        intros j J. cbn [In] in J. rewrite (O j) by tauto. rewrite replaced_heap.
        destruct (Nat.eqb_spec j i); [subst; tauto|reflexivity].
    Qed.

    Lemma changed_all w : forall c c',
      small c' -> length c' = length c -> other_heaps_stay w c c' -> In c' (changed w c).
    Proof.
      induction w as [|i w IH]; intros c c' S L O; cbn [changed].
      - left. apply (nth_ext c c' 0%N 0%N); [lia|]. intros j _. symmetry. apply O. auto.
      - apply in_flat_map. exists (heap i c').
        split; [apply digits_in; [exact base|now apply small_heap]|].
        apply IH; [exact S|now rewrite replaced_length|]. intros j J. rewrite replaced_heap.
        destruct (Nat.eqb_spec j i) as [->|E].
        + cbn [andb]. destruct (Nat.ltb_spec i (length c)) as [H|H]; [reflexivity|].
          rewrite !heap_beyond by lia. reflexivity.
        + cbn [andb]. apply O. cbn [In]. intros [X|X]; [congruence|tauto].
    Qed.

    (** Of a window: its column of heaps before and after, and that of the option,
      for all options' columns. *)
    Definition ways_on (w : list nat) (c : list N) : list (positive * positive) :=
      map (fun c' => (move_letter (length w) (heaps w c ++ heaps w c'), letter c')) (changed w c).

    Notation mw w := (move_letter (length w)).
    Notation both w p q := (heaps w p ++ heaps w q).

    Lemma heaps_mapped (f : N -> N) w p : f 0%N = 0%N -> heaps w (map f p) = map f (heaps w p).
    Proof. intro Z. unfold heaps. rewrite map_map. apply map_ext. intro i. unfold heap.
    now apply nth_mapped. Qed.

    Lemma both_mapped (f : N -> N) w p q : f 0%N = 0%N
      -> both w (map f p) (map f q) = map f (both w p q).
    Proof. intro Z. now rewrite map_app, !heaps_mapped. Qed.

    Lemma zero_mod_base : (0 mod b = 0)%N. Proof. apply N.mod_0_l. lia. Qed.
    Lemma zero_div_base : (0 / b = 0)%N. Proof. apply N.div_0_l. lia. Qed.

    Lemma stay_mapped (f : N -> N) w p q : f 0%N = 0%N -> other_heaps_stay w p q
      -> other_heaps_stay w (map f p) (map f q).
    Proof. intros Z O i I. unfold heap. rewrite !nth_mapped by exact Z. f_equal. now apply O. Qed.

    Lemma both_length w p q : length (both w p q) = 2 * length w.
    Proof. unfold heaps. rewrite app_length, !map_length. lia. Qed.

    Lemma both_below k w p q : below_power k p -> below_power k q -> below_power k (both w p q).
    Proof.
      assert (Z : (0 < b ^ N.of_nat k)%N) by (pose proof (N.pow_nonzero b (N.of_nat k)); lia).
      assert (H : forall r, below_power k r -> below_power k (heaps w r)).
      { intros r R h I. apply in_map_iff in I as (i & <- & _). unfold heap.
        destruct (nth_in_or_default i r 0%N) as [I|E]; [now apply R|lia]. }
      intros P Q h I. apply in_app_or in I as [I|I]; [exact (H p P h I)|exact (H q Q h I)].
    Qed.

    Lemma accepts_move w m k p q : agrees m (move_formula (length w)) (2 * length w) (mw w) = true
      -> below_power k p -> below_power k q ->
      (final m (ran m (mw w) (word k (both w p q))) = true
        <-> fden (move_formula (length w)) (at_ (both w p q))).
    Proof.
      intros G P Q. rewrite (agrees_sound _ _ _ _ G) by (apply word_columns, both_length).
      apply fden_same. intro i. apply word_value. now apply both_below.
    Qed.

    (** ** Claimed positions *)

    Definition claimed (p : position) : Prop := final A (ran A letter (word (N.to_nat (tokens p))
      p)) = true.

    Hypothesis zero_stays : next A 1 (letter (zeros n)) = 1%positive.

    Lemma claimed_word k p : length p = n -> below_power k p
      -> (final A (ran A letter (word k p)) = true <-> claimed p).
    Proof.
      intros L P. unfold claimed. rewrite (ran_same A letter n (word k p) (word (N.to_nat (tokens
        p)) p)); [apply iff_refl|exact zero_stays| | |].
      - now apply word_columns.
      - now apply word_columns.
      - intros i _. rewrite !word_value; [reflexivity|apply below_tokens; lia|exact P].
    Qed.

    Lemma claimed_read t : are_columns b n t -> (final A (ran A letter t) = true
      <-> claimed (read_heaps b n t)).
    Proof.
      intro T. unfold claimed. rewrite (ran_same A letter n t (word (N.to_nat (tokens (read_heaps
        b n t))) (read_heaps b n t))); [apply iff_refl|exact zero_stays|exact T| |].
      - apply word_columns. unfold read_heaps. now rewrite map_length, seq_length.
      - intros i I. rewrite word_value by (apply below_tokens; lia). unfold heap, read_heaps.
        rewrite (nth_indep _ 0%N (read_heap b t 0)) by now rewrite map_length, seq_length.
        rewrite map_nth, seq_nth by exact I. reflexivity.
    Qed.

    (** ** No move leads from a claimed position to one *)

    Definition triple := (positive * (positive * positive))%type.
    Definition same_triple (x y : triple) : bool :=
      Pos.eqb (fst x) (fst y) && (Pos.eqb (fst (snd x)) (fst (snd y))
        && Pos.eqb (snd (snd x)) (snd (snd y))).
    Definition triple_key (x : triple) : positive := mixed (fst x) (mixed (fst (snd x)) (snd (snd
      x))).

    Lemma same_triple_eq x y : same_triple x y = true -> x = y.
    Proof.
      unfold same_triple. rewrite !andb_true_iff, !Pos.eqb_eq.
      destruct x as (x & y' & z), y as (u & v & t). cbn. intros (-> & -> & ->). reflexivity.
    Qed.

    (** States of the automaton of moves from which nothing is accepted. *)
    Definition dead (m : machine) (letters : list positive) (s : positive) : bool :=
      negb (final m s) && forallb (fun l => Pos.eqb (next m s l) s) letters.

    Definition stays_out (w : list nat) (m : machine) (dead_states : list positive) : bool :=
      let letters := map (move_letter (length w)) (columns (2 * length w)) in
      let ways := map (fun c => (letter c, ways_on w c)) (columns n) in
      forallb (dead m letters) dead_states &&
      walked same_triple triple_key
        (fun x => let '(p, (s, q)) := x in
          if existsb (Pos.eqb s) dead_states then []
          else flat_map (fun l => let p' := next A p (fst l) in map (fun o => (p',
            (next m s (fst o), next A q (snd o)))) (snd l)) ways)
        (fun x => negb (final A (fst x) && (final m (fst (snd x)) && final A (snd (snd x)))))
        (1, (1, 1))%positive.

    Lemma stays_out_sound w m deads : stays_out w m deads = true ->
      forall k p q, length p = n -> length q = n -> other_heaps_stay w p q ->
      final A (ran A letter (word k p)) = true
        -> final m (ran m (mw w) (word k (both w p q))) = true ->
      final A (ran A letter (word k q)) = true -> False.
    Proof.
      unfold stays_out. cbn zeta. rewrite andb_true_iff, forallb_forall. intros [D W].
      apply (walked_sound _ _ same_triple_eq) in W as (l & Start & Closed).
      assert (G : forall k p q, length p = n -> length q = n -> other_heaps_stay w p q ->
        In (ran A letter (word k p), (ran m (mw w) (word k (both w p q)),
          ran A letter (word k q))) l \/ In (ran m (mw w) (word k (both w p q))) deads).
      { induction k as [|k IH]; intros p q Lp Lq O; [left; exact Start|].
        set (div := map (fun h => h / b)%N). set (rem := map (fun h => h mod b)%N).
        specialize (IH (div p) (div q) ltac:(subst div; now rewrite map_length) ltac:(subst div;
          now rewrite map_length) (stay_mapped _ w p q zero_div_base O)).
        cbn [word ran fold_right]. fold div rem.
        change (fold_right _ 1%positive (word k ?u)) with (ran A letter (word k u)) at 1 3.
        change (fold_right _ 1%positive (word k (div (both w p q)))) with (ran m (mw w) (word k
          (div (both w p q)))).
        subst div rem. rewrite <- (both_mapped _ w p q zero_mod_base),
          <- (both_mapped _ w p q zero_div_base).
        set (div := map (fun h => h / b)%N) in *. set (rem := map (fun h => h mod b)%N) in *.
        set (s := ran m (mw w) (word k (both w (div p) (div q)))) in *.
        assert (Cp : In (rem p) (columns n)) by (apply columns_in; split; [subst rem;
          now rewrite map_length|apply small_mod]).
        assert (Cq : In (rem q) (changed w (rem p))).
        { apply changed_all; [apply small_mod|subst rem; now rewrite !map_length, Lp, Lq|].
          exact (stay_mapped _ w p q zero_mod_base O). }
        assert (Dead : In s deads -> In (next m s (mw w (both w (rem p) (rem q)))) deads).
        { intro I. pose proof (D s I) as E. unfold dead in E. apply andb_true_iff in E as [_ E].
          rewrite forallb_forall in E.
          specialize (E (mw w (both w (rem p) (rem q)))). rewrite Pos.eqb_eq in E.
          rewrite E; [exact I|].
          apply in_map. apply columns_in. split; [apply both_length|]. intros d H.
          apply in_app_or in H as [H|H];
            apply in_map_iff in H as (i & <- & _); apply small_heap; apply small_mod. }
        destruct IH as [IH|IH]; [|right; now apply Dead].
        destruct (existsb (Pos.eqb s) deads) eqn:E.
        - right. apply Dead. apply existsb_exists in E as (s' & S' & E).
          apply Pos.eqb_eq in E as ->. exact S'.
        - left. destruct (Closed _ IH) as [_ N]. apply N. fold s. rewrite E. apply in_flat_map.
          exists (letter (rem p), ways_on w (rem p)).
          split; [apply (in_map (fun c => (letter c, ways_on w c))); exact Cp|]. cbn [fst snd].
          apply in_map_iff. exists (mw w (both w (rem p) (rem q)), letter (rem q)).
          split; [reflexivity|].
          apply (in_map (fun c' => (move_letter (length w) (heaps w (rem p) ++ heaps w c'),
            letter c'))). exact Cq. }
      intros k p q Lp Lq O F1 F2 F3. destruct (G k p q Lp Lq O) as [I|I].
      - destruct (Closed _ I) as [N _]. cbn [fst snd] in N. rewrite F1, F2, F3 in N. discriminate.
      - specialize (D _ I). unfold dead in D. rewrite F2 in D. discriminate.
    Qed.

    (** ** From every other position a move leads to one *)

    (** A window by its number, a state of its automaton of moves,
      and one of the automaton of positions on the option. *)
    Definition way := (nat * (positive * positive))%type.
    Definition same_way (x y : way) : bool :=
      Nat.eqb (fst x) (fst y) && (Pos.eqb (fst (snd x)) (fst (snd y))
        && Pos.eqb (snd (snd x)) (snd (snd y))).
    Definition way_key (x : way) : positive := mixed (Pos.of_succ_nat (fst x)) (mixed (fst (snd
      x)) (snd (snd x))).

    Lemma same_way_eq x y : same_way x y = true -> x = y.
    Proof.
      unfold same_way. rewrite !andb_true_iff, Nat.eqb_eq, !Pos.eqb_eq.
      destruct x as (x & y' & z), y as (u & v & t). cbn. intros (-> & -> & ->). reflexivity.
    Qed.

    (** Ways, and the state on the position that they go with. *)
    Definition ways_set := (positive * list way)%type.

    Definition machine_on (w : list nat) : machine := match machine_for w with Some m => m | None
      => PositiveMap.empty _ end.
    Definition machines_there : bool := forallb (fun w => match machine_for w with Some _ => true
      | None => false end) windows.

    Lemma machine_on_right w : moves_right = true -> machines_there = true -> In w windows ->
      agrees (machine_on w) (move_formula (length w)) (2 * length w) (mw w) = true.
    Proof.
      unfold machines_there, machine_on. rewrite forallb_forall. intros R T W. specialize (T w W).
      destruct (machine_for w) as [m|] eqn:E; [|discriminate]. now apply machine_for_right.
    Qed.

    Definition ways_table := @table way.
    Definition sets_table := @table ways_set.

    Definition listed (t : sets_table) (s : positive) (ways : ways_table) : bool :=
      match PositiveMap.find s t with
      | Some l => existsb (fun x => Pos.eqb (fst x) s
        && forallb (fun y => is_in same_way way_key y ways) (snd x)) l
      | None => false
      end.

    Definition followed (ms : list machine) (columns_on : list (list (positive * positive))) (ways
      : list way) : list way :=
      flat_map (fun x => let '(j, (s, q)) := x in
        let m := nth j ms (PositiveMap.empty _) in
        map (fun o => (j, (next m s (fst o), next A q (snd o)))) (nth j columns_on [])) ways.

    Definition leads (sets : list ways_set) : bool :=
      let ms := map machine_on windows in
      let t := table_of fst sets in
      let cs := map (fun c => (letter c, map (fun w => ways_on w c) windows)) (columns n) in
      listed t 1 (table_of way_key (map (fun j => (j, (1,
        1))%positive) (seq 0 (length windows)))) &&
      forallb (fun x =>
        (final A (fst x) ||
         existsb (fun y => final (nth (fst y) ms (PositiveMap.empty _)) (fst (snd y))
           && final A (snd (snd y))) (snd x)) &&
        forallb (fun c => listed t (next A (fst x) (fst c)) (table_of way_key (followed ms (snd c)
          (snd x)))) cs) sets.

    Lemma in_bucket {X} (key : X -> positive) l : forall t k l' x,
      PositiveMap.find k (fold_left (put key) l t) = Some l' -> In x l' ->
      In x l \/ exists l0, PositiveMap.find k t = Some l0 /\ In x l0.
    Proof.
      induction l as [|y l IH]; intros t k l' x F I; cbn [fold_left] in F; [right; now exists l'|].
      destruct (IH _ _ _ _ F I) as [H|(l0 & F0 & H)]; [left; now right|]. unfold put in F0.
      destruct (Pos.eq_dec k (key y)) as [->|E].
      - rewrite PositiveMap.gss in F0. injection F0 as <-. destruct H as [<-|H]; [left; now left|].
        right.
        destruct (PositiveMap.find (key y) t) as [l1|]; [now exists l1|destruct H].
      - rewrite PositiveMap.gso in F0 by exact E. right. now exists l0.
    Qed.

    Lemma listed_sound sets s l : listed (table_of fst sets) s (table_of way_key l) = true ->
      exists ways, In (s, ways) sets /\ forall y, In y ways -> In y l.
    Proof.
      unfold listed. destruct (PositiveMap.find s _) as [l'|] eqn:F; [|discriminate].
      rewrite existsb_exists.
      intros ((s' & ways) & I & H). cbn [fst snd] in H. apply andb_true_iff in H as [E H].
      apply Pos.eqb_eq in E as ->.
      exists ways. split.
      - unfold table_of in F. destruct (in_bucket _ _ _ _ _ _ F I) as [J|(l0 & F0 & _)]; [exact J|].
        now rewrite PositiveMap.gempty in F0.
      - rewrite forallb_forall in H. intros y Y. apply (is_in_table same_way way_key same_way_eq).
        now apply H.
    Qed.

    (** An option whose digits lead that way. *)
    Definition leads_there (k : nat) (p : position) (y : way) : Prop :=
      exists q w, nth_error windows (fst y) = Some w /\ length q = n /\ below_power k q
        /\ other_heaps_stay w p q /\
      fst (snd y) = ran (machine_on w) (mw w) (word k (both w p q))
        /\ snd (snd y) = ran A letter (word k q).

    (** One more digit of each heap. *)
    Fixpoint with_digit (q : position) (c : list N) : position :=
      match q, c with h :: q, d :: c => (b * h + d)%N :: with_digit q c | _, _ => [] end.

    Lemma with_digit_right q : forall c, length q = length c -> small c ->
      length (with_digit q c) = length q /\ map (fun h => h / b)%N (with_digit q c) = q
        /\ map (fun h => h mod b)%N (with_digit q c) = c.
    Proof.
      induction q as [|h q IH]; intros [|d c] L S; try discriminate; [auto|].
      cbn [with_digit length map].
      destruct (IH c) as (E1 & E2 & E3); [now injection L|intros e E; apply S; now right|].
      rewrite E1, E2, E3.
      assert (D : (d < b)%N) by (apply S; now left). split; [reflexivity|]. split; f_equal.
      - symmetry. exact (N.div_unique (b * h + d) b h d D eq_refl).
      - symmetry. exact (N.mod_unique (b * h + d) b h d D eq_refl).
    Qed.

    Lemma from_digits (p : position) i : heap i p = (b * heap i (map (fun h => h / b)%N p) + heap
      i (map (fun h => h mod b)%N p))%N.
    Proof. unfold heap. rewrite !nth_mapped by apply zero_mod_base || apply zero_div_base.
    apply N.div_mod. lia. Qed.

    Lemma below_from_digits k p : below_power k (map (fun h => h / b)%N p) -> below_power (S k) p.
    Proof.
      intros H h I. assert (D : (h / b < b ^ N.of_nat k)%N) by (apply H;
        apply (in_map (fun h => h / b)%N); exact I).
      replace (N.of_nat (S k)) with (N.succ (N.of_nat k)) by lia. rewrite N.pow_succ_r'.
      pose proof (N.div_mod h b ltac:(lia)). pose proof (N.mod_lt h b ltac:(lia)). nia.
    Qed.

    Lemma leads_sound sets : leads sets = true -> forall k p, length p = n -> below_power k p ->
      exists ways, In (ran A letter (word k p), ways) sets /\ forall y,
        In y ways -> leads_there k p y.
    Proof.
      unfold leads. cbn zeta. rewrite andb_true_iff, forallb_forall. intros [Start H].
      induction k as [|k IH]; intros p L P.
      - destruct (listed_sound _ _ _ Start) as (ways & I & W). exists ways. split; [exact I|].
        intros y Y. apply W, in_map_iff in Y as (j & <- & J).
        apply in_seq in J. destruct (nth_error windows j) as [w|] eqn:E;
          [|apply nth_error_None in E; lia].
        exists p, w. repeat split; auto.
      - set (div := map (fun h => h / b)%N p). set (rem := map (fun h => h mod b)%N p).
        destruct (IH div) as (ways & I & W); [subst div;
          now rewrite map_length|now apply below_power_div|].
        specialize (H _ I). apply andb_true_iff in H as [_ H]. rewrite forallb_forall in H.
        assert (C : In rem (columns n)) by (apply columns_in; split; [subst rem;
          now rewrite map_length|apply small_mod]).
        specialize (H _ (in_map (fun c => (letter c, map (fun w => ways_on w c) windows)) _ _ C)).
        cbn [fst snd] in H.
        destruct (listed_sound _ _ _ H) as (ways' & I' & W'). exists ways'. split; [exact I'|].
        intros y Y. apply W', in_flat_map in Y as ((j & s & q0) & Z & Y).
        apply in_map_iff in Y as (o & <- & O).
        destruct (W _ Z) as (q & w & E & Lq & Pq & Oq & S1 & S2). cbn [fst snd] in E, S1, S2.
        rewrite (nth_indep _ [] (ways_on [] rem)) in O.
        2: { rewrite map_length. apply nth_error_Some. congruence. }
        rewrite (map_nth (fun w => ways_on w rem)), (nth_error_nth _ _ _ E) in O.
        apply in_map_iff in O as (c' & <- & O).
        destruct (changed_sound w rem c' (small_mod p) O) as (Lc & Sc & Oc).
        assert (Lr : length c' = n) by (rewrite Lc; subst rem; now rewrite map_length).
        destruct (with_digit_right q c' ltac:(lia) Sc) as (L1 & L2 & L3).
        set (q' := with_digit q c') in *.
        exists q', w. cbn [fst snd]. split; [exact E|]. split; [lia|].
        split; [apply below_from_digits; now rewrite L2|]. split.
        { intros i J. rewrite (from_digits q' i), L2, L3, (from_digits p i), (Oq i J), (Oc i J).
          reflexivity. }
        assert (M : nth j (map machine_on windows) (PositiveMap.empty _) = machine_on w).
        { rewrite (nth_indep _ _ (machine_on [])) by (rewrite map_length; apply nth_error_Some;
            congruence).
          rewrite (map_nth machine_on). now rewrite (nth_error_nth _ _ _ E). }
        rewrite M, S1, S2. cbn [word ran fold_right]. rewrite L2, L3. split; [|reflexivity].
        rewrite <- (both_mapped _ w p q' zero_mod_base), <- (both_mapped _ w p q' zero_div_base),
          L2, L3. reflexivity.
    Qed.

    (** ** The theorem *)

    Definition dead_states (w : list nat) : list positive :=
      filter (dead (machine_on w) (map (move_letter (length w)) (columns (2 * length w)))) (map
        fst (PositiveMap.elements (machine_on w))).

    Definition plays (sets : list ways_set) : bool :=
      moves_right && machines_there
        && forallb (fun w => stays_out w (machine_on w) (dead_states w)) windows && leads sets.

    Theorem plays_right sets : plays sets = true -> forall p,
      length p = n -> (P_position move p <-> claimed p).
    Proof.
      unfold plays. rewrite !andb_true_iff, forallb_forall. intros [[[R T] Out] Lead].
      apply (criterion move (fun p => length p = n) claimed).
      - intros p q L M. destruct (said_move p q M) as (Lq & Tq & _). split; [lia|exact Tq].
      - intros p q L Cp M Cq. destruct (said_move p q M) as (Lq & Tq & w & W & O & F).
        rewrite L in Lq.
        set (k := N.to_nat (tokens p)). assert (Pp : below_power k p) by (apply below_tokens; lia).
        assert (Pq : below_power k q) by (apply below_tokens; lia).
        apply (stays_out_sound w (machine_on w) _ (Out w W) k p q L Lq O).
        + now apply claimed_word.
        + now apply (accepts_move w _ k p q (machine_on_right w R T W) Pp Pq).
        + now apply claimed_word.
      - intros p L. unfold claimed at 1. set (k := N.to_nat (tokens p)).
        destruct (final A (ran A letter (word k p))) eqn:F; [now left|right].
        assert (Pp : below_power k p) by (apply below_tokens; lia).
        destruct (leads_sound sets Lead k p L Pp) as (ways & I & Y). unfold leads in Lead.
        cbn zeta in Lead.
        apply andb_true_iff in Lead as [_ Lead]. rewrite forallb_forall in Lead.
        specialize (Lead _ I). cbn [fst snd] in Lead.
        rewrite F in Lead. apply andb_true_iff in Lead as [Lead _]. cbn [orb] in Lead.
        apply existsb_exists in Lead as (y & J & G).
        apply andb_true_iff in G as [G1 G2]. destruct (Y y J) as (q & w & E & Lq & Pq & O & S1 &
          S2).
        assert (W : In w windows) by (now apply nth_error_In with (fst y)).
        rewrite (nth_indep _ _ (machine_on [])) in G1 by (rewrite map_length; apply nth_error_Some;
          congruence).
        rewrite (map_nth machine_on), (nth_error_nth _ _ _ E), S1 in G1. rewrite S2 in G2.
        exists q. split.
        + apply (move_said w p q W L Lq O). now apply (accepts_move w (machine_on w) k p q
            (machine_on_right w R T W) Pp Pq).
        + now apply (claimed_word k q Lq Pq).
    Qed.

    (** ** A claim that is a formula, up to symmetry *)

    Fixpoint nexts (m : machine) (states letters : list positive) : list positive :=
      match states, letters with s :: states,
        l :: letters => next m s l :: nexts m states letters | _, _ => [] end.

    Lemma nexts_mapped {X} m (f g : X
      -> positive) l : nexts m (map f l) (map g l) = map (fun x => next m (f x) (g x)) l.
    Proof. induction l as [|x l IH]; cbn; [reflexivity|now rewrite IH]. Qed.

    Definition union_item := (positive * list positive)%type.
    Fixpoint same_positives (l m : list positive) : bool :=
      match l, m with [], [] => true | x :: l, y :: m => Pos.eqb x y && same_positives l m | _,
        _ => false end.
    Definition same_union (x y : union_item) : bool := Pos.eqb (fst x) (fst y)
      && same_positives (snd x) (snd y).
    Definition union_key (x : union_item) : positive := fold_right mixed 1%positive (fst x :: snd
      x).

    Lemma same_union_eq x y : same_union x y = true -> x = y.
    Proof.
      assert (G : forall l m, same_positives l m = true -> l = m).
      { induction l as [|x' l IH]; intros [|y' m]; cbn; try discriminate; [reflexivity|].
        rewrite andb_true_iff, Pos.eqb_eq. intros [-> H]. f_equal. now apply IH. }
      unfold same_union. rewrite andb_true_iff, Pos.eqb_eq. destruct x, y. cbn. intros [-> H].
      f_equal. now apply G.
    Qed.

    Definition unites (B : machine) (claim : formula) (images : list (list nat)) : bool :=
      forallb (fun s => Nat.eqb (length s) n) images && agrees B claim n letter &&
      (let cs := map (fun c => (letter c, map (fun s => letter (heaps s c)) images)) (columns n) in
       walked same_union union_key
         (fun x => map (fun c => (next A (fst x) (fst c), nexts B (snd x) (snd c))) cs)
         (fun x => eqb (final A (fst x)) (existsb (final B) (snd x)))
         (1%positive, map (fun _ => 1%positive) images)).

    Theorem unites_right B claim images : unites B claim images = true -> forall p, length p = n ->
      (claimed p <-> up_to images (fun q => fden claim (at_ q)) p).
    Proof.
      unfold unites. cbn zeta. rewrite !andb_true_iff, forallb_forall. intros [[Ls G] W] p L.
      apply (walked_sound _ _ same_union_eq) in W as (l & Start & Closed).
      assert (H : forall k p, length p = n -> In (ran A letter (word k p),
        map (fun s => ran B letter (word k (heaps s p))) images) l).
      { induction k as [|k IH]; intros r Lr; [exact Start|].
        specialize (IH (map (fun h => h / b)%N r) ltac:(now rewrite map_length)).
        destruct (Closed _ IH) as [_ N]. apply N. cbn [fst snd].
        apply in_map_iff. exists (letter (map (fun h => h mod b)%N r),
          map (fun s => letter (heaps s (map (fun h => h mod b)%N r))) images). split.
        - cbn [fst snd word ran fold_right]. f_equal. rewrite nexts_mapped. apply map_ext. intro s.
          now rewrite (heaps_mapped _ s r zero_mod_base), (heaps_mapped _ s r zero_div_base).
        - apply (in_map (fun c => (letter c, map (fun s => letter (heaps s c)) images))).
          apply columns_in. split; [now rewrite map_length|apply small_mod]. }
      set (k := N.to_nat (tokens p)). assert (P : below_power k p) by (apply below_tokens; lia).
      rewrite <- (claimed_word k p L P). destruct (Closed _ (H k p L)) as [E _]. cbn [fst snd] in E.
      apply eqb_prop in E. rewrite E, existsb_exists.
      assert (S : forall s, In s images -> (final B (ran B letter (word k (heaps s p))) = true
        <-> fden claim (at_ (heaps s p)))).
      { intros s I. specialize (Ls s I). apply Nat.eqb_eq in Ls. rewrite (agrees_sound _ _ _ _ G).
        - apply fden_same. intro i. apply word_value. intros h J.
          apply in_map_iff in J as (i' & <- & _). unfold heap.
          destruct (nth_in_or_default i' p 0%N) as [J|J]; [now apply P|].
          pose proof (N.pow_nonzero b (N.of_nat k)). lia.
        - apply word_columns. unfold heaps. now rewrite map_length. }
      split.
      - intros (x & X & F). apply in_map_iff in X as (s & <- & I). exists s. split; [exact I|].
        now apply S.
      - intros (s & I & F). exists (ran B letter (word k (heaps s p))).
        split; [apply (in_map (fun s => ran B letter (word k (heaps s p)))); exact I|]. now apply S.
    Qed.
  End Game.
End Base.

(** * What is checked *)

(** Nothing is computed of too many columns. *)
Definition affordable (b : N) (n : nat) (windows : list (list nat)) (lengths : list nat) : bool :=
  N.leb 2 b && N.leb b 36 && Nat.leb n 14 && N.leb (b ^ N.of_nat n) 16384 &&
  forallb (fun k => Nat.leb k 14
    && N.leb (b ^ N.of_nat (n + k)) 16384) (map (@length nat) windows) &&
  forallb (fun k => Nat.leb k 14 && N.leb (b ^ N.of_nat (2 * k)) 16384) lengths.

Definition fine (b : N) (n : nat) (windows : list (list nat)) (rule : formula) (rows : list (list
  N))
  (moved : list (nat * list (list N))) (sets : list ways_set) : bool :=
  affordable b n windows (map fst moved) &&
  Pos.eqb (next (machine_of rows) 1 (letter b (zeros n))) 1 &&
  plays b n windows rule (machine_of rows) (map (fun x => (fst x, machine_of (snd x))) moved) sets.

Lemma fine_base b n windows rule rows moved sets : fine b n windows rule rows moved sets = true
  -> (2 <= b)%N.
Proof. unfold fine, affordable. rewrite !andb_true_iff, N.leb_le. tauto. Qed.

(** Every position is read, and the automaton says who wins. *)
Theorem every_position_read b n : (2 <= b)%N -> forall p, length p = n -> exists t,
  are_columns b n t /\ read_heaps b n t = p.
Proof.
  intros B p L. exists (word b (N.to_nat (tokens p)) p). split; [now apply word_columns|].
  apply read_word; [exact B|exact L|].
  apply below_tokens; lia.
Qed.

Theorem fine_reads b n windows rule rows moved sets : fine b n windows rule rows moved sets = true
  ->
  forall t, are_columns b n t ->
  (P_position (moves windows (fun u v => fden rule (at_ (u ++ v)))) (read_heaps b n t)
    <-> accepted b rows t).
Proof.
  intro F. pose proof (fine_base _ _ _ _ _ _ _ F) as B. unfold fine in F.
  rewrite !andb_true_iff, Pos.eqb_eq in F. destruct F as [[_ Z] P].
  intros t T. rewrite (plays_right b B n windows rule _ _ Z sets P) by (unfold read_heaps;
    now rewrite map_length, seq_length).
  rewrite <- (claimed_read b B n _ Z t T), ran_state. apply final_machine.
Qed.

Theorem fine_says b n windows rule rows moved sets B claim images : fine b n windows rule rows
  moved sets = true ->
  unites b n (machine_of rows) B claim images = true ->
  forall p, length p = n ->
  (P_position (moves windows (fun u v => fden rule (at_ (u ++ v)))) p
    <-> up_to images (fun q => fden claim (at_ q)) p).
Proof.
  intros F U. pose proof (fine_base _ _ _ _ _ _ _ F) as B2. unfold fine in F.
  rewrite !andb_true_iff, Pos.eqb_eq in F. destruct F as [[_ Z] P].
  intros p L. rewrite (plays_right b B2 n windows rule _ _ Z sets P p L).
  exact (unites_right b B2 n _ Z B claim images U p L).
Qed.

(** Automata in one list of numbers: of each state how many numbers follow, and these. *)
Definition flat (rows : list (list N)) : list N := flat_map (fun r => N.of_nat (length r) :: r)
  rows.
Fixpoint rows_from (fuel : nat) (l : list N) : list (list N) :=
  match fuel, l with
  | S fuel, k :: l => let k := N.to_nat (N.min k 1048576) in firstn k l :: rows_from fuel (skipn k
    l)
  | _, _ => []
  end.

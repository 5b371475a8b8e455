(** The P-positions of a game on heaps, checked. The claimed positions are the P-positions if no
    move leads from one to another, and from every other position a move leads to one; in misere
    play no position without moves may be claimed.

    Everything is said of variables: the position's heaps are the first, then come guesses, then
    what definitions name, then one that is 0, then what alternatives of formulas need. *)

From Coq Require Import List NArith ZArith Lia Bool FMapPositive Permutation.
From Bouton Require Import Positions Forms Refute Formulas Cover.
Import ListNotations.
Open Scope nat_scope.

(** * The criterion *)

Section Criterion.
  Variable move : position -> position -> Prop.
  Variable stands : position -> Prop.   (* what counts as a position *)
  Variable claimed : position -> Prop.
  Hypothesis less : forall p q, stands p -> move p q -> stands q /\ (tokens q < tokens p)%N.
  Hypothesis inside : forall p q, stands p -> claimed p -> move p q -> claimed q -> False.

  Lemma by_tokens (Q : position -> Prop) :
    (forall p, stands p -> (forall q, move p q -> Q q) -> Q p) -> forall p, stands p -> Q p.
  Proof.
    intro H. assert (G : forall k p, (tokens p < N.of_nat k)%N -> stands p -> Q p).
    { induction k as [|k IH]; intros p T L; [lia|]. apply H; [exact L|]. intros q M.
      destruct (less p q L M).
      apply IH; [lia|assumption]. }
    intros p L. apply (G (S (N.to_nat (tokens p))) p); [lia|exact L].
  Qed.

  Lemma exclusive p : stands p -> P_position move p -> N_position move p -> False.
  Proof.
    revert p. apply (by_tokens (fun p => P_position move p -> N_position move p -> False)).
    intros p _ IH [A] [q M P]. exact (IH q M P (A q M)).
  Qed.

  Theorem criterion :
    (forall p, stands p -> claimed p \/ exists q, move p q /\ claimed q) -> forall p, stands p ->
      (P_position move p <-> claimed p).
  Proof.
    intros lead. assert (H : forall p, stands p -> (claimed p -> P_position move p) /\
      ((exists q, move p q /\ claimed q) -> N_position move p)).
    { apply (by_tokens (fun p => (claimed p -> P_position move p) /\
        ((exists q, move p q /\ claimed q) -> N_position move p))).
      intros p L IH. split.
      - intro H. constructor. intros q M. apply (IH q M). destruct (less p q L M) as [Lq _].
        destruct (lead q Lq) as [Q|Q]; [destruct (inside p q L H M Q)|exact Q].
      - intros (q & M & Q). exists q; [exact M|]. now apply (IH q M). }
    intros p L. split; [|now apply H]. intro Pp. destruct (lead p L) as [Sp|N]; [exact Sp|].
    destruct (exclusive p L Pp). now apply H.
  Qed.

  Lemma misere_exclusive p : stands p -> misere_P move p -> misere_N move p -> False.
  Proof.
    revert p. apply (by_tokens (fun p => misere_P move p -> misere_N move p -> False)).
    intros p _ IH [[q0 M0] A] N. destruct N as [O|q M P];
      [exact (O q0 M0)|exact (IH q M P (A q M))].
  Qed.

  Theorem misere_criterion :
    (forall p, stands p -> claimed p -> exists q, move p q) ->
    (forall p, stands p -> claimed p \/ (exists q, move p q /\ claimed q) \/
      forall q, ~ move p q) ->
    forall p, stands p -> (misere_P move p <-> claimed p).
  Proof.
    intros moves_on lead.
    assert (H : forall p, stands p -> (claimed p -> misere_P move p) /\
      ((exists q, move p q /\ claimed q) \/ (forall q, ~ move p q) -> misere_N move p)).
    { apply (by_tokens (fun p => (claimed p -> misere_P move p) /\
        ((exists q, move p q /\ claimed q) \/ (forall q, ~ move p q) -> misere_N move p))).
      intros p L IH. split.
      - intro H. constructor; [now apply moves_on|]. intros q M. apply (IH q M).
        destruct (less p q L M) as [Lq _].
        destruct (lead q Lq) as [Q|Q]; [destruct (inside p q L H M Q)|exact Q].
      - intros [(q & M & Q)|O]; [|now apply misere_over]. apply misere_some_P with q; [exact M|].
        now apply (IH q M). }
    intros p L. split; [|now apply H]. intro Pp. destruct (lead p L) as [Sp|N]; [exact Sp|].
    destruct (misere_exclusive p L Pp). now apply H.
  Qed.
End Criterion.

(** * Positions as variables *)

Definition at_ (p : position) : env := fun i => nth i p 0%N.

(** Where a list of heaps has a number, the variable in the same place of another list. *)
Fixpoint place (i : nat) (w vs : list nat) : nat :=
  match w, vs with
  | j :: w, v :: vs => if Nat.eqb i j then v else place i w vs
  | _, _ => i
  end.

Section Names.
  Variable n : nat.   (* heaps *)
  Variable z : nat.   (* the variable that is 0 *)

  (** The heaps of a position are the variables [o i]; they are looked at in the order of a list. *)
  Definition in_order (o : naming) (u : list nat) : naming :=
    fun i => match nth_error u i with Some j => if Nat.ltb j n then o j else z | None => z end.

  (** The window's heaps before and after a move. *)
  Definition in_window (o : naming) (w : list nat) : naming :=
    fun i => if Nat.ltb i (length w) then in_order (fun j => j) w i else in_order o w
      (i - length w).

  Definition stands_for (e : env) (o : naming) (q : position) : Prop :=
    length q = n /\ e z = 0%N /\ forall i, (i < n)%nat -> e (o i) = heap i q.

  Lemma nth_heaps u q i : nth i (heaps u q) 0%N = match nth_error u i with Some j => heap j q |
    None => 0%N end.
  Proof. unfold heaps. revert i. induction u as [|j u IH]; intros [|i]; cbn; auto. Qed.

  Lemma in_order_sound e o u q : stands_for e o q -> same (view e (in_order o u)) (at_ (heaps u q)).
  Proof.
    intros (L & Z & H) i. unfold view, in_order, at_. rewrite nth_heaps.
    destruct (nth_error u i) as [j|]; [|exact Z].
    destruct (Nat.ltb_spec j n) as [J|J]; [now apply H|]. rewrite Z. unfold heap. symmetry.
    apply nth_overflow. lia.
  Qed.

  Lemma in_window_sound e o w p q :
    stands_for e (fun i => i) p -> stands_for e o q ->
      same (view e (in_window o w)) (at_ (heaps w p ++ heaps w q)).
  Proof.
    intros Hp Hq i. pose proof (in_order_sound e _ w p Hp) as A.
    pose proof (in_order_sound e o w q Hq) as B.
    unfold view, in_window, at_ in *. assert (L : length (heaps w p) = length w) by
      apply map_length.
    destruct (Nat.ltb_spec i (length w)) as [H|H].
    - rewrite app_nth1 by lia. apply A.
    - rewrite app_nth2 by lia. rewrite L. apply B.
  Qed.

  Lemma in_order_below o u m : (z < m)%nat -> (forall i, (i < n)%nat -> (o i < m)%nat) ->
    names_below (in_order o u) m.
  Proof. intros Z H i. unfold in_order. destruct (nth_error u i) as [j|]; [|exact Z].
  destruct (Nat.ltb_spec j n); auto. Qed.

  Lemma in_window_below o w m :
    (z < m)%nat -> (n <= m)%nat -> (forall i, (i < n)%nat -> (o i < m)%nat) ->
      names_below (in_window o w) m.
  Proof.
    intros Z N H i. unfold in_window. destruct (Nat.ltb i (length w)); apply in_order_below; auto.
    intros j J. lia.
  Qed.
End Names.

Lemma heap_beyond i p : (length p <= i)%nat -> heap i p = 0%N.
Proof. apply nth_overflow. Qed.

Lemma heaps_all n p : length p = n -> heaps (seq 0 n) p = p.
Proof.
  intro L. apply (nth_ext _ _ 0%N 0%N); [unfold heaps; rewrite map_length, seq_length; auto|].
  intros i Hi. unfold heaps in Hi. rewrite map_length, seq_length in Hi. rewrite nth_heaps.
  rewrite (nth_error_nth' (seq 0 n) 0%nat) by (rewrite seq_length; lia). rewrite seq_nth by lia.
  reflexivity.
Qed.

Fixpoint check_all {A} (f : A -> list refutation -> bool) (l : list A)
  (certs : list (list refutation)) : bool :=
  match l, certs with
  | [], _ => true
  | a :: l, c :: certs => f a c && check_all f l certs
  | _, [] => false
  end.

Lemma check_all_in {A} f (l : list A) certs a : check_all f l certs = true -> In a l ->
  exists c, f a c = true.
Proof.
  revert certs. induction l as [|b l IH]; intros [|c certs]; cbn; try discriminate; try tauto.
  rewrite andb_true_iff. intros [H1 H2] [<-|H]; [now exists c|now apply (IH certs)].
Qed.

(** All alternatives are refuted, together with forms known to be at most 0. *)
Fixpoint refute_all (known : list form) (alts : list (list form)) (certs : list refutation) :
  bool :=
  match alts, certs with
  | [], _ => true
  | c :: alts, r :: certs => refutes r (known ++ c) && refute_all known alts certs
  | _, [] => false
  end.

Lemma refute_all_sound known alts certs e c :
  refute_all known alts certs = true -> below e known -> In c alts -> below e c -> False.
Proof.
  intros R K. revert certs R. induction alts as [|d alts IH]; intros [|r certs]; cbn;
    try discriminate; try tauto.
  rewrite andb_true_iff. intros [R1 R2] [<-|H] B; [|now apply (IH certs)].
  apply (refutes_sound r (known ++ d) e R1), below_app. tauto.
Qed.

(** What is said of variables below [n] cannot be, where these forms are at most 0. *)
Lemma refute_said known l certs n e :
  refute_all known (all_alternatives l n) certs = true -> forallb (bounded n) known = true ->
    below e known ->
  (forall r truth f, In (r, truth, f) l -> names_below r n) -> (forall s, In s l -> holds e s) ->
    False.
Proof.
  intros R B K N H. destruct (all_alternatives_sound l n e N H) as (e1 & A & c & C & Bc).
  apply (refute_all_sound known _ certs e1 c R); auto. exact (below_agree n e e1 known A B K).
Qed.

(** * Games *)

Section Game.
  Variable n : nat.
  Variable windows : list (list nat).
  Variable rule : position -> position -> Prop.
  Variable rule_formula : formula.
  Variable alive : bool.                     (* whether every heap of a position holds something *)
  Variable claim : position -> Prop.
  Variable formulas : nat -> formula.        (* what it says of so many heaps *)
  Variable images : list (list nat).
  Variable targets : list (list nat * nat).
  (* the option's heaps in order, those first that are left, and how many these are *)

  Definition own (m : nat) : Prop := m = n \/ alive = true /\ (m < n)%nat.

  Hypothesis rule_said : forall w p q, In w windows ->
    (rule (heaps w p) (heaps w q) <-> fden rule_formula (at_ (heaps w p ++ heaps w q))).
  Hypothesis claim_said : forall p, own (length p) ->
    (claim p <-> fden (formulas (length p)) (at_ p)).

  Notation move := (moves windows rule).

  Definition lives (p : position) : Prop := alive = true -> forall i, (i < n)%nat ->
    heap i p <> 0%N.

  (** An option leaves what is claimed: in this order, the other heaps being empty. *)
  Definition landed (x : list nat * nat) (q : position) : Prop :=
    alive = true -> (forall i, In i (firstn (snd x) (fst x)) -> heap i q <> 0%N) /\
      forall i, In i (skipn (snd x) (fst x)) -> heap i q = 0%N.
  Definition lands (x : list nat * nat) (q : position) : Prop := landed x q /\
    claim (heaps (firstn (snd x) (fst x)) q).
  Definition target (q : position) : Prop := exists x, In x targets /\ lands x q.

  Definition fine_target (x : list nat * nat) : bool :=
    Nat.eqb (length (fst x)) n && forallb (fun i => Nat.ltb i n) (fst x) &&
    (if Nat.eqb (snd x) n then existsb (same_list (fst x)) images else alive && Nat.ltb (snd x) n).

  Lemma fine_own x : fine_target x = true ->
    length (fst x) = n /\ (forall i, In i (fst x) -> (i < n)%nat) /\ own (snd x) /\
      length (firstn (snd x) (fst x)) = snd x.
  Proof.
    unfold fine_target, own. rewrite !andb_true_iff. intros [[L B] O]. apply Nat.eqb_eq in L.
    rewrite forallb_forall in B.
    split; [exact L|]. split; [intros i Hi; now apply Nat.ltb_lt, B|]. rewrite firstn_length, L.
    destruct (Nat.eqb_spec (snd x) n) as [->|_].
    - split; [now left|lia].
    - apply andb_true_iff in O as [A O]. apply Nat.ltb_lt in O. split; [right; now split|lia].
  Qed.

  (** Of a position itself that holds, too, if it is one of its images. *)
  Lemma fine_stays x p : fine_target x = true -> length p = n -> lives p -> lands x p ->
    up_to images claim p.
  Proof.
    intros F Lp A [La C]. destruct (fine_own x F) as (Lx & B & _ & _). unfold fine_target in F.
    rewrite !andb_true_iff in F. destruct F as [_ F].
    destruct (Nat.eqb_spec (snd x) n) as [E|E].
    - apply existsb_exists in F as (s & Hs & E'). apply same_list_eq in E' as <-. exists (fst x).
      split; [exact Hs|].
      rewrite E, <- Lx, firstn_all in C. exact C.
    - apply andb_true_iff in F as [Al F]. apply Nat.ltb_lt in F. exfalso. destruct (La Al) as [_ Z].
      assert (Hi : exists i, In i (skipn (snd x) (fst x))).
      { destruct (skipn (snd x) (fst x)) as [|i l] eqn:S; [|exists i; now left].
        pose proof (skipn_length (snd x) (fst x)) as Q. rewrite S in Q. cbn in Q. lia. }
      destruct Hi as [i Hi]. apply (A Al i); [|now apply Z]. apply B.
      rewrite <- (firstn_skipn (snd x)). apply in_or_app. now right.
  Qed.

  Lemma claimed_said u m p : length u = m -> own m ->
    (claim (heaps u p) <-> fden (formulas m) (at_ (heaps u p))).
  Proof.
    intros L O. assert (E : length (heaps u p) = m) by (unfold heaps; now rewrite map_length).
    pose proof (claim_said (heaps u p)) as H.
    rewrite E in H. exact (H O).
  Qed.

  (** Forms that say that heaps hold something, and that they are empty. *)
  Definition held (o : naming) (l : list nat) : list form :=
    if alive then map (fun i => minus (constant 1) (variable (o i))) l else [].
  Definition empty (o : naming) (l : list nat) : list form :=
    if alive then map (fun i => variable (o i)) l else [].

  Lemma held_sound z e o q l : stands_for n z e o q -> (forall i, In i l -> (i < n)%nat) ->
    (alive = true -> forall i, In i l -> heap i q <> 0%N) -> below e (held o l).
  Proof.
    intros (_ & _ & H) B A. unfold held. destruct alive; [|apply below_nil]. intros f Hf.
    apply in_map_iff in Hf as (i & <- & Hi).
    rewrite fval_minus, fval_constant, fval_variable, (H i (B i Hi)). specialize (A eq_refl i Hi).
    lia.
  Qed.

  Lemma empty_sound z e o q l : stands_for n z e o q -> (forall i, In i l -> (i < n)%nat) ->
    (alive = true -> forall i, In i l -> heap i q = 0%N) -> below e (empty o l).
  Proof.
    intros (_ & _ & H) B A. unfold empty. destruct alive; [|apply below_nil]. intros f Hf.
    apply in_map_iff in Hf as (i & <- & Hi).
    rewrite fval_variable, (H i (B i Hi)), (A eq_refl i Hi). lia.
  Qed.

  (** ** No move leads from a claimed position to one *)

  Definition mem (i : nat) (l : list nat) : bool := existsb (Nat.eqb i) l.
  Lemma mem_in i l : mem i l = true <-> In i l.
  Proof. unfold mem. rewrite existsb_exists.
  split; [intros (j & J & E); apply Nat.eqb_eq in E as ->; exact J|].
    intro H. exists i. split; [exact H|apply Nat.eqb_refl]. Qed.

  Definition option_of (w moved : list nat) : naming := fun i => place i w moved.

  (** The option's heaps are at most the position's, and one is less. *)
  Definition lowered (w : list nat) (o : naming) : list form :=
    plus (constant 1) (fold_right (fun i f => plus (minus (variable (o i)) (variable i)) f)
      (constant 0) (seq 0 n))
    :: map (fun i => minus (variable (o i)) (variable i)) (filter (fun i => Nat.ltb i n) w).

  Definition no_move (x : list nat * (list nat * (list nat * nat))) (certs : list refutation) :
    bool :=
    let '(w, (s, (u, m))) := x in
    let z := (n + length w)%nat in
    let o := option_of w (seq n (length w)) in
    let known := lowered w o ++ held (fun i => i) (seq 0 n) ++ held o (firstn m u) ++ empty o
      (skipn m u) in
    (* a heap outside the window is not emptied *)
    alive && existsb (fun i => negb (mem i w)) (skipn m u) ||
    refute_all known
      (all_alternatives [(in_window n z o w, true, rule_formula);
        (in_order n z (fun i => i) s, true, formulas n);
                         (in_order n z o (firstn m u), true, formulas m)] (S z)) certs &&
    forallb (bounded (S z)) known && forallb (fun i => Nat.ltb (o i) z) (seq 0 n).

  Lemma place_seq i w m : (In i w -> exists j, nth_error w j = Some i /\
    place i w (seq m (length w)) = (m + j)%nat) /\
    (~ In i w -> place i w (seq m (length w)) = i).
  Proof.
    revert m. induction w as [|k w IH]; intro m; cbn [place length seq];
      [split; [intros []|reflexivity]|].
    destruct (Nat.eqb_spec i k) as [->|N].
    - split; [|intro H; destruct H; now left]. intros _. exists 0%nat. split; [reflexivity|lia].
    - destruct (IH (S m)) as [I1 I2]. split.
      + intros [->|H]; [contradiction|]. destruct (I1 H) as (j & J1 & J2). exists (S j).
        split; [exact J1|lia].
      + intro H. apply I2. intro. apply H. now right.
  Qed.

  Lemma tokens_sum p : length p = n -> Z.of_N (tokens p) = fold_right
    (fun i a => (Z.of_N (heap i p) + a)%Z) 0%Z (seq 0 n).
  Proof.
    intro L. rewrite <- (heaps_all n p L) at 1. unfold heaps, tokens.
    induction (seq 0 n) as [|i l IH]; [reflexivity|].
    cbn [map fold_right]. rewrite N2Z.inj_add, IH. reflexivity.
  Qed.

  Lemma lowered_sound e w o p q :
    stands_for n (n + length w) e (fun i => i) p -> stands_for n (n + length w) e o q ->
    (forall i, heap i q <= heap i p)%N -> (tokens q < tokens p)%N -> below e (lowered w o).
  Proof.
    intros (Lp & _ & Hp) (Lq & _ & Hq) Le Lt f [<-|Hf].
    - rewrite fval_plus, fval_constant.
      assert (E : forall l, (forall i, In i l -> (i < n)%nat) ->
        fval e (fold_right (fun i f => plus (minus (variable (o i)) (variable i)) f) (constant 0) l)
          =
        (fold_right (fun i a => Z.of_N (heap i q) + a) 0 l - fold_right
          (fun i a => Z.of_N (heap i p) + a) 0 l)%Z).
      { induction l as [|i l IH]; intro H; [reflexivity|]. cbn [fold_right].
        rewrite fval_plus, fval_minus, !fval_variable, IH
          by (intros; apply H; now right). rewrite (Hq i), (Hp i) by (apply H; now left). lia. }
      rewrite E by (intros i Hi; apply in_seq in Hi; lia). rewrite <- !tokens_sum by assumption.
      lia.
    - apply in_map_iff in Hf as (i & <- & Hi). apply filter_In in Hi as [_ Hi].
      apply Nat.ltb_lt in Hi.
      rewrite fval_minus, !fval_variable, (Hq i Hi), (Hp i Hi). specialize (Le i). lia.
  Qed.

  Lemma no_move_sound w s u m certs p q :
    no_move (w, (s, (u, m))) certs = true -> In w windows -> length p = n -> length q = n ->
      (tokens q < tokens p)%N ->
    (forall i, heap i q <= heap i p)%N -> (forall i, ~ In i w -> heap i q = heap i p) ->
      rule (heaps w p) (heaps w q) ->
    length s = n -> lives p -> fine_target (u, m) = true -> claim (heaps s p) -> lands (u, m) q ->
      False.
  Proof.
    unfold no_move. intros X Hw Lp Lq Lt Le St Ru Ls Al F Cp [La Cq].
    destruct (fine_own (u, m) F) as (Lu & Bu & Own & Lm).
    cbn [fst snd] in *. assert (Bk : forall i, In i (firstn m u) -> (i < n)%nat).
    { intros i Hi. apply Bu. rewrite <- (firstn_skipn m). apply in_or_app. now left. }
    assert (Bg : forall i, In i (skipn m u) -> (i < n)%nat).
    { intros i Hi. apply Bu. rewrite <- (firstn_skipn m). apply in_or_app. now right. }
    apply orb_true_iff in X as [X|X].
    { apply andb_true_iff in X as [A X]. apply existsb_exists in X as (i & Hi & Out).
      destruct (La A) as [_ Z]. cbn [fst snd] in Z.
      apply (Al A i (Bg i Hi)). rewrite <- (St i); [now apply Z|]. intro W. apply mem_in in W.
      rewrite W in Out. discriminate. }
    rewrite !andb_true_iff in X. destruct X as [[R B] O].
    set (known := lowered w _ ++ _) in *.
    set (z := (n + length w)%nat) in *. set (o := option_of w (seq n (length w))) in *.
    set (e := fun i => if Nat.ltb i n then heap i p else match nth_error w (i - n) with Some j =>
      heap j q | None => 0%N end).
    assert (Z : e z = 0%N).
    { unfold e, z. destruct (Nat.ltb_spec (n + length w) n) as [X|_]; [lia|].
      replace (n + length w - n)%nat with (length w) by lia.
      now rewrite (proj2 (nth_error_None w (length w)) (Nat.le_refl _)). }
    assert (Sp : stands_for n z e (fun i => i) p).
    { repeat split; try assumption. intros i Hi. unfold e. apply Nat.ltb_lt in Hi as ->.
      reflexivity. }
    assert (Sq : stands_for n z e o q).
    { repeat split; try assumption. intros i Hi. unfold o, option_of.
      destruct (place_seq i w n) as [I1 I2].
      destruct (in_dec Nat.eq_dec i w) as [W|W].
      - destruct (I1 W) as (j & J1 & ->). unfold e.
        destruct (Nat.ltb_spec (n + j) n) as [X|_]; [lia|].
        replace (n + j - n)%nat with j by lia. now rewrite J1.
      - rewrite (I2 W). unfold e. apply Nat.ltb_lt in Hi as ->. symmetry. now apply St. }
    rewrite forallb_forall in O.
    assert (Ob : forall i, (i < n)%nat -> (o i < S z)%nat).
    { intros i Hi. specialize (O i). rewrite in_seq in O. specialize (O ltac:(lia)).
      apply Nat.ltb_lt in O. lia. }
    apply (refute_said known _ certs (S z) e R B).
    - unfold known. rewrite !below_app. split; [now apply (lowered_sound e w o p q)|].
      split; [|split].
      + apply (held_sound z e _ p _ Sp); [intros i Hi; apply in_seq in Hi; lia|]. intros A i Hi.
        apply in_seq in Hi. apply (Al A). lia.
      + apply (held_sound z e o q _ Sq Bk). intro A. exact (proj1 (La A)).
      + apply (empty_sound z e o q _ Sq Bg). intro A. exact (proj2 (La A)).
    - intros r t f [H|[H|[H|[]]]]; injection H as <- <- <-.
      + apply in_window_below; [lia|unfold z; lia|exact Ob].
      + apply in_order_below; [lia|]. intros; unfold z; lia.
      + apply in_order_below; [lia|exact Ob].
    - intros x [<-|[<-|[<-|[]]]]; cbn [holds truly].
      + apply (fden_same _ _ _ (in_window_sound n z e o w p q Sp Sq)). now apply rule_said.
      + apply (fden_same _ _ _ (in_order_sound n z e _ s p Sp)).
        apply claimed_said; [exact Ls|now left|exact Cp].
      + apply (fden_same _ _ _ (in_order_sound n z e o (firstn m u) q Sq)). now apply claimed_said.
  Qed.

  (** *** Images that say the same *)

  Definition among (l l' : list nat) : bool := forallb (fun i => mem i l') l.
  Lemma among_in l l' i : among l l' = true -> In i l -> In i l'.
  Proof. unfold among. rewrite forallb_forall. intros H Hi. apply mem_in. now apply H. Qed.

  Definition same_target (x y : list nat * nat) : bool := same_list (fst x) (fst y) && Nat.eqb
    (snd x) (snd y).
  Lemma same_target_eq x y : same_target x y = true -> x = y.
  Proof.
    unfold same_target. rewrite andb_true_iff. intros [A B]. apply same_list_eq in A.
    apply Nat.eqb_eq in B. destruct x, y. cbn in *. congruence.
  Qed.

  (** That the claim in one order implies it in another. *)
  Definition implies (x y : list nat * nat) (certs : list refutation) : bool :=
    same_target x y ||
    (let m := snd x in
     let u := firstn m (fst x) in
     let v := firstn m (fst y) in
     Nat.eqb m (snd y) && among v u && among (skipn m (fst y)) (skipn m (fst x)) && quantifier_free
       (formulas m) &&
     forallb (bounded (S n)) (held (fun i => i) u) &&
     refute_all (held (fun i => i) u)
       (all_alternatives [(in_order n n (fun i => i) u, true, formulas m);
         (in_order n n (fun i => i) v, false, formulas m)] (S n)) certs).

  Lemma implies_sound x y certs p :
    implies x y certs = true -> length p = n -> fine_target x = true -> fine_target y = true ->
      lands x p -> lands y p.
  Proof.
    unfold implies. intros H L Fx Fy C. apply orb_true_iff in H as [H|H];
      [apply same_target_eq in H as <-; exact C|].
    rewrite !andb_true_iff in H. destruct H as [[[[[E Av] Ag] Q] B] R]. apply Nat.eqb_eq in E.
    destruct (fine_own x Fx) as (Lx & Bx & Own & Lu). destruct (fine_own y Fy) as (_ & _ & _ & Lv).
    destruct x as [u m], y as [v m']. cbn [fst snd] in *. subst m'. destruct C as [La C].
    cbn [fst snd] in C. split.
    { intro A. destruct (La A) as [K G]. cbn [fst snd] in *.
      split; intros i Hi; [apply K, (among_in _ _ _ Av Hi)|apply G, (among_in _ _ _ Ag Hi)]. }
    cbn [fst snd]. assert (Sp : stands_for n n (at_ p) (fun i => i) p).
    { repeat split; [exact L|apply nth_overflow; lia]. }
    apply (claimed_said (firstn m v) m p Lv Own).
    destruct (decided (formulas m) (at_ (heaps (firstn m v) p)) Q) as [D|D]; [exact D|exfalso].
    apply (refute_said _ _ certs (S n) (at_ p) R B).
    - apply (held_sound n (at_ p) (fun i => i) p _ Sp).
      + intros i Hi. apply Bx. rewrite <- (firstn_skipn m). apply in_or_app. now left.
      + intro A. exact (proj1 (La A)).
    - intros r b f [H|[H|[]]]; injection H as <- <- <-; apply in_order_below; lia || (intros; lia).
    - intros b [<-|[<-|[]]]; cbn [holds truly].
      + apply (fden_same _ _ _ (in_order_sound n n _ _ (firstn m u) p Sp)). now apply claimed_said.
      + intro F. apply D. now apply (fden_same _ _ _ (in_order_sound n n _ _ (firstn m v) p Sp)).
  Qed.

  (** *** Symmetry *)

  Definition is_order (s : list nat) : bool := Nat.eqb (length s) n && forallb (fun i => mem i s)
    (seq 0 n).

  (** Any number may be taken, windows go to windows, and one image follows from another by a
    third. *)
  Definition symmetric : bool :=
    match rule_formula with Known true => true | _ => false end &&
    forallb is_order images &&
    forallb (fun s => forallb (fun w =>
      existsb (fun w' => forallb (fun i => negb (mem (nth i s 0%nat) w) || mem i w') (seq 0 n))
        windows) windows) images &&
    forallb (fun s => forallb (fun t =>
      existsb (fun u => same_list (map (fun i => nth i s 0%nat) (fst u)) (fst t) && Nat.eqb (snd u)
        (snd t)) targets) targets) images.

  Lemma heap_heaps s p i : (i < length s)%nat -> heap i (heaps s p) = heap (nth i s 0%nat) p.
  Proof.
    intro H. unfold heap at 1. rewrite nth_heaps. rewrite (nth_error_nth' s 0%nat H). reflexivity.
  Qed.

  Lemma order_permutes s p : is_order s = true -> length p = n -> Permutation (heaps s p) p.
  Proof.
    unfold is_order. rewrite andb_true_iff. intros [L H] Lp. apply Nat.eqb_eq in L.
    rewrite <- (heaps_all n p Lp) at 2.
    unfold heaps. apply Permutation_map. symmetry.
    apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|].
    intros i Hi. rewrite forallb_forall in H. now apply mem_in, H.
  Qed.

  Lemma tokens_permute p q : Permutation p q -> tokens p = tokens q.
  Proof. induction 1; unfold tokens in *; cbn [fold_right]; lia. Qed.

  Lemma symmetric_move s p q :
    symmetric = true -> In s images -> length p = n -> move p q -> move (heaps s p) (heaps s q).
  Proof.
    unfold symmetric. rewrite !andb_true_iff.
    intros [[[Y O] W] _] Hs Lp (L & Lt & w & Hw & Le & St & Ru).
    rewrite forallb_forall in O, W. pose proof (O s Hs) as Os. specialize (W s Hs).
    rewrite forallb_forall in W. specialize (W w Hw).
    apply existsb_exists in W as (w' & Hw' & W).
    assert (Ls : length s = n). { unfold is_order in Os. apply andb_true_iff in Os as [E _].
    now apply Nat.eqb_eq. }
    split; [unfold heaps; now rewrite !map_length|]. split.
    { rewrite (tokens_permute _ _ (order_permutes s p Os Lp)),
        (tokens_permute _ _ (order_permutes s q Os ltac:(congruence))). exact Lt. }
    exists w'. split; [exact Hw'|]. split; [|split].
    - intro i. destruct (Nat.lt_ge_cases i (length s)) as [Hi|Hi];
        [rewrite !heap_heaps by exact Hi; apply Le|].
      rewrite !heap_beyond by (unfold heaps; now rewrite map_length). lia.
    - intros i Hi. destruct (Nat.lt_ge_cases i (length s)) as [Hl|Hl].
      + rewrite !heap_heaps by exact Hl. apply St. intro In_w. apply Hi.
        rewrite forallb_forall in W.
        specialize (W i ltac:(apply in_seq; lia)).
        apply orb_true_iff in W as [W|W]; [|now apply mem_in].
        apply negb_true_iff in W. apply mem_in in In_w. congruence.
      + rewrite !heap_beyond by (unfold heaps; now rewrite map_length). reflexivity.
    - apply rule_said; [exact Hw'|]. destruct rule_formula as [[]| | | | | | |]; try discriminate.
      exact I.
  Qed.

  Lemma heaps_heaps s u q : length s = n -> (forall i, In i u -> (i < n)%nat) ->
    heaps u (heaps s q) = heaps (map (fun i => nth i s 0%nat) u) q.
  Proof.
    intros L H. unfold heaps at 1 3. rewrite map_map. apply map_ext_in. intros i Hi.
    apply heap_heaps. rewrite L. now apply H.
  Qed.

  (** *** All of condition I *)

  Record condition_I := {
    reduced : list (list nat * nat);                        (* targets, enough of them *)
    reduction : list ((list nat * nat) * list refutation);  (* for each target one of them *)
    cases : list (list refutation)
  }.

  Fixpoint reduces (l : list (list nat * nat)) (r : list ((list nat * nat) * list refutation))
    (to : list (list nat * nat)) : bool :=
    match l, r with
    | [], _ => true
    | x :: l, (y, c) :: r => implies x y c && existsb (same_target y) to && reduces l r to
    | _, [] => false
    end.

  Definition check_I (d : condition_I) : bool :=
    let firsts := if symmetric then [seq 0 n] else images in
    forallb (fun s => Nat.eqb (length s) n && forallb (fun i => Nat.ltb i n) s) images &&
    forallb fine_target targets && forallb fine_target (reduced d) &&
    reduces targets (reduction d) (reduced d) &&
    check_all no_move (list_prod windows (list_prod firsts (reduced d))) (cases d).

  Lemma reduces_in l r to x : reduces l r to = true -> In x l -> exists y c, implies x y c = true /\
    In y to.
  Proof.
    revert r. induction l as [|b l IH]; intros [|[y c] r]; cbn; try discriminate; try tauto.
    rewrite !andb_true_iff. intros [[H1 H2] H3] [<-|H]; [|now apply (IH r)]. exists y, c.
    split; [exact H1|].
    apply existsb_exists in H2 as (t' & T & E). apply same_target_eq in E as ->. exact T.
  Qed.

  (** In another order of the heaps. *)
  Lemma turned s u x q :
    length s = n -> (forall i, In i (fst u) -> (i < n)%nat) -> map (fun i => nth i s 0%nat) (fst u)
      = fst x -> snd u = snd x ->
    lands x q -> lands u (heaps s q).
  Proof.
    intros Ls B E Em [La C]. destruct u as [u m], x as [t m']. cbn [fst snd] in *. subst m' t.
    assert (Bk : forall i, In i (firstn m u) -> (i < n)%nat).
    { intros i Hi. apply B. rewrite <- (firstn_skipn m). apply in_or_app. now left. }
    assert (Bg : forall i, In i (skipn m u) -> (i < n)%nat).
    { intros i Hi. apply B. rewrite <- (firstn_skipn m). apply in_or_app. now right. }
    split.
    - intro A. destruct (La A) as [K G]. cbn [fst snd] in *. rewrite firstn_map in K.
      rewrite skipn_map in G. split; intros i Hi.
      + rewrite heap_heaps by (rewrite Ls; now apply Bk). apply K.
        now apply (in_map (fun i => nth i s 0%nat)).
      + rewrite heap_heaps by (rewrite Ls; now apply Bg). apply G.
        now apply (in_map (fun i => nth i s 0%nat)).
    - cbn [fst snd] in *. rewrite heaps_heaps by assumption. now rewrite <- firstn_map.
  Qed.

  Theorem check_I_sound d p q :
    check_I d = true -> length p = n -> lives p -> up_to images claim p -> move p q -> target q ->
      False.
  Proof.
    unfold check_I. rewrite !andb_true_iff. intros [[[[I1 F1] F2] I3] I4] Lp Al (s & Hs & Cs) M
      (t & Ht & Ct).
    rewrite forallb_forall in I1, F1, F2.
    assert (LI : forall s, In s images -> length s = n /\ forall i, In i s -> (i < n)%nat).
    { intros x Hx. specialize (I1 x Hx). apply andb_true_iff in I1 as [A B]. apply Nat.eqb_eq in A.
      split; [exact A|].
      intros i Hi. rewrite forallb_forall in B. now apply Nat.ltb_lt, B. }
    (* from a position in the first image, or in any *)
    assert (G : forall p q first u, In first (if symmetric then [seq 0 n] else images) ->
      In u targets -> length p = n -> lives p ->
      move p q -> length first = n -> claim (heaps first p) -> lands u q -> False).
    { clear p q Lp Al Cs M Ct. intros p q first u Hf Hu Lp Al (Lq & Lt & w & Hw & Le & St & Ru) Lf
        Cp Cq.
      destruct (reduces_in _ _ _ u I3 Hu) as (y & c & Im & Hy).
      apply (implies_sound u y c q Im) in Cq; [|congruence|now apply F1|now apply F2].
      destruct (check_all_in _ _ _ (w, (first, y)) I4) as (certs & X);
        [apply in_prod; [exact Hw|now apply in_prod]|].
      destruct y as [v m]. apply (no_move_sound w first v m certs p q X); auto. congruence. }
    destruct symmetric eqn:Y.
    - pose proof (symmetric_move s p q Y Hs Lp M) as M'. unfold symmetric in Y.
      rewrite !andb_true_iff in Y. destruct Y as [_ Y].
      rewrite forallb_forall in Y. specialize (Y s Hs). rewrite forallb_forall in Y.
      specialize (Y t Ht).
      apply existsb_exists in Y as (u & Hu & E). apply andb_true_iff in E as [E Em].
      apply same_list_eq in E. apply Nat.eqb_eq in Em.
      destruct (LI s Hs) as [Ls Bs]. destruct (fine_own u (F1 u Hu)) as (_ & Bu & _ & _).
      assert (Lsp : length (heaps s p) = n) by (unfold heaps; now rewrite map_length).
      apply (G (heaps s p) (heaps s q) (seq 0 n) u); auto.
      + now left.
      + intros A i Hi. rewrite heap_heaps by (now rewrite Ls). apply (Al A). apply Bs, nth_In.
        now rewrite Ls.
      + apply seq_length.
      + now rewrite heaps_all.
      + now apply (turned s u t q).
    - apply (G p q s t); auto. now apply LI.
  Qed.

  (** ** From every other position a move leads to one *)

  (** What is known at most 0; for each definition forms of which one is;
    the number of variables. *)
  Definition knowledge := (list form * list (list form) * nat)%type.

  Definition tidy (k : knowledge) : bool :=
    let '(known, splits, m) := k in forallb (bounded m) known && forallb (forallb (bounded m))
      splits.

  Definition knows (e : env) (k : knowledge) : Prop :=
    let '(known, splits, _) := k in below e known /\ forall c, In c splits -> exists f, In f c /\
      (fval e f <= 0)%Z.

  Lemma knows_agree e e' k : tidy k = true -> agree (snd k) e e' -> knows e k -> knows e' k.
  Proof.
    destruct k as [[known splits] m]. unfold tidy, knows. rewrite andb_true_iff. cbn [snd].
    intros [T1 T2] A [K C].
    split; [exact (below_agree m e e' known A T1 K)|]. intros c Hc.
    destruct (C c Hc) as (f & F & V). exists f. split; [exact F|].
    rewrite forallb_forall in T2. specialize (T2 c Hc). rewrite forallb_forall in T2.
    now rewrite <- (fval_agree m e e' f A (T2 f F)).
  Qed.

  (** A refutation for each way in which the named definitions turn out. *)
  Record shown := { splits : list nat; leaves : list refutation }.

  Fixpoint combinations (all : list (list form)) (l : list nat) : list (list form) :=
    match l with
    | [] => [[]]
    | i :: l => flat_map (fun f => map (cons f) (combinations all l)) (nth i all [constant 0])
    end.

  Definition contrary_refuted (k : knowledge) (alternative : list form) (s : shown) : bool :=
    let '(known, all, _) := k in refute_all (known ++ alternative) (combinations all (splits s))
      (leaves s).

  Fixpoint all_refuted (k : knowledge) (alts : list (list form)) (proofs : list shown) : bool :=
    match alts, proofs with
    | [], _ => true
    | a :: alts, s :: proofs => contrary_refuted k a s && all_refuted k alts proofs
    | _, [] => false
    end.

  Lemma combinations_sound e all l :
    (forall c, In c all -> exists f, In f c /\ (fval e f <= 0)%Z) ->
      exists c, In c (combinations all l) /\ below e c.
  Proof.
    intro H. induction l as [|i l (c & C & B)]; [exists []; split; [now left|apply below_nil]|].
    cbn [combinations].
    assert (X : exists f, In f (nth i all [constant 0]) /\ (fval e f <= 0)%Z).
    { destruct (nth_in_or_default i all [constant 0]) as [Y|Y]; [now apply H|]. rewrite Y.
      exists (constant 0).
      split; [now left|cbn; lia]. }
    destruct X as (f & F & V). exists (f :: c). split; [|now apply below_cons]. apply in_flat_map.
    exists f. split; [exact F|].
    now apply in_map.
  Qed.

  Lemma contrary_sound k a s e : contrary_refuted k a s = true -> knows e k -> below e a -> False.
  Proof.
    destruct k as [[known all] m]. intros R [K1 K2] B.
    destruct (combinations_sound e all (splits s) K2) as (c & C & Bc).
    apply (refute_all_sound (known ++ a) _ (leaves s) e c R); auto. apply below_app. tauto.
  Qed.

  Lemma all_refuted_sound k alts proofs e a :
    all_refuted k alts proofs = true -> knows e k -> In a alts -> below e a -> False.
  Proof.
    intros R K. revert proofs R. induction alts as [|b alts IH]; intros [|s proofs];
      cbn [all_refuted]; try discriminate; try tauto.
    rewrite andb_true_iff. intros [R1 R2] [<-|H] B; [|now apply (IH proofs)].
    exact (contrary_sound k b s e R1 K B).
  Qed.

  (** What a further variable is: the greatest or least of forms, or a quotient that a condition
      says is whole. It is a natural number, which is refuted in the contrary. *)
  Inductive definition :=
  | Extreme (greatest : bool) (fs : list form) (natural : list shown)
  | Whole (i : nat) (natural : shown).

  Definition natural_fine (greatest : bool) (k : knowledge) (fs : list form) (proofs : list shown) :
    bool :=
    all_refuted k (if greatest then [map (plus (constant 1)) fs] else
      map (fun f => [plus (constant 1) f]) fs) proofs.

  Definition beside (greatest : bool) (m : nat) (fs : list form) : list form :=
    map (fun f => if greatest then minus f (variable m) else minus (variable m) f) fs.

  Fixpoint define (cs : list condition) (ds : list definition) (k : knowledge) : option knowledge :=
    if tidy k then
      match ds with
      | [] => Some k
      | d :: ds =>
        let '(known, splits, m) := k in
        match d with
        | Extreme g fs proofs =>
          if forallb (bounded m) fs && negb (match fs with [] => true | _ => false end) &&
            natural_fine g k fs proofs
          then let exactly := beside (negb g) m fs in
            define cs ds (known ++ beside g m fs ++ (match fs with [_] => exactly | _ => [] end),
              splits ++ [exactly], S m)
          else None
        | Whole i r =>
          match nth_error cs i with
          | Some (Divisible j f) =>
            if bounded m f && contrary_refuted k [plus (constant 1) f] r
            then define cs ds (known ++ equal f (times (Npos j) (variable m)),
              splits ++ [[constant 0]], S m)
            else None
          | _ => None
          end
        end
      end
    else None.

  Lemma most_extreme e g fs : fs <> [] ->
    exists f, In f fs /\ forall h, In h fs ->
      (if g : bool then fval e h <= fval e f else fval e f <= fval e h)%Z.
  Proof.
    intro N. destruct fs as [|f fs]; [contradiction|]. clear N. revert f.
    induction fs as [|x fs IH]; intro f.
    - exists f. split; [now left|]. intros h [<-|[]]. destruct g; lia.
    - destruct (IH x) as (y & Y & H).
      destruct (Z_le_gt_dec (fval e f) (fval e y)) as [L|L], g.
      + exists y. split; [now right|]. intros h [<-|Hh]; [exact L|now apply H].
      + exists f. split; [now left|]. intros h [<-|Hh]; [lia|]. specialize (H h Hh). cbn in H. lia.
      + exists f. split; [now left|]. intros h [<-|Hh]; [lia|]. specialize (H h Hh). cbn in H. lia.
      + exists y. split; [now right|]. intros h [<-|Hh]; [lia|now apply H].
  Qed.

  Lemma natural_sound e g k fs proofs f :
    natural_fine g k fs proofs = true -> knows e k -> In f fs ->
    (forall h, In h fs -> (if g : bool then fval e h <= fval e f else fval e f <= fval e h)%Z) ->
      (0 <= fval e f)%Z.
  Proof.
    intros N K F M. destruct (Z_le_gt_dec 0 (fval e f)) as [L|L]; [exact L|exfalso].
    unfold natural_fine in N. destruct g.
    - apply (all_refuted_sound k _ proofs e (map (plus (constant 1)) fs) N K); [now left|].
      intros h H. apply in_map_iff in H as (x & <- & X). rewrite fval_plus, fval_constant.
      specialize (M x X). cbn in M. lia.
    - apply (all_refuted_sound k _ proofs e [plus (constant 1) f] N K).
      + now apply (in_map (fun f => [plus (constant 1) f])).
      + intros h [<-|[]]. rewrite fval_plus, fval_constant. lia.
  Qed.

  Lemma define_sound cs ds k k' e :
    define cs ds k = Some k' -> knows e k -> (forall c, In c cs -> meets e c) ->
      (forall c, In c cs -> bounded (snd k) (form_of c) = true) ->
    snd k <= snd k' /\ tidy k' = true /\ exists e', agree (snd k) e e' /\ knows e' k'.
  Proof.
    revert k e. induction ds as [|d ds IH]; intros [[known splits] m] e; cbn [define];
      destruct (tidy (known, splits, m)) eqn:T;
      try discriminate.
    - intros [= <-] K _ _. split; [apply Nat.le_refl|]. split; [exact T|]. exists e.
      split; [apply agree_refl|exact K].
    - cbn [snd]. intros D K C B.
      assert (Next : forall x new split, knows (set e m x) (known ++ new, splits ++ [split], S m) ->
        define cs ds (known ++ new, splits ++ [split], S m) = Some k' ->
        m <= snd k' /\ tidy k' = true /\ exists e', agree m e e' /\ knows e' k').
      { intros x new split Kn Dn. assert (A : agree m e (set e m x)) by (apply agree_set;
          apply Nat.le_refl).
        destruct (IH _ (set e m x) Dn Kn) as (L & Tk & e' & A' & K').
        - intros c Hc. specialize (C c Hc). specialize (B c Hc).
          destruct c as [f|j f|f]; cbn [meets form_of] in *;
            now rewrite <- (fval_agree m e (set e m x) f A B).
        - intros c Hc. specialize (B c Hc). cbn [snd]. unfold bounded in *.
          rewrite forallb_forall in *. intros t Ht.
          specialize (B t Ht). rewrite forallb_forall in *. intros v Hv. specialize (B v Hv).
          apply Nat.ltb_lt in B. apply Nat.ltb_lt. lia.
        - cbn [snd] in *. split; [lia|]. split; [exact Tk|]. exists e'. split; [|exact K'].
          apply (agree_trans m (S m) e (set e m x) e'); [lia|exact A|exact A']. }
      assert (Old : forall x, below (set e m x) known /\ forall c, In c splits ->
        exists f, In f c /\ (fval (set e m x) f <= 0)%Z).
      { intro x. apply (knows_agree e (set e m x) (known, splits, m) T);
          [apply agree_set; apply Nat.le_refl|exact K]. }
      destruct d as [g fs proofs|i r].
      + destruct (forallb (bounded m) fs && _ && _) eqn:F; [|discriminate].
        rewrite !andb_true_iff in F. destruct F as [[F1 F2] F3].
        destruct (most_extreme e g fs) as (f & Hf & M); [intros ->; discriminate|].
        pose proof (natural_sound e g _ fs proofs f F3 K Hf M) as P. rewrite forallb_forall in F1.
        set (x := Z.to_N (fval e f)). assert (Vm : fval (set e m x) (variable m) = fval e f).
        { rewrite fval_variable, set_same. unfold x. lia. }
        assert (Vh : forall h, In h fs -> fval (set e m x) h = fval e h).
        { intros h Hh. symmetry. apply (fval_agree m);
            [apply agree_set; apply Nat.le_refl|now apply F1]. }
        destruct (Old x) as [O1 O2].
        refine (Next x _ _ _ D). split.
        * rewrite !below_app. split; [exact O1|]. split.
          -- intros h H. unfold beside in H. apply in_map_iff in H as (y & <- & Y).
          specialize (M y Y).
             destruct g; rewrite fval_minus, Vm, (Vh y Y); lia.
          -- destruct fs as [|y [|]]; try apply below_nil. destruct Hf as [->|[]]. intros h [<-|[]].
             destruct g; cbn [negb]; rewrite fval_minus, Vm, (Vh f (or_introl eq_refl)); lia.
        * intros c Hc. apply in_app_or in Hc as [Hc|[<-|[]]]; [now apply O2|].
          exists (if negb g then minus f (variable m) else minus (variable m) f). split.
          -- unfold beside. now apply (in_map (fun f => if negb g then minus f (variable m) else
            minus (variable m) f)).
          -- destruct g; cbn [negb]; rewrite fval_minus, Vm, (Vh f Hf); lia.
      + destruct (nth_error cs i) as [[f|j f|f]|] eqn:E; try discriminate.
        destruct (bounded m f && _) eqn:F; [|discriminate].
        apply andb_true_iff in F as [F1 F2]. apply nth_error_In in E. pose proof (C _ E) as Cf.
        cbn [meets] in Cf.
        assert (P : (0 <= fval e f)%Z).
        { destruct (Z_le_gt_dec 0 (fval e f)) as [L|L]; [exact L|exfalso].
          apply (contrary_sound _ [plus (constant 1) f] r e F2 K). intros h [<-|[]].
          rewrite fval_plus, fval_constant. lia. }
        set (x := Z.to_N (fval e f / Zpos j)). destruct (Old x) as [O1 O2].
        refine (Next x _ _ _ D). split.
        * apply below_app. split; [exact O1|]. apply below_equal.
          rewrite fval_times, fval_variable, set_same.
          rewrite <- (fval_agree m e (set e m x) f (agree_set m e m x (Nat.le_refl _)) F1).
          pose proof (Z.div_mod (fval e f) (Zpos j) ltac:(lia)) as DM. rewrite Cf in DM.
          assert (0 <= fval e f / Zpos j)%Z by (apply Z.div_pos; lia). unfold x.
          rewrite Z2N.id by assumption. cbn [Z.of_N]. lia.
        * intros c Hc. apply in_app_or in Hc as [Hc|[<-|[]]]; [now apply O2|]. exists (constant 0).
          split; [now left|]. cbn. lia.
  Qed.

  (** What of a formula is shown: of an "or" one side, of an "exists" a value. *)
  Inductive witness := Here | Left (w : witness) | Right (w : witness) | Pair (v w : witness) |
    Value (x : nat) (w : witness).

  Fixpoint choose (m : nat) (r : naming) (f : formula) (w : witness) {struct w} : option
    (list (naming * formula)) :=
    match w with
    | Here => if quantifier_free f then Some [(r, f)] else None
    | Left w => match f with Or f _ => choose m r f w | _ => None end
    | Right w => match f with Or _ f => choose m r f w | _ => None end
    | Pair v w =>
      match f with
      | And f g => match choose m r f v, choose m r g w with Some a, Some b => Some (a ++ b) |
        _, _ => None end
      | _ => None
      end
    | Value x w => match f with Exists i f => if Nat.ltb x m then choose m (rename r i x) f w else
      None | _ => None end
    end.

  Lemma choose_sound m r f w l e :
    choose m r f w = Some l -> names_below r m ->
    (forall r' g, In (r', g) l -> names_below r' m /\ quantifier_free g = true) /\
    ((forall r' g, In (r', g) l -> fden g (view e r')) -> fden f (view e r)).
  Proof.
    revert r f l. induction w; intros r f l; cbn [choose].
    - destruct (quantifier_free f) eqn:Q; [|intro X; discriminate X]. intros [= <-] N. split.
      + intros r' g [H|[]]. injection H as <- <-. split; assumption.
      + intro H. apply (H r f). now left.
    - destruct f; try (intro X; discriminate X). intros C N. destruct (IHw _ _ _ C N) as [A B].
      split; [exact A|]. cbn [fden]. tauto.
    - destruct f; try (intro X; discriminate X). intros C N. destruct (IHw _ _ _ C N) as [A B].
      split; [exact A|]. cbn [fden]. tauto.
    - destruct f; try (intro X; discriminate X).
      destruct (choose m r f1 w1) as [a|] eqn:E1; [|intro X; discriminate X].
      destruct (choose m r f2 w2) as [b|] eqn:E2; [|intro X; discriminate X]. intros [= <-] N.
      destruct (IHw1 _ _ _ E1 N) as [A1 B1]. destruct (IHw2 _ _ _ E2 N) as [A2 B2]. split.
      + intros r' g H. apply in_app_or in H as [H|H]; auto.
      + intro H. cbn [fden]. split; [apply B1|apply B2]; intros r' g Hg; apply H, in_or_app; auto.
    - destruct f as [| | | | | | |i f]; try (intro X; discriminate X).
      destruct (Nat.ltb_spec x m) as [X|_]; [|intro Y; discriminate Y]. intros C N.
      assert (N' : names_below (rename r i x) m) by (intro j; unfold rename; destruct (Nat.eqb j i);
        [exact X|apply N]).
      destruct (IHw _ _ _ C N') as [A B]. split; [exact A|]. intro H. cbn [fden]. exists (e x).
      apply (fden_same f (view e (rename r i x))); [|now apply B]. intro j.
      unfold view, rename, set.
      destruct (Nat.eqb j i); reflexivity.
  Qed.

  (** What is shown of a part: a move in this window, the option's heaps there being these
      variables, leads to a claimed position; or the position is claimed; or play is over; or there
      is no such position, as a heap is empty that cannot be. *)
  Inductive kind := Move (w : list nat) (moved : list nat) (t : list nat * nat) |
    Stay (s : list nat) | Over | Nowhere.

  Record proved_part := {
    what : kind;
    of_rule : witness;
    of_claim : witness;
    definitions : list definition;
    goals : list shown;
    covering : part
  }.

  Definition contraries (m : nat) (l : option (list (naming * formula))) : option
    (list (list form)) :=
    match l with
    | None => None
    | Some l => Some (flat_map (fun x => fst (alternatives (fst x) false (snd x) (S m))) l)
    end.

  Definition goals_of (misere : bool) (p : proved_part) (m : nat) : option (list (list form)) :=
    match what p with
    | Move w moved (t, k) =>
      let o := option_of w moved in
      if existsb (same_list w) windows && existsb (same_target (t, k)) targets && forallb
        (fun i => Nat.ltb i n) w &&
         Nat.eqb (length moved) (length w) && forallb (fun v => Nat.ltb v m) moved
      then match contraries m (choose (S m) (in_window n m o w) rule_formula (of_rule p)),
                 contraries m (choose (S m) (in_order n m o (firstn k t)) (formulas k) (of_claim p))
                   with
           | Some a, Some b =>
             Some (map (fun i => [plus (constant 1) (minus (variable i) (variable (o i)))]) w ++
               (if alive then map (fun i => [variable (o i)]) (firstn k t) ++ map
                 (fun i => [minus (constant 1) (variable (o i))]) (skipn k t)
                else []) ++ a ++ b)
           | _, _ => None
           end
      else None
    | Stay s =>
      if existsb (same_list s) images && Nat.eqb (length s) n then contraries m
        (choose (S m) (in_order n m (fun i => i) s) (formulas n) (of_claim p)) else None
    | Over => if misere then Some (map (fun i =>
      [plus (constant 1) (minus (constant 0) (variable i))]) (seq 0 n)) else None
    | Nowhere => Some [[]]
    end.

  Definition differences (cs : list condition) : list (list form) :=
    flat_map (fun c => match c with Differs f => [[plus (constant 1) f; minus (constant 1) f]] |
      _ => [] end) cs.

  Definition bounds (cs : list condition) : list form :=
    flat_map (fun c => match c with Bound f => [f] | _ => [] end) cs.

  Definition check_part (misere : bool) (p : proved_part) : bool :=
    let cs := conditions (covering p) in
    let m := n + guesses (covering p) in
    forallb (fun c => bounded m (form_of c)) cs &&
    match define cs (definitions p) (held (fun i => i) (seq 0 n) ++ bounds cs, differences cs, m)
      with
    | None => false
    | Some k =>
      match goals_of misere p (snd k) with
      | None => false
      | Some alts => all_refuted k alts (goals p)
      end
    end.

  (** The position with the variables [o i] as heaps. *)
  Definition position_of (e : env) (o : naming) : position := map (fun i => e (o i)) (seq 0 n).

  Lemma heap_position_of e o i : heap i (position_of e o) = if Nat.ltb i n then e (o i) else 0%N.
  Proof.
    unfold heap, position_of. destruct (Nat.ltb_spec i n) as [H|H].
    - rewrite nth_indep with (d' := (fun i => e (o i)) 0) by (rewrite map_length, seq_length;
        exact H).
      rewrite (map_nth (fun i => e (o i))), seq_nth by exact H. reflexivity.
    - apply nth_overflow. rewrite map_length, seq_length. exact H.
  Qed.

  Lemma fewer_tokens p q : length p = length q -> (forall i, heap i q <= heap i p)%N -> q = p \/
    (tokens q < tokens p)%N.
  Proof.
    revert q. induction p as [|x p IH]; intros [|y q]; cbn [length]; intros L H; try discriminate;
      [now left|].
    injection L as L. pose proof (H 0) as H0. cbn in H0.
    destruct (IH q L (fun i => H (S i))) as [->|T].
    - destruct (N.eq_dec y x) as [->|]; [now left|]. right. unfold tokens. cbn [fold_right]. lia.
    - right. unfold tokens in *. cbn [fold_right]. lia.
  Qed.

  Lemma no_tokens p : (forall i, heap i p = 0%N) -> tokens p = 0%N.
  Proof.
    induction p as [|x p IH]; intro H; [reflexivity|]. unfold tokens in *. cbn [fold_right].
    rewrite IH by (intro i; exact (H (S i))). specialize (H 0). cbn in H. now rewrite H.
  Qed.

  Lemma contraries_sound m l r f w alts k e :
    choose (S m) r f w = Some l -> contraries m (Some l) = Some alts -> names_below r (S m) ->
    tidy k = true -> snd k <= S m -> knows e k ->
    (forall a, In a alts -> forall e', knows e' k -> below e' a -> False) -> fden f (view e r).
  Proof.
    intros C [= <-] N T Le K R. destruct (choose_sound (S m) r f w l e C N) as [A B]. apply B.
    intros r' g Hg.
    destruct (A r' g Hg) as [N' Q]. destruct (decided g (view e r') Q) as [D|D]; [exact D|exfalso].
    destruct (alternatives_sound g r' false (S m) e N' D) as (_ & e1 & A1 & c & Hc & Bc).
    apply (R c) with (e' := e1).
    - apply in_flat_map. exists (r', g). split; [exact Hg|exact Hc].
    - apply (knows_agree e e1 k T); [exact (agree_le (snd k) (S m) e e1 Le A1)|exact K].
    - apply Bc, agree_refl.
  Qed.

  Lemma place_below i w moved m : i < m -> forallb (fun v => Nat.ltb v m) moved = true ->
    place i w moved < m.
  Proof.
    intros I. revert w. induction moved as [|v moved IH]; intros [|j w]; cbn [place forallb];
      try (intros; exact I).
    rewrite andb_true_iff. intros [V M]. destruct (Nat.eqb i j);
      [now apply Nat.ltb_lt|now apply IH].
  Qed.

  Lemma place_outside i w moved : ~ In i w -> place i w moved = i.
  Proof.
    revert moved. induction w as [|j w IH]; intros [|v moved] H; cbn [place]; try reflexivity.
    destruct (Nat.eqb_spec i j) as [->|_]; [destruct H; now left|]. apply IH. intro. apply H.
    now right.
  Qed.

  (** Where the conditions of a part are met there are values of what its definitions name, and of a
      variable that is 0. *)
  Lemma values_defined cs ds known m k pos e :
    define cs ds (known ++ bounds cs, differences cs, m) = Some k -> n <= m ->
    (forall c, In c cs -> bounded m (form_of c) = true) ->
    length pos = n -> agree n (at_ pos) e -> below e known -> (forall c, In c cs -> meets e c) ->
    m <= snd k /\ tidy k = true /\
    exists e', knows e' k /\ stands_for n (snd k) e' (fun i => i) pos.
  Proof.
    intros D Hm Bc L A Kn M.
    destruct (define_sound cs ds (known ++ bounds cs, differences cs, m) k e D)
      as (Lm & T & e1 & A1 & K).
    { split.
      - apply below_app. split; [exact Kn|]. intros f Hf. unfold bounds in Hf.
        apply in_flat_map in Hf as ([g|j g|g] & Hc & Hf); try destruct Hf as [<-|[]].
        + exact (M (Bound g) Hc).
        + destruct Hf.
        + destruct Hf.
      - intros c Hf. unfold differences in Hf.
        apply in_flat_map in Hf as ([g|j g|g] & Hc & Hf); [destruct Hf|destruct Hf|].
        destruct Hf as [<-|[]]. pose proof (M (Differs g) Hc) as D0. cbn [meets] in D0.
        destruct (Z_le_gt_dec (fval e g) 0); [exists (plus (constant 1) g)|exists (minus
          (constant 1) g)];
          (split; [cbn; tauto|]); rewrite ?fval_plus, ?fval_minus, fval_constant; lia. }
    { exact M. }
    { exact Bc. }
    cbn [snd] in *. split; [exact Lm|]. split; [exact T|]. exists (set e1 (snd k) 0%N). split.
    - apply (knows_agree e1 _ k T); [apply agree_set; apply Nat.le_refl|exact K].
    - repeat split; [exact L|apply set_same|]. intros i Hi. rewrite set_other by lia.
      rewrite <- (A1 i) by lia. symmetry. now apply A.
  Qed.

  Lemma check_part_sound misere p pos e :
    forallb fine_target targets = true -> check_part misere p = true -> length pos = n ->
      lives pos -> agree n (at_ pos) e ->
    (forall c, In c (conditions (covering p)) -> meets e c) ->
    up_to images claim pos \/ (exists q, move pos q /\ target q) \/
      (misere = true /\ tokens pos = 0%N).
  Proof.
    intro Ft. unfold check_part. rewrite andb_true_iff. intros [Bc H] L Al A M.
    set (cs := conditions (covering p)) in *.
    set (m := n + guesses (covering p)) in *. rewrite forallb_forall in Bc.
    destruct (define cs (definitions p) (_, differences cs, m)) as [k|] eqn:D; [|discriminate].
    destruct (values_defined cs (definitions p) (held (fun i => i) (seq 0 n)) m k pos e D)
      as (Lm & T & e2 & K & Sp); auto.
    { lia. }
    { unfold held. destruct alive eqn:Y; [|apply below_nil]. intros f Hf.
      apply in_map_iff in Hf as (i & <- & Hi). apply in_seq in Hi.
      rewrite fval_minus, fval_constant, fval_variable, <- (A i) by lia.
      assert (X := Al Y i ltac:(lia)). unfold at_, heap in *. lia. }
    destruct (goals_of misere p (snd k)) as [alts|] eqn:G; [|discriminate]. set (z := snd k) in *.
    pose proof Sp as (_ & Z2 & Hp).
    assert (R : forall a, In a alts -> forall e', knows e' k -> below e' a -> False).
    { intros a Ha e' K' B. exact (all_refuted_sound k alts (goals p) e' a H K' Ha B). }
    assert (Good : forall r f w l alts', choose (S z) r f w = Some l ->
      contraries z (Some l) = Some alts' ->
      (forall a, In a alts' -> In a alts) -> names_below r (S z) -> fden f (view e2 r)).
    { intros r f w l alts' C E In_alts N. apply (contraries_sound z l r f w alts' k e2 C E N T);
        [unfold z; lia|exact K|].
      intros a Ha. exact (R a (In_alts a Ha)). }
    unfold goals_of in G. destruct (what p) as [w moved [t kept]|s| |].
    - destruct (_ && _ && _ && _ && _) eqn:F; [|discriminate]. rewrite !andb_true_iff in F.
      destruct F as [[[[Fw Fs] Fn] Fl] Fm].
      apply existsb_exists in Fw as (w' & Hw & E). apply same_list_eq in E as <-.
      apply existsb_exists in Fs as (t' & Ht & E). apply same_target_eq in E as <-.
      apply Nat.eqb_eq in Fl.
      rewrite forallb_forall in Ft. destruct (fine_own (t, kept) (Ft _ Ht)) as (Lt & Bt & Own & Lk).
      cbn [fst snd] in *.
      set (o := option_of w moved) in *.
      destruct (choose (S z) (in_window n z o w) rule_formula (of_rule p)) as [lr|] eqn:Cr;
        [|discriminate].
      destruct (choose (S z) (in_order n z o (firstn kept t)) (formulas kept) (of_claim p)) as [lc|]
        eqn:Cc;
        [|destruct (contraries z (Some lr)); discriminate].
      destruct (contraries z (Some lr)) as [ar|] eqn:Er; [|discriminate].
      destruct (contraries z (Some lc)) as [ac|] eqn:Ec; [|discriminate].
      injection G as <-.
      assert (Ob : forall i, i < n -> o i < S z).
      { intros i Hi. enough (o i < z) by lia. apply place_below; [unfold z; lia|exact Fm]. }
      set (q := position_of e2 o). assert (Lq : length q = n) by (unfold q, position_of;
        now rewrite map_length, seq_length).
      assert (Sq : stands_for n z e2 o q).
      { repeat split; [exact Lq|exact Z2|]. intros i Hi. unfold q. rewrite heap_position_of.
        apply Nat.ltb_lt in Hi as ->. reflexivity. }
      assert (Out : forall i, ~ In i w -> heap i q = heap i pos).
      { intros i Hi. unfold q. rewrite heap_position_of. destruct (Nat.ltb_spec i n) as [I|I].
        - unfold o, option_of. rewrite place_outside by exact Hi. now apply Hp.
        - symmetry. apply heap_beyond. lia. }
      rewrite forallb_forall in Fn.
      assert (Le : forall i, (heap i q <= heap i pos)%N).
      { intro i. destruct (in_dec Nat.eq_dec i w) as [I|I]; [|rewrite (Out i I); lia].
        pose proof (Fn i I) as In_n. apply Nat.ltb_lt in In_n. destruct Sq as (_ & _ & Hq).
        rewrite <- (Hq i In_n), <- (Hp i In_n).
        destruct (N.le_gt_cases (e2 (o i)) (e2 i)) as [X|X]; [exact X|exfalso].
        apply (R [plus (constant 1) (minus (variable i) (variable (o i)))]) with (e' := e2);
          [|exact K|].
        - apply in_or_app. left. now apply (in_map
            (fun i => [plus (constant 1) (minus (variable i) (variable (o i)))])).
        - intros h [<-|[]]. rewrite fval_plus, fval_minus, fval_constant, !fval_variable. lia. }
      assert (Ru : rule (heaps w pos) (heaps w q)).
      { apply rule_said; [exact Hw|]. apply (fden_same _ _ _
          (in_window_sound n z e2 o w pos q Sp Sq)).
        apply (Good _ _ _ _ _ Cr Er).
        - intros a Ha. apply in_or_app. right. apply in_or_app. right. apply in_or_app. now left.
        - apply in_window_below; [lia|unfold z; lia|exact Ob]. }
      assert (Cl : lands (t, kept) q).
      { split; [intro Y; cbn [fst snd]; rewrite Y in *; split; intros i Hi|cbn [fst snd]].
        - assert (Bi : (i < n)%nat) by (apply Bt; rewrite <- (firstn_skipn kept); apply in_or_app;
            now left).
          destruct Sq as (_ & _ & Hq). rewrite <- (Hq i Bi). intro Z0.
          apply (R [variable (o i)]) with (e' := e2); [|exact K|].
          + apply in_or_app. right. apply in_or_app. left. apply in_or_app. left.
            now apply (in_map (fun i => [variable (o i)])).
          + intros h [<-|[]]. rewrite fval_variable, Z0. cbn. lia.
        - assert (Bi : (i < n)%nat) by (apply Bt; rewrite <- (firstn_skipn kept); apply in_or_app;
            now right).
          destruct Sq as (_ & _ & Hq). rewrite <- (Hq i Bi).
          destruct (N.eq_0_gt_0_cases (e2 (o i))) as [X|X]; [exact X|exfalso].
          apply (R [minus (constant 1) (variable (o i))]) with (e' := e2); [|exact K|].
          + apply in_or_app. right. apply in_or_app. left. apply in_or_app. right.
            now apply (in_map (fun i => [minus (constant 1) (variable (o i))])).
          + intros h [<-|[]]. rewrite fval_minus, fval_constant, fval_variable. lia.
        - apply (claimed_said (firstn kept t) kept q Lk Own).
          apply (fden_same _ _ _ (in_order_sound n z e2 o (firstn kept t) q Sq)).
          apply (Good _ _ _ _ _ Cc Ec).
          + intros a Ha. apply in_or_app. right. apply in_or_app. right. apply in_or_app. now right.
          + apply in_order_below; [lia|exact Ob]. }
      destruct (fewer_tokens pos q ltac:(congruence) Le) as [E|Less].
      { left. apply (fine_stays (t, kept)); [now apply Ft|exact L|exact Al|now rewrite <- E]. }
      right. left. exists q. split; [|now exists (t, kept)]. split; [congruence|].
      split; [exact Less|]. exists w. repeat split; assumption.
    - destruct (existsb (same_list s) images && _) eqn:F; [|discriminate].
      apply andb_true_iff in F as [Fs Ls].
      apply Nat.eqb_eq in Ls. apply existsb_exists in Fs as (s' & Hs & E).
      apply same_list_eq in E as <-.
      destruct (choose (S z) (in_order n z (fun i => i) s) (formulas n) (of_claim p)) as [lc|]
        eqn:Cc; [|discriminate].
      left. exists s. split; [exact Hs|]. apply (claimed_said s n pos Ls); [now left|].
      apply (fden_same _ _ _ (in_order_sound n z e2 _ s pos Sp)).
      apply (Good _ _ _ _ _ Cc G); [auto|].
      apply in_order_below; [lia|]. intros i Hi. unfold z. lia.
    - destruct misere; [|discriminate]. injection G as <-. right. right. split; [reflexivity|].
      assert (Zero : forall i, heap i pos = 0%N).
      { intro i. destruct (Nat.lt_ge_cases i n) as [Hi|Hi]; [|apply heap_beyond; lia].
        destruct (N.eq_0_gt_0_cases (heap i pos)) as [X|X]; [exact X|exfalso].
        apply (R [plus (constant 1) (minus (constant 0) (variable i))]) with (e' := e2);
          [|exact K|].
        - apply (in_map (fun i => [plus (constant 1) (minus (constant 0) (variable i))])).
          apply in_seq. lia.
        - intros h [<-|[]]. rewrite fval_plus, fval_minus, !fval_constant, fval_variable, (Hp i Hi).
          lia. }
      now apply no_tokens.
    - injection G as <-. destruct (R [] (or_introl eq_refl) e2 K (below_nil _)).
  Qed.

  (** ** The theorems *)

  Record data := {
    inside : condition_I;
    parts : list proved_part;
    machine : automaton;
    sets : index
  }.

  Definition check_II (misere : bool) (d : data) : bool :=
    forallb fine_target targets && forallb (check_part misere) (parts d) && covers n (machine d)
      (map covering (parts d)) (sets d).

  Definition check (d : data) : bool := check_I (inside d) && check_II false d.

  Lemma check_II_sound misere d p :
    check_II misere d = true -> length p = n -> lives p ->
    up_to images claim p \/ (exists q, move p q /\ target q) \/ (misere = true /\ tokens p = 0%N).
  Proof.
    unfold check_II. rewrite !andb_true_iff. intros [[F P] C] L A.
    destruct (covers_sound n (machine d) (map covering (parts d)) (sets d) (at_ p) C) as
      (c & e & Hc & G & M).
    apply in_map_iff in Hc as (x & <- & Hx). rewrite forallb_forall in P.
    exact (check_part_sound misere x p e F (P x Hx) L A G M).
  Qed.
End Game.

(** * Heaps that stay *)

Section Staying.
  Variable n : nat.
  Variable windows : list (list nat).
  Variable rule : position -> position -> Prop.
  Variable rule_formula : formula.
  Variable claim : position -> Prop.
  Variable claim_formula : formula.
  Variable images : list (list nat).

  Hypothesis rule_said : forall w p q, In w windows ->
    (rule (heaps w p) (heaps w q) <-> fden rule_formula (at_ (heaps w p ++ heaps w q))).
  Hypothesis claim_said : forall p, length p = n -> (claim p <-> fden claim_formula (at_ p)).

  Notation move := (moves windows rule).
  Let formulas (m : nat) : formula := claim_formula.
  Definition whole : list (list nat * nat) := map (fun s => (s, n)) images.

  Lemma said p : own n false (length p) -> (claim p <-> fden (formulas (length p)) (at_ p)).
  Proof. intros [L|[F _]]; [now apply claim_said|discriminate F]. Qed.

  Lemma always_lives p : lives n false p.
  Proof. intro F. discriminate F. Qed.

  Lemma target_up_to p : forallb (fun s => Nat.eqb (length s) n) images = true ->
    (target false claim whole p <-> up_to images claim p).
  Proof.
    intro L. rewrite forallb_forall in L. unfold target, up_to, whole. split.
    - intros (x & Hx & _ & C). apply in_map_iff in Hx as (s & <- & Hs). exists s.
      split; [exact Hs|]. cbn [fst snd] in C.
      specialize (L s Hs). apply Nat.eqb_eq in L. now rewrite <- L, firstn_all in C.
    - intros (s & Hs & C). exists (s, n). split; [now apply (in_map (fun s => (s, n)))|].
      split; [intro F; discriminate F|].
      specialize (L s Hs). apply Nat.eqb_eq in L. cbn [fst snd]. now rewrite <- L, firstn_all.
  Qed.

  Definition right_images : bool := forallb (fun s => Nat.eqb (length s) n) images.

  Definition stays (d : data) : bool :=
    right_images && check n windows rule_formula false formulas images whole d.

  Theorem P_positions d : stays d = true -> forall p, length p = n ->
    (P_position move p <-> up_to images claim p).
  Proof.
    unfold stays, check. rewrite !andb_true_iff. intros [R [C1 C2]].
    apply (criterion move (fun p => length p = n)).
    - intros p q L (Lq & T & _). split; [congruence|exact T].
    - intros p q L Sp M Sq. apply (check_I_sound n windows rule rule_formula false claim formulas
        images whole rule_said said (inside d) p q C1 L
        (always_lives p) Sp M). now apply target_up_to.
    - intros p L. destruct (check_II_sound n windows rule rule_formula false claim formulas images
        whole rule_said said false d p C2 L
        (always_lives p)) as [H|[(q & M & H)|[H _]]];
          [now left|right; exists q; split; [exact M|now apply target_up_to in H]|discriminate].
  Qed.

  (** In misere play: from a position with tokens there is a move, and the end is not claimed. *)
  Definition check_end (certs : list refutation) : bool :=
    match rule_formula with Known true => true | _ => false end &&
    forallb (fun i => existsb (mem i) windows) (seq 0 n) && forallb (fun s => Nat.eqb (length s) n)
      images &&
    refute_all [variable 0] (all_alternatives [((fun _ => 0), true, claim_formula)] 1) certs.

  Definition stays_misere (d : data) (certs : list refutation) : bool :=
    right_images && check_I n windows rule_formula false formulas images whole (inside d) &&
    check_II n windows rule_formula false formulas images whole true d && check_end certs.

  Lemma check_end_sound certs p :
    check_end certs = true -> length p = n -> up_to images claim p -> exists q, move p q.
  Proof.
    unfold check_end. rewrite !andb_true_iff. intros [[[Y W] I] R] L (s & Hs & C).
    assert (Any : rule_formula = Known true) by (destruct rule_formula as [[]| | | | | | |];
      congruence || reflexivity).
    assert (X : exists i, i < n /\ heap i p <> 0%N).
    { assert (D : (exists i, i < n /\ heap i p <> 0%N) \/ forall i, heap i p = 0%N).
      { assert (G : forall l, (exists i, In i l /\ heap i p <> 0%N) \/ forall i, In i l ->
          heap i p = 0%N).
        { induction l as [|j l [(i & Hi & Z)|A]];
            [right; intros i []|left; exists i; split; [now right|exact Z]|].
          destruct (N.eq_dec (heap j p) 0) as [E|E];
            [right; intros i [<-|Hi]; auto|left; exists j; split; [now left|exact E]]. }
        destruct (G (seq 0 n)) as [(i & Hi & Z)|A];
          [left; exists i; split; [apply in_seq in Hi; lia|exact Z]|right].
        intro i. destruct (Nat.lt_ge_cases i n) as [Hi|Hi];
          [apply A, in_seq; lia|apply heap_beyond; lia]. }
      destruct D as [D|Z]; [exact D|exfalso].
      apply (refute_said [variable 0] _ certs 1 (fun _ => 0%N) R eq_refl).
      - intros f [<-|[]]. rewrite fval_variable. cbn. lia.
      - intros r t f [H|[]]. injection H as <- <- <-. intro i. lia.
      - intros x [<-|[]]. cbn [holds truly]. rewrite forallb_forall in I. specialize (I s Hs).
        apply Nat.eqb_eq in I.
        apply (fden_same claim_formula (at_ (heaps s p)));
          [|apply claim_said; [unfold heaps; now rewrite map_length|exact C]].
        intro i. unfold at_, view. rewrite nth_heaps.
        destruct (nth_error s i); [apply Z|reflexivity]. }
    destruct X as (i & Hi & Z). rewrite forallb_forall in W.
    specialize (W i ltac:(apply in_seq; lia)).
    apply existsb_exists in W as (w & Hw & Wi). apply mem_in in Wi.
    set (q := position_of n (fun j => if Nat.eqb j i then N.pred (heap i p) else heap j p)
      (fun j => j)).
    assert (Hq : forall j, heap j q = if Nat.eqb j i then N.pred (heap i p) else heap j p).
    { intro j. unfold q. rewrite heap_position_of.
      destruct (Nat.ltb_spec j n) as [Hj|Hj]; [reflexivity|].
      destruct (Nat.eqb_spec j i) as [->|_]; [lia|]. symmetry. apply heap_beyond. lia. }
    assert (Lq : length q = n) by (unfold q, position_of; now rewrite map_length, seq_length).
    assert (Le : forall j, (heap j q <= heap j p)%N).
    { intro j. rewrite Hq. destruct (Nat.eqb_spec j i) as [->|_]; lia. }
    exists q. split; [congruence|]. split.
    - destruct (fewer_tokens p q ltac:(congruence) Le) as [E|T]; [exfalso|exact T].
      pose proof (Hq i) as Qi. rewrite E, Nat.eqb_refl in Qi. lia.
    - exists w. split; [exact Hw|]. split; [exact Le|]. split.
      + intros j Hj. rewrite Hq. destruct (Nat.eqb_spec j i) as [->|_]; [contradiction|reflexivity].
      + apply rule_said; [exact Hw|]. rewrite Any. exact Logic.I.
  Qed.

  Theorem misere_P_positions d certs :
    stays_misere d certs = true -> forall p, length p = n ->
      (misere_P move p <-> up_to images claim p).
  Proof.
    unfold stays_misere. rewrite !andb_true_iff. intros [[[R C1] C2] C3].
    apply (misere_criterion move (fun p => length p = n)).
    - intros p q L (Lq & T & _). split; [congruence|exact T].
    - intros p q L Sp M Sq. apply (check_I_sound n windows rule rule_formula false claim formulas
        images whole rule_said said (inside d) p q C1 L
        (always_lives p) Sp M). now apply target_up_to.
    - intros p L Sp. exact (check_end_sound certs p C3 L Sp).
    - intros p L. destruct (check_II_sound n windows rule rule_formula false claim formulas images
        whole rule_said said true d p C2 L
        (always_lives p)) as [H|[(q & M & H)|[_ Z]]]; [now left| |].
      + right. left. exists q. split; [exact M|now apply target_up_to in H].
      + right. right. intros q (_ & T & _). lia.
  Qed.
End Staying.

(** A claim without images: it says the same of all of them. *)
Lemma up_to_one n claim p : length p = n -> (up_to [seq 0 n] claim p <-> claim p).
Proof.
  intro L. unfold up_to. split.
  - intros (s & [<-|[]] & C). now rewrite heaps_all in C.
  - intro C. exists (seq 0 n). split; [now left|]. now rewrite heaps_all.
Qed.

(** Misere play in which players may be stuck with tokens left. It is normal play of another
    game M: a position of M is one of the game and a number z behind its heaps. From z = 2 a
    move of the game leads to z = 2, and from z = 1 to z = 0; besides z = 2 may become 1. In
    normal play of M the positions with z = 1 are P where there is no move, and those with z = 2
    are P where the game's are in misere play. So data of Memory.v on M prove a claim on misere
    play. *)

From Coq Require Import List Arith NArith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Forms Formulas Games Outcomes Memory.
Import ListNotations.
Open Scope nat_scope.

(** * Other names of variables *)

Fixpoint renamed_term (r : nat -> nat) (t : term) : term :=
  match t with
  | Number k => Number k
  | Heap i => Heap (r i)
  | Plus a b => Plus (renamed_term r a) (renamed_term r b)
  | Times k a => Times k (renamed_term r a)
  | Xor a b => Xor (renamed_term r a) (renamed_term r b)
  | Least a b => Least (renamed_term r a) (renamed_term r b)
  | Greatest a b => Greatest (renamed_term r a) (renamed_term r b)
  | Quotient a k => Quotient (renamed_term r a) k
  | Remainder a k => Remainder (renamed_term r a) k
  | Digit_sum m is => Digit_sum m (map r is)
  end.

Fixpoint renamed (r : nat -> nat) (f : formula) : formula :=
  match f with
  | Known b => Known b
  | Equal a b => Equal (renamed_term r a) (renamed_term r b)
  | AtMost a b => AtMost (renamed_term r a) (renamed_term r b)
  | Less a b => Less (renamed_term r a) (renamed_term r b)
  | Not f => Not (renamed r f)
  | And f g => And (renamed r f) (renamed r g)
  | Or f g => Or (renamed r f) (renamed r g)
  | Exists i f => Exists (r i) (renamed r f)
  end.

Lemma renamed_term_says r t e : tden (renamed_term r t) e = tden t (fun i => e (r i)).
Proof. induction t; cbn [renamed_term tden]; try congruence. now rewrite map_map. Qed.

Lemma renamed_says r : (forall i j, r i = r j -> i = j) ->
  forall f e, fden (renamed r f) e <-> fden f (fun i => e (r i)).
Proof.
  intro One. induction f; intro e; cbn [renamed fden]; rewrite ?renamed_term_says;
    try apply iff_refl.
  - now rewrite IHf.
  - now rewrite IHf1, IHf2.
  - now rewrite IHf1, IHf2.
  - assert (E : forall x, fden (renamed r f) (set e (r i) x) <->
      fden f (set (fun j => e (r j)) i x)).
    { intro x. rewrite IHf. apply fden_same. intro j. unfold set.
      destruct (Nat.eqb_spec (r j) (r i)) as [R|R], (Nat.eqb_spec j i) as [J|J]; auto.
      - now apply One in R.
      - now subst. }
    split; intros [x H]; exists x; now apply E.
Qed.

(** * Two ways to say the same moves *)

Lemma same_outcomes {state} (move move' : state -> state -> Prop) (inside : state -> Prop) :
  well_founded (fun q p => move p q) ->
  (forall p q, inside p -> move p q -> inside q) ->
  (forall p q, inside p -> (move p q <-> move' p q)) ->
  forall p, inside p -> (misere_P move p <-> misere_P move' p).
Proof.
  intros Ends Stays Same.
  assert (G : forall p, inside p ->
    ((misere_P move p <-> misere_P move' p) /\ (misere_N move p <-> misere_N move' p))).
  { intro p. induction p as [p IH] using (well_founded_induction Ends). intro I.
    assert (Next : forall q, move p q ->
      (misere_P move q <-> misere_P move' q) /\ (misere_N move q <-> misere_N move' q)).
    { intros q M. apply IH; [exact M|now apply (Stays p)]. }
    assert (E : forall q, move p q <-> move' p q) by (intro q; now apply Same).
    split; split.
    - intros [[q M] A]. constructor; [exists q; now apply E|]. intros q' M'. apply E in M'.
      now apply (Next q' M'), A.
    - intros [[q M] A]. constructor; [exists q; now apply E|]. intros q' M'.
      apply (Next q' M'), A. now apply E.
    - intros [O|q M P]; [apply misere_over; intros q M; apply (O q); now apply E|].
      apply misere_some_P with q; [now apply E|now apply (Next q M)].
    - intros [O|q M P]; [apply misere_over; intros q M; apply (O q); now apply E|].
      apply E in M. apply misere_some_P with q; [exact M|now apply (Next q M)]. }
  intros p I. exact (proj1 (G p I)).
Qed.

(** Heaps alone, one window of all. *)
Lemma all_heaps_remembered n (rule : position -> position -> Prop) p :
  length p = n -> (misere_P (moves [seq 0 n] rule) p <-> misere_P (remembering n rule) p).
Proof.
  apply (same_outcomes (moves [seq 0 n] rule) (remembering n rule) (fun p => length p = n)).
  - apply play_ends.
  - intros u v L (Lv & _). congruence.
  - clear p. intros p q L. unfold moves, remembering. split.
    + intros (Lq & T & w & [<-|[]] & Le & _ & R). rewrite !heaps_all in R by congruence.
      rewrite !firstn_all2 by lia. auto.
    + intros (Lq & T & Le & R). rewrite !firstn_all2 in T by lia. split; [exact Lq|].
      split; [exact T|]. exists (seq 0 n). split; [now left|].
      rewrite !heaps_all by congruence. split; [|split; [|exact R]].
      * intro i. destruct (Nat.lt_ge_cases i n) as [I|I]; [now apply Le|].
        rewrite !heap_beyond by lia. reflexivity.
      * intros i I. rewrite !heap_beyond; [reflexivity| |]; rewrite in_seq in I; lia.
Qed.

Section Stuck.
  Variables h n : nat.                   (* heaps; all numbers of the game *)
  Variables rule claim stuck : formula.  (* [stuck]: where there is no move *)
  Hypothesis enough : h <= n.

  Notation move := (remembering h (rule_says rule)).

  (** * The game M *)

  (** The game's numbers before and after a move, and those of a position, in M. *)
  Definition in_rule (i : nat) : nat :=
    if Nat.ltb i h then i else if Nat.ltb i (n + h) then S i else S (S i).
  Definition in_claim (i : nat) : nat := if Nat.ltb i h then i else S i.
  Definition z_before : term := Heap h.
  Definition z_after : term := Heap (S n + h).

  (** The tokens before a move, or after it. *)
  Definition sum_from (start : nat) : term :=
    fold_right (fun i t => Plus (Heap (start + i)) t) (Number 0) (seq 0 h).
  Definition unchanged : formula :=
    fold_right (fun i f => And (Equal (Heap (in_rule (n + i))) (Heap (in_rule i))) f) (Known true)
      (seq 0 n).

  Definition rule_of_M : formula :=
    Or (And (Equal z_before (Number 2)) (And (Equal z_after (Number 2)) (renamed in_rule rule)))
    (Or (And (Equal z_before (Number 2)) (And (Equal z_after (Number 1)) unchanged))
        (And (Equal z_before (Number 1)) (And (Equal z_after (Number 0))
          (And (Less (sum_from (S n)) (sum_from 0)) (renamed in_rule rule))))).

  Definition claim_of_M : formula :=
    Or (And (Equal z_before (Number 2)) (renamed in_claim claim))
    (Or (And (Equal z_before (Number 1)) (renamed in_claim stuck))
    (Or (Equal z_before (Number 0)) (Less (Number 2) z_before))).

  Notation move_of_M := (remembering (S h) (rule_says rule_of_M)).

  Definition lift (p : position) (z : N) : position := firstn h p ++ z :: skipn h p.

  Lemma lift_length p z : length p = n -> length (lift p z) = S n.
  Proof. intro L. unfold lift. rewrite app_length. cbn [length].
  rewrite firstn_length, skipn_length. lia. Qed.

  Lemma heap_lift p z i : length p = n ->
    heap i (lift p z) = if Nat.ltb i h then heap i p else if Nat.eqb i h then z else heap (i - 1) p.
  Proof.
    intro L. unfold heap, lift.
    assert (F : length (firstn h p) = h) by (rewrite firstn_length; lia).
    destruct (Nat.ltb_spec i h) as [I|I].
    - rewrite app_nth1 by lia. rewrite <- (firstn_skipn h p) at 2. now rewrite app_nth1 by lia.
    - rewrite app_nth2, F by lia. destruct (Nat.eqb_spec i h) as [->|J];
      [now rewrite Nat.sub_diag|].
      replace (i - h) with (S (i - 1 - h)) by lia. cbn [nth].
      rewrite <- (firstn_skipn h p) at 2. now rewrite app_nth2, F by lia.
  Qed.

  Lemma lift_of p : length p = S n -> exists q, length q = n /\ p = lift q (heap h p).
  Proof.
    intro L. exists (firstn h p ++ skipn (S h) p). split.
    - rewrite app_length, firstn_length, skipn_length. lia.
    - apply (nth_ext _ _ 0%N 0%N).
      + symmetry. rewrite L. apply lift_length. rewrite app_length, firstn_length, skipn_length.
        lia.
      + intros i _. change (heap i p = heap i (lift (firstn h p ++ skipn (S h) p) (heap h p))).
        rewrite heap_lift by (rewrite app_length, firstn_length, skipn_length; lia).
        assert (F : length (firstn h p) = h) by (rewrite firstn_length; lia).
        unfold heap. destruct (Nat.ltb_spec i h) as [I|I].
        * rewrite app_nth1 by lia. rewrite <- (firstn_skipn h p) at 1. now rewrite app_nth1 by lia.
        * destruct (Nat.eqb_spec i h) as [->|J]; [reflexivity|]. rewrite app_nth2, F by lia.
          rewrite <- (firstn_skipn (S h) p) at 1.
          assert (F' : length (firstn (S h) p) = S h) by (rewrite firstn_length; lia).
          rewrite app_nth2, F' by lia. f_equal. lia.
  Qed.

  Lemma tokens_lift p z : length p = n ->
    tokens (firstn (S h) (lift p z)) = (tokens (firstn h p) + z)%N.
  Proof.
    intro L. unfold lift. assert (F : length (firstn h p) = h) by (rewrite firstn_length; lia).
    rewrite firstn_app, F, firstn_all2 by lia. replace (S h - h) with 1 by lia. cbn [firstn].
    unfold tokens. rewrite fold_right_app. cbn [fold_right]. rewrite N.add_0_r.
    generalize (firstn h p). intro l. induction l as [|x l IH]; cbn [fold_right]; lia.
  Qed.

  (** ** Its rule *)

  Lemma one_name i j : in_rule i = in_rule j -> i = j.
  Proof.
    unfold in_rule. destruct (Nat.ltb_spec i h), (Nat.ltb_spec j h), (Nat.ltb_spec i (n + h)),
      (Nat.ltb_spec j (n + h)); lia.
  Qed.
  Lemma one_name_claimed i j : in_claim i = in_claim j -> i = j.
  Proof. unfold in_claim. destruct (Nat.ltb_spec i h), (Nat.ltb_spec j h); lia. Qed.

  Lemma before_lift p z q y i : length p = n -> i < S n ->
    at_ (lift p z ++ lift q y) i = heap i (lift p z).
  Proof. intros L I. unfold at_, heap. rewrite app_nth1; [reflexivity|]. now rewrite lift_length.
  Qed.
  Lemma after_lift p z q y i : length p = n ->
    at_ (lift p z ++ lift q y) (S n + i) = heap i (lift q y).
  Proof.
    intro L. unfold at_, heap. rewrite app_nth2 by (rewrite lift_length by exact L; lia).
    rewrite lift_length by exact L. f_equal. lia.
  Qed.

  Lemma rule_lifted p z q y : length p = n -> length q = n ->
    (fden (renamed in_rule rule) (at_ (lift p z ++ lift q y)) <-> rule_says rule p q).
  Proof.
    intros Lp Lq. rewrite (renamed_says in_rule one_name). unfold rule_says. apply fden_same.
    intro i.
    unfold in_rule. destruct (Nat.ltb_spec i h) as [I|I].
    - rewrite before_lift by lia. rewrite heap_lift by exact Lp. apply Nat.ltb_lt in I as J.
      rewrite J. unfold at_. now rewrite app_nth1 by lia.
    - destruct (Nat.ltb_spec i n) as [J|J].
      + replace (Nat.ltb i (n + h)) with true by (symmetry; apply Nat.ltb_lt; lia).
        rewrite before_lift by lia. rewrite heap_lift by exact Lp.
        replace (Nat.ltb (S i) h) with false by (symmetry; apply Nat.ltb_ge; lia).
        replace (Nat.eqb (S i) h) with false by (symmetry; apply Nat.eqb_neq; lia).
        unfold at_. rewrite app_nth1 by lia. unfold heap. f_equal. lia.
      + unfold at_ at 2. rewrite app_nth2, Lp by lia. destruct (Nat.ltb_spec i (n + h)) as [K|K].
        * replace (S i) with (S n + (i - n)) by lia. rewrite after_lift by exact Lp.
          rewrite heap_lift by exact Lq.
          replace (Nat.ltb (i - n) h) with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
        * replace (S (S i)) with (S n + (S i - n)) by lia. rewrite after_lift by exact Lp.
          rewrite heap_lift by exact Lq.
          replace (Nat.ltb (S i - n) h) with false by (symmetry; apply Nat.ltb_ge; lia).
          replace (Nat.eqb (S i - n) h) with false by (symmetry; apply Nat.eqb_neq; lia).
          unfold heap. f_equal. lia.
  Qed.

  Lemma claim_lifted f p z : length p = n -> (fden (renamed in_claim f) (at_ (lift p z)) <->
    fden f (at_ p)).
  Proof.
    intro L. rewrite (renamed_says in_claim one_name_claimed). apply fden_same. intro i.
    unfold in_claim.
    change (at_ ?l ?j) with (heap j l). destruct (Nat.ltb_spec i h) as [I|I].
    - rewrite heap_lift by exact L. apply Nat.ltb_lt in I. now rewrite I.
    - rewrite heap_lift by exact L.
      replace (Nat.ltb (S i) h) with false by (symmetry; apply Nat.ltb_ge; lia).
      replace (Nat.eqb (S i) h) with false by (symmetry; apply Nat.eqb_neq; lia). f_equal. lia.
  Qed.

  Lemma sum_said start e p : h <= length p -> (forall i, i < h -> e (start + i) = heap i p) ->
    tden (sum_from start) e = tokens (firstn h p).
  Proof.
    intros L E. unfold sum_from.
    assert (G : forall l, (forall i, In i l -> i < h) ->
      tden (fold_right (fun i t => Plus (Heap (start + i)) t) (Number 0) l) e = tokens (heaps l p)).
    { induction l as [|i l IH]; intro B; [reflexivity|]. cbn [fold_right tden heaps map].
      change (tokens (heap i p :: map (fun i => heap i p) l))
        with (heap i p + tokens (heaps l p))%N.
      rewrite <- IH by (intros j J; apply B; now right). f_equal. apply E, B. now left. }
    rewrite G by (intros i I; apply in_seq in I; lia). f_equal.
    apply (nth_ext _ _ 0%N 0%N); [unfold heaps; rewrite map_length, seq_length, firstn_length;
      lia|].
    intros i I. unfold heaps in *. rewrite map_length, seq_length in I.
    rewrite (nth_indep _ 0%N (heap 0 p)) by now rewrite map_length, seq_length.
    rewrite (map_nth (fun i => heap i p)), seq_nth by exact I. cbn [Nat.add]. unfold heap.
    rewrite <- (firstn_skipn h p) at 1. rewrite app_nth1; [reflexivity|]. rewrite firstn_length.
    lia.
  Qed.

  Lemma unchanged_said p z q y : length p = n -> length q = n ->
    (fden unchanged (at_ (lift p z ++ lift q y)) <-> q = p).
  Proof.
    intros Lp Lq. unfold unchanged.
    assert (B : forall i, i < n -> at_ (lift p z ++ lift q y) (in_rule i) = heap i p).
    { intros i I. unfold in_rule. replace (Nat.ltb i (n + h)) with true by (symmetry;
      apply Nat.ltb_lt; lia).
      rewrite before_lift by (try exact Lp; destruct (Nat.ltb i h); lia).
      destruct (Nat.ltb_spec i h) as [J|J].
      - rewrite heap_lift by exact Lp. apply Nat.ltb_lt in J. now rewrite J.
      - rewrite heap_lift by exact Lp.
        replace (Nat.ltb (S i) h) with false by (symmetry; apply Nat.ltb_ge; lia).
        replace (Nat.eqb (S i) h) with false by (symmetry; apply Nat.eqb_neq; lia). f_equal. lia. }
    assert (A : forall i, i < n -> at_ (lift p z ++ lift q y) (in_rule (n + i)) = heap i q).
    { intros i I. unfold in_rule. replace (Nat.ltb (n + i) h) with false by (symmetry;
      apply Nat.ltb_ge; lia).
      destruct (Nat.ltb_spec (n + i) (n + h)) as [J|J].
      - replace (S (n + i)) with (S n + i) by lia. rewrite after_lift by exact Lp.
        rewrite heap_lift by exact Lq.
        replace (Nat.ltb i h) with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
      - replace (S (S (n + i))) with (S n + S i) by lia. rewrite after_lift by exact Lp.
        rewrite heap_lift by exact Lq.
        replace (Nat.ltb (S i) h) with false by (symmetry; apply Nat.ltb_ge; lia).
        replace (Nat.eqb (S i) h) with false by (symmetry; apply Nat.eqb_neq; lia). f_equal. lia. }
    assert (G : forall l, (forall i, In i l -> i < n) ->
      (fden (fold_right (fun i f => And (Equal (Heap (in_rule (n + i))) (Heap (in_rule i))) f)
        (Known true) l)
        (at_ (lift p z ++ lift q y)) <-> forall i, In i l -> heap i q = heap i p)).
    { induction l as [|i l IH]; intro I; cbn [fold_right fden tden]; [split; [intros _ i []|auto]|].
      rewrite IH, A, B by (intros; apply I; cbn; tauto). split.
      - intros [H1 H2] j [<-|J]; auto.
      - intro H. split; [apply H; now left|]. intros j J. apply H. now right. }
    rewrite G by (intros i I; apply in_seq in I; lia). split.
    - intro H. apply (nth_ext _ _ 0%N 0%N); [congruence|]. intros i I. apply H, in_seq. lia.
    - now intros ->.
  Qed.

  Lemma move_lifted p z q y : length p = n -> length q = n ->
    (move_of_M (lift p z) (lift q y) <->
     z = 2%N /\ y = 2%N /\ move p q \/ z = 2%N /\ y = 1%N /\ q = p \/ z = 1%N /\ y = 0%N /\
       move p q).
  Proof.
    intros Lp Lq. unfold remembering at 1. unfold rule_says at 1. unfold rule_of_M. cbn [fden].
    rewrite !rule_lifted, unchanged_said by assumption. cbn [tden z_before z_after].
    rewrite (sum_said 0 _ p), (sum_said (S n) _ q); try lia.
    2: { intros i I. rewrite after_lift, heap_lift by assumption. apply Nat.ltb_lt in I.
    now rewrite I. }
    2: { intros i I. cbn [Nat.add]. rewrite before_lift, heap_lift by lia. apply Nat.ltb_lt in I.
    now rewrite I. }
    rewrite after_lift, before_lift, !heap_lift by lia. rewrite Nat.ltb_irrefl, Nat.eqb_refl.
    rewrite !tokens_lift, !lift_length by assumption. unfold remembering.
    assert (Low : (y <= z)%N ->
      ((forall i, i < S h -> (heap i (lift q y) <= heap i (lift p z))%N) <-> (forall i, i < h ->
        (heap i q <= heap i p)%N))).
    { intro Y. split; intros H i I.
      - specialize (H i ltac:(lia)). rewrite !heap_lift in H by assumption. apply Nat.ltb_lt in I.
        now rewrite I in H.
      - rewrite !heap_lift by assumption. destruct (Nat.ltb_spec i h) as [J|J]; [now apply H|].
        replace (Nat.eqb i h) with true by (symmetry; apply Nat.eqb_eq; lia). exact Y. }
    split.
    - intros (_ & T & Le & [(-> & -> & R)|[(-> & -> & ->)|(-> & -> & S & R)]]).
      + left. split; [reflexivity|]. split; [reflexivity|]. split; [congruence|]. split; [lia|].
        split; [|exact R]. apply Low; [lia|exact Le].
      + right. left. auto.
      + right. right. split; [reflexivity|]. split; [reflexivity|]. split; [congruence|].
        split; [exact S|]. split; [|exact R]. apply Low; [lia|exact Le].
    - intros [(-> & -> & L & T & Le & R)|[(-> & -> & ->)|(-> & -> & L & T & Le & R)]].
      + split; [reflexivity|]. split; [lia|]. split; [apply Low; [lia|exact Le]|]. left.
        auto.
      + split; [reflexivity|]. split; [lia|]. split; [apply Low; [lia|intros i _;
        apply N.le_refl]|]. right. left. auto.
      + split; [reflexivity|]. split; [lia|]. split; [apply Low; [lia|exact Le]|]. right.
        right. auto.
  Qed.

  (** ** Its outcomes *)

  Lemma option_lifted p z r : length p = n -> move_of_M (lift p z) r ->
    exists q y, length q = n /\ r = lift q y /\
      (z = 2%N /\ y = 2%N /\ move p q \/ z = 2%N /\ y = 1%N /\ q = p \/ z = 1%N /\ y = 0%N /\
        move p q).
  Proof.
    intros L M. pose proof M as (Lr & _). rewrite lift_length in Lr by exact L.
    destruct (lift_of r Lr) as (q & Lq & E). exists q, (heap h r). split; [exact Lq|].
    split; [exact E|].
    rewrite E in M. now apply move_lifted in M.
  Qed.

  Lemma over p : length p = n -> P_position move_of_M (lift p 0).
  Proof.
    intro L. constructor. intros r M. destruct (option_lifted p 0 r L M) as (q & y & _ & _ & C).
    exfalso.
    destruct C as [(C & _)|[(C & _)|(C & _)]]; discriminate C.
  Qed.

  Lemma still p q : length p = n -> move p q -> length q = n.
  Proof. intros L (Lq & _). congruence. Qed.

  Lemma one_N p q : length p = n -> move p q -> N_position move_of_M (lift p 1).
  Proof.
    intros L M. pose proof (still p q L M) as Lq. apply some_option_P with (lift q 0);
      [|now apply over].
    apply move_lifted; auto.
  Qed.

  Lemma one_P p : length p = n -> (forall q, ~ move p q) -> P_position move_of_M (lift p 1).
  Proof.
    intros L O. constructor. intros r M. destruct (option_lifted p 1 r L M) as (q & y & _ & _ & C).
    exfalso.
    destruct C as [(C & _)|[(C & _)|(_ & _ & C)]]; try discriminate C. exact (O q C).
  Qed.

  Notation ends_in_M := (memory_ends (S h) rule_of_M).

  Theorem stuck_is_normal p : length p = n -> (misere_P move p <-> P_position move_of_M (lift p 2)).
  Proof.
    assert (G : forall p : position, length p = n ->
      (misere_P move p <-> P_position move_of_M (lift p 2)) /\ (misere_N move p <->
        N_position move_of_M (lift p 2))).
    { clear p. intro p. induction p as [p IH] using (well_founded_induction (memory_ends h rule)).
      intro L.
      assert (Next : forall q, move p q ->
        (misere_P move q <-> P_position move_of_M (lift q 2)) /\ (misere_N move q <->
          N_position move_of_M (lift q 2)))
        by (intros q M; apply IH; [exact M|now apply (still p)]).
      assert (To : forall q, move p q -> move_of_M (lift p 2) (lift q 2)).
      { intros q M. apply move_lifted; [exact L|now apply (still p)|]. left. auto. }
      assert (Down : move_of_M (lift p 2) (lift p 1)) by (apply move_lifted; auto).
      split; split.
      - intros [[q M] A]. constructor. intros r R.
        destruct (option_lifted p 2 r L R) as (q' & y & Lq & -> & [(_ & -> & M')|[(_ & ->
          & ->)|(C & _)]]).
        + apply (Next q' M'), A, M'.
        + now apply (one_N p q).
        + discriminate C.
      - intros [A]. pose proof (A _ Down) as N1. destruct N1 as [r R P].
        destruct (option_lifted p 1 r L R) as (q & y & Lq & -> & [(C & _)|[(C & _)|(_ & ->
          & M)]]); try discriminate C.
        constructor; [now exists q|]. intros q' M'. apply (Next q' M'), A, To, M'.
      - intros [O|q M P].
        + apply some_option_P with (lift p 1); [exact Down|now apply one_P].
        + apply some_option_P with (lift q 2); [now apply To|now apply (Next q M)].
      - intros [r R P].
        destruct (option_lifted p 2 r L R) as (q & y & Lq & -> & [(_ & -> & M)|[(_ & ->
          & ->)|(C & _)]]).
        + apply misere_some_P with q; [exact M|now apply (Next q M)].
        + apply misere_over. intros q M. exact (not_both _ ends_in_M (lift p 1) P (one_N p q L M)).
        + discriminate C. }
    intro L. exact (proj1 (G p L)).
  Qed.
End Stuck.

(** * The theorem *)

Definition remembers_stuck (h n : nat) (rule claim stuck : formula) (d : data) : bool :=
  Nat.leb h n && remembers (S h) (S n) (rule_of_M h n rule) (claim_of_M h claim stuck) d.

Theorem stuck_P_positions h n rule claim stuck d :
  remembers_stuck h n rule claim stuck d = true ->
  forall p, length p = n -> (misere_P (remembering h (rule_says rule)) p <-> fden claim (at_ p)).
Proof.
  unfold remembers_stuck. rewrite andb_true_iff, Nat.leb_le. intros [H R] p L.
  rewrite (stuck_is_normal h n rule H p L).
  rewrite (memory_P_positions (S h) (S n) _ _ d R _ (lift_length h n H p 2 L)).
  unfold claim_of_M. cbn [fden tden z_before]. rewrite !(claim_lifted h n H _ p 2 L).
  change (at_ (lift h p 2) h) with (heap h (lift h p 2)).
  rewrite (heap_lift h n H p 2 h L), Nat.ltb_irrefl, Nat.eqb_refl. split; [|auto].
  intros [(_ & C)|[(C & _)|[C|C]]]; [exact C|discriminate|discriminate|lia].
Qed.
